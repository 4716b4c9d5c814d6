"""What a page offers to download: its chapter as a notebook that reads well in Jupyter, and the files that it reads.

A Sphinx extension that changes the HTML builder alone. The pages need roles and directives of MyST, which Jupyter would
show as they are typed. So the copy of each chapter beside the pages has plain Markdown in their place: a list for the
outcomes, folds for answers and solutions, names for citations, numbers for formulas. Links lead to the address of the
book where `_config.yml` has one, and else leave their text. The first cell installs the package with the extra
`chapters`, which is all that the chapters need.

`python -m tools.book.downloads_ext FOLDER` prepares a run of the chapters as readers have them. The book has to be
built. Below the folder, `chapters` gets each chapter, unpacked if it comes with files, and `kernels` a kernel whose
Python finds the standard library, the wheel of the book, and what `ndcg-ref[chapters]` needs, by links to what is
installed here. So nbval, told of both, fails where a chapter needs anything else.
"""

import json
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from html import escape
from importlib.metadata import Distribution, distribution
from pathlib import Path
from posixpath import join, normpath
from typing import Any
from urllib.parse import quote, urlsplit
from zipfile import ZIP_DEFLATED, ZipFile

from docutils import nodes
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from pybtex.database import BibliographyData, Person, parse_file
from sphinx.application import Sphinx

from tools.book.contents import chapters, reads
from tools.book.lists_ext import FOLDER, WHEEL
from tools.make.notebooks import INSTALL, UNRUN, repository
from tools.make.pdf import PLACE, document_of

EXTRA = "chapters"
DIRECTIVE = re.compile(
    r"^(?P<fence>:{3,}|`{3,})\{(?P<name>[\w-]+)\}[ ]*(?P<argument>[^\n]*)\n(?P<body>.*?)^(?P=fence)[ ]*$",
    re.MULTILINE | re.DOTALL,
)
CITED = re.compile(r"([\w-]+)(?:\{([^}]*)\})?")  # a key, and the place in what it names
OPTIONS = re.compile(r"\A(?:[ ]*:(?P<name>[\w-]+):[ ]*(?P<value>[^\n]*)\n)+")
NEEDS = re.compile(r"^:needs: (.*)$", re.MULTILINE)
TARGET = re.compile(r"^\([\w-]+\)=\n", re.MULTILINE)
LABELLED = re.compile(r"\n\$\$ \((eq-[\w-]+)\)$", re.MULTILINE)
BLOCK = re.compile(r"^(`{3,})(?!\{).*?^\1[ ]*$|^\$\$.*?\$\$", re.MULTILINE | re.DOTALL)  # code and formulas
INLINE = re.compile(
    r"\{(?P<role>[\w:]+)\}`(?P<said>[^`]+)`"
    r"|(?P<code>`+)[^`].*?(?P=code)(?!`)"
    r"|(?<!!)\[(?P<text>(?:[^\[\]]|\[[^\[\]]*\])*)\]\((?P<target>[^()\s]+)\)"
    r"|\$[^$]+\$",
    re.DOTALL,
)


