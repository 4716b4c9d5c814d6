"""What `ndcg-ref check --explain` prints: how each example of a note was read, and what else it could have been."""

from collections.abc import Iterator, Sequence

from ndcg_ref.notes.understood import Understood

MOST_SHOWN = 20  # grades of a list


def as_lines(file: str, found: Sequence[Understood]) -> Iterator[str]:
    """The examples of a note, and the hypotheses between which the check decided."""
    for i, each in enumerate(found, start=1):
        lines = f"line {each.first}" if each.first == each.last else f"lines {each.first} to {each.last}"
        yield f"{file}:{each.first}: example {i} of {len(found)}, {lines}"
        yield from (f"    {name:12}{text}" for name, text in _parts(each))
        for n, reading in enumerate(each.readings, start=1):
            cost = f", less {reading.cost:.1f} for what it takes for granted" if reading.cost else ""
            told = f"{len(reading.support)} numbers come out, which tell {sum(reading.support.values()):.1f} bits"
            judged = sorted(reading.measured.judged, reverse=True)
            own = judged == sorted(reading.grades, reverse=True)
            beside = "" if own else f"; judged {_listed(judged)}"
            yield f"    reading {n}   {told}{cost}"
            yield f"        grades {_listed(reading.grades)}{beside}; {reading.convention}"


def _parts(each: Understood) -> Iterator[tuple[str, str]]:
    """What the example says, and what its best reading makes of it."""
    yield "grades", "; ".join(map(_listed, each.rankings)) or "none found"
    yield (
        "convention",
        f"{' and '.join(map(str, each.conventions))}, {each.source}" if each.conventions else "not fixed",
    )
    yield "cutoffs", ", ".join(map(str, each.cutoffs)) or "none stated"
    yield "quantities", ", ".join(each.quantities) or "none named"


def _listed(grades: Sequence[float]) -> str:
    shown = ", ".join(f"{grade:g}" for grade in grades[:MOST_SHOWN])
    return shown if len(grades) <= MOST_SHOWN else f"{shown}, … ({len(grades)} in all)"
