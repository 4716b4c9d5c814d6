"""Patterns that are compiled on first use, as compiling all takes longer than reading a note, and parts of them."""

from __future__ import annotations

import re
from typing import Any


class _Pattern:
    def __init__(self, pattern: str, flags: int) -> None:
        self._given = pattern, flags

    def __getattr__(self, name: str) -> Any:
        value = getattr(re.compile(*self._given), name)
        setattr(self, name, value)  # so that the next use finds it at once
        return value


def lazy_pattern(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """A pattern, which is compiled when it is first used.

    >>> lazy_pattern("dcg@([0-9]+)", re.IGNORECASE).findall("DCG@3 and DCG@5")
    ['3', '5']
    """
    found: Any = _Pattern(pattern, flags)
    return found  # type: ignore[no-any-return]


ENDS = r"(?![\w%]|[.,][0-9])"  # behind a number of which all digits were read, and which is no percentage
PERCENT = r"(?P<percent>[0-9]{1,3}(?:[.,][0-9]{1,4})?)(?P<sign>\s*\\?%)"
# No time, such as 0.12 seconds
DECIMAL = lazy_pattern(r"(?<![\w.,])[0-9]{1,3}\.[0-9]{1,17}(?![\w]|[.,][0-9]|\s*(?:±|[nµm]?s\b))")
