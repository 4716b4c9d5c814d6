"""Questions of a page, and the answers of the package, both as JSON holds them.

`answer` is the one function that the worker of the live pages calls. Standard library alone. The size of what is asked
is limited before anything is computed, and what is refused comes back as ``{"error": …}`` in the words of the refusal.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from ndcg_ref.conventions.validation import as_bug, quoted
from ndcg_ref.notes import read_note
from ndcg_ref.notes.findings import OUTCOMES
from ndcg_ref.stated.subject import meaning_of

__all__ = ["answer"]

MOST_CHARACTERS = 20_000


def answer(question: Any) -> dict[str, Any]:
    """Answer one question.

    ``"ask"`` names the kind, which is "note"; the other keys are those that `on_note` documents. The answer,
    ``{"error": "…"}`` if the question is refused, holds what JSON can hold, and no NaN.

    >>> answer({"ask": "note", "text": "Grades [3, 2, 3, 0, 1]. NDCG = 6.15/6.32 = 0.98"})["findings"][-1]["correct"]
    '0.97'
    >>> answer({"ask": "notes"})
    {'error': "ask: expected one of 'note', got 'notes'"}
    """
    if not isinstance(question, Mapping):
        return {"error": f"expected a question as an object, got {quoted(question)}"}
    if question.get("ask") != "note":
        return {"error": f"ask: expected one of 'note', got {quoted(question.get('ask'))}"}
    try:
        return on_note(question)
    except (ArithmeticError, TypeError, ValueError) as error:
        return {"error": str(error)}
    except Exception as error:
        return {"error": as_bug(error)}


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
        "findings": [
            {
                "start": each.offset,
                "end": each.offset + each.length,
                "line": each.line,
                "column": each.column,
                "stated": each.stated,
                "outcome": each.outcome,
                "severity": each.severity,
                "correct": each.verdict.correct,
                "name": each.verdict.name,
                "causes": [
                    {
                        "code": code,
                        "words": meaning_of(code),
                        "evidence": [one.text for one in each.verdict.evidence if one.cause == code],
                    }
                    for code in each.verdict.causes
                ],
                "reason": each.reason or each.verdict.why_not,
                "words": str(each),
            }
            for each in note.findings
        ],
        "counts": {each: counts[each] for each in OUTCOMES},
        "understood": [
            {"first": each.first, "last": each.last, "words": str(each), "comment": each.comment}
            for each in note.understood
        ],
        "unread": note.unread,
    }
