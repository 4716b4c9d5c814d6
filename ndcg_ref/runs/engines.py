"""Judgments and runs in the tables of an engine, or in Parquet files: the engine ranks, and this collects.

An engine is what runs the SQL of `ndcg_ref.sql.rank_text`: DuckDB, embedded or connected, or Spark. The judgments are
read, and sent to it; it ranks the run, and gives the ranks of the judged documents. They make batches as files do, so
that every measure is computed as for these.
"""

import math
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from glob import escape
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from ndcg_ref.conventions.presets import LONG
from ndcg_ref.conventions.spellings import RequestedMeasure
from ndcg_ref.conventions.validation import LIKE_GRADES, as_grade, quoted, shortened
from ndcg_ref.formulas.batch import Array, Batch, Ints
from ndcg_ref.runs.batches import as_grades, batches_of, refuse_id
from ndcg_ref.runs.inputs import Judgments, as_id, columns_of, repeated
from ndcg_ref.runs.sources import IN_FOLDER, Form, TrecError, paths_of
from ndcg_ref.sql.query_text import DIALECTS, Table, counts_unjudged, without_order
from ndcg_ref.sql.rank_text import JUDGED, NO_JUDGMENT, QUERIES, RankedRun

MOST_SAID = 400  # characters of what an engine says
WHOLE = r"u?(tiny|small|big|huge)?int(eger)?|decimal\(\d+,\s?0\)"  # types of columns
TYPES = {
    "id": re.compile(rf"{WHOLE}|varchar|string.*|uuid|enum\(.*\)", re.IGNORECASE | re.DOTALL),
    "number": re.compile(rf"{WHOLE}|decimal\(.*\)|float|double|boolean", re.IGNORECASE),
}
AT_ONCE = 10_000  # rows that are fetched at a time
MOST_PLACES = 2**17  # ranks that Python has places for at a time: some megabytes


class DuckDB:
    """A connection to DuckDB.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
        The connection.
    """

    dialect = DIALECTS["duckdb"]
    rows_at_once = 2e6  # that are ranked together: to rank a row takes some 90 bytes

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def columns(self, text: str) -> list[tuple[str, str]]:
        """The name and the type of each column of a query, which is not run."""
        return [(name, kind) for name, kind, *_ in self.rows(f"describe {text}")]

    def rows(self, text: str) -> Iterator[tuple[Any, ...]]:
        """The rows of a query."""
        with self._refusing():
            found = self._connection.execute(text)
            while some := found.fetchmany(AT_ONCE):
                yield from some

    def arrays(self, text: str) -> Mapping[str, Array]:
        """The columns of a query."""
        with self._refusing():
            found: Mapping[str, Array] = self._connection.execute(text).fetchnumpy()
            return found

    @contextmanager
    def having(self, tables: Mapping[str, Mapping[str, Array]]) -> Iterator[None]:
        """Tables of these names and columns, for a while."""
        try:
            for name, columns in tables.items():
                with self._refusing():
                    self._connection.register(name, columns)
            yield
        finally:
            for name in tables:
                self._connection.unregister(name)

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        import duckdb

        try:
            yield
        except duckdb.Error as error:
            raise _refused("DuckDB", error) from None


