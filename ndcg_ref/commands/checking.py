"""`ndcg-ref check`: find every wrong number in notes."""

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ndcg_ref.commands.baselines import Key, compared, is_ignored, read_baseline
from ndcg_ref.commands.corrections import corrected, patch
from ndcg_ref.commands.findings_formats import FORMATS, STDIN, Found
from ndcg_ref.commands.shared import as_values
from ndcg_ref.validation import shortened

if TYPE_CHECKING:
    from ndcg_ref.notes import Finding

MARK = "\ufeff"  # the byte-order mark
SUFFIXES = (".md", ".tex", ".rst", ".ipynb", ".html", ".htm", ".txt", ".py")


def add_to(commands: Any) -> None:
    """Add the command."""
    check = commands.add_parser(
        "check",
        help="find every wrong number in notes: Markdown, LaTeX, notebooks, HTML, text",
        description="Find the numbers that notes state about CG, DCG and NDCG, and judge each. Exit code 0: no slip; "
        "1: slips, or a known slip that is gone; 2: a file cannot be read, or none of the files states a number.",
    )
    check.add_argument(
        "notes", nargs="+", metavar="NOTE", help=f"files, folders (their {', '.join(SUFFIXES)}), or - for stdin"
    )
    output = check.add_mutually_exclusive_group()
    output.add_argument("--format", choices=FORMATS, default="text", help="how to print it (default: text)")
    output.add_argument(
        "--diff", action="store_true", help="print a patch that corrects the digits of slips whose working is right"
    )
    check.add_argument("--grades", metavar="G,G,…", help="the ranking, best rank first, if the notes leave it out")
    check.add_argument(
        "--as", dest="convention", metavar="NAME", help="the convention, one that the command presets lists"
    )
    check.add_argument(
        "--baseline", metavar="FILE", help="known slips, as --format baseline prints them; one that is gone is reported"
    )
    check.set_defaults(run=_check)


def _check(given: argparse.Namespace) -> int:
    known = _known(given)
    baseline: Counter[Key] = Counter() if given.baseline is None else _baseline(given.baseline)
    found: list[Found] = []
    ignored = unread = 0
    for name in _files(given.notes):
        check = _checker(name, known)
        try:
            text = _text(name)
            note = text.removeprefix(MARK)
            inside = [Found(name, note, each) for each in check(note)]
            kept = [each for each in inside if not (each.is_slip and is_ignored(each))]
        except (OSError, ValueError) as error:
            unread += 1
            reason = error.strerror if isinstance(error, OSError) else error
            print(f"ndcg-ref check: {shortened(name)}: {reason}", file=sys.stderr)
            continue
        ignored += len(inside) - len(kept)
        found += kept
        if given.diff:
            _print_patch(name, text, check)
    new, gone = compared(found, baseline)
    _print_findings(given, new)
    _print_known(ignored, len(found) - len(new), gone)
    if not found and not ignored and not unread:
        print("ndcg-ref check: expected a number of CG, DCG or NDCG, found none in these notes", file=sys.stderr)
        return 2
    return 2 if unread else int(bool(gone) or any(each.is_slip for each in new))


def _print_findings(given: argparse.Namespace, found: list[Found]) -> None:
    for line in () if given.diff else FORMATS[given.format](found):
        print(line)


def _print_known(ignored: int, known: int, gone: list[Key]) -> None:
    """Print to stderr how many slips are not reported, and which known ones are gone."""
    for count, how in ((ignored, "ignored by a comment on the line"), (known, "known from the baseline")):
        if count:
            print(f"ndcg-ref check: {count} {'slip' if count == 1 else 'slips'} {how}", file=sys.stderr)
    for file, stated, name, _ in gone:
        print(f"ndcg-ref check: {file}: {stated} ({name}) is in the baseline, and no slip any longer", file=sys.stderr)


def _baseline(name: str) -> Counter[Key]:
    try:
        return read_baseline(name, filter(str.strip, _text(name).removeprefix(MARK).split("\n")))
    except OSError as error:
        raise ValueError(f"{shortened(name)}: {error.strerror}") from None


def _checker(name: str, known: dict[str, Any]) -> "Callable[[str], list[Finding]]":
    """What checks a text in the format of a file."""
    from ndcg_ref.notes import check_note
    from ndcg_ref.notes.documents import format_of

    return lambda text: check_note(text, format_of(name), **known)


def _print_patch(name: str, text: str, check: "Callable[[str], list[Finding]]") -> None:
    """Print the patch, and to stderr the slips that it leaves; byte for byte, whatever the line ends."""
    mark, note = text[: len(text) - len(text.removeprefix(MARK))], text.removeprefix(MARK)
    after = corrected(note, check)
    found = patch(_from_here(name), text, mark + after)
    sys.stdout.flush()
    if hasattr(sys.stdout, "buffer"):
        sys.stdout.buffer.write(found.encode())
    else:  # in a notebook
        sys.stdout.write(found)
    for each in check(after):
        if each.verdict.outcome == "slip":
            print(f"left: {name}:{each.line}:{each.column}: {each.verdict}", file=sys.stderr)


def _from_here(name: str) -> str:
    """The name of a file from the working folder, in which patches are applied."""
    path, here = Path(name), Path.cwd()
    return path.relative_to(here).as_posix() if path.is_relative_to(here) else path.as_posix()


def _known(given: argparse.Namespace) -> dict[str, Any]:
    """What the command is given of the ranking and the convention; raises where either is no good."""
    from ndcg_ref.named import as_convention
    from ndcg_ref.plain import dcg

    grades = None if given.grades is None else as_values(given.grades, "grades")
    convention = None if given.convention is None else as_convention(given.convention)
    dcg(grades or [1.0], convention=convention or "EXPONENTIAL")  # which refuses most
    return {"grades": grades, "convention": convention}


def _files(named: list[str]) -> Iterator[str]:
    """The files that are named, those of folders in the order of their names."""
    for name in named:
        if name != STDIN and Path(name).is_dir():
            inside = sorted(path for path in Path(name).rglob("*") if path.suffix.lower() in SUFFIXES)
            yield from (str(path) for path in inside if path.is_file())
        else:
            yield name


def _text(name: str) -> str:
    content = sys.stdin.buffer.read() if name == STDIN else Path(name).read_bytes()
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"expected UTF-8, found the byte {content[error.start]:#04x} at {error.start}") from None
