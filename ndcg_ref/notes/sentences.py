"""The numbers that calls and sentences of a note state, without an equation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ndcg_ref.notes.claims import Claim
from ndcg_ref.notes.patterns import lazy_pattern
from ndcg_ref.notes.words import BARE, CALL, RESULT, quantity_of
from ndcg_ref.stated.number import read_number

BEFORE = 60  # characters before a name that say what is meant
BEHIND = 160  # characters behind a call in which its result may stand
_DECIMAL = lazy_pattern(r"(?<![\w.,])[0-9]{1,3}\.[0-9]{1,17}(?![\w]|[.,][0-9])")
_POINT = lazy_pattern(r"(?<=[0-9])\.(?=[0-9])")


def called_in(text: str) -> Iterator[Claim]:
    """The results of calls such as ``ndcg([3, 2, 0], k=2)``: the next decimal, if words announce it."""
    calls = list(CALL.finditer(text))
    ends = [*(call.start() for call in calls), len(text)][1:]
    for call, end in zip(calls, ends, strict=True):
        try:
            grades = tuple(float(each) for each in re.split(r"[,;\s]+", call["grades"].strip()) if each)
        except ValueError:
            continue
        for found in _DECIMAL.finditer(text, call.end(), min(end, call.end() + BEHIND)):
            between = text[call.end() : found.start()]
            if not between.strip() or RESULT.search(between.rstrip()):
                quantity = (
                    "NDCG" if "ndcg" in call["name"].lower() else "IDCG" if "idcg" in call["name"].lower() else "DCG"
                )
                k = int(call["k"]) if call["k"] else None
                number = read_number(found[0])
                yield Claim(*found.span(), number, call[0], quantity, k, True, ranking=grades, called=True)
                break


def bare_in(text: str, claims: Sequence[Claim]) -> Iterator[Claim]:
    """Numbers that a sentence gives a name, such as "an NDCG of 0.85"."""
    taken = {place for claim in claims for place in range(claim.start, claim.end)}
    if all(found.start() in taken for found in _POINT.finditer(text)):
        return
    for found in BARE.finditer(text):
        start, end = found.span("number")
        if start in taken:
            continue
        named = quantity_of(found["label"])
        if named is None or named[0] == "other":
            continue
        quantity, k, sure = named
        label = text[max(0, found.start() - BEFORE) : start]
        yield Claim(start, end, read_number(found["number"]), label, quantity, k, sure, bare=True)
