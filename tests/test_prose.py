"""No number on trust, in prose either: what a chapter's text claims is held by a cell."""

import json

import pytest
from rows import every_row

from ndcg_ref.sphinx_ext.drawing import draw
from ndcg_ref.stated.display import MIME
from tools.checks import prose
from tools.checks.prose import Held, ProseClaim

CHAPTERS = prose.chapters()
assert CHAPTERS


@every_row("chapter", CHAPTERS)
def test_nothing_in_a_chapter_is_taken_on_trust(chapter):
    found = prose.check(chapter)
    assert not found, "\n" + "\n".join(found)


HELD = Held(
    outputs="rank 2: 0.631 for D1, 2.00 for D2\n"
    "✓ agrees: With base 10 the first ten ranks are not discounted\n"
    "304 of 1,023 rankings",
    code="grades = [3, 0, 2]\ncheck_equation(r'CG = 3 + 0 + 2 = 5', ...)\n| 1 | 3 | 2.00 |\nf'from {0} to 15', 1/4",
    statements={
        "#late": "✓ agrees: With base 10 the first ten ranks are not discounted",
        "#false": "✗ slip: It is always so; not so: n = 1 (why)",
    },
    numbers={
        "#verdict-term": ("✓ agrees: term: stated 0.631, computed 0.630930", "0.631"),
        "#verdict-count": ("✓ agrees: count: stated 1023, computed 1023", "1023"),
        "#verdict-of-the-note": ("✗ slip: term: stated 0.64, computed 0.630930", "2.00"),
    },
    notation=r"\log_2r",
)

COMPARES = "compares (always) and links to no statement of a cell"
MISNAMED = "links '0.630' to #verdict-term, which is the verdict of '0.631'"

FOUND = [
    # Markdown  what is found  why
    ("It is 0.631.", [], "a cell printed it"),
    ("It is 0.632.", ["0.632"], "no cell did"),
    ("There are 1,023 of them.", [], "a whole number of several groups"),
    ("There are 15 of them.", ["15"], "the code has it, but no cell printed it"),
    ("At rank 3 it falls, in D12.", [], "a rank, a grade, a part of a name are not looked up"),
    ("The grades are 3, 0, 2.", [], "a list that the code has"),
    ("The grades are 3, 0, 1.", ["3, 0, 1"], "a list that it has not"),
    ("The ranks 1, 2 and 3 count.", [], "one that counts up by one is no list of grades"),
    ("The grades are 0 to 15.", [], "a line has both ends"),
    ("It moves from 0.631 to 0.632.", ["0.632"], "a range of decimals is held by its ends"),
    ("$CG = 3 + 0 + 2 = 5$", [], "a line that a cell checks"),
    ("$3 \\cdot 2 = 6$", [], "an equation that is true"),
    ("$3 \\cdot 2 = 7$", ["3 \\cdot 2 = 7 (is not so)"], "one that is false"),
    ("$$\n3 + 2 = 6\n$$", ["3 + 2 = 6 (is not so)"], "one on a line of its own"),
    ("$p = 0.5$", ["0.5"], "nothing to compare, so that the decimal counts"),
    ("| 1 | 3 | 2.00 |\n| - | - | - |", [], "a row that a cell checks"),
    ("| 1 | 2 | 2.00 |\n| - | - | - |", ["| 1 | 2 | 2.00 |"], "a row that none does"),
    ("| rank 1 | it is 2.00 |\n| - | - |", [], "a row of words is read like a sentence"),
    ("| rank 1 | always |\n| - | - |", [COMPARES], "and needs the link of one that compares"),
    ("| rank 1 | [always](#late) |\n| - | - |", [], "which a cell has"),
    ("This is [always](#late) so.", [], "with its label"),
    ("This is [so](#early).", ["links to #early, which is no verdict of a cell"], "a label that nothing has"),
    ("This is [always](#false) so.", ["links to #false, which does not hold"], "a false one"),
    ("It is [0.631](#verdict-term).", [], "the verdict of a number"),
    ("It is [0.630](#verdict-term).", [MISNAMED, "0.630"], "the verdict of another number"),
    ("[0.631](#verdict-term) is always so.", [COMPARES], "which holds no comparison"),
    ("It is [2.00](#verdict-of-the-note).", ["links to #verdict-of-the-note, which does not hold"], "a slip"),
    ("The note says that it is [always](#false) so.", [], "a false one that a note makes"),
    ("This is [always](other.ipynb#late) so.", [COMPARES], "a statement of another chapter is not enough"),
    ("Is this always so?", [], "a question claims nothing"),
    ("$$\n1 + 2 \\\\ = 4\n$$", ["1 + 2 \\\\ = 4 (is not so)"], "a line that goes on with the one before it"),
    ("`x = 3.5` {cite}`a2002` [so](a-7.5.ipynb)", [], "code, citations and link targets are no prose"),
    ("{cite}`a2002`, page 77, and {cite}`a2002` (Section 2.1)", [], "nor is the place in a source"),
    (":::{outcomes}\n:needs: [Gain](gain.ipynb)\n\nIt is 0.9.\n\n- say 0.8.\n:::", ["0.9", "0.8"], "a box"),
    ("```{ndcg} DCG\n:grades: 3, 0\n\nDCG = 3 + 0 = 3.00\n```", [], "the build judges what the directive has"),
    ("::::{question}\nIs it 0.9?\n\n:::{answer}\nIt is 0.8.\n:::\n::::", ["0.9", "0.8"], "an answer in a question"),
    (":::{solution}\nIt is 0.9.\n:::", ["0.9"], "a solution"),
    ("1/4 of it", [], "one that the code has"),
]


