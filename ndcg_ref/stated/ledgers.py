"""Every verdict of a book, as one table, read from the stored outputs of its notebooks.

A notebook says in its metadata what it is for: `{"ndcg_ref": {"role": "lesson"}}` stands in one whose verdicts are
listed and not counted, as they are examples of the author's own. Any other notebook is a note, and is counted. One
with several notes names them: `{"ndcg_ref": {"notes": {"first": ..., "second": ...}}}`. The section of each has its
name as a label, `(first)=` above the heading, and each is counted by itself.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from ndcg_ref.conventions.validation import quoted, shortened
from ndcg_ref.stated.display import FIELDS, MIME, Entry, Outcome, literal, mark
from ndcg_ref.stated.stored_notebook import Notebook, NotebookError, beside, read_notebook

if TYPE_CHECKING:
    from pathlib import Path

BUILT = {"_build", "_sources", "_downloads", "jupyter_execute"}  # folders into which Sphinx writes notebooks
HEADING = re.compile(r"^(?:\((?P<label>[\w-]+)\)=\n)?(?P<level>#{1,6}) +(?P<said>.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Ledger:
    """The verdicts of a book, chapter by chapter.

    Parameters
    ----------
    entries : tuple of Entry
        One for each verdict: its record, with its chapter, and with where it stands there.

    Examples
    --------
    >>> from ndcg_ref.stated import judge
    >>> record = judge("8.32", 8.32553, "DCG").record()
    >>> print(Ledger(({**record, "note": "x", "chapter": "notes/x.ipynb"},)))
    notes/x.ipynb: ✗ slip: DCG: stated 8.32, correct 8.33; consistent with truncated
    x: 1 checked, 0 agrees, 1 slip, 0 undefined, 0 unchecked
    all notes: 1 checked, 0 agrees, 1 slip, 0 undefined, 0 unchecked
    """

    entries: tuple[Entry, ...]

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
        return f"listed, and not counted above: {kinds(others)}" if others else ""

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
        return [
            f"{note}: {found['checked']} checked, {', '.join(f'{found[outcome]} {outcome}' for outcome in Outcome)}"
            for note, found in [*counts["by_note"].items(), ("all notes", counts)]
        ]

    @property
    def scores(self) -> str:
        """The counts as a Markdown table: a row for each note, and one for all."""
        counts = self.counts
        heading = ["note", "checked", *Outcome]
        rows = [
            [literal(note), *(str(found[column]) for column in heading[1:])]
            for note, found in [*counts["by_note"].items(), ("all notes", counts)]
        ]
        lines = [heading, ["---", *["---:"] * (len(heading) - 1)], *rows]
        return "\n".join("| " + " | ".join(row) + " |" for row in lines)

    def __str__(self) -> str:
        return "\n".join([*self.lines, *self.totals])


def ledger(path: str | Path = ".") -> Ledger:
    """Read the verdicts that the notebooks below a path have stored.

    Parameters
    ----------
    path : str or Path, optional
        A folder with notebooks, or one notebook. Hidden folders are passed over, and those that Sphinx builds into.

    Returns
    -------
    Ledger
        All verdicts, in the order of the notebooks' paths and of their cells.

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
    from os import walk
    from pathlib import Path  # a third of what importing ndcg_ref.stated would take

    root, given = Path(path), shortened(str(path))
    try:
        found_there = root.exists()
    except (OSError, ValueError):  # a name too long, or with a character that no path has
        found_there = False
    if not found_there:
        raise ValueError(f"{given}: expected a folder with notebooks, or a notebook, found nothing there")
    chapters = [root] if root.is_file() else []
    for folder, below, files in walk(root):
        below[:] = [name for name in below if not name.startswith(".") and name not in BUILT]
        chapters += [Path(folder, name) for name in files if name.endswith(".ipynb") and not name.startswith(".")]
    if not chapters:
        raise ValueError(f"{given}: expected at least one notebook (.ipynb), found none")
    entries: list[Entry] = []
    for chapter in sorted(chapters):
        book = _read(chapter)
        place = chapter.name if root.is_file() else chapter.relative_to(root).as_posix()
        try:
            note = place.removesuffix(".ipynb") if book.role == "note" else None
        except ValueError as error:
            raise ValueError(f"{chapter}: {error}") from None
        seen: dict[str, str] = {}
        for entry in _entries(chapter, book, note):
            label = entry["label"]
            if label in seen:
                raise ValueError(
                    f"{chapter.as_posix()}: expected a name or label of its own for each verdict, "
                    f"got {quoted(label)} for {quoted(entry['name'])} and for {quoted(seen[label])}"
                )
            seen[label] = entry["name"]
            entries.append(entry)
    if not entries:
        raise ValueError(f"{given}: expected verdicts in the stored outputs, found none (have the notebooks been run?)")
    return Ledger(tuple(entries))


def _read(chapter: Path) -> Notebook:
    try:
        return read_notebook(chapter)
    except OSError as error:
        raise ValueError(f"{chapter}: expected a notebook that can be read, found: {error.strerror}") from None
    except UnicodeDecodeError:
        raise _unreadable(chapter, "no text in UTF-8") from None
    except NotebookError as error:
        raise _unreadable(chapter, error.content) from None


def _unreadable(chapter: Path, content: str) -> ValueError:
    return ValueError(f"{chapter}: expected a notebook with stored verdicts, found {content} (another kind of file?)")


def _entries(chapter: Path, book: Notebook, note: str | None) -> Iterator[Entry]:
    try:
        title = section = ""
        for cell in book.cells:
            if cell.kind == "markdown":
                for label, level, heading in HEADING.findall(cell.source):
                    begins = label in book.notes
                    note = beside(note, label) if begins and note else note
                    title, section = (heading, "") if begins or level == "#" else (title, heading)
            for data in cell.data:
                stored = data.get(MIME, {})
                for record in stored.get("verdicts", ()):
                    if not isinstance(record["name"], str):
                        raise TypeError(f"the name {quoted(record['name'])}")
                    Outcome(record["outcome"])  # refuses any other
                    there = {"chapter": chapter.as_posix(), "note": note, "title": title, "section": section}
                    entry = {**{key: record[key] for key in FIELDS}, **there, "printed": stored.get("printed")}
                    yield cast(Entry, entry)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise _unreadable(chapter, "JSON of another structure") from None


def _count(entries: list[Entry]) -> dict[str, int]:
    found = {str(outcome): sum(entry["outcome"] == outcome for entry in entries) for outcome in Outcome}
    return {"checked": len(entries) - found["unchecked"], **found}


def kinds(entries: Collection[Entry]) -> str:
    """How many entries there are of each kind, in words.

    >>> kinds([{"kind": "number"}, {"kind": "sentence"}, {"kind": "number"}])
    'numbers 2, statements in words 1'
    """
    names = {"number": "numbers", "term": "terms inside sums", "sentence": "statements in words"}
    found = {said: sum(entry["kind"] == kind for entry in entries) for kind, said in names.items()}
    return ", ".join(f"{said} {count}" for said, count in found.items() if count)


def _line(entry: Entry) -> str:
    if entry["kind"] == "sentence":
        return entry["line"]
    said = f"{entry['name']}: stated {entry['stated']}, correct {entry['correct']}"
    return f"{mark(entry['outcome'])}: {said}{'; ' if entry['explanation'] else ''}{entry['explanation']}"
