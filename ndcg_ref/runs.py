"""Evaluate a run against judgments: the value of each query, and the mean.

Judgments map query to document to grade, and a run maps query to document to score. The highest score comes first; the
convention decides the order of equal scores, and the value of a query that only one side has, or that has no ideal
gain. The counts say how many such queries there are.
"""

from __future__ import annotations

import math
import os
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import accumulate, chain, compress, pairwise, repeat
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ndcg_ref.convention import Convention, ideal_cutoff, value_without_ideal
from ndcg_ref.excluded import LONG, Excluded
from ndcg_ref.measures import gain_of, gains
from ndcg_ref.ranks import (
    Places,
    Retrieved,
    expected_weights,
    places,
    sums_by_query,
    weigh_ranks,
)
from ndcg_ref.spellings import Asked, read_measures
from ndcg_ref.validation import (
    MOST_RANKS,
    as_flag,
    as_grade,
    extra_query,
    finite_sum,
    missing_query,
    overflowing_sum,
    quoted,
    shortened,
    too_many,
    unjudged_document,
)

if TYPE_CHECKING:  # numpy.typing takes longer to load than this module
    from typing import TypeAlias

    from numpy.typing import NDArray

    from ndcg_ref.trec import Block

    Floats: TypeAlias = NDArray[np.float64]
    Bools: TypeAlias = NDArray[np.bool_]
    Judgments: TypeAlias = Mapping[str, Mapping[str, Any]]

TOGETHER = 2**18  # scores of a file that are processed at a time
AT_ONCE = 512  # queries of a run in memory that are processed at a time: some megabytes of scores
COUNTS = ("judged", "evaluated", "missing", "extra", "without_ideal", "tied", "unjudged")
LIKE_GRADES = frozenset(range(11))

# How libraries name the columns of qrels and runs in a data frame; the first that is there is taken
COLUMNS = {
    "query": ("query_id", "qid", "q_id", "query"),
    "document": ("doc_id", "docno", "docid", "document"),
    "grade": ("relevance", "rel", "label", "grade"),
    "score": ("score",),
}


