"""Laws that hold for every ranking under every convention, tried on rankings drawn by hypothesis.

The first is the one that makes two witnesses of two modules: each function over arrays gives what its plain twin gives.
The others are laws of the measure itself, each in the name of its test.
"""

import inspect
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from rows import every_row

import ndcg_ref
from ndcg_ref import ORIGINAL, Convention
from ndcg_ref.conventions.convention import GAINS, WORDS
from ndcg_ref.formulas import arrays, plain
from ndcg_ref.formulas.arrays import dcg, gains, idcg, ndcg

FUNCTIONS = [name for name in ndcg_ref.__all__ if inspect.isfunction(getattr(arrays, name, None))]


def squared(grade):
    return grade * grade


def the_rank(rank):
    return rank


def slowly_growing(rank):
    return 1 + rank / 8


def numbers(low, high):
    """Floats between the two; below a millionth they are 0, so that no product of two others vanishes."""
    return st.floats(low, high, allow_subnormal=False).map(lambda x: 0.0 if abs(x) < 1e-6 else x)


BASES = st.sampled_from([2, 10, math.e, 1.5]) | st.floats(1.01, 100)
DISCOUNTS = st.sampled_from(["log(rank+1)", "log(rank)", "rank", "none", the_rank, slowly_growing])
LEVELS = range(5)
CUTOFFS = st.none() | st.integers(1, 12)
GRADES = st.lists(st.integers(0, 4), max_size=10) | st.lists(numbers(0, 20), max_size=10)
RELEVANT_GRADES = GRADES.filter(any)  # at least one above 0


@st.composite
def rising_tables(draw):
    """A gain for each of the grades 0 to 4: nothing for a 0, and more for a better grade."""
    return [0.0, *np.cumsum(draw(st.lists(numbers(0.1, 20), min_size=4, max_size=4))).tolist()]


@st.composite
def conventions(draw, rising=False, positive=False):
    """A convention, and the grades it takes.

    A positive one has gains of 0 and more and sorts the ideal by them; of a rising one, a better grade gains no less.
    """
    negative = "error" if rising or positive else draw(st.sampled_from(["error", "clamp", "keep"]))
    kind = draw(st.sampled_from(["linear", "exponential", "binary", "own", "sequence", "mapping"]))
    if kind in ("sequence", "mapping"):
        any_table = st.lists(numbers(0 if positive else -20, 20), min_size=5, max_size=5)
        table = draw(rising_tables() if rising else rising_tables() | any_table)
        below = {-1: draw(numbers(-5, 5)), -2.5: draw(numbers(-5, 5))} if negative != "error" else {}
        gain = table if kind == "sequence" else {**dict(enumerate(table)), **below}
        levels = [*LEVELS, *below] if kind == "mapping" or negative == "clamp" else [*LEVELS]
        grades = st.sampled_from(levels)
    else:
        gain = squared if kind == "own" else kind
        low = 0 if negative == "error" else -20
        grades = st.integers(max(low, -3), 4) | numbers(low, 20)
    convention = Convention(
        gain=gain,
        discount=draw(DISCOUNTS),
        base=draw(BASES),
        negative=negative,
        zero_ideal=draw(st.sampled_from(["nan", 0, 1])),
        ideal=draw(st.sampled_from(WORDS["ideal"])),
        ideal_order="gain" if positive else draw(st.sampled_from(WORDS["ideal_order"])),
        ideal_cut="k" if rising or positive else draw(st.sampled_from(WORDS["ideal_cut"])),
        fractional=draw(st.sampled_from(["keep", "truncate"])) if gain in GAINS else "keep",
    )
    return convention, grades


@st.composite
def queries(draw, rising=False, positive=False):
    """A ranking, all judged grades of its query or None, a cutoff or None, and a convention that takes them."""
    convention, grade = draw(conventions(rising, positive))
    grades = draw(st.lists(grade, max_size=10))
    if draw(st.booleans()):
        return grades, None, draw(CUTOFFS), convention
    worthless = 0 in grades and gains([0], convention)[0] == 0
    kept = [grade for grade in grades if grade or not worthless or draw(st.booleans())]  # such a 0 may be missing
    judged = draw(st.permutations(kept + draw(st.lists(grade, max_size=5))))
    return grades, judged, draw(CUTOFFS), convention


@st.composite
def data_sets(draw, rising=False):
    """Rankings of many queries, a cutoff or None, and a convention that takes them."""
    convention, grade = draw(conventions(rising))
    return draw(st.lists(st.lists(grade, max_size=6), max_size=5)), draw(CUTOFFS), convention


