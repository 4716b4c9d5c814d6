"""Numbers as somebody printed them, and whether they are true.

Standard library alone. A printed number stays a text until it is read with half a unit of its last digit; the verdict
on it holds all it needs to be printed; a slip gets the causes that reproduce it, by recomputing.
"""

from ndcg_ref.stated.alternatives import alternatives_for
from ndcg_ref.stated.checks import StatedError, check, check_equation, check_table, holds
from ndcg_ref.stated.equation import read_equation
from ndcg_ref.stated.ledgers import ledger
from ndcg_ref.stated.number import read_number
from ndcg_ref.stated.tables import Column
from ndcg_ref.stated.verdict import Statement, Verdict, judge

__all__ = [
    "Column",
    "StatedError",
    "Statement",
    "Verdict",
    "alternatives_for",
    "check",
    "check_equation",
    "check_table",
    "holds",
    "judge",
    "ledger",
    "read_equation",
    "read_number",
]
