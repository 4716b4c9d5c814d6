"""Check the prose of the book as the book tells lecturers to check theirs: with `ndcg-ref check`.

Each Markdown cell of a chapter is a note of its own, as a chapter goes on to other rankings and conventions. The code
of chapters and what it prints are left out: the chapter itself holds those numbers to what it computes. The slips that
the book shows on purpose are in `book/known-slips.jsonl`, as ``ndcg-ref check --format baseline`` prints them; one that
is gone fails the check as well.
"""

import shutil
import subprocess
import sys
from pathlib import Path

from ndcg_ref.stated.stored_notebook import notebook_of

FOLDER = "_build/prose"
KNOWN = "book/known-slips.jsonl"


def prose_of(text: str, suffix: str) -> dict[str, str]:
    """The texts of a page, by what their files are called behind its name: of a notebook its cells with text.

    >>> prose_of('{"cells": [{"cell_type": "code"}, {"cell_type": "markdown", "source": "x"}]}', ".ipynb")
    {'-cell-2.md': 'x'}
    """
    if suffix != ".ipynb":
        return {suffix: text}
    cells = enumerate(notebook_of(text).cells, start=1)
    return {f"-cell-{i}.md": cell.source for i, cell in cells if cell.kind == "markdown"}


def pages_of(root: Path) -> list[Path]:
    """The pages of the book."""
    return sorted(path for path in (root / "book").rglob("*") if path.suffix in (".ipynb", ".md"))


def check(root: Path) -> int:
    """Write the prose of each page below `_build`, and check it there; the exit code of the command."""
    folder = root / FOLDER
    shutil.rmtree(folder, ignore_errors=True)
    for page in pages_of(root):
        copy = folder / page.relative_to(root).with_suffix("")
        copy.parent.mkdir(parents=True, exist_ok=True)
        for end, text in prose_of(page.read_text(encoding="utf-8"), page.suffix).items():
            copy.with_name(copy.name + end).write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "ndcg_ref", "check", "--baseline", str(root / KNOWN), "book"]
    return subprocess.run(command, cwd=folder, check=False).returncode


if __name__ == "__main__":
    sys.exit(check(Path.cwd()))
