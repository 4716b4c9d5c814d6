"""A verdict that a chapter stores is on the page in every builder: mark, word, print, cause."""

import json
import re

import pytest
from sphinx import addnodes
from sphinx.testing.util import SphinxTestApp

from ndcg_ref.convention import EXPONENTIAL
from ndcg_ref.sphinx_ext import add_to_index, output_nodes
from ndcg_ref.stated import check_equation, check_table, holds, judge, ledger
from ndcg_ref.stated import checks as checks_module
from ndcg_ref.stated.forms import MIME, broken, bundle

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


def write(path, text, outputs):
    """A chapter with one cell, which has stored these outputs."""
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
        "metadata": {"kernelspec": {"name": "python3", "display_name": "x", "language": "python"}},
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


def build(folder, builder, outputs, text="# Title", source="source", conf=CONF):
    write(folder / source / "index.ipynb", text, outputs)
    return made(folder / source, folder / "out", builder, conf, PAGE[builder])


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
    ("html", SLIP, 'class="ndcg-verdict ndcg-slip"'),
    ("html", SLIP, 'id="verdict-dcg-2"'),
    ("html", SLIP, "✗ slip"),
    ("html", SLIP, '8.3<strong class="ndcg-digit">2</strong>'),  # the digit that differs is set off
    ("html", SLIP, "consistent with truncated"),  # the cause, readable without hovering
    ("html", AGREES, "✓ agrees"),
    ("html", AGREES, "ndcg-ref.css"),
    ("text", SLIP, "✗ slip** 8.3**2** for DCG 2: computed 8.32553, correct 8.33\n"),  # and the cause below it
    ("latex", SLIP, r"\newline \DUrole{ndcg-evidence}{consistent with truncated"),  # below it in print too
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
    columns = {"log": [1, 1.584962500721156], "CG": [2, 5]}
    stored = outputs_of(
        monkeypatch, lambda: check_table(printed, columns, "T", skip=["n"], slips={(2, "log"): "rounded-twice"})
    )
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
    assert r"\(\frac{2^1}{\log_2 3}\)</span> for DCG, term 2" in page
    assert warnings == ""


def test_a_statement_is_on_the_page(tmp_path, monkeypatch):
    stored = outputs_of(
        monkeypatch,
        lambda: holds("All is well", False, "DCG of 1, 2", slip="a condition is missing", correct="It may be"),
    )
    page, _ = build(tmp_path, "html", stored)
    assert "</strong> All is well\n" in page
    assert '<span class="ndcg-evidence">not so: DCG of 1, 2 (a condition is missing)</span>' in page
    assert '<span class="ndcg-evidence">correction: It may be</span>' in page


LINKED = [
    # link  warning; what is linked to
    ("# Title\n\nIt is [so](#all-is-well).", "", "a label of its own"),
    ("# Title\n\nIt is [so](#verdict-x).", "", "a name made into a label"),
    ("# Title\n\nIt is [so](#nothing).", "'myst' cross-reference target not found: 'nothing'", "nothing"),
]


@pytest.mark.parametrize(("text", "warning", "why"), LINKED)
def test_markdown_links_to_a_verdict_by_its_label(tmp_path, monkeypatch, text, warning, why):
    stored = outputs_of(monkeypatch, lambda: holds("All is well", True, label="all-is-well"))
    stored += outputs_of(monkeypatch, lambda: holds("x", True))
    page, warnings = build(tmp_path, "html", stored, text)
    assert warning in warnings
    if not warning:
        assert warnings == ""
        assert 'href="' + text.partition("(")[2].partition(")")[0] + '"' in page


def indexed(output, note):
    """The entries that an output of a note gives the book's index: group, number, what and where."""
    content = output[MIME]
    shown = output_nodes(content)
    add_to_index(shown, content["verdicts"], note)
    found = [entry for top in shown for node in top.findall(addnodes.index) for entry in node["entries"]]
    return [(group, *said.split("; ", 1), place) for kind, said, place, _, group in found if kind == "single"]


