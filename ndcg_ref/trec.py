"""Read judgments and runs from TREC files; see `ndcg_ref.runs.trec`."""

from ndcg_ref.runs.sources import TrecError
from ndcg_ref.runs.trec import read_qrels, read_run

__all__ = ["TrecError", "read_qrels", "read_run"]
