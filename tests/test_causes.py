"""Each cause is found for a slip that was made that way, and not for a number next to it."""

import math
from decimal import ROUND_DOWN, ROUND_HALF_UP, ROUND_UP, Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rows import every_row

from ndcg_ref.conventions.convention import EXPONENTIAL, ORIGINAL, STANDARD, Convention
from ndcg_ref.stated import judge, read_number
from ndcg_ref.stated.claim import Operand
from ndcg_ref.stated.number import bounds_of
from ndcg_ref.stated.subject import LAST, UNEXPLAINED, all_causes, codes
from ndcg_ref.subjects.ranking import alternatives_for

L3 = math.log2(3)
L5 = math.log2(5)


def printed(value, decimals, rounding=ROUND_HALF_UP):
    """The value with so many decimals, rounded on its exact digits."""
    return str(Decimal(value).quantize(Decimal(1).scaleb(-decimals), rounding))


def cut(value, decimals):
    return printed(value, decimals, ROUND_DOWN)


def raised(value, decimals):
    return printed(value, decimals, ROUND_UP)


def twice(value, decimals):
    return printed(printed(value, decimals + 1), decimals)


def ratio(above, below):
    return above / below


def total(*terms):
    return math.fsum(terms)


def line(working, *operands):
    """The keywords for a line that works with these operands: as printed, or (as printed, exact value)."""
    known = [each if isinstance(each, str) else judge(*each) for each in operands]
    return {"working": working, "operands": known}


def alternatives(kind, value, **more):
    return {"alternatives": {kind: {"another": value}}, **more}


# What NDCG = 3.0 / 4.0 turns into when the ideal of another query stands below
WRONG_IDEAL_5 = alternatives("quantity", 5.0, **line(ratio, "3.0", "5.0"))
WRONG_IDEAL_7 = alternatives("quantity", 7.0, **line(ratio, "3.0", "7.0"))
WRONG_IDEAL_9 = alternatives("quantity", 9.0, **line(ratio, "3.0", "9.0"))
WRONG_IDEAL_11 = alternatives("quantity", 11.0, **line(ratio, "5.0", "11.0"))
# log2(3) = 1.58496, printed as 1.59 by rounding twice
BELOW_159 = ("1.59", L3)
DCG_231 = 2 + 3 / L3 + 1 / 2
ORIGINAL_231 = 2 + 3 + 1 / L3
NATURAL_231 = 2 / math.log(2) + 3 / math.log(3) + 1 / math.log(4)
IDCG_231 = 3 + 2 / L3 + 1 / 2
IDEAL_3322 = 3 + 3 / L3 + 2 / 2 + 2 / L5
DCG_3333 = 3 + 3 / L3 + 3 / 2 + 3 / L5
EXPONENTIAL_231 = {"alternatives": alternatives_for("dcg", [2, 3, 1], EXPONENTIAL)}
OF_DCG_231 = {"alternatives": alternatives_for("dcg", [2, 3, 1])}
OF_DCG_3333 = {"alternatives": alternatives_for("dcg", [3, 3, 3, 3])}
OF_IDEAL_3232 = {"alternatives": alternatives_for("idcg", [3, 2, 3, 2])}
IDCG_2031 = 3 + 2 / L3
OF_IDEAL_2031 = {"alternatives": alternatives_for("idcg", [2, 0, 3, 1], k=2)}
OF_NDCG_231 = {"alternatives": alternatives_for("ndcg", [2, 3, 1])}
AS_ORIGINAL = alternatives("convention", ORIGINAL_231)
OF_RANKED = "ndcg", [1, 0, 2], Convention(ideal="ranked"), None, [0, 3, 2, 1]
OF_RANKING = "the ideal in the order of the ranking"
OF_RIGHT = "the ideal of the right documents in the order of the ranking"

