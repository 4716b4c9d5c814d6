"""Which input is refused, and with which message.

Both witnesses of a formula check their input here, so that they refuse the same input with the same message. A message
quotes long input only in part.
"""

import math
import numbers
import re
from collections.abc import Iterable, Mapping, Set
from typing import Any

# Controls, line ends and changes of direction, which a terminal obeys; and how a command for a server begins that runs
# checks: "::" at the beginning of a line, "##[" or "##vso[" anywhere
OBEYED = r"^\s*:(?=:)|#(?=#\w*\[)|[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]"
MOST_SHOWN = 80  # characters of the input in a message
EMPTY = "empty text (a missing value?)"  # what stands in place of an id
LIKE_GRADES = frozenset(range(11))  # numbers that may be grades as well as scores
MOST_RANKS = 10**8  # that are given discounts


class UnknownNameError(KeyError, ValueError):
    """Nothing has that name."""

    def __str__(self) -> str:
        return str(self.args[0])


def visible(text: str) -> str:
    r"""A line of text in which nothing is obeyed by a terminal, or by a server that runs checks: it is escaped.

    >>> print(visible("\x1b[2J"), visible("::error ::failed"), visible("a\nb"), visible("##[group]"))
    \x1b[2J \x3a:error ::failed a\nb \x23#[group]
    """
    return re.sub(OBEYED, lambda found: "".join(map(_escaped, found[0])), text)


def _escaped(sign: str) -> str:
    escaped = sign.encode("unicode_escape").decode()
    return escaped if sign == " " or escaped != sign else f"\\x{ord(sign):02x}"


def shortened(text: str, most: int = MOST_SHOWN) -> str:
    """The text, or the beginning and the length of a long one.

    >>> shortened("d" * 100, most=5)
    'ddddd… (100 characters)'
    """
    return visible(text) if len(text) <= most else f"{visible(text[:most])}… ({len(text)} characters)"


def quoted(value: object, most: int = MOST_SHOWN) -> str:
    """The repr of a value, or the beginning and the length of a long one.

    >>> quoted("nDCG@10")
    "'nDCG@10'"
    >>> quoted("d" * 100, most=5)
    "'ddddd'… (100 characters)"
    """
    if isinstance(value, str):
        long = len(value) > most
        return visible(repr(value[:most] if long else value)) + (f"… ({len(value)} characters)" if long else "")
    try:
        return shortened(repr(value), most)
    except ValueError:  # Python prints no int of more than some thousand digits
        return f"a {type(value).__name__} of too many digits"


def counted(number: int, noun: str) -> str:
    """A number of things, in words.

    >>> counted(1, "query"), counted(2, "query"), counted(0, "decimal")
    ('1 query', '2 queries', '0 decimals')
    """
    plural = f"{noun.removesuffix('y')}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number} {noun if number == 1 else plural}"


def as_bug(error: Exception) -> str:
    """What is said of an error that no input should lead to, with its place in the code.

    >>> try:
    ...     quoted("nDCG@10", most=None)
    ... except TypeError as error:
    ...     as_bug(error).partition(":")[0], "TypeError in ndcg_ref/conventions/validation.py, line " in as_bug(error)
    ('this is a bug of ndcg-ref, please report it', True)
    """
    from pathlib import Path
    from traceback import extract_tb

    package = Path(__file__).parents[1]
    frames = [each for each in extract_tb(error.__traceback__) if Path(each.filename).is_relative_to(package)]
    place = f" in {Path(frames[-1].filename).relative_to(package.parent).as_posix()}, line {frames[-1].lineno}"
    kind = f"{type(error).__name__}{place if frames else ''}"
    return f"this is a bug of ndcg-ref, please report it: {kind}: {shortened(str(error))}"


