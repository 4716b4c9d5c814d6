"""Read the answers of a student's notebook, without running it, and judge each.

An answer is the text between the quotation marks of a cell that the notebook marks as one. It is read as a number, a
letter or a word, and never evaluated.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ndcg_ref.markup import for_spreadsheet
from ndcg_ref.stated.alternatives import alternatives_for
from ndcg_ref.stated.number import Number, read_number
from ndcg_ref.stated.verdict import judge
from ndcg_ref.teaching.questions import HOLDS, LETTERS, Question, Sheet, make_sheet
from ndcg_ref.validation import quoted

LARGEST = 20_000_000  # characters of a notebook
LONGEST = 500  # characters of the cell of an answer
ANSWER = re.compile(r"""\s*answer\s*=\s*(?:"([^"\n]*)"|'([^'\n]*)'|([^"'#\n]*?))\s*(?:#.*)?\s*""")
COLUMNS = ("file", "sheet", "question", "kind", "given", "expected", "outcome", "causes", "points", "remark")


@dataclass(frozen=True, kw_only=True)
class Grade:
    """The result of one answer: a row of the table that the lecturer gets."""

    sheet: int
    question: int
    kind: str
    given: str
    expected: str
    outcome: str
    causes: tuple[str, ...] = ()
    points: int = 0
    remark: str = ""

    def row(self, file: str) -> tuple[str, ...]:
        """The cells of the row; none begins with a sign by which a spreadsheet takes it for a formula."""
        cells = (file, self.sheet, self.question, self.kind, self.given, self.expected, self.outcome)
        return tuple(for_spreadsheet(str(cell)) for cell in (*cells, "; ".join(self.causes), self.points, self.remark))


def grade(secret: bytes, text: str) -> list[Grade]:
    """Judge the answers of a notebook.

    Parameters
    ----------
    secret : bytes
        The secret that the sheets were made with.
    text : str
        The notebook, as its file has it.

    Returns
    -------
    list of Grade
        One for each question of the sheet, in order. A question without an answer has the outcome "missing".

    Raises
    ------
    ValueError
        If the text is no notebook of a sheet that this secret makes.

    Examples
    --------
    >>> from ndcg_ref.teaching.questions import make_sheet
    >>> from ndcg_ref.teaching.sheets import as_notebook
    >>> secret = b"a secret of this example"
    >>> {each.outcome for each in grade(secret, as_notebook(make_sheet(secret, 1)))}
    {'missing'}
    """
    notebook = _read(text)
    sheet = _sheet_of(secret, notebook)
    given = _answers(notebook)
    unknown = sorted(given.keys() - set(range(1, len(sheet.questions) + 1)))
    if unknown:
        raise ValueError(f"answer {unknown[0]}: expected the number of a question, 1 to {len(sheet.questions)}")
    return [_graded(sheet, place, given.get(place, "")) for place in range(1, len(sheet.questions) + 1)]


def _read(text: str) -> dict[str, Any]:
    if len(text) > LARGEST:
        raise ValueError(f"expected a notebook of at most {LARGEST} characters, got {len(text)}")
    try:
        notebook = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError("expected a notebook, got a file that is no JSON (another kind of file?)") from None
    if not isinstance(notebook, dict) or not isinstance(notebook.get("cells"), list):
        raise ValueError("expected a notebook, got JSON without a list of cells")
    return notebook


def _mark(part: Any) -> dict[str, Any]:
    """What the metadata of a notebook or a cell say for this package."""
    metadata = part.get("metadata") if isinstance(part, dict) else None
    own = metadata.get("ndcg_ref") if isinstance(metadata, dict) else None
    return own if isinstance(own, dict) else {}


def _sheet_of(secret: bytes, notebook: dict[str, Any]) -> Sheet:
    named = _mark(notebook)
    if "sheet" not in named:
        raise ValueError("the notebook names no sheet in its metadata (is it one that ndcg-ref homework wrote?)")
    sheet = make_sheet(secret, named["sheet"])
    if named.get("code") != sheet.code:
        raise ValueError(
            f"sheet {sheet.number}: the code {quoted(named.get('code'))} is not the one of this secret "
            "(a sheet of another course, or of another secret?)"
        )
    return sheet


def _answers(notebook: dict[str, Any]) -> dict[int, str]:
    """The text of each answer, by the number of its question."""
    found: dict[int, str] = {}
    for cell in notebook["cells"]:
        place = _mark(cell).get("answer")
        if place is None:
            continue
        if isinstance(place, bool) or not isinstance(place, int):
            raise ValueError(f"expected the number of a question in the metadata of an answer, got {quoted(place)}")
        if place in found:
            raise ValueError(f"question {place} has two answers (was its cell copied?)")
        found[place] = _answer(cell, place)
    return found


def _answer(cell: dict[str, Any], place: int) -> str:
    source = cell.get("source", "")
    lines = source if isinstance(source, list) else [source]
    if not all(isinstance(line, str) for line in lines):
        raise ValueError(f"question {place}: expected text in the cell of the answer, got something else")
    text = "".join(lines)
    match = ANSWER.fullmatch(text) if len(text) <= LONGEST else None
    if match is None:
        if not text.strip():
            return ""
        raise ValueError(f'question {place}: expected answer = "…" in the cell of the answer, got {quoted(text)}')
    return (match[1] or match[2] or match[3] or "").strip()


def _graded(sheet: Sheet, place: int, given: str) -> Grade:
    question = sheet.questions[place - 1]
    row: dict[str, Any] = {
        "sheet": sheet.number,
        "question": place,
        "kind": question.kind,
        "given": given,
        "expected": question.answer,
    }
    return Grade(**row, **dict(_result(question, given)))


def _result(question: Question, given: str) -> Iterator[tuple[str, Any]]:
    """The outcome of an answer, its points and what else there is to say, as fields of a grade."""
    if not given:
        yield "outcome", "missing"
    elif question.options:
        letter = given.lower().rstrip(").")
        right = letter == question.answer
        yield "outcome", "right" if right else "wrong" if letter in set(LETTERS) else "unreadable"
        yield "points", int(right)
    elif question.kind == "slip" and given.lower().strip(".") == HOLDS:
        right = question.answer == HOLDS
        yield "outcome", "right" if right else "wrong"
        yield "points", int(right)
    else:
        yield from _number_result(question, given)


def _number_result(question: Question, given: str) -> Iterator[tuple[str, Any]]:
    try:
        number = read_number(given.replace(",", "."))
    except ValueError:
        yield "outcome", "unreadable"
        yield "remark", "expected a number" + (f' or "{HOLDS}"' if question.kind == "slip" else "")
        return
    assert not math.isnan(question.value)
    alternatives = alternatives_for(question.measure, question.grades, question.convention)
    verdict = judge(number, question.value, "answer", alternatives=alternatives)
    agrees = verdict.outcome == "agrees"
    short = agrees and _decimals(number) < question.decimals
    yield "outcome", "right" if agrees else "wrong"
    yield "causes", () if agrees else verdict.causes
    yield "points", int(agrees and not short)
    if short:
        yield "remark", f"asked for {question.decimals} decimals"


def _decimals(number: Number) -> float:
    """How many decimals a number states; a fraction states all."""
    return math.inf if number.exact else len(number.text.partition(".")[2])
