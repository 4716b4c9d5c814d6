"""Bad input is refused, by both witnesses, with its place, what was found and what was expected.

A choice that no convention has is refused when the convention is made: see test_convention.
"""

import math
import re
from datetime import date
from decimal import Decimal

import numpy as np
import pytest
from rows import every_row

from ndcg_ref import EXPONENTIAL, STANDARD, Convention, evaluate
from ndcg_ref.formulas import arrays

KEEP = Convention(negative="keep")

# Every function that takes the grades of one ranking
ON_A_RANKING = [
    *("gains", "cg", "dcg", "idcg", "ndcg", "cg_by_rank", "dcg_by_rank", "idcg_by_rank", "ndcg_by_rank"),
    *("precision_at_relevant", "average_precision", "expected_reciprocal_rank", "rank_biased_precision"),
]
WHAT_ELSE_IT_NEEDS = {
    # function: arguments without which it cannot be called
    "expected_reciprocal_rank": {"highest_grade": 4},
    "rank_biased_precision": {"persistence": 0.5, "highest_grade": 4},
}
UNDER_A_CONVENTION = ["gains", "dcg", "idcg", "ndcg", "dcg_by_rank", "idcg_by_rank", "ndcg_by_rank"]
AGAINST_JUDGED = ["idcg", "ndcg", "idcg_by_rank", "ndcg_by_rank"]
WITH_A_CUTOFF = ["cg", "dcg", "idcg", "ndcg", "expected_reciprocal_rank", "rank_biased_precision"]
ON_RANKINGS = ["mean_ndcg", "pooled_ndcg"]

NOT_A_RANKING = [
    # grades, exception, message, or the words that both witnesses say
    (None, TypeError, "grades: expected a sequence of numbers in rank order, got None"),
    (np.array(3), TypeError, "grades: expected a sequence of numbers in rank order, got array(3)"),
    ("321", TypeError, "grades: expected a sequence of numbers in rank order, got '321'"),  # digits are no list
    ({3}, TypeError, "grades: expected a sequence of numbers in rank order, got {3}"),  # a set has no order
    ([[1, 2], [3, 4]], ValueError, "pass one ranking at a time"),
    ([1, [2, 3]], ValueError, "grades[1]: expected a number, got [2, 3] (nested lists: pass one ranking at a time)"),
    (np.array([[1, 2], [3, 4]]), ValueError, "pass one ranking at a time"),
    (np.zeros((0, 3)), ValueError, "pass one ranking at a time"),
    ([np.array([1]), 2], ValueError, "grades[0]: expected a number, got array([1]) (nested lists"),
    (np.ma.array([1, 2], mask=[False, True]), ValueError, "an unjudged document? give it grade 0"),
]

NOT_A_GRADE = [
    # grade, exception, message after the place of the grade
    (math.nan, ValueError, "expected a finite number, got nan (an unjudged document? give it grade 0)"),
    (math.inf, ValueError, "expected a finite number, got inf"),
    (Decimal("NaN"), ValueError, "expected a finite number, got nan"),
    (Decimal("sNaN"), ValueError, "expected a finite number, got "),
    (10**400, ValueError, "expected a finite number, got one beyond the range of a float"),
    ("2", TypeError, "expected a number, got '2' (text is not converted; use float(...) first?)"),
    (None, TypeError, "expected a number, got None (a NoneType)"),
    (date(2002, 10, 1), TypeError, "expected a number, got datetime.date(2002, 10, 1) (a date)"),
    (np.datetime64("2002-10-01"), TypeError, "expected a number, got np.datetime64('2002-10-01') (a datetime64)"),
    (np.timedelta64(3, "D"), TypeError, "expected a number, got np.timedelta64(3,'D') (a timedelta64)"),
]

# The same at rank 2 of an array, where the array has a type for it
NOT_A_GRADE_OF_AN_ARRAY = [
    # array, exception, message
    (np.array([1, math.nan]), ValueError, "grades[1]: expected a finite number, got nan"),
    (np.array(["1", "1e4000"], dtype=np.longdouble), ValueError, "grades[1]: expected a finite number, got "),
    (np.array([1, "2"], dtype=object), TypeError, "grades[1]: expected a number, got '2'"),
    (np.array(["1", "2"]), TypeError, "grades[0]: expected a number, got np.str_('1') (text is not converted"),
    (np.array([1, 2j]), TypeError, "grades[0]: expected a number, got np.complex128(1+0j) (a complex128)"),
    (np.array(["2002"], dtype="M8[Y]"), TypeError, "grades[0]: expected a number, got np.datetime64('2002')"),
    (np.zeros(1, dtype=[("a", int)]), TypeError, "grades[0]: expected a number, got np.void("),
]


