"""A chapter is short, shows before it states, and keeps its evidence folded, as a reader sees it at 1280 x 800."""

import pytest
from conftest import BUILT
from test_text import CONCEPTS, FOLDS, LESSONS

SCREEN = 800  # pixels
SCREENS, SCREENS_OF_THE_FRONT = 10, 2.5
FIRST_PICTURE = 1200  # pixels from the top
AGREES = 20

CHAPTERS = sorted(CONCEPTS)


@pytest.fixture
def look(visit):
    """Opens a page in a window of this size, all folds closed."""

    def at(name):
        assert (BUILT / "book" / f"{name}.html").exists(), "expected the built book: run `make book` first"
        page = visit(f"book/{name}.html").page
        page.set_viewport_size({"width": 1280, "height": SCREEN})
        return page

    return at


@pytest.mark.parametrize("name", [*CHAPTERS, "intro"])
def test_a_page_is_few_screens_long(look, name):
    screens = look(name).evaluate("document.documentElement.scrollHeight") / SCREEN
    assert screens <= (SCREENS_OF_THE_FRONT if name == "intro" else SCREENS)


@pytest.mark.parametrize("name", [name for name in CHAPTERS if name in LESSONS])
def test_the_first_picture_is_near_the_top(look, name):
    tops = (
        look(name)
        .locator("figure, .ndcg-drawing")
        .evaluate_all("all => all.map((each) => each.getBoundingClientRect().top + scrollY)")
    )
    assert min(tops) < FIRST_PICTURE


@pytest.mark.parametrize("name", CHAPTERS)
def test_few_verdicts_and_folds_are_seen(look, name):
    page = look(name)
    assert page.locator(".bd-article").inner_text().count("agrees") <= AGREES
    folds = page.locator(".bd-article details:not(.ndcg-solution):visible")
    assert folds.count() <= FOLDS
    assert folds.count() == page.locator(".bd-article details:not(.ndcg-solution):not([open]):visible").count()


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_solution_opens_with_all_that_checks_it(look, name):
    page = look(name)
    solutions = page.locator("details.ndcg-solution")
    assert solutions.count() == page.locator(".ndcg-stars").count()
    assert solutions.locator("details").count() == 0
    for solution in solutions.all():
        assert not solution.locator(".ndcg-folded").is_visible()
        solution.locator("summary").first.press("Enter")
        assert solution.locator(".ndcg-folded").is_visible()


@pytest.mark.parametrize("name", CHAPTERS)
def test_each_term_has_its_definition(look, name):
    page = look(name)
    terms = page.locator(".ndcg-defined")
    for term in terms.all():
        assert len(term.evaluate("term => term.dataset.definition || term.title").split()) > 2
    assert len(set(terms.evaluate_all("all => all.map((each) => each.href)"))) == terms.count()


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
