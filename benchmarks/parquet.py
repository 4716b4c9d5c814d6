"""A run in Parquet, ranked by DuckDB, beside the same as text, and what others take for that: whole processes.

The peers live in .venv-interop, as for `evaluators.py`. The ten copies have ten times the queries, in ten files.
"""

import os
import subprocess
import sys
import tempfile
import time
from multiprocessing import get_context
from pathlib import Path
from statistics import median

import duckdb
from evaluators import PEERS, READ, ROOT, written

ROUNDS = 3
COPIES = 10
LIMIT = "1GB"  # the memory that DuckDB is given
EXACT = 1e-12
EVALUATE = f"""
import sys, duckdb
from ndcg_ref import evaluate
*measures, qrels, run = sys.argv[1:]
engine = duckdb.connect(config={{"memory_limit": "{LIMIT}"}}) if run.endswith(".parquet") else None
print(evaluate(qrels, run, measures, engine=engine).mean[measures[0]])
"""
CUT, ALL_RANKS = ["nDCG@10", "RR@10", "R@100"], ["nDCG", "AP", "RR", "R@1000"]
MOST = {
    # what: times the seconds of the same as text, and MB
    "Parquet, to rank 100": (1.2, 200),
    "Parquet, all ranks": (3, 400),
}
GOALS = {"pytrec_eval-terrier": 12, "ranx": 20}  # how many times as long each takes
MOST_GROWTH = 10  # times the seconds for ten times the rows
COLUMNS = {
    # side: columns of its lines
    "qrels": {"query_id": "varchar", "iteration": "varchar", "doc_id": "varchar", "relevance": "integer"},
    "run": {
        **{"query_id": "varchar", "q0": "varchar", "doc_id": "varchar", "rank": "integer"},
        **{"score": "double", "tag": "varchar"},
    },
}


def as_parquet(folder, side, path):
    """The paths of a file in TREC's form as Parquet: once, and as copies with queries of their own."""
    rows = duckdb.read_csv(path, sep=" ", header=False, columns=COLUMNS[side])
    once, several = Path(folder, f"{side}.parquet"), Path(folder, f"{side}-{{}}.parquet")
    rows.write_parquet(str(once))
    for number in range(COPIES):
        copy = rows.project(f"'{number}-' || query_id as query_id, * exclude query_id")
        copy.write_parquet(str(several).format(number))
    return str(once), str(several).format("*")


def measured(command):
    """Seconds, CPU seconds and peak memory in MB of a process, and the value that it prints last."""
    start = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT, text=True)
    printed = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    if status:
        raise SystemExit(f"{command[0]}: exit {os.waitstatus_to_exitcode(status)}")
    seconds, cpu = time.perf_counter() - start, usage.ru_utime + usage.ru_stime
    return seconds, cpu, usage.ru_maxrss / 1024, float(printed.split()[-1])


def main():
    """Print the table, and which goals were missed; the exit code is 1 where a value differs."""
    if not PEERS.exists():
        print("no .venv-interop: `make interop` installs the peers to measure against")
        return 0
    # In a process of its own, as the memory of this one counts in its children's
    with tempfile.TemporaryDirectory() as folder, get_context("spawn").Pool(1) as other:
        text = written(folder, "marco")
        sides = [(folder, *side) for side in zip(COLUMNS, text, strict=True)]
        once, copies = zip(*other.starmap(as_parquet, sides), strict=True)
        tools = {
            "Parquet": [sys.executable, "-c", EVALUATE, "nDCG@10", *once],
            "Parquet, ten copies": [sys.executable, "-c", EVALUATE, "nDCG@10", *copies],
            **{
                f"{form}, {name}": [sys.executable, "-c", EVALUATE, *measures, *paths]
                for name, measures in (("to rank 100", CUT), ("all ranks", ALL_RANKS))
                for form, paths in (("text", map(str, text)), ("Parquet", once))
            },
            **{name: [str(PEERS), "-c", READ[name], *text] for name in GOALS},
        }
        rounds = [{name: measured(command) for name, command in tools.items()} for _ in range(ROUNDS)]
    print(f"{'what':22} {'seconds':>8} {'CPU':>7} {'peak MB':>8} {'ratio':>7}   (DuckDB within {LIMIT})")
    missed, wrong = [], []
    for name in tools:
        ratio = median(one[name][0] / one["Parquet"][0] for one in rounds)
        seconds, cpu, peak = (median(one[name][i] for one in rounds) for i in range(3))
        print(f"{name:22} {seconds:8.2f} {cpu:7.2f} {peak:8.0f} {ratio:7.2f}")
        if ratio < GOALS.get(name, 0) or (name.endswith("copies") and ratio > MOST_GROWTH):
            missed.append(f"{name}: goal missed, {ratio:.2f} times the seconds")
        if name in MOST:
            as_text = name.replace("Parquet", "text")
            times, most = median(one[name][0] / one[as_text][0] for one in rounds), MOST[name]
            if times > most[0] or peak > most[1]:
                missed.append(f"{name}: goal missed, {times:.2f} times the seconds of text, {peak:.0f} MB")
        same = "text, all ranks" if name.endswith("all ranks") else "Parquet"
        if name != "ranx" and abs(rounds[0][name][3] - rounds[0][same][3]) > EXACT:  # its order of ties is none
            wrong.append(f"{name}: another value")
    for line in missed + wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
