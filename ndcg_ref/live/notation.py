r"""Other ways to write a line or a number, put into the one that equations are read in.

A reader copies from a spreadsheet or a program, or writes a sentence.
"""

import re
import unicodedata
from collections.abc import Callable
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
    """
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
