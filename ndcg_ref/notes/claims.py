"""The numbers that the equations, calls and sentences of a note state, and what the note says that they are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ndcg_ref.convention import Convention
from ndcg_ref.notes.grades import Listing, Worked, without_zeros, worked
from ndcg_ref.notes.islands import Chain, Part
from ndcg_ref.notes.words import BARE, CALL, RESULT, quantity_of, says_ideal
from ndcg_ref.stated.equation import Side
from ndcg_ref.stated.number import Number, read_number

BEHIND = 160  # characters behind a call in which its result may stand
_DECIMAL = re.compile(r"(?<![\w.,])[01]\.[0-9]{1,17}(?![\w]|[.,][0-9])")
_FRACTION = re.compile(r"[0-9]{1,6}/0*[1-9][0-9]{0,5}")


@dataclass(frozen=True)
class Claim:
    """A printed number, and what the note says that it is.

    Parameters
    ----------
    start, end : int
        Where it stands in the region.
    number : Number
        The number.
    label : str
        The words before it.
    quantity : str or None
        The quantity that they name.
    k : int or None
        The cutoff that they name.
    sure : bool
        Whether `k` is surely a cutoff, and not the number of a query.
    exact : float or None
        What the symbols before it come to, where these hold no rounded number.
    working : Side or None
        The side before it, with rounded numbers.
    term : (int, int) or None
        For a term of a sum its place in it, from 0, and how many there are.
    ranking : tuple of float or None
        The grades of the ranking that it is about, where the note says so.
    convention : Convention or None
        The convention of the last sum before it that is written in symbols.
    cell : (int, int) or None
        For a cell of a table its column, as `Example.columns` counts them, and its rank.
    chain : int
        Where the chain begins that it stands in; -1 for none.
    spelled : bool
        Whether its chain spells the sum of the ranking in symbols, in this order or another.
    summed : bool
        Whether its chain spells some sum over ranks in symbols.
    called : bool
        Whether it is the result of a call that the note shows.
    bare : bool
        Whether a sentence states it, and no working.
    """

    start: int
    end: int
    number: Number
    label: str = ""
    quantity: str | None = None
    k: int | None = None
    sure: bool = False
    exact: float | None = None
    working: Side | None = None
    term: tuple[int, int] | None = None
    ranking: tuple[float, ...] | None = None
    convention: Convention | None = None
    cell: tuple[int, int] | None = None
    chain: int = -1
    spelled: bool = False
    summed: bool = False
    called: bool = False
    bare: bool = False


def claims_of(chains: Sequence[Chain], lists: Sequence[Listing]) -> Iterator[Claim]:
    """The claims of chains; a sum in symbols lends its value to the chain with the same name that goes on with it."""
    symbols: dict[tuple[str, int | None], Side] = {}
    rankings = tuple(dict.fromkeys(each.grades for each in lists if not each.ideal))
    convention: Convention | None = None
    for chain in chains:
        sums = [found for part in chain.parts if part.side and (found := worked(part.side)) and len(found.gains) > 1]
        named = quantity_of(chain.label)
        quantity, k, sure = named or (None, None, False)
        if quantity == "DCG" and says_ideal(chain.label[-40:]):
            quantity = "IDCG"
        index = k if k and not sure and 1 < len(rankings) >= k else None  # DCG_2 of the second of two rankings
        ranking = _ranking(rankings, lists, chain, index, sums if quantity != "IDCG" else [])
        k, spelled = None if index else k, False
        used = ranking if ranking is not None or not rankings else rankings[0]
        if used is not None:
            order = sorted(used, reverse=True) if quantity == "IDCG" else used
            own = next((spelt for each in sums if (spelt := each.convention_for(order))), None)
            convention = own or convention
            spelled = own is not None or any(each.same_gains(order) for each in sums)
        base = Claim(
            0,
            0,
            _NONE,
            chain.label,
            quantity,
            k,
            sure,
            ranking=ranking,
            convention=convention,
            chain=chain.start,
            spelled=spelled,
            summed=bool(sums),
        )
        valued = [part for part in chain.parts if part.side is not None]
        exact_side = symbols.get((quantity, index or k)) if quantity in ("DCG", "IDCG", "CG") else None
        before: Part | None = None
        last_working: Side | None = None
        for part in valued:
            side = part.side
            assert side is not None
            number = side.number or (_fraction(side) if before is not None else None)
            if number is not None:
                bare = last_working is None and (
                    quantity in (None, "other") or side.value in (0, 1)
                )  # dcg = 0 begins a loop
                if not bare and not counts(chain, part):
                    exact = exact_side.value if exact_side is not None else None
                    working = last_working
                    yield replace(base, start=part.start, end=part.end, number=number, exact=exact, working=working)
            else:
                if not side.operands and not _lone_terms(side):
                    exact_side = side
                    if quantity is not None:
                        symbols[quantity, index or k] = side
                yield from _terms(base, part, exact_side)
            if number is None:
                last_working = side
            before = part


def _ranking(
    rankings: Sequence[tuple[float, ...]],
    lists: Sequence[Listing],
    chain: Chain,
    index: int | None,
    sums: Sequence[Worked],
) -> tuple[float, ...] | None:
    """The ranking that a chain is about: the one that it adds up, the one of its number, or the last one before it."""
    for found in sums:
        alike = [each for each in rankings if without_zeros(each) == without_zeros(found.grades)]
        if alike:
            return alike[0]
    if index is not None:
        return rankings[index - 1]
    before = [each.grades for each in lists if not each.ideal and each.start < chain.start]
    return before[-1] if before else None


def counts(chain: Chain, part: Part) -> bool:
    r"""Whether a number is where an index starts, as in ``\sum_{i=1}``."""
    at = chain.parts.index(part)
    return at > 1 and chain.parts[at - 1].side is None and part.side is not None and part.side.value in (0, 1, 2)


_NONE = Number("", 0, 1)  # type: ignore[arg-type]


def _fraction(side: Side) -> Number | None:
    """A fraction of whole numbers, which states its value exactly."""
    return read_number(side.text) if _FRACTION.fullmatch(side.text) else None


def _lone_terms(side: Side) -> bool:
    """Whether a side is a sum of printed numbers alone."""
    return len(side.terms) > 1 and all(term.number is not None for term in side.terms)


def _terms(base: Claim, part: Part, exact_side: Side | None) -> Iterator[Claim]:
    """The printed numbers that a side adds up."""
    side = part.side
    assert side is not None
    if not _lone_terms(side) or base.quantity == "other":
        return
    terms = side.terms
    same = exact_side is not None and len(exact_side.terms) == len(terms)
    for i, term in enumerate(terms):
        assert term.number is not None
        at = part.start + term.start - side.start
        exact = exact_side.terms[i].value if same and exact_side is not None else None
        yield replace(
            base, start=at, end=at + len(term.number.text), number=term.number, exact=exact, term=(i, len(terms))
        )


def called_in(text: str) -> Iterator[Claim]:
    """The results of calls such as ``ndcg([3, 2, 0], k=2)``: the next decimal, if words announce it."""
    calls = list(CALL.finditer(text))
    ends = [*(call.start() for call in calls), len(text)][1:]
    for call, end in zip(calls, ends, strict=True):
        try:
            grades = tuple(float(each) for each in re.split(r"[,;\s]+", call["grades"].strip()) if each)
        except ValueError:
            continue
        for found in _DECIMAL.finditer(text, call.end(), min(end, call.end() + BEHIND)):
            between = text[call.end() : found.start()]
            if not between.strip() or RESULT.search(between.rstrip()):
                quantity = (
                    "NDCG" if "ndcg" in call["name"].lower() else "IDCG" if "idcg" in call["name"].lower() else "DCG"
                )
                k = int(call["k"]) if call["k"] else None
                number = read_number(found[0])
                yield Claim(*found.span(), number, call[0], quantity, k, True, ranking=grades, called=True)
                break


def bare_in(text: str, claims: Sequence[Claim]) -> Iterator[Claim]:
    """Numbers that a sentence gives a name, such as "an NDCG of 0.85"."""
    taken = {place for claim in claims for place in range(claim.start, claim.end)}
    for found in BARE.finditer(text):
        start, end = found.span("number")
        if start in taken:
            continue
        named = quantity_of(found["label"])
        if named is None or named[0] == "other":
            continue
        quantity, k, sure = named
        yield Claim(start, end, read_number(found["number"]), found["label"], quantity, k, sure, bare=True)
