"""Which convention prints a number: worked by hand, and the laws that hold for any ranking."""

import json
import math
import random
import re
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from steps import steps

from ndcg_ref.commands.cli import main
from ndcg_ref.explaining.matches import TRIED, Match, Which, which
from ndcg_ref.formulas.plain import dcg, dcg_of_scores, ndcg, ndcg_of_scores

LOG3, LOG5, LOG6 = math.log2(3), math.log2(5), math.log2(6)
GRADES = [3, 2, 3, 0, 1]
LINEAR = (3 + 2 / LOG3 + 3 / 2 + 1 / LOG6) / (3 + 3 / LOG3 + 2 / 2 + 1 / LOG5)
EXPONENTIALLY = (7 + 3 / LOG3 + 7 / 2 + 1 / LOG6) / (7 + 7 / LOG3 + 3 / 2 + 1 / LOG5)


GRADED = st.sampled_from([0, 1, 2, 3, 1.5, -1])
DOCUMENTS = st.lists(st.tuples(GRADED, st.sampled_from([1.0, 1.00000001, 2.0])), max_size=6)


def found(stated, *arguments, **options):
    """The names that print a number."""
    return {row.convention for row in which(stated, *arguments, **options).rows}


def made(*rows, **others):
    """What which() would return with these rows."""
    fields = {"reading": "rounded", "chance": None, "tried": 9, "untried": (), "nearest": None}
    return Which(stated="0.5", rows=rows, longest=4, excluded={}, **(fields | others))


class TestTheDigitsShown:
    def test_values_have_six_decimals_and_those_of_one_value_stand_together(self):
        rows = Match("a", 1, 0.4999996), Match("b", 3, 0.5123456), Match("a", 3, 0.5123456), Match("a", None, 0.5123456)
        assert (
            str(made(*rows))
            == """\
0.5: printed by 2 named conventions, in 2 values; 2 decimals would tell them apart

0.500000
  k = 1: a
0.512346
  k = 3: b
  k = 3, no cutoff (or k from 4 on): a"""
        )

    def test_the_nearest_value_has_six_decimals(self):
        assert str(made(nearest=Match("a", 2, 2 / 3))) == (
            "0.5: none of 9 pairs of a convention and a cutoff prints this; nearest is 0.666667, of a, k = 2"
        )

    @pytest.mark.parametrize(
        ("first", "second", "decimals", "line"),
        [
            (0.4, 0.4, None, "all of one value"),
            (0.4, 0.4 + 6e-13, None, "all of one value"),
            (0.4, 0.4 + 3e-12, 12, "in 2 values; 12 decimals would tell them apart"),
            (0.4, 0.44, 2, "in 2 values; 2 decimals would tell them apart"),
            (0.449, 0.451, 3, "in 2 values; 3 decimals would tell them apart"),  # 0.45 twice, though 0.4 and 0.5
            (0.2, 1.8, 0, "in 2 values; 0 decimals would tell them apart"),
        ],
    )
    def test_the_fewest_decimals_that_tell_the_values_apart_are_named(self, first, second, decimals, line):
        both = made(Match("a", None, first), Match("b", None, second))
        assert (both.decimals, both.as_json()["decimals"]) == (decimals, decimals)
        assert str(both).splitlines()[0] == f"0.5: printed by 2 named conventions, {line}"
        assert sum(line.startswith("  no cutoff") for line in str(both).splitlines()) == (1 if decimals is None else 2)

    @pytest.mark.parametrize(
        ("chance", "line"),
        [
            (0.004, "chance below 0.01"),
            (0.005, "chance 0.01"),
            (0.1, "chance 0.10"),
            (0.101, "weak evidence: chance 0.10"),
        ],
    )
    def test_a_chance_above_one_in_ten_is_weak_evidence(self, chance, line):
        shown = str(made(Match("a", None, 0.5), chance=chance)).splitlines()[1]
        assert shown == f"{line} that as many conventions print a random number of these digits"


