"""The pages that check a number and a working: what a reader enters is judged, and nothing of it leaves the page.

The package answers in place of the worker here, so that no test waits for Python to load; the worker has tests of its
own.
"""

import json
import subprocess
import sys

import pytest
from conftest import go_to_section, link
from playwright.sync_api import expect
from rows import every_row
from test_pages import everywhere

expect.set_options(timeout=60_000)

NUMBER, WORKING = "book/live/check-number.html", "book/live/check-working.html"


def put(page, label, text):
    """Fill in a field as a reader does: with keys, leaving it at the end."""
    page.get_by_label(label, exact=True).focus()
    page.keyboard.press("Control+A")
    page.keyboard.press("Delete")
    page.keyboard.type(text)
    page.keyboard.press("Tab")


class TestANumber:
    def test_the_example_is_judged_before_anything_is_typed_and_python_is_asked_on_request(self, opened):
        page = opened(NUMBER).page
        assert page.locator(".live-verdict").inner_text().startswith("✗ slip: DCG 8.32, right is 8.33")
        assert not page.locator(".ndcg-live-without").is_visible()
        page.get_by_role("button", name="How did it come about?").click()
        page.wait_for_selector(".live-causes .ndcg-cause")
        assert page.locator(".live-causes .ndcg-cause").all_inner_texts() == ["truncated"]

    def test_a_reader_puts_in_a_number_with_the_keyboard_and_learns_which_conventions_print_it(self, opened):
        page = opened(NUMBER).page
        page.get_by_role("button", name="Clear").focus()
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.value") == ""
        page.keyboard.type("2 3 0 1 2")
        put(page, "The number, as printed", "0,941")
        page.wait_for_selector(".live-causes .live-title")
        said = page.locator(".live-verdict").inner_text()
        assert said.startswith("✓ agrees: NDCG 0,941 under ORIGINAL")
        assert "read with a decimal comma" in said
        assert page.locator(".live-verdict tbody td:last-child").all_inner_texts() == [
            "✗ slip, right is 0,895",
            "✓ agrees",
            "✗ slip, right is 0,832",
        ]
        assert "ORIGINAL" in page.locator(".live-causes p").last.inner_text()

    def test_a_percentage_without_its_sign_is_judged_as_one_too(self, opened):
        page = opened(link(NUMBER, number={"grades": "0 1", "stated": "63.1", "convention": "STANDARD"})).page
        said = page.locator(".live-verdict").inner_text()
        assert said.startswith("✗ slip: NDCG 63.1")
        assert "63.1 can only be a percentage. As 63.1%: ✓ agrees." in said
        page.get_by_role("button", name="Which conventions print it?").click()
        expect(page.locator(".live-causes .live-title")).to_have_text("Which conventions print 63.1%?")
        put(page, "The number, as printed", "63.1 %")
        expect(page.locator(".live-verdict")).to_contain_text("✓ agrees: NDCG 63.1%")
        assert page.locator(".live-percent").count() == 0

    def test_without_python_right_and_wrong_stay(self, opened):
        page = opened(NUMBER, package=False).page
        page.get_by_role("button", name="How did it come about?").click()
        expect(page.locator(".live-causes")).to_contain_text("could not be loaded")
        assert page.locator(".live-verdict").inner_text().startswith("✗ slip")

    def test_the_back_button_keeps_the_entries(self, opened):
        visit = opened(NUMBER)
        put(visit.page, "The number, as printed", "8.4")
        visit.go("book/about.html")
        visit.page.go_back()
        assert visit.page.get_by_label("The number, as printed").input_value() == "8.4"
        assert visit.page.locator(".live-verdict").inner_text().startswith("✗ slip: DCG 8.4, right is 8.3")


