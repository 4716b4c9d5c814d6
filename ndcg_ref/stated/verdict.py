"""A verdict: a printed number held against the computed one.

A verdict is a frozen object with all it needs to be printed; its outcome is derived from its numbers, so that no
stored flag can contradict them. `str()` of it is one line.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from numbers import Real
from typing import Any

from ndcg_ref.stated.causes import RIVALS, Diagnosis, Operand, Rivals, Working, diagnose
from ndcg_ref.stated.forms import MARKS, Outcome, show, slug
from ndcg_ref.stated.number import RECORD_DIGITS, Number, read_number
from ndcg_ref.stated.steps import Line, Row
from ndcg_ref.stated.steps import steps as steps_of
from ndcg_ref.validation import as_grade, quoted

WEAK = 0.1


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What was printed, what it should be, and how the one could have become the other.

    Parameters
    ----------
    number : Number
        The print.
    computed : float or None
        The exact value; nan where the quantity is not defined, None where it was not computed.
    name : str
        What the number is, such as "DCG of the second query".
    kind : {"number", "term"}
        A stated result, or a term of a line that leads to one.
    causes : tuple of str
        For a slip the codes of the causes that reproduce the print, simplest first.
    evidence : tuple of str
        A line for each recomputation that gives the print, and one for each step of a printed line that does not
        follow from the step before.
    chance : float or None
        For a slip the share of wrong prints nearby that the recomputations tried would have explained.
    steps : tuple of str
        For a slip the recomputation up to the first step that parts from the print, each a line of Markdown.
    reason : str
        Why there is nothing to compare with.
    declared : str or None
        The cause that the author of a chapter stated beforehand.
    formula : str
        For a wrong term that is printed as a formula the right one.
    displayed : bool
        Whether the cell that made the verdict has shown it already, so that it is not shown twice.

    Examples
    --------
    >>> verdict = judge("8.32", 8.32553, "DCG 2")
    >>> verdict.outcome, verdict.correct, verdict.causes
    (<Outcome.SLIP: 'slip'>, '8.33', ('truncated',))
    """

    number: Number
    computed: float | None
    name: str = ""
    kind: str = "number"
    causes: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    chance: float | None = None
    steps: tuple[str, ...] = ()
    reason: str = ""
    declared: str | None = None
    formula: str = ""
    displayed: bool = field(default=False, compare=False, repr=False)

    @property
    def stated(self) -> str:
        """The text of the print."""
        return self.number.text

    @cached_property
    def outcome(self) -> Outcome:
        """Agrees, slip, undefined or unchecked."""
        if self.computed is None:
            return Outcome.UNCHECKED
        if math.isnan(self.computed):
            return Outcome.UNDEFINED
        return Outcome.AGREES if self.number.covers(self.computed) else Outcome.SLIP

    @property
    def correct(self) -> str | None:
        """The right rounding at the digits of the print; the print itself where it agrees, None without a value.

        Of a term that is printed as a formula it is the right formula.
        """
        if self.computed is None or math.isnan(self.computed):
            return None
        if self.outcome is Outcome.AGREES:
            return self.stated
        if self.formula:
            return self.formula
        if self.number.exact:
            return _exact_text(self.computed)
        return self.number.at(self.number.nearest(self.computed))

    @property
    def computed_text(self) -> str | None:
        """The computed value as text, with a few more digits than the print; None without a value."""
        if self.computed is None or math.isnan(self.computed):
            return None
        return self.number.beside(self.computed)

    def __str__(self) -> str:
        parts = [f"stated {self.stated}"]
        if self.computed_text is not None:
            parts.append(f"computed {self.computed_text}")
        if self.outcome is Outcome.SLIP:
            parts.append(f"correct {self.correct}")
        line = f"{MARKS[self.outcome]} {self.outcome}: {self.name + ': ' if self.name else ''}{', '.join(parts)}"
        if self.outcome is Outcome.SLIP:
            line += f"; {self.explanation}"
        elif self.why_not:
            line += f"; {self.why_not}"
        elif self.evidence:
            line += f"; but {'; '.join(step.removeprefix('step: ') for step in self.evidence)}"
        return line

    @property
    def why_not(self) -> str:
        """Why there is nothing to compare with; empty where there is."""
        return self.reason or ("no ideal gain to divide by" if self.outcome is Outcome.UNDEFINED else "")

    @property
    def explanation(self) -> str:
        """The causes in words, with a warning where chance would explain as much; empty for any outcome but a slip."""
        if not self.causes:
            return ""
        if self.causes == ("unexplained",):
            return "unexplained"
        weak = f" (weak evidence: chance {self.chance:.2f})" if self.chance is not None and self.chance > WEAK else ""
        return f"consistent with {', '.join(self.causes)}{weak}"

    @property
    def status(self) -> str:
        """How far it is settled how a slip came about; empty for any other outcome."""
        if self.outcome is not Outcome.SLIP:
            return ""
        if self.causes in ((), ("unexplained",)):
            return "unexplained"
        weak = self.chance is not None and self.chance > WEAK
        explanations = [line for line in self.evidence if not line.startswith("step: ")]
        return "ambiguous" if weak or len(explanations) > 1 else "explained"

    def record(self) -> dict[str, Any]:
        """The verdict as JSON holds it; the same on every processor and every version of Python."""
        value = self.computed if self.computed_text is not None else None
        digits = max(RECORD_DIGITS, self.number.digits)
        return {
            "name": self.name,
            "label": slug(self.name),
            "kind": self.kind,
            "stated": self.stated,
            "computed": None if value is None else float(f"{value:.{digits}g}"),
            "computed_text": self.computed_text,
            "correct": self.correct,
            "outcome": str(self.outcome),
            "causes": list(self.causes),
            "declared": self.declared,
            "evidence": list(self.evidence),
            "chance": None if self.chance is None else round(self.chance, 4),
            "explanation": self.explanation,
            "steps": list(self.steps),
            "status": self.status,
            "reason": self.why_not,
            "line": str(self),
        }

    def _ipython_display_(self) -> None:
        if not self.displayed:
            show([self.record()])


