"""Check a note: every number that it states, with its verdict."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import truediv

from ndcg_ref.convention import Convention
from ndcg_ref.notes.claims import Claim
from ndcg_ref.notes.documents import Format, regions_of
from ndcg_ref.notes.examples import Example, examples_of
from ndcg_ref.notes.hypotheses import NOTHING, Hypothesis, Told, hypotheses_of, information
from ndcg_ref.notes.islands import has_open_log, plain_text
from ndcg_ref.notes.words import says_supposed
from ndcg_ref.stated.alternatives import alternatives_for
from ndcg_ref.stated.display import Outcome
from ndcg_ref.stated.number import Number, bounds_of
from ndcg_ref.stated.verdict import Verdict, judge

_LATEX_COMMA = re.compile(r"[0-9]+\{,\}[0-9]+")
ENOUGH = 4.0  # digits of other numbers that a reading has to reproduce before it may call a number a slip
MARGIN = 1.0
ALTERNATIVES = ("CG", "DCG", "IDCG", "NDCG")
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
    """

    offset: int
    length: int
    line: int
    column: int
    stated: str
    verdict: Verdict


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

    Examples
    --------
    >>> for each in check_note("Grades [3, 0, 2]. DCG = 3/log2(2) + 0/log2(3) + 2/log2(4) = 4.01"):
    ...     print(each.line, each.column, each.verdict.outcome, each.stated, each.verdict.correct)
    1 61 slip 4.01 4.00
    >>> [each.verdict.correct for each in check_note("DCG = 4.00, NDCG = 0.93", grades=[3, 0, 2])]
    ['4.00', '0.94']
    """
    told = Told(None if grades is None else tuple(grades), convention)
    found: list[Finding] = []
    starts = [0, *(i + 1 for i, sign in enumerate(text) if sign == "\n")]
    for region in regions_of(text, form):
        for claim, verdict in _best_reading(region.text, told):
            offset = region.places[claim.start]
            line = _line_of(starts, offset)
            length = region.places[_end(region.text, claim)] - offset
            stated = text[offset : offset + length]
            found.append(Finding(offset, length, line + 1, offset - starts[line] + 1, stated, verdict))
    return sorted(found, key=lambda each: each.offset)


def _best_reading(text: str, told: Told) -> list[tuple[Claim, Verdict]]:
    """The claims of a region, a logarithm without a base read to the base under which most of them come out."""
    best: list[tuple[Claim, Verdict]] = []
    most = -1.0
    for base in BASES if has_open_log(plain_text(text)) else BASES[:1]:
        found = [pair for example in examples_of(text, base) for pair in judged(example, told)]
        agreeing = sum(information(claim.number) for claim, verdict in found if verdict.outcome is Outcome.AGREES)
        if agreeing > most:
            best, most = found, agreeing
    return best


def _end(text: str, claim: Claim) -> int:
    """Where a number ends in the text; one with a decimal comma in braces is longer than it was read."""
    found = _LATEX_COMMA.match(text, claim.start)
    return found.end() if found else claim.end


def _line_of(starts: Sequence[int], offset: int) -> int:
    from bisect import bisect_right

    return bisect_right(starts, offset) - 1


def _reading_of_call(claim: Claim, rivals: Sequence[Hypothesis]) -> float | None:
    """What a call gives under another convention that prints its number; None if there is none."""
    if not claim.called:
        return None
    values = (value for rival in rivals for value in rival.values(claim))
    return next((value for value in values if claim.number.covers(value)), None)


Judged = list[tuple[Claim, Verdict]]


def judged(example: Example, told: Told = NOTHING) -> Judged:
    """Every claim of an example with its verdict."""
    rivals = hypotheses_of(example, told)
    found: Judged = []
    for claim in example.claims:
        found.append((claim, _verdict(claim, example, rivals, found)))
    return found


def _verdict(claim: Claim, example: Example, rivals: Sequence[Hypothesis], earlier: Judged) -> Verdict:
    name = _name(claim)
    best = rivals[0] if rivals else None
    values = best.values(claim) if best is not None else []
    agreeing = next((value for value in values if claim.number.covers(value)), None)
    if agreeing is not None and _perfect(claim, example, agreeing):
        return judge(claim.number.exactly(), agreeing, name)
    if agreeing is not None:
        return judge(claim.number, agreeing, name)
    if claim.term is not None and claim.exact is not None and claim.number.covers(claim.exact):
        return judge(claim.number, claim.exact, name)  # its own symbols say so, right or not
    if claim.summed and not claim.spelled and claim.exact is not None and claim.number.covers(claim.exact):
        return judge(claim.number, claim.exact, name)  # a sum of its own, of other documents
    reading = _reading_of_call(claim, rivals)
    if reading is not None:
        return judge(claim.number, reading, name)
    if claim.bare:
        return _as_before(claim, name, earlier)
    if values and best is not None and (claim.called or _sure(claim, example, best, rivals)):
        return _with_causes(claim, values[0], name, best, earlier)
    return _by_working(claim, name, best if claim.exact in values else None, earlier)


def _with_causes(claim: Claim, value: float, name: str, reading: Hypothesis | None, earlier: Judged) -> Verdict:
    """The verdict on a result, with all that its line and the reading of the note know of it."""
    side = claim.working if claim.working is not None and claim.working.operands else None
    alternatives = None
    if reading is not None and claim.quantity in ALTERNATIVES and claim.term is None and claim.cell is None:
        bound = reading.bound(claim)
        k = claim.k if claim.sure else None
        alternatives = alternatives_for(
            claim.quantity.lower(), bound.grades, bound.convention, k, bound.judged if bound.holds_ranking else None
        )
    if side is None and reading is not None and reading.told and (pair := _numerator_and_denominator(claim, earlier)):
        return judge(claim.number, value, name, operands=pair, working=truediv, alternatives=alternatives)
    if side is None:
        return judge(claim.number, value, name, alternatives=alternatives)
    operands = [_as_judged(operand, earlier) for operand in side.operands]
    return judge(claim.number, value, name, operands=operands, working=side.with_operands, alternatives=alternatives)


def _numerator_and_denominator(claim: Claim, earlier: Judged) -> list[Verdict]:
    """The verdicts on the DCG and the IDCG that an NDCG without working follows from; none where one is missing."""
    found = {each.quantity: verdict for each, verdict in earlier if each.k == claim.k and each.term is None}
    return [found["DCG"], found["IDCG"]] if claim.quantity == "NDCG" and {"DCG", "IDCG"} <= found.keys() else []


def _as_judged(operand: Number, earlier: Judged) -> Number | Verdict:
    """A number of a line, as the verdict on it knows it."""
    known = [verdict for _, verdict in earlier if verdict.stated == operand.text and verdict.computed is not None]
    return known[-1] if known else operand


def _as_before(claim: Claim, name: str, earlier: Judged) -> Verdict:
    """The verdict on a number that a sentence repeats: that of the working which gave it."""
    for each, verdict in earlier:
        if not each.bare and each.quantity == claim.quantity and each.number.text == claim.number.text:
            return replace(verdict, name=name)
    return judge(claim.number, None, name, reason="a sentence states it, and no working was found")


def _name(claim: Claim) -> str:
    cutoff = f"@{claim.k}" if claim.k and claim.sure else ""
    name = f"{claim.quantity}{cutoff}" if claim.quantity not in (None, "other") else claim.label[-30:].strip()
    return name if claim.term is None else f"{name}, term {claim.term[0] + 1}"


def _sure(claim: Claim, example: Example, best: Hypothesis, rivals: Sequence[Hypothesis]) -> bool:
    """Whether the best reading may call the number a slip: it explains much else, and no rival explains this."""
    if says_supposed(claim.label) or not _about_the_same(claim, example, best):
        return False
    others = best.points - (information(claim.number) if best.reproduces(claim) else 0.0)
    if others + best.cost < ENOUGH and not best.told:
        return False
    return all(
        rival.points < best.points - MARGIN + information(claim.number)
        for rival in rivals[1:]
        if rival.reproduces(claim)
    )


def _about_the_same(claim: Claim, example: Example, best: Hypothesis) -> bool:
    """Whether the working around a claim is that of its quantity: most terms agree, or the operands are known."""
    if claim.spelled:
        return True
    terms = [each for each in example.claims if each.chain == claim.chain and each.chain >= 0 and each.term]
    if terms and claim.quantity == "IDCG" and _below_ideal(claim, example, best):
        return True
    if terms:
        return 2 * sum(map(best.reproduces, terms)) >= len(terms)
    if claim.quantity == "NDCG" and (claim.working is None or not claim.working.operands):
        return best.told or _has_known_parts(claim, example, best)
    if claim.working is None or not claim.working.operands:
        return True
    earlier = [each for each in example.claims if each.start < claim.start and each.term is None and each.cell is None]
    for operand in claim.working.operands:
        known = [each for each in earlier if each.number.text == operand.text]
        bound = best.bound(claim)
        values = [bound.value(quantity, claim.k if claim.sure else None) for quantity in ("DCG", "IDCG", "CG", "ICG")]
        if any(operand.covers(value) for value in values):
            continue
        if not any(best.reproduces(each) or _about_the_same(each, example, best) for each in known):
            return False
    return True


def _has_known_parts(claim: Claim, example: Example, best: Hypothesis) -> bool:
    """Whether the DCG and the ideal DCG that stand before a ratio without its working come out, where they stand."""
    for quantity in ("DCG", "IDCG"):
        before = [
            each
            for each in example.claims
            if each.start < claim.start and each.quantity == quantity and each.term is None and each.cell is None
        ]
        if before and not (best.reproduces(before[-1]) or _about_the_same(before[-1], example, best)):
            return False
    return True


def _below_ideal(claim: Claim, example: Example, best: Hypothesis) -> bool:
    """Whether an ideal DCG is printed as less than that of the retrieved documents, which is the least there is."""
    lowest = best.bound(claim).value("IDCG", claim.k if claim.sure else None)
    totals = [each for each in example.claims if each.chain == claim.chain and each.term is None]
    return any(each.number.bounds[1] < lowest for each in totals)


def _perfect(claim: Claim, example: Example, value: float) -> bool:
    """Whether a measure is printed as 1 in a note that shows more digits elsewhere, so that it claims perfection."""
    if claim.quantity != "NDCG" or claim.number.value != 1 or value >= 1 - 1e-9 or says_supposed(claim.label):
        return False
    return any(each.number.unit < claim.number.unit for each in example.claims)


def _by_working(claim: Claim, name: str, reading: Hypothesis | None, earlier: Judged) -> Verdict:
    """The verdict where only the working of the line is known."""
    number, side = claim.number, claim.working
    if claim.exact is not None:
        return _with_causes(claim, claim.exact, name, reading, earlier)
    if side is None or side.value is None:
        return judge(number, None, name, reason="nothing to compute it from was found")
    low, high = bounds_of(side.with_operands, [each.bounds for each in side.operands])
    least, most = number.bounds
    if number.covers(side.value) or not side.operands or high < least or low > most or math.isinf(low):
        return judge(number, side.value, name)
    return judge(number, None, name, reason="its rounded operands allow more than one rounding")
