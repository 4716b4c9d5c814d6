r"""Exercises of one kind: a worked line, and the question whether it holds.

A line is made from a ranking drawn with a seed, and from the table of causes: the recomputation that would explain a
slip is what makes it. Some lines hold.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from operator import truediv
from typing import Any

from ndcg_ref.conventions.convention import EXPONENTIAL, ORIGINAL, STANDARD, Convention
from ndcg_ref.conventions.validation import quoted
from ndcg_ref.formulas import plain
from ndcg_ref.formulas.measured_ranking import Ranking
from ndcg_ref.stated.causes import stages
from ndcg_ref.stated.claim import Alternatives, Claim, Operand, total
from ndcg_ref.stated.display import broken
from ndcg_ref.stated.number import Working, read_number
from ndcg_ref.stated.verdict import WEAK, Verdict, judge
from ndcg_ref.subjects.ranking import MeasuredSum, alternatives_of

FORMULAS = {
    ORIGINAL: r"linear gain; rank 1 counts in full, and from rank 2 on a gain is divided by $\log_2 r$",
    STANDARD: r"linear gain, divided by $\log_2(r + 1)$",
    EXPONENTIAL: r"gain $2^{\ell} - 1$, divided by $\log_2(r + 1)$",
}
SUMS = ("truncated", "rounded-up", "rounded-twice", "carried", "convention", "term", "digit")
INHERITED = ("inherited", "inherited+truncated")
QUOTIENTS = ("truncated", "rounded-up", "inherited", "quantity", "inherited+truncated")
RIGHT = "right"
DOCUMENTS, HIGHEST = 5, 3
MOST_CAUSES = 2  # a number that was rounded twice was always raised as well
TRIES = 2000


@dataclass(frozen=True, kw_only=True)
class Exercise:
    """A worked line, shown without its verdict.

    Parameters
    ----------
    ranking : Ranking
        The ranking, and the convention that the line is worked with.
    line : str
        The line in LaTeX, as a note might print it.
    verdict : Verdict
        The solution.

    Examples
    --------
    >>> exercise = spot_the_slip(1)
    >>> exercise.line.endswith(exercise.verdict.stated)
    True
    """

    ranking: Ranking
    line: str
    verdict: Verdict = field(repr=False)

    def _repr_markdown_(self) -> str:
        grades = ", ".join(map(str, self.ranking.grades))
        return f"Grades {grades}, best rank first; {FORMULAS[self.ranking.rule()]}.\n\n$$\n{_aligned(self.line)}\n$$"


def _aligned(line: str) -> str:
    parts = broken(line)
    return parts if parts == line else rf"\begin{{aligned}}{parts}\end{{aligned}}"


def spot_the_slip(seed: int, documents: int = DOCUMENTS, highest: int = HIGHEST) -> Exercise:
    """Make an exercise: a sum or a quotient that holds, or has one slip.

    Parameters
    ----------
    seed : int
        What the ranking, the convention and the slip are drawn with; the same seed gives the same exercise.
    documents : int, optional
        The length of the ranking.
    highest : int, optional
        The highest grade that may be drawn.

    Returns
    -------
    Exercise
        Its verdict agrees, or is a slip that names the cause it was made with, and one more at most; chance would
        explain few of the numbers nearby.

    Raises
    ------
    TypeError
        If the seed is no whole number.

    Examples
    --------
    >>> spot_the_slip(3) == spot_the_slip(3)
    True
    """
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise TypeError(f"seed: expected a whole number, got {quoted(seed)}")
    dice = random.Random(seed)
    make, kinds = dice.choice([(_sum, SUMS), (_quotient, QUOTIENTS)])
    kind = dice.choice((*kinds, RIGHT))
    for _ in range(TRIES):
        grades = tuple(dice.randint(0, highest) for _ in range(documents))
        ranking = Ranking(grades, convention=dice.choice(list(FORMULAS)))
        exercise = make(dice, kind, ranking, f"seed {seed}") if any(grades) else None
        if exercise is not None:
            return exercise
    raise AssertionError(f"seed {seed}: no example of {kind} in {TRIES} tries")  # tests try many seeds


def _sum(dice: random.Random, kind: str, ranking: Ranking, name: str) -> Exercise | None:
    """A DCG with its terms, to two decimals; rounded terms where these are what makes the slip."""
    exact = ranking.value("DCG")
    operands: list[Verdict] = []
    if kind == "carried":
        operands = [judge(f"{term.exact:.2f}", term.exact) for term in MeasuredSum("DCG", ranking).terms]
        terms = [each.stated for each in operands]
    else:
        terms = [printed_term(grade, rank, ranking.rule()) for rank, grade in enumerate(ranking.grades, start=1)]
    others = alternatives_of("DCG", ranking)
    verdict = _slipped(dice, kind, f"{exact:.2f}", exact, f"DCG, {name}", operands, total, others)
    if verdict is None or (kind != RIGHT and not _is_telling(verdict)):
        return None
    line = rf"\mathrm{{DCG}}_{len(ranking.grades)} = {' + '.join(terms)} = {verdict.stated}"
    return Exercise(ranking=ranking, line=line, verdict=verdict)


def _quotient(dice: random.Random, kind: str, ranking: Ranking, name: str) -> Exercise | None:
    """An NDCG to three decimals, worked from a DCG and an ideal DCG to two."""
    numerator, denominator = ranking.value("DCG"), ranking.value("IDCG")
    first = judge(f"{numerator:.2f}", numerator)
    alternatives: dict[str, dict[str, float]] = {}
    if kind in INHERITED:
        wrong = _slipped(dice, "truncated", first.stated, numerator, "", (), None, {})
        if wrong is None:
            return None
        first = wrong
    elif kind == "quantity":
        gained = math.fsum(plain.gains(ranking.grades, ranking.rule()))
        first = judge(f"{gained:.2f}", numerator)
        alternatives = {"quantity": {"the cumulated gain": gained}}
    operands = [first, judge(f"{denominator:.2f}", denominator)]
    exact = numerator / denominator
    verdict = _slipped(dice, kind, f"{exact:.3f}", exact, f"NDCG, {name}", operands, truediv, alternatives)
    if verdict is None or (kind != RIGHT and not _is_telling(verdict)) or float(verdict.stated) > 1:
        return None
    fraction = rf"\frac{{{operands[0].stated}}}{{{operands[1].stated}}}"
    line = rf"\mathrm{{NDCG}}_{len(ranking.grades)} = {fraction} = {verdict.stated}"
    return Exercise(ranking=ranking, line=line, verdict=verdict)


def _slipped(  # noqa: PLR0913 - the parts of a claim, before there is one
    dice: random.Random,
    kind: str,
    right: str,
    exact: float,
    name: str,
    operands: Sequence[Verdict],
    working: Working | None,
    alternatives: Alternatives,
) -> Verdict | None:
    """The verdict on a number that a cause of this kind makes; None where it makes none."""
    number = read_number(right)
    given: dict[str, Any] = {"operands": operands, "working": working} if operands else {}
    if kind == RIGHT:
        return judge(right, exact, name, alternatives=alternatives, **given)
    known = tuple(Operand(each.number, each.computed) for each in operands)
    claim = Claim(
        number=number, computed=exact, operands=known, working=given.get("working"), alternatives=alternatives
    )
    reached = dict.fromkeys(each.units for stage in stages(claim) for each in stage if each.cause == kind)
    made = [number.at(units) for units in reached if not replace(number, units=units).covers(exact)]
    if not made:
        return None
    return replace(judge(dice.choice(made), exact, name, alternatives=alternatives, **given), declared=kind)


def _is_telling(verdict: Verdict) -> bool:
    """Whether few causes fit, and chance would explain little."""
    return verdict.declared in verdict.causes and len(verdict.causes) <= MOST_CAUSES and (verdict.chance or 0) <= WEAK


def printed_term(grade: int, rank: int, convention: Convention) -> str:
    r"""A discounted gain in LaTeX, as a line prints it.

    >>> print(printed_term(3, 2, STANDARD))
    \frac{3}{\log_2 3}
    """
    gain = f"2^{grade}-1" if convention is EXPONENTIAL else f"{grade}"
    if convention is ORIGINAL:
        return gain if rank == 1 else rf"\frac{{{gain}}}{{\log_2 {rank}}}"
    return rf"\frac{{{gain}}}{{\log_2 {rank + 1}}}"
