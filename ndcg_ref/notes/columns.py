"""The numbers of a note's tables that were computed: those of all columns but ranks, grades and ids."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ndcg_ref.notes.claims import NoteClaim
from ndcg_ref.notes.tables import NoteTable
from ndcg_ref.notes.words import column_of, quantity_of

TOTAL = 0  # in place of a rank, in the row that adds up the others
CUTOFF = re.compile(r"\W*(?:@|k\s*=|top|first)\s*-?([0-9]{1,4})\W*", re.IGNORECASE)
_RANK = re.compile(r"\D{0,3}([0-9]{1,4})(?![0-9.])\D{0,20}")


def columns_of(tables: Sequence[NoteTable]) -> Iterator[NoteClaim]:
    """The numbers of columns, without those of ranks and grades; each claim has the number of its column."""
    column = 0
    for table in tables:
        heads = table.header or ("",) * max(map(len, table.rows))
        kinds = [column_of(head) for head in heads]
        ranks = _ranks(table, kinds)
        for i, head in enumerate(heads):
            counts = not table.header and [cell.text for cell in table.column(i) if cell] == [str(k) for k in ranks]
            if counts or kinds[i] in ("rank", "id", "grade") or CUTOFF.fullmatch(head):
                continue
            column += 1
            quantity = (quantity_of(head) or (None,))[0]
            cells = [(cell, rank) for cell, rank in zip(table.column(i), ranks, strict=True) if cell and rank]
            if any(cell.number for cell, _ in cells) and len(heads) - i <= len(table.totals):
                cells.append((table.totals[i - len(heads)], TOTAL))
            for cell, rank in cells:
                if cell.number is not None:
                    yield NoteClaim(cell.start, cell.end, cell.number, head, quantity, cell=(column, rank))


def _ranks(table: NoteTable, kinds: Sequence[str | None]) -> list[int]:
    """The rank of each row: as its column of ranks or of cutoffs says, or by counting; 0 for a row that has none."""
    texts = table.texts(kinds.index("rank") if "rank" in kinds else 0)
    for form, several in ((CUTOFF, all), (_RANK, any)):
        found = [form.fullmatch(text) for text in texts]
        if several(found) and (form is CUTOFF or "rank" in kinds):
            return [int(each[1]) if each else 0 for each in found]
    return [*range(1, len(table.rows) + 1)]
