"""The page that checks a note: each of its numbers is judged and marked, and nothing of the note leaves the page.

The package answers in place of the worker here, as in the tests of the other pages.
"""

import pytest
from conftest import go_to_section, link
from playwright.sync_api import expect
from rows import every_row
from test_pages import everywhere

expect.set_options(timeout=60_000)

NOTE = "book/live/check-note.html"
MARKUP = "<img src=x onerror=document.title='run'>"
# 3 + 2 / log2(3) + 3 / 2 + 1 / log2(6) = 6.1487
WRONG_DCG = "Grades: [3, 2, 3, 0, 1]\nDCG = 3/log2(2) + 2/log2(3) + 3/log2(4) + 0/log2(5) + 1/log2(6) = 6.17"


def checked(page, text):
    """Put in a note and press the button, with keys alone; what is said of it."""
    page.get_by_label("Your note").fill(text)
    page.get_by_role("button", name="Check this note").press("Enter")
    expect(page.locator(".live-counts")).not_to_have_text("The note is being read …")
    return page.locator(".live-counts").inner_text()


@pytest.fixture
def example(opened):
    """The page with its example checked."""
    page = opened(NOTE).page
    page.get_by_role("button", name="Check this note").press("Enter")
    expect(page.locator(".live-marked")).to_be_visible()
    return page


def test_the_example_has_the_verdicts_that_stand_there_without_a_script(example):
    assert (
        example.locator(".live-counts").inner_text() == "5 stated numbers: 4 ✓ agrees, 1 ✗ slip (1 in the last digit)."
    )
    static = example.locator(".ndcg-live-without li").evaluate_all("all => all.map((each) => each.textContent.trim())")
    assert static == [
        "Line 3: ✓ agrees: DCG 6.15",
        "Line 4: ✓ agrees: IDCG 6.32",
        "Line 5: ✓ agrees: DCG 6.15",
        "Line 5: ✓ agrees: IDCG 6.32",
        "Line 5: ✗ slip: NDCG 0.98; right is 0.97",
    ]
    assert not example.locator(".ndcg-live-without").is_visible()
    slip = example.locator(".live-noted > .live-said-slip")
    assert example.locator(".live-understood li").all_inner_texts() == [
        "Lines 3 to 5: grades 3, 2, 3, 0, 1; linear gain, log2(rank + 1), from its numbers. Change this in the note"
    ]
    assert "✗ slip in the last digit at line 5, column 20: NDCG 0.98; right is 0.97." in slip.inner_text()
    assert slip.locator(".ndcg-cause").all_inner_texts() == ["rounded-up"]
    example.locator("article summary").press("Enter")
    others = example.locator(".live-noted > .live-said-agrees").all_inner_texts()
    assert [each.split(": ")[-1] for each in others] == ["DCG 6.15", "IDCG 6.32"] * 2


def test_each_number_is_marked_in_the_note_and_choosing_a_finding_moves_there(example):
    assert example.locator(".live-marked mark").all_inner_texts() == ["6.15✓", "6.32✓", "6.15✓", "6.32✓", "0.98✗"]
    example.get_by_role("button", name="line 5, column 20").press("Enter")
    focused = example.evaluate("[document.activeElement.tagName, document.activeElement.textContent]")
    assert focused == ["MARK", "0.98✗"]


def test_what_was_understood_can_be_changed_by_a_comment_in_the_note(example):
    example.get_by_role("button", name="Change this in the note").press("Enter")
    field = example.get_by_label("Your note")
    selected = field.evaluate("(area) => area.value.slice(area.selectionStart, area.selectionEnd)")
    assert selected == "<!-- ndcg: grades=3, 2, 3, 0, 1; gain=linear; discount=log(rank+1) -->"
    exponential = field.input_value().replace("gain=linear", "gain=exponential")
    assert checked(example, exponential) == "5 stated numbers: 2 ✓ agrees, 3 ✗ slip."
    assert "exponential gain" in example.locator(".live-understood").inner_text()


def test_a_link_to_a_section_leaves_the_note_alone(opened):
    page = opened(NOTE).page
    page.get_by_label("Your note").fill(WRONG_DCG)
    go_to_section(page, "how-it-works")
    assert page.get_by_label("Your note").input_value() == WRONG_DCG


def test_a_page_on_which_no_note_was_checked_prints_the_worked_example(opened):
    page = opened(NOTE).page
    page.emulate_media(media="print")
    assert page.locator(".ndcg-live-without").is_visible()
    page.emulate_media(media="screen")
    page.get_by_role("button", name="Check this note").press("Enter")
    expect(page.locator(".live-marked")).to_be_visible()
    page.emulate_media(media="print")
    assert not page.locator(".ndcg-live-without").is_visible()


def test_another_note_is_judged_and_what_is_no_note_is_said(opened):
    page = opened(NOTE).page
    assert checked(page, f"\N{FACE WITH TEARS OF JOY}\n{WRONG_DCG}") == "1 stated number: 1 ✗ slip."
    assert page.locator(".live-marked mark").inner_text() == "6.17✗"
    assert checked(page, "Nothing.") == "No number of a measure such as DCG, NDCG, AP or ERR was found in this text."
    assert page.locator(".live-marked").count() == 0
    assert checked(page, " ") == "Put in a note first."
    assert checked(page, "a" * 20_001) == "text: expected at most 20,000 characters, got 20,001."


def test_without_python_a_line_names_the_command(opened):
    page = opened(NOTE, package=False).page
    assert "could not be loaded" not in page.locator(".ndcg-live-now").inner_text()  # not tried before it is needed
    assert checked(page, WRONG_DCG) == "The note was not checked."
    assert page.locator(".live-findings").inner_text() == (
        "This needs Python in the browser, which could not be loaded here. "
        "On your computer ndcg-ref check note.md checks a file in the same way."
    )


def test_a_note_from_outside_is_text_and_runs_nothing(opened):
    visit = opened(link(NOTE, note=f"{MARKUP}\n{WRONG_DCG} {MARKUP}"))
    visit.page.get_by_role("button", name="Check this note").click()
    expect(visit.page.locator(".live-marked")).to_contain_text(MARKUP)
    assert visit.page.locator(".ndcg-live img").count() == 0
    assert visit.page.title() != "run"
    assert not visit.elsewhere


@every_row("state", [{"note": 5}, {"note": {"a": []}}, {"note": None}, {"number": 1}])
def test_a_link_without_a_note_opens_the_example(opened, state):
    assert opened(link(NOTE, **state)).page.get_by_label("Your note").input_value().endswith("NDCG = 6.15/6.32 = 0.98")


def test_the_back_button_keeps_the_note(opened):
    visit = opened(NOTE)
    checked(visit.page, WRONG_DCG)
    visit.go("book/about.html")
    visit.page.go_back()
    assert visit.page.get_by_label("Your note").input_value() == WRONG_DCG


def test_axe_finds_nothing_light_dark_and_narrow_and_controls_are_large_enough(example):
    example.locator("article summary").click()
    assert everywhere(example, ".ndcg-live") == []
    heights = example.locator(".ndcg-live-now :is(button, textarea, summary)").evaluate_all(
        "all => all.map((each) => each.getBoundingClientRect().height)"
    )
    assert min(heights) >= 24


def test_the_paper_has_the_findings_and_the_marked_note_without_the_field(example):
    example.emulate_media(media="print")
    assert example.get_by_label("Your note").is_hidden()
    assert example.locator(".live-marked").is_visible()
    assert example.locator(".live-noted > .live-said-slip").is_visible()
