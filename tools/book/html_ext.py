"""What the pages of the book need beside its verdicts: styles, scripts, archives to download, no live code.

A Sphinx extension that changes the HTML builder alone.
"""

import os
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config

from tools.book.contents import reads
from tools.make.pdf import PLACE, document_of

STYLES = ("ndcg-ref.css", "book.css")  # those of the verdicts are on every page of this book, for its other boxes
SCRIPTS = ("ndcg-ref.js", "book.js")


def without_live_code(app: Sphinx, config: Config) -> None:
    """Disable sphinx-thebe, which Jupyter Book always loads: no cell runs on a page."""
    for event in ("env-before-read-docs", "doctree-resolved"):
        for listener in list(app.events.listeners[event]):
            if listener.handler.__module__ == "sphinx_thebe":
                app.disconnect(listener.id)


MENDED = {
    'role="doc-biblioentry"': 'role="listitem"',  # docutils' role of a source, deprecated by DPUB-ARIA 1.1
    "<dl>\n<dd>": '<dl role="presentation">\n<dd>',  # Sphinx's lines of a long signature, without a term
    '<summary aria-label="Toggle hidden content">': "<summary>",  # MyST-NB's label differs from the visible text
}


def mend(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Mend what others write into a page and a screen reader stumbles on."""
    for written, mended in MENDED.items():
        context["body"] = context.get("body", "").replace(written, mended)


def offer_archive(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Offer a chapter that reads files for download together with these files."""
    chapter = Path(app.srcdir, f"{page}.ipynb")
    for group in context.get("header_buttons", ()) if chapter.exists() and reads(chapter) else ():
        for button in group.get("buttons", ()):
            if button["label"] == "download-source-button":
                place = f"_sources/{page}.zip"
                pack(chapter, Path(app.outdir, place))
                button |= {
                    "url": context["pathto"](place, 1),
                    "text": ".zip",
                    "tooltip": "Download the notebook and the files that it reads",
                }


def add_downloads(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """End a page with its notebook, the data that it reads, and the place where `pdf.py` puts a link to its PDF."""
    if doctree is None:
        return
    chapter, pathto = Path(app.srcdir, f"{page}.ipynb"), context["pathto"]
    links = [("Notebook", f"_sources/{page}.ipynb")] if chapter.exists() else []
    links += [("Data", f"_sources/{page}.zip")] if chapter.exists() and reads(chapter) else []
    offered = "".join(f'<a href="{pathto(place, 1)}" download>{name}</a>' for name, place in links)
    place = PLACE.format(pathto(f"{document_of(page)}.pdf", 1))
    context["body"] += f'<p class="book-downloads d-print-none">{offered}{place}</p>\n'


def pack(chapter: Path, target: Path) -> None:
    """Write a chapter and the files that it reads as an archive of one folder, laid out as in the book."""
    files = [chapter, *reads(chapter)]
    top = os.path.commonpath([path.parent for path in files])
    target.parent.mkdir(parents=True, exist_ok=True)
    with ZipFile(target, "w", ZIP_DEFLATED) as archive:
        for path in files:
            archive.write(path, Path(chapter.stem, path.relative_to(top)))


def setup(app: Sphinx) -> dict[str, Any]:
    """Add styles, scripts and the mending."""
    for style in STYLES:
        app.add_css_file(style)
    for script in SCRIPTS:
        app.add_js_file(script)
    app.connect("config-inited", without_live_code)
    app.connect("html-page-context", mend)
    app.connect("html-page-context", add_downloads)
    app.connect("html-page-context", offer_archive, priority=900)  # after the theme, which makes the buttons
    return {"parallel_read_safe": True, "parallel_write_safe": True}
