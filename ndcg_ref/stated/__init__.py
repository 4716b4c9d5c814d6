"""Numbers as somebody printed them, and whether they are true.

Standard library alone. A printed number stays a text until it is read with half a unit of its last digit; the verdict
on it holds all it needs to be printed; a slip gets the causes that reproduce it, by recomputing. The
parts are loaded on first use: what reads one number needs no ledger.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ndcg_ref.stated.checks import StatedError, check, check_equation, check_table, holds
    from ndcg_ref.stated.equation import read_equation
    from ndcg_ref.stated.ledgers import ledger
    from ndcg_ref.stated.number import read_number
    from ndcg_ref.stated.printed_tables import Column
    from ndcg_ref.stated.subject import Subject
    from ndcg_ref.stated.verdict import Statement, Verdict, judge

__all__ = [
    "Column",
    "StatedError",
    "Statement",
    "Subject",
    "Verdict",
    "check",
    "check_equation",
    "check_table",
    "holds",
    "judge",
    "ledger",
    "read_equation",
    "read_number",
]
_HOMES = {
    # module: its names
    "checks": ("StatedError", "check", "check_equation", "check_table", "holds"),
    "equation": ("read_equation",),
    "ledgers": ("ledger",),
    "number": ("read_number",),
    "printed_tables": ("Column",),
    "subject": ("Subject",),
    "verdict": ("Statement", "Verdict", "judge"),
}


def __getattr__(name: str) -> object:
    for home, names in _HOMES.items():
        if name in names:
            value = globals()[name] = getattr(import_module(f"ndcg_ref.stated.{home}"), name)
            return value
    raise AttributeError(f"module 'ndcg_ref.stated' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
