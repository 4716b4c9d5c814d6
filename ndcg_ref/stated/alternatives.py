"""The values that a measure takes when one thing goes wrong: another choice, a wrong term, a learner's mistake.

They are what a printed number is held against, to find how it may have come about; `causes` says what each is called.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from typing import Any

from ndcg_ref.conventions.convention import STANDARD, Convention
from ndcg_ref.conventions.lookup import as_convention
from ndcg_ref.conventions.validation import as_cutoff, quoted
from ndcg_ref.formulas import plain
from ndcg_ref.stated.claim import Term
from ndcg_ref.stated.number import Number

# What texts choose between; each more of them would explain more numbers by chance
GAINS = ("linear", "exponential")
DISCOUNTS = ("log(rank+1)", "log(rank)", "none")
EARLY = (1, 2, 3, 4)  # the decimals to which learners round their terms

Values = Iterable[tuple[str, Callable[[], float]]]  # what was done, and the value with it
Make = Callable[[Sequence[Any], Convention], list[float]]  # the terms of a sum


def alternatives_for(
    measure: str,
    grades: Iterable[Any],
    convention: Convention | str = STANDARD,
    k: int | None = None,
    judged: Iterable[Any] | None = None,
) -> dict[str, dict[str, float]]:
    """The values that a measure takes when one thing goes wrong.

    Parameters
    ----------
    measure : {"cg", "dcg", "idcg", "ndcg"}
        What the printed number states.
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
        By kind, such as "convention" and "term", a mapping from label to value, as `judge` takes it under
        ``alternatives=``. A ratio has no terms of its own: its operands do.

    Raises
    ------
    ValueError
        If the measure or the name of a preset is unknown, or a grade is refused.
    TypeError
        If the convention is none, or a grade is not a real number.

    Examples
    --------
    >>> round(alternatives_for("dcg", [2, 0, 1])["term"]["rank 3 not discounted"], 12)
    3.0
    """
    convention = as_convention(convention)
    if measure not in _MEASURES:
        raise ValueError(f"measure: expected one of {', '.join(_MEASURES)}, got {quoted(measure)}")
    grades, judged, k = list(grades), None if judged is None else list(judged), as_cutoff(k)
    right = _MEASURES[measure](grades, k, convention, judged)
    terms: Values = ()
    if measure in ("dcg", "idcg"):
        ranked = grades if measure == "dcg" else ideal_order(grades if judged is None else judged, convention)
        terms = _term_slips(ranked[:k], convention)
    elif measure == "cg":
        terms = _term_slips(grades[:k], Convention(discount="none", negative="keep"))
    found: dict[str, Values] = {"convention": _changes(measure, grades, convention, k, judged), "term": terms}
    if measure != "cg":
        found |= _mistakes(measure, grades, convention, k, judged)
    return {kind: _others(values, right) for kind, values in found.items()}


def ideal_order(grades: list[Any], convention: Convention) -> list[Any]:
    """The grades as the ideal ranking has them.

    >>> ideal_order([0, 2, 1], STANDARD)
    [2, 1, 0]
    """
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
        for label, other_rule in other_rules(convention):
            yield label, value(k, other_rule, judged)
    if measure in ("idcg", "ndcg"):  # named before the cutoffs: the likelier mistakes
        yield from _other_ideals(measure, grades, convention, k, judged)
    cutoff = len(grades) if k is None else k
    for other in range(max(1, cutoff - 1), cutoff + 2):
        yield f"cutoff {other}", value(other, convention, judged)


def other_rules(convention: Convention) -> Iterator[tuple[str, Convention]]:
    """The convention with another gain, discount or base of the logarithm, one at a time, each with its label.

    >>> [label for label, _ in other_rules(STANDARD)][-3:]
    ['log base 2', 'log base e', 'log base 10']
    """
    for gain in GAINS:
        yield f"gain {gain}", replace(convention, gain=gain)  # type: ignore[arg-type]
    for discount in DISCOUNTS:
        yield f"discount {discount}", replace(convention, discount=discount)  # type: ignore[arg-type]
    for base, name in ((2, "2"), (math.e, "e"), (10, "10")):
        yield f"log base {name}", replace(convention, base=base)


def _other_ideals(
    measure: str, grades: list[Any], convention: Convention, k: int | None, judged: list[Any] | None
) -> Values:
    """The measure with another ideal."""
    compute = _MEASURES[measure]
    if measure == "idcg":
        yield "ideal not cut", lambda: compute(grades, None, convention, judged)
    yield "ideal of the ranking alone", lambda: compute(grades, k, convention, None)
    if k is not None:
        first = grades[:k]
        yield f"ideal of the first {len(first)}", lambda: compute(first, None, convention, None)
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


def _mistakes(
    measure: str, grades: list[Any], convention: Convention, k: int | None, judged: list[Any] | None
) -> dict[str, Values]:
    """What learners get wrong throughout a sum or a ratio, by the code of its cause."""
    given = grades if judged is None else judged
    ranking, ideal = grades[:k], ideal_order(given, convention)[:k]

    def with_terms(make: Make, over: list[Any] = ideal) -> Callable[[], float]:
        """The measure, its sums being of the terms that are made; `over` is what stands for the ideal."""
        if measure != "ndcg":
            return lambda: math.fsum(make(ranking if measure == "dcg" else over, convention))
        return lambda: math.fsum(make(ranking, convention)) / math.fsum(make(over, convention))

    rounded = {"DCG and IDCG": _total, "terms": _terms} if measure == "ndcg" else {"terms": _terms}
    found: dict[str, Values] = {
        "first-rank-dropped": [("rank 1 dropped, the others divided by log(rank)", with_terms(_terms_from_rank_2))],
        "rounded-early": [
            (f"{what} rounded to {decimals} decimal{'s' if decimals > 1 else ''}", with_terms(_rounded(make, decimals)))
            for what, make in rounded.items()
            for decimals in EARLY
        ],
    }
    if convention.gain == "exponential":
        found["minus-one"] = [("2^grade as the gain", with_terms(partial(_terms, more=1)))]
    if measure != "dcg":
        orders = _orders(ranking, grades, given, ideal)
        found["unsorted-ideal"] = [(label, with_terms(_terms, list(order))) for order, label in orders.items()]
    if measure == "ndcg":
        found["exchanged"] = [
            ("IDCG divided by DCG", lambda: _total(ideal, convention)[0] / _total(ranking, convention)[0])
        ]
    return found


def _orders(
    ranking: Sequence[Any], grades: Sequence[Any], given: Sequence[Any], ideal: Sequence[Any]
) -> dict[tuple[Any, ...], str]:
    """The grades that may be taken for the ideal without sorting them, each order with its name."""
    right = "the ideal of the right documents in the order of the"
    named = {
        "the ideal in the order of the ranking": ranking,
        "the ideal in the order of the judgments": given[: len(ideal)],
        f"{right} ranking": _kept([*grades, *given], ideal),  # those that were not retrieved come last
        f"{right} judgments": _kept(given, ideal),
    }
    found: dict[tuple[Any, ...], str] = {}
    for name, order in named.items():
        found.setdefault(tuple(order), name)
    return found


def _kept(order: Iterable[Any], ideal: Iterable[Any]) -> list[Any]:
    """The grades of the ideal, in another order."""
    left, kept = Counter(ideal), []
    for grade in order:
        if left[grade]:
            left[grade] -= 1
            kept.append(grade)
    return kept


def _terms(grades: Sequence[Any], convention: Convention, more: int = 0) -> list[float]:
    """The discounted gains of a ranking, each gain being so much more."""
    gained = plain.gains(grades, convention)
    return [(gain + more) / each for gain, each in zip(gained, plain.discounts(len(gained), convention), strict=True)]


def _total(grades: Sequence[Any], convention: Convention) -> list[float]:
    """Their sum, as one term."""
    return [math.fsum(_terms(grades, convention))]


def _terms_from_rank_2(grades: Sequence[Any], convention: Convention) -> list[float]:
    """Gains divided by the logarithm of the rank, without rank 1, where that is 0."""
    gained = plain.gains(grades, convention)
    return [gain / math.log(rank, convention.base) for rank, gain in enumerate(gained[1:], start=2)]


def _rounded(make: Make, decimals: int) -> Make:
    """The same terms, each rounded half up."""
    units = 10**decimals
    return lambda grades, convention: [math.floor(term * units + 0.5) / units for term in make(grades, convention)]


@dataclass(frozen=True)
class Ranking:
    """A ranking whose discounted gains are added, and the convention that they follow."""

    grades: Sequence[Any]
    convention: Convention

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """Its terms, none of them printed."""
        gained = plain.gains(self.grades, self.convention)
        divisors = plain.discounts(len(gained) + 1, self.convention)
        unread = Number("", 0, Fraction(1))
        return tuple(
            Term(
                rank,
                gain,
                divisors[rank - 1],
                unread,
                formula=self._formula(rank, grade, divisors[rank - 1]),
                variants=dict(term_variants(gain, rank, divisors, self.convention)),
                printed=False,
            )
            for rank, (grade, gain) in enumerate(zip(self.grades, gained, strict=True), start=1)
        )

    def _formula(self, rank: int, grade: Any, divisor: float) -> str:
        """A term in LaTeX; empty where the convention has a table or a function of its own."""
        convention, shown = self.convention, f"{float(grade):g}"
        power = shown if len(shown) == 1 else f"{{{shown}}}"
        gain = convention.gain if isinstance(convention.gain, str) else ""
        discount = convention.discount if isinstance(convention.discount, str) else ""
        numerator = {"linear": shown, "exponential": f"2^{power}-1"}.get(gain)
        argument = {"log(rank+1)": rank + 1, "log(rank)": rank}.get(discount)
        if numerator is None or grade < 0 or (argument is None and discount != "none"):
            return ""
        if argument is None or divisor == 1:
            return numerator
        base = {2: r"\log_2", 10: r"\log_{10}", math.e: r"\ln"}.get(convention.base, rf"\log_{{{convention.base:g}}}")
        return rf"\frac{{{numerator}}}{{{base} {argument}}}"


def as_ranking(terms: Any, where: str) -> Ranking:
    """The ranking and the convention of a sum; or a refusal."""
    if not (isinstance(terms, tuple) and len(terms) == 2 and isinstance(terms[1], Convention | str)):
        raise TypeError(f"{where}: expected (grades, Convention), got {quoted(terms)}")
    return Ranking(terms[0], as_convention(terms[1]))


def _others(values: Values, right: float) -> dict[str, float]:
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