MADE = [
    # cause  printed number  computed  what else is known  how the slip was made
    ("truncated", cut(8.32553, 2), 8.32553, {}, "8.32"),
    ("truncated", cut(-8.32553, 2), -8.32553, {}, "toward zero below 0 as well"),
    ("truncated", cut(8.9, 0), 8.9, {}, "to a whole number"),
    ("truncated", cut(97.868, 1) + "%", 0.97868, {}, "a percentage: 97.8%"),
    ("rounded-up", raised(8.3215, 2), 8.3215, {}, "8.33"),
    ("rounded-twice", twice(L3, 2), L3, {}, "1.58496, 1.585, 1.59"),
    ("carried", "0.99", 1.0, line(total, *[("0.33", 1 / 3)] * 3), "0.33 + 0.33 + 0.33"),
    ("carried", "0.99", 1.0, line(total, *["0.33"] * 3), "where each 0.33 can be a third"),
    ("carried", "0.99", 1.0, line(total, ("0.34", 1 / 3), *[("0.33", 1 / 3)] * 2), "with 0.34 set right first"),
    ("inherited", printed(0.5 / 1.59, 2), 0.5 / L3, line(ratio, ("0.5", 0.5), BELOW_159), "0.5 / 1.59"),
    ("quantity", printed(3 / 5, 2), 3 / 4, WRONG_IDEAL_5, "3.0 / 5.0 instead of 3.0 / 4.0"),
    ("quantity", "5.0", 4.0, alternatives("quantity", 5.0), "the other number was copied"),
    ("convention", printed(ORIGINAL_231, 2), DCG_231, AS_ORIGINAL, "the original discount"),
    ("convention", printed(NATURAL_231, 3), DCG_231, OF_DCG_231, "the natural logarithm"),
    ("convention", "7.92", DCG_231, OF_DCG_231, "3 + 7 / log2(3) + 1 / 2"),
    ("term", "5.50", DCG_231, OF_DCG_231, "2 + 3 + 1 / 2: rank 2 not discounted"),
    ("term", "4.89", DCG_231, OF_DCG_231, "2 + 3 / log2(3) + 2 / 2: rank 3 doubled"),
    ("minus-one", printed(4 + 8 / L3 + 2 / 2, 2), 3 + 7 / L3 + 1 / 2, EXPONENTIAL_231, "4 + 8 / log2(3) + 2 / 2"),
    ("unsorted-ideal", printed(3 + 2 / L3 + 3 / 2 + 2 / L5, 2), IDEAL_3322, OF_IDEAL_3232, "3 2 3 2 for 3 3 2 2: 6.62"),
    ("unsorted-ideal", "3.89", IDCG_2031, OF_IDEAL_2031, "2 + 3 / log2(3) for 3 + 2 / log2(3), cut at 2"),
    ("exchanged", printed(IDCG_231 / DCG_231, 3), DCG_231 / IDCG_231, OF_NDCG_231, "1.084 for 0.923"),
    ("first-rank-dropped", printed(3 / 1 + 1 / L3, 2), DCG_231, OF_DCG_231, "3 / log2(2) + 1 / log2(3)"),
    ("rounded-early", "7.70", DCG_3333, OF_DCG_3333, "3 + 1.9 + 1.5 + 1.3"),
    ("inherited+truncated", cut(2 / 1.59, 2), 2 / L3, line(ratio, ("2", 2), BELOW_159), "2 / 1.59 = 1.2579, cut"),
    ("inherited+rounded-up", raised(2 / 1.59, 5), 2 / L3, line(ratio, ("2", 2), BELOW_159), "2 / 1.59 = 1.2578616"),
    ("inherited+rounded-twice", twice(8 / 1.59, 4), 8 / L3, line(ratio, ("8", 8), BELOW_159), "8 / 1.59 = 5.0314465"),
    ("quantity+truncated", cut(3 / 7, 2), 3 / 4, WRONG_IDEAL_7, "3 / 7 = 0.4286, cut"),
    ("quantity+rounded-up", raised(3 / 9, 2), 3 / 4, WRONG_IDEAL_9, "3 / 9 = 0.3333, raised"),
    ("quantity+rounded-twice", twice(5 / 11, 2), 3 / 4, WRONG_IDEAL_11, "5 / 11 = 0.4545, 0.455, 0.46"),
    ("convention+truncated", cut(ORIGINAL_231, 3), DCG_231, AS_ORIGINAL, "5.63093, cut"),
    ("convention+rounded-up", raised(ORIGINAL_231, 2), DCG_231, AS_ORIGINAL, "5.63093, raised"),
    ("convention+rounded-twice", twice(NATURAL_231, 3), DCG_231, alternatives("convention", NATURAL_231), "6.3375"),
    ("digit", "0.529", 0.579, {}, "a 2 for a 7"),
    ("digit", "0.597", 0.579, {}, "7 and 9 swapped"),
    ("digit", "0.599", 0.579, {}, "a 9 for a 7, two apart"),
    ("digit", "0.579", 57.9, {}, "the point two places to the left"),
    ("digit", "5.79", 0.579, {}, "the point a place to the right"),
    ("unexplained", "0.589", 0.579, {}, "a digit too high by one is no typing error"),
    ("digit", "0.059", 6.059, {}, "a 0 for a 6: leading zeros are digits too"),
    ("unexplained", "1/2", 0.6, {}, "a fraction was never rounded"),
]


