"""The verdict on each number of an example: under the best reading if that is sure, else by the working of its line."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from operator import truediv

from ndcg_ref.notes.certainty import ENOUGH, FEW, is_sure
from ndcg_ref.notes.claims import (
    JudgedClaims,
    NoteClaim,
    is_bare_total,
    is_result,
    is_supposed,
    name_of,
)
from ndcg_ref.notes.examples import Example
from ndcg_ref.notes.grades import falls, gains_of, worked
from ndcg_ref.notes.measured import QUANTITIES, SETS
from ndcg_ref.notes.patterns import CLAUSE, DECIMAL
from ndcg_ref.notes.readings import MOST_LISTS, Hypothesis, information
from ndcg_ref.notes.relations import CellWorking
from ndcg_ref.notes.users import USERS
from ndcg_ref.notes.words import says
from ndcg_ref.stated.display import Outcome
from ndcg_ref.stated.equation import Side
from ndcg_ref.stated.number import Number, bounds_of, read_number, work
from ndcg_ref.stated.verdict import Verdict, judge
from ndcg_ref.subjects.ranking import alternatives_for

MOST_JUDGED, BESIDE = 250, 100  # claims of one example that are judged by its reading, and those beside each
ALIKE = 0.15  # how far a percentage may be from a result that it is meant to repeat
LEAST_DIGITS = 3  # by which a number tells its ranking
NEAR = 250  # characters between a number that is only named and the results that tell what it is about
# The end of a line that was not read: what follows is no whole side of it
_UNREAD = re.compile(r"\\[dt]?frac|[-+/*×·^]\s*(?:ld|lb|lg)?\s*$")
ALTERNATIVES = ("CG", "DCG", "IDCG", "NDCG")


def verdicts_on(example: Example, readings: Sequence[Hypothesis]) -> JudgedClaims:
    """Every claim of an example with its verdict, under its readings, the best first."""
    found: list[tuple[NoteClaim, Verdict]] = []
    cells: dict[int, Verdict] = {}
    exact: set[int] = set()  # the cells whose right values are known, and not only within the rounding of others
    for i, claim in enumerate(example.claims):
        if i >= MOST_JUDGED:  # so many that it is no worked example any more
            verdict = _by_working(claim, name_of(claim), None, [])
        else:
            near = replace(example, claims=example.claims[max(0, i - BESIDE) : i + BESIDE])
            verdict = _verdict(claim, near, readings, found[-BESIDE:])
            exact |= {claim.start} if verdict.computed is not None else set()
        if claim.related is not None and verdict.outcome is Outcome.UNCHECKED:
            known = exact.issuperset(claim.related.places)
            verdict = _by_table(claim, claim.related, cells, known)
            exact |= {claim.start} if known and verdict.computed is not None else set()
        cells[claim.start] = verdict
        found.append((claim, verdict))
    return found


def _verdict(claim: NoteClaim, example: Example, readings: Sequence[Hypothesis], earlier: JudgedClaims) -> Verdict:
    """The verdict on a number; `earlier` has those on the numbers before it."""
    if claim.restated:
        return _as_percentage(claim, earlier)
    if claim.option:
        return _of_option(claim, example, readings)
    best = _reading(claim, example, readings)
    values = best.values(claim) if best is not None else []
    if claim.quantity in SETS and claim.working is not None:
        return _by_working(claim, name_of(claim), None, earlier)  # which documents are relevant is not known for sure
    name = name_of(claim)
    if best is not None and values and _is_unsorted(claim, best):
        return _with_causes(claim, values[0], name, best, earlier)
    agreeing = next((value for value in values if claim.number.covers(value)), None)
    of_something_else = _stands_alone(claim) and not _beside_right_ones(claim, example, readings)
    if agreeing is not None and not _perfect(claim, example, agreeing):
        return judge(claim.number, agreeing, name)
    if agreeing is not None and not of_something_else:
        return judge(claim.number.exactly(), agreeing, name)
    others = _otherwise(claim, example, readings)
    otherwise = next((value for value in others if claim.number.covers(value)), None)
    if otherwise is not None:
        return judge(claim.number, otherwise, name)
    if of_something_else:
        value = _ratio_of_numerator(claim, example, best)
        return _as_before(claim, name, earlier) if value is None else judge(claim.number, value, name)
    return _of_none(claim, example, readings, values, earlier)


def _of_none(
    claim: NoteClaim, example: Example, readings: Sequence[Hypothesis], values: Sequence[float], earlier: JudgedClaims
) -> Verdict:
    """The verdict on a number that is none of the values that its reading has for it."""
    name, best = name_of(claim), _reading(claim, example, readings)
    if claim.working is None and says("mean", CLAUSE.split(claim.label)[-1]):
        return judge(claim.number, None, name, reason="it is a mean, of which no list was found")
    if claim.operand and best is not None:
        return _of_operand(claim, earlier)
    if claim.quantity in USERS:
        return _by_working(claim, name, None, earlier)
    called = claim.called and claim.quantity not in ("AP", "R")  # for these there may be more relevant documents
    if values and best is not None and (called or is_sure(claim, example, best, readings)):
        found = _with_causes(claim, _nearest(claim, values), name, best, earlier)
        if not (_is_about_something_else(claim, found, earlier) or _is_rounded_wrongly(claim, found)):
            return found
    return _by_working(claim, name, best if claim.exact in values else None, earlier)


def _of_option(claim: NoteClaim, example: Example, readings: Sequence[Hypothesis]) -> Verdict:
    """The verdict on the result of a call with an option, of which other results of the note tell the meaning."""
    same = [each for each in example.claims if each.option == claim.option and each.start != claim.start]
    others = [each for each in same if readings and not readings[0].reproduces(each)]  # which the option changed
    told = [sum(information(each.number) for each in others if reading.reproduces(each)) for reading in readings]
    sure = [reading for reading, digits in zip(readings, told, strict=True) if digits == max(told) >= ENOUGH]
    for reading in sure or readings:
        if reading.reproduces(claim):
            return judge(claim.number, reading.values(claim)[0], name_of(claim))
    if sure:
        return judge(claim.number, sure[0].values(claim)[0], name_of(claim))
    return judge(claim.number, None, name_of(claim), reason="an option of the call may change it")


def _nearest(claim: NoteClaim, values: Sequence[float]) -> float:
    """The reading of a name that is nearest to the working of the line, if there is one; else the usual one."""
    side = claim.working
    if side is None or side.value is None:
        return values[0]
    aim = side.value
    return min(values, key=lambda value: abs(value - aim))


def _otherwise(claim: NoteClaim, example: Example, readings: Sequence[Hypothesis]) -> Iterator[float]:
    """What a number may be besides what the best reading makes of it, if it says so itself."""
    if claim.exact is not None and (claim.term is not None or (claim.summed and not claim.spelled)):
        yield claim.exact  # its own symbols say so, right or not; or it is a sum of its own, of other documents
    if claim.called and not claim.option:
        yield from (value for reading in readings for value in reading.values(claim))
    if (
        is_bare_total(claim)
        and readings
        and (says("variant", claim.label) or _is_stated_twice(claim, example, readings[0]))
    ):
        yield from (value for reading in readings if _alike(reading, readings[0]) for value in reading.values(claim))
    if (
        is_bare_total(claim)
        and not claim.own
        and readings
        and (second := _second_convention(claim, example, readings[0], readings))
    ):
        yield from second.values(claim)


def _is_unsorted(claim: NoteClaim, best: Hypothesis) -> bool:
    """Whether a line works an ideal DCG with the gains of the judged documents in another order than the best."""
    sums = worked(claim.working) if claim.quantity == "IDCG" and is_result(claim) and claim.working else None
    if sums is None or falls(sums.gains):
        return False
    bound = best.bound(claim)
    own = gains_of(bound.best, bound.convention)
    return Counter(filter(None, sums.gains)) == Counter(filter(None, own))


def _is_stated_twice(claim: NoteClaim, example: Example, best: Hypothesis) -> bool:
    """Whether another result of the same name comes out, so that the note may compare conventions."""
    others = (each for each in example.claims if is_result(each) and (each.chain != claim.chain or each.chain < 0))
    same = [each for each in others if each.number.text != claim.number.text]
    about = (claim.quantity, claim.ranking)
    alike = (each for each in same if None in (each.k, claim.k) or each.k == claim.k)
    return any((each.quantity, each.ranking) == about and best.reproduces(each) for each in alike)


def _alike(one: Hypothesis, other: Hypothesis) -> bool:
    return (one.grades, one.judged) == (other.grades, other.judged)


def _is_about_something_else(claim: NoteClaim, verdict: Verdict, earlier: JudgedClaims) -> bool:
    """Whether the line of a number comes out, of numbers that are no slips, and no cause leads to it otherwise."""
    side = claim.working
    if side is None or side.value is None or not claim.number.covers(side.value):
        return False
    wrong = {each.stated for _, each in earlier if each.outcome is Outcome.SLIP}
    chance = {"inherited", "unexplained"} | ({"digit"} if len(side.terms) > 1 else set())  # terms lead to the digits
    return set(verdict.causes) <= chance and not any(operand.text in wrong for operand in side.operands)


def _is_rounded_wrongly(claim: NoteClaim, verdict: Verdict) -> bool:
    """Whether the symbols of a number's own line lead to it, but for its last digit, and the ranking does not."""
    unexplained = set(verdict.causes) <= {"inherited", "unexplained"}
    return unexplained and claim.exact is not None and abs(claim.exact - claim.number.nearest_float) < claim.number.unit


