"""What every engine evaluates: drawn data with everything that conventions differ on, and drawn conventions."""

import random

from ndcg_ref import Convention
from ndcg_ref.conventions.spellings import BY_RANK

SEED = 15
QUERIES = 60
# With a cutoff, which an engine ranks few documents for, and without one
MEASURES = (
    ("nDCG@5", "DCG@3", "P@5", "R@5", "Judged@5", "RR@5", "ERR@5", "Success@3"),
    ("nDCG", "DCG", "CG", "Rprec", "Judged", "RBP", "AP"),
)

# Nothing that refuses these data, no function, and not the order of the input, which tables do not have
CHOICES = {
    "gain": ["linear", "exponential", "binary", {-2: 0, -1: 0, 0: 0, 1: 1, 2: 5, 3: 3}],
    "discount": ["log(rank+1)", "log(rank)", "rank", "none"],
    "base": [2, 10],
    "negative": ["clamp", "keep"],
    "zero_ideal": ["nan", 0, 1],
    "ideal": ["judged", "ranked"],
    "ideal_order": ["gain", "grade"],
    "ideal_cut": ["k", "hits", "none"],
    "ties": ["average", "id-descending", "id-ascending", "best", "worst"],
    "scores": ["float64", "float32"],
    "unjudged": ["zero", "drop"],
    "fractional": ["keep", "truncate"],
    "missing": ["skip", "zero"],
    "extra": ["skip", "zero"],
}


def conventions(count=10):
    """Drawn conventions, in which each choice has each of its values about equally often."""
    rng = random.Random(SEED)
    columns = {choice: rng.sample([*values * count][:count], count) for choice, values in CHOICES.items()}
    for row in range(count):
        chosen = {choice: column[row] for choice, column in columns.items()}
        if isinstance(chosen["gain"], dict):
            chosen["fractional"] = "truncate"  # a table has the gains of whole grades alone
        yield Convention(**chosen)


def measures_for(convention):
    """The measures with a cutoff, and those without one, that a convention can have; ERR is for grades up to 4."""
    for measures in MEASURES:
        refused = BY_RANK if convention.ties == "average" else ()
        refused = (*refused, "ERR") if convention.negative == "keep" else refused
        yield [each for each in measures if not each.startswith(refused)] if refused else list(measures)


def drawn():
    """Judgments and scores by query: ties, close scores, unjudged, missing, extra, and queries without ideal gain."""
    rng = random.Random(SEED)
    judgments, scores = {}, {}
    for number in range(QUERIES):
        query = f"q{number}"
        documents = [f"d{x}" for x in rng.sample(range(1, 120), 24)]  # d9 comes after d10 as text
        levels = rng.choice([[0, 1], [0, 1, 2, 3], [0, 0.5, 1, 2.5], [-2, -1, 0, 1, 2], [0]])
        drawing = rng.choice([lambda: rng.randrange(4) / 2, lambda: 1 + rng.randrange(9) * 1e-8, rng.random])
        judged = rng.sample(documents, rng.choice([1, 4, 12]))
        retrieved = rng.sample(documents, rng.choice([1, 5, 20]))
        if number % 10 != 1:  # one query in ten is extra
            judgments[query] = {document: rng.choice(levels) for document in judged}
        if number % 10 != 2:  # and one in ten is missing
            scores[query] = {document: drawing() for document in retrieved}
    return judgments, scores


def written(folder):
    """The drawn data in TREC's form: the paths of the qrels and the run."""
    judgments, scores = drawn()
    qrels, run = folder / "drawn.qrels", folder / "drawn.run"
    with qrels.open("w", encoding="utf-8") as file:
        file.writelines(f"{query} 0 {document} {grade}\n" for query, document, grade in rows(judgments))
    with run.open("w", encoding="utf-8") as file:
        file.writelines(f"{query} Q0 {document} 0 {score!r} drawn\n" for query, document, score in rows(scores))
    return qrels, run


def rows(given):
    """Query, document and value of each row of a table."""
    return ((query, document, value) for query, values in given.items() for document, value in values.items())