@dataclass(frozen=True)
class Reader:
    """What is known of the book where a chapter is made readable without it.

    Parameters
    ----------
    page : str
        The name of the page.
    titles : mapping
        The title of each page.
    equations : mapping
        The page and the number of each labelled formula; a book of a few chapters lacks those of the others.
    literature : BibliographyData
        What citations name.
    address : str, optional
        Of the book; empty where it has none.
    """

    page: str
    titles: Mapping[str, str]
    equations: Mapping[str, tuple[str, int | None]]
    literature: BibliographyData
    address: str = ""

    def readable(self, markdown: str) -> str:
        """The Markdown of a cell without roles, directives and labels, and with links that work alone."""
        text = DIRECTIVE.sub(self._directive, TARGET.sub("", markdown))
        text = LABELLED.sub(self._tagged, text)
        parts, end = [], 0
        for block in BLOCK.finditer(text):
            parts += [self._inline(text[end : block.start()]), block[0]]
            end = block.end()
        return re.sub(r"\n{3,}", "\n\n", "".join([*parts, self._inline(text[end:])])).strip("\n")

    def _directive(self, found: re.Match[str]) -> str:
        name, body = found["name"], found["body"]
        if name in ONLY_ON_PAGES:
            return ""
        options = OPTIONS.match(body)
        inner = self.readable(body[options.end() :] if options else body)
        needs = NEEDS.search(options[0]) if options else None
        if name not in DIRECTIVES:
            return f"**{self._inline(found['argument'])}**\n\n{inner}\n"
        return DIRECTIVES[name](inner, f"Needs: {self._inline(needs[1])}\n" if needs else "") + "\n"

    def _tagged(self, found: re.Match[str]) -> str:
        _, number = self.equations.get(found[1], ("", None))
        return "\n$$" if number is None else f"\n\\tag{{{number}}}\n$$"

    def _inline(self, text: str) -> str:
        return INLINE.sub(self._piece, text)

    def _piece(self, found: re.Match[str]) -> str:
        if found["role"]:
            return ROLES.get(found["role"], words)(self, found["said"])
        if found["target"]:
            return self._link(self._inline(found["text"]), found["target"])
        return found[0]

    def _link(self, text: str, target: str) -> str:
        if re.match(r"[a-z]+:", target):
            return found_text(text, target) if not text else f"[{text}]({target})"
        place, _, label = target.partition("#")
        page = re.sub(r"\.(ipynb|md)$", "", normpath(join(self.page, "..", place))) if place else self.page
        text = text or self.titles.get(page, place)
        if not self.address or not place:
            return text
        return f"[{text}]({self.address}/{page}.html{f'#{label}' if label else ''})"

    def cited(self, keys: str, in_text: bool) -> str:
        """Citations, as authors and year."""
        found = []
        for key, locator in CITED.findall(keys):
            entry = self.literature.entries[key]
            names, year = authors(entry.persons["author"]), entry.fields.get("year", "")
            if in_text and (year or locator):
                found.append(f"{names} ({', '.join(filter(None, [year, locator]))})")
            else:
                found.append(", ".join(filter(None, [names, year, locator])))
        return ", ".join(found) if in_text else f"({'; '.join(found)})"

    def equation(self, label: str) -> str:
        """The number of a formula, and where it is if it is on another page; its label where no page has it."""
        page, number = self.equations.get(label, ("", None))
        if number is None:
            return f"({label})"
        return f"({number})" if page == self.page else f"({number}) of *{self.titles[page]}*"


def authors(persons: list[Person]) -> str:
    """The names of authors, as a text cites them.

    >>> authors([Person("Järvelin, Kalervo"), Person("Kekäläinen, Jaana")]), authors([Person("Burges, C.")] * 8)
    ('Järvelin and Kekäläinen', 'Burges et al.')
    """
    names = [" ".join(str(part) for part in each.rich_prelast_names + each.rich_last_names) for each in persons]
    return f"{names[0]} et al." if len(names) > 2 else " and ".join(names)


def found_text(text: str, target: str) -> str:
    """A link without a text, as its target."""
    return text or f"<{target}>"


def words(reader: Reader, said: str) -> str:
    """The text of a role without its target."""
    return said.partition(" <")[0]


def folded(summary: str, inner: str, needs: str) -> str:
    """A fold, which Jupyter opens and closes as a page does."""
    return f"<details>\n<summary>{summary}</summary>\n\n{inner}\n\n</details>"


def quoted(inner: str, needs: str) -> str:
    """A note that is set apart."""
    return "\n".join(f"> {line}".rstrip() for line in f"**Note.** {inner}".splitlines())


def outcomes(inner: str, needs: str) -> str:
    """The summary, what the chapter needs, and the list of what a reader can do after it."""
    summary, _, goals = inner.partition("\n- ")
    return f"{summary.strip()}\n\n{needs}\n**After this chapter you can**\n\n- {goals}"


def left(inner: str, needs: str) -> str:
    """What a directive contains."""
    return inner


