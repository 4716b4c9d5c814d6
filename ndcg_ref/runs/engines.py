"""Judgments and runs in the tables of an engine, or in Parquet files: the engine computes, and this collects.

An engine is what runs the SQL of `ndcg_ref.sql.query_text`: DuckDB, embedded or connected, or Spark. It is run in three
steps: what is refused is counted, the sums of each query are fetched, and the `Tallies` that also evaluate files make
the result of them. What no query can say is computed in memory, from the rows that the engine reads.
"""

import math
import os
import re
from collections.abc import Callable, Iterator
from glob import escape
from typing import Any, NoReturn, TypeAlias

from ndcg_ref.conventions.spellings import RequestedMeasure
from ndcg_ref.conventions.validation import LIKE_GRADES, as_grade, missing_gain, quoted, refusal, shortened
from ndcg_ref.runs.inputs import as_id, columns_of, repeated
from ndcg_ref.runs.result import Result
from ndcg_ref.runs.sources import IN_FOLDER, PARQUET, Form, TrecError, paths_of
from ndcg_ref.runs.tallies import PartialResult, Tallies
from ndcg_ref.sql.query_checks import (
    RETRIEVED_TWICE,
    TRUNCATED,
    counted,
    counted_text,
    deepened,
    first_text,
    kinds_of,
    queries_text,
)
from ndcg_ref.sql.query_text import DIALECTS, SqlQuery, Table, levels_of, without_order

VALUE = {"qrels": "grade", "run": "score"}  # of each side
ANY = {"": 1.0}  # what an engine keeps of the judgments of a query
MOST_SAID = 400  # characters of what an engine says
WHOLE = r"u?(tiny|small|big|huge)?int(eger)?|decimal\(\d+,\s?0\)"  # types of columns
TYPES = {
    "id": re.compile(rf"{WHOLE}|varchar|string.*|uuid|enum\(.*\)", re.IGNORECASE | re.DOTALL),
    "number": re.compile(rf"{WHOLE}|decimal\(.*\)|float|double|boolean", re.IGNORECASE),
}
AT_ONCE = 100_000  # rows that are fetched at a time


class DuckDB:
    """A connection to DuckDB.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
        The connection.
    """

    dialect = DIALECTS["duckdb"]

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def columns(self, text: str) -> list[tuple[str, str]]:
        """The name and the type of each column of a query, which is not run."""
        return [(name, kind) for name, kind, *_ in self.rows(f"describe {text}")]

    def rows(self, text: str) -> Iterator[tuple[Any, ...]]:
        """The rows of a query."""
        import duckdb

        try:
            found = self._connection.execute(text)
            while some := found.fetchmany(AT_ONCE):
                yield from some
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
    return DuckDB(duckdb.connect())


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
    """Query to document to grade or score, of a table."""
    read: dict[str, dict[str, Any]] = {}
    columns = ", ".join(engine.dialect.columns(table, "value"))
    for query, document, number in engine.rows(f"select {columns} from {engine.dialect.rows(table)}"):
        ids = as_id(query, f"{side}: {table.query}"), as_id(document, f"{side}: {table.document}")
        values = read.setdefault(ids[0], {})
        if ids[1] in values:
            raise repeated(side, *ids)
        values[ids[1]] = as_grade(number, f"{side}[{quoted(ids[0])}][{quoted(ids[1])}]", hint="")
    if not read:
        raise _nothing(side)
    return read


def read_parquet(path: Any, value: str) -> dict[str, dict[str, Any]]:
    """Query to document to grade or score, of a Parquet file."""
    engine, side = embedded(path), "qrels" if value == "grade" else "run"
    return read_rows(engine, table_of(engine, path, side, value, is_file=True), side, value)


def _is_file(source: Any, form: Form, engine: Any) -> bool:
    """Whether it is a Parquet file; beside an engine, only its ending tells one from a table."""
    return form == "parquet" and (engine is None or os.fspath(source).endswith(PARQUET))


