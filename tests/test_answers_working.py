"""A table of gain, discount and term filled in by a student: the first wrong cell is found, and its kind."""

import json
import math
import re

import pytest
from rows import every_row

from ndcg_ref.conventions.convention import STANDARD
from ndcg_ref.live import answer
from ndcg_ref.live.hints import hint_of
from ndcg_ref.subjects.ranking import other_rules

RANKING = [3, 2, 3, 0, 1]
IDEAL = sorted(RANKING, reverse=True)
ROWS = ("gain", "discount", "term")
RESULTS = ("DCG", "IDCG", "NDCG")


def by_rank(rank):
    """The discount log2(rank + 1)."""
    return math.log2(rank + 1)


def filled(gains=RANKING, discount=by_rank, *, decimals=2, **more):
    """The table of a student who works with these gains and this discount, and prints what a calculator keeps."""
    divisors = [discount(rank) for rank in range(1, len(gains) + 1)]
    terms = [gain / divisor for gain, divisor in zip(gains, divisors, strict=True)]
    ideal = math.fsum(gain / by_rank(rank) for rank, gain in enumerate(IDEAL[: len(gains)], start=1))
    values = {"DCG": math.fsum(terms), "IDCG": ideal} | more
    values = {"DCG": values["DCG"], "IDCG": values["IDCG"], "NDCG": values["DCG"] / values["IDCG"]} | more
    return {
        "gain": [f"{gain:g}" for gain in gains],
        "discount": [f"{divisor:.{decimals}f}" for divisor in divisors],
        "term": [f"{term:.{decimals}f}" for term in terms],
        **{name: f"{value:.{decimals}f}" for name, value in values.items()},
    }


def judged(cells, grades=RANKING, **more):
    """What is said of a table; the answer must be JSON."""
    made = answer(json.loads(json.dumps({"ask": "working", "grades": grades, "cells": cells, **more})))
    json.dumps(made, allow_nan=False)
    return made


def cells_of(made):
    """Each cell by its place: a column and a rank, or a result and None."""
    rows = {(name, rank): cell for name in ROWS for rank, cell in enumerate(made["cells"][name], start=1)}
    return rows | {(name, None): made["cells"][name] for name in RESULTS}


def changed(cells, **texts):
    """The table with other texts: ``term_2="1.36"``, ``DCG="6.25"``."""
    made = {name: list(value) if isinstance(value, list) else value for name, value in cells.items()}
    for name, text in texts.items():
        column, _, rank = name.partition("_")
        if rank:
            made[column][int(rank) - 1] = text
        else:
            made[column] = text
    return made


def digits_cut(cells):
    """The table with the last digit of the term at rank 5 cut off: 1 / log2(6) = 0.3868, not 0.38."""
    return changed(cells, term_5="0.38")


DCG = math.fsum(grade / by_rank(rank) for rank, grade in enumerate(RANKING, start=1))
NOT_CUT = math.fsum(grade / by_rank(rank) for rank, grade in enumerate(IDEAL, start=1))
EXACT = filled(decimals=3)
LATE = {"term_2": "1.362", "DCG": f"{DCG + 0.1:.3f}", "NDCG": f"{(DCG + 0.1) / NOT_CUT:.3f}"}

