"""The cheat sheet as a document of its own: what frames it, and its columns.

`latex_ext.py` writes it, and ``book/_latex/ndcg-sheet.sty`` says what it looks like.
"""

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

SHEET = "book/cheat-sheet"
OF_A_SHEET = {  # in place of what `_config.yml` sets for a volume
    "geometry": r"\usepackage[hmargin=14mm, top=12mm, bottom=14mm, footskip=7mm]{geometry}",
    "preamble": r"\usepackage{ndcg-ref}\usepackage{ndcg-sheet}",
    "maketitle": r"\ndcgtitle",
    "tableofcontents": "",
    "printindex": "",
}
ACROSS = "libraries"  # the first section of the sheet that is as wide as the page
LEFT_OUT = "checks"  # a section for the page on a screen


def latex(text: str) -> nodes.raw:
    """A piece of LaTeX, as it is."""
    return nodes.raw("", text, format="latex")


def sets_sheet(app: Sphinx) -> bool:
    """Whether the document at hand is the sheet."""
    return bool(app.builder.docnames == {SHEET})  # type: ignore[attr-defined]


class SetSheet(SphinxPostTransform):
    """Set the sheet in two columns, and what is wide below them."""

    default_priority = 700
    formats = ("latex",)

    def run(self, **kwargs: Any) -> None:
        """Put the columns around the sections before the first wide one; the fold of checks is for the page."""
        if not sets_sheet(self.app):
            return
        sheet = next(self.document.findall(nodes.section))
        sections = {name: each for each in sheet if isinstance(each, nodes.section) for name in each["ids"]}
        sheet.remove(sections[LEFT_OUT])
        sheet.insert(sheet.index(sections[ACROSS]), latex(r"\end{multicols}"))
        sheet.insert(sheet.index(next(iter(sections.values()))), latex(r"\begin{multicols}{2}"))
