"""A verdict that a chapter stores is on the page in every builder: mark, word, print, cause."""

import pytest
from pages import cell, chapter, clean, stored, text
from rows import every_row

from ndcg_ref.conventions.convention import EXPONENTIAL
from ndcg_ref.sphinx_ext.verdict_nodes import broken
from ndcg_ref.stated import Column, check_equation, check_table, holds, judge
from ndcg_ref.stated.display import MIME, bundle

pytestmark = pytest.mark.built

TITLE = text("# Title")


BROKEN = [
    # line  as it is set
    ("a = 1+2+3+4+5+6", "a = 1+2+3+4+5+6"),  # short
    (r"\sum_{i=1}^{6} x = \frac{1}{2}+2+3+4+5", r"\sum_{i=1}^{6} x &= \frac{1}{2}+2+3 \\ &\quad +4+5"),
    (r"x = \frac{1}{2}+2+3+4+5 = 14.5", r"x &= \frac{1}{2}+2+3 \\ &\quad +4+5 \\ &= 14.5"),  # the result for itself
    (r"\frac{1}{2}+2+3+4+5", r"\frac{1}{2}+2+3+4+5"),  # nothing to align at
]


@every_row(("line", "expected"), BROKEN)
def test_a_long_line_is_broken_between_its_terms_alone(line, expected):
    assert broken(line) == expected


SLIP = bundle([judge("8.32", 8.32553, "DCG 2").record()])
AGREES = bundle([judge("8.33", 8.32553, "DCG 2").record()])

PAGES = [
    # builder  output  what has to be on the page
    ("html", SLIP, 'class="ndcg-verdict ndcg-slip docutils container"'),
    ("html", SLIP, 'id="verdict-dcg-2"'),
    ("html", SLIP, "✗ slip</strong> DCG 2"),
    ("html", SLIP, '<p class="ndcg-causes"><span class="ndcg-cause">truncated</span>'),
    ("html", SLIP, "<p>consistent with truncated: 8.32553, cut to 8.32</p>"),  # in the evidence, and there alone
    ("html", SLIP, '<details class="ndcg-evidence"><summary>Evidence</summary>'),
    ("html", SLIP, '8.3<strong class="ndcg-digit">2</strong>'),  # the digit that differs is set off
    ("html", AGREES, "ndcg-ref.css"),
    ("text", SLIP, "✗ slip** DCG 2\n\nprinted 8.3**2** correct 8.33\n"),  # and the cause below it
    ("text", SLIP, "\nconsistent with truncated"),  # open, where nothing can be folded
    ("html", bundle([judge("0.5", None, "x", reason="no run").record()]), "○ unchecked"),
    ("html", bundle([judge("0.5", float("nan"), "x").record()]), "∅ undefined"),
    ("html", bundle([judge("0.5", 0.7, "<b>x</b>").record()]), "&lt;b&gt;x&lt;/b&gt;"),
]


@every_row(("builder", "output", "expected"), PAGES)
def test_a_verdict_is_on_the_page(builder, output, expected):
    assert expected in clean(TITLE, cell(output), builder=builder)


def test_a_table_has_an_id_for_each_of_its_verdicts():
    printed = "n | log | CG\n1 | 1 | 2\n2 | 1.59 | 5"
    columns = {"n": None, "log": Column([1, 1.584962500721156], slips={2: "rounded-twice"}), "CG": [2, 5]}
    page = clean(TITLE, cell(stored(lambda: check_table(printed, columns, "T"))))
    assert [page.count(f'id="verdict-t-row-{row}-{name}"') for row in (1, 2) for name in ("log", "cg")] == [1] * 4
    assert page.count('class="ndcg-verdict') == 4
    assert "rounded to 1.585, then to 1.59" in page


def test_a_printed_line_is_set_as_a_formula_and_a_wrong_term_too():
    line = r"DCG = \frac{2^2-1}{\log_2 2} + \frac{2^1}{\log_2 3} = 4.26"
    terms = ([2, 1], EXPONENTIAL)
    page = clean(
        TITLE, cell(stored(lambda: check_equation(line, "DCG", terms=terms, slip="inherited", term_slips={2: "term"})))
    )
    assert r"DCG = \frac{2^2-1}{\log_2 2}" in page
    assert "✗ slip</strong> DCG, term 2" in page
    assert (
        r'<span class="ndcg-struck"><span class="math notranslate nohighlight">\(\frac{2^1}{\log_2 3}\)</span></span>'
        in page
    )


def test_a_statement_is_on_the_page():
    wrong = {"slip": "a condition is missing", "correct": "It may be"}
    page = clean(TITLE, cell(stored(lambda: holds("All is well", False, "DCG of 1, 2", **wrong))))
    assert '<span class="ndcg-word">claimed</span> <span class="ndcg-struck">All is well</span>' in page
    assert '<span class="ndcg-right">It may be</span>' in page
    assert '<span class="ndcg-cause">a condition is missing</span>' in page
    assert "<p>not so: DCG of 1, 2 (a condition is missing)</p>" in page


UNREADABLE = [
    {"verdicts": [{"name": "x"}]},  # a record without its keys
    [],
]


@every_row("content", UNREADABLE)
def test_a_record_that_cannot_be_read_is_a_warning_and_not_a_traceback(content):
    page, warnings = chapter(TITLE, cell({MIME: content, "text/plain": "x"}))
    assert "expected a stored verdict or drawing, found one that cannot be read" in warnings
    assert "index.ipynb" in warnings
    assert "Title" in page
