"""What checking costs: nbval against one execution, and a cold build with the checks against one without them."""

import ast
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from IPython.core.inputtransformer2 import TransformerManager

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
RUNS = 3
CHECKS = {"check", "check_table", "check_equation", "holds", "judge", "planted", "ledger", "Markdown"}


def timed(*command, folder):
    """Seconds that a command takes; it must succeed."""
    start = time.perf_counter()
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return time.perf_counter() - start


def copy_to(folder):
    """What a build reads, in a folder of its own."""
    for name in ("book", "tools"):
        shutil.copytree(ROOT / name, folder / name)
    for name in ("_config.yml", "_toc.yml", "pyproject.toml"):
        shutil.copy(ROOT / name, folder / name)
    return folder


def calls_a_check(statement):
    """Whether a statement does nothing but check: an expression or assignment, or an assert or print about one."""
    names = {
        node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        for node in ast.walk(statement)
        if isinstance(node, ast.Call)
    }
    return bool(names & CHECKS)


def without_checks(chapter):
    """Take the checking statements out of a chapter, and what no longer has the names it needs."""
    book = json.loads(chapter.read_text(encoding="utf-8"))
    lost = set()
    for cell in book["cells"]:
        if cell["cell_type"] != "code":
            continue
        kept = []
        source = TransformerManager().transform_cell("".join(cell["source"]))  # `%run` is no Python
        for statement in ast.parse(source).body:
            used = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
            if calls_a_check(statement) or used & lost:
                stored = (node for node in ast.walk(statement) if isinstance(node, ast.Name))
                lost |= {node.id for node in stored if isinstance(node.ctx, ast.Store)}
            else:
                kept.append(ast.unparse(statement))
        cell["source"], cell["outputs"] = "\n".join(kept), []
    book["cells"] = [cell for cell in book["cells"] if cell["cell_type"] != "code" or cell["source"]]
    chapter.write_text(json.dumps(book), encoding="utf-8")


def main():
    """Print the table."""
    with tempfile.TemporaryDirectory() as name:
        whole, bare = copy_to(Path(name) / "whole"), copy_to(Path(name) / "bare")
        for chapter in (bare / "book").rglob("*.ipynb"):
            without_checks(chapter)
        execute = (sys.executable, "-m", "tools.make.notebooks")
        compare = (BIN / "pytest", "-q", "--nbval", "--nbval-current-env", "-p", "no:cacheprovider", "book")
        build = (BIN / "jupyter-book", "build", ".", "--all", "-q")
        rows = [("nbval", compare, whole, "one execution", execute, whole, 1.5)]
        rows.append(("cold build", build, whole, "without checks", build, bare, 1.15))
        print(f"{'what':12} {'seconds':>8}   {'over':16} {'seconds':>8} {'ratio':>6} {'goal':>5}")
        for what, command, folder, over, other, elsewhere, goal in rows:
            pairs = []
            for _ in range(RUNS):
                shutil.rmtree(folder / "_build", ignore_errors=True)
                shutil.rmtree(elsewhere / "_build", ignore_errors=True)
                pairs.append((timed(*command, folder=folder), timed(*other, folder=elsewhere)))
            ratio = median(a / b for a, b in pairs)
            first, second = (median(column) for column in zip(*pairs, strict=True))
            print(f"{what:12} {first:8.1f}   {over:16} {second:8.1f} {ratio:6.2f} {goal:5}")


if __name__ == "__main__":
    main()
