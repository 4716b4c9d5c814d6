"""Two drawn rankings stand side by side on a wide page and below each other on a phone, and nothing in them is cut."""

import pytest
from conftest import BUILT
from rows import every_row

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


def side_by_side_where_there_is_room(drawn):
    for first, second, *_ in [cards for cards in drawn[1280] if len(cards) > 1]:
        assert first["top"] == second["top"]
        assert first["right"] < second["left"]


def below_each_other_on_a_phone(drawn):
    for first, second, *_ in [cards for cards in drawn[360] if len(cards) > 1]:
        assert first["left"] == second["left"]
        assert first["bottom"] < second["top"]


def a_table_stays_within_its_card(drawn):
    for width, drawings in drawn.items():
        for card in (card for cards in drawings for card in cards):
            assert card["tableRight"] <= card["right"], width
            assert card["tableBottom"] <= card["bottom"], width


def all_bars_of_a_drawing_have_one_scale(drawn):
    for width, drawings in drawn.items():
        for cards in drawings:
            assert len({bar for card in cards for bar in card["bars"]}) <= 1, width


def a_short_title_is_on_one_line(drawn):
    for width in (1280, 360):
        lines = [title for cards in drawn[width] for card in cards for title in card["lines"]]
        assert [title for title in lines if title["count"] > 1 and len(title["text"]) <= LONGEST_TITLE] == [], width


@pytest.fixture(params=PAGES)
def drawn(request, visit):
    """The drawings of a page at each width."""
    page, found = visit(request.param).page, {}
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        page.evaluate("new Promise(requestAnimationFrame)")
        found[width] = page.evaluate(DRAWINGS)
    return found


@every_row(
    "holds",
    [
        side_by_side_where_there_is_room,
        below_each_other_on_a_phone,
        a_table_stays_within_its_card,
        all_bars_of_a_drawing_have_one_scale,
        a_short_title_is_on_one_line,
    ],
)
def test_drawings_fit_their_page(drawn, holds):
    holds(drawn)
