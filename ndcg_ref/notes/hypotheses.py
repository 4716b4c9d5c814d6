"""The reading of an example under which most of its printed numbers come out.

A hypothesis fills what the note leaves open: which list is the ranking, which documents were judged, the convention.
Its score is the information of the numbers that it reproduces, less what its assumptions cost.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from ndcg_ref import plain
from ndcg_ref.convention import Convention
from ndcg_ref.notes.claims import Claim
from ndcg_ref.notes.examples import Example
from ndcg_ref.stated.number import Number

CONVENTIONS = tuple(
    (Convention(gain=gain, discount=discount, base=base), cost)  # type: ignore[arg-type]
    for gain in ("linear", "exponential")
    for discount, base, cost in (
        ("log(rank+1)", 2, 0.0),
        ("log(rank)", 2, 1.0),
        ("log(rank+1)", math.e, 2.0),
        ("log(rank+1)", 10, 2.0),
        ("rank", 2, 2.0),
    )
)
QUANTITIES = ("CG", "ICG", "DCG", "IDCG", "NDCG")
MOST_LISTS = 6
MOST_DIGITS = 4
UNIFORM, MIXED = 4.0, 12.0  # what a convention costs that is not the one shown: throughout, or here and there


@dataclass(frozen=True)
class Told:
    """What the reader of a note knows of it, and the note does not say.

    Parameters
    ----------
    grades : tuple of float or None
        The ranking.
    convention : Convention or None
        The convention.
    """

    grades: tuple[float, ...] | None = None
    convention: Convention | None = None


NOTHING = Told()


@dataclass(frozen=True)
class Hypothesis:
    """A ranking, the judged grades and a convention.

    Parameters
    ----------
    grades : tuple of float
        The ranking, best rank first.
    judged : tuple of float
        All judged grades.
    convention : Convention
        The convention.
    follows : bool
        Whether a sum in symbols changes the convention of what comes after it.
    cost : float
        What its assumptions cost.
    points : float
        Its score for the claims of its example.
    columns : dict of int to tuple of float
        What the columns of tables hold, as far as that can be told.
    told : bool
        Whether the ranking is what the reader says, not what was found in the note.
    """

    grades: tuple[float, ...]
    judged: tuple[float, ...]
    convention: Convention
    follows: bool = True
    cost: float = 0.0
    points: float = field(default=0.0, compare=False)
    columns: dict[int, tuple[float, ...]] = field(default_factory=dict, compare=False, repr=False)
    told: bool = False
    _values: dict[tuple[str, int | None], float] = field(default_factory=dict, compare=False, repr=False)
    _bound: dict[tuple[tuple[float, ...], Convention], Hypothesis] = field(
        default_factory=dict, compare=False, repr=False
    )

    def bound(self, claim: Claim) -> Hypothesis:
        """The same for the ranking and the convention that a claim is said to be about."""
        grades = claim.ranking if claim.ranking is not None else self.grades
        convention = claim.convention if self.follows and claim.convention is not None else self.convention
        if (grades, convention) == (self.grades, self.convention):
            return self
        judged = grades if self.judged == self.grades else self.judged
        key = (grades, convention)
        if key not in self._bound:
            self._bound[key] = replace(self, grades=grades, judged=judged, convention=convention, _values={}, _bound={})
        return self._bound[key]

    @property
    def holds_ranking(self) -> bool:
        """Whether every grade of the ranking is among those judged."""
        return not Counter(self.grades) - Counter(self.judged)

    @cached_property
    def best(self) -> tuple[float, ...]:
        """The judged grades in the best order."""
        return tuple(sorted(self.judged, reverse=True))

    def value(self, quantity: str, k: int | None) -> float:
        """A quantity at a cutoff."""
        if (quantity, k) not in self._values:
            self._values[quantity, k] = self._computed(quantity, k)
        return self._values[quantity, k]

    def _computed(self, quantity: str, k: int | None) -> float:
        if quantity in ("CG", "ICG"):
            return plain.cg(self.grades if quantity == "CG" else self.best, k)
        depth = k if k is not None else len(self.grades)
        gained = plain.dcg(self.grades, k, self.convention)
        ideal = plain.dcg(self.best, depth, self.convention)
        if quantity == "NDCG":
            return gained / ideal if ideal else math.nan
        return gained if quantity == "DCG" else ideal

    def terms(self, quantity: str, k: int | None) -> list[float]:
        """The terms of a sum."""
        ranking = (self.best if quantity in ("IDCG", "ICG") else self.grades)[:k]
        if quantity in ("IDCG", "ICG") and k is None:
            ranking = ranking[: len(self.grades)]
        if quantity in ("CG", "ICG"):
            return list(ranking)
        gains = plain.gains(ranking, self.convention)
        return [g / d for g, d in zip(gains, plain.discounts(len(gains), self.convention), strict=True)]

    def values(self, claim: Claim) -> list[float]:
        """What a claim should be, in each way in which its name can be read."""
        if claim.cell is not None:
            column, rank = claim.cell
            sequence = self.columns.get(column, ())
            return [sequence[rank - 1]] if rank <= len(sequence) else []
        return self.bound(claim).named(claim)

    def named(self, claim: Claim) -> list[float]:
        """What a claim should be, by its name."""
        if claim.quantity not in QUANTITIES:
            return []
        cutoffs = [claim.k] if claim.k is None or claim.sure else [claim.k, None]
        if claim.working is not None and len(claim.working.terms) == len(self.grades):
            cutoffs.reverse()
        if claim.term is None:
            return [self.value(claim.quantity, k) for k in cutoffs]
        if claim.quantity == "NDCG":
            return []
        place, count = claim.term
        found = []
        for k in cutoffs:
            terms = self.terms(claim.quantity, k)
            others = [term for term in terms if term]
            for each in (terms, others):
                if len(each) == count:
                    found.append(each[place])
                    break
        return found

    def sequence_of(self, column: Sequence[Claim]) -> tuple[float, ...] | None:
        """What a column of a table holds: the sequence that most of its cells agree with; None if few do."""
        best, most = None, 0.0
        for quantity, values in self.sequences.items():
            named = column[0].quantity
            if named in QUANTITIES and quantity.removeprefix("ideal ") not in (named, "term", "total"):
                continue
            agree = [
                claim
                for claim in column
                if claim.cell is not None
                and claim.cell[1] <= len(values)
                and claim.number.covers(values[claim.cell[1] - 1])
            ]
            told = sum(information(claim.number) for claim in agree)
            if 2 * len(agree) > len(column) and (told >= 2 or len(agree) == len(column) > 2) and told > most:
                best, most = values, told
        return best

    @cached_property
    def sequences(self) -> dict[str, tuple[float, ...]]:
        """What columns of tables usually hold, by rank."""
        depth = len(self.grades)
        ranks = range(1, depth + 1)
        discounts = plain.discounts(depth, self.convention)
        return {
            "term": tuple(self.terms("DCG", None)),
            "ideal term": tuple(self.terms("IDCG", None)),
            "discount": tuple(discounts),
            **({"log": (0.0, *discounts[1:])} if self.convention.discount == "log(rank)" else {}),
            "weight": tuple(1 / each for each in discounts),
            "gain": tuple(plain.gains(self.grades, self.convention)),
            "ideal gain": tuple(plain.gains(self.best[:depth], self.convention)),
            **{quantity: tuple(self.value(quantity, rank) for rank in ranks) for quantity in QUANTITIES},
        }

    def reproduces(self, claim: Claim) -> bool:
        """Whether the claim's number comes out."""
        return any(claim.number.covers(value) for value in self.values(claim))


