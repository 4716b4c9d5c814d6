"""The chapters of the book in the order of its contents, `_toc.yml`: the files that each reads, its text, its minutes.

Prose is the Markdown of a page without code, formulas, cells of tables and targets of links. A word is what is between
two spaces and has a letter or a digit; in the length of a sentence a formula or a piece of code counts as one word.

`python -m tools.book.contents` checks the prose as the book tells lecturers to check theirs: with `ndcg-ref check`.
Each Markdown cell of a chapter is a note of its own, as a chapter goes on to other rankings and conventions. The code
of chapters and what it prints are left out: the chapter itself holds those numbers to what it computes. The slips that
the book shows on purpose are in `book/known-slips.jsonl`, as ``ndcg-ref check --format baseline`` prints them; one that
is gone fails the check as well.
"""

import math
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from markdown_it.token import Token
from sphinx_external_toc.parsing import MalformedError, parse_toc_yaml

from ndcg_ref.stated.ledgers import Ledger, ledger
from ndcg_ref.stated.stored_notebook import notebook_of, read_notebook
from tools.checks import prose

# How long a student takes, in minutes
WORDS_A_MINUTE = 150  # of a text with formulas
LOOK = 0.5  # at a figure or a formula on a line of its own
STAR = 2  # of an exercise
OTHER = "\N{WHITE SQUARE}"  # in place of a formula, or of code
FOLDED = {"{answer}", "{solution}"}
FOLDER = "_build/prose"
KNOWN = "book/known-slips.jsonl"  # the slips that the book shows on purpose
SENTENCE_ENDS = re.compile(r"(?<=[.!?])[)”\"*_]*\s+")


def chapters(root: Path) -> list[Path]:
    """Every notebook of the book, in order, without the pages of text."""
    toc = root / "_toc.yml"
    if not toc.is_file() or not toc.read_text(encoding="utf-8").strip():
        sys.exit("_toc.yml is missing or empty")
    try:
        site = parse_toc_yaml(toc)
    except MalformedError as error:
        sys.exit(f"_toc.yml: {error}")

    def pages(name: str) -> Iterator[str]:
        yield name
        for child in site[name].child_files():
            yield from pages(child)

    found = []
    for name in pages(site.root.docname):
        base = root / name.removesuffix(".ipynb").removesuffix(".md")
        notebook = base.with_name(base.name + ".ipynb")
        if notebook.is_file():
            found.append(notebook)
        elif not base.with_name(base.name + ".md").is_file():
            sys.exit(f"_toc.yml lists {name}, and there is no such file")
    if not found:
        sys.exit("_toc.yml lists no notebook")
    return found


def part(root: Path, caption: str) -> list[tuple[str, str]]:
    """The chapters of a part of the contents, by its caption: the name of each file, and its short title."""
    site = parse_toc_yaml(root / "_toc.yml")
    names = [str(item) for tree in site.root.subtrees if tree.caption == caption for item in tree.items]
    return [(name, title_in_contents(root, name)) for name in names]


def title_in_contents(root: Path, name: str) -> str:
    """The short title of a page, as the contents have it."""
    return parse_toc_yaml(root / "_toc.yml")[name].title or name


def reads(chapter: Path) -> list[Path]:
    """The files that a chapter needs besides the package.

    Its metadata list them under `"ndcg_ref": {"reads": [...]}`, as patterns relative to its folder.
    """
    found = []
    for pattern in read_notebook(chapter).own.get("reads", ()):
        files = sorted(path for path in (chapter.parent / Path(pattern).parent).resolve().glob(Path(pattern).name))
        if not files:
            sys.exit(f"{chapter}: expected files that match {pattern!r}, as its metadata say it reads, found none")
        found += files
    return found


def book_ledger(root: Path) -> Ledger:
    """Every verdict of the book, in order; a chapter is given by its path from the root, a note by its name."""
    places = {chapter: place for place, chapter in enumerate(chapters(root))}
    entries = sorted(ledger(root / "book").entries, key=lambda entry: places[Path(entry["chapter"])])
    return Ledger(
        tuple(
            {
                **entry,
                "note": entry["note"] and Path(entry["note"]).name,
                "chapter": Path(entry["chapter"]).relative_to(root).as_posix(),
            }
            for entry in entries
        )
    )


@dataclass(frozen=True)
class ProseBlock:
    """A paragraph, a heading, an item of a list or a displayed formula, with the heading that it is under."""

    kind: str  # "text", "heading" or "formula"
    text: str
    section: str
    folded: bool = False  # in an answer or a solution


def blocks(text: str, section: str = "", folded: bool = False) -> Iterator[ProseBlock]:
    """The blocks of a Markdown text, in order; those of its tables are left out."""
    kind, level, table = "text", "", False
    for token in prose.MARKDOWN.parse(text):
        if token.type in ("table_open", "table_close"):
            table = token.type == "table_open"
        elif token.type in ("heading_open", "heading_close"):
            kind, level = ("heading", token.tag) if token.type == "heading_open" else ("text", "")
        elif token.type == "inline" and not table:
            said = plain(token.children or [])
            if level in ("h1", "h2"):
                section = said
            yield ProseBlock(kind, said, section, folded)
        elif token.type in ("math_block", "math_block_label", "amsmath"):
            yield ProseBlock("formula", token.content, section, folded)
        elif prose.is_directive(token):
            yield from blocks(prose.inside(token), section, folded or token.info.strip() in FOLDED)


def plain(tokens: list[Token]) -> str:
    """What a reader reads of a line as words."""
    said = ""
    for token in tokens:
        if token.type == "text":
            said += token.content
        elif token.type in ("softbreak", "hardbreak"):
            said += " "
        elif token.type in ("math_inline", "code_inline"):
            said += OTHER
        elif token.type == "myst_role" and token.meta["name"] == "term":
            said += token.content.partition(" <")[0]
    return said


def page(path: Path) -> list[ProseBlock]:
    """The blocks of a page of the book."""
    found: list[ProseBlock] = []
    for cell in prose.cells(path):
        if cell.kind == "markdown":
            found += blocks(cell.source, found[-1].section if found else "")
    return found


def words(text: str) -> int:
    """How many words a text has.

    >>> words("Rank 2 of 5 — a gain")
    6
    """
    return sum(bool(re.search(r"\w", each)) for each in text.split())


def sentence_lengths(page: list[ProseBlock]) -> list[int]:
    """How many words each sentence has; headings are none."""
    sentences = [each for block in page if block.kind == "text" for each in SENTENCE_ENDS.split(block.text)]
    lengths = [sum(bool(re.search(rf"[\w{OTHER}]", word)) for word in each.split()) for each in sentences]
    return [length for length in lengths if length]


def prose_words(page: list[ProseBlock]) -> int:
    """How many words of prose there are, with all folds open."""
    return sum(words(block.text) for block in page if block.kind != "formula")


def minutes(path: Path) -> tuple[int, int]:
    """How long a student takes to read a chapter, and to do its exercises."""
    found = page(path)
    read = [block for block in found if block.section != "Exercises"]
    looks = sum(block.kind == "formula" for block in read)
    looks += sum("figure" in cell.metadata.get("mystnb", {}) for cell in prose.cells(path))
    stars = sum(block.text.count("★") for block in found if block.section == "Exercises")
    return math.ceil(prose_words(read) / WORDS_A_MINUTE + looks * LOOK), stars * STAR


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
