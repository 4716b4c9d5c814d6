"""Check a note: every number that it states, with its verdict."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from operator import truediv

from ndcg_ref.convention import Convention
from ndcg_ref.notes.certainty import ENOUGH, FEW, is_bare_total, is_result, is_sum_of, is_sure
from ndcg_ref.notes.claims import UNNAMED, Claim, name_of
from ndcg_ref.notes.documents import Format, Region, regions_of
from ndcg_ref.notes.examples import Example, examples_of
from ndcg_ref.notes.hypotheses import MOST_LISTS, NOTHING, Hypothesis, Told, hypotheses_of, information
from ndcg_ref.notes.islands import has_open_log, plain_text
from ndcg_ref.notes.means import means_of
from ndcg_ref.notes.measured import MEANS, QUANTITIES, SETS
from ndcg_ref.notes.patterns import lazy_pattern
from ndcg_ref.notes.users import USERS
from ndcg_ref.notes.words import says
from ndcg_ref.stated.alternatives import alternatives_for
from ndcg_ref.stated.display import Outcome
from ndcg_ref.stated.number import Number, bounds_of
from ndcg_ref.stated.verdict import Verdict, judge

_LATEX_COMMA = lazy_pattern(r"[0-9]+\{,\}[0-9]+")
MOST_JUDGED, BESIDE = 250, 100  # claims of one example that are judged by its reading, and those beside each
ALIKE = 0.15  # how far a percentage may be from a result that it is meant to repeat
NEAR = 250  # characters
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
        means = {claim.start: (claim, verdict) for claim, verdict in means_of(region, pairs)}
        for claim, verdict in [*(pair for pair in pairs if pair[0].start not in means), *means.values()]:
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
        yield Finding(offset, length, line, offset - start + 1, text[offset : offset + length], verdict)


Judged = list[tuple[Claim, Verdict]]


def best_examples(region: Region, told: Told) -> list[tuple[Example, Judged]]:
    """The examples of a region, a logarithm without a base read to the base under which most numbers come out."""
    text = region.text
    best: list[tuple[Example, Judged]] = []
    most = -1.0
    for base in BASES if has_open_log(plain_text(text)) else BASES[:1]:
        found = [(example, judged(example, told)) for example in examples_of(text, base, region.code)]
        pairs = chain.from_iterable(verdicts for _, verdicts in found)
        agreeing = sum(information(claim.number) for claim, verdict in pairs if verdict.outcome is Outcome.AGREES)
        if agreeing > most:
            best, most = found, agreeing
    return best


def _end(text: str, claim: Claim) -> int:
    """Where a number ends in the text; one with a decimal comma in braces is longer than it was read."""
    found = _LATEX_COMMA.match(text, claim.start)
    return found.end() if found else claim.end


def judged(example: Example, told: Told = NOTHING) -> Judged:
    """Every claim of an example with its verdict."""
    rivals = hypotheses_of(example, told)
    found: Judged = []
    for i, claim in enumerate(example.claims):
        if i >= MOST_JUDGED:  # so many that it is no worked example any more
            found.append((claim, _by_working(claim, name_of(claim), None, [])))
            continue
        best = _reading(claim, example, rivals) if claim.cell is not None and not claim.label else None
        if claim.cell is None or claim.label or (best is not None and best.values(claim)):  # else it may be anything
            near = replace(example, claims=example.claims[max(0, i - BESIDE) : i + BESIDE])
            if claim.restated:
                found.append((claim, _as_percentage(claim, found[-BESIDE:])))
                continue
            verdict = _of_option if claim.option else _verdict
            found.append((claim, verdict(claim, near, rivals, found[-BESIDE:])))
    return [*found, *_of_numbers_alone(example, rivals[0] if rivals else None)]


def _of_numbers_alone(example: Example, best: Hypothesis | None) -> Iterator[tuple[Claim, Verdict]]:
    """The numbers without a name that are a DCG, an ideal DCG or an NDCG; any others may be anything."""
    if best is None or not example.alone:
        return
    bounds = [best.bound(replace(example.alone[0], ranking=grades)) for grades in (best.grades, *example.rankings)]
    measures = [(name, bound.values(name, None)[0]) for bound in bounds[:MOST_LISTS] for name in ALTERNATIVES[1:]]
    for claim in example.alone:
        found = next((each for each in measures if claim.number.covers(each[1])), None)
        if found is not None:
            yield claim, judge(claim.number, found[1], found[0])


def _verdict(claim: Claim, example: Example, rivals: Sequence[Hypothesis], earlier: Judged) -> Verdict:
    name = name_of(claim)
    best = _reading(claim, example, rivals)
    values = best.values(claim) if best is not None else []
    if claim.quantity in SETS and claim.working is not None:
        return _of_set(claim, name, values, earlier)
    agreeing = next((value for value in values if claim.number.covers(value)), None)
    perfect = agreeing is not None and _perfect(claim, example, agreeing)
    if agreeing is not None and not perfect:
        return judge(claim.number, agreeing, name)
    if agreeing is not None and not _is_said_of_something_else(claim, example, best):
        return judge(claim.number.exactly(), agreeing, name)
    others = chain(_otherwise(claim, example, rivals), _ratio_before(claim, earlier))
    otherwise = next((value for value in others if claim.number.covers(value)), None)
    if otherwise is not None:
        return judge(claim.number, otherwise, name)
    if _is_said_of_something_else(claim, example, best):
        return _as_before(claim, name, earlier)
    special = _of_its_kind(claim, example, rivals, earlier) if rivals else None
    if special is not None:
        return special
    called = claim.called and claim.quantity not in ("AP", "R")  # for these there may be more relevant documents
    if values and best is not None and (called or is_sure(claim, example, best, rivals)):
        found = _with_causes(claim, _nearest(claim, values), name, best, earlier)
        if not (
            _is_about_something_else(claim, found, earlier)
            or _is_grade_of_something_else(claim, found, example)
            or _is_rounded_wrongly(claim, found)
        ):
            return found
    return _by_working(claim, name, best if claim.exact in values else None, earlier)


def _of_user(claim: Claim, example: Example, best: Hypothesis, earlier: Judged) -> Verdict:
    """The verdict on a number of ERR or RBP that does not come out of the grades.

    A line that comes out may be about another ranking or scale, unless a known mistake leads from the grades to it.
    """
    name = name_of(claim)
    found = _by_working(claim, name, None, earlier)
    bound, values = best.bound(claim), best.values(claim)
    known = bound.user.scales if claim.quantity == "ERR" else bound.user.chances
    if not (known and values) or says("supposed", claim.label) or len(example.rankings) != 1:
        return found
    added = is_sum_of(claim, example, best)
    if claim.term is not None and not added:
        return found
    mistakes = bound.user.mistakes(claim.quantity or "", bound.grades, claim.k if claim.sure else None)
    meant = judge(claim.number, _nearest(claim, values), name, alternatives=mistakes)
    above = claim.number.bounds[0] > 1  # which neither can be
    follows = "term" in meant.causes and not meant.weak
    return meant if found.outcome is Outcome.UNCHECKED or above or follows or added else found


def _of_set(claim: Claim, name: str, values: Sequence[float], earlier: Judged) -> Verdict:
    """The verdict on a measure of the relevant documents by its line: which these are is not known for sure.

    A precision that divides the right number of documents by another number than its cutoff is a slip all the same.
    """
    side = claim.working
    divided = claim.quantity == "P" and claim.sure and claim.k and values and not claim.number.covers(values[0])
    if divided and side is not None and side.text.split("/")[0].strip() == f"{values[0] * (claim.k or 0):g}":
        return judge(claim.number, values[0], name)
    return _by_working(claim, name, None, earlier)


def _of_its_kind(claim: Claim, example: Example, rivals: Sequence[Hypothesis], earlier: Judged) -> Verdict | None:
    """The verdict on a number that is judged in a way of its own; None for the others."""
    if claim.operand:
        return _of_operand(claim, example, rivals, earlier)
    if claim.quantity in USERS:
        return _of_user(claim, example, _reading(claim, example, rivals) or rivals[0], earlier)
    return None


def _of_option(claim: Claim, example: Example, rivals: Sequence[Hypothesis], earlier: Judged) -> Verdict:
    """The verdict on the result of a call with an option, of which other results of the note tell the meaning."""
    same = [each for each in example.claims if each.option == claim.option and each.start != claim.start]
    others = [each for each in same if not rivals[0].reproduces(each)]  # which the option changed
    told = [sum(information(each.number) for each in others if rival.reproduces(each)) for rival in rivals]
    sure = [rival for rival, digits in zip(rivals, told, strict=True) if digits == max(told) >= ENOUGH]
    for rival in sure or rivals:
        if rival.reproduces(claim):
            return judge(claim.number, rival.values(claim)[0], name_of(claim))
    if sure:
        return judge(claim.number, sure[0].values(claim)[0], name_of(claim))
    return judge(claim.number, None, name_of(claim), reason="an option of the call may change it")


def _nearest(claim: Claim, values: Sequence[float]) -> float:
    """The reading of a name that is nearest to the working of the line, if there is one; else the usual one."""
    side = claim.working
    if side is None or side.value is None:
        return values[0]
    aim = side.value
    return min(values, key=lambda value: abs(value - aim))


def _otherwise(claim: Claim, example: Example, rivals: Sequence[Hypothesis]) -> Iterator[float]:
    """What a number may be besides what the best reading makes of it, if it says so itself."""
    if claim.exact is not None and (claim.term is not None or (claim.summed and not claim.spelled)):
        yield claim.exact  # its own symbols say so, right or not; or it is a sum of its own, of other documents
    if claim.called and not claim.option:
        yield from (value for rival in rivals for value in rival.values(claim))
    if claim.order and rivals and is_bare_total(claim):
        yield from replace(rivals[0], judged=claim.order).bound(claim).values("IDCG", claim.k)
    if (
        is_bare_total(claim)
        and rivals
        and (says("variant", claim.label) or _is_stated_twice(claim, example, rivals[0]))
    ):
        yield from (value for rival in rivals if _alike(rival, rivals[0]) for value in rival.values(claim))
    if is_bare_total(claim) and rivals and (second := _second_convention(claim, example, rivals[0], rivals)):
        yield from second.values(claim)


def _is_stated_twice(claim: Claim, example: Example, best: Hypothesis) -> bool:
    """Whether another total of the same name comes out, so that the note may compare conventions."""
    same = [each for each in example.claims if is_bare_total(each) and each.number.text != claim.number.text]
    about = (claim.quantity, claim.k, claim.ranking)
    return any((each.quantity, each.k, each.ranking) == about and best.reproduces(each) for each in same)


def _alike(one: Hypothesis, other: Hypothesis) -> bool:
    return (one.grades, one.judged) == (other.grades, other.judged)


def _is_about_something_else(claim: Claim, verdict: Verdict, earlier: Judged) -> bool:
    """Whether the line of a number comes out, of numbers that are no slips, and no cause leads to it otherwise."""
    side = claim.working
    if side is None or side.value is None or not claim.number.covers(side.value) or _divides_by_another(claim, earlier):
        return False
    wrong = {each.stated for _, each in earlier if each.outcome is Outcome.SLIP}
    chance = {"inherited", "unexplained"} | ({"digit"} if len(side.terms) > 1 else set())  # terms lead to the digits
    return set(verdict.causes) <= chance and not any(operand.text in wrong for operand in side.operands)


def _is_grade_of_something_else(claim: Claim, verdict: Verdict, example: Example) -> bool:
    """Whether a line adds up grades rightly, and one of them is not what the ranking has."""
    if claim.term is None or claim.quantity != "CG" or set(verdict.causes) != {"unexplained"}:
        return False
    totals = [each for each in example.claims if each.chain == claim.chain and is_result(each)]
    return any(each.working is not None and each.working.value == each.number.value for each in totals)


def _is_rounded_wrongly(claim: Claim, verdict: Verdict) -> bool:
    """Whether the symbols of a number's own line lead to it, but for its last digit, and the ranking does not."""
    unit = float(claim.number.unit)
    unexplained = set(verdict.causes) <= {"inherited", "unexplained"}
    return unexplained and claim.exact is not None and abs(claim.exact - claim.number.nearest_float) < unit


