import ir_measures
import pandas as pd
from ir_measures import AP, RBP, RR, Judged, R, nDCG

columns = ["query_id", "iteration", "doc_id", "relevance"]
qrels = pd.read_csv("data/qrels.txt", sep=" ", names=columns)
columns = ["query_id", "iteration", "doc_id", "rank", "score", "name"]
run = pd.read_csv("data/bm25.run", sep=" ", names=columns)
asked = [nDCG @ 10, AP(rel=2), RR @ 10, R @ 10, Judged @ 10, RBP(rel=1)]
found = ir_measures.calc_aggregate(asked, qrels, run)
means = {str(measure): found[measure] for measure in asked}
