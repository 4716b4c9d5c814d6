"""The walk between libraries shows the values of the package and the way that it explains, on any grades and scores."""

from random import Random

import pytest
from conftest import FOLDER, link
from rows import every_row
from test_pages import everywhere

from ndcg_ref import explain
from ndcg_ref.conventions.presets import ABOUT, KINDS
from ndcg_ref.formulas.kinds import found_in
from ndcg_ref.formulas.measured_ranking import Ranking
from ndcg_ref.formulas.plain import ndcg_of_scores
from tools.book.lists_ext import libraries

PAGE = "book/live/why-tools-disagree.html"
NOW = ".ndcg-live-now"
LABELS = {preset["label"]: preset["name"] for preset in libraries()["presets"]}
NEWEST = {preset["label"]: preset["newest"] for preset in libraries()["presets"]}

# For each case: rows with labels, values and what is not covered; those without a value; each change of the walk
VISITED = """(cases) => {
    history.replaceState = () => {}; // of which a browser takes no more than some hundreds
    const all = (kind) => [...document.querySelectorAll(kind)];
    const controls = all(".walk-entries input, .ndcg-live-now select");
    const next = document.querySelector(".walk-next");
    return cases.map((values) => {
        for (const [i, control] of controls.entries()) control.value = values[i];
        for (const control of controls) control.dispatchEvent(new Event("change"));
        for (let changes = 0; changes < 20 && !next.disabled; changes++) next.click();
        return {
            rows: all(".walk-axis > li:has(data)").map((row) => ({
                labels: row.querySelector(".walk-names").firstChild.textContent.split(", "),
                value: Number(row.querySelector("data").value),
                outside: Array.from(row.querySelectorAll("small"), (one) => one.textContent.split("covered: ")[1]),
            })),
            lost: all(".walk-axis + div > p").map((one) => one.textContent.split(": ")[1].split(" (")[0].split(", ")),
            way: all(".walk-chip > b").map((one) => one.textContent),
        };
    });
}"""


def drawn_case(draw):
    """A ranking with ties, scores that single precision does not tell apart, fractions, grades beyond a scale."""
    n = draw.choice([1, 2, 3, 5, 8, 18])
    grades = [draw.choice([0, 0, 1, 2, 3, 4]) for _ in range(n)]
    if draw.random() < 0.3:
        grades[0] = draw.choice([0.5, 2.5, 5, 31, 32])
    scores = [draw.choice([0.5, 0.25, 1.00000001, 1.00000002, -3, 7]) for _ in range(n)]
    names = [f"d{i}" for i in draw.sample(range(100), n)]
    unretrieved = [draw.choice([0, 1, 3, 1.5]) for _ in range(draw.choice([0, 0, 1, 3]))]
    start, end = draw.sample(sorted(ABOUT), 2)
    case = {"grades": grades, "scores": scores, "names": names, "unretrieved": unretrieved}
    return case | {"k": draw.choice([None, 1, 3, 10]), "from": start, "to": end}


def entered(case):
    """What the controls of the page have, in their order."""
    lists = [f"[{', '.join(map(str, case[name]))}]" for name in ("grades", "scores", "names", "unretrieved")]
    return [case["from"], case["to"], *lists, str(case["k"] or ""), ""]


def value_of(case, name):
    """The NDCG under a preset; None where there is none."""
    judged = [*case["grades"], *case["unretrieved"]]
    try:
        value = ndcg_of_scores(
            case["grades"], case["scores"], case["k"], ABOUT[name].convention, ids=case["names"], judged=judged
        )
    except ValueError:
        return None
    return None if value != value else value


def moves_of(case):
    """How far each change moves the value, 0 left out; None if one of both ends refuses the ranking."""
    names, measure = case["names"], "nDCG" if case["k"] is None else f"nDCG@{case['k']}"
    judged = dict(zip(names, case["grades"], strict=True)) | {
        f"u{i}": each for i, each in enumerate(case["unretrieved"])
    }
    run = {"q": dict(zip(names, case["scores"], strict=True))}
    try:
        made = explain({"q": judged}, run, case["from"], case["to"], measure, check_swap=False)
    except ValueError:
        return None
    return [row.moved for row in made.rows if not abs(row.moved) <= 1e-12]


def kinds_of(case, name):
    judged = [*case["grades"], *case["unretrieved"]]
    query = Ranking(case["grades"], judged=judged, scores=case["scores"], ids=case["names"])
    return [KINDS[kind] for kind in found_in(query, ABOUT[name], [case["k"]]).kinds]


def as_number(text):
    return float("nan") if text.startswith("to ") else float(text.replace("\u2212", "-"))


