"""A small explorable asks first, judges the choice, shows what the formulas give, and knows when its task is done."""

import json
import re
from itertools import permutations, product
from math import isclose, log
from operator import truediv
from statistics import fmean

import pytest
from conftest import BUILT
from test_pages import everywhere

from ndcg_ref import Convention, dcg, discounts, idcg, ndcg
from ndcg_ref.stated import judge

PAGES = {
    # name: its page, and the choice that is right
    "gain": ("book/concepts/conventions.html", "System B"),
    "weight": ("book/concepts/queries.html", "System A"),
    "tie": ("book/concepts/blind-spots.html", "Above the mean"),
    "base": ("book/concepts/conventions.html", "The original one"),
    "judge": ("book/concepts/blind-spots.html", "The ideal DCG"),
}
A, B = [2, 3, 0, 1, 2], [2, 2, 3, 1, 0]
HIGHEST = 350  # pixels that it takes while its answer is closed


class Box:
    """An explorable of a page, and what it shows."""

    def __init__(self, page, name):
        self.page, self.right, self.selector = page, PAGES[name][1], f'[data-live="explore-{name}"]'
        self.box = page.locator(self.selector)
        self.fold, self.judged = self.box.locator("details"), self.box.locator(".ndcg-judged")

    def choose(self, choice):
        self.box.get_by_label(choice, exact=True).check()

    def play(self):
        """Answer rightly, and open what there is to try."""
        self.box.hover()
        self.judged.wait_for(state="attached")
        self.choose(self.right)
        self.box.locator("summary").click()
        self.box.locator(".ndcg-play").wait_for()
        return self

    def slide(self, value):
        self.box.locator("input[type=range]").fill(str(value))

    @property
    def text(self):
        return self.box.locator(".ndcg-play").inner_text()

    @property
    def done(self):
        return "✓ Done." in self.text

    @property
    def systems(self):
        """The systems in the order in which they are shown, with their values."""
        bars = self.box.locator(".ndcg-bars li").all()
        return [re.fullmatch(r"System ([AB]).*(\d\.\d{3})", bar.inner_text(), re.DOTALL).groups() for bar in bars]

    def assert_systems(self, expected):
        """Both are shown with these values, the better one first."""
        found = {name: judge(value, expected[name]).outcome for name, value in self.systems}
        assert found == dict.fromkeys("AB", "agrees")
        assert self.systems[0][0] == max(expected, key=expected.get)
        assert f"System {self.systems[0][0]} is ahead" in self.text


@pytest.fixture
def explorable(visit):
    """Opens the page of an explorable."""

    def at(name):
        return Box(visit(PAGES[name][0]).page, name)

    return at


