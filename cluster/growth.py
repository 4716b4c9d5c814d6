"""Seconds, CPU seconds and memory of one evaluation, on ever more copies of a run.

CPU seconds can be compared between machines that have other work to do, too, so that nothing is measured twice.
"""

import json
import subprocess
import sys
import time

from cluster import forms
from ndcg_ref import evaluate

COPIES = (1, 3, 10)
MEASURE = "nDCG@10"


def on_spark(cluster, session, files):
    """Evaluations on a session that is already running."""
    for count in COPIES:
        paths = [str(forms.copies_of(path, count)) for path in files]
        yield row("Spark", count, one_evaluation(cluster, session, paths))


def one_evaluation(cluster, session, paths):
    """What an evaluation takes on a cluster, and its mean."""
    start, before = time.perf_counter(), cluster.cpu_seconds()
    result = evaluate(*paths, MEASURE, engine=session)
    return {
        "seconds": time.perf_counter() - start,
        "cpu seconds": cluster.cpu_seconds() - before,
        "mean": result.mean[MEASURE],
    }


def in_processes(files):
    """Whole processes, which read Parquet or text."""
    for count in COPIES:
        parquet = [forms.copies_of(path, count) for path in files]
        yield row("Parquet", count, whole_process(*parquet))
        text = [forms.text_of(path, side, count) for path, side in zip(files, ("qrels", "run"), strict=True)]
        yield row("text", count, whole_process(*text))
        for path in text:
            path.unlink()


def row(form, count, taken):
    """A row of the table, which is also printed."""
    found = {"form": form, "copies": count, **taken}
    print(*found.values(), flush=True)
    return found


def whole_process(qrels, run):
    """What a process takes that evaluates two files, as a small one measures it."""
    command = [sys.executable, "-m", "cluster.measured", MEASURE, qrels, run]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
