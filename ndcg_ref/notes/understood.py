"""What was understood of an example, in a line: its grades, the formula and what fixes it, the cutoffs."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from ndcg_ref.conventions.convention import STANDARD, Convention
from ndcg_ref.notes.bindings import BoundPart
from ndcg_ref.notes.grades import falls
from ndcg_ref.notes.hypotheses import Hypothesis
from ndcg_ref.notes.judging import Judged
from ndcg_ref.notes.reading import JudgedPart
from ndcg_ref.stated.display import Outcome

WEIGHTED = ("DCG", "IDCG", "NDCG")  # what depends on the formula
MOST_READINGS, MOST_RANKINGS, MOST_GRADES = 3, 3, 20  # of an example, in a line, and of a ranking
_BLANK = re.compile(r"\n[ \t\r]*\n")


class Understood(NamedTuple):
    """How an example was read."""

    first: int  # line of its numbers
    last: int
    rankings: tuple[tuple[float, ...], ...] = ()  # grades by rank
    judged: tuple[float, ...] | None = None  # grades, where they are not those of the ranking
    conventions: tuple[Convention, ...] = ()  # under which its numbers come out, none where no number fixes the formula
    source: str = ""  # what fixes them: "given", "stated in line 12", or "from its numbers"
    cutoffs: tuple[int, ...] = ()
    quantities: tuple[str, ...] = ()
    readings: tuple[Hypothesis, ...] = ()  # of its ranking, those that explain the most

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
        formula = f"{' and '.join(map(str, self.conventions))}, {self.source}"
        if not {*WEIGHTED}.isdisjoint(self.quantities):
            parts.append(formula if self.conventions else "no number fixes the formula")
        parts += [f"k = {', '.join(map(str, self.cutoffs))}"] if self.cutoffs else []
        return "; ".join(parts)


def listed(grades: Sequence[float]) -> str:
    """Grades in a line, the first of many."""
    text = ", ".join(f"{grade:g}" for grade in grades[:MOST_GRADES])
    return text if len(grades) <= MOST_GRADES else f"{text}, … ({len(grades)} in all)"


def understood_in(
    text: str, part: BoundPart, parts: Sequence[JudgedPart], judged: Sequence[Judged]
) -> Iterator[Understood]:
    """How the examples of a part of a note were read that state numbers."""
    for one in parts:
        span = range(one.first, one.first + len(one.facts.text))
        for group in _examples(part.region.text, one, [each for each in judged if each.claim.start in span]):
            yield _understood(text, part, one, group)


def _examples(text: str, part: JudgedPart, judged: Sequence[Judged]) -> Iterator[Sequence[Judged]]:
    """The numbers of each example: a list behind results, in a paragraph of its own, begins another one."""
    ordered = [each for each in part.facts.lists if not (each.is_ideal or each.is_local or each.is_inferred)]
    lists = [each for each in ordered if not falls(each.grades)]  # the best order begins none
    starts = [*sorted(part.first + place for each in lists for place in each.places), len(text)]
    cuts = [0]
    for i, (before, after) in enumerate(pairwise(each.claim for each in judged), start=1):
        begun = starts[bisect_left(starts, before.end)]
        if begun < after.start and _BLANK.search(text, before.end, begun):
            cuts.append(i)
    yield from (judged[first:last] for first, last in pairwise([*cuts, len(judged)]) if first < last)


def _understood(text: str, part: BoundPart, one: JudgedPart, group: Sequence[Judged]) -> Understood:
    """How an example was read."""
    places = part.region.places
    first, last = (text.count("\n", 0, places[group[i].claim.start]) + 1 for i in (0, -1))
    right = [(each.hypothesis, each.claim) for each in group if each.verdict.outcome is Outcome.AGREES]
    agreeing = [(hypothesis, claim.quantity) for hypothesis, claim in right if hypothesis is not None]
    own = [hypothesis for hypothesis, _ in agreeing] or one.judging.nearest(group[0].claim)[:1]
    if not own:
        return Understood(first, last)
    weighted = [hypothesis for hypothesis, quantity in agreeing if quantity in WEIGHTED]
    fixed = bool(weighted) and all(map(one.judging.fixes_formula, weighted))
    used = tuple(dict.fromkeys(each.convention for each in weighted or own))
    shown = [one.facts.formulas.get((str(each.gain), str(each.discount)), -1) for each in used]
    if part.told.convention is not None:
        used, source = (part.told.convention,), "given"
    elif -1 not in shown:
        lines = (text.count("\n", 0, places[place]) + 1 for place in sorted({*shown}))
        source = f"stated in line {' and '.join(map(str, lines))}"
    else:
        used, source = used if fixed else (), "from its numbers"
    best, claims = own[0].measured, [each.claim for each in group]
    rankings = dict.fromkeys(each.grades for each in own)
    orders = [sorted(each) for each in rankings if not falls(each)]  # whose best order is no ranking of its own
    named = (claim.quantity for claim in claims if not claim.operand)
    return Understood(
        first,
        last,
        rankings=tuple(each for each in rankings if not (falls(each) and sorted(each) in orders)),
        judged=best.judged if sorted(best.judged) != sorted(best.grades) else None,
        conventions=used,
        source=source,
        cutoffs=tuple(sorted({claim.k for claim in claims if claim.k and claim.sure})),
        quantities=tuple(dict.fromkeys(each for each in named if each and each not in ("other", "sum", "discount"))),
        readings=tuple(one.judging.readings(own[0])[:MOST_READINGS]),
    )
