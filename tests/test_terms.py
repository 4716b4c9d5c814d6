"""The first use of a term on a page is a link that says what it means; later ones are plain text."""

import re

import pages
import pytest

pytestmark = pytest.mark.built

CONF = pages.conf("myst_nb", "tools.book.chapters_ext", myst_enable_extensions=["colon_fence", "dollarmath"])
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


def test_the_first_use_of_a_term_says_what_it_means_and_a_later_one_is_plain_text_by_whatever_name():
    page, warnings = build()
    assert terms(page) == [
        ("gain", "What a grade gives, written g(\N{SCRIPT SMALL L})."),
        ("grade", "How relevant a document is."),
    ]
    assert page.count('data-definition=""') == 2
    assert "and more gains for a higher grade.</p>" in page
    assert warnings == ""
    assert [text for text, _ in terms(build("b.html")[0])] == ["gain"]  # each page has a first use of its own


def test_each_chapter_in_print_has_one_too():
    page, warnings = build("x.tex", "latex")
    found = re.findall(r"\\sphinxtermref\{\\DUrole\{[\w,-]*\}\{(\w+)\}", page)
    assert found == ["gain", "grade", "gain", "grade", "grade"]
    assert warnings == ""


def test_the_glossary_keeps_its_links_as_they_are():
    page, _ = build("glossary.html")
    assert page.count('std-term">grade</span></a>') == 2
    assert terms(page) == []


def test_an_entry_whose_first_sentence_is_no_definition_is_a_warning():
    _, warnings = build(glossary=GLOSSARY.replace("$g(", r"$\sum g("))
    assert re.search(r"glossary.md:\d+: WARNING: expected a first sentence that can stand alone", warnings)
