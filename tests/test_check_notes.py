"""The prose of the book passes the checker that the book is about, and a slip in it would be found."""

import json
from pathlib import Path

import pytest
from pages import cell, notebook, text

from tools.book import contents

ROOT = Path(__file__).resolve().parent.parent
RIGHT = "The grades are 3, 0, 2, best rank first.\n\n$$\nDCG = 3 + 0 + 1 = 4.00\n$$\n"
WRONG = RIGHT.replace("4.00", "4.10")
KNOWN = {"file": "book/a.md", "stated": "4.10", "name": "DCG", "text": "DCG = 3 + 0 + 1 = 4.10"}


def chapter(said, code=""):
    """A notebook with a text, and with code that prints itself."""
    return notebook(text(said), cell(code=code, printed=code))


BOOKS = [
    # files, known slips, exit code, why
    ({"a.md": RIGHT}, [], 0, "all agree"),
    ({"a.md": WRONG}, [], 1, "a slip in a page of text"),
    ({"a.md": WRONG}, [KNOWN], 0, "one that is known"),
    ({"a.md": WRONG.replace("4.10", "4.20")}, [KNOWN], 1, "another one, and the known one is gone"),
    ({"a.md": RIGHT}, [KNOWN], 1, "the known one is gone"),
    ({"a.md": RIGHT, "part/b.ipynb": chapter(WRONG)}, [], 1, "a slip in the text of a chapter"),
    ({"a.md": RIGHT, "part/b.ipynb": chapter(RIGHT, WRONG)}, [], 0, "the code of a chapter is held by the chapter"),
    ({"a.md": f":::{{solution}}\n{WRONG}:::\n"}, [], 1, "a slip in a solution"),
    ({"a.md": "No number at all."}, [], 2, "nothing to check"),
]


@pytest.mark.parametrize(("files", "known", "code", "why"), BOOKS)
def test_the_check_of_a_book_finds_slips_in_its_prose(tmp_path, files, known, code, why):
    for name, content in files.items():
        (tmp_path / "book" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "book" / name).write_text(content, encoding="utf-8")
    (tmp_path / contents.KNOWN).write_text("".join(f"{json.dumps(each)}\n" for each in known), encoding="utf-8")
    assert contents.check(tmp_path) == code


def test_every_page_of_the_book_is_checked_and_make_test_does_so():
    pages = {page.relative_to(ROOT).as_posix() for page in contents.pages_of(ROOT)}
    assert {"book/live/spot-the-slip.ipynb", "book/teaching.md", "book/concepts/ndcg.ipynb"} <= pages
    recipe = (ROOT / "Makefile").read_text(encoding="utf-8").partition("\ntest:")[2].partition("\n\n")[0]
    assert "check-notes" in recipe.splitlines()[0]
