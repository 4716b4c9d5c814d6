"""The quiz: every line is judged again here, by other functions than those that made it."""

import re
from itertools import pairwise

import pytest
from rows import every_row

from ndcg_ref import dcg, idcg, ndcg
from ndcg_ref.stated import check_equation, judge
from ndcg_ref.stated.causes import MEANINGS
from ndcg_ref.subjects.exercises import QUOTIENTS, SUMS
from tools.book.quiz_ext import quiz_lines

SUM = re.compile(r"\\mathrm\{DCG\}_4 = (.+) = ([0-9.]+)")
QUOTIENT = re.compile(r"\\mathrm\{NDCG\}_4 = \\frac\{([0-9.]+)\}\{([0-9.]+)\} = ([0-9.]+)")


def wrong_lines():
    return [line for line in quiz_lines() if line.wrong is not None]


def right_steps(line):
    """Whether each step is right, by the functions over arrays."""
    ask = {"convention": line.convention}
    quotient = QUOTIENT.fullmatch(line.line)
    if quotient:
        exact = [measure(line.grades, **ask) for measure in (dcg, idcg, ndcg)]
        printed = quotient.groups()
    else:
        before = [0.0, *(dcg(line.grades[:rank], **ask) for rank in range(1, 5))]
        terms = [after - earlier for earlier, after in pairwise(before)]
        exact = [*terms, before[-1]]
        terms_printed, result = SUM.fullmatch(line.line).groups()
        printed = [*terms_printed.split(" + "), result]
    return [is_right(text, value) for text, value in zip(printed, exact, strict=True)]


def is_right(text, exact):
    """Whether a number agrees; a formula is right only if it is the value itself."""
    if re.fullmatch(r"[0-9]+\.[0-9]+", text):
        return judge(text, exact).outcome == "agrees"
    stated = check_equation(f"x = {text} = 1.0", "term", exact=1.0).discrepancies
    value = float(re.search(r"gives (\S+),", stated[0]).group(1)) if stated else 1.0
    return value == pytest.approx(exact, rel=1e-5, abs=1e-9)


def test_there_are_at_least_60_lines_and_a_third_hold():
    lines = quiz_lines()
    assert len(lines) >= 60
    assert 0.3 <= len([line for line in lines if line.wrong is None]) / len(lines) <= 0.5
    assert len({(line.line, line.grades) for line in lines}) == len(lines)


def test_every_cause_of_an_exercise_occurs():
    """Of a result that inherits a slip, the operand is asked for, and it is cut or another quantity."""
    kinds = {line.kind for line in quiz_lines()}
    assert {f"sum: {code}" for code in SUMS} <= kinds
    assert {"quotient: truncated", "quotient: rounded-up", "the DCG: quantity", "the DCG: truncated"} <= kinds
    inherited = {code for line in wrong_lines() for code in line.steps[-1].slip.causes}
    assert {*QUOTIENTS} - {"truncated", "rounded-up", "quantity"} <= inherited


@every_row("line", quiz_lines)
def test_the_first_wrong_step_is_wrong_and_those_before_it_are_right(line):
    right = right_steps(line)
    assert len(right) == len(line.steps)
    assert [step.slip is None for step in line.steps] == right
    assert line.wrong == (right.index(False) if False in right else None)


@every_row("line", wrong_lines)
def test_one_of_the_causes_to_choose_from_is_found_and_the_others_are_not(line):
    slip = line.steps[line.wrong].slip
    fits = {MEANINGS[code] for code in slip.causes} | {each.label for each in slip.evidence}
    assert [cause in fits for cause in line.causes] == [place == line.cause for place in range(len(line.causes))]
    assert len(line.causes) == 4


@every_row("line", wrong_lines)
def test_a_chapter_would_find_the_cause_of_a_wrong_sum(line):
    if "NDCG" in line.line:
        wrong = line.steps[line.wrong]
        assert judge(wrong.stated, wrong.slip.computed).outcome == "slip"
        return
    result = check_equation(
        line.line,
        "line",
        terms=(line.grades, line.convention),
        slip=line.steps[-1].slip.causes[0],
        term_slips={line.wrong + 1: line.steps[line.wrong].slip.causes[0]} if line.wrong < 4 else None,
    )
    assert result.causes == line.steps[-1].slip.causes
