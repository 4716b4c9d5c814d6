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
    ('{"d1": 2, "d2": 0, "d3": 3}', (2, 0, 3)),
    ("the grades zero, two and one", (0, 2, 1)),
    ("| rank | grade |\n|---|---|\n| 1 | 2 |\n| 4 | 3 |\n| 5 | 1 |\n", (2, 0, 0, 3, 1)),
    ("| run | Rank 1 | Rank 2 | Rank 3 |\n|--|--|--|--|\n| A | 2 | 0 | 1 |\n| B | 0 | 0 | 3 |\n", (0, 0, 3)),
    ("7 0 a 2\n7 0 b 1\n7 Q0 a 1 9.1 x\n7 Q0 b 3 8.2 x\n", (2, 0, 1)),  # the line of rank 2 is left out
    ("a:2 b:0 c:3. Order: c -> b -> a", (3, 0, 2)),
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


def test_a_map_of_grades_is_no_ranking_where_an_order_is_told():
    ranking, judged = [0, 3, 2, 1], [2, 0, 3, 1, 2]
    dcg, ndcg = plain.dcg(ranking, 4), plain.ndcg(ranking, 4, judged=judged)
    note = (
        "Grades:  k:2  m:0  p:3  s:1  z:2\n\nOrder of the engine:   m -> p -> k -> s\n\n"
        f"   IDCG@4 = {plain.idcg(judged, 4):.4f}\n\n   DCG@4 = {dcg:.4f}     NDCG@4 = {ndcg:.4f}\n"
    )
    found = {each.stated: each.outcome for each in check_note(note)}
    assert found[f"{dcg:.4f}"] in ("agrees", "consistent")
    assert found[f"{ndcg:.4f}"] in ("agrees", "consistent")


FIRST = "Grades [3, 0, 2]. DCG = 4.000, IDCG = 4.262, NDCG = 0.939."


@pytest.mark.parametrize(
    ("said", "outcome"),
    [("", "unchecked"), ("With exponential gain ", "agrees"), ("With the gain 2^grade - 1 ", "agrees")],
)
def test_a_single_number_is_no_sign_of_a_convention_that_the_note_does_not_name(said, outcome):
    # 3 + 7/log2(4) + 1/log2(5) = 6.93068, and with linear gain 2 + 3/log2(4) + 1/log2(5) = 3.93068
    note = f"{FIRST}\n\nGrades [2, 0, 3, 1]. {said}DCG = 6.9307."
    assert [each.outcome for each in check_note(note) if each.stated == "6.9307"] == [outcome]


@pytest.mark.parametrize("marks", ["()", "[]", "⟨⟩"])
def test_numbers_in_brackets_are_those_of_the_quantity_before_them_by_rank(marks):
    # 2, + 3/1, + 0, + 3/log2(4), + 1/log2(5), + 2/log2(6); the ideal begins with 3 and 6
    note = (
        "Grades [2, 3, 0, 3, 1, 2], gain = grade, discount log2(rank), none for ranks 1 and 2.\n\n"
        f"- DCG = {marks[0]}2.00, 5.00, 5.00, 6.51, 6.93, 7.70{marks[1]}\n"
        f"- nDCG up to rank 4: {marks[0]}0.17, 0.83, 0.69, 0.79{marks[1]}\n"
    )
    slips = {each.stated: str(each.verdict.correct) for each in check_note(note) if each.outcome == "slip"}
    assert slips == {"6.51": "6.50", "0.17": "0.67"}


def test_a_list_says_nothing_of_itself():
    note = f"{FIRST}\n\n>>> y_score = [0.71, 0.05, 0.94, 0.88, 0.12, 0.33]\n"
    listed = [each.outcome for each in check_note(note)][-6:]
    assert "agrees" not in listed


@pytest.mark.parametrize(
    ("ratio", "slips"),
    [
        ("4.000 / 4.262 = 0.939", {}),
        ("4.000 / 4.264 = 0.939", {"4.264": "4.262"}),
        ("4.002 / 4.262 = 0.939", {"4.002": "4.000"}),
        ("4.000 / 4.362 = 0.917", {}),  # the ratio may be of another list
    ],
)
def test_an_operand_is_a_slip_where_all_else_of_its_ratio_comes_out(ratio, slips):
    note = f"Grades [3, 0, 2]: DCG@3 = 4.000, IDCG@3 = 4.262.\n\nNDCG@3 = {ratio}\n"
    assert {each.stated: str(each.verdict.correct) for each in check_note(note) if each.outcome == "slip"} == slips


def test_a_divisor_near_a_discount_is_no_slip_where_its_line_comes_out():
    # 1.631 is the ideal DCG of 1, 1, which is near no list of the note
    note = f"{FIRST}\n\nAnother query has $1 + 0.631 = 1.631$, and its order $1/1.631 = 0.613$.\n"
    assert not [each.stated for each in check_note(note) if each.outcome == "slip"]


LINES = [
    # a note, and what is found of each of its numbers with decimals
    ("DCG@4 = 1/log2(3) + 1/log2(5) = 1.062. RR = 0.50, P@4 = 0.50.", ["agrees"] * 3, "a sum that leaves out ranks"),
    ("DCG = 3/lb 2 + 2/lb 3 = 4.262, DCG = 3/ld(2) + 2/ld(3) = 4.226.", ["agrees", "slip"], "binary logarithms"),
    ("Grades 3, 2, 3, 0. DCG[2] = 4.26, DCG[4] = 5.76, IDCG[2] = 4.89.", ["agrees"] * 3, "a cutoff in brackets"),
    (r"$P@10 = 4/10 = 40.0\,\%$ and $R = 3/4 = 70.0\,\%$", ["agrees", "slip"], "a percent sign that stands apart"),
    (
        "DCG = 1 + 0 + 0.5 + 0.431 = 1.931 of four relevant documents in all.\n"
        "IDCG = 1 + 0.631 + 0.5 + 0.431 = 2.562\nNDCG = 0.754, R@4 = 0.750.",
        ["agrees"] * 9,
        "the ideal tells how many there are",
    ),
    (
        "Grades 1, 0, 2. DCG = 2.00, IDCG = 2.63, NDCG = 0.760.\nDCG = 3 + 4.4665 + 0 + 1.2920 + 0.3869 = 9.0954",
        ["agrees", "agrees", "agrees", "slip", "agrees", "agrees", "agrees"],
        "an odd term beside whole grades",
    ),
    (
        "The ideal order has the gains 3, 2, 1, 0: 3 + 1.262 + 0.5 = 4.762.\nDCG = 4.13",
        ["agrees"] * 3 + ["unchecked"],
        "an ideal",
    ),
    (
        "Grades [0, 2, 1].\n\nT1 RR 0.5000 P@3 0.6667 DCG 1.7619\nT2 RR 0.2500 P@3 0.7778 DCG 1.4307",
        ["agrees"] * 3 + ["unchecked"] * 3,
        "lines of another",
    ),
]


@every_row(("note", "outcomes", "why"), LINES)
def test_lines_are_held_to_the_list_that_they_are_about(note, outcomes, why):
    assert [each.outcome for each in check_note(note) if "." in each.stated] == outcomes


def test_a_row_that_ends_before_the_ranks_of_its_table_is_no_list():
    text = "| run | Rank 1 | Rank 2 | Rank 3 |\n|--|--|--|--|\n| A |\n| B | 0 | 0 | 3 |\n| C | 1 | 2 | 0 |\n"
    found = [each.grades for each in lists_in(text, tables_of(text)) if not each.is_local]
    assert found == [(0, 0, 3), (1, 2, 0)]
