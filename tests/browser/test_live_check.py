"""The page that checks a calculation: what a reader enters is judged in place, and nothing of it leaves the page.

The package answers in place of the worker here, so that no test waits for Python to load; the worker has tests of its
own.
"""

from itertools import product

import pytest
from conftest import go_to_section, link
from playwright.sync_api import expect
from rows import every_row
from test_pages import everywhere

expect.set_options(timeout=60_000)

CHECK = "book/live/check.html"
GRADES, WORK = "Grades, best rank first", "Your number, lines or note"
MARKUP = "<img src=x onerror=document.title='run'>"
# 3 + 2 / log2(3) + 3 / 2 + 1 / log2(6) = 6.1487
NOTE = "Grades: [3, 2, 3, 0, 1]\nDCG = 3/log2(2) + 2/log2(3) + 3/log2(4) + 0/log2(5) + 1/log2(6) = 6.17"


def put(page, label, text):
    """Fill in a field and leave it."""
    page.get_by_label(label, exact=True).fill(text)
    page.keyboard.press("Tab")


def said(page):
    """The remark on each line."""
    return page.locator(".check-line > div").all_inner_texts()


def example(opened, **options):
    page = opened(CHECK, **options).page
    page.get_by_role("button", name="Show an example").press("Enter")
    return page


class TestLines:
    def test_the_page_opens_empty_and_its_example_says_what_stands_there_without_a_script(self, opened):
        page = opened(CHECK).page
        entries = page.locator(".ndcg-live-now :is(input, textarea)").evaluate_all("all => all.map((one) => one.value)")
        assert entries == [""] * 4
        assert said(page) == []
        page.get_by_role("button", name="Show an example").press("Enter")
        first, second, third = said(page)
        assert first.startswith("✓ Agrees.")
        assert second.startswith("✗ First wrong step. You sorted only the first 5 results.")
        assert "The ideal takes the best of all judged documents." in second
        assert third.startswith("↳ Carried on. It follows from your IDCG")
        static = page.locator(".ndcg-live-without tbody td:last-child").evaluate_all(
            "all => all.map((one) => one.textContent)"
        )
        assert [each.strip()[0] for each in static] == ["✓", "✗", "↳"]
        assert not page.locator(".ndcg-live-without").is_visible()
        assert page.locator(".live-standing").inner_text() == "✓ 1 agrees, ✗ 1 wrong, ↳ 1 carried on"
        fold = page.locator(".check-value").first
        assert "7.141" not in page.locator(".check-remarks").inner_text()
        fold.locator("summary").press("Enter")
        assert "Right is 7.141, computed 7.140995." in fold.inner_text()
        assert "IDCG = 3 + 1.89279 + 1" in fold.inner_text()

    def test_a_number_alone_is_judged_by_the_formula_that_prints_it_and_can_be_called_something_else(self, opened):
        page = opened(CHECK).page
        put(page, GRADES, "2 3 0 1 2")
        put(page, WORK, "0,941")
        (line,) = said(page)
        assert line.startswith("✓ Agrees. Read with a decimal comma. Taken as NDCG.")
        understood = page.locator(".check > .ndcg-live-fields > .ndcg-live-note")
        expect(understood).to_contain_text(
            "rank 1 undiscounted, then log2(rank), under which most of your numbers agree"
        )
        page.get_by_role("button", name="It is IDCG").press("Enter")
        assert page.get_by_label(WORK).input_value() == "IDCG = 0,941"
        expect(page.locator(".check-line > div")).to_contain_text("✗ Wrong.")

    def test_each_of_six_mistakes_is_named_in_the_second_person(self, opened):
        page = opened(CHECK).page
        # of 3, 2, 0, 3 and a document of grade 3 that was not retrieved; grades, formula, cutoff, what is written, said
        page.get_by_label("Judged, but not retrieved").fill("3")
        for convention, cutoff, written, words in SIX:
            page.get_by_label("Formula").select_option(convention)
            put(page, "Cutoff", cutoff)
            put(page, GRADES, "3, 2, 0, 3")
            put(page, WORK, written)
            expect(page.locator(".check-line > div")).to_contain_text(words)

    def test_no_python_is_loaded_for_lines_and_a_page_without_it_says_the_same(self, opened):
        page = example(opened, package=False)
        assert said(page)[1].startswith("✗ First wrong step.")
        assert "could not be loaded" not in page.locator(".ndcg-live").inner_text()

    def test_the_link_and_the_back_button_keep_the_entries(self, opened):
        visit = opened(CHECK)
        put(visit.page, GRADES, "0 1")
        put(visit.page, WORK, "0.63")
        address = visit.page.evaluate("location.href").removeprefix(f"{visit.home}/")
        assert said(opened(address).page) == said(visit.page)
        visit.go("book/about.html")
        visit.page.go_back()
        assert visit.page.get_by_label(WORK).input_value() == "0.63"
        go_to_section(visit.page, "how-it-works")
        assert visit.page.get_by_label(WORK).input_value() == "0.63"
        assert not visit.elsewhere


