"""Read a run file in blocks of whole queries, as arrays, so that a long file needs little memory.

Each block is a `Batch` of its judged queries. A block with an unusual layout is read line by line, as by `read_run` of
`ndcg_ref.runs.trec`.
"""

from collections.abc import Iterator
from itertools import compress
from typing import Any, TypeAlias

import numpy as np

from ndcg_ref.formulas.batch import Batch, Ints
from ndcg_ref.runs import fields, trec
from ndcg_ref.runs.batches import as_grades, batch_of
from ndcg_ref.runs.fields import Bytes, Words
from ndcg_ref.runs.inputs import Judgments
from ndcg_ref.runs.sources import BLOCK, LONGEST_FIELD, QueriesApartError, Source

# The queries of some lines, if there is a whole one, where the lines end, and their number
Block: TypeAlias = tuple[Batch | None, int, int]


def blocks_of(source: Source, judgments: Judgments, as_trec_eval: bool = False) -> Iterator[Batch]:
    r"""Read a run file in blocks of whole queries, with the judged documents looked up.

    The lines are refused as by `read_run`, and QueriesApartError is raised if those of a query are not together; either
    possibly after some blocks.

    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "some.run")
    >>> _ = path.write_text("q1 Q0 d1 1 12.5 bm25\nq1 Q0 d2 2 1e1 bm25\n")
    >>> with Source(path) as source:
    ...     for block in blocks_of(source, {"q1": {"d2": 3.0}}):
    ...         print(block.queries, block.scores, block.owner, block.score, block.ids(0), block.judged_ids(0))
    ['q1'] [12.5 10. ] [0] [10.] ['d1', 'd2'] ['d2']
    """
    seen: set[str] = set()
    before, carry, more = 0, b"", True
    while more:
        text, end, more = _read(source, carry)
        if more and not (text[max(fields.MARGIN, end - LONGEST_FIELD) : end] == fields.LINE_FEED).any():
            trec.refuse_long_end(text[fields.MARGIN : end].tobytes(), source.name, before)
        block = _regular(text, end, more, judgments)
        if not block:
            text, whole, end = fields.squeezed(text, end)
            block = _regular(text, whole, more, judgments)
        if not block:
            lines = trec.whole_lines(text[fields.MARGIN : end].tobytes())
            block = _irregular(lines, more, judgments, source.name, as_trec_eval, before, seen)
            if more and not (block[2] or carry or before):  # one query, maybe without an end
                trec.exact_run(lines, source.name, as_trec_eval)
        batch, consumed, count = block
        if batch is not None:
            queries = [*batch.queries, *batch.extra]
            if not seen.isdisjoint(queries):
                raise QueriesApartError
            seen.update(queries)
            yield batch
        before += count
        carry = text[consumed:end].tobytes()
    if not seen:
        raise trec.empty_file(source.name, trec.RUN)


def _read(source: Source, carry: bytes) -> tuple[Bytes, int, bool]:
    """The bytes carried over and the next ones, after a margin; where they end, and whether there may be more."""
    begin = fields.MARGIN + len(carry)
    count = max(BLOCK, len(carry))  # so that a long query is read in few steps
    text = np.empty(begin + count + fields.MARGIN, dtype=np.uint8)
    text[: fields.MARGIN] = ord("0")
    text[fields.MARGIN : begin] = np.frombuffer(carry, dtype=np.uint8)
    count = source.readinto(text.data[begin : -fields.MARGIN])
    end = begin + count
    if not count and len(carry) and text[end - 1] != fields.LINE_FEED:
        text[end] = fields.LINE_FEED
        end += 1
    return text, end, count > 0


def _regular(text: Bytes, end: int, more: bool, judgments: Judgments) -> Block | None:
    """The queries of some lines with the usual layout; None if a line has to be read by itself."""
    ends = fields.field_ends(text, end, len(trec.RUN))
    if ends is None:
        return None
    words = fields.words_of(text)
    begins, starts = fields.line_starts(words, ends)
    if more:
        starts = starts[:-1]  # the last query may continue
    rows = int(starts[-1])
    if not rows:
        return None, fields.MARGIN, 0
    queries = [
        text[start:stop].tobytes().decode()
        for start, stop in zip(begins[starts[:-1]].tolist(), ends[starts[:-1], 0].tolist(), strict=True)
    ]
    if len(set(queries)) < len(queries) or any(query.startswith("#") for query in queries):
        return None
    batch = _looked_up(text, words, ends[:rows], starts, queries, judgments)
    return None if batch is None else (batch, int(begins[rows]), rows)


def _looked_up(
    text: Bytes, words: Words, ends: Ints, starts: Ints, queries: list[str], judgments: Judgments
) -> Batch | None:
    """The judged queries of some lines; None if a line has to be read by itself."""
    is_judged = np.array([query in judgments for query in queries])
    known = list(compress(queries, is_judged))
    judged = [judgments[query] for query in known]
    grades = as_grades(known, judged)
    id_starts, id_ends = ends[:, 1] + 1, ends[:, 2].copy()  # a copy, so that the block does not keep `ends` alive
    scores = fields.read_numbers(text, words, ends[:, 3] + 1, ends[:, 4])
    found = fields.look_up(words, id_starts, id_ends, starts, [judgments.get(query, {}) for query in queries])
    if scores is None or found is None:
        return None
    row, owner, same = found
    sizes = np.diff(starts)
    begins, owner_here = starts[:-1][is_judged], (np.cumsum(is_judged) - 1)[owner]

    def names(rows: Any) -> list[str]:
        return _decoded(text, id_starts[rows], id_ends[rows])

    return Batch(
        queries=known,
        judged=judged,
        grades=grades,
        grade_starts=np.cumsum([0, *map(len, judged)]),
        scores=scores if is_judged.all() else scores[np.repeat(is_judged, sizes)],
        starts=np.append(0, np.cumsum(sizes[is_judged])),
        owner=owner_here,
        score=scores[row],
        grade=grades[same],
        ids=lambda i: names(slice(begins[i], begins[i] + sizes[is_judged][i])),
        judged_ids=lambda i: names(row[slice(*np.searchsorted(owner_here, [i, i + 1]).tolist())]),
        extra=list(compress(queries, ~is_judged)),
    )


def _irregular(
    lines: list[bytes], more: bool, judgments: Judgments, name: str, as_trec_eval: bool, before: int, seen: set[str]
) -> Block:
    """As `_regular`, line by line."""
    count = trec.before_last_query(lines) if more else len(lines)
    run = trec.exact_run(lines[:count], name, as_trec_eval, before, seen)
    return batch_of(judgments, run), fields.MARGIN + sum(map(len, lines[:count])), count


def _decoded(text: Bytes, starts: Ints, ends: Ints) -> list[str]:
    """The ids between these places of a text, which is ASCII."""
    if not starts.size:
        return []
    first = int(starts.min())
    letters = text[first : ends.max()].tobytes().decode()
    return [letters[start:end] for start, end in zip((starts - first).tolist(), (ends - first).tolist(), strict=True)]
