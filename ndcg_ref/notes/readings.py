"""The reading of an example under which most of its printed numbers come out.

A reading fills what the note leaves open: which list is the ranking, which documents were judged, the convention.
Its score is the information of the numbers that it reproduces, less what its assumptions cost.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import NamedTuple

from ndcg_ref.conventions.convention import Convention
from ndcg_ref.notes.claims import UNNAMED, NoteClaim
from ndcg_ref.notes.columns import TOTAL
from ndcg_ref.notes.examples import Example
from ndcg_ref.notes.inverse import grades_of
from ndcg_ref.notes.limits import OF_CLAIM
from ndcg_ref.notes.measured import NOBODY, QUANTITIES, Measured, Ranked, measured
from ndcg_ref.notes.users import User
from ndcg_ref.stated.number import Number

CONVENTIONS = tuple(
    (Convention(gain=gain, discount=discount, base=base), cost)  # type: ignore[arg-type]
    for gain in ("linear", "exponential")
    for discount, base, cost in (
        ("log(rank+1)", 2, 0.0),
        ("log(rank)", 2, 1.0),
        ("log(rank+1)", math.e, 2.0),
        ("log(rank+1)", 10, 2.0),
        ("rank", 2, 2.0),
    )
)
MOST_LISTS = 6
LEAST_TERMS = 2
ENOUGH, ENOUGH_OF_ANY = 2.0, 5.0  # digits of a column that have to come out, and of numbers in a sentence
MOST_CLAIMS = 400  # of one example, by which its readings are compared
MOST_DIGITS = 4
OF_RANKINGS = ("DCG", "IDCG", "NDCG", "AP", "RR", "P", "R")
INFERRED = 1.5  # what a grade costs that is read off a printed term, and not printed itself
SHARED = 4.0  # what judged grades cost that are those of another ranking
NOT_SHOWN = 4.0  # what a convention costs that is not the one shown


@dataclass(frozen=True)
class Told:
    """What the reader of a note knows of it, and the note does not say.

    Parameters
    ----------
    grades : tuple of float or None
        The ranking.
    convention : Convention or None
        The convention.
    """

    grades: tuple[float, ...] | None = None
    convention: Convention | None = None


NOTHING = Told()


class Assumption(NamedTuple):
    """Something that a reading takes for granted: its code, and what it costs.

    The codes are: "rare", a discount or a base that few notes use; "exponential", this gain where no formula is shown;
    "not shown", another convention than that of the formulas; "later", a list that is not the first; "inferred",
    grades read off printed terms; "retrieved", that no others were judged, where the note names more; "ideal", judged
    documents that are those of a stated ideal order.
    """

    code: str
    cost: float


@dataclass(frozen=True)
class Hypothesis(Ranked):
    """A ranking, the judged grades and a convention.

    Parameters
    ----------
    grades, judged, convention
        Those of `Ranked`.
    assumptions : tuple of Assumption
        What it takes for granted, with what each costs.
    points : float
        Its score for the claims of its example.
    columns : tuple of (tuple of float or None)
        What each column of the tables holds, as far as that can be told.
    inferred : bool
        Whether some of the grades are read off printed terms.
    told : bool
        Whether the ranking is what the reader says, not what was found in the note.
    user : User
        What the note says of the user who goes down the ranking.
    """

    assumptions: tuple[Assumption, ...] = ()
    points: float = field(default=0.0, compare=False)
    columns: tuple[tuple[float, ...] | None, ...] = field(default=(), compare=False, repr=False)
    told: bool = False
    inferred: bool = False
    user: User = NOBODY

    @property
    def cost(self) -> float:
        """What its assumptions cost together."""
        return sum(each.cost for each in self.assumptions)

    def bound(self, claim: NoteClaim) -> Measured:
        """What is measured by the ranking and under the convention that a claim is said to be about."""
        grades = claim.ranking if claim.ranking is not None else self.grades
        # Another ranking has judged documents of its own, unless those of the reading hold its grades
        if claim.judged is not None:
            return measured(grades, claim.judged, self.convention, self.user)
        own = self.judged == self.grades or (grades != self.grades and not _holds(self.judged, grades))
        return measured(grades, grades if own else self.judged, self.convention, self.user)

    def values(self, claim: NoteClaim) -> list[float]:
        """What a claim should be, in each way in which its name can be read."""
        if claim.cell is not None:
            column, rank = claim.cell
            sequence = self.columns[column] if column < len(self.columns) else None
            if sequence is None or rank > len(sequence):
                return []
            return [sequence[rank - 1]] if rank != TOTAL else [math.fsum(sequence), sequence[-1]]
        return self._named(claim)

    def _named(self, claim: NoteClaim) -> list[float]:
        """What a claim should be, by its name; another ranking may have judged documents of its own."""
        bound = self.bound(claim)
        found = _measures(claim, bound)
        if claim.judged is None and bound.grades != self.grades != self.judged:
            found += _measures(claim, measured(bound.grades, bound.grades, bound.convention, self.user))
        return list(dict.fromkeys(found))

    def sequence_of(self, column: Sequence[NoteClaim]) -> tuple[float, ...] | None:
        """What a column of a table holds: the sequence that most of its cells agree with; None if few do."""
        best, most = None, 0.0
        named = column[0].quantity
        several = len({claim.ranking for claim in column}) > 1
        sequences = self._by_ranking(column) if several else self.bound(column[0]).sequences
        for quantity, values in sequences.items():
            if named in QUANTITIES and not _may_hold(quantity, named):
                continue
            agree = [
                claim
                for claim in column
                if claim.cell is not None
                and TOTAL < claim.cell[1] <= len(values)
                and claim.number.covers(values[claim.cell[1] - 1])
            ]
            told = sum(information(claim.number) for claim in agree)
            # A slip in a running sum goes on to the end of its column
            enough = len(agree) + (named == quantity in ("CG", "DCG") and _leads(agree, column))
            least = ENOUGH if column[0].label else ENOUGH_OF_ANY
            if 2 * enough > len(column) and (told >= least or len(agree) == len(column) > 2) and told > most:
                best, most = values, told
        return best

    def _by_ranking(self, column: Sequence[NoteClaim]) -> dict[str, tuple[float, ...]]:
        """What a column may hold whose cells are each about a ranking of their own."""
        bounds = [self.bound(claim) for claim in column]
        return {quantity: tuple(bound.values(quantity, None)[0] for bound in bounds) for quantity in OF_RANKINGS}

    def reproduces(self, claim: NoteClaim) -> bool:
        """Whether the claim's number comes out."""
        return any(claim.number.covers(value) for value in self.values(claim))


