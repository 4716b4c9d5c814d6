"""What grows often grows in few files: one of each kind is added to a copy of the project, and the files are counted.

Files that `make notebooks` writes count as well. CONTRIBUTING.md says which they are.
"""

import json
import re
import shutil
import sys
from pathlib import Path
from textwrap import dedent

import pytest
from commands import run
from pages import notebook, text, unrun

pytestmark = pytest.mark.built

ROOT = Path(__file__).resolve().parent.parent
LEFT_OUT = (".*", "_build", "dist", "__pycache__")

PRESET = """
    Preset(
        library="made-up",
        version="1.0",
        convention=replace(ORIGINAL, base=7),
        evidence="read",
        source="made_up/metrics.py:1-9",
    ),
"""
EXPECTED = """
    ("made-up", {"q1": {"49": 1}}, {"q1": " ".join(map(str, range(1, 50)))}, None, 1 / 2, 1e-12, "log7(49) is 2"),
"""
CAUSE = """
@RANKING.cause("sign-lost", "the value was printed with the other sign")
def _sign_lost(claim: Any) -> Iterator[subject.Recomputation]:
    yield subject.Recomputation(f"{claim.exact:.6g} with the other sign", -claim.exact)


"""
MADE = """
    ("sign-lost", "3.14", -3.14159, {}, "3.14 for -3.14"),
"""
BESIDE = """
    ("sign-lost", "3.15", -3.14159, {}, "one unit above"),
"""
EXAMPLE = r"""
    "    \"sign-lost\": judge(\"3.14\", -3.14159),\n",
"""
# The note that docs/authoring.md makes, so that it is run as it stands there
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
AUTHORING = (ROOT / "docs" / "authoring.md").read_text(encoding="utf-8")
STEPS = AUTHORING.partition("## Add a note in ten minutes")[2].partition("\n## ")[0]
NOTE = "\n".join(map(dedent, re.findall(r"```python\n(.*?)```", STEPS, re.DOTALL))).rstrip() + ";"
METADATA = json.loads(re.search(r'"ndcg_ref": ({.*})', STEPS)[1])
LESSON = """
from ndcg_ref import cg
from ndcg_ref.stated import check

check("3", cg([1, 2]), "CG");
"""

TOUCHED = {
    # what is added: the files
    "a preset": {"ndcg_ref/conventions/presets.py", "tests/test_presets.py", "book/practice/libraries.ipynb"},
    "a cause": {"ndcg_ref/subjects/ranking.py", "tests/test_causes.py", "book/verdicts.ipynb"},
    "a note": {"book/notes/made-up.ipynb", "_toc.yml", "book/checks.ipynb"},
    "a lesson": {"book/concepts/made-up.ipynb", "_toc.yml"},
}


def insert(path, before, added):
    """Put a text before another one, which occurs once in the file."""
    whole = path.read_text(encoding="utf-8")
    assert whole.count(before) == 1, before
    path.write_text(whole.replace(before, added.lstrip("\n") + before), encoding="utf-8")


def write(path, title, code, **own):
    """A chapter that was not run."""
    path.write_text(notebook(text(f"# {title}\n\nIt is made up."), unrun(code.strip()), **own), encoding="utf-8")


def files(root):
    """Every file and its content, but what Python writes besides."""
    found = (path for path in root.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in found}


@pytest.fixture(scope="module")
def grown(tmp_path_factory):
    """The copy, and the files that differ from what it was."""
    root = tmp_path_factory.mktemp("copy") / "project"
    shutil.copytree(ROOT, root, ignore=shutil.ignore_patterns(*LEFT_OUT))
    shutil.copy(ROOT / ".gitignore", root)  # which a test of the README reads
    before = files(root)
    paper = '    *_family(\n        Preset(\n            library="paper",\n'
    insert(root / "ndcg_ref" / "conventions" / "presets.py", paper, PRESET)
    causes_test = root / "tests" / "test_causes.py"
    insert(root / "ndcg_ref" / "subjects" / "ranking.py", "def _orders(", CAUSE)
    insert(causes_test, '    ("truncated", cut(8.32553, 2), 8.32553, {}, "8.32"),\n', MADE)
    insert(causes_test, '    ("truncated", "8.31", 8.32553, {}, "one unit below the cut"),\n', BESIDE)
    insert(root / "book" / "verdicts.ipynb", '    "    \\"digit\\": ', EXAMPLE)
    insert(root / "tests" / "test_presets.py", '    ("paper-b10", {"q1"', EXPECTED)
    write(root / "book" / "notes" / "made-up.ipynb", "A note", NOTE, **METADATA)
    write(root / "book" / "concepts" / "made-up.ipynb", "A lesson", LESSON, role="lesson")
    lines = "      - file: book/notes/made-up\n      - file: book/concepts/made-up\n"
    insert(root / "_toc.yml", "  - caption: Back\n", lines)
    done = run(sys.executable, "-m", "tools.make.notebooks", path=root, cwd=root)
    assert done.returncode == 0, done.stderr
    after = files(root)
    return root, {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}


@pytest.mark.slow
def test_no_other_file_is_touched(grown):
    _, changed = grown
    assert changed == set().union(*TOUCHED.values())


def test_three_files_are_enough_and_contributing_names_them():
    assert max(map(len, TOUCHED.values())) == 3
    named = {name for names in TOUCHED.values() for name in names if "made-up" not in name}
    assert {name for name in named if f"`{name}`" not in CONTRIBUTING} == set()


MEANING = "the value was printed with the other sign"
QUESTION = {"ask": "note", "text": "Grades [3, 2, 3, 0, 1]. DCG = 3 + 2/log2(3) + 3/2 + 0 + 1/log2(6) = -6.15"}
ASK = "import json, sys; from ndcg_ref.live import answer; print(json.dumps(answer(json.loads(sys.argv[1]))))"


@pytest.mark.slow
def test_a_live_page_explains_a_slip_by_the_new_cause(grown):
    root, _ = grown
    done = run(sys.executable, "-c", ASK, json.dumps(QUESTION), path=root, cwd=root)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["findings"][0]["causes"][0]["words"] == MEANING


TESTS = [
    *("tests/test_presets.py", "tests/test_causes.py", "tests/test_book.py", "tests/test_readme.py"),
    *("tests/test_prose.py", "tests/test_matches.py", "tests/test_derivation.py", "tests/test_practice.py"),
    # Where the contents are full, a chapter takes the place of another one; here it is added to them
    "--deselect=tests/test_book.py::TestEveryChapterIsRunAndListed::test_the_contents_have_at_most_thirty_entries_outside_the_manual",
    "tests/test_slip_plants.py::test_every_cause_that_slips_are_made_of_is_measured",  # the others take long
]


@pytest.mark.slow
def test_nothing_else_has_to_be_said(grown):
    """The tests that read the book or the presets pass, but for those of the built pages; so does lint."""
    root, _ = grown
    for command in (
        ("pytest", "-q", "-p", "no:cacheprovider", "-m", "not built", "--hypothesis-profile=quick", *TESTS),
        ("ruff", "check", "--no-cache", "."),
        ("ruff", "format", "--no-cache", "--check", "."),
    ):
        done = run(sys.executable, "-m", *command, path=root, cwd=root)
        assert done.returncode == 0, done.stdout + done.stderr
