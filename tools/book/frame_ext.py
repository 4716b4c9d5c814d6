"""The theme of the book, `tools/book/theme`, and the frame around its pages: policy, footer, front door, lost page.

A Sphinx extension that changes the HTML builder alone. Jupyter Book loads extensions whose scripts and styles no page
of this book needs, so a page asks for the files of the book and of its package alone. Sphinx's own scripts are on the
page of the search, which loads them itself.

The policy says which scripts may run on a page and where it may send requests. It is in a `<meta>`, so it holds on any
server, and in a folder too. Scripts come from the book's own files. The one that the theme writes into a page is named
by its hash, which is taken when all pages are written; a script or an `onclick` that gets into a page later does not
run.

Where `_config.yml` has an address, `html: {baseurl: ...}`, each page has a canonical link, which Sphinx writes, and a
card for those who share it, and there is a site map. Where it has a repository, the footer of each page has links to
report an error and to its source.
"""

import re
from base64 import b64encode
from hashlib import sha256
from html import escape
from pathlib import Path
from string import Template
from textwrap import shorten
from typing import Any
from urllib.parse import quote, urlencode

from docutils import nodes
from markupsafe import Markup
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ExtensionError
from sphinx.writers.html5 import HTML5Translator

from ndcg_ref import __version__
from ndcg_ref.sphinx_ext.ticks import is_tick
from tools.book.contents import part
from tools.make.notebooks import repository

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

SHORTEST, LONGEST = 50, 160  # characters of a description, which search engines show whole
MADE = {  # pages that Sphinx makes, and that have no text of their own
    "genindex": "Every term of the book, every function of the package, and words to search for, each with its place.",
    "search": "Search the chapters, the notes and the reference of the book on NDCG for words, functions and numbers.",
}
# Pages without the theme. That for a wrong address is served at any depth, so it brings all it needs, and its links do
# not start from where it is.
BARE = {"index.html": "front_door.html", "404.html": "lost.html"}
CARD, SAYING = "_static/card.png", "What NDCG is, and whether a printed number is right"

POLICY = {
    "default-src": "'self'",
    "script-src": "'self' 'wasm-unsafe-eval'",  # and the hashes
    "style-src": "'self' 'unsafe-inline'",  # widths of columns and colours of plots are in style attributes
    "img-src": "'self' data:",
    "font-src": "'self' data:",  # that of the slides is in their file
    "connect-src": "'self'",
    "worker-src": "'self'",
    "object-src": "'none'",
    "base-uri": "'self'",
    "form-action": "'self'",
}
# A worker that a page makes of a text of its own has the policy of the page, which a worker from a file has not. So the
# code that a reader writes runs in one, where nothing but the files of the book can be reached.
OWN_CODE = re.compile(r'data-live="write"')
CHARSET = re.compile(r'<meta charset="utf-8"\s*/?>')
INLINE = re.compile(r"<script(?![^>]*\ssrc=)[^>]*>(.*?)</script>", re.DOTALL)
META = '<meta http-equiv="Content-Security-Policy"'

SENTENCE_ENDS = re.compile(r"(?<=[.?!])\s+(?=[^\sa-z])")


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


def description(doctree: nodes.document) -> str:
    """The first sentences of a page, as many as fit; those in lists, tables, boxes and outputs do not count.

    A paragraph with a formula is passed over, as its TeX says little.
    """
    found = ""
    for paragraph in doctree.findall(nodes.paragraph):
        if not isinstance(paragraph.parent, nodes.section) or next(iter(paragraph.findall(nodes.math)), None):
            continue
        for sentence in SENTENCE_ENDS.split(" ".join(without_ticks(paragraph).split())):
            longer = f"{found} {sentence}".strip()
            if len(found) >= SHORTEST and len(longer) > LONGEST:
                return found
            found = shorten(longer, LONGEST, placeholder=" …")
    return found


def without_ticks(paragraph: nodes.paragraph) -> str:
    """The text of a paragraph without the marks of verdicts."""
    paragraph = paragraph.deepcopy()
    for tick in list(paragraph.findall(is_tick)):
        tick.parent.remove(tick)
    return str(paragraph.astext())


