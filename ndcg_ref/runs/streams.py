"""A run in any form as batches, some queries at a time, so that a long one needs little memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from ndcg_ref.runs.batch import Batch, QueriesApartError, batch_of, batches_of
from ndcg_ref.runs.inputs import checked, like_grades, refuse_swapped

if TYPE_CHECKING:
    from typing import TypeAlias

    from ndcg_ref.runs.frames import Group
    from ndcg_ref.runs.input_types import Form

    Judgments: TypeAlias = Mapping[str, Mapping[str, Any]]

MOST_JOINED = 2**15  # rows that are processed at a time: dictionaries of more would cost time as well as memory


@contextmanager
def opened(run: Any, form: Form) -> Iterator[Any]:
    """A run that can be read twice: the source of a file, rows, or a mapping."""
    if form == "path":
        from ndcg_ref.runs.sources import Source

        with Source(run, keep=True) as source:
            yield source
    elif form == "rows":
        from ndcg_ref.runs.frames import InputRows

        yield InputRows(run, "run", "score")
    elif form == "parquet":
        from ndcg_ref.runs.engines import read_parquet

        yield read_parquet(run, "score")
    else:
        yield checked(run, "run", "score")


def batches_from(
    run: Any, form: Form, judgments: Judgments, *, as_trec_eval: bool, may_be_swapped: bool
) -> Iterator[Batch]:
    """The batches of a run that `opened` gives; QueriesApartError if the rows of a query are not together."""
    scored: Judgments = run
    if form == "path":
        from ndcg_ref.runs.formats import format_of

        written = format_of(run.beginning())
        if written == "trec":
            from ndcg_ref.runs.blocks import batches_in

            return batches_in(run, judgments, as_trec_eval)
        from ndcg_ref.runs.tabular import read_other

        scored = read_other(run, written, "score")
    elif form == "rows":
        groups = run.groups()
        first = next(groups, None) if run.is_frame else None
        if first and not (may_be_swapped and like_grades(first.values)):
            return _of_groups(chain([first], groups), judgments)
        scored = run.whole()
    return _of_mapping(scored, judgments, may_be_swapped)


def batches_in_order(
    run: Any, form: Form, judgments: Judgments, *, as_trec_eval: bool, may_be_swapped: bool
) -> Iterator[Batch]:
    """As `batches_from`, for a run in which the rows of a query are not together."""
    if form != "path":
        return _of_mapping(run.whole(), judgments, may_be_swapped)
    from ndcg_ref.runs.trec import in_order

    run.rewind()
    return batches_of(judgments, in_order(run, as_trec_eval))


def _of_mapping(scored: Judgments, judgments: Judgments, may_be_swapped: bool) -> Iterator[Batch]:
    if may_be_swapped:
        refuse_swapped(judgments, scored)
    return batches_of(judgments, scored)


def _of_groups(groups: Iterable[Group], judgments: Judgments) -> Iterator[Batch]:
    """The batches of the rows of a frame; QueriesApartError if those of a query are not together."""
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
