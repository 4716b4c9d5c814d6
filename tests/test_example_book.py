"""What `ndcg-ref new` writes is built each way with the wheel, with the same verdicts; a wrong number fails a build."""

import json
import os
import re
import shutil
import sys
from collections import Counter
from pathlib import Path

import pytest
from commands import run

from ndcg_ref.commands.new_command import KINDS
from ndcg_ref.markdown_books.myst_pages import read_book

pytestmark = pytest.mark.built

CLASSIFICATION = Path(__file__).resolve().parent.parent / "examples" / "classification"
BIN = Path(sys.executable).parent
WITH_PATH = ("env", f"PATH={BIN}{os.pathsep}{os.environ['PATH']}")  # the plugin is a command of the environment
CONTENT = Path("_build", "site", "content")
BUILDS = {
    # kind: command, the folder of its pages
    "sphinx": ((BIN / "sphinx-build", "-W", "-n", "--keep-going", ".", "_build/html"), "_build/html"),
    "jupyter-book": ((BIN / "jupyter-book", "build", ".", "-W", "-n", "--keep-going"), "_build/html"),
    "myst": (
        (*WITH_PATH, BIN / "myst", "build", "--site"),
        CONTENT,
    ),  # its theme is fetched, and without it this exits with 1
}
CHAPTERS = ("lecture", "exercise")
COUNTS = "28 checked, 27 agrees, 1 slip, 0 undefined, 0 unchecked"
WRONG = [
    # page, what it has, what is put there, its place and what is said of it
    ("lecture.md", "3 + 0 + 1 = 4.00", "3 + 0 + 1 = 4.10", "lecture.md:7: ✗ slip: DCG: stated 4.10"),
    ("lecture.md", "0.704 = ndcg", "0.740 = ndcg", "lecture.md:18: NDCG@2 of 3, 0, 2: stated 0.740"),
    ("lecture.md", "4.00 | 0.94 |", "4.00 | 0.93 |", "lecture.md:21: The three results, row 3, NDCG: stated"),
    ("lecture.md", "0, 2; k=2)`", "0, 2, k=2)`", "lecture.md:18: expected a semicolon behind the grades"),
]


def new(folder, wheel, kind):
    """A book that was just written."""
    done = run(sys.executable, "-m", "ndcg_ref", "new", folder, "--kind", kind, path=wheel)
    assert (done.returncode, done.stderr) == (0, "")
    return folder


def built(folder, wheel, kind):
    """The exit code of a build, and of the check that follows it; and all that is said, without colours."""
    done = run(*BUILDS[kind][0], path=wheel, cwd=folder)
    said, code = done.stdout + done.stderr, done.returncode
    if kind == "myst":
        checked = run(BIN / "ndcg-ref", "myst", "check", path=wheel, cwd=folder)
        said, code = said + checked.stdout + checked.stderr, checked.returncode
    return code, re.sub(r"\x1b\[[0-9;]*m", "", said)


def verdicts(folder, kind):
    """Every verdict of the pages of a book: its place, the number, and whether it is right, however it was built."""
    if kind == "myst":
        found = [(place, record) for place, record in read_book(folder / CONTENT).verdicts]
    else:
        ledger = json.loads((folder / BUILDS[kind][1] / "ndcg-ledger.json").read_text(encoding="utf-8"))
        found = [(entry["chapter"] + entry["place"], entry) for entry in ledger["entries"]]
    return sorted((place, record["label"], record["stated"], record["outcome"]) for place, record in found)


@pytest.fixture(scope="module")
def books(wheel, tmp_path_factory):
    """A book of each kind, built when it is asked for, by its kind."""
    known = {}

    def book(kind):
        if kind not in known:
            folder = new(tmp_path_factory.mktemp(kind) / "a book", wheel, kind)
            code, said = built(folder, wheel, kind)
            assert code == 0, said
            assert COUNTS in said
            known[kind] = folder
        return known[kind]

    return book


def test_sphinx_and_mystmd_find_the_same(books):
    found = verdicts(books("sphinx"), "sphinx")
    assert len(found) == 28
    assert verdicts(books("myst"), "myst") == found


@pytest.mark.slow
def test_jupyter_book_finds_the_same(books):
    assert verdicts(books("jupyter-book"), "jupyter-book") == verdicts(books("sphinx"), "sphinx")


@pytest.mark.parametrize("kind", ["sphinx", pytest.param("jupyter-book", marks=pytest.mark.slow)])
def test_each_page_has_the_marks_of_the_ledger(books, kind):
    pages = books(kind) / BUILDS[kind][1]
    entries = json.loads((pages / "ndcg-ledger.json").read_text(encoding="utf-8"))["entries"]
    assert {entry["chapter"] for entry in entries} == {"lecture.md", "exercise.ipynb"}
    for name in CHAPTERS:
        page = (pages / f"{name}.html").read_text(encoding="utf-8")
        known = {entry["label"] for entry in entries if Path(entry["chapter"]).stem == name}
        marked = re.findall(r'<a class="ndcg-tick ndcg-\w+ reference internal" href="#([^"]+?)(?:-detail)?"', page)
        assert len(set(marked)) >= 3
        assert set(marked) <= known


def test_the_lecture_has_a_mark_for_each_way_of_judging(books):
    page = (books("sphinx") / "_build" / "html" / "lecture.html").read_text(encoding="utf-8")
    kinds = Counter(
        "prose" if "#prose" in target else "table" if "row" in target else "role"
        for target in re.findall(r'ndcg-agrees reference internal" href="([^"]+)"', page)
    )
    assert kinds == {"prose": 3, "role": 1, "table": 3}  # three equations; three rows, each with one mark


