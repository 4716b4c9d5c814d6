"""Each function gives what the hand gives, in both witnesses.

The expected values are written as the sums they are: gain over discount, rank by rank. log2(2), log2(4) and log2(8) are
1, 2 and 3, so most rows put their grades at rank 1, 3 and 7; LOG3 and its like stand for the others.
"""

import array
import math
from collections import deque
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from rows import every_row

from ndcg_ref import EXPONENTIAL, ORIGINAL, STANDARD, Convention
from ndcg_ref.formulas import arrays

LOG3, LOG5, LOG6, LOG7 = (math.log2(number) for number in (3, 5, 6, 7))
BASE_10 = Convention(base=10)
ORIGINAL_10 = Convention(discount="log(rank)", base=10)
TABLE = Convention(gain=[0, 1, 10])
BY_GRADE = Convention(gain=[0, 3, 1], ideal_order="grade")  # a table that does not rise
CLAMP, KEEP = Convention(negative="clamp"), Convention(negative="keep")


def the_rank(rank):
    return rank


GAINS = [
    # grades, convention, gains
    ([3, 0, 1.5], STANDARD, [3, 0, 1.5]),  # the grade itself
    ([3, 2, 0.5, 0], EXPONENTIAL, [8 - 1, 4 - 1, math.sqrt(2) - 1, 1 - 1]),  # a grade need not be whole
    ([2, 0, 1, 2], TABLE, [10, 0, 1, 10]),
    ([0.5, -1, 3], Convention(gain={-1: 4, 0.5: 2, 3: 7}, negative="keep"), [2, 4, 7]),
    ([2, -3, -0.5], CLAMP, [2, 0, 0]),
    ([2, -3, -0.5], KEEP, [2, -3, -0.5]),
    ([-1], Convention(gain="exponential", negative="clamp"), [1 - 1]),  # clamped first, then 2 to the power of 0
    ([-1, 2], Convention(gain=[5, 1, 10], negative="clamp"), [5, 10]),  # clamped first, then looked up
    ([2, 0, 0.5, -1], Convention(gain="binary", negative="keep"), [1, 0, 1, 0]),
    ([1.9, 2, 0.5, -1.9], Convention(fractional="truncate", negative="keep"), [1, 2, 0, -1]),  # toward 0
    ([-0.5], Convention(fractional="truncate"), [0]),  # cut first, and then no longer below 0
    ([1, 2.0, 0], Convention(fractional="error"), [1, 2, 0]),
    ([], EXPONENTIAL, []),
]

DISCOUNTS = [
    # n, convention, divisors
    (7, STANDARD, [1, LOG3, 2, LOG5, LOG6, LOG7, 3]),
    (4, ORIGINAL, [1, 1, LOG3, 2]),  # log2 of 1 and 2 is below 1 or 1
    (9, BASE_10, [math.log10(rank + 1) for rank in range(1, 10)]),  # rank 9: log10 of 10 is 1
    (3, Convention(discount="log(rank)", base=1.5), [1, 1 / (LOG3 - 1), LOG3 / (LOG3 - 1)]),  # log2(1.5) = log2(3) - 1
    (4, Convention(discount="rank"), [1, 2, 3, 4]),
    (3, Convention(discount=the_rank), [1, 2, 3]),
    (0, STANDARD, []),
]

CG = [
    # grades, k, sum
    ([2, 3, 1], 1, 2),
    ([2, 3, 1], 2, 2 + 3),
    ([2, -3, 1], None, 2 - 3 + 1),  # grades as they are
    ([], None, 0),
    ([0.1] * 10, None, 1),  # rounded once: adding up step by step gives 0.9999999999999999
]

DCG = [
    # grades, k, convention, sum
    ([2, 0, 1], None, STANDARD, 2 / 1 + 1 / 2),  # log2(2), log2(4)
    ([2, 0, 1], 9, STANDARD, 2 / 1 + 1 / 2),  # k > n
    ([2, 0, 1], 10**400, STANDARD, 2 / 1 + 1 / 2),  # k beyond the range of a float
    ([3, 0, 2], None, EXPONENTIAL, 7 / 1 + 3 / 2),
    ([3], None, BASE_10, 3 / math.log10(2)),  # above the grade itself: rank 1 divides by less than 1
    ([1, 0, 2], None, TABLE, 1 / 1 + 10 / 2),
    ([0, 0, 0], None, Convention(gain=[1, 2]), 1 / 1 + 1 / LOG3 + 1 / 2),  # grade 0 is worth 1 here
    ([], None, STANDARD, 0),
]

