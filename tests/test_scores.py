"""`ndcg_score` gives what others print, what the hand gives, and what its plain twin gives, in every form it takes.

Which convention its default is, and what else that does, is for test_presets to say.
"""

import math
import re
import tracemalloc
import warnings
from contextlib import nullcontext
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rows import every_row
from weighted import weighted_mean

from ndcg_ref import EXPONENTIAL, STANDARD, Convention, dcg_score, ndcg_score
from ndcg_ref.conventions.convention import GAINS, WORDS
from ndcg_ref.formulas import batch as matrix
from ndcg_ref.formulas import plain
from ndcg_ref.formulas import ties as tied_ranks
from ndcg_ref.runs import scored

LOG3 = math.log2(3)
INPUT = Convention(ties="input")
ONE = Convention(zero_ideal=1)

# The example of scikit-learn's documentation, and that of torchmetrics (two queries)
TEN = [[10, 0, 0, 1, 5]]
QUARTER = [[0, 1], [0, 0]], [[2, 1], [2, 1]]

PRINTED = [
    # print, y_true, y_score, options
    ("0.6957", TEN, [[0.1, 0.2, 0.3, 4, 70]], {}),
    ("0.35", TEN, [[0.05, 1.1, 1.0, 0.5, 0.0]], {"k": 4}),
    ("0.75", TEN, [[1, 0, 0, 0, 1]], {"k": 1}),  # two documents share rank 1
    # torchmetrics compares in float32, LightGBM and XGBoost add the 1 of a query without ideal gain unweighted
    ("0.815465", [[1, 0]], [[1.00000001, 1.00000002]], {"convention": Convention(scores="float32")}),
    ("1.0", [[0, 1]], [[1.00000001, 1.00000002]], {"convention": STANDARD}),
    ("0.326186", *QUARTER, {"convention": replace(ONE, query_weights="with-ideal"), "sample_weight": [1, 4]}),
    ("0.926186", *QUARTER, {"convention": ONE, "sample_weight": [1, 4]}),
]

BY_HAND = [
    # y_true, y_score, options, value
    ([[0, 0, 1]], [[3, 2, 1]], {}, 1 / 2),  # rank 3: log2(4) is 2
    ([1], [5], {"group": [1]}, 1),  # a single document
    ([[1, 0]], [[5, 5]], {}, (1 + 1 / LOG3) / 2),
    ([[0, 1]], [[5, 5]], {"convention": INPUT, "ignore_ties": True}, 1 / LOG3),
    ([[0, 1]], [[5, 5]], {"convention": Convention(ties="best")}, 1),
    ([[0, 0, 1]], [[5, 5, 5]], {"k": 1}, 1 / 3),
    ([[1, 1, 0]], [[7, 5, 5]], {"k": 2}, (1 + 1 / LOG3 / 2) / (1 + 1 / LOG3)),  # the tie crosses the cutoff
    ([[0, 1]], [[2, 1]], {"convention": Convention(gain=[1, 4])}, (1 + 4 / LOG3) / (4 + 1 / LOG3)),  # grade 0 gains
    ([[-1, 0, 1]], [[3, 2, 1]], {"convention": Convention(negative="keep")}, (-1 + 1 / 2) / (1 - 1 / 2)),
    ([[1, 0, 2]], [[3, 2, 1]], {"k": 1, "convention": Convention(ideal_cut="none")}, 1 / (2 + 1 / LOG3)),
    ([[0, 0]], [[2, 1]], {}, 0),  # as in scikit-learn
    ([[1, 0], [0, 0]], [[2, 1], [2, 1]], {"convention": STANDARD}, 1),  # left out
    ([[1, 0], [0, 0]], [[2, 1], [2, 1]], {"convention": STANDARD, "sample_weight": [2, 6]}, 1),  # with its weight
    ([[1, 0], [0, 1]], [[2, 1], [2, 1]], {"sample_weight": [3, 1]}, (3 + 1 / LOG3) / 4),
    ([[0, 0]], [[2, 1]], {"convention": STANDARD}, math.nan),
    ([[]], [[]], {}, 0),  # one query, without documents
    ([[], [1]], [[], [3]], {}, 1 / 2),
    ([1, 0, 1], [1, 2, 3], {"group": [0, 2, 1]}, (0 + 1 / LOG3 + 1) / 3),
    ([[1, 0, 0], [1]], [[3, 2, 1], [1]], {"k": 1}, 1),  # as many of the best, with what fills up rows, as documents
]


