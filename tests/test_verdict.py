"""A verdict holds what was printed and what it should be; its outcome follows from its numbers; `str()` is one line."""

import json
import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rows import every_row

from ndcg_ref.stated import judge
from ndcg_ref.stated.claim import Claim
from ndcg_ref.stated.number import read_number
from ndcg_ref.stated.verdict import Statement, Verdict, verdict_on

L3 = math.log2(3)


def ratio(above, below):
    return above / below


OUTCOMES = [
    # printed  computed  reason  outcome  why
    ("0.63", 1 / L3, None, "agrees", "rounded rightly"),
    ("0.62", 1 / L3, None, "slip", "one unit off"),
    ("0.13", 0.125, None, "agrees", "half-up"),
    ("8", 8.4, None, "agrees", "a whole number"),
    ("8.32", 8.3255, None, "slip", "truncated"),
    ("0.5", math.nan, None, "undefined", "no ideal gain"),
    ("0.5", Decimal("NaN"), None, "undefined", "a Decimal that is no number"),
    ("0.5", None, "needs the run file", "unchecked", "not computed"),
    ("1/3", Fraction(1, 3), None, "agrees", "a computed fraction"),
    ("0.5", np.float32(0.5), None, "agrees", "a numpy single"),
    ("0.5", np.array(0.5), None, "agrees", "an array of no dimension"),
    ("1e999", 1.0, None, "slip", "a print no float holds"),
    ("250.0%", 2.6, None, "slip", "more than 100 percent"),
]


CORRECT = [
    # printed  computed  correct  why
    ("8.32", 8.3255, "8.33", "the right rounding"),
    ("0.12", 0.125, "0.12", "also where half-up would print 0.13"),
    ("−0.5", -0.5, "−0.5", "in its own signs"),
    (".62", 1 / L3, ".63", "in the form of the print"),
    ("1,062", 2345, "2,345", "groups"),
    ("1/3", 0.5, "1/2", "a fraction where a small one fits"),
    ("1/3", 0.3333, "0.3333", "six digits where none does"),
    ("-0.3", 0.24, "0.2", "the sign is corrected too"),
    ("0.5", math.nan, None, "there is no value"),
]


COMPUTED_TEXT = [
    # printed  computed  shown  why
    ("0.63", 0.6309297535714575, "0.63093", "three decimals more than the print"),
    ("97.8%", 0.9784, "0.978400", "of the value, not of the percentage"),
    ("0.123456789012345", 0.123456789012345, "0.123456789012345", "no more digits than the print has, beyond twelve"),
    ("0.1234567890", 0.12345678904321, "0.123456789043", "twelve digits at most"),
    ("1e20", 123456789012345678901.0, "1.23456789012e+20", "a large number in twelve digits"),
    ("0.5", math.nan, None, "no value, no text"),
]


SHOWN = [("correct", *row) for row in CORRECT] + [("computed_text", *row) for row in COMPUTED_TEXT]


@every_row(("attribute", "printed", "computed", "text", "why"), SHOWN)
def test_the_right_rounding_has_the_form_of_the_print_the_value_more_digits(attribute, printed, computed, text, why):
    assert getattr(judge(printed, computed), attribute) == text


CUT = "✗ slip: D: stated 8.32, computed 8.32550, correct 8.33"
WEAK = "✗ slip: stated 1.5, computed 1.5700, correct 1.6; consistent with truncated (weak evidence: chance 0.20)"
TWO = "✗ slip: log: stated 1.59, computed 1.58496, correct 1.58; consistent with rounded-twice, rounded-up"
LINES = [
    # printed  computed  name  more  line  why
    ("8.33", 8.3255, "DCG 2", {}, "✓ agrees: DCG 2: stated 8.33, computed 8.32550", "agrees"),
    ("8.33", 8.3255, "", {}, "✓ agrees: stated 8.33, computed 8.32550", "no name"),
    ("8.32", 8.3255, "D", {}, f"{CUT}; consistent with truncated", "a slip with its cause"),
    ("0.589", 0.579, "", {}, "✗ slip: stated 0.589, computed 0.579000, correct 0.579; unexplained", "none"),
    ("1.59", 1.58496, "log", {}, TWO, "two causes"),
    ("1.5", 1.57, "", {}, WEAK, "1.3, 1.4, 1.5, 1.7 and 1.8 are nearby: chance 1 / 5"),
    ("0.5", 0.5, "a\tb", {}, "✓ agrees: a\tb: stated 0.5, computed 0.5000", "a tab in the name"),
    ("0.5", math.nan, "NDCG", {}, "∅ undefined: NDCG: stated 0.5; no ideal gain to divide by", "undefined"),
    ("0.5", math.nan, "NDCG", {"reason": "empty query"}, "∅ undefined: NDCG: stated 0.5; empty query", "why"),
    ("0.5", None, "MAP", {"reason": "needs the run"}, "○ unchecked: MAP: stated 0.5; needs the run", "unchecked"),
]


