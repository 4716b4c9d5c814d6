"""`ndcg-ref judge`: hold a printed number against a value, or against a ranking."""

import argparse
import math
import re
import shutil
import textwrap
from dataclasses import replace
from typing import Any

from ndcg_ref.conventions.convention import as_convention
from ndcg_ref.conventions.validation import counted, quoted
from ndcg_ref.formulas.measured_ranking import Ranking
from ndcg_ref.stated.number import as_printed_number, as_value, as_values
from ndcg_ref.stated.subject import all_causes
from ndcg_ref.stated.verdict import Verdict, judge
from ndcg_ref.subjects.ranking import RANKING

MEASURES = ("cg", "dcg", "idcg", "ndcg")


class _Help(argparse.Action):
    """Print the help, and behind it the causes of slips, which are loaded only then."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        width = shutil.get_terminal_size().columns - 2  # as argparse has it
        parser.print_help()
        print("\ncauses of a slip, in the order in which they are named:")
        for cause in all_causes():
            print(textwrap.fill(cause.meaning, width, initial_indent=f"  {cause.code:19} ", subsequent_indent=" " * 22))
        parser.exit()


def add_to(commands: Any) -> None:
    """Add the command."""
    command = commands.add_parser(
        "judge",
        help="hold a printed number against a value, or against a ranking",
        description="Hold a printed number against a value, or against what a measure gives for a ranking. "
        "Exit code 0: it agrees; 1: it is a slip; 2: the input is bad, or the measure undefined for it.",
        add_help=False,
    )
    command.add_argument("-h", "--help", action=_Help, nargs=0, help="show this help message and exit")
    command.add_argument("stated", help="the number as printed, such as 0.98 (0.98 and 0.980 are different statements)")
    command.add_argument("value", nargs="?", help="the computed value, such as 0.97868; or else --grades")
    command.add_argument("--grades", metavar="G,G,…", help="the grades of the ranking, best rank first, such as 2,3,1")
    command.add_argument(
        "--measure", metavar="NAME[@K]", help=f"{', '.join(MEASURES)}, with a cutoff: ndcg@5 (default: ndcg)"
    )
    command.add_argument(
        "--as", dest="convention", metavar="NAME", help="one that the command presets lists (default: STANDARD)"
    )
    command.set_defaults(run=_judge)


def _judge(options: argparse.Namespace) -> int:
    if (options.value is None) == (options.grades is None):
        raise ValueError(
            "expected either a computed value or --grades, got " + ("neither" if options.grades is None else "both")
        )
    as_printed_number(options.stated)  # refused before all else
    verdict = _against_ranking(options) if options.value is None else _against_value(options)
    if verdict.outcome == "undefined":
        raise ValueError("the measure is not defined for these grades: there is no ideal gain to divide by")
    return 1 if verdict.outcome == "slip" else 0


def _against_value(options: argparse.Namespace) -> Verdict:
    for name, option in (("measure", "--measure"), ("convention", "--as")):
        if getattr(options, name) is not None:
            raise ValueError(f"{option} goes with --grades, not with a value")
    verdict = judge(options.stated, as_value(options.value, "the computed value"))
    number, stated = verdict.number, verdict.stated
    if number.exact:
        _print(verdict, f"{stated} states its value exactly")
    else:
        ends = (replace(number, units=2 * number.units + end, unit=number.unit / 2).nearest_float for end in (-1, 1))
        _print(verdict, f"{stated} is what every value from {' to '.join(f'{end:.12g}' for end in ends)} prints as")
    return verdict


def _against_ranking(options: argparse.Namespace) -> Verdict:
    measure, k = _measure(options.measure or "ndcg")
    name = options.convention or "STANDARD"
    convention = as_convention(name)
    ranking = Ranking(as_values(options.grades, "grades"), k=k, convention=convention)
    quantity = RANKING[measure.upper()]
    said, others = f"{ranking.called(measure)} under {name}", quantity.alternatives(ranking)
    verdict = judge(options.stated, quantity.value(ranking), said, alternatives=others)
    _print(verdict, _other_choices(verdict, others["convention"]))
    if name != "STANDARD":
        print(f"{name}: {convention}")
    return verdict


def _print(verdict: Verdict, more: str) -> None:
    print(verdict)
    for line in verdict.evidence:
        print(f"  {line}")
    if more:
        print(more)


def _other_choices(verdict: Verdict, others: dict[str, float]) -> str:
    """Which other choices print the stated number as well, and how many decimals would tell all of them apart."""
    from ndcg_ref.explaining.matches import decimals_apart

    if verdict.computed is None or math.isnan(verdict.computed):
        return ""
    alike = {label: value for label, value in others.items() if verdict.number.covers(value)}
    if not alike:
        return "no single other choice (gain, discount, log base, cutoff, ideal) prints this number"
    listed = f"also printed under: {', '.join(f'{label} ({value:.6f})' for label, value in alike.items())}"
    values = [value for value in (*alike.values(), verdict.computed) if verdict.number.covers(value)]
    if len(values) < 2:
        return listed
    decimals = decimals_apart(values)
    telling = "no number of decimals tells" if decimals is None else f"{counted(decimals, 'decimal')} would tell"
    return f"{listed}; {telling} them apart"


def _measure(text: str) -> tuple[str, int | None]:
    name, at, cutoff = text.lower().partition("@")
    if name not in MEASURES:
        raise ValueError(f"--measure: expected one of {', '.join(MEASURES)}, with or without @K, got {quoted(text)}")
    if at and not re.fullmatch(r"0*[1-9][0-9]{0,17}", cutoff):
        raise ValueError(f"--measure: expected a cutoff of at least 1 behind the @, got {quoted(text)}")
    return name, int(cutoff) if at else None
