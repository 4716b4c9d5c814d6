"""Slips that are known: those of a baseline, and those that a comment on their line silences."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence

from ndcg_ref.commands.findings_formats import KEYS, Found, key_of
from ndcg_ref.validation import shortened

_COMMENT = re.compile(r"ndcg-ref:[ \t]*ignore\b(.*)")
_END = re.compile(r'(?:-->|\*/|#\}|\\n|[",])*\s*$')  # of a comment, or of a line in a notebook
Key = tuple[str, ...]


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


def read_baseline(name: str, lines: Iterable[str]) -> Counter[Key]:
    """The slips of a baseline; raises where a line is none."""
    known: Counter[Key] = Counter()
    for i, line in enumerate(lines, start=1):
        try:
            entry = json.loads(line)
            key = tuple(entry[each] for each in KEYS)
        except (ValueError, KeyError, TypeError, RecursionError):
            key = ()
        if not key or not all(isinstance(part, str) for part in key):
            raise ValueError(f"{shortened(name)}:{i}: expected an object with {', '.join(KEYS)}, got {shortened(line)}")
        known[key] += 1
    return known


def compared(found: Sequence[Found], known: Counter[Key]) -> tuple[list[Found], list[Key]]:
    """The findings without the slips that are known, and the known slips that are gone."""
    left, kept = known.copy(), []
    for each in found:
        if each.is_slip and left[key_of(each)] > 0:
            left[key_of(each)] -= 1
        else:
            kept.append(each)
    return kept, list(left.elements())
