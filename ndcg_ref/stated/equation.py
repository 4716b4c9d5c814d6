r"""A printed chain a = b = c, each side evaluated.

The grammar is what notes print, LaTeX and plain, and nothing is guessed::

    lines   chain (newline chain)*          a line that goes on with = or an operator belongs to the one before
    chain   side ((= | \approx) side)*
    sum     [+|-] product ((+|-) product)*
    product power ((\cdot | \times | * | / | ÷ | nothing) power)*
    power   atom [^ power]
    atom    number, name, \frac{sum}{sum}, \log_{base} power, \ln power, \sqrt{sum}, or a sum in ( ), [ ] or { }

A side with a name in it (DCG_1, rel_i, \sum) has no value. Text is never evaluated as code: the reader computes while
it reads, in floats, and sums are rounded once.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NoReturn

from ndcg_ref.stated.number import Number, read_number
from ndcg_ref.validation import quoted

DEEPEST = 40
LONGEST = 100_000

_GRAMMAR = r"""(?P<skip>[ \t\r~&]+|\\(?:left|right|displaystyle|quad|qquad|limits)(?![A-Za-z])|\\[,;:!\ ]
        |\\(?:begin|end)\{[A-Za-z]+\*?\})
      | (?P<number>(?:[1-9][0-9]{0,2}(?:(?:,|\{,\})[0-9]{3})+(?![0-9])|[0-9]+)(?:\.[0-9]+)?
          (?:[eE][-+]?[0-9]+(?![0-9A-Za-z]))?(?:\\?%)?
        |\.[0-9]+(?:\\?%)?)
      | (?P<relation>=|≈|\\(?:approx|simeq)(?![A-Za-z]))
      | (?P<sign>[-+−])
      | (?P<times>\*|×|·|⋅|\\(?:cdot|times)(?![A-Za-z]))
      | (?P<over>/|÷|\\div(?![A-Za-z]))
      | (?P<open>[({\[]|\\\{)
      | (?P<close>[)}\]]|\\\})
      | (?P<caret>\^)
      | (?P<under>_)
      | (?P<frac>\\[dt]?frac(?![A-Za-z]))
      | (?P<log>\\?log(?![A-Za-z]))
      | (?P<ln>\\?ln(?![A-Za-z]))
      | (?P<sqrt>\\?sqrt(?![A-Za-z])|√)
      | (?P<name>\\(?:text|mathrm|mathit|mathbf|operatorname)\ *\{[^{}]*\}|\\(?:sum|ldots|cdots|dots)(?![A-Za-z])
        |[^\W\d_₀-₉²³¹⁰-⁹¼-¾⅐-⅞]+(?:@[0-9A-Za-z]+)?|…|\|)
      | (?P<newline>\n|\\\\|\$)
      | (?P<subscript>[₀-₉]+)
    """
_CLOSES = {"(": ")", "[": "]", "{": "}", r"\{": r"\}"}
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_GOES_ON = ("relation", "sign", "times", "over", "caret")


@cache
def _tokens() -> re.Pattern[str]:
    """The grammar's pattern, compiled on first use: it takes longer than the rest of the import."""
    return re.compile(_GRAMMAR, re.VERBOSE)


@dataclass(frozen=True)
class Term:
    """One term of a side.

    Parameters
    ----------
    text : str
        The term as printed, a plus sign before it left out.
    value : float
        What it evaluates to, its sign included.
    number : Number or None
        The term as a printed number, where it is one and nothing else.
    log_base : float or None
        The base of a logarithm that is printed without one.

    Examples
    --------
    >>> [(term.text, term.value) for term in read_equation("3 - 2/4 = 2.5").sides[0].terms]
    [('3', 3.0), ('- 2/4', -0.5)]
    """

    text: str
    value: float
    number: Number | None
    log_base: float | None = None

    @property
    def side(self) -> Side:
        """The term read by itself, for its operands."""
        return Side(self.text, 0, self.value, self.number, self.log_base)


