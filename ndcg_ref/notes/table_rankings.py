"""The rankings that stand in tables: as a column of grades or marks, or as a list in a cell of each row."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import TypeVar

from ndcg_ref.notes.grades import HIGHEST, Listing
from ndcg_ref.notes.names import named_columns
from ndcg_ref.notes.tables import Cell, NoteTable
from ndcg_ref.notes.words import column_of, mark_of, quantity_of, says
from ndcg_ref.stated.number import Number

Value = TypeVar("Value")
LEAST = 2
_LIST = re.compile(r"\W{0,2}[0-9](?:[,;]? [0-9]|[,;][0-9]){2,49}\W{0,2}")
_DIGITS = re.compile(r"[0-5]{3,10}")  # grades without blanks, as in 2101


def listings_in(table: NoteTable) -> list[Listing]:
    """The column of a table that is grades, or check marks; none where several may be the ranking."""
    named = [each for _, each in named_columns(table)]
    if named:
        return named
    found = list(_listings(table))
    rankings = {each.grades for each in found if not each.ideal}
    return found if len(rankings) < 2 else [each for each in found if each.ideal]


def kinds_of(table: NoteTable) -> list[str | None]:
    """What each column holds: as its heading says, and where none is of grades, as the numbers show."""
    kinds = [column_of(head) for head in table.header]
    kinds = [None if kind == "grade" and _has_odd_cells(table.numbers(i)) else kind for i, kind in enumerate(kinds)]
    if "grade" not in kinds:
        shown = _grades_shown(table)
        kinds = ["grade" if i == shown else kind for i, kind in enumerate(kinds)]
    return kinds


def _has_odd_cells(numbers: Sequence[Number | None]) -> bool:
    """Whether some numbers of a column are no grades, which are whole, halves or quarters."""
    return any(number is not None and 4 * number.value % 1 for number in numbers)


def _listings(table: NoteTable) -> Iterator[Listing]:
    kinds = kinds_of(table)
    for i, head in enumerate(table.header):
        marks = _without_gap([mark_of(text) for text in table.texts(i)])
        if len(marks) > 2 and kinds[i] in ("grade", None) and max(marks) > 0:
            yield Listing(table.start, table.end, tuple(marks), says("ideal", head))
    for i, head in enumerate(table.header):
        grades = [number.nearest_float for number in _without_gap(table.numbers(i))]
        if kinds[i] == "grade" and not _is_gain(head, kinds) and len(grades) > 2 and max(grades) <= HIGHEST:
            yield Listing(table.start, table.end, tuple(grades), says("ideal", head))


def _is_gain(head: str, kinds: Sequence[str | None]) -> bool:
    """Whether a column of grades has the gains of those in another column."""
    return "gain" in head.lower() and kinds.count("grade") > 1


def _without_gap(values: Sequence[Value | None]) -> list[Value]:
    """The values from the first row on; none where a row between them has none."""
    found = [value for value in values if value is not None]
    return found if None not in values[: len(found)] else []


def grades_by_id(table: NoteTable) -> Iterator[tuple[str, float]]:
    """The grade of each document that a table names."""
    for i, head in enumerate(table.header):
        if column_of(head) == "grade":
            for row, number in zip(table.rows, table.numbers(i), strict=True):
                if number is not None and i and row[0].number is None:
                    yield row[0].text, number.nearest_float


def _grades_shown(table: NoteTable) -> int | None:
    """The column of whole numbers whose discounted gains stand in another column, each at the rank of its row."""
    width = min((len(row) for row in table.rows), default=0)
    columns = [[None if n is None else n for n in table.numbers(i)] for i in range(width)]
    for i, grades in enumerate(columns):
        whole = [n for n in grades if n is not None and n.unit == 1 and 0 <= n.value <= HIGHEST]
        if len(whole) < len(grades) or len({n.value for n in whole}) < LEAST:
            continue
        for power in (False, True):
            gains = [2**n.nearest_float - 1 if power else n.nearest_float for n in whole]
            terms = [gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1)]
            if any(_are(terms, column) for column in columns if column is not grades):
                return i
    return None


def _are(terms: Sequence[float], column: Sequence[Number | None]) -> bool:
    pairs = [(number, term) for number, term in zip(column, terms, strict=True) if term]
    decimals = sum(number is not None and number.unit < 1 for number, _ in pairs)
    return decimals >= LEAST and all(number is not None and number.covers(term) for number, term in pairs)


def rankings_in(table: NoteTable) -> list[Listing]:
    """The rankings of a table that has one in each of several rows, as in ``| A | 3 2 0 1 | 0.94 |``."""
    found = [
        Listing(cell.start, cell.end, _grades(cell), _is_pool(table, i) or says("ideal", row[0].text))
        for i in _columns(table)
        for row, cell in zip(table.rows, table.column(i), strict=True)
        if cell
    ]
    return found if len(table.rows) >= LEAST else []


def _columns(table: NoteTable) -> list[int]:
    """The columns whose cells are rankings."""
    columns = [
        (i, [cell.text for cell in table.column(i) if cell])
        for i, head in enumerate(table.header)
        if quantity_of(head) is None
    ]
    return [i for i, texts in columns if _all(_LIST, texts) or (_all(_DIGITS, texts) and _vary(texts))]


def _all(form: re.Pattern[str], texts: Sequence[str]) -> bool:
    return len(texts) > 0 and all(form.fullmatch(text) for text in texts)


def _vary(texts: Sequence[str]) -> bool:
    """Whether texts are as long as each other, not the same, and for the most part no round numbers."""
    several = sum(text.rstrip("0") != text[0] for text in texts)
    return len({len(text) for text in texts}) == 1 < len(set(texts)) and 2 * several > len(texts)


def _grades(cell: Cell) -> tuple[float, ...]:
    return tuple(float(digit) for digit in re.findall("[0-9]", cell.text))


def _is_pool(table: NoteTable, column: int) -> bool:
    head = table.header[column]
    return says("pool", head) or says("ideal", head)
