"""The values of one measure for all queries, their mean, and the result that the measures make."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from ndcg_ref.convention import value_without_ideal
from ndcg_ref.excluded import Excluded
from ndcg_ref.runs.batch import Batch
from ndcg_ref.runs.found import BY_RANK, VALUES
from ndcg_ref.runs.result import Result
from ndcg_ref.runs.values import OF_KIND, Values
from ndcg_ref.spellings import Asked
from ndcg_ref.validation import MOST_RANKS, extra_query, finite_sum, missing_query, overflowing_sum, quoted, too_many

if TYPE_CHECKING:
    from typing import TypeAlias

    Judgments: TypeAlias = Mapping[str, Mapping[str, Any]]


def refuse_averaged(wanted: list[Asked]) -> None:
    """Refuse a measure that needs a rank for each document where the convention averages ties."""
    for measure, convention, _ in wanted:
        if measure.name in BY_RANK and convention.ties == "average":
            raise ValueError(
                f"measures: {quoted(measure.text)} needs a rank for each document, which averaged ties do not give "
                '(choose an order, such as ties="id-descending")'
            )


class Tally:
    """One measure, and its values for the queries so far."""

    def __init__(self, wanted: Asked) -> None:
        self.measure, self.convention, self.preset = wanted
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
            values = self._ratios(block.queries, block.dcg(convention, k), block.idcg(convention, k))
        elif self.measure.name in ("DCG", "CG"):
            values = block.dcg(convention, k) if self.measure.name == "DCG" else block.cg(convention, k)
        else:
            found = block.found(convention, self.measure.rel)
            if self.measure.name == "ERR":
                block.refuse_off_scale(convention, self.measure)
            self.without_ideal += int(np.count_nonzero(found.relevant == 0))
            values = VALUES[self.measure.name](found, self.measure).tolist()
            if self.measure.name != "Judged":  # whose nan is an empty ranking, whatever is relevant
                values = [
                    self._without_ideal(block.queries[i]) if math.isnan(each) else each for i, each in enumerate(values)
                ]
        self.values.update(zip(block.queries, values, strict=True))

    def add_sums(self, rows: list[tuple[Any, ...]], kinds: list[str]) -> None:
        """Add queries whose sums an engine has computed.

        Parameters
        ----------
        rows : list of tuple
            Query, DCG, ideal DCG, the number of repeated documents, whether it counts as tied, the number of unjudged
            documents, and whether it is of each of the kinds.
        kinds : list of str
            Kinds of input that the preset excludes.
        """
        queries, gained, ideal = ([row[i] for row in rows] for i in range(3))
        sums = [*gained, *ideal]
        if not all(map(math.isfinite, sums)):
            raise overflowing_sum()
        self.tied += sum(row[4] for row in rows)
        self.unjudged += sum(int(row[5]) for row in rows)
        for place, kind in enumerate(kinds, start=6):
            self.kinds[kind] += sum(row[place] for row in rows)
        values = self._ratios(queries, gained, ideal) if self.measure.name == "nDCG" else gained
        self.values.update(zip(queries, values, strict=True))

    def _ratios(self, queries: Sequence[str], gained: list[float], ideal: list[float]) -> list[float]:
        """The NDCG of some queries, whose sums are kept."""
        values = [dcg / idcg if idcg != 0 else math.nan for dcg, idcg in zip(gained, ideal, strict=True)]
        if 0 in ideal:
            self.without_ideal += ideal.count(0)
            values = [self._without_ideal(queries[i]) if ideal[i] == 0 else each for i, each in enumerate(values)]
        self.dcg.update(zip(queries, gained, strict=True))
        self.idcg.update(zip(queries, ideal, strict=True))
        return values

    def _without_ideal(self, query: str) -> float:
        return value_without_ideal(self.convention, f"qrels[{quoted(query)}]: grades")

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


class Tallies:
    """The values of all measures for the queries so far."""

    def __init__(self, wanted: list[Asked]) -> None:
        self._tallies = list(map(Tally, wanted))
        self._deepest = max(tally.measure.k or math.inf for tally in self._tallies)
        self._documents = self._only_trec_eval = 0
        self._extra: set[str] = set()
        self.done: set[str] = set()

    def add(self, batch: Batch) -> None:
        """Add the values of the batch's queries."""
        self._extra.update(batch.extra)
        self._only_trec_eval += batch.only_trec_eval
        if not batch.queries:
            return
        longest = int(np.diff(batch.starts).argmax())
        if batch.starts[longest + 1] - batch.starts[longest] > MOST_RANKS:
            raise too_many(f"run[{quoted(batch.queries[longest])}]", "documents")
        values = Values(batch, None if self._deepest == math.inf else int(self._deepest))
        for tally in self._tallies:
            tally.add(values)
        self._documents += int(batch.starts[-1])
        self.done.update(batch.queries)

    def add_computed(self, sums: list[tuple[list[tuple[Any, ...]], list[str]]], extra: set[str]) -> None:
        """Add what an engine has computed: for each measure what `Tally.add_sums` takes; and the extra queries."""
        self._extra |= extra
        for tally, (rows, kinds) in zip(self._tallies, sums, strict=True):
            tally.add_sums(rows, kinds)
            self._documents += len(rows)
            self.done.update(row[0] for row in rows)

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
            return {query: values[query] for query in chain(judgments, extra) if query in values}

        def largest(name: str) -> int:
            return int(max(getattr(tally, name) for tally in self._tallies))

        tallies = {tally.measure.text: tally for tally in self._tallies}
        of_ndcg = {text: tally for text, tally in tallies.items() if tally.measure.name == "nDCG"}
        return Result(
            mean={text: tally.mean for text, tally in tallies.items()},
            per_query={text: by_query(tally.values) for text, tally in tallies.items()},
            dcg={text: by_query(tally.dcg) for text, tally in of_ndcg.items()},
            idcg={text: by_query(tally.idcg) for text, tally in of_ndcg.items()},
            counts={
                "judged": len(judgments),
                "evaluated": largest("evaluated"),
                "missing": len(missing),
                "extra": len(extra),
                **{name: largest(name) for name in ("without_ideal", "tied", "unjudged")},
            },
            conventions={text: tally.convention for text, tally in tallies.items()},
            only_trec_eval={"qrels": getattr(judgments, "only_trec_eval", 0), "run": self._only_trec_eval},
            excluded=self._excluded(judgments, missing),
        )

    def _excluded(self, judgments: Judgments, missing: list[str]) -> dict[str, Excluded]:
        """For each preset, the data that it does not cover."""
        of_the_run = {
            "empty": 0 if self._documents else len(judgments),
            "unjudged": sum(not grades for grades in judgments.values()),
            "missing": len(missing),
        }
        kinds: dict[str, dict[str, int]] = {}
        measures: dict[str, list[str]] = {}
        for tally in self._tallies:
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


class NothingSharedError(ValueError):
    """A run has no judged query; `found` says so without the name of the run."""

    def __init__(self, judgments: Judgments, extra: set[str]) -> None:
        self.found = (
            f"expected at least one judged query, got none of {len(judgments)} among {len(extra)} "
            f"(judged is {quoted(next(iter(judgments)))}, retrieved {quoted(min(extra))}: "
            "the same ids, the right files?)"
        )
        super().__init__(f"run: {self.found}")
