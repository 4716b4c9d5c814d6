"""The command `ndcg-ref`: judge a number, evaluate runs, read a book's ledger.

Exit code 0 says that all is well, 1 that a number is a slip, 2 that the input is bad; a shell shows 130 for a command
that was interrupted.
"""

import argparse
import csv
import json
import math
import os
import re
import sys
import time
from collections.abc import Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from typing import TYPE_CHECKING

from ndcg_ref.validation import quoted, shortened

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import NoReturn

    from ndcg_ref.convention import Convention
    from ndcg_ref.excluded import Excluded
    from ndcg_ref.runs import Result
    from ndcg_ref.stated import Verdict
    from ndcg_ref.stated.number import Number

LISTS = ("--grades", "--judged", "--scores")
MEASURES = ("cg", "dcg", "idcg", "ndcg")
RUN_BY_A_SPREADSHEET = ("=", "+", "-", "@")  # as the first character of a cell
MOST_SAID = 400  # characters of what argparse says, which may repeat what was given
PATIENCE = 1.0  # seconds before a command tells how far it is


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
    if sys.stderr is None:  # closed; print(file=None) would print to stdout
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - for as long as the process lasts
    if sys.stdout is None:
        print("ndcg-ref: the output cannot be written: it is closed", file=sys.stderr)
        return 2
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")  # a terminal without the marks still gets the words
    words = sys.argv[1:] if arguments is None else arguments
    if words[:1] in (["eval"], ["explain"]):  # ids of one's own go out as they came in, under any locale
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(encoding="utf-8", errors="surrogateescape")
    if words[:1] in (["judge"], ["which"]):  # a number below 0 is no option, and behind a blank it is not taken for one
        words = _each_list_one_word([re.sub(r"^-(?=[0-9.])", " -", word) for word in words])
    if "eval" in words[:1]:
        try:
            words = _each_measure_its_option(words)
        except ValueError as error:
            print(f"ndcg-ref eval: {error}", file=sys.stderr)
            return 2
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
        print(f"ndcg-ref {given.command}: {_in_a_shell(error)}", file=sys.stderr)
        return 2
    except MemoryError:
        print(f"ndcg-ref {given.command}: there is not enough memory for this input", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130  # as shells count it
    return code


def _in_a_shell(error: Exception) -> str:
    """What a refusal says, with advice for a shell where its own is for Python."""
    from ndcg_ref.presets import UnknownPresetError

    return error.message("`ndcg-ref presets` lists all") if isinstance(error, UnknownPresetError) else str(error)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> "NoReturn":
        super().error(shortened(message, MOST_SAID))


def _parser() -> argparse.ArgumentParser:
    from ndcg_ref import __version__

    parser = _Parser(prog="ndcg-ref", description="Is this NDCG right?")
    parser.add_argument("--version", action="version", version=f"ndcg-ref {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)

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
    judge.add_argument(
        "--as", dest="convention", metavar="NAME", help="one that the command presets lists (default: STANDARD)"
    )
    judge.set_defaults(run=_judge)

    evaluation = commands.add_parser(
        "eval",
        help="evaluate run files against a qrels file",
        description="Evaluate run files against a qrels file: the mean over the queries that are judged and retrieved, "
        "in trec_eval's columns for one run, in a table for several. What was counted is printed to stderr.",
    )
    evaluation.add_argument("qrels", metavar="QRELS", help="the judgments, a file in TREC's form; - is stdin")
    evaluation.add_argument("runs", metavar="RUN", nargs="+", help="what was retrieved; .gz or plain; - is stdin")
    evaluation.add_argument(
        "-m",
        dest="measures",
        metavar="MEASURE",
        action="append",
        help="such as nDCG@10, P(rel=2)@5 or ndcg_cut_10, as the command measures lists them (default: nDCG@10)",
    )
    evaluation.add_argument("-q", dest="by_query", action="store_true", help="print each query's value, too")
    evaluation.add_argument(
        "--as",
        dest="preset",
        metavar="PRESET",
        help="compute as this library does, one that the command presets lists (default: as the spelling says)",
    )
    evaluation.add_argument("-c", "--complete", action="store_true", help="count a judged query that a run lacks as 0")
    evaluation.add_argument(
        "--format",
        choices=("text", "json", "csv", "csv-spreadsheet"),
        default="text",
        help="(default: text); csv-spreadsheet puts ' before ids that a spreadsheet would run",
    )
    evaluation.set_defaults(run=_eval)

    which = commands.add_parser(
        "which",
        help="name the conventions that print a number",
        description="Name every library's convention, and every cutoff, that prints a number as the NDCG of a ranking: "
        "rounded, else cut off, else an NDCG above 1 as a percentage. "
        "Exit code 0: some do; 1: none does; 2: the input is bad.",
    )
    which.add_argument("stated", help="the number as printed, such as 0.957")
    which.add_argument(
        "--grades", metavar="G,G,…", required=True, help="the grades, best rank first, such as 3,2,3,0,1"
    )
    which.add_argument("--judged", metavar="G,G,…", help="all judged grades of the query (default: those of --grades)")
    which.add_argument("--scores", metavar="S,S,…", help="the documents' scores; --grades are then in the same order")
    which.add_argument("--measure", choices=("ndcg", "dcg"), default="ndcg", help="what the number is (default: ndcg)")
    which.add_argument("--format", choices=("text", "json"), default="text", help="how to print it (default: text)")
    which.set_defaults(run=_which)

    explain = commands.add_parser(
        "explain",
        help="say what makes two conventions differ on a run",
        description="Go from one convention to another, one choice at a time, and say how far each moves the mean.",
    )
    explain.add_argument("qrels", metavar="QRELS", help="the judgments, a file in TREC's form")
    explain.add_argument("file", metavar="RUN", help="what was retrieved")
    explain.add_argument("a", metavar="A", help="a library's convention, such as trec_eval or scikit-learn-1.9.1")
    explain.add_argument("b", metavar="B", help="another one")
    explain.add_argument("-m", dest="measure", metavar="MEASURE", default="nDCG@10", help="(default: nDCG@10)")
    explain.add_argument("--format", choices=("text", "json"), default="text", help="how to print it (default: text)")
    explain.set_defaults(run=_explain)

    ledger = commands.add_parser(
        "ledger",
        help="list every verdict that notebooks have stored",
        description="List every verdict that the notebooks of a folder have stored, and count those of the notes. "
        'A notebook is a note unless its metadata say {"ndcg_ref": {"role": "lesson"}}.',
    )
    ledger.add_argument("path", nargs="?", default=".", help="a folder with notebooks, or one (default: this folder)")
    ledger.add_argument("--slips", action="store_true", help="list the slips alone")
    ledger.add_argument("--format", choices=("text", "json"), default="text", help="how to print it (default: text)")
    ledger.set_defaults(run=_ledger)

    presets = commands.add_parser(
        "presets",
        help="list the conventions that --as takes",
        description="List the conventions that --as takes, each with the choices in which it differs from STANDARD; "
        "or say how one of them is known, and what it does not cover.",
    )
    presets.add_argument("name", metavar="NAME", nargs="?", help="one of them, such as trec_eval")
    presets.set_defaults(run=_presets)

    measures = commands.add_parser(
        "measures",
        help="list the measures that eval -m takes",
        description="List the measures that eval -m takes, in each of their spellings.",
    )
    measures.set_defaults(run=_measures)
    return parser


def _eval(given: argparse.Namespace) -> int:
    from ndcg_ref.runs import evaluate_asked, reads_as_trec_eval
    from ndcg_ref.spellings import read_measures
    from ndcg_ref.trec import read_qrels

    if [given.qrels, *given.runs].count("-") > 1:
        raise ValueError("expected stdin, -, for one file at most")
    if len(set(given.runs)) < len(given.runs):
        raise ValueError(f"expected each run once, got {shortened(', '.join(given.runs))}")
    measures = given.measures or ["nDCG@10"]
    wanted = read_measures(measures, given.preset)
    if given.complete:
        wanted = [each._replace(convention=replace(each.convention, missing="zero")) for each in wanted]
    qrels = read_qrels(given.qrels, as_trec_eval=reads_as_trec_eval(wanted))
    results = {}
    for run in given.runs:  # all of them before anything is printed: a broken file leaves no partial answer
        with _progress(run, "judged queries") as progress:
            results[run] = evaluate_asked(qrels, run, wanted, progress=progress)
    _say_what_only_trec_eval_reads(given.qrels, {run: result.only_trec_eval for run, result in results.items()})
    if given.format != "json":  # which holds these
        for run, result in results.items():  # on stderr, so that what reads trec_eval's columns can read these
            print(f"{run}: {result.counted}", file=sys.stderr)
        for signature in result.signatures:
            print(signature, file=sys.stderr)
    for run, result in results.items():
        _say_excluded(result.excluded, run)
    if given.format == "json":
        stored = [{"run": run, **result.as_json()} for run, result in results.items()]
        if len(stored) == 1:
            stored[0].pop("run")
        print(json.dumps(stored if len(stored) > 1 else stored[0], allow_nan=False, indent=1))
    elif given.format.startswith("csv"):
        _print_csv(results, measures, given.by_query, for_spreadsheet=given.format == "csv-spreadsheet")
    elif len(results) == 1:
        for _, query, values in _rows(results, given.by_query):
            for measure, value in zip(measures, values, strict=True):
                print(f"{measure:<22}\t{query}\t{_shown(value)}")
    else:
        table = [(run, query, *map(_shown, values)) for run, query, values in _rows(results, given.by_query)]
        widths = [max(map(len, column)) for column in zip(("run", "query", *measures), *table, strict=True)]
        for row in [("run", "query", *measures), *table]:
            texts = [f"{word:<{width}}" for word, width in zip(row, widths, strict=True)]
            print("  ".join(texts).rstrip())
    return 0


def _say_excluded(excluded: "dict[str, Excluded]", of_what: str) -> None:
    """Name on stderr the kinds of data that were found, and that a preset is not held to."""
    from ndcg_ref.excluded import in_words

    if words := in_words(excluded):
        print(f"{of_what}: {words}", file=sys.stderr)


def _print_csv(results: "dict[str, Result]", measures: list[str], by_query: bool, for_spreadsheet: bool) -> None:
    table = list(_rows(results, by_query))
    run_by_it = {each for run, query, _ in table for each in (run, query) if each.startswith(RUN_BY_A_SPREADSHEET)}
    if run_by_it and not for_spreadsheet:
        one = len(run_by_it) == 1
        said = f"{len(run_by_it)} {'id begins' if one else 'ids begin'} with =, +, - or @, which a spreadsheet runs"
        hint = f"--format csv-spreadsheet puts ' before {'it' if one else 'them'}"
        print(f"{said} ({hint})", file=sys.stderr)
    quote = {each: f"'{each}" for each in run_by_it} if for_spreadsheet else {}
    rows = csv.writer(sys.stdout, lineterminator="\n")
    rows.writerow(["run", "query", *measures])
    rows.writerows([quote.get(run, run), quote.get(query, query), *values] for run, query, values in table)


def _say_what_only_trec_eval_reads(qrels: str, lines: dict[str, dict[str, int]]) -> None:
    """Count on stderr the lines that are read otherwise than they are written."""
    of_qrels = next(iter(lines.values()))["qrels"]
    if of_qrels:
        what = "1 grade has an exponent" if of_qrels == 1 else f"{of_qrels} grades have an exponent"
        print(f"{qrels}: {what}, left out as trec_eval does: 1e3 is read as 1", file=sys.stderr)
    for run, found in lines.items():
        if found["run"]:
            what = "1 line has" if found["run"] == 1 else f"{found['run']} lines have"
            print(f"{run}: {what} a tag of several words, read as trec_eval does", file=sys.stderr)


def _rows(results: "dict[str, Result]", by_query: bool) -> "Iterator[tuple[str, str, list[float | None]]]":
    """The values of each run, query by query if that is asked for, and of all; None where a query has no value."""
    for run, result in results.items():
        if by_query:
            for query in dict.fromkeys(query for values in result.per_query.values() for query in values):
                yield run, query, [values.get(query) for values in result.per_query.values()]
        yield run, "all", list(result.mean.values())


def _shown(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"


@contextmanager
def _progress(what: str, counted: str) -> "Iterator[Callable[[int, int], None] | None]":
    """What tells how far a long command is, on a terminal alone."""
    if not sys.stderr.isatty():
        yield None
        return
    started = said = time.monotonic()

    def tell(done: int, of: int) -> None:
        nonlocal said
        now = time.monotonic()
        if now - started > PATIENCE and now - said > PATIENCE / 5:
            said = now
            print(f"\r{what}: {done} of {of} {counted}", end="", file=sys.stderr, flush=True)

    try:
        yield tell
    finally:
        if said > started:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def _each_measure_its_option(words: Sequence[str]) -> list[str]:
    """Let -m take several measures, up to an option or a file: `-m AP P@5 qrels run` is `-m AP -m P@5 …`."""
    given: list[str] = []
    for word in words:
        behind = len(given) > 1 and given[-2] == "-m"
        if behind and not word.startswith("-") and not os.path.exists(word):
            from ndcg_ref.spellings import parse

            try:
                parse(word)
            except ValueError as error:
                raise ValueError(f"{error}; there is no file of that name either") from None
            given.append("-m")
        given.append(word)
    return given


def _each_list_one_word(words: Sequence[str]) -> list[str]:
    """Join the numbers behind an option, if the stated number stands before it: `0.5 --grades 3 2` has two grades."""
    given: list[str] = []
    first = words[1:2] and not words[1].startswith("-")
    for word in words:
        option, equals, numbers = given[-1].partition("=") if given else ("", "", "")
        if not equals:
            option, numbers = given[-2] if len(given) > 1 else "", option
        if first and option in LISTS and not word.startswith("-") and _goes_on(numbers):
            given[-1] += f" {word}"
        else:
            given.append(word)
    return given


def _goes_on(numbers: str) -> bool:
    """Whether a list is not at its end: it has an open bracket or a comma there, or only blanks between its numbers."""
    if numbers.startswith(("[", "(")):
        return not numbers.endswith(("]", ")"))
    return numbers.endswith(",") or "," not in numbers


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


def _which(given: argparse.Namespace) -> int:
    from ndcg_ref.matches import which

    _printed(given.stated)
    grades = _numbers(given.grades, "grades")
    judged = None if given.judged is None else _numbers(given.judged, "judged")
    scores = None if given.scores is None else _numbers(given.scores, "scores")
    with _progress("which", "conventions") as progress:
        found = which(given.stated, grades, judged, scores, measure=given.measure, progress=progress)
    _say_excluded(found.excluded, "the ranking")
    print(json.dumps(found.as_json(), indent=1) if given.format == "json" else found)
    return 0 if found.rows else 1


def _explain(given: argparse.Namespace) -> int:
    from ndcg_ref.differences import explain

    made = explain(given.qrels, given.file, given.a, given.b, given.measure)
    _say_what_only_trec_eval_reads(given.qrels, {given.file: made.only_trec_eval})
    _say_excluded(made.excluded, given.file)
    print(json.dumps(made.as_json(), indent=1) if given.format == "json" else made)
    return 0


def _presets(given: argparse.Namespace) -> int:
    from ndcg_ref.presets import ABOUT, NAMED, PRESETS

    if given.name is not None:
        convention = _convention(given.name)
        about = [preset for preset in ABOUT.values() if given.name in (preset.name, preset.alias)]
        print(about[-1] if about else f"{given.name}: {_choices(convention)}")  # the newest
        return 0
    names = [*(name for name in NAMED if name not in PRESETS), *ABOUT]
    width = max(map(len, names))
    for name in names:
        print(f"{name:<{width}}  {'' if name == 'STANDARD' else _choices(NAMED[name])}".rstrip())
    print("\nOther choices are those of STANDARD. A name without its version, such as trec_eval, means the newest.")
    return 0


def _measures(given: argparse.Namespace) -> int:
    from ndcg_ref.spellings import SPELLINGS

    width = max(len(spelled) for _, spellings in SPELLINGS for spelled, _ in spellings)
    for library, spellings in SPELLINGS:
        print(library)
        for spelled, meaning in spellings:
            print(f"  {spelled:<{width}}  {meaning}")
    print("\nCapitals do not matter. Without a cutoff, as in nDCG, every rank counts; P needs one.")
    return 0


def _judge(given: argparse.Namespace) -> int:
    from ndcg_ref.stated import alternatives_for, judge

    if (given.value is None) == (given.grades is None):
        raise ValueError(
            "expected either a computed value or --grades, got " + ("neither" if given.grades is None else "both")
        )
    _printed(given.stated)
    if given.value is not None:
        for option in ("measure", "convention"):
            if getattr(given, option) is not None:
                raise ValueError(f"--{'as' if option == 'convention' else option} goes with --grades, not with a value")
        verdict = judge(given.stated, _number(given.value, "the computed value"))
        _say(verdict, _width(verdict))
    else:
        measure, k = _measure(given.measure or "ndcg")
        grades = _numbers(given.grades, "grades")
        called = given.convention or "STANDARD"
        convention = _convention(called)
        alternatives = alternatives_for(measure, grades, convention, k)
        name = f"{measure}{'' if k is None else f'@{k}'} under {called}"
        verdict = judge(given.stated, _compute(measure, grades, k, convention), name, alternatives=alternatives)
        _say(verdict, _settled(verdict, alternatives["convention"]))
        if called != "STANDARD":
            print(f"{called}: {_choices(convention)}; else as STANDARD")
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
    low, high = (replace(number, units=2 * number.units + end, unit=number.unit / 2).nearest_float for end in (-1, 1))
    return f"{verdict.stated} is what every value from {low:.12g} to {high:.12g} prints as"


def _settled(verdict: "Verdict", others: dict[str, float]) -> str:
    """Which other choices print the stated number as well, and how many decimals would tell all of them apart."""
    from ndcg_ref.matches import decimals_apart, in_decimals

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
    told = "no number of decimals tells" if decimals is None else f"{in_decimals(decimals)} would tell"
    return f"{listed}; {told} them apart"


def _numbers(text: str, option: str) -> list[float]:
    """The numbers of a list, which commas or blanks separate; it may be in brackets."""
    inner = re.sub(r"^[\[(](.*)[\])]$", r"\1", text.strip()).strip()
    numbers = re.split(r"\s*,\s*|\s+", inner)
    return [_number(each, f"{option.removesuffix('s')} {i}") for i, each in enumerate(numbers, start=1)]


def _printed(text: str) -> "Number":
    """A number as printed, or a refusal with advice for a shell."""
    from ndcg_ref.stated import read_number
    from ndcg_ref.stated.number import has_decimal_comma

    try:
        return read_number(text)
    except ValueError:
        if not has_decimal_comma(text):
            raise
    pointed = text.strip().replace(",", ".")
    raise ValueError(
        f"expected a printed number such as 0.63, 97.8% or 1/3, got {quoted(text)} "
        f"(a decimal comma? write {shortened(pointed)})"
    )


def _number(text: str, what: str) -> float:
    try:
        number = _printed(text).nearest_float
    except ValueError as error:
        raise ValueError(f"{what}: {error}") from None
    if math.isinf(number):
        raise ValueError(f"{what}: expected a number within the range of a float, got {quoted(text)}")
    return number


def _measure(text: str) -> tuple[str, int | None]:
    name, at, cutoff = text.lower().partition("@")
    if name not in MEASURES:
        raise ValueError(f"--measure: expected one of {', '.join(MEASURES)}, with or without @K, got {quoted(text)}")
    if at and not re.fullmatch(r"0*[1-9][0-9]{0,17}", cutoff):
        raise ValueError(f"--measure: expected a cutoff of at least 1 behind the @, got {quoted(text)}")
    return name, int(cutoff) if at else None


def _convention(name: str) -> "Convention":
    from ndcg_ref.named import as_convention

    return as_convention(name)


def _choices(convention: "Convention") -> str:
    """The choices in which a convention differs from STANDARD."""
    from ndcg_ref.convention import STANDARD

    changed = {field.name: getattr(convention, field.name) for field in fields(convention)}
    differing = [f"{name} {value}" for name, value in changed.items() if value != getattr(STANDARD, name)]
    return ", ".join(differing) or "the same choices"


def _compute(measure: str, grades: list[float], k: int | None, convention: "Convention") -> float:
    from ndcg_ref import plain

    value: float = plain.cg(grades, k) if measure == "cg" else getattr(plain, measure)(grades, k, convention)
    return value
