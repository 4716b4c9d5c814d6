"""The assignment of `examples/assignment`, as Otter hands it out and grades three submissions."""

import json
import multiprocessing
import re
import shutil
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

pytestmark = pytest.mark.built

EXAMPLE = Path(__file__).resolve().parent.parent / "examples" / "assignment"
MOST = {"q1": 2, "q2": 4, "q3": 3, "q4": 4, "q5": 4, "q6": 2}

# Each submission: what is written for the dots behind the start of a line
RIGHT = {
    "dcg_of_a = ": '"4.26186"',  # 3 + 2 / log2(3) = 4.261859...
    "    ": "return sum(grades[i] / discount(i + 1) for i in range(min(k, len(grades))))",
    "ideal_top = ": "[3, 3, 2]",
    "ideal_dcg = ": '"5.89"',  # 3 + 3 / log2(3) + 2 / 2 = 5.892789...
    "ndcg_of_a = ": '"0.72"',  # 4.261859 / 5.892789 = 0.72323...
    "ndcg_of_b = ": '"0.4909"',  # (1 + 3 / log2(3)) / 5.892789 = 0.49090...
    "better_at_3 = ": '"A"',
    "better_at_6 = ": '"B"',
    "catches_up = ": "[3, 2, 0, 3, 2, 1, 0, 1, 0]",
    "falls = ": "[3, 0, 0, 0, 1, 1, 2, 2, 3]",
    "true_statements = ": '"edb"',
}
SOME_WRONG = RIGHT | {
    "dcg_of_a = ": '"5.00"',
    "    ": "return sum(grades[i] / math.log2(i + 2) for i in range(min(k, len(grades))))",  # no other discount
    "ideal_top = ": "[3, 2, 1]",  # of the documents that A shows
    "ideal_dcg = ": '"4.76"',  # 3 + 2 / log2(3) + 1 / 2
    "ndcg_of_b = ": '"0.48"',
    "falls = ": "[3, 3, 2, 2, 1, 1, 0, 0, 0]",
    "true_statements = ": '"be"',
}
TRICKS = {
    "dcg_of_a = ": '"0.000000e9"',  # claims no digit: all values up to 500 are rounded to it
    "    ": """return anything

import ndcg_ref.stated


class Anything(float):
    __eq__ = __gt__ = __lt__ = lambda *_: True
    __sub__ = __abs__ = __float__ = lambda self, *_: self


class Text(str):
    __eq__ = lambda *_: True
    __hash__ = str.__hash__


anything = Anything("nan")
ndcg_ref.stated.judge = lambda *_, **__: type("Verdict", (), {"outcome": "agrees", "evidence": ()})
ndcg_ref.dcg = ndcg_ref.idcg = ndcg_ref.ndcg = lambda *_, **__: anything
""",
    "ideal_top = ": "[anything, anything, anything]",
    "ideal_dcg = ": '"1.00"',  # for the judge that was replaced
    "ndcg_of_a = ": '"1"',
    "ndcg_of_b = ": 'Text("0.49")',
    "better_at_3 = ": 'Text("A or B")',
    "better_at_6 = ": "anything",
    "catches_up = ": "[3, 2, 0, 3, 3, 3, 3, 3, 3]",  # grades that no document has
    "falls = ": "[3, anything, anything]",
    "true_statements = ": '"abcdef"',
}
POINTS = [
    # submission, answers, points of each question
    ("right", RIGHT, MOST),
    ("some wrong", SOME_WRONG, {"q1": 0, "q2": 2, "q3": 0, "q4": 3, "q5": 2, "q6": 0}),
    ("tricks", TRICKS, dict.fromkeys(MOST, 0)),
]
HINTS = [
    # question of the submission that is wrong in part, what its hidden test says
    ("q1", "DCG@3 of A is not 5.00: convention: discount log(rank)"),
    ("q3", "IDCG@3 of A is not 4.76: convention: ideal of the ranking alone"),
    ("q5", "its NDCG at cutoff 3 is not below 0.6"),
]


def otter(*words):
    """A command of Otter, in this process."""
    from otter.cli import cli  # takes two seconds, so one process runs all commands

    cli(words, standalone_mode=False)


def answered(sheet, answers):
    """The notebook for students with answers in place of its dots."""
    notebook = json.loads(sheet)
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        cell["source"] = re.sub(r"(?m)^(.*)\.\.\.$", lambda line: line[1] + answers[line[1]], source)
    return json.dumps(notebook)


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """The folder in which `otter assign` and `otter run` have worked."""
    folder = tmp_path_factory.mktemp("assignment") / "a copy"
    shutil.copytree(EXAMPLE, folder)
    dist = folder / "dist"
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process:
        process.submit(otter, "assign", str(folder / "assignment.ipynb"), str(dist)).result()
        [autograder] = (dist / "autograder").glob("*.zip")
        sheet = (dist / "student" / "assignment.ipynb").read_text(encoding="utf-8")
        for name, answers, _ in POINTS:
            results = folder / name
            results.mkdir()
            submission = results / "submission.ipynb"
            submission.write_text(answered(sheet, answers), encoding="utf-8")
            process.submit(otter, "run", "-a", str(autograder), "-o", str(results), str(submission)).result()
    return folder


def results(folder, name):
    """What Otter says of each question of a submission."""
    tests = json.loads((folder / name / "results.json").read_text(encoding="utf-8"))["tests"]
    return {test["name"]: test for test in tests if "score" in test}


@pytest.mark.parametrize(("name", "points"), [(name, points) for name, _, points in POINTS])
def test_a_submission_gets_the_points_of_its_right_answers(graded, name, points):
    questions = results(graded, name)
    assert {question: test["score"] for question, test in questions.items()} == points
    assert {question: test["max_score"] for question, test in questions.items()} == MOST


@pytest.mark.parametrize(("question", "hint"), HINTS)
def test_a_wrong_answer_gets_a_hint(graded, question, hint):
    assert hint in results(graded, "some wrong")[question]["output"]


def test_students_get_neither_solutions_nor_hidden_tests(graded):
    student = graded / "dist" / "student"
    assert {path.name for path in student.iterdir()} == {"assignment.ipynb", "rankings.json"}
    sheet = (student / "assignment.ipynb").read_text(encoding="utf-8")
    assert not re.search(r"marking|SOLUTION|HIDDEN|hidden=True|4\.26|bde", sheet)
