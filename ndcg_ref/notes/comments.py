"""The comments in which the author of a note says what its numbers are, and those that silence the slips of a line.

``<!-- ndcg: … -->`` and ``% ndcg: …``, and the roles `ndcg`, which say the same; `bindings` reads what they say.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

_COMMENT = re.compile(
    r"(?<![`'])<!--\s*ndcg:(?P<html>.*?)(?:-->|(?P<unclosed>\Z))"
    r"|(?<![\\`'])%+[ \t]*ndcg:(?P<latex>[^\n]*)"
    r"|(?:\{ndcg\}|:ndcg:)`(?P<role>[^`\n]*)`",
    re.DOTALL,
)
_FENCE_OR_HEADING = re.compile(
    r"^[ \t]*(?P<fence>`{3,}|~{3,})[\s\S]*?\n[ \t]*(?P=fence)"
    r"|^[ \t]*#{1,6}[ \t]|^[ \t]*\S[^\n]*\n[ \t]*(?:={3,}|-{3,})[ \t]*$|<h[1-6]\b"
    r"|\\(?:chapter|(?:sub){0,2}section|(?:sub)?paragraph|frametitle|begin\{frame\})(?![a-z])",
    re.MULTILINE,
)
_SILENCING = re.compile(r"ndcg-ref:[ \t]*ignore\b(.*)")
_DIRECTIVE = re.compile(  # of a page, or of lines in a notebook
    r'^([ \t"]*)(?:(`{3,}|:{3,})\{ndcg\}(?:.*\n(?![ \t"]*\2))*.*|\.\. ndcg::.*(?:\n(?:\1[ \t].*|[ \t]*$))*)',
    re.MULTILINE,
)


class Comment(NamedTuple):
    """A comment or a role: where it is in a text, what it says, the section that it is in, and whether it is a role."""

    start: int
    end: int
    said: str
    section: range
    is_role: bool


def comments_in(text: str, code: Sequence[range] = ()) -> tuple[list[Comment], str]:
    r"""The comments and roles of a text, in order, and the text with blanks for them.

    One that is never closed ends with its line, and says nothing.

    >>> comments_in("# A\n1 <!-- ndcg: 2/2 -->\n# B\n")[0]
    [Comment(start=6, end=24, said=' 2/2 ', section=range(0, 25), is_role=False)]
    """
    found = list(_COMMENT.finditer(text))
    headings = (each for each in _FENCE_OR_HEADING.finditer(text) if found and each["fence"] is None)
    edges = [0, *(each.start() for each in headings if not any(each.start() in span for span in code)), len(text) + 1]
    comments, pieces, at = [], [], 0
    for each in found:
        start, end, said = *each.span(), each["html"] or each["latex"] or each["role"] or ""
        if each["unclosed"] is not None:
            end, said = start + len(each[0].split("\n", 1)[0]), ""
        first = bisect_right(edges, start)
        comments.append(Comment(start, end, said, range(edges[first - 1], edges[first]), each["role"] is not None))
        pieces += [text[at:start], blank(text[start:end])]
        at = end
    return comments, "".join((*pieces, text[at:]))


def blank(text: str) -> str:
    """As many blanks, lines kept."""
    return re.sub(r"[^\n]", " ", text)


def ignored_lines(text: str, lines: Iterable[int]) -> frozenset[int]:
    r"""Those of the lines, counted from 1, whose comment silences their slips: `ndcg-ref: ignore`, and why.

    So does a directive `ndcg` with the option `slip`: what it declares is for the build of its book to judge. A comment
    without a reason is a ValueError.

    >>> sorted(ignored_lines("DCG = 3.1 % ndcg-ref: ignore as in the paper\nDCG = 3.2", [1, 2]))
    [1]
    """
    asked, said = frozenset(lines), text.split("\n")
    comments = {number: _SILENCING.search(said[number - 1]) for number in sorted(asked)}
    for number, comment in comments.items():
        if comment and not re.search(r"\w", comment[1].replace("\\n", "")):  # the end of a line in a notebook
            raise ValueError(f"line {number}: expected a reason behind 'ndcg-ref: ignore', found none")
    declared = asked.intersection(_declared(text) if asked else ())
    return declared.union(number for number, comment in comments.items() if comment)


def _declared(text: str) -> Iterator[int]:
    """The lines of directives that declare a slip."""
    number, at = 1, 0
    for found in _DIRECTIVE.finditer(text):
        number += text.count("\n", at, found.start())
        at = found.start()
        if re.search(r'\n[ \t"]*:slip:', found[0]):
            yield from range(number, number + found[0].count("\n") + 1)
