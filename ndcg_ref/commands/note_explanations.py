"""What `ndcg-ref check --explain` prints: how each example of a note was read."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ndcg_ref.notes.explanations import ExplainedExample

MOST_SHOWN = 20  # grades of a list


def as_lines(file: str, found: Sequence["ExplainedExample"]) -> Iterator[str]:
    """The examples of a note: first what was understood, then the parts."""
    for i, each in enumerate(found, start=1):
        lines = f"line {each.first}" if each.first == each.last else f"lines {each.first} to {each.last}"
        yield f"{file}:{each.first}: example {i} of {len(found)}, {lines}: {_understood(each)}"
        yield from (f"    {name:12}{text}" for name, text in _parts(each))


def _understood(each: "ExplainedExample") -> str:
    """What was understood, in one line."""
    one = each.hypothesis
    if one is None:
        return "no grades; each line for itself"
    cutoffs = f"; k = {', '.join(map(str, each.cutoffs))}" if each.cutoffs else ""
    return f"grades {_listed(one.grades)}; {one.convention}{cutoffs}"


def _parts(each: "ExplainedExample") -> Iterator[tuple[str, str]]:
    """What the example says, and what its hypothesis makes of it."""
    one = each.hypothesis
    if one is not None:
        yield "documents", f"{len(one.grades)} ranked, {len(one.judged)} judged"
        yield "grades", f"{_listed(one.grades)}, from rank 1"
        yield "judged", _listed(one.best)
        yield "convention", str(one.convention)
    else:
        yield "grades", "none found"
    yield "cutoffs", ", ".join(map(str, each.cutoffs)) or "none stated"
    yield "quantities", ", ".join(each.quantities) or "none named"
    right = sum(found.outcome == "agrees" for found in each.found)
    yield "numbers", f"{right} of {len(each.found)} come out"


def _listed(grades: Sequence[float]) -> str:
    shown = ", ".join(f"{grade:g}" for grade in grades[:MOST_SHOWN])
    return shown if len(grades) <= MOST_SHOWN else f"{shown}, … ({len(grades)} in all)"