class TestAWorking:
    def test_the_example_tells_the_slip_from_what_follows(self, opened):
        page = opened(WORKING).page
        assert "The first slip: discount at rank 3." in page.locator(".live-standing").inner_text()
        assert page.locator(".live-remarks > li").evaluate_all("all => all.map((each) => each.id)") == [
            "live-said-discount-3",
            "live-said-term-3",
            "live-said-DCG",
            "live-said-NDCG",
        ]
        assert page.locator(".live-said-carried").count() == 3

    def test_a_cell_is_judged_on_leaving_it_then_a_hint_and_the_value_on_request(self, opened):
        page = opened(WORKING).page
        put(page, "discount at rank 3", "1.5")
        slip = page.locator("#live-said-discount-3")
        assert "✗ discount at rank 3: slip." in slip.inner_text()
        assert "2.0" not in slip.inner_text()
        put(page, "discount at rank 3", "1.58")
        expect(slip).to_contain_text("the discount of the rank before")
        assert "2.00" not in slip.inner_text()
        page.get_by_role("button", name="Show the value: discount at rank 3").press("Enter")
        assert "Right is 2.00 (computed 2)." in slip.inner_text()
        assert page.evaluate("document.activeElement.id") == "live-discount-3"

    def test_without_python_the_marks_stay_and_a_line_says_what_is_missing(self, opened):
        page = opened(WORKING, package=False).page
        put(page, "gain at rank 4", "2")
        expect(page.locator(".live-remarks ~ p")).to_contain_text("could not be loaded")
        assert "✗ gain at rank 4" in page.locator(".live-remarks").inner_text()

    def test_a_shared_working_is_explained_on_request_before_any_entry(self, opened):
        state = {"task": {"grades": "3 0 2 1"}, "cells": {"discount-3": "1.58"}, "lines": "DCG = 3 + 1 + 0.43 = 4.53"}
        page = opened(link(WORKING, working=state)).page
        slip = page.locator("#live-said-discount-3")
        assert "the discount of the rank before" not in slip.inner_text()
        page.get_by_role("button", name="Explain the slips").press("Enter")
        expect(slip).to_contain_text("the discount of the rank before")
        expect(page.locator(".live-line")).to_contain_text("✗ slip, the first wrong step")
        assert page.locator(".live-remarks").evaluate("each => each === document.activeElement")
        assert page.get_by_role("button", name="Explain the slips").count() == 0

    def test_a_working_is_too_long_for_a_link_only_where_a_link_is_asked_for(self, opened):
        page = opened(WORKING).page
        told = page.get_by_text("too long for a link")
        page.get_by_label("Lines").fill("\U0001d465" * 1_999)  # a letter of four bytes, each 3 characters in an address
        page.get_by_label("Lines").blur()
        expect(page.locator(".live-line")).to_contain_text("not read")
        assert told.count() == 0
        page.get_by_role("button", name="Copy link").click()
        expect(told).to_have_count(1)
        put(page, "gain at rank 4", "2")
        expect(told).to_have_count(0)

    def test_a_copied_link_opens_the_same_working(self, opened):
        visit = opened(WORKING)
        put(visit.page, "gain at rank 4", "2")
        visit.page.get_by_role("button", name="Copy link").click()
        expect(visit.page.locator(".ndcg-live")).to_contain_text("is copied")
        address = visit.page.evaluate("navigator.clipboard.readText()")
        standing = visit.page.locator(".live-standing").inner_text().rpartition("✓")[2]
        other = opened(address.removeprefix(f"{visit.home}/"))
        assert other.page.get_by_label("gain at rank 4", exact=True).input_value() == "2"
        assert other.page.locator(".live-standing").inner_text().rpartition("✓")[2] == standing
        assert not visit.elsewhere

    def test_the_downloaded_notebook_says_of_each_cell_what_the_page_says(self, opened, tmp_path):
        page = opened(WORKING).page
        put(page, "gain at rank 2", "0,0")
        with page.expect_download() as downloading:
            page.get_by_role("button", name="Download as a notebook").click()
        notebook = json.loads(downloading.value.path().read_text(encoding="utf-8"))
        code = "\n".join("".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code")
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True)
        verdicts = {line.split(": ")[1]: line[0] for line in done.stdout.splitlines()}
        install = "".join(notebook["cells"][0]["source"])
        assert "/book/about.html#install" in install
        marks = page.locator(".live-entry").evaluate_all(
            "all => all.map((each) => [each.firstChild.id.slice(5), each.lastChild.textContent[0]])"
        )
        shown = {named(key): mark for key, mark in marks}
        assert verdicts == shown
        assert set(shown.values()) == {"✓", "✗", "↳"}
        assert "DCG: stated 4.69, correct 4.43. It follows from your discount at rank 3." in done.stdout

    def test_pasted_lines_stand_beside_their_verdicts_with_the_first_wrong_step_marked(self, opened):
        page = opened(WORKING).page
        page.get_by_role("button", name="Check these lines").press("Enter")
        expect(page.locator(".live-line")).to_contain_text("✗ slip, the first wrong step: 2/log2(3)")
        assert page.locator(".live-line mark").inner_text() == "2/log2(3)"
        # 3 + 1 + 0.43 is 4.43; 4.53/4.76 is 0.95
        page.get_by_label("Lines").fill("DCG = 3 + 1 + 0,43 = 4,53\nNDCG = 4,53/4,76 = 0,95\n<b>x</b>")
        page.get_by_label("Lines").blur()
        expect(page.locator(".live-line")).to_have_count(3)
        assert page.locator(".live-line mark").all_inner_texts() == ["4,53"]
        first, second, third = page.locator(".live-line > div").all_inner_texts()
        assert first.startswith("✗ slip, the first wrong step")
        assert second.startswith("↳ slip, carried on")
        assert third.startswith("? not read")
        assert "terms such as 3/log2(3)" in third
        page.locator(".live-line").first.get_by_role("button", name="Show the value").click()
        assert "Right is 4.43." in page.locator(".live-line").first.inner_text()

    def test_without_python_lines_say_what_they_need(self, opened):
        page = opened(WORKING, package=False).page
        page.get_by_role("button", name="Check these lines").click()
        expect(page.locator(".live-lines")).to_contain_text("could not be loaded")

    def test_the_print_has_the_cells_and_marks_and_no_buttons(self, opened):
        page = opened(WORKING).page
        page.emulate_media(media="print")
        assert page.get_by_role("button", name="Print", exact=True).count() == 0
        assert page.locator(".live-mark:visible").count() == 23
        assert page.locator("#live-DCG").is_visible()


