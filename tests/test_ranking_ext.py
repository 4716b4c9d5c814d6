"""An editable ranking has its formulas, its menus and its task on the page before a script runs."""

import re
from pathlib import Path

import pytest

from ndcg_ref.sphinx_ext.drawing import drawing_of
from ndcg_ref.stated.stored_notebook import read_notebook
from tools.book.contents import chapters
from tools.book.live_ext import EXAMPLES, SOURCES, TASKS, example, joined, panel, style, sums

ROOT = Path(__file__).resolve().parent.parent
BOOK = ROOT / "book"
MOST_BYTES = 20_000  # more than these a chapter does not load for a reader who types nothing
BOOTS = {"Choosing boots": 2, "Boots on test": 3, "Boot camp": 0}
BEST = {"Boots on test": 3, "Choosing boots": 2, "Boot camp": 0}

CELLS = [
    (chapter.relative_to(BOOK).as_posix(), cell.metadata["ndcg_ref"]["ranking"])
    for chapter in chapters(ROOT)
    for cell in read_notebook(chapter).code
    if "live-ranking" in cell.metadata.get("tags", ())
]
assert CELLS, "expected cells with the tag live-ranking, found none"

FORMULAS = [
    # drawing, its formulas: 2/1 is 2, 3/log2(3) is 1.8928, 2/log2(3) is 1.2619
    (drawing_of({"A": BOOTS}, columns=["gain"]), ["CG = 2 + 3 + 0 = 5"]),
    (drawing_of({"A": BOOTS}), ["DCG = 2/1 + 3/1.585 + 0/2 = 3.893"]),
    (drawing_of({"A": BOOTS}, k=1), ["DCG@1 = 2/1 = 2.000"]),
    (drawing_of({"A": BOOTS}, "EXPONENTIAL", columns=["term"]), ["DCG = 3/1 + 7/1.585 + 0/2 = 7.417"]),
    (
        drawing_of({"A": BOOTS}, totals=["DCG", "IDCG", "NDCG"]),
        ["DCG = 2/1 + 3/1.585 + 0/2 = 3.893", "IDCG = 3/1 + 2/1.585 + 0/2 = 4.262", "NDCG = 3.893/4.262 = 0.913"],
    ),
    (
        drawing_of({"A": BOOTS, "B": BEST}, k=2),
        ["A: DCG@2 = 2/1 + 3/1.585 = 3.893", "B: DCG@2 = 3/1 + 2/1.585 = 4.262"],
    ),
]


@pytest.mark.parametrize(("drawing", "expected"), FORMULAS)
def test_the_formulas_below_a_drawing_have_its_numbers(drawing, expected):
    assert [f"{label} = {' + '.join(terms)} = {value}" for label, terms, value in sums(drawing)] == expected


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


def test_the_front_page_and_the_chapters_on_the_formula_have_an_editable_ranking():
    assert [name for name, _ in CELLS] == [
        *("intro.ipynb", "concepts/gain.ipynb", "concepts/discount.ipynb", "concepts/ideal.ipynb"),
        "concepts/ndcg.ipynb",
    ]


def test_the_script_and_the_style_are_light():
    assert len((joined(SOURCES, "ranking") + style("ranking")).encode()) <= MOST_BYTES
