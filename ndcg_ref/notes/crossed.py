"""The tables of a note whose rows or columns are rankings: by their names, or with their grades in a cell."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ndcg_ref.notes.claims import NoteClaim
from ndcg_ref.notes.grades import Grades
from ndcg_ref.notes.lists import Listing
from ndcg_ref.notes.names import Names, ranking_of_heading
from ndcg_ref.notes.tables import Cell, NoteTable
from ndcg_ref.notes.words import column_of, quantity_of, says
from ndcg_ref.stated.number import Number, read_number

_LIST = re.compile(r"\W{0,2}[0-9](?:[,;]? [0-9]|[,;][0-9]){2,49}\W{0,2}")
_DIGITS = re.compile(r"[0-5]{3,10}")  # grades without blanks, as in 2101
_CUTOFF = re.compile(r"\W*(?:@|k\s*=)\s*([0-9]{1,3})\W*")
_WORD = re.compile(r"[^\W\d_]{2,}")
_PRINTED = re.compile(
    r"^[ \t]{0,20}(?P<name>[^\W\d_]\w{0,19})(?P<numbers>(?:[ \t,:|]{1,20}[0-9]{1,3}\.[0-9]{1,17}){1,9})[ \t]{0,20}$",
    re.MULTILINE,
)
_DECIMAL = re.compile(r"[0-9]+\.[0-9]+")
LEAST = 2


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
    return [i for i, texts in columns if _all(_LIST, texts) or _all(_DIGITS, texts)]


def _all(form: re.Pattern[str], texts: Sequence[str]) -> bool:
    return len(texts) > 0 and all(form.fullmatch(text) for text in texts)


def _grades(cell: Cell) -> Grades:
    return tuple(float(digit) for digit in re.findall("[0-9]", cell.text))


def _is_pool(table: NoteTable, column: int) -> bool:
    head = table.header[column]
    return says("pool", head) or says("ideal", head)


def crossed_in(table: NoteTable, names: Names) -> list[NoteClaim]:
    """The cells of a table with a ranking for each column and a measure for each row, or the other way round."""
    found = list(_claims(table, names))
    return found if any(claim.ranking for claim in found) else []


def _claims(table: NoteTable, names: Names) -> Iterator[NoteClaim]:
    rankings = _columns(table) if len(table.rows) >= LEAST else []
    found: set[int] = set()
    for row in table.rows:
        for i, cell in enumerate(row[: len(table.header)]):
            claim = _claim(table, names, row, i, rankings) if i and i not in rankings and cell.number else None
            if claim is not None:
                found.add(i)
                yield claim
    if any(says("mean", cell.text) for cell in table.totals):  # a mean is not held to one ranking
        for i, cell in enumerate(table.totals, start=len(table.header) - len(table.totals)):
            number = _number(cell, table.header[i]) if i in found else None
            if number is not None:
                yield NoteClaim(cell.start, cell.end, number, "mean", "mean")


def printed_columns(text: str, names: Names) -> list[tuple[NoteClaim, ...]]:
    """The columns of lines that a program prints, each with the name of a ranking and then numbers."""
    found: list[tuple[NoteClaim, ...]] = []
    block: list[tuple[Grades, list[re.Match[str]]]] = []
    for line in [*_PRINTED.finditer(text), None]:
        ranking = ranking_of_heading(line["name"], names) if line else None
        numbers = list(_DECIMAL.finditer(text, line.start("numbers"), line.end("numbers"))) if line else []
        if ranking is not None and (not block or len(block[0][1]) == len(numbers)):
            block.append((ranking, numbers))
            continue
        for i in range(len(block[0][1])) if len(block) >= LEAST else ():
            cells = ((of, each[i], (len(found), row)) for row, (of, each) in enumerate(block, 1))
            found.append(
                tuple(
                    NoteClaim(*at.span(), read_number(at[0]), ranking=of, cell=cell, own=True) for of, at, cell in cells
                )
            )
        block = [(ranking, numbers)] if ranking is not None else []
    return found


def _claim(table: NoteTable, names: Names, row: Sequence[Cell], i: int, rankings: Sequence[int]) -> NoteClaim | None:
    """What a cell states of the ranking of its row or of its column."""
    cell, head = row[i], table.header[i]
    heads = (head, row[0].text, table.header[0])
    own, by_name = _own(table, row, i, rankings)
    ranking = own or ranking_of_heading(head, names) or ranking_of_heading(row[0].text, names)
    quantity, k, sure = next(filter(None, map(quantity_of, heads)), (None, None, False))
    if quantity is None and by_name and "%" in head:
        quantity = "NDCG"
    ideal = any(says("ideal", each) for each in heads[:2])
    number = _number(cell, head)
    if number is None or quantity is None or (ranking is None and not ideal):
        return None
    cutoff = next(filter(None, (_CUTOFF.fullmatch(each) for each in heads)), None)
    if k is None and cutoff:
        k, sure = int(cutoff[1]), True
    elif k is None and column_of(table.header[0]) == "rank" and row[0].text.isdecimal():
        k, sure = int(row[0].text), True
    quantity = "IDCG" if ideal and quantity == "DCG" else quantity
    pools = [_grades(row[j]) for j in rankings if _is_pool(table, j)]
    judged = pools[0] if pools else None
    about = NoteClaim(cell.start, cell.end, number, head, quantity, k, sure, ranking=ranking, judged=judged)
    return replace(about, own=True, chain=table.start)


def _number(cell: Cell, head: str) -> Number | None:
    """The number of a cell; below a heading with a percent sign it is a percentage."""
    if cell.number is not None and "%" in head and cell.number.value > 1:
        return read_number(cell.text + "%")
    return cell.number


def _own(table: NoteTable, row: Sequence[Cell], i: int, rankings: Sequence[int]) -> tuple[Grades | None, bool]:
    """The ranking in the row of a cell: the one that its heading names, else the last before; and if by name."""
    own = [j for j in rankings if j < len(row) and not _is_pool(table, j)]
    words = set(_WORD.findall(table.header[i].lower()))
    for j in own:
        if words & {*_WORD.findall(table.header[j].lower())} - {"text", "textsc", "textbf"}:
            return _grades(row[j]), True
    before = [j for j in own if j < i] or own[:1]
    return (_grades(row[before[-1]]), False) if before else (None, False)
