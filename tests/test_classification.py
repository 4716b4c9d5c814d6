"""A book on classification, in `examples/classification`, has a subject of its own, whose numbers its build judges."""

import json
import re
import shutil
import sys
from pathlib import Path

import pytest
from built_books import WITH_PATH, built, verdicts, with_each
from commands import run
from rows import every_row

from ndcg_ref.stated import subject
from ndcg_ref.stated.grammar import load_subject

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = ROOT / "examples" / "classification"
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
    ("recall of tp=59, fn=4", "0.94", 59 / 63, []),
    ("precision of newsletters", "0.83", 20 / 24, []),
    ("recall of tp=20, fn=6", "0.77", 20 / 26, []),
    ("precision, a student", "0.26", 20 / 24, ["prevalence"]),
    ("F1 of spam", "0.784", 18 / 23, ["arithmetic-mean"]),
]
WRONG = [
    # what the lecture has, what is put there, what the build says
    ("0.78 = f1", "0.87 = f1", "WARNING: F1 of tp=9, fp=3, fn=2: stated 0.87"),
    ("| 59 | 5 | 4 | 32 | 0.92", "| 59 | 5 | 4 | 32 | 0.93", "row 3, precision: stated 0.93"),
    ("9 + 2} = 0.82", "9 + 2} = 0.81", "Spam, R: stated 0.81, computed 0.81818: a slip that the page"),
    ("slip=prevalence", "slip=truncated", "declares slip=truncated, but the printed value is consistent"),
    ("f1(tp=9; fp=3; fn=2)", "f1(tp=9; fp=3)", "expected fn for f1, as in precision(tp=9; fp=3)"),
    ("R &= \\frac{9}{9 + 2}", "Q &= \\frac{9}{9 + 2}", "a line that begins with one of precision, recall"),
]
OTHERS = ("jupyter-book", "myst")
UNKNOWN = [
    # what declares a cause that no subject has, its line, and what is probably meant
    ("slip=prevalence", "slip=prevalance", 59, "'prevalance' (did you mean prevalence?)"),
    (":tn: 86", ":tn: 86\n:slip: R: truncatd", 19, "'truncatd' (did you mean truncated?)"),
]
MODULES = [
    # what the module has, what is put there, why it is refused
    (
        '"other-errors", "false',
        '"other-errors", "" and "',
        "CODE: classification: alternative without a meaning: expected one",
    ),
    (
        '"arithmetic-mean"',
        '"term"',
        "CODE: classification: expected a code of its own for each cause, got 'term' twice",
    ),
]


def copied(folder, *left_out):
    """The book in a new folder."""
    ignored = shutil.ignore_patterns("_build", "__pycache__", *left_out)
    return Path(shutil.copytree(EXAMPLE, folder, ignore=ignored))


@pytest.fixture(scope="module")
def books(tmp_path_factory):
    """The book as each program builds it, built when it is asked for."""
    known = {}

    def book(kind):
        if kind not in known:
            known[kind] = copied(tmp_path_factory.mktemp(kind) / "book")
            code, said = built(known[kind], ROOT, kind)
            assert code == 0, said
            assert "25 checked, 21 agrees, 4 slip" in said
        return known[kind]

    return book


@pytest.mark.built
def test_its_numbers_are_judged_and_its_slips_are_named(books):
    ledger = json.loads((books("sphinx") / "_build" / "html" / "ndcg-ledger.json").read_text(encoding="utf-8"))
    found = {entry["name"]: entry for entry in ledger["entries"]}
    for name, stated, computed, causes in STATED:
        entry = found[name]
        assert (entry["stated"], entry["causes"]) == (stated, causes)
        assert entry["computed"] == pytest.approx(computed, abs=1e-11)


@pytest.mark.built
@pytest.mark.parametrize("kind", ["myst", pytest.param("jupyter-book", marks=pytest.mark.slow)])
def test_other_programs_find_what_sphinx_finds(kind, books):
    """Sphinx and Jupyter Book run the notebook, and mystmd shows the outputs that it has stored."""
    assert verdicts(books(kind), kind) == verdicts(books("sphinx"), "sphinx")


