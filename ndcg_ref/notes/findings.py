"""Check a note: every number that it states, with its verdict and its place in the file."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain
from operator import itemgetter

from ndcg_ref.conventions.convention import EXPONENTIAL, Convention
from ndcg_ref.formulas.plain import gains
from ndcg_ref.notes.bindings import Bound, Part, held, parts_of, said_in
from ndcg_ref.notes.claims import NoteClaim, is_supposed, name_of
from ndcg_ref.notes.documents import Format, Region, regions_of
from ndcg_ref.notes.examples import Example, examples_of
from ndcg_ref.notes.islands import has_open_log, plain_text, readable_text
from ndcg_ref.notes.limits import STEPS, within
from ndcg_ref.notes.readings import Told, information, readings_of, steps_to_judge
from ndcg_ref.notes.search import reached_in
from ndcg_ref.notes.understood import (
    MOST_READINGS,
    NOTHING,
    JudgedExample,
    Understood,
    fixes_formula,
    understood_in,
    with_reasons,
)
from ndcg_ref.notes.verdicts import verdicts_on
from ndcg_ref.stated.display import MARKS, Outcome
from ndcg_ref.stated.number import bounds_of, work
from ndcg_ref.stated.verdict import Verdict, judge

_LATEX_COMMA = re.compile(r"[0-9]+\{,\}[0-9]+")
_DECIMAL = re.compile(r"(?<![\w.,{}-])[0-9]{1,5}\.[0-9]{1,17}(?:%|(?![\w%])(?![.,]\w))")
_COUNTED = re.compile(r"(?:version|section|chapter|figure|table|equation|exercise|§)[\s~(]*$", re.IGNORECASE)
BASES = (2.0, math.e, 10.0)
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
ROUNDED = 1e-9
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
    for whole in regions_of(text, form):
        bound, scopes = said_in(whole)
        for part in parts_of(whole, told, scopes, steps):
            region = part.region
            examples, end = best_examples(region, part.told, part.steps)
            if end < len(region.text):
                unread = text.count("\n", 0, region.places[end]) + 1
                region = replace(region, text=region.text[:end])
            examples = held(part, examples)
            for each in _stated_in(part, region, examples):
                # A table is of two examples where a ranking stands in it
                if each.start not in found or each.outcome == "agrees":
                    found[each.start] = each
            understood += understood_in(text, region, examples, part.told)
            others += [] if part.settings else _others_in(region, examples)
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


def _others_in(region: Region, examples: Sequence[JudgedExample]) -> Iterator[Bound]:
    """The numbers with decimals in a region, outside of its code, as unchecked ones."""
    reason = "it was not recognized as a value of a ranking" if any(each.readings for each in examples) else NOTHING
    text = plain_text(readable_text(region.text))
    for found in _DECIMAL.finditer(text):
        if not region.is_code(found.start()) and not _COUNTED.search(text, max(0, found.start() - NEAR), found.start()):
            start, end = region.places[found.start()], region.places[_end(region.text, found.start(), found.end())]
            verdict = judge(found[0], None, reason=reason)
            yield Bound(start, end, verdict, str(verdict.outcome))


def _stated_in(part: Part, region: Region, examples: Sequence[JudgedExample]) -> Iterator[Bound]:
    """The numbers that examples state, with their places in the file; means are judged as such.

    Those that are left open are searched for, unless an author has said what they are.
    """
    pairs = list(chain.from_iterable(each.verdicts for each in with_reasons(examples)))
    of_all = [] if part.settings else reached_in(region, [each.example for each in examples], pairs, part.told)
    reached = [each for each in of_all if any(each.start in span for span in part.within)]
    found_anew = {each.start for each in reached}
    for claim, verdict in pairs:
        if claim.start not in found_anew:
            outcome = "consistent" if _only_adds_up(claim, verdict) else _impossible(region.text, claim, verdict)
            end = region.places[_end(region.text, claim.start, claim.end)]
            yield Bound(region.places[claim.start], end, verdict, outcome or str(verdict.outcome))
    for each in reached:
        verdict = judge(each.number, each.value, each.name)
        end = region.places[_end(region.text, each.start, each.end)]
        yield Bound(region.places[each.start], end, verdict, str(verdict.outcome) if each.named else "consistent")


def _only_adds_up(claim: NoteClaim, verdict: Verdict) -> bool:
    """Whether all that is known of a number is that it follows from rounded numbers of its line."""
    side = claim.working if claim.working is not None else claim.related.side if claim.related is not None else None
    if verdict.outcome is not Outcome.AGREES or side is None or not side.operands:
        return False
    low, high = bounds_of(side.with_operands, [each.bounds for each in side.operands])
    follows = high - low > ROUNDED  # by more than floats are off
    return follows and verdict.computed == work(side.with_operands, [each.nearest_float for each in side.operands])


def _impossible(text: str, claim: NoteClaim, verdict: Verdict) -> str:
    """Whether a number is wrong whatever the ranking is: the outcome, empty if it is not."""
    stated = _EQUALS.search(text, max(0, claim.start - NEAR_SIGN), claim.start) is not None and claim.number.unit < 1
    above = stated and claim.quantity in BOUNDED and claim.term is None and claim.number.bounds[0] > 1
    return "impossible" if above and verdict.outcome is Outcome.UNCHECKED and not is_supposed(claim) else ""


def _placed(text: str, found: Sequence[Bound]) -> Iterator[Finding]:
    """The findings with their lines, which are counted from one to the next."""
    line, start = 1, 0
    for offset, end, verdict, outcome in found:
        line += text.count("\n", start, offset)
        start = max(start, text.rfind("\n", start, offset) + 1)
        stated = text[offset:end]
        yield Finding(offset, len(stated), line, offset - start + 1, stated, verdict, outcome)


def best_examples(region: Region, told: Told, steps: int = STEPS) -> tuple[list[JudgedExample], int]:
    """The examples of a region that some steps allow to judge, and where that ends.

    A logarithm without a base is read to the base under which most numbers come out.
    """
    text = region.text[: within(region.text, steps)[0]]
    bases = BASES if has_open_log(plain_text(text)) else BASES[:1]
    end, left = within(text, steps // len(bases))
    best: tuple[list[JudgedExample], int] = ([], end)
    most = -1.0
    for base in bases:
        found, reached = _judged_in(examples_of(text[:end], base, region.code), told, left)
        pairs = chain.from_iterable(each.verdicts for each in found)
        agreeing = sum(information(claim.number) for claim, verdict in pairs if verdict.outcome is Outcome.AGREES)
        if agreeing > most:
            best, most = (found, end if reached is None else reached), agreeing
    return best


def _judged_in(examples: Iterable[Example], told: Told, steps: int) -> tuple[list[JudgedExample], int | None]:
    """The examples that some steps allow to judge, and where the first one begins for which they are too few."""
    found: list[JudgedExample] = []
    for example in examples:
        steps -= steps_to_judge(example, told)
        if steps < 0:
            return found, example.claims[0].start
        found.append(_judged(example, told))
    return found, None


def _judged(example: Example, told: Told) -> JudgedExample:
    """An example and its verdicts; without the numbers whose grades have no gain, which are not checked."""
    try:
        return _with_verdicts(example, told)
    except (OverflowError, ValueError):
        refused = _refused(example, told.convention or EXPONENTIAL)
        if not refused:
            raise
    kept = replace(example, claims=tuple(claim for claim in example.claims if claim.start not in refused))
    if not kept.claims:
        kept = Example((), (), ())
    unchecked = [
        (claim, judge(claim.number, None, name_of(claim), reason=refused[claim.start]))
        for claim in example.claims
        if claim.start in refused
    ]
    found = _with_verdicts(kept, told)
    return found._replace(verdicts=[*found.verdicts, *unchecked])


def _with_verdicts(example: Example, told: Told) -> JudgedExample:
    readings = readings_of(example, told)
    fixed = fixes_formula(example, readings)
    return JudgedExample(example, readings[:MOST_READINGS], verdicts_on(example, readings), fixed)


def _refused(example: Example, convention: Convention) -> dict[int, str]:
    """Where the numbers stand whose grades have no gain, with the reason: a call has grades of its own."""
    of_all = [*example.rankings, *example.ideals]
    of_all += [grades for claim in example.claims if claim.cell for grades in _own(claim)]
    whole = _without_gain(of_all, convention)
    found = {claim.start: whole or _without_gain(_own(claim), convention) for claim in example.claims}
    return {start: reason for start, reason in found.items() if reason}


def _own(claim: NoteClaim) -> list[tuple[float, ...]]:
    return [grades for grades in (claim.ranking, claim.judged) if grades is not None]


def _without_gain(rankings: Iterable[tuple[float, ...]], convention: Convention) -> str:
    """Why a grade of some rankings has no gain; empty where each has one.

    >>> _without_gain([(2.0, -1.0)], EXPONENTIAL)
    'expected a grade of 0 or more, got -1'
    """
    for grades in dict.fromkeys(rankings):
        try:
            gains(grades, convention)
        except ValueError as error:
            return str(error).partition(": ")[2].partition(" (")[0]  # its place and its hint are those of a call
    return ""


def _end(text: str, start: int, end: int) -> int:
    """Where a number ends in the text; one with a decimal comma in braces is longer than it was read."""
    found = _LATEX_COMMA.match(text, start)
    return found.end() if found else end