@dataclass(frozen=True, kw_only=True)
class Statement:
    """A statement in words, and whether it holds.

    Parameters
    ----------
    sentence : str
        The statement.
    truth : bool
        Whether it holds, as computed.
    counterexample : str or None
        For a false one, an input on which the reader can see it fail.
    declared : str or None
        For a false one, how it came about, in words.
    correct : str or None
        For a false one, what to say instead.
    label : str or None
        What a sentence of the chapter links to; made from the sentence where none is given.
    displayed : bool
        Whether the cell that made it has shown it already.

    Examples
    --------
    >>> why = {"counterexample": "[2, 1]", "declared": "a slip of the pen", "correct": "it is at most 1"}
    >>> print(Statement(sentence="NDCG is above 1", truth=False, **why))
    ✗ slip: NDCG is above 1; not so: [2, 1] (a slip of the pen); correction: it is at most 1
    """

    sentence: str
    truth: bool
    counterexample: str | None = None
    declared: str | None = None
    correct: str | None = None
    label: str | None = None
    displayed: bool = field(default=False, compare=False, repr=False)

    @property
    def outcome(self) -> Outcome:
        """Agrees or slip."""
        return Outcome.AGREES if self.truth else Outcome.SLIP

    def __str__(self) -> str:
        line = f"{MARKS[self.outcome]} {self.outcome}: {self.sentence}"
        if self.truth:
            return line
        return f"{line}; {self.explanation}" + (f"; correction: {self.correct}" if self.correct else "")

    @property
    def explanation(self) -> str:
        """For a false statement where it fails, and why; empty for a true one."""
        if self.truth:
            return ""
        where = f": {self.counterexample}" if self.counterexample else ""
        return f"not so{where}" + (f" ({self.declared})" if self.declared else "")

    def record(self) -> dict[str, Any]:
        """The statement as JSON holds it, with the keys of a verdict's record."""
        return {
            "name": self.sentence,
            "label": self.label or slug(self.sentence),
            "kind": "sentence",
            "stated": self.sentence,
            "computed": None,
            "computed_text": None,
            "correct": self.correct,
            "outcome": str(self.outcome),
            "causes": [] if self.truth or not self.declared else [self.declared],
            "declared": self.declared,
            "evidence": [] if self.truth or not self.counterexample else [self.counterexample],
            "chance": None,
            "explanation": self.explanation,
            "steps": [],
            "status": "" if self.truth else "explained" if self.declared else "unexplained",
            "reason": "",
            "line": str(self),
        }

    def _ipython_display_(self) -> None:
        if not self.displayed:
            show([self.record()])


