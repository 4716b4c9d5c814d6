"""`ndcg-ref myst`: the executable plugin of a book of mystmd, and the check of what was built."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from ndcg_ref import markdown_books
from ndcg_ref.conventions.validation import visible


def add_to(commands: Any) -> None:
    """Add the command."""
    myst = commands.add_parser(
        "myst",
        help="judge the numbers of a book of mystmd, or Jupyter Book 2: its plugin, and the check of a build",
        description="Without words this is an executable plugin, which mystmd starts through a script of the book; "
        "'check' lists what is wrong with the pages that were built. Exit code 0: nothing is; 1: a number is a slip "
        "that is not declared; 2: a page is missing, was built without the plugin, or has "
        "checks in cells that were not run.",
    )
    myst.add_argument(
        "what", nargs="?", choices=("check", "style"), help="check the pages, or print the path of a style sheet"
    )
    myst.add_argument("content", nargs="?", default="_build/site/content", help="the pages (default: %(default)s)")
    asked = myst.add_mutually_exclusive_group()
    for kind in ("role", "directive", "transform"):
        asked.add_argument(f"--{kind}", metavar="NAME", help=argparse.SUPPRESS)
    myst.set_defaults(run=_myst)


def _myst(options: argparse.Namespace) -> int:
    if options.what == "check":
        return _check(Path(options.content))
    if options.what == "style":
        print(Path(markdown_books.__file__).with_name("verdicts.css"))
        return 0
    from ndcg_ref.markdown_books.myst_plugin import answered, specification

    kinds = [kind for kind in ("role", "directive", "transform") if getattr(options, kind) is not None]
    answer = answered(kinds[0], json.load(sys.stdin.buffer)) if kinds else specification()
    print(json.dumps(answer))
    return 0


def _check(content: Path) -> int:
    from ndcg_ref.markdown_books.myst_pages import read_book

    book = read_book(content)
    for line in book.problems:
        print(visible(line))
    for line in book.missing:
        print(visible(f"ndcg-ref myst check: {line}"), file=sys.stderr)
    print(book.counts)
    return 2 if book.missing else int(bool(book.problems))
