"""An editable ranking takes the place of its drawing, and shows after each edit what the plain formulas give."""

from random import Random

import numpy as np
import pytest
from conftest import FOLDER
from test_pages import everywhere

from ndcg_ref.conventions.convention import Convention
from ndcg_ref.formulas import plain

FULL = "book/concepts/ndcg.html"
PAGES = ["book/intro.html", *(f"book/concepts/{name}.html" for name in ("gain", "discount", "ideal", "ndcg"))]
CELL = ".tag_live-ranking"
GRADE = f"{CELL} tbody .ndcg-grade [role=button]"
BOOTS = [("Choosing boots", 2), ("Boots on test", 3), ("Boot camp", 0), ("Lacing boots", 1), ("Boots, wide fit", 2)]
WIDTHS = [1280, 768, 360]

# The rows of the first table, and its sums
SHOWN = """(table) => {
    const cells = (row) => Array.from(row.cells, (cell) => cell.innerText);
    const texts = (rows) => Array.from(table.querySelectorAll(rows), cells);
    return {rows: texts("tbody tr[data-grade]"), sums: Object.fromEntries(texts("tfoot tr"))};
}"""


@pytest.fixture
def live(visit):
    """Opens a page with an editable ranking, and shows that it has complained of nothing."""
    opened = []

    def go(path=FULL):
        opened.append(visit(path))
        opened[-1].page.locator(f"{CELL}.ndcg-running").first.wait_for()
        return opened[-1].page

    yield go
    assert [each for page in opened for each in page.complaints] == []


def shown(page, table=0):
    return page.locator(f"{CELL} table").nth(table).evaluate(SHOWN)


def titles(page, table=0):
    return [row[2] for row in shown(page, table)["rows"]]


def said(page):
    return page.locator(f"{CELL} .ndcg-said").inner_text()


def task(page):
    return page.locator(f"{CELL} .ndcg-task > span").inner_text()


def press(page, *keys, at=0):
    page.locator(GRADE).nth(at).focus()
    for key in keys:
        page.keyboard.press(key)


def button(page, name):
    return page.locator(f"{CELL} .ndcg-tools").get_by_role("button", name=name)


# Where each part of a cell, the cell, and what follows it begins and ends, in pixels from its top; and its texts
PARTS = """(cell) => {
    const parts = cell.querySelectorAll("table, tr, .ndcg-tools, .ndcg-said, .ndcg-sums, .ndcg-choices, .ndcg-task");
    const top = cell.getBoundingClientRect().top;
    return {
        next: Math.round(cell.nextElementSibling.getBoundingClientRect().top - top),
        places: [cell, ...parts].map((part) => {
            const box = part.getBoundingClientRect();
            return [box.top - top, box.bottom - top];
        }),
        texts: Array.from(cell.querySelectorAll("table, .ndcg-sums p"), (part) => part.innerText),
    };
}"""


class TestWithoutAScript:
    @pytest.mark.parametrize("path", PAGES)
    def test_nothing_moves_and_no_number_changes_when_the_script_takes_over(self, visit, live, path):
        """And before it does, no task is set, as nothing can be edited."""
        before, after = visit(path, "without scripts").page, live(path)
        for width in WIDTHS:
            seen = []
            for page in (before, after):
                page.set_viewport_size({"width": width, "height": 900})
                seen.append(page.locator(CELL).first.evaluate(PARTS))
            assert seen[0]["texts"] == seen[1]["texts"]
            places, moved = (np.array(each["places"]) for each in seen)
            assert places.shape == moved.shape
            assert abs(places - moved).max() < 1, width  # browsers round parts of pixels
            assert seen[0]["next"] == seen[1]["next"], width
        assert "With JavaScript, this ranking can be edited." in before.locator(f"{CELL} .ndcg-said").first.inner_text()
        assert not before.locator(f"{CELL} :is(button, .ndcg-task)").first.is_visible()

    def test_a_ranking_can_be_edited_where_the_page_was_opened_as_a_file(self, visit):
        page = visit(FULL, home=FOLDER).page
        press(page, "Alt+ArrowUp", at=1)
        assert titles(page)[0] == "Boots on test"


