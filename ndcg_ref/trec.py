"""Read judgments and runs from TREC files: exactly, or refused with file and line.

A line of a qrels file has four fields, *query iteration document grade*, and one of a run has six, *query Q0 document
rank score tag*. Fields are separated by spaces or tabs; blank lines and lines that start with ``#`` are skipped; lines
may be in any order. Iteration, Q0, rank and tag are ignored, as by trec_eval. A file may be compressed by gzip, and "-"
is the standard input.

With ``as_trec_eval`` two more things are read as trec_eval's C code reads them. A tag may have several words, provided
that the rank is a whole number and the score a number, so that no id with a space is taken for two fields. The exponent
of a grade is ignored: ``1e3`` is 1.

`read_qrels` and `read_run` give dicts. `run_blocks` gives the same run as arrays, block by block, so that a long file
needs little memory; a block with an unusual layout is read line by line, as by `read_run`.
"""

from __future__ import annotations

import io
import math
import os
import re
import sys
import zlib
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

import numpy as np

from ndcg_ref.validation import MOST_RANKS, quoted, shortened, too_many

if TYPE_CHECKING:  # numpy.typing takes longer to load than this module
    from typing import TypeAlias

    from numpy.typing import NDArray

    Bytes: TypeAlias = NDArray[np.uint8]
    Floats: TypeAlias = NDArray[np.float64]
    Ints: TypeAlias = NDArray[np.int64]
    Words: TypeAlias = NDArray[np.uint64]
    Bools: TypeAlias = NDArray[np.bool_]
    Path: TypeAlias = str | os.PathLike[str]
    Qrels: TypeAlias = Mapping[str, Mapping[str, float]]

QRELS = ("query", "iteration", "document", "grade")
RUN = ("query", "Q0", "document", "rank", "score", "tag")

LINE_FEED = ord("\n")
BLOCK = 2**19  # bytes of a run that are read at a time, so that the arrays made of them stay in the cache
KEPT = 2**24  # bytes: see `run_blocks`
TOGETHER = 256  # queries in a block that was read line by line
MARGIN = 32  # bytes around a block, so that a word read at its edge stays inside the array
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
LONGEST_FIELD = 4096  # bytes
LONGEST_LINE = 2**20  # bytes, of comments as well
LONGEST_GAP = 2**22  # bytes of blank lines and comments in a row
C_LONG = 2**63  # trec_eval exits on a grade of this size or more
WHOLE = rb"[+-]?[0-9]+"  # compiled when a file needs it
WITH_EXPONENT = rb"([+-]?[0-9.]+)[eE][+-]?[0-9]+"
LINE_THAT_COUNTS = rb"\n[ \t\r\f\v]*[^#\s]"  # how it begins

OF_QUERY, OF_WORD = 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93  # odd, and without a pattern in their bits

# For eight characters as one number, a byte each: to turn digits into 0 to 9, and then to find other characters
ZEROS = np.uint64(0x3030303030303030)
UP_FROM_TEN = np.uint64(0x7676767676767676)  # raises 10 and more to at least 128
HIGH_BITS = np.uint64(0x8080808080808080)
POINT = np.uint64(ord(".") ^ ord("0"))
BEHIND = np.uint64(0x0706050403020100)  # multiplied by 1 in a byte: in the last byte, how many bytes follow that byte
TEN_TO = np.array([10**n for n in range(17)], dtype=np.uint64)
U1, U7, U32, U56, U255 = map(np.uint64, (1, 7, 32, 56, 255))


class TrecError(ValueError):
    """A file cannot be read; the message has its name, and the line if there is one."""


class Contents(dict[str, dict[str, float]]):
    """The contents of a file: query to document to grade or score.

    `only_trec_eval` is the number of lines that were read as only ``as_trec_eval`` allows.
    """

    only_trec_eval: int = 0


