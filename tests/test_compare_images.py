"""A picture that shows something else than the stored one fails its chapter."""

import json
import sys
import zlib
from base64 import b64encode
from pathlib import Path

import pytest
from commands import run
from compare_images import same

TOOLS = Path(__file__).resolve().parent.parent / "tools"

SVG = """<?xml version="1.0"?>
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 360 230.4"><metadata>%(by)s</metadata>
<defs><path id="%(id)s" d="M 0 0 L 0 %(end)s" style="stroke: %(colour)s"/></defs>
<use href="#%(id)s" x="45.4"/><g clip-path="url(#%(id)s)"/><text x="1">%(text)s</text></svg>"""
PLAIN = {"by": "1.0", "id": "m01", "end": "3.5", "colour": "#0072b2", "text": "0.630"}

SVGS = [
    # what differs, whether it shows the same
    ({}, True),
    ({"by": "1.1", "id": "m02"}, True),  # made by another version, with other ids
    ({"end": "3.509"}, True),
    ({"end": "3.511"}, False),
    ({"text": "0.631"}, False),  # a number that is shown, and no coordinate
    ({"text": "0.63"}, False),
    ({"colour": "#0073b2"}, False),
    ({"colour": "#0072b2; stroke-dasharray: 1"}, False),
]


@pytest.mark.parametrize(("changed", "the_same"), SVGS, ids=str)
def test_an_svg_is_compared_by_what_it_shows(changed, the_same):
    assert same("image/svg+xml", SVG % PLAIN, SVG % (PLAIN | changed)) is the_same


def pdf(content="1 0 0 RG 3.5 7 m 9 9 l S", font=b"glyphs", level=6, made="1970"):
    """What matters of a PDF: a stream that draws, one with a font, and when it was made."""
    drawn = zlib.compress(content.encode(), level)
    return b64encode(
        b"1 0 obj\n<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream\n" % (len(drawn), drawn)
        + b"2 0 obj\n<< /Length1 6 /Length 6 >>\nstream\n%s\nendstream\n" % font
        + b"3 0 obj\n<< /CreationDate (D:%s) >>" % made.encode()
    ).decode()


PDFS = [
    ({}, True),
    ({"font": b"traces", "level": 1, "made": "2026"}, True),  # the text that it sets is in the other stream
    ({"content": "1 0 0 RG 3.505 7 m 9 9 l S"}, True),
    ({"content": "1 0 0 RG 3.52 7 m 9 9 l S"}, False),
    ({"content": "0 1 0 RG 3.5 7 m 9 9 l S"}, False),
    ({"content": "1 0 0 RG 3.5 7 m 9 9 l n"}, False),
    ({"content": "1 0 0 RG 3.5 7 m 9 9 l 9 9 l S"}, False),
]


@pytest.mark.parametrize(("changed", "the_same"), PDFS, ids=str)
def test_a_pdf_is_compared_by_what_it_draws(changed, the_same):
    assert same("application/pdf", pdf(), pdf(**changed)) is the_same


SHOW = "from IPython.display import display\ndisplay(%r, raw=True)"
STORED = {"image/svg+xml": SVG % PLAIN, "application/pdf": pdf(), "image/png": "AAAA", "text/plain": "a figure"}

CHAPTERS = [
    # what the cell shows besides what is stored, whether the chapter fails
    ({}, False),
    ({"image/svg+xml": SVG % (PLAIN | {"id": "m02"})}, False),
    ({"image/svg+xml": SVG % (PLAIN | {"text": "0.631"})}, True),
    ({"application/pdf": pdf(made="2026")}, False),
    ({"application/pdf": pdf("")}, True),
    ({"image/png": "AAAB"}, True),
]


@pytest.mark.built
@pytest.mark.parametrize(("changed", "failed"), CHAPTERS)
def test_a_picture_is_compared_with_the_stored_one(tmp_path, changed, failed):
    cell = {
        "cell_type": "code",
        "id": "cell-01",
        "metadata": {},
        "source": SHOW % (STORED | changed),
        "execution_count": 1,
        "outputs": [{"output_type": "display_data", "metadata": {}, "data": STORED}],
    }
    kernel = {"name": "python3", "display_name": "x", "language": "python"}
    book = {"cells": [cell], "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    (tmp_path / "x.ipynb").write_text(json.dumps(book), encoding="utf-8")
    command = ["-m", "pytest", "--nbval", "--nbval-current-env", "-p", "compare_images", "-p", "no:cacheprovider"]
    done = run(sys.executable, *command, tmp_path, path=TOOLS, cwd=tmp_path)
    assert done.returncode == (1 if failed else 0), done.stdout + done.stderr
