"""A printed line ``name = working = result``: its result, and each of its terms, as claims."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

from ndcg_ref.conventions.validation import quoted, shortened
from ndcg_ref.stated.claim import Alternatives, Claim, Operand, Term, total
from ndcg_ref.stated.equation import Side, read_equation
from ndcg_ref.stated.number import Number

_RELATION = re.compile(r"[=≈]|\\(?:approx|simeq)")
Earlier = Sequence[tuple[str, Operand]]  # a number of a line, and whose it is


@dataclass(frozen=True)
class Line:
    """A printed line: what its result is, the sides that have a value, the one that ends it, and its number."""

    name: str
    worked: tuple[Side, ...]
    end: Side
    number: Number


def read_line(text: str, name: str, log_base: float | None = None) -> Line:
    """Read a line; or refuse one that is none, or ends in no number."""
    try:
        chains = read_equation(text, log_base=log_base).chains
        chains = tuple(tuple(_named(side, f"{name}, {chain[0].text}") for side in chain) for chain in chains)
        worked = [side for chain in chains for side in chain if side.value is not None]
        numbers = [side.number for chain in chains for side in chain]
    except (TypeError, ValueError) as error:
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(f"{shortened(name)}: {error}") from None
    if len(chains) != 1:
        raise ValueError(f"{shortened(name)}: expected one equation, got {len(chains)} in {quoted(text)}")
    end, number = chains[0][-1], numbers[-1]
    if number is None:
        raise ValueError(f"{shortened(name)}: expected the line to end in a number, got {quoted(end.text)}")
    return Line(name, tuple(worked[:-1]), end, number)


def _named(side: Side, name: str) -> Side:
    """The side, as a value of what a name says where it is printed behind an equals sign."""
    relations = _RELATION.findall(side.line, 0, side.start)
    return replace(side, name=name) if relations[-1:] == ["="] else side


def claims_of(
    line: Line, exact: float | None, terms: Sequence[Term] | None, earlier: Earlier, alternatives: Alternatives
) -> tuple[Claim, list[tuple[int, Claim]]]:
    """The claim that the result states; and those of wrong terms, each with its number in its side."""
    stages = [] if terms is None else _terms(line, terms)
    wrong = [(i, term) for stage in stages for i, term in enumerate(stage, start=1) if not term.right]
    if exact is None and terms is not None:
        exact = math.fsum(term.exact for term in terms)
    elif exact is None and line.worked:
        exact = line.worked[0].value
    if exact is None:
        raise ValueError(
            f"{shortened(line.name)}: expected exact= or a side with a value, got only names in {quoted(line.end.line)}"
        )
    claim = Claim(
        number=line.number,
        computed=exact,
        name=line.name,
        alternatives=alternatives,
        discrepancies=_discrepancies((*line.worked, line.end), exact),
    )
    if stages:
        operands = tuple(term.operand for term in stages[-1])
        claim = replace(claim, operands=operands, working=total, terms=tuple(stages[-1]))
    elif line.worked:
        last = line.worked[-1]
        operands = tuple(_known(number, earlier) for number in last.operands)
        claim = replace(claim, operands=operands, working=last.with_operands if operands else None, line=last.text_with)
    return claim, [(i, _of_term(term, earlier)) for i, term in wrong]


def _of_term(term: Term, earlier: Earlier) -> Claim:
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
        formula=term.formula if "\\" in term.number.text else "",
    )


def _terms(line: Line, expected: Sequence[Term]) -> list[list[Term]]:
    """The printed terms of each side that has those of a sum, with or without what is 0."""
    others = [term for term in expected if term.numerator != 0]
    found: list[list[Term]] = []
    for side in line.worked:
        complete = next((each for each in (expected, others) if len(side.terms) == len(each)), None)
        if complete is not None:
            behind = f" of {side.text}" if found else ""
            pairs = enumerate(zip(side.terms, complete, strict=True), 1)
            found.append([_printed_term(*pair, f"{line.name}, term {i}{behind}") for i, pair in pairs])
    if not found:
        sides = line.worked
        got = f"got {len(sides[0].terms)} in {quoted(sides[0].text)}" if sides else "got no side that can be read"
        raise ValueError(
            f"{shortened(line.name)}: expected {len(expected)} terms, or the {len(others)} other than 0, {got}"
        )
    return found


def _printed_term(printed: Side, term: Term, name: str) -> Term:
    """A term of the ranking with what the line prints for it; an expression states its value exactly."""
    number = printed.number
    if number is None:
        numerator, denominator = (printed.value or 0.0).as_integer_ratio()
        number = Number(printed.text, numerator, Fraction(1, denominator), exact=True)
    return replace(term, number=number, right=printed.covers(term.exact), name=name, printed=True)


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
        value = before.value or 0.0  # the caller passes sides with a value
        said = side is sides[-1] and math.isclose(value, exact, rel_tol=1e-12)  # that it differs is the verdict
        if not said and not side.covers(value):
            found.append(f"the printed working gives {value:.6g}, not {side.text}")
    return tuple(found)