def nodes(tree):
    """A tree and all that is in it."""
    yield tree
    for child in tree.get("children", ()):
        yield from nodes(child)


def test_the_pages_of_mystmd_have_marks_and_links_that_are_resolved(books):
    pages = [json.loads(path.read_text(encoding="utf-8")) for path in (books("myst") / CONTENT).glob("*.json")]
    found = {page["location"]: list(nodes(page["mdast"])) for page in pages}
    marks = {name: sum("ndcg-tick " in str(node.get("class")) for node in each) for name, each in found.items()}
    assert marks == {"/lecture.md": 4, "/exercise.ipynb": 4}  # three equations, a role; four links
    links = [node for node in found["/exercise.ipynb"] if "verdict" in str(node.get("html_id"))]
    resolved = {link["html_id"] for link in links if link["type"] == "crossReference" and link["resolved"]}
    assert resolved == {node["html_id"] for node in links if node["type"] == "span"}
    assert len(resolved) == 4


@pytest.mark.parametrize("kind", ["sphinx", "myst"])
@pytest.mark.parametrize("case", range(len(WRONG)), ids=[row[2] for row in WRONG])
def test_a_wrong_number_fails_the_build_at_its_line(case, kind, wheel, tmp_path):
    name, right, wrong, said = WRONG[case]
    folder = new(tmp_path / "book", wheel, kind)
    page = folder / name
    text = page.read_text(encoding="utf-8")
    assert text.count(right) == 1
    page.write_text(text.replace(right, wrong), encoding="utf-8")
    if kind == "sphinx":  # without running the other chapter
        (folder / "exercise.ipynb").unlink()
        (folder / "index.md").write_text("# Mine\n\n```{toctree}\nlecture\n```\n", encoding="utf-8")
    code, found = built(folder, wheel, kind)
    assert code == 1
    assert said in found.replace("WARNING: ", "")


def test_sphinx_lists_all_slips_of_a_notebook_and_no_traceback(wheel, tmp_path):
    folder = new(tmp_path / "book", wheel, "sphinx")
    page = folder / "exercise.ipynb"
    text = page.read_text(encoding="utf-8")
    for right, wrong in (
        ('check(\\"3.75', 'check(\\"3.76'),
        ('check(\\"0.788', 'check(\\"0.787'),
        ('unsorted-ideal\\",\\n', 'term\\",\\n'),
    ):
        assert text.count(right) == 1
        text = text.replace(right, wrong)
    page.write_text(text, encoding="utf-8")
    code, said = built(folder, wheel, "sphinx")
    assert code == 1
    warnings = re.findall(r"/(exercise\.ipynb:cell \d): WARNING: (.*?): stated", said)
    assert warnings == [
        ("exercise.ipynb:cell 3", "DCG"),
        ("exercise.ipynb:cell 3", "NDCG"),
        ("exercise.ipynb:cell 5", "NDCG of the unsorted ideal"),
    ]
    assert "Traceback" not in said
    assert "reports" not in said


def test_a_subject_of_its_own_is_judged_by_mystmd_as_by_sphinx(wheel, tmp_path):
    """The lecture of examples/classification, whose notebook has no outputs, and whose prose Sphinx leaves out."""
    found = {}
    for kind in ("sphinx", "myst"):
        folder = tmp_path / kind
        shutil.copytree(CLASSIFICATION, folder, ignore=shutil.ignore_patterns("_build", "__pycache__"))
        code, said = built(folder, wheel, kind)
        assert code == 0, said
        found[kind] = [each for each in verdicts(folder, kind) if each[0].startswith("lecture.md")]
    assert len(found["sphinx"]) > 15
    assert [each for each in found["myst"] if each[1].startswith("verdict")] == found["sphinx"]


MISSING = [
    # what happens to the book after its build, what the check says
    (lambda book: (book / CONTENT / "exercise.json").unlink(), "exercise.ipynb: the build has left this page out"),
    (lambda book: (book / "lecture.md").write_text("# Mine\n"), "lecture.md: the file was changed after the build"),
    (lambda book: (book / "myst.yml").write_text("version: 1\n"), "expected a toc that names each file"),
    (lambda book: (book / "myst.yml").unlink(), "of a book with a myst.yml, found none there"),
]


@pytest.mark.parametrize("case", range(len(MISSING)), ids=[row[1] for row in MISSING])
def test_a_page_that_was_not_checked_fails_the_check(case, books, wheel, tmp_path):
    change, said = MISSING[case]
    book = tmp_path / "book"
    shutil.copytree(books("myst"), book)
    change(book)
    done = run(BIN / "ndcg-ref", "myst", "check", path=wheel, cwd=book)
    assert done.returncode == 2
    assert said in done.stderr


def test_a_build_without_the_plugin_fails_the_check(wheel, tmp_path):
    book = new(tmp_path / "book", wheel, "myst")
    settings = (book / "myst.yml").read_text(encoding="utf-8")
    (book / "myst.yml").write_text(re.sub(r"  plugins:\n.*\n.*\n", "", settings), encoding="utf-8")
    code, said = built(book, wheel, "myst")
    assert code == 2
    assert "lecture.md: built without the plugin" in said


def test_a_folder_with_files_is_left_alone(wheel, tmp_path):
    (tmp_path / "mine.md").write_text("mine", encoding="utf-8")
    done = run(sys.executable, "-m", "ndcg_ref", "new", tmp_path, path=wheel)
    assert done.returncode == 2
    assert "expected a new or an empty folder" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["mine.md"]


def test_each_kind_has_a_build():
    assert BUILDS.keys() == KINDS.keys()
