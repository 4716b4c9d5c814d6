"""What the numbers are that the reading of a note leaves open: found by their values, whatever the words say.

Every list of a note may be a ranking. Under a convention it has a few dozen values; a list is believed where the note
prints several of them, with more digits than chance would explain, or where it stands in the line of the number.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, groupby, islice, product

from ndcg_ref.conventions.convention import EXPONENTIAL, ORIGINAL, STANDARD, Convention
from ndcg_ref.notes.claims import JudgedClaims, NoteClaim, is_supposed, may_come_to
from ndcg_ref.notes.columns import ranks_of
from ndcg_ref.notes.documents import Region
from ndcg_ref.notes.examples import Example
from ndcg_ref.notes.grades import Grades, falls
from ndcg_ref.notes.islands import plain_text, readable_text
from ndcg_ref.notes.lists import PrintedList, lists_in, relevant_in
from ndcg_ref.notes.measured import NOBODY, QUANTITIES, Measured, measured
from ndcg_ref.notes.patterns import CLAUSE, ENDS
from ndcg_ref.notes.readings import Told
from ndcg_ref.notes.tables import NoteTable
from ndcg_ref.notes.words import quantity_of, says
from ndcg_ref.stated.display import Outcome
from ndcg_ref.stated.number import Number, read_number

CONVENTIONS = ((STANDARD, 0.0), (EXPONENTIAL, 0.5), (ORIGINAL, 4.0))  # with the bits that each costs
MOST_LISTS, MOST_POOLS, MOST_NUMBERS = 24, 4, 600
BELIEVED = 12.0  # bits that a list has to explain
NEW = 8.0  # of them those that no better list explains
TELLING = 3.0  # bits by which one number tells what it is
HELD = ("CG", "DCG", "IDCG", "NDCG", "AP", "RR", "P", "R")  # to a list
CONFIRMED = 2  # names of a list that come out before another one is a slip
LEAST_QUERIES = 2  # of a mean
AVERAGED = {"all", "mean", "average", "avg", "amean"}  # in place of the name of a query
BINARY = ("P", "R", "RR", "AP")  # which no gain and no discount changes
LONGEST = 80  # characters before a number in which its name stands
SPREAD = 8.0  # within which sums lie, as if all were as likely
LEAST_CELLS, MOSTLY = 3, 0.6  # of a column, and the share of them that has to come out
OF_ONE = {"MAP": "AP", "MRR": "RR"}
MOST_RELEVANT = 21  # documents, of which a list may show fewer
PERFECT = 1e-9
CHANCE = 0.03  # by which a slip may be right for another list
NEAR = 120  # characters before a ratio in which its parts stand
DISTINCT = 2  # numbers by which a convention that no formula shows differs from the usual one
OTHERS = 8.0  # bits that a convention costs under which less of the note comes out than under another
POOL = 1.0  # bits that judged grades cost which are not those of the ranking
_NUMBER = re.compile(rf"(?<![\w.,])[0-9]{{1,5}}\.[0-9]{{1,17}}(?:{ENDS}|(?=\s*\\?%))")
_PERCENT = re.compile(r"\s*\\?%")
_LIMIT = re.compile(
    r"\b(?:above|below|exceed|at least|at most|threshold|target|goal|baseline|random|expected)", re.IGNORECASE
)
_POWER = re.compile(r"2\s*(?:\^|\*\*|[ʳᵍ])|exponential", re.IGNORECASE)
_BREAK = re.compile(r"[\n|;]|[.!?]\s|:\s(?=\S)|[0-9]\.[0-9]+")

Placed = tuple[int, int, Number]  # where a number begins and ends
Named = tuple[str, int | None]  # a quantity and its cutoff
Way = tuple[str, int | None, float]  # a quantity, a rank or a cutoff, and the value


@dataclass(frozen=True)
class Candidate:
    """A list that may be a ranking, with its judged grades, under a convention, and the bits that this costs.

    `told` says whether the note tells which grades were judged for it; `usual` is the same under the usual convention.
    """

    listing: PrintedList
    measured: Measured
    cost: float
    told: bool = False
    usual: Candidate | None = None

    @cached_property
    def values(self) -> list[tuple[float, str, int | None]]:
        """What a note may print of it, in order of value."""
        depth = len(self.measured.grades)
        found: list[tuple[float, str, int | None]] = []
        for quantity, column in self.measured.sequences.items():
            found += [(value, quantity, rank) for rank, value in enumerate(column, 1)]
        for quantity in ("AP", "RR"):
            found += [(value, quantity, k) for k in (0, depth) for value in self.measured.values(quantity, k or None)]
        return sorted(each for each in found if math.isfinite(each[0]))

    @cached_property
    def distinct(self) -> int:
        """How many different values there are."""
        return len({round(value, 6) for value, _, _ in self.values})

    def ways(self, number: Number) -> list[Way]:
        """The quantities that a number may be."""
        low, high = (float(bound) for bound in number.bounds)
        first = bisect_left(self.values, (low - 1e-9,))
        last = bisect_right(self.values, (high + 1e-9, "~"))
        return [(name, k or None, value) for value, name, k in self.values[first:last] if number.covers(value)]

    def named(self, name: Named) -> list[float]:
        """The values that a named quantity may have."""
        quantity, k = OF_ONE.get(name[0], name[0]), name[1]
        if quantity in QUANTITIES:
            every = range(1, len(self.measured.grades)) if quantity not in ("AP", "RR") else ()
            depths = [k] if k is not None else [None, *every]
            return [value for depth in depths for value in self.measured.values(quantity, depth)]
        return [value for value, own, _ in self.values if own == quantity]

    def bits(self, number: Number) -> float:
        """What a number tells that is one of the values: its digits, less those that chance explains."""
        spread = 1.0 if number.nearest_float <= 1 else SPREAD
        return max(0.0, math.log2(spread / float(number.unit) / self.distinct))


@dataclass(frozen=True)
class Reached:
    """A number with the value that it was found to be, and whether its name or its place says so."""

    start: int
    end: int
    number: Number
    name: str
    value: float
    named: bool


def numbers_in(text: str) -> Iterator[Placed]:
    """The decimal numbers and percentages of a text."""
    for found in _NUMBER.finditer(text):
        sign = _PERCENT.match(text, found.end())
        yield found.start(), sign.end() if sign else found.end(), read_number(found[0] + ("%" if sign else ""))


def reached_in(region: Region, examples: Sequence[Example], pairs: JudgedClaims, told: Told) -> list[Reached]:
    """The numbers of a region that its lists explain where no reading has judged them, or has called them slips."""
    search = _Search(region, examples, pairs, told)
    if not search.candidates:
        return []
    found: dict[int, Reached] = {}
    for each in chain(search.of_other_lists(), search.of_columns(), search.of_lines()):
        found.setdefault(each.start, each)
    return list(found.values())


class _Search:
    """The lists of a text that it is about, and what they say of its numbers."""

    def __init__(self, region: Region, examples: Sequence[Example], pairs: JudgedClaims, told: Told) -> None:
        text = plain_text(readable_text(region.text))
        self.text, self.pairs, self.told = text, pairs, told.grades is not None
        self.claims = {claim.start: claim for claim, _ in pairs}
        self.judged = {  # or of a call, which has a list of its own
            claim.start for claim, verdict in pairs if claim.called or verdict.outcome is not Outcome.UNCHECKED
        }
        self.slips = {  # in columns without a name, which may be of another list
            claim.start for claim, verdict in pairs if verdict.outcome is Outcome.SLIP and claim.quantity is None
        }
        self.tables = list({id(table): table for each in examples for table in each.tables}.values())
        stated = (each for each in numbers_in(text) if not region.is_code(each[0]))
        self.numbers = list(islice(stated, MOST_NUMBERS))
        self.candidates = list(_candidates(text, self.tables, examples, told))
        self.chosen = _chosen(self.candidates, [number for _, _, number in self.numbers], _shown(text))
        self.several = len({each.listing.place for each in self.candidates if each.told}) >= LEAST_QUERIES
        self.headed = dict(_headed(self.tables)) if self.candidates else {}
        lists = {each.measured.grades for each in self.candidates if not each.listing.local}
        self.about = self.chosen or (
            [each for each in self.candidates if not each.listing.local] if len(lists) == 1 else []
        )
        self.used = {each.measured.convention for each in self.chosen} or {STANDARD}

    def of_lines(self) -> Iterator[Reached]:
        """The numbers that stand beside a list, or behind the name of one, or anywhere if a list explains them.

        One that does not come out is a slip where others come out that are said to be of the same list.
        """
        right: dict[Grades, set[Named]] = defaultdict(set)
        wrong: list[tuple[Grades, Reached]] = []
        for _, group in groupby(self.numbers, key=lambda each: self.text.count("\n", 0, each[0])):
            line = list(group)
            beside = self._beside(line[0][0])
            names = {start: self._name(start, sure=beside is not None) for start, _, _ in line}
            about = self.about if beside is None else beside
            used = self._conventions_of(line, names, about)
            for start, end, number in line:
                if start in self.judged:
                    continue
                name = names[start]
                several = name is not None and name[0] in OF_ONE and self.several
                found = self._by_name(number, name, [] if several else about, used) if name else None
                if name and found is not None:
                    right[found[1]].add(name)
                    yield Reached(start, end, number, name[0], found[0], found[2])
                    continue
                ways = [way for each in self.chosen if each.bits(number) >= TELLING for way in each.ways(number)]
                if ways:
                    yield Reached(start, end, number, ways[0][0], ways[0][2], False)
                elif name and not (several or self._is_supposed(start)) and (beside is not None or self.chosen):
                    only = self._only_value(name, about, used)
                    if only is not None:
                        wrong.append((only[1], Reached(start, end, number, name[0], only[0], True)))
        yield from (each for grades, each in wrong if len(right[grades]) >= CONFIRMED)

    def _conventions_of(
        self, line: Sequence[Placed], names: Mapping[int, Named | None], about: Sequence[Candidate]
    ) -> set[Convention]:
        """The conventions of a line: that under which two or more of its numbers come out, else all in use."""
        votes: Counter[Convention] = Counter()
        for start, _, number in line:
            name = names[start]
            if name is not None and name[0] not in BINARY:
                fits = {each.measured.convention for each in about if any(map(number.covers, each.named(name)))}
                votes.update(fits & self.used)
        most = max(votes.values(), default=0)
        best = {each for each in votes if votes[each] == most}
        return best if most >= CONFIRMED and len(best) == 1 else self.used

    def _beside(self, place: int) -> list[Candidate] | None:
        """The lists of a line, or of the name that it begins with; all those with a name where it is of means."""
        first, last = self.text.rfind("\n", 0, place) + 1, self.text.find("\n", place)
        line = range(first, last if last >= 0 else len(self.text))
        words = set(re.findall(r"[\w.-]+", self.text[line.start : line.stop])[:2])
        if words & AVERAGED:
            return []
        found = [each for each in self.candidates if each.listing.place in line or each.listing.key in words]
        return found or None

    def _name(self, start: int, sure: bool) -> Named | None:
        """The quantity and the cutoff that the words before a number name; beside a list an index is a cutoff."""
        claim = self.claims.get(start)
        if claim is not None and claim.quantity is not None:
            own = quantity_of(claim.label) if sure else None
            return claim.quantity, claim.k if claim.sure else own[1] if own else None
        if start in self.headed:
            return self.headed[start]
        before = self.text[max(0, start - LONGEST) : start]
        ends = [found.end() for found in _BREAK.finditer(before)]
        found = quantity_of(before[ends[-1] if ends else 0 :])
        if found is None or found[0] not in QUANTITIES:
            return None
        return found[0], found[1] if sure or found[2] else None

    def _is_supposed(self, start: int) -> bool:
        """Whether a number is said to be what would come out otherwise, a limit, or a mean."""
        clause = CLAUSE.split(self.text[max(0, start - LONGEST) : start])[-1]
        if _LIMIT.search(clause) or says("mean", clause):
            return True
        claim = self.claims.get(start)
        before = self.text[max(0, start - LONGEST) : start]
        return is_supposed(claim) if claim else says("supposed", before)

    def _by_name(
        self, number: Number, name: Named, about: Sequence[Candidate], used: Collection[Convention]
    ) -> tuple[float, Grades, bool] | None:
        """The value of a named number, the list that has it, and whether the convention is one in use."""
        if not about:
            mean = _mean_of_lists(name, self.candidates)
            return (mean, (), True) if mean is not None and number.covers(mean) else None
        for each in sorted(about, key=lambda each: each.measured.convention not in used):
            value = next((value for value in each.named(name) if _states(number, value)), None)
            if value is not None:
                sure = each.measured.convention in used or name[0] in BINARY
                return value, each.measured.grades, sure
        return None

    def _only_value(
        self, name: Named, beside: Sequence[Candidate], used: Collection[Convention]
    ) -> tuple[float, Grades] | None:
        """The value of a named quantity by the only list beside it, if nothing that it needs is open."""
        if OF_ONE.get(name[0], name[0]) not in HELD or (name[0] in ("P", "R") and name[1] is None):
            return None
        if not beside:
            mean = _mean_of_lists(name, self.candidates)
            return None if mean is None else (mean, ())
        told = [each for each in beside if each.told or name[0] in ("P", "RR", "CG", "DCG")]
        values = [each.named(name)[:1] for each in told if each.measured.convention in used]
        same = (
            len({each.measured.grades for each in beside}) == 1 and values and all(each == values[0] for each in values)
        )
        return (values[0][0], beside[0].measured.grades) if same and values[0] else None

    def of_columns(self) -> Iterator[Reached]:
        """The cells of a column most of which are what a list has at their ranks; those that are not are slips."""
        for table in self.tables:
            ranks = ranks_of(table)
            if not _is_of_ranks(table, ranks):
                continue
            for i in range(max(map(len, table.rows), default=0)):
                cells = [
                    (rank, (cell.start, cell.end, cell.number))
                    for rank, cell in zip(ranks, table.column(i), strict=True)
                    if cell is not None and cell.number is not None and rank
                ]
                yield from self._of_column(cells) if len(cells) >= LEAST_CELLS else ()

    def _of_column(self, cells: Sequence[tuple[int, Placed]]) -> Iterator[Reached]:
        best: tuple[float, str, list[float]] = (BELIEVED, "", [])
        for each in self.chosen:
            for name, column in each.measured.sequences.items():
                values = [column[rank - 1] if rank <= len(column) else math.nan for rank, _ in cells]
                right = [cell[2] for (_, cell), value in zip(cells, values, strict=True) if cell[2].covers(value)]
                told = {number.text: math.log2(max(1, SPREAD / number.unit)) for number in right}
                bits = sum(told.values()) - math.log2(len(self.chosen) * len(each.measured.sequences))
                if len(right) >= MOSTLY * len(cells) and bits > best[0]:
                    best = (bits, name, values)
        for (_, (start, end, number)), value in zip(cells, best[2], strict=False):
            mended = start in self.slips and number.covers(value)
            if (mended or start not in self.judged) and not math.isnan(value):
                yield Reached(start, end, number, best[1], value, True)

    def of_other_lists(self) -> Iterator[Reached]:
        """The slips that are right for another list, under a convention in use; with the terms of their lines."""
        if self.told:
            return
        used = {each.measured.convention for each in self.chosen[:1]} or {STANDARD, EXPONENTIAL}
        others = [each for each in self.candidates if each.measured.convention in used]
        for claim, verdict in self.pairs:
            if verdict.outcome is not Outcome.SLIP or claim.quantity not in HELD or claim.term is not None:
                continue
            bound = claim.called or claim.cell is not None or claim.label == "mean"
            if bound or (claim.working is not None and not may_come_to(claim.working, claim.number)):
                continue
            row = self._beside(claim.start) or [] if claim.own else None
            found = _right_elsewhere(
                claim, others if row is None else [each for each in others if each in row]
            ) or _right_of_more(claim, others)
            if found is None:
                continue
            value, own = found
            yield Reached(claim.start, claim.end, claim.number, claim.quantity or "", value, False)
            for term, judged in self.pairs:
                wrong = term.term is not None and term.chain == claim.chain >= 0 and judged.outcome is Outcome.SLIP
                if own is not None and wrong:
                    ways = [way for way in own.ways(term.number) if way[0].endswith("term")]
                    if ways:
                        yield Reached(term.start, term.end, term.number, ways[0][0], ways[0][2], False)


def _states(number: Number, value: float) -> bool:
    """Whether a number states a value; a 1 with decimals says that nothing is missing."""
    return number.covers(value) and (number.value != 1 or number.unit == 1 or value > 1 - PERFECT or value < 0)


def _is_of_ranks(table: NoteTable, ranks: Sequence[int]) -> bool:
    """Whether the rows of a table are the ranks of a list."""
    told = [[int(digits) for text in table.texts(i) for digits in re.findall("[0-9]+", text)] for i in (0, 1)]
    return list(ranks) in told


def _headed(tables: Sequence[NoteTable]) -> Iterator[tuple[int, Named]]:
    """The quantities of cells, by the heading of their column or by the first cell of their row."""
    for table in tables:
        columns = [_heading(head) for head in table.header]
        for row in table.rows:
            first = _heading(row[0].text)
            for i, cell in enumerate(row):
                found = (columns[i] if i < len(columns) else None) or (first if i else None)
                if cell.number is not None and found is not None:
                    yield cell.start, found


def _heading(text: str) -> Named | None:
    found = quantity_of(text)
    return found[:2] if found is not None and found[0] in QUANTITIES else None


def _mean_of_lists(name: Named, candidates: Sequence[Candidate]) -> float | None:
    """The mean of a quantity over the rankings that have a name, if their judged grades are told."""
    lists = {each.listing.place: each for each in reversed(candidates) if each.told}
    if len(lists) < LEAST_QUERIES or OF_ONE.get(name[0], name[0]) not in HELD:
        return None
    values = [(each.named(name) or [0.0])[0] for each in lists.values()]
    return math.fsum(0.0 if math.isnan(value) else value for value in values) / len(lists)


def _right_elsewhere(claim: NoteClaim, others: Sequence[Candidate]) -> tuple[float, Candidate | None] | None:
    """What another list has for a number, unless so many have such a value that chance explains it."""
    names = ("DCG", "IDCG") if claim.quantity in ("DCG", "IDCG") else (claim.quantity,)
    k = claim.k if claim.sure or claim.own else None
    having = [
        (value, each)
        for each in others
        for value, name, rank in each.values
        if name in names and rank == (k or len(each.measured.grades))
        if name == claim.quantity or falls(each.measured.grades)
        if value < 1 - PERFECT or name != "NDCG" or claim.working is None  # a ratio of 1 is of the numbers in it
    ]
    spread = SPREAD if claim.quantity in ("CG", "DCG", "IDCG") else 1.0
    chance = len({round(value, 6) for value, _ in having}) * float(claim.number.unit) / spread
    return next(((value, each) for value, each in having if chance < CHANCE and claim.number.covers(value)), None)


def _right_of_more(claim: NoteClaim, others: Sequence[Candidate]) -> tuple[float, Candidate | None] | None:
    """A recall or an NDCG of relevant documents that is right if there are more of these than the lists show."""
    if not claim.number.value:
        return None
    if claim.quantity == "R":
        shares = (hits / count for count in range(2, MOST_RELEVANT) for hits in range(1, count))
        return next(((share, None) for share in shares if claim.number.covers(share)), None)
    for each in others if claim.quantity == "NDCG" else ():
        if {*each.measured.grades} == {0.0, 1.0} and not each.told:
            for count in range(int(sum(each.measured.grades)) + 1, MOST_RELEVANT):
                more = measured(each.measured.grades, (1.0,) * count, each.measured.convention)
                value = more.values("NDCG", claim.k)[0]
                if claim.number.covers(value):
                    return value, None
    return None


def _candidates(
    text: str, tables: Sequence[NoteTable], examples: Sequence[Example], reader: Told
) -> Iterator[Candidate]:
    """The lists of a text with the judged grades that they may have, under each convention; or what a reader tells."""
    lists = _lists(text, tables, examples) if reader.grades is None else [PrintedList(-1, reader.grades)]
    counts = relevant_in(text)
    judged = _judged_grades(text, lists, counts) if reader.grades is None else {reader.grades: reader.grades}
    conventions = CONVENTIONS if reader.convention is None else ((reader.convention, 0.0),)
    user = examples[0].user if examples else NOBODY
    for each in lists:
        told = judged.get(each.grades)
        pools = [told] if told else _pools(each.grades, lists, counts)
        usual: dict[Grades, Candidate] = {}
        for (convention, cost), pool in product(conventions, pools):
            with suppress(ValueError, OverflowError):
                one = measured(each.grades, pool, convention, user)
                found = Candidate(each, one, cost + POOL * (pool != each.grades), told is not None, usual.get(pool))
                usual.setdefault(pool, found)
                if found.values:
                    yield found


def _lists(text: str, tables: Sequence[NoteTable], examples: Sequence[Example]) -> list[PrintedList]:
    printed = [PrintedList(-1, grades) for each in examples for grades in (*each.rankings, *each.ideals)]
    found = {(each.grades, each.judged): each for each in [*printed, *lists_in(text, tables)]}
    kept = (each for each in found.values() if len(each.grades) > 1 and (any(each.grades) or each.place >= 0))
    return list(islice(kept, MOST_LISTS))


def _pools(grades: Grades, lists: Sequence[PrintedList], counts: Collection[int]) -> list[Grades]:
    """The judged grades that a list may have: its own, a longer list, or so many relevant documents."""
    longer = [each.grades for each in lists if _may_be_judged(each.grades, grades)]
    counted = [(1.0,) * count for count in sorted(counts) if {*grades} <= {0.0, 1.0} and sum(grades) < count]
    return [grades, *longer, *counted][:MOST_POOLS]


def _judged_grades(text: str, lists: Sequence[PrintedList], counts: Collection[int]) -> dict[Grades, Grades]:
    """The judged grades of those lists for which the text tells them."""
    found = {each.grades: each.judged for each in lists if each.judged}
    whole = {each.grades for each in lists if {*each.grades} == {0.0, 1.0} and not each.local}
    if len(whole) == len(counts) == 1:
        found |= {grades: (1.0,) * max(counts) for grades in whole if sum(grades) <= max(counts)}
    return found | {each.grades: pool for each in lists if (pool := _told_beside(text, each))}


def _told_beside(text: str, listing: PrintedList) -> Grades | None:
    """The judged grades of a ranking of relevant documents, if its line says how many there are."""
    last = text.find("\n", listing.place)
    counts = relevant_in(text[text.rfind("\n", 0, listing.place) + 1 : last if last >= 0 else len(text)])
    binary = listing.place >= 0 and {*listing.grades} <= {0.0, 1.0}
    return (1.0,) * max(counts) if binary and len(counts) == 1 and sum(listing.grades) <= max(counts) else None


def _may_be_judged(pool: Grades, grades: Grades) -> bool:
    """Whether a list has every document of another, and more of them."""
    return sum(pool) > sum(grades) and not Counter(grade for grade in grades if grade) - Counter(pool)


def _shown(text: str) -> set[Convention]:
    """The conventions that need no proof by numbers: the usual one, and exponential gain beside a power of 2."""
    return {STANDARD, EXPONENTIAL} if _POWER.search(text) else {STANDARD}


def _chosen(
    candidates: Sequence[Candidate], numbers: Sequence[Number], shown: Collection[Convention]
) -> list[Candidate]:
    """The candidates that explain the most, each with enough that no better one explains."""
    texts = {number.text: number for number in numbers if number.value}
    told = []
    by_convention: dict[Convention, dict[str, float]] = defaultdict(dict)
    for each in candidates:
        explained = {text: each.bits(number) for text, number in texts.items() if each.ways(number)}
        by_convention[each.measured.convention] |= explained
        told.append((sum(explained.values()) - each.cost, each, explained))
    most = max(by_convention, key=lambda each: sum(by_convention[each].values()), default=STANDARD)
    told = [(total - OTHERS * (each.measured.convention != most), each, explained) for total, each, explained in told]
    told.sort(key=lambda one: -one[0])
    found: list[Candidate] = []
    known: set[str] = set()
    for total, each, explained in told:
        usual = {text for text in explained if each.usual is not None and each.usual.ways(texts[text])}
        if each.measured.convention not in shown and len(explained.keys() - usual) < DISTINCT:
            continue
        new = [bits for text, bits in explained.items() if text not in known and bits]
        used = {one.measured.convention for one in found} or {each.measured.convention}
        least = NEW if each.measured.convention in used else BELIEVED
        if total >= BELIEVED and sum(new) >= least and (len(new) > 1 or least == NEW):
            found.append(each)
            known |= {text for text, bits in explained.items() if bits}
    return found