def own_gain(worth):
    return Convention(gain=lambda grade: worth)


OF_TABLE = "grades[1]: expected a grade of the gain table "
# A good number that the convention has no place for; it stands at rank 2, behind a 1
NOT_UNDER_THE_CONVENTION = [
    # grade, convention, exception, message
    (-1, STANDARD, ValueError, 'grades[1]: expected a grade of 0 or more, got -1 (negative="clamp" reads it'),
    (0.5, Convention(fractional="error"), ValueError, 'grades[1]: expected a whole grade, got 0.5 (fractional="keep"'),
    (-1, Convention(gain={-1: 0, 1: 1}), ValueError, "grades[1]: expected a grade of 0 or more, got -1 ("),
    (3, Convention(gain=[0, 1, 10]), ValueError, f"{OF_TABLE}(0, 1, 2), got 3 (is the table too short?)"),
    (
        -1,
        Convention(gain=[0, 1, 10], negative="keep"),
        ValueError,
        f"{OF_TABLE}(0, 1, 2), got -1 (",
    ),  # not the last one
    (-1, Convention(gain={1: 1, 2: 3}, negative="clamp"), ValueError, f"{OF_TABLE}(1, 2), got 0 ("),  # clamped to 0
    (1024, EXPONENTIAL, ValueError, "grades[1]: expected a grade below 1024, got 1024 (2 to that power overflows"),
]

OWN_GAINS = [
    # what a gain of your own returns, exception, message after "gain of grades[0] = 2: "
    (math.nan, ValueError, "expected a finite number, got nan"),
    (None, TypeError, "expected a number, got None (a NoneType)"),  # a return that was forgotten
]

OWN_DISCOUNTS = [
    # what a discount of your own returns, exception, message after "discount of rank 1: "
    (0, ValueError, "expected a divisor above 0, got 0"),
    ("2", TypeError, "expected a number, got '2' (text is not converted"),
]

NOT_WHOLE = [
    # count, exception, message after the name of the parameter
    (1.5, ValueError, ": expected a whole number, got 1.5"),
    (True, TypeError, ": expected a whole number, got True"),  # a switch, and no count
    (np.array(3), TypeError, ": expected a whole number, got array(3)"),
    (STANDARD, TypeError, ": expected a whole number, got Convention("),  # a convention where the cutoff stands
]

BELOW_1 = [
    (number, ValueError, f": expected a whole number of at least 1, got {shown}")
    for number, shown in ((0, "0"), (-1, "-1"), (-(10**400), "-1000"))
]

JUDGED = [
    # grades, judged, message
    ([3], [], "got too few of 3 (all ranked are judged)"),
    ([0, 0.5], [0, 1], "got too few of 0.5 ("),
]

RANKINGS = [
    # rankings, convention, exception, message
    (None, STANDARD, TypeError, "rankings: expected a sequence of"),
    ({"q1": [3, 2]}, STANDARD, TypeError, "rankings: expected a sequence of"),  # by query: pass its values
    ({(3, 2), (1, 0)}, STANDARD, TypeError, "rankings: expected a sequence of"),  # a set has no order
    ([[3], [2, "1"]], STANDARD, TypeError, "rankings[1]: grades[1]: expected a number, got '1'"),
    ([[3], [0, -1]], STANDARD, ValueError, "rankings[1]: grades[1]: expected a grade of 0 or more, got -1"),
    ([[[3, 2]], [1]], STANDARD, ValueError, "rankings[0]: grades"),  # one level too deep
    ([[1], [2]], Convention(gain=[0, 1]), ValueError, "rankings[1]: grades[0]: expected a grade of the gain table"),
    ([[1], [1e308] * 2], Convention(discount="none"), ValueError, "rankings[1]: grades: the sum of the gains is"),
]

