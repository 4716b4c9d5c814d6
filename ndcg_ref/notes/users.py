"""The measures of a user who goes down the ranking and stops: ERR and RBP, with what they leave a note to choose.

ERR needs the highest grade of the scale, and RBP the chance that the user goes on. A note says each in words, or
shows it in its working.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import mul

from ndcg_ref.notes.words import says, words_for

_NAMES = {"ERR": "expected reciprocal rank", "RBP": "rank-biased precision"}
USERS = tuple(_NAMES)
_CHANCE = r"0?[.,][0-9]{1,3}"
_EQUAL = rf"[\s$`*]*+(?:=|≈|:|{words_for('link')})?[\s$`*]*+"
_PERSISTENCE = re.compile(rf"{words_for('persistence')}{_EQUAL}(?P<chance>{_CHANCE})(?![0-9%])", re.IGNORECASE)
_TO = "to|bis|à|al?|and|und|et|y|through|–|—|-|\\.\\.+|…"
_SCALE = re.compile(rf"(?<![0-9.])0[\s$]*(?:{_TO})[\s$]*(?P<grade>[1-9])(?![0-9]|\.[0-9])")


@dataclass(frozen=True)
class User:
    """What a note says of the user.

    Parameters
    ----------
    scales : tuple of float
        The highest grades of the scales that it names.
    chances : tuple of float
        The chances to go on to the next rank.
    measures : tuple of str
        Those of `USERS` that it names.
    """

    scales: tuple[float, ...] = ()
    chances: tuple[float, ...] = ()
    measures: tuple[str, ...] = ()

    def terms(self, quantity: str, grades: Sequence[float], judged: Sequence[float]) -> Iterator[tuple[float, ...]]:
        """The terms of ERR or RBP by rank, in each way in which a note may mean it; the likeliest first.

        >>> list(User(chances=(0.5,)).terms("RBP", [1, 0, 1], [1, 0, 1]))
        [(0.5, 0.0, 0.125)]
        """
        best = max([*grades, *judged], default=0) or 1
        scales = dict.fromkeys([*self.scales, best])
        fitting = [scale for scale in scales if scale >= best]
        if quantity == "ERR":
            yield from (_err_terms(stops) for stops in _stops(grades, fitting))
            return
        for gains in _graded(grades, best, fitting):
            for chance in self.chances:
                yield tuple((1 - chance) * chance**i * gain for i, gain in enumerate(gains))

    def sequences(self, grades: Sequence[float], judged: Sequence[float]) -> dict[str, tuple[float, ...]]:
        """What the columns of a table hold that works ERR, by rank.

        >>> User(measures=("ERR",)).sequences([1, 0, 1], [1, 0, 1])["ERR"]
        (0.5, 0.5, 0.5833333333333334)
        """
        best = max([*grades, *judged], default=0) or 1
        scales = [scale for scale in dict.fromkeys([*self.scales, best]) if scale >= best]
        found: dict[str, Sequence[float]] = {}
        for stops in _stops(grades, scales) if "ERR" in self.measures else ():
            comes = [*accumulate([1.0, *(1 - stop for stop in stops)], mul)][: len(stops)]
            terms = _err_terms(stops)
            columns: dict[str, Sequence[float]] = {"stop": stops, "go on": [1 - stop for stop in stops], "come": comes}
            columns |= {"come and stop": [*map(mul, comes, stops)], "term": terms, "": [*accumulate(terms)]}
            found = {f"ERR {name}".strip(): values for name, values in columns.items()} | found
        return {name: tuple(values) for name, values in found.items()}


def user_in(text: str) -> User:
    """What a text that `plain_text` made says of the user.

    >>> user_in("RBP of grades from 0 to 4, with a persistence of 0.8")
    User(scales=(4.0,), chances=(0.8,), measures=('RBP',))
    """
    scales = (float(found["grade"]) for found in _SCALE.finditer(text))
    chances = (float(found["chance"].replace(",", ".")) for found in _PERSISTENCE.finditer(text))
    named = tuple(measure for measure, kind in _NAMES.items() if says(kind, text))
    return User(tuple(dict.fromkeys(scales)), tuple(dict.fromkeys(filter(None, chances))), named)


def _stops(grades: Sequence[float], scales: Sequence[float]) -> Iterator[list[float]]:
    """The chance that the user stops at each rank, once there."""
    for scale in scales:
        yield [(2**grade - 1) / 2**scale for grade in grades]


def _graded(grades: Sequence[float], best: float, scales: Sequence[float]) -> Iterator[list[float]]:
    """The gain of each document, from 0 to 1: as a share of the highest grade, or whether it is relevant."""
    for scale in scales:
        yield [grade / scale for grade in grades]
    for level in sorted({grade for grade in grades if grade > 0})[:2] if best > 1 else ():
        yield [float(grade >= level) for grade in grades]


def _err_terms(stops: Sequence[float]) -> tuple[float, ...]:
    found, comes = [], 1.0
    for rank, stop in enumerate(stops, 1):
        found.append(comes * stop / rank)
        comes *= 1 - stop
    return tuple(found)
