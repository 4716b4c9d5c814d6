"""A pytest plugin: nbval compares pictures too, which it leaves out by default.

A figure that shows something else is as wrong as a number; the pinned versions draw the same picture each time.
"""

from typing import Any

from nbval.plugin import IPyNbFile


def pytest_configure() -> None:
    """Take PNG off the list of what is not compared."""
    made = IPyNbFile.__init__

    def make(self: Any, *arguments: Any, **keywords: Any) -> None:
        made(self, *arguments, **keywords)
        self.skip_compare = tuple(each for each in self.skip_compare if each != "image/png")

    IPyNbFile.__init__ = make