def test_page_and_package_agree_on_drawn_rankings(visit):
    draw = Random(4)
    cases = [drawn_case(draw) for _ in range(300)]
    made = visit(PAGE)
    answers = made.page.evaluate(VISITED, [entered(case) for case in cases])
    walked = values = outside = 0
    for case, answer in zip(cases, answers, strict=True):
        shown = {label: row for row in answer["rows"] for label in row["labels"]}
        lost = {label for labels in answer["lost"] for label in labels}
        for label, name in LABELS.items():
            row = shown.get(label) or ({} if label in lost else shown.get(NEWEST[label], {}))
            value = value_of(case, name)
            assert row.get("value") == (value if value is None else pytest.approx(value, abs=1e-12)), (case, name)
            if row:
                assert row["outside"] == kinds_of(case, name), (case, name)
                values, outside = values + 1, outside + bool(row["outside"])
        moves = moves_of(case)
        if moves is not None:
            assert [as_number(text) for text in answer["way"]] == pytest.approx(moves, abs=6e-4, nan_ok=True), case
            walked += len(moves)
    assert (values > 7000, outside > 500, walked > 200) == (True, True, True), (values, outside, walked)
    assert made.complaints == []


@pytest.fixture
def walk(visit):
    made = visit(PAGE)
    made.page.wait_for_selector(f"{NOW} data")
    return made


def said(page):
    return page.locator(".walk-way").inner_text()


def test_the_example_is_walked_by_keyboard_as_the_chapter_does(walk):
    page = walk.page
    assert said(page) == "scikit-learn 0.737; 2 choices left to trec_eval"
    page.get_by_role("button", name="Next change").focus()
    page.keyboard.press("Enter")
    assert said(page) == "scikit-learn 0.737 ideal: all judged \u22120.141 0.595; 1 choice left to trec_eval"
    assert page.locator(".walk-sum").all_inner_texts() == [
        "DCG@3 = 2 + 0.84 + 0.67 = 3.508",
        "IDCG@3 = 3 + 1.89 + 1 = 5.893",
        "NDCG@3 = 3.508 / 5.893 = 0.595",
    ]
    page.keyboard.press("Enter")
    assert said(page).endswith("ties: by name, Z to A +0.065 0.661; this is trec_eval")
    assert page.get_by_role("button", name="Next change").is_disabled()
    page.get_by_role("button", name="exponential").press("Space")
    assert page.get_by_role("button", name="exponential").get_attribute("aria-pressed") == "true"
    assert page.locator(".walk-here").inner_text() == "0.574"
    page.get_by_role("button", name="Start again").press("Enter")
    assert said(page) == "scikit-learn 0.737; 2 choices left to trec_eval"
    assert walk.complaints == []
    assert everywhere(page, NOW) == []


def test_a_link_leads_to_the_same_choices(walk, visit):
    walk.page.get_by_role("button", name="exponential").click()
    walk.page.get_by_role("button", name="worst first").click()
    other = visit(PAGE + walk.page.evaluate("location.hash")).page
    for page in (walk.page, other):
        pressed = page.locator(".walk-group button[aria-pressed=true]:visible").all_inner_texts()
        assert pressed == ["exponential", "log2(rank + 1)", "retrieved", "worst first"]


def test_the_libraries_that_print_a_number_are_marked_at_every_cutoff(visit):
    state = {"grades": "3, 2, 3, 0, 1", "printed": "0.957"}
    page = visit(link(PAGE, walk=state)).page
    assert page.locator("data", has_text="\u2713").all_inner_texts() == ["\u2713 0.957"]
    matches = page.locator(".walk-entries [aria-live]").last.inner_text()
    assert "lightgbm" in matches
    assert "trec_eval" not in matches
    page.get_by_label("A printed NDCG").fill("0.4605")
    page.keyboard.press("Tab")
    assert page.locator(".walk-entries [aria-live]").last.inner_text() == "\u2717 No library here prints 0.4605."


REFUSED = [
    # field, text, what is said
    ("Grades", "<img src=x onerror=alert(1)>", "expected a number"),
    ("Grades", "1 " * 10_000, "at most 1,000 grades"),
    ("Grades", "1 " * 201, "at most 200, got 201"),
    ("Scores", "1, 2", "expected one for each of 4 grades, got 2"),
    ("Scores", "1, 2, 3, 1e999", "expected numbers"),
    ("Names", "a, b, c, c", "a different one for each document"),
    ("Cutoff", "-1", "expected a whole number"),
    ("A printed NDCG", "<b>1</b>", "expected a number such as 0.737"),
]


@every_row("label, text, message", REFUSED)
def test_an_entry_that_cannot_be_read_is_refused_in_words(walk, label, text, message):
    page = walk.page
    page.locator(".walk-entries").evaluate("fold => { fold.open = true; }")
    page.get_by_role("button", name="The example").click()
    page.locator(".walk-entries").get_by_label(label).first.fill(text)
    page.keyboard.press("Tab")
    page.locator(".ndcg-live-problem", has_text=message).wait_for()
    assert page.locator(f"{NOW} img").count() == 0
    assert page.locator(f"{NOW} data").count() > 10  # the ranking before it stays
    assert walk.complaints == []


def test_a_folder_needs_no_python_and_a_phone_no_sideways_scrolling(visit):
    page = visit(PAGE, "phone", home=FOLDER).page
    assert page.locator(f"{NOW} data").count() > 10
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_the_values_stand_without_a_script(visit):
    assert visit(PAGE, "without scripts").page.locator(".ndcg-live-without tbody tr").count() >= 10
