"""A chapter is stored as it runs, and installs its package by itself once the book has a repository."""

import json
from pathlib import Path

import nbformat
import pytest
from pages import notebook, text, unrun
from rows import every_row

from tools.book import contents
from tools.checks import prose
from tools.make import notebooks

pytestmark = pytest.mark.built

ROOT = Path(__file__).resolve().parent.parent
REPOSITORY = "repository: {url: https://github.com/example/example, branch: main}\n"
INSTALLS = '%pip install -q "ndcg-ref[chapters] @ git+https://github.com/example/example@main"'
CLONES = "!git clone -q --depth 1 --branch main https://github.com/example/example the-book"


@pytest.fixture
def chapter(tmp_path):
    """A book of one chapter."""
    return written(tmp_path / "chapter.ipynb", "1 + 1")


def written(path, code, **own):
    """A chapter of this cell, which was not run."""
    path.write_text(notebook(text("# A title"), unrun(code), **own), encoding="utf-8")
    return path


def run(chapter, config):
    """What the chapter is after a run of the tool: the id, source and output of each cell."""
    (chapter.parent / "_config.yml").write_text(f"title: x\n{config}", encoding="utf-8")
    notebooks.run(chapter, notebooks.repository(chapter.parent))
    return json.loads(chapter.read_text(encoding="utf-8"))["cells"]


def test_the_cell_comes_and_goes_with_the_repository(chapter):
    without = run(chapter, "")
    first, *others = run(chapter, REPOSITORY)
    assert (first["id"], first["source"]) == ("install", [INSTALLS])
    assert (first["outputs"], first["execution_count"]) == ([], None)  # it was not run
    assert set(first["metadata"]["tags"]) == {"remove-cell", "skip-execution", "nbval-skip"}
    assert others == without  # their ids too
    assert [cell.source for cell in prose.cells(chapter)] == ["# A title", "1 + 1"]  # what the book takes a chapter for
    assert run(chapter, REPOSITORY) == [first, *others]
    assert run(chapter, "") == without


def test_a_chapter_that_reads_other_files_gets_the_whole_book(chapter, monkeypatch):
    written(chapter, "1 + 1", reads=["data/*"])
    monkeypatch.setattr(notebooks, "ROOT", chapter.parents[1])
    lines = "".join(run(chapter, REPOSITORY)[0]["source"]).splitlines()
    assert lines == [INSTALLS, CLONES, f"%cd the-book/{chapter.parent.name}"]


READS = [
    # what a chapter says that it reads  whether it runs behind the others
    (None, False),
    (["data/*"], False),
    (["data/*", "notes/*.ipynb"], True),
]


@pytest.mark.parametrize(("patterns", "late"), READS)
def test_a_chapter_that_reads_notebooks_runs_behind_them(chapter, patterns, late):
    book = notebooks.read(chapter, None)
    if patterns:
        book.metadata["ndcg_ref"] = {"reads": patterns}
    assert notebooks.reads_others(book) is late


FIGURE = """import math, os
import matplotlib.pyplot as plt
plt.style.use("ndcg_ref.sphinx_ext.static.figures")
nudged = lambda value: math.nextafter(value, float(os.environ["TOWARD"]))
fig = plt.figure(layout="none")
for left in (0.1, 0.6):
    axes = fig.add_axes([nudged(side) for side in (left, 0.2, 0.35, 0.7)])
    axes.plot([nudged(x) for x in (0.1, 0.3, 0.7)], [nudged(y) for y in (1, 1e-9, -2)], marker="o")
plt.show()"""


def test_a_figure_is_stored_as_the_same_file_whatever_the_last_bits_of_its_numbers(chapter, monkeypatch):
    written(chapter, FIGURE)
    stored = []
    for toward in ("-inf", "inf"):
        monkeypatch.setenv("TOWARD", toward)
        run(chapter, "")
        stored.append(chapter.read_text(encoding="utf-8"))
    assert "clip-path" in stored[0]
    assert stored[0] == stored[1]


def test_a_cell_with_an_undeclared_slip_prints_its_verdict_and_evidence(chapter, monkeypatch, capsys):
    """In the kernel and in the order that a chapter has."""
    written(chapter, 'from ndcg_ref.stated import check\ncheck("8.32", 8.32553, "DCG 2")')
    before = chapter.read_text(encoding="utf-8")
    monkeypatch.setattr(notebooks, "ROOT", chapter.parent)
    with pytest.raises(SystemExit, match=r"^chapter\.ipynb, cell 2: .*a slip that the chapter does not declare"):
        run(chapter, "")
    assert capsys.readouterr().err.splitlines() == [
        "✗ slip: DCG 2: stated 8.32, computed 8.32553, correct 8.33; consistent with truncated",
        "  consistent with truncated: 8.32553, cut to 8.32",
    ]
    assert chapter.read_text(encoding="utf-8") == before


@pytest.mark.parametrize("config", ["repository: {url: https://github.com/example/example}\n", "repository: {}\n"])
def test_a_repository_without_its_parts_is_refused(chapter, config):
    with pytest.raises(SystemExit, match=r"_config.yml: expected a url and a branch of the repository"):
        run(chapter, config)


@every_row("chapter", contents.chapters(ROOT))
def test_the_chapters_are_as_the_configuration_has_them(chapter):
    """They are stored as `make notebooks` would store them, outputs apart."""
    stored = nbformat.read(chapter, 4).cells
    expected = notebooks.read(chapter, notebooks.repository(ROOT)).cells
    assert [(cell.id, cell.source) for cell in stored] == [(cell.id, cell.source) for cell in expected]
