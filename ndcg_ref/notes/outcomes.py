"""The outcome of each number of a note: what its name and the chosen hypothesis give, or else its line."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial

from ndcg_ref.notes import thresholds as limit
from ndcg_ref.notes.forms import Decimal, Term
from ndcg_ref.notes.grades import Listing
from ndcg_ref.notes.hypotheses import BINARY, BOUNDED, OF_IDEAL, Hypothesis
from ndcg_ref.notes.judging import (
    FREE_COLUMNS,
    IDEAL_COLUMNS,
    SUMS,
    Choice,
    Entry,
    Found,
    Item,
    Search,
    bits_of,
    explains,
    is_slight,
)
from ndcg_ref.notes.mentions import Mention, Name
from ndcg_ref.notes.names import names_in
from ndcg_ref.notes.rankings import Candidate, candidates_of, of_ranks, relevant_in_line, terms_by_line, zero_lists
from ndcg_ref.notes.reading import Group, Line, Reading, WorkedSide
from ndcg_ref.notes.rules import RULES, Case, Rule, is_alike
from ndcg_ref.stated.equation import Side
from ndcg_ref.stated.number import Number, bounds_of

MEASURED = ("DCG", "IDCG", "NDCG", "CG", "ICG", "P", "R", "RR", "AP", "ERR", "RBP")
Seen = set[tuple[str | None, int | None, str]]  # the results before, by name and text
STEPS, MOST_ITEMS = 60_000, 1_000  # what is searched; in longer notes each line is judged for itself
RANKS = 60  # of which a discount may be


def outcomes_of(
    reading: Reading, hypotheses: Sequence[Hypothesis], rules: Sequence[Rule] = RULES
) -> tuple[list[Found], Search]:
    """All numbers of a reading with their outcomes."""
    judge = Judge(reading, hypotheses, rules)
    return judge.found, judge.search


class Judge:
    """Judges the numbers of a reading, in the order of the text."""

    def __init__(self, reading: Reading, hypotheses: Sequence[Hypothesis], rules: Sequence[Rule] = RULES) -> None:
        self.rules = rules
        self.reading = reading
        self.found: list[Found] = []
        self.values: list[float] | None = None
        self.doubtful: set[int] = set()  # where operands stand whose value another printed number tells
        self.known: dict[tuple[int, object], list[tuple[int, float, str | None]]] = {}
        self.items: dict[tuple[str, int], Item] = {}
        self.lists = [each for each in candidates_of(reading) if not each.ideal and each.cost == 0]
        listings = [Listing(each.place, each.place, each.grades, False) for each in self.lists]
        self.names = names_in(reading.plain, listings, reading.tables)
        self.lists += of_ranks(reading.plain)
        self.lists += [Candidate(start, (0.0,)) for start in zero_lists(reading.plain)]
        seen: Seen = set()
        for line in reading.lines:
            for side in line.sides:
                self._add_side(line, side, seen)
        for terms in terms_by_line(reading):
            self._add("lines", terms[0].start, _lines_item(terms))
        for group in reading.groups:
            self._add_group(group)
        for mention in reading.singles:
            if mention.name.quantity in MEASURED and not mention.name.mean:
                self._add("result", mention.start, _result_item(mention, -1, seen))
        most = STEPS // max(1, len(self.items)) if len(self.items) <= MOST_ITEMS else 0
        self.search = Search(list(self.items.values()), sorted(hypotheses, key=lambda one: one.cost)[:most])
        self.choices: dict[tuple[str, int], list[tuple[Entry, Choice]]] = {
            key: list(self.search.judge(item)) for key, item in self.items.items()
        }
        steps: list[tuple[int, Callable[[], None]]] = [
            (each.start, partial(self._line, each)) for each in reading.lines
        ]
        steps += [(each.mentions[0].start, partial(self._group, each)) for each in reading.groups]
        steps += [(each.start, partial(self._single, each)) for each in reading.singles]
        for _, work in sorted(steps, key=lambda step: step[0]):
            work()

    def _add(self, kind: str, place: int, item: Item) -> None:
        item = replace(item, section=self.reading.section(place), block=item.block or self.reading.block(place))
        end = self.reading.plain.find("\n", place)
        line = (self.reading.plain.rfind("\n", 0, place) + 1, end if end >= 0 else len(self.reading.plain))
        bound = item.rankings or self._bound(item)
        item = replace(item, rankings=bound, text_line=self.reading.row(place) or line)
        if (item.rankings is not None and item.binary) or item.name.quantity in ("NDCG", "IDCG"):
            hits = max((sum(grade > 0 for grade in grades) for grades in item.rankings or ()), default=0)
            count = relevant_in_line(self.reading.plain, place) if item.rankings else None
            item = replace(item, relevant=count if count and count >= hits else None)
        self.items[kind, place] = item

    def _bound(self, item: Item) -> frozenset[tuple[float, ...]] | None:
        """The rankings that stand in the row of a number, or before it in its line of text."""
        text = self.reading.plain
        start = self.reading.lines[item.line].start if item.line >= 0 else item.place
        if (named := self._named(item, start)) is not None:
            return frozenset({named})
        row = self.reading.row(start)
        begin, end = row or (text.rfind("\n", 0, start) + 1, start)
        found = {each.grades for each in self.lists if begin <= each.place < end}
        if not found and row and (own := re.match(r"\W*([A-Za-z]\w{0,20})\b", text[begin:end])):
            pattern = re.compile(rf"^\W*{re.escape(own[1])}(?!\w)[^\n]*", re.MULTILINE | re.IGNORECASE)
            lines = [each.span() for each in pattern.finditer(text, 0, begin)]
            found = {each.grades for each in self.lists if any(a <= each.place < b for a, b in lines)}
        return frozenset(found) or None

    def _named(self, item: Item, start: int) -> tuple[float, ...] | None:
        """The ranking that the index of a measure names, or the heading of a row."""
        names = self.names
        if not names.rankings:
            return None
        row = self.reading.row(start)
        if row is None:
            return names.of_label(item.name.label)
        text = self.reading.text[row[0] : row[1]]
        return names.of_heading(re.split(r"[|&\t]|  ", text)[0].strip())

    def _add_side(self, line: Line, side: WorkedSide, seen: Seen) -> None:
        name = line.name
        if name.mean:
            return
        if side.number is not None:
            if name.quantity in MEASURED:
                bare = all(each.number is not None for each in line.sides)
                ranks = tuple(len(each.terms) for each in line.sides if len(each.terms) > 1)
                self._add("result", side.part.start, _result_item(_mention(line, side), line.index, seen, bare, ranks))
            return
        if name.quantity in SUMS and len(side.terms) > 1 and not (name.quantity is None and len(side.terms) < 3):
            self._add("sum", side.part.start, _sum_item(line, side))
        if name.quantity == "NDCG" and len(side.decimals) <= 2 and len(side.terms) == 1:
            for each in side.decimals:
                if each.role in ("above", "below"):
                    about = replace(name, quantity="DCG" if each.role == "above" else "IDCG")
                    mention = Mention(each.start, each.end, each.number, about, "operand", line.index)
                    self._add("result", each.start, _result_item(mention, line.index, seen))

    def _add_group(self, group: Group) -> None:
        self._add("group", group.mentions[0].start, _group_item(group))

    def _choice(self, kind: str, place: int, n: int = 0) -> Choice | None:
        found = self.choices.get((kind, place))
        return found[n][1] if found else None

    # what was judged

    def _put(self, found: Found) -> Found:
        self.found.append(found)
        number = found.mention.number
        if found.value is not None and not math.isnan(found.value):
            key = (abs(number.units), number.unit)
            self.known.setdefault(key, []).append((found.mention.start, found.value, found.mention.name.quantity))
        return found

    def known_value(self, number: Number, quantity: str | None = None, unnamed: bool = False) -> float | None:
        """The value of the last printed number that is the same: of a quantity, or without a name, or of any."""
        found = self.known.get((abs(number.units), number.unit), [])
        found = [each for each in found if each[2] is None] if unnamed else found
        same = [value for _, value, name in found if name == quantity and quantity is not None]
        return same[-1] if same else found[-1][1] if found and quantity is None else None

    # lines

    def _line(self, line: Line) -> None:
        symbolic: WorkedSide | None = None
        working: tuple[WorkedSide, list[float | None]] | None = None
        before: Number | None = None
        for i, side in enumerate(line.sides):
            if side.number is not None:
                if i or line.name.quantity:
                    self._result(line, side, symbolic, working, before)
                before = side.number
                if "/" in side.number.text:
                    symbolic = side
                continue
            resolved = self._operands(line, side, symbolic)
            if not side.decimals and not (symbolic is not None and _lone(side)):
                symbolic = side
            working = (side, resolved)
            before = None

    def _operands(self, line: Line, side: WorkedSide, symbolic: WorkedSide | None) -> list[float | None]:
        """Judge the numbers that a side works with; the exact value of each that has decimals."""
        exact: dict[int, float] = {}
        aligned = dict(_aligned(symbolic, side)) if symbolic is not None else {}
        item = self.items.get(("sum", side.part.start))
        many = len(side.terms) > 1
        for n, term in enumerate(side.terms if many else ()):
            choice = self._choice("sum", side.part.start, n) if item is not None else None
            if term.number is not None:
                own = aligned.get(term.start)
                found = self._term(line, term, n, choice, own)
                if found is not None and found.value is not None:
                    exact[term.start] = found.value
            else:
                exact |= self._discounts(line, term, n)
        if not many:
            for term in side.terms:
                exact |= self._discounts(line, term, -1)
        resolved: list[float | None] = []
        for each in side.decimals:
            if each.start not in exact:
                value = self._operand(line, each)
                if value is not None:
                    exact[each.start] = value
            resolved.append(exact.get(each.start))
        return resolved

    def _term(self, line: Line, term: Term, n: int, choice: Choice | None, own: Term | None) -> Found | None:
        assert term.number is not None
        name = replace(line.name, supposed=line.name.supposed)
        mention = Mention(term.start, term.end, term.number, name, "term", line.index, n + 1)
        value = own.value if own is not None and own.exact else None
        if line.name.mean or choice is None:
            if value is None:
                value = self.known_value(term.number)
                self.doubtful.add(term.start)
            if value is None or not term.number.covers(value):
                if value is not None and own is not None:
                    return self._put(Found(mention, value, "slip"))
                return None
            return self._put(Found(mention, value, "agrees"))
        found = Found(mention)
        if choice.agrees:
            h = choice.covering[1]
            found.hypothesis, found.value, found.outcome = (
                choice.search.hypotheses[h],
                choice.value(h, term.value),
                "agrees",
            )
        elif value is not None and term.number.covers(value):
            found.value, found.outcome = value, "agrees"
        elif (
            line.name.may_be_slip
            and (line.name.quantity or term.number.unit < 1)
            and choice.is_slip()
            and self._most(line, choice)
            and not self._another(line, choice)
        ):
            h = choice.against[1]
            found.hypothesis, found.value, found.outcome = (
                choice.search.hypotheses[h],
                choice.value(h, term.value),
                "slip",
            )
        elif value is not None:
            found.value, found.outcome = value, "agrees" if term.number.covers(value) else "slip"
        elif choice.against[1] < 0 and (known := self.known_value(term.number)) is not None:
            found.value, found.outcome = known, "agrees"
            self.doubtful.add(term.start)
        else:
            found.reason = "nothing to compute it from was found"
        return self._put(found)

    @staticmethod
    def _most(line: Line | None, choice: Choice, item: Item | None = None) -> bool:
        """Whether most terms of a sum are those of the hypothesis that would call one of them a slip."""
        item = item or choice.search.items[choice.item]
        expected = choice.search.expected[choice.against[1]][choice.search.index[id(item)]]
        if expected is None:
            return False
        told = [(e, v) for e, v in zip(item.entries, expected, strict=True) if v]
        wrong = sum(not explains(e, v) for e, v in told)
        telling = sum(explains(e, v) for e, v in told if e.bits > 0.5 and (e.number is None or bits_of(e.number) > 0.5))
        named = line is not None and line.name.quantity is not None
        return wrong <= max(1, len(told) // 3) and telling >= (1 if named else 2)

    def _discounts(self, line: Line, term: Term, n: int) -> dict[int, float]:
        """The exact values of the rounded discounts below grades."""
        found = {}
        for each in term.decimals:
            value = _log_near(each.number) if each.role == "below" or term.gain is not None else None
            if value is None and n >= 0 and n + 2 in self._arguments(line):
                value = math.log2(n + 2) if is_alike(math.log2(n + 2), each.number) else None
            if value is None or term.gain is None:
                continue
            found[each.start] = value
            name = Name("discount", None, False, label="")
            mention = Mention(each.start, each.end, each.number, name, "term", line.index, n + 1)
            self._put(Found(mention, value, "agrees" if each.number.covers(value) else "slip"))
        return found

    @staticmethod
    def _arguments(line: Line) -> set[int]:
        """What the logarithms of a line are taken of, where it spells the terms at its ranks in order."""
        for side in line.sides:
            if any(term.argument for term in side.terms):
                told = [(n, term.argument) for n, term in enumerate(side.terms) if term.argument]
                return {int(argument) for _, argument in told} if all(a == n + 2 for n, a in told) else set()
        return set()

    def _operand(self, line: Line, each: Decimal) -> float | None:
        """The exact value of a number that a side works with, where anything tells it."""
        quantity = line.name.quantity
        if quantity == "RR" and line.name.mean:
            ranks = [rank for rank in range(1, 21) if each.number.covers(1 / rank)]
            return 1 / ranks[0] if len(ranks) == 1 else None
        if quantity == "NDCG" and not line.name.mean and each.role in ("above", "below"):
            quantity = "DCG" if each.role == "above" else "IDCG"
        name = replace(line.name, quantity=quantity)
        mention = Mention(each.start, each.end, each.number, name, "operand", line.index)
        choice = self._choice("result", each.start)
        value = self.known_value(each.number, quantity)
        if value is None and choice is not None and choice.agrees:
            h = choice.covering[1]
            value = choice.value(h, each.number.nearest_float)
        if value is None and bits_of(each.number) >= limit.MARGIN:
            value = self.known_value(each.number, None, unnamed=True)
        if value is None and choice is not None and choice.is_slip() and line.name.may_be_slip:
            h = choice.against[1]
            value = choice.value(h, each.number.nearest_float)
            copied = self.known_value(each.number) is not None or self._is_printed(each)
            if not copied and not _is_typo(value, each.number):
                return None  # it may be of another ranking
            if not copied and abs(value - each.number.nearest_float) > 1.5 * each.number.unit:
                self._put(Found(mention, value, "slip", hypothesis=choice.search.hypotheses[h]))
            return value
        if value is None and quantity == line.name.quantity:
            value = self.known_value(each.number)
            self.doubtful.add(each.start)
        if value is not None and each.number.covers(value):
            self._put(Found(mention, value, "agrees"))
        return value

    def _is_printed(self, operand: Decimal) -> bool:
        """Whether a result before a number has the same text."""
        return any(
            each.mention.number.text == operand.number.text for each in self.found if each.mention.role == "result"
        )

    def _result(
        self,
        line: Line,
        side: WorkedSide,
        symbolic: WorkedSide | None,
        working: tuple[WorkedSide, list[float | None]] | None,
        before: Number | None,
    ) -> None:
        """Judge what a line comes to."""
        assert side.number is not None
        found = Found(_mention(line, side), side=working[0].side if working else None)
        if working:
            found.resolved = tuple(working[1])
        local = self._local(symbolic, working)
        if local is not None and symbolic is None and working and not side.number.covers(local):
            starts = {each.start for each in working[0].decimals} | {each.start for each in working[0].terms}
            local = None if starts & self.doubtful else local
        choice = None if line.name.mean else self._choice("result", side.part.start)
        self._apply(Case(self, found, choice, line, symbolic, local, before))
        nothing = found.outcome == "unchecked" and not (line.name.quantity or line.name.mean or working)
        if not nothing:
            self._put(found)

    def _apply(self, case: Case) -> None:
        """Let the rules judge a number, the first that has something to say."""
        if not any(rule.judges(case) for rule in self.rules) and not case.found.reason:
            case.found.reason = "nothing to compute it from was found"

    def take(self, found: Found, choice: Choice | None, agrees: bool) -> None:
        """Say what the better hypothesis makes of a number, or the one that gives another value."""
        assert choice is not None
        h = choice.covering[1] if agrees else choice.against[1]
        near = found.mention.number.nearest_float
        if not agrees and found.side is not None and found.side.value is not None:
            near = found.side.value
        found.hypothesis = choice.search.hypotheses[h]
        found.value = choice.value(h, near)
        found.outcome = "agrees" if agrees else "slip"
        if math.isnan(found.value):
            found.outcome = "undefined"

    def is_about(self, line: Line, choice: Choice) -> bool:
        """Whether what a line adds up or divides is of the hypothesis that would call its result a slip."""
        h = choice.against[1]
        if self._another(line, choice):
            return False
        if all(side.number is not None for side in line.sides):
            return True  # without a working, of which other rules hold
        if self._same_gains(line, choice.search.hypotheses[h]):
            return True
        for side in line.sides:
            item = self.items.get(("sum", side.part.start))
            if item is not None and self._most(line, choice, item):
                return True
        return False

    def _another(self, line: Line, choice: Choice) -> bool:
        """Whether a line adds up the terms of another ranking rightly, so that it is about that."""
        h = choice.against[1]
        discounts = choice.search.hypotheses[h].long_columns["discount"]
        gain = choice.search.hypotheses[h].convention.gain
        for i, side in enumerate(line.sides):
            item = self.items.get(("sum", side.part.start))
            expected = choice.search.expected[h][choice.search.index[id(item)]] if item is not None else None
            if item is None or expected is None:
                continue
            wrong = [n for n, (e, v) in enumerate(zip(item.entries, expected, strict=True)) if not _states(e, v)]
            numbers = [side.terms[n].number for n in wrong]
            if not wrong or None in numbers or len(wrong) == len(item.entries):
                continue
            whole = all(
                _is_gain(number, discounts[n], str(gain))
                for n, number in zip(wrong, numbers, strict=True)
                if number is not None and n < len(discounts)
            )
            total = next((each.number for each in line.sides[i:] if each.number is not None), None)
            low, high = side.side.bounds
            if whole and total is not None and low <= total.bounds[1] and total.bounds[0] <= high:
                return True
        return False

    @staticmethod
    def _same_gains(line: Line, one: Hypothesis) -> bool:
        """Whether a line spells the gains of the ranking, or as many of its ideal, whatever divides them."""
        ideal = line.name.quantity in OF_IDEAL
        gains = one.columns["ideal gain" if ideal else "gain"]
        for side in line.sides:
            own = [term.gain for term in side.terms]
            if len(own) > 1 and any(term.divisor for term in side.terms) and own == list(gains[: len(own)]):
                return True
            spelled = len(own) > 1 and any(term.divisor for term in side.terms) and None not in own
            if ideal and spelled and sorted(filter(None, own)) == sorted(filter(None, gains[: len(own)])):
                return True
            lone = ideal and len(own) > 1 and all(term.number is not None for term in side.terms)
            if lone and sum(bool(term.value) for term in side.terms) == sum(bool(gain) for gain in gains):
                return True
        return False

    @staticmethod
    def _local(symbolic: WorkedSide | None, working: tuple[WorkedSide, list[float | None]] | None) -> float | None:
        """What the working of a line comes to exactly; None where it holds a number whose value is not known."""
        if symbolic is not None:
            return symbolic.side.value
        if working is None:
            return None
        side, resolved = working
        values = [each for each in resolved if each is not None]
        if len(values) < len(resolved) or len(values) != len(side.side.operands):
            return None
        try:
            return side.side.with_operands(*values)
        except ValueError:
            return None

    def by_line(self, found: Found, local: float, name: Name, logs: bool = False) -> None:
        """Judge a result by the exact value of its line."""
        number = found.mention.number
        covers = number.covers(local)
        if covers:
            found.value, found.outcome = local, "agrees"
        elif (name.quantity or name.mean or logs or is_alike(local, number)) and name.may_be_slip:
            found.value, found.outcome = local, "slip"

    def adds_up(self, found: Found, side: Side) -> bool:
        """Judge the result of a line without a name: right where its working, as printed, can give it."""
        low, high = _bounds(side)
        least, most = found.mention.number.bounds
        if side.operands and low <= most and least <= high:
            self.by_interval(found, side, found.mention.name)
        return found.value is not None

    @staticmethod
    def by_interval(found: Found, side: Side, name: Name) -> None:
        """Judge a result by the values that its line can give, its numbers being rounded."""
        number = found.mention.number
        low, high = _bounds(side)
        least, most = number.bounds
        if low <= most and least <= high:
            found.value, found.outcome = min(max(number.nearest_float, low), high), "agrees"
        elif (name.quantity or name.mean or is_alike(side.value or 0.0, number)) and name.may_be_slip:
            found.value, found.outcome = side.value, "slip"

    def by_ratio(self, found: Found, choice: Choice | None) -> bool:
        """Judge an NDCG without a working by the last DCG and ideal DCG before it."""
        mention = found.mention
        if mention.name.quantity != "NDCG" or mention.name.mean or (choice is not None and choice.agrees):
            return False
        last: dict[str | None, Found] = {}
        for each in self.found[-40:]:
            near = mention.start - each.mention.start < 400
            if each.mention.role in ("result", "bare") and near and each.value is not None:
                last[each.mention.name.quantity] = each
        above, below = last.get("DCG"), last.get("IDCG")
        if above is None or below is None or not below.value or above.outcome != "agrees" or below.outcome != "agrees":
            return False
        value = (above.value or 0.0) / below.value
        same = {above.mention.name.k, below.mention.name.k} <= {mention.name.k, None}
        if mention.number.covers(value):
            found.value, found.outcome = value, "agrees"
        elif same and value <= 1 and is_alike(value, mention.number) and mention.name.may_be_slip:
            found.value, found.outcome = value, "slip"
        return found.value is not None

    @staticmethod
    def call_impossible(found: Found) -> None:
        """Say that a number is wrong whatever the ranking, being above 1."""
        name, number = found.mention.name, found.mention.number
        above = number.bounds[0] > 1 and number.unit < 1 and not name.label.rstrip().endswith(("<", ">"))
        if above and name.quantity in BOUNDED and name.may_be_slip:
            found.outcome, found.reason = "impossible", f"no {name.quantity} is above 1"

    # columns

    def _group(self, group: Group) -> None:
        place = group.mentions[0].start
        choices = self.choices[("group", place)]
        column: list[float] = []
        for mention, (_, choice) in zip(group.mentions, choices, strict=True):
            found = Found(mention)
            if choice.agrees:
                self.take(found, choice, True)
            elif mention.number.unit < 1 and (
                (choice.is_slip() and self._most(None, choice)) or self._of_ranks_alone(choice)
            ):
                self.take(found, choice, False)
            elif mention.number.unit >= 1 and not mention.name.quantity:
                continue
            else:
                found.reason = "nothing to compute it from was found"
            self._put(found)
            if found.value is not None:
                column.append(found.value)
        if group.total is not None and len(column) == len(group.mentions):
            value = math.fsum(column)
            outcome = "agrees" if group.total.number.covers(value) else "slip"
            self._put(Found(group.total, value, outcome))

    @staticmethod
    def _of_ranks_alone(choice: Choice) -> bool:
        """Whether the other cells of a column are discounts or weights, which ranks alone tell."""
        h = choice.against[1]
        if choice.covering[1] >= 0 or h < 0 or choice.search.shares[h][choice.item] == 1.0:
            return False
        item, expected = choice.search.items[choice.item], choice.search.expected[h][choice.item]
        assert expected is not None
        hits = [e for e, v in zip(item.entries, expected, strict=True) if v and explains(e, v) and e.bits >= 1.0]
        return len(hits) >= max(2, len(item.entries) // 2)

    def _single(self, mention: Mention) -> None:
        choice = self._choice("result", mention.start)
        found = Found(mention)
        if mention.of:
            self._of_others(found)
        elif mention.role == "alone" or mention.name.mean:
            self._alone(found)
        else:
            self._apply(Case(self, found, choice))
            self._put(found)

    def _of_others(self, found: Found) -> None:
        """Judge a mean of numbers that stand in its column."""
        mention = found.mention
        last = {each.mention.start: each for each in self.found}
        values = [last[start].value for start in mention.of if start in last]
        known = [value for value in values if value is not None]
        if len(known) == len(mention.of):
            found.value = math.fsum(known) / len(known)
            found.outcome = "agrees" if mention.number.covers(found.value) else "slip"
        else:
            found.reason = "the numbers that it is a mean of are not all known"
        self._put(found)

    def by_restating(self, found: Found) -> bool:
        """Judge a result without a working that the note has worked out before, if it has worked out only one."""
        mention = found.mention
        same = {
            round(each.value, 9)
            for each in self.found
            if each.mention.name.quantity == mention.name.quantity
            and each.mention.role == "result"
            and not each.mention.name.mean
            and each.value is not None
            and mention.start - each.mention.start < limit.NEAR
            and (each.mention.name.k == mention.name.k or None in (each.mention.name.k, mention.name.k))
        }
        if len(same) != 1 or mention.name.loose or mention.name.quantity is None:
            return False
        value = same.pop()
        if mention.number.covers(value):
            found.value, found.outcome = value, "agrees"
        elif _is_typo(value, mention.number) and mention.name.may_be_slip:
            found.value, found.outcome = value, "slip"
        return found.value is not None

    def _alone(self, found: Found) -> None:
        number = found.mention.number
        value = self.known_value(number)
        if value is None and bits_of(number) >= limit.MARGIN:
            value = next((each for each in self._all_values() if number.covers(each)), None)
        if value is not None and number.covers(value):
            found.value, found.outcome = value, "consistent"
        elif not found.mention.name.mean:
            return
        else:
            found.reason = "the numbers that it is a mean of are not all known"
        self._put(found)

    def _all_values(self) -> list[float]:
        """The values of the hypotheses that much confirms."""
        if self.values is None:
            best = [
                one
                for one, bits in zip(self.search.hypotheses, self.search.bits, strict=True)
                if sum(bits) - one.cost >= limit.ENOUGH
            ]
            columns = ("DCG", "IDCG", "NDCG", "term", "ideal term", "P", "R", "weight")
            found = [value for one in best[:20] for name in columns for value in one.columns.get(name, ())]
            found += [
                value for one in best[:20] for name in ("AP", "RR", "NDCG", "IDCG") for value in one.values(name, None)
            ]
            self.values = found
        return self.values


def _mention(line: Line, side: WorkedSide) -> Mention:
    assert side.number is not None
    return Mention(side.part.start, side.part.end, side.number, line.name, "result", line.index)


def _bounds(side: Side) -> tuple[float, float]:
    """The least and the greatest value of a side; a number with fewer decimals than others in it needs no more."""
    finest = min((number.unit for number in side.operands), default=Fraction(1))
    bounds = [
        number.bounds if number.unit == finest else (number.nearest_float, number.nearest_float)
        for number in side.operands
    ]
    return bounds_of(side.with_operands, bounds)


def _states(entry: Entry, values: tuple[float, ...]) -> bool:
    """Whether an entry is one of some values, a whole number beside decimals being exact."""
    if entry.number is not None and entry.number.unit >= 1:
        return any(math.isclose(entry.number.nearest_float, value, abs_tol=1e-9) for value in values)
    return bool(values) and explains(entry, values)


def _is_gain(number: Number, discount: float, gain: str) -> bool:
    """Whether a term is that of some whole grade."""
    bounds = number.bounds if number.unit < 1 else (number.nearest_float, number.nearest_float)
    low, high = (max(each, -0.5) * discount for each in bounds)
    if gain == "exponential":
        low, high = math.log2(low + 1), math.log2(high + 1)
    return math.floor(high + 1e-9) >= math.ceil(low - 1e-9) and high - low < 0.5


def _is_typo(value: float, number: Number) -> bool:
    """Whether a number is a value but for its last digit, or two swapped; of three decimals but for one digit."""
    if is_slight(value, number):
        return True
    right, printed = number.at(number.nearest(value)), number.text
    if number.unit > Fraction(1, 1000) or len(right) != len(printed):
        return False
    return sum(a != b for a, b in zip(right, printed, strict=True)) == 1


def _lone(side: WorkedSide) -> bool:
    return len(side.terms) > 1 and all(term.number is not None for term in side.terms)


def _aligned(symbolic: WorkedSide, side: WorkedSide) -> Iterator[tuple[int, Term]]:
    """The terms of two sums that are the same, by where the second one stands, whether or not both print the zeros."""
    for drop in (False, True):
        one, other = ([term for term in each.terms if term.value or not drop] for each in (symbolic, side))
        if len(one) == len(other) > 1:
            yield from ((b.start, a) for a, b in zip(one, other, strict=True))
            return


def _log_near(number: Number) -> float | None:
    """The logarithm to base 2 of a whole number that a printed discount is rounded from."""
    found = [math.log2(m) for m in range(2, RANKS) if number.covers(math.log2(m))]
    return found[0] if len(found) == 1 else None


# Items


def _result_item(mention: Mention, line: int, seen: Seen, bare: bool = False, ranks: tuple[int, ...] = ()) -> Item:
    name = mention.name
    key = (name.quantity, name.k, mention.number.text)
    bits = 0.0 if key in seen else bits_of(mention.number)
    seen.add(key)
    ks: tuple[int | None, ...] = (name.k,) if name.sure or name.k is None else (name.k, None)
    if not name.sure and name.quantity in ("DCG", "IDCG", "CG"):
        ks = (*ks, *ranks)  # the sum may be cut where it ends

    def expect(one: Hypothesis) -> tuple[Sequence[tuple[float, ...]], float] | None:
        if mention.ranking is not None and one.grades != mention.ranking:
            return None
        if mention.judged is not None and sorted(one.judged) != sorted(mention.judged):
            return None
        values = tuple(dict.fromkeys(v for k in ks for v in one.values(name.quantity or "", k)))
        return ([values], 1.0) if values else None

    ordered = name.quantity not in OF_IDEAL
    entries = (Entry(mention.start, mention.number, bits),)
    binary, bare = name.quantity in BINARY, mention.role in ("bare", "cell") or bare
    rankings = None if mention.ranking is None else frozenset({mention.ranking})
    return Item(mention.start, line, entries, expect, name, ordered, binary, 0, bare, rankings, mention.role == "call")


def _sum_item(line: Line, side: WorkedSide) -> Item:
    entries = tuple(
        Entry(term.start, term.number, 2.0 if term.number.units else 0.5)
        if term.number is not None
        else Entry(term.start, None, 2.0 if term.gain else 0.5, term)
        for term in side.terms
    )
    columns = SUMS[line.name.quantity]
    k = line.name.k if line.name.sure else None

    def expect(one: Hypothesis) -> tuple[Sequence[tuple[float, ...]], float] | None:
        best: tuple[float, Sequence[tuple[float, ...]]] | None = None
        for column in columns:
            values = one.columns.get(column)
            if values is None:
                continue
            for ranks in _alignments(len(entries), values, k):
                made = [(values[r],) if r < len(values) else (0.0,) for r in ranks]
                hits = sum(entry.bits + 0.1 for entry, each in zip(entries, made, strict=True) if explains(entry, each))
                if best is None or hits > best[0]:
                    best = (hits, made)
        return (best[1], 1.0) if best is not None else None

    return Item(
        side.part.start,
        line.index,
        entries,
        expect,
        line.name,
        line.name.quantity not in OF_IDEAL,
        line.name.quantity in BINARY,
    )


def _lines_item(terms: Sequence[Term]) -> Item:
    """The terms that stand in a line each."""
    entries = tuple(Entry(term.start, None, 2.0 if term.gain else 0.5, term) for term in terms)

    def expect(one: Hypothesis) -> tuple[Sequence[tuple[float, ...]], float] | None:
        made = [
            [(values[r],) if r < len(values) else (0.0,) for r in range(len(entries))]
            for values in (one.columns["term"], one.columns["ideal term"])
        ]
        return max(made, key=lambda v: sum(map(explains, entries, v))), 1.0

    return Item(terms[0].start, -1, entries, expect, Name("DCG"))


def _alignments(count: int, values: Sequence[float], k: int | None) -> Iterator[list[int]]:
    """The ranks that the terms of a sum may be of: the first ones, or those that add something."""
    yield list(range(count))
    telling = [r for r, value in enumerate(values[:k]) if value]
    if len(telling) >= count and telling[:count] != list(range(count)):
        yield telling[:count]


def _group_item(group: Group) -> Item:
    entries = tuple(Entry(m.start, m.number, _cell_bits(m.number)) for m in group.mentions)

    def expect(one: Hypothesis) -> tuple[Sequence[tuple[float, ...]], float] | None:
        best: tuple[float, str, list[tuple[float, ...]]] | None = None
        for column in group.columns:
            values = _column(one, column)
            if not values:
                continue
            made: list[tuple[float, ...]] = [
                (values[m.rank - 1],) if m.rank <= len(values) else () for m in group.mentions
            ]
            hits = [e.bits for e, each in zip(entries, made, strict=True) if each and explains(e, each)]
            told = [e.bits for e, each in zip(entries, made, strict=True) if each]
            if len(hits) < limit.MOST * len(told) or len([b for b in hits if b > 0.2]) < min(2, len(told)):
                continue
            if best is None or sum(hits) > best[0]:
                best = (sum(hits), column, made)
        if best is None:
            return None
        return best[2], 0.1 if best[1] in FREE_COLUMNS else 1.0

    ordered = not all(column in IDEAL_COLUMNS for column in group.columns)
    return Item(group.mentions[0].start, -1, entries, expect, group.mentions[0].name, ordered)


def _cell_bits(number: Number) -> float:
    """What a cell of a column tells."""
    if not number.units:
        return 0.2
    return min(max(bits_of(number), 1.0), 3.0) if number.unit < 1 else 0.5


def _column(one: Hypothesis, name: str) -> Sequence[float]:
    if name == "1/rank":
        return [1 / rank for rank in range(1, RANKS)]
    if name in ("discount", "weight"):
        return one.long_columns[name]
    return one.columns.get(name, ())
