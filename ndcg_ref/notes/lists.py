"""The lists of grades in a text, however they are written; each way to write one has one reader.

`listings_of` has those that surely are grades, with what the words before them say. `lists_in` has all that may be
rankings: which of them are, the printed numbers show.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from ndcg_ref.notes.grades import HIGHEST, Grades
from ndcg_ref.notes.tables import NoteTable
from ndcg_ref.notes.words import column_of, count_of, mark_of, quantity_of, says, words_for

MOST_RANKS = 60
NEAR = 120  # characters before a list in which words say what it is
LEAST_NAMED = 3  # documents with grades in a line
_GRADE = r"(?:10|15|31|63|127|255|511|1023|[0-9])(?:\.[0-9]{1,2})?"  # or the gain of one
_BRACKETS = re.compile(rf"[\[({{⟨<]\s*({_GRADE}(?:\s*[,;]\s*{_GRADE}){{1,199}})\s*[\])}}⟩>]")
_AND = rf"\s*,?\s*{words_for('and')}\s*{_GRADE}"
_BARE = re.compile(
    rf"(?<![0-9.,@\[(])({_GRADE}(?:\s*,\s*{_GRADE}){{1,199}}(?:{_AND}|\s*,\s*{_GRADE}))(?![0-9]|[.,][0-9]|\s*/)"
)
_ID = r"[A-Za-z][A-Za-z]{0,7}(?:[_ ]?[0-9]{1,3}|_\{[0-9]{1,3}\})?"
_OF_ONE = rf"\(\s*{_ID}\s*,\s*({_GRADE})\s*\)|{_ID}\s*(?:\(\s*({_GRADE})\s*\)|[:=]\s*({_GRADE})(?![0-9.]))"
_ONE = re.compile(_OF_ONE)
_NAMED = re.compile(rf"(?:(?:{_OF_ONE})\s*[,;]?\s*){{2,60}}")
_MEMBER = re.compile(r"(?:∈|\\in|between|from|scale|out of|for\s\w{1,5}\sin)\W*$")
_PLACES = re.compile(rf"{words_for('rank')}\W*$", re.IGNORECASE)  # the ranks of some documents
_PAIRS = ("+-", "x.", "X.", "RN", "rn", "YN", "yn", "✓✗", "✔✘", "●○", "■□", "10", "TF", "HM", "✓-")
_MARKS = re.compile(
    "|".join(
        rf"(?<![\w{re.escape(pair)}])[{re.escape(pair)}](?P<gap{i}>{'' if pair == '10' else '[ ,]{0,2}'})"
        rf"[{re.escape(pair)}](?:(?P=gap{i})[{re.escape(pair)}]){{1,30}}(?![\w{re.escape(pair)}])"
        for i, pair in enumerate(_PAIRS)
    )
)
_DIGITS = re.compile(r"(?<![\w.@^{])[0-9](?P<gap>[ ,;]{1,2})[0-9](?:(?P=gap)[0-9]){1,40}(?![\w{]|[.,][0-9])")
_TAGGED = re.compile(
    r"[\w'\"-]{1,20}(?:\s?\([0-9]\)|,\s[0-9]\))['\"]?(?:,?\s?[\[(]?[\w'\"-]{1,20}(?:\s?\([0-9]\)|,\s[0-9]\))['\"]?){2,40}"
)
_GRADED = (  # with what is a grade in each
    (_DIGITS, "[0-9]"),  # in a row
    (_TAGGED, r"(?<=[ (])[0-9](?=\))"),  # d1 (3), d2 (0), d3 (2)
)
_RANKS = re.compile(
    rf"(?:{words_for('rank')})\s(?P<ranks>[0-9]{{1,2}}(?:(?:\s*,\s*|\s*,?\s(?:{words_for('and')})\s)[0-9]{{1,2}})*)"
    r"(?!\w|[.,][0-9]|\s*=)",
    re.IGNORECASE,
)
_LAST_COUNT = re.compile(r"(?<![0-9.])[0-9]{1,2}(?=\W*$)")
_KEY = re.compile(r"[\s|>*-]*([^\W\d][\w.-]*(?=[\s|:])|[0-9]{1,6}(?=\s{2}|\t|\s?[|:]))")
_JUDGED = re.compile(r"^[ \t>]*(?P<query>\S{1,40})[ \t]+0[ \t]+(?P<id>\S{1,80})[ \t]+(?P<grade>[0-9])[ \t]*$", re.M)
_RUN = re.compile(
    r"^[ \t>]*(?P<query>\S{1,40})[ \t]+Q0[ \t]+(?P<id>\S{1,80})[ \t]+(?P<rank>[0-9]{1,4})[ \t]+-?[0-9.]*[0-9]"
    r"[ \t]+\S+[ \t]*$",
    re.M,
)
_COUNT = rf"(?P<count>{words_for('count')}|[0-9]{{1,2}})"
_RELEVANT = re.compile(
    rf"(?:{_COUNT}[*_]{{0,2}}\s(?:[^\W\d]+\s){{0,2}}{words_for('relevant')}"
    r"|(?:relevant|num_rel|(?<![\w])R)\W{1,6}(?P<told>[0-9]{1,2})(?![\w.,]*[0-9]))",
    re.IGNORECASE,
)
_WORD = r"[^\W\d_]{2,20}(?:[ -][^\W\d_]{2,20}){0,2}"
_BETWEEN = ",;>|–"  # the words of a list
_IS = r"\s?(?:=|:|→|≙)\s?"
_SCALE = re.compile(
    rf"(?<![^\W\d_])(?:{_WORD}(?:{_IS}[0-9]|\s?\([0-9]\))(?:\s?[,;]\s?|\s+)){{2,9}}{_WORD}(?:{_IS}[0-9]|\s?\([0-9]\))(?!\w|\.[0-9])"
    rf"|(?<![\w.,])(?:[0-9]{_IS}{_WORD}(?:\s?[,;]\s?|\s{{0,3}}\n\s?)){{2,9}}[0-9]{_IS}{_WORD}"
)
_DEGREE = re.compile(rf"(?P<word>{_WORD})(?:{_IS}|\s?\()(?P<grade>[0-9])|(?P<before>[0-9]){_IS}(?P<behind>{_WORD})")


Span = tuple[int, int, Grades]  # where a list begins and ends
Placed = tuple[int, Sequence[float]]
LEAST = 2  # marks that are no list


class PrintedList(NamedTuple):
    """A list: its places, the grades, the judged grades where these are told, and the word that begins its line.

    A local one is only told by ranks, and is what its own line is about; words call one ideal that is the best order;
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
    listings = [each for each in listings_of(text) if ranks_documents(text, each)]
    yield from listings
    ideal = {each.places[0] for each in listings if each.is_ideal}  # which is no ranking
    yield from worded_listings(text)
    yield from _of_runs(text)
    for place, grades in _told([*_of_marks(text), *_of_digits(text)]):
        if place in ideal:
            continue
        begins = _KEY.match(text, text.rfind("\n", 0, place) + 1)
        key = begins[1] if begins and begins.end() <= place and quantity_of(begins[1]) is None else ""
        yield PrintedList((place,), grades, key=key)
    yield from (PrintedList((place,), grades, is_local=True) for place, grades in _of_ranks(text))
    for table in tables:
        rows = list(_of_rows(table))
        yield from rows or (PrintedList((place,), grades) for place, grades in _told(_of_table(table)))