@every_row(("code", "text", "computed", "known", "how"), MADE)
def test_each_cause_is_found_when_made_with_its_evidence_and_departs_at_one_step(code, text, computed, known, how):
    verdict = judge(text, computed, **known)
    assert code in verdict.causes
    told = dict.fromkeys(each.cause for each in verdict.evidence)
    assert list(told) == [each for each in verdict.causes if each != "unexplained"]
    assert [step.departs for step in verdict.derivation].count(True) == 1


BESIDE = [
    # cause  printed number  computed  what else is known  why it is not that
    ("truncated", "8.31", 8.32553, {}, "one unit below the cut"),
    ("truncated", "-8.33", -8.32153, {}, "cut toward zero, not down"),
    ("rounded-up", "8.34", 8.3215, {}, "one unit above the next"),
    ("rounded-up", "-8.32", -8.32553, {}, "raised away from zero, not up"),
    ("rounded-twice", raised(8.3215, 2), 8.3215, {}, "8.3215, 8.322, 8.32: raised only"),
    ("rounded-twice", "1.59", 1.5844, {}, "1.5844, 1.584, 1.58"),
    ("carried", "0.96", 1.0, line(total, *["0.32"] * 3), "0.32 is no rounding of a third"),
    ("carried", "0.99", 1.0, {}, "no operands are known"),
    ("carried", "0.99", 1.0, line(total, ("0.34", 1 / 3), "0.33", "0.33"), "0.34 is wrong, the others may be"),
    ("inherited", "4.26", 5.0, line(total, ("3.0", 3.0), ("1.26", 2 / L3)), "no operand is a slip"),
    ("inherited", "0.99", 1.0, line(total, *["0.33"] * 3), "0.33 can be right"),
    ("inherited", "0.30", 0.5 / L3, line(ratio, ("0.5", 0.5), BELOW_159), "0.5 / 1.59 = 0.3145"),
    ("quantity", "0.60", 0.75, alternatives("quantity", 6.0, **line(ratio, "3.0", "5.0")), "6.0 is not printed as 5.0"),
    ("quantity", "0.61", 0.75, WRONG_IDEAL_5, "3.0 / 5.0 = 0.60"),
    ("quantity", "5.1", 4.0, alternatives("quantity", 5.0), "one unit above the other number"),
    ("convention", "5.64", DCG_231, AS_ORIGINAL, "5.63093 rounds to 5.63"),
    ("convention", printed(ORIGINAL_231, 2), DCG_231, {}, "no alternatives are known"),
    ("term", "5.51", DCG_231, OF_DCG_231, "2 + 3 + 1 / 2 = 5.50"),
    ("minus-one", "10.06", 3 + 7 / L3 + 1 / 2, EXPONENTIAL_231, "one unit above"),
    ("minus-one", "5.52", DCG_231, OF_DCG_231, "a linear gain has no −1"),
    ("unsorted-ideal", "6.63", IDEAL_3322, OF_IDEAL_3232, "one unit above"),
    ("exchanged", "1.085", DCG_231 / IDCG_231, OF_NDCG_231, "one unit above"),
    ("first-rank-dropped", "3.64", DCG_231, OF_DCG_231, "one unit above"),
    ("rounded-early", "7.71", DCG_3333, OF_DCG_3333, "one unit above"),
    ("rounded-early", "7.69", DCG_3333, OF_DCG_3333, "raised: a single cause is tried first"),
    ("inherited+truncated", "1.26", 2 / 1.3, line(ratio, ("2", 2), BELOW_159), "1.2579 rounded: inherited alone"),
    ("inherited+rounded-up", "1.25788", 2 / L3, line(ratio, ("2", 2), BELOW_159), "one unit above the next"),
    ("inherited+rounded-twice", "1.25787", 2 / L3, line(ratio, ("2", 2), BELOW_159), "1.257862, 1.25786"),
    ("quantity+truncated", "0.43", 3 / 4, WRONG_IDEAL_7, "0.4286 rounded: the quantity alone"),
    ("quantity+rounded-up", "0.35", 3 / 4, WRONG_IDEAL_9, "one unit above the next"),
    ("quantity+rounded-twice", "0.34", 3 / 4, WRONG_IDEAL_9, "0.333, 0.33"),
    ("convention+truncated", "5.63", DCG_231, AS_ORIGINAL, "rounded: the convention alone"),
    ("convention+rounded-up", "5.65", DCG_231, AS_ORIGINAL, "one unit above the next"),
    ("convention+rounded-twice", "5.64", DCG_231, AS_ORIGINAL, "5.631, 5.63"),
    ("digit", "0.589", 0.579, {}, "an 8 for a 7: one apart"),
    ("digit", "0.529", 0.578, {}, "two digits differ"),
    ("digit", "0.795", 0.579, {}, "three digits turned round"),
    ("digit", "0.578", 0.5789, {}, "cut: a simpler cause"),
    ("digit", "1/2", 0.25, {}, "a fraction has no digits"),
    ("unexplained", "8.32", 8.32553, {}, "explained"),
]


