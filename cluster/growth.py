"""Seconds, CPU seconds and memory of one evaluation, on ever more copies of a run.

CPU seconds can be compared between machines that have other work to do, too, so that nothing is measured twice.
"""

import json
import os
import subprocess
import sys
import tempfile
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
    """What a process takes that evaluates two files, and the mean that it prints."""
    command = [sys.executable, "-m", "ndcg_ref", "eval", "--format", "json", "-m", MEASURE, qrels, run]
    start = time.perf_counter()
    with tempfile.TemporaryFile() as output:
        child = subprocess.Popen(command, stdout=output)
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.perf_counter() - start
        if status:
            raise SystemExit(f"{run}: exit {os.waitstatus_to_exitcode(status)}")
        output.seek(0)
        mean = json.load(output)["measures"][MEASURE]
    return {
        "seconds": seconds,
        "cpu seconds": usage.ru_utime + usage.ru_stime,
        "megabytes": usage.ru_maxrss / 1024,
        "mean": mean,
    }
