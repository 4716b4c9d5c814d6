"""The icons that the pages use, as a font of a few kilobytes in place of the theme's fonts and script.

A Sphinx extension that changes the HTML builder alone. Which icons there are is read from the pages when all are
written; what each is, from the theme's style sheet. An icon that is missing comes from the theme's font, as before.
"""

import re
from base64 import b64encode
from io import BytesIO
from pathlib import Path
from typing import Any

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from sphinx.application import Sphinx

STYLE = "icons.css"
THEME = "_static/styles/pydata-sphinx-theme.css"
FONTS = "_static/vendor/fontawesome/webfonts"
FACES = {  # by the classes that ask for it: the file, and the face as the theme names it
    "fas fa-solid": ("fa-solid-900.ttf", '"Font Awesome 6 Free"; font-weight: 900'),
    "fab fa-brands": ("fa-brands-400.ttf", '"Font Awesome 6 Brands"; font-weight: 400'),
}
OF_THE_THEME = re.compile(r'--pst-icon-[\w-]+:"(.)"|content:"\\(f107)"')  # in front of titles and links, by its styles


def icons(pages: str, classes: str) -> set[str]:
    """The names of the icons in the pages that one of the classes asks for.

    >>> icons('<i class="fas fa-list"></i> <i class="fab fa-github fa-lg">', "fas fa-solid")
    {'list'}
    """
    either = "|".join(classes.split())
    found = re.findall(rf'class="(?:[^"]*\s)?(?:{either})\s([^"]*)"', pages)
    return {name.removeprefix("fa-") for names in found for name in names.split() if name.startswith("fa-")}


def codes(style: str, names: set[str]) -> set[int]:
    """The characters of icons, as a style sheet has them.

    >>> codes('.fa-bars:before,.fa-navicon:before{content:"\\\\f0c9"}', {"bars"}) == {0xF0C9}
    True
    """
    rules = re.findall(r'((?:\.fa-[\w-]+:before,?)+){content:"\\([0-9a-f]+)"}', style)
    return {int(code, 16) for selectors, code in rules if names & set(re.findall(r"\.fa-([\w-]+):", selectors))}


def face(file: Path, name: str, characters: set[int]) -> str:
    """A face with these characters alone, as a rule of a style sheet."""
    font = TTFont(file)
    options = Options(hinting=False, layout_features=[], name_IDs=[0, 1, 13], drop_tables=["FFTM"])
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=characters)
    subsetter.subset(font)
    font.flavor = "woff"
    font.save(written := BytesIO())
    source = f"data:font/woff;base64,{b64encode(written.getvalue()).decode()}"
    ranges = ", ".join(f"U+{code:X}" for code in sorted(characters))
    return f'@font-face {{ font-family: {name}; src: url("{source}"); unicode-range: {ranges}; }}\n'


def write_style(app: Sphinx, error: Exception | None) -> None:
    """Write the style sheet with the icons."""
    if error or app.builder.name != "html":
        return
    folder = Path(app.outdir)
    pages = "".join(
        (folder / app.builder.get_target_uri(name)).read_text(encoding="utf-8")
        for name in (*app.env.found_docs, "genindex", "search")
    )
    style = (folder / THEME).read_text(encoding="utf-8")
    shown = {int(code, 16) if code else ord(sign) for sign, code in OF_THE_THEME.findall(style)}
    rules = []
    for classes, (file, name) in FACES.items():
        characters = codes(style, icons(pages, classes)) | (shown if "fas" in classes else set())
        if characters:
            rules.append(face(folder / FONTS / file, name, characters))
    (folder / "_static" / STYLE).write_text("".join(rules), encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the style sheet."""
    app.add_css_file(STYLE)
    app.connect("build-finished", write_style)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
