"""The scripts and styles of the live pages: each is joined from its modules in `live/`, for the pages that ask for it.

A Sphinx extension that needs no JavaScript tools. A classic script, unlike a module, also runs where a page was opened
as a file. So an entry module of `live/src` and all that it imports become one, `_static/live-ENTRY.js`. A page asks for
it with the directive `live`, or with a cell that has the tag `live-ENTRY`. The modules are written in a part of the
language that can be joined by putting one after another; `live/README.md` says which. What cannot be joined is refused
with file and line.

A cell with the tag `live-ranking` that draws a ranking and its lengths gets buttons, choices, and a task below the
drawing at build time, so that nothing moves when the script takes over. The metadata of the cell say which:
`"ndcg_ref": {"ranking": {"task": "lower", "tools": ["reset"], "choices": ["gain"]}}`. With `"best": true` the second
ranking is the best order of the first, with `"guess": true` the reader guesses NDCG before it is shown.
"""

import ast
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any
from zlib import crc32

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective
from sphinx.util.osutil import relative_uri
from sphinx.writers.html5 import HTML5Translator

from ndcg_ref.sphinx_ext.drawing import BELOW
from ndcg_ref.sphinx_ext.drawing_nodes import Drawing
from ndcg_ref.sphinx_ext.folds import folded
from ndcg_ref.stated.stored_notebook import read_notebook

LOGGER = logging.getLogger(__name__)
LIVE = Path(__file__).resolve().parents[2] / "live"
SOURCES, STYLES = LIVE / "src", LIVE / "style"
SHARED_STYLE = "live"  # STYLES / "live.css", for every page with a place for something live
LATER = "later"  # the option of a place whose files are loaded when the reader first comes to it, by book.js
FOLD = "fold"  # the option of a place that opens when it is asked for, with the line that asks
TAG = "tag_live-"  # as MyST-NB writes the tags of a cell into its classes

RANKING = TAG + "ranking"
BUTTONS = {
    # what it does: its words
    "best": "Best order",
    "worst": "Worst order",
    "add": "+ Add",
    "remove": "− Remove",
    "undo": "↶ Undo",
    "reset": "↺ Reset",
}
TASKS = {
    # task, for which live/src/editing.js says when it is reached: what the reader is asked for
    "best": "Reach the best order, and change nothing else.",
    "level": "Make both sums equal by changing a single grade.",
    "worst": "Make DCG as small as possible by moving results alone.",
    "lower": "Lower NDCG without touching the top three results or the choices above.",
}
HINT = "Drag a rank, or press ↑ or ↓ on it. Press a grade to change it."
GUESS = """<div class="ndcg-guess"><label><strong>Guess first.</strong> How far along the ruler does this order get?
<input type="range" min="0" max="1" step="0.01" value="0.5" autocomplete="off"></label>
<output>0.50</output> <button type="button" data-does="show">Show</button></div>
"""
CHOICES: dict[str, tuple[str, list[tuple[str, str]]]] = {
    # choice: its label, its values and their words
    "gain": ("Gain", [("linear", "linear"), ("exponential", "exponential")]),
    "discount": (
        "Discount",
        [("log(rank+1)", "log2(rank + 1)"), ("log(rank)", "max(1, log2(rank))"), ("none", "none")],
    ),
    "cutoff": ("Cutoff", [("", "none"), *((str(k), str(k)) for k in range(1, 21))]),
    "ideal": ("Ideal of", [("judged", "all judged"), ("ranked", "those retrieved")]),
}
EXAMPLES = [
    # its words, the notebook that has it, the name of its grades there
    ("System A", "concepts/gain", "boots"),
    ("System B", "concepts/gain", "others"),
    ("Two queries: query 1", "notes/two-queries", "q1"),
    ("Two queries: query 2", "notes/two-queries", "q2"),
    ("Five grades", "notes/five-grades", "grades"),
    ("The original table", "notes/original-table", "grades"),
    ("Fourteen ranks", "notes/fourteen-ranks", "grades"),
]

