"""Fold what checks and draws: the checks of a section behind one line at its end, code under a label that says what.

A cell tagged `hide-cell` whose verdicts agree goes into the fold of its section, which shows a table of what was stated
and computed, and the code in a fold of its own. A verdict of such a cell that does not agree stays open, where the cell
was. A cell tagged `solution` stays as it is, unless another extension has given it the class `ndcg-of-solutions`: these
have one fold together. A cell with a prompt of its own stays as well.
"""

from collections import defaultdict
from collections.abc import Sequence
from html import escape
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from ndcg_ref.sphinx_ext.ticks import around, is_output, of_class
from ndcg_ref.sphinx_ext.verdict_nodes import found_table, mark_as
from ndcg_ref.stated.display import MARKS, Outcome, Record

PROMPT = "Show code cell {type}"  # of MyST-NB, where a cell or a book has none of its own
DRAWN, CHECKED, TABLED = "How the figure is drawn", "How these numbers were checked", "How the table is made"
CODE = "The code"
OF_SOLUTIONS = "ndcg-of-solutions"
is_evidence = of_class(nodes.container, "ndcg-evidence")
are_causes = of_class(nodes.paragraph, "ndcg-causes")
is_question = of_class(nodes.Element, "ndcg-question")  # to the reader


class Fold(nodes.container):  # type: ignore[misc]
    """What a page shows when it is asked for, under the line `summary`; in print all is open, after that line."""


class Folds(SphinxPostTransform):
    """Fold the cells of every page."""

    default_priority = 160  # after the ticks, and before MyST-NB hides cells (199)

    def run(self, **kwargs: Any) -> None:
        """Gather the checks of each section, and fold all else that is hidden under a line of its own."""
        sections: dict[tuple[nodes.Element, bool], list[nodes.Element]] = defaultdict(list)
        hidden = list(self.document.findall(is_hidden))
        for cell in hidden:
            if cell["hide_mode"] == "all":
                sections[section_of(cell), OF_SOLUTIONS in cell["classes"]].append(cell)
        for (section, of_solutions), cells in sections.items():
            if of_solutions or any(records_of(cell) for cell in cells):
                self.gather(section, cells, of_solutions)
        if self.app.builder.format == "html":
            for cell in hidden:
                fold_code(cell)
            for box in list(self.document.findall(is_evidence)):
                box.replace_self(folded(box.children, "Evidence", "ndcg-evidence"))
        else:
            for chips in list(self.document.findall(are_causes)):
                chips.parent.remove(chips)  # the evidence is below, open, and says the same

    def gather(self, section: nodes.Element, cells: Sequence[nodes.Element], of_solutions: bool) -> None:
        """Move the cells of a section into one fold at its end; what does not agree stays."""
        for cell in cells:
            for output in list(cell.findall(is_output)):
                if any(record["outcome"] != Outcome.AGREES for record in output["payload"]["verdicts"]):
                    output.parent.remove(output)
                    cell.parent.insert(cell.parent.index(cell), nodes.container("", output, classes=["cell_output"]))
            cell.parent.remove(cell)
            del cell["hide_mode"]
        records = [record for cell in cells for record in records_of(cell)]
        others = [record for each in section[: end_of(section)] for record in records_of(each)]
        some_open = not of_solutions and any(record["outcome"] != Outcome.AGREES for record in others)
        place = "of the solutions" if of_solutions else "above" if is_introduction(section) else "of this section"
        line = all_agree(records, some_open, place) if records else CHECKED
        if self.app.builder.format == "html":
            sign, content = (f"{MARKS[Outcome.AGREES]} ", evidence(cells)) if records else ("", cells)
            last: nodes.Element = folded(content, sign + line, "ndcg-checked")
        else:
            last = on_paper(cells, line) if records else nodes.paragraph()
        if of_solutions:
            last["classes"].append(OF_SOLUTIONS)
        if last.children:
            put_at_end(section, last)


def folded(content: Sequence[nodes.Node], summary: str, kind: str) -> Fold:
    """Nodes in a fold."""
    return Fold("", *content, summary=summary, classes=[kind])


def evidence(cells: Sequence[nodes.Element]) -> Sequence[nodes.Node]:
    """What cells found: a table of the numbers, the statements, and the code, with what else it shows, in a fold."""
    records = [record for cell in cells for record in records_of(cell)]
    numbers = [record for record in records if record["kind"] != "sentence"]
    found = [each for cell in cells for each in cell.findall(addnodes.index)]
    found += [found_table(numbers)] if numbers else []
    for record in (record for record in records if record["kind"] == "sentence"):
        found.append(mark_as(nodes.paragraph(text=f"{MARKS[Outcome.AGREES]} {record['stated']}"), record))
    for output in [each for cell in cells for each in cell.findall(is_output)]:
        output.parent.remove(output)
    for shown in [each for cell in cells for each in cell.children if not each.children]:
        shown.parent.remove(shown)
    return [*found, folded(cells, CODE, "ndcg-code")]


def fold_code(cell: nodes.Element) -> None:
    """Fold the code of a cell, below what it shows, or all of it, unless it is in the fold of its section."""
    mode = cell.attributes.pop("hide_mode", None)
    if mode == "all":
        cell[:] = [folded(cell.children, label_of(cell), "ndcg-code")]
    elif mode:
        code, *shown = cell.children
        cell[:] = [*shown, folded([code], label_of(cell), "ndcg-code")]


def is_hidden(node: nodes.Node) -> bool:
    """Whether a node is a cell that is hidden, and its fold has no name yet."""
    return (
        isinstance(node, nodes.container)
        and node.get("hide_mode") in ("input", "all")
        and node.get("prompt_show") == PROMPT
        and ("tag_solution" not in node["classes"] or OF_SOLUTIONS in node["classes"])
    )


