"""A verdict that a chapter stores is on the page in every builder: mark, word, print, cause."""

import json

import pytest
from sphinx.testing.util import SphinxTestApp

from ndcg_ref.conventions.convention import EXPONENTIAL
from ndcg_ref.stated import Column, check_equation, check_table, holds, judge
from ndcg_ref.stated import checks as checks_module
from ndcg_ref.stated.display import MIME, broken, bundle

pytestmark = pytest.mark.built

CONF = 'extensions = ["myst_nb", "ndcg_ref.sphinx_ext"]\nnb_execution_mode = "off"\nproject = "x"\n'
PAGE = {"html": "index.html", "text": "index.txt", "latex": "*.tex"}


def outputs_of(monkeypatch, call):
    """The output that a cell with this call would store."""
    stored = []
    monkeypatch.setattr(
        checks_module, "show", lambda records, layout=None, evidence=False: stored.append(bundle(records, layout))
    )
    call()
    return stored


def write(path, text, outputs, **own):
    """A chapter with one cell, which has stored these outputs, and with metadata of its own for this package."""
    cell = {
        "cell_type": "code",
        "id": "cell-01",
        "metadata": {},
        "source": "1",
        "execution_count": 1,
        "outputs": [{"output_type": "display_data", "metadata": {}, "data": data} for data in outputs],
    }
    title = {"cell_type": "markdown", "id": "cell-00", "metadata": {}, "source": text}
    book = {
        "cells": [title, cell],
        "metadata": {
            "kernelspec": {"name": "python3", "display_name": "x", "language": "python"},
            **({"ndcg_ref": own} if own else {}),
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(book), encoding="utf-8")


def made(source, out, builder, conf, page):
    """A page of the built book, and what the build warned of."""
    (source / "conf.py").write_text(conf, encoding="utf-8")
    app = SphinxTestApp(buildername=builder, srcdir=source, builddir=out, freshenv=True)
    try:
        app.build()
        return next(app.outdir.glob(page)).read_text(encoding="utf-8"), app.warning.getvalue()
    finally:
        app.cleanup()


def build(folder, builder, outputs, text="# Title", conf=CONF, **own):
    write(folder / "source" / "index.ipynb", text, outputs, **own)
    return made(folder / "source", folder / "out", builder, conf, PAGE[builder])


BROKEN = [
    # line  as it is set
    ("a = 1+2+3+4+5+6", "a = 1+2+3+4+5+6"),  # short
    (r"\sum_{i=1}^{6} x = \frac{1}{2}+2+3+4+5", r"\sum_{i=1}^{6} x &= \frac{1}{2}+2+3+4 \\ &\quad +5"),
    (r"x = \frac{1}{2}+2+3+4+5 = 14.5", r"x &= \frac{1}{2}+2+3+4 \\ &\quad +5 \\ &= 14.5"),  # the result for itself
    (r"x = y = \frac{1}{2}+2+3+4+5 = 14.5", r"x &= y = \frac{1}{2}+2+3+4 \\ &\quad +5 \\ &= 14.5"),
    (r"\frac{1}{2}+2+3+4+5", r"\frac{1}{2}+2+3+4+5"),  # nothing to align at
    (r"\frac{1+1+1+1+1+1+1}{2} = 3.5", r"\frac{1+1+1+1+1+1+1}{2} = 3.5"),  # none at the top
]


@pytest.mark.parametrize(("line", "expected"), BROKEN)
def test_a_long_line_is_broken_between_its_terms_alone(line, expected):
    assert broken(line) == expected


SLIP = bundle([judge("8.32", 8.32553, "DCG 2").record()])
AGREES = bundle([judge("8.33", 8.32553, "DCG 2").record()])
AGREES_TOO = bundle([judge("8.33", 8.32553, "DCG 3").record()])

PAGES = [
    # builder  output  what has to be on the page
    ("html", SLIP, 'class="ndcg-verdict ndcg-slip docutils container"'),
    ("html", SLIP, 'id="verdict-dcg-2"'),
    ("html", SLIP, "✗ slip</strong> DCG 2"),
    ("html", SLIP, '<span class="ndcg-right">8.33</span>'),
    ("html", SLIP, '<span class="ndcg-cause">truncated</span> 8.32553, cut to 8.32'),
    ("html", SLIP, '<details class="ndcg-evidence"><summary>Evidence</summary>'),
    ("html", SLIP, '8.3<strong class="ndcg-digit">2</strong>'),  # the digit that differs is set off
    ("html", SLIP, "consistent with truncated"),  # the cause, readable without hovering
    ("html", AGREES, "✓ agrees"),
    ("html", AGREES, "ndcg-ref.css"),
    ("text", SLIP, "✗ slip** DCG 2\n\nprinted 8.3**2** correct 8.33\n"),  # and the cause below it
    ("text", SLIP, "\nconsistent with truncated"),  # open, where nothing can be folded
    ("latex", SLIP, "\nconsistent with truncated"),
    ("html", bundle([judge("0.5", None, "x", reason="no run").record()]), "○ unchecked"),
    ("html", bundle([judge("0.5", float("nan"), "x").record()]), "∅ undefined"),
    ("html", bundle([judge("0.5", 0.7, "<b>x</b>").record()]), "&lt;b&gt;x&lt;/b&gt;"),
]


@pytest.mark.parametrize(("builder", "output", "expected"), PAGES)
def test_a_verdict_is_on_the_page(tmp_path, builder, output, expected):
    page, warnings = build(tmp_path, builder, [output])
    assert expected in page
    assert warnings == ""


def test_a_table_has_an_id_for_each_of_its_verdicts(tmp_path, monkeypatch):
    printed = "n | log | CG\n1 | 1 | 2\n2 | 1.59 | 5"
    columns = {"n": None, "log": Column([1, 1.584962500721156], slips={2: "rounded-twice"}), "CG": [2, 5]}
    stored = outputs_of(monkeypatch, lambda: check_table(printed, columns, "T"))
    page, warnings = build(tmp_path, "html", stored)
    assert [page.count(f'id="verdict-t-row-{row}-{name}"') for row in (1, 2) for name in ("log", "cg")] == [1] * 4
    assert page.count('class="ndcg-verdict') == 4
    assert "rounded to 1.585, then to 1.59" in page
    assert warnings == ""


def test_a_printed_line_is_set_as_a_formula_and_a_wrong_term_too(tmp_path, monkeypatch):
    line = r"DCG = \frac{2^2-1}{\log_2 2} + \frac{2^1}{\log_2 3} = 4.26"
    stored = outputs_of(
        monkeypatch,
        lambda: check_equation(line, "DCG", terms=([2, 1], EXPONENTIAL), slip="inherited", term_slips={2: "term"}),
    )
    page, warnings = build(tmp_path, "html", stored)
    assert r"DCG = \frac{2^2-1}{\log_2 2}" in page
    assert "✗ slip</strong> DCG, term 2" in page
    assert (
        r'<span class="ndcg-struck"><span class="math notranslate nohighlight">\(\frac{2^1}{\log_2 3}\)</span></span>'
        in page
    )
    assert warnings == ""


def test_a_statement_is_on_the_page(tmp_path, monkeypatch):
    stored = outputs_of(
        monkeypatch,
        lambda: holds("All is well", False, "DCG of 1, 2", slip="a condition is missing", correct="It may be"),
    )
    page, _ = build(tmp_path, "html", stored)
    assert '<span class="ndcg-struck">All is well</span>' in page
    assert '<span class="ndcg-right">It may be</span>' in page
    assert '<span class="ndcg-cause">a condition is missing</span>' in page
    assert "<p>not so: DCG of 1, 2 (a condition is missing)</p>" in page


UNREADABLE = [
    {"verdicts": [{"name": "x"}]},  # a record without its keys
    {"no": "verdicts"},
    [],
]


@pytest.mark.parametrize("content", UNREADABLE)
def test_a_record_that_cannot_be_read_is_a_warning_and_not_a_traceback(tmp_path, content):
    page, warnings = build(tmp_path, "html", [{MIME: content, "text/plain": "x"}])
    assert "expected a stored verdict or drawing, found one that cannot be read" in warnings
    assert "index.ipynb" in warnings
    assert "Title" in page
