"""What the hidden tests share. It goes into the autograder alone, not to the students."""

import json
import math
import re
import sys
from pathlib import Path

for module in [name for name in sys.modules if name.partition(".")[0] == "ndcg_ref"]:
    del sys.modules[module]  # the notebook runs in this process and may have replaced one of its functions

import ndcg_ref  # noqa: E402
from ndcg_ref.stated import judge  # noqa: E402
from ndcg_ref.subjects.ranking import alternatives_for  # noqa: E402

RANKINGS = json.loads(Path(__file__).with_name("rankings.json").read_text(encoding="utf-8"))
JUDGED = RANKINGS["judged"]


def check_number(answer, measure, system, k):
    """Accept every right rounding of a measure; say of any other number how it may have come about."""
    assert type(answer) is str, "expected a number as text, in quotation marks"
    # "0.0" or "0e9" claims so little that almost every value could be rounded to it
    assert re.fullmatch(r"[0-9]+\.[0-9]{2,}", answer), "expected at least two decimals, such as 0.50"
    ranking = RANKINGS[system]
    computed = {
        "dcg": lambda: ndcg_ref.dcg(ranking, k),
        "idcg": lambda: ndcg_ref.idcg(ranking, k, judged=JUDGED),
        "ndcg": lambda: ndcg_ref.ndcg(ranking, k, judged=JUDGED),
    }[measure]()
    name = f"{measure.upper()}@{k} of {system}"
    verdict = judge(answer, computed, name, alternatives=alternatives_for(measure, ranking, k=k, judged=JUDGED))
    hints = "; or ".join(map(str, verdict.evidence)) or "no usual slip leads to this number"
    assert verdict.outcome == "agrees", f"{name} is not {answer}: {hints}"


def check_dcg(function, grades, k, *discount):
    """Accept a function whose value is the DCG; a discount, if given, replaces the usual one."""
    discounts = [(discount[0] if discount else lambda rank: math.log2(rank + 1))(rank) for rank in range(1, k + 1)]
    expected = sum(grade / divisor for grade, divisor in zip(grades, discounts, strict=False))
    value = float(function(list(grades), k, *discount))
    assert math.isclose(value, expected, abs_tol=1e-9), f"grades {grades}, k = {k}: got {value}"


def check_grades(answer):
    """Accept a list of whole numbers, and nothing that only compares like one."""
    assert type(answer) is list, "expected a list"
    assert all(type(grade) is int for grade in answer), "expected whole numbers"


def check_order(answer):
    """Accept a list of the grades of all judged documents, each of them once."""
    check_grades(answer)
    assert sorted(answer) == sorted(JUDGED), "expected the grades of all judged documents, each of them once"


def ndcg(ranking, k):
    """NDCG of a ranking of the judged documents."""
    return ndcg_ref.ndcg(ranking, k, judged=JUDGED)