INDEXED = [
    # verdict; group, number and place
    (judge("8.32", 8.32553, "DCG 2"), ("1 to 10", "8.32", "DCG 2 (a-note): ✗ slip", "verdict-dcg-2")),
    (judge("0,63", 0.6309, "x", decimal=","), ("0 to 1", "0,63", "x (a-note): ✓ agrees", "verdict-x")),
    (judge("1.000,5", 1000.5, "x", decimal=","), ("1000 and more", "1.000,5", "x (a-note): ✓ agrees", "verdict-x")),
    (judge("97.8%", 0.978, "a; b"), ("0 to 1", "97.8%", "a; b (a-note): ✓ agrees", "verdict-a-b")),
    (judge("10", 10.0, "x"), ("10 to 100", "10", "x (a-note): ✓ agrees", "verdict-x")),
    (judge("-1", -1.0, "x"), ("(below 0)", "-1", "x (a-note): ✓ agrees", "verdict-x")),
    (judge("0.5", float("nan"), "x"), ("0 to 1", "0.5", "x (a-note): ∅ undefined", "verdict-x")),
    (judge("0.5", None, "x", reason="no run"), ("0 to 1", "0.5", "x (a-note): ○ unchecked", "verdict-x")),
]


@pytest.mark.parametrize(("verdict", "entry"), INDEXED)
def test_a_number_of_a_note_is_in_the_index(verdict, entry):
    assert indexed(bundle([verdict.record()]), "a-note") == [entry]


def test_so_is_every_judged_cell_of_a_table(monkeypatch):
    table = outputs_of(monkeypatch, lambda: check_table("n | CG\n1 | 2\n2 | 5", {"CG": [2, 5]}, "T", skip=["n"]))
    assert [place for *_, place in indexed(table[0], "a-note")] == ["verdict-t-row-1-cg", "verdict-t-row-2-cg"]


def test_what_is_no_number_of_a_note_is_not_in_the_index(monkeypatch):
    assert indexed(SLIP, None) == []
    assert indexed(outputs_of(monkeypatch, lambda: holds("So it is", True))[0], "a-note") == []


FOLDERS = [
    # folder; whether its pages are notes
    ("book/notes", True),
    ("book/concepts", False),
]


@pytest.mark.parametrize(("folder", "notes"), FOLDERS)
def test_the_index_leads_to_the_verdicts_of_notes_alone(tmp_path, folder, notes):
    _, warnings = build(tmp_path, "html", [SLIP], source=folder)
    index = (tmp_path / "out" / "html" / "genindex.html").read_text(encoding="utf-8")
    assert ('<a href="index.html#verdict-dcg-2">DCG 2 (index): ✗ slip</a>' in index) == notes
    assert warnings == ""