def _ratio_before(claim: Claim, earlier: Judged) -> Iterator[float]:
    """What the last DCG and ideal DCG before an NDCG make of it, if both are right, of whatever ranking they are."""
    last = {each.quantity: verdict for each, verdict in earlier if is_result(each) and each.k == claim.k}
    above, below = map(last.get, ("DCG", "IDCG"))
    if claim.quantity != "NDCG" or not is_result(claim) or claim.own or above is None or below is None:
        return
    right = above.outcome is below.outcome is Outcome.AGREES
    if right and above.computed is not None and below.computed:
        yield above.computed / below.computed


def _divides_by_another(claim: Claim, earlier: Judged) -> bool:
    """Whether an NDCG is divided by what the note calls a DCG, and an ideal DCG stands elsewhere."""
    results = [each for each, _ in earlier if is_result(each)]
    if claim.quantity != "NDCG" or claim.working is None or len(claim.working.operands) != 2:
        return False
    repeated = {each.quantity for each in results if each.number.text == claim.working.operands[1].text}
    return repeated == {"DCG"} and any(each.quantity == "IDCG" for each in results)


def _reading(claim: Claim, example: Example, rivals: Sequence[Hypothesis]) -> Hypothesis | None:
    """The reading of a number: the best, unless its sum or column comes out whole under another convention in use."""
    whole = [each for each in example.claims if _are_together(each, claim)]
    ratio = claim.quantity == "NDCG" and claim.working is not None and any(each.operand for each in whole)
    if not ratio:
        whole = [each for each in whole if not each.operand and (each.cell is not None or each.term is not None)]
    if not rivals or len(whole) < FEW or all(map(rivals[0].reproduces, whole)):
        return rivals[0] if rivals else None
    for rival in rivals[1:]:
        used = str(rival.convention.gain), str(rival.convention.discount)
        may_be = claim.cell is not None or (_alike(rival, rivals[0]) and (not example.shown or used in example.shown))
        if may_be and not rival.follows and not rival.spelled and all(map(rival.reproduces, whole)):
            return rival
    of_others = claim.own and claim.cell is not None  # a column of several rankings, with a convention of its own
    return next((rival for rival in rivals if rival.values(claim)), rivals[0]) if of_others else rivals[0]


