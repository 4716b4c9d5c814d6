"""Figures and formulas as part of the page: no image, and no script that sets them, so that nothing moves.

A Sphinx extension that changes the HTML builder alone. A figure is drawn in the colours of the page's theme and in its
type, with the alt text as its name. The extension takes what the cells draw in the style
`ndcg_ref/sphinx_ext/static/figures.mplstyle`, stored as SVG, and leaves other images alone. Of an SVG it keeps what
draws.

Formulas become MathML, in a font of the theme.
"""

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from docutils import nodes
from math_core import LatexError, LatexToMathML
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number
from sphinx.writers.html5 import HTML5Translator

LOGGER = logging.getLogger(__name__)

# The colours of the style, and the names under which the style sheet of the theme has them
COLOURS = {
    "#000000": "ink",
    "#696969": "note",
    "#d3d3d3": "grid",
    "#ffffff": "paper",
    "#0072b2": "blue",
    "#c24a00": "vermilion",
    "#007a5e": "green",
}
DRAWS = {"svg", "g", "defs", "clipPath", "path", "rect", "use", "text", "tspan"}
LEFT_OUT = {"metadata", "style"}  # the style would hold for the whole page
KEPT = {"viewBox", "style", "transform", "clip-path", "d", "x", "y", "width", "height", "href"}
LONG = re.compile(r"-?\d+\.\d{3,}")
PIXELS = 4 / 3  # of a point

CONVERTER = LatexToMathML(unicode_substitution="never", fancy_error=False)

FONT = Path(__file__).with_name("theme") / "static" / "type" / "ndcg-math.woff2"
LONG_LINE, LONG_SUM = 20, 34  # characters of a formula, and of a sum, that may go on in another line
CLOSING = re.compile(r"[.,;:?!)”]+")  # what never begins a line


def inlined(svg: str, name: str, alt: str) -> str:
    r"""A figure as an element of a page, where its ids begin with a name of its own.

    Raises ValueError for an element that draws no line, area or text, and for a colour that the style lacks.

    >>> svg = '<svg xmlns="http://www.w3.org/2000/svg" width="360pt" height="9pt" viewBox="0 0 360 9"> <g id="text_1"> '
    >>> svg += '<text x="1.23456" style="font-family: sans-serif; fill: #0072b2">A</text> </g> </svg>'
    >>> print(inlined(svg, "figure-1", "The letter A.").replace("><", ">\n<"))
    <svg width="480" height="12" viewBox="0 0 360 9" class="plot" role="img" aria-label="The letter A.">
    <g>
    <text x="1.23" style="fill: var(--figure-blue, #0072b2)">A</text>
    </g>
    </svg>
    """
    drawn = ElementTree.fromstring(svg)
    linked = dict.fromkeys(re.findall(r'(?:href="|url\()#([\w-]+)', svg))
    ids = {found: f"{name}-{number}" for number, found in enumerate(linked, 1)}
    for side in ("width", "height"):
        drawn.set(side, f"{float(drawn.get(side, '').removesuffix('pt')) * PIXELS:g}")
    root = kept(drawn, ids)
    root.attrib |= {"class": "plot", "role": "img", "aria-label": alt}
    return ElementTree.tostring(root, encoding="unicode")


def kept(element: ElementTree.Element, ids: dict[str, str]) -> ElementTree.Element:
    """What is kept of an element and of those in it."""
    tag = without_namespace(element.tag)
    if tag not in DRAWS:
        raise ValueError(f"expected lines, areas and texts in a figure, got <{tag}>")
    copy = ElementTree.Element(tag)
    for key, value in element.items():
        if (key := without_namespace(key)) in KEPT:
            copy.set(key, on_the_page(key, value, ids))
    if (own := ids.get(element.get("id", ""))) is not None:
        copy.set("id", own)
    copy.text = (element.text or "").strip() or None
    copy.extend([kept(child, ids) for child in element if without_namespace(child.tag) not in LEFT_OUT])
    return copy


def without_namespace(name: str) -> str:
    """The name of an element or an attribute without its namespace."""
    return name.rpartition("}")[2]


