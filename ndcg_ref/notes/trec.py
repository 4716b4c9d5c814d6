"""Judgments, runs and results as the programs of TREC print them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

_JUDGED = re.compile(
    r"^[ \t>]*(?P<query>\S{1,40})[ \t]+0[ \t]+(?P<document>\S{1,80})[ \t]+(?P<grade>[0-9])[ \t]*$", re.MULTILINE
)
_RUN = re.compile(
    r"^[ \t>]*(?P<query>\S{1,40})[ \t]+Q0[ \t]+(?P<document>\S{1,80})[ \t]+[0-9]+[ \t]+"
    r"(?P<score>-?[0-9.]+)[ \t]+\S+[ \t]*$",
    re.MULTILINE,
)
_RESULT = re.compile(
    r"^[ \t>]*(?P<measure>(?:ndcg|P|recall|map|recip_rank|success)(?:_cut)?(?:_(?P<k>[0-9]{1,4}))?)[ \t]+"
    r"(?P<query>\S{1,40})[ \t]+"
    r"(?P<number>[0-9]\.[0-9]{1,17})[ \t]*$",
    re.MULTILINE,
)
_QUANTITIES = {"ndcg": "NDCG", "P": "P", "recall": "R", "map": "AP", "recip_rank": "RR", "success": "SUCCESS"}
ALL = "all"


class TrecResult(NamedTuple):
    """A printed result: where it stands, its quantity and cutoff, and the query; the ranking with its judged grades."""

    start: int
    end: int
    quantity: str
    k: int | None
    query: str
    ranking: tuple[float, ...] | None
    judged: tuple[float, ...] | None


def results_in(text: str) -> Iterator[TrecResult]:
    r"""The results of a text, each with the ranking of its query.

    >>> text = "1 0 a 2\n1 0 b 1\n1 Q0 c 1 9.5 x\n1 Q0 a 2 9.1 x\nndcg_cut_5 1 0.4796\n"
    >>> [(each.quantity, each.k, each.ranking, each.judged) for each in results_in(text)]
    [('NDCG', 5, (0.0, 2.0), (2.0, 1.0))]
    """
    grades: dict[str, dict[str, float]] = defaultdict(dict)
    for found in _JUDGED.finditer(text):
        grades[found["query"]][found["document"]] = float(found["grade"])
    runs: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for found in _RUN.finditer(text):
        runs[found["query"]].append((float(found["score"].rstrip(".")), found["document"]))
    if not runs or not grades:
        return
    for found in _RESULT.finditer(text):
        query = found["query"]
        name = re.sub(r"(_cut)?(_[0-9]+)?$", "", found["measure"])
        ranked = sorted(runs.get(query, ()), key=lambda pair: -pair[0])
        ranking = tuple(grades[query].get(document, 0.0) for _, document in ranked) or None
        judged = tuple(grades[query].values()) if ranking else None
        k = int(found["k"]) if found["k"] else None
        yield TrecResult(*found.span("number"), _QUANTITIES[name], k, query, ranking, judged)
