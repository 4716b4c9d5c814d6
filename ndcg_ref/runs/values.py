"""The values of some queries, under any convention and at any cutoff."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial, wraps
from itertools import compress, pairwise
from typing import Any, TypeVar

import numpy as np

from ndcg_ref.conventions.convention import Convention, ideal_cutoff, value_without_ideal
from ndcg_ref.conventions.presets import ABOVE, LONG
from ndcg_ref.conventions.spellings import UNBOUNDED, Measure, RequestedMeasure, without_unused
from ndcg_ref.conventions.validation import quoted, refusal
from ndcg_ref.formulas.arrays import gain_of, gains
from ndcg_ref.formulas.batch import Batch, Bools, Floats, Ints, sums_by_query
from ndcg_ref.formulas.relevance import VALUES, Retrieved
from ndcg_ref.formulas.sums import RankWeights, dcg_by_query, idcg_by_query, weigh_ranks
from ndcg_ref.formulas.ties import JudgedRanks, places
from ndcg_ref.runs.tallies import PartialResult

Made = TypeVar("Made", bound=Callable[..., Any])


def parts_of(batch: Batch, requested: list[RequestedMeasure]) -> list[PartialResult]:
    """What each measure needs of a batch that has queries."""
    cutoffs = [asked.measure.k for asked in requested if asked.measure.k]
    deepest = max(cutoffs) if len(cutoffs) == len(requested) else None
    values = BatchValues(batch, deepest)
    single = values if batch.single is None else BatchValues(batch.single, deepest)
    return [(values if asked.convention.scores == "float64" else single).part_of(asked) for asked in requested]


def kept(compute: Made) -> Made:
    """A method whose result several measures share: computed once for each batch and arguments."""
    method: Any = compute

    @wraps(method)
    def once(self: BatchValues, *key: Any) -> Any:
        if (method, *key) not in self.results:
            self.results[method, *key] = method(self, *key)
        return self.results[method, *key]

    return once  # type: ignore[return-value]


class BatchValues:
    """Some queries that are judged and retrieved, and what the measures share in computing."""

    def __init__(self, batch: Batch, deepest: int | None) -> None:
        self.queries, self._run, self._deepest = batch.queries, batch, deepest
        self._owner = np.repeat(np.arange(len(self.queries)), np.diff(batch.grade_starts))
        # A level is a distinct grade: what is computed for a level holds for each grade of it
        self.levels, self._level = np.unique(batch.grades, return_inverse=True)
        self.results: dict[Any, Any] = {}

    def part_of(self, requested: RequestedMeasure) -> PartialResult:
        """What a measure needs of these queries."""
        measure, convention, preset = requested
        if convention.ties in ("best", "worst"):  # which are of what the measure gains
            convention = without_unused(measure, convention)
        alike = self._places(convention).alike & self._within(convention, measure.k)
        counts = {"tied": len(set(self._ranked(convention).owner[alike].tolist()))}
        kinds = {
            kind: int(np.count_nonzero(OF_KIND[kind](self, convention, measure.k)))
            for kind in (preset.excluded if preset else ())
            if kind in OF_KIND
        }
        idcg = None
        if measure.name == "nDCG":
            values, idcg = self._dcg(convention, measure.k), self.idcg(convention, measure.k)
        elif measure.name in UNBOUNDED:
            values = (self._dcg if measure.name == "DCG" else self._cg)(convention, measure.k)
        else:
            values, counts["without_ideal"] = self._of_retrieved(measure, convention)
        differs, counts["unjudged"] = self._whole(convention) != self.levels, self._unjudged(convention, measure.k)
        counts["truncated"] = int(np.count_nonzero(differs[self._level])) if differs.any() else 0
        return PartialResult(self.queries, values, idcg, counts, kinds)

    @kept
    def _whole(self, convention: Convention) -> Floats:
        """Each level, truncated if the convention says so."""
        return np.trunc(self.levels) + 0.0 if convention.fractional == "truncate" else self.levels

    @kept
    def _read(self, convention: Convention) -> Floats:
        levels = self._whole(convention)
        return np.maximum(levels, 0.0) if convention.negative == "clamp" else levels

    @kept
    def _gain(self, convention: Convention) -> Floats:
        try:
            return gains(self.levels, convention)
        except (TypeError, ValueError):
            for where, grade in self._places_of_grades():
                gain_of(grade, convention, where)
            raise

    def _places_of_grades(self) -> list[tuple[str, Any]]:
        """The place of every grade, for a refusal, and the grade."""
        judged = zip(self.queries, self._run.judged, strict=True)
        return [(f"qrels[{quoted(q)}][{quoted(d)}]", grade) for q, of in judged for d, grade in of.items()]

    @kept
    def _ranked(self, convention: Convention) -> Batch:
        """The documents that are ranked: all retrieved ones, or without those that the convention drops."""
        return self._without_dropped(convention) if convention.unjudged == "drop" else self._run

    @kept
    def _level_ranked(self, convention: Convention) -> Ints:
        """The level of each judged document that is ranked."""
        return np.searchsorted(self.levels, self._ranked(convention).grade)

    def sizes(self, convention: Convention) -> Ints:
        """The number of documents that each query ranks."""
        return np.diff(self._ranked(convention).starts)

    def _starts(self, owner: Ints) -> Ints:
        """Where the documents of each query start, and where those of the last query end."""
        return np.searchsorted(owner, np.arange(len(self.queries) + 1))

    def _without_dropped(self, convention: Convention) -> Batch:
        """Only the judged documents; a clamped grade does not count as a judgment here."""
        run: Any = self._run
        stays = (self._read(convention) <= self._whole(convention))[np.searchsorted(self.levels, run.grade)]
        ends = pairwise(self._starts(run.owner).tolist())
        found = [list(compress(run.judged_ids(i), stays[first:last])) for i, (first, last) in enumerate(ends)]
        owner, score = run.owner[stays], run.score[stays]
        starts = self._starts(owner)
        score_of = [
            dict(zip(found[i], score[first:last].tolist(), strict=True))
            for i, (first, last) in enumerate(pairwise(starts.tolist()))
        ]
        ids = [[document for document in run.ids(i) if document in of] for i, of in enumerate(score_of)]
        scores = np.array([of[d] for of, its in zip(score_of, ids, strict=True) for d in its], dtype=float)
        ranked = {"starts": starts, "scores": scores, "owner": owner, "score": score, "grade": run.grade[stays]}
        return replace(self._run, **ranked, ids=ids.__getitem__, judged_ids=found.__getitem__)

    @kept
    def _places(self, convention: Convention) -> JudgedRanks:
        """The rank of each judged document that was retrieved."""
        ranked = self._ranked(convention)
        if convention.ties in ("best", "worst"):
            # By grade; of those with grade 0, judged ones come before or after unjudged ones, by the sign of their gain
            read, gain = self._read(convention), self._gain(convention)
            ordered = np.where(read == 0, np.sign(gain) * np.finfo(np.float64).tiny, read)
            ranked = replace(ranked, grade=ordered[self._level_ranked(convention)])
        return places(ranked, convention, self._deepest)

    @kept
    def _weights(self, n: int, convention: Convention) -> RankWeights:
        return weigh_ranks(n, convention)

    def _weighted(self, value: Floats, convention: Convention, discount: Convention, k: int | None) -> list[float]:
        """For each query, the sum over its judged documents of a value by level times the weight of the rank."""
        weights = self._weights(int(self.sizes(convention).max()), discount)
        starts = self._starts(self._ranked(convention).owner)
        gained = value[self._level_ranked(convention)]
        return _finite(dcg_by_query(gained, self._places(convention), weights, k, starts))

    def _dcg(self, convention: Convention, k: int | None) -> list[float]:
        return self._weighted(self._gain(convention), convention, convention, k)

    def _cg(self, convention: Convention, k: int | None) -> list[float]:
        linear = self._gain(replace(convention, gain="linear"))
        return self._weighted(linear, convention, replace(convention, discount="none"), k)

    def idcg(self, convention: Convention, k: int | None) -> list[float]:
        """The DCG of the ideal, in which an unjudged document has grade 0 and gains nothing."""
        gained, order, starts = self._ideal(convention)
        # A cutoff of None lets all documents count, and so does one above their number
        most = max(1, int(np.diff(starts).max()))
        cuts = [ideal_cutoff(k, n, convention) for n in self.sizes(convention).tolist()]
        counted = np.array([most if cut is None else min(cut, most) for cut in cuts])
        return _finite(idcg_by_query(gained, order, starts, counted, self._weights(int(counted.max()), convention)))

    @kept
    def _ideal(self, convention: Convention) -> tuple[Floats, Floats | None, Ints]:
        """The gains in the ideal of each query, what they are sorted by, and where those of each query start."""
        read, ranked = self._read(convention), self._ranked(convention).owner
        owner, level = self._owner, self._level
        if convention.ideal != "judged":
            owner, level = ranked, self._level_ranked(convention)
        # The gain of each level, and the gain 0 of the unjudged, which count where a document may come after them
        gain = np.append(self._gain(convention), 0.0)
        # A named gain never falls as the grade rises: sorting by gain sorts by grade
        by_grade = convention.ideal_order == "grade" and not isinstance(convention.gain, str)
        if by_grade or gain.min() < 0:
            unjudged = self.sizes(convention) - np.bincount(ranked, minlength=len(self.queries))
            owner = np.concatenate([owner, np.repeat(np.arange(len(self.queries)), unjudged)])
            level = np.concatenate([level, np.full(unjudged.sum(), gain.size - 1)])
            by_query = np.argsort(owner, kind="stable")
            owner, level = owner[by_query], level[by_query]
        if not by_grade:
            return gain[level], None, self._starts(owner)
        place = np.empty(gain.size)
        place[np.lexsort((gain, np.append(read, 0.0)))] = np.arange(gain.size)
        return gain[level], place[level], self._starts(owner)

    def _of_retrieved(self, measure: Measure, convention: Convention) -> tuple[list[float], int]:
        """The value of each query of a measure of retrieved documents, and how many queries have nothing relevant."""
        self._gain(replace(convention, gain="linear"))  # refuses the grades that the convention refuses
        read, at = self._read(convention), self._places(convention)
        grade, relevant = read[self._level_ranked(convention)], (read >= measure.rel)[self._level]
        found = Retrieved(
            owner=self._ranked(convention).owner,
            higher=at.higher,
            tied=at.tied,
            grade=grade,
            is_relevant=grade >= measure.rel,
            sizes=self.sizes(convention),
            relevant=np.bincount(self._owner, relevant, len(self.queries)).astype(np.int64),
        )
        if measure.name == "ERR":
            self._refuse_off_scale(convention, measure)
        values: list[float] = VALUES[measure.name](found, measure).tolist()
        if measure.name != "Judged":  # whose nan is an empty ranking, whatever is relevant
            values = [
                value_without_ideal(convention, f"qrels[{quoted(query)}]: grades") if math.isnan(value) else value
                for query, value in zip(self.queries, values, strict=True)
            ]
        return values, int(np.count_nonzero(found.relevant == 0))

    def _refuse_off_scale(self, convention: Convention, measure: Measure) -> None:
        """Refuse the first grade below 0 or above the highest one of a measure with a scale."""
        read = self._read(convention)
        outside = {*self.levels[(read < 0) | (read > measure.parameter)].tolist()}
        for where, grade in self._places_of_grades() if outside else ():
            if float(grade) in outside:
                raise ValueError(
                    f"{where}: expected a grade from 0 to {measure.parameter:g} for {quoted(measure.text)}, "
                    f"got {float(grade):g} (is the scale longer? ERR(max_rel=5) goes up to 5)"
                )

    def _within(self, convention: Convention, k: int | None) -> Any:
        return True if k is None else self._places(convention).higher < k

    def _unjudged(self, convention: Convention, k: int | None) -> int:
        """The number of documents within the cutoff that nobody judged."""
        sizes = self.sizes(convention)
        if k is None:
            return int(sizes.sum()) - len(self._ranked(convention).owner)
        ordered = replace(convention, ties="id-descending") if convention.ties == "average" else convention
        return int(np.minimum(sizes, k).sum() - np.count_nonzero(self._within(ordered, k)))

    @kept
    def tied_grades(self, convention: Convention, k: int | None) -> Bools:
        """Whether documents with different grades, unjudged ones with grade 0, share a score within the cutoff."""
        return self._are_among(self._tied_apart(convention, k, self.levels))

    def tied_groups(self, measure: Measure, convention: Convention) -> int:
        """How many groups of equal scores within the cutoff hold documents that add different amounts to a measure.

        That is before any discount.
        """
        if measure.name in ("nDCG", "DCG"):
            added = self._gain(convention)
        elif measure.name == "CG":
            added = self._gain(replace(convention, gain="linear"))
        else:
            added = (self._whole(convention) >= measure.rel).astype(np.float64)
        return self._tied_apart(convention, measure.k, added).size

    def _tied_apart(self, convention: Convention, k: int | None, value: Floats) -> Ints:
        """The query of each group of equal scores within the cutoff whose documents differ in a value.

        The value is given by level, and is 0 for unjudged documents.
        """
        averaged = replace(convention, ties="average")
        found, owner, grade = (
            self._places(averaged),
            self._ranked(convention).owner,
            value[self._level_ranked(convention)],
        )
        tied = np.flatnonzero(found.alike & self._within(averaged, k))
        tied = tied[np.lexsort((grade[tied], found.higher[tied], owner[tied]))]
        owner, grade, higher = owner[tied], grade[tied], found.higher[tied]
        first = np.flatnonzero((np.diff(owner, prepend=-1) != 0) | (np.diff(higher, prepend=-1) != 0))
        judged = np.diff(first, append=tied.size)
        unjudged = found.tied[tied[first]] > judged
        differ = (grade[first] < grade[first + judged - 1]) | (unjudged & (grade[first] != 0))
        apart: Ints = owner[first[differ]]
        return apart

    def all_negative(self, convention: Convention, k: int | None) -> Bools:
        """Whether each query has grades, all of them below 0."""
        negative = self.levels[self._level] < 0
        return self._are_among(self._owner[negative]) & ~self._are_among(self._owner[~negative])

    def negative_ideal(self, convention: Convention, k: int | None) -> Bools:
        """Whether grades below 0 outweigh the others in each ideal."""
        found = self.graded(self.levels < 0, convention)
        return found & (np.array(self.idcg(convention, k)) < 0) if found.any() else found

    def cancelling(self, convention: Convention, k: int | None) -> Bools:
        """Whether grades other than 0 sum to 0."""
        found = self.graded(self.levels < 0, convention)
        if found.any():
            owner, level = self._seen(convention)
            found &= sums_by_query(self.levels[level], self._starts(owner)) == 0
        return found

    def graded(self, levels: Bools, convention: Convention) -> Bools:
        """Whether each query has a grade of one of the levels, among those that the library sees."""
        owner, level = self._seen(convention) if levels.any() else (self._owner[:0], self._level[:0])
        return self._are_among(owner[levels[level]])

    def _seen(self, convention: Convention) -> tuple[Ints, Ints]:
        """Query and level of each grade that the library sees: of the retrieved documents, or of all judged ones."""
        if convention.ideal == "ranked":
            return self._ranked(convention).owner, self._level_ranked(convention)
        return self._owner, self._level

    def _are_among(self, owners: Ints) -> Bools:
        found = np.zeros(len(self.queries), dtype=np.bool_)
        found[owners] = True
        return found


def _above(values: BatchValues, convention: Convention, k: int | None, most: float) -> Bools:
    return values.graded(values.levels > most, convention)


# The same kinds as `ndcg_ref.formulas.kinds.IS_OF`, for many queries at once
OF_KIND: Mapping[str, Callable[[BatchValues, Convention, int | None], Bools]] = {
    # kind: whether each query of a batch is of that kind, under a convention, at a cutoff
    "one": lambda values, convention, _: values.sizes(convention) == 1,
    "ties": BatchValues.tied_grades,
    "long ties": lambda values, convention, k: values.tied_grades(convention, k) & (values.sizes(convention) > LONG),
    "all negative": BatchValues.all_negative,
    "negative ideal": BatchValues.negative_ideal,
    "cancelling": BatchValues.cancelling,
    "below 1": lambda values, convention, _: values.graded((values.levels > 0) & (values.levels < 1), convention),
    **{kind: partial(_above, most=most) for kind, most in ABOVE.items()},
}


def _finite(sums: Floats) -> list[float]:
    if not np.isfinite(sums).all():
        raise refusal("overflowing sum", "grades")
    values: list[float] = sums.tolist()
    return values
