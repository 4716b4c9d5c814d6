"""How fast notes are read and judged, and `ndcg-ref check` as a whole: time of the processor."""

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from ndcg_ref.notes import check_note
from ndcg_ref.notes.islands import chains_of, plain_text

COMMAND = Path(sys.executable).with_name("ndcg-ref")
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
RUNS = 15
LINES = [  # one of each shape that notes print
    "DCG@3 = 3 + 1.262 + 0.5 = 4.762",
    "DCG = 3/log2(2) + 2/log2(3) + 1/log2(4) = 4.76",
    r"$DCG_{1}=2 + \frac{3}{\log_{2}2}+\frac{1}{\log_{2}3}+\frac{2}{\log_{2}4}=6.06$",
    r"\mathrm{NDCG} &= \frac{4.262}{4.762} \approx 0.895 \\",
    "**IDCG** = `7.00 + 1.89 + 0.50` = **9.39**",
]
# A note of the middle length has two examples, each with its table and its three results
NOTE = 2 * (Path(__file__).with_name("note.md").read_text("utf-8") + "\n")


def milliseconds(work):
    """What one call takes."""
    start = time.process_time()
    work()
    return 1000 * (time.process_time() - start)


def of_the_command(*words):
    """What a whole command takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([COMMAND, *words], capture_output=True, text=True, env=ENVIRONMENT)
    if done.returncode:
        raise RuntimeError(done.stdout + done.stderr)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def main():
    """Print the table."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "note.md")
        path.write_text("DCG = 3/log2(2) + 2/log2(3) = 4.26\n", "utf-8")
        equations = [plain_text(line) for line in 20 * LINES]
        assert all(chains_of(line) for line in equations)
        check_note(NOTE)
        rows = [
            # what, milliseconds, goal
            (
                "reading an equation",
                median(milliseconds(lambda: [chains_of(line) for line in equations]) for _ in range(RUNS))
                / len(equations),
                0.1,
            ),
            (
                f"a note of {len(NOTE):,} characters",
                median(milliseconds(lambda: check_note(NOTE)) for _ in range(RUNS)),
                30,
            ),
            ("ndcg-ref check on a note of one line", median(of_the_command("check", path) for _ in range(RUNS)), 100),
        ]
    print(f"{'what':40} {'ms':>8} {'goal':>6} {'ratio':>6}")
    for name, measured, goal in rows:
        print(f"{name:40} {measured:8.2f} {goal:6} {measured / goal:6.2f}")


if __name__ == "__main__":
    main()
