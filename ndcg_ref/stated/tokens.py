r"""The tokens of a printed line, LaTeX or plain: each with its kind and its place.

What is no token stops the reading, with its place. A new kind of token is one more line of the table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from ndcg_ref.conventions.validation import quoted

LONGEST = 100_000

# A sign of one character is its own kind of token, whatever stands around it
_SIGNS = {
    **dict.fromkeys("=≈", "relation"),
    **dict.fromkeys("-+−", "sign"),
    **dict.fromkeys("*×·⋅", "times"),
    **dict.fromkeys("/÷", "over"),
    **dict.fromkeys("({[", "open"),
    **dict.fromkeys(")}]", "close"),
    **{"^": "caret", "_": "under", "√": "sqrt", "\n": "newline", "$": "newline"},
}
# Every other kind by its form; the first that fits is taken
_FORMS = {
    "number": r"""(?:[1-9][0-9]{0,2}(?:(?:,|\{,\})[0-9]{3})+(?![0-9])|[0-9]+)(?:\.[0-9]+)?
          (?:[eE][-+]?[0-9]+(?![0-9A-Za-z]))?(?:\\?%)?
        |\.[0-9]+(?:\\?%)?""",
    "sign of one character": f"[{re.escape(''.join(_SIGNS))}]",
    "blank": r"""[ \t\r~&]+|\\(?:left|right|displaystyle|quad|qquad|limits)(?![A-Za-z])|\\[,;:!\ ]
        |\\(?:begin|end)\{[A-Za-z]+\*?\}""",
    "frac": r"\\[dt]?frac(?![A-Za-z])",
    "log": r"\\?log(?![A-Za-z])",
    "ln": r"\\?(?:ln|lb|ld)(?![A-Za-z])",  # whose name says the base: e, or 2
    "sqrt": r"\\?sqrt(?![A-Za-z])",
    "name": r"""\\(?:text|mathrm|mathit|mathbf|operatorname)\ *\{[^{}]*\}|\\(?:sum|ldots|cdots|dots)(?![A-Za-z])
        |[^\W\d_₀-₉²³¹⁰-⁹¼-¾⅐-⅞]+(?:@[0-9A-Za-z]+)?|…|\|""",
    "subscript": r"[₀-₉]+",
    "relation": r"\\(?:approx|simeq)(?![A-Za-z])",
    "times": r"\\(?:cdot|times)(?![A-Za-z])",
    "over": r"\\div(?![A-Za-z])",
    "open": r"\\\{",
    "close": r"\\\}",
    "newline": r"\\\\",
    "unknown": r"[\s\S]",
}


class Token(NamedTuple):
    """A piece of a line: what kind it is, its text, and where it starts."""

    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.start + len(self.text)


class Stop(ValueError):
    """Where the reading or the working of a line stops, and why.

    Parameters
    ----------
    offset : int
        The place in the line, from 0.
    expected, got : str
        What should stand there, and what does.
    line : str, optional
        The line.

    Examples
    --------
    >>> print(Stop(4, "expected a number", "=", "2 + = 5"))
    character 5: expected a number, got '=' in '2 + = 5'
    """

    def __init__(self, offset: int, expected: str, got: str, line: str | None = None) -> None:
        super().__init__(offset, expected, got, line)
        self.offset, self.expected, self.got, self.line = offset, expected, got, line

    def within(self, line: str) -> Stop:
        """The same with its line."""
        return Stop(self.offset, self.expected, self.got, line)

    def __str__(self) -> str:
        where = f"character {self.offset + 1}: {self.expected}, got {quoted(self.got or 'the end')}"
        if self.line is None:
            return where
        part = self.line[max(0, self.offset - 25) : self.offset + 25]
        return f"{where} in {quoted(self.line if len(self.line) <= 60 else part + '…')}"


_KINDS = ("", *_FORMS)  # by the number of a group


# Compiled on first use: it takes longer than the rest of the import
@cache
def _pattern() -> re.Pattern[str]:
    """A group for each kind of token; the last one is a character that is none."""
    return re.compile("|".join(f"({form})" for form in _FORMS.values()), re.VERBOSE)


def pieces(text: str) -> Iterator[Token]:
    """The tokens of any text, blanks among them; a character that is part of no equation is of the kind "unknown".

    >>> [token.kind for token in pieces("so: 2")]
    ['name', 'unknown', 'blank', 'number']
    """
    for found in _pattern().finditer(text):
        piece = found[0]
        yield Token(_SIGNS.get(piece) or _KINDS[found.lastindex or 0], piece, found.start())


def tokenize(line: str) -> list[Token]:
    """The tokens of a line, blanks left out; the last one is the end.

    >>> [(token.kind, token.text, token.start) for token in tokenize("2 + 3/4")][2:]
    [('number', '3', 4), ('over', '/', 5), ('number', '4', 6), ('end', '', 7)]
    """
    if len(line) > LONGEST:
        raise ValueError(f"expected an equation of at most {LONGEST} characters, got {len(line)}")
    found = [token for token in pieces(line) if token.kind != "blank"]
    found.append(Token("end", "", len(line)))
    unknown = next((token for token in found if token.kind == "unknown"), None)
    if unknown is not None:
        raise Stop(unknown.start, "expected part of an equation", line[unknown.start : unknown.start + 12])
    return found