@pytest.mark.parametrize(("printed", "y_true", "y_score", "options"), PRINTED)
def test_numbers_that_others_print_come_out_again(printed, y_true, y_score, options):
    digits = -Decimal(printed).as_tuple().exponent
    assert abs(Decimal(ndcg_score(y_true, y_score, **options)) - Decimal(printed)) <= Decimal(10) ** -digits / 2


@every_row(("y_true", "y_score", "options", "value"), BY_HAND)
def test_values_are_as_worked_by_hand(y_true, y_score, options, value):
    assert ndcg_score(y_true, y_score, **options) == pytest.approx(value, rel=1e-15, nan_ok=True)


GRADES = [[3, 0, 1], [0, 2, 0]]
SCORED = [[0.5, 0.25, 0.5], [1.0, 2.0, 3.0]]
FLAT = ([3, 0, 1, 0, 2, 0], [0.5, 0.25, 0.5, 1.0, 2.0, 3.0])
MIXED = [3, 0, 4, 1, 2, 5]  # the documents of two queries in turns

FORMS = [
    # y_true, y_score, options: all the same documents
    (GRADES, SCORED, {}),
    (np.array(GRADES), np.array(SCORED), {}),
    (np.array(GRADES, dtype=np.int8), np.array(SCORED, dtype=np.float32), {}),
    (np.array(GRADES, dtype=">f8"), np.array(SCORED, dtype=">f4"), {}),
    (np.array(GRADES, order="F"), np.array(SCORED, order="F"), {}),
    ([np.array(row) for row in GRADES], [np.array(row) for row in SCORED], {}),
    ([[Decimal(grade) for grade in row] for row in GRADES], SCORED, {}),
    (*FLAT, {"group": [3, 3]}),
    (*map(np.array, FLAT), {"group": np.array([3, 3])}),
    (*FLAT, {"qid": [7, 7, 7, 2, 2, 2]}),
    (*FLAT, {"qid": list("aaabbb")}),
    ([FLAT[0][i] for i in MIXED], [FLAT[1][i] for i in MIXED], {"qid": [2, 1, 2, 1, 1, 2]}),
    (np.array(FLAT[0])[MIXED], np.array(FLAT[1])[MIXED], {"qid": np.array(list("babaab"))}),
]
# 3 and 1 share ranks 1 and 2; the 2 is at rank 2
FIRST, SECOND = (3 + 1) * (1 + 1 / LOG3) / 2 / (3 + 1 / LOG3), 1 / LOG3


class TestTheFormChangesNothing:
    @every_row(("y_true", "y_score", "options"), FORMS)
    def test_the_form_of_the_documents_changes_nothing_and_a_weight_is_of_its_query(self, y_true, y_score, options):
        assert ndcg_score(y_true, y_score, **options) == pytest.approx((FIRST + SECOND) / 2, rel=1e-15)
        weights = [1, 3] if list(options.get("qid", [])[:2]) in ([2, 1], ["b", "a"]) else [3, 1]  # the other one first
        value = ndcg_score(y_true, y_score, sample_weight=weights, **options)
        assert value == pytest.approx((3 * FIRST + SECOND) / 4, rel=1e-15)

    @every_row("ties", ["average", "input", "best"])
    @every_row("scores", WORDS["scores"])
    @every_row("k", [None, 1])
    def test_arrays_that_cannot_be_written_to_are_taken(self, k, scores, ties):
        y_true, y_score = np.array(GRADES, dtype=np.float64), np.array(SCORED)
        for array in (y_true, y_score):
            array.setflags(write=False)
        convention = Convention(scores=scores, ties=ties)
        assert 0 < ndcg_score(y_true, y_score, k=k, convention=convention) <= 1
        assert (y_true.tolist(), y_score.tolist()) == (GRADES, SCORED)


def under(**choices):
    """The option of a convention."""
    return {"convention": Convention(**choices)}


