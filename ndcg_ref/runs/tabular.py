"""Which format a file of judgments or of a run has, and how those beside TREC's are read.

The first line that counts shows the format:

- TSV or CSV has a header row with names of `ndcg_ref.runs.inputs`;
- JSON lines have an object with such keys for each document;
- JSON has one object of objects, query to document to grade or score, which `ndcg_ref.runs.nested` reads;
- the run files of MS MARCO have three fields, query, document and rank, and no score: the score is the negative rank.

Everything else is taken for TREC's, which `ndcg_ref.runs.trec` reads.
"""

import csv
import math
import re
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any

from ndcg_ref.conventions.validation import quoted
from ndcg_ref.runs import trec
from ndcg_ref.runs.inputs import COLUMNS, Group, as_id, columns_of
from ndcg_ref.runs.nested import as_number, read_nested, read_object
from ndcg_ref.runs.sources import Source, TrecError

SEPARATORS = {"tsv": "\t", "csv": ","}
OBJECT = rb'(?:\xef\xbb\xbf)?\s*\{\s*(?:["}]|$)'  # anything else is not JSON, and may have no end
SCALAR_FIRST = rb'\{\s*"(?:[^"\\]|\\.)*"\s*:\s*[^\s{\[]'  # an object whose first value is neither object nor list
RANKED = rb"[^\s]+\s+[^\s]+\s+[0-9]+"  # a line of MS MARCO
NAMES_OF = {kind: frozenset(names) for kind, names in COLUMNS.items()}
NUMBER = r"[-+]?[0-9]*\.?[0-9]+(?:[eE][-+]?[0-9]+)?"


def format_of(beginning: bytes, value: str = "grade") -> str:
    r"""The format of a file of grades or scores that begins so: "trec", "tsv", "csv", "jsonl", "json" or "ranks".

    >>> format_of(b"query-id\tcorpus-id\tscore\nq1\td1\t1\n"), format_of(b"q1 0 d1 1\n")
    ('tsv', 'trec')
    >>> format_of(b'{"q1": {"d1": 2}}'), format_of(b'{"query-id": "q1", "corpus-id": "d1", "score": 1}')
    ('json', 'jsonl')
    >>> format_of(b"1048585\t7187158\t1\n", "score")
    'ranks'
    """
    line = _first_that_counts(beginning)
    if re.match(OBJECT, beginning):
        return "jsonl" if re.match(SCALAR_FIRST, line) else "json"
    for name, separator in SEPARATORS.items():
        header = {field.strip(' "') for field in line.decode(errors="replace").split(separator)}
        named = all(header & NAMES_OF[kind] for kind in ("query", "document"))
        if named and not any(re.fullmatch(NUMBER, field) for field in header):
            return name
    return "ranks" if value == "score" and re.fullmatch(RANKED, line) else "trec"


def _first_that_counts(beginning: bytes) -> bytes:
    """The first line that is neither blank nor a comment."""
    for line in beginning.removeprefix(trec.BYTE_ORDER_MARK).split(b"\n"):
        stripped = line.strip()
        if stripped and not stripped.startswith(b"#"):
            return stripped
    return b""


def read_other(source: Source, form: str, value: str) -> dict[str, dict[str, float]]:
    """The contents of an open file in one of these formats, in its order; a repeated judgment is skipped."""
    if form == "json":
        read = read_nested(source.whole(), source.name, value)
    else:
        read = _gathered(_rows_in(source, form, value), source.name, value)
    if not read:
        raise TrecError(f"{source.name}: expected at least one query, found none")
    return read


class OtherRun:
    """The run in an open file in one of these formats; all but JSON has lines, and can be read query after query."""

    def __init__(self, source: Source, form: str) -> None:
        self._source, self._form = source, form
        self.can_be_read_twice = form != "json"

    def groups(self) -> Iterator[Group]:
        """The rows in order, those of a query that are together as one group."""
        for query, rows in groupby(_rows_in(self._source, self._form, "score", together=True), key=itemgetter(1)):
            [values] = _gathered(rows, self._source.name, "score").values()
            yield Group(query, [*values], [*values.values()], 0)

    def whole(self) -> dict[str, dict[str, float]]:
        """Query to document to score."""
        self._source.rewind()
        return read_other(self._source, self._form, "score")


def _rows_in(source: Source, form: str, value: str, together: bool = False) -> Iterator[tuple[int, str, str, float]]:
    if form == "ranks":
        return _of_ranks(source, together)
    return _of_json_lines(source, value) if form == "jsonl" else _of_table(source, SEPARATORS[form], value)


def _gathered(rows: Iterator[tuple[int, str, str, float]], name: str, value: str) -> dict[str, dict[str, float]]:
    """Query to document to number, from line, query, document and number."""
    read: dict[str, dict[str, float]] = {}
    for line, query, document, number in rows:
        trec.add(read, query, document, number, value, f"{name}:{line}")
    return read


def _text_lines(source: Source) -> Iterator[str]:
    for number, line in enumerate(trec.lines_of(source), start=1):
        if len(line) > trec.LONGEST_LINE:
            raise trec.too_long(line, f"{source.name}:{number}")
        text = trec.decoded(line.removeprefix(trec.BYTE_ORDER_MARK), f"{source.name}:{number}")
        if "\0" in text:
            raise TrecError(f"{source.name}:{number}: expected text, got a zero byte (is it binary, or UTF-16?)")
        yield text


def _of_ranks(source: Source, together: bool) -> Iterator[tuple[int, str, str, float]]:
    """Line, query, document and negative rank of each line of query, document and rank; a rank is once in a query.

    Where the lines of a query are together, only the ranks of the last one are kept.
    """
    seen: dict[str, set[int]] = {}
    for line, text in enumerate(_text_lines(source), start=1):
        where, fields = f"{source.name}:{line}", text.split()
        if not fields or fields[0] == "#":
            continue
        if fields[0].startswith("#"):
            if re.fullmatch(RANKED, text.strip().encode()):
                raise TrecError(
                    f"{where}: expected a row or a comment, got {quoted(text.strip())} "
                    "(a comment? write a space after #; an id? TSV and JSON have such ids)"
                )
            continue
        if len(fields) != 3:
            raise TrecError(
                f"{where}: expected 3 fields, query document rank, got {len(fields)} (its first line has them)"
            )
        query, document, written = fields
        if not (written.isascii() and written.isdigit() and 0 < len(written) < 10 and int(written)):
            raise TrecError(f"{where}: expected a rank of at least 1, got {quoted(written)} (a score?)")
        rank = int(written)
        if together and query not in seen:
            seen.clear()
        if rank in seen.setdefault(query, set()):
            raise TrecError(f"{where}: expected each rank once in query {quoted(query)}, got {rank} again")
        seen[query].add(rank)
        yield line, query, document, -float(rank)


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
    return trec.read_number(field.encode(), value, f"{where}: {name}", slip)


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