class Spark:
    """A session of Spark.

    Parameters
    ----------
    session : pyspark.sql.SparkSession
        The session.
    """

    dialect = DIALECTS["spark"]
    rows_at_once = math.inf  # a cluster divides them itself

    def __init__(self, session: Any) -> None:
        context = getattr(session, "sparkContext", None)  # without one in Spark Connect
        if context is not None and not hasattr(context, "defaultParallelism"):
            raise ValueError("engine: expected a session of Spark that is running, got one that was stopped")
        self._session = session

    def columns(self, text: str) -> list[tuple[str, str]]:
        """The name and the type of each column of a query, which is not run."""
        types: list[tuple[str, str]] = self._answer(text, lambda frame: frame.dtypes)
        return types

    def rows(self, text: str) -> Iterator[tuple[Any, ...]]:
        """The rows of a query."""
        yield from map(tuple, self._answer(text, lambda frame: frame.collect()))

    def arrays(self, text: str) -> Mapping[str, Array]:
        """The columns of a query."""
        names, rows = self._answer(text, lambda frame: ([name for name, _ in frame.dtypes], frame.collect()))
        return {name: np.array([row[i] for row in rows], dtype=object) for i, name in enumerate(names)}

    @contextmanager
    def having(self, tables: Mapping[str, Mapping[str, Array]]) -> Iterator[None]:
        """Tables of these names and columns, for a while."""
        types = {"O": "string", "i": "bigint", "f": "double"}
        for name, columns in tables.items():
            rows = [*zip(*(column.tolist() for column in columns.values()), strict=True)]
            schema = ", ".join(f"{each} {types[column.dtype.kind]}" for each, column in columns.items())
            self._session.createDataFrame(rows, schema, verifySchema=False).createOrReplaceTempView(name)
        try:
            yield
        finally:
            for name in tables:
                self._session.catalog.dropTempView(name)

    def _answer(self, text: str, read: Callable[[Any], Any]) -> Any:
        from pyspark.errors import PySparkException

        try:
            return read(self._session.sql(text))
        except PySparkException as error:  # of the text, or of a row that cannot be read; a lost cluster is another
            raise _refused("Spark", error) from None


Engine: TypeAlias = DuckDB | Spark  # what runs a query


def _refused(engine: str, error: Exception) -> ValueError:
    first, _, _ = str(error).partition("\n")
    return ValueError(f"{engine}: {shortened(first, MOST_SAID)}")


def engine_of(source: Any) -> Engine:
    """The engine that was given.

    >>> engine_of("duckdb")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    TypeError: engine: expected a connection to DuckDB or a session of Spark, got 'duckdb' (pip install ...)
    """
    if isinstance(source, Engine):
        return source
    home = type(source).__module__.partition(".")[0]
    if home in ("duckdb", "_duckdb") and hasattr(source, "execute"):
        return DuckDB(source)
    if home == "pyspark" and hasattr(source, "sql"):
        return Spark(source)
    raise TypeError(
        f"engine: expected a connection to DuckDB or a session of Spark, got {quoted(source)} "
        "(pip install 'ndcg-ref[duckdb]' or 'ndcg-ref[spark]' brings one)"
    )


def embedded(path: Any) -> Engine:
    """DuckDB within this process, for a Parquet file."""
    try:
        import duckdb
    except ImportError:
        raise TrecError(
            f"{shortened(os.fspath(path))}: expected DuckDB to be installed, which reads Parquet, found it missing "
            "(pip install 'ndcg-ref[duckdb]')"
        ) from None
    connection = duckdb.connect()
    connection.execute("set enable_progress_bar = false")  # it would be printed amid the values
    return DuckDB(connection)


def table_of(engine: Engine, source: Any, side: str, value: str, is_file: bool) -> Table:
    """The table of one side, or its Parquet file, with the names of its columns."""
    name = os.fspath(source)
    where = shortened(name) if is_file else side
    if is_file and "://" not in name:
        if engine.dialect.name == "duckdb":  # a cluster has files of its own
            name = _local(name)
        elif os.path.isfile(name):
            name = re.sub(r"([][{}*?\\])", r"\\\1", name)
    elif not is_file and engine.dialect.name == "duckdb" and "." in name:
        _refuse_local_file(engine, name, where)
    table = Table(name, value, is_file=is_file)
    types = dict(found := engine.columns(f"select * from {engine.dialect.rows(table)}"))
    query, document, column = columns_of([each for each, _ in found], value, where)
    for each, kind in ((query, "id"), (document, "id"), (column, "number")):
        if not TYPES[kind].fullmatch(types[each]):
            raise _other_type(f"{where}: {each}", kind, types[each])
    return Table(name, column, query, document, is_file=is_file)


