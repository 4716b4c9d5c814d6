"""How a printed number may be read, and which computed values it then stands for.

A number is rounded, or else truncated, or else a percentage. Where several conventions print it, `chance_of` says how
often as many would print another number of the same digits.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from ndcg_ref.stated import read_number
from ndcg_ref.stated.causes import NEARBY
from ndcg_ref.stated.number import Number
from ndcg_ref.stated.verdict import WEAK


@dataclass(frozen=True)
class Match:
    """A named convention, a cutoff, and the resulting value.

    Parameters
    ----------
    convention : str
        The name.
    k : int or None
        The cutoff; None for none.
    computed : float
        The NDCG, or the DCG.

    Examples
    --------
    >>> Match("STANDARD", 5, 0.97236)
    Match(convention='STANDARD', k=5, computed=0.97236)
    """

    convention: str
    k: int | None
    computed: float


@dataclass(frozen=True)
class Reading:
    """One way in which a number may have been printed: rounded or truncated."""

    words: str
    number: Number
    cut: bool = False

    def gives(self, value: float) -> bool:
        """Whether the value may be printed as the number."""
        return self.number.units in self.printed(value) if self.cut else self.number.covers(value)

    def printed(self, value: float) -> list[int]:
        """The value as printed, in units of the last digit; two results if it is halfway between them."""
        return [math.trunc(Fraction(value) / self.number.unit)] if self.cut else self.number.roundings(value)


def readings_of(number: Number, up_to_1: bool) -> Iterator[Reading]:
    """The ways in which a number may have been printed, likely ones first; a percentage if it is at most 1.

    >>> [reading.words for reading in readings_of(read_number("57.1"), up_to_1=True)]
    ['rounded', 'truncated', 'as a percentage', 'as a truncated percentage']
    """
    yield Reading("rounded", number)
    if number.exact:
        return
    yield Reading("truncated", number, cut=True)
    _, tail, *_ = number.form
    if up_to_1 and number.value > 1 and not tail:
        percentage = read_number(f"{number.text}%")
        yield Reading("as a percentage", percentage)
        yield Reading("as a truncated percentage", percentage, cut=True)


def matching(number: Number, values: Iterable[Match], up_to_1: bool) -> tuple[list[Reading], list[Match]]:
    """The readings that were tried, and the values that match the last one; none if no reading matches any.

    A bare 0 or 1 is exact for a measure of at most 1.
    """
    number = number.of("NDCG") if up_to_1 else number
    readings: list[Reading] = []
    listed = list(values)
    for reading in readings_of(number, up_to_1):
        readings.append(reading)
        gives = cache(reading.gives)  # many conventions have values in common
        if rows := [value for value in listed if gives(value.computed)]:
            return readings, rows
    return readings, []


def chance_of(readings: list[Reading], values: Iterable[Match], rows: Iterable[Match], up_to_1: bool) -> float | None:
    """The share of numbers with the same digits near the stated one that at least as many conventions print.

    These are within 20 % of it, as for a verdict, and not above 1 for a measure of at most 1.
    """
    number, names, listed = readings[-1].number, len({row.convention for row in rows}), list(values)
    if number.exact:
        return None
    reach = abs(number.units) * NEARBY
    lowest, highest = math.ceil(number.units - reach), math.floor(number.units + reach)
    if up_to_1:
        highest = max(number.units, min(highest, math.floor(1 / number.unit)))
    as_many: set[int] = set()
    for reading in readings:
        printed = cache(reading.printed)
        found: dict[int, set[str]] = {}
        for value in listed:
            for units in printed(value.computed):
                found.setdefault(units, set()).add(value.convention)
        as_many |= {units for units, by in found.items() if len(by) >= names and lowest <= units <= highest}
    return len(as_many) / (highest - lowest + 1)


def chance_in_words(chance: float) -> str:
    """The chance as a line.

    >>> chance_in_words(0.25)
    'weak evidence: chance 0.25 that as many conventions print a random number of these digits'
    """
    share = f"{chance:.2f}" if chance >= 0.005 else "below 0.01"
    weak = "weak evidence: " if chance > WEAK else ""
    return f"{weak}chance {share} that as many conventions print a random number of these digits"


def untried_in_words(untried: Iterable[tuple[str, str]]) -> list[str]:
    """A line for each reason why conventions were not tried.

    >>> untried_in_words([("A", "a grade below 0"), ("B", "a grade below 0")])
    ['not tried: A, B (a grade below 0)']
    """
    reasons: dict[str, list[str]] = {}
    for name, reason in untried:
        reasons.setdefault(reason, []).append(name)
    return [f"not tried: {', '.join(names)} ({reason})" for reason, names in reasons.items()]
