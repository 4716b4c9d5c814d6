"""A printed number is a text: it has a value, a unit, and a form in which other values can be printed."""

import re
from fractions import Fraction
from math import ulp

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from rows import every_row

from ndcg_ref.stated import number as number_module
from ndcg_ref.stated import read_number
from ndcg_ref.stated.number import Number

READ = [
    # printed  value  unit  why
    ("0.63", Fraction(63, 100), Fraction(1, 100), "two decimals"),
    ("0.630", Fraction(63, 100), Fraction(1, 1000), "the same value, another statement"),
    ("1.0", Fraction(1), Fraction(1, 10), "the zero claims a digit"),
    ("1", Fraction(1), Fraction(1), "a whole number claims the unit"),
    ("≈ 1", Fraction(1), Fraction(1), "so does one that is said to be rounded"),
    (".5", Fraction(1, 2), Fraction(1, 10), "no zero before the point"),
    ("1e-3", Fraction(1, 1000), Fraction(1, 1000), "an exponent moves the unit"),
    ("97.8%", Fraction(978, 1000), Fraction(1, 1000), "one decimal of a percentage"),
    ("1/3", Fraction(1, 3), Fraction(1, 3), "a fraction"),
    ("1,062", Fraction(1062), Fraction(1), "the comma groups thousands"),
    ("-0.5", Fraction(-1, 2), Fraction(1, 10), "hyphen"),
    ("−0.5", Fraction(-1, 2), Fraction(1, 10), "true minus"),
    (" 0.63\n", Fraction(63, 100), Fraction(1, 100), "blanks around"),
    ("1e999", Fraction(10**999), Fraction(10**999), "beyond the range of a float"),
    ("0." + "1" * 198, Fraction(int("1" * 198), 10**198), Fraction(1, 10**198), "the longest"),
]


COMMA = [
    # printed  value  unit  why
    ("0,63", Fraction(63, 100), Fraction(1, 100), "the comma stands before the decimals"),
    ("1.062", Fraction(1062), Fraction(1), "and the point groups thousands"),
]


@every_row(
    ("decimal", "printed", "value", "unit", "why"), [(".", *row) for row in READ] + [(",", *row) for row in COMMA]
)
def test_value_and_unit_are_those_of_the_text(decimal, printed, value, unit, why):
    number = read_number(printed, decimal=decimal)
    assert (number.value, number.unit, number.text) == (value, unit, printed.strip())


def test_only_a_fraction_is_exact():
    """A decimal or a percentage is a rounding, and a whole number claims the unit alone."""
    assert [read_number(printed).exact for printed in ("1/3", "0.33", "3", "50%")] == [True, False, False, False]


NAMES = [
    # name  whether a bare 0 or 1 of it is exact  why
    ("NDCG", True, "it lies between 0 and 1"),
    ("nDCG@10 of the second query", True, "with its cutoff"),
    ("ndcg_cut_10", True, "as trec_eval writes it"),
    ("normalized discounted cumulative gain", True, "in words"),
    ("DCG/IDCG", True, "a ratio of the two"),
    ("AP", True, "average precision"),
    ("MAP", True, "and in short"),
    ("RR", True, "reciprocal rank"),
    ("MRR", True, "its mean"),
    ("recip_rank", True, "as trec_eval writes it"),
    ("P", True, "precision, the whole name"),
    ("P@5", True, "with a cutoff"),
    ("precision at 5", True, "in words"),
    ("recall", True, "in words"),
    ("R-precision", True, "in words"),
    ("Rprec", True, "in short"),
    ("Success@5", True, "whether a relevant document is found"),
    ("Judged@5", True, "a share of the documents"),
    ("ERR", True, "expected reciprocal rank"),
    ("RBP", True, "rank-biased precision"),
    ("the result", False, "a name that says no measure"),
    ("CG", False, "a sum of gains"),
    ("DCG@5", False, "a sum of discounted gains"),
    ("ideal DCG that NDCG divides by", False, "the first measure counts"),
    ("DCG of the judged documents", False, "no share of judged ones"),
    ("DCG of run P", False, "P is a name"),
    ("term 2 of NDCG", False, "a part"),
    ("change in NDCG", False, "which may be below 0"),
    ("discounted cumulative gain", False, "in words"),
    ("p-value", False, "no precision"),
]


@every_row(("name", "exact", "why"), NAMES)
def test_a_bare_0_or_1_is_exact_where_its_name_says_a_quantity_between_0_and_1(name, exact, why):
    assert (read_number("1").of(name).exact, read_number("0").of(name).exact) == (exact, exact)


