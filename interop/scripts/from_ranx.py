from pathlib import Path

from ranx import Qrels, Run, compare


def read(name):
    """The lines as they are ranked, so that no scores are equal."""
    run = {}
    for line in Path(f"data/{name}.run").read_text().splitlines():
        query, _, document, rank, *_ = line.split()
        run.setdefault(query, {})[document] = 1 / int(rank)
    return run


qrels = Qrels.from_file("data/qrels.txt", kind="trec")
runs = [Run(read(name), name=name) for name in ("bm25", "overlap")]
report = compare(qrels, runs, ["ndcg@10", "map", "mrr@10"])
means = {name: report.results[name] for name in ("bm25", "overlap")}
p_values = report.comparisons["bm25", "overlap"]
