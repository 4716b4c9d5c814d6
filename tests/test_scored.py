"""The plain rules for documents with scores, and for runs: each value is worked by hand or printed elsewhere.

`ndcg_ref.formulas.plain` is the specification that the fast paths are held to, so it is held here to other witnesses:
sums worked by hand, the values that other projects document, and the mean over all orders of the tied documents.
"""

import itertools
import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rows import every_row

from ndcg_ref import Convention
from ndcg_ref.conventions.convention import WORDS
from ndcg_ref.formulas.plain import dcg, dcg_of_scores, ndcg_of_run

LOG3 = math.log2(3)
BY_ID = Convention(ties="id-descending")

TIED = [
    # grades, scores, ids, k, ties, DCG
    ([3, 0, 1], [0.5, 0.5, 0.1], "abc", None, "average", 3 * (1 + 1 / LOG3) / 2 + 1 / 2),
    ([3, 0, 1], [0.5, 0.5, 0.1], "abc", None, "id-descending", 3 / LOG3 + 1 / 2),  # b before a
    ([3, 0, 1], [0.5, 0.5, 0.1], "abc", None, "id-ascending", 3 + 1 / 2),
    ([0, 3, 1], [0.5, 0.5, 0.1], "abc", None, "input", 3 / LOG3 + 1 / 2),
    ([3, 0, 1], [0.5, 0.5, 0.1], "abc", None, "worst", 3 / LOG3 + 1 / 2),
    ([3, 0, 1], [0.5, 0.5, 0.1], "abc", 1, "average", 3 / 2),  # first in one order of two
    ([3, 0, 1], [7, 7, 7], "abc", 2, "average", (3 + 0 + 1) * (1 + 1 / LOG3) / 3),
    ([3, 0, 1], [7, 7, 7], ["10", "9", "1"], 1, "id-descending", 0),  # as text 9 stands above 10, and 10 above 1
    ([], [], "", None, "average", 0),
]

PRECISION = [
    # scores, precision, DCG of grades 0, 1 under ties="input"
    ([1.00000002, 1.00000001], "float64", 1 / LOG3),
    ([1.00000001, 1.00000002], "float64", 1),
    ([1.00000001, 1.00000002], "float32", 1 / LOG3),  # one number in float32: a tie, in the order of the input
    ([1e39, 2e39], "float32", 1 / LOG3),  # both beyond the largest float32
]

QRELS = {"q1": {"a": 2, "b": 1, "c": 0}, "q2": {"a": 1}, "q3": {"a": 0}}
RUN = {"q1": {"x": 9.0, "b": 5.0, "a": 1.0}, "q3": {"a": 1.0}, "q9": {"a": 1.0}}
IDEAL = 2 + 1 / LOG3

RUNS = [
    # convention, k, NDCG of each query of RUN
    (Convention(), None, {"q1": (1 / LOG3 + 2 / 2) / IDEAL, "q3": math.nan}),
    (Convention(zero_ideal=1, missing="zero"), None, {"q1": (1 / LOG3 + 2 / 2) / IDEAL, "q2": 0, "q3": 1}),
    (Convention(zero_ideal=0, extra="zero"), None, {"q1": (1 / LOG3 + 2 / 2) / IDEAL, "q3": 0, "q9": 0}),
    (Convention(zero_ideal=0, unjudged="drop"), None, {"q1": (1 + 2 / LOG3) / IDEAL, "q3": 0}),
    (Convention(zero_ideal=0, gain={1: 5, 2: 9, 0: 0}), 2, {"q1": 5 / LOG3 / (9 + 5 / LOG3), "q3": 0}),
]

MISSING, EXTRA = Convention(missing="error"), Convention(extra="error")
REFUSED = [
    # call, exception, message
    (lambda: dcg_of_scores([1, 2], [1.0]), "scores: expected one for each of 2 documents, got 1"),
    (lambda: dcg_of_scores([1], [0.5], convention=BY_ID), 'ids: expected the id of each document, as ties="id-desc'),
    (lambda: ndcg_of_run(QRELS, RUN, convention=MISSING), "run: expected every judged query, got none of 'q2'"),
    (lambda: ndcg_of_run(QRELS, RUN, convention=EXTRA), "run: expected only judged queries, got 'q9' (extra=\"skip\""),
]


def close(value):
    return pytest.approx(value, rel=1e-13, abs=1e-13, nan_ok=True)


@every_row(("grades", "scores", "ids", "k", "ties", "expected"), TIED)
def test_ties_are_ranked_as_the_convention_says(grades, scores, ids, k, ties, expected):
    assert dcg_of_scores(grades, scores, k, Convention(ties=ties), ids) == close(expected)


@pytest.mark.parametrize(("scores", "precision", "expected"), PRECISION)
def test_scores_are_compared_in_their_precision(scores, precision, expected):
    assert dcg_of_scores([0, 1], scores, convention=Convention(ties="input", scores=precision)) == close(expected)


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=1, max_size=5),
    st.none() | st.integers(1, 6),
    st.sampled_from(["log(rank+1)", "log(rank)", "rank", "none"]),
)
def test_the_average_is_that_over_all_orders_of_the_tied(documents, k, discount):
    """Every order of the documents that the scores allow, one by one."""
    convention = Convention(discount=discount)
    descending = sorted((score for _, score in documents), reverse=True)
    orders = [order for order in itertools.permutations(documents) if [score for _, score in order] == descending]
    mean = math.fsum(dcg([grade for grade, _ in order], k, convention) for order in orders) / len(orders)
    assert dcg_of_scores(*zip(*documents, strict=True), k, convention) == close(mean)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), max_size=8), st.none() | st.integers(1, 9))
def test_best_and_worst_hold_every_other_order_between_them(documents, k):
    grades, scores = [grade for grade, _ in documents], [score for _, score in documents]
    ids = [f"d{i}" for i in range(len(grades))]
    values = {ties: dcg_of_scores(grades, scores, k, Convention(ties=ties), ids) for ties in WORDS["ties"]}
    assert values["worst"] - 1e-12 <= min(values.values())
    assert max(values.values()) <= values["best"] + 1e-12


@pytest.mark.parametrize(("convention", "k", "expected"), RUNS)
def test_a_run_has_the_values_worked_by_hand(convention, k, expected):
    assert ndcg_of_run(QRELS, RUN, k, convention) == {query: close(value) for query, value in expected.items()}


@pytest.mark.parametrize(("call", "message"), REFUSED)
def test_bad_input_is_refused(call, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        call()
