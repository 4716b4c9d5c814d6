"""What each number of a text is: its verdict under the hypotheses that explain most of the text.

- *agrees*: a name, or its place in a sum or a table, says which quantity it is, and the value comes out;
- *consistent*: no name says so, but a chosen hypothesis has the value, or it follows from rounded numbers of its line;
- *slip*: the same evidence as for agrees; the value does not come out, and no other list of the text gives it.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left, insort
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import permutations
from typing import NamedTuple

from ndcg_ref.conventions.convention import EXPONENTIAL, ORIGINAL, STANDARD, Convention
from ndcg_ref.formulas import plain
from ndcg_ref.notes.claims import UNNAMED, NoteClaim, is_result, is_supposed, may_come_to, name_of
from ndcg_ref.notes.facts import LONGEST, Facts
from ndcg_ref.notes.grades import WHOLE, falls, grades_of, worked
from ndcg_ref.notes.hypotheses import (
    CONVENTIONS,
    NAMED,
    NAMED_CHOICES,
    OF_ONE,
    Hypothesis,
    Told,
    chosen_of,
    digits_of,
    hypotheses_of,
    is_named,
    name_of_key,
)
from ndcg_ref.notes.measured import IDEAL, MEANS, QUANTITIES, Measured, measured
from ndcg_ref.notes.thresholds import BELIEVED, MOSTLY, OUTWEIGHS, REORDERED, TELLING
from ndcg_ref.notes.users import USERS
from ndcg_ref.notes.words import CLAUSE, says, words_for
from ndcg_ref.notes.workings import by_table, by_working, is_exact, with_causes
from ndcg_ref.stated.display import Outcome
from ndcg_ref.stated.number import Number
from ndcg_ref.stated.verdict import Verdict, judge

OPEN = "only rounded numbers lead to it, or the note may mean other documents"
NOTHING = "nothing to compute it from was found"
MOST_DECIMALS = 6
MOST_ORDERED = 6  # documents of which all orders are tried
POOLED = ("IDCG", "NDCG", "AP", "R")  # which need the judged grades
OF_ROWS = ("NDCG", "DCG", "IDCG", "CG", "AP", "RR", "P", "R")
HELD = (*OF_ROWS, *USERS)  # to one ranking
BRACKET = 2  # characters before the first number of a list at which the list begins
WHAT_IF = 600  # characters behind such a question that may answer it
LEAST_CELLS = 3  # of a column, which have to come out
LEAST_ROWS = 2  # queries of a mean
EARLIER = 150  # numbers before one that its working may go on with
AVERAGED = {"all", "mean", "average", "avg", "amean"}  # in place of the name of a query
_LIMIT = re.compile(
    r"\b(?:above|below|exceed|at least|at most|threshold|target|goal|baseline|random|expected(?!\W*$))",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(
    r"\b(?:[0-9]{2,}\s+(?:queries|topics|users)|release|previous|yesterday|others)\b"
    r"|^[\s\\%]*(?:better|worse|more|less)\b",  # by so much
    re.IGNORECASE,
)
_ASKED = re.compile(rf"{words_for('what if')}(?:(?!\n#)[\s\S])*$", re.IGNORECASE)  # up to the next heading
_IF = re.compile(r"(?:^|\W)(?:if|wenn|falls|si|se|were|had)\s", re.IGNORECASE)
_DIGITS = re.compile(r"[0-9]+(?:\.[0-9]+)?")


class Judged(NamedTuple):
    """A number with its verdict, its outcome, and the hypothesis that gives it."""

    claim: NoteClaim
    verdict: Verdict
    outcome: str
    hypothesis: Hypothesis | None = None

    def moved(self, by: int) -> Judged:
        """The same, so many characters on."""
        claim = replace(self.claim, start=self.claim.start + by, end=self.claim.end + by)
        return self._replace(claim=claim) if by else self


class Slip(NamedTuple):
    """What a number should have been, by a hypothesis."""

    hypothesis: Hypothesis
    value: float


class Judging:
    """The numbers of a text under its hypotheses.

    Parameters
    ----------
    facts : Facts
        What the text states and tells.
    told : Told
        What its reader knows of it.
    """

    def __init__(self, facts: Facts, told: Told) -> None:
        self.facts, self.text, self.told = facts, facts.text, told
        self.hypotheses = list(hypotheses_of(facts, told))
        self.chosen = chosen_of(self.hypotheses, facts, told)
        self.used: set[Convention] = {each.convention for each in self.chosen} or self._usual()
        self.usable = [each for each in self.hypotheses if each.convention in self.used]
        self.found: dict[int, Judged] = {}
        self.starts: list[int] = []  # of those, in order
        self.sums: dict[int, tuple[Hypothesis, str]] = {}  # whose terms come out, by where their chains begin
        self.renamed: dict[int, NoteClaim] = {}
        self.agreeing: list[Judged] = []
        self.by_line = self._by_line()
        self.lists = [each for each in facts.lists if not (each.is_local or each.is_inferred or each.is_ideal)]
        self.explaining: dict[int, set[Hypothesis]] = {}
        self.wrong: dict[int, Fraction] = {}  # the values of results that do not come out
        self.inherited: set[Fraction] = set()  # of these, those that are worked out of another one
        self.column_of = {each.start: each.cell[0] for each in facts.claims if each.cell is not None}

    def _usual(self) -> set[Convention]:
        """The conventions of a text of which nothing comes out: those that it shows, or the usual ones."""
        if self.told.convention is not None:
            return {self.told.convention}
        shown = {each for each in CONVENTIONS if (str(each.gain), str(each.discount)) in self.facts.formulas}
        return shown or {STANDARD, EXPONENTIAL}

    def judged(self) -> list[Judged]:
        """Every number with its verdict, in the order of the text; those that nothing names have none."""
        self._columns()
        self._sums()
        later = [claim for claim in map(self._renamed, self.facts.claims) if claim.start not in self.found]
        later = [claim for claim in later if not self._agrees(claim)]
        wrong = [each for each in later if self._is_wrong(each)]
        self.wrong = {each.start: each.number.value for each in wrong}
        values = {*self.wrong.values()}
        self.inherited = {
            each.number.value
            for each in wrong
            if each.working and any(one.value in values for one in each.working.operands)
        }
        slips = {claim.start: slip for claim in later if (slip := self._slip(claim)) is not None}
        for claim in later:
            is_slip = claim.start in slips and self._is_believed(claim, slips)
            self._judge(claim, slips[claim.start] if is_slip else None)
        return [self.found[start] for start in self.starts]

    def _say(
        self,
        claim: NoteClaim,
        value: float,
        hypothesis: Hypothesis | None = None,
        *,
        name: str = "",
        weak: bool = False,
    ) -> bool:
        """Keep the verdict on a number by a value."""
        own = hypothesis.measured if hypothesis is not None else None
        verdict = judge(claim.number, value, name or name_of(claim))
        if verdict.outcome is Outcome.SLIP:
            verdict = with_causes(claim, value, name or name_of(claim), own, self._earlier(claim))
        return self._keep(claim, verdict, hypothesis, weak=weak)

    def _keep(
        self, claim: NoteClaim, verdict: Verdict, hypothesis: Hypothesis | None = None, *, weak: bool = False
    ) -> bool:
        agrees = verdict.outcome is Outcome.AGREES
        if hypothesis is not None:
            is_doubtful = hypothesis.is_doubtful and claim.quantity in POOLED and claim.ranking is None
            weak |= hypothesis.listing.is_inferred or is_doubtful
        outcome = "consistent" if weak and agrees else str(verdict.outcome)
        if outcome == "consistent" and claim.quantity in NAMED:
            verdict = replace(verdict, reason=OPEN)
        if claim.start not in self.found:
            insort(self.starts, claim.start)
        self.found[claim.start] = Judged(claim, verdict, outcome, hypothesis)
        if agrees and hypothesis is not None:
            self.agreeing.append(self.found[claim.start])
        return True

    def _renamed(self, claim: NoteClaim) -> NoteClaim:
        """The claim, with the name that its heading or the terms of its sum give it."""
        claim = self.renamed.get(claim.start, claim)
        if claim.quantity in (None, UNNAMED) and claim.chain in self.sums and is_result(claim):
            return replace(claim, quantity=self.sums[claim.chain][1])
        return claim

    # Which hypotheses a number may be about

    def _line(self, place: int) -> range:
        last = self.text.find("\n", place)
        return range(self.text.rfind("\n", 0, place) + 1, last if last >= 0 else len(self.text))

    def _words(self, place: int) -> list[str]:
        """The first words of the line of a place."""
        line = self._line(place)
        return re.findall(r"[\w.-]+", self.text[line.start : min(line.stop, line.start + LONGEST)])[:2]

    def _outdented(self, place: int) -> int:
        """The line that a line of a program's output is indented under, or the line itself."""
        line = self._line(place).start
        above = self.text.rfind("\n", 0, max(0, line - 1)) + 1
        while self.text[line : line + 1] == " " == self.text[above : above + 1] and above:
            above = self.text.rfind("\n", 0, above - 1) + 1
        return above if self.text[line : line + 1] == " " else line

    def _clause(self, claim: NoteClaim, longest: int = LONGEST) -> str:
        return CLAUSE.split(self.text[max(0, claim.start - longest) : claim.start])[-1]

    def _by_line(self) -> dict[int | str, list[Hypothesis]]:
        """The hypotheses by where the lines begin that have their lists, and by the names of these."""
        found: dict[int | str, list[Hypothesis]] = defaultdict(list)
        for each in self.usable:
            if not each.listing.is_inferred:
                for line in {self.text.rfind("\n", 0, place) + 1 for place in each.listing.places if place >= 0}:
                    found[line].append(each)
                if each.listing.key:
                    found[each.listing.key].append(each)
        return found

    def _beside(self, claim: NoteClaim) -> list[Hypothesis]:
        """The hypotheses whose lists are in the line of a claim or have the name it begins with, the nearest first."""
        line = self._line(claim.start)
        keys: list[int | str] = [line.start, *self._words(claim.start)]
        own = [each for key in keys for each in self.by_line.get(key, [])]
        found = []
        for each in dict.fromkeys(own):
            before = [claim.start - place for place in each.listing.places if line.start <= place < claim.start]
            found.append((min(before, default=len(self.text)), each not in self.chosen, each.cost, each))
        return [each for *_, each in sorted(found, key=lambda one: one[:3])]

    def _reach(self, claim: NoteClaim) -> tuple[list[Hypothesis], bool]:
        """The hypotheses that a claim may be about, the likeliest first, and whether its ranking is sure."""
        if claim.ranking is not None:
            same = [each for each in self.usable if each.grades == claim.ranking]
            judged = [each for each in same if each.measured.judged == claim.judged]
            return sorted(judged or same, key=lambda each: each not in self.chosen), True
        beside = self._beside(claim)
        if beside:
            return beside, True
        chosen = [each for each in self.chosen if each.may_give(claim)]
        others = (each for each in self.usable if each not in self.chosen and each.may_give(claim))
        rest = [each for each in others if not each.listing.is_inferred]
        rest.sort(key=lambda each: (self._distance(each, claim), each.cost))
        lists = {each.grades for each in self.hypotheses if not each.listing.is_local}
        return sorted(chosen, key=lambda each: self._distance(each, claim)) + rest, len(lists) == 1

    def _distance(self, hypothesis: Hypothesis, claim: NoteClaim) -> int:
        """How far before a claim a list is; what is behind it is farther than all that is before."""
        before = [claim.start - place for place in hypothesis.listing.places if place <= claim.start]
        return min(before) if before else len(self.text) + min(hypothesis.listing.places)

    def _is_averaged(self, claim: NoteClaim) -> bool:
        """Whether a number is said to be a mean."""
        places = [claim.start, self._outdented(claim.start)]
        if AVERAGED & {word.lower() for place in places for word in self._words(place)}:
            return True
        if claim.quantity in MEANS:
            return not self._beside(claim)  # programs call that of a single query so too
        return says("mean", self._clause(claim))

    # Tables

    def _columns(self) -> None:
        columns: dict[int, list[NoteClaim]] = defaultdict(list)
        for claim in self.facts.claims:
            if claim.cell is not None:
                columns[claim.cell[0]].append(claim)
        for cells in columns.values():
            if not (self._rows(cells) if self._has_rows(cells) else self._column(cells)):
                self._rename(cells)

    def _rename(self, cells: Sequence[NoteClaim]) -> None:
        """Give the cells of a column that is not one of a list the names of their headings."""
        for claim in cells:
            if claim.start in self.facts.heads and claim.number.unit < 1:
                quantity, k = self.facts.heads[claim.start]
                self.renamed[claim.start] = replace(claim, quantity=quantity, k=k, sure=k is not None, cell=None)

    def _column(self, cells: Sequence[NoteClaim]) -> bool:
        """Judge a column that has the values of one list by rank, most of which have to come out."""
        best: tuple[float, Hypothesis, str] | None = None
        own_places = {*range(cells[0].start - BRACKET, cells[0].start + 1)}  # a list says nothing of itself
        for each in (each for each in self.usable if not own_places.issuperset(each.listing.places)):
            for name, values in each.measured.sequences.items():
                ways = len(self.chosen if each in self.chosen else self.usable) * len(each.measured.sequences)
                bits = self._bits_of_column(cells, name, values) - math.log2(ways)
                if bits > max(BELIEVED * (not _may_hold(name, cells[0].quantity)), best[0] if best else 0.0):
                    best = bits, each, name
        if best is None:
            return False
        _, hypothesis, name = best
        values = hypothesis.measured.sequences[name]
        for claim in cells:
            value = _at(values, claim)
            if not math.isnan(value) and (claim.number.covers(value) or not _adds_up(claim)):
                self._say(claim, value, hypothesis, name=name_of(claim) or name)
        return True

    def _bits_of_column(self, cells: Sequence[NoteClaim], name: str, values: Sequence[float]) -> float:
        """What a column tells that has the values of a list; less than 0 where too few of its cells come out."""
        right = [_comes_out(claim.number, _at(values, claim)) for claim in cells]
        least = 0 if _may_hold(name, cells[0].quantity) else LEAST_CELLS
        if sum(right) < max(MOSTLY * len(cells), least):
            return -1.0
        told = {claim.number.text: claim.number for claim, is_right in zip(cells, right, strict=True) if is_right}
        return sum(map(digits_of, told.values()))

    def _has_rows(self, cells: Sequence[NoteClaim]) -> bool:
        """Whether most cells of a column have a list of their own in their line, and none shares its line."""
        if len({self._line(claim.start).start for claim in cells}) < len(cells):
            return False
        lists = [self._lists_beside(claim) for claim in cells]
        return len({each[0] for each in lists if each}) > 1 and sum(map(bool, lists)) >= MOSTLY * len(cells)

    def _lists_beside(self, claim: NoteClaim) -> list[tuple[float, ...]]:
        return list(dict.fromkeys(each.grades for each in self._beside(claim) if not each.listing.is_local))

    def _rows(self, cells: Sequence[NoteClaim]) -> bool:
        """Judge a column whose rows are of a list each: by the quantity of its heading, or by that which comes out."""
        head = self.facts.heads.get(cells[0].start)
        single = [claim for claim in cells if self._lists_beside(claim)]
        best, named, giving = BELIEVED / 2, single, dict[int, Hypothesis]()
        for quantity, k in [head] if head else [(each, None) for each in OF_ROWS]:
            claims = [replace(each, quantity=quantity, k=k, sure=k is not None, cell=None) for each in single]
            right = {each.start: own for each in claims if (own := _giving(self._beside(each), each)) is not None}
            told = {each.number.text: right[each.start].bits(each) for each in claims if each.start in right}
            if len(right) >= MOSTLY * len(claims) and sum(told.values()) > best:
                best, named, giving = sum(told.values()), claims, right
        if not giving:
            return False
        (usual, _), *_ = Counter(own.convention for own in giving.values()).most_common(1)
        for claim in named:
            same = (each for each in self._beside(claim) if each.convention == usual)
            own = giving.get(claim.start) or next(same, None)
            if own is not None and own.named(claim):
                self._say(claim, own.value_of(claim) or own.named(claim)[0], own)
        return True

    # Sums

    def _sums(self) -> None:
        groups: dict[tuple[object, ...], list[NoteClaim]] = defaultdict(list)
        for claim in self.facts.claims:
            if claim.term is not None and claim.chain >= 0 and (not claim.operand or claim.quantity == "discount"):
                groups[claim.chain, claim.term[1], claim.quantity].append(claim)
        for terms in groups.values():
            self._sum(terms)

    def _sum(self, terms: Sequence[NoteClaim]) -> None:
        """Judge the terms of a sum, under the hypothesis under which most of them come out."""
        told = [claim for claim in terms if claim.number.value]
        best, own, quantity = 0, None, ""
        for each in self._reach(terms[0])[0]:
            for name in self._names_of_sum(terms[0], each):
                right = sum(each.value_of(replace(claim, quantity=name)) is not None for claim in told)
                if right > best:
                    best, own, quantity = right, each, name
        results = [each for each in self.facts.claims if each.chain == terms[0].chain and is_result(each)]
        best += own is not None and any(own.value_of(each) is not None for each in results)
        # Terms of whole grades may be of a ranking that stands nowhere
        is_of_another = own is not None and grades_of([each.number for each in terms], own.convention) is not None
        if own is None or 2 * best <= len(told) or (best < len(told) and is_of_another):
            for claim in terms:
                if claim.exact is not None:
                    self._say(claim, claim.exact)
            return
        if quantity != "discount":
            self.sums[terms[0].chain] = own, quantity
        for claim in terms:
            self._term(claim, replace(claim, quantity=quantity), own)

    def _names_of_sum(self, term: NoteClaim, own: Hypothesis) -> Sequence[str]:
        """What a sum may be under a hypothesis; that of the best order is no sign that this is the ranking."""
        if term.quantity != UNNAMED:
            return [term.quantity or ""]
        return ["IDCG"] if falls(own.grades) else ["DCG", "IDCG"]

    def _term(self, claim: NoteClaim, named: NoteClaim, own: Hypothesis) -> None:
        value = own.value_of(named)
        if value is not None:
            self._say(claim, value, own)
        elif claim.exact is not None:
            self._say(claim, claim.exact)
        elif values := own.named(named):
            self._say(claim, values[0])

    # Results

    def _agrees(self, claim: NoteClaim) -> bool:
        """Judge a number that is what its name says, for a list that it may be about."""
        if claim.quantity not in NAMED or _leads_elsewhere(claim):
            return False
        reach, sure = self._reach(claim)
        if claim.chain in self.sums:
            reach = [self.sums[claim.chain][0], *(reach if _adds_up_to(claim) else ())]
        elif not _adds_up_to(claim) and not sure:
            return False
        if self._is_averaged(claim) and len({each.grades for each in reach}) > 1:
            return False
        for each in reach:
            value = each.value_of(claim)
            if value is not None:
                return self._say(claim, value, each, weak=not sure and each not in self.chosen)
        return False

    def _judge(self, claim: NoteClaim, slip: Slip | None) -> bool:
        """Judge a number that is not what its name says, or has no name."""
        if (value := self._ideal_unsorted(claim)) is not None:
            return self._say(claim, value)
        if claim.exact is not None and not claim.operand and claim.number.covers(claim.exact):
            return self._say(claim, claim.exact)
        if slip is not None:
            return self._say(claim, slip.value, slip.hypothesis)
        if not claim.operand and self._follows(claim):
            return True
        if (mean := self._mean(claim)) is not None:
            return self._say(claim, mean, name=f"mean {claim.quantity}")
        return self._by_value(claim) or self._unchecked(claim)

    def _unchecked(self, claim: NoteClaim) -> bool:
        nameless = claim.quantity is None and claim.chain < 0 and claim.cell is None and claim.related is None
        if nameless or claim.is_loose:
            return False
        return self._keep(claim, judge(claim.number, None, name_of(claim), reason=self._why_not(claim)))

    def _why_not(self, claim: NoteClaim) -> str:
        """Why a number is not judged."""
        reach = self._reach(claim)[0]
        own_line = by_working(claim, self._earlier(claim)).reason if claim.working is not None else NOTHING
        if own_line not in (NOTHING, ""):
            return own_line
        if not reach:
            return _refused(claim) or NOTHING
        if claim.quantity is None:
            return "the note does not say what it is"
        own = reach[0]
        if not (self.chosen or self.facts.formulas) and (failing := none_of(claim, own)):
            return f"no number fixes the formula: {failing}"
        grades = ", ".join(f"{grade:g}" for grade in own.grades)
        if claim.quantity == "NDCG" and not any(own.measured.values("IDCG", None)):
            return f"grades {grades} have no ideal gain to divide by"
        values = own.named(claim)
        if values and not claim.number.covers(values[0]):
            return f"grades {grades} give {claim.number.beside(values[0])}, and it may be about others"
        return "it may be about other grades than those above"

    # What was understood

    def nearest(self, claim: NoteClaim) -> list[Hypothesis]:
        """The hypotheses that a number may be about, the likeliest first."""
        return self._reach(claim)[0] or self.hypotheses

    def readings(self, own: Hypothesis) -> list[Hypothesis]:
        """The hypotheses of the ranking of one, those first that explain the most."""
        same = [each for each in self.hypotheses if each.grades == own.grades]
        return sorted(same, key=lambda each: (each is not own, -each.weight))

    def fixes_formula(self, own: Hypothesis) -> bool:
        """Whether the numbers of a text fix the formula: under any other one fewer of them come out."""
        gains = {each for each in own.grades + own.measured.judged if each not in (0, 1)}
        rivals = (
            each
            for each in self.hypotheses
            if each.grades == own.grades and _weights(each.convention, gains) != _weights(own.convention, gains)
        )
        return all(sum(each.support.values()) < sum(own.support.values()) for each in rivals)

    def _by_value(self, claim: NoteClaim) -> bool:
        """Judge a number by its value alone."""
        if claim.number.unit >= 1:
            return False
        reach = [each for each in self._reach(claim)[0] if each in self.chosen]
        for each in dict.fromkeys([*reach, *self.chosen]):
            ways = each.ways(claim.number)
            if ways and each.bits(NoteClaim(claim.start, claim.end, claim.number)) >= TELLING:
                return self._say(replace(claim, quantity=None), ways[0][0], each, name=ways[0][1], weak=True)
        return False

    def _follows(self, claim: NoteClaim) -> bool:
        """Judge a number by the working of its line, or of its table."""
        if claim.chain >= 0 or claim.working is not None or claim.exact is not None:
            verdict = by_working(claim, self._earlier(claim))
            if verdict.outcome is not Outcome.UNCHECKED:
                return self._keep(claim, verdict, weak=claim.exact is None and not self._is_known(claim))
        if claim.related is not None:
            cells = {start: each.verdict for start, each in self.found.items()}
            exact = all(place in cells and cells[place].computed is not None for place in claim.related.places)
            verdict = by_table(claim, claim.related, cells, exact=exact)
            if verdict.outcome is not Outcome.UNCHECKED:
                return self._keep(claim, verdict, weak=not exact)
        return False

    def _is_known(self, claim: NoteClaim) -> bool:
        """Whether a working has no rounded numbers but known ones, and comes to a value of a list, or a mean."""
        if claim.working is None or not claim.working.operands:
            return True
        if not is_exact(claim, self._earlier(claim)):
            return False
        if claim.quantity is None:
            return any(each.ways(claim.number) for each in self.chosen)
        return claim.quantity not in NAMED

    def _earlier(self, claim: NoteClaim) -> list[tuple[NoteClaim, Verdict]]:
        """The last numbers before one, with their verdicts."""
        end = bisect_left(self.starts, claim.start)
        before = self.starts[max(0, end - EARLIER) : end]
        return [(self.found[start].claim, self.found[start].verdict) for start in before]

    def _ideal_unsorted(self, claim: NoteClaim) -> float | None:
        """What an ideal DCG should be that adds up the gains of the judged documents in another order than the best."""
        added = worked(claim.working) if claim.quantity == "IDCG" and is_result(claim) and claim.working else None
        if added is None or falls(added.gains):
            return None
        for each in self._reach(claim)[0]:
            own = plain.gains(each.measured.best, each.convention)
            if Counter(filter(None, added.gains)) == Counter(filter(None, own)):
                return each.named(claim)[0]
        return None

    def _mean(self, claim: NoteClaim) -> float | None:
        """The mean of a quantity over the rankings for which the text states it, if the number is surely one."""
        if not self._is_averaged(claim) or (claim.working is not None and claim.quantity not in MEANS):
            return None
        values = self._stated(claim)
        if len(values) < LEAST_ROWS:
            return None
        mean = math.fsum(values) / len(values)
        lists = {each.grades for each in self.hypotheses if not (each.listing.is_local or each.listing.is_inferred)}
        return mean if len(lists) == len(values) or claim.number.covers(mean) else None

    def _stated(self, claim: NoteClaim) -> list[float]:
        """What the text states of the rankings for the quantity of a result, and each ranking once."""
        quantity = OF_ONE.get(claim.quantity or "", claim.quantity)
        stated = {
            each.hypothesis.grades: each.verdict.computed
            for each in self.found.values()
            if each.hypothesis is not None and each.claim.quantity == quantity and each.claim.k == claim.k
        }
        return [value for value in stated.values() if value is not None] if quantity in QUANTITIES else []

    # Slips

    def _slip(self, claim: NoteClaim) -> Slip | None:
        """What a number should have been, if its name and its place say so surely enough."""
        if claim.operand:
            return self._odd_operand(claim) or self._odd_discount(claim)
        own = self._owner(claim) if claim.start in self.wrong else None
        if own is None or not own.named(claim) or not self._works_with(claim) or self._is_another(own, claim):
            return None
        if _is_of_another_order(own, claim):
            return None
        return Slip(own, min(own.named(claim), key=lambda value: abs(value - claim.number.nearest_float)))

    def _is_wrong(self, claim: NoteClaim) -> bool:
        """Whether a result is held to a ranking, and comes out of none."""
        if not _may_slip(claim) or self._is_said_otherwise(claim):
            return False
        values = self._stated(claim)
        if len(values) >= LEAST_ROWS and claim.number.covers(math.fsum(values) / len(values)):
            return False  # of no single ranking, although no word says that it is their mean
        return claim.chain in self.sums or not self._is_given_elsewhere(claim, self._reach(claim)[0])

    def _owner(self, claim: NoteClaim) -> Hypothesis | None:
        """The hypothesis that a number is about: it explains most of what stands near."""
        if claim.chain in self.sums:
            return self.sums[claim.chain][0]
        paragraph = self.text.find("\n\n", claim.end)  # a list that is first told further on is of what comes next
        ends = len(self.text) if paragraph < 0 else paragraph
        reach = [
            each for each in self._reach(claim)[0] if not each.listing.is_inferred and min(each.listing.places) < ends
        ]
        if not reach:
            return None
        told = {each: [len(self._explained_in(each, unit)) for unit in self._units(claim)] for each in reach}
        own = reach[0] if claim.ranking is not None else max(reach, key=lambda each: told[each])
        if self._is_given(claim):
            return own
        if not any(told[own]) or (claim.k and claim.k > len(own.grades)):
            return None
        return own if self._is_ranking_of(own, claim) else None

    def _is_ranking_of(self, own: Hypothesis, claim: NoteClaim) -> bool:
        """Whether what comes out shows that a list is the ranking: no weights of ranks, nor only the best order."""
        results = (each.claim for each in self.agreeing if is_result(each.claim))
        quantities = {each.quantity for each in results if own in self._explaining(each)} - {None, UNNAMED}
        if claim.quantity in POOLED and self._is_open(own, claim) and not quantities & {*POOLED}:
            return False
        may_be_ideal = claim.quantity not in IDEAL and falls(own.grades) and "DCG" not in quantities
        return bool(quantities) and not may_be_ideal

    def _is_open(self, own: Hypothesis, claim: NoteClaim) -> bool:
        """Whether other documents may have been judged than those of a hypothesis; R and AP need to be told."""
        return own.listing.judged is None and (claim.quantity in ("R", "AP") or says("pool", self.text))

    def _explained_in(self, own: Hypothesis, unit: Collection[int]) -> dict[str, NoteClaim]:
        """The different numbers of some text that agree, and come out of a hypothesis."""
        return {
            each.claim.number.text: each.claim
            for each in self.agreeing
            if each.claim.start in unit and own in self._explaining(each.claim)
        }

    def _explaining(self, claim: NoteClaim) -> set[Hypothesis]:
        """All hypotheses under which a number comes out."""
        if claim.start not in self.explaining:
            of_call = claim.ranking
            self.explaining[claim.start] = {
                each for each in self.usable if (of_call is None or each.grades == of_call) and each.explains(claim)
            }
        return self.explaining[claim.start]

    def _odd_operand(self, claim: NoteClaim) -> Slip | None:
        """What an operand of a ratio should have been whose other operand and result come out for one list."""
        same = [each for each in self.facts.claims if each.chain == claim.chain and each.start != claim.start]
        for own in self.chosen if claim.quantity in ("DCG", "IDCG") else ():
            if own.named(claim) and all(is_named(each) and own.value_of(each) is not None for each in same):
                return Slip(own, own.named(claim)[0])
        return None

    def _odd_discount(self, claim: NoteClaim) -> Slip | None:
        """The nearest discount to a divisor that is none, in a line that does not come to its result."""
        results = [each for each in self.facts.claims if each.chain == claim.chain and is_result(each)]
        if claim.quantity != "discount" or not self.chosen or all(map(_adds_up_to, results)):
            return None
        discounts = self.chosen[0].named(claim)
        return Slip(self.chosen[0], min(discounts, key=lambda each: abs(each - claim.number.nearest_float)))

    def _is_said_otherwise(self, claim: NoteClaim) -> bool:
        """Whether words say that a number is not held to one ranking: a mean, a limit, what would come out if."""
        named = [choice for choice, form in NAMED_CHOICES.items() if form.search(self._clause(claim))]
        if any(all(getattr(each, which) != value for each in self.used) for which, value in named):
            return True  # of another formula
        if self._is_averaged(claim) or is_supposed(claim) or _LIMIT.search(self._clause(claim)):
            return True
        behind = CLAUSE.split(self.text[claim.end : claim.end + LONGEST])[0]
        if _ELSEWHERE.search(behind) or _ELSEWHERE.search(self._clause(claim)):
            return True
        if claim.quantity != "IDCG" and _IF.search(self._clause(claim, 200)):
            return True
        if claim.ranking is None and claim.quantity not in POOLED and says("ideal", self._clause(claim)):
            return True  # of the best order, and not of the ranking
        return _ASKED.search(self.text[max(0, claim.start - WHAT_IF) : claim.start]) is not None

    def _is_given_elsewhere(self, claim: NoteClaim, reach: Sequence[Hypothesis]) -> bool:
        """Whether some hypothesis gives a number, at any cutoff where its name has none."""
        if self.told.grades is not None:
            return _giving(reach, claim) is not None
        return any(_gives(each, claim) for each in (reach if claim.ranking is not None else self.usable))

    def _is_another(self, own: Hypothesis, claim: NoteClaim) -> bool:
        """Whether a line of the same form that begins with another word has stated this for a list."""
        key, first, form = name_of_key(claim), self._words(claim.start)[:1], self._form(claim)
        same = (each.claim for each in self.agreeing if each.hypothesis and each.hypothesis.grades == own.grades)
        return any(
            name_of_key(each) == key and self._words(each.start)[:1] != first and self._form(each) == form
            for each in same
        )

    def _form(self, claim: NoteClaim) -> str:
        """The line of a number without digits."""
        line = self._line(claim.start)
        return _DIGITS.sub("#", self.text[line.start : line.stop]).strip()

    def _is_given(self, claim: NoteClaim) -> bool:
        """Whether a number is surely about its list: by its reader, or by its call."""
        return self.told.grades is not None or claim.ranking is not None

    def _works_with(self, claim: NoteClaim) -> bool:
        """Whether the working of a number is that of its list."""
        if claim.working is None:
            return True
        if claim.chain in self.sums:
            terms = [each for each in self.facts.claims if each.chain == claim.chain and each.term is not None]
            return not may_come_to(claim.working, claim.number) or all(each.start in self.found for each in terms)
        if not claim.working.operands:
            return claim.working.value is None or not claim.number.covers(claim.working.value)
        known = {
            each.claim.number.text
            for each in self.found.values()
            if each.claim.start < claim.start and each.verdict.outcome in (Outcome.AGREES, Outcome.SLIP)
        }
        return all(each.text in known for each in claim.working.operands)

    def _is_believed(self, claim: NoteClaim, slips: Mapping[int, Slip]) -> bool:
        """Whether enough comes out of a list for each number near that would be a slip, so that it is the ranking."""
        own = slips[claim.start].hypothesis
        if self._is_given(claim):
            return True
        for unit in self._units(claim):
            bits = sum(map(own.bits, self._explained_in(own, unit).values()))
            near = [start for start in self.wrong if start in unit or start == claim.start]
            wrong = len({self.wrong[start] for start in near} - self.inherited)
            if bits >= (OUTWEIGHS if not self.told.convention else 1) * max(wrong, 1):
                return True
        return False

    def _units(self, claim: NoteClaim) -> Iterator[Collection[int]]:
        """What stands around a number, from its line and its column to all between the lists of other grades."""
        yield self._line(claim.start)
        column = self.column_of.get(claim.start)
        yield {start for start, each in self.column_of.items() if each == column and column is not None}
        paragraph = self.text.find("\n\n", claim.start)
        yield range(self.text.rfind("\n\n", 0, claim.start) + 1, paragraph if paragraph >= 0 else len(self.text))
        listed = sorted((place, sorted(filter(None, each.grades))) for each in self.lists for place in each.places)
        before = [order for place, order in listed if place < claim.start] or [order for _, order in listed[:1]]
        others = [place for place, order in listed if order != before[-1]]
        last = max((place for place in others if place < claim.start), default=-1)
        first = min((place for place, _ in listed if last < place < claim.start), default=0) if last >= 0 else 0
        yield range(first, min((place for place in others if place > claim.start), default=len(self.text)))