# How modules of JavaScript are read
COMMENT = re.compile(r"^[ \t]*(?://[^\n]*|/\*(?:(?!\*/).)*\*/[ \t]*)\n", re.MULTILINE | re.DOTALL)
CAST = re.compile(r"/\*\* @type (?:(?!\*/).)*\*/ ?")
IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([a-z-]+)\.js";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async function|function|const|class)\b)", re.MULTILINE)
NAMED = re.compile(r"^(export )?(?:(?:async )?function\*?|const|let|class) +([\w$]+)", re.MULTILINE)

FUNCTION = re.compile(r"^(?:async )?function\*? ([\w$]+)[^\n]*[({]\n(?:(?!\}).*\n)*\}\n", re.MULTILINE)
CONSTANT = re.compile(r"^const ([\w$]+) =(?:[^\n]*|\n[^\n]*|[^\n]*[\[{(]\n(?:[^\n\]})].*\n)*[\]})]+);\n", re.MULTILINE)

BEHIND = re.compile(r"^([^\"'`/]*[^\"'`/ ]) +//.*$")
QUOTED = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')""")
SIGN = re.compile(r"(?<=[\w)\]]) ([-+]) (?=[\w(\[])")
BLANKS = re.compile(r" *([=<>(){}\[\],;:?|&!*%]) *")
ENDS = ("(", "[", "{", ",", ";")  # behind these no line needs its end

REFUSED = {
    # what the text would have at the beginning of a line, or anywhere in it: what to write instead
    re.compile(r"^import\b", re.MULTILINE): 'expected import { a, b } from "./module.js"',
    re.compile(r"^export\b", re.MULTILINE): "expected export function, export const or export class",
    re.compile(r"^(?:var\b|(?:const|let) *[\[{])", re.MULTILINE): "expected one const, let, function or class",
    re.compile(r"\bimport *\("): "expected all imports at the top, as one script has no modules to load",
    re.compile(r"\bimport\.meta\b"): "expected document.currentScript.src, as one script has no import.meta",
    re.compile(r"^(?:\w+ \w+ = )?await\b", re.MULTILINE): "expected no await outside a function",
    re.compile(r"^[^`\n]*(?:`[^`\n]*`[^`\n]*)*`[^`\n]*$", re.MULTILINE): "expected a text in backticks on one line",
}


class JoinError(ValueError):
    """What cannot be joined, with its place."""


@dataclass(frozen=True)
class Module:
    """A module of `live/src`: its text without comments, imports and exports, and its names."""

    name: str
    text: str
    imports: tuple[tuple[str, tuple[str, ...]], ...]
    exports: frozenset[str]
    names: frozenset[str]


def read_module(folder: Path, name: str) -> Module:
    """Read a module; what cannot be joined is refused."""
    path = folder / f"{name}.js"
    source = path.read_text(encoding="utf-8")
    text = COMMENT.sub(lambda found: "\n" * found[0].count("\n"), source)
    imports = tuple((found[2], tuple(_words(found[1]))) for found in IMPORT.finditer(text))
    bare = IMPORT.sub(lambda found: "\n" * found[0].count("\n"), text)
    named = [(found[1], found[2]) for found in NAMED.finditer(bare)]
    bare = EXPORT.sub("", bare)
    for wrong, expected in REFUSED.items():
        found = wrong.search(bare)
        if found:
            line = bare.count("\n", 0, found.start()) + 1
            raise JoinError(f"{path.name}:{line}: {expected}, got {source.splitlines()[line - 1].strip()!r}")
    for _, words in imports:
        for word in words:
            if not re.fullmatch(r"[\w$]+", word):
                raise JoinError(f"{path.name}: expected imports without another name, got {word!r}")
    exports = frozenset(word for exported, word in named if exported)
    return Module(name, CAST.sub("", bare), imports, exports, frozenset(word for _, word in named))


def _words(text: str) -> list[str]:
    return [" ".join(word.split()) for word in text.split(",") if word.strip()]


def in_order(folder: Path, name: str, above: tuple[str, ...] = ()) -> Iterator[Module]:
    """What a module imports, directly or not, and then itself; each as often as it is imported."""
    if name in above:
        raise JoinError(f"{above[-1]}.js: expected modules in one direction, got {' -> '.join([*above, name])}")
    if not (folder / f"{name}.js").is_file():
        raise JoinError(f"{above[-1]}.js: expected a module in live/src, got ./{name}.js")
    module = read_module(folder, name)
    for other, words in module.imports:
        imported = list(in_order(folder, other, (*above, name)))
        yield from imported
        for word in words:
            if word not in imported[-1].exports:
                raise JoinError(f"{name}.js: expected a name that {other}.js exports, got {word}")
    yield module


