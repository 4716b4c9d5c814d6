"""A downloaded chapter has plain Markdown in place of what only the pages of the book can show."""

import json
import re
from pathlib import Path

import pytest
from pages import notebook, text, unrun
from pybtex.database import parse_string
from rows import every_row

from ndcg_ref.stated.stored_notebook import read_notebook
from tools.book.contents import chapters
from tools.book.downloads_ext import Reader, for_jupyter, install_cell
from tools.book.lists_ext import WHEEL
from tools.checks import prose

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "_build" / "html"
CHAPTERS = [chapter.relative_to(ROOT).with_suffix("").as_posix() for chapter in chapters(ROOT)]
LITERATURE = """
@article{two, author = {Järvelin, Kalervo and Kekäläinen, Jaana}, title = {X}, year = {2002}}
@article{many, author = {Burges, Chris and Shaked, Tal and Renshaw, Erin}, title = {Y}, year = {2005}}
@misc{undated, author = {{scikit-learn}}, title = {Z}}
"""


def reader(address=""):
    """What is known of a small book."""
    return Reader(
        "book/here",
        {"book/here": "Here", "book/there": "There"},
        {"eq-here": ("book/here", 3), "eq-there": ("book/there", 7)},
        parse_string(LITERATURE, "bibtex"),
        address,
    )


MARKDOWN = [
    # as the chapter has it; as the notebook has it; why
    ("A {term}`gain` of {term}`grades <grade>`.", "A gain of grades.", "terms are words"),
    ("So {cite}`two`.", "So (Järvelin and Kekäläinen, 2002).", "a citation has names and a year"),
    ("{cite:t}`many{section 2}` say so.", "Burges et al. (2005, section 2) say so.", "a place"),
    ("By {eq}`eq-here` and {eq}`eq-there`.", "By (3) and (7) of *There*.", "formulas have numbers"),
    ("$$\nx\n$$ (eq-gone)", "$$\nx\n$$", "a formula without a number"),
    ("{py:func}`~ndcg_ref.formulas.plain.dcg`", "`dcg()`", "a function is code"),
    ("$$\nx\n$$ (eq-here)", "$$\nx\n\\tag{3}\n$$", "a formula keeps its number"),
    ("It is [0.63](#verdict-x), in [$a$](there.ipynb#b).", "It is 0.63, in $a$.", "links leave their text"),
    ("Code: `[x](y)`, `` {term}`z` ``.", "Code: `[x](y)`, `` {term}`z` ``.", "code is left alone"),
    (
        ":::{outcomes}\n:needs: [There](there.ipynb)\n\nIn short.\n\n- do this,\n- say that.\n:::",
        "In short.\n\nNeeds: There\n\n**After this chapter you can**\n\n- do this,\n- say that.",
        "outcomes are a list",
    ),
    (
        "::::{question}\nWhy?\n\n:::{answer}\nSo.\n:::\n::::",
        "**Before you read on.** Why?\n\n<details>\n<summary>Answer</summary>\n\nSo.\n\n</details>",
        "an answer is a fold",
    ),
    ("```{note}\nMind {term}`ties <tie>`.\n```", "> **Note.** Mind ties.", "a note is quoted"),
    (":::{tip} So\n:class: x\n\nDo {kbd}`it <x>`.\n:::", "**So**\n\nDo it.", "other boxes keep a title"),
    (":::::{live} x\n:later:\n:a: 1\n\nTry.\n:::::", "Try.", "what is live has its text"),
    ("One.\n\n```{ledger} table\n```\n\nTwo.", "One.\n\nTwo.", "what only a page has goes"),
]


@every_row(("markdown", "expected", "why"), MARKDOWN)
def test_what_a_page_sets_is_plain_markdown(markdown, expected, why):
    assert reader().readable(markdown) == expected


def test_with_an_address_links_lead_to_the_book():
    said = reader("https://x.example/b").readable("[$a$](../book/there.ipynb#c), [](there.md), [0.63](#verdict-x)")
    assert said == ("[$a$](https://x.example/b/book/there.html#c), [There](https://x.example/b/book/there.html), 0.63")


INSTALLED = [
    # name on an index, address of the book: the last line
    ("ndcg-ref", "https://x.example", '%pip install -q "ndcg-ref[chapters]"'),
    ("", "https://x.example", f'%pip install -q "ndcg-ref[chapters] @ https://x.example/_downloads/{WHEEL}"'),
    ("", "", f'%pip install -q "./{WHEEL}[chapters]"'),
]


@pytest.mark.parametrize(("name", "address", "line"), INSTALLED)
def test_the_first_cell_installs_the_wheel_with_what_the_chapters_need(name, address, line, tmp_path):
    chapter = tmp_path / "x.ipynb"
    chapter.write_text(notebook(text("{term}`x`"), text("```{ledger} table\n```"), unrun("1")), encoding="utf-8")
    first, *others = json.loads(for_jupyter(chapter, reader(), install_cell(name, address)))["cells"]
    assert "".join(first["source"]).splitlines()[-1] == line
    assert set(first["metadata"]["tags"]) >= {"skip-execution", "nbval-skip"}  # by nbclient, by nbval
    assert [cell["source"] for cell in others] == [["x"], "1"]  # a cell that is empty now is left out


LEFT = re.compile(r"\{[\w:]+\}`|^:::|^`{3,}\{|\]\((?!https?:)[^)]*\)|^\([\w-]+\)=", re.MULTILINE)
CODE = re.compile(r"(`+)[^`].*?\1(?!`)|^\$\$.*?^\$\$|\$[^$]+\$", re.MULTILINE | re.DOTALL)


@pytest.mark.built
@every_row("chapter", CHAPTERS)
def test_nothing_is_left_in_a_download_that_only_a_page_can_show(chapter):
    made = read_notebook(PAGES / "_sources" / f"{chapter}.ipynb")
    assert LEFT.findall(CODE.sub("", made.text)) == []
    stored = [(cell.source, cell.outputs) for cell in prose.cells(ROOT / f"{chapter}.ipynb") if cell.kind == "code"]
    assert [(cell.source, cell.outputs) for cell in made.code[1:]] == stored