# What is written, with 3/log2(3) = 1.8928, 2/log2(3) = 1.2619 and 3/log2(5) = 1.2920
SIX = [
    ("STANDARD", "", "DCG = 8.0126", "You used the natural logarithm."),  # 3/ln(2) + 2/ln(3) + 3/ln(5)
    ("EXPONENTIAL", "", "DCG = 14.4691", "You forgot the −1 of the gain."),  # 8 + 4/log2(3) + 1/2 + 8/log2(5)
    ("STANDARD", "3", "IDCG = 4.2619", "You did not sort the ideal."),  # 3 + 2/log2(3)
    ("STANDARD", "2", "NDCG = 1.0000", "You sorted only the first 2 results."),
    ("STANDARD", "3", "IDCG = 7.2541", "You did not cut the ideal."),  # 3 + 3/log2(3) + 3/2 + 2/log2(5)
    ("STANDARD", "", "DCG = 5.7619", "You divided rank 4 as if it were rank 3."),  # 3 + 2/log2(3) + 3/2
]


class TestCells:
    def test_a_slip_is_told_from_what_follows_and_has_its_hint_and_its_value_on_request(self, opened):
        cells = {"discount-3": "1.58", "term-3": "1.26"}
        page = opened(link(CHECK, check={"grades": "3 0 2 1", "as": "cells", "cells": cells})).page
        slip = page.locator("#live-said-discount-3")
        assert "You divided rank 3 as if it were rank 2." in slip.inner_text()
        assert "It follows from your discount at rank 3." in page.locator("#live-said-term-3").inner_text()
        assert "The first slip: discount at rank 3." in page.locator(".live-standing").inner_text()
        assert "2.00" not in slip.inner_text()
        slip.locator("summary").press("Enter")
        assert "Right is 2.00, computed 2." in slip.inner_text()

    def test_a_cell_is_judged_on_leaving_it_and_the_link_holds_it(self, opened):
        page = opened(CHECK).page
        put(page, GRADES, "3 0 2 1")
        page.get_by_label("Read it as").select_option("cells")
        put(page, "discount at rank 2", "1.5")
        assert "✗ discount at rank 2: slip." in page.locator(".check-remarks").inner_text()
        assert "discount-2" in page.evaluate("location.href")
        put(page, "discount at rank 2", "1,58")
        remark = "✓ discount at rank 2: agrees. 1,58 was read with a decimal comma."
        assert page.locator(".check-remarks").inner_text() == remark


class TestANote:
    def test_it_waits_for_the_button_and_then_each_number_is_marked(self, opened):
        page = opened(CHECK).page
        put(page, WORK, NOTE)
        assert "This reads as a whole note" in page.locator(".live-standing").inner_text()
        assert page.locator(".live-marked").count() == 0
        page.get_by_role("button", name="Check this note").press("Enter")
        expect(page.locator(".live-standing")).to_have_text("1 stated number: 1 ✗ slip.")
        assert page.locator(".live-marked mark").inner_text() == "6.17✗"
        page.get_by_role("button", name="line 2, column").press("Enter")
        assert page.evaluate("document.activeElement.textContent") == "6.17✗"

    def test_what_was_understood_can_be_changed_by_a_comment_in_the_note(self, opened):
        page = opened(link(CHECK, check={"text": NOTE.replace("6.17", "6.15")})).page
        page.get_by_role("button", name="Check this note").press("Enter")
        page.get_by_role("button", name="Change this in the note").press("Enter")
        field = page.get_by_label(WORK)
        selected = field.evaluate("(area) => area.value.slice(area.selectionStart, area.selectionEnd)")
        assert selected.startswith("<!-- ndcg: grades=3, 2, 3, 0, 1; gain=linear")

    def test_without_python_a_line_names_the_command(self, opened):
        page = opened(link(CHECK, check={"text": NOTE}), package=False).page
        page.get_by_role("button", name="Check this note").press("Enter")
        expect(page.locator(".live-standing")).to_have_text("The note was not checked.")
        assert page.locator(".check-remarks").inner_text() == (
            "This needs Python in the browser, which could not be loaded here. "
            "On your computer ndcg-ref check note.md checks a file in the same way."
        )

    def test_a_note_from_outside_is_text_and_runs_nothing(self, opened):
        visit = opened(link(CHECK, check={"text": f"{MARKUP}\n{NOTE} {MARKUP}"}))
        visit.page.get_by_role("button", name="Check this note").click()
        expect(visit.page.locator(".live-marked")).to_contain_text(MARKUP)
        assert visit.page.locator(".ndcg-live img").count() == 0
        assert visit.page.title() != "run"
        assert not visit.elsewhere


HOSTILE = [
    {"check": {"grades": "1 " * 10_000, "text": "1"}},
    {"check": {"grades": "[" * 5_000, "text": "1"}},
    {"check": {"grades": "1", "text": "DCG = 1e999", "convention": "STANDARD"}},
    {"check": dict.fromkeys(("grades", "text", "as", "convention", "cutoff", "unretrieved"), MARKUP)},
    {"check": [[[[[[1]]]]]]},
    {"check": {"grades": "1", "as": "cells", "cells": {"DCG": "1e999", "gain-1": MARKUP[:30], "x": MARKUP}}},
    {"check": {"grades": "1 " * 1_000, "as": "cells"}},
    {"check": {"grades": "1", "text": "DCG = " + "(" * 5_000}},
]