class Model:
    """What the page should show: an own list of results, and the plain formulas."""

    def __init__(self):
        self.results, self.choices, self.before = list(BOOTS), {"gain": "linear", "discount": "log(rank+1)"}, []
        self.cutoff = None

    def edit(self, page, random):
        """One edit on the page and in the list."""
        at = random.randrange(len(self.results))
        results = list(self.results)
        match random.choice(["grade", "click", "up", "down", "add", "remove", "gain", "discount", "cutoff"]):
            case "grade":
                grade = random.randrange(5)
                press(page, str(grade), at=at)
                results[at] = (results[at][0], grade)
            case "click":
                page.locator(GRADE).nth(at).click()
                results[at] = (results[at][0], (results[at][1] + 1) % 5)
            case "up":
                press(page, "Alt+ArrowUp", at=at)
                if at:
                    results[at - 1 : at + 1] = results[at], results[at - 1]
            case "down":
                page.locator(GRADE).nth(at).focus()
                button(page, "Down").click()
                if at + 1 < len(results):
                    results[at : at + 2] = results[at + 1], results[at]
            case "add":
                button(page, "Add").click()
                number = len(results) + 1
                while f"Result {number}" in dict(results):
                    number += 1
                results.append((f"Result {number}", 0))
            case "remove":
                press(page, "Delete", at=at)
                if len(results) > 1:
                    del results[at]
            case "cutoff":
                self.cutoff = random.choice([None, 1, 3, 10])
                page.locator(f"{CELL} select[name=cutoff]").select_option(str(self.cutoff or ""))
            case choice:
                self.choices[choice] = random.choice(
                    {"gain": ["linear", "exponential"], "discount": ["log(rank+1)", "log(rank)", "none"]}[choice]
                )
                page.locator(f"{CELL} select[name={choice}]").select_option(self.choices[choice])
        self.results = results

    def agrees(self, page):
        convention = Convention(**self.choices)
        grades, k = [grade for _, grade in self.results], self.cutoff
        gains, divisors = plain.gains(grades, convention), plain.discounts(len(grades), convention)
        rows = [
            [str(rank), f"{grade}", title, f"{gain:g}", f"{divisor:.2f}", f"{gain / divisor:.2f}"]
            for rank, ((title, grade), gain, divisor) in enumerate(
                zip(self.results, gains, divisors, strict=True), start=1
            )
        ]
        sums = {"DCG": plain.dcg(grades, k, convention), "IDCG": plain.idcg(grades, k, convention)}
        texts = {name: f"{value:.3f}" for name, value in sums.items()}
        texts["NDCG"] = f"{plain.ndcg(grades, k, convention):.3f}".replace("nan", "undefined")
        suffix = f"@{k}" if k else ""
        found = shown(page)
        assert found["rows"] == rows
        assert found["sums"] == {f"{name}{suffix}": text for name, text in texts.items()}
        formula = page.locator(f"{CELL} .ndcg-sums p").first.inner_text()
        assert formula.startswith(f"As retrieved: DCG{suffix} = ")
        assert formula.endswith(f" = {texts['DCG']}")
        assert formula.count(" + ") == min(len(grades), k or len(grades)) - 1


class TestAnEdit:
    def test_drawn_edits_show_what_the_plain_formulas_give(self, live):
        page, random, model = live(), Random(1), Model()
        for _ in range(40):
            model.edit(page, random)
            model.agrees(page)

    def test_the_keyboard_alone_moves_grades_removes_adds_and_undoes(self, live):
        page = live()
        press(page, "Alt+ArrowUp", at=1)
        assert said(page).startswith("Boots on test, now rank 1. DCG up from 5.097 to ")
        assert page.evaluate("document.activeElement.ariaLabel") == "Grade 3: Boots on test, rank 1"
        press(page, "4", "Delete")
        assert titles(page) == ["Choosing boots", "Boot camp", "Lacing boots", "Boots, wide fit"]
        for name in ("Add", "Undo", "Undo", "Undo", "Undo"):
            button(page, name).focus()
            page.keyboard.press("Enter")
        assert titles(page) == [title for title, _ in BOOTS]
        assert task(page) == "So far 0 changes."
        page.keyboard.press("Enter")
        assert said(page) == "Nothing to undo."

    def test_the_tab_key_leaves_the_ranking(self, live):
        page = live()
        press(page, *["Tab"] * 30)
        assert not page.evaluate(f"document.querySelector('{CELL} .ndcg-editing').contains(document.activeElement)")

    def test_a_button_without_a_chosen_result_asks_for_one(self, live):
        page = live()
        button(page, "Up").click()
        assert said(page) == "First choose a result: click it."
        page.locator(f"{CELL} tbody .ndcg-result").nth(1).click()
        button(page, "Up").click()
        assert said(page).startswith("Boots on test, now rank 1.")

    def test_what_has_changed_is_marked_until_the_next_change(self, live):
        page = live()
        marked = page.locator(f"{CELL} table").first.locator(".ndcg-changed")
        assert marked.count() == 0
        press(page, "4", at=1)
        assert [each.get_attribute("data-changed") for each in marked.all()] == ["▲", "▲", "▲", "▼"]  # NDCG is 0.856
        press(page, "0", at=4)
        assert [each.get_attribute("data-changed") for each in marked.all()] == ["▼", "▼", "▼", "▲"]  # and 0.860

    def test_the_second_drawing_is_the_best_order_of_the_first(self, live):
        page = live()
        press(page, "4", at=2)
        assert titles(page, 1)[0] == "Boot camp"
        assert page.locator(f"{CELL} table").nth(1).locator("[role=button]").count() == 0

    def test_an_example_of_the_book_can_be_chosen_and_reset(self, live):
        page = live()
        page.locator(f"{CELL} select[name=example]").select_option(label="Fourteen ranks")
        assert [row[1] for row in shown(page)["rows"]][:4] == ["1", "0.6", "0", "0.8"]
        button(page, "Reset").click()
        assert titles(page) == [title for title, _ in BOOTS]

    def test_a_title_from_the_history_stays_text(self, live):
        page = live()
        button(page, "Add").click()
        state = page.evaluate("history.state")
        state["ranking0"]["lists"][0][0]["title"] = "<img src=x onerror=alert(1)>"
        page.evaluate("state => history.replaceState(state, '')", state)
        page.reload()
        page.locator(f"{CELL}.ndcg-running").wait_for()
        assert titles(page)[0] == "<img src=x onerror=alert(1)>"
        assert page.locator(f"{CELL} img").count() == 0


