"""Functions for several commands: options, reports of progress, formats."""

import json
import os
import sys
import time
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ndcg_ref.conventions.validation import shortened, visible

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator

    from ndcg_ref.conventions.excluded import Excluded
    from ndcg_ref.conventions.spellings import RequestedMeasure

PATIENCE = 1.0  # seconds before a command reports its progress


def add_format(command: "argparse.ArgumentParser") -> None:
    """Add the option for the format, text or JSON."""
    command.add_argument("--format", choices=("text", "json"), default="text", help="how to print it (default: text)")


def print_in_format(result: Any, form: str) -> None:
    """Print a result as text or as JSON."""
    print(json.dumps(result.as_json(), indent=1) if form == "json" else result)


def add_measures(command: "argparse.ArgumentParser", complete: str) -> None:
    """Add the options -m, --as and -c, which `measures_of` reads; the help of the last one is given."""
    command.add_argument(
        "-m",
        dest="measures",
        metavar="MEASURE",
        action="append",
        help="such as nDCG@10, P(rel=2)@5 or ndcg_cut_10, as the command measures lists them (default: nDCG@10)",
    )
    command.add_argument(
        "--as",
        dest="preset",
        metavar="PRESET",
        help="compute as this library does, one that the command presets lists (default: as the spelling says)",
    )
    command.add_argument("-c", "--complete", action="store_true", help=complete)


def measures_of(given: "argparse.Namespace") -> "list[RequestedMeasure]":
    """The measures of a command with the options -m, --as and -c, nDCG@10 by default."""
    from ndcg_ref.conventions.spellings import read_measures

    wanted = read_measures(given.measures or ["nDCG@10"], given.preset)
    if given.complete:
        return [each._replace(convention=replace(each.convention, missing="zero")) for each in wanted]
    return wanted


def refuse_repeated_stdin(*files: str) -> None:
    """Refuse stdin for several files."""
    if files.count("-") > 1:
        raise ValueError("expected stdin, -, for one file at most")


def refuse_repeated(qrels: str, runs: list[str]) -> None:
    """Refuse a run that is given twice, and stdin for several files."""
    refuse_repeated_stdin(qrels, *runs)
    if len({os.path.realpath(run) for run in runs}) < len(runs):
        raise ValueError(f"expected each run once, got {shortened(', '.join(runs))}")


def report_lines_only_trec_eval_reads(qrels: str, lines: dict[str, dict[str, int]]) -> None:
    """Print to stderr how many lines are read as only trec_eval reads them."""
    of_qrels = next(iter(lines.values()))["qrels"]
    if of_qrels:
        what = "1 grade has an exponent" if of_qrels == 1 else f"{of_qrels} grades have an exponent"
        print(visible(f"{qrels}: {what}, left out as trec_eval does: 1e3 is read as 1"), file=sys.stderr)
    for run, found in lines.items():
        if found["run"]:
            what = "1 line has" if found["run"] == 1 else f"{found['run']} lines have"
            print(visible(f"{run}: {what} a tag of several words, read as trec_eval does"), file=sys.stderr)


def report_excluded(excluded: "dict[str, Excluded]", of_what: str) -> None:
    """Print to stderr the data that a preset does not cover."""
    from ndcg_ref.conventions.excluded import in_words

    if words := in_words(excluded):
        print(visible(f"{of_what}: {words}"), file=sys.stderr)


@contextmanager
def progress_on_terminal(what: str, counted: str) -> "Iterator[Callable[[int, int], None] | None]":
    """A function that reports the progress of a long command; None if stderr is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    started = printed = time.monotonic()

    def report(done: int, of: int) -> None:
        nonlocal printed
        now = time.monotonic()
        if now - started > PATIENCE and now - printed > PATIENCE / 5:
            printed = now
            print(f"\r{visible(what)}: {done} of {of} {counted}", end="", file=sys.stderr, flush=True)

    try:
        yield report
    finally:
        if printed > started:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
