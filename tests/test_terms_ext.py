"""The first use of a term on a page is a link that says what it means; later ones are plain text."""

import re

import pytest
from sphinx.testing.util import SphinxTestApp

pytestmark = pytest.mark.built

CONF = """
extensions = ["myst_nb", "tools.book.terms_ext"]
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


@pytest.fixture
def build(tmp_path):
    """Builds a book of four pages, or of these instead of them."""

    def make(builder, page, **pages):
        names = {"index": INDEX, "a": A, "b": B, "glossary": GLOSSARY, **pages}
        for name, text in {**{f"{each}.md": text for each, text in names.items()}, "conf.py": CONF}.items():
            (tmp_path / name).write_text(text, encoding="utf-8")
        app = SphinxTestApp(buildername=builder, srcdir=tmp_path, builddir=tmp_path / "out", freshenv=True)
        try:
            app.build()
            return (app.outdir / page).read_text(encoding="utf-8"), app.warning.getvalue()
        finally:
            app.cleanup()

    return make


def terms(page):
    """Each link to a term: its text and what it says."""
    links = re.findall(r'<a class="ndcg-defined reference internal" (.*?)><span[^>]*>(.*?)</span></a>', page)
    return [(text, re.findall('title="(.*?)"', attributes)[0]) for attributes, text in links]


def test_the_first_use_of_a_term_says_what_it_means(build):
    page, warnings = build("html", "a.html")
    assert terms(page) == [
        ("gain", "What a grade gives, written g(\N{SCRIPT SMALL L})."),
        ("grade", "How relevant a document is."),
    ]
    assert page.count('data-definition=""') == 2
    assert warnings == ""


def test_a_later_use_is_plain_text_by_whatever_name(build):
    page, _ = build("html", "a.html")
    assert "and more gains for a higher grade.</p>" in page


def test_each_page_has_a_first_use_of_its_own(build):
    assert [text for text, _ in terms(build("html", "b.html")[0])] == ["gain"]


def test_each_chapter_in_print_has_one_too(build):
    page, warnings = build("latex", "x.tex")
    assert re.findall(r"\\sphinxtermref\{\\DUrole\{[\w,-]*\}\{(\w+)\}", page) == [
        "gain",
        "grade",
        "gain",
        "grade",
        "grade",
    ]
    assert warnings == ""


def test_the_glossary_keeps_its_links_as_they_are(build):
    page, _ = build("html", "glossary.html")
    assert page.count('std-term">grade</span></a>') == 2
    assert terms(page) == []


def test_an_entry_whose_first_sentence_is_no_definition_is_a_warning(build):
    _, warnings = build("html", "a.html", glossary=GLOSSARY.replace("$g(", r"$\sum g("))
    assert re.search(r"glossary.md:\d+: WARNING: expected a first sentence that can stand alone", warnings)
