"""Evaluate the same data in every form and on every engine, compare, and store what was found: `make cluster`."""

import datetime
import json
import os
import platform
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

from benchmarks import data
from cluster import cases, forms, growth
from cluster.comparing import hold_sums_of_spark, sparks_own, worst_difference
from cluster.losing import losing_a_worker
from cluster.standalone import java_problem, java_version, running
from ndcg_ref import evaluate

STORED = Path("book/_data/engines.json")


def main():
    """Run everything and write the file; one line where Spark cannot run."""
    if problem := java_problem():
        sys.exit(problem)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        small = both_forms(*cases.written(folder))
        large = both_forms(*data.make("marco").files(folder))
        right = evaluate(*large["text"], growth.MEASURE)
        with running(folder) as (cluster, session):
            found = {
                "own": list(sparks_own(session)),
                "drawn": list(on_drawn_data(session, small)),
                "large": on_large_data(session, large, right),
                "growth": list(growth.on_spark(cluster, session, large["Parquet"])),
                "lost": losing_a_worker(cluster, session, right, large["Parquet"]),
            }
        found["growth"] += growth.in_processes(large["Parquet"])
    STORED.write_text(json.dumps({**this_machine(), **found}, indent=1) + "\n", "utf-8")
    print(f"{STORED}: written")


def this_machine():
    """When and on what it was run."""
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    return {
        "date": today,
        "growth date": today,  # of the seconds, which need a machine that does nothing else
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "versions": {
            "Python": platform.python_version(),
            "Java": java_version(),
            "DuckDB": version("duckdb"),
            "Spark": version("pyspark"),
        },
    }


def both_forms(qrels, run):
    """The paths of the text, and of the same as Parquet."""
    return {"text": (qrels, run), "Parquet": (forms.parquet_of(qrels, "qrels"), forms.parquet_of(run, "run"))}


def on_drawn_data(session, files):
    """Each drawn convention: the counts, which are equal everywhere, and the worst difference from the text."""
    for convention in cases.conventions():
        print(convention, flush=True)
        found = []
        for measures in cases.measures_for(convention):
            right = evaluate(*files["text"], measures, convention)
            found.append((right.counts, compared(session, files, right, measures, convention)))
            hold_sums_of_spark(session, right, measures, convention)
        yield {
            "convention": str(convention),
            "counts": found[0][0],
            "worst": {form: max(worst[form] for _, worst in found) for form in found[0][1]},
        }


def on_large_data(session, files, right):
    """The large run, as `trec_eval` evaluates it."""
    return {"counts": right.counts, "mean": right.mean, "worst": compared(session, files, right, growth.MEASURE)}


def compared(session, files, right, wanted, convention=None):
    """The worst difference of every other form and engine from the text."""
    tables = forms.tables_of(*files["Parquet"])
    for name, path in zip(("qrels", "run"), files["Parquet"], strict=True):
        session.read.parquet(str(path)).createOrReplaceTempView(name)
    others = {
        "Parquet": evaluate(*files["Parquet"], wanted, convention),
        "DuckDB": evaluate("qrels", "run", wanted, convention, engine=tables),
        "Spark": evaluate("qrels", "run", wanted, convention, engine=session),
    }
    return {name: worst_difference(name, result, right) for name, result in others.items()}


if __name__ == "__main__":
    main()
