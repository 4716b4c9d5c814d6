"""Run the chapters of the book and store their outputs in place, so that a second run leaves no diff.

Every chapter of `_toc.yml` runs in its own folder, in the order of the book. Chapters that read other notebooks,
according to metadata such as `"ndcg_ref": {"reads": ["notes/*.ipynb"]}`, run last, after the others are stored.
Arguments, if any, name the chapters to run. A chapter in which a cell raises is left unchanged, and nothing after it
runs; the verdicts that the cell has shown are printed with their evidence.

If `_config.yml` names a repository, each chapter begins with a cell that installs the package from there, for Binder
and Colab, and that clones the whole book if the chapter reads other files of it. The cell is hidden on the pages, and
is not run here.

A figure is stored as SVG; the PDF of the same figure, for print, is drawn anew by each build. The last bits of floats
differ between processors, and Matplotlib makes the ids of an SVG of such floats. So ids are numbered, coordinates have
two decimals, and the metadata, which name versions, are left out. As a pytest plugin, this compares pictures in the
same form in nbval. A PNG has to be the same, which nbval would not look at.
"""

import re
import sys
from pathlib import Path
from typing import Any

import nbformat
import yaml
from nbclient import NotebookClient
from nbclient.exceptions import CellControlSignal, CellExecutionError

from ndcg_ref.stated.display import MIME
from tools.book.contents import chapters
from tools.make import patience

ROOT = Path(__file__).resolve().parents[2]
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
LANGUAGE = {"name": "python"}  # the kernel would add its version
CELL_METADATA = {"jupyter", "mystnb", "ndcg_ref", "tags"}
INSTALL = "install"  # the id of the cell
LINK = re.compile(r'((?:\bid|href)="#?|url\(#)([\w-]+)')
COORDINATE = re.compile(r"-?\d+\.\d{3,}|-0(?![\d.])")
UNRUN = ["remove-cell", "skip-execution", "nbval-skip"]  # by MyST-NB, by nbclient, by nbval


def repository(root: Path) -> dict[str, str] | None:
    """The repository that `_config.yml` names, or None."""
    named: dict[str, str] | None = yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8")).get("repository")
    if named is not None and not {"url", "branch"} <= named.keys():
        sys.exit("_config.yml: expected a url and a branch of the repository")
    return named


def install_cell(named: dict[str, str], folder: str | None) -> Any:
    """A cell that installs the package, and for a chapter that reads files clones the book and changes the folder."""
    lines = ['%pip install -q "ndcg-ref[chapters] @ git+{url}@{branch}"']
    if folder:
        lines += ["!git clone -q --depth 1 --branch {branch} {url} the-book", f"%cd the-book/{folder}"]
    cell = nbformat.v4.new_code_cell("\n".join(lines).format(**named), metadata={"tags": UNRUN})
    cell.id = INSTALL
    return cell


def read(path: Path, named: dict[str, str] | None) -> Any:
    """A notebook, ready to run: without outputs, or anything else that changes from run to run."""
    book = nbformat.reader.reads(path.read_text(encoding="utf-8"))
    if book.nbformat != 4:
        sys.exit(f"{path}: notebook format {book.nbformat}, and 4 is needed")
    book.nbformat_minor = 5
    own = {"ndcg_ref": book.metadata["ndcg_ref"]} if "ndcg_ref" in book.metadata else {}
    book.metadata = {"kernelspec": KERNEL, "language_info": LANGUAGE, **own}
    book.cells = [cell for cell in book.cells if cell.get("id") != INSTALL]
    for number, cell in enumerate(book.cells, 1):
        cell.id = f"cell-{number:02}"
        cell.metadata = {key: cell.metadata[key] for key in CELL_METADATA & cell.metadata.keys()}
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    if named:
        book.cells.insert(0, install_cell(named, needed(path, book)))
    return book


def reads_others(book: Any) -> bool:
    """Whether a chapter reads what others store, and therefore runs last."""
    return any(pattern.endswith(".ipynb") for pattern in book.metadata.get("ndcg_ref", {}).get("reads", ()))


def needed(path: Path, book: Any) -> str | None:
    """The folder of a chapter that reads files of the book; None for one that reads none."""
    return path.parent.relative_to(ROOT).as_posix() if "reads" in book.metadata.get("ndcg_ref", {}) else None


