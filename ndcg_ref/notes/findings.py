"""Check a note: every number that it states, with its verdict and its place in the file."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain

from ndcg_ref.conventions.convention import EXPONENTIAL, Convention
from ndcg_ref.formulas.plain import gains
from ndcg_ref.notes.claims import JudgedClaims, NoteClaim, name_of
from ndcg_ref.notes.differences import differences_of
from ndcg_ref.notes.documents import Format, Region, regions_of
from ndcg_ref.notes.examples import Example, examples_of
from ndcg_ref.notes.islands import has_open_log, plain_text
from ndcg_ref.notes.means import means_of
from ndcg_ref.notes.readings import Told, information
from ndcg_ref.notes.verdicts import verdicts_on
from ndcg_ref.stated.display import MARKS, Outcome
from ndcg_ref.stated.verdict import Verdict, judge

_LATEX_COMMA = re.compile(r"[0-9]+\{,\}[0-9]+")
BASES = (2.0, math.e, 10.0)
LAST_DIGIT = Fraction(3, 2)  # units by which a slip of the last digit is off at most
OUTCOMES = {  # with their marks, in the order in which they are counted
    "agrees": MARKS[Outcome.AGREES],
    "consistent": "≈",
    "slip": MARKS[Outcome.SLIP],
    "impossible": "‼",
    "undefined": MARKS[Outcome.UNDEFINED],
    "unchecked": MARKS[Outcome.UNCHECKED],
}
WRONG = ("slip", "impossible")


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
    outcome : {"agrees", "consistent", "slip", "impossible", "undefined", "unchecked"}
        What was found.
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
        """Whether the number is a slip, or impossible whatever the ranking is."""
        return self.outcome in WRONG

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
        said = str(self.verdict).partition(": ")[2]
        said += f"; {self.reason}" if self.outcome == "consistent" else ""
        said += "; in the last digit" if self.severity == "last digit" else ""
        return f"{OUTCOMES[self.outcome]} {self.outcome}: {said}"


def check_note(
    text: str, form: Format = "text", *, grades: Sequence[float] | None = None, convention: Convention | None = None
) -> list[Finding]:
    """Judge every number that a note states about CG, DCG and NDCG.

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

    Returns
    -------
    list of Finding
        In the order of the file.

    Raises
    ------
    ValueError
        If a notebook is none, or the note states more numbers than a book does.

    Examples
    --------
    >>> for each in check_note("Grades [3, 0, 2]. DCG = 3/log2(2) + 0/log2(3) + 2/log2(4) = 4.01"):
    ...     print(each.line, each.column, each.verdict.outcome, each.stated, each.verdict.correct)
    1 61 slip 4.01 4.00
    >>> [each.verdict.correct for each in check_note("DCG = 4.00, NDCG = 0.93", grades=[3, 0, 2])]
    ['4.00', '0.94']
    """
    told = Told(None if grades is None else tuple(grades), convention)
    found: dict[int, tuple[int, int, Verdict]] = {}
    for region in regions_of(text, form):
        pairs = list(chain.from_iterable(found for _, found in best_examples(region, told)))
        of_several = {pair[0].start: pair for pair in [*means_of(region, pairs), *differences_of(region, pairs)]}
        for claim, verdict in [*(pair for pair in pairs if pair[0].start not in of_several), *of_several.values()]:
            offset = region.places[claim.start]
            judged_before = found.get(offset)  # a table is of two examples where a ranking stands in it
            if judged_before is None or verdict.outcome is Outcome.AGREES:
                found[offset] = (offset, region.places[_end(region.text, claim)] - offset, verdict)
    return list(_placed(text, [found[offset] for offset in sorted(found)]))


def _placed(text: str, found: Sequence[tuple[int, int, Verdict]]) -> Iterator[Finding]:
    """The findings with their lines, which are counted from one to the next."""
    line, start = 1, 0
    for offset, length, verdict in found:
        line += text.count("\n", start, offset)
        start = max(start, text.rfind("\n", start, offset) + 1)
        stated = text[offset : offset + length]
        yield Finding(offset, length, line, offset - start + 1, stated, verdict, str(verdict.outcome))


def best_examples(region: Region, told: Told) -> list[tuple[Example, JudgedClaims]]:
    """The examples of a region, a logarithm without a base read to the base under which most numbers come out."""
    text = region.text
    best: list[tuple[Example, JudgedClaims]] = []
    most = -1.0
    for base in BASES if has_open_log(plain_text(text)) else BASES[:1]:
        found = [_judged(example, told) for example in examples_of(text, base, region.code)]
        pairs = chain.from_iterable(verdicts for _, verdicts in found)
        agreeing = sum(information(claim.number) for claim, verdict in pairs if verdict.outcome is Outcome.AGREES)
        if agreeing > most:
            best, most = found, agreeing
    return best


def _judged(example: Example, told: Told) -> tuple[Example, JudgedClaims]:
    """An example and its verdicts; without the numbers whose grades have no gain, which are not checked."""
    try:
        return example, verdicts_on(example, told)
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
    return kept, [*verdicts_on(kept, told), *unchecked]


def _refused(example: Example, convention: Convention) -> dict[int, str]:
    """Where the numbers stand whose grades have no gain, with the reason: a call has grades of its own."""
    of_all = [*example.rankings, *example.ideals]
    of_all += [grades for claim in example.claims if claim.cell for grades in _own(claim)]
    whole = _without_gain(of_all, convention)
    found = {claim.start: whole or _without_gain(_own(claim), convention) for claim in example.claims}
    return {start: reason for start, reason in found.items() if reason}


def _own(claim: NoteClaim) -> list[tuple[float, ...]]:
    return [grades for grades in (claim.ranking, claim.judged, claim.order) if grades is not None]


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


def _end(text: str, claim: NoteClaim) -> int:
    """Where a number ends in the text; one with a decimal comma in braces is longer than it was read."""
    found = _LATEX_COMMA.match(text, claim.start)
    return found.end() if found else claim.end
