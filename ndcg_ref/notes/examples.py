"""The worked examples of a note: the rankings, and the numbers that it states about them."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TypeVar

from ndcg_ref.convention import EXPONENTIAL
from ndcg_ref.notes.calls import CALL, called_in
from ndcg_ref.notes.claims import Claim, claims_of, counts
from ndcg_ref.notes.columns import columns_of, grades_by_id, listings_in
from ndcg_ref.notes.crossed import crossed_in, printed_columns, rankings_in
from ndcg_ref.notes.formulas import shown
from ndcg_ref.notes.grades import (
    Listing,
    Worked,
    counted_listings,
    ids_of,
    itemized_listings,
    listings_of,
    marked_listings,
    named_listings,
    retrieved_listings,
    worked,
)
from ndcg_ref.notes.islands import LONGEST_LABEL, Chain, Part, chains_of, plain_text, readable_text
from ndcg_ref.notes.names import Names, names_in
from ndcg_ref.notes.patterns import lazy_pattern
from ndcg_ref.notes.sentences import alone_in, bare_in, named_in, percentages_in
from ndcg_ref.notes.tables import Table, table_of_series, tables_of
from ndcg_ref.notes.users import User, user_in
from ndcg_ref.notes.words import cutoff_before, quantity_of, says, words_for
from ndcg_ref.plain import gains

_RUNNING = lazy_pattern(r"CG\W{0,6}$")  # the values of a measure by rank, as in CG = 2, 5, 5
GAIN = "2^grade - 1"  # the heading of gains that stand in a row
BEFORE = 250  # characters before a result that may tell its cutoff
NEAR = 20  # lists before one that may be the best order of one of them
MOST_GRADES = 200
MOST_NUMBERS = 10_000  # which a whole book does not state
_SCORES = lazy_pattern(
    r"(?:score|pred|prob)\w{0,10}\W{0,3}[=:]\s*(?:[\w.]{1,20}\()?\W{0,2}$", re.IGNORECASE
)  # of a model
_SENTENCE_END = lazy_pattern(r"[.!?]\s|\n\s*\n")
_TEST = lazy_pattern(r"^[ \t]*(?:async )?def test\w*\(", re.MULTILINE)  # a test works an example of its own
_MEMBER = lazy_pattern(r"(?:∈|\\in|between|from|scale|out of|for\s\w{1,5}\sin)\W*$")
_PLACES = lazy_pattern(rf"{words_for('rank')}\W*$", re.IGNORECASE)  # the ranks of some documents
_GAINS = lazy_pattern(r"gain\w*\W{1,3}(?:\w+\W{1,3}){0,3}$", re.IGNORECASE)

Thing = TypeVar("Thing")


@dataclass(frozen=True)
class Example:
    """What belongs together: rankings, and the claims about them.

    Parameters
    ----------
    rankings : tuple of tuple of float
        The grades that may be those of the ranking, the likeliest first.
    ideals : tuple of tuple of float
        The grades that the note calls the best order.
    worked : tuple of Worked
        The sums over ranks that it writes in symbols.
    claims : tuple of Claim
        In the order of the text.
    columns : tuple of tuple of Claim
        Those that are the columns of tables.
    alone : tuple of Claim
        The numbers with many digits that nothing names, such as the output of a cell.
    shown : frozenset of (str, str)
        Gain and discount of the formulas that the note shows.
    pooled : bool
        Whether it tells of judged documents that the ranking does not hold.
    user : User
        What the note says of the user who goes down a ranking, as ERR and RBP see one.
    """

    rankings: tuple[tuple[float, ...], ...]
    ideals: tuple[tuple[float, ...], ...]
    worked: tuple[Worked, ...]
    claims: tuple[Claim, ...]
    columns: tuple[tuple[Claim, ...], ...] = ()
    alone: tuple[Claim, ...] = ()
    shown: frozenset[tuple[str, str]] = frozenset()
    pooled: bool = False
    user: User = field(default_factory=User)


def examples_of(text: str, log_base: float = 2.0, code: Sequence[range] = ()) -> list[Example]:
    """The examples of a region, in order; its code tells grades and formulas, and states nothing.

    >>> example, = examples_of("Grades [3, 0, 2]: DCG@3 = 3 + 0 + 1 = 4.00")
    >>> example.rankings, [(claim.number.text, claim.quantity) for claim in example.claims]
    (((3.0, 0.0, 2.0),), [('3', 'DCG'), ('0', 'DCG'), ('1', 'DCG'), ('4.00', 'DCG')])
    """
    text = readable_text(text)
    plain = plain_text(text)
    chains = [each for each in chains_of(plain, log_base) if not _within(each.start, code)]
    tables = [each for each in tables_of(text) if not _within(each.start, code)]
    in_rows = [each for table in tables for each in rankings_in(table)]
    lists = listings_of(plain, in_rows)
    scores = {tuple(sorted(each.grades)) for each in lists if _is_scored(plain, each)}
    lists = [each for each in lists if _ranks_documents(plain, each) and tuple(sorted(each.grades)) not in scores]
    known = {key: grade for table in tables for key, grade in grades_by_id(table)}
    retrieved = retrieved_listings(plain)
    lists += [
        *itemized_listings(plain),
        *counted_listings(plain),
        *marked_listings(plain),
        *named_listings(plain, ids_of(plain) | known),
        *(listing for listing, _ in retrieved),
        *(_as_headed(each, plain) for table in tables for each in listings_in(table)),
    ]
    lists = sorted((each for each in lists if len(each.grades) <= MOST_GRADES), key=lambda each: each.start)
    found: list[Example] = []
    numbers = 0
    series = [each for each in lists if _are_gains(plain, each, lists)]
    tables += [table_of_series(text, each.start, each.end, GAIN) for each in series]
    lists = _with_ideals([each for each in lists if each not in series])
    formulas = frozenset(shown(plain))
    user = user_in(plain)
    names = names_in(plain, lists, tables)
    called = list(called_in(plain))
    calls = list(CALL.finditer(plain))
    tests = [0, *(each.start() for each in _TEST.finditer(plain) if each.start()), len(text)]
    spans = [span for edges in pairwise(tests) for span in _spans(lists, chains, calls, edges)]
    ends = [last for _, last in spans]
    taken = bytearray(len(plain) + 1)  # by calls and their results
    for start, end in [*(call.span() for call in calls), *((claim.start, claim.end) for claim in called)]:
        taken[start:end] = b"1" * (end - start)
    # Each thing goes to its example at once: looking for those of each example would take time that grows as a square
    chains_in = _by_example(ends, ((each.start, each) for each in chains))
    tables_in = _by_example(ends, ((place, each) for each in tables for place in (each.start, each.end - 1)))
    pools_in = _by_example(ends, ((listing.start, pool) for listing, pool in retrieved))
    called_by = _by_example(ends, ((claim.start, claim) for claim in called))
    lists_in = _by_example(ends, ((each.start, each) for each in lists))
    for i, (first, last) in enumerate(spans):
        within = list({id(each): each for each in tables_in[i]}.values())
        stated = (claim for claim in claims_of(chains_in[i], lists_in[i], plain, names) if not taken[claim.start])
        claims_in = [*called_by[i], *stated]
        example = _example(plain[first:last], first, lists_in[i], chains_in[i], within, claims_in, names)
        ideals = tuple(dict.fromkeys([*pools_in[i], *example.ideals]))
        claims, alone = (
            tuple(claim for claim in each if not _within(claim.start, code)) for each in (example.claims, example.alone)
        )
        found.append(replace(example, ideals=ideals, claims=claims, alone=alone, shown=formulas, user=user))
        numbers += len(claims)
        if numbers > MOST_NUMBERS:
            raise ValueError(f"expected a note of at most {MOST_NUMBERS} stated numbers, found more (is this data?)")
    return found


def _as_headed(listing: Listing, text: str) -> Listing:
    """The grades of a table, called the best order if the line above the table calls them so, and they fall."""
    above = text[max(0, listing.start - LONGEST_LABEL) : listing.start].rstrip().rpartition("\n")[2]
    return replace(listing, ideal=listing.ideal or (falls(listing.grades) and says("ideal", above)))


def _by_example(ends: Sequence[int], things: Iterable[tuple[int, Thing]]) -> dict[int, list[Thing]]:
    """The things of each example, by their places; what stands behind the last example belongs to none."""
    found: dict[int, list[Thing]] = defaultdict(list)
    for place, thing in things:
        found[bisect_right(ends, place)].append(thing)
    return found


def _within(place: int, spans: Sequence[range]) -> bool:
    """Whether a place is in one of the spans, which are in order."""
    before = bisect_right(spans, place, key=lambda span: span.start)
    return before > 0 and place in spans[before - 1]


def _ranks_documents(text: str, listing: Listing) -> bool:
    """Whether a list is one of grades, and not the scale that they are taken from."""
    before = text[max(0, listing.start - 12) : listing.start]
    within = 2 < len(listing.grades) <= MOST_GRADES and not (max(listing.grades) > 1 and _has_odd_decimals(listing))
    return within and not any(form.search(before) for form in (_MEMBER, _RUNNING, _PLACES))


def _is_scored(text: str, listing: Listing) -> bool:
    """Whether a list is one of the scores of a model, by which the documents are put in order."""
    announced = _SCORES.search(text, max(0, listing.start - 40), listing.start)
    return announced is not None and any(grade % 1 for grade in listing.grades)


def _has_odd_decimals(listing: Listing) -> bool:
    """Whether some numbers of a list are no grades, which are whole or halves."""
    return any(2 * grade % 1 for grade in listing.grades)


def _are_gains(text: str, listing: Listing, lists: Sequence[Listing]) -> bool:
    """Whether a list is said to be gains, and is those of a list before it."""
    if not _GAINS.search(text[max(0, listing.start - 40) : listing.start]):
        return False
    before = [each.grades for each in lists if each.end <= listing.start][-NEAR:]
    return any(listing.grades == tuple(gains(grades, EXPONENTIAL)[: len(listing.grades)]) for grades in before)


def _spans(
    lists: Sequence[Listing], chains: Sequence[Chain], calls: Sequence[re.Match[str]], edges: tuple[int, int]
) -> Iterator[tuple[int, int]]:
    """Where each example between two places begins and ends: a new ranking behind results before it opens another."""
    starts, grades, worked_at = [edges[0]], None, -1
    results = sorted(chain.end for chain in chains if _quantity(chain) is not None and _numbers(chain))  # no formula
    for each in lists:
        if not edges[0] <= each.start < edges[1]:
            continue
        done = bisect_right(results, worked_at) < bisect_right(results, each.start)
        others = not each.ideal and grades is not None and each.grades != grades
        if others and done and not (grades and sorted(each.grades) == sorted(grades) and falls(each.grades)):
            starts.append(_begin(each.start, calls))
            worked_at = each.start
        if not each.ideal:
            grades = each.grades if grades is None or worked_at == each.start else grades
    yield from pairwise([*starts, edges[1]])


def _begin(place: int, calls: Sequence[re.Match[str]]) -> int:
    """Where the call begins in which a list stands, or the list."""
    before = bisect_right(calls, place, key=lambda call: call.start())
    return calls[before - 1].start() if before and place < calls[before - 1].end() else place


def _with_ideals(lists: Sequence[Listing]) -> list[Listing]:
    """The lists, the best order of the ranking before it being called so, whatever the note says of it."""
    found: list[Listing] = []
    orders = {each.grades for each in lists if falls(each.grades)}
    for each in lists:
        before = [other.grades for other in found[-NEAR:] if not other.ideal and not falls(other.grades)]
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


def _moved(claims: Sequence[Claim], by: int) -> list[Claim]:
    return [replace(claim, start=claim.start + by, end=claim.end + by) if by else claim for claim in claims]


def _with_names(claims: Sequence[Claim], named: dict[int, Claim]) -> list[Claim]:
    """The claims, those behind which the name of a ranking stands with this ranking, and those found by such names."""
    found = [
        replace(each, ranking=named[each.start].ranking) if each.start in named and not each.cell else each
        for each in claims
    ]
    taken = {each.start for each in claims}
    return found + [each for start, each in named.items() if start not in taken]


def _with_cutoffs(text: str, first: int, claims: Sequence[Claim]) -> list[Claim]:
    """The claims in order, a result with the cutoff that the words before it tell, unless its own name does."""
    found: list[Claim] = []
    for claim in claims:
        if not (claim.k or claim.quantity is None or claim.called or claim.term or claim.cell):
            place = claim.start - first
            k = cutoff_before(text[max(0, place - BEFORE) : place])
            before = found[-1] if found and claim.bare else None
            if k is None and before and before.k and not _SENTENCE_END.search(text, before.end - first, place):
                k = before.k
            claim = replace(claim, k=k)
        found.append(claim)
    return found


def falls(grades: Sequence[float]) -> bool:
    """Whether each grade is at most the one before."""
    return list(grades) == sorted(grades, reverse=True)


def _quantity(chain: Chain) -> str | None:
    found = quantity_of(chain.label)
    return found and found[0]


def _numbers(chain: Chain) -> list[Part]:
    return [part for part in chain.parts if part.side and part.side.number and not counts(chain, part)]


def _example(
    text: str,
    first: int,
    lists: Sequence[Listing],
    chains: Sequence[Chain],
    tables: Sequence[Table],
    claims: list[Claim],
    names: Names,
) -> Example:
    """An example from what stands in its text, which begins at a place of the region."""
    sums = [(chain, found) for chain in chains for part in chain.parts if part.side and (found := worked(part.side))]
    rankings = [each.grades for each in lists if not each.ideal]
    ideals = [each.grades for each in lists if each.ideal]
    for chain, found in sums:
        if len(found.gains) > 2:
            named = quantity_of(chain.label)
            (ideals if named and named[0] == "IDCG" else rankings).append(found.grades)
    crossed = [crossed_in(table, names) for table in tables]
    printed = [_moved(column, first) for column in printed_columns(text, names)]
    columns = [tuple(column) for column in printed]
    inside = [column[0].start for column in columns]
    others = [table for table, cells in zip(tables, crossed, strict=True) if not cells]
    others = [table for table in others if not any(table.start <= each < table.end for each in inside)]
    columns += columns_of(others, names, len(columns))
    claims += [claim for column in columns for claim in column]
    claims += [claim for cells in crossed for claim in cells]
    near = _moved(claims, -first)
    starts = [0, *(each.start for each in lists)]
    for bare in bare_in(text, near):
        since = starts[bisect_left(starts, first + bare.start) - 1]
        near.append(replace(bare, ranking=names.before(first + bare.start, since)))
    near = _with_names(near, {each.start: each for each in named_in(text, names)})
    near += percentages_in(text, near)
    claims = _with_cutoffs(text, first, sorted(_moved(near, first), key=lambda claim: claim.start))
    return Example(
        tuple(dict.fromkeys(rankings)),
        tuple(dict.fromkeys(ideals)),
        tuple(found for _, found in sums),
        tuple(claims),
        tuple(columns),
        tuple(_moved(list(alone_in(text, near))[:MOST_GRADES], first)),
        pooled=says("pool", text),
    )
