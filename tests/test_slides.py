"""The slides hold what the chapters hold: every number of a slide stands in the chapter that the slide names."""

import re
from pathlib import Path

import pytest
from sphinx.errors import ExtensionError

from tools.book import teaching_ext

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / teaching_ext.SOURCE


@pytest.mark.long
def test_nothing_on_a_slide_is_taken_on_trust():
    assert teaching_ext.unheld(ROOT) == []


@pytest.fixture
def changed(tmp_path):
    """A project whose slides differ in one place."""

    def root(old, new):
        text = SOURCE.read_text(encoding="utf-8")
        assert old in text
        (tmp_path / "book").mkdir()
        for folder in ("concepts", "practice", "notes"):
            (tmp_path / "book" / folder).symlink_to(ROOT / "book" / folder, target_is_directory=True)
        (tmp_path / teaching_ext.SOURCE).write_text(text.replace(old, new, 1), encoding="utf-8")
        return tmp_path

    return root


@pytest.mark.parametrize(("old", "new"), [("0.895", "0.896"), ("0.661", "0.662"), ("6.361", "6.362"), ("= 8", "= 9")])
def test_a_changed_number_of_a_slide_is_found(changed, old, new):
    assert len(teaching_ext.unheld(changed(old, new))) == 1


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("from: concepts/ndcg", "from: concepts/none", "slide 1: expected a chapter"),
        ("figure: fig-ideal", "figure: fig-none", "slide 13: expected a figure of its chapter, got 'fig-none'"),
        ("drawing: 1", "drawing: 99", "slide 2: expected a drawing of its chapter, got '99'"),
    ],
)
def test_a_slide_that_names_what_is_not_there_is_refused(changed, old, new, said):
    with pytest.raises(ExtensionError, match=said):
        teaching_ext.deck(changed(old, new))


def test_the_deck_is_one_file_with_a_heading_and_notes_on_each_slide():
    page = teaching_ext.deck(ROOT)
    sections = re.findall(r"<section.*?</section>", page, re.DOTALL)
    assert len(sections) == len(teaching_ext.slides(ROOT)) == 22
    assert [len(re.findall("<h[12]>", each)) for each in sections] == [1] * 22
    assert [each.count("<aside") for each in sections] == [1] * 22
    assert sum('class="told"' in each for each in sections) >= 10
    assert re.findall(r'(?:src|href)="(?!#|data:)', page) == []
    assert re.findall(r"url\((?!#|&quot;#|\"data:)", page) == []
    assert re.search(r"\$|\. \. \.|\{shown\}|Notes:", re.sub(r"(?s)<(style|script).*?</\1>", "", page)) is None
