"""The form in which pictures are stored, and a pytest plugin by which nbval compares pictures in this form.

A figure is stored as SVG; the PDF of the same figure, for print, is drawn anew by each build. The last bits of floats
differ between processors, and Matplotlib makes the ids of an SVG of such floats. So ids are numbered, coordinates have
two decimals, and the metadata, which name versions, are left out. A PNG has to be the same, which nbval would not look
at.
"""

import re
from typing import Any

LINK = re.compile(r'((?:\bid|href)="#?|url\(#)([\w-]+)')
COORDINATE = re.compile(r"-?\d+\.\d{3,}|-0(?![\d.])")


def stored_svg(text: str) -> str:
    r"""An SVG with its links numbered in the order of their first use, and with coordinates of two decimals.

    >>> text = '<svg><g id="axes_1"><g clip-path="url(#p87190)"><text x="-1.23456">0.12345</text></g></g>'
    >>> stored_svg(text + '<clipPath id="p87190"><rect x="-0" y="44.999999"/></clipPath></svg>').partition("<clipPath")
    ... # doctest: +NORMALIZE_WHITESPACE
    ('<svg><g id="axes_1"><g clip-path="url(#id-1)"><text x="-1.23">0.12345</text></g></g>', '<clipPath',
     ' id="id-1"><rect x="0" y="45"/></clipPath></svg>')
    """
    text = re.sub(r"\s*<metadata>.*?</metadata>", "", text, flags=re.S)
    linked = dict.fromkeys(name for kind, name in LINK.findall(text) if kind.endswith("#"))
    ids = {name: f"id-{number}" for number, name in enumerate(linked, 1)}
    text = LINK.sub(lambda found: found[1] + ids.get(found[2], found[2]), text)
    return re.sub(r"<\w[^>]*>", lambda tag: COORDINATE.sub(_rounded, tag[0]), text)


def _rounded(found: re.Match[str]) -> str:
    return f"{round(float(found[0]), 2) + 0.0:.15g}"  # zero has no sign


def normalize(output: Any) -> Any:
    """Bring the output of a cell into the form in which it is stored, and return it."""
    data = output.get("data", {})
    data.pop("application/pdf", None)
    if "image/svg+xml" in data:
        data["image/svg+xml"] = stored_svg(data["image/svg+xml"])
    return output


def pytest_configure() -> None:
    """Compare PNG, and compare the fresh outputs in the form in which they are stored."""
    from nbval.plugin import IPyNbCell, IPyNbFile

    made, compared = IPyNbFile.__init__, IPyNbCell.compare_outputs

    def make(self: Any, *arguments: Any, **keywords: Any) -> None:
        made(self, *arguments, **keywords)
        self.skip_compare = tuple(each for each in self.skip_compare if each != "image/png")

    def compare(self: Any, fresh: list[Any], stored: list[Any], skip_compare: Any = None) -> Any:
        return compared(self, [normalize(output) for output in fresh], stored, skip_compare)

    IPyNbFile.__init__, IPyNbCell.compare_outputs = make, compare
