"""Relations between the columns of a table, found from its numbers alone, whatever its headings say.

A relation is believed when its rows come out and their digits tell far more than chance would, given how many relations
were tried; the few rows that do not come out are then slips.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import NamedTuple

from ndcg_ref.notes.tables import Cell, NoteTable
from ndcg_ref.notes.words import says
from ndcg_ref.stated.equation import Side, read_equation
from ndcg_ref.stated.number import Bounds, Working, bounds_of, read_number

MOST_COLUMNS = 10  # between which relations are looked for
LEAST_ROWS = 3  # that come out, and tell something
MOST_WRONG = 0.25  # of the rows that tell something
ENOUGH = 10.0  # bits by which the rows have to tell more than the choice of the relation
FORMS: dict[str, Working] = {  # how a number is written that is worked out of others, and what it comes to
    "{} / {}": operator.truediv,
    "{} - {}": operator.sub,
    "{} * {}": operator.mul,
    "{} / log2({} + 1)": lambda grade, rank: grade / math.log2(rank + 1),
    "(2^{} - 1) / log2({} + 1)": lambda grade, rank: (2**grade - 1) / math.log2(rank + 1),
    "log2({} + 1)": lambda rank: math.log2(rank + 1),
    "1 / log2({} + 1)": lambda rank: 1 / math.log2(rank + 1),
    "ln({} + 1)": math.log1p,
    "1 / ln({} + 1)": lambda rank: 1 / math.log1p(rank),
    "1 / {}": lambda rank: 1 / rank,
}

Column = Sequence[Cell]


class CellWorking(NamedTuple):
    """How a cell is worked out of others: what the table leaves out, and the places of its rounded numbers."""

    side: Side
    places: tuple[int, ...]


def workings_in(table: NoteTable) -> list[tuple[Cell, CellWorking]]:
    r"""The cells of a table that are worked out of others: those on their left, or else those above them.

    >>> from ndcg_ref.notes.tables import tables_of
    >>> text = "a | b | c\n--|--|--\n2.5 | 4.1 | 0.610\n1.9 | 4.4 | 0.432\n3.7 | 4.2 | 0.881\n1.3 | 4.9 | 0.265\n"
    >>> [(cell.text, working.side.text) for cell, working in workings_in(tables_of(text)[0])][:2]
    [('0.610', '2.5 / 4.1'), ('0.432', '1.9 / 4.4')]
    """
    totals = _totals([*table.rows, table.totals] if table.totals else table.rows)
    rows = table.rows[:-1] if totals and not table.totals else table.rows
    across = [[cell for cell in row if cell.number is not None] for row in rows]
    return (list(_workings(rows)) or list(_workings([*zip(*across, strict=False)]))) + totals


def _totals(rows: Sequence[Column]) -> list[tuple[Cell, CellWorking]]:
    """The cells of a last row that adds up those above it, or has their means."""
    columns = [each for each in zip(*(row[::-1] for row in rows), strict=False) if all(cell.number for cell in each)]
    rounded = [each for each in columns if len(each) > 2 and _is_rounded(each[-1])]
    count = len(rows) - 1
    bits = {over: [_bits_of_total(each, over) for each in rounded] for over in (1, count)}
    is_named = any(says("mean", cell.text) for cell in rows[-1])
    over = count if is_named else max(bits, key=lambda each: sum(bits[each]))
    if sum(bits[over]) <= ENOUGH and not is_named:
        return []
    added = " + ".join(["{}"] * count)
    form = added if over == 1 else f"({added}) / {count}"
    is_sure = over > 1 and (is_named or sum(map(bool, bits[over])) > 1)
    return [
        (each[-1], _working(form, each[:-1])) for each, told in zip(rounded, bits[over], strict=True) if told or is_sure
    ]


def _bits_of_total(column: Column, over: int) -> float:
    """What a last cell tells that comes out as the sum of those above it, divided by a number."""
    *above, cell = column
    values = [each.number.nearest_float for each in above if each.number]
    bounds = bounds_of(lambda *values: math.fsum(values) / over, [_bounds(each) for each in above])
    return _bits_of(cell, bounds, (max(values) - min(values)) * len(above) / over) or 0.0


def _workings(rows: Sequence[Sequence[Cell]]) -> Iterator[tuple[Cell, CellWorking]]:
    """The cells that are worked out of others on their left, where a column counts the rows."""
    counted = [(Cell(0, 0, str(n), read_number(str(n))), *row) for n, row in enumerate(rows, 1)]
    columns = [each for each in zip(*counted, strict=False) if 2 * sum(bool(cell.number) for cell in each) > len(each)]
    for i, result in enumerate(columns[:MOST_COLUMNS]):
        choices = [(form, each) for form in FORMS for each in permutations(columns[:i], form.count("{}"))]
        told = [(_bits(form, operands, result), form, operands) for form, operands in choices]
        bits, form, operands = max(told, key=lambda each: each[0], default=(0.0, "", ()))
        if bits > ENOUGH + math.log2(len(told) or 1):
            yield from ((cell, _working(form, others)) for cell, *others in _told(result, *operands))


def _told(*columns: Column) -> Iterator[Column]:
    """The rows of columns in which each has a number."""
    return (row for row in zip(*columns, strict=True) if all(cell.number for cell in row))


def _working(form: str, cells: Sequence[Cell]) -> CellWorking:
    numbers = [each.number for each in cells if each.number]
    working = form.format(*(each.text if each.text[0].isdigit() else f"({each.text})" for each in numbers))
    return CellWorking(read_equation(working).sides[0], tuple(cell.start for cell in cells if _is_rounded(cell)))


def _is_rounded(cell: Cell) -> bool:
    return cell.number is not None and ("." in cell.number.text or "%" in cell.number.text)


def _bits(form: str, operands: Sequence[Column], result: Column) -> float:
    """What the rows that come out tell, less what the others cost; less than 0 where these are too many."""
    values = [cell.number.nearest_float for cell in result if cell.number]
    spread = max(values) - min(values)
    told: dict[tuple[str, ...], float | None] = {}
    for cell, *others in _told(result, *operands):
        bounds = bounds_of(FORMS[form], [_bounds(each) for each in others])
        told[tuple(each.text for each in others)] = _bits_of(cell, bounds, spread)
    right = [bits for bits in told.values() if bits is not None]
    wrong = len(told) - len(right)
    is_likely = len(right) >= LEAST_ROWS and wrong <= MOST_WRONG * len(told)
    return sum(right) - wrong * math.log2(len(result)) if is_likely else 0.0


def _bits_of(cell: Cell, bounds: Bounds, spread: float) -> float | None:
    """What a cell tells that comes out, if it does; a 0 tells nothing."""
    low, high = bounds
    number = cell.number
    if number is None or high < number.bounds[0] or low > number.bounds[1]:
        return None
    return math.log2(max(1.0, spread / (high - low + float(number.unit)))) if number.value else 0.0


def _bounds(cell: Cell) -> Bounds:
    """What a number can state as an operand: a whole number is exact."""
    if cell.number is None:
        return -math.inf, math.inf
    return cell.number.bounds if cell.number.unit < 1 else (cell.number.nearest_float,) * 2
