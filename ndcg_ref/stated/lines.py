"""A printed line ``name = working = result``: its result, and each of its terms, as claims."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

from ndcg_ref.convention import Convention
from ndcg_ref.stated.alternatives import alternatives_for, as_terms, discounted
from ndcg_ref.stated.claim import Alternatives, Claim, Operand, Term, as_computed, could_be_rounded, total
from ndcg_ref.stated.equation import Side, read_equation
from ndcg_ref.stated.number import Number
from ndcg_ref.validation import quoted

Earlier = Sequence[tuple[str, Operand]]  # a number of a line, and whose it is


@dataclass(frozen=True)
class Line:
    """A printed line.

    Parameters
    ----------
    text, name : str
        The line as printed, and what its result is.
    worked : tuple of Side
        The sides before the result that have a value.
    end : Side
        The side that states the result.
    number : Number
        The result as printed.
    summed : (grades, Convention) or None
        The ranking whose discounted gains the line adds up.
    """

    text: str
    name: str
    worked: tuple[Side, ...]
    end: Side
    number: Number
    summed: tuple[Sequence[Any], Convention] | None = None


def read_line(text: str, name: str, terms: Any = None) -> Line:
    """Read a line; or refuse one that is none, or ends in no number."""
    summed = None if terms is None else as_terms(terms, f"{name}: terms")
    try:
        chains = read_equation(text, log_base=summed[1].base if summed else None).chains
        values = [[(side.value, side.number) for side in chain] for chain in chains]
    except TypeError as error:
        raise TypeError(f"{name}: {error}") from None
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None
    if len(chains) != 1:
        raise ValueError(f"{name}: expected one equation, got {len(chains)} in {quoted(text)}")
    [[*sides, end]], number = chains, values[0][-1][1]
    if number is None:
        raise ValueError(f"{name}: expected the line to end in a number, got {quoted(end.text)}")
    return Line(text, name, tuple(side for side in sides if side.value is not None), end, number, summed)


def claim_of(line: Line, exact: float | None, earlier: Earlier, alternatives: Alternatives) -> Claim:
    """The claim that the result states; `earlier` are numbers of the line, and whose they are."""
    claim = Claim(number=line.number, computed=exact, name=line.name, alternatives=alternatives)
    if line.summed is not None:
        terms = tuple(_terms(line)[-1])
        exact = math.fsum(term.exact for term in discounted(line.summed)) if exact is None else exact
        others = _merged(alternatives_for("dcg", *line.summed), alternatives)
        operands = tuple(term.operand for term in terms)
        claim = replace(claim, terms=terms, operands=operands, working=total, alternatives=others)
    elif line.worked:
        last = line.worked[-1]
        exact = line.worked[0].value if exact is None else exact
        operands = tuple(_known(number, earlier) for number in last.operands)
        claim = replace(claim, operands=operands, working=last.with_operands if operands else None, line=last.text_with)
    if exact is None:
        raise ValueError(f"{line.name}: expected exact= or a side with a value, got only names in {quoted(line.text)}")
    value = as_computed(exact, None, line.name)
    assert value is not None  # or it has been refused
    return replace(claim, computed=value, discrepancies=_discrepancies((*line.worked, line.end), value))


def wrong_terms(line: Line, earlier: Earlier) -> list[tuple[int, Claim]]:
    """The claims of the printed terms that are not the right ones, each with its number in its side."""
    return [
        (i, _of_term(line, term, earlier))
        for terms in (_terms(line) if line.summed else ())
        for i, term in enumerate(terms, start=1)
        if not term.right
    ]


def _of_term(line: Line, term: Term, earlier: Earlier) -> Claim:
    assert line.summed is not None  # else the line has no terms of its own
    grades, convention = line.summed
    copied = [replace(operand, number=term.number) for printed, operand in earlier if printed == term.number.text]
    return Claim(
        number=term.number,
        computed=term.exact,
        name=term.name,
        kind="term",
        operands=tuple(copied[:1]),
        working=total if copied else None,
        alternatives={"term": term.variants},
        terms=(term,),
        formula=_term_formula(grades[term.rank - 1], term, convention) if "\\" in term.number.text else "",
    )


def _terms(line: Line) -> list[list[Term]]:
    """The printed terms of each side that has them all, those of grade 0 left out or not."""
    assert line.summed is not None
    expected = discounted(line.summed)
    others = [term for term in expected if term.gain != 0]
    found: list[list[Term]] = []
    for side in line.worked:
        complete = next((each for each in (expected, others) if len(side.terms) == len(each)), None)
        if complete is not None:
            behind = f" of {side.text}" if found else ""
            printed = enumerate(zip(side.terms, complete, strict=True), start=1)
            found.append([_printed_term(each, term, f"{line.name}, term {i}{behind}") for i, (each, term) in printed])
    if not found:
        sides = line.worked
        got = f"got {len(sides[0].terms)} in {quoted(sides[0].text)}" if sides else "got no side that can be read"
        raise ValueError(f"{line.name}: expected {len(expected)} terms, or the {len(others)} other than 0, {got}")
    return found


def _printed_term(printed: Side, term: Term, name: str) -> Term:
    """A term of the ranking with what the line prints for it."""
    number = _term_number(printed)
    right = number.covers(term.exact) or _is_rounded(printed, term.exact)
    return replace(term, number=number, right=right, name=name, printed=True)


def _is_rounded(term: Side, exact: float) -> bool:
    """Whether a term worked with rounded numbers, such as 2/1.585, can be the exact one."""
    if term.number is not None:
        return False
    return bool(term.operands) and could_be_rounded(
        [Operand(each) for each in term.operands], term.with_operands, exact
    )


def _term_number(term: Side) -> Number:
    """A term as a printed number; an expression, such as a fraction with a logarithm, states its value exactly."""
    if term.number is not None:
        return term.number
    assert term.value is not None  # a side with a name in it has no terms
    above, below = term.value.as_integer_ratio()
    return Number(term.text, above, Fraction(1, below), exact=True)


def _term_formula(grade: float, term: Term, convention: Convention) -> str:
    """The right term in LaTeX; empty where the convention has a table or a function of its own."""
    shown = f"{grade:g}"
    power = shown if len(shown) == 1 else f"{{{shown}}}"
    gain = convention.gain if isinstance(convention.gain, str) else ""
    discount = convention.discount if isinstance(convention.discount, str) else ""
    numerator = {"linear": shown, "exponential": f"2^{power}-1"}.get(gain)
    argument = {"log(rank+1)": term.rank + 1, "log(rank)": term.rank}.get(discount)
    if numerator is None or grade < 0 or (argument is None and discount != "none"):
        return ""
    if argument is None or term.discount == 1:
        return numerator
    base = {2: r"\log_2", 10: r"\log_{10}", math.e: r"\ln"}.get(convention.base, rf"\log_{{{convention.base:g}}}")
    return rf"\frac{{{numerator}}}{{{base} {argument}}}"


def _known(number: Number, earlier: Earlier) -> Operand:
    """A number of the line, as the operand that an earlier verdict knows."""
    for printed, operand in earlier:
        if printed == number.text and operand.exact is not None:
            return replace(operand, number=number)
    return Operand(number)


def _discrepancies(sides: Sequence[Side], exact: float) -> tuple[str, ...]:
    """Each side that does not follow from the side before it, in words."""
    found = []
    for before, side in pairwise(sides):
        assert before.value is not None  # the caller passes sides with a value
        if side.number is None:
            follows = could_be_rounded([Operand(number) for number in side.operands], side.with_operands, before.value)
        elif side is sides[-1] and math.isclose(before.value, exact, rel_tol=1e-12):
            follows = True  # or the verdict says that it does not
        else:
            follows = side.number.covers(before.value)
        if not follows:
            found.append(f"the printed working gives {before.value:.6g}, not {side.text}")
    return tuple(found)


def _merged(some: Alternatives, more: Alternatives) -> Alternatives:
    return {kind: {**some.get(kind, {}), **more.get(kind, {})} for kind in {**some, **more}}
