"""The book says what the ledger says: every chapter was run, every verdict is on its page, all numbers are there."""

import json
import re
from collections import Counter
from pathlib import Path

import nbformat
import pytest
from rows import every_row
from sphinx_external_toc.parsing import parse_toc_yaml

from ndcg_ref.stated.stored_notebook import read_notebook
from tools.book.contents import book_ledger
from tools.book.ledger_ext import entry_label

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "_build" / "html"
CHAPTERS = sorted((ROOT / "book").rglob("*.ipynb"))
assert CHAPTERS

LEDGER = book_ledger(ROOT)


# What the author of a chapter counted in the note, to be held against the verdicts: nothing is left out
STATED = {}
for chapter in CHAPTERS:
    own = read_notebook(chapter).own
    STATED |= {chapter.stem: own["states"]} if "states" in own else own.get("notes", {})


def by_name(chapter):
    return chapter.relative_to(ROOT).as_posix()


def page_of(entry):
    """The page that a verdict is on, by its path in the book."""
    return entry["chapter"].removeprefix("book/").removesuffix(".ipynb")


class TestEveryChapterIsRunAndListed:
    def test_the_table_of_contents_lists_every_chapter(self):
        listed = {name for name in parse_toc_yaml(ROOT / "_toc.yml") if (ROOT / f"{name}.ipynb").exists()}
        assert listed == {by_name(chapter).removesuffix(".ipynb") for chapter in CHAPTERS}

    def test_the_contents_have_at_most_thirty_entries_outside_the_manual(self):
        site = parse_toc_yaml(ROOT / "_toc.yml")
        parts = {part.caption: len(part.items) for part in site.root.subtrees}
        assert parts.pop("Manual") == 1
        assert sum(parts.values()) <= 30

    @every_row("chapter", CHAPTERS)
    def test_every_code_cell_was_run_in_order(self, chapter):
        cells = [cell for cell in nbformat.read(chapter, 4).cells if cell.cell_type == "code" and cell.id != "install"]
        counts = [cell.execution_count for cell in cells]
        assert counts == list(range(1, len(counts) + 1))
        assert counts

    @every_row("chapter", CHAPTERS)
    def test_every_figure_is_stored_and_described(self, chapter):
        for cell in read_notebook(chapter).code:
            if "plt.show()" in cell.source:
                (drawn,) = cell.data
                assert drawn.keys() == {"image/svg+xml", "text/plain"}
                shown = cell.metadata["mystnb"]
                assert len(shown["image"]["alt"].split()) > 8  # a sentence, not a file name
                assert shown["figure"]["caption"].endswith(".")

    @every_row("chapter", CHAPTERS)
    def test_no_output_depends_on_the_machine(self, chapter):
        stored = json.dumps([cell.outputs for cell in read_notebook(chapter).code])
        assert not re.search(r"np\.float64\(|<[\w.]+ object at |0x[0-9a-f]{8}|/home/|/Users/|site-packages", stored)


class TestTheLedgerHoldsWhatTheNotesState:
    def test_all_numbers_are_checked(self):
        counts = LEDGER.counts
        stated = sum(sum(states["results"].values()) for states in STATED.values())
        assert (counts["checked"], counts["unchecked"], counts["undefined"]) == (stated, 0, 0)

    def test_every_note_that_is_counted_says_what_it_states(self):
        """Else a lesson would be counted, or a note that nobody counted."""
        assert set(LEDGER.counts["by_note"]) == set(STATED)

    @pytest.mark.parametrize("note", sorted(STATED))
    def test_each_note_has_its_numbers_and_statements(self, note):
        found = LEDGER.counts["by_note"][note]
        sentences = [entry for entry in LEDGER.entries if (entry["note"], entry["kind"]) == (note, "sentence")]
        expected = {**STATED[note], "results": sum(STATED[note]["results"].values())}
        assert {"results": found["checked"], "slips": found["slip"], "statements": len(sentences)} == expected

    def test_no_right_number_stands_behind_a_working_that_does_not_lead_to_it(self):
        agreeing = [entry for entry in LEDGER.entries if entry["outcome"] == "agrees"]
        assert agreeing
        assert [entry["name"] for entry in agreeing if entry["discrepancies"]] == []


@pytest.mark.built
class TestThePagesShowTheLedger:
    def test_the_list_of_numbers_leads_to_every_stated_number(self):
        stated = [each for each in LEDGER.entries if each["note"] and each["kind"] == "number"]
        page = (PAGES / "book" / "worked-examples.html").read_text(encoding="utf-8")
        index = page.partition('id="every-number-that-was-checked"')[2]
        leads_to = re.findall(r'href="(notes/[^"#]+)\.html#([^"]+)"', index)
        assert sorted(leads_to) == sorted((page_of(each), each["label"]) for each in stated)

    def test_the_index_of_words_has_no_number(self):
        index = (PAGES / "genindex.html").read_text(encoding="utf-8")
        assert "#verdict-" not in index
        assert 'href="book/glossary.html#term-gain"' in index


@pytest.mark.built
class TestTheListOfSlips:
    """Each slip of a note has an entry, the entry a link to the verdict, and the verdict one to the entry."""

    SLIPS = tuple(entry for entry in LEDGER.slips.entries if entry["note"])
    assert SLIPS

    @staticmethod
    def page(name):
        if not PAGES.exists():
            pytest.fail("expected the built book in _build/html, found none: run `make book` first")
        return (PAGES / "book" / f"{name}.html").read_text(encoding="utf-8")

    def test_every_slip_has_an_entry_of_its_own_with_a_link_to_its_verdict(self):
        page = self.page("worked-examples")
        anchors = Counter(re.findall(r'\bid="([^"]*)"', page))
        assert [anchors[entry_label(slip["note"], slip)] for slip in self.SLIPS] == [1] * len(self.SLIPS)
        expected = {f"{page_of(slip)}.html#{slip['label']}" for slip in self.SLIPS}
        entries = page.partition('id="every-number-that-was-checked"')[0]
        assert set(re.findall(r'href="(notes/[^"]*#[^"]*)"', entries)) == expected

    @every_row("page", [chapter.relative_to(ROOT / "book").with_suffix("").as_posix() for chapter in CHAPTERS])
    def test_every_slip_of_a_note_and_no_other_links_to_its_entry(self, page):
        labels = [entry_label(slip["note"], slip) for slip in self.SLIPS if page_of(slip) == page]
        found = re.findall(r'href="([^"]*)"><span class="std std-ref">entry in the list of slips', self.page(page))
        assert sorted(found) == sorted(f"../worked-examples.html#{label}" for label in labels)
