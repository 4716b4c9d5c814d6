"""Each threshold of the check of notes has a note on both sides of it, and another outcome where it is moved."""

import pytest

from ndcg_ref.notes import check_note, hypotheses, judging, thresholds

LIST = "Grades [3, 0, 2]"
RESULTS = f"{LIST}. DCG = 4.000, IDCG = 4.262, NDCG = 0.939. "
FOUR = "Grades [2, 0, 3, 1]"
# The terms of 3, 1, 2, 3, 2: 3, 0.631, 1, 1.292, 0.774
COLUMN = "Grades [3, 1, 2, 3, 2].\n\nrank | x\n--- | ---\n" + "\n".join(
    f"{rank} | {term}" for rank, term in enumerate(["3.000", "0.631", "1.000", "{}", "{}"], 1)
)
MOVED = [
    # threshold, its value, another, a note, a number, its outcome at both
    # 0.9386 tells log2(10,000) = 13.3 bits, less some 4 for the values that a list of three has
    ("BELIEVED", 9.0, 11.0, f"{LIST}. It prints 0.9386.", "0.9386", "consistent", None),
    ("BELIEVED", 9.0, 6.0, f"{LIST}. It prints 0.939.", "0.939", None, "consistent"),
    ("TELLING", 1.0, 4.0, f"{RESULTS}It prints 0.94.", "0.94", "consistent", None),
    ("TELLING", 1.0, 0.0, f"{RESULTS}It prints 0.5.", "0.5", None, "consistent"),
    # Sums are taken to lie within 8: 3.931 tells 13 bits, 3.9307 tells 16, less those for the values of four ranks
    ("SPREAD", 8.0, 16.0, f"{FOUR}. It prints 3.931.", "3.931", None, "consistent"),
    ("SPREAD", 8.0, 1.0, f"{FOUR}. It prints 3.9307.", "3.9307", "consistent", None),
    # Three cells of five
    ("MOSTLY", 0.6, 0.7, COLUMN.format("1.929", "0.747"), "0.747", "slip", "unchecked"),
    # [2, 0, 3] has an NDCG of 0.8213; three decimals tell 10 bits and two 6.6, less 2.6 for six orders
    ("REORDERED", 6.5, 8.0, f"{LIST}. DCG = 4.000, IDCG = 4.262, NDCG = 0.821.", "0.821", "unchecked", "slip"),
    ("REORDERED", 6.5, 4.0, f"{LIST}. DCG = 4.000, IDCG = 4.262, NDCG = 0.82.", "0.82", "slip", "unchecked"),
    # Two numbers of the list for one slip
    ("OUTWEIGHS", 13.0, 26.0, f"{LIST}. DCG = 4.000, IDCG = 4.262, NDCG = 0.951.", "0.951", "slip", "unchecked"),
    ("OUTWEIGHS", 13.0, 9.0, f"{LIST}. DCG = 4.00, NDCG = 0.951.", "0.951", "unchecked", "slip"),
]


def outcome(note, stated):
    return next((each.outcome for each in check_note(note) if each.stated == stated), None)


@pytest.mark.parametrize(("name", "value", "other", "note", "stated", "here", "there"), MOVED)
def test_a_threshold_that_moves_changes_an_outcome(name, value, other, note, stated, here, there, monkeypatch):
    assert getattr(thresholds, name) == value
    assert outcome(note, stated) == here
    for module in (hypotheses, judging):
        if hasattr(module, name):
            monkeypatch.setattr(module, name, other)
    assert outcome(note, stated) == there


def test_every_threshold_is_moved():
    assert {row[0] for row in MOVED} == {name for name in vars(thresholds) if name.isupper()}
