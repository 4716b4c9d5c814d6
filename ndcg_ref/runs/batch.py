"""Some queries of a run that are judged, as arrays."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain, compress, repeat
from typing import TYPE_CHECKING, Any

import numpy as np

from ndcg_ref.conventions.validation import as_grade, quoted

if TYPE_CHECKING:  # numpy.typing takes longer to load than this module
    from typing import TypeAlias

    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]
    Ints: TypeAlias = NDArray[np.int64]
    Judgments: TypeAlias = Mapping[str, Mapping[str, Any]]

AT_ONCE = 512  # queries of a run in memory that are processed at a time: some megabytes of scores


class QueriesApartError(Exception):
    """The rows of a query are not together, so that none read at once are whole queries: read the run in order."""


@dataclass(frozen=True, kw_only=True)
class Batch:
    """Some queries that are judged and retrieved, as arrays, from a file, a mapping, a frame or arrays.

    Parameters
    ----------
    queries : sequence of str, optional
        The ids of the queries; empty where they have none.
    judged : sequence of mapping of str to float, optional
        Document to grade, for each query; empty where documents have no ids.
    grades : numpy.ndarray of float64, shape (j,)
        Grade of every judged document, query after query; finite.
    grade_starts : numpy.ndarray of int64, shape (q + 1,)
        Where those of each query start in `grades`, and where those of the last query end.
    scores : numpy.ndarray of float64, shape (n,)
        Score of every retrieved document, query after query, in input order; finite.
    starts : numpy.ndarray of int64, shape (q + 1,)
        Where those of each query start in `scores`, and where those of the last query end.
    owner : numpy.ndarray of int64, shape (m,)
        Query of each judged document that was retrieved, ascending.
    score : numpy.ndarray of float64, shape (m,)
        Its score.
    grade : numpy.ndarray of float64, shape (m,)
        Its grade.
    at : numpy.ndarray of int64, shape (m,), optional
        Its position among the documents of its query, from 0, in input order.
    ids : callable, optional
        Returns the ids of all documents of a query, in input order; called only if a tie needs them.
    found : callable, optional
        Returns the ids of the judged documents of a query, in the order of `score`; called only if a tie needs them.
    extra : sequence of str, optional
        Queries of the run that nobody judged, and that were passed over on the way to these.
    only_trec_eval : int, optional
        The number of lines that were read as only trec_eval reads them.
    """

    queries: Sequence[str] = ()
    judged: Sequence[Mapping[str, Any]] = ()
    grades: Floats
    grade_starts: Ints
    scores: Floats
    starts: Ints
    owner: Ints
    score: Floats
    grade: Floats
    at: Ints | None = None
    ids: Callable[[int], Sequence[str]] | None = None
    found: Callable[[int], Sequence[str]] | None = None
    extra: Sequence[str] = ()
    only_trec_eval: int = 0


def batches_of(judgments: Judgments, scored: Judgments) -> Iterator[Batch]:
    """A run in memory, some judged queries at a time; one batch without queries if none is judged."""
    extra = [query for query in scored if query not in judgments]
    only_trec_eval = getattr(scored, "only_trec_eval", 0)
    queries = [query for query in judgments if query in scored]
    for first in range(0, len(queries) or 1, AT_ONCE):
        batch = batch_of(queries[first : first + AT_ONCE], judgments, scored)
        yield batch if first else replace(batch, extra=extra, only_trec_eval=only_trec_eval)


def batch_of(queries: list[str], judgments: Judgments, scored: Judgments) -> Batch:
    """Some queries of a run in memory, all of which are judged."""
    judged, of_run = [judgments[query] for query in queries], [scored[query] for query in queries]
    batch = _in_memory(queries, judged, as_grades(queries, judged), of_run)
    # All ids of judgments, but only the first of a run: an id that is no text equals no judged one
    _refuse_id(queries, judged, "qrels", chain.from_iterable(judged))
    _refuse_id(queries, of_run, "run", [next(iter(scores), "") for scores in of_run])
    return batch


def joined(batches: list[Batch]) -> Batch:
    """Some batches with ids as one."""
    places: list[tuple[Any, int]] = [(batch, i) for batch in batches for i in range(len(batch.queries))]
    begins = accumulate([len(batch.queries) for batch in batches], initial=0)
    ats = [batch.at for batch in batches if batch.at is not None]

    def end_to_end(name: str) -> Any:
        return np.concatenate([getattr(batch, name) for batch in batches])

    def starts(name: str) -> Ints:
        lengths = np.concatenate([np.diff(getattr(batch, name)) for batch in batches])
        return np.append(0, np.cumsum(lengths))

    return Batch(
        queries=[query for batch in batches for query in batch.queries],
        judged=[judged for batch in batches for judged in batch.judged],
        grades=end_to_end("grades"),
        grade_starts=starts("grade_starts"),
        scores=end_to_end("scores"),
        starts=starts("starts"),
        owner=np.concatenate([batch.owner + begin for batch, begin in zip(batches, begins, strict=False)]),
        score=end_to_end("score"),
        grade=end_to_end("grade"),
        at=np.concatenate(ats) if len(ats) == len(batches) else None,
        ids=lambda i: places[i][0].ids(places[i][1]),
        found=lambda i: places[i][0].found(places[i][1]),
        extra=[query for batch in batches for query in batch.extra],
        only_trec_eval=sum(batch.only_trec_eval for batch in batches),
    )


def _in_memory(
    queries: list[str], judged: list[Mapping[str, Any]], grades: Floats, scored: list[Mapping[str, Any]]
) -> Batch:
    """The scores of some queries as an array, and the judged documents among them."""
    starts = np.cumsum([0, *map(len, scored)])
    every: Any = np.empty(starts[-1])
    found: list[Any] = []
    absent = repeat(math.nan)
    for first, documents, scores in zip(starts.tolist(), judged, scored, strict=False):
        try:  # struct does not take text for a number, and is faster than numpy
            struct.pack_into(f"{len(scores)}d", every, 8 * first, *scores.values())
        except (OverflowError, struct.error):
            every[first] = math.nan  # refused below, where the place is found
        found += map(scores.get, documents, absent)  # while the query is in the cache of the processor
    if not np.isfinite(every).all():
        _refuse_number(queries, scored, "run")
    score = np.frombuffer(struct.pack(f"{len(found)}d", *found))
    was_found = ~np.isnan(score)
    here = np.flatnonzero(was_found)
    ends = list(accumulate(map(len, judged), initial=0))
    return Batch(
        queries=queries,
        judged=judged,
        grades=grades,
        grade_starts=np.array(ends),
        starts=starts,
        scores=every,
        owner=np.repeat(np.arange(len(queries)), np.diff(ends))[here],
        score=score[here],
        grade=grades[here],
        ids=lambda i: _ids(queries[i], scored[i]),
        found=lambda i: list(compress(judged[i], was_found[ends[i] : ends[i + 1]].tolist())),
    )


def as_grades(queries: list[str], judged: list[Mapping[str, Any]]) -> Floats:
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
