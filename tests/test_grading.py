"""Grading: answers are read and never run, each is judged by the rule of agreement, and bad notebooks are named."""

import csv
import io
import json
import re

import pytest

from ndcg_ref.cli import main
from ndcg_ref.teaching.grading import grade
from ndcg_ref.teaching.questions import HOLDS, make_sheet
from ndcg_ref.teaching.sheets import as_notebook

SECRET = b"a secret that the tests share"
SHEET = make_sheet(SECRET, 4)
PLACES = {each.kind: place for place, each in enumerate(SHEET.questions, start=1)}
DCG = next(place for place, each in enumerate(SHEET.questions, start=1) if each.measure == "dcg" and not each.line)
VALUE = SHEET.questions[DCG - 1].value


def answered(sheet=SHEET, **answers):
    """A notebook with answers, by `q1="…"`; any other cell content by `cell1="…"`."""
    notebook = json.loads(as_notebook(sheet))
    for cell in notebook["cells"]:
        place = cell["metadata"].get("ndcg_ref", {}).get("answer")
        if f"q{place}" in answers:
            cell["source"] = f'answer = "{answers[f"q{place}"]}"'
        if f"cell{place}" in answers:
            cell["source"] = answers[f"cell{place}"]
    return notebook


def graded(notebook):
    return grade(SECRET, json.dumps(notebook))


def test_the_answers_of_the_key_are_all_right():
    for number in range(1, 21):
        sheet = make_sheet(SECRET, number)
        right = {f"q{place}": each.answer for place, each in enumerate(sheet.questions, start=1)}
        assert [each.points for each in graded(answered(sheet, **right))] == [1] * 9


ANSWERS = [
    # what is written as the answer to a DCG, outcome, points, remark, why
    (f"{VALUE:.2f}", "right", 1, "", "as asked for"),
    (f"{VALUE:.4f}", "right", 1, "", "more decimals"),
    (f"{VALUE:.2f}".replace(".", ","), "right", 1, "", "a decimal comma"),
    (f" {VALUE:.2f} ", "right", 1, "", "blanks"),
    (f"{VALUE:.1f}", "right", 0, "asked for 2 decimals", "too few decimals"),
    (f"{VALUE + 1:.2f}", "wrong", 0, "", "another number"),
    ("", "missing", 0, "", "no answer"),
    ("about four", "unreadable", 0, "expected a number", "words"),
    (HOLDS, "unreadable", 0, "expected a number", "a word for another question"),
    ("=1+1", "unreadable", 0, "expected a number", "a formula of a spreadsheet"),
    ("9" * 400, "unreadable", 0, "expected a number", "a number of too many digits"),
]


@pytest.mark.parametrize(("given", "outcome", "points", "remark", "why"), ANSWERS)
def test_a_calculation_is_judged_by_the_rule_of_agreement(given, outcome, points, remark, why):
    found = graded(answered(**{f"q{DCG}": given}))[DCG - 1]
    assert (found.outcome, found.points, found.remark) == (outcome, points, remark)


def test_a_wrong_answer_has_the_cause_that_explains_it():
    sheet, place, cut = next(
        (sheet, place, f"{int(each.value * 100) / 100:.2f}")
        for sheet in (make_sheet(SECRET, number) for number in range(1, 40))
        for place, each in enumerate(sheet.questions, start=1)
        if each.measure == "dcg" and not each.line and f"{int(each.value * 100) / 100:.2f}" != each.answer
    )
    found = graded(answered(sheet, **{f"q{place}": cut}))[place - 1]
    assert (found.outcome, "truncated" in found.causes) == ("wrong", True)


def test_a_line_that_holds_may_be_answered_by_word_alone():
    sheet, place = next(
        (sheet, place)
        for sheet in (make_sheet(SECRET, number) for number in range(1, 40))
        for place, each in enumerate(sheet.questions, start=1)
        if each.answer == HOLDS
    )
    for word, points in ((HOLDS, 1), ("Holds.", 1), ("9.99", 0)):
        assert graded(answered(sheet, **{f"q{place}": word}))[place - 1].points == points


def test_a_slip_is_not_answered_by_the_word():
    sheet, place = next(
        (sheet, place)
        for sheet in (make_sheet(SECRET, number) for number in range(1, 40))
        for place, each in enumerate(sheet.questions, start=1)
        if each.kind == "slip" and each.answer != HOLDS
    )
    found = graded(answered(sheet, **{f"q{place}": HOLDS}))[place - 1]
    assert (found.outcome, found.points) == ("wrong", 0)


@pytest.mark.parametrize(("given", "outcome"), [("E", "unreadable"), ("ab", "unreadable"), ("1", "unreadable")])
def test_a_convention_is_answered_by_a_letter(given, outcome):
    place = PLACES["convention"]
    assert graded(answered(**{f"q{place}": given}))[place - 1].outcome == outcome


def test_a_letter_may_be_large_and_have_a_bracket():
    place = PLACES["convention"]
    letter = SHEET.questions[place - 1].answer
    assert graded(answered(**{f"q{place}": letter.upper() + ")"}))[place - 1].points == 1


