"""A function `dcg` that a reader wrote, tried on some rankings: what is right, what is wrong, and what happened.

The function is an object here. Nothing in the package runs text as code: in a page that is the job of a worker of its
own, and in a notebook that of the reader.
"""

import json
import math
import traceback
from collections.abc import Callable, Sequence
from numbers import Real
from typing import Any

from ndcg_ref.conventions.convention import EXPONENTIAL, ORIGINAL, Convention
from ndcg_ref.conventions.validation import quoted
from ndcg_ref.formulas import plain

RANKINGS: tuple[tuple[int, ...], ...] = ((3,), (2, 3), (0, 0, 1), (2, 3, 0, 1, 2), (1, 1, 2, 3), ())
NEAR = 1e-9  # of another order of the sum


def _sum_of(term: Callable[[int, int], float]) -> Callable[[Sequence[int]], float]:
    """A sum over the ranks of a ranking."""
    return lambda grades: math.fsum(term(grade, rank) for rank, grade in enumerate(grades, start=1))


MISTAKES: dict[str, Callable[[Sequence[int]], float]] = {
    "Nothing is discounted: each grade is to be divided by log2(rank + 1).": _sum_of(lambda grade, rank: grade),
    "The grades are divided by log2(rank) from rank 2 on. Here the discount is log2(rank + 1), at every rank.": (
        lambda grades: plain.dcg(grades, convention=ORIGINAL)
    ),
    "This is the natural logarithm: use log2.": lambda grades: plain.dcg(grades, convention=Convention(base=math.e)),
    "This is the logarithm of base 10: use log2.": lambda grades: plain.dcg(grades, convention=Convention(base=10)),
    "The gain is 2 ** grade - 1 here. Take the grade itself.": (
        lambda grades: plain.dcg(grades, convention=EXPONENTIAL)
    ),
    "The ranks are one too high: the first result has rank 1, and is divided by log2(2).": _sum_of(
        lambda grade, rank: grade / math.log2(rank + 2)
    ),
    "The grades are divided by the rank itself. The discount is log2(rank + 1).": _sum_of(
        lambda grade, rank: grade / rank
    ),
    "The grades are multiplied by the discount. Divide by it.": _sum_of(
        lambda grade, rank: grade * math.log2(rank + 1)
    ),
    "The grades are sorted: that is the ideal DCG. Leave them in the order of the ranking.": (
        lambda grades: plain.idcg(grades)
    ),
    "Only the first result counts. Is the return inside the loop?": lambda grades: plain.dcg(grades[:1]),
    "Only the last result counts. Is every term added to the sum?": (
        lambda grades: grades[-1] / math.log2(len(grades) + 1) if grades else 0
    ),
    "The last result is missing. Where does the loop end?": lambda grades: plain.dcg(grades[:-1]),
    "The sum is divided by the number of results. DCG is the sum itself.": (
        lambda grades: plain.dcg(grades) / max(1, len(grades))
    ),
    "This is NDCG: leave out the division by the ideal DCG.": lambda grades: plain.ndcg(grades) if any(grades) else 0,
    "The value looks rounded. Return all its digits.": lambda grades: round(plain.dcg(grades), 3),
}


def report(function: Any) -> str:
    """Try a function on some rankings, and say line by line what it gives and should give.

    Parameters
    ----------
    function : callable
        Takes the grades of a ranking, best rank first, and returns their DCG: linear gain, divided by log2(rank + 1).

    Returns
    -------
    str
        A line for each ranking, and a hint where one mistake explains all that is wrong.

    Examples
    --------
    >>> print(report(sum))
    ✓ dcg([3]) is 3
    ✗ dcg([2, 3]) is 5, and should be 3.8928
    ✗ dcg([0, 0, 1]) is 1, and should be 0.5
    ✗ dcg([2, 3, 0, 1, 2]) is 8, and should be 5.0972
    ✗ dcg([1, 1, 2, 3]) is 7, and should be 3.923
    ✓ dcg([]) is 0
    Nothing is discounted: each grade is to be divided by log2(rank + 1).
    """
    lines, hint = tried(function)
    return "\n".join([*(f"{'✓' if right else '✗'} {said}" for right, said in lines), *([hint] if hint else [])])


def as_json(function: Any) -> str:
    """The same for a page: the lines, each with whether it is right, and the hint."""
    lines, hint = tried(function)
    return json.dumps({"lines": lines, "hint": hint})


def tried(function: Any) -> tuple[list[tuple[bool, str]], str]:
    """What a function gives for each ranking, and whether it is right; and what may have happened.

    >>> tried(None)[1]
    'There is no function dcg: begin with def dcg(grades):'
    """
    if not callable(function):
        return [], "There is no function dcg: begin with def dcg(grades):"
    lines: list[tuple[bool, str]] = []
    values: dict[tuple[int, ...], float] = {}
    hint = ""
    for grades in RANKINGS:
        given = list(grades)
        called, right = f"dcg({given})", plain.dcg(grades)
        try:
            value = function(given)
        except Exception as error:
            line = traceback.extract_tb(error.__traceback__)[-1].lineno  # of the reader's code
            lines.append((False, f"{called} raises {type(error).__name__} in line {line}: {str(error)[:200]}"))
            hint = hint or _hint_at(error)
            continue
        if not isinstance(value, Real):
            lines.append((False, f"{called} returns {quoted(value)}, which is no number"))
            hint = hint or ("The function returns nothing: end it with return." if value is None else "")
        elif not math.isclose(float(value), right, rel_tol=NEAR, abs_tol=NEAR):
            lines.append((False, f"{called} is {_shown(value)}, and should be {_shown(right)}"))
            values[grades] = float(value)
        elif given != list(grades):
            lines.append((False, f"{called} is right, but the list of grades was changed: it is now {given}"))
        else:
            lines.append((True, f"{called} is {_shown(right)}"))
    for mistake, wrong in MISTAKES.items() if values else ():
        if all(math.isclose(wrong(grades), value, rel_tol=NEAR, abs_tol=NEAR) for grades, value in values.items()):
            return lines, mistake
    return lines, hint


def _hint_at(error: Exception) -> str:
    """What often leads to an error."""
    if isinstance(error, ZeroDivisionError):
        return "log2(1) is 0: divide by log2(rank + 1), with ranks from 1 on. An empty list has the DCG 0."
    if isinstance(error, ValueError):
        return "The logarithm of 0 does not exist: ranks begin at 1."
    return "An empty list has the DCG 0." if isinstance(error, IndexError) else ""


def _shown(value: Any) -> str:
    """A value with five digits."""
    return f"{float(value):.5g}"
