"""Rankings as arrays: one, checked, with which every formula over arrays begins; or the documents of some queries.

Blocks of queries are the rows of a matrix, and sums are exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ndcg_ref.conventions.validation import as_grade, as_sequence, refusal

if TYPE_CHECKING:
    from numpy.typing import NDArray

Array: TypeAlias = "NDArray[Any]"
Grades: TypeAlias = "Sequence[Any] | Array"
Floats: TypeAlias = "NDArray[np.float64]"
Ints: TypeAlias = "NDArray[np.int64]"
Bools: TypeAlias = "NDArray[np.bool_]"


def as_array(grades: Any, where: str) -> Floats:
    """One ranking as floats, checked.

    >>> as_array([2, True, 0.5], "grades")
    array([2. , 1. , 0.5])
    """
    array = as_numpy(as_sequence(grades, where), where)
    if array.ndim > 1:
        raise ValueError(f"{where}: expected one flat list, got {array.ndim} axes (pass one ranking at a time)")
    if array.ndim == 0 or array.dtype.kind not in "biuf":
        return np.array([as_grade(grade, f"{where}[{i}]") for i, grade in enumerate(grades)], dtype=float)
    with np.errstate(over="ignore"):
        values = array.astype(np.float64)
    if not np.isfinite(values).all():
        i = int(np.flatnonzero(~np.isfinite(values))[0])
        as_grade(array[i], f"{where}[{i}]")
    return values


def as_numpy(values: Any, where: str) -> Array:
    """What numpy makes of the values, or an array of objects where it makes none; an iterator is refused.

    >>> as_numpy([[1, 2], [3]], "grades").dtype
    dtype('O')
    """
    if iter(values) is values:
        raise TypeError(
            f"{where}: expected a sequence, got an iterator that can be read only once (use list(...) first)"
        )
    try:
        return np.asarray(values)
    except (OverflowError, TypeError, ValueError):  # lists of unequal length, or an int too large for a float
        return np.empty(0, dtype=object)


def on_scale(grades: Any, highest: float) -> Floats:
    """One ranking as floats, each of them from 0 to the highest grade of a scale.

    >>> on_scale([2, 0], 4)
    array([2., 0.])
    """
    values = as_array(grades, "grades")
    outside = (values < 0) | (values > highest)
    if outside.any():
        i = int(np.flatnonzero(outside)[0])
        raise refusal("grade off its scale", f"grades[{i}]", grade=values[i], highest=highest)
    return values


CELLS = 2**20  # scores in a block: 8 MB


@dataclass(frozen=True, kw_only=True)
class Batch:
    """Some queries that are judged and retrieved, as arrays, from a file, a mapping, a frame or arrays."""

    queries: Sequence[str] = ()  # their ids, if they have any
    judged: Sequence[Mapping[str, Any]] = ()  # document to grade, for each query; empty where documents have no ids
    grades: Floats  # of every judged document, query after query; finite
    grade_starts: Ints  # where those of each query start, and where those of the last query end
    scores: Floats  # of every retrieved document, query after query, in input order; finite
    starts: Ints  # the same for them
    owner: Ints  # the query of each judged document that was retrieved, ascending
    score: Floats  # its score
    grade: Floats  # its grade
    # The ids of all documents of a query, in input order, or of the judged ones, as `score` has them; for ties
    ids: Callable[[int], Sequence[Any]] | None = None
    judged_ids: Callable[[int], Sequence[Any]] | None = None
    extra: Sequence[str] = ()  # queries that no one judged, and that were passed over on the way to these
    only_trec_eval: int = 0  # lines that were read as only trec_eval reads them
    single: Batch | None = None  # the same by scores in single precision, where an engine has compared them


def blocks(starts: Ints) -> Iterator[tuple[int, int]]:
    """Ranges of consecutive queries to process together: the first query, and the one after the last.

    >>> list(blocks(np.array([0, 800_000, 1_200_000, 1_200_000])))
    [(0, 1), (1, 3)]
    >>> list(blocks(np.arange(6) * 400_000))
    [(0, 2), (2, 4), (4, 5)]
    """
    lengths = np.diff(starts)
    if lengths.size * lengths.max(initial=0) <= CELLS:
        yield 0, lengths.size
        return
    if (lengths == lengths[0]).all():
        many = max(1, CELLS // int(lengths[0]))
        yield from ((first, min(first + many, lengths.size)) for first in range(0, lengths.size, many))
        return
    first = longest = 0
    for query, length in enumerate(lengths.tolist()):
        longest = max(longest, length)
        if (query + 1 - first) * longest > CELLS and query > first:
            yield first, query
            first, longest = query, length
    yield first, lengths.size


def as_rows(values: Floats, starts: Ints, filling: float) -> Floats:
    """The values of each query of a block as a row, filled up at its end.

    >>> as_rows(np.array([1.0, 2.0, 3.0]), np.array([0, 2, 3]), 0.0).tolist()
    [[1.0, 2.0], [3.0, 0.0]]
    """
    values, lengths = values[starts[0] : starts[-1]], np.diff(starts)
    width = int(lengths.max(initial=0))
    if values.size == lengths.size * width:
        return values.reshape(lengths.size, width)
    matrix = np.full((lengths.size, width), filling)
    matrix[np.arange(width) < lengths[:, None]] = values
    return matrix


def sums_by_query(terms: Floats, starts: Ints) -> Floats:
    """Sum of the terms of each query, which start at these places; not finite if one is beyond the range of a float.

    >>> sums_by_query(np.array([1e17, 1, -1e17, 5]), np.array([0, 3, 3, 4]))
    array([1., 0., 5.])
    """
    sums = np.zeros(starts.size - 1)
    for first, last in blocks(starts):
        rows = as_rows(terms, starts[first : last + 1], 0.0)
        if rows.shape[1]:
            with np.errstate(over="ignore", invalid="ignore"):
                running = np.cumsum(rows, axis=1)
                sums[first:last] = running[:, -1] + left_over(rows, running).sum(axis=1)
    return sums


def left_over(terms: Floats, sums: Floats) -> Floats:
    """The exact rounding error of each running sum but the first (Knuth's sum of two floats)."""
    earlier, later = sums[..., :-1], sums[..., 1:]
    added = later - earlier
    return (earlier - (later - added)) + (terms[..., 1:] - added)
