"""NDCG and DCG of documents with scores, over arrays: `ndcg_score`, `dcg_score`, and the input that they refuse.

Ranks and ideals are as `ndcg_ref.conventions.convention` says; `ndcg_ref.formulas.ties` computes the ranks.
"""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ndcg_ref.conventions.convention import Convention, as_convention, value_without_ideal
from ndcg_ref.conventions.validation import (
    as_cutoff,
    as_flag,
    as_grade,
    as_numbers,
    as_sequence,
    as_whole,
    counted,
    quoted,
    refusal,
)
from ndcg_ref.formulas.arrays import gain_of, gains
from ndcg_ref.formulas.batch import Array, Batch, Bools, Floats, Ints, as_numpy, blocks
from ndcg_ref.formulas.sums import RankWeights, dcg_by_query, idcg_by_query, weigh_ranks
from ndcg_ref.formulas.ties import places

MOST_THREADS = 4  # each uses the memory of a block


def ndcg_score(  # noqa: PLR0913 - takes what scikit-learn's takes, and a convention
    y_true: Any,
    y_score: Any,
    *,
    k: int | None = None,
    sample_weight: Any = None,
    ignore_ties: bool = False,
    convention: Convention | str | None = None,
    group: Any = None,
    qid: Any = None,
) -> float:
    r"""Mean NDCG of queries whose documents come with scores; called as in scikit-learn.

    .. math:: \mathrm{NDCG}_k = \frac{\mathrm{DCG}_k}{\mathrm{IDCG}_k}

    for each query, with its documents ranked by score, highest first. The documents given are all that were judged.

    Parameters
    ----------
    y_true : array_like of float, shape (q, n) or (n,), or list of lists
        Grade of each document. Rows are queries, and the rows of a list may differ in length. A flat list needs `group`
        or `qid`: it is what scorers of scikit-learn pass, with all queries of a fold one after another.
    y_score : array_like of float, of the shape of `y_true`
        Score of each document, finite.
    k : int, optional
        Cutoff; without it all ranks count.
    sample_weight : array_like of float, shape (q,), optional
        Weight of each query, 0 or more, in the order in which the queries first appear.
    ignore_ties : bool, optional
        Rank documents of equal score in the order in which they are given. scikit-learn ranks them in an order that
        depends on the processor, so that its value may differ.
    convention : Convention or str, optional
        The choices, or the name of a preset; by default those of scikit-learn: the mean over all orders of tied
        documents, and 0 for a query without ideal gain.
    group : array_like of int, shape (q,), optional
        Number of documents of each query, where a flat list has one query after another.
    qid : array_like, shape (n,), optional
        Query of each document of a flat list, in any order.

    Returns
    -------
    float
        The mean; nan where no query has an NDCG.

    Raises
    ------
    ValueError
        If shapes differ, a grade is refused (see `gains`), a score is not finite, `k` is below 1, a weight is negative
        or all are 0, the sizes in `group` are not those of the documents, the convention ranks ties by document id, or
        a query has no ideal gain and the convention refuses that; for a flat list without `group` or `qid`, and, as in
        scikit-learn, for several rows of one document each, which are a flat list stood on end.
    TypeError
        If a grade, score, weight or size is not a real number.

    Warns
    -----
    UserWarning
        With `ignore_ties` and without a convention, if the order of documents of equal score changes the value.

    References
    ----------
    Järvelin and Kekäläinen 2002, pages 422-446; McSherry and Najork 2008, Proceedings of ECIR, pages 414-421, for the
    mean over the orders of tied documents.

    Examples
    --------
    The only relevant document stands at rank 3, and in the other query at rank 1:

    >>> ndcg_score([[0, 0, 1], [1, 0, 0]], [[0.9, 0.5, 0.1], [0.9, 0.5, 0.1]])
    0.75

    Queries of unequal length: as lists, by their sizes, or by the query of each document. Two documents of the first
    are tied, and each of them is at rank 1 half of the time:

    >>> ndcg_score([[0, 1], [2]], [[0.7, 0.7], [0.1]], k=1)
    0.75
    >>> ndcg_score([0, 1, 2], [0.7, 0.7, 0.1], k=1, group=[2, 1])
    0.75
    >>> ndcg_score([0, 2, 1], [0.7, 0.1, 0.7], k=1, qid=["a", "b", "a"])
    0.75
    """
    default, k, convention = convention is None, as_cutoff(k), _chosen(convention, ignore_ties)
    documents = _documents(y_true, y_score, group, qid)
    query_weights = _query_weights(sample_weight, documents.starts.size - 1)
    if default and ignore_ties:
        _warn_of_ties(documents, k, convention)
    gained, ideal = _dcg_and_ideal(documents, k, convention)
    values = gained / np.where(ideal == 0, 1.0, ideal)
    without = np.flatnonzero(ideal == 0)
    if without.size:
        values[without] = value_without_ideal(convention, documents.name(int(without[0])))
    return _mean(values, query_weights, ideal != 0, convention)


