"""Use the verdicts of the book for the page of slips, an index of numbers, links, and the front page.

A Sphinx extension for every builder. Each number that a note states can be searched for, and has a page of its own in
place of the index, which has words alone. Each slip of a note links to its entry in the list of slips, which is made
from the verdicts stored in the notebooks and links back.
"""

from collections.abc import Callable, Iterable
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote

from docutils import nodes
from docutils.statemachine import StringList
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective, SphinxTranslator
from sphinx.writers.html5 import HTML5Translator

from ndcg_ref.sphinx_ext.folds import folded, is_evidence
from ndcg_ref.sphinx_ext.verdict_nodes import right, struck
from ndcg_ref.stated.display import MARKS, Outcome, mark
from ndcg_ref.stated.ledgers import Ledger
from ndcg_ref.stated.notebooks import read_notebook
from ndcg_ref.stated.records import Entry, Record
from tools.book.contents import book_ledger
from tools.book.slips import (
    LARGEST,
    SIZES,
    entry_label,
    magnitude,
    numbers,
    sections,
    short_title,
    slips_by_note,
    value_of,
)


class IndexVerdicts(SphinxTransform):
    """Give the verdicts of a note index entries and links."""

    default_priority = 840  # before the domains collect index entries

    def apply(self, **kwargs: Any) -> None:
        """Change every element that shows a verdict."""
        shown = [each for each in self.document.findall(nodes.Element) if "verdict" in each]
        if not shown:
            return
        source = Path(self.document["source"])
        if source.suffix != ".ipynb":
            return  # a page without code, which is no note
        if read_notebook(source).role == "note":
            for each in shown:
                link_to_entry(each, source.stem)
                add_to_index(each, source.stem)


class Causes(SphinxTransform):
    """Make each cause in a table of them a target for links, such as `cause-truncated`.

    The table is in the output of a cell with the tag `causes`, and each row begins with the code of a cause.
    """

    default_priority = 840

    def apply(self, **kwargs: Any) -> None:
        """Put a target into the first cell of each row."""
        for cell in self.document.findall(nodes.container):
            if "tag_causes" in cell["classes"]:
                for body in cell.findall(nodes.tbody):
                    for row in body.children:
                        code = next(row.findall(nodes.paragraph))
                        label = f"cause-{code.astext()}"
                        target = nodes.target(ids=[label], names=[label])
                        self.document.note_explicit_target(target)
                        code.insert(0, target)


def link_to_entry(shown: nodes.Element, note: str) -> None:
    """Add a link to the entry in the list of slips to the evidence of a slip, which has a box of its own."""
    for evidence in shown.findall(is_evidence):
        entry = linked(entry_label(note, shown["verdict"]), "entry in the list of slips")
        evidence += nodes.paragraph("", "", entry)


def add_to_index(shown: nodes.Element, note: str) -> None:
    """Add an entry for the search at the place of a number's verdict; the index that is shown has none of them."""
    record: Record = shown["verdict"]
    if record["kind"] == "number" and record["label"] in shown["ids"]:
        value = value_of(record["stated"])
        said = f"{record['stated']}; {record['name']} ({note}): {mark(record['outcome'])}"
        shown.insert(0, addnodes.index(entries=[("single", said, record["label"], "", magnitude(value))], value=value))


