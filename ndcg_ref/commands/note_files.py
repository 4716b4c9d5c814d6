"""The files that are checked: which they are, what they hold, how large one may be, and what is found in each."""

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ndcg_ref.conventions.validation import as_bug
from ndcg_ref.notes import Finding, read_note
from ndcg_ref.notes.comments import ignored_lines
from ndcg_ref.notes.documents import format_of
from ndcg_ref.notes.limits import STEPS
from ndcg_ref.notes.understood import Understood

SUFFIXES = (".md", ".qmd", ".rmd", ".tex", ".rst", ".ipynb", ".html", ".htm", ".txt", ".py")
NOT_READ = (".adoc", ".typ")  # those of folders are counted
MARK = "\ufeff"  # the byte-order mark
STDIN = "-"
MEGABYTE = 1_000_000
LARGEST = 20 * MEGABYTE  # bytes; notes are much smaller, notebooks with pictures too
_WIDE = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}


def content_of(name: str) -> bytes:
    """What a file, or stdin, holds; not much more of it is read than is allowed."""
    if name == STDIN:
        if sys.stdin is None:
            raise ValueError("expected a file that can be read, found it closed")
        return sys.stdin.buffer.read(LARGEST + 1)
    with open(name, "rb") as file:
        return file.read(LARGEST + 1)


def decoded(content: bytes) -> str:
    r"""The text of a file, with its byte-order mark.

    Raises
    ------
    ValueError
        If it is too large, or no text in UTF-8.

    Examples
    --------
    >>> decoded("DCG ≈ 4".encode())
    'DCG ≈ 4'
    >>> decoded("DCG = 4".encode("utf-16"))
    Traceback (most recent call last):
        ...
    ValueError: expected UTF-8, found UTF-16: save the file as UTF-8
    """
    if len(content) > LARGEST:
        raise ValueError(f"expected a note of at most {LARGEST // MEGABYTE} MB, found a larger file")
    if wide := _WIDE.get(content[:2]):
        raise ValueError(f"expected UTF-8, found {wide}: save the file as UTF-8")
    if (place := content.find(b"\0")) >= 0:
        raise ValueError(f"expected text, found the byte 0x00 at {place} (is this a binary file?)")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"expected UTF-8, found the byte {content[error.start]:#04x} at {error.start}") from None


class Note(NamedTuple):
    """A file that was checked.

    Parameters
    ----------
    name : str
        The file.
    text : str
        What it holds, without a byte-order mark.
    mark : str
        Its byte-order mark, or nothing.
    findings : list of Finding
        Those that no comment silences.
    ignored : int
        How many slips a comment silences or declares.
    refusal : str
        Why it cannot be read; empty where it can.
    is_bug : bool
        Whether that is a bug of this package.
    understood : sequence of Understood
        How its examples were read.
    unread : int
        The line from which nothing was read; 0 where all was.
    left : str
        The same in words; empty where all was read.
    others : sequence of Finding
        The numbers of which nothing says what they are.
    """

    name: str
    text: str = ""
    mark: str = ""
    findings: Sequence[Finding] = ()
    ignored: int = 0
    refusal: str = ""
    is_bug: bool = False
    understood: Sequence[Understood] = ()
    unread: int = 0
    left: str = ""
    others: Sequence[Finding] = ()


def files_in(named: Sequence[str]) -> tuple[list[str], list[Note], int]:
    """The files that are named, those of folders in the order of their names; and what of the folders is not read.

    These are the folders that are refused, and how many files are in one of the formats of `NOT_READ`.
    """
    names: dict[str, None] = {}
    unreadable: dict[str, Note] = {}
    others: set[Path] = set()

    def refuse(error: OSError) -> None:
        unreadable[error.filename] = Note(error.filename, refusal=error.strerror or str(error))

    for name in named:
        if name == STDIN or not os.path.isdir(name):
            names[name] = None
            continue
        inside = sorted(Path(at, file) for at, _, files in os.walk(name, onerror=refuse) for file in files)
        names |= {str(path): None for path in inside if path.suffix.lower() in SUFFIXES and os.path.isfile(path)}
        others |= {path for path in inside if path.suffix.lower() in NOT_READ}
    return [*names], [*unreadable.values()], len(others)


def checked_file(name: str, known: Mapping[str, Any]) -> Note:
    """Check a file; what is known of its ranking and its convention, and the steps, are arguments of `read_note`."""
    try:
        content = content_of(name)
        text = decoded(content)
        note = text.removeprefix(MARK)
        checked = read_note(note, format_of(name), **known)
        inside = checked.findings
        ignored = ignored_lines(note, [each.line for each in inside if each.is_wrong])
    except OSError as error:
        return Note(name, refusal=error.strerror or str(error))
    except (ValueError, RecursionError, MemoryError) as error:
        return Note(name, refusal=str(error) or "there is not enough memory for this file")
    except Exception as error:  # so that the other files are checked
        return Note(name, refusal=as_bug(error), is_bug=True)
    kept = [each for each in inside if not (each.verdict.declared or (each.line in ignored and each.is_wrong))]
    steps = known.get("steps", STEPS)
    left = f"line {checked.unread} and all below it were not read: that takes more than {steps} steps"
    return Note(
        name,
        note,
        text[: len(text) - len(note)],
        kept,
        len(inside) - len(kept),
        understood=checked.understood,
        unread=checked.unread,
        others=checked.others,
        left=left if checked.unread else "",
    )