def none_of(claim: NoteClaim, own: Hypothesis) -> str:
    """What the common formulas give for a result that is none of it; empty where one of them gives it."""
    if claim.quantity not in ("DCG", "IDCG", "NDCG") or not is_result(claim) or claim.cell is not None:
        return ""
    bound = own.measured
    k = claim.k if claim.sure else None
    every = (measured(bound.grades, bound.judged, each) for each in (STANDARD, EXPONENTIAL, ORIGINAL))
    values = [each.values(claim.quantity, k)[0] for each in every]
    if any(math.isnan(value) or claim.number.covers(value) for value in values):
        return ""
    decimals = min(MOST_DECIMALS, 1 - min(0, round(math.log10(claim.number.unit))))
    texts = dict.fromkeys(f"{value:.{decimals}f}" for value in values)
    return f"{claim.number.text} is {'none of' if len(texts) > 1 else 'not'} {', '.join(texts)}"


def _is_of_another_order(own: Hypothesis, claim: NoteClaim) -> bool:
    """Whether a result of so many digits that it is no chance comes out for the same documents in another order."""
    if claim.quantity not in ("DCG", "NDCG") or len(own.grades) > MOST_ORDERED:
        return False
    values = _of_all_orders(own.measured, claim.quantity, claim.k or len(own.grades))
    told = digits_of(claim.number, claim.quantity) - math.log2(len(values) or 1)
    return told >= REORDERED and any(map(claim.number.covers, values))


