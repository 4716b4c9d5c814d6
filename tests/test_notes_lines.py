"""Lines of a note: sides that say the same, sums that go on, and what follows from a slip."""

import pytest
from rows import every_row

from ndcg_ref.notes import check_note


def outcomes(text):
    return [(each.stated, str(each.verdict.outcome)) for each in check_note(text)]


def slips(text):
    return [(each.stated, each.verdict.correct) for each in check_note(text) if each.verdict.outcome == "slip"]


LINES = [
    # lines, the slips with what is right, why
    ("DCG[4] = 6.39 + 3/log2(5) = 6.39 + 1.19 = 7.58", [("1.19", "1.29"), ("7.58", "7.68")], "a term, and its sum"),
    (
        "DCG@4 = 6.39 + 3/log2(5) = 6.39 + 1.19 = 7.58\nDCG@5 = 7.58 + 1/log2(6) = 7.58 + 0.39 = 7.97",
        [("1.19", "1.29"), ("7.58", "7.68"), ("7.97", "8.07")],
        "a sum that goes on from a slip",
    ),
    (
        r"\[ DCG_{\ln} = \frac{2}{0.6931} + \frac{3}{1.3863} + \frac{1}{1.6094} = 2.886 + 2.164 + 0.431 = 5.481 \]"
        r"\[ NDCG = \frac{5.481}{5.942} = 0.922 \]",
        [("0.431", "0.621"), ("5.481", "5.671"), ("0.922", "0.954")],
        "terms with rounded divisors",
    ),
    ("DCG@4 = 4,76 + 2/2,322 = 4,76 + 0,68 = 5,44", [("0,68", "0.86"), ("5,44", "5.62")], "decimal commas"),
    ("a = 3 + 2 = 5 + 3 = 8 + 1 = 9", [], "a line that goes on behind each result"),
    ("a step of\n$-1.84 \\times 1.30 = -2.392$ degrees", [], "a sign at the start of a line"),
    ("DCG = 3 + 1.26 = 4.26 → 4.62", [("4.62", "4.26")], "an arrow to the same number"),
]


@every_row(("lines", "expected", "why"), LINES)
def test_terms_that_stand_for_each_other_are_compared_and_a_slip_goes_on(lines, expected, why):
    assert slips(lines) == expected


SCORES = """y_true = [[1, 0, 3, 2]], y_score = [[0.2, 0.9, 0.7, 0.1]]
By score the order is d2 (0.9), d3 (0.7), d1 (0.2), d4 (0.1), so the labels are read as {read}.
DCG = {dcg}, IDCG for [3, 2, 1, 0] = 4.7619, NDCG = {ndcg}
"""


@pytest.mark.parametrize(
    ("dcg", "ndcg", "expected"),
    [
        ("3.2541", "0.6834", []),
        ("3.2514", "0.6834", []),  # too little else comes out
    ],
)
def test_the_scores_of_a_model_are_no_grades_wherever_they_stand(dcg, ndcg, expected):
    assert slips(SCORES.format(read="[0, 3, 1, 2]", dcg=dcg, ndcg=ndcg)) == expected


def test_a_ranking_with_the_best_first_is_no_ideal_where_the_ideal_stands_too():
    order = "Grades [3, 2, 3, 0, 1]. By score [3, 3, 2, 0, 1]: DCG = 6.2796."
    assert outcomes(f"{order} The ideal is [3, 3, 2, 1, 0]: IDCG = 6.3235.") == [
        ("6.2796", "agrees"),
        ("6.3235", "agrees"),
    ]


CUT = r"""Grades $g=(0,2,3,1)$, the gain is $2^g-1$.
\begin{{align}}
\mathrm{{DCG}}@4 &= \sum_{{i=1}}^{{4}}\frac{{2^{{g_i}}-1}}{{\log_2(i+1)}} = 0 + 1.893 + 3.5 + 0.431 = 5.823\\
\mathrm{{IDCG}}@4 &= \frac{{7}}{{1}} + \frac{{3}}{{1.585}} + \frac{{1}}{{2}} + 0 = 7 + 1.893 + 0.5 = 9.393
\end{{align}}
With linear gains $\mathrm{{DCG}}=0+1.262+1.5+0.431={}$ and $\mathrm{{IDCG}}=3+1.262+0.5+0={}$.
"""


@pytest.mark.parametrize(
    ("printed", "expected"),
    [(("3.193", "4.762"), []), (("3.193", "4.726"), [("4.726", "4.762")]), (("3.139", "4.762"), [("3.139", "3.193")])],
)
def test_a_second_convention_may_leave_out_the_cutoff_of_the_first(printed, expected):
    assert slips(CUT.format(*printed)) == expected


HELD = [
    # a note, the outcome of its last number, why
    (
        "Grades [3, 2, 3, 0, 1]. DCG = 3 + 1.262 + 1.5 + 0 + 0.387 = 6.149, NDCG = 0.972. DCG = 3 + 1.5 = 12.780",
        "slip",
        "12.780 is the exponential DCG, and the line adds up to 4.5",
    ),
    ("| rank | term | value |\n|-|-|-|\n| 4 | 1 / log2(5) | 0.43 |\n| 5 | 1 / log2(6) | 0.43 |", "slip", "it is 0.39"),
    (
        "Grades [0, 2, 0, 1]. DCG = 0 + 1.262 + 0 + 0.431 = 1.693. Another: 2 + 0.631 + 0.5 = 3.131",
        "consistent",
        "the terms of a ranking that stands nowhere",
    ),
    (
        "Grades [2, 3, 0, 1, 2]. DCG = 5.097, IDCG = 5.693, NDCG = 0.895. By the original discount the NDCG is 0.941.",
        "unchecked",
        "the sentence names another discount",
    ),
]


@every_row(("note", "expected", "why"), HELD)
def test_a_line_is_held_to_what_it_adds_up_and_to_the_words_beside_it(note, expected, why):
    assert check_note(note)[-1].outcome == expected


def test_a_wrong_term_of_a_line_with_the_right_result_is_a_slip():
    assert slips("Grades [2, 3, 0]. DCG = 2 + 1.895 + 0 = 3.893") == [("1.895", "1.893")]
