"""From one convention to another, one choice at a time: what each choice moves.

`walk` goes the way for any value that has a convention, such as the mean of a run.
"""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields, replace
from typing import Any, Generic, TypeVar

from ndcg_ref.conventions.convention import Convention, as_float32, or_none
from ndcg_ref.conventions.validation import counted

ASKED_FOR = ("ties", "ideal", "gain")  # what people suspect first: always reported
SAME = 1e-12  # sums in different orders differ by less

Evaluated = TypeVar("Evaluated")


@dataclass(frozen=True)
class Change:
    """A change of one choice on the way from one convention to another.

    Parameters
    ----------
    choice : str
        The name of the choice; several joined by "+" if they can only be changed together.
    a, b : str
        Its values before and after.
    moved : float
        By how much the mean moved; nan if there was none before or is none after.
    queries : int
        How many queries moved.
    groups : int or None
        For "ties" and "scores", how many groups of equal scores hold documents of different gain, one of them within
        the cutoff.

    Examples
    --------
    >>> str(Change("ties", "average", "id-descending", -0.0153, 2, 2))
    'ties −0.0153 in 2 groups'
    """

    choice: str
    a: str
    b: str
    moved: float
    queries: int
    groups: int | None = None

    def __str__(self) -> str:
        if self.groups is None or abs(self.moved) < SAME:
            return f"{self.choice} {signed(self.moved)}"
        return f"{self.choice} {signed(self.moved)} in {counted(self.groups, 'group')}"

    def as_json(self) -> dict[str, Any]:
        """The change as a JSON object."""
        row = {"choice": self.choice, "a": self.a, "b": self.b, "moved": or_none(self.moved), "queries": self.queries}
        return row if self.groups is None else {**row, "groups": self.groups}


@dataclass(frozen=True)
class Turn(Generic[Evaluated]):
    """One step of a walk: what was changed, and what was evaluated before and after."""

    choices: tuple[str, ...]
    conventions: tuple[Convention, Convention]  # before and after
    before: Evaluated
    after: Evaluated

    def change(self, moved: float, queries: int, groups: Callable[[], int]) -> Change:
        """The change, with what moved; groups of equal scores are counted only where they matter."""
        a, b = ("+".join(str(getattr(side, choice)) for choice in self.choices) for side in self.conventions)
        tied = groups() if {"ties", "scores"} & set(self.choices) else None
        return Change("+".join(self.choices), a, b, moved, queries, tied)


def between(start: Convention, end: Convention) -> list[Convention]:
    """The conventions on the way that `walk` goes where nothing is refused.

    >>> [each.gain for each in between(Convention(), Convention(gain="exponential", discount="rank"))]
    ['exponential']
    """
    changed = [field.name for field in fields(Convention) if getattr(start, field.name) != getattr(end, field.name)]
    return [
        replace(start, **{name: getattr(end, name) for name in changed[:count]}) for count in range(1, len(changed))
    ]


def walk(
    start: Convention,
    end: Convention,
    first: Evaluated,
    last: Evaluated,
    evaluated: Callable[[Convention], Evaluated],
    value: Callable[[Evaluated], float],
) -> Iterator[Turn[Evaluated]]:
    """Change the choices in which two conventions differ one after another, in the order of their parameters.

    A choice that would be refused at its turn, or leave no value, is changed after the others; if none can be changed
    alone, the rest is changed together. `first` and `last` are what was evaluated under the two conventions;
    `evaluated` does it for one between them, or refuses with a ValueError.

    >>> a, b = Convention(), Convention(gain="exponential", discount="rank")
    >>> from ndcg_ref.formulas import plain
    >>> def dcg(convention): return plain.dcg([2, 1], None, convention)
    >>> [(turn.choices, turn.after) for turn in walk(a, b, dcg(a), dcg(b), dcg, float)][1]
    (('discount',), 3.5)
    """
    here, now = start, first
    waiting = [field.name for field in fields(Convention) if getattr(start, field.name) != getattr(end, field.name)]
    while waiting:
        for choice in waiting:
            choices: tuple[str, ...] = (choice,)
            there = replace(here, **{choice: getattr(end, choice)})
            try:
                after = last if there == end else evaluated(there)
            except ValueError:
                continue
            if there == end or not math.isnan(value(after)) or math.isnan(value(now)):
                break
        else:
            choices, there, after = tuple(waiting), end, last
        yield Turn(choices, (here, there), now, after)
        here, now = there, after
        waiting = [choice for choice in waiting if choice not in choices]


def tied_groups(documents: Iterable[tuple[float, float]], k: int | None, coarse: bool) -> int:
    """How many groups of equal scores hold documents of different value, one of them within the cutoff.

    A document is given as its score and what it adds to the measure before any discount; `coarse` compares the scores
    in single precision.

    >>> tied_groups([(0.5, 1.0), (0.5, 0.0), (0.1, 2.0), (0.1, 2.0)], None, coarse=False)
    1
    """
    values_at: dict[float, list[float]] = {}
    for score, value in documents:
        values_at.setdefault(as_float32(score) if coarse else float(score), []).append(value)
    groups = ranked = 0
    for score in sorted(values_at, reverse=True):
        groups += len(set(values_at[score])) > 1 and (k is None or ranked < k)
        ranked += len(values_at[score])
    return groups


def headline(before: float, after: float, rows: Iterable[Change]) -> str:
    """Both values, and what moves the first to the second: the largest move first.

    >>> headline(0.5, 0.75, [Change("gain", "linear", "binary", 0.25, 1)])
    '0.5000 -> 0.7500: gain +0.2500; ties 0; ideal 0'
    """
    moving = [row for row in rows if not abs(row.moved) <= SAME]  # nan counts as a move, and comes first
    moving.sort(key=lambda row: -math.inf if math.isnan(row.moved) else -abs(row.moved))
    named = {choice for row in moving for choice in row.choice.split("+")}
    said = [*map(str, moving), *(f"{choice} 0" for choice in ASKED_FOR if choice not in named)]
    return f"{before:.4f} -> {after:.4f}: {'; '.join(said)}"


def moved_by(before: float, after: float) -> float:
    """By how much a value moved; 0 if there is none before or after.

    >>> moved_by(math.nan, math.nan), moved_by(0.5, 0.75)
    (0.0, 0.25)
    """
    return 0.0 if math.isnan(before) and math.isnan(after) else after - before


def signed(value: float, decimals: int = 4) -> str:
    """A difference with its sign, or 0 if there is none.

    >>> signed(-0.25), signed(0.0)
    ('−0.2500', '0')
    """
    if abs(value) < SAME:
        return "0"
    if math.isnan(value):
        return "nan"
    return f"{value:+.{decimals}f}".replace("-", "−")
