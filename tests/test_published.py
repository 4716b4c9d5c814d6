"""Numbers that others have printed come out again, of both witnesses.

Each row carries its source. A print is compared as text, in as many digits as it has, rounded or cut off as its source
does: the paper of 2002 rounds its DCG (7.2797 is 7.28) and cuts off its ideal DCG (10.5279 is 10.52), and the examples
of scikit-learn write "..." for the digits they leave out.
"""

from decimal import ROUND_DOWN, ROUND_HALF_EVEN, Decimal

import pytest
from rows import every_row

from ndcg_ref import EXPONENTIAL, ORIGINAL, STANDARD

ROUNDED, CUT = ROUND_HALF_EVEN, ROUND_DOWN

# Järvelin and Kekäläinen 2002, section 2: the gains of a ranking, and those of the ideal one
RANKING = [3, 2, 3, 0, 0, 1, 2, 2, 3, 0]
IDEAL = [3, 3, 3, 2, 2, 2, 1, 1, 1, 1]
JUDGED = {"convention": ORIGINAL, "judged": IDEAL[::-1]}  # the order of the judged grades is none

BY_RANK = [
    # function, grades, options, the digits as printed at each rank, rounded or cut off
    ("cg_by_rank", RANKING, {}, "3 5 8 8 8 9 11 13 16 16", ROUNDED),
    ("dcg_by_rank", RANKING, {"convention": ORIGINAL}, "3.00 5.00 6.89 6.89 6.89 7.28 7.99 8.66 9.61 9.61", ROUNDED),
    ("dcg_by_rank", IDEAL, {"convention": ORIGINAL}, "3.00 6.00 7.89 8.89 9.75 10.52 10.88 11.21 11.53 11.83", CUT),
    ("idcg_by_rank", RANKING, JUDGED, "3.00 6.00 7.89 8.89 9.75 10.52 10.88 11.21 11.53 11.83", CUT),
]

# Wikipedia, "Discounted cumulative gain", the example: six documents, and two more that were not retrieved
SIX = [3, 2, 3, 0, 1, 2]
EIGHT = [*SIX, 3, 2]

# The examples of scikit-learn and torchmetrics: grades 10, 0, 0, 1, 5, put in the order of the predicted scores
BY_FIRST_SCORES = [5, 1, 0, 0, 10]  # scores .1, .2, .3, 4, 70
BEST = [10, 5, 1, 0, 0]

# torchmetrics, RetrievalNormalizedDCG: two queries, put in the order of preds
TWO_QUERIES = [
    [True, False, False],  # preds .2, .3, .5 of False, False, True
    [False, True, True, False],  # preds .1, .3, .5, .2 of False, True, False, True
]

# Elasticsearch, the tests of its metric expected_reciprocal_rank: grades on a scale up to 3, with the sums step by step
RATED = [3, 2, 0, 1]
TO_3 = {"highest_grade": 3}

# ranx, the test of its rank-biased precision: of twenty documents these are relevant
AT_FIVE_RANKS = [int(rank in (1, 2, 6, 11, 17)) for rank in range(1, 21)]

ONE_NUMBER = [
    # function, grades, options, the digits as printed, rounded or cut off, where
    ("cg", SIX, {}, "11", ROUNDED, "Wikipedia"),
    ("dcg", SIX, {}, "6.861", ROUNDED, "Wikipedia"),
    ("idcg", SIX, {"k": 6, "judged": EIGHT}, "8.740", ROUNDED, "Wikipedia"),
    ("ndcg", SIX, {"k": 6, "judged": EIGHT}, "0.785", ROUNDED, "Wikipedia"),
    ("ndcg", SIX, {}, "0.961", ROUNDED, "Wikipedia, earlier, with the ideal of the six documents alone"),
    ("dcg", BY_FIRST_SCORES, {}, "9.49", CUT, "scikit-learn, dcg_score"),
    ("ndcg", BY_FIRST_SCORES, {}, "0.69", CUT, "scikit-learn, ndcg_score"),
    ("ndcg", BEST, {"k": 4}, "1.0", CUT, "scikit-learn, ndcg_score: the cutoff cuts the ideal too"),
    ("mean_ndcg", TWO_QUERIES, {}, "0.8467", ROUNDED, "torchmetrics, RetrievalNormalizedDCG"),
    ("expected_reciprocal_rank", RATED, {**TO_3, "k": 1}, "0.875", ROUNDED, "Elasticsearch, the first term"),
    ("expected_reciprocal_rank", RATED, {**TO_3, "k": 3}, "0.8984375", ROUNDED, "Elasticsearch"),
    ("expected_reciprocal_rank", RATED, TO_3, "0.90087890625", ROUNDED, "Elasticsearch: 0.8984375 + 0.00244140625"),
    ("expected_reciprocal_rank", [3, 0, 0, 1], TO_3, "0.87890625", ROUNDED, "Elasticsearch: 0.875 + 0.00390625"),
    ("rank_biased_precision", AT_FIVE_RANKS, {"persistence": 0.5}, "0.7661", ROUNDED, "ranx"),
    ("rank_biased_precision", AT_FIVE_RANKS, {"persistence": 0.95}, "0.1881", ROUNDED, "ranx"),
    ("rank_biased_precision", [1, 0, 1, 1, 0], {"persistence": 0.8}, "0.4304", ROUNDED, "Evret, its page on RBP"),
]

OTHER_CONVENTIONS = [
    # a print that the convention of its source gives, and these do not
    ("dcg", RANKING, {"convention": STANDARD}, "9.61", ROUNDED),
    ("dcg", SIX, {"convention": EXPONENTIAL}, "6.861", ROUNDED),
    ("idcg", IDEAL, {"convention": ORIGINAL, "k": 6}, "10.52", ROUNDED),  # cut off, as the docstring says
    ("expected_reciprocal_rank", RATED, {"highest_grade": 4}, "0.90087890625", ROUNDED),  # another scale
]


def as_printed(value, like, rounding):
    """The value in as many decimals as `like` has."""
    return str(Decimal(float(value)).quantize(Decimal(like), rounding=rounding))


@pytest.mark.parametrize(("function", "grades", "options", "printed", "rounding"), BY_RANK)
def test_a_printed_vector_comes_out_again(witness, function, grades, options, printed, rounding):
    computed = getattr(witness, function)(grades, **options)
    texts = printed.split()
    assert [as_printed(value, text, rounding) for value, text in zip(computed, texts, strict=True)] == texts


@every_row(("function", "grades", "options", "printed", "rounding", "source"), ONE_NUMBER)
def test_a_printed_number_comes_out_again(witness, function, grades, options, printed, rounding, source):
    assert as_printed(getattr(witness, function)(grades, **options), printed, rounding) == printed, source


@every_row(("function", "grades", "options", "printed", "rounding"), OTHER_CONVENTIONS)
def test_another_convention_prints_otherwise(witness, function, grades, options, printed, rounding):
    assert as_printed(getattr(witness, function)(grades, **options), printed, rounding) != printed