MASKED = np.ma.array([1, 2], mask=[False, True])
ONE_EACH = "y_score: expected one score for each grade, "
REFUSED = [
    # y_true, y_score, options, message
    ([1, 0], [1, 2, 3], {}, f"{ONE_EACH}the shape (2,), got the shape (3,) (do grades"),
    ([[1, 0]], [1, 0], {}, "the shape (1, 2), got the shape (2,) (do grades and scores belong to the same documents?)"),
    ([[1, 0], [1, 2, 3]], [[1, 0], [1]], {}, "y_score[1]: expected 3 scores, one for each grade, got 1"),
    (np.zeros((1, 2, 3)), np.zeros((1, 2, 3)), {}, "y_true: expected one list, or one a query, got 3 axes"),
    (np.zeros((0, 3)), np.zeros((0, 3)), {}, "y_true: expected at least one query, got none"),
    ([[1, -1]], [[1, 2]], {}, "y_true[0, 1]: expected a grade of 0 or more, got -1 (negative="),
    ([1, 0, -1], [1, 2, 3], {"group": [1, 2]}, "y_true[2]: expected a grade of 0 or more, got -1"),
    ([[0, math.nan]], [[1, 2]], {}, "y_true[0, 1]: expected a finite number, got nan (an unjudged document? give it"),
    ([[1, 2]], [[1, math.nan]], {}, "y_score[0, 1]: expected a finite score, got nan"),
    ([[1, 2]], [[-math.inf, 2]], {}, "y_score[0, 0]: expected a finite score, got -inf"),
    ([[1, 0.5]], [[1, 2]], under(fractional="error"), "y_true[0, 1]: expected a whole grade, got 0.5"),
    ([[1, 0]], [[1, 2]], under(gain={1: 1}), "y_true[0, 1]: expected a grade of the gain table (1), got 0"),
    ([[1, 0], [0, 2000]], np.zeros((2, 2)), {"convention": EXPONENTIAL}, "y_true[1, 1]: expected a grade below 1024"),
    ([[1, 0], [0, 0]], np.zeros((2, 2)), under(zero_ideal="error"), "y_true[1]: expected some ideal"),
    ([1, 0], [0, 0], {**under(zero_ideal="error"), "group": [1, 1]}, "group[1]: expected some ideal gain"),
    ([0, 1], [0, 0], {**under(zero_ideal="error"), "qid": list("ba")}, "qid 'b': expected some ideal"),
    ([[1, 0, 0], [1e308] * 3], np.ones((2, 3)), {}, "y_true[1]: the sum of the gains is beyond the range of a float"),
    ([1, 0], [1, 2], {"k": 0}, "k: expected a whole number of at least 1, got 0"),
    ([1, 0], [1, 2], {"group": [1, 2, 3]}, "group: expected sizes that add up to 2 documents, got a sum of 6 (is a q"),
    ([1, 0], [1, 2], {"group": [7, 8]}, "got a sum of 15 (one entry a document is qid=)"),
    ([], [], {"group": []}, "group: expected at least one query, got none"),
    ([1, 0, 2], [1, 2, 3], {"qid": [1, 2]}, "qid: expected one query id for each of 3 documents, got 2 (sizes of qu"),
    ([1, 0, 2], [1, 2, 3], {"qid": [1, math.nan, 2]}, "qid[1]: expected a query id, got nan"),
    ([1, 0], [1, 2], {"group": [2], "qid": [1, 1]}, "group, qid: expected one of the two, got both"),
    ([[1, 0]], [[1, 2]], {"group": [2]}, "y_true: expected one flat list beside group=, got one a query (group= is"),
    (GRADES, SCORED, {"sample_weight": [1]}, "sample_weight: expected one weight for each of 2 queries, got 1"),
    (GRADES, SCORED, {"sample_weight": [1] * 6}, "got 6 (a weight belongs to a query, not to a document)"),
    (GRADES, SCORED, {"sample_weight": [1, -2]}, "sample_weight[1]: expected a weight of 0 or more, got -2"),
    (GRADES, SCORED, {"sample_weight": [0, 0]}, "sample_weight: expected a weight above 0, got none"),
    (GRADES, SCORED, {"sample_weight": [1, math.nan]}, "sample_weight[1]: expected a finite number, got nan"),
    (GRADES, SCORED, {"sample_weight": [1e308, 1e308]}, "sample_weight: the sum of the weights is beyond the range"),
    (GRADES, SCORED, {"ignore_ties": True, **under()}, "ignore_ties: expected False beside a convention with ti"),
    (GRADES, SCORED, under(ties="id-ascending"), 'got ties="id-ascending" (evaluate() takes ids; ties='),
    ([1, 0, 1], [1, 2, 3], {}, "y_true: expected a list for each query, got one flat list of 3 documents (one query"),
    (np.array([1, 0]), np.array([1, 2]), {"sample_weight": [1, 1]}, "got one flat list of 2 documents"),
    ([[1], [0], [1]], [[1], [2], [3]], {}, "y_true: expected the documents of a query in a row, got 3 in one column"),
    (MASKED, [1, 2], {}, "y_true: expected a number at every rank, got masked ones"),
    (np.ones((2, 2)), [[1, 2], MASKED], {}, "y_score[1]: expected a number at every rank, got"),
]