@pytest.mark.parametrize("name", PAGES)
class TestEach:
    def test_an_explorable_loads_nothing_until_the_reader_comes_to_it_and_then_keeps_its_height(self, visit, name):
        seen, asked = visit(PAGES[name][0]), []
        page, box = seen.page, Box(seen.page, name)
        page.on("request", lambda request: asked.append(request.url.partition("?")[0].rpartition("/")[2]))
        scripts = page.locator("script[src]").evaluate_all("all => all.map((each) => each.src)")
        assert [each for each in scripts if "live-explore" in each] == []
        heights = []
        for width in (360, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            heights.append(box.box.bounding_box()["height"])
        assert max(heights) <= HIGHEST
        box.box.hover()
        box.judged.wait_for(state="attached")
        page.wait_for_load_state("networkidle")
        assert box.box.bounding_box()["height"] == pytest.approx(heights[-1], abs=1)
        assert [each for each in asked if "live" in each] == ["live.css", "live-explore.css", f"live-explore-{name}.js"]
        assert seen.complaints == []

    def test_the_answer_opens_after_a_choice_alone_and_judges_it(self, explorable, name):
        box = explorable(name)
        box.box.hover()
        box.judged.wait_for(state="attached")
        box.box.locator("summary").click()
        assert box.judged.inner_text() == "Choose first, then open the answer."
        assert not box.fold.evaluate("fold => fold.open")
        labels = [label.strip() for label in box.box.locator(".ndcg-choices").first.locator("label").all_inner_texts()]
        for choice in sorted(labels, key=lambda label: label == box.right):
            box.choose(choice)
            if not box.fold.evaluate("fold => fold.open"):
                box.box.locator("summary").click()
                box.box.locator(".ndcg-play").wait_for()
            expected = "✓ You were right." if choice == box.right else f"✗ You chose “{choice}”, which is not right."
            assert box.judged.inner_text() == expected
        assert not box.done

    def test_the_keyboard_alone_chooses_opens_and_moves(self, explorable, name):
        box = explorable(name)
        box.box.locator("input").first.focus()
        box.judged.wait_for(state="attached")
        keys = box.page.keyboard
        keys.press("Space")
        keys.press("Tab")
        keys.press("Enter")
        box.box.locator(".ndcg-play").wait_for()
        before = box.text
        while not box.page.evaluate("document.activeElement.closest('.ndcg-play') !== null"):
            keys.press("Tab")
        keys.press("ArrowRight")
        assert box.text != before

    def test_everybody_can_use_what_is_opened(self, explorable, name):
        """Its sliders have their labels as names, nothing is cut off, and paper shows no control."""
        box = explorable(name).play()
        named = box.box.get_by_role("slider", name=re.compile(r"[a-z]", re.IGNORECASE))
        assert named.count() == box.box.get_by_role("slider").count()
        inside = (
            "box => [...box.querySelectorAll('*')].every((each) => each.getBoundingClientRect().right <= innerWidth)"
        )
        assert box.box.evaluate(inside)
        assert everywhere(box.page, box.selector) == []
        assert box.box.evaluate(inside)  # on a phone
        box.page.emulate_media(media="print")
        assert box.box.locator(".ndcg-picture").is_visible()
        assert box.box.locator(".ndcg-play :is(input, button):visible").count() == 0

    def test_a_page_without_a_script_has_question_and_answer(self, visit, name):
        box = Box(visit(PAGES[name][0], "without scripts").page, name)
        box.choose(box.right)
        box.box.locator("summary").click()
        assert box.fold.locator(".ndcg-folded").inner_text().startswith(box.right)


def test_the_bars_of_two_systems_change_places_with_the_gain(explorable):
    box = explorable("gain").play()
    assert [json.loads(box.box.get_attribute(f"data-{name}")) for name in "ab"] == [A, B]
    done = []
    for hundredths in (*range(100, 301, 20), 186, 187, 188):
        x = hundredths / 100
        box.slide(x)
        shape = Convention(gain=[0, 0.5, 1, x])
        expected = {name: dcg(grades, convention=shape) for name, grades in (("A", A), ("B", B))}
        box.assert_systems(expected)
        done += [x] * box.done
    smallest = min(x / 100 for x in range(100, 301) if lead(x / 100) > 0)
    assert done == [smallest]


def lead(x):
    """By how much A is ahead where a 3 counts x times as much as a 2."""
    shape = Convention(gain=[0, 0.5, 1, x])
    return dcg(A, convention=shape) - dcg(B, convention=shape)


def test_the_bars_of_two_systems_change_places_with_the_weight_of_a_query(explorable):
    box = explorable("weight").play()
    systems = {"A": [A, [1, 0, 0]], "B": [sorted(A, reverse=True), [0, 1, 0]]}

    def values(weight):
        return {name: weight * ndcg(one) + (1 - weight) * ndcg(two) for name, (one, two) in systems.items()}

    done, said = [], {}
    for hundredths in (0, 25, 50, 75, 77, 78, 79, 85, 100):
        weight = hundredths / 100
        box.slide(weight)
        expected = values(weight)
        box.assert_systems(expected)
        done += [weight] * box.done
        summary = re.search(r"the weight in the (\w+ of \w+)", box.text)
        said |= {weight: summary[1]} if summary else {}
    by_sums = round(idcg(A) / (idcg(A) + 1), 2)
    assert said == {0.5: "mean of ratios", by_sums: "ratio of sums"}
    weights = [each / 100 for each in range(101)]
    assert done == [min(each for each in weights if values(each)["B"] > values(each)["A"])]


def test_the_order_of_a_tie_sets_its_ndcg(explorable):
    box = explorable("tie").play()
    values = {order: ndcg([2, *order, 2]) for order in permutations([3, 0, 1])}
    mean = fmean(values.values())
    expected = {
        "as in the input": values[3, 0, 1],
        "best first": max(values.values()),
        "worst first": min(values.values()),
        "averaged": mean,
    }
    for rule, value in expected.items():
        box.choose(rule)
        shown = re.findall(r"NDCG (\d\.\d{3}), " + rule, box.text)
        assert [judge(each, value).outcome for each in shown] == ["agrees"]
        assert judge(re.search(r"over all orders, (\d\.\d{3})", box.text)[1], mean).outcome == "agrees"
        assert not box.done
    swaps = box.box.locator("button")
    order, seen = [3, 0, 1], []
    for place in (0, 1, 0, 1, 0):
        swaps.nth(place).click()
        order[place], order[place + 1] = order[place + 1], order[place]
        value = values[tuple(order)]
        assert judge(re.search(r"NDCG (\d\.\d{3}), as in the input", box.text)[1], value).outcome == "agrees"
        assert box.box.locator(".ndcg-grades").inner_text().split() == [str(each) for each in (2, *order, 2)]
        assert box.done == (value > mean and order[0] != 3)
        seen.append(box.done)
    assert True in seen
    assert False in seen


def test_the_base_moves_ndcg_by_the_start_of_the_original_discount_alone(explorable):
    box = explorable("base").play()
    base, start = box.box.locator("input[type=range]").all()
    done = []

    def assert_shown(divisors):
        shown = re.search(r"DCG (\d+\.\d{3}), NDCG (\d\.\d{3})", box.text)
        both = [sum(map(truediv, grades, divisors)) for grades in (A, sorted(A, reverse=True))]
        assert judge(shown[1], both[0]).outcome == "agrees"
        assert judge(shown[2], both[0] / both[1]).outcome == "agrees"

    for words, discount, added in (("standard", "log(rank+1)", 1), ("original", "log(rank)", 0)):
        box.choose(words)
        for value in (1.5, 2, 3, 4.9, 5, 7.5, 10):
            base.fill(str(value))
            assert_shown(discounts(len(A), Convention(discount=discount, base=value)))
            assert float(start.input_value()) == (2 if added else value)
            done += [(words, value)] * box.done
            for first in (2, 3.5, 6):
                start.fill(str(first))
                assert_shown([log(max(rank + added, first), value) for rank in range(1, len(A) + 1)])
                done += [(words, value, first)] * box.done
            start.fill("2" if added else str(value))
    assert done == [("original", base, 2) for base in (1.5, 3, 4.9, 5, 7.5, 10)]


def test_the_line_in_the_picture_of_the_discount_is_dragged_to_where_it_starts(explorable):
    box = explorable("base").play()
    picture, mouse = box.box.locator(".ndcg-widths"), box.page.mouse
    base, start = box.box.locator("input[type=range]").all()
    for words, added in (("standard", 1), ("original", 0)):
        box.choose(words)
        picture.scroll_into_view_if_needed()
        inside, line = picture.bounding_box(), picture.locator("b").bounding_box()
        mouse.move(line["x"] + line["width"] / 2, line["y"] + 20)
        mouse.down()
        mouse.move(inside["x"] + 3 / len(A) * inside["width"], line["y"] + 20, steps=5)
        mouse.up()
        assert "Ranks 1 to 3 count alike." in box.text
        assert (float(start.input_value()), float(base.input_value())) == (3 + added, 2 if added else 3)


def test_a_page_that_is_judged_moves_both_sums(explorable):
    box = explorable("judge").play()
    grade, rank = box.box.locator("input[type=range]").all()
    others = json.loads(box.box.get_attribute("data-grades"))
    done, raised = [], {}
    for place, level in product(range(1, 6), range(4)):
        rank.fill(str(place))
        grade.fill(str(level))
        before, after = ([*others[: place - 1], each, *others[place - 1 :]] for each in (0, level))
        bars = box.box.locator(".ndcg-bars li").all_inner_texts()
        assert [bar.split("\n")[0] for bar in bars] == ["DCG", "Ideal DCG"]
        totals = [judge(bar.split()[-1], sum_of(after)) for bar, sum_of in zip(bars, (dcg, idcg), strict=True)]
        assert [each.outcome for each in totals] == ["agrees", "agrees"]
        grown = re.search(r"DCG grows by (\d\.\d{3}), the ideal DCG by (\d\.\d{3})", box.text).groups()
        for number, sum_of in zip(grown, (dcg, idcg), strict=True):
            assert judge(number, sum_of(after) - sum_of(before)).outcome == "agrees"
        said, *values = re.search(r"NDCG (\w+) (?:at|from (\d\.\d{3}) to) (\d\.\d{3})\.", box.text).groups()
        change = ndcg(after) - ndcg(before)
        assert said == ("stays" if isclose(change, 0, abs_tol=1e-12) else "rises" if change > 0 else "falls")
        expected = [ndcg(before), ndcg(after)]
        assert {judge(*each).outcome for each in zip(values, expected, strict=True) if each[0]} == {"agrees"}
        raised[place, level] = change > 0
        done += [(place, level)] * box.done
    assert done == [(max(place for (place, level), up in raised.items() if up and level == 3), 3)]


def test_a_task_that_was_done_stays_so_when_the_reader_goes_on(explorable):
    box = explorable("gain").play()
    box.slide(1.87)
    assert box.done
    box.slide(1.9)
    assert "✓ Done before." in box.text


def test_each_page_with_an_explorable_is_tried():
    paths = {path.relative_to(BUILT).as_posix(): path for path in BUILT.rglob("*.html")}
    found = {name for name, path in paths.items() if 'data-live="explore-' in path.read_text(encoding="utf-8")}
    assert found == {page for page, _ in PAGES.values()}
