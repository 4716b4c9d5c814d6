"""The formulas over numpy arrays: gain, discount, and every score made of them.

As in `ndcg_ref.conventions.convention`, ranks count from 1, and `grades` is one ranking, best rank first. Wherever a
convention is expected, the name of a preset may be given; an unknown name is a ValueError. `ndcg_ref.formulas.plain`
has the same functions as loops; neither module calls the other. The measures without gains and discounts are in
`ndcg_ref.formulas.relevance`, and have their names here too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ndcg_ref.conventions.convention import STANDARD, Convention, as_convention, ideal_cutoff, value_without_ideal
from ndcg_ref.conventions.validation import (
    MOST_RANKS,
    as_cutoff,
    as_divisor,
    as_grade,
    as_sequence,
    as_whole,
    finite_sum,
    missing_gain,
    refusal,
)
from ndcg_ref.formulas.batch import Floats, Grades, as_array
from ndcg_ref.formulas.relevance import average_precision as average_precision
from ndcg_ref.formulas.relevance import expected_reciprocal_rank as expected_reciprocal_rank
from ndcg_ref.formulas.relevance import judgment_rate as judgment_rate
from ndcg_ref.formulas.relevance import precision_at_relevant as precision_at_relevant
from ndcg_ref.formulas.relevance import r_precision as r_precision
from ndcg_ref.formulas.relevance import rank_biased_precision as rank_biased_precision
from ndcg_ref.formulas.relevance import recall as recall
from ndcg_ref.formulas.relevance import success as success


def gains(grades: Grades, convention: Convention | str = STANDARD) -> Floats:
    r"""The gain of each document of a ranking.

    Under the linear gain that is

    .. math:: g(\ell) = \ell

    and under the exponential one

    .. math:: g(\ell) = 2^{\ell} - 1

    Under the binary gain it is 1 for every grade above 0, else 0. A custom gain is looked up in its table, or called.

    Parameters
    ----------
    grades : array_like of float, shape (n,)
        Relevance grade :math:`\ell_r` at each rank, best rank first.
    convention : Convention or str, optional
        Gain :math:`g`, and how negative grades are treated; or the name of a preset.

    Returns
    -------
    numpy.ndarray of float, shape (n,)
        The gain at each rank.

    Raises
    ------
    ValueError
        If a grade is not finite, negative where the convention refuses that, not in the gain table, or too large for
        an exponential gain; or if `grades` is not one flat list.
    TypeError
        If a grade is not a real number, or `grades` no sequence.

    References
    ----------
    Järvelin and Kekäläinen 2002, pages 422-446 (linear); Burges et al. 2005, pages 89-96 (exponential).

    Examples
    --------
    Under an exponential gain a 3 gains seven times what a 1 gains:

    >>> from ndcg_ref import EXPONENTIAL
    >>> gains([3, 0, 1], EXPONENTIAL)
    array([7., 0., 1.])
    """
    return _gains(as_array(grades, "grades"), as_convention(convention), "grades[{}]".format)


def discounts(n: int, convention: Convention | str = STANDARD) -> Floats:
    r"""What the gain at each of the first n ranks is divided by.

    Under "log(rank+1)" that is

    .. math:: d(r) = \log_b(r + 1)

    under "log(rank)", the original discount,

    .. math:: d(r) = \max(1, \log_b r)

    under "rank" it is the rank itself, and under "none" it is 1. A custom discount is called with the rank.

    Parameters
    ----------
    n : int
        Number of ranks, 0 or more.
    convention : Convention or str, optional
        Discount :math:`d` and base :math:`b` of the logarithm; or the name of a preset.

    Returns
    -------
    numpy.ndarray of float, shape (n,)
        The divisor at each rank, above 0.

    Raises
    ------
    ValueError
        If `n` is negative, not whole, or above 10**8, or a custom discount returns a divisor that is not above 0.
    TypeError
        If `n` is not a number.

    References
    ----------
    Järvelin and Kekäläinen 2002, pages 422-446, for the original, which leaves the ranks up to :math:`b` undiscounted.

    Examples
    --------
    Rank 3 halves the gain, since log2(3 + 1) is 2:

    >>> discounts(3).tolist()
    [1.0, 1.584962500721156, 2.0]
    """
    n, convention = as_whole(n, "n", least=0, most=MOST_RANKS), as_convention(convention)
    # math.log2 and not np.log2, whose last bit differs between processors
    log_base = math.log2(convention.base)
    match convention.discount:
        case "none":
            return np.ones(n)
        case "rank":
            return np.arange(1.0, n + 1)
        case "log(rank+1)":
            return np.array([math.log2(rank + 1) for rank in range(1, n + 1)]) / log_base
        case "log(rank)":
            return np.maximum(1.0, np.array([math.log2(rank) for rank in range(1, n + 1)]) / log_base)
        case own:
            return np.array([as_divisor(own(rank), rank) for rank in range(1, n + 1)])


def cg(grades: Grades, k: int | None = None) -> float:
    r"""Cumulated gain: the grades of the first k ranks, added up as they are.

    .. math:: \mathrm{CG}_k = \sum_{r=1}^{\min(k, n)} g(\ell_r)

    with :math:`g(\ell) = \ell`: each grade is its own gain.

    Parameters
    ----------
    grades : array_like of float, shape (n,)
        Relevance grade :math:`\ell_r` at each rank, best rank first; negative ones count as they are.
    k : int, optional
        Cutoff; without it all ranks count.

    Returns
    -------
    float
        The sum; 0.0 for an empty ranking.

    Raises
    ------
    ValueError
        If a grade is not finite, `grades` is not one flat list, or `k` is below 1 or not whole.
    TypeError
        If a grade is not a real number.

    References
    ----------
    Järvelin and Kekäläinen 2002, pages 422-446.

    Examples
    --------
    >>> cg([2, 3, 1], k=2)
    5.0
    """
    return finite_sum(as_array(grades, "grades")[: as_cutoff(k)].tolist())


def dcg(grades: Grades, k: int | None = None, convention: Convention | str = STANDARD) -> float:
    r"""Discounted cumulated gain of one ranking.

    .. math:: \mathrm{DCG}_k = \sum_{r=1}^{\min(k, n)} \frac{g(\ell_r)}{d(r)}

    Parameters
    ----------
    grades : array_like of float, shape (n,)
        Relevance grade :math:`\ell_r` at each rank, best rank first.
    k : int, optional
        Cutoff; without it all ranks count.
    convention : Convention or str, optional
        Gain :math:`g` and discount :math:`d`; or the name of a preset.

    Returns
    -------
    float
        Sum of discounted gains; 0.0 for an empty ranking.

    Raises
    ------
    ValueError
        If a grade is refused (see `gains`), or `k` is below 1 or not whole.
    TypeError
        If a grade is not a real number.

    References
    ----------
    Järvelin and Kekäläinen 2002, pages 422-446.

    Examples
    --------
    The grade 2 at rank 1 counts in full, the grade 1 at rank 3 by half:

    >>> dcg([2, 0, 1])
    2.5
    """
    convention = as_convention(convention, "DCG")
    return finite_sum(_discounted(gains(grades, convention)[: as_cutoff(k)], convention).tolist())


def idcg(
    grades: Grades, k: int | None = None, convention: Convention | str = STANDARD, judged: Grades | None = None
) -> float:
    r"""DCG of the ideal ranking: the judged documents, the largest gain first.

    .. math:: \mathrm{IDCG}_k = \sum_{r=1}^{\min(k, m)} \frac{g(\ell^*_r)}{d(r)}

    with :math:`\ell^*_r` the r-th of the :math:`m` judged grades in the order of their gains, best first; under
    ``ideal_order="grade"`` the r-th best grade.

    Parameters
    ----------
    grades : array_like of float, shape (n,)
        Relevance grade at each rank, best rank first.
    k : int, optional
        Cutoff; without it all judged documents count.
    convention : Convention or str, optional
        Gain :math:`g` and discount :math:`d`; or the name of a preset.
    judged : array_like of float, shape (m,), optional
        All judged grades of the query, those of the ranking among them, in any order; without it, the ranking's own.
        A grade 0 that gains nothing may be missing: it stands for an unjudged document.

    Returns
    -------
    float
        The ideal DCG; 0.0 for an empty ranking.

    Raises
    ------
    ValueError
        If a grade is refused (see `gains`), `judged` lacks a grade of the ranking, or `k` is below 1 or not whole.
    TypeError
        If a grade is not a real number.

    References
    ----------
    Järvelin and Kekäläinen 2002, pages 422-446.

    Examples
    --------
    The ideal of a query with grades 2 and 4 is 4 at rank 1 and 2 at rank 2; at cutoff 1 only the 4 counts:

    >>> idcg([2, 4], k=1)
    4.0
    """
    convention = as_convention(convention)
    ideal = _ideal_gains(grades, convention, judged)
    return finite_sum(_discounted(ideal[: ideal_cutoff(as_cutoff(k), len(grades), convention)], convention).tolist())


def ndcg(
    grades: Grades, k: int | None = None, convention: Convention | str = STANDARD, judged: Grades | None = None
) -> float:
    r"""Normalised discounted cumulated gain: the DCG as a share of the best possible one.

    .. math:: \mathrm{NDCG}_k = \frac{\mathrm{DCG}_k}{\mathrm{IDCG}_k}

    Parameters
    ----------
    grades : array_like of float, shape (n,)
        Relevance grade at each rank, best rank first.
    k : int, optional
        Cutoff of both; without it all ranks, and all judged documents, count.
    convention : Convention or str, optional
        Gain, discount, and the value of a ranking without ideal gain; or the name of a preset.
    judged : array_like of float, shape (m,), optional
        All judged grades of the query; without it, the ranking's own.

    Returns
    -------
    float
        Between 0 and 1 where no gain is negative, unless ``ideal_order="grade"`` puts a larger gain behind a smaller
        one; `convention.zero_ideal` (nan by default) where the ideal DCG is 0, as it is for an empty ranking.

    Raises
    ------
    ValueError
        If a grade is refused (see `gains`), `judged` lacks a grade of the ranking, `k` is below 1 or not whole, or
        there is no ideal gain and the convention refuses that.
    TypeError
        If a grade is not a real number.

    References
    ----------
    Järvelin and Kekäläinen 2002, pages 422-446.

    Examples
    --------
    The only relevant document is at rank 3, where the discount is 2:

    >>> ndcg([0, 0, 1])
    0.5

    The name of a preset means its convention; under this one a query without ideal gain counts 0:

    >>> ndcg([0, 0], convention="trec_eval")
    0.0
    """
    convention = as_convention(convention)
    return _ratio(dcg(grades, k, convention), idcg(grades, k, convention, judged), convention)


def cg_by_rank(grades: Grades) -> Floats:
    r"""Cumulated gain at every rank.

    .. math:: \mathrm{CG}_r = \mathrm{CG}_{r-1} + g(\ell_r)

    with :math:`g(\ell) = \ell`: each grade is its own gain.

    Parameters
    ----------
    grades : array_like of float, shape (n,)
        Relevance grade :math:`\ell_r` at each rank, best rank first.

    Returns
    -------
    numpy.ndarray of float, shape (n,)
        CG at rank 1, 2, …, n.

    Raises
    ------
    ValueError
        If a grade is not finite or `grades` is not one flat list.
    TypeError
        If a grade is not a real number.

    References
    ----------
    Järvelin and Kekäläinen 2002, pages 422-446.

    Examples
    --------
    >>> cg_by_rank([2, 3, 1])
    array([2., 5., 6.])
    """
    return _running_sum(as_array(grades, "grades"))


def dcg_by_rank(grades: Grades, convention: Convention | str = STANDARD) -> Floats:
    r"""Discounted cumulated gain at every rank.

    .. math:: \mathrm{DCG}_r = \mathrm{DCG}_{r-1} + \frac{g(\ell_r)}{d(r)}

    Parameters
    ----------
    grades : array_like of float, shape (n,)
        Relevance grade :math:`\ell_r` at each rank, best rank first.
    convention : Convention or str, optional
        Gain :math:`g` and discount :math:`d`; or the name of a preset.

    Returns
    -------
    numpy.ndarray of float, shape (n,)
        DCG at rank 1, 2, …, n.

    Raises
    ------
    ValueError
        If a grade is refused (see `gains`).
    TypeError
        If a grade is not a real number.

    References
    ----------
    Järvelin and Kekäläinen 2002, pages 422-446.

    Examples
    --------
    Nothing is found at rank 2, so DCG stays as it was:

    >>> dcg_by_rank([2, 0, 1])
    array([2. , 2. , 2.5])
    """
    convention = as_convention(convention, "DCG")
    return _running_sum(_discounted(gains(grades, convention), convention))


def idcg_by_rank(grades: Grades, convention: Convention | str = STANDARD, judged: Grades | None = None) -> Floats:
    r"""Ideal DCG at every rank of the ranking.

    .. math:: \mathrm{IDCG}_r = \mathrm{IDCG}_{r-1} + \frac{g(\ell^*_r)}{d(r)}

    Parameters
    ----------
    grades : array_like of float, shape (n,)
        Relevance grade at each rank, best rank first.
    convention : Convention or str, optional
        Gain :math:`g` and discount :math:`d`; or the name of a preset.
    judged : array_like of float, shape (m,), optional
        All judged grades of the query; without it, the ranking's own.

    Returns
    -------
    numpy.ndarray of float, shape (n,)
        Ideal DCG at rank 1, 2, …, n: the length of the ranking, also where more documents are judged.

    Raises
    ------
    ValueError
        If a grade is refused (see `gains`), or `judged` lacks a grade of the ranking.
    TypeError
        If a grade is not a real number.

    References
    ----------
    Järvelin and Kekäläinen 2002, pages 422-446.

    Examples
    --------
    The ideal has the 2 at rank 1 and nothing to add:

    >>> idcg_by_rank([0, 0, 2])
    array([2., 2., 2.])
    """
    convention = as_convention(convention)
    ideal = _ideal_gains(grades, convention, judged)
    sums = _running_sum(_discounted(ideal, convention))
    if convention.ideal_cut == "none":
        return np.full(len(grades), sums[-1] if sums.size else 0.0)
    return sums[: len(grades)]


def ndcg_by_rank(grades: Grades, convention: Convention | str = STANDARD, judged: Grades | None = None) -> Floats:
    r"""NDCG at every rank.

    .. math:: \mathrm{NDCG}_r = \frac{\mathrm{DCG}_r}{\mathrm{IDCG}_r}

    Parameters
    ----------
    grades : array_like of float, shape (n,)
        Relevance grade at each rank, best rank first.
    convention : Convention or str, optional
        Gain, discount, and the value of a rank without ideal gain; or the name of a preset.
    judged : array_like of float, shape (m,), optional
        All judged grades of the query; without it, the ranking's own.

    Returns
    -------
    numpy.ndarray of float, shape (n,)
        NDCG at cutoff 1, 2, …, n.

    Raises
    ------
    ValueError
        As for `ndcg`.
    TypeError
        If a grade is not a real number.

    References
    ----------
    Järvelin and Kekäläinen 2002, pages 422-446.

    Examples
    --------
    The only relevant document comes at rank 3:

    >>> ndcg_by_rank([0, 0, 2])
    array([0. , 0. , 0.5])
    """
    convention = as_convention(convention)
    gained, ideal = dcg_by_rank(grades, convention), idcg_by_rank(grades, convention, judged)
    undefined = ideal == 0
    if not undefined.any():
        return gained / ideal
    return np.where(undefined, value_without_ideal(convention), gained / np.where(undefined, 1.0, ideal))


def mean_ndcg(rankings: Iterable[Grades], k: int | None = None, convention: Convention | str = STANDARD) -> float:
    r"""NDCG of a data set: the mean over its queries.

    .. math:: \frac{1}{|Q|} \sum_{q \in Q} \mathrm{NDCG}_k(q)

    Parameters
    ----------
    rankings : iterable of array_like
        The grades of each query, best rank first; they may differ in length.
    k : int, optional
        Cutoff.
    convention : Convention or str, optional
        Gain, discount, and the value of a query without ideal gain: under "nan" it is left out of :math:`Q`. Or
        the name of a preset.

    Returns
    -------
    float
        The mean; nan where no query has an NDCG.

    Raises
    ------
    ValueError
        As for `ndcg`, with the place of the ranking; under ``zero_ideal="error"`` also for no queries at all.
    TypeError
        If a ranking is not a sequence of real numbers.

    References
    ----------
    Manning, Raghavan and Schütze 2008, Introduction to Information Retrieval, section 8.4.

    Examples
    --------
    A perfect query, one half as good, and one without relevant documents, which is left out:

    >>> mean_ndcg([[2, 1, 0], [0, 0, 1], [0, 0]])
    0.75
    """
    k, convention = as_cutoff(k), as_convention(convention)
    scores = []
    for i, ranking in enumerate(as_sequence(rankings, "rankings", "rankings")):
        where = f"rankings[{i}]: grades"
        scores.append(_ratio(*_sums(ranking, k, convention, where), convention, where))
    defined = [score for score in scores if not math.isnan(score)]
    if defined:
        return math.fsum(defined) / len(defined)
    if convention.zero_ideal == "error":
        raise ValueError("rankings: expected at least one query with an NDCG, got none")
    return math.nan


def pooled_ndcg(rankings: Iterable[Grades], k: int | None = None, convention: Convention | str = STANDARD) -> float:
    r"""NDCG of a data set as one ratio: the DCG of all queries over their ideal DCG.

    .. math:: \frac{\sum_{q \in Q} \mathrm{DCG}_k(q)}{\sum_{q \in Q} \mathrm{IDCG}_k(q)}

    Parameters
    ----------
    rankings : iterable of array_like
        The grades of each query, best rank first; they may differ in length.
    k : int, optional
        Cutoff.
    convention : Convention or str, optional
        Gain, discount, and the value of 0 over 0. Queries without ideal gain add nothing. Or the name
        of a preset.

    Returns
    -------
    float
        The ratio of the sums.

    Raises
    ------
    ValueError
        As for `ndcg`, with the place of the ranking; under ``zero_ideal="error"`` where no query has ideal gain.
    TypeError
        If a ranking is not a sequence of real numbers.

    References
    ----------
    Järvelin and Kekäläinen 2002, pages 422-446, for the two sums; see `mean_ndcg` for the usual mean.

    Examples
    --------
    The first query, with an ideal DCG of 9, counts more than the second, with 1:

    >>> pooled_ndcg([[9, 0, 0], [0, 0, 1]])
    0.95
    """
    k, convention = as_cutoff(k), as_convention(convention)
    gained, ideal = [], []
    for i, ranking in enumerate(as_sequence(rankings, "rankings", "rankings")):
        of_ranking, best = _sums(ranking, k, convention, f"rankings[{i}]: grades")
        if best != 0:
            gained.append(of_ranking)
            ideal.append(best)
    return _ratio(finite_sum(gained), finite_sum(ideal), convention)


def gain_of(grade: Any, convention: Convention | str, where: str) -> float:
    """The gain of one grade, or a refusal that names its place.

    >>> from ndcg_ref import STANDARD
    >>> gain_of(-1, STANDARD, "here")
    Traceback (most recent call last):
        ...
    ValueError: here: expected a grade of 0 or more, got -1 (negative="clamp" reads it as 0, "keep" uses it)
    """
    return float(_gains(np.array([as_grade(grade, where)]), as_convention(convention), lambda _: where)[0])


def _graded(values: Floats, convention: Convention, place: Callable[[int], str]) -> Floats:
    """The grades after the convention has applied its rules for fractions and negative grades."""
    if convention.fractional != "keep":
        whole = np.trunc(values)
        if convention.fractional == "error" and (whole != values).any():
            i = int(np.flatnonzero(whole != values)[0])
            raise refusal("fractional grade", place(i), grade=values[i])
        values = whole + 0.0  # no -0.0
    negative = values < 0
    if convention.negative == "keep" or not negative.any():
        return values
    if convention.negative == "error":
        i = int(np.flatnonzero(negative)[0])
        raise refusal("negative grade", place(i), grade=values[i])
    return np.where(negative, 0.0, values)


def _gains(values: Floats, convention: Convention, place: Callable[[int], str]) -> Floats:
    values = _graded(values, convention, place)
    gain: Any = convention.gain
    if gain == "linear":
        return values
    if gain == "binary":
        return (values > 0).astype(np.float64)
    # Each distinct grade once, in Python floats: np.exp2 differs in the last bit between processors
    levels, first, of_level = np.unique(values, return_index=True, return_inverse=True)
    gained = [_gain(level, gain, place(i)) for level, i in zip(levels.tolist(), first.tolist(), strict=True)]
    return np.array(gained, dtype=float)[of_level]


def _gain(grade: float, gain: Any, where: str) -> float:
    if gain == "exponential":
        try:
            return math.pow(2.0, grade) - 1.0
        except OverflowError:
            raise refusal("overflowing gain", where, grade=grade) from None
    if callable(gain):
        return as_grade(gain(grade), f"gain of {where} = {grade:g}")
    table = dict(gain) if isinstance(gain[0], tuple) else dict(enumerate(gain))
    if grade not in table:
        raise missing_gain(where, grade, table)
    return float(table[grade])


def _discounted(gained: Floats, convention: Convention) -> Floats:
    with np.errstate(over="ignore"):
        return gained / discounts(gained.size, convention)


def _sums(ranking: Any, k: int | None, convention: Convention, where: str) -> tuple[float, float]:
    """DCG and ideal DCG of one of several rankings."""
    gained = _gains(as_array(ranking, where), convention, f"{where}[{{}}]".format)[:k]
    ideal = _ideal_gains(ranking, convention, None, where)[: ideal_cutoff(k, len(ranking), convention)]
    dcg, idcg = (finite_sum(_discounted(each, convention).tolist(), where) for each in (gained, ideal))
    return dcg, idcg


def _ideal_gains(grades: Any, convention: Convention, judged: Any, where: str = "grades") -> Floats:
    """The gains of the ideal ranking; an unjudged document of the ranking counts as one of grade 0."""
    ideal = _graded(as_array(grades, where), convention, f"{where}[{{}}]".format)
    if judged is not None:
        ranked, where = ideal, "judged"
        ideal = _graded(as_array(judged, where), convention, "judged[{}]".format)
        levels, wanted = np.unique(ranked, return_counts=True)
        for level, count in zip(levels.tolist(), wanted.tolist(), strict=True):
            missing = count - np.count_nonzero(ideal == level)
            if missing > 0 and (level != 0 or gain_of(0.0, convention, "grades[0]") != 0):
                raise refusal("missing judgment", "judged", grade=level)
            if missing > 0:
                ideal = np.append(ideal, np.zeros(missing))
        if convention.ideal == "ranked":
            ideal, where = ranked, "grades"
    gained = _gains(ideal, convention, f"{where}[{{}}]".format)
    return gained[np.argsort(-(gained if convention.ideal_order == "gain" else ideal), kind="stable")]


def _ratio(gained: float, ideal: float, convention: Convention, where: str = "grades") -> float:
    return gained / ideal if ideal != 0 else value_without_ideal(convention, where)


def _running_sum(terms: Floats) -> Floats:
    if (terms < 0).any():  # terms that cancel must give at every rank the value at that cutoff
        return np.array([finite_sum(terms[:rank].tolist()) for rank in range(1, terms.size + 1)])
    with np.errstate(over="ignore"):
        sums = np.cumsum(terms)
    if not np.isfinite(sums).all():
        raise refusal("overflowing sum", "grades")
    return sums
