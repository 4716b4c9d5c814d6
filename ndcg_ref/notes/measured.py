"""What a ranking measures under one reading: each quantity that a note may name, at each cutoff."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from operator import truediv

from ndcg_ref.conventions.convention import Convention
from ndcg_ref.formulas import plain
from ndcg_ref.notes.users import USERS, User

GAINS = ("CG", "ICG", "DCG", "IDCG", "NDCG")
MEANS = ("MRR", "MAP")  # over queries, of which there may be one
SETS = ("P", "R", "RR", "AP", *MEANS)  # of relevant documents, whatever their grades
QUANTITIES = GAINS + SETS + USERS
IDEAL = frozenset({"IDCG", "ICG"})
DEEPEST = 50
NOBODY = User()  # of whom the note says nothing


@dataclass(frozen=True)
class Measured:
    """A ranking with all that it measures.

    Parameters
    ----------
    grades : tuple of float
        The ranking, best rank first.
    judged : tuple of float
        All judged grades.
    convention : Convention
        The convention.
    user : User
        What the note says of the user who goes down the ranking.
    """

    grades: tuple[float, ...]
    judged: tuple[float, ...]
    convention: Convention
    user: User = NOBODY

    @cached_property
    def best(self) -> tuple[float, ...]:
        """The judged grades in the best order."""
        return tuple(sorted(self.judged, reverse=True))

    @cached_property
    def _ways(self) -> dict[str, list[tuple[float, ...]]]:
        """The terms of each sum by rank, in each way in which a note may mean it."""
        found = {"CG": [self.grades], "ICG": [self.best]}
        for quantity, ranking in (("DCG", self.grades), ("IDCG", self.best)):
            discounts = plain.discounts(len(ranking), self.convention)
            found[quantity] = [tuple(map(truediv, plain.gains(ranking, self.convention), discounts))]
        return found | {each: self.user.terms(each, self.grades, self.judged) for each in USERS}

    def terms(self, quantity: str, k: int | None) -> list[tuple[float, ...]]:
        """The terms of a sum at a cutoff, in each way in which a note may mean it."""
        depth = len(self.grades) if k is None else k
        return [terms[:depth] for terms in self._ways.get(quantity, ())]

    def term(self, quantity: str, k: int | None, place: tuple[int, int]) -> list[float]:
        """A term of a sum, by its place and the number of terms; zeros may be left out, or the last of them."""
        i, count = place
        found = []
        for terms in self.terms(quantity, k):
            shown = [terms, tuple(filter(None, terms))]
            if k is None or not any(terms[count:]):
                shown.append(terms[:count])
            found += [each[i] for each in shown if len(each) == count]
        return list(dict.fromkeys(found))

    def divisors(self, place: tuple[int, int] | None) -> list[float]:
        """What a gain may be divided by: at its place in a sum over all ranks, else at any rank."""
        discounts = plain.discounts(max(DEEPEST, len(self.grades)), self.convention)
        if place is not None and place[1] in (len(self.grades), len(self.best)):
            return [discounts[place[0]]]
        return discounts

    def values(self, quantity: str, k: int | None) -> list[float]:
        """A quantity at a cutoff, in each way in which it is defined; the usual one first.

        >>> from ndcg_ref import STANDARD
        >>> Measured((1.0, 0.0, 1.0), (1.0, 1.0, 1.0, 1.0), STANDARD).values("AP", 2)
        [0.25, 0.5]
        """
        if quantity in SETS:
            levels = sorted({*self.judged, *self.grades} - {0})[:2] or [1.0]
            return list(dict.fromkeys(value for level in levels for value in self._of_set(quantity, k, level)))
        if quantity == "NDCG":
            (dcg,), (ideal,) = self.values("DCG", k), self.values("IDCG", k)
            return [dcg / ideal if ideal else math.nan]
        return list(dict.fromkeys(map(math.fsum, self.terms(quantity, k))))

    def _of_set(self, quantity: str, k: int | None, level: float) -> list[float]:
        """A measure of the relevant documents, which have at least a grade."""
        hits = [grade >= level for grade in self.grades[:k]]
        depth, found = k or len(self.grades), sum(hits)
        relevant = max(sum(grade >= level for grade in each) for each in (self.judged, self.grades))
        ranks = [rank for rank, hit in enumerate(hits, 1) if hit]
        if quantity == "P":
            return [found / depth]
        if quantity == "R":
            return [found / relevant if relevant else math.nan]
        if quantity in ("RR", "MRR"):
            return [1 / ranks[0] if ranks else 0.0]
        total = math.fsum(i / rank for i, rank in enumerate(ranks, 1))
        return [total / (each or 1) for each in (relevant, min(relevant, depth))]

    @cached_property
    def sequences(self) -> dict[str, tuple[float, ...]]:
        """What columns of tables usually hold, by rank."""
        ranks = range(1, len(self.grades) + 1)
        discounts = plain.discounts(len(ranks), self.convention)
        return {
            "term": self.terms("DCG", None)[0],
            "ideal term": self.terms("IDCG", None)[0],
            "discount": tuple(discounts),
            **({"log": (0.0, *discounts[1:])} if self.convention.discount == "log(rank)" else {}),
            "weight": tuple(1 / each for each in discounts),
            "gain": tuple(plain.gains(self.grades, self.convention)),
            "ideal gain": tuple(plain.gains(self.best[: len(ranks)], self.convention)),
            **{quantity: tuple(self.values(quantity, rank)[0] for rank in ranks) for quantity in (*GAINS, "P", "R")},
            **self.user.sequences(self.grades, self.judged),
        }


# The same for the same arguments, so that nothing is computed twice
measured = lru_cache(maxsize=2000)(Measured)
