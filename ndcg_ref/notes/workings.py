"""The verdict on a number by the working of its line, or by the cells that it is worked out of."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from operator import truediv

from ndcg_ref.notes.claims import JudgedClaims, NoteClaim, name_of
from ndcg_ref.notes.measured import Measured
from ndcg_ref.notes.relations import CellWorking
from ndcg_ref.stated.display import Outcome
from ndcg_ref.stated.equation import Side
from ndcg_ref.stated.number import Number, Working, work
from ndcg_ref.stated.verdict import Verdict, judge
from ndcg_ref.subjects.ranking import alternatives_for

ALTERNATIVES = ("CG", "DCG", "IDCG", "NDCG")
# The end of a line that was not read: what follows is no whole side of it
_UNREAD = re.compile(r"\\[dt]?frac|[-+/*×·^]\s*(?:ld|lb|lg)?\s*$")
_alternatives_for = lru_cache(maxsize=64)(alternatives_for)  # a note repeats its results


def with_causes(claim: NoteClaim, value: float, name: str, own: Measured | None, earlier: JudgedClaims) -> Verdict:
    """The verdict on a result, with all that its line and its list know of it."""
    alternatives = None
    if own is not None and claim.quantity in ALTERNATIVES and claim.term is None and claim.cell is None:
        judged = own.judged if not Counter(own.grades) - Counter(own.judged) else None
        k = claim.k if claim.sure else None
        alternatives = _alternatives_for(claim.quantity.lower(), own.grades, own.convention, k, judged)
    operands: Sequence[Number | Verdict] = _numerator_and_denominator(claim, earlier) if own is not None else []
    working: Working = truediv
    if claim.working is not None and claim.working.operands:
        operands = [_as_known(operand, earlier) for operand in claim.working.operands]
        working = claim.working.with_operands
    if not operands:
        return judge(claim.number, value, name, alternatives=alternatives)
    return judge(claim.number, value, name, operands=operands, working=working, alternatives=alternatives)


def _numerator_and_denominator(claim: NoteClaim, earlier: JudgedClaims) -> list[Verdict]:
    """The verdicts on the DCG and the IDCG that an NDCG without working follows from; none where one is missing."""
    found = {each.quantity: verdict for each, verdict in earlier if each.k == claim.k and each.term is None}
    return [found["DCG"], found["IDCG"]] if claim.quantity == "NDCG" and {"DCG", "IDCG"} <= found.keys() else []


def by_working(claim: NoteClaim, earlier: JudgedClaims) -> Verdict:
    """The verdict where only the working of the line is known."""
    number, side, name = claim.number, claim.working, name_of(claim)
    if _UNREAD.search(claim.label):
        return judge(number, None, name, reason="the line was not read from its beginning")
    if claim.exact is not None:
        return with_causes(claim, claim.exact, name, None, earlier)
    if side is None or side.value is None:
        return judge(number, None, name, reason="nothing to compute it from was found")
    known = [_as_known(operand, earlier) for operand in side.operands]
    told = [one.outcome for one in known if isinstance(one, Verdict)]
    if Outcome.SLIP in told or len(told) == len(known) > 0:
        right = [one.computed if isinstance(one, Verdict) else one.nearest_float for one in known]
        value = work(side.with_operands, [one or 0.0 for one in right])
        reason = None if value is not None else "it divides by a number that should be 0"
        return judge(number, value, name, reason=reason, operands=known, working=side.with_operands)
    return _within_rounding(number, side, name)


def is_exact(claim: NoteClaim, earlier: JudgedClaims) -> bool:
    """Whether the right value of each number is known that a line works with."""
    operands = claim.working.operands if claim.working is not None else ()
    return all(isinstance(_as_known(each, earlier), Verdict) for each in operands)


def _as_known(operand: Number, earlier: JudgedClaims) -> Number | Verdict:
    """A number of a line; the verdict on it if it repeats a result above, as right or as wrong as that."""
    found = [each for _, each in reversed(earlier) if each.stated == operand.text and each.computed is not None]
    return next((each for each in found if each.outcome is Outcome.SLIP), found[0] if found else operand)


def _within_rounding(number: Number, side: Side, name: str) -> Verdict:
    """The verdict by a line whose operands are known as far as they are printed."""
    low, high = side.bounds
    least, most = number.bounds
    value = work(side.with_operands, [each.nearest_float for each in side.operands])
    if value is not None and (number.covers(value) or high < least or low > most):
        return judge(number, value, name)
    return judge(number, None, name, reason="its rounded operands allow more than one rounding")


def by_table(claim: NoteClaim, working: CellWorking, cells: Mapping[int, Verdict], *, exact: bool) -> Verdict:
    """The verdict on a cell by those that it is worked out of; `exact` says whether their right values are known."""
    side, name = working.side, name_of(claim)
    known = [cells[place] for place in working.places] if exact else []
    value = work(side.with_operands, [each.computed or 0.0 for each in known]) if exact else None
    if value is None:
        return _within_rounding(claim.number, side, name)
    return judge(claim.number, value, name, operands=known or None, working=side.with_operands if known else None)
