r"""A text, part by part, as far as its steps allow: each part is judged by itself, under hypotheses of its own."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import NamedTuple

from ndcg_ref.notes.documents import Region
from ndcg_ref.notes.facts import Facts, facts_in
from ndcg_ref.notes.hypotheses import Told
from ndcg_ref.notes.islands import has_open_log
from ndcg_ref.notes.judging import Judged, Judging
from ndcg_ref.notes.limits import OF_CLAIM, within
from ndcg_ref.notes.users import user_in
from ndcg_ref.notes.written_formulas import shown
from ndcg_ref.stated.display import Outcome

LONGEST_PART = 12_000  # characters
BASES = (2.0, math.e, 10.0)
_BLANK = re.compile(r"\n[ \t\r]*\n")
_HEADING = re.compile(r"\n(?=[ \t]*#{1,6}[ \t]|\\(?:chapter|(?:sub){0,2}section)\b)")


class JudgedPart(NamedTuple):
    """A part of a text: where it begins, what it states and tells, its hypotheses, and the verdicts on its numbers."""

    first: int
    facts: Facts
    judging: Judging
    judged: list[Judged]


def judged_parts(region: Region, told: Told, steps: int) -> tuple[list[JudgedPart], int]:
    """The parts of a region that some steps allow to judge, and where that ends.

    A logarithm without a base is read to the base under which most numbers come out; formulas hold for all parts.
    """
    text = region.plain
    end, steps = within(region.text, steps)
    formulas, user = shown(text), user_in(text)
    found: list[JudgedPart] = []
    for first, last in parts_of(text[:end]):
        part = region.part(first, last)
        tried: list[JudgedPart] = []
        for base in BASES if has_open_log(text[first:last]) else BASES[:1]:
            facts = facts_in(part, formulas, user, base)
            judging = Judging(facts, told)
            steps -= len(facts.claims) * (OF_CLAIM + len(judging.hypotheses))
            if steps < 0:
                return found, first + facts.claims[0].start
            tried.append(JudgedPart(first, facts, judging, judging.judged()))
        best = max(tried, key=_agreeing)
        found.append(best._replace(judged=[each.moved(first) for each in best.judged]))
    return found, end


def _agreeing(part: JudgedPart) -> float:
    """What the numbers of a part tell that agree."""
    right = (each.claim.number for each in part.judged if each.verdict.outcome is Outcome.AGREES)
    return sum(1.0 if number.unit < 1 else 0.1 for number in right)


def parts_of(text: str) -> Iterator[tuple[int, int]]:
    r"""Where the parts of a text begin and end: at headings, or else between paragraphs, once they are long.

    >>> [last - first for first, last in parts_of("# A\n" + 20_000 * "x" + "\n# B\n" + 30 * "y")]
    [20005, 34]
    """
    first = 0
    while len(text) - first > LONGEST_PART:
        near = (
            [each.end() for each in form.finditer(text, first + 1, first + LONGEST_PART)] for form in (_HEADING, _BLANK)
        )
        behind = (form.search(text, first + LONGEST_PART) for form in (_HEADING, _BLANK))
        cuts = next(filter(None, near), []) or [each.end() for each in behind if each] or [len(text)]
        cut = cuts[-1] if cuts[-1] <= first + LONGEST_PART else min(cuts)
        yield first, cut
        first = cut
    if first < len(text):
        yield first, len(text)
