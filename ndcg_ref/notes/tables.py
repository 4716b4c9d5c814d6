"""The tables of a region: Markdown, LaTeX and rows with tabs or semicolons, as columns of cells with their places."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, groupby

from ndcg_ref.notes.words import ENDS, is_total, quantity_of, words_for
from ndcg_ref.stated.number import Number, read_number

_NUMBER = r"[0-9]{1,4}(?:\.[0-9]{1,17})?"
_BAR = re.compile(r"[|│┃║]")
_SEPARATORS = (_BAR, *map(re.compile, ("&", ";", r"\t|(?<=\S)  +(?=\S)|(?<=[0-9]) (?=[0-9]\.[0-9]{3})")))
_LIST_ROW = re.compile(r"^[ \t]*\*[ \t]+-[ \t].*(?:\n[ \t]+-[ \t].*)+", re.MULTILINE)  # of reStructuredText
_BULLET = re.compile(r"[*\n][ \t]*-(?=[ \t])")
_NUMBER_ROW = re.compile(rf"^[ \t]*{_NUMBER}(?:[ \t]+{_NUMBER}){{2,19}}[ \t]*$", re.MULTILINE)
_LINE = re.compile(r"[^\n]*\n?")
_RULE = re.compile(r"\s*[|:+=\u2500-\u257f-][\s|:+=\u2500-\u257f-]*|\s*\\(?:hline|\w+rule|cline\{[^}]*\})[\s\\]*")
_MARKS = re.compile(r"^(?:[\s*$`]|\\textbf\{)+|(?:[\s*$`}\\]|\\hline)+$")
_ALONE = re.compile(rf"(?<![\w.]){_NUMBER}(?!\w|\.[0-9])")
_SERIES = re.compile(rf"(?<=[\[(⟨])\s*{_NUMBER}\.?(?:[\s,;]{{1,12}}{_NUMBER}\.?){{2,49}}(?=\s*[\])⟩])")
_PROSE = re.compile(
    rf"(?<![\w.]){_NUMBER}(?: ?[,;]\s{{1,12}}{_NUMBER}){{1,48}} ?,?\s{{1,12}}"
    rf"(?:{words_for('and')}\s{{1,2}})?{_NUMBER}{ENDS}"
)
_ANNOUNCED = re.compile(r"[=:]\W*(?:langle\W*)?$")
NEAR = 60  # characters before numbers in which a quantity announces them
MOST_ROWS = 2_000


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell: where its text stands in the region, the text, and the number that it is, if it is one."""

    start: int
    end: int
    text: str
    number: Number | None


@dataclass(frozen=True)
class NoteTable:
    """A table: its header cells, and its rows.

    Parameters
    ----------
    start, end : int
        Where it stands in the region.
    header : tuple of str
        The texts of the first row, if that has no numbers.
    rows : tuple of tuple of Cell
        The others.
    totals : tuple of Cell
        The last row, if that says that it adds up the others.
    """

    start: int
    end: int
    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    totals: tuple[Cell, ...] = ()

    def column(self, i: int) -> list[Cell | None]:
        """The cells of a column; None for a row that is too short."""
        return [row[i] if i < len(row) else None for row in self.rows]

    def texts(self, i: int) -> list[str]:
        """The texts of a column; empty for a row that is too short."""
        return [cell.text if cell else "" for cell in self.column(i)]


def tables_of(text: str) -> list[NoteTable]:
    r"""The tables of a region.

    >>> table, = tables_of("| rank | grade |\n|---|---|\n| 1 | 3 |\n| 2 | 0 |\n")
    >>> table.header, [[cell.text for cell in row] for row in table.rows]
    (('rank', 'grade'), [['1', '3'], ['2', '0']])
    """
    found: list[NoteTable] = []
    taken = bytearray(len(text))
    drawn = _LIST_ROW.sub(lambda row: _BULLET.sub(lambda bullet: "|".rjust(len(bullet[0])), row[0]), text)
    drawn = _NUMBER_ROW.sub(lambda row: re.sub("(?<=[0-9]) (?= *[0-9])", "\t", row[0]), drawn)
    for each in chain(*(_separated(drawn, form) for form in _SEPARATORS), _series(text)):
        if b"1" not in taken[each.start : each.end]:
            taken[each.start : each.end] = b"1" * (each.end - each.start)
            found.append(each)
    return found


def _separated(text: str, form: re.Pattern[str]) -> Iterator[NoteTable]:
    """The tables whose cells a sign separates."""
    rules_left_out = (line for line in _LINE.finditer(text) if not _RULE.fullmatch(line[0]))
    for is_row, group in groupby(rules_left_out, lambda line: form.search(line[0]) is not None):
        lines = list(group)
        if is_row and 2 <= len(lines) <= MOST_ROWS:
            rows = [tuple(_cells(line.start(), line[0], form)) for line in lines]
            yield from _table(lines[0].start(), lines[-1].end(), rows)


def _table(start: int, end: int, rows: list[tuple[Cell, ...]]) -> Iterator[NoteTable]:
    """The table of some rows; a header is no row of numbers alone, and has no decimal."""
    numbers = [cell.text for cell in rows[0] if cell.number is not None]
    is_bare = len(numbers) == len(rows[0])
    if is_bare or "." not in "".join(numbers):
        header = () if is_bare else tuple(cell.text for cell in rows.pop(0))
        sums = [any(is_total(cell.text) for cell in row) for row in rows]
        totals = rows.pop() if len(rows) > 2 and sums[-1] and sum(sums) == 1 else ()
        if any(cell.number is not None for row in rows for cell in row):
            yield NoteTable(start, end, header, tuple(rows), totals)


def _cells(start: int, line: str, form: re.Pattern[str]) -> Iterator[Cell]:
    places = [0, *(end for found in form.finditer(line) for end in found.span()), len(line)]
    pairs = list(zip(places[::2], places[1::2], strict=True))
    if form is _BAR:  # one at the margin ends no cell
        pairs = pairs[not line[: pairs[0][1]].strip() :]
        pairs = pairs[: len(pairs) - (not line[pairs[-1][0] :].strip())]
    for first, last in pairs:
        inner = line[first:last]
        text = _MARKS.sub("", inner)
        at = start + first + (inner.index(text) if text else 0)
        yield Cell(at, at + len(text), text, _read(text))


def _series(text: str) -> Iterator[NoteTable]:
    """The decimals that brackets or a sentence list, which may be the values at each rank, as a table of one column."""
    for form in (_SERIES, _PROSE):
        for found in form.finditer(text):
            cells = [
                Cell(found.start() + each.start(), found.start() + each.end(), each[0], _read(each[0]))
                for each in _ALONE.finditer(found[0])
            ]
            if "." in found[0]:
                head = _quantity_before(text, found.start())
                yield NoteTable(found.start(), found.end(), (head,), tuple((cell,) for cell in cells))


def _quantity_before(text: str, start: int) -> str:
    """The quantity that announces numbers, as in ``nDCG by rank: 1, 0.83, 0.69``; empty where none does."""
    before = text[max(text.rfind("\n", 0, start) + 1, start - NEAR) : start]
    named = quantity_of(before) if _ANNOUNCED.search(before) else None
    return named[0] if named is not None and named[0] != "other" else ""


def _read(text: str) -> Number | None:
    try:
        number = read_number(re.sub(r"\s*\\?%$", "%", text))
    except ValueError:
        return None
    return number if math.isfinite(number.nearest_float) else None