NOT_NUMBERS = [
    # y_true, y_score, options, message
    (1, [1], {}, "y_true: expected a sequence of numbers, or of one list a query, got 1"),
    ("10", [1, 2], {}, "y_true: expected a sequence of numbers, or of one list a query, got '10'"),
    (["1", 0], [1, 2], {}, "y_true[0]: expected a number, got '1' (text is not converted; use float(...) first?)"),
    ([1, 0], [1, "2"], {}, "y_score[1]: expected a number, got '2' (text is not converted"),
    ([[1, 2], 3], [[1, 2], [3]], {}, "y_true[1]: expected a sequence of numbers, got 3"),
    (iter([1, 2]), [1, 2], {}, "y_true: expected a sequence, got an iterator that can be read only once (use list("),
    ([1, 0], [1, 2], {"group": 2}, "group: expected a sequence of sizes, got 2"),
    ([1, 0], [1, 2], {"group": ["2"]}, "group[0]: expected a whole number, got '2'"),
    ([[1, 0]], [[1, 2]], {"sample_weight": 2}, "sample_weight: expected a sequence of numbers, one for each query"),
    ([[1, 0]], [[1, 2]], {"sample_weight": ["2"]}, "sample_weight[0]: expected a number, got '2'"),
    ([1, 0], [1, 2], {"ignore_ties": "no"}, "ignore_ties: expected True or False, got 'no'"),
    ([1, 0], [1, 2], {"convention": 3}, "convention: expected a Convention or the name of a preset, got 3"),
]


class TestBadInputIsRefused:
    @every_row(("y_true", "y_score", "options", "message"), REFUSED)
    def test_bad_input_is_refused_with_its_place(self, y_true, y_score, options, message):
        with pytest.raises(ValueError, match=re.escape(message)):
            ndcg_score(y_true, y_score, **options)

    @every_row(("y_true", "y_score", "options", "message"), NOT_NUMBERS)
    def test_input_of_another_type_is_refused(self, y_true, y_score, options, message):
        with pytest.raises(TypeError, match=re.escape(message)):
            ndcg_score(y_true, y_score, **options)

    @pytest.mark.parametrize("place", [0, 7, 4999])
    def test_bad_input_is_refused_in_any_block(self, place):
        y_true, y_score = np.zeros((5000, 2)), np.zeros((5000, 2))
        y_true[place, 1] = -3
        with patch.object(matrix, "CELLS", 100), pytest.raises(ValueError, match=re.escape(f"y_true[{place}, 1]: ")):
            ndcg_score(y_true, y_score)


def squared(grade):
    return grade * grade + 1


def steep(rank):
    return 1 + rank**2


CONVENTIONS = st.builds(
    Convention,
    gain=st.sampled_from([*GAINS, [0, 1, 5, 2], {-1: 4, 0: 1, 0.5: 2, 1: 3, 2: -7, 3: 1}, squared]),
    discount=st.sampled_from(["log(rank+1)", "log(rank)", "rank", "none", steep]),
    base=st.sampled_from([2, 10]),
    negative=st.sampled_from(WORDS["negative"]),
    zero_ideal=st.sampled_from(["nan", 0, 1, "error"]),
    ideal=st.sampled_from(WORDS["ideal"]),
    ideal_order=st.sampled_from(WORDS["ideal_order"]),
    ideal_cut=st.sampled_from(WORDS["ideal_cut"]),
    ties=st.sampled_from(["average", "input", "best", "worst"]),
    scores=st.sampled_from(WORDS["scores"]),
    fractional=st.sampled_from(WORDS["fractional"]),
    query_weights=st.sampled_from(WORDS["query_weights"]),
)
SCORES = st.sampled_from([0.0, -0.0, 1.0, 1 + 1e-9, 2.0, -3.5, 1e39, -1e300, 1e300])
DRAWN = [st.sampled_from(grades) for grades in ([0, 0, 0, 0, 0, 1, 3], [0, 1, 2, 3], [-1, 0, 0.5, 1, 2])]


