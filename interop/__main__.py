"""Run every library on every case and store the results: `make interop`."""

import argparse
import datetime
import json
import os
import platform
import shutil
from functools import partial
from pathlib import Path

from interop import cases, comparison, demonstrations, ported
from interop.children import in_child
from interop.columns import libraries
from interop.libraries import version_of_trec_eval

DATA = Path("book/_data/interop.json")
PORTED = Path("book/_data/coming-from.json")
SECONDS = 10  # for one case
ONE_THREAD = {"OMP_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


def column(load, measure, queries, means):
    """The results of one library for every case, each in a separate process, as some libraries keep state."""
    mean = load(measure)
    alone = [(one["k"], {"q1": one}, None) for one in queries]
    several = [(one["k"], one["queries"], one["weights"]) for one in means]
    return rounded(
        {
            "values": [in_child(partial(mean, *one), SECONDS) for one in alone],
            "means": [in_child(partial(mean, *one), SECONDS) for one in several],
        }
    )


def rounded(value):
    """Ten digits of every number, since the last ones differ between processors."""
    if isinstance(value, float):
        return float(f"{value:.10g}")
    if isinstance(value, dict):
        return {key: rounded(each) for key, each in value.items()}
    return [rounded(each) for each in value] if isinstance(value, list) else value


def programs(given):
    """Builds of trec_eval by version, oldest first: those given, or the one that is installed."""
    found = {version_of_trec_eval(program): program for program in given or filter(None, [shutil.which("trec_eval")])}
    return dict(sorted(found.items(), key=lambda build: [int(number) for number in build[0].split(".")]))


def main():
    parser = argparse.ArgumentParser(prog="python -m interop", description=__doc__)
    parser.add_argument("trec_eval", nargs="*", metavar="PATH", help="a build of trec_eval; repeatable")
    os.environ.update(ONE_THREAD)
    builds = programs(parser.parse_args().trec_eval)
    old = json.loads(DATA.read_text("utf-8")) if DATA.exists() else {}
    data = {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}",
        "libraries": {},
        "measures": {},
        "queries": cases.queries(),
        "means": cases.means(),
    }
    keep_trec_eval(old, data)
    for name, load, others in libraries(builds):
        for measure in ("nDCG", *others):
            made = in_child(partial(column, load, measure, data["queries"], data["means"]), seconds=1800)
            print(name, measure, *summary(made), sep="  ", flush=True)
            if measure == "nDCG":
                data["libraries"][name] = made
            else:
                data["measures"].setdefault(name, {})[measure] = made
    PORTED.write_text(laid_out(rounded(ported.all_of_them())) + "\n", "utf-8")
    # Last, since they load libraries into this process, from which the others are forked
    data["demonstrations"] = rounded(demonstrations.all_of_them(builds, old.get("demonstrations", [])))
    data["comparison"] = rounded(comparison.of_ranx())
    same = ("libraries", "measures", "queries", "means", "demonstrations", "comparison")
    if json.loads(json.dumps([data[key] for key in same])) == [old.get(key) for key in same]:
        print(f"{DATA}: the same values as on {old['date']}")
        return
    DATA.parent.mkdir(exist_ok=True)
    DATA.write_text(laid_out(data) + "\n", "utf-8")


def keep_trec_eval(old, data):
    """Keep the stored results of builds of trec_eval that are not available; none if the cases have changed."""
    if [old.get("queries"), old.get("means")] == json.loads(json.dumps([data["queries"], data["means"]])):
        for key in ("libraries", "measures"):
            data[key] |= {name: one for name, one in old.get(key, {}).items() if name.startswith("trec_eval-")}


def summary(made):
    if "error" in made:
        yield made["error"]
    else:
        everything = [*made["values"], *made["means"]]
        for word in ("error", "not taken"):
            yield f"{sum(isinstance(one, dict) and word in one for one in everything)} {word}"
        yield f"{sum(not isinstance(one, dict) for one in everything)} values"


def laid_out(value):
    """JSON with a line for each case and each value, so that a change is a changed line."""
    if isinstance(value, list):
        return "[\n" + ",\n".join(json.dumps(one, ensure_ascii=False) for one in value) + "\n]"
    if isinstance(value, dict) and value:
        return "{\n" + ",\n".join(f"{json.dumps(key)}: {laid_out(one)}" for key, one in value.items()) + "\n}"
    return json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    main()
