"""The lists of a note that may be rankings, and the hypotheses that they make."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from ndcg_ref.conventions.convention import EXPONENTIAL, Convention
from ndcg_ref.notes import thresholds as limit
from ndcg_ref.notes.forms import Term, grades_in
from ndcg_ref.notes.grades import (
    HIGHEST,
    Listing,
    counted_listings,
    falls,
    gains_of,
    ids_of,
    itemized_listings,
    listings_of,
    marked_listings,
    named_listings,
    retrieved_listings,
    worded_listings,
)
from ndcg_ref.notes.hypotheses import CONVENTIONS, Grades, Hypothesis
from ndcg_ref.notes.inverse import grades_of
from ndcg_ref.notes.reading import Reading, ranks_of, within
from ndcg_ref.notes.table_rankings import grades_by_id, listings_in, rankings_in
from ndcg_ref.notes.tables import NoteTable
from ndcg_ref.notes.users import user_in
from ndcg_ref.notes.words import column_of, count_of, says, words_for
from ndcg_ref.notes.written_formulas import shown

_RUNNING = re.compile(r"CG\W{0,6}$")  # the values of a measure by rank, as in CG = 2, 5, 5
_SCORES = re.compile(
    r"(?:score|pred|prob)\w{0,10}\W{0,3}[=:]\s*(?:[\w.]{1,20}\()?\W{0,2}$", re.IGNORECASE
)  # of a model
_MEMBER = re.compile(r"(?:∈|\\in|between|from|scale|out of|for\s\w{1,5}\sin)\W*$")
_PLACES = re.compile(rf"{words_for('rank')}\W*$", re.IGNORECASE)  # the ranks of some documents
_GAINS = re.compile(r"gain\w*\W{1,4}(?:\w+\W{1,4}){0,5}$", re.IGNORECASE)
LISTS_BEFORE = 20  # lists before one that may be the best order of one of them
MOST_LISTS = 14
MOST_GRADES = 200


@dataclass(frozen=True)
class Candidate:
    """A list of grades that may be a ranking: where it stands, whether a best order, and the bits that it costs."""

    place: int
    grades: Grades
    ideal: bool = False
    cost: float = 0.0
    inferred: bool = False


def candidates_of(reading: Reading) -> list[Candidate]:
    """The lists of a reading, those that are printed before those that its sums show."""
    listings = [each for each in _listings(reading) if 1 <= len(each.grades) <= MOST_GRADES and max(each.grades) > 0]
    said = [Candidate(each.start, each.grades, each.ideal) for each in listings]
    found = []
    for each, one in zip(_with_ideals(listings), said, strict=True):
        found.append(one)
        if each.ideal and not one.ideal:
            found.append(replace(one, ideal=True))
    for line in reading.lines:
        ideal = line.name.quantity in ("IDCG", "ICG")
        for side in line.sides:
            grades = grades_in(side.terms)
            if grades is not None and any(grades):
                found.append(Candidate(side.part.start, grades, ideal, 1.0, True))
    return [*found, *_line_by_line(reading), *of_ranks(reading.plain)]


def terms_by_line(reading: Reading) -> Iterator[list[Term]]:
    """The terms that stand in a line each, one for each rank as the logarithm in it tells."""
    found: list[Term] = []
    for line in reading.lines:
        terms = line.sides[0].terms if line.sides else ()
        if len(terms) != 1 or terms[0].argument is None or terms[0].gain is None:
            continue
        if terms[0].argument != len(found) + 2:
            if len(found) > 1:
                yield found
            found = []
        if terms[0].argument == len(found) + 2:
            found.append(terms[0])
    if len(found) > 1:
        yield found


def _line_by_line(reading: Reading) -> Iterator[Candidate]:
    """The rankings whose terms stand in a line each."""
    for terms in terms_by_line(reading):
        gains = [(term.gain or 0.0, term.power) for term in terms]
        power = any(power for _, power in gains)
        grades = tuple(round(math.log2(gain + 1), 9) if power else gain for gain, _ in gains)
        yield Candidate(terms[0].start, grades, False, 1.0, True)


def zero_lists(plain: str) -> list[int]:
    """Where lists stand that hold nothing but zeros."""
    return [found.start() for found in re.finditer(r"\[\s*0(?:\s*,\s*0)+\s*\]", plain)]


_RANKS = re.compile(
    rf"(?<![^\W_])(?:{words_for('relevant')})\b[^.;:|\n]{{0,40}}?(?:{words_for('rank')})\s(?P<ranks>[0-9]{{1,2}}"
    rf"(?:(?:\s*,\s*|\s*,?\s(?:{words_for('and')})\s)[0-9]{{1,2}})*)(?!\w|[.,][0-9]|\s*=)",
    re.IGNORECASE,
)


_SOME = rf"(?P<count>{words_for('count')}|[0-9]{{1,2}})"
_RELEVANT = re.compile(
    rf"(?:{_SOME}[*_]{{0,2}}\s(?:[^\W\d]+\s){{0,2}}{words_for('relevant')}"
    rf"|(?:relevant|num_rel|(?<![\w])R)\W{{1,6}}(?P<told>[0-9]{{1,2}})(?![\w.,]*[0-9]))",
    re.IGNORECASE,
)


def _relevant_in(plain: str) -> set[int]:
    """How many relevant documents a note says that there are.

    >>> sorted(_relevant_in("There are five relevant documents; R = 4"))
    [4, 5]
    """
    counts = (count_of(found["count"] or found["told"]) for found in _RELEVANT.finditer(plain))
    return {count for count in counts if count and 0 < count < 50}


def of_ranks(plain: str) -> Iterator[Candidate]:
    """The rankings whose relevant documents are told by their ranks.

    >>> [each.grades for each in of_ranks("The first relevant result is at rank 3, so RR = 0.33")]
    [(0.0, 0.0, 1.0)]
    """
    for found in _RANKS.finditer(plain):
        ranks = [int(each) for each in re.findall("[0-9]+", found["ranks"])]
        if min(ranks) > 0 and len(set(ranks)) == len(ranks):
            yield Candidate(found.start(), tuple(float(r + 1 in ranks) for r in range(max(ranks))), False, 1.0, True)


def _listings(reading: Reading) -> list[Listing]:
    plain, tables = reading.plain, reading.tables
    in_cells = [each for table in tables for each in rankings_in(table)]
    known = {key: grade for table in tables for key, grade in grades_by_id(table)}
    scale, worded = worded_listings(plain)
    found = [each for each in listings_of(plain, in_cells) if not (worded and within(each.start, scale))]
    scores = {tuple(sorted(each.grades)) for each in found if _is_scored(plain, each)}
    found = [
        *(each for each in found if _ranks_documents(plain, each) and tuple(sorted(each.grades)) not in scores),
        *worded,
        *itemized_listings(plain),
        *counted_listings(plain),
        *marked_listings(plain),
        *named_listings(plain, ids_of(plain) | known),
        *(listing for listing, _ in retrieved_listings(plain)),
        *(_as_headed(each, plain) for table in tables for each in _of_columns(table)),
        *signed_listings(plain),
    ]
    found = sorted((each for each in found if len(each.grades) <= MOST_GRADES), key=lambda each: each.start)
    return [each for each in found if not _are_gains(plain, each, found)]


def _of_columns(table: NoteTable) -> list[Listing]:
    """The rankings that are columns of a table; with a 0 at each rank that it leaves out."""
    kinds = [column_of(head) for head in table.header]
    ranks = ranks_of(table, kinds)
    found = listings_in(table)
    if not found and "grade" in kinds:
        numbers = table.numbers(kinds.index("grade"))
        told = [
            (rank, number.nearest_float) for rank, number in zip(ranks, numbers, strict=True) if number and rank > 0
        ]
        if len(told) > 1 and max(grade for _, grade in told) <= HIGHEST:
            ranks = [rank for rank, _ in told]
            found = [Listing(table.start, table.end, tuple(grade for _, grade in told), False)]
    if sorted(ranks) == list(range(1, len(ranks) + 1)) or max(ranks, default=0) > MOST_GRADES:
        return found
    return [_with_zeros(each, ranks) if len(each.grades) == len(ranks) and min(ranks) > 0 else each for each in found]


def _with_zeros(listing: Listing, ranks: Sequence[int]) -> Listing:
    at = dict(zip(ranks, listing.grades, strict=True))
    return replace(listing, grades=tuple(at.get(rank, 0.0) for rank in range(1, max(ranks) + 1)))


_SIGNED = re.compile(r"(?<![\w|+-])[+-]{4,100}(?![\w|+-])")


def signed_listings(plain: str) -> Iterator[Listing]:
    """The rankings that a plus or a minus draws for each document.

    >>> [each.grades for each in signed_listings("q1 +-+- ----")]
    [(1.0, 0.0, 1.0, 0.0)]
    """
    for found in _SIGNED.finditer(plain):
        if "+" in found[0]:
            yield Listing(*found.span(), tuple(float(sign == "+") for sign in found[0]), False)


def _as_headed(listing: Listing, text: str) -> Listing:
    """The grades of a table, called the best order if the line above the table calls them so, and they fall."""
    above = text[max(0, listing.start - 200) : listing.start].rstrip().rpartition("\n")[2]
    return replace(listing, ideal=listing.ideal or (falls(listing.grades) and says("ideal", above)))


def _ranks_documents(text: str, listing: Listing) -> bool:
    """Whether a list is one of grades, and not the scale that they are taken from."""
    before = text[max(0, listing.start - 12) : listing.start]
    within = 2 < len(listing.grades) <= MOST_GRADES and not (max(listing.grades) > 1 and _has_odd_decimals(listing))
    ranks = all(listing.grades) and len({*listing.grades}) == len(listing.grades)
    forms = (_MEMBER, _RUNNING, _PLACES) if ranks else (_MEMBER, _RUNNING)
    return within and not any(form.search(before) for form in forms)


def _is_scored(text: str, listing: Listing) -> bool:
    """Whether a list is one of the scores of a model, by which the documents are put in order."""
    announced = _SCORES.search(text, max(0, listing.start - 40), listing.start)
    return announced is not None and any(grade % 1 for grade in listing.grades)


def _has_odd_decimals(listing: Listing) -> bool:
    """Whether some numbers of a list are no grades, which are whole or halves."""
    return any(2 * grade % 1 for grade in listing.grades)


def _are_gains(text: str, listing: Listing, lists: Sequence[Listing]) -> bool:
    """Whether a list is of numbers that are said to be gains, and is those of a list before it."""
    announced = _GAINS.search(text[max(0, listing.start - 40) : listing.start])
    if not announced or not any(map(str.isdigit, text[listing.start : listing.end])):
        return False
    before = [each.grades for each in lists if each.end <= listing.start][-LISTS_BEFORE:]
    return any(listing.grades == tuple(gains_of(grades, EXPONENTIAL)[: len(listing.grades)]) for grades in before)


def _with_ideals(lists: Sequence[Listing]) -> list[Listing]:
    """The lists, the best order of the ranking before it being called so, whatever the note says of it."""
    found: list[Listing] = []
    orders = {each.grades for each in lists if falls(each.grades)}
    for each in lists:
        before = [other.grades for other in found[-LISTS_BEFORE:] if not other.ideal and not falls(other.grades)]
        best = any(_is_best_order(each.grades, grades, orders) for grades in before)
        found.append(replace(each, ideal=True) if best else each)
    return found


def _is_best_order(grades: Sequence[float], ranking: Sequence[float], orders: Collection[tuple[float, ...]]) -> bool:
    """Whether grades are the best order of a ranking, or of its best.

    Or meant to be, with the best ones first, where none of the orders of the note is the best one.
    """
    best = sorted(ranking, reverse=True)
    meant = sorted(grades, reverse=True) == best and list(grades[:2]) == best[:2] != list(ranking[:2])
    return (meant and tuple(best) not in orders) or list(grades) == best[: len(grades)]


def hypotheses_of(
    reading: Reading, told: Grades | None, convention: Convention | None, base: float = 2.0
) -> list[Hypothesis]:
    """The hypotheses that the lists and the sums of a note make."""
    user = user_in(reading.plain)
    found: dict[tuple[Grades, Grades, Convention], Hypothesis] = {}
    stated = shown(reading.plain)
    conventions = CONVENTIONS if convention is None else ((convention, 0.0),)
    pool = [Candidate(0, told)] if told is not None else candidates_of(reading)
    pools = [judged for _, judged in retrieved_listings(reading.plain)] if told is None else []
    pools += [(1.0,) * count for count in _relevant_in(reading.plain)]
    given = {(each.ranking, each.judged or each.ranking) for each in reading.singles if each.ranking is not None}
    for one, price in conventions:
        one = replace(one, base=base) if base != 2.0 and convention is None else one
        cost = price
        if stated and convention is None:
            cost = 0.0 if (str(one.gain), str(one.discount)) in stated else limit.STATED + price
        own = [*pool, *(_inferred(reading, one) if told is None else ())]
        orders = {each.grades for each in own if each.ideal}
        rankings = [
            replace(each, cost=each.cost + 1.5) if each.grades in orders else each for each in own if not each.ideal
        ]
        rankings = _distinct(rankings or own)[:MOST_LISTS]
        ideals = _distinct([*(each for each in own if each.ideal), *(Candidate(0, pool_) for pool_ in pools)])[
            :MOST_LISTS
        ]
        found[(), (), one] = Hypothesis((), (), one, 0, cost + limit.INFERRED, inferred=True)
        for grades, judged in given:
            if (
                grades is not None
                and judged is not None
                and (grades, tuple(sorted(judged, reverse=True)), one) not in found
            ):
                with suppress(ValueError, OverflowError):
                    made = Hypothesis(grades, judged, one, 0, cost + 1.0, user=user)
                    made.columns  # noqa: B018 - a grade may have no gain
                    found[grades, tuple(sorted(judged, reverse=True)), one] = made
        for each in rankings:
            for judged, more in [*_judged(each, ideals), *_beside(each, reading.plain)]:
                key = (each.grades, tuple(sorted(judged, reverse=True)), one)
                if key in found and found[key].cost <= cost + each.cost + more:
                    continue
                try:
                    made = Hypothesis(
                        each.grades,
                        judged,
                        one,
                        each.place,
                        cost + each.cost + more,
                        told is not None,
                        each.cost >= limit.INFERRED or each.inferred,
                        user,
                    )
                    made.columns  # noqa: B018 - a grade may have no gain
                except (ValueError, OverflowError):
                    continue
                found[key] = made
    return list(found.values())


def _distinct(candidates: Sequence[Candidate]) -> list[Candidate]:
    found: dict[Grades, Candidate] = {}
    for each in candidates:
        if each.grades not in found or found[each.grades].cost > each.cost:
            found[each.grades] = each
    return list(found.values())


def _judged(ranking: Candidate, ideals: Sequence[Candidate]) -> Iterator[tuple[Grades, float]]:
    """The judged grades that there may be, each with its cost."""
    yield ranking.grades, 0.0
    best = sorted(ranking.grades, reverse=True)
    for ideal in ideals:
        order = sorted(ideal.grades, reverse=True)
        other = order[: len(best)] != best[: len(order)] or len(order) > len(best)
        if other and not Counter(grade for grade in best if grade) - Counter(order):
            yield ideal.grades, limit.JUDGED


def relevant_in_line(plain: str, place: int) -> int | None:
    """How many relevant documents the line of a place says that there are."""
    begin, end = plain.rfind("\n", 0, place) + 1, plain.find("\n", place)
    found = _RELEVANT.search(plain, begin, end if end >= 0 else len(plain))
    return count_of(found["count"] or found["told"]) if found else None


def _beside(ranking: Candidate, plain: str) -> Iterator[tuple[Grades, float]]:
    """As many relevant documents as a whole number in the line of a ranking of zeros and ones may say."""
    if set(ranking.grades) - {0.0, 1.0} or ranking.cost:
        return
    begin, end = plain.rfind("\n", 0, ranking.place) + 1, plain.find("\n", ranking.place)
    for found in re.findall(r"(?<![\w.,@+-])[1-9][0-9]?(?![\w.,%])", plain[begin : end if end >= 0 else len(plain)]):
        if int(found) > sum(ranking.grades):
            yield (1.0,) * int(found), limit.JUDGED


def _inferred(reading: Reading, convention: Convention) -> Iterator[Candidate]:
    """The rankings that the printed terms of sums show."""
    for line in reading.lines:
        if line.name.quantity not in ("DCG", "IDCG", None) or line.name.mean:
            continue
        for side in line.sides:
            terms = side.terms
            if (
                len(terms) > 2
                and all(term.number is not None for term in terms)
                and any(term.number is not None and term.number.unit < 1 for term in terms)
            ):
                grades = grades_of([term.number for term in terms if term.number is not None], convention)
                if grades and any(grades) and max(grades) <= HIGHEST:
                    ideal = line.name.quantity == "IDCG" or (line.name.quantity is None and falls(grades))
                    yield Candidate(side.part.start, grades, ideal, limit.INFERRED, True)
