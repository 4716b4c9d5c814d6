"""Compare runs: means over the same queries, and how sure each difference is.

A mean over other queries is another quantity: a run that lacks its worst queries has a higher mean. So `compare_runs`
takes every mean over the queries that count in all runs, and says how many those are.
"""

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations, count
from string import ascii_lowercase
from typing import Any, Literal, get_args

import numpy as np

from ndcg_ref.conventions.convention import Convention
from ndcg_ref.conventions.presets import Excluded, in_lines
from ndcg_ref.conventions.spellings import RequestedMeasure, Spellings, read_measures
from ndcg_ref.conventions.validation import finite_sum, quoted, shortened
from ndcg_ref.formulas.batch import Floats
from ndcg_ref.runs.evaluation import evaluate, reads_as_trec_eval
from ndcg_ref.runs.inputs import Given, as_mappings
from ndcg_ref.runs.result import Result
from ndcg_ref.runs.tallies import NothingSharedError
from ndcg_ref.statistics import significance
from ndcg_ref.statistics.markup import (
    SAME,
    Cell,
    Row,
    TextTable,
    WithTable,
    as_frame,
    as_html,
    as_text,
    signed,
)

Test = Literal["randomisation", "t", "bootstrap"]
MOST_MOVED = 3  # queries that gained, and that lost, in a table
LEVEL = 0.95
SURE, VERY_SURE = 0.05, 0.01  # corrected p values below these are marked in the table


@dataclass(frozen=True, kw_only=True)
class Pair:
    """Two runs on one measure, query by query.

    Parameters
    ----------
    measure : str
        The measure.
    a, b : str
        The names of the runs; every difference is b minus a.
    difference : float
        The mean difference.
    interval : tuple of float
        Its confidence interval of 95 %, by Student's t.
    effect : float
        Its effect size, Cohen's d of paired differences.
    p : float
        The p value of the test.
    corrected : float
        The p value by Holm's correction across all pairs of the measure, or those with the baseline if there is one.
    by_query : dict of str to float
        The difference of each query.

    Examples
    --------
    >>> qrels = {"q1": {"d1": 1}, "q2": {"d1": 1}}
    >>> one, other = {"q1": {"d1": 1}, "q2": {"d2": 1}}, {"q1": {"d1": 1}, "q2": {"d1": 1}}
    >>> pair = compare_runs(qrels, {"one": one, "other": other}, "P@1").pairs[0]
    >>> pair.difference, pair.gained, pair.lost
    (0.5, {'q2': 1.0}, {})
    """

    measure: str
    a: str
    b: str
    difference: float
    interval: tuple[float, float]
    effect: float
    p: float
    corrected: float
    by_query: dict[str, float]

    @property
    def name(self) -> str:
        """Both names: what is subtracted from what."""
        return f"{self.b} − {self.a}"

    @property
    def gained(self) -> dict[str, float]:
        """The queries on which b is ahead, the largest difference first."""
        return _largest_first({query: by for query, by in self.by_query.items() if by > 0})

    @property
    def lost(self) -> dict[str, float]:
        """The queries on which a is ahead, the largest difference first."""
        return _largest_first({query: by for query, by in self.by_query.items() if by < 0})

    def as_json(self) -> dict[str, Any]:
        """The pair as a JSON object; an effect size that is not finite is null."""
        return {
            **{name: getattr(self, name) for name in ("measure", "a", "b", "difference", "p", "corrected", "by_query")},
            "interval": list(self.interval),
            "effect": self.effect if math.isfinite(self.effect) else None,
        }


