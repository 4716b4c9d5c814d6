"""A book on classification, in `examples/classification`, has a subject of its own, whose numbers its build judges."""

import json
import re
import shutil
import sys
from pathlib import Path

import pytest
from commands import run
from rows import every_row

EXAMPLE = Path(__file__).resolve().parent.parent / "examples" / "classification"
SPAM = (9, 3, 2, 86)  # true and false positives, false and true negatives
BUILDS = {
    "sphinx": (sys.executable, "-m", "sphinx", "-W", "-n", "--keep-going", ".", "_build/html"),
    "jupyter-book": (Path(sys.executable).parent / "jupyter-book", "build", ".", "-W", "-n", "--keep-going"),
}
# What the pages state, by hand: printed, computed, the causes that fit
STATED = [
    ("Spam, P", "0.75", 9 / 12, []),
    ("Spam, R", "0.82", 9 / 11, []),
    ("F1 of tp=9, fp=3, fn=2", "0.78", 18 / 23, []),
    ("recall of tp=11, fn=0", "1", 1, []),
    ("prevalence of tp=9, fp=3, fn=2, tn=86", "11%", 11 / 100, []),
    ("The three classes, row 2, F1", "0.80", 40 / 50, []),
    ("The macro precision", "0.835", (9 / 12 + 20 / 24 + 59 / 64) / 3, []),
    ("precision of tp=9, fp=3, fn=2, tn=86", "0.11", 9 / 12, ["prevalence"]),
    ("recall of tp=9, fp=3, fn=2", "0.75", 9 / 11, ["other-errors"]),
    ("precision of newsletters", "0.83", 20 / 24, []),
    ("precision, a student", "0.26", 20 / 24, ["prevalence"]),
    ("F1 of spam", "0.784", 18 / 23, ["arithmetic-mean"]),
]
WRONG = [
    # page, what it has, what is put there, what the build says
    ("lecture.md", "0.78 = f1", "0.87 = f1", "lecture.md:31: WARNING: F1 of tp=9, fp=3, fn=2: stated 0.87"),
    ("lecture.md", "| 59 | 5 | 4 | 32 | 0.92", "| 59 | 5 | 4 | 32 | 0.93", "row 3, precision: stated 0.93"),
    ("lecture.md", "9 + 2} = 0.82", "9 + 2} = 0.81", "Spam, R: stated 0.81, computed 0.81818: a slip that the page"),
    ("lecture.md", "slip=prevalence", "slip=truncated", "declares slip=truncated, but the printed value is consistent"),
    (
        "lecture.md",
        "f1(tp=9; fp=3; fn=2)",
        "f1(tp=9; fp=3)",
        "expected fn for f1, as in precision(tp=9; fp=3)",
    ),
    (
        "lecture.md",
        "R &= \\frac{9}{9 + 2}",
        "Q &= \\frac{9}{9 + 2}",
        "a line that begins with one of precision, recall",
    ),
    ("classification.py", '"prevalence", "the share of', '"shared", "the share of', "slip: expected one of quantity, "),
    ("classification.py", '"other-errors", "false', '"other-errors", "" and "', "ndcg_subjects: classification: "),
    ("classification.py", '"arithmetic-mean"', '"term"', "expected a code of its own for each cause, got 'term' twice"),
    ("conf.py", '["classification"]', '["clasification"]', "ndcg_subjects: clasification: No module named"),
]


def built(folder, builder="sphinx"):
    done = run(*BUILDS[builder], path=EXAMPLE.parents[1], cwd=folder)
    return done.returncode, re.sub(r"\x1b\[[0-9;]*m", "", done.stdout + done.stderr)


@pytest.fixture(scope="module", params=BUILDS)
def book(request, tmp_path_factory):
    """The pages and the ledger."""
    folder = tmp_path_factory.mktemp("book") / "copy"
    shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns("_build", "__pycache__"))
    code, said = built(folder, request.param)
    assert code == 0, said
    ledger = json.loads((folder / "_build" / "html" / "ndcg-ledger.json").read_text(encoding="utf-8"))
    return (folder / "_build" / "html" / "lecture.html").read_text(encoding="utf-8"), ledger


