"""A function that a reader writes is judged, each mistake is named, and page and notebook have the same task."""

import contextlib
import io
import re
from math import log2
from pathlib import Path

import pytest
from rows import every_row

from ndcg_ref import dcg
from ndcg_ref.live.own_dcg import MISTAKES, RANKINGS, report, tried
from ndcg_ref.stated.stored_notebook import read_notebook

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOK = ROOT / "examples" / "write-dcg.ipynb"
CHAPTER = ROOT / "book" / "concepts" / "ndcg.ipynb"


def by_a_loop(grades):
    total = 0
    for rank, grade in enumerate(grades, start=1):
        total += grade / log2(rank + 1)
    return total


RIGHT = [
    by_a_loop,
    lambda grades: sum(grade / log2(i + 2) for i, grade in enumerate(grades)),
    dcg,  # over arrays, which returns a float of numpy
]


@pytest.mark.parametrize("function", RIGHT)
def test_a_right_function_passes_and_gets_no_hint(function):
    lines, hint = tried(function)
    assert (len(lines), [said for right, said in lines if not right], hint) == (len(RANKINGS), [], "")


@every_row(("hint", "wrong"), MISTAKES.items())
def test_each_mistake_is_named_when_it_is_made(hint, wrong):
    lines, found = tried(wrong)
    assert not all(right for right, _ in lines)
    assert found == hint


def of_the_last(grades):
    value = 0
    for rank, grade in enumerate(grades, start=1):
        value = grade / log2(rank + 1)
    return value


def divided(grades):
    best = by_a_loop(sorted(grades, reverse=True))
    return by_a_loop(grades) / best if best else 0


@pytest.mark.parametrize(("wrong", "hint"), [(of_the_last, "Only the last result counts."), (divided, "This is NDCG")])
def test_a_mistake_is_named_as_others_write_it(wrong, hint):
    assert tried(wrong)[1].startswith(hint)


def test_the_right_values_are_those_of_the_arrays():
    said = [line for _, line in tried(sum)[0]]
    for grades, line in zip(RANKINGS, said, strict=True):
        assert line.endswith(f"{dcg(grades):.5g}"), line


def sorts(grades):
    value = by_a_loop(grades)
    grades.sort()
    return value


def endless(grades):
    return endless(grades)


SAID = [
    # the function, a line, the hint
    (None, None, "There is no function dcg: begin with def dcg(grades):"),
    (lambda grades: None, r"✗ dcg\(\[3\]\) returns None, which is no number", "end it with return"),
    (lambda grades: "3", r"✗ dcg\(\[3\]\) returns '3', which is no number", ""),
    (lambda grades: [1 / log2(r) for r, _ in enumerate(grades, 1)], r"raises ZeroDivisionError in line \d+", "log2(1)"),
    (lambda grades: [log2(r) for r, _ in enumerate(grades)], r"raises ValueError in line \d+", "ranks begin at 1"),
    (lambda: 1, r"raises TypeError in line \d+: .*argument", ""),
    (lambda grades: by_a_loop(grades) if grades else grades[0], r"✗ dcg\(\[\]\) raises IndexError", "An empty list"),
    (sorts, r"is right, but the list of grades was changed: it is now \[0, 0, 1\]|changed", ""),
    (endless, r"raises RecursionError", ""),
    (lambda grades: float("nan"), r"✗ dcg\(\[3\]\) is nan, and should be 3", ""),
    (lambda grades: 1.5 * by_a_loop(grades), r"✗ dcg\(\[3\]\) is 4.5, and should be 3", ""),
    (lambda grades: by_a_loop(grades[:-1]), None, "The last result is missing."),
    (lambda grades: by_a_loop(grades) / max(1, len(grades)), None, "The sum is divided by the number of results."),
]


@every_row(("function", "line", "hint"), SAID)
def test_what_is_wrong_is_said(function, line, hint):
    said = report(function)
    assert line is None or re.search(line, said), said
    assert hint in said.splitlines()[-1]


def cells(path):
    return [cell.source for cell in read_notebook(path).code]


def starter():
    return re.search(r"```python\n(.*?)\n```", CHAPTER_TEXT, re.DOTALL)[1]


CHAPTER_TEXT = next(
    cell.source for cell in read_notebook(CHAPTER).cells if cell.source.startswith("### Write it yourself")
)


def test_the_notebook_begins_with_the_lines_of_the_page():
    assert cells(NOTEBOOK)[0] == starter()


@pytest.mark.parametrize("solved", [False, True])
def test_the_notebook_prints_what_it_stores_and_passes_with_the_answer_of_the_page(solved):
    answer = re.search(r"`(total \+= .*)`", CHAPTER_TEXT)[1]
    first, tests = cells(NOTEBOOK)
    if solved:
        first = first.replace("total += grade", answer)
    names, printed = {}, io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(f"{first}\n{tests}", names)
    stored = "".join(read_notebook(NOTEBOOK).code[1].outputs[0]["text"])
    assert (printed.getvalue() == stored) == (not solved)
    assert ("✗" in printed.getvalue()) == (not solved)
