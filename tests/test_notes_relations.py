"""What the columns of a table have to do with each other is told by their numbers, whatever the headings say."""

import pytest

from ndcg_ref.notes import check_note
from ndcg_ref.notes.islands import readable_text
from ndcg_ref.notes.relations import workings_in
from ndcg_ref.notes.tables import tables_of

# The same without the names of ranks and grades, in German digits; one sum is misprinted, and the next ones are right
UNNAMED = """| k | y | w | x |
|---|---|---|---|
| 1 | 3 | 3,00 | 3,00 |
| 2 | 2 | 1,26 | 4,26 |
| 3 | 3 | 1,50 | 5,86 |
| 4 | 0 | 0,00 | 5,76 |
| 5 | 1 | 0,39 | 6,15 |
"""
CUTOFFS = """| | @1 | @2 | @3 | @4 |
|---|---|---|---|---|
| label | 1 | 2 | 0 | 3 |
| DCG | 1.000 | 2.262 | 2.262 | 3.554 |
| IDCG | 3.000 | 4.262 | 4.762 | 4.762 |
| NDCG | 0.333 | 0.531 | 0.475 | 0.746 |
"""
# Results of queries whose grades are not shown, and differences with their signs
QUERIES = """query | before | best | share | after | share after | change
--|--|--|--|--|--|--
q1 | 3.131 | 4.262 | 73.5 % | 3.893 | 91.3 % | +17.8 %
q2 | 1.431 | 2.631 | 54.4 % | 2.131 | 81.0 % | +26.6 %
q3 | 2.893 | 3.893 | 74.3 % | 2.393 | 61.5 % | +12.8 %
q4 | 4.062 | 4.762 | 85.3 % | 4.631 | 97.2 % | +11.9 %
q5 | 0.931 | 2.131 | 34.7 % | 1.631 | 76.5 % | +41.8 %
"""
SLIPS = [
    # the note, and the numbers of it that are slips
    (UNNAMED, ["5,86"]),
    (CUTOFFS, []),
    (CUTOFFS.replace("0.475", "0.457"), ["0.457"]),
]


@pytest.mark.parametrize(("note", "slips"), SLIPS)
def test_the_rows_that_do_not_come_out_are_slips(note, slips):
    assert [each.stated for each in check_note(note) if each.verdict.outcome == "slip"] == slips


@pytest.mark.parametrize("note", [UNNAMED, QUERIES])
def test_every_number_of_a_column_with_a_relation_is_judged(note):
    computed = [each for each in check_note(note) if "." in each.stated or "," in each.stated]
    roots = 15 if note is QUERIES else 0  # three columns of results that nothing leads to
    assert sum(each.verdict.outcome == "unchecked" for each in computed) == roots


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


MEANS = """| query | DCG | IDCG | nDCG |
|---|---|---|---|
| q1 | 2.579 | 3.562 | 0.724 |
| q2 | 2.966 | 4.193 | 0.707 |
| q3 | 4.835 | 5.193 | 0.931 |
| q4 | 5.415 | 7.254 | 0.746 |
| overall | 3.949 | 5.051 | 0.777 |
"""


def test_a_last_row_of_means_is_no_ratio_of_means():
    assert {each.verdict.outcome for each in check_note(MEANS) if each.line == 7} == {"agrees"}


@pytest.mark.parametrize("word", ["overall", "mean", "Mittelwert"])
def test_a_mean_is_a_slip_where_its_word_or_those_beside_it_say_that_it_is_one(word):
    found = check_note(MEANS.replace("overall", word).replace("0.777", "0.797"))
    assert [each.stated for each in found if each.verdict.outcome == "slip"] == ["0.797"]


def test_a_last_row_that_no_word_and_no_number_tells_is_not_judged():
    note = MEANS.replace("3.949 | 5.051", " | ").replace("0.777", "0.797")
    assert not [each for each in check_note(note) if each.line == 7 and each.verdict.outcome == "slip"]


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


# Measures of the same systems rise and fall together, and are not worked out of each other
ALIKE = [
    # the columns of a table of systems
    ("score|NDCG@5|MAP", ["0.6|0.7|0.6", "0.4|0.4|0.4", "0.8|0.9|0.8", "0.7|0.8|0.7", "0.5|0.5|0.6"]),
    ("x|y|z", ["0.85|0.89|0.84", "0.79|0.81|0.83", "0.47|0.54|0.53", "0.86|0.89|0.77", "0.54|0.59|0.63"]),
]


@pytest.mark.parametrize(("heads", "rows"), ALIKE)
def test_columns_that_are_alike_are_not_held_to_each_other(heads, rows):
    lines = [f"sys|{heads}", *(f"s{i}|{row}" for i, row in enumerate(rows))]
    assert not [each for each in check_note("\n".join(lines) + "\n") if each.verdict.outcome != "unchecked"]


@pytest.mark.parametrize(("mean", "outcome"), [("79.34", "agrees"), ("73.94", "slip")])
def test_a_mean_below_a_percent_sign_is_that_of_the_shares_above_it(mean, outcome):
    rows = "| q1 | 2, 1, 0 | 100.00 |\n| q2 | 0, 1, 2 | 61.99 |\n| q3 | 1, 0, 2 | 76.02 |\n"
    found = check_note(f"| query | grades | NDCG [%] |\n|---|---|---|\n{rows}| mean | | {mean} |\n")
    assert [each.verdict.outcome for each in found if each.stated == mean] == [outcome]