def on_a_scale(grades):
    """The grades without their sign, and the highest grade of a scale that holds them."""
    sizes = [abs(grade) for grade in grades]
    return sizes, max(sizes, default=0) or 1


CALLS = {
    # function: what it is called with, of a query or a data set that was drawn
    "gains": lambda grades, judged, k, convention: (grades, convention),
    "discounts": lambda grades, judged, k, convention: (len(grades), convention),
    "cg": lambda grades, judged, k, convention: (grades, k),
    "cg_by_rank": lambda grades, judged, k, convention: (grades,),
    "precision_at_relevant": lambda grades, judged, k, convention: (grades, k),
    "average_precision": lambda grades, judged, k, convention: (grades, k, len(grades) + 2),
    "recall": lambda grades, judged, k, convention: (grades, k, None, len(grades) + 2),
    "success": lambda grades, judged, k, convention: (grades, k, 2),
    "r_precision": lambda grades, judged, k, convention: (grades, k, len(grades) + 2),
    "judgment_rate": lambda grades, judged, k, convention: ([grade or None for grade in grades], k),
    "expected_reciprocal_rank": lambda grades, judged, k, convention: (*on_a_scale(grades), k),
    "rank_biased_precision": lambda grades, judged, k, convention: (
        on_a_scale(grades)[0],
        1 / convention.base,
        on_a_scale(grades)[1],
        k,
    ),
    "dcg": lambda grades, judged, k, convention: (grades, k, convention),
    "dcg_by_rank": lambda grades, judged, k, convention: (grades, convention),
    **dict.fromkeys(("idcg", "ndcg"), lambda grades, judged, k, convention: (grades, k, convention, judged)),
    **dict.fromkeys(("idcg_by_rank", "ndcg_by_rank"), lambda given, judged, _, convention: (given, convention, judged)),
    **dict.fromkeys(("mean_ndcg", "pooled_ndcg"), lambda rankings, k, convention: (rankings, k, convention)),
}


def called(name, *drawn):
    """What a function over arrays gives for what was drawn."""
    return getattr(arrays, name)(*CALLS[name](*drawn))


def near(expected):
    return pytest.approx(expected, rel=1e-12, abs=0, nan_ok=True)


def at_most(bound):
    """The bound, and a little for the last bits."""
    return bound + 1e-12 * abs(bound)


class TestEachFunctionEqualsItsPlainTwin:
    def test_each_function_has_a_plain_twin_with_the_same_parameters_and_is_compared_below(self):
        assert set(CALLS) == set(FUNCTIONS)
        for name in FUNCTIONS:
            one, twin = (inspect.signature(getattr(module, name)).parameters.values() for module in (arrays, plain))
            assert [(p.name, p.default) for p in one] == [(p.name, p.default) for p in twin]

    @pytest.mark.parametrize("name", FUNCTIONS)
    @given(st.data())
    def test_a_function_equals_its_plain_twin(self, name, data):
        """A function over arrays gives what the printed formula gives as a loop."""
        arguments = CALLS[name](*data.draw(data_sets() if name in ("mean_ndcg", "pooled_ndcg") else queries()))
        assert getattr(arrays, name)(*arguments) == near(getattr(plain, name)(*arguments))


def as_arrays(value):
    """The same grades as arrays that cannot be written to."""
    if not isinstance(value, list) or None in value:
        return value
    if value and isinstance(value[0], list):
        return [as_arrays(item) for item in value]
    grades = np.array(value, dtype=float)
    grades.flags.writeable = False
    return grades


ARRAYS = {"gains", "discounts", "cg_by_rank", "dcg_by_rank", "idcg_by_rank", "ndcg_by_rank", "precision_at_relevant"}
ZERO_IDEALS = [Convention(zero_ideal=value) for value in ("nan", 0, 1)]
PROMISED = [
    # function, arguments
    *((name, CALLS[name]([[2, 0, 1], [1]], 2, ORIGINAL)) for name in ("mean_ndcg", "pooled_ndcg")),
    *((name, CALLS[name]([2, 0, 1], [1, 0, 2, 2], 2, ORIGINAL)) for name in FUNCTIONS if "_ndcg" not in name),
    *((name, ([], None, convention)) for name in ("ndcg", "mean_ndcg", "pooled_ndcg") for convention in ZERO_IDEALS),
    *((name, (grades,)) for name in sorted(ARRAYS - {"discounts"}) for grades in ([], [0, 0])),
    ("discounts", (0,)),
]


