"""Use the verdicts of the book for the list of slips, that of all numbers, links, and the front page.

A Sphinx extension for every builder. Parts of the ledger are written as Markdown: how each slip came about, and every
number by its size. Each number that a note states can be searched for, and is in a list of its own in
place of the index, which has words alone. Each slip of a note links to its entry in the list of slips, which is made
from the verdicts stored in the notebooks and links back.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from html import escape
from itertools import groupby
from operator import itemgetter
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
from sphinx_external_toc.parsing import parse_toc_yaml

from ndcg_ref.sphinx_ext.build_ledger import name_of, section_of_note
from ndcg_ref.sphinx_ext.folds import folded, is_evidence
from ndcg_ref.sphinx_ext.verdict_nodes import right, row_of, struck, table_of
from ndcg_ref.stated.display import (
    MARKS,
    OPENING,
    Entry,
    Outcome,
    Record,
    StepRecord,
    cause_lines,
    in_dollars,
    literal,
    mark,
)
from ndcg_ref.stated.ledgers import Ledger, kinds
from ndcg_ref.stated.number import read_number
from ndcg_ref.stated.stored_notebook import read_notebook
from tools.book.contents import book_ledger, title_in_contents

ROOT = Path(__file__).resolve().parents[2]
SIZES = {"below 0": 0.0, **{f"{top // 10} to {top}": float(top) for top in (1, 10, 100, 1000)}}  # each below its top
LARGEST = "1000 and more"
DEPARTS = "here the printed value departs"
NOT_GIVEN = "not given"  # in a chapter whose cell stopped because it does not declare the slip
# The markup that a heading or a step may have, and last a sign that has to be escaped
MARKUP = re.compile(
    r"""
    \\(?P<escaped>[!-/:-@\[-`{-~])
    | \$(?P<formula>[^$]+)\$
    | (?P<ticks>`+)(?P<code>[^`]+)(?P=ticks)(?!`)
    | \[(?P<text>(?:[^\]\\]|\\.)*)\]\(\#(?P<label>[a-z0-9-]+)\)
    | (?P<sign>[\\`{}\[\]<>$|#~&])
    """,
    re.VERBOSE,
)


def step_line(step: StepRecord) -> str:
    """A step of a derivation as a line of Markdown.

    >>> step_line({"text": "the exact value is 8.3255, rounded to 2 decimals 8.33; printed 8.32", "departs": True})
    'the exact value is 8.3255, rounded to 2 decimals 8.33; printed 8.32: here the printed value departs'
    """
    return f"{step['text']}: {DEPARTS}" if step["departs"] else step["text"]


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
        book = read_notebook(source)
        if book.role == "note":
            for each in shown:
                own = section_of_note(each, book.notes)
                note = name_of(own, book.notes) if own else source.stem
                link_to_entry(each, note)
                add_to_index(each, note)


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
    """Fold the entries of each note in the list of slips, and the numbers of each size."""

    default_priority = 700
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        """Put the subsections or the list of each such section behind one line."""
        for section in list(self.document.findall(nodes.section)):
            if "ledger-note" in section["classes"]:
                entries = taken_from(section, nodes.section)
                count = f"{len(entries)} entries" if len(entries) > 1 else "The entry"
                section += folded(entries, f"{count}, step by step", "ledger-entries")
            elif "ledger-numbers" in section["classes"]:
                lists = taken_from(section, nodes.bullet_list)
                total = sum(len(each) for each in lists)
                section += folded(lists, f"{total} numbers" if total > 1 else "The number", "ledger-list")


def taken_from(section: nodes.section, kind: type[nodes.Element]) -> list[nodes.Node]:
    """The children of a kind, which are no longer in the section."""
    found = [each for each in section.children if isinstance(each, kind)]
    for each in found:
        section.remove(each)
    return found


def table_of_slips(ledger: Ledger, page: str) -> nodes.table:
    """A row for each slip: its note, with a link to the verdict, and what is wrong, with a link to its entry."""
    rows = [row_of(*cells_of(entry, page)) for entries in slips_by_note(ledger).values() for entry in entries]
    return table_of(COLUMNS, list(COLUMNS.values()), rows, "ledger-slips")


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


def sections(ledger: Ledger) -> str:
    """A section for each note, with a subsection for each slip."""
    notes = slips_by_note(ledger)
    slips = [entry for entries in notes.values() for entry in entries]
    parts = [f"Slips in all: {len(slips)} ({kinds(slips)})."]
    for entries in notes.values():
        labels = {entry["label"] for entry in entries}
        parts += [f"## {_title(entries[0])}", *(_section(entry, labels) for entry in entries)]
    return "\n\n".join(parts)


def numbers(ledger: Ledger) -> str:
    """A section for each size, with the numbers that the notes state in the order of their values."""
    sizes: dict[str, list[tuple[float, Entry]]] = {}
    stated = [entry for entry in ledger.entries if entry["note"] is not None and entry["kind"] == "number"]
    for value, entry in sorted(((value_of(entry["stated"]), entry) for entry in stated), key=itemgetter(0)):
        sizes.setdefault(magnitude(value), []).append((value, entry))
    parts = []
    for size, entries in sizes.items():
        lines = [f"- {_number(entry)}" for _, entry in entries]
        parts.append("\n".join([f"## {size}", "", *lines]))
    return "\n\n".join(parts)


def value_of(stated: str) -> float:
    """The value of a printed number with a decimal point or comma."""
    try:
        return read_number(stated).nearest_float
    except ValueError:
        return read_number(stated, ",").nearest_float


def magnitude(value: float) -> str:
    """The size of a number.

    >>> magnitude(0.63), magnitude(8.32), magnitude(1062)
    ('0 to 1', '1 to 10', '1000 and more')
    """
    return next((size for size, top in SIZES.items() if value < top), LARGEST)


def slips_by_note(ledger: Ledger) -> dict[str, list[Entry]]:
    """The slips of each note, in the order of the ledger, without those of lessons."""
    found: dict[str, list[Entry]] = {}
    for entry in ledger.slips.entries:
        if entry["note"] is not None:
            found.setdefault(entry["note"], []).append(entry)
    return found


def entry_label(note: str, record: Mapping[str, Any]) -> str:
    """The label of the entry of a slip in the list of slips.

    >>> entry_label("two-queries", {"label": "verdict-dcg"})
    'two-queries-verdict-dcg'
    """
    return re.sub("[^a-z0-9]+", "-", f"{note}-{record['label']}".lower())


def short_title(entry: Entry) -> str:
    """The title of a note in the contents, as plain text; its own where its page has several notes, or is not there."""
    name = (entry["chapter"] or "").removesuffix(".ipynb")
    title = _titles_in_contents().get(name, "")
    return title if title and "," not in title else entry["title"] or _note(entry)


@cache
def _titles_in_contents() -> dict[str, str]:
    return {name: item.title or "" for name, item in parse_toc_yaml(ROOT / "_toc.yml").items()}


def _number(entry: Entry) -> str:
    """A number as one line, with a link to its verdict."""
    place = f"[{literal(entry['name'])}]({_place(entry)})"
    return f"**{literal(entry['stated'])}** {place}, {literal(short_title(entry))}: {mark(entry['outcome'])}"


def _place(entry: Entry) -> str:
    return f"/{quote(entry['chapter'])}#{quote(entry['label'], safe='')}"


def _note(entry: Entry) -> str:
    return entry["note"] or ""


def _printed(text: str | None) -> str:
    return in_dollars(text or "") if "\\" in (text or "") else literal(text or "")


def _given(text: str | None) -> str:
    return literal(text) if text else NOT_GIVEN


def _as_heading(name: str) -> str:
    """A name with a capital, unless it begins with a symbol.

    >>> _as_heading("mean NDCG"), _as_heading("i is the id")
    ('Mean NDCG', 'i is the id')
    """
    return name if name[1:2] == " " else name[:1].upper() + name[1:]


def _section(entry: Entry, labels: Collection[str]) -> str:
    """The entry of a slip; `labels` are those of all slips with an entry in the same note."""
    place = f"[{_title(entry)}]({_place(entry)})"
    place += f", section “{_marked(entry['section'])}”" if entry["section"] else ""
    if entry["kind"] == "sentence":
        items = {
            "Place": f"{place}: a statement in words",
            "Printed (in our words)": literal(entry["stated"]),
            "Recomputed": f"{literal(entry['counterexample'])}: here it fails"
            if entry["counterexample"]
            else NOT_GIVEN,
            "Cause": _given(entry["declared"]),
            "Correction": _given(entry["correct"]),
        }
    else:
        items = {
            "Place": f"{place}: {literal(entry['name'])}",
            "Printed": _printed(entry["stated"]),
            "Recomputed": _listed([_linked(step_line(step), entry, labels) for step in entry["derivation"]], "1."),
            "Cause": _listed([literal(line) for line in cause_lines(entry)], "-"),
            "Correction": f"for {_printed(entry['stated'])} read {_printed(entry['correct'])}",
        }
        if entry["weak"]:
            share = f"{entry['chance']:.2f} of the wrong numbers nearby"
            items["Chance"] = f"{share} would have a cause as well, so this is weak evidence"
    items["Status"] = literal(entry["status"])
    name = entry["name"]
    heading = f"({entry_label(_note(entry), entry)})=\n### {literal(_as_heading(name))}"
    return "\n".join([heading, "", *(f"- **{what}:** {said}" for what, said in items.items())])


def _title(entry: Entry) -> str:
    return _marked(entry["title"]) or literal(_note(entry))


def _listed(lines: Sequence[str], sign: str) -> str:
    """Several lines as a nested list; a single line as it is."""
    if len(lines) < 2:
        return "".join(lines)
    return "\n" + "\n".join(f"  {sign} {line}" for line in lines)


def _linked(step: str, entry: Entry, labels: Collection[str]) -> str:
    """A step in which links to other verdicts become links to their entries."""
    return _marked(step, {label: entry_label(_note(entry), {"label": label}) for label in labels})


def _marked(text: str, links: Mapping[str, str] | None = None) -> str:
    """The Markdown of a chapter or a record with its formulas, code, emphasis and escapes, and nothing else.

    A link to a label in `links` leads to that target; any other link is replaced by its text.
    """

    def safe(found: re.Match[str]) -> str:
        part = found.groupdict()
        if part["formula"]:
            return in_dollars(part["formula"])
        if part["text"] is not None:
            linked = _marked(part["text"])
            return f"[{linked}](#{links[part['label']]})" if links and part["label"] in links else linked
        return f"\\{part['sign']}" if part["sign"] else found[0]

    return re.sub(OPENING, r"\1\\", MARKUP.sub(safe, " ".join(text.split())))


class Strip(nodes.General, nodes.Element):  # type: ignore[misc]
    """For each note a square for each of its numbers that was checked, with a link to its verdict."""


def strip(ledger: Ledger, root: Path) -> list[nodes.Node]:
    """The number of numbers that were checked, and the squares."""
    counts = ledger.counts
    notes = len({entry["note"] for entry in ledger.entries})
    line = f"{counts['checked']} numbers printed in {notes} notes checked, {counts[Outcome.SLIP]} wrong."
    numbers = [entry for entry in ledger.entries if entry["kind"] == "number" and entry["outcome"] != Outcome.UNCHECKED]
    rows = []
    for chapter, some in groupby(numbers, key=itemgetter("chapter")):
        notes_of_it = [list(each) for _, each in groupby(some, key=itemgetter("note"))]
        # A page of two notes names both in the contents
        names = title_in_contents(root, chapter.removesuffix(".ipynb")).split(", ")
        rows += [(_as_heading(name), entries) for name, entries in zip(names, notes_of_it, strict=True)]
    return [nodes.paragraph(text=line), Strip(rows=rows)]


def visit_strip(self: HTML5Translator, node: Strip) -> None:
    """Write a row for each note: its name, its squares, and how many of its numbers are wrong."""
    self.body.append('<ul class="ledger-rows">\n')
    for name, entries in node["rows"]:
        page = self.builder.get_relative_uri(self.builder.current_docname, entries[0]["chapter"].removesuffix(".ipynb"))
        wrong = sum(entry["outcome"] == Outcome.SLIP for entry in entries)
        squares = "".join(square(page, entry) for entry in entries)
        self.body.append(
            f'<li><a href="{page}">{name}</a>\n<ul class="ledger-strip" aria-label="Checked numbers, {name}">\n'
            f"{squares}</ul>\n<span>{wrong or 'none'} of {len(entries)}</span></li>\n"
        )
    self.body.append("</ul>\n<p>Each square leads to its verdict.</p>\n")
    raise nodes.SkipNode


def square(page: str, entry: Entry) -> str:
    """The square of a number; one that does not agree has its mark in it."""
    outcome = entry["outcome"]
    link = {
        "href": f"{page}#{quote(entry['label'])}",
        "class": f"ledger-{outcome}",
        "aria-label": f"{entry['stated']}, {entry['name']}: {outcome}",
        "data-definition": f"{mark(outcome)}: {entry['stated']}, {entry['name']}",
    }
    written = " ".join(f'{name}="{escape(text)}"' for name, text in link.items())
    return f"<li><a {written}>{'' if outcome == Outcome.AGREES else MARKS[Outcome(outcome)]}</a></li>\n"


def skip(self: SphinxTranslator, node: Strip) -> None:
    """Leave the squares out where they cannot be followed."""
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
            return strip(Ledger(entries), root)
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
