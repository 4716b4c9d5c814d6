"""Which paths are those of Parquet files: by their ending, by their content, or by the files that a pattern matches."""

from __future__ import annotations

import os
from glob import escape, glob, has_magic
from typing import Any

ENDING = ".parquet"
IN_FOLDER = f"**/*{ENDING}"  # also in the folders that it is divided into
MAGIC = b"PAR1"  # how a Parquet file begins, and ends


def is_parquet(given: str | os.PathLike[Any]) -> bool:
    """Whether a path is that of a Parquet file, or of several: a pattern, or a folder whose name has the ending.

    >>> is_parquet("run-*.parquet"), is_parquet("run.txt")
    (True, False)
    """
    path = os.fspath(given)
    if not isinstance(path, str):
        return False
    return path.endswith(ENDING) or any(_begins_so(each) for each in paths_of(path)[:1])


def paths_of(path: str) -> list[str]:
    """The files that a path or a pattern means, or a folder whose name has the ending; none if there is none.

    >>> paths_of("no-such-*.parquet")
    []
    """
    if os.path.isdir(path) and path.endswith(ENDING):
        return sorted(glob(os.path.join(escape(path), IN_FOLDER), recursive=True))
    if os.path.isfile(path):
        return [path]
    return sorted(each for each in glob(path, recursive=True) if os.path.isfile(each)) if has_magic(path) else []


def _begins_so(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:  # said where it is read
        return False
