"""A printed number of a ranking, or each one of a note: whether it agrees, and how a slip came about."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from ndcg_ref.conventions.validation import quoted
from ndcg_ref.explaining.matches import TRIED
from ndcg_ref.formulas.measured_ranking import Ranking
from ndcg_ref.live.notation import named_number
from ndcg_ref.live.requests import as_measure, ranking_in, read_entry, text_in
from ndcg_ref.notes import Finding, read_note
from ndcg_ref.notes.findings import OUTCOMES
from ndcg_ref.stated.causes import meaning_of
from ndcg_ref.stated.claim import Term
from ndcg_ref.stated.number import Number
from ndcg_ref.stated.verdict import Verdict
from ndcg_ref.subjects.ranking import MeasuredSum, judge_measure

MOST_TERMS = 20  # written out in a step


def on_number(question: Mapping[str, Any]) -> dict[str, Any]:
    """Answer whether a printed number is right.

    The "measure" is NDCG, DCG, IDCG or CG; "grades" the ranking, "judged" all judged grades or None, "k" the cutoff or
    None; "convention" a name, or an object of choices; "stated" the number as typed, also behind the name of the
    measure.

    The "outcome" is agrees, slip or undefined; "correct" the right rounding; "causes" those of a slip, each with code,
    words and evidence; "steps" the way to the exact value; "printed_by" the named conventions whose value, at this
    cutoff, can be rounded to the number; "comma" whether a decimal comma was read.

    >>> made = on_number({"measure": "DCG", "grades": [3, 2, 3], "stated": "5,7"})
    >>> made["outcome"], made["correct"], made["comma"]
    ('slip', '5,8', True)
    >>> made["steps"]
    ['DCG = 3 + 2/1.58496 + 3/2 = 5.76186']
    """
    measure, ranking = as_measure(question.get("measure", "NDCG")), ranking_in(question)
    computed = ranking.value(measure)
    stated = question.get("stated")
    named = named_number(stated) if isinstance(stated, str) else None
    if named is not None and named.measure != measure:
        raise ValueError(f"stated: expected a number that is called {measure}, got {quoted(stated)}")
    if named is not None and named.k is not None and replace(ranking, k=named.k).value(measure) != computed:
        raise ValueError(f"stated: expected a number of {ranking.called(measure)}, got {quoted(stated)}")
    number, comma = read_entry(stated if named is None else named.number, computed, measure)
    verdict = judge_measure(number, measure, ranking, by_terms=True)
    return {
        "outcome": str(verdict.outcome),
        "measure": ranking.called(measure),
        "convention": str(ranking.rule(measure)),
        "stated": verdict.stated,
        "correct": verdict.correct,
        "computed": None if math.isnan(computed) else computed,
        "computed_text": verdict.computed_text,
        "line": str(verdict),
        "reason": verdict.why_not,
        "causes": causes_of(verdict),
        "weak": verdict.weak,
        "steps": steps_of(measure, ranking),
        "printed_by": _printed_by(measure, ranking, number),
        "comma": comma,
    }


def causes_of(verdict: Verdict) -> list[dict[str, Any]]:
    """The causes of a slip, each with its code, what it means, and how it gives the number."""
    return [
        {
            "code": code,
            "words": meaning_of(code),
            "evidence": [each.text for each in verdict.evidence if each.cause == code],
        }
        for code in verdict.causes
    ]


def steps_of(measure: str, ranking: Ranking) -> list[str]:
    """The way to the exact value of a measure, a line for each sum and one for the ratio."""
    if measure != "NDCG":
        return [_sum(ranking.called(measure), MeasuredSum(measure, ranking).terms, ranking.value(measure))]
    ranking = replace(ranking, convention=ranking.rule())  # also for DCG, which a preset may treat apart
    gained, ideal = ranking.value("DCG"), ranking.value("IDCG")
    lines = [steps_of(each, ranking)[0] for each in ("DCG", "IDCG")]
    if ideal == 0:
        return lines
    return [*lines, f"{ranking.called('NDCG')} = {gained:.6g}/{ideal:.6g} = {ranking.value('NDCG'):.6g}"]


def _sum(name: str, terms: Sequence[Term], value: float) -> str:
    written = [f"{each.gain:g}" if each.discount == 1 else f"{each.gain:g}/{each.discount:.6g}" for each in terms]
    if len(written) > MOST_TERMS:
        written = [*written[:MOST_TERMS], "…"]
    return f"{name} = {' + '.join(written) or '0'} = {value:.6g}"


def _printed_by(measure: str, ranking: Ranking, number: Number) -> list[dict[str, Any]]:
    """The named conventions that print the number at the cutoff; CG has no convention."""
    found = []
    for name in TRIED if measure != "CG" else ():
        with suppress(ValueError):  # a convention that refuses these grades
            value = replace(ranking, convention=name).value(measure)
            if number.covers(value):
                found.append({"convention": name, "k": ranking.k, "computed": value})
    return found


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
        "causes": causes_of(verdict),
        "reason": finding.reason or verdict.why_not,
        "words": str(finding),
    }
