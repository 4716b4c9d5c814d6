"""The front page, and the page on verdicts that it leads to, show what they promise."""

import re
import sys
import venv
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest
from commands import run
from rows import every_row

from ndcg_ref.stated.stored_notebook import read_notebook
from ndcg_ref.stated.subject import UNEXPLAINED, all_causes, codes
from tools.book.contents import book_ledger, chapters, minutes
from tools.book.lists_ext import FOLDER, WHEEL

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "_build" / "html"
LEDGER = book_ledger(ROOT)

pytestmark = pytest.mark.built


def page(name):
    """The text of a built page."""
    path = PAGES / name
    if not path.exists():
        pytest.fail("expected the built book in _build/html, found none: run `make book` first")
    return path.read_text(encoding="utf-8")


class Links(HTMLParser):
    """The links of a list of a class: their attributes."""

    def __init__(self, text, kind):
        super().__init__()
        self.kind, self.inside, self.found = kind, False, []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.inside |= tag == "ul" and attrs.get("class") == self.kind
        if self.inside and tag == "a":
            self.found.append(attrs)

    def handle_endtag(self, tag):
        self.inside &= tag != "ul"


class TestTheSquaresOfTheFrontPage:
    @pytest.fixture
    def squares(self):
        return Links(page("book/intro.html"), "ledger-strip").found

    def test_there_is_one_for_each_number_that_was_checked(self, squares):
        counts = LEDGER.counts
        found = [square["class"].removeprefix("ledger-") for square in squares]
        assert len(found) == counts["checked"] > 0
        assert {outcome: found.count(outcome) for outcome in set(found)} == {
            outcome: counts[outcome] for outcome in ("agrees", "slip", "undefined") if counts[outcome]
        }
        notes = sum(len(read_notebook(each).notes) or 1 for each in (ROOT / "book" / "notes").glob("*.ipynb"))
        said = f"{counts['checked']} numbers printed in {notes} notes checked, {counts['slip']} wrong."
        assert said in page("book/intro.html")

    def test_each_leads_to_a_verdict_of_its_outcome(self, squares):
        expected = [
            f"{entry['chapter'].removeprefix('book/').removesuffix('.ipynb')}.html#{entry['label']}"
            for entry in LEDGER.entries
            if entry["note"] is not None and entry["kind"] == "number" and entry["outcome"] != "unchecked"
        ]
        assert [square["href"] for square in squares] == expected
        texts = {name: page(f"book/{name}") for name in {square["href"].partition("#")[0] for square in squares}}
        for square in squares:
            name, _, label = square["href"].partition("#")
            assert f'id="{label}"' in texts[name]

    def test_each_has_a_name_that_says_number_quantity_and_outcome(self, squares):
        names = [square["aria-label"] for square in squares]
        assert all(re.fullmatch(r"\S.*, .+: (agrees|slip|undefined)", name) for name in names)
        assert {name.rpartition(" ")[2] for name in names if "8.32, " in name} == {"slip"}


def test_the_front_page_says_how_long_the_chapters_take():
    concepts = [minutes(chapter) for chapter in chapters(ROOT) if chapter.parent.name == "concepts"]
    reading, exercises = (sum(each) for each in zip(*concepts, strict=True))
    said = f"{reading} minutes of reading, {(reading + exercises + 30) // 60} hours with exercises"
    assert said in page("book/intro.html")


class TestTheSiteOffersItsOwnWheel:
    @pytest.fixture
    def python(self, tmp_path):
        """The Python of an empty environment in which the wheel of the site was installed."""
        venv.create(tmp_path / "venv", symlinks=True)
        python = tmp_path / "venv" / "bin" / "python"
        line = re.search(r"python3 -m pip install (\S+)", unescape(re.sub("<[^>]*>", "", page("book/intro.html"))))
        assert line[1].rpartition("/")[2] in (WHEEL, "ndcg-ref")
        done = run(
            *(sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--no-index"),
            PAGES / FOLDER / WHEEL,
        )
        assert done.returncode == 0, done.stderr
        return python

    def test_the_link_of_the_front_page_leads_to_it(self):
        links = re.findall(r'href="([^"]*\.whl)"', page("book/intro.html"))
        assert all((PAGES / "book" / link).resolve() == (PAGES / FOLDER / WHEEL).resolve() for link in links)

    def test_the_example_of_the_front_page_prints_what_the_page_has(self, python, numpy_alone, tmp_path):
        boxes = re.findall(r"<pre>(.*?)</pre>", page("book/intro.html"), re.DOTALL)
        install, code, printed = (unescape(re.sub("<[^>]*>", "", box)) for box in boxes)
        assert "pip install" in install
        done = run(python, "-c", code, cwd=tmp_path, path=numpy_alone)
        assert (done.stdout.strip(), done.returncode) == (printed.strip(), 0), done.stderr


def test_the_cause_of_every_slip_leads_to_its_row():
    chips = {}
    for chapter in chapters(ROOT):
        text = page(chapter.relative_to(ROOT).with_suffix(".html"))
        for chip in re.findall(r'<span class="ndcg-cause">(.*?)</span>\s', text):
            code = unescape(re.sub("<[^>]*>", "", chip))
            if code in codes():
                chips.setdefault(code, set()).update(re.findall(r'href="[^"]*verdicts\.html#([^"]*)"', chip) or [""])
    assert {"truncated", "inherited+truncated"} <= chips.keys()
    assert chips == {code: {f"cause-{code.partition('+')[0]}"} for code in chips}


@every_row("code", [*(cause.code for cause in all_causes()), UNEXPLAINED])
def test_a_link_to_a_cause_leads_to_its_row(code):
    assert page("book/verdicts.html").count(f'id="cause-{code}"') == 1
