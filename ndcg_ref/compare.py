"""Which convention prints this number, and what makes two numbers differ.

`which` goes through every named convention and every cutoff, and keeps those that could have printed a number.
`explain` goes from one convention to another, one choice at a time, and says how far each moves the mean.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from ndcg_ref import measures, plain
from ndcg_ref.convention import Convention, as_float32, as_numbers
from ndcg_ref.presets import ABOUT, NAMED, PRESETS, as_named
from ndcg_ref.runs import Result, as_mappings, evaluate
from ndcg_ref.spellings import Measure, parse
from ndcg_ref.stated import read_number

ASKED_FOR = ("ties", "ideal", "gain")  # what people suspect first: said even where it is the same
MOST_DECIMALS = 12
SAME = 1e-12  # sums in another order differ by less
LENIENT = Convention(negative="keep")
MOST_QUERIES = 10
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


@dataclass(frozen=True)
class Step:
    """One choice changed, on the way from one convention to another.

    Parameters
    ----------
    choice : str
        Its name; two joined by "+" where only both together can be changed.
    a, b : str
        The words before and after.
    moved : float
        By how much the mean moved; nan where there was none before, or is none after.
    queries : int
        How many queries moved.
    groups : int or None
        For "ties" and "scores", how many groups of equal scores hold documents of different gain, one of them within
        the cutoff.

    Examples
    --------
    >>> str(Step("ties", "average", "id-descending", -0.0153, 2, 2))
    'ties −0.0153 in 2 groups'
    """

    choice: str
    a: str
    b: str
    moved: float
    queries: int
    groups: int | None = None

    def __str__(self) -> str:
        if self.groups is None or abs(self.moved) < SAME:
            return f"{self.choice} {_signed(self.moved)}"
        return f"{self.choice} {_signed(self.moved)} in {self.groups} group{'' if self.groups == 1 else 's'}"


@dataclass(frozen=True)
class Moved:
    """A query under both conventions; None where one of them leaves it out.

    Parameters
    ----------
    query : str
        Its id.
    a, b : float or None
        Its value under the one and under the other.

    Examples
    --------
    >>> Moved("q1", 0.5, 1.0).by
    0.5
    """

    query: str
    a: float | None
    b: float | None

    @property
    def by(self) -> float:
        """How far it moved; one that is left out counts as 0."""
        return (self.b or 0.0) - (self.a or 0.0)


@dataclass(frozen=True)
class Explanation:
    """What makes two conventions differ on the same run.

    Parameters
    ----------
    measure : str
        The measure.
    a, b : str
        The conventions: names, or lines.
    mean_a, mean_b : float
        The two means.
    rows : tuple of Step
        The choices in which they differ, in the order they were changed. What they move adds up to the difference.
    queries : tuple of Moved
        The queries that moved, those that moved most first.
    evaluated : (int, int)
        How many queries each mean is over.

    Examples
    --------
    >>> qrels, run = {"q1": {"d1": 1}}, {"q1": {"d2": 0.5, "d1": 0.5}}
    >>> print(str(explain(qrels, run, "scikit-learn", "trec_eval")).splitlines()[0])
    0.8155 -> 0.6309: ties −0.1845 in 1 group; ideal 0; gain 0
    """

    measure: str
    a: str
    b: str
    mean_a: float
    mean_b: float
    rows: tuple[Step, ...]
    queries: tuple[Moved, ...]
    evaluated: tuple[int, int]

    def __str__(self) -> str:
        lines = [self._headline(), f"{self.measure} under {self.a} (a) and {self.b} (b)"]
        if self.evaluated[0] != self.evaluated[1]:
            lines.append(f"queries in the mean: {self.evaluated[0]} under a, {self.evaluated[1]} under b")
        if self.rows:
            head = ("choice", "a", "b", "moves the mean", "queries moved")
            cells = [(row.choice, row.a, row.b, _signed(row.moved, 6), str(row.queries)) for row in self.rows]
            lines += ["", *_table([head, *cells])]
        if self.queries:
            shown = self.queries[:MOST_QUERIES]
            values = [(row.query, _value(row.a), _value(row.b), _signed(row.by, 6)) for row in shown]
            lines += ["", *_table([("query", "a", "b", "moves"), *values])]
            if len(self.queries) > len(shown):
                lines.append(f"and {len(self.queries) - len(shown)} more queries that move less")
        return "\n".join(lines)

    def _headline(self) -> str:
        moving = [row for row in self.rows if not abs(row.moved) <= SAME]  # nan moves as well, and stands first
        moving.sort(key=lambda row: -math.inf if math.isnan(row.moved) else -abs(row.moved))
        named = {choice for row in moving for choice in row.choice.split("+")}
        said = [*map(str, moving), *(f"{choice} 0" for choice in ASKED_FOR if choice not in named)]
        return f"{self.mean_a:.4f} -> {self.mean_b:.4f}: {'; '.join(said)}"

    def as_json(self) -> dict[str, Any]:
        """The same as one JSON object; a mean without queries is null."""
        return {
            "measure": self.measure,
            "a": self.a,
            "b": self.b,
            "mean_a": _or_none(self.mean_a),
            "mean_b": _or_none(self.mean_b),
            "rows": [
                {"choice": row.choice, "a": row.a, "b": row.b, "moved": _or_none(row.moved), "queries": row.queries}
                | ({} if row.groups is None else {"groups": row.groups})
                for row in self.rows
            ],
            "queries": [{"query": row.query, "a": row.a, "b": row.b, "moved": row.by} for row in self.queries],
            "evaluated": list(self.evaluated),
        }


def explain(qrels: Any, run: Any, a: Convention | str, b: Convention | str, measure: str = "nDCG@10") -> Explanation:
    """Which choices make two conventions differ on the same run, and by how much.

    The choices in which the two differ are changed one after the other, in the order of ``str(convention)``; each is
    measured by what the mean does at its turn, so that all of them add up to the whole difference. A choice that a
    query refuses at its turn, or that would leave no query in the mean, waits for the others.

    Parameters
    ----------
    qrels, run : mapping, data frame or path
        As for `evaluate`.
    a, b : Convention or str
        The two conventions, or their names in `ndcg_ref.PRESETS`.
    measure : str, optional
        A measure in a spelling that belongs to no library.

    Returns
    -------
    Explanation
        `rows` are the choices, `queries` those that moved; ``str()`` of it is the table.

    Raises
    ------
    ValueError
        As for `evaluate`, under either convention; or if a name is unknown.
    TypeError
        As for `evaluate`.

    Examples
    --------
    >>> qrels, run = {"q1": {"d1": 1, "d3": 2}}, {"q1": {"d2": 0.7, "d1": 0.5}}
    >>> print(str(explain(qrels, run, "trec_eval", "scikit-learn")).splitlines()[0])
    0.2398 -> 0.6309: ideal +0.3911; ties 0; gain 0
    """
    start, end = as_named(a), as_named(b)
    given = as_mappings(qrels, "qrels", "grade"), as_mappings(run, "run", "score")

    def evaluated(convention: Convention) -> Result:
        return evaluate(*given, [measure], convention)

    first = now = evaluated(start)
    last = evaluated(end)
    steps, here = [], start
    waiting = [field.name for field in fields(Convention) if getattr(start, field.name) != getattr(end, field.name)]
    while waiting:
        for choices in ([choice] for choice in waiting):
            there = replace(here, **{choice: getattr(end, choice) for choice in choices})
            try:
                after = last if there == end else evaluated(there)
            except ValueError:
                continue
            if there == end or not math.isnan(after.mean[measure] - now.mean[measure]) or math.isnan(now.mean[measure]):
                break
        else:
            choices, there, after = list(waiting), end, last
        steps.append(_step(choices, here, there, now, after, measure, given))
        here, now = there, after
        waiting = [choice for choice in waiting if choice not in choices]
    moved = sorted(_moved(first, last, measure), key=lambda row: (-abs(row.by), row.query))
    return Explanation(
        measure=measure,
        a=str(a),
        b=str(b),
        mean_a=first.mean[measure],
        mean_b=last.mean[measure],
        rows=tuple(steps),
        queries=tuple(moved),
        evaluated=(_count(first, measure), _count(last, measure)),
    )


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


def _step(
    choices: list[str],
    here: Convention,
    there: Convention,
    now: Result,
    after: Result,
    measure: str,
    given: tuple[Any, Any],
) -> Step:
    words = ["+".join(str(getattr(side, choice)) for choice in choices) for side in (here, there)]
    return Step(
        choice="+".join(choices),
        a=words[0],
        b=words[1],
        moved=_difference(now.mean[measure], after.mean[measure]),
        queries=len(_moved(now, after, measure)),
        groups=_tied_groups(*given, measure, here, there) if {"ties", "scores"} & set(choices) else None,
    )


def _moved(before: Result, after: Result, measure: str) -> list[Moved]:
    """The queries whose value is another one, or that only one of the two counts."""
    sides = [{q: v for q, v in side.per_query[measure].items() if not math.isnan(v)} for side in (before, after)]
    rows = [Moved(query, sides[0].get(query), sides[1].get(query)) for query in {**sides[0], **sides[1]}]
    return [row for row in rows if row.a is None or row.b is None or abs(row.by) > SAME]


def _count(result: Result, measure: str) -> int:
    return sum(not math.isnan(value) for value in result.per_query[measure].values())


def _difference(before: float, after: float) -> float:
    """By how much a mean moved; 0 where there is none before and after."""
    return 0.0 if math.isnan(before) and math.isnan(after) else after - before


def _tied_groups(qrels: Any, run: Any, measure: str, *conventions: Convention) -> int:
    """Groups of equal scores, in the coarser precision of the two, in which the order of the documents matters."""
    coarse = any(convention.scores == "float32" for convention in conventions)
    last, asked = conventions[-1], parse(measure)
    groups = 0
    for query, judged in qrels.items():
        worth_at: dict[float, list[float]] = {}
        for document, score in run.get(query, {}).items():
            grade = judged.get(document)
            if last.unjudged == "drop" and (grade is None or (last.negative == "clamp" and _whole(grade, last) < 0)):
                continue
            worth = 0.0 if grade is None else _worth(grade, asked, last)
            worth_at.setdefault(as_float32(score) if coarse else float(score), []).append(worth)
        above = 0
        for score in sorted(worth_at, reverse=True):
            groups += len(set(worth_at[score])) > 1 and (asked.k is None or above < asked.k)
            above += len(worth_at[score])
    return groups


def _worth(grade: Any, asked: Measure, convention: Convention) -> float:
    """What a document of a grade adds to a measure, before any discount."""
    if asked.name in ("nDCG", "DCG"):
        return plain.gains([grade], convention)[0]
    if asked.name == "CG":
        return plain.gains([grade], replace(convention, gain="linear"))[0]
    return float(_whole(grade, convention) >= asked.rel)


def _whole(grade: Any, convention: Convention) -> Any:
    """A grade without its fraction, where the convention cuts it."""
    return math.trunc(grade) if convention.fractional == "truncate" else grade


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


def _table(rows: list[tuple[str, ...]]) -> list[str]:
    """Lines with the columns under each other."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def _signed(value: float, decimals: int = 4) -> str:
    """A difference with its sign, and 0 for none."""
    if abs(value) < SAME:
        return "0"
    if math.isnan(value):
        return "nan"
    return f"{value:+.{decimals}f}".replace("-", "−")


def _value(value: float | None) -> str:
    return "left out" if value is None else f"{value:.6f}"


def _or_none(value: float) -> float | None:
    return None if math.isnan(value) else value
