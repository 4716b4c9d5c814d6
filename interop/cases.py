"""The input for every library: single queries, and several at a time.

A query has `ids`, `scores` and `grades` of the documents in input order, with the grade None for an unjudged document,
and `unretrieved`, the grades of judged documents that were not retrieved.
"""

import random

SEED = 4
GENERATED = 260


def query(grades, scores=None, unretrieved=(), ids=None):
    """A query; without scores the documents are in ranked order, without ids they are numbered."""
    size = len(grades)
    return {
        "ids": list(ids or (f"d{i}" for i in range(1, size + 1))),
        "scores": [float(size - i) for i in range(size)] if scores is None else list(scores),
        "grades": list(grades),
        "unretrieved": list(unretrieved),
    }


def generated(count=GENERATED):
    """Random queries of many kinds, each with a cutoff: one line of code for each thing that varies."""
    rng = random.Random(SEED)
    for i in range(count):
        size = rng.choice([1, 2, 3, 5, 8, 12, 20])
        levels = rng.choice(
            [[0, 1], [0, 0, 0, 1], [0, 1, 2, 3], [0, 1, 2, 3, 4], [0, 0.25, 1, 1.5, 3], [-2, -1, 0, 1, 2]]
        )
        drawn = rng.choice(["distinct", "distinct", "coarse", "close"])
        scores = {
            "distinct": lambda n: [x / 1000 for x in rng.sample(range(10_000), n)],
            "coarse": lambda n: [rng.randrange(4) / 2 for _ in range(n)],
            "close": lambda n: [1 + rng.randrange(9) * 1e-8 for _ in range(n)],  # equal as float32
        }[drawn](size)
        unjudged = rng.choice([0, 0, 0.3])
        grades = [None if rng.random() < unjudged else rng.choice(levels) for _ in range(size)]
        unretrieved = [rng.choice(levels) for _ in range(rng.choice([0, 0, 1, 4]))]
        ids = [f"d{x}" for x in rng.sample(range(1, 120), size)]  # d9 comes after d10 as text
        k = rng.choice([1, 2, 3, 5, 10, 100, None])
        yield {"name": f"generated {i + 1}", "k": k, **query(grades, scores, unretrieved, ids)}


LONG = [3, 0, 2, 1, 0, 0, 1, 3, 2, 0, 0, 1]
CHOSEN = [
    # name, cutoff, query
    (
        "one query, every library",  # the first example of the chapter on libraries
        3,
        query([2, 1, 0, 3], [0.9, 0.6, 0.6, 0.6], unretrieved=[3], ids=["d4", "d1", "d2", "d3"]),
    ),
    ("distinct scores", None, query([3, 2, 3, 0, 1])),
    ("distinct scores, cut at 3", 3, query([3, 2, 3, 0, 1])),
    ("input not in rank order", 3, query([0, 3, 1, 2], [0.1, 0.9, 0.4, 0.7])),
    ("judged documents not retrieved", 5, query([3, 2, 3, 0, 1, 2], unretrieved=[3, 2])),
    ("more judged than retrieved, no cutoff", None, query([1, 0], unretrieved=[3, 2, 1])),
    ("more judged than retrieved, cutoff between", 3, query([1, 0], unretrieved=[3, 2, 1])),
    ("cutoff above the number of documents", 10, query([0, 2, 1])),
    ("a tie of two", None, query([0, 1], [1.0, 1.0])),
    ("a tie of two, the other way", None, query([1, 0], [1.0, 1.0])),
    ("a tie of two, the other way, cut at 10", 10, query([1, 0], [1.0, 1.0])),
    ("a tie across the cutoff", 2, query([0, 2, 1, 3], [0.9, 0.5, 0.5, 0.1])),
    ("all tied", 3, query([0, 1, 2, 3, 0], [1.0] * 5)),
    ("all tied, ids descending", 3, query([0, 1, 2, 3, 0], [1.0] * 5, ids=["e", "d", "c", "b", "a"])),
    ("tied ids that differ as numbers and as text", 1, query([0, 1], [1.0, 1.0], ids=["d10", "d9"])),
    ("tied ids beyond ASCII", 1, query([0, 1], [1.0, 1.0], ids=["dz", "d\u00e9"])),
    ("twenty documents, two scores", 3, query([0, 1, 2, 3] * 5, [0.5, 0.25] * 10)),
    ("two groups of ties", 4, query(LONG, [5.0, 5.0, 4.0, 3.0, 3.0, 3.0, 2.0, 1.0, 0.5, 0.4, 0.3, 0.2])),
    ("tied and unjudged", 3, query([None, 2, None, 1], [1.0, 1.0, 0.5, 0.5])),
    ("scores that float32 cannot tell apart", None, query([1, 0], [1.00000002, 1.00000001])),
    ("scores that float32 cannot tell apart, the other way", None, query([0, 1], [1.00000002, 1.00000001])),
    ("negative scores", 2, query([1, 0, 2], [-3.5, -0.25, -1.0])),
    ("large scores", 2, query([1, 0, 2], [1e30, 3e30, 2e30])),
    ("all grades 0", None, query([0, 0, 0])),
    ("all grades 0, cut at 2", 2, query([0, 0, 0])),
    ("relevant documents not retrieved", None, query([0, 0, 0], unretrieved=[2, 1])),
    ("no document judged", None, query([None, None])),
    ("unjudged between", 3, query([None, 2, None, 1], unretrieved=[3])),
    ("unjudged first", 1, query([None, 1])),
    ("negative grades among others", None, query([2, -1, 1, 0])),
    ("negative grade first", 1, query([-1, 1])),
    ("negative grades alone", None, query([-1, -2])),
    ("a good document below bad ones", None, query([-2, -2, -2, 1])),
    ("grades that sum to 0", None, query([1, -1, 0])),
    ("fractional grades", None, query([0.5, 2.5, 1.5])),
    ("fractional grades below 1", 2, query([0.25, 0.75, 0])),
    ("grade 5", None, query([0, 5, 1])),
    ("grade 31", None, query([0, 31, 1])),
    ("grade 40", None, query([0, 40, 1])),
    ("one document, relevant", None, query([1])),
    ("one document, not relevant", None, query([0])),
    ("one document, another judged", 1, query([1], unretrieved=[3])),
    ("one document, unjudged", None, query([None])),
    ("no document, some judged", 3, query([], unretrieved=[1, 2])),
    ("Wikipedia's example", 6, query([3, 2, 3, 0, 1, 2], unretrieved=[3, 2])),
    ("Wikipedia's example, its own list as ideal", 6, query([3, 2, 3, 0, 1, 2])),
    ("scikit-learn's example", None, query([10, 0, 0, 1, 5], [0.1, 0.2, 0.3, 4.0, 70.0])),
    ("scikit-learn's second example", 4, query([10, 0, 0, 1, 5], [0.05, 1.1, 1.0, 0.5, 0.0])),
]

