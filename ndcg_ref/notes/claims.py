"""The numbers that the equations, calls and sentences of a note state, and what the note says that they are."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from ndcg_ref.notes.islands import Chain, Part
from ndcg_ref.notes.relations import CellWorking
from ndcg_ref.notes.words import quantity_of, says
from ndcg_ref.stated.equation import Side, read_numeral
from ndcg_ref.stated.expression import Node, Numeral, Product
from ndcg_ref.stated.number import Number, read_number
from ndcg_ref.stated.tokens import Token
from ndcg_ref.stated.verdict import Verdict

NEAR = 40  # characters before a chain in which words or a list call it ideal
LONGEST_NAME = 30
_SIGNS = " \t:;,./#*|~–—-→><"  # that a name neither begins nor ends with
UNNAMED = "sum"  # of a DCG or of an ideal DCG
_VARIABLE = re.compile(r"(?:^|[\s(])[a-oq-z]\s*$")  # as in DCG (b = 2)
_FRACTION = re.compile(r"[0-9]{1,6}/0*[1-9][0-9]{0,5}")


@dataclass(frozen=True)
class NoteClaim:
    """A printed number, and what the note says that it is.

    Parameters
    ----------
    start, end : int
        Where it is in the text.
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
        The side before it, with rounded numbers; of a term the one that it is for.
    contradicted : Side or None
        A side before that one which says the same term by term, and cannot come to the number.
    term : (int, int) or None
        For a term of a sum its place in it, from 0, and how many there are.
    cell : (int, int) or None
        For a cell of a table its column, and its rank.
    chain : int
        Where the chain begins that it is in; -1 for none.
    operand : bool
        Whether it is worked with, as the numerator or the divisor of a ratio.
    ranking, judged : tuple of float or None
        For the result of a call the grades that it is given.
    option : str
        What such a call is given besides grades and cutoff, which may choose a convention.
    is_loose : bool
        Whether only some words of its sentence name its quantity.
    related : CellWorking or None
        For a cell of a table how it is worked out of others, where the numbers of the table show that.
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
    contradicted: Side | None = None
    term: tuple[int, int] | None = None
    cell: tuple[int, int] | None = None
    chain: int = -1
    operand: bool = False
    ranking: tuple[float, ...] | None = None
    judged: tuple[float, ...] | None = None
    option: str = ""
    is_loose: bool = False
    related: CellWorking | None = None


JudgedClaims = Sequence[tuple[NoteClaim, Verdict]]


def claims_of(chains: Sequence[Chain]) -> Iterator[NoteClaim]:
    """The claims of chains: their results, the terms that they add up, and the numbers that they work with."""
    for chain in chains:
        quantity, k, sure = _named(chain)
        unnamed = quantity is None and _is_unnamed_sum(chain)
        about = partial(
            NoteClaim, label=chain.label, quantity=UNNAMED if unnamed else quantity, k=k, sure=sure, chain=chain.start
        )
        yield from _claims_in(chain, quantity, about)


def _named(chain: Chain) -> tuple[str | None, int | None, bool]:
    """The quantity and the cutoff that the label of a chain names, and whether that surely is a cutoff."""
    if _VARIABLE.search(chain.label) and not chain.label.endswith("@k"):
        return None, None, False
    quantity, k, sure = quantity_of(chain.label) or (None, None, False)
    if quantity == "DCG" and says("ideal", chain.label[-NEAR:]):
        quantity = "IDCG"
    elif quantity == "DCG" and says("ideal", re.split(r"[.;:]\s", chain.label)[-1]):
        quantity = UNNAMED
    return quantity, k, sure


def _is_unnamed_sum(chain: Chain) -> bool:
    """Whether a chain adds up decimals, so that it is a DCG or an ideal one, and does not say which."""
    sides = [side for _, side in _valued(chain) if _lone_terms(side) and len(side.terms) > 2]
    return any(term.number is not None and term.number.unit < 1 for side in sides for term in side.terms)


def _valued(chain: Chain) -> list[tuple[Part, Side]]:
    return [(part, part.side) for part in chain.parts if part.side is not None]


def _in_symbols(side: Side) -> bool:
    """Whether a side is a working without rounded numbers."""
    return side.number is None and not side.operands and not _lone_terms(side) and not _FRACTION.fullmatch(side.text)


def _claims_in(chain: Chain, quantity: str | None, about: Callable[..., NoteClaim]) -> Iterator[NoteClaim]:
    """The claims of one chain."""
    symbolic: Side | None = None
    working: Side | None = None
    spelled: Side | None = None  # the first of the sides that say the same, term by term
    for i, (part, side) in enumerate(_valued(chain)):
        number = side.number or (_fraction(side) if i else None)
        if number is not None:
            begins = working is None and (
                quantity in (None, "other") or side.text in ("0", "1", "0.0", "1.0")
            )  # of a loop
            if not begins:
                exact = symbolic.value if symbolic is not None else None
                against = spelled if spelled is not None and not may_come_to(spelled, number) else None
                yield about(part.start, part.end, number, exact=exact, working=working, contradicted=against)
            continue
        symbolic = side if _in_symbols(side) else symbolic
        working = side
        spelled = spelled if spelled is not None and aligned(spelled, side) and not _goes_on(spelled, side) else side
        if quantity != "other":
            yield from _terms(about, part, side, [symbolic, spelled])
        yield from _operands(about, part, side, quantity)


