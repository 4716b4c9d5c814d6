"""What printed numbers are about: quantities, what they become when one thing goes wrong, and causes of slips.

A `Subject` registers each with one decorator, and all that judges a number reads what is registered. The measures of a
ranking come with the package; another subject is a module that a notebook imports, or that the configuration of a book
names.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import ndcg_ref
from ndcg_ref.conventions.validation import quoted
from ndcg_ref.stated.number import as_value

if TYPE_CHECKING:
    from ndcg_ref.stated.claim import Claim, Term

ALONE, EARLY, PAIRED, LAST = range(4)  # the stages of a diagnosis: each is tried where none before it explains
UNEXPLAINED = "unexplained"
WORDS = r"(?:term|weight|deviation|error|difference|increase|change)s?"  # an error of NDCG is no NDCG

Settings = Mapping[str, str]
Values = Iterable[tuple[str, Callable[[], float]]]  # what was done, and the value with it


class Recomputation(NamedTuple):
    """What one thing gone wrong leads to: a value to be rounded, or else the units of a wrongly rounded number."""

    text: str
    value: float | None = None
    units: int = 0
    label: str = ""  # which of the claim's alternatives it is, if one


Find = Callable[["Claim"], Iterable[tuple[Any, ...]]]  # each a text and a value, or all of a Recomputation
Compute = Callable[[Any], float]  # a quantity of an example
Wrong = Callable[[str, Any], Values]  # what a quantity of an example becomes
Readers = Mapping[str, Callable[[str, str], Any]]


@dataclass(frozen=True)
class Cause:
    """A way for a slip to come about."""

    code: str
    meaning: str  # what happened, in one sentence
    find: Find  # the recomputations of a claim
    stage: int = ALONE
    rounds: bool = False  # whether it is a wrong way to round, which can follow another cause: they are then a pair
    then_rounded: bool = False  # whether a wrong rounding can follow it
    from_alternatives: bool = False  # whether it takes its values from the claim's alternatives


@dataclass(frozen=True, eq=False)
class Quantity:
    """A quantity of a subject, and how it is computed of an example, such as a ranking or a confusion matrix."""

    subject: Subject
    name: str
    value: Compute
    symbols: Sequence[str]  # how texts write it, as regular expressions
    range: tuple[float, float] = (-math.inf, math.inf)  # a bare 0 or 1 of a quantity between 0 and 1 is exact
    takes: Sequence[str] = ()  # the settings that a call of it may name
    needs: Sequence[str] = ()  # those without which it has no value: all that it takes, if no others are said
    terms: Callable[[Any], Sequence[Term]] = lambda example: ()  # of a sum
    of: Sequence[str] = ()  # of a quotient of two sums these

    @property
    def call(self) -> str:
        """Its name in a call, such as ``r_precision(1, 0)``."""
        return re.sub(r"\W", "_", self.name.lower())

    def alternatives(self, example: Any) -> dict[str, dict[str, float]]:
        """The values that it takes when one thing goes wrong, by the code of a cause and by what was done.

        One that does not exist is left out, such as a quotient by 0, and so is one that is the right value.
        """
        right = self.value(example)
        found: dict[str, dict[str, float]] = {}
        for code, of, make in self.subject.wrong:
            if of and self.name not in of:
                continue
            values = found.setdefault(code, {})
            for label, compute in make(self.name, example):
                try:
                    value = compute()
                except (ArithmeticError, ValueError):  # such as a gain that overflows
                    continue
                if math.isfinite(value) and not math.isclose(value, right, rel_tol=1e-12):
                    values[label] = value
        return found


class Subject:
    """What printed numbers are about; one of the same name is replaced.

    Parameters
    ----------
    name : str
        What it is called, such as "classification".
    make : callable, optional
        What makes an example, such as a confusion matrix, of the values of its settings.
    settings : sequence of str or mapping, optional
        What a page may say of an example, such as ``tp=9``; a mapping also says how each is read, by a function of its
        text and its name, which else reads a number. The first one may be given without its name.

    Examples
    --------
    >>> coins = Subject("coins", dict, ("heads", "tails"))
    >>> @coins.quantity("share of heads", range=(0, 1), takes=("heads", "tails"))
    ... def share(example):
    ...     return example["heads"] / (example["heads"] + example["tails"])
    >>> @coins.alternative("odds", "the odds were printed")
    ... def odds(quantity, example):
    ...     yield "heads divided by tails", lambda: example["heads"] / example["tails"]
    >>> coins["share of heads"].alternatives(coins.example({"heads": "3", "tails": "4"}))
    {'odds': {'heads divided by tails': 0.75}}
    >>> SUBJECTS.remove(coins)
    """

    aliases: ClassVar[Settings] = {}  # other names of settings
    replaces: ClassVar[Mapping[str, Sequence[str]]] = {}  # for a setting those that no longer count where it is new
    usage = "precision(tp=9; fp=3)"  # a call that has all it needs, for messages
    sum_form = ""  # what `sum_of` takes, for messages
    rows = ""  # the setting that the rows of a table count, where it shows how sums grow

    def __init__(self, name: str, make: Callable[..., Any] = dict, settings: Collection[str] = ()) -> None:
        if name not in ndcg_ref.SUBJECTS:
            subjects()  # so that those of the package come first
        self.name, self.make = name, make
        self.settings: Readers = settings if isinstance(settings, Mapping) else dict.fromkeys(settings, as_value)
        self.quantities: dict[str, Quantity] = {}
        self.causes: list[Cause] = []
        self.wrong: list[tuple[str, Collection[str], Wrong]] = []
        SUBJECTS[:] = [*(each for each in SUBJECTS if each.name != name), self]  # a cell may be run again

    def __getitem__(self, quantity: str) -> Quantity:
        return self.quantities[quantity]

    def quantity(self, name: str, *symbols: str, **options: Any) -> Callable[[Compute], Compute]:
        """Register a function of an example as a quantity, which texts write by its name, or as the symbols match.

        The options are those of `Quantity`: `range`, `needs`, `takes`, `terms` and `of`.
        """

        def listed(value: Compute) -> Compute:
            self.quantities[name] = Quantity(
                self, name, value, symbols or (re.escape(name),), **{"needs": options.get("takes", ()), **options}
            )
            return value

        return listed

    def cause(self, code: str, meaning: str, **options: Any) -> Callable[[Find], Find]:
        """Register a function of a claim as a cause, with its code and its meaning; the options are those of `Cause`.

        The function yields what was done, in words, and the value with it. It is tried on every slip.
        """
        if code in {each.code for subject in SUBJECTS for each in subject.causes}:
            raise ValueError(f"{self.name}: expected a code of its own for each cause, got {quoted(code)} twice")

        def listed(find: Find) -> Find:
            self.causes.append(Cause(code, meaning, find, **options))
            return find

        return listed

    def alternative(
        self, code: str, meaning: str = "", of: Collection[str] = (), **options: Any
    ) -> Callable[[Wrong], Wrong]:
        """Register what quantities become when one thing goes wrong, and that as a cause.

        The function yields what was done, and a function that computes the value with it. Without a meaning the code is
        that of a cause which is known already.
        """
        if meaning:
            self.cause(code, meaning, from_alternatives=True, **options)(partial(values_of, code))
        elif code not in codes():
            raise UnknownCauseError(f"{self.name}: alternative without a meaning", code)

        def listed(make: Wrong) -> Wrong:
            self.wrong.append((code, of, make))
            return make

        return listed

    def example(self, said: Settings) -> Any:
        """The example of which these settings are; those of other subjects are passed over."""
        own = {name: text.strip() for name, text in said.items() if name in self.settings}
        return self.make(**{name: self.settings[name](text, name) for name, text in own.items()})

    def check(self, said: Settings) -> None:
        """Refuse settings that make no sense, also where they are not all that an example needs."""
        for name, text in said.items():
            self.settings[name](text, name)

    def describe(self, quantity: str, example: Any, said: Settings) -> str:
        """What a quantity of an example is called, in words."""
        return f"{quantity} of {', '.join(f'{name}={text}' for name, text in said.items())}"

    def log_base(self, example: Any) -> float | None:
        """The base of a logarithm that a line prints without one; None where it has to be printed."""
        return None

    def sum_of(self, terms: Any) -> tuple[Quantity, Any] | None:
        """The quantity and the example that an author passes as ``terms=``; None if this subject has no such form."""
        return None


SUBJECTS: list[Subject] = []


def subjects() -> list[Subject]:
    """Every subject that is registered; those that come with the package are loaded first."""
    for module in ndcg_ref.SUBJECTS.values():
        import_module(module)
    return SUBJECTS


def all_causes() -> list[Cause]:
    """All causes, in the order in which a verdict names them."""
    return sorted((each for subject in subjects() for each in subject.causes), key=lambda each: each.stage == LAST)


class UnknownCauseError(ValueError):
    """No cause has that code; the message has all codes, and the one that was probably meant."""

    def __init__(self, where: str, code: object) -> None:
        from difflib import get_close_matches  # takes longer to load than this module

        near = get_close_matches(str(code), codes(), 1)
        hint = f" (did you mean {near[0]}?)" if near else ""
        super().__init__(f"{where}: expected one of {', '.join(codes())}, got {quoted(code)}{hint}")


def codes() -> list[str]:
    """The codes that a slip may be declared with: those of causes, those of pairs, and "unexplained"."""
    found = all_causes()
    pairs = [f"{first.code}+{then.code}" for first in found if first.then_rounded for then in found if then.rounds]
    before, last = ([each.code for each in found if (each.stage == LAST) is late] for late in (False, True))
    return [*before, *pairs, *last, UNEXPLAINED]


def meaning_of(code: str) -> str:
    """What a cause, or a pair of causes, means.

    >>> meaning_of("convention+truncated").rpartition("; then ")[2]
    'the digits were cut toward zero instead of rounded'
    """
    meanings = {each.code: each.meaning for each in all_causes()}
    return "; then ".join(meanings.get(each, "no single cause that was tried gives it") for each in code.split("+"))


def is_bounded(name: str) -> bool:
    """Whether the first quantity that a name mentions lies between 0 and 1.

    >>> is_bounded("mean AP"), is_bounded("DCG@5"), is_bounded("the error of an NDCG")
    (True, False, False)
    """
    quantities = [each for subject in subjects() for each in subject.quantities.values()]
    kinds: tuple[list[str], list[str]] = ([WORDS], [])
    for each in quantities:
        kinds[each.range == (0, 1)].extend(each.symbols)
    found = _pattern(*map("|".join, kinds)).search(name)
    return found is not None and found["bounded"] is not None


@lru_cache
def _pattern(others: str, bounded: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![a-z])(?:(?P<bounded>{bounded})|{others})(?![a-z])", re.IGNORECASE)


def values_of(code: str, claim: Claim) -> Iterator[Recomputation]:
    """The alternatives of a claim that belong to a cause."""
    for label, value in claim.alternatives.get(code, {}).items():
        yield Recomputation(f"{label} gives {value:.6g}", value, label=label)