@pytest.mark.parametrize("printed", ["1.0", "0.0", "≈ 1", "≈0", "100%", "0%", "1e0", "2", "0.9"])
def test_any_other_number_of_such_a_quantity_keeps_its_unit(printed):
    assert read_number(printed).of("NDCG") == read_number(printed)


def test_the_sums_of_floats_that_make_1_are_exactly_1():
    """0.1 added ten times is 0.9999999999999999."""
    assert read_number("1").of("NDCG").covers(sum([0.1] * 10))
    assert not read_number("1").of("NDCG").covers(0.999999)


@every_row(("printed", "digits"), [("0.63", 2), ("0.630", 3), ("1,062", 4), ("97.8%", 3), ("0.00", 1), ("1/3", 0)])
def test_digits_are_the_significant_ones(printed, digits):
    assert read_number(printed).digits == digits


REFUSED = [
    # text  message  why
    ("", r"expected a printed number such as .*, got ''", "nothing"),
    ("e5", r"got 'e5'", "an exponent without a number"),
    ("5.", r"got '5\.' \(a full stop at the end of a sentence\? leave it out\)", "a sentence ends here"),
    ("1_000", r"got '1_000'", "Python's grouping"),
    ("1,0", r"got '1,0' \(a decimal comma\? say decimal=\",\"\)", "no group of three"),
    ("0,978", r"got '0,978' \(a decimal comma\?", "no group starts with 0"),
    ("1,062,5", r"got '1,062,5'", "the last group is short"),
    ("+0.5", r"got '\+0\.5'", "a plus is not printed"),
    ("inf", r"got 'inf' \(say with reason= why there is no number\)", "no number"),
    ("1e5%", r"got '1e5%'", "exponent and percentage"),
    ("1e1234", r"got '1e1234'", "an exponent of four digits"),
    ("1.5/2", r"got '1\.5/2'", "a fraction of decimals is a working"),
    ("1/-3", r"got '1/-3'", "the minus stands in front"),
    ("1/0", r"expected a fraction, got '1/0', which divides by 0", "no value"),
    ("\u0660.\u0666\u0663", r"got '\u0660\.\u0666\u0663'", "Arabic-Indic digits"),
    ("½", r"got '½'", "a vulgar fraction"),
    ("1" * 201, r"got '1{80}'… \(201 characters\)", "longer than any print, and shown short"),
]


@every_row(("text", "message", "why"), REFUSED)
def test_whatever_is_not_plainly_a_number_is_refused(text, message, why):
    with pytest.raises(ValueError, match=message):
        read_number(text)


def test_a_number_that_is_no_text_or_has_an_unknown_decimal_sign_is_refused():
    for found in (0.63, 1, None, b"0.63"):
        message = f"expected the number as printed, as text, got {found!r} (put it in quotes"
        with pytest.raises(TypeError, match=re.escape(message)):
            read_number(found)
    with pytest.raises(ValueError, match=r"decimal: expected '\.' or ',', got ';'"):
        read_number("0.63", decimal=";")


COVERS = [
    # printed  computed  covered  why
    ("0.63", 0.6309297535714575, True, "1 / log2(3)"),
    ("0.63", 0.638, False, "within one unit, not within half"),
    ("0.630", 0.6309297535714575, False, "the zero claims a digit"),
    ("0.12", 0.125, True, "half-even"),
    ("0.13", 0.125, True, "half-up"),
    ("8", 8.4, True, "a whole number claims the unit only"),
    ("8", 8.5, True, "closed above"),
    ("9", 8.5, True, "closed below"),
    ("8", 8.6, False, "more than half a unit"),
    ("0.3", 0.1 + 0.2, True, "0.30000000000000004"),
    ("1.50e2", 150.4, True, "the unit is 1"),
    ("1/3", 1 / 3, True, "the value itself"),
    ("1/3", 0.3333, False, "a fraction has no half unit"),
    ("-0.00", 0.0, True, "a printed minus zero"),
    ("5e-324", 5e-324, True, "the smallest double"),
    ("1e999", 1.0, False, "a print no float holds"),
    ("1e-999", 1.0, False, "a print that is 0 as a float"),
]


@every_row(("printed", "computed", "covered", "why"), COVERS)
def test_a_print_covers_what_could_have_been_rounded_to_it(printed, computed, covered, why):
    assert read_number(printed).covers(computed) is covered


def test_four_units_in_the_last_place_are_allowed_for_and_five_are_not():
    just_above = 0.5 + 4 * ulp(0.5)
    assert [read_number("1/2").covers(value) for value in (just_above, just_above + ulp(0.5))] == [True, False]
    just_below = 0.5 - 4 * ulp(0.25)  # where floats are twice as close
    assert [read_number("1/2").covers(value) for value in (just_below, just_below - ulp(0.25))] == [True, False]