# What becomes of a directive: its content, readable already, and the line that says what the chapter needs. Any other
# one is a box, whose title is set above its content; and any other role leaves its text.
DIRECTIVES: dict[str, Callable[[str, str], str]] = {
    "outcomes": outcomes,
    "question": lambda inner, needs: f"**Before you read on.** {inner}",
    "answer": partial(folded, "Answer"),
    "solution": partial(folded, "Solution"),
    "note": quoted,
    "container": left,
    "live": left,
}
ONLY_ON_PAGES = {"only", "ledger", "quiz", "install"}
ROLES: dict[str, Callable[[Reader, str], str]] = {
    "cite": lambda reader, said: reader.cited(said, in_text=False),
    "cite:t": lambda reader, said: reader.cited(said, in_text=True),
    "eq": Reader.equation,
    "py:func": lambda reader, said: f"`{said.rpartition('.')[2]}()`",
}


def install_cell(name: str, address: str) -> dict[str, Any]:
    """The first cell: it installs the package and what the chapters need, and is not run with the others."""
    if name:
        lines = [f'%pip install -q "{name}[{EXTRA}]"']
    elif address:
        lines = [f'%pip install -q "ndcg-ref[{EXTRA}] @ {address}/{FOLDER}/{WHEEL}"']
    else:
        lines = [
            f"# Put {WHEEL} beside this notebook; the page About this book has it\n",
            f'%pip install -q "./{WHEEL}[{EXTRA}]"',
        ]
    return {
        **{"cell_type": "code", "id": INSTALL, "metadata": {"tags": UNRUN}, "source": lines},
        **{"execution_count": None, "outputs": []},
    }


def for_jupyter(chapter: Path, reader: Reader, first: Mapping[str, Any]) -> str:
    """The text of a chapter's notebook with plain Markdown, and with this first cell."""
    book = json.loads(chapter.read_text(encoding="utf-8"))
    cells = []
    for cell in book["cells"]:
        if cell["cell_type"] == "markdown":
            cell["source"] = reader.readable("".join(cell["source"])).splitlines(keepends=True)
        if cell["id"] != INSTALL and (cell["source"] or cell["cell_type"] != "markdown"):
            cells.append(cell)
    return json.dumps({**book, "cells": [first, *cells]}, indent=1, ensure_ascii=False) + "\n"


