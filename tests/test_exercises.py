"""An exercise is a line that holds or has the slip it was made with, and its solution is what the checks say of it."""

import json
import re
from pathlib import Path

import pytest
from rows import every_row

from ndcg_ref import dcg, ndcg
from ndcg_ref.stated import check_equation, read_equation
from ndcg_ref.stated.display import Outcome
from ndcg_ref.stated.stored_notebook import read_notebook
from ndcg_ref.subjects.exercises import QUOTIENTS, SUMS, spot_the_slip

SEEDS = range(150)
EXERCISES = {seed: spot_the_slip(seed) for seed in SEEDS}


def exact(exercise):
    """The value of the line's quantity, by the functions that the generator does not use."""
    measure = ndcg if "NDCG" in exercise.line else dcg
    return measure(exercise.ranking.grades, convention=exercise.ranking.convention)


@every_row("seed", SEEDS)
def test_the_line_states_what_the_verdict_judges(seed):
    exercise = EXERCISES[seed]
    sides = read_equation(exercise.line).sides
    assert sides[-1].number.text == exercise.verdict.stated
    assert exercise.verdict.computed == pytest.approx(exact(exercise), rel=1e-12)
    if "log" in exercise.line:  # the terms as printed are right: the slip is in the sum
        assert sides[-2].value == pytest.approx(exact(exercise), rel=1e-12)


@every_row("seed", SEEDS)
def test_a_line_holds_or_has_the_slip_it_was_made_with(seed):
    verdict = EXERCISES[seed].verdict
    right = f"{exact(EXERCISES[seed]):.{len(verdict.stated.partition('.')[2])}f}"
    if verdict.declared is None:
        assert (verdict.outcome, verdict.stated) == (Outcome.AGREES, right)
    else:
        assert verdict.outcome is Outcome.SLIP
        assert verdict.declared in verdict.causes
        assert verdict.stated != right


@every_row("seed", [seed for seed in SEEDS if "log" in EXERCISES[seed].line])
def test_a_chapter_would_find_the_same_cause(seed):
    exercise = EXERCISES[seed]
    verdict = check_equation(
        exercise.line,
        "line",
        terms=(exercise.ranking.grades, exercise.ranking.convention),
        slip=exercise.verdict.declared,
    )
    assert verdict.outcome == exercise.verdict.outcome


def test_every_kind_of_slip_occurs_and_some_lines_hold():
    made = {exercise.verdict.declared for exercise in EXERCISES.values()}
    assert made == {*SUMS, *QUOTIENTS, None}


def test_a_line_is_shown_without_its_verdict():
    shown = EXERCISES[0]._repr_markdown_()
    assert re.sub(r"\\(?:begin|end)\{aligned\}|\\\\|&|\\quad| ", "", shown).endswith(
        f"$$\n{EXERCISES[0].line.replace(' ', '')}\n$$"
    )
    assert "slip" not in shown
    assert "computed" not in shown


def test_the_same_seed_gives_the_same_exercise():
    assert spot_the_slip(5) == EXERCISES[5]


@pytest.mark.parametrize("seed", [1.5, "1", None, True])
def test_a_seed_that_is_no_whole_number_is_refused(seed):
    with pytest.raises(TypeError, match=r"^seed: expected a whole number, got "):
        spot_the_slip(seed)


PAGE = read_notebook(Path(__file__).parent.parent / "book" / "exercises.ipynb").cells


class TestThePageOfExercises:
    def test_the_page_has_twelve_made_exercises_and_some_from_the_notes(self):
        source = "\n".join(cell.source for cell in PAGE)
        assert len(set(re.findall(r"spot_the_slip\((\d+)\)$", source, re.MULTILINE))) >= 12
        assert len(set(re.findall(r"^line_(\d+) =", source, re.MULTILINE))) >= 6

    def test_no_question_gives_its_verdict_away(self):
        asked = [cell for cell in PAGE if cell.metadata.get("tags") == ["remove-input"]]
        assert len(asked) > 18
        assert not re.search("slip:|agrees:|consistent with", json.dumps([cell.outputs for cell in asked]))

    def test_every_solution_is_folded_without_its_code(self):
        solved = [cell for cell in PAGE if re.search(r"\.verdict$|solutions\[line", cell.source)]
        assert len(solved) > 18
        assert all(cell.metadata["tags"] == ["remove-input", "solution"] for cell in solved)
        assert all("agrees" in json.dumps(cell.outputs) or "slip" in json.dumps(cell.outputs) for cell in solved)
