"""`ndcg-ref example`: write judgments, two runs and a note with slips, for a first try of the other commands."""

import argparse
import os
from importlib.resources import files
from pathlib import Path
from typing import Any

from ndcg_ref.conventions.validation import quoted, visible

FILES = {  # what the package has, and what each file is
    "qrels.txt": "judgments of eight queries",
    "baseline.run": "a run",
    "new.run": "another run, with equal scores and unjudged documents",
    "note.md": "a note on one query, with two slips",
}


def add_to(commands: Any) -> None:
    """Add the command."""
    example = commands.add_parser(
        "example",
        help="write small files to try the other commands on",
        description="Write judgments, two runs and a note with slips, all made up, into a folder, which is made if it "
        "is missing. A file that is there already is never written over: the exit code is then 2.",
    )
    example.add_argument("folder", metavar="FOLDER", type=Path, help="where to write the files")
    example.set_defaults(run=_example)


def _example(options: argparse.Namespace) -> int:
    folder: Path = options.folder
    present = [name for name in FILES if os.path.lexists(folder / name)]
    if present:
        raise ValueError(f"expected a folder without {present[0]}, got {quoted(str(folder))}: nothing was written")
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in FILES.items():
        with open(folder / name, "xb") as file:
            file.write(files("ndcg_ref.commands").joinpath("example", name).read_bytes())
        print(f"{visible(str(folder / name))}: {content}")
    return 0
