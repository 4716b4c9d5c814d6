"""Lists that pages show: presets, what each of them prints, chapters, search words; and how to install the package.

A Sphinx extension for every builder, with the directives `presets`, `libraries`, `search-words`, `install` and
`bibtex`, which makes an entry of `CITATION.cff`. For the front page it has `chapters-with-minutes`, whose argument is a
part of the contents, and `library-strip`, the values of `libraries` on an axis, which HTML alone has.

Each line of `search-words` has words, separated by commas, and the section that they lead to, as in
`install, pip -> book/about#install`. The page has a table of them. A word is also an entry of the index, which the
search of a page looks up before all else.

The wheel is built from this repository, without the network. The line is `pip install` of that file, at its address
where `_config.yml` has one, `html: {baseurl: ...}`; or of the name that `install_name` in `_config.yml` gives, once the
package is in an index such as PyPI.
"""

import json
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

import yaml
from docutils import nodes
from docutils.statemachine import StringList
from flit_core.wheel import make_wheel_in
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective
from sphinx.writers.html5 import HTML5Translator

from ndcg_ref import PRESETS, __version__
from ndcg_ref.conventions import presets
from ndcg_ref.conventions.convention import STANDARD
from ndcg_ref.conventions.presets import ABOUT, KINDS, Preset
from ndcg_ref.formulas.plain import ndcg_of_scores
from ndcg_ref.sphinx_ext.verdict_nodes import row_of, table_of
from tools.book.contents import minutes, part

LOGGER = logging.getLogger(__name__)
ROOT = Path(__file__).resolve().parents[2]
KEPT = "search_words"  # in the metadata of the page with the table
CITATION = ROOT / "CITATION.cff"
FOLDER, WHEEL = "_downloads", f"ndcg_ref-{__version__}-py3-none-any.whl"
LISTS = {"names": "\n".join(PRESETS), "descriptions": "\n\n".join(map(str, ABOUT.values()))}
DATA = ROOT / "book" / "_data" / "interop.json"
QUERY = "one query, every library"
# From the lowest name to the highest, so that none is crossed by the mark of another
LABELLED = {"trec_eval-10.0": "trec_eval", "scikit-learn-1.9.1": "scikit-learn", "lightgbm-4.7.0": "LightGBM, XGBoost"}
LOW, HIGH = 0.25, 0.8  # the ends of the axis
ENTRIES = {
    "grades": "grades",
    "scores": "scores",
    "names": "ids",
    "unretrieved": "unretrieved",
}  # of the page: of the data
CALLED = {"paper": "the article of 2002"}
FROM, TO = "scikit-learn-1.9.1", "trec_eval-10.0"  # the pair of the chapter
CHOICES = ("gain", "discount", "base", "zero_ideal", "ideal", "ideal_cut", "ties", "scores", "fractional")


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


def example() -> dict[str, Any]:
    """The query."""
    queries = json.loads(DATA.read_text(encoding="utf-8"))["queries"]
    found: dict[str, Any] = next(each for each in queries if each["name"] == QUERY)
    return found


def values() -> dict[str, list[str]]:
    """The presets that print each value of the query, with three decimals, the largest value first."""
    query = example()
    judged = [*query["grades"], *query["unretrieved"]]
    given: dict[str, list[str]] = {}
    for name, preset in ABOUT.items():
        value = ndcg_of_scores(
            query["grades"], query["scores"], query["k"], preset.convention, ids=query["ids"], judged=judged
        )
        given.setdefault(f"{value:.3f}", []).append(name)
    return dict(sorted(given.items(), reverse=True))


def libraries() -> dict[str, Any]:
    """What the script of the page knows: the query, and of each preset its choices and what it does not cover."""
    query = example()
    entries = {entry: ", ".join(map(str, query[key])) for entry, key in ENTRIES.items()}
    return {
        "standard": {choice: getattr(STANDARD, choice) for choice in CHOICES},
        "presets": [
            {
                "name": name,
                **dict(zip(("label", "newest"), _labels(preset), strict=True)),
                "choices": {
                    choice: value
                    for choice in CHOICES
                    if (value := getattr(preset.convention, choice)) != getattr(STANDARD, choice)
                },
                "excluded": preset.excluded,
            }
            for name, preset in ABOUT.items()
        ],
        "kinds": {**KINDS},
        "example": {**entries, "cutoff": str(query["k"]), "printed": "", "from": FROM, "to": TO},
    }


