"""The values of some queries, under any convention and at any cutoff."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from itertools import compress, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ndcg_ref.conventions.convention import Convention, ideal_cutoff
from ndcg_ref.conventions.excluded import LONG
from ndcg_ref.conventions.spellings import UNBOUNDED, Measure, RequestedMeasure
from ndcg_ref.conventions.validation import MOST_RANKS, overflowing_sum, quoted, too_many
from ndcg_ref.formulas.arrays import gain_of, gains
from ndcg_ref.runs.batch import Batch
from ndcg_ref.runs.retrieved import VALUES, JudgedDocuments
from ndcg_ref.runs.rows import sums_by_query
from ndcg_ref.runs.sums import ideal_by_query, sums_of_gains, weigh_ranks
from ndcg_ref.runs.tallies import PartialResult, without_ideal_of
from ndcg_ref.runs.ties import JudgedRanks, places

if TYPE_CHECKING:  # numpy.typing takes longer to load than this module
    from typing import TypeAlias

    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]
    Bools: TypeAlias = NDArray[np.bool_]


def parts_of(batch: Batch, requested: list[RequestedMeasure]) -> list[PartialResult]:
    """What each measure needs of a batch that has queries."""
    longest = int(np.diff(batch.starts).argmax())
    if batch.starts[longest + 1] - batch.starts[longest] > MOST_RANKS:
        raise too_many(f"run[{quoted(batch.queries[longest])}]", "documents")
    cutoffs = [asked.measure.k for asked in requested if asked.measure.k]
    values = BatchValues(batch, max(cutoffs) if len(cutoffs) == len(requested) else None)
    return list(map(values.part_of, requested))


class BatchValues:
    """Some queries that are judged and retrieved, and what the measures share in computing."""

    def __init__(self, batch: Batch, deepest: int | None) -> None:
        self.queries, self._judged, self._run = batch.queries, batch.judged, batch
        self._deepest = deepest
        self._owner = np.repeat(np.arange(len(self.queries)), np.diff(batch.grade_starts))
        # A level is a distinct grade: what is computed for a level holds for each grade of it
        self._levels, self._level = np.unique(batch.grades, return_inverse=True)
        self._kept: dict[Any, Any] = {}

    def part_of(self, requested: RequestedMeasure) -> PartialResult:
        """What a measure needs of these queries."""
        measure, convention, preset = requested
        tied, unjudged = self.tied(convention, measure.k), self.unjudged(convention, measure.k)
        kinds = {
            kind: int(np.count_nonzero(self.of_kind(kind, convention, measure.k)))
            for kind in (preset.excluded if preset else ())
            if kind in OF_KIND
        }
        idcg, without_ideal = None, 0
        if measure.name == "nDCG":
            values, idcg = self.dcg(convention, measure.k), self.idcg(convention, measure.k)
        elif measure.name in UNBOUNDED:
            values = (self.dcg if measure.name == "DCG" else self.cg)(convention, measure.k)
        else:
            values, without_ideal = self._of_found(measure, convention)
        return PartialResult(
            self.queries, values, tied, unjudged, kinds, idcg, without_ideal, self.truncated(convention)
        )

    def _of_found(self, measure: Measure, convention: Convention) -> tuple[list[float], int]:
        """The value of each query of a measure that is made of what was found, and how many have nothing relevant."""
        found = self.found(convention, measure.rel)
        if measure.name == "ERR":
            self.refuse_off_scale(convention, measure)
        values: list[float] = VALUES[measure.name](found, measure).tolist()
        if measure.name != "Judged":  # whose nan is an empty ranking, whatever is relevant
            values = [
                without_ideal_of(self.queries[i], convention) if math.isnan(each) else each
                for i, each in enumerate(values)
            ]
        return values, int(np.count_nonzero(found.relevant == 0))

    def _once(self, compute: Callable[..., Any], *key: Any) -> Any:
        """The result of `compute` for a key, computed once."""
        if (compute.__name__, *key) not in self._kept:
            self._kept[compute.__name__, *key] = compute(*key)
        return self._kept[compute.__name__, *key]

    def _whole(self, convention: Convention) -> Floats:
        """Each level, truncated if the convention says so."""
        return np.trunc(self._levels) + 0.0 if convention.fractional == "truncate" else self._levels

    def truncated(self, convention: Convention) -> int:
        """The number of grades that the convention truncates."""
        differs = self._whole(convention) != self._levels
        return int(np.count_nonzero(differs[self._level])) if differs.any() else 0

    def _read(self, convention: Convention) -> Floats:
        """Each level as the convention reads it."""
        levels = self._whole(convention)
        return np.maximum(levels, 0.0) if convention.negative == "clamp" else levels

    def _gain(self, convention: Convention) -> Floats:
        """The gain of each level."""
        try:
            return gains(self._levels, convention)
        except (TypeError, ValueError):
            for query, judged in zip(self.queries, self._judged, strict=True):
                for document, grade in judged.items():
                    gain_of(grade, convention, f"qrels[{quoted(query)}][{quoted(document)}]")
            raise

    def _retrieved(self, convention: Convention) -> Batch:
        """The documents that are ranked: all retrieved ones, or without those that the convention drops."""
        return self._once(self._without_dropped, convention) if convention.unjudged == "drop" else self._run

    def _level_found(self, convention: Convention) -> NDArray[np.int64]:
        """The level of each judged document that is ranked."""
        return np.searchsorted(self._levels, self._retrieved(convention).grade)

    def _sizes(self, convention: Convention) -> NDArray[np.int64]:
        """The number of documents that each query ranks."""
        return np.diff(self._retrieved(convention).starts)

    def _ranked(self, convention: Convention) -> Batch:
        """The documents that are ranked, with grades that put ties in order."""
        retrieved = self._retrieved(convention)
        if convention.ties not in ("best", "worst"):
            return retrieved
        # By grade; of those with grade 0, judged ones come before or after unjudged ones, by the sign of their gain
        read, gain = self._once(self._read, convention), self._once(self._gain, convention)
        ordered = np.where(read == 0, np.sign(gain) * np.finfo(np.float64).tiny, read)
        return replace(retrieved, grade=ordered[self._once(self._level_found, convention)])

    def _without_dropped(self, convention: Convention) -> Batch:
        """Only the judged documents; a clamped grade does not count as a judgment here."""
        run: Any = self._run
        stays = (self._read(convention) <= self._whole(convention))[np.searchsorted(self._levels, run.grade)]
        ends = np.searchsorted(run.owner, np.arange(len(self.queries) + 1)).tolist()
        found = [list(compress(run.found(i), stays[first:last])) for i, (first, last) in enumerate(pairwise(ends))]
        owner, score = run.owner[stays], run.score[stays]
        starts = np.searchsorted(owner, np.arange(len(self.queries) + 1))
        ids, scores = [], []
        for i, (first, last) in enumerate(pairwise(starts.tolist())):
            score_of = dict(zip(found[i], score[first:last].tolist(), strict=True))
            ids.append([document for document in run.ids(i) if document in score_of])
            scores += [score_of[document] for document in ids[-1]]
        ranked: Batch = replace(
            run,
            starts=starts,
            scores=np.array(scores, dtype=np.float64),
            owner=owner,
            score=score,
            grade=run.grade[stays],
            at=None,
            ids=ids.__getitem__,
            found=found.__getitem__,
        )
        return ranked

    def _places(self, convention: Convention) -> JudgedRanks:
        """The rank of each judged document that was retrieved."""
        return places(self._once(self._ranked, convention), convention, self._deepest)

    def _weighted(self, value: Floats, convention: Convention, discount: Convention, k: int | None) -> list[float]:
        """For each query, the sum over its judged documents of a value by level times the weight of the rank."""
        found = self._once(self._places, convention)
        weights = self._once(weigh_ranks, int(self._sizes(convention).max()), discount)
        starts = np.searchsorted(self._retrieved(convention).owner, np.arange(len(self.queries) + 1))
        return _finite(sums_of_gains(value[self._once(self._level_found, convention)], found, weights, k, starts))

    def dcg(self, convention: Convention, k: int | None) -> list[float]:
        """DCG of each query."""
        return self._weighted(self._once(self._gain, convention), convention, convention, k)

    def cg(self, convention: Convention, k: int | None) -> list[float]:
        """Cumulated gain of each query."""
        return self._weighted(self._gain(replace(convention, gain="linear")), convention, _undiscounted(convention), k)

    def found(self, convention: Convention, rel: float) -> JudgedDocuments:
        """The judged documents that were retrieved, and the number of relevant ones of each query."""
        self._once(self._gain, replace(convention, gain="linear"))  # refuses the grades that the convention refuses
        read, at = self._once(self._read, convention), self._once(self._places, convention)
        return JudgedDocuments(
            owner=self._retrieved(convention).owner,
            higher=at.higher,
            tied=at.tied,
            grade=read[self._once(self._level_found, convention)],
            sizes=self._sizes(convention),
            relevant=np.bincount(self._owner, (read >= rel)[self._level], len(self.queries)).astype(np.int64),
        )

    def refuse_off_scale(self, convention: Convention, measure: Measure) -> None:
        """Refuse the first grade below 0 or above the highest one of a measure with a scale."""
        read = self._read(convention)
        outside = {*self._levels[(read < 0) | (read > measure.parameter)].tolist()}
        for query, judged in zip(self.queries if outside else (), self._judged, strict=False):
            for document, grade in judged.items():
                if float(grade) in outside:
                    raise ValueError(
                        f"qrels[{quoted(query)}][{quoted(document)}]: expected a grade from 0 to "
                        f"{measure.parameter:g} for {quoted(measure.text)}, got {float(grade):g} "
                        "(is the scale longer? ERR(max_rel=5) goes up to 5)"
                    )

    def idcg(self, convention: Convention, k: int | None) -> list[float]:
        """The DCG of the ideal, in which an unjudged document has grade 0 and gains nothing."""
        gained, order, starts = self._once(self._ideal, convention)
        # A cutoff of None lets all documents count, and so does one above their number
        most = max(1, int(np.diff(starts).max()))
        cuts = [ideal_cutoff(k, n, convention) for n in self._sizes(convention).tolist()]
        counted = np.array([most if cut is None else min(cut, most) for cut in cuts])
        weights = self._once(weigh_ranks, int(counted.max()), convention)
        return _finite(ideal_by_query(gained, order, starts, counted, weights))

    def _ideal(self, convention: Convention) -> tuple[Floats, Floats | None, NDArray[np.int64]]:
        """The gains in the ideal of each query, what they are sorted by, and where those of each query start."""
        read, gain = self._once(self._read, convention), self._once(self._gain, convention)
        ranked = self._retrieved(convention).owner
        if convention.ideal == "judged":
            owner, level = self._owner, self._level
        else:
            owner, level = ranked, self._once(self._level_found, convention)
        # The gain of each level, and the gain 0 of the unjudged, which count where a document may come after them
        gain = np.append(gain, 0.0)
        # A named gain never falls as the grade rises: sorting by gain sorts by grade
        by_grade = convention.ideal_order == "grade" and not isinstance(convention.gain, str)
        if by_grade or gain.min() < 0:
            unjudged = self._sizes(convention) - np.bincount(ranked, minlength=len(self.queries))
            owner = np.concatenate([owner, np.repeat(np.arange(len(self.queries)), unjudged)])
            level = np.concatenate([level, np.full(unjudged.sum(), gain.size - 1)])
            by_query = np.argsort(owner, kind="stable")
            owner, level = owner[by_query], level[by_query]
        starts = np.searchsorted(owner, np.arange(len(self.queries) + 1))
        if not by_grade:
            return gain[level], None, starts
        place = np.empty(gain.size)
        place[np.lexsort((gain, np.append(read, 0.0)))] = np.arange(gain.size)
        return gain[level], place[level], starts

    def tied(self, convention: Convention, k: int | None) -> int:
        """The number of queries with a judged document within the cutoff that shares its score."""
        found = self._once(self._places, convention)
        alike = found.alike if k is None else found.alike & (found.higher < k)
        return len(set(self._retrieved(convention).owner[alike].tolist()))

    def unjudged(self, convention: Convention, k: int | None) -> int:
        """The number of documents within the cutoff that nobody judged."""
        sizes = self._sizes(convention)
        if k is None:
            return int(sizes.sum()) - len(self._retrieved(convention).owner)
        ordered = replace(convention, ties="id-descending") if convention.ties == "average" else convention
        within = np.count_nonzero(self._once(self._places, ordered).higher < k)
        return int(np.minimum(sizes, k).sum() - within)

    def of_kind(self, kind: str, convention: Convention, k: int | None) -> Bools:
        """Whether each query is of a kind that presets exclude."""
        key = (kind, convention, k)
        if key not in self._kept:
            self._kept[key] = OF_KIND[kind](self, convention, k)
        found: Bools = self._kept[key]
        return found

    def one(self, convention: Convention, k: int | None) -> Bools:
        """Whether each query retrieved one document."""
        found: Bools = self._sizes(convention) == 1
        return found

    def tied_grades(self, convention: Convention, k: int | None) -> Bools:
        """Whether documents with different grades, unjudged ones with grade 0, share a score within the cutoff."""
        found, run = self._once(self._places, replace(convention, ties="average")), self._retrieved(convention)
        tied = np.flatnonzero(found.alike if k is None else found.alike & (found.higher < k))
        order = np.lexsort((run.grade[tied], found.higher[tied], run.owner[tied]))
        tied = tied[order]
        owner, grade, higher = run.owner[tied], run.grade[tied], found.higher[tied]
        first = np.flatnonzero((np.diff(owner, prepend=-1) != 0) | (np.diff(higher, prepend=-1) != 0))
        judged = np.diff(first, append=tied.size)
        unjudged = found.tied[tied[first]] > judged
        differ = (grade[first] < grade[first + judged - 1]) | (unjudged & (grade[first] != 0))
        return self._are_among(owner[first[differ]])

    def long_ties(self, convention: Convention, k: int | None) -> Bools:
        """The same, in a query with many documents."""
        return self.of_kind("ties", convention, k) & (self._sizes(convention) > LONG)

    def all_negative(self, convention: Convention, k: int | None) -> Bools:
        """Whether each query has grades, all of them below 0."""
        negative = self._are_among(self._owner[self._levels[self._level] < 0])
        return negative & ~self._are_among(self._owner[self._levels[self._level] >= 0])

    def negative_ideal(self, convention: Convention, k: int | None) -> Bools:
        """Whether grades below 0 outweigh the others in each ideal."""
        found = self.graded(self._levels < 0, convention)
        return found & (np.array(self.idcg(convention, k)) < 0) if found.any() else found

    def cancelling(self, convention: Convention, k: int | None) -> Bools:
        """Whether grades other than 0 sum to 0."""
        found = self.graded(self._levels < 0, convention)
        if found.any():
            owner, level = self._seen(convention)
            starts = np.searchsorted(owner, np.arange(len(self.queries) + 1))
            found &= sums_by_query(self._levels[level], starts) == 0
        return found

    def below_1(self, convention: Convention, k: int | None) -> Bools:
        """Whether each query has a grade between 0 and 1."""
        return self.graded((self._levels > 0) & (self._levels < 1), convention)

    def above(self, most: float, convention: Convention) -> Bools:
        """Whether each query has a grade above another."""
        return self.graded(self._levels > most, convention)

    def graded(self, levels: Bools, convention: Convention) -> Bools:
        """Whether each query has a grade of one of the levels, among those that the library sees."""
        owner, level = self._seen(convention) if levels.any() else (self._owner[:0], self._level[:0])
        return self._are_among(owner[levels[level]])

    def _seen(self, convention: Convention) -> tuple[Any, Any]:
        """Query and level of each grade that the library sees: of the retrieved documents, or of all judged ones."""
        if convention.ideal == "ranked":
            return self._retrieved(convention).owner, self._once(self._level_found, convention)
        return self._owner, self._level

    def _are_among(self, owners: Any) -> Bools:
        found = np.zeros(len(self.queries), dtype=np.bool_)
        found[owners] = True
        return found


# The same kinds as `ndcg_ref.formulas.kinds.IS_OF`, for many queries at once
OF_KIND: dict[str, Callable[[BatchValues, Convention, int | None], Bools]] = {
    # kind: whether each query of a block is of that kind, under a convention, at a cutoff
    "one": BatchValues.one,
    "ties": BatchValues.tied_grades,
    "long ties": BatchValues.long_ties,
    "all negative": BatchValues.all_negative,
    "negative ideal": BatchValues.negative_ideal,
    "cancelling": BatchValues.cancelling,
    "below 1": BatchValues.below_1,
    "above 4": lambda block, convention, k: block.above(4, convention),
    "above 30": lambda block, convention, k: block.above(30, convention),
    "above 31": lambda block, convention, k: block.above(31, convention),
}


def _undiscounted(convention: Convention) -> Convention:
    return replace(convention, discount="none")


def _finite(sums: Floats) -> list[float]:
    if not np.isfinite(sums).all():
        raise overflowing_sum()
    values: list[float] = sums.tolist()
    return values
