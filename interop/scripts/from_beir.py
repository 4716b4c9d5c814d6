from pathlib import Path

from beir.retrieval.evaluation import EvaluateRetrieval

qrels, run = {}, {}
for line in Path("data/qrels.txt").read_text().splitlines():
    query, _, document, grade = line.split()
    qrels.setdefault(query, {})[document] = int(grade)
for line in Path("data/bm25.run").read_text().splitlines():
    query, _, document, _, score, _ = line.split()
    run.setdefault(query, {})[document] = float(score)
del run["q2"]  # a query that the system could not answer
ndcg, maps, recall, precision = EvaluateRetrieval.evaluate(qrels, run, [10])
mrr = EvaluateRetrieval.evaluate_custom(qrels, run, [10], "mrr")
means = ndcg | maps | recall | precision | mrr