def entries(folder: Path) -> list[str]:
    """The modules that are entries: those that export nothing, as they are imported nowhere."""
    return [path.stem for path in sorted(folder.glob("*.js")) if not EXPORT.search(path.read_text(encoding="utf-8"))]


def modules_of(folder: Path, entry: str) -> list[Module]:
    """The modules of an entry, in the order in which they are joined; a name at the top of two is refused."""
    if entry not in entries(folder):
        known = ", ".join(entries(folder)) or "none yet"
        raise JoinError(f"expected one of the entries in live/src ({known}), got {entry!r}")
    modules = list({module.name: module for module in in_order(folder, entry)}.values())
    owners: dict[str, str] = {}
    for module in modules:
        for word in sorted(module.names):
            if word in owners:
                raise JoinError(f"{module.name}.js: expected a name of its own, got {word}, as in {owners[word]}.js")
            owners[word] = module.name
    return modules


def joined(folder: Path, entry: str) -> str:
    """One classic script of an entry and all that it imports."""
    text = without_unused("".join(module.text for module in modules_of(folder, entry)))
    return f'(() => {{\n"use strict";\n{squeezed(text)}}})();\n'


def without_unused(text: str) -> str:
    """A text without the functions and constants that nothing in it names: a script has no use for all of a module.

    >>> without_unused("function a() {\\n}\\nfunction b() {\\n  a();\\n}\\nfunction c() {\\n}\\nc();\\n")
    'function c() {\\n}\\nc();\\n'
    """
    for found in (*FUNCTION.finditer(text), *CONSTANT.finditer(text)):
        name = re.compile(rf"(?<![\w$])(?<![a-z]-){re.escape(found[1])}(?![\w$]|-[a-z])")  # and not in ndcg-live
        if len(name.findall(text)) == len(name.findall(found[0])):
            return without_unused(text[: found.start()] + text[found.end() :])
    return text


def squeezed(text: str) -> str:
    """A text without indentation, blank lines, comments behind code, and blanks beside a sign.

    What is in quotes stays as it is; so does a line with backticks or slashes, which may be a text or a pattern.

    >>> squeezed('if (a) {\\n  b = "c = d";\\n\\n  e(); // f\\n  g(/h = i/);\\n}\\n')
    'if(a){b="c = d";e();g(/h = i/);\\n}\\n'
    """
    lines = (_squeezed_line(line.strip()) for line in text.splitlines() if line.strip())
    return "".join(line if line.endswith(ENDS) and "/" not in line else f"{line}\n" for line in lines)


def _squeezed_line(line: str) -> str:
    line = BEHIND.sub(r"\1", line)
    if "`" in line or "/" in line:
        return line
    pieces = QUOTED.split(line)
    pieces[::2] = [BLANKS.sub(r"\1", SIGN.sub(r"\1", piece)) for piece in pieces[::2]]
    return "".join(pieces)


def style(name: str) -> str:
    """A style without comments, indentation, and blanks that say nothing."""
    text = re.sub(r"/\*.*?\*/", "", (STYLES / f"{name}.css").read_text(encoding="utf-8"), flags=re.DOTALL)
    lines = [_squeezed(line.strip()) for line in text.splitlines() if line.strip()]
    return "".join(line if line.endswith(("{", "}", ";", ",")) else f"{line}\n" for line in lines)


def _squeezed(line: str) -> str:
    return line if '"' in line else re.sub(r": +", ":", re.sub(r" *([{};,>]) *", r"\1", line))


class AnyOption(dict[str, Any]):
    """Options of any name, each with its text."""

    def __missing__(self, name: str) -> Any:
        if name == "live" or not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
            raise KeyError(name)
        return directives.unchanged

    def __bool__(self) -> bool:
        """Whether there are options, as the parser asks."""
        return True


class Live(nodes.General, nodes.Element):  # type: ignore[misc]
    """A place for something live; in it, what is there without a script."""


