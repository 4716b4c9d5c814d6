"""The theme of the book, `tools/book/theme`: the bar, the steps of a part, and what is loaded by a page.

A Sphinx extension that changes the HTML builder alone. Jupyter Book loads extensions whose scripts and styles no page
of this book needs, so a page asks for the files of the book and of its package alone. Sphinx's own scripts are on the
page of the search, which loads them itself.
"""

from base64 import b64encode
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.writers.html5 import HTML5Translator

from tools.book.contents import part

THEME = Path(__file__).with_name("theme")
STEPS = "Learn"  # the part whose chapters are steps in the bar
DOORS = {  # in the bar of all other pages
    "book/concepts/setting": "Learn",
    "book/live/check": "Check",
    "book/practice/libraries": "Libraries",
    "book/teaching": "Teaching",
    "book/reference/manual": "Reference",
}
STYLE, SCRIPT = "ndcg-ref.css", "ndcg-ref.js"  # on every page of this book, for its colours and definitions
FRONT_STYLE, FRONT_SCRIPT = "front.css", "front.js"
TYPE = "type.css"
FACES = {  # file: what a style sheet says of it
    "ndcg-serif.woff2": 'font-family: "NDCG Serif"; font-weight: 400 700',
    "ndcg-serif-italic.woff2": 'font-family: "NDCG Serif"; font-style: italic',
    "ndcg-sans.woff2": 'font-family: "NDCG Sans"; font-weight: 400 700',
    "ndcg-math.woff2": 'font-family: "NDCG Math"',
}
FOREIGN = ("sphinx_thebe", "sphinx_book_theme")  # which Jupyter Book always loads, and of which no page has anything
OWN = ("book.", "front.", "live", "ndcg-ref", "slips.", "type.")  # how the files begin that pages of this book load
MENDED = {
    'role="doc-biblioentry"': 'role="listitem"',  # docutils' role of a source, deprecated by DPUB-ARIA 1.1
    "<dl>\n<dd>": '<dl role="presentation">\n<dd>',  # Sphinx's lines of a long signature, without a term
    '<summary aria-label="Toggle hidden content">': "<summary>",  # MyST-NB's label differs from the visible text
}


def without_foreign(app: Sphinx, config: Config) -> None:
    """Disable what Jupyter Book loads for the theme that this book does not have."""
    for event in ("env-before-read-docs", "doctree-resolved", "html-page-context"):
        for listener in list(app.events.listeners[event]):
            if listener.handler.__module__.startswith(FOREIGN):
                app.disconnect(listener.id)


def dress(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Mend what others write into a page and a screen reader stumbles on; add its files, and what the bar has."""
    body = context.get("body", "")
    for written, mended in MENDED.items():
        body = body.replace(written, mended)
    context["body"] = body
    for style in (TYPE, STYLE):
        app.add_css_file(style)
    app.add_js_file(SCRIPT)
    app.add_js_file("book.js", loading_method="defer")
    if page == app.config.root_doc:
        app.add_css_file(FRONT_STYLE)
        app.add_js_file(FRONT_SCRIPT)
    root = Path(app.srcdir)
    steps = part(root, STEPS)
    context |= {
        "steps": steps if page in dict(steps) else [],
        "steps_of": STEPS,
        "doors": [(name, title) for name, title in DOORS.items() if name in app.env.found_docs],
    }


def keep_own(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Load nothing but the files of the book and its package."""
    for kind in ("css_files", "script_files"):
        context[kind] = [each for each in context[kind] if Path(str(each.filename or "")).name.startswith(OWN)]


def write_type(app: Sphinx) -> None:
    """Write a style sheet that holds the fonts, so that nothing moves, and a page in a folder has them."""
    if app.builder.format == "html":
        target = Path(app.outdir, "_static", TYPE)
        target.parent.mkdir(parents=True, exist_ok=True)
        folder = THEME / "static" / "type"
        rules = []
        for name, said in FACES.items():
            data = b64encode((folder / name).read_bytes()).decode()
            rules.append(f'@font-face {{ {said}; src: url("data:font/woff2;base64,{data}"); }}\n')
        target.write_text("".join(rules), encoding="utf-8")


def visit_table(self: HTML5Translator, node: nodes.table) -> None:
    """Begin a table in a box that scrolls where it is too wide; see BOXES in ndcg-ref.js."""
    self.body.append('<div class="scrolls">')
    HTML5Translator.visit_table(self, node)


def depart_table(self: HTML5Translator, node: nodes.table) -> None:
    """End it."""
    HTML5Translator.depart_table(self, node)
    self.body.append("</div>\n")


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the theme."""
    app.add_html_theme("ndcg-book", str(THEME))
    app.add_node(nodes.table, override=True, html=(visit_table, depart_table))
    app.connect("config-inited", without_foreign)
    app.connect("builder-inited", write_type)
    app.connect("html-page-context", dress)
    app.connect("html-page-context", keep_own, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
