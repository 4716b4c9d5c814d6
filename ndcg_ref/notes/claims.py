"""The numbers that the equations, calls and sentences of a note state, and what the note says that they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from ndcg_ref.notes.islands import Chain
from ndcg_ref.notes.relations import CellWorking
from ndcg_ref.notes.words import quantity_of, says
from ndcg_ref.stated.equation import Side, read_numeral
from ndcg_ref.stated.expression import Node, Numeral, Product
from ndcg_ref.stated.number import Number
from ndcg_ref.stated.tokens import Token
from ndcg_ref.stated.verdict import Verdict

LONGEST_NAME = 30
_SIGNS = " \t:;,./#*|~–—-→><"  # that a name neither begins nor ends with
NEAR = 40  # characters before a chain in which words call it ideal
UNNAMED = "sum"  # of a DCG or of an ideal DCG
LEAST_TERMS = 2


@dataclass(frozen=True)
class NoteClaim:
    """A printed number, and what the note says that it is."""

    start: int  # where it is in the text
    end: int
    number: Number
    label: str = ""  # the words before it, and what these name
    quantity: str | None = None
    k: int | None = None
    sure: bool = False  # whether k is surely a cutoff, and not the number of a query
    exact: float | None = None  # what the symbols before it come to, where these hold no rounded number
    working: Side | None = None  # the side before it, with rounded numbers; of a term the one that it is for
    term: tuple[int, int] | None = None  # of a term of a sum its place, from 0, and how many there are
    cell: tuple[int, int] | None = None  # of a cell of a table its column, and its rank
    chain: int = -1  # where the chain begins that it is in; -1 for none
    operand: bool = False  # whether it is worked with, as the numerator or the divisor of a ratio
    ranking: tuple[float, ...] | None = None  # of the result of a call the grades that it is given
    judged: tuple[float, ...] | None = None  # and the judged ones
    option: str = ""  # what else such a call is given, which may choose a convention
    is_loose: bool = False  # whether only some words of its sentence name its quantity
    related: CellWorking | None = None  # how a cell is worked out of others, where the table shows that


JudgedClaims = Sequence[tuple[NoteClaim, Verdict]]


def claims_of(chains: Sequence[Chain]) -> Iterator[NoteClaim]:
    """The claims of chains: their results, the terms that they add up, and the numbers that they work with."""
    for chain in chains:
        quantity, k, sure = quantity_of(chain.label) or (None, None, False)
        if quantity == "DCG" and says("ideal", chain.label[-NEAR:]):
            quantity = "IDCG"
        name = UNNAMED if quantity is None and any(_adds_decimals(part.side) for part in chain.parts) else quantity
        about = partial(NoteClaim, label=chain.label, quantity=name, k=k, sure=sure, chain=chain.start)
        yield from _claims_in(chain, quantity, about)


def _adds_decimals(side: Side) -> bool:
    """Whether a side is a sum of decimals, so that it is a DCG or an ideal one, and does not say which."""
    return _lone_terms(side) and len(side.terms) > LEAST_TERMS and bool(side.operands)


def _claims_in(chain: Chain, quantity: str | None, about: Callable[..., NoteClaim]) -> Iterator[NoteClaim]:
    """The claims of one chain."""
    symbolic: Side | None = None
    working: Side | None = None
    spelled: Side | None = None  # the first working
    for start, end, side in chain.parts:
        if side.number is None:
            symbolic = symbolic if side.operands else side
            working = side
            spelled = spelled or side
            if quantity != "other":
                yield from _terms(about, start, side, spelled)
            yield from _operands(about, start, side, quantity)
        elif working is not None or not _begins(side, quantity):
            exact = symbolic.value if symbolic is not None else None
            yield about(start, end, side.number, exact=exact, working=working)


def _begins(side: Side, quantity: str | None) -> bool:
    """Whether a number that no working stands before is only what a count or a sum of a loop begins with."""
    return quantity in (None, "other") or (side.value in (0, 1) and str(quantity).endswith(("CG", "ERR", "RBP")))


def _lone_terms(side: Side) -> bool:
    """Whether a side is a sum of printed numbers alone."""
    return len(side.terms) > 1 and all(term.number is not None for term in side.terms)


def may_come_to(side: Side, number: Number) -> bool:
    """Whether a side can come to a number, all their decimals being rounded."""
    low, high = side.bounds
    least, most = number.bounds
    return low <= most and least <= high


def _terms(about: Callable[..., NoteClaim], start: int, side: Side, spelled: Side) -> Iterator[NoteClaim]:
    """The printed numbers that a side adds up, each with the term of the first working that it stands for."""
    terms = side.terms if _lone_terms(side) else ()
    # Either may leave out the zeros
    above, below = ([term for term in each if term.value] for each in (spelled.terms, terms))
    stands_for = {term.start: one for term, one in zip(below, above, strict=False)} if len(above) == len(below) else {}
    for i, term in enumerate(terms):
        if term.number is not None:
            at = start + term.start - side.start
            own = stands_for.get(term.start)
            working = own if own is not None and own.number is None else None
            exact = working.value if working is not None and not working.operands else None
            working = working if exact is None else None
            place = (i, len(terms))
            yield about(at, at + len(term.number.text), term.number, exact=exact, working=working, term=place)


def _operands(about: Callable[..., NoteClaim], start: int, side: Side, quantity: str | None) -> Iterator[NoteClaim]:
    """The decimals of the ratio of an NDCG, and the numbers that grades are divided by, where one has decimals."""
    divided = [_divided(term.expression) for term in side.terms]
    decimals = any("." in pair[1].text for pair in divided if pair)
    for i, pair in enumerate(divided):
        for token, named in zip(pair, ("DCG", "IDCG"), strict=False):
            at = start + token.start - side.start
            operand = partial(about, at, at + len(token.text), read_numeral(token.text, token.start), operand=True)
            if quantity == "NDCG" and "." in token.text:
                yield operand(quantity=named)
            elif decimals and named == "IDCG":
                yield operand(quantity="discount", term=(i, len(divided)))


def _divided(node: Node) -> tuple[Token, ...]:
    """The numbers of a quotient of two numbers."""
    if isinstance(node, Product) and len(node.others) == 1 and node.others[0][0]:
        first, second = node.first, node.others[0][2]
        if isinstance(first, Numeral) and isinstance(second, Numeral):
            return first.token, second.token
    return ()


def is_result(claim: NoteClaim) -> bool:
    """Whether a number is what a line comes to, not a part of it or of a table."""
    return claim.term is None and claim.cell is None and not claim.operand


def is_supposed(claim: NoteClaim) -> bool:
    """Whether a number is said to be what would come out otherwise."""
    return says("supposed", claim.label)


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
