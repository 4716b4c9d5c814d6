"""One function per library, which loads the library for a given measure.

It returns a function of a cutoff, queries and weights that computes the mean that the library reports, or None if the
library leaves every query out. A measure is spelled as `ndcg_ref` spells it, without its cutoff; `AP(rel=2)` counts
grades from 2 on as relevant.
"""

import math
import re
import subprocess
import tempfile
from pathlib import Path

from interop.cases import query
from interop.children import NotTakenError


def qrels_of(queries):
    """Judgments as libraries for runs take them; documents that were not retrieved get new ids.

    Among several queries, one without judgments is an unjudged query; a single one is judged, without documents.
    """
    judged = {}
    for name, one in queries.items():
        found = {
            document: grade for document, grade in zip(one["ids"], one["grades"], strict=True) if grade is not None
        }
        judged[name] = found | {f"u{i}": grade for i, grade in enumerate(one["unretrieved"])}
    return {name: grades for name, grades in judged.items() if grades or len(queries) == 1}


def run_of(queries):
    """The run; among several queries, one without documents is missing; a single one is an empty ranking."""
    run = {name: dict(zip(one["ids"], one["scores"], strict=True)) for name, one in queries.items()}
    return {name: scores for name, scores in run.items() if scores or len(queries) == 1}


def lists_of(queries):
    """Grades and scores as libraries for arrays take them: an unjudged document has grade 0."""
    for one in queries.values():
        if len(queries) > 1 and not (one["ids"] and any(grade is not None for grade in one["grades"])):
            raise NotTakenError("lists of grades and scores: a query cannot be missing or unjudged")
    lists = [([grade or 0 for grade in one["grades"]], one["scores"]) for one in queries.values()]
    return [grades for grades, _ in lists], [scores for _, scores in lists]


def flat(lists):
    return [value for values in lists for value in values]


def unweighted(weights):
    if weights is not None:
        raise NotTakenError("weights")


def at(name, k):
    return name if k is None else f"{name}@{k}"


def level(measure):
    """The name of a measure without its options, and the smallest grade that is relevant."""
    found = re.search(r"[(,]rel=([0-9]+)", measure)
    return measure.partition("(")[0], int(found[1]) if found else 1


def spelled(name, k, cut):
    """How trec_eval spells a measure, with the cutoff behind a point or, in what it prints, an underscore."""
    names = {
        # name: without a cutoff, with one
        "nDCG": ("ndcg", f"ndcg_cut{cut}{k}"),
        "AP": ("map", f"map_cut{cut}{k}"),
        "P": (None, f"P{cut}{k}"),
        "RR": ("recip_rank", None),
        "Recall": ("set_recall", f"recall{cut}{k}"),
        "Success": (None, f"success{cut}{k}"),
        "Rprec": ("Rprec", None),
    }
    chosen = names[name][k is not None]
    if chosen is None:
        raise NotTakenError(f"{name} {'without' if k is None else 'with'} a cutoff")
    return chosen


def refuse_cutoff(name, k, with_one, without):
    """Record nothing for a measure that a library has only with a cutoff, or only without one."""
    if name in (with_one if k is None else without):
        raise NotTakenError(f"{name} {'without' if k is None else 'with'} a cutoff")


def trec_eval(program, measure="nDCG"):
    """The program's printed mean, as text; of RR with a cutoff, that of a run which the program cuts."""
    name, rel = level(measure)

    def mean(k, queries, weights):
        unweighted(weights)
        options = ["-l", str(rel)] if rel > 1 else []
        if name == "RR" and k is not None:
            options, k = [*options, "-M", str(k)], None
        with files(queries) as (qrels, run):
            command = [program, *options, "-m", spelled(name, k, "."), qrels, run]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"exit {done.returncode}: {done.stderr.strip()}")
        return re.search(rf"^{spelled(name, k, '_')}\s+all\s+(\S+)$", done.stdout, re.MULTILINE)[1]

    return mean


