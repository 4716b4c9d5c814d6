"""A printed table: how it is read, and what is known of each of its columns; each cell is a claim."""

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from graphlib import CycleError, TopologicalSorter
from operator import truediv
from typing import Any

from ndcg_ref.conventions.validation import quoted, shortened
from ndcg_ref.stated.causes import as_alternatives
from ndcg_ref.stated.claim import Alternatives, Claim, Operand, Term, as_computed, as_number, as_sum, total
from ndcg_ref.stated.number import Working
from ndcg_ref.stated.verdict import Verdict, as_operand, verdict_on


@dataclass(frozen=True)
class Column:
    """What is known of a column of a printed table.

    Parameters
    ----------
    values : sequence
        The computed value of each row.
    of : sequence of str, optional
        The headings of the columns that it is made from, so that slips can be traced.
    working : callable, optional
        How it is made from them; without it the first is divided by the second.
    terms : optional
        For a column that adds up a sum from the top what the subject says it by, so that a slip can be traced to terms
        that were rounded before they were added: of discounted gains (grades, Convention or the name of a preset).
    formulas : sequence of str, optional
        What each cell stands for, such as ``log2(3)``.
    alternatives : sequence of mapping, optional
        The alternatives of each row, as `judge` takes them.
    slips : mapping, optional
        The declared causes, by row, counted from 1.
    skip : collection of int, optional
        The rows whose cell states no result.

    Examples
    --------
    >>> quotients = Column([0.5, 0.75], of=("DCG", "IDCG"), slips={2: "truncated"})
    >>> quotients.values, quotients.slips
    ([0.5, 0.75], {2: 'truncated'})
    """

    values: Sequence[Any]
    of: Sequence[str] = ()
    working: Working | None = None
    terms: Any = None
    formulas: Sequence[str] = ()
    alternatives: Sequence[Alternatives] = ()
    slips: Mapping[int, str] = field(default_factory=dict)
    skip: Collection[int] = ()


@dataclass(frozen=True)
class PrintedTable:
    """A printed table as texts."""

    name: str
    headings: list[str]
    rows: list[list[str]]

    def cells(self, row: int) -> dict[str, str]:
        """The texts of a row, by heading."""
        return dict(zip(self.headings, self.rows[row - 1], strict=True))

    def called(self, row: int, heading: str) -> str:
        """The name of a cell."""
        return f"{self.name}, row {row}, {heading}"


def read_table(printed: str, name: str) -> PrintedTable:
    """The headings and the rows of a printed table."""
    where = shortened(name)
    if not isinstance(printed, str):
        raise TypeError(f"{where}: expected a table as text, got {quoted(printed)}")
    lines = [line for line in printed.splitlines() if line.strip()]
    if len(lines) < 2:
        raise ValueError(f"{where}: expected a header row and at least one row, got {len(lines)} lines")
    sign = "\t" if "\t" in lines[0] else "|"
    if sign not in lines[0]:
        raise ValueError(f"{where}: expected cells between tabs or pipes, got the header row {quoted(lines[0])}")
    rows = [_cells(line, sign) for line in lines]
    if sign == "|" and all(re.fullmatch(":?-{2,}:?", cell) for cell in rows[1]):
        del rows[1]
    headings, *rows = rows
    if not rows:
        raise ValueError(f"{where}: expected at least one row below the header row, got none")
    if len(set(headings)) < len(headings):
        twice = next(heading for heading in headings if headings.count(heading) > 1)
        raise ValueError(f"{where}: expected a heading of its own for each column, got {quoted(twice)} twice")
    for i, row in enumerate(rows, start=1):
        if len(row) != len(headings):
            raise ValueError(f"{where}, row {i}: expected {len(headings)} cells, got {len(row)}: {quoted(row)}")
    return PrintedTable(name, headings, rows)


def as_columns(columns: Any, table: PrintedTable) -> dict[str, Column]:
    """The columns to judge, by heading; or a refusal of those that do not fit the table: none is passed over."""
    where, headings = shortened(table.name), table.headings
    if not isinstance(columns, Mapping):
        raise TypeError(f"{where}: columns: expected a mapping from heading to Column, got {quoted(columns)}")
    for heading in columns:
        if heading not in headings:
            raise ValueError(f"{where}: expected one of the headings {quoted(headings)}, got {quoted(heading)}")
    for heading in headings:
        if heading not in columns:
            raise ValueError(
                f"{where}: expected each heading among the columns, got none for {quoted(heading)} "
                "(does it state no result? say None)"
            )
    found = {
        heading: given if isinstance(given, Column) else Column(given)
        for heading, given in columns.items()
        if given is not None
    }
    for heading, column in found.items():
        _match(heading, column, table)
    try:
        TopologicalSorter({heading: column.of for heading, column in found.items()}).prepare()
    except CycleError as error:
        raise ValueError(
            f"{where}: of: expected no column to be made from itself, got {quoted(error.args[1])}"
        ) from None
    return found