def dcg_score(
    y_true: Any,
    y_score: Any,
    *,
    k: int | None = None,
    log_base: float = 2,
    sample_weight: Any = None,
    ignore_ties: bool = False,
) -> float:
    r"""Mean DCG of queries whose documents come with scores; called as in scikit-learn.

    .. math:: \mathrm{DCG}_k = \sum_{r=1}^{\min(k, n)} \frac{g(\ell_r)}{\log_b(r + 1)}

    for each query, with its documents ranked by score, highest first. Each grade is its own gain:
    :math:`g(\ell) = \ell`.

    Parameters
    ----------
    y_true : array_like of float, shape (q, n), or list of lists
        Grade :math:`\ell` of each document; negative ones count as they are. Rows are queries, and the rows of a list
        may differ in length.
    y_score : array_like of float, of the shape of `y_true`
        Score of each document, finite.
    k : int, optional
        Cutoff; without it all ranks count.
    log_base : float, optional
        Base :math:`b` of the logarithm, above 1.
    sample_weight : array_like of float, shape (q,), optional
        Weight of each query, 0 or more.
    ignore_ties : bool, optional
        Rank documents of equal score in the order in which they are given, instead of taking the mean over all orders;
        as for `ndcg_score`, the value of scikit-learn may differ.

    Returns
    -------
    float
        The mean.

    Raises
    ------
    ValueError
        If shapes differ, a grade or a score is not finite, `k` is below 1, `log_base` is not above 1, a weight is
        negative or all are 0; for a flat list, or several rows of one document each.
    TypeError
        If a grade, score or weight is not a real number.

    Warns
    -----
    UserWarning
        With `ignore_ties`, if the order of documents of equal score changes the value.

    References
    ----------
    Järvelin and Kekäläinen 2002, pages 422-446; McSherry and Najork 2008, Proceedings of ECIR, pages 414-421, for the
    mean over the orders of tied documents.

    Examples
    --------
    The grade 2 comes first, and the grade 1 third, where log2(3 + 1) is 2:

    >>> dcg_score([[0, 1, 2]], [[0.5, 0.1, 0.9]])
    2.5

    Two documents are tied, and each is at rank 1 half of the time:

    >>> dcg_score([[0, 3]], [[0.7, 0.7]], k=1)
    1.5
    """
    base = as_grade(log_base, "log_base")
    if base <= 1:
        raise ValueError(
            f"log_base: expected a number above 1, got {base:g} (a logarithm to this base does not discount)"
        )
    convention = Convention(
        base=base, negative="keep", ties="input" if as_flag(ignore_ties, "ignore_ties") else "average"
    )
    documents = _documents(y_true, y_score, None, None)
    query_weights = _query_weights(sample_weight, documents.starts.size - 1)
    k = as_cutoff(k)
    if ignore_ties:
        _warn_of_ties(documents, k, convention)
    values, ideal = _dcg_and_ideal(documents, k, convention)
    return _mean(values, query_weights, ideal != 0, convention)


def _warn_of_ties(documents: _Documents, k: int | None, convention: Convention) -> None:
    """Warn of the queries whose value depends on the order of documents of equal score."""
    best, worst = (_dcg_and_ideal(documents, k, replace(convention, ties=ties))[0] for ties in ("best", "worst"))
    tied = np.flatnonzero(best != worst)
    if tied.size:
        warnings.warn(
            f"ignore_ties: the order of equal scores changes the value of {counted(tied.size, 'query')}, such as "
            f"{documents.name(int(tied[0]))}; here it is the order given, in scikit-learn one that depends on the "
            "processor",
            stacklevel=3,
        )


