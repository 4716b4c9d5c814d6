"""What of some data a preset is not held to: kinds of input that it excludes, measures that its library lacks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ndcg_ref.presets import KINDS

OF_A_RUN = ("empty", "unjudged", "missing")  # counted where a whole run is evaluated
LONG = 15  # documents; numpy's sort, which ranx uses, keeps the order of equal scores up to so many


class Excluded(NamedTuple):
    """What of some data a preset is not held to.

    Parameters
    ----------
    kinds : dict of str to int
        The excluded kinds of input that the data have, words of ``KINDS``, and how many queries are of
        each. Where measures differ, as ties beyond a cutoff do not matter, the largest number.
    not_looked_for : tuple of str
        The excluded kinds that were not looked for.
    measures : tuple of str
        The measures that the library does not have, or defines otherwise.

    Examples
    --------
    >>> from ndcg_ref import evaluate
    >>> qrels, run = {"q1": {"d1": 1}, "q2": {"d1": 1}}, {"q1": {"d1": 0.5}}
    >>> evaluate(qrels, run).excluded["trec_eval-10.0"].kinds
    {'missing': 1}
    """

    kinds: dict[str, int]
    not_looked_for: tuple[str, ...] = ()
    measures: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The same as one JSON object."""
        return self._asdict()


def in_words(excluded: Mapping[str, Excluded]) -> str:
    """What was found of the excluded kinds, on one line; empty where that is nothing.

    >>> in_words({"scikit-learn-1.9.1": Excluded({"one": 2})})
    'not covered by scikit-learn-1.9.1: a query with one retrieved document (2 queries)'
    """
    presets: dict[str, list[str]] = {}
    for name, of_preset in excluded.items():
        kinds = [f"{KINDS[kind]} ({n} quer{'y' if n == 1 else 'ies'})" for kind, n in of_preset.kinds.items()]
        if found := [*of_preset.measures, *kinds]:
            others = ", ".join(KINDS[kind] for kind in of_preset.not_looked_for)
            what = ", ".join(found) + (f" (not looked for: {others})" if others else "")
            presets.setdefault(what, []).append(name)
    return "; ".join(f"not covered by {', '.join(names)}: {what}" for what, names in presets.items())