class Block(NamedTuple):
    """Whole queries of a run, as arrays.

    Parameters
    ----------
    queries : list of str
        The queries, in the order of the file.
    starts : numpy.ndarray of int64, shape (q + 1,)
        Where the documents of each query start in `scores`, and where those of the last query end.
    scores : numpy.ndarray of float64, shape (n,)
        Score of every document, query after query, in the order of the lines.
    owner : numpy.ndarray of int64, shape (m,)
        Query of each judged document that was retrieved, ascending.
    score, grade : numpy.ndarray of float64, shape (m,)
        Its score and its grade.
    at : numpy.ndarray of int64, shape (m,)
        Its position among the documents of its query, from 0.
    restart : bool
        Whether the run starts again with this block, so that all earlier blocks must be discarded: the lines of a query
        turned out not to be contiguous.
    only_trec_eval : int
        The number of lines that were read as only ``as_trec_eval`` allows.
    text, id_starts, id_ends
        From where `ids` reads the ids.

    Examples
    --------
    See `run_blocks`.
    """

    queries: list[str]
    starts: Ints
    scores: Floats
    owner: Ints
    score: Floats
    grade: Floats
    at: Ints
    restart: bool
    only_trec_eval: int
    text: Bytes
    id_starts: Ints
    id_ends: Ints

    def ids(self, query: int) -> list[str]:
        """The documents of a query, in the order of the lines."""
        mine = slice(self.starts[query], self.starts[query + 1])
        return self._names(self.id_starts[mine], self.id_ends[mine])

    def found(self, query: int) -> list[str]:
        """The judged documents of a query that were retrieved, in the order of `score`."""
        mine = slice(*np.searchsorted(self.owner, [query, query + 1]).tolist())
        rows = self.starts[query] + self.at[mine]
        return self._names(self.id_starts[rows], self.id_ends[rows])

    def _names(self, starts: Ints, ends: Ints) -> list[str]:
        if not starts.size:
            return []
        first = int(starts.min())
        data = self.text[first : ends.max()].tobytes()
        pairs = zip((starts - first).tolist(), (ends - first).tolist(), strict=True)
        if data.isascii():
            text = data.decode()
            return [text[start:end] for start, end in pairs]
        return [data[start:end].decode() for start, end in pairs]


def read_qrels(path: Path, *, as_trec_eval: bool = False) -> Contents:
    r"""Read the judgments of a qrels file.

    Parameters
    ----------
    path : str or path
        The file, plain or compressed by gzip; "-" is the standard input.
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
    with _Source(path) as source:
        qrels = _judgments(_whole(source, as_trec_eval), source.name, as_trec_eval)
    if not qrels:
        raise _empty(source.name, QRELS)
    return qrels


def read_run(path: Path, *, as_trec_eval: bool = False) -> Contents:
    r"""Read the documents and scores of a run file.

    Parameters
    ----------
    path : str or path
        The file, plain or compressed by gzip; "-" is the standard input.
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
    with _Source(path) as source:
        run = _exact_run(_lines_of(source), source.name, as_trec_eval)
    if not run:
        raise _empty(source.name, RUN)
    return run


def run_blocks(path: Path, judged: Qrels, *, as_trec_eval: bool = False) -> Iterator[Block]:
    r"""Read a run file in blocks of whole queries, with the judged documents looked up.

    Parameters
    ----------
    path : str or path
        The file, plain or compressed by gzip; "-" is the standard input.
    judged : mapping of str to mapping of str to float
        Query to document to grade.
    as_trec_eval : bool, optional
        Whether a tag may have several words.

    Yields
    ------
    Block
        Some queries. If `restart` is set, discard all earlier blocks.

    Raises
    ------
    TrecError
        As for `read_run`, possibly after some blocks.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "some.run")
    >>> _ = path.write_text("q1 Q0 d1 1 12.5 bm25\nq1 Q0 d2 2 1e1 bm25\n")
    >>> for block in run_blocks(path, {"q1": {"d2": 3.0}}):
    ...     print(block.queries, block.scores, block.owner, block.score, block.grade, block.ids(0), block.found(0))
    ['q1'] [12.5 10. ] [0] [10.] [3.] ['d1', 'd2'] ['d2']
    """
    np.empty(KEPT, dtype=np.uint8)  # makes glibc keep freed memory of up to this size, which each block then reuses
    seen: set[str] = set()
    before, carry, more = 0, b"", True
    with _Source(path, keep=True) as source:
        while more:
            text, end, more = _read(source, carry)
            if more and not (text[max(MARGIN, end - LONGEST_FIELD) : end] == LINE_FEED).any():
                _refuse_long_end(text[MARGIN:end].tobytes(), source.name, before)
            found = _regular(text, end, more, judged, source.name, as_trec_eval)
            if not found:
                text, whole, end = _squeezed(text, end)
                found = _regular(text, whole, more, judged, source.name, as_trec_eval)
            blocks, used, lines = found or _irregular(text, end, more, judged, source.name, as_trec_eval, before)
            if not found and more and used == MARGIN and not carry and not before:  # one query, maybe without an end
                _exact_run(_whole_lines(text, end), source.name, as_trec_eval)
            for block in blocks:
                if not seen.isdisjoint(block.queries):
                    source.rewind()
                    run = _exact_run(_lines_of(source), source.name, as_trec_eval)
                    for number, again in enumerate(_blocks_of(run, judged)):
                        yield again._replace(restart=not number)
                    return
                seen.update(block.queries)
                yield block
            before += lines
            carry = text[used:end].tobytes()
    if not seen:
        raise _empty(source.name, RUN)