def _dcg_and_ideal(documents: _Documents, k: int | None, convention: Convention) -> tuple[Floats, Floats]:
    longest = int(np.diff(documents.starts).max())
    k = None if k is not None and k >= longest else k  # a larger one may exceed every array
    weights = weigh_ranks(longest if k is None or convention.ideal_cut == "none" else min(k, longest), convention)
    made = _in_order(lambda block: _block(documents, *block, k, weights, convention), list(blocks(documents.starts)))
    gained, ideal = map(np.concatenate, zip(*made, strict=True))
    return gained, ideal


@dataclass(frozen=True, kw_only=True)
class _Documents:
    """Grades and scores, query after query, and where those of each query are."""

    grades: Array
    scores: Array
    starts: Ints
    order: Ints | None = None  # the documents of a list as given, where its queries are not together
    name: Callable[[int], str]  # of a query
    location: str  # of a document

    def location_of(self, document: int) -> str:
        """The place of a document, counted query after query."""
        query = int(np.searchsorted(self.starts, document, side="right")) - 1
        listed = document if self.order is None else int(self.order[document])
        return self.location.format(query=query, position=document - int(self.starts[query]), document=listed)


def _chosen(convention: Convention | str | None, ignore_ties: bool) -> Convention:
    """The convention of a call of `ndcg_score`."""
    ignore_ties = as_flag(ignore_ties, "ignore_ties")
    if convention is None:
        convention = as_convention("scikit-learn")
        return replace(convention, ties="input") if ignore_ties else convention
    convention = as_convention(convention)
    if ignore_ties and convention.ties != "input":
        raise ValueError(
            f'ignore_ties: expected False beside a convention with ties="{convention.ties}", got True'
            ' (replace(convention, ties="input") ranks in the order given)'
        )
    if convention.ties in ("id-descending", "id-ascending"):
        raise ValueError(
            f'convention: expected ties that need no document ids, got ties="{convention.ties}"'
            ' (evaluate() takes ids; ties="input" ranks in the order given)'
        )
    return convention


def _documents(y_true: Any, y_score: Any, group: Any, qid: Any) -> _Documents:
    grades, lengths = _read(y_true, "y_true")
    scores, others = _read(y_score, "y_score")
    shape, other = (values.shape if rows is None else rows for values, rows in ((grades, lengths), (scores, others)))
    if shape != other:
        raise _unlike(shape, other)
    if group is not None or qid is not None:
        return _listed(grades, scores, lengths, group, qid)
    if lengths is not None:
        starts, location = np.cumsum([0, *lengths]), "[{query}][{position}]"
        return _Documents(grades=grades, scores=scores, starts=starts, name="y_true[{}]".format, location=location)
    if grades.ndim == 1:
        raise ValueError(
            f"y_true: expected a list for each query, got one flat list of {grades.size} documents (one query is "
            "[y_true] and [y_score]; several in one list need the group= or qid= of ndcg_score)"
        )
    if not len(grades):
        raise ValueError("y_true: expected at least one query, got none")
    if grades.shape[1] == 1 < len(grades):
        raise ValueError(
            f"y_true: expected the documents of a query in a row, got {len(grades)} in one column (flat lists, "
            "without brackets around each document, need the group= or qid= of ndcg_score)"
        )
    starts, location = np.arange(len(grades) + 1) * grades.shape[1], "[{query}, {position}]"
    flat = {"grades": grades.ravel(), "scores": scores.ravel()}
    return _Documents(**flat, starts=starts, name="y_true[{}]".format, location=location)


def _read(values: Any, where: str) -> tuple[Array, list[int] | None]:
    """Numbers as an array with one or two axes; or rows of unequal length, concatenated, and their lengths."""
    array = as_numpy(as_sequence(values, where, "numbers, or of one list a query"), where)
    is_numeric, axes = _is_numeric(array), getattr(values, "ndim", 1)
    if is_numeric:
        axes = array.ndim
        for i, row in enumerate(values if axes == 2 and not hasattr(values, "ndim") else ()):
            as_sequence(row, f"{where}[{i}]", "numbers")  # numpy has read a masked one without its mask
    if axes > 2:
        raise ValueError(f"{where}: expected one list, or one a query, got {axes} axes")
    if is_numeric:
        return array, None
    rows: Any = np.asarray(values, dtype=object) if axes == 2 else list(values)
    if axes == 2 and rows.ndim != 2:
        raise TypeError(f"{where}: expected lists or arrays, got a {type(values).__name__} (use .toarray() first?)")
    if not any(isinstance(row, list | tuple) or getattr(row, "ndim", 0) for row in rows):
        return np.array(as_numbers(values, where)), None
    read = []
    for i, row in enumerate(rows):
        as_sequence(row, f"{where}[{i}]", "numbers")
        array = as_numpy(row, f"{where}[{i}]")
        read.append(array if _is_numeric(array) and array.ndim == 1 else np.array(as_numbers(row, f"{where}[{i}]")))
    lengths = [row.size for row in read]
    listed = np.concatenate(read)
    return (listed.reshape(len(read), lengths[0]), None) if len(set(lengths)) == 1 else (listed, lengths)