class TestEveryFunctionKeepsItsPromises:
    @every_row(("name", "arguments"), PROMISED)
    def test_arguments_stay_as_they_were_and_may_be_arrays_that_cannot_be_written_to(self, witness, name, arguments):
        before = repr(arguments)
        found = getattr(witness, name)(*arguments)
        assert repr(arguments) == before
        assert np.array_equal(getattr(witness, name)(*map(as_arrays, arguments)), found, equal_nan=True)

    @every_row(("name", "arguments"), PROMISED)
    def test_one_number_is_a_float_and_many_are_a_flat_array_or_a_list_of_floats(self, name, arguments):
        result, twin = (getattr(module, name)(*arguments) for module in (arrays, plain))
        if name not in ARRAYS:
            assert (type(result), type(twin)) == (float, float)
        else:
            assert (type(result), result.dtype, result.ndim) == (np.ndarray, np.dtype(np.float64), 1)
            assert [type(twin), *map(type, twin)] == [list] + [float] * len(twin)


class TestNdcgIsAShareOfTheBest:
    @given(queries())
    def test_the_ideal_order_gives_1(self, query):
        """The NDCG of grades in the order of the ideal is 1, at every cutoff, where there is ideal gain."""
        grades, _, k, convention = query
        convention = replace(convention, ideal_cut="k")
        by_gain = convention.ideal_order == "gain"
        best_first = sorted(grades, key=lambda grade: gains([grade], convention)[0] if by_gain else grade, reverse=True)
        assume(idcg(grades, k, convention) != 0)
        assert ndcg(best_first, k, convention) == 1

    @given(queries(rising=True) | queries(positive=True))
    def test_ndcg_lies_between_0_and_1(self, query):
        """NDCG is in [0, 1] where no gain is negative, and the ideal is sorted by gain, or by grades that gain more."""
        grades, judged, k, convention = query
        assume(idcg(grades, k, convention, judged) != 0)
        assert 0 <= ndcg(grades, k, convention, judged) <= at_most(1)

    @given(queries(rising=True))
    def test_the_order_by_grade_is_that_by_gain_where_the_gain_rises(self, query):
        """The ideal sorted by grade is then the same to the last bit, and is the DCG of the sorted grades."""
        grades, judged, k, convention = query
        by_gain, by_grade = (replace(convention, ideal_order=order) for order in ("gain", "grade"))
        known = grades if judged is None or convention.ideal == "ranked" else judged
        for witness in (arrays, plain):
            expected = witness.dcg(sorted(known, reverse=True), k, convention)
            assert witness.idcg(grades, k, by_gain, judged) == witness.idcg(grades, k, by_grade, judged) == expected


@given(queries(rising=True), st.data())
def test_a_better_grade_moved_up_never_lowers_dcg(query, data):
    """Swapping a better grade with a worse one above it never lowers DCG, nor NDCG, at any cutoff."""
    grades, _, k, convention = query
    assume(len(grades) > 1)
    above, below = sorted(data.draw(st.lists(st.integers(0, len(grades) - 1), min_size=2, max_size=2, unique=True)))
    swapped = list(grades)
    swapped[above], swapped[below] = sorted([grades[above], grades[below]], reverse=True)
    assert dcg(grades, k, convention) <= at_most(dcg(swapped, k, convention))


@given(RELEVANT_GRADES, numbers(0.01, 100).filter(bool), CUTOFFS, DISCOUNTS, BASES)
def test_a_factor_of_all_linear_gains_leaves_ndcg_as_it_was(grades, factor, k, discount, base):
    convention = Convention(discount=discount, base=base)
    assert ndcg([factor * grade for grade in grades], k, convention) == near(ndcg(grades, k, convention))


class TestCutoffsAndRanksAgree:
    @pytest.mark.parametrize("name", ["dcg", "idcg"])
    @given(queries(rising=True), st.integers(1, 12))
    def test_dcg_grows_with_the_cutoff(self, name, query, k):
        """One rank more never takes from DCG, nor from the ideal, where no gain is negative."""
        grades, judged, _, convention = query
        now, then = [called(name, grades, judged, cutoff, convention) for cutoff in (k, k + 1)]
        assert now <= then

    @pytest.mark.parametrize("name", ["cg", "dcg", "idcg", "ndcg"])
    @given(queries())
    @example(([0.1, 0.3, -0.4], None, None, Convention(discount="none", negative="keep")))  # 0.1 + 0.3 is not 0.4
    def test_each_rank_has_the_value_of_its_cutoff(self, name, query):
        grades, judged, _, convention = query
        by_rank = called(f"{name}_by_rank", *query)
        cutoffs = range(1, len(grades) + 1)
        at_cutoff = [called(name, grades, judged, k, convention) for k in cutoffs]
        assert list(by_rank) == near(at_cutoff)


