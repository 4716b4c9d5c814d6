"""`ndcg-ref check`: find every wrong number in notes."""

import argparse
import re
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ndcg_ref.commands.corrections import corrected, patch
from ndcg_ref.commands.findings_formats import FORMATS, FileFinding, Key, Report, compared, explained, read_baseline
from ndcg_ref.commands.note_files import NOT_READ, SUFFIXES, Note, checked_file, files_in
from ndcg_ref.commands.shared import add_subject, load_subjects
from ndcg_ref.conventions.convention import as_convention
from ndcg_ref.conventions.validation import as_bug, shortened, visible
from ndcg_ref.formulas.plain import dcg
from ndcg_ref.notes import read_note
from ndcg_ref.notes.documents import format_of
from ndcg_ref.notes.limits import STEPS
from ndcg_ref.notes.measured import QUANTITIES
from ndcg_ref.stated.grammar import calls, setting_names
from ndcg_ref.stated.number import as_values

NAMES = " and ".join([", ".join(QUANTITIES[:-1]), QUANTITIES[-1]])  # of what is judged
_OTHERS = " or ".join(NOT_READ)


def add_to(commands: Any) -> None:
    """Add the command."""
    check = commands.add_parser(
        "check",
        help="find every wrong number in notes: Markdown, LaTeX, notebooks, HTML, text",
        description=f"Find the numbers that notes state about {NAMES}, and judge each. A number agrees; or it is "
        "consistent (a value of the ranking, and the note does not say which), a slip (no right rounding), impossible "
        "(wrong whatever the ranking is), undefined (there is no ideal gain), or unchecked. Exit code 0: nothing is "
        "wrong; 1: a number is wrong, or a known slip is gone; 2: a file cannot be read, or none of the files states a "
        "number; 3: a file meets a bug of ndcg-ref.",
        epilog="What a comment says is never argued away. '<!-- ndcg: grades=3,2,0; gain=exponential; k=2 -->', in "
        "LaTeX '% ndcg: ...', is of all numbers below it up to the next heading, 'ndcg(3, 2, 0; k=2)', 'mean(0.96, "
        "0.70)' or '9/12' of the number right before it, and '0.75 = 9/12' of the last 0.75 above it. "
        f"Names: {', '.join(setting_names())}. Measures: {', '.join(sorted({*calls(), 'mean'}))}.",
    )
    check.add_argument(
        "notes",
        nargs="+",
        type=_named,
        metavar="NOTE",
        help=f"files, folders (their {', '.join(SUFFIXES)}), or - for stdin",
    )
    output = check.add_mutually_exclusive_group()
    output.add_argument("--format", choices=FORMATS, default="text", help="how to print it (default: text)")
    output.add_argument(
        "--diff",
        action="store_true",
        help="print a patch, for git apply or patch -p1, that corrects the digits of slips whose working is right",
    )
    output.add_argument(
        "--explain",
        action="store_true",
        help="print how each example was read: grades, convention, and the three best readings with their costs",
    )
    check.add_argument(
        "--unchecked",
        action="store_true",
        help="list the numbers that are not judged, too, each with the reason (a baseline has none of them)",
    )
    check.add_argument(
        "--fail-on",
        choices=("any", "wrong"),
        default="any",
        help="exit code 1 for any wrong number, or only for one that is off by more than its last digit (default: any)",
    )
    check.add_argument("--grades", metavar="G,G,…", help="the ranking, best rank first, if the notes leave it out")
    check.add_argument(
        "--as", dest="convention", metavar="NAME", help="the convention, one that the command presets lists"
    )
    add_subject(
        check, "a Python module of yours, such as one in this folder, that registers what comments may say (repeatable)"
    )
    check.add_argument(
        "--baseline", metavar="FILE", help="known slips, as --format baseline prints them; one that is gone is reported"
    )
    check.add_argument(
        "--steps",
        type=_steps,
        default=STEPS,
        metavar="N",
        help=f"how much work a note may be, in steps of the search, whatever the processor; what is left of a note is "
        f"not read, and gives exit code 2 (default: {STEPS}, some 20 seconds)",
    )
    check.add_argument("--strict", action="store_true", help=f"exit code 2 where a folder has files in {_OTHERS}")
    check.set_defaults(run=_check)