GOOD, POOR, NONE = query([2, 1, 0]), query([0, 1, 2]), query([0, 0, 0])
MISSING, EXTRA, BAD = query([], unretrieved=[1, 2]), query([None, None, None]), query([-2, -2])
MEANS = [
    # name, cutoff, queries, weights
    ("two queries", None, {"q1": GOOD, "q2": POOR}, None),
    ("three queries, cut at 2", 2, {"q1": GOOD, "q2": POOR, "q3": query([1, 0, 2])}, None),
    ("lists of different length", None, {"q1": query([2, 0, 1, 1]), "q2": query([0, 1])}, None),
    ("one query without ideal gain", None, {"q1": POOR, "q2": NONE}, None),
    ("only queries without ideal gain", None, {"q1": NONE, "q2": NONE}, None),
    ("a judged query missing from the run", None, {"q1": POOR, "q2": MISSING}, None),
    ("only the first judged query missing", None, {"q1": MISSING, "q2": POOR}, None),
    ("every judged query missing from the run", None, {"q1": MISSING, "q2": MISSING}, None),
    ("a query of the run that nobody judged", None, {"q1": POOR, "q2": EXTRA}, None),
    ("negative grades alone, after another query", None, {"q1": GOOD, "q2": BAD}, None),
    (
        "missing, extra and without ideal gain",
        2,
        {"q1": POOR, "q2": MISSING, "q3": EXTRA, "q4": NONE, "q5": GOOD},
        None,
    ),
    ("two queries, weighted", None, {"q1": GOOD, "q2": POOR}, [1.0, 3.0]),
    ("two queries, weighted by fractions", 2, {"q1": GOOD, "q2": POOR}, [0.25, 0.5]),
    ("a weighted query without ideal gain", None, {"q1": query([0, 1]), "q2": query([0, 0])}, [1.0, 4.0]),
    ("a light query without ideal gain", None, {"q1": POOR, "q2": NONE, "q3": GOOD}, [2.0, 0.5, 1.0]),
]


def queries():
    """Each query with its name and cutoff: the chosen ones, and the generated ones."""
    chosen = [{"name": name, "k": k, **one} for name, k, one in CHOSEN]
    return chosen + list(generated())


def means():
    """Several queries at a time, to see how a mean treats them; a query without documents is missing from the run."""
    return [{"name": name, "k": k, "queries": several, "weights": weights} for name, k, several, weights in MEANS]
