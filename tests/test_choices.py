"""What makes two conventions differ on one ranking: worked by hand, and the same as on a run of one query."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ndcg_ref import STANDARD, Convention
from ndcg_ref.conventions.convention import WORDS
from ndcg_ref.explaining.run_differences import explain
from ndcg_ref.formulas.choices import Change, difference, walk

L3 = math.log2(3)


class TestTheWalk:
    def test_choices_are_changed_in_the_order_of_their_parameters(self):
        end = Convention(base=10, gain="binary", ties="best")
        turns = list(walk(STANDARD, end, 0.0, 0.0, lambda _: 0.0, float))
        assert [turn.choices for turn in turns] == [("gain",), ("base",), ("ties",)]
        assert turns[-1].conventions[1] == end
        assert [turn.conventions[0] for turn in turns[1:]] == [turn.conventions[1] for turn in turns[:-1]]

    def test_a_choice_that_is_refused_at_its_turn_is_changed_later(self):
        def refusing(convention):
            if convention.base == 2:
                raise ValueError("no gain without a base")
            return 1.0

        turns = walk(STANDARD, Convention(base=10, gain="binary", ties="best"), 0.0, 1.0, refusing, float)
        assert [turn.choices for turn in turns] == [("base",), ("gain",), ("ties",)]

    def test_choices_that_are_all_refused_alone_are_changed_together(self):
        def refusing(convention):
            raise ValueError("never")

        (turn,) = walk(STANDARD, Convention(base=10, gain="binary"), 0.0, 1.0, refusing, float)
        assert (turn.choices, turn.before, turn.after) == (("gain", "base"), 0.0, 1.0)


class TestOneRanking:
    def test_two_choices_move_as_worked_by_hand(self):
        """From linear to exponential gain; then one of two judged documents of grade 1 leaves the ideal."""
        made = difference([1, 2], STANDARD, Convention(gain="exponential", ideal="ranked"), judged=[1, 2, 1])
        linear, exponential = (1 + 2 / L3) / (2 + 1 / L3 + 1 / 2), (1 + 3 / L3) / (3 + 1 / L3 + 1 / 2)
        ranked = (1 + 3 / L3) / (3 + 1 / L3)
        assert (made.value_a, made.value_b) == (pytest.approx(linear), pytest.approx(ranked))
        assert [(row.choice, row.a, row.b, row.queries) for row in made.rows] == [
            ("gain", "linear", "exponential", 1),
            ("ideal", "judged", "ranked", 1),
        ]
        assert [row.moved for row in made.rows] == pytest.approx([exponential - linear, ranked - exponential])

    def test_the_cutoff_is_that_of_both(self):
        made = difference([1, 2], STANDARD, Convention(gain="exponential"), k=1)
        assert (made.value_a, made.value_b) == (1 / 2, 1 / 3)

    def test_ties_move_with_scores_and_are_left_open_without(self):
        """Of two documents with equal scores, the relevant one is at rank 1 half of the time, or always."""
        best = Convention(ties="best")
        made = difference([0, 1], STANDARD, best, scores=[0.5, 0.5])
        assert made.rows == (Change("ties", "average", "best", pytest.approx(1 - (1 + 1 / L3) / 2), 1, 1),)
        assert made.unseen == ()
        assert difference([0, 1], STANDARD, best).rows == ()
        assert difference([0, 1], STANDARD, best).unseen == ("ties",)

    def test_choices_for_runs_of_queries_are_left_open(self):
        made = difference([1], STANDARD, Convention(missing="zero", extra="zero", unjudged="drop"))
        assert (made.rows, made.unseen) == ((), ("unjudged", "missing", "extra"))

    def test_a_ranking_without_a_value_moves_by_nothing_that_is_a_number(self):
        made = difference([0], STANDARD, Convention(zero_ideal=0))
        assert str(made) == "nan -> 0.0000: zero_ideal nan; ties 0; ideal 0; gain 0"

    @pytest.mark.parametrize(
        ("grades", "b", "more", "message"),
        [
            ([1, -1], "trec_eval", {}, r"STANDARD: grades\[1\]: expected a grade of 0 or more"),
            ([1, 0.5], "lightgbm", {}, r"lightgbm: grades\[1\]: expected a whole grade"),
            ([1, 0], "trec_eval", {"scores": [1, 1]}, "trec_eval: ids: expected the id of each document"),
            ([1, 0], "trec_eval", {"scores": [1]}, "expected one for each of 2 documents, got 1"),
            ([1, 0], "trec_evil", {}, "did you mean 'trec_eval'"),
        ],
    )
    def test_a_refusal_names_the_convention(self, grades, b, more, message):
        with pytest.raises(ValueError, match=message):
            difference(grades, "STANDARD", b, **more)

    def test_an_unjudged_document_counts_as_one_of_grade_0(self):
        assert difference([1, 0], "STANDARD", "EXPONENTIAL", judged=[1]).rows[0].choice == "gain"

    def test_equal_scores_of_equal_grades_need_no_ids(self):
        made = difference([1, 1, 0], "trec_eval", "EXPONENTIAL", scores=[2, 2, 1])
        assert (made.value_a, made.value_b) == (1, 1)

    @settings(deadline=None)
    @given(
        st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=1, max_size=6),
        st.lists(st.integers(0, 3), max_size=2),
        st.none() | st.integers(1, 4),
        *(
            st.builds(
                Convention,
                gain=st.sampled_from(["linear", "exponential", "binary"]),
                discount=st.sampled_from(["log(rank+1)", "log(rank)", "rank", "none"]),
                base=st.sampled_from([2, 10]),
                zero_ideal=st.sampled_from(["nan", 0, 1]),
                ties=st.sampled_from(["average", "input", "best", "worst"]),
                **{choice: st.sampled_from(WORDS[choice]) for choice in ("ideal", "ideal_cut", "scores", "negative")},
            )
            for _ in range(2)
        ),
    )
    def test_one_ranking_differs_as_a_run_of_one_query(self, documents, others, k, a, b):
        """The other witness: the same walk over numpy arrays."""
        grades, scores = ([row[i] for row in documents] for i in (0, 1))
        made = difference(grades, a, b, scores, [*grades, *others], k)
        qrels = {"q": {f"d{i}": grade for i, grade in enumerate([*grades, *others])}}
        run = {"q": {f"d{i}": score for i, score in enumerate(scores)}}
        seen = explain(qrels, run, a, b, "nDCG" if k is None else f"nDCG@{k}")
        assert (made.value_a, made.value_b) == pytest.approx((seen.mean_a, seen.mean_b), nan_ok=True)
        seen_rows = [(row.choice, row.a, row.b, row.groups) for row in seen.rows]
        assert [(row.choice, row.a, row.b, row.groups) for row in made.rows] == seen_rows
        moved = [row.moved for row in seen.rows]
        assert [row.moved for row in made.rows] == pytest.approx(moved, abs=1e-9, nan_ok=True)
