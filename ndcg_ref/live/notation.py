r"""Other ways to write a line or a number, put into the one that equations are read in.

A reader copies from a spreadsheet, a program, or a page whose formulas KaTeX draws, or writes a sentence.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NamedTuple

_NAME = r"(?:ideal[ ]dcg|[ni]?dcg|cg)"
_BLANKS = r"[^\S\n]*"
_CUTOFF = rf"(?:(?:@|\bat\b){_BLANKS}(?P<k>[1-9][0-9]{{0,3}}){_BLANKS})?"
_SAID = rf"(?:(?:the|my)[ ]+)?(?P<measure>{_NAME}){_BLANKS}{_CUTOFF}"
_IS = r"(?P<relation>:?[=≈]|:|\bis\b)"
_BEGINS = rf"(?:\\\w+\{{)?{_SAID}(?:\}}|_\w+)?{_BLANKS}(?:{_IS}|\\approx)"
_IN_BRACKETS = r"[^;,()\n]*(?:\([^()\n]*\)[^;,()\n]*)*"
_MODULE = r"\b(?:math|numpy|np)\."
_SLASH = "\N{FRACTION SLASH}"
_INVISIBLE = "[\u200b-\u200d\u2060-\u2064\ufeff]"

_NAMED = re.compile(rf"\s*{_SAID}{_IS}\s*(?P<number>\S.*)", re.IGNORECASE)
_FRACTION = re.compile(rf"(?:(?<![0-9])([0-9]+))?([¼-¾⅐-⅞])|(?<![0-9.])()([0-9]+{_SLASH}[0-9]+)(?![0-9.])")
_GOES_ON = re.compile(r"[^\S\n]*(?:[-−+*×·⋅/÷=≈).,;\n]|\\(?:cdot|times|approx)|$)")
_PART = re.compile(r"[A-Za-z]+(?:@[0-9]+)?|[0-9.]+|[^\w\s]")

_SPELLINGS: list[tuple[str, str | Callable[[re.Match[str]], str]]] = [
    # how it is written, how it is read
    (_INVISIBLE, ""),
    (r"(?<=[0-9])(?:[^\S\n]|~|\\[,;!])+(?=\\?%)", ""),  # 68.6 %
    (rf"(?:{_MODULE}|\b)log\(({_IN_BRACKETS})[;,][^\S\n]*([0-9]+)[^\S\n]*\)", r"log\2(\1)"),  # LOG(3;2)
    (rf"{_MODULE}(?=log[0-9])", ""),  # math.log2(3)
    (rf"{_MODULE}log(?=\()", "ln"),
    (r"\blog", "log"),
    (rf"(?<=[0-9%)])(?:{_BLANKS}(?:[,;]|\.[ ]|\band\b){_BLANKS}|[^\S\n]+)(?={_BEGINS})", "\n"),  # 4.43, NDCG = 0.93
    (rf"^({_BLANKS}){_SAID}{_IS}{_BLANKS}", lambda found: f"{found[1]}{_name(found)} {_relation(found)} "),
]
_COMPILED = [(re.compile(form, re.IGNORECASE | re.MULTILINE), read) for form, read in _SPELLINGS]


class Named(NamedTuple):
    """A number behind the name of its measure: the measure, the cutoff or None, and the text of the number."""

    measure: str
    k: int | None
    number: str


def named_number(text: str) -> Named | None:
    """A number that is typed with the name of its measure; None if there is no name.

    >>> named_number("nDCG@4 = 0.686")
    Named(measure='NDCG', k=4, number='0.686')
    >>> named_number("0.686")
    """
    found = _NAMED.fullmatch(text)
    if found is None:
        return None
    measure = found["measure"].upper().replace("IDEAL DCG", "IDCG")
    about = "≈ " if _relation(found) == "≈" else ""  # of which a bare 1 is rounded
    return Named(measure, int(found["k"]) if found["k"] else None, about + found["number"])


def plain_number(text: str) -> str:
    r"""A number with its fraction written with a slash.

    >>> plain_number("3½"), plain_number("1\N{FRACTION SLASH}3"), plain_number("0.63")
    ('7/2', '1/3', '0.63')
    """
    return _FRACTION.sub(_slashed, text)


def plain_lines(text: str) -> str:
    r"""Lines as equations are read, each equation on a line of its own.

    >>> print(plain_lines("DCG at 2 is 3 + 2/LOG(3;2), NDCG: 81.7 %"))
    DCG@2 = 3 + 2/log2(3)
    NDCG = 81.7%
    >>> plain_lines("CG=3+1=4CG = 3 + 1 = 4CG=3+1=4")  # as KaTeX draws it for readers and programs, and its source
    'CG = 3 + 1 = 4'
    """
    text = _without_drawings("\n".join(_source_of(line) for line in text.split("\n")))
    for form, read in _COMPILED:
        text = form.sub(read, text)
    return _FRACTION.sub(_in_line, text).replace(_SLASH, "/")


def _name(matched: re.Match[str]) -> str:
    return matched["measure"] + (f"@{matched['k']}" if matched["k"] else "")


def _relation(matched: re.Match[str]) -> str:
    return "≈" if matched["relation"].endswith("≈") else "="


def _slashed(matched: re.Match[str]) -> str:
    """A fraction of whole numbers; one behind a whole number is added to it."""
    whole = matched[1] or "0"
    above, _, below = unicodedata.normalize("NFKC", matched[2] or matched[4]).partition(_SLASH)
    return f"{int(whole) * int(below) + int(above)}/{below}"


def _in_line(matched: re.Match[str]) -> str:
    """A fraction in a line, in brackets where it would be torn apart."""
    divides = matched.string[: matched.start()].rstrip().endswith(("/", "÷", "^"))
    whole = not divides and _GOES_ON.match(matched.string, matched.end())
    return _slashed(matched) if whole else f"({_slashed(matched)})"


def _source_of(line: str) -> str:
    """The TeX of a formula that was copied as KaTeX stores it: for programs, as TeX, and as drawn, one behind another.

    What is drawn has the signs of what programs read, in another order, and each of the three has the same digits.
    """
    seen = re.sub(_INVISIBLE, "", line).strip()
    digits = [found.start() for found in re.finditer("[0-9]", seen)]
    third = len(digits) // 3
    for size in range(digits[third - 1] + 1, digits[third] + 1) if third else ():
        for_programs, source, drawn = seen[:size], seen[size:-size], seen[-size:]
        same = Counter(for_programs) == Counter(drawn) and _digits(for_programs) == _digits(source)
        if same and "=" in for_programs.replace("≈", "="):
            return source
    return line


def _digits(text: str) -> Counter[str]:
    return Counter(re.findall("[0-9]", text))


def _without_drawings(text: str) -> str:
    """The text, with one line for each formula that Chromium copied from KaTeX: its parts, one a line, and as drawn."""
    lines, found, at = text.split("\n"), [], 0
    while at < len(lines):
        parts = 0
        while at + parts < len(lines) and _PART.fullmatch(_seen(lines[at + parts]) or "="):
            parts += 1
        size, equation = _formula(lines[at:], parts) or (max(1, parts), "\n".join(lines[at : at + max(1, parts)]))
        found.append(equation)
        at += size
    return "\n".join(found)


def _seen(line: str) -> str:
    """What is seen of a line, in plain letters, without blanks."""
    return re.sub(r"\s", "", unicodedata.normalize("NFKC", re.sub(_INVISIBLE, "", line)))


def _formula(lines: Sequence[str], count: int) -> tuple[int, str] | None:
    """How many lines are one formula, so many of them its parts; and the formula. None if they are none."""
    seen = [_seen(line) for line in lines]
    parts = [part for part in seen[:count] if part]
    size, drawn = count, ""
    while size < len(seen) and len(drawn) < len("".join(parts)):
        drawn += seen[size]
        size += 1
    same = Counter(drawn) == Counter("".join(parts))
    return (size, _equation(parts, drawn)) if same and "=" in drawn.replace("≈", "=") else None


def _equation(parts: Sequence[str], drawn: str) -> str:
    """The equation of parts that is drawn so; the parts side by side, which are not read, if that is not sure."""
    with suppress(IndexError, ValueError):
        equation, expected = _assembled(parts)
        if drawn == expected:
            return equation
    return " ".join(parts)


def _assembled(parts: Sequence[str]) -> tuple[str, str]:
    """The equation of parts, and how it is drawn: of two numbers without a sign between them the second one divides.

    >>> _assembled(["3", "+", "2", "log", "2", "3"])
    ('3+2/log_{2}3', '3+log232')
    """
    equation, drawn, at = "", "", 0
    while at < len(parts):
        (text, picture), at = _operand(parts, at)
        if _is_value(picture) and at < len(parts) and _is_value(parts[at]):
            (below, picture_below), at = _operand(parts, at)
            if picture == picture_below:
                raise ValueError("expected two numbers that tell a fraction from a power")
            text, picture = f"{text}/{below}", picture_below + picture
        equation, drawn = equation + text, drawn + picture
    return equation, drawn


def _is_value(part: str) -> bool:
    return part[0].isdigit() or part.startswith("log")


def _operand(parts: Sequence[str], at: int) -> tuple[tuple[str, str], int]:
    """A number, a logarithm with its base, or a sign, as text and as drawn; and where the next one starts."""
    if parts[at] != "log":
        return (parts[at], parts[at]), at + 1
    base, start = parts[at + 1], at + 2
    end = parts.index(")", start) + 1 if parts[start] == "(" else start + 1
    of = "".join(parts[start:end])
    return (f"log_{{{base}}}{of}", f"log{base}{of}"), end
