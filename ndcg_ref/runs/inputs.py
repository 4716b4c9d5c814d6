"""Judgments and runs in any form: mappings, data frames, tuples and files, as mappings or some queries at a time."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from itertools import chain
from typing import TYPE_CHECKING, Any, Protocol, SupportsFloat, SupportsIndex, TypeAlias

from ndcg_ref.conventions.validation import EMPTY, LIKE_GRADES, quoted
from ndcg_ref.runs.rows import InputRows, Judgments
from ndcg_ref.runs.sources import Form, Source, is_parquet

if TYPE_CHECKING:
    from ndcg_ref.formulas.batch import Batch


class Frame(Protocol):
    """A data frame of pandas, polars (lazy ones too) or pyarrow."""

    @property
    def columns(self) -> Any:
        """Its columns, or their names."""


Id: TypeAlias = str | SupportsIndex  # a whole number is compared as text
# Query, document, and grade or score; a fourth field must be of a named tuple, as the iteration of ir_measures' Qrel
Row: TypeAlias = tuple[Id, Id, SupportsFloat] | tuple[Id, Id, SupportsFloat, Any]
Given: TypeAlias = Mapping[str, Mapping[str, SupportsFloat]] | Frame | Iterable[Row] | str | os.PathLike[str]

MANY_ALIKE = 10  # queries with the same single score


def as_mappings(given: Any, side: str, value: str, as_trec_eval: bool = False) -> Judgments:
    """Query to document to value, of judgments or a run in any form; the documents are not checked yet.

    `side` is "qrels" or "run", and `value` is "grade" or "score". A file may be read as trec_eval reads it.

    >>> as_mappings({"q1": ["d1"]}, "run", "score")
    Traceback (most recent call last):
        ...
    TypeError: run['q1']: expected a dict of document to score, got a list
    """
    return read_whole(given, form_of(given), side, value, as_trec_eval)


def is_path(given: Any) -> bool:
    """Whether judgments or a run come as a file."""
    return isinstance(given, str | os.PathLike)


def form_of(given: Any) -> Form:
    """The form of judgments or a run; what is no rows either is refused where they are read.

    >>> form_of("run-*.parquet"), form_of("run.txt"), form_of({"q1": {"d1": 1}}), form_of([("q1", "d1", 1)])
    ('parquet', 'path', 'mapping', 'rows')
    """
    if is_path(given):
        return "parquet" if is_parquet(given) else "path"
    return "mapping" if isinstance(given, Mapping) else "rows"


def read_whole(given: Any, form: Form, side: str, value: str, as_trec_eval: bool = False) -> Judgments:
    """As `as_mappings`, for what has a known form."""
    if form == "mapping":
        return _checked(given, side, value)
    if form == "rows":
        return InputRows(given, side, value).whole()
    if form == "parquet":
        from ndcg_ref.runs.engines import read_parquet

        return read_parquet(given, value)
    from ndcg_ref.runs.tabular import format_of, read_other
    from ndcg_ref.runs.trec import judgments_in, run_in

    with Source(given) as source:
        written = format_of(source.beginning())
        if written != "trec":
            return read_other(source, written, value)
        return (judgments_in if value == "grade" else run_in)(source, as_trec_eval)


def opened(run: Any, form: Form) -> AbstractContextManager[Source | InputRows | Judgments]:
    """A run that can be read twice: a file, rows, or a mapping."""
    if form == "path":
        return Source(run, keep=True)
    return nullcontext(InputRows(run, "run", "score") if form == "rows" else read_whole(run, form, "run", "score"))


def batches_from(
    run: Source | InputRows | Judgments, judgments: Judgments, *, together: bool, as_trec_eval: bool, check_swap: bool
) -> Iterator[Batch]:
    """The batches of a run that `opened` gives.

    A file of TREC and a data frame are read some queries at a time; QueriesApartError if the rows of a query are not
    `together` then. Without it, they are read as a whole.
    """
    from ndcg_ref.runs.batches import batches_of, batches_of_groups
    from ndcg_ref.runs.blocks import batches_in
    from ndcg_ref.runs.tabular import format_of, read_other
    from ndcg_ref.runs.trec import run_in

    if isinstance(run, Source):
        if not together:
            run.rewind()
            return batches_of(judgments, run_in(run, as_trec_eval))
        written = format_of(run.beginning())
        if written == "trec":
            return batches_in(run, judgments, as_trec_eval)
        run = read_other(run, written, "score")
    elif isinstance(run, InputRows):
        groups = run.groups()
        first = next(groups, None) if run.is_frame and together else None
        if first and not (check_swap and like_grades(first.values)):
            return batches_of_groups(chain([first], groups), judgments)
        run = run.whole()
    if check_swap:
        _refuse_swapped(judgments, run)
    return batches_of(judgments, run)


def _checked(given: Mapping[Any, Any], side: str, value: str) -> Judgments:
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


def _refuse_swapped(judgments: Judgments, scored: Judgments) -> None:
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
