"""The results that a note prints behind calls such as ``ndcg([3, 2, 0], k=2)``, and what the calls are given."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ndcg_ref.notes.claims import NoteClaim
from ndcg_ref.notes.words import quantity_of
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
_OPTION = re.compile(r"(?:(?P<name>\w+)\s*=\s*)?(?:\[{1,2}(?P<list>[^\[\]]*)\]{1,2}|(?P<value>[^\s,\[\]][^,\[\]]*))")
# The next decimal, if words announce it; a comment may say how it comes out, and a time such as 0.12 s is none
_RESULT = re.compile(
    r"(?:\s*,\s*[0-9]{1,2})?\)*[ \t]*(?:#(?:(?!→|=>|->)[^\n])*\n)?"
    r"(?:\s*|[^(}/+*]{0,160}?(?:expected|output|result|returns?|prints?|→|=>|->|>>>|=|:)[^\w(}/+*]*)"
    r"(?<![\w.,])(?P<number>[0-9]{1,3}\.[0-9]{1,17})(?!\w|[.,][0-9]|\s*(?:±|[nµm]?s\b))",
    re.IGNORECASE,
)
CALLED = ("NDCG", "IDCG", "DCG", "AP", "P", "R", "RR", "RBP", "ERR")
COUNTED = ("AP", "R")  # whose second argument may be the number of relevant documents
IDEALS = ("ideal", "pool", "judged", "all_rels", "all_grades", "qrels")
CUTOFFS = ("k", "at", "at_k", "top_k", "topk", "cutoff", "n", "p")


def called_in(text: str) -> Iterator[NoteClaim]:
    r"""The results of calls such as ``ndcg([3, 2, 0], k=2)``.

    >>> [(claim.number.text, claim.ranking) for claim in called_in("r = [2, 0, 1]\nround(dcg(r), 1)  # a sum\n2.5")]
    [('2.5', (2.0, 0.0, 1.0))]
    """
    lists: dict[str, str] = {}
    found = sorted([*CALL.finditer(text), *_ASSIGNED.finditer(text)], key=lambda each: each.start())
    for each in found:
        if each.re is _ASSIGNED:
            lists[each["name"] or each["changed"]] = each["grades"] or ""  # nothing if it is no list of numbers
            continue
        quantity = (quantity_of(each["name"].replace("_", " ")) or ("other",))[0]
        ranking = _grades_of(each["grades"] or lists.get(each["variable"], ""))
        given = _given(each["options"] or "", quantity, lists)
        result = _RESULT.match(text, each.end())
        if quantity in CALLED and ranking and given and result:
            k, judged, option = given
            number, span = read_number(result["number"]), result.span("number")
            yield NoteClaim(*span, number, each[0], quantity, k, True, ranking=ranking, judged=judged, option=option)


def _given(
    text: str, quantity: str, lists: Mapping[str, str]
) -> tuple[int | None, tuple[float, ...] | None, str] | None:
    """The cutoff, the judged grades and the other options of a call; None where a list among them is of scores, say."""
    k, judged, others = None, None, []
    for each in _OPTION.finditer(text):
        name, value = (each["name"] or "").lower(), (each["value"] or "").strip()
        if name in IDEALS:
            judged = _grades_of(each["list"] or lists.get(value, ""))
        elif each["list"] is not None:
            return None
        elif value.isdecimal() and (name in CUTOFFS or not (name or quantity in COUNTED)):
            k = int(value) or None
        else:
            others.append(each[0])
    return k, judged, ", ".join(others)


def _grades_of(text: str) -> tuple[float, ...] | None:
    """The ranking that the text of a list holds; None if it holds anything else."""
    try:
        return tuple(float(each) for each in re.split(r"[,;\s]+", text.strip()) if each) or None
    except ValueError:
        return None