@st.composite
def data_sets(draw):
    """The grades and the scores of some queries, and their weights; most are of one length, many of grade 0."""
    grade, lengths = draw(st.sampled_from(DRAWN)), st.just(draw(st.integers(0, 9))) | st.integers(0, 9)
    rows = [draw(lengths) for _ in range(draw(st.integers(1, 5)))]
    y_true, y_score = ([[draw(each) for _ in range(n)] for n in rows] for each in (grade, SCORES))
    weights = draw(
        st.none() | st.lists(st.sampled_from([0, 1, 2.5]), min_size=len(rows), max_size=len(rows)).filter(any)
    )
    return y_true, y_score, weights


def in_turns(y_true, y_score):
    """The documents of all queries, a document of each at a time."""
    turns = sorted((place, query) for query, row in enumerate(y_true) for place in range(len(row)))
    return (
        [y_true[query][place] for place, query in turns],
        [y_score[query][place] for place, query in turns],
        [f"q{query}" for _, query in turns],
    )


def in_each_form(y_true, y_score, **options):
    """What every form gives that can hold the documents."""
    if {len(row) for row in y_true} != {1}:
        yield ndcg_score(y_true, y_score, **options)
    flat = [[value for row in rows for value in row] for rows in (y_true, y_score)]
    yield ndcg_score(*flat, group=[len(row) for row in y_true], **options)
    if all(y_true):
        *mixed, qid = in_turns(y_true, y_score)
        yield ndcg_score(*mixed, qid=qid, **options)
    if len({len(row) for row in y_true}) == 1 and len(y_true[0]) != 1:
        yield ndcg_score(np.array(y_true), np.asfortranarray(y_score), **options)


def outcome(call, *arguments):
    """The value, or the words of the refusal without its place."""
    try:
        return call(*arguments)
    except ValueError as error:
        return str(error).partition(": ")[2]


def by_the_twin(y_true, y_score, weights, k, convention):
    values = [plain.ndcg_of_scores(*query, k, convention) for query in zip(y_true, y_score, strict=True)]
    with_ideal = [plain.idcg(grades, k, convention) != 0 for grades in y_true]
    return weighted_mean(values, weights or [1] * len(values), with_ideal, convention)


@given(data_sets(), st.sampled_from([None, 1, 2, 3, 5, 20]), CONVENTIONS, st.sampled_from([1, 20, matrix.CELLS]))
@example(([[2, 1]], [[1, 1]], None), 1, STANDARD, matrix.CELLS)
def test_each_form_has_the_value_of_the_plain_twin(data, k, convention, at_once):
    y_true, y_score, weights = data
    expected = outcome(by_the_twin, *data, k, convention)

    def each_form():
        return list(in_each_form(y_true, y_score, k=k, sample_weight=weights, convention=convention))

    with patch.object(matrix, "CELLS", at_once), patch.object(tied_ranks, "CELLS", at_once):
        found = outcome(each_form)
    if isinstance(expected, str):  # of several grades that are refused, either may name another one first
        alone = [outcome(plain.gains, [grade], convention) for row in y_true for grade in row]
        assert found == expected or found in [each for each in alone if isinstance(each, str)]
    else:
        assert found == [pytest.approx(expected, rel=1e-12, abs=1e-12, nan_ok=True)] * len(found)


