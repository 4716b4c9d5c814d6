"""Read judgments and runs from TREC files: exactly, or refused with file and line.

A line of a qrels file has four fields, *query iteration document grade*, and one of a run has six, *query Q0 document
rank score tag*. Fields are separated by spaces or tabs; blank lines and comments are skipped; lines may be in any
order. Iteration, Q0, rank and tag are ignored, as by trec_eval. A qrels file with the usual layout is read at once, as
arrays; any other one, and a run, line by line. `ndcg_ref.runs.blocks` reads a run as arrays.

A comment is a line that starts with ``#``. Only trec_eval 10 has comments: earlier versions and other libraries read
``#12 0 d 1`` as a judgment of query ``#12``. Such a line is refused, as it may be either. ``#`` alone is no id.

With ``as_trec_eval`` two more things are read as trec_eval's C code reads them. A tag may have several words, provided
that the rank is a whole number and the score a number, so that no id with a space is taken for two fields, and that no
carriage return is among them, so that no file whose lines end in these alone is taken for one line. The exponent of a
grade is ignored: ``1e3`` is 1.
"""

import io
import math
import re
from collections.abc import Container, Iterable, Iterator
from contextlib import suppress
from itertools import islice

from ndcg_ref.conventions.validation import quoted
from ndcg_ref.runs.inputs import COLUMNS
from ndcg_ref.runs.sources import BLOCK, LONGEST_FIELD, Path, QueriesApartError, Source, TrecError

QRELS = ("query", "iteration", "document", "grade")
RUN = ("query", "Q0", "document", "rank", "score", "tag")
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
LONGEST_LINE = 2**20  # bytes, of comments as well
C_LONG = 2**63  # trec_eval exits on a grade of this size or more
WHOLE = rb"[+-]?[0-9]+"  # compiled when a file needs it
WITH_EXPONENT = rb"([+-]?[0-9.]+)[eE][+-]?[0-9]+"


class Contents(dict[str, dict[str, float]]):
    """The contents of a file: query to document to grade or score.

    `only_trec_eval` is the number of lines that were read as only ``as_trec_eval`` allows.
    """

    only_trec_eval: int = 0


def read_qrels(path: Path, *, as_trec_eval: bool = False) -> Contents:
    r"""Read the judgments of a qrels file.

    Parameters
    ----------
    path : str or path
        The file, plain or compressed; "-" is the standard input.
    as_trec_eval : bool, optional
        Whether the exponent of a grade is ignored, as by trec_eval, and a grade too large for a C long refused.

    Returns
    -------
    dict of str to dict of str to float
        Query to document to grade, in the order of the file. A grade may be a fraction. A repeated
        judgment is skipped (trec_eval refuses it).

    Raises
    ------
    TrecError
        If the file cannot be read, has no judgment, or has a line that is no judgment or contradicts an earlier one.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "some.qrels")
    >>> _ = path.write_text("q1 0 d1 2\nq1 0 d2 0\n")
    >>> read_qrels(path)
    {'q1': {'d1': 2.0, 'd2': 0.0}}
    """
    with Source(path) as source:
        return judgments_in(source, as_trec_eval)


def read_run(path: Path, *, as_trec_eval: bool = False) -> Contents:
    r"""Read the documents and scores of a run file.

    Parameters
    ----------
    path : str or path
        The file, plain or compressed; "-" is the standard input.
    as_trec_eval : bool, optional
        Whether a tag may have several words.

    Returns
    -------
    dict of str to dict of str to float
        Query to document to score, in the order of the file.

    Raises
    ------
    TrecError
        If the file cannot be read, has no document, or has a line that is no line of a run or repeats a document of its
        query.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "some.run")
    >>> _ = path.write_text("q1 Q0 d1 1 12.5 bm25\nq1 Q0 d2 2 1e1 bm25\n")
    >>> read_run(path)
    {'q1': {'d1': 12.5, 'd2': 10.0}}
    """
    with Source(path) as source:
        return run_in(source, as_trec_eval)