class _Source(io.RawIOBase):
    """The bytes of a file, decompressed; every problem with it is raised as a TrecError."""

    def __init__(self, path: Path, keep: bool = False) -> None:
        self.name = "<stdin>" if path == "-" else shortened(os.fspath(path))
        self._opened: BinaryIO | None = None
        self._kept: BinaryIO | None = None
        self._again = False
        self._gap = 0  # bytes without the beginning of a line that counts
        try:
            packed: Any = getattr(sys.stdin, "buffer", None) if path == "-" else open(path, "rb")  # noqa: SIM115 - closed with this
            if packed is None:
                raise TrecError(f"{self.name}: expected a file that can be read, found it closed")
            self._opened = None if path == "-" else packed
            self._packed = packed
            self._start = packed.tell() if packed.seekable() else 0  # stdin may have been read in part before
            self._file = _unpacked(packed)
            if keep and not packed.seekable():
                import tempfile

                self._kept = tempfile.TemporaryFile()  # noqa: SIM115 - closed with this
        except FileNotFoundError:
            raise TrecError(f"{self.name}: expected a file, found none (is the path right?)") from None
        except IsADirectoryError:
            raise TrecError(f"{self.name}: expected a file, found a folder") from None
        except OSError as error:
            found = error.strerror or error  # str(error) repeats the path
            raise TrecError(f"{self.name}: expected a file that can be read, found: {found}") from None

    def readable(self) -> bool:
        return True

    def readinto(self, target: Any) -> int:
        """Read some bytes into a buffer; 0 at the end."""
        if self._again and self._kept:
            count: int = self._kept.readinto(target)  # type: ignore[attr-defined]
            if count:
                return count
            self._again = False
        try:
            count = self._file.readinto(target)
        except EOFError:
            raise TrecError(
                f"{self.name}: expected a whole gzip file, found it cut short (was it copied in full?)"
            ) from None
        except (OSError, zlib.error) as error:
            raise TrecError(f"{self.name}: expected a file that can be read, found it damaged: {error}") from None
        read = memoryview(target)[:count]
        self._gap = 0 if re.search(LINE_THAT_COUNTS, read) else self._gap + count
        if self._gap > LONGEST_GAP:
            raise TrecError(
                f"{self.name}: expected at most {LONGEST_GAP:,} bytes of blank lines and comments in a row, "
                "got more (is it without an end?)"
            )
        if self._kept:
            self._kept.write(read)
        return count

    def rewind(self) -> None:
        """Start again from the beginning."""
        if self._kept:
            self._kept.seek(0)
            self._again = True
        else:
            self._packed.seek(self._start)
            self._file = _unpacked(self._packed)

    def close(self) -> None:
        """Close the files opened here."""
        if not self.closed:
            super().close()
            for file in (self._opened, self._kept):
                if file:
                    file.close()


def _unpacked(packed: Any) -> Any:
    """The file, or its decompressed contents."""
    if packed.peek(2)[:2] != b"\x1f\x8b":
        return packed
    import gzip

    return gzip.GzipFile(fileobj=packed)


def _whole(source: _Source, as_trec_eval: bool) -> bytes:
    """All bytes of a file; a line without an end is refused, and so is a first block with a line of another form."""
    data = bytearray(source.read(BLOCK) or b"")
    first = len(data)
    while some := source.read(BLOCK):
        if len(data) == first:  # more follows, maybe without an end
            _judgments(bytes(data[: data.rfind(b"\n") + 1]), source.name, as_trec_eval)
        data += some
        if data.rfind(b"\n", -LONGEST_FIELD) < 0:
            _refuse_long_end(bytes(data), source.name, 0)
    return bytes(data)


def _judgments(data: bytes, name: str, as_trec_eval: bool) -> Contents:
    """What the lines of a qrels file say."""
    return _regular_qrels(data, as_trec_eval) or _exact_qrels(io.BytesIO(data), name, as_trec_eval)


# Line by line


def _lines_of(source: _Source) -> Iterator[bytes]:
    """The lines of a file; of a line that is too long, only the beginning."""
    reader = io.BufferedReader(source)
    return iter(lambda: reader.readline(LONGEST_LINE + 1), b"")


