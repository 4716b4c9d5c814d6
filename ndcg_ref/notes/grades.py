"""The lists of grades that a note prints, and those that its sums and tables show."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ndcg_ref.conventions.convention import Convention
from ndcg_ref.formulas import plain
from ndcg_ref.notes.words import count_of, documents_announced, quantity_of, says, words_for
from ndcg_ref.stated.equation import Side
from ndcg_ref.stated.expression import Logarithm, Node, Numeral, Power, Product, Sum

HIGHEST = 10
_GRADE = r"(?:10|[0-9])(?:\.[0-9]{1,2})?"
_BRACKETS = re.compile(rf"[\[({{⟨<]\s*({_GRADE}(?:\s*[,;]\s*{_GRADE}){{1,199}})\s*[\])}}⟩>]")
_AND = rf"\s*,?\s*{words_for('and')}\s*{_GRADE}"
_BARE = re.compile(
    rf"(?<![0-9.,@\[(])({_GRADE}(?:\s*,\s*{_GRADE}){{1,199}}(?:{_AND}|\s*,\s*{_GRADE}))(?![0-9]|[.,][0-9]|\s*/)"
)
_DASHES = re.compile(
    rf"(?<![0-9.,–—-])({_GRADE}(?:[ \t]+[–—-][ \t]+{_GRADE}){{2,199}}|{_GRADE}(?:\s*;\s*{_GRADE}){{2,199}})"
    r"(?![0-9]|[.,][0-9])"
)
_SPACED = re.compile(r"(?<![\w.,@])(?<![0-9.,] )([0-9](?: [0-9]){2,49})(?!\w| ?[0-9]| ?[.][0-9]| ?,[0-9])")
_TOLD = re.compile(r"[\w)}][\s*`]{0,3}[:=][\s*`]{0,30}$")
_ID = r"[A-Za-z][A-Za-z]{0,7}(?:[_ ]?[0-9]{1,3}|_\{[0-9]{1,3}\})?"
_OF_ONE = rf"\(\s*{_ID}\s*,\s*({_GRADE})\s*\)|{_ID}\s*(?:\(\s*({_GRADE})\s*\)|[:=]\s*({_GRADE})(?![0-9.]))"
_ONE = re.compile(_OF_ONE)
_NAMED = re.compile(rf"(?:(?:{_OF_ONE})\s*[,;]?\s*){{2,60}}")
_IDS = re.compile(r"[\[(]\s*([A-Za-z]\w{0,15}(?:\s*[,;]\s*[A-Za-z]\w{0,15}){1,60})\s*[\])]")
_LABEL = rf"(?:[^\W\d_]{{1,16}} ){{1,4}}\(\s*{_GRADE}\s*\)"  # as in very good (3)
_LABELLED = re.compile(rf"{_LABEL}(?:\s*[,;]\s*{_LABEL}){{2,60}}")
_YES, _NO = "✓✔✅●", "✗✘❌○"
_LETTERED = re.compile(r"(?<![\w.+-])(?:[RN.·_-],?[ \t]{1,3}){2,199}[RN.·_-](?![\w+-])")  # as in R N R R, or R . . R
_MARKED = re.compile(rf"(?:[0-9]{{0,2}}[.:]?[ \t]{{0,3}}[{_YES}{_NO}]\ufe0f?[ \t,]{{0,4}}){{3,200}}")
NEAR = 120  # characters before a list in which words say what it is


@dataclass(frozen=True)
class Listing:
    """Grades in an order, as a note has them.

    Parameters
    ----------
    start, end : int
        Where it stands in its region.
    grades : tuple of float
        The grades, best rank first.
    ideal : bool
        Whether the words before it say that this is the best order.
    """

    start: int
    end: int
    grades: tuple[float, ...]
    ideal: bool


@dataclass(frozen=True)
class Worked:
    """A sum over ranks as symbols: the gain and what is under it, term by term.

    Parameters
    ----------
    gains : tuple of float
        The numerators.
    arguments : tuple of float or None
        What each logarithm is taken of; None for a first term without one.
    exponential : bool
        Whether each numerator is written as a power of 2 less 1.
    base : float
        The base of the logarithms.
    """

    gains: tuple[float, ...]
    arguments: tuple[float | None, ...]
    exponential: bool
    base: float

    def convention_for(self, grades: Sequence[float]) -> Convention | None:
        """The convention under which a ranking has this sum; None if there is none."""
        discount = self._discount()
        if discount is None:
            return None
        for gain in ("linear", "exponential"):
            convention = Convention(gain=gain, discount=discount, base=self.base)
            gains = gains_of(grades[: len(self.gains)], convention)
            if without_zeros(gains) == without_zeros(self.gains):
                return convention
        return None

    def same_gains(self, grades: Sequence[float]) -> bool:
        """Whether it adds up the gains of a ranking, linear or exponential, in some order; zeros may be left out."""
        own = sorted(gain for gain in self.gains if gain)
        ways = (gains_of(grades[: len(self.gains)], Convention(gain=gain)) for gain in ("linear", "exponential"))
        return any(own == sorted(gain for gain in gains if gain) for gains in ways)

    def _discount(self) -> Literal["log(rank+1)", "log(rank)"] | None:
        """The discount of a sum that has a term for every rank."""
        places = [None if i == 0 and argument is None else argument for i, argument in enumerate(self.arguments)]
        if len(places) < 2:
            return None
        if places[1:] == [float(rank + 1) for rank in range(2, len(places) + 1)] and places[0] in (None, 2):
            return "log(rank+1)"
        if places[1:] == [float(rank) for rank in range(2, len(places) + 1)] and places[0] in (None, 1):
            return "log(rank)"
        return None

    @property
    def grades(self) -> tuple[float, ...]:
        """The grades that the gains stand for."""
        if not self.exponential:
            return self.gains
        return tuple(round(math.log2(gain + 1), 9) for gain in self.gains)


def gains_of(grades: Sequence[float], convention: Convention) -> list[float]:
    """The gains of a ranking; none where one of its grades has no gain.

    >>> gains_of([2, 0], Convention(gain="exponential")), gains_of([2, -1], Convention())
    ([3.0, 0.0], [])
    """
    try:
        return plain.gains(grades, convention)
    except ValueError:
        return []


def listings_of(text: str, known: Sequence[Listing] = ()) -> list[Listing]:
    """The lists of grades in a text that `plain_text` made, besides those that are known.

    >>> [(each.grades, each.ideal) for each in listings_of("retrieved [3, 0, 2]; sorted: [3, 2, 0]")]
    [((3.0, 0.0, 2.0), False), ((3.0, 2.0, 0.0), True)]
    >>> listings_of("D3 (0), D1 (1), D2 (1)")[0].grades
    (0.0, 1.0, 1.0)
    """
    found = list(known)
    taken = bytearray(len(text))
    for each in known:
        taken[each.start : each.end] = b"1" * (each.end - each.start)
    for start, end, grades in _candidates(text):
        if len(grades) < 2 or any(taken[start:end]) or max(grades) > HIGHEST:
            continue
        taken[start:end] = b"1" * (end - start)
        before = _before(text, start)
        pool = says("pool", before) and falls(grades)
        found.append(Listing(start, end, grades, pool or says("ideal", before)))
    return sorted(found, key=lambda each: each.start)


def _before(text: str, start: int) -> str:
    """The words right before a list, back to the list or the sentence before."""
    words = re.split(r"[\];]|\.\s|\n\s*\n(?=[^\n]*\n[^\n]*\n)", text[max(0, start - NEAR) : start])[-1]
    lines = [line for line in words.split("\n") if line.strip()]
    last = len(lines) - 1
    while last > 0 and lines[last - 1].rstrip(" *").endswith(":"):  # it announces what comes
        last -= 1
    if words.endswith("\n") and lines and not lines[-1].rstrip(" *").endswith(":"):
        return ""
    return "\n".join(lines[last:])


def _candidates(text: str) -> Iterator[tuple[int, int, tuple[float, ...]]]:
    for form in (_BRACKETS, _BARE, _DASHES):
        for found in form.finditer(text):
            yield *found.span(), tuple(float(each) for each in re.findall(_GRADE, found[1]))
    for found in _SPACED.finditer(text):
        before = _before(text, found.start())
        announced = any(says(kind, before) for kind in ("grade", "ideal", "retrieved"))
        if announced or _TOLD.search(text, max(0, found.start() - 40), found.start()):
            yield *found.span(), tuple(float(each) for each in found[1].split())
    for found in _LABELLED.finditer(text):
        grades = tuple(float(each) for each in re.findall(rf"\(\s*({_GRADE})\s*\)", found[0]))
        if grades != tuple(range(1, len(grades) + 1)):  # no numbering
            yield *found.span(), grades
    for found in _NAMED.finditer(text):
        named = quantity_of(found[0])  # DCG = 4.43, IDCG = 4.76 is no ranking
        if named is None or named[0] == "other":
            yield *found.span(), tuple(float("".join(groups)) for groups in _ONE.findall(found[0]))


_ITEM = re.compile(
    r"^[ \t]*(?:[-*•]|[0-9]{1,2}[.):]|#?[0-9]{1,2}\b|(?:rank|position|pos|platz|rang|vị trí|место)\s*#?[0-9]{1,2})"
    r".{0,100}?"
    rf"(?:rel(?:evan[a-z]*)?|grade|score|rating|note|điểm|相关性|关联度)\s*(?:score|grade|label)?\s*(?:=|:|of|is)?\s*({_GRADE})(?![0-9.])",
    re.IGNORECASE,
)


def itemized_listings(text: str) -> list[Listing]:
    r"""The grades that a list names item by item, a line each.

    >>> itemized_listings("1. B (relevance = 2)\n2. A (relevance = 3)\n3. C (relevance = 0)")[0].grades
    (2.0, 3.0, 0.0)
    """
    found: list[Listing] = []
    grades: list[float] = []
    start = at = 0
    for line in [*text.splitlines(keepends=True), ""]:
        item = _ITEM.match(line)
        if item:
            start = start if grades else at
            grades.append(float(item[1]))
        elif line.strip() or not line:
            if len(grades) > 2:
                found.append(Listing(start, at, tuple(grades), says("ideal", _before(text, start))))
            grades = []
        at += len(line)
    return found


def marked_listings(text: str) -> list[Listing]:
    """The rankings that a note draws with a mark for each document.

    >>> [each.grades for each in marked_listings("1 ✓  2 ✗  3 ✓  4 ✗ and ○ ● ○")]
    [(1.0, 0.0, 1.0, 0.0), (0.0, 1.0, 0.0)]
    >>> [each.grades for each in marked_listings("Q1: R . R . and Q2: N, R, N")]
    [(1.0, 0.0, 1.0, 0.0), (0.0, 1.0, 0.0)]
    """
    found = []
    for form, yes, no in ((_MARKED, _YES, _NO), (_LETTERED, "R", "N.·_-")):
        for each in form.finditer(text):
            grades = tuple(float(mark in yes) for mark in each[0] if mark in yes + no)
            if form is _MARKED or 0 < sum(grades) < len(grades):
                found.append(Listing(*each.span(), grades, says("ideal", _before(text, each.start()))))
    return found


_WORD = r"[^\W\d_]{2,20}(?:[ -][^\W\d_]{2,20}){0,2}"
_BETWEEN = ",;>|–"  # the words of a list
_IS = r"\s?(?:=|:|→|≙)\s?"
_SCALE = re.compile(
    rf"(?<![^\W\d_])(?:{_WORD}(?:{_IS}[0-9]|\s?\([0-9]\))(?:\s?[,;]\s?|\s+)){{2,9}}{_WORD}(?:{_IS}[0-9]|\s?\([0-9]\))(?!\w|\.[0-9])"
    rf"|(?<![\w.,])(?:[0-9]{_IS}{_WORD}(?:\s?[,;]\s?|\s{{0,3}}\n\s?)){{2,9}}[0-9]{_IS}{_WORD}"
)
_DEGREE = re.compile(rf"(?P<word>{_WORD})(?:{_IS}|\s?\()(?P<grade>[0-9])|(?P<before>[0-9]){_IS}(?P<behind>{_WORD})")


def worded_listings(text: str) -> tuple[list[range], list[Listing]]:
    """Where a text gives words to grades, and the lists of these words.

    >>> worded_listings("bad = 0, fair = 1, good = 2; the list: good, bad, fair, good")[1][0].grades
    (2.0, 0.0, 1.0, 2.0)
    """
    scale: list[range] = []
    grade_of: dict[str, float] = {}
    for each in _SCALE.finditer(text) if any(sign in text for sign in _BETWEEN) else ():
        degrees = [(one["word"] or one["behind"], one["grade"] or one["before"]) for one in _DEGREE.finditer(each[0])]
        grades = [int(grade) for _, grade in degrees]
        if sorted(grades) == [*range(min(grades), min(grades) + len(grades))]:  # none is left out, and none said twice
            scale.append(range(*each.span()))
            grade_of |= {word.lower(): float(grade) for word, grade in degrees if word.lower() not in grade_of}
    if not grade_of:
        return [], []
    word = "|".join(sorted(map(re.escape, grade_of), key=len, reverse=True))
    several = re.compile(rf"(?<!\w)(?:{word})(?:\s?[{_BETWEEN}]\s?(?:{word})){{2,199}}(?!\w)", re.IGNORECASE)
    found = []
    for each in several.finditer(text):
        grades_in = tuple(grade_of[one.lower()] for one in re.findall(word, each[0], re.IGNORECASE))
        found.append(Listing(*each.span(), grades_in, says("ideal", _before(text, each.start()))))
    return scale, found


def ids_of(text: str) -> dict[str, float]:
    """The grade of each document that a text names with its grade, as in ``d3: 0`` or ``D1 (3)``.

    >>> ids_of("d3: 0, d2: 2, d1: 1")
    {'d3': 0.0, 'd2': 2.0, 'd1': 1.0}
    """
    return {
        re.split(r"[\s(:=,]", one[0].lstrip("( "))[0]: float("".join(one.groups(default="")))
        for found in _NAMED.finditer(text)
        for one in _ONE.finditer(found[0])
    }


def named_listings(text: str, grade_of: Mapping[str, float]) -> list[Listing]:
    """The lists of ids whose grades are known from a table.

    >>> named_listings("returns [B, A]", {"A": 0.5, "B": 0.9})[0].grades
    (0.9, 0.5)
    """
    found = []
    for each in _IDS.finditer(text):
        ids = re.split(r"\s*[,;]\s*", each[1])
        if all(one in grade_of for one in ids):
            grades = tuple(grade_of[one] for one in ids)
            found.append(Listing(*each.span(), grades, says("ideal", _before(text, each.start()))))
    return found


# So many documents of each grade, as in "three 3s" or "two relevant (grade 1)"; no blank is before a Chinese word
_COUNT = words_for("count", edge=r"(?<![A-Za-z])")
_SO_MANY = rf"{_COUNT}\s*[0-9](?:'?s|er)?(?!\w|[.,][0-9])"
_GRADED = r"[^\W\d]*(?:[\s*_]+[^\W\d]+){0,3}[\s*_]*\(\s*(?:grades?|labels?|rel\w*)?\s*=?\s*"
_SO_MANY_GRADED = rf"{_COUNT}\s[\s*_]*{_GRADED}[0-9]\)"
_COUNTED = re.compile(rf"{_SO_MANY}(?:[\s,;]{{1,3}}(?:[a-z]{{1,5}}\s){{0,2}}{_SO_MANY}){{1,9}}", re.IGNORECASE)
_DESCRIBED = re.compile(
    rf"{_SO_MANY_GRADED}(?:[\s,;]{{1,3}}(?:[a-z]{{1,5}}\s)?{_SO_MANY_GRADED}){{1,9}}", re.IGNORECASE
)
_ONE_COUNT = re.compile(rf"(?P<count>{_COUNT})\s*(?P<grade>[0-9])", re.IGNORECASE)
_ONE_DESCRIBED = re.compile(rf"(?P<count>{_COUNT})\s[\s*_]*{_GRADED}(?P<grade>[0-9])", re.IGNORECASE)
_COUNTS = ((_COUNTED, _ONE_COUNT), (_DESCRIBED, _ONE_DESCRIBED))


def counted_listings(text: str) -> list[Listing]:
    """The judged grades that a note counts: so many documents of each grade, the best ones first.

    >>> counted_listings("three 3s, then two 2s and one 0")[0].grades
    (3.0, 3.0, 3.0, 2.0, 2.0, 0.0)
    >>> counted_listings("two *highly relevant* (grade 2), one relevant (grade 1)")[0].grades
    (2.0, 2.0, 1.0)
    """
    found = []
    for each, one_count in ((each, form) for several, form in _COUNTS for each in several.finditer(text)):
        pairs = [(count_of(one["count"]), float(one["grade"])) for one in one_count.finditer(each[0])]
        grades = [grade for count, grade in pairs for _ in range(count or 0)]
        if len({grade for _, grade in pairs}) == len(pairs) > 1 and falls(grades):
            found.append(Listing(*each.span(), tuple(grades), True))
    return found


_QUOTED = re.compile(
    r"""[\[({]\s*((?:["']?[A-Za-z0-9][\w.\-]{0,20}["']?\s*[,;]\s*){1,60}["']?[A-Za-z0-9][\w.\-]{0,20}["']?)\s*[\])}]"""
)


def retrieved_listings(text: str) -> list[tuple[Listing, tuple[float, ...]]]:
    """The rankings that a note gives as ids, with the ids that are relevant beside them; and all judged grades.

    >>> retrieved_listings("relevant: {d1, d4}, retrieved: [d2, d1]")[0][0].grades
    (0.0, 1.0)
    """
    relevant: set[str] | None = None
    rankings: list[tuple[int, int, list[str]]] = []
    for each in _QUOTED.finditer(text):
        ids = [one.strip(" \"'") for one in re.split(r"[,;]", each[1])]
        said = documents_announced(_before(text, each.start()))
        if said == "relevant":
            relevant = set(ids)
        elif said == "retrieved":
            rankings.append((each.start(), each.end(), ids))
    if not relevant:
        return []
    judged = tuple(1.0 for _ in relevant)
    return [
        (Listing(start, end, tuple(float(one in relevant) for one in ids), False), judged)
        for start, end, ids in rankings
        if relevant & set(ids)
    ]


def worked(side: Side) -> Worked | None:
    """The sum over ranks that a side is, with logarithms as symbols; None if it is none.

    >>> from ndcg_ref.stated import read_equation
    >>> worked(read_equation("3/log2(2) + 0/log2(3) = 3").sides[0])
    Worked(gains=(3.0, 0.0), arguments=(2.0, 3.0), exponential=False, base=2.0)
    """
    terms = side.expression.terms if isinstance(side.expression, Sum) else (side.expression,)
    read = [_term(term) for term in terms]
    if not any(term is not None and term[1] is not None for term in read):
        return None
    gains: list[float] = []
    arguments: list[float | None] = []
    exponential, base = False, 2.0
    for i, term in enumerate(read):
        if term is None:
            return None
        gain, log, power = term
        argument = log.of.value() if log is not None else None
        if argument is None and i:
            return None
        gains.append(gain)
        arguments.append(argument)
        exponential |= power
        base = log.base.value() or base if log is not None else base
    if exponential and min(gains) <= -1:  # which no power of 2 less 1 is
        return None
    return Worked(tuple(gains), tuple(arguments), exponential, base)


def falls(grades: Sequence[float]) -> bool:
    """Whether each grade is at most the one before."""
    return list(grades) == sorted(grades, reverse=True)


def without_zeros(grades: Sequence[float]) -> tuple[float, ...]:
    """The grades without the zeros at the end, which add nothing.

    >>> without_zeros([2, 0, 1, 0])
    (2, 0, 1)
    """
    last = max((i for i, grade in enumerate(grades) if grade), default=-1)
    return tuple(grades[: last + 1])


def _term(node: Node) -> tuple[float, Logarithm | None, bool] | None:
    """Numerator and logarithm of a term, and whether the numerator is written as a power less 1."""
    top, over = node, None
    if isinstance(node, Product) and len(node.others) == 1 and node.others[0][0]:
        below = node.others[0][2]
        if not isinstance(below, Logarithm):
            return None
        top, over = node.first, below
    value = top.value()
    if value is None or (over is None and not isinstance(top, Numeral)):
        return None
    return value, over, isinstance(top, Sum) and any(isinstance(part, Power) for part in top.terms)
