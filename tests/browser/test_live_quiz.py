"""The quiz is used by keyboard alone, and survives what an address may hold."""

import json
from urllib.parse import quote

import pytest
from rows import every_row
from test_pages import everywhere, violations

QUIZ = "book/live/spot-the-slip.html"
NOW = ".ndcg-live-now"
RIGHT = """() => {
    const name = document.querySelector(".quiz-question").textContent;
    const all = [...document.querySelectorAll("template.quiz-line")];
    const line = all.find((each) => each.content.querySelector(".quiz-question").textContent === name);
    return JSON.parse(line.dataset.answers).map(({ right }) => right);
}"""


def choose(page, place):
    """Choose by keyboard: the focus is on the first choice of a question."""
    for _ in range(place):
        page.keyboard.press("ArrowDown")
    if not place:
        page.keyboard.press("Space")
    page.keyboard.press("Enter")


def focused(page):
    return page.evaluate("document.activeElement.textContent || document.activeElement.name")


@pytest.fixture
def quiz(visit):
    made = visit(f"{QUIZ}#round=15")
    made.page.wait_for_selector(NOW)
    return made


def test_a_round_answered_by_keyboard_has_the_full_score(quiz):
    page = quiz.page
    page.locator(f"{NOW} input").first.focus()
    for line in range(1, 11):
        assert f"Line {line} of 10" in page.locator(".quiz-place").inner_text()
        asked = page.locator(f"{NOW} legend").first.inner_text()
        assert page.locator(NOW).inner_text().count(asked) == 1
        for place in page.evaluate(RIGHT):
            choose(page, place)
        assert page.locator(f"{NOW} .ndcg-live-result strong").inner_text().startswith("✓")
        assert focused(page) == ("Next line" if line < 10 else "Score")
        page.keyboard.press("Enter")
        if line < 10:
            page.keyboard.press("Tab")
    score = page.locator(".quiz-score li").all_inner_texts()
    assert any(row.startswith("right or wrong: ") for row in score)
    assert any(row.startswith("what it means: ") for row in score)
    assert all(row.split(": ")[1].split(" of ")[0] == row.split(" of ")[1] for row in score)
    assert "Nothing to read again." in page.locator(NOW).inner_text()
    assert quiz.complaints == []


def test_the_first_answer_is_a_few_keys_from_the_start_of_the_page(quiz):
    page = quiz.page
    page.keyboard.press("Tab")
    assert focused(page) == "Skip to main content"
    page.keyboard.press("Enter")
    for _ in range(6):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.closest('.ndcg-live-now') !== null"):
            break
    assert page.locator(f"{NOW} input").first.evaluate("each => each === document.activeElement")


def test_a_wrong_answer_is_explained_and_leads_to_a_chapter(quiz):
    page = quiz.page
    page.locator(f"{NOW} input").first.focus()
    for _ in range(10):
        choose(page, 0 if page.evaluate(RIGHT)[0] else 1)
        assert page.locator(f"{NOW} input:enabled").count() == 0  # a line that was taken for what it is not has no more
        assert page.locator(f"{NOW} .ndcg-live-result strong").inner_text().startswith("✗")
        assert page.locator(f"{NOW} .quiz-working").inner_text()
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
    assert all(": 0 of " in row for row in page.locator(".quiz-score li").all_inner_texts())
    links = page.locator(f"{NOW} ul:not(.quiz-score) a")
    assert links.count() > 0
    links.first.click()
    page.wait_for_url(lambda address: "/book/live/" not in address and "#" in address)
    assert quiz.complaints == []


def test_the_back_button_keeps_the_answers_and_the_address_names_the_round_alone(quiz):
    page = quiz.page
    page.locator(f"{NOW} input").nth(1).check()
    page.keyboard.press("Enter")
    assert page.evaluate("location.hash") == "#round=15"
    assert page.locator(f"{NOW} .ndcg-live-note a").get_attribute("href") == "#round=15"
    asked = [page.locator(f"{NOW} {what}").all_inner_texts() for what in (".quiz-question", "fieldset")]
    assert "✓ right" in asked[1][0] or "✗ your answer" in asked[1][0]
    quiz.go("book/about.html")
    page.go_back()
    page.wait_for_selector(NOW)
    assert [page.locator(f"{NOW} {what}").all_inner_texts() for what in (".quiz-question", "fieldset")] == asked


def test_a_link_names_the_round(quiz, visit):
    other = visit(f"{QUIZ}#round=15").page
    assert other.locator(".quiz-question").inner_text() == quiz.page.locator(".quiz-question").inner_text()
    drawn = {visit(QUIZ).page.locator(f"{NOW} .ndcg-live-note a").inner_text() for _ in range(3)}
    assert len(drawn) > 1  # of a million rounds, three are hardly the same


@every_row("name", ["-5", "abc", "1e9"])
def test_a_number_of_a_round_that_is_not_used_is_named(visit, name):
    page = visit(f"{QUIZ}#round={name}").page
    page.wait_for_selector(f"{NOW} .quiz-place")
    said = f"not used: expected #round= and a whole number from 0 to 999999, got “#round={name}”"
    assert said in page.locator(".quiz-notice").inner_text()


def test_the_printed_result_stands_in_text_within_a_phone_and_paper_has_no_buttons(quiz):
    page = quiz.page
    page.set_viewport_size({"width": 360, "height": 740})
    box = page.locator(f"{NOW} .quiz-result").bounding_box()
    assert 0 <= box["x"] <= box["x"] + box["width"] <= 360
    assert page.locator(f"{NOW} .quiz-result").inner_text().startswith("Printed result: ")
    page.emulate_media(media="print")
    assert page.locator(f"{NOW} button:visible").count() == 0
    assert page.locator(f"{NOW} .quiz-question").is_visible()


HOSTILE = [
    "#round=<img src=x onerror=alert(1)>",
    "#live1=" + quote(json.dumps({"round": 7, "given": [[9, 9, 9]] * 10})),
    "#live1=" + quote(json.dumps({"round": 1e9, "given": {"0": "<b>"}})),
    "#live1=%7B",
    "#live1=" + "x" * 100_000,
]


@every_row("fragment", HOSTILE)
def test_a_fragment_made_by_hand_still_gives_a_round(visit, fragment):
    made = visit(QUIZ + fragment)
    made.page.wait_for_selector(f"{NOW} .quiz-place")
    assert made.page.locator(f"{NOW} img").count() == 0
    assert made.complaints == []


def test_without_a_script_some_lines_stand_as_exercises(visit):
    page = visit(QUIZ, "without scripts").page
    assert page.locator(".ndcg-live-without details.quiz-answer").count() == 12
    assert page.locator(".ndcg-live-without math:visible").count() >= 5
    assert page.locator(NOW).count() == 0


def test_axe_finds_nothing_while_the_quiz_is_answered(quiz):
    page = quiz.page
    assert violations(page, NOW) == []
    page.locator(f"{NOW} input").first.focus()
    for place in page.evaluate(RIGHT):
        choose(page, place)
        assert violations(page, NOW) == []
    assert everywhere(page, NOW) == []
