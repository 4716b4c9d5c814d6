"""Lists of a note explain numbers that no reading judges; what they are is computed here by the formulas as printed."""

import pytest
from rows import every_row

from ndcg_ref.formulas import plain
from ndcg_ref.notes import check_note
from ndcg_ref.notes.lists import lists_in
from ndcg_ref.notes.tables import tables_of

WRITTEN = [
    # how a note writes a list, its grades
    ("q1  +-++-", (1, 0, 1, 1, 0)),
    ("R N R R N", (1, 0, 1, 1, 0)),
    ("grades 3 0 2 1 in this order", (3, 0, 2, 1)),
    ("| rank | grade |\n|---|---|\n| 1 | 2 |\n| 4 | 3 |\n| 5 | 1 |\n", (2, 0, 0, 3, 1)),
    ("| run | Rank 1 | Rank 2 | Rank 3 |\n|--|--|--|--|\n| A | 2 | 0 | 1 |\n| B | 0 | 0 | 3 |\n", (0, 0, 3)),
    ("7 0 a 2\n7 0 b 1\n7 Q0 a 1 9.1 x\n7 Q0 b 3 8.2 x\n", (2, 0, 1)),  # the line of rank 2 is left out
]


@every_row(("text", "grades"), WRITTEN)
def test_a_list_is_read_however_it_is_written(text, grades):
    assert grades in [each.grades for each in lists_in(text, tables_of(text))]


@pytest.mark.parametrize("text", ["k=1000 documents", "years 1 2 3 4 5", "|---|---|", "version 2.3.0"])
def test_counts_and_rules_are_no_lists(text):
    assert list(lists_in(text, tables_of(text))) == []


RUN = """1 0 a 2
1 0 b 0
1 0 c 1
1 Q0 b 1 9.5 x
1 Q0 a 2 9.1 x
1 Q0 c 3 8.7 x
map          1    {ap}
recip_rank   1    {rr}
ndcg_cut_3   1    {ndcg}
"""
GRADES = [0, 2, 1]
PRINTED = {
    "ap": f"{plain.average_precision(GRADES):.4f}",
    "rr": f"{1 / 2:.4f}",
    "ndcg": f"{plain.ndcg(GRADES, 3):.4f}",
}


def results(note):
    return [(each.stated, each.outcome) for each in check_note(note) if each.column > 12 and "." in each.stated]


def test_the_results_of_a_run_are_those_of_the_ranking_of_their_query():
    assert results(RUN.format(**PRINTED)) == [(text, "agrees") for text in PRINTED.values()]


@pytest.mark.parametrize("name", PRINTED)
def test_a_result_of_a_run_that_does_not_come_out_is_a_slip(name):
    wrong = f"{float(PRINTED[name]) - 0.0317:.4f}"
    found = results(RUN.format(**(PRINTED | {name: wrong})))
    assert [text for text, outcome in found if outcome == "slip"] == [wrong]


def test_a_row_that_ends_before_the_ranks_of_its_table_is_no_list():
    text = "| run | Rank 1 | Rank 2 | Rank 3 |\n|--|--|--|--|\n| A |\n| B | 0 | 0 | 3 |\n| C | 1 | 2 | 0 |\n"
    found = [each.grades for each in lists_in(text, tables_of(text)) if not each.is_local]
    assert found == [(0, 0, 3), (1, 2, 0)]
