"""What a text states and tells: its numbers, each with its name and its working, its tables, and its lists.

A text is read once, from left to right; what its numbers are about is decided later, by `hypotheses` and `judging`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain, groupby, islice

from ndcg_ref.conventions.convention import EXPONENTIAL, STANDARD
from ndcg_ref.notes.calls import called_in
from ndcg_ref.notes.claims import NoteClaim, claims_of, is_result
from ndcg_ref.notes.documents import Region
from ndcg_ref.notes.grades import HIGHEST, divided, falls, gains_of, grades_of, worked
from ndcg_ref.notes.islands import Chain, chains_of
from ndcg_ref.notes.limits import MOST_CELLS, MOST_NUMBERS
from ndcg_ref.notes.lists import PrintedList, lists_in
from ndcg_ref.notes.measured import NOBODY, QUANTITIES
from ndcg_ref.notes.relations import workings_in
from ndcg_ref.notes.tables import NoteTable, tables_of
from ndcg_ref.notes.users import User
from ndcg_ref.notes.words import ENDS, QUANTITY_FORMS, column_of, cutoff_before, quantity_of, words_for
from ndcg_ref.stated.number import Number, read_number

LONGEST = 80  # characters before a number in which its name is
MOST_GRADES = 200
LEAST_TERMS = 2
CUTOFF = re.compile(r"\W*(?:@|k\s*=|top|first)\s*-?([0-9]{1,4})\W*", re.IGNORECASE)
_RANK = re.compile(r"\D{0,3}([0-9]{1,4})(?![0-9.])\D{0,20}")
Named = tuple[str, int | None]  # a quantity and its cutoff
_NUMBER = re.compile(rf"(?<![\w.,])[0-9]{{1,5}}\.[0-9]{{1,17}}(?:{ENDS}|(?=\s*\\?%))")
_PERCENT = re.compile(r"\s*\\?%")
_WORKS = re.compile(r"(?:[-+*/×·÷^]|\}\s*\{|frac\s*\{)\s*$")  # before a number that is worked with
_WORKED = re.compile(r"\s*(?:[-+*/×·÷^]|\}\s*\{)")  # and behind one
_GAP = r"[\s*:\uff1a`$~≈|]++"
_LINKED = re.compile(  # a quantity and the words that say that a number is its value
    rf"(?<![^\W_])(?:{'|'.join(QUANTITY_FORMS.values())})"
    rf"(?:\s*@\s*[0-9]+|[}}\s]?_\{{?[0-9]+\}}?|\s{words_for('at')}\s+[0-9]+)?{_GAP}(?:{words_for('link')}{_GAP}){{0,5}}$"
    r"|\n[ \t>]*\w+[ \t]+\S{1,20}[ \t]+$",  # a line of trec_eval: the measure, the query
    re.IGNORECASE,
)
_IN_WORDS = {  # of a sentence that names a quantity without its symbol
    quantity: re.compile(
        rf"{words}(?:[\s*]+(?:{words_for('link')}|has|comes|to|as|from|list|order))*[\s*$]*$", re.IGNORECASE
    )
    for quantity, words in (("IDCG", words_for("ideal")), ("NDCG", r"\b(?:ratio|quotient)"))
}
_JOINED = re.compile(rf"[^.;:=|0-9]{{0,30}}(?:,|{words_for('and')}|against|versus)[^.;:=|0-9]{{0,30}}", re.IGNORECASE)
_BREAK = (
    re.compile(  # a line that is not ended by a mark goes on where the next one begins with a number or a small letter
        r"[|;]|[.!?]\s|:\s(?=\S)|[0-9]\.[0-9]+|\n(?![ \t*$`]*(?:[a-z0-9]|\Z))|(?<![a-z,])\s*\n"
    )
)


@dataclass(frozen=True)
class Facts:
    """What a text states and tells.

    Parameters
    ----------
    text : str
        The text, with its markup blank.
    claims : sequence of NoteClaim
        Its numbers, in order.
    lists : sequence of PrintedList
        The lists that may be rankings.
    heads : mapping of int to (str, int or None)
        The quantities that the headings of tables name, by the places of the cells.
    formulas : mapping of (str, str) to int
        The pairs of gain and discount that formulas show, and where.
    user : User
        What it says of the user who goes down a ranking.
    """

    text: str
    claims: Sequence[NoteClaim]
    lists: Sequence[PrintedList]
    heads: Mapping[int, Named]
    formulas: Mapping[tuple[str, str], int]
    user: User = NOBODY


def facts_in(
    region: Region, formulas: Mapping[tuple[str, str], int], user: User = NOBODY, log_base: float = 2.0
) -> Facts:
    """What the text of a region states and tells; its code tells grades and formulas, and states nothing.

    >>> facts = facts_in(Region("Grades [3, 0, 2]: DCG@3 = 3 + 0 + 1 = 4.00", range(43)), {})
    >>> facts.lists[0].grades, [(claim.number.text, claim.quantity) for claim in facts.claims]
    ((3.0, 0.0, 2.0), [('3', 'DCG'), ('0', 'DCG'), ('1', 'DCG'), ('4.00', 'DCG')])
    """
    text = region.plain
    tables = [each for each in tables_of(region.readable) if not region.is_code(each.start)]
    chains = [each for each in chains_of(text, log_base) if not region.is_code(each.start)]
    claims = {claim.start: claim for claim in chain(_cells(tables), claims_of(chains), called_in(text))}
    heads = dict(_headed(text, tables))
    for claim in _others(text, heads, claims):
        claims[claim.start] = claim
    claims = {place: _with_cutoff(claim, text) for place, claim in claims.items()}
    found = [_of_quantity(claims[start], text) for start in sorted(claims) if not region.is_code(start)]
    return Facts(text, found, _lists(text, tables, chains, found), heads, formulas, user)


def _of_quantity(claim: NoteClaim, text: str) -> NoteClaim:
    """The claim of a result, whose bare 0 or 1 is exact for some quantities, unless it is said to be rounded."""
    is_rounded = claim.term is not None or text[: claim.start].rstrip().endswith("≈")
    return claim if is_rounded else replace(claim, number=claim.number.of(claim.quantity or ""))


def _with_cutoff(claim: NoteClaim, text: str) -> NoteClaim:
    """The claim of a result with the cutoff that the words before it tell, unless its own name does."""
    if claim.k or claim.quantity is None or claim.ranking is not None or not is_result(claim):
        return claim
    return replace(claim, k=cutoff_before(text[max(0, claim.start - LONGEST) : claim.start]))


def _cells(tables: Sequence[NoteTable]) -> Iterator[NoteClaim]:
    """The cells with what their tables show them to be worked out of, and those that nothing else makes a claim."""
    counts = accumulate(len(table.rows) * len(table.rows[0]) for table in tables)
    few = [table for table, count in zip(tables, counts, strict=True) if count <= MOST_CELLS]
    found = {cell.start: (cell, working) for table in few for cell, working in workings_in(table)}
    for claim in _columns(tables):
        cell, working = found.pop(claim.start, (None, None))
        yield replace(claim, related=working) if cell is not None and cell.number == claim.number else claim
    for cell, working in found.values():
        if cell.number is not None:
            yield NoteClaim(cell.start, cell.end, cell.number, related=working)


def _columns(tables: Sequence[NoteTable]) -> Iterator[NoteClaim]:
    """The numbers of columns, without those of ranks and grades; each claim has the number of its column."""
    column = 0
    for table in tables:
        heads = table.header or ("",) * max(map(len, table.rows))
        kinds = [column_of(head) for head in heads]
        ranks = _ranks(table, kinds)
        for i, head in enumerate(heads):
            if kinds[i] in ("rank", "id", "grade"):
                continue
            column += 1
            quantity = (quantity_of(head) or (None,))[0]
            cells = [(cell, rank) for cell, rank in zip(table.column(i), ranks, strict=True) if cell and rank]
            for cell, rank in cells:
                if cell.number is not None:
                    yield NoteClaim(cell.start, cell.end, cell.number, head, quantity, cell=(column, rank))


def _ranks(table: NoteTable, kinds: Sequence[str | None]) -> list[int]:
    """The rank of each row: as its column of ranks or of cutoffs says, or by counting; 0 for a row that has none."""
    texts = table.texts(kinds.index("rank") if "rank" in kinds else 0)
    for form, several in ((CUTOFF, all), (_RANK, any)):
        found = [form.fullmatch(text) for text in texts]
        if several(found) and (form is CUTOFF or "rank" in kinds):
            return [int(each[1]) if each else 0 for each in found]
    return [*range(1, len(table.rows) + 1)]


def _headed(text: str, tables: Sequence[NoteTable]) -> Iterator[tuple[int, Named]]:
    """The quantities of cells, by the heading of their column, the first cell of their row, or the line above all."""
    for table in tables:
        columns = [_heading(head) for head in table.header]
        cutoffs = [CUTOFF.fullmatch(head) for head in table.header]
        above = None if any(columns) else _heading(text[: table.start].rstrip().rpartition("\n")[2])
        for row in table.rows:
            first = _heading(row[0].text) or (above if row[0].number is None else None)
            for i, cell in enumerate(row):
                found = (columns[i] if i < len(columns) else None) or (first if i else None)
                if cell.number is None or found is None:
                    continue
                cutoff = cutoffs[i] if i < len(cutoffs) and found[1] is None else None
                yield cell.start, (found[0], int(cutoff[1])) if cutoff else found


def _heading(text: str) -> Named | None:
    found = quantity_of(text)
    return found[:2] if found is not None and found[0] in QUANTITIES else None


def decimals_in(text: str) -> Iterator[tuple[int, int, Number]]:
    """The decimal numbers and percentages of a text, each with where it begins and ends.

    >>> [number.text for _, _, number in decimals_in("0.95 in version 2.3.1, or 95.1 %")]
    ['0.95', '95.1%']
    """
    for found in _NUMBER.finditer(text):
        sign = _PERCENT.match(text, found.end())
        yield found.start(), sign.end() if sign else found.end(), read_number(found[0] + ("%" if sign else ""))


def _others(text: str, heads: Mapping[int, Named], known: Mapping[int, NoteClaim]) -> Iterator[NoteClaim]:
    """The decimals that no equation, call or table states, with the quantities that the words before them name."""
    last: NoteClaim | None = None
    for start, end, number in islice(decimals_in(text), MOST_NUMBERS):
        if start in known:
            last = known[start]
            continue
        claim = _other(text, NoteClaim(start, end, number, text[max(0, start - LONGEST) : start]), heads)
        is_joined = last is not None and claim.quantity is None and _JOINED.fullmatch(text, last.end, start)
        if last is not None and is_joined and last.quantity in QUANTITIES and is_result(last):
            claim = replace(claim, quantity=last.quantity, k=last.k, sure=last.sure, is_loose=True)
        last = claim
        yield claim


def _other(text: str, claim: NoteClaim, heads: Mapping[int, Named]) -> NoteClaim:
    """A decimal with the quantity that its heading or the words before it name."""
    start, label = claim.start, claim.label
    if start in heads:
        return replace(claim, label="", quantity=heads[start][0], k=heads[start][1], sure=True)
    if _WORKED.match(text, claim.end) or _WORKS.search(text, max(0, start - 8), start):
        return replace(claim, label="")
    quantity = "IDCG" if claim.number.value > 1 else "NDCG"
    if _IN_WORDS[quantity].search(label):
        return replace(claim, quantity=quantity)
    ends = [each.end() for each in _BREAK.finditer(label)]
    named = quantity_of(label[ends[-1] if ends else 0 :])
    if named is None or named[0] not in QUANTITIES:
        return claim
    return replace(claim, quantity=named[0], k=named[1], sure=named[2], is_loose=_LINKED.search(label) is None)


def _lists(
    text: str, tables: Sequence[NoteTable], chains: Sequence[Chain], claims: Sequence[NoteClaim]
) -> list[PrintedList]:
    """The lists that may be rankings, each once: those of the text, of sums, and those that terms show."""
    merged: dict[tuple[object, ...], PrintedList] = {}
    for each in [*lists_in(text, tables), *_in_sums(chains), *_in_terms(claims)]:
        if not (1 < len(each.grades) <= MOST_GRADES and max(each.grades) <= HIGHEST):
            continue
        old = merged.get((each.grades, each.judged), each)
        merged[each.grades, each.judged] = PrintedList(
            tuple(sorted({*old.places, *each.places})),
            each.grades,
            each.judged,
            old.key or each.key,
            old.is_local and each.is_local,
            old.is_ideal and each.is_ideal,
            old.is_inferred and each.is_inferred,
        )
    # The gains of a list that stands elsewhere are no list of their own
    bases = {tuple(gains_of(each.grades, EXPONENTIAL)): each for each in merged.values() if max(each.grades) > 1}
    alone = [
        each
        for each in merged.values()
        if each.grades not in bases or max(each.grades) <= 1 or {*bases[each.grades].places} <= {*each.places}
    ]
    return alone or list(merged.values())


def _in_sums(chains: Sequence[Chain]) -> Iterator[PrintedList]:
    for each in chains:
        named = quantity_of(each.label)
        ideal = named is not None and named[0] == "IDCG"
        for part in each.parts:
            found = worked(part.side)
            if found is not None and len(found.gains) >= LEAST_TERMS:
                yield PrintedList((each.start,), found.by_rank, is_ideal=ideal)
            for convention in (STANDARD, EXPONENTIAL):
                if grades := divided(part.side, convention):
                    yield PrintedList((each.start,), grades, is_ideal=ideal)


def _in_terms(claims: Sequence[NoteClaim]) -> Iterator[PrintedList]:
    """The grades that the printed terms of a DCG show, or of an ideal one, which tells what was judged."""
    terms = [claim for claim in claims if claim.term is not None and claim.chain >= 0 and not claim.operand]
    for _, group in groupby(terms, key=lambda claim: (claim.chain, claim.quantity, claim.term and claim.term[1])):
        found = list(group)
        whole = [claim.term for claim in found] == [(i, len(found)) for i in range(len(found))]
        rounded = any(claim.number.unit < 1 for claim in found)
        if not (whole and rounded and len(found) >= LEAST_TERMS and found[0].quantity in ("DCG", "IDCG")):
            continue
        for convention in (STANDARD, EXPONENTIAL):
            grades = grades_of([claim.number for claim in found], convention)
            ideal = found[0].quantity == "IDCG"
            if grades and any(grades) and (falls(grades) or not ideal):
                yield PrintedList((found[0].start,), grades, is_ideal=ideal, is_inferred=True)
