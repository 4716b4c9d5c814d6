"""Judge the numbers of the prose where the configuration says so: find the place of each on its page, and mark it.

When a page is read, the place of a number is given its record; `Marks` makes a tick of it when links are resolved,
unless a check of the page has put one there.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from operator import itemgetter
from pathlib import Path

from docutils import nodes
from sphinx.transforms import SphinxTransform
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

from ndcg_ref.conventions.validation import as_bug
from ndcg_ref.sphinx_ext.prose_numbers import GOES_ON, Stated, pattern_of, pieces, said_of, stated_in
from ndcg_ref.sphinx_ext.roles import labelled, warn_of_syntax
from ndcg_ref.sphinx_ext.ticks import around, equations_of, is_output, is_tick, line_of
from ndcg_ref.sphinx_ext.verdict_nodes import ticked, ticked_line
from ndcg_ref.stated.display import Outcome, Record

LOGGER = logging.getLogger(__name__)
FORMULAS = (nodes.math, nodes.math_block, nodes.literal)
LEAVES = (*FORMULAS, nodes.Text)


class Prose(SphinxTransform):
    """Judge the prose of a page, warn of slips, and note where its numbers are."""

    default_priority = 830

    def apply(self, **kwargs: object) -> None:
        """Read the source of the page once more."""
        if not self.config.ndcg_check_prose:
            return
        path = Path(self.env.doc2path(self.env.docname))
        try:
            text = path.read_text(encoding="utf-8-sig")
            found = stated_in(text, path.suffix.lower())
        except Exception as error:  # so that the book is built
            warn_of_syntax(error if isinstance(error, OSError | ValueError) else as_bug(error), str(path))
            return
        records = labelled([each.verdict for each in found], self.document, "prose")
        for each in found:
            subtype, said = each.problem
            if said:
                LOGGER.warning("%s", said, type="ndcg", subtype=subtype, location=f"{path}{each.location}")
        place_all(self.document, [pair for pair in zip(found, records, strict=True) if pair[0].is_marked])
        places = [each.location for each in found]
        self.env.metadata[self.env.docname]["ndcg_prose"] = list(zip(records, places, strict=True))


def place_all(page: nodes.document, numbers: list[tuple[Stated, Record]]) -> None:
    """Give the place of each number its record; an equation with several has the first slip, or else the last one."""
    leaves: dict[int, list[nodes.Node]] = defaultdict(list)
    for leaf in leaves_of(page):
        leaves[line_of(leaf)].append(leaf)
    lines = sorted(leaves)
    inside: dict[int, tuple[nodes.Text, list[tuple[int, int, Record]]]] = {}  # texts alike are equal
    for each, record in numbers:
        block = bisect_right(lines, each.line) - 1
        if block < 0:
            continue
        place = nth(leaves[lines[block]], each, each.occurrence(lines[block]))
        if place is None:
            continue
        leaf, start, end = place
        if isinstance(leaf, nodes.Text):
            if record["outcome"] == Outcome.SLIP or not leaf.astext()[end:].lstrip().startswith(GOES_ON):
                inside.setdefault(id(leaf), (leaf, []))[1].append((start, end, record))
        else:
            equation = len(equations_of(leaf.astext()[:start])) if isinstance(leaf, nodes.math_block) else 0
            stated = leaf.attributes.setdefault("stated", {})
            if equation not in stated or stated[equation]["outcome"] != Outcome.SLIP:
                stated[equation] = record
    for text, places in inside.values():
        cut = pieces(text.astext(), sorted(places, key=itemgetter(0, 1)))
        shown = [nodes.inline(text=piece, stated={0: record}) if record else nodes.Text(piece) for piece, record in cut]
        text.parent.replace(text, shown)


def leaves_of(page: nodes.document) -> Iterator[nodes.Node]:
    """The formulas and the texts of the prose, in their order: what is in no cell, no output, and beside no verdict."""
    for leaf in list(page.findall(lambda node: isinstance(node, LEAVES))):
        inner = isinstance(leaf, nodes.Text) and isinstance(leaf.parent, FORMULAS)
        is_prose = not any(
            is_output(each)
            or {"cell", "ndcg-ticked"} & set(each.get("classes", ()))
            or isinstance(each, nodes.literal_block | nodes.raw | nodes.title | nodes.Invisible)
            for each in around(leaf)
        )
        if is_prose and not inner:
            yield leaf


def nth(leaves: list[nodes.Node], stated: Stated, count: int) -> tuple[nodes.Node, int, int] | None:
    """Where a number is among the texts of a block that have its text so many times before it."""
    for leaf in leaves:
        for found in pattern_of(stated.finding.stated).finditer(leaf.astext()):
            if not count:
                return leaf, *found.span()
            count -= 1
    return None


class Marks(SphinxPostTransform):
    """Make a tick of each record that the prose has."""

    default_priority = 151  # after the ticks of checks

    def run(self, **kwargs: object) -> None:
        """Change every page."""
        for each in list(self.document.findall(lambda node: isinstance(node, nodes.Element) and "stated" in node)):
            if is_free(each):
                mark(each, [record for _, record in sorted(each["stated"].items())])


def is_free(node: nodes.Node) -> bool:
    """Whether a place has no mark yet, and may have one: no link is in another link."""
    return not any(
        {"ndcg-ticked", "ndcg-line"} & set(each.get("classes", ()))
        or isinstance(each, nodes.reference)
        or (isinstance(each, nodes.entry) and any(each.findall(is_tick)))
        for each in around(node)
    )


def mark(element: nodes.Element, records: Sequence[Record]) -> None:
    """Put a tick behind a number or a formula, or one for each equation into the margin of a displayed one."""
    if isinstance(element, nodes.math_block):
        line = nodes.container(classes=["ndcg-line"], ids=[record["label"] for record in records])
        element.replace_self(line)
        line += ticked_line(element, *records)
        for sign, record in zip(line.findall(is_tick), records, strict=True):
            sign["reftitle"] = said_of(record)
    else:
        [record] = records
        marked = ticked(element.deepcopy(), record=record)
        marked["ids"] = [record["label"]]
        marked[-1]["reftitle"] = said_of(record)
        element.replace_self(marked)
