"""A printed chain is read as notes print it: each side has the value that the reader would work out, or is refused."""

import math
from contextlib import suppress

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from rows import every_row
from steps import steps

from ndcg_ref.stated import read_equation
from ndcg_ref.stated.tokens import Stop, tokenize

L3 = math.log2(3)
L5 = math.log2(5)
L6 = math.log2(6)
LN3 = math.log(3)
NONE = None  # a side with a name in it

VALUES = [
    # equation  value of each side  why
    (r"\frac{2^3-1}{\log_{2}3} = 4.42", [7 / L3, 4.42], "exponential gain"),
    (r"DCG_1 = 2 + \frac{3}{\log_{2}2} = 5", [NONE, 5, 5], "a chain of three"),
    (r"NDCG@5 = \frac{7.42}{7.58} = 0.979", [NONE, 7.42 / 7.58, 0.979], "a name with a cutoff"),
    (r"\tfrac{1}{2} \simeq 0.5", [0.5, 0.5], "a small fraction, nearly"),
    ("0.5 ≈ 0.50", [0.5, 0.5], "the sign itself"),
    ("3/log2(2) + 1 = 4", [4, 4], "plain"),
    ("3/log₂(4) = 1.5", [1.5, 1.5], "plain, with a low digit"),
    ("log₁₀ 1000", [3], "two low digits"),
    ("log_10 1000", [3], "plain, base 10, with an underscore"),
    (r"\log_{2}{8}", [3], "an argument in braces"),
    (r"\log_2 2 \cdot 3", [3], "the argument ends at the dot"),
    (r"\log_2 \frac{1}{2}", [-1], "a fraction is one"),
    (r"\log_2 (2+1)", [L3], "brackets around an argument"),
    (r"\ln 3 = 1.0986", [LN3, 1.0986], "natural"),
    ("ln(3)", [LN3], "natural, plain"),
    ("lb(8) + ld 4", [3.0 + 2.0], "binary, as engineers and German notes write it"),
    (r"\sqrt{16} + \sqrt{9}", [7], "roots"),
    (r"2^{3^2} - 1", [511], "the upper power first"),
    ("2^-1", [0.5], "a negative exponent"),
    ("-2^2", [-4], "a minus in front is taken last"),
    ("(-2)^2", [4], "unless in brackets"),
    ("4^0.5", [2], "a decimal exponent"),
    (r"2 \cdot 3 \times 4 * 5 × 6 · 7 ⋅ 8", [40320], "all the signs for times"),
    (r"12 \div 3 ÷ 2", [2], "all the signs for over"),
    ("5 − 3 - 1", [1], "both minuses"),
    ("(1+2)(3+4)", [21], "brackets side by side"),
    ("[1 + (2 + 3)] {4}", [24], "three kinds of brackets"),
    (r"2 \log_2 8", [6], "a logarithm times 2"),
    ("97.8% = 0.978", [0.978, 0.978], "a percentage"),
    ("1,062 + 1 = 1{,}063", [1063, 1063], "groups of thousands"),
    (".5 + 1e-3", [0.501], "no zero before the point; an exponent"),
    ("+3 = 3", [3, 3], "a plus in front"),
    (r"\frac{ 1 }{\ 2\, } \quad = ~ 0.5", [0.5, 0.5], "spaces of all kinds"),
    (r"\displaystyle \frac{1}{2}", [0.5], "set large"),
    (r"$\frac{1}{2} = 0.5$", [0.5, 0.5], "between dollars"),
    (r"\text{DCG} = \mathrm{gain} + 1 = 2", [NONE, NONE, 2], "names in letters of another kind"),
    (r"\sum_{i=1}^{5} \frac{rel_i}{\log_2 (i+1)} = 3", [NONE, 3], "a formula in names"),
    ("1 + … + 3 = 6", [NONE, 6], "what is left out has no value"),
    (r"\frac{a}{0} = 1", [NONE, 1], "a name above 0 is still a name"),
    ("0.1 + 0.2 + 0.3", [0.6], "a sum is rounded once"),
    (
        r"2 + \frac{3}{1} + \frac{2}{\log_{2}3} + \frac{0}{\log_{2}4} + \frac{1}{\log_{2}5} = 6.69",
        [5 + 2 / L3 + 1 / L5, 6.69],
        "the original discount",
    ),
    (r"\frac{1}{\log_{2}(1+1)} + \frac{1}{\log_2 (5 + 1)}", [1 + 1 / L6], "rank plus 1 written out"),
]


