"""What makes two numbers differ: worked by hand, and the laws that hold for any run."""

import json
import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ndcg_ref import EXPONENTIAL, STANDARD, Convention
from ndcg_ref.commands.cli import main
from ndcg_ref.conventions.convention import WORDS
from ndcg_ref.explaining.run_differences import Change, Explanation, Moved, explain
from ndcg_ref.formulas.plain import ndcg_of_run

LOG3 = math.log2(3)

# One query: three documents judged, two of them retrieved, with the score of a third that nobody judged
QRELS = {"q1": {"a": 2, "b": 1, "c": 1}, "q2": {"a": 1}}
RUN = {"q1": {"x": 0.5, "a": 0.5, "b": 0.1}, "q2": {"a": 3.0}}
FIRST = Convention(ties="id-descending", zero_ideal=0)


# nDCG@10 of two queries, worked by hand: their means are 2/3 and, of q1 alone, 2/9
MADE = Explanation(
    measure="nDCG@10",
    a="mine",
    b="theirs",
    mean_a=2 / 3,
    mean_b=2 / 9,
    rows=(
        Change("gain", "linear", "exponential", -5 / 9, 2),
        Change("ideal", "judged", "ranked", 0.0, 0),
        Change("ties", "average", "input", 1 / 9, 1, 3),
    ),
    queries=(Moved("q1", 1.0, 2 / 9), Moved("query-2", 1 / 3, None)),
    evaluated=(2, 1),
    only_trec_eval={"qrels": 0, "run": 0},
    excluded={},
)
SHOWN = """\
0.6667 -> 0.2222: gain −0.5556; ties +0.1111 in 3 groups; ideal 0
nDCG@10 under mine (a) and theirs (b)
queries in the mean: 2 under a, 1 under b

choice  a        b            moves the mean  queries moved
gain    linear   exponential  −0.555556       2
ideal   judged   ranked       0               0
ties    average  input        +0.111111       1

query    a         b         moves
q1       1.000000  0.222222  −0.777778
query-2  0.333333  left out  −0.333333"""


class TestTheTable:
    def test_the_table_has_every_digit_in_its_place(self):
        assert str(MADE) == SHOWN

    def test_the_largest_move_is_named_first_and_one_without_a_number_before_it(self):
        moves = {"gain": 0.1, "ideal": -0.2, "zero_ideal": math.nan, "ties": 0.05}
        rows = tuple(Change(choice, "x", "y", moved, 1) for choice, moved in moves.items())
        line = str(replace(MADE, rows=rows)).splitlines()[0]
        assert line == "0.6667 -> 0.2222: zero_ideal nan; ideal −0.2000; gain +0.1000; ties +0.0500"

    @pytest.mark.parametrize(
        ("moved", "groups", "shown"),
        [
            (0.25, None, "ties +0.2500"),
            (0.25, 1, "ties +0.2500 in 1 group"),
            (0.25, 2, "ties +0.2500 in 2 groups"),
            (1e-13, 2, "ties 0"),  # a sum in another order
        ],
    )
    def test_groups_are_counted_where_the_mean_moves(self, moved, groups, shown):
        assert str(Change("ties", "average", "input", moved, 1, groups)) == shown


