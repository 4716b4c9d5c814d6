"""The measures without gains and discounts, which ask what was retrieved and at which ranks, over numpy arrays.

A document is relevant whose grade reaches the threshold; without a threshold, any grade above 0 does. The functions
take one ranking, `grades`, best rank first; `VALUES` has the measures of many queries, whose documents may be tied.
`ndcg_ref.formulas.plain` has the same functions as loops; neither module calls the other.

Under averaged ties a document is at each rank of its tie equally often. Where a measure is a sum over documents, its
mean over all these orders is the sum of the documents' means. The others are those of `BY_RANK` of
`ndcg_ref.conventions.spellings`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from ndcg_ref.conventions.spellings import Measure
from ndcg_ref.conventions.validation import (
    as_cutoff,
    as_grade,
    as_highest_grade,
    as_persistence,
    as_sequence,
    as_whole,
    finite_sum,
    refusal,
)
from ndcg_ref.formulas.batch import Bools, Floats, Grades, Ints, as_array, on_scale, sums_by_query


def precision_at_relevant(grades: Grades, threshold: float | None = None) -> Floats:
    r"""Precision at the rank of each relevant document.

    .. math:: P_i = \frac{i}{r_i}

    with :math:`r_i` the rank of the i-th relevant document.

    Parameters
    ----------
    grades : array_like of float, shape (n,)
        Relevance grade at each rank, best rank first.
    threshold : float, optional
        The smallest grade that counts as relevant; without it, any grade above 0.

    Returns
    -------
    numpy.ndarray of float, shape (number of relevant documents,)
        The precisions :math:`P_1, P_2, \dots`, by rank; empty without relevant documents.

    Raises
    ------
    ValueError
        If a grade or the threshold is not finite, or `grades` is not one flat list.
    TypeError
        If a grade or the threshold is not a real number.

    References
    ----------
    Manning, Raghavan and Schütze 2008, Introduction to Information Retrieval, section 8.4.

    Examples
    --------
    Relevant documents at ranks 1 and 4: one of one, then two of four:

    >>> precision_at_relevant([1, 0, 0, 2])
    array([1. , 0.5])
    """
    ranks = np.flatnonzero(_are_relevant(grades, threshold)) + 1
    return np.arange(1, ranks.size + 1) / ranks


def average_precision(grades: Grades, threshold: float | None = None, relevant: int | None = None) -> float:
    r"""Mean of the precision at the rank of each relevant document.

    .. math:: \mathrm{AP} = \frac{1}{R} \sum_{i} P_i

    with :math:`P_i` the precision at the rank of the i-th relevant document that was retrieved.

    Parameters
    ----------
    grades : array_like of float, shape (n,)
        Relevance grade at each rank, best rank first.
    threshold : float, optional
        The smallest grade that counts as relevant; without it, any grade above 0.
    relevant : int, optional
        Number :math:`R` of relevant documents of the query, retrieved or not; without it, those retrieved.

    Returns
    -------
    float
        Between 0 and 1; nan without relevant documents.

    Raises
    ------
    ValueError
        As for `precision_at_relevant`, or if `relevant` is not whole or smaller than the number retrieved.
    TypeError
        If a grade, the threshold or `relevant` is not a real number.

    References
    ----------
    Manning, Raghavan and Schütze 2008, Introduction to Information Retrieval, section 8.4.

    Examples
    --------
    Precision is 1 at the first relevant document and 1/2 at the second:

    >>> average_precision([1, 0, 0, 2])
    0.75
    """
    found = precision_at_relevant(grades, threshold)
    return _share(finite_sum(found.tolist()), _wanted(relevant, found.size))


def recall(grades: Grades, k: int | None = None, threshold: float | None = None, relevant: int | None = None) -> float:
    r"""Share of the relevant documents that the first k ranks hold.

    .. math:: \mathrm{R}_k = \frac{1}{R} \left|\{r \le k : \ell_r \text{ is relevant}\}\right|

    Parameters
    ----------
    grades : array_like of float, shape (n,)
        Relevance grade :math:`\ell_r` at each rank, best rank first.
    k : int, optional
        Cutoff; without it all ranks count.
    threshold : float, optional
        The smallest grade that counts as relevant; without it, any grade above 0.
    relevant : int, optional
        Number :math:`R` of relevant documents of the query, retrieved or not; without it, those of the whole ranking.

    Returns
    -------
    float
        Between 0 and 1; nan without relevant documents, where trec_eval gives 0.

    Raises
    ------
    ValueError
        If a grade or the threshold is not finite, `grades` is not one flat list, `k` is below 1 or not whole, or
        `relevant` is not whole or smaller than the number retrieved.
    TypeError
        If a grade, the threshold, `k` or `relevant` is not a real number.

    References
    ----------
    Manning, Raghavan and Schütze 2008, Introduction to Information Retrieval, section 8.3.

    Examples
    --------
    Of four relevant documents the first three ranks hold two:

    >>> recall([1, 0, 2, 1], k=3, relevant=4)
    0.5
    """
    k, are_relevant = as_cutoff(k), _are_relevant(grades, threshold)
    return _share(int(are_relevant[:k].sum()), _wanted(relevant, int(are_relevant.sum())))


def success(grades: Grades, k: int | None = None, threshold: float | None = None) -> float:
    r"""Whether the first k ranks hold a relevant document: 1 if so, else 0.

    .. math:: \mathrm{Success}_k = \max_{r \le k} [\ell_r \text{ is relevant}]

    Parameters
    ----------
    grades : array_like of float, shape (n,)
        Relevance grade :math:`\ell_r` at each rank, best rank first.
    k : int, optional
        Cutoff; without it all ranks count.
    threshold : float, optional
        The smallest grade that counts as relevant; without it, any grade above 0.

    Returns
    -------
    float
        1.0 or 0.0; also called hit rate, or accuracy, when averaged over queries.

    Raises
    ------
    ValueError
        If a grade or the threshold is not finite, `grades` is not one flat list, or `k` is below 1 or not whole.
    TypeError
        If a grade, the threshold or `k` is not a real number.

    References
    ----------
    Tomlinson 2006, Early precision measures: implications from the downside of blind feedback, Proceedings of SIGIR.

    Examples
    --------
    The first relevant document is at rank 3:

    >>> success([0, 0, 2], k=2), success([0, 0, 2], k=3)
    (0.0, 1.0)
    """
    k = as_cutoff(k)
    k = as_cutoff(k)
    return float(_are_relevant(grades, threshold)[:k].any())


def r_precision(grades: Grades, threshold: float | None = None, relevant: int | None = None) -> float:
    r"""Precision at rank R, for a query with R relevant documents; recall at that rank is the same.

    .. math:: \mathrm{Rprec} = \frac{1}{R} \left|\{r \le R : \ell_r \text{ is relevant}\}\right|

    Parameters
    ----------
    grades : array_like of float, shape (n,)
        Relevance grade :math:`\ell_r` at each rank, best rank first; a ranking may be shorter than :math:`R`.
    threshold : float, optional
        The smallest grade that counts as relevant; without it, any grade above 0.
    relevant : int, optional
        Number :math:`R` of relevant documents of the query, retrieved or not; without it, those of the ranking.

    Returns
    -------
    float
        Between 0 and 1; nan without relevant documents, where trec_eval gives 0.

    Raises
    ------
    ValueError
        If a grade or the threshold is not finite, `grades` is not one flat list, or `relevant` is not whole or smaller
        than the number retrieved.
    TypeError
        If a grade, the threshold or `relevant` is not a real number.

    References
    ----------
    Manning, Raghavan and Schütze 2008, Introduction to Information Retrieval, section 8.4.

    Examples
    --------
    Of four relevant documents two are among the first four:

    >>> r_precision([1, 0, 1, 0, 0, 0, 0, 0, 1, 1])
    0.5
    """
    are_relevant = _are_relevant(grades, threshold)
    wanted = _wanted(relevant, int(are_relevant.sum()))
    return _share(int(are_relevant[:wanted].sum()), wanted)


def judgment_rate(grades: Grades, k: int | None = None) -> float:
    r"""Share of the first k documents that were judged, whatever their grades.

    .. math:: \mathrm{Judged}_k = \frac{1}{\min(k, n)} \left|\{r \le k : \ell_r \text{ is known}\}\right|

    Parameters
    ----------
    grades : sequence of float or None, shape (n,)
        Relevance grade :math:`\ell_r` at each rank, best rank first; None for a document that nobody judged.
    k : int, optional
        Cutoff; without it all ranks count. A ranking shorter than k is divided by its length.

    Returns
    -------
    float
        Between 0 and 1; nan for an empty ranking.

    Raises
    ------
    ValueError
        If a grade is not finite, `grades` is not one flat list, or `k` is below 1 or not whole.
    TypeError
        If a grade is neither None nor a real number, or `k` is not a number.

    References
    ----------
    Buckley, Dimmick, Soboroff and Voorhees 2007, Bias and the limits of pooling for large collections, Information
    Retrieval 10, pages 491-508, on what unjudged documents do to other measures.

    Examples
    --------
    Two of the first four documents were judged, one of them as not relevant:

    >>> judgment_rate([2, None, 0, None, 1], k=4)
    0.5
    """
    k, known = as_cutoff(k), [grade is not None for grade in as_sequence(grades, "grades")]
    as_array([0 if grade is None else grade for grade in grades], "grades")
    return _share(sum(known[:k]), len(known[:k]))


def expected_reciprocal_rank(grades: Grades, highest_grade: float, k: int | None = None) -> float:
    r"""Expected reciprocal of the rank at which a reader, going down the ranking, is satisfied and stops.

    .. math:: \mathrm{ERR}_k = \sum_{r=1}^{\min(k, n)} \frac{s(\ell_r)}{r} \prod_{j=1}^{r-1} (1 - s(\ell_j))

    with :math:`s(\ell) = (2^{\ell} - 1) / 2^{\ell_{\max}}` the chance that a document of grade :math:`\ell` satisfies.
    The paper writes :math:`R` for it. The product is the chance that the reader reaches rank :math:`r`; at rank 1
    it is empty, and thus 1.

    Parameters
    ----------
    grades : array_like of float, shape (n,)
        Relevance grade :math:`\ell_r` at each rank, best rank first.
    highest_grade : float
        Highest grade :math:`\ell_{\max}` of the scale, whether or not the ranking has a document of it.
    k : int, optional
        Cutoff; without it all ranks count.

    Returns
    -------
    float
        From 0 to below 1; 0.0 for an empty ranking, or one without a grade above 0. Even the best document satisfies
        only with the chance :math:`1 - 2^{-\ell_{\max}}`, so that no ranking reaches 1.

    Raises
    ------
    ValueError
        If a grade is not finite, below 0 or above `highest_grade`; if `highest_grade` is not above 0, or is 1024 or
        more; if `grades` is not one flat list; or if `k` is below 1 or not whole.
    TypeError
        If a grade, `highest_grade` or `k` is not a real number, or `grades` no sequence.

    References
    ----------
    Chapelle, Metzler, Zhang and Grinspan 2009, Proceedings of CIKM, pages 621-630.

    Examples
    --------
    On a scale of 0 and 1 a document of grade 1 satisfies every second reader. Half of them stop at rank 1; half of the
    others stop at rank 2, which adds 1/2 · 1/2 · 1/2:

    >>> expected_reciprocal_rank([1, 1], highest_grade=1)
    0.625
    """
    highest = as_highest_grade(highest_grade)
    if highest >= 1024:
        raise refusal("overflowing gain", "highest_grade", grade=highest)
    values = on_scale(grades, highest)[: as_cutoff(k)]
    return _err(values, np.arange(1, values.size + 1), highest)


def rank_biased_precision(grades: Grades, persistence: float, highest_grade: float = 1, k: int | None = None) -> float:
    r"""Rank-biased precision: the gain per document seen of a reader who goes on to the next rank with a fixed chance.

    .. math:: \mathrm{RBP}_k = (1 - p) \sum_{r=1}^{\min(k, n)} p^{r-1} u(\ell_r)

    with the persistence :math:`p`, and the relevance :math:`u(\ell) = \ell / \ell_{\max}`, between 0 and 1, of a
    document of grade :math:`\ell`.

    Parameters
    ----------
    grades : array_like of float, shape (n,)
        Relevance grade :math:`\ell_r` at each rank, best rank first.
    persistence : float
        Chance :math:`p` of going on to the next rank, from 0 to below 1.
    highest_grade : float, optional
        Highest grade :math:`\ell_{\max}` of the scale. The default takes grades that are 0, 1 or a share of 1 already,
        and refuses those of a larger scale.
    k : int, optional
        Cutoff; without it all ranks count.

    Returns
    -------
    float
        From 0 to :math:`1 - p^{\min(k, n)}`; 0.0 for an empty ranking, or one without a grade above 0. The
        ranks after those could add up to :math:`p^{\min(k, n)}`: the residual, to be reported beside the value.

    Raises
    ------
    ValueError
        If a grade is not finite, below 0 or above `highest_grade`; if `persistence` is not from 0 to below 1, or
        `highest_grade` not above 0; if `grades` is not one flat list; or if `k` is below 1 or not whole.
    TypeError
        If a grade, `persistence`, `highest_grade` or `k` is not a real number, or `grades` no sequence.

    References
    ----------
    Moffat and Zobel 2008, ACM Transactions on Information Systems 27(1), article 2, pages 1-27.

    Examples
    --------
    With persistence 1/2 the ranks have the weights 1/2, 1/4, 1/8, …; the first and the third are relevant:

    >>> rank_biased_precision([1, 0, 1], persistence=0.5)
    0.625

    A grade 2 of at most 4 counts half:

    >>> rank_biased_precision([2, 0, 4], persistence=0.5, highest_grade=4)
    0.375
    """
    persistence, highest = as_persistence(persistence), as_highest_grade(highest_grade)
    values = on_scale(grades, highest)[: as_cutoff(k)]
    # Powers of a Python float, as np.power differs in the last bit between processors
    weights = np.array([persistence**before for before in range(values.size)], dtype=float)
    return (1 - persistence) * finite_sum((weights * values / highest).tolist())


class Retrieved(NamedTuple):
    """The judged documents that some queries retrieved, query after query."""

    owner: Ints  # the query of each document, ascending
    higher: Ints  # how many documents are before it
    tied: Ints  # how many share its ranks
    grade: Floats  # as the convention reads it
    is_relevant: Bools
    sizes: Ints  # how many documents each query ranks
    relevant: Ints  # how many relevant ones it has, retrieved or not

    def only(self, chosen: Bools | Ints) -> Retrieved:
        """The same queries with some of the documents, by a mask or by their indexes."""
        names = ("owner", "higher", "tied", "grade", "is_relevant")
        return self._replace(**{name: getattr(self, name)[chosen] for name in names})

    def up_to(self, k: int | None) -> Retrieved:
        """The documents up to a cutoff, best rank first in each query."""
        within = self if k is None else self.only(self.higher < k)
        return within.only(np.lexsort((within.higher, within.owner)))

    def sums(self, terms: Floats) -> Floats:
        """For each query, the sum of the terms of its documents."""
        return sums_by_query(terms, self.starts())

    def starts(self) -> Ints:
        """Where the documents of each query start, and where those of the last query end."""
        return np.searchsorted(self.owner, np.arange(self.sizes.size + 1))

    def within(self, cut: Ints | int | None) -> Floats:
        """The chance of each document to be at one of the ranks up to a cutoff, which may differ between documents."""
        if cut is None:
            return np.ones(self.owner.size)
        return np.clip(cut - self.higher, 0, self.tied) / self.tied


def _are_relevant(grades: Any, threshold: float | None) -> Bools:
    values = as_array(grades, "grades")
    return values > 0 if threshold is None else values >= as_grade(threshold, "threshold")


def _wanted(relevant: int | None, retrieved: int) -> int:
    """The number of relevant documents of the query."""
    return retrieved if relevant is None else as_whole(relevant, "relevant", retrieved)


def _share(count: float, total: int) -> float:
    return count / total if total else math.nan


def _number_relevant(retrieved: Retrieved, cut: Ints | int | None) -> Floats:
    return retrieved.sums(np.where(retrieved.is_relevant, retrieved.within(cut), 0.0))


def _average_precision(retrieved: Retrieved, k: int | None) -> Floats:
    ordered, nth = _relevant_in_order(retrieved, k)
    return _over(ordered.sums(nth / (ordered.higher + 1)), retrieved.relevant)


def _reciprocal_rank(retrieved: Retrieved, k: int | None) -> Floats:
    ordered, nth = _relevant_in_order(retrieved, k)
    first = ordered.only(nth == 1)
    return first.sums(1 / (first.higher + 1))


def _expected_reciprocal_rank(retrieved: Retrieved, k: int | None, highest: float) -> Floats:
    """A query without a relevant document has no value, as in gdeval."""
    within = retrieved.up_to(k)
    values = [
        _err(within.grade[first:last], within.higher[first:last] + 1, highest)
        for first, last in pairwise(within.starts().tolist())
    ]
    return np.where(retrieved.relevant > 0, np.array(values), np.nan)


def _err(grades: Floats, ranks: Ints, highest: float) -> float:
    """Expected reciprocal rank of documents at these ranks, in the order of the ranks."""
    stops = np.array([(2.0**grade - 1) / 2.0**highest for grade in grades.tolist()], dtype=float)
    comes = np.cumprod(np.append(1.0, 1 - stops))[:-1]
    return finite_sum((comes * stops / ranks).tolist())


def _rank_biased_precision(retrieved: Retrieved, k: int | None, persistence: float) -> Floats:
    relevant, cut = retrieved.only(retrieved.is_relevant), math.inf if k is None else k
    # Powers of a Python float, as np.power differs in the last bit between processors
    shares = [
        persistence**before * (1 - persistence ** max(0, min(tied, cut - before))) / tied
        for before, tied in zip(relevant.higher.tolist(), relevant.tied.tolist(), strict=True)
    ]
    return relevant.sums(np.array(shares, dtype=float))


def _relevant_in_order(retrieved: Retrieved, k: int | None) -> tuple[Retrieved, Ints]:
    """The relevant documents up to the cutoff, best rank first, and which of its query each is, from 1."""
    ordered = retrieved.only(retrieved.is_relevant).up_to(k)
    return ordered, np.arange(1, ordered.owner.size + 1) - np.searchsorted(ordered.owner, ordered.owner)


def _over(numerator: Floats, denominator: Ints | Floats) -> Floats:
    """The quotient, nan over 0."""
    values = np.full(numerator.size, np.nan)
    np.divide(numerator, denominator, out=values, where=denominator > 0)
    return values


VALUES: dict[str, Callable[[Retrieved, Measure], Floats]] = {
    # measure: its value for each query; nan where it has none
    "P": lambda found, measure: _number_relevant(found, measure.k) / (measure.k or math.nan),
    "Recall": lambda found, measure: _over(_number_relevant(found, measure.k), found.relevant),
    "Rprec": lambda found, _: _over(_number_relevant(found, found.relevant[found.owner]), found.relevant),
    "Success": lambda found, measure: (_number_relevant(found, measure.k) > 0).astype(np.float64),
    "Judged": lambda found, measure: _over(
        found.sums(found.within(measure.k)), np.minimum(found.sizes, measure.k or math.inf)
    ),
    "AP": lambda found, measure: _average_precision(found, measure.k),
    "RR": lambda found, measure: _reciprocal_rank(found, measure.k),
    "ERR": lambda found, measure: _expected_reciprocal_rank(found, measure.k, measure.parameter),
    "RBP": lambda found, measure: _rank_biased_precision(found, measure.k, measure.parameter),
}