def _ratio_of_numerator(claim: NoteClaim, example: Example, best: Hypothesis | None) -> float | None:
    """An NDCG of the only ranking whose DCG is the number right before it, as in "hers 5.524, an NDCG of 0.946"."""
    before = DECIMAL.findall(CLAUSE.split(claim.label)[-1])
    if claim.quantity != "NDCG" or best is None or not before or read_number(before[-1]).digits < LEAST_DIGITS:
        return None
    number, ratios = read_number(before[-1]), []
    for ranking in example.rankings[:MOST_LISTS]:
        bound = best.bound(replace(claim, ranking=ranking))
        values = {name: bound.values(name, claim.k)[0] for name in ALTERNATIVES[1:]}
        if number.covers(values["DCG"]) and not number.covers(values["IDCG"]):
            ratios.append(values["NDCG"])
    return ratios[0] if len(ratios) == 1 else None


def _reading(claim: NoteClaim, example: Example, readings: Sequence[Hypothesis]) -> Hypothesis | None:
    """The reading of a number: the best, unless its sum or column comes out whole under another convention in use."""
    whole = [each for each in example.claims if _are_together(each, claim)]
    if claim.said and readings:
        alike = (each for each in readings if _alike(each, readings[0]))
        said = next((each for each in alike if _is_said(each, readings[0], claim)), readings[0])
        if is_bare_total(claim) or sum(map(said.reproduces, whole)) > sum(map(readings[0].reproduces, whole)):
            return said
    ratio = claim.quantity == "NDCG" and claim.working is not None and any(each.operand for each in whole)
    if not ratio:
        whole = [each for each in whole if not each.operand and (each.cell is not None or each.term is not None)]
    if not readings or len(whole) < FEW or all(map(readings[0].reproduces, whole)):
        return readings[0] if readings else None
    for reading in readings[1:]:
        used = str(reading.convention.gain), str(reading.convention.discount)
        may_be = claim.cell is not None or (
            _alike(reading, readings[0])
            and (not example.shown or used in example.shown or _is_stated_twice(claim, example, readings[0]))
        )
        if may_be and not reading.inferred and all(map(reading.reproduces, whole)):
            return reading
    of_others = claim.own and claim.cell is not None  # a column of several rankings, with a convention of its own
    return next((reading for reading in readings if reading.values(claim)), readings[0]) if of_others else readings[0]