class TestTheIdeal:
    def test_the_missing_result_is_retrieved_by_adding_and_stays_judged_when_it_goes(self, live):
        page = live("book/concepts/ideal.html")
        button(page, "Add").click()
        assert titles(page)[-1] == "Boots that last"
        ideal = shown(page, 1)["sums"]
        press(page, "Delete", at=5)
        press(page, "Delete", at=1)
        assert shown(page, 1)["sums"] == ideal == {"DCG@5": "7.141"}

    def test_the_ideal_can_be_that_of_the_retrieved_results(self, live):
        page = live("book/concepts/ideal.html")
        page.locator(f"{CELL} select[name=ideal]").select_option("ranked")
        grades = [grade for _, grade in BOOTS]
        assert shown(page, 1)["sums"] == {"DCG@5": f"{plain.idcg(grades, 5):.3f}"}
        assert page.locator(f"{CELL} .ndcg-heading").nth(1).inner_text() == "Ideal of those retrieved"


TASKS = [
    # page, keys pressed at a result, what is then reached, after how many changes
    ("book/intro.html", [(1, ["Alt+ArrowUp"]), (4, ["Alt+ArrowUp"] * 2), (4, ["Alt+ArrowUp"])], 4),
    ("book/concepts/gain.html", [(7, ["3"])], 1),
    ("book/concepts/discount.html", [(2, ["Alt+ArrowUp"] * 2), (3, ["Alt+ArrowUp"] * 2), (3, ["Alt+ArrowDown"])], 5),
    ("book/concepts/ndcg.html", [(3, ["0"])], 1),
]


class TestATask:
    @pytest.mark.parametrize(("path", "edits", "count"), TASKS)
    def test_a_task_is_reached_and_its_changes_are_counted(self, live, path, edits, count):
        page = live(path)
        assert task(page) == "So far 0 changes."
        for at, keys in edits:
            assert not task(page).startswith("✓")
            press(page, *keys, at=at)
        assert task(page) == f"✓ Reached after {count} change{'s' * (count > 1)}."
        assert said(page).endswith("✓ Task reached.")


