"""A stated number cannot be changed without the chapter's own check noticing, and the check cannot be fooled."""

import json
from decimal import Decimal
from pathlib import Path

import pytest

from ndcg_ref import EXPONENTIAL
from ndcg_ref.formulas import plain
from ndcg_ref.stated import ledger
from tools.experiments.planted import planted

NOTES = Path(__file__).resolve().parent.parent / "book" / "notes"
FINEST = "worst NDCG@5"  # printed with 16 decimals, finer than a double


@pytest.fixture(scope="module")
def changed():
    return planted(NOTES)


def test_every_stated_number_is_changed_up_and_down(changed):
    stated = ledger(NOTES.parent).counts["checked"]
    assert len({(each.note, each.name, each.planted) for each in changed}) == len(changed) == 2 * stated


def test_every_change_is_noticed_that_does_not_lie_within_the_tolerance(changed):
    """Four units in the last place of the double, 2 ** -53 each for a value between 1/2 and 1, and half a unit."""
    exact = Decimal(plain.ndcg(sorted([3, 1, 2, 0, 2]), 5, EXPONENTIAL))
    allowed = Decimal("0.5e-16") + 4 * Decimal(2) ** -53
    missed = [each for each in changed if not each.noticed]
    assert {(each.note, each.name) for each in missed} == {("five-grades", FINEST)}
    assert all(abs(Decimal(each.planted) - exact) <= allowed for each in missed)


CHAPTER = """{"cells": [{"cell_type": "code", "source": %s, "outputs": []}], "nbformat": 4, "metadata": {}}"""

BLIND = [
    # a check that judges something else than the print
    ("\"from ndcg_ref.stated import check\\ncheck('0.5', 0.5, 'x')\"", [True, True]),  # sees both
    ("\"from ndcg_ref.stated import check\\ncheck('0.5000000000000000000', 0.5, 'x')\"", [False, False]),  # too fine
    ("\"from ndcg_ref.stated import check\\ncheck('0.33', 1 / 4, 'x', slip='unexplained')\"", [True, True]),
]


@pytest.mark.parametrize(("source", "noticed"), BLIND)
def test_the_score_tells_a_check_that_sees_from_one_that_does_not(tmp_path, source, noticed):
    (tmp_path / "x.ipynb").write_text(CHAPTER % source, encoding="utf-8")
    assert [each.noticed for each in planted(tmp_path)] == noticed


def test_a_cell_that_is_not_to_be_run_is_passed_over(tmp_path):
    chapter = json.loads(CHAPTER % BLIND[0][0])
    install = {"cell_type": "code", "source": "%pip install x", "metadata": {"tags": ["skip-execution"]}}
    chapter["cells"].insert(0, install)
    (tmp_path / "x.ipynb").write_text(json.dumps(chapter), encoding="utf-8")
    assert [each.noticed for each in planted(tmp_path)] == BLIND[0][1]


def test_a_chapter_that_does_not_run_is_refused(tmp_path):
    (tmp_path / "x.ipynb").write_text(CHAPTER % '"1 / 0"', encoding="utf-8")
    with pytest.raises(ValueError, match="expected chapters that run, got: ZeroDivisionError"):
        planted(tmp_path)