@every_row(("text", "values", "why"), VALUES)
def test_each_side_has_its_value(text, values, why):
    expected = [None if value is NONE else pytest.approx(value, rel=1e-14) for value in values]
    assert [side.value for side in read_equation(text).sides] == expected


LINES = [
    # text  values of each chain  why
    ("1 + 1 = 2\n3 = 3", [[2, 2], [3, 3]], "a line each"),
    (r"1 + 1 = 2 \\ 3 = 3", [[2, 2], [3, 3]], "a LaTeX line each"),
    ("1 + 1\n= 2", [[2, 2]], "a line that goes on with ="),
    ("1\n+ 1 = 2", [[2, 2]], "a line that goes on with +"),
    ("1 + 1 =\n2", [[2, 2]], "a line that ends in ="),
    ("(1 +\n1\n) = 2", [[2, 2]], "an open bracket"),
    (r"\begin{aligned} a &= 1 + 1 \\ &= 2 \end{aligned}", [[NONE, 2, 2]], "aligned"),
    ("$a = 1$\n$b = 2$", [[NONE, 1], [NONE, 2]], "dollars around each"),
]


@pytest.mark.parametrize(("text", "values", "why"), LINES)
def test_several_lines_are_several_equations_unless_a_line_goes_on(text, values, why):
    assert [[side.value for side in chain] for chain in read_equation(text).chains] == values


SIDES = [
    # text  texts of the sides  why
    (r" a = \frac{1}{2} + 1 = 1.5 ", ["a", r"\frac{1}{2} + 1", "1.5"], "blanks around are not part of it"),
    ("1 + 1\n= 2\n= 2.0", ["1 + 1", "2", "2.0"], "nor is the line break before ="),
    (r"1 + 1 \\ = 2 \\ = 2.0", ["1 + 1", "2", "2.0"], "nor is that of LaTeX"),
]


@pytest.mark.parametrize(("text", "texts", "why"), SIDES)
def test_a_side_keeps_its_text_and_knows_where_it_starts(text, texts, why):
    sides = read_equation(text).sides
    assert [side.text for side in sides] == texts
    assert [text[side.start :].startswith(side.text) for side in sides] == [True] * len(texts)


NUMBERS = [
    # text  printed numbers  why
    ("a = 1 + 1 = 2.0", [None, None, "2.0"], "only a number alone is a claim"),
    ("0.630 = 0.63", ["0.630", "0.63"], "as printed"),
    ("a = -0.5", [None, "-0.5"], "below 0"),
    (r"a = 97.8\%", [None, "97.8%"], "a percentage"),
    ("a = (2)", [None, None], "in brackets it is a working"),
    ("a = 1/3", [None, None], "a fraction in an equation is a working"),
    ("a = 1.5\n= 2", [None, "1.5", "2"], "a number before a line that goes on"),
]


@pytest.mark.parametrize(("text", "printed", "why"), NUMBERS)
def test_a_side_that_is_a_number_alone_is_a_claim(text, printed, why):
    assert [side.number and side.number.text for side in read_equation(text).sides] == printed


