"""What all tests share: the two witnesses, and draws that are the same in every run."""

import pytest
from hypothesis import settings

from ndcg_ref import measures, plain

settings.register_profile("same every time", derandomize=True, database=None, deadline=None)
settings.register_profile("quick", parent=settings.get_profile("same every time"), max_examples=15)
settings.load_profile("same every time")


@pytest.fixture(params=[plain, measures], ids=["plain", "measures"])
def witness(request):
    """The formulas as loops, then the same over arrays: what is tested of one is tested of the other."""
    return request.param
