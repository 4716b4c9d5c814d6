"""The values of one measure for all queries, their mean, and the result that the measures make."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from ndcg_ref.convention import value_without_ideal
from ndcg_ref.excluded import Excluded
from ndcg_ref.runs.batch import Extras
from ndcg_ref.runs.result import Result
from ndcg_ref.runs.values import OF_KIND, Values
from ndcg_ref.spellings import Asked
from ndcg_ref.validation import extra_query, finite_sum, missing_query, quoted

if TYPE_CHECKING:
    from typing import TypeAlias

    Judgments: TypeAlias = Mapping[str, Mapping[str, Any]]


class Tally:
    """One measure, and its values for the queries so far."""

    def __init__(self, wanted: Asked) -> None:
        measure, convention, self.preset = wanted
        if measure.name in ("AP", "RR") and convention.ties == "average":
            raise ValueError(
                f"measures: {quoted(measure.text)} needs a rank for each document, which averaged ties do not give "
                '(choose an order, such as ties="id-descending")'
            )
        self.measure, self.convention = measure, convention
        self.values: dict[str, float] = {}
        self.dcg: dict[str, float] = {}
        self.idcg: dict[str, float] = {}
        self.without_ideal = self.tied = self.unjudged = 0
        self.kinds = {kind: 0 for kind in (self.preset.excluded if self.preset else ()) if kind in OF_KIND}

    @property
    def counts_missing(self) -> bool:
        """Whether missing queries count, unlike in the preset, as with trec_eval's -c."""
        preset, (name, k, *_) = self.preset, self.measure
        return preset is not None and self.convention.missing != preset.convention_of(name, k).missing

    @property
    def _defined(self) -> list[float]:
        return [value for value in self.values.values() if not math.isnan(value)]

    @property
    def evaluated(self) -> int:
        """The number of queries that have a value."""
        return len(self._defined)

    @property
    def mean(self) -> float:
        """The mean of these values; nan if there is none."""
        return finite_sum(self._defined) / self.evaluated if self.evaluated else math.nan

    def add(self, block: Values) -> None:
        """Add the values of the block's queries."""
        k, convention = self.measure.k, self.convention
        self.tied += block.tied(convention, k)
        self.unjudged += block.unjudged(convention, k)
        for kind in self.kinds:
            self.kinds[kind] += int(np.count_nonzero(block.of_kind(kind, convention, k)))
        if self.measure.name == "nDCG":
            gained, ideal = block.dcg(convention, k), block.idcg(convention, k)
            values = [dcg / idcg if idcg != 0 else math.nan for dcg, idcg in zip(gained, ideal, strict=True)]
            if 0 in ideal:
                self.without_ideal += ideal.count(0)
                values = [
                    self._without_ideal(block.queries[i]) if ideal[i] == 0 else each for i, each in enumerate(values)
                ]
            self.dcg.update(zip(block.queries, gained, strict=True))
            self.idcg.update(zip(block.queries, ideal, strict=True))
        elif self.measure.name in ("DCG", "CG"):
            values = block.dcg(convention, k) if self.measure.name == "DCG" else block.cg(convention, k)
        else:
            relevant = block.relevant(convention, self.measure.rel)
            self.without_ideal += relevant.count(0)
            values = getattr(block, self.measure.name.lower())(convention, k, self.measure.rel, relevant)
        self.values.update(zip(block.queries, values, strict=True))

    def _without_ideal(self, query: str) -> float:
        try:
            return value_without_ideal(self.convention)
        except ValueError as error:
            raise ValueError(f"qrels[{quoted(query)}]: {error}") from None

    def absent(self, missing: list[str], extra: list[str]) -> None:
        """Add the values of the queries that only one side has."""
        for queries, choice, refusal in (
            (missing, self.convention.missing, missing_query),
            (extra, self.convention.extra, extra_query),
        ):
            if queries and choice == "error":
                raise refusal(queries[0])
            if choice == "zero":
                self.values.update(dict.fromkeys(queries, 0.0))


def excluded_by(tallies: list[Tally], of_the_run: dict[str, int]) -> dict[str, Excluded]:
    """For each preset, the data that it does not cover."""
    kinds: dict[str, dict[str, int]] = {}
    measures: dict[str, list[str]] = {}
    for tally in tallies:
        preset = tally.preset
        if preset is None:
            continue
        found, others = kinds.setdefault(preset.name, {}), measures.setdefault(preset.name, [])
        if tally.measure.name not in preset.measures:
            others.append(tally.measure.text)
        for kind, count in {**of_the_run, **tally.kinds}.items():
            if count and kind in preset.excluded and not (kind == "missing" and tally.counts_missing):
                found[kind] = max(count, found.get(kind, 0))
    return {name: Excluded(kinds[name], measures=tuple(measures[name])) for name in kinds}


def result_of(
    tallies: list[Tally],
    judgments: Judgments,
    missing: list[str],
    extras: Extras,
    excluded: dict[str, Excluded],
) -> Result:
    """The result of all measures."""
    extra = extras.extra

    def by_query(values: dict[str, float]) -> dict[str, float]:
        """In the order of the judgments, not that of the run."""
        order = chain(judgments, sorted(extra))
        return {query: values[query] for query in order if query in values}

    def largest(name: str) -> int:
        return int(max(getattr(tally, name) for tally in tallies))

    return Result(
        mean={tally.measure.text: tally.mean for tally in tallies},
        per_query={tally.measure.text: by_query(tally.values) for tally in tallies},
        dcg={tally.measure.text: by_query(tally.dcg) for tally in tallies if tally.measure.name == "nDCG"},
        idcg={tally.measure.text: by_query(tally.idcg) for tally in tallies if tally.measure.name == "nDCG"},
        counts={
            "judged": len(judgments),
            "evaluated": largest("evaluated"),
            "missing": len(missing),
            "extra": len(extra),
            **{name: largest(name) for name in ("without_ideal", "tied", "unjudged")},
        },
        conventions={tally.measure.text: tally.convention for tally in tallies},
        only_trec_eval={"qrels": getattr(judgments, "only_trec_eval", 0), "run": extras.only_trec_eval},
        excluded=excluded,
    )