def add_downloads(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """End a page with its notebook, the data that it reads, and the place where `pdf.py` puts a link to its PDF."""
    if doctree is None:
        return
    chapter, pathto = Path(app.srcdir, f"{page}.ipynb"), context["pathto"]
    links = [("Notebook", f"_sources/{page}.ipynb")] if chapter.exists() else []
    if chapter.exists() and reads(chapter):
        links.append(("Data", f"_sources/{page}.zip"))
    offered = "".join(f'<a href="{pathto(place, 1)}" download>{name}</a>' for name, place in links)
    if chapter.exists() and (named := repository(Path(app.srcdir))):
        offered += "".join(
            f'<a href="{escape(address)}">{name}</a>' for name, address in elsewhere(app, page, named).items()
        )
    place = PLACE.format(pathto(f"{document_of(page)}.pdf", 1))
    context["body"] += f'<p class="book-downloads d-print-none">{offered}{place}</p>\n'


def elsewhere(app: Sphinx, page: str, named: Mapping[str, str]) -> dict[str, str]:
    """Where a chapter can be run, as `launch_buttons` of `_config.yml` has it."""
    services = app.config.html_theme_options.get("launch_buttons") or {}
    own, branch = urlsplit(named["url"]).path.strip("/"), named["branch"]
    found = {}
    if services.get("binderhub_url"):
        path = quote(f"lab/tree/{page}.ipynb", safe="")
        found["Binder"] = f"{services['binderhub_url'].rstrip('/')}/v2/gh/{own}/{branch}?urlpath={path}"
    if services.get("colab_url"):
        found["Colab"] = f"{services['colab_url'].rstrip('/')}/github/{own}/blob/{branch}/{page}.ipynb"
    return found


def write_downloads(app: Sphinx, error: Exception | None) -> None:
    """Write the notebook of each chapter in place of the copy that Sphinx made, and the archives."""
    if error or app.builder.name != "html":
        return
    address = (app.config.html_baseurl or "").rstrip("/")
    first = install_cell(app.config.install_name, address)
    titles = {page: title.astext() for page, title in app.env.titles.items()}
    equations = app.env.get_domain("math").equations  # type: ignore[attr-defined]
    literature = BibliographyData()
    for file in app.config.bibtex_bibfiles:
        literature.add_entries(parse_file(str(Path(app.srcdir, file))).entries.items())
    for page in sorted(app.env.found_docs):
        chapter, target = Path(app.srcdir, f"{page}.ipynb"), Path(app.outdir, "_sources", f"{page}.ipynb")
        if chapter.exists():
            made = for_jupyter(chapter, Reader(page, titles, equations, literature, address), first)
            target.write_text(made, encoding="utf-8")
            if reads(chapter):
                pack(chapter, made, target.with_suffix(".zip"))


def pack(chapter: Path, made: str, target: Path) -> None:
    """Write a chapter and the files that it reads as an archive of one folder, laid out as in the book."""
    files = reads(chapter)
    top = os.path.commonpath([path.parent for path in [chapter, *files]])
    with ZipFile(target, "w", ZIP_DEFLATED) as archive:
        archive.writestr(Path(chapter.stem, chapter.relative_to(top)).as_posix(), made)
        for path in files:
            archive.write(path, Path(chapter.stem, path.relative_to(top)))


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the links, and write the files when all pages are there."""
    app.connect("html-page-context", add_downloads)
    app.connect("build-finished", write_downloads)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


ROOT = Path(__file__).resolve().parents[2]
PAGES = ROOT / "_build" / "html"
KERNEL = "chapters"


def needed(of: Distribution, extra: str, seen: set[str]) -> Iterator[Distribution]:
    """What a distribution needs with an extra, and what that needs, each once, as it is installed."""
    for line in of.requires or ():
        need = Requirement(line)
        if (need.marker is None or need.marker.evaluate({"extra": extra})) and canonicalize_name(need.name) not in seen:
            seen.add(canonicalize_name(need.name))
            found = distribution(need.name)
            yield found
            yield from needed(found, "", seen)


def link_all(wheel: Path, target: Path) -> None:
    """Link the files of what the wheel needs with the extra into a folder, as if they were installed there."""
    target.mkdir(parents=True)
    (info,) = wheel.glob("*.dist-info")
    for found in needed(Distribution.at(info), EXTRA, set()):
        for top in {file.parts[0] for file in found.files or () if file.parts[0] not in ("..", "__pycache__")}:
            place = Path(str(found.locate_file(top)))
            if not (target / top).exists():
                (target / top).symlink_to(place)


def write_kernel(folder: Path, *paths: Path) -> None:
    """Write the kernel, which finds modules in these folders and in the standard library."""
    target, profile = folder / "kernels" / KERNEL, folder / "ipython" / "profile_default"
    target.mkdir(parents=True)
    profile.mkdir(parents=True)
    shutil.copy(Path(sys.prefix, "etc", "ipython", "ipython_kernel_config.py"), profile)  # figures as SVG, as stored
    start = [sys.executable, "-S", "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    found = {"PYTHONPATH": os.pathsep.join(map(str, paths)), "IPYTHONDIR": str(folder / "ipython")}
    spec = {"argv": start, "display_name": KERNEL, "language": "python", "env": found}
    (target / "kernel.json").write_text(json.dumps(spec), encoding="utf-8")


def download(chapter: Path, folder: Path) -> None:
    """Put what a chapter's page offers, with its data if it has any, into a folder, unpacked if need be."""
    page = PAGES / chapter.relative_to(ROOT).with_suffix(".html")
    *_, link = re.findall(r'<a href="([^"]*)" download>', page.read_text(encoding="utf-8"))
    folder.mkdir(parents=True)
    if link.endswith(".zip"):
        ZipFile(page.parent / link).extractall(folder)
    else:
        shutil.copy(page.parent / link, folder)


def prepare(folder: Path) -> None:
    """Write chapters and kernel."""
    if not PAGES.exists():
        sys.exit("expected the built book in _build/html, found none: run `make book` first")
    shutil.rmtree(folder, ignore_errors=True)
    for chapter in chapters(ROOT):
        download(chapter, folder / "chapters" / "-".join(chapter.relative_to(ROOT / "book").with_suffix("").parts))
    wheel, installed = folder / "wheel", folder / "installed"
    ZipFile(PAGES / FOLDER / WHEEL).extractall(wheel)
    link_all(wheel, installed)
    write_kernel(folder, wheel, installed)


if __name__ == "__main__":
    prepare(Path(sys.argv[1]).resolve())
