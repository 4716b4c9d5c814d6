"""`ndcg-ref check`: find every wrong number in notes."""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ndcg_ref.validation import shortened

if TYPE_CHECKING:
    from ndcg_ref.notes import Finding

SUFFIXES = (".md", ".tex", ".rst", ".ipynb", ".html", ".htm", ".txt", ".py")
STDIN = "-"
WIDEST = 100  # characters of a line that is shown with its finding
OUTCOMES = ("agrees", "slip", "undefined", "unchecked")


def add_to(commands: Any) -> None:
    """Add the command."""
    check = commands.add_parser(
        "check",
        help="find every wrong number in notes: Markdown, LaTeX, notebooks, HTML, text",
        description="Find the numbers that notes state about CG, DCG and NDCG, and judge each. Exit code 0: no slip; "
        "1: slips; 2: a file cannot be read, or none of the files states a number.",
    )
    check.add_argument(
        "notes", nargs="+", metavar="NOTE", help=f"files, folders (their {', '.join(SUFFIXES)}), or - for stdin"
    )
    check.add_argument("--format", choices=("text", "json"), default="text", help="how to print it (default: text)")
    check.set_defaults(run=_check)


def _check(given: argparse.Namespace) -> int:
    from ndcg_ref.notes import check_note
    from ndcg_ref.notes.documents import format_of

    found: list[tuple[str, str, Finding]] = []
    unread = 0
    for name in _files(given.notes):
        try:
            text = _text(name)
            found += [(name, text, each) for each in check_note(text, format_of(name))]
        except (OSError, ValueError) as error:
            unread += 1
            reason = error.strerror if isinstance(error, OSError) else error
            print(f"ndcg-ref check: {shortened(name)}: {reason}", file=sys.stderr)
    counts = Counter(str(finding.verdict.outcome) for _, _, finding in found)
    if given.format == "json":
        print(json.dumps({"findings": [_record(name, each) for name, _, each in found], "counts": dict(counts)}))
    else:
        for name, text, each in found:
            if each.verdict.outcome == "slip":
                print("\n".join(_lines(name, text, each)))
        print(_summary(counts))
    if not found and not unread:
        print("ndcg-ref check: expected a number of CG, DCG or NDCG, found none in these notes", file=sys.stderr)
    return 2 if unread or not found else int(counts["slip"] > 0)


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
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"expected UTF-8, found the byte {content[error.start]:#04x} at {error.start}") from None


def _record(name: str, finding: "Finding") -> dict[str, Any]:
    verdict = finding.verdict
    return {
        "file": name,
        "line": finding.line,
        "column": finding.column,
        "offset": finding.offset,
        "length": finding.length,
        "name": verdict.name,
        "stated": finding.stated,
        "computed": verdict.computed,
        "outcome": str(verdict.outcome),
        "causes": list(verdict.causes),
        "explanation": str(verdict),
    }


def _lines(name: str, text: str, finding: "Finding") -> Iterator[str]:
    """A finding as compilers print theirs: the place and the verdict, then the line with a caret below the number."""
    yield f"{name}:{finding.line}:{finding.column}: {finding.verdict}"
    start = text.rfind("\n", 0, finding.offset) + 1
    end = text.find("\n", finding.offset)
    line = text[start : end if end >= 0 else len(text)].rstrip("\r")
    first = max(0, finding.column - 1 - WIDEST // 2)
    shown = line[first : first + WIDEST].replace("\t", " ")
    yield f"    {shown}"
    yield f"    {' ' * (finding.column - 1 - first)}{'^' * finding.length}"


def _summary(counts: Counter[str]) -> str:
    parts = [f"{counts[outcome]} {outcome}" for outcome in OUTCOMES if counts[outcome] or outcome == "slip"]
    return f"{counts.total()} found: {', '.join(parts)}"
