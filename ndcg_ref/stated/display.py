"""The forms in which verdicts leave a cell: lines of text, HTML for notebook viewers, and JSON records.

The records are what the book's pages are made from, and what the ledger reads. A payload holds verdicts in reading
order and their layout: the printed line, or the table, each of its cells a text or the place of a verdict.
"""

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import groupby
from typing import Any, TypedDict


class EvidenceRecord(TypedDict):
    """A recomputation that gives the printed number: the code of its cause, and how it does so."""

    cause: str
    text: str


class StepRecord(TypedDict):
    """A step of a derivation, as a line of Markdown, and whether the printed value departs there."""

    text: str
    departs: bool


class Record(TypedDict):
    """A verdict, or a statement in words.

    `name` is what was judged, and `label` what links to it; `kind` is "number", "term" or "sentence". `stated` is the
    text that the note prints, which claims to be the value itself where it is `as_exact`; `computed` the value, and
    `computed_text` how to show it. `causes`, `evidence`, `chance`, `weak`, `explanation`, `derivation` and `status`
    belong to a slip; `counterexample` to a false statement; `discrepancies` are the places where the printed working
    does not lead on. `declared` is the cause that the chapter states, `reason` why there is nothing to compare with,
    and `line` all of it in one line.
    """

    name: str
    label: str
    kind: str
    stated: str
    as_exact: bool
    computed: float | None
    computed_text: str | None
    correct: str | None
    outcome: str
    causes: list[str]
    declared: str | None
    evidence: list[EvidenceRecord]
    counterexample: str | None
    discrepancies: list[str]
    chance: float | None
    weak: bool
    explanation: str
    derivation: list[StepRecord]
    status: str
    reason: str
    line: str


class Entry(Record):
    """A record in a ledger: with its chapter, and with where it stands there.

    `chapter` is the path of the notebook, and `note` what that has below the folder that was read, without its
    suffix, or None in a lesson; `printed` is the line that was judged, if it is one; `title` and `section` are the
    headings that the verdict stands under.
    """

    chapter: str
    note: str | None
    printed: str | None
    title: str
    section: str


FIELDS = tuple(Record.__annotations__)
MIME = "application/vnd.ndcg-ref.verdicts+json"

SPECIAL = r"[\\`*_{}\[\]<>$|#~&]"  # what Markdown and MyST read within a line
OPENING = r"^(\d+(?=[.)](?:\s|$))|(?=[-+](?!\d)|[:%=(]))"  # and what opens a block, a comment or a target
Piece = tuple[str, str]  # what it is, and its text


class Outcome(StrEnum):
    """What a check found.

    Examples
    --------
    >>> [str(outcome) for outcome in Outcome]
    ['agrees', 'slip', 'undefined', 'unchecked']
    """

    AGREES = "agrees"
    SLIP = "slip"
    UNDEFINED = "undefined"
    UNCHECKED = "unchecked"


MARKS = {Outcome.AGREES: "✓", Outcome.SLIP: "✗", Outcome.UNDEFINED: "∅", Outcome.UNCHECKED: "○"}


def slug(name: str) -> str:
    """The label of a verdict, and its id on the page, where its author gives it none.

    >>> slug("DCG of query 2, row 3")
    'verdict-dcg-of-query-2-row-3'
    """
    return "verdict-" + re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def mark(outcome: str) -> str:
    """The mark and the word of an outcome, always together.

    >>> mark("slip")
    '✗ slip'
    """
    return f"{MARKS[Outcome(outcome)]} {outcome}"


def differing(stated: str, correct: str | None) -> list[tuple[str, bool]]:
    """The printed number in pieces, each with whether its digits differ from the right rounding.

    >>> differing("8.32", "8.33")
    [('8.3', False), ('2', True)]
    """
    if correct is None:
        return [(stated, False)]
    correct = correct.replace("-", "−") if stated.startswith("−") else correct
    if len(stated) != len(correct):
        return [(stated, True)]
    alike = groupby(zip(stated, correct, strict=True), lambda pair: pair[0] != pair[1])
    return [("".join(shown for shown, _ in pairs), differs) for differs, pairs in alike]


