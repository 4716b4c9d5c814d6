"""A verdict: a printed number, held against the computed one.

A verdict is a frozen object with all it needs to be printed; its outcome is derived from its numbers, so that no
stored flag can contradict them. `str()` of it is one line.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from ndcg_ref.conventions.validation import quoted, shortened
from ndcg_ref.stated.causes import Evidence, as_alternatives, diagnose
from ndcg_ref.stated.claim import Alternatives, Claim, Kind, Operand, as_computed, as_number
from ndcg_ref.stated.derivation import Step, derive
from ndcg_ref.stated.display import MARKS, Outcome, Record, show, slug
from ndcg_ref.stated.number import RECORD_DIGITS, Number, Working
from ndcg_ref.stated.subject import UNEXPLAINED

WEAK = 0.1


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What was printed, what it should be, and how the printed value can have come about.

    Parameters
    ----------
    number : Number
        The number as printed.
    computed : float or None
        The exact value; nan where the quantity is not defined, None where it was not computed.
    name : str
        What the number is, such as "DCG of the second query".
    kind : {"number", "term"}
        A stated result, or a term of a line that leads to one.
    causes : tuple of str
        For a slip the codes of the causes that reproduce the printed number, in their order.
    evidence : tuple of Evidence
        Each recomputation that gives the printed number.
    discrepancies : tuple of str
        Where the printed working does not lead on: a side that does not follow from the side before, each in words.
    chance : float or None
        For a slip the share of wrong numbers nearby that the recomputations tried would have explained.
    derivation : tuple of Step
        For a slip the recomputation, up to the first step where the printed value departs from it.
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
    kind: Kind = "number"
    causes: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    discrepancies: tuple[str, ...] = ()
    chance: float | None = None
    derivation: tuple[Step, ...] = ()
    reason: str = ""
    declared: str | None = None
    formula: str = ""
    displayed: bool = field(default=False, compare=False, repr=False)

    @property
    def stated(self) -> str:
        """The text of the number."""
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
        """The right rounding at the printed digits; the printed text where it agrees, None without a value.

        Of a term that is printed as a formula it is the right formula.
        """
        if self.computed is None or math.isnan(self.computed):
            return None
        if self.outcome is Outcome.AGREES:
            return self.stated
        if self.formula:
            return self.formula
        if self.number.exact:
            near = Fraction(self.computed).limit_denominator(100)
            is_near = abs(Fraction(self.computed) - near) <= 4 * Fraction(math.ulp(self.computed))
            return str(near) if "/" in self.stated and is_near else self.computed_text
        return self.number.at(self.number.nearest(self.computed))

    @property
    def computed_text(self) -> str | None:
        """The computed value as text, with a few more digits than are printed; None without a value."""
        if self.computed is None or math.isnan(self.computed):
            return None
        return self.number.beside(self.computed)

    def __str__(self) -> str:
        parts = [f"stated {'exactly ' if self.number.as_exact else ''}{self.stated}"]
        if self.computed_text is not None:
            parts.append(f"computed {self.computed_text}")
        if self.outcome is Outcome.SLIP:
            parts.append(f"correct {self.correct}")
        line = f"{MARKS[self.outcome]} {self.outcome}: {self.name + ': ' if self.name else ''}{', '.join(parts)}"
        if self.outcome is Outcome.SLIP:
            line += f"; {self.explanation}"
        elif self.why_not:
            line += f"; {self.why_not}"
        elif self.discrepancies:
            line += f"; but {'; '.join(self.discrepancies)}"
        return line

    @property
    def why_not(self) -> str:
        """Why there is nothing to compare with; empty where there is."""
        return self.reason or ("no ideal gain to divide by" if self.outcome is Outcome.UNDEFINED else "")

    @property
    def weak(self) -> bool:
        """Whether chance would explain many of the wrong numbers nearby as well."""
        return bool(self.causes) and self.causes != (UNEXPLAINED,) and (self.chance or 0) > WEAK

    @property
    def explanation(self) -> str:
        """The causes in words, with a warning where chance would explain as much; empty for any outcome but a slip."""
        if not self.causes:
            return ""
        if self.causes == (UNEXPLAINED,):
            return UNEXPLAINED
        weak = f" (weak evidence: chance {self.chance:.2f})" if self.weak else ""
        return f"consistent with {', '.join(self.causes)}{weak}"

    @property
    def status(self) -> str:
        """How far it is settled how a slip came about; empty for any other outcome."""
        if self.outcome is not Outcome.SLIP:
            return ""
        if self.causes in ((), (UNEXPLAINED,)):
            return UNEXPLAINED
        return "ambiguous" if self.weak or len(self.evidence) > 1 else "explained"

    def record(self) -> Record:
        """The verdict as JSON holds it; the same on every processor and every version of Python."""
        value = self.computed if self.computed_text is not None else None
        digits = max(RECORD_DIGITS, self.number.digits)
        return {
            "name": self.name,
            "label": slug(self.name),
            "kind": self.kind,
            "stated": self.stated,
            "as_exact": self.number.as_exact,
            "computed": None if value is None else float(f"{value:.{digits}g}"),
            "computed_text": self.computed_text,
            "correct": self.correct,
            "outcome": str(self.outcome),
            "causes": list(self.causes),
            "declared": self.declared,
            "evidence": [{"cause": each.cause, "text": each.text} for each in self.evidence],
            "counterexample": None,
            "discrepancies": list(self.discrepancies),
            "chance": None if self.chance is None else round(self.chance, 4),
            "weak": self.weak,
            "explanation": self.explanation,
            "derivation": [{"text": step.text, "departs": step.departs} for step in self.derivation],
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

    def record(self) -> Record:
        """The statement as JSON holds it, with the keys of a verdict's record."""
        number = Number(self.sentence, 0, Fraction(1))
        return {
            **Verdict(number=number, computed=None, name=self.sentence, declared=self.declared).record(),
            "label": self.label or slug(self.sentence),
            "kind": "sentence",
            "correct": self.correct,
            "outcome": str(self.outcome),
            "causes": [] if self.truth or not self.declared else [self.declared],
            "counterexample": None if self.truth else self.counterexample,
            "explanation": self.explanation,
            "status": "" if self.truth else "explained" if self.declared else "unexplained",
            "line": str(self),
        }

    def _ipython_display_(self) -> None:
        if not self.displayed:
            show([self.record()])