REFUSED = [
    # text  message  why
    ("", r"character 1: expected an equation, got 'the end'", "nothing"),
    ("2 + = 5", r"character 5: expected a number, a name or an opening bracket, got '='", "a term is missing"),
    ("= 2", r"character 1: expected a number, .* got '='", "the first side is missing"),
    ("1 - - 1", r"character 5: expected a number, .* got '-'", "two signs"),
    ("2 * -3", r"character 5: expected a number, .* got '-'", "a sign behind a times"),
    ("()", r"character 2: expected a number, .* got '\)'", "empty brackets"),
    (r"\frac{}{2}", r"character 7: expected a number, .* got '}'", "an empty fraction"),
    ("1 1", r"character 3: expected an operator \(a mixed number, or a product\? write the operator\), got '1'", "two"),
    (r"1\frac{1}{2}", r"character 2: expected an operator \(a mixed number", "one and a half, or a half?"),
    ("1.2.3", r"character 4: expected an operator .* got '\.3'", "two points"),
    ("1_000", r"character 2: expected an operator, = or the end, got '_'", "Python's grouping"),
    ("1 + 1)", r"character 6: expected an operator, = or the end, got '\)'", "a bracket too many"),
    ("(1 + 1", r"character 7: expected '\)', got 'the end'", "a bracket too few"),
    ("[1 + 1)", r"character 7: expected '\]', got '\)'", "the wrong bracket"),
    (r"\frac12", r"character 6: expected '{', got '12'", "a fraction without braces"),
    (r"\sqrt[3]{27}", r"character 6: expected what to take the square root of .*, got '\['", "a cube root"),
    (r"\log 3", r"character 1: expected the base of the logarithm, got '\\\\log'", "no base"),
    ("log(3)", r"character 1: expected the base of the logarithm, got 'log'", "no base, plain"),
    (r"\log_ (8)", r"character 7: expected '{', got '\('", "no base below"),
    (r"\log_0.5 8", r"character 6: expected the base of the logarithm, got '0\.5'", "a decimal without braces"),
    (r"\log_10 100", r"character 6: expected a base of one digit, or in braces .* got '10'", "LaTeX lowers the 1"),
    (r"\log_{b} 8", r"expected a base without names", "a name below"),
    (r"\log_{1} 8", r"character 1: expected a base above 0 other than 1, got '1'", "no such logarithm"),
    (r"\log_2 0", r"character 8: expected the logarithm of a number above 0, got '0'", "rank 0"),
    ("1/0", r"character 2: expected a divisor other than 0, got '0'", "no value"),
    (r"\frac{1}{\log_{2}1}", r"expected a divisor other than 0, got '0'", "log 1 is 0"),
    ("0^{-1}", r"character 2: expected a real number, got '\^'", "no value"),
    ("(-8)^{0.5}", r"character 5: expected a real number, got '\^'", "not real"),
    ("2^1024", r"character 2: expected a number within the range of a float, got '\^'", "too large"),
    ("1e308 * 10", r"character 7: expected a number within the range of a float, got '\*'", "too large a product"),
    ("1e400", r"character 1: expected a number within the range of a float, got '1e400'", "too large a number"),
    ("9" * 400, r"character 1: expected a number within the range of a float", "too long a number"),
    ("a = " + "9" * 250, r"character 5: expected a printed number .* \(250 characters\)", "no print is as long"),
    ("(" * 50 + "1" + ")" * 50, r"character 42: expected at most 40 levels of brackets, got '\('", "too deep"),
    ("1 " + "+ 1 " * 30000, r"expected an equation of at most 100000 characters, got 120002", "too long"),
    ("5 = 5.", r"character 6: expected part of an equation, got '\.'", "the end of a sentence"),
    ("0,5", r"character 2: expected part of an equation, got ',5'", "a decimal comma"),
    (r"\alpha = 1", r"character 1: expected part of an equation, got '\\\\alpha", "an unknown command"),
    ("__import__('os')", r"character 12: expected part of an equation", "code"),
    ("\u0663 + 1", r"character 1: expected part of an equation, got '\u0663 \+ 1'", "an Arabic-Indic digit"),
    ("x_{1", r"character 3: expected a closing '}', got 'the end'", "an open subscript"),
    ("x_ = 1", r"character 4: expected what stands below or above the name, got '='", "nothing below"),
    ("1" + " + 1" * 30 + " ? 1", r"character 123: expected part of an equation, got '\? 1", "far into the line"),
    # Neither is a letter: read as a name, it would silently take the value away
    ("3² = 9", r"character 2: expected", "a raised digit"),
    ("½ + 1 = 1.5", r"character 1: expected", "a vulgar fraction"),
    (r"2^{3} \cdot 2^10", r"character 15: expected an exponent of one digit, or in braces", "LaTeX raises the 1 alone"),
    (r"\log2(8)", r"expected the base of the logarithm|expected one argument", "the base, or the argument?"),
    # Readers differ on these, so none is guessed
    (r"\log_2 (3)^2", r"character 11: expected no power behind the bracket", "of the logarithm, or of the 3?"),
    ("1/2(3)", r"character 4: expected an operator \(is this a part of the divisor\?", "1.5, or a sixth?"),
]


