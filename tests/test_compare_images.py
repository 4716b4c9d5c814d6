"""A picture is stored in the same form by every processor, and one that shows something else fails its chapter."""

import re
import sys
from pathlib import Path

import pytest
from commands import run
from pages import cell, notebook
from rows import every_row

from tools.make.notebooks import stored_svg

ROOT = Path(__file__).resolve().parent.parent

SVG = """<?xml version="1.0"?>
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 360 230.4"><metadata>%(by)s</metadata>
<defs><path id="%(id)s" d="M 0 0 L 0 %(end)s" style="stroke: %(colour)s"/></defs>
<use href="#%(id)s" x="45.4"/><g clip-path="url(#%(id)s)"/><text x="1">%(text)s</text></svg>"""
PLAIN = {"by": "1.0", "id": "m01", "end": "3.5", "colour": "#0072b2", "text": "0.630"}

SVGS = [
    # what differs, whether the same is stored
    ({}, True),
    ({"by": "1.1", "id": "m02"}, True),  # made by another version, with other ids
    ({"end": "3.504999"}, True),
    ({"end": "3.51"}, False),
    ({"text": "0.631"}, False),  # a number that is shown, and no coordinate
    ({"text": "0.6300"}, False),
    ({"colour": "#0073b2"}, False),
    ({"colour": "#0072b2; stroke-dasharray: 1"}, False),
]


@every_row(("changed", "the_same"), SVGS)
def test_an_svg_is_stored_by_what_it_shows(changed, the_same):
    assert (stored_svg(SVG % PLAIN) == stored_svg(SVG % (PLAIN | changed))) is the_same


COORDINATES = [
    # a coordinate as two processors may write it, as it is stored
    ("45.4", "45.399999", "45.4"),
    ("0", "-0.000001", "0"),
    ("0", "-0", "0"),
    ("3.4875", "3.487500", "3.49"),
    ("-120", "-119.999999", "-120"),
    ("1234567.126", "1234567.126000", "1234567.13"),
]


@every_row(("one", "other", "stored"), COORDINATES)
def test_a_coordinate_has_at_most_two_decimals(one, other, stored):
    assert {stored_svg(f'<use x="{text}" y="1"/>') for text in (one, other)} == {f'<use x="{stored}" y="1"/>'}


SHOW = "from IPython.display import display\ndisplay(%r, raw=True)"
STORED = {"image/svg+xml": stored_svg(SVG % PLAIN), "image/png": "AAAA", "text/plain": "a figure"}

CHAPTERS = [
    # what the cell shows besides what is stored, whether the chapter fails
    ({}, False),
    ({"image/svg+xml": SVG % (PLAIN | {"id": "m02", "end": "3.504999"})}, False),
    ({"image/svg+xml": SVG % (PLAIN | {"text": "0.631"})}, True),
    ({"application/pdf": "AAAA"}, False),  # is drawn for print, and not stored
    ({"image/png": "AAAB"}, True),
]


@pytest.mark.built
def test_a_picture_is_compared_with_the_stored_one(tmp_path):
    for number, (changed, _) in enumerate(CHAPTERS):
        (tmp_path / f"{number}.ipynb").write_text(notebook(cell(STORED, code=SHOW % (STORED | changed))), "utf-8")
    plugins = ("-p", "tools.make.notebooks", "-p", "no:cacheprovider")
    done = run(sys.executable, "-m", "pytest", "--nbval", "--nbval-current-env", *plugins, path=ROOT, cwd=tmp_path)
    failing = {f"{number}.ipynb" for number, (_, failed) in enumerate(CHAPTERS) if failed}
    assert set(re.findall(r"^FAILED (\d\.ipynb)::", done.stdout, re.MULTILINE)) == failing, done.stdout + done.stderr
    assert f"{len(failing)} failed, {len(CHAPTERS) - len(failing)} passed" in done.stdout
