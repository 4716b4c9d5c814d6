"""What a page for lecturers says of the chapters: their minutes, what they need, what they teach, and what notes state.

A Sphinx extension for every builder. All of it is read from the chapters, so that none of it can drift from them.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from posixpath import join, normpath
from typing import Any

from docutils import nodes
from docutils.parsers.rst import directives
from docutils.parsers.rst.states import Inliner
from docutils.statemachine import StringList
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from tools.book.contents import book_ledger, chapters
from tools.book.page_text import minutes
from tools.checks.prose import cells

BOOK = "book/"
OUTCOMES = re.compile(r":::\{outcomes\}\n(?::needs: (?P<needs>[^\n]*)\n)?(?P<said>.*?)\n:::", re.DOTALL)
TARGET = re.compile(r"\]\(([^)#]+)\.ipynb(?:#[^)]*)?\)")
CHAPTER = re.compile(r"\{chapter\}`([^`]+)`")


@dataclass(frozen=True)
class Chapter:
    """A chapter with a box of outcomes; chapters are named by their paths in the book, as in concepts/gain."""

    name: str
    needs: tuple[str, ...]
    goals: tuple[str, ...]


def taught(root: Path) -> list[Chapter]:
    """Every chapter with a box of outcomes, in the order of the book."""
    found = []
    for path in chapters(root):
        box = OUTCOMES.search(cells(path)[0].source)
        if box:
            name = path.relative_to(root / BOOK).with_suffix("").as_posix()
            needs = TARGET.findall(box["needs"] or "")
            goals = re.split(r"^- ", box["said"], flags=re.MULTILINE)[1:]
            found.append(
                Chapter(
                    name,
                    tuple(normpath(join(name, "..", each)) for each in needs),
                    tuple(" ".join(goal.split()).rstrip(".,;") for goal in goals),
                )
            )
    return found


def tree(found: list[Chapter], parent: str | None = None, depth: int = 0) -> Iterator[tuple[int, Chapter]]:
    """Each chapter with its depth, below the last of those that it needs.

    >>> found = [Chapter("a", (), ()), Chapter("b", ("a",), ()), Chapter("c", (), ()), Chapter("d", ("a", "b"), ())]
    >>> [(depth, each.name) for depth, each in tree(found)]
    [(0, 'a'), (1, 'b'), (2, 'd'), (0, 'c')]
    """
    places = {each.name: place for place, each in enumerate(found)}
    for each in found:
        if max(each.needs, key=places.__getitem__, default=None) == parent:
            yield depth, each
            yield from tree(found, each.name, depth + 1)


def time_of(root: Path, name: str) -> int:
    """How many minutes a chapter takes to read."""
    path = root / BOOK / f"{name}.ipynb"
    if not path.is_file():
        raise ValueError(f"expected a chapter, such as concepts/gain, got {name!r}")
    return minutes(path)[0]


def link_with_time(
    role: str, text: str, name: str, line: int, inliner: Inliner, *more: Any
) -> tuple[list[nodes.Node], list[nodes.Node]]:
    """A link to a chapter with its title, and how long it takes to read: the role `chapter`."""
    env = inliner.document.settings.env
    try:
        took = time_of(Path(env.srcdir), name)
    except ValueError as error:
        return [], [inliner.reporter.error(f"chapter: {error}", line=line)]
    env.note_dependency(str(Path(env.srcdir, BOOK, f"{name}.ipynb")))
    target = {"reftype": "doc", "reftarget": f"/{BOOK}{name}", "refdomain": "std", "refexplicit": False}
    link = addnodes.pending_xref("", nodes.inline(text=name), refdoc=env.docname, refwarn=True, **target)
    return [link, nodes.Text(f" ({took} min)")], []


class FromChapters(SphinxDirective):
    """Markdown that is made from the chapters."""

    @property
    def root(self) -> Path:
        """The folder of the project."""
        return Path(self.env.srcdir)

    def parsed(self, lines: Iterable[str], kind: str) -> list[nodes.Node]:
        """What the page has for some lines of Markdown."""
        box = nodes.container(classes=[kind])
        self.set_source_info(box)
        self.state.nested_parse(StringList(list(lines), self.env.docname), self.content_offset, box)
        return [box]


class Map(FromChapters):
    """A list in which each chapter stands below what it needs."""

    def run(self) -> list[nodes.Node]:
        """Write the list."""
        return self.parsed(
            [f"{'  ' * depth}- {{chapter}}`{each.name}`" for depth, each in tree(taught(self.root))], "ndcg-map"
        )


class Objectives(FromChapters):
    """What a student can do after each chapter."""

    def run(self) -> list[nodes.Node]:
        """Write a list for each chapter."""
        lines = []
        for each in taught(self.root):
            lines += [f"After {{chapter}}`{each.name}` a student can", "", *(f"- {goal}" for goal in each.goals), ""]
        return self.parsed(lines, "ndcg-objectives")


class Route(FromChapters):
    """A list of steps that fits into some minutes, counting the chapters that it names."""

    has_content = True
    option_spec = {"minutes": directives.positive_int}  # noqa: RUF012

    def run(self) -> list[nodes.Node]:
        """Read the list, and add up."""
        room = self.options.get("minutes", 0)
        try:
            took = sum(time_of(self.root, name) for name in CHAPTER.findall("\n".join(self.content)))
        except ValueError as error:
            raise self.error(f"route: {error}") from None
        if not 0 < took <= room:
            raise self.error(f"route: expected chapters of 1 to {room} minutes together, got {took}")
        said = f"{room} minutes: {took} of reading, {room - took} for questions and work in class."
        return self.parsed([said, "", *self.content], "ndcg-route")


class NotesToCheck(FromChapters):
    """A table of the notes: how long each takes, what it states, and how much of it is wrong."""

    def run(self) -> list[nodes.Node]:
        """Write a row for each note."""
        counts = book_ledger(self.root).counts["by_note"]
        self.env.note_reread()
        lines = ["| note | numbers checked | slips |", "| :--- | ---: | ---: |"]
        lines += [
            f"| {{chapter}}`notes/{note}` | {said['checked']} | {said['slip']} |" for note, said in counts.items()
        ]
        return self.parsed(lines, "ndcg-notes")


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the role and the directives."""
    app.add_role("chapter", link_with_time)
    for name, directive in {
        "chapter-map": Map,
        "objectives": Objectives,
        "route": Route,
        "notes-to-check": NotesToCheck,
    }.items():
        app.add_directive(name, directive)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
