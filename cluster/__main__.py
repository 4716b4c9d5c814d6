"""Run what the book says of engines on a small Spark cluster, and store what was found: `make cluster`."""

import datetime
import json
import os
import platform
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

from cluster.comparing import sparks_own
from cluster.standalone import java_problem, java_version, running

STORED = Path("book/practice/engines.json")


def main():
    """Run everything and write the file; one line where Spark cannot run."""
    if problem := java_problem():
        sys.exit(problem)
    with tempfile.TemporaryDirectory() as folder, running(folder) as (_, session):
        found = {"own": list(sparks_own(session))}
    STORED.write_text(json.dumps({**this_machine(), **found}, indent=1) + "\n", "utf-8")
    print(f"{STORED}: written")


def this_machine():
    """When and on what it was run."""
    return {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "versions": {
            "Python": platform.python_version(),
            "Java": java_version(),
            "DuckDB": version("duckdb"),
            "Spark": version("pyspark"),
        },
    }


if __name__ == "__main__":
    main()