def _are_together(one: Claim, other: Claim) -> bool:
    """Whether two numbers stand in the same column, or in the same line."""
    if one.cell is not None and other.cell is not None:
        return one.cell[0] == other.cell[0]
    return one.chain == other.chain >= 0


def _stands_alone(claim: Claim) -> bool:
    """Whether a number is only named, so that it may be about anything."""
    return claim.bare or (
        claim.quantity in SETS + USERS and claim.working is None and is_result(claim) and not claim.called
    )


def _is_said_of_something_else(claim: Claim, example: Example, best: Hypothesis | None) -> bool:
    """Whether a number is only named, and no right ones beside it tell that it is about the ranking."""
    return _stands_alone(claim) and not (best is not None and _beside_right_ones(claim, example, best))


def _beside_right_ones(claim: Claim, example: Example, best: Hypothesis) -> bool:
    """Whether the nearest results beside a number come out, so that it is about the same ranking."""
    others = [each for each in example.claims if is_result(each) and each.quantity in QUANTITIES and each is not claim]
    nearest = sorted(others, key=lambda each: abs(each.start - claim.start))[:2]
    same = [each for each in nearest if abs(each.start - claim.start) < NEAR and best.reproduces(each)]
    return len(same) == 2 and not any(_states_the_same(each, claim) for each in same)


