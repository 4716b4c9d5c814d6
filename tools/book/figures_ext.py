"""Figures as part of the page: in the colours of its theme and in its type, with the alt text as their name.

A Sphinx extension that changes the HTML builder alone. It takes what the cells draw in the style
`ndcg_ref/sphinx_ext/static/figures.mplstyle`, stored as SVG, and leaves other images alone. Of an SVG it keeps what
draws.
"""

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

LOGGER = logging.getLogger(__name__)

# The colours of the style, and the names under which book/_static/book.css has them
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


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the transform."""
    app.add_post_transform(Figures)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
