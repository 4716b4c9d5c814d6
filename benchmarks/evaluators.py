"""Evaluators on the same data in one run: time, peak memory, ratio to ours, and by how much the values differ.

The data is that of `data.py`. The peers live in .venv-interop (`make interop` sets it up); `trec_eval` takes part where
one is installed. The tools of a table run in turn, round after round, and a ratio is the median of the rounds' ratios.
The tables are also written to book/_data/benchmarks.json, which a chapter shows.
"""

import argparse
import datetime
import gc
import json
import math
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path
from statistics import median

import data

ROOT = Path(__file__).resolve().parent.parent
PEERS = ROOT / ".venv-interop" / "bin" / "python"
TABLES = ROOT / "book" / "_data" / "benchmarks.json"
ROUNDS = 5
OURS = "ndcg_ref"

# How far a value may lie from ours: sums in float64, in float32, and prints of four or five decimals
EXACT, SINGLE, FOUR, FIVE = 1e-12, 1e-5, 0.5e-4 + 1e-12, 0.5e-5 + 1e-12

READ = {
    "pytrec_eval-terrier": """
import sys, math, pytrec_eval
qrels, run = (parse(open(path)) for parse, path in zip((pytrec_eval.parse_qrel, pytrec_eval.parse_run), sys.argv[1:]))
values = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut.10"}).evaluate(run).values()
print(math.fsum(value["ndcg_cut_10"] for value in values) / len(values))
""",
    "ir_measures": """
import sys, ir_measures
qrels, run = ir_measures.read_trec_qrels(sys.argv[1]), ir_measures.read_trec_run(sys.argv[2])
print(ir_measures.calc_aggregate([ir_measures.nDCG @ 10], qrels, run)[ir_measures.nDCG @ 10])
""",
    "ranx": """
import sys, ranx
print(float(ranx.evaluate(ranx.Qrels.from_file(sys.argv[1], kind="trec"), ranx.Run.from_file(sys.argv[2], kind="trec"),
    "ndcg@10")))
""",
    "polars": """
import sys, polars as pl
scan = lambda path, *names: pl.scan_csv(path, separator=" ", has_header=False, with_column_names=lambda _: names,
    schema_overrides={"q": pl.String, "d": pl.String})
worth = pl.col("g") / (pl.col("r") + 1).log(2)
qrels = scan(sys.argv[1], "q", "_", "d", "g").select("q", "d", "g")
best = qrels.sort("g", descending=True).group_by("q", maintain_order=True).head(10)
ideal = best.with_columns(r=pl.int_range(1, pl.len() + 1).over("q")).group_by("q").agg(ideal=worth.sum())
run = scan(sys.argv[2], "q", "_", "d", "_r", "s", "_t").select("q", "d", "s")
top = run.group_by("q").agg(pl.col("d", "s").top_k_by(["s", "d"], 10)).explode("d", "s")
top = top.with_columns(r=pl.int_range(1, pl.len() + 1).over("q"))
gained = top.join(qrels, on=["q", "d"], how="left").with_columns(pl.col("g").fill_null(0)).group_by("q").agg(
    gained=worth.sum())
values = gained.join(ideal, on="q").select(pl.when(pl.col("ideal") > 0).then(pl.col("gained") / pl.col("ideal"))
    .otherwise(0.0).mean())
print(values.collect().item())
""",
    "duckdb": """
import sys, duckdb
read = "(select {0} from read_csv('{1}', delim=' ', header=false, names={2}, types={{'q': 'VARCHAR', 'd': 'VARCHAR'}}))"
qrels = read.format("q, d, g", sys.argv[1], ["q", "i", "d", "g"])
run = read.format("q, d, s", sys.argv[2], ["q", "i", "d", "r", "s", "t"])
print(duckdb.sql(f'''
with judged as (select *, row_number() over (partition by q order by g desc) as r from {qrels}),
top as (select *, row_number() over (partition by q order by s desc, d desc) as r from {run} qualify r <= 10),
ideals as (select q, sum(case when r <= 10 then g / log2(r + 1) else 0 end) as ideal from judged group by q),
gains as (select top.q, sum(coalesce(g, 0) / log2(top.r + 1)) as gained
    from top left join judged using (q, d) group by top.q)
select avg(case when ideal > 0 then gained / ideal else 0 end) from gains join ideals using (q)''').fetchall()[0][0])
""",
}


