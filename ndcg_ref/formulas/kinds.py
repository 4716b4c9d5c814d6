"""Which kinds of input, that presets exclude, a query has: one function for each kind, in plain Python.

`ndcg_ref.runs.values` checks the same kinds over arrays, and `ndcg_ref.runs.tallies` counts those of a whole run.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import groupby

from ndcg_ref.conventions.convention import Convention, as_float32
from ndcg_ref.conventions.presets import ABOVE, LONG, Excluded, Preset
from ndcg_ref.formulas import plain
from ndcg_ref.formulas.measured_ranking import Ranking


def found_in(query: Ranking, preset: Preset, cutoffs: Iterable[int | None], measure: str = "nDCG") -> Excluded:
    """The excluded kinds that a query has, at any of the cutoffs.

    >>> from ndcg_ref.conventions.presets import ABOUT
    >>> found_in(Ranking([1]), ABOUT["scikit-learn-1.9.1"], [None])
    Excluded(kinds={'one': 1}, not_looked_for=(), measures=())
    """
    convention, ks = preset.convention_of(measure), list(cutoffs)
    unseen = BY_SCORES if query.scores is None else ()
    kinds = [kind for kind in preset.excluded if kind in IS_OF and kind not in unseen]
    found = {kind: 1 for kind in kinds if any(IS_OF[kind](query, convention, k) for k in ks)}
    if "empty" in preset.excluded and not query.grades:
        found["empty"] = 1
    covered = measure.casefold() in map(str.casefold, preset.measures)
    return Excluded(found, tuple(kind for kind in preset.excluded if kind in unseen), () if covered else (measure,))


def seen(query: Ranking, convention: Convention) -> Sequence[float]:
    """The grades that a library sees: those of the retrieved documents, or all judged ones.

    >>> list(seen(Ranking([2, None], judged=[2, 3]), Convention(ideal="ranked")))
    [2, 0.0]
    """
    return [grade or 0.0 for grade in query.grades] if convention.ideal == "ranked" else query.pool


def _ties(query: Ranking, convention: Convention, k: int | None) -> bool:
    """Whether documents with different grades share a score, one of them within the cutoff."""
    scores = query.scores or []
    compared = [as_float32(score) for score in scores] if convention.scores == "float32" else scores
    graded = sorted(zip(compared, [grade or 0.0 for grade in query.grades], strict=True), reverse=True)
    ranked = 0
    for _, tied in groupby(graded, key=lambda pair: pair[0]):
        grades = [grade for _, grade in tied]
        if len(set(grades)) > 1:
            return True
        ranked += len(grades)
        if k is not None and ranked >= k:
            break
    return False


def _negative_ideal(query: Ranking, convention: Convention, k: int | None) -> bool:
    grades = seen(query, convention)
    return min(grades, default=0.0) < 0 and plain.idcg(grades, k, convention) < 0


def _cancelling(query: Ranking, convention: Convention, k: int | None) -> bool:
    grades = seen(query, convention)
    return any(grades) and math.fsum(grades) == 0


def _above(query: Ranking, convention: Convention, k: int | None, most: float) -> bool:
    return max(seen(query, convention), default=0.0) > most


IS_OF: Mapping[str, Callable[[Ranking, Convention, int | None], bool]] = {
    # kind: whether a query has it, under a convention, at a cutoff
    "one": lambda query, *_: len(query.grades) == 1,
    "ties": _ties,
    "long ties": lambda query, *rule: len(query.grades) > LONG and _ties(query, *rule),
    "all negative": lambda query, *_: max(query.pool, default=0.0) < 0,
    "negative ideal": _negative_ideal,
    "cancelling": _cancelling,
    "below 1": lambda query, convention, _: any(0 < grade < 1 for grade in seen(query, convention)),
    **{kind: partial(_above, most=most) for kind, most in ABOVE.items()},
}
BY_SCORES = ("ties", "long ties")  # which cannot be seen without scores
