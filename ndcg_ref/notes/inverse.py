"""The grades that the printed terms of a sum stand for, where a note prints no list of them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ndcg_ref.conventions.convention import Convention
from ndcg_ref.formulas import plain
from ndcg_ref.notes.grades import HIGHEST
from ndcg_ref.stated.number import Number

WHOLE = 0.005


def grades_of(terms: Sequence[Number], convention: Convention, total: Number | None = None) -> tuple[float, ...] | None:
    """The whole grades under which terms come out at the first ranks; None where one of them has no such grade.

    One odd term has the grade under which the sum comes to its total, if that is told.

    >>> from ndcg_ref import STANDARD
    >>> from ndcg_ref.stated.number import read_number
    >>> terms = [read_number(text) for text in ("3.00", "1.62", "0.50")]
    >>> grades_of(terms, STANDARD)
    >>> grades_of(terms, STANDARD, read_number("4.76"))
    (3.0, 2.0, 1.0)
    """
    discounts = plain.discounts(len(terms), convention)
    found = [_grade(_bounds(number), discount, convention) for number, discount in zip(terms, discounts, strict=True)]
    if found.count(None) == 1 and total is not None:
        odd = found.index(None)
        others = plain.gains([grade or 0.0 for grade in found], convention)
        rest = math.fsum(gain / discount for gain, discount in zip(others, discounts, strict=True))
        low, high = (float(bound) - rest for bound in total.bounds)
        found[odd] = _grade((low, high), discounts[odd], convention)
    grades = tuple(grade for grade in found if grade is not None)
    return grades if len(grades) == len(terms) else None


def _bounds(number: Number) -> tuple[float, float]:
    """Between which values a term lies; a whole number beside decimals is one that needs none."""
    low, high = number.bounds if number.unit < 1 else (number.value - WHOLE, number.value + WHOLE)
    return float(low), float(high)


def _grade(bounds: tuple[float, float], discount: float, convention: Convention) -> float | None:
    """The only whole grade whose discounted gain lies between two numbers."""
    low, high = (bound * discount for bound in bounds)
    if not (math.isfinite(low) and math.isfinite(high)):
        return None
    if convention.gain == "exponential":
        low, high = (math.log2(max(bound, -0.5) + 1) for bound in (low, high))
    least, most = math.ceil(low - 1e-9), math.floor(high + 1e-9)
    return float(least) if least == most and 0 <= least <= HIGHEST else None