def tools_for_files():
    """Each tool's command, which prints the mean nDCG@10 as its last word, and how far it may lie from ours."""
    yield OURS, [sys.executable, "-m", "ndcg_ref", "eval", "--format", "json", "-m", "nDCG@10"], EXACT
    for name, code in READ.items():
        yield name, [str(PEERS), "-c", code], EXACT
    if program := shutil.which("trec_eval"):
        yield "trec_eval", [program, "-m", "ndcg_cut.10"], FOUR


def once(command):
    """Seconds and peak memory in MB of a process, and the value that it prints."""
    start = time.perf_counter()
    with tempfile.TemporaryFile() as output:
        child = subprocess.Popen(command, stdout=output, cwd=ROOT)
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.perf_counter() - start
        output.seek(0)
        text = output.read().decode()
    if status:
        raise SystemExit(f"{command[0]}: exit {os.waitstatus_to_exitcode(status)}")
    value = json.loads(text)["measures"]["nDCG@10"] if text.startswith("{") else float(text.split()[-1])
    return seconds, usage.ru_maxrss / 1024, value


def written(folder, name):
    """The paths of qrels and run, written by another process: the memory of this one counts in its children's."""
    code = "import sys, data; print(*data.make(sys.argv[2]).files(sys.argv[1]), sep='\\n')"
    command = [sys.executable, "-c", code, folder, name]
    return subprocess.run(
        command, capture_output=True, text=True, check=True, cwd=Path(__file__).parent
    ).stdout.splitlines()


def files(folder, name):
    """Files to the mean nDCG@10, whole processes."""
    paths = written(folder, name)
    tools = {tool: (command + paths, within) for tool, command, within in tools_for_files()}
    rounds = [{tool: once(command) for tool, (command, _) in tools.items()} for _ in range(ROUNDS)]
    return [
        row(
            tool,
            [one[tool][0] for one in rounds],
            [one[OURS][0] for one in rounds],
            abs(rounds[0][tool][2] - rounds[0][OURS][2]),
            tools[tool][1],
            max(one[tool][1] for one in rounds),
        )
        for tool in tools
    ]


def row(tool, seconds, ours, differs, within, peak=None):
    """One line of a table; a value beyond what it may differ by is said."""
    return {
        "tool": tool,
        "version": "" if tool in (OURS, "trec_eval") else version_of(tool),
        "seconds": median(seconds),
        "ratio": median(one / other for one, other in zip(seconds, ours, strict=True)),
        "peak": peak,
        "differs": differs,
        "within": within,
    }


