"""The page that checks a calculation names the mistake that the package names first, and seldom one by chance.

Node recomputes the mistakes as the page does; the verdicts and labels to compare with are those of the package.
"""

import json
import math
import re
from collections import Counter
from random import Random

import pytest
from test_twin import node

from ndcg_ref.formulas.measured_ranking import Ranking
from ndcg_ref.stated import judge
from ndcg_ref.stated.subject import codes
from ndcg_ref.subjects.ranking import RANKING

RULES = {
    "STANDARD": {"gain": "linear", "discount": "log(rank+1)", "base": 2},
    "ORIGINAL": {"gain": "linear", "discount": "log(rank)", "base": 2},
    "EXPONENTIAL": {"gain": "exponential", "discount": "log(rank+1)", "base": 2},
}
KINDS = [
    # the code of a mistake, and what its label has
    ("convention", "log base e"),
    ("minus-one", "2^grade as the gain"),
    ("unsorted-ideal", "the ideal"),
    ("convention", "ideal of the first"),
    ("convention", "ideal not cut"),
    ("term", " discounted as "),
    ("term", " dropped"),
    ("convention", "gain "),
    ("convention", "discount "),
    ("truncated", ""),
]
EACH, RANDOM = 200, 2000
MEASURES = ("DCG", "IDCG", "NDCG")


def drawn(random):
    """A ranking, and a measure of it that has a value above 0."""
    while True:
        grades = [random.randint(0, 3) for _ in range(random.randint(4, 8))]
        missed = [random.randint(0, 3) for _ in range(random.choice([0, 0, 1, 2, 3]))]
        k = random.choice([None, *range(3, len(grades))])
        judged = grades + missed if missed else None
        ranking = Ranking(grades, judged=judged, k=k, convention=random.choice(list(RULES)))
        measure = random.choice(MEASURES)
        if ranking.value(measure) > 0:
            return ranking, measure


def planted(random, code, part):
    """A number that is wrong by one mistake, printed with 2 to 4 decimals."""
    while True:
        ranking, measure = drawn(random)
        decimals, right = random.choice([2, 3, 4]), ranking.value(measure)
        made = RANKING[measure].alternatives(ranking).get(code, {})
        values = [value for label, value in made.items() if part in label]
        if code == "truncated":
            values = [math.floor(right * 10**decimals) / 10**decimals]
        if values and is_wrong(stated := f"{random.choice(values):.{decimals}f}", measure, ranking):
            return stated, measure, ranking


def wrong_by_chance(random, decimals):
    """A number between half and one and a half times the right one; an NDCG of at most 1."""
    while True:
        ranking, measure = drawn(random)
        right = ranking.value(measure)
        most = min(1.5 * right, 1) if measure == "NDCG" else 1.5 * right
        if is_wrong(stated := f"{random.uniform(right / 2, most):.{decimals}f}", measure, ranking):
            return stated, measure, ranking


def judged(stated, measure, ranking):
    return judge(stated, ranking.value(measure), measure, alternatives=RANKING[measure].alternatives(ranking))


def is_wrong(stated, measure, ranking):
    return judged(stated, measure, ranking).outcome == "slip"


def asked(cases):
    """What the page says of numbers, and its sentences."""
    slips = [
        {
            **{"stated": stated, "measure": measure, "rule": RULES[ranking.convention]},
            **{"grades": ranking.grades, "judged": ranking.judged, "k": ranking.k},
        }
        for stated, measure, ranking in cases
    ]
    made = json.loads(
        node("tests/stdin.js", given=json.dumps({"numbers": [], "commas": [], "tables": [], "slips": slips}))
    )
    return made["slips"], made["sentences"]


@pytest.fixture(scope="module")
def plants():
    """Planted mistakes by kind, each with what the page and the package say."""
    random = Random(25)
    cases = [(kind, planted(random, *kind)) for kind in KINDS for _ in range(EACH)]
    said, sentences = asked([case for _, case in cases])
    return [(kind, case, page) for (kind, case), page in zip(cases, said, strict=True)], sentences


def test_page_and_package_name_the_same_mistake_first(plants, capsys):
    found, _ = plants
    same = Counter()
    for kind, case, page in found:
        evidence = judged(*case).evidence
        same[kind] += page["causes"][:1] == [[each.cause, each.label] for each in evidence[:1]]
    with capsys.disabled():
        worst = min(same.values()) / EACH
        print(f"\nThe same mistake first: {same.total() / len(found):.1%}, of the worst kind {worst:.1%}.")
    assert len(same) == 10
    assert same.total() >= 0.95 * len(found)
    assert min(same.values()) >= 0.9 * EACH


def test_verdicts_never_differ(plants):
    found, _ = plants
    random = Random(26)
    right = []
    for _ in range(RANDOM):
        ranking, measure = drawn(random)
        digits = random.choice([2, 3, 4])
        right.append(
            (f"{ranking.value(measure) + random.choice([0, 0, 1]) * 10**-digits:.{digits}f}", measure, ranking)
        )
    outcomes = ["agrees" if page["agrees"] else "slip" for page in asked(right)[0]]
    assert outcomes == [str(judged(*case).outcome) for case in right]
    assert set(outcomes) == {"agrees", "slip"}
    assert not any(page["agrees"] for _, _, page in found)


@pytest.mark.parametrize(("decimals", "most"), [(2, 0.07), (3, 0.01)])
def test_few_random_wrong_numbers_have_a_cause(decimals, most, capsys):
    random = Random(27)
    said, _ = asked([wrong_by_chance(random, decimals) for _ in range(RANDOM)])
    share = sum(bool(page["causes"]) for page in said) / RANDOM
    with capsys.disabled():
        print(f"\nBy chance, with {decimals} decimals: {share:.1%}.")
    assert share <= most


def test_each_sentence_is_of_a_cause_and_a_label_of_the_package(plants):
    found, sentences = plants
    tried = set()
    for _, (_, measure, ranking), page in found:
        labels = {(code, label) for code, values in RANKING[measure].alternatives(ranking).items() for label in values}
        wrong = {(code, label): key for code, label, key in page["tried"]}
        assert set(wrong.values()) <= set(sentences)
        tried |= {wrong[each] for each in labels & set(wrong)}
    roundings = {"rounded-twice", "truncated", "rounded-up"}
    assert tried | roundings == set(sentences)
    assert {re.split(":", each)[0] for each in sentences} <= set(codes())
