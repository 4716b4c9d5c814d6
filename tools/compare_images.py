"""A pytest plugin that makes nbval compare pictures by what they show.

Figures are stored as SVG, for pages, and as PDF, for print. The same versions write the same bytes. Another Python may
compute a coordinate that differs in its last digit, and from it another id, or compress a stream in another way. So
elements, texts, colours and operators have to be the same, and coordinates to 0.01 points; ids, the metadata and the
files of the fonts are not compared. A PNG has to be the same, which nbval would not look at.
"""

import re
import zlib
from base64 import b64decode
from collections.abc import Callable, Iterator
from typing import Any
from xml.etree import ElementTree

from nbval.plugin import IPyNbCell, IPyNbFile

NEAR = 0.01  # points
COORDINATE = re.compile(r"(?<![\w#.])[-+]?\d*\.?\d+(?:e[-+]?\d+)?", re.I)  # a colour such as #0072b2 has none
STREAM = re.compile(rb"<<((?:(?!>>).)*)>>\s*stream\r?\n", re.S)


def svg_pieces(text: str) -> Iterator[tuple[str, list[float]]]:
    """What an SVG draws: for each element its attributes without numbers, its text, and the numbers.

    >>> list(svg_pieces('<svg><path id="a" d="M 1.25 3"/><text>0.63</text></svg>'))[1:]
    [("path d='M  '", [1.25, 3.0]), ('text 0.63', [])]
    """
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.S)
    for number, name in enumerate(dict.fromkeys(re.findall(r'\bid="([^"]*)"', text))):
        text = re.sub(rf'(?<=[#"]){re.escape(name)}(?=[")])', f"id{number}", text)
    for element in ElementTree.fromstring(text).iter():
        said = [element.tag, *(part for part in [(element.text or "").strip()] if part)]
        numbers: list[float] = []
        for name, value in sorted(element.items()):
            if name != "id":
                said.append(f"{name}={COORDINATE.sub('', value)!r}")
                numbers += map(float, COORDINATE.findall(value))
        yield " ".join(said), numbers


def pdf_pieces(text: str) -> Iterator[tuple[str, list[float]]]:
    """What a PDF in base64 draws: its streams, apart from the files of fonts, without numbers, and the numbers."""
    data = b64decode(text)
    for found in STREAM.finditer(data):
        if b"/Length1" not in found[1]:
            stream = data[found.end() :]
            content = zlib.decompressobj().decompress(stream) if b"/FlateDecode" in found[1] else stream
            drawn = content.partition(b"endstream")[0].decode("latin-1")
            yield COORDINATE.sub("", drawn), [float(number) for number in COORDINATE.findall(drawn)]


PIECES: dict[str, Callable[[str], Iterator[tuple[str, list[float]]]]] = {
    "image/svg+xml": svg_pieces,
    "application/pdf": pdf_pieces,
}


def same(kind: str, stored: str, fresh: str) -> bool:
    """Whether two pictures show the same."""
    if stored == fresh:
        return True
    one, other = (list(PIECES[kind](text)) for text in (stored, fresh))
    return [said for said, _ in one] == [said for said, _ in other] and all(
        len(left) == len(right) and all(abs(a - b) <= NEAR for a, b in zip(left, right, strict=True))
        for (_, left), (_, right) in zip(one, other, strict=True)
    )


def pytest_configure() -> None:
    """Compare PNG, and put each stored picture in the place of a fresh one that shows the same."""
    made, compared = IPyNbFile.__init__, IPyNbCell.compare_outputs

    def make(self: Any, *arguments: Any, **keywords: Any) -> None:
        made(self, *arguments, **keywords)
        self.skip_compare = tuple(each for each in self.skip_compare if each != "image/png")

    def compare(self: Any, fresh: list[Any], stored: list[Any], skip_compare: Any = None) -> Any:
        for new, old in zip(fresh, stored, strict=False):
            for kind in PIECES.keys() & new.get("data", {}).keys() & old.get("data", {}).keys():
                if same(kind, old["data"][kind], new["data"][kind]):
                    new["data"][kind] = old["data"][kind]
        return compared(self, fresh, stored, skip_compare)

    IPyNbFile.__init__, IPyNbCell.compare_outputs = make, compare
