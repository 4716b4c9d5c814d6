"""The tables of a region: Markdown, LaTeX and rows with tabs or semicolons, as columns of cells with their places."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from ndcg_ref.notes.words import ENDS, is_total, quantity_of, words_for
from ndcg_ref.stated.number import Number, read_number

_GAP = r"(?<=\S)  +(?=\S)"
_ROWS = {
    "|": re.compile(r"[|│┃║]"),
    "&": re.compile(r"(?<!\\)&"),
    "\t": re.compile(r"\t"),
    ";": re.compile(";"),
    " ": re.compile(_GAP),
}
_RULE = re.compile(r"[\s|:+\-=\u2500-\u257f]*|\\(?:hline|toprule|midrule|bottomrule|cline\{[^}]*\})[\s\\]*")
_MARKS = re.compile(r"^(?:\s|\*\*|\$|`|\\\(|\\textbf\{)+|(?:\s|\*\*|\$|`|\\\)|\}|\\\\(?:\s*\\hline)?)+$")
_NUMBER = re.compile(r"(?<![\w.])[0-9]{1,4}(?:\.[0-9]{1,17})?(?!\w|\.[0-9])")
_NUMBERS = re.compile(r"[ \t]*[0-9]{1,4}(?:\.[0-9]{1,17})?(?:[ \t]+[0-9]{1,4}(?:\.[0-9]{1,17})?){2,19}")
_SIGNED = re.compile(r"^\+(?=[0-9.])|(?<=[0-9])\s+(?=%$)")  # what a number needs not: a plus, a blank before %
_SINGLE = re.compile(r"[0-9.]{1,12}(?: [0-9.]{1,12}){1,19}")
_DIGITS = re.compile("[0-9](?: [0-9]){2,19}")  # the grades of a ranking
_ITEM = re.compile(r"[ \t]*(?P<row>\*[ \t]+)?-[ \t]+(?P<text>\S.*)")
_SERIES = re.compile(
    r"(?P<label>[A-Za-z]{1,10}\s*[=:]\s*)?[\[⟨(]\s*"
    r"(?P<numbers>[0-9]{1,4}(?:\.[0-9]{0,17})?(?:[\s,;]{1,12}[0-9]{1,4}(?:\.[0-9]{0,17})?){2,49})\s*[\]⟩)]"
)
_DECIMALS = r"[0-9]{1,3}(?:\.[0-9]{1,6})?"
_NO_SUM = r"(?<![\w.,=+*/^\[(-])(?<![=+*/^-] )"
_PROSE = re.compile(
    rf"{_NO_SUM}{_DECIMALS}(?: ?[,;]\s{{1,12}}{_DECIMALS}){{1,48}} ?,?\s{{1,12}}"
    rf"(?:{words_for('and')}\s{{1,2}})?{_DECIMALS}{ENDS}"
)
_ANNOUNCES = re.compile(r"[=:]\W{0,12}(?:langle\W*)?$")
NEAR = 60  # characters before numbers in which a quantity announces them
MOST_ROWS = 2_000
MOST_COLUMNS = 50


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
    tables = (_separated(text), _list_tables(text), _number_rows(text), _series(text), _series_of_sentences(text))
    for each in chain.from_iterable(tables):
        if b"1" not in taken[each.start : each.end]:
            taken[each.start : each.end] = b"1" * (each.end - each.start)
            found.append(each)
    return sorted(found, key=lambda each: each.start)


def _separated(text: str) -> Iterator[NoteTable]:
    """The tables whose cells a sign separates, or blanks."""
    for sign, form in _ROWS.items():
        block: list[tuple[int, str]] = []
        for start, line in _lines(text):
            cells = len(form.findall(line))
            if (0 < cells <= MOST_COLUMNS and line.strip()) or (block and _RULE.fullmatch(line) and line.strip()):
                block.append((start, line))
                continue
            yield from _table(block, sign, form)
            block = []


def _number_rows(text: str) -> Iterator[NoteTable]:
    """The lines of a program's output that hold nothing but numbers, as many in each."""
    block: list[tuple[int, str]] = []
    for start, line in _lines(text):
        is_row = _NUMBERS.fullmatch(line.rstrip()) is not None
        if is_row and (not block or len(block[0][1].split()) == len(line.split())):
            block.append((start, line))
            continue
        if 3 <= len(block) <= MOST_ROWS:
            rows = tuple(tuple(_cells_of_numbers(*each)) for each in block)
            yield NoteTable(rows[0][0].start, rows[-1][-1].end, (), rows)
        block = [(start, line)] if is_row else []


