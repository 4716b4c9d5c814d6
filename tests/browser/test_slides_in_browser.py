"""The slides can be shown with the keyboard, read by everybody, and printed, from a file alone."""

import re

import pytest
from test_pages import CONTRAST, ROOT, violations

from tools.book import teaching_ext

COUNT = len(teaching_ext.slides(ROOT))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where the slides are."""
    folder = tmp_path_factory.mktemp("slides")
    (folder / "slides.html").write_text(teaching_ext.deck(ROOT), encoding="utf-8")
    return folder


@pytest.fixture
def deck(visit, folder):
    """The slides, opened from a file."""
    page = visit("slides.html", home=folder.as_uri()).page
    page.set_viewport_size({"width": 1280, "height": 720})
    return page


def test_the_arrow_keys_turn_the_slides(deck):
    keys = ["ArrowRight", "ArrowRight", "ArrowLeft", "End", "ArrowRight", "Home"]
    places = []
    for key in keys:
        deck.keyboard.press(key)
        places.append(deck.evaluate("document.activeElement.id"))
    assert places == [f"slide-{number}" for number in (2, 3, 2, COUNT, COUNT, 1)]


def test_an_answer_waits_for_a_key_and_the_notes_for_another(deck):
    answer = deck.get_by_text("Both have 0.8")
    notes = deck.locator("#slide-3 > aside")
    for _ in range(2):
        deck.keyboard.press("ArrowRight")
    assert (answer.is_visible(), notes.is_visible()) == (False, False)
    deck.keyboard.press("ArrowRight")
    assert (answer.is_visible(), deck.evaluate("document.activeElement.id")) == (True, "slide-3")
    deck.keyboard.press("n")
    assert notes.is_visible()
    deck.keyboard.press("ArrowRight")
    assert deck.evaluate("document.activeElement.id") == "slide-4"


def test_no_slide_is_larger_than_the_screen_and_text_has_44_pixels_on_a_projector(deck):
    tall = "all => all.filter((each) => each.scrollHeight > innerHeight + 1).map((each) => each.id)"
    assert deck.locator("section").evaluate_all(tall) == []
    assert deck.evaluate("document.documentElement.scrollWidth") <= 1280
    deck.set_viewport_size({"width": 1920, "height": 1080})
    assert float(deck.locator("#slide-3 > p").first.evaluate("each => getComputedStyle(each).fontSize")[:-2]) >= 44
    heights = deck.locator("section > svg.plot").evaluate_all("all => all.map((each) => each.clientHeight)")
    assert min(heights) >= 0.6 * 1080


def test_one_slide_has_the_ranking_that_can_be_changed_and_its_keys_turn_no_slide(deck):
    cell = deck.locator(".tag_live-ranking.ndcg-running")
    cell.locator("[data-does=show]").click()
    handle = cell.locator("button.ndcg-handle").nth(1)
    handle.focus()
    top = deck.evaluate("scrollY")
    deck.keyboard.press("ArrowUp")
    assert cell.locator("tbody .ndcg-result").first.inner_text() == "Boots on test"
    assert cell.locator(".ndcg-said").inner_text().startswith("Boots on test, now rank 1. DCG up from 5.097 to ")
    assert deck.evaluate("scrollY") == top
    assert deck.locator("section", has=cell).evaluate("slide => slide.scrollHeight <= innerHeight + 1")


def test_axe_finds_nothing_on_the_slides_and_the_contrast_kept_in_the_dark(deck):
    assert violations(deck) == []
    deck.emulate_media(color_scheme="dark")
    assert violations(deck, runOnly=[CONTRAST]) == []


def test_each_slide_is_printed_on_a_page_of_its_own(deck):
    pdf = deck.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b(?!s)", pdf)) == COUNT
    deck.emulate_media(media="print")
    cut = "all => all.filter((each) => each.scrollHeight > each.clientHeight + 1).map((each) => each.id)"
    assert deck.locator("section").evaluate_all(cut) == []
