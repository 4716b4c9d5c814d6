"""Behaviour that a table of values cannot show: each time the smallest input that shows it, and the result."""

import json
import os
import re
import subprocess
import sys
from collections import Counter
from functools import partial
from importlib.metadata import version

from interop.cases import query
from interop.children import in_child
from interop.libraries import files

SECONDS = 5


def endless():
    code = """
import pytrec_eval
for grade in {}:
    judgments, run = {{"q1": {{"d1": grade}}}}, {{"q1": {{"d1": 2.0}}}}
    print(pytrec_eval.RelevanceEvaluator(judgments, {{"ndcg"}}).evaluate(run)["q1"]["ndcg"])
"""

    def last(grades):
        try:
            return float(python(code.format(grades), seconds=SECONDS).split()[-1])
        except subprocess.TimeoutExpired:
            return {"error": f"no answer within {SECONDS} s"}

    # After a small grade the loop depends on what the memory held that was given back; after a large one it is certain
    return {
        "input": {"judgments": {"q1": {"d1": -1}}, "run": {"q1": {"d1": 2.0}}},
        "values": {"alone": last([-1]), "after the same query with grade 200": last([200, -1])},
    }


def gains_shared():
    qrels = {"q1": {"d1": 1, "d2": 2, "d3": 3}}
    run = {"q1": {"d1": 3.0, "d2": 2.0, "d3": 1.0}}
    code = f"""
import ir_measures
from ir_measures import nDCG
both = [nDCG(gains={{1: 1, 2: 3, 3: 7}}) @ 5, nDCG @ 5]
for measures in (both, both[:1], both[1:]):
    found = ir_measures.calc_aggregate(measures, {qrels!r}, {run!r})
    print([round(found[measure], 6) for measure in measures])
"""
    seeds = range(20)
    printed = [python(code, PYTHONHASHSEED=str(seed)).splitlines() for seed in seeds]
    together = Counter(lines[0] for lines in printed)
    return {
        "input": {"judgments": qrels, "run": run, "measures": ["nDCG(gains={1:1,2:3,3:7})@5", "nDCG@5"]},
        "values": {
            "each asked for alone": [value for line in printed[0][1:] for value in json.loads(line)],
            "both at once, and with how many of 20 hash seeds": [
                [json.loads(pair), count] for pair, count in sorted(together.items())
            ],
        },
    }


def by_processor():
    code = """
from sklearn.metrics import ndcg_score
for size in (10, 300):
    grades, scores = [i % 4 for i in range(size)], [float(i * 7 % 5) for i in range(size)]
    print([float(ndcg_score([grades], [scores], k=10, ignore_ties=ignore)) for ignore in (True, False)])
"""
    without_512 = "X86_V4 AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL AVX512_SPR"
    features = {"all": "", "no AVX-512": without_512, "neither AVX-512 nor AVX2": f"{without_512} X86_V3 AVX2 FMA3"}
    found = {
        name: [json.loads(line) for line in python(code, NPY_DISABLE_CPU_FEATURES=off).splitlines()]
        for name, off in features.items()
    }
    return {
        "input": {"grades": "i % 4", "scores": "i * 7 % 5", "k": 10, "documents": [10, 300]},
        "values": {
            "ignore_ties=True, by what numpy may use of the processor": {
                name: [ignored for ignored, _ in pairs] for name, pairs in found.items()
            },
            "ties averaged": {name: [averaged for _, averaged in pairs] for name, pairs in found.items()},
        },
    }


def paired_by_place():
    from ranx import Qrels, Run, evaluate

    qrels = {"q1": {"a": 1}, "q2": {"b": 1}}
    run = {"q2": {"b": 2.0, "a": 1.0}, "q1": {"a": 2.0, "b": 1.0}}
    same_order = {name: run[name] for name in sorted(run)}
    return {
        "input": {"judgments": qrels, "run": run},
        "values": {
            "dicts, the run's queries in another order": in_child(lambda: float(evaluate(qrels, run, "ndcg")), 60),
            "dicts, in the same order": in_child(lambda: float(evaluate(qrels, same_order, "ndcg")), 60),
            "Qrels and Run": in_child(lambda: float(evaluate(Qrels(qrels), Run(run), "ndcg")), 60),
        },
    }


