"""A Spark of one master and two workers on 127.0.0.1, which is stopped again whatever happens.

pyspark brings no scripts that start one, so its `spark-class` is called. Each process gets a group of its own: a worker
starts the executor that runs the tasks, and killing the group ends both, as when a machine is lost.
"""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path

HOST = "127.0.0.1"
OLDEST_JAVA = 17
SECONDS = 90  # until a process must have started
MASTER_AT = rb"Starting Spark master at (spark://[\d.]+:\d+)"
WORKER_READY = rb"(Successfully registered with master)"
SETTINGS = {  # of the session
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.host": HOST,
    "spark.driver.bindAddress": HOST,
    "spark.driver.memory": "2g",
    "spark.executor.memory": "2g",
    "spark.sql.shuffle.partitions": "4",  # 200 without it, for two cores
    "spark.sql.files.maxPartitionBytes": "2m",  # many short tasks, so that a worker can be lost half-way
}


def java_version():
    """The first number of the version of Java, such as 17; 0 if there is none."""
    home = os.environ.get("JAVA_HOME")
    java = shutil.which("java", path=Path(home, "bin") if home else None)
    said = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr if java else ""
    found = re.search(r'version "(?:1\.)?(\d+)', said)
    return int(found[1]) if found else 0


def java_problem():
    """One line that says why Spark cannot run here, or nothing."""
    found = java_version()
    if found >= OLDEST_JAVA:
        return ""
    return f"Spark needs Java {OLDEST_JAVA} or later, and found {found or 'none'} (on Debian: openjdk-17-jre-headless)"


class Cluster:
    """The processes of a running cluster."""

    def __init__(self, folder, spark_class):
        self.folder = Path(folder)
        self.spark_class = spark_class
        self.url = ""
        self.workers = []
        self.processes = []

    def start(self):
        """Start the master and then two workers, on ports that are free."""
        deploy = "org.apache.spark.deploy"
        ports = ("--port", "0", "--webui-port", "0")
        master = self._run("master", f"{deploy}.master.Master", "--host", HOST, *ports)
        self.url = self._said("master", master, MASTER_AT)
        size = ("--cores", "1", "--memory", "2g", "--work-dir", str(self.folder / "work"))
        for name in ("worker-1", "worker-2"):
            self.workers.append(self._run(name, f"{deploy}.worker.Worker", "--host", HOST, *ports, *size, self.url))
        for number, worker in enumerate(self.workers, start=1):
            self._said(f"worker-{number}", worker, WORKER_READY)

    def kill(self, worker):
        """End a worker and its executor at once, as a power cut would."""
        os.killpg(worker.pid, signal.SIGKILL)
        worker.wait()

    def cpu_seconds(self):
        """What the processors have spent so far on the cluster, and on this process and its session."""
        groups = {os.getpgrp(), *(process.pid for process in self.processes)}
        ticks = 0
        for path in Path("/proc").glob("[0-9]*/stat"):
            with suppress(FileNotFoundError, ProcessLookupError):  # one that ended meanwhile
                fields = path.read_text("utf-8", "replace").rpartition(")")[2].split()  # a name may have blanks
                ticks += int(fields[11]) + int(fields[12]) if int(fields[2]) in groups else 0
        return ticks / os.sysconf("SC_CLK_TCK")

    def stop(self):
        """End every process; the port of the master must then be free."""
        for process in reversed(self.processes):
            with suppress(ProcessLookupError):  # of the worker that was killed before
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        if self.url:
            with socket.socket() as probe:
                if probe.connect_ex((HOST, int(self.url.rpartition(":")[2]))) == 0:
                    raise SystemExit(f"{self.url} still answers")

    def _run(self, name, *command):
        with (self.folder / f"{name}.log").open("wb") as log:
            process = subprocess.Popen(
                [self.spark_class, *command],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=environment(self.folder),
                start_new_session=True,
            )
        self.processes.append(process)
        return process

    def _said(self, name, process, pattern):
        """The part in brackets of the line that a process logs when it is ready."""
        log, end = self.folder / f"{name}.log", time.monotonic() + SECONDS
        while time.monotonic() < end and process.poll() is None:
            if found := re.search(pattern, log.read_bytes()):
                return found[1].decode()
            time.sleep(0.2)
        last = log.read_text("utf-8", "replace").strip().splitlines()[-1:]
        raise SystemExit(f"{name}: expected it to start within {SECONDS} s; it said last: {''.join(last)}")


def environment(folder):
    """Variables of every process: all on this machine, and one Python for driver and workers."""
    return os.environ | {
        "SPARK_LOCAL_IP": HOST,
        "SPARK_LOCAL_DIRS": str(folder),
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_DAEMON_MEMORY": "512m",
    }


@contextmanager
def running(folder):
    """A cluster that runs, and a session on it."""
    import pyspark
    from pyspark.sql import SparkSession

    cluster = Cluster(folder, Path(pyspark.__file__).parent / "bin" / "spark-class")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))  # so that the cluster is stopped, too
    os.environ.update(environment(folder))
    try:
        cluster.start()
        builder = SparkSession.builder.master(cluster.url).appName("ndcg-ref")
        for name, value in SETTINGS.items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
        session.sparkContext.setLogLevel("FATAL")  # a lost worker is expected
        yield cluster, session
        session.stop()  # after an error it may wait for a job that hangs; its process ends with this one anyway
    finally:
        cluster.stop()
