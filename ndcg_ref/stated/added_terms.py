"""What a line adds up, as its subject makes it of what an author passes as ``terms=``.

`stated` knows no subject. `ndcg_ref/__init__.py` names that of the package, which is loaded when a sum is asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, cast

from ndcg_ref import SUBJECT

if TYPE_CHECKING:
    from ndcg_ref.stated.claim import Alternatives, Term


class Sum(Protocol):
    """The right terms of a sum, and what else the sum may be."""

    @property
    def terms(self) -> tuple[Term, ...]:
        """Its terms, none of them printed."""

    @property
    def log_base(self) -> float:
        """The base of a logarithm that is printed without one."""

    @property
    def alternatives(self) -> Alternatives:
        """Its values with one thing wrong."""


def as_sum(terms: Any, where: str) -> Sum:
    """What an author passes as ``terms=``, as a sum; or a refusal."""
    return cast(Sum, import_module(SUBJECT).as_sum(terms, where))