class TestADataSetLiesBetweenItsQueries:
    @given(data_sets())
    def test_the_mean_lies_between_the_worst_query_and_the_best(self, data_set):
        rankings, k, convention = data_set
        scores = [score for score in (ndcg(ranking, k, convention) for ranking in rankings) if not math.isnan(score)]
        assume(scores)
        slack = 1e-12 * max(map(abs, scores))
        assert min(scores) - slack <= arrays.mean_ndcg(rankings, k, convention) <= max(scores) + slack

    @given(data_sets(rising=True))
    def test_the_pooled_ratio_lies_between_the_worst_query_and_the_best(self, data_set):
        rankings, k, convention = data_set
        scores = [ndcg(ranking, k, convention) for ranking in rankings if idcg(ranking, k, convention) != 0]
        assume(scores)
        slack = 1e-12 * max(scores)
        assert min(scores) - slack <= arrays.pooled_ndcg(rankings, k, convention) <= max(scores) + slack


@given(GRADES, st.integers(1, 20))
def test_a_relevant_document_never_retrieved_has_precision_0(grades, more):
    """Average precision times the number of relevant documents is the sum of p(1), p(2), …"""
    found = arrays.precision_at_relevant(grades)
    relevant = len(found) + more
    assert relevant * arrays.average_precision(grades, relevant=relevant) == near(sum(found))


class TestRecallIsAShareOfTheRelevantDocuments:
    @given(RELEVANT_GRADES, st.integers(1, 12), st.integers(0, 5))
    def test_recall_grows_with_the_cutoff_up_to_the_share_retrieved(self, grades, k, more):
        """R at k is at most R at k + 1, and over the whole ranking the found over the wanted."""
        found = len(arrays.precision_at_relevant(grades))
        by_rank = [arrays.recall(grades, cutoff, None, found + more) for cutoff in (k, k + 1, None)]
        assert by_rank == sorted(by_rank)
        assert by_rank[-1] == near(found / (found + more))

    @given(RELEVANT_GRADES, st.integers(0, 5))
    def test_r_precision_is_recall_at_the_number_of_relevant_documents(self, grades, more):
        relevant = len(arrays.precision_at_relevant(grades)) + more
        assert arrays.r_precision(grades, None, relevant) == arrays.recall(grades, relevant, None, relevant)


PERSISTENCES = st.floats(0, 0.99)
GRADES_TO_4 = st.lists(st.integers(0, 4) | numbers(0, 4), max_size=10)


class TestAReaderStopsOrGoesOn:
    @given(GRADES_TO_4, st.integers(4, 8))
    def test_expected_reciprocal_rank_is_below_1(self, grades, highest):
        """No more readers stop than come: ERR is at most the chance that any of the documents satisfies."""
        assert 0 <= arrays.expected_reciprocal_rank(grades, highest) <= at_most(1 - (2.0**-highest) ** len(grades))

    @given(GRADES_TO_4, PERSISTENCES)
    def test_rank_biased_precision_is_at_most_1_less_the_residual(self, grades, persistence):
        """RBP and what could stand below the last rank are at most 1."""
        assert 0 <= arrays.rank_biased_precision(grades, persistence, 4) <= at_most(1 - persistence ** len(grades))

    @given(GRADES_TO_4.filter(lambda grades: len(grades) > 1), PERSISTENCES, st.data())
    def test_a_better_grade_moved_up_lowers_neither_measure(self, grades, persistence, data):
        """Swapping a better grade with a worse one above it never lowers ERR, nor RBP."""
        above, below = sorted(data.draw(st.lists(st.integers(0, len(grades) - 1), min_size=2, max_size=2, unique=True)))
        swapped = list(grades)
        swapped[above], swapped[below] = sorted([grades[above], grades[below]], reverse=True)
        assert arrays.expected_reciprocal_rank(grades, 4) <= at_most(arrays.expected_reciprocal_rank(swapped, 4))
        assert arrays.rank_biased_precision(grades, persistence, 4) <= at_most(
            arrays.rank_biased_precision(swapped, persistence, 4)
        )