def test_bounds_are_the_last_values_that_a_number_covers():
    number = read_number("0.6300000000000000")  # 16 decimals: half a unit is less than a unit of the double
    value, allowed = Fraction(63, 100), Fraction(1, 2 * 10**16) + 4 * Fraction(ulp(0.63))
    low, high = number.bounds
    assert value - Fraction(low) <= allowed < value - Fraction(low - ulp(0.63))
    assert Fraction(high) - value <= allowed < Fraction(high + ulp(0.63)) - value


AT = [
    # printed  steps  as printed  why
    ("0.63", 64, "0.64", "one unit more"),
    ("0.630", 7, "0.007", "zeros are filled in"),
    (".5", 7, ".7", "no zero before the point"),
    (".5", -7, "-.7", "below 0"),
    ("1,062", 2345678, "2,345,678", "groups"),
    ("1.50e2", 151, "1.51e2", "the exponent stays, with decimals"),
    ("-0.5", 0, "0.0", "zero has no minus"),
]


NEAREST = [
    # printed  computed  steps  why
    ("8.32", 8.3255, 833, "the right rounding"),
    ("0.12", 0.125, 12, "a half-even print is right as it is"),
    ("0.99", 0.125, 13, "a wrong print: half up"),
    ("-0.99", -0.125, -13, "a half goes away from zero"),
]


FORMS = [("at", *row) for row in AT] + [("nearest", *row) for row in NEAREST]


@every_row(("method", "printed", "given", "expected", "why"), FORMS)
def test_another_value_has_the_same_form_and_nearest_the_right_rounding_in_units(method, printed, given, expected, why):
    assert getattr(read_number(printed), method)(given) == expected


moderate = st.floats(-1e6, 1e6)
decimals = st.integers(0, 8)


@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(0, 16))
def test_a_value_is_covered_by_its_own_print_with_an_exponent(x, d):
    """|x − print of x| ≤ half a unit, of the largest and the smallest doubles too."""
    assert read_number(f"{x:.{d}e}").covers(x)


@given(moderate, decimals, st.sampled_from([-1, 1]), st.sampled_from(["f", "%"]))
def test_a_print_one_unit_further_does_not_cover(x, d, one, form):
    """Unless x lies in the middle of two prints, where both roundings are in use."""
    number = read_number(f"{x:.{d}{form}}")
    distance = abs(Fraction(x) - number.value)
    assume(abs(distance - number.unit / 2) > 8 * Fraction(ulp(x)))
    assert not read_number(number.at(number.units + one)).covers(x)


@st.composite
def texts(draw):
    """A print in one of the forms, with the sign before its decimals."""
    decimal = draw(st.sampled_from(".,"))
    whole = draw(st.integers(0, 10**9))
    part = draw(st.text("0123456789", max_size=8))
    grouped = draw(st.booleans()) and whole >= 1000
    before = f"{whole:,}".replace(",", "." if decimal == "," else ",") if grouped else str(whole)
    if part and whole == 0 and draw(st.booleans()):
        before = ""
    tail = draw(st.sampled_from(["", "%", "e3", "e-12", "E+2"]))
    minus = "-" if int(f"{whole}{part}") and draw(st.booleans()) else ""
    return f"{minus}{before}{decimal if part else ''}{part}{tail}", decimal


@given(texts())
def test_reading_and_printing_gives_the_text_back(text_and_sign):
    """read, then at(steps), is the text."""
    text, decimal = text_and_sign
    number = read_number(text, decimal=decimal)
    assert number.at(number.units) == text


@given(st.integers(-(10**9), 10**9), st.integers(1, 10**6))
def test_reading_and_printing_gives_the_fraction_back(above, below):
    """read, then at(steps), is the fraction, not reduced."""
    number = read_number(f"{above}/{below}")
    assert number.at(number.units) == f"{above}/{below}"


def read_or_refused(text):
    """The number, or what is said against the text."""
    try:
        return read_number(text)
    except ValueError as error:
        return str(error)


@given(st.text(max_size=20) | st.text("0123456789.,-−%eE/ ", max_size=12))
def test_any_text_is_read_or_refused(text):
    """Nothing but a ValueError, and never a number without an ASCII digit."""
    found = read_or_refused(text)
    if isinstance(found, Number):
        assert set(found.text) & set("0123456789")
    else:
        assert found.startswith("expected a ")


def test_numbers_are_read_and_judged_the_fast_way(monkeypatch):
    """A table of some hundred numbers makes one unit for all of the same digits, and is judged without fractions."""
    read = read_number("0.63")
    assert read.unit is read_number("8.12").unit
    monkeypatch.setattr(number_module, "Fraction", None)
    assert (read.covers(0.634), read.covers(0.636)) == (True, False)
