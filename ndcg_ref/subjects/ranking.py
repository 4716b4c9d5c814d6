"""The measures of a ranking as printed numbers state them: their verdicts, their terms, and how they go wrong.

A measure takes other values when one thing goes wrong: another choice, a wrong term, a learner's mistake. They are what
a printed number is held against, to find how it may have come about; `ndcg_ref.stated.causes` says what each is called.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from typing import Any

from ndcg_ref.conventions.convention import STANDARD, Convention, ideal_cutoff
from ndcg_ref.conventions.lookup import as_convention
from ndcg_ref.conventions.validation import as_cutoff, as_sequence, quoted
from ndcg_ref.formulas import plain
from ndcg_ref.formulas.measured_ranking import Ranking
from ndcg_ref.stated.claim import Alternatives, Claim, Term, merged, total
from ndcg_ref.stated.number import Number, Working
from ndcg_ref.stated.verdict import Verdict, claim_of, verdict_on

# What texts choose between; each more of them would explain more numbers by chance
GAINS = ("linear", "exponential")
DISCOUNTS = ("log(rank+1)", "log(rank)", "none")
EARLY = (1, 2, 3, 4)  # the decimals to which learners round their terms

Values = Iterable[tuple[str, Callable[[], float]]]  # what was done, and the value with it
Make = Callable[[Sequence[Any], Convention], list[float]]  # the terms of a sum


def judge_measure(  # noqa: PLR0913 - what `judge` takes, with a ranking
    stated: str | Number,
    measure: str,
    ranking: Ranking,
    name: str | None = None,
    *,
    operands: Sequence[str | Number | Verdict] | None = None,
    working: Working | None = None,
    alternatives: Alternatives | None = None,
    by_terms: bool = False,
) -> Verdict:
    """Hold a printed number against a measure of a ranking.

    The name is by default the measure with its cutoff; operands and working are as for `ndcg_ref.stated.judge`. The
    alternatives come on top of those of `alternatives_for`. `by_terms` says that the number was worked out from the
    terms of its sum, which are not printed.

    >>> print(judge_measure("2.63", "DCG", Ranking([2, 0, 1])))
    ✗ slip: DCG: stated 2.63, computed 2.50000, correct 2.50; consistent with convention, term
    """
    name = ranking.called(measure) if name is None else name
    claim = claim_of(stated, ranking.value(measure), name, operands=operands, working=working)
    if claim.is_slip:
        claim = replace(claim, alternatives=merged(alternatives_of(measure, ranking), alternatives or {}))
        claim = _with_terms(claim, MeasuredSum(measure, ranking).terms) if by_terms else claim
    return verdict_on(claim)


def _with_terms(claim: Claim, terms: Sequence[Term]) -> Claim:
    """The claim, with terms that its number adds up, where it is no exact one."""
    if claim.number.exact or not terms or not math.isclose(math.fsum(term.exact for term in terms), claim.exact):
        return claim
    added = tuple(term.rounded_as(claim.number) for term in terms)
    return replace(claim, terms=added, operands=tuple(term.operand for term in added), working=total)


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
    names = [name.lower() for name in ("CG", "DCG", "IDCG", "NDCG")]
    rule = as_convention(convention)
    if measure not in names:
        raise ValueError(f"measure: expected one of {', '.join(names)}, got {quoted(measure)}")
    known = None if judged is None else list(judged)
    return alternatives_of(measure.upper(), Ranking(list(grades), judged=known, k=as_cutoff(k), convention=rule))


def alternatives_of(measure: str, ranking: Ranking) -> dict[str, dict[str, float]]:
    """As `alternatives_for`, of a ranking and a measure in capitals.

    >>> list(alternatives_of("CG", Ranking([2, 1]))["convention"])
    ['cutoff 1']
    """
    ranking = replace(ranking, convention=ranking.rule(measure))
    right = ranking.value(measure)
    found: dict[str, Values] = {
        "convention": _changes(measure, ranking),
        "term": _term_slips(ranking.summed(measure)) if measure != "NDCG" else (),
    }
    if measure != "CG":
        found |= _mistakes(measure, ranking)
    return {kind: _others(values, right) for kind, values in found.items()}


def _changes(measure: str, ranking: Ranking) -> Iterator[tuple[str, Callable[[], float]]]:
    """Each single choice changed: its label, and the value with it."""

    def value(**changed: Any) -> Callable[[], float]:
        return lambda: replace(ranking, **changed).value(measure)

    if measure != "CG":
        for label, rule in other_rules(ranking.rule()):
            yield label, value(convention=rule)
    if measure in ("IDCG", "NDCG"):  # named before the cutoffs: the likelier mistakes
        if measure == "IDCG":
            yield "ideal not cut", value(k=None)
        yield "ideal of the ranking alone", value(judged=None)
        if ranking.k is not None:
            first = ranking.grades[: ranking.k]
            yield f"ideal of the first {len(first)}", value(grades=first, judged=None, k=None)
        if measure == "NDCG":
            yield "ideal not cut", lambda: ranking.value("DCG") / replace(ranking, k=None).value("IDCG")
    cutoff = len(ranking.grades) if ranking.k is None else ranking.k
    for other in range(max(1, cutoff - 1), cutoff + 2):
        yield f"cutoff {other}", value(k=other)


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


def _term_slips(ranking: Ranking) -> Iterator[tuple[str, Callable[[], float]]]:
    """Each term of a sum wrong in each way: its label, and the sum with it."""
    convention = ranking.rule()
    gained = plain.gains(ranking.grades, convention)
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


def _mistakes(measure: str, ranking: Ranking) -> dict[str, Values]:
    """What learners get wrong throughout a sum or a ratio, by the code of its cause."""
    convention, grades = ranking.rule(), ranking.summed("DCG").grades
    ideal = ranking.summed("IDCG").grades

    def with_terms(make: Make, over: Sequence[Any] = ideal) -> Callable[[], float]:
        """The measure, its sums being of the terms that are made; `over` is what stands for the ideal."""
        if measure != "NDCG":
            return lambda: math.fsum(make(grades if measure == "DCG" else over, convention))
        return lambda: math.fsum(make(grades, convention)) / math.fsum(make(over, convention))

    rounded = {"DCG and IDCG": _total, "terms": _terms} if measure == "NDCG" else {"terms": _terms}
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
    if measure != "DCG":
        orders = _orders(ranking, ideal)
        found["unsorted-ideal"] = [(label, with_terms(_terms, order)) for order, label in orders.items()]
    if measure == "NDCG":
        found["exchanged"] = [
            ("IDCG divided by DCG", lambda: _total(ideal, convention)[0] / _total(grades, convention)[0])
        ]
    return found


def _orders(ranking: Ranking, ideal: Sequence[Any]) -> dict[tuple[Any, ...], str]:
    """The grades that may be taken for the ideal without sorting them, each order with its name."""
    judged = ranking.ideal_pool
    cut = ideal_cutoff(ranking.k, len(ranking.grades), ranking.rule())
    right = "the ideal of the right documents in the order of the"
    named = {
        "the ideal in the order of the ranking": ranking.grades[:cut],
        "the ideal in the order of the judgments": judged[: len(ideal)],
        f"{right} ranking": _kept([*ranking.grades, *judged], ideal),  # those that were not retrieved come last
        f"{right} judgments": _kept(judged, ideal),
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
class MeasuredSum:
    r"""DCG, IDCG or CG of a ranking, as a sum: its terms, and what else it may be; NDCG is no sum, and has no terms.

    >>> [term.formula for term in MeasuredSum("DCG", Ranking([2, 3])).terms]
    ['2', '\\frac{3}{\\log_2 3}']
    """

    measure: str
    ranking: Ranking

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """Its terms, none of them printed."""
        if self.measure == "NDCG":
            return ()
        added = self.ranking.summed(self.measure)
        convention = added.rule()
        gained = plain.gains(added.grades, convention)
        divisors = plain.discounts(len(gained) + 1, convention)
        unread = Number("", 0, Fraction(1))
        return tuple(
            Term(
                rank,
                gain,
                divisors[rank - 1],
                unread,
                formula=_formula(rank, grade, divisors[rank - 1], convention),
                variants=dict(term_variants(gain, rank, divisors, convention)),
                printed=False,
            )
            for rank, (grade, gain) in enumerate(zip(added.grades, gained, strict=True), start=1)
        )

    @property
    def log_base(self) -> float:
        """The base of a logarithm that is printed without one."""
        return self.ranking.rule().base

    @property
    def alternatives(self) -> dict[str, dict[str, float]]:
        """Its values with one thing wrong, by the code of a cause and by what was done."""
        return alternatives_of(self.measure, self.ranking)


def _formula(rank: int, grade: Any, divisor: float, convention: Convention) -> str:
    """A term in LaTeX; empty where the convention has a table or a function of its own."""
    shown = f"{float(grade):g}"
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


def as_sum(terms: Any, where: str) -> MeasuredSum:
    """The DCG of (grades, Convention), as `ndcg_ref.stated` takes it under ``terms=``; or a refusal."""
    if not (isinstance(terms, tuple) and len(terms) == 2 and isinstance(terms[1], Convention | str)):
        raise TypeError(f"{where}: expected (grades, Convention), got {quoted(terms)}")
    grades, convention = list(as_sequence(terms[0], "grades")), as_convention(terms[1])
    return MeasuredSum("DCG", Ranking(grades, convention=convention))


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