def _told(lists: Iterable[Placed]) -> Iterator[tuple[int, Grades]]:
    """The lists that may be grades: none that counts, or has a number that is too large."""
    for place, values in lists:
        if not _rises(values) and max(values) <= HIGHEST:
            yield place, tuple(values)


def listings_of(text: str) -> list[PrintedList]:
    """The lists of grades in a text that `plain_text` made, whose place or whose brackets show that they are one.

    >>> [(each.grades, each.is_ideal) for each in listings_of("retrieved [3, 0, 2]; sorted: [3, 2, 0]")]
    [((3.0, 0.0, 2.0), False), ((3.0, 2.0, 0.0), True)]
    >>> listings_of("D3 (0), D1 (1), D2 (1)")[0].grades
    (0.0, 1.0, 1.0)
    """
    found = []
    taken = bytearray(len(text))
    for start, end, grades in _announced(text):
        if len(grades) < 2 or any(taken[start:end]) or max(grades) > HIGHEST:
            continue
        taken[start:end] = b"1" * (end - start)
        found.append(_called(text, start, grades))
    return found


def _called(text: str, start: int, grades: Grades) -> PrintedList:
    """A list with what the words before it call it."""
    return PrintedList((start,), grades, is_ideal=says("ideal", _before(text, start)))