@every_row(("text", "message", "why"), REFUSED)
def test_what_cannot_be_read_is_refused_with_its_place(text, message, why):
    with pytest.raises(ValueError, match=message):
        [(side.value, side.number) for side in read_equation(text).sides]
    with pytest.raises(TypeError, match="expected an equation as text, got"):
        read_equation([text])


BASES = [
    # text  base  value  why
    (r"\log 8", 2, 3, "said beside the text"),
    ("log 1000", 10, 3, "another base"),
    (r"\log_{2} 8", 10, 3, "a printed base comes first"),
    ("log2(8)", 10, 3, "a printed plain base too"),
    (r"\ln 1", 2, 0, "ln has its own"),
]


@pytest.mark.parametrize(("text", "base", "value", "why"), BASES)
def test_a_logarithm_without_a_base_takes_the_one_that_is_said(text, base, value, why):
    assert read_equation(text, log_base=base).sides[0].value == pytest.approx(value)


HOSTILE = [
    # what  text
    ("a tower of powers", "2^{2^{40}}"),
    ("ten thousand braces", "{" * 10_000 + "1" + "}" * 10_000),
    ("fractions in fractions", r"\frac{" * 10_000),
    ("logarithms of logarithms", r"\log_2" * 10_000 + "4"),
    ("a long sum", "1+" * 49_999 + "1"),
    ("a long chain", "1=" * 15_000 + "1"),
    ("a long number", "9" * 100_000),
    ("a long number in groups", "1" + ",000" * 24_999),
    ("blank lines", "1" + "\n" * 99_000 + "+ 1"),
    ("lines that go on", "1=\n" * 10_000 + "1"),
    ("a text that never closes", r"\text{" * 15_000),
    ("more than is read", "1+" * 1_000_000),
    ("code", "__import__('os').system('touch /')"),
    ("nul", "1 + \0"),
]


@pytest.mark.long
@every_row(("what", "text"), HOSTILE)
def test_hostile_text_is_read_or_refused_after_few_steps(what, text):
    def values():
        return [(side.value, side.number) for side in read_equation(text).sides]

    assert steps(values) < 100 + 100 * len(text)


def test_text_is_never_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for text in ("open('x','w')", "open(x)", "(lambda: 1)()", "__import__", "exec(1)", "{1: print(2)}"):
        with suppress(ValueError):
            assert read_equation(text).sides[0].value is None
    assert not list(tmp_path.iterdir())


LATEX = [
    r"\frac{2^3-1}{\log_{2}3}",
    r"\frac{3}{\log_{2}(2+1)}",
    r"2 + \frac{3}{\log_{2}{3}} + \frac{1}{2}",
    r"\frac{2^{2} - 1}{\log_{2}(1 + 1)} + \frac{2^{3} - 1}{\log_{2}(2 + 1)}",
    r"\sqrt{\frac{2}{3}}",
    r"2^{3^2}",
    r"\ln{10}",
    r"\log_2 3^2",
    r"\frac{1}{\log_{2}\frac{9}{2}}",
    r"\dfrac{\frac{1}{2}}{\frac{3}{4}}",
    r"\frac{1}{2}^2",
]


@pytest.mark.long
@every_row("text", LATEX)
def test_a_parser_of_latex_reads_the_same_value(text):
    from latex2sympy2_extended.latex2sympy2 import latex2sympy  # which takes a second to load

    assert read_equation(text).sides[0].value == pytest.approx(float(latex2sympy(text).evalf()), rel=1e-12)


def leaf():
    whole = st.integers(1, 20).map(str)
    decimal = st.integers(1, 999).map(lambda n: f"{n / 100:.2f}")
    return st.tuples(st.just("number"), whole | decimal)