class TestHowTheNumberIsRead:
    """Rounded; where nothing gives that, cut off; and where nothing gives either, an NDCG above 1 as a percentage."""

    @pytest.mark.parametrize(
        ("stated", "reading"),
        [
            # the exponential gain gives 0.957478
            ("0.957", "rounded"),
            ("0.9575", "rounded"),
            ("0.9574", "truncated"),
            ("95.7", "as a percentage"),
            ("95.75", "as a percentage"),
            ("95.74", "as a truncated percentage"),
            ("95.74%", "truncated"),
        ],
    )
    def test_the_first_reading_that_fits_is_taken(self, stated, reading):
        found = which(stated, GRADES)
        assert found.reading == reading
        assert [row.computed for row in found.rows] == [pytest.approx(EXPONENTIALLY)] * 13
        assert str(found).startswith(f"{stated}{'' if reading == 'rounded' else f', {reading}'}: printed by 13 named")

    def test_digits_are_cut_toward_zero(self):
        """-3 + 1 / log2(3) = -2.369"""
        assert which("-2.37", [-3, 1], measure="dcg").reading == "rounded"
        assert which("-2.36", [-3, 1], measure="dcg").reading == "truncated"
        assert which("-2.38", [-3, 1], measure="dcg").rows == ()

    @pytest.mark.parametrize(
        ("stated", "grades", "last"),
        [
            ("0.4605", GRADES, "truncated"),  # below 1, and so no percentage
            ("1.00", [*[0] * 11, 1], "truncated"),
            ("1.01", [*[0] * 11, 1], "as a truncated percentage"),
            ("46.05", GRADES, "as a truncated percentage"),
            ("46e1", GRADES, "truncated"),
            ("7/5", GRADES, "rounded"),  # exact
        ],
    )
    def test_the_last_reading_tried_is_named_where_none_fits(self, stated, grades, last):
        found = which(stated, grades)
        assert (found.rows, found.reading, found.chance) == ((), last, None)


class TestChance:
    """How often as many conventions print some other number with the same digits."""

    @pytest.mark.parametrize(
        ("stated", "chance"),
        [
            ("1", None),  # which is exact
            ("1.0", 1 / 3),  # 0.8, 0.9, 1.0
            ("1.00", 1 / 21),  # 0.80, 0.81, …, 1.00
            ("100", 1 / 21),  # 80, 81, …, 100 of 100
        ],
    )
    def test_the_chance_of_a_value_that_all_share_is_one_number_of_all(self, stated, chance):
        assert which(stated, [1]).chance == (None if chance is None else pytest.approx(chance))

    def test_the_chance_is_the_share_of_numbers_that_as_many_print(self):
        """The numbers 0.75, …, 1.00 are those within 20 % of 0.93 and at most 1; each is asked for in turn."""
        names = len(found("0.93", GRADES))
        others = [which(f"{hundredths / 100:.2f}", GRADES) for hundredths in range(75, 101)]
        rounded = [{row.convention for row in other.rows} for other in others if other.reading == "rounded"]
        assert which("0.93", GRADES).chance == pytest.approx(sum(len(by) >= names for by in rounded) / 26)

    def test_what_is_cut_counts_beside_what_is_rounded(self):
        """1.5849625 is 1.585 rounded, one of 1.268, …, 1.902; and 1.584 if cut, one of 1.268, …, 1.900."""
        assert which("1.585", [LOG3], measure="dcg").chance == pytest.approx(1 / 635)
        cut = which("1.584", [LOG3], measure="dcg")
        assert (cut.reading, cut.chance) == ("truncated", pytest.approx(2 / 633))


class TestDcg:
    def test_a_dcg_is_found_by_its_gain_and_its_discount(self):
        """7 + 0 / log2(3) + 3 / 2, and 3 + 0 + 2 / log2(3)"""
        assert found("8.500", [3, 0, 2], measure="dcg") == {
            name
            for name, convention in TRIED.items()
            if (convention.gain, convention.discount) == ("exponential", "log(rank+1)")
        }
        assert found(f"{3 + 2 / LOG3:.6f}", [3, 0, 2], measure="dcg") == {"ORIGINAL", "paper-2002"}

    def test_a_dcg_of_scores_is_found(self):
        """Tied documents share the first two ranks: 1 / 2 + 1 / 2 · 1 / log2(3), or 1 / log2(3) in the worst case."""
        result = which(f"{(1 + 1 / LOG3) / 2:.6f}", [1, 0], scores=[5, 5], measure="dcg")
        assert "scikit-learn-1.9.1" in {row.convention for row in result.rows}
        assert "catboost-1.2.10" in found(f"{1 / LOG3:.6f}", [1, 0], scores=[5, 5], measure="dcg")
        reason = "it ranks equal scores by document id, and the documents have none here"
        assert dict(result.untried)["trec_eval-10.0"] == reason
        assert ("not tried: " in str(result), f"({reason})" in str(result)) == (True, True)

    @given(DOCUMENTS)
    def test_each_dcg_is_that_of_the_formula(self, documents):
        grades, scores = ([document[side] for document in documents] for side in (0, 1))
        for row in which("0e2", grades, measure="dcg").rows:
            assert row.computed == dcg(grades, row.k, TRIED[row.convention])
        for row in which("0e2", grades, scores=scores, measure="dcg").rows:
            ids = [f"{i}" for i in range(len(grades))]
            assert row.computed == dcg_of_scores(grades, scores, row.k, TRIED[row.convention], ids)


