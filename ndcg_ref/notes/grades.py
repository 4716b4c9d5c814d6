"""The grades that a sum over ranks or its printed terms show, and what holds of grades in general."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ndcg_ref.conventions.convention import Convention
from ndcg_ref.formulas import plain
from ndcg_ref.stated.equation import Side
from ndcg_ref.stated.expression import Logarithm, Node, Numeral, Operation, Product, Sum
from ndcg_ref.stated.number import Number

HIGHEST = 10
LONGEST = 60  # ranks of a sum
WHOLE = 0.005  # by which a term may be off that is printed as a whole number
Grades = tuple[float, ...]


@dataclass(frozen=True)
class Worked:
    """A sum over ranks as symbols: the gain and what is under it, term by term.

    Parameters
    ----------
    gains : tuple of float
        The numerators.
    arguments : tuple of float or None
        What each logarithm is taken of; None for a first term without one.
    exponential : bool
        Whether each numerator is written as a power of 2 less 1.
    base : float
        The base of the logarithms.
    """

    gains: tuple[float, ...]
    arguments: tuple[float | None, ...]
    exponential: bool
    base: float

    @property
    def grades(self) -> tuple[float, ...]:
        """The grades that the gains stand for."""
        if not self.exponential:
            return self.gains
        return tuple(round(math.log2(gain + 1), 9) for gain in self.gains)

    @property
    def by_rank(self) -> tuple[float, ...]:
        """The same, with a zero at each rank that the arguments leave out, as in 1 / log2(3) + 1 / log2(5).

        >>> Worked((1.0, 1.0), (3.0, 5.0), False, 2.0).by_rank
        (0.0, 1.0, 0.0, 1.0)
        """
        ranks = [1.0 if argument is None else argument - 1 for argument in self.arguments]
        rise = all(before < after for before, after in pairwise(ranks))
        whole = all(rank % 1 == 0 for rank in ranks) and all(2 * grade % 1 == 0 for grade in self.grades)
        if not (rise and whole and ranks[0] > 0 and ranks[-1] <= LONGEST):
            return self.grades
        at = dict(zip(ranks, self.grades, strict=True))
        return tuple(at.get(rank, 0.0) for rank in range(1, int(ranks[-1]) + 1))


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
    >>> worked(read_equation("3/log2(2) + 0/log2(3) = 3").sides[0])
    Worked(gains=(3.0, 0.0), arguments=(2.0, 3.0), exponential=False, base=2.0)
    """
    terms = side.expression.terms if isinstance(side.expression, Sum) else (side.expression,)
    read = [_term(term) for term in terms]
    if not any(term is not None and term[1] is not None for term in read):
        return None
    gains: list[float] = []
    arguments: list[float | None] = []
    exponential, base = False, 2.0
    for i, term in enumerate(read):
        if term is None:
            return None
        gain, log, power = term
        argument = log.of.value() if log is not None else None
        if argument is None and i:
            return None
        gains.append(gain)
        arguments.append(argument)
        exponential |= power
        base = log.base.value() or base if log is not None else base
    if exponential and min(gains) <= -1:  # which no power of 2 less 1 is
        return None
    return Worked(tuple(gains), tuple(arguments), exponential, base)


def divided(side: Side, convention: Convention) -> Grades | None:
    """The grades of a sum whose divisors are the printed discounts of its ranks; None if it is none.

    >>> from ndcg_ref import STANDARD
    >>> from ndcg_ref.stated import read_equation
    >>> divided(read_equation("3 + 2/1.585 + 0 + 1/2.322 = 4.69").sides[0], STANDARD)
    (3.0, 2.0, 0.0, 1.0)
    """
    grades, below = [], []
    for i, term in enumerate(side.expression.terms if isinstance(side.expression, Sum) else ()):
        is_ratio = isinstance(term, Product) and len(term.others) == 1 and bool(term.others[0][0])
        top, under = (term.first, term.others[0][2]) if isinstance(term, Product) and is_ratio else (term, None)
        is_over_discount = isinstance(under, Numeral) and abs(under.printed - math.log2(i + 2)) < WHOLE
        if not isinstance(top, Numeral) or not (is_over_discount or (under is None and (i == 0 or top.printed == 0))):
            return None
        grade = _grade((top.printed, top.printed), 1.0, convention)
        if grade is None:
            return None
        grades.append(grade)
        below += [under.printed] if isinstance(under, Numeral) else []
    return tuple(grades) if any(each % 1 for each in below) else None


def falls(grades: Sequence[float]) -> bool:
    """Whether each grade is at most the one before."""
    return list(grades) == sorted(grades, reverse=True)


def _term(node: Node) -> tuple[float, Logarithm | None, bool] | None:
    """Numerator and logarithm of a term, and whether the numerator is written as a power less 1."""
    top, over = node, None
    if isinstance(node, Product) and len(node.others) == 1 and node.others[0][0]:
        below = node.others[0][2]
        if not isinstance(below, Logarithm):
            return None
        top, over = node.first, below
    value = top.value()
    if value is None or (over is None and not isinstance(top, Numeral)):
        return None
    parts = top.terms if isinstance(top, Sum) else ()
    return value, over, any(isinstance(part, Operation) and part.work is math.pow for part in parts)


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