@dataclass(frozen=True)
class Side:
    r"""One side of a chain.

    Parameters
    ----------
    text : str
        The side as printed.
    start : int
        Where it starts in the text that was read.
    value : float or None
        What it evaluates to; None where a name stands in it.
    number : Number or None
        The side as a printed number, where it is one and nothing else: a claim that can be judged.
    log_base : float or None
        The base of a logarithm that is printed without one.

    Examples
    --------
    >>> side = read_equation("3/1.5 + 1 = 3").sides[0]
    >>> side.text, side.value, [term.value for term in side.terms]
    ('3/1.5 + 1', 3.0, [2.0, 1.0])
    """

    text: str
    start: int
    value: float | None
    number: Number | None
    log_base: float | None = None

    @cached_property
    def operands(self) -> tuple[Number, ...]:
        r"""The numbers with decimals that the side works with; whole numbers are taken as exact.

        >>> [each.text for each in read_equation(r"\frac{7.42}{7.58} = 0.979").sides[0].operands]
        ['7.42', '7.58']
        """
        return tuple(number for _, number in self._reading().decimals)

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """The terms of the side's sum, each with its value; none where a name stands in it."""
        return tuple(self._reading().terms) if self.value is not None else ()

    def with_operands(self, *values: float) -> float:
        """The value of the side with other numbers in the place of its operands.

        >>> read_equation("3/1.5 = 2").sides[0].with_operands(1.0)
        3.0
        """
        places = [place for place, _ in self._reading().decimals]
        value = _Reader(self.text, self.log_base, dict(zip(places, values, strict=True))).only_side()
        if value is None:
            raise ValueError(f"expected a side without names, got {quoted(self.text)}")
        return value

    def text_with(self, *texts: str) -> str:
        r"""The side as printed, with other texts in the place of its operands.

        >>> read_equation(r"\frac{7.42}{7.58} = 0.979").sides[0].text_with("7.41781", "7.57939")
        '\\frac{7.41781}{7.57939}'
        """
        text = self.text
        for (start, number), other in reversed(list(zip(self._reading().decimals, texts, strict=True))):
            text = text[:start] + other + text[start + len(number.text) :]
        return text

    def _reading(self) -> _Reader:
        reader = _Reader(self.text, self.log_base, {}, keep=True)
        reader.only_side()
        return reader


@dataclass(frozen=True)
class Equation:
    """What was read: one chain of sides for each printed equation.

    Parameters
    ----------
    chains : tuple of tuple of Side
        The sides of each equation, in the order of the print.

    Examples
    --------
    >>> [[side.text for side in chain] for chain in read_equation("CG = 2 + 3 = 5").chains]
    [['CG', '2 + 3', '5']]
    """

    chains: tuple[tuple[Side, ...], ...]

    @property
    def sides(self) -> tuple[Side, ...]:
        """All sides, in the order of the print."""
        return tuple(side for chain in self.chains for side in chain)


def read_equation(text: str, log_base: float | None = None) -> Equation:
    r"""Read printed equations and evaluate each side.

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
    ValueError
        If something cannot be read, or has no value (a division by 0), with its place in the text.
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
    ValueError: character 5: expected a number, a name or an opening bracket, got '=' in '2 + = 5'
    """
    if not isinstance(text, str):
        raise TypeError(f"expected an equation as text, got {quoted(text)}")
    return Equation(_Reader(text, log_base, {}).chains())