def ties_by_path():
    from ranx import Qrels, Run, evaluate

    ids = [f"d{i}" for i in range(10, 30)]
    qrels = {"q1": {document: i % 4 for i, document in enumerate(ids)}}
    run = {"q1": {document: i // 10 / 2 for i, document in enumerate(ids)}}
    turned = {"q1": dict(reversed(run["q1"].items()))}
    return {
        "input": {"judgments": qrels, "run": run, "measure": "ndcg@5"},
        "values": {
            "Qrels and Run": in_child(lambda: float(evaluate(Qrels(qrels), Run(run), "ndcg@5")), 60),
            "dicts": in_child(lambda: float(evaluate(qrels, run, "ndcg@5")), 60),
            "dicts, the documents in reverse": in_child(lambda: float(evaluate(qrels, turned, "ndcg@5")), 60),
        },
    }


def of_rank_eval():
    from rank_eval import Qrels, Run, evaluate

    def filled(empty, values):
        empty.add_multi(["q1"], [list(values)], [list(values.values())])
        return empty

    def ndcg(grades, scores):
        return in_child(lambda: float(evaluate(filled(Qrels(), grades), filled(Run(), scores), "ndcg")), 120)

    tied, negative = {"d1": 1, "d2": 0}, {"d1": -1, "d2": 1}
    return {
        "input": {"tied": [tied, {"d1": 1.0, "d2": 1.0}], "negative": [negative, {"d1": 2.0, "d2": 1.0}]},
        "values": {
            "d1 before d2, tied, d1 relevant": ndcg(tied, {"d1": 1.0, "d2": 1.0}),
            "d1 with the grade -1 before d2 with 1": ndcg(negative, {"d1": 2.0, "d2": 1.0}),
        },
    }


def tied_across_queries():
    from trectools import TrecEval, TrecQrel, TrecRun

    def rbp(scores):
        queries = {"q1": query([1, 0], [scores[0], scores[1]]), "q2": query([1, 0], [scores[2], scores[3]])}
        with files(queries) as (qrels, run):
            return float(TrecEval(TrecRun(run), TrecQrel(qrels)).get_rbp(p=0.8)[0])

    scores = {"q2 begins below the last score of q1": [4.0, 3.0, 2.0, 1.0], "with the same": [4.0, 3.0, 3.0, 1.0]}
    return {
        "input": {"grades": [[1, 0], [1, 0]], "scores": scores},
        "values": {name: in_child(lambda four=four: rbp(four), 60) for name, four in scores.items()},
    }


def above_one():
    import lightgbm
    import numpy as np

    def value():
        data = lightgbm.Dataset(np.zeros((2, 1)), label=[1, 2], group=[2], init_score=[2.0, 1.0])
        settings = {"objective": "none", "metric": "ndcg", "eval_at": [1], "label_gain": [0, 3, 1], "verbosity": -1}
        return float(lightgbm.Booster(settings, data).eval_train()[0].metric_value)

    return {
        "input": {"grades": [1, 2], "scores": [2.0, 1.0], "k": 1, "label_gain": [0, 3, 1]},
        "values": {"ndcg@1": in_child(value, 60)},
    }


def unweighted():
    import catboost.utils
    import lightgbm
    import numpy as np
    import xgboost

    grades, scores, weights = [0, 1, 0, 0], [2.0, 1.0, 2.0, 1.0], [1.0, 4.0]
    rows = [1.0, 1.0, 4.0, 4.0]

    def of_lightgbm():
        data = lightgbm.Dataset(np.zeros((4, 1)), label=grades, group=[2, 2], init_score=scores, weight=rows)
        settings = {"objective": "none", "metric": "ndcg", "eval_at": [2], "verbosity": -1}
        return float(lightgbm.Booster(settings, data).eval_train()[0].metric_value)

    def of_xgboost():
        data = xgboost.DMatrix(np.zeros((4, 1)), label=grades)
        data.set_group([2, 2])
        data.set_base_margin(scores)
        data.set_weight(weights)
        settings = {"objective": "rank:ndcg", "eval_metric": "ndcg", "base_score": 0.0}
        return float(xgboost.Booster(settings, [data]).eval(data).rpartition(":")[2])

    def of_catboost():
        return catboost.utils.eval_metric(grades, scores, "NDCG", group_id=[0, 0, 1, 1], group_weight=rows)[0]

    return {
        "input": {"grades": [grades[:2], grades[2:]], "scores": [scores[:2], scores[2:]], "weights": weights},
        "values": {
            "lightgbm": in_child(of_lightgbm, 60),
            "xgboost": in_child(of_xgboost, 60),
            "catboost": in_child(of_catboost, 60),
        },
    }


def flattened():
    import torch
    from torchmetrics.functional.retrieval import retrieval_normalized_dcg
    from torchmetrics.retrieval import RetrievalNormalizedDCG

    grades, scores = [[1, 0], [0, 1]], [[0.9, 0.8], [0.5, 0.4]]

    def both():
        preds, target = torch.tensor(scores), torch.tensor(grades)
        rows = RetrievalNormalizedDCG()(preds.flatten(), target.flatten(), indexes=torch.tensor([0, 0, 1, 1]))
        return [float(retrieval_normalized_dcg(preds, target)), float(rows)]

    found = in_child(both, 60)
    return {
        "input": {"grades": grades, "scores": scores},
        "values": {"the function, of two rows at once": found[0], "the class, with indexes": found[1]},
    }


def crash():
    from catboost.utils import eval_metric

    return {
        "input": {"grades": [], "scores": []},
        "values": {"NDCG": in_child(lambda: eval_metric([], [], "NDCG", group_id=[]), SECONDS)},
    }


def long_list():
    import lightgbm
    import numpy as np

    def value(size):
        data = lightgbm.Dataset(np.zeros((size, 1)), label=[0] * (size - 1) + [1], group=[size])
        settings = {"objective": "none", "metric": "ndcg", "eval_at": [size], "verbosity": -1}
        return float(lightgbm.Booster(settings, data).eval_train()[0].metric_value)

    sizes = (10_000, 10_001)
    return {
        "input": {"grades": "0, and a last 1", "scores": "all equal, so the input order holds"},
        "values": {f"{size:,} documents": in_child(lambda size=size: value(size), 60) for size in sizes},
    }


def grades_ignored():
    """None if it does not run because there is no Java."""
    rows = [[["x", "a", "b"], ["a", "b"], [float(grade) for grade in grades]] for grades in ([3, 1], [1, 3], [0, 5])]
    code = f"""
from pyspark.sql import SparkSession
from pyspark.mllib.evaluation import RankingMetrics
local = SparkSession.builder.master("local[1]").config("spark.ui.enabled", False)
for name in ("spark.driver.host", "spark.driver.bindAddress"):
    local = local.config(name, "127.0.0.1")
context = local.getOrCreate().sparkContext
for row in {rows!r}:
    print(RankingMetrics(context.parallelize([tuple(row)], 1)).ndcgAt(3))
"""
    try:
        values = [float(line) for line in python(code, seconds=300).splitlines()]
    except subprocess.CalledProcessError:
        print("pyspark: not run, as it needs Java 17; the stored values are kept", flush=True)
        return None
    return {
        "input": {"ranking": rows[0][0], "labels": rows[0][1], "grades": [row[2] for row in rows], "k": 3},
        "values": {f"grades {row[2]}": value for row, value in zip(rows, values, strict=True)},
    }


def lost_gains(build):
    queries = {"q1": query([1, 2, 3])}
    return {
        "input": queries["q1"],
        "values": {
            option: printed(build, queries, "-m", option)
            for option in ("ndcg.1=1,2=2,3=3", "ndcg.1=0.5,2=0.7,3=0.9", "ndcg.1=5,2=7,3=9")
        },
    }


def refused(build):
    queries = {"q1": query([0, 1]), "q2": query([], unretrieved=[1])}
    return {
        "input": queries,
        "values": {
            "without -c": printed(build, queries, "-m", "ndcg"),
            "with -c": printed(build, queries, "-c", "-m", "ndcg"),
        },
    }


def printed(build, queries, *options):
    """The mean that trec_eval prints, or how it ends."""
    with files(queries) as (qrels, run):
        done = subprocess.run([build, *options, qrels, run], capture_output=True, text=True, check=False)
    found = re.search(r"\sall\s+(\S+)$", done.stdout, re.MULTILINE)
    return found[1] if found else {"error": f"exit {done.returncode}: {done.stderr.strip()}"}


def python(code, seconds=120, **environment):
    """The output of a fresh interpreter."""
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], env=os.environ | environment, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True, check=True, timeout=seconds,
    ).stdout  # fmt: skip


