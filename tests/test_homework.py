"""Homework: the same secret makes the same sheets, no sheet has an answer, and a key is right by two witnesses."""

import base64
import csv
import io
import json
import math
import re
import shutil
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ndcg_ref import cg, dcg, idcg, ndcg
from ndcg_ref.cli import main
from ndcg_ref.convention import EXPONENTIAL, ORIGINAL, STANDARD
from ndcg_ref.stated import judge
from ndcg_ref.teaching.questions import HOLDS, LETTERS, OPTIONS, make_sheet, read_secret
from ndcg_ref.teaching.sheets import as_html, as_latex, as_mathml, as_notebook, key

SECRET = b"a secret that the tests share"
SHEETS = [make_sheet(SECRET, number) for number in range(1, 31)]
QUESTIONS = [(sheet.number, place, each) for sheet in SHEETS for place, each in enumerate(sheet.questions, start=1)]
FORMS = (as_html, as_notebook, as_latex)
MEASURES = {"cg": lambda grades, convention: cg(grades), "dcg": dcg, "idcg": idcg, "ndcg": ndcg}


def by_arrays(question):
    """The value of a question, by the functions over arrays, which made no sheet."""
    if question.measure == "cg":
        return cg(question.grades)
    return MEASURES[question.measure](question.grades, convention=question.convention)


@pytest.mark.parametrize("each", [q for *_, q in QUESTIONS if q.kind == "calculation"])
def test_the_key_of_a_hand_calculation_is_what_the_arrays_give(each):
    assert each.value == pytest.approx(by_arrays(each), rel=1e-12)
    assert judge(each.answer, by_arrays(each)).outcome == "agrees"


@pytest.mark.parametrize("each", [q for *_, q in QUESTIONS if q.kind == "slip"])
def test_the_key_of_a_printed_line_is_its_verdict(each):
    printed = re.search(r"= ([\d.]+)$", each.line)[1]
    outcome = judge(printed, by_arrays(each)).outcome
    assert (each.answer == HOLDS) == (outcome == "agrees")
    assert each.answer == HOLDS or judge(each.answer, by_arrays(each)).outcome == "agrees"


@pytest.mark.parametrize("each", [q for *_, q in QUESTIONS if q.kind == "convention"])
def test_one_convention_alone_prints_the_number(each):
    printed = re.search(r"prints the DCG ([\d.]+)\.", each.text)[1]
    fit = [one for one in OPTIONS if judge(printed, dcg(each.grades, convention=one)).outcome == "agrees"]
    assert fit == [each.convention]
    said = each.options[LETTERS.index(each.answer)]
    assert ("2^" in said) == (each.convention.gain == "exponential")
    assert ("r + 1" in said) == (each.convention.discount == "log(rank+1)")


def test_lines_hold_and_have_slips_and_every_letter_is_right_somewhere():
    answers = {each.answer for *_, each in QUESTIONS}
    assert {HOLDS, *LETTERS} <= answers
    assert {each.convention for *_, each in QUESTIONS} >= {ORIGINAL, STANDARD, EXPONENTIAL}


@given(st.binary(min_size=16, max_size=40), st.integers(1, 1000))
def test_the_same_secret_makes_the_same_sheet(secret, number):
    assert make_sheet(secret, number) == make_sheet(secret, number)


@given(st.binary(min_size=16, max_size=40), st.integers(1, 1000))
def test_another_secret_makes_another_sheet(secret, number):
    mine, other = make_sheet(secret, number), make_sheet(secret + b"x", number)
    assert mine.questions != other.questions
    assert mine.code != other.code


def test_no_two_sheets_are_alike():
    assert len({sheet.questions for sheet in SHEETS}) == len(SHEETS)


def spellings(answer):
    """The ways in which an answer could be hidden in a file."""
    yield answer
    yield base64.b64encode(answer.encode()).decode().rstrip("=")
    yield answer.encode().hex()


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: str(sheet.number))
def test_a_sheet_says_nothing_that_its_answers_decide(form, sheet):
    """A sheet is written from what the student sees: with other answers it is the same text, letter for letter."""
    asked = tuple(replace(each, answer="?", value=math.nan, grades=(), measure="") for each in sheet.questions)
    assert form(replace(sheet, questions=asked)) == form(sheet)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: str(sheet.number))
def test_no_answer_of_a_calculation_stands_in_a_sheet(form, sheet):
    text = form(sheet)
    shown = {number for each in sheet.questions for number in re.findall(r"[\d.]+", each.text + each.line)}
    answers = {each.answer for each in sheet.questions if "." in each.answer} - shown
    assert answers
    for answer in answers:
        assert [spelling for spelling in spellings(answer) if spelling in text] == []


@pytest.mark.parametrize("form", FORMS)
def test_the_secret_stands_in_no_sheet(form):
    for sheet in SHEETS:
        assert not [spelling for spelling in spellings(SECRET.decode()) if spelling in form(sheet)]


def test_a_notebook_has_a_cell_for_each_answer_and_runs_nothing():
    notebook = json.loads(as_notebook(SHEETS[0]))
    marked = [cell for cell in notebook["cells"] if "ndcg_ref" in cell["metadata"]]
    assert [cell["metadata"]["ndcg_ref"]["answer"] for cell in marked] == list(range(1, 10))
    assert {cell["source"] for cell in marked} == {'answer = ""'}


def test_a_page_is_well_formed_and_asks_nothing_of_another_host():
    for sheet in SHEETS:
        page = as_html(sheet).replace("&nbsp;", " ").replace("<!DOCTYPE html>", "")
        page = re.sub(r"<(meta[^>]*)>", r"<\1/>", page)
        assert ElementTree.fromstring(page).tag == "html"
        assert "http" not in page


