"""Small judgments and runs, and conventions, drawn with a seed: what engines must agree on, and whether they do."""

import math
from random import Random

import pytest

from ndcg_ref import Convention
from ndcg_ref.conventions.convention import WORDS

DOCUMENTS = ["d", "d1", "d10", "d2", "é", "Z", "a", "\U0001f600", "\uff5e", *(f"e{n}" for n in range(9))]
LEVELS = [[0, 1, 2, 3], [0, 0, 1], [-1, 0, 0.5, 2], [0], [-1, 1], [-1], [0, 5, 31, 40]]
SCORES = [[1, 2, 3], [0.1 * n for n in range(9)], [1, 1 + 1e-9, 1e39, 3.5e38, -1e39], [0.0, -0.0, 1]]
GAINS = ["linear", "exponential", "binary", (0.5, 1, 3, 2), {-1: -2, 0: 0, 0.5: 1, 1: 1, 2: 4, 3: 3}]
CHOICES = {
    "gain": GAINS,
    "discount": ["log(rank+1)", "log(rank)", "rank", "none"],
    "base": [2, 2, 10, math.e],
    "zero_ideal": ["nan", 0, 1],
    **{choice: [word for word in words if word != "error"] for choice, words in WORDS.items()},
}


def convention(random: Random) -> Convention:
    """A convention that refuses nothing; one with a table reads only grades of the table."""
    chosen = {choice: random.choice(values) for choice, values in CHOICES.items()}
    if isinstance(chosen["gain"], tuple):
        chosen |= {"negative": "clamp", "fractional": "truncate"}
    if isinstance(chosen["gain"], dict) and chosen["fractional"] == "truncate":
        chosen["negative"] = "clamp"
    return Convention(**chosen)


def sides(random: Random) -> tuple[dict, dict]:
    """Judgments and a run of few documents, with ties, unjudged documents, and queries that one side lacks."""

    def side(values):
        return {
            query: {d: random.choice(values) for d in random.sample(DOCUMENTS, random.randint(1, len(DOCUMENTS)))}
            for query in ["q1", *random.sample(["q2", "q3", "é"], 2)]
        }

    return side(random.choice(LEVELS)), side(random.choice(SCORES))


def rows(side: dict) -> list[tuple]:
    """A row for each document, in an order that says nothing, with its place in the input."""
    made = [
        (query, document, float(value), place)
        for query, values in side.items()
        for place, (document, value) in enumerate(values.items())
    ]
    return sorted(made, key=lambda row: (row[1], row[0]))


def same(found, expected):
    """Whether two results are equal: all counts and names, and values within 1e-12."""
    parts = ("mean", "per_query", "dcg", "idcg")
    exact = ("counts", "conventions", "only_trec_eval", "excluded")
    if [getattr(found, part) for part in exact] != [getattr(expected, part) for part in exact]:
        return False
    pairs = [(getattr(found, part), getattr(expected, part)) for part in parts]
    flat = [(flattened(one), flattened(other)) for one, other in pairs]
    return all(one == pytest.approx(other, rel=1e-12, abs=1e-12, nan_ok=True) for one, other in flat)


def flattened(values):
    """The numbers of nested dicts, by their keys."""
    return {
        (key, *rest): number
        for key, value in values.items()
        for rest, number in (flattened(value).items() if isinstance(value, dict) else [((), value)])
    }
