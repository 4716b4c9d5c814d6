"""Prose has a tick where it repeats what a check found, and the checks of a section are one fold at its end."""

import re
from functools import partial

import pages
import pytest
from docutils import nodes
from pages import cell as run
from pages import stored, text
from rows import every_row

from ndcg_ref.sphinx_ext.folds import put_at_end
from ndcg_ref.stated import Column, check_equation, check_table, holds, judge
from ndcg_ref.stated.display import bundle

pytestmark = pytest.mark.built

CONF = pages.conf(
    *("myst_nb", "ndcg_ref.sphinx_ext"),
    myst_enable_extensions=["amsmath", "dollarmath"],
    myst_heading_anchors=2,
    nb_render_markdown_format="myst",
)
JOINED = "\u2060"
NUMBER = bundle([judge("0.895", 0.895413, "NDCG").record()])
SLIP = bundle([judge("8.32", 8.32553, "DCG 2").record()])
UNCHECKED = bundle([judge("0.5", None, "MAP", reason="no run").record()])
MARKDOWN = "| n | CG |\n| --- | ---: |\n| $1$ | 2 |\n| 2 | 5 |"
LONG = r"x = \frac{1}{2}+\frac{1}{2}+\frac{1}{2}+\frac{1}{2}+\frac{1}{2} = 2.5"


LINE = stored(lambda: check_equation("1 + 2 = 3.0", "sum"))
LONG_LINE = stored(lambda: check_equation(LONG, "long sum"))
WRONG_LINE = stored(lambda: check_equation("1 + 2 = 4.0", "wrong", slip="unexplained"))
TABLE = stored(lambda: check_table("n | CG\n1 | 2\n2 | 5", {"n": None, "CG": [2, 5]}, "T"))
TABLE_WITH_SLIP = stored(
    lambda: check_table("n | CG\n1 | 2\n2 | 6", {"n": None, "CG": Column([2, 5], slips={2: "unexplained"})}, "S")
)
COLUMNS = "n | CG | DCG\n1 | 2 | 2\n2 | 5 | 4"
WIDE = stored(lambda: check_table(COLUMNS, {"n": None, "CG": [2, 5], "DCG": [2, 4]}, "W"))
DCG_SLIPS = Column([2, 3], slips={2: "unexplained"})
WIDE_WITH_SLIP = stored(lambda: check_table(COLUMNS, {"n": None, "CG": [2, 5], "DCG": DCG_SLIPS}, "W"))
STATEMENT = stored(lambda: holds("The first wins", True, label="first-wins"))


def cell(*outputs, tags=("hide-cell",), code="code", **metadata):
    return run(*outputs, code=code, tags=list(tags), **metadata)


TITLE, PRINTED = text("# Title"), {"text/plain": "1"}
chapter, clean = (partial(function, conf=CONF) for function in (pages.chapter, pages.clean))


def html_tick(outcome, label, title, mark):
    kind = f'class="ndcg-tick ndcg-{outcome} reference internal"'
    return f'<a {kind} href="#{label}" title="{title}">{mark}</a>'


AGREES = html_tick("agrees", "verdict-ndcg", "agrees: computed 0.895413, NDCG", "✓")
WRONG = html_tick("slip", "verdict-dcg-2", "slip: printed 8.32, computed 8.32553, correct 8.33, DCG 2", "✗")
UNKNOWN = html_tick("unchecked", "verdict-map", "unchecked: no run, MAP", "○")
SUM = html_tick("agrees", "verdict-sum", "agrees: computed 3.0000, sum", "✓")
FIRST = html_tick("agrees", "verdict-t-row-1-cg", "agrees: computed 2.000, T, row 1, CG", "✓")
MARGIN = '<p class="ndcg-margin"><a class="ndcg-tick ndcg-agrees'