def _is_numeric(array: Array) -> bool:
    return array.ndim > 0 and array.dtype.kind in "biuf"


def _unlike(shape: Any, other: Any) -> ValueError:
    """The refusal of scores whose shape differs from that of the grades."""
    if isinstance(shape, list) and isinstance(other, list) and len(shape) == len(other):
        i = next(i for i in range(len(shape)) if shape[i] != other[i])
        return ValueError(f"y_score[{i}]: expected {shape[i]} scores, one for each grade, got {other[i]}")
    said = [f"{len(each)} lists" if isinstance(each, list) else f"the shape {each}" for each in (shape, other)]
    return ValueError(
        f"y_score: expected one score for each grade, {said[0]}, got {said[1]}"
        " (do grades and scores belong to the same documents?)"
    )


def _listed(grades: Array, scores: Array, lengths: list[int] | None, group: Any, qid: Any) -> _Documents:
    """The documents of several queries in one list."""
    given = "qid" if group is None else "group"
    if group is not None and qid is not None:
        raise ValueError("group, qid: expected one of the two, got both")
    if lengths is not None or grades.ndim != 1:
        raise ValueError(
            f"y_true: expected one flat list beside {given}=, got one a query ({given}= is not needed then)"
        )
    order = None
    if group is not None:
        sizes = [as_whole(size, f"group[{i}]", least=0) for i, size in enumerate(as_sequence(group, "group", "sizes"))]
        if sum(sizes) != grades.size:
            slip = "one entry a document is qid=" if len(sizes) == grades.size else "is a query missing?"
            raise ValueError(
                f"group: expected sizes that add up to {grades.size} documents, got a sum of {sum(sizes)} ({slip})"
            )
        name: Callable[[int], str] = "group[{}]".format
    else:
        ids = np.asarray(as_sequence(qid, "qid", "query ids"))
        if ids.shape != grades.shape:
            raise ValueError(
                f"qid: expected one query id for each of {grades.size} documents, got {len(ids)}"
                " (sizes of queries are group=)"
            )
        sizes, order, names = _by_query(ids)
        grades, scores = (values if order is None else values[order] for values in (grades, scores))
        name = lambda query: f"qid {quoted(names[query])}"  # noqa: E731
    if not sizes:
        raise ValueError(f"{given}: expected at least one query, got none")
    starts = np.cumsum([0, *sizes])
    return _Documents(grades=grades, scores=scores, starts=starts, order=order, name=name, location="[{document}]")


def _by_query(ids: Array) -> tuple[list[int], Ints | None, list[Any]]:
    """The number of documents of each query, the order that groups them, and the ids in that order."""
    changes = np.flatnonzero(ids[1:] != ids[:-1]) + 1
    begins = np.concatenate([[0], changes]) if ids.size else changes
    known: dict[Any, int] = {}
    for i in begins.tolist():
        if ids[i] != ids[i]:
            raise ValueError(f"qid[{i}]: expected a query id, got {ids[i]}")
    numbers = [known.setdefault(query, len(known)) for query in ids[begins].tolist()]
    lengths = np.diff(np.append(begins, ids.size))
    if len(known) == len(numbers):
        return lengths.tolist(), None, list(known)
    query = np.repeat(numbers, lengths)
    return np.bincount(query).tolist(), np.argsort(query, kind="stable"), list(known)


def _query_weights(sample_weight: Any, queries: int) -> Floats:
    if sample_weight is None:
        return np.ones(queries)
    given = as_sequence(sample_weight, "sample_weight", "numbers, one for each query")
    weights = np.array(as_numbers(given, "sample_weight"))
    if weights.size != queries:
        raise ValueError(
            f"sample_weight: expected one weight for each of {queries} queries, got {weights.size}"
            " (a weight belongs to a query, not to a document)"
        )
    if (weights < 0).any():
        i = int(np.flatnonzero(weights < 0)[0])
        raise ValueError(f"sample_weight[{i}]: expected a weight of 0 or more, got {weights[i]:g}")
    if not weights.any():
        raise ValueError("sample_weight: expected a weight above 0, got none")
    try:
        math.fsum(weights.tolist())
    except OverflowError:
        raise ValueError("sample_weight: the sum of the weights is beyond the range of a float") from None
    return weights


