"""The worked examples of a note: the rankings, and the numbers that it states about them."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, pairwise
from typing import TypeVar

from ndcg_ref.conventions.convention import EXPONENTIAL
from ndcg_ref.notes.calls import CALL, called_in
from ndcg_ref.notes.claims import NoteClaim, claims_of, counts, is_bare_total
from ndcg_ref.notes.columns import columns_of, listings_in
from ndcg_ref.notes.crossed import crossed_in, printed_columns, rankings_in
from ndcg_ref.notes.grades import falls, gains_of, worked
from ndcg_ref.notes.islands import LONGEST_LABEL, Chain, Part, chains_of, plain_text, readable_text
from ndcg_ref.notes.lists import Listing, listings_of, marked_listings, worded_listings
from ndcg_ref.notes.names import Names, names_in
from ndcg_ref.notes.relations import workings_in
from ndcg_ref.notes.sentences import bare_in, of_orders_in, percentages_in
from ndcg_ref.notes.tables import NoteTable, table_of_series, tables_of
from ndcg_ref.notes.users import User, user_in
from ndcg_ref.notes.words import cutoff_before, quantity_of, says, words_for
from ndcg_ref.notes.written_formulas import named, shown

_RUNNING = re.compile(r"CG\W{0,6}$")  # the values of a measure by rank, as in CG = 2, 5, 5
GAIN = "2^grade - 1"  # the heading of gains that stand in a row
BEFORE = 250  # characters before a result that may tell its cutoff
LISTS_BEFORE = 20  # lists before one that may be the best order of one of them
MOST_GRADES = 200
MOST_CELLS = 600  # of the tables of an example, by which its columns are compared
_SENTENCE_END = re.compile(r"[.!?]\s|\n\s*\n")
_MEMBER = re.compile(r"(?:∈|\\in|between|from|scale|out of|for\s\w{1,5}\sin)\W*$")
_PLACES = re.compile(rf"{words_for('rank')}\W*$", re.IGNORECASE)  # the ranks of some documents
_GAINS = re.compile(r"gain\w*\W{1,4}(?:\w+\W{1,4}){0,5}$", re.IGNORECASE)

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
    claims : tuple of NoteClaim
        In the order of the text.
    columns : tuple of tuple of NoteClaim
        Those that are the columns of tables.
    shown : frozenset of (str, str)
        Gain and discount of the formulas that the note shows.
    pooled : bool
        Whether it tells of judged documents that the ranking does not hold.
    user : User
        What the note says of the user who goes down a ranking, as ERR and RBP see one.
    tables : tuple of NoteTable
        Its tables.
    """

    rankings: tuple[tuple[float, ...], ...]
    ideals: tuple[tuple[float, ...], ...]
    claims: tuple[NoteClaim, ...]
    columns: tuple[tuple[NoteClaim, ...], ...] = ()
    shown: frozenset[tuple[str, str]] = frozenset()
    pooled: bool = False
    user: User = field(default_factory=User)
    tables: tuple[NoteTable, ...] = ()


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
    lists = _lists_in(plain, tables)
    series = [each for each in lists if _are_gains(plain, each, lists)]
    tables += [table_of_series(text, each.start, each.end, GAIN) for each in series]
    lists = [each for each in lists if each not in series]
    names = names_in(plain, lists)
    calls = [range(*call.span()) for call in CALL.finditer(plain)]
    called = list(called_in(plain))
    taken = sorted([*calls, *(range(claim.start, claim.end) for claim in called)], key=lambda each: each.start)
    # Each thing goes to its example at once: looking for those of each example would take time that grows as a square
    spans = _spans(plain, lists, chains)
    ends = [last for _, last in spans]
    chains_in = _by_example(ends, ((each.start, each) for each in chains))
    tables_in = _by_example(ends, ((place, each) for each in tables for place in (each.start, each.end - 1)))
    called_by = _by_example(ends, ((claim.start, claim) for claim in called))
    lists_in = _by_example(ends, ((each.start, each) for each in lists))
    formulas, user = frozenset(shown(plain)), user_in(plain)
    found: list[Example] = []
    for i, (first, last) in enumerate(spans):
        within = list({id(each): each for each in tables_in[i]}.values())
        stated = claims_of(chains_in[i], lists_in[i])
        claims = [*called_by[i], *(claim for claim in stated if not _within(claim.start, taken))]
        example = _example(plain[first:last], first, lists_in[i], chains_in[i], within, claims, names)
        found.append(
            replace(
                example,
                claims=tuple(_of_quantity(plain, each) for each in example.claims if not _within(each.start, code)),
                columns=tuple(tuple(_of_quantity(plain, each) for each in column) for column in example.columns),
                shown=formulas,
                user=user,
                tables=tuple(within),
            )
        )
    return found


def _lists_in(text: str, tables: Sequence[NoteTable]) -> list[Listing]:
    """The lists of grades of a region, in order: those of its tables, and those of its text."""
    in_cells = [each for table in tables for each in rankings_in(table)]
    found = [
        *(each for each in listings_of(text, in_cells) if _ranks_documents(text, each)),
        *worded_listings(text),
        *marked_listings(text),
        *(_as_headed(each, text) for table in tables for each in listings_in(table)),
    ]
    return sorted((each for each in found if len(each.grades) <= MOST_GRADES), key=lambda each: each.start)


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
    ranks = all(listing.grades) and len({*listing.grades}) == len(listing.grades)
    forms = (_MEMBER, _RUNNING, _PLACES) if ranks else (_MEMBER, _RUNNING)
    return within and not any(form.search(before) for form in forms)


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


