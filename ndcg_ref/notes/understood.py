"""What was understood of an example, in a line: its grades, the formula and what fixes it, the cutoffs."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ndcg_ref.conventions.convention import STANDARD, Convention
from ndcg_ref.notes.bindings import BoundPart
from ndcg_ref.notes.grades import falls
from ndcg_ref.notes.hypotheses import Hypothesis, Told
from ndcg_ref.notes.judging import Judged, Judging, none_of
from ndcg_ref.notes.reading import JudgedPart
from ndcg_ref.stated.display import Outcome

WEIGHTED = ("DCG", "IDCG", "NDCG")  # what depends on the formula
MOST_READINGS = 3  # that are kept of an example
MOST_RANKINGS = 3  # that a line lists
MOST_GRADES = 20  # of one of them
MOST_FAILING = 3
_BLANK = re.compile(r"\n[ \t\r]*\n")


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
    quantities : tuple of str
        Those that its numbers name.
    readings : tuple of Hypothesis
        The hypotheses of its ranking that explain the most.
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
    quantities: tuple[str, ...] = ()
    readings: tuple[Hypothesis, ...] = ()

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


def understood_in(
    text: str, part: BoundPart, parts: Sequence[JudgedPart], judged: Sequence[Judged]
) -> Iterator[Understood]:
    """How the examples of a part of a note were read that state numbers."""
    places = part.region.places
    for one in parts:
        span = range(one.first, one.first + len(one.facts.text))
        numbers = [each for each in judged if each.claim.start in span]
        formulas = {shape: text.count("\n", 0, places[place]) + 1 for shape, place in one.facts.formulas.items()}
        for group in _examples(part.region.text, one, numbers):
            first, last = (text.count("\n", 0, places[group[i].claim.start]) + 1 for i in (0, -1))
            yield _understood((first, last), group, one.judging, formulas, part.told)


def _examples(text: str, part: JudgedPart, judged: Sequence[Judged]) -> Iterator[list[Judged]]:
    """The numbers of each example: a list behind results, in a paragraph of its own, begins another one."""
    lists = [each for each in part.facts.lists if not (each.is_ideal or each.is_local or each.is_inferred)]
    orders = {tuple(sorted(each.grades)) for each in lists if not falls(each.grades)}  # the best one begins none
    starts = sorted(
        part.first + place
        for each in lists
        for place in each.places
        if not (falls(each.grades) and tuple(sorted(each.grades)) in orders)
    )
    group: list[Judged] = []
    for each in judged:
        end = group[-1].claim.end if group else each.claim.start
        first = bisect_left(starts, end)
        if first < len(starts) and starts[first] < each.claim.start and _BLANK.search(text, end, starts[first]):
            yield group
            group = []
        group.append(each)
    if group:
        yield group


def _understood(
    lines: tuple[int, int],
    group: Sequence[Judged],
    judging: Judging,
    formulas: Mapping[tuple[str, str], int],
    told: Told,
) -> Understood:
    """How an example was read; `formulas` has the lines of those that the note shows."""
    agreeing = [each for each in group if each.hypothesis is not None and each.verdict.outcome is Outcome.AGREES]
    own = [each.hypothesis for each in agreeing if each.hypothesis is not None] or judging.nearest(group[0].claim)[:1]
    if not own:
        return Understood(*lines)
    conventions, source = _conventions(own, agreeing, judging, formulas, told)
    best, claims = own[0].measured, [each.claim for each in group]
    named = (claim.quantity for claim in claims if not claim.operand)
    return Understood(
        *lines,
        rankings=tuple(dict.fromkeys(each.grades for each in own)),
        judged=best.judged if sorted(best.judged) != sorted(best.grades) else None,
        conventions=conventions,
        source=source,
        cutoffs=tuple(sorted({claim.k for claim in claims if claim.k and claim.sure})),
        is_weighted=any(claim.quantity in WEIGHTED for claim in claims),
        failing=() if conventions else tuple(_failing(group, own[0])),
        quantities=tuple(dict.fromkeys(each for each in named if each and each not in ("other", "sum", "discount"))),
        readings=tuple(judging.readings(own[0])[:MOST_READINGS]),
    )


def _conventions(
    own: Sequence[Hypothesis],
    agreeing: Sequence[Judged],
    judging: Judging,
    formulas: Mapping[tuple[str, str], int],
    told: Told,
) -> tuple[tuple[Convention, ...], str]:
    """The conventions under which the numbers of an example come out, none where nothing fixes them, and what does."""
    if told.convention is not None:
        return (told.convention,), "given"
    weighted = [each.hypothesis for each in agreeing if each.hypothesis and each.claim.quantity in WEIGHTED]
    used = list(dict.fromkeys(each.convention for each in weighted or own))
    shapes = {(str(each.gain), str(each.discount)) for each in used}
    lines = sorted({formulas[shape] for shape in shapes & formulas.keys()})
    is_stated = shapes <= formulas.keys()
    source = f"stated in line {' and '.join(map(str, lines))}" if is_stated else "from its numbers"
    fixed = bool(weighted) and all(map(judging.fixes_formula, weighted))
    return tuple(used) if is_stated or fixed else (), source


def _failing(group: Sequence[Judged], own: Hypothesis) -> Iterator[str]:
    """The first results that no common formula gives, each with what these give."""
    unchecked = (each.claim for each in group if each.verdict.outcome is Outcome.UNCHECKED)
    found = (none_of(claim, own) for claim in unchecked)
    yield from [each for each in found if each][:MOST_FAILING]
