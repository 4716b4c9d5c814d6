"""What the columns of a note's tables hold: ranks, grades, ids, and numbers that were computed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from ndcg_ref.notes.claims import NoteClaim
from ndcg_ref.notes.relations import grades_in
from ndcg_ref.notes.tables import NoteTable
from ndcg_ref.notes.words import column_of, quantity_of
from ndcg_ref.stated.number import Number

TOTAL = 0  # in place of a rank, in the row that adds up the others
_CUTOFF = re.compile(r"\W*(?:@|k\s*=|top|first)\s*-?([0-9]{1,4})\W*", re.IGNORECASE)
_RANK = re.compile(r"\D{0,3}([0-9]{1,4})(?![0-9.])\D{0,20}")


def _kinds(table: NoteTable) -> list[str | None]:
    """What each column holds: as its heading says, and where none is of grades, as the numbers show."""
    kinds = [column_of(head) for head in table.header]
    kinds = [None if kind == "grade" and _has_odd_decimals(table.numbers(i)) else kind for i, kind in enumerate(kinds)]
    if "grade" not in kinds:
        shown = grades_in(table.rows)
        kinds = ["grade" if i == shown else kind for i, kind in enumerate(kinds)]
    return kinds


def _has_odd_decimals(numbers: Sequence[Number | None]) -> bool:
    """Whether some numbers of a column are no grades, which are whole, halves or quarters."""
    return any(number is not None and 4 * number.value % 1 for number in numbers)


def _is_gain(head: str, kinds: Sequence[str | None]) -> bool:
    """Whether a column of grades has the gains of those in another column."""
    return "gain" in head.lower() and kinds.count("grade") > 1


def columns_of(tables: Sequence[NoteTable]) -> list[tuple[NoteClaim, ...]]:
    """The columns of numbers, without those of ranks and grades; each claim has the index of its column."""
    found: list[tuple[NoteClaim, ...]] = []
    for table in tables:
        heads = table.header or ("",) * max(map(len, table.rows))
        kinds = _kinds(table) or [None] * len(heads)
        ranks = _ranks(table, kinds)
        for i, head in enumerate(heads):
            counts = not table.header and [cell.text for cell in table.column(i) if cell] == [str(k) for k in ranks]
            grades = kinds[i] == "grade" and not _is_gain(head, kinds)
            if counts or grades or kinds[i] in ("rank", "id") or _CUTOFF.fullmatch(head):
                continue
            about = partial(NoteClaim, label=head, quantity=(quantity_of(head) or (None,))[0])
            column = len(found)
            claims = [
                about(cell.start, cell.end, cell.number, cell=(column, rank))
                for cell, rank in zip(table.column(i), ranks, strict=True)
                if cell is not None and cell.number is not None and rank
            ]
            total = table.totals[i - len(heads)] if claims and len(heads) - i <= len(table.totals) else None
            if total is not None and total.number is not None:
                claims.append(about(total.start, total.end, total.number, cell=(column, TOTAL)))
            if claims:
                found.append(tuple(claims))
    return found


def ranks_of(table: NoteTable) -> list[int]:
    """The rank of each row of a table."""
    return _ranks(table, _kinds(table) or [None] * len(table.header))


def _ranks(table: NoteTable, kinds: Sequence[str | None]) -> list[int]:
    """The rank of each row: as its column of ranks says, or by counting; 0 for a row that has none."""
    counted = list(range(1, len(table.rows) + 1))
    texts = table.texts(kinds.index("rank") if "rank" in kinds else 0)
    told = [int(text) for text in texts if text.isdecimal()]
    if table.header and len(told) == len(texts) and counted != told == sorted({*told}) and told[0] == 1:
        return told  # it leaves out ranks, whatever its heading is
    cuts = [_CUTOFF.fullmatch(text) for text in texts]
    if all(cuts):
        return [int(each[1]) for each in cuts if each]
    if "rank" in kinds and any(map(_RANK.fullmatch, texts)):
        return [int(found[1]) if (found := _RANK.fullmatch(text)) else 0 for text in texts]
    cutoffs = [int(text) for text in texts] if all(text.isdecimal() for text in texts) else []
    return cutoffs if not table.header and cutoffs == sorted({*cutoffs}) != [] else counted