IDCG = [
    # grades, k, convention, judged, sum
    ([0, 1, 2], None, STANDARD, None, 2 / 1 + 1 / LOG3),
    ([1, 0, 2], 2, STANDARD, None, 2 / 1 + 1 / LOG3),
    ([1], None, STANDARD, [4, 1, 0, 2], 4 / 1 + 2 / LOG3 + 1 / 2),  # all judged, also beyond the ranking
    ([0, 0, 0], None, STANDARD, [], 0),
    ([], None, STANDARD, [3, 1], 3 / 1 + 1 / LOG3),  # nothing retrieved
    ([1, -2], None, CLAMP, [3, 1], 3 / 1 + 1 / LOG3),  # clamped it is a 0, which may be missing
    ([0, 2, 1], None, Convention(gain={0: 5, 1: 3, 2: 1}), None, 5 / 1 + 3 / LOG3 + 1 / 2),  # by gain, not by grade
    ([0, 2, 1], None, Convention(gain={0: 5, 1: 3, 2: 1}, ideal_order="grade"), None, 1 / 1 + 3 / LOG3 + 5 / 2),
    ([-1, 1], None, Convention(gain=[4, 1], negative="clamp", ideal_order="grade"), None, 1 / 1 + 4 / LOG3),
    ([0, 0, 1], None, Convention(gain={0: 0, 1: 1, 2: -1}), [1, 2], 1 / 1 + 0 / LOG3 + 0 / 2 - 1 / math.log2(5)),
    ([1, 0], None, Convention(ideal="ranked"), [4, 1, 0, 2], 1 / 1),  # of the ranking alone
    ([1, 0], 2, Convention(ideal_cut="none"), [4, 1, 0, 2], 4 / 1 + 2 / LOG3 + 1 / 2),  # not cut
    ([1, 0], 9, Convention(ideal_cut="hits"), [4, 1, 0, 2], 4 / 1 + 2 / LOG3),  # two documents, two ranks
    ([1, 0], 1, Convention(ideal_cut="hits"), [4, 1, 0, 2], 4 / 1),  # k is smaller
]

NDCG = [
    # grades, k, convention, judged, ratio
    ([0, 0, 1], None, STANDARD, None, (1 / 2) / (1 / 1)),
    ([1, 0, 2], None, STANDARD, None, (1 / 1 + 2 / 2) / (2 / 1 + 1 / LOG3)),
    ([0, 0, 1], None, BASE_10, None, 1 / 2),  # the base of the logarithm cancels,
    ([0, 0, 1], None, ORIGINAL_10, None, 1),  # but not here: rank 3 is undiscounted
    ([1, 0, 0], None, STANDARD, [1, 1, 0], (1 / 1) / (1 / 1 + 1 / LOG3)),  # one more was to be found
    ([], None, STANDARD, [1], 0),  # nothing retrieved, though there was something to find
    ([1, 2], None, Convention(gain=[0, 3, 1]), None, 1),  # as trec_eval -m ndcg.1=3,2=1, and ir_measures
    ([1, 2], None, BY_GRADE, None, (3 / 1 + 1 / LOG3) / (1 / 1 + 3 / LOG3)),  # above 1
    ([1], 1, BY_GRADE, [1, 2], 3),  # as LightGBM's ndcg@1 with label_gain=[0, 3, 1]
    ([0, 0], None, STANDARD, None, math.nan),
    ([0, 0], None, Convention(zero_ideal=0), None, 0),
    ([], None, STANDARD, None, math.nan),  # an empty ranking has no ideal gain
    ([-1, -1], None, Convention(negative="clamp", zero_ideal=1), None, 1),  # all clamped to 0
    ([1, -1], None, Convention(negative="keep", discount="none", zero_ideal=0), None, 0),  # 1 - 1 is no ideal gain
    ([1], None, Convention(ideal="ranked"), [1, 3], 1),  # the 3 that was not found does not count
    ([1, 0], 1, Convention(ideal_cut="none"), [1, 1, 0], 1 / (1 / 1 + 1 / LOG3)),
    ([0, 1], None, Convention(zero_ideal=1), None, 1 / LOG3),  # for those with ideal gain it means nothing
]

