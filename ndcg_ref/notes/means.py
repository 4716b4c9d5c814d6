"""The means over queries that a sentence states without their working."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator
from itertools import chain

from ndcg_ref.notes.claims import JudgedClaims, NoteClaim
from ndcg_ref.notes.documents import Region
from ndcg_ref.notes.islands import plain_text, readable_text
from ndcg_ref.notes.patterns import ENDS, PERCENT
from ndcg_ref.notes.words import count_of, quantity_of, says, words_for
from ndcg_ref.stated.display import Outcome
from ndcg_ref.stated.number import Number, read_number
from ndcg_ref.stated.verdict import Verdict, judge

_STATED = re.compile(
    rf"(?P<words>{words_for('mean')}[^.\[\]|]{{0,120}}?)[\s:=≈*`$]*+"
    rf"(?:(?P<number>[01]\.[0-9]{{2,6}}){ENDS}(?!\s*[+/*×±\\%])|{PERCENT})",
    re.IGNORECASE,
)
_PRINTED = re.compile(  # by a line of code
    r"^(?P<words>[^\n#]{0,80}\bmean\b[^\n]{0,80})\n\s*(?P<number>[01]\.[0-9]{2,17})(?P<percent>(?!))?[ \t]*$",
    re.MULTILINE | re.IGNORECASE,
)
_PRINTED_BY_COLUMN = re.compile(  # the same of a data frame, a line for each column
    r"\bmean\([^\n]{0,80}\n\s*(?P<lines>(?:^\w{1,30}[ \t]+[01]\.[0-9]{2,17}[ \t]*\n){2,20})", re.MULTILINE
)
_MEAN = re.compile(words_for("mean"), re.IGNORECASE)
LEAST = 2  # results that have a mean
_DECIMAL = re.compile(r"[01]\.[0-9]+")
_VALUE = re.compile(rf"(?<![\w.,])[01]\.[0-9]{{2,6}}{ENDS}")
_SENTENCE_END = re.compile(r"[.!?]\s|\(|\n\s*\n")


def means_of(region: Region, found: JudgedClaims) -> list[tuple[NoteClaim, Verdict]]:
    """The means that sentences state, each held against the mean of the results before it.

    A mean is a slip only if the sentence says of how many queries it is, and there are as many results.
    """
    text = plain_text(readable_text(region.text))
    judged = {claim.start for claim, verdict in found if verdict.outcome is not Outcome.UNCHECKED}
    stated: list[tuple[NoteClaim, Verdict]] = []
    for each in chain(_STATED.finditer(text), _PRINTED.finditer(text)):
        start = each.start("percent" if each["percent"] else "number")
        if not (start in judged or says("supposed", each[0]) or region.is_code(start)):
            stated += _means_side_by_side(each, text, found) or _mean_stated(each, text, found)
    return [*_means_of_columns(found), *stated, *_means_of_frames(text, found)]


def _mean_stated(each: re.Match[str], text: str, found: JudgedClaims) -> Iterator[tuple[NoteClaim, Verdict]]:
    """The mean that words tell, if it comes out, or if it surely is that of the results before it."""
    words = each["words"]
    start, end = each.span("percent" if each["percent"] else "number")
    number = read_number(f"{each['percent'].replace(',', '.')}%" if each["percent"] else each["number"])
    quantity, k = _averaged(words)
    values = _results(quantity, k, start, found)
    mean = _mean(values.values()) if len(values) >= LEAST else _of_column(number, start, found)
    said = [count for word in words.split() if (count := count_of(word)) and count >= LEAST]
    together = values and "\n\n" not in text[min(values) : start]
    shown = any(values.keys() == {*claim.over} for claim, _ in found if claim.over)
    of_rankings = says("averaged", words) or "ndcg" in words.lower()  # not, say, of two assessors
    several = len(_same(quantity, k, start, found)) > len(values)  # of two systems, for each query
    sure = (said[-1] == len(values) if said else together or shown) and of_rankings and not several
    if mean is not None and (sure or number.covers(mean)):
        yield NoteClaim(start, end, number, "mean", quantity), judge(number, mean, f"mean {quantity}")


def _means_side_by_side(each: re.Match[str], text: str, found: JudgedClaims) -> list[tuple[NoteClaim, Verdict]]:
    """The means of a sentence with one for each column of a table, in the order of these, if one of them comes out."""
    quantity, k = _averaged(each["words"])
    own = [pair for pair in found if pair[0].own and pair[0].quantity == quantity and pair[0].start < each.start()]
    rows: dict[int, list[float]] = {}
    for claim, verdict in own:
        right = verdict.outcome is Outcome.AGREES and verdict.computed is not None
        if claim.chain == own[-1][0].chain and k in (None, claim.k) and right:
            rows.setdefault(text.rfind("\n", 0, claim.start), []).append(verdict.computed or 0.0)
    end = _SENTENCE_END.search(text, each.end())
    numbers = list(_VALUE.finditer(text, each.end("words"), end.start() if end else len(text)))
    if len(rows) < LEAST or len(numbers) < LEAST or {len(row) for row in rows.values()} != {len(numbers)}:
        return []
    means = map(_mean, zip(*rows.values(), strict=True))
    stated = [
        (NoteClaim(*at.span(), number, "mean", quantity), judge(number, mean, f"mean {quantity}"))
        for at, mean in zip(numbers, means, strict=True)
        for number in (read_number(at[0]),)
    ]
    return stated if any(verdict.outcome is Outcome.AGREES for _, verdict in stated) else []


def _averaged(words: str) -> tuple[str | None, int | None]:
    """The quantity of which words tell the mean, and its cutoff; NDCG where they name none.

    >>> [_averaged(words) for words in ("the mean of both", "mean RR", "average NDCG@3", "average precision")]
    [('NDCG', None), ('RR', None), ('NDCG', 3), (None, None)]
    """
    if quantity_of(words) not in (None, ("other", None, False)):
        return None, None  # a name such as average precision, of one query
    quantity, k, _ = quantity_of(_MEAN.sub(" ", words)) or ("NDCG", None, False)
    return quantity, k


def _means_of_frames(text: str, found: JudgedClaims) -> Iterator[tuple[NoteClaim, Verdict]]:
    """The means that a program prints for each column of a data frame, as far as they come out."""
    for block in _PRINTED_BY_COLUMN.finditer(text):
        for each in _DECIMAL.finditer(text, *block.span("lines")):
            number = read_number(each[0])
            mean = _of_column(number, each.start(), found)
            if mean is not None:
                yield NoteClaim(*each.span(), number, "mean", "mean"), judge(number, mean, "mean")


def _means_of_columns(found: JudgedClaims) -> Iterator[tuple[NoteClaim, Verdict]]:
    """The means in the last rows of tables."""
    computed = {claim.start: verdict.computed for claim, verdict in found}
    for claim, _ in found:
        values = [value for start in claim.over if (value := computed.get(start)) is not None]
        if values and len(values) == len(claim.over):
            yield claim, judge(claim.number, _mean(values), "mean")


def _mean(values: Collection[float]) -> float:
    return math.fsum(values) / len(values)


def _of_column(number: Number, place: int, found: JudgedClaims) -> float | None:
    """The mean of a printed column before a place, if the number is one."""
    columns: dict[int, list[float]] = {}
    for claim, verdict in found:
        if claim.own and claim.cell and claim.start < place and verdict.computed is not None:
            columns.setdefault(claim.cell[0], []).append(verdict.computed)
    means = map(_mean, columns.values())
    return next((mean for mean in means if number.covers(mean)), None)


def _same(quantity: str | None, k: int | None, place: int, found: JudgedClaims) -> list[tuple[NoteClaim, float]]:
    """The results of one kind before a place, and what they should be, at one cutoff."""
    results = [
        (claim, verdict.computed)
        for claim, verdict in found
        if claim.start < place and claim.quantity == quantity and verdict.computed is not None
        if claim.term is None and claim.cell is None and not (claim.operand or claim.restated)
    ]
    k = k or (results[-1][0].k if results else None)
    return [(claim, value) for claim, value in results if claim.k == k]


def _results(quantity: str | None, k: int | None, place: int, found: JudgedClaims) -> dict[int, float]:
    """Where the results before a place stand, and what they should be: one for each ranking, at one cutoff."""
    same = _same(quantity, k, place, found)
    return dict({(claim.ranking or round(value, 9)): (claim.start, value) for claim, value in same}.values())