def _labels(preset: Preset) -> tuple[str, str]:
    """What a preset is called, with its version if there is a newer one; and what its newest version is called."""
    name = " ".join(filter(None, (CALLED.get(preset.library, preset.library), preset.variant)))
    newest = [each for each in ABOUT.values() if each.alias == preset.alias][-1]
    return (name if preset is newest else f"{name} {preset.version}"), name


class Libraries(SphinxDirective):
    """A table of the values, with what the script of the page knows."""

    def run(self) -> list[nodes.Node]:
        """Write both."""
        rows = [f"| {value} | {', '.join(names)} |" for value, names in values().items()]
        self.env.note_dependency(str(DATA))
        self.env.note_dependency(presets.__file__)
        made = nodes.container()
        lines = ["| value | printed by |", "| --- | --- |", *rows]
        self.state.nested_parse(StringList(lines, self.get_source_info()[0]), self.content_offset, made)
        known = escape(json.dumps(libraries(), ensure_ascii=False, separators=(",", ":")))
        return [*made.children, nodes.raw("", f'<div hidden data-libraries="{known}"></div>', format="html")]


class ChaptersWithMinutes(SphinxDirective):
    """The chapters of a part, with short titles, each with how long it takes to read."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Write the list."""
        root = Path(self.env.srcdir)
        rows = []
        for name, title in part(root, self.arguments[0]):
            path = root / f"{name}.ipynb"
            self.env.note_dependency(str(path))
            target = {"refdomain": "std", "reftype": "doc", "reftarget": f"/{name}", "refexplicit": True}
            link = addnodes.pending_xref("", nodes.inline(text=title), refdoc=self.env.docname, refwarn=True, **target)
            took = nodes.inline(text=f"{minutes(path)[0]} min", classes=["front-minutes"])
            rows.append(nodes.list_item("", nodes.paragraph("", "", link, nodes.Text(" "), took)))
        if not rows:
            raise self.error(f"expected a part of the contents, got {self.arguments[0]!r}")
        return [nodes.enumerated_list("", *rows, classes=["front-chapters"])]


class LibraryValues(nodes.General, nodes.Element):  # type: ignore[misc]
    """The values of an example on one axis, each with the presets that print it."""


class LibraryStrip(SphinxDirective):
    """The values that libraries print for one query."""

    def run(self) -> list[nodes.Node]:
        """Count the values, and leave a place for the axis."""
        self.env.note_dependency(str(DATA))
        found = values()
        said = f"One query, one run: {len(found)} values of NDCG@3, depending on the library."
        return [nodes.paragraph(text=said), LibraryValues(values=found)]


def place(value: float) -> str:
    """Where a value is on the axis, as a style.

    >>> place(0.25), place(0.8)
    ('--at: 0.0%', '--at: 100.0%')
    """
    return f"--at: {100 * (value - LOW) / (HIGH - LOW):.1f}%"


def visit_strip(self: HTML5Translator, node: LibraryValues) -> None:
    """Write a mark for each value, with a name where the library is well known, and below them the axis."""
    self.body.append('<ol class="front-strip">\n')
    levels = {label: level for level, label in enumerate(LABELLED.values(), start=1)}
    for value, names in sorted(node["values"].items()):
        label = next((LABELLED[name] for name in names if name in LABELLED), "")
        kind = f"front-named front-{'left' if float(value) > (LOW + HIGH) / 2 else 'right'}" if label else "front-other"
        said = f"{label} {value}" if label else f"{names[0]} {value}"
        style = f"{place(float(value))}; --level: {levels.get(label, 0)}"
        self.body.append(f'<li class="{kind}" style="{style}" title="{said}"><span>{said}</span></li>\n')
    ticks = (f'<span style="{place(tenth / 10)}">{tenth / 10:.1f}</span>' for tenth in range(3, 9))
    self.body.append(f'</ol>\n<p class="front-axis" aria-hidden="true">{"".join(ticks)}</p>\n')
    raise nodes.SkipNode


def skip(self: Any, node: LibraryValues) -> None:
    """Leave it out where there is no axis."""
    raise nodes.SkipNode


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


