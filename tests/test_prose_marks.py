"""With `ndcg_check_prose` the numbers of the prose are judged, marked and counted; a slip is warned of at its line."""

import json
import re

import pytest
from built_pages import Built, in_order
from pages import cell, notebook, text
from rows import every_row

from ndcg_ref.notes import Finding
from ndcg_ref.sphinx_ext.prose_numbers import stated_in, verdict_of
from ndcg_ref.stated import judge

pytestmark = pytest.mark.built

CONF = 'extensions = ["myst_nb", "ndcg_ref.sphinx_ext"]\n'
GRADES = "The grades are 3, 0, 2, best rank first."
DCG, SLIP = r"\mathrm{DCG} = 3 + 0 + 1 = 4.00", r"\mathrm{DCG} = 3 + 0 + 1 = 4.10"
IDCG = r"\mathrm{IDCG} = 3 + 1.26 + 0 = 4.26"
TICK = 'class="ndcg-tick ndcg-agrees'
CROSS = 'class="ndcg-tick ndcg-slip'
WARNS = "✗ slip: DCG: stated 4.10, computed 4.00000, correct 4.00; "
TABLE = "| rank | grade | DCG |\n|---|---|---|\n| 1 | 3 | 3.00 |\n| 2 | 0 | 3.00 |\n| 3 | 2 | {} |"

MARKED = [
    # what is written, what the page has, how many ticks and crosses, the warning, and its line in the piece
    (f"{GRADES}\nSo ${DCG}$ here.", [rf"\({DCG}\)</span>⁠<a {TICK}"], (1, 0), "", 0),
    (f"{GRADES}\nSo ${SLIP}$ here.", [f"<a {CROSS}", "printed 4.10, computed 4.00000, correct 4.00"], (0, 1), WARNS, 1),
    (f"{GRADES}\n\n$$\n{DCG}\n$$", ['<p class="ndcg-margin"><a ' + TICK], (1, 0), "", 0),
    (f"{GRADES}\n\n$$\n{SLIP}\n$$", ['<p class="ndcg-margin"><a ' + CROSS], (0, 1), WARNS, 3),
    (f"{GRADES}\n\n$$\n{DCG} \\\\ {IDCG}\n$$", ['<div class="ndcg-margins docutils container">'], (2, 0), "", 0),
    (f"{GRADES}\n\n$$\n{SLIP} \\\\\n{IDCG}\n$$", ["ndcg-margins"], (1, 1), WARNS, 3),
    (f"{GRADES} And `DCG = 3 + 0 + 1 = 4.00` too.", [f"</code><a {TICK}"], (1, 0), "", 0),
    (GRADES + "\n\n" + TABLE.format("4.00"), ['<td><p>3</p></td>\n<td><p><span class="ndcg-ticked"'], (3, 0), "", 0),
    (GRADES + "\n\n" + TABLE.format("4.10"), [f"<span>4.10</span><a {CROSS}"], (2, 1), WARNS, 6),
    (f"{GRADES} So ${SLIP}$. <!-- ndcg-ref: ignore -->", [f"<a {CROSS}"], (0, 1), "expected a reason behind", 0),
    ("In 2019 the mean NDCG of 0.41 rose in section 3.1.", [], (0, 0), "", 0),
    (f"{GRADES} [So ${DCG}$](https://example.org)", [], (0, 0), "", 0),  # a link holds no other one
    (f"```{{ndcg}} DCG\n:grades: 3, 0, 2\n{DCG}\n```", ["ndcg-printed"], (1, 0), "", 0),
    ("```python\nDCG = 3 + 0 + 1 = 4.10\n```", ["<pre>"], (0, 0), "✗ slip: DCG: stated 4.10", 1),
]
SIMPLE = """\
====  =====  ====
rank  grade  DCG
====  =====  ====
1     3      3.00
2     0      3.00
3     2      4.00
====  =====  ===="""
IN_RST = [
    (f"{GRADES}\nSo :math:`{DCG}` here.", [rf"\({DCG}\)</span>⁠<a {TICK}"], (1, 0), "", 0),
    (f"{GRADES}\n\n.. math::\n\n   {SLIP}", [f"<a {CROSS}"], (0, 1), WARNS, 4),
    (f"{GRADES}\n\n{SIMPLE}", [], (3, 0), "", 0),
    (f"{GRADES} :ndcg:`4 = dcg(3, 0, 2)`", [f">4<a {TICK}"], (1, 0), "", 0),
    (f"{GRADES}\n\n.. ndcg:: DCG\n   :grades: 3, 0, 2\n\n   {DCG}", ["ndcg-printed"], (1, 0), "", 0),
]


