"""A convention is a value: it prints in words, equals its like, stays as it was made, and knows its choices."""

import math
import pickle
import re
from dataclasses import fields, replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rows import every_row

from ndcg_ref import EXPONENTIAL, ORIGINAL, STANDARD, Convention
from ndcg_ref.conventions.convention import DISCOUNTS, GAINS, WORDS, ZERO_IDEALS, as_float32, ideal_cutoff

# What the choices beyond those five are by default
REST = (
    "|ideal:judged|ideal_order:gain|ideal_cut:k|ties:average|scores:float64|unjudged:zero|fractional:keep|missing:skip"
    "|extra:skip|query_weights:all"
)

SIGNED = [
    # convention, signature
    (STANDARD, "gain:linear|discount:log(rank+1)|base:2|negative:error|zero_ideal:nan" + REST),
    (
        Convention(discount="none", base=2.5, negative="clamp", zero_ideal=0),
        "gain:linear|discount:none|base:2.5|negative:clamp|zero_ideal:0" + REST,
    ),
    (  # e, in the digits that read back as it; a sequence: the gain of grade 0, 1, 2
        Convention(gain=[0, 1, 2.5], base=math.e),
        "gain:0,1,2.5|discount:log(rank+1)|base:2.718281828459045|negative:error|zero_ideal:nan" + REST,
    ),
    (  # a mapping: grade=gain, by grade; a callable: its name
        Convention(gain={3: 7, -1: 0, 0.5: 0.25}, discount=math.exp),
        "gain:-1=0,0.5=0.25,3=7|discount:math.exp|base:2|negative:error|zero_ideal:nan" + REST,
    ),
]

PRINTED = [
    # convention, text
    (STANDARD, "linear gain, log2(rank + 1)"),
    (ORIGINAL, "linear gain, max(1, log2(rank))"),
    (EXPONENTIAL, "exponential gain, log2(rank + 1)"),
    (
        Convention(gain="exponential", ties="id-descending", zero_ideal=0),
        "exponential gain, log2(rank + 1), ties by document id descending, no relevant document counts 0",
    ),
    (
        Convention(gain="binary", discount="none", negative="clamp", zero_ideal="error"),
        "binary gain, no discount, no relevant document refused, negative grades count 0",
    ),
    (Convention(base=10), "linear gain, log10(rank + 1)"),
    (Convention(base=2.5, negative="keep"), "linear gain, log2.5(rank + 1), negative grades kept"),
    (Convention(base=math.e, discount="log(rank)"), "linear gain, max(1, ln(rank))"),
    (Convention(base=10, discount="rank"), "linear gain, discount rank, log base 10"),  # unused, yet another one
    (Convention(gain=[0, 1, 2.5]), "gain 0, 1, 2.5 of grade 0 and up, log2(rank + 1)"),
    (Convention(gain=math.sqrt, discount=math.exp), "gain math.sqrt, discount math.exp"),
    (
        Convention(ideal="ranked", ideal_order="grade", ideal_cut="hits", ties="worst", scores="float32"),
        "linear gain, log2(rank + 1), ideal of the ranking, ideal sorted by grade, ideal no longer than the ranking, "
        "ties worst first, float32 scores",
    ),
    (
        Convention(unjudged="drop", fractional="truncate", missing="zero", extra="error", query_weights="with-ideal"),
        "linear gain, log2(rank + 1), fractional grades truncated, unjudged documents dropped, "
        "missing queries count 0, unjudged queries refused, queries without ideal gain unweighted",
    ),
]


def linear(grade):
    return grade


class Doubling:
    """A callable without a name of its own, and with a method."""

    def __init__(self, factor):
        self.factor = factor

    def __call__(self, grade):
        return self.factor * grade

    def of(self, grade):
        return self.factor * grade


ONE, OTHER = Doubling(2), Doubling(3)
CALLABLES = [
    # no two of them are equal
    math.sqrt,
    linear,  # not "linear"
    lambda grade: 2 * grade,
    lambda grade: 3 * grade,
    partial(pow, 3),
    ONE,
    OTHER,
    ONE.of,
    {0: 0, 1: 2}.get,
    Fraction.from_decimal,
]
NUMBERS = st.integers(-3, 3) | st.floats(-3, 3)
CONVENTIONS = st.builds(
    Convention,
    gain=st.sampled_from([*GAINS, *CALLABLES])
    | st.lists(NUMBERS, min_size=1, max_size=3)
    | st.dictionaries(NUMBERS, NUMBERS, min_size=1, max_size=3),
    discount=st.sampled_from([*DISCOUNTS, math.sqrt, *CALLABLES]),
    base=st.sampled_from([2, 10, math.e, 2.718281828459, 1.5]),
    zero_ideal=st.sampled_from(ZERO_IDEALS),
    **{choice: st.sampled_from(words) for choice, words in WORDS.items()},
)

