"""What a reader does with the book works: keyboard, search, copies, downloads, themes, paper, a folder, any address."""

import json

import pytest
from conftest import BUILT, FOLDER
from rows import every_row

from ndcg_ref.stated.display import MARKS
from tools.book.contents import book_ledger

ROOT = BUILT.parents[1]
WITH_SOLUTIONS = "book/concepts/discount"  # it has hidden code, hidden solutions, formulas, a figure
OF_EACH_KIND = ["book/intro", WITH_SOLUTIONS, "book/notes/two-queries", "book/worked-examples", "book/references"]

STOP = """() => {
    const one = document.activeElement;
    if (one === document.body || "reached" in one.dataset) return null;
    one.dataset.reached = "";
    const shown = one.querySelector(".toctree-toggle") ?? one;
    const style = getComputedStyle(shown);
    const seen = (style.outlineStyle !== "none" && style.outlineWidth !== "0px") || style.boxShadow !== "none";
    const box = shown.getBoundingClientRect();
    const there = box.width > 0 && box.height > 0 && style.opacity !== "0";
    return {marked: seen && there, html: one.outerHTML.slice(0, 200)};
}"""
# Arrow keys lead to these
PASSED = ".ndcg-tick[tabindex='-1']"
STOPS = f":is(a[href], button, summary, input):not({PASSED}):visible"


def cells(chapter):
    return json.loads((ROOT / f"{chapter}.ipynb").read_text(encoding="utf-8"))["cells"]


def walk(page):
    """Every stop of the Tab key, from the top of the page to its end, and until it comes round again."""
    stops, idle = [], 0
    while idle < 3:
        page.keyboard.press("Tab")
        stop = page.evaluate(STOP)
        idle = 0 if stop else idle + 1
        stops += [stop] if stop else []
    return stops


class TestTheKeyboardReachesEverything:
    @pytest.mark.parametrize("width", [1280, 360])
    def test_every_stop_is_reached_and_shown(self, visit, width):
        opened = visit(f"{WITH_SOLUTIONS}.html")
        opened.page.set_viewport_size({"width": width, "height": 900})
        opened.open_all()
        stops = walk(opened.page)
        assert [stop["html"] for stop in stops if not stop["marked"]] == []
        # A group of radio buttons is one stop
        missed = opened.page.locator(f"{STOPS}:not([data-reached])").evaluate_all(
            """all => all
                .filter((e) => e.type !== "radio" || !document.querySelector(`[name="${e.name}"][data-reached]`))
                .map((e) => e.outerHTML)"""
        )
        assert missed == []
        kinds = ["article summary", ".copybtn", ".bar .theme", ".bar summary"]
        for kind in kinds + [".steps a"] * (width > 800):  # a phone has no room for the steps
            assert opened.page.locator(f"{kind}[data-reached]").count() > 0, kind


def test_a_search_from_a_chapter_with_the_keyboard_finds_a_term(visit):
    page = visit("book/intro.html").page
    page.keyboard.press("Control+K")
    page.keyboard.type("discount")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=discount")
    page.get_by_role("link", name="The discount, and why it is a logarithm").first.click()
    assert page.locator("h1:visible").inner_text().startswith("The discount, and why it is a logarithm")


SEARCHED = {
    # what the table of words to search for does not say: what a reader types, where it leads
    "NDCG@10": "book/concepts/ideal.html#which-documents-does-a-cutoff-drop",
    "8.32": "book/notes/two-queries.html#verdict-regular-dcg-of-query-2",
    "13.11": "book/notes/two-queries.html#verdict-alternative-dcg-of-query-2",
    "ndcg_score": "book/reference/measures.html#ndcg_ref.ndcg_score",
}
# The twelve things that students ask, each as two of them would type it
ASKED = {
    "book/concepts/discount.html#why-a-logarithm": ("why a logarithm", "why log2"),
    "book/concepts/at-work.html#what-is-a-good-value": ("what is a good value", "good value"),
    "book/concepts/setting.html#recall": ("recall", "precision and recall"),
    "book/concepts/setting.html#who-grades": ("who grades", "annotators"),
    "book/concepts/at-work.html#training-with-ndcg": ("training", "learning to rank"),
    "book/concepts/at-work.html#offline-and-online": ("online and offline", "a/b test"),
    "book/concepts/at-work.html#recommenders-and-prompts": ("recommenders", "recommendation"),
    "book/concepts/at-work.html#which-cutoff": ("which cutoff", "which k"),
    "book/concepts/better.html#how-many-queries": ("how many queries", "number of queries"),
    "book/concepts/ndcg.html#write-it-yourself": ("write it myself", "implement ndcg"),
    "book/concepts/blind-spots.html#ties": ("ties", "equal scores"),
    "book/concepts/blind-spots.html#unjudged-documents": ("unjudged", "not judged"),
}


