"""Questions of a page, as JSON, and what the package answers: worked by hand, and for any JSON at all."""

import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rows import every_row
from steps import steps

from ndcg_ref.live import answer

L3, L5, L6 = math.log2(3), math.log2(5), math.log2(6)
RANKING = [3, 2, 3, 0, 1]
IDEAL = sorted(RANKING, reverse=True)
DCG = 3 + 2 / L3 + 3 / 2 + 1 / L6
IDCG = 3 + 3 / L3 + 2 / 2 + 1 / L5


def asked(kind, **more):
    """The answer to a question about the ranking, which JSON must hold."""
    made = answer(json.loads(json.dumps({"ask": kind, "grades": RANKING, **more})))
    json.dumps(made, allow_nan=False)
    return made


# A number, what it is of, and how it is judged
NUMBERS = [
    # measure, more, stated, outcome, correct, a cause
    ("NDCG", {}, "0.97", "agrees", "0.97", None),
    ("NDCG", {}, "0.98", "slip", "0.97", "rounded-up"),
    ("DCG", {}, "6.15", "agrees", "6.15", None),
    ("DCG", {}, "6.14", "slip", "6.15", "truncated"),
    ("DCG", {"k": 3}, f"{3 + 2 / L3 + 3 / 2:.3f}", "agrees", f"{3 + 2 / L3 + 3 / 2:.3f}", None),
    ("DCG", {"k": 2}, f"{3 + 2 / L3 + 3 / 2:.3f}", "slip", f"{3 + 2 / L3:.3f}", "convention"),  # the cutoff by one
    ("DCG", {}, f"{3 / 1 + 2 / 1 + 3 / L3 + 1 / L5:.3f}", "slip", f"{DCG:.3f}", "convention"),  # the original discount
    ("DCG", {"convention": "EXPONENTIAL"}, f"{DCG:.3f}", "slip", f"{7 + 3 / L3 + 7 / 2 + 1 / L6:.3f}", "convention"),
    ("IDCG", {}, f"{DCG:.3f}", "slip", f"{IDCG:.3f}", "unsorted-ideal"),
    ("IDCG", {"judged": [*RANKING, 3]}, f"{3 + 3 / L3 + 3 / 2 + 2 / L5 + 1 / L6:.3f}", "agrees", None, None),
    ("NDCG", {}, f"{IDCG / DCG:.4f}", "slip", f"{DCG / IDCG:.4f}", "exchanged"),
    ("NDCG", {}, "1", "slip", f"{DCG / IDCG:.6f}", "unsorted-ideal"),  # a bare 1 is exact
    ("NDCG", {}, "≈ 1", "agrees", "≈ 1", None),
    ("NDCG", {"grades": IDEAL}, "1", "agrees", "1", None),
    ("CG", {}, "9", "agrees", "9", None),
    ("NDCG", {"grades": [0, 0]}, "0.5", "undefined", None, None),
]