def test_every_cause_is_made_and_has_a_number_that_must_not_get_it():
    assert {row[0] for row in MADE} == {row[0] for row in BESIDE} == set(codes())


@every_row(("code", "text", "computed", "known", "why"), BESIDE)
def test_a_cause_is_not_found_for_a_number_next_to_one_it_makes(code, text, computed, known, why):
    verdict = judge(text, computed, **known)
    assert verdict.outcome == "slip"
    assert code not in verdict.causes


ALL_OF = [
    # causes  printed number  computed  what else is known  why
    (("rounded-twice", "rounded-up"), "1.59", L3, {}, "what was rounded twice was always raised as well"),
    (("inherited", "truncated"), "0.31", 0.5 / L3, line(ratio, ("0.5", 0.5), BELOW_159), "0.31546 cut, or 0.5 / 1.59"),
    (("quantity", "inherited"), "0.60", 0.75, WRONG_IDEAL_5, "5.0 cannot be 4.0, and is another ideal"),
    (("convention", "term"), "5.0", 4.0, {"alternatives": {"term": {"t": 5.0}, "convention": {"c": 5.0}}}, "in order"),
    (("truncated",), "5.6", 5.68, alternatives("convention", 5.66), "no pair where a single cause fits"),
    (("convention+truncated",), "0.529", 0.579, alternatives("convention", 0.5297), "a typing error comes last"),
    (("unexplained",), "9.9", 1.57, {}, "alone"),
]


@pytest.mark.parametrize(("causes", "text", "computed", "known", "why"), ALL_OF)
def test_all_causes_are_listed_in_their_order(causes, text, computed, known, why):
    assert judge(text, computed, **known).causes == causes


EVIDENCE = [
    # printed number  computed  what else is known  evidence  why
    ("8.32", 8.32553, {}, "truncated: 8.32553, cut to 8.32", "what was cut"),
    ("1.59", L3, {}, "rounded-twice: 1.58496, rounded to 1.585, then to 1.59", "the step between"),
    ("5.0", 4.0, alternatives("quantity", 5.0), "quantity: another gives 5", "which other number"),
    ("0.99", 1.0, line(total, *["0.33"] * 3), "carried: the line with its operands rounded first gives 0.99", "a sum"),
    ("0.96", 1.0, line(total, *["0.32"] * 3), "inherited: the line with 0.32, 0.32, 0.32 as printed gives 0.96", "how"),
    ("0.60", 0.75, WRONG_IDEAL_5, "quantity: 5.0 is another; the line with 3.0, 5.0 as printed gives 0.6", "which"),
    ("0.31", 0.31546, line(lambda term: term, ("0.31", 0.31546, "row 2")), "inherited: copied from row 2", "from"),
    ("0.597", 0.579, {}, "digit: 0.579 with two digits swapped", "how the digits differ"),
    ("0.529", 0.579, {}, "digit: 0.579 with one digit changed", "how the digits differ"),
    ("5.79", 0.579, {}, "digit: 0.579 with the point moved", "how the digits differ"),
    ("2", 3.0, {"alternatives": {"term": {"a": 2.0, "b": 2.0}}}, "term: b gives 2", "every alternative that fits"),
]


@pytest.mark.parametrize(("text", "computed", "known", "evidence", "why"), EVIDENCE)
def test_evidence_says_how_the_printed_number_comes_about(text, computed, known, evidence, why):
    assert evidence in map(str, judge(text, computed, **known).evidence)


positive = st.floats(0.001, 1000)
either = positive | positive.map(lambda x: -x)
decimals = st.integers(0, 6)