def node(children):
    pairs = st.tuples(st.sampled_from("+-*/"), children, children)
    powers = st.tuples(st.just("^"), children, st.integers(1, 3).map(lambda n: ("number", str(n))))
    logs = st.tuples(st.just("log"), st.sampled_from([2, 3, 10]), children)
    return pairs | powers | logs | st.tuples(st.just("sqrt"), children)


trees = st.recursive(leaf(), node, max_leaves=12)


def worked(tree):
    """The value of a tree; None where it has none, or where it hangs on the last digits of its parts."""
    kind, *parts = tree
    if kind == "number":
        return float(parts[0])
    if kind == "log":
        inner = worked(parts[1])
        return math.log(inner) / math.log(parts[0]) if inner and inner > 0 and abs(inner - 1) > 1e-3 else None
    values = [worked(part) for part in parts]
    if None in values:
        return None
    if kind == "sqrt":
        return math.sqrt(values[0]) if values[0] > 0 else None
    left, right = values
    if kind == "^":
        value = left**right
    elif kind == "*":
        value = left * right
    elif kind == "/":
        value = left / right
    else:
        value = left + right if kind == "+" else left - right
        if abs(value) < 1e-3 * (abs(left) + abs(right)):
            return None
    return value if 1e-9 < abs(value) < 1e9 else None


BINDS = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 3, "log": 3, "sqrt": 4, "number": 4}


def latex(tree, at_least=1):
    """The tree in LaTeX, with no more brackets than it needs."""
    kind, *parts = tree
    binds = 4 if kind == "/" else BINDS[kind]
    if kind == "number":
        text = parts[0]
    elif kind == "/":
        text = rf"\frac{{{latex(parts[0])}}}{{{latex(parts[1])}}}"
    elif kind == "^":
        text = f"{latex(parts[0], 4)}^{{{latex(parts[1])}}}"
    elif kind == "log":
        text = rf"\log_{{{parts[0]}}} {latex(parts[1], 3)}"
    elif kind == "sqrt":
        text = rf"\sqrt{{{latex(parts[0])}}}"
    elif kind == "*":
        text = rf"{latex(parts[0], 2)} \cdot {latex(parts[1], 3)}"
    else:
        text = f"{latex(parts[0], 1)} {kind} {latex(parts[1], 2)}"
    return text if binds >= at_least else rf"\left({text}\right)"


def plain(tree, at_least=1):
    """The tree in plain text, with no more brackets than it needs."""
    kind, *parts = tree
    if kind == "number":
        text = parts[0]
    elif kind == "log":
        text = f"log{parts[0]}({plain(parts[1])})"
    elif kind == "sqrt":
        text = f"sqrt({plain(parts[0])})"
    elif kind == "^":
        text = f"{plain(parts[0], 4)}^{plain(parts[1], 3)}"
    else:
        text = f"{plain(parts[0], BINDS[kind])} {kind} {plain(parts[1], BINDS[kind] + 1)}"
    return text if BINDS[kind] >= at_least else f"({text})"


@pytest.mark.parametrize("form", [latex, plain])
@given(tree=trees)
def test_any_expression_is_read_as_it_was_meant(form, tree):
    """Print a tree, read it: the value is that of the tree."""
    value = worked(tree)
    assume(value is not None)
    assert read_equation(form(tree)).sides[0].value == pytest.approx(value, rel=1e-6)


def refusal(text):
    """What is said against the text; nothing where it is read."""
    try:
        read_equation(text)
    except ValueError as error:
        return str(error)
    return ""


@given(st.text(r"0123456789.,+-*/^_=(){}[]\ abcfglnoqrst%" + "\n$≈₂²½", max_size=30))
def test_any_text_is_read_or_refused_with_a_place(text):
    """Nothing but a ValueError that names a character."""
    assert refusal(text).startswith("character ") or refusal(text) == ""


OPERANDS = [
    # equation  numbers of its first side  why
    (r"\frac{7.42}{7.58} = 0.979", ["7.42", "7.58"], "numbers with decimals"),
    (r"2 + \frac{3}{1.58} + 0.50 = 4.40", ["1.58", "0.50"], "whole numbers are exact"),
    (r"50\% + 0.5", ["50%", "0.5"], "a percentage was rounded"),
    ("1 + 2", [], "none"),
    (r"\log_2 1.5 \cdot 2^{0.5}", ["1.5", "0.5"], "wherever they stand"),
]


