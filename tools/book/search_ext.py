"""Search words: a table on a page that says where each word leads, and through which the search finds it there.

A Sphinx extension for every builder. Each line of the directive `search-words` has words, separated by commas, and the
section that they lead to, as in `install, pip -> book/about#install`. A word is also an entry of the index, which the
search of a page looks up before all else.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

LOGGER = logging.getLogger(__name__)
KEPT = "search_words"  # in the metadata of the page with the table


class Words(nodes.General, nodes.Element):  # type: ignore[misc]
    """Where the table will be, once the titles of all sections are known."""


class SearchWords(SphinxDirective):
    """The table of search words; its content has a line for each section."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Read the lines."""
        found = []
        for line in self.content:
            words, arrow, target = line.partition("->")
            if not arrow:
                raise self.error(f"expected words -> page#section, got {line!r}")
            page, _, section = target.strip().partition("#")
            found.append(([word.strip() for word in words.split(",")], page, section))
        self.env.metadata[self.env.docname][KEPT] = found
        return [Words(lines=found)]


def entries(env: BuildEnvironment, page: str) -> Iterator[tuple[str, str, str, str, None]]:
    """The entries of the index for a page: main ones, as the search puts all others last."""
    for own in env.metadata.values():
        for words, target, section in own.get(KEPT, ()):
            if target == page:
                yield from (("single", word, section, "main", None) for word in words)


def add_to_index(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Add the words to the page with the index."""
    for page, known in env.domaindata["index"]["entries"].items():
        known += [entry for entry in entries(env, page) if entry not in known]
    return []


def add_to_search(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Add the words to what the search reads, which is the entries that stand on a page."""
    if app.builder.format == "html":
        doctree.insert(0, addnodes.index(entries=list(entries(app.env, page))))


def weigh(app: Sphinx, config: Config) -> None:
    """Let the search weigh its results as `scorer.js` says."""
    config["html_search_scorer"] = str(Path(__file__).with_name("scorer.js"))


def title_of(env: BuildEnvironment, page: str, section: str) -> str:
    """The title of a page, and of the section if there is one; nothing where either is missing."""
    contents = env.tocs.get(page, nodes.bullet_list())
    titles = {each["anchorname"].removeprefix("#"): each.astext() for each in contents.findall(nodes.reference)}
    if section not in titles:
        return ""
    return f"{titles['']}: {titles[section]}" if section else titles[section]


def row(*cells: nodes.Node) -> nodes.row:
    """A row of the table."""
    return nodes.row("", *(nodes.entry("", nodes.paragraph("", "", cell)) for cell in cells))


def set_table(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Set the table, with the titles of the sections as links; on paper nobody searches, so its section goes."""
    for place in list(doctree.findall(Words)):
        if app.builder.format == "latex":
            place.parent.parent.remove(place.parent)
            continue
        rows = []
        for words, target, section in place["lines"]:
            title = title_of(app.env, target, section)
            if not title:
                LOGGER.warning("search-words: expected a section of a page, got %s#%s", target, section, location=page)
                continue
            address = app.builder.get_relative_uri(page, target) + (f"#{section}" if section else "")
            link = nodes.reference("", title, refuri=address, internal=True)
            rows.append(row(nodes.Text(", ".join(words)), link))
        group = nodes.tgroup("", nodes.colspec(colwidth=40), nodes.colspec(colwidth=60), cols=2)
        group += nodes.thead("", row(nodes.Text("searched for"), nodes.Text("leads to")))
        group += nodes.tbody("", *rows)
        place.replace_self(nodes.table("", group, classes=["longtable", "colwidths-given"]))


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the directive."""
    app.add_node(Words)
    app.add_directive("search-words", SearchWords)
    app.connect("config-inited", weigh)
    app.connect("env-updated", add_to_index)
    app.connect("doctree-resolved", add_to_search)
    app.connect("doctree-resolved", set_table)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