SAME = [
    # two ways to write one convention
    (Convention(), STANDARD),
    (Convention(gain=[0, 1, 3]), Convention(gain=(0, 1, 3))),
    (Convention(gain=[0, 1, 3]), Convention(gain=np.array([0, 1, 3]))),
    (Convention(gain={0: 0, 1: 1, 2: 3}), Convention(gain={2: 3, 1: 1, 0: 0})),  # the order of writing is none
    (Convention(gain={0: 0, 1: 1}), Convention(gain=[(1, 1), (0, 0)])),  # as it is kept, but not yet sorted
    (Convention(base=2.5), Convention(base=Fraction(5, 2))),
    (Convention(zero_ideal=0), Convention(zero_ideal=0.0)),
]

DIFFERENT = [
    # each differs from STANDARD, and from each other, in one choice
    STANDARD,
    Convention(gain="exponential"),
    Convention(gain=[0, 1]),
    Convention(gain=[0, 2]),
    Convention(gain={0: 0, 1: 1}),  # refuses a grade 2 with another message than [0, 1]
    Convention(gain=math.sqrt),
    Convention(discount="log(rank)"),
    Convention(discount="none"),
    Convention(discount=math.exp),
    Convention(base=10),
    Convention(negative="clamp"),
    Convention(negative="keep"),
    Convention(zero_ideal=0),
    Convention(zero_ideal=1),
    Convention(zero_ideal="error"),
    Convention(gain="binary"),
    Convention(discount="rank"),
    *(Convention(**{choice: word}) for choice, words in WORDS.items() if choice != "negative" for word in words[1:]),
]

KEPT = [
    # gain as given, gain as kept
    ("exponential", "exponential"),
    ([0, 1, 10], (0, 1, 10)),
    (np.array([0.0, 0.5]), (0, 0.5)),
    ({2: 3, 0: 0, 1: 1}, ((0, 0), (1, 1), (2, 3))),
    ({10: 1, 9: 0}, ((9, 0), (10, 1))),  # sorted as numbers, not as text
]

GAIN_KNOWN = "gain: expected one of 'linear', 'exponential', 'binary', a table or a callable of one grade, got "
DISCOUNT_KNOWN = "discount: expected one of 'log(rank+1)', 'log(rank)', 'rank', 'none', or a callable of one rank, got "
NEGATIVE_KNOWN = "negative: expected one of 'error', 'clamp', 'keep', got "
ZERO_IDEAL_KNOWN = "zero_ideal: expected one of 'nan', 0, 1, 'error', got "

REFUSED: list[tuple[dict[str, Any], type[Exception], str]] = [
    # choices, exception, message
    ({"gain": "Linear"}, ValueError, GAIN_KNOWN + "'Linear'"),  # a capital is another name
    ({"gain": 5}, ValueError, GAIN_KNOWN + "5"),
    ({"gain": None}, TypeError, GAIN_KNOWN + "None"),
    ({"gain": b"12"}, TypeError, GAIN_KNOWN + "b'12'"),  # bytes would pass for the gains 49 and 50
    ({"gain": []}, ValueError, "gain: expected the gain of at least one grade, got an empty table"),
    ({"gain": [0, "1"]}, TypeError, "gain[1]: expected a number, got '1'"),
    ({"gain": [0, math.nan]}, ValueError, "gain[1]: expected a finite number, got nan"),
    ({"gain": np.zeros((2, 2))}, ValueError, "gain[0]: expected a number, got array([0., 0.])"),
    ({"gain": {"high": 1}}, TypeError, "gain, a grade: expected a number, got 'high'"),
    ({"discount": "log2"}, ValueError, DISCOUNT_KNOWN + "'log2'"),
    ({"discount": "log(rank + 1)"}, ValueError, DISCOUNT_KNOWN + "'log(rank + 1)'"),  # a space is another name
    ({"discount": None}, TypeError, DISCOUNT_KNOWN + "None"),  # "none" is a text
    ({"base": 1}, ValueError, "base: expected a number above 1, got 1 ("),  # log 1 is 0: nothing to divide by
    ({"base": math.nan}, ValueError, "base: expected a finite number, got nan"),
    ({"base": "2"}, TypeError, "base: expected a number, got '2'"),
    ({"negative": None}, TypeError, NEGATIVE_KNOWN + "None"),
    ({"zero_ideal": "NaN"}, ValueError, ZERO_IDEAL_KNOWN + "'NaN'"),
    ({"zero_ideal": True}, ValueError, ZERO_IDEAL_KNOWN + "True"),
    ({"ideal_cut": None}, TypeError, "ideal_cut: expected one of 'k', 'hits', 'none', got None"),  # "none" is a text
    *(
        ({choice: "other"}, ValueError, f"{choice}: expected one of {', '.join(map(repr, words))}, got 'other'")
        for choice, words in WORDS.items()
    ),
    ({"k": 10}, TypeError, "unexpected keyword argument 'k'"),  # a cutoff is no convention
]