def as_sequence(values: Any, where: str, what: str = "numbers in rank order") -> Iterable[Any]:
    """The values, unchanged, if they are a flat sequence with an order; an iterator is not consumed here.

    >>> as_sequence("321", "grades")
    Traceback (most recent call last):
        ...
    TypeError: grades: expected a sequence of numbers in rank order, got '321'
    """
    axes: int = getattr(values, "ndim", 1)
    mask: Any = getattr(values, "mask", None)
    if isinstance(values, str | bytes | bytearray | Mapping | Set) or not isinstance(values, Iterable) or axes == 0:
        raise TypeError(f"{where}: expected a sequence of {what}, got {quoted(values)}")
    if axes > 1 and what == "numbers in rank order":
        raise ValueError(f"{where}: expected one flat list, got {axes} axes (pass one ranking at a time)")
    if hasattr(mask, "any") and mask.any():
        raise ValueError(
            f"{where}: expected a number at every rank, got masked ones (an unjudged document? give it grade 0)"
        )
    return values


def _numpy_kind(value: Any) -> str | None:
    """The kind of a numpy scalar or array, None for anything else; numpy counts time spans as whole numbers."""
    kind: str | None = getattr(getattr(value, "dtype", None), "kind", None)
    return kind


def _is_number(value: Any) -> bool:
    kind = _numpy_kind(value)
    if kind is None:
        from decimal import Decimal  # loaded where it is needed

        return isinstance(value, numbers.Real | Decimal)
    return kind in ("b", "i", "u", "f") and getattr(value, "ndim", 0) == 0


def as_grade(value: Any, where: str, hint: str = "an unjudged document? give it grade 0") -> float:
    """One grade, a finite real number, as a float; a refusal names its place, and a likely reason if it is not finite.

    >>> as_grade(True, "grades[0]")
    1.0
    >>> as_grade("3", "grades[1]")
    Traceback (most recent call last):
        ...
    TypeError: grades[1]: expected a number, got '3' (text is not converted; use float(...) first?)
    """
    if not _is_number(value):
        if isinstance(value, list | tuple) or getattr(value, "ndim", 0) != 0:
            raise ValueError(
                f"{where}: expected a number, got {quoted(value)} (nested lists: pass one ranking at a time)"
            )
        hint = "text is not converted; use float(...) first?" if isinstance(value, str) else f"a {type(value).__name__}"
        raise TypeError(f"{where}: expected a number, got {quoted(value)} ({hint})")
    try:
        number = float(value)
    except (OverflowError, ValueError):
        raise ValueError(f"{where}: expected a finite number, got one beyond the range of a float") from None
    if not math.isfinite(number):
        raise ValueError(f"{where}: expected a finite number, got {number}{hint and f' ({hint})'}")
    return number


def as_numbers(values: Any, where: str) -> list[float]:
    """A flat sequence of numbers as floats; a refusal names the place.

    >>> as_numbers([3, True], "grades")
    [3.0, 1.0]
    """
    return [as_grade(value, f"{where}[{i}]") for i, value in enumerate(as_sequence(values, where))]


def as_whole(value: Any, where: str, least: int, most: int | None = None) -> int:
    """A count of ranks or documents as an int, from `least` to `most`; a refusal names the parameter.

    >>> as_whole(10.0, "n", least=0)
    10
    """
    kind = _numpy_kind(value)
    if isinstance(value, bool) or not isinstance(value, numbers.Real) or kind not in (None, "i", "u", "f"):
        raise TypeError(f"{where}: expected a whole number, got {quoted(value)}")
    if not isinstance(value, numbers.Integral) and not (math.isfinite(value) and value == math.floor(value)):
        raise ValueError(f"{where}: expected a whole number, got {quoted(value)}")
    if value < least:
        raise ValueError(f"{where}: expected a whole number of at least {least}, got {quoted(value)}")
    given: Any = value
    whole = int(given)
    if most is not None and whole > most:
        raise ValueError(f"{where}: expected a whole number of at most {most:,}, got {quoted(value)}")
    return whole


def as_flag(value: Any, where: str) -> bool:
    """The value as True or False, also one of numpy; or a refusal, as any text but "" would count as True.

    >>> as_flag(False, "check_swap")
    False
    """
    dtype = getattr(value, "dtype", None)
    if isinstance(value, bool) or (getattr(dtype, "kind", "") == "b" and value.ndim == 0):
        return bool(value)
    raise TypeError(f"{where}: expected True or False, got {quoted(value)}")


