"""Write pages of the ledger as Markdown: how each slip came about, step by step, and every number by its size."""

import re
from collections.abc import Collection, Mapping, Sequence
from operator import itemgetter
from typing import Any
from urllib.parse import quote

from ndcg_ref.stated.display import OPENING, causes_said, in_dollars, literal, mark, step_said
from ndcg_ref.stated.ledgers import Ledger, kinds
from ndcg_ref.stated.number import read_number
from ndcg_ref.stated.records import Entry

SIZES = {"below 0": 0.0, **{f"{top // 10} to {top}": float(top) for top in (1, 10, 100, 1000)}}  # each below its top
LARGEST = "1000 and more"
NOT_GIVEN = "not given"  # in a chapter whose cell stopped because it does not declare the slip
# The markup that a heading or a step may have, and last a sign that has to be escaped
MARKUP = re.compile(
    r"""
    \\(?P<escaped>[!-/:-@\[-`{-~])
    | \$(?P<formula>[^$]+)\$
    | (?P<ticks>`+)(?P<code>[^`]+)(?P=ticks)(?!`)
    | \[(?P<text>(?:[^\]\\]|\\.)*)\]\(\#(?P<label>[a-z0-9-]+)\)
    | (?P<sign>[\\`{}\[\]<>$|#~&])
    """,
    re.VERBOSE,
)


def sections(ledger: Ledger) -> str:
    """A section for each note, with a subsection for each slip."""
    notes = slips_by_note(ledger)
    slips = [entry for entries in notes.values() for entry in entries]
    parts = [f"Slips in all: {len(slips)} ({kinds(slips)})."]
    for entries in notes.values():
        labels = {entry["label"] for entry in entries}
        parts += [f"## {_title(entries[0])}", *(_section(entry, labels) for entry in entries)]
    return "\n\n".join(parts)


def numbers(ledger: Ledger) -> str:
    """A section for each size, with the numbers that the notes state in the order of their values."""
    sizes: dict[str, list[tuple[float, Entry]]] = {}
    stated = [entry for entry in ledger.entries if entry["note"] is not None and entry["kind"] == "number"]
    for value, entry in sorted(((value_of(entry["stated"]), entry) for entry in stated), key=itemgetter(0)):
        sizes.setdefault(magnitude(value), []).append((value, entry))
    parts = []
    for size, entries in sizes.items():
        lines = [f"- {_number(entry)}" for _, entry in entries]
        parts.append("\n".join([f"## {size}", "", *lines]))
    return "\n\n".join(parts)


def value_of(stated: str) -> float:
    """The value of a printed number with a decimal point or comma."""
    try:
        return read_number(stated).nearest_float
    except ValueError:
        return read_number(stated, ",").nearest_float


def magnitude(value: float) -> str:
    """The size of a number.

    >>> magnitude(0.63), magnitude(8.32), magnitude(1062)
    ('0 to 1', '1 to 10', '1000 and more')
    """
    return next((size for size, top in SIZES.items() if value < top), LARGEST)


def slips_by_note(ledger: Ledger) -> dict[str, list[Entry]]:
    """The slips of each note, in the order of the ledger, without those of lessons."""
    found: dict[str, list[Entry]] = {}
    for entry in ledger.slips.entries:
        if entry["note"] is not None:
            found.setdefault(entry["note"], []).append(entry)
    return found


def entry_label(note: str, record: Mapping[str, Any]) -> str:
    """The label of the entry of a slip in the list of slips.

    >>> entry_label("two-queries", {"label": "verdict-dcg"})
    'two-queries-verdict-dcg'
    """
    return re.sub("[^a-z0-9]+", "-", f"{note}-{record['label']}".lower())


def short_title(entry: Entry) -> str:
    """The title of a note without its question, as plain text."""
    return (entry["title"] or _note(entry)).partition(":")[0]


def _number(entry: Entry) -> str:
    """A number as one line, with a link to its verdict."""
    place = f"[{literal(entry['name'])}]({_place(entry)})"
    return f"**{literal(entry['stated'])}** {place}, {literal(short_title(entry))}: {mark(entry['outcome'])}"


def _place(entry: Entry) -> str:
    return f"/{quote(entry['chapter'])}#{quote(entry['label'], safe='')}"


def _note(entry: Entry) -> str:
    return entry["note"] or ""


def _printed(text: str | None) -> str:
    return in_dollars(text or "") if "\\" in (text or "") else literal(text or "")


def _given(text: str | None) -> str:
    return literal(text) if text else NOT_GIVEN


def _section(entry: Entry, labels: Collection[str]) -> str:
    """The entry of a slip; `labels` are those of all slips with an entry in the same note."""
    place = f"[{_title(entry)}]({_place(entry)})"
    place += f", section “{_marked(entry['section'])}”" if entry["section"] else ""
    if entry["kind"] == "sentence":
        items = {
            "Place": f"{place}: a statement in words",
            "Printed (in our words)": literal(entry["stated"]),
            "Recomputed": f"{literal(entry['counterexample'])}: here it fails"
            if entry["counterexample"]
            else NOT_GIVEN,
            "Cause": _given(entry["declared"]),
            "Correction": _given(entry["correct"]),
        }
    else:
        items = {
            "Place": f"{place}: {literal(entry['name'])}",
            "Printed": _printed(entry["stated"]),
            "Recomputed": _listed([_linked(step_said(step), entry, labels) for step in entry["derivation"]], "1."),
            "Cause": _listed([literal(line) for line in causes_said(entry)], "-"),
            "Correction": f"for {_printed(entry['stated'])} read {_printed(entry['correct'])}",
        }
        if entry["weak"]:
            share = f"{entry['chance']:.2f} of the wrong numbers nearby"
            items["Chance"] = f"{share} would have a cause as well, so this is weak evidence"
    items["Status"] = literal(entry["status"])
    name = entry["name"]
    heading = f"({entry_label(_note(entry), entry)})=\n### {literal(name[:1].upper() + name[1:])}"
    return "\n".join([heading, "", *(f"- **{what}:** {said}" for what, said in items.items())])


def _title(entry: Entry) -> str:
    return _marked(entry["title"]) or literal(_note(entry))


def _listed(lines: Sequence[str], sign: str) -> str:
    """Several lines as a nested list; a single line as it is."""
    if len(lines) < 2:
        return "".join(lines)
    return "\n" + "\n".join(f"  {sign} {line}" for line in lines)


def _linked(step: str, entry: Entry, labels: Collection[str]) -> str:
    """A step in which links to other verdicts become links to their entries."""
    return _marked(step, {label: entry_label(_note(entry), {"label": label}) for label in labels})


def _marked(text: str, links: Mapping[str, str] | None = None) -> str:
    """The Markdown of a chapter or a record with its formulas, code, emphasis and escapes, and nothing else.

    A link to a label in `links` leads to that target; any other link is replaced by its text.
    """

    def safe(found: re.Match[str]) -> str:
        part = found.groupdict()
        if part["formula"]:
            return in_dollars(part["formula"])
        if part["text"] is not None:
            linked = _marked(part["text"])
            return f"[{linked}](#{links[part['label']]})" if links and part["label"] in links else linked
        return f"\\{part['sign']}" if part["sign"] else found[0]

    return re.sub(OPENING, r"\1\\", MARKUP.sub(safe, " ".join(text.split())))
