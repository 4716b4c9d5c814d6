"""Find the conventions that print a number.

`which` tries every named convention at every cutoff, and keeps those whose value may have been printed as the number.
A number is rounded, or else truncated, or else a percentage. Often several match by chance alone, so `which` also
computes how often as many would match another number of the same digits.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import accumulate, groupby
from typing import Any

from ndcg_ref.conventions.convention import Convention, Ties, as_float32, ideal_cutoff, value_without_ideal
from ndcg_ref.conventions.presets import ABOUT, NAMED, PRESETS, Excluded, in_lines, marked
from ndcg_ref.conventions.validation import as_numbers, counted, quoted, refusal
from ndcg_ref.formulas import plain
from ndcg_ref.formulas.kinds import found_in
from ndcg_ref.formulas.measured_ranking import Ranking
from ndcg_ref.stated import read_number
from ndcg_ref.stated.causes import NEARBY
from ndcg_ref.stated.number import Number
from ndcg_ref.stated.verdict import WEAK
from ndcg_ref.statistics.markup import SAME


@dataclass(frozen=True)
class Match:
    """A named convention, a cutoff, and the resulting value.

    Parameters
    ----------
    convention : str
        The name.
    k : int or None
        The cutoff; None for none.
    computed : float
        The NDCG, or the DCG.

    Examples
    --------
    >>> Match("STANDARD", 5, 0.97236)
    Match(convention='STANDARD', k=5, computed=0.97236)
    """

    convention: str
    k: int | None
    computed: float


@dataclass(frozen=True)
class Reading:
    """One way in which a number may have been printed: rounded or truncated."""

    words: str
    number: Number
    cut: bool = False

    def gives(self, value: float) -> bool:
        """Whether the value may be printed as the number."""
        return self.number.units in self.printed(value) if self.cut else self.number.covers(value)

    def printed(self, value: float) -> list[int]:
        """The value as printed, in units of the last digit; two results if it is halfway between them."""
        return [math.trunc(Fraction(value) / self.number.unit)] if self.cut else self.number.roundings(value)


def readings_of(number: Number, up_to_1: bool) -> Iterator[Reading]:
    """The ways in which a number may have been printed, likely ones first; a percentage if it is at most 1.

    >>> [reading.words for reading in readings_of(read_number("57.1"), up_to_1=True)]
    ['rounded', 'truncated', 'as a percentage', 'as a truncated percentage']
    """
    yield Reading("rounded", number)
    if number.exact:
        return
    yield Reading("truncated", number, cut=True)
    _, tail, *_ = number.form
    if up_to_1 and number.value > 1 and not tail:
        percentage = read_number(f"{number.text}%")
        yield Reading("as a percentage", percentage)
        yield Reading("as a truncated percentage", percentage, cut=True)


def matching(number: Number, values: list[Match], up_to_1: bool) -> dict[str, Any]:
    """The rows that match a number under the last reading that was tried, and what else is said of them.

    A bare 0 or 1 is exact for a measure of at most 1.
    """
    number = number.of("NDCG") if up_to_1 else number
    readings: list[Reading] = []
    for reading in readings_of(number, up_to_1):
        readings.append(reading)
        gives = cache(reading.gives)  # many conventions have values in common
        if rows := [value for value in values if gives(value.computed)]:
            break
    goal = readings[-1].number.nearest_float
    return {
        "rows": tuple(sorted(rows, key=lambda row: (row.computed, row.convention, row.k or math.inf))),
        "reading": readings[-1].words,
        "chance": _chance_of(readings, values, rows, up_to_1) if rows else None,
        "nearest": None if rows else min(values, key=lambda value: abs(value.computed - goal), default=None),
    }


def _chance_of(readings: list[Reading], values: list[Match], rows: list[Match], up_to_1: bool) -> float | None:
    """The share of numbers with the same digits near the stated one that at least as many conventions print.

    These are within 20 % of it, as for a verdict, and not above 1 for a measure of at most 1.
    """
    number, names = readings[-1].number, len({row.convention for row in rows})
    if number.exact:
        return None
    reach = abs(number.units) * NEARBY
    lowest, highest = math.ceil(number.units - reach), math.floor(number.units + reach)
    if up_to_1:
        highest = max(number.units, min(highest, math.floor(1 / number.unit)))
    as_many: set[int] = set()
    for reading in readings:
        printed = cache(reading.printed)
        found: dict[int, set[str]] = {}
        for value in values:
            for units in printed(value.computed):
                found.setdefault(units, set()).add(value.convention)
        as_many |= {units for units, by in found.items() if len(by) >= names and lowest <= units <= highest}
    return len(as_many) / (highest - lowest + 1)


def in_text(found: Any, headline: str, more: list[str], said: Callable[[list[Match]], dict[str, list[str]]]) -> str:
    """The text of what was found: each value with those that have it, as `said` names them, and what was not tried."""
    lines = [headline]
    if found.chance is not None:
        share = f"{found.chance:.2f}" if found.chance >= 0.005 else "below 0.01"
        weak = "weak evidence: " if found.chance > WEAK else ""
        lines.append(f"{weak}chance {share} that as many conventions print a random number of these digits")
    lines += [*more, *[""] * bool(found.rows)]
    for value, rows in by_value(found.rows):
        lines += [f"{value:.6f}", *(f"  {which}: {', '.join(names)}" for which, names in said(rows).items())]
    reasons: dict[str, list[str]] = {}
    for name, reason in found.untried:
        reasons.setdefault(reason, []).append(name)
    untried = [f"not tried: {', '.join(names)} ({reason})" for reason, names in reasons.items()]
    return "\n".join([*lines, *in_lines(found.excluded), *untried])


def in_json(found: Any, *names: str) -> dict[str, Any]:
    """Some attributes of what was found as a JSON object."""
    stored: dict[str, Any] = {name: getattr(found, name) for name in names}
    rows: dict[str, Any] = {name: [asdict(row) for row in stored[name]] for name in ("rows", "means") if name in stored}
    return {
        **stored,
        **rows,
        "nearest": None if found.nearest is None else asdict(found.nearest),
        "untried": [{"convention": name, "reason": reason} for name, reason in found.untried],
        "excluded": {preset: excluded._asdict() for preset, excluded in found.excluded.items()},
    }


MEASURES = ("ndcg", "dcg")
MOST_DECIMALS = 12
UNIT = 2**1074  # every float is a multiple of 1 / UNIT
LENIENT = Convention(negative="keep")
TERMS = ("gain", "discount", "base", "negative", "fractional")  # the choices that affect the terms of a sum
# All names but those without a version
TRIED = {name: convention for name, convention in NAMED.items() if name in ABOUT or name not in PRESETS}


@dataclass(frozen=True)
class Which:
    """The named conventions that print a number, for one ranking.

    Parameters
    ----------
    stated : str
        The number as printed.
    rows : tuple of Match
        Every convention and cutoff whose value may have been printed so, sorted by value, name and cutoff.
    reading : str
        How the number was read: "rounded"; if nothing matches that, "truncated"; then, for an NDCG above 1, "as a
        percentage" and "as a truncated percentage". If nothing matches at all, the last reading tried.
    chance : float or None
        Of all numbers with the same digits within 20 % of this one, and not above 1 for an NDCG, the share that at
        least as many conventions print; None if no convention prints the number, or it is an exact fraction.
    tried : int
        How many pairs of a convention and a cutoff were tried.
    untried : tuple of (str, str)
        The conventions that could not be tried, and why, with the cutoffs if it was not at all of them.
    nearest : Match or None
        The closest one, if none prints the number.
    longest : int
        Number of documents; a cutoff of this or more is the same as none.
    excluded : dict of str to Excluded
        For each preset in `rows`, what it does not cover in these grades and scores. Without scores, ties are not
        checked.

    Examples
    --------
    >>> found = which("57.1", [1, 0, 3])
    >>> found.reading, len(found.rows)
    ('as a percentage', 1)
    """

    stated: str
    rows: tuple[Match, ...]
    reading: str
    chance: float | None
    tried: int
    untried: tuple[tuple[str, str], ...]
    nearest: Match | None
    longest: int
    excluded: dict[str, Excluded]

    @property
    def decimals(self) -> int | None:
        """How many decimals would tell the different values apart; None if there is only one."""
        values = [value for value, _ in by_value(self.rows)]
        return decimals_apart(values) if len(values) > 1 else None

    def __str__(self) -> str:
        return in_text(self, self._headline(), [], self._by_cutoffs)

    def _by_cutoffs(self, rows: list[Match]) -> dict[str, list[str]]:
        cutoffs: dict[str, list[int | None]] = {}
        names_of: dict[str, list[str]] = {}
        for row in rows:
            cutoffs.setdefault(marked(row.convention, self.excluded), []).append(row.k)
        for name, ks in cutoffs.items():
            names_of.setdefault(_cutoffs(ks, self.longest), []).append(name)
        return names_of

    def _headline(self) -> str:
        asked = self.stated if self.reading == "rounded" else f"{self.stated}, {self.reading}"
        if not self.rows:
            line = f"{self.stated}: none of {self.tried} pairs of a convention and a cutoff prints this"
            if self.nearest is None:
                return line
            near = self.nearest
            return f"{line}; nearest is {near.computed:.6f}, of {near.convention}, {_cutoffs([near.k], self.longest)}"
        names = len({row.convention for row in self.rows})
        line = f"{asked}: printed by {counted(names, 'named convention')}"
        values = len(by_value(self.rows))
        if values == 1:
            return f"{line}, all of one value" if len(self.rows) > 1 else line
        if self.decimals is None:
            return f"{line}, in {values} values that {MOST_DECIMALS} decimals do not tell apart"
        return f"{line}, in {values} values; {counted(self.decimals, 'decimal')} would tell them apart"

    def as_json(self) -> dict[str, Any]:
        """The result as a JSON object."""
        first = ("stated", "reading", "chance", "rows", "nearest")
        return in_json(self, *first, "decimals", "tried", "untried", "excluded")


def which(
    stated: str,
    grades: Iterable[Any],
    judged: Iterable[Any] | None = None,
    scores: Iterable[Any] | None = None,
    *,
    measure: str = "ndcg",
) -> Which:
    """Find every named convention and cutoff that may have printed a number as the NDCG, or DCG, of a ranking.

    The names are those of `ndcg_ref.PRESETS`, and ORIGINAL, STANDARD and EXPONENTIAL. A convention prints the number if
    its value can be rounded to it. If none does, a value that can be truncated to the number counts; if there is none
    either, an NDCG above 1 is read as a percentage.

    Parameters
    ----------
    stated : str
        The number as printed: "0.957" and "0.9570" are different statements.
    grades : iterable of float
        Grade of each document: best rank first, or with scores in the order of the scores.
    judged : iterable of float, optional
        All judged grades of the query; without it, those of the ranking.
    scores : iterable of float, optional
        Score of each document. A convention that ranks equal scores by document id is not tried if that matters.
    measure : {"ndcg", "dcg"}, optional
        The measure that the number states.

    Returns
    -------
    Which
        Its `rows` are the conventions and cutoffs; empty if none prints the number.

    Raises
    ------
    ValueError
        If the number, a grade or a score is refused by every convention, `judged` lacks a grade of the ranking, or is
        given for a DCG, or the measure is unknown.
    TypeError
        If the number is no text.

    Examples
    --------
    >>> found = which("0.957", [3, 2, 3, 0, 1])
    >>> sorted({row.convention for row in found.rows})[:3]
    ['EXPONENTIAL', 'allrank-1.4.3', 'catboost-1.2.10-exp']
    >>> {round(row.computed, 6) for row in found.rows}
    {0.957478}

    A DCG of 8.5 under the exponential gain, 7 / 1 + 0 / log2(3) + 3 / 2:

    >>> sorted({row.convention for row in which("8.5", [3, 0, 2], measure="dcg").rows})[:2]
    ['EXPONENTIAL', 'allrank-1.4.3']
    """
    number = read_number(stated)
    if measure not in MEASURES:
        raise ValueError(f"measure: expected one of {', '.join(map(repr, MEASURES))}, got {quoted(measure)}")
    if measure == "dcg" and judged is not None:
        raise ValueError("judged: expected none beside a DCG, which has no ideal")
    ranking = Ranking(
        as_numbers(grades, "grades"),
        judged=None if judged is None else as_numbers(judged, "judged"),
        convention=LENIENT,
    )
    ranking.value("NDCG")  # refuses input that no convention accepts
    if scores is not None:
        ranking = replace(ranking, scores=as_numbers(scores, "scores"))
        if len(ranking.scores or ()) != len(ranking.grades):
            raise ValueError(
                f"scores: expected one for each of {len(ranking.grades)} documents, got {len(ranking.scores or ())}"
            )
    values = _Values(measure, ranking)
    tried, untried = _every_pair(values)
    if not tried:
        raise ValueError(untried[0][1])
    defined = [match for match in tried if not math.isnan(match.computed)]
    found = matching(number, defined, up_to_1=measure == "ndcg")
    cutoffs: dict[str, list[int | None]] = {}
    for row in found["rows"]:
        cutoffs.setdefault(row.convention, []).append(row.k)
    return Which(
        stated=number.text,
        **found,
        tried=len(tried),
        untried=tuple(untried),
        longest=values.longest,
        excluded={name: found_in(ranking, ABOUT[name], ks, measure) for name, ks in cutoffs.items() if name in ABOUT},
    )


def _every_pair(values: _Values) -> tuple[list[Match], list[tuple[str, str]]]:
    """The value of every convention at every cutoff, and the conventions that refuse the input, with reasons."""
    tried: list[Match] = []
    untried: list[tuple[str, str]] = []
    for name, convention in TRIED.items():
        try:
            value_at = values.under(convention)
        except ValueError as error:
            untried.append((name, str(error)))
            continue
        refused: dict[str, list[int | None]] = {}
        for k in values.cutoffs:
            try:
                tried.append(Match(name, k, value_at(k)))
            except ValueError as error:
                refused.setdefault(str(error), []).append(k)
        for reason, ks in refused.items():
            everywhere = len(ks) == len(values.cutoffs)
            untried.append((name, reason if everywhere else f"at {_cutoffs(ks, values.longest)}: {reason}"))
    return tried, untried


class _Values:
    """The NDCG of one ranking at any cutoff; what conventions share is computed once.

    Documents are sorted by gain alone, since in every named convention the gain rises with the grade.
    """

    def __init__(self, measure: str, ranking: Ranking) -> None:
        self._measure, self.ranking = measure, ranking
        self.longest = max(len(ranking.grades), len(ranking.pool))
        self.cutoffs = [*range(1, self.longest), None]  # the longest cutoff is the same as none
        self._dcg, self._idcg = cache(self._dcg_by_rank), cache(self._idcg_by_rank)

    def under(self, convention: Convention) -> Callable[[int | None], float]:
        """A function of the cutoff that returns the measure or refuses; refused here if every cutoff would be."""
        has_scores = self.ranking.scores is not None
        by_id = has_scores and convention.ties in ("id-descending", "id-ascending")
        ties: tuple[Ties, ...] = ("best", "worst") if by_id else (convention.ties,)
        ranked = ("ties", "scores") if has_scores else ()
        dcg = [self._dcg(_only(replace(convention, ties=each), *TERMS, *ranked)) for each in ties]
        if self._measure == "dcg":
            return lambda k: _one({_at(by_rank, k) for by_rank in dcg})
        idcg = self._idcg(_only(convention, *TERMS, "ideal"))
        return lambda k: self._ndcg(dcg, idcg, k, convention)

    def _ndcg(self, dcg: list[list[float]], idcg: list[float], k: int | None, convention: Convention) -> float:
        gained = [_at(by_rank, k) for by_rank in dcg]
        ideal = _at(idcg, ideal_cutoff(k, len(self.ranking.grades), convention))
        return value_without_ideal(convention) if ideal == 0 else _one({each / ideal for each in gained})

    def _dcg_by_rank(self, convention: Convention) -> list[float]:
        """DCG at rank 0, 1, 2, …, not finite if it is beyond the range of a float."""
        gained = plain.gains(self.ranking.grades, convention)
        divisors = plain.discounts(len(gained), convention)
        if self.ranking.scores is None:
            return _running_sum(gain / divisor for gain, divisor in zip(gained, divisors, strict=True))
        scores = (
            [as_float32(score) for score in self.ranking.scores]
            if convention.scores == "float32"
            else self.ranking.scores
        )
        order = list(range(len(gained)))
        if convention.ties in ("best", "worst"):
            order.sort(key=gained.__getitem__, reverse=convention.ties == "best")
        order.sort(key=scores.__getitem__, reverse=True)
        weights = [1 / divisor for divisor in divisors]
        if convention.ties != "average":
            return _running_sum(gained[i] * weight for i, weight in zip(order, weights, strict=True))
        by_rank, total = [0.0], 0
        for _, tied in groupby(order, key=scores.__getitem__):
            group = Counter(gained[i] for i in tied)
            first, size = len(by_rank) - 1, group.total()
            for weight in _running_sum(weights[first : first + size])[1:]:  # of the ranks within the cutoff
                shared = [count * _exact(gain * (weight / size)) for gain, count in group.items()]
                by_rank.append(_rounded(total + sum(shared)))
            total += sum(shared)
        return by_rank

    def _idcg_by_rank(self, convention: Convention) -> list[float]:
        """Ideal DCG of the first 0, 1, 2, … documents of the ideal, not finite if beyond the range of a float."""
        ideal = plain.ideal_gains(self.ranking.grades, convention, self.ranking.judged)
        divisors = plain.discounts(len(ideal), convention)
        return _running_sum(gain / divisor for gain, divisor in zip(ideal, divisors, strict=True))


def _exact(term: float) -> int:
    """A term as a multiple of 1 / UNIT, which adds up exactly; far beyond those of floats if it is infinite."""
    if math.isinf(term):
        return UNIT**3 if term > 0 else -(UNIT**3)
    numerator, denominator = term.as_integer_ratio()
    return numerator * (UNIT // denominator)


def _rounded(total: int) -> float:
    """An exact sum as a float, infinite if it is beyond the range of one."""
    try:
        return total / UNIT
    except OverflowError:
        return math.inf


def _running_sum(terms: Iterable[float]) -> list[float]:
    """The sum of the first 0, 1, 2, … terms, each rounded once."""
    return [*map(_rounded, accumulate(map(_exact, terms), initial=0))]


def _at(by_rank: list[float], k: int | None) -> float:
    """The sum of the first k terms, or of all; refused if beyond the range of a float."""
    total = by_rank[-1 if k is None else min(k, len(by_rank) - 1)]
    if not math.isfinite(total):
        raise refusal("overflowing sum", "grades")
    return total


def _one(values: set[float]) -> float:
    """The value that all orders of tied documents have in common; refused if they differ."""
    if len(values) > 1:
        raise ValueError("it ranks equal scores by document id, and the documents have none here")
    return values.pop()


def _only(convention: Convention, *choices: str) -> Convention:
    """A convention with the given choices of another one, and the defaults otherwise."""
    return Convention(**{choice: getattr(convention, choice) for choice in choices})


def decimals_apart(values: Iterable[float]) -> int | None:
    """The fewest decimals from which on all values are printed differently; None if too many would be needed.

    One decimal happens to tell 0.449 from 0.451, and two do not:

    >>> decimals_apart([0.449, 0.451])
    3
    """
    values, fewest = list(values), None
    for decimals in reversed(range(MOST_DECIMALS + 1)):
        if len({f"{value:.{decimals}f}" for value in values}) < len(values):
            break
        fewest = decimals
    return fewest


def _cutoffs(ks: list[int | None], longest: int) -> str:
    """The cutoffs as words: "k = 3, k = 4, no cutoff"."""
    return ", ".join(f"no cutoff (or k from {longest} on)" if k is None else f"k = {k}" for k in ks)


def by_value(rows: Iterable[Match]) -> list[tuple[float, list[Match]]]:
    """Sorted rows, grouped by value; those that differ from the previous one only by rounding are in its group."""
    groups: list[tuple[float, list[Match]]] = []
    for row in rows:
        if groups and row.computed - groups[-1][1][-1].computed <= SAME:
            groups[-1][1].append(row)
        else:
            groups.append((row.computed, [row]))
    return groups