def as_cutoff(k: Any) -> int | None:
    """The cutoff as an int of 1 or more, or None for no cutoff.

    >>> as_cutoff(10)
    10
    """
    return None if k is None else as_whole(k, "k", least=1)


def as_divisor(value: Any, rank: int) -> float:
    """What a custom discount function returned for a rank, as a float above 0."""
    divisor = as_grade(value, f"discount of rank {rank}")
    if divisor <= 0:
        raise ValueError(f"discount of rank {rank}: expected a divisor above 0, got {divisor:g}")
    return divisor


def as_highest_grade(value: Any) -> float:
    """The highest grade of a scale, as a float above 0."""
    highest = as_grade(value, "highest_grade")
    if highest <= 0:
        raise ValueError(
            f"highest_grade: expected a grade above 0, got {highest:g} (the scale's highest, not the ranking's)"
        )
    return highest


def as_persistence(value: Any) -> float:
    """The chance that a reader goes on to the next rank, as a float from 0 to below 1."""
    persistence = as_grade(value, "persistence")
    if not 0 <= persistence < 1:
        raise ValueError(
            f"persistence: expected a chance from 0 to below 1, got {persistence:g} (a percentage? 80 % is 0.8)"
        )
    return persistence


REFUSALS = {
    # problem: what is said of it, behind its place
    "grade off its scale": "expected a grade from 0 to {highest:g}, got {grade:g} "
    "(is highest_grade the top of the scale?)",
    "negative grade": 'expected a grade of 0 or more, got {grade:g} (negative="clamp" reads it as 0, "keep" uses it)',
    "fractional grade": "expected a whole grade, got {grade:g} "
    '(fractional="keep" uses it, as STANDARD, scikit-learn and trectools do; "truncate" cuts it, as trec_eval does)',
    "missing gain": "expected a grade of the gain table ({table}), got {grade:g} (is the table too short?)",
    "overflowing gain": "expected a grade below 1024, got {grade:g} (2 to that power overflows; is this a score?)",
    "overflowing sum": "the sum of the gains is beyond the range of a float (are these grades?)",
    "missing judgment": "expected every grade of the ranking among them, got too few of {grade:g} "
    "(all ranked are judged)",
    "missing ids": 'expected the id of each document, as ties="{ties}" ranks by it, got none',
    "missing query": 'expected every judged query, got none of {query} (missing="skip" leaves it out, "zero" counts it '
    "as 0)",
    "extra query": 'expected only judged queries, got {query} (extra="skip" leaves it out, "zero" counts it as 0)',
    "query without ideal gain": "expected some ideal gain to divide by, got none (no relevant document?)",
}


def refusal(problem: str, where: str, **values: Any) -> ValueError:
    """The refusal of what a formula or a convention cannot take, with its place and what was found there.

    >>> refusal("query without ideal gain", "grades")
    ValueError('grades: expected some ideal gain to divide by, got none (no relevant document?)')
    """
    return ValueError(f"{where}: {REFUSALS[problem].format(**values)}")


def missing_gain(where: str, grade: float, table: Iterable[float]) -> ValueError:
    """The refusal of a grade that the gain table lacks."""
    held = shortened(", ".join(f"{level:g}" for level in table))
    return refusal("missing gain", where, grade=grade, table=held)


def finite_sum(terms: Iterable[float], where: str = "grades") -> float:
    """The sum, rounded once, so that it depends neither on the order of the terms nor on the processor; or a refusal.

    >>> finite_sum([0.1] * 10)
    1.0
    """
    made = list(terms)  # a ValueError of the generator itself must not be taken for an overflow
    try:
        total = math.fsum(made)
    except (OverflowError, ValueError):  # beyond the range, or the difference of two terms beyond it
        raise refusal("overflowing sum", where) from None
    if math.isinf(total):
        raise refusal("overflowing sum", where)
    return total
