"""Each formula as it is printed, in plain Python loops: the specification.

The names and parameters are those of `ndcg_ref.measures`, where each function says its formula, its parameters, what it
refuses and its source. Neither module calls the other: they are two witnesses, and the tests hold each to the other.
What is said in `ndcg_ref.convention` holds here: ranks count from 1, best first. A list stands where the other has an
array.
"""

import math
from collections import Counter
from collections.abc import Iterable
from typing import Any

from ndcg_ref.convention import (
    STANDARD,
    Convention,
    as_convention,
    as_cutoff,
    as_divisor,
    as_grade,
    as_highest_grade,
    as_persistence,
    as_sequence,
    as_whole,
    missing_gain,
    missing_judgment,
    negative_grade,
    off_scale,
    overflowing_gain,
    overflowing_sum,
    placed,
    worth_without_ideal,
)


def gains(grades: Iterable[Any], convention: Convention = STANDARD) -> list[float]:
    """What each document of a ranking is worth.

    The plain twin of `ndcg_ref.gains`.

    Examples
    --------
    >>> from ndcg_ref import EXPONENTIAL
    >>> gains([3, 0, 1], EXPONENTIAL)
    [7.0, 0.0, 1.0]
    """
    return [_gain(grade, convention, where) for grade, where in _graded(grades, convention, "grades")]


def discounts(n: int, convention: Convention = STANDARD) -> list[float]:
    """What the gain at each of the first n ranks is divided by.

    The plain twin of `ndcg_ref.discounts`.

    Examples
    --------
    >>> discounts(3)
    [1.0, 1.584962500721156, 2.0]
    """
    as_convention(convention)
    return [_discount(rank, convention) for rank in range(1, as_whole(n, "n", least=0) + 1)]


def cg(grades: Iterable[Any], k: int | None = None) -> float:
    """Cumulated gain: the grades of the first k ranks, added up as they are.

    The plain twin of `ndcg_ref.cg`.

    Examples
    --------
    >>> cg([2, 3, 1], k=2)
    5.0
    """
    return _sum(_numbers(grades, "grades")[: as_cutoff(k)])


def dcg(grades: Iterable[Any], k: int | None = None, convention: Convention = STANDARD) -> float:
    """Discounted cumulated gain of one ranking.

    The plain twin of `ndcg_ref.dcg`.

    Examples
    --------
    >>> dcg([2, 0, 1])
    2.5
    """
    return _discounted_sum(gains(grades, convention)[: as_cutoff(k)], convention)


def idcg(
    grades: Iterable[Any], k: int | None = None, convention: Convention = STANDARD, judged: Iterable[Any] | None = None
) -> float:
    """DCG of the ideal ranking: the judged documents by grade, best first.

    The plain twin of `ndcg_ref.idcg`.

    Examples
    --------
    >>> idcg([0, 1, 2])
    2.6309297535714578
    """
    return _discounted_sum(_ideal_gains(grades, convention, judged)[: as_cutoff(k)], convention)


def ndcg(
    grades: Iterable[Any], k: int | None = None, convention: Convention = STANDARD, judged: Iterable[Any] | None = None
) -> float:
    """Normalised discounted cumulated gain: the DCG as a share of the best possible one.

    The plain twin of `ndcg_ref.ndcg`.

    Examples
    --------
    >>> ndcg([2, 1, 0])
    1.0
    """
    grades = list(as_sequence(grades, "grades"))
    return _ratio(dcg(grades, k, convention), idcg(grades, k, convention, judged), convention)


def cg_by_rank(grades: Iterable[Any]) -> list[float]:
    """Cumulated gain at every rank.

    The plain twin of `ndcg_ref.cg_by_rank`.

    Examples
    --------
    >>> cg_by_rank([2, 3, 1])
    [2.0, 5.0, 6.0]
    """
    values = _numbers(grades, "grades")
    return [_sum(values[:rank]) for rank in range(1, len(values) + 1)]


def dcg_by_rank(grades: Iterable[Any], convention: Convention = STANDARD) -> list[float]:
    """Discounted cumulated gain at every rank.

    The plain twin of `ndcg_ref.dcg_by_rank`.

    Examples
    --------
    >>> dcg_by_rank([2, 0, 1])
    [2.0, 2.0, 2.5]
    """
    gained = gains(grades, convention)
    return [_discounted_sum(gained[:rank], convention) for rank in range(1, len(gained) + 1)]


