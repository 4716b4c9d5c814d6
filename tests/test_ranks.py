"""Where documents stand among scores, over arrays: `ndcg_ref.formulas.ties` gives what its plain twin gives.

The runs below are small and full of ties, of gaps, and of numbers that only single precision takes for the same.
"""

import math
import re
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ndcg_ref import STANDARD, Convention
from ndcg_ref.formulas import batch as matrix
from ndcg_ref.formulas import ties
from ndcg_ref.formulas.batch import Batch, blocks, sums_by_query
from ndcg_ref.formulas.sums import expected_weights, idcg_by_query, weigh_ranks
from ndcg_ref.formulas.ties import JudgedRanks, places

AT_ONCE = [1, 20, matrix.CELLS]  # one query at a time, a few, all

# scores of a ranking, positions of the judged documents, ties, ranks, or those shared
FIVE = [0.5, 0.9, 0.5, 0.1, 0.5]
STANDS = [
    # scores, ties, rank of each document, or the ranks it shares
    (FIVE, "average", [(2, 3, 4), (1,), (2, 3, 4), (5,), (2, 3, 4)]),
    (FIVE, "input", [(2,), (1,), (3,), (5,), (4,)]),
    (FIVE, "id-ascending", [(3,), (1,), (4,), (5,), (2,)]),  # ids d9 < dA < dB; d9 is the last
    (FIVE, "id-descending", [(3,), (1,), (2,), (5,), (4,)]),
    (FIVE, "best", [(4,), (1,), (3,), (5,), (2,)]),  # grades 0, 1, 2, 3, 4
    ([*range(20, 10, -1), 1.0, 2.0], "average", [*((rank,) for rank in range(1, 11)), (12,), (11,)]),
    ([], "average", []),
]
IDS = ["dA", "x", "dB", "y", "d9"]


def shared(found):
    """The ranks of each document."""
    return [
        tuple(range(higher + 1, higher + tied + 1))
        for higher, tied in zip(found.higher.tolist(), found.tied.tolist(), strict=True)
    ]


def one_query(scores, judged=None, **options):
    """A query of which all documents are judged, or those at some positions, with the position as grade."""
    chosen = np.arange(len(scores)) if judged is None else np.array(judged, dtype=np.int64)
    values = np.array(scores, dtype=np.float64)
    return Batch(
        starts=np.array([0, len(scores)]),
        scores=values,
        owner=np.zeros(chosen.size, dtype=np.int64),
        score=values[chosen],
        grade=chosen.astype(np.float64),
        grades=chosen.astype(np.float64),
        grade_starts=np.array([0, chosen.size]),
        ids=lambda _: IDS[: len(scores)],
        judged_ids=lambda _: [IDS[i] for i in chosen],
        **options,
    )


class TestWhereDocumentsStand:
    @pytest.mark.parametrize(("scores", "ties", "expected"), STANDS)
    def test_judged_documents_stand_at_the_ranks_that_their_ties_share(self, scores, ties, expected):
        assert shared(places(one_query(scores), Convention(ties=ties))) == expected

    @pytest.mark.parametrize(("scores", "ties", "expected"), [row for row in STANDS if row[1] not in ("best", "worst")])
    def test_a_document_stands_where_it_stands_with_others_unjudged(self, scores, ties, expected):
        """A document stands where it stands, whoever else is judged."""
        for i in range(len(scores)):
            assert shared(places(one_query(scores, [i]), Convention(ties=ties))) == [expected[i]]

    @pytest.mark.parametrize("ties", ["average", "input", "id-ascending", "id-descending"])
    def test_a_cutoff_changes_nothing_above_it(self, ties):
        convention = Convention(ties=ties)
        whole = shared(places(one_query(FIVE), convention))
        for k in range(1, 7):
            cut = shared(places(one_query(FIVE), convention, k))
            assert [each for each in cut if each[0] <= k] == [each for each in whole if each[0] <= k]

    def test_beyond_single_precision_all_are_the_same_but_not_its_greatest(self):
        greatest = float(np.finfo(np.float32).max)
        found = places(one_query([1e39, greatest, 1e300, -1e39, -greatest]), Convention(scores="float32"))
        assert shared(found) == [(1, 2), (3,), (1, 2), (5,), (4,)]

    @pytest.mark.parametrize("ties", ["id-ascending", "id-descending"])
    def test_ids_are_asked_for_only_where_a_tie_needs_them(self, ties):
        asked = []
        names = one_query([3.0, 2.0, 1.0])
        silent = Batch(**{**vars(names), "ids": asked.append, "judged_ids": asked.append})
        places(silent, Convention(ties=ties))
        assert asked == []

    def test_a_tie_by_id_is_refused_without_ids(self):
        nameless = Batch(**{**vars(one_query([1.0, 1.0])), "ids": None, "judged_ids": None})
        message = 'ids: expected the id of each document, as ties="id-descending" ranks by it, got none'
        with pytest.raises(ValueError, match=re.escape(message)):
            places(nameless, Convention(ties="id-descending"))

    @pytest.mark.parametrize("k", [None, 2])
    def test_a_ranking_in_order_is_not_sorted_again(self, k):
        with patch.multiple(np, sort=None, partition=None):
            found = places(one_query([2.0, 1.0, 1.0, 0.5]), STANDARD, k)
        assert shared(found)[:3] == [(1,), (2, 3), (2, 3)]


