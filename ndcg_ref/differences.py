"""Explain what makes two numbers differ.

`explain` goes from one convention to another, one choice at a time, and reports how far each choice moves the mean.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from typing import Any

from ndcg_ref import plain
from ndcg_ref.convention import Convention, as_float32
from ndcg_ref.excluded import Excluded
from ndcg_ref.runs import Result, as_mappings, evaluate, evaluate_asked, reads_as_trec_eval
from ndcg_ref.spellings import Measure, parse, read_measures

ASKED_FOR = ("ties", "ideal", "gain")  # what people suspect first: always reported
SAME = 1e-12  # sums in different orders differ by less
MOST_QUERIES = 10


@dataclass(frozen=True)
class Change:
    """A change of one choice on the way from one convention to another.

    Parameters
    ----------
    choice : str
        The name of the choice; several joined by "+" if they can only be changed together.
    a, b : str
        Its values before and after.
    moved : float
        By how much the mean moved; nan if there was none before or is none after.
    queries : int
        How many queries moved.
    groups : int or None
        For "ties" and "scores", how many groups of equal scores hold documents of different gain, one of them within
        the cutoff.

    Examples
    --------
    >>> str(Change("ties", "average", "id-descending", -0.0153, 2, 2))
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
    """The values of a query under both conventions; None if a convention leaves it out.

    Parameters
    ----------
    query : str
        Its id.
    a, b : float or None
        Its value under a and under b.

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
        """How far the value moved; a query that is left out counts as 0."""
        return (self.b or 0.0) - (self.a or 0.0)


@dataclass(frozen=True)
class Explanation:
    """The choices that make two conventions differ on the same run.

    Parameters
    ----------
    measure : str
        The measure.
    a, b : Convention or str
        The conventions, or their names.
    mean_a, mean_b : float
        The two means.
    rows : tuple of Change
        The choices in which they differ, in the order in which they were changed. Their moves add up to the difference.
    queries : tuple of Moved
        The queries that moved, the largest move first.
    evaluated : (int, int)
        The number of queries in each mean.
    only_trec_eval : dict of str to int
        As of `ndcg_ref.Result`.
    excluded : dict of str to Excluded
        As of `ndcg_ref.Result`, for both conventions.

    Examples
    --------
    >>> qrels, run = {"q1": {"d1": 1}}, {"q1": {"d2": 0.5, "d1": 0.5}}
    >>> print(str(explain(qrels, run, "scikit-learn", "trec_eval")).splitlines()[0])
    0.8155 -> 0.6309: ties −0.1845 in 1 group; ideal 0; gain 0
    """

    measure: str
    a: Convention | str
    b: Convention | str
    mean_a: float
    mean_b: float
    rows: tuple[Change, ...]
    queries: tuple[Moved, ...]
    evaluated: tuple[int, int]
    only_trec_eval: dict[str, int]
    excluded: dict[str, Excluded]

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
                others = self.queries[MOST_QUERIES:]
                far = "less" if abs(others[0].by) < abs(shown[-1].by) else "no further"
                move = "query that moves" if len(others) == 1 else "queries that move"
                lines.append(f"and {len(others)} more {move} {far}")
        return "\n".join(lines)

    def _headline(self) -> str:
        moving = [row for row in self.rows if not abs(row.moved) <= SAME]  # nan counts as a move, and comes first
        moving.sort(key=lambda row: -math.inf if math.isnan(row.moved) else -abs(row.moved))
        named = {choice for row in moving for choice in row.choice.split("+")}
        said = [*map(str, moving), *(f"{choice} 0" for choice in ASKED_FOR if choice not in named)]
        return f"{self.mean_a:.4f} -> {self.mean_b:.4f}: {'; '.join(said)}"

    def as_json(self) -> dict[str, Any]:
        """The explanation as a JSON object; a mean without queries is null."""
        return {
            "measure": self.measure,
            "a": _recorded(self.a),
            "b": _recorded(self.b),
            "mean_a": _or_none(self.mean_a),
            "mean_b": _or_none(self.mean_b),
            "rows": [
                {"choice": row.choice, "a": row.a, "b": row.b, "moved": _or_none(row.moved), "queries": row.queries}
                | ({} if row.groups is None else {"groups": row.groups})
                for row in self.rows
            ],
            "queries": [{"query": row.query, "a": row.a, "b": row.b, "moved": row.by} for row in self.queries],
            "evaluated": list(self.evaluated),
            "only_trec_eval": self.only_trec_eval,
            "excluded": {preset: found.as_json() for preset, found in self.excluded.items()},
        }


def explain(
    qrels: Any,
    run: Any,
    a: Convention | str,
    b: Convention | str,
    measure: str = "nDCG@10",
    *,
    check_swap: bool = True,
) -> Explanation:
    """Find the choices that make two conventions differ on the same run, and by how much.

    The choices in which the two differ are changed one after another, in the order of their parameters. Each is
    measured by how far it moves the mean at its turn, so that the moves add up to the whole difference. A choice that
    would make a query refused, or leave no query in the mean, is changed after the others.

    Parameters
    ----------
    qrels, run : mapping, data frame or path
        As for `evaluate`.
    a, b : Convention or str
        The two conventions, or their names in `ndcg_ref.PRESETS`.
    measure : str, optional
        A measure in a spelling that belongs to no library.
    check_swap : bool, optional
        As for `evaluate`.

    Returns
    -------
    Explanation
        `rows` are the choices, `queries` the queries that moved; ``str()`` of it is a table.

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
    asked = [*read_measures(measure, a), *read_measures(measure, b)]
    start, end = (each.convention for each in asked)
    as_trec_eval = reads_as_trec_eval(asked)
    given = as_mappings(qrels, "qrels", "grade", as_trec_eval), as_mappings(run, "run", "score", as_trec_eval)

    def evaluated(convention: Convention) -> Result:
        return evaluate(*given, [measure], convention, check_swap=check_swap)

    first = now = evaluate_asked(*given, asked[:1], check_swap=check_swap)
    last = evaluate_asked(*given, asked[1:], check_swap=check_swap)
    changes, here = [], start
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
        changes.append(_change(choices, here, there, now, after, measure, given))
        here, now = there, after
        waiting = [choice for choice in waiting if choice not in choices]
    moved = sorted(_moved(first, last, measure), key=lambda row: (-abs(row.by), row.query))
    return Explanation(
        measure=measure,
        a=a,
        b=b,
        mean_a=first.mean[measure],
        mean_b=last.mean[measure],
        rows=tuple(changes),
        queries=tuple(moved),
        evaluated=(_count(first, measure), _count(last, measure)),
        only_trec_eval=first.only_trec_eval,
        excluded={**first.excluded, **last.excluded},
    )


