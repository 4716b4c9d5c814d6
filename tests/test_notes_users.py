"""ERR and RBP of a note are computed again from its grades, its scale, and the chance to go on that it states."""

import pytest
from rows import every_row

from ndcg_ref.formulas.plain import expected_reciprocal_rank, rank_biased_precision
from ndcg_ref.notes import check_note
from ndcg_ref.notes.users import User, user_in

ERR = "Grades run from 0 to 3. The ranking has the grades [3, 2, 0, 1].\n"
RBP = "Relevance is [1, 1, 0, 1], with a persistence of 0.8.\n"

NUMBERS = [
    # grades and what is left to choose, a line, what each of its numbers is
    (ERR, "ERR = 0.875 + 1/2 * 0.125 * 0.375 + 0 + 1/4 * 0.125 * 0.625 * 0.125 = 0.9009", ["agrees"]),
    (ERR, "ERR = 0.875 + 1/2 * 0.125 * 0.375 + 0 + 1/4 * 0.125 * 0.625 * 0.125 = 0.9090", ["slip"]),
    (ERR, "ERR = 7/16 + 1/2 * 9/16 * 3/16 = 0.4902", ["agrees"]),  # another scale, which the line alone tells
    (RBP, "RBP = (1-0.8)(1 + 0.8 + 0.8^3) = 0.2 * 2.312 = 0.4624", ["agrees"]),
    (RBP, "RBP = (1-0.5)(1 + 0.5 + 0.5^3) = 0.8125", ["agrees"]),  # another chance, shown
    ("The grades are [3, 2, 0, 1]. ", "RBP was 0.512 in the release before.", ["unchecked"]),
]


@every_row(("grades", "line", "expected"), NUMBERS)
def test_numbers_of_err_and_rbp_are_judged_by_their_meaning(grades, line, expected):
    found = [str(each.verdict.outcome) for each in check_note(grades + line)]
    assert (found[-len(expected) :], found.count("slip")) == (expected, expected.count("slip"))


STATED = [
    # text, the highest grades, the chances to go on
    ("grades from 0 to 4", (4.0,), ()),
    ("on a 0-3 scale", (3.0,), ()),
    (r"with $g_{\max} = 2$", (2.0,), ()),
    (r"R = \frac{2^{g} - 1}{2^{4}}", (4.0,), ()),
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
