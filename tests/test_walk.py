"""The way from one convention to another changes one choice at a time, and the rest together where it has to."""

from ndcg_ref import STANDARD, Convention
from ndcg_ref.explaining.run_differences import walk


class TestTheWalk:
    def test_choices_are_changed_in_the_order_of_their_parameters(self):
        end = Convention(base=10, gain="binary", ties="best")
        choices, before, after = zip(*walk(STANDARD, end, lambda _: 0.0), strict=True)
        assert choices == (("gain",), ("base",), ("ties",))
        assert (before[0], before[1:], after[-1]) == (STANDARD, after[:-1], end)

    def test_a_choice_that_is_refused_at_its_turn_is_changed_later(self):
        def refusing(convention):
            if convention.base == 2:
                raise ValueError("no gain without a base")
            return 1.0

        turns = walk(STANDARD, Convention(base=10, gain="binary", ties="best"), refusing)
        assert [choices for choices, _, _ in turns] == [("base",), ("gain",), ("ties",)]

    def test_choices_that_are_all_refused_alone_are_changed_together(self):
        def refusing(convention):
            raise ValueError("never")

        end = Convention(base=10, gain="binary")
        assert [*walk(STANDARD, end, refusing)] == [(("gain", "base"), STANDARD, end)]
