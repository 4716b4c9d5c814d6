"""`ndcg-ref new`: write a book of two chapters whose numbers are checked."""

import argparse
import json
import shutil
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from urllib.request import url2pathname

import ndcg_ref
from ndcg_ref import markdown_books
from ndcg_ref.conventions.validation import shortened, visible

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
    """Add the command."""
    new = commands.add_parser(
        "new",
        help="write a book of two chapters whose numbers are checked",
        description="Write two chapters, with numbers that agree and a slip that is declared, the configuration of the "
        "book, a hook for pre-commit, and a workflow for GitHub.",
    )
    new.add_argument("folder", type=Path, metavar="FOLDER", help="a folder that is not there yet, or is empty")
    new.add_argument("--kind", choices=KINDS, default="sphinx", help="what builds the book (default: %(default)s)")
    new.set_defaults(run=_new)


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
        style = Path(markdown_books.__file__).with_name("verdicts.css")
        written |= {style.name: style.read_text(encoding="utf-8")}
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
    wheel = Path(url2pathname(urlsplit(kept["url"]).path))
    if kept["url"].startswith("file:") and wheel.is_file():
        shutil.copy(wheel, folder)
        return f"./{wheel.name}"
    of_git = kept.get("vcs_info")
    return "ndcg-ref @ " + (f"{of_git['vcs']}+{kept['url']}@{of_git['commit_id']}" if of_git else kept["url"])
