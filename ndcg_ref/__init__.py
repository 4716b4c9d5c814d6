"""The reference module of a book on NDCG in which no number is taken on trust.

The formula of each measure is there twice: as printed, in plain Python (`ndcg_ref.plain`), and over numpy arrays
(`ndcg_ref.measures`, whose functions are the public names here). `evaluate` and `ndcg_score` are for runs and for
documents with scores. `ndcg_ref.stated` judges numbers that somebody printed. The parts are loaded on first use, so
that `ndcg_ref.stated` works where numpy does not.
"""

TYPE_CHECKING = False  # as type checkers read it; importing typing would take longer than all else here

__version__ = "0.1.0"

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
    # module: its names; those of all others are in measures
    "comparing": ("compare_runs",),
    "convention": ("EXPONENTIAL", "ORIGINAL", "STANDARD", "Convention"),
    "differences": ("explain",),
    "gating": ("assert_no_drop",),
    "matches": ("which",),
    "mean_matches": ("which_mean",),
    "presets": ("PRESETS",),
    "runs.arrays": ("dcg_score", "ndcg_score"),
    "runs.evaluation": ("evaluate",),
    "runs.result": ("Result",),
}

if TYPE_CHECKING:
    from ndcg_ref.comparing import compare_runs
    from ndcg_ref.convention import EXPONENTIAL, ORIGINAL, STANDARD, Convention
    from ndcg_ref.differences import explain
    from ndcg_ref.gating import assert_no_drop
    from ndcg_ref.matches import which
    from ndcg_ref.mean_matches import which_mean
    from ndcg_ref.measures import (
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
    from ndcg_ref.presets import PRESETS
    from ndcg_ref.runs.arrays import dcg_score, ndcg_score
    from ndcg_ref.runs.evaluation import evaluate
    from ndcg_ref.runs.result import Result


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'ndcg_ref' has no attribute {name!r}")
    from importlib import import_module

    home = next((home for home, names in _HOMES.items() if name in names), "measures")
    value = getattr(import_module(f"ndcg_ref.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
