"""What lecturers have: the chapters with minutes, needs and goals, what the notes state, and the slides.

A Sphinx extension for every builder. All of it is read from the chapters, so that none of it can drift from them.

The slides become one file that holds all it needs, from `book/slides.md` and what the chapters store. A line `---`
separates slides. Each begins with the chapter that holds its numbers, `from: concepts/gain`; a line `figure: NAME`
shows a figure of the chapter, `drawing: 1` its first drawing, where a line `{shown}` is, or else at the end. What comes
after a line `. . .` is shown when the class has had time to predict it, and what comes after a line `Notes:` is for the
speaker. All else is Markdown with formulas.
"""

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from posixpath import join, normpath
from string import Template
from typing import Any

from docutils import nodes
from docutils.frontend import get_default_settings
from docutils.parsers.rst import directives
from docutils.parsers.rst.states import Inliner
from docutils.statemachine import StringList
from docutils.utils import new_document
from docutils.writers.html5_polyglot import HTMLTranslator, Writer
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from myst_parser.config.main import MdParserConfig
from myst_parser.parsers.mdit import create_md_parser
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

from ndcg_ref.sphinx_ext.drawing import MIME
from ndcg_ref.sphinx_ext.drawing_nodes import cards
from ndcg_ref.sphinx_ext.extension import DRAWING_STYLE, STATIC, STYLE
from ndcg_ref.stated.ledgers import Ledger
from tools.book import live_ext
from tools.book.contents import book_ledger, chapters, minutes, title_in_contents
from tools.book.figures_ext import FONT, inlined, mathml
from tools.checks import prose

BOOK = "book/"
OUTCOMES = re.compile(r":::\{outcomes\}\n(?::needs: (?P<needs>[^\n]*)\n)?(?P<said>.*?)\n:::", re.DOTALL)
TARGET = re.compile(r"\]\(([^)#]+)\.ipynb(?:#[^)]*)?\)")
LECTURE = re.compile(r"\{lecture\}`([^`]+)`")
EXERCISE = re.compile(r"^\*\*\d+\.\*\* ★", re.MULTILINE)
FROM_SLIDE = re.compile(r"(.+) <(\d+)>")
A_SLIDE, A_PREDICTION = 2, 2  # minutes of a lecture
SOURCE, PAGE = Path("book", "slides.md"), Path("_static", "slides.html")
KEYS = re.compile(r"^(from|figure|drawing): (.+)$", re.MULTILINE)
SHOWN, PAUSE, NOTES = "{shown}", ". . .", "Notes:"
LOOK = Path(__file__).with_name("slides.html")


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
        box = OUTCOMES.search(prose.cells(path)[0].source)
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


def tree(chapters: list[Chapter], parent: str | None = None, depth: int = 0) -> Iterator[tuple[int, Chapter]]:
    """Each chapter with its depth, below the last of those that it needs.

    >>> found = [Chapter("a", (), ()), Chapter("b", ("a",), ()), Chapter("c", (), ()), Chapter("d", ("a", "b"), ())]
    >>> [(depth, each.name) for depth, each in tree(found)]
    [(0, 'a'), (1, 'b'), (2, 'd'), (0, 'c')]
    """
    places = {each.name: place for place, each in enumerate(chapters)}
    for each in chapters:
        if max(each.needs, key=places.__getitem__, default=None) == parent:
            yield depth, each
            yield from tree(chapters, each.name, depth + 1)


def time_of(root: Path, name: str) -> int:
    """How many minutes a chapter takes to read."""
    path = root / BOOK / f"{name}.ipynb"
    if not path.is_file():
        raise ValueError(f"expected a chapter, such as concepts/gain, got {name!r}")
    return minutes(path)[0]


def lecture_of(root: Path, name: str) -> int:
    """How many minutes the slides of a chapter take: two for each, and two more where the class predicts something."""
    own = [slide for _, slide in slides_of(root, name)]
    if not own:
        raise ValueError(f"expected a chapter with slides, such as concepts/gain, got {name!r}")
    return A_SLIDE * len(own) + A_PREDICTION * sum(PAUSE in slide.text for slide in own)


def link_with_time(
    role: str, text: str, name: str, line: int, inliner: Inliner, *more: Any
) -> tuple[list[nodes.Node], list[nodes.Node]]:
    """A link to a chapter with its title, and how long it takes to read: the role `chapter`; `lecture`: to teach."""
    env = inliner.document.settings.env
    try:
        took = (lecture_of if role == "lecture" else time_of)(Path(env.srcdir), name)
    except ValueError as error:
        return [], [inliner.reporter.error(f"{role}: {error}", line=line)]
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
    """A list in which each chapter is below what it needs."""

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
    """A list of steps that fits into some minutes, counting the slides of the chapters that it names."""

    has_content = True
    option_spec = {"minutes": directives.positive_int}  # noqa: RUF012

    def run(self) -> list[nodes.Node]:
        """Read the list, and add up."""
        room = self.options.get("minutes", 0)
        try:
            took = sum(lecture_of(self.root, name) for name in LECTURE.findall("\n".join(self.content)))
        except ValueError as error:
            raise self.error(f"route: {error}") from None
        if not 0 < took <= room:
            raise self.error(f"route: expected slides of 1 to {room} minutes together, got {took}")
        said = f"{room} minutes: {took} of speaking, {room - took} for questions and work in class."
        return self.parsed([said, "", *self.content], "ndcg-route")