ALL_BUT_4 = "term-1 term-2 term-3 term-5 DCG NDCG"  # what follows, where the grade at rank 4 is 0
STUDENTS = [
    # what went wrong, the table, more, the first wrong cell, code, part of the hint, the cells that only follow
    (
        *("each discount is that of the rank before", filled(discount=lambda rank: max(1, math.log2(rank))), {}),
        *("discount-2", "convention", "discount log(rank)", "term-2 term-3 term-5 DCG NDCG"),
    ),
    (
        *("the natural logarithm", filled(discount=lambda rank: math.log(rank + 1)), {}),
        *("discount-1", "convention", "the logarithm of base e", ALL_BUT_4),
    ),
    (
        *("the exponential gain at one rank", filled([3, 2, 7, 0, 1]), {}),
        *("gain-3", "convention", "the exponential gain 2^grade − 1", "term-3 DCG NDCG"),
    ),
    (
        *("two ranks swapped", filled([2, 3, 3, 0, 1]), {}),
        *("gain-1", "quantity", "the gain of rank 2", "term-1 term-2 DCG NDCG"),
    ),
    (
        *("the ideal is not sorted", filled(IDCG=DCG, NDCG=1.0), {}),
        *("IDCG", "unsorted-ideal", "the ideal looks unsorted", "NDCG"),
    ),
    (
        *("the ideal is not cut at 3", filled(RANKING[:3], IDCG=NOT_CUT), {"k": 3}),
        *("IDCG", "convention", "the ideal of all ranks", "NDCG"),
    ),
    ("digits are cut off", digits_cut(filled()), {}, "term-5", "truncated", "the digits look cut off", ""),
    (
        *("a slip of the pen in one term, carried into DCG and NDCG", changed(EXACT, **LATE), {}),
        *("term-2", "unexplained", "no single mistake that was tried gives it", "DCG NDCG"),
    ),
    ("a dropped term", filled(decimals=3, DCG=DCG - 3 / 2), {}, "DCG", "term", "rank 3 dropped", "NDCG"),
    (
        "the −1 of the exponential gain is forgotten",
        *(filled([2**grade for grade in RANKING], IDCG=13.348), {"convention": "EXPONENTIAL"}),
        *("gain-1", "minus-one", "the −1 of the exponential gain looks forgotten", f"{ALL_BUT_4} term-4"),
    ),
    ("the ratio upside down", filled(NDCG=NOT_CUT / DCG), {}, "NDCG", "exchanged", "IDCG divided by DCG", ""),
    (
        *("the ratio is of rounded sums", {"NDCG": "0.968"}, {}),  # 6.1 / 6.3, for 6.14871 / 6.32347
        *("NDCG", "rounded-early", "with DCG and IDCG rounded to 1 decimal; keep more digits on the way", ""),
    ),
    (
        *("multiplied by weights, which stand as discounts", filled(discount=lambda rank: 1 / by_rank(rank)), {}),
        *("discount-2", "exchanged", "1 divided by the discount", "term-2 term-3 term-5 DCG NDCG"),
    ),
]


def places(names):
    """The places of cells by their names, such as "term-2 DCG"."""
    parts = [name.partition("-") for name in names.split()]
    return {(column, int(rank) if rank else None) for column, _, rank in parts}


class TestTheFirstWrongStep:
    @every_row(("cells", "more", "place", "code", "hint", "carried"), [student[1:] for student in STUDENTS])
    def test_the_first_wrong_cell_and_its_kind_are_found(self, cells, more, place, code, hint, carried):
        made = judged(cells, **more)
        found = cells_of(made)
        first = made["first"]["column"], made["first"]["rank"]
        assert {first} == places(place)
        kinds = [(kind["code"], kind["hint"]) for kind in found[first]["kinds"]]
        assert any(code == each and hint in said for each, said in kinds), kinds
        assert {each for each, cell in found.items() if cell.get("carried")} >= places(carried)
        for cell in found.values():  # no hint says the right value
            for kind in cell.get("kinds", []):
                assert "." not in cell["correct"] or cell["correct"] not in kind["hint"]

    @pytest.mark.parametrize("decimals", [2, 3, 4, 6])
    def test_a_right_table_has_no_wrong_step(self, decimals):
        made = judged(filled(decimals=decimals))
        assert made["first"] is None
        assert {cell["outcome"] for cell in cells_of(made).values()} == {"agrees"}

    def test_the_kind_that_fits_most_cells_of_a_column_comes_first(self):
        """At rank 2, a discount of 2 is that of rank 3 as well; the column as a whole is the rank."""
        found = cells_of(judged(filled(discount=lambda rank: rank)))
        assert [found["discount", rank]["kind"]["label"] for rank in (2, 3, 4, 5)] == ["the rank itself"] * 4
        found = cells_of(judged(filled(discount=lambda rank: math.log2(rank + 2))))
        assert {found["discount", rank]["kind"]["label"] for rank in range(1, 6)} == {"the discount of the rank after"}

    def test_two_cells_with_one_kind_in_common_keep_no_other(self):
        """At rank 2, a discount of 2 is that of rank 3 as well; at rank 3, a discount of 3 is the rank alone."""
        found = cells_of(judged({"discount": ["", "2.00", "3.00"]}))
        for rank in (2, 3):
            assert [kind["label"] for kind in found["discount", rank]["kinds"]] == ["the rank itself"]

    def test_a_kind_that_fits_the_exact_and_the_own_cells_is_named_once(self):
        """2 / log2(4) is 1, with the gain of the reader and with the exact one."""
        cell = cells_of(judged({"gain": ["", "2"], "discount": ["", "1.58"], "term": ["", "1.00"]}))["term", 2]
        labels = [kind["label"] for kind in cell["kinds"]]
        assert "rank 2 discounted as rank 3" in labels
        assert "rank 2 discounted as rank 3, in your own cells" not in labels


@pytest.mark.parametrize("label", [label for label, _ in other_rules(STANDARD)])
def test_a_hint_names_a_choice_as_a_reader_would(label):
    hint = hint_of("convention", "DCG", label)
    assert re.search(r"you get with (the|no) ", hint)


