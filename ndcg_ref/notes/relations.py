"""Relations between the columns of a table, found from its numbers alone, whatever its headings say.

A relation is believed when its rows come out and their digits tell far more than chance would, given how many relations
were tried; the few rows that do not come out are then slips.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations, product
from typing import NamedTuple

from ndcg_ref.notes.grades import HIGHEST
from ndcg_ref.notes.tables import Cell, NoteTable
from ndcg_ref.notes.words import says
from ndcg_ref.stated.equation import Side, read_equation
from ndcg_ref.stated.number import Bounds, Number

MOST_COLUMNS = 12  # between which relations are looked for
MOST_ROWS = 100
LEAST_ROWS = 3  # that come out, and tell something
MOST_WRONG = 0.25  # of the rows that tell something
ENOUGH = 10.0  # bits by which the rows have to tell more than the choice of the relation
COARSER = 10  # units of a percentage that the number may be rounded to that it repeats
LEAST_BITS = 4.0  # of a sum or a mean of a column, as columns of measures rise and fall together
NEARER = 0.1  # bits for each column by which the operands stand nearer
DEEPEST = 1000  # ranks
COUNTER = -1  # in place of a column: the number of the row
SLACK = 1e-12  # of sums in another order


class WrittenForm(NamedTuple):
    """A way to work out a number of others: how it is written, with braces for each of these, and what it comes to."""

    text: str
    value: Callable[..., float]


OF_PAIRS = (WrittenForm("{} / {}", lambda a, b: a / b), WrittenForm("{} - {}", lambda a, b: a - b))
OF_TWO = (WrittenForm("{} * {}", lambda a, b: a * b), WrittenForm("{} + {}", lambda a, b: a + b))
OF_RANK = (
    WrittenForm("log2({} + 1)", lambda r: math.log2(r + 1)),
    WrittenForm("1 / log2({} + 1)", lambda r: 1 / math.log2(r + 1)),
    WrittenForm("ln({} + 1)", lambda r: math.log(r + 1)),
    WrittenForm("1 / ln({} + 1)", lambda r: 1 / math.log(r + 1)),
    WrittenForm("log2({})", lambda r: math.log2(r)),
    WrittenForm("1 / {}", lambda r: 1 / r),
)
OF_GRADE = (WrittenForm("2^{} - 1", lambda a: 2**a - 1),)
TERMS = (
    WrittenForm("{} / log2({} + 1)", lambda a, r: a / math.log2(r + 1)),
    WrittenForm("(2^{} - 1) / log2({} + 1)", lambda a, r: (2**a - 1) / math.log2(r + 1)),
)
AS_PERCENTAGE = (WrittenForm("{}", lambda a: a),)


@dataclass(frozen=True)
class CellWorking:
    """How a cell is worked out of others.

    Parameters
    ----------
    line : str
        The working that the table leaves out.
    places : tuple of int
        Where its rounded numbers stand.
    """

    line: str
    places: tuple[int, ...]

    @cached_property
    def side(self) -> Side:
        """The working, read."""
        return read_equation(self.line).sides[0]


class Relation(NamedTuple):
    """A column that is worked out of others: the form, the columns of the operands, and that of the result."""

    form: WrittenForm
    operands: tuple[int, ...]
    result: int


class _Column:
    """A column of numbers, with the bounds of what each can state as an operand: a whole number is exact."""

    def __init__(self, numbers: Sequence[Number | None]) -> None:
        self.numbers = numbers
        told = [number for number in numbers if number is not None]
        self.values = [None if number is None else number.nearest_float for number in numbers]
        self.bounds = [None if number is None else _bounds(number) for number in numbers]
        self.unit = min((number.unit for number in told), default=0)
        self.whole = all(number.unit == 1 for number in told)
        self.ranked = self.whole and all(0 < number.value <= DEEPEST for number in told)
        self.graded = self.whole and all(0 <= number.value <= HIGHEST for number in told)
        self.percentage = any(number.text.endswith("%") for number in told)
        self.mostly_told = 2 * len(told) > len(numbers)


Columns = dict[int, _Column]
CellRows = Sequence[Sequence[Cell]]


def _bounds(number: Number) -> Bounds:
    return (number.nearest_float, number.nearest_float) if number.unit == 1 else number.bounds


def workings_in(table: NoteTable) -> list[tuple[Cell, CellWorking]]:
    r"""The cells of a table that are worked out of others: those on their left, or else those above them.

    >>> from ndcg_ref.notes.tables import tables_of
    >>> text = "a | b | c\n--|--|--\n2.5 | 4.1 | 0.610\n1.9 | 4.4 | 0.432\n3.7 | 4.2 | 0.881\n1.3 | 4.9 | 0.265\n"
    >>> [(cell.text, working.line) for cell, working in workings_in(tables_of(text)[0])][:2]
    [('0.610', '2.5 / 4.1'), ('0.432', '1.9 / 4.4')]
    """
    rows, last = _last_row(table)
    found = list(_workings(rows))
    if not found:
        across = [[cell for cell in row if cell.number is not None] for row in rows]
        found = list(_workings(list(zip(*across, strict=False))))
    return found + last


def _last_row(table: NoteTable) -> tuple[CellRows, list[tuple[Cell, CellWorking]]]:
    """The rows without a last one that adds up the others, or has their means; and its cells with their workings."""
    rows, last = (table.rows, table.totals) if table.totals else (table.rows[:-1], table.rows[-1])
    if not LEAST_ROWS <= len(rows) + bool(table.totals) <= MOST_ROWS:
        return table.rows, []
    width = min(map(len, rows))
    pairs = [(cell, [row[i] for row in rows]) for i, cell in enumerate(last, max(0, width - len(last))) if i < width]
    columns = [(cell, above) for cell, above in pairs if _is_decimal(cell) and all(each.number for each in above)]
    found = {mean: [_of_all(cell, above, mean) for cell, above in columns] for mean in (True, False)}
    told = {mean: sum(bits for _, bits in each) for mean, each in found.items()}
    mean = told[True] > told[False] or (told[True] == 0 and any(says("mean", cell.text) for cell in last))
    if not told[mean] and not (mean and table.totals):
        return table.rows, []
    right = sum(bits > 0 for _, bits in found[mean])
    several = right > 1 >= len(columns) - right and told[mean] > ENOUGH
    sure = mean and (bool(table.totals) or several)
    cells = [cell for cell, _ in columns if told[mean] > ENOUGH or table.totals]
    return rows, [(cell, own) for cell, (own, bits) in zip(cells, found[mean], strict=False) if bits or sure]


def _is_decimal(cell: Cell) -> bool:
    return cell.number is not None and cell.number.unit < 1


def _of_all(cell: Cell, above: Sequence[Cell], mean: bool) -> tuple[CellWorking, float]:
    """The working of a cell as the sum or the mean of those above, and what it tells if it comes out."""
    numbers = [each.number for each in above if each.number is not None]
    line = " + ".join(each.text for each in numbers)
    working = CellWorking(
        f"({line}) / {len(numbers)}" if mean else line,
        tuple(each.start for each, number in zip(above, numbers, strict=True) if _is_rounded(number.text)),
    )
    low, high = (math.fsum(_bounds(each)[i] for each in numbers) / (len(numbers) if mean else 1) for i in (0, 1))
    number = cell.number
    if number is None or not number.value:
        return working, 0.0
    least, most = number.bounds
    values = [each.nearest_float for each in numbers]
    spread = (max(values) - min(values)) * (1 if mean else len(values))
    out = high + SLACK < least or low - SLACK > most
    bits = math.log2(max(1.0, spread / (high - low + float(number.unit)))) if spread and not out else 0.0
    return working, bits if bits > LEAST_BITS else 0.0


def _workings(rows: CellRows) -> Iterator[tuple[Cell, CellWorking]]:
    columns = _columns_of(rows)
    for result in columns:
        found = _best(_candidates(result, columns), columns)
        if found is None:
            continue
        for n, row in enumerate(rows):
            cells = [None if column == COUNTER else row[column] for column in found.operands]
            told = all(cell is None or cell.number is not None for cell in cells)
            if told and row[result].number is not None:
                yield row[result], _working(found, cells, n)


def _columns_of(rows: CellRows) -> Columns:
    if not LEAST_ROWS <= len(rows) <= MOST_ROWS:
        return {}
    found = ((i, _Column([row[i].number for row in rows])) for i in range(min(map(len, rows), default=0)))
    return dict([(i, each) for i, each in found if each.mostly_told][:MOST_COLUMNS])


def _working(found: Relation, cells: Sequence[Cell | None], n: int) -> CellWorking:
    numbers = [cell.number if cell is not None else None for cell in cells]
    texts = [str(n + 1) if each is None else f"({each.text})" if each.units < 0 else each.text for each in numbers]
    rounded = [cell.start for cell, each in zip(cells, texts, strict=True) if cell is not None and _is_rounded(each)]
    return CellWorking(found.form.text.format(*texts), tuple(rounded))


def _is_rounded(text: str) -> bool:
    return "." in text or "%" in text


def _best(candidates: Iterable[Relation], columns: Columns) -> Relation | None:
    """The relation of those tried that tells most, if it is to be believed."""
    told = [(_bits(each, columns), each) for each in candidates]
    likely = [(bits, each) for bits, each in told if bits > ENOUGH + math.log2(len(told))]
    return max(likely, key=lambda pair: pair[0] - NEARER * _apart(pair[1]), default=(0.0, None))[1]


def _apart(found: Relation) -> int:
    """How many columns away the operands of a relation stand."""
    return sum(found.result - operand for operand in found.operands if operand != COUNTER)


def _candidates(result: int, columns: Columns) -> Iterator[Relation]:
    """The relations that a column may have to those on its left."""
    left = [i for i in columns if i < result]
    counted = [COUNTER, *(i for i in left if columns[i].ranked)]
    graded = [i for i in left if columns[i].graded]
    choices: list[tuple[Sequence[WrittenForm], Iterable[tuple[int, ...]]]] = [
        (OF_PAIRS, permutations(left, 2)),
        (OF_TWO, combinations(left, 2)),
        (OF_GRADE, ((i,) for i in graded)),
    ]
    if columns[result].percentage:
        alike = [i for i in left if not columns[i].percentage and columns[i].unit <= COARSER * columns[result].unit]
        choices.append((AS_PERCENTAGE, ((i,) for i in alike)))
    if not columns[result].whole:
        choices += [
            (OF_RANK, ((i,) for i in counted)),
            (TERMS, ((i, rank) for i, rank in product(graded, counted) if i != rank)),
        ]
    return (Relation(form, each, result) for forms, operands in choices for each in operands for form in forms)


def _bits(found: Relation, columns: Columns) -> float:
    """What the rows that come out tell, less what the others cost; less than 0 where these are too many."""
    numbers = columns[found.result].numbers
    most_wrong = MOST_WRONG * len(numbers)
    wrong = 0
    right: dict[tuple[float, tuple[Bounds, ...]], float] = {}  # how far apart the values are that would come out
    for number, operands in zip(numbers, _operands_by_row(found, columns), strict=True):
        bounds = _reached(found.form, operands) if number is not None else None
        if number is None or bounds is None:
            continue
        low, high = bounds
        least, most = number.bounds
        if high < least or low > most:
            wrong += 1
            if wrong > most_wrong:
                return -1.0
            continue
        value = number.nearest_float
        repeated = len(operands) > 1 and any(low <= value <= high for low, high in operands)
        if value and not repeated:  # else any relation might come out
            right[value, operands] = high - low + float(number.unit)
    if len(right) < LEAST_ROWS or wrong > MOST_WRONG * (len(right) + wrong):
        return -1.0
    spread = _spread([*right], apart=len(found.operands) > 1)
    told = (math.log2(max(1.0, spread / each)) for each in right.values() if spread)
    return sum(told) - wrong * math.log2(len(numbers))


def _operands_by_row(found: Relation, columns: Columns) -> Iterable[tuple[Bounds, ...]]:
    """The bounds of the operands of each row; none where one of them is missing."""
    counted = [(n + 1.0, n + 1.0) for n in range(len(columns[found.result].numbers))]
    told = [counted if each == COUNTER else columns[each].bounds for each in found.operands]
    return (() if None in operands else operands for operands in zip(*told, strict=True))


def _reached(form: WrittenForm, operands: Sequence[Bounds]) -> Bounds | None:
    """The least and the greatest value of a form whose operands lie between theirs; None where it has none."""
    if not operands:
        return None
    try:
        values = [form.value(*ends) for ends in product(*({*pair} for pair in operands))]
    except (ArithmeticError, ValueError):
        return None
    return min(values) - SLACK, max(values) + SLACK


def _spread(rows: Sequence[tuple[float, tuple[Bounds, ...]]], apart: bool) -> float:
    """How far apart results are, and, if it tells less, how far from each operand: it may be near to one anyway."""
    values = [[value for value, _ in rows]]
    for i in range(len(rows[0][1])) if apart else ():
        values.append([value - operands[i][0] for value, operands in rows])
    return min(max(each) - min(each) for each in values)