TICKS = [
    # builder, prose, what is on the page, why
    ("html", "It is [0.895](#verdict-ndcg).", f"0.895{AGREES}</span>.", "a number"),
    ("html", "So [8.32](#verdict-dcg-2).", f"8.32{WRONG}</span>.", "a slip"),
    ("html", "So [0.5](#verdict-map).", f"0.5{UNKNOWN}</span>.", "what could not be checked"),
    ("html", "So $1+2 = 3.0$.", f"\\(1+2 = 3.0\\)</span>{JOINED}{SUM}</span>.", "a formula in a sentence"),
    ("html", "$$\n1 + 2 = 3.0\n$$", f"</div>\n{MARGIN}", "a displayed formula"),
    ("html", f"$$\n{LONG}\n$$", r"x &amp;= \frac{1}{2}", "too long, broken as the line of a note is"),
    ("html", MARKDOWN, f'<td class="text-right"><p>2{FIRST}</p>', "a table"),
    ("latex", "$$\n1 + 2 = 3.0\n$$", "3.0\\end{split}\\tag*{$\\checkmark$}\\end{equation*}", "in the margin of print"),
    ("latex", "$$\n1 + 2 = 3.0\n$$ (eq)", "3.0 \\quad \\checkmark", "beside a number in print"),
]


def test_a_display_with_two_results_has_a_tick_for_each():
    other = stored(lambda: check_equation("a = 2/1 = 2.0", "a"))
    lines = "\\begin{align*}1 &+ 2 = 3.0 \\\\ a &= 2/1 \\\\ &= 2.0\\end{align*}"
    page = clean(text(f"# Title\n\n$$\n{lines}\n$$\n\n## Checks"), cell(LINE, other)).partition("Checks")[0]
    assert re.findall(r'class="ndcg-tick[^>]*href="#([^"]+)"', page) == ["verdict-sum", "verdict-a"]


@every_row(("builder", "prose", "expected", "why"), TICKS)
def test_prose_has_a_tick_where_it_repeats_a_check(builder, prose, expected, why):
    checks = cell(NUMBER, STATEMENT, SLIP, UNCHECKED, LINE, LONG_LINE, TABLE)
    page = clean(text(f"# Title\n\n{prose}\n\n## Checks"), checks, builder=builder)
    assert expected in page.partition("Checks")[0]


NO_TICK = [
    # prose, why
    ("So $1 + 2 = 4.0$.", "another formula"),
    (MARKDOWN.replace("| 5", "| 6"), "another table"),
    ("The [other page](other.md) and [its section](other.md#verdict-ndcg).", "a link that leads elsewhere"),
    ("# A heading on $1 + 2 = 3.0$", "a heading, which the contents repeat"),
]


@every_row(("prose", "why"), NO_TICK)
def test_nothing_else_has_a_tick(prose, why):
    other = "---\norphan: true\n---\n# Other\n\n## Verdict NDCG\n"
    cells = text(f"# Title\n\n{prose}\n\n## Checks"), cell(NUMBER, LINE, TABLE)
    assert "ndcg-tick" not in clean(*cells, others=[("other.md", other)]).partition("Checks")[0]


def test_a_link_to_no_verdict_is_a_warning_at_its_line():
    _, warnings = chapter(text("# Title\n\nIt is [0.895](#verdict-dcg)."), cell(NUMBER))
    assert re.search(r"index\.ipynb:10004: .*'myst' cross-reference target not found: 'verdict-dcg'", warnings)


IN_PLACE = [
    # output, what is on the page, how many times it says that something agrees, why
    (LINE, 'id="verdict-sum">\n<div class="math notranslate nohighlight">', 0, "a line is its formula and a tick"),
    (TABLE, f'id="verdict-t-row-1-cg">2{FIRST}', 0, "a cell is its number and a tick"),
    (NUMBER, "✓ agrees</strong> 0.895 for NDCG: computed 0.895413", 1, "a number alone says what it is"),
    (WRONG_LINE, 'id="verdict-wrong">\n<p><strong class="ndcg-mark">✗ slip</strong> wrong', 0, "a slip is a box"),
    (TABLE_WITH_SLIP, '<span class="ndcg-struck"><strong class="ndcg-digit">6</strong></span> ', 0, "struck in a cell"),
    (TABLE_WITH_SLIP, 'href="#verdict-s-row-2-cg-detail"', 0, "whose mark leads to the box below the table"),
]


