"""Which convention prints a number.

`which` goes through every named convention and every cutoff, and keeps those that could have printed a number.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any

from ndcg_ref import measures, plain
from ndcg_ref.convention import Convention, as_numbers
from ndcg_ref.presets import ABOUT, NAMED, PRESETS
from ndcg_ref.stated import read_number

MOST_DECIMALS = 12
SAME = 1e-12  # sums in another order differ by less
LENIENT = Convention(negative="keep")
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
    stated: str, grades: Iterable[Any], judged: Iterable[Any] | None = None, scores: Iterable[Any] | None = None
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
    longest = max(len(ranking), len(known or []))
    cutoffs = [*range(1, longest), None]  # the longest cutoff is no cutoff
    tried, untried = [], []
    for name, convention in TRIED.items():
        refused: dict[str, list[int | None]] = {}
        for k in cutoffs:
            try:
                tried.append(Match(name, k, _ndcg(ranking, given, known, k, convention)))
            except ValueError as error:
                refused.setdefault(str(error), []).append(k)
        for reason, ks in refused.items():
            untried.append((name, reason if ks == cutoffs else f"at {_cutoffs(ks, longest)}: {reason}"))
    if not tried:
        raise ValueError(untried[0][1])
    defined = [match for match in tried if not math.isnan(match.computed)]
    rows = [match for match in defined if number.covers(match.computed)]
    rows.sort(key=lambda row: (row.computed, row.convention, math.inf if row.k is None else row.k))
    goal = number.nearest_float
    nearest = min(defined, key=lambda match: abs(match.computed - goal), default=None)
    return Which(number.text, tuple(rows), len(tried), tuple(untried), None if rows else nearest, longest)


def _ndcg(
    grades: list[float], scores: list[float] | None, judged: list[float] | None, k: int | None, convention: Convention
) -> float:
    if scores is None:
        return measures.ndcg(grades, k, convention, judged)
    if not convention.ties.startswith("id-"):
        return plain.ndcg_of_scores(grades, scores, k, convention, None, judged)
    best, worst = (
        plain.ndcg_of_scores(grades, scores, k, replace(convention, ties=end), None, judged)
        for end in ("best", "worst")
    )
    if best != worst and not math.isnan(best):  # of both, then: there is no ideal gain
        raise ValueError("it ranks equal scores by document id, and the documents have none here")
    return best


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
