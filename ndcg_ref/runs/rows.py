"""Numbers of many queries as the rows of a matrix, in blocks that fit a cache, and their sums."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:  # numpy.typing takes longer to load than this module
    from typing import TypeAlias

    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]
    Ints: TypeAlias = NDArray[np.int64]

CELLS = 2**20  # scores in a block: 8 MB


def blocks(starts: Ints) -> Iterator[tuple[int, int]]:
    """Ranges of consecutive queries to process together: the first query, and the one after the last.

    >>> list(blocks(np.array([0, 800_000, 1_200_000, 1_200_000])))
    [(0, 1), (1, 3)]
    """
    lengths = np.diff(starts)
    if lengths.size * lengths.max(initial=0) <= CELLS:
        yield 0, lengths.size
        return
    first = longest = 0
    for query, length in enumerate(lengths.tolist()):
        longest = max(longest, length)
        if (query + 1 - first) * longest > CELLS and query > first:
            yield first, query
            first, longest = query, length
    yield first, lengths.size


def padded(values: Floats, starts: Ints, filling: float) -> Floats:
    """The values of each query as a row, padded at its end."""
    lengths = np.diff(starts)
    width = int(lengths.max(initial=0))
    if values.size == lengths.size * width:
        return values.reshape(lengths.size, width)
    matrix = np.full((lengths.size, width), filling)
    matrix[np.arange(width) < lengths[:, None]] = values
    return matrix


def sums_by_query(terms: Floats, starts: Ints) -> Floats:
    """Sum of the terms of each query, as exact as in twice the precision, so that their order does not matter.

    Parameters
    ----------
    terms : numpy.ndarray of float64, shape (m,)
        The terms, query after query.
    starts : numpy.ndarray of int64, shape (q + 1,)
        Where those of each query start, and where those of the last query end.

    Returns
    -------
    numpy.ndarray of float64, shape (q,)
        The sums; 0.0 for a query without terms, not finite if a sum is beyond the range of a float.

    Examples
    --------
    >>> sums_by_query(np.array([1e17, 1, -1e17, 5]), np.array([0, 3, 3, 4]))
    array([1., 0., 5.])
    """
    sums = np.zeros(starts.size - 1)
    for first, last in blocks(starts):
        rows = starts[first : last + 1]
        matrix = padded(terms[rows[0] : rows[-1]], rows - rows[0], 0.0)
        if matrix.shape[1]:
            with np.errstate(over="ignore", invalid="ignore"):
                running = np.cumsum(matrix, axis=1)
                sums[first:last] = running[:, -1] + left_over(matrix, running).sum(axis=1)
    return sums


def left_over(terms: Floats, sums: Floats) -> Floats:
    """The exact rounding error of each running sum but the first (Knuth's sum of two floats)."""
    earlier, later = sums[..., :-1], sums[..., 1:]
    added = later - earlier
    return (earlier - (later - added)) + (terms[..., 1:] - added)