@pytest.mark.parametrize(("wrongly", "code"), [(cut, "truncated"), (raised, "rounded-up"), (twice, "rounded-twice")])
@given(either, decimals)
def test_every_wrong_rounding_is_found(wrongly, code, x, d):
    """A number that is cut, raised or rounded twice to d decimals agrees, or is found to be that."""
    verdict = judge(wrongly(x, d), x)
    assert verdict.outcome == "agrees" or code in verdict.causes


@given(st.lists(positive, min_size=2, max_size=6), st.integers(1, 3), st.just(0) | st.integers(2, 9))
def test_every_carried_rounding_and_every_inherited_slip_is_found(values, d, units):
    """The sum of the rounded terms, or that with one wrong term, agrees, or is found to be carried, or inherited."""
    texts = [printed(value, d) for value in values]
    texts[0] = str(Decimal(texts[0]) + units * Decimal(1).scaleb(-d))
    text = str(sum(map(Decimal, texts)))
    verdict = judge(text, math.fsum(values), **line(total, *zip(texts, values, strict=True)))
    assert verdict.outcome == "agrees" or ("inherited" if units else "carried") in verdict.causes


@pytest.mark.parametrize(("value", "found"), [(7.4301, False), (7.4099, False), (7.4250, True), (7.4189, True)])
def test_an_operand_near_another_quantity_is_not_that_quantity(value, found):
    """7.42 is neither 7.4269 rounded nor 7.4169 cut; it is 7.4250 cut, and 7.4189 rounded."""
    known = alternatives("quantity", value, **line(ratio, "7.42", "7.58"))
    assert ("quantity" in judge("0.98", 0.9, **known).causes) is found


def test_neither_rounding_of_a_tie_is_wrong():
    """12.5 may print as 12 or 13; within 20 % lie 10 to 15, so four numbers are wrong."""
    assert judge("20", 12.5).chance == 0
    assert judge("20", 12.5, alternatives={"term": {"t": 11.0}}).chance == 1 / 4


CHANCE = [
    # printed number  computed  what else is known  chance  why
    ("9.9", 1.57, {}, Fraction(1, 5), "of 1.3 1.4 1.5 1.7 1.8 the cut reaches 1.5"),
    ("9.9", 1.57, alternatives("term", 1.42), Fraction(2, 5), "and the alternative reaches 1.4"),
    ("9.9", 1.57, alternatives("term", 1.61), Fraction(1, 5), "an alternative that is right reaches no wrong number"),
    ("5", 2.1, {}, Fraction(1), "no wrong number lies within 20 % of 2"),
    ("0.10", 0.5, alternatives("term", 0.6), Fraction(1, 20), "40 to 60 but 50, the ends included"),
    ("8.32", 8.32553, {}, Fraction(1, 332), "667 to 999 but 833"),
    ("1.5", 1.57, {}, Fraction(1, 5), "of 1.3 1.4 1.5 1.7 1.8 that is 1.5"),
    ("2.7", 2.76, {}, Fraction(1, 10), "23 to 33 but 28, which is not weak yet"),
    ("2.5", 2.58, {}, Fraction(1, 9), "21 to 30 but 26"),
]


@every_row(("text", "computed", "known", "chance", "why"), CHANCE)
def test_chance_is_the_share_of_wrong_numbers_nearby_explained_and_above_0_1_weak(text, computed, known, chance, why):
    verdict = judge(text, computed, **known)
    assert verdict.chance == pytest.approx(float(chance), abs=1e-12)
    assert ("weak evidence" in str(verdict)) is (chance > Fraction(1, 10) and verdict.causes != ("unexplained",))


@given(
    st.integers(20, 90).map(lambda hundredths: hundredths / 10 + 0.03),
    st.lists(st.integers(10, 110).map(lambda tenths: tenths / 10), max_size=5),
)
def test_chance_is_what_counting_gives(computed, others):
    """Judge every wrong number of two digits within 20 %, and count those with a cause."""
    known = {"alternatives": {"term": {str(i): other for i, other in enumerate(others)}}}
    nearby = [f"{n / 10:.1f}" for n in range(10, 130) if abs(n / 10 - computed) <= computed / 5]
    wrong = [text for text in nearby if judge(text, computed).outcome == "slip"]
    explained = [text for text in wrong if judge(text, computed, **known).causes != ("unexplained",)]
    unexplained = judge("0.1", computed, **known)
    assert unexplained.chance == pytest.approx(len(explained) / len(wrong))


