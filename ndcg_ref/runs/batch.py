"""Some queries of a run that are judged, as arrays."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, compress, repeat
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ndcg_ref.validation import as_grade, quoted

if TYPE_CHECKING:  # numpy.typing takes longer to load than this module
    from typing import TypeAlias

    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]
    Ints: TypeAlias = NDArray[np.int64]
    Judgments: TypeAlias = Mapping[str, Mapping[str, Any]]

AT_ONCE = 512  # queries of a run in memory that are processed at a time: some megabytes of scores


@dataclass(frozen=True, kw_only=True)
class Retrieved:
    """The documents retrieved for some queries.

    Parameters
    ----------
    starts : numpy.ndarray of int64, shape (q + 1,)
        Where the documents of each query start in `scores`, and where those of the last query end.
    scores : numpy.ndarray of float64, shape (n,)
        Score of every retrieved document, query after query, in input order; finite.
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
    """

    starts: Ints
    scores: Floats
    owner: Ints
    score: Floats
    grade: Floats
    at: Ints | None = None
    ids: Callable[[int], Sequence[str]] | None = None
    found: Callable[[int], Sequence[str]] | None = None


class Part(NamedTuple):
    """Some queries that are judged and retrieved."""

    queries: list[str]
    judged: list[Mapping[str, Any]]
    grades: Floats  # of all judged documents, query after query
    retrieved: Retrieved


class Extras:
    """Unjudged queries of a run, and the number of lines that only trec_eval reads; filled while reading."""

    def __init__(self, only_trec_eval: int) -> None:
        self.only_trec_eval = only_trec_eval
        self.extra: set[str] = set()


def of_mappings(judgments: Judgments, scored: Judgments, extras: Extras) -> Iterator[Part | None]:
    """A run in memory, some judged queries at a time."""
    extras.extra.update(query for query in scored if query not in judgments)
    queries = [query for query in judgments if query in scored]
    for first in range(0, len(queries), AT_ONCE):
        some = queries[first : first + AT_ONCE]
        judged, of_run = [judgments[query] for query in some], [scored[query] for query in some]
        grades = all_grades(some, judged)
        retrieved = _in_memory(some, judged, grades, of_run)
        # All ids of judgments, but only the first of a run: an id that is no text equals no judged one
        _refuse_id(some, judged, "qrels", chain.from_iterable(judged))
        _refuse_id(some, of_run, "run", [next(iter(scores), "") for scores in of_run])
        yield Part(some, judged, grades, retrieved)


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


def all_grades(queries: list[str], judged: list[Mapping[str, Any]]) -> Floats:
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
