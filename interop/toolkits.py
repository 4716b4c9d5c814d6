"""The evaluation parts of BEIR, MTEB and trectools: one function each, as in `interop.libraries`.

None of them has another level of relevance than 1. BEIR and MTEB are installed without what they need for models and
data sets, since their evaluation uses none of it.
"""

import math
import sys
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType, SimpleNamespace

from interop.children import NotTakenError
from interop.libraries import files, qrels_of, refuse_cutoff, run_of, unweighted

OF_BENCHMARKS = ("AP", "P", "RR", "Recall", "Success")
OF_TRECTOOLS = ("AP", "P", "RR", "Recall", "Rprec", "RBP(p=0.8)", "RBP(p=0.5)")


def needs_cutoff(k):
    if k is None:
        raise NotTakenError("no cutoff")


def beir(measure):
    from beir.retrieval.evaluation import EvaluateRetrieval

    place = {"nDCG": (0, "NDCG"), "AP": (1, "MAP"), "Recall": (2, "Recall"), "P": (3, "P")}.get(measure)
    custom = {"RR": ("mrr", "MRR"), "Success": ("accuracy", "Accuracy")}.get(measure)

    def mean(k, queries, weights):
        unweighted(weights)
        needs_cutoff(k)
        qrels, run = qrels_of(queries), run_of(queries)
        if custom:
            return EvaluateRetrieval.evaluate_custom(qrels, run, [k], custom[0])[f"{custom[1]}@{k}"]
        return EvaluateRetrieval.evaluate(qrels, run, [k])[place[0]][f"{place[1]}@{k}"]

    return mean


def scores_of_mteb():
    """Its function for the scores of a run, without importing the package, which needs models and data sets."""
    mteb = Path(find_spec("mteb").origin).parent
    for name in ("mteb", "mteb._evaluators"):
        package = ModuleType(name)
        package.__path__ = [str(mteb.parent.joinpath(*name.split(".")))]
        sys.modules[name] = package
    types = ModuleType("mteb.types")
    vars(types)["RetrievalEvaluationResult"] = SimpleNamespace
    sys.modules["mteb.types"] = types
    from mteb._evaluators.retrieval_metrics import calculate_retrieval_scores

    return calculate_retrieval_scores


def mteb(measure):
    scores = scores_of_mteb()
    part, name = {
        **{"nDCG": ("ndcg", "NDCG"), "AP": ("map", "MAP"), "Recall": ("recall", "Recall"), "P": ("precision", "P")},
        **{"RR": ("mrr", "MRR"), "Success": ("hit_rate", "HitRate")},
    }[measure]

    def mean(k, queries, weights):
        unweighted(weights)
        needs_cutoff(k)
        return float(getattr(scores(run_of(queries), qrels_of(queries), [k]), part)[f"{name}@{k}"])

    return mean


def trectools(measure):
    from trectools import TrecEval, TrecQrel, TrecRun

    name, _, persistence = measure.partition("(p=")
    method = {
        **{"nDCG": "get_ndcg", "AP": "get_map", "P": "get_precision", "RR": "get_reciprocal_rank"},
        **{"Recall": "get_recall", "Rprec": "get_rprec", "RBP": "get_rbp"},
    }[name]

    def mean(k, queries, weights):
        unweighted(weights)
        refuse_cutoff(name, k, {"P"}, {"Rprec", "RBP"})
        with files(queries) as (qrels, run):
            evaluation = TrecEval(TrecRun(run), TrecQrel(qrels))
        depth = 1000 if k is None else k
        options = {"p": float(persistence.removesuffix(")"))} if persistence else {}
        value = getattr(evaluation, method)(depth=depth, **options)
        value = value[0] if persistence else value  # beside its residual
        if math.isnan(value):
            raise NotTakenError("no relevant document was retrieved")
        return float(value)

    return mean
