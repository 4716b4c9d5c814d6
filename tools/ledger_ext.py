"""Use the verdicts of the book for an index of numbers, for links, for the page of slips, and for the front page.

A Sphinx extension for every builder. Each number that a note states has an entry in the index. Each slip of a note
links to its entry in the list of slips, which is made from the verdicts stored in the notebooks and links back.
"""

import json
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote

from contents import book_ledger
from docutils import nodes
from docutils.statemachine import StringList
from slips import corrections, entry_label, sections
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.util.docutils import SphinxDirective, SphinxTranslator
from sphinx.writers.html5 import HTML5Translator

from ndcg_ref.pages.folds import is_evidence
from ndcg_ref.stated.display import MARKS, Outcome, mark
from ndcg_ref.stated.ledgers import Ledger, role_of
from ndcg_ref.stated.number import read_number
from ndcg_ref.stated.records import Record


class Places(SphinxTransform):
    """Give the verdicts of a note index entries and links."""

    default_priority = 840  # before the domains collect index entries

    def apply(self, **kwargs: Any) -> None:
        """Change every element that shows a verdict."""
        shown = [each for each in self.document.findall(nodes.Element) if "verdict" in each]
        if not shown:
            return
        source = Path(self.document["source"])
        metadata = json.loads(source.read_text(encoding="utf-8")).get("metadata", {})
        if role_of(metadata) == "note":
            for each in shown:
                link_to_entry(each, source.stem)
                add_to_index(each, source.stem)


class Causes(SphinxTransform):
    """Make each cause in a table of them a target for links, such as `cause-truncated`.

    The table is in the output of a cell with the tag `causes`, and each row begins with the code of a cause.
    """

    default_priority = 840

    def apply(self, **kwargs: Any) -> None:
        """Put a target into the first cell of each row."""
        for cell in self.document.findall(nodes.container):
            if "tag_causes" in cell["classes"]:
                for body in cell.findall(nodes.tbody):
                    for row in body.children:
                        code = next(row.findall(nodes.paragraph))
                        label = f"cause-{code.astext()}"
                        target = nodes.target(ids=[label], names=[label])
                        self.document.note_explicit_target(target)
                        code.insert(0, target)


def link_to_entry(shown: nodes.Element, note: str) -> None:
    """Add a link to the entry in the list of slips to the evidence of a slip, which has a box of its own."""
    for evidence in shown.findall(is_evidence):
        entry = addnodes.pending_xref(
            refdomain="std",
            reftype="ref",
            reftarget=entry_label(note, shown["verdict"]),
            refexplicit=True,
            refwarn=True,
        )
        entry += nodes.inline(text="entry in the list of slips", classes=["std", "std-ref"])
        evidence += nodes.paragraph("", "", entry)


def add_to_index(shown: nodes.Element, note: str) -> None:
    """Add an index entry for a number at the place of its verdict."""
    record: Record = shown["verdict"]
    if record["kind"] == "number" and record["label"] in shown["ids"]:
        value = value_of(record["stated"])
        said = f"{record['stated']}; {record['name']} ({note}): {mark(record['outcome'])}"
        shown.insert(0, addnodes.index(entries=[("single", said, record["label"], "", magnitude(value))], value=value))


def value_of(stated: str) -> float:
    """The value of a printed number with a decimal point or comma."""
    try:
        return read_number(stated).nearest_float
    except ValueError:
        return read_number(stated, ",").nearest_float


def magnitude(value: float) -> str:
    """The group of a number in the index, in which decimals sort as text in the order of their values.

    >>> magnitude(0.63), magnitude(8.32), magnitude(1062)
    ('0 to 1', '1 to 10', '1000 and more')
    """
    if value < 0:
        return "(below 0)"
    return next((f"{top // 10} to {top}" for top in (1, 10, 100, 1000) if value < top), "1000 and more")


class Strip(nodes.General, nodes.Element):  # type: ignore[misc]
    """A square for each number that was checked, in the order of the book, with a link to its verdict."""


def strip(found: Ledger) -> list[nodes.Node]:
    """The number of numbers that were checked, and the squares."""
    counts = found.counts
    line = f"{counts['checked']} printed numbers checked, {counts[Outcome.SLIP]} wrong."
    numbers = [entry for entry in found.entries if entry["kind"] == "number" and entry["outcome"] != Outcome.UNCHECKED]
    return [nodes.paragraph(text=line), Strip(entries=numbers)]


def visit_strip(self: HTML5Translator, node: Strip) -> None:
    """Write the squares of a page; a number that does not agree has its mark in its square."""
    self.body.append('<ul class="ledger-strip" aria-label="Checked numbers">\n')
    for entry in node["entries"]:
        outcome = entry["outcome"]
        page = self.builder.get_relative_uri(self.builder.current_docname, entry["chapter"].removesuffix(".ipynb"))
        link = {
            "href": f"{page}#{quote(entry['label'])}",
            "class": f"ledger-{outcome}",
            "aria-label": f"{entry['stated']}, {entry['name']}: {outcome}",
            "data-definition": f"{mark(outcome)}: {entry['stated']}, {entry['name']}",
        }
        written = " ".join(f'{name}="{escape(text)}"' for name, text in link.items())
        self.body.append(f"<li><a {written}>{'' if outcome == Outcome.AGREES else MARKS[Outcome(outcome)]}</a></li>\n")
    self.body.append("</ul>\n<p>Each square leads to its verdict.</p>\n")
    raise nodes.SkipNode


def skip(self: SphinxTranslator, node: Strip) -> None:
    """Leave the squares out where nobody can follow them."""
    raise nodes.SkipNode


PARTS: dict[str, Callable[[Ledger], str]] = {
    "counts": lambda found: found.scores,
    "besides": lambda found: f"{found.slips.besides.capitalize()}.",
    "corrections": corrections,
    "sections": sections,
}
STRIP = "strip"


class LedgerPart(SphinxDirective):
    """A part of the ledger of the notes; the argument says which part."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Read the ledger and set the part."""
        name = self.arguments[0]
        if name not in {*PARTS, STRIP}:
            raise self.error(f"expected one of {', '.join([*PARTS, STRIP])}, got {name!r}")
        root = Path(self.env.srcdir)
        entries = tuple(entry for entry in book_ledger(root).entries if entry["note"] is not None)
        for chapter in {entry["chapter"] for entry in entries}:
            self.env.note_dependency(str(root / chapter))
        if name == STRIP:
            return strip(Ledger(entries))
        before = nodes.Element()
        lines = StringList(PARTS[name](Ledger(entries)).splitlines(), source=self.get_source_info()[0])
        self.state.nested_parse(lines, self.content_offset, before, match_titles=True)
        return list(before.children)


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the directive and the transforms."""
    app.add_node(Strip, html=(visit_strip, None), latex=(skip, None), text=(skip, None))
    app.add_directive("ledger", LedgerPart)
    app.add_transform(Places)
    app.add_transform(Causes)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