@dataclass(frozen=True)
class PairedTest:
    """The test of the p values, and what it draws."""

    name: Test
    resamples: int
    seed: int

    def __post_init__(self) -> None:
        if self.name not in get_args(Test):
            raise ValueError(f"test: expected one of {', '.join(map(repr, get_args(Test)))}, got {quoted(self.name)}")

    def p_value(self, differences: Floats) -> float:
        """The p value of paired differences."""
        if self.name == "t":
            return significance.t_test(differences)
        test = significance.randomisation_test if self.name == "randomisation" else significance.bootstrap_test
        return test(differences, resamples=self.resamples, seed=self.seed)

    def in_words(self, pairs: list[Pair]) -> str:
        """The test, and what it drew for these pairs."""
        if self.name == "t":
            return "paired t-test"
        if self.name == "bootstrap":
            return f"paired bootstrap test, {self.resamples} samples with seed {self.seed}"
        exact = [significance.is_exact(np.fromiter(pair.by_query.values(), np.float64)) for pair in pairs]
        every, some = "all choices of signs", f"{self.resamples} choices of signs with seed {self.seed}"
        if any(exact):
            some = (
                every if all(exact) else f"{some}, and {every} where at most {significance.MOST_EXACT} queries differ"
            )
        return f"paired randomisation test, {some}"


