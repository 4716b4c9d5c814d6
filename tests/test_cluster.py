"""What `make cluster` starts is stopped again, and what differs stops it; Spark itself runs in `make cluster` alone."""

import json
import math
import os
from dataclasses import replace
from pathlib import Path

import pytest
from rows import every_row

from cluster import cases
from cluster.comparing import difference, worst_difference
from cluster.standalone import Cluster, java_problem, java_version
from ndcg_ref import evaluate

ROOT = Path(__file__).resolve().parent.parent
JAVAS = [
    # what `java -version` prints, the version
    ('openjdk version "17.0.15" 2025-04-15', 17),
    ('java version "1.8.0_392"', 8),
    ("Unable to locate a Java Runtime", 0),
]


def program(path, *lines):
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(["#!/bin/sh", *lines]) + "\n", encoding="utf-8")
    path.chmod(0o755)
    return path


@every_row(("printed", "version"), JAVAS)
def test_the_version_of_java_is_its_first_number(printed, version, tmp_path, monkeypatch):
    program(tmp_path / "bin" / "java", f"echo '{printed}' >&2")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert java_version() == version
    assert bool(java_problem()) == (version < 17)


def test_without_java_one_line_says_what_is_needed(tmp_path, monkeypatch):
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert java_problem() == "Spark needs Java 17 or later, and found none (on Debian: openjdk-17-jre-headless)"


SPARK = """case "$1" in
    *Master) echo "Starting Spark master at spark://127.0.0.1:1" ;;
    *) echo "{worker}" ;;
esac
sleep 60 &
wait"""


def alive(processes):
    """The groups of which a process is left."""
    return [process.pid for process in processes if os.path.exists(f"/proc/{process.pid}")]


class TestEverythingThatWasStartedIsStopped:
    def cluster(self, folder, worker):
        return Cluster(folder, program(folder / "bin" / "spark-class", SPARK.format(worker=worker)))

    def test_after_a_worker_was_killed(self, tmp_path):
        cluster = self.cluster(tmp_path, "Successfully registered with master")
        cluster.start()
        master_and_workers = cluster.processes
        assert len(alive(master_and_workers)) == 3
        cluster.kill(cluster.workers[0])
        assert len(alive(master_and_workers)) == 2
        cluster.stop()
        assert alive(master_and_workers) == []

    def test_after_a_worker_did_not_start(self, tmp_path):
        cluster = self.cluster(tmp_path, 'no memory"; exit 1; echo "')
        with pytest.raises(SystemExit, match=r"worker-1: expected it to start within 90 s; it said last: no memory"):
            cluster.start()
        cluster.stop()
        assert len(cluster.processes) == 3
        assert alive(cluster.processes) == []


DIFFERENCES = [
    # found, expected, how far apart
    (0.5, 0.25, 0.25),
    (math.nan, math.nan, 0),
    (0.5, math.nan, math.inf),
]


@every_row(("found", "expected", "apart"), DIFFERENCES)
def test_two_undefined_values_are_equal_and_one_differs_from_any_number(found, expected, apart):
    assert difference(found, expected) == apart


RESULT = evaluate({"q1": {"d1": 1}, "q2": {"d1": 0}}, {"q1": {"d1": 2.5}, "q2": {"d1": 1.5}}, "nDCG", "scikit-learn")
OTHERS = [
    # what is changed, what is said
    ({"counts": {**RESULT.counts, "missing": 1}}, "Spark: counts: expected .*'missing': 0.*, got .*'missing': 1"),
    ({"per_query": {"nDCG": {"q1": 1.0}}}, "Spark: per_query of nDCG: expected 2 entries, got 1, or others"),
    ({"mean": {"nDCG": math.nan}}, "Spark: expected values within 1e-12 .* got inf"),
]


@every_row(("changed", "said"), OTHERS)
def test_a_result_that_differs_stops_the_run(changed, said):
    with pytest.raises(SystemExit, match=said):
        worst_difference("Spark", replace(RESULT, **changed), RESULT)


def test_sums_in_another_order_do_not_stop_the_run():
    found = replace(RESULT, dcg={"nDCG": {"q1": 1 + 2**-50, "q2": 0.0}})
    assert worst_difference("Spark", found, RESULT) == 2**-50


def test_each_value_of_each_choice_is_drawn():
    drawn = list(cases.conventions())
    assert len(drawn) == len(set(drawn)) == 10
    for choice, values in cases.CHOICES.items():
        assert len({getattr(convention, choice) for convention in drawn}) == len(values), choice


def test_the_stored_values_are_of_these_conventions():
    """Else the file is older than the cases: `make cluster` writes it anew."""
    stored = json.loads((ROOT / "book" / "_data" / "engines.json").read_text("utf-8"))
    assert [one["convention"] for one in stored["drawn"]] == [str(each) for each in cases.conventions()]


def test_the_drawn_data_have_what_conventions_differ_on(tmp_path):
    qrels, run = cases.written(tmp_path)
    counts = evaluate(qrels, run, "nDCG@5", next(cases.conventions())).counts
    assert all(counts[name] for name in ("evaluated", "missing", "extra", "without_ideal", "tied"))