class TestSlipsAndTheirEntriesAreLinkedBothWays:
    """A note with a slip in a line and one in a table, and the page made from its ledger."""

    TABLE = "n | log\n1 | 1\n2 | 1.59"
    ENTRIES = CONF + "ndcg_slips_have_entries = True\n"

    @pytest.fixture
    def source(self, tmp_path, monkeypatch):
        columns, slips = {"log": [1, 1.584962500721156]}, {(2, "log"): "rounded-twice"}
        stored = outputs_of(monkeypatch, lambda: check_table(self.TABLE, columns, "T", skip=["n"], slips=slips))
        source = tmp_path / "source"
        write(source / "book" / "notes" / "x.ipynb", "# The note", [*stored, SLIP, AGREES_TOO])
        write(source / "book" / "concepts.ipynb", "# A chapter that is no note", [SLIP])
        toc = "# Index\n\n```{toctree}\nbook/notes/x\nbook/concepts\nbook/slips\n```"
        write(source / "index.ipynb", toc, [])
        self.list(source, ledger(source / "book").sections)
        return source

    def list(self, source, markdown):
        write(source / "book" / "slips.ipynb", "# The slips", [{"text/markdown": markdown, "text/plain": "sections"}])

    def test_the_verdict_links_to_its_entry(self, source):
        page, warnings = made(source, source.parent / "out", "html", self.ENTRIES, "book/notes/x.html")
        entries = re.findall(
            r'href="\.\./slips\.html#([^"]*)"><span class="std std-ref">entry in the list of slips', page
        )
        assert (entries, warnings) == (["x-verdict-t-row-2-log", "x-verdict-dcg-2"], "")

    def test_the_entry_links_to_the_verdict(self, source):
        page, warnings = made(source, source.parent / "out", "html", self.ENTRIES, "book/slips.html")
        places = re.findall(r'href="notes/x\.html#([^"]*)"><span class="std std-ref">The note<', page)
        assert (places, warnings) == (["verdict-t-row-2-log", "verdict-dcg-2"], "")
        assert all(page.count(f'id="x-{place}"') == 1 for place in places)

    def test_notes_and_entries_are_headings_of_the_page(self, source):
        page, _ = made(source, source.parent / "out", "html", self.ENTRIES, "book/slips.html")
        headings = re.findall(r"<h([1-6])>(.*?)<a", page)
        assert headings == [("1", "The slips"), ("2", "The note"), ("3", "T, row 2, log"), ("3", "DCG 2")]
        assert 'class="rubric"' not in page

    def test_and_of_the_printed_book(self, source):
        page, warnings = made(source, source.parent / "out", "latex", self.ENTRIES, "*.tex")
        assert r"\subsection{DCG 2}" in page
        assert page.count(r"\hyperref[\detokenize{book/slips:x-verdict-dcg-2}]") == 1
        assert page.count(r"\hyperref[\detokenize{book/notes/x:verdict-dcg-2}]") == 1
        assert "sections\n" not in page  # the plain form is not shown as well
        assert warnings == ""

    def test_a_verdict_outside_the_notes_has_no_entry(self, source):
        page, _ = made(source, source.parent / "out", "html", self.ENTRIES, "book/concepts.html")
        assert "✗ slip" in page
        assert "list of slips" not in page

    def test_nor_is_one_looked_for_where_no_page_lists_them(self, source):
        page, warnings = made(source, source.parent / "out", "html", CONF, "book/notes/x.html")
        assert ("list of slips" in page, warnings) == (False, "")

    def test_a_slip_without_an_entry_is_a_warning(self, source):
        self.list(source, ledger(source / "book").sections.partition("(x-verdict-dcg-2)=")[0])
        _, warnings = made(source, source.parent / "out", "html", self.ENTRIES, "book/slips.html")
        assert "undefined label: 'x-verdict-dcg-2'" in warnings
        assert warnings.count("WARNING") == 1

    def test_an_entry_without_its_verdict_is_a_warning(self, source):
        whole = ledger(source / "book").sections
        self.list(source, whole.replace("notes/x.ipynb#verdict-dcg-2", "notes/x.ipynb#verdict-dcg-4"))
        _, warnings = made(source, source.parent / "out", "html", self.ENTRIES, "book/slips.html")
        assert "local id not found in doc 'book/notes/x': 'verdict-dcg-4'" in warnings
        assert warnings.count("WARNING") == 1


UNREADABLE = [
    {"verdicts": [{"name": "x"}]},  # a record without its keys
    {"no": "verdicts"},
    [],
]


@pytest.mark.parametrize("content", UNREADABLE)
def test_a_record_that_cannot_be_read_is_a_warning_and_not_a_traceback(tmp_path, content):
    page, warnings = build(tmp_path, "html", [{MIME: content, "text/plain": "x"}])
    assert "expected stored verdicts, found some that cannot be read" in warnings
    assert "index.ipynb" in warnings
    assert "Title" in page
