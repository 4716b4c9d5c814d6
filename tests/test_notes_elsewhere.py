"""What a number is about: notes with several rankings, tests in code, and calls, as courses and projects have them."""

import pytest

from ndcg_ref.notes import check_note
from ndcg_ref.notes.islands import chains_of, plain_text
from ndcg_ref.notes.written_formulas import shown


def outcomes(text):
    return [(each.stated, str(each.verdict.outcome)) for each in check_note(text)]


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
