"""Judgments and runs from files that are not TREC's: tables with a header row, JSON lines, and JSON.

The first line that counts shows the format of a file:

- TSV or CSV has a header row with names of `ndcg_ref.runs.columns`;
- JSON lines have an object with such keys for each document;
- JSON has one object of objects, query to document to grade or score.

Everything else is read as TREC's, by `ndcg_ref.runs.trec`.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ndcg_ref.runs.columns import COLUMNS, as_id, columns_of
from ndcg_ref.runs.lines import (
    BYTE_ORDER_MARK,
    LONGEST_LINE,
    add_grade,
    decoded,
    lines_of,
    read_number,
    refuse_again,
    too_long,
    too_many_documents,
)
from ndcg_ref.runs.nested import as_number, read_nested, read_object
from ndcg_ref.runs.sources import Source, TrecError
from ndcg_ref.validation import MOST_RANKS, quoted

if TYPE_CHECKING:
    from typing import TypeAlias

    Read: TypeAlias = dict[str, dict[str, float]]

SEPARATORS = {"tsv": "\t", "csv": ","}
SCALAR_FIRST = rb'\{\s*"(?:[^"\\]|\\.)*"\s*:\s*[^\s{\[]'  # an object whose first value is neither object nor list
NAMES_OF = {kind: frozenset(names) for kind, names in COLUMNS.items()}
NUMBER = r"[-+]?[0-9]*\.?[0-9]+(?:[eE][-+]?[0-9]+)?"
JOINED = "a second header row, of files joined together?"


def format_of(beginning: bytes) -> str:
    r"""The format of a file that begins so: "trec", "tsv", "csv", "jsonl" or "json".

    >>> format_of(b"query-id\tcorpus-id\tscore\nq1\td1\t1\n"), format_of(b"q1 0 d1 1\n")
    ('tsv', 'trec')
    >>> format_of(b'{"q1": {"d1": 2}}'), format_of(b'{"query-id": "q1", "corpus-id": "d1", "score": 1}')
    ('json', 'jsonl')
    """
    line = _first_that_counts(beginning)
    if line.startswith(b"{"):
        return "jsonl" if re.match(SCALAR_FIRST, line) else "json"
    for name, separator in SEPARATORS.items():
        if _is_header([field.strip(' "') for field in line.decode(errors="replace").split(separator)]):
            return name
    return "trec"


def _first_that_counts(beginning: bytes) -> bytes:
    """The first line that is neither blank nor a comment."""
    for line in beginning.removeprefix(BYTE_ORDER_MARK).split(b"\n"):
        stripped = line.strip()
        if stripped and not stripped.startswith(b"#"):
            return stripped
    return b""


def _is_header(fields: list[str]) -> bool:
    """Whether some fields are names of columns: they are for query and document, and none is a number."""
    named = [not NAMES_OF[kind].isdisjoint(fields) for kind in ("query", "document")]
    return all(named) and not any(re.fullmatch(NUMBER, field) for field in fields)


def read_other(source: Source, form: str, value: str) -> Read:
    """The contents of an open file in one of these formats: query to document to grade or score.

    Parameters
    ----------
    source : Source
        The file.
    form : {"tsv", "csv", "jsonl", "json"}
        Its format.
    value : {"grade", "score"}
        What a document maps to.

    Returns
    -------
    dict of str to dict of str to float
        The contents, in the order of the file. A repeated judgment is skipped.

    Raises
    ------
    ValueError
        If the file cannot be read, has no row, or has something that is no grade or score, or contradicts another one.
    TypeError
        If an id is neither text nor a whole number.
    """
    if form == "json":
        read = read_nested(source.readall(), source.name, value)
    else:
        rows = _of_json_lines(source, value) if form == "jsonl" else _of_table(source, SEPARATORS[form], value)
        read = _gathered(rows, source.name, value)
    if not read:
        raise TrecError(f"{source.name}: expected at least one query, found none")
    return read


def _gathered(rows: Iterator[tuple[str, str, str, float]], name: str, value: str) -> Read:
    """Query to document to number, from place, query, document and number."""
    read: Read = {}
    for where, query, document, number in rows:
        if value == "grade":
            add_grade(read, query, document, number, where)
        else:
            refuse_again(read, query, document, where)
            read.setdefault(query, {})[document] = number
        if len(read[query]) > MOST_RANKS:
            raise too_many_documents(name, query)
    return read


def _text_lines(source: Source) -> Iterator[str]:
    """The lines of a file as text."""
    for number, line in enumerate(lines_of(source), start=1):
        where = f"{source.name}:{number}"
        if len(line) > LONGEST_LINE:
            raise too_long(line, where)
        text = decoded(line.removeprefix(BYTE_ORDER_MARK), where)
        if "\0" in text:
            raise TrecError(f"{where}: expected text, got a zero byte (is it binary, or UTF-16?)")
        yield text


def _of_table(source: Source, separator: str, value: str) -> Iterator[tuple[str, str, str, float]]:
    """Place, query, document and number of each row of a table with a header row."""
    rows = csv.reader(_text_lines(source), delimiter=separator, strict=True)
    header: list[str] = []
    places: list[int] = []
    for where, row in _csv_rows(rows, source.name):
        if not row or (not header and row[0].lstrip().startswith("#")):
            continue
        if not header:
            header = [name.strip() for name in row]
            places = [header.index(name) for name in columns_of(header, value, where)]
            continue
        if len(row) != len(header):
            slip = "is the line cut short?" if len(row) < len(header) else "is there a separator within a field?"
            raise TrecError(f"{where}: expected {len(header)} fields, {' '.join(header)}, got {len(row)} ({slip})")
        query, document, text = (row[place] for place in places)
        for place, field in zip(places, (query, document), strict=False):
            if not field:
                raise TrecError(f"{where}: {header[place]}: expected an id, got an empty field (a missing value?)")
        slip = JOINED if text in header else "text in a column of numbers?"
        yield where, query, document, read_number(text.encode(), value, f"{where}: {header[places[2]]}", slip)


def _csv_rows(rows: Any, name: str) -> Iterator[tuple[str, list[str]]]:
    """The rows of a table, each with its place: its last line."""
    while True:
        try:
            row = next(rows, None)
        except csv.Error as error:
            raise TrecError(f"{name}:{rows.line_num}: expected a row of a table, got none: {error}") from None
        if row is None:
            return
        yield f"{name}:{rows.line_num}", row


def _of_json_lines(source: Source, value: str) -> Iterator[tuple[str, str, str, float]]:
    """Place, query, document and number of each line that is an object."""
    names: tuple[str, ...] = ()
    for number, line in enumerate(_text_lines(source), start=1):
        where = f"{source.name}:{number}"
        if not line.strip():
            continue
        row = read_object(line, where)
        names = names or columns_of(list(row), value, where)
        if not row.keys() >= {*names}:
            missing = next(name for name in names if name not in row)
            raise TrecError(f"{where}: expected a key {missing}, got {', '.join(map(quoted, row))}")
        query, document = (as_id(row[name], f"{where}: {name}") for name in names[:2])
        yield where, query, document, as_number(row[names[2]], value, f"{where}: {names[2]}")
