"""Every page of the book loads, is set, shows its verdicts, and can be read by everybody."""

import io
import json
import zipfile
from itertools import pairwise
from pathlib import Path

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from conftest import BUILT
from rows import every_row
from test_text import CONCEPTS, FOLDS, LESSONS

from ndcg_ref.stated.display import MARKS
from tools.book.contents import book_ledger

ROOT = BUILT.parents[1]
PAGES = sorted(
    path.relative_to(BUILT).as_posix()
    for path in BUILT.rglob("*.html")
    if "_static" not in path.parts and path != BUILT / "index.html"  # which leads to the first page
)
assert PAGES, "expected the built book in _build/html, found no page: run `make book` first"

ENTRIES = book_ledger(ROOT).entries
OF_BUILD = json.loads((BUILT / "ndcg-ledger.json").read_text(encoding="utf-8"))["entries"]
TYPED = [each for each in OF_BUILD if each["chapter"].endswith(".md")]
LEVEL_AA = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
CONTRAST = "color-contrast"  # the rule that takes the time


def violations(page, part=None, **options):
    """What axe-core finds; without preloading, which asks for style sheets again and serves none of the rules used."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    options = {"runOnly": LEVEL_AA, "resultTypes": ["violations"], "preload": False, **options}
    found = page.evaluate(
        "([part, options]) => axe.run(part ?? document, options).then(({violations}) => violations)", [part, options]
    )
    return [
        f"{rule['id']} ({rule['help']}): {node['html'][:200]}: {node['failureSummary']}"
        for rule in found
        for node in rule["nodes"]
    ]


# Takes away all that is neither in a part of the page nor around it: axe-core looks at a whole page, again and again
ALONE = """(part) => {
    const kept = new Set();
    for (let box of document.querySelectorAll(part)) {
        for (const inside of box.querySelectorAll("*")) kept.add(inside);
        for (; box; box = box.parentElement) kept.add(box);
    }
    for (const box of document.querySelectorAll("main *")) if (!kept.has(box)) box.remove();
}"""


def everywhere(page, part):
    """What axe-core finds in a part of a page, light and dark, wide and narrow, where nothing scrolls sideways."""
    page.evaluate(ALONE, part)
    found = violations(page, part)
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    found += violations(page, part, runOnly=[CONTRAST])
    page.set_viewport_size({"width": 360, "height": 800})
    page.evaluate("scrollTo({top: 0, behavior: 'instant'})")  # a link that scrolls under the header has no size
    found += violations(page, part, rules={CONTRAST: {"enabled": False}})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    return found


# The sum of what browsers measure until a page that is not touched has its fonts and is drawn
LAYOUT_SHIFT = """async () => {
    let sum = 0;
    const add = (list) => { for (const each of list) sum += each.value; };
    const observer = new PerformanceObserver((list) => add(list.getEntries()));
    observer.observe({type: "layout-shift", buffered: true});
    await document.fonts.ready;
    for (let drawn = 0; drawn < 3; drawn += 1) await new Promise(requestAnimationFrame);
    add(observer.takeRecords());
    return sum;
}"""


def a_page_loads_without_a_complaint(visit):
    # A page for any address that is wrong names the site as its base, which is another one than that of the tests
    assert [said for said in visit.complaints if "base URI" not in said or visit.path != "404.html"] == []


def a_page_asks_no_other_host(visit):
    assert visit.elsewhere == []


def a_page_asks_for_no_python(visit):
    """Before a reader enters something; tests of the worker hold what it asks for then."""
    assert [url for url in visit.requests if "/_static/live/" in url] == []


def a_cold_page_is_light(visit):
    """All that a first visit loads, unpacked, in bytes, though this one may have taken it from the cache."""
    loaded = "['navigation', 'resource'].flatMap((kind) => performance.getEntriesByType(kind))"
    sizes = dict(
        visit.page.evaluate(
            f"{loaded}.map((each) => [each.name.split('?')[0].split('/').at(-1), each.decodedBodySize])"
        )
    )
    page, fonts = next(iter(sizes.values())), sizes.get("type.css", 0)
    assert page > 0  # that of a lost address needs nothing else
    assert sum(sizes.values()) <= 1_500_000
    if visit.path.startswith("book/"):
        assert page <= 220_000
        assert 0 < fonts <= 90_000
        assert sum(sizes.values()) - page - fonts <= (120_000 if "live/" in visit.path else 100_000)


def nothing_moves_while_a_page_loads(visit):
    assert visit.moved <= 0.05


def the_formulas_of_a_page_are_set(visit):
    # What a live part replaces is hidden
    unset = visit.page.locator(".math:not(.ndcg-live-without *, template *)").evaluate_all(
        "all => all.filter((each) => !each.querySelector('math')?.getBoundingClientRect().height)"
    )
    assert unset == []
    prose = visit.page.evaluate(
        """() => {
            const copy = (document.querySelector("main") ?? document.body).cloneNode(true);
            for (const code of copy.querySelectorAll("pre, code, script")) code.remove();
            return copy.textContent;
        }"""
    )
    assert not any(mark in prose for mark in (r"\(", r"\)", r"\[", r"\]", "$", r"\frac"))


def the_verdicts_of_a_page_are_there(visit):
    chapters = [Path(visit.path).with_suffix(suffix).as_posix() for suffix in (".ipynb", ".md")]
    expected = {each["label"]: each["outcome"] for each in [*ENTRIES, *TYPED] if each["chapter"] in chapters}
    # A page without cells has those of its role as well, which are ticks beside the number
    found = visit.page.locator(".ndcg-verdict, p > .ndcg-ticked[id]").evaluate_all(
        """all => all.map((each) => [
            each.id,
            each.outerHTML.match(/[\\w-]+/g),
            each.closest("table.ndcg-found") ? "✓ agrees"
                : (each.closest("tr:not(:has(.ndcg-verdict:not(.ndcg-agrees)))") ?? each).innerText,
        ])"""  # a table below a bar is of what agrees, as the bar says, and a row that agrees has one mark
    )
    assert sorted(label for label, *_ in found) == sorted(expected)
    assert [label for label, classes, _ in found if f"ndcg-{expected[label]}" not in classes] == []
    assert [label for label, _, text in found if MARKS[expected[label]] not in text] == []


def the_pictures_of_a_page_are_described(visit):
    pictures = visit.page.locator("img").evaluate_all("all => all.map((each) => [each.alt, each.getAttribute('src')])")
    assert [source for alt, source in pictures if len(alt.split()) < 2 or Path(source).name in alt] == []
    names = visit.page.locator("svg.plot").evaluate_all("all => all.map((each) => each.ariaLabel ?? '')")
    assert [name for name in names if len(name.split()) < 9] == []


def the_download_of_a_page_is_its_notebook(visit):
    source = ROOT / Path(visit.path).with_suffix(".ipynb")
    link = visit.page.locator(".book-downloads a[href*='/_sources/']").last  # with its data, if it has any
    if source.exists():
        address = link.evaluate("link => link.href")
        served = visit.page.request.get(address).body()
        if address.endswith(".zip"):
            archive = zipfile.ZipFile(io.BytesIO(served))
            (name,) = (name for name in archive.namelist() if name.endswith(f"/{source.name}"))
            served = archive.read(name)
        install, *read = (cell for cell in json.loads(served)["cells"] if cell["cell_type"] == "code")
        stored = json.loads(source.read_text(encoding="utf-8"))["cells"]
        assert "pip install" in "".join(install["source"])
        run = [cell for cell in stored if cell["cell_type"] == "code" and "skip-execution" not in str(cell["metadata"])]
        assert [cell["source"] for cell in read] == [cell["source"] for cell in run]
    else:
        assert not link.count()


def scripts_in_attributes(page):
    return page.evaluate(
        """() => [...document.querySelectorAll("*")].flatMap((one) => [...one.attributes])
            .filter((each) => each.name.startsWith("on") || /^\\s*javascript:/i.test(each.value))
            .map((each) => `${each.name}=${each.value}`)"""
    )


def no_script_is_in_an_attribute(visit):
    assert scripts_in_attributes(visit.page) == []


def the_headings_of_a_page_are_in_order(visit):
    levels = visit.page.locator(":is(h1, h2, h3, h4, h5, h6):visible").evaluate_all(
        "all => all.map((each) => Number(each.tagName[1]))"
    )
    assert levels[:1] == [1]
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


OF_A_WIDTH = ["target-size", "scrollable-region-focusable"]  # what is shown may be too small, or scroll
OF_EACH_KIND = [
    "book/intro.html",
    "book/concepts/ndcg.html",
    "book/worked-examples.html",
    "search.html",
    "genindex.html",
]


def axe_finds_nothing(visit):
    """Besides the contrast, which has a check of its own in either theme.

    A page that is wide has other parts than one that is narrow, but the same on all pages of a kind; apart from those,
    what is too small or scrolls where there is room is so on a phone, where all pages are asked.
    """
    left = [CONTRAST] if visit.path in OF_EACH_KIND else [CONTRAST, *OF_A_WIDTH]
    assert violations(visit.page, rules={rule: {"enabled": False} for rule in left}) == []


def axe_finds_nothing_on_a_phone(visit):
    whole = {"rules": {CONTRAST: {"enabled": False}}} if visit.path in OF_EACH_KIND else {"runOnly": OF_A_WIDTH}
    assert violations(visit.page, **whole) == []


# Marks the first text of each look: those of one colour, size and weight over the same backgrounds have one contrast
KEPT = set()  # looks whose contrast was good on an earlier page
FIRST_OF_EACH_LOOK = """(kept) => {
    const looks = new Set(kept), found = new Set(), backgrounds = new Map([[null, ""]]);
    const behind = (box) => {
        if (!backgrounds.has(box)) {
            const { backgroundColor, backgroundImage, opacity } = getComputedStyle(box);
            const own = [backgroundColor, backgroundImage, opacity].join();
            const under = behind(box.parentElement);
            backgrounds.set(box, own === "rgba(0, 0, 0, 0),none,1" ? under : `${under} ${own}`);
        }
        return backgrounds.get(box);
    };
    for (const box of document.querySelectorAll("body *")) {
        const text = [...box.childNodes].some((each) => each.nodeType === Node.TEXT_NODE && each.data.trim());
        if (!text || !box.checkVisibility()) continue;
        const { color, fontSize, fontWeight, textShadow } = getComputedStyle(box);
        const single = box.textContent.trim().length === 1; // which axe does not judge
        const look = [color, fontSize, fontWeight, textShadow, single, behind(box)].join();
        box.dataset.look = looks.has(look) ? "known" : "first";
        if (!looks.has(look)) found.add(look);
        looks.add(look);
    }
    return [...found];
}"""


def axe_finds_the_contrast_kept(visit):
    found = visit.page.evaluate(FIRST_OF_EACH_LOOK, list(KEPT))
    looks = {"include": [["[data-look=first]"]], "exclude": [["[data-look=known]"]]}
    assert not found or violations(visit.page, looks, runOnly=[CONTRAST]) == []
    KEPT.update(found)


CONTRASTS = """() => {
    const light = (colour) => {
        const part = (value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
        const [red, green, blue] = colour.match(/[\\d.]+/g).map((value) => part(value / 255));
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const page = light(getComputedStyle(document.body).backgroundColor);
    return [...document.querySelectorAll("svg.plot text")].map((text) => {
        const own = light(getComputedStyle(text).fill);
        return (Math.max(own, page) + 0.05) / (Math.min(own, page) + 0.05);
    });
}"""


def the_type_of_figures_has_contrast(visit):
    assert all(contrast >= 4.5 for contrast in visit.page.evaluate(CONTRASTS))


SIZES = """() => [...document.querySelectorAll("svg.plot")].map((figure) => ({
    "figure": figure.getBoundingClientRect().width,
    "beyond": [...figure.querySelectorAll("text")].filter((text) => {
        const [inner, outer] = [text, figure].map((each) => each.getBoundingClientRect());
        return inner.left < outer.left - 1 || inner.right > outer.right + 1;
    }).map((text) => text.textContent),
    "type": [...figure.querySelectorAll("text")].map((text) =>
        parseFloat(getComputedStyle(text).fontSize) * figure.getScreenCTM().a),
}))"""


def the_type_of_figures_is_that_of_the_page(visit):
    size = visit.page.evaluate(
        "parseFloat(getComputedStyle(document.querySelector('figcaption, table') ?? document.body).fontSize)"
    )
    for figure in visit.page.evaluate(SIZES):
        assert figure["figure"] == 480  # 5 inches: drawn 1:1
        assert min(figure["type"]) >= size - 0.5
        assert figure["beyond"] == []


def figures_can_be_read_on_a_phone(visit):
    for figure in visit.page.evaluate(SIZES):
        assert min(figure["type"]) >= 10
        assert figure["beyond"] == []


def a_phone_scrolls_a_page_in_one_direction(visit):
    assert visit.page.evaluate("document.documentElement.scrollWidth") <= 360


def what_scrolls_sideways_can_be_reached_and_has_a_name(visit):
    boxes = visit.page.evaluate(
        """() => [...document.querySelectorAll("main *")]
            .filter((box) => ["auto", "scroll"].includes(getComputedStyle(box).overflowX))
            .filter((box) => box.scrollWidth > box.clientWidth + 1)
            .map((box) => [box.tabIndex, box.getAttribute("role"), box.ariaLabel, box.outerHTML.slice(0, 200)])"""
    )
    assert [box for box in boxes if box[:2] != [0, "region"] or not box[2]] == []


def nothing_on_a_phone_is_cut_off(visit):
    """What does not fit its box can be scrolled to."""
    cut = visit.page.evaluate(
        """() => [...document.querySelectorAll("article *:not(math *)")]
            .filter((box) => ["hidden", "clip"].includes(getComputedStyle(box).overflowX))
            .filter((box) => box.clientWidth > 1 && box.scrollWidth > box.clientWidth + 1)
            .map((box) => box.outerHTML.slice(0, 200))"""
    )
    assert cut == []


FIRST_PICTURE = 1200  # pixels from the top
AGREES = 20


def of_concepts(check):
    """A check of the chapters on concepts alone, which gets the page and the name of the chapter."""

    def alone(visit):
        name = visit.path.removeprefix("book/").removesuffix(".html")
        if name in CONCEPTS:
            check(visit.page, name)

    return alone


@of_concepts
def first_picture_near_the_top(page, name):
    tops = page.locator("figure, .ndcg-drawing").evaluate_all(
        "all => all.map((each) => each.getBoundingClientRect().top + scrollY)"
    )
    assert name not in LESSONS or min(tops) < FIRST_PICTURE


@of_concepts
def few_verdicts_and_folds_seen(page, name):
    assert page.locator("article").inner_text().count("agrees") <= AGREES
    folds = page.locator("article details:not(.ndcg-solution, .ndcg-of-solutions):visible")
    assert folds.count() <= FOLDS
    assert page.locator("article details[open]:visible").count() == 0
    assert page.locator("details.ndcg-of-solutions").count() == 1


@of_concepts
def each_term_with_its_definition(page, name):
    terms = page.locator(".ndcg-defined")
    for term in terms.all():
        assert len(term.evaluate("term => term.dataset.definition || term.title").split()) > 2
    assert len(set(terms.evaluate_all("all => all.map((each) => each.href)"))) == terms.count()


@of_concepts
def solutions_that_open_without_code(page, name):
    solutions = page.locator("details.ndcg-solution")
    assert solutions.count() == page.locator(".ndcg-stars").count()
    assert solutions.locator("details, .cell").count() == 0
    for solution in solutions.all():
        assert not solution.locator(".ndcg-folded").is_visible()
        solution.locator("summary").first.press("Enter")
        assert solution.locator(".ndcg-folded").is_visible()


# Two drawn rankings stand side by side on a wide page and below each other on a phone, and nothing in them is cut
WIDTHS = [1280, 480, 360, 320]
LONGEST_TITLE = 16  # characters that fit in a line beside three numbers

# For each drawing its cards: where they are, their table, and what is to be held
DRAWINGS = """[...document.querySelectorAll('.ndcg-drawing')].map(drawing =>
  [...drawing.querySelectorAll('.ndcg-card')].map(card => {
    const box = card.getBoundingClientRect(), table = card.querySelector('table').getBoundingClientRect()
    return {
      left: box.left, top: box.top, right: box.right, tableRight: table.right, tableBottom: table.bottom,
      bottom: box.bottom,
      bars: [...card.querySelectorAll('.ndcg-bar')].map(bar => Math.round(bar.getBoundingClientRect().width)),
      lines: [...card.querySelectorAll('tbody .ndcg-result')].map(title => {
        const range = document.createRange()
        range.selectNodeContents(title)
        return {text: title.textContent, count: range.getClientRects().length}
      }),
    }
  }))"""


def side_by_side_where_there_is_room(visit):
    for first, second, *_ in [cards for cards in visit.drawn.get(1280, []) if len(cards) > 1]:
        assert first["top"] == second["top"]
        assert first["right"] < second["left"]


def below_each_other_on_a_phone(visit):
    for first, second, *_ in [cards for cards in visit.drawn.get(360, []) if len(cards) > 1]:
        assert first["left"] == second["left"]
        assert first["bottom"] < second["top"]


def a_table_stays_within_its_card(visit):
    for width, drawings in visit.drawn.items():
        for card in (card for cards in drawings for card in cards):
            assert card["tableRight"] <= card["right"], width
            assert card["tableBottom"] <= card["bottom"], width


def all_bars_of_a_drawing_have_one_scale(visit):
    for width, drawings in visit.drawn.items():
        for cards in drawings:
            assert len({bar for card in cards for bar in card["bars"]}) <= 1, width


def a_short_title_is_on_one_line(visit):
    for width in (1280, 360):
        lines = [title for cards in visit.drawn.get(width, []) for card in cards for title in card["lines"]]
        assert [title for title in lines if title["count"] > 1 and len(title["text"]) <= LONGEST_TITLE] == [], width


AS_IT_IS = [
    first_picture_near_the_top,
    few_verdicts_and_folds_seen,
    each_term_with_its_definition,
    side_by_side_where_there_is_room,
    below_each_other_on_a_phone,
    a_table_stays_within_its_card,
    all_bars_of_a_drawing_have_one_scale,
    a_short_title_is_on_one_line,
    solutions_that_open_without_code,  # the last, as it opens them
]
AS_IT_OPENS = [
    a_page_loads_without_a_complaint,
    a_page_asks_no_other_host,
    a_page_asks_for_no_python,
    a_cold_page_is_light,
    nothing_moves_while_a_page_loads,
    the_formulas_of_a_page_are_set,
    the_verdicts_of_a_page_are_there,
    the_pictures_of_a_page_are_described,
    the_download_of_a_page_is_its_notebook,
    the_headings_of_a_page_are_in_order,
    no_script_is_in_an_attribute,
    the_type_of_figures_is_that_of_the_page,
    axe_finds_nothing,
]
IN_EITHER_THEME = [axe_finds_the_contrast_kept, the_type_of_figures_has_contrast]  # a theme changes the colours alone
ON_A_PHONE = [  # a width changes everything but the colours
    axe_finds_nothing_on_a_phone,
    figures_can_be_read_on_a_phone,
    a_phone_scrolls_a_page_in_one_direction,
    what_scrolls_sideways_can_be_reached_and_has_a_name,
    nothing_on_a_phone_is_cut_off,
]
SHOWN = [
    *(("as it is", 1280, check) for check in AS_IT_IS),
    *(("light", 1280, check) for check in AS_IT_OPENS + IN_EITHER_THEME),
    *(("dark", 1280, check) for check in IN_EITHER_THEME),
    *(("light", 360, check) for check in ON_A_PHONE),
]


@pytest.fixture(params=PAGES)
def opened(request, visit):
    """A page, what moved while it loaded, and its drawings at each width."""
    opened = visit(request.param)
    opened.path, opened.drawn, opened.look = request.param, {}, ("as it is", 1280)
    opened.moved = opened.page.evaluate(LAYOUT_SHIFT)
    for width in WIDTHS if opened.page.locator(".ndcg-drawing").count() else []:
        resize(opened.page, width)
        opened.drawn[width] = opened.page.evaluate(DRAWINGS)
    resize(opened.page, 1280)
    return opened


def resize(page, width):
    page.set_viewport_size({"width": width, "height": 900 if width > 360 else 800})
    page.evaluate("new Promise(requestAnimationFrame)")


@every_row("theme, width, check", SHOWN)
def test_a_page_is_as_it_should_be(opened, theme, width, check):
    """First as it is, then with all that it hides opened."""
    if opened.look != (theme, width):
        if opened.look[0] == "as it is":
            opened.open_all()
        opened.page.evaluate("(theme) => { document.documentElement.dataset.theme = theme; }", theme)
        resize(opened.page, width)
        opened.page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")  # else the header lies over what is looked at
        opened.look = (theme, width)
    check(opened)


def test_some_page_has_each_of_what_is_looked_for():
    """Else the tests above would have nothing to look at."""
    assert set(OF_EACH_KIND) < set(PAGES)
    chapters = {Path(each["chapter"]).with_suffix(".html").as_posix() for each in ENTRIES}
    assert chapters < set(PAGES)
    text = "".join((BUILT / page).read_text(encoding="utf-8") for page in PAGES)
    assert all(sign in text for sign in ("<figure", 'class="math', "<details", 'class="ndcg-drawing"'))
    assert {f"book/{name}.html" for name in CONCEPTS} < set(PAGES)


class TestTheTableOfSlips:
    """Its rows can be chosen by note, cause and text, with the keyboard; how many are left is announced."""

    ROWS = "table.ledger-slips tbody tr"

    def left(self, page):
        return page.locator(f"{self.ROWS}:visible").count(), page.locator(".ledger-filter output").inner_text()

    def test_each_field_leaves_the_rows_that_it_asks_for(self, visit):
        page = visit("book/worked-examples.html").page
        fields = page.locator(".ledger-filter")
        all_rows = page.locator(self.ROWS).count()
        assert self.left(page) == (all_rows, f"{all_rows} of {all_rows} slips")
        fields.get_by_label("Note").select_option("Two queries")
        notes = page.locator(f"{self.ROWS}:visible td:first-child").all_inner_texts()
        assert 0 < len(notes) < all_rows
        assert {" ".join(note.split()) for note in notes} == {"Two queries"}
        fields.get_by_label("Cause").select_option("truncated")
        fields.get_by_label("Text").focus()
        page.keyboard.type("idcg")
        assert self.left(page) == (1, f"1 of {all_rows} slips")
        page.keyboard.press("Enter")  # a form that sends nothing
        assert self.left(page)[0] == 1
        assert page.locator(".ledger-filter output").get_attribute("aria-live") == "polite"

    def test_without_a_script_every_row_is_shown_and_no_field(self, visit):
        page = visit("book/worked-examples.html", "without scripts").page
        assert page.locator(f"{self.ROWS}:visible").count() == page.locator(self.ROWS).count() > 0
        assert page.locator(".ledger-filter").count() == 0

    def test_a_row_is_two_lines_high_and_its_links_open_the_entries(self, visit):
        page = visit("book/worked-examples.html").page
        height = page.locator("table.ledger-slips").bounding_box()["height"]
        assert height < 60 * page.locator(self.ROWS).count()  # pixels; a line has 25
        link = page.locator(f"{self.ROWS} td:nth-child(2) a").last
        assert page.locator("details.ledger-entries[open]").count() == 0
        link.click()
        page.locator("details.ledger-entries[open] :target").wait_for(state="attached")
