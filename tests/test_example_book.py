"""The template in `examples/book` is built in an empty folder with the wheel, and a wrong number fails its build."""

import json
import re
import shutil
import sys
from collections import Counter
from pathlib import Path

import pytest
from commands import run

pytestmark = pytest.mark.built

EXAMPLE = Path(__file__).resolve().parent.parent / "examples" / "book"
JUPYTER_BOOK = (Path(sys.executable).parent / "jupyter-book", "build", ".", "-W", "-n", "--keep-going")
SPHINX = (sys.executable, "-m", "sphinx", "-W", "-n", "--keep-going", ".", "_build/sphinx")
BUILDS = {
    # builder: command, the folder of its pages
    "jupyter-book": (JUPYTER_BOOK, "_build/html"),
    "sphinx": (SPHINX, "_build/sphinx"),
}
CHAPTERS = ("lecture", "exercise")
WRONG = [
    # page, what it has, what is put there, where and of what the build warns
    ("lecture.md", "3 + 0 + 1 = 4.00", "3 + 0 + 1 = 4.10", "lecture.md:7: WARNING: ✗ slip: DCG: stated 4.10"),
    ("lecture.md", "0.704 = ndcg", "0.740 = ndcg", "lecture.md:18: WARNING: NDCG@2 of 3, 0, 2: stated 0.740"),
    ("lecture.md", "4.00 | 0.94 |", "4.00 | 0.93 |", "lecture.md:21: WARNING: The three results, row 3, NDCG: stated"),
    ("lecture.md", "0, 2; k=2)`", "0, 2, k=2)`", "lecture.md:18: WARNING: expected a semicolon behind the grades"),
]


def built(folder, wheel, builder):
    """What a build of the template says, without colours."""
    command, pages = BUILDS[builder]
    done = run(*command, path=wheel, cwd=folder)
    return done.returncode, re.sub(r"\x1b\[[0-9;]*m", "", done.stdout + done.stderr), folder / pages


@pytest.fixture(scope="module", params=BUILDS)
def template(request, wheel, tmp_path_factory):
    """The folder of the pages of the template."""
    folder = tmp_path_factory.mktemp("book") / "a copy"
    shutil.copytree(EXAMPLE, folder)
    code, said, pages = built(folder, wheel, request.param)
    assert code == 0, said
    assert "ndcg_ref: all notes: 28 checked, 27 agrees, 1 slip, 0 undefined, 0 unchecked" in said
    return pages


def test_each_page_has_the_marks_of_the_ledger(template):
    entries = json.loads((template / "ndcg-ledger.json").read_text(encoding="utf-8"))["entries"]
    assert {entry["chapter"] for entry in entries} == {"lecture.md", "exercise.ipynb"}
    for name in CHAPTERS:
        page = (template / f"{name}.html").read_text(encoding="utf-8")
        known = {entry["label"] for entry in entries if Path(entry["chapter"]).stem == name}
        marked = re.findall(r'<a class="ndcg-tick ndcg-\w+ reference internal" href="#([^"]+?)(?:-detail)?"', page)
        assert len(set(marked)) >= 3
        assert set(marked) <= known


def test_the_lecture_has_a_mark_for_each_way_of_judging(template):
    page = (template / "lecture.html").read_text(encoding="utf-8")
    kinds = Counter(
        "prose" if "#prose" in target else "table" if "row" in target else "role"
        for target in re.findall(r'ndcg-agrees reference internal" href="([^"]+)"', page)
    )
    assert kinds == {"prose": 3, "role": 1, "table": 3}  # three equations; three rows, each with one mark


@pytest.mark.parametrize("case", range(len(WRONG)), ids=[row[2] for row in WRONG])
def test_a_wrong_number_in_the_template_fails_its_build_at_its_line(case, wheel, tmp_path):
    name, right, wrong, warning = WRONG[case]
    folder = tmp_path / "book"
    shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns("exercise.ipynb"))
    page = folder / name
    text = page.read_text(encoding="utf-8")
    assert text.count(right) == 1
    page.write_text(text.replace(right, wrong), encoding="utf-8")
    (folder / "index.md").write_text("# Mine\n\n```{toctree}\nlecture\n```\n", encoding="utf-8")
    code, said, _ = built(folder, wheel, "sphinx")
    assert code == 1
    assert warning in said
