"""A run in any form as batches, some queries at a time, so that a long one needs little memory."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from ndcg_ref.runs.batch import Batch, batch_of, batches_of
from ndcg_ref.runs.inputs import checked, like_grades, refuse_swapped

if TYPE_CHECKING:
    from typing import TypeAlias

    from ndcg_ref.runs.frames import Group
    from ndcg_ref.runs.given import Form

    Judgments: TypeAlias = Mapping[str, Mapping[str, Any]]

MOST_JOINED = 2**15  # rows that are processed at a time: dictionaries of more would cost time as well as memory


def batches_from(
    run: Any, form: Form, judgments: Judgments, *, as_trec_eval: bool, may_be_swapped: bool
) -> Generator[Batch | None]:
    """The batches of a run; None where they start anew, since the rows of a query are not together."""
    if form != "path":
        return _of_data(run, form, judgments, may_be_swapped)
    return _of_text(run, judgments, as_trec_eval, may_be_swapped)


def _of_data(run: Any, form: Form, judgments: Judgments, may_be_swapped: bool) -> Generator[Batch | None]:
    """The batches of a frame, some queries at a time; what cannot be read twice, such as tuples, is read as a whole."""
    if form == "rows":
        from ndcg_ref.runs.blocks import QueriesApartError
        from ndcg_ref.runs.frames import Rows

        rows = Rows(run, "run", "score")
        groups = rows.groups()
        first = next(groups, None) if rows.is_frame else None
        if first and not (may_be_swapped and like_grades(first.values)):
            try:
                yield from _of_groups(chain([first], groups), judgments)
                return
            except QueriesApartError:
                yield None
        scored: Judgments = rows.whole()
    elif form == "parquet":
        from ndcg_ref.runs.engines import read_parquet

        scored = read_parquet(run, "score")
    else:
        scored = checked(run, "run", "score")
    if may_be_swapped:
        refuse_swapped(judgments, scored)
    yield from batches_of(judgments, scored)


def _of_groups(groups: Iterable[Group], judgments: Judgments) -> Iterator[Batch]:
    """The batches of the rows of a frame; QueriesApartError if those of a query are not together."""
    from ndcg_ref.runs.blocks import QueriesApartError
    from ndcg_ref.runs.frames import add

    scored: dict[str, dict[str, Any]] = {}
    seen: set[str] = set()
    size, current = 0, None
    for group in groups:
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


def _of_text(path: Any, judgments: Judgments, as_trec_eval: bool, may_be_swapped: bool) -> Generator[Batch | None]:
    """The batches of a file in TREC's format, in blocks or in order; a file in another format is read as a whole."""
    from ndcg_ref.runs.blocks import QueriesApartError, batches_in
    from ndcg_ref.runs.formats import format_of
    from ndcg_ref.runs.sources import Source
    from ndcg_ref.runs.trec import in_order

    with Source(path, keep=True) as source:
        form = format_of(source.beginning())
        if form != "trec":
            from ndcg_ref.runs.tables import read_other

            yield from _of_data(read_other(source, form, "score"), "mapping", judgments, may_be_swapped)
            return
        try:
            yield from batches_in(source, judgments, as_trec_eval)
        except QueriesApartError:
            yield None
            source.rewind()
            yield from batches_of(judgments, in_order(source, as_trec_eval))
