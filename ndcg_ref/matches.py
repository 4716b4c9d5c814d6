"""Which convention prints a number.

`which` goes through every named convention and every cutoff, and keeps those that could have printed a number.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from functools import cache
from itertools import groupby
from typing import Any

from ndcg_ref import plain
from ndcg_ref.convention import Convention, as_float32, ideal_cutoff, worth_without_ideal
from ndcg_ref.presets import ABOUT, NAMED, PRESETS
from ndcg_ref.stated import read_number
from ndcg_ref.validation import as_numbers, overflowing_sum

MOST_DECIMALS = 12
SAME = 1e-12  # sums in another order differ by less
LENIENT = Convention(negative="keep")
TERMS = ("gain", "discount", "base", "negative", "fractional")  # the choices that the terms of a sum depend on
# Every name but those that mean the newest version
TRIED = {name: convention for name, convention in NAMED.items() if name in ABOUT or name not in PRESETS}


@dataclass(frozen=True)
class Match:
    """A named convention and a cutoff, and the NDCG they give.

    Parameters
    ----------
    convention : str
        The name.
    k : int or None
        The cutoff; None for none.
    computed : float
        The NDCG.

    Examples
    --------
    >>> Match("STANDARD", 5, 0.97236)
    Match(convention='STANDARD', k=5, computed=0.97236)
    """

    convention: str
    k: int | None
    computed: float


@dataclass(frozen=True)
class Which:
    """The named conventions that print a number, for one ranking.

    Parameters
    ----------
    stated : str
        The number as printed.
    rows : tuple of Match
        Every convention and cutoff that could have printed it, ordered by value, name and cutoff.
    tried : int
        How many pairs of a convention and a cutoff were tried.
    untried : tuple of (str, str)
        The conventions that could not be tried, and why; first at which cutoffs, where it was at some alone.
    nearest : Match or None
        The one that comes closest, where none prints the number.
    longest : int
        Number of documents; a cutoff there, or beyond, is none.

    Examples
    --------
    >>> len(which("0.4605", [3, 2, 3, 0, 1]).rows)
    0
    """

    stated: str
    rows: tuple[Match, ...]
    tried: int
    untried: tuple[tuple[str, str], ...]
    nearest: Match | None
    longest: int

    @property
    def decimals(self) -> int | None:
        """How many decimals would tell the different values apart; None where there are fewer than two."""
        values = sorted({row.computed for row in self.rows})
        for decimals in range(MOST_DECIMALS + 1):
            if len({f"{value:.{decimals}f}" for value in _apart(values)}) == len(_apart(values)) > 1:
                return decimals
        return None

    def __str__(self) -> str:
        lines = [self._headline(), ""] if self.rows else [self._headline()]
        for value, rows in _by_value(self.rows):
            lines.append(f"{value:.6f}")
            cutoffs: dict[str, list[int | None]] = {}
            by_cutoff: dict[str, list[str]] = {}
            for row in rows:
                cutoffs.setdefault(row.convention, []).append(row.k)
            for name, ks in cutoffs.items():
                by_cutoff.setdefault(_cutoffs(ks, self.longest), []).append(name)
            lines += [f"  {said}: {', '.join(names)}" for said, names in by_cutoff.items()]
        reasons: dict[str, list[str]] = {}
        for name, reason in self.untried:
            reasons.setdefault(reason, []).append(name)
        lines += [f"not tried: {', '.join(names)} ({reason})" for reason, names in reasons.items()]
        return "\n".join(lines)

    def _headline(self) -> str:
        if not self.rows:
            line = f"{self.stated}: none of {self.tried} pairs of a convention and a cutoff prints this"
            if self.nearest is None:
                return line
            near = self.nearest
            return f"{line}; nearest is {near.computed:.6f}, of {near.convention}, {_cutoffs([near.k], self.longest)}"
        names = len({row.convention for row in self.rows})
        line = f"{self.stated}: printed by {names} named convention{'s' if names > 1 else ''}"
        values = len(_apart(sorted({row.computed for row in self.rows})))
        if values == 1:
            return f"{line}, all of one value" if len(self.rows) > 1 else line
        if self.decimals is None:
            return f"{line}, in {values} values that {MOST_DECIMALS} decimals do not tell apart"
        return f"{line}, in {values} values; {self.decimals} decimals would tell them apart"

    def as_json(self) -> dict[str, Any]:
        """The same as one JSON object."""
        return {
            "stated": self.stated,
            "rows": [asdict(row) for row in self.rows],
            "nearest": None if self.nearest is None else asdict(self.nearest),
            "decimals": self.decimals,
            "tried": self.tried,
            "untried": [{"convention": name, "reason": reason} for name, reason in self.untried],
        }


def which(
    stated: str,
    grades: Iterable[Any],
    judged: Iterable[Any] | None = None,
    scores: Iterable[Any] | None = None,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> Which:
    """Every named convention, and cutoff, that could have printed a number as the NDCG of one ranking.

    The names are those of `ndcg_ref.PRESETS`, and ORIGINAL, STANDARD and EXPONENTIAL. A number is printed by a value
    that can be rounded to it.

    Parameters
    ----------
    stated : str
        The number as printed: "0.957" and "0.9570" are different statements.
    grades : iterable of float
        Grade of each document: best rank first, or beside scores in the order the documents were given.
    judged : iterable of float, optional
        All judged grades of the query; without it, those of the ranking.
    scores : iterable of float, optional
        Score of each document. A convention that ranks equal scores by document id is not tried where that matters.
    progress : callable, optional
        Called with the number of conventions tried so far, and of all.

    Returns
    -------
    Which
        Its `rows` are the conventions and cutoffs; empty where none prints the number.

    Raises
    ------
    ValueError
        If the number, a grade or a score is refused by every convention, or `judged` lacks a grade of the ranking.
    TypeError
        If the number is no text.

    Examples
    --------
    >>> found = which("0.957", [3, 2, 3, 0, 1])
    >>> sorted({row.convention for row in found.rows})[:3]
    ['EXPONENTIAL', 'allrank-1.4.3', 'catboost-1.2.10-exp']
    >>> {round(row.computed, 6) for row in found.rows}
    {0.957478}
    """
    number = read_number(stated)
    ranking = as_numbers(grades, "grades")
    known = None if judged is None else as_numbers(judged, "judged")
    plain.ndcg(ranking, None, LENIENT, known)  # refuses what no convention takes
    given = None if scores is None else as_numbers(scores, "scores")
    if given is not None and len(given) != len(ranking):
        raise ValueError(f"scores: expected one for each of {len(ranking)} documents, got {len(given)}")
    longest = max(len(ranking), len(known or []))
    cutoffs = [*range(1, longest), None]  # the longest cutoff is no cutoff
    values = _Values(ranking, known, given)
    covers = cache(number.covers)  # many conventions have values in common
    goal = number.nearest_float
    rows: list[Match] = []
    untried: list[tuple[str, str]] = []
    tried = 0
    nearest, least = None, math.inf
    for done, (name, convention) in enumerate(TRIED.items()):
        if progress is not None:
            progress(done, len(TRIED))
        try:
            value_at = values.under(convention)
        except ValueError as error:
            untried.append((name, str(error)))
            continue
        refused: dict[str, list[int | None]] = {}
        for k in cutoffs:
            try:
                value = value_at(k)
            except ValueError as error:
                refused.setdefault(str(error), []).append(k)
                continue
            tried += 1
            if math.isnan(value):
                continue
            if covers(value):
                rows.append(Match(name, k, value))
            if nearest is None or abs(value - goal) < least:
                nearest, least = Match(name, k, value), abs(value - goal)
        for reason, ks in refused.items():
            untried.append((name, reason if ks == cutoffs else f"at {_cutoffs(ks, longest)}: {reason}"))
    if not tried:
        raise ValueError(untried[0][1])
    rows.sort(key=lambda row: (row.computed, row.convention, math.inf if row.k is None else row.k))
    return Which(number.text, tuple(rows), tried, tuple(untried), None if rows else nearest, longest)


class _Values:
    """The NDCG of one ranking at any cutoff; what conventions have in common is computed once.

    Documents are sorted by their gain alone, since the gain of every convention that has a name rises with the grade.
    """

    def __init__(self, grades: list[float], judged: list[float] | None, scores: list[float] | None) -> None:
        self._grades, self._judged, self._scores = grades, judged, scores
        self._dcg, self._idcg = cache(self._dcg_by_rank), cache(self._idcg_by_rank)

    def under(self, convention: Convention) -> Callable[[int | None], float]:
        """What gives the NDCG at a cutoff, or refuses that cutoff; a refusal where the convention takes none."""
        ties = [convention.ties]
        if self._scores is not None and convention.ties in ("id-descending", "id-ascending"):
            ties = ["best", "worst"]
        ranked = ("ties", "scores") if self._scores is not None else ()
        dcg = [self._dcg(_only(replace(convention, ties=each), *TERMS, *ranked)) for each in ties]
        idcg = self._idcg(_only(convention, *TERMS, "ideal"))
        return lambda k: self._ndcg(dcg, idcg, k, convention)

    def _ndcg(self, dcg: list[list[float]], idcg: list[float], k: int | None, convention: Convention) -> float:
        gained = [by_rank[-1 if k is None else min(k, len(by_rank) - 1)] for by_rank in dcg]
        cut = ideal_cutoff(k, len(self._grades), convention)
        ideal = idcg[-1 if cut is None else min(cut, len(idcg) - 1)]
        if not all(map(math.isfinite, [*gained, ideal])):
            raise overflowing_sum()
        if ideal == 0:
            return worth_without_ideal(convention)
        values = {each / ideal for each in gained}
        if len(values) > 1:
            raise ValueError("it ranks equal scores by document id, and the documents have none here")
        return values.pop()

    def _dcg_by_rank(self, convention: Convention) -> list[float]:
        """DCG at rank 0, 1, 2, …, not finite where it is beyond the range of a float."""
        gained = plain.gains(self._grades, convention)
        divisors = plain.discounts(len(gained), convention)
        if self._scores is None:
            return _running_sum(gain / divisor for gain, divisor in zip(gained, divisors, strict=True))
        scores = [as_float32(score) for score in self._scores] if convention.scores == "float32" else self._scores
        order = list(range(len(gained)))
        if convention.ties in ("best", "worst"):
            order.sort(key=gained.__getitem__, reverse=convention.ties == "best")
        order.sort(key=scores.__getitem__, reverse=True)
        weights = [1 / divisor for divisor in divisors]
        if convention.ties != "average":
            return _running_sum(gained[i] * weight for i, weight in zip(order, weights, strict=True))
        sums = _Sum()
        by_rank = [0.0]
        for _, tied in groupby(order, key=scores.__getitem__):
            group = Counter(gained[i] for i in tied)
            first, size = len(by_rank) - 1, group.total()
            shared = _Sum()  # what the ranks within the cutoff are worth
            for weight in weights[first : first + size]:
                shared.add(weight)
                each = shared.value() / size
                terms = [term for gain, count in group.items() for term in _times(gain * each, count)]
                by_rank.append(sums.value(terms))
            for term in terms:
                sums.add(term)
        return by_rank

    def _idcg_by_rank(self, convention: Convention) -> list[float]:
        """Ideal DCG of the first 0, 1, 2, … documents of the ideal, not finite where beyond the range of a float."""
        plain.idcg(self._grades, 1, convention, self._judged)  # refuses what is missing, or has no gain
        ideal = plain.gains(self._grades, convention)
        if convention.ideal == "judged" and self._judged is not None:
            graded = replace(convention, gain="linear")
            unjudged = plain.gains(self._grades, graded).count(0) - plain.gains(self._judged, graded).count(0)
            ideal = plain.gains(self._judged, convention) + [0.0] * unjudged
        ideal.sort(reverse=True)
        return _running_sum(
            gain / divisor for gain, divisor in zip(ideal, plain.discounts(len(ideal), convention), strict=True)
        )


class _Sum:
    """A sum that is rounded only where it is read: floats that add up to it exactly (Shewchuk 1997)."""

    def __init__(self) -> None:
        self._parts: list[float] = []

    def add(self, term: float) -> None:
        """Add one term."""
        kept = []
        for part in self._parts:
            if abs(term) < abs(part):
                term, part = part, term
            total = term + part
            rest = part - (total - term)
            if rest:
                kept.append(rest)
            term = total
        self._parts = [*kept, term]

    def value(self, more: Iterable[float] = ()) -> float:
        """The sum, with more terms that are not kept; not finite where it is beyond the range of a float."""
        try:
            return math.fsum([*self._parts, *more])
        except (OverflowError, ValueError):
            return math.inf


def _running_sum(terms: Iterable[float]) -> list[float]:
    """The sum of the first 0, 1, 2, … terms, each rounded once."""
    so_far, sums = _Sum(), [0.0]
    for term in terms:
        so_far.add(term)
        sums.append(so_far.value())
    return sums


def _times(term: float, count: int) -> Iterator[float]:
    """Floats that add up to the multiple of a term exactly."""
    for bit in range(count.bit_length()):
        if count >> bit & 1:
            yield term * 2.0**bit


def _only(convention: Convention, *choices: str) -> Convention:
    """A convention with these choices of another, and else the usual ones."""
    return Convention(**{choice: getattr(convention, choice) for choice in choices})


def _cutoffs(ks: list[int | None], longest: int) -> str:
    """The cutoffs as words: "k = 3, k = 4, no cutoff"."""
    return ", ".join(f"no cutoff (or k from {longest} on)" if k is None else f"k = {k}" for k in ks)


def _apart(values: list[float]) -> list[float]:
    """Ascending values, without those that differ from the one before by the order of a sum alone."""
    return [value for i, value in enumerate(values) if i == 0 or value - values[i - 1] > SAME]


def _by_value(rows: Iterable[Match]) -> list[tuple[float, list[Match]]]:
    """Rows in ascending order, those of one value together."""
    groups: list[tuple[float, list[Match]]] = []
    for row in rows:
        if groups and row.computed - groups[-1][1][-1].computed <= SAME:
            groups[-1][1].append(row)
        else:
            groups.append((row.computed, [row]))
    return groups
