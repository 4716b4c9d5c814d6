"""How a note was read: its examples, and the hypotheses between which the check decides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ndcg_ref.conventions.convention import Convention
from ndcg_ref.notes.documents import Format, regions_of
from ndcg_ref.notes.findings import best_reading
from ndcg_ref.notes.hypotheses import Hypothesis
from ndcg_ref.notes.judging import Found
from ndcg_ref.notes.outcomes import MEASURED

MOST_SHOWN = 3


@dataclass(frozen=True)
class ExplainedExample:
    """An example of a note: the numbers that one ranking explains.

    Parameters
    ----------
    first, last : int
        The lines of its first number and of its last, from 1.
    hypothesis : Hypothesis or None
        The ranking, its judged grades and the convention; None where the note has no grades for the numbers.
    found : tuple of Found
        The numbers, in the order of the note.
    """

    first: int
    last: int
    hypothesis: Hypothesis | None
    found: tuple[Found, ...]

    @property
    def quantities(self) -> tuple[str, ...]:
        """What the numbers are said to be, in the order of the note."""
        return tuple(
            dict.fromkeys(each.mention.name.quantity for each in self.found if each.mention.name.quantity in MEASURED)
        )

    @property
    def cutoffs(self) -> tuple[int, ...]:
        """The cutoffs that the numbers name."""
        return tuple(sorted({name.k for each in self.found if (name := each.mention.name).k and name.sure}))


def explanations_of(
    text: str, form: Format = "text", *, grades: Sequence[float] | None = None, convention: Convention | None = None
) -> Iterator[ExplainedExample]:
    """The examples of a note that state numbers; as `check_note` is called.

    >>> (each,) = explanations_of("Grades [3, 0, 2]. DCG@3 = 3/1 + 0/1.585 + 2/2 = 4.00")
    >>> each.quantities, each.cutoffs, each.hypothesis.grades
    (('DCG',), (3,), (3.0, 0.0, 2.0))
    """
    told = None if grades is None else tuple(grades)
    for region in regions_of(text, form):
        groups: dict[tuple[object, ...] | None, list[Found]] = {}
        for each in best_reading(region, told, convention):
            one = each.hypothesis
            key = None if one is None else (one.grades, one.judged, one.convention)
            groups.setdefault(key, []).append(each)
        if len(groups) > 1:  # what is judged by its line alone goes to the example around it
            alone = groups.pop(None, [])
            last = max(groups.values(), key=len)
            last += alone
        for found in groups.values():
            lines = [text.count("\n", 0, region.places[each.mention.start]) + 1 for each in found]
            hypothesis = next((each.hypothesis for each in found if each.hypothesis is not None), None)
            yield ExplainedExample(min(lines), max(lines), hypothesis, tuple(found))
