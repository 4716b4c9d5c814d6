"""The chapters of the book in the order of its table of contents, `_toc.yml`, and the files that each reads."""

import sys
from collections.abc import Iterator
from pathlib import Path

from sphinx_external_toc.parsing import MalformedError, parse_toc_yaml

from ndcg_ref.stated.ledgers import Ledger, ledger
from ndcg_ref.stated.notebooks import read_notebook


def chapters(root: Path) -> list[Path]:
    """Every notebook of the book, in order, without the pages of text."""
    toc = root / "_toc.yml"
    if not toc.is_file() or not toc.read_text(encoding="utf-8").strip():
        sys.exit("_toc.yml is missing or empty")
    try:
        site = parse_toc_yaml(toc)
    except MalformedError as error:
        sys.exit(f"_toc.yml: {error}")

    def pages(name: str) -> Iterator[str]:
        yield name
        for child in site[name].child_files():
            yield from pages(child)

    found = []
    for name in pages(site.root.docname):
        base = root / name.removesuffix(".ipynb").removesuffix(".md")
        notebook = base.with_name(base.name + ".ipynb")
        if notebook.is_file():
            found.append(notebook)
        elif not base.with_name(base.name + ".md").is_file():
            sys.exit(f"_toc.yml lists {name}, and there is no such file")
    if not found:
        sys.exit("_toc.yml lists no notebook")
    return found


def reads(chapter: Path) -> list[Path]:
    """The files that a chapter needs besides the package.

    Its metadata list them under `"ndcg_ref": {"reads": [...]}`, as patterns relative to its folder.
    """
    found = []
    for pattern in read_notebook(chapter).own.get("reads", ()):
        files = sorted(path for path in (chapter.parent / Path(pattern).parent).resolve().glob(Path(pattern).name))
        if not files:
            sys.exit(f"{chapter}: expected files that match {pattern!r}, as its metadata say it reads, found none")
        found += files
    return found


def book_ledger(root: Path) -> Ledger:
    """Every verdict of the book, in order; a chapter is given by its path from the root, a note by its file name."""
    places = {chapter: place for place, chapter in enumerate(chapters(root))}
    entries = sorted(ledger(root / "book").entries, key=lambda entry: places[Path(entry["chapter"])])
    return Ledger(
        tuple(
            {
                **entry,
                "note": entry["note"] and Path(entry["chapter"]).stem,
                "chapter": Path(entry["chapter"]).relative_to(root).as_posix(),
            }
            for entry in entries
        )
    )