def on_the_page(key: str, value: str, ids: dict[str, str]) -> str:
    """The value of an attribute, with the page's ids, colours and type, and with coordinates of two decimals."""
    if key in ("href", "clip-path"):
        return re.sub(r"#([\w-]+)", lambda found: f"#{ids[found[1]]}", value)
    if key == "style":
        declared = [each for each in value.split("; ") if not each.startswith("font-family:")]
        return re.sub(r"#[0-9a-f]{6}\b", lambda found: variable(found[0]), "; ".join(declared))
    return LONG.sub(lambda found: f"{float(found[0]):.2f}", " ".join(value.split()))


def variable(colour: str) -> str:
    """A colour of the style as a variable of the page.

    >>> variable("#0072b2")
    'var(--figure-blue, #0072b2)'
    """
    if colour not in COLOURS:
        raise ValueError(
            f"expected a colour of the style, got {colour} (is the figure drawn in ndcg_ref.sphinx_ext.static.figures?)"
        )
    return f"var(--figure-{COLOURS[colour]}, {colour})"


class Figures(SphinxPostTransform):
    """Put what cells draw into the page."""

    default_priority = 5  # when MyST-NB has chosen what is shown of an output
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        """Replace the images that cells made."""
        outputs = [each for each in self.document.findall(nodes.container) if "cell_output" in each["classes"]]
        images = [image for output in outputs for image in output.findall(nodes.image)]
        for number, image in enumerate(images, 1):
            path = Path(self.env.srcdir, image["uri"])
            if path.suffix != ".svg":
                continue
            try:
                markup = inlined(path.read_text(encoding="utf-8"), f"figure-{number}", image.get("alt", ""))
            except ValueError as error:
                LOGGER.warning("%s", error, location=image)
            else:
                image.replace_self(nodes.raw("", markup, format="html"))


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


def breakable(formula: str) -> str:
    """A long formula as several, where a line may end: before each sign of equality, in a long sum before each plus.

    >>> breakable("<math><mi>short</mi><mo>=</mo><mi>b</mi></math>")
    '<math><mi>short</mi><mo>=</mo><mi>b</mi></math>'
    >>> breakable("<math><mi>a name that is long</mi><mo>=</mo><mi>b</mi></math>")
    '<math><mi>a name that is long</mi></math><math><mo form="infix">=</mo><mi>b</mi></math>'
    """
    text = re.sub("<[^>]*>", "", formula)
    if len(text) < LONG_LINE:
        return formula
    signs = ("<mo>=", "<mo>+") if len(text) > LONG_SUM and "(" not in text else ("<mo>=",)
    depth, parts = -1, [""]
    for piece in re.split(r"(?=<)", formula):
        if depth == 0 and piece in signs and parts[-1] != "<math>":
            parts.append("</math><math>")
            piece = piece.replace("<mo>", '<mo form="infix">')  # a plus in front would be that of a number
        parts.append(piece)
        if piece.startswith("<") and not piece.endswith("/>"):
            depth += -1 if piece.startswith("</") else 1
    return "".join(parts)


def visit_inline(self: HTML5Translator, node: nodes.math) -> None:
    """Write a formula in a sentence."""
    self.body.append(f"{self.starttag(node, 'span', '', CLASS='math')}{breakable(converted(node, False))}</span>")
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
    """Keep a formula, or code, and the sign behind it on one line: it is a box, behind which a browser may break."""

    default_priority = 900
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        """Put each formula and its sign into an element of their own."""
        for formula in list(self.document.findall(lambda node: isinstance(node, nodes.math | nodes.literal))):
            around = formula.parent
            after = formula.next_node(descend=False, siblings=True)
            sign = CLOSING.match(after) if isinstance(after, nodes.Text) else None
            if sign:
                place = around.index(formula)
                joined = nodes.inline("", "", formula, nodes.Text(sign[0]), classes=["formula-end"])
                around[place : place + 2] = [joined, nodes.Text(after[sign.end() :])]


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the transforms and the renderer."""
    app.add_post_transform(Figures)
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_display, None))
    app.add_post_transform(Joined)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