class TestDcgScore:
    @every_row(
        ("y_true", "y_score", "options", "value"),
        [
            ([[0, 1, 2]], [[2, 1, 3]], {}, 2 + 1 / 2),  # ranks 3 and 1: log2(4) is 2
            ([[0, 1, 2]], [[2, 1, 3]], {"log_base": 4}, 2 * 2 + 1 / 1),  # half of the logarithm to base 2
            ([[0, -1, 2]], [[2, 1, 3]], {}, 2 - 1 / 2),
            ([[0, 3]], [[1, 1]], {"k": 1}, 3 / 2),
            ([[3, 3]], [[1, 1]], {"ignore_ties": True}, 3 + 3 / LOG3),
            ([[0, 1, 2], [1, 0]], [[2, 1, 3], [2, 1]], {}, (2.5 + 1) / 2),
            ([[0, 1], [1, 0]], [[2, 1], [2, 1]], {"sample_weight": [3, 1]}, (3 / LOG3 + 1) / 4),
            ([[1, 0, 2]], [[1, 1, 1]], {"k": 2}, 1.6309297535714573),  # what scikit-learn 1.9.1 gives
            ([[-1, 2]], [[2, 1]], {}, 0.2618595071429146),
        ],
    )
    def test_dcg_score_is_as_worked_by_hand(self, y_true, y_score, options, value):
        assert dcg_score(y_true, y_score, **options) == pytest.approx(value, rel=1e-15)
        assert type(dcg_score(y_true, y_score, **options)) is float

    @given(data_sets(), st.sampled_from([None, 1, 3]), st.sampled_from([2, math.e, 10]), st.booleans())
    def test_dcg_score_has_the_value_of_the_plain_twin(self, data, k, base, ignore_ties):
        y_true, y_score, weights = data
        convention = Convention(base=base, negative="keep", ties="input" if ignore_ties else "average")
        y_true, y_score = [[*row, 0, 2] for row in y_true], [[*row, 1.0, 1.0] for row in y_score]
        values = [plain.dcg_of_scores(*query, k, convention) for query in zip(y_true, y_score, strict=True)]
        expected = weighted_mean(values, weights or [1] * len(values), [True] * len(values), convention)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # of ties
            found = dcg_score(y_true, y_score, k=k, log_base=base, sample_weight=weights, ignore_ties=ignore_ties)
        assert found == pytest.approx(expected, rel=1e-12, abs=1e-12)

    @pytest.mark.parametrize(
        ("y_true", "y_score", "options", "message"),
        [
            ([1, 0], [1, 2], {}, "y_true: expected a list for each query, got one flat list of 2 documents"),
            ([[1], [0]], [[1], [2]], {}, "y_true: expected the documents of a query in a row, got 2 in one column"),
            ([[1, 0]], [[1, 2]], {"log_base": 1}, "log_base: expected a number above 1, got 1 (a logarithm"),
            ([[1, 0]], [[1, 2]], {"log_base": "2"}, "log_base: expected a number, got '2'"),
            ([[1, 0]], [[1, 2]], {"ignore_ties": 1}, "ignore_ties: expected True or False, got 1"),
        ],
    )
    def test_dcg_score_refuses_bad_input(self, y_true, y_score, options, message):
        with pytest.raises((TypeError, ValueError), match=re.escape(message)):
            dcg_score(y_true, y_score, **options)


# Documents of equal score, whose order scikit-learn leaves to the sort that numpy has for the processor
TIES = [
    # grades, scores, options, query that is named or None, NDCG, DCG
    ([[0, 1]], [[5, 5]], {}, "1 query, such as y_true[0]", 1 / LOG3, 1 / LOG3),
    ([[1, 0], [1, 0], [1, 0]], [[2, 1], [5, 5], [5, 5]], {}, "2 queries, such as y_true[1]", 1, 1),
    ([[1, 0, 2]], [[5, 1, 1]], {"k": 2}, "1 query, such as y_true[0]", 1 / (2 + 1 / LOG3), 1),
    ([[1, 0, 2]], [[5, 1, 1]], {"k": 1}, None, 1 / 2, 1),  # below the cutoff
    ([[1, 1, 0]], [[5, 5, 1]], {}, None, 1, 1 + 1 / LOG3),  # of one grade
]


@every_row("score", [ndcg_score, dcg_score])
@every_row(("y_true", "y_score", "options", "named", "ndcg", "dcg"), TIES)
def test_a_warning_says_where_scikit_learn_may_differ(y_true, y_score, options, named, ndcg, dcg, score):
    said = f"ignore_ties: the order of equal scores changes the value of {named}; here it is the order given, in "
    with pytest.warns(UserWarning, match=re.escape(said)) if named else nullcontext():
        found = score(y_true, y_score, ignore_ties=True, **options)
    assert found == pytest.approx(ndcg if score is ndcg_score else dcg, rel=1e-15)