class TestPointing:
    def test_a_term_lights_its_result_and_the_other_way_round(self, live):
        page = live()
        lit = page.locator(f"{CELL} .ndcg-lit")
        term = page.locator(f"{CELL} .ndcg-term", has_text="3/1.585")
        for light in (
            term.hover,
            term.focus,
            page.locator(f"{CELL} .ndcg-result", has_text="Boots on test").first.hover,
        ):
            page.mouse.move(0, 0)
            light()
            kinds = [(each.evaluate("e => e.tagName"), each.get_attribute("data-title")) for each in lit.all()]
            assert kinds == [(tag, "Boots on test") for tag in ("TR", "TR", "SPAN", "SPAN")]

    def test_a_mouse_drags_a_result_and_that_is_one_change(self, live):
        page = live()
        rows = page.locator(f"{CELL} table").first.locator("tbody .ndcg-result")
        rows.nth(4).scroll_into_view_if_needed()
        box = rows.nth(4).bounding_box()
        page.mouse.move(box["x"] + 20, box["y"] + 8)
        page.mouse.down()
        for row in (3, 2, 0):
            box = rows.nth(row).bounding_box()
            page.mouse.move(box["x"] + 20, box["y"] + 8)
        page.mouse.up()
        assert titles(page) == ["Boots, wide fit", "Choosing boots", "Boots on test", "Boot camp", "Lacing boots"]
        assert said(page).startswith("Boots, wide fit, now rank 1. DCG ")
        button(page, "Undo").click()
        assert titles(page) == [title for title, _ in BOOTS]

    @pytest.mark.parametrize(("part", "moves"), [("rank", True), ("result", False)])
    def test_a_finger_drags_by_the_rank_and_scrolls_elsewhere(self, visit, part, moves):
        page = visit(FULL, "phone").page
        cells = page.locator(f"{CELL} table").first.locator(f"tbody .ndcg-{part}")
        page.locator(f"{CELL} table").first.evaluate("table => table.scrollIntoView({block: 'center'})")
        first, last = (cells.nth(at).bounding_box() for at in (0, 4))
        touch = page.context.new_cdp_session(page)
        x, top, bottom = first["x"] + 4, first["y"] + 8, last["y"] + 8

        def send(kind, *points):
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for y in points]})

        send("touchStart", top)
        for step in range(1, 6):
            send("touchMove", top + (bottom - top) * step / 5)
        send("touchEnd")
        page.evaluate("new Promise(requestAnimationFrame)")
        assert (titles(page)[-1] == "Choosing boots") is moves


class TestEverybody:
    def test_axe_finds_nothing_in_an_edited_ranking_in_light_dark_or_on_a_phone(self, live):
        page = live()
        press(page, "4", "Alt+ArrowDown", at=1)
        assert everywhere(page, CELL) == []

    def test_the_buttons_name_the_result_that_they_change(self, live):
        page = live()
        tools = page.locator(f"{CELL} .ndcg-tools")
        assert tools.get_by_role("button", name="Move up the chosen result", exact=True).count() == 1
        page.locator(GRADE).nth(2).focus()
        names = ["Move up Boot camp", "Move down Boot camp", "Remove Boot camp"]
        assert [tools.get_by_role("button", name=name, exact=True).count() for name in names] == [1, 1, 1]
        tools.get_by_role("button", name="Move up Boot camp").press("Enter")
        assert titles(page)[1] == "Boot camp"
        tools.get_by_role("button", name="Remove Boot camp").press("Enter")
        assert tools.get_by_role("button", name="Remove Boots on test").count() == 1

    def test_only_the_result_is_read_aloud(self, live):
        page = live()
        assert page.locator(f"{CELL} [aria-live]").evaluate_all("all => all.map((each) => each.className)") == [
            "ndcg-said"
        ]

    def test_paper_shows_the_state_and_no_control(self, live):
        page = live()
        press(page, "4", at=1)
        page.locator(f"{CELL} select[name=gain]").select_option("exponential")
        page.emulate_media(media="print")
        assert not page.locator(f"{CELL} button").first.is_visible()
        assert not page.locator(f"{CELL} .ndcg-said").is_visible()
        assert "15/1.585" in page.locator(f"{CELL} .ndcg-sums p").first.inner_text()  # 2^4 - 1
        gain = page.locator(f"{CELL} select[name=gain]")
        assert gain.evaluate("each => getComputedStyle(each).borderTopWidth") == "0px"

    def test_each_choice_has_its_label_above_it_and_room_for_its_words(self, live):
        page = live()
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            choices = page.locator(f"{CELL} .ndcg-choices label").evaluate_all(
                """all => all.map((label) => {
                    const select = label.querySelector("select");
                    const words = document.createRange();
                    words.selectNode(label.firstChild);
                    const canvas = document.createElement("canvas").getContext("2d");
                    canvas.font = getComputedStyle(select).font;
                    const longest = canvas.measureText(select.selectedOptions[0].text).width;
                    const [top, room] = [select.getBoundingClientRect().top, select.clientWidth];
                    return [words.getBoundingClientRect().bottom <= top + 1, longest + 30 <= room];
                })"""
            )
            assert choices == [[True, True]] * 4, width

    def test_the_back_button_brings_the_edits_back(self, live):
        page = live()
        press(page, "Alt+ArrowUp", "4", at=1)
        before = shown(page)
        page.goto(page.url.replace("ndcg.html", "gain.html"))
        page.go_back()
        page.locator(f"{CELL}.ndcg-running").wait_for()
        assert shown(page) == before
        assert task(page) == "So far 2 changes."