MATHML = [
    # TeX, text of the MathML without tags, outermost tag
    (r"\frac{2^3-1}{\log_2 4}", "23−1log24", "mfrac"),
    (r"\mathrm{DCG}_5 = 8.33", "DCG5=8.33", "mrow"),
    (r"2^{\ell}", "2\N{SCRIPT SMALL L}", "msup"),
]


@pytest.mark.parametrize(("tex", "text", "tag"), MATHML)
def test_a_formula_becomes_mathml(tex, text, tag):
    tree = ElementTree.fromstring(as_mathml(tex))
    assert ("".join(tree.itertext()), tree.tag) == (text, tag)


def test_every_line_of_thirty_sheets_becomes_mathml():
    for *_, each in QUESTIONS:
        if each.line:
            tree = ElementTree.fromstring(f"<math>{as_mathml(each.line)}</math>")
            assert re.sub(r"\s", "", "".join(tree.itertext())).endswith(each.line.rpartition("= ")[2])


def test_the_key_has_a_row_for_each_question():
    rows = list(csv.DictReader(io.StringIO(key(SHEETS))))
    assert [(row["sheet"], row["question"], row["answer"]) for row in rows] == [
        (str(number), str(place), each.answer) for number, place, each in QUESTIONS
    ]


class TestTheCommand:
    @pytest.fixture
    def secret(self, tmp_path):
        file = tmp_path / "secret"
        file.write_bytes(SECRET)
        return str(file)

    @pytest.fixture(autouse=True)
    def no_tex(self, monkeypatch):
        monkeypatch.setattr(shutil, "which", lambda name: None)

    def test_sheets_and_a_key_are_written(self, secret, tmp_path, capsys):
        target = tmp_path / "out"
        assert main(["homework", "--secret", secret, "--sheets", "2", "--into", str(target)]) == 0
        names = sorted(path.name for path in target.iterdir())
        assert names == ["key.csv", "sheet-1.html", "sheet-1.ipynb", "sheet-2.html", "sheet-2.ipynb"]
        assert (target / "sheet-2.ipynb").read_text("utf-8") == as_notebook(SHEETS[1])
        said = capsys.readouterr()
        assert said.out == f"{target}: 2 sheets (HTML, notebook), and key.csv with the answers\n"
        assert said.err == "no PDF: xelatex is not installed; print the pages instead\n"
        assert main(["homework", "--secret", secret, "--sheets", "1", "--into", str(tmp_path / "one")]) == 0
        assert ": 1 sheet (HTML, notebook)" in capsys.readouterr().out

    def test_a_failure_half_way_leaves_nothing(self, secret, tmp_path, monkeypatch, capsys):
        def fails(sheets):
            raise OSError(28, "No space left on device")

        monkeypatch.setattr("ndcg_ref.teaching.sheets.key", fails)
        assert main(["homework", "--secret", secret, "--sheets", "2", "--into", str(tmp_path / "out")]) == 2
        assert capsys.readouterr().err.endswith("cannot be written: No space left on device\n")
        assert [path.name for path in tmp_path.iterdir()] == ["secret"]

    REFUSED = (
        # words, what is said, why
        (["--sheets", "0"], r"--sheets: expected how many, from 1 to 1000, got '0'", "none"),
        (["--sheets", "1001"], r"--sheets: expected how many, from 1 to 1000, got '1001'", "too many"),
        (["--sheets", "3.5"], r"--sheets: expected how many, from 1 to 1000, got '3.5'", "no whole number"),
        (["--sheets", "2", "--into", "."], r"--into: '.' is there already, and is not overwritten", "a folder"),
        (["--sheets", "2", "--into", "no/such/folder"], r"cannot be written: No such file or directory", "no parent"),
    )

    @pytest.mark.parametrize(("words", "said", "why"), REFUSED)
    def test_bad_input_is_refused(self, words, said, why, secret, capsys, monkeypatch, tmp_path):
        monkeypatch.chdir(tmp_path)
        assert main(["homework", "--secret", secret, *words]) == 2
        assert re.search(said, capsys.readouterr().err)

    def test_a_secret_that_cannot_be_read_is_named(self, capsys):
        assert main(["homework", "--secret", "missing", "--sheets", "2"]) == 2
        assert re.search(r"--secret: 'missing' cannot be read: No such file", capsys.readouterr().err)

    @pytest.mark.parametrize(
        "words", [["homework", "--sheets", "2"], ["grade", "one.ipynb"]], ids=lambda words: words[0]
    )
    def test_a_secret_without_an_end_is_refused(self, words, capsys):
        assert main([*words, "--secret", "/dev/zero"]) == 2
        said = "--secret: /dev/zero: expected a secret of at most 1000000 bytes, got more (another file?)\n"
        assert capsys.readouterr().err.endswith(said)


def test_a_short_secret_is_refused():
    with pytest.raises(ValueError, match=r"expected a secret of at least 16 bytes, got 5 \(make one: python3 -c"):
        read_secret(b" short\n")


@pytest.mark.parametrize("number", [0, -1, 1001, True, "7", 1.0])
def test_a_sheet_has_a_whole_number(number):
    with pytest.raises(ValueError, match="expected the number of a sheet, from 1 to 1000"):
        make_sheet(SECRET, number)


@pytest.mark.skipif(shutil.which("xelatex") is None, reason="the README's packages for print are not installed")
def test_xelatex_sets_a_sheet(tmp_path):
    from ndcg_ref.commands.homework import _typeset

    _typeset(shutil.which("xelatex"), as_latex(SHEETS[0]), tmp_path / "sheet.pdf")
    assert (tmp_path / "sheet.pdf").read_bytes().startswith(b"%PDF")
