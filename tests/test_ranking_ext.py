"""An editable ranking has its buttons, its menus and its task on the page before a script runs."""

import re
from pathlib import Path

import pytest

from ndcg_ref.sphinx_ext.drawing import drawing_of
from ndcg_ref.stated.stored_notebook import read_notebook
from tools.book.contents import chapters
from tools.book.live_ext import BUTTONS, EXAMPLES, SOURCES, TASKS, example, panel

ROOT = Path(__file__).resolve().parent.parent
BOOK = ROOT / "book"
CELLS = [
    (chapter.relative_to(BOOK).as_posix(), cell.metadata["ndcg_ref"]["ranking"])
    for chapter in chapters(ROOT)
    for cell in read_notebook(chapter).code
    if "live-ranking" in cell.metadata.get("tags", ())
]
assert CELLS, "expected cells with the tag live-ranking, found none"


@pytest.mark.parametrize(("words", "place", "name"), EXAMPLES)
def test_an_example_is_the_ranking_of_its_notebook(words, place, name):
    found = example(BOOK / f"{place}.ipynb", name)
    assert 1 < len(found) <= 20
    source = (BOOK / f"{place}.ipynb").read_text(encoding="utf-8")
    assert f"{name} = " in source
    assert all({"title", "grade"} == result.keys() for result in found)


def test_an_example_that_a_notebook_lacks_is_refused():
    with pytest.raises(ValueError, match="expected a ranking named 'nowhere', found none"):
        example(BOOK / "concepts" / "gain.ipynb", "nowhere")


def test_a_title_stays_text():
    drawn = drawing_of({"<b>A</b>": {"<i>": 1}, "B": {"x": 1}})
    assert "<b>" not in panel(drawn, {"task": "best"}, BOOK)


def test_each_task_can_be_reached_in_the_script_and_is_set_in_a_chapter():
    script = (SOURCES / "editing.js").read_text(encoding="utf-8")
    table = script[script.index("export const TASKS") :].partition("\n};")[0]
    assert set(re.findall(r"^  (\w+): \(start, now\)", table, re.MULTILINE)) == TASKS.keys()
    assert {wanted["task"] for _, wanted in CELLS} == TASKS.keys()


def test_the_buttons_of_a_ranking_are_some_that_the_script_knows():
    script = (SOURCES / "ranking.js").read_text(encoding="utf-8")
    table = script[script.index("const does = {") :].partition("\n  };")[0]
    assert set(re.findall(r"^    (\w+)[:,]", table, re.MULTILINE)) == {"show", *BUTTONS}
    assert all(set(wanted.get("tools", ())) <= BUTTONS.keys() for _, wanted in CELLS)


def test_the_front_page_and_the_chapters_on_the_formula_have_an_editable_ranking():
    assert [name for name, _ in CELLS] == [
        *("intro.ipynb", "concepts/gain.ipynb", "concepts/discount.ipynb", "concepts/ideal.ipynb"),
        "concepts/ndcg.ipynb",
    ]