class TestWhatIsCarried:
    def test_a_term_follows_from_the_own_gain_and_discount_or_is_a_new_mistake(self):
        """2 / 2.32 = 0.86, with a gain and a discount that are both wrong."""
        own = {"gain": ["3", "2", "2"], "discount": ["1", "1.58", "2.32"]}
        said = cells_of(judged({**own, "term": ["", "", "0.86"]}))["term", 3]
        assert (said["outcome"], said["carried"], said["correct"]) == ("slip", True, "1.50")
        assert said["from"] == [{"column": "gain", "rank": 3}, {"column": "discount", "rank": 3}]
        hint = "term at rank 3: it follows from your gain at rank 3, discount at rank 3; start there"
        assert said["kind"]["hint"] == hint
        assert cells_of(judged({**own, "term": ["", "", "0.96"]}))["term", 3]["carried"] is False

    @pytest.mark.parametrize("text", ["1.82", "1.80", "1.84"])
    def test_a_wrong_cell_counts_with_all_values_that_round_to_it(self, text):
        """The discount 1.1 may be anything from 1.05 to 1.15, and 2 divided by it from 1.74 to 1.90."""
        cell = cells_of(judged({"discount": ["", "1.1"], "term": ["", text]}))["term", 2]
        assert (cell["outcome"], cell["carried"]) == ("slip", True)

    def test_a_wrong_whole_number_counts_as_it_is(self):
        """The gain 5 is not 4.9, so that 5 / 1.58496 = 3.15 follows and 3.09 does not."""
        for text, carried in (("3.15", True), ("3.09", False)):
            cells = {"gain": ["", "5"], "term": ["", text]}
            assert cells_of(judged(cells))["term", 2]["carried"] is carried

    def test_a_cell_left_out_stands_for_what_the_cells_before_it_give(self):
        """DCG of a wrong gain and no term: 3 + 3 / log2(3) + 3 / 2 + 1 / log2(6) = 6.780."""
        made = judged({"gain": ["", "3"], "DCG": "6.780", "NDCG": f"{6.780 / NOT_CUT:.3f}"})
        found = cells_of(made)
        assert found["DCG", None]["from"] == [{"column": "gain", "rank": 2}]
        assert found["NDCG", None]["from"] == [{"column": "DCG", "rank": None}]
        assert made["first"] == {"column": "gain", "rank": 2}

    def test_ideal_dcg_follows_from_the_own_gains_and_discounts(self):
        """With the natural logarithm, 3 / ln 2 + 3 / ln 3 + 2 / ln 4 + 1 / ln 5."""
        natural = math.fsum(grade / math.log(rank + 1) for rank, grade in enumerate(IDEAL, start=1))
        cells = filled(discount=lambda rank: math.log(rank + 1), IDCG=natural)
        found = cells_of(judged(cells))
        assert found["IDCG", None]["carried"] is True
        assert found["NDCG", None]["outcome"] == "agrees"  # the base cancels out
        assert "but" not in found["NDCG", None]

    def test_the_ideal_of_other_judged_documents_takes_the_own_discounts_alone(self):
        """Ideal of 3, 2, 1 over 1, 2, 2, where log2(3) belongs in the middle; the own gains are not the ideal's."""
        cells = {"gain": ["2", "1"], "discount": ["1", "2.0", "2"], "IDCG": f"{3 / 1 + 2 / 2 + 1 / 2:.3f}"}
        found = cells_of(judged(cells, [2, 1, 0], judged=[2, 1, 0, 3]))
        assert found["IDCG", None]["from"] == [{"column": "discount", "rank": 2}]

    def test_the_own_ideal_takes_the_gains_below_the_cutoff(self):
        """At 2 with the own gains 2, 2 the ideal is 3, 2: rank 3 has a gain of 3."""
        cells = {"gain": ["2", "2"], "IDCG": f"{3 + 2 / math.log2(3):.3f}"}
        found = cells_of(judged(cells, k=2))
        assert found["IDCG", None]["from"] == [{"column": "gain", "rank": 1}]

    def test_a_right_result_that_does_not_follow_says_so(self):
        found = cells_of(judged({"DCG": "5.15", "IDCG": "6.32", "NDCG": "0.97"}))
        assert (found["NDCG", None]["outcome"], "does not follow" in found["NDCG", None]["but"]) == ("agrees", True)