def words_alone(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Leave the numbers out of the index of words."""
    if page == "genindex":
        groups = list(zip(context["genindexentries"], context["genindexcounts"], strict=True))
        kept = [(group, count) for group, count in groups if group[0] not in {*SIZES, LARGEST}]
        context["genindexentries"] = [group for group, _ in kept]
        context["genindexcounts"] = [count for _, count in kept]


def add_filter(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Add the script that filters the table of slips to its page."""
    if doctree and any("ledger-slips" in table["classes"] for table in doctree.findall(nodes.table)):
        app.add_js_file("slips.js")


class FoldEntries(SphinxPostTransform):
    """Fold the entries of each note in the list of slips."""

    default_priority = 700
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        """Put the subsections of each such section behind one line."""
        for note in list(self.document.findall(is_note_with_entries)):
            entries = [each for each in note.children if isinstance(each, nodes.section)]
            for entry in entries:
                note.remove(entry)
            count = f"{len(entries)} entries" if len(entries) > 1 else "The entry"
            note += folded(entries, f"{count}, step by step", "ledger-entries")


def is_note_with_entries(node: nodes.Node) -> bool:
    """Whether a node is the section of a note in the list of slips."""
    return isinstance(node, nodes.section) and "ledger-note" in node["classes"]


def table_of_slips(found: Ledger, page: str) -> nodes.table:
    """A row for each slip: its note, with a link to the verdict, and what is wrong, with a link to its entry."""
    group = nodes.tgroup(cols=len(COLUMNS))
    group += [nodes.colspec(colwidth=width) for width in COLUMNS.values()]
    group += nodes.thead("", row([nodes.paragraph(text=name)] for name in COLUMNS))
    slips = [entry for entries in slips_by_note(found).values() for entry in entries]
    group += nodes.tbody("", *(row(cells_of(entry, page)) for entry in slips))
    return nodes.table("", group, classes=["ledger-slips"])


def row(cells: Iterable[list[nodes.paragraph]]) -> nodes.row:
    """A row of a table."""
    return nodes.row("", *(nodes.entry("", *cell) for cell in cells))


def cells_of(entry: Entry, page: str) -> list[list[nodes.paragraph]]:
    """The cells of a slip in the order of `COLUMNS`."""
    place = {"refdomain": "doc", "reftype": "myst", "reftarget": entry["chapter"].removesuffix(".ipynb")}
    verdict = addnodes.pending_xref(reftargetid=entry["label"], refdoc=page, refexplicit=True, **place)
    verdict += nodes.inline(text=short_title(entry), classes=["xref", "myst"])
    sentence = entry["kind"] == "sentence"
    what = linked(entry_label(entry["note"] or "", entry), entry["name"])
    printed = nodes.Text("in words") if sentence else struck(entry)
    codes = ["statement"] if sentence else entry["causes"]
    correct = nodes.Text(entry["correct"] or "") if sentence else right(entry)
    chips = nodes.paragraph("", "", *(part for code in codes for part in (chip(code), nodes.Text(" "))))
    return [*([nodes.paragraph("", "", each)] for each in (verdict, what, printed, correct)), [chips]]


def chip(code: str) -> nodes.inline:
    """The code of a cause, which links to its explanation."""
    return nodes.inline(text=code, classes=["ndcg-cause"], cause=code)


def linked(label: str, text: str) -> nodes.Element:
    """A link to a label of the book."""
    link: nodes.Element = addnodes.pending_xref(
        refdomain="std", reftype="ref", reftarget=label, refexplicit=True, refwarn=True
    )
    link += nodes.inline(text=text, classes=["std", "std-ref"])
    return link


COLUMNS = {"Note": 16, "What": 28, "Printed": 10, "Right": 22, "Cause": 24}  # and the share of the width


class Strip(nodes.General, nodes.Element):  # type: ignore[misc]
    """A square for each number that was checked, in the order of the book, with a link to its verdict."""


def strip(found: Ledger) -> list[nodes.Node]:
    """The number of numbers that were checked, and the squares."""
    counts = found.counts
    notes = len({entry["note"] for entry in found.entries})
    line = f"{counts['checked']} numbers printed in {notes} notes checked, {counts[Outcome.SLIP]} wrong."
    numbers = [entry for entry in found.entries if entry["kind"] == "number" and entry["outcome"] != Outcome.UNCHECKED]
    return [nodes.paragraph(text=line), Strip(entries=numbers)]


def visit_strip(self: HTML5Translator, node: Strip) -> None:
    """Write the squares of a page; a number that does not agree has its mark in its square."""
    self.body.append('<ul class="ledger-strip" aria-label="Checked numbers">\n')
    for entry in node["entries"]:
        outcome = entry["outcome"]
        page = self.builder.get_relative_uri(self.builder.current_docname, entry["chapter"].removesuffix(".ipynb"))
        link = {
            "href": f"{page}#{quote(entry['label'])}",
            "class": f"ledger-{outcome}",
            "aria-label": f"{entry['stated']}, {entry['name']}: {outcome}",
            "data-definition": f"{mark(outcome)}: {entry['stated']}, {entry['name']}",
        }
        written = " ".join(f'{name}="{escape(text)}"' for name, text in link.items())
        self.body.append(f"<li><a {written}>{'' if outcome == Outcome.AGREES else MARKS[Outcome(outcome)]}</a></li>\n")
    self.body.append("</ul>\n<p>Each square leads to its verdict.</p>\n")
    raise nodes.SkipNode


def skip(self: SphinxTranslator, node: Strip) -> None:
    """Leave the squares out where nobody can follow them."""
    raise nodes.SkipNode


PARTS: dict[str, Callable[[Ledger], str]] = {
    "counts": lambda found: found.scores,
    "besides": lambda found: f"{found.slips.besides.capitalize()}.",
    "sections": sections,
    "numbers": numbers,
}
CLASSES = {"sections": "ledger-note", "numbers": "ledger-numbers"}  # of the sections of a part
STRIP, TABLE = "strip", "table"


class LedgerPart(SphinxDirective):
    """A part of the ledger of the notes; the argument says which part."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Read the ledger and set the part."""
        name = self.arguments[0]
        if name not in {*PARTS, STRIP, TABLE}:
            raise self.error(f"expected one of {', '.join([*PARTS, STRIP, TABLE])}, got {name!r}")
        root = Path(self.env.srcdir)
        entries = tuple(entry for entry in book_ledger(root).entries if entry["note"] is not None)
        for chapter in {entry["chapter"] for entry in entries}:
            self.env.note_dependency(str(root / chapter))
        if name == STRIP:
            return strip(Ledger(entries))
        if name == TABLE:
            return [table_of_slips(Ledger(entries), self.env.docname)]
        before, known = nodes.Element(), set(self.state.document.findall(nodes.section))
        lines = StringList(PARTS[name](Ledger(entries)).splitlines(), source=self.get_source_info()[0])
        self.state.nested_parse(lines, self.content_offset, before, match_titles=True)
        for section in set(self.state.document.findall(nodes.section)) - known:
            if section.parent in known:
                section["classes"].append(CLASSES[name])
        return list(before.children)


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the directive and the transforms."""
    app.add_node(Strip, html=(visit_strip, None), latex=(skip, None), text=(skip, None))
    app.add_directive("ledger", LedgerPart)
    app.add_transform(IndexVerdicts)
    app.add_transform(Causes)
    app.add_post_transform(FoldEntries)
    app.connect("html-page-context", words_alone)
    app.connect("html-page-context", add_filter)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
