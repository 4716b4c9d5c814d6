"""A drawing of rankings has the numbers of the measures, and is a table in every builder.

Expected texts are sums by hand; log2(3) = 1.585, log2(5) = 2.322 and log2(6) = 2.585.
"""

import math
import re
from itertools import pairwise

import pytest
from pages import cell as stored_cell
from pages import chapter, clean, conf, text
from rows import every_row

from ndcg_ref import EXPONENTIAL, ORIGINAL, STANDARD, Convention, dcg, discounts, gains, idcg, ndcg
from ndcg_ref.sphinx_ext.drawing import BELOW, COLUMNS, MIME, bundle, drawing_of, text_of

BOOTS = {"Choosing boots": 2, "Boots on test": 3, "Boot camp": 0, "Lacing boots": 1, "Boots, wide fit": 2}
BEST = dict(sorted(BOOTS.items(), key=lambda result: -result[1]))
GRADES = list(BOOTS.values())
TWO = {"As retrieved": BOOTS, "Best order": BEST}


def only(ranking, *arguments, **options):
    """The one ranking of a drawing."""
    (drawn,) = drawing_of({"A": ranking}, *arguments, **options)["rankings"]
    return drawn


def column(drawn, place):
    return [result["values"][place] for result in drawn["results"]]


class TestTheNumbers:
    def test_the_running_example_is_the_sum_by_hand(self):
        """2/1 + 3/1.585 + 0/2 + 1/2.322 + 2/2.585 = 2 + 1.893 + 0 + 0.431 + 0.774 = 5.097, but for rounding."""
        drawn = only(BOOTS, columns=COLUMNS)
        assert column(drawn, 0) == ["2", "3", "0", "1", "2"]
        assert column(drawn, 1) == ["1.00", "1.58", "2.00", "2.32", "2.58"]
        assert column(drawn, 2) == ["2.00", "1.89", "0.00", "0.43", "0.77"]
        assert drawn["totals"] == [["DCG", "5.097"]]

    @every_row("k", [None, 1, 3, 5, 9])
    @every_row("convention", [STANDARD, ORIGINAL, EXPONENTIAL, Convention(gain=[0, 1, 10, 11])])
    def test_all_numbers_are_those_of_the_measures(self, convention, k):
        drawn = only(GRADES, convention, k, COLUMNS, ["DCG", "IDCG", "NDCG"])
        gained, divided = gains(GRADES, convention), discounts(5, convention)
        assert column(drawn, 0) == [f"{gain:g}" for gain in gained]
        assert column(drawn, 1) == [f"{discount:.2f}" for discount in divided]
        assert column(drawn, 2) == [f"{term:.2f}" for term in gained / divided]
        at = "" if k is None else f"@{k}"
        assert drawn["totals"] == [
            [f"{function.__name__.upper()}{at}", f"{function(GRADES, k, convention):.3f}"]
            for function in (dcg, idcg, ndcg)
        ]

    def test_gains_alone_are_added_up_as_they_are(self):
        drawn = only(BOOTS, columns=["gain"])
        assert drawn["totals"] == [["CG", "8"]]
        assert [result["bar"] for result in drawn["results"]] == [0.6667, 1, 0, 0.3333, 0.6667]
        assert [result["outline"] for result in drawn["results"]] == [0.6667, 1, 0, 0.3333, 0.6667]

    def test_the_name_of_a_convention_will_do(self):
        assert only([2, 3], "EXPONENTIAL")["totals"] == only([2, 3], EXPONENTIAL)["totals"]

    def test_each_heading_has_a_convention_of_its_own(self):
        drawn = drawing_of({"A": BOOTS, "B": BOOTS}, {"A": ORIGINAL, "B": "STANDARD"})["rankings"]
        assert [ranking["totals"] for ranking in drawn] == [[["DCG", "6.361"]], [["DCG", "5.097"]]]
        assert [ranking["convention"] for ranking in drawn] == [str(ORIGINAL), str(STANDARD)]

    def test_a_ranking_without_ideal_gain_has_no_ndcg(self):
        assert only([0, 0], totals=["NDCG"])["totals"] == [["NDCG", "undefined"]]


