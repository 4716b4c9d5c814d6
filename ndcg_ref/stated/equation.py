r"""A printed chain a = b = c, read once; each of its sides is an expression that can be evaluated again.

The grammar is what notes print, LaTeX and plain, and nothing is guessed::

    lines   chain (newline chain)*          a line that goes on with = or an operator belongs to the one before
    chain   side ((= | \approx) side)*
    sum     [+|-] product ((+|-) product)*
    product power ((\cdot | \times | * | / | ÷ | nothing) power)*
    power   atom [^ power]
    atom    number, name, \frac{sum}{sum}, \log_{base} power, \ln power, \sqrt{sum}, or a sum in ( ), [ ] or { }

A side with a name in it (DCG_1, rel_i, \sum) has no value. Text is never evaluated as code: `tokenize` finds tokens,
the parser here makes nodes of them, and these know their values, in floats; sums are rounded once.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NoReturn

from ndcg_ref.conventions.validation import quoted
from ndcg_ref.stated import expression as tree
from ndcg_ref.stated.number import Bounds, Number, bounds_of, read_number
from ndcg_ref.stated.tokens import Stop, Token, tokenize

DEEPEST = 40

_CLOSES = {"(": ")", "[": "]", "{": "}", r"\{": r"\}"}
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_ENDS = frozenset({"sign", "relation", "close", "end"})  # of a product
_GOES_ON = frozenset({"relation", "sign", "times", "over", "caret"})


@dataclass(frozen=True)
class Side:
    r"""One side of a chain, or one term of a side; it is evaluated when its value is asked for.

    Parameters
    ----------
    line : str
        The text that was read.
    start, end : int
        Where the side starts and ends in it; a plus sign before a term is no part of it.
    expression : Node
        What it says.
    name : str
        What it is a value of, where that is known: it tells whether a bare 0 or 1 is exact.

    Examples
    --------
    >>> side = read_equation("3/1.5 + 1 = 3").sides[0]
    >>> side.text, side.value, [term.value for term in side.terms]
    ('3/1.5 + 1', 3.0, [2.0, 1.0])
    >>> [(term.text, term.value) for term in read_equation("3 - 2/4 = 2.5").sides[0].terms]
    [('3', 3.0), ('- 2/4', -0.5)]
    """

    line: str
    start: int
    end: int
    expression: tree.Node = field(repr=False)
    name: str = ""

    @property
    def text(self) -> str:
        """The side as printed."""
        return self.line[self.start : self.end]

    @cached_property
    def value(self) -> float | None:
        """What it evaluates to; None where a name stands in it.

        >>> read_equation("1/0").sides[0].value
        Traceback (most recent call last):
            ...
        ndcg_ref.stated.tokens.Stop: character 2: expected a divisor other than 0, got '0' in '1/0'
        """
        return self._evaluated({})

    @cached_property
    def number(self) -> Number | None:
        """The side as a printed number, where it is nothing else; with a plus, or in brackets, it is a working."""
        node, text = self.expression, self.text
        minus = isinstance(node, tree.Operation) and node.work is operator.neg
        inner = node.parts[0] if isinstance(node, tree.Operation) and minus else node
        if not isinstance(inner, tree.Numeral) or (text[1:].lstrip() if minus else text) != inner.token.text:
            return None
        return read_numeral((text[0] if minus else "") + inner.token.text, self.start).of(self.name)

    @cached_property
    def decimals(self) -> tuple[Token, ...]:
        """The tokens of its operands."""
        found = (leaf.token for leaf in tree.leaves(self.expression) if isinstance(leaf, tree.Numeral))
        return tuple(token for token in found if "." in token.text or "%" in token.text)

    @cached_property
    def operands(self) -> tuple[Number, ...]:
        r"""The numbers with decimals that the side works with; whole numbers are taken as exact.

        >>> [each.text for each in read_equation(r"\frac{7.42}{7.58} = 0.979").sides[0].operands]
        ['7.42', '7.58']
        """
        return tuple(read_numeral(token.text, token.start) for token in self.decimals)

    @cached_property
    def bounds(self) -> Bounds:
        """The least and the greatest value that the side can state, its numbers with decimals being rounded."""
        if self.number is not None:
            return self.number.bounds
        return bounds_of(self.with_operands, [number.bounds for number in self.operands])

    def covers(self, value: float) -> bool:
        """Whether the side can state a value, its numbers with decimals being rounded.

        >>> sides = read_equation("3/1.5 = 2.01 = 2.0").sides
        >>> [side.covers(2.04) for side in sides]
        [True, False, True]
        """
        low, high = self.bounds
        return low <= value <= high

    @cached_property
    def terms(self) -> tuple[Side, ...]:
        """The terms of the side's sum, each a side of its own; none where a name stands in it."""
        if self.value is None:
            return ()
        node = self.expression
        terms: Iterable[tuple[tree.Node, tuple[int, int]]] = [(node, (self.start, self.end))]
        if isinstance(node, tree.Sum) and node.spans[0][0] == self.start:  # a sum in brackets is one term
            terms = zip(node.terms, node.spans, strict=True)
        found = []
        for term, (start, end) in terms:
            text = self.line[start:end]
            found.append(Side(self.line, start + len(text) - len(text.removeprefix("+").lstrip()), end, term))
        return tuple(found)

    def with_operands(self, *values: float) -> float:
        """The value of the side with other numbers in the place of its operands.

        >>> read_equation("3/1.5 = 2").sides[0].with_operands(1.0)
        3.0
        """
        value = self._evaluated(dict(zip([token.start for token in self.decimals], values, strict=True)))
        if value is None:
            raise ValueError(f"expected a side without names, got {quoted(self.text)}")
        return value

    def text_with(self, *texts: str) -> str:
        r"""The side as printed, with other texts in the place of its operands.

        >>> read_equation(r"\frac{7.42}{7.58} = 0.979").sides[0].text_with("7.41781", "7.57939")
        '\\frac{7.41781}{7.57939}'
        """
        text = self.text
        for token, other in reversed(list(zip(self.decimals, texts, strict=True))):
            text = text[: token.start - self.start] + other + text[token.end - self.start :]
        return text

    def _evaluated(self, replaced: tree.Replaced) -> float | None:
        try:
            return self.expression.value(replaced)
        except Stop as stop:
            raise stop.within(self.line) from None