@every_row(("convention", "text"), PRINTED)
def test_a_convention_prints_gain_discount_and_what_differs_from_standard(convention, text):
    assert str(convention) == text


@every_row(("convention", "line"), SIGNED)
def test_the_signature_is_one_line_of_all_choices(convention, line):
    assert convention.signature() == line


class TestUnequalConventionsPrintOtherwise:
    @pytest.mark.parametrize("printed", [str, Convention.signature])
    @given(one=CONVENTIONS, data=st.data())
    def test_unequal_drawn_conventions_print_otherwise(self, printed, one, data):
        """The other one differs in few choices, so that a choice that is not printed is found."""
        drawn = data.draw(CONVENTIONS)
        changed = data.draw(st.sets(st.sampled_from([field.name for field in fields(Convention)]), max_size=2))
        other = replace(one, **{choice: getattr(drawn, choice) for choice in changed})
        assert (printed(one) == printed(other)) == (one == other)

    @pytest.mark.parametrize("printed", [str, Convention.signature])
    def test_different_callables_print_otherwise(self, printed):
        texts = [printed(Convention(gain=gain)) for gain in [*GAINS, *CALLABLES]]
        assert len(set(texts)) == len(texts)

    def test_a_lambda_is_named_by_its_line(self):
        gain = lambda grade: grade  # noqa: E731
        name = f"{__name__}.{gain.__qualname__} (line {gain.__code__.co_firstlineno})"
        assert str(Convention(gain=gain)) == f"gain {name}, log2(rank + 1)"

    def test_functions_of_one_line_print_alike(self):
        """As the docstring of `signature` says: nothing stable tells them apart."""
        one, other = (Convention(gain=lambda grade, factor=factor: factor * grade) for factor in (2, 3))
        assert one != other
        assert str(one) == str(other)


class TestTheReprMakesTheConventionAgain:
    @every_row("convention", [c for c in DIFFERENT if not callable(c.gain) and not callable(c.discount)])
    def test_the_repr_makes_an_equal_convention(self, convention):
        assert eval(repr(convention), {"Convention": Convention}) == convention

    def test_the_repr_leaves_out_the_usual_choices(self):
        assert repr(STANDARD) == "Convention()"
        written = "Convention(discount='log(rank)', zero_ideal=1)"
        assert repr(Convention(discount="log(rank)", base=2, zero_ideal=1)) == written


@every_row(("one", "other"), SAME)
def test_two_ways_to_write_a_convention_are_one_key_and_print_alike(one, other):
    assert {one: "found"}.get(other) == "found"
    assert (str(one), one.signature()) == (str(other), other.signature())


@pytest.mark.parametrize(("given", "kept"), KEPT, ids=repr)
def test_a_table_is_kept_as_a_tuple(given, kept):
    assert Convention(gain=given).gain == kept


@every_row("convention", DIFFERENT)
@every_row("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickled_convention_comes_back_equal(convention, protocol):
    assert pickle.loads(pickle.dumps(convention, protocol)) == convention


class TestAnUnknownChoiceIsRefused:
    @every_row(("choices", "exception", "message"), REFUSED)
    def test_an_unknown_choice_is_refused(self, choices, exception, message):
        with pytest.raises(exception, match=re.escape(message)):
            Convention(**choices)

    def test_every_choice_has_a_refusal(self):
        assert {field.name for field in fields(Convention)} <= {name for choices, _, _ in REFUSED for name in choices}


def test_the_named_ones_are_the_three_of_the_notes():
    """The original differs from the standard in the discount alone, the exponential in the gain alone."""
    assert (replace(STANDARD, discount="log(rank)"), replace(STANDARD, gain="exponential")) == (ORIGINAL, EXPONENTIAL)
    assert (STANDARD.base, STANDARD.negative, STANDARD.zero_ideal) == (2, "error", "nan")


@pytest.mark.parametrize(("cut", "expected"), [("k", [3, 5, None]), ("hits", [3, 3, 3]), ("none", [None, None, None])])
def test_the_ideal_is_cut_where_the_convention_says(cut, expected):
    convention = Convention(ideal_cut=cut)
    assert [ideal_cutoff(k, n, convention) for k, n in ((3, 5), (5, 3), (None, 3))] == expected


@pytest.mark.parametrize(
    ("value", "single"),
    [
        (1.5, 1.5),
        (1 + 2**-24, 1.0),  # half a unit of the last bit goes to the even one
        (1 + 3 * 2**-24, 1 + 2**-22),
        (1e39, math.inf),
        (-1e39, -math.inf),
    ],
)
def test_single_precision_is_the_nearest_float_of_32_bits(value, single):
    assert as_float32(value) == single