class TestWithoutColumns:
    DRAWN = drawing_of({"Boots": {"Choosing boots": 2, "Boots on test": 3}}, columns=())

    def test_a_result_has_no_bar_and_a_ranking_no_sum(self):
        assert text_of(self.DRAWN).splitlines() == [
            "Boots",
            "rank  grade  result",
            "   1      2  Choosing boots",
            "   2      3  Boots on test",
        ]

    @pytest.mark.built
    @pytest.mark.parametrize(("builder", "bar"), [("html", "ndcg-bar"), ("latex", r"\ndcgdrawn{")])
    def test_no_page_has_a_bar(self, builder, bar):
        page = page_of(builder, self.DRAWN)
        assert "Boots on test" in page
        assert bar not in page


class TestTheBars:
    def test_all_bars_have_one_scale(self):
        """The longest is the gain of 3: Boots on test, at rank 1 of the best order."""
        first, second = drawing_of(TWO)["rankings"]
        assert second["results"][0]["bar"] == 1
        assert [result["bar"] for result in first["results"]][:2] == [0.6667, round(1 / math.log2(3), 4)]

    def test_a_discount_of_rank_1_is_in_the_outline(self):
        """2/2 and 4/4: at rank 1 the second would be 4/2."""
        results = only([2, 4], Convention(discount=lambda rank: 2 * rank))["results"]
        assert [(result["bar"], result["outline"]) for result in results] == [(0.5, 0.5), (0.5, 1)]

    def test_a_bar_longer_than_its_outline_makes_it_longer(self):
        """A discount below that of rank 1: 1/2 and 1/1."""
        results = only([1, 1], Convention(discount=lambda rank: 2 / rank))["results"]
        assert [(result["bar"], result["outline"]) for result in results] == [(0.5, 0.5), (1, 1)]

    @pytest.mark.parametrize("best", range(1, 9))
    def test_a_better_grade_is_darker_and_up_to_4_a_grade_has_the_same_shade_everywhere(self, best):
        levels = [result["level"] for result in only(list(range(best + 1)))["results"]]
        assert levels[0] == 0
        assert levels[-1] == min(best, 4)
        assert all(low <= high for low, high in pairwise(levels))
        assert 0 not in levels[1:]
        assert best > 4 or levels == list(range(best + 1))


class TestTheCutoff:
    def test_results_below_the_cutoff_do_not_count(self):
        drawn = only(BOOTS, k=3)
        assert [result["counted"] for result in drawn["results"]] == [True] * 3 + [False] * 2
        assert drawn["totals"] == [["DCG@3", "3.893"]]

    def test_the_text_says_where_the_cutoff_is(self):
        lines = text_of(drawing_of({"A": [3, 2]}, k=1)).splitlines()
        assert [line.split()[:1] for line in lines] == [["A"], ["rank"], ["1"], ["below"], ["2"], ["DCG@1"]]


class TestWhatNobodyJudged:
    def test_an_unjudged_result_is_left_out_where_the_convention_drops_it(self):
        drawn = only({"a": 2, "b": None, "c": 1}, Convention(unjudged="drop"))
        assert [(result["rank"], result["title"]) for result in drawn["results"]] == [(1, "a"), (2, "c")]

    def test_an_unjudged_result_has_no_gain_and_a_mark(self):
        drawn = only([2, None, 1], totals=["DCG", "IDCG"])
        assert [result["grade"] for result in drawn["results"]] == ["2", "?", "1"]
        assert drawn["totals"] == [["DCG", "2.500"], ["IDCG", "2.631"]]  # 2 + 1/2; 2 + 1/1.585
        assert column(only([0, None], Convention(gain=[1, 2]), columns=["gain"]), 0) == ["1", "0"]