def judge(
    stated: str | Number,
    computed: Any,
    name: str = "",
    *,
    operands: Sequence[str | Number | Verdict] | None = None,
    working: Working | None = None,
    alternatives: Alternatives | Callable[[], Alternatives] | None = None,
    reason: str | None = None,
) -> Verdict:
    """Hold a printed number against the computed one.

    The number agrees when the computed value could have been rounded to it. A slip gets the causes that reproduce
    it; without ``operands`` and ``alternatives`` only what the number itself shows is tried.

    Parameters
    ----------
    stated : str or Number
        The number as printed: 0.63 and 0.630 are different statements. With a decimal comma, or where it claims to be
        the value itself, what `read_number` makes of it: ``read_number("0,63", ",")``, ``read_number("1").exactly()``.
        A bare 0 or 1 is exact if `name` says a quantity between 0 and 1, such as "NDCG@5 of A" or "mean AP".
    computed : float or None
        The exact value of its quantity. nan where it has none: the verdict is then "undefined"; None where it was not
        computed, with a `reason`: the verdict is then "unchecked".
    name : str, optional
        What the number is.
    operands : sequence of str, Number or Verdict, optional
        The numbers that the line works with, as printed; an earlier verdict brings its exact value along.
    working : callable, optional
        What the line does with them, such as ``lambda a, b: a / b``.
    alternatives : mapping or callable, optional
        Other values by kind and label: ``{"quantity": {"IDCG 2": 8.43559}, "convention": {…}, "term": {…}}``, such as
        `alternatives_for` makes; or a function that makes them for a slip.
    reason : str, optional
        Why there is no computed value.

    Returns
    -------
    Verdict
        Never raised for a slip.

    Raises
    ------
    ValueError
        If the text is no printed number, the computed value is infinite, or the arguments contradict each other.
    TypeError
        If `stated` is no text or the computed value no number.

    Examples
    --------
    >>> print(judge("8.32", 8.32553, "DCG 2"))
    ✗ slip: DCG 2: stated 8.32, computed 8.32553, correct 8.33; consistent with truncated
    >>> judge("8.33", 8.32553).outcome
    <Outcome.AGREES: 'agrees'>
    """
    if not isinstance(name, str) or len(name.splitlines()) > 1:
        raise ValueError(f"name: expected what the number is, in one line, got {quoted(name)}")
    number = stated if isinstance(stated, Number) else as_number(stated, name).of(name)
    claim = Claim(
        number=number,
        computed=as_computed(computed, reason, name),
        name=name,
        operands=_operands(operands, working, name, decimal=number.form[-1]),
        working=working,
        reason=reason or "",
    )
    if callable(alternatives):
        alternatives = alternatives() if claim.is_slip else {}
    return verdict_on(replace(claim, alternatives=as_alternatives(alternatives, name)))


def verdict_on(claim: Claim) -> Verdict:
    """The verdict on a claim."""
    verdict = Verdict(
        number=claim.number,
        computed=claim.computed,
        name=claim.name,
        kind=claim.kind,
        discrepancies=claim.discrepancies,
        reason=claim.reason,
    )
    if not claim.is_slip:
        value = claim.as_printed
        all_printed = all(term.printed for term in claim.terms)
        if value is None or claim.discrepancies or claim.number.covers(value) or not all_printed:
            return verdict
        return replace(verdict, discrepancies=(f"the printed working gives {value:.6g}, not {claim.number.text}",))
    found = diagnose(claim)
    return replace(
        verdict,
        **found._asdict(),
        derivation=derive(claim, found.evidence),
        formula=claim.formula if claim.kind == "term" else "",
    )


def as_operand(verdict: Verdict) -> Operand:
    """A number that was judged, as an operand: with its exact value, where it has one."""
    return Operand(verdict.number, verdict.computed if verdict.computed_text is not None else None, verdict.name)


def _operands(
    operands: Sequence[str | Number | Verdict] | None, working: Working | None, name: str, decimal: str
) -> tuple[Operand, ...]:
    if operands is None and working is None:
        return ()
    where = f"{shortened(name)}: " if name else ""
    if (operands is None) != (working is None):
        raise ValueError(
            f"{where}operands and working go together: what the line works with, and what it does with them"
        )
    if isinstance(operands, str):
        raise TypeError(f"{where}operands: expected a sequence of printed numbers, got the text {quoted(operands)}")
    return tuple(
        as_operand(each) if isinstance(each, Verdict) else Operand(as_number(each, f"{where}operands[{i}]", decimal))
        for i, each in enumerate(operands or ())
    )
