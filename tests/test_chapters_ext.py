"""The shape of a chapter: box, questions, exercises and solutions, on the page and in print; slips are errors."""

import re

import pages
import pytest
from pages import stored, text
from rows import every_row
from test_sphinx_ext import AGREES

from ndcg_ref.stated import check
from tools.book.chapters_ext import LEGEND

pytestmark = pytest.mark.built

EXTENSIONS = "myst_nb", "ndcg_ref.sphinx_ext", "tools.book.chapters_ext", "tools.book.latex_ext"
CONF = pages.conf(*EXTENSIONS, myst_enable_extensions=["colon_fence", "dollarmath"])

CHAPTER = """# The ideal: what is best?

:::{outcomes}
:needs: [A page](index.ipynb)

The ideal is the best order of $n$ documents.

- build the ideal,
- say when it must be larger.
:::

## A section

::::{question}
Would it change?

:::{answer}
Yes: it would.
:::
::::
"""
EXERCISES = "## Exercises\n\n**1.** ★★ The only one.\n\n:::{solution}\nIt is so.\n:::"
SECOND = "**2.** ★ Another.\n\n:::{solution}\n:::"


def cell(said, *outputs):
    """A cell of a solution."""
    return pages.cell(*outputs, code=f"# code {said}", printed=f"said {said}", tags=["solution"])


def whole(builder):
    cells = [text(CHAPTER), text(EXERCISES), cell("first", AGREES), cell("second"), text(SECOND), cell("third")]
    page = pages.clean(*cells, text("## Summary"), conf=CONF, builder=builder)
    return re.sub(r"\\PYG\{[^}]*\}\{([^}]*)\}", r"\1", page)


def order(page, *pieces):
    """These pieces as they follow each other on a page."""
    return sorted(pieces, key=page.index)


def test_a_page_has_its_box_its_question_and_its_exercises_in_reading_order():
    page = whole("html")
    box = [
        "The ideal is the best",
        "After this chapter you can",
        "build the ideal,",
        "1 minute",
        "exercises: 6 minutes",
        "needs: <a",
    ]
    asked = ["Before you read on", "Would it change?", "<summary>Answer</summary>", "Yes: it would."]
    assert order(page, *box, *asked) == [*box, *asked]
    assert 'aria-label="two stars of three"' in page
    assert "★★☆</span> The only one." in page


def test_a_solution_is_a_closed_fold_with_its_text_or_else_with_its_cells():
    """What checks the text of solutions is one fold at the end of the chapter."""
    page = whole("html")
    folds = re.findall(r"<details(.*?)>\s*<summary>(.*?)</summary>(.*?)(?=<details|\Z)", page, re.DOTALL)
    assert [label for _, label, _ in folds] == [
        "Answer",
        "Solution 1",
        "Solution 2",
        "✓ The number of the solutions agrees",
        "The code",
    ]
    assert [re.findall(r"It is so|8\.32553|said \w+", re.sub(r'"[^"]*"', "", body)) for *_, body in folds] == [
        [],
        ["It is so"],
        ["said third"],
        ["8.32553"],
        ["said first", "said second"],
    ]
    assert not any("open" in attributes for attributes, *_ in folds)


def test_a_page_says_what_a_tick_is_below_its_first_box():
    assert order(page := whole("html"), "needs: <a", LEGEND, "A section") == ["needs: <a", LEGEND, "A section"]
    assert page.count(LEGEND) == 1
    assert LEGEND not in whole("latex")


def test_a_section_whose_checks_are_open_says_at_its_end_how_many_agree():
    cells = [text("# T"), pages.cell(AGREES), text("## A"), pages.cell(AGREES), text("### B"), pages.cell(SLIP)]
    page = pages.clean(*cells, text("## C"), pages.cell(AGREES, tags=["hide-cell"]), conf=CONF)
    said = "✓ The other number of this section agrees"
    assert re.findall('<p class="ndcg-checked d-print-none">(.*)</p>', page) == [said]
    assert page.index('id="b"') < page.index(said) < page.index('id="c"')
    assert "ndcg-checked" not in pages.clean(*cells, conf=CONF, builder="latex")


def test_print_has_answers_in_place_and_solutions_at_the_end_without_their_code():
    page = whole("latex")
    answer = r"\sphinxstylestrong{Answer.}"
    parts = ["Would it change?", answer, "★★} The only", "{Summary}", "{Solutions}", "strong{1.} \n", "said third"]
    parts += ["The number of the solutions agrees."]
    assert order(page, *parts) == parts
    assert r"\label{\detokenize{index:verdict-dcg-2}}" in page
    assert "code first" not in page
    assert not re.search(r"\b(?:show|click|hide)\b", page.partition(r"\chapter")[2], re.IGNORECASE)


SLIP = stored(lambda: check("8.32", 8.32553, "DCG 3", slip="truncated"))


@pytest.mark.parametrize(("said", "output"), [("", AGREES), ("It is so.", SLIP)])
def test_a_verdict_that_is_the_solution_or_a_part_of_it_is_printed_there(said, output):
    solution = f"# Title\n\n**1.** ★ The only one.\n\n:::{{solution}}\n{said}\n:::"
    page = pages.clean(text(solution), cell("check", output), conf=CONF, builder="latex")
    assert "8.32553" in page.partition("{Solutions}")[2]
    assert "of the solutions" not in page


def test_text_has_all_of_it():
    page = whole("text")
    parts = ["After this chapter you can", "**Answer**", "★★ The only one.", "**Solution 1**", "said third"]
    assert order(page, *parts) == parts


SLIPS = [
    # Markdown  line in the cell  what the build says
    (":::{answer}\nYes.\n:::", 1, "answer: expected a question around it"),
    ("::::{question}\nWhy?\n::::", 1, "question: expected some text, and after it one answer"),
    ("::::{question}\n:::{answer}\nYes.\n:::\n::::", 1, "question: expected some text, and after it one answer"),
    (":::{solution}\nSo.\n:::", 1, "solution: expected an exercise above it, such as **1.** ★"),
    (EXERCISES + "\n\n:::{solution}\nSo.\n:::", 9, "solution: expected an exercise above it, such as **1.** ★"),
    (SECOND, 3, "solution: expected text, or a cell with the tag solution"),
    (":::{outcomes}\nOne sentence.\n:::", 1, "outcomes: expected one sentence of summary, and below it a list"),
    (":::{outcomes}\n- a list\n:::", 1, "outcomes: expected one sentence of summary, and below it a list"),
]


@every_row(("markdown", "line", "said"), SLIPS)
def test_a_slip_of_the_author_is_an_error_at_its_line(markdown, line, said):
    _, warnings = pages.chapter(text("# Title"), text(markdown), conf=CONF)
    assert f"index.ipynb:{20001 + line}: ERROR: {said}" in warnings


def test_a_cell_of_a_solution_needs_one_above_it():
    _, warnings = pages.chapter(text("# Title"), cell("lone"), conf=CONF)
    assert "ERROR: tag solution: expected a solution above the cell" in warnings
