r"""The lines of a quiz: printed sums and quotients that hold, or of which one step goes wrong first.

Every ranking has four documents, one of them of grade 4, and is drawn from a public seed.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from operator import truediv

from ndcg_ref.conventions.convention import EXPONENTIAL, Convention
from ndcg_ref.formulas import plain
from ndcg_ref.formulas.measured_ranking import Ranking
from ndcg_ref.stated.causes import CAUSES
from ndcg_ref.stated.display import Outcome
from ndcg_ref.stated.equation import read_equation
from ndcg_ref.stated.lines import claims_of, read_line
from ndcg_ref.stated.verdict import WEAK, Verdict, verdict_on
from ndcg_ref.subjects.exercises import FORMULAS, MOST_CAUSES, printed_term, spot_the_slip
from ndcg_ref.subjects.ranking import MeasuredSum, judge_measure, term_variants

DOCUMENTS, HIGHEST = 4, 4
OF_A_KIND, THAT_HOLD = 4, 18  # lines of a kind
SEEDS = 400
OPTIONS = 4  # causes to choose from
MEANINGS = {each.code: each.meaning for each in CAUSES}
# Causes to choose from, by the step that goes wrong
CAUSES_OF = {
    "sum": ("truncated", "rounded-up", "rounded-twice", "carried", "convention", "term", "digit"),
    "quotient": ("truncated", "rounded-up", "rounded-twice", "carried", "quantity", "digit"),
    "operand": ("truncated", "rounded-up", "quantity", "convention", "digit"),
    "rounded term": ("truncated", "rounded-up", "term", "convention", "digit"),
}
Printed = tuple[str, tuple[int, ...], Convention]


@dataclass(frozen=True)
class JudgedStep:
    """A step of a printed line: what it is, the printed text, and the verdict on it.

    Parameters
    ----------
    name, stated : str
        What it is, such as "the term of rank 2", and the number as printed.
    verdict : Verdict or None
        None for a term that is right.
    """

    name: str
    stated: str
    verdict: Verdict | None

    @property
    def slip(self) -> Verdict | None:
        """The verdict if the step is a slip; None if it is right."""
        return self.verdict if self.verdict is not None and self.verdict.outcome is Outcome.SLIP else None


@dataclass(frozen=True, kw_only=True)
class QuizLine:
    """A printed line, its steps in order, and the causes to choose from.

    Parameters
    ----------
    kind : str
        The kind of line: which step goes wrong first and how; or that it holds.
    grades, convention, line : as of an exercise
        The ranking, the convention, and the line in LaTeX.
    steps : tuple of JudgedStep
        The terms or operands, and last the result.
    causes : tuple of str
        What may have happened at the first wrong step; empty for a line that holds.
    cause : int or None
        The place of the right one among them; None for a line that holds.
    """

    kind: str
    grades: tuple[int, ...]
    convention: Convention
    line: str
    steps: tuple[JudgedStep, ...]
    causes: tuple[str, ...] = ()
    cause: int | None = None

    @property
    def wrong(self) -> int | None:
        """The place of the first wrong step; None if there is none."""
        return next((place for place, step in enumerate(self.steps) if step.slip), None)


def steps_of(line: str, grades: tuple[int, ...], convention: Convention) -> tuple[JudgedStep, ...]:
    r"""Judge every step of a printed line.

    Parameters
    ----------
    line : str
        A DCG with a term for each rank, or an NDCG as a quotient, in LaTeX.
    grades : tuple of int
        The ranking.
    convention : Convention
        What the line is worked with.

    Returns
    -------
    tuple of JudgedStep
        The terms or the operands, and the result.

    Examples
    --------
    >>> from ndcg_ref.conventions.convention import STANDARD
    >>> line = r"\mathrm{NDCG}_4 = \frac{5.94}{6.39} = 0.930"
    >>> for step in steps_of(line, (4, 0, 3, 1), STANDARD):
    ...     print(step.name, step.verdict)
    the DCG ✗ slip: stated 5.94, computed 5.93068, correct 5.93; consistent with rounded-up
    the ideal DCG ✓ agrees: stated 6.39, computed 6.39279
    the result ✗ slip: stated 0.930, computed 0.927713, correct 0.928; consistent with inherited
    """
    return _of_quotient(line, grades, convention) if "NDCG" in line else _of_sum(line, grades, convention)


def _of_sum(text: str, grades: tuple[int, ...], convention: Convention) -> tuple[JudgedStep, ...]:
    line = read_line(text, "line")
    added = MeasuredSum("DCG", Ranking(grades, convention=convention))
    claim, wrong = claims_of(line, None, added.terms, (), added.alternatives)
    slips = {place: verdict_on(each) for place, each in wrong}
    steps = [
        JudgedStep(f"the term of rank {rank}", side.text, slips.get(rank))
        for rank, side in enumerate(line.worked[-1].terms, start=1)
    ]
    return *steps, JudgedStep("the result", claim.number.text, verdict_on(claim))


def _of_quotient(text: str, grades: tuple[int, ...], convention: Convention) -> tuple[JudgedStep, ...]:
    line = read_line(text, "line")
    numerator, denominator = line.worked[-1].operands
    quantity = {"quantity": {"the cumulated gain": math.fsum(plain.gains(grades, convention))}}
    ranking = Ranking(grades, convention=convention)
    dcg = judge_measure(numerator, "DCG", ranking, "", alternatives=quantity)
    idcg = judge_measure(denominator, "IDCG", ranking, "", alternatives=quantity)
    ndcg = judge_measure(line.number, "NDCG", ranking, "", operands=[dcg, idcg], working=truediv, alternatives=quantity)
    named = {"the DCG": dcg, "the ideal DCG": idcg, "the result": ndcg}
    return tuple(JudgedStep(name, verdict.stated, verdict) for name, verdict in named.items())


@cache
def quiz_lines() -> tuple[QuizLine, ...]:
    """Make the lines of the quiz.

    Returns
    -------
    tuple of QuizLine
        The same ones at each call: up to four of each kind with a slip, and 18 of each that holds.

    Examples
    --------
    >>> line = quiz_lines()[0]
    >>> len(line.grades), max(line.grades)
    (4, 4)
    """
    found: dict[str, list[QuizLine]] = {}
    seen = set()
    for seed in range(SEEDS):
        dice = random.Random(f"quiz {seed}")
        for printed in _printed(seed, dice):
            line = _judged(dice, *printed)
            if line is None or (line.line, line.grades) in seen:
                continue
            seen.add((line.line, line.grades))
            of_kind = found.setdefault(line.kind, [])
            if len(of_kind) < (OF_A_KIND if line.causes else THAT_HOLD):
                of_kind.append(line)
    return tuple(line for kind in sorted(found) for line in found[kind])


def _printed(seed: int, dice: random.Random) -> Iterator[Printed]:
    """Lines that are made with a seed."""
    exercise = spot_the_slip(seed, DOCUMENTS, HIGHEST)
    of_exercise = tuple(exercise.ranking.grades)
    if HIGHEST in of_exercise:
        yield exercise.line, of_exercise, exercise.ranking.rule()
    grades = [HIGHEST, *(dice.randint(0, HIGHEST) for _ in range(DOCUMENTS - 1))]
    dice.shuffle(grades)
    drawn = tuple(grades), dice.choice(list(FORMULAS))
    yield _with_wrong_formula(dice, *drawn), *drawn
    yield _with_wrong_number(dice, *drawn), *drawn
    yield _with_wrong_ideal(*drawn), *drawn


def _with_wrong_formula(dice: random.Random, grades: tuple[int, ...], convention: Convention) -> str:
    """A sum in which one gain is divided by the discount of another rank, or of none, or lacks its −1."""
    terms = [printed_term(grade, rank, convention) for rank, grade in enumerate(grades, start=1)]
    place = dice.randrange(len(terms))
    wrong = [printed_term(grades[place], place + 2, convention)]
    if convention is EXPONENTIAL:
        wrong += [f"(2^{grades[place]}-1)", terms[place].replace("-1", "")]
    terms[place] = dice.choice(wrong)
    total = read_equation(" + ".join(terms)).sides[0].value or 0.0
    return _sum(terms, total)


def _with_wrong_number(dice: random.Random, grades: tuple[int, ...], convention: Convention) -> str:
    """A sum of rounded terms in which one is cut, raised, or discounted wrongly."""
    gained = plain.gains(grades, convention)
    divisors = plain.discounts(len(grades) + 1, convention)
    terms = [f"{gain / divisor:.2f}" for gain, divisor in zip(gained, divisors, strict=False)]
    place = dice.randrange(len(terms))
    exact = gained[place] / divisors[place]
    wrong = [math.floor(exact * 100) / 100, math.ceil(exact * 100) / 100]
    wrong += [value for _, value in term_variants(gained[place], place + 1, divisors, convention)]
    terms[place] = f"{dice.choice(wrong):.2f}"
    return _sum(terms, math.fsum(map(float, terms)))


def _with_wrong_ideal(grades: tuple[int, ...], convention: Convention) -> str:
    """A quotient with an ideal DCG that is cut instead of rounded."""
    numerator = f"{plain.dcg(grades, None, convention):.2f}"
    denominator = f"{math.floor(plain.idcg(grades, None, convention) * 100) / 100:.2f}"
    result = f"{float(numerator) / float(denominator):.3f}"
    return rf"\mathrm{{NDCG}}_{DOCUMENTS} = \frac{{{numerator}}}{{{denominator}}} = {result}"


def _sum(terms: Sequence[str], total: float) -> str:
    return rf"\mathrm{{DCG}}_{DOCUMENTS} = {' + '.join(terms)} = {total:.2f}"


def _judged(dice: random.Random, line: str, grades: tuple[int, ...], convention: Convention) -> QuizLine | None:
    """The line with its steps and its causes to choose from; None if its first slip is not clear enough to ask for."""
    made = QuizLine(
        kind="quotient that holds" if "NDCG" in line else "sum that holds",
        grades=grades,
        convention=convention,
        line=line,
        steps=steps_of(line, grades, convention),
    )
    if made.wrong is None:
        return made
    slip = made.steps[made.wrong].slip
    assert slip is not None
    kind = _kind(made)
    if made.steps[-1].slip is None:  # wrong steps that lead to the right result
        return None
    if not slip.causes or len(slip.causes) > MOST_CAUSES or (slip.chance or 0) > WEAK:
        return None
    right, others = _of_a_term(slip, made) if kind == "term" else _of_a_number(slip, kind)
    if right is None or len(others) < OPTIONS - 1:
        return None
    causes = sorted([right, *dice.sample(others, OPTIONS - 1)])
    where = made.steps[made.wrong].name if kind == "operand" else kind
    return replace(made, kind=f"{where}: {slip.causes[0]}", causes=tuple(causes), cause=causes.index(right))


def _kind(line: QuizLine) -> str:
    """Which step goes wrong first."""
    result = line.wrong == len(line.steps) - 1
    if "NDCG" in line.line:
        return "quotient" if result else "operand"
    if result:
        return "sum"
    return "term" if "log" in line.line else "rounded term"


def _of_a_number(slip: Verdict, kind: str) -> tuple[str | None, list[str]]:
    """What happened to a number, and what did not."""
    codes = CAUSES_OF[kind]
    right = MEANINGS[slip.causes[0]] if slip.causes[0] in codes else None
    return right, [MEANINGS[code] for code in codes if code not in slip.causes]


def _of_a_term(slip: Verdict, line: QuizLine) -> tuple[str | None, list[str]]:
    """What happened to a term that is printed as a formula, and what did not."""
    gives = {each.label for each in slip.evidence if each.gives and each.label}
    assert line.wrong is not None
    variants = MeasuredSum("DCG", Ranking(line.grades, convention=line.convention)).terms[line.wrong].variants
    return min(gives, default=None), [label for label in variants if label not in gives]