def _refuse_local_file(engine: Engine, name: str, where: str) -> None:
    """Refuse a name with dots that is no table's: DuckDB takes one such as x.csv for a local file, in any quotes."""
    parts = name.lower().split(".")
    rows = engine.rows("select table_catalog, table_schema, table_name from information_schema.tables")
    tables = ([part.lower() for part in row] for row in rows)
    if not any(parts in (table, table[1:], [table[0], table[2]]) for table in tables):
        raise ValueError(f"{where}: expected a table, found none called {quoted(name)} (a file? omit engine=)")


def _local(path: str) -> str:
    """The pattern by which DuckDB finds the files of a path."""
    if not paths_of(path):
        raise TrecError(f"{shortened(path)}: expected a file, found none (is the path right?)")
    if os.path.isdir(path):
        return os.path.join(escape(path), IN_FOLDER)
    return escape(path) if os.path.isfile(path) else path  # it would take run[1].parquet for a pattern


def _other_type(where: str, kind: str, column_type: str) -> TypeError:
    if kind == "number":
        expected, slip = "numbers", "text is not converted; cast it to a number first?"
    elif TYPES["number"].fullmatch(column_type) and column_type.lower() != "boolean":
        expected, slip = "text or whole numbers", "missing values turn whole numbers into these"
    else:
        expected, slip = "text or whole numbers", "cast it to text first?"
    return TypeError(f"{where}: expected a column of {expected}, got {shortened(column_type)} ({slip})")


def read_rows(engine: Engine, table: Table, side: str, value: str) -> dict[str, dict[str, Any]]:
    """Query to document to grade or score, of a table; it has no order, so that the queries are sorted."""
    read: dict[str, dict[str, Any]] = {}
    columns = ", ".join(engine.dialect.columns(table, "value"))
    for query, document, number in engine.rows(f"select {columns} from {engine.dialect.rows(table)}"):
        if not (query and document and number is not None and math.isfinite(number)):
            _refuse(table, side, query, document, number)
        values = read.setdefault(query, {})
        if document in values:
            raise repeated(side, query, document)
        values[document] = number
    if not read:
        raise ValueError(f"{side}: expected at least one {value}, got none")
    return dict(sorted(read.items()))


def _refuse(table: Table, side: str, query: Any, document: Any, number: Any) -> None:
    """Refuse a row that lacks an id or a finite number."""
    ids = as_id(query, f"{side}: {table.query}"), as_id(document, f"{side}: {table.document}")
    as_grade(number, f"{side}[{quoted(ids[0])}][{quoted(ids[1])}]", hint="")


def read_table(source: Any, form: Form, value: str, engine: Any) -> dict[str, dict[str, Any]]:
    """Query to document to grade or score, of a table or a Parquet file."""
    side = "qrels" if value == "grade" else "run"
    engine = embedded(source) if engine is None else engine_of(engine)
    return read_rows(engine, table_of(engine, source, side, value, is_file=form == "parquet"), side, value)


class RunQuery(NamedTuple):
    """What is known of a query of a run before its documents are ranked."""

    size: int  # how many documents it has
    lowest: float  # the lowest score that counts