@lru_cache(maxsize=100)
def _of_all_orders(own: Measured, quantity: str, k: int) -> frozenset[float]:
    """What the first ranks of a ranking give in any order of its documents but the best, whose value is the ideal."""
    orders = {order[:k] for order in permutations(own.grades) if not falls(order)}
    return frozenset(replace(own, grades=order).values(quantity, k)[0] for order in orders)


def _refused(claim: NoteClaim) -> str:
    """Why the ranking of a call measures nothing; empty where it has none."""
    if claim.ranking is not None:
        try:
            _ = measured(claim.ranking, claim.judged or claim.ranking, EXPONENTIAL).sequences
        except ValueError as error:
            return str(error).partition(": ")[2].partition(" (")[0]  # its place and its hint are those of a call
    return ""


def _weights(convention: Convention, gains: Collection[float]) -> tuple[str, str]:
    """The gain and the discount of a convention; grades of 0 and 1 are the same under both gains."""
    return str(convention.gain) if gains else "any", str(convention.discount)


def _at(values: Sequence[float], claim: NoteClaim) -> float:
    """What a list has at the rank of a cell."""
    rank = claim.cell[1] if claim.cell is not None else 0
    return values[rank - 1] if 0 < rank <= len(values) else math.nan


def _comes_out(number: Number, value: float) -> bool:
    """Whether a cell states a value, of which a whole number leaves no decimals out."""
    return number.covers(value) and (number.unit < 1 or abs(number.nearest_float - value) < WHOLE)