def frame(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Give a page its description, its card, and what its footer needs."""
    own = (context.get("meta") or {}).get("description")
    said = own or MADE.get(page) or (description(doctree) if doctree else "")
    if not SHORTEST <= len(said) <= LONGEST:
        raise ExtensionError(
            f"{page}: expected a description of {SHORTEST} to {LONGEST} characters, got {said!r} "
            "(give the page one in its metadata, under 'description'?)"
        )
    title = Markup(context.get("title") or app.config.html_title).striptags()
    context["metatags"] = context.get("metatags", "") + metatags(app, title, said, context["pageurl"])
    context |= {"book_version": __version__, "author": app.config.author}
    if named := repository(Path(app.srcdir)):  # the theme's option has Jupyter Book's own where a book names none
        parts = "/-" if "gitlab" in named["url"] else ""
        form = {"issue[title]" if parts else "title": f"Error on the page {title!r} ({page})"}
        context["report_url"] = f"{named['url']}{parts}/issues/new?{urlencode(form)}"
        if doctree:
            file = Path(app.env.doc2path(page)).relative_to(app.srcdir).as_posix()
            context["source_url"] = f"{named['url']}{parts}/blob/{named['branch']}/{quote(file)}"


def metatags(app: Sphinx, title: str, summary: str, address: str | None) -> str:
    """What a page says of itself to search engines, and, where it has an address, to those who share it."""
    tags = f'<meta name="description" content="{escape(summary)}" />\n'
    if address:
        card = {
            "type": "article",
            "site_name": app.config.html_title,
            "title": title,
            "description": summary,
            "url": address,
            "image": app.config.html_baseurl.rstrip("/") + "/" + CARD,
            "image:alt": f"{app.config.html_title}. {SAYING}",
        }
        tags += "".join(f'<meta property="og:{name}" content="{escape(text)}" />\n' for name, text in card.items())
        tags += '<meta name="twitter:card" content="summary_large_image" />\n'
    return tags


def write_more(app: Sphinx, error: Exception | None) -> None:
    """Write the pages and files that are not made of documents."""
    if error or app.builder.name != "html":
        return
    folder, base = Path(app.outdir), app.config.html_baseurl and app.config.html_baseurl.rstrip("/") + "/"
    root = app.builder.get_target_uri(app.config.root_doc)
    filled = {
        "language": app.config.language,
        "title": escape(app.config.html_title),
        "root": root,
        "canonical": f'<link rel="canonical" href="{escape(base + root)}">\n' if base else "",
        "base": escape(base or "/"),
    }
    for name, template in BARE.items():
        page = Template(Path(__file__).with_name(template).read_text(encoding="utf-8"))
        (folder / name).write_text(page.substitute(filled), encoding="utf-8")
    if base:
        pages = "".join(
            f"<url><loc>{escape(base + app.builder.get_target_uri(page))}</loc></url>\n"
            for page in sorted(app.env.found_docs)
        )
        (folder / "sitemap.xml").write_text(
            '<?xml version="1.0" encoding="utf-8"?>\n'
            f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{pages}</urlset>\n',
            encoding="utf-8",
        )
        draw_card(app, folder / CARD)


def draw_card(app: Sphinx, target: Path) -> None:
    """Draw the picture that a shared link shows, 1200 by 630 pixels."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12, 6.3), dpi=100, facecolor="#1a6b3c")
    figure.text(0.07, 0.62, app.config.html_title, size=54, weight="bold", color="white")
    figure.text(0.07, 0.45, SAYING, size=28, color="white")
    figure.savefig(target)


def hashes(page: str) -> list[str]:
    """The hashes of the scripts in a page, as a policy names them.

    >>> hashes('<script src="a.js"></script><script>let a = 1;</script><script>let a = 1;</script>')
    ["'sha256-xY6QKfH9PRsQnLz56nj6MBwiK5oHg+im1Jkpdp1x/Ck='"]
    """
    found = (sha256(text.encode()).digest() for text in INLINE.findall(page))
    return list(dict.fromkeys(f"'sha256-{b64encode(digest).decode()}'" for digest in found))


def secured(page: str) -> str:
    """A page with its policy."""
    if META in page:  # written by an earlier build, and not since
        return page
    policy = POLICY | {"script-src": " ".join([POLICY["script-src"], *hashes(page)])}
    if OWN_CODE.search(page):
        policy["worker-src"] += " blob:"
    content = "; ".join(f"{name} {sources}" for name, sources in policy.items())
    return CHARSET.sub(lambda charset: f'{charset[0]}\n{META} content="{content}">', page, count=1)


def secure(app: Sphinx, error: Exception | None) -> None:
    """Give every page that was written its policy; the theme's own templates among the files have no charset."""
    if error or app.builder.name != "html":
        return
    for path in Path(app.outdir).rglob("*.html"):
        page = path.read_text(encoding="utf-8")
        if (changed := secured(page)) != page:
            path.write_text(changed, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the theme and the frame."""
    app.add_html_theme("ndcg-book", str(THEME))
    app.add_node(nodes.table, override=True, html=(visit_table, depart_table))
    app.connect("config-inited", without_foreign)
    app.connect("builder-inited", write_type)
    app.connect("html-page-context", frame)
    app.connect("html-page-context", dress)
    app.connect("html-page-context", keep_own, priority=900)
    app.connect("build-finished", write_more)
    app.connect("build-finished", secure, priority=900)  # after all pages are written
    return {"parallel_read_safe": True, "parallel_write_safe": True}
