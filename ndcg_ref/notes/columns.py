"""What the columns of a note's tables hold: ranks, grades, ids, and numbers that were computed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ndcg_ref.notes.claims import NoteClaim
from ndcg_ref.notes.relations import grades_in
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
        kinds = _kinds(table) or [None] * len(heads)
        ranks = _ranks(table, kinds)
        for i, head in enumerate(heads):
            counts = not table.header and [cell.text for cell in table.column(i) if cell] == [str(k) for k in ranks]
            is_gain = "gain" in head.lower() and kinds.count("grade") > 1  # of the grades in another column
            grades = kinds[i] == "grade" and not is_gain
            if counts or grades or kinds[i] in ("rank", "id") or CUTOFF.fullmatch(head):
                continue
            column += 1
            quantity = (quantity_of(head) or (None,))[0]
            cells = [(cell, rank) for cell, rank in zip(table.column(i), ranks, strict=True) if cell and rank]
            if any(cell.number for cell, _ in cells) and len(heads) - i <= len(table.totals):
                cells.append((table.totals[i - len(heads)], TOTAL))
            for cell, rank in cells:
                if cell.number is not None:
                    yield NoteClaim(cell.start, cell.end, cell.number, head, quantity, cell=(column, rank))


def _kinds(table: NoteTable) -> list[str | None]:
    """What each column holds: as its heading says, and where none is of grades, as the numbers show."""
    kinds = [column_of(head) for head in table.header]
    for i, kind in enumerate(kinds):  # grades are whole, halves or quarters
        if kind == "grade" and any(number is not None and 4 * number.value % 1 for number in table.numbers(i)):
            kinds[i] = None
    if "grade" not in kinds:
        shown = grades_in(table.rows)
        kinds = ["grade" if i == shown else kind for i, kind in enumerate(kinds)]
    return kinds


def _ranks(table: NoteTable, kinds: Sequence[str | None]) -> list[int]:
    """The rank of each row: as its column of ranks says, or by counting; 0 for a row that has none."""
    counted = list(range(1, len(table.rows) + 1))
    texts = table.texts(kinds.index("rank") if "rank" in kinds else 0)
    told = [int(text) for text in texts if text.isdecimal()]
    if table.header and len(told) == len(texts) and counted != told == sorted({*told}) and told[0] == 1:
        return told  # it leaves out ranks, whatever its heading is
    cuts = [CUTOFF.fullmatch(text) for text in texts]
    if all(cuts):
        return [int(each[1]) for each in cuts if each]
    if "rank" in kinds and any(map(_RANK.fullmatch, texts)):
        return [int(found[1]) if (found := _RANK.fullmatch(text)) else 0 for text in texts]
    cutoffs = [int(text) for text in texts] if all(text.isdecimal() for text in texts) else []
    return cutoffs if not table.header and cutoffs == sorted({*cutoffs}) != [] else counted
