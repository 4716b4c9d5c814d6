"""What the front page alone has: a style and a script, no list of its sections, how long the chapters take.

A Sphinx extension for every builder.
"""

from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.parsers.rst.states import Inliner
from sphinx.application import Sphinx

from tools.book.contents import chapters
from tools.book.page_text import minutes

STYLE, SCRIPT = "front.css", "front.js"
NO_SECTIONS = "html_theme.sidebar_secondary.remove"  # as the theme reads it from the metadata of a page


def reading_time(
    name: str, text: str, content: str, line: int, inliner: Inliner, *more: Any
) -> tuple[list[nodes.Node], list[nodes.Node]]:
    """How many minutes the chapters of a folder take to read, and their exercises to do: the role `minutes`."""
    env = inliner.document.settings.env
    found = [chapter for chapter in chapters(Path(env.srcdir)) if chapter.parent.name == content]
    if not found:
        return [], [inliner.reporter.error(f"minutes: expected a folder with chapters, got {content!r}", line=line)]
    for chapter in found:
        env.note_dependency(str(chapter))
    reading, exercises = (sum(each) for each in zip(*map(minutes, found), strict=True))
    return [nodes.Text(f"{reading} minutes of reading, {exercises} of exercises")], []


def dress(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Give the first page its style and its script, and its whole width."""
    if page == app.config.root_doc:
        app.add_css_file(STYLE)
        app.add_js_file(SCRIPT)
        context["meta"] = {**(context.get("meta") or {}), NO_SECTIONS: "true"}


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the role and the dress."""
    app.add_role("minutes", reading_time)
    app.connect("html-page-context", dress)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
