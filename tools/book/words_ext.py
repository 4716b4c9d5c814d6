"""Words that lead somewhere: the terms of the glossary on each page, and the search words.

A Sphinx extension for every builder. The first link of a page to a term says what it means, and later ones are plain
text. On a page the definition is the title of the link, and a card that a script shows instead (`data-definition`, see
ndcg_ref/sphinx_ext/static/ndcg-ref.js).

Each line of the directive `search-words` has words, separated by commas, and the section that they lead to, as in
`install, pip -> book/about#install`. The page has a table of them. A word is also an entry of the index, which the
search of a page looks up before all else.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.environment import BuildEnvironment
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective
from sphinx.writers.html5 import HTML5Translator

LOGGER = logging.getLogger(__name__)
SENTENCE = re.compile(r".+?[.?!](?=\s|$)", re.DOTALL)
KEPT = "search_words"  # in the metadata of the page with the table


class TermLink(nodes.reference):  # type: ignore[misc]
    """A link to an entry of the glossary, with its definition."""


class Terms(SphinxPostTransform):
    """Keep the first link of a page to each entry of the glossary."""

    default_priority = 20  # after references are resolved

    def run(self, **kwargs: Any) -> None:
        """Change every page, or every part of the one that is a whole book."""
        glossary = {label: page for page, label in self.env.get_domain("std").objects.values()}  # type: ignore[attr-defined]
        entries: dict[str, tuple[str, str]] = {}
        seen: set[tuple[str, str]] = set()
        for link in list(links(self.document)):
            label = (link.get("refid") or link["refuri"]).rpartition("#")[2]
            page, where = docname_of(link, self.env.docname), glossary.get(label, "")
            if where in ("", page):
                continue
            if label not in entries:
                entries |= definitions(self.env.get_doctree(where))
            entry, definition = entries[label]
            if (page, entry) in seen:
                link.replace_self(nodes.Text(link.astext()))
            else:
                seen.add((page, entry))
                own = {**link.attributes, "classes": ["ndcg-defined"], "definition": definition}
                link.replace_self(TermLink("", "", *link.children, **own))


def links(document: nodes.document) -> Iterator[nodes.reference]:
    """The links to terms, in order."""
    for link in document.findall(nodes.reference):
        if any("std-term" in inner["classes"] for inner in link.findall(nodes.inline)):
            yield link


def docname_of(node: nodes.Node, default: str) -> str:
    """The name of the page that a node comes from, which in a whole book stands at a section above it."""
    while node is not None:
        if isinstance(node, nodes.Element) and "docname" in node:
            return str(node["docname"])
        node = node.parent
    return default


def definitions(glossary: nodes.document) -> dict[str, tuple[str, str]]:
    """For the label of each term its entry, by the label of its first term, and the first sentence of that."""
    found = {}
    for item in glossary.findall(nodes.definition_list_item):
        labels = [label for term in item.findall(nodes.term) for label in term["ids"]]
        said = next(item.findall(nodes.paragraph))
        definition = plain(said)
        found.update(dict.fromkeys(labels, (labels[0], definition)))
    return found


def plain(paragraph: nodes.paragraph) -> str:
    """The first sentence of a paragraph, as plain text."""
    pieces = [tex_as_text(each.astext()) if isinstance(each, nodes.math) else each.astext() for each in paragraph]
    sentence = SENTENCE.match(" ".join("".join(pieces).split()))
    if sentence is None or "\\" in sentence.group():
        LOGGER.warning("expected a first sentence that can stand alone", location=paragraph, type="terms")
    return sentence.group() if sentence else ""


def tex_as_text(tex: str) -> str:
    r"""A short formula as text.

    >>> tex_as_text("2^{r} + 1")
    '2^r + 1'
    """
    return tex.translate({ord("{"): "", ord("}"): "", ord("-"): "−"}).replace(r"\ell", "\N{SCRIPT SMALL L}")


def visit_term(self: HTML5Translator, node: TermLink) -> None:
    """Begin a link with its definition."""
    target = {"href": node.get("refuri") or f"#{node['refid']}", "title": node["definition"], "data-definition": ""}
    self.body.append(self.starttag(node, "a", "", CLASS="reference internal", **target))


def depart_term(self: HTML5Translator, node: TermLink) -> None:
    """End it."""
    self.body.append("</a>")


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
    """Add the transform of terms, and the directive of search words."""
    app.add_node(TermLink, html=(visit_term, depart_term))
    app.add_post_transform(Terms)
    app.add_node(Words)
    app.add_directive("search-words", SearchWords)
    app.connect("config-inited", weigh)
    app.connect("env-updated", add_to_index)
    app.connect("doctree-resolved", add_to_search)
    app.connect("doctree-resolved", set_table)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
