"""What the columns of a table have to do with each other is told by their numbers, whatever the headings say."""

import pytest

from ndcg_ref.notes import check_note
from ndcg_ref.notes.islands import readable_text
from ndcg_ref.notes.relations import workings_in
from ndcg_ref.notes.tables import tables_of

RELATIONS = [
    # columns of a row for each tuple, and the working of the last cell of each
    ([("7", "2.412", "2.902"), ("5", "1.931", "2.589"), ("9", "2.207", "4.078")], "9 / 2.207"),
    ([("0.812", "0.313", "0.499"), ("0.640", "0.222", "0.418"), ("0.907", "0.871", "0.036")], "0.907 - 0.871"),
    ([("2.312", "4.108", "9.498"), ("1.724", "3.615", "6.232"), ("3.055", "1.902", "5.811")], "3.055 * 1.902"),
    ([("0.7213",), ("0.4551",), ("0.3607",), ("0.3107",)], None),  # nothing on its left, and no sum of ranks
    ([("1.4427",), ("0.9102",), ("0.7213",), ("0.6213",)], "1 / ln(4 + 1)"),
    ([("1.0000",), ("1.5850",), ("2.0000",), ("2.3219",)], "log2(4 + 1)"),
    ([("3", "3.000"), ("2", "1.262"), ("1", "0.500"), ("3", "1.292"), ("2", "0.774")], "2 / log2(5 + 1)"),
    ([("0.8", "0.3", "0.5"), ("0.6", "0.2", "0.4"), ("0.9", "0.8", "0.1")], None),  # too few digits
    ([("7", "2.412", "2.902"), ("5", "1.931", "2.589"), ("9", "2.207", "4.078"), ("6", "2.5", "1.1")], "6 / 2.5"),
    ([("7", "2.412", "2.902"), ("5", "1.931", "3.589"), ("9", "2.207", "4.078"), ("6", "2.5", "1.1")], None),
]


@pytest.mark.parametrize(("rows", "working"), RELATIONS)
def test_a_relation_is_believed_when_digits_tell_more_than_chance(rows, working):
    names = "abc"[: len(rows[0])]
    lines = ["x|" + "|".join(names), *("n|" + "|".join(row) for row in rows)]
    (table,) = tables_of(readable_text("\n".join(lines) + "\n"))
    last = table.rows[-1][-1].start
    assert next((own.line for cell, own in workings_in(table) if cell.start == last), None) == working


LAYOUTS = [
    # the separator of cells, and that of decimals
    ("│", ","),
    ("┃ ", "."),
]


@pytest.mark.parametrize(("cells", "decimals"), LAYOUTS)
def test_rows_of_files_and_drawn_lines_are_tables(cells, decimals):
    rows = ["rank rel log2(rank+1) gain/log DCG", "1 3 1.00 3.00 3.00", "2 2 1.58 1.26 4.26", "3 1 2.00 0.50 4.86"]
    note = "\n".join(row.replace(".", decimals).replace(" ", cells) for row in rows) + "\n"
    found = check_note(note)
    assert [each.verdict.outcome for each in found] == ["agrees"] * 8 + ["slip"]
