r"""The recomputation of a slip, step by step, up to the first step that parts from the print.

A step is a line of Markdown: formulas between dollars, and links to earlier verdicts of the chapter by their labels.
A sum of discounted gains is followed term by term, any other line operand by operand, and a number of which nothing
else is known is rounded.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ndcg_ref.convention import Convention
from ndcg_ref.stated.causes import Operand, Rivals, Working, is_print_of, term_variants, work
from ndcg_ref.stated.forms import in_dollars, literal, slug
from ndcg_ref.stated.number import Number

PARTS = "here the print parts"

Line = Callable[..., str]  # a printed line, with the texts of its operands put in


@dataclass(frozen=True)
class Row:
    """A term of a sum, and what the convention gives at its rank.

    Parameters
    ----------
    rank : int
        The rank, from 1.
    gain : float
        What the document there is worth.
    divisors : sequence of float
        What each rank divides by.
    convention : Convention
        That of the line.
    number : Number
        The term as printed; an expression states its value exactly.
    right : bool
        Whether the print can be the term.
    name : str
        That of the term's own verdict, where it is wrong.
    printed : bool
        Whether the note prints the term, or shows its sum alone: then `number` is the term rounded as the sum is.
    """

    rank: int
    gain: float
    divisors: Sequence[float]
    convention: Convention
    number: Number
    right: bool
    name: str = ""
    printed: bool = True

    @property
    def exact(self) -> float:
        """The discounted gain."""
        return self.gain / self.divisors[self.rank - 1]

    @property
    def working(self) -> str:
        """The division in words of numbers."""
        divisor = self.divisors[self.rank - 1]
        return f"{self.gain:g}" if divisor == 1 else f"{self.gain:g} / {divisor:.6g} = {self.exact:.6g}"

    @property
    def said(self) -> str:
        """A term that is right: the division, and the print where it says something else."""
        if f"{self.number.nearest_float:.6g}" != f"{self.exact:.6g}":
            return f"{self.working}, {'printed' if self.printed else 'rounded'} {_printed(self.number)}"
        return f"{_printed(self.number)} = {self.exact:.6g}" if self.number.exact else self.working

    def parted(self, source: Sequence[Operand] = ()) -> tuple[str, ...]:
        """A term that is wrong: the division, what it was copied from, and where the print parts from it."""
        work = f"rank {self.rank}: {self.working}"
        copied = [f"the print repeats {_linked(each.name)}, a slip of its own" for each in source if each.is_slip]
        if not self.number.exact:
            return work, *copied, parting(self.number, self.exact)
        return *copied, f"{work}; {_has(self.number)}"


def parting(number: Number, computed: float, formula: str = "") -> str:
    """The step that parts: what the exact value rounds to, and what the print has.

    >>> from ndcg_ref.stated.number import read_number
    >>> parting(read_number("8.32"), 8.325534)
    'the exact value is 8.32553, rounded to 2 decimals 8.33; the print has 8.32: here the print parts'
    """
    return f"{_rounded(number, computed, formula)}; {_has(number)}"


def steps(
    number: Number,
    computed: float,
    causes: Sequence[str],
    operands: Sequence[Operand] = (),
    working: Working | None = None,
    rivals: Rivals | None = None,
    rows: Sequence[Row] = (),
    line: Line | None = None,
    formula: str = "",
) -> tuple[str, ...]:
    """The steps of one slip.

    Parameters
    ----------
    number : Number
        The print, which does not agree with `computed`.
    computed : float
        The exact value.
    causes : sequence of str
        The causes that were found.
    operands, working, rivals
        As for `diagnose`.
    rows : sequence of Row, optional
        The terms of a sum.
    line : callable, optional
        Writes the line with given texts in the place of its operands: it is shown as printed, and with exact ones.
    formula : str, optional
        What the print stands for.

    Returns
    -------
    tuple of str
        The steps; in one of them the words "here the print parts". What comes behind it is what the line gives as it
        is printed, and what the right terms or operands give.

    Examples
    --------
    >>> from ndcg_ref.stated.number import read_number
    >>> line = [Operand(read_number("7.42"), 7.41781, "DCG"), Operand(read_number("7.58"), 7.57939, "IDCG")]
    >>> for step in steps(read_number("0.989"), 0.978682, (), line, lambda dcg, idcg: dcg / idcg):
    ...     print(step)
    7.42 stands for DCG, exactly 7.41781
    7.58 stands for IDCG, exactly 7.57939
    the line as printed gives 0.978892
    the exact value is 0.978682, rounded to 3 decimals 0.979; the print has 0.989: here the print parts
    """
    if rows:
        return tuple(_of_sum(number, computed, causes, rows))
    if operands and working is not None:
        others = (rivals or {}).get("quantity", {}) if any(code.startswith("quantity") for code in causes) else {}
        return tuple(_of_line(number, computed, operands, working, others, line))
    return (parting(number, computed, formula),)


def _of_sum(number: Number, computed: float, causes: Sequence[str], rows: Sequence[Row]) -> list[str]:
    exact = [row.exact for row in rows]
    printed = [row.number.nearest_float for row in rows]
    found: list[str] = []
    for i, row in enumerate(rows, start=1):
        if not row.right:
            term = f"{_linked(row.name)} is {row.number.nearest_float:.6g}"
            found.append(f"rank {row.rank}: {row.working}, but {term}: {PARTS}")
            inherited = any(code.startswith("inherited") for code in causes)
            either = "" if inherited else f", not {_printed(number)} either"
            adds = f"the line as printed adds up to {math.fsum(printed):.6g}{either}"
            return [*found, adds, _rounded(number, computed)]
        total, as_printed = f"{math.fsum(exact[:i]):.6g}", f"{math.fsum(printed[:i]):.6g}"
        these = "terms as printed" if row.printed else "rounded terms"
        also = "" if as_printed == total else f", of the {these} {as_printed}"
        found.append(f"rank {row.rank}: {row.said}" + (f"; the sum is {total}{also}" if i > 1 else ""))
    found.append(parting(number, computed))
    for i, row in enumerate(rows) if tuple(causes) == ("term",) else ():
        for label, wrong in term_variants(row.gain, row.rank, row.divisors, row.convention):
            total_with = math.fsum([*exact[:i], wrong, *exact[i + 1 :]])
            if number.covers(total_with):
                found.append(
                    f"with {label} its term is {wrong:.6g} instead of {row.exact:.6g}, "
                    f"and the sum is {number.beside(total_with)}"
                )
    return found


def _of_line(
    number: Number,
    computed: float,
    operands: Sequence[Operand],
    working: Working,
    others: Mapping[str, float],
    line: Line | None,
) -> list[str]:
    found, parted = [], False
    for each in operands:
        said, parts = _operand(each, others)
        found.append(f"{said}: {PARTS}" if parts and not parted else said)
        parted = parted or parts
    as_printed = work(working, [each.number.nearest_float for each in operands])
    if as_printed is not None:
        shown = f", {_formula(line(*(each.number.text for each in operands)))}," if line else ""
        found.append(f"the line as printed{shown} gives {as_printed:.6g}")
    exact = [each.exact for each in operands if each.exact is not None]
    if line and len(exact) == len(operands):
        texts = [each.number.beside(value) for each, value in zip(operands, exact, strict=True)]
        right = work(working, exact)
        if right is not None and math.isclose(right, computed, rel_tol=1e-9):
            found.append(f"with the exact numbers, {_formula(line(*texts))}, it gives {number.beside(right)}")
    return [*found, _rounded(number, computed) if parted else parting(number, computed)]


def _operand(operand: Operand, others: Mapping[str, float]) -> tuple[str, bool]:
    """What an operand is, and whether the print parts there."""
    text, exact = operand.number.text, operand.exact
    exactly = "" if exact is None else f"exactly {operand.number.beside(exact)}"
    own = f"{_linked(operand.name)}, {exactly}," if operand.name else exactly
    for label, value in others.items():
        if is_print_of(operand, value):
            instead = f", where {own} belongs" if exactly else ""
            return f"{text} is {literal(label)}, exactly {operand.number.beside(value)}{instead}", True
    if exact is None:
        return f"{text} is taken as printed", False
    if exact == operand.number.nearest_float:
        return f"{text} is exact", False
    if operand.is_slip:
        return f"{text} stands for {own.removesuffix(',')}, a slip of its own", True
    return f"{text} stands for {literal(operand.name) + ', ' if operand.name else ''}{exactly}", False


def _linked(name: str) -> str:
    return f"[{literal(name)}](#{slug(name)})"


def _printed(number: Number) -> str:
    return _formula(number.text)


def _formula(text: str) -> str:
    """A term or a line as printed, on one line: in dollars where it is LaTeX."""
    text = " ".join(re.sub(r"\\\\|[&$]", " ", text).split())
    return in_dollars(text) if re.search(r"[\\^_]", text) else literal(text)


def _has(number: Number) -> str:
    value = f", which is {number.nearest_float:.6g}" if number.exact else ""
    return f"the print has {_printed(number)}{value}: {PARTS}"


def _rounded(number: Number, computed: float, formula: str = "") -> str:
    """The exact value, and its right rounding at the digits of the print."""
    exactly = (
        f"{literal(formula)} = {number.beside(computed)}"
        if formula
        else f"the exact value is {number.beside(computed)}"
    )
    if number.exact:
        return exactly
    decimals, tail, *_ = number.form
    how = f"to {decimals} decimal{'s' if decimals > 1 else ''}" if decimals else "to a whole number"
    return f"{exactly}, rounded {'as the print is' if tail else how} {number.at(number.nearest(computed))}"