def judgments_in(source: Source, as_trec_eval: bool) -> Contents:
    """The judgments in an open file."""
    qrels = _judgments(_whole(source, as_trec_eval), source.name, as_trec_eval)
    if not qrels:
        raise empty_file(source.name, QRELS)
    return qrels


def run_in(source: Source, as_trec_eval: bool) -> Contents:
    """The run in an open file, read line by line to its end."""
    run = exact_run(lines_of(source), source.name, as_trec_eval)
    if not run:
        raise empty_file(source.name, RUN)
    return run


def _whole(source: Source, as_trec_eval: bool) -> bytes:
    """All bytes of a file; a line without an end is refused, and so is a first block with a line of another form."""
    data = bytearray(source.read(BLOCK) or b"")
    first = len(data)
    while some := source.read(BLOCK):
        if len(data) == first:  # more follows, maybe without an end
            _judgments(bytes(data[: data.rfind(b"\n") + 1]), source.name, as_trec_eval)
        data += some
        if data.rfind(b"\n", -LONGEST_FIELD) < 0:
            refuse_long_end(bytes(data), source.name, 0)
    return bytes(data)


def _judgments(data: bytes, name: str, as_trec_eval: bool) -> Contents:
    """What the lines of a qrels file say."""
    return _regular_qrels(data, as_trec_eval) or exact_qrels(io.BytesIO(data), name, as_trec_eval)


def _regular_qrels(data: bytes, as_trec_eval: bool) -> Contents | None:
    """The judgments of a file with the usual layout; None if a line has to be read by itself."""
    import numpy as np

    from ndcg_ref.runs.fields import MARGIN, field_ends, line_starts, read_numbers, words_of

    padded = b"".join([b"0" * MARGIN, data, b"\n"[: not data.endswith(b"\n")], bytes(MARGIN)])
    text = np.frombuffer(padded, dtype=np.uint8)
    ends = field_ends(text, text.size - MARGIN, len(QRELS))
    if ends is None:
        return None
    words = words_of(text)
    begins, starts = line_starts(words, ends)
    grades = read_numbers(text, words, ends[:, 2] + 1, ends[:, 3], exponents=not as_trec_eval)
    if grades is None or (as_trec_eval and grades.max() >= C_LONG):
        return None
    characters = padded.decode()
    places = zip((ends[:, 1] + 1).tolist(), ends[:, 2].tolist(), strict=True)
    judgments = zip([characters[start:end] for start, end in places], grades.tolist(), strict=True)
    qrels = Contents(
        (characters[begin:end], dict(islice(judgments, size)))
        for begin, end, size in zip(
            begins[starts[:-1]].tolist(), ends[starts[:-1], 0].tolist(), np.diff(starts).tolist(), strict=True
        )
    )
    once = sum(map(len, qrels.values())) == len(ends)  # each query, and each document of a query
    return qrels if once and not any(query.startswith("#") for query in qrels) else None


def exact_qrels(lines: Iterable[bytes], name: str, as_trec_eval: bool) -> Contents:
    """The judgments in some lines."""
    qrels = Contents()
    for where, (query, _, document, text) in _rows(lines, name, QRELS, as_trec_eval, 0):
        if as_trec_eval and (found := re.fullmatch(WITH_EXPONENT, text)):
            text = found[1]
            qrels.only_trec_eval += 1
        grade = read_number(text, "grade", where)
        if as_trec_eval and grade >= C_LONG:
            shown = quoted(text.decode())
            raise TrecError(f"{where}: expected a grade below 2**63, the limit of trec_eval, got {shown} (a score?)")
        add(qrels, query.decode(), document.decode(), grade, "grade", where)
    return qrels


def add(read: dict[str, dict[str, float]], query: str, document: str, number: float, value: str, where: str) -> None:
    """Add a grade or a score; a document that a query has already is refused, unless it has the same grade."""
    values = read.setdefault(query, {})
    if document not in values:
        values[document] = number
    elif value == "score":
        raise TrecError(
            f"{where}: expected a document once in query {quoted(query)}, got {quoted(document)} again "
            "(two runs in one file?)"
        )
    elif values[document] != number:
        raise TrecError(
            f"{where}: expected one grade of document {quoted(document)} for query {quoted(query)}, "
            f"got {number:g} after {values[document]:g} (which is right?)"
        )