def _holds(judged: Sequence[float], grades: Sequence[float]) -> bool:
    """Whether every document with gain is among those judged."""
    return not Counter(grade for grade in grades if grade) - Counter(judged)


def _may_hold(sequence: str, named: str) -> bool:
    """Whether a column with the name of a quantity may hold a sequence: it, or what it adds up."""
    return sequence.removeprefix("ideal ") in (named, "term") or sequence.startswith(f"{named} ")


def _leads(agree: Sequence[NoteClaim], column: Sequence[NoteClaim]) -> bool:
    """Whether the cells that agree are those at the head of a column."""
    return list(agree) == list(column[: len(agree)])


def _measures(claim: NoteClaim, bound: Measured) -> list[float]:
    """What a claim about a ranking should be, in each way in which its name can be read."""
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
    if count == len(bound.grades):
        cutoffs.reverse()
    elif count > 1 and claim.k is None:
        cutoffs.append(count)  # the first ranks alone
    if claim.term is not None and claim.k and claim.term[1] > claim.k:
        cutoffs.append(None)  # a sum that goes on behind its cutoff
    if claim.term is None:
        return [value for k in cutoffs for value in bound.values(claim.quantity, k)]
    return [value for k in cutoffs for value in bound.term(claim.quantity, k, claim.term)]


def information(number: Number) -> float:
    """What a printed number says: its digits, or little where it is a small whole one."""
    return 0.3 if number.unit >= 1 and number.digits < 2 else float(min(MOST_DIGITS, number.digits))


def steps_to_judge(example: Example, told: Told = NOTHING) -> int:
    """How many steps the numbers of an example take: each of them is held against each reading."""
    return len(example.claims) * (OF_CLAIM + sum(1 for _ in _all(example, told)))


def score(reading: Hypothesis, claims: Sequence[NoteClaim]) -> float:
    """The information of the claims that come out, less the cost of the reading."""
    return sum(information(claim.number) for claim in claims if reading.reproduces(claim)) - reading.cost


