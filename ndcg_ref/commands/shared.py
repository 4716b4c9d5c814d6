"""Functions for several commands: options, reports to stderr, formats."""

import argparse
import json
import os
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ndcg_ref.conventions.validation import shortened, visible

if TYPE_CHECKING:
    from ndcg_ref.conventions.spellings import RequestedMeasure
    from ndcg_ref.statistics.markup import TextTable


def add_qrels(command: argparse.ArgumentParser) -> None:
    """Add the judgments, a file."""
    command.add_argument("qrels", metavar="QRELS", help="the judgments, a file as for the command eval; - is stdin")


def add_preset(command: argparse.ArgumentParser) -> None:
    """Add the option --as, for a library's convention."""
    command.add_argument(
        "--as",
        dest="preset",
        metavar="PRESET",
        help="compute as this library does, one that the command presets lists (default: as the spelling says)",
    )


def add_format(
    command: argparse.ArgumentParser, *others: str, explained: str = "how to print it (default: text)"
) -> None:
    """Add the option for the format: text, or one of the others, JSON if none is named."""
    command.add_argument("--format", choices=("text", *(others or ("json",))), default="text", help=explained)


def add_subject(command: argparse.ArgumentParser, explained: str = argparse.SUPPRESS) -> None:
    """Add the option --subject, which `load_subjects` reads."""
    command.add_argument("--subject", action="append", default=[], metavar="MODULE", help=explained)


def load_subjects(modules: Iterable[str]) -> None:
    """Import the modules that were named, which may lie in this folder."""
    from ndcg_ref.stated.grammar import load_subject

    for module in modules:
        load_subject(module, Path.cwd())


# What to ask where several files were given for one: the shell replaces a pattern by the names that match
EXPANDED = "parts of one run? put its pattern in quotes, as in 'run-*.parquet', and the files are read as one"
FOR_PAPERS = ("markdown", "latex", "html")  # how a table is printed
TABLE_EXPLAINED = "how to print it; latex needs the package booktabs (default: text)"


def print_table(table: "TextTable", form: str) -> None:
    """Print a table in one of the formats for papers."""
    from ndcg_ref.statistics.markup import FORMATS

    print(FORMATS[form](table))


def add_measures(command: argparse.ArgumentParser, complete: str) -> None:
    """Add the options -m, --as and -c, which `measures_of` reads; the help of the last one is given."""
    command.add_argument(
        "-m",
        dest="measures",
        metavar="MEASURE",
        action="append",
        help="such as nDCG@10, P(rel=2)@5 or ndcg_cut_10, as the command measures lists them (default: nDCG@10)",
    )
    add_preset(command)
    command.add_argument("-c", "--complete", action="store_true", help=complete)


def measures_of(options: argparse.Namespace) -> "list[RequestedMeasure]":
    """The measures of a command with the options -m, --as and -c, nDCG@10 by default."""
    from ndcg_ref.conventions.spellings import read_measures

    # trec_eval is asked for P.5 and prints P_5, which scripts look for
    spelled = [re.sub(r"(?<=[A-Za-z])\.(?=[0-9])", "_", measure) for measure in options.measures or ["nDCG@10"]]
    requested = read_measures(spelled, options.preset)
    if options.complete:
        return [one._replace(convention=replace(one.convention, missing="zero")) for one in requested]
    return requested


def refuse_repeated_stdin(*files: str) -> None:
    """Refuse stdin for several files."""
    if files.count("-") > 1:
        raise ValueError("expected stdin, -, for one file at most")


def refuse_repeated(qrels: str, runs: list[str]) -> None:
    """Refuse a run that is given twice, and stdin for several files."""
    refuse_repeated_stdin(qrels, *runs)
    if len({os.path.realpath(run) for run in runs}) < len(runs):
        raise ValueError(f"expected each run once, got {shortened(', '.join(runs))}")


def print_json(stored: Any) -> None:
    """Print an object as JSON, which has no nan."""
    print(json.dumps(stored, allow_nan=False, indent=1))


def print_in_format(result: Any, form: str, of_what: str) -> None:
    """Print a result as text or as JSON; what its presets do not cover is in the text, else it goes to stderr."""
    if form == "json":
        report_excluded({of_what: result})
        print_json(result.as_json())
    else:
        print(result)


def report_only_trec_eval(qrels: str, results: Mapping[str, Any]) -> None:
    """Print to stderr how many lines are read as only trec_eval reads them, by run."""
    of_qrels = next(iter(results.values())).only_trec_eval["qrels"]
    if of_qrels:
        what = "1 grade has an exponent" if of_qrels == 1 else f"{of_qrels} grades have an exponent"
        print(visible(f"{qrels}: {what}, left out as trec_eval does: 1e3 is read as 1"), file=sys.stderr)
    for run, result in results.items():
        if lines := result.only_trec_eval["run"]:
            what = "1 line has" if lines == 1 else f"{lines} lines have"
            print(visible(f"{run}: {what} a tag of several words, read as trec_eval does"), file=sys.stderr)


def report_excluded(results: Mapping[str, Any]) -> None:
    """Print to stderr the data that presets do not cover, by run."""
    from ndcg_ref.conventions.presets import in_lines

    for run, result in results.items():
        if words := "; ".join(in_lines(result.excluded)):
            print(visible(f"{run}: {words}"), file=sys.stderr)


def workflow_command(kind: str, message: str, properties: Mapping[str, object]) -> str:
    """A workflow command of GitHub.

    >>> workflow_command("error", "100 %", {"file": "a,b.md", "line": 3})
    '::error file=a%2Cb.md,line=3::100 %25'
    """
    named = ",".join(f"{name}={_escaped(str(value), ':,')}" for name, value in properties.items())
    return f"::{kind} {named}::{_escaped(message)}"


def _escaped(text: str, more: str = "") -> str:
    """The text with percent signs, what a terminal would obey, and more signs percent-encoded."""
    return re.sub(rf"[%\x01-\x1f\x7f{more}]", lambda found: f"%{ord(found[0]):02X}", text)