@dataclass(frozen=True, kw_only=True, repr=False)
class Comparison(WithTable):
    """Several runs, compared over the same queries.

    Parameters
    ----------
    results : dict of str to Result
        By run, its own evaluation.
    judged : int
        The number of judged queries.
    per_query : dict of str to dict of str to dict of str to float
        By measure, run and query, the values of the queries that count in all runs.
    left_out : dict of str to int
        By measure, the number of judged queries that do not count, as they have no value in some run.
    pairs : tuple of Pair
        Every two runs, for each measure; if there is a baseline, each other run with it.
    test : str
        The test that the p values are of, with what it drew.
    baseline : str or None
        The run that the others are compared with; None if every two are.

    Examples
    --------
    >>> qrels = {"q1": {"d1": 1}, "q2": {"d1": 1}, "q3": {"d1": 1}}
    >>> whole = {"q1": {"d1": 2, "d2": 1}, "q2": {"d1": 2}, "q3": {"d2": 2, "d1": 1}}
    >>> lacking = {"q1": {"d1": 2, "d2": 1}, "q2": {"d1": 2}}
    >>> compare_runs(qrels, {"whole": whole, "lacking": lacking}, "RR").queries
    {'RR': ['q1', 'q2']}
    """

    results: dict[str, Result]
    judged: int
    per_query: dict[str, dict[str, dict[str, float]]]
    left_out: dict[str, int]
    pairs: tuple[Pair, ...] = ()
    test: str = ""
    baseline: str | None = None

    @property
    def mean(self) -> dict[str, dict[str, float]]:
        """By measure and run, the mean over the queries that count in all runs."""
        return {
            measure: {run: finite_sum(values.values()) / len(values) for run, values in of_runs.items()}
            for measure, of_runs in self.per_query.items()
        }

    @property
    def queries(self) -> dict[str, list[str]]:
        """By measure, the queries of every mean."""
        return {measure: list(next(iter(values.values()))) for measure, values in self.per_query.items()}

    @property
    def missing(self) -> dict[str, int]:
        """By run, the number of judged queries that it lacks."""
        return {run: len(result.missing) for run, result in self.results.items()}

    @property
    def truncated(self) -> int:
        """How many fractional grades were truncated, in the run for which they are most."""
        return max(result.counts["truncated"] for result in self.results.values())

    @property
    def not_covered(self) -> list[str]:
        """For each run, the data that the presets of the measures do not cover, in words."""
        return [f"{run}: {line}" for run, result in self.results.items() for line in in_lines(result.excluded)]

    @property
    def conventions(self) -> dict[str, Convention]:
        """The convention of each measure."""
        return next(iter(self.results.values())).conventions

    @property
    def only_trec_eval(self) -> dict[str, dict[str, int]]:
        """By run, as of `ndcg_ref.Result`."""
        return {run: result.only_trec_eval for run, result in self.results.items()}

    @property
    def excluded(self) -> dict[str, dict[str, Excluded]]:
        """By run, as of `ndcg_ref.Result`."""
        return {run: result.excluded for run, result in self.results.items()}

    @property
    def table(self) -> TextTable:
        """The means as one table for a paper, as `to_markdown`, `to_latex` and `to_html` write it.

        It has a row for each run and a column for each measure, with the best in bold. Where there is a baseline, a
        dagger marks a mean whose corrected p value against it is below 0.05, and a double dagger one below 0.01. Else
        each run has a letter, and a mean has the letters of the runs that it is above with such a p value below 0.05.
        """
        named = (f"{letter}{number or ''}" for number in count() for letter in ascii_lowercase)  # a, …, z, a1, …
        letters = dict(zip(self.results, named, strict=False)) if self.baseline is None else {}
        shown = {name: {run: f"{mean:.4f}" for run, mean in means.items()} for name, means in self.mean.items()}
        best = {name: max(means.values()) for name, means in self.mean.items()}
        rows: tuple[Row, ...] = tuple(
            (
                *([letters[run]] if letters else []),
                run,
                *(
                    Cell(of_runs[run], of_runs[run] == f"{best[name]:.4f}", self._marks(name, run, letters))
                    for name, of_runs in shown.items()
                ),
            )
            for run in self.results
        )
        header = (*(["#"] if letters else []), "run", *shown)
        truncated = [f"truncated grades: {self.truncated}"] if self.truncated else []
        notes = (*self._counted, *next(iter(self.results.values())).in_words, *truncated, *self.not_covered)
        return TextTable(self._caption, header, rows, notes, names=2 if letters else 1)

    def _marks(self, measure: str, run: str, letters: Mapping[str, str]) -> str:
        """The daggers behind a mean, or the letters of the runs that it is above, if that is no surprise by chance."""
        pairs = [pair for pair in self.pairs if pair.measure == measure and run in (pair.a, pair.b)]
        if letters:
            below = {pair.a if pair.b == run else pair.b: pair for pair in pairs}
            return "".join(
                letters[other]
                for other, pair in below.items()
                if pair.corrected < SURE and (pair.difference > 0) == (pair.b == run)
            )
        p = min((pair.corrected for pair in pairs if run == pair.b), default=1.0)
        return "‡" if p < VERY_SURE else "†" if p < SURE else ""

    @property
    def _caption(self) -> str:
        """What the means are over, and what the marks say: test, correction, number of queries."""
        numbers = {measure: len(queries) for measure, queries in self.queries.items()}
        if len(set(numbers.values())) == 1:
            over = f"{', '.join(numbers)} over the same {next(iter(numbers.values()))} queries"
        else:
            over = f"over the same queries: {', '.join(f'{name} {number}' for name, number in numbers.items())}"
        if not self.pairs:
            return over
        tests = len(self.pairs) // len(numbers)
        corrected = f", with Holm's correction for {tests} tests of a measure" if tests > 1 else ""
        marks = f"a letter: above that run, p < {SURE}"
        if self.baseline is not None:
            marks = f"against {self.baseline}: † p < {SURE}, ‡ p < {VERY_SURE}"
        return f"{over}; {marks} by the {self.test}{corrected}"

    def to_text(self) -> str:
        r"""The comparison as aligned columns: the table, the differences, and the queries that moved most.

        >>> qrels = {"q1": {"d1": 1}, "q2": {"d1": 1}}
        >>> one, other = {"q1": {"d1": 1}, "q2": {"d2": 1}}, {"q1": {"d1": 1}, "q2": {"d1": 1}}
        >>> print(*compare_runs(qrels, {"one": one, "other": other}, "P@1").to_text().splitlines()[1:6], sep="\n")
        #  run        P@1
        a  one     0.5000
        b  other  *1.0000
        *: the best of its column
        all 2 judged queries count
        """
        return "\n\n".join(map(as_text, self._tables()))

    def __repr__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        """The table, the differences, and the queries that moved most, which notebooks show."""
        return "\n".join(map(as_html, self._tables()))

    def to_frame(self) -> Any:
        """The table as a data frame of pandas, with a row for each run and a column for each measure.

        Where there is a baseline, four more columns for each measure have the numbers of queries that gained and lost,
        the p value, and the corrected one, by the names that PyTerrier's ``Experiment`` gives them.
        """
        columns: dict[str, dict[str, Any]] = {**self.mean}
        for measure in self.mean if self.baseline is not None else ():
            pairs = {pair.b: pair for pair in self.pairs if pair.measure == measure}
            columns[f"{measure} +"] = {run: len(pair.gained) for run, pair in pairs.items()}
            columns[f"{measure} -"] = {run: len(pair.lost) for run, pair in pairs.items()}
            columns[f"{measure} p-value"] = {run: pair.p for run, pair in pairs.items()}
            columns[f"{measure} p-value corrected"] = {run: pair.corrected for run, pair in pairs.items()}
        return as_frame("run", columns)

    def plot(self, path: str | os.PathLike[str] | None = None) -> Any:
        """Draw the differences of each pair as bars, a query each, sorted, with the names of the worst queries.

        It needs matplotlib (``pip install 'ndcg-ref[plot]'``). The figure is returned, and stored where a path is
        given, whose ending says the format, such as ``.pdf``.
        """
        from ndcg_ref.compare.plotting import figure_of

        figure = figure_of(self.pairs)
        if path is not None:
            figure.savefig(path)
        return figure

    def as_json(self) -> dict[str, Any]:
        """The comparison as a JSON object."""
        return {
            "measures": {
                name: {"mean": means, "queries": self.queries[name], "convention": self.conventions[name].signature()}
                for name, means in self.mean.items()
            },
            "pairs": [pair.as_json() for pair in self.pairs],
            **{name: getattr(self, name) for name in ("per_query", "test", "baseline", "judged", "left_out")},
            **{name: getattr(self, name) for name in ("missing", "truncated", "only_trec_eval")},
            "excluded": {
                run: {preset: excluded._asdict() for preset, excluded in of_run.items()}
                for run, of_run in self.excluded.items()
            },
        }

    def _tables(self) -> list[TextTable]:
        """The means, the differences, and the queries that moved most."""
        return [self.table, self._differences(), self._moved()]

    @property
    def _counted(self) -> list[str]:
        """How many of the judged queries count, and how those are treated that a run lacks."""
        measures_of: dict[int, list[str]] = {}
        for measure, left_out in self.left_out.items():
            measures_of.setdefault(left_out, []).append(measure)
        lacking = ", ".join(f"{run} lacks {count}" for run, count in self.missing.items() if count)
        lines = []
        for left_out, measures in measures_of.items():
            counting_0 = f"; one that a run lacks counts 0 for it ({lacking})" if lacking else ""
            line = f"all {self.judged} judged queries count{counting_0}"
            if left_out:
                line = (
                    f"{self.judged - left_out} of {self.judged} judged queries count; {left_out} without a value in "
                    f"some run are left out for all{f' ({lacking})' if lacking else ''}"
                )
            lines.append(line if len(measures_of) == 1 else f"{', '.join(measures)}: {line}")
        return lines

    def _differences(self) -> TextTable:
        header = ["measure", "pair", "difference", f"{LEVEL:.0%} interval", "effect size", "p"]
        notes = [f"p: {self.test}", "interval: Student's t; effect size: mean by standard deviation of the differences"]
        tests = len(self.pairs) // len(self.per_query)
        if tests > 1:
            header.append("Holm")
            notes.append(f"Holm: p corrected for {tests} pairs")
        rows = [
            (
                pair.measure,
                pair.name,
                signed(pair.difference),
                " to ".join(map(signed, pair.interval)),
                signed(pair.effect, 2),
                _as_p(pair.p),
                _as_p(pair.corrected),
            )[: len(header)]
            for pair in self.pairs
        ]
        return TextTable("how far the runs differ", tuple(header), tuple(rows), tuple(notes), names=2)

    def _moved(self) -> TextTable:
        """The queries that gained and lost most, of each pair."""

        def listed(moved: Mapping[str, float]) -> str:
            return ", ".join(f"{query} {signed(by, 3)}" for query, by in list(moved.items())[:MOST_MOVED]) or "none"

        rows = tuple(
            (
                pair.measure,
                pair.name,
                str(len(pair.gained)),
                str(len(pair.lost)),
                listed(pair.gained),
                listed(pair.lost),
            )
            for pair in self.pairs
        )
        header = ("measure", "pair", "gained", "lost", "gained most", "lost most")
        return TextTable("the queries that gained and lost most", header, rows, names=2)


