"""Search words lead to the sections that they name, on the page, in the index and for the search."""

import json
import re

import pytest
from test_sphinx_ext import build

pytestmark = pytest.mark.built

CONF = 'extensions = ["myst_nb", "tools.book.search_ext"]\nproject = "x"\n'


def built(folder, line):
    """A page with a table of one line and a section, its warnings, and what the search knows."""
    text = f"# Top\n\n```{{search-words}}\n{line}\n```\n\n## Set up\n\nSo."
    page, warnings = build(folder, "html", [], text, CONF)
    (index,) = re.findall(r"Search.setIndex\((.*)\)", next(folder.rglob("searchindex.js")).read_text(encoding="utf-8"))
    return page, warnings, json.loads(index)


def test_a_word_leads_to_its_section_by_a_link_the_index_and_the_search(tmp_path):
    page, warnings, search = built(tmp_path, "install, pip -> index#set-up")
    assert warnings == ""
    assert re.search(
        r'<p>install, pip</p></td>\s*<td><p><a class="reference internal" href="#set-up">Top: Set up', page
    )
    assert search["indexentries"] == {"install": [[0, "set-up", True]], "pip": [[0, "set-up", True]]}
    index = next(tmp_path.rglob("genindex.html")).read_text(encoding="utf-8")
    assert re.search(r'<a href="index.html#set-up">(<strong>)?pip', index)


def test_a_word_may_lead_to_a_page(tmp_path):
    page, warnings, _ = built(tmp_path, "all -> index")
    assert warnings == ""
    assert ">Top</a></p></td>" in page


def test_a_section_that_is_missing_is_a_warning(tmp_path):
    _, warnings, _ = built(tmp_path, "all -> index#nothing")
    assert "search-words: expected a section of a page, got index#nothing" in warnings


def test_a_line_that_leads_nowhere_is_an_error(tmp_path):
    _, warnings, _ = built(tmp_path, "all")
    assert "expected words -> page#section, got 'all'" in warnings
