"""The grades that the printed terms of a sum stand for, where a note prints no list of them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import groupby

from ndcg_ref import plain
from ndcg_ref.convention import Convention
from ndcg_ref.notes.claims import Claim
from ndcg_ref.notes.grades import HIGHEST

LEAST_TERMS = 2
WHOLE = 0.005


def sums_in(claims: Sequence[Claim]) -> Iterator[tuple[str | None, tuple[Claim, ...]]]:
    """The sums of decimals that a note prints for a DCG, each with what it is said to be."""
    terms = [claim for claim in claims if claim.term is not None and claim.chain >= 0 and not claim.operand]
    for _, group in groupby(terms, key=lambda claim: (claim.chain, claim.quantity, claim.term and claim.term[1])):
        found = tuple(group)
        whole = len(found) >= LEAST_TERMS and [claim.term for claim in found] == [
            (i, len(found)) for i in range(len(found))
        ]
        if whole and any(claim.number.unit < 1 for claim in found):
            yield found[0].quantity, found


def grades_of(terms: Sequence[Claim], convention: Convention) -> tuple[float, ...] | None:
    """The whole grades under which terms come out at the first ranks; None where one of them has no such grade."""
    found = []
    for term, discount in zip(terms, plain.discounts(len(terms), convention), strict=True):
        number = term.number
        # A whole number beside decimals is one that needs none
        bounds = number.bounds if number.unit < 1 else (number.value - WHOLE, number.value + WHOLE)
        low, high = (float(bound) * discount for bound in bounds)
        grade = _grade(low, high, convention)
        if grade is None:
            return None
        found.append(grade)
    return tuple(found)


def _grade(low: float, high: float, convention: Convention) -> float | None:
    """The only whole grade whose gain lies between two numbers."""
    if convention.gain == "exponential":
        low, high = (math.log2(max(bound, -0.5) + 1) for bound in (low, high))
    least, most = math.ceil(low - 1e-9), math.floor(high + 1e-9)
    return float(least) if least == most and 0 <= least <= HIGHEST else None