# The laws hold each rank to the value of its cutoff: here is what has no cutoff or no rank
CG_BY_RANK = [
    # grades, sums
    ([], []),
    ([1e16, 1, -1e16], [1e16, 1e16, 1]),  # rounded once: 1e16 + 1 is 1e16 in floats, yet the 1 is left at last
]

DCG_BY_RANK = [
    # grades, convention, sums
    ([2, 1, 3], ORIGINAL, [2 / 1, 2 / 1 + 1 / 1, 2 / 1 + 1 / 1 + 3 / LOG3]),
    ([], STANDARD, []),
]

IDCG_BY_RANK = [
    # grades, convention, judged, sums
    ([0, 1], STANDARD, [3, 1, 2], [3 / 1, 3 / 1 + 2 / LOG3]),  # as long as the ranking
    ([0, 1, 0], STANDARD, [1], [1 / 1, 1 / 1, 1 / 1]),  # also where fewer are judged
    ([0, 1], Convention(ideal_cut="hits"), [3, 1, 0], [3 / 1, 3 / 1 + 1 / LOG3]),
    ([], Convention(ideal_cut="none"), [3], []),
]

NDCG_BY_RANK = [
    # grades, convention, judged, ratios
    ([1, 0, 2], STANDARD, None, [1 / 2, 1 / (2 + 1 / LOG3), 2 / (2 + 1 / LOG3)]),
    # by grade, the ideal of rank 1 has no gain
    ([2, 0], Convention(gain=[1, 0, 0], ideal_order="grade", zero_ideal=0), None, [0, (1 / LOG3) / (1 / LOG3)]),
    ([], Convention(zero_ideal="error"), None, []),  # no rank, nothing to refuse
]

MEAN_NDCG = [
    # rankings, k, convention, mean
    ([[1, 0], [0, 0, 1]], None, STANDARD, (1 + 1 / 2) / 2),
    ([[1, 0], [0, 0, 1], [0, 0]], None, STANDARD, (1 + 1 / 2) / 2),  # without ideal gain: left out,
    ([[1, 0], [0, 0, 1], [0, 0]], None, Convention(zero_ideal=0), (1 + 1 / 2 + 0) / 3),  # or counted as 0,
    ([[1, 0], [0, 0, 1], [0, 0]], None, Convention(zero_ideal=1), (1 + 1 / 2 + 1) / 3),  # or as 1
    ([[0, 0, 1], []], None, STANDARD, 1 / 2),  # an empty ranking is such a one
    ([[0, 0], [0]], None, STANDARD, math.nan),  # no query has an NDCG
    ([], None, Convention(zero_ideal=0), math.nan),  # no query at all
    (np.array([[1, 0, 0], [0, 0, 1]]), None, STANDARD, (1 + 1 / 2) / 2),  # rows of a matrix
]

POOLED_NDCG = [
    # rankings, k, convention, ratio
    ([[9, 0, 0], [0, 0, 1]], None, STANDARD, (9 + 1 / 2) / (9 + 1)),  # the mean would be 3/4
    ([[0, 0, 9], [1, 0, 0]], 2, STANDARD, (0 + 1) / (9 + 1)),
    ([[0, 0, 1], [0, 0]], None, STANDARD, 1 / 2),  # a query without ideal gain adds nothing,
    ([[0, 0, 1], [0, 0]], None, Convention(zero_ideal="error"), 1 / 2),
    ([[0, 1], [0]], 1, Convention(gain=[1, 0]), 1 / 1),  # also where it has a gain: the best grade is worth 0 here
    ([[0], []], None, STANDARD, math.nan),
    ([[0], []], None, Convention(zero_ideal=0), 0),
    ([[0], []], None, Convention(zero_ideal=1), 1),
    ([], None, Convention(zero_ideal=0), 0),
]

# Relevant (R) or not (N), as exercises 8.8 and 8.9 of Manning et al. 2008 print them
SYSTEM_1, SYSTEM_2, LIST_8_9 = (
    [int(letter == "R") for letter in letters] for letters in ("RNRNNNNNRR", "NRNNRRRNNN", "RRNNNNNNRNRNNNRNNNNR")
)

