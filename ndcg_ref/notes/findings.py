"""Check a note: every number that it states, with its verdict and its place in the file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from operator import itemgetter
from typing import Any, NamedTuple

from ndcg_ref.conventions.convention import Convention
from ndcg_ref.notes.bindings import Bound, bound_parts, held, said_in
from ndcg_ref.notes.documents import Format, Region, region_of
from ndcg_ref.notes.facts import decimals_in
from ndcg_ref.notes.hypotheses import Told
from ndcg_ref.notes.judging import NOTHING, Judged
from ndcg_ref.notes.limits import STEPS
from ndcg_ref.notes.reading import judged_parts
from ndcg_ref.notes.understood import Understood, understood_in
from ndcg_ref.stated.display import MARKS, Outcome
from ndcg_ref.stated.verdict import Verdict, judge

_LATEX_COMMA = re.compile(r"[0-9]+\{,\}[0-9]+")
_BLANKS = "\\ ~\u00a0\u202f"
_EQUALS = re.compile(r"[^<>!:][=≈]\s*\Z")
NEAR_SIGN = 10  # characters before a number in which the sign is that states it
LAST_DIGIT = Fraction(3, 2)  # units by which a slip of the last digit is off at most
BOUNDED = ("NDCG", "P", "R", "RR", "AP", "MAP", "MRR")  # which are at most 1
WRONG = ("slip", "impossible", "malformed")
ORDER = ("agrees", "consistent", "slip", "impossible", "malformed", "undefined", "unchecked")  # of their counts
OWN_MARKS = {"consistent": "≈", "impossible": "‼", "malformed": "✗"}
OUTCOMES = {each: OWN_MARKS.get(each) or MARKS[Outcome(each)] for each in ORDER}


class Finding(NamedTuple):
    """A stated number of a note, and its verdict; or a comment of its author that is malformed."""

    offset: int  # in the file, in characters
    length: int
    line: int  # the same, counted from 1
    column: int
    stated: str  # as the file has it
    verdict: Verdict
    outcome: str  # one of `OUTCOMES`

    @property
    def is_wrong(self) -> bool:
        """Whether the number is a slip that its author does not declare, or impossible, or a comment is malformed."""
        return self.outcome in WRONG and not self.verdict.declared

    @property
    def reason(self) -> str:
        """Why the number is not judged, or not by its name; empty for any other."""
        if self.outcome == "consistent":
            return self.verdict.reason or f"the note does not say that it is {self.verdict.name or 'this quantity'}"
        return "" if self.is_wrong else self.verdict.why_not

    @property
    def severity(self) -> str:
        """How far a wrong number is off: in its last digit, by at most one and a half units, or in its value.

        >>> [each.severity for each in check_note("DCG = 3/log2(2) + 2/log2(3) = 4.27, and 3/log2(2) = 3.5")]
        ['last digit', 'value']
        >>> check_note("NDCG = 4.00/3.50 = 1.143")[-1].severity  # impossible
        'value'
        """
        number, computed = self.verdict.number, self.verdict.computed
        if not self.is_wrong:
            return ""
        if self.outcome == "impossible" or computed is None:
            return "value"
        return "last digit" if abs(Fraction(computed) - number.value) <= LAST_DIGIT * number.unit else "value"

    def __str__(self) -> str:
        said = self.verdict.reason if self.outcome == "malformed" else str(self.verdict).partition(": ")[2]
        said += f"; {self.reason}" if self.outcome == "consistent" and not self.verdict.reason else ""
        said += "; in the last digit" if self.severity == "last digit" else ""
        return f"{OUTCOMES[self.outcome]} {self.outcome}: {said}"


class CheckedNote(NamedTuple):
    """What was found in a note, in the order of the file."""

    findings: tuple[Finding, ...]
    understood: tuple[Understood, ...] = ()  # how its examples were read
    unread: int = 0  # the line from which nothing was read, as that takes too many steps
    others: tuple[Finding, ...] = ()  # other numbers with decimals, of which nothing says what they are; all unchecked


def check_note(text: str, form: Format = "text", **known: Any) -> list[Finding]:
    """Judge every number that a note states about CG, DCG, NDCG and their neighbours.

    It takes what `read_note` takes. A ValueError says that the note takes more steps, or is no notebook.

    >>> for each in check_note("Grades [3, 0, 2]. DCG = 3/log2(2) + 0/log2(3) + 2/log2(4) = 4.01"):
    ...     print(each.line, each.column, each.verdict.outcome, each.stated, each.verdict.correct)
    1 61 slip 4.01 4.00
    >>> [each.verdict.correct for each in check_note("DCG = 4.00, NDCG = 0.93", grades=[3, 0, 2])]
    ['4.00', '0.94']
    """
    note = read_note(text, form, **known)
    if note.unread:
        steps = known.get("steps", STEPS)
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
        How much work it may be, whatever the processor: a step is about what it takes to hold a number against one
        reading of its example.

    Examples
    --------
    >>> note = "Grades [3, 0, 2]. DCG@3 = 3/log2(2) + 0/log2(3) + 2/log2(4) = 4.00" + chr(10) * 2
    >>> found = read_note(note + "Grades [1, 2, 0]. DCG = 1/log2(2) + 2/log2(3) = 2.26", steps=250)
    >>> [each.stated for each in found.findings], found.unread
    (['4.00'], 3)
    >>> print(found.understood[0])
    grades 3, 0, 2; linear gain, log2(rank + 1), from its numbers; k = 3
    """
    told = Told(None if grades is None else tuple(grades), convention)
    whole = region_of(text, form)
    said, scopes = said_in(whole)
    found = [each._replace(start=whole.places[each.start], end=whole.places[each.end]) for each in said]
    others: list[Bound] = []
    understood: list[Understood] = []
    unread = 0
    for part in bound_parts(whole, told, scopes):
        parts, end = judged_parts(part.region, part.told, steps // len(scopes) if part.settings else steps)
        if end < len(part.region.text):
            unread = text.count("\n", 0, part.region.places[end]) + 1
        judged = held(part, [each for one in parts for each in one.judged])
        found += _stated_in(part.region, judged)
        understood += understood_in(text, part, parts, judged)
        if not part.settings:
            others += _others_in(part.region, end, any(each.judging.hypotheses for each in parts))
    taken: set[int] = set()
    findings, rest = (tuple(_placed(text, each, taken)) for each in (found, others))
    return CheckedNote(findings, tuple(understood), unread, rest)


def _others_in(region: Region, end: int, is_known: bool) -> Iterator[Bound]:
    """The numbers with decimals in a region, outside of its code, as unchecked ones."""
    reason = "it was not recognized as a value of a ranking" if is_known else NOTHING
    for start, last, number in decimals_in(region.plain[:end]):
        if not region.is_code(start):
            yield _bound(region, start, last, judge(number, None, reason=reason), "unchecked")


def _stated_in(region: Region, judged: Sequence[Judged]) -> Iterator[Bound]:
    """The numbers of a region that have a verdict."""
    for each in judged:
        claim, number = each.claim, each.claim.number
        above = claim.quantity in BOUNDED and number.bounds[0] > 1 and number.unit < 1
        is_stated = _EQUALS.search(region.plain[max(0, claim.start - NEAR_SIGN) : claim.start])
        is_impossible = above and is_stated and each.outcome in ("unchecked", "consistent")
        yield _bound(region, claim.start, claim.end, each.verdict, "impossible" if is_impossible else each.outcome)


def _bound(region: Region, start: int, end: int, verdict: Verdict, outcome: str) -> Bound:
    """A number in the file; it ends behind a decimal comma in braces, before a percent sign that stands apart."""
    found = _LATEX_COMMA.match(region.text, start)
    end = found.end() if found else start + len(region.text[start:end].rstrip(_BLANKS))
    return Bound(region.places[start], region.places[end], verdict, outcome)


def _placed(text: str, found: Iterable[Bound], taken: set[int]) -> Iterator[Finding]:
    """The findings in the order of the file, without those that begin in one that came before them."""
    apart = []
    for each in found:
        if each.start not in taken:
            apart.append(each)
            taken.update(range(each.start, each.end))
    line, start = 1, 0
    for offset, end, verdict, outcome in sorted(apart, key=itemgetter(0)):
        line += text.count("\n", start, offset)
        start = max(start, text.rfind("\n", start, offset) + 1)
        yield Finding(offset, end - offset, line, offset - start + 1, text[offset:end], verdict, outcome)
