"""The data that a preset does not cover: kinds of input that it excludes, and measures that its library lacks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ndcg_ref.conventions.presets import KINDS
from ndcg_ref.conventions.validation import counted

ABOVE = {"above 4": 4, "above 30": 30, "above 31": 31}  # kind: a query with a grade above this has it
LONG = 15  # documents; up to this number, numpy's sort, which ranx uses, keeps the order of equal scores


class Excluded(NamedTuple):
    """The data that a preset does not cover.

    Parameters
    ----------
    kinds : dict of str to int
        The excluded kinds of input that were found, keys of ``KINDS``, with their numbers of queries. If measures
        differ, as a tie beyond a cutoff does not matter, the largest number.
    not_looked_for : tuple of str
        The excluded kinds that were not checked.
    measures : tuple of str
        The measures that the library lacks, or defines differently.

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

    @property
    def has_any(self) -> bool:
        """Whether there are any such data."""
        return bool(self.kinds or self.measures)

    def as_json(self) -> dict[str, Any]:
        """The data as a JSON object."""
        return self._asdict()


def marked(name: str, excluded: Mapping[str, Excluded]) -> str:
    """The name of a convention, with a word if it does not cover the data.

    >>> marked("ranx-0.3.21", {"ranx-0.3.21": Excluded({"long ties": 1})})
    'ranx-0.3.21 (not covered)'
    """
    return f"{name} (not covered)" if name in excluded and excluded[name].has_any else name


def in_words(excluded: Mapping[str, Excluded]) -> str:
    """The excluded kinds that were found, on one line; empty if there are none.

    >>> in_words({"scikit-learn-1.9.1": Excluded({"one": 2})})
    'not covered by scikit-learn-1.9.1: a query with one retrieved document (2 queries)'
    """
    return "; ".join(in_lines(excluded))


def in_lines(excluded: Mapping[str, Excluded]) -> list[str]:
    """The excluded kinds that were found, on a line for each set of presets that have them.

    >>> in_lines({"scikit-learn-1.9.1": Excluded({"one": 2}), "trec_eval-10.0": Excluded({"missing": 1})})[1]
    'not covered by trec_eval-10.0: a judged query that the run lacks (1 query)'
    """
    presets: dict[str, list[str]] = {}
    for name, of_preset in excluded.items():
        kinds = [f"{KINDS[kind]} ({counted(n, 'query')})" for kind, n in of_preset.kinds.items()]
        if of_preset.has_any:
            others = ", ".join(KINDS[kind] for kind in of_preset.not_looked_for)
            what = ", ".join([*of_preset.measures, *kinds]) + (f" (not looked for: {others})" if others else "")
            presets.setdefault(what, []).append(name)
    return [f"not covered by {', '.join(names)}: {what}" for what, names in presets.items()]
