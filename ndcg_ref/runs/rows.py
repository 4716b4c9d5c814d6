"""Rows of query, document and value: the columns that have them, and the rows of data frames and iterables.

Frames are those of pandas, polars (lazy ones too) and pyarrow; none of these is imported here. The rows of an iterable
are tuples, named or not. Files with a header row and tables of an engine have columns of the same names.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, islice
from typing import Any, NamedTuple, TypeAlias

from ndcg_ref.conventions.validation import EMPTY, MOST_RANKS, as_grade, quoted, shortened, too_many

Judgments: TypeAlias = Mapping[str, Mapping[str, Any]]  # or a run: query to document to grade or score

# How libraries name the columns of qrels and runs; the first that is there is taken
COLUMNS = {
    "query": ("query_id", "query-id", "qid", "q_id", "query"),
    "document": ("doc_id", "corpus-id", "docno", "docid", "document"),
    "grade": ("relevance", "rel", "label", "grade"),
    "score": ("score",),
}
OF_BEIR = {"query-id", "corpus-id"}  # BEIR and MTEB, which use these names, call a grade "score" as well
OTHER_SIDE = {"grade": ("score", "is it a run?"), "score": ("grade", "are these qrels?")}
AT_ONCE = 2**14  # rows that are read at a time
TEXT = frozenset([str])
WHOLE = frozenset([int])
# What a relation of DuckDB, a frame of Spark, a reader and a dataset of pyarrow have that makes rows of them
MAKES_ROWS = {
    "create_view": "(name) makes a table for engine= of it",
    "createOrReplaceTempView": "(name) makes a table for engine= of it",
    "read_all": "() is a data frame",
    "to_table": "() is a data frame",
}


def columns_of(names: Sequence[str], value: str, where: str) -> tuple[str, str, str]:
    """The columns of query, document and value, of all columns; one that is missing or there twice is refused.

    >>> columns_of(["query-id", "corpus-id", "score"], "grade", "qrels")
    ('query-id', 'corpus-id', 'score')
    >>> columns_of(["qid", "docno", "score"], "grade", "qrels")
    Traceback (most recent call last):
        ...
    ValueError: qrels: expected a column relevance or rel or label or grade, got qid, docno, score (is it a run?)
    """
    query, document = (_chosen(names, COLUMNS[kind], where) for kind in ("query", "document"))
    known = COLUMNS[value]
    if OF_BEIR.issuperset((query, document)):
        known = tuple(dict.fromkeys((*known, *COLUMNS["score"])))
    other, slip = OTHER_SIDE[value]
    slip = "" if set(names).isdisjoint(COLUMNS[other]) else f" ({slip})"
    return query, document, _chosen(names, known, where, slip)


def _chosen(names: Sequence[str], known: Sequence[str], where: str, slip: str = "") -> str:
    """The first of the known names that a column has."""
    chosen = next((name for name in known if name in names), None)
    if chosen is None:
        found = shortened(", ".join(names)) or "none"
        raise ValueError(f"{where}: expected a column {' or '.join(known)}, got {found}{slip}")
    if names.count(chosen) > 1:
        raise ValueError(f"{where}: expected one column {chosen}, got {names.count(chosen)}")
    return chosen


def as_id(value: Any, where: str) -> str:
    """The id of a query or a document as text; anything but text and whole numbers is refused, and so is empty text.

    >>> as_id(7, "run: row 0: qid")
    '7'
    >>> as_id(7.0, "run: row 0: qid")
    Traceback (most recent call last):
        ...
    TypeError: run: row 0: qid: expected text or a whole number, got 7.0 (missing values turn whole numbers into these)
    """
    if isinstance(value, str):
        if not value:
            raise ValueError(f"{where}: expected an id, got {EMPTY}")
        return str(value)
    is_number = isinstance(value, numbers.Real) and value is not True and value is not False
    if is_number and isinstance(value, numbers.Integral):
        return str(int(value))
    slip = ""
    if is_missing(value):
        slip = " (a missing value?)"
    elif is_number:
        slip = " (missing values turn whole numbers into these)"
    raise TypeError(f"{where}: expected text or a whole number, got {quoted(value)}{slip}")


def is_missing(value: Any) -> bool:
    """Whether a data frame has this where a value is missing: None, NaN, or the NA of pandas."""
    return value is None or type(value).__name__ == "NAType" or (isinstance(value, float) and math.isnan(value))


class Group(NamedTuple):
    """Rows in a row that have the same query."""

    query: str
    documents: Sequence[str]
    values: Sequence[Any]
    row: int  # the number of the first one, from 0


class InputRows:
    """The rows of a data frame or an iterable of judgments or a run, with the columns that are needed."""

    def __init__(self, given: Any, side: str, value: str) -> None:
        lazy = hasattr(given, "collect")  # asked for its columns, polars would warn
        slip = next((f" (its {name}{does})" for name, does in MAKES_ROWS.items() if hasattr(given, name)), "")
        self.is_frame = hasattr(given, "collect_schema" if lazy else "columns") and not slip
        self._names = ("query", "document", value)
        if self.is_frame:
            names = given.collect_schema().names() if lazy else getattr(given, "column_names", given.columns)
            self._names = columns_of(list(map(str, names)), value, side)
        elif lazy or slip or isinstance(given, bytes) or not isinstance(given, Iterable):
            rows = f"rows of (query, document, {value})"
            raise TypeError(
                f"{side}: expected a dict of dicts, a data frame, {rows} or a path, got a {type(given).__name__}{slip}"
            )
        self._given = given.select(self._names).collect() if lazy else given
        self._side, self._value = side, value

    def groups(self) -> Iterator[Group]:
        """The rows in order; the ids are text, and the values finite.

        >>> list(InputRows([("q1", "d1", 2), ("q1", 7, 0.5)], "run", "score").groups())
        [Group(query='q1', documents=['d1', '7'], values=[2, 0.5], row=0)]
        """
        read = (
            _of_frame(self._given, self._names) if self.is_frame else _of_tuples(self._given, self._side, self._value)
        )
        first = 0
        for queries, documents, values in read:
            places = [f"{self._side}: row {{}}: {name}" for name in self._names]
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

    def whole(self) -> dict[str, dict[str, Any]]:
        """Query to document to value."""
        read: dict[str, dict[str, Any]] = {}
        for group in self.groups():
            add(read.setdefault(group.query, {}), group, self._side)
        if not read:
            raise ValueError(f"{self._side}: expected at least one query, got none")
        return read


def add(values: dict[str, Any], group: Group, side: str) -> None:
    """Add rows to those of the same query; a document that the query has already is refused."""
    before = len(values)
    values.update(zip(group.documents, group.values, strict=True))
    if len(values) < before + len(group.documents):
        seen = {*islice(values, before)}
        for row, document in enumerate(group.documents, start=group.row):
            if document in seen:
                raise repeated(f"{side}: row {row}", group.query, document)
            seen.add(document)
    if len(values) > MOST_RANKS:
        raise too_many(f"{side}[{quoted(group.query)}]", "documents")


def repeated(where: str, query: str, document: str) -> ValueError:
    """The refusal of a document that a query has already."""
    again = f"got {quoted(document)} again in {quoted(query)}"
    return ValueError(f"{where}: expected each document once in a query, {again}")


def _of_frame(frame: Any, names: Sequence[str]) -> Iterator[list[list[Any]]]:
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
    types = {*map(type, ids)}
    if types <= TEXT and all(ids):
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