@every_row(("markdown", "expected", "why"), FOUND)
def test_what_nothing_holds_is_found(markdown, expected, why):
    assert [what for claim in prose.in_markdown(markdown, "here") for what in prose.unheld(claim, HELD)] == expected


@pytest.fixture
def chapter(tmp_path):
    """A notebook of one cell, which draws a figure and checks a statement."""
    metadata = {
        "mystnb": {"image": {"alt": "It is at most 7."}, "figure": {"caption": "It is 8.5."}},
        "ndcg_ref": {"holds": {"at most": "#late"}},
    }
    verdict = {"kind": "sentence", "label": "late", "line": "✓ agrees: It is at most 7"}
    output = {"data": {MIME: {"verdicts": [verdict]}, "text/plain": verdict["line"]}}
    cell = {"cell_type": "code", "source": "x = 1  # 8.5\n", "outputs": [output], "metadata": metadata}
    path = tmp_path / "x.ipynb"
    path.write_text(json.dumps({"cells": [cell]}), encoding="utf-8")
    return path


def test_captions_and_alt_texts_are_checked_as_prose(chapter):
    assert list(prose.claims(chapter)) == [
        ProseClaim("It is 8.5.", f"{chapter}, cell 1, caption"),
        ProseClaim("It is at most 7.", f"{chapter}, cell 1, alt text", links=(("at most", "#late"),)),
    ]


def test_what_a_drawing_shows_was_said(tmp_path, capsys):
    draw({"As retrieved": [2, 3]})
    output = {"data": {"text/plain": capsys.readouterr().out}}
    asserted = {"cell_type": "markdown", "source": "The second adds 1.89 of 3.893, not 1.90.", "metadata": {}}
    drawn = {"cell_type": "code", "source": "draw(...)", "outputs": [output], "metadata": {}}
    path = tmp_path / "x.ipynb"
    path.write_text(json.dumps({"cells": [asserted, drawn]}), encoding="utf-8")
    assert [line.partition(": ")[2].partition(",")[0] for line in prose.check(path)] == ["1.90"]


def test_what_nothing_holds_is_printed_with_its_place(chapter):
    with pytest.raises(SystemExit) as ended:
        prose.main([str(chapter)])
    assert ended.value.code == f"{chapter}, cell 1, caption: 8.5, in: It is 8.5."
