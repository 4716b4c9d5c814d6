"""How long `ndcg-ref which` takes for long rankings: CPU seconds of the whole command."""

import random
import resource
import subprocess
import sys
from pathlib import Path
from statistics import median

COMMAND = Path(sys.executable).with_name("ndcg-ref")
RUNS = 3
ROWS = [
    # what, documents, different scores (None for no scores), goal in CPU seconds
    ("grades with scores, most of them tied", 800, 50, 2),
    ("grades with scores, all of them tied", 800, 1, 2),
    ("grades without scores", 3001, None, 5),
    ("grades with scores, most of them tied", 3001, 50, 5),
]


def cpu_seconds(words):
    """What one command takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([COMMAND, *words], capture_output=True, text=True)
    if done.returncode == 2:
        raise RuntimeError(done.stderr)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    """Print the table."""
    print(f"{'documents':>9}  {'what':40} {'CPU s':>7} {'goal':>5} {'ratio':>6}")
    for what, documents, different, goal in ROWS:
        random_ = random.Random(7)
        words = ["which", "0.7312", "--grades", ",".join(str(random_.randint(0, 3)) for _ in range(documents))]
        if different is not None:
            words += ["--scores", ",".join(f"0.{random_.randrange(different):02}" for _ in range(documents))]
        measured = median(cpu_seconds(words) for _ in range(RUNS))
        print(f"{documents:9,}  {what:40} {measured:7.2f} {goal:5} {measured / goal:6.2f}")


if __name__ == "__main__":
    main()
