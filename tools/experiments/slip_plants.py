"""Test whether slips are named after their causes: make slips of each cause in random worked examples, and judge them.

    python -m tools.experiments.slip_plants [slips of each cause] [seed]

prints a row for each cause: how many of its slips were named after it, and how many of them first.
"""

import math
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from ndcg_ref import EXPONENTIAL, ORIGINAL, STANDARD, Convention
from ndcg_ref.formulas import plain
from ndcg_ref.stated import Verdict, judge
from ndcg_ref.subjects.ranking import alternatives_for


@dataclass(frozen=True)
class PrintedMeasure:
    """A ranking, the convention and the cutoff of its measure, and how many decimals are printed."""

    measure: str
    grades: list[int]
    convention: Convention
    k: int | None
    decimals: int

    def value(self, convention: Convention | None = None, k: int | None = None) -> float:
        """The measure, with another convention or cutoff if given."""
        measures: dict[str, Callable[..., float]] = {"dcg": plain.dcg, "idcg": plain.idcg, "ndcg": plain.ndcg}
        return measures[self.measure](self.grades, k or self.k, convention or self.convention)

    @property
    def dcg(self) -> float:
        """The numerator of its NDCG."""
        return plain.dcg(self.grades, self.k, self.convention)

    @property
    def idcg(self) -> float:
        """The denominator of its NDCG."""
        return plain.idcg(self.grades, self.k, self.convention)

    def alternatives(self) -> dict[str, dict[str, float]]:
        """The other values that may have been printed."""
        return alternatives_for(self.measure, self.grades, self.convention, self.k)


@dataclass(frozen=True)
class Plant:
    """A slip that was made: the printed number, and what it is judged with."""

    stated: str
    computed: float
    keywords: dict[str, Any] = field(default_factory=dict)

    def verdict(self) -> Verdict:
        """The verdict of `judge`."""
        return judge(self.stated, self.computed, "a plant", **self.keywords)


def rounded(value: float | Fraction, decimals: int) -> Fraction:
    """A value rounded half up."""
    return Fraction(math.floor(Fraction(value) * 10**decimals + Fraction(1, 2)), 10**decimals)


def shown(value: float | Fraction, decimals: int) -> str:
    """A value as it is printed, rounded half up."""
    digits = str(round(rounded(value, decimals) * 10**decimals)).zfill(decimals + 1)
    return f"{digits[:-decimals]}.{digits[-decimals:]}"


