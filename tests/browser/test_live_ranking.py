"""An editable ranking takes the place of its drawing, and shows after each edit what the plain formulas give."""

from itertools import pairwise
from random import Random

import numpy as np
import pytest
from conftest import FOLDER, link
from test_pages import everywhere

from ndcg_ref.conventions.convention import Convention
from ndcg_ref.formulas import plain
from ndcg_ref.sphinx_ext.drawing import drawing_of

FULL = "book/concepts/ndcg.html"
PAGES = ["book/intro.html", *(f"book/concepts/{name}.html" for name in ("gain", "discount", "ideal", "ndcg"))]
CELL = ".tag_live-ranking"
HANDLE = f"{CELL} button.ndcg-handle"
BOOTS = [("Choosing boots", 2), ("Boots on test", 3), ("Boot camp", 0), ("Lacing boots", 1), ("Boots, wide fit", 2)]
WIDTHS = [1280, 768, 360]
MOTION = 280  # milliseconds

# The rows of a table, and its sum
SHOWN = """(table) => {
    const cells = (row) => Array.from(row.cells, (cell) => cell.textContent);
    const texts = (rows) => Array.from(table.querySelectorAll(rows), cells);
    return {rows: texts("tbody tr[data-grade]"), sum: texts("tfoot tr")[0]};
}"""
# What is drawn as lengths, in the words and numbers of ndcg_ref/sphinx_ext/lengths.py
LENGTHS = """(place) => {
    const all = (kind, within = place) => [...within.querySelectorAll(kind)];
    const text = (kind) => place.querySelector(kind)?.textContent ?? null;
    const share = (one, name) => Number((parseFloat(one.getAttribute(name)) / 100).toFixed(4));
    const orders = place.querySelector(".ndcg-orders:not(.ndcg-none)");
    return {
        ribbons: all(".ndcg-ribbon").map((ribbon, i) => ({
            label: all(".ndcg-label")[i].textContent,
            total: all(".ndcg-total")[i].textContent,
            said: ribbon.getAttribute("aria-label"),
            terms: all(".ndcg-segment", ribbon).map((one) => ({
                title: one.dataset.title, at: share(one, "x"), width: share(one, "width"), text: one.textContent,
                level: Number(one.getAttribute("class").slice(-1)),
            })),
        })),
        share: text(".ndcg-share > strong"),
        at: place.querySelector(".ndcg-marks") ? share(place.querySelector(".ndcg-marks > line"), "x1") : null,
        among: orders && {
            said: text(".ndcg-said-of-orders"), ends: text(".ndcg-orders > p"),
            low: Number(text(".ndcg-orders text")), at: share(orders.querySelector("circle"), "cx"),
            dots: all(".ndcg-dots > line", orders).map((pile) => share(pile, "x1")),
        },
    };
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


def drawn(page):
    return page.locator(f"{CELL} .ndcg-lengths").evaluate(LENGTHS)


def titles(page, table=0):
    return [row[2] for row in shown(page, table)["rows"]]


def said(page):
    return page.locator(f"{CELL} .ndcg-said").inner_text()


def task(page):
    return page.locator(f"{CELL} .ndcg-task > span").inner_text()


def press(page, *keys, at=0):
    page.locator(HANDLE).nth(at).focus()
    for key in keys:
        page.keyboard.press(key)


def button(page, name):
    return page.locator(f"{CELL} .ndcg-tools").get_by_role("button", name=name)


# Where each part of a cell, the cell, and what follows it begins and ends, in pixels from its top; and its texts
PARTS = """(cell) => {
    const kinds = "table, tr, .ndcg-guess, .ndcg-lengths, .ndcg-tools, .ndcg-said, .ndcg-choices, .ndcg-task";
    const top = cell.getBoundingClientRect().top;
    return {
        next: Math.round(cell.nextElementSibling.getBoundingClientRect().top - top),
        places: [cell, ...cell.querySelectorAll(kinds)].map((part) => {
            const box = part.getBoundingClientRect();
            return [box.top - top, box.bottom - top];
        }),
        texts: Array.from(cell.querySelectorAll("table, .ndcg-lengths"), (one) => one.textContent.replace(/\\s+/g, "")),
    };
}"""


class TestBeforeTheScript:
    @pytest.mark.parametrize("path", PAGES)
    def test_nothing_moves_and_no_number_changes_when_it_takes_over(self, blank, live, path):
        """And before it does, no task is set, as nothing can be edited."""
        waiting = blank().page
        waiting.route("**/live-ranking.js*", lambda route: route.abort())
        waiting.goto(f"{live(path).url.partition('/book/')[0]}/{path}")
        running = live(path)
        for width in WIDTHS:
            seen = []
            for page in (waiting, running):
                page.set_viewport_size({"width": width, "height": 900})
                seen.append(page.locator(CELL).first.evaluate(PARTS))
            assert seen[0]["texts"] == seen[1]["texts"]
            places, moved = (np.array(each["places"]) for each in seen)
            assert places.shape == moved.shape
            assert abs(places - moved).max() < 1, width  # browsers round parts of pixels
            assert seen[0]["next"] == seen[1]["next"], width
        assert not waiting.locator(f"{CELL} .ndcg-editing :is(button, .ndcg-task)").first.is_visible()

    @pytest.mark.parametrize("path", PAGES)
    def test_without_scripts_all_numbers_are_there_and_nothing_is_asked(self, visit, path):
        page = visit(path, "without scripts").page
        assert "With JavaScript, this ranking can be edited." in page.locator(f"{CELL} .ndcg-said").inner_text()
        assert not page.locator(f"{CELL} :is(button, .ndcg-task, .ndcg-guess)").first.is_visible()
        assert page.locator(f"{CELL} .ndcg-tracks > .ndcg-total").first.is_visible()

    def test_a_ranking_can_be_edited_where_the_page_was_opened_as_a_file(self, visit):
        page = visit(FULL, home=FOLDER).page
        press(page, "ArrowUp", at=1)
        assert titles(page)[0] == "Boots on test"


class Model:
    """What the page should show: an own list of results, and the plain formulas."""

    def __init__(self):
        self.results, self.choices = list(BOOTS), {"gain": "linear", "discount": "log(rank+1)"}
        self.cutoff = None

    def edit(self, page, random):
        """One edit on the page and in the list."""
        at = random.randrange(len(self.results))
        results = list(self.results)
        kinds = ["grade", "click", "up", "down", "add", "remove", "best", "gain", "discount", "cutoff"]
        match random.choice(kinds):
            case "grade":
                grade = random.randrange(5)
                press(page, str(grade), at=at)
                results[at] = (results[at][0], grade)
            case "click":
                page.locator(f"{CELL} .ndcg-grade > button").nth(at).click()
                results[at] = (results[at][0], (results[at][1] + 1) % 5)
            case "up":
                press(page, random.choice(["ArrowUp", "Enter"]), at=at)
                if at:
                    results[at - 1 : at + 1] = results[at], results[at - 1]
            case "down":
                press(page, "ArrowDown", at=at)
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
            case "best":
                button(page, "Best order").click()
                results.sort(key=lambda result: -result[1])
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
            [str(rank), f"{grade}", title, "", f"{gain / divisor:.2f}"]
            for rank, ((title, grade), gain, divisor) in enumerate(
                zip(self.results, gains, divisors, strict=True), start=1
            )
        ]
        dcg, idcg, ndcg = (each(grades, k, convention) for each in (plain.dcg, plain.idcg, plain.ndcg))
        found, lengths = shown(page), drawn(page)
        assert found["rows"] == rows
        assert found["sum"] == [f"DCG@{k}" if k else "DCG", f"{dcg:.3f}"]
        assert [each["total"] for each in lengths["ribbons"]] == [f"{dcg:.3f}", f"{idcg:.3f}"]
        assert lengths["share"] == f"{ndcg:.3f}".replace("nan", "undefined")


class TestAnEdit:
    def test_drawn_edits_show_what_the_plain_formulas_give(self, live):
        page, random, model = live(), Random(1), Model()
        for _ in range(25):
            model.edit(page, random)
            model.agrees(page)

    def test_the_keyboard_alone_moves_grades_removes_adds_and_undoes(self, live):
        page = live()
        press(page, "ArrowUp", at=1)
        assert said(page).startswith("Boots on test, now rank 1. DCG up from 5.097 to ")
        assert page.evaluate("document.activeElement.ariaLabel") == "Boots on test, rank 1: arrow keys move it"
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

    def test_the_second_drawing_is_the_best_order_of_the_first(self, live):
        page = live("book/concepts/ideal.html")
        press(page, "4", at=2)
        assert titles(page, 1)[0] == "Boot camp"
        assert page.locator(f"{CELL} table").nth(1).locator("button").count() == 0

    def test_an_example_of_the_book_can_be_chosen_and_reset(self, live):
        page = live()
        page.locator(f"{CELL} select[name=example]").select_option(label="Fourteen ranks")
        assert [row[1] for row in shown(page)["rows"]][:4] == ["1", "0.6", "0", "0.8"]
        button(page, "Reset").click()
        assert titles(page) == [title for title, _ in BOOTS]


class TestTheLengths:
    def test_they_are_those_of_the_package_for_many_drawn_rankings(self, live):
        """All in one visit, each by a link; texts are the same, and places to a hundredth of a percent."""
        page, random = live(), Random(4)
        follow = f"""(states) => states.map((state) => {{
            history.replaceState(null, "", "#live1=" + encodeURIComponent(JSON.stringify(state)));
            dispatchEvent(new Event("hashchange"));
            return ({LENGTHS})(document.querySelector("{CELL} .ndcg-lengths"));
        }})"""
        states = []
        for _ in range(190):  # a browser follows 200 in a few seconds, and no more
            grades = [random.choice([0, 0, 1, 2, 3, 4, 0.6]) for _ in range(random.choice([1, 2, 3, 4, 5, 6, 9]))]
            gain, discount = random.choice(["linear", "exponential"]), random.choice(["log(rank+1)", "log(rank)"])
            k = random.choice([None, 1, 3, 5])
            results = {f"Result {rank}": grade for rank, grade in enumerate(grades, start=1)}
            states.append({"lists": [list(results.items())], "gain": gain, "discount": discount, "cutoff": k})
        sampled = 0
        answers = page.evaluate(follow, [{"ranking": state} for state in states])
        for state, found in zip(states, answers, strict=True):
            rule = Convention(gain=state["gain"], discount=state["discount"])
            made = drawing_of({"A": dict(state["lists"][0])}, rule, state["cutoff"], lengths="share")["lengths"]
            for ribbon, expected in zip(found["ribbons"], made["ribbons"], strict=True):
                assert (ribbon["label"], ribbon["total"]) == (expected["label"], expected["total"])
                said = (
                    f"{ribbon['label']}: {' + '.join(term['text'] for term in expected['terms'])} = {ribbon['total']}"
                )
                assert ribbon["said"] == said
                terms = {term.pop("title"): term for term in ribbon["terms"]}
                for term in expected["terms"]:
                    own = terms[term["title"]]
                    assert own["text"] == (term["text"] if term["width"] >= 0.09 else "")
                    assert own["level"] == term["level"]
                    assert (own["at"], own["width"]) == pytest.approx((term["at"], term["width"]), abs=1.5e-4)
            share = made["share"]
            assert found["share"] == share["text"]
            assert found["at"] == pytest.approx(share["at"], abs=1.5e-4)
            assert (found["among"] is None) == (share["among"] is None)
            if among := share["among"]:
                sampled += "drawn at random" in among["said"]
                assert found["among"]["said"] == among["said"]
                assert found["among"]["ends"] == f"Worst {among['worst']}, mean {among['mean']}"
                assert found["among"]["low"] == among["low"]
                assert found["among"]["at"] == pytest.approx(among["at"], abs=1.5e-4)
                places = [place / 60 for place, _ in among["dots"]]
                assert sorted(found["among"]["dots"]) == pytest.approx(places, abs=1.5e-4)
        assert sampled > 10

    def test_a_link_leads_to_an_edited_ranking_with_its_choices(self, live):
        page = live()
        press(page, "ArrowUp", "4", at=1)
        page.locator(f"{CELL} select[name=gain]").select_option("exponential")
        state, address = (shown(page), drawn(page)), page.url
        other = live(f"{FULL}#{address.partition('#')[2]}")
        assert (shown(other), drawn(other)) == state
        assert task(other) == "So far 0 changes."

    def test_the_back_button_brings_the_edits_back(self, live):
        page = live()
        press(page, "ArrowUp", "4", at=1)
        before = shown(page)
        page.goto(page.url.partition("#")[0].replace("ndcg.html", "gain.html"))
        page.go_back()
        page.locator(f"{CELL}.ndcg-running").wait_for()
        assert shown(page) == before

    def test_a_title_from_a_link_stays_text(self, live):
        page = live(link(FULL, ranking={"lists": [[["<img src=x onerror=alert(1)>", 3]]]}))
        assert titles(page) == ["<img src=x onerror=alert(1)>"]
        assert page.locator(f"{CELL} img").count() == 0

    @pytest.mark.parametrize("motion", ["no-preference", "reduce"])
    def test_rows_and_terms_move_unless_the_reader_wants_no_motion(self, live, motion):
        page = live()
        page.emulate_media(reduced_motion=motion)
        page.locator(f"{CELL} [data-does=show]").click()
        page.context.new_cdp_session(page).send("Animation.setPlaybackRate", {"playbackRate": 0.01})  # seen in time
        press(page, "ArrowUp", at=1)
        moving = page.evaluate(
            "document.getAnimations().map((each) => [each.effect.target.tagName, each.effect.getTiming().duration])"
        )
        kinds = {kind for kind, _ in moving}
        assert kinds >= {"TR", "svg"} if motion == "no-preference" else not kinds & {"TR", "svg"}
        assert {length for kind, length in moving if kind in ("TR", "svg")} <= {MOTION}


class TestTheGuess:
    HIDDEN = (".ndcg-ribbon", ".ndcg-tracks > .ndcg-total", "tfoot", ".ndcg-here", ".ndcg-orders")

    def test_it_comes_first_and_then_the_value_is_shown_with_how_far_it_was_off(self, live):
        page = live()
        parts = [page.locator(f"{CELL} {kind}").first for kind in self.HIDDEN]
        assert [part.is_visible() for part in parts] == [False] * len(parts)
        slider = page.locator(f"{CELL} input[type=range]")
        slider.focus()
        for _ in range(20):
            page.keyboard.press("ArrowRight")
        assert page.locator(f"{CELL} output").inner_text() == "0.70"
        page.locator(f"{CELL} [data-does=show]").click()
        assert [part.is_visible() for part in parts] == [True] * len(parts)
        assert page.locator(f"{CELL} .ndcg-guess").inner_text() == "You guessed 0.70; it is 0.895. Too low by 0.20."
        assert said(page) == "You guessed 0.70; it is 0.895. Too low by 0.20."
        assert page.locator(f"{CELL} .ndcg-guessed").get_attribute("x1") == "70%"


class TestTheIdeal:
    def test_the_missing_result_is_retrieved_by_adding_and_stays_judged_when_it_goes(self, live):
        page = live("book/concepts/ideal.html")
        button(page, "Add").click()
        assert titles(page)[-1] == "Boots that last"
        ideal = shown(page, 1)["sum"]
        press(page, "Delete", at=5)
        press(page, "Delete", at=1)
        assert shown(page, 1)["sum"] == ideal == ["DCG@5", "7.141"]
        assert drawn(page)["ribbons"][1]["total"] == "7.141"

    def test_the_ideal_can_be_that_of_the_retrieved_results(self, live):
        page = live("book/concepts/ideal.html")
        page.locator(f"{CELL} select[name=ideal]").select_option("ranked")
        grades = [grade for _, grade in BOOTS]
        assert shown(page, 1)["sum"] == ["DCG@5", f"{plain.idcg(grades, 5):.3f}"]
        assert page.locator(f"{CELL} table .ndcg-heading").nth(1).inner_text() == "Ideal of those retrieved"
        assert drawn(page)["ribbons"][1]["label"] == "Ideal of those retrieved"


TASKS = [
    # page, keys pressed at a result, what is then reached, after how many changes
    ("book/intro.html", [(1, ["ArrowUp"]), (4, ["ArrowUp"] * 2), (4, ["ArrowUp"])], 4),
    ("book/concepts/gain.html", [(7, ["3"])], 1),
    ("book/concepts/discount.html", [(2, ["ArrowUp"] * 2), (3, ["ArrowUp"] * 2), (3, ["ArrowDown"])], 5),
    ("book/concepts/ndcg.html", [(3, ["0"])], 1),
]


@pytest.mark.parametrize(("path", "edits", "count"), TASKS)
def test_a_task_is_reached_and_its_changes_are_counted(live, path, edits, count):
    page = live(path)
    assert task(page) == "So far 0 changes."
    for at, keys in edits:
        assert not task(page).startswith("✓")
        press(page, *keys, at=at)
    assert task(page) == f"✓ Reached after {count} change{'s' * (count > 1)}."
    assert said(page).endswith("✓ Task reached.")


class TestPointing:
    def test_a_result_is_lit_wherever_it_is_with_how_its_term_comes_about(self, live):
        page = live()
        page.locator(f"{CELL} [data-does=show]").click()
        lit = page.locator(f"{CELL} .ndcg-lit")
        for light in (
            page.locator(f"{CELL} .ndcg-ribbon").nth(1).locator("[data-title='Boots on test']").hover,
            page.locator(HANDLE).nth(1).focus,
            page.locator(f"{CELL} .ndcg-result", has_text="Boots on test").first.hover,
        ):
            page.mouse.move(0, 0)
            light()
            kinds = [(each.evaluate("e => e.tagName"), each.get_attribute("data-title")) for each in lit.all()]
            assert kinds == [(tag, "Boots on test") for tag in ("TR", "svg", "svg")]
            assert page.locator(f"{CELL} .ndcg-working").inner_text() == "Boots on test, rank 2: 3/1.585 = 1.893"

    def test_a_mouse_drags_a_result_and_that_is_one_change(self, live):
        page = live()
        handles = page.locator(HANDLE)
        handles.nth(4).scroll_into_view_if_needed()
        box = handles.nth(4).bounding_box()
        page.mouse.move(box["x"] + 20, box["y"] + 8)
        page.mouse.down()
        for row in (3, 2, 0):
            box = handles.nth(row).bounding_box()
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

    def test_a_handle_is_as_large_as_a_finger(self, visit):
        page = visit(FULL, "phone").page
        page.locator(f"{CELL}.ndcg-running").wait_for()
        boxes = [handle.bounding_box() for handle in page.locator(HANDLE).all()]
        assert all(box["width"] >= 44 and box["height"] >= 44 for box in boxes)
        assert all(one["y"] + one["height"] <= other["y"] for one, other in pairwise(boxes))


class TestEverybody:
    def test_axe_finds_nothing_before_the_guess_nor_in_an_edited_ranking_in_light_dark_or_on_a_phone(self, live):
        page = live()
        assert everywhere(page, CELL) == []
        page.evaluate("document.documentElement.dataset.theme = 'light'")
        page.set_viewport_size({"width": 1280, "height": 900})
        press(page, "4", "ArrowDown", at=1)
        assert everywhere(page, CELL) == []

    def test_the_buttons_name_the_result_that_they_change_and_only_the_result_is_read_aloud(self, live):
        page = live()
        aloud = page.locator(f"{CELL} [aria-live]").evaluate_all("all => all.map((each) => each.className)")
        assert aloud == ["ndcg-said"]
        press(page, "ArrowDown", at=1)
        cell = page.locator(CELL)
        names = ["Boots on test, rank 3: arrow keys move it", "Grade 3 of Boots on test: press to change it"]
        assert [cell.get_by_role("button", name=name, exact=True).count() for name in names] == [1, 1]

    def test_paper_shows_the_state_and_no_control(self, live):
        page = live()
        press(page, "4", at=1)
        page.locator(f"{CELL} select[name=gain]").select_option("exponential")
        page.emulate_media(media="print")
        assert not page.locator(f"{CELL} .ndcg-tools").is_visible()
        assert not page.locator(f"{CELL} .ndcg-said").is_visible()
        total = page.locator(f"{CELL} .ndcg-tracks > .ndcg-total").first.inner_text()
        assert total == f"{3 + 15 / np.log2(3) + 1 / np.log2(5) + 3 / np.log2(6):.3f}"
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
