"""`ndcg-ref pandoc`: a filter that marks the numbers of what pandoc writes."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from ndcg_ref import markdown_books
from ndcg_ref.commands.shared import add_subject, load_subjects


def add_to(commands: Any) -> None:
    """Add the command."""
    pandoc = commands.add_parser(
        "pandoc",
        help="the path of a Lua filter, with which pandoc and Quarto mark the numbers of a text",
        description='Print the path of the filter: pandoc a.md --lua-filter "$(ndcg-ref pandoc)" -o a.html. '
        "It marks what `ndcg-ref check` finds in the same files, and lets no build fail: that command does.",
    )
    pandoc.add_argument("what", nargs="?", choices=("style",), help="print the path of a style sheet, for --css")
    add_subject(pandoc)
    pandoc.add_argument("--mark", nargs="*", metavar="FILE", help=argparse.SUPPRESS)  # what the filter asks for
    pandoc.set_defaults(run=_pandoc)


def _pandoc(options: argparse.Namespace) -> int:
    if options.mark is None:
        print(Path(markdown_books.__file__).with_name("verdicts.css" if options.what else "ndcg.lua"))
        return 0
    from ndcg_ref.markdown_books.pandoc_filter import marked

    if not options.mark:
        raise ValueError("expected the name of a file behind pandoc, got only stdin")
    load_subjects(options.subject)
    paths = list(map(Path, options.mark))
    texts = [(path.read_text(encoding="utf-8-sig"), path.suffix.lower()) for path in paths]
    print(json.dumps(marked(json.load(sys.stdin.buffer), texts)))
    return 0
