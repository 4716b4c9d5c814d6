"""Check a note: every number that it states, with its verdict and its place in the file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import itemgetter

from ndcg_ref.conventions.convention import Convention
from ndcg_ref.notes.bindings import Bound, bound_parts, held, said_in
from ndcg_ref.notes.claims import is_supposed
from ndcg_ref.notes.documents import Format, Region, region_of
from ndcg_ref.notes.facts import decimals_in
from ndcg_ref.notes.hypotheses import Told
from ndcg_ref.notes.judging import NOTHING, Judged
from ndcg_ref.notes.limits import STEPS
from ndcg_ref.notes.reading import JudgedPart, judged_parts
from ndcg_ref.notes.understood import Understood, understood_in
from ndcg_ref.stated.display import MARKS, Outcome
from ndcg_ref.stated.verdict import Verdict, judge

_LATEX_COMMA = re.compile(r"[0-9]+\{,\}[0-9]+")
_BLANKS = "\\ ~\u00a0\u202f"
_COUNTED = re.compile(r"(?:version|section|chapter|figure|table|equation|exercise|§)[\s~(]*$", re.IGNORECASE)
LONGEST = 30  # characters of a number
NEAR = 20  # characters before a number that may say that it counts versions or sections
LAST_DIGIT = Fraction(3, 2)  # units by which a slip of the last digit is off at most
OUTCOMES = {  # with their marks, in the order in which they are counted
    "agrees": MARKS[Outcome.AGREES],
    "consistent": "≈",
    "slip": MARKS[Outcome.SLIP],
    "impossible": "‼",
    "malformed": "✗",
    "undefined": MARKS[Outcome.UNDEFINED],
    "unchecked": MARKS[Outcome.UNCHECKED],
}
_EQUALS = re.compile(r"(?:(?<![<>!:])=|≈|\\approx)[\s*$`{]*\Z")
NEAR_SIGN = 16  # characters before a number in which the sign stands that states it
BOUNDED = ("NDCG", "P", "R", "RR", "AP", "MAP", "MRR")  # which are at most 1
WRONG = ("slip", "impossible", "malformed")


@dataclass(frozen=True)
class Finding:
    """A stated number of a note, and its verdict.

    Parameters
    ----------
    offset, length : int
        Where the number stands in the file, in characters.
    line, column : int
        The same, counted from 1.
    stated : str
        The number, as the file has it.
    verdict : Verdict
        The verdict.
    outcome : {"agrees", "consistent", "slip", "impossible", "malformed", "undefined", "unchecked"}
        What was found; malformed is a comment of the author, and no number.
    """

    offset: int
    length: int
    line: int
    column: int
    stated: str
    verdict: Verdict
    outcome: str

    @property
    def is_wrong(self) -> bool:
        """Whether the number is a slip that its author does not declare, or impossible, or a comment is malformed."""
        return self.outcome in WRONG and not self.verdict.declared

    @property
    def reason(self) -> str:
        """Why the number is not judged, or not by its name; empty for any other."""
        if self.outcome == "consistent":
            return f"the note does not say that it is {self.verdict.name or 'this quantity'}"
        return "" if self.is_wrong else self.verdict.why_not

    @property
    def severity(self) -> str:
        """How far a wrong number is off: in its last digit, by at most one and a half units, or in its value.

        >>> [each.severity for each in check_note("DCG = 3/log2(2) + 2/log2(3) = 4.27, and 3/log2(2) = 3.5")]
        ['last digit', 'value']
        """
        number, computed = self.verdict.number, self.verdict.computed
        if not self.is_wrong:
            return ""
        if self.outcome == "impossible" or computed is None:
            return "value"
        return "last digit" if abs(Fraction(computed) - number.value) <= LAST_DIGIT * number.unit else "value"

    def __str__(self) -> str:
        said = self.verdict.reason if self.outcome == "malformed" else str(self.verdict).partition(": ")[2]
        said += f"; {self.reason}" if self.outcome == "consistent" else ""
        said += "; in the last digit" if self.severity == "last digit" else ""
        return f"{OUTCOMES[self.outcome]} {self.outcome}: {said}"


@dataclass(frozen=True)
class CheckedNote:
    """What was found in a note.

    Parameters
    ----------
    findings : tuple of Finding
        In the order of the file.
    understood : tuple of Understood
        How its examples were read, in the order of the file.
    unread : int
        The line from which nothing was read, as the note takes too many steps; 0 where all was read.
    others : tuple of Finding
        The other numbers with decimals in its text, of which nothing says what they are; all are unchecked.
    """

    findings: tuple[Finding, ...]
    understood: tuple[Understood, ...] = ()
    unread: int = 0
    others: tuple[Finding, ...] = ()


def check_note(
    text: str,
    form: Format = "text",
    *,
    grades: Sequence[float] | None = None,
    convention: Convention | None = None,
    steps: int = STEPS,
) -> list[Finding]:
    """Judge every number that a note states about CG, DCG, NDCG and their neighbours.

    Parameters
    ----------
    text : str
        What the file holds.
    form : {"text", "html", "notebook"}, optional
        Its format.
    grades : sequence of float, optional
        The ranking, best rank first, if the note leaves it out; that of the note is then not looked for.
    convention : Convention, optional
        The convention, if the note leaves it out.
    steps : int, optional
        How much work it may be; what `read_note` counts.

    Returns
    -------
    list of Finding
        In the order of the file.

    Raises
    ------
    ValueError
        If a notebook is none, or the note takes more steps.

    Examples
    --------
    >>> for each in check_note("Grades [3, 0, 2]. DCG = 3/log2(2) + 0/log2(3) + 2/log2(4) = 4.01"):
    ...     print(each.line, each.column, each.verdict.outcome, each.stated, each.verdict.correct)
    1 61 slip 4.01 4.00
    >>> [each.verdict.correct for each in check_note("DCG = 4.00, NDCG = 0.93", grades=[3, 0, 2])]
    ['4.00', '0.94']
    """
    note = read_note(text, form, grades=grades, convention=convention, steps=steps)
    if note.unread:
        raise ValueError(f"expected a note that takes at most {steps} steps, found more from line {note.unread} on")
    return list(note.findings)


def read_note(
    text: str,
    form: Format = "text",
    *,
    grades: Sequence[float] | None = None,
    convention: Convention | None = None,
    steps: int = STEPS,
) -> CheckedNote:
    """Judge the numbers of a note, and tell how it was read, as far as the steps allow.

    The parameters are those of `check_note`. Steps do not depend on the processor: one is about what it takes to hold
    a number against one reading of its example.

    >>> note = "Grades [3, 0, 2]. DCG@3 = 3/log2(2) + 0/log2(3) + 2/log2(4) = 4.00" + chr(10) * 2
    >>> found = read_note(note + "Grades [1, 2, 0]. DCG = 1/log2(2) + 2/log2(3) = 2.26", steps=180)
    >>> [each.stated for each in found.findings], found.unread
    (['4.00'], 3)
    >>> print(found.understood[0])
    grades 3, 0, 2; linear gain, log2(rank + 1), from its numbers; k = 3
    """
    told = Told(None if grades is None else tuple(grades), convention)
    found: dict[int, Bound] = {}
    others: list[Bound] = []
    understood: list[Understood] = []
    unread = 0
    whole = region_of(text, form)
    bound, scopes = said_in(whole)
    for part in bound_parts(whole, told, scopes, steps):
        parts, end = judged_parts(part.region, part.told, part.steps)
        if end < len(part.region.text):
            unread = text.count("\n", 0, part.region.places[end]) + 1
        judged = held(part, [each for one in parts for each in one.judged])
        found |= {each.start: each for each in _stated_in(part.region, judged)}
        understood += understood_in(text, part, parts, judged)
        others += [] if part.settings else _others_in(part.region, parts, end)
    for each in bound:
        start, end = whole.places[each.start], whole.places[each.end]
        for place in range(start, end):
            found.pop(place, None)
        found[start] = each._replace(start=start, end=end)
    others = [each for each in others if not _is_within(each.start, found)]
    placed = [tuple(_placed(text, sorted(each, key=itemgetter(0)))) for each in (found.values(), others)]
    return CheckedNote(placed[0], tuple(understood), unread, placed[1])


def _is_within(offset: int, found: Mapping[int, Bound]) -> bool:
    """Whether a place is in a number that was found."""
    return any(start in found and offset < found[start].end for start in range(offset, offset - LONGEST, -1))


def _others_in(region: Region, parts: Sequence[JudgedPart], end: int) -> Iterator[Bound]:
    """The numbers with decimals in a region, outside of its code, as unchecked ones."""
    known = any(part.judging.hypotheses for part in parts)
    reason = "it was not recognized as a value of a ranking" if known else NOTHING
    for start, last, number in decimals_in(region.plain[:end]):
        if not region.is_code(start) and not _COUNTED.search(region.plain, max(0, start - NEAR), start):
            at, behind = region.places[start], region.places[_end(region.text, start, last)]
            verdict = judge(number, None, reason=reason)
            yield Bound(at, behind, verdict, str(verdict.outcome))


def _stated_in(region: Region, judged: Sequence[Judged]) -> Iterator[Bound]:
    """The numbers of a region that have a verdict, with their places in the file."""
    for each in judged:
        start, end = each.claim.start, _end(region.text, each.claim.start, each.claim.end)
        outcome = "impossible" if _is_impossible(region.text, each) else each.outcome
        yield Bound(region.places[start], region.places[end], each.verdict, outcome)


def _is_impossible(text: str, judged: Judged) -> bool:
    """Whether a number is wrong whatever the ranking is."""
    claim = judged.claim
    stated = _EQUALS.search(text, max(0, claim.start - NEAR_SIGN), claim.start) is not None and claim.number.unit < 1
    above = stated and claim.quantity in BOUNDED and claim.term is None and claim.number.bounds[0] > 1
    return above and judged.verdict.outcome is Outcome.UNCHECKED and not is_supposed(claim)


def _placed(text: str, found: Sequence[Bound]) -> Iterator[Finding]:
    """The findings with their lines, which are counted from one to the next."""
    line, start = 1, 0
    for offset, end, verdict, outcome in found:
        line += text.count("\n", start, offset)
        start = max(start, text.rfind("\n", start, offset) + 1)
        stated = text[offset:end]
        yield Finding(offset, len(stated), line, offset - start + 1, stated, verdict, outcome)


def _end(text: str, start: int, end: int) -> int:
    """Where a number ends in the text: behind a decimal comma in braces, before a percent sign that stands apart."""
    found = _LATEX_COMMA.match(text, start)
    return found.end() if found else start + len(text[start:end].rstrip(_BLANKS))
