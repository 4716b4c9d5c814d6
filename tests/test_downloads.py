"""Every chapter that a reader downloads runs in an empty folder with the wheel; the files it reads come with it."""

import re
import shutil
import sys
import zipfile
from pathlib import Path

import pytest
from commands import run
from pages import notebook, unrun

from ndcg_ref.stated.stored_notebook import read_notebook
from tools.book.contents import chapters, reads

pytestmark = pytest.mark.built

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "_build" / "html"
CHAPTERS = [chapter.relative_to(ROOT).with_suffix("").as_posix() for chapter in chapters(ROOT)]
DATA = [chapter.relative_to(ROOT).with_suffix("").as_posix() for chapter in chapters(ROOT) if reads(chapter)]
EXECUTE = Path(sys.executable).parent / "jupyter-execute"


def download(chapter, folder):
    """The notebook that the button of a chapter's page gives, in an empty folder, unpacked if need be."""
    page = PAGES / f"{chapter}.html"
    if not page.exists():
        pytest.fail("expected the built book in _build/html, found none: run `make book` first")
    (link,) = re.findall(r'<a href="([^"]*)"[^>]*\bbtn-download-source-button', page.read_text(encoding="utf-8"))
    file = Path(shutil.copy(page.parent / link, folder))
    if file.suffix == ".zip":
        zipfile.ZipFile(file).extractall(folder)
        file.unlink()
    (notebook,) = folder.rglob(f"{Path(chapter).name}.ipynb")
    return notebook


def test_every_page_ends_with_downloads_that_exist():
    """Its notebook, the data that it reads, and the book as PDF where that was made."""
    found = {}
    for page in sorted((PAGES / "book").rglob("*.html")):
        (line,) = re.findall('<p class="book-downloads d-print-none">(.*?)</p>', page.read_text(encoding="utf-8"))
        links = re.findall('<a href="([^"]*)"[^>]*>(.*?)</a>', line)
        assert [place for place, _ in links if not (page.parent / place).is_file()] == [], page
        found[page.relative_to(PAGES).with_suffix("").as_posix()] = {name for _, name in links} - {"PDF"}
    assert found
    assert found == {
        page: ({"Notebook"} if page in CHAPTERS else set()) | ({"Data"} if page in DATA else set()) for page in found
    }


def runs_and_prints_what_the_book_has(chapter, wheel, folder):
    """A chapter runs where it lies."""
    path = download(chapter, folder)
    ran = run(EXECUTE, "--inplace", "--timeout=120", path.name, path=wheel, cwd=path.parent)
    assert ran.returncode == 0, ran.stderr
    assert printed(path) == printed(ROOT / f"{chapter}.ipynb")


@pytest.mark.parametrize("chapter", ["book/concepts/ndcg", "book/practice/from-a-run"])
def test_a_downloaded_chapter_runs_and_prints_what_the_book_has(chapter, wheel, tmp_path):
    runs_and_prints_what_the_book_has(chapter, wheel, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_downloaded_chapter_runs_and_prints_what_the_book_has(chapter, wheel, tmp_path):
    runs_and_prints_what_the_book_has(chapter, wheel, tmp_path)


def printed(path):
    """What the cells of a notebook print."""
    return "".join(cell.printed for cell in read_notebook(path).cells)


def test_the_package_of_a_download_is_that_of_the_wheel(wheel, tmp_path):
    code = "import ndcg_ref\nprint(ndcg_ref.__file__)"
    (tmp_path / "x.ipynb").write_text(notebook(unrun(code)), encoding="utf-8")
    assert run(EXECUTE, "--inplace", "x.ipynb", path=wheel, cwd=tmp_path).returncode == 0
    assert Path(printed(tmp_path / "x.ipynb").strip()).is_relative_to(wheel)