class TestWhichConventionPrintsThis:
    def test_a_number_with_the_exponential_gain_is_found_under_its_names_alone(self):
        names = found("0.957", GRADES)
        assert {"EXPONENTIAL", "lightgbm-4.7.0", "xgboost-3.2.0", "ranx-0.3.21-ndcg_burges"} <= names
        assert not {name for name in names if TRIED[name].gain != "exponential"}

    @pytest.mark.parametrize(
        ("stated", "measure", "grades", "prints"),
        [
            ("1", "ndcg", [2, 3, 0, 1, 2], False),  # 0.895
            ("1.0", "ndcg", [3, 2, 1, 2, 0], True),  # 0.988
            ("1", "ndcg", [3, 2, 2, 1, 0], True),
            ("1", "dcg", [1, 0, 0.8], True),  # 1 + 0.8 / 2
        ],
    )
    def test_a_bare_1_is_the_value_itself_where_the_measure_is_at_most_1(self, stated, measure, grades, prints):
        assert ("STANDARD" in found(stated, grades, measure=measure)) is prints

    def test_ties_by_document_id_are_tried_at_cutoffs_where_they_do_not_matter(self):
        """The first document is certain; the other two share ranks 2 and 3."""
        result = which("1.000000", [2, 1, 0], scores=[9, 5, 5])
        assert ("trec_eval-10.0", 1) in {(row.convention, row.k) for row in result.rows}
        at = "at k = 2, no cutoff (or k from 3 on): it ranks equal scores by document id, and"
        assert dict(result.untried)["trec_eval-10.0"].startswith(at)

    def test_equal_scores_do_not_matter_without_ideal_gain_or_of_equal_grades(self):
        assert which("0", [0, 0], scores=[5, 5]).untried == ()
        assert "trec_eval-10.0" in found("1.0", [1, 1, 0], scores=[5, 5, 1])

    def test_json_has_the_rows_or_the_nearest_value(self):
        made = json.loads(json.dumps(which("0.957", GRADES).as_json()))
        assert (made["stated"], made["nearest"]) == ("0.957", None)
        assert {"convention": "EXPONENTIAL", "k": None, "computed": pytest.approx(EXPONENTIALLY)} in made["rows"]
        made = json.loads(json.dumps(which("0.613", [1]).as_json()))
        assert (made["rows"], made["nearest"]) == ([], {"convention": "ORIGINAL", "k": None, "computed": 1.0})

    @pytest.mark.parametrize(
        ("stated", "grades", "options", "exception", "message"),
        [
            (0.957, GRADES, {}, TypeError, "expected"),
            ("about 1", GRADES, {}, ValueError, "about 1"),
            ("0.5", "321", {}, TypeError, "grades: expected a sequence of numbers in rank order, got '321'"),
            ("0.5", [2], {"judged": [1]}, ValueError, "judged: expected every grade of the ranking among them"),
            ("0.5", [2, 1], {"scores": [1]}, ValueError, "scores: expected one for each of 2 documents, got 1"),
            ("0.5", [1], {"measure": "map"}, ValueError, "measure: expected one of 'ndcg', 'dcg', got 'map'"),
            ("0.5", [1], {"measure": "dcg", "judged": [1]}, ValueError, "judged: expected none beside a DCG"),
        ],
    )
    def test_bad_input_is_refused(self, stated, grades, options, exception, message):
        with pytest.raises(exception, match=re.escape(message)):
            which(stated, grades, **options)


