"""A book of somebody else shows verdicts in their style, with nothing but the wheel and a builder of books."""

import re
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pages
import pytest
from commands import run

pytestmark = pytest.mark.built

STATED = r"""
from ndcg_ref import ORIGINAL, dcg
from ndcg_ref.stated import Column, check, check_equation, check_table, holds

check("7.42", dcg([2, 3, 1, 2, 1, 0, 1], convention=ORIGINAL), "DCG of query 1")
check("8.32", dcg([3, 2, 2, 1, 2, 1, 0, 0, 1], convention=ORIGINAL), "DCG of query 2", slip="truncated")
check_equation(r"\frac{1}{2} + \frac{1}{4} = 0.75", "sum")
check_table("rank | CG\n1 | 3\n2 | 6", {"rank": None, "CG": Column([3, 5], slips={2: "unexplained"})}, "T")
holds("One is more than zero", 1 > 0);
"""
CHAPTERS = {
    # name: text, code
    "lecture": ("# A lecture\n\nIts numbers.", STATED),
    "words": (
        "# Words alone\n\nNo number is judged here.",
        'from IPython.display import Markdown\n\nMarkdown("## A heading\\n\\nand text")',
    ),
}
FILES = {
    "_config.yml": "title: Mine\nonly_build_toc_files: true\nsphinx: {extra_extensions: [ndcg_ref.sphinx_ext]}\n",
    "_toc.yml": "format: jb-book\nroot: lecture\nchapters:\n- file: words\n",
    "index.md": "# Mine\n\n```{toctree}\nlecture\nwords\n```\n",
    "plain/conf.py": 'extensions = ["myst_nb", "ndcg_ref.sphinx_ext"]\nexclude_patterns = ["_build"]\n',
    "without/conf.py": 'extensions = ["myst_nb"]\nexclude_patterns = ["_build"]\n',
}
BIN = Path(sys.executable).parent
JUPYTER_BOOK = (BIN / "jupyter-book", "build", ".", "-W", "-n", "--keep-going", "-q")
SPHINX = (sys.executable, "-m", "sphinx", "-W", "-n", "-q", "-c")
BUILDS = {
    # builder: command, the folder of its pages
    "jupyter-book": (JUPYTER_BOOK, "_build/html"),
    "sphinx": ((*SPHINX, "plain", ".", "_build/plain/html"), "_build/plain/html"),
    "sphinx without the extension": ((*SPHINX, "without", ".", "_build/without/html"), "_build/without/html"),
}


@pytest.fixture(scope="module")
def book(wheel, tmp_path_factory):
    """Two chapters that were run, in a folder with nothing else, which is built each way when it is asked for."""
    folder = tmp_path_factory.mktemp("mine")
    for name, (text, code) in CHAPTERS.items():
        (folder / f"{name}.ipynb").write_text(pages.notebook(pages.text(text), pages.unrun(code)), encoding="utf-8")
    for name, text in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    execute = (BIN / "jupyter-execute", "--inplace", *(f"{name}.ipynb" for name in CHAPTERS))

    @cache
    def built(command):
        done = run(*command, path=wheel, cwd=folder)
        assert done.returncode == 0, done.stdout + done.stderr
        return folder

    built(execute)
    return lambda builder: built(BUILDS[builder][0]) / BUILDS[builder][1]


def page(book, builder, name):
    return book(builder) / f"{name}.html"


def asked_for(path):
    """The local files that a page asks its server for."""
    text = path.read_text(encoding="utf-8")
    named = re.findall(r'<(?:link|script|img)\b[^>]*?(?:href|src)="([^"#?]+)[^"]*"', text)
    return {path.parent / name for name in named if "//" not in name}


WITH_VERDICTS = [pytest.param("jupyter-book", marks=pytest.mark.slow), "sphinx"]
OURS = {"ndcg-ref.css", "ndcg-ref.js"}


def test_the_book_is_built_with_the_wheel(book, wheel):
    done = run(sys.executable, "-c", "import ndcg_ref; print(ndcg_ref.__file__)", path=wheel, cwd=book("sphinx"))
    assert Path(done.stdout).is_relative_to(wheel)


@pytest.mark.parametrize("builder", WITH_VERDICTS)
def test_every_verdict_is_on_the_page_and_its_class_has_a_style(book, builder):
    lecture = page(book, builder, "lecture")
    text = lecture.read_text(encoding="utf-8")
    assert Counter(re.findall(r'class="ndcg-verdict ndcg-(\w+)[" ]', text)) == {"agrees": 4, "slip": 2}
    (style,) = (path for path in asked_for(lecture) if path.name == "ndcg-ref.css")
    classes = set(re.findall(r'\bndcg-[a-z]+(?=[ "])', text))
    assert {"ndcg-slip", "ndcg-table", "ndcg-printed", "ndcg-digit"} <= classes
    assert {name for name in classes if f".{name}" not in style.read_text(encoding="utf-8")} == set()


@pytest.mark.parametrize("name", [*CHAPTERS, "genindex"])
@pytest.mark.parametrize("builder", WITH_VERDICTS)
def test_a_page_asks_for_nothing_that_is_not_there(book, builder, name):
    files = asked_for(page(book, builder, name))
    assert files
    assert {path for path in files if not path.exists()} == set()
    assert {path.name for path in files} & OURS == (OURS if name == "lecture" else set())


@pytest.mark.parametrize("name", ["words", "index", "genindex", "search"])
def test_a_page_without_a_verdict_is_what_it_was(book, name):
    """Byte for byte, although one has an output that the book's own list of slips would turn into sections."""
    built = [page(book, builder, name).read_bytes() for builder in ("sphinx", "sphinx without the extension")]
    assert built[0] == built[1]


def test_the_ledger_counts_the_verdicts_of_the_book(book, wheel):
    done = run(sys.executable, "-m", "ndcg_ref", "ledger", ".", path=wheel, cwd=book("sphinx").parents[2])
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-3:] == [
        "lecture: 5 checked, 3 agrees, 2 slip, 0 undefined, 0 unchecked",
        "all notes: 5 checked, 3 agrees, 2 slip, 0 undefined, 0 unchecked",
        "listed, and not counted above: statements in words 1",
    ]
