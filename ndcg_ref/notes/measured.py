"""What a ranking measures under one reading: each quantity that a note may name, at each cutoff."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate

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
class Ranked:
    """A ranking under a convention.

    Parameters
    ----------
    grades : tuple of float
        The ranking, best rank first.
    judged : tuple of float
        All judged grades.
    convention : Convention
        The convention.
    """

    grades: tuple[float, ...]
    judged: tuple[float, ...]
    convention: Convention


@dataclass(frozen=True)
class Measured(Ranked):
    """A ranking with all that it measures.

    Parameters
    ----------
    grades, judged, convention
        Those of `Ranked`.
    user : User
        What the note says of the user who goes down the ranking.
    """

    user: User = NOBODY

    @cached_property
    def best(self) -> tuple[float, ...]:
        """The judged grades in the best order."""
        return tuple(sorted(self.judged, reverse=True))

    @cached_property
    def _terms(self) -> dict[str, tuple[float, ...]]:
        """The terms of each sum, by rank."""
        found: dict[str, tuple[float, ...]] = {"CG": self.grades, "ICG": self.best}
        for quantity, ranking in (("DCG", self.grades), ("IDCG", self.best)):
            gains = plain.gains(ranking, self.convention)
            discounts = plain.discounts(len(gains), self.convention)
            found[quantity] = tuple(gain / discount for gain, discount in zip(gains, discounts, strict=True))
        return found

    @cached_property
    def _sums(self) -> dict[str, tuple[float, ...]]:
        """Each sum, up to each rank from 0."""
        return {quantity: (0.0, *accumulate(terms)) for quantity, terms in self._terms.items()}

    def terms(self, quantity: str, k: int | None) -> tuple[float, ...]:
        """The terms of a sum at a cutoff."""
        return self._terms[quantity][: len(self.grades) if k is None and quantity in IDEAL else k]

    @property
    def holds_ranking(self) -> bool:
        """Whether every grade of the ranking is among those judged."""
        return not Counter(self.grades) - Counter(self.judged)

    def term(self, quantity: str, k: int | None, place: tuple[int, int]) -> list[float]:
        """A term of a sum, by its place and the number of terms; zeros may be left out, or the last of them."""
        i, count = place
        if quantity in USERS:
            ways = (terms[:k] for terms in self.user.terms(quantity, self.grades, self.judged))
            shown = (each for terms in ways for each in (terms, tuple(term for term in terms if term)))
            return list(dict.fromkeys(each[i] for each in shown if len(each) == count))
        if quantity not in self._terms:
            return []
        terms = self.terms(quantity, k)
        others = tuple(term for term in terms if term)
        first = terms[:count] if k is None or not any(terms[count:]) else ()
        return list(dict.fromkeys(each[i] for each in (terms, others, first) if len(each) == count))

    def divisors(self, place: tuple[int, int] | None) -> list[float]:
        """What a gain may be divided by: at its place in a sum over all ranks, else at any rank."""
        discounts = plain.discounts(max(DEEPEST, len(self.grades)), self.convention)
        if place is not None and place[1] in (len(self.grades), len(self.best)) and place[1] > 1:
            return [discounts[place[0]]]
        return discounts

    def values(self, quantity: str, k: int | None) -> list[float]:
        """A quantity at a cutoff, in each way in which it is defined; the usual one first.

        >>> from ndcg_ref import STANDARD
        >>> Measured((1.0, 0.0, 1.0), (1.0, 1.0, 1.0, 1.0), STANDARD).values("AP", 2)
        [0.25, 0.5]
        """
        if quantity in USERS:
            ways = self.user.terms(quantity, self.grades, self.judged)
            return list(dict.fromkeys(math.fsum(terms[:k]) for terms in ways))
        if quantity in SETS:
            levels = sorted({grade for grade in self.judged + self.grades if grade > 0}) or [1.0]
            return list(dict.fromkeys(value for level in levels[:2] for value in self._of_set(quantity, k, level)))
        if quantity != "NDCG":
            return [self._total(quantity, k)]
        ideal = self._total("IDCG", k)
        return [self._total("DCG", k) / ideal if ideal else math.nan]

    def _total(self, quantity: str, k: int | None) -> float:
        sums = self._sums[quantity]
        depth = k if k is not None else len(self.grades)
        return sums[min(depth, len(sums) - 1)]

    def _of_set(self, quantity: str, k: int | None, level: float) -> list[float]:
        """A measure of the relevant documents, which have at least a grade."""
        hits = [grade >= level for grade in self.grades[:k]]
        depth, found = k or len(self.grades), sum(hits)
        relevant = max(sum(grade >= level for grade in self.judged), sum(grade >= level for grade in self.grades))
        ranks = [rank for rank, hit in enumerate(hits, 1) if hit]
        if quantity in ("AP", "MAP"):
            total = math.fsum(i / rank for i, rank in enumerate(ranks, 1))
            wholes = dict.fromkeys(each for each in (relevant, min(relevant, depth)) if each)
            return [total / each for each in wholes] or [0.0]
        if quantity == "P":
            return [found / depth]
        if quantity == "R":
            return [found / relevant if relevant else math.nan]
        return [1 / ranks[0] if ranks else 0.0]

    @cached_property
    def sequences(self) -> dict[str, tuple[float, ...]]:
        """What columns of tables usually hold, by rank."""
        depth = len(self.grades)
        ranks = range(1, depth + 1)
        discounts = plain.discounts(depth, self.convention)
        return {
            "term": self.terms("DCG", None),
            "ideal term": self.terms("IDCG", None),
            "discount": tuple(discounts),
            **({"log": (0.0, *discounts[1:])} if self.convention.discount == "log(rank)" else {}),
            "weight": tuple(1 / each for each in discounts),
            "gain": tuple(plain.gains(self.grades, self.convention)),
            "ideal gain": tuple(plain.gains(self.best[:depth], self.convention)),
            **{quantity: tuple(self.values(quantity, rank)[0] for rank in ranks) for quantity in GAINS},
            **{quantity: tuple(self.values(quantity, rank)[0] for rank in ranks) for quantity in ("P", "R")},
            **self.user.sequences(self.grades, self.judged),
        }


@lru_cache(maxsize=2000)
def measured(grades: Sequence[float], judged: Sequence[float], convention: Convention, user: User = NOBODY) -> Measured:
    """All that a ranking measures; the same for the same arguments, so that nothing is computed twice."""
    return Measured(tuple(grades), tuple(judged), convention, user)
