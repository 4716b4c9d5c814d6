"""The numbers that the prose of a page states: what is read of its source, and on which line each of them stands."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ndcg_ref.notes import Finding, check_note
from ndcg_ref.stated.stored_notebook import NotebookError, notebook_of

CELL = 10_000  # MyST-NB counts the lines of a notebook from here on, in the n-th cell from n times as many
# What has a verdict of its own: the role and the directive `ndcg`, and cells with code
_JUDGED_ALREADY = re.compile(
    r"\{ndcg\}(`+).+?\1"
    r"|:ndcg:`[^`]+`"
    r"|^[ \t]*(?P<fence>`{3,}|:{3,})\{(?:ndcg|code-cell|code-block)\}.*?^[ \t]*(?P=fence)"
    r"|^(?P<margin>[ \t]*)\.\. ndcg::.*\n(?:(?P=margin)[ \t]+\S.*\n|[ \t]*\n)*",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Stated:
    """A number that prose states."""

    finding: Finding
    text: str  # what was read: the page, or a cell of it, with blanks for what is judged already
    before: int = 0  # lines of the page before that text, as MyST-NB counts them
    cell: int = 0  # its number in a notebook, from 1

    @property
    def line(self) -> int:
        """The line of the number, as the nodes of the page count them."""
        return self.before + self.finding.line

    @property
    def location(self) -> str:
        """The same, as it is said behind the name of the file."""
        return location_of(self.cell, self.finding.line)

    def occurrence(self, first: int) -> int:
        """How often the text of the number stands between a line of the page and the number.

        >>> stated, = stated_in("DCG = 3/1 = 3", ".md")[-1:]
        >>> stated.finding.stated, stated.occurrence(1)
        ('3', 1)
        """
        start = self.finding.offset
        for _ in range(self.finding.line - (first - self.before) + 1):
            start = self.text.rfind("\n", 0, start)
        return len(pattern_of(self.finding.stated).findall(self.text[: self.finding.offset], start + 1))


def location_of(cell: int, line: int) -> str:
    """A line of a page or, where `cell` is not 0, of that cell of a notebook, as it is said behind the name of a file.

    >>> location_of(0, 7), location_of(3, 7)
    (':7', ':cell 3, line 7')
    """
    return f":cell {cell}, line {line}" if cell else f":{line}"


def page_location(line: int, suffix: str) -> str:
    """The same of a line as the nodes of a page count them.

    >>> page_location(30_008, ".ipynb"), page_location(30_008, ".md")
    (':cell 3, line 7', ':30008')
    """
    return location_of(line // CELL, line % CELL - 1) if suffix == ".ipynb" else location_of(0, line)


def pattern_of(number: str) -> re.Pattern[str]:
    """Where a number stands in a text, and is not a part of another one.

    >>> pattern_of("3").findall("3 + 0.3 + 3.1 + 33 = 3.")
    ['3', '3']
    """
    return re.compile(rf"(?<![\w.,]){re.escape(number)}(?!\w|[.,][0-9])")


def stated_in(text: str, suffix: str) -> list[Stated]:
    """The numbers that the prose of a page states, in its order; of a notebook each Markdown cell is read for itself.

    >>> for each in stated_in("{ndcg}`1 = ndcg(2, 1)`" + chr(10) + "DCG = 3/1 + 1/2 = 3.4", ".md"):
    ...     print(each.line, each.finding.stated, each.finding.verdict.outcome)
    2 3.4 slip
    """
    return [
        Stated(finding, blanked, before, cell)
        for cell, before, source in _texts(text, suffix)
        for blanked in [_JUDGED_ALREADY.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), source)]
        for finding in check_note(blanked)
    ]


def _texts(text: str, suffix: str) -> Iterator[tuple[int, int, str]]:
    """The texts of a page: number of the cell, lines before it, and what it holds."""
    if suffix != ".ipynb":
        yield 0, 0, text
        return
    try:
        cells = notebook_of(text).cells
    except NotebookError as error:
        raise ValueError(f"expected a notebook in JSON with cells ({error})") from None
    for i, cell in enumerate(cells, start=1):
        if cell.kind == "markdown":
            yield i, CELL * i + 1, cell.source