def judge(
    stated: str,
    computed: Any,
    name: str = "",
    *,
    operands: Sequence[str | Verdict] | None = None,
    working: Working | None = None,
    rivals: Rivals | None = None,
    reason: str | None = None,
    decimal: str = ".",
) -> Verdict:
    """Hold a printed number against the computed one.

    The number agrees when the computed value could have been rounded to it. A slip gets the causes that reproduce
    the print; without `operands` and `rivals` only what the number itself shows is tried.

    Parameters
    ----------
    stated : str
        The number as printed: 0.63 and 0.630 are different statements.
    computed : float or None
        The exact value of its quantity. nan where it has none: the verdict is then "undefined"; None where it was not
        computed, with a `reason`: the verdict is then "unchecked".
    name : str, optional
        What the number is.
    operands : sequence of str or Verdict, optional
        The numbers that the line works with, as printed; an earlier verdict brings its exact value along.
    working : callable, optional
        What the line does with them, such as ``lambda a, b: a / b``.
    rivals : mapping, optional
        Other values by kind and label: ``{"quantity": {"IDCG 2": 8.43559}, "convention": {…}, "term": {…}}``. See
        `rivals_for`.
    reason : str, optional
        Why there is no computed value.
    decimal : {".", ","}, optional
        The sign before the decimals.

    Returns
    -------
    Verdict
        Never raised for a slip.

    Raises
    ------
    ValueError
        If the text is no printed number, the computed value is infinite, or the arguments contradict each other.
    TypeError
        If the print is no text or the computed value no number.

    Examples
    --------
    >>> print(judge("8.32", 8.32553, "DCG 2"))
    ✗ slip: DCG 2: stated 8.32, computed 8.32553, correct 8.33; consistent with truncated
    >>> judge("8.33", 8.32553).outcome
    <Outcome.AGREES: 'agrees'>
    """
    if not isinstance(name, str) or len(name.splitlines()) > 1:
        raise ValueError(f"name: expected what the number is, in one line, got {quoted(name)}")
    number = named(read_number, stated, name, decimal)
    given = _operands(operands, working, name, decimal)
    return verdict_on(
        number, computed, name, operands=given, working=working, rivals=as_rivals(rivals, name), reason=reason
    )


def verdict_on(
    number: Number,
    computed: Any,
    name: str = "",
    *,
    kind: str = "number",
    operands: Sequence[Operand] = (),
    working: Working | None = None,
    rivals: Rivals | None = None,
    reason: str | None = None,
    against: tuple[str, ...] = (),
    rows: Sequence[Row] = (),
    line: Line | None = None,
    formula: str = "",
) -> Verdict:
    """The verdict on a number that is read already; `against` is evidence besides that of the causes."""
    exact = as_computed(computed, reason, name)
    if exact is None or math.isnan(exact) or number.covers(exact):
        return Verdict(number=number, computed=exact, name=name, kind=kind, reason=reason or "", evidence=against)
    found: Diagnosis = diagnose(number, exact, operands, working, rivals)
    return Verdict(
        number=number,
        computed=exact,
        name=name,
        kind=kind,
        causes=found.causes,
        evidence=found.evidence + against,
        chance=found.chance,
        steps=steps_of(number, exact, found.causes, operands, working, rivals, rows, line, formula),
    )


