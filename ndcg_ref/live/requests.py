"""What a question holds: the ranking, the cutoff and the convention, read once and limited in size."""

import re
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from ndcg_ref.conventions.convention import Convention
from ndcg_ref.conventions.lookup import as_convention
from ndcg_ref.conventions.validation import as_cutoff, as_grade, quoted
from ndcg_ref.formulas.measured_ranking import MEASURES, Ranking
from ndcg_ref.live.notation import plain_number
from ndcg_ref.stated.number import Number, has_decimal_comma, is_not_finite, read_number

_BLANK_BEFORE_PERCENT = re.compile(r"\s+(?=%\s*$)")
MOST_GRADES = 1_000
CHOICES = tuple(field.name for field in fields(Convention))


def ranking_in(question: Mapping[str, Any]) -> Ranking:
    """The ranking of a question, with its cutoff and convention; or a refusal.

    >>> ranking_in({"grades": [1, True]})
    Traceback (most recent call last):
        ...
    TypeError: grades[1]: expected a number, got True
    """
    grades = as_grades(question.get("grades"), "grades")
    return Ranking(
        grades,
        judged=known_grades(question, "judged"),
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


def known_grades(question: Mapping[str, Any], name: str) -> list[float] | None:
    """A list of numbers that a question may lack."""
    values = question.get(name)
    return None if values is None else as_grades(values, name)


def text_in(question: Mapping[str, Any], what: str, most: int) -> str:
    """The text of a question; or a refusal."""
    text = question.get("text")
    if not isinstance(text, str):
        raise TypeError(f"text: expected the {what} as text, got {quoted(text)}")
    if len(text) > most:
        raise ValueError(f"text: expected at most {most:,} characters, got {len(text):,}")
    return text


def as_choices(choices: Any, where: str) -> Convention | str:
    """A convention by its name, or by its choices; or a refusal.

    >>> print(as_choices({"gain": "exponential"}, "convention"))
    exponential gain, log2(rank + 1)
    """
    if isinstance(choices, str):
        as_convention(choices)  # refuses an unknown name
        return choices
    if not isinstance(choices, Mapping):
        raise TypeError(f"{where}: expected a name or an object of choices, got {quoted(choices)}")
    for choice in choices:
        if choice not in CHOICES:
            raise ValueError(f"{where}: expected choices such as 'gain', 'discount' and 'base', got {quoted(choice)}")
    gain = choices.get("gain")
    if isinstance(gain, list | tuple | Mapping) and len(gain) > MOST_GRADES:
        raise ValueError(f"{where}: gain: expected at most {MOST_GRADES:,} grades, got {len(gain):,}")
    return Convention(**choices)


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