def chapter(pieces):
    """A notebook with the pieces as Markdown cells, each below its heading."""
    texts = [text(f"## Case {i}\n\n{piece}") for i, piece in enumerate(pieces)]
    return notebook(text("# Notebook"), *texts, cell(code=SLIP, printed=f"{GRADES} {SLIP}"))


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    marked, in_rst = [row[0] for row in MARKED], [row[0] for row in IN_RST]
    pages = {
        "index.md": in_order(marked, "# Prose\n\n"),
        "chapter.ipynb": (chapter(marked), [0] * len(marked)),
        "prose.rst": in_order(in_rst, ":orphan:\n\nProse\n=====\n\n"),
    }
    return Built(tmp_path_factory.mktemp("prose"), pages, f"{CONF}ndcg_check_prose = True")


def counted(section):
    return section.count(TICK), section.count(CROSS)


PIECES = [
    (page, i, *row[1:]) for page, rows in (("index.md", MARKED), ("prose.rst", IN_RST)) for i, row in enumerate(rows)
]


@every_row("page, i, shown, marks, warning, line", PIECES)
def test_prose_in_markdown_and_restructured_text_is_marked_and_warned_of_at_its_line(
    built, page, i, shown, marks, warning, line
):
    built.shows(page, i, shown, warning, line)
    assert counted(built.sections[page][i]) == marks


@every_row("i", range(len(MARKED)))
def test_prose_in_a_notebook_is_marked_and_warned_of_by_cell_and_line(built, i):
    _, shown, marks, warning, line = MARKED[i]
    section = built.sections["chapter.ipynb"][i]
    assert [text for text in shown if text not in section] == []
    assert counted(section) == marks
    place = f"chapter.ipynb:cell {i + 2}, line {line + 3}: WARNING: "  # below the title, and below its heading
    warned = "\n".join(each for each in built.warnings if place in each)
    assert bool(warned) == bool(warning), warned
    assert warning in warned


def test_each_mark_is_in_the_ledger_of_the_build(built):
    ledger = json.loads((built.outdir / "ndcg-ledger.json").read_text(encoding="utf-8"))
    marks = 0
    for name in built.sections:
        page = (built.outdir / name).with_suffix(".html").read_text(encoding="utf-8")
        marked = re.findall(r'href="#((?:prose|verdict)-[^"]+)" title="(\w+):', page)
        entries = {each["label"]: each["outcome"] for each in ledger["entries"] if each["chapter"] == name}
        assert marked
        assert [(label, word) for label, word in marked if entries.get(label.removesuffix("-detail")) != word] == []
        marks += len(marked)
    assert marks < ledger["counts"]["checked"]  # terms within a formula are counted as well
    assert ledger["counts"]["slip"] == sum(each["outcome"] == "slip" for each in ledger["entries"]) > 0


def test_without_the_option_prose_is_as_it_was(tmp_path):
    pages = {"index.md": in_order([row[0] for row in MARKED if "{ndcg}" not in row[0]], "# Prose\n\n")}
    built = Built(tmp_path, pages, CONF)
    assert [each for each in built.warnings if each.strip()] == []
    assert all(counted(section) == (0, 0) for section in built.sections["index.md"])
    assert not (built.outdir / "ndcg-ledger.json").exists()


@every_row("broken", ["{", '{"cells": 1}'])
def test_the_prose_of_a_broken_notebook_is_refused(broken):
    with pytest.raises(ValueError, match="expected a notebook in JSON with cells"):
        stated_in(broken, ".ipynb")


def test_a_page_that_meets_a_bug_is_warned_of_and_the_others_are_marked(tmp_path, bug):
    other = in_order([f"{GRADES} {SLIP}"], "---\norphan: true\n---\n\n# B\n\n")
    pages = {"index.md": in_order([bug], "# Prose\n\n"), "b.md": other}
    built = Built(tmp_path, pages, f"{CONF}ndcg_check_prose = True")
    (warned,) = [each for each in built.warnings if "index.md" in each]
    assert "WARNING: this is a bug of ndcg-ref, please report it: IndexError in ndcg_ref/notes/reading.py" in warned
    assert counted(built.sections["b.md"][0])[1] == 1


@every_row(("outcome", "verdict"), [("agrees", "agrees"), ("consistent", "unchecked")])
def test_a_number_that_the_page_does_not_name_has_no_mark_of_agreement(outcome, verdict):
    finding = Finding(0, 4, 1, 1, "0.94", judge("0.94", 0.938557, "NDCG@3"), outcome)
    assert verdict_of(finding).outcome == verdict