OFF_THE_SCALE = [
    # a grade at rank 2 of a scale from 0 to 4, message
    (5, "grades[1]: expected a grade from 0 to 4, got 5 (is highest_grade the top of the scale?)"),
    (-1, "grades[1]: expected a grade from 0 to 4, got -1 ("),
]

NO_HIGHEST_GRADE = [
    # highest grade, exception, message after "highest_grade: "
    (0, ValueError, "expected a grade above 0, got 0 (the scale's highest, not the ranking's)"),
    *[(grade, kind, text.partition(" (an unjudged")[0]) for grade, kind, text in NOT_A_GRADE],
]

NO_PERSISTENCE = [
    # persistence, exception, message after "persistence: "
    (1, ValueError, "expected a chance from 0 to below 1, got 1 (a percentage? 80 % is 0.8)"),
    (-0.1, ValueError, "expected a chance from 0 to below 1, got -0.1 ("),
    *[(grade, kind, text.partition(" (an unjudged")[0]) for grade, kind, text in NOT_A_GRADE],
]

NO_IDEAL = Convention(zero_ideal="error")
SUM = "grades: the sum of the gains is beyond the range of a float (are these grades?)"
WITHOUT_IDEAL = "grades: expected some ideal gain to divide by, got none (no relevant document?)"
UNDISCOUNTED = Convention(discount="none")

OTHERS = [
    # function, arguments, exception, message
    ("ndcg", ([0, 0], None, NO_IDEAL), ValueError, WITHOUT_IDEAL),
    ("ndcg_by_rank", ([0, 0], NO_IDEAL), ValueError, WITHOUT_IDEAL),
    ("mean_ndcg", ([[1], [0]], None, NO_IDEAL), ValueError, "rankings[1]: " + WITHOUT_IDEAL),
    ("mean_ndcg", ([], None, NO_IDEAL), ValueError, "rankings: expected at least one query with an NDCG, got none"),
    ("pooled_ndcg", ([[0], []], None, NO_IDEAL), ValueError, WITHOUT_IDEAL),
    ("cg", ([1e308, 1e308],), ValueError, SUM),
    ("dcg", ([1e308, 1e308], None, UNDISCOUNTED), ValueError, SUM),
    ("dcg", ([1e308], None, Convention(discount=lambda rank: 1e-9)), ValueError, SUM),  # a term alone
    ("dcg_by_rank", ([1e308], Convention(discount=lambda rank: 1e-9)), ValueError, SUM),
    ("idcg", ([0], None, UNDISCOUNTED, [1e308, 1e308]), ValueError, SUM),
    ("idcg_by_rank", ([1e308, 1e308], UNDISCOUNTED), ValueError, SUM),
    ("pooled_ndcg", ([[1e308], [1e308]],), ValueError, SUM),  # each ranking alone is fine
    ("dcg", ([1e308, -1e308], None, Convention(negative="keep", discount=lambda rank: 1e-9)), ValueError, SUM),
    ("discounts", (None,), TypeError, "n: expected a whole number, got None"),
    ("discounts", (2, Convention(discount=lambda rank: 2 - rank)), ValueError, "discount of rank 2: expected"),
    ("average_precision", ([1, 1], None, 1), ValueError, "relevant: expected a whole number of at least 2, got 1"),
]


REFUSED = [
    # grades of a ranking, exception, message
    *NOT_A_RANKING,
    *NOT_A_GRADE_OF_AN_ARRAY,
    *(([1, 0, grade, 1], exception, f"grades[2]: {message}") for grade, exception, message in NOT_A_GRADE),
    ([1, "b", "c"], TypeError, "grades[1]: expected a number, got 'b'"),  # the first of two
    (np.array([1, math.nan, math.inf]), ValueError, "grades[1]: expected a finite number, got nan"),
]
TOO_FEW = "judged: expected every grade of the ranking among them, "
REFUSED_JUDGED = [
    # grades, judged, convention, exception, message
    *(([1], *row[:1], STANDARD, *row[1:]) for row in NOT_A_RANKING if row[0] is not None),
    *(([1], [1, 0, grade], STANDARD, kind, f"grades[2]: {message}") for grade, kind, message in NOT_A_GRADE),
    *(([], [1, grade], *others) for grade, *others in NOT_UNDER_THE_CONVENTION),
    *((grades, judged, STANDARD, ValueError, TOO_FEW + message) for grades, judged, message in JUDGED),
    ([2, -1], [2], KEEP, ValueError, "got too few of -1 "),
    # A document that nobody judged has grade 0; where that gains something, it has to be judged
    ([0, 1], [1], Convention(gain=[5, 10]), ValueError, "got too few of 0 ("),
]
REFUSED_BY_A_CONVENTION = [
    # grades, convention, exception, message
    *(([1, grade], *others) for grade, *others in NOT_UNDER_THE_CONVENTION),
    *(([2], own_gain(worth), kind, f"gain of grades[0] = 2: {message}") for worth, kind, message in OWN_GAINS),
    ([1, -2, -3], Convention(), ValueError, "grades[1]: expected a grade of 0 or more, got -2"),  # the first of two
    ([1, 0.5, 0.25], Convention(fractional="error"), ValueError, "grades[1]: expected a whole"),
]