@dataclass(frozen=True)
class Equation:
    """What was read: one chain of sides for each printed equation.

    Parameters
    ----------
    chains : tuple of tuple of Side
        The sides of each equation, in the order of the line.

    Examples
    --------
    >>> [[side.text for side in chain] for chain in read_equation("CG = 2 + 3 = 5").chains]
    [['CG', '2 + 3', '5']]
    """

    chains: tuple[tuple[Side, ...], ...]

    @property
    def sides(self) -> tuple[Side, ...]:
        """All sides, in the order of the line."""
        return tuple(side for chain in self.chains for side in chain)


def read_equation(text: str, log_base: float | None = None) -> Equation:
    r"""Read printed equations.

    Parameters
    ----------
    text : str
        LaTeX or plain: ``NDCG_1 = \frac{7.42}{7.58} = 0.979``, ``3/log2(2) + 1 = 4``. Several lines are several
        equations, except where a line goes on with ``=`` or an operator.
    log_base : float, optional
        The base of a logarithm printed without one; without it such a logarithm is refused.

    Returns
    -------
    Equation
        Its `chains` hold the sides in order, each with text, value and, where it is a lone number, that number.

    Raises
    ------
    Stop
        A ValueError, if something cannot be read, with its place in the text. What can be read and has no value (a
        division by 0) stops where a side's value is asked for.
    TypeError
        If `text` is no text.

    Examples
    --------
    >>> chain = read_equation(r"DCG_1 = 2 + \frac{3}{\log_{2}2} = 5").sides
    >>> [side.value for side in chain]
    [None, 5.0, 5.0]
    >>> read_equation("2 + = 5")
    Traceback (most recent call last):
        ...
    ndcg_ref.stated.tokens.Stop: character 5: expected a number, a name or an opening bracket, got '=' in '2 + = 5'
    """
    if not isinstance(text, str):
        raise TypeError(f"expected an equation as text, got {quoted(text)}")
    try:
        chains = _Parser(tokenize(text), log_base, latex="\\" in text).chains()
    except Stop as stop:
        raise stop.within(text) from None
    return Equation(tuple(tuple(Side(text, start, end, node) for node, start, end in chain) for chain in chains))


def read_numeral(text: str, start: int) -> Number:
    r"""The number of a token that begins there; it may have LaTeX's comma and percent sign.

    >>> read_numeral(r"50.5\%", 0).text
    '50.5%'
    """
    try:
        return read_number(text.replace("{,}", ",").replace("\\%", "%"))
    except ValueError as error:
        raise ValueError(f"character {start + 1}: {error}") from None


Span = tuple[tree.Node, int, int]  # of a side, where it starts, and where it ends


def _signed(sign: Token, node: tree.Node) -> tree.Node:
    """The node, or its negative behind a minus."""
    is_minus = sign.kind == "sign" and sign.text != "+"
    return tree.Operation(operator.neg, (node,), sign) if is_minus else node