class TestWhatMakesTwoNumbersDiffer:
    def test_ties_move_the_mean_as_worked_by_hand(self):
        """q1: x and a tie; by id x comes first, on average each does half of the time. q2 is 1 both ways."""
        ideal = 2 + 1 / LOG3 + 1 / 2
        by_id, shared = (2 / LOG3 + 1 / 2) / ideal, (2 * (1 + 1 / LOG3) / 2 + 1 / 2) / ideal
        made = explain(QRELS, RUN, replace(FIRST, ties="average"), FIRST, "nDCG")
        assert made.mean_a == pytest.approx((shared + 1) / 2)
        assert made.mean_b == pytest.approx((by_id + 1) / 2)
        (step,) = made.rows
        assert (step.choice, step.a, step.b, step.queries, step.groups) == ("ties", "average", "id-descending", 1, 1)
        assert step.moved == pytest.approx((by_id - shared) / 2)
        assert [(row.query, row.a, row.b) for row in made.queries] == [("q1", *map(pytest.approx, (shared, by_id)))]

    def test_nothing_moves_between_a_convention_and_itself(self):
        made = explain(QRELS, RUN, FIRST, FIRST)
        assert made.rows == made.queries == ()
        assert str(made).splitlines()[0].endswith(": ties 0; ideal 0; gain 0")

    def test_a_measure_with_a_convention_of_its_own_is_explained_under_it(self):
        """With one score, a stands before b in the RR@10 of ir_measures, and behind it in that of trec_eval."""
        made = explain({"q": {"a": 1, "b": 0}}, {"q": {"a": 1.0, "b": 1.0}}, "ir_measures", "trec_eval", "RR@10")
        assert (made.mean_a, made.mean_b) == (1.0, 0.5)
        assert [step.choice for step in made.rows if step.moved] == ["ties"]

    def test_conventions_without_a_name_are_shown_in_words_and_stored_as_signatures(self):
        made = explain(QRELS, RUN, STANDARD, EXPONENTIAL)
        assert f"nDCG@10 under {STANDARD} (a) and {EXPONENTIAL} (b)" in str(made)
        assert (made.as_json()["a"], made.as_json()["b"]) == (STANDARD.signature(), EXPONENTIAL.signature())

    @pytest.mark.parametrize(
        ("missing", "line"),
        [(11, "and 1 more query that moves no further"), (12, "and 2 more queries that move no further")],
    )
    def test_queries_not_shown_move_no_further_where_all_move_by_0(self, missing, line):
        """They are 0 under the one convention, and left out by the other."""
        qrels = {**QRELS, **{f"m{i}": {"a": 1} for i in range(missing)}}
        made = explain(qrels, RUN, FIRST, replace(FIRST, missing="zero"))
        assert {row.by for row in made.queries} == {0}
        assert str(made).splitlines()[-1] == line

    def test_queries_not_shown_move_less_where_they_do(self):
        """a is tied with 1 to 12 others, and moves to rank 1: the further, the more they are."""
        qrels = {f"q{i:02}": {"a": 1} for i in range(1, 13)}
        run = {query: dict.fromkeys(["a", *map(str, range(int(query[1:])))], 1.0) for query in qrels}
        made = explain(qrels, run, Convention(), Convention(ties="best"), "nDCG")
        assert [row.query for row in made.queries] == sorted(qrels, reverse=True)
        assert str(made).splitlines()[-1] == "and 2 more queries that move less"

    def test_two_choices_that_only_go_together_make_one_step(self):
        """The first table has no place for the 0 that -1 is clamped to, and the second none for -1 as it is."""
        a = Convention(gain={-1: 1, 2: 2}, negative="keep")
        b = Convention(gain={0: 0, 2: 2}, negative="clamp")
        made = explain({"q": {"a": -1, "b": 2}}, {"q": {"a": 2.5, "b": 1.5}}, a, b)
        (step,) = made.rows
        assert (step.choice, step.queries) == ("gain+negative", 1)
        assert (made.mean_a, made.mean_b) == (pytest.approx((1 + 2 / LOG3) / (2 + 1 / LOG3)), pytest.approx(1 / LOG3))
        assert step.moved == made.mean_b - made.mean_a

    def test_groups_of_one_gain_or_beyond_the_cutoff_do_not_count(self):
        """a and b tie at rank 1; c and d at rank 3 have no gain; e and f stand at rank 5."""
        qrels = {"q": {"a": 2, "b": 1, "c": -1, "d": 0, "e": 2, "f": 0}}
        run = {"q": {"a": 3, "b": 3, "c": 2, "d": 2, "e": 1, "f": 1}}
        other = replace(FIRST, ties="input", negative="clamp")
        groups = [
            explain(qrels, run, replace(other, ties="id-descending"), other, measure).rows[0].groups
            for measure in ("nDCG@4", "nDCG@5", "CG@4", "P@4", "P(rel=2)@5")
        ]
        assert groups == [1, 2, 1, 0, 2]

    def test_a_document_that_is_dropped_is_in_no_group(self):
        """Of a and b, which are tied, b is judged below 0; with x and b dropped, nothing is tied."""
        qrels, run = {"q": {"a": 1, "b": -1}}, {"q": {"a": 1.0, "b": 1.0, "x": 1.0}}
        by_id = Convention(ties="id-descending", negative="clamp")
        for unjudged, groups in (("zero", 1), ("drop", 0)):
            other = replace(by_id, unjudged=unjudged)
            assert explain(qrels, run, other, replace(other, ties="best")).rows[0].groups == groups

    def test_queries_stand_by_how_far_they_move_and_then_by_name(self):
        """Under the exponential gain, 1 before 2 is worth less than before, and 2, 0, 1 is worth more."""
        judged = {"z": {"a": 1, "b": 2}, "y": {"a": 2, "b": 0, "c": 1}, "x": {"a": 2, "b": 0, "c": 1}}
        run = {query: {"a": 3.0, "b": 2.0, "c": 1.0} for query in judged}
        moved = explain(judged, run, Convention(), Convention(gain="exponential"), "nDCG").queries
        assert [row.query for row in moved] == ["z", "x", "y"]
        assert moved[0].by == pytest.approx((1 + 3 / LOG3) / (3 + 1 / LOG3) - (1 + 2 / LOG3) / (2 + 1 / LOG3))
        assert moved[1].by == pytest.approx(3.5 / (3 + 1 / LOG3) - 2.5 / (2 + 1 / LOG3))
        assert moved[0].by < 0 < moved[1].by == moved[2].by

    def test_the_smallest_move_counts(self):
        """A gain of 2.0000001 in place of 2 is no sum in another order."""
        other = Convention(gain=[0, 1, 2 + 1e-7])
        (step,) = explain({"q": {"a": 1, "b": 2}}, {"q": {"a": 2.0, "b": 1.0}}, Convention(), other).rows
        assert (step.queries, str(step)) == (1, "gain −0.0000")
        assert step.moved == pytest.approx(-1e-7 * (1 - 1 / LOG3**2) / (2 + 1 / LOG3) ** 2, rel=1e-3)

    def test_scores_that_only_single_precision_ties_are_a_group(self):
        both = Convention(ties="best"), Convention(ties="best", scores="float32")
        for a, b in (both, both[::-1]):
            (step,) = explain({"q": {"a": 1, "b": 0}}, {"q": {"a": 1.0, "b": 1 + 1e-9}}, a, b).rows
            assert (step.choice, step.groups) == ("scores", 1)

    def test_a_fraction_that_is_cut_to_0_is_in_a_group(self):
        """The -0.5 of b is read as 0, which is judged, and so it is not dropped beside the tied a."""
        by_id = Convention(ties="id-descending", negative="clamp", unjudged="drop", fractional="truncate")
        qrels, run = {"q": {"a": 1, "b": -0.5}}, {"q": {"a": 1.5, "b": 1.5}}
        (step,) = explain(qrels, run, by_id, replace(by_id, ties="best")).rows
        assert step.groups == 1

    @pytest.mark.parametrize("turned", [False, True])
    def test_a_mean_of_no_query_on_the_way_is_avoided(self, turned):
        """The only query has no ideal gain among the ranked, and would be left out before the ideal has changed."""
        a, b = replace(FIRST, ideal="ranked", zero_ideal=0), replace(FIRST, zero_ideal="nan")
        made = explain({"q": {"d": 1}}, {"q": {"x": 1.0}}, *((b, a) if turned else (a, b)), "nDCG")
        assert [step.moved for step in made.rows] == [0, 0]

    @given(
        st.dictionaries(
            st.sampled_from("pqr"),
            st.dictionaries(st.sampled_from("abcdef"), st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=1),
            min_size=1,
        ),
        st.builds(
            Convention,
            gain=st.sampled_from(["linear", "exponential", "binary"]),
            discount=st.sampled_from(["log(rank+1)", "log(rank)", "rank", "none"]),
            zero_ideal=st.sampled_from([0, 1]),
            **{choice: st.sampled_from(WORDS[choice]) for choice in ("ideal", "ideal_cut", "ties", "scores")},
        ),
    )
    def test_the_steps_add_up_to_the_difference(self, queries, other):
        qrels = {query: {d: grade for d, (grade, _) in documents.items()} for query, documents in queries.items()}
        run = {query: {d: score for d, (_, score) in documents.items()} for query, documents in queries.items()}
        made = explain(qrels, run, FIRST, other, "nDCG@2")
        assert math.fsum(step.moved for step in made.rows) == pytest.approx(made.mean_b - made.mean_a, abs=1e-12)
        plainly = [ndcg_of_run(qrels, run, 2, side) for side in (FIRST, other)]
        moved = {query for query in qrels if abs(plainly[0][query] - plainly[1][query]) > 1e-12}
        assert {row.query for row in made.queries} == moved


class TestTheCommand:
    @pytest.fixture(autouse=True)
    def files(self, trec_files):
        trec_files(QRELS, run=RUN)

    def test_explain_prints_the_table(self, capsys):
        assert main(["explain", "qrels", "run", "trec_eval", "scikit-learn"]) == 0
        assert capsys.readouterr().out == f"{explain(QRELS, RUN, 'trec_eval', 'scikit-learn')}\n"

    def test_explain_prints_json_on_request(self, capsys):
        assert main(["explain", "qrels", "run", "STANDARD", "EXPONENTIAL", "-m", "nDCG", "--format", "json"]) == 0
        made = json.loads(capsys.readouterr().out)
        assert [row["choice"] for row in made["rows"]] == ["gain"]
        assert made["mean_b"] - made["mean_a"] == pytest.approx(made["rows"][0]["moved"])
