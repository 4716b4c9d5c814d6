"""The lists of pages are so: presets, what libraries gave when they were run, what pip finds, where words lead."""

import json
import re
from html import unescape
from typing import Any

import pages
import pytest
from pages import chapter, clean, text
from rows import every_row

from ndcg_ref import PRESETS
from ndcg_ref.conventions.presets import ABOUT
from ndcg_ref.live import answer
from tools.book.lists_ext import DATA, FIRST, QUERY, WHEEL, values

RUN = json.loads(DATA.read_text(encoding="utf-8"))
PLACE = next(place for place, query in enumerate(RUN["queries"]) if query["name"] == QUERY)
ASKED: dict[str, Any] = {
    "grades": [2, 1, 0, 3],
    "scores": [0.9, 0.6, 0.6, 0.6],
    "ids": ["d4", "d1", "d2", "d3"],
    "judged": [2, 1, 0, 3, 3],
    "k": 3,
}


def test_the_example_of_the_page_is_the_query_of_the_chapter():
    query = RUN["queries"][PLACE]
    for name in ("grades", "scores", "ids", "k"):
        assert query[name] == ASKED[name]
    assert [*query["grades"], *query["unretrieved"]] == ASKED["judged"]
    script = (DATA.parents[2] / "live" / "src" / "found.js").read_text(encoding="utf-8")
    for name in ("grades", "scores", "ids"):
        assert '{}: "{}"'.format(name, ", ".join(str(each) for each in ASKED[name])) in script


def test_every_preset_stands_once_in_the_table_and_the_pair_first():
    table = values()
    assert sorted(name for names in table.values() for name in names) == sorted(ABOUT)
    assert [*table][:2] == ["0.737", "0.661"]
    assert FIRST[0] in table["0.737"]
    assert FIRST[1] in table["0.661"]


@every_row("stated", values())
def test_the_live_answer_finds_the_presets_of_the_table(stated):
    """Single precision aside, a value is one for the table and for the answer."""
    found = answer({"ask": "which", "measure": "NDCG", "stated": stated, **ASKED})
    matching = {row["convention"] for row in found["rows"] if row["matches"]}
    assert matching & {*ABOUT} == {*values()[stated]}
    assert found["untried"] == []


def test_ids_explain_the_difference_of_the_pair():
    """From 3.508 / 4.762 to 4 / 5.893 by way of 3.508 / 5.893: the two changes of the chapter."""
    found = answer({"ask": "difference", "a": "scikit-learn", "b": "trec_eval", **ASKED})
    moves = {row["choice"]: row["moved"] for row in found["rows"]}
    assert moves["ideal"] == pytest.approx(0.595 - 0.737, abs=0.001)
    assert moves["ties"] == pytest.approx(0.661 - 0.595, abs=0.001)


REFUSED = [
    ({"ids": [1, 2, 3, 4]}, r"^ids: expected a list of texts, got \[1, 2, 3, 4\]$"),
    ({"ids": ["a", "b"]}, "^ids: expected 4 different ones, one for each grade, got 2$"),
    ({"ids": ["a"] * 4}, "^ids: expected 4 different ones, one for each grade, got 1$"),
    ({"scores": None}, "^ids: expected scores beside them, as ids order equal scores alone$"),
]


@pytest.mark.parametrize(("wrong", "message"), REFUSED)
@pytest.mark.parametrize("kind", ["which", "difference"])
def test_ids_that_name_no_documents_are_refused(kind, wrong, message):
    question = {"ask": kind, "measure": "NDCG", "stated": "0.7", "a": "STANDARD", "b": "ORIGINAL", **ASKED, **wrong}
    assert re.search(message, answer(question)["error"])


CONF = 'extensions = ["myst_nb", "tools.book.lists_ext"]\nproject = "x"\n'


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
