"""How a slip can come about: one function for each cause that any number may have; subjects have more.

Each cause says what would have been printed had one thing gone wrong. A cause is reported when its recomputation
gives the printed number, as "consistent with": chance explains much, so a diagnosis also counts how many of the wrong
numbers nearby its recomputations would have explained. The causes that fit are named in the order in which they are
registered: A stands before B where slips made by A fit B more often than slips made by B fit A.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import starmap
from typing import Any, NamedTuple

from ndcg_ref.conventions.validation import as_grade, quoted, shortened
from ndcg_ref.stated.claim import Alternatives, Claim
from ndcg_ref.stated.number import Number, round_half_up
from ndcg_ref.stated.subject import LAST, PAIRED, UNEXPLAINED, Recomputation, Subject, all_causes, codes, values_of

NEARBY = Fraction(1, 5)
NUMBERS = Subject("numbers")  # what goes wrong with any number, whatever it is of


class Evidence(NamedTuple):
    """A recomputation, held against the printed number."""

    cause: str  # its code, or that of a pair
    text: str  # how it comes about
    gives: bool  # whether it gives the printed number
    units: int  # what would have been printed, in units of the last digit
    source: str  # the code of the cause; of a pair that of the first
    label: str  # which of the claim's alternatives it is, if one
    value: float | None = None  # what would have been rounded; None of a wrong rounding

    def __str__(self) -> str:
        return f"{self.cause}: {self.text}"


@NUMBERS.cause(
    "quantity",
    "another number of the same example was printed, or used in the line",
    then_rounded=True,
    from_alternatives=True,
)
def _quantity(claim: Claim) -> Iterator[Recomputation]:
    if not claim.operands:
        yield from values_of("quantity", claim)
    for operand, label, _ in claim.other_quantities if claim.as_printed is not None else ():
        yield Recomputation(f"{operand.number.text} is {label}; {_as_printed(claim)}", claim.as_printed, label=label)


@NUMBERS.cause("inherited", "the line is right for its printed operands, and one of these is a slip", then_rounded=True)
def _inherited(claim: Claim) -> Iterator[Recomputation]:
    if claim.as_printed is None or not claim.has_wrong_operand:
        return
    first = claim.operands[0]
    if len(claim.operands) == 1 and first.name and claim.as_printed == first.number.nearest_float:
        yield Recomputation(f"copied from {first.name}", claim.as_printed)
    else:
        yield Recomputation(_as_printed(claim), claim.as_printed)


@NUMBERS.cause(
    "rounded-twice", "the value was rounded to one digit more, half up, and then to the printed digits", rounds=True
)
def _rounded_twice(claim: Claim) -> Iterator[Recomputation]:
    number, size, sign = _parts(claim)
    once = round_half_up(10 * size)
    decimals, tail, leading_zero, grouped, point = number.form
    finer = replace(number, form=(decimals + 1, tail, leading_zero, grouped, point))
    yield from _rounding(claim, f"rounded to {finer.at(sign * once)}, then to", sign * ((once + 5) // 10))


@NUMBERS.cause("carried", "the line prints its operands correctly rounded, and calculates with the rounded ones")
def _carried(claim: Claim) -> Iterator[Recomputation]:
    value = claim.worked([operand.rightly for operand in claim.operands])
    all_known = all(operand.exact is not None for operand in claim.operands)
    if value is not None and claim.operands_can_be_right and (all_known or not claim.has_wrong_operand):
        yield Recomputation(f"the line with its operands rounded first gives {value:.6g}", value)


@NUMBERS.cause("truncated", "the digits were cut toward zero instead of rounded", rounds=True)
def _truncated(claim: Claim) -> Iterator[Recomputation]:
    _, size, sign = _parts(claim)
    yield from _rounding(claim, "cut to", sign * math.floor(size))


@NUMBERS.cause("rounded-up", "the digits were raised away from zero instead of rounded", rounds=True)
def _rounded_up(claim: Claim) -> Iterator[Recomputation]:
    _, size, sign = _parts(claim)
    yield from _rounding(claim, "raised to", sign * math.ceil(size))


@NUMBERS.cause(
    "digit", "one digit differs by more than 1, two neighbours are swapped, or the point has moved", stage=LAST
)
def _digit(claim: Claim) -> Iterator[Recomputation]:
    number, size, sign = _parts(claim)
    right = round_half_up(size)
    printed = number.at(sign * right)
    if number.exact or max(number.digits, len(str(right))) < 3:
        return
    width = max(number.digits, number.form[0] + 1)  # leading zeros are digits too
    digits = str(right).zfill(width)
    if len(digits) > width + 1:
        digits = ""  # too far apart to be one digit off
    for i, digit in enumerate(digits):
        for other in range(10):
            if abs(other - int(digit)) > 1:
                units = sign * int(digits[:i] + str(other) + digits[i + 1 :])
                yield Recomputation(f"{printed} with one digit changed", units=units)
    for i in range(len(digits) - 1):
        if digits[i] != digits[i + 1]:
            units = sign * int(digits[:i] + digits[i + 1] + digits[i] + digits[i + 2 :])
            yield Recomputation(f"{printed} with two digits swapped", units=units)
    for places in (-3, -2, -1, 1, 2, 3):
        moved = round_half_up(Fraction(claim.exact) * Fraction(10) ** places / number.unit)
        yield Recomputation(f"{claim.exact:.6g} with the point moved", units=moved)


class Diagnosis(NamedTuple):
    """The causes that reproduce a printed number, how they do, and how much chance would explain."""

    causes: tuple[str, ...]
    evidence: tuple[Evidence, ...]
    chance: float | None


def diagnose(claim: Claim) -> Diagnosis:
    """Recompute a slip under each cause, and keep those that give the printed number.

    >>> from ndcg_ref.stated.number import read_number
    >>> diagnose(Claim(number=read_number("8.32"), computed=8.32553)).causes
    ('truncated',)
    """
    tried: list[Evidence] = []
    for stage in range(LAST + 1):
        tried += _pairs(claim) if stage == PAIRED else _tried(claim, stage)
        found = [each for each in tried if each.gives]
        if found:
            order = codes()
            found.sort(key=lambda each: order.index(each.cause))
            causes = tuple(dict.fromkeys(each.cause for each in found))
            return Diagnosis(causes, tuple(dict.fromkeys(found)), _chance(claim, tried))
    return Diagnosis((UNEXPLAINED,), (), _chance(claim, tried))


def as_alternatives(alternatives: Any, name: str) -> Alternatives:
    """The alternatives as floats, by the code of a cause and by label; or a refusal."""
    where = f"{shortened(name)}: " if name else ""
    if alternatives is None:
        return {}
    if not isinstance(alternatives, Mapping):
        raise TypeError(f"{where}alternatives: expected a mapping from kind to values, got {quoted(alternatives)}")
    found: dict[str, dict[str, float]] = {}
    kinds = [each.code for each in all_causes() if each.from_alternatives]
    for kind, values in alternatives.items():
        if kind not in kinds:
            raise ValueError(f"{where}alternatives: expected the kinds {', '.join(kinds)}, got {quoted(kind)}")
        there = f"{where}alternatives[{quoted(kind)}]"
        if not isinstance(values, Mapping):
            raise TypeError(f"{there}: expected a mapping from label to value, got {quoted(values)}")
        found[kind] = {str(label): as_grade(value, f"{there}[{quoted(label)}]") for label, value in values.items()}
    return found


def _tried(claim: Claim, stage: int) -> Iterator[Evidence]:
    number, (low, high) = claim.number, claim.number.bounds
    shown = "" if number.exact else f"{number.beside(claim.exact)}, "
    for each in all_causes():
        for text, value, units, label in starmap(Recomputation, each.find(claim) if each.stage == stage else ()):
            gives = units == number.units
            if value is not None:
                gives, units = low <= value <= high, number.rounded(value)
            yield Evidence(each.code, shown + text if each.rounds else text, gives, units, each.code, label, value)


def _pairs(claim: Claim) -> Iterator[Evidence]:
    """A cause, and a wrong rounding of what it gives."""
    for first in all_causes() if not claim.number.exact else ():
        for made in starmap(Recomputation, first.find(claim) if first.then_rounded else ()):
            if made.value is None:
                continue
            wrong = replace(claim, computed=made.value)
            for then in all_causes():
                for rounded in starmap(Recomputation, then.find(wrong) if then.rounds else ()):
                    text, code = f"{made.text}, {rounded.text}", f"{first.code}+{then.code}"
                    gives = rounded.units == claim.number.units
                    yield Evidence(code, text, gives, rounded.units, first.code, made.label)


def _as_printed(claim: Claim) -> str:
    texts = ", ".join(operand.number.text for operand in claim.operands)
    return f"the line with {texts} as printed gives {claim.as_printed:.6g}"


def _parts(claim: Claim) -> tuple[Number, Fraction, int]:
    """The printed number; the size of the exact value in units of its last digit; and its sign."""
    return claim.number, abs(Fraction(claim.exact)) / claim.number.unit, -1 if claim.exact < 0 else 1


def _rounding(claim: Claim, how: str, units: int) -> Iterator[Recomputation]:
    """A wrong rounding, unless it gives the right one."""
    if not claim.number.exact and units != claim.number.rounded(claim.exact):
        yield Recomputation(f"{how} {claim.number.at(units)}", units=units)


def _chance(claim: Claim, tried: Iterable[Evidence]) -> float | None:
    """The share of wrong numbers within 20 % of the right one that the recomputations tried would reach.

    None for an exact number, which has none of the same digits beside it.
    """
    number = claim.number
    if number.exact:
        return None
    exact = Fraction(claim.exact) / number.unit
    reach = abs(exact) * NEARBY
    lowest, highest = math.ceil(exact - reach), math.floor(exact + reach)
    right = set(number.roundings(claim.exact))
    nearby = highest - lowest + 1 - sum(lowest <= units <= highest for units in right)
    if nearby <= 0:
        return 1.0
    reached = {each.units for each in tried} - right
    return min(1.0, sum(lowest <= units <= highest for units in reached) / nearby)
