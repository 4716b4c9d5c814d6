"""Read judgments and runs from TREC files: exactly, or refused with file and line.

`ndcg_ref.runs.text_lines` says which lines are read, and how. A file may be compressed by gzip, bzip2, xz or zstd,
and "-" is the standard input. A qrels file with the usual layout is read at once, as arrays; any other one, and a run,
line by line. `ndcg_ref.runs.blocks` reads a run as arrays.
"""

from __future__ import annotations

import io
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from ndcg_ref.runs.fields import MARGIN, field_ends, line_starts, read_numbers, words_of
from ndcg_ref.runs.sources import BLOCK, Source
from ndcg_ref.runs.text_lines import (
    C_LONG,
    LONGEST_FIELD,
    QRELS,
    RUN,
    Contents,
    empty_file,
    exact_qrels,
    exact_run,
    lines_of,
    refuse_long_end,
)

if TYPE_CHECKING:
    from ndcg_ref.runs.sources import Path


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
        return in_order(source, as_trec_eval)


def judgments_in(source: Source, as_trec_eval: bool) -> Contents:
    """The judgments in an open file."""
    qrels = _judgments(_whole(source, as_trec_eval), source.name, as_trec_eval)
    if not qrels:
        raise empty_file(source.name, QRELS)
    return qrels


def in_order(source: Source, as_trec_eval: bool) -> Contents:
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