ALTERNATIVES = [
    # measure, grades, convention, k, judged; kind; labels and values
    (
        ("dcg", [2, 3, 1], STANDARD, None, None),
        "convention",  # each choice changed; a fourth rank would not differ
        {
            "gain exponential": 3 + 7 / L3 + 1 / 2,
            "discount log(rank)": 2 + 3 + 1 / L3,
            "discount none": 6,
            "log base e": 2 / math.log(2) + 3 / math.log(3) + 1 / math.log(4),
            "log base 10": 2 / math.log10(2) + 3 / math.log10(3) + 1 / math.log10(4),
            "cutoff 2": 2 + 3 / L3,
        },
    ),
    (
        ("dcg", [2, 3, 1], STANDARD, None, None),
        "term",  # each term wrong in each way; at rank 1 the discount is 1
        {
            "rank 1 discounted as rank 2": 2 / L3 + 3 / L3 + 1 / 2,
            "rank 1 dropped": 3 / L3 + 1 / 2,
            "rank 1 doubled": 4 + 3 / L3 + 1 / 2,
            "rank 2 discounted as rank 1": 2 + 3 + 1 / 2,
            "rank 2 discounted as rank 3": 2 + 3 / 2 + 1 / 2,
            "rank 2 dropped": 2 + 1 / 2,
            "rank 2 doubled": 2 + 6 / L3 + 1 / 2,
            "rank 2 not discounted": 2 + 3 + 1 / 2,
            "rank 2 multiplied by its discount": 2 + 3 * L3 + 1 / 2,
            "rank 3 discounted as rank 2": 2 + 3 / L3 + 1 / L3,
            "rank 3 discounted as rank 4": 2 + 3 / L3 + 1 / L5,
            "rank 3 dropped": 2 + 3 / L3,
            "rank 3 doubled": 2 + 3 / L3 + 2 / 2,
            "rank 3 not discounted": 2 + 3 / L3 + 1,
            "rank 3 multiplied by its discount": 2 + 3 / L3 + 1 * 2,
        },
    ),
    (
        ("idcg", [0, 1], EXPONENTIAL, 1, None),
        "term",  # the ideal is sorted and cut, and the −1 of an exponential gain can be forgotten
        {
            "rank 1 discounted as rank 2": 1 / L3,
            "the −1 forgotten at rank 1": 2,
            "rank 1 dropped": 0,
            "rank 1 doubled": 2,
        },
    ),
    (
        ("idcg", [2, 1], Convention(gain=[0, 3, 1]), 1, None),
        "term",  # the ideal is sorted by gain
        {"rank 1 discounted as rank 2": 3 / L3, "rank 1 dropped": 0, "rank 1 doubled": 6},
    ),
    (("dcg", [1, 0, 1, 1], ORIGINAL, 2, None), "convention", {"cutoff 3": 1 + 1 / L3}),  # a base does not differ
    (
        ("cg", [1, 2], STANDARD, None, None),
        "term",  # nothing is discounted
        {"rank 1 dropped": 2, "rank 1 doubled": 4, "rank 2 dropped": 1, "rank 2 doubled": 5},
    ),
    (("cg", [1, 2], STANDARD, None, None), "convention", {"cutoff 1": 1}),
    (
        ("idcg", [1, 3, 2], STANDARD, 2, None),
        "convention",
        {
            "gain exponential": 7 + 3 / L3,
            "discount log(rank)": 3 + 2,
            "discount none": 3 + 2,
            "log base e": 3 / math.log(2) + 2 / math.log(3),
            "log base 10": 3 / math.log10(2) + 2 / math.log10(3),
            "cutoff 1": 3,
            "cutoff 3": 3 + 2 / L3 + 1 / 2,
            "ideal not cut": 3 + 2 / L3 + 1 / 2,
            "ideal of the first 2": 3 + 1 / L3,
        },
    ),
    (
        ("ndcg", [1, 0, 2], STANDARD, None, [1, 0, 2, 3]),
        "convention",  # the ideal may forget what was not retrieved
        {
            "gain exponential": (1 + 3 / 2) / (7 + 3 / L3 + 1 / 2),
            "discount log(rank)": (1 + 2 / L3) / (3 + 2 + 1 / L3),
            "discount none": 3 / 6,
            "cutoff 2": 1 / (3 + 2 / L3),
            "ideal of the ranking alone": (1 + 2 / 2) / (2 + 1 / L3),
        },
    ),
    # 1 / log2(16) is 0.25, and a half goes up
    (("dcg", [0] * 14 + [1], STANDARD, None, None), "rounded-early", {"terms rounded to 1 decimal": 0.3}),
    (
        ("ndcg", [0, 1], STANDARD, None, None),
        "rounded-early",  # 1 / log2(3) is 0.63093, the one term of the DCG
        {
            f"{what} rounded to {decimals}": rounded
            for what in ("DCG and IDCG", "terms")
            for decimals, rounded in (
                ("1 decimal", 0.6),
                ("2 decimals", 0.63),
                ("3 decimals", 0.631),
                ("4 decimals", 0.6309),
            )
        },
    ),
    (("idcg", [2, 0, 3, 1], STANDARD, 2, None), "unsorted-ideal", {OF_RANKING: 2, OF_RIGHT: 2 + 3 / L3}),
    (
        ("ndcg", [1, 0, 2], STANDARD, None, [0, 3, 2, 1]),
        "unsorted-ideal",  # what was not retrieved comes last; the judgments hold the right documents
        {
            OF_RANKING: 1,
            "the ideal in the order of the judgments": (1 + 2 / 2) / (3 / L3 + 2 / 2 + 1 / L5),
            OF_RIGHT: (1 + 2 / 2) / (1 + 2 / 2 + 3 / L5),
        },
    ),
    (
        ("ndcg", [1, 0, 2], STANDARD, 2, [1, 3, 2, 0]),
        "unsorted-ideal",  # the 3 that was not retrieved stands behind the 2; in the judgments they are sorted
        {OF_RANKING: 1, "the ideal in the order of the judgments": 1 / (1 + 3 / L3), OF_RIGHT: 1 / (2 + 3 / L3)},
    ),
    (("idcg", [1, 0, 2], Convention(ideal_cut="none"), 1, None), "unsorted-ideal", {OF_RANKING: 1 + 2 / 2}),
    (OF_RANKED, "unsorted-ideal", {OF_RANKING: 1}),  # of the retrieved documents alone
    (OF_RANKED, "exchanged", {"IDCG divided by DCG": (2 + 1 / L3) / (1 + 2 / 2)}),
    (("ndcg", [1, 2, 3], STANDARD, None, None), "term", {}),  # a ratio has no terms of its own
    (("ndcg", [0, 0], STANDARD, None, None), "convention", {}),  # without ideal gain nothing has a value
    (("dcg", [], STANDARD, None, None), "term", {}),
]


