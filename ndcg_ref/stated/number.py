"""A number as somebody printed it: its text, its value, and the values that could have been rounded to it.

The text matters: 0.63 and 0.630 are different statements. Arithmetic is exact, in whole units of the last printed
digit, and the bounds of a number are rounded inward, so that no rounding of ours can decide a verdict.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache

from ndcg_ref.conventions.validation import quoted, shortened

_FORM = re.compile(
    r"""(?:≈[ \u00a0]*)?
        (?P<minus>[-−])?
        (?: (?P<whole>[0-9]+)/(?P<parts>[0-9]+)
          | (?P<int>(?:[1-9][0-9]{0,2}(?:,[0-9]{3})+|[0-9]+)?)
            (?:\.(?P<decimals>[0-9]+))?
            (?: (?P<percent>%) | (?P<e>[eE][-−+]?[0-9]{1,3}) )?
        )""",
    re.VERBOSE,
)
_SWAP = str.maketrans(",.", ".,")
_LONGEST = 200
_MOST_DECIMALS = 20
RECORD_DIGITS = 12
_power_of_ten = lru_cache(maxsize=100)(Fraction(10).__pow__)

Bounds = tuple[float, float]  # the least and the greatest of the values that a printed number or working can state
Working = Callable[..., float]  # what a line does with the numbers that it prints


@dataclass(frozen=True)
class Number:
    """A printed number.

    Parameters
    ----------
    text : str
        The number as printed, without the blanks around it.
    units : int
        Its value in units of its last printed digit.
    unit : Fraction
        One unit of the last printed digit: of ``0.63`` 1/100, of ``97.8%`` 1/1000, of the fraction ``1/3`` 1/3.
    exact : bool
        Whether the text claims to be the value itself, as a fraction of whole numbers or the 1 of a perfect NDCG does.
    form : tuple
        How to print another value at the same digits: decimals, tail, leading zero, groups of thousands, decimal sign.
    as_exact : bool
        Whether its author says that it is the value itself, although its text does not.

    Examples
    --------
    >>> number = read_number("0.63")
    >>> number.value, number.unit, number.digits
    (Fraction(63, 100), Fraction(1, 100), 2)
    """

    text: str
    units: int
    unit: Fraction
    exact: bool = False
    form: tuple[int, str, bool, bool, str] = (0, "", True, False, ".")
    as_exact: bool = False

    @property
    def value(self) -> Fraction:
        """The value of the text, exactly."""
        return self.units * self.unit

    @property
    def nearest_float(self) -> float:
        """The value as a float, infinite where it is beyond the range of one."""
        return _quotient(self.units * self.unit.numerator, self.unit.denominator)

    @property
    def digits(self) -> int:
        """How many significant digits are printed, leading zeros aside."""
        return len(str(abs(self.units))) if not self.exact else 0

    @cached_property
    def bounds(self) -> Bounds:
        """The least and the greatest value that could have been rounded to this number.

        They lie half a unit away, both included, since half-up and half-even rounding are both in use; and four units
        in the last place of the double more, for sums in another order.

        >>> low, high = read_number("0.63").bounds
        >>> low < 0.625 < 0.635 < high, high - 0.635 < 1e-15
        (True, True)
        """
        half, one, parts = int(not self.exact), self.unit.numerator, 2 * self.unit.denominator
        return -_most((half - 2 * self.units) * one, parts), _most((half + 2 * self.units) * one, parts)

    def covers(self, computed: float) -> bool:
        """Whether `computed` could have been rounded to this number.

        >>> read_number("0.12").covers(0.125), read_number("0.13").covers(0.125)
        (True, True)
        >>> read_number("8.32").covers(8.3255)
        False
        """
        low, high = self.bounds
        return low <= computed <= high

    def rounded(self, value: float) -> int:
        """A value in units of the last printed digit; a half goes away from zero.

        >>> read_number("0.63").rounded(0.125), read_number("0.63").rounded(-0.125)
        (13, -13)
        """
        return round_half_up(Fraction(float(value)) / self.unit)

    def roundings(self, value: float) -> list[int]:
        """The right roundings of a value, in units of the last digit: two if it is halfway between them.

        >>> read_number("0.63").roundings(0.125), read_number("0.63").roundings(0.126)
        ([12, 13], [13])
        """
        below = math.floor(Fraction(value) / self.unit)
        return [units for units in (below, below + 1) if replace(self, units=units).covers(value)]

    def nearest(self, computed: float) -> int:
        """The right rounding of `computed`, in units of the last digit; the printed value itself where it is right."""
        return self.units if self.covers(computed) else self.rounded(computed)

    def exactly(self) -> Number:
        """The same text, said to be the value itself.

        >>> read_number("1").covers(0.9), read_number("1").exactly().covers(0.9)
        (True, False)
        """
        return replace(self, exact=True, as_exact=True)

    def of(self, name: str) -> Number:
        """The same text, as a value of what a name says: a bare 0 or 1 of a quantity between 0 and 1 is exact.

        An NDCG of 0.9 is not rounded to 1. The name says such a quantity where the first one that it mentions is
        registered as such: NDCG, AP, RR, P, recall, R-precision, Success, Judged, ERR, RBP, or a mean of one. ``1.0``,
        ``100%`` and ``≈ 1`` claim no more than their unit.

        >>> [read_number("1").of(name).covers(0.9) for name in ("DCG@5", "NDCG@5", "mean AP")]
        [True, False, False]
        """
        from ndcg_ref.stated.subject import is_bounded  # which reads numbers itself

        return replace(self, exact=True) if self.text in ("0", "1") and is_bounded(name) else self

    def beside(self, computed: float) -> str:
        """A value as text, to stand beside this number: three decimals more, within 12 digits or those printed.

        >>> read_number("8.32").beside(8.325534)
        '8.32553'
        """
        if self.exact:
            texts = (f"{computed:.{digits}g}" for digits in range(6, _MOST_DECIMALS))
            return next(text for text in texts if self.covers(computed) or not self.covers(float(text)))
        most = max(RECORD_DIGITS, self.digits)
        decimals = 3 + max(0, len(str(self.unit.denominator)) - len(str(self.unit.numerator)))
        text = f"{computed:.{decimals}f}"
        # A value that falls just beside the half unit is shown with the digits that tell
        while self.covers(float(text)) != self.covers(computed) and decimals < _MOST_DECIMALS:
            decimals += 1
            text = f"{computed:.{decimals}f}"
        if abs(computed) >= 10**most or len(text.replace("-", "").replace(".", "").lstrip("0")) > most:
            return f"{computed:.{most}g}"
        return text

    def at(self, units: int) -> str:
        """Print so many units of the last digit in the form of this number.

        >>> read_number("97.8%").at(1000)
        '100.0%'
        >>> read_number(".5").at(-7)
        '-.7'
        """
        sign = ("≈ " if self.text.startswith("≈") else "") + ("-" if units < 0 else "")
        if self.exact:
            return f"{sign}{abs(units)}/{self.unit.denominator}"
        decimals, tail, leading_zero, grouped, point = self.form
        digits = str(abs(units)).zfill(decimals + 1)
        whole, part = digits[: len(digits) - decimals], digits[len(digits) - decimals :]
        if grouped:
            whole = f"{int(whole):,}".replace(",", "." if point == "," else ",")
        if whole == "0" and decimals and not leading_zero:
            whole = ""
        return f"{sign}{whole}{point if decimals else ''}{part}{tail}"


def read_number(text: str, decimal: str = ".") -> Number:
    """Read a printed number; what is not plainly one is refused.

    Parameters
    ----------
    text : str
        Such as ``0.63``, ``.5``, ``1e-3``, ``97.8%``, ``1/3``, ``1,062`` or ``≈ 1``.
    decimal : {".", ","}
        The sign before the decimals; the other one then groups thousands.

    Returns
    -------
    Number
        The number with its unit.

    Raises
    ------
    ValueError
        If the text is no number in one of these forms.
    TypeError
        If it is no text: 0.63 and 0.630 are the same float, but not the same statement.

    Examples
    --------
    >>> read_number("0.630").unit
    Fraction(1, 1000)
    >>> float(read_number("97.8%").value)
    0.978
    """
    if not isinstance(text, str):
        raise TypeError(
            f"expected the number as printed, as text, got {quoted(text)} (put it in quotes: zeros at the end count)"
        )
    if decimal not in (".", ","):
        raise ValueError(f"decimal: expected '.' or ',', got {quoted(decimal)}")
    stripped = text.strip()
    usual = stripped if decimal == "." else stripped.translate(_SWAP)
    found = _FORM.fullmatch(usual) if len(stripped) <= _LONGEST else None
    if found is None or not (found["whole"] or found["int"] or found["decimals"]):
        raise ValueError(
            f"expected a printed number such as 0.63, 97.8% or 1/3, got {quoted(text)}{_hint(stripped, decimal)}"
        )
    sign = -1 if found["minus"] else 1
    if found["whole"]:
        if int(found["parts"]) == 0:
            raise ValueError(f"expected a fraction, got {quoted(text)}, which divides by 0")
        # Not reduced, so that one unit stays one of the printed numerator
        return Number(stripped, sign * int(found["whole"]), Fraction(1, int(found["parts"])), exact=True)
    whole, decimals = found["int"] or "", found["decimals"] or ""
    tail = found["percent"] or found["e"] or ""
    power = -len(decimals) - 2 * bool(found["percent"]) + (int(found["e"][1:].replace("−", "-")) if found["e"] else 0)
    return Number(
        stripped,
        sign * int(whole.replace(",", "") + decimals),
        _power_of_ten(power),
        form=(len(decimals), tail, bool(whole), "," in whole, decimal),
    )


def bounds_of(working: Working, operands: Sequence[Bounds]) -> Bounds:
    """The least and the greatest value of a working whose operands lie between theirs.

    It is taken to rise or fall with each operand, as sums, products and quotients of positive numbers do. Where it
    has no value nothing can be told, and any value is possible.

    >>> [round(end, 3) for end in bounds_of(lambda a, b: a / b, [(0.95, 1.05), (1.95, 2.05)])]
    [0.463, 0.538]
    """
    middle = [low if low == high else (low + high) / 2 for low, high in operands]
    ends: tuple[list[float], list[float]] = (list(middle), list(middle))
    for i, pair in enumerate(operands):
        if pair[0] == pair[1]:
            continue
        first, last = (work(working, [*middle[:i], end, *middle[i + 1 :]]) for end in pair)
        if first is None or last is None:
            return -math.inf, math.inf
        ends[first > last][i], ends[first <= last][i] = pair
    low, high = (work(working, values) for values in ends)
    if low is None or high is None:
        return -math.inf, math.inf
    return low - 1e-12 * max(1.0, abs(low)), high + 1e-12 * max(1.0, abs(high))


def work(working: Working, values: Sequence[float]) -> float | None:
    """The value of a working, or None where these operands have none."""
    if not all(map(math.isfinite, values)):
        return None
    try:
        value = float(working(*values))
    except (ArithmeticError, ValueError):
        return None
    return value if math.isfinite(value) else None


def _quotient(numerator: int, denominator: int) -> float:
    """A fraction as a float, infinite where it is beyond the range of one."""
    try:
        return numerator / denominator
    except OverflowError:
        return math.inf if numerator > 0 else -math.inf


def _most(numerator: int, denominator: int) -> float:
    """The greatest float that lies at most four units in its last place above a fraction."""
    end = _quotient(numerator, denominator)
    if math.isfinite(end):
        whole, parts = end.as_integer_ratio()
        if whole * denominator > numerator * parts:
            end = math.nextafter(end, -math.inf)
    return end + 4 * math.ulp(math.nextafter(end, math.inf))  # below a power of two the floats are closer


def round_half_up(value: Fraction) -> int:
    """The nearest whole number; a half goes away from zero.

    >>> round_half_up(Fraction(5, 2)), round_half_up(Fraction(-5, 2))
    (3, -3)
    """
    size = math.floor(abs(value) + Fraction(1, 2))
    return size if value >= 0 else -size


def has_decimal_comma(text: str) -> bool:
    """Whether the text looks like a number with a comma before its decimals.

    >>> has_decimal_comma("0,63")
    True
    """
    return re.fullmatch(r"(?:≈[ \u00a0]*)?[-−]?[0-9]+,[0-9]+%?", text.strip()) is not None


def is_not_finite(text: str) -> bool:
    """Whether the text is the name of what is no finite number.

    >>> is_not_finite("NaN"), is_not_finite("-inf"), is_not_finite("0.63")
    (True, True, False)
    """
    return text.strip().lower().lstrip("+-−") in ("nan", "inf", "infinity")


def _hint(text: str, decimal: str) -> str:
    if decimal == "." and has_decimal_comma(text):
        return ' (a decimal comma? say decimal=",")'
    if re.fullmatch(r"[-−]?[0-9]+\.", text):
        return " (a full stop at the end of a sentence? leave it out)"
    if is_not_finite(text):
        return " (say with reason= why there is no number)"
    return ""


def as_printed_number(text: str) -> Number:
    """A number as printed, or a refusal with advice for a shell."""
    try:
        return read_number(text)
    except ValueError:
        if not has_decimal_comma(text) and not is_not_finite(text):
            raise
    pointed = text.strip().replace(",", ".")
    hint = f" (a decimal comma? write {shortened(pointed)})" if has_decimal_comma(text) else ""
    raise ValueError(f"expected a printed number such as 0.63, 97.8% or 1/3, got {quoted(text)}{hint}")


def as_value(text: str, what: str) -> float:
    """The number in a text as a float."""
    if "≈" in text:
        raise ValueError(f"{what}: expected a number without ≈, got {quoted(text)}")
    try:
        number = as_printed_number(text).nearest_float
    except ValueError as error:
        raise ValueError(f"{what}: {error}") from None
    if math.isinf(number):
        raise ValueError(f"{what}: expected a number within the range of a float, got {quoted(text)}")
    return number


def as_values(text: str, option: str) -> list[float]:
    """The numbers of a list as floats, separated by commas or blanks; the list may be in brackets."""
    inner = re.sub(r"^[\[(](.*)[\])]$", r"\1", text.strip()).strip()
    numbers = re.split(r"\s*,\s*|\s+", inner)
    return [as_value(each, f"{option.removesuffix('s')} {i}") for i, each in enumerate(numbers, start=1)]
