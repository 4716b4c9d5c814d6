"""The results that a note prints behind calls such as ``ndcg([3, 2, 0], k=2)``, and what the calls are given."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from ndcg_ref.notes.claims import NoteClaim
from ndcg_ref.stated.number import read_number

CALL = re.compile(
    r"(?<![\w.])"
    r"(?P<name>[\w.]{0,60}?(?:dcg|precision|recall|reciprocal_rank|rbp|err|(?<![A-Za-z])(?:ap|rr))(?![a-z])\w{0,40})"
    r"\s*\(\s*(?:\[(?P<nested>\[)?(?P<grades>[^\[\]()]{3,400})\](?(nested)\])|(?P<variable>[a-z_]\w{0,30}))\s*"
    r"(?:,(?P<options>(?:[^()\[\]\n]|\[{1,2}[^\[\]()]{3,400}\]{1,2}){1,120}))?\)",
    re.IGNORECASE,
)
_ASSIGNED = re.compile(
    r"(?<![\w.])(?P<name>[a-z_]\w{0,30})\s*=\s*(?:[a-z.]{1,20}\()?\[{1,2}(?P<grades>[0-9.,\s]{3,400})\]"
    r"|(?<=\n)[ \t]*(?:for\s)?(?P<changed>[a-z_]\w{0,30})\s*(?:=(?!=)|in\s)",
    re.IGNORECASE,
)
_CALLED = {
    "NDCG": "ndcg",
    "IDCG": "idcg|ideal_dcg",
    "DCG": "dcg",
    "AP": "average_precision|(?<![a-z])ap",
    "P": "precision",
    "R": "recall",
    "RR": "reciprocal_rank|(?<![a-z])rr",
    "RBP": "rbp|rank_biased",
    "ERR": "(?<![a-z])err|expected_reciprocal",
}
_RESULT = re.compile(r"(?:expected|output|result|returns?|prints?|→|=>|->|⇒|>>>|=|:)\W*$", re.IGNORECASE)
_LISTS = re.compile(r"(?:(?P<name>\w+)\s*=\s*)?\[{1,2}(?P<values>[^\[\]]*)\]{1,2}")
IDEALS = ("ideal", "pool", "judged", "all_rels", "all_grades", "qrels")
CUTOFFS = ("k", "at", "at_k", "top_k", "topk", "cutoff", "n", "p")
# Where a call is rounded, and what a comment says of it
_REST_OF_LINE = re.compile(r"(?:\s*,\s*[0-9]{1,2})?\)*[ \t]*(?:#(?:(?!→|=>|->)[^\n])*\n)?")
# No time, such as 0.12 seconds
_DECIMAL = re.compile(r"(?<![\w.,])[0-9]{1,3}\.[0-9]{1,17}(?![\w]|[.,][0-9]|\s*(?:±|[nµm]?s\b))")
BEHIND = 160  # characters behind a call in which its result may stand


def called_in(text: str) -> Iterator[NoteClaim]:
    r"""The results of calls such as ``ndcg([3, 2, 0], k=2)``: the next decimal, if words announce it.

    >>> [(claim.number.text, claim.ranking) for claim in called_in("r = [2, 0, 1]\nround(dcg(r), 1)  # a sum\n2.5")]
    [('2.5', (2.0, 0.0, 1.0))]
    """
    calls = list(CALL.finditer(text))
    assigned = list(_ASSIGNED.finditer(text))[::-1]
    lists: dict[str, str] = {}
    ends = [*(call.start() for call in calls), len(text)][1:]
    for call, end in zip(calls, ends, strict=True):
        while assigned and assigned[-1].start() < call.start():
            last = assigned.pop()
            lists[last["name"] or last["changed"]] = last["grades"] or ""  # nothing if it is no list of numbers
        grades = _grades_of(call["grades"] or lists.get(call["variable"], ""))
        quantity = quantity_called(call["name"])
        given = _options_of(call["options"] or "", quantity, lists) if grades and quantity else None
        if grades is None or quantity is None or given is None:
            continue
        rest = _REST_OF_LINE.match(text, call.end())
        start = rest.end() if rest else call.end()
        for found in _DECIMAL.finditer(text, start, min(end, call.end() + BEHIND)):
            between = text[start : found.start()]
            if "}" in between or between.rstrip()[-1:] in ("/", "+", "*"):
                break  # formatted among other text, or what is printed first is worked out in some line below
            if not between.strip() or _RESULT.search(between.rstrip()):
                # The second argument of recall(r, 3) may be the number of relevant documents
                sure = given.named or given.k is None or quantity not in ("AP", "R")
                k = given.k if sure else None
                own = grades if quantity in ("NDCG", "IDCG") else None
                judged = given.judged or own
                number = read_number(found[0])
                about = NoteClaim(*found.span(), number, call[0], quantity, k, sure, ranking=grades)
                yield replace(about, judged=judged, option=given.others)
                break


class _Options(NamedTuple):
    """What a call is given besides its grades: the cutoff, and if by name; the judged grades, and all else."""

    k: int | None
    named: bool
    judged: tuple[float, ...] | None
    others: str


def _options_of(text: str, quantity: str, lists: Mapping[str, str]) -> _Options | None:
    """The options of a call; None where a list among them is not of judged grades, but of scores, say."""
    k, named, judged, others = None, False, None, []
    for each in _LISTS.finditer(text):
        judged = _grades_of(each["values"])
        if judged is None or (each["name"] or "").lower() not in IDEALS:
            return None
    for part in filter(None, (part.strip() for part in _LISTS.sub("", text).split(","))):
        name, _, value = (each.strip() for each in part.rpartition("="))
        if value.isdecimal() and (name.lower() in CUTOFFS or not name) and k is None:
            k, named = int(value) or None, bool(name)
        elif name.lower() in IDEALS:
            judged = _grades_of(lists.get(value, ""))
        elif quantity != "RBP":  # whose other argument is the chance to go on
            others.append(f"{name}={value}")
    return _Options(k, named, judged, ", ".join(others))


def _grades_of(text: str) -> tuple[float, ...] | None:
    """The ranking that the text of a list holds; None if it holds anything else."""
    try:
        return tuple(float(each) for each in re.split(r"[,;\s]+", text.strip()) if each) or None
    except ValueError:
        return None


def quantity_called(name: str) -> str | None:
    """The quantity that a function computes, by its name; None for a mean over several rankings.

    >>> quantity_called("ndcg_at_k"), quantity_called("average_precision"), quantity_called("mean_reciprocal_rank")
    ('NDCG', 'AP', None)
    """
    lower = name.lower()
    if lower.startswith(("mean", "error", "pooled")):
        return None
    return next((quantity for quantity, form in _CALLED.items() if re.search(form, lower)), None)
