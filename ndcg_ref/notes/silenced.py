"""Lines of a note whose slips a comment silences, or a directive declares."""

import re
from collections.abc import Iterable, Iterator

_COMMENT = re.compile(r"ndcg-ref:[ \t]*ignore\b(.*)")
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
    for comment in _COMMENT.finditer(text):
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