PRECISION_AT_RELEVANT = [
    # grades, threshold, precision at each relevant document
    ([1, 0, 2], None, [1 / 1, 2 / 3]),  # any grade above 0
    ([1, 2, 2], 2, [1 / 2, 2 / 3]),  # the threshold itself counts
    ([1, 0, 2], 0, [1 / 1, 2 / 2, 3 / 3]),  # 0 is not None: a grade 0 reaches it
    ([-1, 1], None, [1 / 2]),  # a grade below 0 is not relevant
    ([1, 2], Fraction(3, 2), [1 / 2]),
    ([0, 0], None, []),
    ([], None, []),
]

AVERAGE_PRECISION = [
    # grades, threshold, relevant, mean
    ([1, 0, 0, 2], None, None, (1 / 1 + 2 / 4) / 2),
    ([1, 0, 1, 0], None, 4, (1 / 1 + 2 / 3) / 4),  # two never retrieved
    ([1, 0, 3, 2], 2, None, (1 / 3 + 2 / 4) / 2),
    ([1, 0, 3, 2], 2, 5, (1 / 3 + 2 / 4) / 5),
    ([0, 0], None, 3, 0),  # three to find, none found
    ([0, 0], None, None, math.nan),  # none to find
    ([1, 1], 2, None, math.nan),
]

RECALL = [
    # grades, k, threshold, relevant, share; the lists are those of exercises 8.8 and 8.9 of Manning et al. 2008
    (LIST_8_9, None, None, 8, 6 / 8),
    (LIST_8_9, 10, None, 8, 3 / 8),
    (LIST_8_9, 9, None, None, 3 / 6),  # of those retrieved, also below the cutoff
    ([1, 0, 2], 1, 2, None, 0),
    ([1, 0, 2], 3, 2, 2, 1 / 2),
    ([1, 0, 2], 2, 0, None, 2 / 3),  # 0 is not None: a grade 0 reaches it
    ([0, 0], 1, None, 3, 0),  # three to find, none found
    ([0, 0], None, None, None, math.nan),  # none to find
]

SUCCESS = [
    # grades, k, threshold, whether the first k ranks hold a relevant document
    ([0, 1, 0], None, None, 1),
    ([0, 1, 0], 1, None, 0),
    ([0, 1, 2], 2, 2, 0),
    ([0, 1, 2], 3, 2, 1),
    ([-1, 0], None, None, 0),
    ([], None, None, 0),
]

R_PRECISION = [
    # grades, threshold, relevant, precision at that rank
    (SYSTEM_1, None, None, 2 / 4),  # exercise 8.8: 4 relevant documents, 2 of them and 1 among the first four
    (LIST_8_9, None, 8, 2 / 8),
    ([1], None, 4, 1 / 4),  # fewer retrieved than relevant: the ranks that are missing hold nothing
    ([2, 1, 1], 2, None, 1),
    ([0, 0], None, 3, 0),
    ([0, 0], None, None, math.nan),
]

JUDGMENT_RATE = [
    # grades, None for an unjudged document, k, share
    ([2, None, 0, None, 1], 4, 2 / 4),
    ([2, None, 0, None, 1], None, 3 / 5),
    ([None, -1], 2, 1 / 2),  # a grade below 0 is a judgment
    ([None, 1], 10, 1 / 2),  # divided by the two that there are
    ([None, None], None, 0),
    ((0, 0), None, 1),
    ([], None, math.nan),
]

EXPECTED_RECIPROCAL_RANK = [
    # grades, highest grade, k, sum; on a scale up to 2 a grade 1 satisfies with the chance 1/4, a grade 2 with 3/4
    ([2, 1], 2, None, 3 / 4 + 1 / 4 * 1 / 4 / 2),
    ([1, 0, 2], 2, None, 1 / 4 + 3 / 4 * 3 / 4 / 3),  # a grade 0 stops nobody
    ([1, 1, 1], 2, None, 1 / 4 + 3 / 4 * 1 / 4 / 2 + 3 / 4 * 3 / 4 * 1 / 4 / 3),
    ([1, 0, 2], 2, 9, 1 / 4 + 3 / 4 * 3 / 4 / 3),  # beyond the last rank there is nothing
    ([1, 2], 3, None, 1 / 8 + 7 / 8 * 3 / 8 / 2),  # the highest grade is that of the scale, not of the ranking
    ([0.5], 1, None, (math.sqrt(2) - 1) / 2),  # a grade need not be whole
    ([0, 0], 4, None, 0),
    ([], 4, None, 0),
]

