"""A pytest plugin that makes nbval compare pictures as well, which it skips by default.

A wrong figure is as bad as a wrong number; the pinned versions draw the same picture every time.
"""

from typing import Any

from nbval.plugin import IPyNbFile


def pytest_configure() -> None:
    """Remove PNG from the list of what is not compared."""
    made = IPyNbFile.__init__

    def make(self: Any, *arguments: Any, **keywords: Any) -> None:
        made(self, *arguments, **keywords)
        self.skip_compare = tuple(each for each in self.skip_compare if each != "image/png")

    IPyNbFile.__init__ = make