def version_of(tool):
    """The version of a package in .venv-interop."""
    code = f"from importlib.metadata import version; print(version({tool.split()[0]!r}))"
    return subprocess.run([PEERS, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def in_child(work, name):
    """The table of `work`, made in a process of the peers' environment."""
    environment = os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": str(os.cpu_count())}
    command = [PEERS, __file__, "--child", work, name]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout)


def timed(tools):
    """Rows of tools that are functions of no argument, run in turn."""
    times = {tool: [] for tool in tools}
    values = {}
    for i in range(ROUNDS + 1):  # the first round warms up
        for tool, (work, _, _) in tools.items():
            gc.collect()
            start = time.perf_counter()
            values[tool] = work()
            if i:
                times[tool].append(time.perf_counter() - start)
    rows = []
    for tool, (_, right, within) in tools.items():
        differs = None if right is None else max(abs(a - b) for a, b in zip(values[tool], right, strict=True))
        rows.append(
            {
                "tool": tool,
                "version": "" if tool.startswith(OURS) else version(tool.split()[0]),
                "seconds": median(times[tool]),
                "ratio": median(a / b for a, b in zip(times[tool], times[OURS], strict=True)),
                "peak": None,
                "differs": differs,
                "within": within,
            }
        )
    return rows


def dicts(name):
    """Dicts in memory to the means of nDCG@10 and nDCG."""
    import ir_measures
    import pytrec_eval
    import ranx

    from ndcg_ref import evaluate

    qrels, run = data.make(name).dicts()
    built = ranx.Qrels(qrels), ranx.Run(run)
    wanted = ["nDCG@10", "nDCG"]

    def ours():
        return list(evaluate(qrels, run, wanted).mean.values())

    def pytrec():
        values = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut.10", "ndcg"}).evaluate(run).values()
        return [math.fsum(value[key] for value in values) / len(values) for key in ("ndcg_cut_10", "ndcg")]

    def ir():
        measures = [ir_measures.nDCG @ 10, ir_measures.nDCG]
        found = ir_measures.calc_aggregate(measures, qrels, run)
        return [found[measure] for measure in measures]

    def by_ranx():
        return [float(value) for value in ranx.evaluate(*built, ["ndcg@10", "ndcg"]).values()]

    right = list(evaluate(qrels, run, wanted, "pytrec_eval-terrier").mean.values())
    untied = list(evaluate(qrels, run, wanted, "ranx").mean.values())
    return timed(
        {
            OURS: (ours, None, None),
            "pytrec_eval-terrier": (pytrec, right, EXACT),
            "ir_measures": (ir, right, EXACT),
            "ranx": (by_ranx, untied, None),  # its order of equal scores is none
        }
    )


def compared(name):
    """Three runs in memory, each two of them tested on nDCG@10 with 10,000 changes of signs: the means."""
    import numpy as np
    import ranx

    from ndcg_ref import compare_runs

    made = data.make(name)
    qrels, run = made.dicts()
    runs = {}
    for run_name, spread in (("a", 0.01), ("b", 0.1), ("c", 0.2)):  # no two scores are equal
        noise = iter(np.random.default_rng(made.seed).normal(0, spread, made.documents.size).tolist())
        runs[run_name] = {query: {d: score + next(noise) for d, score in of.items()} for query, of in run.items()}
    built = ranx.Qrels(qrels), [ranx.Run(of, name=run_name) for run_name, of in runs.items()]

    def ours():
        found = compare_runs(qrels, runs, "nDCG@10", "ranx", resamples=10_000)
        return list(found.mean["nDCG@10"].values())

    def by_ranx():
        found = ranx.compare(*built, ["ndcg@10"], stat_test="fisher", n_permutations=10_000)
        return [found.results[run_name]["ndcg@10"] for run_name in runs]

    return timed({OURS: (ours, None, None), "ranx": (by_ranx, ours(), EXACT)})


def arrays(name):
    """Dense arrays, k = 10; ties averaged where the tool does that."""
    import ignite.metrics.rec_sys as ignite
    import numpy as np
    import torch
    import xgboost
    from sklearn.metrics import ndcg_score as theirs
    from torchmetrics.retrieval import RetrievalNormalizedDCG

    from ndcg_ref import PRESETS, ndcg_score

    grades, scores = data.make(name).arrays()
    targets, predictions = torch.from_numpy(grades), torch.from_numpy(scores).float()
    queries = torch.arange(len(grades)).repeat_interleave(grades.shape[1])
    matrix = xgboost.DMatrix(np.zeros((grades.size, 1)), label=grades.ravel(), base_margin=scores.ravel())
    matrix.set_group(np.full(len(grades), grades.shape[1]))
    booster = xgboost.train({"objective": "rank:ndcg", "eval_metric": "ndcg@10", "base_score": 0}, matrix, 0)

    def torchmetrics():
        metric = RetrievalNormalizedDCG(top_k=10)
        return [float(metric(predictions.ravel(), targets.ravel().long(), indexes=queries))]

    def by_ignite():
        metric = ignite.NDCG(top_k=[10])
        metric.update((predictions, targets))
        return [float(np.ravel(metric.compute())[0])]

    def by_xgboost():
        return [float(booster.eval(matrix).split(":")[-1])]

    def preset(name):
        return [ndcg_score(grades, scores, k=10, convention=PRESETS[name])]

    return timed(
        {
            OURS: (lambda: [ndcg_score(grades, scores, k=10)], None, None),
            "scikit-learn": (lambda: [theirs(grades, scores, k=10)], preset("scikit-learn"), EXACT),
            "torchmetrics": (torchmetrics, preset("torchmetrics"), SINGLE),
            "pytorch-ignite": (by_ignite, preset("ignite"), SINGLE),
            "xgboost": (by_xgboost, preset("xgboost"), SINGLE),
            "numpy argpartition": (lambda: np.argpartition(scores, -10, axis=1) is None, None, None),
        }
    )


def uncut(name):
    """Dense arrays, no cutoff, ties averaged."""
    from sklearn.metrics import ndcg_score as theirs

    from ndcg_ref import ndcg_score

    grades, scores = data.make(name).arrays()
    right = [ndcg_score(grades, scores)]
    return timed(
        {
            OURS: (lambda: [ndcg_score(grades, scores)], None, None),
            "scikit-learn": (lambda: [theirs(grades, scores)], right, EXACT),
        }
    )


def growth(folder):
    """Ten times the queries: how many times the time and the peak memory, for files; and the time, for the rest."""
    from ndcg_ref import evaluate, ndcg_score

    rows = []
    commands = [[*next(tools_for_files())[1], *written(folder, name)] for name in ("tenth", "marco")]
    pairs = [[once(command) for command in commands] for _ in range(ROUNDS)]
    bare = median(once([sys.executable, "-c", "import numpy; print(0)"])[0] for _ in range(ROUNDS))
    rows.append(grown("files", [(a[0] - bare, b[0] - bare) for a, b in pairs]))
    rows[-1]["peak"] = [max(one[i][1] for one in pairs) for i in (0, 1)]
    small, large = data.make("tenth"), data.make("marco")
    for what, made, work in (
        ("dicts", [small.dicts(), large.dicts()], lambda one: evaluate(*one, ["nDCG@10", "nDCG"])),
        ("arrays", [small.arrays(), large.arrays()], lambda one: ndcg_score(*one, k=10)),
    ):
        rows.append(grown(what, [[seconds(lambda one=one: work(one)) for one in made] for _ in range(ROUNDS + 1)][1:]))  # noqa: B023
    return rows


def grown(what, pairs):
    return {
        "what": what,
        "seconds": [median(one[i] for one in pairs) for i in (0, 1)],
        "ratio": median(large / small for small, large in pairs),
    }


def seconds(work):
    gc.collect()
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def started(folder):
    """The small data from files, over `import numpy` alone, in milliseconds."""
    command = [*next(tools_for_files())[1], *written(folder, "dl")]
    pairs = [(once(command)[0], once([sys.executable, "-c", "import numpy; print(0)"])[0]) for _ in range(15)]
    return {
        "whole": 1000 * median(ours for ours, _ in pairs),
        "numpy": 1000 * median(bare for _, bare in pairs),
        "over": 1000 * median(ours - bare for ours, bare in pairs),
    }


def shown(title, rows):
    """Print a table."""
    print(f"\n{title}\n{'tool':22} {'version':10} {'seconds':>9} {'ratio':>7} {'peak MB':>8}  differs by")
    for one in rows:
        peak = "" if one["peak"] is None else f"{one['peak']:.0f}"
        differs = "" if one["differs"] is None else f"{one['differs']:.1e}"
        if one["within"] is not None and one["differs"] is not None and one["differs"] > one["within"]:
            differs += f"  TOO FAR: at most {one['within']:.1e}"
        print(f"{one['tool']:22} {one['version']:10} {one['seconds']:9.3f} {one['ratio']:7.2f} {peak:>8}  {differs}")


def main():
    """Print the tables, and write them down."""
    if not PEERS.exists():
        print("no .venv-interop: `make interop` installs the peers to measure against")
        return 0
    tables = {}
    with tempfile.TemporaryDirectory() as folder:
        for title, work in (
            ("marco, files to mean nDCG@10", lambda: files(folder, "marco")),
            ("dl, files to mean nDCG@10", lambda: files(folder, "dl")),
            ("marco, dicts in memory, nDCG@10 and nDCG", lambda: in_child("dicts", "marco")),
            ("marco, three runs compared, 10,000 permutations", lambda: in_child("compared", "marco")),
            ("marco, dense arrays, k = 10", lambda: in_child("arrays", "marco")),
            ("marco, dense arrays, no cutoff", lambda: in_child("uncut", "marco")),
        ):
            tables[title] = work()
            shown(title, tables[title])
        start = started(folder)
        print(f"\ndl from files: {start['whole']:.0f} ms, over `import numpy` alone {start['over']:.0f} ms")
        more = growth(folder)
        print("\nten times the queries")
        for one in more:
            peak = f", peak {one['peak'][0]:.0f} and {one['peak'][1]:.0f} MB" if "peak" in one else ""
            small, large = one["seconds"]
            print(f"{one['what']:8} {small:.3f} s and {large:.3f} s: {one['ratio']:.2f} times{peak}")
    written = {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "rounds": ROUNDS,
        "tables": tables,
        "start": start,
        "growth": more,
    }
    TABLES.write_text(json.dumps(written, indent=1) + "\n", encoding="utf-8")
    far = [
        one
        for rows in tables.values()
        for one in rows
        if one["within"] and one["differs"] and one["differs"] > one["within"]
    ]
    return 1 if far else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--child", nargs=2, metavar=("WORK", "DATA"), help=argparse.SUPPRESS)
    child = parser.parse_args().child
    if child:
        print(json.dumps(globals()[child[0]](child[1])))
    else:
        sys.exit(main())