class _Parser:
    """Makes nodes of the tokens, left to right; `at` is where it stands. It evaluates nothing."""

    def __init__(self, tokens: list[Token], log_base: float | None, latex: bool) -> None:
        self.tokens = tokens
        self.log_base = log_base
        self.latex = latex
        self.depth = 0
        self.at = 0

    def chains(self) -> list[list[Span]]:
        """The sides of each equation, each with where it starts and ends."""
        found = []
        self._skip_newlines()
        while self.tokens[self.at].kind != "end":
            found.append(self._chain())
            self._skip_newlines()
        if not found:
            self._expected("an equation")
        return found

    def _next(self) -> Token:
        self.at += 1
        return self.tokens[self.at - 1]

    def _expected(self, what: str) -> NoReturn:
        token = self.tokens[self.at]
        raise Stop(token.start, f"expected {what}", token.text)

    def _skip_newlines(self) -> None:
        while self.tokens[self.at].kind == "newline":
            self.at += 1

    def _chain(self) -> list[Span]:
        sides = []
        while True:
            start = self.tokens[self.at].start
            node = self._sum()
            sides.append((node, start, self._end()))
            self._go_on()
            if self.tokens[self.at].kind != "relation":
                break
            self.at += 1
            self._skip_newlines()
        if self.tokens[self.at].kind not in ("newline", "end"):
            self._expected("an operator, = or the end")
        return sides

    def _end(self) -> int:
        """Where the last token ends that was read, line breaks aside."""
        last = self.at - 1
        while self.tokens[last].kind == "newline":
            last -= 1
        return self.tokens[last].end

    def _go_on(self) -> None:
        """Pass a line break where the next line goes on, or a bracket is open."""
        at = self.at
        self._skip_newlines()
        if not self.depth and self.tokens[self.at].kind not in _GOES_ON:
            self.at = at

    def _sum(self) -> tree.Node:
        terms: list[tree.Node] = []
        spans: list[tuple[int, int]] = []
        sign = token = self.tokens[self.at]
        self.at += token.kind == "sign"
        while True:
            node = self._product()
            terms.append(_signed(sign, node))
            spans.append((sign.start, self._end()))
            token = self.tokens[self.at]
            if token.kind == "newline":
                self._go_on()
                token = self.tokens[self.at]
            if token.kind != "sign":
                break
            sign = token
            self.at += 1
            self._skip_newlines()
        return tree.Sum(tuple(terms), tuple(spans), sign) if len(terms) > 1 else terms[0]

    def _product(self) -> tree.Node:
        first = self._power()
        others: list[tuple[bool, Token, tree.Node]] = []
        divided = False
        while True:
            token = self.tokens[self.at]
            kind = token.kind
            if kind in _ENDS:
                break
            if kind == "newline":
                self._go_on()
                token = self.tokens[self.at]
                kind = token.kind
            if kind == "times" or kind == "over":
                divided = kind == "over"
                self.at += 1
                self._skip_newlines()
            elif kind in _ATOMS:
                self._refuse_unclear(divided, [first, *(factor for _, _, factor in others)])
            else:
                break
            others.append((kind == "over", token, self._power()))
        return tree.Product(first, tuple(others)) if others else first

    def _refuse_unclear(self, divided: bool, factors: Sequence[tree.Node]) -> None:
        """Factors side by side: readers differ on some of them, unless a name takes the value away anyhow."""
        kind = self.tokens[self.at].kind
        number = kind == "number" or (kind == "frac" and self.tokens[self.at - 1].kind == "number")
        named = any(isinstance(leaf, tree.Name) for factor in factors for leaf in tree.leaves(factor))
        if named or not (number or divided):
            return
        if number:
            self._expected("an operator (a mixed number, or a product? write the operator)")
        self._expected("an operator (is this a part of the divisor? use brackets)")

    def _power(self) -> tree.Node:
        base = self._atom()
        caret = self.tokens[self.at]
        if caret.kind != "caret":
            return base
        self.at += 1
        token = self.tokens[self.at]
        if self.latex and token.kind == "number" and len(token.text) > 1:
            self._expected("an exponent of one digit, or in braces (LaTeX raises only the first digit)")
        self.at += token.kind == "sign"
        return tree.Operation(math.pow, (base, _signed(token, self._deeper(self._power))), caret)

    def _deeper(self, read: Callable[[], tree.Node]) -> tree.Node:
        self.depth += 1
        if self.depth > DEEPEST:
            token = self.tokens[self.at]
            raise Stop(token.start, f"expected at most {DEEPEST} levels of brackets", token.text)
        node = read()
        self.depth -= 1
        return node

    def _atom(self) -> tree.Node:
        read = _ATOMS.get(self.tokens[self.at].kind)
        if read is None:
            self._expected("a number, a name or an opening bracket")
        return read(self)

    def _numeral(self) -> tree.Node:
        token = self._next()
        try:
            value = float(token.text)
        except ValueError:  # in groups, or a percentage
            value = read_numeral(token.text, token.start).nearest_float
        if math.isinf(value):
            raise Stop(token.start, "expected a number within the range of a float", token.text)
        return tree.Numeral(token, value)

    def _group(self, only: str = "") -> tree.Node:
        """A sum in brackets of one kind."""
        opening = self.tokens[self.at]
        if opening.kind != "open" or (only and opening.text != only):
            self._expected(f"{only!r}" if only else "an opening bracket")
        closing = _CLOSES[opening.text]
        self.at += 1
        if self.tokens[self.at].kind == "number" and self.tokens[self.at + 1].text == closing:
            node = self._numeral()
        else:
            self._skip_newlines()
            node = self._deeper(self._sum)
            self._skip_newlines()
            if self.tokens[self.at].text != closing:
                self._expected(f"{closing!r}")
        self.at += 1
        return node

    def _fraction(self) -> tree.Node:
        self.at += 1
        numerator = self._group("{")
        opening = self.tokens[self.at]
        return tree.Product(numerator, ((True, opening, self._group("{")),))

    def _root(self) -> tree.Node:
        sign = self._next()
        if self.tokens[self.at].text == "[":
            self._expected("what to take the square root of (for another root write a power)")
        return tree.Operation(math.sqrt, (self._deeper(self._atom),), sign)

    def _name(self) -> tree.Node:
        token = self._next()
        self._skip_scripts()
        return tree.Name(token)

    def _log(self) -> tree.Node:
        log = self._next()
        base = self._base(log)
        argument = self.tokens[self.at]
        return tree.Logarithm(base, self._deeper(self._argument), log, argument)

    def _base(self, log: Token) -> tree.Node:
        if log.kind == "ln":
            return tree.Numeral(log, math.e if log.text.endswith("n") else 2.0)
        low = self.tokens[self.at].kind == "under"
        self.at += low
        token = self.tokens[self.at]
        if low and token.kind == "open":
            return self._group("{")
        if low and (token.kind != "number" or not token.text.isdigit()):
            self._expected("the base of the logarithm")
        if low and log.text.startswith("\\") and len(token.text) > 1:
            self._expected("a base of one digit, or in braces (LaTeX sets only the first digit low)")
        # As the 2 of log2(8) is: right behind a plain log, and right before a bracket
        of_plain = token.start == log.end and log.text == "log" and token.kind == "number" and token.text.isdigit()
        if low or token.kind == "subscript" or (of_plain and self.tokens[self.at + 1].kind == "open"):
            self.at += 1
            return tree.Numeral(token, float(token.text.translate(_SUBSCRIPTS)))
        if self.log_base is None:
            raise Stop(log.start, "expected the base of the logarithm", log.text)
        return tree.Numeral(log, self.log_base)

    def _argument(self) -> tree.Node:
        """What a logarithm is taken of; a power behind its bracket may belong to either, and is refused."""
        token = self.tokens[self.at]
        bracket = token.kind == "open" and token.text != "{"
        if token.kind == "number" and self.tokens[self.at + 1].kind == "open":
            self._expected("one argument (is the number the base? write \\log_{2}(8), or log2(8) without a blank)")
        node = self._atom() if bracket else self._power()
        if bracket and self.tokens[self.at].kind == "caret":
            self._expected("no power behind the bracket (of the logarithm, or of its argument? use brackets)")
        return node

    def _skip_scripts(self) -> None:
        """Pass what stands below or above a name, such as the bounds of a sum, unread."""
        while (kind := self.tokens[self.at].kind) in ("under", "caret", "subscript"):
            self.at += 1
            if kind == "subscript":
                continue
            if self.tokens[self.at].kind in ("number", "name"):
                self.at += 1
            elif self.tokens[self.at].text == "{":
                self._skip_braces()
            else:
                self._expected("what stands below or above the name")

    def _skip_braces(self) -> None:
        first, depth = self.at, 0
        while depth or self.at == first:
            token = self._next()
            if token.kind == "end":
                raise Stop(self.tokens[first].start, "expected a closing '}'", "")
            depth += (token.text == "{") - (token.text == "}")


# What an expression may begin with; a new kind of atom is one more line
_ATOMS: dict[str, Callable[[_Parser], tree.Node]] = {
    "number": _Parser._numeral,
    "open": _Parser._group,
    "frac": _Parser._fraction,
    "log": _Parser._log,
    "ln": _Parser._log,
    "sqrt": _Parser._root,
    "name": _Parser._name,
}