def _list_tables(text: str) -> Iterator[NoteTable]:
    """The tables of reStructuredText that are lists of lists."""
    rows: list[list[Cell]] = []
    for start, line in _lines(text, "."):
        found = _ITEM.fullmatch(line.rstrip())
        if found and len(rows) > MOST_ROWS:
            continue
        if found and (found["row"] or rows):
            rows += [[]] if found["row"] else []
            at = start + found.start("text")
            rows[-1].append(Cell(at, at + len(found["text"]), found["text"], _read(found["text"])))
        elif line.strip() and rows:
            if 2 < len(rows) <= MOST_ROWS and 1 < len(rows[0]) == len(rows[1]):
                header = tuple(cell.text for cell in rows[0])
                yield NoteTable(rows[0][0].start, rows[-1][-1].end, header, tuple(map(tuple, rows[1:])))
            rows = []


def _series(text: str) -> Iterator[NoteTable]:
    """The numbers in brackets that stand for the values at each rank, as a table of one column."""
    for found in _SERIES.finditer(text):
        label = found["label"] or ""
        if "." in found["numbers"] or re.search(r"cg\W*$", label, re.IGNORECASE):
            rows = tuple((cell,) for cell in _cells_of_numbers(found.start("numbers"), found["numbers"]))
            head = label.strip(" =:\t") or _quantity_before(text, found.start())
            yield NoteTable(found.start("numbers"), found.end("numbers"), (head,), rows)


def _series_of_sentences(text: str) -> Iterator[NoteTable]:
    """The decimals that a sentence lists, which may be the values at each rank, as a table of one column."""
    for found in _PROSE.finditer(text.replace("$", " ")):
        rows = tuple((cell,) for cell in _cells_of_numbers(found.start(), found[0]))
        if len(rows) > 2 and sum("." in cell.text for (cell,) in rows) > 1:
            yield NoteTable(found.start(), found.end(), (_quantity_before(text, found.start()),), rows)


def _quantity_before(text: str, start: int) -> str:
    """The quantity that announces numbers, as in ``nDCG by rank: 1, 0.83, 0.69``; empty where none does."""
    before = text[max(text.rfind("\n", 0, start) + 1, start - NEAR) : start]
    named = quantity_of(before) if _ANNOUNCES.search(before) else None
    return named[0] if named is not None and named[0] != "other" else ""


def _cells_of_numbers(start: int, text: str) -> Iterator[Cell]:
    for found in _NUMBER.finditer(text):
        yield Cell(start + found.start(), start + found.end(), found[0], _read(found[0]))


def _lines(text: str, last: str = "") -> Iterator[tuple[int, str]]:
    """The lines of a text with their places, and one more behind them, which ends what is open."""
    start = 0
    for line in text.splitlines(keepends=True):
        yield start, line
        start += len(line)
    yield start, last


def _table(block: list[tuple[int, str]], sign: str, form: re.Pattern[str]) -> Iterator[NoteTable]:
    """The table of some lines; where the first one has numbers alone it is no header, and a header has no decimal."""
    if len(block) > 2 * MOST_ROWS:  # half of them may be rules
        return
    rows = [tuple(_cells(start, line, sign, form)) for start, line in block if not _RULE.fullmatch(line)]
    if not 2 <= len(rows) <= MOST_ROWS:
        return
    is_bare = all(cell.number is not None for cell in rows[0])
    if not is_bare and any(cell.number is not None and "." in cell.text for cell in rows[0]):
        return
    header = () if is_bare else tuple(cell.text for cell in rows.pop(0))
    sums = [any(is_total(cell.text) for cell in row) for row in rows]
    totals = rows.pop() if len(rows) > 2 and sums[-1] and sum(sums) == 1 else ()
    if any(cell.number is not None for row in rows for cell in row):
        yield NoteTable(block[0][0], block[-1][0] + len(block[-1][1]), header, tuple(rows), totals)


def _cells(start: int, line: str, sign: str, form: re.Pattern[str]) -> Iterator[Cell]:
    places = [0, *(end for found in form.finditer(line) for end in found.span()), len(line)]
    pairs = list(zip(places[::2], places[1::2], strict=True))
    if sign == "|":  # a bar at the margin ends no cell
        pairs = pairs[not line[: pairs[0][1]].strip() :]
        pairs = pairs[: len(pairs) - (not line[pairs[-1][0] :].strip())]
    for first, last in pairs:
        inner = line[first:last]
        if (
            sign == " " and _SINGLE.fullmatch(inner.rstrip()) and not _DIGITS.fullmatch(inner.strip())
        ):  # right-aligned, with one blank before the longest
            yield from _cells_of_numbers(start + first, inner)
            continue
        text = _MARKS.sub("", inner)
        text = _MARKS.sub("", text)
        at = start + first + (inner.index(text) if text else 0)
        yield Cell(at, at + len(text), text, _read(text))


def _read(text: str) -> Number | None:
    try:
        number = read_number(_SIGNED.sub("", text.replace("\\%", "%")))
    except ValueError:
        return None
    return number if math.isfinite(number.nearest_float) else None