def _rows(
    lines: Iterable[bytes], name: str, form: tuple[str, ...], as_trec_eval: bool, before: int
) -> Iterator[tuple[str, list[bytes]]]:
    """The place and the fields of every line that is not skipped."""
    for number, line in enumerate(lines, start=before + 1):
        fields = line.removeprefix(BYTE_ORDER_MARK).split()  # only ASCII spaces separate fields
        if len(line) > LONGEST_LINE:
            raise _too_long(line, f"{name}:{number}")
        if not fields or fields[0].startswith(b"#"):
            continue
        where = f"{name}:{number}"
        try:
            text = line.decode()
        except UnicodeDecodeError as error:
            found = f"byte 0x{line[error.start]:02x}"
            raise TrecError(f"{where}: expected UTF-8, got {found} (is it binary, or in another encoding?)") from None
        tagged = as_trec_eval and form == RUN and _has_long_tag(fields)
        if not (len(fields) == len(form) or tagged) or "\0" in text:
            what = "a zero byte" if "\0" in text else f"{len(fields)}"
            expected = f"{len(form)} fields, {' '.join(form)}"
            raise TrecError(f"{where}: expected {expected}, got {what} ({_likely_slip(text, len(fields), form)})")
        if len(line) > LONGEST_FIELD and max(map(len, fields)) > LONGEST_FIELD:
            raise _too_long(line, where)
        yield where, fields


def _has_long_tag(fields: list[bytes]) -> bool:
    """Whether the fields after the fifth are one tag: the rank and the score are in their places."""
    if len(fields) <= len(RUN) or not re.fullmatch(WHOLE, fields[3]):
        return False
    try:
        _number(fields[4], "score")
    except ValueError:
        return False
    return True


def _too_long(line: bytes, where: str) -> TrecError:
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


def _refuse_long_end(data: bytes, name: str, before: int) -> None:
    """Refuse the lines if the last, unfinished one is already too long: the input may be endless."""
    number, line = data.count(b"\n") + 1, data[data.rfind(b"\n") + 1 :]
    comment = line.removeprefix(BYTE_ORDER_MARK).lstrip().startswith(b"#")
    if len(line) > LONGEST_LINE or (not comment and max(map(len, line.split()), default=0) > LONGEST_FIELD):
        raise _too_long(line, f"{name}:{before + number}")