@every_row(("output", "expected", "agrees", "why"), IN_PLACE)
def test_an_open_output_stands_in_place(output, expected, agrees, why):
    page = clean(TITLE, cell(output, tags=()))
    assert expected in page
    assert re.sub(r'title="[^"]*"', "", page).count("agrees</") == agrees


ROW_MARKS = [
    # output, how many ticks and crosses, why
    (WIDE, {"✓": 2, "✗": 0}, "a row that agrees has one tick"),
    (WIDE_WITH_SLIP, {"✓": 2, "✗": 1}, "in one with a slip each number has its mark"),
]


@every_row(("output", "expected", "why"), ROW_MARKS)
def test_a_printed_table_has_one_mark_in_a_row_that_agrees(output, expected, why):
    """On a page and in a notebook; each number keeps its label and its class."""
    page = clean(TITLE, cell(output, tags=()))
    body = page[page.index("<tbody>") : page.index("</tbody>")]
    assert {sign: len(re.findall(f"<a [^>]*ndcg-tick[^>]*>{sign}</a>", body)) for sign in expected} == expected
    assert re.findall(r'id="verdict-w-row-\d-d?cg"', body) == re.findall(r'id="[^"]*"', body)
    html = output["text/html"].partition("</table>")[0]
    assert {sign: html.count(sign) for sign in expected} == expected
    assert html.count("ndcg-verdict") == 4


CAUSES = "---\norphan: true\n---\n# Causes\n\n(cause-truncated)=\n## Cut\n"


def test_a_cause_links_to_its_explanation_where_the_book_has_one():
    page = clean(TITLE, cell(SLIP, tags=()), others=[("causes.md", CAUSES)])
    assert re.search(r'<span class="ndcg-cause"><a [^>]*href="causes\.html#cause-truncated"[^>]*>.*truncated', page)


LABELS = [
    # tags, outputs, metadata, the line of the fold, and of one in it
    (["hide-input"], [NUMBER], {}, "How these numbers were checked"),
    (["hide-input"], [{"image/svg+xml": "<svg></svg>"}], {}, "How the figure is drawn"),
    (["hide-input"], [{"text/markdown": MARKDOWN}], {}, "How the table is made"),
    (["hide-input"], [PRINTED], {}, "The code"),
    (["hide-cell"], [NUMBER, STATEMENT], {}, "✓ The number and statement above agree / The code"),
    (["hide-cell"], [NUMBER, PRINTED], {}, "✓ The number above agrees / The code"),
    (["hide-cell"], [SLIP, NUMBER], {}, "✓ The other number above agrees / The code"),
]


@every_row(("tags", "outputs", "metadata", "line"), LABELS)
def test_a_fold_says_what_is_behind_it(tags, outputs, metadata, line):
    page = clean(TITLE, cell(*outputs, tags=tags, **metadata))
    folds = re.findall(r"<details[^>]*><summary>(.*?)</summary>", page)
    assert " / ".join(each for each in folds if each != "Evidence") == line
    assert "Show code cell" not in page


def test_a_prompt_of_its_own_is_kept():
    own = {"mystnb": {"code_prompt_show": "Ask me", "code_prompt_hide": "Enough"}}
    page = clean(TITLE, cell(NUMBER, tags=["hide-cell"], **own))
    assert "Ask me" in page
    assert "ndcg-checked" not in page