def named(read: Any, text: Any, name: str, decimal: str) -> Number:
    """Read a number, and let a refusal say which one."""
    try:
        number: Number = read(text, decimal)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{name}: {error}" if name else str(error)) from None
    return number


def as_computed(computed: Any, reason: str | None, name: str) -> float | None:
    """The computed value as a float, None where there is none for a reason; or a refusal."""
    where = f"{name}: " if name else ""
    if computed is None:
        if not reason:
            raise ValueError(f"{where}expected a computed value, got None (say with reason= why there is none)")
        return None
    numpy_kind = getattr(getattr(computed, "dtype", None), "kind", None)
    if isinstance(computed, bool) or not (isinstance(computed, Real | Decimal) or numpy_kind in ("i", "u", "f")):
        raise TypeError(
            f"{where}expected a number as the computed value, got {quoted(computed)} (the print comes first)"
        )
    try:
        value = float(computed)
    except (OverflowError, TypeError, ValueError):
        raise ValueError(f"{where}expected one finite computed value, got {quoted(computed)}") from None
    if math.isinf(value):
        raise ValueError(f"{where}expected a finite computed value, got {value}")
    if reason and not math.isnan(value):
        raise ValueError(
            f"{where}got both a computed value, {value:g}, and a reason why there is none: {quoted(reason)}"
        )
    return value


def _operands(
    operands: Sequence[str | Verdict] | None, working: Working | None, name: str, decimal: str
) -> tuple[Operand, ...]:
    where = f"{name}: " if name else ""
    if (operands is None) != (working is None):
        raise ValueError(
            f"{where}operands and working go together: what the line works with, and what it does with them"
        )
    if isinstance(operands, str):
        raise TypeError(f"{where}operands: expected a sequence of printed numbers, got the text {quoted(operands)}")
    return tuple(
        as_operand(each)
        if isinstance(each, Verdict)
        else Operand(named(read_number, each, f"{where}operands[{i}]", decimal))
        for i, each in enumerate(operands or ())
    )


def as_operand(verdict: Verdict) -> Operand:
    """A number that was judged, as an operand: with its exact value, where it has one."""
    return Operand(verdict.number, verdict.computed if verdict.computed_text is not None else None, verdict.name)


def as_rivals(rivals: Any, name: str) -> Rivals:
    """The rivals as floats, by kind and label; or a refusal."""
    where = f"{name}: " if name else ""
    if rivals is None:
        return {}
    if not isinstance(rivals, Mapping):
        raise TypeError(f"{where}rivals: expected a mapping from kind to values, got {quoted(rivals)}")
    found: dict[str, dict[str, float]] = {}
    for kind, values in rivals.items():
        if kind not in RIVALS:
            raise ValueError(f"{where}rivals: expected the kinds {', '.join(RIVALS)}, got {quoted(kind)}")
        if not isinstance(values, Mapping):
            raise TypeError(
                f"{where}rivals[{quoted(kind)}]: expected a mapping from label to value, got {quoted(values)}"
            )
        found[kind] = {
            str(label): as_grade(value, f"{where}rivals[{quoted(kind)}][{quoted(label)}]")
            for label, value in values.items()
        }
    return found


def _exact_text(computed: float) -> str:
    """A fraction of small whole numbers where it is one, else six digits."""
    near = Fraction(computed).limit_denominator(100)
    return str(near) if abs(Fraction(computed) - near) <= 4 * Fraction(math.ulp(computed)) else f"{computed:.6g}"