class Sessions(FromChapters):
    """A table with a row for each line of the content, which names a session and its chapters."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Write the table."""
        self.env.note_dependency(str(self.root / SOURCE))
        rows = ["| session | chapters | lecture | exercises | slides |", "| :--- | :--- | ---: | ---: | :--- |"]
        for line in self.content:
            session, _, words = line.partition(":")
            names = words.split()
            found = [number for name in names for number, _ in slides_of(self.root, name)]
            took = sum(lecture_of(self.root, name) for name in names if slides_of(self.root, name))
            count = sum(len(EXERCISE.findall(cell.source)) for name in names for cell in self.cells(name))
            links = ", ".join(f"{{slides}}`{number} <{number}>`" for number in sorted(found))
            titles = [title_in_contents(self.root, f"{BOOK}{name}") for name in names]
            chapters = ", ".join(f"{{doc}}`{title} </{BOOK}{name}>`" for title, name in zip(titles, names, strict=True))
            rows.append(f"| {session} | {chapters} | {took} min | {count} | {links} |")
        return self.parsed(rows, "ndcg-sessions")

    def cells(self, name: str) -> Iterable[Any]:
        """The cells of a chapter."""
        path = self.root / BOOK / f"{name}.ipynb"
        if not path.is_file():
            raise self.error(f"sessions: expected a chapter, such as concepts/gain, got {name!r}")
        return prose.cells(path)


class NotesToCheck(FromChapters):
    """A table of the chapters on notes: how long each takes, what its notes state, and how much of it is wrong."""

    def run(self) -> list[nodes.Node]:
        """Write a row for each chapter."""
        entries = [entry for entry in book_ledger(self.root).entries if entry["note"]]
        self.env.note_reread()
        lines = ["| note | numbers checked | slips |", "| :--- | ---: | ---: |"]
        for chapter in dict.fromkeys(entry["chapter"] for entry in entries):
            said = Ledger(tuple(entry for entry in entries if entry["chapter"] == chapter)).counts
            name = Path(chapter).relative_to(BOOK).with_suffix("").as_posix()
            lines.append(f"| {{chapter}}`{name}` | {said['checked']} | {said['slip']} |")
        return self.parsed(lines, "ndcg-notes")


@dataclass(frozen=True)
class Slide:
    """A slide: the chapter that holds its numbers, its Markdown, and the figure or drawing that it shows."""

    chapter: Path
    text: str
    figure: str = ""
    drawing: str = ""


def slides(root: Path) -> list[Slide]:
    """Every slide, in order."""
    found = []
    for number, source in enumerate(re.split(r"^---$", (root / SOURCE).read_text(encoding="utf-8"), flags=re.M), 1):
        keys = dict(KEYS.findall(source))
        chapter = root / "book" / f"{keys.pop('from', '')}.ipynb"
        if not chapter.is_file():
            raise ExtensionError(f"{SOURCE}, slide {number}: expected a chapter, such as from: concepts/gain")
        found.append(Slide(chapter, KEYS.sub("", source).strip(), **keys))
    return found


def slides_of(root: Path, name: str) -> list[tuple[int, Slide]]:
    """The slides of a chapter, with their numbers."""
    chapter = root / BOOK / f"{name}.ipynb"
    return [(number, slide) for number, slide in enumerate(slides(root), 1) if slide.chapter == chapter]


def unheld(root: Path) -> list[str]:
    """A line for each claim of a slide that its chapter does not hold."""
    found = []
    for number, slide in enumerate(slides(root), 1):
        by = prose.held(slide.chapter)
        for claim in prose.in_markdown(slide.text, f"slide {number}"):
            found += [f"{claim.location}: {what}, in: {claim.text}" for what in prose.unheld(claim, by)]
    return found


