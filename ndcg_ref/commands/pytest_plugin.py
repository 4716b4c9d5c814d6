"""A plugin for pytest that collects notes: each stated number is a test, which fails where the number is wrong.

It is loaded with pytest wherever this package is installed, and does nothing until it is given which files are notes,
by ``--ndcg-notes`` or in the settings::

    [tool.pytest.ini_options]
    ndcg_notes = ["lectures/*.md", "*.ipynb"]

A number that agrees passes, one that is a slip or impossible fails with its line, and one that cannot be checked, or
that the note does not name, is skipped with the reason. A file that cannot be read, or that meets a bug of this
package, is one test with an error. The tests of one number are those of its place: ``lecture.md::5:26``.
"""

from collections.abc import Iterator
from pathlib import Path, PurePath
from typing import Any

import pytest

OPTION, SETTING = "--ndcg-notes", "ndcg_notes"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option and the setting that say which files are notes."""
    group = parser.getgroup("ndcg-ref")
    group.addoption(
        OPTION,
        action="append",
        default=[],
        metavar="GLOB",
        help="check the numbers in the notes that match (repeatable)",
    )
    parser.addini(SETTING, "files whose stated numbers are checked, as patterns such as lectures/*.md", "args")


def pytest_configure(config: pytest.Config) -> None:
    """Refuse a pattern that is empty, as that of a variable that is not set."""
    for pattern in _patterns(config):
        if not PurePath(pattern).parts:
            from ndcg_ref.conventions.validation import quoted

            raise pytest.UsageError(f"{OPTION}: expected a pattern such as lectures/*.md, got {quoted(pattern)}")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> "NoteFile | None":
    """Collect a file that is a note."""
    matches = any(map(file_path.match, _patterns(parent.config)))
    return NoteFile.from_parent(parent, path=file_path) if matches else None


def _patterns(config: pytest.Config) -> list[str]:
    """The patterns of the option and of the setting."""
    return [*config.getoption(OPTION), *config.getini(SETTING)]


class NoteFile(pytest.File):
    """A note, whose stated numbers are its tests."""

    def collect(self) -> "Iterator[pytest.Item]":
        """Make a test of each number, or of what is wrong with the file: an error here would end the session."""
        from ndcg_ref.commands.findings_formats import FileFinding, with_caret
        from ndcg_ref.commands.note_files import checked_file

        note = checked_file(str(self.path), {})
        if note.refusal or note.left:
            yield NoteItem.from_parent(self, name="read", refusal=f"{self.nodeid}: {note.refusal or note.left}")
        for each in note.findings:
            wrong = "\n".join(with_caret(FileFinding(self.nodeid, note.text, each))) if each.is_wrong else ""
            place = self.path, each.line - 1, f"{each.verdict.name}: {each.stated}"
            item = NoteItem.from_parent(self, name=f"{each.line}:{each.column}", wrong=wrong, place=place)
            if each.reason:
                item.add_marker(pytest.mark.skip(reason=each.reason))
            yield item


class SlipError(Exception):
    """A stated number is wrong."""


class NoteItem(pytest.Item):
    """A number that a note states, with what is wrong with it and where it stands; or a note that cannot be read."""

    def __init__(self, *, wrong: str = "", place: Any = None, refusal: str = "", **keywords: Any) -> None:
        super().__init__(**keywords)
        self.wrong, self.place, self.refusal = wrong, place, refusal

    def setup(self) -> None:
        """Say why a note cannot be read."""
        if self.refusal:
            pytest.fail(self.refusal, pytrace=False)

    def runtest(self) -> None:
        """Fail where the number is wrong."""
        if self.wrong:
            raise SlipError(self.wrong)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *args: Any, **keywords: Any) -> Any:
        """Say what is wrong, without the code that found it."""
        wrong = isinstance(excinfo.value, SlipError)
        return str(excinfo.value) if wrong else super().repr_failure(excinfo, *args, **keywords)

    def reportinfo(self) -> Any:
        """Say where the number stands."""
        return self.place or super().reportinfo()
