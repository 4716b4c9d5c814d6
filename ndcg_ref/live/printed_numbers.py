"""A printed number of a ranking: whether it agrees, how a slip came about, and which conventions print it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from ndcg_ref.conventions.validation import quoted
from ndcg_ref.explaining.matches import TRIED
from ndcg_ref.formulas.measured_ranking import Ranking
from ndcg_ref.live.notation import named_number
from ndcg_ref.live.requests import as_measure, ranking_in, read_entry
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