def shown(slide: Slide, number: int) -> str:
    """The figure or the drawing of a slide."""
    cells = prose.cells(slide.chapter)
    if slide.figure:
        for cell in cells:
            about = cell.metadata.get("mystnb", {})
            if about.get("figure", {}).get("name") == slide.figure:
                svg = "".join(cell.data[0]["image/svg+xml"])
                return inlined(svg, f"slide-{number}-figure", about["image"]["alt"])
        raise ExtensionError(f"{SOURCE}, slide {number}: expected a figure of its chapter, got {slide.figure!r}")
    if slide.drawing:
        drawings = [(data[MIME], cell.metadata) for cell in cells for data in cell.data if MIME in data]
        if not slide.drawing.isdigit() or not 1 <= int(slide.drawing) <= len(drawings):
            raise ExtensionError(f"{SOURCE}, slide {number}: expected a drawing of its chapter, got {slide.drawing!r}")
        drawing, about = drawings[int(slide.drawing) - 1]
        page = HTMLTranslator(new_document("", get_default_settings(Writer)))
        drawn = f'<div class="ndcg-drawing">{cards(page, drawing)}</div>'
        wanted = about.get("ndcg_ref", {}).get("ranking")
        if not wanted or "share" not in drawing.get("lengths", ()):
            return drawn
        below = live_ext.panel(drawing, {**wanted, "choices": ()}, slide.chapter.parents[1])
        return f'<div class="cell tag_live-ranking">{live_ext.GUESS}{drawn}{below}</div>'
    return ""


def deck(root: Path) -> str:
    """All slides as one page."""
    markdown = create_md_parser(MdParserConfig(enable_extensions={"colon_fence", "dollarmath"}), RendererHTML)

    def formula(self: Any, tokens: list[Token], place: int, *more: Any) -> str:
        return mathml(tokens[place].content, tokens[place].type != "math_inline")

    for kind in ("math_inline", "math_block"):
        markdown.add_render_rule(kind, formula)

    def rendered(text: str, number: int, slide: Slide) -> str:
        before, mark, after = text.partition(f"\n{SHOWN}\n")
        figure = shown(slide, number) if mark else ""
        return f"{markdown.render(before)}{figure}{markdown.render(after)}"

    made = []
    for number, slide in enumerate(slides(root), 1):
        text = re.sub(r"\]\(#[^)]*\)", "]", slide.text)  # a link to a verdict holds the number, and leads nowhere here
        text = re.sub(r"(?<!!)\[([^]]*)\]", r"\1", text)
        text = text if SHOWN in text else text.replace(f"\n{NOTES}", f"\n{SHOWN}\n{NOTES}")
        text, _, notes = text.partition(f"\n{NOTES}\n")
        asked, pause, told = f"{text}\n".partition(f"\n{PAUSE}\n")
        body = rendered(asked, number, slide)
        if pause:
            body += f'<div class="told">{rendered(told, number, slide)}</div>'
        body += f'<aside aria-label="Notes">{markdown.render(notes)}</aside>'
        made.append(f'<section id="slide-{number}" aria-label="Slide {number}" tabindex="-1">{body}</section>')
    fonts = []
    for name in ("math", "serif", "sans"):
        data = b64encode(FONT.with_name(f"ndcg-{name}.woff2").read_bytes()).decode()
        face = f'font-family: "NDCG {name.title()}"; font-weight: 200 900; src: url("data:font/woff2;base64,{data}");'
        fonts.append(f"@font-face {{ {face} }}")
    styles = [(STATIC / name).read_text(encoding="utf-8") for name in (STYLE, DRAWING_STYLE)]
    return Template(LOOK.read_text(encoding="utf-8")).substitute(
        fonts="\n".join(fonts),
        slides="\n".join(made),
        count=len(made),
        styles="\n".join([*styles, live_ext.style("ranking")]),
        script=live_ext.joined(live_ext.SOURCES, "ranking"),
    )


def write_slides(app: Sphinx, error: Exception | None) -> None:
    """Write the deck beside the pages."""
    if error is None and app.builder.name == "html" and (Path(app.srcdir) / SOURCE).is_file():
        (Path(app.outdir) / PAGE).write_text(deck(Path(app.srcdir)), encoding="utf-8")


def link_to_slides(
    role: str, text: str, name: str, line: int, inliner: Inliner, *more: Any
) -> tuple[list[nodes.Node], list[nodes.Node]]:
    """A link to the slides, on pages alone, or to one of them: the role `slides`."""
    up = "../" * inliner.document.settings.env.docname.count("/")
    numbered = FROM_SLIDE.fullmatch(name)
    name, place = (numbered[1], f"#slide-{numbered[2]}") if numbered else (name, "")
    link = nodes.raw("", f'<a class="reference" href="{up}{PAGE.as_posix()}{place}">{name}</a>', format="html")
    return [link, nodes.raw("", name, format="latex")], []


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the roles and the directives, and write the slides when all pages are there."""
    app.add_role("chapter", link_with_time)
    app.add_role("lecture", link_with_time)
    app.add_role("slides", link_to_slides)
    for name, directive in {
        "chapter-map": Map,
        "objectives": Objectives,
        "route": Route,
        "sessions": Sessions,
        "notes-to-check": NotesToCheck,
    }.items():
        app.add_directive(name, directive)
    app.connect("build-finished", write_slides)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
