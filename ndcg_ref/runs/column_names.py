"""Which columns of a table have queries, documents, and grades or scores, in files, data frames and tuples alike."""

from __future__ import annotations

import math
import numbers
from collections.abc import Sequence
from typing import Any

from ndcg_ref.conventions.validation import EMPTY, quoted, shortened

# How libraries name the columns of qrels and runs; the first that is there is taken
COLUMNS = {
    "query": ("query_id", "query-id", "qid", "q_id", "query"),
    "document": ("doc_id", "corpus-id", "docno", "docid", "document"),
    "grade": ("relevance", "rel", "label", "grade"),
    "score": ("score",),
}
OF_BEIR = {"query-id", "corpus-id"}  # BEIR and MTEB, which use these names, call a grade "score" as well
OTHER_SIDE = {"grade": ("score", "is it a run?"), "score": ("grade", "are these qrels?")}


def columns_of(names: Sequence[str], value: str, where: str) -> tuple[str, str, str]:
    """The columns of query, document and value.

    Parameters
    ----------
    names : sequence of str
        The names of all columns.
    value : {"grade", "score"}
        What the third column has.
    where : str
        The place to name, such as ``run``.

    Returns
    -------
    tuple of str
        The names of the three columns.

    Raises
    ------
    ValueError
        If one of them is missing, or there twice.

    Examples
    --------
    >>> columns_of(["query-id", "corpus-id", "score"], "grade", "qrels")
    ('query-id', 'corpus-id', 'score')
    >>> columns_of(["qid", "docno", "score"], "grade", "qrels")
    Traceback (most recent call last):
        ...
    ValueError: qrels: expected a column relevance or rel or label or grade, got qid, docno, score (is it a run?)
    """
    query, document = (_chosen(names, COLUMNS[kind], where) for kind in ("query", "document"))
    known = COLUMNS[value]
    if OF_BEIR.issuperset((query, document)):
        known = tuple(dict.fromkeys((*known, *COLUMNS["score"])))
    other, slip = OTHER_SIDE[value]
    slip = "" if set(names).isdisjoint(COLUMNS[other]) else f" ({slip})"
    return query, document, _chosen(names, known, where, slip)


def _chosen(names: Sequence[str], known: Sequence[str], where: str, slip: str = "") -> str:
    """The first of the known names that a column has."""
    chosen = next((name for name in known if name in names), None)
    if chosen is None:
        found = shortened(", ".join(names)) or "none"
        raise ValueError(f"{where}: expected a column {' or '.join(known)}, got {found}{slip}")
    if names.count(chosen) > 1:
        raise ValueError(f"{where}: expected one column {chosen}, got {names.count(chosen)}")
    return chosen


def as_id(value: Any, where: str) -> str:
    """The id of a query or a document as text; anything but text and whole numbers is refused, and so is empty text.

    >>> as_id(7, "run: row 0: qid")
    '7'
    >>> as_id(7.0, "run: row 0: qid")
    Traceback (most recent call last):
        ...
    TypeError: run: row 0: qid: expected text or a whole number, got 7.0 (missing values turn whole numbers into these)
    """
    if isinstance(value, str):
        if not value:
            raise ValueError(f"{where}: expected an id, got {EMPTY}")
        return str(value)
    is_number = isinstance(value, numbers.Real) and value is not True and value is not False
    if is_number and isinstance(value, numbers.Integral):
        return str(int(value))
    slip = ""
    if is_missing(value):
        slip = " (a missing value?)"
    elif is_number:
        slip = " (missing values turn whole numbers into these)"
    raise TypeError(f"{where}: expected text or a whole number, got {quoted(value)}{slip}")


def is_missing(value: Any) -> bool:
    """Whether a data frame has this where a value is missing: None, NaN, or the NA of pandas."""
    return value is None or type(value).__name__ == "NAType" or (isinstance(value, float) and math.isnan(value))
