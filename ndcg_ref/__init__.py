"""The package that recomputes every number of a book on NDCG.

Each formula is in `ndcg_ref.formulas` twice: as it is printed, in plain Python (`plain`, the reference module), and
over numpy arrays (`arrays`, whose functions are the public names here). `evaluate` and `ndcg_score` are for runs and
for documents with scores. `ndcg_ref.stated` judges printed numbers. The parts are loaded on first use, so that
`ndcg_ref.stated` works where numpy does not.
"""

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"
# What `stated` knows of numbers, and what comes with the package for them to be about; their modules it has from here
SUBJECTS = {"numbers": "ndcg_ref.stated.causes", "ranking": "ndcg_ref.subjects.ranking"}

__all__ = [
    "EXPONENTIAL",
    "ORIGINAL",
    "PRESETS",
    "STANDARD",
    "Convention",
    "Result",
    "assert_no_drop",
    "average_precision",
    "cg",
    "cg_by_rank",
    "compare_runs",
    "dcg",
    "dcg_by_rank",
    "dcg_score",
    "discounts",
    "evaluate",
    "expected_reciprocal_rank",
    "explain",
    "gains",
    "idcg",
    "idcg_by_rank",
    "judgment_rate",
    "mean_ndcg",
    "ndcg",
    "ndcg_by_rank",
    "ndcg_score",
    "pooled_ndcg",
    "precision_at_relevant",
    "r_precision",
    "rank_biased_precision",
    "recall",
    "success",
    "which",
    "which_mean",
]
_HOMES = {
    # module: its names; those of all others are in formulas.arrays
    "compare.comparing": ("compare_runs",),
    "compare.gating": ("assert_no_drop",),
    "conventions.convention": ("EXPONENTIAL", "ORIGINAL", "STANDARD", "Convention"),
    "conventions.presets": ("PRESETS",),
    "explaining.matches": ("which",),
    "explaining.mean_matches": ("which_mean",),
    "explaining.run_differences": ("explain",),
    "runs.evaluation": ("evaluate",),
    "runs.result": ("Result",),
    "runs.scored": ("dcg_score", "ndcg_score"),
}

if TYPE_CHECKING:
    from ndcg_ref.compare.comparing import compare_runs
    from ndcg_ref.compare.gating import assert_no_drop
    from ndcg_ref.conventions.convention import EXPONENTIAL, ORIGINAL, STANDARD, Convention
    from ndcg_ref.conventions.presets import PRESETS
    from ndcg_ref.explaining.matches import which
    from ndcg_ref.explaining.mean_matches import which_mean
    from ndcg_ref.explaining.run_differences import explain
    from ndcg_ref.formulas.arrays import (
        average_precision,
        cg,
        cg_by_rank,
        dcg,
        dcg_by_rank,
        discounts,
        expected_reciprocal_rank,
        gains,
        idcg,
        idcg_by_rank,
        judgment_rate,
        mean_ndcg,
        ndcg,
        ndcg_by_rank,
        pooled_ndcg,
        precision_at_relevant,
        r_precision,
        rank_biased_precision,
        recall,
        success,
    )
    from ndcg_ref.runs.evaluation import evaluate
    from ndcg_ref.runs.result import Result
    from ndcg_ref.runs.scored import dcg_score, ndcg_score


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'ndcg_ref' has no attribute {name!r}")
    home = next((home for home, names in _HOMES.items() if name in names), "formulas.arrays")
    value = getattr(import_module(f"ndcg_ref.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
