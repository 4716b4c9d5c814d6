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

from ndcg_ref.stated.number import Number, read_number
from ndcg_ref.validation import quoted

Kind = Literal["number", "term", "sentence"]
Alternatives = Mapping[str, Mapping[str, float]]  # by the code of a cause, and by what was done
Working = Callable[..., float]
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

    def is_print_of(self, value: float) -> bool:
        """Whether it states another quantity, cut or rounded, and not its own."""
        own = self.exact is not None and not self.is_slip
        size = abs(Fraction(value)) / self.number.unit
        cut = math.floor(size) if value >= 0 else -math.floor(size)
        return not own and (self.number.covers(value) or self.number.units == cut)


@dataclass(frozen=True)
class Term:
    """A term of a sum, and what the convention gives at its rank.

    Parameters
    ----------
    rank : int
        The rank, from 1.
    gain, discount : float
        The gain of the grade there, and what it is divided by.
    number : Number
        The term as printed; an expression states its value exactly. Of a term that the note does not print, the term
        rounded as its sum is.
    right : bool
        Whether the printed number can be the term.
    name : str
        That of the term's own verdict, where it is wrong.
    variants : mapping
        What the term would be with one thing wrong, by what is wrong.
    printed : bool
        Whether the note prints the term, or shows its sum alone.
    """

    rank: int
    gain: float
    discount: float
    number: Number
    right: bool = True
    name: str = ""
    variants: Mapping[str, float] = field(default_factory=dict)
    printed: bool = True

    @property
    def exact(self) -> float:
        """The discounted gain."""
        return self.gain / self.discount

    @property
    def operand(self) -> Operand:
        """The term as a number that its sum works with."""
        return Operand(self.number, self.exact)


@dataclass(frozen=True, kw_only=True)
class Claim:
    """A printed number, its computed value, and what is known of both.

    Parameters
    ----------
    number : Number
        The number as printed.
    computed : float or None
        The exact value of its quantity: nan where that has none, None where it was not computed.
    name : str
        What the number is.
    kind : {"number", "term"}
        A stated result, or a term of a line that leads to one.
    operands, working
        What its line works with, and what it does with them.
    alternatives : mapping
        Other values, by the code of a cause and by what was done.
    terms : tuple of Term
        The terms of a sum; of a term itself the one.
    line : callable or None
        Writes the printed line with given texts in the place of its operands.
    formula : str
        What the number stands for, such as ``log2(3)``; of a term that is printed as a formula the right one.
    reason : str
        Why there is nothing to compare with.
    discrepancies : tuple of str
        Where the printed working does not lead on, each in words.
    """

    number: Number
    computed: float | None
    name: str = ""
    kind: Kind = "number"
    operands: tuple[Operand, ...] = ()
    working: Working | None = None
    alternatives: Alternatives = field(default_factory=dict)
    terms: tuple[Term, ...] = ()
    line: Write | None = None
    formula: str = ""
    reason: str = ""
    discrepancies: tuple[str, ...] = ()

    @property
    def exact(self) -> float:
        """The computed value of a claim that has one."""
        assert self.computed is not None
        return self.computed

    @cached_property
    def as_printed(self) -> float | None:
        """What the line gives with its operands as printed; None without a line, or where they have no value."""
        return self.worked([operand.number.nearest_float for operand in self.operands])

    @cached_property
    def rounded_first(self) -> float | None:
        """What the line gives with its operands rounded rightly to their printed digits."""
        return self.worked([operand.rightly for operand in self.operands])

    @cached_property
    def operands_can_be_right(self) -> bool:
        """Whether the exact value can come from operands that round to what is printed for them."""
        assert self.working is not None
        return could_be_rounded(self.operands, self.working, self.exact)

    @cached_property
    def has_wrong_operand(self) -> bool:
        """Whether an operand is a slip; what is not known of the operands is presumed right where it can be."""
        unknown = any(operand.exact is None for operand in self.operands)
        return any(operand.is_slip for operand in self.operands) or (unknown and not self.operands_can_be_right)

    @property
    def not_led_to(self) -> tuple[str, ...]:
        """That the line as printed does not lead to the number, in words; empty where it does, or is not printed."""
        value = self.as_printed
        if value is None or self.number.covers(value) or not all(term.printed for term in self.terms):
            return ()
        return (f"the printed working gives {value:.6g}, not {self.number.text}",)

    def worked(self, values: Sequence[float]) -> float | None:
        """What the line gives with other values of its operands."""
        return work(self.working, values) if self.working is not None and self.operands else None


def can_state(value: float, number: Number | None, operands: Sequence[Number], working: Working) -> bool:
    """Whether a printed number can state a value; or, where none is printed alone, a working with its operands."""
    if number is not None:
        return number.covers(value)
    return could_be_rounded([Operand(each) for each in operands], working, value)


def could_be_rounded(operands: Sequence[Operand], working: Working, computed: float) -> bool:
    """Whether a value can come from operands that round to what is printed for them.

    An operand without an exact value lies within half a unit of its printed number. The line is taken to rise or fall
    with each of its operands, as sums, products and quotients of positive numbers do.
    """
    middle = [operand.number.nearest_float if operand.exact is None else operand.exact for operand in operands]
    low, high = list(middle), list(middle)
    for i, operand in enumerate(operands):
        if operand.exact is not None or operand.number.exact:
            continue
        half = replace(operand.number, units=1).nearest_float / 2
        ends = (middle[i] - half, middle[i] + half)
        first, last = (work(working, [*middle[:i], end, *middle[i + 1 :]]) for end in ends)
        if first is None or last is None:
            return True  # cannot be told: presume nothing against the operands
        low[i], high[i] = ends if first <= last else ends[::-1]
    least, most = work(working, low), work(working, high)
    slack = 1e-12 * max(1.0, abs(computed))
    return least is None or most is None or least - slack <= computed <= most + slack


def work(working: Working, values: Sequence[float]) -> float | None:
    """The line's value, or None where these operands have none."""
    if not all(map(math.isfinite, values)):
        return None
    try:
        value = float(working(*values))
    except (ArithmeticError, ValueError):
        return None
    return value if math.isfinite(value) else None


def total(*terms: float) -> float:
    """The working of a sum."""
    return math.fsum(terms)


def as_number(stated: Any, name: str, decimal: str = ".") -> Number:
    """Read a number, and let a refusal say which one; a Number is taken as it is."""
    if isinstance(stated, Number):
        return stated
    try:
        return read_number(stated, decimal)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{name}: {error}" if name else str(error)) from None


def _is_number(value: Any) -> bool:
    numpy_kind = getattr(getattr(value, "dtype", None), "kind", None)
    return not isinstance(value, bool) and (isinstance(value, Real | Decimal) or numpy_kind in ("i", "u", "f"))


def as_computed(computed: Any, reason: str | None, name: str) -> float | None:
    """The computed value as a float, None where there is none for a reason; or a refusal."""
    where = f"{name}: " if name else ""
    if computed is None:
        if not reason:
            raise ValueError(f"{where}expected a computed value, got None (say with reason= why there is none)")
        return None
    if not isinstance(computed, float) and not _is_number(computed):
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
