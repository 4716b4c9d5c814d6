"""One ranking with all that its measures need, as one frozen value; and those measures by their names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, fields, replace
from typing import Any

from ndcg_ref.conventions.convention import STANDARD, Convention, as_convention, ideal_cutoff
from ndcg_ref.formulas import plain


@dataclass(frozen=True, repr=False)
class Ranking:
    """A ranking, the judged grades of its query, a cutoff, and the convention under which it is measured.

    Nothing is checked here: a measure refuses what its formula refuses.

    >>> ranking = Ranking([2, 0, 1], k=2)
    >>> ranking.called("DCG"), ranking.value("DCG"), ranking.summed("IDCG").grades
    ('DCG@2', 2.0, (2, 1))
    """

    grades: Sequence[Any]  # best rank first, or with scores in their order; None for a document that no one judged
    _: KW_ONLY
    judged: Sequence[Any] | None = None  # all judged grades of the query, where those of the ranking are not all
    scores: Sequence[float] | None = None
    ids: Sequence[str] | None = None
    k: int | None = None
    convention: Convention | str = STANDARD
    threshold: float | None = None
    relevant: int | None = None
    highest_grade: Any = None
    persistence: Any = None

    def __post_init__(self) -> None:
        for name in ("grades", "judged", "scores", "ids"):
            values = getattr(self, name)
            object.__setattr__(self, name, None if values is None else tuple(values))

    def __repr__(self) -> str:
        known = {field.name: getattr(self, field.name) for field in fields(self)[1:]}
        given = "".join(f", {name}={value!r}" for name, value in known.items() if value is not None)
        return f"Ranking({list(self.grades)}{given})"

    @property
    def pool(self) -> Sequence[Any]:
        """All judged grades, which are those of the ranking where no others are known."""
        return self.grades if self.judged is None else self.judged

    @property
    def ideal_pool(self) -> Sequence[Any]:
        """The grades of which the ideal takes the best."""
        return self.grades if self.rule().ideal == "ranked" else self.pool

    def rule(self, measure: str = "NDCG") -> Convention:
        """The convention of a measure; a preset may have one of its own for DCG."""
        return as_convention(self.convention, "DCG" if measure == "DCG" else "nDCG")

    @property
    def precisions(self) -> list[float]:
        """The precision at the rank of each relevant document up to the cutoff."""
        return plain.precision_at_relevant(self.grades[: self.k], self.threshold)

    @property
    def wanted(self) -> int:
        """The number of relevant documents of the query."""
        return len(plain.precision_at_relevant(self.pool, self.threshold)) if self.relevant is None else self.relevant

    def called(self, measure: str) -> str:
        """The name of a measure, with the cutoff."""
        return measure if self.k is None else f"{measure}@{self.k}"

    def value(self, measure: str) -> float:
        """The exact value of a measure; nan if there is no ideal gain to divide by."""
        return _VALUES[measure](self, self.rule(measure))

    def summed(self, measure: str) -> Ranking:
        """The documents whose gains DCG, IDCG or CG adds up, as a ranking of their own."""
        rule, grades = self.rule(measure), self.grades[: self.k]
        if measure == "CG":
            rule = Convention(discount="none", negative="keep")
        if measure == "IDCG":
            grades = ideal_order(self.ideal_pool, rule)[: ideal_cutoff(self.k, len(self.grades), rule)]
        return replace(self, grades=grades, judged=None, k=None, convention=rule)


_VALUES: dict[str, Callable[[Ranking, Convention], float]] = {
    "NDCG": lambda ranking, rule: plain.ndcg(ranking.grades, ranking.k, rule, ranking.judged),
    "DCG": lambda ranking, rule: plain.dcg(ranking.grades, ranking.k, rule),
    "IDCG": lambda ranking, rule: plain.idcg(ranking.grades, ranking.k, rule, ranking.judged),
    "CG": lambda ranking, rule: plain.cg(ranking.grades, ranking.k),
    "ICG": lambda ranking, rule: plain.cg(ideal_order(ranking.ideal_pool, rule), ranking.k or len(ranking.grades)),
    "AP": lambda ranking, _: plain.average_precision(ranking.grades[: ranking.k], ranking.threshold, ranking.wanted),
    "RR": lambda ranking, _: next(iter(ranking.precisions), 0.0),
    "P": lambda ranking, _: len(ranking.precisions) / (ranking.k or len(ranking.grades)),
    "recall": lambda ranking, _: plain.recall(ranking.grades, ranking.k, ranking.threshold, ranking.wanted),
    "R-precision": lambda ranking, _: plain.r_precision(ranking.grades, ranking.threshold, ranking.wanted),
    "success": lambda ranking, _: plain.success(ranking.grades, ranking.k, ranking.threshold),
    "ERR": lambda ranking, _: plain.expected_reciprocal_rank(ranking.grades, ranking.highest_grade, ranking.k),
    "RBP": lambda ranking, _: plain.rank_biased_precision(
        ranking.grades, ranking.persistence, ranking.highest_grade or 1, ranking.k
    ),
}
MEASURES = ("NDCG", "DCG", "IDCG", "CG")  # those made of gains, whose slips are known
QUANTITIES = tuple(_VALUES)


def ideal_order(grades: Iterable[Any], convention: Convention) -> list[Any]:
    """The grades as the ideal ranking has them.

    >>> ideal_order([0, 2, 1], STANDARD)
    [2, 1, 0]
    """
    if convention.ideal_order == "grade":
        return sorted(grades, reverse=True)
    return sorted(grades, key=lambda grade: plain.gains([grade], convention), reverse=True)