def information(number: Number) -> float:
    """What a printed number says: its digits, or little where it is a small whole one."""
    return 0.3 if number.unit >= 1 and number.digits < 2 else float(min(MOST_DIGITS, number.digits))


def score(hypothesis: Hypothesis, claims: Sequence[Claim]) -> float:
    """The information of the claims that come out, less the cost of the hypothesis."""
    return sum(information(claim.number) for claim in claims if hypothesis.reproduces(claim)) - hypothesis.cost


def hypotheses_of(example: Example, told: Told = NOTHING) -> list[Hypothesis]:
    """The readings of an example, the best first; none where it has no grades."""
    found = list(_all(example, told))
    for each in found:
        for i, column in enumerate(example.columns):
            sequence = each.sequence_of(column)
            if sequence is not None:
                each.columns[i] = sequence
    scored = (replace(each, points=score(each, example.claims)) for each in found)
    return sorted(scored, key=lambda each: -each.points)


def _all(example: Example, told: Told) -> Iterator[Hypothesis]:
    followed = {each.convention for each in example.claims if each.convention and told.convention is None}
    rankings = example.rankings or example.ideals if told.grades is None else (told.grades,)
    conventions = CONVENTIONS if told.convention is None else ((told.convention, 0.0),)
    for i, grades in enumerate(rankings[:MOST_LISTS]):
        for judged, cost in _pools(grades, example.ideals):
            for convention, price in conventions:
                assumed = i + cost + price
                alone = 0.0 if told.convention else _departs({convention}, example, UNIFORM) + 1.5 * bool(followed)
                yield Hypothesis(grades, judged, convention, False, assumed + alone, told=told.grades is not None)
                if followed:
                    mixed = assumed + _departs(followed, example, MIXED)
                    yield Hypothesis(grades, judged, convention, True, mixed, told=told.grades is not None)


def _pools(grades: tuple[float, ...], ideals: Sequence[tuple[float, ...]]) -> Iterator[tuple[tuple[float, ...], float]]:
    """The judged grades that there may be, each with its cost."""
    yield grades, 0.0
    best = sorted(grades, reverse=True)
    for ideal in ideals[:MOST_LISTS]:
        if sorted(ideal, reverse=True) != best[: len(ideal)]:
            yield ideal, 1.0


def _departs(conventions: Iterable[Convention], example: Example, price: float) -> float:
    """What it costs that conventions are not those of the formulas shown, or several at once."""
    used = {(str(each.gain), str(each.discount)) for each in conventions}
    plainly = 0.5 * any(gain == "exponential" for gain, _ in used)
    if not example.shown:
        return plainly + 1.0 * (len(used) > 1)
    return price * (not used <= example.shown)
