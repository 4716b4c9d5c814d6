"""The measures that ask of a document only whether it is relevant, or judged, over numpy arrays.

`grades` is one ranking, best rank first. A document is relevant whose grade reaches the threshold; without a threshold,
any grade above 0 does. `ndcg_ref.formulas.plain` has the same functions as loops; neither module calls the other.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ndcg_ref.conventions.validation import as_cutoff, as_grade, as_sequence, as_whole
from ndcg_ref.formulas.rankings import as_array

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ndcg_ref.formulas.rankings import Floats, Grades


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
    return _share(math.fsum(found.tolist()), _wanted(relevant, found.size))


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
    k, is_relevant = as_cutoff(k), _are_relevant(grades, threshold)
    wanted = _wanted(relevant, _number(is_relevant))
    return _share(_number(is_relevant[:k]), wanted)


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
    is_relevant = _are_relevant(grades, threshold)
    wanted = _wanted(relevant, _number(is_relevant))
    return _share(_number(is_relevant[:wanted]), wanted)


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
    counted = np.array(known, dtype=np.bool_)[:k]
    return _share(_number(counted), counted.size)


def _are_relevant(grades: Any, threshold: float | None) -> NDArray[np.bool_]:
    values = as_array(grades, "grades")
    return values > 0 if threshold is None else values >= as_grade(threshold, "threshold")


def _number(flags: NDArray[np.bool_]) -> int:
    return int(np.count_nonzero(flags))


def _wanted(relevant: int | None, retrieved: int) -> int:
    """The number of relevant documents of the query."""
    return retrieved if relevant is None else as_whole(relevant, "relevant", retrieved)


def _share(found: float, of: int) -> float:
    return found / of if of else math.nan
