"""How much work something is: counted, not timed, so that it is the same on every processor."""

import sys
from contextlib import suppress


def steps(function, *arguments, **keywords):
    """How many functions are called, those that are built in included, until the function ends or refuses."""
    count = 0

    def counted(frame, event, argument):
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        with suppress(ValueError):
            function(*arguments, **keywords)
    finally:
        sys.setprofile(before)
    return count