SHOWN = [
    # name, distribution, what is to be seen, how
    ("endless loop", "pytrec_eval-terrier", "A query with negative judgments alone, after another: no end.", endless),
    ("gains shared", "ir_measures", "Two gains of one measure get each other's value, by the hash seed.", gains_shared),
    ("ties by processor", "scikit-learn", "With ignore_ties, the value depends on the processor.", by_processor),
    ("queries paired by place", "ranx", "Of dicts, the first query meets the first, whatever it is.", paired_by_place),
    ("ties by type of input", "ranx", "Equal scores are ranked otherwise in dicts and in objects.", ties_by_path),
    (
        "ties reversed",
        "rank_eval",
        "Equal scores are ranked last first, and a grade below 0 is a gain: no convention here says that.",
        of_rank_eval,
    ),
    (
        "ties across queries",
        "trectools",
        "RBP averages the last document of a query with the next one's first.",
        tied_across_queries,
    ),
    (
        "above 1",
        "lightgbm",
        "The ideal is sorted by grade, not by gain: a table of gains gives more than 1.",
        above_one,
    ),
    ("unweighted 1", "lightgbm", "A query without ideal gain adds 1, whatever it weighs.", unweighted),
    ("rows made one list", "torchmetrics", "Two rows are ranked as one list.", flattened),
    ("crash", "catboost", "An empty list ends the process.", crash),
    ("10,000 documents", "lightgbm", "A longer list is refused.", long_list),
    (
        "grades ignored",
        "pyspark",
        "RankingMetrics.ndcgAt documents grades since 3.4 and takes them, and every label gains the same.",
        grades_ignored,
    ),
]
SHOWN_OF_TREC_EVAL = [
    # name, version, what is to be seen, how
    ("gains below 1 lost", "10.0", "Gains that differ by less than 1 are not sorted, and the value is 0.", lost_gains),
    ("missing query", "10.0", "Without -c a judged query that the run lacks ends the evaluation.", refused),
    ("missing query", "9.0.7", "Without -c a judged query that the run lacks is left out.", refused),
]


def all_of_them(builds, old):
    """All demonstrations, each with the library that was run; those that cannot be run here are taken from `old`."""
    shown = [(name, f"{library}-{version(library)}", seen, show) for name, library, seen, show in SHOWN]
    for name, number, seen, show in SHOWN_OF_TREC_EVAL:
        build = builds.get(number)
        shown.append((name, f"trec_eval-{number}", seen, partial(show, build) if build else lambda: None))
    found = []
    for name, library, seen, show in shown:
        made = show()
        if made is None:
            found += [one for one in old if (one["name"], one["library"]) == (name, library)]
        else:
            found.append({"name": name, "library": library, "seen": seen, **made})
    return found
