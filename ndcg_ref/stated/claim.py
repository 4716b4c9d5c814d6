"""What is judged: a printed number, the value that it should have, and all that is known of how it came about.

One claim goes through judging, diagnosis and derivation; nothing of it is changed on the way.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from numbers import Real
from typing import Any, Literal

from ndcg_ref.conventions.validation import quoted, shortened
from ndcg_ref.stated.number import Bounds, Number, Working, bounds_of, read_number, work
from ndcg_ref.stated.subject import Quantity, subjects

Kind = Literal["number", "term", "sentence"]
Alternatives = Mapping[str, Mapping[str, float]]  # by the code of a cause, and by what was done
Write = Callable[..., str]  # a printed line, with the texts of its operands put in


@dataclass(frozen=True)
class Operand:
    """A number that a line works with, as printed; its exact value and its name where these are known."""

    number: Number
    exact: float | None = None
    name: str = ""

    @property
    def is_slip(self) -> bool:
        """Whether the printed number is known not to be its own exact value."""
        return self.exact is not None and not self.number.covers(self.exact)

    @property
    def rightly(self) -> float:
        """The exact value, rounded rightly to the digits printed; the printed value where no exact one is known."""
        if self.exact is None:
            return self.number.nearest_float
        return replace(self.number, units=self.number.nearest(self.exact)).nearest_float

    @property
    def bounds(self) -> Bounds:
        """The exact value twice; where it is not known, the values that the printed number can state."""
        return self.number.bounds if self.exact is None else (self.exact, self.exact)

    def states(self, value: float) -> bool:
        """Whether it states another quantity, cut or rounded, and not its own."""
        own = self.exact is not None and not self.is_slip
        return not own and (
            self.number.covers(value) or self.number.units == math.trunc(Fraction(value) / self.number.unit)
        )


@dataclass(frozen=True)
class Term:
    """A term of a sum, a quotient, with its place, such as "rank 3"."""

    place: str
    numerator: float
    denominator: float
    number: Number  # as printed; an expression states its value exactly. Else the term rounded as its sum is
    right: bool = True  # whether the printed number can be the term
    name: str = ""  # of its own verdict, where it is wrong
    formula: str = ""  # the right term in LaTeX, where it has a form
    variants: Mapping[str, float] = field(default_factory=dict)  # the term with one thing wrong, by what is wrong
    printed: bool = True  # whether the note prints it, or shows its sum alone

    @property
    def exact(self) -> float:
        """The quotient."""
        return self.numerator / self.denominator

    @property
    def operand(self) -> Operand:
        """The term as a number that its sum works with."""
        return Operand(self.number, self.exact)

    def rounded_as(self, number: Number) -> Term:
        """The same term, rounded as its sum is printed, where it is not shown itself."""
        units = number.nearest(self.exact)
        return replace(self, number=replace(number, units=units, text=number.at(units)))


@dataclass(frozen=True, kw_only=True)
class Claim:
    """A printed number, its computed value, and what is known of both."""

    number: Number
    computed: float | None  # nan where its quantity has no value, None where it was not computed
    name: str = ""
    kind: Kind = "number"  # or a term of a line that leads to one
    operands: tuple[Operand, ...] = ()  # what its line works with
    working: Working | None = None  # and what it does with them
    alternatives: Alternatives = field(default_factory=dict)
    terms: tuple[Term, ...] = ()  # of a sum; of a term itself the one
    line: Write | None = None
    formula: str = ""  # what it stands for, such as log2(3); of a term that is printed as a formula the right one
    reason: str = ""  # why there is nothing to compare with
    discrepancies: tuple[str, ...] = ()  # where the printed working does not lead on, each in words

    @property
    def exact(self) -> float:
        """The computed value of a claim that has one."""
        assert self.computed is not None
        return self.computed

    @property
    def is_slip(self) -> bool:
        """Whether there is a computed value, and it cannot have been rounded to the number."""
        value = self.computed
        return value is not None and not math.isnan(value) and not self.number.covers(value)

    @cached_property
    def as_printed(self) -> float | None:
        """What the line gives with its operands as printed; None without a line, or where they have no value."""
        return self.worked([operand.number.nearest_float for operand in self.operands])

    @cached_property
    def operands_can_be_right(self) -> bool:
        """Whether the exact value can come from operands that round to what is printed for them."""
        assert self.working is not None
        low, high = bounds_of(self.working, [operand.bounds for operand in self.operands])
        return low <= self.exact <= high

    @cached_property
    def has_wrong_operand(self) -> bool:
        """Whether an operand is a slip; what is not known of the operands is presumed right where it can be."""
        unknown = any(operand.exact is None for operand in self.operands)
        return any(operand.is_slip for operand in self.operands) or (unknown and not self.operands_can_be_right)

    @cached_property
    def other_quantities(self) -> tuple[tuple[Operand, str, float], ...]:
        """The operands that state another quantity of the example: each with the name and the value of that."""
        others = self.alternatives.get("quantity", {}).items()
        return tuple((each, label, value) for label, value in others for each in self.operands if each.states(value))

    def worked(self, values: Sequence[float]) -> float | None:
        """What the line gives with these values of its operands."""
        return work(self.working, values) if self.working is not None and self.operands else None


def total(*terms: float) -> float:
    """The working of a sum."""
    return math.fsum(terms)


def as_sum(terms: Any, where: str) -> tuple[Quantity, Any]:
    """The quantity and the example that an author passes as ``terms=``; or a refusal."""
    if isinstance(terms, tuple) and isinstance(next(iter(terms), None), Quantity):
        return terms  # as `sum_of` gives them
    found = [each.sum_of(terms) for each in subjects()]
    if not any(found):
        forms = " or ".join(each.sum_form for each in subjects() if each.sum_form)
        raise TypeError(f"{where}: expected {forms}, got {quoted(terms)}")
    return next(filter(None, found))


def as_number(stated: Any, name: str, decimal: str = ".") -> Number:
    """Read a number, and let a refusal say which one; a Number is taken as it is."""
    if isinstance(stated, Number):
        return stated
    try:
        return read_number(stated, decimal)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{shortened(name)}: {error}" if name else str(error)) from None


def as_computed(computed: Any, reason: str | None, name: str) -> float | None:
    """The computed value as a float, None where there is none for a reason; or a refusal."""
    where = f"{shortened(name)}: " if name else ""
    if computed is None:
        if not reason:
            raise ValueError(f"{where}expected a computed value, got None (say with reason= why there is none)")
        return None
    numpy_kind = getattr(getattr(computed, "dtype", None), "kind", None)
    if isinstance(computed, bool) or not (isinstance(computed, Real | Decimal) or numpy_kind in ("i", "u", "f")):
        raise TypeError(
            f"{where}expected a number as the computed value, got {quoted(computed)} (the printed number comes first)"
        )
    try:
        value = float(computed)
    except (OverflowError, TypeError, ValueError):
        raise ValueError(f"{where}expected one finite computed value, got {quoted(computed)}") from None
    if math.isinf(value):
        raise ValueError(f"{where}expected a finite computed value, got {value}")
    if reason and not math.isnan(value):
        raise ValueError(
            f"{where}got both a computed value, {value:g}, and a reason why there is none: {quoted(reason)}"
        )
    return value
