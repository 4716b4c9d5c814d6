"""The measures of a ranking as printed numbers state them: their verdicts, their terms, and how they go wrong.

A measure takes other values when one thing goes wrong: another choice, a wrong term, a learner's mistake. They are what
a printed number is held against, to find how it may have come about.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import product
from operator import methodcaller
from typing import Any, ClassVar

from ndcg_ref.conventions.convention import STANDARD, Convention, as_convention, ideal_cutoff
from ndcg_ref.conventions.validation import as_cutoff, as_highest_grade, as_persistence, as_sequence, quoted
from ndcg_ref.formulas import plain
from ndcg_ref.formulas.measured_ranking import MEASURES, Ranking
from ndcg_ref.stated import subject
from ndcg_ref.stated.claim import Term
from ndcg_ref.stated.number import Number, as_value, as_values
from ndcg_ref.stated.subject import Quantity, Settings, Subject, Values

# What texts choose between; each more of them would explain more numbers by chance
OTHER_CHOICES: list[tuple[str, dict[str, Any]]] = [
    *((f"gain {each}", {"gain": each}) for each in ("linear", "exponential")),
    *((f"discount {each}", {"discount": each}) for each in ("log(rank+1)", "log(rank)", "none")),
    *((f"log base {name}", {"base": base}) for name, base in (("2", 2), ("e", math.e), ("10", 10))),
]
EARLY = (1, 2, 3, 4)  # the decimals to which learners round their terms
CHOICES = ("gain", "discount", "base")
MOST_GRADES = 1_000
SUMS, DISCOUNTED = ("DCG", "IDCG", "CG"), ("NDCG", "DCG", "IDCG")

Make = Callable[[Sequence[Any], Convention], list[float]]  # the terms of a sum


def _grades(text: str, name: str) -> list[float]:
    count = len(re.findall(r"[^\s,]+", text))
    if count > MOST_GRADES:  # before they are read
        raise ValueError(f"{name}: expected at most {MOST_GRADES:,} numbers, got {count:,}")
    return as_values(text, name)


def _whole(text: str, name: str) -> int:
    if not re.fullmatch(r"0*[1-9][0-9]{0,17}", text):
        raise ValueError(f"{name}: expected a {name.replace('k', 'cutoff')} of at least 1, got {quoted(text)}")
    return int(text)


_SETTINGS: dict[str, Callable[[str, str], Any]] = {
    "grades": _grades,
    "judged": _grades,
    "k": _whole,
    "as": lambda text, _: text,  # a preset may have a convention of its own for DCG
    "gain": lambda text, name: _grades(text, name) if text[:1].isdecimal() else text,
    "discount": lambda text, _: text,
    "base": lambda text, name: math.e if text == "e" else as_value(text, name),
    "rel": as_value,
    "relevant": _whole,
    "max_rel": lambda text, name: as_highest_grade(as_value(text, name)),
    "p": lambda text, name: as_persistence(as_value(text, name)),
}
# What `Ranking` calls them where it has another name
_CALLED = {"as": "convention", "rel": "threshold", "max_rel": "highest_grade", "p": "persistence"}


def _made(**said: Any) -> Ranking:
    read = {_CALLED.get(name, name): value for name, value in said.items()}
    choices = {name: read.pop(name) for name in CHOICES if name in read}
    convention = as_convention(read.get("convention", "STANDARD"))  # refuses an unknown name
    if choices:
        read["convention"] = replace(convention, **choices)
    return Ranking(**read)


class RankingSubject(Subject):
    """The measures of a ranking: its grades, and what else a measure needs."""

    aliases: ClassVar = {"R": "relevant"}
    replaces: ClassVar = {
        "grades": ("judged", "relevant"),
        "as": CHOICES,
    }  # another ranking has judged documents of its own
    usage = "rbp(1, 0; p=0.8)"
    sum_form = "(grades, Convention)"
    rows = "k"

    def check(self, said: Settings) -> None:
        """Refuse also what is no grade."""
        self.example({"grades": "0", **said}).value("NDCG")

    def describe(self, quantity: str, example: Ranking, said: Settings) -> str:
        """The measure with its cutoff, its grades, and the choices."""
        grades, judged = (", ".join(f"{grade:g}" for grade in each) for each in (example.grades, example.judged or ()))
        parts = [f"{example.called(quantity)} of {grades}", f"judged {judged}" if judged else "", said.get("as", "")]
        parts += [f"{name}={said[name]}" for name in list(_SETTINGS)[4:] if name in said]
        return ", ".join(filter(None, parts))

    def log_base(self, example: Ranking) -> float:
        """That of the discount."""
        return example.rule().base

    def sum_of(self, terms: Any) -> tuple[Quantity, Ranking] | None:
        """DCG."""
        if not (isinstance(terms, tuple) and len(terms) == 2 and isinstance(terms[1], Convention | str)):
            return None
        grades = list(as_sequence(terms[0], "grades"))
        return self["DCG"], Ranking(grades, convention=as_convention(terms[1]))


RANKING = RankingSubject("ranking", _made, _SETTINGS)


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
    rule, names = as_convention(convention), sorted(name.lower() for name in MEASURES)
    if measure not in names:
        raise ValueError(f"measure: expected one of {', '.join(names)}, got {quoted(measure)}")
    ranking = Ranking(list(grades), judged=None if judged is None else list(judged), k=as_cutoff(k), convention=rule)
    return RANKING[measure.upper()].alternatives(ranking)


@RANKING.alternative(
    "convention",
    "one choice differs: gain, discount, base of the logarithm, ideal, or the cutoff by one",
    of=MEASURES,
    then_rounded=True,
)
def _changes(measure: str, ranking: Ranking) -> Iterator[tuple[str, Callable[[], float]]]:
    """Each single choice changed: its label, and the value with it."""

    def value(**changed: Any) -> Callable[[], float]:
        return lambda: replace(ranking, **changed).value(measure)

    if measure != "CG":
        for label, choice in OTHER_CHOICES:
            yield label, value(convention=replace(ranking.rule(measure), **choice))
    if measure in ("IDCG", "NDCG"):  # named before the cutoffs: the likelier mistakes
        if measure == "IDCG":
            yield "ideal not cut", value(k=None)
        yield "ideal of the ranking alone", value(judged=None)
        if ranking.k is not None:
            first = ranking.grades[: ranking.k]
            yield f"ideal of the first {len(first)}", value(grades=first, judged=None, k=None)
        if measure == "NDCG":
            own = replace(ranking, convention=ranking.rule())  # a preset may have another one for DCG
            yield "ideal not cut", lambda: own.value("DCG") / replace(own, k=None).value("IDCG")
    cutoff = len(ranking.grades) if ranking.k is None else ranking.k
    for other in range(max(1, cutoff - 1), cutoff + 2):
        yield f"cutoff {other}", value(k=other)


@RANKING.alternative(
    "term",
    "one term of the sum is wrong: it was left out, added twice, not discounted, multiplied by its discount, or given "
    "the discount of the rank above or below, or the −1 of its gain was forgotten",
    of=MEASURES,
)
def _term_slips(measure: str, ranking: Ranking) -> Iterator[tuple[str, Callable[[], float]]]:
    """Each term of a sum wrong in each way: its label, and the sum with it."""
    if measure == "NDCG":  # a ratio has no terms of its own: its operands do
        return
    terms = terms_of(measure, ranking)
    exact = [term.exact for term in terms]
    for i, term in enumerate(terms):
        for label, wrong in term.variants.items():
            others = [*exact[:i], wrong, *exact[i + 1 :]]
            yield label, lambda others=others: math.fsum(others)  # type: ignore[misc]


def _term_variants(
    gain: float, rank: int, divisors: Sequence[float], convention: Convention
) -> Iterator[tuple[str, float]]:
    """One term, wrong in each way: what went wrong, and what the term then is."""
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


def _with_terms(measure: str, ranking: Ranking, make: Make, order: Sequence[Any] | None = None) -> Callable[[], float]:
    """The measure, its sums being of the terms that are made; `order` is what stands for the ideal."""
    convention, grades = ranking.rule(measure), ranking.summed("DCG").grades
    ideal = ranking.summed("IDCG").grades if order is None else order
    if measure != "NDCG":
        return lambda: math.fsum(make(grades if measure == "DCG" else ideal, convention))
    return lambda: math.fsum(make(grades, convention)) / math.fsum(make(ideal, convention))


@RANKING.alternative("minus-one", "the −1 of the exponential gain was forgotten in every term", of=DISCOUNTED)
def _minus_one(measure: str, ranking: Ranking) -> Values:
    if ranking.rule(measure).gain == "exponential":
        yield "2^grade as the gain", _with_terms(measure, ranking, partial(_terms, more=1))


@RANKING.alternative("unsorted-ideal", "the ideal was not sorted", of=("IDCG", "NDCG"))
def _unsorted_ideal(measure: str, ranking: Ranking) -> Values:
    for order, label in _orders(ranking, ranking.summed("IDCG").grades).items():
        yield label, _with_terms(measure, ranking, _terms, order)


@RANKING.alternative("exchanged", "numerator and denominator were exchanged", of=("NDCG",))
def _exchanged(measure: str, ranking: Ranking) -> Values:
    rule, grades, ideal = ranking.rule(), ranking.summed("DCG").grades, ranking.summed("IDCG").grades
    yield "IDCG divided by DCG", lambda: _total(ideal, rule)[0] / _total(grades, rule)[0]


@RANKING.alternative(
    "first-rank-dropped",
    "gains were divided by the logarithm of the rank, and rank 1 was dropped, as log2(1) is 0",
    of=DISCOUNTED,
)
def _first_rank_dropped(measure: str, ranking: Ranking) -> Values:
    yield "rank 1 dropped, the others divided by log(rank)", _with_terms(measure, ranking, _terms_from_rank_2)


@RANKING.alternative(
    "rounded-early",
    "numbers were rounded on the way: the terms before they were added, or the sums before they were divided",
    of=DISCOUNTED,
    stage=subject.EARLY,
)
def _rounded_early(measure: str, ranking: Ranking) -> Values:
    rounded = {"DCG and IDCG": _total, "terms": _terms} if measure == "NDCG" else {"terms": _terms}
    for (what, make), decimals in product(rounded.items(), EARLY):
        said = f"{what} rounded to {decimals} decimal{'s' if decimals > 1 else ''}"
        yield said, _with_terms(measure, ranking, _rounded(make, decimals))


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


def terms_of(measure: str, ranking: Ranking) -> tuple[Term, ...]:
    r"""The terms of DCG, IDCG or CG, none of them printed.

    >>> [term.formula for term in terms_of("DCG", Ranking([2, 3]))]
    ['2', '\\frac{3}{\\log_2 3}']
    """
    added = ranking.summed(measure)
    convention = added.rule()
    gained = plain.gains(added.grades, convention)
    divisors = plain.discounts(len(gained) + 1, convention)
    unread = Number("", 0, Fraction(1))
    return tuple(
        Term(
            f"rank {rank}",
            gain,
            divisors[rank - 1],
            unread,
            formula=_formula(rank, grade, divisors[rank - 1], convention),
            variants=dict(_term_variants(gain, rank, divisors, convention)),
            printed=False,
        )
        for rank, (grade, gain) in enumerate(zip(added.grades, gained, strict=True), start=1)
    )


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


def _alone(symbol: str) -> str:
    """A symbol with a cutoff, or where it is all that a name says."""
    return rf"{symbol}(?=[@_][0-9k])|^\W*(?:the\s)?(?:(?:mean|average)\s)?(?:of\s)?{symbol}(?=\W*$|,|\s(?:at|of)\s)"


_GAINED, _OF_SETS = ("k", "judged", "as", *CHOICES), ("k", "judged", "rel", "relevant")
_NDCG = r"n[-_]?d?cg|normali[sz]ed\s(?:discounted\s)?(?:cumulat\w+|dcg)|i?dcg[\w@()]*\s?[/÷]\s?i-?dcg"
_OF_GAINS = r"i?d?cg|cumulat\w+\sgain|(?:gain|discount)s?"
_MEASURES: dict[str, tuple[str, Sequence[str]]] = {
    # measure: how texts write it, and what it takes
    "NDCG": (_NDCG, _GAINED),
    **dict.fromkeys((*SUMS, "ICG"), (_OF_GAINS, _GAINED)),
    "AP": (r"m?ap|average[\s_](?:prec|precision)", _OF_SETS),
    "RR": (r"m?rr|(?:reciprocal|recip)[\s_]rank", ("k", "rel")),
    "P": (rf"prec|precision|{_alone('(?-i:P)')}", ("k", "rel")),
    "recall": (rf"recall|{_alone('(?-i:R)')}", _OF_SETS),
    "R-precision": ("r-?(?:prec|precision)", _OF_SETS[1:]),
    "success": (_alone("(?:success|judged)"), ("k", "rel")),
    "ERR": ("err", ("k", "max_rel")),
    "RBP": (r"rbp|rank[-\s]biased[\s_](?:prec|precision)", ("k", "p", "max_rel")),
}
for _measure, (_symbols, _takes) in _MEASURES.items():
    RANKING.quantity(
        _measure,
        _symbols,
        range=(0, math.inf) if _measure in (*SUMS, "ICG") else (0, 1),
        takes=_takes,
        needs=("grades", *{"ERR": ["max_rel"], "RBP": ["p"]}.get(_measure, [])),
        **{"terms": partial(terms_of, _measure)} if _measure in SUMS else {},
        **{"of": ("DCG", "IDCG")} if _measure == "NDCG" else {},
    )(methodcaller("value", _measure))
