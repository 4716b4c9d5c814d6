"""The numbers that calls and sentences of a note state, without an equation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from ndcg_ref.notes.claims import Claim
from ndcg_ref.notes.names import Names
from ndcg_ref.notes.patterns import lazy_pattern
from ndcg_ref.notes.words import (
    ASSIGNED,
    BARE,
    CALL,
    RESTATED,
    RESULT,
    SHARE,
    named_rankings,
    quantity_called,
    quantity_of,
    says_change,
    says_ideal,
)
from ndcg_ref.stated.number import Number, read_number

MEASURES = ("NDCG", "P", "R", "RR", "AP", "ERR", "RBP")  # which lie between 0 and 1
LEAST_DIGITS = 4  # by which a number without a name is recognized
BEFORE = 60  # characters before a name that say what is meant
_LISTS = lazy_pattern(r"(?:(?P<name>\w+)\s*=\s*)?\[{1,2}(?P<values>[^\[\]]*)\]{1,2}")
IDEALS = ("ideal", "pool", "judged", "all_rels", "all_grades", "qrels")
CUTOFFS = ("k", "at", "at_k", "top_k", "topk", "cutoff", "n", "p")
# Where a call is rounded, and what a comment says of it
_REST_OF_LINE = lazy_pattern(r"(?:\s*,\s*[0-9]{1,2})?\)*[ \t]*(?:#(?:(?!→|=>|->)[^\n])*\n)?")
BEHIND = 160  # characters behind a call in which its result may stand
_ANOTHER_CALL = lazy_pattern(r"[a-z]_[a-z]\w*\(")
_DECIMAL = lazy_pattern(r"(?<![\w.,])[0-9]{1,3}\.[0-9]{1,17}(?![\w]|[.,][0-9]|\s*(?:±|[nµm]?s\b))")  # and no time
_SENTENCE = lazy_pattern(r"[.!?:]\s|\n\s*\n")
_VALUE = r"[0-9]{1,3}\.[0-9]{1,6}"
_FOR_NAME = lazy_pattern(
    rf"(?<![\w.,])(?P<number>{_VALUE})(?![\w%]|[.,][0-9])\s(?:for|in|of|by)\s(?:the\s)?(?:{named_rankings()}\s)?(?P<name>[A-Z]|[0-9]{{1,2}})(?!\w|\.[0-9])"
    rf"|(?<![\w.])(?P<before>[A-Z]|[0-9]{{1,2}})\s(?:has|gets|reaches|scores|achieves)\s(?:an?\s)?(?P<behind>{_VALUE})(?![\w%]|[.,][0-9])"
)
_POINT = lazy_pattern(r"(?<=[0-9])\.(?=[0-9])")


def called_in(text: str) -> Iterator[Claim]:
    r"""The results of calls such as ``ndcg([3, 2, 0], k=2)``: the next decimal, if words announce it.

    >>> [(claim.number.text, claim.ranking) for claim in called_in("r = [2, 0, 1]\nround(dcg(r), 1)  # a sum\n2.5")]
    [('2.5', (2.0, 0.0, 1.0))]
    """
    calls = list(CALL.finditer(text))
    assigned = list(ASSIGNED.finditer(text))[::-1]
    lists: dict[str, str] = {}
    ends = [*(call.start() for call in calls), len(text)][1:]
    before = 0  # where the call before ends
    for call, end in zip(calls, ends, strict=True):
        while assigned and assigned[-1].start() < call.start():
            last = assigned.pop()
            lists[last["name"] or last["changed"]] = last["grades"] or ""  # nothing if it is no list of numbers
        follows, before = _follows_another(text, before, call), call.end()
        if follows:
            continue
        grades = _grades_of(call["grades"] or lists.get(call["variable"], ""))
        quantity = quantity_called(call["name"])
        given = _options_of(call["options"] or "", quantity, lists) if grades and quantity else None
        if grades is None or quantity is None or given is None:
            continue
        grades = tuple(grades[i] for i in _order_of(given.scores, len(grades)))
        rest = _REST_OF_LINE.match(text, call.end())
        start = rest.end() if rest else call.end()
        for found in _DECIMAL.finditer(text, start, min(end, call.end() + BEHIND)):
            between = text[start : found.start()]
            if "}" in between or _ANOTHER_CALL.search(between):
                break  # formatted among other text, so that what is printed first need not be its result
            if not between.strip() or RESULT.search(between.rstrip()):
                # The second argument of recall(r, 3) may be the number of relevant documents
                sure = given.named or given.k is None or quantity not in ("AP", "R")
                k = given.k if sure else None
                own = grades if quantity in ("NDCG", "IDCG") else None
                judged = given.judged or own
                number = read_number(found[0])
                about = Claim(*found.span(), number, call[0], quantity, k, sure, ranking=grades, called=True)
                yield replace(about, judged=judged, option=given.others)
                break


def _follows_another(text: str, before: int, call: re.Match[str]) -> bool:
    """Whether a call prints behind another one whose result has not come yet, so that the next number is of that."""
    between = text[before : call.start()]
    printed = "print" in text[text.rfind("\n", 0, call.start()) + 1 : call.start()]
    return before > 0 and "\n\n" not in between and (printed or "\n" not in between) and not _DECIMAL.search(between)


class _Options(NamedTuple):
    """What a call is given besides its grades: the cutoff, and if by name; scores, the ideal, and all else."""

    k: int | None
    named: bool
    scores: tuple[float, ...]
    judged: tuple[float, ...] | None
    others: str


def _options_of(text: str, quantity: str, lists: Mapping[str, str]) -> _Options | None:
    """The options of a call; None where a list among them has another meaning than scores or judged grades."""
    scores: tuple[float, ...] = ()
    judged = None
    for each in _LISTS.finditer(text):
        values, name = _grades_of(each["values"]), (each["name"] or "score").lower()
        if values is None or not (name in IDEALS or "score" in name):
            return None
        scores, judged = (scores, values) if name in IDEALS else (values, judged)
    if len(set(scores)) < len(scores):
        return None  # some are tied
    k, named, others = None, False, []
    for part in filter(None, (part.strip() for part in _LISTS.sub("", text).split(","))):
        name, _, value = (each.strip() for each in part.rpartition("="))
        if value.isdecimal() and (name.lower() in CUTOFFS or not name) and k is None:
            k, named = int(value), bool(name)
        elif name.lower() in IDEALS:
            judged = _grades_of(lists.get(value, ""))
        elif quantity != "RBP":  # whose other argument is the chance to go on
            others.append(f"{name}={value}")
    return _Options(k, named, scores, judged, ", ".join(others))


def _order_of(scores: Sequence[float], count: int) -> list[int]:
    """The places of documents in the order of their scores."""
    return sorted(range(count), key=lambda i: -scores[i]) if len(scores) == count else list(range(count))


def _grades_of(text: str) -> tuple[float, ...] | None:
    """The ranking that the text of a list holds; None if it holds anything else."""
    try:
        return tuple(float(each) for each in re.split(r"[,;\s]+", text.strip()) if each) or None
    except ValueError:
        return None


def bare_in(text: str, claims: Sequence[Claim]) -> Iterator[Claim]:
    """Numbers that a sentence gives a name, such as "an NDCG of 0.85"."""
    taken = {place for claim in claims for place in range(claim.start, claim.end)}
    if all(found.start() in taken for found in _POINT.finditer(text)):
        return
    for found in BARE.finditer(text):
        start, end = found.span("number")
        if start in taken or "\n\n" in found[0]:
            continue  # a name and a number of another paragraph
        line = text[text.rfind("\n", 0, found.start()) + 1 : found.end("label")]
        words = line if line[: -len(found["label"])].rstrip().endswith("/") else found["label"]
        named = quantity_of(words) or (("IDCG", None, False) if says_ideal(found["label"]) else None)
        if named is None or named[0] == "other":
            continue
        quantity, k, sure = named
        label = text[max(0, found.start() - BEFORE) : start]
        yield Claim(start, end, read_number(found["number"]), label, quantity, k, sure, bare=True)


def alone_in(text: str, claims: Sequence[Claim]) -> Iterator[Claim]:
    """The numbers of many digits that are no claims yet: their digits alone show what they are.

    >>> [claim.number.text for claim in alone_in("My code prints 0.5757 after 0.12 seconds.", [])]
    ['0.5757']
    """
    taken = {claim.start for claim in claims}
    for found in _DECIMAL.finditer(text):
        number = read_number(found[0])
        if found.start() not in taken and number.digits >= LEAST_DIGITS:
            yield Claim(*found.span(), number)


def named_in(text: str, names: Names) -> Iterator[Claim]:
    """Numbers of a sentence for several rankings, such as "an NDCG of 0.85 for A and 0.92 for B"."""
    for found in _FOR_NAME.finditer(text) if names.rankings else ():
        start, end = found.span("number" if found["number"] else "behind")
        ranking = names.rankings.get(found["name"] or found["before"])
        begin = max((each.end() for each in _SENTENCE.finditer(text, max(0, start - BEHIND), start)), default=0)
        named = quantity_of(text[max(begin, start - BEHIND) : start].replace("=", " "))
        if ranking is None or named is None or named[0] == "other":
            continue
        quantity, k, sure = named
        yield Claim(
            start, end, read_number(text[start:end]), text[begin:start], quantity, k, sure, ranking=ranking, bare=True
        )


def percentages_in(text: str, claims: Sequence[Claim]) -> Iterator[Claim]:
    """Results that a sentence repeats as a percentage, and shares of whole numbers such as "3 of 5, so 60%"."""
    taken = {claim.start for claim in claims}
    for claim in claims:
        result = claim.quantity in MEASURES and claim.term is None and claim.cell is None and not claim.operand
        found = RESTATED.match(text, claim.end, claim.end + BEFORE) if result else None
        if found and found.start("percent") not in taken and not says_change(text[found.end() : found.end() + 20]):
            start, end, number = _percentage(found)
            yield replace(claim, start=start, end=end, number=number, restated=True)
    for found in SHARE.finditer(text):
        if found.start("percent") not in taken and int(found["some"]) <= int(found["all"]):
            yield Claim(*_percentage(found), "share", exact=int(found["some"]) / int(found["all"]))


def _percentage(found: re.Match[str]) -> tuple[int, int, Number]:
    """Where a percentage stands, and the number; its sign belongs to it if it stands right behind."""
    end = found.end("sign") if found["sign"] == "%" else found.end("percent")
    return found.start("percent"), end, read_number(found["percent"].replace(",", ".") + "%")