def ranks_documents(text: str, listing: PrintedList) -> bool:
    """Whether a list is one of grades, and not the scale that they are taken from."""
    before = text[max(0, listing.places[0] - 12) : listing.places[0]]
    grades = listing.grades
    has_odd_decimals = max(grades) > 1 and any(2 * grade % 1 for grade in grades)  # grades are whole or halves
    ranks = all(grades) and len({*grades}) == len(grades)
    forms = (_MEMBER, _PLACES) if ranks else (_MEMBER,)
    return 2 < len(grades) <= 200 and not has_odd_decimals and not any(form.search(before) for form in forms)


def _before(text: str, start: int) -> str:
    """The words right before a list in its line, or in the line before, back to the list or the sentence before."""
    words = re.split(r"[\];]|\.\s|\n\s*\n(?=[^\n]*\n[^\n]*\n)", text[max(0, start - NEAR) : start])[-1]
    return words.rstrip().rpartition("\n")[2]


def _announced(text: str) -> Iterator[Span]:
    """The lists of numbers, and of documents with a grade each."""
    for form in (_BRACKETS, _BARE):
        for found in form.finditer(text):
            numbers = tuple(float(each) for each in re.findall(_GRADE, found[1]))
            yield *found.span(), numbers if max(numbers) <= HIGHEST else tuple(math.log2(each + 1) for each in numbers)
    for found in _NAMED.finditer(text):
        named = quantity_of(found[0])  # DCG = 4.43, IDCG = 4.76 is no ranking
        if named is None or named[0] == "other":
            yield *found.span(), tuple(float("".join(groups)) for groups in _ONE.findall(found[0]))


def worded_listings(text: str) -> list[PrintedList]:
    """The lists of words to which a text gives grades.

    >>> worded_listings("bad = 0, fair = 1, good = 2; the list: good, bad, fair, good")[0].grades
    (2.0, 0.0, 1.0, 2.0)
    """
    grade_of: dict[str, float] = {}
    for each in _SCALE.finditer(text) if any(sign in text for sign in _BETWEEN) else ():
        degrees = [(one["word"] or one["behind"], one["grade"] or one["before"]) for one in _DEGREE.finditer(each[0])]
        grades = [int(grade) for _, grade in degrees]
        if sorted(grades) == [*range(min(grades), min(grades) + len(grades))]:  # none is left out, and none said twice
            grade_of |= {word.lower(): float(grade) for word, grade in degrees if word.lower() not in grade_of}
    if not grade_of:
        return []
    word = "|".join(sorted(map(re.escape, grade_of), key=len, reverse=True))
    several = re.compile(rf"(?<!\w)(?:{word})(?:\s?[{_BETWEEN}]\s?(?:{word})){{2,199}}(?!\w)", re.IGNORECASE)
    found = []
    for each in several.finditer(text):
        grades_in = tuple(grade_of[one.lower()] for one in re.findall(word, each[0], re.IGNORECASE))
        found.append(_called(text, each.start(), grades_in))
    return found


def relevant_in(text: str) -> set[int]:
    """How many relevant documents a text says that there are.

    >>> sorted(relevant_in("There are five relevant documents; R = 4"))
    [4, 5]
    """
    counts = (count_of(found["count"] or found["told"]) for found in _RELEVANT.finditer(text))
    return {count for count in counts if count and 0 < count < MOST_RANKS}


def _of_marks(text: str) -> Iterator[Placed]:
    for found in _MARKS.finditer(text):
        signs = [sign for sign in found[0] if sign not in " ,"]
        pair = next(pair for pair in _PAIRS if {*signs} <= {*pair})
        if signs.count(pair[0]) > (pair == "10"):  # 1000 is no list
            yield found.start(), [float(sign == pair[0]) for sign in signs]


