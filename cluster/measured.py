"""What an evaluation takes as a process of its own: `python -m cluster.measured MEASURE QRELS RUN` prints it as JSON.

The peak memory of a process counts that of the process that starts it, so this one imports next to nothing.
"""

import json
import os
import subprocess
import sys
import tempfile
import time


def whole_process(measure, qrels, run):
    """Seconds, CPU seconds and peak memory of a process that evaluates two files, and the mean that it prints."""
    command = [sys.executable, "-m", "ndcg_ref", "eval", "--format", "json", "-m", measure, qrels, run]
    start = time.perf_counter()
    with tempfile.TemporaryFile() as output:
        child = subprocess.Popen(command, stdout=output)
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.perf_counter() - start
        if status:
            raise SystemExit(f"{run}: exit {os.waitstatus_to_exitcode(status)}")
        output.seek(0)
        mean = json.load(output)["measures"][measure]
    return {
        "seconds": seconds,
        "cpu seconds": usage.ru_utime + usage.ru_stime,
        "megabytes": usage.ru_maxrss / 1024,
        "mean": mean,
    }


if __name__ == "__main__":
    print(json.dumps(whole_process(*sys.argv[1:])))