def version_of_trec_eval(program):
    """The version whose behaviour a build has, as two trees call themselves 9.0.8.

    9.0.7 compares scores in single precision, 9.0.8 and 10.0 in double; 10.0 refuses a run without a judged query.
    """
    near, missing = query([1, 0], [1.00000002, 1.00000001]), {"q1": query([1]), "q2": query([], unretrieved=[1])}
    if trec_eval(program)(1, {"q1": near}, None) == "0.0000":
        return "9.0.7"
    try:
        trec_eval(program)(None, missing, None)
    except RuntimeError:
        return "10.0"
    return "9.0.8"


class files(tempfile.TemporaryDirectory):
    """A qrels file and a run file."""

    def __init__(self, queries):
        super().__init__()
        self.queries = queries

    def __enter__(self):
        qrels, run = Path(self.name, "qrels"), Path(self.name, "run")
        judged = qrels_of(self.queries).items()
        qrels.write_text(
            "".join(f"{q} 0 {d} {grade}\n" for q, grades in judged for d, grade in grades.items()), "utf-8"
        )
        ranked = run_of(self.queries).items()
        run.write_text("".join(f"{q} Q0 {d} 1 {s!r} run\n" for q, scores in ranked for d, s in scores.items()), "utf-8")
        return str(qrels), str(run)


def pytrec_eval(measure):
    import pytrec_eval

    name, rel = level(measure)

    def mean(k, queries, weights):
        unweighted(weights)
        evaluator = pytrec_eval.RelevanceEvaluator(qrels_of(queries), {spelled(name, k, ".")}, relevance_level=rel)
        values = [value[spelled(name, k, "_")] for value in evaluator.evaluate(run_of(queries)).values()]
        return sum(values) / len(values) if values else None

    return mean


def ir_measures(measure, discount=None):
    import ir_measures
    import pytrec_eval  # noqa: F401 - which it would load again in the process of each case

    name, rel = level(measure)
    asked = getattr(ir_measures, name)
    if name in ("nDCG", "RBP") and measure != name:
        asked = ir_measures.parse_measure(measure)
    elif rel > 1:
        asked = asked(rel=rel)
    elif name == "nDCG" and discount:
        asked = asked(dcg=discount)

    def mean(k, queries, weights):
        unweighted(weights)
        refuse_cutoff(name, k, {"P", "Recall", "Success"}, {"Rprec", "RBP"})
        measure = asked @ (k or 1000) if k is not None or discount else asked
        if discount:  # topics are numbers
            queries = {name.removeprefix("q"): one for name, one in queries.items()}
        value = ir_measures.calc_aggregate([measure], qrels_of(queries), run_of(queries))[measure]
        return None if math.isnan(value) else float(value)

    return mean


def gdeval(measure):
    import ir_measures

    column = {"nDCG": 2, "ERR": 3}[measure]
    program = Path(ir_measures.__file__).parent / "bin" / "gdeval.pl"

    def mean(k, queries, weights):
        unweighted(weights)
        with files({name.removeprefix("q"): one for name, one in queries.items()}) as (qrels, run):
            command = ["perl", str(program), qrels, run, str(k or 1000)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"exit {done.returncode}: {done.stderr.strip()}")
        printed = [line.split(",")[column] for line in done.stdout.splitlines()[1:]]
        if len(printed) > 1:
            raise NotTakenError("several queries: it prints no mean")
        return printed[0] if printed else None

    return mean


def ranx(measure, gain=""):
    from ranx import Qrels, Run, evaluate

    name, rel = level(measure)
    asked = {
        **{"nDCG": f"ndcg{gain}", "DCG": f"dcg{gain}", "AP": "map", "P": "precision", "RR": "mrr"},
        **{"Recall": "recall", "Success": "hit_rate", "Rprec": "r-precision"},
    }[name]
    whole = {"Rprec"}

    def mean(k, queries, weights):
        unweighted(weights)
        refuse_cutoff(name, k, {"P"}, whole)
        qrels, run = Qrels(qrels_of(queries)), Run(run_of(queries))
        level = f"-l{rel}" if rel > 1 else ""
        return float(evaluate(qrels, run, at(asked, k) + level, make_comparable=True))

    for length in (1, 2, 3, 4):  # compiles for each length of ids, once, before each case gets its process
        mean(None if name in whole else 1, {"q1": query([1, 0], ids=["x" * length, "y" * length])}, None)
    return mean


