"""`ndcg-ref myst`, `pandoc` and `new`: the numbers of a book of mystmd or pandoc, and a book to start from."""

import argparse
import json
import shutil
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import ndcg_ref
from ndcg_ref import markdown_books
from ndcg_ref.commands.shared import add_subject, load_subjects
from ndcg_ref.conventions.validation import shortened, visible

STYLE = Path(markdown_books.__file__).with_name("verdicts.css")
TEMPLATE = Path(__file__).parent / "book_template"
BOTH = {  # the files of every book, by what the template calls them
    "lecture.md": "lecture.md",
    "exercise.ipynb": "exercise.ipynb",
    "README.md": "README.md",
    "pre-commit.yaml": ".pre-commit-config.yaml",
    "workflow.yml": ".github/workflows/book.yml",
}


class Kind(NamedTuple):
    """How a kind of book is configured and built."""

    files: tuple[str, ...]
    build: str
    packages: tuple[str, ...]


KINDS = {
    "sphinx": Kind(("conf.py", "index.md"), "sphinx-build -W --keep-going . _build/html", ("myst-nb", "ipykernel")),
    "jupyter-book": Kind(
        ("_config.yml", "_toc.yml"), "jupyter-book build . -W --keep-going", ("jupyter-book==1.0.4.post1", "ipykernel")
    ),
    "myst": Kind(("myst.yml", "ndcg-plugin"), "myst build --site; ndcg-ref myst check", ("mystmd==1.11.0",)),
}


def add_to(commands: Any) -> None:
    """Add the commands."""
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

    new = commands.add_parser(
        "new",
        help="write a book of two chapters whose numbers are checked",
        description="Write two chapters, with numbers that agree and a slip that is declared, the configuration of the "
        "book, a hook for pre-commit, and a workflow for GitHub.",
    )
    new.add_argument("folder", type=Path, metavar="FOLDER", help="a folder that is not there yet, or is empty")
    new.add_argument("--kind", choices=KINDS, default="sphinx", help="what builds the book (default: %(default)s)")
    new.set_defaults(run=_new)


def _myst(options: argparse.Namespace) -> int:
    if options.what == "check":
        return _check(Path(options.content))
    if options.what == "style":
        print(STYLE)
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


def _pandoc(options: argparse.Namespace) -> int:
    if options.mark is None:
        print(STYLE if options.what else STYLE.with_name("ndcg.lua"))
        return 0
    from ndcg_ref.markdown_books.pandoc_filter import marked

    if not options.mark:
        raise ValueError("expected the name of a file behind pandoc, got only stdin")
    load_subjects(options.subject)
    paths = list(map(Path, options.mark))
    texts = [(path.read_text(encoding="utf-8-sig"), path.suffix.lower()) for path in paths]
    print(json.dumps(marked(json.load(sys.stdin.buffer), texts)))
    return 0


def _new(options: argparse.Namespace) -> int:
    folder, kind = options.folder, KINDS[options.kind]
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ValueError(f"{shortened(str(folder))}: expected a new or an empty folder, found something there")
    written = {name: (TEMPLATE / own).read_text(encoding="utf-8") for own, name in BOTH.items()}
    written |= {name: (TEMPLATE / name).read_text(encoding="utf-8") for name in kind.files}
    folder.mkdir(parents=True, exist_ok=True)
    package = requirement(folder)
    written |= {"requirements.txt": "".join(f"{name}\n" for name in (package, *kind.packages))}
    written |= {".gitignore": "/_build/\n"}
    if "myst.yml" in kind.files:
        written |= {STYLE.name: STYLE.read_text(encoding="utf-8")}
    for name, text in written.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text if name in kind.files else text.replace("BUILD", kind.build), encoding="utf-8")
        path.chmod(0o755 if name == "ndcg-plugin" else 0o644)
    print(visible(f"{folder}: {', '.join(sorted(written))}"))
    print(visible(f"Build it there: {kind.build}"))
    if "file:" in package:
        print("requirements.txt names a folder of this machine: elsewhere, such as in the workflow, name a wheel there")
    return 0


def requirement(folder: Path) -> str:
    """What to install for this package to be had as it is here; a wheel of this machine is copied to the folder.

    An installer keeps the address of what came from no index, as PEP 610 says.
    """
    try:
        kept = json.loads(distribution("ndcg-ref").read_text("direct_url.json") or "{}")
    except PackageNotFoundError:
        kept = {}
    if not kept:
        return f"ndcg-ref=={ndcg_ref.__version__}"
    from urllib.request import url2pathname  # which loads slowly, and mystmd asks for each role by itself

    wheel = Path(url2pathname(urlsplit(kept["url"]).path))
    if kept["url"].startswith("file:") and wheel.is_file():
        shutil.copy(wheel, folder)
        return f"./{wheel.name}"
    of_git = kept.get("vcs_info")
    return "ndcg-ref @ " + (f"{of_git['vcs']}+{kept['url']}@{of_git['commit_id']}" if of_git else kept["url"])