def _may_hold(name: str, quantity: str | None) -> bool:
    """Whether a column with the name of a quantity may hold a sequence: it, or what it adds up."""
    own = name.removeprefix("ideal ")
    return quantity in QUANTITIES and (own in (quantity, "term") or name.startswith(f"{quantity} "))


def _adds_up(claim: NoteClaim) -> bool:
    """Whether a cell is what its table works out."""
    with suppress(ValueError):  # of a working without a value
        value = claim.related.side.value if claim.related is not None else None
        return value is not None and claim.number.covers(value)
    return False


def _giving(hypotheses: Sequence[Hypothesis], claim: NoteClaim) -> Hypothesis | None:
    """The first hypothesis that gives a claim by its name."""
    return next((each for each in hypotheses if each.value_of(claim) is not None), None)


def _gives(hypothesis: Hypothesis, claim: NoteClaim) -> bool:
    """Whether a hypothesis has a number under its name, at any cutoff if that is not sure."""
    if hypothesis.value_of(claim) is not None:
        return True
    return not claim.sure and any(quantity == claim.quantity for _, quantity, _ in hypothesis.ways(claim.number))


def _may_slip(claim: NoteClaim) -> bool:
    """Whether a number is a result that is held to one ranking."""
    quantity = OF_ONE.get(claim.quantity or "", claim.quantity)
    if quantity not in HELD or not is_result(claim) or claim.option or claim.is_loose or _is_one_term(claim):
        return False
    return quantity not in ("P", "R") or claim.k is not None


def _is_one_term(claim: NoteClaim) -> bool:
    """Whether the working of a number is a term of the sum that its name says, and comes to it."""
    side = claim.working
    is_quotient = side is not None and len(side.terms) == 1 and bool(side.operands)
    return is_quotient and claim.quantity in ("DCG", "IDCG") and _adds_up_to(claim)


def _adds_up_to(claim: NoteClaim) -> bool:
    """Whether the working of a result can come to it, as far as its rounded numbers tell."""
    return claim.working is None or not claim.working.operands or may_come_to(claim.working, claim.number)


def _leads_elsewhere(claim: NoteClaim) -> bool:
    """Whether the working of a result comes to another number, whatever the ranking is."""
    side = claim.working
    if not is_result(claim) or side is None or side.value is None:
        return False
    if side.operands:
        return claim.quantity == "NDCG" and not may_come_to(side, claim.number)
    return not claim.number.covers(side.value)