def _likely_slip(line: str, count: int, form: tuple[str, ...]) -> str:
    """The likely reason for a wrong number of fields."""
    line = line.strip()
    if "\0" in line:
        return "is it binary, or UTF-16?"
    if line.startswith(("{", "[")):
        return "is it JSON?"
    if "\r" in line:
        return "do its lines end in carriage returns alone?"
    if len(line.split()) == len(form):
        return "are the fields separated by spaces that are not ASCII?"
    if len(line.replace(";", ",").replace(",", " ").split()) == len(form):
        return "are the fields separated by commas?"
    if form == RUN:
        slips = {
            3: "is it in MS MARCO's form, which has no score?",
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


def _number(field: bytes, what: str) -> float:
    """The number in a field; the ValueError for another field does not name the place."""
    try:
        number = float(field)
    except ValueError:
        number = None
    if number is not None and math.isfinite(number) and b"_" not in field:
        return number
    text = quoted(field.decode(errors="replace"))
    if number is not None and not math.isfinite(number):
        if b"n" in field.lower():
            raise ValueError(f"expected a finite {what}, got {text} (did its computation fail?)")
        raise ValueError(f"expected a {what} within the range of a float, got {text}")
    if b"," in field:
        raise ValueError(f"expected a {what}, got {text} (a decimal comma?)")
    raise ValueError(f"expected a {what}, got {text} (a header row, or fields in another order?)")


def _exact_qrels(lines: Iterable[bytes], name: str, as_trec_eval: bool) -> Contents:
    qrels = Contents()
    for where, (query, _, document, text) in _rows(lines, name, QRELS, as_trec_eval, 0):
        if as_trec_eval and (found := re.fullmatch(WITH_EXPONENT, text)):
            text = found[1]
            qrels.only_trec_eval += 1
        try:
            grade = _number(text, "grade")
            if as_trec_eval and grade >= C_LONG:
                shown = quoted(text.decode())
                raise ValueError(f"expected a grade below 2**63, the limit of trec_eval, got {shown} (a score?)")
        except ValueError as error:
            raise TrecError(f"{where}: {error}") from None
        before = qrels.setdefault(query.decode(), {}).setdefault(document.decode(), grade)
        if before != grade:
            raise TrecError(
                f"{where}: expected one grade of document {quoted(document.decode())} for query "
                f"{quoted(query.decode())}, got {grade:g} after {before:g} (which is right?)"
            )
    return qrels


def _exact_run(lines: Iterable[bytes], name: str, as_trec_eval: bool, before: int = 0) -> Contents:
    run = Contents()
    for where, fields in _rows(lines, name, RUN, as_trec_eval, before):
        run.only_trec_eval += len(fields) > len(RUN)
        query, document = fields[0].decode(), fields[2].decode()
        scores = run.setdefault(query, {})
        if document in scores:
            raise TrecError(
                f"{where}: expected a document once in query {quoted(query)}, got {quoted(document)} again "
                "(two runs in one file?)"
            )
        try:
            scores[document] = _number(fields[4], "score")
        except ValueError as error:
            raise TrecError(f"{where}: {error}") from None
        if len(scores) > MOST_RANKS:
            raise _too_many(name, query)
    return run


def _too_many(name: str, query: str) -> TrecError:
    return TrecError(str(too_many(f"{name}: query {quoted(query)}", "documents")))


def _regular_qrels(data: bytes, as_trec_eval: bool) -> Contents | None:
    """The judgments of a file with the usual layout; None if a line has to be read by itself."""
    padded = b"".join([b"0" * MARGIN, data, b"\n"[: not data.endswith(b"\n")], bytes(MARGIN)])
    text = np.frombuffer(padded, dtype=np.uint8)
    ends = _field_ends(text, text.size - MARGIN, len(QRELS))
    if ends is None:
        return None
    words = _words(text)
    begins, starts = _lines(words, ends)
    grades = _numbers(text, words, ends[:, 2] + 1, ends[:, 3], exponents=not as_trec_eval)
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


def _empty(name: str, form: tuple[str, ...]) -> TrecError:
    return TrecError(f"{name}: expected lines of {len(form)} fields, {' '.join(form)}, found none (is the file empty?)")


# In blocks


def _read(source: _Source, carry: bytes) -> tuple[Bytes, int, bool]:
    """The bytes carried over and the next ones, after a margin; where they end, and whether there may be more."""
    begin = MARGIN + len(carry)
    count = max(BLOCK, len(carry))  # so that a long query is read in few steps
    text = np.empty(begin + count + MARGIN, dtype=np.uint8)
    text[:MARGIN] = ord("0")
    text[MARGIN:begin] = np.frombuffer(carry, dtype=np.uint8)
    count = source.readinto(text.data[begin:-MARGIN])
    end = begin + count
    if not count and len(carry) and text[end - 1] != ord("\n"):
        text[end] = ord("\n")
        end += 1
    return text, end, count > 0


def _squeezed(text: Bytes, end: int) -> tuple[Bytes, int, int]:
    """The lines with one line feed at the end and single spaces; where they end, and where the rest ends.

    A last, unfinished line is left as it is, so that its length can still be checked.
    """
    data = text[MARGIN:end].tobytes()
    whole = data.rfind(b"\n") + 1
    data, rest = data[:whole], data[whole:]
    data = data.replace(b"\r\n", b"\n").replace(b"\t", b" ")
    while b"  " in data:
        data = data.replace(b"  ", b" ")
    data = data.replace(b" \n", b"\n")
    squeezed = np.frombuffer(b"".join([b"0" * MARGIN, data, rest, bytes(MARGIN)]), dtype=np.uint8)
    return squeezed, MARGIN + len(data), MARGIN + len(data) + len(rest)


def _regular(
    text: Bytes, end: int, more: bool, judged: Qrels, name: str, as_trec_eval: bool
) -> tuple[Iterator[Block], int, int] | None:
    """The queries of some lines, where the lines end, and their number; None if a line has to be read by itself."""
    ends, tagged = _field_ends(text, end, len(RUN)), None
    if ends is None and as_trec_eval:
        ends, tagged = _ends_before_tags(text, end)
    if ends is None:
        return None
    words = _words(text)
    begins, starts = _lines(words, ends)
    if np.diff(starts).max() > MOST_RANKS:
        first = starts[np.diff(starts).argmax()]
        raise _too_many(name, text[begins[first] : ends[first, 0]].tobytes().decode())
    if more:
        starts = starts[:-1]  # the last query may continue
    rows = int(starts[-1])
    if not rows:
        return iter(()), MARGIN, 0
    queries = [
        text[start:stop].tobytes().decode()
        for start, stop in zip(begins[starts[:-1]].tolist(), ends[starts[:-1], 0].tolist(), strict=True)
    ]
    if len(set(queries)) < len(queries) or any(query.startswith("#") for query in queries):
        return None
    ends = ends[:rows]
    id_starts, id_ends = ends[:, 1] + 1, ends[:, 2].copy()  # a copy, so that the block does not keep `ends` alive
    scores = _numbers(text, words, ends[:, 3] + 1, ends[:, 4])
    found = _look_up(words, id_starts, id_ends, starts, [judged.get(query, {}) for query in queries])
    if scores is None or found is None:
        return None
    row, owner, grade = found
    block = Block(
        queries=queries,
        starts=starts,
        scores=scores,
        owner=owner,
        score=scores[row],
        grade=grade,
        at=row - starts[owner],
        restart=False,
        only_trec_eval=0 if tagged is None else int(np.count_nonzero(tagged[:rows])),
        text=text,
        id_starts=id_starts,
        id_ends=id_ends,
    )
    return iter([block]), int(begins[rows]), rows


def _field_ends(text: Bytes, end: int, width: int) -> Ints | None:
    """Where the fields of every whole line end, if all is ASCII with single spaces or tabs; else None."""
    data = text[:end].view(np.int8)  # bytes beyond ASCII are negative
    if end == MARGIN or data[MARGIN] <= ord(" "):
        return None
    parts = data <= ord(" ")
    found = np.flatnonzero(parts)
    behind = np.flatnonzero(data[found[: -2 * width : -1]] == LINE_FEED)[:1]  # backwards, past the start of a line
    if not behind.size:
        return None
    found = found[: found.size - behind[0]]
    if found.size % width:
        return None
    ends = found.reshape(-1, width)
    if (data[ends[:, -1]] != LINE_FEED).any() or not _are_apart(data, parts, found, len(ends)):
        return None
    return ends


def _ends_before_tags(text: Bytes, end: int) -> tuple[Ints | None, Bools | None]:
    """The same for run lines whose tags may have several words, where the tag ends with the line; and which do."""
    data = text[:end].view(np.int8)
    if end == MARGIN or data[MARGIN] <= ord(" "):
        return None, None
    parts = data <= ord(" ")
    found = np.flatnonzero(parts)
    last = np.flatnonzero(data[found] == LINE_FEED)
    if not last.size:
        return None, None
    found = found[: last[-1] + 1]
    first = np.append(0, last[:-1] + 1)
    sizes = last + 1 - first
    if sizes.min() < len(RUN) or not _are_apart(data, parts, found, len(last)):
        return None, None
    ends = found[np.column_stack([first[:, None] + np.arange(len(RUN) - 1), last])]
    tagged = sizes > len(RUN)
    signed = np.isin(data[ends[tagged, 2] + 1], (ord("+"), ord("-")))
    digits = np.cumsum((data >= ord("0")) & (data <= ord("9")))  # up to each byte
    begin, end_of_rank = ends[tagged, 2] + 1 + signed, ends[tagged, 3]
    length = end_of_rank - begin
    if (length < 1).any() or (digits[end_of_rank - 1] - digits[begin - 1] != length).any():
        return None, None
    return ends, tagged


def _are_apart(data: NDArray[np.int8], parts: Bools, found: Ints, lines: int) -> bool:
    """Whether all fields are separated by one space or tab, none is too long, and all is ASCII."""
    end, longest = int(found[-1]), max(int(found[0]) - MARGIN, int(np.diff(found).max()) - 1)
    if (parts[1 : end + 1] & parts[:end]).any() or longest > LONGEST_FIELD:
        return False
    others = np.count_nonzero(data[:end] < ord(" ")) + 1 - lines  # the number of tabs, if a line feed ends each line
    return not others or others == np.count_nonzero(data[:end] == ord("\t"))


def _words(text: Bytes) -> Words:
    """The eight bytes from each byte on, as one little-endian number."""
    return np.ndarray(shape=(text.size - 7,), dtype="<u8", buffer=text, strides=(1,))


def _parts(words: Words, starts: Ints, length: Ints) -> Iterator[Words]:
    """The first eight bytes of every field, then the next eight, … to the end of the longest, padded with 0."""
    longest = int(length.max(initial=0))
    bits = 8 * length
    for done in range(0, longest, 8):
        shift = 8 * (done + 8) - bits
        if longest > 8:
            np.maximum(shift, 0, out=shift)
        at = np.minimum(starts + done, words.size - 1) if done else starts
        part = words[at]
        part <<= shift.view(np.uint64)  # shifting by 64 or more leaves 0
        yield part


def _lines(words: Words, ends: Ints) -> tuple[Ints, Ints]:
    """Where the lines begin, and the first line of each query; the last entry of both is where the rest begins."""
    begins = np.empty(len(ends) + 1, dtype=np.int64)
    begins[0] = MARGIN
    np.add(ends[:, -1], 1, out=begins[1:])
    changes = np.zeros(len(ends) - 1, dtype=np.bool_)
    for part in _parts(words, begins[:-1], ends[:, 0] - begins[:-1]):
        changes |= part[1:] != part[:-1]
    return begins, np.concatenate(([0], np.flatnonzero(changes) + 1, [len(ends)]))


def _hashes(words: Words, starts: Ints, length: Ints, sizes: Ints) -> Words:
    """A hash of each document of each query."""
    total = np.repeat(np.arange(sizes.size, dtype=np.uint64) * np.uint64(OF_QUERY), sizes)
    for number, part in enumerate(_parts(words, starts, length), start=1):
        part ^= part >> U32  # else a difference in the last bytes would reach only the first bits
        part *= np.uint64(pow(OF_WORD, number, 2**64))
        total += part
    return total


def _look_up(
    words: Words, id_starts: Ints, id_ends: Ints, starts: Ints, judged: list[Mapping[str, float]]
) -> tuple[Ints, Ints, Floats] | None:
    """The rows of judged documents, their queries and grades; None if a query may have a document twice."""
    rows = id_starts.size
    length = id_ends - id_starts
    place = np.uint64(2 ** rows.bit_length() - 1)  # the low bits, which store the row
    known = _hashes(words, id_starts, length, np.diff(starts))
    known &= ~place
    known |= np.arange(rows, dtype=np.uint64)
    known.sort()
    if rows > 1 and (known[1:] ^ known[:-1]).min() <= place:
        return None
    sizes = np.array([len(documents) for documents in judged], dtype=np.int64)
    names = list(map(str.encode, chain.from_iterable(judged)))
    grade = np.fromiter(chain.from_iterable(documents.values() for documents in judged), np.float64, len(names))
    name_length = np.fromiter(map(len, names), np.int64, len(names))
    name_starts = np.cumsum(name_length) - name_length
    name_words = _words(np.frombuffer(b"".join([*names, bytes(8)]), dtype=np.uint8))
    sought = _hashes(name_words, name_starts, name_length, sizes) & ~place
    near = known[np.minimum(np.searchsorted(known, sought), rows - 1)]
    row = (near & place).view(np.int64)
    owner = np.repeat(np.arange(sizes.size), sizes)
    same = (starts[owner] <= row) & (row < starts[owner + 1]) & (length[row] == name_length)
    own_parts = _parts(words, id_starts[row], np.where(same, length[row], 0))
    for own, part in zip(own_parts, _parts(name_words, name_starts, np.where(same, name_length, 0)), strict=True):
        same &= own == part
    return row[same], owner[same], grade[same]


def _numbers(text: Bytes, words: Words, starts: Ints, ends: Ints, exponents: bool = True) -> Floats | None:
    """The numbers in some fields; None if one has no number, or an exponent where none is allowed."""
    numbers, sure = _decimals(words, ends, ends - starts)
    if not sure.all():
        negative = text[starts] == ord("-")
        if negative.any():
            numbers, sure = _decimals(words, ends, ends - starts - negative)
            np.negative(numbers, out=numbers, where=negative)
        rest = np.flatnonzero(~sure)
        data = text.tobytes() if rest.size else b""
        places = zip(starts[rest].tolist(), ends[rest].tolist(), strict=True)
        fields = [data[start:end] for start, end in places]
        try:
            numbers[rest] = list(map(float, fields))
        except ValueError:
            return None
        others = b"".join(fields).lower()
        if b"_" in others or (b"e" in others and not exponents) or not np.isfinite(numbers).all():
            return None
    return numbers


def _decimals(words: Words, ends: Ints, length: Ints) -> tuple[Floats, Bools]:
    """The numbers of fields with at most 15 digits and a point, or 16 digits, and which fields these are.

    15 digits and the power of ten are exact as floats, so that their quotient is rounded once, as by `float`.
    """
    number, places, points, sure = _last_eight(words, ends, length)
    if length.max() > 8:
        high, high_places, high_points, high_sure = _last_eight(words, ends - 8, length - 8)
        number += high * TEN_TO[8]
        places = np.where(high_points != 0, high_places + np.uint64(8), places)
        points = points + high_points
        sure = sure & high_sure & (points <= U1) & (length <= 16)
    power = TEN_TO[np.minimum(places, np.uint64(16)).view(np.int64)]  # any number, in a field that is not sure
    number -= number // (power * TEN_TO[1]) * (power * np.uint64(9) * points)  # the point was read as a 0
    return number.astype(np.float64) / power.astype(np.float64), sure & (length > points.view(np.int64))


def _last_eight(words: Words, ends: Ints, length: Ints) -> tuple[Words, Words, Words, Bools]:
    """The number in the last eight characters of each field, with a point read as a 0.

    Then how many digits follow the point, and whether there is one, as a single value if all fields are alike. Last,
    which fields have nothing but digits and at most one point.
    """
    blank = 8 * (8 - length)
    if length.max() > 8:
        np.maximum(blank, 0, out=blank)
    digits = words[ends - 8]
    digits ^= ZEROS
    digits >>= blank.view(np.uint64)  # shifting by 64 or more leaves 0
    digits <<= blank.view(np.uint64)
    point = digits + UP_FROM_TEN
    point &= HIGH_BITS
    point >>= U7  # 1 in the byte of each character that is no digit
    if (point == point[0]).all():
        point = point[:1]
    sure = (point & (point - U1) == 0) & (digits & (point * U255) == point * POINT)
    digits ^= point * POINT
    return _eight_digits(digits), point * BEHIND >> U56, (point != 0).astype(np.uint64), sure


def _eight_digits(digits: Words) -> Words:
    """The number that eight bytes with digits represent, the first digit in the lowest byte."""
    digits *= np.uint64(10 * 2**8 + 1)
    digits >>= np.uint64(8)
    digits &= np.uint64(0x00FF00FF00FF00FF)
    digits *= np.uint64(100 * 2**16 + 1)
    digits >>= np.uint64(16)
    digits &= np.uint64(0x0000FFFF0000FFFF)
    digits *= np.uint64(10_000 * 2**32 + 1)
    digits >>= np.uint64(32)
    return digits


def _irregular(
    text: Bytes, end: int, more: bool, judged: Qrels, name: str, as_trec_eval: bool, before: int
) -> tuple[Iterator[Block], int, int]:
    """As `_regular`, line by line."""
    lines = _whole_lines(text, end)
    count = _before_last_query(lines) if more else len(lines)
    run = _exact_run(lines[:count], name, as_trec_eval, before)
    return _blocks_of(run, judged), MARGIN + sum(map(len, lines[:count])), count


def _whole_lines(text: Bytes, end: int) -> list[bytes]:
    """The lines that have ended."""
    data = text[MARGIN:end].tobytes()
    return list(io.BytesIO(data[: data.rfind(b"\n") + 1]))


def _before_last_query(lines: list[bytes]) -> int:
    """The number of lines before those of the last query."""
    last, first = b"", len(lines)
    for number in range(len(lines) - 1, -1, -1):
        query, *_ = lines[number].removeprefix(BYTE_ORDER_MARK).split(None, 1) or [b""]
        if query and not query.startswith(b"#"):
            if last and query != last:
                return first
            last, first = query, number
    return 0 if last else len(lines)


def _blocks_of(run: Contents, judged: Qrels) -> Iterator[Block]:
    """Blocks of a run that was read line by line."""
    queries = iter(run)
    tagged = run.only_trec_eval
    while some := list(islice(queries, TOGETHER)):
        yield _block_of({query: run[query] for query in some}, judged, tagged)
        tagged = 0


def _block_of(run: dict[str, dict[str, float]], judged: Qrels, tagged: int) -> Block:
    owner, score, grade, at = [], [], [], []
    for number, (query, scores) in enumerate(run.items()):
        place = dict(zip(scores, range(len(scores)), strict=True))
        for document, value in judged.get(query, {}).items():
            if document in scores:
                owner.append(number)
                score.append(scores[document])
                grade.append(value)
                at.append(place[document])
    names = [document.encode() for scores in run.values() for document in scores]
    ends = np.cumsum([len(name) for name in names], dtype=np.int64)
    return Block(
        queries=list(run),
        starts=np.cumsum([0, *map(len, run.values())], dtype=np.int64),
        scores=np.array([value for scores in run.values() for value in scores.values()], dtype=np.float64),
        owner=np.array(owner, dtype=np.int64),
        score=np.array(score, dtype=np.float64),
        grade=np.array(grade, dtype=np.float64),
        at=np.array(at, dtype=np.int64),
        restart=False,
        only_trec_eval=tagged,
        text=np.frombuffer(b"".join(names), dtype=np.uint8),
        id_starts=ends - np.array([len(name) for name in names], dtype=np.int64),
        id_ends=ends,
    )