def run(path: Path, named: dict[str, str] | None) -> str:
    """Run a chapter and write it back; returns whether the file changed."""
    book = read(path, named)
    at = "before the first cell"
    running: Any = {}

    def starts(cell: Any, cell_index: int) -> None:
        nonlocal at, running
        at, running = f"cell {cell_index + 1}", cell

    client = NotebookClient(
        book,
        timeout=patience.CELL,
        **patience.LIMITS,
        kernel_name=KERNEL["name"],
        resources={"metadata": {"path": str(path.parent)}},
        record_timing=False,
        on_cell_start=starts,
    )
    try:
        client.execute()
    except (CellControlSignal, RuntimeError) as error:
        reason = f"{error.ename}: {error.evalue}" if isinstance(error, CellExecutionError) else str(error)
        for output in running.get("outputs", ()):
            if MIME in output.get("data", {}):
                print(output["data"]["text/plain"], file=sys.stderr)
        sys.exit(f"{path.relative_to(ROOT)}, {at}: {reason.strip().splitlines()[-1]}")
    book.metadata["language_info"] = LANGUAGE
    for cell in book.cells:
        if cell.cell_type == "code":
            cell.outputs = [normalize(output) for output in merged(cell.outputs)]
    nbformat.validate(book)
    text = nbformat.writes(book, version=nbformat.NO_CONVERT).rstrip("\n") + "\n"
    if text == path.read_text(encoding="utf-8"):
        return "unchanged"
    path.write_text(text, encoding="utf-8")
    return "written"


def merged(outputs: list[Any]) -> list[Any]:
    """The outputs, with adjacent pieces of the same stream joined."""
    result: list[Any] = []
    for output in outputs:
        last = result[-1] if result else None
        if last and last.output_type == output.output_type == "stream" and last.name == output.name:
            last.text += output.text
        else:
            result.append(output)
    return result


def stored_svg(text: str) -> str:
    r"""An SVG with its links numbered in the order of their first use, and with coordinates of two decimals.

    >>> text = '<svg><g id="axes_1"><g clip-path="url(#p87190)"><text x="-1.23456">0.12345</text></g></g>'
    >>> stored_svg(text + '<clipPath id="p87190"><rect x="-0" y="44.999999"/></clipPath></svg>').partition("<clipPath")
    ... # doctest: +NORMALIZE_WHITESPACE
    ('<svg><g id="axes_1"><g clip-path="url(#id-1)"><text x="-1.23">0.12345</text></g></g>', '<clipPath',
     ' id="id-1"><rect x="0" y="45"/></clipPath></svg>')
    """
    text = re.sub(r"\s*<metadata>.*?</metadata>", "", text, flags=re.S)
    linked = dict.fromkeys(name for kind, name in LINK.findall(text) if kind.endswith("#"))
    ids = {name: f"id-{number}" for number, name in enumerate(linked, 1)}
    text = LINK.sub(lambda found: found[1] + ids.get(found[2], found[2]), text)
    return re.sub(r"<\w[^>]*>", lambda tag: COORDINATE.sub(_rounded, tag[0]), text)


def _rounded(found: re.Match[str]) -> str:
    return f"{round(float(found[0]), 2) + 0.0:.15g}"  # zero has no sign


def normalize(output: Any) -> Any:
    """Bring the output of a cell into the form in which it is stored, and return it."""
    data = output.get("data", {})
    data.pop("application/pdf", None)
    if "image/svg+xml" in data:
        data["image/svg+xml"] = stored_svg(data["image/svg+xml"])
    return output


def pytest_configure() -> None:
    """Compare PNG, and compare the fresh outputs in the form in which they are stored."""
    from nbval.plugin import IPyNbCell, IPyNbFile

    made, compared = IPyNbFile.__init__, IPyNbCell.compare_outputs

    def make(self: Any, *arguments: Any, **keywords: Any) -> None:
        made(self, *arguments, **keywords)
        self.skip_compare = tuple(each for each in self.skip_compare if each != "image/png")

    def compare(self: Any, fresh: list[Any], stored: list[Any], skip_compare: Any = None) -> Any:
        return compared(self, [normalize(output) for output in fresh], stored, skip_compare)

    IPyNbFile.__init__, IPyNbCell.compare_outputs = make, compare


def main(arguments: list[str]) -> None:
    """Run the chapters that the arguments name, or all."""
    every, named = chapters(ROOT), repository(ROOT)
    asked = [Path(argument).resolve() for argument in arguments]
    for path in asked:
        if path not in every:
            sys.exit(f"{path}: no chapter of _toc.yml")
    chosen = [path for path in every if path in asked] if asked else every
    for path in sorted(chosen, key=lambda path: reads_others(read(path, named))):
        print(f"{path.relative_to(ROOT)}: {run(path, named)}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