QUESTION = "```{container} ndcg-question\nWhy?\n```"
ORDER = [
    # cells, the pieces of the page in order, why
    (
        [text("## A"), cell(NUMBER), text("Later."), cell(STATEMENT), text("Last.\n\n## B")],
        ["Later.", "Last.", "The number and statement of this section agree", "0.895", "The first wins", ">B<"],
        "two cells, one fold at the end of their section",
    ),
    (
        [text("## A\n\n### A1"), cell(NUMBER), text(f"### A2\n\nLater.\n\n{QUESTION}\n\n(there)=\n## B")],
        [">A1<", ">A2<", "Later.", "The number of this section agrees", "Why?", ">B<"],
        "a section holds its subsections",
    ),
    (
        [text("Begin."), cell(NUMBER), text("Go on.\n\n## A\n\nLater.")],
        ["Begin.", "Go on.", "The number above agrees", ">A<", "Later."],
        "the introduction has a fold of its own",
    ),
    (
        [text("## A"), cell(SLIP, NUMBER, code="what checks"), text("Later.\n\n## B")],
        ["✗ slip", "Later.", "The other number of this section agrees", "0.895413", "The code", "what", ">B<"],
        "what does not agree stays, and the code goes with the rest",
    ),
    (
        [text("## A"), cell(SLIP, tags=()), cell(NUMBER), text("## B"), cell(STATEMENT)],
        ["✗ slip", "The other number of this section agrees", ">B<", "The statement of this section agrees"],
        "what does not agree may stand in another cell",
    ),
    (
        [text("## A"), cell(NUMBER, tags=["hide-cell", "solution"]), text("Later."), cell(STATEMENT)],
        ["0.895", "Later.", "The statement of this section agrees"],
        "a solution stays where it is",
    ),
]


@every_row(("cells", "pieces", "why"), ORDER)
def test_the_checks_of_a_section_are_one_fold_at_its_end(cells, pieces, why):
    page = clean(TITLE, *cells)
    article = page[page.index("<h1") :]
    places = [article.index(piece) for piece in pieces]
    assert places == sorted(places)


def test_a_fold_of_checks_has_a_table_and_the_statements_before_its_code():
    checks = cell(LINE, TABLE, NUMBER, STATEMENT, PRINTED, code="what checks")
    page = clean(text("# Title\n\n## A"), checks, text("## B"))
    fold = re.search(r'<details class="ndcg-checked.*(?=<section id="b")', page, re.DOTALL)[0]
    table, code = fold.split("The code</summary>")
    rows = re.findall(r"<tr.*?</tr>", table, re.DOTALL)
    assert [re.findall(r"<p[^>]*>(.*?)</p>", row) for row in rows] == [
        ["", "stated", "computed"],
        ["sum", "3.0", "3.0000"],
        ["T, row 1, CG", "2", "2.000"],
        ["T, row 2, CG", "5", "5.000"],
        ["NDCG", "0.895", "0.895413"],
    ]
    assert 'id="first-wins"' in table
    assert "✓ The first wins" in table
    assert table.count("ndcg-verdict ndcg-agrees") == 5
    assert [piece in code for piece in ("what", "checks", ">1\n<", "ndcg-verdict")] == [True, True, True, False]


ROW = stored(lambda: check_table("n | CG | DCG\n1 | 2 | 3\n2 | 5 | 6", {"n": None, "CG": [2, 5], "DCG": [3, 6]}, "R"))


def test_a_row_of_a_table_has_one_tick():
    page = clean(text("# Title\n\n| n | CG | DCG |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n| 2 | 5 | 6 |"), cell(ROW))
    prose = page.partition("<details")[0]
    assert re.findall(r'href="#(verdict[^"]+)" title="([^"]+)"', prose) == [
        ("verdict-r-row-1-dcg", "agrees: computed 2.000, 3.000"),
        ("verdict-r-row-2-dcg", "agrees: computed 5.000, 6.000"),
    ]


def test_the_printed_book_has_the_line_and_the_anchors_of_a_fold():
    cells = [text("# Title\n\n## A\n\nSee [it](#verdict-ndcg)."), cell(NUMBER, code="what checks"), text("The end.")]
    page = clean(*cells, builder="latex")
    assert "The number of this section agrees." in page
    assert r"\label{\detokenize{index:verdict-ndcg}}" in page
    assert "0.895413" not in page
    assert "checks" not in page


def test_a_target_stays_right_before_the_section_that_it_leads_to():
    """Between them the fold of the section before would give its label to both of them on paper."""
    inner = nodes.section("", nodes.title(text="Inner"), nodes.paragraph(text="text"), nodes.target(refid="next"))
    outer = nodes.section("", nodes.title(text="Outer"), inner)
    _ = nodes.section("", nodes.title(text="Page"), outer, nodes.section("", nodes.title(text="Next"), ids=["next"]))
    put_at_end(outer, nodes.container())
    assert [type(each) for each in outer] == [nodes.title, nodes.section, nodes.container, nodes.target]