def _is_said(reading: Hypothesis, best: Hypothesis, claim: NoteClaim) -> bool:
    """Whether a reading has the convention that the sentence of a number names, and all else as the best one has it."""
    said = {isinstance(each, str): each for each in claim.said}
    gain, base = said.get(True, best.convention.gain), said.get(False, best.convention.base)
    return (reading.convention.gain, reading.convention.base) == (gain, base)


def _are_together(one: NoteClaim, other: NoteClaim) -> bool:
    """Whether two numbers stand in the same column, or in the same line."""
    if one.cell is not None and other.cell is not None:
        return one.cell[0] == other.cell[0]
    return one.chain == other.chain >= 0


def _stands_alone(claim: NoteClaim) -> bool:
    """Whether a number is only named, so that it may be about anything."""
    return claim.bare or (
        claim.quantity in SETS + USERS and claim.working is None and is_result(claim) and not claim.called
    )


def _beside_right_ones(claim: NoteClaim, example: Example, readings: Sequence[Hypothesis]) -> bool:
    """Whether the nearest results beside a number come out, so that it is about the same ranking."""
    results = (each for each in example.claims if is_result(each) and not each.restated and each is not claim)
    others = [each for each in results if each.quantity in QUANTITIES]
    nearest = sorted(others, key=lambda each: abs(each.start - claim.start))[:2]
    near = ((each, _reading(each, example, readings)) for each in nearest if abs(each.start - claim.start) < NEAR)
    same = [each for each, reading in near if reading is not None and reading.reproduces(each)]
    return len(same) == 2 and not any((each.quantity, each.k) == (claim.quantity, claim.k) for each in same)


