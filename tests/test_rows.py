"""A table that is one test fails where one row fails, and names it."""

import pytest
from rows import every_row


def test_all_failing_rows_are_named():
    tried = []

    @every_row(("number", "limit"), [(1, 2), pytest.param(3, 2, id="large"), (4, 2)])
    @every_row("sign", [1])
    def is_small(number, limit, sign):
        tried.append(number)
        assert number * sign < limit

    with pytest.raises(pytest.fail.Exception, match=r"(?s)^2 of 3 rows failed:\n\(3, 2\).*\n\(4, 2\)"):
        is_small()
    assert tried == [1, 3, 4]


def test_a_refusal_that_does_not_come_fails_its_row():
    @every_row("value", [1])
    def is_refused(value):
        with pytest.raises(ValueError, match="never"):
            int(value)

    with pytest.raises(pytest.fail.Exception, match="DID NOT RAISE"):
        is_refused()


def test_an_empty_table_is_refused():
    with pytest.raises(AssertionError, match="expected some rows, found none"):
        every_row("value", [])


def test_rows_that_a_function_makes_are_made_when_the_test_runs():
    later = every_row("value", list)(lambda value: None)
    with pytest.raises(AssertionError, match="expected some rows, found none"):
        later()
