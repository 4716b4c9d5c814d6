"""How a note was read: its examples, and the readings between which the check decides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ndcg_ref.conventions.convention import Convention
from ndcg_ref.notes.claims import UNNAMED, NoteClaim
from ndcg_ref.notes.documents import Format, regions_of
from ndcg_ref.notes.examples import Example
from ndcg_ref.notes.findings import best_examples
from ndcg_ref.notes.limits import STEPS
from ndcg_ref.notes.readings import Hypothesis, Told, numbers_scored


@dataclass(frozen=True)
class ExplainedExample:
    """An example of a note, and its best readings.

    Parameters
    ----------
    first, last : int
        The lines of its first number and of its last, from 1.
    example : Example
        The example.
    readings : tuple of Hypothesis
        The best ones, the best first; none where the example has no grades.
    """

    first: int
    last: int
    example: Example
    readings: tuple[Hypothesis, ...]

    @property
    def scored(self) -> Sequence[NoteClaim]:
        """The numbers by which the readings are compared."""
        return numbers_scored(self.example)

    @property
    def quantities(self) -> tuple[str, ...]:
        """What the numbers are said to be, in the order of the note."""
        named = (claim.quantity for claim in self.example.claims if not claim.operand)
        return tuple(dict.fromkeys(each for each in named if each not in (None, "other", UNNAMED)))

    @property
    def cutoffs(self) -> tuple[int, ...]:
        """The cutoffs that its numbers name."""
        return tuple(sorted({claim.k for claim in self.example.claims if claim.k and claim.sure}))


def explanations_of(
    text: str,
    form: Format = "text",
    *,
    grades: Sequence[float] | None = None,
    convention: Convention | None = None,
    steps: int = STEPS,
) -> Iterator[ExplainedExample]:
    """The examples of a note that state numbers, with the readings that were compared; as `read_note` is called.

    >>> (each,) = explanations_of("Grades [3, 0, 2]. DCG@3 = 3/1 + 0/1.585 + 2/2 = 4.00")
    >>> each.quantities, each.cutoffs, each.readings[0].grades, each.readings[0].cost
    (('DCG',), (3,), (3.0, 0.0, 2.0), 0)
    """
    told = Told(None if grades is None else tuple(grades), convention)
    for region in regions_of(text, form):
        for example, readings, *_ in best_examples(region, told, steps)[0]:
            if example.claims:
                first, last = (text.count("\n", 0, region.places[example.claims[i].start]) + 1 for i in (0, -1))
                yield ExplainedExample(first, last, example, tuple(readings))