def _fraction(side: Side) -> Number | None:
    """A fraction of whole numbers, which states its value exactly."""
    return read_number(side.text) if _FRACTION.fullmatch(side.text) else None


def _lone_terms(side: Side) -> bool:
    """Whether a side is a sum of printed numbers alone."""
    return len(side.terms) > 1 and all(term.number is not None for term in side.terms)


def aligned(spelled: Side, side: Side) -> list[tuple[Side, Side]]:
    """The terms of two sums that stand for each other, whether or not both print the zeros; none where they differ."""
    for drop_zeros in (False, True):
        above, below = ([term for term in each.terms if term.value or not drop_zeros] for each in (spelled, side))
        if len(above) == len(below) > 1:
            return list(zip(above, below, strict=True))
    return []


def _goes_on(before: Side, side: Side) -> bool:
    """Whether a sum begins with what the side before it comes to, as in ``3 + 2 = 5 + 3``."""
    first = side.terms[0].number
    return first is not None and before.value is not None and first.covers(before.value)


def may_come_to(side: Side, number: Number) -> bool:
    """Whether a side can come to a number, all their decimals being rounded."""
    low, high = side.bounds
    least, most = number.bounds
    return low <= most and least <= high


def _terms(
    about: Callable[..., NoteClaim], part: Part, side: Side, spelled: Sequence[Side | None]
) -> Iterator[NoteClaim]:
    """The printed numbers that a side adds up, each with the term before it that it stands for."""
    if not _lone_terms(side):
        return
    same = next((pairs for each in spelled if each is not None and (pairs := aligned(each, side))), [])
    stands_for = {term.start: above for above, term in same if above.number is None}
    for i, term in enumerate(side.terms):
        if term.number is not None:
            at = part.start + term.start - side.start
            above = stands_for.get(term.start)
            exact = above.value if above is not None and not above.operands else None
            working = above if exact is None else None
            place = (i, len(side.terms))
            yield about(at, at + len(term.number.text), term.number, exact=exact, working=working, term=place)


def _operands(about: Callable[..., NoteClaim], part: Part, side: Side, quantity: str | None) -> Iterator[NoteClaim]:
    """The rounded numbers of a ratio, and those that grades are divided by."""
    if _lone_terms(side):
        return
    ratio = quantity == "NDCG" and isinstance(side.expression, Product) and len(side.operands) == 2
    nameless = quantity is None and side.value is not None and side.value <= 1 and len(side.terms) == 1
    if nameless and len(pair := list(_divided(side.expression))) == 2:
        for token, _ in pair:
            at = part.start + token.start - side.start
            yield about(at, at + len(token.text), read_numeral(token.text, token.start), quantity=UNNAMED, operand=True)
        return
    decimals = any(below for term in side.terms for _, below in _divided(term.expression))
    for i, term in enumerate(side.terms):
        for token, below in _divided(term.expression, whole=decimals):
            number = read_numeral(token.text, token.start)
            at = part.start + token.start - side.start
            if ratio:
                named = "IDCG" if below else "DCG"
                yield about(at, at + len(token.text), number, quantity=named, operand=True)
            elif below:
                place = (i, len(side.terms))
                yield about(at, at + len(token.text), number, quantity="discount", operand=True, term=place)


def _divided(node: Node, whole: bool = False) -> Iterator[tuple[Token, bool]]:
    """The decimals of a quotient of two numbers, and whether each is the divisor, which may be a whole number."""
    if not isinstance(node, Product) or len(node.others) != 1 or not node.others[0][0]:
        return
    for each, below in ((node.first, False), (node.others[0][2], True)):
        if isinstance(each, Numeral) and ("." in each.token.text or (whole and below)):
            yield each.token, below


def is_result(claim: NoteClaim) -> bool:
    """Whether a number is what a line comes to, not a part of it or of a table."""
    return claim.term is None and claim.cell is None and not claim.operand


def is_supposed(claim: NoteClaim) -> bool:
    """Whether a number is said to be what would come out otherwise; what the best order would give is no such."""
    if not says("ideal", claim.label) or says("mistaken", claim.label):
        return says("supposed", claim.label)
    return claim.quantity != "IDCG" and says("supposed", re.split(r"[,;:]|[.!?]\s", claim.label)[-1])


def name_of(claim: NoteClaim) -> str:
    """What a number is called in its verdict."""
    cutoff = f"@{claim.k}" if claim.k and claim.sure else ""
    name = f"{claim.quantity}{cutoff}" if claim.quantity not in (None, "other", UNNAMED) else _last_words(claim.label)
    return name if claim.term is None else f"{name}, term {claim.term[0] + 1}".removeprefix(", ")


def _last_words(label: str) -> str:
    """The end of a label as a name: whole words, without the signs around them; nothing where it has no words."""
    words = label[-LONGEST_NAME:] if len(label) <= LONGEST_NAME else label[-LONGEST_NAME:].partition(" ")[2]
    name = words.strip(_SIGNS).removesuffix("(").rstrip()
    return name if any(character.isalpha() for character in name) else ""
