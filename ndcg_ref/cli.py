"""The command `ndcg-ref`: judge a number, read a book's ledger.

Exit code 0 says that all is well, 1 that a number is a slip, 2 that the input is bad.
"""

import argparse
import json
import math
import os
import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ndcg_ref.convention import Convention
    from ndcg_ref.stated import Verdict

MEASURES = ("cg", "dcg", "idcg", "ndcg")
NAMED = ("ORIGINAL", "STANDARD", "EXPONENTIAL")
MOST_DIGITS = 12


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Parameters
    ----------
    arguments : sequence of str, optional
        The words after the command; those of the command line by default.

    Returns
    -------
    int
        The exit code: 0, 1 for a slip, 2 for bad input.

    Examples
    --------
    >>> main(["judge", "0.98", "0.97868"])
    ✓ agrees: stated 0.98, computed 0.97868
    0.98 is what every value from 0.975 to 0.985 prints as
    0
    """
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")  # a terminal without the marks still gets the words
    words = sys.argv[1:] if arguments is None else arguments
    if "judge" in words[:1]:  # a number below 0 is no option, and behind a blank it is not taken for one
        words = [re.sub(r"^-(?=[0-9.])", " -", word) for word in words]
    given = _parser().parse_args(words)
    try:
        code: int = given.run(given)
        sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):  # the reader, such as head, has seen enough
            return 0
        print(f"ndcg-ref {given.command}: the output cannot be written: {error.strerror}", file=sys.stderr)
        return 2
    except (TypeError, ValueError) as error:
        print(f"ndcg-ref {given.command}: {error}", file=sys.stderr)
        return 2
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="ndcg-ref", description="Is this NDCG right?")
    commands = parser.add_subparsers(dest="command", required=True)

    judge = commands.add_parser(
        "judge",
        help="hold a printed number against a value, or against a ranking",
        description="Hold a printed number against a value, or against what a measure gives for a ranking. "
        "Exit code 0: it agrees; 1: it is a slip; 2: the input is bad, or the measure undefined for it.",
    )
    judge.add_argument("stated", help="the number as printed, such as 0.98 (0.98 and 0.980 are different statements)")
    judge.add_argument("value", nargs="?", help="the computed value, such as 0.97868; or else --grades")
    judge.add_argument("--grades", metavar="G,G,…", help="the grades of the ranking, best rank first, such as 2,3,1")
    judge.add_argument(
        "--measure", metavar="NAME[@K]", help=f"{', '.join(MEASURES)}, with a cutoff: ndcg@5 (default: ndcg)"
    )
    judge.add_argument("--as", dest="convention", choices=NAMED, help="the convention (default: STANDARD)")
    judge.set_defaults(run=_judge)

    ledger = commands.add_parser(
        "ledger",
        help="list every verdict that a book has stored",
        description="List every verdict that the chapters of a book have stored, and count them.",
    )
    ledger.add_argument("path", nargs="?", default="book", help="a folder with notebooks, or one (default: book)")
    ledger.add_argument("--slips", action="store_true", help="list the slips alone")
    ledger.add_argument("--format", choices=("text", "json"), default="text", help="how to print it (default: text)")
    ledger.set_defaults(run=_ledger)
    return parser


def _ledger(given: argparse.Namespace) -> int:
    from ndcg_ref.stated.ledgers import ledger

    whole = ledger(given.path)
    shown = whole.slips if given.slips else whole
    if given.format == "json":
        print(json.dumps({**shown.as_json(), "counts": whole.counts}, ensure_ascii=False, indent=1))
    else:
        for line in shown.lines:
            print(line)
        for line in [*whole.totals, shown.besides]:
            if line:
                print(line)
    return 0


def _judge(given: argparse.Namespace) -> int:
    from ndcg_ref.stated import judge, rivals_for

    if (given.value is None) == (given.grades is None):
        raise ValueError(
            "expected either a computed value or --grades, got " + ("neither" if given.grades is None else "both")
        )
    if given.value is not None:
        for option in ("measure", "convention"):
            if getattr(given, option) is not None:
                raise ValueError(f"--{'as' if option == 'convention' else option} goes with --grades, not with a value")
        verdict = judge(given.stated, _number(given.value, "the computed value"))
        _say(verdict, _width(verdict))
    else:
        measure, k = _measure(given.measure or "ndcg")
        grades = [_number(text, f"grade {i}") for i, text in enumerate(given.grades.split(","), start=1)]
        convention = _convention(given.convention)
        rivals = rivals_for(measure, grades, convention, k)
        name = f"{measure}{'' if k is None else f'@{k}'} under {convention}"
        verdict = judge(given.stated, _compute(measure, grades, k, convention), name, rivals=rivals)
        _say(verdict, _settled(verdict, rivals["convention"]))
    if verdict.outcome == "undefined":
        raise ValueError("the measure is not defined for these grades: there is no ideal gain to divide by")
    return 1 if verdict.outcome == "slip" else 0


def _say(verdict: "Verdict", more: str) -> None:
    print(verdict)
    for line in verdict.evidence:
        print(f"  {line}")
    if more:
        print(more)


def _width(verdict: "Verdict") -> str:
    """Which values print as the stated number."""
    number = verdict.number
    if number.exact:
        return f"{verdict.stated} states its value exactly"
    low, high = (replace(number, steps=2 * number.steps + end, unit=number.unit / 2).nearest_float for end in (-1, 1))
    return f"{verdict.stated} is what every value from {low:.12g} to {high:.12g} prints as"


def _settled(verdict: "Verdict", others: dict[str, float]) -> str:
    """Which other choices print the stated number as well, and how many decimals would tell all of them apart."""
    if verdict.computed is None or math.isnan(verdict.computed):
        return ""
    alike = {label: value for label, value in others.items() if verdict.number.covers(value)}
    if not alike:
        return "no single other choice (gain, discount, log base, cutoff, ideal) prints this number"
    listed = f"also printed under: {', '.join(f'{label} ({value:.6f})' for label, value in alike.items())}"
    values = [value for value in (*alike.values(), verdict.computed) if verdict.number.covers(value)]
    if len(values) < 2:
        return listed
    for decimals in range(MOST_DIGITS + 1):
        if len({f"{value:.{decimals}f}" for value in values}) == len(values):
            return f"{listed}; {decimals} decimals would tell them apart"
    return f"{listed}; no number of decimals tells them apart"


def _number(text: str, what: str) -> float:
    from ndcg_ref.stated import read_number

    try:
        number = read_number(text).nearest_float
    except ValueError as error:
        raise ValueError(f"{what}: {error}") from None
    if math.isinf(number):
        raise ValueError(f"{what}: expected a number within the range of a float, got {text!r}")
    return number


def _measure(text: str) -> tuple[str, int | None]:
    name, at, cutoff = text.lower().partition("@")
    if name not in MEASURES:
        raise ValueError(f"--measure: expected one of {', '.join(MEASURES)}, with or without @K, got {text!r}")
    if at and not re.fullmatch(r"0*[1-9][0-9]{0,17}", cutoff):
        raise ValueError(f"--measure: expected a cutoff of at least 1 behind the @, got {text!r}")
    return name, int(cutoff) if at else None


def _convention(name: str | None) -> "Convention":
    from ndcg_ref import convention

    chosen: Convention = getattr(convention, name or "STANDARD")
    return chosen


def _compute(measure: str, grades: list[float], k: int | None, convention: "Convention") -> float:
    from ndcg_ref import plain

    value: float = plain.cg(grades, k) if measure == "cg" else getattr(plain, measure)(grades, k, convention)
    return value
