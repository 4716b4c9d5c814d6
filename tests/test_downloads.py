"""Every chapter that a reader downloads runs in an empty folder with the wheel; the files it reads come with it."""

import json
import re
from pathlib import Path

import pytest
from commands import run

from tools.book import downloads_ext
from tools.book.contents import chapters, reads

pytestmark = pytest.mark.built

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "_build" / "html"
CHAPTERS = [chapter.relative_to(ROOT).with_suffix("").as_posix() for chapter in chapters(ROOT)]
DATA = [chapter.relative_to(ROOT).with_suffix("").as_posix() for chapter in chapters(ROOT) if reads(chapter)]


def test_every_page_ends_with_downloads_that_exist():
    """Its notebook, the data that it reads, and the book as PDF where that was made."""
    found = {}
    for page in sorted((PAGES / "book").rglob("*.html")):
        (line,) = re.findall('<p class="book-downloads d-print-none">(.*?)</p>', page.read_text(encoding="utf-8"))
        links = re.findall('<a href="(?!https:)([^"]*)"[^>]*>(.*?)</a>', line)
        assert [place for place, _ in links if not (page.parent / place).is_file()] == [], page
        found[page.relative_to(PAGES).with_suffix("").as_posix()] = {name for _, name in links} - {"PDF"}
    assert found
    assert found == {
        page: ({"Notebook"} if page in CHAPTERS else set()) | ({"Data"} if page in DATA else set()) for page in found
    }


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    """The folder in which `make test` runs the downloads."""
    folder = tmp_path_factory.mktemp("downloads")
    downloads_ext.prepare(folder)
    return folder


def test_each_chapter_is_in_an_empty_folder_with_the_files_that_it_reads(prepared):
    """And with nothing else: nbval's run of `make test` finds what is missing."""
    found = {}
    for folder in (prepared / "chapters").iterdir():
        files = {path.name for path in folder.rglob("*") if path.is_file()}
        found[folder.name] = files
    expected = {}
    for chapter in chapters(ROOT):
        name = "-".join(chapter.relative_to(ROOT / "book").with_suffix("").parts)
        expected[name] = {chapter.name, *(file.name for file in reads(chapter))}
    assert found == expected


def test_the_kernel_of_the_downloads_has_the_wheel_and_its_extra_alone(prepared):
    spec = json.loads((prepared / "kernels" / "chapters" / "kernel.json").read_text(encoding="utf-8"))
    code = "import sys, ndcg_ref, matplotlib, pandas, duckdb; print(ndcg_ref.__file__); import sphinx"
    command = [*spec["argv"][: spec["argv"].index("-m")], "-c", code]
    done = run(*command, path=spec["env"]["PYTHONPATH"], cwd=prepared)
    assert Path(done.stdout.strip()).is_relative_to(prepared / "wheel")
    assert "No module named 'sphinx'" in done.stderr


def test_make_test_runs_them_and_nothing_twice():
    """One run of nbval, of the downloads."""
    (line,) = [line for line in (ROOT / "Makefile").read_text(encoding="utf-8").splitlines() if "--nbval " in line]
    assert "--nbval-kernel-name=chapters" in line
    assert line.endswith(" _build/downloads/chapters")
