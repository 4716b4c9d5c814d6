r"""The recomputation of a slip, step by step, up to the first step where the printed value departs from it.

A step is a line of Markdown: formulas between dollars, and links to earlier verdicts of the chapter by their labels.
A sum is followed term by term, any other line operand by operand, and a number of which nothing
else is known is rounded.
"""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from ndcg_ref.stated.causes import Evidence
from ndcg_ref.stated.claim import Claim, Operand, Term
from ndcg_ref.stated.display import in_dollars, literal, slug
from ndcg_ref.stated.number import Number


@dataclass(frozen=True)
class Step:
    """A step of a derivation, and whether the printed value departs there."""

    text: str
    departs: bool = False


def derive(claim: Claim, evidence: Sequence[Evidence]) -> tuple[Step, ...]:
    """The steps of a slip: in one of them the printed value departs.

    The steps behind it say what the line gives as it is printed, and what the right terms or operands give.

    >>> from ndcg_ref.stated.number import read_number
    >>> line = (Operand(read_number("7.42"), 7.41781, "DCG"), Operand(read_number("7.58"), 7.57939, "IDCG"))
    >>> claim = Claim(number=read_number("0.989"), computed=0.978682, operands=line, working=lambda a, b: a / b)
    >>> for step in derive(claim, ()):
    ...     print(step.text)
    7.42 stands for DCG, exactly 7.41781
    7.58 stands for IDCG, exactly 7.57939
    the line as printed gives 0.978892
    the exact value is 0.978682, rounded to 3 decimals 0.979; printed 0.989
    """
    if claim.kind == "term":
        return tuple(_of_term(claim))
    if claim.terms:
        return tuple(_of_sum(claim, evidence))
    if claim.operands and claim.working is not None:
        return tuple(_of_line(claim, evidence))
    return (_departure(claim, claim.formula),)


def _of_sum(claim: Claim, evidence: Sequence[Evidence]) -> Iterator[Step]:
    exact = [term.exact for term in claim.terms]
    printed = [term.number.nearest_float for term in claim.terms]
    for i, term in enumerate(claim.terms, start=1):
        if not term.right:
            yield Step(f"{term.place}: {_division(term)}, but {_linked(term.name)} is {printed[i - 1]:.6g}", True)
            inherited = any(each.source == "inherited" for each in evidence)
            either = "" if inherited else f", not {_formula(claim.number.text)} either"
            yield Step(f"the line as printed adds up to {math.fsum(printed):.6g}{either}")
            yield Step(_right_rounding(claim))
            return
        total, as_printed = f"{math.fsum(exact[:i]):.6g}", f"{math.fsum(printed[:i]):.6g}"
        these = "terms as printed" if term.printed else "rounded terms"
        also = "" if as_printed == total else f", of the {these} {as_printed}"
        yield Step(f"{term.place}: {_right_term(term)}" + (f"; the sum is {total}{also}" if i > 1 else ""))
    yield _departure(claim)
    for term, each in product(claim.terms, evidence) if {each.cause for each in evidence} == {"term"} else ():
        if each.label in term.variants and each.value is not None:
            said = f"with {each.label} its term is {term.variants[each.label]:.6g} instead of {term.exact:.6g}"
            yield Step(f"{said}, and the sum is {claim.number.beside(each.value)}")


def _of_term(claim: Claim) -> Iterator[Step]:
    """A term that is wrong: the division, what it was copied from, and where the printed value departs."""
    [term] = claim.terms
    work = f"{term.place}: {_division(term)}"
    slips = [each.name for each in claim.operands if each.is_slip]
    copied = [Step(f"the printed value repeats {_linked(name)}, a slip of its own") for name in slips]
    if claim.number.exact:
        yield from copied
        yield Step(f"{work}; {_as_printed(claim.number)}", departs=True)
    else:
        yield from (Step(work), *copied, _departure(claim))


