"""The package as a file that the site offers, and the line that installs it.

A Sphinx extension for every builder. The wheel is built from this repository, without the network. The directive
`install` shows `pip install` of that file, at its address where `_config.yml` has one, `html: {baseurl: ...}`; or of
the name that `install_name` in `_config.yml` gives, once the package is in an index such as PyPI.
"""

from pathlib import Path
from typing import Any

from docutils import nodes
from flit_core.wheel import make_wheel_in
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from ndcg_ref import __version__

ROOT = Path(__file__).resolve().parents[2]
FOLDER, WHEEL = "_downloads", f"ndcg_ref-{__version__}-py3-none-any.whl"


class Installation(nodes.General, nodes.Element):  # type: ignore[misc]
    """Where the line will be, once it is known which builder sets it."""


class Install(SphinxDirective):
    """The line that installs the package."""

    def run(self) -> list[nodes.Node]:
        """Leave a place for the line."""
        return [Installation()]


def set_line(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Set the line, and before it where the file is, if pip cannot fetch it itself."""
    name, base = app.config.install_name, (app.config.html_baseurl or "").rstrip("/")
    for place in list(doctree.findall(Installation)):
        found: list[nodes.Node] = []
        if not name and not base and app.builder.format == "html":
            address = "../" * page.count("/") + f"{FOLDER}/{WHEEL}"
            link = nodes.reference("", WHEEL, refuri=address, internal=True)
            found.append(nodes.paragraph("", "", nodes.Text("Download "), link, nodes.Text(", and in its folder run")))
            named = WHEEL
        elif not name and not base:
            found.append(nodes.paragraph(text="In a copy of the repository:"))
            named = "."
        else:
            named = name or f"{base}/{FOLDER}/{WHEEL}"
        line = f"python3 -m pip install {named}"
        place.replace_self([*found, nodes.literal_block(line, line, language="sh")])


def build_wheel(app: Sphinx, error: Exception | None) -> None:
    """Build the wheel beside the pages."""
    if not error and app.builder.name == "html":
        folder = Path(app.outdir, FOLDER)
        folder.mkdir(exist_ok=True)
        make_wheel_in(ROOT / "pyproject.toml", folder)


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the directive, the name and the wheel."""
    app.add_config_value("install_name", "", "env", str)
    app.add_node(Installation)
    app.add_directive("install", Install)
    app.connect("doctree-resolved", set_line)
    app.connect("build-finished", build_wheel)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