CELLS = [
    # the cell of the answer, what is read
    ("answer = '4.12'", "4.12"),
    ("answer = 4.12", "4.12"),
    ("answer=4.12  # rounded", "4.12"),
    ('answer = "4.12"\n', "4.12"),
    (["answer = ", '"4.12"'], "4.12"),
    ("", ""),
    ('answer = ""', ""),
]


@pytest.mark.parametrize(("cell", "read"), CELLS)
def test_an_answer_is_read_as_students_write_it(cell, read):
    assert graded(answered(**{f"cell{DCG}": cell}))[DCG - 1].given == read


def test_code_in_an_answer_is_not_run(tmp_path):
    target = tmp_path / "made"
    with pytest.raises(ValueError, match=rf'question {DCG}: expected answer = "…" in the cell of the answer'):
        graded(answered(**{f"cell{DCG}": f"import pathlib; pathlib.Path({str(target)!r}).touch()"}))
    found = graded(answered(**{f"cell{DCG}": "answer = __import__(chr(111) + chr(115)).getpid()"}))[DCG - 1]
    assert found.outcome == "unreadable"
    assert not target.exists()


def changed(change):
    notebook = answered()
    change(notebook)
    return json.dumps(notebook)


REFUSED = [
    # text, what is said
    ("", "expected a notebook, got a file that is no JSON"),
    ("[" * 100_000, "expected a notebook, got a file that is no JSON"),
    ("[]", "expected a notebook, got JSON without a list of cells"),
    ('{"cells": 3}', "expected a notebook, got JSON without a list of cells"),
    ('{"cells": []}', "the notebook names no sheet in its metadata"),
    ('{"cells": [], "metadata": 3}', "the notebook names no sheet in its metadata"),
    (changed(lambda book: book["metadata"]["ndcg_ref"].update(sheet=5)), "sheet 5: the code '.*' is not the one of"),
    (changed(lambda book: book["metadata"]["ndcg_ref"].update(sheet="x")), "expected the number of a sheet, from 1"),
    (changed(lambda book: book["cells"].append(book["cells"][2])), "question 1 has two answers"),
    (changed(lambda book: book["cells"][2]["metadata"]["ndcg_ref"].update(answer=12)), "answer 12: expected the numb"),
    (changed(lambda book: book["cells"][2]["metadata"]["ndcg_ref"].update(answer="a")), "expected the number of a qu"),
    (changed(lambda book: book["cells"][2].update(source=3)), "question 1: expected text in the cell of the answer"),
    (changed(lambda book: book["cells"][2].update(source="x = 1")), 'question 1: expected answer = "…" in the cell'),
    (" " * 20_000_001, "expected a notebook of at most 20000000 characters, got 20000001"),
]


@pytest.mark.parametrize(("text", "said"), REFUSED, ids=range(len(REFUSED)))
def test_what_is_no_answered_sheet_is_refused(text, said):
    with pytest.raises(ValueError, match=said):
        grade(SECRET, text)


def test_a_notebook_of_another_secret_is_refused():
    with pytest.raises(ValueError, match=r"is not the one of this secret \(a sheet of another course"):
        grade(b"the secret of another course", as_notebook(SHEET))


class TestTheTable:
    @pytest.fixture
    def folder(self, tmp_path):
        (tmp_path / "secret").write_bytes(SECRET)
        (tmp_path / "one.ipynb").write_text(json.dumps(answered(q1="=cmd()", q4="-3")), encoding="utf-8")
        (tmp_path / "bad.ipynb").write_bytes(b"\xff\xfe")
        return tmp_path

    def test_every_notebook_that_can_be_read_is_graded(self, folder, capsys, monkeypatch):
        monkeypatch.chdir(folder)  # a longer name would be cut
        assert main(["grade", "--secret", "secret", "bad.ipynb", "one.ipynb", "none.ipynb"]) == 2
        said = capsys.readouterr()
        rows = list(csv.DictReader(io.StringIO(said.out)))
        assert [row["question"] for row in rows] == [str(place) for place in range(1, 10)]
        assert re.search(r"bad\.ipynb: expected a notebook, got a file that is no text in UTF-8\n", said.err)
        assert re.search(r"none\.ipynb: cannot be read: No such file or directory\n", said.err)

    def test_a_notebook_without_an_end_is_refused(self, folder, capsys):
        assert main(["grade", "--secret", str(folder / "secret"), "/dev/zero"]) == 2
        said = "ndcg-ref grade: /dev/zero: expected a notebook of at most 20000000 characters, got 20000001\n"
        assert capsys.readouterr().err == said

    def test_no_cell_is_a_formula_of_a_spreadsheet(self, folder, capsys):
        assert main(["grade", "--secret", str(folder / "secret"), str(folder / "one.ipynb")]) == 0
        rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
        assert (rows[0]["given"], rows[3]["given"]) == ("'=cmd()", "'-3")
