"""What the columns of a note's tables hold: ranks, grades, ids, and numbers that were computed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ndcg_ref.notes.claims import Claim
from ndcg_ref.notes.grades import HIGHEST, Listing
from ndcg_ref.notes.names import Names, named_columns
from ndcg_ref.notes.patterns import lazy_pattern
from ndcg_ref.notes.tables import Table
from ndcg_ref.notes.words import column_of, mark_of, quantity_of, says

TOTAL = 0  # in place of a rank, in the row that adds up the others
_CUTOFF = lazy_pattern(r"\W*(?:@|k\s*=|top|first)\s*-?([0-9]{1,4})\W*", re.IGNORECASE)


def listings_in(table: Table) -> list[Listing]:
    """The column of a table that is grades, or check marks; none where several may be the ranking."""
    named = [each for _, each in named_columns(table)]
    if named:
        return named
    found = list(_listings(table))
    rankings = {each.grades for each in found if not each.ideal}
    return found if len(rankings) < 2 else [each for each in found if each.ideal]


def _listings(table: Table) -> Iterator[Listing]:
    for i, head in enumerate(table.header):
        marks = [mark_of(row[i].text) if i < len(row) else None for row in table.rows]
        told = [mark for mark in marks if mark is not None]
        if len(told) > 2 and None not in marks[: len(told)] and column_of(head) in ("grade", None) and max(told) > 0:
            yield Listing(table.start, table.end, tuple(told), says("ideal", head))
    for i, head in enumerate(table.header):
        column = [row[i].number if i < len(row) else None for row in table.rows]
        grades = [number.nearest_float for number in column if number is not None]
        gains = "gain" in head.lower() and any(column_of(other) == "grade" for other in table.header if other != head)
        if (
            column_of(head) == "grade"
            and not gains
            and len(grades) > 2
            and None not in column[: len(grades)]
            and max(grades) <= HIGHEST
        ):
            yield Listing(table.start, table.end, tuple(grades), says("ideal", head))


def grades_by_id(table: Table) -> Iterator[tuple[str, float]]:
    """The grade of each document that a table names."""
    for i, head in enumerate(table.header):
        if column_of(head) == "grade":
            for row in table.rows:
                number = row[i].number if i < len(row) else None
                if number is not None and i and row[0].number is None:
                    yield row[0].text, number.nearest_float


def columns_of(tables: Sequence[Table], names: Names, first: int) -> list[tuple[Claim, ...]]:
    """The columns of numbers, without those of ranks and grades.

    Their indices, which `Example.columns` has, begin with the first one that is free.
    """
    found: list[tuple[Claim, ...]] = []
    for table in tables:
        heads = table.header or ("",) * max(map(len, table.rows))
        kinds = [column_of(head) for head in heads]
        ranks = _ranks(table, kinds)
        for i, head in enumerate(heads):
            counts = not table.header and [row[i].text for row in table.rows if i < len(row)] == [str(k) for k in ranks]
            if (
                counts
                or kinds[i] in ("rank", "id")
                or (kinds[i] == "grade" and ("gain" not in head.lower() or kinds.count("grade") < 2))
            ):
                continue
            claims = []
            for row, rank in zip(table.rows, ranks, strict=True):
                number = row[i].number if i < len(row) else None
                if number is not None and rank:
                    place = (first + len(found), rank)
                    named = quantity_of(head)
                    own = names.of_heading(head)
                    claim = Claim(row[i].start, row[i].end, number, head, named and named[0], cell=place, ranking=own)
                    claims.append(claim)
            total = table.totals[i - len(heads)] if claims and len(heads) - i <= len(table.totals) else None
            if total is not None and total.number is not None:
                place = (first + len(found), TOTAL)
                claims.append(Claim(total.start, total.end, total.number, head, claims[0].quantity, cell=place))
            if claims:
                found.append(tuple(claims))
    return found


def _ranks(table: Table, kinds: Sequence[str | None]) -> list[int]:
    """The rank of each row: as its column of ranks says, or by counting; 0 for a row that has none."""
    counted = list(range(1, len(table.rows) + 1))
    column = kinds.index("rank") if "rank" in kinds else 0
    cuts = [_CUTOFF.fullmatch(row[column].text) if column < len(row) else None for row in table.rows]
    if all(cuts):
        return [int(each[1]) for each in cuts if each]
    if "rank" not in kinds:
        first = [row[0].text for row in table.rows if row]
        cutoffs = [int(each) for each in first] if all(each.isdecimal() for each in first) else []
        rising = not table.header and len(cutoffs) == len(counted) and cutoffs == sorted({*cutoffs})
        return cutoffs if rising else counted
    found = [
        re.match(r"\D{0,3}([0-9]{1,4})(?![0-9.])", row[column].text) if column < len(row) else None
        for row in table.rows
    ]
    return [int(each[1]) if each else 0 for each in found]