class RunTable:
    """A run in a table or in Parquet files, whose documents the engine ranks where they are.

    Parameters
    ----------
    source : str or path
        The table, or the path.
    form : {"table", "parquet"}
        Which of these it is.
    engine : duckdb.DuckDBPyConnection, pyspark.sql.SparkSession or None
        Where the table is; None for Parquet files, which the embedded DuckDB reads.
    """

    def __init__(self, source: Any, form: Form, engine: Any) -> None:
        self._engine = embedded(source) if engine is None else engine_of(engine)
        self._table = table_of(self._engine, source, "run", "score", is_file=form == "parquet")

    def whole(self) -> Judgments:
        """Query to document to score."""
        return read_rows(self._engine, self._table, "run", "score")

    def may_be_swapped(self) -> bool:
        """Whether no score shows that it is none of a grade, as one does that is no whole number from 0 to 10."""
        dialect = self._engine.dialect
        score = dialect.as_number(self._table.value)
        like_a_grade = f"{score} between 0 and {max(LIKE_GRADES)} and {score} = floor({score})"
        text = f"select 1 from {dialect.rows(self._table)} where not ({like_a_grade}) limit 1"
        return next(self._engine.rows(text), None) is None

    def batches(self, judgments: Judgments, requested: list[RequestedMeasure]) -> Iterator[Batch]:
        """The judged queries, some at a time, with the ranks that the measures need.

        A document that a query has twice is refused where a rank depends on it.
        """
        precisions = sorted({asked.convention.scores for asked in requested}, reverse=True)  # float64 before float32
        in_order = any(asked.convention.ties == "input" for asked in requested)
        if in_order and not self._table.is_file:
            raise ValueError(without_order())
        k = deepest_cutoff(requested)
        runs = [
            RankedRun(run=self._table, dialect=self._engine.dialect, scores=scores, k=k, in_order=in_order)
            for scores in precisions
        ]
        every = [self._queries(ranked) for ranked in runs]
        queries = [query for query in judgments if query in every[0]]
        yield next(batches_of(judgments, {query: {} for query in every[0] if query not in judgments}))
        sizes = [every[0][query].size for query in queries]
        for some in _together(queries, sizes, k if runs[0].cuts else None, self._engine.rows_at_once):
            ranked = (self._ranked(each, some, judgments, of) for each, of in zip(runs, every, strict=True))
            for first, *others in zip(*ranked, strict=True):
                yield replace(first, single=others[0]) if others else first

    def _queries(self, ranked: RankedRun) -> dict[str, RunQuery]:
        """All queries of the run, where every row has its ids and a finite score."""
        found = self._engine.arrays(ranked.queries_text())
        if not len(found["query"]):
            raise ValueError("run: expected at least one score, got none")
        if any(found["broken"].tolist()):
            _refuse(self._table, "run", *next(self._engine.rows(ranked.broken_text())))
        columns = (found[name].tolist() for name in ("query", "size", "lowest"))
        return {query: RunQuery(size, lowest) for query, size, lowest in zip(*columns, strict=True)}

    def _ranked(
        self, ranked: RankedRun, queries: list[str], judgments: Judgments, every: Mapping[str, RunQuery]
    ) -> Iterator[Batch]:
        """Some judged queries of the run: ranked together, and then a few at a time."""
        judged = [judgments[query] for query in queries]
        documents = [*chain.from_iterable(judged)]
        refuse_id(queries, judged, "qrels", documents)
        tables = {
            QUERIES: {
                "number": np.arange(len(queries), dtype=np.int32),
                "query": np.array(queries, dtype=object),
                "lowest": np.array([every[query].lowest for query in queries], dtype=float),
            },
            JUDGED: {
                "number": np.repeat(np.arange(len(queries), dtype=np.int32), [len(each) for each in judged]),
                "document": np.array(documents, dtype=object),
                "judgment": np.arange(len(documents), dtype=np.int32),
            },
        }
        with self._engine.having(tables):
            if any(self._engine.rows(ranked.twice_text())):
                for twice in self._engine.rows(ranked.twice_text(surely=True)):
                    raise repeated("run", *twice)
            found = self._engine.arrays(ranked.ranks_text())
        sizes, first = [every[query].size for query in queries], np.cumsum([0, *map(len, judged)])
        number, judgment = (found[name].astype(np.int64) for name in ("number", "judgment"))
        by_query, begin = np.argsort(number, kind="stable"), 0
        for some in _together(queries, sizes, ranked.k, MOST_PLACES):
            few = slice(begin, begin + len(some))
            rows = by_query[slice(*np.searchsorted(number, [few.start, few.stop], sorter=by_query))]
            columns = {name: column[rows] for name, column in found.items()}
            columns |= {
                "number": number[rows] - begin,
                "judgment": np.maximum(judgment[rows] - first[begin], NO_JUDGMENT),
            }
            yield ranked_batch(some, judged[few], np.array(sizes[few]), columns, ranked.k)
            begin = few.stop


