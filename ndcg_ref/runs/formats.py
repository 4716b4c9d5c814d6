"""Which format a file of judgments or of a run has; its first line that counts shows it.

- TSV or CSV has a header row with names of `ndcg_ref.runs.column_names`;
- JSON lines have an object with such keys for each document;
- JSON has one object of objects, query to document to grade or score.

`ndcg_ref.runs.tabular` reads these. Everything else is taken for TREC's, which `ndcg_ref.runs.trec` reads.
"""

from __future__ import annotations

import re

from ndcg_ref.runs.column_names import COLUMNS
from ndcg_ref.runs.text_lines import BYTE_ORDER_MARK

SEPARATORS = {"tsv": "\t", "csv": ","}
OBJECT = rb'(?:\xef\xbb\xbf)?\s*\{\s*(?:["}]|$)'  # anything else is not JSON, and may have no end
SCALAR_FIRST = rb'\{\s*"(?:[^"\\]|\\.)*"\s*:\s*[^\s{\[]'  # an object whose first value is neither object nor list
NAMES_OF = {kind: frozenset(names) for kind, names in COLUMNS.items()}
NUMBER = r"[-+]?[0-9]*\.?[0-9]+(?:[eE][-+]?[0-9]+)?"


def format_of(beginning: bytes) -> str:
    r"""The format of a file that begins so: "trec", "tsv", "csv", "jsonl" or "json".

    >>> format_of(b"query-id\tcorpus-id\tscore\nq1\td1\t1\n"), format_of(b"q1 0 d1 1\n")
    ('tsv', 'trec')
    >>> format_of(b'{"q1": {"d1": 2}}'), format_of(b'{"query-id": "q1", "corpus-id": "d1", "score": 1}')
    ('json', 'jsonl')
    """
    line = _first_that_counts(beginning)
    if re.match(OBJECT, beginning):
        return "jsonl" if re.match(SCALAR_FIRST, line) else "json"
    for name, separator in SEPARATORS.items():
        if _is_header([field.strip(' "') for field in line.decode(errors="replace").split(separator)]):
            return name
    return "trec"


def _first_that_counts(beginning: bytes) -> bytes:
    """The first line that is neither blank nor a comment."""
    for line in beginning.removeprefix(BYTE_ORDER_MARK).split(b"\n"):
        stripped = line.strip()
        if stripped and not stripped.startswith(b"#"):
            return stripped
    return b""


def _is_header(fields: list[str]) -> bool:
    """Whether some fields are names of columns: they are for query and document, and none is a number."""
    named = [not NAMES_OF[kind].isdisjoint(fields) for kind in ("query", "document")]
    return all(named) and not any(re.fullmatch(NUMBER, field) for field in fields)
