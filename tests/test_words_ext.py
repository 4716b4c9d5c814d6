"""Words lead somewhere: the first use of a term on a page says what it means, and search words lead to sections."""

import json
import re

import pages
import pytest
from pages import text
from rows import every_row

pytestmark = pytest.mark.built

CONF = """
extensions = ["myst_nb", "tools.book.words_ext"]
myst_enable_extensions = ["colon_fence", "dollarmath"]
project = "x"
"""
GLOSSARY = r"""
# Words

:::{glossary}
gain
  What a {term}`grade` gives, written $g(\ell)$. See [](a.md).

grade
mark
  How relevant a document is. The {term}`grade` of a page is another word for it.
:::
"""
A = """
# A

A {term}`gain` for each {term}`grade <mark>`, and more {term}`gains <gain>` for a higher {term}`grade`.
"""
B = "# B\n\nAnother {term}`gain`.\n"
INDEX = "# Book\n\n```{toctree}\na\nb\nglossary\n```\n"


def build(page="a.html", builder="html", glossary=GLOSSARY):
    """A page of a book of four, and what its build warned of."""
    built = pages.book({"index.md": INDEX, "a.md": A, "b.md": B, "glossary.md": glossary}, CONF, builder)
    return built.page(page), built.warnings


def terms(page):
    """Each link to a term: its text and what it says."""
    links = re.findall(r'<a class="ndcg-defined reference internal" (.*?)><span[^>]*>(.*?)</span></a>', page)
    return [(text, re.findall('title="(.*?)"', attributes)[0]) for attributes, text in links]


def test_the_first_use_of_a_term_says_what_it_means():
    page, warnings = build()
    assert terms(page) == [
        ("gain", "What a grade gives, written g(\N{SCRIPT SMALL L})."),
        ("grade", "How relevant a document is."),
    ]
    assert page.count('data-definition=""') == 2
    assert warnings == ""


def test_a_later_use_is_plain_text_by_whatever_name():
    page, _ = build()
    assert "and more gains for a higher grade.</p>" in page


def test_each_page_has_a_first_use_of_its_own():
    assert [text for text, _ in terms(build("b.html")[0])] == ["gain"]


def test_each_chapter_in_print_has_one_too():
    page, warnings = build("x.tex", "latex")
    assert re.findall(r"\\sphinxtermref\{\\DUrole\{[\w,-]*\}\{(\w+)\}", page) == [
        "gain",
        "grade",
        "gain",
        "grade",
        "grade",
    ]
    assert warnings == ""


def test_the_glossary_keeps_its_links_as_they_are():
    page, _ = build("glossary.html")
    assert page.count('std-term">grade</span></a>') == 2
    assert terms(page) == []


def test_an_entry_whose_first_sentence_is_no_definition_is_a_warning():
    _, warnings = build(glossary=GLOSSARY.replace("$g(", r"$\sum g("))
    assert re.search(r"glossary.md:\d+: WARNING: expected a first sentence that can stand alone", warnings)


def searched(line):
    """The book of a page with a table of one line and a section."""
    top = text(f"# Top\n\n```{{search-words}}\n{line}\n```\n\n## Set up\n\nSo.")
    return pages.book({"index.ipynb": pages.notebook(top)}, CONF)


def test_a_word_leads_to_its_section_by_a_link_the_index_and_the_search():
    book = searched("install, pip -> index#set-up")
    assert book.warnings == ""
    row = r'<p>install, pip</p></td>\s*<td><p><a class="reference internal" href="#set-up">Top: Set up'
    assert re.search(row, book.page())
    search = json.loads(re.search(r"Search.setIndex\((.*)\)", book.page("searchindex.js"))[1])
    assert search["indexentries"] == {"install": [[0, "set-up", True]], "pip": [[0, "set-up", True]]}
    assert re.search(r'<a href="index.html#set-up">(<strong>)?pip', book.page("genindex.html"))


def test_a_word_may_lead_to_a_page():
    book = searched("all -> index")
    assert book.warnings == ""
    assert ">Top</a></p></td>" in book.page()


NOWHERE = [
    # line, what the build says
    ("all -> index#nothing", "search-words: expected a section of a page, got index#nothing"),
    ("all", "expected words -> page#section, got 'all'"),
]


@every_row(("line", "warning"), NOWHERE)
def test_a_line_that_leads_nowhere_is_a_warning(line, warning):
    assert warning in searched(line).warnings
