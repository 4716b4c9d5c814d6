"""The forms in which verdicts leave a cell: lines of text, HTML for notebook viewers, and JSON records.

The records are what the book's pages are made from, and what the ledger reads. A payload holds verdicts in reading
order and their layout: the printed line, or the table, each of its cells a text or the place of a verdict.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

MIME = "application/vnd.ndcg-ref.verdicts+json"

Record = Mapping[str, Any]


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
    """The print in pieces, each with whether its digits differ from the right rounding.

    >>> differing("8.32", "8.33")
    [('8.3', False), ('2', True)]
    """
    if correct is None:
        return [(stated, False)]
    correct = correct.replace("-", "−") if stated.startswith("−") else correct
    if len(stated) != len(correct):
        return [(stated, True)]
    pieces: list[tuple[str, bool]] = []
    for shown, right in zip(stated, correct, strict=True):
        if pieces and pieces[-1][1] == (shown != right):
            pieces[-1] = (pieces[-1][0] + shown, shown != right)
        else:
            pieces.append((shown, shown != right))
    return pieces


def details(record: Record) -> list[str]:
    """What is said of a verdict beside its print: the computed value, and for a slip what is right and why.

    >>> details({"outcome": "agrees", "computed_text": "7.41782", "explanation": "", "reason": "", "evidence": []})
    ['computed 7.41782']
    """
    said = []
    if record["computed_text"]:
        said.append(f"computed {record['computed_text']}")
    if record["outcome"] == "slip":
        said += [f"correct {record['correct']}" if record["correct"] else "", record["explanation"]]
    elif record["reason"]:
        said.append(record["reason"])
    elif record["evidence"]:
        said.append("but " + "; ".join(step.removeprefix("step: ") for step in record["evidence"]))
    return [each for each in said if each]


def bundle(records: Sequence[Record], layout: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """All three forms of one output, by MIME type.

    The layout is ``{"printed": the line that was judged}``, or ``{"table": {"heading": …, "rows": …}}``.
    """
    layout = dict(layout or {})
    paragraphs = [_printed(layout["printed"])] if "printed" in layout else []
    paragraphs += [_table(records, layout["table"])] if "table" in layout else map(_paragraph, records)
    return {
        "text/plain": "\n".join(record["line"] for record in records),
        "text/html": "\n".join(paragraphs),
        MIME: {"verdicts": list(records), **layout},
    }


def show(records: Sequence[Record], layout: Mapping[str, Any] | None = None) -> None:
    """Display verdicts: in a notebook in all three forms, elsewhere as printed lines."""
    ipython = sys.modules.get("IPython")
    if ipython is None or ipython.get_ipython() is None:
        for record in records:
            print(record["line"])
        return
    from IPython.display import display

    # Through JSON, so that what is shown is what is stored
    display(json.loads(json.dumps(bundle(records, layout))), raw=True)  # type: ignore[no-untyped-call]


def _escaped(text: str) -> str:
    from html import escape  # its tables of entities take as long to load as this module

    return escape(text)


def _printed(line: str) -> str:
    return f"<div><code>{_escaped(line)}</code></div>"


def _print(record: Record) -> str:
    return "".join(
        f"<u><b>{_escaped(text)}</b></u>" if differs else _escaped(text)
        for text, differs in differing(record["stated"], record["correct"] if record["outcome"] == "slip" else None)
    )


def _paragraph(record: Record) -> str:
    said = _escaped("; ".join(details(record)))
    if record["kind"] == "sentence":
        line = f"{_escaped(record['stated'])}{': ' if said else ''}{said}"
    else:
        line = f"{_escaped(record['name'])}: stated {_print(record)}, {said}"
    kind = f"ndcg-verdict ndcg-{record['outcome']}"
    return f'<div id="{record["label"]}" class="{kind}"><b>{mark(record["outcome"])}</b> {line}</div>'


def _table(records: Sequence[Record], table: Mapping[str, Any]) -> str:
    heading = "".join(f"<th>{_escaped(text)}</th>" for text in table["heading"])
    rows = "".join(f"<tr>{''.join(_cell(cell, records) for cell in row)}</tr>" for row in table["rows"])
    slips = "".join(_paragraph(record) for record in records if record["outcome"] != "agrees")
    return f"<table><thead><tr>{heading}</tr></thead><tbody>{rows}</tbody></table>{slips}"


def _cell(cell: str | int, records: Sequence[Record]) -> str:
    if isinstance(cell, str):
        return f"<td>{_escaped(cell)}</td>"
    record = records[cell]
    return f'<td class="ndcg-verdict ndcg-{record["outcome"]}">{_print(record)} {mark(record["outcome"])}</td>'
