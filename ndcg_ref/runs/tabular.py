"""Read tables with a header row, JSON lines, and JSON: what `ndcg_ref.runs.formats` recognises beside TREC's format."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ndcg_ref.conventions.validation import MOST_RANKS, quoted
from ndcg_ref.runs.column_names import as_id, columns_of
from ndcg_ref.runs.formats import SEPARATORS
from ndcg_ref.runs.nested import as_number, read_nested, read_object
from ndcg_ref.runs.sources import Source, TrecError
from ndcg_ref.runs.text_lines import (
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

if TYPE_CHECKING:
    from typing import TypeAlias

    Read: TypeAlias = dict[str, dict[str, float]]


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
        read = read_nested(source.whole(), source.name, value)
    else:
        rows = _of_json_lines(source, value) if form == "jsonl" else _of_table(source, SEPARATORS[form], value)
        read = _gathered(rows, source.name, value)
    if not read:
        raise TrecError(f"{source.name}: expected at least one query, found none")
    return read


def _gathered(rows: Iterator[tuple[int, str, str, float]], name: str, value: str) -> Read:
    """Query to document to number, from line, query, document and number."""
    read: Read = {}
    for line, query, document, number in rows:
        values = read.setdefault(query, {})
        if document not in values:
            values[document] = number
        elif value == "grade":
            add_grade(read, query, document, number, f"{name}:{line}")
        else:
            refuse_again(read, query, document, f"{name}:{line}")
        if len(values) > MOST_RANKS:
            raise too_many_documents(name, query)
    return read


def _text_lines(source: Source) -> Iterator[str]:
    """The lines of a file as text."""
    for number, line in enumerate(lines_of(source), start=1):
        if len(line) > LONGEST_LINE:
            raise too_long(line, f"{source.name}:{number}")
        text = decoded(line.removeprefix(BYTE_ORDER_MARK), f"{source.name}:{number}")
        if "\0" in text:
            raise TrecError(f"{source.name}:{number}: expected text, got a zero byte (is it binary, or UTF-16?)")
        yield text


def _of_table(source: Source, separator: str, value: str) -> Iterator[tuple[int, str, str, float]]:
    """Line, query, document and number of each row of a table with a header row."""
    rows = _csv_rows(csv.reader(_text_lines(source), delimiter=separator, strict=True), source.name)
    line, header = next((line, row) for line, row in rows if row and not row[0].lstrip().startswith("#"))
    header = [name.strip() for name in header]
    of_query, of_document, of_value = map(header.index, columns_of(header, value, f"{source.name}:{line}"))
    for line, row in rows:
        if not row:
            continue
        if len(row) != len(header):
            expected = f"{len(header)} fields, {' '.join(header)}"
            slip = "is the line cut short?" if len(row) < len(header) else "is there a separator within a field?"
            raise TrecError(f"{source.name}:{line}: expected {expected}, got {len(row)} ({slip})")
        query, document, text = row[of_query], row[of_document], row[of_value]
        number = _plain(text)
        if number is None or not (query and document) or query != query.strip() or document != document.strip():
            fields = [(header[at], row[at]) for at in (of_query, of_document, of_value)]
            number = _number_of(fields, value, f"{source.name}:{line}")
        yield line, query, document, number


def _plain(text: str) -> float | None:
    """The finite number that a field has, in ASCII without underscores; else None."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) and text.isascii() and "_" not in text else None


def _number_of(row: list[tuple[str, str]], value: str, where: str) -> float:
    """The number of a row, from name and field of query, document and value; a missing id or number is refused."""
    for name, field in row[:2]:
        if not field:
            raise TrecError(f"{where}: {name}: expected an id, got an empty field (a missing value?)")
        if field != field.strip():
            raise TrecError(f"{where}: {name}: expected an id without blanks around it, got {quoted(field)}")
    name, field = row[2]
    slip = "a second header row, of files joined together?" if field == name else "text in a column of numbers?"
    return read_number(field.encode(), value, f"{where}: {name}", slip)


def _csv_rows(rows: Any, name: str) -> Iterator[tuple[int, list[str]]]:
    """The rows of a table, each with its last line."""
    try:
        for row in rows:
            yield rows.line_num, row
    except csv.Error as error:
        raise TrecError(f"{name}:{rows.line_num}: expected a row of a table, got none: {error}") from None


def _of_json_lines(source: Source, value: str) -> Iterator[tuple[int, str, str, float]]:
    """Line, query, document and number of each line that is an object."""
    names: tuple[str, str, str] | None = None
    for line, text in enumerate(_text_lines(source), start=1):
        if not text.strip():
            continue
        where = f"{source.name}:{line}"
        row = read_object(text, where)
        names = names or columns_of(list(row), value, where)
        if missing := [name for name in names if name not in row]:
            raise TrecError(f"{where}: expected a key {missing[0]}, got {', '.join(map(quoted, row))}")
        query, document, number = (row[name] for name in names)
        if not (type(query) is type(document) is str and query and document):
            query, document = as_id(query, f"{where}: {names[0]}"), as_id(document, f"{where}: {names[1]}")
        yield line, query, document, as_number(number, value, f"{where}: {names[2]}")