def _of_line(claim: Claim, evidence: Sequence[Evidence]) -> Iterator[Step]:
    others = claim.other_quantities if any(each.source == "quantity" for each in evidence) else ()
    departed = False
    for operand in claim.operands:
        said, departs = _operand(operand, [(label, value) for each, label, value in others if each is operand])
        yield Step(said, departs and not departed)
        departed = departed or departs
    if claim.as_printed is not None:
        texts = [operand.number.text for operand in claim.operands]
        shown = f", {_formula(claim.line(*texts))}," if claim.line else ""
        yield Step(f"the line as printed{shown} gives {claim.as_printed:.6g}")
    known = [(each.number, each.exact) for each in claim.operands if each.exact is not None]
    right = claim.worked([exact for _, exact in known]) if len(known) == len(claim.operands) else None
    if claim.line and right is not None and math.isclose(right, claim.exact, rel_tol=1e-9):
        texts = [number.beside(exact) for number, exact in known]
        line = _formula(claim.line(*texts))
        yield Step(f"with the exact numbers, {line}, it gives {claim.number.beside(right)}")
    yield Step(_right_rounding(claim)) if departed else _departure(claim)


def _departure(claim: Claim, formula: str = "") -> Step:
    """The step that departs: what the exact value rounds to, and what is printed."""
    return Step(f"{_right_rounding(claim, formula)}; {_as_printed(claim.number)}", departs=True)


def _operand(operand: Operand, others: Sequence[tuple[str, float]]) -> tuple[str, bool]:
    """What an operand is, and whether the printed value departs there."""
    text, exact = operand.number.text, operand.exact
    exactly = "" if exact is None else f"exactly {operand.number.beside(exact)}"
    own = f"{_linked(operand.name)}, {exactly}," if operand.name else exactly
    for label, value in others[:1]:
        instead = f", where {own} belongs" if exactly else ""
        return f"{text} is {literal(label)}, exactly {operand.number.beside(value)}{instead}", True
    if exact is None:
        return f"{text} is taken as printed", False
    if exact == operand.number.nearest_float:
        return f"{text} is exact", False
    if operand.is_slip:
        return f"{text} stands for {own.removesuffix(',')}, a slip of its own", True
    return f"{text} stands for {literal(operand.name) + ', ' if operand.name else ''}{exactly}", False


def _division(term: Term) -> str:
    """A term's division in words of numbers."""
    numerator, denominator = term.numerator, term.denominator
    return f"{numerator:g}" if denominator == 1 else f"{numerator:g} / {denominator:.6g} = {term.exact:.6g}"


def _right_term(term: Term) -> str:
    """A term that is right: the division, and what is printed where that says something else."""
    printed = _formula(term.number.text)
    if f"{term.number.nearest_float:.6g}" != f"{term.exact:.6g}":
        return f"{_division(term)}, {'printed' if term.printed else 'rounded'} {printed}"
    return f"{printed} = {term.exact:.6g}" if term.number.exact else _division(term)


def _linked(name: str) -> str:
    return f"[{literal(name)}](#{slug(name)})"


def _formula(text: str) -> str:
    """A term or a line as printed, on one line: in dollars where it is LaTeX."""
    text = " ".join(re.sub(r"\\\\|[&$]", " ", text).split())
    return in_dollars(text) if re.search(r"[\\^_]", text) else literal(text)


def _as_printed(number: Number) -> str:
    # A numeral shows its value; a fraction or a formula such as 2^1 / log2(10) does not
    shown = number.as_exact or not number.exact or number.text.isdecimal()
    return f"printed {_formula(number.text)}" + ("" if shown else f", which is {number.nearest_float:.6g}")


def _right_rounding(claim: Claim, formula: str = "") -> str:
    """The exact value, and its right rounding at the printed digits."""
    number, value = claim.number, claim.number.beside(claim.exact)
    exactly = f"{literal(formula)} = {value}" if formula else f"the exact value is {value}"
    if number.exact:
        return exactly
    decimals, tail, *_ = number.form
    how = f"to {decimals} decimal{'s' if decimals > 1 else ''}" if decimals else "to a whole number"
    right = number.at(number.nearest(claim.exact))
    return f"{exactly}, rounded {'like the printed value' if tail else how} {right}"
