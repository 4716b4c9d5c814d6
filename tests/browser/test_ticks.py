"""A tick says what was computed: to a pointer, the keyboard and a finger, and to all others as a link with a title."""

import pytest
from conftest import BUILT
from test_pages import CONTRAST, violations

PAGES = {path.relative_to(BUILT).as_posix(): path.read_text(encoding="utf-8") for path in BUILT.rglob("*.html")}
CHAPTER = "book/concepts/discount.html"
FOLDED = next((path for path, text in PAGES.items() if '<details class="ndcg-checked"' in text), None)
SLIPS = "book/notes/short-notes.html"
IN_PROSE = "p .ndcg-ticked > .ndcg-tick:visible"
POPOVER = "#ndcg-popover:popover-open"


@pytest.fixture
def page(visit):
    return visit(CHAPTER).page


def says(page, tick):
    """What the popover says, which belongs to this tick."""
    assert tick.get_attribute("aria-describedby") == "ndcg-popover"
    assert page.locator(POPOVER).get_attribute("role") == "tooltip"
    return page.locator(POPOVER).inner_text()


def overlap(one, other):
    return not (
        one["x"] + one["width"] <= other["x"]
        or other["x"] + other["width"] <= one["x"]
        or one["y"] + one["height"] <= other["y"]
        or other["y"] + other["height"] <= one["y"]
    )


# Comes to each tick with the pointer, one after the other, and tells where its popover and its number are
PLACED = """(all) => all.map((tick) => {
    tick.scrollIntoView({ block: "nearest", behavior: "instant" });
    tick.dispatchEvent(new PointerEvent("pointerover", { bubbles: true, pointerType: "mouse" }));
    const boxes = [document.querySelector("#ndcg-popover:popover-open"), tick.closest(".ndcg-ticked, td") ?? tick];
    return [tick.outerHTML, ...boxes.map((box) => box.getBoundingClientRect().toJSON())];
})"""


class TestAPointer:
    def test_a_tick_shows_what_it_says_while_the_pointer_stays_and_leads_to_the_verdict(self, page):
        tick = page.locator(IN_PROSE).first
        tick.hover()
        assert says(page, tick).startswith("✓ agrees: ")
        page.locator(POPOVER).hover()
        page.wait_for_timeout(300)  # longer than a popover waits for the pointer to come to it
        assert page.locator(POPOVER).is_visible()
        page.locator("h1:visible").first.hover()
        page.locator(POPOVER).wait_for(state="hidden")
        assert tick.get_attribute("aria-describedby") is None

        label = tick.get_attribute("href")
        tick.click()
        assert page.evaluate("location.hash") == label
        assert page.locator(":target").is_visible()

    @pytest.mark.parametrize("width", [1280, 360])
    def test_no_popover_covers_its_number_or_leaves_the_window(self, page, width):
        page.set_viewport_size({"width": width, "height": 800})
        placed = page.locator(".ndcg-tick:visible").evaluate_all(PLACED)
        assert len(placed) > 9
        for said, box, number in placed:
            assert not overlap(box, number), said
            assert 0 <= box["x"] < box["x"] + box["width"] <= width, said


class TestTheKeyboard:
    def test_a_table_and_a_section_are_one_stop_each_and_a_tick_has_its_outcome_as_name(self, page):
        groups = page.locator(".ndcg-tick").evaluate_all(
            """all => [...Map.groupBy(all, (one) => one.closest("table, details, section")).values()]
                .map((ticks) => ticks.map((one) => one.tabIndex))"""
        )
        assert max(map(len, groups)) > 1
        assert [sorted(stops) for stops in groups] == [[-1] * (len(stops) - 1) + [0] for stops in groups]
        names = page.locator(".ndcg-tick").evaluate_all("all => all.map((one) => one.ariaLabel)")
        assert set(names) <= {"agrees", "slip", "undefined", "unchecked"}

    def test_arrow_keys_go_round_and_each_tick_says_where_it_is(self, visit):
        page = visit(SLIPS).page
        ticks = page.locator("table:visible").filter(has=page.locator(".ndcg-tick")).first.locator(".ndcg-tick")
        count = ticks.count()
        ticks.first.focus()
        reached = []
        for key in ["ArrowRight"] * (count - 1) + ["ArrowDown", "ArrowLeft", "Home", "End", "ArrowUp"]:
            page.keyboard.press(key)
            reached.append(ticks.evaluate_all("all => all.indexOf(document.activeElement)"))
            tick = ticks.nth(reached[-1])
            assert f"{reached[-1] + 1} of {count}" in says(page, tick)
            assert ticks.evaluate_all("all => all.flatMap((one, i) => one.tabIndex ? [] : [i])") == [reached[-1]]
        assert reached == [*range(1, count), 0, count - 1, 0, count - 1, count - 2]

    def test_focus_shows_what_a_tick_says_and_escape_takes_it_away(self, page):
        tick = page.locator(f"{IN_PROSE}[tabindex='0']").first
        tick.focus()
        assert says(page, tick).startswith("✓ agrees: ")
        page.keyboard.press("Escape")
        assert page.locator(POPOVER).count() == 0
        page.keyboard.press("Tab")
        assert tick.get_attribute("aria-describedby") is None


def test_a_tap_of_a_finger_shows_one_beside_takes_it_away_and_a_second_one_follows(visit):
    phone = visit(CHAPTER, "phone").page
    tick = phone.locator(IN_PROSE).first
    tick.tap()
    assert says(phone, tick).startswith("✓ agrees: ")
    phone.locator("h1:visible").first.tap()
    phone.locator(POPOVER).wait_for(state="hidden")
    tick.tap()
    assert phone.evaluate("location.hash") == ""
    tick.tap()
    assert phone.evaluate("location.hash") == tick.get_attribute("href")


def test_a_definition_is_shown_to_pointer_and_keyboard_until_escape(visit):
    page = visit("book/concepts/ideal.html").page
    card = page.locator("#ndcg-popover")
    first, second = page.locator(".ndcg-defined").first, page.locator(".ndcg-defined").nth(1)
    first.hover()
    assert card.inner_text() == first.get_attribute("data-definition")
    second.focus()
    assert card.inner_text() == second.get_attribute("data-definition")
    page.keyboard.press("Escape")
    assert not card.is_visible()


def test_the_address_of_a_folded_verdict_opens_its_fold(visit):
    page = visit(FOLDED).page
    fold = page.locator("details.ndcg-checked").first
    assert not fold.evaluate("fold => fold.open")
    label = fold.locator("[id^='verdict-']").first.get_attribute("id")
    page.evaluate("label => { location.hash = label }", label)
    fold.and_(page.locator("[open]")).wait_for()
    assert visit(f"{FOLDED}#{label}").page.locator(":target").is_visible()


def test_without_a_script_a_tick_is_a_link_with_a_title(visit):
    page = visit(CHAPTER, "without scripts").page
    tick = page.locator(IN_PROSE).first
    assert tick.get_attribute("title").startswith("agrees: ")
    assert page.locator(tick.get_attribute("href")).count() == 1


def test_axe_finds_nothing_in_a_popover(visit):
    page = visit(SLIPS).page
    page.evaluate("for (const box of document.querySelectorAll('details')) box.open = true")
    page.locator(".ndcg-tick:visible").first.focus()
    assert page.locator(POPOVER).is_visible()
    assert violations(page, {"include": [[POPOVER], [":is(p, table):has([aria-describedby])"]]}) == []
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    assert violations(page, POPOVER, runOnly=[CONTRAST]) == []