WEIGHTS = [
    # higher, tied, k, weight
    (0, 1, None, 1),
    (2, 1, None, 1 / 2),  # rank 3: log2(4) is 2
    (0, 3, None, (1 + 1 / math.log2(3) + 1 / 2) / 3),
    (2, 1, 2, 0),
    (1, 2, 2, 1 / math.log2(3) / 2),
]


class TestWhatAPlaceIsWorth:
    @pytest.mark.parametrize(("higher", "tied", "k", "weight"), WEIGHTS)
    def test_the_weight_of_a_place_is_the_mean_over_its_ranks(self, higher, tied, k, weight):
        found = JudgedRanks(np.array([higher]), np.array([tied]), np.array([tied > 1]))
        assert expected_weights(found, weigh_ranks(3, STANDARD), k).tolist() == [pytest.approx(weight, rel=1e-15)]

    @given(st.lists(st.integers(0, 99_998), min_size=1, max_size=50))
    def test_a_single_rank_far_down_loses_nothing(self, above):
        """The sums of many weights are kept so that their differences are as exact as the weights."""
        weights = LONG
        found = JudgedRanks(np.array(above), np.ones(len(above), dtype=np.int64), np.zeros(len(above), dtype=np.bool_))
        expected = [1 / math.log2(higher + 2) for higher in above]
        assert expected_weights(found, weights).tolist() == pytest.approx(expected, rel=4e-16)


LONG = weigh_ranks(100_000, STANDARD)


class TestSumsAreExact:
    @given(st.lists(st.lists(st.floats(-1e15, 1e15), max_size=8), max_size=6), st.sampled_from(AT_ONCE))
    def test_sums_are_as_if_rounded_once(self, rows, at_once):
        starts = np.cumsum([0, *map(len, rows)])
        with patch.object(matrix, "CELLS", at_once), patch.object(ties, "CELLS", at_once):
            sums = sums_by_query(np.array([term for row in rows for term in row]), starts)
        assert sums.tolist() == pytest.approx([math.fsum(row) for row in rows], rel=1e-15, abs=1e-14)

    @pytest.mark.parametrize("at_once", AT_ONCE)
    def test_an_ideal_is_that_of_its_query(self, at_once):
        gained = np.array([0.0, 2, 1, 3, 1])  # of three queries, cut at rank 2
        with patch.object(matrix, "CELLS", at_once):
            ideal = idcg_by_query(gained, None, np.array([0, 2, 3, 5]), 2, weigh_ranks(2, STANDARD))
        assert ideal.tolist() == [2, 1, pytest.approx(3 + 1 / math.log2(3))]


@given(st.lists(st.integers(0, 9), min_size=1, max_size=30), st.sampled_from(AT_ONCE))
def test_blocks_hold_all_queries_in_order(lengths, at_once):
    with patch.object(matrix, "CELLS", at_once), patch.object(ties, "CELLS", at_once):
        found = list(blocks(np.cumsum([0, *lengths])))
    assert [query for first, last in found for query in range(first, last)] == list(range(len(lengths)))
    assert all(last - first == 1 or (last - first) * max(lengths[first:last]) <= at_once for first, last in found)