class TestGrades:
    @every_row("function", ON_A_RANKING)
    @every_row(("grades", "exception", "message"), REFUSED)
    def test_what_is_no_ranking_of_grades_is_refused(self, witness, function, grades, exception, message):
        with pytest.raises(exception, match=re.escape(message)):
            getattr(witness, function)(grades, **WHAT_ELSE_IT_NEEDS.get(function, {}))

    @every_row("function", ON_A_RANKING)
    def test_a_bad_grade_beyond_the_cutoff_is_refused(self, witness, function):
        options = {"k": 1} if function in WITH_A_CUTOFF else {}
        with pytest.raises(ValueError, match=re.escape("grades[2]: expected a finite number, got nan")):
            getattr(witness, function)([1, 0, math.nan], **options, **WHAT_ELSE_IT_NEEDS.get(function, {}))

    @every_row("function", AGAINST_JUDGED)
    @every_row(("grades", "judged", "convention", "exception", "message"), REFUSED_JUDGED)
    def test_bad_judged_grades_are_refused(self, witness, function, grades, judged, convention, exception, message):
        with pytest.raises(exception, match=re.escape(message.replace("grades", "judged"))):
            getattr(witness, function)(grades, judged=judged, convention=convention)

    @every_row("function", UNDER_A_CONVENTION)
    @every_row(("grades", "convention", "exception", "message"), REFUSED_BY_A_CONVENTION)
    def test_grades_that_the_convention_does_not_take_are_refused(
        self, witness, function, grades, convention, exception, message
    ):
        with pytest.raises(exception, match=re.escape(message)):
            getattr(witness, function)(grades, convention=convention)

    @every_row("function", ["discounts", *UNDER_A_CONVENTION[1:]])
    @every_row(("divisor", "exception", "message"), OWN_DISCOUNTS)
    def test_a_discount_of_your_own_is_above_0(self, witness, function, divisor, exception, message):
        argument = 1 if function == "discounts" else [1]
        with pytest.raises(exception, match=re.escape(f"discount of rank 1: {message}")):
            getattr(witness, function)(argument, convention=Convention(discount=lambda rank: divisor))


class TestACountIsAWholeNumber:
    @every_row("function", [*WITH_A_CUTOFF, *ON_RANKINGS])
    @every_row(("k", "exception", "message"), [*NOT_WHOLE, *BELOW_1])
    def test_k_is_a_whole_number_of_at_least_1(self, witness, function, k, exception, message):
        grades = [[2, 1]] if function in ON_RANKINGS else [2, 1]
        with pytest.raises(exception, match=re.escape(f"k{message}")):
            getattr(witness, function)(grades, k=k, **WHAT_ELSE_IT_NEEDS.get(function, {}))

    @every_row(("count", "exception", "message"), NOT_WHOLE)
    def test_other_counts_are_whole_numbers(self, witness, count, exception, message):
        with pytest.raises(exception, match=re.escape(f"n{message}")):
            witness.discounts(count)
        with pytest.raises(exception, match=re.escape(f"relevant{message}")):
            witness.average_precision([2, 1], None, count)

    @every_row("function", ["precision_at_relevant", "average_precision"])
    @every_row(("threshold", "exception", "message"), [row for row in NOT_A_GRADE if row[0] is not None])
    def test_a_threshold_is_a_number(self, witness, function, threshold, exception, message):
        kept = message.partition(" (an unjudged")[0]
        with pytest.raises(exception, match=re.escape(f"threshold: {kept}")):
            getattr(witness, function)([2, 1], threshold)