def _match(heading: str, column: Column, table: PrintedTable) -> None:
    """Refuse a column that does not fit its table."""
    where, count = f"{shortened(table.name)}: {quoted(heading)}", len(table.rows)
    for what in ("values", "formulas", "alternatives"):
        given = getattr(column, what)
        if isinstance(given, Mapping | str):
            raise TypeError(f"{where}: {what}: expected a sequence, one a row, got {quoted(given)}")
        if len(given) != count and (what == "values" or len(given)):
            raise ValueError(f"{where}: {what}: expected {count}, one a row, got {len(given)}")
    _match_working(where, column, table)
    for row in [*column.skip, *column.slips]:
        if row not in range(1, count + 1):
            raise ValueError(f"{where}: expected a row from 1 to {count}, got {quoted(row)}")
        if row in column.slips and row in column.skip:
            raise ValueError(f"{shortened(table.called(row, heading))}: declared a slip, but skipped")


def _match_working(where: str, column: Column, table: PrintedTable) -> None:
    """Refuse a column that is not made from columns of its table."""
    if isinstance(column.of, str) or (column.of and column.working is None and len(column.of) != 2):
        raise TypeError(f"{where}: of: expected two headings, or several and a working, got {quoted(column.of)}")
    for other in column.of:
        if other not in table.headings:
            raise ValueError(f"{where}: of: expected one of the headings {quoted(table.headings)}, got {quoted(other)}")
    if column.working is not None and not column.of:
        raise ValueError(f"{where}: working: expected of= as well, the headings that it works with")
    if column.terms is not None and column.of:
        raise ValueError(f"{where}: terms: expected a column without of=, as it adds up its own terms")


def judged_cells(
    table: PrintedTable, columns: Mapping[str, Column], decimal: str = ".", as_exact: bool = False
) -> tuple[list[Verdict], list[str | None], dict[str, Any]]:
    """The verdicts of a table in reading order, what is declared of each, and the table as it is stored with them."""
    # A column that is made from others comes after them
    order = list(TopologicalSorter({h: columns[h].of if h in columns else () for h in table.headings}).static_order())
    running = {heading: _running(table, heading, column) for heading, column in columns.items() if column.terms}
    verdicts: list[Verdict] = []
    declared: list[str | None] = []
    rows: list[list[str | int]] = []
    for row in range(1, len(table.rows) + 1):
        judged: dict[str, Verdict] = {}
        for heading in order:
            if heading not in columns or row in columns[heading].skip:
                continue
            column, where = columns[heading], table.called(row, heading)
            number = as_number(table.cells(row)[heading], where, decimal).of(f"{heading}, {table.name}")
            made_from = [
                as_operand(judged[each]) if each in judged else _unjudged_operand(table, row, each, decimal)
                for each in column.of
            ]
            claim = Claim(
                number=number.exactly() if as_exact else number,
                computed=as_computed(column.values[row - 1], None, where),
                name=where,
                operands=tuple(made_from),
                working=(column.working or truediv) if made_from else None,
                alternatives=as_alternatives(column.alternatives[row - 1] if column.alternatives else None, where),
                formula=column.formulas[row - 1] if column.formulas else "",
            )
            if column.terms and not number.exact:
                added = tuple(term.rounded_as(number) for term in running[heading][:row])
                claim = replace(claim, terms=added, operands=tuple(term.operand for term in added), working=total)
            judged[heading] = verdict_on(claim)
        line: list[str | int] = []
        for heading, text in table.cells(row).items():
            line.append(len(verdicts) if heading in judged else text)
            if heading in judged:
                verdicts.append(judged[heading])
                declared.append(columns[heading].slips.get(row))
        rows.append(line)
    return verdicts, declared, {"table": {"heading": table.headings, "rows": rows}}


def _unjudged_operand(table: PrintedTable, row: int, heading: str, decimal: str) -> Operand:
    """A cell that states no result, such as a given grade: right as it stands."""
    where, text = table.called(row, heading), table.cells(row)[heading]
    number = as_number(text, where, decimal)
    if math.isinf(number.nearest_float):
        raise ValueError(f"{shortened(where)}: expected a number within the range of a float, got {quoted(text)}")
    return Operand(number, number.nearest_float, where)


def _running(table: PrintedTable, heading: str, column: Column) -> tuple[Term, ...]:
    """The terms of a column that adds them up from the top; or a refusal."""
    where = f"{shortened(table.name)}: {quoted(heading)}: terms"
    quantity, example = as_sum(column.terms, where)
    added = tuple(quantity.terms(example))
    sums = [math.fsum(term.exact for term in added[:rank]) for rank in range(1, len(added) + 1)]
    found = list(column.values)
    if len(sums) != len(found) or not all(map(math.isclose, sums, found)):
        raise ValueError(f"{where}: expected terms that add up to the column's {quoted(found)}, got {quoted(sums)}")
    return added


def _cells(line: str, sign: str) -> list[str]:
    line = line.strip().removeprefix("|").removesuffix("|") if sign == "|" else line
    return [cell.strip() for cell in line.split(sign)]