def _of_digits(text: str) -> Iterator[Placed]:
    for form, grade in _GRADED:
        for found in form.finditer(text):
            yield found.start(), [float(digit) for digit in re.findall(grade, found[0])]


def _of_ranks(text: str) -> Iterator[tuple[int, Grades]]:
    for found in _RANKS.finditer(text):
        ranks = [int(each) for each in re.findall("[0-9]+", found["ranks"])]
        if min(ranks) > 0 and max(ranks) <= MOST_RANKS and ranks == sorted({*ranks}):
            yield found.start(), tuple(float(rank + 1 in ranks) for rank in range(max(ranks)))


def _of_rows(table: NoteTable) -> Iterator[PrintedList]:
    """The rows of a table whose headings count ranks: whole grades, or marks, which an empty cell lacks."""
    first, *others = table.rows
    header, rows = (table.header, table.rows) if table.header else ([cell.text for cell in first], others)
    heads = [_LAST_COUNT.search(head) if quantity_of(head) is None else None for head in header]
    at = [i for i, head in enumerate(heads) if head]
    ranked = any(row[0].number is not None for row in rows)  # so that each column is of a query
    if len(at) < LEAST_NAMED or ranked or [int(head[0]) for head in heads if head] != [*range(1, len(at) + 1)]:
        return
    for row in rows:
        cells = [row[i] for i in at if i < len(row)]
        told = [(cell.number, mark_of(cell.text) if cell.text.strip() else 0.0) for cell in cells]
        grades = [mark if number is None else number.nearest_float for number, mark in told]
        whole = all(number is None or number.unit == 1 for number, _ in told)
        if whole and None not in grades and 0 < max((grade or 0.0 for grade in grades), default=0.0) <= HIGHEST:
            key = _KEY.match(row[0].text + "|")
            yield PrintedList((row[0].start,), tuple(grade or 0.0 for grade in grades), key=key[1] if key else "")


def _of_table(table: NoteTable) -> Iterator[Placed]:
    """The columns of small whole numbers or check marks, with a 0 at each rank that another column leaves out."""
    columns = []
    kinds = [column_of(head) for head in table.header]
    graded = [i for i, kind in enumerate(kinds) if kind == "grade" and "gain" not in table.header[i].lower()]
    for i in range(max(map(len, table.rows), default=0)):
        numbers = [cell.number for cell in table.column(i) if cell and cell.number is not None]
        whole = len(numbers) > 1 and all(number.unit == 1 for number in numbers)
        marks = [mark for text in table.texts(i) if (mark := mark_of(text)) is not None]
        columns.append([number.nearest_float for number in numbers] if whole else marks if len(marks) > LEAST else [])
    ranks = next((column for column in columns if column and column[0] == 1 and _rises(column)), None)
    for i, column in enumerate(columns):
        if column and column is not ranks and (i in graded or not graded):
            yield table.start, column
            if ranks and len(ranks) == len(column) and len(ranks) < ranks[-1] <= MOST_RANKS:
                at = dict(zip(ranks, column, strict=True))
                yield table.start, [at.get(rank + 1.0, 0.0) for rank in range(int(ranks[-1]))]


def _rises(column: Sequence[float]) -> bool:
    return all(a < b for a, b in pairwise(column))


def _of_runs(text: str) -> Iterator[PrintedList]:
    """The rankings of a run beside its judgments, as the programs of TREC read them."""
    grades: dict[str, dict[str, float]] = defaultdict(dict)
    for found in _JUDGED.finditer(text):
        grades[found["query"]][found["id"]] = float(found["grade"])
    runs: dict[str, list[tuple[int, int, str]]] = defaultdict(list)
    for found in _RUN.finditer(text):
        runs[found["query"]].append((int(found["rank"]), found.start(), found["id"]))
    for query, ranked in runs.items():
        first = min(rank for rank, _, _ in ranked)
        at = {rank - first: grades[query].get(name, 0.0) for rank, _, name in ranked}  # some lines may be left out
        if query in grades and max(at) < MOST_RANKS:
            ranking = tuple(at.get(rank, 0.0) for rank in range(max(at) + 1))
            yield PrintedList((ranked[0][1],), ranking, tuple(grades[query].values()), query)
