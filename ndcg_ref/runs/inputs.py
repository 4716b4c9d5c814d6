"""Judgments and runs in any form: mappings, data frames, tuples and files, as mappings or some queries at a time."""

from __future__ import annotations

import math
import numbers
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import chain, groupby, islice
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, SupportsFloat, SupportsIndex, TypeAlias

from ndcg_ref.conventions.validation import EMPTY, LIKE_GRADES, as_grade, quoted, shortened
from ndcg_ref.runs.sources import PARQUET, Form, Source, is_parquet

if TYPE_CHECKING:
    from ndcg_ref.conventions.spellings import RequestedMeasure
    from ndcg_ref.formulas.batch import Batch
    from ndcg_ref.runs.engines import RunTable

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

    def __init__(self, data: Any, side: str, value: str) -> None:
        lazy = hasattr(data, "collect")  # asked for its columns, polars would warn
        slip = next((f" (its {name}{does})" for name, does in MAKES_ROWS.items() if hasattr(data, name)), "")
        self.can_be_read_twice = hasattr(data, "collect_schema" if lazy else "columns") and not slip
        self._names = ("query", "document", value)
        if self.can_be_read_twice:
            names = data.collect_schema().names() if lazy else getattr(data, "column_names", data.columns)
            self._names = columns_of(list(map(str, names)), value, side)
        elif lazy or slip or isinstance(data, bytes) or not isinstance(data, Iterable):
            rows = f"rows of (query, document, {value})"
            raise TypeError(
                f"{side}: expected a dict of dicts, a data frame, {rows} or a path, got a {type(data).__name__}{slip}"
            )
        self._given = data.select(self._names).collect() if lazy else data
        self._side, self._value = side, value

    def groups(self) -> Iterator[Group]:
        """The rows in order; the ids are text, and the values finite.

        >>> list(InputRows([("q1", "d1", 2), ("q1", 7, 0.5)], "run", "score").groups())
        [Group(query='q1', documents=['d1', '7'], values=[2, 0.5], row=0)]
        """
        read = (
            _of_frame(self._given, self._names)
            if self.can_be_read_twice
            else _of_tuples(self._given, self._side, self._value)
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


def _of_tuples(data: Iterable[Any], side: str, value: str) -> Iterator[list[list[Any]]]:
    """Some rows of an iterable, as a list for each of three columns."""
    rows = iter(data)
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


class Frame(Protocol):
    """A data frame of pandas, polars (lazy ones too) or pyarrow."""

    @property
    def columns(self) -> Any:
        """Its columns, or their names."""


Id: TypeAlias = str | SupportsIndex  # a whole number is compared as text
# Query, document, and grade or score; a fourth field must be of a named tuple, as the iteration of ir_measures' Qrel
Row: TypeAlias = tuple[Id, Id, SupportsFloat] | tuple[Id, Id, SupportsFloat, Any]
Given: TypeAlias = Mapping[str, Mapping[str, SupportsFloat]] | Frame | Iterable[Row] | str | os.PathLike[str]

MANY_ALIKE = 10  # queries with the same single score


def as_mappings(data: Any, side: str, value: str, as_trec_eval: bool = False, engine: Any = None) -> Judgments:
    """Query to document to value, of judgments or a run in any form; the documents are not checked yet.

    `side` is "qrels" or "run", and `value` is "grade" or "score". A file may be read as trec_eval reads it, and a table
    by an engine.

    >>> as_mappings({"q1": ["d1"]}, "run", "score")
    Traceback (most recent call last):
        ...
    TypeError: run['q1']: expected a dict of document to score, got a list
    """
    form = form_of(data, engine)
    if form == "mapping":
        return _checked(data, side, value)
    if form == "rows":
        return InputRows(data, side, value).whole()
    if form in ("parquet", "table"):
        from ndcg_ref.runs.engines import read_table

        return read_table(data, form, value, engine)
    from ndcg_ref.runs.tabular import format_of, read_other
    from ndcg_ref.runs.trec import judgments_in, run_in

    with Source(data) as source:
        written = format_of(source.beginning(), value)
        if written != "trec":
            return read_other(source, written, value)
        return (judgments_in if value == "grade" else run_in)(source, as_trec_eval)


def rereadable(run: Any, as_trec_eval: bool = False, engine: Any = None) -> Any:
    """A run that can be evaluated several times: the file or the table itself, or else all that is read of it."""
    if is_path(run) and (form_of(run, engine) != "path" or os.path.isfile(run)):
        return run
    return as_mappings(run, "run", "score", as_trec_eval, engine)


def is_path(data: Any) -> bool:
    """Whether judgments or a run come as a file."""
    return isinstance(data, str | os.PathLike)


def form_of(data: Any, engine: Any = None) -> Form:
    """The form of judgments or a run; what is no rows either is refused where they are read.

    Beside an engine, only its ending tells a Parquet file from a table.

    >>> form_of("run-*.parquet"), form_of("run.txt"), form_of({"q1": {"d1": 1}}), form_of([("q1", "d1", 1)])
    ('parquet', 'path', 'mapping', 'rows')
    """
    if is_path(data) and engine is not None:
        return "parquet" if os.fspath(data).endswith(PARQUET) else "table"
    if is_path(data):
        return "parquet" if is_parquet(data) else "path"
    return "mapping" if isinstance(data, Mapping) else "rows"


def opened(run: Any, engine: Any) -> AbstractContextManager[Source | InputRows | RunTable | Judgments]:
    """A run that can be read twice: a file, rows, a table, or a mapping."""
    form = form_of(run, engine)
    if form == "path":
        return Source(run, keep=True)
    if form in ("parquet", "table"):
        from ndcg_ref.runs.engines import RunTable

        return nullcontext(RunTable(run, form, engine))
    return nullcontext(InputRows(run, "run", "score") if form == "rows" else _checked(run, "run", "score"))


def batches_from(
    run: Source | InputRows | RunTable | Judgments,
    judgments: Judgments,
    requested: list[RequestedMeasure],
    *,
    together: bool,
    as_trec_eval: bool,
    check_swap: bool,
) -> Iterator[Batch]:
    """The batches of a run that `opened` gives, for these measures.

    A file with lines and a data frame are read some queries at a time; QueriesApartError if the rows of a query are not
    `together` then. Without it, they are read as a whole. A table is ranked by its engine.
    """
    from ndcg_ref.runs.batches import batches_of, batches_of_groups
    from ndcg_ref.runs.blocks import blocks_of
    from ndcg_ref.runs.tabular import OtherRun, format_of
    from ndcg_ref.runs.trec import run_in

    rows: InputRows | OtherRun | RunTable | Judgments
    if isinstance(run, Source):
        if not together:
            run.rewind()
        written = format_of(run.beginning(), "score")
        if written == "trec" and together:
            return blocks_of(run, judgments, as_trec_eval)
        rows = run_in(run, as_trec_eval) if written == "trec" else OtherRun(run, written)
    else:
        rows = run
    if isinstance(rows, InputRows | OtherRun):
        groups = rows.groups()
        first = next(groups, None) if rows.can_be_read_twice and together else None
        if first and not (check_swap and LIKE_GRADES.issuperset(first.values)):
            return batches_of_groups(chain([first], groups), judgments)
        rows = rows.whole()
    elif not isinstance(rows, Mapping):
        if not (check_swap and _have_fractions(judgments) and rows.may_be_swapped()):
            return rows.batches(judgments, requested)
        rows = rows.whole()
    if check_swap and _look_swapped(judgments, rows):
        raise ValueError(
            "run: expected scores, got whole numbers that repeat, against judgments with fractions "
            "(qrels and run swapped? check_swap=False accepts them)"
        )
    return batches_of(judgments, rows)


def _checked(data: Mapping[Any, Any], side: str, value: str) -> Judgments:
    """A mapping whose queries are text and map to mappings."""
    if not data:
        raise ValueError(f"{side}: expected at least one query, got none")
    for query in data:
        if not isinstance(query, str):
            raise TypeError(
                f"{side}: expected text as the id of a query, got {quoted(query)} (use str(...) on both sides)"
            )
    if "" in data:
        raise ValueError(f"{side}: expected the id of a query, got {EMPTY}")
    for query, values in data.items():
        if type(values) is not dict and not isinstance(values, Mapping):
            raise TypeError(
                f"{side}[{quoted(query)}]: expected a dict of document to {value}, got a {type(values).__name__}"
            )
        if "" in values:
            raise ValueError(f"{side}[{quoted(query)}]: expected the id of a document, got {EMPTY}")
    return data


def _have_fractions(judgments: Judgments) -> bool:
    try:
        return any(float(grade) % 1 for grades in judgments.values() for grade in grades.values())
    except (OverflowError, TypeError, ValueError):  # not a number: refused elsewhere, with its place
        return False


def _look_swapped(judgments: Judgments, scored: Judgments) -> bool:
    """Whether grades look like scores, and scores like grades, which repeat since they have few levels.

    A single score repeats if many queries have it: so do the single judgments of a query in BEIR and MS MARCO.
    """
    try:
        look_graded = all(LIKE_GRADES.issuperset(scores.values()) for scores in scored.values())
        if not (look_graded and _have_fractions(judgments)):
            return False
    except (OverflowError, TypeError, ValueError):  # not a number: refused elsewhere, with its place
        return False
    both = [(judgments[query].values(), scores.values()) for query, scores in scored.items() if query in judgments]
    alone = Counter(next(iter(scores)) for _, scores in both if len(scores) == 1)
    turned = [
        (len(set(scores)) < len(scores) or (len(scores) == 1 and alone[next(iter(scores))] >= MANY_ALIKE))
        and len(set(grades)) == len(grades) > 1
        for grades, scores in both
    ]
    return 2 * sum(turned) > len(both)
