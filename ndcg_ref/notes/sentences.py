"""The numbers that sentences of a note state, without an equation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ndcg_ref.notes.claims import NoteClaim
from ndcg_ref.notes.patterns import ENDS, PERCENT
from ndcg_ref.notes.words import QUANTITY_FORMS, quantity_of, says, words_for
from ndcg_ref.stated.number import Number, read_number

_BLANKS = r"[\s*_`]*+"
_RESTATES = words_for("restates")
# The same number again as a percentage, right behind it
_RESTATED = re.compile(
    rf"{_BLANKS}(?:[.,;:(=≈→—–]|{_RESTATES}[:,]?){_BLANKS}(?:[→—–]{_BLANKS})?(?:{_RESTATES}{_BLANKS}[:,]?{_BLANKS}){{0,3}}"
    rf"{PERCENT}",
    re.IGNORECASE,
)
_GAP = r"[\s*:\uff1a`$~≈|]++"  # blanks are never given back: tags leave hundreds of them
_BARE = re.compile(
    rf"(?P<label>(?<![^\W_])(?:{'|'.join(QUANTITY_FORMS.values())}|(?:ideal|perfect)(?:\s+(?:one|value|sum))?)"
    rf"(?:\s*@\s*[0-9]+|[}}\s]?_\{{?[0-9]+\}}?|\s{words_for('at')}\s+[0-9]+)?)"
    rf"{_GAP}(?:{words_for('link')}{_GAP}){{0,5}}(?:{words_for('link')})?"
    rf"(?:(?P<number>[0-9]{{1,3}}\.[0-9]{{1,17}}){ENDS}|{PERCENT})",
    re.IGNORECASE,
)
MEASURES = ("NDCG", "P", "R", "RR", "AP", "ERR", "RBP")  # which lie between 0 and 1
LEAST_DIGITS = 4  # by which a number without a name is recognized
NEAR = 20  # characters behind a number that say what it is of
BEFORE = 80  # characters before a name that say what is meant
_OF_ORDER = re.compile(rf"[\])}}>]?,?\s(?:[^\W\d]+\s){{1,4}}(?P<number>[0-9]{{1,3}}\.[0-9]{{2,17}}){ENDS}")
_POINT_OR_PERCENT = re.compile(r"(?<=[0-9])(?:\.(?=[0-9])|\s*\\?%)")


def bare_in(text: str, claims: Sequence[NoteClaim]) -> Iterator[NoteClaim]:
    """Numbers that a sentence gives a name, such as "an NDCG of 0.85"."""
    taken = {place for claim in claims for place in range(claim.start, claim.end)}
    if all(found.start() in taken for found in _POINT_OR_PERCENT.finditer(text)):
        return
    for found in _BARE.finditer(text):
        start, end, number = _stated(found)
        if start in taken or "\n\n" in found[0]:
            continue  # a name and a number of another paragraph
        line = text[text.rfind("\n", 0, found.start()) + 1 : found.end("label")]
        words = line if line[: -len(found["label"])].rstrip().endswith("/") else found["label"]
        named = quantity_of(words) or (("IDCG", None, False) if says("ideal", found["label"]) else None)
        if named is None or named[0] == "other":
            continue
        quantity, k, sure = named
        if found["percent"] and quantity not in MEASURES:
            continue
        label = text[max(0, found.start() - BEFORE) : start]
        yield NoteClaim(start, end, number, label, quantity, k, sure, bare=True)


def _stated(found: re.Match[str]) -> tuple[int, int, Number]:
    """Where the decimal or the percentage of a match stands, and the number."""
    return _percentage(found) if found["percent"] else (*found.span("number"), read_number(found["number"]))


def of_orders_in(text: str, ends: Sequence[int], claims: Sequence[NoteClaim]) -> Iterator[NoteClaim]:
    """The numbers right behind the best orders that end at places: what such an order gives is an ideal DCG.

    >>> [claim.number.text for claim in of_orders_in("In the best order 3, 2, 0 it would be 4.262.", [25], [])]
    ['4.262']
    """
    taken = {claim.start for claim in claims}
    for end in ends:
        found = _OF_ORDER.match(text, end)
        if found and found.start("number") not in taken:
            start, stop = found.span("number")
            yield NoteClaim(start, stop, read_number(found["number"]), text[end:start], "IDCG", bare=True)


def percentages_in(text: str, claims: Sequence[NoteClaim]) -> Iterator[NoteClaim]:
    """Results that a sentence repeats as a percentage."""
    taken = {claim.start for claim in claims}
    for claim in claims:
        result = claim.quantity in MEASURES and claim.term is None and claim.cell is None and not claim.operand
        found = _RESTATED.match(text, claim.end, claim.end + BEFORE) if result else None
        if found and found.start("percent") not in taken:
            start, end, number = _percentage(found)
            yield replace(claim, start=start, end=end, number=number, restated=True)


def _percentage(found: re.Match[str]) -> tuple[int, int, Number]:
    """Where a percentage stands, and the number; its sign belongs to it if it stands right behind."""
    end = found.end("sign") if found["sign"] == "%" else found.end("percent")
    return found.start("percent"), end, read_number(found["percent"].replace(",", ".") + "%")