@pytest.mark.parametrize(("printed", "computed", "name", "more", "line", "why"), LINES)
def test_str_is_one_line_that_says_all(printed, computed, name, more, line, why):
    assert str(judge(printed, computed, name, **more)) == line


RECORDED = [
    # printed  computed  more  key  value  why; what a slip has is in `test_ledger.py`
    ("0.63", 0.1234567890123456, {}, "computed", 0.123456789012, "twelve significant digits"),
    ("0.123456789012345", 0.1234567890123456, {}, "computed", 0.123456789012346, "as many as the print has"),
    ("0.63", math.nan, {}, "computed", None, "JSON has no nan"),
    ("0.63", None, {"reason": "why"}, "reason", "why", "why nothing was computed"),
    ("0.63", math.nan, {}, "reason", "no ideal gain to divide by", "why there is no value"),
    ("8.33", 8.3255, {}, "derivation", [], "nothing departs"),
]


@every_row(("printed", "computed", "more", "key", "value", "why"), RECORDED)
def test_the_record_holds_what_a_page_needs(printed, computed, more, key, value, why):
    assert dict(judge(printed, computed, "DCG 2", **more).record())[key] == value


KEYS = {
    *("name", "kind", "stated", "computed", "computed_text", "correct", "outcome", "causes", "declared", "evidence"),
    *("label", "chance", "explanation", "derivation", "status", "reason", "line"),
    *("as_exact", "counterexample", "discrepancies", "weak"),
}


@every_row(("printed", "computed", "reason", "outcome", "why"), OUTCOMES)
def test_outcome_follows_from_the_numbers_and_the_record_survives_json(printed, computed, reason, outcome, why):
    verdict = judge(printed, computed, "x", reason=reason)
    record = verdict.record()
    assert verdict.outcome == record["outcome"] == outcome
    assert (json.loads(json.dumps(record, allow_nan=False)), set(record)) == (record, KEYS)


OPERANDS = [
    # operands  decimal  printed  cause  why
    (["0.500", "1.60"], ".", "0.31", "inherited", "0.5 / 1.6 = 0.3125; 0.5005 / 1.595 is still below 0.5 / log2(3)"),
    ([judge("0.5", 0.5), judge("1.59", L3)], ".", "0.31", "inherited", "an earlier verdict knows that 1.59 is a slip"),
    (["0,500", "1,60"], ",", "0,31", "inherited", "a decimal comma everywhere"),
    ((judge("1", 1), judge("1.58", L3)), ".", "0.633", "carried", "1 / 1.58 = 0.6329, and 1.58 is right"),
    ([judge("1", None, reason="given"), "1.58"], ".", "0.633", "carried", "an unchecked operand stands as printed"),
]


@pytest.mark.parametrize(("operands", "decimal", "printed", "cause", "why"), OPERANDS)
def test_operands_are_texts_or_earlier_verdicts(operands, decimal, printed, cause, why):
    exact = (0.5 if cause == "inherited" else 1) / L3
    assert cause in judge(read_number(printed, decimal), exact, operands=operands, working=ratio).causes


def term_of(value):
    return {"alternatives": {"term": {"x": value}}}


BAD_VALUES = [
    # arguments  keywords  message  why
    (("0.5", 0.6, "a\nb"), {}, r"name: expected what the number is, in one line, got 'a\\nb'", "a name of two lines"),
    (("0.6.3", 1), {}, r"expected a printed number such as .*, got '0\.6\.3'", "no print"),
    (("0.5", None), {}, r"expected a computed value, got None \(say with reason= why there is none\)", "no reason"),
    (("0.5", math.inf), {}, r"expected a finite computed value, got inf", "infinite"),
    (("0.5", Decimal("1e400")), {}, r"expected a finite computed value, got inf", "a Decimal beyond a float"),
    (("0.5", Fraction(10**400)), {}, r"expected one finite computed value, got Fraction\(10", "beyond a float"),
    (("0.5", Decimal("sNaN")), {}, r"expected one finite computed value, got Decimal\('sNaN'\)", "a signalling nan"),
    (("0.5", 0.5), {"reason": "why"}, r"both a computed value, 0\.5, and a reason why there is none: 'why'", "both"),
    (("0.5", 0.6), {"operands": ["1"]}, r"operands and working go together", "operands alone"),
    (("0.5", 0.6, "N"), {"operands": ["1", "y"], "working": ratio}, r"^N: operands\[1\]: expected a printed", "y"),
    (("0.5", 0.6), {"alternatives": {"cause": {}}}, r"alternatives: expected the kinds .*, got 'cause'", "kind"),
    (("0.5", 0.6, "N"), term_of(math.nan), r"^N: alternatives\['term'\]\['x'\]: expected a finite number", "nan"),
]


