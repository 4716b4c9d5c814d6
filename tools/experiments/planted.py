"""Test the checks themselves: change every stated number by one unit, and run its check again.

The code of a chapter runs once, while the calls of `check`, `check_table` and `check_equation` are recorded. Then each
call is repeated with one stated number changed by one unit of its last digit, up and down. The check notices the change
if it raises or, for a declared slip, prints another line.
"""

import contextlib
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from unittest import mock

from ndcg_ref import stated
from ndcg_ref.stated import checks
from ndcg_ref.stated.equation import read_equation
from ndcg_ref.stated.number import Number, read_number
from ndcg_ref.stated.printed_tables import Column, as_columns, read_table
from ndcg_ref.stated.stored_notebook import read_notebook

Replay = Callable[[str], str]


@dataclass(frozen=True)
class Planted:
    """The result of one check with a changed number.

    Parameters
    ----------
    note : str
        The stem of the chapter's file name.
    name : str
        The name of the number.
    stated, planted : str
        The number as the note has it, and as changed.
    noticed : bool
        Whether the check raised, or printed another line.
    """

    note: str
    name: str
    stated: str
    planted: str
    noticed: bool


def planted(path: str | Path) -> list[Planted]:
    """Change the numbers of every chapter in a folder, in a separate process, so that nothing is displayed here.

    Parameters
    ----------
    path : str or Path
        A folder with notebooks that can be run.

    Returns
    -------
    list of Planted
        Two for each stated number.

    Raises
    ------
    ValueError
        If there is no notebook, a chapter cannot be run, or none states a number.
    """
    if not sorted(Path(path).glob("*.ipynb")):
        raise ValueError(f"{path}: expected a folder with notebooks, found none")
    done = subprocess.run(
        [sys.executable, __file__, str(path)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "MPLBACKEND": "agg", "PYTHONIOENCODING": "utf-8"},
        check=False,
    )
    if done.returncode:
        raise ValueError(f"{path}: expected chapters that run, got: {done.stderr.strip().splitlines()[-1]}")
    found = [Planted(**each) for each in json.loads(done.stdout)]
    if not found:
        raise ValueError(f"{path}: expected stated numbers, found none")
    return found


def plant(chapter: Path) -> Iterator[Planted]:
    """Run one chapter's code, then repeat each of its checks with each of its numbers changed."""
    for name, number, replay in list(_calls(chapter)):
        before = replay(number.text)
        for steps in (number.units - 1, number.units + 1):
            changed = number.at(steps)
            try:
                noticed = replay(changed) != before
            except checks.StatedError:
                noticed = True
            yield Planted(chapter.stem, name, number.text, changed, noticed)


def _calls(chapter: Path) -> Iterator[tuple[str, Number, Replay]]:
    """Each stated number of a chapter, with a function that repeats its check for another text."""
    recorded: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = []

    def recording(name: str) -> Callable[..., Any]:
        def record(*arguments: Any, **keywords: Any) -> Any:
            recorded.append((name, arguments, keywords))
            return getattr(checks, name)(*arguments, **keywords)

        return record

    with contextlib.ExitStack() as patches:
        for name in _REPEATED:
            patches.enter_context(mock.patch.object(stated, name, recording(name)))
        patches.enter_context(contextlib.chdir(chapter.parent))
        space: dict[str, Any] = {"__name__": "__main__"}
        for cell in read_notebook(Path(chapter.name)).code:
            # A cell with a figure, or one for other machines, states no number
            if not ("mystnb" in cell.metadata or "skip-execution" in cell.metadata.get("tags", [])):
                exec(compile(cell.source, chapter.name, "exec"), space)
    for name, arguments, keywords in recorded:
        yield from _REPEATED[name](*arguments, **keywords)


def _line(verdict: Any, declared: bool) -> str:
    """The line of a declared slip, else 'agrees'."""
    return str(verdict) if declared else "agrees"


def _check(printed: str, computed: Any, name: str, **keywords: Any) -> Iterator[tuple[str, Number, Replay]]:
    def replay(text: str) -> str:
        return _line(checks.check(text, computed, name, **keywords), keywords.get("slip") is not None)

    if computed is not None:
        yield name, read_number(printed, keywords.get("decimal", ".")), replay


def _check_table(printed: str, columns: Any, name: str, **keywords: Any) -> Iterator[tuple[str, Number, Replay]]:
    table = read_table(printed, name)
    known = as_columns(columns, table)
    for row in range(1, len(table.rows) + 1):
        # Only this row is judged again
        others = {i for i in range(1, len(table.rows) + 1) if i != row}
        alone = {
            heading: replace(
                column,
                skip={*column.skip, *others},
                slips={i: slip for i, slip in column.slips.items() if i == row},
            )
            for heading, column in known.items()
        }
        for heading, column in known.items():
            if row in column.skip:
                continue

            def replay(text: str, row: int = row, heading: str = heading, alone: dict[str, Column] = alone) -> str:
                changed = [list(cells) for cells in table.rows]
                changed[row - 1][table.headings.index(heading)] = text
                lines = "\n".join("\t".join(cells) for cells in [table.headings, *changed])
                verdicts = checks.check_table(lines, dict.fromkeys(table.headings) | alone, name, **keywords)
                cell = next(each for each in verdicts if each.name == table.called(row, heading))
                return _line(cell, row in alone[heading].slips)

            number = read_number(table.cells(row)[heading], keywords.get("decimal", "."))
            yield table.called(row, heading), number, replay


def _check_equation(text: str, name: str, **keywords: Any) -> Iterator[tuple[str, Number, Replay]]:
    base = keywords["terms"][1].base if keywords.get("terms") else None
    result = read_equation(text, log_base=base).sides[-1]
    assert result.number is not None  # the chapter's own check has read it

    def replay(print_: str) -> str:
        changed = text[: result.start] + print_ + text[result.start + len(result.text) :]
        return _line(checks.check_equation(changed, name, **keywords), keywords.get("slip") is not None)

    yield name, result.number, replay


_REPEATED: dict[str, Callable[..., Iterator[tuple[str, Number, Replay]]]] = {
    "check": _check,
    "check_table": _check_table,
    "check_equation": _check_equation,
}


def _main(path: str) -> None:
    out = sys.stdout
    with contextlib.redirect_stdout(io.StringIO()):
        found = [vars(each) for chapter in sorted(Path(path).resolve().glob("*.ipynb")) for each in plant(chapter)]
    json.dump(found, out)


if __name__ == "__main__":
    _main(sys.argv[1])