class LiveDirective(SphinxDirective):
    """A place for something live: its entry, options for the script, and what is there without one."""

    required_arguments = 1
    has_content = True
    option_spec = AnyOption()

    def run(self) -> list[nodes.Node]:
        """Make the place."""
        entry = self.arguments[0]
        if not "".join(self.content).strip():
            raise self.error(f"live: expected what paper and a page without a script show of {entry!r}, got nothing")
        try:
            modules_of(SOURCES, entry)
        except JoinError as error:
            raise self.error(f"live: {error}") from None
        place = Live(entry=entry, options=self.options)
        self.set_source_info(place)
        self.state.nested_parse(self.content, self.content_offset, place)
        if label := place["options"].pop(FOLD, ""):
            place[:] = [folded(place.children, label, "ndcg-code")]
        return [place]


def visit_html(self: HTML5Translator, node: Live) -> None:
    """Begin the place, and in it what a script replaces."""
    options = {f"data-{name}": value or "" for name, value in node["options"].items()}
    if LATER in node["options"]:
        static = relative_uri(self.builder.get_target_uri(self.builder.current_docname), "_static/")
        files = files_of([node["entry"]], [node]).items()
        options[f"data-{LATER}"] = " ".join(f"{static}{name}?v={crc32(text.encode()):x}" for name, text in files)
    self.body.append(self.starttag({}, "div", CLASS="ndcg-live", **{"data-live": node["entry"]}, **options))
    self.body.append('<div class="ndcg-live-without">\n')


def depart_html(self: HTML5Translator, node: Live) -> None:
    """End both."""
    self.body.append("</div></div>\n")


def visit_static(self: Any, node: Live) -> None:
    """Show what is in the place, and nothing else."""


def tags(doctree: nodes.document) -> Iterator[tuple[nodes.container, str]]:
    """Each cell with a tag of something live, and the tag."""
    for cell in doctree.findall(nodes.container):
        for kind in list(cell["classes"]):
            if kind.startswith(TAG):
                yield cell, kind


def live_places(doctree: nodes.document, *, later: bool) -> list[Live]:
    """The places that load their files when the reader first comes to them, or those that load them with the page."""
    return [place for place in doctree.findall(Live) if (LATER in place["options"]) == later]


def asked_for(doctree: nodes.document) -> list[str]:
    """The entries that a page loads, each once."""
    found = [place["entry"] for place in live_places(doctree, later=False)]
    return list(dict.fromkeys([*found, *(kind.removeprefix(TAG) for _, kind in tags(doctree))]))


def styles_of(entries: list[str], where: list[Live]) -> list[str]:
    """The shared style, if there is a place for something live, and the styles of the modules that are joined."""
    names = dict.fromkeys(module.name for entry in entries for module in modules_of(SOURCES, entry))
    return [*([SHARED_STYLE] if where else []), *(name for name in names if (STYLES / f"{name}.css").is_file())]


def files_of(entries: list[str], where: list[Live]) -> dict[str, str]:
    """What entries load, by name: styles, then scripts."""
    styles = {"live.css" if name == SHARED_STYLE else f"live-{name}.css": name for name in styles_of(entries, where)}
    return {name: style(each) for name, each in styles.items()} | {
        f"live-{entry}.js": joined(SOURCES, entry) for entry in entries
    }


def note_sources(app: Sphinx, doctree: nodes.document) -> None:
    """Build a page again when what it loads has changed; a tag that asks for no entry is a warning."""
    for cell, kind in tags(doctree):
        try:
            modules_of(SOURCES, kind.removeprefix(TAG))
        except JoinError as error:
            LOGGER.warning("tag of a cell: %s", error, location=cell)
            cell["classes"].remove(kind)
    later = live_places(doctree, later=True)
    for entry in [*asked_for(doctree), *(place["entry"] for place in later)]:
        for module in modules_of(SOURCES, entry):
            app.env.note_dependency(str(SOURCES / f"{module.name}.js"))
        for name in styles_of([entry], list(doctree.findall(Live))):
            app.env.note_dependency(str(STYLES / f"{name}.css"))