def scikit_learn(measure, ignore_ties):
    from sklearn.metrics import dcg_score, ndcg_score

    score = {"nDCG": ndcg_score, "DCG": dcg_score}[measure]

    def mean(k, queries, weights):
        grades, scores = lists_of(queries)
        if len({len(one) for one in grades}) > 1:
            raise NotTakenError("lists of different length")
        return float(score(grades, scores, k=k, sample_weight=weights, ignore_ties=ignore_ties))

    return mean


def torchmetrics(measure):
    import torch
    from torchmetrics.retrieval import RetrievalNormalizedDCG

    def mean(k, queries, weights):
        unweighted(weights)
        grades, scores = lists_of(queries)
        target = flat(grades)
        kind = torch.float32 if any(grade != int(grade) for grade in target) else torch.int64
        indexes = [i for i, one in enumerate(grades) for _ in one]
        metric = RetrievalNormalizedDCG(top_k=k)
        value = metric(torch.tensor(flat(scores)), torch.tensor(target, dtype=kind), indexes=torch.tensor(indexes))
        return float(value)

    return mean


def ignite(measure, gain="exp_rank"):
    import torch
    from ignite.exceptions import NotComputableError
    from ignite.metrics.rec_sys.ndcg import NDCG

    def mean(k, queries, weights):
        unweighted(weights)
        grades, scores = lists_of(queries)
        metric = NDCG(top_k=[k or max(map(len, grades))], gain_function=gain)
        for one, its_scores in zip(grades, scores, strict=True):
            metric.update((torch.tensor([its_scores]), torch.tensor([one], dtype=torch.float32)))
        try:
            return metric.compute()[0]
        except NotComputableError:  # it left every query out
            return None

    return mean


def lightgbm(measure):
    import lightgbm
    import numpy as np

    def mean(k, queries, weights):
        grades, scores = lists_of(queries)
        sizes = [len(one) for one in grades]
        rows = weights and flat([weight] * size for weight, size in zip(weights, sizes, strict=True))
        data = lightgbm.Dataset(
            np.zeros((sum(sizes), 1)),
            label=flat(grades),
            group=sizes,
            init_score=flat(scores),
            weight=rows,
            params={"verbosity": -1},
        )
        settings = {"objective": "none", "metric": "ndcg", "eval_at": [k or max(sizes)], "verbosity": -1}
        return float(lightgbm.Booster(settings, data).eval_train()[0].metric_value)

    return mean


def xgboost(measure, minus="", exponential=True):
    import numpy as np
    import xgboost

    def mean(k, queries, weights):
        grades, scores = lists_of(queries)
        data = xgboost.DMatrix(np.zeros((len(flat(grades)), 1)), label=flat(grades))
        data.set_group([len(one) for one in grades])
        data.set_base_margin(flat(scores))
        if weights:
            data.set_weight(weights)
        settings = {"objective": "rank:ndcg", "ndcg_exp_gain": exponential, "base_score": 0.0, "verbosity": 0}
        settings["eval_metric"] = at("ndcg", k) + minus
        return float(xgboost.Booster(settings, [data]).eval(data).rpartition(":")[2])

    return mean


def catboost(measure, settings=()):
    from catboost.utils import eval_metric

    def mean(k, queries, weights):
        grades, scores = lists_of(queries)
        group = [i for i, one in enumerate(grades) for _ in one]
        rows = weights and [weights[i] for i in group]
        metric = f"{measure.upper()}:" + ";".join([f"top={-1 if k is None else k}", *settings])
        return eval_metric(flat(grades), flat(scores), metric, group_id=group, group_weight=rows, thread_count=1)[0]

    return mean


def version_of_gdeval():
    import ir_measures

    text = (Path(ir_measures.__file__).parent / "bin" / "gdeval.pl").read_text("utf-8")
    return re.search(r"version = \"version (\S+)", text)[1]