@pytest.mark.parametrize(("text", "printed", "why"), OPERANDS)
def test_operands_are_the_numbers_with_decimals(text, printed, why):
    assert [number.text for number in read_equation(text).sides[0].operands] == printed


REPLACED = [
    # equation  other numbers  value  why
    (r"\frac{7.42}{7.58}", (3.0, 4.0), 3 / 4, "both"),
    ("3/1.5", (1.0,), 3.0, "the whole number stays"),
    (r"2 + \frac{3}{1.58} + 0.50", (3.0, 0.25), 3.25, "in the order of the print"),
    ("0.5 - 0.5", (2.0, 0.5), 1.5, "two of the same print"),
    ("50% + 1", (0.25,), 1.25, "a percentage, as its value"),
    (r"\log_{2} 2.0", (8.0,), 3.0, "in a logarithm"),
]


@pytest.mark.parametrize(("text", "values", "value", "why"), REPLACED)
def test_a_side_is_worked_again_with_other_operands(text, values, value, why):
    assert read_equation(text).sides[0].with_operands(*values) == pytest.approx(value)


NOT_REPLACED = [
    # equation  other numbers  message
    ("1.5 + 2.5", (1.0,), r"zip\(\)|expected"),  # too few
    ("x + 1.5", (1.0,), r"expected a side without names, got 'x \+ 1\.5'"),
    ("1/1.5", (0.0,), r"expected a divisor other than 0, got '0'"),
]


@every_row(("text", "values", "message"), NOT_REPLACED)
def test_a_side_cannot_be_worked_again(text, values, message):
    with pytest.raises(ValueError, match=message):
        read_equation(text).sides[0].with_operands(*values)


TERMS = [
    # side  terms as (text, value, print)  why
    (r"\frac{3}{\log_2 2} + 0.63", [(r"\frac{3}{\log_2 2}", 3, None), ("0.63", 0.63, "0.63")], "what to work out"),
    ("5 - 3", [("5", 5, "5"), ("- 3", -3, "-3")], "the sign belongs to the term"),
    ("+1 + 2", [("1", 1, "1"), ("2", 2, "2")], "a plus does not"),
    (r"2 \cdot 3 + 1", [(r"2 \cdot 3", 6, None), ("1", 1, "1")], "a product is one term"),
    (r"\frac{1 + 2}{3}", [(r"\frac{1 + 2}{3}", 1, None)], "a fraction is one term"),
    ("x + 1", [], "a name: none"),
]


@pytest.mark.parametrize(("text", "terms", "why"), TERMS)
def test_terms_are_those_of_the_sum(text, terms, why):
    found = read_equation(text).sides[0].terms
    assert [(term.text, term.value, term.number and term.number.text) for term in found] == terms


def test_a_line_is_split_into_tokens_once(monkeypatch):
    """However often its sides, terms and operands are asked for, and worked again with others."""
    calls = []
    monkeypatch.setattr("ndcg_ref.stated.equation.tokenize", lambda line: calls.append(line) or tokenize(line))
    side = read_equation("1.5/2.0 + 0.5 + 3 = 4.25").sides[0]
    assert [term.with_operands(*(2.0 for _ in term.operands)) for term in side.terms] == [1.0, 2.0, 3.0]
    assert side.with_operands(3.0, 2.0, 1.0) == 5.5
    assert side.text_with("3", "2", "1") == "3/2 + 1 + 3"
    assert len(calls) == 1


def test_reading_evaluates_nothing():
    """A side without a value is read, and stops where its value is asked for."""
    [side, _] = read_equation("1/0 = 2").sides
    with pytest.raises(Stop, match=r"character 2: expected a divisor other than 0, got '0' in '1/0 = 2'") as stop:
        _ = side.value
    assert (stop.value.offset, stop.value.expected, stop.value.got) == (1, "expected a divisor other than 0", "0")