def _second_convention(
    claim: NoteClaim, example: Example, best: Hypothesis, readings: Sequence[Hypothesis]
) -> Hypothesis | None:
    """The reading of the same ranking under another convention, if two or more totals without working come out."""
    for reading in readings:
        if _alike(reading, best) and reading.reproduces(claim):
            bare = [each for each in example.claims if is_bare_total(each) and not best.reproduces(each)]
            if sum(map(reading.reproduces, bare)) > 1:
                return reading
    return None


def _with_causes(
    claim: NoteClaim, value: float, name: str, reading: Hypothesis | None, earlier: JudgedClaims
) -> Verdict:
    """The verdict on a result, with all that its line and the reading of the note know of it."""
    side = claim.working if claim.working is not None and claim.working.operands else None
    alternatives = None
    if reading is not None and claim.quantity in ALTERNATIVES and claim.term is None and claim.cell is None:
        bound = reading.bound(claim)
        k = claim.k if claim.sure else None
        alternatives = alternatives_for(
            claim.quantity.lower(), bound.grades, bound.convention, k, bound.judged if bound.holds_ranking else None
        )
    if side is None and reading is not None and (pair := _numerator_and_denominator(claim, earlier)):
        return judge(claim.number, value, name, operands=pair, working=truediv, alternatives=alternatives)
    if side is None:
        return judge(claim.number, value, name, alternatives=alternatives)
    operands = [_as_judged(operand, earlier) for operand in side.operands]
    return judge(claim.number, value, name, operands=operands, working=side.with_operands, alternatives=alternatives)


def _numerator_and_denominator(claim: NoteClaim, earlier: JudgedClaims) -> list[Verdict]:
    """The verdicts on the DCG and the IDCG that an NDCG without working follows from; none where one is missing."""
    found = {each.quantity: verdict for each, verdict in earlier if each.k == claim.k and each.term is None}
    return [found["DCG"], found["IDCG"]] if claim.quantity == "NDCG" and {"DCG", "IDCG"} <= found.keys() else []


def _as_judged(operand: Number, earlier: JudgedClaims) -> Number | Verdict:
    """A number of a line, as the verdict on it knows it."""
    known = [verdict for _, verdict in earlier if verdict.stated == operand.text and verdict.computed is not None]
    return known[-1] if known else operand


def _as_inherited(operand: Number, earlier: JudgedClaims) -> Number | Verdict:
    """A number of a line; with the verdict on it if it repeats a slip above, of which the line goes on to be wrong."""
    for _, verdict in reversed(earlier):
        if verdict.stated == operand.text and verdict.computed is not None:
            return verdict if verdict.outcome is Outcome.SLIP else operand
    return operand


