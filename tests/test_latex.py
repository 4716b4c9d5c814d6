"""What Sphinx writes as LaTeX has the book's parts, its verdicts, sources in place, tables that fit and an index."""

import re

import pages
import pytest
from pages import cell, text
from test_sphinx_ext import AGREES, SLIP

from ndcg_ref.stated import judge
from ndcg_ref.stated.display import bundle

pytestmark = pytest.mark.built

BOOK_CONF = pages.conf(
    *("sphinxcontrib.bibtex", "tools.book.latex_ext"),
    bibtex_bibfiles=["sources.bib"],
    bibtex_reference_style="author_year",
)


def rst(title, *parts):
    """A page: its title, sections as pairs of a label and a title, and paragraphs."""
    parts = [part if isinstance(part, str) else f".. _{part[0]}:\n\n{part[1]}\n{'-' * 20}" for part in parts]
    return "\n\n".join([f"{title}\n{'=' * 20}", *parts, ""])


def toctree(*names, caption=""):
    return "\n   ".join([".. toctree::", *([f":caption: {caption}"] if caption else []), "", *names])


def table(text):
    return "\n".join([bars := "======  ======", "note    said", bars, f"one     {text}", bars])


BOOK = {
    "sources.bib": "@book{S1, author = {One, A.}, title = {A source}, publisher = {P}, year = {2002}}",
    "index.rst": rst(
        *("The book", "What it is.", toctree("first", caption="One & only"), toctree("second", caption="Two")),
        *(("whom", "For whom"), "For all."),
    ),
    "first.rst": rst(
        *("First", "As said :cite:`S1`, a table fits:", table("little"), "and another does not:"),
        *(table("some words" + " and then some words" * 4 + " and then"), ".. bibliography::", "The end."),
    ),
    "second.rst": rst("Second", "Text."),
}


@pytest.fixture(scope="module")
def book():
    """A book of two parts, as LaTeX."""
    built = pages.book(BOOK, BOOK_CONF, "latex")
    assert built.warnings == ""
    return built.page("*.tex")


def test_captions_become_parts_and_the_text_before_them_an_introduction(book):
    assert re.findall(r"\\(?:part|chapter|section|setcounter\{secnumdepth\})\{[^}]*\}", book) == [
        r"\setcounter{secnumdepth}{-1}",
        r"\chapter{Introduction}",
        r"\section{For whom}",
        r"\setcounter{secnumdepth}{1}",
        r"\part{One \& only}",
        r"\chapter{First}",
        r"\part{Two}",
        r"\chapter{Second}",
    ]


def test_a_source_stands_where_it_was_and_a_citation_leads_to_it(book):
    (place,) = re.findall(r"\\hyperlink\{(cite\.first:\w+)\}\{One, 2002\}", book)
    assert book.index(rf"\hypertarget{{{place}}}{{}}") < book.index("A source}") < book.index("The end.")
    assert "thebibliography" not in book


def test_a_table_too_wide_for_the_page_gets_widths_and_may_run_over_it(book):
    assert re.findall(r"\\begin\{(tabulary|longtable)\}(?:\{.linewidth\})?(.*)", book) == [
        ("tabulary", "[t]{TT}"),
        ("longtable", r"{\X{8}{85}\X{77}{85}}"),  # of 82 characters and two gaps
    ]


CONF = pages.conf("myst_nb", "ndcg_ref.sphinx_ext", "tools.book.ledger_ext", "tools.book.latex_ext")


def page_of(*cells, **own):
    """One note as LaTeX."""
    return pages.clean(*cells, conf=CONF, builder="latex", **own)


def test_a_verdict_is_set_apart_and_linked_to():
    page = page_of(text("# Title\n\nA [slip](#verdict-dcg-2)."), cell(SLIP), role="lesson")
    assert re.search(r"\{sphinxuseclass\}\{ndcg-slip\}\s*\\begin\{sphinxuseclass\}\{ndcg-verdict\}", page)
    assert (
        r"A \DUrole{ndcg-ticked,ndcg-words}{slip\DUrole{ndcg-tick,ndcg-slip}{✗}}." in page
    )  # a page number would say nothing
    assert r"\label{\detokenize{index:verdict-dcg-2}}" in page
    assert "{ndcg-slip}" not in page_of(text("# Title"), cell(AGREES))


def test_the_index_has_words_alone():
    page = page_of(text("# Title"), cell(bundle([judge("8.33", 8.33, "DCG 2").record()])))
    assert "DCG 2" in page
    assert r"\index{8.33" not in page


