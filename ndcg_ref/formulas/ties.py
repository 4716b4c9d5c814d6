"""The ranks of documents among the scores of their query: for many queries at once, in blocks that fit a cache.

Two counts determine a rank: how many documents of the query have a higher score, and how many have the same score, with
the document itself. Tied documents share the ranks after those of the higher ones, or each gets one of these ranks, as
the convention says. A document that gains nothing needs no rank, so only the others cost time.

`ndcg_ref.formulas.sums` has the sums over these ranks, and says how tied documents are weighed. Nothing here depends on
the order of documents or queries, unless the convention ranks ties by it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ndcg_ref.conventions.convention import Convention
from ndcg_ref.conventions.validation import refusal
from ndcg_ref.formulas.batch import CELLS, Batch, Bools, Floats, Ints, as_rows, blocks


@dataclass(frozen=True)
class JudgedRanks:
    """The ranks of judged documents: how many documents are before each, and how many share its ranks.

    Without ties, or if the convention orders them, `tied` is 1 and the rank is `higher` + 1. `alike` marks documents
    that share their score with another, ordered or not.
    """

    higher: Ints
    tied: Ints
    alike: Bools


def places(batch: Batch, convention: Convention, k: int | None = None) -> JudgedRanks:
    """The rank of each judged document that was retrieved; one that cannot be within the cutoff gets k as `higher`.

    Of the scores 2, 1, 1 and 3, the last two belong to judged documents:

    >>> from ndcg_ref import STANDARD
    >>> judged = dict(owner=np.array([0, 0]), score=np.array([1.0, 3.0]), grade=np.array([1.0, 2.0]))
    >>> judged |= dict(grades=judged["grade"], grade_starts=np.array([0, 2]))
    >>> places(Batch(starts=np.array([0, 4]), scores=np.array([2.0, 1, 1, 3]), **judged), STANDARD)
    JudgedRanks(higher=array([2, 0]), tied=array([2, 1]), alike=array([ True, False]))
    """
    higher = np.full(batch.owner.size, 0 if k is None else k)
    tied = np.ones(batch.owner.size, dtype=np.int64)
    alike = np.zeros(batch.owner.size, dtype=np.bool_)
    for first, last in blocks(batch.starts):
        begin, end = np.searchsorted(batch.owner, [first, last]).tolist()
        if begin < end:
            block = _Block(batch, first, last, convention, k)
            among_best = begin + block.among_best(slice(begin, end))
            if among_best.size:
                higher[among_best], tied[among_best], alike[among_best] = block.ranks(among_best)
    return JudgedRanks(higher, tied, alike)


def _compared(scores: Floats, convention: Convention) -> Floats:
    """Scores in the precision of the convention; those beyond the range of float32 become its largest."""
    if convention.scores == "float64":
        return scores
    with np.errstate(over="ignore"):
        return np.nan_to_num(scores.astype(np.float32).astype(np.float64))


def _descending(rows: Floats) -> bool:
    """Whether each row is sorted in descending order, as in most files; a few columns rule out most others."""
    few = rows[:, :8]
    return bool((few[:, 1:] <= few[:, :-1]).all() and (rows[:, 1:] <= rows[:, :-1]).all())


class _Block:
    """A block of queries: a row of scores for each, as they are compared, and the highest of each row, ascending.

    Documents are given by their indexes among the judged ones of the batch.
    """

    def __init__(self, batch: Batch, first: int, last: int, convention: Convention, k: int | None) -> None:
        self._batch, self._first, self._convention, self._k = batch, first, convention, k
        starts = batch.starts[first : last + 1]
        self._lengths = np.diff(starts)
        scores = batch.scores[starts[0] : starts[-1]]
        self._rows = rows = as_rows(_compared(scores, convention), starts - starts[0], -np.inf)
        self._width = width = rows.shape[1]
        cut = width if k is None else min(k + 1, width)  # one more shows whether a tie crosses the cutoff
        if _descending(rows):
            self._best = rows[:, :cut][:, ::-1]
        elif cut < width:
            self._best = np.sort(np.partition(rows, width - cut, axis=1)[:, width - cut :], axis=1)
        else:
            self._best = np.sort(rows, axis=1)

    def _row(self, documents: Ints | slice) -> Ints:
        return self._batch.owner[documents] - self._first

    def _score(self, documents: Ints | slice) -> Floats:
        return _compared(self._batch.score[documents], self._convention)

    def among_best(self, documents: slice) -> Ints:
        """Which of the documents have a score among the best of their row, counted from the first of them."""
        if self._best.shape[1] == self._width:
            return np.arange(documents.stop - documents.start)
        return np.flatnonzero(self._score(documents) >= self._best[:, 0][self._row(documents)])

    def ranks(self, documents: Ints) -> tuple[Ints, Ints, Bools]:
        """What `JudgedRanks` has of some documents, all of which have a score among the best of their row."""
        row, score, cut = self._row(documents), self._score(documents), self._best.shape[1]
        best = self._best.ravel()
        begin, end = row * cut, (row + 1) * cut
        lower = _bisected(best, begin, cut, score, np.less)
        beyond = lower + 1
        tie = np.flatnonzero((best[np.minimum(beyond, best.size - 1)] == score) & (beyond < end))
        beyond[tie] = _bisected(best, begin[tie], cut, score[tie], np.less_equal)
        higher, tied = end - beyond, beyond - lower
        if cut < self._width:  # a tie with the lowest of them may extend beyond
            last = np.flatnonzero((lower == begin) & (tied > 1) & (self._lengths[row] > cut))
            rows, of_row = np.unique(row[last], return_inverse=True)
            tied[last] = np.count_nonzero(self._rows[rows] == self._best[rows, :1], axis=1)[of_row]
        alike = tied > 1
        if self._convention.ties != "average":
            ties = np.flatnonzero(alike & (self._k is None or higher < self._k))
            group = row[ties] * (self._width + 1) + higher[ties]
            higher[ties] += self._before(documents[ties], group, tied[ties])
            tied[:] = 1
        return higher, tied, alike

    def _before(self, documents: Ints, group: Ints, tied: Ints) -> Ints:
        """For each document, how many of its tied group rank before it in the order of the convention."""
        if self._convention.ties in ("best", "worst"):
            upward = self._batch.grade[documents] * (1 if self._convention.ties == "worst" else -1)
            order = np.lexsort((upward, group))
            _, first, of_group, size = np.unique(
                group[order], return_index=True, return_inverse=True, return_counts=True
            )
            before, others = np.empty_like(group), np.empty_like(group)
            before[order] = np.arange(group.size) - first[of_group]
            others[order] = tied[order] - size[of_group]
            return before + np.where(upward > 0, others, 0)  # the others are unjudged, and have grade 0
        _, member, of_group = np.unique(group, return_index=True, return_inverse=True)
        row, score = self._row(documents[member]), self._score(documents[member])
        before = np.empty_like(group)
        many = max(1, CELLS // self._width)
        for begin in range(0, member.size, many):
            some = slice(begin, begin + many)
            tied_group, position = np.nonzero(self._rows[row[some]] == score[some, None])
            mine = np.flatnonzero((of_group >= begin) & (of_group < begin + many))
            mine = mine[np.argsort(of_group[mine], kind="stable")]
            ends = np.searchsorted(tied_group, np.arange(row[some].size + 1)).tolist()
            groups = [position[a:b].tolist() for a, b in pairwise(ends)]
            before[mine] = self._before_by_id(documents[mine], groups, of_group[mine] - begin)
        return before

    def _before_by_id(self, documents: Ints, groups: list[list[int]], of_group: Ints) -> list[int]:
        """The same by id or place, for documents sorted by group; a group is given by its positions in the ranking."""
        ids, found, ties = self._batch.ids, self._batch.judged_ids, self._convention.ties
        if ids is None or found is None:
            raise refusal("missing ids", "ids", ties=ties)
        before = []
        query = group = -1
        owners = self._batch.owner[documents]
        judged_at = documents - np.searchsorted(self._batch.owner, owners)
        for owner, at, its in zip(owners.tolist(), judged_at.tolist(), of_group.tolist(), strict=True):
            if owner != query:
                query, names, judged = owner, ids(owner), found(owner)
            if its != group:
                group, members = its, [names[position] for position in groups[its]]
                if ties != "input":
                    members.sort(reverse=ties == "id-descending")
                place_of = {name: place for place, name in enumerate(members)}
            before.append(place_of[judged[at]])
        return before


def _bisected(flat: Floats, begin: Ints, size: int, score: Floats, goes_before: np.ufunc) -> Ints:
    """The index of the first of `size` ascending values from `begin` on that does not go before the score."""
    found: Ints = begin
    while size > 1:
        half = size // 2
        found = found + half * goes_before(flat[half - 1 :][found], score)
        size -= half
    found = found + goes_before(flat[found], score)
    return found
