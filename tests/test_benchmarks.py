"""The benchmark of the book takes the checks out of any chapter, so that it does not end at a new one."""

import importlib.util
import shutil
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).parent.parent
SPEC = importlib.util.spec_from_file_location("book", ROOT / "benchmarks" / "book.py")
book = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(book)


@pytest.mark.parametrize("chapter", [path.relative_to(ROOT).as_posix() for path in (ROOT / "book").rglob("*.ipynb")])
def test_no_check_is_left_in_a_chapter(chapter, tmp_path):
    bare = Path(shutil.copy(ROOT / chapter, tmp_path))
    book.without_checks(bare)
    left = [cell.source for cell in nbformat.read(bare, 4).cells if cell.cell_type == "code"]
    assert [source for source in left for name in book.CHECKS if f"{name}(" in source] == []