# What a search finds is in the order in which it is shown, the first at its end
FIRST_RESULTS = """(all) => all.map((words) => {
    const [name, , anchor] = Search._performSearch(...Search._parseQuery(words)).at(-1);
    return `${name}.html${anchor ?? ""}`;
})"""


# The words of the table, each with the section that it leads to
TABLE = """() => Object.fromEntries([...document.querySelectorAll("tbody tr")]
    .filter((row) => row.closest("table").tHead?.innerText.includes("searched for"))
    .flatMap((row) => row.cells[0].innerText.split(", ").map((words) => {
        const {pathname, hash} = row.cells[1].querySelector("a");
        return [words, pathname.slice(new URL("..", location).pathname.length) + hash];
    })))"""


def test_the_first_result_of_a_search_is_what_its_reader_wants(visit):
    wanted = visit("book/about.html").page.evaluate(TABLE) | SEARCHED
    assert len(wanted) > 200
    wanted |= {words: section for section, asked in ASKED.items() for words in asked}
    opened = visit("search.html?q=discount")
    page = opened.page
    first = page.locator("#search-results li a").first
    first.wait_for()
    assert first.evaluate("link => link.href").endswith(page.evaluate(FIRST_RESULTS, ["discount"])[0])
    found = page.evaluate(FIRST_RESULTS, list(wanted))
    assert dict(zip(wanted, found, strict=True)) == wanted
    assert opened.complaints == []


def test_the_help_of_a_command_keeps_its_columns_on_a_phone(visit):
    page = visit("book/reference/command.html").page
    page.set_viewport_size({"width": 360, "height": 800})
    outputs = page.locator(".tag_columns > .cell_output")
    assert outputs.count() > 10
    assert all(outputs.evaluate_all("all => all.map((each) => each.scrollWidth > each.clientWidth)"))


class TestALinkToAVerdictLeadsThere:
    SLIP = "book/notes/two-queries.html#verdict-regular-dcg-of-query-2"  # its printed line has four lines of its own

    @pytest.mark.parametrize("height", [900, 640])
    def test_the_printed_line_is_in_view_and_the_verdict_marked(self, visit, height):
        page = visit("book/worked-examples.html").page
        page.set_viewport_size({"width": 1280, "height": height})
        page.locator(f"a[href$='{self.SLIP.removeprefix('book/')}']").first.click()
        page.wait_for_url(f"**/{self.SLIP}")
        verdict = page.locator(":target")
        printed = page.locator(".ndcg-printed:has(+ :target), .ndcg-printed:has(:target)")
        for box in (verdict.bounding_box(), printed.bounding_box()):
            assert 0 <= box["y"] < box["y"] + box["height"] <= height
        outlines = page.locator(".ndcg-verdict").evaluate_all(
            "all => all.map((each) => [each.matches(':target'), getComputedStyle(each).outlineStyle])"
        )
        assert {tuple(each) for each in outlines} == {(True, "solid"), (False, "none")}


def test_a_copy_is_the_code_of_the_cell(visit):
    opened = visit(f"{WITH_SOLUTIONS}.html")
    opened.open_all()
    copied = []
    for button in opened.page.locator(".cell_input .copybtn").all():
        button.focus()
        opened.page.keyboard.press("Enter")
        copied.append(opened.page.evaluate("navigator.clipboard.readText()"))
    run = [
        cell
        for cell in cells(WITH_SOLUTIONS)
        if cell["cell_type"] == "code" and "skip-execution" not in str(cell["metadata"])
    ]
    code = ["".join(cell["source"]) for cell in run]
    assert sorted(copied) == sorted(code)  # the page gathers the checks of a section at its end


