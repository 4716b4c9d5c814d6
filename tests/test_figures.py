"""Figures can be read: in both themes, by colour-blind readers, and by those who have them read aloud."""

import io
import re
import sys
from base64 import b64encode
from collections import Counter
from html import unescape
from itertools import combinations
from pathlib import Path

import matplotlib as mpl
import matplotlib.colors
import matplotlib.style
import numpy as np
import pages
import pytest
from commands import run
from matplotlib.figure import Figure
from pages import cell, chapter, text
from rows import every_row

from ndcg_ref.stated.stored_notebook import read_notebook
from tools.book.contents import chapters
from tools.book.figures_ext import COLOURS, inlined

ROOT = Path(__file__).resolve().parent.parent
STYLE = "ndcg_ref.sphinx_ext.static.figures"
with mpl.rc_context():
    matplotlib.style.use(STYLE)
    CYCLE = [matplotlib.colors.to_hex(colour) for colour in mpl.rcParams["axes.prop_cycle"].by_key()["color"]]
assert CYCLE

NAMES = {name: colour for colour, name in COLOURS.items()}
SHEETS = ("tools/book/theme/static/book.css", "ndcg_ref/sphinx_ext/static/ndcg-ref.css")
PAIRS = re.findall(
    r"--(?:figure|ndcg)-(\w+): light-dark\((#\w+), (#\w+)\)",
    "".join((ROOT / sheet).read_text(encoding="utf-8") for sheet in SHEETS),
)
# The style sheets have the note of a figure as what is soft; tests/browser asks the page itself
LIGHT, DARK = (NAMES | {name.replace("soft", "note"): pair[i] for name, *pair in PAIRS} for i in (0, 1))

# Machado, Oliveira and Fernandes (2009), table 1, severity 1.0: what a linear RGB colour looks like to such a reader.
SEEN_BY = {
    "all": np.eye(3),
    "protanopes": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopes": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopes": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}


def linear(colour):
    """Linear red, green and blue of a colour (WCAG 2.2, relative luminance)."""
    parts = np.array(matplotlib.colors.to_rgb(colour))
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def distance(one, other, seen_by):
    """How different two colours look to such a reader: CIE 1976, where 2.3 can just be seen."""
    return float(np.linalg.norm(lab(seen_by @ linear(one)) - lab(seen_by @ linear(other))))


def lab(rgb):
    """Lightness and the two axes of colour, under daylight (D65)."""
    xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]) @ np.clip(rgb, 0, 1)
    x, y, z = (root if root**3 > 0.008856 else 7.787 * root**3 + 16 / 116 for root in np.cbrt(xyz / [0.9505, 1, 1.089]))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def test_every_line_has_a_colour_of_its_own_in_the_dark():
    lines = [COLOURS[colour] for colour in CYCLE]
    assert not {DARK[name] for name in lines} & set(CYCLE)
    assert len(set(lines)) == len(CYCLE)


@every_row("reader", SEEN_BY)
@every_row("theme", [NAMES, LIGHT, DARK])
@every_row("pair", list(combinations(map(COLOURS.get, CYCLE), 2)))
def test_lines_are_told_apart_by_colour_blind_readers(pair, theme, reader):
    assert distance(*(theme[name] for name in pair), np.array(SEEN_BY[reader])) > 10


@pytest.mark.built
def test_the_style_comes_with_the_wheel(wheel, tmp_path):
    """As in a downloaded notebook, in an empty folder."""
    code = f"import matplotlib.pyplot as plt; plt.style.use({STYLE!r}); print(plt.rcParams['svg.fonttype'])"
    done = run(sys.executable, "-c", code, path=wheel, cwd=tmp_path)
    assert done.stdout == "none\n", done.stderr


def svg(content, begin="<?xml version='1.0'?>"):
    """A figure of Matplotlib with this content, in short."""
    return (
        f'{begin}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="360pt" '
        f'height="216pt" viewBox="0 0 360 216" version="1.1"><metadata>https://matplotlib.org</metadata>'
        f'<defs><style type="text/css">*{{stroke-linecap: butt}}</style></defs><g id="figure_1">{content}</g></svg>'
    )


MARK = (
    '<defs><path id="m01" d="M 0 0 &#10;L 0 3.5" style="stroke: #000000"/></defs>'
    '<use xlink:href="#m01" x="45.394853" style="stroke: #c24a00; stroke-width: 0.8"/>'
    '<g clip-path="url(#p02)"/><defs><clipPath id="p02"><rect x="1" y="2" width="3" height="4"/></clipPath></defs>'
)

INLINED = [
    # content, what the page has, why
    (MARK, 'width="480" height="288" viewBox="0 0 360 216"', "pixels, 1:1 on a wide page"),
    (MARK, '<path d="M 0 0 L 0 3.5" style="stroke: var(--figure-ink, #000000)" id="figure-2-1" />', "ids of its own"),
    (MARK, "stroke: var(--figure-vermilion, #c24a00); stroke-width: 0.8", "the colour of the theme"),
    (MARK, '<rect x="1" y="2" width="3" height="4" />', "what cuts off lines at the axes"),
    ('<text style="font: 12px; font-family: Arial">1</text>', '<text style="font: 12px">1</text>', "type of the page"),
    ("", 'role="img" aria-label="A &quot;b&quot; &lt;c&gt;."', "its name is the alt text"),
]


