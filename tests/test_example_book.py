"""What `ndcg-ref new` writes is built each way with the wheel, with the same verdicts; a wrong number fails a build."""

import json
import re
import shutil
import sys
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pages
import pytest
from built_books import BIN, BUILDS, CONTENT, built, verdicts, with_each
from commands import run
from rows import every_row

import ndcg_ref
from ndcg_ref.commands import book_commands
from ndcg_ref.commands.book_commands import KINDS
from ndcg_ref.markdown_books.myst_plugin import transform

pytestmark = pytest.mark.built

CHAPTERS = ("lecture", "exercise")
COUNTS = "28 checked, 27 agrees, 1 slip, 0 undefined, 0 unchecked"
WRONG = [
    # what the lecture has, what is put there, its line and what is said of it
    ("3 + 0 + 1 = 4.00", "3 + 0 + 1 = 4.10", ":7: ✗ slip: DCG: stated 4.10"),
    ("0.704 = ndcg", "0.740 = ndcg", ":18: NDCG@2 of 3, 0, 2: stated 0.740"),
    ("4.00 | 0.94 |", "4.00 | 0.93 |", ":21: The three results, row 3, NDCG: stated"),
    ("0, 2; k=2)`", "0, 2, k=2)`", ":18: expected a semicolon behind the grades"),
    ("0, 2; k=2)`", "0, 2; k=2; slip=trunkated)`", ":18: NDCG@2 of 3, 0, 2: slip: expected one of quantity, "),
]


def new(folder, wheel, kind):
    """A book that was just written."""
    done = run(sys.executable, "-m", "ndcg_ref", "new", folder, "--kind", kind, path=wheel)
    assert (done.returncode, done.stderr) == (0, "")
    return folder


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
def test_a_wrong_number_fails_the_build_at_its_line(kind, wheel, tmp_path):
    code, said = built(with_each(new(tmp_path / "book", wheel, kind), WRONG, kind), wheel, kind)
    assert code == 1
    assert [
        f"wrong-{i}.md{row[2]}"
        for i, row in enumerate(WRONG)
        if f"wrong-{i}.md{row[2]}" not in re.sub("WARNING: |ERROR: ", "", said)
    ] == []


@pytest.mark.parametrize("kind", ["sphinx", pytest.param("jupyter-book", marks=pytest.mark.slow)])
def test_all_slips_of_a_notebook_are_listed_without_a_traceback(kind, wheel, tmp_path):
    folder = new(tmp_path / "book", wheel, kind)
    page = folder / "exercise.ipynb"
    text = page.read_text(encoding="utf-8")
    for right, wrong in (
        ('check(\\"3.75', 'check(\\"3.76'),
        ('check(\\"0.788', 'check(\\"0.787'),
        ('unsorted-ideal\\",\\n', 'unsorted-ideals\\",\\n'),
    ):
        assert text.count(right) == 1
        text = text.replace(right, wrong)
    page.write_text(text, encoding="utf-8")
    code, said = built(folder, wheel, kind)
    assert code == 1
    warnings = re.findall(r"/(exercise\.ipynb:cell \d): WARNING: (.*?): (?:stated|slip)", said)
    assert warnings == [
        ("exercise.ipynb:cell 3", "DCG"),
        ("exercise.ipynb:cell 3", "NDCG"),
        ("exercise.ipynb:cell 5", "NDCG of the unsorted ideal"),
    ]
    assert "got 'unsorted-ideals' (did you mean unsorted-ideal?)" in said
    assert "Traceback" not in said
    assert "reports" not in said


def without_plugin(book):
    """Have the page as a build without the plugin writes it."""
    path = book / CONTENT / "exercise.json"
    page = json.loads(path.read_text(encoding="utf-8"))
    del page["mdast"]["data"]
    path.write_text(json.dumps(page), encoding="utf-8")


MISSING = [
    # what happens to the book after its build, what the check says
    (lambda book: (book / CONTENT / "exercise.json").unlink(), "exercise.ipynb: the build has left this page out"),
    (lambda book: (book / "lecture.md").write_text("# Mine\n"), "lecture.md: the file was changed after the build"),
    (without_plugin, "exercise.ipynb: built without the plugin"),
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


@pytest.mark.parametrize("was_run", [True, False])
def test_a_notebook_that_was_not_run_is_named(was_run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text, code = "The cell below checks a number.", "from ndcg_ref.stated import check"
    (tmp_path / "a.ipynb").write_text(pages.notebook(pages.text(text), pages.unrun(code)), encoding="utf-8")
    outputs = {"type": "outputs", "children": [{"type": "output", "jupyter_data": {}}] if was_run else []}
    blocks = [{"type": "text", "value": text}], [{"type": "code", "value": code}, outputs]
    tree = transform({"type": "root", "children": [{"type": "block", "children": block} for block in blocks]})
    said = "its cells have not been run (store their outputs, or build with --execute)"
    assert tree["data"]["ndcg"]["problem"] == ("" if was_run else said)


def test_a_folder_with_files_is_left_alone(wheel, tmp_path):
    (tmp_path / "mine.md").write_text("mine", encoding="utf-8")
    done = run(sys.executable, "-m", "ndcg_ref", "new", tmp_path, path=wheel)
    assert done.returncode == 2
    assert "expected a new or an empty folder" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["mine.md"]


def test_each_kind_has_a_build():
    assert BUILDS.keys() == KINDS.keys()


INSTALLED = [
    # what the installer has kept, what the book requires
    (None, f"ndcg-ref=={ndcg_ref.__version__}"),
    ('{"url": "https://example.org/a/ndcg_ref-0.1.0-py3-none-any.whl", "archive_info": {}}', "ndcg-ref @ https://"),
    ('{"url": "file:///a%20clone", "dir_info": {"editable": true}}', "ndcg-ref @ file:///a%20clone"),
    (
        '{"url": "https://example.org/a.git", "vcs_info": {"vcs": "git", "commit_id": "0a1b"}}',
        "ndcg-ref @ git+https://example.org/a.git@0a1b",
    ),
]


@every_row("kept, expected", INSTALLED)
def test_a_book_requires_the_package_from_where_it_was_installed(kept, expected, tmp_path, monkeypatch):
    monkeypatch.setattr(book_commands, "distribution", lambda _: SimpleNamespace(read_text=lambda _: kept))
    assert book_commands.requirement(tmp_path).startswith(expected)


def test_a_book_brings_the_wheel_that_was_installed(installed, numpy_alone, tmp_path):
    done = run(installed, "-m", "ndcg_ref", "new", tmp_path / "book", path=numpy_alone)
    assert (done.returncode, done.stderr) == (0, "")
    required = (tmp_path / "book" / "requirements.txt").read_text(encoding="utf-8").splitlines()
    pip = (sys.executable, "-m", "pip", "--python", installed, "install", "--dry-run", "--no-deps", "--no-index")
    assert run(*pip, required[0], cwd=tmp_path / "book").returncode == 0
    assert required[1:] == ["myst-nb", "ipykernel"]
