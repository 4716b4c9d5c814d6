"""The lists of grades in a text, however they are written: which of them are rankings, the printed numbers show."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from ndcg_ref.notes.grades import HIGHEST, Grades
from ndcg_ref.notes.tables import NoteTable
from ndcg_ref.notes.words import column_of, mark_of, words_for

MOST_RANKS = 60
NEAR = 12  # characters before a list in which words say that it has ranks
_GRADE = r"(?:10|[0-9])(?:\.[0-9]{1,2})?"
_ONE = rf"['\"A-Za-z][\w'\"-]{{0,20}}(?:[_ ]?[0-9]{{1,3}})?\s*(?:\(\s*{_GRADE}\s*\)|[:=,]\s*{_GRADE}(?![0-9.]))"
_LISTED = (  # with what is a grade in each
    (re.compile(rf"[\[({{⟨<]\s*{_GRADE}(?:\s*[,;]\s*{_GRADE}){{1,199}}\s*[\])}}⟩>]"), _GRADE),
    (
        re.compile(
            rf"(?<![0-9.,]){_GRADE}(?:\s*,\s*{_GRADE}){{1,199}}\s*(?:,|,?\s*{words_for('and')})\s*{_GRADE}(?![0-9]|[.,][0-9])"
        ),
        _GRADE,
    ),
    (re.compile(rf"(?:{_ONE}[)'\"]*\s*[,;]?\s*\(?){{2,60}}"), rf"(?<=[(:=,])\s*{_GRADE}"),
    (re.compile(r"(?<![\w.@^{])[0-9](?P<gap>[ ,;]{1,2})[0-9](?:(?P=gap)[0-9]){1,40}(?![\w{]|[.,][0-9])"), "[0-9]"),
)
_PLACES = re.compile(rf"{words_for('rank')}\W*$", re.IGNORECASE)
_SIGNS = ("+-", "x.", "RN", "YN", "✓✗", "10")  # of a relevant document, and of another
_MARKS = re.compile(
    "|".join(
        rf"(?<![\w{signs}])[{signs}](?P<gap{i}>{'' if signs == '10' else '[ ,]{0,2}'})"
        rf"[{signs}](?:(?P=gap{i})[{signs}]){{1,30}}(?![\w{signs}])"
        for i, signs in enumerate(map(re.escape, _SIGNS))
    )
)
_RANKS = re.compile(
    rf"{words_for('rank')}\s(?P<ranks>[0-9]{{1,2}}(?:(?:\s*,\s*|\s*,?\s{words_for('and')}\s)[0-9]{{1,2}})*)(?!\w)",
    re.IGNORECASE,
)
_LAST_COUNT = re.compile(r"(?<![0-9.])[0-9]{1,2}(?=\W*$)")
_KEY = re.compile(r"[\s|>*-]*([\w.-]+)(?=[\s|:])")
_JUDGED = re.compile(r"^(\S{1,40})[ \t]+0[ \t]+(\S{1,80})[ \t]+([0-9])[ \t]*$", re.MULTILINE)
_RUN = re.compile(
    r"^(?P<query>\S{1,40})[ \t]+Q0[ \t]+(?P<id>\S{1,80})[ \t]+(?P<rank>[0-9]{1,4})[ \t]+-?[0-9.]+[ \t]+\S+[ \t]*$",
    re.MULTILINE,
)
_RELEVANT = re.compile(
    rf"([0-9]{{1,2}})[*_]{{0,2}}\s{words_for('relevant')}|(?:relevant|(?<!\w)R)\W{{1,6}}([0-9]{{1,2}})(?!\w)",
    re.IGNORECASE,
)


class PrintedList(NamedTuple):
    """A list: its places, the grades, the judged grades where these are told, and the word that begins its line.

    A local one is only told by ranks, and is what its own line is about; an ideal one is that of the sum of an IDCG;
    an inferred one is read off printed terms.
    """

    places: tuple[int, ...]
    grades: Grades
    judged: Grades | None = None
    key: str = ""
    is_local: bool = False
    is_ideal: bool = False
    is_inferred: bool = False


def lists_in(text: str, tables: Sequence[NoteTable]) -> Iterator[PrintedList]:
    r"""The lists of a text.

    >>> [each.grades for each in lists_in("q1 +-++-", [])]
    [(1.0, 0.0, 1.0, 1.0, 0.0)]
    >>> found = lists_in("1 0 a 2\n1 0 b 1\n1 Q0 c 1 9.5 x\n1 Q0 a 2 9.1 x\n", [])
    >>> [(each.grades, each.judged) for each in found if each.key == "1"]
    [((0.0, 2.0), (2.0, 1.0))]
    """
    for place, grades in _written(text):
        are_halves = max(grades) <= 1 or all(2 * grade % 1 == 0 for grade in grades)
        if len(grades) > 2 and are_halves and not _are_ranks(text, place, grades):
            begins = _KEY.match(text, text.rfind("\n", 0, place) + 1)
            yield PrintedList((place,), grades, key=begins[1] if begins and begins.end() <= place else "")
    yield from _of_runs(text)
    for found in _RANKS.finditer(text):
        ranks = [int(each) for each in re.findall("[0-9]+", found["ranks"])]
        grades = tuple(float(rank + 1 in ranks) for rank in range(max(ranks)))
        yield PrintedList((found.start(),), grades, is_local=True)
    for table in tables:
        yield from list(_of_rows(table)) or _of_columns(table)


def _are_ranks(text: str, place: int, grades: Grades) -> bool:
    """Whether numbers count, or are the ranks of some documents."""
    said = _PLACES.search(text, max(0, place - NEAR), place)
    return _rises(grades) and (grades[0] == 1 or said is not None)


def _written(text: str) -> Iterator[tuple[int, Grades]]:
    """What may be lists of grades: numbers, documents with a grade each, marks."""
    for form, grade in _LISTED:
        for found in form.finditer(text):
            yield found.start(), tuple(map(float, re.findall(grade, found[0])))
    for found in _MARKS.finditer(text):
        marks = [sign for sign in found[0] if sign not in " ,"]
        relevant = next(signs[0] for signs in _SIGNS if {*marks} <= {*signs})
        if marks.count(relevant) > (relevant == "1"):  # 1000 is no list
            yield found.start(), tuple(float(mark == relevant) for mark in marks)


def relevant_in(text: str) -> set[int]:
    """How many relevant documents a text says that there are.

    >>> sorted(relevant_in("There are 5 relevant documents; R = 4"))
    [4, 5]
    """
    counts = {int(before or behind) for before, behind in _RELEVANT.findall(text)}
    return {count for count in counts if 0 < count < MOST_RANKS}


def _of_rows(table: NoteTable) -> Iterator[PrintedList]:
    """The rows of a table whose headings count ranks; an empty cell is a 0."""
    at = [i for i, head in enumerate(table.header) if _LAST_COUNT.search(head)]
    for row in table.rows:
        cells = [row[i] for i in at if i < len(row) and not (row[i].text and row[i].number is None)]
        numbers = [cell.number for cell in cells if cell.number]
        grades = tuple(cell.number.nearest_float if cell.number else 0.0 for cell in cells)
        if len(cells) == len(at) > 2 and all(number.unit == 1 for number in numbers) and max(grades) <= HIGHEST:
            key = _KEY.match(row[0].text + "|")
            yield PrintedList((row[0].start,), grades, key=key[1] if key else "")


def _of_columns(table: NoteTable) -> Iterator[PrintedList]:
    """The columns of small whole numbers or check marks, with a 0 at each rank that another column leaves out."""
    graded = [i for i, head in enumerate(table.header) if column_of(head) == "grade" and "gain" not in head.lower()]
    columns = [_column(table, i) for i in range(max(map(len, table.rows), default=0))]
    ranks = next((column for column in columns if column and _rises(column)), [])
    for i, column in enumerate(columns):
        if column and not _rises(column) and max(column) <= HIGHEST and (i in graded or not graded):
            yield PrintedList((table.start,), tuple(column))
            if len(ranks) < max(ranks, default=0) <= MOST_RANKS:
                at = dict(zip(ranks, column, strict=False))
                yield PrintedList((table.start,), tuple(at.get(rank + 1.0, 0.0) for rank in range(int(ranks[-1]))))


def _column(table: NoteTable, i: int) -> list[float]:
    """The whole numbers of a column, or its check marks."""
    numbers = [cell.number for cell in table.column(i) if cell and cell.number is not None]
    if len(numbers) > 1 and all(number.unit == 1 for number in numbers):
        return [number.nearest_float for number in numbers]
    return [mark for text in table.texts(i) if (mark := mark_of(text)) is not None]


def _rises(column: Sequence[float]) -> bool:
    return all(a < b for a, b in pairwise(column))


def _of_runs(text: str) -> Iterator[PrintedList]:
    """The rankings of a run beside its judgments, as the programs of TREC read them."""
    grades: dict[str, dict[str, float]] = defaultdict(dict)
    for query, name, grade in _JUDGED.findall(text):
        grades[query][name] = float(grade)
    runs: dict[str, list[tuple[int, int, str]]] = defaultdict(list)
    for found in _RUN.finditer(text):
        runs[found["query"]].append((int(found["rank"]), found.start(), found["id"]))
    for query, ranked in runs.items():
        first = min(rank for rank, _, _ in ranked)
        at = {rank - first: grades[query].get(name, 0.0) for rank, _, name in ranked}  # some lines may be left out
        if query in grades and max(at) < MOST_RANKS:
            ranking = tuple(at.get(rank, 0.0) for rank in range(max(at) + 1))
            yield PrintedList((ranked[0][1],), ranking, tuple(grades[query].values()), query)