class TestANumber:
    @every_row(("measure", "more", "stated", "outcome", "correct", "cause"), NUMBERS)
    def test_a_number_is_judged_and_a_slip_has_its_cause(self, measure, more, stated, outcome, correct, cause):
        made = asked("number", measure=measure, stated=stated, **more)
        assert (made["outcome"], made["correct"]) == (outcome, correct or (stated if outcome == "agrees" else None))
        codes = [each["code"] for each in made["causes"]]
        assert codes == [] if cause is None else cause in codes
        assert all(each["words"] and each["evidence"] for each in made["causes"])

    def test_the_exact_value_and_the_steps_to_it_are_there(self):
        made = asked("number", measure="NDCG", k=3, stated="0.97")
        dcg, idcg = 3 + 2 / L3 + 3 / 2, 3 + 3 / L3 + 2 / 2
        assert made["computed"] == pytest.approx(dcg / idcg, rel=1e-15)
        assert made["steps"] == [
            f"DCG@3 = 3 + 2/1.58496 + 3/2 = {dcg:.6g}",
            f"IDCG@3 = 3 + 3/1.58496 + 2/2 = {idcg:.6g}",
            f"NDCG@3 = {dcg:.6g}/{idcg:.6g} = {dcg / idcg:.6g}",
        ]
        assert made["line"].startswith("✗ slip: NDCG@3: stated 0.97, computed 0.9")

    def test_a_ratio_without_ideal_has_no_value_and_no_last_step(self):
        made = asked("number", measure="NDCG", grades=[0], stated="0")
        assert (made["computed"], made["steps"]) == (None, ["DCG = 0 = 0", "IDCG = 0 = 0"])
        assert made["reason"] == "no ideal gain to divide by"

    def test_the_steps_of_a_long_ranking_are_cut(self):
        (line,) = asked("number", measure="CG", grades=[1] * 21, stated="21")["steps"]
        assert line == f"CG = {' + '.join(['1'] * 20)} + … = 21"

    def test_conventions_that_print_the_number_are_named_with_their_values(self):
        """The exponential NDCG, and not the linear one."""
        exponential = (7 + 3 / L3 + 7 / 2 + 1 / L6) / (7 + 7 / L3 + 3 / 2 + 1 / L5)
        found = asked("number", measure="NDCG", k=5, stated=f"{exponential:.3f}")["printed_by"]
        by_name = {each["convention"]: each for each in found}
        assert by_name["EXPONENTIAL"]["computed"] == pytest.approx(exponential, rel=1e-15)
        assert by_name["EXPONENTIAL"]["k"] == 5
        assert "STANDARD" not in by_name

    def test_a_preset_with_a_dcg_of_its_own_is_judged_under_it(self):
        """scikit-learn refuses a grade below 0 in NDCG, and adds it up in DCG."""
        made = asked("number", measure="DCG", grades=[2, -1], convention="scikit-learn", stated=f"{2 + 1 / L3:.3f}")
        assert (made["outcome"], made["correct"]) == ("slip", f"{2 - 1 / L3:.3f}")
        assert "negative" in asked("number", grades=[2, -1], convention="scikit-learn", stated="1")["error"]

    def test_a_convention_is_given_by_its_choices(self):
        rule = {"gain": "exponential", "discount": "log(rank)", "base": 2}
        made = asked("number", measure="DCG", grades=[1, 2], convention=rule, stated="4.0")
        assert (made["outcome"], made["convention"]) == ("agrees", "exponential gain, max(1, log2(rank))")


COMMAS = [
    # stated, measure, grades, outcome, comma
    ("0,97", "NDCG", RANKING, "agrees", True),
    ("97,2%", "NDCG", RANKING, "agrees", True),
    ("6,149", "DCG", RANKING, "agrees", True),  # three decimals, or 6 thousand?
    ("1,023", "CG", [1000, 23], "agrees", False),
]


@pytest.mark.parametrize(("stated", "measure", "grades", "outcome", "comma"), COMMAS)
def test_a_decimal_comma_is_read_and_said_to_be(stated, measure, grades, outcome, comma):
    made = asked("number", measure=measure, grades=grades, stated=stated)
    assert (made["outcome"], made["comma"]) == (outcome, comma)


# A number as it is copied from a sentence or typed with its name. Of RANKING CG is 9, and NDCG 0.9724 = 6.1487/6.3235
TYPED = [
    # measure, more, stated, outcome, correct
    ("NDCG", {}, "NDCG=0.972", "agrees", "0.972"),
    ("NDCG", {}, "nDCG@5: 0.973", "slip", "0.972"),
    ("NDCG", {"k": 5}, "NDCG at 5 is 97,2 %", "agrees", "97,2%"),
    ("IDCG", {}, "the ideal DCG is 6.32", "agrees", "6.32"),
    ("CG", {"grades": [3, 0.5]}, "3½", "agrees", "7/2"),
    ("CG", {"grades": [0.5]}, "1\u20442", "agrees", "1/2"),
]


@pytest.mark.parametrize(("measure", "more", "stated", "outcome", "correct"), TYPED)
def test_a_number_is_read_with_its_name_or_as_a_sign(measure, more, stated, outcome, correct):
    made = asked("number", measure=measure, stated=stated, **more)
    assert (made["outcome"], made["correct"]) == (outcome, correct)


REFUSED_NAMES = [
    # stated, more, message
    ("DCG = 6.15", {}, "stated: expected a number that is called NDCG, got 'DCG = 6.15'"),
    ("NDCG@3 = 0.97", {}, "stated: expected a number of NDCG, got 'NDCG@3 = 0.97'"),
    ("NDCG@3 = 0.97", {"k": 2}, "stated: expected a number of NDCG@2, got 'NDCG@3 = 0.97'"),
]