def compare_runs(  # noqa: PLR0913 - what `evaluate` takes, and the test
    qrels: Given,
    runs: Mapping[str, Given],
    measures: Spellings = ("nDCG@10",),
    convention: Convention | str | None = None,
    *,
    baseline: str | None = None,
    test: Test = "randomisation",
    resamples: int = significance.RESAMPLES,
    seed: int = 0,
    check_swap: bool = True,
    engine: Any = None,
) -> Comparison:
    r"""Compare runs over the same queries.

    A mean is taken over the queries that have a value in every run. The convention says what a query is that a run
    lacks: under ``missing="zero"`` it counts 0 for this run, under "skip" it is left out for all runs, and under
    "error" it is refused. A query that has no value in one run, for want of a relevant document, is left out for all.

    Parameters
    ----------
    qrels : mapping, data frame, iterable of tuples, or path
        Judgments, as for `evaluate`.
    runs : mapping of str to mapping, data frame, iterable of tuples, or path
        The runs, as for `evaluate`, by their names; at least two.
    measures : str, ir_measures.Measure, or iterable of these, optional
        The measures, as for `evaluate`.
    convention : Convention or str, optional
        The convention, as for `evaluate`.
    baseline : str, optional
        The name of the run to compare each other one with; without it, every two runs are compared.
    test : {"randomisation", "t", "bootstrap"}, optional
        The paired test that gives the p values. Choose it before you look at any of them, and keep it.
    resamples : int, optional
        How many choices of signs the randomisation test draws, if there are 2^20 or more, or samples the bootstrap.
    seed : int, optional
        The seed of what is drawn. Each pair draws from the seed anew, so that other runs do not change its p value; and
        for the queries in the order of their names, q9 before q10, so that it is the same from text and from tables.
    check_swap : bool, optional
        As for `evaluate`.
    engine : duckdb.DuckDBPyConnection or pyspark.sql.SparkSession, optional
        As for `evaluate`.

    Returns
    -------
    Comparison
        Means, and for each pair of runs the difference with its interval, effect size and p values.

    Raises
    ------
    ValueError
        As for `evaluate`; or if there are fewer than two runs, or fewer than two queries that count in all of them, or
        no run has the name of the baseline.
    TypeError
        As for `evaluate`; or if the runs have no names.

    References
    ----------
    Smucker, Allan and Carterette 2007, Proceedings of CIKM, pages 623-632.

    Examples
    --------
    Three queries, and dense finds the only relevant document earlier on two of them:

    >>> qrels = {"q1": {"d1": 1}, "q2": {"d1": 1}, "q3": {"d1": 1}}
    >>> bm25 = {"q1": {"d2": 2, "d1": 1}, "q2": {"d2": 2, "d1": 1}, "q3": {"d1": 1}}
    >>> dense = {"q1": {"d1": 1}, "q2": {"d1": 1}, "q3": {"d1": 1}}
    >>> comparison = compare_runs(qrels, {"bm25": bm25, "dense": dense}, "RR")
    >>> comparison.mean
    {'RR': {'bm25': 0.6666666666666666, 'dense': 1.0}}

    Of the four choices of signs of two differences, two lead as far:

    >>> comparison.pairs[0].p
    0.5

    One table for a paper has the best in bold:

    >>> print(*comparison.to_markdown().splitlines()[2:6], sep="\n")
    | \# | run | RR |
    | :-- | :-- | --: |
    | a | bm25 | 0.6667 |
    | b | dense | **1.0000** |
    """
    requested, paired = read_measures(measures, convention), PairedTest(test, resamples, seed)
    if baseline is not None and baseline not in _named(runs):
        raise ValueError(f"baseline: expected one of {shortened(', '.join(runs))}, got {quoted(baseline)}")
    comparison = over_same_queries(qrels, _named(runs), requested, check_swap=check_swap, engine=engine)
    for measure, queries in comparison.queries.items():
        if len(queries) < 2:
            hint = "" if queries else " (parts of one run? a pattern such as 'run-*.parquet' reads them as one)"
            raise ValueError(
                f"runs: expected at least 2 queries with a value of {measure} in every run, got {len(queries)}{hint}"
            )
    chosen = list(combinations(runs, 2))
    if baseline is not None:
        chosen = [(baseline, run) for run in runs if run != baseline]
    pairs = [
        pair for measure, values in comparison.per_query.items() for pair in _pairs(measure, values, chosen, paired)
    ]
    return replace(comparison, pairs=tuple(pairs), test=paired.in_words(pairs), baseline=baseline)


