"""The sides of a line as sums over ranks: what each term says of its gain, and of what divides it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ndcg_ref.notes.islands import Part
from ndcg_ref.stated.equation import Side, read_numeral
from ndcg_ref.stated.expression import Logarithm, Negation, Node, Numeral, Power, Product, Sum, leaves
from ndcg_ref.stated.number import Number
from ndcg_ref.stated.tokens import Stop


@dataclass(frozen=True)
class Decimal:
    """A number with decimals in a working: where it stands, the number, and what it is worked with as."""

    start: int
    end: int
    number: Number
    role: str = ""  # "above" or "below" a line, or "" for any other


@dataclass(frozen=True)
class Term:
    """A term of a sum.

    Parameters
    ----------
    start, end : int
        Where it stands in the region.
    value : float
        What it comes to as printed.
    number : Number or None
        The number, where it is nothing else.
    gain : float or None
        What is divided, or multiplied by a weight; None where it is a printed decimal.
    power : bool
        Whether that is written as a power of 2 less 1.
    divisor : float or None
        What it is divided by; None where nothing is.
    argument : float or None
        What a logarithm below it is taken of.
    decimals : tuple of Decimal
        The rounded numbers in it.
    """

    start: int
    end: int
    value: float
    number: Number | None = None
    gain: float | None = None
    power: bool = False
    divisor: float | None = None
    argument: float | None = None
    decimals: tuple[Decimal, ...] = ()

    @property
    def exact(self) -> bool:
        """Whether it holds no rounded number."""
        return not self.decimals and (self.number is None or self.number.unit >= 1)


def terms_of(part: Part) -> tuple[Term, ...]:
    """The terms of a side; those of the sum in it, where it divides a sum in brackets.

    >>> from ndcg_ref.notes.islands import chains_of
    >>> part = chains_of("DCG = 3/log2(2) + 2/1.585 = 4.26")[0].parts[1]
    >>> [(term.gain, term.argument, term.divisor) for term in terms_of(part)]
    [(3.0, 2.0, 1.0), (2.0, None, 1.585)]
    """
    side = part.side
    if side is None:
        return ()
    found = [_term(part, each) for each in side.terms]
    if len(found) == 1 and (inner := _sum_in(side.expression)) is not None:
        shift = part.start - side.start
        spans = [
            (node, start + shift, end + shift) for node, (start, end) in zip(inner.terms, inner.spans, strict=True)
        ]
        found = [_read(part, node, start, end) for node, start, end in spans]
    return tuple(term for term in found if term is not None) if None not in found else ()


def _sum_in(node: Node) -> Sum | None:
    """The sum that a product divides or multiplies."""
    factors = [node.first, *(each[2] for each in node.others)] if isinstance(node, Product) else [node]
    sums = [each for each in factors if isinstance(each, Sum) and not any(isinstance(p, Power) for p in each.parts)]
    return sums[0] if len(sums) == 1 else None


def _term(part: Part, side: Side) -> Term | None:
    at = part.start + side.start - part.side.start  # type: ignore[union-attr]
    return _read(part, side.expression, at, at + len(side.text))


def _read(part: Part, node: Node, start: int, end: int) -> Term | None:
    shift = part.start - part.side.start  # type: ignore[union-attr]
    try:
        value = node.value()
    except Stop:
        return None
    if value is None:
        return None
    if isinstance(node, Numeral):
        number = read_numeral(node.token.text, node.token.start)
        at = node.token.start + shift
        gain = value if number.unit == 1 else None
        return Term(at, at + len(node.token.text), value, number, gain)
    decimals = tuple(_decimals(node, shift))
    gain, divisor, argument, power = _parts(node)
    return Term(start, end, value, None, gain, power, divisor, argument, decimals)


def decimals_of(part: Part) -> tuple[Decimal, ...]:
    """The rounded numbers of a side, in its order."""
    side = part.side
    return tuple(_decimals(side.expression, part.start - side.start)) if side is not None else ()


def _decimals(node: Node, shift: int, role: str = "") -> Iterator[Decimal]:
    if isinstance(node, Numeral):
        token = node.token
        if "." in token.text or "%" in token.text:
            at = token.start + shift
            yield Decimal(at, at + len(token.text), read_numeral(token.text, token.start), role)
        return
    if isinstance(node, Product) and len(node.others) == 1 and node.others[0][0]:
        yield from _decimals(node.first, shift, "above")
        yield from _decimals(node.others[0][2], shift, "below")
        return
    for each in node.parts:
        yield from _decimals(each, shift)


def _parts(node: Node) -> tuple[float | None, float | None, float | None, bool]:
    """Gain, divisor, the argument of its logarithm, and whether the gain is a power less 1."""
    if isinstance(node, Product) and len(node.others) == 1:
        divides, _, other = node.others[0]
        first = node.first
        if not divides and _whole(first) is None:
            first, other = other, first  # a weight times a gain
        gain, below = _whole(first), other.value()
        if gain is None or not below:
            return None, None, None, False
        argument = other.of.value() if isinstance(other, Logarithm) else None
        return gain, below if divides else 1 / below, argument, _is_power(first)
    gain = _whole(node)
    return gain, None, None, _is_power(node)


def _whole(node: Node) -> float | None:
    """The gain that a node is: a number without logarithms, a whole one or a small decimal such as 0.5."""
    if isinstance(node, Negation | Logarithm) or any(
        isinstance(leaf, Logarithm) for leaf in [*leaves(node), *node.parts]
    ):
        return None
    value = node.value()
    if value is None or value < 0 or value > 1023 or (2 * value) % 1:
        return None
    return value


def _is_power(node: Node) -> bool:
    return isinstance(node, Sum) and any(isinstance(part, Power) for part in node.parts)


def grades_in(terms: Sequence[Term]) -> tuple[float, ...] | None:
    """The grades that the numerators of a sum show, at their ranks; None where they show none.

    >>> from ndcg_ref.notes.islands import chains_of
    >>> chain = chains_of("DCG = (2^2-1)/log2(2) + 0 + (2^1-1)/log2(4) = 3.5")[0]
    >>> grades_in(terms_of(chain.parts[1]))
    (2.0, 0.0, 1.0)
    """
    if len(terms) < 2 or any(term.gain is None for term in terms) or not any(term.divisor for term in terms):
        return None
    if any(term.argument is None and term.divisor is None and term.gain for term in terms[1:]):
        return None
    exponential = any(term.power for term in terms)
    grades = [math.log2(term.gain + 1) if exponential else term.gain for term in terms if term.gain is not None]
    return tuple(round(grade, 9) for grade in grades) if max(grades) <= 10 else None
