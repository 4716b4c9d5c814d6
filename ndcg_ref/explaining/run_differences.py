"""Explain what makes two numbers differ.

`explain` goes from one convention to another, one choice at a time, and reports how far each choice moves the mean.
"""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields, replace
from typing import Any

from ndcg_ref.conventions.convention import Convention, or_none
from ndcg_ref.conventions.presets import Excluded, in_lines
from ndcg_ref.conventions.spellings import Spelling, read_measures
from ndcg_ref.conventions.validation import counted
from ndcg_ref.formulas.batch import Batch
from ndcg_ref.runs.evaluation import evaluate, gathered, reads_as_trec_eval
from ndcg_ref.runs.inputs import Given, as_mappings, rereadable
from ndcg_ref.runs.values import BatchValues
from ndcg_ref.statistics.markup import SAME, aligned, signed

MOST_QUERIES = 10
ASKED_FOR = ("ties", "ideal", "gain")  # what people suspect first: always reported


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
            return f"{self.choice} {signed(self.moved)}"
        return f"{self.choice} {signed(self.moved)} in {counted(self.groups, 'group')}"

    def as_json(self) -> dict[str, Any]:
        """The change as a JSON object."""
        row = {"choice": self.choice, "a": self.a, "b": self.b, "moved": or_none(self.moved), "queries": self.queries}
        return row if self.groups is None else {**row, "groups": self.groups}


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
        lines = [headline(self.mean_a, self.mean_b, self.rows), f"{self.measure} under {self.a} (a) and {self.b} (b)"]
        if self.evaluated[0] != self.evaluated[1]:
            lines.append(f"queries in the mean: {self.evaluated[0]} under a, {self.evaluated[1]} under b")
        lines += in_lines(self.excluded)
        if self.rows:
            head = ("choice", "a", "b", "moves the mean", "queries moved")
            cells = [(row.choice, row.a, row.b, signed(row.moved, 6), str(row.queries)) for row in self.rows]
            lines += ["", *aligned([head, *cells])]
        if self.queries:
            shown = self.queries[:MOST_QUERIES]
            values = [(row.query, _value(row.a), _value(row.b), signed(row.by, 6)) for row in shown]
            lines += ["", *aligned([("query", "a", "b", "moves"), *values])]
            if len(self.queries) > len(shown):
                others = self.queries[MOST_QUERIES:]
                far = "less" if abs(others[0].by) < abs(shown[-1].by) else "no further"
                move = "query that moves" if len(others) == 1 else "queries that move"
                lines.append(f"and {len(others)} more {move} {far}")
        return "\n".join(lines)

    def as_json(self) -> dict[str, Any]:
        """The explanation as a JSON object; a mean without queries is null."""
        return {
            "measure": self.measure,
            "a": _recorded(self.a),
            "b": _recorded(self.b),
            "mean_a": or_none(self.mean_a),
            "mean_b": or_none(self.mean_b),
            "rows": [row.as_json() for row in self.rows],
            "queries": [{"query": row.query, "a": row.a, "b": row.b, "moved": row.by} for row in self.queries],
            "evaluated": list(self.evaluated),
            "only_trec_eval": self.only_trec_eval,
            "excluded": {preset: found._asdict() for preset, found in self.excluded.items()},
        }


