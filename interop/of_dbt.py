"""Have dbt build the project of examples/warehouse with DuckDB, and hold its tables to what `evaluate` gives."""

import os
import shutil
import subprocess
import sys
from math import isclose
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from ndcg_ref import evaluate
from ndcg_ref.runs.result import COUNTS

PROJECT = Path("examples/warehouse")


def main():
    with TemporaryDirectory() as place:
        folder = shutil.copytree(PROJECT, Path(place, "warehouse"))
        dbt = [Path(sys.executable).with_name("dbt"), "build", "--profiles-dir", "."]
        subprocess.run(dbt, cwd=folder, check=True, env={**os.environ, "DO_NOT_TRACK": "1"})
        with duckdb.connect(folder / "warehouse.duckdb", read_only=True) as built:
            read = {name: built.execute(f"from {name}").fetchall() for name in ("qrels", "run", "ndcg", "ndcg_mean")}
    sides = {}
    for name in ("qrels", "run"):
        for query, document, value in read[name]:
            sides.setdefault(name, {}).setdefault(query, {})[document] = value
    result = evaluate(**sides, measures="nDCG@5", convention="trec_eval")
    values = {query: value for query, _, _, value in read["ndcg"]}
    [(_, mean, *counts)] = read["ndcg_mean"]
    expected = result.per_query["nDCG@5"]
    assert values.keys() == expected.keys()
    assert all(isclose(values[query], expected[query], rel_tol=1e-12) for query in expected)
    assert isclose(mean, result["nDCG@5"], rel_tol=1e-12)
    assert counts == [result.counts[name] for name in COUNTS]
    print(f"dbt: {len(values)} queries, their mean {mean:.4f} and {len(counts)} counts are those of evaluate")


if __name__ == "__main__":
    main()
