"""What `make cluster` starts is stopped again, and one line says what it needs; Spark itself runs in `make cluster`."""

import os

import pytest

from cluster.standalone import Cluster, java_problem, java_version

JAVAS = [
    # what `java -version` prints, the version
    ('openjdk version "17.0.15" 2025-04-15', 17),
    ('java version "1.8.0_392"', 8),
    ('openjdk version "25" 2025-09-16 LTS', 25),
    ("Unable to locate a Java Runtime", 0),
]


def program(path, *lines):
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(["#!/bin/sh", *lines]) + "\n", encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize(("printed", "version"), JAVAS)
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