class _Reader:
    """Reads and computes in one pass over the tokens, left to right; `at` is where it stands."""

    def __init__(self, text: str, log_base: float | None, other: Mapping[int, float], keep: bool = False) -> None:
        self.text = text
        self.log_base = log_base
        self.other = other  # values to use in place of the numbers that start there
        self.keep = keep
        self.decimals: list[tuple[int, Number]] = []
        self.terms: list[Term] = []
        self.depth = 0
        self.at = 0
        self.kinds, self.texts, self.starts = self._tokens()

    def _tokens(self) -> tuple[list[str], list[str], list[int]]:
        text = self.text
        if len(text) > LONGEST:
            raise ValueError(f"expected an equation of at most {LONGEST} characters, got {len(text)}")
        kinds: list[str] = []
        texts: list[str] = []
        starts: list[int] = []
        end = 0
        for match in _tokens().finditer(text):
            if match.start() != end:
                break
            end = match.end()
            kind = match.lastgroup or ""
            if kind != "skip":
                kinds.append(kind)
                texts.append(match[0])
                starts.append(match.start())
        if end != len(text):
            self._refuse(end, "expected part of an equation", text[end : end + 12])
        kinds.append("end")
        texts.append("")
        starts.append(len(text))
        return kinds, texts, starts

    def _refuse(self, place: int, expected: str, got: str) -> NoReturn:
        shown = self.text if len(self.text) <= 60 else f"{self.text[max(0, place - 25) : place + 25]}…"
        raise ValueError(f"character {place + 1}: {expected}, got {quoted(got or 'the end')} in {quoted(shown)}")

    def _expected(self, what: str) -> NoReturn:
        self._refuse(self.starts[self.at], f"expected {what}", self.texts[self.at])

    def chains(self) -> tuple[tuple[Side, ...], ...]:
        found = []
        self._skip_newlines()
        while self.kinds[self.at] != "end":
            found.append(self._chain())
            self._skip_newlines()
        if not found:
            self._expected("an equation")
        return tuple(found)

    def only_side(self) -> float | None:
        value = self._sum(top=True)
        if self.kinds[self.at] != "end":
            self._expected("the end of the side")
        return value

    def _skip_newlines(self) -> None:
        while self.kinds[self.at] == "newline":
            self.at += 1

    def _chain(self) -> tuple[Side, ...]:
        sides = []
        while True:
            first = self.at
            value = self._sum()
            last = self._last()
            start, end = self.starts[first], self.starts[last] + len(self.texts[last])
            lone = last == first or (last == first + 1 and self.kinds[first] == "sign" and self.texts[first] != "+")
            number = None
            if lone and self.kinds[last] == "number":
                number = self._number(self.text[start:end].replace(" ", ""), start)
            sides.append(Side(self.text[start:end], start, value, number, self.log_base))
            self._go_on()
            if self.kinds[self.at] != "relation":
                break
            self.at += 1
            self._skip_newlines()
        if self.kinds[self.at] not in ("newline", "end"):
            self._expected("an operator, = or the end")
        return tuple(sides)

    def _go_on(self) -> None:
        """Pass a line break where the next line goes on, or a bracket is open."""
        if self.kinds[self.at] != "newline":
            return
        next_ = self.at
        while self.kinds[next_] == "newline":
            next_ += 1
        if self.depth or self.kinds[next_] in _GOES_ON:
            self.at = next_

    def _number(self, text: str, start: int) -> Number:
        try:
            return read_number(text.replace("{,}", ",").replace("\\%", "%"))
        except ValueError as error:
            raise ValueError(f"character {start + 1}: {error}") from None

    def _sum(self, top: bool = False) -> float | None:
        terms: list[float | None] = []
        kinds = self.kinds
        sign = 1
        first = self.at
        if kinds[first] == "sign":
            sign = -1 if self.texts[first] != "+" else 1
            self.at += 1
        while True:
            value = self._product()
            terms.append(value if sign > 0 or value is None else -value)
            if top and self.keep:
                self._keep_term(first, terms[-1])
            if kinds[self.at] == "newline":
                self._go_on()
            if kinds[self.at] != "sign":
                break
            first = self.at
            sign = -1 if self.texts[first] != "+" else 1
            self.at += 1
            self._skip_newlines()
        if len(terms) == 1:
            return terms[0]
        known = [term for term in terms if term is not None]
        if len(known) < len(terms):
            return None
        return self._compute(lambda: math.fsum(known), first)

    def _last(self) -> int:
        """The last token read, line breaks aside."""
        last = self.at - 1
        while self.kinds[last] == "newline":
            last -= 1
        return last

    def _keep_term(self, first: int, value: float | None) -> None:
        last = self._last()
        start, end = self.starts[first], self.starts[last] + len(self.texts[last])
        text = self.text[start:end].removeprefix("+").strip()
        number = None
        if self.kinds[last] == "number" and (last == first or (last == first + 1 and self.kinds[first] == "sign")):
            number = self._number(text.replace(" ", ""), start)
        if value is not None:
            self.terms.append(Term(text, value, number, self.log_base))

    def _product(self) -> float | None:
        value = self._power()
        divided = False
        while True:
            kind = self.kinds[self.at]
            if kind == "newline":
                self._go_on()
                kind = self.kinds[self.at]
            place = self.at
            if kind == "times" or kind == "over":
                divided = kind == "over"
                self.at += 1
                self._skip_newlines()
            elif kind in ("open", "name", "log", "ln", "sqrt", "frac", "number"):
                if value is not None and (kind == "number" or (kind == "frac" and self.kinds[place - 1] == "number")):
                    self._expected("an operator (a mixed number, or a product? write the operator)")
                if divided and value is not None:
                    self._expected("an operator (is this a part of the divisor? use brackets)")
                kind = "times"  # written side by side
            else:
                return value
            other = self._power()
            if value is None or other is None:
                value = None
            elif kind == "times":
                value = self._finite(value * other, place)
            else:
                value = self._divide(value, other, place)

    def _divide(self, above: float, below: float, place: int) -> float:
        if below == 0:
            self._refuse(self.starts[place], "expected a divisor other than 0", "0")
        return self._finite(above / below, place)

    def _finite(self, value: float, place: int) -> float:
        if math.isinf(value):
            self._refuse(self.starts[place], "expected a number within the range of a float", self.texts[place])
        return value

    def _power(self) -> float | None:
        value = self._atom()
        if self.kinds[self.at] != "caret":
            return value
        place = self.at
        self.at += 1
        if "\\" in self.text and self.kinds[self.at] == "number" and len(self.texts[self.at]) > 1:
            self._expected("an exponent of one digit, or in braces (LaTeX raises only the first digit)")
        exponent = self._signed(self._power)
        if value is None or exponent is None:
            return None
        return self._compute(math.pow, place, value, exponent)

    def _signed(self, read: Callable[[], float | None]) -> float | None:
        if self.kinds[self.at] == "sign":
            minus = self.texts[self.at] != "+"
            self.at += 1
            value = self._deeper(read)
            return -value if minus and value is not None else value
        return self._deeper(read)

    def _deeper(self, read: Callable[[], float | None]) -> float | None:
        self.depth += 1
        if self.depth > DEEPEST:
            self._refuse(self.starts[self.at], f"expected at most {DEEPEST} levels of brackets", self.texts[self.at])
        value = read()
        self.depth -= 1
        return value

    def _compute(self, work: Callable[..., float], place: int, *values: float) -> float:
        """What the function makes of the values, where that is a real number."""
        try:
            return self._finite(work(*values), place)
        except OverflowError:
            return self._finite(math.inf, place)
        except ValueError:
            self._refuse(self.starts[place], "expected a real number", self.texts[place])

    def _atom(self) -> float | None:
        kind, text, start = self.kinds[self.at], self.texts[self.at], self.starts[self.at]
        if kind == "number":
            value = self._value(text, start)
            self.at += 1
            return value
        if kind == "open":
            return self._group()
        if kind == "frac":
            self.at += 1
            above = self._group("{")
            place = self.at
            below = self._group("{")
            if above is None or below is None:
                return None
            return self._divide(above, below, place)
        if kind == "log" or kind == "ln":
            return self._log(kind, text, start)
        if kind == "sqrt":
            self.at += 1
            if self.texts[self.at] == "[":
                self._expected("what to take the square root of (for another root write a power)")
            under = self._deeper(self._atom)
            return None if under is None else self._compute(math.sqrt, self.at - 1, under)
        if kind == "name":
            self.at += 1
            self._skip_scripts()
            return None
        self._expected("a number, a name or an opening bracket")

    def _value(self, text: str, start: int) -> float:
        """A printed number as a float, or the value to use in its place."""
        if text.isdigit():
            return self._finite(float(text), self.at)
        if start in self.other:
            value = self.other[start]
            if self.keep:
                self.decimals.append((start, self._number(text, start)))
            return value
        if self.keep or "," in text or "%" in text:
            number = self._number(text, start)
            if "." in text or "%" in text:
                self.decimals.append((start, number))
            return self._finite(number.nearest_float, self.at)
        return self._finite(float(text), self.at)

    def _group(self, only: str = "") -> float | None:
        """A sum in brackets of one kind."""
        opening = self.texts[self.at]
        if self.kinds[self.at] != "open" or (only and opening != only):
            self._expected(f"{only!r}" if only else "an opening bracket")
        self.at += 1
        if self.kinds[self.at] == "number" and self.texts[self.at + 1] == _CLOSES[opening]:
            self.at += 2
            return self._value(self.texts[self.at - 2], self.starts[self.at - 2])
        self._skip_newlines()
        value = self._deeper(self._sum)
        self._skip_newlines()
        if self.texts[self.at] != _CLOSES[opening]:
            self._expected(f"{_CLOSES[opening]!r}")
        self.at += 1
        return value

    def _log(self, kind: str, text: str, start: int) -> float | None:
        self.at += 1
        base: float | None = math.e if kind == "ln" else self.log_base
        following = self.kinds[self.at]
        if kind == "log" and following == "under":
            base = self._base(latex=text.startswith("\\"))
        elif kind == "log" and following == "subscript":
            base = float(self.texts[self.at].translate(_SUBSCRIPTS))
            self.at += 1
        elif kind == "log" and following == "number" and self._is_plain_base(text, start):
            base = float(self.texts[self.at])
            self.at += 1
        if base is None:
            self._refuse(start, "expected the base of the logarithm", text)
        if not base > 0 or base == 1:
            self._refuse(start, "expected a base above 0 other than 1", f"{base:g}")
        place = self.at
        value = self._deeper(self._argument)
        if value is None:
            return None
        if value <= 0:
            self._refuse(self.starts[place], "expected the logarithm of a number above 0", f"{value:g}")
        return math.log2(value) / math.log2(base)

    def _argument(self) -> float | None:
        """What a logarithm is taken of; a power behind its bracket may belong to either, and is refused."""
        bracket = self.kinds[self.at] == "open" and self.texts[self.at] != "{"
        if self.kinds[self.at] == "number" and self.kinds[self.at + 1] == "open":
            self._expected("one argument (is the number the base? write \\log_{2}(8), or log2(8) without a blank)")
        value = self._atom() if bracket else self._power()
        if bracket and self.kinds[self.at] == "caret":
            self._expected("no power behind the bracket (of the logarithm, or of its argument? use brackets)")
        return value

    def _is_plain_base(self, text: str, start: int) -> bool:
        """Whether the number is the 2 of ``log2(8)``: right behind a plain log, right before a bracket."""
        behind = self.starts[self.at] == start + len(text) and text == "log"
        return behind and self.texts[self.at].isdigit() and self.kinds[self.at + 1] == "open"

    def _base(self, latex: bool) -> float:
        self.at += 1
        if self.kinds[self.at] == "open":
            base = self._group("{")
            if base is None:
                self._expected("a base without names")
            return base
        if self.kinds[self.at] != "number" or not self.texts[self.at].isdigit():
            self._expected("the base of the logarithm")
        if latex and len(self.texts[self.at]) > 1:
            self._expected("a base of one digit, or in braces (LaTeX sets only the first digit low)")
        self.at += 1
        return float(self.texts[self.at - 1])

    def _skip_scripts(self) -> None:
        """Pass what stands below or above a name, such as the bounds of a sum, unread."""
        while self.kinds[self.at] in ("under", "caret", "subscript"):
            if self.kinds[self.at] == "subscript":
                self.at += 1
                continue
            self.at += 1
            if self.kinds[self.at] in ("number", "name"):
                self.at += 1
            elif self.texts[self.at] == "{":
                self._skip_braces()
            else:
                self._expected("what stands below or above the name")

    def _skip_braces(self) -> None:
        depth, first = 0, self.at
        while True:
            text = self.texts[self.at]
            if self.kinds[self.at] == "end":
                self._refuse(self.starts[first], "expected a closing '}'", "")
            depth += (text == "{") - (text == "}")
            self.at += 1
            if depth == 0:
                return
