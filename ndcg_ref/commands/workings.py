"""The working that a note shows before a number: what it works with, where that stands, and which values it allows."""

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ndcg_ref.notes.documents import Format, Region
    from ndcg_ref.notes.islands import Part
    from ndcg_ref.stated.equation import Side

_COMMA = re.compile(r"[0-9]+(?:\{,\}|,)[0-9]+%?")


class PrintedOperand(NamedTuple):
    """A number with decimals in a working: how it was read, and where it stands in the file."""

    text: str
    start: int
    end: int


class PrintedWorking(NamedTuple):
    """A side of an equation from which the number behind it follows."""

    side: "Side"
    operands: tuple[PrintedOperand, ...]

    def covers(self, value: float, text_of: Callable[[PrintedOperand], str]) -> bool:
        """Whether the working can give a value, each operand being rounded to what `text_of` has for it."""
        from ndcg_ref.stated.number import bounds_of, read_number

        bounds = [read_number(text_of(each)).bounds for each in self.operands]
        low, high = bounds_of(self.side.with_operands, bounds)
        return low <= value <= high


def workings_of(text: str, form: "Format" = "text") -> dict[int, list[PrintedWorking]]:
    """The working before each number of a note that has one, by where that is; several where a log has no base.

    >>> [(place, each.operands) for place, [each] in workings_of("a = 7.42/2 = 3.71").items()]
    [(13, (PrintedOperand(text='7.42', start=4, end=8),))]
    """
    from ndcg_ref.notes.documents import regions_of

    found: dict[int, list[PrintedWorking]] = {}
    for region in regions_of(text, form):
        for place, working in _in_region(region, text):
            found.setdefault(place, []).append(working)
    return found


def _in_region(region: "Region", text: str) -> Iterator[tuple[int, PrintedWorking]]:
    from ndcg_ref.notes.findings import BASES
    from ndcg_ref.notes.islands import chains_of, has_open_log, plain_text, readable_text

    plain = plain_text(readable_text(region.text))
    for base in BASES if has_open_log(plain) else BASES[:1]:
        for chain in chains_of(plain, base):
            before: PrintedWorking | None = None
            for part in chain.parts:
                if part.side is None:
                    continue
                if part.side.number is None:
                    before = _working(part, part.side, region, text)
                elif before is not None:
                    yield region.places[part.start], before


def _working(part: "Part", side: "Side", region: "Region", text: str) -> PrintedWorking:
    from ndcg_ref.stated.equation import read_numeral
    from ndcg_ref.stated.expression import Numeral, leaves

    tokens = {leaf.token.start: leaf.token for leaf in leaves(side.expression) if isinstance(leaf, Numeral)}
    operands = []
    for token in (token for token in tokens.values() if "." in token.text or "%" in token.text):
        start = region.places[part.start + token.start - side.start]
        printed = None if text.startswith(token.text, start) else _COMMA.match(text, start)
        number = read_numeral(token.text, token.start)
        operands.append(PrintedOperand(number.text, start, printed.end() if printed else start + len(token.text)))
    return PrintedWorking(side, tuple(operands))
