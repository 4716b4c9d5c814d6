"""Read a run file in blocks of whole queries, as arrays, so that a long file needs little memory.

A block with an unusual layout is read line by line, as by `read_run` of `ndcg_ref.runs.trec`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ndcg_ref.runs.batch import Extras, Part, Retrieved, all_grades
from ndcg_ref.runs.fields import (
    LINE_FEED,
    MARGIN,
    ends_before_tags,
    field_ends,
    line_starts,
    look_up,
    read_numbers,
    squeezed,
    words_of,
)
from ndcg_ref.runs.lines import (
    LONGEST_FIELD,
    RUN,
    Contents,
    before_last_query,
    empty_file,
    exact_run,
    lines_of,
    refuse_long_end,
    too_many_documents,
    whole_lines,
)
from ndcg_ref.runs.sources import BLOCK, Source
from ndcg_ref.validation import MOST_RANKS

if TYPE_CHECKING:  # numpy.typing takes longer to load than this module
    from typing import TypeAlias

    from numpy.typing import NDArray

    from ndcg_ref.runs.sources import Path

    Bytes: TypeAlias = NDArray[np.uint8]
    Floats: TypeAlias = NDArray[np.float64]
    Ints: TypeAlias = NDArray[np.int64]
    Judgments: TypeAlias = Mapping[str, Mapping[str, Any]]

KEPT = 2**24  # bytes: see `run_blocks`
TOGETHER = 256  # queries in a block that was read line by line
JOINED = 2**18  # scores of a file that are processed at a time


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


def run_blocks(path: Path, judged: Judgments, *, as_trec_eval: bool = False) -> Iterator[Block]:
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
    with Source(path, keep=True) as source:
        while more:
            text, end, more = _read(source, carry)
            if more and not (text[max(MARGIN, end - LONGEST_FIELD) : end] == LINE_FEED).any():
                refuse_long_end(text[MARGIN:end].tobytes(), source.name, before)
            found = _regular(text, end, more, judged, source.name, as_trec_eval)
            if not found:
                text, whole, end = squeezed(text, end)
                found = _regular(text, whole, more, judged, source.name, as_trec_eval)
            blocks, used, lines = found or _irregular(text, end, more, judged, source.name, as_trec_eval, before)
            if not found and more and used == MARGIN and not carry and not before:  # one query, maybe without an end
                exact_run(whole_lines(text[MARGIN:end].tobytes()), source.name, as_trec_eval)
            for block in blocks:
                if not seen.isdisjoint(block.queries):
                    source.rewind()
                    run = exact_run(lines_of(source), source.name, as_trec_eval)
                    for number, again in enumerate(_blocks_of(run, judged)):
                        yield again._replace(restart=not number)
                    return
                seen.update(block.queries)
                yield block
            before += lines
            carry = text[used:end].tobytes()
    if not seen:
        raise empty_file(source.name, RUN)


def _read(source: Source, carry: bytes) -> tuple[Bytes, int, bool]:
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


def _regular(
    text: Bytes, end: int, more: bool, judged: Judgments, name: str, as_trec_eval: bool
) -> tuple[Iterator[Block], int, int] | None:
    """The queries of some lines, where the lines end, and their number; None if a line has to be read by itself."""
    ends, tagged = field_ends(text, end, len(RUN)), None
    if ends is None and as_trec_eval:
        ends, tagged = ends_before_tags(text, end)
    if ends is None:
        return None
    words = words_of(text)
    begins, starts = line_starts(words, ends)
    if np.diff(starts).max() > MOST_RANKS:
        first = starts[np.diff(starts).argmax()]
        raise too_many_documents(name, text[begins[first] : ends[first, 0]].tobytes().decode())
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
    scores = read_numbers(text, words, ends[:, 3] + 1, ends[:, 4])
    found = look_up(words, id_starts, id_ends, starts, [judged.get(query, {}) for query in queries])
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


def _irregular(
    text: Bytes, end: int, more: bool, judged: Judgments, name: str, as_trec_eval: bool, before: int
) -> tuple[Iterator[Block], int, int]:
    """As `_regular`, line by line."""
    lines = whole_lines(text[MARGIN:end].tobytes())
    count = before_last_query(lines) if more else len(lines)
    run = exact_run(lines[:count], name, as_trec_eval, before)
    return _blocks_of(run, judged), MARGIN + sum(map(len, lines[:count])), count


def _blocks_of(run: Contents, judged: Judgments) -> Iterator[Block]:
    """Blocks of a run that was read line by line."""
    queries = iter(run)
    tagged = run.only_trec_eval
    while some := list(islice(queries, TOGETHER)):
        yield _block_of({query: run[query] for query in some}, judged, tagged)
        tagged = 0


def _block_of(run: dict[str, dict[str, float]], judged: Judgments, tagged: int) -> Block:
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


def of_file(judgments: Judgments, path: Any, extras: Extras, as_trec_eval: bool) -> Iterator[Part | None]:
    """The blocks of a run file, joined to a size that suits numpy.

    None means that the run starts again, and that all earlier parts must be discarded.
    """
    some: list[Block] = []
    for block in run_blocks(path, judgments, as_trec_eval=as_trec_eval):
        if block.restart:
            some = []
            extras.extra.clear()
            extras.only_trec_eval = 0
            yield None
        elif some and sum(each.scores.size for each in some) + block.scores.size > JOINED:
            yield from _together(judgments, some)
            some = []
        some.append(block)
        extras.extra.update(query for query in block.queries if query not in judgments)
        extras.only_trec_eval += block.only_trec_eval
    yield from _together(judgments, some)


def _together(judgments: Judgments, blocks: list[Block]) -> Iterator[Part]:
    """The judged queries of some blocks as one part, if there are any."""
    sizes, scores, owner = [], [], []
    places: list[tuple[Block, int]] = []
    for block in blocks:
        is_judged = np.array([query in judgments for query in block.queries], dtype=np.bool_)
        documents = np.diff(block.starts)
        sizes += documents[is_judged].tolist()
        scores.append(block.scores if is_judged.all() else block.scores[np.repeat(is_judged, documents)])
        owner.append(len(places) - 1 + np.cumsum(is_judged)[block.owner])
        places += [(block, i) for i in np.flatnonzero(is_judged).tolist()]
    if not places:
        return
    queries = [block.queries[i] for block, i in places]
    judged = [judgments[query] for query in queries]
    retrieved = Retrieved(
        starts=np.cumsum([0, *sizes]),
        scores=np.concatenate(scores),
        owner=np.concatenate(owner),
        **{name: np.concatenate([getattr(block, name) for block in blocks]) for name in ("score", "grade", "at")},
        ids=lambda i: places[i][0].ids(places[i][1]),
        found=lambda i: places[i][0].found(places[i][1]),
    )
    yield Part(queries, judged, all_grades(queries, judged), retrieved)
