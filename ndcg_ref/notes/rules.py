"""The rules that judge a result: a plain list, each a function with a name, a reason and an example.

The first rule that has something to say decides. A rule without an effect on the keyed notes goes: `make score` with
``--ablation`` shows the score without each.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from ndcg_ref.notes import thresholds as limit
from ndcg_ref.notes.hypotheses import BINARY, BOUNDED
from ndcg_ref.notes.judging import Choice, Found, bits_of
from ndcg_ref.notes.mentions import Name
from ndcg_ref.notes.reading import Line, WorkedSide
from ndcg_ref.stated.number import Number

if TYPE_CHECKING:
    from ndcg_ref.notes.outcomes import Judge


@dataclass(frozen=True)
class Case:
    """A number to judge, with all that is known of it.

    Parameters
    ----------
    judge : Judge
        What judges the note, and knows the numbers before.
    found : Found
        What is found of the number; a rule says it here.
    choice : Choice or None
        The best hypothesis that gives the number, and the best one that gives another.
    line : Line or None
        The line whose result it is; None for a number of a sentence or a table.
    symbolic : WorkedSide or None
        The side of the line that says it without rounded numbers.
    local : float or None
        What the working comes to exactly.
    before : Number or None
        The number right before it in its line.
    """

    judge: Judge
    found: Found
    choice: Choice | None
    line: Line | None = None
    symbolic: WorkedSide | None = None
    local: float | None = None
    before: Number | None = None

    @property
    def number(self) -> Number:
        """The number."""
        return self.found.mention.number

    @property
    def name(self) -> Name:
        """What the note calls it."""
        return self.found.mention.name

    def decide(self, value: float, outcome: str = "") -> bool:
        """Say that a value is right; the outcome follows from it."""
        self.found.value = value
        self.found.outcome = outcome or ("agrees" if self.number.covers(value) else "slip")
        return True


class Example(NamedTuple):
    """A note, a number of it, and its outcome under a rule."""

    note: str
    stated: str
    outcome: str


class Rule(NamedTuple):
    """A rule: its name, why it holds, an example, and the function that judges; true where it has decided."""

    name: str
    reason: str
    example: Example
    judges: Callable[[Case], bool]


_RULES: list[Rule] = []


def rule(
    name: str, reason: str, example: tuple[str, str, str]
) -> Callable[[Callable[[Case], bool]], Callable[[Case], bool]]:
    """Add a function to the list of rules."""

    def add(judges: Callable[[Case], bool]) -> Callable[[Case], bool]:
        _RULES.append(Rule(name, reason, Example(*example), judges))
        return judges

    return add


@rule(
    "hypothesis",
    "the hypothesis that explains most of the note gives the number",
    ("Grades [3, 0, 2]. DCG = 4.00, IDCG = 4.26, NDCG = 0.94", "0.94", "agrees"),
)
def _by_hypothesis(case: Case) -> bool:
    if case.choice is None or not case.choice.agrees:
        return False
    case.judge.take(case.found, case.choice, True)
    if case.line is None and case.name.loose:
        case.found.outcome = "consistent"
    return True


@rule(
    "single call",
    "a call that shows its ranking comes to nothing else under any common convention",
    ("DCG@K = sum rel[i] / log2(i+2)\nndcg([3, 2, 3, 0, 1, 2], 4)\nExpected: 0.78514\n", "0.78514", "slip"),
)
def _by_call(case: Case) -> bool:
    if case.found.mention.role != "call" or case.choice is None or not (case.choice.told and case.name.may_be_slip):
        return False
    case.judge.take(case.found, case.choice, False)
    return True


@rule(
    "above one",
    "no measure between 0 and 1 is larger, but one in percent may look so",
    ("NDCG = 9.4 / 4.2 = 2.24", "2.24", "impossible"),
)
def _above_one(case: Case) -> bool:
    number, side = case.number, case.found.side
    if case.line is None or case.name.quantity not in BOUNDED or number.bounds[0] <= 1 or number.unit >= 1:
        return False
    low, high = side.bounds if side is not None else (0.0, 0.0)
    if side is not None and number.value > 10 and low <= number.bounds[1] and number.bounds[0] <= high:
        case.judge.by_interval(case.found, side, case.name)  # times 100
    elif case.choice is not None and case.choice.is_slip() and side is None:
        case.judge.take(case.found, case.choice, False)
    elif re.search(r"[A-Za-z]@?[0-9]*\W*$", case.name.label):
        case.judge.call_impossible(case.found)
    return True


@rule(
    "line without a name",
    "a line that nothing names claims no more than that it adds up as printed",
    ("1.2618 + 0.63 + 0.43 = 2.32", "2.32", "agrees"),
)
def _without_name(case: Case) -> bool:
    if case.found.side is None or case.name.quantity or case.name.mean:
        return False
    return case.judge.adds_up(case.found, case.found.side)


@rule(
    "line that comes out",
    "the symbols of a line give its result, unless they are those of the ranking with a mistake",
    ("RR = 1/3 = 0.33", "0.33", "agrees"),
)
def _by_working(case: Case) -> bool:
    if case.local is None or not case.number.covers(case.local):
        return False
    choice = case.choice
    of_sum = case.name.quantity in ("DCG", "IDCG", "CG") and case.name.may_be_slip
    sure = case.line is not None and choice is not None and of_sum and choice.is_slip(limit.MARGIN)
    if sure and case.line is not None and choice is not None and case.judge.is_about(case.line, choice):
        case.judge.take(case.found, choice, False)
        return True
    return case.decide(case.local)


@rule(
    "ratio that does not come out",
    "a ratio is wrong whatever the ranking where its exact operands give another value",
    ("P@5 = 2/5 = 0.50", "0.50", "slip"),
)
def _by_exact_ratio(case: Case) -> bool:
    if case.local is None or not (case.name.quantity in BINARY or case.name.quantity == "NDCG"):
        return False
    case.judge.by_line(case.found, case.local, case.name)
    return True


@rule(
    "ratio of results",
    "an NDCG without a working divides the DCG and the ideal DCG before it",
    ("DCG = 3/1 + 1/2 = 3.5\n\nIDCG = 3/1 + 1/1.585 = 3.631\n\nNDCG = 0.964", "0.964", "agrees"),
)
def _by_results(case: Case) -> bool:
    return case.found.side is None and case.judge.by_ratio(case.found, case.choice)


@rule(
    "ranking",
    "a ranking that other numbers confirm gives another value, and no other ranking gives this one",
    ("Grades [3, 0, 2]. DCG = 4.00, IDCG = 4.26, NDCG = 0.93", "0.93", "slip"),
)
def _by_ranking(case: Case) -> bool:
    choice = case.choice
    if choice is None or not case.name.may_be_slip or not choice.is_slip():
        return False
    if case.line is not None and not case.judge.is_about(case.line, choice):
        return False
    case.judge.take(case.found, choice, False)
    return True


@rule(
    "line that does not come out",
    "the exact working of a line gives another value",
    ("DCG = 3/log2(2) + 2/log2(3) = 4.28", "4.28", "slip"),
)
def _by_exact_line(case: Case) -> bool:
    if case.local is None:
        return False
    case.judge.by_line(case.found, case.local, case.name, _is_plain(case.symbolic, case.number, case.local))
    return True


@rule(
    "rounded line",
    "the working of a line, its numbers being rounded, cannot give the result",
    ("NDCG = 4.31/4.62 = 0.97", "0.97", "slip"),
)
def _by_rounded_line(case: Case) -> bool:
    if case.found.side is None:
        return False
    case.judge.by_interval(case.found, case.found.side, case.name)
    return True


@rule(
    "repeated result",
    "a result that the note works out once is the same where it is said again",
    ("NDCG = 4/4.2619 = 0.9386. The NDCG is 0.9368.", "0.9368", "slip"),
)
def _by_repetition(case: Case) -> bool:
    if case.line is not None and not re.search(r"(?:[A-Za-z]|@[0-9]+)\W*$", case.name.label):
        return False
    return case.judge.by_restating(case.found)


@rule(
    "number known before",
    "the same digits stand for a value of that name before",
    ("AP = 2/3 = 0.6667\n\nMAP = 0.6667", "0.6667", "agrees"),
)
def _by_known(case: Case) -> bool:
    value = case.judge.known_value(case.number, case.name.quantity)
    if value is None or not case.number.covers(value):
        return False
    if case.line is None:
        return bits_of(case.number) > 3 and case.decide(value, "consistent")
    return case.name.mean and case.decide(value)


@rule(
    "more digits before",
    "a number that repeats the one before it with fewer digits is a rounding of it",
    ("NDCG = 0.9386 = 0.93", "0.93", "slip"),
)
def _by_more_digits(case: Case) -> bool:
    before, number = case.before, case.number
    if before is None or case.found.side is not None or not (before.exact or before.unit < number.unit):
        return False
    (low, high), (least, most) = before.bounds, number.bounds
    if low <= most and least <= high:
        return case.decide(before.nearest_float, "agrees")
    return (
        bool(case.name.quantity)
        and is_alike(before.nearest_float, number)
        and case.decide(before.nearest_float, "slip")
    )


RULES = tuple(_RULES)


def is_alike(value: float, number: Number) -> bool:
    """Whether a value and a number differ by little, so that the number may be meant for it."""
    return abs(value - number.nearest_float) <= limit.ALIKE * max(abs(value), 1e-9)


def _is_plain(symbolic: WorkedSide | None, number: Number, value: float) -> bool:
    """Whether a working is a fraction, or has logarithms, so that its result is nothing else; no percentage."""
    if symbolic is None or number.unit >= 1 or is_alike(100 * value, number):
        return False
    logs = any(term.argument for term in symbolic.terms)
    return logs or re.fullmatch(r"[0-9]{1,2}\s*/\s*[0-9]{1,2}", symbolic.side.text) is not None
