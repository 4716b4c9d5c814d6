"""A long table as one test: every row is tried, and all that fail are reported."""

import inspect
from typing import Any

import pytest

NAMED = type(pytest.param())  # a row with an id


def every_row(names, rows):
    """As `pytest.mark.parametrize`, but all rows are one case: a case for each would cost more than it tells.

    A function that makes the rows is called when the test runs, not when it is collected.
    """
    names = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)

    def listed(rows):
        rows = [row.values if isinstance(row, NAMED) else row if len(names) > 1 else (row,) for row in rows]
        assert rows, "expected some rows, found none"
        return rows

    rows = rows if callable(rows) else listed(rows)

    def decorate(test):
        def try_all(*arguments, **fixtures):
            failed, tried = [], listed(rows()) if callable(rows) else rows
            for row in tried:
                try:
                    test(*arguments, **fixtures, **dict(zip(names, row, strict=True)))
                except (Exception, pytest.fail.Exception) as error:
                    failed.append(f"{row!r:.300}\n    {type(error).__name__}: {error!s:.1000}")
            if failed:
                pytest.fail(f"{len(failed)} of {len(tried)} rows failed:\n" + "\n".join(failed[:20]), pytrace=False)

        parameters = inspect.signature(test).parameters.values()
        collected: Any = try_all
        for name in ("__name__", "__qualname__", "__doc__", "__module__"):
            setattr(collected, name, getattr(test, name))
        collected.__signature__ = inspect.Signature([each for each in parameters if each.name not in names])
        collected.pytestmark = list(getattr(test, "pytestmark", []))
        return collected

    return decorate