def _as_percentage(claim: NoteClaim, earlier: JudgedClaims) -> Verdict:
    """The verdict on a percentage that repeats the result right before it."""
    name = name_of(claim)
    before = [verdict for each, verdict in earlier if each.start < claim.start and each.quantity == claim.quantity]
    value = before[-1].computed if before else None
    if value is not None and abs(value - claim.number.value) < ALIKE:
        return judge(claim.number, value, name)
    return judge(claim.number, None, name, reason="it repeats a result above")


def _as_before(claim: NoteClaim, name: str, earlier: JudgedClaims) -> Verdict:
    """The verdict on a number that a sentence repeats: that of the working which gave it."""
    for each, verdict in earlier:
        if not each.bare and each.quantity == claim.quantity and each.number.text == claim.number.text:
            return replace(verdict, name=name)
    return judge(claim.number, None, name, reason="a sentence states it, and no working was found")


def _of_operand(claim: NoteClaim, earlier: JudgedClaims) -> Verdict:
    """The verdict on a number that a line works with: that of the result which it repeats."""
    name = name_of(claim)
    for each, verdict in reversed(earlier):
        if is_result(each) and each.number.text == claim.number.text:
            if verdict.outcome is Outcome.AGREES:
                return replace(verdict, name=name)
            return judge(claim.number, None, name, reason="it repeats a result above")
    return judge(claim.number, None, name, reason="nothing to compute it from was found")


def _perfect(claim: NoteClaim, example: Example, value: float) -> bool:
    """Whether an NDCG is printed as 1.0 in a note that shows more digits elsewhere, so that it claims perfection."""
    number = claim.number
    if claim.quantity != "NDCG" or number.value != 1 or number.unit == 1 or value >= 1 - 1e-9 or is_supposed(claim):
        return False
    return any(each.number.unit < claim.number.unit for each in example.claims)


def _by_working(claim: NoteClaim, name: str, reading: Hypothesis | None, earlier: JudgedClaims) -> Verdict:
    """The verdict where only the working of the line is known."""
    number, side = claim.number, claim.working
    if _UNREAD.search(claim.label):
        return judge(number, None, name, reason="the line was not read from its beginning")
    if claim.exact is not None:
        found = _with_causes(claim, claim.exact, name, reading, earlier)
        if found.outcome is not Outcome.SLIP or not _is_about_something_else(claim, found, earlier):
            return found
    if side is None or side.value is None:
        return judge(number, None, name, reason="nothing to compute it from was found")
    known = [_as_inherited(operand, earlier) for operand in side.operands]
    if any(isinstance(one, Verdict) for one in known):
        right = [one.computed if isinstance(one, Verdict) else one.nearest_float for one in known]
        value = work(side.with_operands, [one or 0.0 for one in right])
        if value is None:
            return judge(number, None, name, reason="it divides by a number that should be 0")
        return judge(number, value, name, operands=known, working=side.with_operands)
    return _within_rounding(number, side, name)


def _within_rounding(number: Number, side: Side, name: str) -> Verdict:
    """The verdict by a line whose operands are known as far as they are printed."""
    value = work(side.with_operands, [each.nearest_float for each in side.operands])
    low, high = bounds_of(side.with_operands, [each.bounds for each in side.operands])
    least, most = number.bounds
    excluded = high < least or low > most or math.isinf(low)
    if value is not None and (number.covers(value) or not side.operands or excluded):
        return judge(number, value, name)
    return judge(number, None, name, reason="its rounded operands allow more than one rounding")


def _by_table(claim: NoteClaim, working: CellWorking, cells: Mapping[int, Verdict], exact: bool) -> Verdict:
    """The verdict on a cell by those that it is worked out of; `exact` says whether their right values are known."""
    name = name_of(claim)
    try:
        side = working.side
    except ValueError:  # it has no value
        return judge(claim.number, None, name, reason="nothing to compute it from was found")
    known = [cells.get(place) for place in working.places]
    right = [each.computed for each in known if each is not None and each.computed is not None]
    value = work(side.with_operands, right) if exact and len(right) == len(known) else None
    if value is not None:
        operands = [each or number for each, number in zip(known, side.operands, strict=True)]
        return judge(
            claim.number, value, name, operands=operands or None, working=side.with_operands if operands else None
        )
    return _within_rounding(claim.number, side, name)
