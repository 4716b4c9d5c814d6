"""Hypotheses: a ranking with its judged grades under a convention, and the values of all quantities at all cutoffs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate

from ndcg_ref.conventions.convention import EXPONENTIAL, ORIGINAL, STANDARD, Convention
from ndcg_ref.formulas import plain
from ndcg_ref.notes.users import User

CONVENTIONS: tuple[tuple[Convention, float], ...] = (  # each with the bits that it costs
    (STANDARD, 0.0),
    (EXPONENTIAL, 0.5),
    (ORIGINAL, 2.0),
    (Convention(gain="exponential", discount="log(rank)"), 4.0),
    (Convention(discount="rank"), 5.0),
)
GRADED = ("DCG", "IDCG", "NDCG", "CG", "ICG")
BINARY = ("P", "R", "RR", "AP", "SUCCESS")
BOUNDED = ("NDCG", "P", "R", "RR", "AP", "ERR", "RBP", "SUCCESS")
OF_IDEAL = ("IDCG", "ICG")  # which no order of the ranking changes
Grades = tuple[float, ...]
LONGEST = 60  # ranks of a table of discounts


@dataclass(frozen=True)
class Hypothesis:
    """What a note may be about.

    Parameters
    ----------
    grades, judged : tuple of float
        The ranking, best rank first, and all judged grades of its query.
    convention : Convention
        Gain and discount.
    place : int
        Where the ranking is printed.
    cost : float
        The bits that it takes for granted.
    told : bool
        Whether the caller gave the ranking.
    inferred : bool
        Whether only sums show it.
    user : User
        What the note says of the user that ERR and RBP think of.

    Examples
    --------
    >>> one = Hypothesis((3, 0, 2), (3, 0, 2), STANDARD)
    >>> [round(value, 3) for value in one.values("NDCG", 2)]
    [0.704]
    """

    grades: Grades
    judged: Grades
    convention: Convention
    place: int = 0
    cost: float = 0.0
    told: bool = False
    inferred: bool = False
    user: User = field(default_factory=User)

    @cached_property
    def best(self) -> Grades:
        """The judged grades, best first."""
        return tuple(sorted(self.judged, reverse=True))

    @cached_property
    def columns(self) -> dict[str, tuple[float, ...]]:
        """What may be printed rank by rank, by name."""
        n = len(self.grades)
        gains, best = (plain.gains(each, self.convention) for each in (self.grades, self.best))
        best = [*best, *[0.0] * (n - len(best))]
        discounts = plain.discounts(max(n, len(best)), self.convention)
        terms, ideal = ([a / b for a, b in zip(each, discounts, strict=False)] for each in (gains, best))
        dcg, idcg = [*accumulate(terms)], [*accumulate(ideal)]
        hits = [*accumulate(float(grade > 0) for grade in self.grades)]
        found = {
            "term": terms,
            "ideal term": ideal,
            "DCG": dcg,
            "IDCG": idcg,
            "NDCG": [a / b if b else math.nan for a, b in zip(dcg, idcg, strict=False)],
            "gain": gains,
            "ideal gain": best,
            "discount": discounts[:n],
            "weight": [1 / each for each in discounts[:n]],
            "CG": [*accumulate(self.grades)],
            "ICG": [*accumulate(self.best)],
            "P": [hit / rank for rank, hit in enumerate(hits, 1)],
            "grade": self.grades,
            "ideal grade": self.best,
            "hits": hits,
        }
        found["AP term"] = [
            hit / rank if grade > 0 else 0.0 for rank, (hit, grade) in enumerate(zip(hits, self.grades, strict=True), 1)
        ]
        relevant = sum(grade > 0 for grade in self.judged)
        if relevant:
            found["R"] = [hit / relevant for hit in hits]
        return {name: tuple(values) for name, values in found.items()}

    @cached_property
    def long_columns(self) -> dict[str, list[float]]:
        """Discounts and their inverses beyond the last rank."""
        discounts = plain.discounts(LONGEST, self.convention)
        return {"discount": discounts, "weight": [1 / each for each in discounts]}

    def values(self, quantity: str, k: int | None) -> tuple[float, ...]:
        """The values that a named quantity may have; none where it is no quantity of a ranking."""
        return self._values.get((quantity, k)) or self._computed(quantity, k)

    @cached_property
    def _values(self) -> dict[tuple[str, int | None], tuple[float, ...]]:
        return {}

    def _computed(self, quantity: str, k: int | None) -> tuple[float, ...]:
        found = self._valued(quantity, k)
        self._values[quantity, k] = found
        return found

    def _valued(self, quantity: str, k: int | None) -> tuple[float, ...]:
        if not self.grades:
            return ()
        if quantity in ("AP", "RR", "SUCCESS"):
            return self._of_hits(quantity, k)
        if quantity in ("ERR", "RBP"):
            ways = (sum(terms[:k]) for terms in self.user.terms(quantity, self.grades, self.judged))
            return tuple(dict.fromkeys(ways))
        column = self.columns.get(quantity, ())
        if quantity in OF_IDEAL:
            full = (column[-1],) if k is None and len(column) > len(self.grades) else ()
            return (_at(column, k or len(self.grades)), *full)
        if quantity == "NDCG":
            return self._ratio(k)
        if quantity in ("P", "R"):
            return tuple(dict.fromkeys(self._share(quantity, k, level) for level in self.levels))
        return (_at(column, k or len(self.grades)),) if column else ()

    @cached_property
    def levels(self) -> tuple[float, ...]:
        """From which grade on a document may count as relevant: any above 0, or a higher one of a scale."""
        return tuple(level for level in (0.5, 2.0, 3.0) if level <= max(self.judged, default=0)) or (0.5,)

    def _share(self, quantity: str, k: int | None, level: float) -> float:
        hits = sum(grade >= level for grade in self.grades[:k])
        of = (k or len(self.grades)) if quantity == "P" else sum(grade >= level for grade in self.judged)
        return hits / of if of else math.nan

    def _ratio(self, k: int | None) -> tuple[float, ...]:
        dcg = _at(self.columns["DCG"], k or len(self.grades))
        ideals = self.values("IDCG", k)
        return tuple(dcg / each if each else math.nan for each in ideals)

    def _of_hits(self, quantity: str, k: int | None) -> tuple[float, ...]:
        found: list[float] = []
        for level in self.levels:
            ranks = [rank for rank, grade in enumerate(self.grades, 1) if grade >= level and rank <= (k or rank)]
            if quantity == "SUCCESS":
                found.append(float(bool(ranks)))
            elif quantity == "RR":
                found.append(1 / ranks[0] if ranks else 0.0)
            else:
                added = math.fsum(i / rank for i, rank in enumerate(ranks, 1))
                relevant = sum(grade >= level for grade in self.judged)
                ways = [relevant, min(relevant, k or relevant), len(ranks)]
                found += [added / each for each in ways if each] or [0.0]
        return tuple(dict.fromkeys(found))


def _at(column: Sequence[float], k: int) -> float:
    """The value at a cutoff; what is beyond the last rank changes nothing."""
    return column[min(k, len(column)) - 1]
