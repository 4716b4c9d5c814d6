"""What a chapter calls: the number as stated beside its computation, judged and shown.

The author says beforehand which numbers are slips. A slip that nobody declared raises, and so does a declared one
that is none, or that the declared cause does not explain: a slip can neither creep in nor be forgotten. The verdict and
its evidence are shown first, so that the author sees what there is to declare.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from typing import Any

from ndcg_ref import plain
from ndcg_ref.convention import Convention
from ndcg_ref.named import as_convention
from ndcg_ref.stated.alternatives import alternatives_for, term_variants
from ndcg_ref.stated.causes import CODES, as_alternatives
from ndcg_ref.stated.claim import (
    Alternatives,
    Claim,
    Operand,
    Term,
    Working,
    as_computed,
    as_number,
    could_be_rounded,
)
from ndcg_ref.stated.display import Outcome, show
from ndcg_ref.stated.equation import Side, read_equation
from ndcg_ref.stated.number import Number
from ndcg_ref.stated.verdict import Statement, Verdict, as_operand, judge, verdict_on
from ndcg_ref.validation import quoted

Earlier = Sequence[tuple[str, Verdict]]  # a number of a line, and whose it is
LABEL = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


class StatedError(ValueError):
    """What a note states and what its chapter declares do not fit together.

    Examples
    --------
    >>> try:
    ...     check("8.32", 8.32553, "DCG 2")
    ... except StatedError as error:
    ...     print(str(error).partition(" (")[0])
    ✗ slip: DCG 2: stated 8.32, computed 8.32553, correct 8.33; consistent with truncated
      consistent with truncated: 8.32553, cut to 8.32
    DCG 2: stated 8.32, computed 8.32553: a slip that the chapter does not declare
    """


class Verdicts(tuple[Verdict, ...]):
    """The verdicts of a table, in reading order; shown already, so that a cell may end with them.

    Examples
    --------
    >>> cells = check_table("n | CG" + chr(10) + "1 | 2" + chr(10) + "2 | 5", {"CG": [2, 5]}, "T", skip=["n"])
    ✓ agrees: T, row 1, CG: stated 2, computed 2.000
    ✓ agrees: T, row 2, CG: stated 5, computed 5.000
    >>> [cell.name for cell in cells]
    ['T, row 1, CG', 'T, row 2, CG']
    """

    def _ipython_display_(self) -> None:
        """Show nothing: the check that made them has shown them."""


def check(
    stated: str,
    computed: Any,
    name: str,
    *,
    slip: str | None = None,
    operands: Sequence[str | Verdict] | None = None,
    working: Working | None = None,
    alternatives: Alternatives | None = None,
    reason: str | None = None,
    decimal: str = ".",
) -> Verdict:
    """Judge a stated number, show the verdict, and hold it to what the chapter declares.

    Parameters
    ----------
    stated : str
        The number as printed.
    computed : float or None
        The exact value of its quantity; nan where it has none, None with a `reason` where it was not computed.
    name : str
        What the number is; unique in its chapter.
    slip : str, optional
        The code of the cause, where the number is known to be a slip.
    operands, working, alternatives, reason : optional
        As for `judge`.
    decimal : {".", ","}, optional
        The sign before the decimals.

    Returns
    -------
    Verdict
        The verdict, which has been shown.

    Raises
    ------
    StatedError
        If the number is a slip that was not declared, or the declared cause is not among those found.
    ValueError
        If the number, the computed value or the declared code makes no sense.
    TypeError
        If `stated` is no text or the computed value no number.

    Examples
    --------
    >>> verdict = check("8.32", 8.32553, "DCG 2", slip="truncated")
    ✗ slip: DCG 2: stated 8.32, computed 8.32553, correct 8.33; consistent with truncated
    >>> check("8.32", 8.32553, "DCG 2")
    Traceback (most recent call last):
        ...
    ndcg_ref.stated.checks.StatedError: DCG 2: stated 8.32, computed 8.32553: a slip that the chapter does not declare \
