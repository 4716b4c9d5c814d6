"""Two drawn rankings stand side by side on a wide page and below each other on a phone, and nothing in them is cut."""

import pytest
from conftest import BUILT

PAGES = sorted(
    path.relative_to(BUILT).as_posix()
    for path in BUILT.rglob("*.html")
    if 'class="ndcg-drawing"' in path.read_text(encoding="utf-8")
)
assert PAGES, "expected drawings in the built book, found none: run `make book` first"
WIDTHS = [1280, 768, 480, 360, 320]
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


@pytest.fixture(params=PAGES)
def page(request, visit):
    return visit(request.param).page


def drawings(page, width):
    page.set_viewport_size({"width": width, "height": 900})
    page.evaluate("new Promise(requestAnimationFrame)")
    return page.evaluate(DRAWINGS)


def test_two_rankings_stand_side_by_side_where_there_is_room(page):
    for first, second, *_ in [cards for cards in drawings(page, 1280) if len(cards) > 1]:
        assert first["top"] == second["top"]
        assert first["right"] < second["left"]


def test_two_rankings_stand_below_each_other_on_a_phone(page):
    for first, second, *_ in [cards for cards in drawings(page, 360) if len(cards) > 1]:
        assert first["left"] == second["left"]
        assert first["bottom"] < second["top"]


def test_a_table_stays_within_its_card(page):
    for width in WIDTHS:
        for card in (card for cards in drawings(page, width) for card in cards):
            assert card["tableRight"] <= card["right"], width
            assert card["tableBottom"] <= card["bottom"], width


def test_all_bars_of_a_drawing_have_one_scale(page):
    for width in WIDTHS:
        for cards in drawings(page, width):
            assert len({bar for card in cards for bar in card["bars"]}) <= 1, width


def test_a_short_title_stands_in_one_line(page):
    for width in (1280, 360):
        lines = [title for cards in drawings(page, width) for card in cards for title in card["lines"]]
        assert [title for title in lines if title["count"] > 1 and len(title["text"]) <= LONGEST_TITLE] == [], width
