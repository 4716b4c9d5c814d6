"""What was understood of an example, in a line: its grades, the formula and what fixes it, the cutoffs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from ndcg_ref.conventions.convention import EXPONENTIAL, ORIGINAL, STANDARD, Convention
from ndcg_ref.notes.claims import JudgedClaims, NoteClaim, is_result
from ndcg_ref.notes.documents import Region
from ndcg_ref.notes.examples import Example
from ndcg_ref.notes.islands import plain_text, readable_text
from ndcg_ref.notes.readings import Hypothesis, Told
from ndcg_ref.notes.written_formulas import shown
from ndcg_ref.stated.display import Outcome
from ndcg_ref.stated.verdict import Verdict

COMMON = (STANDARD, EXPONENTIAL, ORIGINAL)
WEIGHTED = ("DCG", "IDCG", "NDCG")  # what depends on the formula
MOST_READINGS = 3  # that are kept of an example
MOST_RANKINGS = 3  # that a line lists
MOST_GRADES = 20  # of one of them
MOST_FAILING, MOST_DECIMALS = 3, 6
NOTHING = "nothing to compute it from was found"
IN_SENTENCE = "a sentence states it, and no working was found"


class JudgedExample(NamedTuple):
    """An example with its best readings, its verdicts, and whether its numbers fix the formula."""

    example: Example
    readings: Sequence[Hypothesis]
    verdicts: JudgedClaims
    fixed: bool = False


@dataclass(frozen=True)
class Understood:
    """How an example was read.

    Parameters
    ----------
    first, last : int
        The lines of its first number and of its last, from 1.
    rankings : tuple of tuple of float
        The grades by rank, best rank first, of each ranking that its numbers are about.
    judged : tuple of float or None
        The judged grades, where they are not those of the ranking.
    conventions : tuple of Convention
        Those under which its numbers come out; none where no number fixes the formula.
    source : str
        What fixes them: "given", "stated in line 12", or "from its numbers".
    cutoffs : tuple of int
        Those that its numbers name.
    is_weighted : bool
        Whether there is a number that depends on the formula.
    failing : tuple of str
        Of numbers that no common formula gives, what these give instead.
    """

    first: int
    last: int
    rankings: tuple[tuple[float, ...], ...] = ()
    judged: tuple[float, ...] | None = None
    conventions: tuple[Convention, ...] = ()
    source: str = ""
    cutoffs: tuple[int, ...] = ()
    is_weighted: bool = False
    failing: tuple[str, ...] = ()

    @property
    def comment(self) -> str:
        """A comment that says the same, for the author to change; empty where no grades or several were found.

        >>> Understood(1, 1, ((3.0, 0.0, 2.0),), conventions=(STANDARD,), cutoffs=(3,)).comment
        '<!-- ndcg: grades=3, 0, 2; gain=linear; discount=log(rank+1); k=3 -->'
        """
        if len(self.rankings) != 1 or len(self.rankings[0]) > MOST_GRADES:
            return ""
        parts = [f"grades={listed(self.rankings[0])}"]
        parts += [f"judged={listed(self.judged)}"] if self.judged is not None else []
        for convention in self.conventions if len(self.conventions) == 1 else ():
            parts += [f"gain={convention.gain}", f"discount={convention.discount}"]
            parts += [f"base={convention.base}"] if convention.base != STANDARD.base else []
        parts += [f"k={self.cutoffs[0]}"] if len(self.cutoffs) == 1 else []
        return f"<!-- ndcg: {'; '.join(parts)} -->"

    def __str__(self) -> str:
        if not self.rankings:
            return "no grades were found"
        more = len(self.rankings) - MOST_RANKINGS
        parts = ["grades " + " and ".join(map(listed, self.rankings[:MOST_RANKINGS]))]
        parts[0] += f" and those of {more} more" if more > 0 else ""
        parts += [f"judged {listed(self.judged)}"] if self.judged is not None else []
        if self.is_weighted and self.conventions:
            parts.append(f"{' and '.join(map(str, self.conventions))}, {self.source}")
        elif self.is_weighted:
            parts.append(f"no number fixes the formula{': ' if self.failing else ''}{', '.join(self.failing)}")
        parts += [f"k = {', '.join(map(str, self.cutoffs))}"] if self.cutoffs else []
        return "; ".join(parts)


def listed(grades: Sequence[float]) -> str:
    """Grades in a line, the first of many.

    >>> listed([3, 0.5])
    '3, 0.5'
    """
    text = ", ".join(f"{grade:g}" for grade in grades[:MOST_GRADES])
    return text if len(grades) <= MOST_GRADES else f"{text}, … ({len(grades)} in all)"


def understood_in(text: str, region: Region, examples: Sequence[JudgedExample], told: Told) -> Iterator[Understood]:
    """How the examples of a region were read that state numbers."""

    def line_of(place: int) -> int:
        return text.count("\n", 0, region.places[place]) + 1

    found = shown(plain_text(readable_text(region.text))) if any(each.readings for each in examples) else {}
    formulas = {shape: line_of(place) for shape, place in found.items()}
    for each in examples:
        claims = each.example.claims
        if claims:
            yield _understood(Understood(line_of(claims[0].start), line_of(claims[-1].start)), each, formulas, told)


def fixes_formula(example: Example, readings: Sequence[Hypothesis]) -> bool:
    """Whether the numbers of an example fix the formula.

    They do if the formula is shown, if a sum is written in symbols, or if the best reading explains more than any with
    another discount, or with another gain of its grades.
    """
    if not readings:
        return False
    best, *others = readings
    if (str(best.convention.gain), str(best.convention.discount)) in example.shown:
        return True
    if any(claim.spelled for claim in example.claims):
        return True
    rivals = (each for each in others if _weights(each) != _weights(best))
    return all(each.points + each.cost < best.points + best.cost for each in rivals)


def _weights(reading: Hypothesis) -> tuple[str, str]:
    """The gain and the discount of a reading; grades of 0 and 1 are the same under both gains."""
    gain = "any" if set(reading.grades + reading.judged) <= {0.0, 1.0} else str(reading.convention.gain)
    return gain, str(reading.convention.discount)


def _understood(
    line: Understood, judged: JudgedExample, formulas: Mapping[tuple[str, str], int], told: Told
) -> Understood:
    """How an example was read; `formulas` has the lines of those that the note shows."""
    if not judged.readings:
        return line
    best, claims = judged.readings[0], judged.example.claims
    agreeing = [claim for claim, verdict in judged.verdicts if verdict.outcome is Outcome.AGREES and not claim.operand]
    bounds = [best.bound(claim) for claim in agreeing if best.reproduces(claim)]
    conventions, source = _conventions(judged, agreeing, formulas, told)
    return replace(
        line,
        rankings=tuple(dict.fromkeys(bound.grades for bound in bounds)) or (best.grades,),
        judged=best.judged if sorted(best.judged) != sorted(best.grades) else None,
        conventions=conventions,
        source=source,
        cutoffs=tuple(sorted({claim.k for claim in claims if claim.k and claim.sure})),
        is_weighted=any(claim.quantity in WEIGHTED for claim in claims),
        failing=() if conventions else tuple(_failing(judged)),
    )


def _conventions(
    judged: JudgedExample, agreeing: Sequence[NoteClaim], formulas: Mapping[tuple[str, str], int], told: Told
) -> tuple[tuple[Convention, ...], str]:
    """The conventions under which the numbers of an example come out, none where nothing fixes them, and what does."""
    if told.convention is not None:
        return (told.convention,), "given"
    best = judged.readings[0]
    used = [best.bound(claim).convention for claim in agreeing if claim.quantity in WEIGHTED] or [best.convention]
    shapes = {(str(each.gain), str(each.discount)) for each in used}
    lines = sorted({formulas[shape] for shape in shapes & formulas.keys()})
    is_stated = shapes <= formulas.keys()
    source = f"stated in line {' and '.join(map(str, lines))}" if is_stated else "from its numbers"
    return tuple(dict.fromkeys(used)) if is_stated or judged.fixed else (), source


def _failing(judged: JudgedExample) -> Iterator[str]:
    """The first results that no common formula gives, each with what these give."""
    unchecked = (claim for claim, verdict in judged.verdicts if verdict.outcome is Outcome.UNCHECKED)
    found = (none_of(claim, judged.readings[0]) for claim in unchecked)
    yield from [each for each in found if each][:MOST_FAILING]


def none_of(claim: NoteClaim, best: Hypothesis) -> str:
    """What the common formulas give for a result that is none of it; empty where one of them gives it.

    >>> from ndcg_ref.stated.number import read_number
    >>> claim = NoteClaim(0, 4, read_number("0.88"), quantity="NDCG")
    >>> none_of(claim, Hypothesis((1.0, 3.0), (1.0, 3.0), STANDARD))
    '0.88 is none of 0.797, 0.710, 1.000'
    """
    if claim.quantity not in WEIGHTED or not is_result(claim) or claim.cell is not None:
        return ""
    values = [replace(best, convention=each).values(claim)[0] for each in COMMON]
    if any(math.isnan(value) or claim.number.covers(value) for value in values):
        return ""
    decimals = min(MOST_DECIMALS, 1 - min(0, round(math.log10(claim.number.unit))))
    texts = dict.fromkeys(f"{value:.{decimals}f}" for value in values)
    return f"{claim.number.text} is {'none of' if len(texts) > 1 else 'not'} {', '.join(texts)}"


def with_reasons(examples: Sequence[JudgedExample]) -> list[JudgedExample]:
    """The examples, with what is known of why some of their numbers are not judged."""
    return [
        each._replace(verdicts=[(claim, _with_reason(claim, verdict, each)) for claim, verdict in each.verdicts])
        for each in examples
    ]


def _with_reason(claim: NoteClaim, verdict: Verdict, judged: JudgedExample) -> Verdict:
    """A verdict, whose reason says more where it says no more than that there was no working."""
    if verdict.reason not in (NOTHING, IN_SENTENCE) or not judged.readings:
        return verdict
    best = judged.readings[0]
    failing = "" if judged.fixed else none_of(claim, best)
    if failing:
        return replace(verdict, reason=f"no number fixes the formula: {failing}")
    return verdict if verdict.reason == IN_SENTENCE else replace(verdict, reason=_why_not(claim, best))


def _why_not(claim: NoteClaim, best: Hypothesis) -> str:
    """Why a number is not judged by the grades of its example."""
    if claim.quantity is None:
        return "the note does not say what it is"
    values, grades = best.values(claim), listed(best.bound(claim).grades)
    if any(map(math.isnan, values)):
        return f"grades {grades} have no ideal gain to divide by"
    if values and not any(map(claim.number.covers, values)):
        return f"grades {grades} give {claim.number.beside(values[0])}, and it may be about others"
    return "it may be about other grades than those above"
