"""The means over queries that a sentence states without their working."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import chain

from ndcg_ref.notes.claims import Claim
from ndcg_ref.notes.documents import Region
from ndcg_ref.notes.islands import plain_text, readable_text
from ndcg_ref.notes.patterns import lazy_pattern
from ndcg_ref.notes.words import (
    MEAN_PRINTED,
    MEAN_STATED,
    MEANS_PRINTED,
    count_of,
    quantity_averaged,
    quantity_of,
    says_of_rankings,
    says_supposed,
    without_mean,
)
from ndcg_ref.stated.display import Outcome
from ndcg_ref.stated.number import Number, read_number
from ndcg_ref.stated.verdict import Verdict, judge

Judged = Sequence[tuple[Claim, Verdict]]
LEAST = 2
_DECIMAL = lazy_pattern(r"[01]\.[0-9]+")


def means_of(region: Region, found: Judged) -> list[tuple[Claim, Verdict]]:
    """The means that sentences state, each held against the mean of the results before it.

    A mean is a slip only if the sentence says of how many queries it is, and there are as many results.
    """
    text = plain_text(readable_text(region.text))
    judged = {claim.start for claim, verdict in found if verdict.outcome is not Outcome.UNCHECKED}
    means = list(_means_of_columns(found))
    for each in chain(MEAN_STATED.finditer(text), MEAN_PRINTED.finditer(text)):
        start, end = each.span("percent" if each["percent"] else "number")
        text_of_number = f"{each['percent']}%" if each["percent"] else each["number"]
        quantity = quantity_averaged(each["words"])
        if start in judged or says_supposed(each[0]) or any(start in span for span in region.code):
            continue
        named = quantity_of(without_mean(each["words"]))
        number, values = read_number(text_of_number), _results(quantity, named and named[1], start, found)
        together = values and "\n\n" not in text[min(place for place, _ in values) : start]
        said = [count for word in each["words"].split() if (count := count_of(word)) and count >= LEAST]
        mean = (
            math.fsum(value for _, value in values) / len(values)
            if len(values) >= LEAST
            else _of_column(number, start, found)
        )
        places = {place for place, _ in values}
        shown = any(places == {*claim.over} for claim, _ in found if claim.over)
        sure = (said[-1] == len(values) if said else together or shown) and says_of_rankings(each["words"])
        if mean is not None and (sure or (not said and number.covers(mean))):
            means.append((Claim(start, end, number, "mean", quantity), judge(number, mean, f"mean {quantity}")))
    return [*means, *_means_of_frames(text, found)]


def _means_of_frames(text: str, found: Judged) -> Iterator[tuple[Claim, Verdict]]:
    """The means that a program prints for each column of a data frame, as far as they come out."""
    for block in MEANS_PRINTED.finditer(text):
        for each in _DECIMAL.finditer(text, *block.span("lines")):
            number = read_number(each[0])
            mean = _of_column(number, each.start(), found)
            if mean is not None:
                yield Claim(*each.span(), number, "mean", "mean"), judge(number, mean, "mean")


def _means_of_columns(found: Judged) -> Iterator[tuple[Claim, Verdict]]:
    """The means in the last rows of tables."""
    computed = {claim.start: verdict.computed for claim, verdict in found}
    for claim, _ in found:
        values = [value for start in claim.over if (value := computed.get(start)) is not None]
        if values and len(values) == len(claim.over):
            yield claim, judge(claim.number, _mean(values), "mean")


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _of_column(number: Number, place: int, found: Judged) -> float | None:
    """The mean of a printed column before a place, if the number is one."""
    columns: dict[int, list[float]] = {}
    for claim, verdict in found:
        if claim.own and claim.cell and claim.start < place and verdict.computed is not None:
            columns.setdefault(claim.cell[0], []).append(verdict.computed)
    means = map(_mean, columns.values())
    return next((mean for mean in means if number.covers(mean)), None)


def _results(quantity: str | None, k: int | None, place: int, found: Judged) -> list[tuple[int, float]]:
    """Where the results before a place stand, and what they should be: one for each ranking, at one cutoff."""
    results = [
        (claim, verdict.computed)
        for claim, verdict in found
        if claim.start < place and claim.quantity == quantity and verdict.computed is not None
        if claim.term is None and claim.cell is None and not (claim.operand or claim.restated)
    ]
    k = k or (results[-1][0].k if results else None)
    same = [(claim, value) for claim, value in results if claim.k == k]
    return list({(claim.ranking or round(value, 9)): (claim.start, value) for claim, value in same}.values())
