"""What a number is about: notes with several rankings, tests in code, and calls, as courses and projects have them."""

import pytest

from ndcg_ref.notes import check_note
from ndcg_ref.notes.islands import chains_of, plain_text
from ndcg_ref.notes.written_formulas import shown


def outcomes(text):
    return [(each.stated, str(each.verdict.outcome)) for each in check_note(text)]


GRADES_BY_NAME = """The grades are a=3, b=2, c=1, and the system returns c, a, b:
DCG = 1/log2(2) + 3/log2(3) + 2/log2(4) = 3.8928
IDCG = 3/log2(2) + 2/log2(3) + 1/log2(4) = 4.7619
"""
ONE_RELEVANT = """Each of three copies of one document counts: Accumulated DCG = 1.0 + 0.6309 + 0.5 = 2.1309
The ideal order has it once: IDCG = 1/log2(2) = 1.0000
"""
ARGUMENTS = """The best order is [3, 2, 1], and [1, 2, 3] was returned.
DCG@3 = 1/log2(2) + 2/log2(3) + 3/log2(4) = 3.762
IDCG@3 = 3/log2(2) + 2/log2(3) + 1/log2(4) = 4.762
value = evaluator.compute_ndcg(found, wanted, k=3)
self.assertAlmostEqual(ndcg_of(value), 0.79, places=3)
assert ndcg_of(value) == approx(0.79, abs=1e-5)
"""
NO_SLIP = [
    # note, a number of it that another ranking has to explain
    (GRADES_BY_NAME, "3.8928"),
    (ONE_RELEVANT, "1.0000"),
    (ARGUMENTS, "4.762"),
]


@pytest.mark.parametrize(("note", "number"), NO_SLIP, ids=[row[-1] for row in NO_SLIP])
def test_a_line_that_comes_out_is_about_a_ranking_of_its_own(note, number):
    found = outcomes(note)
    assert "slip" not in [outcome for _, outcome in found]
    assert (number, "agrees") in found


TOLD_BY_A_WORKING = [
    # a note without grades, whether its ideal is judged by those of the working
    ("DCG = (2^1-1)/log2(2) + (2^3-1)/log2(3) = 5.42\n\nIDCG = 7.63\n", "agrees"),  # 7 + 1/log2(3)
    ("DCG = (1+1) + 3/log2(3) = 3.89\n\nIDCG = 4.26\n", "unchecked"),  # a sum is no grade
]


@pytest.mark.parametrize(("note", "outcome"), TOLD_BY_A_WORKING)
def test_the_terms_of_a_working_tell_the_grades_of_its_ideal(note, outcome):
    assert [told for _, told in outcomes(note)] == ["agrees", outcome]


ALTERED = [
    # note, what is altered, to what, what is right
    (ONE_RELEVANT, "2.1309", "2.1390", "2.1309"),
    (ARGUMENTS, "= 4.762", "= 4.726", "4.762"),
]


@pytest.mark.parametrize(("note", "old", "new", "correct"), ALTERED)
def test_an_altered_number_beside_another_ranking_is_found(note, old, new, correct):
    assert note.count(old) == 1
    slips = [each for each in check_note(note.replace(old, new)) if each.verdict.outcome == "slip"]
    assert [(each.stated, each.verdict.correct) for each in slips[:1]] == [(new.rpartition("= ")[2], correct)]


def test_an_arrow_leads_to_a_name_with_a_number_of_its_own():
    note = """Grades of the results: [2, 0, 3]
    DCG@3 = 2/log2(2) + 0/log2(3) + 3/log2(4) = 2 + 0 + 1.5 = 3.5
    Best order: [high, good, none] → IDCG@3 = 4.26
    """
    assert outcomes(note)[-1] == ("4.26", "agrees")
    assert outcomes(note.replace("4.26", "4.62"))[-1] == ("4.62", "slip")


def test_a_number_in_a_table_with_rankings_in_its_cells_is_found_once():
    note = """For [0, 1, 0]: DCG = 0 + 0.63 + 0 = 0.63 and NDCG@3 = 0.63 / 1 = 0.63

| Query | Relevance   | nDCG@3 |
| ----- | ----------- | ------ |
| 1     | `[0, 1, 0]` | 0.63   |
| 2     | `[1, 0, 0]` | 1.00   |
| 3     | `[0, 0, 1]` | 0.40   |
"""
    found = check_note(note)
    assert len({each.offset for each in found}) == len(found)
    assert [(each.stated, each.verdict.correct) for each in found if each.verdict.outcome == "slip"] == [
        ("0.40", "0.50")
    ]


def test_calls_with_an_option_that_may_choose_a_convention_are_no_slips():
    call = ">>> dcg([3, 0], gain=1)\n5.00\n\n"
    assert outcomes(call * 2) == [("5.00", "unchecked")] * 2


NO_PARTS = [
    # nothing is divided by log2(1), and a divisor alone is not the value of a term
    "Position 2: (2² - 1) / log2(2 + 1) = 3 / 1.58 = 1.89",
    "rel² / 2 = 4.5, and x × 3 = 6",
    "DCG@1 = 1 / log2(1 + 0) = 1.0",
]


@pytest.mark.parametrize("line", NO_PARTS)
def test_a_side_is_not_cut_to_a_part_of_it(line):
    assert "slip" not in [outcome for _, outcome in outcomes(line)]


LABELS = [
    # line, what names the number
    ("ndcg(found, k=3)", "k"),
    ("ndcg(dcg=3.5)", "dcg"),
    ("nDCG(q1) = 0.5", "nDCG(q1)"),
    ("NDCG of (a, b) = 0.5", "NDCG of (a, b)"),
]


@pytest.mark.parametrize(("line", "label"), LABELS)
def test_an_argument_of_a_call_is_named_by_its_own_name(line, label):
    assert [chain.label for chain in chains_of(plain_text(line))] == [label]


NAMES = [
    # the line of a slip, and its name
    ("- Rank 2: B (grade = 3)\n  $$3/log2(3) = 1.88$$", ""),
    ("The contribution of the document at rank 2 is → 3/log2(3) = 1.88", "of the document at rank 2 is"),
]


@pytest.mark.parametrize(("line", "name"), NAMES)
def test_the_name_of_a_number_has_whole_words_and_no_loose_signs(line, name):
    (slip,) = [each for each in check_note(line) if each.verdict.outcome == "slip"]
    assert (slip.verdict.correct, slip.verdict.name) == ("1.89", name)


@pytest.mark.parametrize("inside", ["i + 1", "1 + i", "2 + i", "1+rank"])
def test_a_formula_may_add_one_before_the_rank(inside):
    assert shown(f"sum of rel_i / log2({inside})").keys() == {("linear", "log(rank+1)")}
