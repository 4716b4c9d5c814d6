"""The scripts and styles of the live pages: each is joined from its modules in `live/`, for the pages that ask for it.

A Sphinx extension that needs no JavaScript tools. A classic script, unlike a module, also runs where a page was opened
as a file. So an entry module and all that it imports become one, `_static/live-ENTRY.js`. A page asks for it with the
directive `live`, or with a cell that has the tag `live-ENTRY`.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zlib import crc32

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective
from sphinx.util.osutil import relative_uri
from sphinx.writers.html5 import HTML5Translator

from tools.book.live_join import JoinError, joined, modules_of

LOGGER = logging.getLogger(__name__)
LIVE = Path(__file__).resolve().parents[2] / "live"
SOURCES, STYLES = LIVE / "src", LIVE / "style"
SHARED_STYLE = "live"  # STYLES / "live.css", for every page with a place for something live
LATER = "later"  # the option of a place whose files are loaded when the reader first comes to it, by book.js
TAG = "tag_live-"  # as MyST-NB writes the tags of a cell into its classes


def style(name: str) -> str:
    """A style without comments, indentation, and blanks that say nothing."""
    text = re.sub(r"/\*.*?\*/", "", (STYLES / f"{name}.css").read_text(encoding="utf-8"), flags=re.DOTALL)
    lines = [_squeezed(line.strip()) for line in text.splitlines() if line.strip()]
    return "".join(line if line.endswith(("{", "}", ";", ",")) else f"{line}\n" for line in lines)


def _squeezed(line: str) -> str:
    return line if '"' in line else re.sub(r": +", ":", re.sub(r" *([{};,>]) *", r"\1", line))


class AnyOption(dict[str, Any]):
    """Options of any name, each with its text."""

    def __missing__(self, name: str) -> Any:
        if name == "live" or not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
            raise KeyError(name)
        return directives.unchanged

    def __bool__(self) -> bool:
        """Whether there are options, as the parser asks."""
        return True


class Live(nodes.General, nodes.Element):  # type: ignore[misc]
    """A place for something live; in it, what stands there without a script."""


class LiveDirective(SphinxDirective):
    """A place for something live: its entry, options for the script, and what stands there without one."""

    required_arguments = 1
    has_content = True
    option_spec = AnyOption()

    def run(self) -> list[nodes.Node]:
        """Make the place."""
        entry = self.arguments[0]
        if not "".join(self.content).strip():
            raise self.error(f"live: expected what paper and a page without a script show of {entry!r}, got nothing")
        try:
            modules_of(SOURCES, entry)
        except JoinError as error:
            raise self.error(f"live: {error}") from None
        place = Live(entry=entry, options=self.options)
        self.set_source_info(place)
        self.state.nested_parse(self.content, self.content_offset, place)
        return [place]


def visit_html(self: HTML5Translator, node: Live) -> None:
    """Begin the place, and in it what a script replaces."""
    options = {f"data-{name}": value or "" for name, value in node["options"].items()}
    if LATER in node["options"]:
        static = relative_uri(self.builder.get_target_uri(self.builder.current_docname), "_static/")
        files = files_of([node["entry"]], [node]).items()
        options[f"data-{LATER}"] = " ".join(f"{static}{name}?v={crc32(text.encode()):x}" for name, text in files)
    self.body.append(self.starttag({}, "div", CLASS="ndcg-live", **{"data-live": node["entry"]}, **options))
    self.body.append('<div class="ndcg-live-without">\n')


def depart_html(self: HTML5Translator, node: Live) -> None:
    """End both."""
    self.body.append("</div></div>\n")


def visit_static(self: Any, node: Live) -> None:
    """Show what stands in the place, and nothing else."""


def tags(doctree: nodes.document) -> Iterator[tuple[nodes.container, str]]:
    """Each cell with a tag of something live, and the tag."""
    for cell in doctree.findall(nodes.container):
        for kind in list(cell["classes"]):
            if kind.startswith(TAG):
                yield cell, kind


def places(doctree: nodes.document, *, later: bool) -> list[Live]:
    """The places that load their files when the reader first comes to them, or those that load them with the page."""
    return [place for place in doctree.findall(Live) if (LATER in place["options"]) == later]


def asked_for(doctree: nodes.document) -> list[str]:
    """The entries that a page loads, each once."""
    found = [place["entry"] for place in places(doctree, later=False)]
    return list(dict.fromkeys([*found, *(kind.removeprefix(TAG) for _, kind in tags(doctree))]))


def styles_of(entries: list[str], where: list[Live]) -> list[str]:
    """The shared style, if there is a place for something live, and the styles of the modules that are joined."""
    names = dict.fromkeys(module.name for entry in entries for module in modules_of(SOURCES, entry))
    return [*([SHARED_STYLE] if where else []), *(name for name in names if (STYLES / f"{name}.css").is_file())]


def files_of(entries: list[str], where: list[Live]) -> dict[str, str]:
    """What entries load, by name: styles, then scripts."""
    styles = {"live.css" if name == SHARED_STYLE else f"live-{name}.css": name for name in styles_of(entries, where)}
    return {name: style(each) for name, each in styles.items()} | {
        f"live-{entry}.js": joined(SOURCES, entry) for entry in entries
    }


def note_sources(app: Sphinx, doctree: nodes.document) -> None:
    """Build a page again when what it loads has changed; a tag that asks for no entry is a warning."""
    for cell, kind in tags(doctree):
        try:
            modules_of(SOURCES, kind.removeprefix(TAG))
        except JoinError as error:
            LOGGER.warning("tag of a cell: %s", error, location=cell)
            cell["classes"].remove(kind)
    later = places(doctree, later=True)
    for entry in [*asked_for(doctree), *(place["entry"] for place in later)]:
        for module in modules_of(SOURCES, entry):
            app.env.note_dependency(str(SOURCES / f"{module.name}.js"))
        for name in styles_of([entry], list(doctree.findall(Live))):
            app.env.note_dependency(str(STYLES / f"{name}.css"))


def add_files(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Write the scripts and styles that a page asks for, and load those that are not for later."""
    if doctree is None:
        return
    for name, text in files_of(asked_for(doctree), places(doctree, later=False)).items():
        _write(app, name, text)
        if name.endswith(".css"):
            app.add_css_file(name)
        else:
            app.add_js_file(name, loading_method="defer")
    for place in places(doctree, later=True):
        for name, text in files_of([place["entry"]], [place]).items():
            _write(app, name, text)


def _write(app: Sphinx, name: str, text: str) -> None:
    path = Path(app.outdir, "_static", name)
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the directive, and what loads the scripts."""
    static = (visit_static, visit_static)
    app.add_node(Live, html=(visit_html, depart_html), latex=static, text=static)
    app.add_directive("live", LiveDirective)
    app.connect("doctree-read", note_sources)
    app.connect("html-page-context", add_files)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
