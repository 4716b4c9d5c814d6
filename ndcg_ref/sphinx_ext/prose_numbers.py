"""The numbers that the prose of a page states: what is read of its source, and on which line each of them stands."""

import re
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, count

from ndcg_ref.notes import Finding, check_note
from ndcg_ref.notes.comments import ignored_lines
from ndcg_ref.stated.display import Outcome, Record, tick_title
from ndcg_ref.stated.stored_notebook import NotebookError, notebook_of
from ndcg_ref.stated.verdict import Verdict, judge

GOES_ON = tuple("+-−*/·×÷⋅=≈")  # behind a number that is not the last one of its equation
KNOWN = "is it known? write <!-- ndcg-ref: ignore, and why --> on its line"
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

    @property
    def verdict(self) -> Verdict:
        """The verdict on the number."""
        return verdict_of(self.finding)

    @property
    def is_marked(self) -> bool:
        """Whether the page has a mark for a number: not for one that cannot be judged."""
        return self.verdict.outcome is not Outcome.UNCHECKED

    @property
    def problem(self) -> tuple[str, str]:
        """What a build warns of, as a type and a text, both empty for nothing.

        That is a wrong number, unless a comment on its line says that it is known, and a malformed comment.

        >>> stated_in("DCG = 3/1 + 1/2 = 3.4", ".md")[0].problem[1].partition(" (is it")[0]
        '✗ slip: DCG: stated 3.4, computed 3.5000, correct 3.5; unexplained'
        """
        try:
            if self.finding.outcome == "malformed":
                return "syntax", self.finding.verdict.reason
            if not self.finding.is_wrong or ignored_lines(self.text, [self.finding.line]):
                return "", ""
        except ValueError as error:
            return "syntax", str(error)
        said = self.finding if self.finding.outcome == "impossible" else self.finding.verdict
        return "verdict", f"{said} ({KNOWN})"

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


def verdict_of(finding: Finding) -> Verdict:
    """The verdict on a number; one that the page does not name is not checked, as it may be anything."""
    if finding.outcome != "consistent":
        return finding.verdict
    return judge(finding.verdict.number, None, finding.verdict.name, reason=finding.reason)


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


def said_of(record: Record) -> str:
    """What the mark of a verdict says where no box does: also how a slip came about."""
    return "; ".join(filter(None, [tick_title(record), record["explanation"]]))


def unused(label: str, used: Container[str]) -> str:
    """A label, with a number behind it where it is used."""
    labels = chain([label], (f"{label}-{number}" for number in count(2)))
    return next(each for each in labels if each not in used)


def pieces(text: str, marks: Iterable[tuple[int, int, Record]]) -> Iterator[tuple[str, Record | None]]:
    """A text cut at its marks: each piece, and the record of what is a number."""
    at = 0
    for start, end, record in marks:
        yield text[at:start], None
        yield text[start:end], record
        at = end
    yield text[at:], None


def line_of(text: str, lines: list[str], first: int) -> int:
    """The line of a text, sought from that of its paragraph on; the latter if it is not found.

    >>> line_of("b", ["a", "b", "b c"], 1), line_of("c", ["a", "b", "b c"], 2), line_of("d", ["a"], 1)
    (2, 3, 1)
    """
    return next((at for at, line in enumerate(lines[first - 1 :], first) if text in line), first)


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
