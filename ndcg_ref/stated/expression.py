"""What a side of a printed line says, as a tree of frozen nodes, each of which knows its value.

A tree is made once by the parser, and evaluated as often as there are questions: with its numbers as printed, or with
others in their place. A node that has no value for arithmetical reasons stops with its place in the line; a side with
a name in it has the value None. A new node is a class with `value`; `leaves` says what it is made of.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple, Protocol

from ndcg_ref.stated.tokens import Stop, Token

Replaced = Mapping[int, float]  # where a number starts in the line, and the value to take instead of it
AS_PRINTED: Replaced = {}


class Node(Protocol):
    """A part of an expression."""

    def value(self, replaced: Replaced = AS_PRINTED) -> float | None:
        """What it evaluates to; None where a name stands in it."""


class Numeral(NamedTuple):
    """A printed number, or one that a token says, such as the base of ``ln``."""

    token: Token
    printed: float

    def value(self, replaced: Replaced = AS_PRINTED) -> float:
        """The number, or what is taken in its place."""
        return replaced.get(self.token.start, self.printed) if replaced else self.printed


class Name(NamedTuple):
    """A name, such as ``DCG_1``: what it stands for is not known."""

    token: Token

    def value(self, replaced: Replaced = AS_PRINTED) -> None:
        """None."""


class Operation(NamedTuple):
    """What a function makes of other nodes, such as a power or a root."""

    work: Callable[..., float]
    parts: tuple[Node, ...]
    token: Token  # that says so

    def value(self, replaced: Replaced = AS_PRINTED) -> float | None:
        """What it makes of their values, where that is a real number."""
        values = [part.value(replaced) for part in self.parts]
        if None in values:
            return None
        try:
            value = self.work(*values)
        except OverflowError:
            value = math.inf
        except ValueError:
            raise Stop(self.token.start, "expected a real number", self.token.text) from None
        return _finite(value, self.token)


class Sum(NamedTuple):
    """Terms that are added, a minus being part of its term; `spans` says where each starts and ends in the line."""

    terms: tuple[Node, ...]
    spans: tuple[tuple[int, int], ...]
    sign: Token  # the last one

    def value(self, replaced: Replaced = AS_PRINTED) -> float | None:
        """The sum, rounded once."""
        return Operation(lambda *terms: math.fsum(terms), self.terms, self.sign).value(replaced)


class Product(NamedTuple):
    r"""Factors that are multiplied or divided by, from the left; ``\frac`` is one of two."""

    first: Node
    others: tuple[tuple[bool, Token, Node], ...]  # whether it divides, the token that says so, and the factor

    def value(self, replaced: Replaced = AS_PRINTED) -> float | None:
        """The product."""
        value = self.first.value(replaced)
        for divides, token, factor in self.others:
            other = factor.value(replaced)
            if value is None or other is None:
                value = None
            elif not divides:
                value = _finite(value * other, token)
            elif other == 0:
                raise Stop(token.start, "expected a divisor other than 0", "0")
            else:
                value = _finite(value / other, token)
        return value


class Logarithm(NamedTuple):
    """A logarithm to a base; `argument` is the first token of what it is taken of."""

    base: Node
    of: Node
    log: Token
    argument: Token

    def value(self, replaced: Replaced = AS_PRINTED) -> float | None:
        """The logarithm of a number above 0."""
        base = self.base.value(replaced)
        if base is None:
            raise Stop(self.log.start, "expected a base without names", self.log.text)
        if not base > 0 or base == 1:
            raise Stop(self.log.start, "expected a base above 0 other than 1", f"{base:g}")
        value = self.of.value(replaced)
        if value is None:
            return None
        if value <= 0:
            raise Stop(self.argument.start, "expected the logarithm of a number above 0", f"{value:g}")
        return math.log2(value) / math.log2(base)


def leaves(node: Node) -> Iterator[Node]:
    """The nodes that are not made of others, in the order of the line."""
    match node:
        case Operation(parts=parts) | Sum(terms=parts):
            pass
        case Product():
            parts = (node.first, *(factor for _, _, factor in node.others))
        case Logarithm():
            parts = (node.base, node.of)
        case _:
            yield node
            return
    for part in parts:
        yield from leaves(part)


def _finite(value: float, token: Token) -> float:
    if math.isinf(value):
        raise Stop(token.start, "expected a number within the range of a float", token.text)
    return value
