"""The doors of the front page: the chapters with their minutes, and the values that libraries print on one axis.

A Sphinx extension with the directives `chapters-with-minutes`, whose argument is a part of the contents, and
`library-strip`. The check, the third door, is `live/src/ask.js`.
"""

from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.writers.html5 import HTML5Translator

from tools.book.contents import minutes, part
from tools.book.lists_ext import DATA, values

# From the lowest name to the highest, so that none is crossed by the mark of another
LABELLED = {"trec_eval-10.0": "trec_eval", "scikit-learn-1.9.1": "scikit-learn", "lightgbm-4.7.0": "LightGBM, XGBoost"}
LOW, HIGH = 0.25, 0.8  # the ends of the axis


class ChaptersWithMinutes(SphinxDirective):
    """The chapters of a part, with short titles, each with how long it takes to read."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Write the list."""
        root = Path(self.env.srcdir)
        rows = []
        for name, title in part(root, self.arguments[0]):
            path = root / f"{name}.ipynb"
            self.env.note_dependency(str(path))
            target = {"refdomain": "std", "reftype": "doc", "reftarget": f"/{name}", "refexplicit": True}
            link = addnodes.pending_xref("", nodes.inline(text=title), refdoc=self.env.docname, refwarn=True, **target)
            took = nodes.inline(text=f"{minutes(path)[0]} min", classes=["front-minutes"])
            rows.append(nodes.list_item("", nodes.paragraph("", "", link, nodes.Text(" "), took)))
        if not rows:
            raise self.error(f"expected a part of the contents, got {self.arguments[0]!r}")
        return [nodes.enumerated_list("", *rows, classes=["front-chapters"])]


class LibraryValues(nodes.General, nodes.Element):  # type: ignore[misc]
    """The values of an example on one axis, each with the presets that print it."""


class LibraryStrip(SphinxDirective):
    """The values that libraries print for one query."""

    def run(self) -> list[nodes.Node]:
        """Count the values, and leave a place for the axis."""
        self.env.note_dependency(str(DATA))
        found = values()
        said = f"One query, one run: {len(found)} values of NDCG@3, depending on the library."
        return [nodes.paragraph(text=said), LibraryValues(values=found)]


def place(value: float) -> str:
    """Where a value is on the axis, as a style.

    >>> place(0.25), place(0.8)
    ('--at: 0.0%', '--at: 100.0%')
    """
    return f"--at: {100 * (value - LOW) / (HIGH - LOW):.1f}%"


def visit_strip(self: HTML5Translator, node: LibraryValues) -> None:
    """Write a mark for each value, with a name where the library is well known, and below them the axis."""
    self.body.append('<ol class="front-strip">\n')
    levels = {label: level for level, label in enumerate(LABELLED.values(), start=1)}
    for value, presets in sorted(node["values"].items()):
        label = next((LABELLED[name] for name in presets if name in LABELLED), "")
        kind = f"front-named front-{'left' if float(value) > (LOW + HIGH) / 2 else 'right'}" if label else "front-other"
        said = f"{label} {value}" if label else f"{presets[0]} {value}"
        style = f"{place(float(value))}; --level: {levels.get(label, 0)}"
        self.body.append(f'<li class="{kind}" style="{style}" title="{said}"><span>{said}</span></li>\n')
    ticks = (f'<span style="{place(tenth / 10)}">{tenth / 10:.1f}</span>' for tenth in range(3, 9))
    self.body.append(f'</ol>\n<p class="front-axis" aria-hidden="true">{"".join(ticks)}</p>\n')
    raise nodes.SkipNode


def skip(self: Any, node: LibraryValues) -> None:
    """Leave it out where there is no axis."""
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the directives."""
    app.add_node(LibraryValues, html=(visit_strip, None), latex=(skip, None), text=(skip, None))
    app.add_directive("chapters-with-minutes", ChaptersWithMinutes)
    app.add_directive("library-strip", LibraryStrip)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
