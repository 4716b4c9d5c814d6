"""What dresses the theme of the book: its buttons, its icons, its markup mended, and the look of the front page.

A Sphinx extension that changes the HTML builder alone. Which icons there are is read from the pages when all are
written; what each is, from the theme's style sheet. They become a font of a few kilobytes in place of the theme's fonts
and script. An icon that is missing comes from the theme's font, as before.
"""

import re
from base64 import b64encode
from io import BytesIO
from pathlib import Path
from typing import Any

from docutils import nodes
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from sphinx.application import Sphinx
from sphinx.config import Config

from tools.book.contents import reads

STYLES = ("ndcg-ref.css", "book.css")  # those of the verdicts are on every page of this book, for its other boxes
SCRIPTS = ("ndcg-ref.js", "book.js")
FRONT_STYLE, FRONT_SCRIPT = "front.css", "front.js"
NO_SECTIONS = "html_theme.sidebar_secondary.remove"  # as the theme reads it from the metadata of a page
MENDED = {
    'role="doc-biblioentry"': 'role="listitem"',  # docutils' role of a source, deprecated by DPUB-ARIA 1.1
    "<dl>\n<dd>": '<dl role="presentation">\n<dd>',  # Sphinx's lines of a long signature, without a term
    '<summary aria-label="Toggle hidden content">': "<summary>",  # MyST-NB's label differs from the visible text
}

ICONS = "icons.css"
THEME = "_static/styles/pydata-sphinx-theme.css"
FONTS = "_static/vendor/fontawesome/webfonts"
FACES = {  # by the classes that ask for it: the file, and the face as the theme names it
    "fas fa-solid": ("fa-solid-900.ttf", '"Font Awesome 6 Free"; font-weight: 900'),
    "fab fa-brands": ("fa-brands-400.ttf", '"Font Awesome 6 Brands"; font-weight: 400'),
}
OF_THE_THEME = re.compile(r'--pst-icon-[\w-]+:"(.)"|content:"\\(f107)"')  # in front of titles and links, by its styles


def without_live_code(app: Sphinx, config: Config) -> None:
    """Disable sphinx-thebe, which Jupyter Book always loads: no cell runs on a page."""
    for event in ("env-before-read-docs", "doctree-resolved"):
        for listener in list(app.events.listeners[event]):
            if listener.handler.__module__ == "sphinx_thebe":
                app.disconnect(listener.id)


def dress(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Mend what others write into a page and a screen reader stumbles on; give the first page its whole width."""
    for written, mended in MENDED.items():
        context["body"] = context.get("body", "").replace(written, mended)
    if page == app.config.root_doc:
        app.add_css_file(FRONT_STYLE)
        app.add_js_file(FRONT_SCRIPT)
        context["meta"] = {**(context.get("meta") or {}), NO_SECTIONS: "true"}


def offer_archive(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Let the button of a chapter that reads files download it together with these files."""
    chapter = Path(app.srcdir, f"{page}.ipynb")
    for group in context.get("header_buttons", ()) if chapter.exists() and reads(chapter) else ():
        for button in group.get("buttons", ()):
            if button["label"] == "download-source-button":
                button |= {
                    "url": context["pathto"](f"_sources/{page}.zip", 1),
                    "text": ".zip",
                    "tooltip": "Download the notebook and the files that it reads",
                }


def name_folds(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Give a name to what folds the pages below a page in the sidebar, where the theme has an icon alone."""
    contents = context.get("generate_toctree_html")
    if contents is None:
        return

    def named(*arguments: Any, **options: Any) -> Any:
        made = contents(*arguments, **options)
        for link in made.select("a:has(+ details)") if made else ():
            link.find_next_sibling("details").summary["aria-label"] = f"Pages below {link.get_text()}"
        return made

    context["generate_toctree_html"] = named


def icons(pages: str, classes: str) -> set[str]:
    """The names of the icons in the pages that one of the classes asks for.

    >>> icons('<i class="fas fa-list"></i> <i class="fab fa-github fa-lg">', "fas fa-solid")
    {'list'}
    """
    either = "|".join(classes.split())
    found = re.findall(rf'class="(?:[^"]*\s)?(?:{either})\s([^"]*)"', pages)
    return {name.removeprefix("fa-") for names in found for name in names.split() if name.startswith("fa-")}


def codes(style: str, names: set[str]) -> set[int]:
    """The characters of icons, as a style sheet has them.

    >>> codes('.fa-bars:before,.fa-navicon:before{content:"\\\\f0c9"}', {"bars"}) == {0xF0C9}
    True
    """
    rules = re.findall(r'((?:\.fa-[\w-]+:before,?)+){content:"\\([0-9a-f]+)"}', style)
    return {int(code, 16) for selectors, code in rules if names & set(re.findall(r"\.fa-([\w-]+):", selectors))}


def face(file: Path, name: str, characters: set[int]) -> str:
    """A face with these characters alone, as a rule of a style sheet."""
    font = TTFont(file)
    options = Options(hinting=False, layout_features=[], name_IDs=[0, 1, 13], drop_tables=["FFTM"])
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=characters)
    subsetter.subset(font)
    font.flavor = "woff"
    font.save(written := BytesIO())
    source = f"data:font/woff;base64,{b64encode(written.getvalue()).decode()}"
    ranges = ", ".join(f"U+{code:X}" for code in sorted(characters))
    return f'@font-face {{ font-family: {name}; src: url("{source}"); unicode-range: {ranges}; }}\n'


def write_icons(app: Sphinx, error: Exception | None) -> None:
    """Write the style sheet with the icons."""
    if error or app.builder.name != "html":
        return
    folder = Path(app.outdir)
    pages = "".join(
        (folder / app.builder.get_target_uri(name)).read_text(encoding="utf-8")
        for name in (*app.env.found_docs, "genindex", "search")
    )
    style = (folder / THEME).read_text(encoding="utf-8")
    shown = {int(code, 16) if code else ord(sign) for sign, code in OF_THE_THEME.findall(style)}
    rules = []
    for classes, (file, name) in FACES.items():
        characters = codes(style, icons(pages, classes)) | (shown if "fas" in classes else set())
        if characters:
            rules.append(face(folder / FONTS / file, name, characters))
    (folder / "_static" / ICONS).write_text("".join(rules), encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Add styles and scripts, and change what the theme made."""
    for style in (*STYLES, ICONS):
        app.add_css_file(style)
    for script in SCRIPTS:
        app.add_js_file(script)
    app.connect("config-inited", without_live_code)
    app.connect("html-page-context", dress)
    for after in (offer_archive, name_folds):
        app.connect("html-page-context", after, priority=900)  # after the theme, which makes buttons and sidebar
    app.connect("build-finished", write_icons)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
