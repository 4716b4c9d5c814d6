"""What `ndcg-ref check --explain` prints: how each example of a note was read, and what else it could have been."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ndcg_ref.conventions.convention import Convention

if TYPE_CHECKING:
    from ndcg_ref.notes.explanations import ExplainedExample
    from ndcg_ref.notes.readings import Hypothesis

MOST_SHOWN = 20  # grades of a list
ASSUMPTIONS = {
    # code: what a reading takes for granted
    "rare": "few notes use this discount",
    "exponential": "the gain is exponential, and the note shows no formula",
    "not shown": "the note shows the formula of another convention",
    "later": "the ranking is not the first list of grades",
    "inferred": "grades are read off printed terms",
    "retrieved": "no other documents were judged, although the note names more",
    "ideal": "the judged documents are those of the stated ideal order",
}


def as_lines(file: str, examples: Sequence["ExplainedExample"]) -> Iterator[str]:
    """The examples of a note, and their readings."""
    for i, each in enumerate(examples, start=1):
        lines = f"line {each.first}" if each.first == each.last else f"lines {each.first} to {each.last}"
        yield f"{file}:{each.first}: example {i} of {len(examples)}, {lines}"
        yield from (f"    {name:12}{text}" for name, text in _parts(each))
        yield from _readings(each)


def _parts(example: "ExplainedExample") -> Iterator[tuple[str, str]]:
    """What the example says, and what its best reading makes of it."""
    if example.readings:
        best = example.readings[0]
        yield "documents", f"{len(best.grades)} ranked, {len(best.judged)} judged"
        yield "grades", f"{_listed(best.grades)}, from rank 1"
        yield "judged", _listed(sorted(best.judged, reverse=True))
        yield "convention", str(best.convention)
    else:
        yield "grades", "none found"
    yield "ideal", "; ".join(map(_listed, example.example.ideals)) or "none stated"
    formulas = (Convention(gain=gain, discount=discount) for gain, discount in sorted(example.example.shown))  # type: ignore[arg-type]
    yield "formulas", "; ".join(map(str, formulas)) or "none shown"
    yield "cutoffs", ", ".join(map(str, example.cutoffs)) or "none stated"
    yield "quantities", ", ".join(example.quantities) or "none named"


def _listed(grades: Sequence[float]) -> str:
    shown = ", ".join(f"{grade:g}" for grade in grades[:MOST_SHOWN])
    return shown if len(grades) <= MOST_SHOWN else f"{shown}, … ({len(grades)} in all)"


def _readings(example: "ExplainedExample") -> Iterator[str]:
    """The best readings: what each gives, and what it costs."""
    for i, reading in enumerate(example.readings, start=1):
        right = sum(map(reading.reproduces, example.scored))
        yield f"    reading {i}   score {reading.points:.1f}: {right} of {len(example.scored)} numbers come out"
        yield f"        {_in_one_line(reading)}"
        for assumption in reading.assumptions:
            yield f"        costs {assumption.cost:.1f}: {ASSUMPTIONS[assumption.code]}"


def _in_one_line(reading: "Hypothesis") -> str:
    """A reading in one line."""
    own = sorted(reading.judged) == sorted(reading.grades)
    judged = "" if own else f"; judged {_listed(sorted(reading.judged, reverse=True))}"
    return f"grades {_listed(reading.grades)}{judged}; {reading.convention}"