def exact_run(
    lines: Iterable[bytes], name: str, as_trec_eval: bool, before: int = 0, seen: Container[str] = ()
) -> Contents:
    """The documents and scores in some lines, which come after `before` others with the queries `seen`."""
    run = Contents()
    for where, fields in _rows(lines, name, RUN, as_trec_eval, before):
        run.only_trec_eval += len(fields) > len(RUN)
        query, document = fields[0].decode(), fields[2].decode()
        if query in seen:  # before a line further on is refused, as this one may have to be
            raise QueriesApartError
        add(run, query, document, read_number(fields[4], "score", where), "score", where)
    return run


def lines_of(source: Source) -> Iterator[bytes]:
    """The lines of a file; of a line that is too long, only the beginning."""
    reader = io.BufferedReader(source)
    try:
        while line := reader.readline(LONGEST_LINE + 1):
            yield line
    finally:
        with suppress(ValueError):  # where the file is closed
            reader.detach()  # it would close the file


def _rows(
    lines: Iterable[bytes], name: str, form: tuple[str, ...], as_trec_eval: bool, before: int
) -> Iterator[tuple[str, list[bytes]]]:
    """The place and the fields of every line that is not skipped."""
    for number, line in enumerate(lines, start=before + 1):
        fields = line.removeprefix(BYTE_ORDER_MARK).split()  # only ASCII spaces separate fields
        if len(line) > LONGEST_LINE:
            raise too_long(line, f"{name}:{number}")
        where = f"{name}:{number}"
        if not fields or (fields[0].startswith(b"#") and not _may_be_row(fields, form)):
            continue
        text = decoded(line, where)
        if fields[0].startswith(b"#"):
            found, query = quoted(b" ".join(fields).decode()), quoted(fields[0].decode())
            raise TrecError(
                f"{where}: expected a row or a comment, got {found}, which trec_eval 10 skips and others read as query "
                f"{query} (a comment? write a space after #; an id? TSV and JSON have such ids)"
            )
        tagged = as_trec_eval and form == RUN and b"\r" not in line.rstrip() and _has_long_tag(fields)
        if not (len(fields) == len(form) or tagged) or "\0" in text:
            what = "a zero byte" if "\0" in text else f"{len(fields)}"
            expected = f"{len(form)} fields, {' '.join(form)}"
            raise TrecError(f"{where}: expected {expected}, got {what} ({_likely_slip(text, len(fields), form)})")
        if len(line) > LONGEST_FIELD and max(map(len, fields)) > LONGEST_FIELD:
            raise too_long(line, where)
        yield where, fields


def decoded(line: bytes, where: str) -> str:
    """The text of a line; bytes that are no UTF-8 are refused."""
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        found = f"byte 0x{line[error.start]:02x}"
        raise TrecError(f"{where}: expected UTF-8, got {found} (is it binary, or in another encoding?)") from None


def _may_be_row(fields: list[bytes], form: tuple[str, ...]) -> bool:
    """Whether a line that starts with # has all that a row has, and not # for an id."""
    complete = len(fields) == len(form) and _is_number(fields[3 if form == QRELS else 4])
    return fields[0] != b"#" and (complete or (form == RUN and _has_long_tag(fields)))


def _has_long_tag(fields: list[bytes]) -> bool:
    """Whether the fields after the fifth are one tag: the rank and the score are in their places."""
    return len(fields) > len(RUN) and bool(re.fullmatch(WHOLE, fields[3])) and _is_number(fields[4])


def _is_number(field: bytes) -> bool:
    try:
        read_number(field, "score", "")
    except TrecError:
        return False
    return True


