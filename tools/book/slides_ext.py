"""Write the slides: one file that holds all it needs, from `book/slides.md` and what the chapters store.

A Sphinx extension that changes the HTML builder alone. A line `---` separates slides. Each begins with the chapter that
holds its numbers, `from: concepts/gain`; a line `figure: NAME` shows a figure of the chapter, `drawing: 1` its first
drawing. All else is Markdown with formulas.
"""

import re
from base64 import b64encode
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Any

from docutils import nodes
from docutils.parsers.rst.states import Inliner
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from myst_parser.config.main import MdParserConfig
from myst_parser.parsers.mdit import create_md_parser
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

from ndcg_ref.sphinx_ext.drawing import MIME, html_of
from tools.book.figures_ext import inlined
from tools.book.formulas_ext import FONT, mathml
from tools.checks import prose

SOURCE, PAGE = Path("book", "slides.md"), Path("_static", "slides.html")
KEYS = re.compile(r"^(from|figure|drawing): (.+)$", re.MULTILINE)
LOOK = Path(__file__).with_name("slides.html")


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


def unheld(root: Path) -> list[str]:
    """A line for each claim of a slide that its chapter does not hold."""
    found = []
    for number, slide in enumerate(slides(root), 1):
        by = prose.held(slide.chapter)
        for claim in prose.in_markdown(slide.text, f"slide {number}"):
            found += [f"{claim.place}: {what}, in: {claim.text}" for what in prose.unheld(claim, by)]
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
        drawings = [data[MIME] for cell in cells for data in cell.data if MIME in data]
        if not slide.drawing.isdigit() or not 1 <= int(slide.drawing) <= len(drawings):
            raise ExtensionError(f"{SOURCE}, slide {number}: expected a drawing of its chapter, got {slide.drawing!r}")
        return f'<div class="drawing">{html_of(drawings[int(slide.drawing) - 1])}</div>'
    return ""


def deck(root: Path) -> str:
    """All slides as one page."""
    markdown = create_md_parser(MdParserConfig(enable_extensions={"colon_fence", "dollarmath"}), RendererHTML)

    def formula(self: Any, tokens: list[Token], place: int, *more: Any) -> str:
        return mathml(tokens[place].content, tokens[place].type != "math_inline")

    for kind in ("math_inline", "math_block"):
        markdown.add_render_rule(kind, formula)
    made = []
    for number, slide in enumerate(slides(root), 1):
        text = re.sub(r"\]\(#[^)]*\)", "]", slide.text)  # a link to a verdict holds the number, and leads nowhere here
        text = re.sub(r"(?<!!)\[([^]]*)\]", r"\1", text)
        body = markdown.render(text) + shown(slide, number)
        made.append(f'<section id="slide-{number}" aria-label="Slide {number}" tabindex="-1">{body}</section>')
    font = b64encode(FONT.read_bytes()).decode()
    return Template(LOOK.read_text(encoding="utf-8")).substitute(font=font, slides="\n".join(made), count=len(made))


def write_slides(app: Sphinx, error: Exception | None) -> None:
    """Write the deck beside the pages."""
    if error is None and app.builder.name == "html" and (Path(app.srcdir) / SOURCE).is_file():
        (Path(app.outdir) / PAGE).write_text(deck(Path(app.srcdir)), encoding="utf-8")


def link_to_slides(
    role: str, text: str, name: str, line: int, inliner: Inliner, *more: Any
) -> tuple[list[nodes.Node], list[nodes.Node]]:
    """A link to the slides, on pages alone: the role `slides`."""
    up = "../" * inliner.document.settings.env.docname.count("/")
    link = nodes.raw("", f'<a class="reference" href="{up}{PAGE.as_posix()}">{name}</a>', format="html")
    return [link, nodes.raw("", name, format="latex")], []


def setup(app: Sphinx) -> dict[str, Any]:
    """Write the slides when all pages are there."""
    app.add_role("slides", link_to_slides)
    app.connect("build-finished", write_slides)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
