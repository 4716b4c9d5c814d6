"""What an evaluation gives: the mean of each measure, the value of each query, and the counts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ndcg_ref.conventions.convention import Convention, or_none
from ndcg_ref.conventions.presets import Excluded, in_lines
from ndcg_ref.conventions.spellings import unused_by, words_for
from ndcg_ref.conventions.validation import UnknownNameError, quoted, shortened
from ndcg_ref.statistics.markup import TextTable, WithTable, as_frame

if TYPE_CHECKING:
    from collections.abc import Iterator

COUNTS = ("judged", "evaluated", "missing", "extra", "without_ideal", "tied", "unjudged", "truncated")


@dataclass(frozen=True, kw_only=True, repr=False)
class Result(WithTable):
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
            raise UnknownNameError(f"measure: expected one of {shortened(', '.join(self.mean))}, got {quoted(measure)}")
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
            "excluded": {preset: found._asdict() for preset, found in self.excluded.items()},
        }

    @property
    def in_words(self) -> tuple[str, ...]:
        """For each convention a line: the measures that have it, and what a reader must know of it."""
        return tuple(
            f"{', '.join(measures)}: {words_for(measures[0], convention)}"
            for measures, convention in self._measures_of_each()
        )

    def _notes(self) -> tuple[str, ...]:
        """The conventions, and what is not covered."""
        return (*self.in_words, *in_lines(self.excluded))

    @property
    def table(self) -> TextTable:
        """The means as a table, as `to_markdown`, `to_latex` and `to_html` write it."""
        rows = tuple((measure, f"{mean:.4f}", str(self.queries[measure])) for measure, mean in self.mean.items())
        return TextTable(self.counted, ("measure", "mean", "queries"), rows, self._notes())

    def to_frame(self) -> Any:
        """The values as a data frame of pandas, with a row for each query and a column for each measure."""
        return as_frame("query", self.per_query)

    def _repr_html_(self) -> str:
        """The table, which notebooks show."""
        return self.to_html()

    def __repr__(self) -> str:
        width = max(map(len, self.mean))
        lines = [f"{measure:<{width}}  {value:.4f}" for measure, value in self.mean.items()]
        return "\n".join([*lines, self.counted, *self._notes()])