@every_row(("arguments", "kind", "values"), ALTERNATIVES)
def test_alternatives_are_the_values_with_one_thing_changed(arguments, kind, values):
    assert alternatives_for(*arguments)[kind] == pytest.approx(values)


@pytest.mark.parametrize("measure", ["idcg", "ndcg"])
def test_an_ideal_that_was_not_cut_comes_before_another_cutoff(measure):
    """With 0 at rank 3 both give the same NDCG: 1 + 2 / log2(3) over 3 + 2 / log2(3) + 1 / log2(4)."""
    labels = list(alternatives_for(measure, [1, 2, 0, 3], k=2)["convention"])
    assert labels.index("ideal not cut") < labels.index("cutoff 1") < labels.index("cutoff 3")


def test_a_ratio_of_rounded_sums_is_told_from_one_of_rounded_terms():
    """6.1487 / 6.3235 with both rounded to 6.1 and 6.3 is 0.968."""
    verdict = judge("0.968", 6.14871 / 6.32347, alternatives=alternatives_for("ndcg", [3, 2, 3, 0, 1]))
    assert list(map(str, verdict.evidence)) == ["rounded-early: DCG and IDCG rounded to 1 decimal gives 0.968254"]
    meaning = next(each.meaning for each in all_causes() if each.code == "rounded-early")
    assert meaning.endswith("or the sums before they were divided")


def test_an_alternative_that_overflows_is_left_out_and_one_that_differs_in_the_fifth_digit_kept():
    """2000 + 1 / log2(4) is 2000.5, which a reader can print with all its digits."""
    assert "gain exponential" not in alternatives_for("dcg", [2000, 1])["convention"]
    assert alternatives_for("dcg", [2000, 0, 1])["term"]["rank 3 dropped"] == 2000
    assert "term" in judge("2000.0", 2000.5, alternatives=alternatives_for("dcg", [2000, 0, 1])).causes