def readings_of(example: Example, told: Told = NOTHING) -> list[Hypothesis]:
    """The readings of an example, the best first; none where it has no grades."""
    found = (replace(each, columns=tuple(map(each.sequence_of, example.columns))) for each in _all(example, told))
    first = numbers_scored(example)
    scored = (replace(each, points=score(each, first)) for each in found)
    return sorted(scored, key=lambda each: -each.points)


def numbers_scored(example: Example) -> Sequence[NoteClaim]:
    """The numbers by which readings are compared: an operand repeats what stands elsewhere."""
    return [claim for claim in example.claims if not claim.operand][:MOST_CLAIMS]


def _all(example: Example, told: Told) -> Iterator[Hypothesis]:
    conventions = CONVENTIONS if told.convention is None else ((told.convention, 0.0),)
    sums = list(_sums_in(example.claims))
    for convention, price in conventions:
        rare = _assumed("rare", price)
        alone = () if told.convention else _departure(convention, example)
        for grades, judged, assumed, inferred in _readings(example, told, sums, convention):
            reading = Hypothesis(
                grades, judged, convention, told=told.grades is not None, inferred=inferred, user=example.user
            )
            yield replace(reading, assumptions=assumed + rare + alone)


def _assumed(code: str, cost: float) -> tuple[Assumption, ...]:
    return (Assumption(code, cost),) if cost else ()


def _sums_in(claims: Sequence[NoteClaim]) -> Iterator[tuple[str | None, tuple[NoteClaim, ...]]]:
    """The sums of decimals that a note prints for a DCG, each with what it is said to be."""
    terms = [claim for claim in claims if claim.term is not None and claim.chain >= 0 and not claim.operand]
    for _, group in groupby(terms, key=lambda claim: (claim.chain, claim.quantity, claim.term and claim.term[1])):
        found = tuple(group)
        whole = len(found) >= LEAST_TERMS and [claim.term for claim in found] == [
            (i, len(found)) for i in range(len(found))
        ]
        if whole and any(claim.number.unit < 1 for claim in found):
            yield found[0].quantity, found


Sums = Sequence[tuple[str | None, tuple[NoteClaim, ...]]]


def _readings(
    example: Example, told: Told, sums: Sums, convention: Convention
) -> Iterator[tuple[tuple[float, ...], tuple[float, ...], tuple[Assumption, ...], bool]]:
    """The rankings with their judged grades that there may be under a convention, each with what it assumes."""
    rankings = list((example.rankings or example.ideals)[:MOST_LISTS] if told.grades is None else (told.grades,))
    shown = len(rankings)
    read = [(quantity, grades_of([term.number for term in terms], convention)) for quantity, terms in sums]
    inferred = [(quantity, grades) for quantity, grades in read if grades and any(grades)]
    if told.grades is None:
        rankings += [grades for quantity, grades in inferred if quantity == "DCG" and grades not in rankings][
            :MOST_LISTS
        ]
    for i, grades in enumerate(rankings):
        assumed = _assumed("later", float(i))
        assumed += _assumed("inferred", INFERRED * len(grades) if i >= shown else 0.0)
        # The best order of another ranking is rarely that of this one
        others = {tuple(sorted(other)) for other in rankings[:shown] if other != grades}
        for judged, more in _pools(grades, example.ideals, others):
            yield grades, judged, assumed + more, i >= shown


def _pools(
    grades: tuple[float, ...], ideals: Sequence[tuple[float, ...]], others: Collection[tuple[float, ...]]
) -> Iterator[tuple[tuple[float, ...], tuple[Assumption, ...]]]:
    """The judged grades that there may be, each with what it assumes."""
    best = sorted(grades, reverse=True)
    pool = any(_holds(ideal, grades) and sum(ideal) > sum(grades) for ideal in ideals[:MOST_LISTS])
    yield grades, _assumed("retrieved", 1.5 * pool)
    for ideal in ideals[:MOST_LISTS]:
        if sorted(ideal, reverse=True) != best[: len(ideal)]:
            yield ideal, (Assumption("ideal", SHARED if tuple(sorted(ideal)) in others else 1.0),)


def _departure(convention: Convention, example: Example) -> tuple[Assumption, ...]:
    """What is assumed where a convention is not that of the formulas shown."""
    used = (str(convention.gain), str(convention.discount))
    if example.shown:
        return _assumed("not shown", NOT_SHOWN * (used not in example.shown))
    return _assumed("exponential", 0.5 * (convention.gain == "exponential"))