def deepest_cutoff(requested: list[RequestedMeasure]) -> int | None:
    """The cutoff below which no measure needs a rank; None if one needs all.

    That is one without a cutoff, or whose convention looks at documents below it: the ideal is made of all that were
    retrieved, or unjudged documents are counted in it, or dropped.

    >>> from ndcg_ref.conventions.spellings import read_measures
    >>> deepest_cutoff(read_measures(["nDCG@10", "RR@5"])), deepest_cutoff(read_measures(["nDCG@10", "RR"]))
    (10, None)
    """
    conventions = [asked.convention for asked in requested]
    if any(each.ideal == "ranked" or each.unjudged == "drop" or counts_unjudged(each) for each in conventions):
        return None
    cutoffs = [asked.measure.k for asked in requested]
    return None if None in cutoffs else max(filter(None, cutoffs))


def _together(queries: list[str], sizes: list[int], k: int | None, most: float) -> Iterator[list[str]]:
    """The queries, some at a time: as many as have no more documents to rank, or a single one."""
    some: list[str] = []
    rows = 0
    for query, size in zip(queries, sizes, strict=True):
        size = size if k is None else min(k, size)
        if some and rows + size > most:
            yield some
            some, rows = [], 0
        some.append(query)
        rows += size
    if some:
        yield some


def ranked_batch(
    queries: list[str], judged: list[Mapping[str, Any]], sizes: Ints, found: Mapping[str, Array], k: int | None
) -> Batch:
    """The batch of some queries, made of the rows of `RankedRun.ranks_text`.

    Its scores fall with the rank, and are equal where the scores of the run are: the engine has compared these. Below
    the cutoff there are only as many documents as show that there are more than a few.

    >>> found = {"number": [0, 0], "judgment": [-1, 0], "rank": [2, 2], "document": ["d2", ""]}
    >>> found = {name: np.array(values) for name, values in found.items()}
    >>> batch = ranked_batch(["q1"], [{"d1": 1}], np.array([3]), found, None)
    >>> batch.ids(0), (-batch.scores[1:] > -batch.scores[0]).tolist()
    (['', 'd2', 'd1'], [True, True])
    """
    numbers = [found[name].astype(np.int64) for name in ("number", "rank", "judgment")]
    place = found["place"].astype(np.int64) if "place" in found else numbers[2]
    order = np.lexsort((place, numbers[1], numbers[0]))
    number, rank, judgment = (column[order] for column in numbers)
    named = [*chain.from_iterable(judged)]
    unjudged = found["document"][order].tolist()
    document = [other or named[number] for number, other in zip(judgment.tolist(), unjudged, strict=True)]
    changes = np.flatnonzero((np.diff(number, prepend=-1) != 0) | (np.diff(rank, prepend=0) != 0))
    first = np.repeat(changes, np.diff(changes, append=number.size))  # row of each group of equal scores
    at = rank - 1 + np.arange(number.size) - first
    lengths = sizes.astype(np.int64) if k is None else np.minimum(sizes, max(k, LONG + 1)).astype(np.int64)
    np.maximum.at(lengths, number, at + 1)
    starts = np.append(0, np.cumsum(lengths))
    higher = np.arange(starts[-1]) - np.repeat(starts[:-1], lengths)
    higher[starts[number] + at] = rank - 1
    # Larger numbers are larger floats of the same bits, exact in single precision too; from 2 on, none is subnormal
    scores = -(higher + 2**30).astype(np.int32).view(np.float32).astype(np.float64)
    here = np.flatnonzero(judgment != NO_JUDGMENT)
    grades = as_grades(queries, judged)
    rows, rows_here = (np.searchsorted(each, np.arange(len(queries) + 1)) for each in (number, number[here]))

    def ids(query: int) -> list[str]:
        names = [""] * int(lengths[query])
        for row in range(rows[query], rows[query + 1]):
            names[at[row]] = document[row]
        return names

    return Batch(
        queries=queries,
        judged=judged,
        grades=grades,
        grade_starts=np.cumsum([0, *map(len, judged)]),
        scores=scores,
        starts=starts,
        owner=number[here],
        score=scores[(starts[number] + at)[here]],
        grade=grades[judgment[here]],
        ids=ids,
        judged_ids=lambda query: [document[row] for row in here[rows_here[query] : rows_here[query + 1]].tolist()],
    )