REFUSED = [
    # arguments  error  message  why
    (("map", [1, 2]), ValueError, r"measure: expected one of cg, dcg, idcg, ndcg, got 'map'", "an unknown measure"),
    (("dcg", [1, -2]), ValueError, r"grades\[1\]: expected a grade of 0 or more, got -2", "a negative grade"),
    (("dcg", [1, 2], STANDARD, 0), ValueError, r"k: expected a whole number of at least 1, got 0", "a cutoff of 0"),
    (("dcg", [1, 2], STANDARD, 1.5), ValueError, r"k: expected a whole number, got 1\.5", "half a rank"),
    (("ndcg", [1, 2], STANDARD, None, [1]), ValueError, r"judged: expected every grade .* too few", "few"),
    (("dcg", [1, 2], "Standard"), ValueError, r"got 'Standard' \(did you mean 'STANDARD'\?\)", "an unknown name"),
    (("ndcg", [0], Convention(zero_ideal="error")), ValueError, r"expected some ideal gain to divide by", "none"),
]


@pytest.mark.parametrize(("arguments", "error", "message", "why"), REFUSED)
def test_alternatives_are_refused_for_what_has_no_value(arguments, error, message, why):
    with pytest.raises(error, match=message):
        alternatives_for(*arguments)


ROUNDABLE = [
    # operands  working  computed  can be  why
    (["0.33", "0.33", "0.33"], total, 1.0, True, "up to 0.335 each"),
    (["0.32", "0.32", "0.32"], total, 1.0, False, "0.975 at most"),
    (["0.325", "0.345", "0.330"], total, 1.0015, True, "0.3255 + 0.3455 + 0.3305: at the very end"),
    (["1.0", "2.0"], ratio, 0.53, True, "1.05 / 1.95 = 0.538"),
    (["1.0", "2.0"], ratio, 0.54, False, "1.05 / 1.95 = 0.538"),
    (["1/2", "0.5"], total, 1.05, True, "a fraction is exact, 0.5 may be 0.55"),
    (["1/2", "1/2"], total, 1.01, False, "fractions are exact"),
    (["1.0", "0.0"], ratio, 5.0, True, "where it cannot be told, nothing is held against the operands"),
    (["0.0"], math.sqrt, 5.0, True, "nor where there is a value at one end only"),
]


@pytest.mark.parametrize(("texts", "working", "computed", "can", "why"), ROUNDABLE)
def test_a_value_comes_from_operands_within_half_a_unit_of_the_printed_ones(texts, working, computed, can, why):
    low, high = bounds_of(working, [read_number(text).bounds for text in texts])
    assert (low <= computed <= high) is can


@every_row("value, allowed", [(0.5, 1e-12), (1.0, 1e-12), (-0.25, 1e-12), (4096.0, 4096e-12), (-4096.0, 4096e-12)])
def test_a_working_allows_a_trillionth_on_either_side_for_sums_in_another_order(value, allowed):
    low, high = bounds_of(total, [(value, value)])
    assert (value - low, high - value) == (pytest.approx(allowed, rel=1e-3), pytest.approx(allowed, rel=1e-3))


RIGHTLY = [
    # printed number  exact  value  slip  why
    ("1.59", L3, 1.58, True, "set right"),
    ("1.58", L3, 1.58, False, "right"),
    ("0.12", 0.125, 0.12, False, "a number rounded half to even is kept"),
    ("1.59", None, 1.59, False, "nothing known: taken as printed"),
]


@pytest.mark.parametrize(("text", "exact", "value", "slip", "why"), RIGHTLY)
def test_an_operand_knows_its_right_rounding(text, exact, value, slip, why):
    operand = Operand(read_number(text), exact)
    assert (operand.rightly, operand.is_slip) == (pytest.approx(value), slip)


def test_the_codes_are_those_of_the_file_in_its_order_which_was_measured():
    """The pairs stand before the last stage, and what has no cause at the end."""
    before = [each.code for each in all_causes() if each.stage != LAST]
    pairs = [code for code in codes() if "+" in code]
    assert len(pairs) == 3 * 3  # quantity, inherited or convention, and one of three wrong roundings
    assert [*before, *pairs, "digit", UNEXPLAINED] == codes()
    assert len(set(codes())) == len(codes())
    measured = "quantity inherited rounded-twice carried truncated rounded-up convention term minus-one unsorted-ideal "
    assert " ".join(codes()).startswith(measured + "exchanged first-rank-dropped rounded-early ")
