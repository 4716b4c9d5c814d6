"""Show verdicts on a page: translate the JSON records that a chapter stores into nodes for every builder.

This is a renderer for MyST-NB, found through the entry point group ``myst_nb.mime_renderers``. Plain nodes with classes
work in HTML, LaTeX and text alike; a verdict is a mark and a word, which the style sheet only repeats in colour.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging

from ndcg_ref import __version__, drawing, drawing_ext
from ndcg_ref.stated.display import MIME, Piece, broken, mark, pieces, printed_pieces
from ndcg_ref.stated.records import Record

LOGGER = logging.getLogger(__name__)
STATIC = Path(__file__).parent / "static"
STYLE, SCRIPT = "ndcg-ref.css", "ndcg-ref.js"


class VerdictRenderer:
    """Renders the verdicts and the drawings of an output."""

    mime_priority_overrides: ClassVar[Sequence[tuple[str, str, int | None]]] = [
        ("*", MIME, 1),
        ("*", drawing.MIME, 1),
    ]

    @staticmethod
    def handle_mime(renderer: Any, data: Any, inline: bool) -> list[nodes.Element] | None:
        """The nodes of one output, or None for an output of another type."""
        if data.mime_type not in READERS or inline:
            return None
        try:
            content = data.content if isinstance(data.content, Mapping) else json.loads(data.content)
            return READERS[data.mime_type](content)
        except (json.JSONDecodeError, KeyError, IndexError, TypeError, ValueError) as error:
            LOGGER.warning(
                "expected a stored verdict or drawing, found one that cannot be read (%r): run the chapter again",
                error,
                type="ndcg",
                subtype="verdict",
                location=(renderer.renderer.document["source"], data.line),
            )
            return [nodes.literal_block(text=str(data.content))]


def output_nodes(payload: Mapping[str, Any]) -> list[nodes.Element]:
    """The printed line and a paragraph for each verdict; or a table, and a paragraph for each that does not agree.

    Each paragraph has the record of its verdict as the attribute `verdict`, for other extensions.
    """
    records = payload["verdicts"]
    if "table" in payload:
        said = [verdict_paragraph(record) for record in records if record["outcome"] != "agrees"]
        return [verdict_table(records, payload["table"]), *said]
    line = [printed_line(payload["printed"])] if "printed" in payload else []
    for record in records:
        line.append(verdict_paragraph(record))
        line[-1]["classes"] = ["ndcg-verdict", f"ndcg-{record['outcome']}"]
        line[-1]["ids"].append(record["label"])
    return line


def printed_line(text: str) -> nodes.Element:
    """The line of a note, set as a formula."""
    formula = nodes.math_block("", broken(text), nowrap=False, number=None, label=None)
    return nodes.container("", formula, classes=["ndcg-printed"])


def verdict_paragraph(record: Record) -> nodes.Element:
    """A verdict as a line, with its causes below it."""
    classes = ["ndcg-detail", f"ndcg-{record['outcome']}"]
    return nodes.paragraph("", "", *piece_nodes(pieces(record)), classes=classes, verdict=record)


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
    """Content on a new line of the same paragraph: by the style sheet in HTML, by a command in LaTeX."""
    command = nodes.raw("", r"\newline ", format="latex")
    return [nodes.Text("\n"), command, nodes.inline("", "", content, classes=["ndcg-evidence"])]


def verdict_table(records: Sequence[Record], table: Mapping[str, Any]) -> nodes.table:
    """The printed table, with a mark and a word in each judged cell."""
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
    classes = ["ndcg-verdict", f"ndcg-{record['outcome']}"]
    line = nodes.paragraph(classes=classes, ids=[record["label"]], verdict=record)
    line += piece_nodes(printed_pieces(record))
    line += nodes.Text(" ")
    line += nodes.inline(text=mark(record["outcome"]), classes=["ndcg-mark"])
    return line


READERS = {MIME: output_nodes, drawing.MIME: drawing_ext.drawing_nodes}


def serve(app: Sphinx) -> None:
    """Have the style sheet and the script copied to the pages."""
    app.config.html_static_path.append(str(STATIC))


def dress(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Add the style sheet and the script to each page that shows a verdict."""
    shown = doctree.findall(nodes.Element) if doctree is not None else ()
    if any({"ndcg-verdict", "ndcg-printed"} & set(node.get("classes", ())) for node in shown):
        app.add_css_file(STYLE)
        app.add_js_file(SCRIPT)


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the style sheet, the script and the drawings; the renderer is found through its entry point."""
    app.setup_extension("ndcg_ref.drawing_ext")
    app.connect("builder-inited", serve)
    app.connect("html-page-context", dress)
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}
