"""One ranking as an array of floats, checked: what every formula over arrays begins with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ndcg_ref.conventions.validation import as_grade, as_sequence, refusal

if TYPE_CHECKING:  # takes longer to load than this module
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
    as_sequence(grades, where)
    if iter(grades) is grades:
        raise TypeError(
            f"{where}: expected a sequence, got an iterator that can be read only once (use list(...) first)"
        )
    try:
        array = np.asarray(grades)
    except (OverflowError, TypeError, ValueError):  # lists of unequal length, or an int too large for a float
        array = np.empty(0, dtype=object)
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
