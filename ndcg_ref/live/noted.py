"""Each printed number of a note: whether it agrees, and how a slip came about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from ndcg_ref.conventions.validation import quoted
from ndcg_ref.notes import Finding, read_note
from ndcg_ref.notes.findings import OUTCOMES
from ndcg_ref.stated.subject import meaning_of
from ndcg_ref.stated.verdict import Verdict

MOST_CHARACTERS = 20_000


def on_note(question: Mapping[str, Any]) -> dict[str, Any]:
    """Judge every number that a note states: its "text" is plain, Markdown or LaTeX, at most 20,000 characters.

    The "findings" have each stated number in the order of the note: its text "stated" from "start" to "end", its "line"
    and "column" counted from 1, what it is called, the "outcome" and its "severity", what is "correct", the "causes" of
    a slip, the "reason" why it is not judged, and in "words" its line. "counts" says how many there are of each
    outcome, "understood" how the examples were read, each with its "first" and "last" line and a "comment" that says
    the same, and "unread" from which line on the note was not read, 0 where it was read to its end.

    >>> made = on_note({"text": "Grades [3, 0, 2]. IDCG = 4.26, DCG = 3/log2(2) + 0/log2(3) + 2/log2(4) = 4.01"})
    >>> made["findings"][1]["words"], made["counts"]["slip"]
    ('✗ slip: DCG: stated 4.01, computed 4.00000, correct 4.00; unexplained; in the last digit', 1)
    >>> made["understood"][0]["words"]
    'grades 3, 0, 2; linear gain, log2(rank + 1), from its numbers'
    >>> made["understood"][0]["comment"]
    '<!-- ndcg: grades=3, 0, 2; gain=linear; discount=log(rank+1) -->'
    """
    text = question.get("text")
    if not isinstance(text, str):
        raise TypeError(f"text: expected the note as text, got {quoted(text)}")
    if len(text) > MOST_CHARACTERS:
        raise ValueError(f"text: expected at most {MOST_CHARACTERS:,} characters, got {len(text):,}")
    note = read_note(text)
    counts = Counter(each.outcome for each in note.findings)
    return {
        "findings": [_finding_as_json(each) for each in note.findings],
        "counts": {each: counts[each] for each in OUTCOMES},
        "understood": [
            {"first": each.first, "last": each.last, "words": str(each), "comment": each.comment}
            for each in note.understood
        ],
        "unread": note.unread,
    }


def _finding_as_json(finding: Finding) -> dict[str, Any]:
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
        "causes": _causes_of(verdict),
        "reason": finding.reason or verdict.why_not,
        "words": str(finding),
    }


def _causes_of(verdict: Verdict) -> list[dict[str, Any]]:
    """The causes of a slip, each with its code, what it means, and how it gives the number."""
    return [
        {
            "code": code,
            "words": meaning_of(code),
            "evidence": [each.text for each in verdict.evidence if each.cause == code],
        }
        for code in verdict.causes
    ]
