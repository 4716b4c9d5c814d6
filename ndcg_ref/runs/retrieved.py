"""The measures that are made of what a run found: which judged documents it retrieved, and at which ranks.

Under averaged ties a document stands at each rank of its tie equally often. Where a measure is a sum over documents,
its mean over all these orders is the sum of the documents' means. `ndcg_ref.conventions.spellings.BY_RANK` names the
others.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ndcg_ref.conventions.spellings import Measure
from ndcg_ref.conventions.validation import finite_sum
from ndcg_ref.runs.rows import sums_by_query

if TYPE_CHECKING:  # numpy.typing takes longer to load than this module
    from typing import TypeAlias

    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]
    Ints: TypeAlias = NDArray[np.int64]
    Bools: TypeAlias = NDArray[np.bool_]


class JudgedDocuments(NamedTuple):
    """The judged documents that some queries retrieved.

    Parameters
    ----------
    owner : numpy.ndarray of int64, shape (m,)
        Query of each document, ascending.
    higher, tied : numpy.ndarray of int64, shape (m,)
        How many documents are before it, and how many share its ranks.
    grade : numpy.ndarray of float64, shape (m,)
        Its grade, as the convention reads it.
    sizes : numpy.ndarray of int64, shape (q,)
        How many documents each query ranks.
    relevant : numpy.ndarray of int64, shape (q,)
        How many relevant documents each query has, retrieved or not.

    Examples
    --------
    One query retrieved a relevant document at rank 2, and another relevant one not at all:

    >>> found = JudgedDocuments(*(np.array([number]) for number in (0, 1, 1, 1.0, 5, 2)))
    >>> VALUES["Recall"](found, Measure("Recall", 10, 1.0, None, "R@10"))
    array([0.5])
    """

    owner: Ints
    higher: Ints
    tied: Ints
    grade: Floats
    sizes: Ints
    relevant: Ints

    def only(self, chosen: Bools | Ints) -> JudgedDocuments:
        """The same queries with some of the documents, by a mask or by their indexes."""
        return self._replace(
            owner=self.owner[chosen], higher=self.higher[chosen], tied=self.tied[chosen], grade=self.grade[chosen]
        )

    def in_order(self) -> JudgedDocuments:
        """The same documents, best rank first in each query."""
        return self.only(np.lexsort((self.higher, self.owner)))

    def starts(self) -> Ints:
        """Where the documents of each query start, and where those of the last query end."""
        return np.searchsorted(self.owner, np.arange(self.sizes.size + 1))

    def sums(self, terms: Floats) -> Floats:
        """For each query, the sum of the terms of its documents."""
        return sums_by_query(terms, self.starts())

    def within(self, cut: Ints | int | None) -> Floats:
        """The chance of each document to stand at one of the ranks up to a cutoff."""
        if cut is None:
            return np.ones(self.owner.size)
        return np.clip(cut - self.higher, 0, self.tied) / self.tied


def _precision(found: JudgedDocuments, measure: Measure) -> Floats:
    assert measure.k is not None  # `parse` asks for a cutoff
    return _number_relevant(found, measure, measure.k) / measure.k


def _recall(found: JudgedDocuments, measure: Measure) -> Floats:
    return _over(_number_relevant(found, measure, measure.k), found.relevant)


def _r_precision(found: JudgedDocuments, measure: Measure) -> Floats:
    return _over(_number_relevant(found, measure, found.relevant[found.owner]), found.relevant)


def _success(found: JudgedDocuments, measure: Measure) -> Floats:
    return (_number_relevant(found, measure, measure.k) > 0).astype(np.float64)


def _judged(found: JudgedDocuments, measure: Measure) -> Floats:
    counted = found.sizes if measure.k is None else np.minimum(found.sizes, measure.k)
    return _over(found.sums(found.within(measure.k)), counted)


def _average_precision(found: JudgedDocuments, measure: Measure) -> Floats:
    ordered, nth = _relevant_in_order(found, measure)
    return _over(ordered.sums(nth / (ordered.higher + 1)), found.relevant)


def _reciprocal_rank(found: JudgedDocuments, measure: Measure) -> Floats:
    ordered, nth = _relevant_in_order(found, measure)
    first = ordered.only(nth == 1)
    return first.sums(1 / (first.higher + 1))


def _expected_reciprocal_rank(found: JudgedDocuments, measure: Measure) -> Floats:
    """A query without a relevant document has no value, as in gdeval."""
    within = found.only(_in_cutoff(found, measure)).in_order()
    stops = np.array([(2.0**grade - 1) / 2.0**measure.parameter for grade in within.grade.tolist()], dtype=float)
    values = []
    for first, last in pairwise(within.starts().tolist()):
        its = stops[first:last]
        comes = np.cumprod(np.append(1.0, 1 - its))[:-1]
        values.append(finite_sum((comes * its / (within.higher[first:last] + 1)).tolist()))
    return np.where(found.relevant > 0, np.array(values), np.nan)


def _rank_biased_precision(found: JudgedDocuments, measure: Measure) -> Floats:
    relevant = found.only(found.grade >= measure.rel)
    p, k = measure.parameter, math.inf if measure.k is None else measure.k
    # Powers of a Python float, as np.power differs in the last bit between processors
    ranks = zip(relevant.higher.tolist(), relevant.tied.tolist(), strict=True)
    shares = [p**before * (1 - p ** max(0, min(tied, k - before))) / tied for before, tied in ranks]
    return relevant.sums(np.array(shares, dtype=float))


VALUES: dict[str, Callable[[JudgedDocuments, Measure], Floats]] = {
    # measure: its value for each query; nan where it has none
    "P": _precision,
    "Recall": _recall,
    "Rprec": _r_precision,
    "Success": _success,
    "Judged": _judged,
    "AP": _average_precision,
    "RR": _reciprocal_rank,
    "ERR": _expected_reciprocal_rank,
    "RBP": _rank_biased_precision,
}


def _number_relevant(found: JudgedDocuments, measure: Measure, cut: Ints | int | None) -> Floats:
    """The number of relevant documents up to a cutoff, which may differ between documents."""
    return found.sums(np.where(found.grade >= measure.rel, found.within(cut), 0.0))


def _in_cutoff(found: JudgedDocuments, measure: Measure) -> Bools:
    return np.ones(found.owner.size, dtype=np.bool_) if measure.k is None else found.higher < measure.k


def _relevant_in_order(found: JudgedDocuments, measure: Measure) -> tuple[JudgedDocuments, Ints]:
    """The relevant documents up to the cutoff, best rank first, and which of its query each is, from 1."""
    ordered = found.only(_in_cutoff(found, measure) & (found.grade >= measure.rel)).in_order()
    return ordered, np.arange(1, ordered.owner.size + 1) - np.searchsorted(ordered.owner, ordered.owner)


def _over(numerator: Floats, denominator: Ints) -> Floats:
    """The quotient, nan over 0."""
    values = np.full(numerator.size, np.nan)
    np.divide(numerator, denominator, out=values, where=denominator > 0)
    return values
