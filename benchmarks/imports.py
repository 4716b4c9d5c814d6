"""What an import costs, each in a process of its own, over what it is measured against."""

import os
import subprocess
import sys
import time
from statistics import median

RUNS = 15
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
BARE = "pass"
ROWS = [
    # what                  the import                      over               goal in ms
    ("ndcg_ref", "import ndcg_ref", BARE, 5),
    ("ndcg_ref.dcg", "from ndcg_ref import dcg", "import numpy", 5),
    ("ndcg_ref.stated", "import ndcg_ref.stated", BARE, 40),
]


def once(code):
    """Milliseconds of one process."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True, env=ENVIRONMENT)
    return 1000 * (time.perf_counter() - start)


def main():
    """Print the table; the two commands of a row run in turn."""
    print(f"{'import':20} {'over':14} {'costs ms':>9} {'goal ms':>8} {'ratio':>6}")
    for name, code, base, goal in ROWS:
        pairs = [(once(code), once(base)) for _ in range(RUNS + 1)][1:]
        costs = median(with_it - without for with_it, without in pairs)
        print(f"{name:20} {base:14} {costs:9.1f} {goal:8} {costs / goal:6.2f}")


if __name__ == "__main__":
    main()
