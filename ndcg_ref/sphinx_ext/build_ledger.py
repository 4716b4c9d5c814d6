"""The ledger of a build: every verdict of every page, in cells, roles, directives and prose, counted and written.

The entries of a page are kept with its metadata, which Sphinx stores between builds and drops when a page is gone.
"""

import json
from pathlib import Path
from typing import cast

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.transforms import SphinxTransform
from sphinx.util import logging

from ndcg_ref.sphinx_ext.roles import warn_of_syntax
from ndcg_ref.sphinx_ext.ticks import is_output
from ndcg_ref.stated.ledgers import Ledger
from ndcg_ref.stated.records import Entry, Record
from ndcg_ref.stated.stored_notebook import read_notebook

LOGGER = logging.getLogger(__name__)
FILE = "ndcg-ledger.json"
KEPT = "ndcg_entries"  # in the metadata of a page


class CollectEntries(SphinxTransform):
    """Collect the entries of a page."""

    default_priority = 845  # after the verdicts have their labels

    def apply(self, **kwargs: object) -> None:
        """Keep them with the metadata of the page."""
        metadata = self.env.metadata[self.env.docname]
        prose: list[Record] = metadata.pop("ndcg_prose", [])
        found = [*shown_on(self.document), *((record, None, "") for record in prose)]
        if found:
            chapter = str(self.env.doc2path(self.env.docname, base=False))
            note = self.env.docname if is_counted(Path(self.document["source"])) else None
            title = next((each.astext() for each in self.document.findall(nodes.title)), "")
            there = {"chapter": chapter, "note": note, "title": title}
            metadata[KEPT] = [
                {**record, **there, "printed": printed, "section": section} for record, printed, section in found
            ]


def shown_on(page: nodes.document) -> list[tuple[Record, str | None, str]]:
    """The records of the outputs and the roles of a page, each with its line, if it has one, and its section."""
    found: list[tuple[Record, str | None, str]] = []
    for node in page.findall(nodes.Element):
        if is_output(node):
            printed = node["payload"].get("printed")
            found += [(record, printed, heading_above(node)) for record in node["payload"]["verdicts"]]
        elif isinstance(node, nodes.inline) and "verdict" in node:
            found.append((node["verdict"], None, heading_above(node)))
    return found


def heading_above(node: nodes.Node) -> str:
    """The heading that a node is under; empty below that of the page."""
    while node is not None:
        if isinstance(node, nodes.section):
            inner = isinstance(node.parent, nodes.section)
            return str(node.next_node(nodes.title).astext()) if inner else ""
        node = node.parent
    return ""


def is_counted(source: Path) -> bool:
    """Whether the verdicts of a page are counted: a notebook may say that they are examples."""
    if source.suffix != ".ipynb":
        return True
    try:
        return read_notebook(source).role == "note"
    except ValueError as error:
        warn_of_syntax(error, str(source))
        return True


def ledger_of(env: BuildEnvironment) -> Ledger:
    """All verdicts, in the order of the paths of their pages."""
    pages = sorted(env.found_docs)
    return Ledger(tuple(cast(Entry, each) for page in pages for each in env.metadata[page].get(KEPT, ())))


def write_ledger(app: Sphinx, error: Exception | None) -> None:
    """Write the ledger beside the pages, and print its counts."""
    found = ledger_of(app.env) if error is None and app.builder.format == "html" else Ledger(())
    if found.entries:
        text = json.dumps(found.as_json(), indent=1, ensure_ascii=False)
        Path(app.outdir, FILE).write_text(f"{text}\n", encoding="utf-8")
        LOGGER.info("ndcg_ref: %s", found.totals[-1])
