"""What a compressed file contains: gzip, bzip2, xz and zstd, recognised by their first bytes."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from importlib import import_module
from typing import Any

PIECE = 2**16  # compressed bytes that are read at a time
GZIP = rb"\x1f\x8b"
BZIP2 = rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)"  # a block, or the end of an empty file
XZ = rb"\xfd7zXZ\x00"
ZSTD = rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18"  # a frame, or one to be skipped
READS_ZSTD = ("compression.zstd", "backports.zstd")  # Python's own from 3.14 on, and the same for earlier ones


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


def unpacked(packed: Any) -> tuple[str, Any]:
    """The compression of a file, empty for none, and its contents."""
    sign = packed.peek()
    if re.match(GZIP, sign):
        import gzip

        return "gzip", gzip.GzipFile(fileobj=packed)
    if re.match(BZIP2, sign):
        import bz2

        return "bzip2", Unpacked(packed, bz2.BZ2Decompressor)
    if re.match(XZ, sign):
        import lzma

        return "xz", Unpacked(packed, lzma.LZMADecompressor)
    if re.match(ZSTD, sign):
        return "zstd", Unpacked(packed, _zstd().ZstdDecompressor)
    return "", packed


def _zstd() -> Any:
    """The module that reads zstd."""
    for name in READS_ZSTD:
        try:
            return import_module(name)
        except ImportError:
            continue
    raise OSError("zstd, which Python reads from 3.14 on (pip install 'ndcg-ref[zstd]' for earlier ones)")
