"""The grades that a sum over ranks or its printed terms show, and what holds of grades in general."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from ndcg_ref.conventions.convention import Convention
from ndcg_ref.formulas import plain
from ndcg_ref.stated.equation import Side
from ndcg_ref.stated.expression import Logarithm, Node, Numeral, Product, Sum
from ndcg_ref.stated.number import Number

HIGHEST = 10
LONGEST = 60  # ranks of a sum
WHOLE = 0.005  # by which a term may be off that is printed as a whole number
Grades = tuple[float, ...]


class Worked(NamedTuple):
    """A sum over ranks as symbols: its numerators, and the same by rank, with a zero at each that is left out."""

    gains: Grades
    by_rank: Grades


def gains_of(grades: Sequence[float], convention: Convention) -> list[float]:
    """The gains of a ranking; none where one of its grades has no gain.

    >>> gains_of([2, 0], Convention(gain="exponential")), gains_of([2, -1], Convention())
    ([3.0, 0.0], [])
    """
    try:
        return plain.gains(grades, convention)
    except ValueError:
        return []


def worked(side: Side) -> Worked | None:
    """The sum over ranks that a side is, with logarithms as symbols; None if it is none.

    >>> from ndcg_ref.stated import read_equation
    >>> worked(read_equation("3/log2(2) + 2/log2(4) = 4").sides[0])
    Worked(gains=(3.0, 2.0), by_rank=(3.0, 0.0, 2.0))
    """
    read = [_term(node) for node in _terms(side)]
    terms = [term for term in read if term is not None]
    if len(terms) < len(read) or not any(argument for _, argument in terms):
        return None
    gains = tuple(gain for gain, _ in terms)
    ranks = [(argument or 2.0) - 1 for _, argument in terms]
    at = dict(zip(ranks, gains, strict=True))
    counted = [float(rank) for rank in range(1, min(int(ranks[-1]), LONGEST) + 1)]
    is_by_rank = ranks == [rank for rank in counted if rank in at] and all(2 * gain % 1 == 0 for gain in gains)
    return Worked(gains, tuple(at.get(rank, 0.0) for rank in counted) if is_by_rank else gains)


def _terms(side: Side) -> Sequence[Node]:
    return side.expression.terms if isinstance(side.expression, Sum) else (side.expression,)


def _term(node: Node) -> tuple[float, float | None] | None:
    """The numerator of a term, and what its logarithm is taken of; a number may have none."""
    match node:
        case Product(first=top, others=((True, _, Logarithm() as log),)):
            gain = top.value()
            return None if gain is None else (gain, log.of.value())
        case Numeral():
            return node.printed, None
    return None


def divided(side: Side, convention: Convention) -> Grades | None:
    """The grades of a sum whose divisors are the printed discounts of its ranks; None if it is none.

    >>> from ndcg_ref import STANDARD
    >>> from ndcg_ref.stated import read_equation
    >>> divided(read_equation("3 + 2/1.585 + 0 + 1/2.322 = 4.69").sides[0], STANDARD)
    (3.0, 2.0, 0.0, 1.0)
    """
    grades, is_rounded = [], False
    for i, term in enumerate(_terms(side)):
        match term:
            case Product(first=Numeral() as top, others=((True, _, Numeral() as under),)):
                is_right = abs(under.printed - math.log2(i + 2)) < WHOLE
                is_rounded |= under.printed % 1 > 0
            case Numeral() as top:
                is_right = i == 0 or top.printed == 0
            case _:
                return None
        grade = _grade((top.printed, top.printed), 1.0, convention) if is_right else None
        if grade is None:
            return None
        grades.append(grade)
    return tuple(grades) if is_rounded else None


def falls(grades: Sequence[float]) -> bool:
    """Whether each grade is at most the one before."""
    return list(grades) == sorted(grades, reverse=True)


def grades_of(terms: Sequence[Number], convention: Convention) -> Grades | None:
    """The whole grades under which terms come out at the first ranks; None where one of them has no such grade.

    >>> from ndcg_ref import STANDARD
    >>> from ndcg_ref.stated.number import read_number
    >>> grades_of([read_number(text) for text in ("3.00", "1.26", "0.50")], STANDARD)
    (3.0, 2.0, 1.0)
    """
    pairs = zip(terms, plain.discounts(len(terms), convention), strict=True)
    found = [_grade(_bounds(number), discount, convention) for number, discount in pairs]
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
