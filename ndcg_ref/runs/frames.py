"""Rows of query, document and value, from data frames and iterables, some at a time.

Frames are those of pandas, polars (lazy ones too) and pyarrow; none of these is imported here. The rows of an iterable
are tuples, named or not.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, islice
from typing import Any, NamedTuple

from ndcg_ref.runs.columns import as_id, columns_of, is_missing
from ndcg_ref.validation import MOST_RANKS, as_grade, quoted, too_many

AT_ONCE = 2**14  # rows that are read at a time
TEXT = frozenset([str])
WHOLE = frozenset([int])


class Group(NamedTuple):
    """Rows in a row that have the same query."""

    query: str
    documents: Sequence[str]
    values: Sequence[Any]
    row: int  # the number of the first one, from 0


def is_frame(given: Any) -> bool:
    """Whether this is a data frame; a lazy one is not asked for its columns, since polars would warn."""
    if hasattr(given, "collect"):
        return hasattr(given, "collect_schema")
    return hasattr(given, "columns")


def is_rows(given: Any) -> bool:
    """Whether judgments or a run come as a data frame, or as an iterable of rows."""
    if hasattr(given, "collect") or is_frame(given):
        return is_frame(given)
    return isinstance(given, Iterable) and not isinstance(given, str | bytes | Mapping)


def collected(given: Any, side: str, value: str) -> Any:
    """The same, with the columns of a lazy frame that are needed in memory."""
    if not hasattr(given, "collect"):
        return given
    return given.select(columns_of(given.collect_schema().names(), value, side)).collect()


def groups_of(given: Any, side: str, value: str) -> Iterator[Group]:
    """The rows of a frame or an iterable, in order; the ids are text, and the values finite.

    >>> list(groups_of([("q1", "d1", 2), ("q1", 7, 0.5)], "run", "score"))
    [Group(query='q1', documents=['d1', '7'], values=[2, 0.5], row=0)]
    """
    given = collected(given, side, value)
    if is_frame(given):
        names = columns_of([str(name) for name in getattr(given, "column_names", given.columns)], value, side)
        chunks = _chunks(given, names)
    else:
        names = ("query", "document", value)
        chunks = _of_tuples(given, side, value)
    first = 0
    for queries, documents, values in chunks:
        places = [f"{side}: row {{}}: {name}" for name in names]
        queries, documents = (
            _as_ids(ids, first, where) for ids, where in zip((queries, documents), places, strict=False)
        )
        values = _as_numbers(values, first, places[2])
        begin = 0
        for query, same in groupby(queries):
            end = begin + sum(1 for _ in same)
            yield Group(query, documents[begin:end], values[begin:end], first + begin)
            begin = end
        first += begin


def whole(given: Any, side: str, value: str) -> dict[str, dict[str, Any]]:
    """Query to document to value, of a frame or an iterable."""
    read: dict[str, dict[str, Any]] = {}
    for group in groups_of(given, side, value):
        add(read.setdefault(group.query, {}), group, side)
    return read


def add(values: dict[str, Any], group: Group, side: str) -> None:
    """Add rows to those of the same query; a document that the query has already is refused."""
    before = len(values)
    values.update(zip(group.documents, group.values, strict=True))
    if len(values) < before + len(group.documents):
        seen = {*islice(values, before)}
        for row, document in enumerate(group.documents, start=group.row):
            if document in seen:
                raise ValueError(
                    f"{side}: row {row}: expected each document once in a query, "
                    f"got {quoted(document)} again in {quoted(group.query)}"
                )
            seen.add(document)
    if len(values) > MOST_RANKS:
        raise too_many(f"{side}[{quoted(group.query)}]", "documents")


def _chunks(frame: Any, names: Sequence[str]) -> Iterator[list[list[Any]]]:
    """Some rows of three columns of a frame, as a list for each column."""
    if hasattr(frame, "column_names"):  # of pyarrow
        chosen = frame.select(list(names))
        batches = chosen.to_batches(max_chunksize=AT_ONCE) if hasattr(chosen, "to_batches") else [chosen]
        for batch in batches:
            yield [column.to_pylist() for column in batch.columns]
        return
    columns = [getattr(frame[name], "iloc", frame[name]) for name in names]
    for begin in range(0, len(frame), AT_ONCE):
        yield [column[begin : begin + AT_ONCE].to_list() for column in columns]


def _of_tuples(given: Iterable[Any], side: str, value: str) -> Iterator[list[list[Any]]]:
    """Some rows of an iterable, as a list for each of three columns."""
    rows = iter(given)
    first, kind, places = 0, None, [0, 1, 2]
    while some := list(islice(rows, AT_ONCE)):
        if not first and hasattr(some[0], "_fields"):
            kind, names = type(some[0]), list(some[0]._fields)
            places = [names.index(name) for name in columns_of(names, value, f"{side}: row 0")]
        for number, row in enumerate(some, start=first):
            if type(row) is kind if kind else isinstance(row, tuple | list) and len(row) == 3:
                continue
            slip = " (its other fields need names)" if isinstance(row, tuple | list) and len(row) > 3 else ""
            expected = kind.__name__ if kind else f"(query, document, {value})"
            raise TypeError(f"{side}: row {number}: expected {expected}, got {quoted(row)}{slip}")
        yield [[row[place] for row in some] for place in places]
        first += len(some)


def _as_ids(ids: list[Any], first: int, where: str) -> list[str]:
    """Some ids as text."""
    types = {*map(type, ids)}
    if types <= TEXT:
        return ids
    if types <= WHOLE:
        return list(map(str, ids))
    return [as_id(one, where.format(row)) for row, one in enumerate(ids, start=first)]


def _as_numbers(values: list[Any], first: int, where: str) -> list[Any]:
    """The values, if all are finite numbers."""
    try:
        if all(map(math.isfinite, values)):
            return values
    except (OverflowError, TypeError, ValueError):  # not a number, or one that only `as_grade` knows
        pass
    rows = enumerate(values, start=first)
    return [as_grade(math.nan if is_missing(one) else one, where.format(row), "a missing value?") for row, one in rows]
