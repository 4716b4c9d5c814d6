"""Run every library on every case and write what came out: `make interop`."""

import argparse
import datetime
import json
import os
import platform
import shutil
import subprocess
from functools import partial
from pathlib import Path

from interop import cases, demonstrations
from interop.children import in_child
from interop.libraries import libraries, trec_eval

DATA = Path("book/practice/interop.json")
SECONDS = 10  # for one case
ONE_THREAD = {"OMP_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


def column(load, queries, means):
    """What one library makes of every case, each in a process of its own: some remember the query before."""
    mean = load()
    alone = [(one["k"], {"q1": one}, None) for one in queries]
    several = [(one["k"], one["queries"], one["weights"]) for one in means]
    return {
        "values": [in_child(partial(mean, *one), SECONDS) for one in alone],
        "means": [in_child(partial(mean, *one), SECONDS) for one in several],
    }


def programs(given):
    """Builds of trec_eval: those named, or the one that is installed, under the version that it prints."""
    if not given and (found := shutil.which("trec_eval")):
        printed = subprocess.run([found, "--version"], capture_output=True, text=True, check=False)
        given = [f"{(printed.stdout + printed.stderr).split()[-1]}={found}"]
    return [one.split("=", 1) for one in given]


def main():
    parser = argparse.ArgumentParser(prog="python -m interop", description=__doc__)
    parser.add_argument("trec_eval", nargs="*", metavar="VERSION=PATH", help="a build of trec_eval; repeatable")
    os.environ.update(ONE_THREAD)
    queries, means = cases.queries(), cases.means()
    builds = programs(parser.parse_args().trec_eval)
    work = [(f"trec_eval-{version}", partial(trec_eval, path)) for version, path in builds]
    columns = kept(queries, means)
    for name, load in [*work, *libraries()]:
        columns[name] = in_child(partial(column, load, queries, means), seconds=1800)
        print(name, *summary(columns[name]), sep="  ", flush=True)
    data = {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}",
        "libraries": columns,
        "queries": queries,
        "means": means,
        "demonstrations": list(demonstrations.all_of_them(dict(builds))),
    }
    DATA.parent.mkdir(exist_ok=True)
    DATA.write_text(laid_out(data) + "\n", "utf-8")


def kept(queries, means):
    """The columns of trec_eval from the file, for where no build of it is at hand; none where the cases are others."""
    old = json.loads(DATA.read_text("utf-8")) if DATA.exists() else {}
    if [old.get("queries"), old.get("means")] != json.loads(json.dumps([queries, means])):
        return {}
    return {name: one for name, one in old["libraries"].items() if name.startswith("trec_eval-")}


def summary(made):
    if "error" in made:
        yield made["error"]
    else:
        everything = [*made["values"], *made["means"]]
        for word in ("error", "not taken"):
            yield f"{sum(isinstance(one, dict) and word in one for one in everything)} {word}"
        yield f"{sum(not isinstance(one, dict) for one in everything)} values"


def laid_out(value, depth=4):
    """JSON with a line for each case and each value, so that a changed one is a changed line."""
    if depth == 0 or not isinstance(value, dict | list) or not value:
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        return "[\n" + ",\n".join(laid_out(one, 0) for one in value) + "\n]"
    return "{\n" + ",\n".join(f"{json.dumps(key)}: {laid_out(one, depth - 1)}" for key, one in value.items()) + "\n}"


if __name__ == "__main__":
    main()