class Planter:
    """Makes slips of each cause; the same seed makes the same ones."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.another = 0.0  # the ideal of another query, where a slip takes that

    def slips(self, cause: str, count: int) -> Iterator[Verdict]:
        """The verdicts on so many slips of a cause; what agrees all the same is no slip."""
        make: Callable[[], Plant] = getattr(self, cause.replace("-", "_"))
        while count:
            verdict = make().verdict()
            if verdict.outcome == "slip":
                count -= 1
                yield verdict

    def example(
        self, *measures: str, conventions: Sequence[Convention] = (STANDARD, EXPONENTIAL, ORIGINAL)
    ) -> PrintedMeasure:
        """A ranking that is not in its best order."""
        grades = [self.dice.randint(0, 3) for _ in range(self.dice.randint(4, 10))]
        if grades == sorted(grades, reverse=True):
            return self.example(*measures, conventions=conventions)
        convention = self.dice.choice(conventions)
        k = self.dice.choice([None, self.dice.randint(2, len(grades))])
        example = PrintedMeasure(self.dice.choice(measures), grades, convention, k, self.dice.choice([2, 2, 3, 4]))
        return example if example.dcg > 0 else self.example(*measures, conventions=conventions)

    def _plain(self, example: PrintedMeasure, value: float | Fraction) -> Plant:
        return Plant(shown(value, example.decimals), example.value(), {"alternatives": example.alternatives()})

    def _cut(self, cut: Callable[[Fraction], int]) -> Plant:
        """A number whose digits are cut; of a ratio the operands are known."""
        example = self.example("dcg", "idcg", "ndcg")
        units = cut(Fraction(example.value()) * 10**example.decimals)
        made = self._plain(example, Fraction(units, 10**example.decimals))
        return replace(made, keywords=made.keywords | self._right_operands(example))

    def _right_operands(self, example: PrintedMeasure) -> dict[str, Any]:
        if example.measure != "ndcg":
            return {}
        parts = {"DCG": example.dcg, "IDCG": example.idcg}
        operands = [judge(shown(value, example.decimals), value, name) for name, value in parts.items()]
        return {"operands": operands, "working": lambda dcg, idcg: dcg / idcg}

    def truncated(self) -> Plant:
        """The digits are cut."""
        return self._cut(math.floor)

    def rounded_up(self) -> Plant:
        """The digits are raised."""
        return self._cut(math.ceil)

    def rounded_twice(self) -> Plant:
        """The value is rounded to a digit more first."""
        return self._cut(lambda size: math.floor(rounded(size, 1) + Fraction(1, 2)))

    def _ratio(self, spoil: Callable[[PrintedMeasure, str, str, int], tuple[str, str]]) -> Plant:
        """A ratio that is worked with printed operands, as they are spoilt."""
        example = self.example("ndcg")
        decimals = self.dice.choice([example.decimals, max(1, example.decimals - 1)])
        parts = {"DCG": example.dcg, "IDCG": example.idcg}
        texts = spoil(example, shown(example.dcg, decimals), shown(example.idcg, decimals), decimals)
        if Fraction(texts[1]) == 0:
            return self._ratio(spoil)
        other = self.example("ndcg")
        quantity = {"another DCG": other.dcg, "another IDCG": self.another or other.idcg}
        return Plant(
            shown(Fraction(texts[0]) / Fraction(texts[1]), example.decimals),
            example.value(),
            {
                "operands": [judge(text, *part[::-1]) for text, part in zip(texts, parts.items(), strict=True)],
                "working": lambda dcg, idcg: dcg / idcg,
                "alternatives": example.alternatives() | {"quantity": quantity},
            },
        )

    def carried(self) -> Plant:
        """The operands are rounded first."""
        return self._ratio(lambda example, dcg, idcg, decimals: (dcg, idcg))

    def inherited(self) -> Plant:
        """One operand is a slip."""

        def spoil(example: PrintedMeasure, dcg: str, idcg: str, decimals: int) -> tuple[str, str]:
            off = Fraction(self.dice.choice([-1, 1]) * self.dice.randrange(1, 30), 10**decimals)
            least = Fraction(1, 10**decimals)
            if self.dice.random() < 0.5:
                return shown(max(least, Fraction(dcg) + off), decimals), idcg
            return dcg, shown(max(least, Fraction(idcg) + off), decimals)

        return self._ratio(spoil)

    def _with_another(self, example: PrintedMeasure, dcg: str, idcg: str, decimals: int) -> tuple[str, str]:
        other = self.example("ndcg")
        self.another = plain.idcg(other.grades, example.k, example.convention)
        return dcg, shown(self.another, decimals)

    def quantity(self) -> Plant:
        """The ideal of another query is taken."""
        return self._ratio(self._with_another)

    def convention(self) -> Plant:
        """One choice differs."""
        example = self.example("dcg", "idcg", "ndcg")
        now = example.convention
        others: list[dict[str, Any]] = [
            {"gain": "linear" if now.gain == "exponential" else "exponential"},
            {"discount": "log(rank+1)" if now.discount == "log(rank)" else "log(rank)"},
            {"base": self.dice.choice([math.e, 10])},
            {},
        ]
        other = self.dice.choice(others)
        k = None if other else max(1, (example.k or len(example.grades)) - 1)
        made = self._plain(example, example.value(replace(now, **other), k))
        known = self._right_operands(example) if self.dice.random() < 0.5 else {}
        return replace(made, keywords=made.keywords | known)

    def _terms(self, example: PrintedMeasure, ideal: bool, gain: float = 0) -> list[float]:
        """The terms of a DCG or an ideal one, each gain being larger by `gain`."""
        ranked = (sorted(example.grades, reverse=True) if ideal else example.grades)[: example.k]
        gained = plain.gains(ranked, example.convention)
        return [(g + gain) / d for g, d in zip(gained, plain.discounts(len(gained), example.convention), strict=True)]

    def term(self) -> Plant:
        """One term is wrong."""
        example = self.example("dcg", "idcg")
        terms = self._terms(example, example.measure == "idcg")
        divisors = plain.discounts(len(terms) + 1, example.convention)
        i = self.dice.randrange(len(terms))
        gain = terms[i] * divisors[i]
        terms[i] = self.dice.choice(
            [gain / divisors[max(0, i - 1)], gain / divisors[i + 1], 0.0, 2 * terms[i], gain, gain * divisors[i]]
        )
        return self._plain(example, math.fsum(terms))

    def digit(self) -> Plant:
        """One digit is another, or two are swapped."""
        example = self.example("dcg", "idcg", "ndcg")
        example = replace(example, decimals=max(3, example.decimals))
        made = self._plain(example, example.value())
        digits = list(made.stated)
        places = [i for i, sign in enumerate(digits) if sign.isdigit()]
        if self.dice.random() < 0.5:
            i = self.dice.choice(places)
            digits[i] = self.dice.choice([each for each in "0123456789" if abs(int(each) - int(digits[i])) > 1])
        else:
            i = self.dice.randrange(len(places) - 1)
            one, two = places[i], places[i + 1]
            digits[one], digits[two] = digits[two], digits[one]
        return replace(made, stated="".join(digits))

    def _with_sums(self, example: PrintedMeasure, add: Callable[[bool], float]) -> Plant:
        """The measure, with sums that are made in another way."""
        if example.measure == "ndcg":
            below = add(True)
            return self._plain(example, add(False) / below if below else example.value())
        return self._plain(example, add(example.measure == "idcg"))

    def minus_one(self) -> Plant:
        """The −1 of the gain is forgotten in every term."""
        example = self.example("dcg", "idcg", "ndcg", conventions=[EXPONENTIAL])
        return self._with_sums(example, lambda ideal: math.fsum(self._terms(example, ideal, gain=1)))

    def unsorted_ideal(self) -> Plant:
        """The ideal is the ranking, or has the right documents in the order of the ranking."""
        example = self.example("idcg", "ndcg")
        best = sorted(range(len(example.grades)), key=lambda i: -example.grades[i])[: example.k]
        kept = [example.grades[i] for i in sorted(best)]
        if kept == example.grades[: example.k] or self.dice.random() < 0.5:  # any ratio would be 1
            return self._plain(replace(example, measure="idcg"), example.dcg)
        below = plain.dcg(kept, None, example.convention)
        return self._plain(example, below if example.measure == "idcg" else example.dcg / below)

    def exchanged(self) -> Plant:
        """The ratio is turned over."""
        example = self.example("ndcg")
        return self._plain(example, example.idcg / example.dcg)

    def first_rank_dropped(self) -> Plant:
        """Gains are divided by the logarithm of the rank, and rank 1 is left out, where that is 0."""
        example = self.example("dcg", "idcg", "ndcg", conventions=[STANDARD, EXPONENTIAL])

        def add(ideal: bool) -> float:
            ranked = (sorted(example.grades, reverse=True) if ideal else example.grades)[: example.k]
            gained = plain.gains(ranked, example.convention)
            return math.fsum(gain / math.log2(rank) for rank, gain in enumerate(gained[1:], start=2))

        return self._with_sums(example, add)

    def rounded_early(self) -> Plant:
        """The terms are rounded to two decimals fewer than the result, or more: else a unit is off, no more."""
        example = self.example("dcg", "idcg", "ndcg")
        example = replace(example, decimals=max(3, example.decimals))
        decimals = self.dice.randint(1, example.decimals - 2)
        return self._with_sums(
            example, lambda ideal: float(sum(rounded(term, decimals) for term in self._terms(example, ideal)))
        )


# Of the slips that each cause makes, the share that is named after it, and that is named so first
ROUNDED = ("rounded-twice", "carried", "truncated", "rounded-up")
MEASURED = ("quantity", "inherited", *ROUNDED, "convention", "term", "digit")
MISTAKES = ("minus-one", "unsorted-ideal", "exchanged", "first-rank-dropped", "rounded-early")


def counted(cause: str, verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """How many of the slips of a cause are named after it, how many first, and what is named first instead."""
    first = [verdict.causes[0] for verdict in verdicts]
    return {
        "slips": len(verdicts),
        "named": sum(any(cause in code.split("+") for code in verdict.causes) for verdict in verdicts),
        "first": sum(cause == code.split("+")[0] for code in first),
        "only": sum(verdict.causes == (cause,) for verdict in verdicts),
        "instead": dict(Counter(code for code in first if cause != code.split("+")[0]).most_common(4)),
    }


def main(arguments: Sequence[str]) -> None:
    """Print the table."""
    count, seed = (int(each) for each in [*arguments, *["600", "3"][len(arguments) :]])
    print(f"{'made by':20} {'slips':>6} {'named':>6} {'first':>6} {'only':>6}  what is named first instead")
    for cause in (*MEASURED, *MISTAKES):
        found = counted(cause, list(Planter(seed).slips(cause, count)))
        numbers = " ".join(f"{found[each]:6}" for each in ("slips", "named", "first", "only"))
        print(f"{cause:20} {numbers}  {found['instead']}")


if __name__ == "__main__":
    main(sys.argv[1:])
