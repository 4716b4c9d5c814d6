"""What an evaluation gives: the mean of each measure, the value of each query, and the counts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from ndcg_ref.conventions.convention import Convention, or_none
from ndcg_ref.conventions.excluded import Excluded, in_lines
from ndcg_ref.conventions.spellings import unused_by, words_for
from ndcg_ref.conventions.validation import quoted, shortened
from ndcg_ref.statistics.markup import TextTable, as_html, as_latex, as_markdown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pandas import DataFrame

COUNTS = ("judged", "evaluated", "missing", "extra", "without_ideal", "tied", "unjudged", "truncated")


@dataclass(frozen=True, kw_only=True, repr=False)
class Result:
    """The values of a run: for each measure the mean and the value of each query, and the counts.

    ``result["nDCG@10"]`` is the mean of a measure, and a loop over the result gives the measures.

    Parameters
    ----------
    mean : dict of str to float
        Mean over the queries that have a value, by measure as it was spelled; nan if none has.
    per_query : dict of str to dict of str to float
        Value of each query, by measure; nan for a query without ideal gain that the mean leaves out, and for
        Judged of a query that retrieved nothing.
    dcg, idcg : dict of str to dict of str to float
        Numerator and denominator of each NDCG, by measure.
    counts : dict of str to int
        *judged*: queries with judgments; *evaluated*: queries that count in the mean; *missing*:
        judged queries that the run lacks; *extra*: queries of the run that nobody judged; *without_ideal*: queries of
        both without ideal gain (without a relevant document, for AP, P, RR and their like); *tied*: queries in which a
        judged document within the cutoff shares its score with another document; *unjudged*: documents within the
        cutoff that nobody judged, in all queries, with averaged ties in the order of "id-descending";
        *truncated*: fractional grades that the convention truncates, in queries of both. If measures differ, the
        largest number.
    conventions : dict of str to Convention
        The convention of each measure.
    only_trec_eval : dict of str to int
        How many lines were read as only trec_eval reads them: in *qrels* those with an exponent in the grade, which it
        ignores, and in the *run* those with a tag of several words.
    excluded : dict of str to Excluded
        For each preset that a measure is computed under, by its full name: what of these data it is not held to.
    missing : tuple of str
        The judged queries that the run lacks.

    Examples
    --------
    >>> from ndcg_ref import evaluate
    >>> result = evaluate({"q1": {"d1": 1, "d2": 0}}, {"q1": {"d2": 1.5, "d1": 0.5}}, ["DCG", "P@1"])
    >>> result.mean
    {'DCG': 0.6309297535714575, 'P@1': 0.0}
    >>> [(measure, result[measure]) for measure in result]
    [('DCG', 0.6309297535714575), ('P@1', 0.0)]
    """

    mean: dict[str, float]
    per_query: dict[str, dict[str, float]]
    dcg: dict[str, dict[str, float]]
    idcg: dict[str, dict[str, float]]
    counts: dict[str, int]
    conventions: dict[str, Convention]
    only_trec_eval: dict[str, int]
    excluded: dict[str, Excluded]
    missing: tuple[str, ...]

    def __getitem__(self, measure: str) -> float:
        """The mean of a measure."""
        return self.mean[self._known(measure)]

    def __iter__(self) -> Iterator[str]:
        """The measures, in the order in which they were asked for."""
        return iter(self.mean)

    def __len__(self) -> int:
        """The number of measures."""
        return len(self.mean)

    @property
    def queries(self) -> dict[str, int]:
        """The number of queries in each mean, by measure."""
        return {measure: len(self.in_mean(measure)) for measure in self}

    def in_mean(self, measure: str) -> dict[str, float]:
        """The queries in the mean of a measure, and their values."""
        values = self.per_query[self._known(measure)]
        return {query: value for query, value in values.items() if not math.isnan(value)}

    @property
    def convention(self) -> Convention:
        """The convention that all measures share; a ValueError if they differ."""
        first, *others = dict.fromkeys(self.conventions.values())
        if others:
            raise ValueError(f"convention: the measures have {len(others) + 1} (`conventions` has that of each)")
        return first

    @property
    def counted(self) -> str:
        """The counts in words, on one line."""
        return ", ".join(f"{self.counts[name]} {name.replace('_', ' ')}" for name in COUNTS)

    @property
    def signatures(self) -> list[str]:
        """For each convention a line: the measures that have it, and all the choices that they use."""
        return [
            f"{', '.join(measures)}: {convention.signature(unused_by(measures[0]))}"
            for measures, convention in self._measures_of_each()
        ]

    def _known(self, measure: str) -> str:
        """The measure, or a refusal of one that was not evaluated."""
        if measure not in self.mean:
            raise UnknownMeasureError(measure, self.mean)
        return measure

    def _measures_of_each(self) -> list[tuple[list[str], Convention]]:
        """The measures that use the same choices of the same convention, and this convention."""
        measures: dict[tuple[Convention, tuple[str, ...]], list[str]] = {}
        for measure, convention in self.conventions.items():
            measures.setdefault((convention, unused_by(measure)), []).append(measure)
        return [(names, convention) for (convention, _), names in measures.items()]

    def as_json(self) -> dict[str, Any]:
        """The result as a JSON object, with null for nan."""
        shared = len(set(self.conventions.values())) == 1
        return {
            "measures": {measure: or_none(value) for measure, value in self.mean.items()},
            "queries": self.queries,
            "per_query": {
                measure: {query: or_none(value) for query, value in values.items()}
                for measure, values in self.per_query.items()
            },
            "counts": self.counts,
            "convention": self.convention.signature() if shared else "; ".join(self.signatures),
            "only_trec_eval": self.only_trec_eval,
            "excluded": {preset: found.as_json() for preset, found in self.excluded.items()},
        }

    def interval(
        self, measure: str, method: Literal["bootstrap", "t"] = "bootstrap", *, level: float = 0.95, seed: int = 0
    ) -> tuple[float, float]:
        """The confidence interval of the mean of a measure, for other queries of the same kind.

        Parameters
        ----------
        measure : str
            The measure, as it was spelled.
        method : {"bootstrap", "t"}, optional
            The percentiles of the means of drawn samples, see `ndcg_ref.statistics.significance.bootstrap_interval`, or
            Student's t, see `ndcg_ref.statistics.significance.t_interval`.
        level : float, optional
            The level of confidence, between 0 and 1.
        seed : int, optional
            The seed of the samples.

        Returns
        -------
        tuple of float
            The ends of the interval.

        Raises
        ------
        ValueError
            If the measure was not evaluated, fewer than two queries have a value, the method is unknown, or the level
            is not between 0 and 1.
        TypeError
            If the level or the seed is no number.

        Examples
        --------
        The mean is 1/2 and its standard error 1/2; a t of one degree of freedom stays within 1 half of the time:

        >>> from ndcg_ref import evaluate
        >>> result = evaluate({"q1": {"a": 1}, "q2": {"a": 1}}, {"q1": {"a": 1.0}, "q2": {"b": 1.0}}, "P@1")
        >>> low, high = result.interval("P@1", "t", level=0.5)
        >>> round(low, 12), round(high, 12)
        (0.0, 1.0)
        """
        from ndcg_ref.statistics.significance import bootstrap_interval, t_interval

        values = list(self.in_mean(measure).values())
        if method not in ("bootstrap", "t"):
            raise ValueError(f"method: expected 'bootstrap' or 't', got {quoted(method)}")
        if len(values) < 2:
            raise ValueError(
                f"{measure}: expected at least two queries with a value for an interval, got {len(values)}"
            )
        if method == "t":
            return t_interval(values, level)
        return bootstrap_interval(values, level, seed=seed)

    def to_frame(self, *, long: bool = False, run: str | None = None) -> DataFrame:
        """The values of the queries as a data frame of pandas; the counts are in its ``attrs["counts"]``.

        Parameters
        ----------
        long : bool, optional
            Whether each value has a row of its own, with the columns *query*, *measure* and *value*. Otherwise each
            query has a row, and each measure a column.
        run : str, optional
            The name of the run, for a first column *run*, so that the frames of several runs can be joined.

        Returns
        -------
        pandas.DataFrame
            The values, in the order of the judgments.

        Raises
        ------
        ImportError
            If pandas is not installed.

        Examples
        --------
        >>> from ndcg_ref import evaluate
        >>> result = evaluate({"q1": {"d1": 1}, "q2": {"d1": 1}}, {"q1": {"d1": 0.5}}, ["RR", "P@2"])
        >>> print(result.to_frame(long=True, run="bm25"))
            run query measure  value
        0  bm25    q1      RR    1.0
        1  bm25    q1     P@2    0.5
        >>> result.to_frame().attrs["counts"]["missing"]
        1
        """
        try:
            import pandas
        except ImportError:
            raise ImportError("to_frame: expected pandas to be installed (`per_query` needs nothing)") from None
        if long:
            queries = dict.fromkeys(query for values in self.per_query.values() for query in values)
            rows = [
                (query, measure, values[query])
                for query in queries
                for measure, values in self.per_query.items()
                if query in values
            ]
            frame = pandas.DataFrame(rows, columns=["query", "measure", "value"])
        else:
            frame = pandas.DataFrame(self.per_query).rename_axis("query")
        if run is not None:
            frame.insert(0, "run", run)
        frame.attrs["counts"] = dict(self.counts)
        return frame

    def to_latex(self) -> str:
        r"""The means as a table of LaTeX, with the rules of the package booktabs.

        Returns
        -------
        str
            A ``table`` with a row for each measure; its caption has the counts and the conventions.

        Examples
        --------
        >>> from ndcg_ref import evaluate
        >>> print(evaluate({"q1": {"d1": 1}}, {"q1": {"d1": 0.5}}, "ndcg_cut_10").to_latex().splitlines()[7])
        ndcg\_cut\_10 & 1.0000 & 1 \\
        """
        return as_latex(self._table())

    def to_markdown(self) -> str:
        """The means as a table of Markdown, with the counts and the conventions below it.

        Returns
        -------
        str
            A table with a row for each measure.

        Examples
        --------
        >>> from ndcg_ref import evaluate
        >>> print(evaluate({"q1": {"d1": 1}}, {"q1": {"d1": 0.5}}, "P@1").to_markdown().partition("1 judged")[0])
        | measure | mean | queries |
        | :-- | --: | --: |
        | P@1 | 1.0000 | 1 |
        <BLANKLINE>
        <BLANKLINE>
        """
        return as_markdown(self._table())

    def _table(self) -> TextTable:
        rows = tuple((measure, f"{mean:.4f}", str(self.queries[measure])) for measure, mean in self.mean.items())
        return TextTable(self.counted, ("measure", "mean", "queries"), rows, self._notes())

    def _notes(self) -> tuple[str, ...]:
        """For each convention a line, the measures that have it and what a reader must know; what is not covered."""
        conventions = [
            f"{', '.join(measures)}: {words_for(measures[0], convention)}"
            for measures, convention in self._measures_of_each()
        ]
        return (*conventions, *in_lines(self.excluded))

    def plot(self, measure: str | None = None) -> Any:
        """Plot the value of each query, highest first, and the mean, with matplotlib; returns the axes."""
        import matplotlib.pyplot as plt

        name = next(iter(self)) if measure is None else measure
        values = sorted(self.in_mean(name).values(), reverse=True)
        _, axes = plt.subplots()
        axes.plot(range(1, len(values) + 1), values, "o", markersize=4, label="a query")
        axes.axhline(self.mean[name], linestyle="--", color="black", label=f"mean {self.mean[name]:.4f}")
        axes.set(xlabel="queries, best first", ylabel=name, title=f"{name} of {len(values)} queries")
        axes.legend()
        return axes

    def _repr_html_(self) -> str:
        """The means as a table, which notebooks show."""
        return as_html(self._table())

    def __repr__(self) -> str:
        width = max(map(len, self.mean))
        lines = [f"{measure:<{width}}  {value:.4f}" for measure, value in self.mean.items()]
        return "\n".join([*lines, self.counted, *self._notes()])


class UnknownMeasureError(KeyError, ValueError):
    """A result has no such measure."""

    def __init__(self, measure: object, known: Iterable[str]) -> None:
        super().__init__(f"measure: expected one of {shortened(', '.join(known))}, got {quoted(measure)}")

    def __str__(self) -> str:
        return str(self.args[0])
