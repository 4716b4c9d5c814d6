"""ERR and RBP of a note are computed again from its grades, its scale, and the chance to go on that it states."""

import pytest

from ndcg_ref.formulas.plain import expected_reciprocal_rank, rank_biased_precision
from ndcg_ref.notes.users import User, user_in

STATED = [
    # text, the highest grades, the chances to go on
    ("grades from 0 to 4", (4.0,), ()),
    ("on a 0-3 scale", (3.0,), ()),
    ("persistence p = 0.95", (), (0.95,)),
    ("see section 0.8 of 4", (), ()),
]


@pytest.mark.parametrize(("text", "scales", "chances"), STATED)
def test_the_scale_and_the_chance_to_go_on_are_read_where_a_note_states_them(text, scales, chances):
    found = user_in(text)
    assert (found.scales, found.chances) == (scales, chances)


@pytest.mark.parametrize("grades", [(3, 2, 0, 1), (0, 0, 3), (1, 3, 3, 2, 0)])
def test_the_terms_of_err_and_rbp_add_up_to_the_measures(grades):
    user = User((3.0,), (0.8,))
    assert sum(next(user.terms("ERR", grades, grades))) == pytest.approx(expected_reciprocal_rank(grades, 3))
    assert sum(next(user.terms("RBP", grades, grades))) == pytest.approx(rank_biased_precision(grades, 0.8, 3))
