"""The reference module of a book on NDCG in which no number is taken on trust.

Every formula stands twice: as printed, in plain Python (`ndcg_ref.plain`), and over numpy arrays (`ndcg_ref.measures`,
whose functions are the public names here). `ndcg_ref.stated` judges numbers that somebody printed. The parts are
loaded on first use, so that `ndcg_ref.stated` works where numpy does not.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOME = {
    "convention": ["Convention", "ORIGINAL", "STANDARD", "EXPONENTIAL"],
    "measures": [
        "gains",
        "discounts",
        "cg",
        "dcg",
        "idcg",
        "ndcg",
        "cg_by_rank",
        "dcg_by_rank",
        "idcg_by_rank",
        "ndcg_by_rank",
        "mean_ndcg",
        "pooled_ndcg",
        "precision_at_relevant",
        "average_precision",
    ],
}
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names}
__all__ = sorted(_MODULE_OF)  # noqa: PLE0605 - one table says what is public and where it lives

if TYPE_CHECKING:
    from ndcg_ref.convention import EXPONENTIAL, ORIGINAL, STANDARD, Convention
    from ndcg_ref.measures import (
        average_precision,
        cg,
        cg_by_rank,
        dcg,
        dcg_by_rank,
        discounts,
        gains,
        idcg,
        idcg_by_rank,
        mean_ndcg,
        ndcg,
        ndcg_by_rank,
        pooled_ndcg,
        precision_at_relevant,
    )


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'ndcg_ref' has no attribute {name!r}")
    value = getattr(import_module(f"ndcg_ref.{_MODULE_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
