"""The ranks of documents among the scores of their query: for many queries at once, in blocks that fit a cache.

Two counts determine a rank: how many documents of the query have a higher score, and how many have the same score, with
the document itself. Tied documents share the ranks after those of the higher ones, or each gets one of these ranks, as
the convention says. A document that gains nothing needs no rank, so only the others cost time.

`ndcg_ref.runs.sums` has the sums over these ranks, and says how tied documents are weighed. Nothing here depends on the
order of documents or queries, unless the convention ranks ties by it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ndcg_ref.conventions.convention import Convention
from ndcg_ref.conventions.validation import without_ids
from ndcg_ref.runs.batch import Batch
from ndcg_ref.runs.rows import CELLS, blocks, padded

if TYPE_CHECKING:  # numpy.typing takes longer to load than this module
    from typing import TypeAlias

    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]
    Ints: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True)
class JudgedRanks:
    """The ranks of judged documents: how many documents are before each, and how many share its ranks.

    Without ties, or if the convention orders them, `tied` is 1 and the rank is `higher` + 1. `alike` marks documents
    that share their score with another, ordered or not.
    """

    higher: Ints
    tied: Ints
    alike: NDArray[np.bool_]


@dataclass(frozen=True)
class ScoreRows:
    """The scores of a block of queries, in the precision in which they are compared.

    Parameters
    ----------
    scores : numpy.ndarray of float64, shape (q, w)
        A row for each query, padded with a value below every score.
    lengths : numpy.ndarray of int64, shape (q,)
        Number of scores in each row.
    best : numpy.ndarray of float64, shape (q, min(k + 1, w))
        The highest k + 1 scores of each row, ascending; without a cutoff all.
    """

    scores: Floats
    lengths: Ints
    best: Floats


def places(retrieved: Batch, convention: Convention, k: int | None = None) -> JudgedRanks:
    """The rank of each judged document.

    Parameters
    ----------
    retrieved : Batch
        The documents.
    convention : Convention
        Its ties, and the precision of scores.
    k : int, optional
        Cutoff: a document that cannot be within the first k ranks gets k as `higher`, however many there are.

    Returns
    -------
    JudgedRanks
        For each judged document, in the order of `retrieved`.

    Raises
    ------
    ValueError
        If the convention ranks ties by document id, and `retrieved` has no ids.

    Examples
    --------
    Of the scores 2, 1, 1 and 3, the last two belong to judged documents:

    >>> from ndcg_ref import STANDARD
    >>> judged = dict(owner=np.array([0, 0]), score=np.array([1.0, 3.0]), grade=np.array([1.0, 2.0]))
    >>> judged |= dict(grades=judged["grade"], grade_starts=np.array([0, 2]))
    >>> places(Batch(starts=np.array([0, 4]), scores=np.array([2.0, 1, 1, 3]), **judged), STANDARD)
    JudgedRanks(higher=array([2, 0]), tied=array([2, 1]), alike=array([ True, False]))
    """
    higher = np.full(retrieved.owner.size, 0 if k is None else k)
    tied = np.ones(retrieved.owner.size, dtype=np.int64)
    alike = np.zeros(retrieved.owner.size, dtype=np.bool_)
    for first, last in blocks(retrieved.starts):
        begin, end = np.searchsorted(retrieved.owner, [first, last]).tolist()
        if begin < end:
            starts = retrieved.starts[first : last + 1]
            rows = as_rows(retrieved.scores[starts[0] : starts[-1]], starts - starts[0], convention, k)
            within = within_best(rows, retrieved.score[begin:end], retrieved.owner[begin:end] - first, convention)
            within += begin
            found = places_within(rows, retrieved, within, first, convention, k)
            higher[within], tied[within], alike[within] = found.higher, found.tied, found.alike
    return JudgedRanks(higher, tied, alike)


def as_rows(scores: Floats, starts: Ints, convention: Convention, k: int | None) -> ScoreRows:
    """The scores of a block of queries as rows, with the best of each."""
    matrix = padded(compared(scores, convention), starts, -np.inf)
    width = matrix.shape[1]
    cut = width if k is None else min(k + 1, width)  # one more shows whether a tie crosses the cutoff
    if _descending(matrix):
        best = matrix[:, :cut][:, ::-1]
    elif cut < width:
        best = np.sort(np.partition(matrix, width - cut, axis=1)[:, width - cut :], axis=1)
    else:
        best = np.sort(matrix, axis=1)
    return ScoreRows(matrix, np.diff(starts), best)


def _descending(matrix: Floats) -> bool:
    """Whether each row is sorted in descending order, as in most files; a few columns rule out most others."""
    few = matrix[:, :8]
    return bool((few[:, 1:] <= few[:, :-1]).all() and (matrix[:, 1:] <= matrix[:, :-1]).all())


def all_finite(scores: Floats, rows: ScoreRows, convention: Convention) -> bool:
    """Whether all scores are finite: inf and nan are among the best of their row, and -inf is the lowest."""
    if convention.scores == "float32" or not rows.best.size:
        return bool(np.isfinite(scores).all())
    lowest = rows.best[:, 0] if rows.best.size == rows.scores.size == scores.size else scores
    return bool((rows.best[:, -1] < np.inf).all() and lowest.min() > -np.inf)


def within_best(rows: ScoreRows, score: Floats, owner: Ints, convention: Convention) -> Ints:
    """The documents, by their scores and rows, that have a score among the best of their row."""
    if rows.best.shape[1] == rows.scores.shape[1]:
        return np.arange(score.size)
    return np.flatnonzero(compared(score, convention) >= rows.best[:, 0][owner])


def places_within(
    rows: ScoreRows, retrieved: Batch, chosen: Ints, first: int, convention: Convention, k: int | None
) -> JudgedRanks:
    """The ranks of chosen documents, all of which have a score among the best of their row.

    Parameters
    ----------
    rows : ScoreRows
        The scores of a block of queries.
    retrieved : Batch
        The documents.
    chosen : numpy.ndarray of int64, shape (c,)
        Indexes of judged documents, all of queries of the block.
    first : int
        The first query of the block.
    convention : Convention
        Its ties, and the precision of scores.
    k : int or None
        Cutoff.

    Returns
    -------
    JudgedRanks
        For each chosen document.
    """
    if not chosen.size:
        return JudgedRanks(chosen, chosen, np.zeros(0, dtype=np.bool_))
    owner, score = retrieved.owner[chosen] - first, compared(retrieved.score[chosen], convention)
    width = rows.best.shape[1]
    best = rows.best.ravel()
    begin, end = owner * width, (owner + 1) * width
    lower = _bisected(best, begin, width, score, np.less)
    beyond = lower + 1
    tie = np.flatnonzero((best[np.minimum(beyond, best.size - 1)] == score) & (beyond < end))
    beyond[tie] = _bisected(best, begin[tie], width, score[tie], np.less_equal)
    higher, tied = end - beyond, beyond - lower
    if width < rows.scores.shape[1]:  # a tie with the lowest of them may extend beyond
        last = np.flatnonzero((lower == begin) & (tied > 1) & (rows.lengths[owner] > width))
        row, of_row = np.unique(owner[last], return_inverse=True)
        tied[last] = np.count_nonzero(rows.scores[row] == rows.best[row, :1], axis=1)[of_row]
    alike = tied > 1
    if convention.ties != "average":
        ties = np.flatnonzero(alike & (k is None or higher < k))
        group = owner[ties] * (rows.scores.shape[1] + 1) + higher[ties]
        higher[ties] += _before(rows, retrieved, chosen[ties], group, tied[ties], first, convention)
        tied[:] = 1
    return JudgedRanks(higher, tied, alike)


def compared(scores: Floats, convention: Convention) -> Floats:
    """Scores in the precision of the convention; those beyond the range of float32 become its largest."""
    if convention.scores == "float64":
        return scores
    with np.errstate(over="ignore"):
        return np.nan_to_num(scores.astype(np.float32).astype(np.float64))


def _bisected(flat: Floats, begin: Ints, size: int, score: Floats, goes_before: np.ufunc) -> Ints:
    """The index of the first of `size` ascending values from `begin` on that does not go before the score."""
    found: Ints = begin
    while size > 1:
        half = size // 2
        found = found + half * goes_before(flat[half - 1 :][found], score)
        size -= half
    found = found + goes_before(flat[found], score)
    return found


def _before(
    rows: ScoreRows, retrieved: Batch, chosen: Ints, group: Ints, tied: Ints, first: int, convention: Convention
) -> Ints:
    """For each chosen document, how many of its tied group rank before it in the order of the convention."""
    if convention.ties in ("best", "worst"):
        upward = retrieved.grade[chosen] * (1 if convention.ties == "worst" else -1)
        before, others = _before_among(upward, group, tied)
        return before + np.where(upward > 0, others, 0)  # the others are unjudged, and have grade 0
    if convention.ties == "input" and retrieved.at is not None:
        before, others = _before_among(retrieved.at[chosen], group, tied)
        chosen, group, rest = chosen[others > 0], group[others > 0], np.flatnonzero(others)
    else:
        before, rest = np.empty_like(group), np.arange(group.size)
    if rest.size:
        before[rest] = _before_others(rows, retrieved, chosen, group, first, convention)
    return before


def _before_among(key: NDArray[Any], group: Ints, tied: Ints) -> tuple[Ints, Ints]:
    """For each chosen document, how many chosen ones of its group have a smaller key, and how many are not chosen."""
    order = np.lexsort((key, group))
    _, first, of_group, size = np.unique(group[order], return_index=True, return_inverse=True, return_counts=True)
    before, others = np.empty_like(group), np.empty_like(group)
    before[order] = np.arange(group.size) - first[of_group]
    others[order] = tied[order] - size[of_group]
    return before, others


def _before_others(
    rows: ScoreRows, retrieved: Batch, chosen: Ints, group: Ints, first: int, convention: Convention
) -> Ints:
    """The same by ids or positions, for which the whole group is needed."""
    _, member, of_group = np.unique(group, return_index=True, return_inverse=True)
    owner = retrieved.owner[chosen[member]]
    score = compared(retrieved.score[chosen[member]], convention)
    width = rows.scores.shape[1]
    before = np.empty_like(group)
    many = max(1, CELLS // width)
    for begin in range(0, member.size, many):
        some = slice(begin, begin + many)
        tied_group, position = np.nonzero(rows.scores[owner[some] - first] == score[some, None])
        mine = np.flatnonzero((of_group >= begin) & (of_group < begin + many))
        if convention.ties == "input" and retrieved.at is not None:
            keys, start = tied_group * width + position, (of_group[mine] - begin) * width
            at = retrieved.at[chosen[mine]]
            before[mine] = np.searchsorted(keys, start + at) - np.searchsorted(keys, start)
        else:
            mine = mine[np.argsort(of_group[mine], kind="stable")]
            ends = np.searchsorted(tied_group, np.arange(owner[some].size + 1)).tolist()
            groups = [position[a:b].tolist() for a, b in pairwise(ends)]
            before[mine] = _before_by_id(retrieved, chosen[mine], groups, of_group[mine] - begin, convention)
    return before


def _before_by_id(
    retrieved: Batch, chosen: Ints, groups: list[list[int]], of_group: Ints, convention: Convention
) -> list[int]:
    """The same for documents sorted by group; a group is given by its positions in the ranking."""
    ids, found = retrieved.ids, retrieved.found
    if ids is None or found is None:
        raise without_ids(convention.ties)
    before = []
    query = group = -1
    owners = retrieved.owner[chosen]
    starts = np.searchsorted(retrieved.owner, owners)
    for owner, judged_at, its in zip(owners.tolist(), (chosen - starts).tolist(), of_group.tolist(), strict=True):
        if owner != query:
            query, names, judged = owner, ids(owner), found(owner)
        if its != group:
            group, members = its, [names[position] for position in groups[its]]
            if convention.ties != "input":
                members.sort(reverse=convention.ties == "id-descending")
            places_of = {name: place for place, name in enumerate(members)}
        before.append(places_of[judged[judged_at]])
    return before