(a typing error here? if the note prints this, add slip="truncated")
    """
    verdict = judge(
        as_number(stated, _name(name), decimal),
        computed,
        name,
        operands=operands,
        working=working,
        alternatives=alternatives,
        reason=reason,
    )
    return _shown([verdict], [slip])[0]


def check_table(
    printed: str,
    columns: Mapping[str, Sequence[Any]],
    name: str,
    *,
    slips: Mapping[tuple[int, str], str] | None = None,
    skip: Collection[str | tuple[int, str]] = (),
    workings: Mapping[str, tuple[Sequence[str], Working]] | None = None,
    terms: Mapping[str, tuple[Sequence[Any], Convention | str]] | None = None,
    formulas: Mapping[str, Sequence[str]] | None = None,
    alternatives: Mapping[str, Sequence[Alternatives]] | None = None,
    decimal: str = ".",
) -> Verdicts:
    """Judge a printed table cell by cell.

    Parameters
    ----------
    printed : str
        The table's text, its cells between tabs or pipes; the first line holds the headings.
    columns : mapping
        The computed values of each column, by heading.
    name : str
        What the table is; a cell is named by it, its row and its heading.
    slips : mapping, optional
        The declared causes by row, counted from 1, and heading.
    skip : collection, optional
        What states no result: headings, and single cells as (row, heading).
    workings : mapping, optional
        How a column is made from others: heading -> (their headings, function), so that slips can be traced.
    terms : mapping, optional
        For a column that adds up discounted gains from the top its ranking and its convention, or the name of a
        preset, so that a slip can be traced to terms that were rounded before they were added.
    formulas : mapping, optional
        For a column by heading what each of its cells stands for, such as ``log2(3)``.
    alternatives : mapping, optional
        For a column by heading the alternatives of each row, as `judge` takes them.
    decimal : {".", ","}, optional
        The sign before the decimals.

    Returns
    -------
    Verdicts
        One verdict a cell, in reading order.

    Raises
    ------
    StatedError
        If a cell is a slip that was not declared, or a declaration does not fit; all such cells are named.
    ValueError
        If the table cannot be read, or headings, rows and computed values do not match.
    TypeError
        If the table is no text, `columns` no mapping, or a cell is not named as (row, heading).

    Examples
    --------
    >>> cells = check_table("n | CG" + chr(10) + "1 | 2" + chr(10) + "2 | 5", {"CG": [2, 5]}, "Table 1", skip=["n"])
    ✓ agrees: Table 1, row 1, CG: stated 2, computed 2.000
    ✓ agrees: Table 1, row 2, CG: stated 5, computed 5.000
    """
    _name(name)
    headings, rows = read_table(printed, name)
    slips, workings = dict(slips or {}), dict(workings or {})
    _match_table(name, headings, rows, columns, slips, skip, workings)
    for what, given in (("alternatives", alternatives or {}), ("formulas", formulas or {})):
        for heading, each_row in given.items():
            if heading not in columns or len(each_row) != len(rows):
                raise ValueError(
                    f"{name}: {what}: expected those of {len(rows)} rows for one of {quoted(list(columns))}, "
                    f"got {quoted(heading)}"
                )
    running = {heading: _running(name, heading, columns, workings, each) for heading, each in (terms or {}).items()}
    order = list(TopologicalSorter({h: workings.get(h, ((),))[0] for h in headings}).static_order())
    verdicts: list[Verdict] = []
    declared: list[str | None] = []
    layout: list[list[str | int]] = []
    for row, cells in enumerate(rows, start=1):
        texts = dict(zip(headings, cells, strict=True))
        judged: dict[str, Verdict] = {}
        for heading in order:  # a column that is made from others comes after them
            if heading in skip or (row, heading) in skip:
                continue
            needed, working = workings.get(heading, ((), None))
            where = f"{name}, row {row}, {heading}"
            number = as_number(texts[heading], where, decimal)
            made_from = [
                judged.get(each) or _given(texts[each], f"{name}, row {row}, {each}", decimal) for each in needed
            ]
            operands = tuple(as_operand(each) for each in made_from)
            added = tuple(_rounded_as(number, each) for each in running.get(heading, ())[:row] if not number.exact)
            if added:
                operands, working = tuple(term.operand for term in added), _total
            others = alternatives[heading][row - 1] if alternatives and heading in alternatives else None
            judged[heading] = verdict_on(
                Claim(
                    number=number,
                    computed=as_computed(columns[heading][row - 1], None, where),
                    name=where,
                    operands=operands,
                    working=working,
                    alternatives=as_alternatives(others, where),
                    terms=added,
                    formula=formulas[heading][row - 1] if formulas and heading in formulas else "",
                )
            )
        line: list[str | int] = []
        for heading in headings:
            if heading in judged:
                line.append(len(verdicts))
                verdicts.append(judged[heading])
                declared.append(slips.get((row, heading)))
            else:
                line.append(texts[heading])
        layout.append(line)
    if not verdicts:
        raise ValueError(f"{name}: expected at least one cell to judge, got only skipped ones")
    return _shown(verdicts, declared, {"table": {"heading": headings, "rows": layout}})


def check_equation(
    text: str,
    name: str,
    *,
    exact: float | None = None,
    terms: tuple[Sequence[Any], Convention | str] | None = None,
    slip: str | None = None,
    term_slips: Mapping[int, str] | None = None,
    operands: Collection[Verdict] | Mapping[str, Verdict] = (),
    alternatives: Alternatives | None = None,
) -> Verdict:
    r"""Judge a printed line ``name = working = result``: its result, and each of its terms.

    Parameters
    ----------
    text : str
        The line as printed, LaTeX or plain; it ends in the result.
    name : str
        What the result is; unique in its chapter.
    exact : float, optional
        The exact value; without it the DCG that `terms` give, or else what the line's first side with a value gives.
    terms : (grades, Convention or str), optional
        The ranking whose discounted gains the line adds up, and the convention or the name of a preset. Each printed
        term is held to its own; zeros may be left out, all of them.
    slip : str, optional
        The code of the cause, where the result is known to be a slip.
    term_slips : mapping, optional
        The declared causes of wrong terms, by their number in the line, from 1.
    operands : collection of Verdict, or mapping, optional
        Earlier verdicts: a number of the line with the same text is theirs. A mapping from a number of the line to
        the verdict of what belongs there says it where the texts differ.
    alternatives : mapping, optional
        Other values, as for `judge`; with `terms` those of `alternatives_for` are added.

    Returns
    -------
    Verdict
        That of the result, its `discrepancies` holding each side that does not follow from the one before. A wrong
        term has a verdict of kind "term", shown behind it.

    Raises
    ------
    StatedError
        If a slip was not declared, a declaration does not fit, or an earlier verdict is given whose number is not in
        the line.
    ValueError
        If the line cannot be read, does not end in a number, or has other terms than the ranking.
    TypeError
        If the line is no text, or the exact value no number.

    Examples
    --------
    >>> from ndcg_ref.convention import ORIGINAL
    >>> verdict = check_equation(r"DCG = 2 + \frac{3}{\log_2 2} = 5.0", "DCG", terms=([2, 3], ORIGINAL))
    ✓ agrees: DCG: stated 5.0, computed 5.0000
    """
    _name(name)
    given = list(operands.values() if isinstance(operands, Mapping) else operands)
    if not all(isinstance(each, Verdict) for each in given):
        raise TypeError(f"{name}: operands: expected earlier verdicts, got {quoted(operands)}")
    earlier = list(operands.items()) if isinstance(operands, Mapping) else [(each.stated, each) for each in given]
    summed = None if terms is None else _as_terms(terms, f"{name}: terms")
    alternatives = as_alternatives(alternatives, name)
    sides = _sides(text, name, summed)
    result = sides[-1].number
    assert result is not None  # _sides has refused a line that does not end in a number
    worked = [side for side in sides[:-1] if side.value is not None]
    for printed, each in earlier:
        if not any(printed == number.text for side in worked for number in side.operands):
            raise StatedError(f"{name}: expected {printed}, {each.name}, in the line, got {quoted(text)}")
    wrong_terms: list[tuple[int, Verdict]] = []
    known: tuple[Operand, ...] = ()
    added: tuple[Term, ...] = ()
    working: Working | None = None
    last: Side | None = None
    if summed is not None:
        added, wrong_terms = _terms(worked, name, *summed, earlier)
        known, working = tuple(term.operand for term in added), _total
        exact = plain.dcg(summed[0], convention=summed[1]) if exact is None else exact
        alternatives = _merged(alternatives_for("dcg", *summed), alternatives)
    elif worked:
        last = worked[-1]
        known = tuple(_known(number, earlier) for number in last.operands)
        working = last.with_operands if known else None
        exact = worked[0].value if exact is None else exact
    if exact is None:
        raise ValueError(f"{name}: expected exact= or a side with a value, got only names in {quoted(text)}")
    value = as_computed(exact, None, name)
    assert value is not None  # or it has been refused
    verdict = verdict_on(
        Claim(
            number=result,
            computed=value,
            name=name,
            operands=known,
            working=working,
            alternatives=alternatives,
            terms=added,
            line=last.text_with if last else None,
            discrepancies=_discrepancies([*worked, sides[-1]], value),
        )
    )
    declared = [slip, *((term_slips or {}).get(i) for i, _ in wrong_terms)]
    idle = set(term_slips or ()) - {i for i, _ in wrong_terms}
    said = f"{name}: term_slips names the terms {list(idle)}, which are right or not there" if idle else ""
    return _shown([verdict, *(term for _, term in wrong_terms)], declared, {"printed": text}, said)[0]


def holds(
    sentence: str,
    truth: Any,
    counterexample: str | None = None,
    *,
    label: str | None = None,
    slip: str | None = None,
    correct: str | None = None,
) -> Statement:
    """Show a statement in words, with whether it holds.

    Parameters
    ----------
    sentence : str
        The statement.
    truth : bool
        Whether it holds, as computed.
    counterexample : str, optional
        For a false statement, an input on which the reader can see it fail.
    label : str, optional
        A short name, in lower case and with hyphens, for sentences of the chapter to link to: ``[never](#label)``.
    slip : str, optional
        For a false statement, how it came about, in words.
    correct : str, optional
        For a false statement, what to say instead, in words.

    Returns
    -------
    Statement
        The statement, which has been shown.

    Raises
    ------
    StatedError
        If a false statement comes without `slip`, a counterexample or `correct`, or a true one with any of them.
    ValueError
        If the label is none, or the sentence has more lines than one.
    TypeError
        If `truth` is not a bool.

    Examples
    --------
    >>> statement = holds("The ideal order has an NDCG of 1", 2 / 2 == 1)
    ✓ agrees: The ideal order has an NDCG of 1
    """
    _name(sentence)
    if label is not None and not (isinstance(label, str) and LABEL.fullmatch(label)):
        raise ValueError(
            f"{sentence}: label: expected lower case, digits and hyphens, such as 'at-most-1', got {quoted(label)}"
        )
    if not isinstance(truth, bool) and getattr(getattr(truth, "dtype", None), "kind", "") != "b":
        raise TypeError(f"{sentence}: expected True or False as computed, got {quoted(truth)}")
    statement = Statement(
        sentence=sentence,
        truth=bool(truth),
        counterexample=counterexample,
        declared=slip,
        correct=correct,
        label=label,
        displayed=True,
    )
    show([statement.record()])
    declared = slip or counterexample or correct
    if truth and declared:
        raise StatedError(f"{sentence}: holds, but the chapter declares it a slip: {declared}")
    if not truth and not slip:
        raise StatedError(
            f"{sentence}: does not hold, and the chapter does not declare it (add slip=, correct= and a counterexample)"
        )
    if not truth and not counterexample:
        raise StatedError(f"{sentence}: does not hold; expected a counterexample that a reader can redo, got none")
    if not truth and not correct:
        raise StatedError(f"{sentence}: does not hold; expected what to say instead, got nothing (add correct=)")
    return statement


def _name(name: Any) -> str:
    if not isinstance(name, str) or len(name.splitlines()) != 1 or not name.strip():
        raise ValueError(f"name: expected what the number is, in words, got {quoted(name)}")
    return name


def _shown(
    verdicts: Sequence[Verdict],
    declared: Sequence[str | None],
    layout: Mapping[str, Any] | None = None,
    problem: str = "",
) -> Verdicts:
    """The verdicts with what was declared, shown; then a refusal that names all that do not fit, and one `problem`."""
    for verdict, slip in zip(verdicts, declared, strict=True):
        if slip is not None and slip not in CODES:
            raise ValueError(f"{verdict.name}: slip: expected one of {', '.join(CODES)}, got {quoted(slip)}")
    shown = Verdicts(
        replace(verdict, declared=slip, displayed=True) for verdict, slip in zip(verdicts, declared, strict=True)
    )
    problems = [problem, *(_problem(verdict, slip) for verdict, slip in zip(verdicts, declared, strict=True))]
    show([verdict.record() for verdict in shown], layout, evidence=any(problems))
    if any(problems):
        raise StatedError("\n".join(filter(None, problems)))
    return shown


def _problem(verdict: Verdict, slip: str | None) -> str:
    said = f"{verdict.name}: stated {verdict.stated}, computed {verdict.computed_text}"
    if verdict.outcome is Outcome.SLIP and slip is None:
        codes = " or ".join(f'slip="{code}"' for code in verdict.causes)
        return (
            f"{said}: a slip that the chapter does not declare "
            f"(a typing error here? if the note prints this, add {codes})"
        )
    if verdict.outcome is not Outcome.SLIP and slip is not None:
        return (
            f'{said}: the chapter declares slip="{slip}", but the verdict is "{verdict.outcome}" '
            "(mended in the note? take slip= away)"
        )
    if slip is not None and slip not in verdict.causes:
        return f'{said}: the chapter declares slip="{slip}", but the printed value is {verdict.explanation}'
    return ""


def _given(text: str, name: str, decimal: str) -> Verdict:
    """A cell that states no result, such as a given grade: right as it stands."""
    number = as_number(text, name, decimal)
    if math.isinf(number.nearest_float):
        raise ValueError(f"{name}: expected a number within the range of a float, got {quoted(text)}")
    return Verdict(number=number, computed=number.nearest_float, name=name)


def read_table(printed: str, name: str) -> tuple[list[str], list[list[str]]]:
    """The headings and the rows of a printed table, as texts."""
    if not isinstance(printed, str):
        raise TypeError(f"{name}: expected a table as text, got {quoted(printed)}")
    lines = [line for line in printed.splitlines() if line.strip()]
    if len(lines) < 2:
        raise ValueError(f"{name}: expected a heading line and at least one row, got {len(lines)} lines")
    sign = "\t" if "\t" in lines[0] else "|"
    if sign not in lines[0]:
        raise ValueError(f"{name}: expected cells between tabs or pipes, got the heading line {quoted(lines[0])}")
    rows = [_cells(line, sign) for line in lines]
    if sign == "|" and all(re.fullmatch(":?-{2,}:?", cell) for cell in rows[1]):
        del rows[1]
    headings, *rows = rows
    if not rows:
        raise ValueError(f"{name}: expected at least one row below the headings, got none")
    if len(set(headings)) < len(headings):
        twice = next(heading for heading in headings if headings.count(heading) > 1)
        raise ValueError(f"{name}: expected a heading of its own for each column, got {quoted(twice)} twice")
    for i, row in enumerate(rows, start=1):
        if len(row) != len(headings):
            raise ValueError(f"{name}, row {i}: expected {len(headings)} cells, got {len(row)}: {quoted(row)}")
    return headings, rows


def _cells(line: str, sign: str) -> list[str]:
    line = line.strip().removeprefix("|").removesuffix("|") if sign == "|" else line
    return [cell.strip() for cell in line.split(sign)]


def _match_table(
    name: str,
    headings: list[str],
    rows: list[list[str]],
    columns: Mapping[str, Sequence[Any]],
    slips: Mapping[tuple[int, str], str],
    skip: Collection[str | tuple[int, str]],
    workings: Mapping[str, tuple[Sequence[str], Working]],
) -> None:
    """Refuse a table whose parts do not fit together: nothing is passed over in silence."""
    if not isinstance(columns, Mapping):
        raise TypeError(f"{name}: columns: expected a mapping from heading to computed values, got {quoted(columns)}")
    if isinstance(skip, str):
        raise TypeError(f"{name}: skip: expected a collection of headings, got the text {quoted(skip)}")
    single = [each for each in skip if not isinstance(each, str)] + list(slips)
    for each in single:
        if not isinstance(each, tuple) or len(each) != 2:
            raise TypeError(f"{name}: expected a cell as (row, heading), got {quoted(each)}")
    named = [each for each in skip if isinstance(each, str)] + [heading for _, heading in single]
    for heading in [*columns, *named, *workings, *(each for needed, _ in workings.values() for each in needed)]:
        if heading not in headings:
            raise ValueError(f"{name}: expected one of the headings {quoted(headings)}, got {quoted(heading)}")
    for heading in headings:
        if (heading in columns) == (heading in skip):
            raise ValueError(
                f"{name}: expected the column {quoted(heading)} either in columns or in skip, "
                f"found it in {'both' if heading in skip else 'neither'}"
            )
    for heading, values in columns.items():
        if isinstance(values, Mapping):
            raise TypeError(
                f"{name}: columns[{quoted(heading)}]: expected a sequence, one value a row, got {quoted(values)}"
            )
        if len(values) != len(rows):
            raise ValueError(
                f"{name}: expected {len(rows)} computed values of {quoted(heading)}, one a row, got {len(values)}"
            )
    for row, heading in single:
        if row not in range(1, len(rows) + 1):
            raise ValueError(f"{name}: expected a row from 1 to {len(rows)}, got {row} under {quoted(heading)}")
    for row, heading in slips:
        if heading in skip or (row, heading) in skip:
            raise ValueError(f"{name}, row {row}, {heading}: declared a slip, but skipped")
    try:
        TopologicalSorter({heading: needed for heading, (needed, _) in workings.items()}).prepare()
    except CycleError as error:
        raise ValueError(f"{name}: workings: expected no column to be made from itself, got {error.args[1]}") from None


def _sides(text: str, name: str, terms: tuple[Sequence[Any], Convention] | None) -> tuple[Side, ...]:
    try:
        chains = read_equation(text, log_base=terms[1].base if terms else None).chains
        [(side.value, side.number) for chain in chains for side in chain]
    except TypeError as error:
        raise TypeError(f"{name}: {error}") from None
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None
    if len(chains) != 1:
        raise ValueError(f"{name}: expected one equation, got {len(chains)} in {quoted(text)}")
    if chains[0][-1].number is None:
        raise ValueError(f"{name}: expected the line to end in a number, got {quoted(chains[0][-1].text)}")
    return chains[0]


def _terms(
    sides: Sequence[Side], name: str, grades: Sequence[Any], convention: Convention, earlier: Earlier
) -> tuple[tuple[Term, ...], list[tuple[int, Verdict]]]:
    """The printed terms of the last side that has them all; and what is wrong in any side."""
    expected = _discounted(grades, convention)
    others = [term for term in expected if term.gain != 0]
    found: tuple[Term, ...] | None = None
    wrong: list[tuple[int, Verdict]] = []
    for side in sides:
        complete = next((each for each in (expected, others) if len(side.terms) == len(each)), None)
        if complete is None:
            continue
        behind = "" if found is None else f" of {side.text}"
        found = ()
        for i, (printed, right) in enumerate(zip(side.terms, complete, strict=True), start=1):
            number = _term_number(printed)
            agrees = number.covers(right.exact) or _is_rounded(printed, right.exact)
            term = replace(right, number=number, right=agrees, name=f"{name}, term {i}{behind}", printed=True)
            found += (term,)
            if not agrees:
                wrong.append((i, _wrong_term(term, grades[term.rank - 1], convention, earlier)))
    if found is None:
        got = f"got {len(sides[0].terms)} in {quoted(sides[0].text)}" if sides else "got no side that can be read"
        raise ValueError(f"{name}: expected {len(expected)} terms, or the {len(others)} other than 0, {got}")
    return found, wrong


def _wrong_term(term: Term, grade: float, convention: Convention, earlier: Earlier) -> Verdict:
    """The verdict on a printed term that is not the right one."""
    copied = [
        Operand(term.number, each.computed, each.name) for printed, each in earlier if printed == term.number.text
    ]
    return verdict_on(
        Claim(
            number=term.number,
            computed=term.exact,
            name=term.name,
            kind="term",
            operands=tuple(copied[:1]),
            working=_total if copied else None,
            alternatives={"term": term.variants},
            terms=(term,),
            formula=_term_formula(grade, term, convention) if "\\" in term.number.text else "",
        )
    )


def _discounted(grades: Sequence[Any], convention: Convention) -> list[Term]:
    """The terms of a ranking, none of them printed."""
    gained = plain.gains(grades, convention)
    divisors = plain.discounts(len(gained) + 1, convention)
    unread = Number("", 0, Fraction(1))
    return [
        Term(
            rank,
            gain,
            divisors[rank - 1],
            unread,
            variants=dict(term_variants(gain, rank, divisors, convention)),
            printed=False,
        )
        for rank, gain in enumerate(gained, start=1)
    ]


def _is_rounded(term: Side, exact: float) -> bool:
    """Whether a term worked with rounded numbers, such as 2/1.585, can be the exact one."""
    if term.number is not None:
        return False
    return bool(term.operands) and could_be_rounded(
        [Operand(each) for each in term.operands], term.with_operands, exact
    )


def _term_number(term: Side) -> Number:
    """A term as a printed number; an expression, such as a fraction with a logarithm, states its value exactly."""
    if term.number is not None:
        return term.number
    assert term.value is not None  # a side with a name in it has no terms
    above, below = term.value.as_integer_ratio()
    return Number(term.text, above, Fraction(1, below), exact=True)


def _term_formula(grade: float, term: Term, convention: Convention) -> str:
    """The right term in LaTeX; empty where the convention has a table or a function of its own."""
    shown = f"{grade:g}"
    power = shown if len(shown) == 1 else f"{{{shown}}}"
    gain = convention.gain if isinstance(convention.gain, str) else ""
    discount = convention.discount if isinstance(convention.discount, str) else ""
    numerator = {"linear": shown, "exponential": f"2^{power}-1"}.get(gain)
    argument = {"log(rank+1)": term.rank + 1, "log(rank)": term.rank}.get(discount)
    if numerator is None or grade < 0 or (argument is None and discount != "none"):
        return ""
    if argument is None or term.discount == 1:
        return numerator
    base = {2: r"\log_2", 10: r"\log_{10}", math.e: r"\ln"}.get(convention.base, rf"\log_{{{convention.base:g}}}")
    return rf"\frac{{{numerator}}}{{{base} {argument}}}"


def _running(
    name: str,
    heading: str,
    columns: Mapping[str, Sequence[Any]],
    workings: Mapping[str, Any],
    terms: tuple[Sequence[Any], Convention | str],
) -> list[Term]:
    """The terms of a column that adds them up from the top; or a refusal."""
    where = f"{name}: terms[{quoted(heading)}]"
    grades, convention = _as_terms(terms, where)
    if heading not in columns or heading in workings:
        raise ValueError(f"{where}: expected a column to judge that has no working, got one of {list(columns)}")
    added = _discounted(grades, convention)
    sums = [math.fsum(term.exact for term in added[:rank]) for rank in range(1, len(added) + 1)]
    found = list(columns[heading])
    if len(sums) != len(found) or not all(map(math.isclose, sums, found)):
        raise ValueError(f"{where}: expected terms that add up to the column's {found}, got {sums}")
    return added


def _as_terms(terms: Any, where: str) -> tuple[Sequence[Any], Convention]:
    if not (isinstance(terms, tuple) and len(terms) == 2 and isinstance(terms[1], Convention | str)):
        raise TypeError(f"{where}: expected (grades, Convention), got {quoted(terms)}")
    return terms[0], as_convention(terms[1])


def _rounded_as(number: Number, term: Term) -> Term:
    """A term that the note does not show, rounded as its sum is printed."""
    units = number.nearest(term.exact)
    return replace(term, number=replace(number, units=units, text=number.at(units)))


def _known(number: Number, earlier: Earlier) -> Operand:
    for printed, verdict in earlier:
        if printed == number.text and verdict.computed_text is not None:
            return Operand(number, verdict.computed, verdict.name)
    return Operand(number)


def _discrepancies(sides: Sequence[Side], exact: float) -> tuple[str, ...]:
    """Each side that does not follow from the side before it, in words."""
    found = []
    for before, side in pairwise(sides):
        assert before.value is not None  # the caller passes sides with a value
        if side.number is None:
            follows = could_be_rounded([Operand(number) for number in side.operands], side.with_operands, before.value)
        elif side is sides[-1] and math.isclose(before.value, exact, rel_tol=1e-12):
            follows = True  # or the verdict says that it does not
        else:
            follows = side.number.covers(before.value)
        if not follows:
            found.append(f"the printed working gives {before.value:.6g}, not {side.text}")
    return tuple(found)


def _total(*terms: float) -> float:
    return math.fsum(terms)


def _merged(some: Alternatives, more: Alternatives) -> Alternatives:
    return {kind: {**some.get(kind, {}), **more.get(kind, {})} for kind in {**some, **more}}
