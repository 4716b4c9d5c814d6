"""Measure the text of a page: its words, its sentences, how long it takes to read.

Prose is the Markdown of a page without code, formulas, cells of tables and targets of links. A word is what stands
between two spaces and has a letter or a digit; in the length of a sentence a formula and a piece of code count as one
word each. Arguments, if any, name the pages to measure instead of all.
"""

import math
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from markdown_it.token import Token

from tools.checks import prose

# How long a student takes, in minutes
WORDS_A_MINUTE = 150  # of a text with formulas
LOOK = 0.5  # at a figure or a formula on a line of its own
STAR = 2  # of an exercise


OTHER = "\N{WHITE SQUARE}"  # stands for a formula, or for code
SENTENCE_ENDS = re.compile(r"(?<=[.!?])[)”\"*_]*\s+")


@dataclass(frozen=True)
class Block:
    """A paragraph, a heading, an item of a list or a displayed formula, with the heading that it stands under."""

    kind: str  # "text", "heading" or "formula"
    text: str
    section: str


def blocks(text: str, section: str = "") -> Iterator[Block]:
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
            yield Block(kind, said, section)
        elif token.type in ("math_block", "math_block_label", "amsmath"):
            yield Block("formula", token.content, section)
        elif prose.is_directive(token):
            yield from blocks(prose.inside(token), section)


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


def page(path: Path) -> list[Block]:
    """The blocks of a page of the book."""
    found: list[Block] = []
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


def sentence_lengths(found: list[Block]) -> list[int]:
    """How many words each sentence has; headings are none."""
    sentences = [each for block in found if block.kind == "text" for each in SENTENCE_ENDS.split(block.text)]
    lengths = [sum(bool(re.search(rf"[\w{OTHER}]", word)) for word in each.split()) for each in sentences]
    return [length for length in lengths if length]


def prose_words(found: list[Block]) -> int:
    """How many words of prose there are."""
    return sum(words(block.text) for block in found if block.kind != "formula")


def minutes(path: Path) -> tuple[int, int]:
    """How long a student takes to read a chapter, and to do its exercises."""
    found = page(path)
    read = [block for block in found if block.section != "Exercises"]
    looks = sum(block.kind == "formula" for block in read)
    looks += sum("figure" in cell.metadata.get("mystnb", {}) for cell in prose.cells(path))
    stars = sum(block.text.count("★") for block in found if block.section == "Exercises")
    return math.ceil(prose_words(read) / WORDS_A_MINUTE + looks * LOOK), stars * STAR


def main(arguments: list[str]) -> None:
    """Print the measures of the pages that the arguments name, or of all."""
    print(f"{'words':>6}{'median sentence':>17}  {'minutes':>9}")
    for path in [Path(argument).resolve() for argument in arguments] or prose.chapters():
        found = page(path)
        lengths = sentence_lengths(found) or [0]
        read, exercises = minutes(path)
        print(f"{prose_words(found):6}{median(lengths):17g}  {f'{read} + {exercises}':>9}  {prose.name_of(path)}")


if __name__ == "__main__":
    main(sys.argv[1:])