def too_long(line: bytes, where: str) -> TrecError:
    """The refusal of a line, or of the beginning of one, that is too long or has a field that is."""
    if b"\0" in line:
        return TrecError(f"{where}: expected text, got a zero byte (is it binary, or UTF-16?)")
    field = max(line.split(), key=len, default=b"")
    if len(field) > LONGEST_FIELD:
        found = f"one of {len(field):,} that begins with {quoted(field.decode(errors='replace'), 20)}"
        return TrecError(f"{where}: expected fields of at most {LONGEST_FIELD:,} bytes, got {found}")
    return TrecError(
        f"{where}: expected a line of at most {LONGEST_LINE:,} bytes, got a longer one (are there no line ends?)"
    )


def refuse_long_end(data: bytes, name: str, before: int) -> None:
    """Refuse the lines if the last, unfinished one is already too long: the input may be endless."""
    number, line = data.count(b"\n") + 1, data[data.rfind(b"\n") + 1 :]
    comment = line.removeprefix(BYTE_ORDER_MARK).lstrip().startswith(b"#")
    if len(line) > LONGEST_LINE or (not comment and max(map(len, line.split()), default=0) > LONGEST_FIELD):
        raise too_long(line, f"{name}:{before + number}")


def _likely_slip(line: str, count: int, form: tuple[str, ...]) -> str:
    """The likely reason for a wrong number of fields."""
    line = line.strip()
    if "\0" in line:
        return "is it binary, or UTF-16?"
    if line.startswith(("{", "[")):
        return "is it JSON?"
    names = set(re.split(r"[\s;,|]+", line))
    if not (names.isdisjoint(COLUMNS["query"]) or names.isdisjoint(COLUMNS["document"])):
        return "a header row? tabs or commas separate the fields of a table"
    if "\r" in line:
        return "do its lines end in carriage returns alone?"
    if len(line.split()) == len(form):
        return "are the fields separated by spaces that are not ASCII?"
    if len(line.replace(";", ",").replace(",", " ").split()) == len(form):
        return "are the fields separated by commas?"
    if form == RUN:
        slips = {
            3: "are Q0, the rank and the tag missing? MS MARCO's form has a whole rank as its third field",
            4: "is it a qrels file?",
            5: "is Q0 or the tag missing?",
        }
    else:
        slips = {3: "is the second field, the iteration, missing?", 6: "is it a run?"}
    if count < len(form):
        return slips.get(count, "is the line cut short?")
    if form == RUN and _has_long_tag(line.encode().split()):
        return "is there a space within a field? trec_eval's presets accept a tag of several words"
    return slips.get(count, "is there a space within a field?")


def read_number(field: bytes, what: str, where: str, slip: str = "a header row, or fields in another order?") -> float:
    """The number in a field; a refusal of another field names its place, and how a word may have come there."""
    try:
        number = float(field)
    except ValueError:
        number = None
    if number is not None and math.isfinite(number) and b"_" not in field:
        return number
    text = quoted(field.decode(errors="replace"))
    if number is not None and not math.isfinite(number):
        if b"n" in field.lower():
            raise TrecError(f"{where}: expected a finite {what}, got {text} (did its computation fail?)")
        raise TrecError(f"{where}: expected a {what} within the range of a float, got {text}")
    if b"," in field:
        raise TrecError(f"{where}: expected a {what}, got {text} (a decimal comma?)")
    raise TrecError(f"{where}: expected a {what}, got {text} ({slip})")


def empty_file(name: str, form: tuple[str, ...]) -> TrecError:
    """The refusal of a file without a line that counts."""
    return TrecError(f"{name}: expected lines of {len(form)} fields, {' '.join(form)}, found none (is the file empty?)")


def whole_lines(data: bytes) -> list[bytes]:
    """The lines that have ended."""
    return list(io.BytesIO(data[: data.rfind(b"\n") + 1]))


def before_last_query(lines: list[bytes]) -> int:
    """The number of lines before those of the last query."""
    last, first = b"", len(lines)
    for number in range(len(lines) - 1, -1, -1):
        query, *_ = lines[number].removeprefix(BYTE_ORDER_MARK).split(None, 1) or [b""]
        if query and not query.startswith(b"#"):
            if last and query != last:
                return first
            last, first = query, number
    return 0 if last else len(lines)