@dataclass(frozen=True, kw_only=True, repr=False)
class Result:
    """The values of a run: for each measure the mean and the value of each query, and the counts.

    Parameters
    ----------
    mean : dict of str to float
        Mean over the queries that have a value, by measure as it was spelled; nan if none has.
    per_query : dict of str to dict of str to float
        Value of each query, by measure; nan for a query without ideal gain that the mean leaves out.
    dcg, idcg : dict of str to dict of str to float
        Numerator and denominator of each NDCG, by measure.
    counts : dict of str to int
        *judged*: queries with judgments; *evaluated*: queries that count in the mean; *missing*:
        judged queries that the run lacks; *extra*: queries of the run that nobody judged; *without_ideal*: queries of
        both without ideal gain (without a relevant document, for AP, P and RR); *tied*: queries in which a judged
        document within the cutoff shares its score with another document; *unjudged*: documents within the cutoff that
        nobody judged, in all queries, with averaged ties in the order of "id-descending". If measures differ, the
        largest number.
    conventions : dict of str to Convention
        The convention of each measure.
    only_trec_eval : dict of str to int
        How many lines were read as only trec_eval reads them: in *qrels* those with an exponent in the grade, which it
        ignores, and in the *run* those with a tag of several words.
    excluded : dict of str to Excluded
        For each preset that a measure is computed under, by its full name: what of these data it is not held to.

    Examples
    --------
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


def evaluate(
    qrels: Any,
    run: Any,
    measures: str | Iterable[str] = ("nDCG@10",),
    convention: Convention | str | None = None,
    *,
    check_swap: bool = True,
    progress: Callable[[int, int], None] | None = None,
) -> Result:
    r"""Evaluate a run against judgments.

    Each measure is computed for each query, and its mean over the queries that have a value; for NDCG

    .. math:: \frac{1}{|Q|} \sum_{q \in Q} \mathrm{NDCG}_k(q)

    Parameters
    ----------
    qrels : mapping, data frame or path
        Judgments: a mapping of query to document to grade; a data frame of pandas, polars or pyarrow (see Notes); or
        the path of a qrels file.
    run : mapping, data frame or path
        The run: a mapping of query to document to score; a data frame; or the path of a run file, which is read in
        blocks.
    measures : str or iterable of str, optional
        The measures, spelled as in ``nDCG@10``, ``ndcg_cut_10`` or ``P(rel=2)@5``; see `parse`.
    convention : Convention or str, optional
        A convention or the name of a preset, for all measures; a preset may have a different convention for one of
        them. Without it, a spelling that belongs to one library means its newest preset, and any other trec_eval's.
    check_swap : bool, optional
        Whether to refuse judgments and a run that look swapped: in memory, grades with fractions, and scores that are
        whole numbers from 0 to 10 and repeat within most queries although the grades do not.
    progress : callable, optional
        Called after each block with the number of queries done and the number of judged queries.

    Returns
    -------
    Result
        Means, values by query, counts and conventions.

    Raises
    ------
    ValueError
        If the sides have no query in common, a grade or score is no finite number, a spelling is unknown or contradicts
        the convention, the convention refuses something, the sides look swapped, or a file is broken.
    TypeError
        If something has the wrong type, such as a list of judgments, or an id that is no text.

    Notes
    -----
    A data frame has a row for each document of a query. The first column found of the following names is used: for the
    query ``query_id``, ``qid``, ``q_id`` or ``query``; for the document ``doc_id``, ``docno``, ``docid`` or
    ``document``; for the grade ``relevance``, ``rel``, ``label`` or ``grade``; for the score ``score``.

    If one of the measures is computed as by trec_eval, files are read as trec_eval reads them: the tag of a run may
    have several words, and the exponent of a grade is ignored. ``only_trec_eval`` of the result counts these lines.

    References
    ----------
    Manning, Raghavan and Schütze 2008, Introduction to Information Retrieval, section 8.4.

    Examples
    --------
    The only relevant document is at rank 2; its discount is log2(3):

    >>> qrels = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 1}}
    >>> run = {"q1": {"d2": 1.5, "d1": 0.5}}
    >>> result = evaluate(qrels, run)
    >>> result.per_query["nDCG@10"]
    {'q1': 0.6309297535714575}
    >>> result.counted
    '2 judged, 1 evaluated, 1 missing, 0 extra, 0 without ideal, 0 tied, 0 unjudged'
    """
    return evaluate_asked(qrels, run, read_measures(measures, convention), check_swap=check_swap, progress=progress)


def evaluate_asked(
    qrels: Any,
    run: Any,
    wanted: list[Asked],
    *,
    check_swap: bool = True,
    progress: Callable[[int, int], None] | None = None,
) -> Result:
    """As `evaluate`, for measures whose conventions are already known.

    >>> evaluate_asked({"q1": {"d1": 1}}, {"q1": {"d1": 0.5}}, read_measures("nDCG")).mean
    {'nDCG': 1.0}
    """
    tallies = list(map(_Tally, wanted))
    deepest = max(tally.measure.k or math.inf for tally in tallies)
    as_trec_eval = reads_as_trec_eval(wanted)
    judgments = as_mappings(qrels, "qrels", "grade", as_trec_eval)
    scored = None if _is_path(run) else as_mappings(run, "run", "score")
    if (
        as_flag(check_swap, "check_swap")
        and not _is_path(qrels)
        and scored is not None
        and _look_swapped(judgments, scored)
    ):
        raise ValueError(
            "run: expected scores, got whole numbers that repeat, against judgments with fractions "
            "(qrels and run swapped? check_swap=False accepts them)"
        )
    done: set[str] = set()
    documents = 0
    extras = _Extras(getattr(scored, "only_trec_eval", 0))
    if scored is None:
        parts = _of_file(judgments, run, extras, as_trec_eval)
    else:
        parts = _of_mappings(judgments, scored, extras)
    for part in parts:
        if part is None:
            tallies, done, documents = list(map(_Tally, wanted)), set(), 0
            continue
        longest = int(np.diff(part.retrieved.starts).argmax())
        if part.retrieved.starts[longest + 1] - part.retrieved.starts[longest] > MOST_RANKS:
            raise too_many(f"run[{quoted(part.queries[longest])}]", "documents")
        block = _Block(part, None if deepest == math.inf else int(deepest))
        for tally in tallies:
            tally.add(block)
        documents += int(part.retrieved.starts[-1])
        done.update(part.queries)
        if progress is not None:
            progress(len(done), len(judgments))
    if not done:
        raise _nothing_shared(judgments, extras.extra)
    missing = [query for query in judgments if query not in done]
    for tally in tallies:
        tally.absent(missing, sorted(extras.extra))
    of_the_run = {
        "empty": 0 if documents else len(judgments),
        "unjudged": sum(not grades for grades in judgments.values()),
        "missing": len(missing),
    }
    return _result(tallies, judgments, missing, extras, _excluded(tallies, of_the_run))


def reads_as_trec_eval(wanted: Iterable[Asked]) -> bool:
    """Whether files are read as trec_eval reads them: one of the measures is computed as by trec_eval.

    >>> reads_as_trec_eval(read_measures("nDCG@10")), reads_as_trec_eval(read_measures("nDCG@10", "scikit-learn"))
    (True, False)
    """
    return any(each.preset is not None and each.preset.library == "trec_eval" for each in wanted)


def _look_swapped(judgments: Judgments, scored: Judgments) -> bool:
    """Whether grades look like scores, and scores like grades, which repeat since they have few levels."""
    try:
        if not all(LIKE_GRADES.issuperset(scores.values()) for scores in scored.values()):
            return False
        if not any(float(grade) % 1 for grades in judgments.values() for grade in grades.values()):
            return False
    except (OverflowError, TypeError, ValueError):  # not a number: refused elsewhere, with its place
        return False
    both = [(judgments[query].values(), scores.values()) for query, scores in scored.items() if query in judgments]
    turned = [len(set(scores)) < len(scores) and len(set(grades)) == len(grades) > 1 for grades, scores in both]
    return 2 * sum(turned) > len(both)


def _excluded(tallies: list[_Tally], of_the_run: dict[str, int]) -> dict[str, Excluded]:
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


def _result(
    tallies: list[_Tally],
    judgments: Judgments,
    missing: list[str],
    extras: _Extras,
    excluded: dict[str, Excluded],
) -> Result:
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


class _Extras:
    """Unjudged queries of a run, and the number of lines that only trec_eval reads; filled while reading."""

    def __init__(self, only_trec_eval: int) -> None:
        self.only_trec_eval = only_trec_eval
        self.extra: set[str] = set()


class _Part(NamedTuple):
    """Some queries that are judged and retrieved."""

    queries: list[str]
    judged: list[Mapping[str, Any]]
    grades: Floats  # of all judged documents, query after query
    retrieved: Retrieved


class _Tally:
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
        return len(self._defined)

    @property
    def mean(self) -> float:
        return finite_sum(self._defined) / self.evaluated if self.evaluated else math.nan

    def add(self, block: _Block) -> None:
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


class _Block:
    """Some queries that are judged and retrieved, and what the measures share in computing."""

    def __init__(self, part: _Part, deepest: int | None) -> None:
        self.queries, self._judged, grades, self._run = part
        self._deepest = deepest
        self._owner = np.repeat(np.arange(len(self.queries)), [len(each) for each in self._judged])
        # A level is a distinct grade: what is computed for a level holds for each grade of it
        self._levels, self._level = np.unique(grades, return_inverse=True)
        self._kept: dict[Any, Any] = {}

    def _once(self, compute: Callable[..., Any], *key: Any) -> Any:
        """The result of `compute` for a key, computed once."""
        if (compute.__name__, *key) not in self._kept:
            self._kept[compute.__name__, *key] = compute(*key)
        return self._kept[compute.__name__, *key]

    def _whole(self, convention: Convention) -> Floats:
        """Each level, truncated if the convention says so."""
        return np.trunc(self._levels) + 0.0 if convention.fractional == "truncate" else self._levels

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

    def _retrieved(self, convention: Convention) -> Retrieved:
        """The documents that are ranked: all retrieved ones, or without those that the convention drops."""
        return self._once(self._without_dropped, convention) if convention.unjudged == "drop" else self._run

    def _level_found(self, convention: Convention) -> NDArray[np.int64]:
        """The level of each judged document that is ranked."""
        return np.searchsorted(self._levels, self._retrieved(convention).grade)

    def _sizes(self, convention: Convention) -> NDArray[np.int64]:
        """The number of documents that each query ranks."""
        return np.diff(self._retrieved(convention).starts)

    def _ranked(self, convention: Convention) -> Retrieved:
        """The documents that are ranked, with grades that put ties in order."""
        retrieved = self._retrieved(convention)
        if convention.ties not in ("best", "worst"):
            return retrieved
        # By grade; of those with grade 0, judged ones come before or after unjudged ones, by the sign of their gain
        read, gain = self._once(self._read, convention), self._once(self._gain, convention)
        ordered = np.where(read == 0, np.sign(gain) * np.finfo(np.float64).tiny, read)
        return replace(retrieved, grade=ordered[self._once(self._level_found, convention)])

    def _without_dropped(self, convention: Convention) -> Retrieved:
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
        return Retrieved(
            starts=starts,
            scores=np.array(scores, dtype=np.float64),
            owner=owner,
            score=score,
            grade=run.grade[stays],
            ids=ids.__getitem__,
            found=found.__getitem__,
        )

    def _refuse_unjudged(self) -> None:
        retrieved: Any = self._run
        for i, query in enumerate(self.queries):
            for document in retrieved.ids(i):
                if document not in self._judged[i]:
                    raise unjudged_document(query, document)

    def _places(self, convention: Convention) -> Places:
        """The rank of each judged document that was retrieved."""
        if convention.unjudged == "error":
            self._refuse_unjudged()
        return places(self._once(self._ranked, convention), convention, self._deepest)

    def _weighted(self, value: Floats, convention: Convention, discount: Convention, k: int | None) -> list[float]:
        """For each query, the sum over its judged documents of a value by level times the weight of the rank."""
        found = self._once(self._places, convention)
        longest = int(self._sizes(convention).max())
        weights = expected_weights(found, self._once(weigh_ranks, longest, discount), k)
        starts = np.searchsorted(self._retrieved(convention).owner, np.arange(len(self.queries) + 1))
        return _finite(sums_by_query(value[self._once(self._level_found, convention)] * weights, starts))

    def dcg(self, convention: Convention, k: int | None) -> list[float]:
        return self._weighted(self._once(self._gain, convention), convention, convention, k)

    def cg(self, convention: Convention, k: int | None) -> list[float]:
        return self._weighted(self._gain(replace(convention, gain="linear")), convention, _undiscounted(convention), k)

    def relevant(self, convention: Convention, rel: float) -> list[int]:
        """The number of relevant documents of each query."""
        self._once(self._gain, replace(convention, gain="linear"))  # refuses the grades that the convention refuses
        is_relevant = self._once(self._read, convention) >= rel
        return list(map(int, np.bincount(self._owner, is_relevant[self._level], len(self.queries))))

    def idcg(self, convention: Convention, k: int | None) -> list[float]:
        """The DCG of the ideal, in which an unjudged document has grade 0 and gains nothing."""
        gain, lengths = self._once(self._best_first, convention)
        cuts = [ideal_cutoff(k, n, convention) for n in self._sizes(convention).tolist()]
        counts = np.minimum(lengths, [len(gain) if cut is None else cut for cut in cuts])
        position = np.arange(len(gain)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        counted = position < np.repeat(counts, lengths)
        weights = self._once(weigh_ranks, int(counts.max()), convention).of_rank
        starts = np.append(0, np.cumsum(counts))
        return _finite(sums_by_query(gain[counted] * weights[position[counted]], starts))

    def _best_first(self, convention: Convention) -> tuple[Floats, NDArray[np.int64]]:
        """The gains in the ideal of each query, query after query, and how many each query has."""
        read, gain = self._once(self._read, convention), self._once(self._gain, convention)
        ranked = self._retrieved(convention).owner
        unjudged = self._sizes(convention) - np.bincount(ranked, minlength=len(self.queries))
        if convention.ideal == "judged":
            owner, level = self._owner, self._level
        else:
            owner, level = ranked, self._once(self._level_found, convention)
        read, gain = np.append(read, 0.0), np.append(gain, 0.0)  # the last level stands for unjudged documents
        order = np.lexsort((gain, read) if convention.ideal_order == "grade" else (gain,))[::-1]
        order = order[: np.flatnonzero(gain[order])[-1] + 1] if gain.any() else order[:0]  # the rest adds nothing
        place = np.full(len(read), len(order))
        place[order] = np.arange(len(order))
        if place[-1] == len(order):
            unjudged[:] = 0
        everyone = np.arange(len(self.queries))
        owner = np.concatenate([owner, np.repeat(everyone, unjudged)])
        found = np.concatenate([place[level], np.full(unjudged.sum(), place[-1])])
        counted = found < len(order)
        key = np.sort(owner[counted] * len(order) + found[counted])  # one for each document, not each level
        starts = np.searchsorted(key, np.arange(len(self.queries) + 1) * len(order))
        lengths = np.diff(starts)
        return gain[order][key - np.repeat(everyone * len(order), lengths)], lengths

    def p(self, convention: Convention, k: int, rel: float, relevant: list[int]) -> list[float]:
        is_relevant = self._once(self._read, convention) >= rel
        sums = self._weighted(is_relevant.astype(np.float64), convention, _undiscounted(convention), k)
        return [found / k for found in sums]

    def ap(self, convention: Convention, k: int | None, rel: float, relevant: list[int]) -> list[float]:
        rank, owner, nth = self._relevant_ranks(convention, k, rel)
        starts = np.searchsorted(owner, np.arange(len(self.queries) + 1))
        sums = sums_by_query(nth / rank, starts).tolist()
        return [each / many if many else 0.0 for each, many in zip(sums, relevant, strict=True)]

    def rr(self, convention: Convention, k: int | None, rel: float, relevant: list[int]) -> list[float]:
        rank, owner, nth = self._relevant_ranks(convention, k, rel)
        first = nth == 1
        return [float(each) for each in np.bincount(owner[first], 1 / rank[first], len(self.queries))]

    def _relevant_ranks(self, convention: Convention, k: int | None, rel: float) -> tuple[Any, Any, Any]:
        """Rank, query and position within the query of each relevant document, best rank first."""
        rank = self._once(self._places, convention).higher + 1
        counted = (self._once(self._read, convention) >= rel)[self._once(self._level_found, convention)]
        if k is not None:
            counted &= rank <= k
        rank, owner = rank[counted], self._retrieved(convention).owner[counted]
        order = np.lexsort((rank, owner))
        rank, owner = rank[order], owner[order]
        return rank, owner, np.arange(1, rank.size + 1) - np.searchsorted(owner, owner)

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


# The same kinds as `ndcg_ref.kinds.IS_OF`, for many queries at once
OF_KIND: dict[str, Callable[[_Block, Convention, int | None], Bools]] = {
    # kind: whether each query of a block is of that kind, under a convention, at a cutoff
    "one": _Block.one,
    "ties": _Block.tied_grades,
    "long ties": _Block.long_ties,
    "all negative": _Block.all_negative,
    "negative ideal": _Block.negative_ideal,
    "cancelling": _Block.cancelling,
    "below 1": _Block.below_1,
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


def _or_none(value: float) -> float | None:
    return None if math.isnan(value) else value


def _of_mappings(judgments: Judgments, scored: Judgments, extras: _Extras) -> Iterator[_Part | None]:
    """A run in memory, some judged queries at a time."""
    extras.extra.update(query for query in scored if query not in judgments)
    queries = [query for query in judgments if query in scored]
    for first in range(0, len(queries), AT_ONCE):
        some = queries[first : first + AT_ONCE]
        judged, of_run = [judgments[query] for query in some], [scored[query] for query in some]
        grades = _grades(some, judged)
        retrieved = _in_memory(some, judged, grades, of_run)
        # All ids of judgments, but only the first of a run: an id that is no text equals no judged one
        _refuse_id(some, judged, "qrels", chain.from_iterable(judged))
        _refuse_id(some, of_run, "run", [next(iter(scores), "") for scores in of_run])
        yield _Part(some, judged, grades, retrieved)


def _of_file(judgments: Judgments, path: Any, extras: _Extras, as_trec_eval: bool) -> Iterator[_Part | None]:
    """The blocks of a run file, joined to a size that suits numpy.

    None means that the run starts again, and that all earlier parts must be discarded.
    """
    from ndcg_ref.trec import run_blocks

    some: list[Block] = []
    for block in run_blocks(path, judgments, as_trec_eval=as_trec_eval):
        if block.restart:
            some = []
            extras.extra.clear()
            extras.only_trec_eval = 0
            yield None
        elif some and sum(each.scores.size for each in some) + block.scores.size > TOGETHER:
            yield from _together(judgments, some)
            some = []
        some.append(block)
        extras.extra.update(query for query in block.queries if query not in judgments)
        extras.only_trec_eval += block.only_trec_eval
    yield from _together(judgments, some)


def _together(judgments: Judgments, blocks: list[Block]) -> Iterator[_Part]:
    """The judged queries of some blocks as one part, if there are any."""
    sizes, scores, owner = [], [], []
    places: list[tuple[Block, int]] = []
    for block in blocks:
        is_judged = np.array([query in judgments for query in block.queries], dtype=np.bool_)
        documents = np.diff(block.starts)
        sizes += documents[is_judged].tolist()
        scores.append(block.scores if is_judged.all() else block.scores[np.repeat(is_judged, documents)])
        owner.append(len(places) - 1 + np.cumsum(is_judged)[block.owner])
        places += [(block, i) for i in np.flatnonzero(is_judged).tolist()]
    if not places:
        return
    queries = [block.queries[i] for block, i in places]
    judged = [judgments[query] for query in queries]
    retrieved = Retrieved(
        starts=np.cumsum([0, *sizes]),
        scores=np.concatenate(scores),
        owner=np.concatenate(owner),
        **{name: np.concatenate([getattr(block, name) for block in blocks]) for name in ("score", "grade", "at")},
        ids=lambda i: places[i][0].ids(places[i][1]),
        found=lambda i: places[i][0].found(places[i][1]),
    )
    yield _Part(queries, judged, _grades(queries, judged), retrieved)


def _in_memory(
    queries: list[str], judged: list[Mapping[str, Any]], grades: Floats, scored: list[Mapping[str, Any]]
) -> Retrieved:
    """The scores of some queries as an array, and the judged documents among them."""
    starts = np.cumsum([0, *map(len, scored)])
    every: Any = np.empty(starts[-1])
    found: list[Any] = []
    absent = repeat(math.nan)
    for query, first, documents, scores in zip(queries, starts.tolist(), judged, scored, strict=False):
        try:  # struct does not take text for a number, and is faster than numpy
            struct.pack_into(f"{len(scores)}d", every, 8 * first, *scores.values())
        except (OverflowError, struct.error):
            _refuse_number([query], [scores], "run")
            raise
        found += map(scores.get, documents, absent)  # while the query is in the cache of the processor
    if not np.isfinite(every).all():
        _refuse_number(queries, scored, "run")
    score = np.frombuffer(struct.pack(f"{len(found)}d", *found))
    was_found = ~np.isnan(score)
    here = np.flatnonzero(was_found)
    ends = list(accumulate(map(len, judged), initial=0))
    return Retrieved(
        starts=starts,
        scores=every,
        owner=np.repeat(np.arange(len(queries)), np.diff(ends))[here],
        score=score[here],
        grade=grades[here],
        ids=lambda i: _ids(queries[i], scored[i]),
        found=lambda i: list(compress(judged[i], was_found[ends[i] : ends[i + 1]].tolist())),
    )


def _grades(queries: list[str], judged: list[Mapping[str, Any]]) -> Floats:
    """All grades of some queries."""
    values = [*chain.from_iterable([grades.values() for grades in judged])]
    try:
        numbers = np.frombuffer(struct.pack(f"{len(values)}d", *values))
    except (OverflowError, struct.error):
        _refuse_number(queries, judged, "qrels")
        raise
    if not np.isfinite(numbers).all():
        _refuse_number(queries, judged, "qrels")
    return numbers


def _ids(query: str, scores: Mapping[str, Any]) -> list[str]:
    """The ids of all documents that a query retrieved, for a tie that needs them."""
    _refuse_id([query], [scores], "run", scores)
    return list(scores)


def _refuse_id(queries: list[str], values: list[Mapping[str, Any]], side: str, ids: Iterable[Any]) -> None:
    """Refuse the first document whose id is no text, if there is one."""
    if {*map(type, ids)} <= {str}:
        return
    for query, of_query in zip(queries, values, strict=True):
        for document in of_query:
            if not isinstance(document, str):
                raise TypeError(
                    f"{side}[{quoted(query)}]: expected text as the id of a document, got {quoted(document)} "
                    "(use str(...) on both sides)"
                )


def _refuse_number(queries: list[str], values: list[Mapping[str, Any]], side: str) -> None:
    """Refuse the first value that is no finite number."""
    for query, of_query in zip(queries, values, strict=True):
        for document, value in of_query.items():
            as_grade(value, f"{side}[{quoted(query)}][{quoted(document)}]", hint="")


def _is_path(given: Any) -> bool:
    return isinstance(given, str | os.PathLike)


def as_mappings(given: Any, side: str, value: str, as_trec_eval: bool = False) -> Mapping[str, Mapping[str, Any]]:
    """Query to document to value, of judgments or a run in any form.

    Parameters
    ----------
    given : mapping, data frame or path
        What `evaluate` takes.
    side : {"qrels", "run"}
        Which of the two it is.
    value : {"grade", "score"}
        What the documents map to.
    as_trec_eval : bool, optional
        Whether a file is read as trec_eval reads it.

    Returns
    -------
    mapping of str to mapping of str to number
        The mapping; its documents are not checked yet.

    Raises
    ------
    ValueError
        If there is no query, a column is missing, a frame has a document twice in a query, or a file is broken.
    TypeError
        If it has the wrong type, or the id of a query is no text.

    Examples
    --------
    >>> as_mappings({"q1": ["d1"]}, "run", "score")
    Traceback (most recent call last):
        ...
    TypeError: run['q1']: expected a dict of document to score, got a list
    """
    if _is_path(given):
        from ndcg_ref.trec import read_qrels, read_run

        return (read_qrels if side == "qrels" else read_run)(given, as_trec_eval=as_trec_eval)
    if not isinstance(given, Mapping):
        if not hasattr(given, "columns") or hasattr(given, "collect"):  # a lazy frame
            raise TypeError(f"{side}: expected a dict of dicts, a data frame or a path, got a {type(given).__name__}")
        given = _of_frame(given, side, value)
    if not given:
        raise ValueError(f"{side}: expected at least one query, got none")
    for query in given:
        if not isinstance(query, str):
            raise TypeError(
                f"{side}: expected text as the id of a query, got {quoted(query)} (use str(...) on both sides)"
            )
    for query, values in given.items():
        if type(values) is not dict and not isinstance(values, Mapping):
            raise TypeError(
                f"{side}[{quoted(query)}]: expected a dict of document to {value}, got a {type(values).__name__}"
            )
    read: Mapping[str, Mapping[str, Any]] = given
    return read


def _of_frame(frame: Any, side: str, value: str) -> dict[str, dict[str, Any]]:
    """Query to document to value, from a data frame of pandas, polars or pyarrow."""
    names = [str(name) for name in getattr(frame, "column_names", frame.columns)]
    columns = []
    for kind in ("query", "document", value):
        chosen = next((name for name in COLUMNS[kind] if name in names), None)
        if chosen is None:
            raise ValueError(
                f"{side}: expected a column {' or '.join(COLUMNS[kind])}, got {shortened(', '.join(names)) or 'none'}"
            )
        if names.count(chosen) > 1:
            raise ValueError(f"{side}: expected one column {chosen}, got {names.count(chosen)}")
        column = frame[chosen]
        columns.append(column.to_pylist() if hasattr(column, "to_pylist") else column.to_list())
    read: dict[str, dict[str, Any]] = {}
    for row, (query, document, number) in enumerate(zip(*columns, strict=True)):
        values = read.setdefault(query, {})
        if document in values:
            raise ValueError(
                f"{side}: row {row}: expected each document once in a query, "
                f"got {quoted(document)} again in {quoted(query)}"
            )
        values[document] = number
    return read


def _nothing_shared(judgments: Judgments, extra: set[str]) -> ValueError:
    return ValueError(
        f"run: expected at least one judged query, got none of {len(judgments)} among {len(extra)} "
        f"(judged is {quoted(next(iter(judgments)))}, retrieved {quoted(min(extra))}: the same ids, the right files?)"
    )