class TestInputFromOutside:
    @every_row("state", HOSTILE)
    def test_a_link_made_by_hand_gives_an_answer_or_a_refusal_and_runs_nothing(self, opened, state):
        visit = opened(link(CHECK, **state))
        assert visit.page.locator(".check").is_visible()
        assert visit.page.title() != "run"
        assert visit.page.locator(".ndcg-live img").count() == 0
        assert [each for each in visit.complaints if "Content Security Policy" not in each] == []

    @every_row("fragment", ["#live1=%7B", "#live1=" + "%20" * 9_000, "#live9=%7B%7D", "#live1=%FF"])
    def test_a_link_that_cannot_be_read_is_refused_in_words(self, opened, fragment):
        assert "could not be read" in opened(CHECK + fragment).page.locator(".ndcg-live").inner_text()

    def test_another_link_in_the_same_window_is_opened(self, opened):
        page = opened(CHECK).page
        page.evaluate("(to) => { location.hash = to; }", link("", check={"grades": "0 1", "text": "0.63"}))
        expect(page.locator(".check-line")).to_contain_text("✓ Agrees.")


class TestThePage:
    def test_axe_finds_nothing_in_what_was_said_nor_in_the_cells(self, opened):
        page = example(opened)
        page.locator(".check-value summary").first.click()
        assert everywhere(page, ".ndcg-live") == []
        page.get_by_label("Read it as").select_option("cells")
        put(page, "gain at rank 1", "5")
        assert everywhere(page, ".ndcg-live") == []

    def test_every_control_is_reached_and_large_enough(self, opened):
        page = example(opened)
        controls = page.locator(".ndcg-live-now :is(input, select, textarea, button, summary):visible")
        sizes = controls.evaluate_all("all => all.map((one) => one.getBoundingClientRect().height)")
        assert min(sizes) >= 24
        controls.first.focus()
        for _ in range(len(sizes) - 1):
            page.keyboard.press("Tab")
        assert controls.last.evaluate("one => one === document.activeElement")

    def test_nothing_reaches_beyond_the_page(self, opened):
        page = example(opened)
        for width, kind in product((360, 1280), ("", "cells")):
            page.set_viewport_size({"width": width, "height": 800})
            page.get_by_label("Read it as").select_option(kind)
            assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0

    def test_the_paper_has_what_was_entered_or_else_the_worked_example(self, opened):
        page = opened(CHECK).page
        page.emulate_media(media="print")
        assert page.locator(".ndcg-live-without").is_visible()
        page.emulate_media(media="screen")
        page.get_by_role("button", name="Show an example").press("Enter")
        page.emulate_media(media="print")
        assert not page.locator(".ndcg-live-without").is_visible()
        assert page.locator(".check-line").first.is_visible()

    def test_each_remark_is_beside_its_line_and_one_without_room_repeats_it(self, opened):
        page = opened(CHECK).page
        put(page, GRADES, "2 3 0 1 2")
        put(page, WORK, "DCG = 5.097\n\nIDCG = 5.7, NDCG = 0.89, NDCG = 0.9\nDCG = 5.1")
        expect(page.locator(".check-line")).to_have_count(5)
        places = """all => all.map((one) => one.getBoundingClientRect().top)"""
        lines = page.locator(".check-under span").evaluate_all(places)
        remarks = page.locator(".check-line").evaluate_all(places)
        repeated = page.locator(".check-line").evaluate_all(
            "all => all.map((one) => one.querySelector('code').getBoundingClientRect().width > 1)"
        )
        assert all(remarks[i] == pytest.approx(lines[i], abs=1) for i in (0, 1))
        assert repeated == [remark - line > 20 for remark, line in zip(remarks, lines, strict=True)]
        assert {*repeated} == {True, False}
        page.set_viewport_size({"width": 360, "height": 800})
        expect(page.locator(".check-apart")).to_have_count(5)

    def test_the_link_that_is_copied_opens_what_was_entered_and_a_button_prints_it(self, opened):
        page = example(opened)
        page.evaluate("window.print = () => { document.title = 'printed'; }")
        page.get_by_role("button", name="Print").press("Enter")
        assert page.title() == "printed"
        page.get_by_role("button", name="Copy link").press("Enter")
        expect(page.get_by_text("The link is copied")).to_be_visible()
        copied = page.evaluate("navigator.clipboard.readText()")
        assert said(opened(copied.partition("/where/")[2]).page) == said(page)
        put(page, WORK, "0.5 " * 6000)
        page.get_by_role("button", name="Copy link").press("Enter")
        expect(page.get_by_text("This is too long for a link.")).to_be_visible()

    def test_without_a_script_a_worked_example_stands_there(self, visit):
        page = visit(CHECK, "without scripts").page
        words = page.locator(".ndcg-live").inner_text()
        assert "First wrong step" in words
        assert "ndcg-ref judge" in words
        assert "ndcg-ref check" in words
        assert page.locator(".ndcg-live-now").count() == 0
