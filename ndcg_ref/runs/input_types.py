"""The types of what judgments and runs may be given as; they are the same for both sides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike
from typing import Any, Literal, Protocol, SupportsFloat, SupportsIndex, TypeAlias


class Frame(Protocol):
    """A data frame of pandas, polars (lazy ones too) or pyarrow."""

    @property
    def columns(self) -> Any:
        """Its columns, or their names."""


Id: TypeAlias = str | SupportsIndex  # a whole number is compared as text
# Query, document, and grade or score; a fourth field must be of a named tuple, as the iteration of ir_measures' Qrel
Row: TypeAlias = tuple[Id, Id, SupportsFloat] | tuple[Id, Id, SupportsFloat, Any]
Given: TypeAlias = Mapping[str, Mapping[str, SupportsFloat]] | Frame | Iterable[Row] | str | PathLike[str]
Form: TypeAlias = Literal["parquet", "path", "mapping", "rows"]  # "path" with an engine is the name of a table