def _change(
    choices: list[str],
    here: Convention,
    there: Convention,
    now: Result,
    after: Result,
    measure: str,
    given: tuple[Any, Any],
) -> Change:
    words = ["+".join(str(getattr(side, choice)) for choice in choices) for side in (here, there)]
    return Change(
        choice="+".join(choices),
        a=words[0],
        b=words[1],
        moved=_difference(now.mean[measure], after.mean[measure]),
        queries=len(_moved(now, after, measure)),
        groups=_tied_groups(*given, measure, here, there) if {"ties", "scores"} & set(choices) else None,
    )


def _moved(before: Result, after: Result, measure: str) -> list[Moved]:
    """The queries whose values differ, or that only one of the two counts."""
    sides = [{q: v for q, v in side.per_query[measure].items() if not math.isnan(v)} for side in (before, after)]
    rows = [Moved(query, sides[0].get(query), sides[1].get(query)) for query in {**sides[0], **sides[1]}]
    return [row for row in rows if row.a is None or row.b is None or abs(row.by) > SAME]


def _count(result: Result, measure: str) -> int:
    return sum(not math.isnan(value) for value in result.per_query[measure].values())


def _difference(before: float, after: float) -> float:
    """By how much a mean moved; 0 if there is none before or after."""
    return 0.0 if math.isnan(before) and math.isnan(after) else after - before


def _tied_groups(qrels: Any, run: Any, measure: str, *conventions: Convention) -> int:
    """Groups of equal scores, in the coarser precision of the two, in which the order of documents matters."""
    coarse = any(convention.scores == "float32" for convention in conventions)
    last, asked = conventions[-1], parse(measure)
    groups = 0
    for query, judged in qrels.items():
        values_at: dict[float, list[float]] = {}
        for document, score in run.get(query, {}).items():
            grade = judged.get(document)
            if last.unjudged == "drop" and (grade is None or (last.negative == "clamp" and _whole(grade, last) < 0)):
                continue
            value = 0.0 if grade is None else _value_of(grade, asked, last)
            values_at.setdefault(as_float32(score) if coarse else float(score), []).append(value)
        ranked = 0
        for score in sorted(values_at, reverse=True):
            groups += len(set(values_at[score])) > 1 and (asked.k is None or ranked < asked.k)
            ranked += len(values_at[score])
    return groups


def _value_of(grade: Any, asked: Measure, convention: Convention) -> float:
    """What a document with a grade adds to a measure, before any discount."""
    if asked.name in ("nDCG", "DCG"):
        return plain.gains([grade], convention)[0]
    if asked.name == "CG":
        return plain.gains([grade], replace(convention, gain="linear"))[0]
    return float(_whole(grade, convention) >= asked.rel)


def _whole(grade: Any, convention: Convention) -> Any:
    """A grade, truncated if the convention says so."""
    return math.trunc(grade) if convention.fractional == "truncate" else grade


def _table(rows: list[tuple[str, ...]]) -> list[str]:
    """Lines with aligned columns."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def _signed(value: float, decimals: int = 4) -> str:
    """A difference with its sign, or 0 if there is none."""
    if abs(value) < SAME:
        return "0"
    if math.isnan(value):
        return "nan"
    return f"{value:+.{decimals}f}".replace("-", "−")


def _value(value: float | None) -> str:
    return "left out" if value is None else f"{value:.6f}"


def _recorded(convention: Convention | str) -> str:
    return convention if isinstance(convention, str) else convention.signature()


def _or_none(value: float) -> float | None:
    return None if math.isnan(value) else value