def bibtex(citation: str) -> str:
    """A citation file as an entry of BibTeX."""
    known = yaml.safe_load(citation)
    people = [
        f"{{{each['name'][0].upper()}{each['name'][1:]}}}"
        if "name" in each
        else f"{each['family-names']}, {each['given-names']}"
        for each in known["authors"]
    ]
    date = known["date-released"]
    fields = {
        "author": " and ".join(people),
        "title": known["title"].replace("NDCG", "{NDCG}"),
        "version": known["version"],
        "year": date.year,
        "month": date.month,
        "doi": known.get("doi"),
        "url": known.get("url") or known.get("repository-code"),
    }
    lines = (f"  {name} = {{{value}}},\n" for name, value in fields.items() if value)
    return f"@software{{ndcgref{date.year},\n{''.join(lines)}}}"


class BibTeX(SphinxDirective):
    """The entry of BibTeX for this book."""

    def run(self) -> list[nodes.Node]:
        """Make it of the citation file."""
        self.env.note_dependency(str(CITATION))
        entry = bibtex(CITATION.read_text(encoding="utf-8"))
        return [nodes.literal_block(entry, entry, language="bibtex")]


class Words(nodes.General, nodes.Element):  # type: ignore[misc]
    """Where the table will be, once the titles of all sections are known."""


class SearchWords(SphinxDirective):
    """The table of search words; its content has a line for each section."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Read the lines."""
        found = []
        for line in self.content:
            words, arrow, target = line.partition("->")
            if not arrow:
                raise self.error(f"expected words -> page#section, got {line!r}")
            page, _, section = target.strip().partition("#")
            found.append(([word.strip() for word in words.split(",")], page, section))
        self.env.metadata[self.env.docname][KEPT] = found
        return [Words(lines=found)]


def entries(env: BuildEnvironment, page: str) -> Iterator[tuple[str, str, str, str, None]]:
    """The entries of the index for a page: main ones, as the search puts all others last."""
    for own in env.metadata.values():
        for words, target, section in own.get(KEPT, ()):
            if target == page:
                yield from (("single", word, section, "main", None) for word in words)


def add_to_index(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Add the words to the page with the index."""
    for page, known in env.domaindata["index"]["entries"].items():
        known += [entry for entry in entries(env, page) if entry not in known]
    return []


def add_to_search(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Add the words to what the search reads, which is the entries on a page."""
    if app.builder.format == "html":
        doctree.insert(0, addnodes.index(entries=list(entries(app.env, page))))


def weigh(app: Sphinx, config: Config) -> None:
    """Let the search weigh its results as `scorer.js` says."""
    config["html_search_scorer"] = str(Path(__file__).with_name("scorer.js"))


def title_of(env: BuildEnvironment, page: str, section: str) -> str:
    """The title of a page, and of the section if there is one; nothing where either is missing."""
    contents = env.tocs.get(page, nodes.bullet_list())
    titles = {each["anchorname"].removeprefix("#"): each.astext() for each in contents.findall(nodes.reference)}
    if section not in titles:
        return ""
    return f"{titles['']}: {titles[section]}" if section else titles[section]


def set_table(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Set the table, with the titles of the sections as links; paper cannot be searched, so its section goes."""
    for place in list(doctree.findall(Words)):
        if app.builder.format == "latex":
            place.parent.parent.remove(place.parent)
            continue
        rows = []
        for words, target, section in place["lines"]:
            title = title_of(app.env, target, section)
            if not title:
                LOGGER.warning("search-words: expected a section of a page, got %s#%s", target, section, location=page)
                continue
            address = app.builder.get_relative_uri(page, target) + (f"#{section}" if section else "")
            link = nodes.reference("", title, refuri=address, internal=True)
            rows.append(row_of([nodes.paragraph(text=", ".join(words))], [nodes.paragraph("", "", link)]))
        table = table_of(("searched for", "leads to"), (40, 60), rows, "longtable", "colwidths-given")
        place.replace_self(table)


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the directives, the name and the wheel."""
    app.add_config_value("install_name", "", "env", str)
    app.add_node(LibraryValues, html=(visit_strip, None), latex=(skip, None), text=(skip, None))
    app.add_node(Installation)
    app.add_node(Words)
    directives = {
        "presets": Presets,
        "libraries": Libraries,
        "chapters-with-minutes": ChaptersWithMinutes,
        "library-strip": LibraryStrip,
        "install": Install,
        "bibtex": BibTeX,
        "search-words": SearchWords,
    }
    for name, directive in directives.items():
        app.add_directive(name, directive)
    app.connect("config-inited", weigh)
    app.connect("env-updated", add_to_index)
    app.connect("doctree-resolved", set_line)
    app.connect("doctree-resolved", add_to_search)
    app.connect("doctree-resolved", set_table)
    app.connect("build-finished", build_wheel)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
