"""What a question holds: the ranking, the cutoff and the convention, read once and limited in size."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from ndcg_ref.conventions.convention import Convention, ideal_cutoff
from ndcg_ref.conventions.lookup import as_convention
from ndcg_ref.conventions.validation import as_cutoff, as_grade, quoted
from ndcg_ref.formulas import plain
from ndcg_ref.live.notation import plain_number
from ndcg_ref.stated.alternatives import Ranking, ideal_order
from ndcg_ref.stated.claim import Term
from ndcg_ref.stated.number import Number, has_decimal_comma, is_not_finite, read_number

_BLANK_BEFORE_PERCENT = re.compile(r"\s+(?=%\s*$)")
MOST_GRADES = 1_000
CHOICES = tuple(field.name for field in fields(Convention))


@dataclass(frozen=True, kw_only=True)
class Asked:
    """The ranking that a question is about, and how it is to be measured.

    Parameters
    ----------
    grades : list of float
        The grades, best rank first.
    judged : list of float or None
        All judged grades of the query; None for those of the ranking.
    k : int or None
        The cutoff.
    convention : Convention or str
        The convention, or its name.

    Examples
    --------
    >>> asked = as_asked({"grades": [2, 0, 1], "k": 2})
    >>> asked.called("DCG"), asked.value("DCG")
    ('DCG@2', 2.0)
    """

    grades: list[float]
    judged: list[float] | None
    k: int | None
    convention: Convention | str

    def rule(self, measure: str = "NDCG") -> Convention:
        """The convention of a measure; a preset may have one of its own for DCG."""
        return as_convention(self.convention, _SPELLED.get(measure, "nDCG"))

    def called(self, measure: str) -> str:
        """The name of a measure, with the cutoff."""
        return measure if self.k is None else f"{measure}@{self.k}"

    def value(self, measure: str, convention: Convention | None = None) -> float:
        """The exact value of a measure; nan if there is no ideal gain to divide by."""
        return _VALUES[measure](self, self.rule(measure) if convention is None else convention)

    def terms(self, measure: str) -> tuple[Term, ...]:
        """The discounted gains that DCG, IDCG or CG adds up."""
        added = self.added(measure)
        return Ranking(added.grades, added.rule("DCG")).terms

    def added(self, measure: str) -> Asked:
        """The documents whose gains DCG, IDCG or CG adds up, as a ranking of their own.

        >>> as_asked({"grades": [0, 2, 1], "k": 2}).added("IDCG").grades
        [2.0, 1.0]
        """
        rule, grades = self.rule(measure), self.grades[: self.k]
        if measure == "CG":
            rule = Convention(discount="none", negative="keep")
        if measure == "IDCG":
            known = self.grades if self.judged is None or rule.ideal == "ranked" else self.judged
            grades = ideal_order(known, rule)[: ideal_cutoff(self.k, len(self.grades), rule)]
        return replace(self, grades=grades, judged=None, k=None, convention=rule)

    def under(self, name: str) -> Asked:
        """The same under another convention."""
        return replace(self, convention=name)


_VALUES: dict[str, Callable[[Asked, Convention], float]] = {
    "NDCG": lambda asked, chosen: plain.ndcg(asked.grades, asked.k, chosen, asked.judged),
    "DCG": lambda asked, chosen: plain.dcg(asked.grades, asked.k, chosen),
    "IDCG": lambda asked, chosen: plain.idcg(asked.grades, asked.k, chosen, asked.judged),
    "CG": lambda asked, chosen: plain.cg(asked.grades, asked.k),
}
_SPELLED = {"DCG": "DCG"}  # the measure for which a preset may have a convention of its own
MEASURES = tuple(_VALUES)


def as_asked(question: Mapping[str, Any]) -> Asked:
    """The ranking of a question; or a refusal.

    >>> as_asked({"grades": [1, True]})
    Traceback (most recent call last):
        ...
    TypeError: grades[1]: expected a number, got True
    """
    grades = as_grades(question.get("grades"), "grades")
    judged = question.get("judged")
    return Asked(
        grades=grades,
        judged=None if judged is None else as_grades(judged, "judged"),
        k=as_cutoff(question.get("k")),
        convention=as_choices(question.get("convention", "STANDARD"), "convention"),
    )


def as_grades(values: Any, where: str) -> list[float]:
    """A list of at most 1,000 numbers; or a refusal.

    >>> as_grades([0] * 10_000, "grades")
    Traceback (most recent call last):
        ...
    ValueError: grades: expected at most 1,000 numbers, got 10,000
    """
    if not isinstance(values, list | tuple):
        raise TypeError(f"{where}: expected a list of numbers, got {quoted(values)}")
    if len(values) > MOST_GRADES:
        raise ValueError(f"{where}: expected at most {MOST_GRADES:,} numbers, got {len(values):,}")
    for i, value in enumerate(values):
        if isinstance(value, bool):
            raise TypeError(f"{where}[{i}]: expected a number, got {value}")
    return [as_grade(value, f"{where}[{i}]") for i, value in enumerate(values)]


def as_choices(given: Any, where: str) -> Convention | str:
    """A convention by its name, or by its choices; or a refusal.

    >>> print(as_choices({"gain": "exponential"}, "convention"))
    exponential gain, log2(rank + 1)
    """
    if isinstance(given, str):
        as_convention(given)  # refuses an unknown name
        return given
    if not isinstance(given, Mapping):
        raise TypeError(f"{where}: expected a name or an object of choices, got {quoted(given)}")
    for choice in given:
        if choice not in CHOICES:
            raise ValueError(f"{where}: expected choices such as 'gain', 'discount' and 'base', got {quoted(choice)}")
    gain = given.get("gain")
    if isinstance(gain, list | tuple | Mapping) and len(gain) > MOST_GRADES:
        raise ValueError(f"{where}: gain: expected at most {MOST_GRADES:,} grades, got {len(gain):,}")
    return Convention(**given)


def as_measure(value: Any) -> str:
    """The name of a measure; or a refusal."""
    if not isinstance(value, str) or value not in MEASURES:
        raise ValueError(f"measure: expected one of {', '.join(MEASURES)}, got {quoted(value)}")
    return value


def read_entry(text: Any, near: float | None = None, name: str = "") -> tuple[Number, bool]:
    """A number of its name as a reader typed it, and whether a comma was read as the decimal sign; or a refusal.

    A blank may stand before a percent sign, and ``½`` is a fraction.
    ``4,263`` groups thousands, or has three decimals: it is read as what is nearer to the value that belongs there.

    >>> read_entry("0,63")[0].value, read_entry("4,263", near=4.2)[1], read_entry("4,263", near=4000.0)[1]
    (Fraction(63, 100), True, False)
    >>> read_entry("81,7 %")[0].text
    '81,7%'
    """
    if not isinstance(text, str):
        raise TypeError(f"expected the number as text, got {quoted(text)}")
    if is_not_finite(text):
        raise ValueError(f"expected a printed number such as 0.63, 97.8% or 1/3, got {quoted(text)}")
    if len(text) <= MOST_GRADES:
        text = plain_number(_BLANK_BEFORE_PERCENT.sub("", text))
    if not has_decimal_comma(text[:MOST_GRADES]):
        return read_number(text).of(name), False
    decimal = read_number(text, ",")
    try:
        grouped = read_number(text)
    except ValueError:
        return decimal, True
    if near is not None and abs(grouped.nearest_float - near) < abs(decimal.nearest_float - near):
        return grouped, False
    return decimal, True
