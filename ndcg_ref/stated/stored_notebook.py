"""Read a notebook: what its cells have as source and as stored outputs, and what it says of itself in its metadata."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ndcg_ref.conventions.validation import quoted

if TYPE_CHECKING:
    from pathlib import Path

ROLES = ("note", "lesson")


class NotebookError(ValueError):
    """A text that is no notebook; `content` says in three words what it is instead."""

    def __init__(self, error: Exception, content: str) -> None:
        super().__init__(str(error))
        self.content = content


@dataclass(frozen=True)
class NotebookCell:
    """A cell of a notebook."""

    kind: str  # "markdown", "code" or "raw"
    source: str
    metadata: Mapping[str, Any]
    outputs: tuple[Mapping[str, Any], ...] = ()  # what a cell with code has stored

    @property
    def data(self) -> list[Mapping[str, Any]]:
        """Each output by MIME type; what was printed has none."""
        return [output.get("data", {}) for output in self.outputs]

    @property
    def printed(self) -> str:
        """What the cell shows as plain text."""
        texts = (output.get("text", output.get("data", {}).get("text/plain", "")) for output in self.outputs)
        return "".join(map("".join, texts))


@dataclass(frozen=True)
class Notebook:
    """The cells of a notebook, and what its metadata say."""

    cells: tuple[NotebookCell, ...]
    metadata: Mapping[str, Any]

    @property
    def own(self) -> Mapping[str, Any]:
        """What the metadata say to `ndcg_ref`."""
        found: Mapping[str, Any] = self.metadata.get("ndcg_ref", {})
        return found

    @property
    def role(self) -> str:
        """What a notebook is for: "note", or "lesson" where its verdicts are not counted.

        Raises
        ------
        ValueError
            If the metadata name another one.
        """
        role: str = self.own.get("role", "note")
        if role not in ROLES:
            raise ValueError(f"expected the role {' or '.join(map(repr, ROLES))}, got {quoted(role)}")
        return role

    @property
    def notes(self) -> tuple[str, ...]:
        """The notes that have a section each, by the labels of these; none where the notebook is one note itself."""
        return tuple(self.own.get("notes", ()))

    @property
    def text(self) -> str:
        """The Markdown of all cells."""
        return "\n".join(cell.source for cell in self.cells if cell.kind == "markdown")

    @property
    def code(self) -> list[NotebookCell]:
        """The cells with code."""
        return [cell for cell in self.cells if cell.kind == "code"]


def beside(chapter: str, note: str) -> str:
    """The place of a note that has a section of a chapter, as if it were a chapter in the same folder.

    >>> beside("notes/two-of-them", "first"), beside("two-of-them", "first")
    ('notes/first', 'first')
    """
    folder, slash, _ = chapter.rpartition("/")
    return f"{folder}{slash}{note}"


def notebook_of(text: str) -> Notebook:
    """Read the text of a notebook; NotebookError if this is no JSON, or JSON of another structure.

    >>> book = notebook_of('{"metadata": {"ndcg_ref": {"role": "lesson"}}, "cells": [{"source": ["# A", " title"]}]}')
    >>> book.role, book.cells[0].source
    ('lesson', '# A title')
    """
    try:
        stored = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotebookError(error, "no JSON") from None
    try:
        cells = tuple(
            NotebookCell(
                kind=cell.get("cell_type", ""),
                source="".join(cell.get("source", "")),
                metadata=_mapping(cell.get("metadata", {})),
                outputs=tuple(map(_mapping, cell.get("outputs", ()))),
            )
            for cell in stored["cells"]
        )
        metadata = _mapping(stored.get("metadata", {}))
        _mapping(metadata.get("ndcg_ref", {}))
    except (KeyError, TypeError, AttributeError) as error:
        raise NotebookError(error, "JSON of another structure") from None
    return Notebook(cells, metadata)


def _mapping(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise TypeError(f"expected an object, got {quoted(value)}")
    return value


def read_notebook(path: Path) -> Notebook:
    """Read a notebook from its file."""
    return notebook_of(path.read_text(encoding="utf-8"))
