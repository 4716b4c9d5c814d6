"""Whether the reading of a note may call one of its numbers a slip."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from operator import ne

from ndcg_ref.notes.claims import UNNAMED, NoteClaim, is_bare_total, is_result, is_supposed
from ndcg_ref.notes.examples import Example
from ndcg_ref.notes.grades import without_zeros
from ndcg_ref.notes.inverse import grades_of
from ndcg_ref.notes.measured import IDEAL, MEANS, QUANTITIES
from ndcg_ref.notes.readings import Hypothesis, information

ENOUGH = 4.0  # digits of other numbers that a reading has to reproduce before it may call a number a slip
MARGIN = 1.0
FEW = 3


def is_sure(claim: NoteClaim, example: Example, best: Hypothesis, readings: Sequence[Hypothesis]) -> bool:
    """Whether the best reading may call the number a slip: it explains much else, and no rival explains this."""
    if claim.quantity in MEANS and len(example.rankings) > 1:
        return False
    if is_bare_total(claim) and not best.told and not _most_come_out(claim, example, best):
        return False
    if claim.own and not _most_of_table(claim, example, best):
        return False
    if is_supposed(claim) or not _about_the_same(claim, example, best):
        return False
    if claim.quantity == "IDCG" and example.pooled and _has_larger_pool(claim, example, best):
        return False
    if not claim.spelled and _comes_out_elsewhere(claim, example, best):
        return False
    if claim.quantity == "NDCG" and min(best.values(claim)) > 1 + 1e-9:
        return False  # more than the ideal: the judged documents are not those of the reading
    others = best.points - (information(claim.number) if best.reproduces(claim) else 0.0)
    if others + best.cost < ENOUGH and not best.told:
        return False
    return all(
        rival.points < best.points - MARGIN + information(claim.number) and not (rival.inferred and claim.term)
        for rival in readings[1:]
        if rival.reproduces(claim)
    )


def _comes_out_elsewhere(claim: NoteClaim, example: Example, best: Hypothesis) -> bool:
    """Whether a result is right for another ranking of the example, which it may be about."""
    if claim.called and not claim.sure:
        return True  # how many documents are relevant is not known
    if claim.own:
        return False
    others = (replace(claim, ranking=ranking) for ranking in example.rankings if ranking != best.bound(claim).grades)
    return is_result(claim) and any(map(best.reproduces, others))


def _most_of_table(claim: NoteClaim, example: Example, best: Hypothesis) -> bool:
    """Whether half of a table or more comes out, so that it is about the rankings that it names."""
    same = [each for each in example.claims if each.own and each.chain == claim.chain]
    if claim.cell is not None:  # columns may be of several conventions
        same = [each for each in same if each.cell is not None and each.cell[0] == claim.cell[0]]
    return 2 * sum(map(best.reproduces, same)) >= len(same)


def _most_come_out(claim: NoteClaim, example: Example, best: Hypothesis) -> bool:
    """Whether most other totals without working that are said to be about the same ranking come out."""
    others = [each for each in example.claims if is_bare_total(each) and each.quantity in QUANTITIES]
    same = [each for each in others if each is not claim and each.ranking == claim.ranking]
    return len(same) < FEW or 2 * sum(map(best.reproduces, same)) >= len(same)


def _about_the_same(claim: NoteClaim, example: Example, best: Hypothesis) -> bool:
    """Whether the working around a claim is that of its quantity: most terms agree, or the operands are known."""
    if claim.spelled:
        return True
    terms = _terms_beside(claim, example)
    if terms:
        return is_sum_of(claim, example, best) and not _spells_another(terms, example, best)
    if claim.quantity == "NDCG" and (claim.working is None or not claim.working.operands):
        return best.told or _has_known_parts(claim, example, best)
    if claim.working is None or not claim.working.operands:
        return True
    before = [each for each in example.claims if each.start < claim.start]
    earlier = [each for each in before if is_result(each) or each.related is not None]
    for operand in claim.working.operands:
        known = [each for each in earlier if each.number.text == operand.text]
        bound = best.bound(claim)
        k = claim.k if claim.sure else None
        values = [value for quantity in ("DCG", "IDCG", "CG", "ICG") for value in bound.values(quantity, k)]
        if any(operand.covers(value) for value in values):
            continue
        if not any(best.reproduces(each) or _about_the_same(each, example, best) for each in known):
            return False
    return True


def _terms_beside(claim: NoteClaim, example: Example) -> list[NoteClaim]:
    """The terms that the line of a number adds up."""
    return [each for each in example.claims if each.chain == claim.chain and each.chain >= 0 and each.term]


def is_sum_of(claim: NoteClaim, example: Example, best: Hypothesis) -> bool:
    """Whether a number is a sum of terms most of which come out."""
    terms = _terms_beside(claim, example)
    told = [each for each in terms if each.number.value] or terms  # nothing comes to 0 under any reading
    right = sum(map(best.reproduces, told))
    if claim.quantity == UNNAMED:  # it may be of any list
        return right > 1 and 2 * right > len(told)
    return bool(told) and 2 * right >= len(told)


def _spells_another(terms: Sequence[NoteClaim], example: Example, best: Hypothesis) -> bool:
    """Whether terms are those of another list, or of whole grades two or more of which the ranking has not."""
    bound = best.bound(terms[0])
    whole = [each.term for each in terms] == [(i, len(terms)) for i in range(len(terms))]
    grades = grades_of([each.number for each in terms], bound.convention) if whole else None
    own = [bound.best] if terms[0].quantity in IDEAL else [bound.grades]
    own += [bound.best] if terms[0].quantity == UNNAMED else []
    whole_lists = {without_zeros(each) for each in example.rankings + example.ideals}
    if grades and without_zeros(grades) in whole_lists - {without_zeros(each) for each in own}:
        return True
    return grades is not None and all(sum(map(ne, grades, each)) > 1 for each in own)


def _has_known_parts(claim: NoteClaim, example: Example, best: Hypothesis) -> bool:
    """Whether the DCG and the ideal DCG that stand before a ratio without its working come out, where they stand."""
    for quantity in ("DCG", "IDCG"):
        before = [
            each
            for each in example.claims
            if each.start < claim.start and each.quantity == quantity and is_result(each)
        ]
        if before and quantity == "IDCG" and _has_larger_pool(before[-1], example, best):
            return False
        if before and not (best.reproduces(before[-1]) or _about_the_same(before[-1], example, best)):
            return False
    return True


def _has_larger_pool(claim: NoteClaim, example: Example, best: Hypothesis) -> bool:
    """Whether an ideal DCG adds up more documents with gain than the reading knows, so that some were not retrieved."""
    terms = [float(each.number.value) for each in _terms_beside(claim, example) if not each.operand]
    if not terms and claim.working is not None:
        terms = [term.value for term in claim.working.terms if term.value is not None]
    gained = sum(term > 0 for term in terms)
    return not best.reproduces(claim) and gained > sum(grade > 0 for grade in best.bound(claim).judged)
