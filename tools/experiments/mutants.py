"""Test the tests: change one place of the package, and see whether the nearest tests fail.

A mutant is a copy of a file with one operator, constant or word of SQL changed. The same ones are drawn for each room
whenever a seed is the same, and tried in a copy of the checkout: `python -m tools.experiments.mutants ties gate`, or
all without names. One that survives shows a missing test, or a change that nothing can notice.
"""

import argparse
import ast
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
EACH = 6  # mutants of a room, so 60 in all
LONGEST = 120  # seconds, after which a test that does not end counts as failed

# What is changed, and its nearest tests; the examples in its docstrings are tests too
NEAREST = {
    "plain": ("formulas/plain.py", ["published", "measures", "scores", "laws"]),
    "arrays": ("formulas/arrays.py", ["measures", "scores", "refusals", "laws"]),
    "ties": ("formulas/ties.py", ["ranks", "scores", "laws"]),
    "sums": ("formulas/sums.py", ["ranks", "scores", "laws"]),
    "agree": ("stated/number.py", ["number", "causes", "verdict"]),
    "causes": ("stated/causes.py", ["causes"]),
    "compare": ("compare/comparing.py", ["comparing"]),
    "sql": ("sql/query_text.py", ["query_text", "engines"]),
    "gate": ("compare/gating.py", ["gating"]),
    "answers": ("live/*.py", ["answers", "own_dcg"]),
}
PAIRS: list[Any] = [(ast.Lt, ast.LtE), (ast.Gt, ast.GtE), (ast.Eq, ast.NotEq), (ast.In, ast.NotIn), (ast.Is, ast.IsNot)]
PAIRS += [(ast.And, ast.Or), (ast.Add, ast.Sub), (ast.Mult, ast.Div), (ast.BitAnd, ast.BitOr)]
OPERATORS: dict[Any, Any] = {old: new for pair in PAIRS for old, new in (pair, pair[::-1])}
OPERATORS |= {ast.FloorDiv: ast.Div, ast.Mod: ast.Mult, ast.Pow: ast.Mult}
NAME_PAIRS = [("min", "max"), ("any", "all"), ("floor", "ceil"), ("minimum", "maximum")]
NAMES = {old: new for pair in NAME_PAIRS for old, new in (pair, pair[::-1])}
SQL_WORDS = {" <= ": " < ", " > ": " >= ", " + ": " - ", " = ": " <> ", " / ": " * ", " desc": " asc", " and ": " or "}
SQL_WORDS |= {"sum(": "max(", "min(": "max(", "left join": "join", "is null": "is not null", " < ": " <= "}
SQL_WORD = re.compile("|".join(map(re.escape, SQL_WORDS)))


def changes(node: ast.AST, is_sql: bool) -> Iterator[ast.expr]:
    """What can be put in the place of a node.

    >>> [ast.unparse(each) for each in changes(ast.parse("0 < a <= 1", mode="eval").body, is_sql=False)]
    ['0 <= a <= 1', '0 < a < 1']
    """
    match node:
        case ast.Compare(left, operators, others):
            for i, operator in enumerate(operators):
                yield ast.Compare(left, [*operators[:i], OPERATORS[type(operator)](), *operators[i + 1 :]], others)
        case ast.BinOp(left, operator, right) if type(operator) in OPERATORS:
            yield ast.BinOp(left, OPERATORS[type(operator)](), right)
        case ast.BoolOp(operator, values):
            yield ast.BoolOp(OPERATORS[type(operator)](), values)
        case ast.UnaryOp(ast.Not() | ast.USub(), operand):
            yield operand
        case ast.Name(name) if name in NAMES:
            yield ast.Name(NAMES[name])
        case ast.Attribute(value, name) if name in NAMES:
            yield ast.Attribute(value, NAMES[name])
        case ast.Constant(bool() as value):
            yield ast.Constant(not value)
        case ast.Constant(int() | float() as value):
            yield ast.Constant(value + 1)
        case ast.Constant(str() as text) if is_sql:
            for found in SQL_WORD.finditer(text):
                yield ast.Constant(text[: found.start()] + SQL_WORDS[found[0]] + text[found.end() :])
        case ast.JoinedStr(values):
            for i, value in enumerate(values):
                if isinstance(value, ast.Constant):
                    yield from (ast.JoinedStr([*values[:i], new, *values[i + 1 :]]) for new in changes(value, is_sql))


def places(node: ast.AST) -> Iterator[ast.AST]:
    """All that may be changed below a node: no docstring, annotation, decorator or message of an error."""
    yield node
    if isinstance(node, ast.JoinedStr | ast.Raise):
        return
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            is_text = isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)
            if isinstance(child, ast.AST) and not is_text and name not in ("annotation", "returns", "decorator_list"):
                yield from places(child)


def nearest(name: str) -> tuple[list[str], list[str]]:
    """The files of a room, and those of their nearest tests."""
    pattern, tests = NEAREST[name]
    files = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "ndcg_ref").glob(pattern))
    return files, [f"tests/test_{test}.py" for test in tests]


def mutants_of(path: str) -> Iterator[tuple[str, bytes, str]]:
    """All mutants of a file: its path, its text with the change, and what the change is."""
    source = (ROOT / path).read_bytes()
    starts = [0, *(found.end() for found in re.finditer(b"\n", source))]
    node: Any
    for node in places(ast.parse(source)):
        for changed in changes(node, "/sql/" in path):
            begin, end = starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset
            before, after = ast.unparse(node), ast.unparse(ast.fix_missing_locations(changed))
            text = source[:begin] + f"({after})".encode() + source[end:]
            same = next((i for i, (old, new) in enumerate(zip(before, after, strict=False)) if old != new), 0)
            shown = slice(max(0, same - 30), same + 40)
            yield path, text, f"{path}:{node.lineno}: {before[shown]}  ->  {after[shown]}"


def fails(copy: Path, name: str, **variables: str) -> bool:
    """Whether a test of a room fails in a copy of the checkout."""
    files, tests = nearest(name)
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-m", "not built", "-p", "no:cacheprovider", *files, *tests]
    variables = {**os.environ, "PYTHONPATH": str(copy), **variables}
    try:
        return subprocess.run(command, cwd=copy, env=variables, capture_output=True, timeout=LONGEST).returncode != 0
    except subprocess.TimeoutExpired:
        return True


def main() -> None:
    parser = argparse.ArgumentParser(description="Change the package, and see whether the nearest tests fail.")
    parser.add_argument("names", nargs="*", help=f"of {', '.join(NEAREST)}; all without one")
    parser.add_argument("--seed", default="1")
    options = parser.parse_args()
    killed = []
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".*", "_build", "node_modules", "__pycache__"))
        for name in options.names or NEAREST:
            if fails(copy, name):
                sys.exit(f"{name}: its tests fail before anything is changed")
            possible = [mutant for file in nearest(name)[0] for mutant in mutants_of(file)]
            for path, text, change in random.Random(f"{options.seed} {name}").sample(possible, EACH):
                (copy / path).write_bytes(text)
                # No bytecode is kept of a mutant, which could be as old and as long as the next one
                killed.append(fails(copy, name, PYTHONDONTWRITEBYTECODE="1"))
                shutil.copy2(ROOT / path, copy / path)
                print("killed  " if killed[-1] else "SURVIVED", change, flush=True)
    print(f"{sum(killed)} of {len(killed)} killed")


if __name__ == "__main__":
    main()
