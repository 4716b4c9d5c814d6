"""A run in a data frame as batches, some queries at a time, so that a long one needs little memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ndcg_ref.runs.batch import Batch, batch_of
from ndcg_ref.runs.blocks import QueriesApartError
from ndcg_ref.runs.frames import add, groups_of

if TYPE_CHECKING:
    from typing import TypeAlias

    Judgments: TypeAlias = Mapping[str, Mapping[str, Any]]

MOST_JOINED = 2**15  # rows that are processed at a time: dictionaries of more would cost time as well as memory


def batches_of_rows(frame: Any, judgments: Judgments) -> Iterator[Batch]:
    """The batches of a frame; QueriesApartError if the rows of a query are not together."""
    scored: dict[str, dict[str, Any]] = {}
    seen: set[str] = set()
    size, current = 0, None
    for group in groups_of(frame, "run", "score"):
        if group.query != current:
            if group.query in seen:
                raise QueriesApartError
            if size > MOST_JOINED:
                yield _batch(scored, judgments)
                scored, size = {}, 0
            current = group.query
            seen.add(current)
            scored[current] = {}
        add(scored[current], group, "run")
        size += len(group.documents)
    yield _batch(scored, judgments)


def _batch(scored: Judgments, judgments: Judgments) -> Batch:
    """The judged queries among some, and which are not."""
    batch = batch_of([query for query in scored if query in judgments], judgments, scored)
    return replace(batch, extra=[query for query in scored if query not in judgments])
