"""What ranx says of three runs: the means, and the p values of its tests for each two."""

import random

QUERIES, SEED, PERMUTATIONS = 15, 3, 100_000


def made():
    """Judgments, and three runs without equal scores, since ranx leaves the order of equal ones open."""
    draw = random.Random(SEED)
    documents = [f"d{i}" for i in range(8)]
    qrels = {f"q{i}": {d: draw.randrange(3) for d in documents[:4]} | {"d0": 2} for i in range(QUERIES)}
    runs = {}
    for name, strength in (("a", 0.1), ("b", 0.25), ("c", 0.4)):
        runs[name] = {
            query: {d: round(strength * grades.get(d, 0) + draw.random(), 6) for d in documents}
            for query, grades in qrels.items()
        }
    return qrels, runs


def of_ranx():
    """Each test of ranx, on nDCG@5."""
    from ranx import Qrels, Run, compare

    qrels, runs = made()
    built = Qrels(qrels), [Run(run, name=name) for name, run in runs.items()]

    def p_values(test):
        report = compare(*built, ["ndcg@5"], stat_test=test, n_permutations=PERMUTATIONS)
        pairs = (("a", "b"), ("a", "c"), ("b", "c"))
        return {f"{a} {b}": float(report.comparisons[frozenset((a, b))]["ndcg@5"]["p_value"]) for a, b in pairs}

    means = compare(*built, ["ndcg@5"]).results
    return {
        "qrels": qrels,
        "runs": runs,
        "permutations": PERMUTATIONS,
        "means": {name: means[name]["ndcg@5"] for name in runs},
        "student": p_values("student"),
        "fisher": p_values("fisher"),
    }