class TestRounding:
    """Eight documents of grade 2, printed with one decimal: the rounded terms add up to 8.0, the exact ones to 7.9."""

    TWOS = filled([2] * 8, decimals=1)

    def test_the_sum_of_rounded_terms_is_carried_and_no_new_mistake(self):
        assert f"{math.fsum(map(float, self.TWOS['term'])):.1f}" == "8.0"
        made = judged(changed(self.TWOS, DCG="8.0", IDCG="7.9", NDCG="1.0"), [2] * 8)
        cell = cells_of(made)["DCG", None]
        assert (cell["outcome"], cell["carried"], cell["kind"]["code"]) == ("slip", True, "carried-rounding")
        assert cell["kind"]["hint"].endswith("keep more digits on the way")
        assert {"column": "term", "rank": 2} in cell["from"]
        assert {"column": "term", "rank": 1} not in cell["from"]  # 2.0 is exact
        assert made["first"] is None
        further = judged(changed(self.TWOS, DCG="8.1"), [2] * 8)
        assert further["first"] == {"column": "DCG", "rank": None}

    def test_a_term_of_a_rounded_discount_is_carried(self):
        """2 / 1.58 = 1.266, and 2 / 1.58496 = 1.262."""
        for text, kind in (("1.262", None), ("1.266", "carried-rounding"), ("1.270", "new")):
            cell = cells_of(judged({"discount": ["", "1.58"], "term": ["", text]}))["term", 2]
            found = cell.get("kind", {"code": None})["code"] if cell.get("carried", True) else "new"
            assert found == kind

    def test_a_ratio_of_rounded_sums_is_carried(self):
        """6.1 / 6.3 = 0.968, and 6.14871 / 6.32347 = 0.972; 0.974 comes from neither."""
        for text, carried in (("0.968", True), ("0.974", False)):
            cell = cells_of(judged({"DCG": "6.1", "IDCG": "6.3", "NDCG": text}))["NDCG", None]
            assert cell["carried"] is carried


class TestWhatIsNotRead:
    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("", "empty"),
            ("?", "expected a printed number such as 0.63, 97.8% or 1/3, got '?'"),
            ("log2(3)", "expected a printed number such as 0.63, 97.8% or 1/3, got 'log2(3)'"),
            ("<b>2</b>", "expected a printed number"),
            ("2.", "a full stop at the end"),
        ],
    )
    def test_an_empty_or_unreadable_cell_is_not_read_and_no_slip(self, text, reason):
        made = judged(changed(EXACT, discount_2=text))
        cell = cells_of(made)["discount", 2]
        assert (cell["outcome"], reason in cell["reason"], made["first"]) == ("not read", True, None)

    def test_a_decimal_comma_is_read_and_said_to_be_in_every_cell(self):
        cells = {
            name: [text.replace(".", ",") for text in value] if isinstance(value, list) else value.replace(".", ",")
            for name, value in EXACT.items()
        }
        found = cells_of(judged(cells))
        assert {cell["outcome"] for cell in found.values()} == {"agrees"}
        assert {found[place]["comma"] for place in [("discount", 2), ("term", 5), ("DCG", None)]} == {True}
        assert found["gain", 1]["comma"] is False

    def test_a_ratio_without_an_ideal_is_undefined(self):
        found = cells_of(judged({"DCG": "0", "IDCG": "0", "NDCG": "0"}, [0, 0]))
        assert (found["DCG", None]["outcome"], found["NDCG", None]["outcome"]) == ("agrees", "undefined")
        assert found["NDCG", None]["reason"] == "no ideal gain to divide by"

    @pytest.mark.parametrize(
        ("more", "message"),
        [
            ({"cells": None}, "cells: expected an object of columns and results, got None"),
            ({"cells": {"gains": []}}, "cells: expected gain, discount, term, DCG, IDCG, NDCG, got 'gains'"),
            ({"cells": {"gain": [3]}}, "cells: gain at rank 1: expected a text, got 3"),
            ({"grades": [0] * 21}, "grades: expected at most 20 ranks in a table, got 21"),
        ],
    )
    def test_a_table_that_does_not_fit_is_refused(self, more, message):
        assert message in answer({"ask": "working", "grades": RANKING, "cells": {}, **more})["error"]


@pytest.mark.parametrize(
    ("cell", "text", "outcome"),
    [("NDCG", "1", "slip"), ("NDCG", "≈ 1", "agrees"), ("NDCG", "0", "slip"), ("DCG", "6", "agrees")],
)
def test_a_bare_0_or_1_is_exact_in_the_cell_of_ndcg(cell, text, outcome):
    """6.1487 / 6.3235 = 0.972"""
    assert judged(changed(filled(), **{cell: text}))["cells"][cell]["outcome"] == outcome


def test_an_ndcg_of_1_follows_from_an_ideal_that_was_not_sorted():
    made = judged(changed(filled(), IDCG=filled()["DCG"], NDCG="1"))["cells"]["NDCG"]
    assert (made["outcome"], made["carried"], made["from"]) == ("slip", True, [{"column": "IDCG", "rank": None}])
