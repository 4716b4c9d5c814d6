"""How a slip can come about: a table of recomputations.

Each cause says what would have been printed had one thing gone wrong. A cause is reported when its recomputation
gives the print, as "consistent with": chance explains much, so a diagnosis also counts how many of the prints nearby
its recomputations would have explained.

====================  =============================================================================================
`truncated`           the digits are cut toward zero instead of rounded
`rounded-up`          the digits are raised away from zero instead of rounded
`rounded-twice`       rounded to one digit more, half up, and then to the print
`carried`             every operand was first rounded, rightly, to the digits printed for it
`inherited`           the operands were taken as printed, at least one of them a slip itself
`quantity`            the operands were taken as printed, one of them another quantity of the example
`convention`          one choice differs: gain, discount, log base, ideal, or the cutoff by one
`term`                one term is wrong: its rank off by one, the −1 forgotten, dropped, doubled, not discounted, or
                      multiplied by its discount
`digit`               one digit differs by more than 1, two neighbours are swapped, or the point has moved
`unexplained`         none of these
====================  =============================================================================================

A pair, such as ``inherited+truncated``, is tried when no single cause fits; `digit` comes last.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from ndcg_ref import plain
from ndcg_ref.convention import STANDARD, Convention
from ndcg_ref.named import as_convention
from ndcg_ref.stated.number import Number, round_half_up
from ndcg_ref.validation import as_cutoff, quoted

SINGLE = ("truncated", "rounded-up", "rounded-twice", "carried", "inherited", "quantity", "convention", "term")
PAIRS = tuple(
    f"{first}+{then}"
    for first in ("inherited", "quantity", "convention")
    for then in ("truncated", "rounded-up", "rounded-twice")
)
CODES = (*SINGLE, *PAIRS, "digit", "unexplained")
# What texts choose between; each more of them would explain more prints by chance
GAINS = ("linear", "exponential")
DISCOUNTS = ("log(rank+1)", "log(rank)", "none")
RIVALS = ("quantity", "convention", "term")
NEARBY = Fraction(1, 5)

Rivals = Mapping[str, Mapping[str, float]]
Working = Callable[..., float]


@dataclass(frozen=True)
class Operand:
    """A number that a line works with, as printed; its exact value and its name where these are known."""

    number: Number
    exact: float | None = None
    name: str = ""

    @property
    def is_slip(self) -> bool:
        """Whether the print is known not to be its own exact value."""
        return self.exact is not None and not self.number.covers(self.exact)

    @property
    def rightly(self) -> float:
        """The exact value, rounded rightly to the digits printed; the print itself where no exact value is known."""
        if self.exact is None:
            return self.number.nearest_float
        return replace(self.number, steps=self.number.nearest(self.exact)).nearest_float


@dataclass(frozen=True)
class Diagnosis:
    """The causes that reproduce a print, why, and how much chance would explain."""

    causes: tuple[str, ...]
    evidence: tuple[str, ...]
    chance: float | None


@dataclass(frozen=True)
class Recomputation:
    """What would have been printed under one cause: a value to be rounded, or the steps of a print."""

    code: str
    because: str
    value: float | None = None
    steps: int | None = None

    def gives(self, number: Number) -> bool:
        """Whether this recomputation gives the print."""
        return number.steps == self.steps if self.value is None else number.covers(self.value)

    def reached(self, number: Number) -> int:
        """The print that this recomputation gives, in units of the last digit of `number`."""
        return round_half_up(Fraction(self.value) / number.unit) if self.value is not None else self.steps or 0


def diagnose(
    number: Number,
    computed: float,
    operands: Sequence[Operand] = (),
    working: Working | None = None,
    rivals: Rivals | None = None,
) -> Diagnosis:
    """Recompute a slip under each cause, simplest first, and keep those that give the print.

    Parameters
    ----------
    number : Number
        The print, which does not agree with `computed`.
    computed : float
        The exact value.
    operands : sequence of Operand, optional
        What the line works with.
    working : callable, optional
        What the line does with its operands.
    rivals : mapping, optional
        Other values by kind ("quantity", "convention", "term") and label.

    Returns
    -------
    Diagnosis
        The causes, a line of evidence for each recomputation that gives the print, and the share of prints of the same
        digits within 20 % of the right one that the recomputations tried would reach.

    Examples
    --------
    >>> from ndcg_ref.stated.number import read_number
    >>> diagnose(read_number("8.32"), 8.32553).causes
    ('truncated',)
    """
    rivals = rivals or {}
    tried: list[Recomputation] = []
    for stage in stages(number, computed, operands, working, rivals):
        tried += stage
        found = [each for each in tried if each.gives(number)]
        if found:
            causes = tuple(code for code in CODES if any(each.code == code for each in found))
            lines = [f"{code}: {each.because}" for code in causes for each in found if each.code == code]
            evidence = tuple(dict.fromkeys(lines))
            return Diagnosis(causes, evidence, _chance(number, computed, tried))
    return Diagnosis(("unexplained",), (), _chance(number, computed, tried))


def stages(
    number: Number, computed: float, operands: Sequence[Operand], working: Working | None, rivals: Rivals
) -> Iterator[Iterator[Recomputation]]:
    """The recomputations that a diagnosis tries, stage by stage, simplest first."""
    for stage in (_single, _pairs, _digit):
        yield stage(number, computed, operands, working, rivals)


def _chance(number: Number, computed: float, tried: Iterable[Recomputation]) -> float | None:
    """The share of wrong prints within 20 % of the right one that the recomputations tried would reach.

    None for an exact fraction, which has no prints of the same digits beside it.
    """
    if number.exact:
        return None
    exact = Fraction(computed) / number.unit
    reach = abs(exact) * NEARBY
    lowest, highest = math.ceil(exact - reach), math.floor(exact + reach)
    around = (math.floor(exact), math.ceil(exact))
    right = {steps for steps in around if replace(number, steps=steps).covers(computed)}
    nearby = highest - lowest + 1 - sum(lowest <= steps <= highest for steps in right)
    if nearby <= 0:
        return 1.0
    reached = {each.reached(number) for each in tried} - right
    return min(1.0, sum(lowest <= steps <= highest for steps in reached) / nearby)


def _single(
    number: Number, computed: float, operands: Sequence[Operand], working: Working | None, rivals: Rivals
) -> Iterator[Recomputation]:
    if not number.exact:
        yield from _roundings(number, computed, "", number.beside(computed))
    yield from _workings(operands, working, computed, rivals)
    for code in RIVALS:
        if code == "quantity" and operands:
            continue  # the line's operands are looked at, above
        for label, value in rivals.get(code, {}).items():
            yield Recomputation(code, f"{label} gives {value:.6g}", value)


def _pairs(
    number: Number, computed: float, operands: Sequence[Operand], working: Working | None, rivals: Rivals
) -> Iterator[Recomputation]:
    if number.exact:
        return
    for first in _single(number, computed, operands, working, rivals):
        if first.code in ("inherited", "quantity", "convention") and first.value is not None:
            yield from _roundings(number, first.value, f"{first.code}+", first.because)


def _roundings(number: Number, value: float, prefix: str, what: str) -> Iterator[Recomputation]:
    """The three ways to cut digits wrongly."""
    size = abs(Fraction(value)) / number.unit
    sign = -1 if value < 0 else 1
    right = round_half_up(size)
    once = round_half_up(10 * size)
    for code, how, steps in (
        ("truncated", "cut", math.floor(size)),
        ("rounded-up", "raised", math.ceil(size)),
        ("rounded-twice", f"rounded to {_one_digit_more(number, sign * once)}, then", (once + 5) // 10),
    ):
        if steps != right:
            yield Recomputation(prefix + code, f"{what}, {how} to {number.at(sign * steps)}", steps=sign * steps)


def _one_digit_more(number: Number, steps: int) -> str:
    decimals, tail, leading_zero, grouped, point = number.form
    finer = replace(number, unit=number.unit / 10, form=(decimals + 1, tail, leading_zero, grouped, point))
    return finer.at(steps)


def _workings(
    operands: Sequence[Operand], working: Working | None, computed: float, rivals: Rivals
) -> Iterator[Recomputation]:
    """The line worked again with its operands as rounded, or as printed."""
    if working is None or not operands:
        return
    all_known = all(operand.exact is not None for operand in operands)
    possible = could_be_rounded(operands, working, computed)
    slip = any(operand.is_slip for operand in operands) or (not all_known and not possible)
    rounded = work(working, [operand.rightly for operand in operands])
    as_printed = work(working, [operand.number.nearest_float for operand in operands])
    texts = ", ".join(operand.number.text for operand in operands)
    # What is not known of the operands is presumed to be right, where the line can come from right ones
    if rounded is not None and possible and (all_known or not slip):
        yield Recomputation("carried", f"the line with its operands rounded first gives {rounded:.6g}", rounded)
    if as_printed is None:
        return
    if slip:
        copied = len(operands) == 1 and operands[0].name and as_printed == operands[0].number.nearest_float
        line = (
            f"copied from {operands[0].name}" if copied else f"the line with {texts} as printed gives {as_printed:.6g}"
        )
        yield Recomputation("inherited", line, as_printed)
    for label, value in rivals.get("quantity", {}).items():
        for operand in operands:
            if is_print_of(operand, value):
                because = f"{operand.number.text} is {label}; the line with {texts} as printed gives {as_printed:.6g}"
                yield Recomputation("quantity", because, as_printed)


def is_print_of(operand: Operand, value: float) -> bool:
    """Whether the operand is a print of another quantity, cut or rounded, and not of its own."""
    own = operand.exact is not None and not operand.is_slip
    size = abs(Fraction(value)) / operand.number.unit
    cut = math.floor(size) if value >= 0 else -math.floor(size)
    return not own and (operand.number.covers(value) or operand.number.steps == cut)


def could_be_rounded(operands: Sequence[Operand], working: Working, computed: float) -> bool:
    """Whether the exact value can come from operands that round to what is printed for them.

    An operand without an exact value lies within half a unit of its print. The line is taken to rise or fall with
    each of its operands, as sums, products and quotients of positive numbers do.
    """
    middle = [operand.number.nearest_float if operand.exact is None else operand.exact for operand in operands]
    low, high = list(middle), list(middle)
    for i, operand in enumerate(operands):
        if operand.exact is not None or operand.number.exact:
            continue
        half = replace(operand.number, steps=1).nearest_float / 2
        below = work(working, [*middle[:i], middle[i] - half, *middle[i + 1 :]])
        above = work(working, [*middle[:i], middle[i] + half, *middle[i + 1 :]])
        if below is None or above is None:
            return True  # cannot be told: presume nothing against the operands
        low[i], high[i] = (
            (middle[i] - half, middle[i] + half) if below <= above else (middle[i] + half, middle[i] - half)
        )
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


def _digit(
    number: Number, computed: float, operands: Sequence[Operand], working: Working | None, rivals: Rivals
) -> Iterator[Recomputation]:
    """One digit mistyped, two neighbours swapped, or the point moved; for prints of three or more digits."""
    right = round_half_up(abs(Fraction(computed)) / number.unit)
    sign = -1 if computed < 0 else 1
    digits = str(right).zfill(number.digits)
    if number.exact or len(digits) < 3:
        return
    if len(digits) > number.digits + 1:
        digits = ""  # too far apart to be one digit off
    for i, digit in enumerate(digits):
        for other in range(10):
            if abs(other - int(digit)) > 1:
                steps = sign * int(digits[:i] + str(other) + digits[i + 1 :])
                yield Recomputation("digit", f"{number.at(sign * right)} with one digit changed", steps=steps)
    for i in range(len(digits) - 1):
        if digits[i] != digits[i + 1]:
            steps = sign * int(digits[:i] + digits[i + 1] + digits[i] + digits[i + 2 :])
            yield Recomputation("digit", f"{number.at(sign * right)} with two digits swapped", steps=steps)
    for places in (-3, -2, -1, 1, 2, 3):
        moved = Fraction(computed) * Fraction(10) ** places
        yield Recomputation("digit", f"{computed:.6g} with the point moved", steps=round_half_up(moved / number.unit))


def rivals_for(
    measure: str,
    grades: Iterable[Any],
    convention: Convention | str = STANDARD,
    k: int | None = None,
    judged: Iterable[Any] | None = None,
) -> dict[str, dict[str, float]]:
    """The values that a measure takes when one choice differs, or one term is wrong.

    Parameters
    ----------
    measure : {"cg", "dcg", "idcg", "ndcg"}
        What the print states.
    grades : iterable of float
        The ranking, best rank first.
    convention : Convention or str, optional
        The convention that the note uses, or the name of a preset.
    k : int, optional
        Its cutoff.
    judged : iterable of float, optional
        All judged grades of the query.

    Returns
    -------
    dict
        By kind, "convention" and "term", a mapping from label to value, as `judge` takes it under ``rivals=``. A ratio
        has no terms of its own: its operands do.

    Raises
    ------
    ValueError
        If the measure or the name of a preset is unknown, or a grade is refused.
    TypeError
        If the convention is none, or a grade is not a real number.

    Examples
    --------
    >>> round(rivals_for("dcg", [2, 0, 1])["term"]["rank 3 not discounted"], 12)
    3.0
    """
    convention = as_convention(convention)
    if measure not in _MEASURES:
        raise ValueError(f"measure: expected one of {', '.join(_MEASURES)}, got {quoted(measure)}")
    grades, judged, k = list(grades), None if judged is None else list(judged), as_cutoff(k)
    right = _MEASURES[measure](grades, k, convention, judged)
    terms: Iterable[tuple[str, Callable[[], float]]] = ()
    if measure in ("dcg", "idcg"):
        ranked = grades if measure == "dcg" else _ideal_order(grades if judged is None else judged, convention)
        terms = _term_slips(ranked[:k], convention)
    elif measure == "cg":
        terms = _term_slips(grades[:k], Convention(discount="none", negative="keep"))
    return {
        "convention": _others(_changes(measure, grades, convention, k, judged), right),
        "term": _others(terms, right),
    }


def _ideal_order(grades: list[Any], convention: Convention) -> list[Any]:
    """The grades as the ideal ranking has them."""
    if convention.ideal_order == "grade":
        return sorted(grades, reverse=True)
    return sorted(grades, key=lambda grade: plain.gains([grade], convention), reverse=True)


_MEASURES: dict[str, Callable[..., float]] = {
    "cg": lambda grades, k, convention, judged: plain.cg(grades, k),
    "dcg": lambda grades, k, convention, judged: plain.dcg(grades, k, convention),
    "idcg": lambda grades, k, convention, judged: plain.idcg(grades, k, convention, judged),
    "ndcg": lambda grades, k, convention, judged: plain.ndcg(grades, k, convention, judged),
}


def _changes(
    measure: str, grades: list[Any], convention: Convention, k: int | None, judged: list[Any] | None
) -> Iterator[tuple[str, Callable[[], float]]]:
    """Each single choice changed: its label, and the value with it."""

    def value(k: int | None, convention: Convention, judged: list[Any] | None) -> Callable[[], float]:
        return lambda: _MEASURES[measure](grades, k, convention, judged)

    if measure != "cg":
        for gain in GAINS:
            yield f"gain {gain}", value(k, replace(convention, gain=gain), judged)  # type: ignore[arg-type]
        for discount in DISCOUNTS:
            yield f"discount {discount}", value(k, replace(convention, discount=discount), judged)  # type: ignore[arg-type]
        for base, name in ((2, "2"), (math.e, "e"), (10, "10")):
            yield f"log base {name}", value(k, replace(convention, base=base), judged)
    cutoff = len(grades) if k is None else k
    for other in range(max(1, cutoff - 1), cutoff + 2):
        yield f"cutoff {other}", value(other, convention, judged)
    if measure == "idcg":
        yield "ideal not cut", value(None, convention, judged)
    if measure in ("idcg", "ndcg"):
        yield "ideal of the ranking alone", value(k, convention, None)
    if measure in ("idcg", "ndcg") and k is not None:
        first = grades[:k]
        yield f"ideal of the first {len(first)}", lambda: _MEASURES[measure](first, None, convention, None)
    if measure == "ndcg":
        yield "ideal not cut", lambda: plain.dcg(grades, k, convention) / plain.idcg(grades, None, convention, judged)


def _term_slips(grades: Sequence[Any], convention: Convention) -> Iterator[tuple[str, Callable[[], float]]]:
    """Each term wrong in each way: its label, and the sum with it."""
    gained = plain.gains(grades, convention)
    divisors = plain.discounts(len(gained) + 1, convention)
    terms = [gain / divisor for gain, divisor in zip(gained, divisors, strict=False)]

    for i, gain in enumerate(gained):
        for label, term in term_variants(gain, i + 1, divisors, convention):
            others = [*terms[:i], term, *terms[i + 1 :]]
            yield label, lambda others=others: math.fsum(others)  # type: ignore[misc]


def term_variants(
    gain: float, rank: int, divisors: Sequence[float], convention: Convention
) -> Iterator[tuple[str, float]]:
    """One term, wrong in each way: what went wrong, and what the term then is.

    >>> dict(term_variants(3.0, 2, [1.0, 1.5, 2.0], STANDARD))["rank 2 discounted as rank 3"]
    1.5
    """
    divisor = divisors[rank - 1]
    if rank > 1:
        yield f"rank {rank} discounted as rank {rank - 1}", gain / divisors[rank - 2]
    yield f"rank {rank} discounted as rank {rank + 1}", gain / divisors[rank]
    if convention.gain == "exponential":
        yield f"the −1 forgotten at rank {rank}", (gain + 1) / divisor
    yield f"rank {rank} dropped", 0.0
    yield f"rank {rank} doubled", 2 * gain / divisor
    yield f"rank {rank} not discounted", gain
    yield f"rank {rank} multiplied by its discount", gain * divisor


def _others(values: Iterable[tuple[str, Callable[[], float]]], right: float) -> dict[str, float]:
    """The values that exist and differ: a changed choice may have none, such as a gain that overflows."""
    found = {}
    for label, compute in values:
        try:
            value = compute()
        except (ArithmeticError, ValueError):
            continue
        if math.isfinite(value) and not math.isclose(value, right, rel_tol=1e-12):
            found[label] = value
    return found