def explain(
    qrels: Given,
    run: Given,
    a: Convention | str,
    b: Convention | str,
    measure: Spelling = "nDCG@10",
    *,
    check_swap: bool = True,
    engine: Any = None,
) -> Explanation:
    """Find the choices that make two conventions differ on the same run, and by how much.

    The choices in which the two differ are changed one after another, in the order of their parameters. Each is
    measured by how far it moves the mean at its turn, so that the moves add up to the whole difference. A choice that
    would make a query refused, or leave no query in the mean, is changed after the others.

    Parameters
    ----------
    qrels, run : mapping, data frame, iterable of tuples, or path
        As for `evaluate`.
    a, b : Convention or str
        The two conventions, or their names in `ndcg_ref.PRESETS`.
    measure : str or ir_measures.Measure, optional
        A measure in a spelling that belongs to no library, or an object of ir_measures.
    check_swap : bool, optional
        As for `evaluate`.
    engine : duckdb.DuckDBPyConnection or pyspark.sql.SparkSession, optional
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
    requested = [*read_measures(measure, a), *read_measures(measure, b)]
    measure = requested[0].measure.text
    start, end = (each.convention for each in requested)
    as_trec_eval = reads_as_trec_eval(requested)
    options = {"check_swap": check_swap, "engine": engine}
    judgments = as_mappings(qrels, "qrels", "grade", as_trec_eval, engine)
    run = rereadable(run, as_trec_eval, engine)
    on_the_way = [requested[0]._replace(convention=each, preset=None) for each in _between(start, end)]
    asked = [requested[0], *on_the_way, requested[1]]
    numbered = [each._replace(measure=each.measure._replace(text=str(i))) for i, each in enumerate(asked)]
    try:
        every = evaluate(judgments, run, numbered, **options)  # in one pass over the run
        known = {each.convention: (every, each.measure.text) for each in numbered}
    except ValueError:  # some convention refuses the data, so that they are read once for all
        run = as_mappings(run, "run", "score", as_trec_eval, engine)
        known = {each.convention: (evaluate(judgments, run, [each], **options), measure) for each in requested}

    def mean(convention: Convention) -> float:
        if convention not in known:
            known[convention] = evaluate(judgments, run, [measure], convention, **options), measure
        result, text = known[convention]
        return result.mean[text]

    def moved(before: Convention, after: Convention) -> list[Moved]:
        """The queries whose values differ, or that only one of the two counts."""
        a, b = (known[side][0].in_mean(known[side][1]) for side in (before, after))
        rows = [Moved(query, a.get(query), b.get(query)) for query in {**a, **b}]
        return [row for row in rows if row.a is None or row.b is None or abs(row.by) > SAME]

    def tied(before: Convention, after: Convention) -> int:
        coarse = "float32" in (before.scores, after.scores)
        convention = replace(after, ties="average", scores="float32" if coarse else "float64")
        asked = requested[0]._replace(convention=convention)

        def add(groups: list[int], batch: Batch) -> None:
            if batch.queries:
                groups.append(BatchValues(batch, asked.measure.k).tied_groups(asked.measure, convention))

        groups: list[int] = gathered(judgments, run, [asked], list, add, as_trec_eval=as_trec_eval, **options)
        return sum(groups)

    changes = []
    for choices, before, after in walk(start, end, mean):
        a_value, b_value = ("+".join(str(getattr(side, each)) for each in choices) for side in (before, after))
        undefined = math.isnan(mean(before)) and math.isnan(mean(after))
        by = 0.0 if undefined else mean(after) - mean(before)
        groups = tied(before, after) if {"ties", "scores"} & set(choices) else None
        changes.append(Change("+".join(choices), a_value, b_value, by, len(moved(before, after)), groups))
    (first, of_first), (last, of_last) = known[start], known[end]
    excluded = {**first.excluded, **last.excluded}
    return Explanation(
        measure=measure,
        a=a,
        b=b,
        mean_a=mean(start),
        mean_b=mean(end),
        rows=tuple(changes),
        queries=tuple(sorted(moved(start, end), key=lambda row: (-abs(row.by), row.query))),
        evaluated=(first.queries[of_first], last.queries[of_last]),
        only_trec_eval=first.only_trec_eval,
        excluded={name: of._replace(measures=(measure,) if of.measures else ()) for name, of in excluded.items()},
    )


def _differing(start: Convention, end: Convention) -> list[str]:
    return [field.name for field in fields(Convention) if getattr(start, field.name) != getattr(end, field.name)]


def _between(start: Convention, end: Convention) -> list[Convention]:
    """The conventions on the way that `walk` goes where nothing is refused."""
    names = _differing(start, end)
    return [replace(start, **{name: getattr(end, name) for name in names[:count]}) for count in range(1, len(names))]


def walk(
    start: Convention, end: Convention, value: Callable[[Convention], float]
) -> Iterator[tuple[tuple[str, ...], Convention, Convention]]:
    """Change the choices in which two conventions differ one after another, in the order of their parameters.

    A choice that would be refused at its turn, or leave no value, is changed after the others; if none can be changed
    alone, the rest is changed together. `value` is that of a convention; it refuses one with a ValueError.

    >>> a, b = Convention(), Convention(gain="exponential", discount="rank")
    >>> [(choices, str(after)) for choices, _, after in walk(a, b, lambda convention: 0.5)]
    [(('gain',), 'exponential gain, log2(rank + 1)'), (('discount',), 'exponential gain, discount rank')]
    """
    here = start
    while waiting := _differing(here, end):
        for choice in waiting:
            choices: tuple[str, ...] = (choice,)
            there = replace(here, **{choice: getattr(end, choice)})
            try:
                if there == end or not math.isnan(value(there)) or math.isnan(value(here)):
                    break
            except ValueError:
                continue
        else:
            choices, there = tuple(waiting), end
        yield choices, here, there
        here = there


def headline(before: float, after: float, rows: Iterable[Change]) -> str:
    """Both values, and what moves the first to the second: the largest move first.

    >>> headline(0.5, 0.75, [Change("gain", "linear", "binary", 0.25, 1)])
    '0.5000 -> 0.7500: gain +0.2500; ties 0; ideal 0'
    """
    moving = [row for row in rows if not abs(row.moved) <= SAME]  # nan counts as a move, and comes first
    moving.sort(key=lambda row: -math.inf if math.isnan(row.moved) else -abs(row.moved))
    named = {choice for row in moving for choice in row.choice.split("+")}
    said = [*map(str, moving), *(f"{choice} 0" for choice in ASKED_FOR if choice not in named)]
    return f"{before:.4f} -> {after:.4f}: {'; '.join(said)}"


def _value(value: float | None) -> str:
    return "left out" if value is None else f"{value:.6f}"


def _recorded(convention: Convention | str) -> str:
    return convention if isinstance(convention, str) else convention.signature()
