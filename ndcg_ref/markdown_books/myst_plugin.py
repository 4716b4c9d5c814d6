"""An executable plugin for mystmd: the role and the directive `ndcg`, and a transform that marks a page's verdicts.

mystmd starts it without arguments for its specification, and with ``--role NAME``, ``--directive NAME`` or
``--transform NAME`` to hand it JSON. If a plugin fails, the page vanishes, and the build ends well all the same. So
nothing fails here: what is wrong with a page is kept in its tree, where `ndcg_ref.markdown_books.myst_pages` reads it.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ndcg_ref.conventions.validation import as_bug
from ndcg_ref.markdown_books.places import Mark, marks_in, source_of
from ndcg_ref.sphinx_ext.prose_numbers import line_of, pieces, said_of, stated_in, unused
from ndcg_ref.sphinx_ext.typed import judged_lines, option_names
from ndcg_ref.stated.checks import problem_of
from ndcg_ref.stated.display import MARKS, MIME, Outcome, Record, bundle, slug
from ndcg_ref.stated.grammar import judged_number
from ndcg_ref.stated.stored_notebook import notebook_of
from ndcg_ref.stated.verdict import Verdict

Node = dict[str, Any]

KEY = "ndcg"  # of what this plugin keeps in the data of a node
FORMULAS = ("math", "inlineMath", "inlineCode")
PROSE = ("text", *FORMULAS)


def specification() -> dict[str, Any]:
    """What mystmd has to know, with the options of all subjects that are registered."""
    text = {"type": "string"}
    return {
        "name": "Verdicts on stated numbers",
        "roles": [{"name": "ndcg", "body": {**text, "required": True}}],
        "directives": [{"name": "ndcg", "arg": text, "options": dict.fromkeys(option_names(), text), "body": text}],
        "transforms": [{"name": "ndcg", "stage": "document"}],
    }


def answered(kind: str, given: Any) -> Any:
    """What the role, the directive or the transform answers to what mystmd has given."""
    try:
        return {"role": role, "directive": directive, "transform": transform}[kind](given)
    except Exception as error:
        said = str(error) if kind != "transform" and isinstance(error, ValueError | TypeError) else as_bug(error)
    if kind == "transform":
        return {**given, "data": {KEY: {"problem": said}}}
    shown = {"type": "inlineCode" if kind == "role" else "code", "value": given["node"].get("value", "")}
    return [kept(shown, given["node"], problem=said)]


def role(given: Mapping[str, Any]) -> list[Node]:
    """The number that a role has, with its tick; a slip is struck through, with what is right behind it."""
    verdict = judged_number(given["node"]["value"])
    record = verdict.record()
    stated = text(record["stated"])
    if record["outcome"] == Outcome.SLIP:
        stated = element("span", element("delete", stated), text(f" {record['correct'] or ''}"))
    return [kept(ticked(stated, record=record), given["node"], [(verdict, "slip={}")])]


def directive(given: Mapping[str, Any]) -> list[Node]:
    """The equation or the table that a directive has, shown as a cell does that checks it."""
    node = given["node"]
    options = {name: str(value) for name, value in (node.get("options") or {}).items()}
    verdicts, layout = judged_lines((node.get("value") or "").splitlines(), node.get("args") or "", options)
    line = [{"type": "math", "value": layout["printed"]}] if "printed" in layout else []
    html = bundle([verdict.record() for verdict in verdicts], None if line else layout)["text/html"]
    shown = element("div", *line, {"type": "html", "value": re.sub(' id="[^"]*"', "", html)}, classes="ndcg-output")
    return [kept(shown, node, [(verdict, ":slip: {}") for verdict in verdicts])]


def transform(tree: Node) -> Node:
    """A page with its marks, at whose root is all that `ndcg-ref myst check` lists."""
    leaves = list(leaves_of(tree))
    said = [leaf["data"][KEY]["typed"] if KEY in leaf.get("data", {}) else str(leaf["value"]) for leaf, _ in leaves]
    path = source_of(said, Path.cwd())
    page = Page(path) if path else None
    if page:
        page.mark(tree, [each for each in leaves if each[0]["type"] in PROSE and KEY not in each[0].get("data", {})])
    missed = "found no file with the text of this page (is most of it included?)" if any(said) and not page else ""
    if page and page.has_checks and '"jupyter_data"' not in json.dumps(tree):
        missed = "its cells have not been run (store their outputs, or build with --execute)"
    found = {"entries": page.entries if page else [], "problem": missed}
    return {**tree, "data": {**tree.get("data", {}), KEY: found}}


def text(value: str) -> Node:
    """A text."""
    return {"type": "text", "value": value}


def element(kind: str, *children: Node, classes: str = "", **more: Any) -> Node:
    """A node with others in it."""
    return {"type": kind, "children": list(children), **({"class": classes} if classes else {}), **more}


def ticked(*content: Node, record: Record) -> Node:
    """Content with the mark of a verdict behind it, which says what was found."""
    sign = {"type": "abbreviation", "title": said_of(record), "children": [text(MARKS[Outcome(record["outcome"])])]}
    mark = element("span", sign, classes=f"ndcg-tick ndcg-{record['outcome']}")
    return element("span", *content, mark, classes="ndcg-ticked")


def kept(node: Node, given: Node, verdicts: Sequence[tuple[Verdict, str]] = (), problem: str = "") -> Node:
    """A node with what the transform has to know: its line and what a role had, each record and what is wrong."""
    line = given.get("position", {}).get("start", {}).get("line", 1)
    judged = [(verdict.record(), problem_of(verdict, "page", form)) for verdict, form in verdicts]
    typed = given.get("value") or ""
    return {**node, "data": {KEY: {"judged": judged, "problem": problem, "line": line, "typed": typed}}}


def leaves_of(node: Node, is_free: bool = True) -> Iterator[tuple[Node, bool]]:
    """What of a page has a text in its file, in their order, with whether numbers in it may have marks."""
    if "value" in node or KEY in node.get("data", {}):
        yield node, is_free
    else:
        for child in node.get("children", ()):
            yield from leaves_of(child, is_free and node["type"] not in ("link", "heading"))


class Page:
    """What is found on a page: entries, which have a record, its place and what is wrong with it, and labels."""

    def __init__(self, path: Path) -> None:
        self.source, self.suffix = path.read_text(encoding="utf-8-sig"), path.suffix
        self.name = slug(str(path.relative_to(Path.cwd()).with_suffix(""))).removeprefix("verdict-")
        self.has_checks = path.suffix == ".ipynb" and bool(re.search(r"(?:from|import) ndcg_ref\b", self.source))
        self.entries: list[dict[str, Any]] = []
        self.records: dict[str, Record] = {}  # by label

    def mark(self, tree: Node, leaves: Sequence[tuple[Node, bool]]) -> None:
        """Give each verdict its label and a node to link to; then mark the numbers of the prose, and the links."""
        cells = [cell.source for cell in notebook_of(self.source).cells] if self.suffix == ".ipynb" else []
        for at, block in enumerate(tree["children"]):
            own = "".join(cells[at : at + 1]) if cells else self.source
            self.label(block, at + 1 if cells else 0, own.splitlines())
        pairs = []
        for each in stated_in(self.source, self.suffix):
            record = self.enter(each.verdict.record(), each.cell, each.finding.line, each.problem[1], "prose")
            pairs += [(each, record)] if each.is_marked else []
        marks = marks_in([(leaf["value"], leaf["type"] in FORMULAS) for leaf, _ in leaves], pairs)
        made = {id(leaves[at][0]): self.marked(leaves[at][0], each) for at, each in marks.items() if leaves[at][1]}
        self.replace(tree, made)

    def label(self, node: Node, cell: int, lines: list[str]) -> None:
        """Enter the verdicts in a node, each with a node to link to before what shows it."""
        children: list[Node] = []
        for child in node.get("children", ()):
            records = [self.enter(record, cell, 0, problem) for record, problem in stored_in(child)]
            if KEY in child.get("data", {}):
                own = child["data"][KEY]
                line = own["line"] if child["type"] in ("div", "code") else line_of(own["typed"], lines, own["line"])
                problems = [own["problem"]] if own["problem"] else []
                self.entries += [{"cell": cell, "line": line, "problem": each, "record": None} for each in problems]
                records += [self.enter(record, cell, line, problem) for record, problem in own["judged"]]
            else:
                self.label(child, cell, lines)
            children += [*map(self.anchor, records), child]
        node.update({"children": children} if children else {})

    def enter(self, record: Record, cell: int, line: int, problem: str, kind: str = "verdict") -> Record:
        """Enter a verdict, and give it a label that no other one of the page has."""
        record = {**record, "label": unused(record["label"].replace("verdict", kind, 1), self.records)}
        self.records[record["label"]] = record
        self.entries.append({"cell": cell, "line": line, "problem": problem, "record": record})
        return record

    def anchor(self, record: Record, *children: Node) -> Node:
        """A node to link to: in the book by the names of its page and its label, on the page by its label alone."""
        name = f"{self.name}-{record['label']}"
        kind = f"ndcg-verdict ndcg-{record['outcome']}"
        return element("span", *children, classes=kind, identifier=name, label=name, html_id=record["label"])

    def marked(self, leaf: Node, marks: Sequence[Mark]) -> list[Node]:
        """A text in pieces, its numbers with their ticks; or a formula, with one tick."""
        if leaf["type"] in FORMULAS:
            record = marks[0].record
            if leaf["type"] != "math":
                return [self.anchor(record, ticked(leaf, record=record))]
            return [leaf, element("paragraph", self.anchor(record, ticked(record=record)), classes="ndcg-margin")]
        return [
            text(piece) if record is None else self.anchor(record, ticked(text(piece), record=record))
            for piece, record in pieces(leaf["value"], marks)
        ]

    def replace(self, node: Node, made: Mapping[int, list[Node]]) -> None:
        """Put what was made in the place of nodes, and a tick behind each link to a verdict of the page."""
        children: list[Node] = []
        for child in node.get("children", ()):
            label = child.get("url", "").removeprefix("#") if child["type"] == "link" else ""
            if label in self.records:
                children.append(ticked({**child, "url": f"#{self.name}-{label}"}, record=self.records[label]))
            else:
                self.replace(child, made)
                children += made.get(id(child), [child])
        node.update({"children": children} if children else {})


def stored_in(node: Node) -> list[tuple[Record, str]]:
    """The records that the outputs of a cell have, each with what is wrong with it, if anything."""
    outputs = node.get("children", ()) if node["type"] == "outputs" else ()
    found = [(each.get("jupyter_data") or {}).get("data", {}).get(MIME) for each in outputs]
    payloads = [json.loads(each) if isinstance(each, str) else each for each in found if each]
    slip = "{}: a slip that the cell does not declare"
    return [
        (record, slip.format(record["line"]) if record["outcome"] == Outcome.SLIP and not record["declared"] else "")
        for payload in payloads
        for record in payload["verdicts"]
    ]