@given(data_sets(), st.sampled_from([None, 1, 3]), CONVENTIONS, st.randoms(use_true_random=False))
def test_the_order_of_documents_changes_no_bit(data, k, convention, random):
    y_true, y_score, weights = data
    convention = replace(convention, ties="average") if convention.ties == "input" else convention
    orders = [random.sample(range(len(row)), len(row)) for row in y_true]
    others = [[[row[i] for i in order] for row, order in zip(rows, orders, strict=True)] for rows in (y_true, y_score)]
    options = {"k": k, "sample_weight": weights, "convention": convention}
    expected = outcome(lambda: ndcg_score(y_true, y_score, **options))
    found = outcome(lambda: ndcg_score(*others, **options))
    if isinstance(expected, str):  # which document is refused first depends on their order
        assert isinstance(found, str)
    else:
        assert found == expected or (math.isnan(found) and math.isnan(expected))


@pytest.mark.long
@every_row("k", [None, 10])
@every_row("ties", ["average", "input", "worst"])
def test_memory_is_that_of_a_block(k, ties):
    """Beside the arrays given, of 4 MB each, each thread takes no more than some of their blocks."""
    rng = np.random.default_rng(7)
    y_true, y_score = rng.integers(0, 4, (500, 1000)), rng.integers(0, 300, (500, 1000)) / 100
    with (
        patch.object(matrix, "CELLS", 10_000),
        patch.object(tied_ranks, "CELLS", 10_000),
        patch.object(scored, "MOST_THREADS", 1),
    ):
        tracemalloc.start()
        try:
            ndcg_score(y_true, y_score, k=k, convention=Convention(ties=ties))
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    assert peak < y_score.nbytes


def test_a_sparse_matrix_is_refused():
    """As those of scipy it has two axes and rows, and no array of numpy."""

    class Sparse:
        ndim = 2

        def __iter__(self):
            return iter([[1, 0]])

    with pytest.raises(TypeError, match=r"y_true: expected lists or arrays, got a Sparse \(use .toarray\(\) first\?\)"):
        ndcg_score(Sparse(), [[1, 2]])


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_the_number_of_threads_does_not_matter(threads, monkeypatch):
    rng = np.random.default_rng(7)
    y_true, y_score = rng.integers(0, 4, (300, 20)), rng.integers(0, 9, (300, 20))
    alone = ndcg_score(y_true, y_score, k=5)
    monkeypatch.setattr(matrix, "CELLS", 200)
    monkeypatch.setattr(scored, "MOST_THREADS", threads)
    monkeypatch.setattr("os.cpu_count", lambda: 8)
    assert ndcg_score(y_true, y_score, k=5) == alone


FAST = [
    # grades, scores, what numpy reads at once
    (np.array([[0, 1, 0, 2]]), np.array([[4.0, 3, 2, 1]]), "an array"),
    ([[0, 1], [2, 0]], [[2, 1], [1, 2.5]], "lists of one length"),
    ([[0, 1], [2]], [[2.5, 1], [1]], "lists of unequal length"),
    ([np.array([0, 1]), np.array([2])], [np.array([2, 1]), np.array([1.5])], "arrays of unequal length"),
]


class TestFastPathsAreTaken:
    @pytest.mark.parametrize(("y_true", "y_score"), [row[:2] for row in FAST], ids=[row[2] for row in FAST])
    def test_what_numpy_reads_is_not_read_number_by_number(self, y_true, y_score, monkeypatch):
        expected = ndcg_score(y_true, y_score)
        monkeypatch.setattr(scored, "as_numbers", None)
        assert ndcg_score(y_true, y_score) == expected

    def test_numbers_that_numpy_does_not_read_are_read_one_by_one(self, monkeypatch):
        """Without this, the rows above might pass as nothing calls it."""
        monkeypatch.setattr(scored, "as_numbers", None)
        with pytest.raises(TypeError, match="'NoneType' object is not callable"):
            ndcg_score([[Fraction(1, 2), 1]], [[1, 2]])

    @pytest.mark.parametrize(("grades", "ranked"), [([[0, 0, 1, 0, 0, 2]], 2), ([[1, 2, 1, 0, 3, 2]], 6)])
    def test_documents_that_gain_nothing_are_not_ranked_where_they_are_many(self, grades, ranked, monkeypatch):
        batches = []
        monkeypatch.setattr(scored, "places", lambda *given: batches.append(given[0]) or tied_ranks.places(*given))
        ndcg_score(grades, [[1, 2, 3, 4, 5, 6]])
        assert [batch.score.size for batch in batches] == [ranked]