def named(key):
    """The name of a cell in the notebook."""
    kind, _, rank = key.partition("-")
    words = {"best": "ideal grade", "ideal": "ideal term", "IDCG": "ideal DCG"}
    return words.get(kind, kind) + (f" at rank {rank}" if rank else "")


MARKUP = "<img src=x onerror=document.title='run'>"
HOSTILE = [
    # the page, its state
    (NUMBER, {"number": {"grades": "1 " * 10_000, "stated": "1"}}),
    (NUMBER, {"number": {"grades": "[" * 5_000, "stated": "1"}}),
    (NUMBER, {"number": {"grades": "1", "stated": "1e999", "measure": "DCG", "convention": "STANDARD"}}),
    (NUMBER, {"number": dict.fromkeys(("grades", "stated", "measure", "convention", "cutoff", "unretrieved"), MARKUP)}),
    (NUMBER, {"number": [[[[[[1]]]]]]}),
    (WORKING, {"working": {"task": {"grades": "1 " * 1_000}, "cells": {}}}),
    (WORKING, {"working": {"task": {"grades": "1"}, "cells": {"DCG": "1e999", "gain-1": MARKUP[:30], "x": MARKUP}}}),
    (WORKING, {"working": {"task": {"grades": "1"}, "cells": {"DCG": MARKUP[:30]}, "lines": MARKUP}}),
    (WORKING, {"working": 5}),
]


class TestInputFromOutside:
    @every_row("path, state", HOSTILE)
    def test_a_link_made_by_hand_gives_an_answer_or_a_refusal_and_runs_nothing(self, opened, path, state):
        visit = opened(link(path, **state))
        said = ".live-verdict" if path == NUMBER else ".live-standing"
        assert visit.page.locator(said).inner_text().strip()
        assert visit.page.title() != "run"
        assert visit.page.locator(".ndcg-live img").count() == 0
        assert [each for each in visit.complaints if "Content Security Policy" not in each] == []

    @every_row("fragment", ["#live1=%7B", "#live1=" + "%20" * 9_000, "#live9=%7B%7D", "#live1=%FF"])
    def test_a_link_that_cannot_be_read_is_refused_in_words(self, opened, fragment):
        for path in (NUMBER, WORKING):
            assert "could not be read" in opened(path + fragment).page.locator(".ndcg-live").inner_text()

    @pytest.mark.parametrize(("path", "label"), [(NUMBER, "The number, as printed"), (WORKING, "gain at rank 4")])
    def test_a_link_to_a_section_leaves_the_entries_alone(self, opened, path, label):
        page = opened(path).page
        put(page, label, "7")
        go_to_section(page, "how-it-works")
        assert page.get_by_label(label, exact=True).input_value() == "7"

    def test_another_link_in_the_same_window_is_opened(self, opened):
        page = opened(NUMBER).page
        fragment = link("", number={"grades": "0 1", "stated": "0.63"})
        page.evaluate("(fragment) => { location.hash = fragment; }", fragment)
        expect(page.locator(".live-verdict")).to_contain_text("0.63")


@pytest.mark.parametrize("path", [NUMBER, WORKING])
class TestBothPages:
    def test_no_worker_is_started_before_the_first_entry(self, opened, path):
        page = opened(path, package=False).page
        assert "could not be loaded" not in page.locator(".ndcg-live").inner_text()

    def test_axe_finds_nothing_in_what_was_answered(self, opened, path):
        page = opened(path).page
        field = page.locator(".ndcg-live input").last
        field.fill("0.5")
        field.blur()
        page.evaluate("new Promise(requestAnimationFrame)")
        assert everywhere(page, ".ndcg-live") == []

    def test_every_control_is_reached_and_has_a_name_and_is_large_enough(self, opened, path):
        page = opened(path).page
        controls = ".ndcg-live-now :is(input, select, textarea, button)"
        sizes = page.locator(controls).evaluate_all(
            "all => all.map((each) => [each.getBoundingClientRect().height, each.getBoundingClientRect().width])"
        )
        assert all(min(size) >= 24 for size in sizes)
        page.locator(controls).first.focus()
        for _ in range(len(sizes) - 1):
            page.keyboard.press("Tab")
        last = page.locator(controls).last
        assert last.evaluate("each => each === document.activeElement")
        page.keyboard.press("Tab")
        assert not page.evaluate("document.querySelector('.ndcg-live-now').contains(document.activeElement)")

    def test_without_a_script_a_worked_example_stands_there(self, visit, path):
        page = visit(path, "without scripts").page
        said = page.locator(".ndcg-live").inner_text()
        assert "✗ slip" in said
        assert "ndcg-ref judge" in said
        assert page.locator(".ndcg-live-now").count() == 0