class TestThePageSuitsItsReader:
    def test_the_theme_is_switched_and_kept(self, visit):
        page = visit("book/intro.html").page
        theme = "document.documentElement.dataset.theme"
        page.get_by_role("button", name="Light or dark").press("Enter")
        assert page.evaluate(theme) == "dark"
        page.reload()
        assert page.evaluate(theme) == "dark"

    @every_row("chapter", OF_EACH_KIND)
    def test_paper_shows_every_slip_and_what_is_open_in_words(self, visit, chapter):
        page = visit(f"{chapter}.html").page
        page.emulate_media(media="print")
        expected = {
            each["label"]: MARKS[each["outcome"]]
            for each in book_ledger(ROOT).entries
            if each["chapter"] == f"{chapter}.ipynb"
        }
        shown = dict(
            page.locator(".ndcg-verdict").evaluate_all(
                """all => all.filter((each) => each.checkVisibility({opacityProperty: true, visibilityProperty: true}))
                    .map((each) => [each.id, each.innerText])"""
            )
        )
        folded = set(page.locator("details .ndcg-verdict").evaluate_all("all => all.map((each) => each.id)"))
        expected = {label: word for label, word in expected.items() if word == MARKS["slip"] or label not in folded}
        assert {label for label, word in expected.items() if word not in shown.get(label, "")} == set()
        assert page.locator(":is(.bar, .neighbours, .headerlink):visible").count() == 0

    def test_paper_leaves_out_what_the_reader_has_not_opened_and_is_light(self, visit):
        page = visit(f"{WITH_SOLUTIONS}.html").page
        page.emulate_media(media="print")
        closed = page.locator("article details:not(.ndcg-checked)")
        assert closed.count() > 2
        assert closed.locator("visible=true").count() == 0
        checked = page.locator("details.ndcg-checked")
        assert checked.locator("summary:visible").count() == checked.count() > 1
        for inside in ("details .cell_input", "details .ndcg-found", ".ndcg-folded"):  # the last are solutions
            assert page.locator(inside).count() > 2
            assert page.locator(inside).locator("visible=true").count() == 0
        page.evaluate("document.querySelector('article details:not(.ndcg-checked)').open = true")
        assert closed.locator("visible=true").count() > 0
        page.evaluate("document.documentElement.dataset.theme = 'dark'")
        look = """[
            getComputedStyle(document.documentElement).colorScheme,
            document.querySelectorAll('details[open]').length > 1,
        ]"""
        assert page.evaluate(look) == ["light", False]
        page.emulate_media(media="screen")
        assert page.evaluate(look) == ["dark", False]

    def test_paper_is_filled_from_margin_to_margin(self, visit):
        page = visit("book/practice/from-a-run.html").page
        page.emulate_media(media="print")
        page.set_viewport_size({"width": 711, "height": 1054})
        for box in page.locator("h1:visible, .ndcg-outcomes").all():
            assert (box.bounding_box()["x"], box.bounding_box()["width"]) == (0, 711)


class TestTheBookWorksAnywhere:
    def test_the_front_door_leads_to_the_first_page(self, visit, site):
        opened = visit("search.html")
        opened.page.goto(f"{site}/")
        opened.page.wait_for_url("**/some/where/book/intro.html")
        assert opened.complaints == []

    @every_row("chapter", OF_EACH_KIND)
    def test_a_chapter_opens_from_a_folder(self, visit, chapter):
        """Without a server: all but the excerpts of the search, which a browser lets no script read from a folder."""
        opened = visit(f"{chapter}.html", home=FOLDER)
        assert (opened.complaints, opened.elsewhere) == ([], [])

    def test_search_finds_pages_in_a_folder(self, visit):
        page = visit("search.html?q=discount", home=FOLDER).page
        page.get_by_role("link", name="The discount, and why it is a logarithm").first.wait_for()


