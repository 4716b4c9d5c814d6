"""What an evaluation gives: the mean of each measure, the value of each query, and the counts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from ndcg_ref.convention import Convention
from ndcg_ref.excluded import Excluded
from ndcg_ref.validation import quoted, shortened

COUNTS = ("judged", "evaluated", "missing", "extra", "without_ideal", "tied", "unjudged")


@dataclass(frozen=True, kw_only=True, repr=False)
class Result:
    """The values of a run: for each measure the mean and the value of each query, and the counts.

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
        cutoff that nobody judged, in all queries, with averaged ties in the order of "id-descending". If measures
        differ, the largest number.
    conventions : dict of str to Convention
        The convention of each measure.
    only_trec_eval : dict of str to int
        How many lines were read as only trec_eval reads them: in *qrels* those with an exponent in the grade, which it
        ignores, and in the *run* those with a tag of several words.
    excluded : dict of str to Excluded
        For each preset that a measure is computed under, by its full name: what of these data it is not held to.

    Examples
    --------
    >>> from ndcg_ref import evaluate
    >>> result = evaluate({"q1": {"d1": 1, "d2": 0}}, {"q1": {"d2": 1.5, "d1": 0.5}}, ["DCG", "P@1"])
    >>> result.mean
    {'DCG': 0.6309297535714575, 'P@1': 0.0}
    """

    mean: dict[str, float]
    per_query: dict[str, dict[str, float]]
    dcg: dict[str, dict[str, float]]
    idcg: dict[str, dict[str, float]]
    counts: dict[str, int]
    conventions: dict[str, Convention]
    only_trec_eval: dict[str, int]
    excluded: dict[str, Excluded]

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
        """For each convention a line: the measures that have it, and all its choices."""
        return [f"{names}: {convention.signature()}" for names, convention in self._measures_of_each()]

    def _measures_of_each(self) -> list[tuple[str, Convention]]:
        measures: dict[Convention, list[str]] = {}
        for measure, convention in self.conventions.items():
            measures.setdefault(convention, []).append(measure)
        return [(", ".join(names), convention) for convention, names in measures.items()]

    def as_json(self) -> dict[str, Any]:
        """The result as a JSON object, with null for nan."""
        shared = len(set(self.conventions.values())) == 1
        return {
            "measures": {measure: _or_none(value) for measure, value in self.mean.items()},
            "per_query": {
                measure: {query: _or_none(value) for query, value in values.items()}
                for measure, values in self.per_query.items()
            },
            "counts": self.counts,
            "convention": self.convention.signature() if shared else "; ".join(self.signatures),
            "only_trec_eval": self.only_trec_eval,
            "excluded": {preset: found.as_json() for preset, found in self.excluded.items()},
        }

    def to_frame(self) -> Any:
        """The values as a pandas data frame, with a row for each query and a column for each measure."""
        try:
            import pandas
        except ImportError:
            raise ImportError("to_frame: expected pandas to be installed (`per_query` needs nothing)") from None
        return pandas.DataFrame(self.per_query).rename_axis("query")

    def plot(self, measure: str | None = None) -> Any:
        """Plot the value of each query, highest first, and the mean, with matplotlib; returns the axes."""
        import matplotlib.pyplot as plt

        name = next(iter(self.mean)) if measure is None else measure
        if name not in self.mean:
            raise ValueError(f"measure: expected one of {shortened(', '.join(self.mean))}, got {quoted(measure)}")
        values = sorted((value for value in self.per_query[name].values() if not math.isnan(value)), reverse=True)
        _, axes = plt.subplots()
        axes.plot(range(1, len(values) + 1), values, "o", markersize=4, label="a query")
        axes.axhline(self.mean[name], linestyle="--", color="black", label=f"mean {self.mean[name]:.4f}")
        axes.set(xlabel="queries, best first", ylabel=name, title=f"{name} of {len(values)} queries")
        axes.legend()
        return axes

    def __repr__(self) -> str:
        width = max(map(len, self.mean))
        lines = [f"{measure:<{width}}  {value:.4f}" for measure, value in self.mean.items()]
        conventions = [f"{names}: {convention}" for names, convention in self._measures_of_each()]
        return "\n".join([*lines, self.counted, *conventions])


def _or_none(value: float) -> float | None:
    return None if math.isnan(value) else value
