"""The ledger of a build: every verdict of every page, in cells, roles, directives and prose, counted and written.

The entries of a page are kept with its metadata, which Sphinx stores between builds and drops when a page is gone.
"""

import json
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, cast

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.util import logging

from ndcg_ref.sphinx_ext.prose_numbers import CELL
from ndcg_ref.sphinx_ext.roles import warn_of_syntax
from ndcg_ref.sphinx_ext.ticks import around, is_output, line_of
from ndcg_ref.stated.display import Entry, Record
from ndcg_ref.stated.ledgers import Ledger
from ndcg_ref.stated.stored_notebook import beside, read_notebook

LOGGER = logging.getLogger(__name__)
FILE = "ndcg-ledger.json"
KEPT = "ndcg_entries"  # in the metadata of a page


class CollectEntries(SphinxTransform):
    """Collect the entries of a page."""

    default_priority = 845  # after the verdicts have their labels

    def apply(self, **kwargs: object) -> None:
        """Keep them with the metadata of the page."""
        metadata = self.env.metadata[self.env.docname]
        prose: list[tuple[Record, str]] = metadata.pop("ndcg_prose", [])
        found = [*shown_on(self.document), *((record, None, self.document, place) for record, place in prose)]
        if found:
            chapter = str(self.env.doc2path(self.env.docname, base=False))
            counted, notes = counted_in(Path(self.document["source"]))
            metadata[KEPT] = []
            for record, printed, node, place in found:
                own = section_of_note(node, notes)
                note = beside(self.env.docname, name_of(own, notes)) if own else self.env.docname
                there = {
                    "place": place,
                    "chapter": chapter,
                    "note": note if counted else None,
                    "title": next((str(each.astext()) for each in (own or self.document).findall(nodes.title)), ""),
                }
                section = heading_above(node, own)
                metadata[KEPT].append({**record, **there, "printed": printed, "section": section})


def shown_on(page: nodes.document) -> Iterator[tuple[Record, str | None, nodes.Element, str]]:
    """The records of the outputs and the roles of a page, each with its line, if it has one, its node and its place.

    The place is the line of what was typed, or the cell that has computed it.
    """
    for node in page.findall(nodes.Element):
        is_role = isinstance(node, nodes.inline) and "verdict" in node
        if is_role or is_output(node):
            payload: dict[str, Any] = {"verdicts": [node["verdict"]]} if is_role else node["payload"]
            place = str(node.get("place", f":cell {line_of(node) // CELL}"))
            yield from ((record, payload.get("printed"), node, place) for record in payload["verdicts"])


def section_of_note(node: nodes.Node, notes: Collection[str]) -> nodes.section | None:
    """The section that a node is in, of those that have the name of a note as a label."""
    sections = (each for each in (node, *around(node)) if isinstance(each, nodes.section))
    return next((each for each in sections if name_of(each, notes)), None)


def name_of(section: nodes.section, notes: Collection[str]) -> str:
    """Which of these notes a section is; empty where it is none."""
    return next((name for name in section["names"] if name in notes), "")


def heading_above(node: nodes.Node, note: nodes.section | None = None) -> str:
    """The heading that a node is under; empty below that of the page, or of its note."""
    section = next((each for each in (node, *around(node)) if isinstance(each, nodes.section)), None)
    if section is None or section is note or not isinstance(section.parent, nodes.section):
        return ""
    return str(section.next_node(nodes.title).astext())


def counted_in(source: Path) -> tuple[bool, tuple[str, ...]]:
    """Whether the verdicts of a page are counted, as a notebook may say that they are examples; its notes by name."""
    if source.suffix != ".ipynb":
        return True, ()
    try:
        book = read_notebook(source)
        return book.role == "note", book.notes
    except ValueError as error:
        warn_of_syntax(error, str(source))
        return True, ()


def write_ledger(app: Sphinx, error: Exception | None) -> None:
    """Write the ledger beside the pages, in the order of their paths, and print its counts."""
    if error is not None or app.builder.format != "html":
        return
    kept = [each for page in sorted(app.env.found_docs) for each in app.env.metadata[page].get(KEPT, ())]
    if kept:
        found = Ledger(tuple(cast(list[Entry], kept)))
        text = json.dumps(found.as_json(), indent=1, ensure_ascii=False)
        Path(app.outdir, FILE).write_text(f"{text}\n", encoding="utf-8")
        LOGGER.info("ndcg_ref: %s", found.totals[-1])