RANK_BIASED_PRECISION = [
    # grades, persistence, highest grade, k, sum
    ([1, 0, 1], 0.5, 1, None, 1 / 2 + 1 / 8),
    ([1, 0, 1], 0.5, 1, 2, 1 / 2),
    ([1, 1, 1, 1], 0.75, 1, None, 1 - (3 / 4) ** 4),  # all but the residual
    ([2, 1], 0.5, 4, None, 1 / 2 * 1 / 2 + 1 / 4 * 1 / 4),  # the highest grade is that of the scale
    ([0.5, 1], 0.5, 1, None, 1 / 4 + 1 / 4),
    ([1, 2], 0, 2, None, 1 / 2),  # a reader who never goes on sees rank 1 alone
    ([1, 1], Fraction(1, 4), Fraction(2), None, 3 / 4 * (1 / 2 + 1 / 4 * 1 / 2)),
    ([0, 0], 0.8, 1, None, 0),
    ([], 0.8, 1, None, 0),
]

# 2, 0, 1 in every kind of sequence: DCG is 2 / 1 + 1 / 2
KINDS = [
    [2, 0, 1],
    deque([2, 0, 1]),
    [2, False, True],
    [Fraction(2), Fraction(0), Fraction(1)],
    [2, Fraction(0), Decimal(1)],
    [np.int8(2), np.uint64(0), np.float16(1)],
    np.array([2, 0, 1]),
    np.array([2, 0, 1], dtype=np.uint8),  # sorted as they are, -1 would be 255
    np.array([2, 0, 1], dtype=np.float16),
    np.array([2, 0, 1], dtype=np.longdouble),
    np.array([2, 0, 1], dtype=">f8"),  # of the other byte order
    np.array([2, 0, 1], dtype=object),
    np.array([Fraction(2), Decimal(0), True], dtype=object),
    np.array([1, 9, 0, 9, 2])[::-2],  # a view, in steps and backward
    np.ma.array([2, 0, 1]),  # nothing is masked
    memoryview(array.array("d", [2, 0, 1])),
]

# Other grades, where a kind cannot hold 2, 0, 1
OTHER_KINDS = [
    # grades, DCG
    ([True, False, True], 1 / 1 + 1 / 2),
    (range(2, -1, -1), 2 / 1 + 1 / LOG3),  # 2, 1, 0
    ([Fraction(1, 3)], 1 / 3),
    (np.array([0.1], dtype=np.float32), float(np.float32(0.1))),  # what it holds, not what was meant
    ([2**70], 2.0**70),  # beyond 64 bits
    (np.array([], dtype=object), 0),
]

ARRAYS = {"gains", "discounts", "cg_by_rank", "dcg_by_rank", "idcg_by_rank", "ndcg_by_rank", "precision_at_relevant"}


def close(expected):
    """Equal but for the last bits of a float; a nan equals a nan."""
    return pytest.approx(expected, rel=1e-14, abs=0, nan_ok=True)


def listed(values):
    return [float(value) for value in values]


BY_HAND = {
    # function: rows of its arguments, and the value
    "gains": GAINS,
    "discounts": DISCOUNTS,
    "cg": CG,
    "cg_by_rank": CG_BY_RANK,
    "dcg": DCG,
    "dcg_by_rank": DCG_BY_RANK,
    "idcg": IDCG,
    "idcg_by_rank": IDCG_BY_RANK,
    "ndcg": NDCG,
    "ndcg_by_rank": NDCG_BY_RANK,
    "mean_ndcg": MEAN_NDCG,
    "pooled_ndcg": POOLED_NDCG,
    "precision_at_relevant": PRECISION_AT_RELEVANT,
    "average_precision": AVERAGE_PRECISION,
    "recall": RECALL,
    "success": SUCCESS,
    "r_precision": R_PRECISION,
    "judgment_rate": JUDGMENT_RATE,
    "expected_reciprocal_rank": EXPECTED_RECIPROCAL_RANK,
    "rank_biased_precision": RANK_BIASED_PRECISION,
}
EXACT = {"cg", "cg_by_rank", "success"}  # sums of the grades themselves, rounded once, and 0 or 1


def value(witness, name, *arguments):
    """What a function gives, its arrays as lists."""
    found = getattr(witness, name)(*arguments)
    return listed(found) if name in ARRAYS else found