def over_same_queries(
    qrels: Given, runs: Mapping[str, Given], requested: list[RequestedMeasure], *, check_swap: bool, engine: Any = None
) -> Comparison:
    """The values of runs on the queries that count in all of them, without a test.

    >>> one = {"q1": {"d1": 1}, "q2": {"d1": 1}}
    >>> runs = {"one": one, "lacking": {"q1": {"d1": 0.5}}}
    >>> over_same_queries(one, runs, read_measures("P@1"), check_swap=True).queries
    {'P@1': ['q1']}
    """
    judgments = as_mappings(qrels, "qrels", "grade", reads_as_trec_eval(requested), engine)
    results = {}
    for name, run in runs.items():
        try:
            results[name] = evaluate(judgments, run, requested, check_swap=check_swap, engine=engine)
        except NothingSharedError as error:
            raise ValueError(f"{shortened(name)}: {error.problem}") from None
        except (TypeError, ValueError) as error:
            error.add_note(f"in the run {quoted(name)}")
            raise
    per_query = {measure.text: _shared(results, measure.text) for measure, *_ in requested}
    return Comparison(
        results=results,
        judged=len(judgments),
        per_query=per_query,
        left_out={
            measure: sum(query not in next(iter(values.values())) for query in judgments)
            for measure, values in per_query.items()
        },
    )


