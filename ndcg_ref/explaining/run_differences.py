"""Explain what makes two numbers differ.

`explain` goes from one convention to another, one choice at a time, and reports how far each choice moves the mean.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from ndcg_ref.conventions.convention import Convention, or_none
from ndcg_ref.conventions.presets import Excluded, in_lines
from ndcg_ref.conventions.spellings import RequestedMeasure, Spelling, read_measures
from ndcg_ref.formulas.batch import Batch
from ndcg_ref.formulas.choices import SAME, Change, Turn, between, headline, moved_by, signed, walk
from ndcg_ref.runs.evaluation import evaluate, gathered, reads_as_trec_eval
from ndcg_ref.runs.inputs import Given, as_mappings, rereadable
from ndcg_ref.runs.result import Result
from ndcg_ref.runs.values import BatchValues
from ndcg_ref.statistics.markup import aligned

MOST_QUERIES = 10


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
            "excluded": {preset: found.as_json() for preset, found in self.excluded.items()},
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
    try:
        first, *others, last = _in_one_pass(judgments, run, requested, options)
    except ValueError:  # some convention refuses the data, so that they are read once for all
        run = as_mappings(run, "run", "score", as_trec_eval, engine)
        first, last = (evaluate(judgments, run, [each], **options) for each in requested)
        others = []
    known = dict(zip(between(start, end), others, strict=False))

    def evaluated(convention: Convention) -> Result:
        if convention in known:
            return known[convention]
        return evaluate(judgments, run, [measure], convention, **options)

    def tied(before: Convention, after: Convention) -> int:
        coarse = "float32" in (before.scores, after.scores)
        convention = replace(after, ties="average", scores="float32" if coarse else "float64")
        asked = requested[0]._replace(convention=convention)

        def add(groups: list[int], batch: Batch) -> None:
            if batch.queries:
                groups.append(BatchValues(batch, asked.measure.k).tied_groups(asked.measure, convention))

        groups: list[int] = gathered(judgments, run, [asked], list, add, as_trec_eval=as_trec_eval, **options)
        return sum(groups)

    turns = walk(start, end, first, last, evaluated, lambda result: result.mean[measure])
    changes = [_change(turn, measure, tied) for turn in turns]
    moved = sorted(_moved(first, last, measure), key=lambda row: (-abs(row.by), row.query))
    return Explanation(
        measure=measure,
        a=a,
        b=b,
        mean_a=first.mean[measure],
        mean_b=last.mean[measure],
        rows=tuple(changes),
        queries=tuple(moved),
        evaluated=(first.queries[measure], last.queries[measure]),
        only_trec_eval=first.only_trec_eval,
        excluded={**first.excluded, **last.excluded},
    )


def _in_one_pass(qrels: Any, run: Any, requested: list[RequestedMeasure], options: dict[str, Any]) -> list[Result]:
    """The results under the first convention, under each one on the way to the second, and under that."""
    first, last = requested
    on_the_way = between(first.convention, last.convention)
    asked = [first, *(first._replace(convention=convention, preset=None) for convention in on_the_way), last]
    named = [each._replace(measure=each.measure._replace(text=str(i))) for i, each in enumerate(asked)]
    every = evaluate(qrels, run, named, **options)
    measure = first.measure.text
    excluded = {
        name: found._replace(measures=(measure,) if found.measures else ()) for name, found in every.excluded.items()
    }
    return [
        replace(
            every,
            mean={measure: every.mean[each.measure.text]},
            per_query={measure: every.per_query[each.measure.text]},
            excluded=excluded,
        )
        for each in named
    ]


def _change(turn: Turn[Result], measure: str, tied: Callable[[Convention, Convention], int]) -> Change:
    moved = moved_by(turn.before.mean[measure], turn.after.mean[measure])
    queries = len(_moved(turn.before, turn.after, measure))
    return turn.change(moved, queries, lambda: tied(*turn.conventions))


def _moved(before: Result, after: Result, measure: str) -> list[Moved]:
    """The queries whose values differ, or that only one of the two counts."""
    sides = [side.in_mean(measure) for side in (before, after)]
    rows = [Moved(query, sides[0].get(query), sides[1].get(query)) for query in {**sides[0], **sides[1]}]
    return [row for row in rows if row.a is None or row.b is None or abs(row.by) > SAME]


def _value(value: float | None) -> str:
    return "left out" if value is None else f"{value:.6f}"


def _recorded(convention: Convention | str) -> str:
    return convention if isinstance(convention, str) else convention.signature()
