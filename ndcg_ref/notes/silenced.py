"""Lines of a note whose slips a comment silences."""

import re
from collections.abc import Iterable

_COMMENT = re.compile(r"ndcg-ref:[ \t]*ignore\b(.*)")
_END = re.compile(r'(?:-->|\*/|#\}|\\n|[",])*\s*$')  # of a comment, or of a line in a notebook


def ignored_lines(text: str, lines: Iterable[int]) -> frozenset[int]:
    r"""Those of the lines, counted from 1, whose comment silences their slips: `ndcg-ref: ignore`, and why.

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
    return frozenset(found)
