"""Terms of the glossary: the first one of a page is a link that says what it means, later ones are plain text.

A Sphinx extension for every builder. On a page the definition stands in the title of the link, and in a card that a
script shows instead (`data-definition`, see ndcg_ref/sphinx_ext/static/ndcg-ref.js).
"""

import re
from collections.abc import Iterator
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.writers.html5 import HTML5Translator

LOGGER = logging.getLogger(__name__)
SENTENCE = re.compile(r".+?[.?!](?=\s|$)", re.DOTALL)


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


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the transform."""
    app.add_node(TermLink, html=(visit_term, depart_term))
    app.add_post_transform(Terms)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