class TestAScaleHoldsItsGrades:
    @every_row("function", WHAT_ELSE_IT_NEEDS)
    @every_row(("grade", "message"), OFF_THE_SCALE)
    def test_a_grade_off_the_scale_is_refused(self, witness, function, grade, message):
        with pytest.raises(ValueError, match=re.escape(message)):
            getattr(witness, function)([0, grade, 9], k=1, **WHAT_ELSE_IT_NEEDS[function])

    def test_a_grade_above_1_is_refused_where_no_scale_is_named(self, witness):
        with pytest.raises(ValueError, match=re.escape("grades[0]: expected a grade from 0 to 1, got 2 (is highest_")):
            witness.rank_biased_precision([2, 1], 0.5)

    @every_row("function", WHAT_ELSE_IT_NEEDS)
    @every_row(("highest", "exception", "message"), NO_HIGHEST_GRADE)
    def test_the_highest_grade_is_a_number_above_0(self, witness, function, highest, exception, message):
        needed = {**WHAT_ELSE_IT_NEEDS[function], "highest_grade": highest}
        with pytest.raises(exception, match=re.escape(f"highest_grade: {message}")):
            getattr(witness, function)([], **needed)

    def test_a_highest_grade_too_large_for_a_power_of_2_is_refused(self, witness):
        message = "highest_grade: expected a grade below 1024, got 1024 (2 to that power overflows; is this a score?)"
        with pytest.raises(ValueError, match=re.escape(message)):
            witness.expected_reciprocal_rank([1], 1024)

    @every_row(("persistence", "exception", "message"), NO_PERSISTENCE)
    def test_persistence_is_a_chance_below_1(self, witness, persistence, exception, message):
        with pytest.raises(exception, match=re.escape(f"persistence: {message}")):
            witness.rank_biased_precision([1], persistence)


class TestADataSetNamesTheRankingThatIsBad:
    @every_row("function", ON_RANKINGS)
    @every_row(("rankings", "convention", "exception", "message"), RANKINGS)
    def test_the_ranking_that_is_bad_is_named(self, witness, function, rankings, convention, exception, message):
        with pytest.raises(exception, match=re.escape(message)):
            getattr(witness, function)(rankings, convention=convention)

    @pytest.mark.parametrize("function", ON_RANKINGS)
    def test_what_a_gain_of_your_own_raises_is_shown(self, witness, function):
        def reading(grade):
            return b"\xff".decode("ascii")  # UnicodeDecodeError, a ValueError that needs five arguments

        with pytest.raises(ValueError, match="can't decode byte 0xff"):
            getattr(witness, function)([[1]], convention=Convention(gain=reading))


@every_row(("function", "arguments", "exception", "message"), OTHERS)
def test_what_cannot_be_added_up_or_divided_is_refused(witness, function, arguments, exception, message):
    with pytest.raises(exception, match=re.escape(message)):
        getattr(witness, function)(*arguments)


@every_row("function", ON_A_RANKING)
def test_an_iterator_is_refused_where_it_would_be_read_twice(function):
    """The plain functions take one, and keep it; the others say what to do."""
    with pytest.raises(TypeError, match="grades: expected a sequence, got an iterator that can be read only once"):
        getattr(arrays, function)(iter([1, 2, 0]), **WHAT_ELSE_IT_NEEDS.get(function, {}))


@every_row("function", [*UNDER_A_CONVENTION, "mean_ndcg", "pooled_ndcg"])
def test_a_convention_of_another_type_is_refused(witness, function):
    with pytest.raises(TypeError, match=r"convention: expected a Convention or the name of a preset, got None"):
        getattr(witness, function)([[1, 2]] if function in ON_RANKINGS else [1, 2], convention=None)


def test_of_the_grades_of_a_run_the_refused_one_is_named_and_not_one_below_0_that_is_clamped():
    grades, convention = {"below": -1, "beyond": 7}, Convention(gain=[0, 1, 3], negative="clamp")
    message = "qrels['q']['beyond']: expected a grade of the gain table (0, 1, 2), got 7"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        evaluate({"q": grades}, {"q": grades}, "nDCG", convention)