def pieces(record: Record) -> list[Piece]:
    """A verdict as it is read: mark and word, the printed number, what it is, and below them the causes.

    Each piece is a text and its kind: "mark", "text", "digit" (of a printed number, a wrong one), "formula" or
    "below", which is a line of its own.

    >>> from ndcg_ref.stated import judge
    >>> [text for _, text in pieces(judge("7.42", 7.41782, "DCG").record())]
    ['✓ agrees', ' ', '7.42', ' for DCG: computed 7.41782']
    """
    found = [("mark", mark(record["outcome"])), ("text", " ")]
    if record["kind"] == "sentence":
        found.append(("text", record["stated"]))
    else:
        said = [f"computed {record['computed_text']}"] if record["computed_text"] else []
        said += ["correct "] if record["outcome"] == "slip" else []
        said += [record["reason"]] if record["reason"] else []
        name = f" for {record['name']}" if record["name"] else ""
        exactly = [("text", "exactly ")] if record["as_exact"] else []
        found += [*exactly, *printed_pieces(record), ("text", f"{name}: {', '.join(said)}")]
        if record["correct"] and record["outcome"] == "slip":
            found.append(("formula" if "\\" in record["correct"] else "text", record["correct"]))
    return found + [("below", line) for line in below(record)]


def printed_pieces(record: Record) -> list[Piece]:
    """The printed number, with the digits told apart that are wrong; a term in LaTeX is a formula."""
    if record["kind"] == "term" and "\\" in record["stated"]:
        return [("formula", record["stated"])]
    correct = record["correct"] if record["outcome"] == "slip" else None
    return [("digit" if differs else "text", text) for text, differs in differing(record["stated"], correct)]


def tick_title(record: Record) -> str:
    """What a tick says.

    >>> from ndcg_ref.stated import judge
    >>> tick_title(judge("7.42", 7.41782, "DCG").record())
    'agrees: computed 7.41782, DCG'
    >>> tick_title(judge("8.32", 8.32553, "DCG").record())
    'slip: printed 8.32, computed 8.32553, correct 8.33, DCG'
    """
    if record["kind"] == "sentence":
        return f"{record['outcome']}: {record['stated']}"
    slip = record["outcome"] == Outcome.SLIP
    found = [f"printed {record['stated']}"] if slip else []
    found += [f"computed {record['computed_text']}"] if record["computed_text"] else []
    found += [f"correct {record['correct']}"] if slip and record["correct"] else []
    return f"{record['outcome']}: " + ", ".join(filter(None, [*found, record["reason"], record["name"]]))


def below(record: Record) -> list[str]:
    """What stands below the number: the causes of a slip, a line each; where the working fails; how weak it all is.

    >>> from ndcg_ref.stated import judge
    >>> below(judge("1.5", 1.57).record())
    ['consistent with truncated: 1.5700, cut to 1.5', 'weak evidence: chance 0.20']
    """
    if record["kind"] == "sentence":
        correction = [f"correction: {record['correct']}"] if record["correct"] else []
        return [record["explanation"], *correction] if record["explanation"] else []
    but = "" if record["outcome"] == "slip" else "but "
    weak = [f"weak evidence: chance {record['chance']:.2f}"] if record["weak"] else []
    return [*cause_lines(record), *(but + said for said in record["discrepancies"]), *weak]


def cause_lines(record: Record) -> list[str]:
    """The causes of a slip, each with its recomputation."""
    if record["causes"] == ["unexplained"]:
        return ["unexplained: no known cause gives the printed value"]
    return [f"consistent with {each['cause']}: {each['text']}" for each in record["evidence"]]


def literal(text: str) -> str:
    r"""A text that Markdown leaves as it is, in a line and at its beginning.

    >>> print(literal("CG _n, [x]"))
    CG \_n, \[x\]
    >>> print(literal("1. <b>"))
    1\. \<b\>
    """
    return re.sub(OPENING, r"\1\\", re.sub(SPECIAL, r"\\\g<0>", " ".join(text.split())))