@pytest.mark.built
@pytest.mark.parametrize("page", ["lecture.md", "exercises.ipynb"])
def test_pandoc_marks_the_prose_as_the_others_do(page, books, tmp_path):
    command = (*WITH_PATH, "pandoc", page, "--lua-filter", "ndcg.lua", "--mathml", "--wrap", "none")
    done = run(*command, path=ROOT, cwd=copied(tmp_path / "book"))
    assert (done.returncode, done.stderr) == (0, "")
    marked = r'<span id="(prose-[^"]+)" class="ndcg-ticked">([\d.%]+)<span class="ndcg-tick ndcg-(\w+)"'
    found = [each[1:] for each in verdicts(books("sphinx"), "sphinx") if each[0].startswith(page)]
    expected = [each for each in found if each[0].startswith("prose") and each[2] != "unchecked"]
    assert expected
    assert re.findall(marked, done.stdout) == expected


@pytest.mark.built
@pytest.mark.parametrize("kind", ["sphinx", pytest.param("jupyter-book", marks=pytest.mark.slow)])
def test_a_display_with_two_results_has_two_ticks_and_a_cause_leads_to_its_section(kind, books):
    page = (books(kind) / "_build" / "html" / "lecture.html").read_text(encoding="utf-8")
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
    done = run(*command, "--subject", "classification", path=ROOT, cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    assert [line for line in IN_NOTE if line not in done.stdout] == []
    done = run(*command, "--subject", "classes", path=ROOT, cwd=tmp_path)
    assert (done.returncode, done.stderr.strip()) == (2, "ndcg-ref check: classes: No module named 'classes'")


@pytest.mark.built
def test_what_is_wrong_stops_the_build(tmp_path):
    code, said = built(with_each(copied(tmp_path / "book"), WRONG), ROOT)
    assert code == 1
    for number, (_, _, expected) in enumerate(WRONG):
        assert re.search(rf"/wrong-{number}\.md:\d+: .*{re.escape(expected)}", said), expected


@pytest.mark.built
@pytest.mark.parametrize("kind", ["sphinx", *(pytest.param(kind, marks=pytest.mark.slow) for kind in OTHERS)])
def test_a_page_that_declares_an_unknown_cause_is_refused_with_its_line(kind, tmp_path):
    """All of them are listed, and none is a warning that a build without -W passes over."""
    code, said = built(with_each(copied(tmp_path / "book"), UNKNOWN, kind), ROOT, kind, strictly=False)
    assert code == 1
    assert "Traceback" not in said
    for number, (*_, line, expected) in enumerate(UNKNOWN):
        place = rf"wrong-{number}\.md:{line}: (ERROR: )?"
        assert re.search(rf"{place}.*: slip: expected one of quantity, .*, got {re.escape(expected)}", said), expected


@every_row("right, wrong, expected", MODULES)
def test_a_module_that_cannot_be_registered_is_refused(right, wrong, expected, tmp_path, monkeypatch):
    monkeypatch.setattr(subject, "SUBJECTS", list(subject.subjects()))
    text, name = (EXAMPLE / "classification.py").read_text(encoding="utf-8"), f"wrong_{abs(hash(wrong))}"
    assert text.count(right) == 1
    (tmp_path / f"{name}.py").write_text(text.replace(right, wrong), encoding="utf-8")
    with pytest.raises(ValueError, match=re.escape(expected.replace("CODE", name))):
        load_subject(name, tmp_path)


@pytest.mark.built
def test_a_build_without_its_subject_is_refused_before_a_page_is_read(tmp_path):
    folder = copied(tmp_path / "book")
    (folder / "classification.py").rename(folder / "other.py")
    code, said = built(folder, ROOT)
    assert code == 2
    assert "ndcg_subjects: classification: No module named 'classification'" in said
    assert "reading sources" not in said


def test_it_has_at_most_120_lines_of_python():
    cells = json.loads((EXAMPLE / "exercises.ipynb").read_text(encoding="utf-8"))["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    files = [(EXAMPLE / name).read_text(encoding="utf-8") for name in ("classification.py", "conf.py")]
    assert 60 < sum(len(each.splitlines()) for each in (*code, *files)) <= 120
