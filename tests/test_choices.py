"""The way from one convention to another changes one choice at a time, and the rest together where it has to."""

from ndcg_ref import STANDARD, Convention
from ndcg_ref.formulas.choices import walk


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
