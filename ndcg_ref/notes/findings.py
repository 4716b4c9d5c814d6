"""Check a note: every number that it states, with its verdict and its place in the file."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from ndcg_ref.conventions.convention import Convention
from ndcg_ref.notes import thresholds as limit
from ndcg_ref.notes.documents import Format, Region, regions_of
from ndcg_ref.notes.islands import has_open_log, plain_text
from ndcg_ref.notes.judging import Found, bits_of
from ndcg_ref.notes.outcomes import outcomes_of
from ndcg_ref.notes.rankings import hypotheses_of
from ndcg_ref.notes.reading import read
from ndcg_ref.notes.rules import RULES, Rule
from ndcg_ref.stated.verdict import Verdict, judge
from ndcg_ref.subjects.ranking import alternatives_for

_LATEX_COMMA = re.compile(r"[0-9]+\{,\}[0-9]+")
BASES = (2.0, math.e, 10.0)


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
    severity : {"", "last digit", "value"}
        How far a wrong number is off.
    """

    offset: int
    length: int
    line: int
    column: int
    stated: str
    verdict: Verdict
    outcome: str
    severity: str = ""

    @property
    def is_wrong(self) -> bool:
        """Whether the number is a slip, or impossible."""
        return self.outcome in ("slip", "impossible")


def check_note(
    text: str,
    form: Format = "text",
    *,
    grades: Sequence[float] | None = None,
    convention: Convention | None = None,
    rules: Sequence[Rule] = RULES,
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
    rules : sequence of Rule, optional
        The rules that judge its results, all of them by default.

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
    told = None if grades is None else tuple(grades)
    placed: dict[int, tuple[int, int, Found]] = {}
    for region in regions_of(text, form):
        for each in best_reading(region, told, convention, rules):
            offset = region.places[each.mention.start]
            before = placed.get(offset)
            if before is None or RANK[each.outcome] > RANK[before[2].outcome]:
                placed[offset] = (offset, region.places[_end(region.text, each)] - offset, each)
    return list(_placed(text, [placed[offset] for offset in sorted(placed)]))


OUTCOMES = ("agrees", "consistent", "slip", "impossible", "undefined", "unchecked")
RANK = {"unchecked": 0, "consistent": 1, "undefined": 2, "impossible": 3, "slip": 4, "agrees": 5}


def best_reading(
    region: Region, told: tuple[float, ...] | None, convention: Convention | None, rules: Sequence[Rule] = RULES
) -> list[Found]:
    """The numbers of a region, a logarithm without a base read to the base under which most numbers come out."""
    best: list[Found] = []
    most = 0.0
    for base in BASES if has_open_log(plain_text(region.text)) else BASES[:1]:
        reading = read(region.text, base, region.code)
        found, _ = outcomes_of(reading, hypotheses_of(reading, told, convention, base), rules)
        agreeing = sum(bits_of(each.mention.number) for each in found if each.outcome == "agrees")
        if agreeing > most or not best:
            best, most = found, agreeing + limit.MARGIN
    return best


def _placed(text: str, found: Sequence[tuple[int, int, Found]]) -> Iterator[Finding]:
    """The findings with their lines, which are counted from one to the next."""
    line, start = 1, 0
    for offset, length, each in found:
        line += text.count("\n", start, offset)
        start = max(start, text.rfind("\n", start, offset) + 1)
        verdict = _verdict(each)
        severity = ""
        if each.outcome == "slip" and each.value is not None:
            off = abs(abs(each.value) - abs(each.mention.number.nearest_float)) / float(each.mention.number.unit)
            severity = "last digit" if off <= 1.5 else "value"
        yield Finding(
            offset,
            length,
            line,
            offset - start + 1,
            text[offset : offset + length],
            verdict,
            each.outcome,
            severity or ("value" if each.outcome == "impossible" else ""),
        )


def _verdict(found: Found) -> Verdict:
    """The verdict on a number, with its causes."""
    mention = found.mention
    name = mention.name.text
    if mention.role == "term" and mention.rank:
        name = f"{name}, term {mention.rank}".removeprefix(", ")
    if found.value is None:
        return judge(mention.number, None, name, reason=found.reason or "nothing to compute it from was found")
    if found.outcome != "slip":
        return judge(mention.number, found.value, name)
    alternatives = None
    one, quantity = found.hypothesis, mention.name.quantity
    if (
        one is not None
        and quantity in ("CG", "DCG", "IDCG", "NDCG")
        and mention.role in ("result", "bare", "call", "cell")
    ):
        k = mention.name.k if mention.name.sure else None
        with suppress(ValueError):
            alternatives = alternatives_for(quantity.lower(), one.grades, one.convention, k, one.judged)
    if found.side is not None and found.side.operands and len(found.side.operands) == len(found.resolved):
        operands = [
            number if value is None else judge(number, value)
            for number, value in zip(found.side.operands, found.resolved, strict=True)
        ]
        return judge(
            mention.number,
            found.value,
            name,
            operands=operands,
            working=found.side.with_operands,
            alternatives=alternatives,
        )
    return judge(mention.number, found.value, name, alternatives=alternatives)


def _end(text: str, found: Found) -> int:
    """Where a number ends in the text; one with a decimal comma in braces is longer than it was read."""
    match = _LATEX_COMMA.match(text, found.mention.start)
    return match.end() if match else found.mention.end
