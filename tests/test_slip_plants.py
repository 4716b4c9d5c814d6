"""Slips are named after what made them: 600 of each cause are made in random worked examples, and judged."""

import pytest
from rows import every_row

from ndcg_ref.stated.subject import all_causes
from tools.experiments.slip_plants import MEASURED, MISTAKES, Planter, counted

COUNT, SAMPLE, SEED = 600, 40, 7  # the least share is near 91 %, so that of another seed may fall below 90
NAMED, FIRST, MISTAKE_FIRST = 0.9, 0.9, 0.7


def test_every_cause_that_slips_are_made_of_is_measured():
    """A new cause can do without: the slips of the others hold that it does not take their place."""
    made = {cause.code for cause in all_causes() if hasattr(Planter, cause.code.replace("-", "_"))}
    assert sorted((*MEASURED, *MISTAKES)) == sorted(made)


@every_row("cause", [*MEASURED, *MISTAKES])
def test_a_sample_of_slips_is_named_after_its_cause(cause):
    found = counted(cause, list(Planter(SEED).slips(cause, SAMPLE)))
    assert found["named"] >= NAMED * SAMPLE - 2, found["instead"]


@pytest.mark.slow
@every_row("cause", [*MEASURED, *MISTAKES])
def test_slips_are_named_after_their_cause_and_mostly_first(cause):
    found = counted(cause, list(Planter(SEED).slips(cause, COUNT)))
    least = MISTAKE_FIRST if cause in MISTAKES else FIRST
    assert found["slips"] == COUNT
    assert found["named"] >= NAMED * COUNT, found["instead"]
    assert found["first"] >= least * COUNT, found["instead"]


@pytest.mark.parametrize("cause", MEASURED)
def test_the_same_seed_makes_the_same_slips(cause):
    once, again = ([str(verdict) for verdict in Planter(SEED).slips(cause, 5)] for _ in range(2))
    assert once == again
