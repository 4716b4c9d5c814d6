"""Batches of a run in memory: judgments and scores by query and document, as arrays."""

import math
import struct
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import accumulate, chain, compress, repeat
from typing import Any

import numpy as np

from ndcg_ref.conventions.validation import as_grade, quoted
from ndcg_ref.formulas.batch import Batch, Floats
from ndcg_ref.runs.inputs import Group, Judgments, add
from ndcg_ref.runs.sources import QueriesApartError

AT_ONCE = 1024  # queries of a run in memory that are processed at a time: some megabytes of scores
MOST_ROWS = 2**15  # rows of a frame that are processed at a time: dictionaries of more cost time and memory


def batches_of(judgments: Judgments, scored: Judgments) -> Iterator[Batch]:
    """A run in memory, some judged queries at a time; one batch without queries if none is judged."""
    queries = [query for query in judgments if query in scored]
    others = _others(judgments, scored)
    for first in range(0, len(queries) or 1, AT_ONCE):
        yield _in_memory(queries[first : first + AT_ONCE], judgments, scored, **({} if first else others))


def batch_of(judgments: Judgments, scored: Judgments) -> Batch:
    """The judged queries of a part of a run, in the order of the run."""
    queries = [query for query in scored if query in judgments]
    return _in_memory(queries, judgments, scored, **_others(judgments, scored))


def batches_of_groups(groups: Iterable[Group], judgments: Judgments) -> Iterator[Batch]:
    """The batches of the rows of a frame; QueriesApartError if those of a query are not together."""
    scored: dict[str, dict[str, Any]] = {}
    seen: set[str] = set()
    size, current = 0, None
    for group in groups:
        if group.query != current:
            if group.query in seen:
                raise QueriesApartError
            if size > MOST_ROWS:
                yield batch_of(judgments, scored)
                scored, size = {}, 0
            current = group.query
            seen.add(current)
            scored[current] = {}
        add(scored[current], group, "run")
        size += len(group.documents)
    yield batch_of(judgments, scored)


def _others(judgments: Judgments, scored: Judgments) -> dict[str, Any]:
    """The queries that nobody judged, and the number of lines that only trec_eval reads."""
    extra = [query for query in scored if query not in judgments]
    return {"extra": extra, "only_trec_eval": getattr(scored, "only_trec_eval", 0)}


def _in_memory(queries: list[str], judgments: Judgments, run: Judgments, **others: Any) -> Batch:
    """The batch of some queries, all of which are judged and retrieved."""
    judged, scored = [judgments[query] for query in queries], [run[query] for query in queries]
    grades = as_grades(queries, judged)
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
    # All ids of judgments, but only the first of a run: an id that is no text equals no judged one
    refuse_id(queries, judged, "qrels", chain.from_iterable(judged))
    refuse_id(queries, scored, "run", [next(iter(scores), "") for scores in scored])
    score = np.frombuffer(struct.pack(f"{len(found)}d", *found))
    was_found = ~np.isnan(score)
    here = np.flatnonzero(was_found)
    ends = list(accumulate(map(len, judged), initial=0))

    def ids(query: int) -> list[str]:
        refuse_id([queries[query]], [scored[query]], "run", scored[query])
        return list(scored[query])

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
        ids=ids,
        judged_ids=lambda i: list(compress(judged[i], was_found[ends[i] : ends[i + 1]].tolist())),
        **others,
    )


def as_grades(queries: list[str], judged: list[Mapping[str, Any]]) -> Floats:
    """All grades of some queries."""
    values = [*chain.from_iterable([grades.values() for grades in judged])]
    try:
        numbers = np.frombuffer(struct.pack(f"{len(values)}d", *values))
    except (OverflowError, struct.error):
        numbers = np.array([math.nan])  # refused here, where the place is found
    if not np.isfinite(numbers).all():
        _refuse_number(queries, judged, "qrels")
    return numbers


def refuse_id(queries: list[str], values: list[Mapping[str, Any]], side: str, ids: Iterable[Any]) -> None:
    """Refuse the first document whose id is no text, if there is one."""
    with suppress(TypeError):
        "".join(ids)  # takes text alone, and is faster than a look at each type
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