@every_row(("content", "expected", "why"), INLINED)
def test_a_figure_is_part_of_the_page(content, expected, why):
    assert expected in inlined(svg(content), "figure-2", 'A "b" <c>.'), why


@pytest.mark.parametrize("rest", ["<?xml", "http", "xmlns", "<style", "metadata", "figure_1", "DOCTYPE"])
def test_only_what_draws_is_kept(rest):
    text = svg(MARK, "<?xml version='1.0'?><!DOCTYPE svg>")
    assert rest in text
    assert rest not in inlined(text, "figure-2", "A.")


REFUSED = [
    # content, message
    ('<path style="fill: #d55e00"/>', "expected a colour of the style, got #d55e00"),
    ('<image href="data:image/png;base64,AAAA"/>', "expected lines, areas and texts in a figure, got <image>"),
    ("<script>alert()</script>", "got <script>"),
]


@every_row(("content", "message"), REFUSED)
def test_a_figure_in_another_style_is_refused(content, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        inlined(svg(content), "figure-2", "A.")


CONF = pages.conf("myst_nb", "tools.book.figures_ext")
PDF = b"%PDF-1.4 of the figure"


def drawn(content):
    """The output of a cell that draws."""
    return {"image/svg+xml": svg(content), "application/pdf": b64encode(PDF).decode(), "text/plain": "<Figure>"}


def test_print_has_text_in_a_font_that_a_pdf_embeds():
    with mpl.rc_context():
        matplotlib.style.use(STYLE)
        fig, file = Figure(), io.BytesIO()
        fig.suptitle("A is ahead of B")
        fig.savefig(file, format="pdf")
    assert b"/FontFile2" in file.getvalue()  # letters that can be searched, where the default draws shapes


@pytest.mark.built
class TestABook:
    def test_a_figure_of_a_cell_is_inlined_and_another_image_is_not(self):
        cells = text("# T\n\n![An own one](own.svg)"), cell(drawn(MARK), drawn(MARK))
        page, warnings = chapter(*cells, conf=CONF, others=[("own.svg", svg(""))])
        assert warnings == ""
        assert [page.count(f'id="figure-{number}-1"') for number in (1, 2, 3)] == [1, 1, 0]
        assert re.findall("<img[^>]*>", page) == ['<img alt="An own one" src="_images/own.svg" />']

    def test_a_figure_in_another_style_is_a_warning_and_an_image(self):
        page, warnings = chapter(text("# T"), cell(drawn('<path style="fill: #d55e00"/>')), conf=CONF)
        assert "WARNING: expected a colour of the style, got #d55e00" in warnings
        assert "<img" in page

    def test_print_has_the_pdf(self):
        built = pages.book({"index.ipynb": pages.notebook(text("# T"), cell(drawn(MARK)))}, CONF, "latex")
        assert built.warnings == ""
        (name,) = re.findall(r"includegraphics\{\{(\w+)\}\.pdf\}", built.page("*.tex"))
        assert (built.out / f"{name}.pdf").read_bytes() == PDF


def figures(chapter):
    """What each cell of a chapter that draws has stored, with the cell's metadata."""
    for drawn_cell in read_notebook(chapter).code:
        for data in drawn_cell.data:
            if "image/svg+xml" in data:
                yield drawn_cell.metadata["mystnb"], data


ILLUSTRATED = [chapter for chapter in chapters(ROOT) if list(figures(chapter))]
assert ILLUSTRATED


@every_row("chapter", ILLUSTRATED)
def test_every_figure_is_drawn_in_the_style_and_has_a_caption_and_neither_title_nor_legend(chapter):
    """Of the width in the style as well, which decides how large the type is on a phone."""
    for shown, data in figures(chapter):
        text = "".join(data["image/svg+xml"])
        assert 'width="360pt"' in text
        assert min(float(size) for size in re.findall(r"<text[^>]*font-size: ([\d.]+)px", text)) == 12
        inlined(text, "figure-1", "")
        assert shown["figure"]["caption"]
        assert "font-weight: 700" not in text
        assert 'id="legend' not in text


@pytest.mark.built
@every_row("chapter", ILLUSTRATED)
def test_the_page_has_each_figure_under_its_name(chapter):
    page = ROOT / "_build" / "html" / chapter.relative_to(ROOT).with_suffix(".html")
    if not page.exists():
        pytest.fail("expected the built book in _build/html, found none: run `make book` first")
    text = page.read_text(encoding="utf-8")
    found = re.findall(r'<svg [^>]*class="plot".*?</svg>', text, re.S)
    names = [unescape(re.search('role="img" aria-label="([^"]*)"', figure)[1]) for figure in found]
    assert names == [shown["image"]["alt"] for shown, _ in figures(chapter)]
    assert [name for name, count in Counter(re.findall(r'\bid="([^"]*)"', text)).items() if count > 1] == []
    for figure in found:
        assert not re.search(r"https?:|<title|<style|<script", figure)
        assert {name for name, _ in re.findall(r"var\(--figure-(\w+), (#\w+)\)", figure)} <= set(COLOURS.values())
        assert not re.search(r"#[0-9a-f]{6}", re.sub(r"var\([^)]*\)", "", figure))
        links = set(re.findall(r'(?:href="|url\()#([\w-]+)', figure))
        assert links <= set(re.findall(r'\bid="([^"]*)"', figure))