def idcg_by_rank(
    grades: Iterable[Any], convention: Convention = STANDARD, judged: Iterable[Any] | None = None
) -> list[float]:
    """Ideal DCG at every rank of the ranking.

    The plain twin of `ndcg_ref.idcg_by_rank`.

    Examples
    --------
    >>> idcg_by_rank([0, 0, 2])
    [2.0, 2.0, 2.0]
    """
    grades = list(as_sequence(grades, "grades"))
    ideal = _ideal_gains(grades, convention, judged)
    return [_discounted_sum(ideal[:rank], convention) for rank in range(1, len(grades) + 1)]


def ndcg_by_rank(
    grades: Iterable[Any], convention: Convention = STANDARD, judged: Iterable[Any] | None = None
) -> list[float]:
    """NDCG at every rank.

    The plain twin of `ndcg_ref.ndcg_by_rank`.

    Examples
    --------
    >>> ndcg_by_rank([0, 0, 2])
    [0.0, 0.0, 0.5]
    """
    grades = list(as_sequence(grades, "grades"))
    pairs = zip(dcg_by_rank(grades, convention), idcg_by_rank(grades, convention, judged), strict=True)
    return [_ratio(gained, ideal, convention) for gained, ideal in pairs]


def mean_ndcg(rankings: Iterable[Iterable[Any]], k: int | None = None, convention: Convention = STANDARD) -> float:
    """NDCG of a data set: the mean over its queries.

    The plain twin of `ndcg_ref.mean_ndcg`.

    Examples
    --------
    >>> mean_ndcg([[2, 1, 0], [0, 0, 1], [0, 0]])
    0.75
    """
    k, convention = as_cutoff(k), as_convention(convention)
    scores = [
        _placed(ndcg, i, ranking, k, convention)
        for i, ranking in enumerate(as_sequence(rankings, "rankings", "rankings"))
    ]
    defined = [score for score in scores if not math.isnan(score)]
    if not defined:
        if convention.zero_ideal == "error":
            raise ValueError("rankings: expected at least one query with an NDCG, got none")
        return math.nan
    return _sum(defined) / len(defined)


def pooled_ndcg(rankings: Iterable[Iterable[Any]], k: int | None = None, convention: Convention = STANDARD) -> float:
    """NDCG of a data set as one ratio: the DCG of all queries over their ideal DCG.

    The plain twin of `ndcg_ref.pooled_ndcg`.

    Examples
    --------
    >>> pooled_ndcg([[9, 0, 0], [0, 0, 1]])
    0.95
    """
    k, convention = as_cutoff(k), as_convention(convention)
    gained, ideal = [], []
    for i, ranking in enumerate(as_sequence(rankings, "rankings", "rankings")):
        grades = list(_placed(as_sequence, i, ranking, "grades"))
        best = _placed(idcg, i, grades, k, convention)
        if best != 0:
            gained.append(_placed(dcg, i, grades, k, convention))
            ideal.append(best)
    return _ratio(_sum(gained), _sum(ideal), convention)


def precision_at_relevant(grades: Iterable[Any], threshold: float | None = None) -> list[float]:
    """Precision at the rank of each relevant document.

    The plain twin of `ndcg_ref.precision_at_relevant`.

    Examples
    --------
    >>> precision_at_relevant([1, 0, 2])
    [1.0, 0.6666666666666666]
    """
    limit = None if threshold is None else as_grade(threshold, "threshold")
    found: list[float] = []
    for rank, grade in enumerate(_numbers(grades, "grades"), start=1):
        if (grade > 0) if limit is None else (grade >= limit):
            found.append((len(found) + 1) / rank)
    return found


def average_precision(grades: Iterable[Any], threshold: float | None = None, relevant: int | None = None) -> float:
    """Mean of the precision at the rank of each relevant document.

    The plain twin of `ndcg_ref.average_precision`.

    Examples
    --------
    >>> average_precision([1, 0, 1, 0], relevant=4)
    0.41666666666666663
    """
    found = precision_at_relevant(grades, threshold)
    wanted = len(found) if relevant is None else as_whole(relevant, "relevant", len(found))
    return _sum(found) / wanted if wanted else math.nan


def expected_reciprocal_rank(grades: Iterable[Any], highest_grade: float, k: int | None = None) -> float:
    """Expected reciprocal of the rank at which a reader, going down the ranking, is satisfied and stops.

    The plain twin of `ndcg_ref.expected_reciprocal_rank`.

    Examples
    --------
    >>> expected_reciprocal_rank([1, 1], highest_grade=1)
    0.625
    """
    highest = as_highest_grade(highest_grade)
    if highest >= 1024:
        raise overflowing_gain("highest_grade", highest)
    terms = []
    comes = 1.0  # the chance that the reader comes to this rank
    for rank, grade in enumerate(_on_scale(grades, highest)[: as_cutoff(k)], start=1):
        stops = (2.0**grade - 1) / 2.0**highest
        terms.append(comes * stops / rank)
        comes *= 1 - stops
    return _sum(terms)