def _check(options: argparse.Namespace) -> int:
    load_subjects(options.subject)
    known = _known(options)
    baseline: Counter[Key] = Counter() if options.baseline is None else read_baseline(options.baseline)
    names, unreadable, others = files_in(options.notes)
    notes = [*(checked_file(name, known) for name in names), *unreadable]
    _print_unread(notes, others)
    found = [FileFinding(note.name, note.text, each) for note in notes for each in note.findings]
    new, gone = compared(found, baseline)
    listed = new
    if options.unchecked:  # with the numbers of which nothing says what they are, in the order of the notes
        listed = [*new, *(FileFinding(note.name, note.text, each) for note in notes for each in note.others)]
        order = {note.name: i for i, note in enumerate(notes)}
        listed.sort(key=lambda each: (order[each.file], each.finding.offset))
    report = Report(
        listed, notes, unchecked=options.unchecked, passes="last digit" if options.fail_on == "wrong" else ""
    )
    is_bug = any(each.is_bug for each in notes)
    if options.explain:
        is_bug |= _meets_bug(_print_explanation, notes)
    elif options.diff:
        is_bug |= _meets_bug(partial(_print_patch, new=new, known=known), notes)
    else:
        for line in FORMATS[options.format](report):
            print(line)
    ignored = sum(each.ignored for each in notes)
    _print_known(ignored, len(found) - len(new), gone)
    if is_bug:
        return 3
    if any(each.refusal or each.left for each in notes) or (options.strict and others > 0):
        return 2
    if not found and not ignored:
        print(f"ndcg-ref check: expected a number of {NAMES}, found none in these notes", file=sys.stderr)
        return 2
    return int(bool(gone) or any(map(report.fails, new)))


def _print_unread(notes: Sequence[Note], others: int) -> None:
    """Print to stderr what was not read: files, the ends of long ones, and those of folders in other formats."""
    for each in notes:
        if each.refusal or each.left:
            problem = each.refusal or f"{each.left} (--steps allows more)"
            print(f"ndcg-ref check: {shortened(each.name)}: {problem}", file=sys.stderr)
    if others:
        print(f"ndcg-ref check: {others} {'file' if others == 1 else 'files'} not read ({_OTHERS})", file=sys.stderr)


def _print_known(ignored: int, known: int, gone: list[Key]) -> None:
    """Print to stderr how many slips are not reported, and which known ones are gone."""
    for count, how in ((ignored, "ignored by a comment on the line, or declared"), (known, "known from the baseline")):
        if count:
            print(f"ndcg-ref check: {count} {'slip' if count == 1 else 'slips'} {how}", file=sys.stderr)
    for file, stated, name, _ in gone:
        said = f"ndcg-ref check: {file}: {stated} ({name}) is in the baseline, and no slip any longer"
        print(visible(said), file=sys.stderr)


def _meets_bug(print_of: Callable[[Note], None], notes: Sequence[Note]) -> bool:
    """Print something of each note that was read; whether one of them meets a bug, which the others do not suffer."""
    found = False
    for note in notes:
        try:
            if not note.refusal:
                print_of(note)
        except OSError:  # the output cannot be written
            raise
        except Exception as error:
            print(f"ndcg-ref check: {shortened(note.name)}: {as_bug(error)}", file=sys.stderr)
            found = True
    return found


def _print_patch(note: Note, new: Sequence[FileFinding], known: dict[str, Any]) -> None:
    """Print the patch, and to stderr the slips that it leaves; byte for byte, whatever the line ends."""
    slips = frozenset(each.finding.offset for each in new if each.file == note.name and each.finding.is_wrong)
    if not slips:
        return
    form = format_of(note.name)
    text, left = corrected(note.text, lambda text: list(read_note(text, form, **known).findings), form, only=slips)
    path, here = Path(note.name), Path.cwd()  # in which patches are applied
    name = (path.relative_to(here) if path.is_relative_to(here) else path).as_posix().lstrip("/")
    found = patch(name, note.mark + note.text, note.mark + text)
    sys.stdout.flush()
    if hasattr(sys.stdout, "buffer"):
        sys.stdout.buffer.write(found.encode())  # a name that is no UTF-8 is quoted
    else:  # in a notebook
        sys.stdout.write(found)
    for each in left:
        print(visible(f"left: {note.name}:{each.line}:{each.column}: {each.verdict}"), file=sys.stderr)


def _print_explanation(note: Note) -> None:
    """Print how a note was read."""
    for line in explained(note.name, note.understood):
        print(visible(line))


def _known(options: argparse.Namespace) -> dict[str, Any]:
    """What the command is given of the ranking, the convention and the steps; raises where one of them is no good."""
    if options.grades is None and options.convention is None:
        return {"steps": options.steps}
    grades = None if options.grades is None else as_values(options.grades, "grades")
    convention = None if options.convention is None else as_convention(options.convention)
    dcg(grades or [1.0], convention=convention or "EXPONENTIAL")  # which refuses most
    return {"grades": grades, "convention": convention, "steps": options.steps}


def _named(text: str) -> str:
    if not text:
        raise argparse.ArgumentTypeError("expected the name of a file or a folder, got empty text (an unset variable?)")
    return text


def _steps(text: str) -> int:
    if not re.fullmatch("0*[1-9][0-9]{0,11}", text):
        raise argparse.ArgumentTypeError(f"expected a whole number from 1 to 999999999999, got {shortened(text)}")
    return int(text)
