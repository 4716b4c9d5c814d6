"""What lecturers read of the chapters is what the chapters say, and routes fit into their minutes."""

import re
from collections import Counter
from html import unescape
from pathlib import Path

import pages
import pytest
from rows import every_row

from tools.book.contents import book_ledger
from tools.book.teaching_ext import taught, time_of, tree
from tools.checks import prose

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "_build" / "html" / "book" / "teaching.html"
TAUGHT = taught(ROOT)
assert TAUGHT


def boxes():
    """The first cell of each chapter that has a box, read in another way."""
    for path in sorted((ROOT / "book").rglob("*.ipynb")):
        first = prose.cells(path)[0].source
        if "{outcomes}" in first:
            yield path.relative_to(ROOT / "book").with_suffix("").as_posix(), first


def test_every_chapter_with_a_box_is_taught_with_all_its_goals():
    goals = {name: sum(line.startswith("- ") for line in first.splitlines()) for name, first in boxes()}
    assert {each.name: len(each.goals) for each in TAUGHT} == goals
    assert min(goals.values()) >= 2


def test_every_chapter_is_in_the_map_once_below_all_that_it_needs():
    listed = list(tree(TAUGHT))
    names = [each.name for _, each in listed]
    assert sorted(names) == sorted(each.name for each in TAUGHT)
    assert all(names.index(need) < names.index(each.name) for _, each in listed for need in each.needs)
    depths = {each.name: depth for depth, each in listed}
    assert all(depths[need] < depths[each.name] for each in TAUGHT for need in each.needs)


CONF = pages.conf(
    *("myst_nb", "tools.book.chapters_ext", "tools.book.teaching_ext"),
    myst_enable_extensions=["colon_fence"],
    exclude_patterns=["book/second.ipynb", "book/slides.md"],
)
SLIPS = [
    # what is written; what the build says
    (":::{route}\n:minutes: 7\n\n{lecture}`first`, {lecture}`first`\n:::", "1 to 7 minutes together, got 12"),
    (":::{route}\n:minutes: 9\n\nNothing.\n:::", "1 to 9 minutes together, got 0"),
    (":::{route}\n:minutes: 9\n\n{lecture}`third`\n:::", "such as concepts/gain, got 'third'"),
    (":::{sessions}\nA: third\n:::", "such as concepts/gain, got 'third'"),
    ("{chapter}`third`", "such as concepts/gain, got 'third'"),
]


def book(text):
    """A book of one chapter, with this on its first page."""
    box = "# First\n\n:::{outcomes}\nOne.\n\n- say one.\n:::"
    files = {
        "book/first.ipynb": pages.notebook(pages.text(box), role="lesson"),
        "book/slides.md": "from: first\n\n## One\n---\nfrom: first\n\n## Which?\n\n. . .\n\nThis.",
        "_toc.yml": "format: jb-book\nroot: index\nchapters: [{file: book/first, title: First}]\n",
        "index.md": f"# Page\n\n{text}\n\n```{{toctree}}\nbook/first\n```\n",
    }
    built = pages.book(files, CONF)
    return built.page(), built.warnings


@pytest.mark.built
@every_row(("text", "said"), SLIPS)
def test_a_route_that_does_not_fit_is_an_error(text, said):
    assert said in book(text)[1]


@pytest.mark.built
def test_a_route_says_how_much_is_left():
    page, warnings = book(":::{route}\n:minutes: 9\n\nShow {lecture}`first`.\n:::\n\n:::{sessions}\nA: first\n:::")
    assert warnings == ""
    assert "9 minutes: 6 of speaking, 3 for questions" in page  # two slides, one of them with a prediction
    assert re.search(r'<a [^>]*href="book/first.html">.*?First.*?</a> \(6 min\)', page)
    cells = [unescape(re.sub(r"<[^>]+>", "", cell)).strip() for cell in re.findall(r"<td.*?</td>", page, re.DOTALL)]
    assert cells == ["A", "First", "6 min", "0", "1, 2"]
    assert re.findall(r'slides\.html#slide-(\d)"', page) == ["1", "2"]


@pytest.mark.built
class TestThePageOfTheBook:
    @pytest.fixture
    def text(self):
        if not PAGE.exists():
            pytest.fail("expected the built book in _build/html, found none: run `make book` first")
        article = PAGE.read_text(encoding="utf-8").partition("<article>")[2].partition("</article>")[0]
        return unescape(re.sub(r"<[^>]+>", "", article))

    def test_the_page_has_every_goal(self, text):
        goals = [re.sub(r"[`$]", "", goal) for each in TAUGHT for goal in each.goals]
        assert [goal for goal in goals if goal.replace("'", "\u2019") not in text] == []  # as pages set it

    def test_the_page_has_the_minutes_of_every_chapter_in_the_map(self, text):
        shown = re.findall(r"\((\d+) min\)", text.partition("What needs what")[2].partition("A chapter at the")[0])
        assert shown == [str(time_of(ROOT, each.name)) for _, each in tree(TAUGHT)]

    def test_the_page_counts_the_numbers_and_the_slips_of_each_chapter_on_notes(self, text):
        stated = [each for each in book_ledger(ROOT).entries if each["note"] and each["kind"] == "number"]
        checked = Counter(each["chapter"] for each in stated)
        slips = Counter(each["chapter"] for each in stated if each["outcome"] == "slip")
        shown = re.findall(r"min\)\s+(\d+)\s+(\d+)\s", text)
        assert shown == [(str(checked[chapter]), str(slips[chapter])) for chapter in checked]