@pytest.mark.built
def test_its_numbers_are_judged_and_its_slips_are_named(book):
    _, ledger = book
    found = {entry["name"]: entry for entry in ledger["entries"]}
    for name, stated, computed, causes in STATED:
        entry = found[name]
        assert (entry["stated"], entry["causes"]) == (stated, causes)
        assert entry["computed"] == pytest.approx(computed, abs=1e-11)
    counts = ledger["counts"]
    assert (counts["checked"], counts["agrees"], counts["slip"]) == (23, 19, 4)


@pytest.mark.built
def test_a_display_with_two_results_has_two_ticks_and_a_cause_leads_to_its_section(book):
    page, _ = book
    margins = re.search(r'<div class="ndcg-margins docutils container">(.*?)</div>', page, re.DOTALL)[1]
    assert re.findall(r'id="(verdict-[\w-]+)"', margins) == ["verdict-spam-p", "verdict-spam-r"]
    assert margins.count("✓") == 2
    assert 'id="cause-prevalence"' in page


NOTE = """\
Spam has a precision of 0.75 <!-- ndcg: precision(tp=9; fp=3) -->.

<!-- ndcg: tp=9; fp=3; fn=2; tn=86 -->

Its recall is 0.81 <!-- ndcg: recall -->, its precision 0.11 <!-- ndcg: precision -->, and its
F1 0.78 <!-- ndcg: f1 -->. An NDCG of 0.94 <!-- ndcg: ndcg(3, 0, 2) --> has a recall of
0.50 <!-- ndcg: recall(1, 0; R=2) --> beside it.
"""
IN_NOTE = [
    "5:15: ✗ slip: recall of tp=9, fp=3, fn=2, tn=86: stated 0.81, computed 0.81818, correct 0.82; consistent",
    "5:57: ✗ slip: precision of tp=9, fp=3, fn=2, tn=86: stated 0.11, computed 0.75000, correct 0.75; consistent wi",
    "6 found: 4 agrees, 2 slip (1 in the last digit)",
]


def test_the_comments_of_a_note_know_its_quantities_beside_those_of_rankings(tmp_path):
    (tmp_path / "note.md").write_text(NOTE, encoding="utf-8")
    command = (sys.executable, "-m", "ndcg_ref", "check", "note.md")
    shutil.copy(EXAMPLE / "classification.py", tmp_path)
    done = run(*command, "--subject", "classification", path=EXAMPLE.parents[1], cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    assert [line for line in IN_NOTE if line not in done.stdout] == []
    done = run(*command, "--subject", "clasification", path=EXAMPLE.parents[1], cwd=tmp_path)
    assert (done.returncode, done.stderr.strip()) == (
        2,
        "ndcg-ref check: clasification: No module named 'clasification'",
    )


@pytest.mark.built
@every_row("case", WRONG)
def test_what_is_wrong_stops_the_build(case, tmp_path):
    name, right, wrong, expected = case
    folder = tmp_path / name / str(WRONG.index(case))
    shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns("_build", "__pycache__", "exercises.ipynb"))
    (folder / "index.md").write_text("# Mine\n\n```{toctree}\nlecture\n```\n", encoding="utf-8")
    text = (folder / name).read_text(encoding="utf-8")
    assert text.count(right) == 1
    (folder / name).write_text(text.replace(right, wrong), encoding="utf-8")
    code, said = built(folder)
    assert code != 0
    assert expected in said
    assert ("reading sources" in said) == ("ndcg_subjects" not in expected and "twice" not in expected)


def test_it_has_at_most_120_lines_of_python():
    cells = json.loads((EXAMPLE / "exercises.ipynb").read_text(encoding="utf-8"))["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    files = [(EXAMPLE / name).read_text(encoding="utf-8") for name in ("classification.py", "conf.py")]
    assert 60 < sum(len(each.splitlines()) for each in (*code, *files)) <= 120
