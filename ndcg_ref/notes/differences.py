"""The differences between two results that a sentence states, such as "A is ahead of B by 0.12"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import permutations

from ndcg_ref.notes.claims import JudgedClaims, NoteClaim, is_result
from ndcg_ref.notes.documents import Region
from ndcg_ref.notes.islands import plain_text, readable_text
from ndcg_ref.notes.patterns import ENDS
from ndcg_ref.notes.words import says, words_for
from ndcg_ref.stated.display import Outcome
from ndcg_ref.stated.number import Number, read_number
from ndcg_ref.stated.verdict import Verdict, judge

_NUMBER = rf"(?P<number>[-+−]?[0-9]{{1,2}}\.[0-9]{{2,6}}){ENDS}"
_WORDS = "|".join(words_for(kind) for kind in ("apart", "ahead", "behind"))
_STATED = re.compile(
    rf"(?:{_WORDS})[^.!?\n0-9]{{0,60}}(?:\n[^.!?\n0-9]{{1,60}})?(?<![\w.,+−-]){_NUMBER}"
    rf"|(?<![\w.,])(?P<one>[\w-]{{1,20}})\s{words_for('minus')}\s(?P<other>[\w-]{{1,20}})(?![\w.])"
    rf"[^.!?\n0-9]{{0,60}}(?<![\w.,+−-]){_NUMBER.replace('number', 'directed')}",
    re.IGNORECASE,
)
_DECIMAL = rf"(?<![\w.,])[0-9]{{1,2}}\.[0-9]{{2,6}}{ENDS}"
_END = re.compile(r"[.!?]\s|\n\s*\n")
MOST_RESULTS = 20
BEHIND = 120  # characters behind a difference in which its two numbers may stand


def differences_of(region: Region, found: JudgedClaims) -> Iterator[tuple[NoteClaim, Verdict]]:
    """The differences that sentences state, each held against the results before and behind it.

    One is a slip only if the sentence names the two results, and the order in which one is taken from the other.
    """
    text = plain_text(readable_text(region.text))
    judged = {claim.start for claim, verdict in found if verdict.outcome is not Outcome.UNCHECKED}
    results = _results(found)
    several = any(len(same) > 1 for same in results.values())
    for each in _STATED.finditer(text) if several else ():
        group = "number" if each["number"] else "directed"
        start, end = each.span(group)
        if start in judged or says("supposed", each[0]) or any(start in span for span in region.code):
            continue
        number = read_number(each[group].replace("−", "-"))
        expected = _directed(each, text, found) if each["directed"] else _of_any(number, results)
        if expected is not None:
            yield NoteClaim(start, end, number, "difference", "difference"), judge(number, expected, "difference")


def _results(found: JudgedClaims) -> dict[tuple[str, int | None], list[float]]:
    """What the results should be, by quantity and cutoff."""
    results: dict[tuple[str, int | None], list[float]] = {}
    for claim, verdict in found:
        stated = is_result(claim) or claim.own
        if stated and claim.quantity and verdict.computed is not None and not claim.restated:
            same = results.setdefault((claim.quantity, claim.k), [])
            if len(same) < MOST_RESULTS and verdict.computed not in same:
                same.append(verdict.computed)
    return results


def _of_any(number: Number, results: dict[tuple[str, int | None], list[float]]) -> float | None:
    """The difference of two results of one kind that a number may be; its sign only counts where it is printed."""
    pairs = (pair for same in results.values() for pair in permutations(same, 2))
    return next((one - other for one, other in pairs if number.covers(one - other)), None)


def _directed(each: re.Match[str], text: str, found: JudgedClaims) -> float | None:
    """What is left of one of two results when the other is taken from it, each named beside its number."""
    begin = max((sign.end() for sign in _END.finditer(text, max(0, each.start() - BEHIND), each.start())), default=0)
    last = _END.search(text, each.end(), each.end() + BEHIND)
    near = text[begin : each.start()] + " " * (each.end() - each.start())  # without the difference itself
    near += text[each.end() : last.start() if last else each.end() + BEHIND]
    one, other = (_value(name, near, begin, found) for name in (each["one"], each["other"]))
    return one - other if one is not None and other is not None else None


def _value(name: str, near: str, begin: int, found: JudgedClaims) -> float | None:
    """What the result should be that stands behind a name."""
    has = rf"(?:{words_for('has')}\s|\(|[:=]\s)?"
    beside = re.search(rf"(?<!\w){re.escape(name)}\s{has}(?P<value>{_DECIMAL})", near, re.IGNORECASE)
    if beside is None:
        return None
    place, number = begin + beside.start("value"), read_number(beside["value"])
    known = [verdict.computed for claim, verdict in found if claim.start == place or verdict.stated == beside["value"]]
    return next((value for value in known if value is not None and number.covers(value)), None)
