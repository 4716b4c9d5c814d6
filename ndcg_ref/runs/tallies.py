"""The values of one measure for all queries, their mean, and the result that the measures make.

What is tallied comes in parts, a batch of queries each.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from ndcg_ref.conventions.convention import value_without_ideal
from ndcg_ref.conventions.presets import Excluded
from ndcg_ref.conventions.spellings import RequestedMeasure
from ndcg_ref.conventions.validation import finite_sum, quoted, refusal
from ndcg_ref.runs.inputs import Judgments
from ndcg_ref.runs.result import COUNTS, Result

if TYPE_CHECKING:
    from ndcg_ref.formulas.batch import Batch


class PartialResult(NamedTuple):
    """What was computed of one measure for some queries."""

    queries: Sequence[str]  # which are judged and retrieved
    values: list[float]  # DCG for the measure nDCG
    idcg: list[float] | None  # for nDCG alone
    counts: Mapping[str, int]  # as of `Result`; for nDCG without the queries that have no ideal gain
    kinds: Mapping[str, int]  # queries of each kind that the preset excludes


class Tally:
    """One measure, and its values for the queries so far."""

    def __init__(self, requested: RequestedMeasure) -> None:
        self.measure, self.convention, self.preset = requested
        self.values: dict[str, float] = {}
        self.dcg: dict[str, float] = {}
        self.idcg: dict[str, float] = {}
        self.counts: Counter[str] = Counter()
        self.kinds: Counter[str] = Counter()

    @property
    def counts_missing(self) -> bool:
        """Whether missing queries count, unlike in the preset, as with trec_eval's -c."""
        preset, (name, k, *_) = self.preset, self.measure
        return preset is not None and self.convention.missing != preset.convention_of(name, k).missing

    @property
    def defined(self) -> list[float]:
        """The values of the queries that have one."""
        return [value for value in self.values.values() if not math.isnan(value)]

    @property
    def mean(self) -> float:
        """The mean of these values; nan if there is none."""
        defined = self.defined
        return finite_sum(defined) / len(defined) if defined else math.nan

    def add(self, part: PartialResult) -> None:
        """Add the values of some queries."""
        self.counts.update(part.counts)
        self.kinds.update(part.kinds)
        values = part.values if part.idcg is None else self._ratios(part.queries, part.values, part.idcg)
        self.values.update(zip(part.queries, values, strict=True))

    def _ratios(self, queries: Sequence[str], gained: list[float], ideal: list[float]) -> list[float]:
        """The NDCG of some queries, whose sums are kept."""
        values = [dcg / idcg if idcg != 0 else math.nan for dcg, idcg in zip(gained, ideal, strict=True)]
        if 0 in ideal:
            self.counts["without_ideal"] += ideal.count(0)
            values = [
                each if ideal[i] else value_without_ideal(self.convention, f"qrels[{quoted(queries[i])}]: grades")
                for i, each in enumerate(values)
            ]
        self.dcg.update(zip(queries, gained, strict=True))
        self.idcg.update(zip(queries, ideal, strict=True))
        return values

    def absent(self, missing: list[str], extra: list[str]) -> None:
        """Add the values of the queries that only one side has."""
        of_sides = ("missing query", missing, self.convention.missing), ("extra query", extra, self.convention.extra)
        for problem, queries, choice in of_sides:
            if queries and choice == "error":
                raise refusal(problem, "run", query=quoted(queries[0]))
            if choice == "zero":
                self.values.update(dict.fromkeys(queries, 0.0))


class Tallies:
    """The values of all measures for the queries so far."""

    def __init__(self, requested: list[RequestedMeasure]) -> None:
        self._tallies = list(map(Tally, requested))
        self._documents = self._only_trec_eval = 0
        self._extra: set[str] = set()
        self.done: set[str] = set()

    def add(self, batch: Batch, parts: Iterable[PartialResult]) -> None:
        """Add a batch of queries, and a part of each measure for those that are judged, if there are any."""
        for tally, part in zip(self._tallies, parts, strict=False):
            tally.add(part)
        self.done.update(batch.queries)
        self._documents += int(batch.starts[-1])
        self._extra.update(batch.extra)
        self._only_trec_eval += batch.only_trec_eval

    def result(self, judgments: Judgments) -> Result:
        """The result of all measures, once every batch is added."""
        if not self.done:
            raise NothingSharedError(judgments, self._extra)
        missing = [query for query in judgments if query not in self.done]
        extra = sorted(self._extra)
        for tally in self._tallies:
            tally.absent(missing, extra)

        def by_query(values: dict[str, float]) -> dict[str, float]:
            """In the order of the judgments, not that of the run."""
            ordered = [query for query in chain(judgments, extra) if query in values]
            return values if ordered == [*values] else {query: values[query] for query in ordered}

        tallies = {tally.measure.text: tally for tally in self._tallies}
        of_ndcg = {text: tally for text, tally in tallies.items() if tally.measure.name == "nDCG"}
        return Result(
            mean={text: tally.mean for text, tally in tallies.items()},
            per_query={text: by_query(tally.values) for text, tally in tallies.items()},
            dcg={text: by_query(tally.dcg) for text, tally in of_ndcg.items()},
            idcg={text: by_query(tally.idcg) for text, tally in of_ndcg.items()},
            counts={
                "judged": len(judgments),
                "evaluated": max(len(tally.defined) for tally in self._tallies),
                "missing": len(missing),
                "extra": len(extra),
                **{name: max(tally.counts[name] for tally in self._tallies) for name in COUNTS[4:]},
            },
            conventions={text: tally.convention for text, tally in tallies.items()},
            only_trec_eval={"qrels": getattr(judgments, "only_trec_eval", 0), "run": self._only_trec_eval},
            excluded=self._excluded(judgments, missing),
            missing=tuple(missing),
        )

    def _excluded(self, judgments: Judgments, missing: list[str]) -> dict[str, Excluded]:
        of_the_run = {
            "empty": 0 if self._documents else len(judgments),
            "unjudged": sum(not grades for grades in judgments.values()),
            "missing": len(missing),
        }
        excluded: dict[str, Excluded] = {}
        for preset, tally in ((tally.preset, tally) for tally in self._tallies if tally.preset is not None):
            kinds, _, measures = excluded.get(preset.name, Excluded({}))
            if tally.measure.name not in preset.measures:
                measures = (*measures, tally.measure.text)
            for kind, count in {**of_the_run, **tally.kinds}.items():
                if count and kind in preset.excluded and not (kind == "missing" and tally.counts_missing):
                    kinds[kind] = max(count, kinds.get(kind, 0))
            excluded[preset.name] = Excluded(kinds, measures=measures)
        return excluded


class NothingSharedError(ValueError):
    """A run has no judged query; `problem` says so without the name of the run."""

    def __init__(self, judgments: Judgments, extra: set[str]) -> None:
        self.problem = (
            f"expected at least one judged query, got none of {len(judgments)} among {len(extra)} "
            f"(judged is {quoted(next(iter(judgments)))}, retrieved {quoted(min(extra))}: "
            "the same ids, the right files?)"
        )
        super().__init__(f"run: {self.problem}")
