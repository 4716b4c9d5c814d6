"""Formulas as MathML, written when the book is built, and their font: no script sets them, and nothing moves.

A Sphinx extension that adds a renderer of formulas for HTML. The font is part of a style sheet, so that it is there
when the page is first drawn.
"""

import re
from base64 import b64encode
from pathlib import Path
from typing import Any

from docutils import nodes
from math_core import LatexError, LatexToMathML
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number
from sphinx.writers.html5 import HTML5Translator

LOGGER = logging.getLogger(__name__)
CONVERTER = LatexToMathML(unicode_substitution="never", fancy_error=False)

FONT = Path(__file__).resolve().parents[2] / "book" / "_static" / "math" / "ndcg-math.woff"
STYLE = "formulas.css"
CLOSING = re.compile(r"[.,;:?!)”]+")  # what never begins a line


def mathml(tex: str, display: bool) -> str:
    r"""A formula in TeX as MathML; lines are aligned at `&`, as Sphinx has it for MathJax.

    >>> mathml(r"\log_2 r", False)[:6], mathml(r"a &= b \\ &= c", True).count("<mtr>")
    ('<math>', 2)
    """
    tex = re.sub(r"\\\\\[[^]]*\]", r"\\\\", tex.strip())  # a distance between lines, of which math_core knows nothing
    if r"\\" in tex and r"\begin" not in tex:
        tex = rf"\begin{{aligned}}{tex}\end{{aligned}}"
    return CONVERTER.convert_with_local_state(tex, displaystyle=display)


def converted(node: nodes.Element, display: bool) -> str:
    """The MathML of a node, or its TeX with a warning, which fails the build of the book."""
    try:
        return mathml(node.astext(), display)
    except LatexError as error:
        LOGGER.warning("expected a formula, got %r: %s", node.astext(), error, location=node)
        return f"<code>{nodes.unescape(node.astext())}</code>"


def visit_inline(self: HTML5Translator, node: nodes.math) -> None:
    """Write a formula in a sentence."""
    self.body.append(f"{self.starttag(node, 'span', '', CLASS='math')}{converted(node, False)}</span>")
    raise nodes.SkipNode


def visit_display(self: HTML5Translator, node: nodes.math_block) -> None:
    """Write a formula on a line of its own, with its number and a link to it if it has one."""
    self.body.append(self.starttag(node, "div", CLASS="math"))
    if node["number"]:
        self.body.append(f'<span class="eqno">({get_node_equation_number(self, node)})')
        self.add_permalink_ref(node, "Link to this equation")
        self.body.append("</span>")
    self.body.append(f'<div class="formula">{converted(node, True)}</div></div>\n')
    raise nodes.SkipNode


class Joined(SphinxPostTransform):
    """Keep a formula and the sign behind it on one line; a browser takes the formula for a box, and may break there."""

    default_priority = 900
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        """Put each formula and its sign into an element of their own."""
        for formula in list(self.document.findall(nodes.math)):
            around = formula.parent
            after = formula.next_node(descend=False, siblings=True)
            sign = CLOSING.match(after) if isinstance(after, nodes.Text) else None
            if sign:
                place = around.index(formula)
                joined = nodes.inline("", "", formula, nodes.Text(sign[0]), classes=["formula-end"])
                around[place : place + 2] = [joined, nodes.Text(after[sign.end() :])]


def write_style(app: Sphinx) -> None:
    """Write the style sheet with the font."""
    if app.builder.format == "html":
        target = Path(app.outdir, "_static", STYLE)
        target.parent.mkdir(parents=True, exist_ok=True)
        data = b64encode(FONT.read_bytes()).decode()
        target.write_text(
            f'@font-face {{ font-family: "NDCG Math"; src: url("data:font/woff;base64,{data}"); }}\n'
            'math { font-family: "NDCG Math", math; font-size: 1.15em; }\n',
            encoding="utf-8",
        )


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the renderer."""
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_display, None))
    app.add_css_file(STYLE)
    app.add_post_transform(Joined)
    app.connect("builder-inited", write_style)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