def _named(runs: Any) -> Mapping[str, Any]:
    """The runs; refused if there are fewer than two, or one has no name."""
    if not isinstance(runs, Mapping):
        raise TypeError(f"runs: expected a dict of name to run, got a {type(runs).__name__}")
    if len(runs) < 2:
        raise ValueError(f"runs: expected at least two to compare, got {len(runs)}")
    for name in runs:
        if not isinstance(name, str):
            raise TypeError(f"runs: expected text as the name of a run, got {quoted(name)}")
    return runs


def _shared(results: Mapping[str, Result], measure: str) -> dict[str, dict[str, float]]:
    """The values, by run, of the queries that have a value in every run.

    They are in the order of their names, q9 before q10: a table has none, and what a test draws depends on it.
    """
    first, *others = values = [result.in_mean(measure) for result in results.values()]
    queries = sorted(
        (each for each in first if all(each in other for other in others)), key=lambda each: (len(each), each)
    )
    return {run: {query: of_run[query] for query in queries} for run, of_run in zip(results, values, strict=True)}


def _pairs(
    measure: str, values: Mapping[str, Mapping[str, float]], chosen: list[tuple[str, str]], test: PairedTest
) -> list[Pair]:
    """The chosen pairs of runs, in their order."""
    arrays = {run: np.fromiter(of_run.values(), np.float64) for run, of_run in values.items()}
    queries = list(next(iter(values.values())))
    pairs = []
    for a, b in chosen:
        by = arrays[b] - arrays[a]
        by[abs(by) <= SAME] = 0.0  # sums in another order
        p = test.p_value(by)
        pairs.append(
            Pair(
                measure=measure,
                a=a,
                b=b,
                difference=finite_sum(by) / by.size,
                interval=significance.t_interval(by, LEVEL),
                effect=significance.effect_size(by),
                p=p,
                corrected=p,
                by_query=dict(zip(queries, by.tolist(), strict=True)),
            )
        )
    corrected = significance.holm([pair.p for pair in pairs])
    return [replace(pair, corrected=by_holm) for pair, by_holm in zip(pairs, corrected, strict=True)]


def _largest_first(differences: dict[str, float]) -> dict[str, float]:
    return dict(sorted(differences.items(), key=lambda row: -abs(row[1])))


def _as_p(p: float) -> str:
    return "below 0.0001" if p < 0.00005 else f"{p:.4f}"