def hand_worked():
    rows: Any
    for name, rows in BY_HAND.items():
        yield from ((name, row) for row in rows)


class TestValues:
    @every_row(("name", "row"), list(hand_worked()))
    def test_values_are_as_worked_by_hand(self, witness, name, row):
        *arguments, expected = row
        assert value(witness, name, *arguments) == (expected if name in EXACT else close(expected))

    @every_row(("grades", "convention", "expected"), GAINS)
    def test_the_gain_of_one_grade_is_that_in_a_ranking(self, grades, convention, expected):
        assert [arrays.gain_of(grade, convention, "here") for grade in grades] == close(expected)

    def test_a_discount_of_your_own_is_asked_for_no_rank_beyond_the_cutoff(self, witness):
        asked = []
        witness.dcg([1, 1, 1], 2, Convention(discount=lambda rank: asked.append(rank) or 1))
        assert asked == [1, 2]

    @pytest.mark.parametrize(("function", "expected"), [("mean_ndcg", (1 + 1 / 2) / 2), ("pooled_ndcg", 9.5 / 10)])
    def test_rankings_may_come_one_by_one(self, witness, function, expected):
        assert getattr(witness, function)(ranking for ranking in ([9, 0, 0], [0, 0, 1])) == expected

    @pytest.mark.parametrize("name", ["recall", "r_precision"])
    def test_more_found_than_there_are_is_refused(self, witness, name):
        with pytest.raises(ValueError, match=r"^relevant: expected a whole number of at least 2, got 1"):
            getattr(witness, name)([1, 0, 1], relevant=1)

    def test_a_grade_that_is_no_number_is_no_unjudged_document(self, witness):
        with pytest.raises(ValueError, match=r"^grades\[1\]: expected a finite number, got nan"):
            witness.judgment_rate([1, math.nan])


IDEAL = 2 / 1 + 1 / LOG3
OF_KINDS = [
    # function, its arguments, of which grades is one, value
    ("dcg", lambda grades: [grades], 2 / 1 + 1 / 2),
    ("dcg", lambda grades: [grades, None, EXPONENTIAL], 3 / 1 + 1 / 2),
    ("idcg", lambda grades: [[0], 2, STANDARD, grades], IDEAL),
    ("ndcg_by_rank", lambda grades: [grades], [1, 2 / IDEAL, 2.5 / IDEAL]),
    ("mean_ndcg", lambda grades: [[grades, grades]], 2.5 / IDEAL),
    ("cg", lambda grades: [grades], 2 + 0 + 1),
    ("average_precision", lambda grades: [grades], (1 / 1 + 2 / 3) / 2),
    ("r_precision", lambda grades: [grades, None, 2], 1 / 2),
    ("judgment_rate", lambda grades: [grades, 2], 1),
    ("expected_reciprocal_rank", lambda grades: [grades, 2], 3 / 4 + 1 / 4 * 1 / 4 / 3),
    ("rank_biased_precision", lambda grades: [grades, 0.5, 2], 1 / 2 + 1 / 2 * 1 / 8),
]


class TestGradesMayBeOfAnyKindOfNumber:
    @every_row("grades", KINDS)
    @every_row(("name", "arguments", "expected"), OF_KINDS)
    def test_every_kind_of_number_is_taken(self, witness, grades, name, arguments, expected):
        assert value(witness, name, *arguments(grades)) == close(expected)

    @every_row("choice", [{"fractional": "truncate", "negative": "keep"}, {"negative": "clamp"}])
    def test_a_grade_that_is_read_as_0_has_no_sign(self, witness, choice):
        assert repr(listed(witness.gains([-0.5, -0.0], Convention(**choice)))[0]) == "0.0"

    @every_row(("grades", "expected"), OTHER_KINDS)
    def test_unusual_grades_count_by_their_value(self, witness, grades, expected):
        assert witness.dcg(grades) == close(expected)


def test_an_unjudged_document_stands_before_those_judged_below_0(witness):
    """Grades 2, 0, -1 with the 0 unjudged: the ideal order is 2, 0, -1 itself."""
    keep = Convention(negative="keep")
    assert witness.idcg([2, 0, -1], judged=[-1, 2], convention=keep) == pytest.approx(2 / 1 + 0 - 1 / 2)  # log2(4) = 2
