"""Sums over ranks: the weights of ranks, DCG, and ideal DCG, for many queries at once.

DCG is a sum over the judged documents: what a document gains times the weight of its rank, which for tied documents is
the mean over the ranks that they share. All sums are as exact as in twice the precision, so that they depend neither on
the order of documents nor on that of queries.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ndcg_ref.conventions.convention import Convention
from ndcg_ref.formulas.arrays import discounts
from ndcg_ref.formulas.batch import Floats, Ints, as_rows, blocks, left_over, sums_by_query
from ndcg_ref.formulas.ties import JudgedRanks


@dataclass(frozen=True)
class RankWeights:
    """The weights of ranks, 1 over the discount, and their sums over the first 0, 1, 2, … ranks, each as two floats."""

    of_rank: Floats
    sums: Floats
    rests: Floats


def weigh_ranks(n: int, convention: Convention) -> RankWeights:
    """The weight of each of the first n ranks.

    >>> from ndcg_ref import STANDARD
    >>> weigh_ranks(3, STANDARD).of_rank.tolist()
    [1.0, 0.6309297535714575, 0.5]
    """
    of_rank = 1 / discounts(n, convention)
    terms = np.append(0.0, of_rank)
    sums = np.cumsum(terms)
    return RankWeights(of_rank, sums, np.append(0.0, np.cumsum(left_over(terms, sums))))


def expected_weights(ranks: JudgedRanks, weights: RankWeights, k: int | None = None) -> Floats:
    r"""The weight of the rank of each judged document, or the mean over the ranks it shares.

    .. math:: \frac{1}{t} \sum_{r=h+1}^{h+t} w_r = \frac{W_{h+t} - W_h}{t}
              \quad\text{with}\quad W_n = \sum_{r=1}^{\min(n, k)} w_r

    for a document with :math:`h` documents above it and :math:`t` of its score, itself among them, where :math:`w_r` is
    the weight of rank :math:`r`. In the :math:`t!` orders of the tied documents each of them is equally often at each
    of their :math:`t` ranks, so that this is its mean weight. The mean of a sum is the sum of the means: with these
    weights, DCG is its mean over all orders of tied documents (McSherry and Najork 2008), without going through any of
    them. Only ranks up to the cutoff have a weight, so that a tie that crosses it shares what the ranks before it
    weigh. Without a tie :math:`t` is 1, and the weight is that of rank :math:`h + 1`.

    Two documents share ranks 1 and 2, of which only the first is within the cutoff:

    >>> from ndcg_ref import STANDARD
    >>> found = JudgedRanks(np.array([0, 0]), np.array([2, 2]), np.array([True, True]))
    >>> expected_weights(found, weigh_ranks(2, STANDARD), k=1)
    array([0.5, 0.5])
    """
    most = weights.of_rank.size if k is None else min(k, weights.of_rank.size)
    expected = np.zeros(ranks.higher.size)
    counts = np.flatnonzero(ranks.higher < most)
    begin, tied = ranks.higher[counts], ranks.tied[counts]
    end = np.minimum(begin + tied, most)
    shared = (weights.sums[end] - weights.sums[begin]) + (weights.rests[end] - weights.rests[begin])
    expected[counts] = shared / tied
    return expected


def dcg_by_query(gained: Floats, ranks: JudgedRanks, weights: RankWeights, k: int | None, starts: Ints) -> Floats:
    """For each query, the sum over its judged documents of the gain times the weight of the rank.

    `starts` is where the documents of each query start; a sum is not finite if it is beyond the range of a float.

    A gain of 3 at rank 1 and one of 1 at rank 3:

    >>> from ndcg_ref import STANDARD
    >>> found = JudgedRanks(np.array([0, 2]), np.array([1, 1]), np.array([False, False]))
    >>> dcg_by_query(np.array([3.0, 1.0]), found, weigh_ranks(3, STANDARD), None, np.array([0, 2]))
    array([3.5])
    """
    if k is not None:
        counts = np.flatnonzero(ranks.higher < k)
        gained, starts = gained[counts], np.searchsorted(counts, starts)
        ranks = JudgedRanks(ranks.higher[counts], ranks.tied[counts], ranks.alike[counts])
    return sums_by_query(gained * expected_weights(ranks, weights, k), starts)


def idcg_by_query(
    gained: Floats, order: Floats | None, starts: Ints, cuts: Ints | int | None, weights: RankWeights
) -> Floats:
    """Ideal DCG of each query: the sum over its ideal, up to a cutoff for all or one for each.

    `gained` has the gains in the ideal, query after query, and `order` what they are sorted by, highest first, or None
    for the gains themselves.

    >>> from ndcg_ref import STANDARD
    >>> idcg_by_query(np.array([0.0, 2, 1]), None, np.array([0, 2, 3]), 1, weigh_ranks(1, STANDARD))
    array([2., 1.])
    """
    ideal = np.empty(starts.size - 1)
    for first, last in blocks(starts):
        rows = starts[first : last + 1]
        best_first = as_rows(gained, rows, -np.inf)
        if order is None:
            best_first = np.sort(best_first, axis=1)[:, ::-1]
        else:
            by_order = np.argsort(as_rows(order, rows, -np.inf), axis=1)[:, ::-1]
            best_first = np.take_along_axis(best_first, by_order, axis=1)
        lengths = np.diff(rows)
        if cuts is not None:
            lengths = np.minimum(lengths, cuts if isinstance(cuts, int) else cuts[first:last])
        longest = int(lengths.max(initial=0))
        counted = np.arange(longest) < lengths[:, None]
        terms = np.where(counted, best_first[:, :longest], 0.0) * weights.of_rank[:longest]
        ideal[first:last] = sums_by_query(terms.ravel(), np.arange(lengths.size + 1) * longest)
    return ideal
