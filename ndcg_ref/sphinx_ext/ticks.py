"""Put ticks into the prose: after what links to a verdict, at formulas and in tables that a check repeats.

The labels of verdicts hold within their page, also where all pages are written as one book.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from docutils import nodes
from sphinx.transforms import SphinxTransform
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.nodes import make_refnode

from ndcg_ref.sphinx_ext.verdict_nodes import JOINED, add_row_ticks, broken, results, ticked, ticked_line
from ndcg_ref.stated.display import MARKS, Outcome, Record

Texts = tuple[tuple[str, ...], ...]


class Anchors(SphinxTransform):
    """Let Markdown link to a verdict as to a heading."""

    default_priority = 840  # before MyST resolves links

    def apply(self, **kwargs: Any) -> None:
        """Add the label of each verdict to those of the page."""
        found = [each for each in self.document.findall(nodes.Element) if "verdict" in each]
        if found:
            anchors = getattr(self.document, "myst_slugs", {})
            anchors |= {label: (each.line, label, label) for each in found for label in each["ids"]}
            self.env.metadata[self.env.docname]["myst_slugs"] = anchors


@dataclass(frozen=True)
class Judged:
    """What is judged on a page: verdicts by label, printed lines, and tables with the verdicts of their cells."""

    records: dict[str, Record] = field(default_factory=dict)
    lines: dict[str, list[Record]] = field(default_factory=dict)
    tables: dict[Texts, list[list[Record | None]]] = field(default_factory=dict)

    def add(self, payload: Mapping[str, Any]) -> None:
        """Add an output."""
        records = payload["verdicts"]
        self.records.update({record["label"]: record for record in records})
        if records and "printed" in payload:
            self.lines[bare(payload["printed"])] = results(records)
        if "table" in payload:
            rows = payload["table"]["rows"]
            cells = [[None if isinstance(cell, str) else records[cell] for cell in row] for row in rows]
            texts = [[cell if isinstance(cell, str) else records[cell]["stated"] for cell in row] for row in rows]
            self.tables[texts_of([payload["table"]["heading"], *texts])] = cells

    def equations(self, tex: str, in_prose: Mapping[int, Record]) -> list[Record]:
        """The verdicts on a displayed formula: on the whole of it, or on each equation, the prose having the others."""
        if whole := self.lines.get(bare(tex)):
            return whole
        found = {
            i: self.lines[bare(each)][0] for i, each in enumerate(equations_of(tex), 1) if bare(each) in self.lines
        }
        return [record for _, record in sorted({**in_prose, **found}.items())] if found else []


def equations_of(tex: str) -> list[str]:
    r"""The equations of a displayed formula; a line that goes on with a sign belongs to the one before.

    >>> equations_of(r"a &= 1 \\ &\quad + 2 = 3 \\ b &= 4")
    ['a &= 1 \\\\ &\\quad + 2 = 3 ', ' b &= 4']
    """
    return re.split(rf"\\\\(?:\[[^\]]*\])?(?!{GOES_ON})", re.sub(ENVIRONMENT, "", tex))


ENVIRONMENT = r"\\(?:begin|end)\{(?:aligned|align\*?|split|gather(?:ed)?\*?)\}"
GOES_ON = r"(?:[\s&]|\\quad)*(?:[-+−*/=≈<>]|\\(?:cdot|times|approx|simeq|le|ge)(?![A-Za-z]))"


def bare(tex: str) -> str:
    r"""A formula without what only sets it: spaces, alignment, line ends, and a full stop behind.

    >>> bare(r"\begin{aligned} a &= 1 \\ &\quad + 2.5. \end{aligned}")
    'a=1+2.5'
    """
    return re.sub(rf"{ENVIRONMENT}|\\quad(?![a-z])|\\\\|[\s&]", "", tex).rstrip(".,;")


def texts_of(rows: list[list[str]]) -> Texts:
    """The cells of a table, without spaces and dollars, and with the quotes that are typed."""
    return tuple(tuple(re.sub(r"[\s$]", "", cell).translate(QUOTES) for cell in row) for row in rows)


QUOTES = {0x2018: "'", 0x2019: "'", 0x201C: '"', 0x201D: '"'}


class Ticks(SphinxPostTransform):
    """Add the ticks, and link each cause of a slip to its explanation."""

    default_priority = 150  # after references are resolved, and before cells are folded

    def run(self, **kwargs: Any) -> None:
        """Change every page."""
        judged: dict[nodes.Node, Judged] = defaultdict(Judged)
        for output in self.document.findall(is_output):
            judged[page_of(output)].add(output["payload"])
        for page, found in judged.items():
            for link in prose(page, nodes.reference):
                if link.get("refid") in found.records:
                    link.replace_self(ticked(*link.children, record=found.records[link["refid"]]))
            tick_formulas(page, found)
            tick_tables(page, found)
        self.link_causes()
        if self.app.builder.format != "html":
            for each in list(self.document.findall(is_tick)):
                plain(each, self.app.builder.format)

    def link_causes(self) -> None:
        """Link each cause, or the first of a pair, to the label `cause-CODE`, where the book has it."""
        labels = self.env.get_domain("std").anonlabels  # type: ignore[attr-defined]
        for chip in list(self.document.findall(lambda node: isinstance(node, nodes.inline) and "cause" in node)):
            page, label = labels.get(f"cause-{chip['cause'].partition('+')[0]}", ("", ""))
            if page:
                text = nodes.inline("", "", *chip.children)
                chip[:] = [make_refnode(self.app.builder, self.env.docname, page, label, text)]


def around(node: nodes.Node) -> Iterator[nodes.Element]:
    """The elements that a node is in, the nearest first."""
    while (node := node.parent) is not None:
        yield node


def line_of(node: nodes.Node) -> int:
    """The line on which the block begins that a node is in."""
    return next((each.line for each in (node, *around(node)) if each.line), 0)


def page_of(node: nodes.Node) -> nodes.Node:
    """The page that a node is on; its root, also where Sphinx has put many pages into one tree."""
    return [node, *around(node)][-1]


def is_output(node: nodes.Node) -> bool:
    """Whether a node is an output with verdicts."""
    return isinstance(node, nodes.container) and "payload" in node


def of_class(kind: type[nodes.Element], name: str) -> Callable[[nodes.Node], bool]:
    """Whether a node is an element of a kind and of a class."""
    return lambda node: isinstance(node, kind) and name in node["classes"]


is_tick = of_class(nodes.reference, "ndcg-tick")


def prose(page: nodes.Node, kind: type[nodes.Element]) -> Iterator[nodes.Element]:
    """The elements of a kind on a page that are in no output, heading or link; they may be replaced meanwhile."""
    for each in list(page.findall(kind)):
        if page_of(each) is not page:  # one of the pages below the first one, in LaTeX
            continue
        above = each.parent
        while above is not page and not is_output(above) and not isinstance(above, nodes.title | nodes.reference):
            above = above.parent
        if above is page:
            yield each


def tick_formulas(page: nodes.Node, judged: Judged) -> None:
    """Add a tick to each formula that is a printed line."""
    for formula in prose(page, nodes.math):
        if found := judged.lines.get(bare(formula.astext())):
            formula.replace_self(ticked(formula.deepcopy(), record=found[0]))
    for formula in prose(page, nodes.math_block):
        in_prose = formula.get("stated", {})
        if found := judged.equations(formula.astext(), in_prose):
            own = [record["label"] for record in found if record in in_prose.values()]
            line = nodes.container(classes=["ndcg-line"], ids=own)
            formula.replace_self(line)
            if r"\\" not in formula.astext():
                formula[:] = [nodes.Text(broken(formula.astext()))]
            line += ticked_line(formula, *found)


def tick_tables(page: nodes.Node, judged: Judged) -> None:
    """Add a tick to each row of a table that a check repeats, at its last judged cell; to each if one is wrong."""
    for table in prose(page, nodes.table):
        rows = [list(row.children) for row in table.findall(nodes.row)]
        cells = judged.tables.get(texts_of([[entry.astext() for entry in row] for row in rows]))
        for row, records in zip(rows[1:], cells or [], strict=False):
            pairs = zip(row, records, strict=True)
            add_row_ticks([(entry[-1], record) for entry, record in pairs if record is not None and entry.children])


def plain(link: nodes.Element, written_as: str) -> None:
    """Turn a tick into its mark, for paper and for text."""
    mark = nodes.inline("", "", *link.children, classes=link["classes"])
    before = link.parent.children[link.parent.index(link) - 1]
    if before == JOINED:
        link.parent.remove(before)
    in_margin = "ndcg-margin" in link.parent["classes"]
    margin = next((each for each in around(link) if "ndcg-margins" in each.get("classes", ())), link.parent)
    link.replace_self(mark)
    if in_margin and written_as == "latex" and not any(margin.findall(is_tick)):
        formula = margin.parent[margin.parent.index(margin) - 1]
        beside(formula, "".join(margin.astext().split()))
        margin.parent.remove(margin)


def beside(formula: nodes.Element, signs: str) -> None:
    """Set the marks of a displayed formula at the right, as LaTeX sets a number."""
    mark = "".join(r"\checkmark" if each == MARKS[Outcome.AGREES] else rf"\text{{{each}}}" for each in signs)
    if formula["number"]:
        text = rf"{formula.astext().strip()} \quad {mark}"
    else:
        formula["nowrap"] = True
        body = rf"\begin{{split}}{formula.astext().strip()}\end{{split}}"
        text = rf"\begin{{equation*}}{body}\tag*{{${mark}$}}\end{{equation*}}"
    formula[:] = [nodes.Text(text)]