def _states_the_same(one: Claim, other: Claim) -> bool:
    """Whether two numbers have the same name, and may be about the same ranking."""
    of_others = None not in (one.ranking, other.ranking) and one.ranking != other.ranking
    return (one.quantity, one.k) == (other.quantity, other.k) and not of_others


def _second_convention(
    claim: Claim, example: Example, best: Hypothesis, rivals: Sequence[Hypothesis]
) -> Hypothesis | None:
    """The reading of the same ranking under another convention, if two or more totals without working come out."""
    for rival in rivals:
        if _alike(rival, best) and not rival.follows and rival.reproduces(claim):
            bare = [each for each in example.claims if is_bare_total(each) and not best.reproduces(each)]
            if sum(map(rival.reproduces, bare)) > 1:
                return rival
    return None


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


def _as_percentage(claim: Claim, earlier: Judged) -> Verdict:
    """The verdict on a percentage that repeats the result right before it."""
    name = name_of(claim)
    before = [verdict for each, verdict in earlier if each.start < claim.start and each.quantity == claim.quantity]
    value = before[-1].computed if before and before[-1].outcome is Outcome.AGREES else None
    if value is not None and abs(value - claim.number.value) < ALIKE:
        return judge(claim.number, value, name)
    return judge(claim.number, None, name, reason="it repeats a result above")