def _in_order(
    work: Callable[[tuple[int, int]], tuple[Floats, Floats]], several: list[tuple[int, int]]
) -> list[tuple[Floats, Floats]]:
    """The results of all blocks, in order; several are computed in threads, as numpy releases the GIL."""
    threads = min(len(several) // 2, os.cpu_count() or 1, MOST_THREADS)
    if threads < 2:
        return list(map(work, several))
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(work, several))


def _block(
    documents: _Documents, first: int, last: int, k: int | None, weights: RankWeights, convention: Convention
) -> tuple[Floats, Floats]:
    offset = int(documents.starts[first])
    starts = documents.starts[first : last + 1] - offset
    grades = documents.grades[offset : offset + starts[-1]]
    with np.errstate(over="ignore"):
        scores = documents.scores[offset : offset + starts[-1]].astype(np.float64, copy=False)
    chosen, grade, gain = _graded(grades, convention, lambda i: f"y_true{documents.location_of(offset + i)}")
    judged_starts = np.searchsorted(chosen, starts)
    # All judged documents are ranked here, so that an ideal cut at the number of hits is cut at k
    cut = None if convention.ideal_cut == "none" else k
    by_grade = convention.ideal_order == "grade" and not isinstance(convention.gain, str)
    ideal = idcg_by_query(gain, grade if by_grade else None, judged_starts, cut, weights)

    if not np.isfinite(scores).all():
        i = int(np.flatnonzero(~np.isfinite(scores))[0])
        raise ValueError(f"y_score{documents.location_of(offset + i)}: expected a finite score, got {scores[i]}")
    owner = np.repeat(np.arange(last - first), np.diff(judged_starts))
    batch = Batch(
        grades=grade,
        grade_starts=judged_starts,
        scores=scores,
        starts=starts,
        owner=owner,
        score=scores[chosen],
        grade=grade,
        ids=lambda query: range(starts[query], starts[query + 1]),  # a place for each document
        judged_ids=lambda query: chosen[judged_starts[query] : judged_starts[query + 1]].tolist(),
    )
    gained = dcg_by_query(gain, places(batch, convention, k), weights, k, judged_starts)
    beyond = np.flatnonzero(~(np.isfinite(gained) & np.isfinite(ideal)))
    if beyond.size:
        raise refusal("overflowing sum", documents.name(first + int(beyond[0])))
    return gained, ideal


def _graded(grades: Array, convention: Convention, location: Callable[[int], str]) -> tuple[Ints, Floats, Floats]:
    """The documents that can contribute, their grades and gains: most have grade 0 and gain nothing."""
    chosen = np.flatnonzero(grades != 0)
    many = 2 * chosen.size > grades.size  # then picking them would cost more than it saves
    try:
        if many or not _zero_is_nothing(grades, convention):
            chosen, grade = np.arange(grades.size), grades
        else:
            grade = grades[chosen]
        with np.errstate(over="ignore"):
            grade = grade.astype(np.float64)
        return chosen, grade, gains(grade, convention)
    except (TypeError, ValueError):
        for i in np.sort(np.unique(grades, return_index=True)[1]).tolist():
            gain_of(grades[i], convention, location(i))
        raise


def _zero_is_nothing(grades: Array, convention: Convention) -> bool:
    """Whether documents of grade 0 can be left out: they gain nothing, and come last in the ideal."""
    if gains([0.0], convention)[0] != 0 or (convention.negative == "keep" and (grades < 0).any()):
        return False
    by_grade = convention.ideal_order == "grade" or isinstance(convention.gain, str)
    return by_grade or bool((gains(grades, convention) >= 0).all())


def _mean(values: Floats, query_weights: Floats, with_ideal: Bools, convention: Convention) -> float:
    """Weighted mean of the values of queries; those without a value are left out."""
    defined = ~np.isnan(values)
    counts = defined if convention.query_weights == "all" else defined & with_ideal
    terms = np.where(counts, values * query_weights, values)[defined]
    divisor = math.fsum(query_weights[defined].tolist())
    return math.fsum(terms.tolist()) / divisor if divisor else math.nan
