"""Books built in a process of their own, by each program that builds them, and the verdicts of their pages."""

import json
import os
import re
import sys
from pathlib import Path

from commands import run

from ndcg_ref.markdown_books.myst_pages import read_book

BIN = Path(sys.executable).parent
WITH_PATH = ("env", f"PATH={BIN}{os.pathsep}{os.environ['PATH']}")  # plugins and filters are commands there
CONTENT = Path("_build", "site", "content")
BUILDS = {
    # kind: command, the folder of its pages
    "sphinx": ((BIN / "sphinx-build", "-W", "-n", "--keep-going", ".", "_build/html"), "_build/html"),
    "jupyter-book": ((BIN / "jupyter-book", "build", ".", "-W", "-n", "--keep-going"), "_build/html"),
    "myst": ((*WITH_PATH, BIN / "myst", "build", "--site"), CONTENT),  # exits with 1, without its theme
}


def built(folder, path, kind="sphinx", strictly=True):
    """The exit code of a build, and of the check that follows it; and all that is said, without colours."""
    command = [word for word in BUILDS[kind][0] if strictly or word not in ("-W", "--keep-going")]
    done = run(*command, path=path, cwd=folder)
    said, code = done.stdout + done.stderr, done.returncode
    if kind == "myst":
        checked = run(BIN / "ndcg-ref", "myst", "check", path=path, cwd=folder)
        said, code = said + checked.stdout + checked.stderr, checked.returncode
    return code, re.sub(r"\x1b\[[0-9;]*m", "", said)


def verdicts(folder, kind):
    """Every verdict of the pages of a book: its place, the number, and whether it is right, however it was built."""
    if kind == "myst":
        found = read_book(folder / CONTENT).verdicts
    else:
        ledger = json.loads((folder / BUILDS[kind][1] / "ndcg-ledger.json").read_text(encoding="utf-8"))
        found = [(entry["chapter"] + entry["place"], entry) for entry in ledger["entries"]]
    return sorted((place, record["label"], record["stated"], record["outcome"]) for place, record in found)


CONTENTS = {
    "sphinx": ("index.md", r"[\s\S]*", "# Mine\n\n```{toctree}\n:glob:\n\nwrong-*\n```\n"),
    "jupyter-book": ("_toc.yml", r"[\s\S]*", "format: jb-book\nroot: wrong-0\nchapters:\n- glob: wrong-[1-9]\n"),
    "myst": ("myst.yml", "  toc:\n(    .*\n)*", "  toc:\n    - pattern: wrong-*.md\n"),
}


def with_each(folder, rows, kind="sphinx"):
    """Have a book of the lecture alone, ``wrong-0.md`` with what the first row puts in, and another for each row."""
    text = (folder / "lecture.md").read_text(encoding="utf-8")
    for number, (right, wrong, *_) in enumerate(rows):
        assert text.count(right) == 1, right
        (folder / f"wrong-{number}.md").write_text(text.replace(right, wrong), encoding="utf-8")
    for path in (*folder.glob("lecture.md"), *folder.glob("*.ipynb")):
        path.unlink()
    name, old, new = CONTENTS[kind]
    listed = re.sub(old, lambda _: new, (folder / name).read_text(encoding="utf-8"), count=1)
    (folder / name).write_text(listed, encoding="utf-8")
    return folder
