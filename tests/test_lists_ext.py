"""The lists of pages are so: presets, what libraries gave when they were run, what pip finds, where words lead."""

import json
import re
from html import unescape

import pages
import pytest
from pages import chapter, clean, text
from rows import every_row

from ndcg_ref import PRESETS
from ndcg_ref.conventions.presets import ABOUT
from tools.book.lists_ext import CITATION, DATA, QUERY, WHEEL, bibtex, libraries, values

RUN = json.loads(DATA.read_text(encoding="utf-8"))
PLACE = next(place for place, query in enumerate(RUN["queries"]) if query["name"] == QUERY)


def test_every_preset_is_in_the_table_once_with_the_value_that_its_library_gave():
    table = {name: value for value, names in values().items() for name in names}
    assert table.keys() == ABOUT.keys()
    assert (table["scikit-learn-1.9.1"], table["trec_eval-10.0"]) == ("0.737", "0.661")
    for name, library in RUN["libraries"].items():
        if "ties" not in ABOUT[name].excluded:
            assert float(table[name]) == pytest.approx(float(library["values"][PLACE]), abs=6e-4)


def test_a_preset_without_a_newer_version_goes_by_the_name_of_its_library():
    labels = [preset["label"] for preset in libraries()["presets"]]
    assert len(labels) == len(set(labels)) == len(ABOUT)
    assert {"trec_eval", "trec_eval 9.0.7", "catboost exp", "the article of 2002"} <= {*labels}


CONF = pages.conf("myst_nb", "tools.book.lists_ext")


def words_of(preset, page):
    """The words of the paragraph that describes a preset."""
    paragraphs = map(str.split, re.split(r"\n\n(?=   \S)", page))
    return next(words for words in paragraphs if words[0] == f"{preset},")


@pytest.mark.built
def test_every_preset_is_named_and_described():
    names = clean(text("# Title\n\n```{presets} names\n```"), conf=CONF, builder="text")
    assert names.split()[1:] == ["*****", *PRESETS]
    page = clean(text("# Title\n\n```{presets} descriptions\n```"), conf=CONF, builder="text")
    assert {name for name, preset in ABOUT.items() if str(preset).split() != words_of(name, page)} == set()


@pytest.mark.built
@every_row("word", ["all", "Names"])
def test_an_unknown_list_is_a_warning_at_its_line(word):
    _, warnings = chapter(text(f"# Title\n\n```{{presets}} {word}\n```"), conf=CONF)
    assert re.search(rf"index\.ipynb:10004: .*expected one of names, descriptions, got '{word}'", warnings)


ADDRESS = 'html_baseurl = "https://example.org/a-book/"\n'
NAME = 'install_name = "ndcg-ref"\n'
INSTALL = "python3 -m pip install "

LINES = [
    # builder, configuration, line, what stands before it
    ("html", "", INSTALL + WHEEL, f'Download <a class="reference internal" href="_downloads/{WHEEL}">'),
    ("html", ADDRESS, f"{INSTALL}https://example.org/a-book/_downloads/{WHEEL}", ""),
    ("html", NAME, f"{INSTALL}ndcg-ref", ""),
    ("html", ADDRESS + NAME, f"{INSTALL}ndcg-ref", ""),
    ("text", "", f"{INSTALL}.", "In a copy of the repository:"),
    ("text", ADDRESS, f"{INSTALL}https://example.org/a-book/_downloads/{WHEEL}", ""),
]


@pytest.mark.built
@every_row(("builder", "conf", "line", "before"), LINES)
def test_the_line_names_what_pip_finds(builder, conf, line, before):
    page = clean(text("# Title\n\n```{install}\n```"), conf=CONF + conf, builder=builder)
    lines = unescape(re.sub("<[^>]*>", "", page)).splitlines()
    assert [each.strip() for each in lines if INSTALL in each] == [line]
    assert before in page
    assert bool(before) == ("Download" in page or "repository" in page)


@pytest.mark.built
def test_the_wheel_lies_beside_the_pages():
    book = pages.book({"index.ipynb": pages.notebook(text("# Title"))}, CONF)
    assert [path.name for path in book.out.rglob("*.whl")] == [WHEEL]


@pytest.mark.built
@every_row("builder", ["html", "text"])
def test_a_page_has_the_citation_file_as_bibtex(builder):
    page = clean(text("# Title\n\n```{bibtex}\n```"), conf=CONF, builder=builder)
    lines = [line.strip() for line in unescape(re.sub("<[^>]*>", "", page)).splitlines()]
    entry = bibtex(CITATION.read_text(encoding="utf-8"))
    assert [line for line in entry.splitlines() if line.strip() not in lines] == []


def searched(line):
    """The book of a page with a table of one line and a section."""
    top = text(f"# Top\n\n```{{search-words}}\n{line}\n```\n\n## Set up\n\nSo.")
    return pages.book({"index.ipynb": pages.notebook(top)}, CONF)


@pytest.mark.built
def test_a_word_leads_to_its_section_by_a_link_the_index_and_the_search():
    book = searched("install, pip -> index#set-up")
    assert book.warnings == ""
    row = r'<p>install, pip</p></td>\s*<td><p><a class="reference internal" href="#set-up">Top: Set up'
    assert re.search(row, book.page())
    search = json.loads(re.search(r"Search.setIndex\((.*)\)", book.page("searchindex.js"))[1])
    assert search["indexentries"] == {"install": [[0, "set-up", True]], "pip": [[0, "set-up", True]]}
    assert re.search(r'<a href="index.html#set-up">(<strong>)?pip', book.page("genindex.html"))


@pytest.mark.built
def test_a_word_may_lead_to_a_page():
    book = searched("all -> index")
    assert book.warnings == ""
    assert ">Top</a></p></td>" in book.page()


NOWHERE = [
    # line, what the build says
    ("all -> index#nothing", "search-words: expected a section of a page, got index#nothing"),
    ("all", "expected words -> page#section, got 'all'"),
]


@pytest.mark.built
@every_row(("line", "warning"), NOWHERE)
def test_a_line_that_leads_nowhere_is_a_warning(line, warning):
    assert warning in searched(line).warnings
