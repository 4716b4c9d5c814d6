"""Figures can be read: by the contrast of their colours, by colour-blind readers, in both themes."""

import sys
from itertools import combinations

import matplotlib as mpl
import matplotlib.colors
import matplotlib.style
import numpy as np
import pytest
from commands import run

STYLE = "ndcg_ref.static.figures"
with mpl.rc_context():
    matplotlib.style.use(STYLE)
    CYCLE = [matplotlib.colors.to_hex(colour) for colour in mpl.rcParams["axes.prop_cycle"].by_key()["color"]]
assert CYCLE

LIGHT_PAGE = "#ffffff"
BESIDES = {"dimgray": 4.5, "lightgray": 1.2}  # notes are read; a grid may be overlooked

# Machado, Oliveira and Fernandes (2009), table 1, severity 1.0: what a linear RGB colour looks like to such a reader.
SEEN_BY = {
    "all": np.eye(3),
    "protanopes": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopes": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopes": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}


def linear(colour):
    """Linear red, green and blue of a colour (WCAG 2.2, relative luminance)."""
    parts = np.array(matplotlib.colors.to_rgb(colour))
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def contrast(one, other):
    """Contrast ratio of two colours (WCAG 2.2)."""
    darker, lighter = sorted(float(linear(colour) @ [0.2126, 0.7152, 0.0722]) for colour in (one, other))
    return (lighter + 0.05) / (darker + 0.05)


def distance(one, other, seen_by):
    """How different two colours look to such a reader: CIE 1976, where 2.3 can just be seen."""
    return float(np.linalg.norm(lab(seen_by @ linear(one)) - lab(seen_by @ linear(other))))


def lab(rgb):
    """Lightness and the two axes of colour, under daylight (D65)."""
    xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]) @ np.clip(rgb, 0, 1)
    x, y, z = (root if root**3 > 0.008856 else 7.787 * root**3 + 16 / 116 for root in np.cbrt(xyz / [0.9505, 1, 1.089]))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def test_contrast_is_that_of_the_standard():
    assert contrast("white", "black") == pytest.approx(21)
    assert contrast("white", "#767676") == pytest.approx(4.54, abs=0.01)  # the lightest grey for text, by WCAG


@pytest.mark.parametrize("colour", CYCLE)
def test_a_label_in_the_colour_of_its_line_can_be_read(colour):
    assert contrast(colour, LIGHT_PAGE) >= 4.5


@pytest.mark.parametrize(("colour", "least"), BESIDES.items())
def test_the_greys_can_be_read_or_seen(colour, least):
    assert contrast(colour, LIGHT_PAGE) >= least


@pytest.mark.parametrize("reader", SEEN_BY)
@pytest.mark.parametrize("pair", list(combinations(CYCLE, 2)), ids=" ".join)
def test_lines_are_told_apart_by_colour_blind_readers(pair, reader):
    assert distance(*pair, np.array(SEEN_BY[reader])) > 10


@pytest.mark.built
def test_the_style_comes_with_the_wheel(wheel, tmp_path):
    """As in a downloaded notebook, in an empty folder."""
    code = f"import matplotlib.pyplot as plt; plt.style.use({STYLE!r}); print(plt.rcParams['svg.fonttype'])"
    done = run(sys.executable, "-c", code, path=wheel, cwd=tmp_path)
    assert done.stdout == "none\n", done.stderr