class Tables:
    """Judgments and a run, at least one of them in a table or a Parquet file.

    Parameters
    ----------
    qrels, run : str, path, mapping or data frame
        What `evaluate` takes.
    forms : tuple
        The form of each.
    engine : duckdb.DuckDBPyConnection, pyspark.sql.SparkSession or None
        Where the tables are; None for Parquet files, which the embedded DuckDB reads.
    """

    def __init__(self, qrels: Any, run: Any, forms: tuple[Form, Form], engine: Any) -> None:
        self._engine = embedded(run) if engine is None else engine_of(engine)
        self._given = {"qrels": qrels, "run": run}
        self._tables = {
            side: table_of(self._engine, given, side, VALUE[side], is_file=_is_file(given, form, engine))
            for (side, given), form in zip(self._given.items(), forms, strict=True)
            if form in ("parquet", "path")
        }

    def can_say(self, requested: list[RequestedMeasure]) -> bool:
        """Whether queries can say all that is wanted."""
        return len(self._tables) == 2 and not any(query.cannot_say() for query in self._queries(requested))

    def may_be_swapped(self) -> bool:
        """Whether no score shows that it is none of a grade, as one does that is no whole number from 0 to 10."""
        run, dialect = self._tables["run"], self._engine.dialect
        score = dialect.as_number(run.value)
        like_a_grade = f"{score} between 0 and {max(LIKE_GRADES)} and {score} = floor({score})"
        text = f"select 1 from {dialect.rows(run)} where not ({like_a_grade}) limit 1"
        return next(self._engine.rows(text), None) is None

    def _queries(self, requested: list[RequestedMeasure]) -> list[SqlQuery]:
        return [SqlQuery(each, self._tables["qrels"], self._tables["run"], self._engine.dialect) for each in requested]

    def evaluated(self, requested: list[RequestedMeasure]) -> Result:
        """The result, computed by the engine."""
        engine, queries = self._engine, self._queries(requested)
        deep = [deepened(query) for query in queries]
        # Where documents are left out, the second query finds repeated ones beside the sums
        texts = [
            counted(query, RETRIEVED_TWICE if other.cuts else "") for query, other in zip(queries, deep, strict=True)
        ]
        checked = dict(zip(texts, queries, strict=True)).items()
        truncated = {text: _refuse_offenders(engine, query, text) for text, query in checked}
        judged, retrieved = (
            [name for (name,) in engine.rows(queries_text(queries[0], side))] for side in ("judged", "everything")
        )
        for side, found in (("qrels", judged), ("run", retrieved)):
            if not found:
                raise _nothing(side)
        sums = [(list(engine.rows(counted_text(query))), kinds_of(query)) for query in deep]
        for query, (rows, _) in zip(deep, sums, strict=True):
            if query.cuts and any(row[3] for row in rows):
                _refuse_first(engine, query, RETRIEVED_TWICE)
        parts = [
            _part(asked, *each)._replace(truncated=truncated[text])
            for asked, each, text in zip(requested, sums, texts, strict=True)
        ]
        tallies = Tallies(requested)
        tallies.add_others(set(retrieved) - set(judged))
        tallies.add(parts, documents=sum(len(part.queries) for part in parts))
        return tallies.result(dict.fromkeys(judged, ANY))

    def in_memory(self, requested: list[RequestedMeasure]) -> tuple[Any, Any]:
        """Judgments and run as they were given, those in tables as mappings."""
        run = self._tables.get("run")
        if run is not None and not run.is_file and any(asked.convention.ties == "input" for asked in requested):
            raise ValueError(without_order())
        read = {
            side: read_rows(self._engine, self._tables[side], side, VALUE[side]) if side in self._tables else given
            for side, given in self._given.items()
        }
        return read["qrels"], read["run"]


def _part(requested: RequestedMeasure, rows: list[tuple[Any, ...]], kinds: list[str]) -> PartialResult:
    """What was computed of a measure, of the rows of `counted_text`, which have an ideal DCG for any measure."""
    queries, dcg, idcg = ([row[i] for row in rows] for i in range(3))
    if not all(map(math.isfinite, [*dcg, *idcg])):
        raise refusal("overflowing sum", "grades")
    tied, unjudged, *of_kinds = (sum(int(row[i]) for row in rows) for i in range(4, 6 + len(kinds)))
    return PartialResult(
        queries,
        dcg,
        tied,
        unjudged,
        dict(zip(kinds, of_kinds, strict=True)),
        idcg if requested.measure.name == "nDCG" else None,
    )


def _refuse_offenders(engine: Engine, query: SqlQuery, text: str) -> int:
    """Refuse what the convention or every convention refuses, at the first place in the order of ids.

    Returns the number of grades that the convention truncates.
    """
    offenders = dict(engine.rows(text))
    truncated = offenders.pop(TRUNCATED, 0)
    for problem, count in offenders.items():
        if count:
            _refuse_first(engine, query, problem)
    return int(truncated)


def _refuse_first(engine: Engine, query: SqlQuery, problem: str) -> NoReturn:
    raise _refusal(problem, next(engine.rows(first_text(query, problem))), query)


def _refusal(problem: str, offender: tuple[Any, ...], query: SqlQuery) -> ValueError | TypeError:
    """The refusal of the first offender, in the words that other input gets."""
    name, document, value = (*offender, None, None)[:3]
    judgment = f"qrels[{quoted(name)}][{quoted(document)}]"
    if problem in OTHERS:
        return OTHERS[problem](name, document, value)
    if problem == "missing gain":
        return missing_gain(judgment, value, [level for level, _ in levels_of(query.convention.gain)])
    if problem == "query without ideal gain":
        return refusal(problem, f"qrels[{quoted(name)}]: grades")
    return refusal(problem, "run" if document is None else judgment, query=quoted(name), grade=value)


def _no_number(value: Any, where: str) -> ValueError | TypeError:
    try:
        as_grade(value, where, hint="")
    except (TypeError, ValueError) as error:
        return error
    return ValueError(f"{where}: expected a finite number, got {quoted(value)}")


def _nothing(side: str) -> ValueError:
    return ValueError(f"{side}: expected at least one {VALUE[side]}, got none")


def _no_id(side: str, query: Any, document: Any) -> ValueError | TypeError:
    error = TypeError if query is None or document is None else ValueError
    both = f"{quoted(query)} and {quoted(document)}"
    return error(f"{side}: expected the ids of a query and of a document in each row, got {both}")


OTHERS: dict[str, Callable[[Any, Any, Any], ValueError | TypeError]] = {
    # problem that no other input has: its refusal, of a query, a document and a number
    "grade that is no finite number": lambda query, document, grade: _no_number(
        grade, f"qrels[{quoted(query)}][{quoted(document)}]"
    ),
    "judgment without an id": lambda query, document, _: _no_id("qrels", query, document),
    "retrieved document without an id": lambda query, document, _: _no_id("run", query, document),
    "score that is no finite number": lambda query, document, score: _no_number(
        score, f"run[{quoted(query)}][{quoted(document)}]"
    ),
    "document judged twice": lambda query, document, _: repeated("qrels", query, document),
    RETRIEVED_TWICE: lambda query, document, _: repeated("run", query, document),
}
