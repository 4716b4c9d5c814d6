"""What the book makes of its verdicts: anchors, an index of the notes' numbers, a page of slips linked both ways."""

import json
import re

import pages
import pytest
from docutils import nodes
from pages import cell, chapter, notebook, stored, text
from rows import every_row
from sphinx import addnodes
from test_sphinx_ext import AGREES, SLIP

from ndcg_ref.sphinx_ext.verdict_nodes import output_nodes
from ndcg_ref.stated import Column, check_table, holds, judge, read_number
from ndcg_ref.stated.display import MIME, bundle
from tools.book.ledger_ext import add_to_index

CONF = pages.conf("myst_nb", "ndcg_ref.sphinx_ext", "tools.book.ledger_ext")


LINKED = [
    # link  warning; what is linked to
    ("# Title\n\nIt is [so](#all-is-well).", "", "a label of its own"),
    ("# Title\n\nIt is [so](#verdict-x).", "", "a name made into a label"),
    ("# Title\n\nIt is [so](#nothing).", "'myst' cross-reference target not found: 'nothing'", "nothing"),
]


@every_row(("markdown", "warning", "why"), LINKED)
def test_markdown_links_to_a_verdict_by_its_label(markdown, warning, why):
    outputs = stored(lambda: holds("All is well", True, label="all-is-well")), stored(lambda: holds("x", True))
    page, warnings = chapter(text(markdown), cell(*outputs), conf=CONF)
    assert warning in warnings
    if not warning:
        assert warnings == ""
        assert 'href="' + markdown.partition("(")[2].partition(")")[0] + '"' in page


def indexed(*verdicts):
    """The entries that the verdicts of a note give the book's index: group, number, what and where."""
    lines = nodes.container("", *(line for each in verdicts for line in output_nodes(each)))
    for shown in [each for each in lines.findall(nodes.Element) if "verdict" in each]:
        add_to_index(shown, "a-note")
    found = [entry for node in lines.findall(addnodes.index) for entry in node["entries"]]
    return [(group, *said.split("; ", 1), place) for kind, said, place, _, group in found if kind == "single"]


INDEXED = [
    # verdict; group, number and place
    (judge("8.32", 8.32553, "DCG 2"), ("1 to 10", "8.32", "DCG 2 (a-note): ✗ slip", "verdict-dcg-2")),
    (judge(read_number("0,63", ","), 0.6309, "x"), ("0 to 1", "0,63", "x (a-note): ✓ agrees", "verdict-x")),
    (judge("-1", -1.0, "x"), ("below 0", "-1", "x (a-note): ✓ agrees", "verdict-x")),
    (judge("0.5", float("nan"), "x"), ("0 to 1", "0.5", "x (a-note): ∅ undefined", "verdict-x")),
]


@every_row(("verdict", "entry"), INDEXED)
def test_a_number_of_a_note_is_in_the_index(verdict, entry):
    assert indexed(bundle([verdict.record()])[MIME]) == [entry]


def test_every_judged_cell_of_a_table_is_in_the_index_and_no_statement():
    table = stored(lambda: check_table("n | CG\n1 | 2\n2 | 5", {"n": None, "CG": [2, 5]}, "T"))
    assert [place for *_, place in indexed(table[MIME])] == ["verdict-t-row-1-cg", "verdict-t-row-2-cg"]
    assert indexed(stored(lambda: holds("So it is", True))[MIME]) == []


@pytest.mark.parametrize(("role", "listed"), [("note", True), ("lesson", False)])
def test_the_search_has_the_numbers_of_notes_and_the_index_words_alone(role, listed):
    built = pages.book(
        {"index.ipynb": notebook(text("# Title\n\n```{index} A word\n```"), cell(AGREES), role=role)}, CONF
    )
    assert ("verdict-dcg-2" in built.page("searchindex.js")) == listed
    index = built.page("genindex.html")
    assert "A word" in index
    assert "DCG 2" not in index
    assert "8.33" not in index
    assert built.warnings == ""


