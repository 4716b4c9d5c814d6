"""The hypotheses under which numbers are judged: a list that may be a ranking, its judged grades, a convention.

Every list of a text may be a ranking. A few hypotheses are chosen, those that explain the most: the digits of the
printed numbers that are their values, less those that chance would explain.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

from ndcg_ref.conventions.convention import EXPONENTIAL, ORIGINAL, STANDARD, Convention
from ndcg_ref.notes.claims import UNNAMED, NoteClaim
from ndcg_ref.notes.facts import Facts
from ndcg_ref.notes.limits import MOST_LISTS
from ndcg_ref.notes.lists import PrintedList, relevant_in
from ndcg_ref.notes.measured import QUANTITIES, SETS, Measured, measured
from ndcg_ref.notes.thresholds import BELIEVED, SPREAD
from ndcg_ref.notes.words import says
from ndcg_ref.stated.number import Number

CONVENTIONS = {  # with the bits that each costs
    STANDARD: 0.0,
    EXPONENTIAL: 0.5,
    ORIGINAL: 4.0,
    Convention(gain="exponential", discount="log(rank)"): 5.0,
    Convention(base=math.e): 6.0,
    Convention(base=10): 6.0,
}
POOL = 1.0  # bits that judged grades cost which are not those of the ranking
INFERRED = 1.5  # and each grade that is read off a printed term
NEAR = 100  # characters before a list in which words say what it is
MOST_POOLS = 5
OF_ONE = {"MAP": "AP", "MRR": "RR"}
NAMED = (*QUANTITIES, UNNAMED, "discount")
NAMED_CHOICES = {
    ("gain", "linear"): re.compile(r"\b(?:linear|linéaire)", re.IGNORECASE),
    ("gain", "exponential"): re.compile(r"\bexp(?:onen|[0-9])|2\s*(?:\^|\*\*)", re.IGNORECASE),
    ("discount", "log(rank)"): re.compile(r"\boriginal\b", re.IGNORECASE),
    ("base", math.e): re.compile(r"\bln\b|\bnatural|natürlich", re.IGNORECASE),
    ("base", 10.0): re.compile(r"log_?\{?10|base 10|decadic|common log", re.IGNORECASE),
}

Grades = tuple[float, ...]
Way = tuple[float, str, int]  # a value, its quantity, and the rank


class Told(NamedTuple):
    """What the reader of a note knows of it, and the note does not say: the ranking, and the convention."""

    grades: Grades | None = None
    convention: Convention | None = None


@dataclass(eq=False)
class Hypothesis:
    """A list with its judged grades under a convention.

    Parameters
    ----------
    listing : PrintedList
        The list.
    measured : Measured
        What it measures.
    cost : float
        The bits by which it is less likely than others.
    support : dict of str to float
        The printed numbers that it explains, with the bits that each tells.
    is_doubtful : bool
        Whether it takes the ranking for all that was judged, although words say so of a longer list.
    """

    listing: PrintedList
    measured: Measured
    cost: float
    support: dict[str, float] = field(default_factory=dict)
    is_doubtful: bool = False
    _named: dict[tuple[object, ...], list[float]] = field(default_factory=dict, repr=False)

    @property
    def grades(self) -> Grades:
        """The grades by rank."""
        return self.measured.grades

    @property
    def convention(self) -> Convention:
        """The convention."""
        return self.measured.convention

    @property
    def weight(self) -> float:
        """The bits that it explains, less what it costs."""
        return sum(self.support.values()) - self.cost

    @cached_property
    def values(self) -> list[Way]:
        """What a text may print of it, in order of value."""
        columns = self.measured.sequences.items()
        found = [(value, quantity, rank) for quantity, column in columns for rank, value in enumerate(column, 1)]
        found += [(value, quantity, 0) for quantity in ("AP", "RR") for value in self.measured.values(quantity, None)]
        return sorted(each for each in found if math.isfinite(each[0]))

    @cached_property
    def distinct(self) -> int:
        """How many different values there are."""
        return max(1, len({round(value, 6) for value, _, _ in self.values}))

    def ways(self, number: Number) -> list[Way]:
        """The values that a number may be, whatever its name is."""
        low, high = number.bounds
        return self.values[bisect_left(self.values, (low,)) : bisect_right(self.values, (high, "~"))]

    def named(self, claim: NoteClaim) -> list[float]:
        """What a claim should be, in each way in which its name can be read."""
        key = name_of_key(claim)
        if key not in self._named:
            self._named[key] = []
            claim = replace(claim, quantity=OF_ONE.get(claim.quantity or "", claim.quantity))
            with suppress(ValueError, OverflowError, IndexError, ZeroDivisionError):
                values = _measures(claim, self.measured)
                self._named[key] = [value for value in dict.fromkeys(values) if math.isfinite(value)]
        return self._named[key]

    def value_of(self, claim: NoteClaim) -> float | None:
        """The value by its name that a claim states."""
        return next((value for value in self.named(claim) if states(claim.number, value)), None)

    def bits(self, claim: NoteClaim) -> float:
        """What a claim tells that comes out: its digits, less those that chance explains."""
        if not is_named(claim):
            return max(0.0, digits_of(claim.number) - math.log2(self.distinct))
        if claim.number.unit >= 1:
            return 0.5
        return max(0.0, digits_of(claim.number, claim.quantity) - math.log2(len(self.named(claim)) or 1))

    def may_give(self, claim: NoteClaim) -> bool:
        """Whether a claim may be about the list; one that is only told by ranks has no grades to gain."""
        return not self.listing.is_local or claim.quantity in SETS

    def explains(self, claim: NoteClaim) -> bool:
        """Whether a claim comes out: by its name, or by its value if it has no name."""
        if is_named(claim):
            return self.may_give(claim) and self.value_of(claim) is not None
        return self.may_give(claim) and claim.number.unit < 1 and bool(self.ways(claim.number))


def name_of_key(claim: NoteClaim) -> tuple[object, ...]:
    """All of a claim on which the values of its name depend."""
    terms = len(claim.working.terms) if claim.working is not None else 0
    return claim.quantity, claim.k, claim.sure, claim.term, terms, claim.operand


def is_named(claim: NoteClaim) -> bool:
    """Whether a text says which quantity a number is; the heading of a column may be of what it works out."""
    return claim.quantity in NAMED and claim.cell is None


def states(number: Number, value: float) -> bool:
    """Whether a number states a value; a 1 with decimals says that nothing is missing."""
    return number.covers(value) and (number.value != 1 or number.unit == 1 or value > 1 - 1e-9)


def digits_of(number: Number, quantity: str | None = None) -> float:
    """The bits that the digits of a number tell, as if all values of its quantity were as likely."""
    spread = 1.0 if number.nearest_float <= 1 or quantity in (*SETS, "NDCG") else SPREAD
    unit = number.unit  # which may be too small for a float
    return max(0.0, math.log2(spread) + math.log2(unit.denominator) - math.log2(unit.numerator))


def _measures(claim: NoteClaim, bound: Measured) -> list[float]:
    if claim.quantity == "discount":
        return bound.divisors(claim.term)
    if claim.quantity == UNNAMED:
        named = (replace(claim, quantity=quantity) for quantity in ("DCG", "IDCG"))
        divisors = bound.divisors(None) if claim.operand else []
        return [value for each in named for value in _measures(each, bound)] + divisors
    if claim.quantity not in QUANTITIES:
        return []
    cutoffs = [claim.k] if claim.k is None or claim.sure else [claim.k, None]
    count = len(claim.working.terms) if claim.working is not None else 0
    if count > 1 and claim.k is None:
        cutoffs.append(count)  # the first ranks alone
    if claim.k and claim.term and claim.term[1] > claim.k:
        cutoffs.append(None)  # a sum that goes on behind its cutoff
    if claim.term is None:
        return [value for k in cutoffs for value in bound.values(claim.quantity, k)]
    return [value for k in cutoffs for value in bound.term(claim.quantity, k, claim.term)]


def hypotheses_of(facts: Facts, told: Told) -> Iterator[Hypothesis]:
    """The hypotheses of a text, or those that its reader allows."""
    lists = facts.lists if told.grades is None else [PrintedList((-1,), told.grades, told.grades)]
    rankings = [each for each in lists if not each.is_ideal] or lists
    untold = {each.grades for each in lists if not _is_pool(each, facts.text)}
    for each in rankings[:MOST_LISTS]:
        pools = [each.judged] if each.judged else _pools(each.grades, lists, facts.text)
        for convention, cost in _conventions(facts, told, each.grades):
            for pool in pools:
                price = cost + POOL * (pool != each.grades) + INFERRED * len(each.grades) * each.is_inferred
                with suppress(ValueError, OverflowError):
                    found = Hypothesis(each, measured(each.grades, pool, convention, facts.user), price)
                    found.is_doubtful = pool == each.grades and not untold.issuperset(pools[1:])
                    if found.values:
                        yield found


def _conventions(facts: Facts, told: Told, grades: Grades) -> Iterator[tuple[Convention, float]]:
    """The conventions that a text may use for a ranking, each with what it costs."""
    if told.convention is not None:
        yield told.convention, 0.0
        return
    for convention, cost in CONVENTIONS.items():
        if convention.gain == "exponential" and {*grades} <= {0.0, 1.0}:
            continue  # it is the same as linear gain
        shape = str(convention.gain), str(convention.discount)
        if convention.base == 2 or NAMED_CHOICES["base", float(convention.base)].search(facts.text):
            yield convention, 0.0 if convention.base == 2 and shape in facts.formulas else cost


def _is_pool(listing: PrintedList, text: str) -> bool:
    """Whether words before a list say that it is all that was judged."""
    return any(says("pool", text[max(0, place - NEAR) : place]) for place in listing.places)


def _pools(grades: Grades, lists: Sequence[PrintedList], text: str) -> list[Grades]:
    """The judged grades that a list may have: its own, a longer list, or so many relevant documents."""
    gained = Counter(filter(None, grades))
    longer = [each.grades for each in lists if sum(each.grades) > sum(grades) and not gained - Counter(each.grades)]
    counts = sorted(relevant_in(text)) if {*grades} <= {0.0, 1.0} else []
    counted = [(1.0,) * count for count in counts if sum(grades) < count]
    return list(dict.fromkeys([grades, *longer, *counted]))[:MOST_POOLS]


def chosen_of(hypotheses: Sequence[Hypothesis], facts: Facts, told: Told) -> list[Hypothesis]:
    """The hypotheses that explain the most, each with enough that no better one explains; sets their support.

    A single number is no sign of a second convention that the text does not name: it may be a slip.
    """
    claims = {(*name_of_key(each), each.number.text, each.ranking, each.cell is None): each for each in facts.claims}
    for each in hypotheses:
        each.support = _explained(each, list(claims.values()))
    chosen: list[Hypothesis] = []
    known: set[str] = set()
    ranked = sorted(hypotheses, key=lambda each: -each.weight)
    for each in ranked:
        new = {text: bits for text, bits in each.support.items() if bits and text not in known}
        best = ranked[0].convention
        alone = len(new) == 1 and each.convention != best and not _is_named(each.convention, best, facts.text)
        believed = min(each.weight, sum(new.values())) >= BELIEVED and not alone
        if believed or (told.grades is not None and not chosen):
            chosen.append(each)
            known |= new.keys()
    return chosen


def _is_named(convention: Convention, best: Convention, text: str) -> bool:
    """Whether a text names a choice of a convention that is not that of the best one."""
    return any(
        getattr(convention, choice) == value != getattr(best, choice) and form.search(text)
        for (choice, value), form in NAMED_CHOICES.items()
    )


def _explained(hypothesis: Hypothesis, claims: Sequence[NoteClaim]) -> dict[str, float]:
    """The texts of the numbers that come out, each with what it tells."""
    found: dict[str, float] = {}
    for claim in claims:
        if claim.number.value and claim.ranking in (None, hypothesis.grades) and hypothesis.explains(claim):
            text = claim.number.text
            found[text] = max(hypothesis.bits(claim), found.get(text, 0.0))
    return found
