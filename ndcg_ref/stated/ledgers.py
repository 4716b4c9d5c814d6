"""Every verdict of a book, as one table, read from the stored outputs of its chapters."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ndcg_ref.stated.forms import MIME, OPENING, Outcome, below, in_dollars, literal, mark
from ndcg_ref.validation import quoted, shortened

if TYPE_CHECKING:
    from pathlib import Path

HEADING = re.compile("^(#{1,6}) +(.+)$", re.MULTILINE)
# What a heading or a step may have besides text, and then a sign that stands for itself; compiled on first use
MARKUP = r"""(?x)
    \\(?P<escaped>[!-/:-@\[-`{-~])
    | \$(?P<formula>[^$]+)\$
    | (?P<ticks>`+)(?P<code>[^`]+)(?P=ticks)(?!`)
    | \[(?P<text>(?:[^\]\\]|\\.)*)\]\(\#(?P<label>[a-z0-9-]+)\)
    | (?P<sign>[\\`{}\[\]<>$|#~&])
"""
NOT_GIVEN = "not given"  # as in a chapter whose cell stopped, since it does not declare the slip
FIELDS = (
    "name",
    "label",
    "kind",
    "stated",
    "computed",
    "computed_text",
    "correct",
    "outcome",
    "causes",
    "declared",
    "evidence",
    "explanation",
    "steps",
    "status",
)


@dataclass(frozen=True)
class Ledger:
    """The verdicts of a book, chapter by chapter.

    Parameters
    ----------
    entries : tuple of mapping
        One for each verdict, with the keys note, name, label, kind, stated, computed, computed_text, correct, outcome,
        causes, declared, evidence, explanation, steps, status, printed, title, section and chapter. `kind` is "number",
        "term" or "sentence"; `printed` the line of the note that was judged, if it is one; `title` and `section` are
        the headings that it stands under; `note` is the chapter's stem, and None for a chapter outside ``book/notes``.

    Examples
    --------
    >>> slip = {"note": "x", "name": "DCG", "kind": "number", "stated": "8.32", "correct": "8.33", "outcome": "slip"}
    >>> print(Ledger(({**slip, "explanation": "consistent with truncated", "chapter": "book/notes/x.ipynb"},)))
    book/notes/x.ipynb: ✗ slip: DCG: stated 8.32, correct 8.33; consistent with truncated
    x: 1 checked, 0 agrees, 1 slip, 0 undefined, 0 unchecked
    all notes: 1 checked, 0 agrees, 1 slip, 0 undefined, 0 unchecked
    """

    entries: tuple[Mapping[str, Any], ...]

    @property
    def counts(self) -> dict[str, Any]:
        """How many stated numbers of the notes were checked, and with what outcome; in all and by note."""
        stated = [entry for entry in self.entries if entry["kind"] == "number" and entry["note"] is not None]
        notes = dict.fromkeys(entry["note"] for entry in stated)
        by_note = {note: _count([entry for entry in stated if entry["note"] == note]) for note in notes}
        return {**_count(stated), "by_note": by_note}

    @property
    def besides(self) -> str:
        """What is listed and not counted, as it is no result that a note states; empty where all is counted."""
        others = [entry for entry in self.entries if entry["kind"] != "number" or entry["note"] is None]
        return f"listed, and not counted above: {_kinds(others)}" if others else ""

    @property
    def slips(self) -> Ledger:
        """Those verdicts that are slips."""
        return Ledger(tuple(entry for entry in self.entries if entry["outcome"] == Outcome.SLIP))

    def as_json(self) -> dict[str, Any]:
        """The whole ledger as JSON holds it."""
        return {"counts": self.counts, "entries": [dict(entry) for entry in self.entries]}

    @property
    def lines(self) -> list[str]:
        """One line for each verdict."""
        return [f"{entry['chapter']}: {_line(entry)}" for entry in self.entries]

    @property
    def totals(self) -> list[str]:
        """One line for each note, and one for all."""
        counts = self.counts
        return [f"{note}: {_said(found)}" for note, found in [*counts["by_note"].items(), ("all notes", counts)]]

    @property
    def scores(self) -> str:
        """The counts as a Markdown table: a row for each note, and one for all."""
        counts = self.counts
        heading = ["note", "checked", *Outcome]
        rows = [
            [literal(note), *(str(found[column]) for column in heading[1:])]
            for note, found in [*counts["by_note"].items(), ("all notes", counts)]
        ]
        return _markdown(heading, rows)

    @property
    def corrections(self) -> str:
        """For each note a Markdown list that can be sent to whoever keeps it, linked to the entries of `sections`."""
        lists = []
        for entries in self._slips_by_note.values():
            lines = [f"- {_correction(entry)}" for entry in entries]
            lists.append("\n".join([f"**{_title(entries[0])}**", "", *lines]))
        return "\n\n".join(lists)

    @property
    def sections(self) -> str:
        """The slips of the notes as Markdown: a section for each note, and in it one for each slip."""
        slips = [entry for entries in self._slips_by_note.values() for entry in entries]
        parts = [f"Entries in all: {len(slips)} ({_kinds(slips)})."]
        for entries in self._slips_by_note.values():
            labels = {entry["label"] for entry in entries}
            parts += [f"## {_title(entries[0])}", *(_section(entry, labels) for entry in entries)]
        return "\n\n".join(parts)

    @property
    def _slips_by_note(self) -> dict[str, list[Mapping[str, Any]]]:
        found: dict[str, list[Mapping[str, Any]]] = {}
        for entry in self.slips.entries:
            if entry["note"] is not None:
                found.setdefault(entry["note"], []).append(entry)
        return found

    def __str__(self) -> str:
        return "\n".join([*self.lines, *self.totals])


def ledger(path: str | Path = "book") -> Ledger:
    """Read the verdicts that the chapters below a path have stored.

    Parameters
    ----------
    path : str or Path, optional
        A folder with notebooks, or one notebook.

    Returns
    -------
    Ledger
        All verdicts, in the order of the chapters and of their cells: that of the book's ``_toc.yml``, and of their
        names where there is none.

    Raises
    ------
    ValueError
        If there is no such path, no notebook, no verdict in any, a notebook that cannot be read, or a name that
        occurs twice in a chapter.

    Examples
    --------
    >>> ledger("no/such/book")
    Traceback (most recent call last):
        ...
    ValueError: no/such/book: expected a folder with notebooks, or a notebook, found nothing there
    """
    from pathlib import Path  # a third of what importing ndcg_ref.stated would take

    root, place = Path(path), shortened(str(path))
    try:
        found_there = root.exists()
    except (OSError, ValueError):  # a name too long, or with a character that no path has
        found_there = False
    if not found_there:
        raise ValueError(f"{place}: expected a folder with notebooks, or a notebook, found nothing there")
    chapters = [root] if root.is_file() else sorted(root.rglob("*.ipynb"))
    chapters = [chapter for chapter in chapters if not _is_hidden(chapter.relative_to(root))]
    if not chapters:
        raise ValueError(f"{place}: expected at least one notebook (.ipynb), found none")
    listed = _listed_in_toc(chapters[0].resolve())
    chapters.sort(key=lambda chapter: listed.get(_path_in_book(chapter.resolve()).removesuffix(".ipynb"), len(listed)))
    entries: list[Mapping[str, Any]] = []
    for chapter in chapters:
        shown = _path_in_book(chapter.resolve())
        found = [{"note": note_of(chapter), **record, "chapter": shown} for record in _records(chapter)]
        _refuse_twice(found, shown)
        entries += found
    if not entries:
        raise ValueError(f"{place}: expected verdicts in the stored outputs, found none (have the notebooks been run?)")
    return Ledger(tuple(entries))


def note_of(chapter: Path) -> str | None:
    """The name of the note that a chapter recomputes, or None for any other chapter."""
    return chapter.stem if _path_in_book(chapter.resolve()) == f"book/notes/{chapter.name}" else None


def entry_label(note: str, record: Mapping[str, Any]) -> str:
    """What links to a slip's entry in the list of slips.

    >>> entry_label("two-queries", {"label": "verdict-dcg"})
    'two-queries-verdict-dcg'
    """
    return re.sub("[^a-z0-9]+", "-", f"{note}-{record['label']}".lower())


def _path_in_book(chapter: Path) -> str:
    """The path from the folder named book on; of a chapter elsewhere its folder and name."""
    parts = chapter.parts
    start = len(parts) - 1 - parts[::-1].index("book") if "book" in parts else len(parts) - 2
    return "/".join(parts[start:])


def _listed_in_toc(chapter: Path) -> dict[str, int]:
    """The place of each chapter in the table of contents beside the folder named book; empty where there is none."""
    book = next((folder for folder in chapter.parents if folder.name == "book"), chapter)
    toc = book.parent / "_toc.yml"
    text = toc.read_text(encoding="utf-8") if book != chapter and toc.is_file() else ""
    return {path: i for i, path in enumerate(re.findall(r"^[\s-]*(?:root|file):\s*(\S+)", text, re.MULTILINE))}


def _is_hidden(path: Path) -> bool:
    return any(part.startswith((".", "_build")) for part in path.parts)


def _records(chapter: Path) -> Iterator[dict[str, Any]]:
    try:
        cells = json.loads(chapter.read_text(encoding="utf-8"))["cells"]
        title = section = ""
        for cell in cells:
            if cell.get("cell_type") == "markdown":
                for level, heading in HEADING.findall("".join(cell["source"])):
                    title, section = (heading, "") if level == "#" else (title, heading)
            for output in cell.get("outputs", ()):
                stored = output.get("data", {}).get(MIME, {})
                for record in stored.get("verdicts", ()):
                    if not isinstance(record["name"], str):
                        raise TypeError(f"the name {quoted(record['name'])}")
                    Outcome(record["outcome"])  # refuses any other
                    there = {"printed": stored.get("printed"), "title": title, "section": section}
                    yield {**{key: record[key] for key in FIELDS}, **there}
    except (OSError, UnicodeDecodeError, RecursionError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(
            f"{chapter}: expected a notebook with stored verdicts, found none that can be read ({quoted(error)})"
        ) from None


def _refuse_twice(entries: list[dict[str, Any]], chapter: str) -> None:
    seen: dict[str, str] = {}
    for entry in entries:
        label = entry["label"]
        if label in seen:
            raise ValueError(
                f"{chapter}: expected a name or label of its own for each verdict, "
                f"got {quoted(label)} for {quoted(entry['name'])} and for {quoted(seen[label])}"
            )
        seen[label] = entry["name"]


def _count(entries: list[Mapping[str, Any]]) -> dict[str, int]:
    found = {str(outcome): sum(entry["outcome"] == outcome for entry in entries) for outcome in Outcome}
    return {"checked": len(entries) - found["unchecked"], **found}


def _kinds(entries: list[Mapping[str, Any]]) -> str:
    kinds = {"number": "numbers", "term": "terms of lines", "sentence": "statements in words"}
    found = {said: sum(entry["kind"] == kind for entry in entries) for kind, said in kinds.items()}
    return ", ".join(f"{said} {count}" for said, count in found.items() if count)


def _said(counts: Mapping[str, Any]) -> str:
    return f"{counts['checked']} checked, " + ", ".join(f"{counts[outcome]} {outcome}" for outcome in Outcome)


def _markdown(heading: list[str], rows: list[list[str]]) -> str:
    lines = [heading, ["---", *["---:"] * (len(heading) - 1)], *rows]
    return "\n".join("| " + " | ".join(row) + " |" for row in lines)


def _printed(text: str) -> str:
    return in_dollars(text) if "\\" in text else literal(text)


def _given(text: str | None) -> str:
    return literal(text) if text else NOT_GIVEN


def _correction(entry: Mapping[str, Any]) -> str:
    """One line: what to read instead of what, linked to the entry."""
    link = f"[{literal(entry['note'] + ': ' + entry['name'])}](#{entry_label(entry['note'], entry)})"
    if entry["kind"] == "sentence":
        return f"{link}: {_given(entry['correct'])} ({_given(entry['declared'])})"
    return (
        f"{link}: for {_printed(entry['stated'])} read {_printed(entry['correct'])} ({literal(entry['explanation'])})"
    )


def _section(entry: Mapping[str, Any], labels: Collection[str]) -> str:
    """The entry of one slip; `labels` are those of the slips that have one in the same note."""
    from urllib.parse import quote  # takes longer than this module

    path = quote(entry["chapter"].partition("/")[2])
    place = f"[{_title(entry)}]({path}#{quote(entry['label'], safe='')})"
    place += f", section “{_marked(entry['section'])}”" if entry["section"] else ""
    explanation, _, weak = entry["explanation"].partition(" (weak evidence: chance ")
    if entry["kind"] == "sentence":
        items = {
            "Place": f"{place}: a statement in words",
            "Print (in our words)": literal(entry["stated"]),
            "Recomputed": f"{literal(entry['evidence'][0])}: here it fails" if entry["evidence"] else NOT_GIVEN,
            "Cause": _given(entry["declared"]),
            "Correction": _given(entry["correct"]),
        }
    else:
        evidence = [line for line in entry["evidence"] if not line.startswith("step: ")]  # the steps say it
        causes = [literal(line) for line in below({**entry, "evidence": evidence, "explanation": explanation})]
        items = {
            "Place": f"{place}: {literal(entry['name'])}",
            "Print": _printed(entry["stated"]),
            "Recomputed": _listed([_linked(step, entry, labels) for step in entry["steps"]], "1."),
            "Cause": _listed(causes, "-"),
            "Correction": f"for {_printed(entry['stated'])} read {_printed(entry['correct'])}",
        }
        if weak:
            share = literal(weak.removesuffix(")"))
            items["Chance"] = f"{share} of the wrong prints nearby would have a cause as well, so this is weak evidence"
    items["Status"] = literal(entry["status"])
    name = entry["name"]
    heading = f"({entry_label(entry['note'], entry)})=\n### {literal(name[:1].upper() + name[1:])}"
    return "\n".join([heading, "", *(f"- **{what}:** {said}" for what, said in items.items())])


def _title(entry: Mapping[str, Any]) -> str:
    return _marked(entry["title"]) or literal(entry["note"])


def _listed(lines: Sequence[str], sign: str) -> str:
    """Several lines as a list within an item; a single one as it is."""
    if len(lines) < 2:
        return "".join(lines)
    return "\n" + "\n".join(f"  {sign} {line}" for line in lines)


def _linked(step: str, entry: Mapping[str, Any], labels: Collection[str]) -> str:
    """A step with its links to other verdicts turned into links to their entries."""
    return _marked(step, {label: entry_label(entry["note"], {"label": label}) for label in labels})


def _marked(text: str, links: Mapping[str, str] | None = None) -> str:
    """Markdown that a chapter or a record has, with its formulas, code, stress and escapes, and nothing else.

    A link to one of the labels in `links` leads there; of any other its text is left.
    """

    def safe(found: re.Match[str]) -> str:
        part = found.groupdict()
        if part["formula"]:
            return in_dollars(part["formula"])
        if part["text"] is not None:
            linked = _marked(part["text"])
            return f"[{linked}](#{links[part['label']]})" if links and part["label"] in links else linked
        return f"\\{part['sign']}" if part["sign"] else found[0]

    return re.sub(OPENING, r"\1\\", re.sub(MARKUP, safe, " ".join(text.split())))


def _line(entry: Mapping[str, Any]) -> str:
    if entry["kind"] == "sentence":
        correction = f"correction: {entry['correct']}" if entry["explanation"] and entry["correct"] else ""
        return "; ".join(
            filter(None, [f"{mark(entry['outcome'])}: {entry['stated']}", entry["explanation"], correction])
        )
    said = f"{entry['name']}: stated {entry['stated']}, correct {entry['correct']}"
    return f"{mark(entry['outcome'])}: {said}{'; ' if entry['explanation'] else ''}{entry['explanation']}"
