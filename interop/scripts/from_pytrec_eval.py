from statistics import fmean

import pytrec_eval

with open("data/qrels.txt") as lines:
    qrels = pytrec_eval.parse_qrel(lines)
with open("data/bm25.run") as lines:
    run = pytrec_eval.parse_run(lines)
measures = ["ndcg_cut.5,10", "map", "recall.10"]
evaluator = pytrec_eval.RelevanceEvaluator(qrels, set(measures))
values = evaluator.evaluate(run)
names = ["ndcg_cut_5", "ndcg_cut_10", "map", "recall_10"]
means = {name: fmean(query[name] for query in values.values()) for name in names}
