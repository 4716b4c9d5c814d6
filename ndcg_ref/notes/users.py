"""The measures of a user who goes down the ranking and stops: ERR and RBP, with what they leave a note to choose.

ERR needs the highest grade of the scale, and RBP the chance that the user goes on. A note says each in words, or
shows it in its working.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate
from operator import mul
from typing import NamedTuple

from ndcg_ref.notes.words import says, words_for

USERS = ("ERR", "RBP")
_EQUAL = rf"[\s$`*]*+(?:=|≈|:|{words_for('link')})?[\s$`*]*+"
_PERSISTENCE = re.compile(rf"{words_for('persistence')}{_EQUAL}(0?[.,][0-9]{{1,3}})(?![0-9%])", re.IGNORECASE)
_TO = "to|bis|à|al?|and|und|et|y|through|–|—|-|\\.\\.+|…"
_SCALE = re.compile(rf"(?<![0-9.])0[\s$]*(?:{_TO})[\s$]*([1-9])(?![0-9]|\.[0-9])")


class User(NamedTuple):
    """What a note says of the user: the highest grades of scales, the chances to go on, and whether it names ERR."""

    scales: tuple[float, ...] = ()
    chances: tuple[float, ...] = ()
    has_err: bool = False

    def terms(self, quantity: str, grades: Sequence[float], judged: Sequence[float]) -> list[tuple[float, ...]]:
        """The terms of ERR or RBP by rank, in each way in which a note may mean it; the likeliest first.

        >>> User(chances=(0.5,)).terms("RBP", [1, 0, 1], [1, 0, 1])
        [(0.5, 0.0, 0.125)]
        """
        scales = self._fitting(grades, judged)
        if quantity == "ERR":
            return [_err(grades, scale)["ERR term"] for scale in scales]
        gains = [[grade / scale for grade in grades] for scale in scales]
        for level in sorted({*grades} - {0})[:2]:
            gains.append([float(grade >= level) for grade in grades])
        found = (tuple((1 - p) * p**i * gain for i, gain in enumerate(each)) for each in gains for p in self.chances)
        return list(dict.fromkeys(found))

    def sequences(self, grades: Sequence[float], judged: Sequence[float]) -> dict[str, tuple[float, ...]]:
        """What the columns of a table hold that works ERR, by rank.

        >>> User(has_err=True).sequences([1, 0, 1], [1, 0, 1])["ERR"]
        (0.5, 0.5, 0.5833333333333334)
        """
        return _err(grades, self._fitting(grades, judged)[0]) if self.has_err else {}

    def _fitting(self, grades: Sequence[float], judged: Sequence[float]) -> list[float]:
        """The highest grades of the scales that may be those of a ranking."""
        best = max([*grades, *judged], default=0) or 1
        return [scale for scale in dict.fromkeys([*self.scales, best]) if scale >= best]


def user_in(text: str) -> User:
    """What a text that `plain_text` made says of the user.

    >>> user_in("RBP of grades from 0 to 4, with a persistence of 0.8")
    User(scales=(4.0,), chances=(0.8,), has_err=False)
    """
    scales = map(float, _SCALE.findall(text))
    chances = (float(chance.replace(",", ".")) for chance in _PERSISTENCE.findall(text))
    return User(tuple(dict.fromkeys(scales)), tuple(dict.fromkeys(chances)), says("expected reciprocal rank", text))


def _err(grades: Sequence[float], scale: float) -> dict[str, tuple[float, ...]]:
    """The columns that work ERR: the chances to stop at a rank, once there, to go on, and to come to it; and terms."""
    stop = tuple((2**grade - 1) / 2**scale for grade in grades)
    go_on = tuple(1 - each for each in stop)
    come = tuple(accumulate((1.0, *go_on[:-1]), mul))
    both = tuple(map(mul, come, stop))
    terms = tuple(each / rank for rank, each in enumerate(both, 1))
    sums = tuple(accumulate(terms))
    names = ("ERR stop", "ERR go on", "ERR come", "ERR come and stop", "ERR term", "ERR")
    return dict(zip(names, (stop, go_on, come, both, terms, sums), strict=True))
