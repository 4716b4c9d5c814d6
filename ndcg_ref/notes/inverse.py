"""The grades that the printed terms of a sum stand for, where a note prints no list of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from ndcg_ref.conventions.convention import Convention
from ndcg_ref.formulas import plain
from ndcg_ref.notes.grades import HIGHEST
from ndcg_ref.stated.number import Number

WHOLE = 0.005


def grades_of(terms: Sequence[Number], convention: Convention) -> tuple[float, ...] | None:
    """The whole grades under which terms come out at the first ranks; None where more than one has no such grade.

    >>> from ndcg_ref import STANDARD
    >>> from ndcg_ref.stated.number import read_number
    >>> grades_of([read_number("3.00"), read_number("1.26"), read_number("0.50")], STANDARD)
    (3.0, 2.0, 1.0)
    >>> grades_of([read_number("3.00"), read_number("1.62"), read_number("0.72")], STANDARD)
    """
    found: list[float] = []
    doubtful = 0
    for number, discount in zip(terms, plain.discounts(len(terms), convention), strict=True):
        # A whole number beside decimals is one that needs none
        bounds = number.bounds if number.unit < 1 else (number.value - WHOLE, number.value + WHOLE)
        if number.unit < Fraction(1, 50):  # the last digit of one may be wrong
            bounds = (bounds[0] - number.unit, bounds[1] + number.unit)
        low, high = (float(bound) * discount for bound in bounds)
        grade = _grade(low, high, convention)
        if grade is None:
            grade = _nearest((low + high) / 2, convention)
            doubtful += 1
        if grade is None or doubtful > (len(terms) > 2):
            return None
        found.append(grade)
    return tuple(found)


def _nearest(gain: float, convention: Convention) -> float | None:
    """The whole grade whose gain is nearest to a number, for the one term of a sum that may be wrong."""
    if not math.isfinite(gain) or gain < 0:
        return None
    grade = round(math.log2(gain + 1) if convention.gain == "exponential" else gain)
    return float(grade) if grade <= HIGHEST else None


def _grade(low: float, high: float, convention: Convention) -> float | None:
    """The only whole grade whose gain lies between two numbers."""
    if not (math.isfinite(low) and math.isfinite(high)):
        return None
    if convention.gain == "exponential":
        low, high = (math.log2(max(bound, -0.5) + 1) for bound in (low, high))
    least, most = math.ceil(low - 1e-9), math.floor(high + 1e-9)
    return float(least) if least == most and 0 <= least <= HIGHEST else None