def add_files(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Write the scripts and styles that a page asks for, and load those that are not for later."""
    if doctree is None:
        return
    for name, text in files_of(asked_for(doctree), live_places(doctree, later=False)).items():
        _write(app, name, text)
        if name.endswith(".css"):
            app.add_css_file(name)
        else:
            app.add_js_file(name, loading_method="defer")
    for place in live_places(doctree, later=True):
        for name, text in files_of([place["entry"]], [place]).items():
            _write(app, name, text)


def _write(app: Sphinx, name: str, text: str) -> None:
    path = Path(app.outdir, "_static", name)
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")


def example(notebook: Path, name: str) -> list[dict[str, Any]]:
    """The ranking that a notebook names: title and grade of each result."""
    for cell in read_notebook(notebook).code:
        for line in ast.parse(cell.source).body if "%" not in cell.source[:1] else []:
            if isinstance(line, ast.Assign) and ast.unparse(line.targets[0]) == name:
                found = ast.literal_eval(line.value)
                if not isinstance(found, dict):
                    found = {f"Result {rank}": grade for rank, grade in enumerate(found, start=1)}
                return [{"title": title, "grade": grade} for title, grade in found.items()]
    raise ValueError(f"{notebook}: expected a ranking named {name!r}, found none")


def _choice(name: str, label: str, options: Iterable[str]) -> str:
    return f'<label>{label} <select name="{name}" autocomplete="off">{"".join(options)}</select></label>'


def _choices(names: Sequence[str], rule: Mapping[str, Any], book: Path) -> Iterator[str]:
    """The menus, each with the value that the drawing has."""
    for name in names:
        if name == "example":
            rankings = ((words, json.dumps(example(book / f"{place}.ipynb", key))) for words, place, key in EXAMPLES)
            options = [
                f'<option value="{i}" data-docs="{escape(docs)}">{escape(words)}</option>'
                for i, (words, docs) in enumerate(rankings)
            ]
            yield _choice(name, "Example", options)
            continue
        label, values = CHOICES[name]
        now = str(rule.get(name) or values[0][0])
        yield _choice(
            name,
            label,
            (f'<option value="{value}"{" selected" * (value == now)}>{words}</option>' for value, words in values),
        )


def panel(drawing: Mapping[str, Any], wanted: Mapping[str, Any], book: Path) -> str:
    """All that is below a drawing, as HTML."""
    buttons = "".join(
        f'<button type="button" data-does="{does}">{BUTTONS[does]}</button>' for does in wanted.get("tools", BUTTONS)
    )
    choices = "".join(_choices(wanted.get("choices", ()), drawing["rankings"][0]["rule"], book))
    return "\n".join(
        [
            f'<div class="ndcg-editing" data-task="{wanted["task"]}" data-hint="{HINT}" data-below="{BELOW}"'
            f"{' data-best' if wanted.get('best') else ''}>",
            '<p class="ndcg-working"></p>',
            '<p class="ndcg-said"><noscript>With JavaScript, this ranking can be edited.</noscript></p>',
            f'<div class="ndcg-tools" role="group" aria-label="Change the ranking">{buttons}</div>',
            f'<div class="ndcg-choices" role="group" aria-label="Choices">{choices}</div>' if choices else "",
            f'<p class="ndcg-task"><strong>Try it:</strong> {TASKS[wanted["task"]]} <span>So far 0 changes.</span></p>',
            "</div>",
        ]
    )


def add_panels(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Put a panel below the drawing of each cell with the tag, and above it the guess."""
    if app.builder.format != "html":
        return
    for cell in list(doctree.findall(nodes.container)):
        if RANKING in cell["classes"]:
            wanted = cell["cell_metadata"]["ndcg_ref"]["ranking"]
            (drawing,) = cell.findall(Drawing)
            place, text = drawing.parent.index(drawing), panel(drawing["drawing"], wanted, Path(app.srcdir, "book"))
            drawing.parent.insert(place + 1, nodes.raw("", text, format="html"))
            if wanted.get("guess"):
                drawing.parent.insert(place, nodes.raw("", GUESS, format="html"))


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the directive, and what loads the scripts."""
    static = (visit_static, visit_static)
    app.add_node(Live, html=(visit_html, depart_html), latex=static, text=static)
    app.add_directive("live", LiveDirective)
    app.connect("doctree-read", note_sources)
    app.connect("html-page-context", add_files)
    app.connect("doctree-resolved", add_panels)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