def rank_biased_precision(
    grades: Iterable[Any], persistence: float, highest_grade: float = 1, k: int | None = None
) -> float:
    """Rank-biased precision: what a reader gains at each look, who goes on to the next rank with a fixed chance.

    The plain twin of `ndcg_ref.rank_biased_precision`.

    Examples
    --------
    >>> rank_biased_precision([1, 0, 1], persistence=0.5)
    0.625
    """
    persistence, highest = as_persistence(persistence), as_highest_grade(highest_grade)
    terms = []
    for rank, grade in enumerate(_on_scale(grades, highest)[: as_cutoff(k)], start=1):
        terms.append(persistence ** (rank - 1) * grade / highest)
    return (1 - persistence) * _sum(terms)


def _numbers(grades: Any, where: str) -> list[float]:
    return [as_grade(grade, f"{where}[{i}]") for i, grade in enumerate(as_sequence(grades, where))]


def _on_scale(grades: Any, highest: float) -> list[float]:
    values = _numbers(grades, "grades")
    for i, grade in enumerate(values):
        if not 0 <= grade <= highest:
            raise off_scale(f"grades[{i}]", grade, highest)
    return values


def _graded(grades: Any, convention: Convention, where: str) -> list[tuple[float, str]]:
    """Each grade, and its place, after the convention has had its word on negative ones."""
    as_convention(convention)
    graded = []
    for i, grade in enumerate(_numbers(grades, where)):
        if grade < 0 and convention.negative == "error":
            raise negative_grade(f"{where}[{i}]", grade)
        graded.append((max(grade, 0.0) if convention.negative == "clamp" else grade, f"{where}[{i}]"))
    return graded


def _gain(grade: float, convention: Convention, where: str) -> float:
    gain: Any = convention.gain
    if gain == "linear":
        return grade
    if gain == "exponential":
        if grade >= 1024:
            raise overflowing_gain(where, grade)
        return float(2.0**grade - 1)
    if callable(gain):
        return as_grade(gain(grade), f"gain of {where} = {grade:g}")
    table = gain if isinstance(gain[0], tuple) else list(enumerate(gain))
    for level, worth in table:
        if level == grade:
            return float(worth)
    raise missing_gain(where, grade, [level for level, _ in table])


def _discount(rank: int, convention: Convention) -> float:
    discount: Any = convention.discount
    if discount == "none":
        return 1.0
    if discount == "log(rank+1)":
        return math.log2(rank + 1) / math.log2(convention.base)
    if discount == "log(rank)":
        return max(1.0, math.log2(rank) / math.log2(convention.base))
    return as_divisor(discount(rank), rank)


def _discounted_sum(gained: list[float], convention: Convention) -> float:
    return _sum([gain / _discount(rank, convention) for rank, gain in enumerate(gained, start=1)])


def _ideal_gains(grades: Any, convention: Convention, judged: Any) -> list[float]:
    """The gains of the ideal ranking; an unjudged document of the ranking counts as one of grade 0."""
    ranked = _graded(grades, convention, "grades")
    ideal = ranked if judged is None else _graded(judged, convention, "judged")
    missing = Counter(grade for grade, _ in ranked) - Counter(grade for grade, _ in ideal)
    for grade, count in missing.items():
        if grade != 0 or _gain(0.0, convention, "grades") != 0:
            raise missing_judgment(grade)
        ideal = ideal + [(0.0, "judged")] * count
    best_first = sorted(ideal, key=lambda pair: pair[0], reverse=True)
    return [_gain(grade, convention, where) for grade, where in best_first]


def _ratio(gained: float, ideal: float, convention: Convention) -> float:
    return gained / ideal if ideal != 0 else worth_without_ideal(convention)


def _sum(terms: list[float]) -> float:
    try:
        total = math.fsum(terms)
    except (OverflowError, ValueError):  # beyond the range, or the difference of two terms beyond it
        raise overflowing_sum() from None
    if math.isinf(total):
        raise overflowing_sum()
    return total


def _placed(function: Any, i: int, *arguments: Any) -> Any:
    """Call `function` for the i-th ranking, and let a refusal say so."""
    try:
        return function(*arguments)
    except (TypeError, ValueError) as error:
        raise placed(error, i) from None
