"""Judgments and runs in any form: mappings, data frames and files."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ndcg_ref.conventions.validation import EMPTY, LIKE_GRADES, quoted
from ndcg_ref.runs.parquet import is_parquet

if TYPE_CHECKING:
    from typing import TypeAlias

    from ndcg_ref.runs.input_types import Form
    from ndcg_ref.runs.sources import Path

    Judgments: TypeAlias = Mapping[str, Mapping[str, Any]]

MANY_ALIKE = 10  # queries with the same single score


def as_mappings(given: Any, side: str, value: str, as_trec_eval: bool = False) -> Mapping[str, Mapping[str, Any]]:
    """Query to document to value, of judgments or a run in any form.

    Parameters
    ----------
    given : mapping, data frame, iterable of tuples, or path
        What `evaluate` takes.
    side : {"qrels", "run"}
        Which of the two it is.
    value : {"grade", "score"}
        What the documents map to.
    as_trec_eval : bool, optional
        Whether a file is read as trec_eval reads it.

    Returns
    -------
    mapping of str to mapping of str to number
        The mapping; its documents are not checked yet.

    Raises
    ------
    ValueError
        If there is no query, a column is missing, a frame has a document twice in a query, or a file is broken.
    TypeError
        If it has the wrong type, or the id of a query is no text.

    Examples
    --------
    >>> as_mappings({"q1": ["d1"]}, "run", "score")
    Traceback (most recent call last):
        ...
    TypeError: run['q1']: expected a dict of document to score, got a list
    """
    return read_whole(given, form_of(given), side, value, as_trec_eval)


def form_of(given: Any) -> Form:
    """The form of judgments or a run; what is no rows either is refused where they are read.

    >>> form_of("run-*.parquet"), form_of("run.txt"), form_of({"q1": {"d1": 1}}), form_of([("q1", "d1", 1)])
    ('parquet', 'path', 'mapping', 'rows')
    """
    if is_path(given):
        return "parquet" if is_parquet(given) else "path"
    return "mapping" if isinstance(given, Mapping) else "rows"


def read_whole(
    given: Any, form: Form, side: str, value: str, as_trec_eval: bool = False
) -> Mapping[str, Mapping[str, Any]]:
    """As `as_mappings`, for what has a known form."""
    if form == "mapping":
        return checked(given, side, value)
    if form == "path":
        return _read_text(given, value, as_trec_eval)
    if form == "parquet":
        from ndcg_ref.runs.engines import read_parquet

        return read_parquet(given, value)
    from ndcg_ref.runs.frames import InputRows

    return InputRows(given, side, value).whole()


def checked(given: Mapping[Any, Any], side: str, value: str) -> Mapping[str, Mapping[str, Any]]:
    """A mapping whose queries are text and map to mappings."""
    if not given:
        raise ValueError(f"{side}: expected at least one query, got none")
    for query in given:
        if not isinstance(query, str):
            raise TypeError(
                f"{side}: expected text as the id of a query, got {quoted(query)} (use str(...) on both sides)"
            )
    if "" in given:
        raise ValueError(f"{side}: expected the id of a query, got {EMPTY}")
    for query, values in given.items():
        if type(values) is not dict and not isinstance(values, Mapping):
            raise TypeError(
                f"{side}[{quoted(query)}]: expected a dict of document to {value}, got a {type(values).__name__}"
            )
        if "" in values:
            raise ValueError(f"{side}[{quoted(query)}]: expected the id of a document, got {EMPTY}")
    return given


def _read_text(path: Path, value: str, as_trec_eval: bool) -> Mapping[str, Mapping[str, float]]:
    """Query to document to grade or score, of a file in any format but Parquet."""
    from ndcg_ref.runs.formats import format_of
    from ndcg_ref.runs.sources import Source
    from ndcg_ref.runs.trec import in_order, judgments_in

    with Source(path) as source:
        form = format_of(source.beginning())
        if form != "trec":
            from ndcg_ref.runs.tabular import read_other

            return read_other(source, form, value)
        return (judgments_in if value == "grade" else in_order)(source, as_trec_eval)


def is_path(given: Any) -> bool:
    """Whether judgments or a run come as a file."""
    return isinstance(given, str | os.PathLike)


def refuse_swapped(judgments: Judgments, scored: Judgments) -> None:
    """Refuse judgments and a run in memory that look swapped."""
    if _look_swapped(judgments, scored):
        raise ValueError(
            "run: expected scores, got whole numbers that repeat, against judgments with fractions "
            "(qrels and run swapped? check_swap=False accepts them)"
        )


def like_grades(values: Iterable[Any]) -> bool:
    """Whether all values are whole numbers from 0 to 10: where one is not, it is a score.

    >>> like_grades([3, 0.0]), like_grades([3, 0.5])
    (True, False)
    """
    return LIKE_GRADES.issuperset(values)


def _look_swapped(judgments: Judgments, scored: Judgments) -> bool:
    """Whether grades look like scores, and scores like grades, which repeat since they have few levels.

    A single score repeats if many queries have it: so do the single judgments of a query in BEIR and MS MARCO.
    """
    try:
        if not all(like_grades(scores.values()) for scores in scored.values()):
            return False
        if not any(float(grade) % 1 for grades in judgments.values() for grade in grades.values()):
            return False
    except (OverflowError, TypeError, ValueError):  # not a number: refused elsewhere, with its place
        return False
    both = [(judgments[query].values(), scores.values()) for query, scores in scored.items() if query in judgments]
    alone = Counter(next(iter(scores)) for _, scores in both if len(scores) == 1)
    turned = [
        (len(set(scores)) < len(scores) or (len(scores) == 1 and alone[next(iter(scores))] >= MANY_ALIKE))
        and len(set(grades)) == len(grades) > 1
        for grades, scores in both
    ]
    return 2 * sum(turned) > len(both)
