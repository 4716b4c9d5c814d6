"""The bytes of a file, decompressed, from a path or the standard input."""

from __future__ import annotations

import io
import os
import re
import sys
import zlib
from typing import TYPE_CHECKING, Any, BinaryIO

from ndcg_ref.conventions.validation import shortened
from ndcg_ref.runs.packed import unpacked

if TYPE_CHECKING:
    from typing import TypeAlias

    Path: TypeAlias = str | os.PathLike[str]

BLOCK = 2**19  # bytes of a run that are read at a time, so that the arrays made of them stay in the cache
LONGEST_BEGINNING = 2**16  # bytes in which the first line that counts shows the format of a file
LARGEST_WHOLE = 2**30  # bytes of a file that is in memory as a whole, decompressed: a small one could fill any memory
LONGEST_GAP = 2**22  # bytes of blank lines and comments in a row
FIRST_LINE = rb"(?:^|\n)(?:\xef\xbb\xbf)?[ \t\r\f\v]*([^#\s\xef\xbb\xbf][^\n]*)\n"  # whole, that counts
LINE_THAT_COUNTS = rb"\n[ \t\r\f\v]*[^#\s]"  # how it begins


class TrecError(ValueError):
    """A file cannot be read; the message has its name, and the line if there is one."""


class Source(io.RawIOBase):
    """The bytes of a file, decompressed; every problem with it is raised as a TrecError."""

    def __init__(self, path: Path, keep: bool = False) -> None:
        self.name = "<stdin>" if path == "-" else shortened(os.fspath(path))
        self._opened: BinaryIO | None = None
        self._kept: BinaryIO | None = None
        self._again = False
        self._beginning = b""  # what was read to see the format, and is read again
        self._in_lines = True
        self._gap = 0  # bytes without the beginning of a line that counts
        try:
            packed: Any = getattr(sys.stdin, "buffer", None) if path == "-" else open(path, "rb")  # noqa: SIM115 - closed with this
            if packed is None:
                raise TrecError(f"{self.name}: expected a file that can be read, found it closed")
            self._opened = None if path == "-" else packed
            self._packed = packed
            self._start = packed.tell() if packed.seekable() else 0  # stdin may have been read in part before
            self._compression, self._file = unpacked(packed)
            if keep and not packed.seekable():
                import tempfile

                self._kept = tempfile.TemporaryFile()  # noqa: SIM115 - closed with this
        except FileNotFoundError:
            raise TrecError(f"{self.name}: expected a file, found none (is the path right?)") from None
        except IsADirectoryError:
            raise TrecError(f"{self.name}: expected a file, found a folder") from None
        except OSError as error:
            found = error.strerror or error  # str(error) repeats the path
            raise TrecError(f"{self.name}: expected a file that can be read, found: {found}") from None

    def readable(self) -> bool:
        """Whether it can be read, as `io` asks."""
        return True

    def readinto(self, target: Any) -> int:
        """Read some bytes into a buffer; 0 at the end."""
        if self._beginning:
            count = min(len(self._beginning), len(target))
            target[:count], self._beginning = self._beginning[:count], self._beginning[count:]
            return count if count == len(target) else count + self._read_on(memoryview(target)[count:])
        return self._read_on(target)

    def _read_on(self, target: Any) -> int:
        """Read bytes that no one has read yet, or all from the beginning."""
        if self._again and self._kept:
            count: int = self._kept.readinto(target)  # type: ignore[attr-defined]
            if count:
                return count
            self._again = False
        try:
            count = self._file.readinto(target)
        except EOFError:
            raise TrecError(
                f"{self.name}: expected a whole {self._compression} file, found it cut short (was it copied in full?)"
            ) from None
        except (OSError, zlib.error) as error:
            raise TrecError(f"{self.name}: expected a file that can be read, found it damaged: {error}") from None
        read = memoryview(target)[:count]
        self._gap = 0 if not self._in_lines or re.search(LINE_THAT_COUNTS, read) else self._gap + count
        if self._gap > LONGEST_GAP:
            raise TrecError(
                f"{self.name}: expected at most {LONGEST_GAP:,} bytes of blank lines and comments in a row, "
                "got more (is it without an end?)"
            )
        if self._kept:
            self._kept.write(read)
        return count

    def beginning(self) -> bytes:
        """The file up to the end of its first line that counts, at least; what is read next begins there as well."""
        while len(self._beginning) < LONGEST_BEGINNING and not re.search(FIRST_LINE, self._beginning):
            some = bytearray(LONGEST_BEGINNING - len(self._beginning))
            count = self._read_on(some)
            if not count:
                break
            self._beginning += some[:count]
        return self._beginning

    def whole(self) -> bytes:
        """All that was not read yet, which may be a single line."""
        self._in_lines = False
        content = bytearray()
        while block := self.read(BLOCK):
            content += block
            if len(content) > LARGEST_WHOLE:
                raise TrecError(
                    f"{self.name}: expected at most {LARGEST_WHOLE:,} bytes of JSON, got more "
                    "(JSON lines and TREC's format may have any length)"
                )
        return bytes(content)

    def rewind(self) -> None:
        """Start again from the beginning."""
        self._beginning = b""
        if self._kept:
            self._kept.seek(0)
            self._again = True
        else:
            self._packed.seek(self._start)
            self._compression, self._file = unpacked(self._packed)

    def close(self) -> None:
        """Close the files opened here."""
        if not self.closed:
            super().close()
            for file in (self._opened, self._kept):
                if file:
                    file.close()
