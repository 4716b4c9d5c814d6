"""Numbers and lists of numbers as a person types them for a command or a role, refused with advice."""

import math
import re

from ndcg_ref.conventions.validation import quoted, shortened
from ndcg_ref.stated.number import Number, has_decimal_comma, is_not_finite, read_number


def as_printed_number(text: str) -> Number:
    """A number as printed, or a refusal with advice for a shell."""
    try:
        return read_number(text)
    except ValueError:
        if not has_decimal_comma(text) and not is_not_finite(text):
            raise
    pointed = text.strip().replace(",", ".")
    hint = f" (a decimal comma? write {shortened(pointed)})" if has_decimal_comma(text) else ""
    raise ValueError(f"expected a printed number such as 0.63, 97.8% or 1/3, got {quoted(text)}{hint}")


def as_value(text: str, what: str) -> float:
    """The number in a text as a float."""
    if "≈" in text:
        raise ValueError(f"{what}: expected a number without ≈, got {quoted(text)}")
    try:
        number = as_printed_number(text).nearest_float
    except ValueError as error:
        raise ValueError(f"{what}: {error}") from None
    if math.isinf(number):
        raise ValueError(f"{what}: expected a number within the range of a float, got {quoted(text)}")
    return number


def as_values(text: str, option: str) -> list[float]:
    """The numbers of a list as floats, separated by commas or blanks; the list may be in brackets."""
    inner = re.sub(r"^[\[(](.*)[\])]$", r"\1", text.strip()).strip()
    numbers = re.split(r"\s*,\s*|\s+", inner)
    return [as_value(each, f"{option.removesuffix('s')} {i}") for i, each in enumerate(numbers, start=1)]
