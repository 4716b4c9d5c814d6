"""The tables of a region: Markdown, LaTeX and tab-separated rows, as columns of cells with their places."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ndcg_ref.stated.number import Number, read_number

_GAP = r"(?<=\S)  +(?=\S)"
_ROWS = {"|": re.compile(r"\|"), "&": re.compile(r"(?<!\\)&"), "\t": re.compile(r"\t"), " ": re.compile(_GAP)}
_RULE = re.compile(r"[\s|:+\-=]*|\\(?:hline|toprule|midrule|bottomrule|cline\{[^}]*\})[\s\\]*")
_MARKS = re.compile(r"^(?:\s|\*\*|\$|`|\\\(|\\textbf\{)+|(?:\s|\*\*|\$|`|\\\)|\}|\\\\(?:\s*\\hline)?)+$")
MOST_ROWS = 2_000
MOST_COLUMNS = 50


@dataclass(frozen=True)
class Cell:
    """A cell: where its text stands in the region, the text, and the number that it is, if it is one."""

    start: int
    end: int
    text: str
    number: Number | None


@dataclass(frozen=True)
class Table:
    """A table: its header cells, and its rows.

    Parameters
    ----------
    start, end : int
        Where it stands in the region.
    header : tuple of str
        The texts of the first row, if that has no numbers.
    rows : tuple of tuple of Cell
        The others.
    """

    start: int
    end: int
    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


def tables_of(text: str) -> list[Table]:
    r"""The tables of a region.

    >>> table, = tables_of("| rank | grade |\n|---|---|\n| 1 | 3 |\n| 2 | 0 |\n")
    >>> table.header, [[cell.text for cell in row] for row in table.rows]
    (('rank', 'grade'), [['1', '3'], ['2', '0']])
    """
    found: list[Table] = []
    for sign, form in _ROWS.items():
        block: list[tuple[int, str]] = []
        for start, line in [*_lines(text), (len(text), "")]:
            cells = len(form.findall(line))
            if (0 < cells <= MOST_COLUMNS and line.strip()) or (block and _RULE.fullmatch(line) and line.strip()):
                block.append((start, line))
                continue
            found += _table(block, sign, form)
            block = []
    return sorted(found, key=lambda each: each.start)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    start = 0
    for line in text.splitlines(keepends=True):
        yield start, line
        start += len(line)


def _table(block: list[tuple[int, str]], sign: str, form: re.Pattern[str]) -> Iterator[Table]:
    rows = [tuple(_cells(start, line, sign, form)) for start, line in block if not _RULE.fullmatch(line)]
    if not 2 <= len(rows) <= MOST_ROWS:
        return
    header: tuple[str, ...] = ()
    if not all(cell.number is not None for cell in rows[0]):
        header = tuple(cell.text for cell in rows[0])
        rows = rows[1:]
    if any(cell.number is not None for row in rows for cell in row):
        yield Table(block[0][0], block[-1][0] + len(block[-1][1]), header, tuple(rows))


def _cells(start: int, line: str, sign: str, form: re.Pattern[str]) -> Iterator[Cell]:
    places = [0, *(end for found in form.finditer(line) for end in found.span()), len(line)]
    pairs = list(zip(places[::2], places[1::2], strict=True))
    if sign == "|":  # a bar at the margin ends no cell
        pairs = pairs[not line[: pairs[0][1]].strip() :]
        pairs = pairs[: len(pairs) - (not line[pairs[-1][0] :].strip())]
    for first, last in pairs:
        inner = line[first:last]
        text = _MARKS.sub("", inner)
        text = _MARKS.sub("", text)
        at = start + first + (inner.index(text) if text else 0)
        yield Cell(at, at + len(text), text, _read(text))


def _read(text: str) -> Number | None:
    try:
        return read_number(text.replace("\\%", "%"))
    except ValueError:
        return None
