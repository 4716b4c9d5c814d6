"""A chapter is short, shows before it states, and keeps its evidence folded, as a reader sees it at 1280 x 800."""

import pytest
from conftest import BUILT
from rows import every_row
from test_text import CONCEPTS, FOLDS, LESSONS

SCREEN = 800  # pixels
SCREENS = 10
FIRST_PICTURE = 1200  # pixels from the top
AGREES = 20

CHAPTERS = sorted(CONCEPTS)


def few_screens_long(page, name):
    assert page.evaluate("document.documentElement.scrollHeight") / SCREEN <= SCREENS


def first_picture_near_the_top(page, name):
    tops = page.locator("figure, .ndcg-drawing").evaluate_all(
        "all => all.map((each) => each.getBoundingClientRect().top + scrollY)"
    )
    assert name not in LESSONS or min(tops) < FIRST_PICTURE


def few_verdicts_and_folds_seen(page, name):
    assert page.locator(".bd-article").inner_text().count("agrees") <= AGREES
    folds = page.locator(".bd-article details:not(.ndcg-solution):visible")
    assert folds.count() <= FOLDS
    assert folds.count() == page.locator(".bd-article details:not(.ndcg-solution):not([open]):visible").count()


def each_term_with_its_definition(page, name):
    terms = page.locator(".ndcg-defined")
    for term in terms.all():
        assert len(term.evaluate("term => term.dataset.definition || term.title").split()) > 2
    assert len(set(terms.evaluate_all("all => all.map((each) => each.href)"))) == terms.count()


def solutions_that_open_with_all_that_checks_them(page, name):
    solutions = page.locator("details.ndcg-solution")
    assert solutions.count() == page.locator(".ndcg-stars").count()
    assert solutions.locator("details").count() == 0
    for solution in solutions.all():
        assert not solution.locator(".ndcg-folded").is_visible()
        solution.locator("summary").first.press("Enter")
        assert solution.locator(".ndcg-folded").is_visible()


SHAPE = [
    few_screens_long,
    first_picture_near_the_top,
    few_verdicts_and_folds_seen,
    each_term_with_its_definition,
    solutions_that_open_with_all_that_checks_them,  # the last, as it opens them
]


@pytest.fixture
def look(visit):
    """Opens a page in a window of this size, all folds closed."""

    def at(name):
        assert (BUILT / "book" / f"{name}.html").exists(), "expected the built book: run `make book` first"
        page = visit(f"book/{name}.html").page
        page.set_viewport_size({"width": 1280, "height": SCREEN})
        return page

    return at


@pytest.fixture(params=CHAPTERS)
def chapter(request, look):
    return look(request.param), request.param


@every_row("has", SHAPE)
def test_a_chapter_has_its_shape(chapter, has):
    has(*chapter)


def test_a_definition_is_shown_to_pointer_and_keyboard_until_escape(look):
    page = look("concepts/ideal")
    card = page.locator("#ndcg-popover")
    first, second = page.locator(".ndcg-defined").first, page.locator(".ndcg-defined").nth(1)
    first.hover()
    assert card.inner_text() == first.get_attribute("data-definition")
    second.focus()
    assert card.inner_text() == second.get_attribute("data-definition")
    page.keyboard.press("Escape")
    assert not card.is_visible()