def in_dollars(text: str) -> str:
    r"""A formula between dollars, or its text where it cannot stand there; no tag of HTML can begin in it.

    >>> print(in_dollars(r"\frac{1}{2}"), in_dollars(r"a\$ <b"), in_dollars("1<b"))
    $\frac{1}{2}$ a\\\$ \<b $1< b$
    """
    text = " ".join(text.split())
    if not text or "$" in text or text.endswith("\\"):
        return literal(text)
    return f"${re.sub('<(?=[a-zA-Z/!?])', '< ', text)}$"


def bundle(
    records: Sequence[Record], layout: Mapping[str, Any] | None = None, evidence: bool = False
) -> dict[str, Any]:
    """All three forms of one output, by MIME type.

    The layout is ``{"printed": the line that was judged}``, or ``{"table": {"heading": …, "rows": …}}``. With
    `evidence` the plain text of a slip has it too, as the HTML always has.
    """
    layout = dict(layout or {})
    paragraphs = [f"<div><code>{_escaped(layout['printed'])}</code></div>"] if "printed" in layout else []
    paragraphs += [_table(records, layout["table"])] if "table" in layout else map(_paragraph, records)
    return {
        "text/plain": "\n".join(_lines(records, evidence)),
        "text/html": "\n".join(paragraphs),
        MIME: {"verdicts": list(records), **layout},
    }


def show(records: Sequence[Record], layout: Mapping[str, Any] | None = None, evidence: bool = False) -> None:
    """Display verdicts."""
    display(bundle(records, layout, evidence))


def display(forms: Mapping[str, Any]) -> None:
    """Display an output, given by MIME type: in a notebook in all its forms, elsewhere as text."""
    ipython = sys.modules.get("IPython")
    if ipython is None or ipython.get_ipython() is None:
        print(forms["text/plain"])
        return
    from IPython import display as notebook

    # Through JSON, so that what is shown is what is stored
    notebook.display(json.loads(json.dumps(forms)), raw=True)  # type: ignore[no-untyped-call]


def _lines(records: Sequence[Record], evidence: bool) -> Iterator[str]:
    for record in records:
        yield record["line"]
        if evidence and record["outcome"] == Outcome.SLIP:
            yield from (f"  {line}" for line in below(record))


def _escaped(text: str) -> str:
    from html import escape  # its tables of entities take as long to load as this module

    return escape(text)


_TAG = {"mark": "<b>{}</b>", "text": "{}", "digit": "<u><b>{}</b></u>", "formula": "<code>{}</code>", "below": "<br>{}"}


def _paragraph(record: Record) -> str:
    kind = f"ndcg-verdict ndcg-{record['outcome']}"
    return f'<div id="{_escaped(record["label"])}" class="{kind}">{_html(pieces(record))}</div>'


def _html(parts: Sequence[Piece]) -> str:
    return "".join(_TAG[kind].format(_escaped(text)) for kind, text in parts)


def _table(records: Sequence[Record], table: Mapping[str, Any]) -> str:
    heading = "".join(f"<th>{_escaped(text)}</th>" for text in table["heading"])
    rows = "".join(f"<tr>{''.join(_cells(row, records))}</tr>" for row in table["rows"])
    slips = "".join(_paragraph(record) for record in records if record["outcome"] != "agrees")
    return f"<table><thead><tr>{heading}</tr></thead><tbody>{rows}</tbody></table>{slips}"


def _cells(row: Sequence[str | int], records: Sequence[Record]) -> Iterator[str]:
    """The cells of a row, the last judged one with its mark; each of them where one does not agree."""
    judged = {column: records[cell] for column, cell in enumerate(row) if not isinstance(cell, str)}
    agrees = all(record["outcome"] == Outcome.AGREES for record in judged.values())
    marked = list(judged)[-1:] if agrees else list(judged)
    for column, cell in enumerate(row):
        if isinstance(cell, str):
            yield f"<td>{_escaped(cell)}</td>"
        else:
            record = judged[column]
            shown = _html(printed_pieces(record)) + (f" {mark(record['outcome'])}" if column in marked else "")
            yield f'<td class="ndcg-verdict ndcg-{record["outcome"]}">{shown}</td>'
