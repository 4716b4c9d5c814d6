"""A note as somebody wrote it: each number that it states, with its place and its verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from ndcg_ref.live.printed_numbers import causes_of
from ndcg_ref.live.requests import text_in
from ndcg_ref.notes import Finding, read_note
from ndcg_ref.notes.findings import OUTCOMES

MOST_CHARACTERS = 20_000


def on_note(question: Mapping[str, Any]) -> dict[str, Any]:
    """Judge every number that a note states: its "text" is plain, Markdown or LaTeX, at most 20,000 characters.

    The "findings" have each stated number in the order of the note: its text "stated" from "start" to "end", its "line"
    and "column" counted from 1, what it is called, the "outcome" and its "severity", what is "correct", the "causes" of
    a slip, the "reason" why it is not judged, and in "words" its line. "counts" says how many there are of each
    outcome, "understood" how the examples were read, each with its "first" and "last" line and a "comment" that says
    the same, and "unread" from which line on the note was not read, 0 where it was read to its end.

    >>> made = on_note({"text": "Grades [3, 0, 2]. DCG = 3/log2(2) + 0/log2(3) + 2/log2(4) = 4.01"})
    >>> made["findings"][0]["words"], made["counts"]["slip"]
    ('✗ slip: DCG: stated 4.01, computed 4.00000, correct 4.00; unexplained; in the last digit', 1)
    >>> made["understood"][0]["words"]
    'grades 3, 0, 2; linear gain, log2(rank + 1), from its numbers'
    >>> made["understood"][0]["comment"]
    '<!-- ndcg: grades=3, 0, 2; gain=linear; discount=log(rank+1) -->'
    """
    note = read_note(text_in(question, "note", MOST_CHARACTERS))
    counts = Counter(each.outcome for each in note.findings)
    return {
        "findings": [_said(each) for each in note.findings],
        "counts": {each: counts[each] for each in OUTCOMES},
        "understood": [
            {"first": each.first, "last": each.last, "words": str(each), "comment": each.comment}
            for each in note.understood
        ],
        "unread": note.unread,
    }


def _said(finding: Finding) -> dict[str, Any]:
    verdict = finding.verdict
    return {
        "start": finding.offset,
        "end": finding.offset + finding.length,
        "line": finding.line,
        "column": finding.column,
        "stated": finding.stated,
        "outcome": finding.outcome,
        "severity": finding.severity,
        "correct": verdict.correct,
        "name": verdict.name,
        "causes": causes_of(verdict),
        "reason": finding.reason or verdict.why_not,
        "words": str(finding),
    }