def by_the_formula(grades, scores, k, convention, judged):
    """The NDCG of one convention at one cutoff, or None where it refuses or has none."""
    try:
        if scores is None:
            return ndcg(grades, k, convention, judged)
        if not convention.ties.startswith("id-"):
            return ndcg_of_scores(grades, scores, k, convention, judged=judged)
        ends = [replace(convention, ties=end) for end in ("best", "worst")]
        best, worst = (ndcg_of_scores(grades, scores, k, end, judged=judged) for end in ends)
    except ValueError:
        return None
    return best if best == worst or math.isnan(best) else None


class TestEveryCutoffAtOnce:
    """What is computed once for several conventions and cutoffs is what the formula gives for each."""

    @given(DOCUMENTS, st.lists(GRADED, max_size=3), st.booleans(), st.booleans())
    @example([(1e300, 1.0), (1e-300, 1.0), (1.0, 1.0)], [], False, True)
    def test_each_value_is_that_of_the_formula(self, documents, others, with_judged, with_scores):
        grades = [grade for grade, _ in documents]
        scores = [score for _, score in documents] if with_scores else None
        judged = [*grades, *others] if with_judged else None
        cutoffs = [*range(1, max(len(grades), len(judged or []))), None]
        pairs = [(name, k) for name in TRIED for k in cutoffs]
        expected = {(name, k): by_the_formula(grades, scores, k, TRIED[name], judged) for name, k in pairs}
        expected = {pair: value for pair, value in expected.items() if value is not None}
        found = which("0e2", grades, judged, scores)  # what every value up to 50 rounds to
        assert found.tried == len(expected)
        values = {pair: value for pair, value in expected.items() if not math.isnan(value)}
        assert {(row.convention, row.k): row.computed for row in found.rows} == values

    @pytest.mark.long
    @pytest.mark.parametrize(
        ("documents", "different"), [(800, None), (800, 50), (800, 1)], ids=["without scores", "with ties", "all tied"]
    )
    def test_a_long_ranking_is_tried_in_steps_by_the_number_of_documents_not_of_its_square(self, documents, different):
        drawn = random.Random(7)
        grades = [drawn.randint(0, 3) for _ in range(documents)]
        scores = None if different is None else [drawn.randrange(different) for _ in range(documents)]
        assert steps(which, "0.7312", grades, scores=scores) < 200 * len(TRIED) * documents  # as a square 800 at least


class TestTheCommand:
    """`ndcg-ref which` leaves with 0 where some convention prints the number, 1 where none does, 2 for bad input."""

    @pytest.mark.parametrize(("stated", "code"), [("0.957", 0), ("0.4605", 1)])
    def test_which_prints_what_is_found_and_leaves_with_whether(self, stated, code, capsys):
        assert main(["which", stated, "--grades", "3,2,3,0,1"]) == code
        assert capsys.readouterr().out == f"{which(stated, GRADES)}\n"

    def test_which_takes_judged_grades_and_scores(self, capsys):
        words = ["which", f"{LINEAR:.4f}", "--grades", "2,3,3,0,1", "--judged", "1,2,3,3,0", "--scores", "4,5,3,2,1"]
        assert main([*words, "--format", "json"]) == 0
        rows = json.loads(capsys.readouterr().out)["rows"]
        assert "STANDARD" in {row["convention"] for row in rows}

    @pytest.mark.parametrize(
        "words",
        [["0.957", "--grades", "3 2 3 0 1"], ["0.957", "--grades", "[3, 2,3,0,1]"], ["--grades", "3,2,3,0,1", "0.957"]],
        ids=" ".join,
    )
    def test_which_takes_a_list_as_people_write_it(self, words, capsys):
        assert main(["which", *words]) == 0
        assert capsys.readouterr().out == f"{which('0.957', GRADES)}\n"

    @pytest.mark.parametrize(
        ("words", "message"),
        [
            (["x", "--grades", "1"], "expected a printed number such as 0.63"),
            (["0.5", "--grades", "[1,,2]"], "grade 2: expected a printed number"),
            (["0.5", "--grades", "[]"], "grade 1: expected a printed number"),
        ],
    )
    def test_which_refuses_bad_input(self, words, message, capsys):
        assert main(["which", *words]) == 2
        said = capsys.readouterr()
        assert (said.out, said.err.startswith("ndcg-ref which: "), message in said.err) == ("", True, True)
