r"""The equations of a region: the longest spans around each `=` that parse, whatever stands around them.

The text is first made plain without a change of length, so that places stay: markup becomes blank. Then each
relation sign gets the longest expression that ends before it, and the longest that begins behind it. What is no
number, operator or logarithm ends an expression: words are labels, and a side with a name in it has no value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import NamedTuple

from ndcg_ref.stated.equation import Side, read_equation
from ndcg_ref.stated.tokens import Stop, Token, pieces

OPERATORS = frozenset({"sign", "times", "over", "caret"})
BEGINS = frozenset({"number", "open", "frac", "log", "ln", "sqrt"})
MATH = OPERATORS | BEGINS | {"close"}
NAMES = frozenset({"name", "under", "subscript"})
MOST_TOKENS = 2_000  # of one side
LONGEST_LABEL = 200
LONGEST_PARAGRAPH = 100_000  # characters; what is longer was not written to be read
_HUGE = re.compile(r"[0-9]{101}")

_PLAIN = tuple(
    (re.compile(pattern), plain)
    for pattern, plain in (
        (r"(?<=[0-9])(?:\\[,;:!]|[ ~\u00a0\u202f])+\\?%", "%"),
        # line breaks
        (r"\\\\?[ \t]*\r?\n|\\\\", "\n"),
        # formulas and emphasis
        (r"\\[()\[\]]|\$|`|\*\*", " "),
        (r"(?<![0-9)*])(?<![0-9)] )\*([0-9][0-9.,]*)\*(?![0-9(*])", r" \1"),
        # the size of brackets, and blanks
        (r"\\(?:left|right|[bB]igg?[lr]?|displaystyle|q?quad|[,;:!>])(?![A-Za-z])", " "),
        (r"\\(?:approx|simeq)(?![A-Za-z])|≃|≅", "≈"),
        # the bracket of a number again as a percentage, which is no factor: 0.30 (30%)
        (r"(?<=[0-9] )\((?=[0-9.,]{1,10}\s?\\?%\s?\))", ";"),
        (r"\\(?:to|rightarrow|Rightarrow)(?![A-Za-z])|⇒|=>|->", "→"),
        (r"\\[dt]?frac\s?([0-9])\s?([0-9])(?![0-9])", r"(\1/\2)"),
        # A colon between two numbers divides them, as German notes write it
        (r"(?<=[0-9]) : (?=[0-9][0-9.,]*\s*[=≈])", " ÷ "),
        (r"(?<=[0-9)])(\s*)[xX](?=\s*[0-9(.])", r"\1×"),
    )
)
# What is only set in another type
_SET = re.compile(r"\\(?:text\w*|math[a-z]+|boxed|boldsymbol|underline|operatorname\*?|color\{\w+\})\s*\{([^{}]*)\}")
_COMMA = re.compile(r"(?<![0-9.,])([0-9]{1,3})(?:,|\{,\})([0-9]+)(?![0-9]|[.,][0-9])")
_POINT = re.compile(r"(?<![0-9.])[0-9]?\.[0-9]{2,}(?![0-9.])")
_OPEN_LOG = re.compile(r"(?i:log)(?!2|10)(?=\s*[({\[0-9])")
_PARAGRAPHS = re.compile(r"\n[ \t\r]*\n\s*")
_RELATION = re.compile("[=≈→]")
_INDEX = re.compile(r"\[\s*[0-9]+\s*\]")  # as in DCG[3]
# An argument of a call, which its name alone names
_ARGUMENT = re.compile(r"\w\((?:[^()]|\([^()]*\))*(?<=[(,\s])([A-Za-z_]\w*)$")


class Part(NamedTuple):
    """A side of a chain that has a value, with where it stands in the region; its own places count from `start`."""

    start: int
    end: int
    side: Side


class Chain(NamedTuple):
    """A printed chain a = b = c: its sides with a value, and what stands before these, back to the thing before."""

    label: str
    parts: tuple[Part, ...]

    @property
    def start(self) -> int:
        """Where its first side begins."""
        return self.parts[0].start


def has_open_log(text: str) -> bool:
    """Whether a logarithm stands without its base in a text that `plain_text` made.

    >>> has_open_log("3/log(2)"), has_open_log("3/log2(2)")
    (True, False)
    """
    return _OPEN_LOG.search(text) is not None


def readable_text(text: str) -> str:
    """The text with a point before its decimals, as long as before.

    >>> readable_text("DCG = 3,00 + 1{,}26"), readable_text("grades 3,2,0 give 0.63")
    ('DCG = 3.00 + 1.26  ', 'grades 3,2,0 give 0.63')
    """
    if sum(len(decimals) > 1 for _, decimals in _COMMA.findall(text)) <= len(_POINT.findall(text)):
        return text  # one digit behind a comma may be the next number of a list
    return _COMMA.sub(lambda found: f"{found[1]}.{found[2]}".ljust(len(found[0])), text)


def plain_text(text: str) -> str:
    r"""The text with its markup blank, as long as before.

    >>> plain_text(r"$\mathbf{DCG} = \dfrac{3}{\log_2 2}$")
    '         DCG  = \\dfrac{3}{\\log_2 2} '
    """
    for pattern, plain in _PLAIN:
        text = pattern.sub(lambda found, plain=plain: found.expand(plain).ljust(len(found[0])), text)  # type: ignore[misc]
    return _SET.sub(lambda found: found[1].rjust(len(found[0]) - 1) + " ", text)


def chains_of(text: str, log_base: float = 2.0) -> list[Chain]:
    """The chains of a text that `plain_text` made, with the base of a logarithm that is printed without one.

    >>> [(chain.label, [text[part.start : part.end] for part in chain.parts])
    ...  for text in ["so DCG@3: 0/log2(2) + 1/log2(3) = 0.63 and Ideal: 2 = 2.00"] for chain in chains_of(text)]
    [('so DCG@3:', ['0/log2(2) + 1/log2(3)', '0.63']), ('and Ideal:', ['2', '2.00'])]
    """
    found, start = [], 0
    for end in (each.end() for each in _PARAGRAPHS.finditer(text + "\n\n")):
        if end - start <= LONGEST_PARAGRAPH and _RELATION.search(text, start, end):
            for label, parts in _Scanner(text[start:end], log_base).chains():
                moved = (Part(start + part.start, start + part.end, part.side) for part in parts)
                found.append(Chain(label, tuple(moved)))
        start = end
    return found


class _Scanner:
    """Finds the sides around each relation of a paragraph; `tokens` are all of it, between two ends."""

    def __init__(self, text: str, log_base: float) -> None:
        self.text, self.log_base = text, log_base
        tokens = (token._replace(kind="relation") if token.text == "→" else token for token in pieces(text))
        end = Token("end", "", len(text))
        self.tokens = [end, *(token for token in tokens if token.kind != "blank"), end]

    def chains(self) -> Iterator[tuple[str, list[Part]]]:
        """The label and the sides of each chain."""
        parts: list[Part] = []
        label, last, begins = "", 0, True  # last: where the thing before ends
        relations = [i for i, token in enumerate(self.tokens) if token.kind == "relation"]
        for at, follows in zip_longest(relations, relations[1:]):
            if begins:
                first = self._left(at)
                start = first.start if first else self.tokens[at].start
                label, parts = self.text[max(last, start - LONGEST_LABEL) : start], [first] if first else []
            right = self._right(at + 1)
            parts += [right] if right else []
            begins = not (right and follows) or any(
                token.kind != "newline" for token in self.tokens[at + 1 : follows] if token.start >= right.end
            )
            if begins and parts:
                yield _label(label), parts
                last = max(parts[-1].end, self.tokens[at].end)

    def _is_math(self, i: int) -> bool:
        """Whether a token may be part of a side; a line break is one where a sum goes on below."""
        kind, before = self.tokens[i].kind, self.tokens[i - 1].kind
        if kind in ("subscript", "under"):
            return before == "log"
        if kind == "newline":
            return before in OPERATORS or self.tokens[i + 1].text == "+"
        return kind in MATH

    def _reach(self, i: int, step: int) -> int:
        """The token that ends a side which goes on from another one, forward or back."""
        first = i
        while abs(i - first) < MOST_TOKENS and self._is_math(i):
            i += step
        return i

    def _right(self, first: int) -> Part | None:
        """The longest side that begins at a token, or below it."""
        while self.tokens[first].kind == "newline":
            first += 1
        end = self._reach(first, 1)
        while end > first:
            side = self._parse(first, end)
            if not isinstance(side, int):
                return side
            end = next((i for i in range(end - 1, first, -1) if self.tokens[i - 1].end <= side), first)
        return None

    def _left(self, end: int) -> Part | None:
        """The longest side that ends before a token."""
        first = self._reach(end - 1, -1) + 1
        before, begin = self.tokens[first - 1], self.tokens[first]
        is_index = _INDEX.fullmatch(self.text, begin.start, self.tokens[end - 1].end)
        is_cutoff = before.text in ("@", "at") and first == end - 1
        if is_index or is_cutoff or (before.kind in NAMES and before.end == begin.start):
            return None  # it belongs to a name, as in DCG[3], DCG@5 or P(3)
        first += begin.kind == "sign" and before.kind in ("newline", "end")  # an item of a list
        while first < end:
            side = self._parse(first, end)
            if not isinstance(side, int):
                return side
            first = next((i for i in range(first + 1, end) if self.tokens[i].kind in BEGINS), end)
        return None

    def _parse(self, first: int, end: int) -> Part | int | None:
        """A side, or where its reading stops; None if it has no value, as 1/log(1), and no part of it is a side."""
        start, last = self.tokens[first].start, self.tokens[end - 1].end
        try:
            ((side,),) = read_equation(self.text[start:last], log_base=self.log_base).chains
        except Stop as stop:
            return start + stop.offset
        except ValueError:
            return last - 1
        try:
            return last - 1 if side.value is None or _HUGE.search(side.text) else Part(start, last, side)
        except ValueError:
            return None


def _label(text: str) -> str:
    """The last line of what stands before a chain."""
    last = text.strip().rpartition("\n")[2].strip()
    argument = _ARGUMENT.search(last)
    return argument[1] if argument else last
