"""The search for the hypotheses that explain a note, and the outcome of each of its numbers."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from ndcg_ref.conventions.convention import Convention
from ndcg_ref.notes import thresholds as limit
from ndcg_ref.notes.forms import Term
from ndcg_ref.notes.hypotheses import Hypothesis
from ndcg_ref.notes.mentions import Mention, Name
from ndcg_ref.stated.equation import Side
from ndcg_ref.stated.number import Number

IDEAL_COLUMNS = ("ideal term", "IDCG", "ICG", "ideal gain", "ideal grade")
FREE_COLUMNS = ("discount", "weight", "1/rank")  # which no ranking changes
SUMS = {
    "DCG": ("term",),
    "IDCG": ("ideal term",),
    "CG": ("grade",),
    "ICG": ("ideal grade",),
    "AP": ("AP term",),
    None: ("term", "ideal term"),
}


def bits_of(number: Number) -> float:
    """What a printed number tells: the digits without zeros at the end, less one bit."""
    units = abs(number.units)
    while units and units % 10 == 0:
        units //= 10
    return max(0.0, math.log2(units + 1) - 1) if number.unit < 1 else min(1.0, math.log2(units + 1))


def is_slight(value: float, number: Number) -> bool:
    """Whether a number is a value but for its last digit, or two digits that are swapped."""
    if abs(value - number.nearest_float) <= 1.5 * number.unit:
        return True
    right, printed = number.at(number.nearest(value)), number.text
    wrong = [(a, b) for a, b in zip(right, printed, strict=False) if a != b]
    return len(right) == len(printed) and len(wrong) == 2 and wrong[0] == wrong[1][::-1]


@dataclass(frozen=True)
class Entry:
    """One of the numbers of an item, what it tells, and whether it says so as symbols."""

    place: int
    number: Number | None
    bits: float
    term: Term | None = None


@dataclass(frozen=True)
class Item:
    """What is explained together: a result, a sum, a column.

    `expect` gives for a hypothesis the values of each entry, none for an entry of which it knows none, and the share of
    the bits that count; None where it has nothing to say.
    """

    place: int
    line: int
    entries: tuple[Entry, ...]
    expect: Callable[[Hypothesis], tuple[Sequence[tuple[float, ...]], float] | None]
    name: Name = field(default_factory=Name)
    ordered: bool = True  # whether the order of the ranking tells in it
    binary: bool = False  # whether it is about which documents are relevant, and not how much
    section: int = 0
    bare: bool = False  # whether it stands without a working
    rankings: frozenset[tuple[float, ...]] | None = None  # those that it is said to be about
    call: bool = False  # whether it is the result of a call with its ranking
    relevant: int | None = None  # how many relevant documents its line says that there are
    text_line: tuple[int, int] = (0, 0)  # where its line of text begins and ends
    block: int = 0  # the paragraph or the row of a table in which it stands


@dataclass
class Found:
    """A judged mention."""

    mention: Mention
    value: float | None = None
    outcome: str = "unchecked"
    reason: str = ""
    hypothesis: Hypothesis | None = None
    side: Side | None = None
    resolved: tuple[float | None, ...] = ()


def explains(entry: Entry, values: tuple[float, ...]) -> bool:
    """Whether one of some values is that of an entry."""
    if entry.number is not None:
        return any(entry.number.covers(value) for value in values)
    assert entry.term is not None
    low, high = _span(entry.term)
    return any(low - 1e-9 <= value <= high + 1e-9 for value in values)


def _span(term: Term) -> tuple[float, float]:
    """The least and the greatest value of a term, its decimals being rounded."""
    value, low, high = term.value, term.value, term.value
    for each in term.decimals:
        lo, hi = each.number.bounds
        near = each.number.nearest_float or 1.0
        if each.role == "below" or (term.divisor and each.role == ""):
            low, high = (
                low * min(near / hi, near / lo) if lo > 0 else low,
                high * max(near / hi, near / lo) if lo > 0 else high,
            )
        else:
            low, high = low * lo / near, high * hi / near
    return min(low, high, value), max(low, high, value)


class Search:
    """All hypotheses of a region, with what each explains."""

    def __init__(self, items: Sequence[Item], hypotheses: Sequence[Hypothesis]) -> None:
        self.items = sorted(items, key=lambda item: item.place)
        self.places = [item.place for item in self.items]
        self.hypotheses = list(hypotheses)
        made = [[item.expect(one) for item in self.items] for one in self.hypotheses]
        self.expected = [[each and each[0] for each in row] for row in made]
        self.shares = [[each[1] if each else 0.0 for each in row] for row in made]
        self.bits = [
            [share * self._bits(item, values) for item, values, share in zip(self.items, row, shares, strict=True)]
            for row, shares in zip(self.expected, self.shares, strict=True)
        ]
        self.sums = {
            binary: [
                [
                    0.0,
                    *accumulate(
                        bits if item.binary == binary else 0.0 for item, bits in zip(self.items, row, strict=True)
                    ),
                ]
                for row in self.bits
            ]
            for binary in (False, True)
        }
        self.graded = [item.binary for item in self.items]
        self.order = [
            sum(bits for item, bits in zip(self.items, row, strict=True) if item.ordered and not item.binary)
            + (
                4.0
                if one.told or (list(one.grades) != sorted(one.grades, reverse=True) and one.cost < limit.INFERRED)
                else 0.0
            )
            for one, row in zip(self.hypotheses, self.bits, strict=True)
        ]
        conventions = list(dict.fromkeys(one.convention for one in self.hypotheses))
        self.most = {
            each: [
                max(
                    (row[i] for one, row in zip(self.hypotheses, self.bits, strict=True) if one.convention == each),
                    default=0.0,
                )
                for i in range(len(self.items))
            ]
            for each in conventions
        }
        self._of_places: dict[tuple[int, Convention], bool] = {}
        self.index = {id(item): i for i, item in enumerate(self.items)}

    @staticmethod
    def _bits(item: Item, values: Sequence[tuple[float, ...]] | None) -> float:
        if values is None:
            return 0.0
        return sum(
            entry.bits for entry, each in zip(item.entries, values, strict=True) if each and explains(entry, each)
        )

    def supports(self, item: Item) -> list[float]:
        """The bits that each hypothesis explains besides an item, less what it costs."""
        i = self.index[id(item)]
        first = bisect_left(self.places, item.place - limit.NEAR)
        last = bisect_right(self.places, item.place + limit.NEAR)
        found = []
        for one, row, sums in zip(self.hypotheses, self.bits, self.sums[item.binary], strict=True):
            near = sums[last] - sums[first] - row[i]
            far = sums[-1] - (sums[last] - sums[first])
            away = min(2.0, abs(one.place - item.place) / 2000) + (1.0 if one.place > item.place else 0.0)
            found.append(near + limit.FAR * far - one.cost - away)
        return found

    def _of_place(self, item: Item) -> list[float]:
        """The bits that each convention explains besides an item whose place says what it is about, less its cost."""
        i = self.index[id(item)]
        totals = {
            each: sum(bits for other, bits in zip(self.items, row, strict=True) if other.binary == item.binary) - row[i]
            for each, row in self.most.items()
        }
        return [totals[one.convention] - one.cost for one in self.hypotheses]

    def in_section(self, item: Item, h: int) -> float:
        """The bits of its section that a hypothesis explains besides an item."""
        own = self.index[id(item)]
        return sum(
            bits
            for i, (each, bits) in enumerate(zip(self.items, self.bits[h], strict=True))
            if each.section == item.section and i != own and each.binary == item.binary
        )

    def mates_confirm(self, item: Item, h: int) -> bool:
        """Whether the numbers beside a bare one are of its hypothesis; without any, whether there is one ranking."""
        own = self.index[id(item)]
        begin, end = item.text_line
        same = [each for each in self.items if begin <= each.place < end and each.bare and each is not item]
        mates = [
            (values is not None and explains(each.entries[0], values[0]), self.bits[h][i])
            for i, (each, values) in enumerate(zip(self.items, self.expected[h], strict=True))
            if i != own
            and each.bare
            and each.binary == item.binary
            and (begin <= each.place < end if same else each.block == item.block)
        ]
        if mates:
            hits = sum(covers for covers, _ in mates)
            return 2 * hits >= len(mates) and sum(bits for _, bits in mates) >= limit.ENOUGH / 2
        if len({one.grades for one in self.hypotheses if one.cost < 12 and not one.inferred}) != 1:
            return False
        others = [
            values is not None and explains(each.entries[0], values[0])
            for i, (each, values) in enumerate(zip(self.items, self.expected[h], strict=True))
            if i != own and each.bare and each.binary == item.binary
        ]
        return 2 * sum(others) >= len(others)

    def peers_confirm(self, item: Item, one: Hypothesis) -> bool:
        """Whether most other numbers beside which a ranking stands are of that ranking, under a convention."""
        own = self.index[id(item)]
        peers = [
            i
            for i, each in enumerate(self.items)
            if i != own and each.rankings is not None and each.binary == item.binary
        ]
        hits = sum(self._is_of_place(i, one.convention) for i in peers)
        return 2 * hits >= len(peers)

    def _is_of_place(self, i: int, convention: Convention) -> bool:
        """Whether a number is of a ranking that stands beside it, under a convention."""
        if (i, convention) not in self._of_places:
            item = self.items[i]
            self._of_places[i, convention] = any(
                other.convention == convention
                and other.grades in (item.rankings or ())
                and (values := self.expected[h][i]) is not None
                and all(v and explains(e, v) for e, v in zip(item.entries, values, strict=True))
                for h, other in enumerate(self.hypotheses)
            )
        return self._of_places[i, convention]

    def judge(self, item: Item) -> Iterator[tuple[Entry, Choice]]:
        """For each entry of an item what the hypotheses make of it."""
        i = self.index[id(item)]
        supports = self.supports(item) if item.rankings is None else self._of_place(item)
        for n, entry in enumerate(item.entries):
            covering, against = (-math.inf, -1), (-math.inf, -1)
            printed: set[Convention] = set()
            for h, support in enumerate(supports):
                values = self.expected[h][i]
                if values is None or not values[n]:
                    continue
                if item.rankings is not None and self.hypotheses[h].grades not in item.rankings:
                    continue
                if item.relevant and sum(grade > 0 for grade in self.hypotheses[h].judged) != item.relevant:
                    continue
                covers = explains(entry, values[n])
                others = self.bits[h][i] - (self.shares[h][i] * entry.bits if covers else 0.0)
                if covers:
                    covering = max(covering, (support + others, h))
                    if not self.hypotheses[h].inferred:
                        printed.add(self.hypotheses[h].convention)
                else:
                    against = max(against, (support + others, h))
            yield entry, Choice(self, i, n, covering, against, frozenset(printed))


@dataclass(frozen=True)
class Choice:
    """The best hypothesis that gives a number, and the best one that gives another."""

    search: Search
    item: int
    entry: int
    covering: tuple[float, int]
    against: tuple[float, int]
    printed: frozenset[Convention] = frozenset()  # those under which a list of the note gives the number

    @property
    def apart(self) -> float:
        """The bits of other lines that the hypothesis which gives the number explains, and the other one does not."""
        line = self.search.items[self.item].line
        pairs = zip(
            self.search.items, self.search.bits[self.covering[1]], self.search.bits[self.against[1]], strict=True
        )
        return sum(
            max(0.0, a - b) for i, (each, a, b) in enumerate(pairs) if i != self.item and not each.line == line >= 0
        )

    def value(self, h: int, near: float | None = None) -> float:
        """The value that a hypothesis has for the entry; of several the nearest to a number."""
        values = self.search.expected[h][self.item][self.entry]  # type: ignore[index]
        return values[0] if near is None else min(values, key=lambda value: abs(value - near))

    def _pool_is_known(self, item: Item, one: Hypothesis, h: int) -> bool:
        """Whether other numbers confirm which documents were judged, where more of them would make a number smaller."""
        number = item.entries[self.entry].number
        if one.told or number is None or number.nearest_float > self.value(h):
            return True
        search, ideal = self.search, ("IDCG", "ICG", "NDCG", "R", "AP")
        row = search.most[one.convention] if item.rankings is not None else search.bits[h]
        own = set(one.grades) == {0.0, 1.0} or list(one.grades) == sorted(one.grades, reverse=True)
        row = search.bits[h] if own else row
        told = (
            bits
            for i, (each, bits) in enumerate(zip(search.items, row, strict=True))
            if each.name.quantity in ideal and i != self.item and each.binary == item.binary
        )
        return sum(told) >= limit.MARGIN

    @property
    def agrees(self) -> bool:
        """Whether a hypothesis that explains about as much as any gives the number."""
        score, h = self.covering
        if h < 0 or score >= self.against[0] - limit.MARGIN:
            return h >= 0
        one, other = self.search.hypotheses[h], self.search.hypotheses[self.against[1]]
        number = self.search.items[self.item].entries[self.entry].number
        if other.convention in self.printed and number is not None and number.unit < 1 and number.units >= 100:
            return True  # that of another list of the note
        return self.apart >= limit.ENOUGH and (one.grades, one.convention) != (other.grades, other.convention)

    def _varies(self, item: Item, one: Hypothesis, h: int) -> bool:
        """Whether a bare number is that of another convention, beside one of its name that is right."""
        search, number = self.search, item.entries[self.entry].number
        same = [i for i, each in enumerate(search.items) if each.name.quantity == item.name.quantity and i != self.item]
        if number is None or not any(search.bits[h][i] for i in same):
            return False
        others = (
            search.expected[i][self.item]
            for i, each in enumerate(search.hypotheses)
            if each.grades == one.grades and i != h
        )
        return any(values and explains(item.entries[self.entry], values[self.entry]) for values in others)

    @property
    def told(self) -> bool:
        """Whether the ranking is given with the number, and no convention gives it."""
        calls = [each for each in self.search.items if each.call]
        return self.covering[1] < 0 <= self.against[1] and len(calls) == 1

    def is_slip(self, more: float = 0.0) -> bool:
        """Whether a hypothesis that much else confirms gives another number, and no other hypothesis this one."""
        score, h = self.against
        item = self.search.items[self.item]
        if h < 0 or self.agrees or item.name.quantity in ("ERR", "RBP"):
            return False
        if item.name.quantity in ("P", "R") and not item.name.sure:
            return False
        one = self.search.hypotheses[h]
        if item.name.quantity in ("NDCG", "AP", "R") and not self._pool_is_known(item, one, h):
            return False
        if item.rankings is not None:
            if not self.search.peers_confirm(item, one):
                return False
            sure = item.name.quantity in ("P", "RR") and (item.name.sure or item.name.quantity == "RR")
            return sure or score + min(one.cost, 6.0) >= limit.ENOUGH + more
        if item.bare and self._varies(item, one, h):
            return False
        number = item.entries[self.entry].number
        slight = number is not None and number.units >= 100 and is_slight(self.value(h, number.nearest_float), number)
        alone = item.bare and not one.told and not slight
        if alone and (self.search.in_section(item, h) < limit.ENOUGH / 2 or not self.search.mates_confirm(item, h)):
            return False
        enough = one.told or score + min(one.cost, 6.0) >= limit.ENOUGH + more
        ordered = not item.ordered or self.search.order[h] >= 4.0
        return enough and ordered
