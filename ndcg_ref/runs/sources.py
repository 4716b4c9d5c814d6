"""Files: the bytes of one, decompressed, from a path or the standard input; and which paths are those of Parquet files.

Compression by gzip, bzip2, xz and zstd is recognized by the first bytes.
"""

import io
import os
import re
import sys
import zlib
from collections.abc import Callable
from glob import escape, glob, has_magic, iglob
from importlib import import_module
from typing import Any, BinaryIO, Literal, TypeAlias

from ndcg_ref.conventions.validation import shortened

Path: TypeAlias = str | os.PathLike[str]
Form: TypeAlias = Literal["table", "parquet", "path", "mapping", "rows"]  # how judgments or a run are given

BLOCK = 2**21  # bytes of a run that are read at a time: more would take memory, and fewer the time of more steps
LONGEST_BEGINNING = 2**16  # bytes in which the first line that counts shows the format of a file
LARGEST_WHOLE = 2**30  # bytes of a file that is in memory as a whole, decompressed: a small one could fill any memory
LONGEST_FIELD = 4096  # bytes
FIRST_LINE = rb"(?:^|\n)(?:\xef\xbb\xbf)?[ \t\r\f\v]*([^#\s\xef\xbb\xbf][^\n]*)\n"  # whole, that counts
PIECE = 2**16  # compressed bytes that are read at a time
READS_ZSTD = ("compression.zstd", "backports.zstd")  # Python's own from 3.14 on, and the same for earlier ones
PARQUET = ".parquet"  # how the name of a Parquet file ends
IN_FOLDER = f"**/*{PARQUET}"  # also in the folders that it is divided into
PARTS = (f"*{PARQUET}", f"*=*/**/*{PARQUET}")  # what a folder of another name has if it is one run
MAGIC = b"PAR1"  # how a Parquet file begins, and ends


class TrecError(ValueError):
    """A file cannot be read; the message has its name, and the line if there is one."""


class QueriesApartError(Exception):
    """The rows of a query are not together, so that none read at once are whole queries: read the run in order."""


class Source(io.RawIOBase):
    """The bytes of a file, decompressed; every problem with it is raised as a TrecError."""

    def __init__(self, path: Path, keep: bool = False) -> None:
        self.name = "<stdin>" if path == "-" else shortened(os.fspath(path))
        self._opened: BinaryIO | None = None
        self._kept: BinaryIO | None = None
        self._again = False
        self._beginning = b""  # what was read to see the format, and is read again
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
        if self._kept:
            self._kept.write(memoryview(target)[:count])
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


class Unpacked(io.RawIOBase):
    """The contents of a file in one or more compressed parts; a damaged one raises OSError, one cut short EOFError.

    The readers of Python's `bz2` and `lzma` take a damaged second part for the end of the file, in silence.
    """

    def __init__(self, packed: Any, decompressor: Callable[[], Any]) -> None:
        self._packed, self._decompressor = packed, decompressor
        self._part: Any = None
        self._data = b""  # compressed bytes that are not processed yet

    def readable(self) -> bool:
        """Whether it can be read, as `io` asks."""
        return True

    def readinto(self, target: Any) -> int:
        """Decompress some bytes into a buffer; 0 at the end."""
        made = b""
        while not made and self._has_more():
            try:
                made = self._part.decompress(self._data, len(target))
            except Exception as error:  # each decompressor has an error of its own
                raise OSError(str(error)) from None
            self._data = b""
            if self._part.eof:
                self._data, self._part = self._part.unused_data, None
        target[: len(made)] = made
        return len(made)

    def _has_more(self) -> bool:
        """Whether there is something to decompress; compressed bytes are read where they are needed."""
        if self._part is not None and not self._part.needs_input:
            return True
        self._data = self._data or self._packed.read(PIECE)
        if self._part is None:
            self._data = self._data.lstrip(b"\0")  # xz may be padded between its parts
            while not self._data and (some := self._packed.read(PIECE)):
                self._data = some.lstrip(b"\0")
            self._part = self._decompressor() if self._data else None
        elif not self._data:
            raise EOFError
        return bool(self._data)


def _zstd() -> Any:
    for name in READS_ZSTD:
        try:
            return import_module(name)
        except ImportError:
            continue
    raise OSError("zstd, which Python reads from 3.14 on (pip install 'ndcg-ref[zstd]' for earlier ones)")


COMPRESSIONS: dict[str, tuple[bytes, Callable[[Any], Any]]] = {
    # name: how such a file begins, and its contents
    "gzip": (rb"\x1f\x8b", lambda data: import_module("gzip").GzipFile(fileobj=data)),
    # A block, or the end of an empty file
    "bzip2": (rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)", lambda data: Unpacked(data, import_module("bz2").BZ2Decompressor)),
    "xz": (rb"\xfd7zXZ\x00", lambda data: Unpacked(data, import_module("lzma").LZMADecompressor)),
    # A frame, or one to be skipped
    "zstd": (rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18", lambda data: Unpacked(data, _zstd().ZstdDecompressor)),
}


def unpacked(packed: Any) -> tuple[str, Any]:
    """The compression of a file, empty for none, and its contents."""
    sign = packed.peek()
    for name, (begins, contents) in COMPRESSIONS.items():
        if re.match(begins, sign):
            return name, contents(packed)
    return "", packed


def is_parquet(path_like: str | os.PathLike[Any]) -> bool:
    """Whether a path is that of a Parquet file, or of several: a pattern, or a folder that has such files.

    >>> is_parquet("run-*.parquet"), is_parquet("run.txt")
    (True, False)
    """
    path = os.fspath(path_like)
    return isinstance(path, str) and (path.endswith(PARQUET) or any(map(_begins_so, paths_of(path)[:1])))


def paths_of(path: str) -> list[str]:
    """The files that a path, a pattern or a folder means; none if there is none.

    A folder of another name than ``run.parquet`` is taken if it has Parquet files, or partitions that have some.

    >>> paths_of("no-such-*.parquet")
    []
    """
    if os.path.isdir(path):
        is_run = path.endswith(PARQUET) or any(any(iglob(_within(path, part), recursive=True)) for part in PARTS)
        return sorted(glob(_within(path, IN_FOLDER), recursive=True)) if is_run else []
    if os.path.isfile(path):
        return [path]
    return sorted(each for each in glob(path, recursive=True) if os.path.isfile(each)) if has_magic(path) else []


def _within(folder: str, pattern: str) -> str:
    return os.path.join(escape(folder), pattern)


def _begins_so(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:  # said where it is read
        return False
