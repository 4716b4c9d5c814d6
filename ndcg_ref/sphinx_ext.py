"""Verdicts on the page: the JSON records that a chapter stores, translated into nodes for every builder.

A renderer for MyST-NB, found through the entry point group ``myst_nb.mime_renderers``. Plain nodes with classes work
in HTML, LaTeX and text alike; a verdict is a mark and a word, and the style sheet only repeats it in colour.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.util import logging

from ndcg_ref import __version__
from ndcg_ref.stated.forms import MIME, Piece, Record, broken, mark, pieces, print_pieces
from ndcg_ref.stated.ledgers import entry_label, note_of
from ndcg_ref.stated.number import read_number

LOGGER = logging.getLogger(__name__)
HEADING = re.compile("^#+ ", re.MULTILINE)
STYLE = "ndcg-ref.css"


class VerdictRenderer:
    """Renders the verdicts of an output."""

    mime_priority_overrides: ClassVar[Sequence[tuple[str, str, int | None]]] = [("*", MIME, 1)]

    @staticmethod
    def handle_mime(renderer: Any, data: Any, inline: bool) -> list[nodes.Element] | None:
        """The nodes of one output, or None for an output of another type."""
        if data.mime_type == "text/markdown" and not inline and HEADING.search(data.string):
            return sections(renderer.renderer, data)
        if data.mime_type != MIME or inline:
            return None
        try:
            content = data.content if isinstance(data.content, Mapping) else json.loads(data.content)
            note = note_of(Path(renderer.renderer.document["source"]))
            listed = renderer.renderer.sphinx_env.config.ndcg_slips_have_entries
            shown = output_nodes(content, note if listed else None)
            add_to_index(shown, content["verdicts"], note)
            return shown
        except (json.JSONDecodeError, KeyError, IndexError, TypeError, ValueError) as error:
            LOGGER.warning(
                "expected stored verdicts, found some that cannot be read (%r): run the chapter again",
                error,
                type="ndcg",
                subtype="verdict",
                location=(renderer.renderer.document["source"], data.line),
            )
            return [nodes.literal_block(text=str(data.content))]


def sections(parser: Any, data: Any) -> list[nodes.Element]:
    """Markdown with headings: they open sections of the page, where MyST-NB would set them as lines of bold text."""
    before = nodes.Element()
    with parser.current_node_context(before):
        parser.nested_render_text(data.string, data.line or 0, temp_root_node=before)
    return list(before.children)


class VerdictAnchors(SphinxTransform):
    """Lets Markdown link to a verdict as to a heading: ``[text](#label)``, or ``[text](chapter.ipynb#label)``."""

    default_priority = 870  # before MyST resolves such links

    def apply(self, **kwargs: Any) -> None:
        """Add the verdicts of a page to the anchors that MyST knows of it."""
        anchors = getattr(self.document, "myst_slugs", {})
        for line in self.document.findall(nodes.paragraph):
            if "ndcg-verdict" in line["classes"]:
                anchors.update({label: (line.line, label, label) for label in line["ids"]})
        self.env.metadata[self.env.docname]["myst_slugs"] = anchors


def output_nodes(payload: Mapping[str, Any], note: str | None = None) -> list[nodes.Element]:
    """The printed line and a paragraph a verdict; or a table, and a paragraph for each that does not agree.

    With the name of a note each of its slips is linked to its entry in the list of slips.
    """
    records = payload["verdicts"]
    if "table" in payload:
        said = [verdict_paragraph(record, note) for record in records if record["outcome"] != "agrees"]
        return [verdict_table(records, payload["table"]), *said]
    line = [printed_line(payload["printed"])] if "printed" in payload else []
    for record in records:
        line.append(verdict_paragraph(record, note))
        line[-1]["classes"] = ["ndcg-verdict", f"ndcg-{record['outcome']}"]
        line[-1]["ids"].append(record["label"])
    return line


def printed_line(text: str) -> nodes.Element:
    """The line of a note, set as a formula."""
    formula = nodes.math_block("", broken(text), nowrap=False, number=None, label=None)
    return nodes.container("", formula, classes=["ndcg-printed"])


def verdict_paragraph(record: Record, note: str | None) -> nodes.Element:
    """A verdict as a line, with its causes below it, and for a slip of a note the link to its entry."""
    line = nodes.paragraph("", "", *piece_nodes(pieces(record)), classes=["ndcg-detail", f"ndcg-{record['outcome']}"])
    if note is not None and record["outcome"] == "slip":
        entry = addnodes.pending_xref(
            refdomain="std", reftype="ref", reftarget=entry_label(note, record), refexplicit=True, refwarn=True
        )
        entry += nodes.inline(text="entry in the list of slips", classes=["std", "std-ref"])
        line += new_line(entry)
    return line


def piece_nodes(said: Sequence[Piece]) -> list[nodes.Node]:
    """The pieces of a verdict as nodes."""
    found: list[nodes.Node] = []
    for kind, text in said:
        if kind == "text":
            found.append(nodes.Text(text))
        elif kind == "formula":
            found.append(nodes.math(text=text))
        elif kind == "below":
            found += new_line(nodes.Text(text))
        else:
            found.append(nodes.strong(text=text, classes=[f"ndcg-{kind}"]))
    return found


def new_line(content: nodes.Node) -> list[nodes.Node]:
    """What stands below in the same paragraph: the style sheet sees to it in HTML, a command in LaTeX."""
    command = nodes.raw("", r"\newline ", format="latex")
    return [nodes.Text("\n"), command, nodes.inline("", "", content, classes=["ndcg-evidence"])]


def verdict_table(records: Sequence[Record], table: Mapping[str, Any]) -> nodes.table:
    """The printed table, each judged cell with its mark and word."""
    width = len(table["heading"])
    group = nodes.tgroup(cols=width)
    group += [nodes.colspec(colwidth=1) for _ in range(width)]
    group += nodes.thead("", _row([nodes.paragraph(text=text)] for text in table["heading"]))
    group += nodes.tbody("", *(_row([_cell(cell, records)] for cell in row) for row in table["rows"]))
    return nodes.table("", group, classes=["ndcg-table"])


def _row(cells: Iterable[list[nodes.Node]]) -> nodes.row:
    return nodes.row("", *(nodes.entry("", *cell) for cell in cells))


def _cell(cell: str | int, records: Sequence[Record]) -> nodes.paragraph:
    if isinstance(cell, str):
        return nodes.paragraph(text=cell)
    record = records[cell]
    line = nodes.paragraph(classes=["ndcg-verdict", f"ndcg-{record['outcome']}"], ids=[record["label"]])
    line += piece_nodes(print_pieces(record))
    line += nodes.Text(" ")
    line += nodes.inline(text=mark(record["outcome"]), classes=["ndcg-mark"])
    return line


def add_to_index(shown: Sequence[nodes.Element], records: Sequence[Record], note: str | None) -> None:
    """Give each number of a note its entry in the book's index, where its verdict stands."""
    places = {name: node for top in shown for node in top.findall(nodes.Element) for name in node["ids"]}
    for record in records:
        if note is not None and record["kind"] == "number":
            place = record["label"]
            value = _value(record["stated"])
            said = f"{record['stated']}; {record['name']} ({note}): {mark(record['outcome'])}"
            entry = ("single", said, place, "", magnitude(value))
            places[place].insert(0, addnodes.index(entries=[entry], value=value))


def _value(stated: str) -> float:
    """The value of a print, whatever its decimal sign."""
    try:
        return read_number(stated).nearest_float
    except ValueError:
        return read_number(stated, ",").nearest_float


def magnitude(value: float) -> str:
    """The group of a number in the index; the order of decimals in it, as texts, is that of their values.

    >>> magnitude(0.63), magnitude(8.32), magnitude(1062)
    ('0 to 1', '1 to 10', '1000 and more')
    """
    if value < 0:
        return "(below 0)"
    return next((f"{top // 10} to {top}" for top in (1, 10, 100, 1000) if value < top), "1000 and more")


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the style sheet and the anchors; the renderer is found through its entry point."""
    app.add_css_file(STYLE)
    app.add_config_value("ndcg_slips_have_entries", False, "env", bool)  # on a page made of `Ledger.sections`
    app.add_transform(VerdictAnchors)
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}