class TestTheFrontPageAnswersInSeconds:
    def test_the_first_screen_has_question_drawing_and_slip_and_the_strip_its_names_and_marks(self, visit):
        page = visit("book/intro.html").page
        page.set_viewport_size({"width": 1280, "height": 800})
        assert page.locator(".tag_front-slip .ndcg-slip").first.bounding_box()["y"] < 700
        for part in ("h1:visible", ".front-start a", ".ndcg-drawing"):
            box = page.locator(part).first.bounding_box()
            assert 0 < box["y"] < box["y"] + box["height"] <= 800, part
        for width in (1280, 360):
            page.set_viewport_size({"width": width, "height": 800})
            strip = page.locator(".front-strip").bounding_box()
            names = [each.bounding_box() for each in page.locator(".front-named span").all()]
            assert len(names) == 3
            for box in names:
                assert strip["x"] - 1 <= box["x"] < box["x"] + box["width"] <= strip["x"] + strip["width"] + 1
                assert strip["y"] - 1 <= box["y"]
        marks = page.locator(".ledger-strip a").evaluate_all(
            "all => all.map((each) => [each.className.replace('ledger-', ''), each.textContent])"
        )
        assert {tuple(each) for each in marks} == {("agrees", ""), ("slip", "✗")}  # besides the colour

    def test_the_check_judges_where_it_is_and_leads_to_how_it_comes_about(self, visit):
        made = visit("book/intro.html")
        page = made.page
        grades, stated = page.get_by_label("Grades, best rank first"), page.get_by_label("Your NDCG")
        result = page.locator(".front-door .ndcg-live-result")
        shown = result.inner_text()
        grades.focus()
        page.locator(".front-more a[href*='#']").wait_for()  # the policy of the page lets no text be polled as code
        assert result.inner_text() == shown  # what stands there before the script is loaded is what the script says
        for number, said in (
            ("0.90", "✓ Right"),
            ("0.83", "the gain 2^grade − 1"),
            ("0.5", "gives 0.9."),
            ("x", "a number"),
        ):
            stated.fill(number)
            stated.press("Enter")
            assert said in result.inner_text()
        stated.fill("0.83")
        stated.press("Tab")
        page.locator(".front-more a").click()
        page.wait_for_url("**/book/live/check.html#live1=*")
        entries = page.locator("input, textarea").evaluate_all("all => all.map((each) => each.value)")
        assert {"NDCG = 0.83", "2 3 0 1 2"} <= {*entries}
        assert made.complaints == []

    def test_each_chapter_of_the_first_door_leads_there(self, visit):
        page = visit("book/intro.html").page
        links = page.locator(".front-chapters a")
        assert links.count() >= 10
        assert all("min" in row for row in page.locator(".front-chapters li").all_inner_texts())
        links.nth(2).click()
        page.wait_for_url("**/book/concepts/discount.html")

    def test_arrow_keys_lead_through_the_squares_of_a_note_and_one_stop_past_them(self, visit):
        page = visit("book/intro.html").page
        squares = page.locator(".ledger-strip").nth(4).locator("a")  # that of fourteen ranks, which has several rows
        places = squares.evaluate_all("all => all.map((each) => [each.offsetLeft, each.offsetTop])")
        row = next(i for i, (_, top) in enumerate(places) if top > places[0][1])

        def at():
            return squares.evaluate_all("all => all.indexOf(document.activeElement)")

        squares.first.focus()
        for key, place in [
            ("ArrowRight", 1),
            ("ArrowDown", 1 + row),
            ("ArrowLeft", row),
            ("ArrowUp", 0),
            ("ArrowUp", 0),
            ("End", len(places) - 1),
            ("ArrowRight", len(places) - 1),
            ("Home", 0),
            ("ArrowDown", row),
        ]:
            page.keyboard.press(key)
            assert at() == place, key
        page.keyboard.press("Tab")
        assert at() == -1
        page.keyboard.press("Shift+Tab")
        assert at() == row
        address = squares.nth(row).evaluate("link => link.href")
        page.keyboard.press("Enter")
        page.wait_for_url(address)