def _spans(text: str, lists: Sequence[Listing], chains: Sequence[Chain]) -> list[tuple[int, int]]:
    """Where each example begins and ends: a new ranking behind results opens another."""
    results = sorted(chain.end for chain in chains if _quantity(chain) is not None and _numbers(chain))  # no formula
    return list(pairwise([*_starts(lists, results), len(text)]))


def _starts(lists: Sequence[Listing], results: Sequence[int]) -> Iterator[int]:
    """Where the examples begin."""
    yield 0
    grades: tuple[float, ...] | None = None
    worked_at = -1
    for each in lists:
        done = bisect_right(results, worked_at) < bisect_right(results, each.start)
        others = not each.ideal and grades is not None and each.grades != grades
        if others and done and not (grades and sorted(each.grades) == sorted(grades) and falls(each.grades)):
            yield each.start
            worked_at = each.start
        if not each.ideal:
            grades = each.grades if grades is None or worked_at == each.start else grades


def _moved(claims: Sequence[NoteClaim], by: int) -> list[NoteClaim]:
    return [replace(claim, start=claim.start + by, end=claim.end + by) if by else claim for claim in claims]


def _with_relations(claims: Sequence[NoteClaim], tables: Sequence[NoteTable]) -> list[NoteClaim]:
    """The claims and those cells that nothing else makes one, with what their tables show them to be worked out of."""
    cells = accumulate(len(table.rows) * len(table.rows[0]) for table in tables)
    few = [table for table, until_here in zip(tables, cells, strict=True) if until_here <= MOST_CELLS]
    found = {cell.start: (cell, working) for table in few for cell, working in workings_in(table)}
    pairs = [(each, found.pop(each.start, None)) for each in claims]
    related = [
        replace(claim, related=own[1]) if own is not None and own[0].number == claim.number else claim
        for claim, own in pairs  # below a percent sign a number is another than its cell
    ]
    others = (NoteClaim(cell.start, cell.end, cell.number, related=own) for cell, own in found.values() if cell.number)
    return [*related, *others]


def _with_cutoffs(text: str, first: int, claims: Sequence[NoteClaim]) -> list[NoteClaim]:
    """The claims in order, a result with the cutoff that the words before it tell, unless its own name does."""
    found: list[NoteClaim] = []
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


def _as_said(text: str, first: int, claims: Sequence[NoteClaim]) -> Iterator[NoteClaim]:
    """The claims of sentences and lines with what their sentence says of the convention."""
    choices = list(named(text)) if any(claim.term is None for claim in claims) else []
    ends = [end for end, _ in choices]
    for claim in claims:
        total = is_bare_total(claim)
        place = (claim.start if total else claim.chain) - first
        if not choices or place < 0 or claim.called or claim.operand or claim.cell:
            yield claim
            continue
        near = [
            choice
            for end, choice in choices[bisect_left(ends, place - BEFORE) : bisect_right(ends, place)]
            if (total or isinstance(choice, str)) and not _SENTENCE_END.search(text, end, place)
        ]
        said = frozenset({isinstance(choice, str): choice for choice in near}.values())  # the last of each kind
        yield replace(claim, said=said, exact=None if said and total else claim.exact)


def _of_quantity(text: str, claim: NoteClaim) -> NoteClaim:
    """The claim of a result, whose bare 0 or 1 is exact for some quantities, unless it is said to be rounded."""
    rounded = claim.term is not None or text[max(0, claim.start - BEFORE) : claim.start].rstrip().endswith("≈")
    return claim if rounded else replace(claim, number=claim.number.of(claim.quantity or ""))


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
    tables: Sequence[NoteTable],
    claims: Sequence[NoteClaim],
    names: Names,
) -> Example:
    """An example from what stands in its text, which begins at a place of the region."""
    rankings = [each.grades for each in lists if not each.ideal]
    ideals = [each.grades for each in lists if each.ideal]
    for chain in chains:
        sums = [found for part in chain.parts if part.side and (found := worked(part.side))]
        (ideals if _quantity(chain) == "IDCG" else rankings).extend(each.grades for each in sums if len(each.gains) > 2)
    columns, crossed = _cells_in(text, first, tables, names)
    claims = _with_relations([*claims, *(claim for column in columns for claim in column), *crossed], tables)
    claims = _with_sentences(text, first, claims, lists)
    return Example(
        tuple(dict.fromkeys(rankings)),
        tuple(dict.fromkeys(ideals)),
        tuple(_as_said(text, first, _with_cutoffs(text, first, sorted(claims, key=lambda claim: claim.start)))),
        tuple(columns),
        pooled=says("pool", text),
    )


def _cells_in(
    text: str, first: int, tables: Sequence[NoteTable], names: Names
) -> tuple[list[tuple[NoteClaim, ...]], list[NoteClaim]]:
    """The columns of an example, as `Example.columns` has them, and the cells of tables with a ranking for each row."""
    columns = [tuple(_moved(column, first)) for column in printed_columns(text, names)]
    printed = [column[0].start for column in columns]
    crossed: list[NoteClaim] = []
    others = []
    for table in tables:
        cells = crossed_in(table, names)
        crossed += cells
        if not cells and not any(table.start <= each < table.end for each in printed):
            others.append(table)
    return columns + columns_of(others, names, len(columns)), crossed


def _with_sentences(text: str, first: int, claims: Sequence[NoteClaim], lists: Sequence[Listing]) -> list[NoteClaim]:
    """The claims with those of sentences."""
    near = _moved(claims, -first)
    near += bare_in(text, near)
    near += of_orders_in(text, [each.end - first for each in lists if each.ideal], near)
    near += percentages_in(text, near)
    return _moved(near, first)