def _as_before(claim: Claim, name: str, earlier: Judged) -> Verdict:
    """The verdict on a number that a sentence repeats: that of the working which gave it."""
    for each, verdict in earlier:
        if not each.bare and each.quantity == claim.quantity and each.number.text == claim.number.text:
            return replace(verdict, name=name)
    return judge(claim.number, None, name, reason="a sentence states it, and no working was found")


def _of_operand(claim: Claim, example: Example, rivals: Sequence[Hypothesis], earlier: Judged) -> Verdict:
    """The verdict on a number that a line works with: it repeats a result, or contradicts one that was right."""
    name = name_of(claim)
    results = [(each, verdict) for each, verdict in reversed(earlier) if is_result(each)]
    for each, verdict in results:
        if each.number.text == claim.number.text:
            if verdict.outcome is Outcome.AGREES:
                return replace(verdict, name=name)
            return judge(claim.number, None, name, reason="it repeats a result above")
    for each, verdict in results:
        alike = (each.quantity, each.k) == (claim.quantity, claim.k) and claim.quantity != UNNAMED
        if alike and verdict.outcome is Outcome.AGREES:
            if verdict.computed is not None and is_sure(claim, example, rivals[0], rivals):
                return _with_causes(claim, verdict.computed, name, rivals[0], earlier)
            break
    return judge(claim.number, None, name, reason="nothing to compute it from was found")


def _perfect(claim: Claim, example: Example, value: float) -> bool:
    """Whether a measure is printed as 1 in a note that shows more digits elsewhere, so that it claims perfection."""
    if claim.quantity != "NDCG" or claim.number.value != 1 or value >= 1 - 1e-9 or says("supposed", claim.label):
        return False
    return any(each.number.unit < claim.number.unit for each in example.claims)


def _by_working(claim: Claim, name: str, reading: Hypothesis | None, earlier: Judged) -> Verdict:
    """The verdict where only the working of the line is known."""
    number, side = claim.number, claim.working
    if claim.exact is not None:
        found = _with_causes(claim, claim.exact, name, reading, earlier)
        if found.outcome is not Outcome.SLIP or not _is_about_something_else(claim, found, earlier):
            return found
    if side is None or side.value is None:
        return judge(number, None, name, reason="nothing to compute it from was found")
    if says("mean", claim.label) or claim.quantity in MEANS:
        known = [_as_judged(operand, earlier) for operand in side.operands]
        values = [each.computed for each in known if isinstance(each, Verdict) and each.computed is not None]
        if len(values) == len(known) > 1 and not all(map(Number.covers, side.operands, values)):
            mean = side.with_operands(*values)
            return judge(number, mean, name, operands=known, working=side.with_operands)
    low, high = bounds_of(side.with_operands, [each.bounds for each in side.operands])
    least, most = number.bounds
    if number.covers(side.value) or not side.operands or high < least or low > most or math.isinf(low):
        return judge(number, side.value, name)
    return judge(number, None, name, reason="its rounded operands allow more than one rounding")
