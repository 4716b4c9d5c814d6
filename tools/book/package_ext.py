"""What pages say of the package: its presets, what each of them prints, the line that installs it.

A Sphinx extension for every builder, with the directives `presets`, `library-example` and `install`. The wheel is built
from this repository, without the network. The line is `pip install` of that file, at its address where `_config.yml`
has one, `html: {baseurl: ...}`; or of the name that `install_name` in `_config.yml` gives, once the package is in an
index such as PyPI.
"""

import json
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.statemachine import StringList
from flit_core.wheel import make_wheel_in
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from ndcg_ref import PRESETS, __version__
from ndcg_ref.conventions import presets
from ndcg_ref.conventions.presets import ABOUT
from ndcg_ref.formulas.plain import ndcg_of_run

ROOT = Path(__file__).resolve().parents[2]
FOLDER, WHEEL = "_downloads", f"ndcg_ref-{__version__}-py3-none-any.whl"
LISTS = {"names": "\n".join(PRESETS), "descriptions": "\n\n".join(map(str, ABOUT.values()))}
DATA = ROOT / "book" / "_data" / "interop.json"
QUERY = "one query, every library"
FIRST = ("scikit-learn-1.9.1", "trec_eval-10.0")  # the pair of the chapter


class Presets(SphinxDirective):
    """The names or the descriptions of all presets; the argument says which."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Write the list as a literal block."""
        name = self.arguments[0]
        if name not in LISTS:
            raise self.error(f"expected one of {', '.join(LISTS)}, got {name!r}")
        self.env.note_dependency(presets.__file__)
        return [nodes.literal_block(text=LISTS[name], language="text")]


def example() -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]], int]:
    """The judgments, the run and the cutoff of the query."""
    queries = json.loads(DATA.read_text(encoding="utf-8"))["queries"]
    query = next(each for each in queries if each["name"] == QUERY)
    judged = dict(zip(query["ids"], query["grades"], strict=True))
    judged |= {f"u{place}": grade for place, grade in enumerate(query["unretrieved"])}
    return {"q1": judged}, {"q1": dict(zip(query["ids"], query["scores"], strict=True))}, query["k"]


def values() -> dict[str, list[str]]:
    """The presets that print each value, with three decimals: those of the pair first, then by value."""
    qrels, run, k = example()
    given = {name: f"{ndcg_of_run(qrels, run, k, preset.convention)['q1']:.3f}" for name, preset in ABOUT.items()}
    pair = [given[name] for name in FIRST]
    order = [*pair, *sorted(set(given.values()) - {*pair}, reverse=True)]
    return {value: [name for name in given if given[name] == value] for value in order}


class LibraryExample(SphinxDirective):
    """A table of the values."""

    def run(self) -> list[nodes.Node]:
        """Write the table."""
        rows = [f"| {value} | {', '.join(names)} |" for value, names in values().items()]
        said = "The example: grades 2, 1, 0, 3 with scores 0.9, 0.6, 0.6, 0.6, one more document of grade 3; cutoff 3."
        lines = [said, "", "| value | printed by |", "| --- | --- |", *rows]
        self.env.note_dependency(str(DATA))
        made = nodes.container()
        self.state.nested_parse(StringList(lines, self.get_source_info()[0]), self.content_offset, made)
        return list(made.children)


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
    """Add the directives, the name and the wheel."""
    app.add_config_value("install_name", "", "env", str)
    app.add_node(Installation)
    for name, directive in {"presets": Presets, "library-example": LibraryExample, "install": Install}.items():
        app.add_directive(name, directive)
    app.connect("doctree-resolved", set_line)
    app.connect("build-finished", build_wheel)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