A = "rankings['A']"
REFUSED = [
    # rankings, more arguments, exception, message
    ({}, {}, ValueError, "rankings: expected at least one ranking, got none"),
    ([2, 3], {}, TypeError, "rankings: expected a mapping from heading to ranking, got [2, 3]"),
    ({"A": 3}, {}, TypeError, f"{A}: expected a sequence of grades in rank order, got 3"),
    ({1: [2]}, {}, TypeError, "rankings: expected a text as each heading, got 1"),
    ({"A": []}, {}, ValueError, f"{A}: expected at least one result, got none"),
    ({"A": [None]}, {"convention": Convention(unjudged="drop")}, ValueError, f"{A}: expected at least one result"),
    ({"A": [1, "2"]}, {}, TypeError, f"{A}[1]: expected a number, got '2'"),
    ({"A": [-1]}, {}, ValueError, f"{A}: grades[0]: expected a grade of 0 or more, got -1"),
    ({"A": [-1]}, {"convention": Convention(negative="keep")}, ValueError, f"{A}: expected gains of 0 or more"),
    ({"A": [1]}, {"convention": "nobody's"}, ValueError, "nobody's"),
    ({"A": [1]}, {"convention": {}}, ValueError, "convention: expected one for each heading, got none for 'A'"),
    ({"A": [1]}, {"columns": "gain"}, TypeError, "columns: expected a sequence of names, got 'gain'"),
    ({"A": [1]}, {"columns": ["discount"]}, ValueError, "columns: expected 'gain' or 'term' as the last, which is"),
    ({"A": [1]}, {"lengths": "all"}, ValueError, "lengths: expected one of 'each', 'best', 'share', got 'all'"),
    ({"A": [1]}, {"lengths": "each", "columns": ()}, ValueError, "lengths: expected the term as the last column"),
    ({"A": [1], "B": [1]}, {"lengths": "share"}, ValueError, "lengths: expected one ranking, which has a best order"),
    (
        {"A": [1, 2]},
        {"lengths": "best", "k": 1, "convention": Convention(ideal_cut="none")},
        *(ValueError, "lengths: expected a convention whose ideal is the best order, cut at k"),
    ),
    ({"A": [1]}, {"totals": ["MAP"]}, ValueError, "totals: expected some of 'CG', 'DCG', 'IDCG', 'NDCG', each once"),
    ({"A": [0]}, {"totals": ["NDCG"], "convention": Convention(zero_ideal="error")}, ValueError, f"{A}: grades: expec"),
]


@every_row(("rankings", "options", "exception", "message"), REFUSED)
def test_what_cannot_be_drawn_is_refused(rankings, options, exception, message):
    with pytest.raises(exception, match=re.escape(message)):
        drawing_of(rankings, **options)


class TestADrawingIsShown:
    def test_a_cell_stores_three_forms(self, notebook):
        displayed = notebook("from ndcg_ref.sphinx_ext.drawing import draw\ndraw({'A': [2, 3]})")
        assert displayed == ([bundle(drawing_of({"A": [2, 3]}))], "")

    def test_html_for_notebooks_has_a_table_for_each_ranking(self):
        html = bundle(drawing_of(TWO))["text/html"]
        assert (html.count("<table>"), html.count("<tr>")) == (2, 12)
        assert "<td>Boots, wide fit</td>" in html

    def test_titles_are_no_markup(self):
        html = bundle(drawing_of({"<b>": {"<script>": 1}}))["text/html"]
        assert "<b>" not in html
        assert "<script>" not in html


CONF = conf("myst_nb", "ndcg_ref.sphinx_ext", numfig=True)


def page_of(builder, drawing, **figure):
    """The page of a chapter with one cell, which drew this."""
    title = text("# Title\n\n{numref}`fig-boots`" if figure else "# Title")
    drawn = stored_cell(bundle(drawing), **({"mystnb": {"figure": figure}} if figure else {}))
    return clean(title, drawn, conf=CONF, builder=builder)


