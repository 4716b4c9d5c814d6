"""The sums of a drawing as lengths have the numbers of the measures, and so have all orders of its results."""

import math
from itertools import pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rows import every_row

from ndcg_ref import EXPONENTIAL, ORIGINAL, STANDARD, dcg, idcg, ndcg
from ndcg_ref.sphinx_ext import lengths
from ndcg_ref.sphinx_ext.drawing import drawing_of

GRADES = [2, 3, 0, 1, 2]
IDEAL = 3 + 2 / math.log2(3) + 2 / 2 + 1 / math.log2(5)


def of(grades, convention=STANDARD, k=None, wanted="share"):
    """The lengths of a ranking."""
    return drawing_of({"A": grades}, convention, k, lengths=wanted)["lengths"]


class TestARibbon:
    def test_its_terms_are_shares_of_the_ideal_one_behind_the_other(self):
        own, best = of(GRADES)["ribbons"]
        assert [each["text"] for each in own["terms"]] == ["2.00", "1.89", "0.00", "0.43", "0.77"]
        assert own["terms"][1]["at"] == round(2 / IDEAL, 4)
        assert own["terms"][1]["width"] == round(3 / math.log2(3) / IDEAL, 4)
        assert [each["level"] for each in best["terms"]] == [3, 2, 2, 1, 0]
        assert best["reaches"] == 1

    @every_row("convention", [STANDARD, ORIGINAL, EXPONENTIAL])
    @every_row("k", [None, 1, 3, 9])
    def test_their_totals_are_dcg_and_ideal_dcg(self, convention, k):
        made = of(GRADES, convention, k)
        totals = [each["total"] for each in made["ribbons"]]
        assert totals == [f"{dcg(GRADES, k, convention):.3f}", f"{idcg(GRADES, k, convention):.3f}"]
        assert made["share"]["text"] == f"{ndcg(GRADES, k, convention):.3f}"
        assert made["share"]["at"] == round(ndcg(GRADES, k, convention), 4)
        assert made["share"]["name"] == ("NDCG" if k is None else f"NDCG@{k}")

    def test_a_ranking_alone_is_a_share_of_its_best_order_which_is_not_drawn(self):
        (own,) = of(GRADES, wanted="each")["ribbons"]
        assert own["label"] == "This order"
        assert own["reaches"] == round(ndcg(GRADES), 4)

    def test_two_rankings_have_one_scale(self):
        """8 against 5."""
        made = drawing_of({"A": [2, 3, 0, 1, 2], "B": [1, 2, 0, 1, 1]}, columns=["gain"], lengths="each")["lengths"]
        assert [(each["label"], each["total"], each["reaches"]) for each in made["ribbons"]] == [
            ("A", "8", 1.0),
            ("B", "5", 0.625),
        ]

    def test_without_ideal_gain_there_is_no_share_and_an_unjudged_result_adds_nothing(self):
        share = of([0, 0])["share"]
        assert (share["text"], share["among"]) == ("undefined", None)
        own, _ = of([2, None, 1])["ribbons"]
        assert [each["text"] for each in own["terms"]] == ["2.00", "0.00", "0.50"]


class TestTheOrders:
    def test_those_of_the_example(self):
        """As the chapter on NDCG counts them."""
        among = of(GRADES)["share"]["among"]
        assert among["said"] == "All 60 orders of these grades: this one beats 40"
        assert (among["worst"], among["mean"], among["low"]) == ("0.642", "0.829", 0.5)
        assert sum(count for _, count in among["dots"]) == 60
        assert among["at"] == pytest.approx((ndcg(GRADES) - 0.5) / 0.5, abs=1e-4)

    @given(st.lists(st.integers(0, 3), min_size=1, max_size=6))
    def test_each_is_there_once(self, values):
        orders = list(map(tuple, lengths.all_orders(values)))
        assert sorted(orders) == sorted(set(permutations(values)))
        assert lengths.count_of_orders(values) == len(orders)

    def test_of_many_a_sample_is_drawn_which_says_so_and_is_the_same_each_time(self):
        grades = [3, 1, 3, 0, 1, 2, 2, 1, 0, 0]
        among = of(grades)["share"]["among"]
        count = math.factorial(10) // (2 * 6 * 2 * 6)  # two of grade 3, three of 1, two of 2, three of 0
        assert among["said"].startswith(f"2,000 of the {count:,} orders, drawn at random: this one beats 1,")
        assert sum(number for _, number in among["dots"]) == lengths.SAMPLE
        assert of(grades)["share"]["among"] == among

    def test_a_sample_has_each_order_about_as_often_as_another(self):
        """6,000 draws of 6 orders: 1,000 of each, with a standard deviation of 29."""
        drawn = list(map(tuple, lengths.some_orders([0, 1, 2], 6000)))
        counts = [drawn.count(order) for order in permutations([0, 1, 2])]
        assert all(850 < count < 1150 for count in counts)


class TestTheSvg:
    @pytest.mark.parametrize("grades", [GRADES, [3, 1, 3, 0, 1, 2, 2, 1, 0, 0]])
    def test_a_term_has_its_number_where_there_is_room(self, grades):
        made = of(grades)
        texts = [each["text"] for ribbon in made["ribbons"] for each in ribbon["terms"] if each["width"] >= 0.09]
        page = lengths.html_of(made)
        assert [text for text in texts if f'<text x="50%" y="50%">{text}</text>' not in page] == []
        assert page.count('class="ndcg-segment') == 2 * len(grades)

    def test_each_ribbon_says_its_sum_to_those_who_do_not_see_and_a_title_is_no_markup(self):
        said = "This order: 2.00 + 1.89 + 0.00 + 0.43 + 0.77 = 5.097"
        assert f'role="img" aria-label="{said}"' in lengths.html_of(of(GRADES))
        made = drawing_of({"A": {'<b>"': 1}}, lengths="best")["lengths"]
        assert '"&lt;b&gt;&quot;"' in lengths.html_of(made)

    def test_a_pile_grows_with_its_count_and_never_over_the_others(self):
        heights = [float(lengths.pile(count, 0.5).removesuffix("em")) for count in range(1, 9)]
        assert all(low > high for low, high in pairwise(heights))
