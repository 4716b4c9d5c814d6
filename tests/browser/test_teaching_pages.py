"""What a lecturer hands out: the cheat sheet is one sheet of paper."""

import re

SHEET = "book/cheat-sheet.html"
A4 = b"594.95996 841.91998"


def pages_of(visit):
    """The size of each page, printed as the page asks for."""
    pdf = visit.page.pdf(prefer_css_page_size=True)
    return re.findall(rb"/Type\s*/Page\b(?!s).*?/MediaBox \[0 0 ([\d. ]+)\]", pdf, re.DOTALL)


def test_the_cheat_sheet_is_one_page_of_a4_with_nothing_cut_off_and_another_page_keeps_its_margins(visit):
    opened = visit(SHEET)
    assert pages_of(opened) == [A4]
    page = opened.page
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 711, "height": 1054})  # A4 without the margins
    wide = "all => all.filter((each) => each.getBoundingClientRect().right > innerWidth).map((each) => each.innerText)"
    assert page.locator("#cheat-sheet-ndcg-on-one-page :is(p, table, h2)").evaluate_all(wide) == []
    page.emulate_media(media="null")
    assert len(pages_of(visit("book/about.html"))) > 1