HARD = {"<b> & $x_1$": {"50 % of # {boots}": 2, "<script>": None}}
ON_PAGES = [
    # builder, rankings, options, what the page has
    ("html", TWO, {}, "ndcg-ref-drawing.css"),
    ("html", TWO, {}, '<span class="ndcg-heading">As retrieved</span></caption>'),
    ("html", TWO, {}, '<th class="ndcg-result" scope="col">'),
    ("html", TWO, {}, '<th class="ndcg-result" scope="row">Boots, wide fit</th>'),
    ("html", TWO, {}, 'data-base="2" data-discount="log(rank+1)" data-gain="linear"'),
    ("html", TWO, {}, '<span class="ndcg-level-3">3</span>'),
    ("html", TWO, {}, '</i></span></td><td class="ndcg-value">1.89</td>'),  # the bar in a column of its own
    ("html", TWO, {"k": 3}, f'<td colspan="5">{BELOW}</td>'),
    ("html", TWO, {"k": 3}, '<tr class="ndcg-uncounted" data-grade="1">'),
    ("html", TWO, {"convention": ORIGINAL}, '<span class="ndcg-convention">linear gain, max(1, log2(rank))</span>'),
    ("html", HARD, {}, "&lt;b&gt; &amp; $x_1$"),
    ("html", HARD, {}, '<span class="ndcg-unjudged">?</span>'),
    ("html", {"A": [2, 3]}, {}, '<div class="ndcg-card">'),
    ("html", {"A": BOOTS}, {"lengths": "share"}, '<div class="ndcg-lengths">'),
    ("text", TWO, {"columns": COLUMNS}, "   2      3  Boots on test       3      1.58  1.89"),
    ("text", {"A": BOOTS}, {"lengths": "share"}, "All 60 orders of these grades: this one beats 40."),
    ("latex", TWO, {}, r"\usepackage{ndcg-ref-drawing}"),
    ("latex", TWO, {}, r"\begin{ndcgcard}{0.485}{As retrieved}{}"),
    ("latex", TWO, {}, r"2 & \ndcggrade{3}{3} & Boots on test & \ndcgdrawn{3}{1.0}{0.6309} & 1.89"),
    ("latex", TWO, {"columns": COLUMNS}, r"Boots on test & 3 & 1.58 & \ndcgdrawn{3}{1.0}{0.6309} & 1.89"),
    ("latex", {"A": BOOTS}, {"lengths": "share"}, r"\ndcglength{This order}{\ndcgterm{2}{0.3513}{2.00}"),
    ("latex", TWO, {}, r"{\textbf{DCG}} & \textbf{5.693}"),
    ("latex", {"A": [2, 3]}, {"k": 1}, r"\ndcgempty{1.0}{0.6309}"),
    ("latex", {"A": {"t" * 40: 1}}, {}, r"p{5.5cm}lr@{}}"),  # which breaks
    ("latex", HARD, {}, r"50 \% of \# \{boots\}"),
]


@pytest.mark.built
@every_row(("builder", "rankings", "options", "expected"), ON_PAGES)
def test_a_drawing_is_on_the_page(builder, rankings, options, expected):
    assert expected in page_of(builder, drawing_of(rankings, **options))


@pytest.mark.built
def test_a_drawing_is_a_figure_with_a_number_and_a_name():
    page = page_of("html", drawing_of(TWO), name="fig-boots", caption="The boots.")
    figure = page[page.index("<figure") : page.index("</figure>")]
    assert 'id="fig-boots"' in figure
    assert 'class="ndcg-drawing' in figure
    assert "The boots." in figure[figure.index("<figcaption") :]
    assert re.search(r'href="#fig-boots"><span class="std std-numref">Fig. 1</span>', page)


@pytest.mark.built
def test_a_figure_on_paper_has_its_caption():
    page = page_of("latex", drawing_of(TWO), name="fig-boots", caption="The boots.")
    figure = page[page.index(r"\begin{figure}") : page.index(r"\end{figure}")]
    assert figure.index(r"\begin{ndcgcard}") < figure.index(r"\caption{The boots.}") < figure.index("fig-boots}}")


@pytest.mark.built
def test_a_page_without_a_drawing_loads_no_style_for_one():
    page, _ = chapter(text("# Title"), stored_cell())
    assert "ndcg-ref-drawing.css" not in page


UNREADABLE = [
    {},
    {"columns": [], "rankings": [{}]},
    {"columns": [], "rankings": [{"heading": "A", "convention": None, "rule": {}, "results": [{}], "totals": []}]},
]


@pytest.mark.built
@every_row("stored", UNREADABLE)
def test_a_drawing_that_cannot_be_read_is_a_warning(stored):
    _, warnings = chapter(text("# Title"), stored_cell({MIME: stored, "text/plain": "x"}))
    assert "expected a stored verdict or drawing, found one that cannot be read" in warnings