def test_a_sum_in_the_text_leaves_no_term_alone_on_a_line():
    page = page_of(text("# Title\n\nIt is {math}`1 + 2 + 3 + 4 = (6 + 4)`, or 5 + 6 + 7 + 8 = 26, or {math}`x + 1`."))
    assert r"\(1 +\nobreak  2 + 3 +\nobreak  4 = (6 +\nobreak  4)\)" in page
    assert "5~+~6 + 7~+~8 = 26" in page.replace("\N{NO-BREAK SPACE}", "~")
    assert r"\(x +\nobreak  1\)" in page


VOLUMES_CONF = pages.conf("tools.book.latex_ext", latex_documents=[("index", "x.tex", "X", "A", "manual")])
PARTS = toctree("first", "book/cheat-sheet", "book/reference/second", caption="All")
VOLUMES = {
    "index.rst": rst("The book", "What it is.", PARTS),
    "below.rst": rst("Below"),
    "book/reference/third.rst": rst("Third"),
    "first.rst": rst(
        *("First", "See :doc:`book/reference/second`, or :ref:`a section <there>`.", ("here", "Formula")),
        *(".. math:: a\n   :label: eq-a", toctree("below")),
    ),
    "book/reference/second.rst": rst(
        *("Second", ("there", "Part of it"), "See :ref:`this <here>` and equation :eq:`eq-a`."),
        toctree("third", "/of-the-first-volume"),
    ),
    "of-the-first-volume.rst": rst("Of the first volume"),
    "book/cheat-sheet.rst": rst(
        *("Sheet", "See :doc:`/first`, or :doc:`/book/reference/second`.", ("formulas", "Formulas"), "Short."),
        *(("libraries", "Libraries"), "Wide.", ("checks", "Checks"), "For a screen."),
    ),
}


@pytest.fixture(scope="module")
def documents():
    """Each document that a book is written as, by its name."""
    built = pages.book(VOLUMES, VOLUMES_CONF, "latex")
    assert built.warnings == ""
    return {path.stem: path.read_text("utf-8") for path in built.out.glob("*.tex")}


def test_the_reference_is_a_volume_of_its_own_and_links_between_volumes_name_volume_and_section(documents):
    first, second = documents["x"], documents["x-reference"]
    assert r"\chapter{First}" in first
    assert r"\chapter{Second}" not in first
    assert r"See \DUrole{doc}{Second} (volume 2), or \DUrole{std,std-ref}{a section} (volume 2, Part of it)." in first
    assert r"\part{All}" in second
    assert "What it is." not in second
    assert "First" not in second
    assert r"See \DUrole{std,std-ref}{this} (volume 1, Formula) and equation of “Formula” (volume 1)." in second
    assert r"X. Volume 2: the reference" in second


def test_a_page_below_another_one_is_a_chapter_behind_it_in_its_own_volume(documents):
    chapters = {name: re.findall(r"\\chapter\{([^}]*)\}", documents[name]) for name in ("x", "x-reference")}
    assert chapters == {
        "x": ["Introduction", "First", "Below", "Sheet", "Of the first volume"],
        "x-reference": ["Second", "Third"],
    }


def test_the_cheat_sheet_is_a_page_of_the_book_and_a_document_besides(documents):
    assert documents.keys() == {"x", "x-reference", "x-cheat-sheet"}
    assert r"\chapter{Sheet}" in documents["x"]
    assert r"See {\hyperref[" in documents["x"].partition(r"\chapter{Sheet}")[2]
    assert "Sheet" not in documents["x-reference"]


def test_the_sheet_has_columns_and_nothing_that_stands_elsewhere(documents):
    sheet = documents["x-cheat-sheet"]
    assert re.findall(r"\\(?:ndcgtitle|(?:part|chapter|section|begin|end)\{(?!document)[^}]*\})", sheet) == [
        r"\ndcgtitle",
        r"\begin{multicols}",
        r"\chapter{Formulas}",
        r"\end{multicols}",
        r"\chapter{Libraries}",
    ]
    assert r"See \DUrole{doc}{First}, or \DUrole{doc}{Second}." in sheet
    assert r"\title{Sheet}" in sheet
    assert r"\usepackage{ndcg-sheet}" in sheet
    assert "ndcg-sheet" not in documents["x"] + documents["x-reference"]
    assert not re.search(r"\\(?:sphinxmaketitle|sphinxtableofcontents|printindex)", sheet)


HIDDEN = [("open", "none"), ("input", "hide-input"), ("cell", "hide-cell"), ("output", "hide-output")]


def test_code_that_a_page_hides_is_left_out_and_what_it_says_is_not():
    cells = [cell(code=f"# code {what}", printed=f"said {what}", tags=[tag]) for what, tag in HIDDEN]
    page = re.sub(r"\\PYG\{[^}]*\}\{([^}]*)\}", r"\1", page_of(text("# Title"), *cells))  # without colours
    assert re.findall(r"(?:code|said) \w+", page) == [
        *("code open", "said open", "said input", "said cell", "code output", "said output")
    ]