def test_a_right_number_behind_a_wrong_working_says_so():
    why = ("the printed working gives 0.34, not 0.33",)
    verdict = verdict_on(Claim(number=read_number("0.33"), computed=1 / 3, name="N", discrepancies=why))
    assert str(verdict) == "✓ agrees: N: stated 0.33, computed 0.33333; but the printed working gives 0.34, not 0.33"


BAD_TYPES = [
    # arguments  keywords  message  why
    ((0.63, 0.63), {}, r"expected the number as printed, as text, got 0\.63", "the print is no text"),
    (("0.63", "0.63"), {}, r"expected a number .*, got '0\.63' \(the printed number comes first\)", "a text"),
    (("0.63", True), {}, r"expected a number as the computed value, got True", "a truth value"),
    (("0.63", [0.63], "N"), {}, r"^N: expected a number as the computed value, got \[0\.63\]", "a list"),
    (("0.5", 0.6), {"operands": "0.5", "working": abs}, r"operands: expected a sequence of printed numbers", "a text"),
    (("0.5", 0.6), {"alternatives": {"term": [1]}}, r"\['term'\]: expected a mapping .*, got \[1\]", "a list"),
    (("0.5", 0.6), term_of("1"), r"alternatives\['term'\]\['x'\]: expected a number, got '1'", "a text"),
]


BAD = [(ValueError, *row) for row in BAD_VALUES] + [(TypeError, *row) for row in BAD_TYPES]


@every_row(("error", "arguments", "keywords", "message", "why"), BAD)
def test_what_cannot_be_judged_is_refused(error, arguments, keywords, message, why):
    with pytest.raises(error, match=message):
        judge(*arguments, **keywords)


ODD = [
    # printed  computed  operands  why
    ("1", 2, ["1e999"], "an operand no float holds"),
    ("1", 2, ["1e-999"], "an operand that is 0 as a float"),
    ("1", 2, ["0"], "a division by 0 in the working"),
]


@pytest.mark.parametrize(("printed", "computed", "operands", "why"), ODD)
def test_odd_operands_never_stop_a_verdict(printed, computed, operands, why):
    working = {"0": lambda a: 1 / a, "1": lambda a: a * math.inf}.get(operands[0], lambda a: a)
    assert judge(printed, computed, operands=operands, working=working).outcome == "slip"


def judged_or_refused(printed, computed):
    """The verdict, or what is said against the numbers."""
    try:
        return judge(printed, computed)
    except ValueError as error:
        return str(error)


@given(
    st.floats() | st.integers() | st.fractions() | st.decimals(allow_nan=None),
    st.from_regex(r"-?[0-9]{0,3}\.[0-9]{1,8}(%|e-?[0-9]{1,3})?", fullmatch=True),
)
def test_any_number_gets_a_verdict_or_a_refusal(computed, printed):
    """A slip never raises, and has causes; a verdict that is none has no causes."""
    found = judged_or_refused(printed, computed)
    if isinstance(found, Verdict):
        assert (bool(found.causes), len(str(found).splitlines())) == (found.outcome == "slip", 1)
    else:
        assert "finite computed value" in found


def test_a_statement_is_one_line_and_its_record_has_the_keys_of_a_verdict():
    true = Statement(sentence="NDCG is at most 1", truth=True)
    why = {"counterexample": "[1, 1]", "declared": "the sum grows", "correct": "DCG never falls"}
    false = Statement(sentence="DCG falls", truth=False, **why)
    for statement, line in (
        (true, "✓ agrees: NDCG is at most 1"),
        (false, "✗ slip: DCG falls; not so: [1, 1] (the sum grows); correction: DCG never falls"),
    ):
        record = statement.record()
        assert str(statement) == line
        assert (set(record), record["kind"], record["line"]) == (KEYS, "sentence", line)