def label_of(cell: nodes.Element) -> str:
    """What the code of a cell does."""
    if any(map(is_drawn, cell.findall())):
        return DRAWN
    if records_of(cell):
        return CHECKED
    return TABLED if next(cell.findall(nodes.table), None) else CODE


def is_drawn(node: nodes.Node) -> bool:
    """Whether a node is a picture, or the drawing of a ranking."""
    vector = isinstance(node, nodes.raw) and "<svg" in node.astext()
    ranking = isinstance(node, nodes.container) and "drawing" in node
    return vector or ranking or isinstance(node, nodes.image | nodes.figure)


def records_of(node: nodes.Element) -> list[Record]:
    """The records of all verdicts in a node."""
    return [record for output in node.findall(is_output) for record in output["payload"]["verdicts"]]


def section_of(cell: nodes.Element) -> nodes.Element:
    """The section below the title of the page that a cell is in, or the page's own before the first one."""
    found = [each for each in around(cell) if isinstance(each, nodes.section | nodes.document)]
    sections = [each for each in found if isinstance(each, nodes.section)] or found
    return sections[-2:][0]


def is_introduction(section: nodes.Element) -> bool:
    """Whether this is the text before the first section of a page."""
    return not isinstance(section.parent, nodes.section)


def all_agree(records: Sequence[Record], some_open: bool, place: str = "of this section") -> str:
    """How many verdicts agree, in a line.

    >>> number, statement = {"kind": "number"}, {"kind": "sentence"}
    >>> all_agree([number] * 15 + [statement] * 2, False)
    'All 15 numbers and 2 statements of this section agree'
    >>> all_agree([number] + [statement] * 2, False)
    'The 1 number and 2 statements of this section agree'
    >>> all_agree([number] * 2 + [statement] * 2, False)
    'The 2 numbers and 2 statements of this section agree'
    >>> all_agree([statement], False), all_agree([number] * 2, False, "above")
    ('The statement of this section agrees', 'Both numbers above agree')
    >>> all_agree([number], True), all_agree([number] * 3, True)
    ('The other number of this section agrees', 'The other 3 numbers of this section agree')
    """
    statements = sum(record["kind"] == "sentence" for record in records)
    counts = {"number": len(records) - statements, "statement": statements}
    total = len(records)
    kinds = [kind if count == 1 else f"{kind}s" for kind, count in counts.items() if count]
    counted = " and ".join(f"{count} {kind}" for count, kind in zip(filter(None, counts.values()), kinds, strict=True))
    if total == 1:
        return f"The {'other ' if some_open else ''}{kinds[0]} {place} agrees"
    if total == 2 == len(kinds):
        return f"The {'other ' if some_open else ''}number and statement {place} agree"
    if some_open:
        return f"The other {counted} {place} agree"
    if total == 2:
        return f"Both {kinds[0]} {place} agree"
    return f"{'The' if counts['number'] == 2 or 1 in counts.values() else 'All'} {counted} {place} agree"


def put_at_end(section: nodes.Element, last: nodes.Node) -> None:
    """Put a node at the end of a section, or of the page's introduction, before a question that closes it."""
    innermost = section
    while (place := end_of(innermost)) and isinstance(innermost[place - 1], nodes.section):
        innermost = innermost[place - 1]
    where = innermost if place and is_question(innermost[place - 1]) else section
    place = end_of(where)
    while place and is_question(where[place - 1]):
        place -= 1
    where.insert(place, last)
    if where is not innermost:  # a target that leads to the next section stays right before it
        for target in innermost[end_of(innermost) :]:
            innermost.remove(target)
            where.append(target)


def end_of(section: nodes.Element) -> int:
    """The place behind all that can be seen of a section; on the page's own, behind its introduction."""
    first = (i for i, each in enumerate(section) if is_introduction(section) and isinstance(each, nodes.section))
    place = next(first, len(section))
    while place and isinstance(section[place - 1], nodes.Invisible | nodes.target):
        place -= 1
    return place


def on_paper(cells: Sequence[nodes.Element], line: str) -> nodes.paragraph:
    """The line of a fold that cannot be opened, with the anchors and the index entries of its verdicts."""
    mark = nodes.inline(text=MARKS[Outcome.AGREES], classes=["ndcg-tick", "ndcg-agrees"])
    found = nodes.paragraph(classes=["ndcg-checked"])
    for cell in cells:
        found += [
            nodes.target(ids=[each])
            for node in cell.findall(nodes.Element)
            if "verdict" in node
            for each in node["ids"]
        ]
        found += list(cell.findall(addnodes.index))
    found += [mark, nodes.Text(f" {line}.")]
    return found


def visit_fold(self: Any, node: Fold) -> None:
    """Open a fold in HTML."""
    summary = f"<summary>{escape(node['summary'])}</summary>"
    self.body.append(f'{self.starttag(node, "details", "")}{summary}<div class="ndcg-folded">\n')


def depart_fold(self: Any, node: Fold) -> None:
    """Close it."""
    self.body.append("</div></details>\n")


def visit_fold_in_print(self: Any, node: Fold) -> None:
    """Begin a paragraph with the line of a fold, in which the text goes on."""
    self.visit_container(node)
    self.body.append(rf"\par\sphinxstylestrong{{{self.encode(node['summary'])}.}} ")


def visit_fold_in_text(self: Any, node: Fold) -> None:
    """Write the line of a fold before what it holds."""
    self.new_state(0)
    self.add_text(f"**{node['summary']}**")
    self.end_state()
