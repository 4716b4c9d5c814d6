"""The same judgments and run in every form: text, Parquet files, and tables of DuckDB."""

import shutil
from pathlib import Path

import duckdb

FIELDS = {  # of a line in TREC's form
    "qrels": {"query": "varchar", "_": "varchar", "document": "varchar", "grade": "double"},
    "run": {
        "query": "varchar",
        "_": "varchar",
        "document": "varchar",
        "_rank": "varchar",
        "score": "double",
        "_tag": "varchar",
    },
}
REST = {"qrels": "0, document, cast(grade as integer)", "run": "'Q0', document, 0, score, 'bm25'"}


def parquet_of(text, side):
    """Write a file in TREC's form as Parquet beside it, and give its path."""
    fields, path = FIELDS[side], Path(f"{text}.parquet")
    kept = ", ".join(name for name in fields if not name.startswith("_"))
    read = f"read_csv('{text}', delim = ' ', header = false, auto_detect = false, quote = '', columns = {fields})"
    duckdb.execute(f"copy (select {kept} from {read}) to '{path}' (format parquet)")
    return path


def tables_of(qrels, run):
    """Read both Parquet files into a database, as tables."""
    connection = duckdb.connect()
    for name, path in (("qrels", qrels), ("run", run)):
        connection.execute(f"create table {name} as select * from '{path}'")
    return connection


def copies_of(path, count):
    """Write a Parquet file `count` times as long, each copy with queries of its own, and give its path."""
    longer = path.with_name(f"{count}-{path.name}")
    copies = f"range({count}) as copies (copy)"
    select = f"select * exclude (copy) replace (query || '-' || copy as query) from '{path}', {copies}"
    duckdb.execute(f"copy ({select}) to '{longer}' (format parquet)")
    return longer


def text_of(path, side, count):
    """Write copies of a Parquet file in TREC's form, the lines of a query together, and give its path."""
    longer = path.with_name(f"{count}-{path.stem}")
    with longer.open("wb") as whole:
        for copy in range(count):
            one = path.with_suffix(".part")
            select = f"select query || '-{copy}', {REST[side]} from '{path}'"
            duckdb.execute(f"copy ({select}) to '{one}' (format csv, delim ' ', header false, quote '')")
            with one.open("rb") as part:
                shutil.copyfileobj(part, whole)
            one.unlink()
    return longer