@pytest.mark.parametrize(("stated", "more", "message"), REFUSED_NAMES)
def test_a_number_that_is_called_something_else_is_refused(stated, more, message):
    assert asked("number", stated=stated, **more)["error"] == message


NUMBER = {"ask": "number", "measure": "NDCG", "grades": [1, 0], "stated": "0.5"}
REFUSED = [
    # question, part of the refusal
    (None, "expected a question as an object, got None"),
    ({}, "ask: expected one of 'number'"),
    ({**NUMBER, "measure": "MAP"}, "measure: expected one of NDCG, DCG, IDCG, CG, got 'MAP'"),
    ({"ask": "number"}, "grades: expected a list of numbers, got None"),
    ({**NUMBER, "grades": "321"}, "grades: expected a list of numbers, got '321'"),
    ({**NUMBER, "grades": [0] * 10_000}, "grades: expected at most 1,000 numbers, got 10,000"),
    ({**NUMBER, "grades": [math.nan]}, "grades[0]: expected a finite number"),
    ({**NUMBER, "grades": [10**400]}, "beyond the range of a float"),
    ({**NUMBER, "grades": [-1]}, "grades[0]: expected a grade of 0 or more"),
    ({**NUMBER, "judged": [0, 0]}, "judged: expected every grade of the ranking"),
    ({**NUMBER, "k": 0}, "k: expected a whole number of at least 1, got 0"),
    ({**NUMBER, "convention": "trec_evil"}, "did you mean 'trec_eval'"),
    ({**NUMBER, "convention": 3}, "convention: expected a name or an object of choices, got 3"),
    ({**NUMBER, "convention": {"gains": "linear"}}, "expected choices such as 'gain', 'discount' and 'base'"),
    ({**NUMBER, "convention": {"gain": [0] * 1_001}}, "gain: expected at most 1,000 grades, got 1,001"),
    ({**NUMBER, "stated": 0.5}, "expected the number as text, got 0.5"),
    ({**NUMBER, "stated": ""}, "expected a printed number such as 0.63"),
    ({**NUMBER, "stated": "NaN"}, "expected a printed number such as 0.63, 97.8% or 1/3, got 'NaN'"),
]


@every_row(("question", "message"), REFUSED)
def test_what_is_refused_comes_back_as_an_error_in_words(question, message):
    (error,) = answer(question).values()
    assert message in error
    assert "\n" not in error


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
SMALL = st.lists(st.integers(0, 4) | st.floats(0, 4), max_size=6)
TEXTS = st.sampled_from(["0.63", "1e999", "-1", "1/3", "0,5", "9,999", "", "%", "1e-999", "99999999999999999999"])
FIELDS = {
    "measure": st.sampled_from(["NDCG", "DCG", "IDCG", "CG"]),
    "grades": SMALL,
    "judged": st.none() | SMALL,
    "k": st.none() | st.integers(1, 9),
    "convention": st.sampled_from(["STANDARD", "EXPONENTIAL", "trec_eval"]),
    "stated": TEXTS,
    "text": st.text("0123456789+-/*=()^_,. \n\\{}DCGlognx₂×·", max_size=60),
    "cells": st.fixed_dictionaries(
        {},
        optional={
            **dict.fromkeys(["gain", "discount", "term"], st.lists(TEXTS, max_size=3)),
            **dict.fromkeys(["DCG", "IDCG", "NDCG"], TEXTS),
        },
    ),
}


class TestAnyJson:
    @pytest.mark.long
    @given(JSON)
    def test_any_json_is_answered_or_refused(self, question):
        assert set(answer(question)) == {"error"}

    @settings(deadline=None)
    @given(
        st.sampled_from(["number", "working", "lines"]),
        st.fixed_dictionaries(FIELDS),
        st.dictionaries(st.sampled_from(sorted(FIELDS)), JSON, max_size=1),
    )
    def test_any_field_is_answered_or_refused_after_few_steps(self, kind, fields, wrong):
        question = {"ask": kind, **fields, **wrong}
        assert steps(answer, question) < 500_000
        made = answer(question)
        assert made
        json.dumps(made, allow_nan=False)
