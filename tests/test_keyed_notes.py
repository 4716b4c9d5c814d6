"""The keys of the notes that score the check are right, by arithmetic of their own.

Nothing of `ndcg_ref` is used here: an error of the package could not be seen with the package.
"""

import hashlib
import json
import math
import re
from decimal import Decimal
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parent.parent / "tools" / "experiments" / "keyed_notes"
KEYS = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.json"))]
CLAIMS = [(key, claim) for key in KEYS for claim in key["claims"]]
CONVENTIONS = {"mixed": ("linear", "exp2", "original"), "binary": ("linear",)}
BASES = {"natural logarithm": math.e, "base ten": 10, "decimal logarithm": 10}
BETWEEN_0_AND_1 = re.compile("NDCG|MAP|AP|MRR|RR|P@|recall|F1|R-precision|ERR|RBP|HR|probability")


def text_of(key):
    return (FOLDER / key["file"]).read_bytes().decode("utf-8")


def decimal_of(stated, language):
    thousands, point = (",", ".") if language == "en" else (".", ",")
    return Decimal(stated.replace("\u202f", "").replace(thousands, "").replace(point, ".").replace("\u2212", "-"))


def rounds(claim, language):
    """Whether the stated number is a rounding of the true value."""
    stated = decimal_of(claim["stated"], language)
    if claim["stated"] in ("0", "1") and BETWEEN_0_AND_1.search(claim["computes"]):
        return abs(float(stated) - claim["true"]) < 1e-12
    half = Decimal(5).scaleb(stated.as_tuple().exponent - 1)
    return abs(Decimal(claim["true"]) - stated) <= half + 4 * Decimal(math.ulp(claim["true"]))


def gain(grade, convention):
    return 2**grade - 1 if convention == "exp2" else grade


def discount(rank, convention, base=2):
    return max(1.0, math.log2(rank)) if convention == "original" else math.log(rank + 1) / math.log(base)


def dcg(grades, k, convention, base=2):
    return sum(gain(grade, convention) / discount(rank, convention, base) for rank, grade in enumerate(grades[:k], 1))


def of_ranking(claim, convention, base):
    """The value of a measure of one ranking, None for any other quantity."""
    match = re.fullmatch("(NDCG|I?DCG|CG|P|recall|AP|RR|F1|R-precision)(?:@([0-9]+))?( repeated)?", claim["computes"])
    if match is None or claim["inputs"] is None:
        return None
    name, grades, judged = match[1], claim["inputs"], claim["judged"] or claim["inputs"]
    k, best = int(match[2] or len(grades)), sorted(claim["judged"] or claim["inputs"], reverse=True)
    relevant, hits = sum(grade > 0 for grade in judged), [grade > 0 for grade in grades]
    found = sum(hits[:k])
    ideal = dcg(best, k, convention, base)
    precisions = [sum(hits[:rank]) / rank for rank in range(1, min(k, len(hits)) + 1) if hits[rank - 1]]
    values = {
        "CG": lambda: sum(gain(grade, convention) for grade in grades[:k]),
        "DCG": lambda: dcg(grades, k, convention, base),
        "IDCG": lambda: ideal,
        "NDCG": lambda: dcg(grades, k, convention, base) / ideal if ideal else 0.0,
        "P": lambda: found / k,
        "recall": lambda: found / relevant,
        "F1": lambda: 2 * found / (k + relevant),
        "R-precision": lambda: sum(hits[:relevant]) / relevant,
        "AP": lambda: sum(precisions) / relevant,
        "RR": lambda: 1 / (hits.index(True) + 1) if any(hits) else 0.0,
    }
    return values[name]()


def of_rank(claim, convention, base):
    """The values that a gain, a discount or a term has for grades to 10 and ranks to 20."""
    name = claim["computes"].removesuffix(" repeated")
    if name == "gain":
        return [gain(grade, convention) for grade in range(11)]
    discounts = [discount(rank, convention, base) for rank in range(1, 21)]
    if name == "discount":
        return [value for each in discounts for value in (each, 1 / each)]
    if name in ("term", "iterm"):
        return [gain(grade, convention) / each for grade in range(11) for each in discounts]
    return []


def recomputed(key, claim):
    """The values that a claim may have, under the conventions of its note; none where it needs more than its inputs."""
    base = next((base for words, base in BASES.items() if words in (claim["remark"] or "")), 2)
    values = []
    for convention in CONVENTIONS.get(key["convention"], (key["convention"],)):
        one = of_ranking(claim, convention, base)
        values += of_rank(claim, convention, base) if one is None else [one]
    return [value * (100 if "in percent" in (claim["remark"] or "") else 1) for value in values]


def test_there_are_at_least_80_notes_in_both_halves():
    halves = [hashlib.sha256(key["id"].encode()).digest()[0] % 2 for key in KEYS]
    assert len(KEYS) >= 80
    assert min(halves.count(0), halves.count(1)) >= len(KEYS) // 3
    assert {path.stem for path in FOLDER.iterdir()} - {"README"} == {key["id"] for key in KEYS}


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key["id"])
def test_each_quote_is_at_its_place_and_has_the_number(key):
    text = text_of(key)
    for claim in key["claims"]:
        end = claim["offset"] + len(claim["quote"])
        assert text[claim["offset"] : end] == claim["quote"]
        number = rf"(?<![\d.,]){re.escape(claim['stated'])}(?!\d|[.,]\d)"
        assert len(re.findall(number, claim["quote"])) == 1, claim["quote"]


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key["id"])
def test_a_right_number_is_a_rounding_of_its_value_and_a_slip_is_none(key):
    for claim in key["claims"]:
        assert claim["verdict"] == ("ok" if rounds(claim, key["language"]) else "slip"), claim
        assert (claim["slip_class"] is None) == (claim["verdict"] == "ok"), claim


def test_a_slip_follows_from_a_slip_of_its_note():
    for key, claim in CLAIMS:
        if claim["inherited_from"] is not None:
            (source,) = (each for each in key["claims"] if each["offset"] == claim["inherited_from"])
            assert source["verdict"] == "slip"


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key["id"])
def test_each_true_value_is_what_its_ranking_gives(key):
    for claim in key["claims"]:
        values = recomputed(key, claim)
        assert not values or any(abs(value - claim["true"]) <= 1e-9 * max(1, abs(value)) for value in values), claim


def test_most_values_are_recomputed():
    done = sum(bool(recomputed(key, claim)) for key, claim in CLAIMS)
    assert done >= 0.85 * len(CLAIMS)  # the rest are means, differences, ERR, RBP and single probabilities
