"""What a note tells in words: grades by their names, marks, the numbers of several rankings, bases and percentages."""

import pytest

from ndcg_ref.notes import check_note


def outcomes(text):
    return [(each.stated, str(each.verdict.outcome)) for each in check_note(text)]


def slips(text):
    return [(each.stated, each.verdict.correct) for each in check_note(text) if each.verdict.outcome == "slip"]


DEGREES = [
    # the scale, the ranking, its best order, in words
    ("poor = 0, okay = 1, good = 2, excellent = 3", "good, poor, excellent, okay", "excellent, good, okay, poor"),
    ("nul (0), moyen (1), bon (2), parfait (3)", "bon ; nul ; parfait ; moyen", "parfait ; bon ; moyen ; nul"),
]


@pytest.mark.parametrize(("scale", "ranking", "ideal"), DEGREES)
def test_a_ranking_may_be_told_by_the_names_of_grades(scale, ranking, ideal):
    note = f"Labels: {scale}.\n\nThe list: {ranking}.\n\nThe ideal: {ideal}.\n\n"
    right = f"{note}DCG@4 is 3.9307, IDCG@4 is 4.7619 and NDCG@4 is 0.8254."
    assert outcomes(right) == [("3.9307", "agrees"), ("4.7619", "agrees"), ("0.8254", "agrees")]
    assert slips(right.replace("0.8254", "0.8245")) == [("0.8245", "0.8254")]


SPOKEN = [
    # what is said of the grades 3, 4, 2, 0, the slips with what is right
    ("Its DCG is 3 plus 2.524 plus 1, that is 6.542.", [("6.542", "6.524")]),
    ("Le DCG vaut 3 plus 2,524 plus 1, ce qui donne 6,524; le IDCG vaut 6,893.", []),
    ("The DCG is 6.524 and 6.524 divided by 6.893 makes an nDCG of 0.964.", [("0.964", "0.946")]),
]


@pytest.mark.parametrize(("sentence", "expected"), SPOKEN)
def test_arithmetic_may_be_written_in_words(sentence, expected):
    note = "Ranked: 3, 4, 2, 0. The ideal DCG is 4 + 1.893 + 1 + 0 = 6.893. "
    assert slips(note + sentence) == expected


SAID = [
    # behind an example with exponential gain, the slips with what is right
    ("With the linear gain the numbers are smaller: DCG is only 3.7541, the ideal one 4.7619.", []),
    ("Avec le gain linéaire le DCG vaut 3.7541 et le IDCG vaut 4.7619, soit 0.7884.", []),
]


@pytest.mark.parametrize(("sentence", "expected"), SAID)
def test_a_result_is_not_held_to_another_gain_than_its_sentence_names(sentence, expected):
    note = """The grades 1, 3, 0, 2 have the gains $2^{rel}-1$ of 1, 7, 0, 3:
DCG = 1 + 4.417 + 0 + 1.292 = 6.709
IDCG = 7 + 1.893 + 0.5 + 0 = 9.393
NDCG = 6.709/9.393 = 0.714

"""
    assert slips(note + sentence) == expected


BASES = [
    # behind an example with base 2, the slips with what is right
    ("With the natural logarithm the DCG is 5.771 and the IDCG is 6.149.", []),
    (r"With $\log_{10}$: $\mathrm{DCG}_{10} = 13.288$ and $\mathrm{IDCG}_{10} = 14.158$.", []),
]


@pytest.mark.parametrize(("sentence", "expected"), BASES)
def test_a_result_is_not_held_to_another_base_than_its_sentence_names(sentence, expected):
    note = "Grades [3, 0, 2]: DCG = 3 + 0 + 1 = 4.000, IDCG = 3 + 1.262 + 0 = 4.262, NDCG = 4.000/4.262 = 0.939. "
    assert slips(note + sentence) == expected


CUTOFFS = [
    # a line on the grades 3, 0, 2, 1, the slips with what is right
    ("IDCG@2 = 3 + 1.262 + 0.5 = 4.762", [("4.762", "4.262")]),
    ("DCG@3 = 3 + 0 + 1 + 0.431 = 4.431", [("4.431", "4.000")]),
    ("IDCG@2 = 3 + 1.262 + 0.5 = 4.762, NDCG@2 = 3.000/4.762 = 0.630", [("4.762", "4.262"), ("0.630", "0.704")]),
]


@pytest.mark.parametrize(("line", "expected"), CUTOFFS)
def test_a_sum_that_goes_on_behind_its_cutoff_is_a_slip(line, expected):
    assert slips(f"Grades 3, 0, 2, 1.\nDCG@2 = 3 + 0 = 3.000\nDCG = 3 + 0 + 1 + 0.431 = 4.431\n\n{line}\n") == expected


PERCENTAGES = [
    ("NDCG = 0.939\n\n→ roughly **94 %** of what was possible", []),
    ("NDCG = 0,939\n\nIn Prozent: 93,9 %.", []),
    ("So NDCG@3 is 93.8%.", [("93.8%", "93.9%")]),
    ("NDCG = 0.958 = 95.8%", [("0.958", "0.939"), ("95.8%", "93.9%")]),
]


@pytest.mark.parametrize(("behind", "expected"), PERCENTAGES)
def test_a_percentage_is_right_or_wrong_as_the_result_that_it_repeats(behind, expected):
    assert slips(f"Grades [3, 0, 2]: DCG = 4.000, IDCG = 4.262. {behind}") == expected


ARRAYS = """import numpy as np
rel = np.array([2, 0, 3, 1])
pred = np.asarray([[0.1, 0.9, 0.4, 0.7]])
>>> dcg_score(rel, pred)
{}
>>> ndcg_score(rel, pred, k=2)
{}
"""


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        (("2.9923", "0.1480"), []),
        (("2.9932", "0.1480"), [("2.9932", "2.9923")]),
        (("2.9923", "0.7390"), [("0.7390", "0.1480")]),
    ],
)
def test_a_call_is_given_the_arrays_above_it(printed, expected):
    assert slips(ARRAYS.format(*printed)) == expected


def test_a_list_named_by_a_letter_that_may_mean_rank_is_a_ranking():
    assert outcomes(r"For $\mathbf{r}=(3,1,2,0)$, $\mathrm{DCG}_4$ is 4.6309, $\mathrm{IDCG}_4$ is 4.7619.") == [
        ("4.6309", "agrees"),
        ("4.7619", "agrees"),
    ]


RESULTS = [
    # behind the grades 0, 3, 2, 1 and a DCG of 3.323, the slips with what is right
    ("In the best order 3, 2, 1, 0 it would be 4.7619, so the nDCG is 0.6979.", []),
    ("The ideal DCG is 4.7619. If you forget the cut, the nDCG is 0.6512.", []),
]


@pytest.mark.parametrize(("sentence", "expected"), RESULTS)
def test_what_the_best_order_would_give_is_meant_as_it_is_said(sentence, expected):
    assert slips(f"The results are graded 0, 3, 2, 1. DCG is 3.3235. {sentence}") == expected
