r"""The equations of a region: the longest spans around each `=` that parse, whatever stands around them.

The text is first made plain without a change of length, so that places stay: markup becomes blank. Then each
relation sign gets the longest expression that ends before it, and the longest that begins behind it. What is no
number, operator or logarithm ends an expression: words are labels, and a side with a name in it has no value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ndcg_ref.notes.words import is_word
from ndcg_ref.stated.equation import Side, read_equation
from ndcg_ref.stated.tokens import Stop, Token, pieces

MATH = frozenset({"number", "sign", "times", "over", "open", "close", "caret", "frac", "log", "ln", "sqrt"})
OPERATORS = frozenset({"sign", "times", "over", "caret"})
BEGINS = frozenset({"number", "open", "frac", "log", "ln", "sqrt"})
MOST_TOKENS = 2_000  # of one side
UNDEFINED = -1  # in place of where the reading stops: the side has no value, as 1/log(1), and no part of it is one
LONGEST_LABEL = 200
LONGEST_PARAGRAPH = 100_000  # characters; what is longer was not written to be read
LONGEST_NUMBER = 100  # digits

_LATEX_TEXT = re.compile(
    r"\\(?:text|mathrm|mathit|mathbf|mathsf|textbf|textit|operatorname\*?|mbox|boldsymbol)\s*(?=\{)"
)
_SET_BOLD = re.compile(r"(\\(?:mathbf|mathrm|textbf|boxed|boldsymbol|underline|mathit|color\{\w+\})\s*)\{([^{}]*)\}")
_PLAIN: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), sign)
    for pattern, sign in (
        # line breaks
        (r"\\\\(?:\[[^\]]{0,8}\])?[ \t]*\r?\n?|\\(?:par|newline)(?![A-Za-z])|\\[ \t]*\r?\n", "\n"),
        # formulas and emphasis
        (r"\\[()\[\]]|\$|`|//+|\*\*|&|~|\\(?:label|tag)\{[^{}]*\}|\\(?:begin|end)\{[^{}]*\}", " "),
        # the size of brackets, and blanks
        (r"\\(?:left|right|[bB]igg?[lr]?|displaystyle|quad|qquad|limits|nolimits|[,;:!>])(?![A-Za-z])", " "),
        (r"\\(?:approx|simeq|cong|doteq)(?![A-Za-z])|≃|≅|≐|≒", "≈"),
        # the bracket of a number again as a percentage, which is no factor: 0.30 (30%)
        (r"(?:(?<=[0-9])|(?<=[0-9] )|(?<=[0-9]  ))\((?=[0-9][0-9.,]{0,9}\s?\\?%\s?\))", ";"),
        (r"\\(?:to|rightarrow|Rightarrow|implies|longrightarrow)(?![A-Za-z])|→|⇒|⟹|⟶|=>|->", "→"),
    )
)
_LOG_BASE = re.compile(r"(?P<log>\\?(?:log|LOG|Log))(?P<under>_?)(?P<base>2|10)(?![0-9.])(?=\s*[({\[]|\s+[0-9.])")
_LATEX_BASE = re.compile(r"\\log_(?P<base>[0-9])")
# Full-width signs, as Chinese text has them
_WIDE = str.maketrans("\uff0c\u3001\uff1b\uff1a\u3002\uff08\uff09\u3010\u3011\uff1d", ",,;:.()[]=")
_PARAGRAPHS = re.compile(r"\n[ \t\r]*\n\s*")
_RELATION = re.compile("[=≈→]")
_INDEX = re.compile(r"\[\s*[0-9]+\s*\]")  # as in DCG[3]
_APART = re.compile(r"(?<=[0-9])((?:\\[,;:!]|[ ~\u00a0\u202f])+)\\?%")  # of a percentage
_LOW = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_BARE_FRACTION = re.compile(r"\\[dt]?frac\s?([0-9])\s?([0-9])(?![0-9])")
# A colon between two numbers divides them, as German notes write it
_RATIO = re.compile(r"(?<=[0-9]) : (?=[0-9][0-9.,]*\s*[=≈])")
# An argument of a call, which its name alone names
_ARGUMENT = re.compile(r"\w\((?:[^()]|\([^()]*\))*(?<=[(,\s])([A-Za-z_]\w*)$")
_CROSS = re.compile(r"(?<=[0-9)])(\s*)[xX](\s*)(?=[0-9(.])")


@dataclass(frozen=True)
class Part:
    """A side of a chain that has a value.

    Parameters
    ----------
    start, end : int
        Where it stands in the region.
    side : Side
        The expression, whose own places count from `start`.
    """

    start: int
    end: int
    side: Side


@dataclass(frozen=True)
class Chain:
    """A printed chain a = b = c, with the words before it.

    Parameters
    ----------
    label : str
        What stands before its first side with a value, up to the end of the thing before.
    parts : tuple of Part
        Its sides.
    """

    label: str
    parts: tuple[Part, ...]

    @property
    def start(self) -> int:
        """Where its first side begins."""
        return self.parts[0].start


_COMMA = re.compile(r"(?<![0-9.,])([0-9]{1,3})(?:,([0-9]{2,})|\{,\}([0-9]+))(?![0-9]|[.,][0-9])")
_COMMA_BEHIND_SIGN = re.compile(r"(?<=[=≈+/*×·:−-] )([0-9]{1,3}),([0-9])(?![0-9]|[.,][0-9]|\s*[,;] [0-9])")
_COMMA_BESIDE_SIGN = re.compile(
    r"(?<=[={+/*×·≈−])([0-9]{1,3}),([0-9]+)(?=[-+/*×·=}\\−])|(?<=[={+])([0-9]{1,3}),([0-9])(?=[+}])"
)
_COMMA_IN_CELL = re.compile(r"(?<=[|&\t] )([0-9]{1,3}),([0-9])(?=\s*(?:[|&\t]|\\\\))")
_POINT = re.compile(r"(?<![0-9.])[0-9]?\.[0-9]{2,}(?![0-9.])")
_OPEN_LOG = re.compile(r"\\?log(?=\s*[({\[0-9])")


def has_open_log(text: str) -> bool:
    """Whether a logarithm stands without its base in a text that `plain_text` made.

    >>> has_open_log("3/log(2)"), has_open_log("3/log₂(2)")
    (True, False)
    """
    return _OPEN_LOG.search(text) is not None


def readable_text(text: str) -> str:
    """The text with a point before its decimals, as long as before.

    >>> readable_text("DCG = 3,00 + 1{,}26"), readable_text("grades 3,2,0 give 0.63")
    ('DCG = 3.00 + 1.26  ', 'grades 3,2,0 give 0.63')
    """
    if len(_COMMA.findall(text)) <= len(_POINT.findall(text)):
        return text
    text = _COMMA.sub(lambda found: f"{found[1]}.{found[2] or found[3]}".ljust(len(found[0])), text)
    text = _COMMA_BESIDE_SIGN.sub(lambda found: found[0].replace(",", "."), text)
    return _COMMA_IN_CELL.sub(r"\1.\2", _COMMA_BEHIND_SIGN.sub(r"\1.\2", text))


def plain_text(text: str) -> str:
    r"""The text with its markup blank, as long as before.

    >>> plain_text(r"$\mathbf{DCG} = \dfrac{3}{\log_2 2}$")
    '         DCG  = \\dfrac{3}{\\log₂  2} '
    """
    text = _APART.sub(lambda found: "%".ljust(len(found[0])), text.translate(_WIDE))
    for pattern, sign in _PLAIN:
        text = pattern.sub(lambda found, sign=sign: sign.ljust(len(found[0])), text)  # type: ignore[misc]
    text = _SET_BOLD.sub(lambda found: f"{' ' * (len(found[1]) + 1)}{found[2]} ", text)
    text = _LATEX_TEXT.sub(lambda found: " " * len(found[0]), text)
    text = _BARE_FRACTION.sub(lambda found: f"({found[1]}/{found[2]})".ljust(len(found[0])), text)
    text = _LATEX_BASE.sub(lambda found: f"\\log{found['base'].translate(_LOW)} ", text)
    text = _LOG_BASE.sub(
        lambda found: f"{found['log'].lower()}{found['base'].translate(_LOW)}".ljust(len(found[0])), text
    )
    text = _RATIO.sub(" ÷ ", text)
    return _CROSS.sub(lambda found: f"{found[1]}×{found[2]}", text)


def chains_of(text: str, log_base: float = 2.0) -> list[Chain]:
    """The chains of a text that `plain_text` made.

    Parameters
    ----------
    text : str
        The text.
    log_base : float, optional
        The base of a logarithm that is printed without one.

    Returns
    -------
    list of Chain
        In the order of the text.

    Examples
    --------
    >>> [(chain.label, [text[part.start : part.end] for part in chain.parts])
    ...  for text in ["so DCG@3: 0/log₂(2) + 1/log₂(3) = 0.63 and Ideal: 2 = 2.00"] for chain in chains_of(text)]
    [('so DCG@3:', ['0/log₂(2) + 1/log₂(3)', '0.63']), ('and Ideal:', ['2', '2.00'])]
    """
    found: list[Chain] = []
    for start, block in _blocks(text):
        for chain in _Scanner(block, log_base).chains():
            parts = (replace(part, start=start + part.start, end=start + part.end) for part in chain.parts)
            found.append(Chain(chain.label, tuple(parts)))
    return found


def _blocks(text: str) -> Iterator[tuple[int, str]]:
    """The paragraphs of a text that have a relation in them, each with where it starts."""
    start = 0
    for found in _PARAGRAPHS.finditer(text + "\n\n"):
        if found.end() - start <= LONGEST_PARAGRAPH and _RELATION.search(text, start, found.end()):
            yield start, text[start : found.end()]
        start = found.end()


class _Scanner:
    """Finds the sides around each relation; `tokens` are all of the text."""

    def __init__(self, text: str, log_base: float) -> None:
        self.text, self.log_base = text, log_base
        self.tokens = [token for token in pieces(text) if token.kind != "blank"]
        for i, token in enumerate(self.tokens):
            if token.kind == "unknown" and token.text in ("→", "≈"):
                self.tokens[i] = token._replace(kind="relation")

    def chains(self) -> list[Chain]:
        found: list[Chain] = []
        parts: list[Part] = []
        label, last = None, 0  # of the chain that is read, and where the thing before ends
        relations = [i for i, token in enumerate(self.tokens) if token.kind == "relation"]
        for at, follows in zip(relations, [*relations[1:], None], strict=True):
            if label is None:
                first = self._left(at - 1, last)
                start = first.start if first is not None else self.tokens[at].start
                label, parts = self.text[max(last, start - LONGEST_LABEL) : start], [first] if first is not None else []
            right = self._right(at + 1)
            parts += [right] if right is not None else []
            if follows is not None and self._leads_on(at, right, follows):
                continue
            if parts:
                found.append(Chain(_label(label), tuple(parts)))
                last = max(parts[-1].end, self.tokens[at].end)
            label = None
        return found

    def _leads_on(self, at: int, right: Part | None, follows: int) -> bool:
        """Whether the next relation belongs to the same chain."""
        between = self.tokens[at + 1 : follows]
        if right is not None:
            behind = [token for token in between if token.start >= right.end]
            return all(token.kind == "newline" for token in behind) and len(behind) <= 3
        if any(token.kind == "newline" for token in between[:-1]) or not between or self.tokens[at].text == "→":
            return False  # an arrow leads to a name, which begins a chain of its own
        return not any(token.text in ",;:." for token in between) and len(between) < 40

    def _right(self, i: int) -> Part | None:
        """The longest side that begins at a token."""
        first = i
        while i < len(self.tokens) and self.tokens[i].kind == "newline" and i - first < 2:
            i += 1
        return self._parsed_from(i, self._reach(i, 1))

    def _reach(self, i: int, step: int, last: int = 0) -> int:
        """The token that ends a side which goes on from another one, forward or back, but not before a place."""
        tokens, depth, first = self.tokens, 0, i
        opens = "open" if step > 0 else "close"
        while 0 <= i < len(tokens) and abs(i - first) < MOST_TOKENS and tokens[i].start >= last:
            if tokens[i].kind == "newline":
                if not depth and not (step > 0 and self._goes_on_below(i)):
                    break
            elif tokens[i].kind in ("open", "close"):
                depth += 1 if tokens[i].kind == opens else -1
                if depth < 0:
                    break
            elif not self._is_math(i):
                break
            i += step
        return i

    def _goes_on_below(self, i: int) -> bool:
        """Whether a side goes on behind a line break, where it breaks off at a sign, or a plus begins the next line."""
        before, after = self.tokens[i - 1 : i + 2 : 2] if 0 < i < len(self.tokens) - 1 else (None, None)
        if before is None or after is None:
            return False
        return before.kind in OPERATORS or (after.text == "+" and before.kind in ("number", "close"))

    def _is_math(self, i: int) -> bool:
        token = self.tokens[i]
        if token.kind in ("subscript", "under"):
            before = self.tokens[i - 1] if i else None
            return before is not None and before.kind == "log"
        return token.kind in MATH

    def _parsed_from(self, first: int, end: int) -> Part | None:
        tokens = self.tokens
        while end > first:
            last = tokens[end - 1]
            side, stop = self._parse(tokens[first].start, last.end)
            if side is not None:
                return Part(tokens[first].start, last.end, side)
            if stop == UNDEFINED:
                return None
            shorter = end - 1
            while shorter > first and tokens[shorter - 1].end > stop:
                shorter -= 1
            end = min(shorter, end - 1)
        return None

    def _left(self, i: int, last: int) -> Part | None:
        """The longest side that ends at a token, behind the thing before."""
        tokens, end = self.tokens, i + 1
        first = self._reach(i, -1, last) + 1
        before = tokens[first - 1] if first and tokens[first - 1].start >= last else None
        index = first < end and _INDEX.fullmatch(self.text, tokens[first].start, tokens[i].end)
        if first >= end or index or self._belongs_to_name(first, end, before):
            return None
        is_dash = tokens[first].kind == "sign" and self.text[tokens[first].end : tokens[first].end + 1].isspace()
        if is_dash and (before is None or before.kind == "newline"):
            first += 1  # an item of a list
        while first < end:
            side, stop = self._parse(tokens[first].start, tokens[end - 1].end)
            if stop == UNDEFINED:
                return None
            if side is not None:
                return Part(tokens[first].start, tokens[end - 1].end, side)
            first += 1
            while first < end and tokens[first].kind not in BEGINS:
                first += 1
        return None

    def _belongs_to_name(self, first: int, end: int, before: Token | None) -> bool:
        """Whether a name stands right before a token, so that it is DCG_5, P(3), or rel - 1."""
        if before is None or before.kind not in ("name", "under", "subscript"):
            return before is not None and before.text == "@"
        if is_word("at", before.text) and first == end - 1:
            return True
        return before.kind != "name" or before.end == self.tokens[first].start or self.tokens[first].kind in OPERATORS

    def _parse(self, start: int, end: int) -> tuple[Side | None, int]:
        """A side, or where its reading stops; its places are those of the text."""
        try:
            ((side,),) = read_equation(self.text[start:end], log_base=self.log_base).chains
        except Stop as stop:
            return None, start + stop.offset
        except ValueError:
            return None, end - 1
        try:
            long = max(map(len, re.findall(r"[0-9]+", side.text)), default=0) > LONGEST_NUMBER
            return (None, end - 1) if side.value is None or long else (side, end)
        except ValueError:
            return None, UNDEFINED


def _label(text: str) -> str:
    """The last line of what stands before a chain."""
    lines = [line.strip() for line in text.strip().splitlines()]
    last = lines[-1] if lines else ""
    argument = _ARGUMENT.search(last)
    return argument[1] if argument else last
