"""The comments in which the author of a note says what its numbers are, and those that silence the slips of a line.

``<!-- ndcg: … -->`` and ``% ndcg: …``, and the roles `ndcg`, which say the same; `bindings` reads what they say.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

_COMMENT = re.compile(
    r"(?<![`'])<!--\s*ndcg:(?P<html>.*?)(?:(?P<closed>-->)|\Z)"
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


@dataclass(frozen=True)
class Comment:
    """A comment or a role: where it is in a text, what it says, the section that it is in, and whether it is a role."""

    start: int
    end: int
    said: str
    section: range
    is_role: bool = False

    @property
    def statements(self) -> list[str]:
        """What it says, line by line."""
        return [line.strip() for line in self.said.splitlines() if line.strip()] or [""]


def comments_in(text: str, code: Sequence[range] = ()) -> list[Comment]:
    r"""The comments and roles of a text, in order; one that is never closed ends with its line, and says nothing.

    >>> [(each.said, each.section) for each in comments_in("# A\n1 <!-- ndcg: 2/2 -->\n# B\n")]
    [(' 2/2 ', range(0, 25))]
    """
    found = list(_COMMENT.finditer(text))
    headings = (each for each in _FENCE_OR_HEADING.finditer(text) if found and each["fence"] is None)
    edges = [0, *(each.start() for each in headings if not any(each.start() in span for span in code)), len(text) + 1]
    comments = []
    for each in found:
        first = bisect_right(edges, each.start())
        is_open = each["html"] is not None and each["closed"] is None
        end = each.end() if not is_open else each.start() + len(each[0].split("\n", 1)[0])
        said = "" if is_open else each["html"] or each["latex"] or each["role"] or ""
        section = range(edges[first - 1], edges[first])
        comments.append(Comment(each.start(), end, said, section, each["role"] is not None))
    return comments


def without(comments: Sequence[Comment], text: str) -> str:
    """The text with blanks for its comments, lines kept."""
    pieces, at = [], 0
    for each in comments:
        pieces += [text[at : each.start], re.sub(r"[^\n]", " ", text[each.start : each.end])]
        at = each.end
    return "".join((*pieces, text[at:]))


_SILENCING = re.compile(r"ndcg-ref:[ \t]*ignore\b(.*)")
_DIRECTIVE = re.compile(r'([ \t"]*)(?:(`{3,}|:{3,})\{ndcg\}|\.\. ndcg::)')  # of a page, or of a line in a notebook
_END = re.compile(r'(?:-->|\*/|#\}|\\n|[",])*\s*$')  # of a comment, or of a line in a notebook


def ignored_lines(text: str, lines: Iterable[int]) -> frozenset[int]:
    r"""Those of the lines, counted from 1, whose comment silences their slips: `ndcg-ref: ignore`, and why.

    So does a directive `ndcg` with the option `slip`: what it declares is for the build of its book to judge.

    Raises
    ------
    ValueError
        If such a comment has no reason.

    Examples
    --------
    >>> sorted(ignored_lines("DCG = 3.1 % ndcg-ref: ignore as in the paper\nDCG = 3.2", [1, 2]))
    [1]
    """
    asked, found, number, start = frozenset(lines), set(), 1, 0
    for comment in _SILENCING.finditer(text):
        number += text.count("\n", start, comment.start())
        start = comment.start()
        if number not in asked:
            continue
        if not re.search(r"\w", _END.sub("", comment[1].rstrip("\r"))):
            raise ValueError(f"line {number}: expected a reason behind 'ndcg-ref: ignore', found none")
        found.add(number)
    return frozenset(found | asked.intersection(_declared(text) if asked else ()))


def _declared(text: str) -> Iterator[int]:
    """The lines of directives that declare a slip."""
    start, margin, fence, declares = 0, 0, "", False
    lines = text.split("\n")
    for number, line in enumerate([*lines, ""], start=1):
        said = line.lstrip(' \t"')
        opened = _DIRECTIVE.match(line)
        closed = said.startswith(fence) if fence else said and len(line) - len(said) <= margin
        if start and (opened or closed or number > len(lines)):
            yield from range(start, number) if declares else ()
            start = 0
        if opened:
            start, margin, fence, declares = number, len(opened[1]), opened[2] or "", False
        declares = declares or said.startswith(":slip:")
