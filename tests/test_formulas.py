"""Formulas are MathML that needs no script, and the fonts have every character of formulas and text."""

import re
import unicodedata
from html import unescape
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont
from pages import chapter, clean, conf
from pages import text as markdown
from rows import every_row

from tools.book.figures_ext import FONT, mathml
from tools.book.frame_ext import FACES

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "_build" / "html"


def text(formula):
    """What stands in a formula, without its marks."""
    return unescape(re.sub("<[^>]*>", "", formula))


WRITTEN = [
    # TeX, what the MathML has, why
    (r"\frac{1}{2}", "<mfrac><mn>1</mn><mn>2</mn></mfrac>", "a fraction"),
    (r"0.631", "<mn>0.631</mn>", "a decimal is one number"),
    (r"\mathrm{DCG}_k", "<mi>DCG</mi>", "a name is one word, not three letters"),
    (r"\log_2 r", "&ApplyFunction;", "a function has a space behind it"),
]


@every_row(("tex", "expected", "why"), WRITTEN)
def test_a_formula_is_what_it_says(tex, expected, why):
    assert expected in mathml(tex, True), why


LINES = [
    # TeX, number of lines, text
    (r"a &= b \\ &= c", 2, "a=b=c"),
    (r"\begin{aligned} a &= b \\[1ex] &= c \end{aligned}", 2, "a=b=c"),
    (r"a = b", 0, "a=b"),
]


@every_row(("tex", "lines", "said"), LINES)
def test_lines_are_aligned_and_say_nothing_of_their_distance(tex, lines, said):
    formula = mathml(tex, True)
    assert (formula.count("<mtr>"), text(formula)) == (lines, said)


CONF = conf("myst_nb", "tools.book.figures_ext", html_math_renderer="mathml", myst_enable_extensions=["dollarmath"])


@pytest.mark.built
def test_a_formula_with_an_error_is_a_warning_at_its_place():
    page, warnings = chapter(markdown("# T\n\nSo $\\frok{1}$ it is."), conf=CONF)
    assert r"expected a formula, got '\\frok{1}'" in warnings
    assert r"<code>\frok{1}</code>" in page


@pytest.mark.built
def test_a_numbered_formula_has_its_number_and_a_link():
    page = clean(markdown("# T\n\n$$a = b$$ (eq-x)\n\nSee {eq}`eq-x`."), conf=CONF)
    assert '<span class="eqno">(1)<a class="headerlink" href="#equation-eq-x"' in page


CLOSED = [
    # a sentence, what stays on the line of the formula, what follows, why
    ("Let $a$, then.", ",", " then.", "a comma"),
    ("It is (so $a$).", ").", "", "two signs"),
    ("Let $a$ be.", None, " be.", "a word may stand on the next line"),
    ("Is $a$ *b*?", None, " <em>", "an element follows"),
]


@pytest.mark.built
@every_row(("sentence", "joined", "follows", "why"), CLOSED)
def test_a_formula_is_joined_with_the_sign_behind_it(sentence, joined, follows, why):
    page = clean(markdown(f"# T\n\n{sentence}"), conf=CONF)
    end = f"</math></span>{joined}</span>{follows}" if joined else f"</math></span>{follows}"
    assert end in page, why
    assert ('class="formula-end"' in page) == bool(joined), why


@pytest.mark.built
def test_the_font_has_every_character_of_the_formulas():
    pages = [path.read_text(encoding="utf-8") for path in (PAGES / "book").rglob("*.html")]
    formulas = [formula for page in pages for formula in re.findall("<math.*?</math>", page, re.DOTALL)]
    if not formulas:
        pytest.fail("expected formulas in _build/html, found none: run `make book` first")
    assert set().union(*map(text, formulas)) <= {chr(code) for code in TTFont(FONT).getBestCmap()}


SET_OTHERWISE = re.compile(r"<(math|pre|code|script|style|textarea)\b.*?</\1>", re.DOTALL)


@pytest.mark.built
@pytest.mark.parametrize("face", [face for face in FACES if "math" not in face])
def test_a_font_has_every_letter_digit_and_point_of_the_text(face):
    """Other signs, such as stars, come from the fonts of the reader; so does an alpha."""
    pages = [path.read_text(encoding="utf-8") for path in (PAGES / "book").rglob("*.html")]
    if not pages:
        pytest.fail("expected pages in _build/html, found none: run `make book` first")
    printed = set().union(*(text(SET_OTHERWISE.sub("", page)) for page in pages))
    assert len(printed) > 80
    missing = printed - {chr(code) for code in TTFont(FONT.with_name(face)).getBestCmap()}
    assert {each for each in missing if unicodedata.category(each)[0] in "LNP"} <= {"\N{GREEK SMALL LETTER ALPHA}"}