class TestSlipsAndTheirEntriesAreLinkedBothWays:
    """A note with a slip in a line and one in a table, and the page made from its ledger."""

    TABLE = "n | log\n1 | 1\n2 | 1.59"
    PARTS = "\n\n".join(f"```{{ledger}} {part}\n```" for part in ("counts", "besides", "table", "sections", "numbers"))

    SLIPS = f"# The slips\n\n{PARTS}\n"

    def built(self, page="book/x.html", builder="html", slips=SLIPS):
        """A page of the book, and what its build warned of."""
        columns = {"n": None, "log": Column([1, 1.584962500721156], slips={2: "rounded-twice"})}
        table = stored(lambda: check_table(self.TABLE, columns, "T"))
        too = bundle([judge("8.33", 8.32553, "DCG 3").record()])
        note = notebook(text("# The note"), cell(table, SLIP, too))
        lesson = notebook(text("# A chapter that is no note"), cell(SLIP), role="lesson")
        made = self.book({"x.ipynb": note, "lesson.ipynb": lesson, "slips.md": slips}, builder)
        return made.page(page), made.warnings

    def book(self, files, builder="html"):
        names = [f"book/{name.partition('.')[0]}" for name in files]
        contents = {
            **{f"book/{name}": content for name, content in files.items()},
            "index.ipynb": notebook(text("\n".join(["# Index\n", "```{toctree}", *names, "```"]))),
            "_toc.yml": "format: jb-book\nroot: index\nchapters:\n" + "".join(f"- file: {each}\n" for each in names),
        }
        return pages.book(contents, CONF, builder)

    def test_the_verdict_links_to_its_entry(self):
        page, warnings = self.built()
        entries = re.findall(r'href="slips\.html#([^"]*)"><span class="std std-ref">entry in the list of slips', page)
        assert (entries, warnings) == (["x-verdict-t-row-2-log", "x-verdict-dcg-2"], "")

    def test_the_entry_links_to_the_verdict_as_does_the_table(self):
        page, warnings = self.built("book/slips.html")
        places = re.findall(r'href="x\.html#([^"]*)"><span class="std std-ref">The note<', page)
        assert (places, warnings) == (["verdict-t-row-2-log", "verdict-dcg-2"] * 2, "")
        assert len(re.findall(r'href="x\.html#verdict-dcg-2"', page)) == 3  # the entry, the table, the index of numbers
        assert re.search(r'href="#x-verdict-dcg-2"><span class="std std-ref">DCG 2<', page)
        assert all(page.count(f'id="x-{place}"') == 1 for place in places)

    def test_notes_and_entries_are_headings_of_the_page_and_the_entries_are_folded(self):
        page, _ = self.built("book/slips.html")
        headings = re.findall(r"<h([1-6])>(.*?)<a", page)
        assert [level for level, _ in headings] == ["1", "2", "3", "3", "2"]
        assert [title for _, title in headings] == ["The slips", "The note", "T, row 2, log", "DCG 2", "1 to 10"]
        assert 'class="rubric"' not in page
        assert page.index("ledger-slips") < page.index("<details") < page.index('id="x-verdict-dcg-2"')
        assert "<summary>2 entries, step by step</summary>" in page
        assert "slips.js" in page

    def test_notes_and_entries_are_headings_of_the_printed_book(self):
        page, warnings = self.built("*.tex", "latex")
        assert r"\subsection{DCG 2}" in page
        assert page.count(r"\hyperref[\detokenize{book/slips:x-verdict-dcg-2}]") == 2  # from the verdict, and the list
        assert page.count(r"\hyperref[\detokenize{book/x:verdict-dcg-2}]") == 3  # from the table, the entry, the index
        assert warnings == ""

    def test_a_verdict_of_a_lesson_has_no_entry(self):
        page, _ = self.built("book/lesson.html")
        assert "✗ slip" in page
        assert "list of slips" not in page

    def test_a_note_with_a_section_of_its_own_has_its_own_entries(self):
        """On the page of its chapter, in the list, and in the counts that the build writes."""
        both = notebook(
            text("# Both\n\n(one)=\n## Note one"),
            cell(bundle([judge("8.32", 8.32553, "DCG 1").record()])),
            text("(two)=\n## Note two\n\n### Sums"),
            cell(SLIP),
            notes={"one": {}, "two": {}},
        )
        made = self.book({"both.ipynb": both, "slips.md": self.SLIPS})
        assert made.warnings == ""
        linked = re.findall(r'href="slips\.html#([^"]*)"><span class="std std-ref">entry', made.page("book/both.html"))
        assert linked == ["one-verdict-dcg-1", "two-verdict-dcg-2"]
        assert re.findall(r"<h2>(.*?)<a", made.page("book/slips.html"))[:2] == ["Note one", "Note two"]
        counted = json.loads(made.page("ndcg-ledger.json"))
        by_note = counted["counts"]["by_note"]
        assert {note: each["slip"] for note, each in by_note.items()} == {"book/one": 1, "book/two": 1}
        found = [(entry["title"], entry["section"]) for entry in counted["entries"]]
        assert found == [("Note one", ""), ("Note two", "Sums")]

    def test_a_slip_without_an_entry_is_a_warning(self):
        _, warnings = self.built(slips="# The slips, not listed")
        assert "undefined label: 'x-verdict-dcg-2'" in warnings
        assert warnings.count("WARNING") == 2

    def test_an_entry_without_its_verdict_is_a_warning(self):
        """As where the page shows other verdicts than those that are stored."""
        page, warnings = self.built(slips=f"{self.SLIPS}\n[x](/book/x.ipynb#verdict-dcg-4)\n")
        assert 'id="verdict-dcg-4"' not in page
        assert "local id not found in doc 'book/x': 'verdict-dcg-4'" in warnings
        assert warnings.count("WARNING") == 1

    def test_an_unknown_part_is_a_warning_at_its_line(self):
        _, warnings = self.built(slips="# The slips\n\n```{ledger} all\n```\n")
        assert re.search(
            r"slips\.md:3: .*expected one of counts, besides, sections, numbers, strip, table, got 'all'", warnings
        )
