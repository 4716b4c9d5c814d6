"""What a chapter calls: the number as stated beside its computation, judged and shown.

The author says beforehand which numbers are slips. A slip that is not declared raises an error, and so does a number
that is declared as a slip but agrees, or that the declared cause does not explain: a slip can neither creep in nor be
forgotten. The verdict and its evidence are shown first, so that the author sees what there is to declare.
"""

import os
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ndcg_ref.conventions.validation import quoted, shortened
from ndcg_ref.stated.causes import as_alternatives
from ndcg_ref.stated.claim import Alternatives, Operand, as_computed, as_number, as_sum
from ndcg_ref.stated.display import Outcome, Record, show
from ndcg_ref.stated.lines import claims_of, read_line
from ndcg_ref.stated.number import Working
from ndcg_ref.stated.printed_tables import Column, as_columns, judged_cells, read_table
from ndcg_ref.stated.subject import UnknownCauseError, codes
from ndcg_ref.stated.verdict import Statement, Verdict, as_operand, judge, verdict_on

LISTING = "NDCG_REF_LIST_SLIPS"  # set to 1 by a build that lists all slips of its notebooks, and stops at none
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
    >>> cells = check_table("n | CG" + chr(10) + "1 | 2" + chr(10) + "2 | 5", {"n": None, "CG": [2, 5]}, "T")
    ✓ agrees: T, row 1, CG: stated 2, computed 2.000
    ✓ agrees: T, row 2, CG: stated 5, computed 5.000
    >>> [cell.name for cell in cells]
    ['T, row 1, CG', 'T, row 2, CG']
    """

    def _ipython_display_(self) -> None:
        """Show nothing: the check that made them has shown them."""


def check(  # noqa: PLR0913 - all that a chapter may say of a number
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
    as_exact: bool = False,
) -> Verdict:
    """Judge a stated number, show the verdict, and hold it to what the chapter declares.

    Parameters
    ----------
    stated : str
        The number as printed; a bare 0 or 1 is exact where `name` says a quantity between 0 and 1, as for `judge`.
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
    as_exact : bool, optional
        Whether the note means the value itself, as in "exactly 1".

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
    __tracebackhide__ = True  # pytest then shows the line of the test and the reason alone
    number = as_number(stated, _name(name), decimal).of(name)
    verdict = judge(
        number.exactly() if as_exact else number,
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
    columns: Mapping[str, Column | Sequence[Any] | None],
    name: str,
    *,
    as_exact: bool = False,
    decimal: str = ".",
) -> Verdicts:
    """Judge a printed table cell by cell.

    Parameters
    ----------
    printed : str
        The table's text, its cells between tabs or pipes; the first line holds the headings. A bare 0 or 1 is exact
        where the heading, or else `name`, says a quantity between 0 and 1.
    columns : mapping
        By heading the computed values of a column, or a `Column` where more is known of it; None where its cells
        state no result.
    name : str
        What the table is; a cell is named by it, its row and its heading.
    as_exact : bool, optional
        Whether the note means each number as the value itself, as in "exactly 1".
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
        If the table is no text, or `columns` no mapping.

    Examples
    --------
    >>> cells = check_table("n | CG" + chr(10) + "1 | 2" + chr(10) + "2 | 5", {"n": None, "CG": [2, 5]}, "Table 1")
    ✓ agrees: Table 1, row 1, CG: stated 2, computed 2.000
    ✓ agrees: Table 1, row 2, CG: stated 5, computed 5.000
    """
    __tracebackhide__ = True
    table = read_table(printed, _name(name))
    verdicts, declared, layout = judged_cells(table, as_columns(columns, table), decimal, as_exact)
    if not verdicts:
        raise ValueError(f"{shortened(name)}: expected at least one cell to judge, got only skipped ones")
    return _shown(verdicts, declared, layout)


def check_equation(  # noqa: PLR0913 - all that a chapter may say of a line
    text: str,
    name: str,
    *,
    exact: float | None = None,
    terms: Any = None,
    slip: str | None = None,
    term_slips: Mapping[int, str] | None = None,
    operands: Collection[Verdict] | Mapping[str, Verdict] = (),
    alternatives: Alternatives | None = None,
    as_exact: bool = False,
) -> Verdict:
    r"""Judge a printed line ``name = working = result``: its result, and each of its terms.

    Parameters
    ----------
    text : str
        The line as printed, LaTeX or plain; it ends in the result. A bare 0 or 1 behind ``=`` is exact where `name`, or
        else the line, says a quantity between 0 and 1.
    name : str
        What the result is; unique in its chapter.
    exact : float, optional
        The exact value; without it the sum of the `terms`, or else what the line's first side with a value gives.
    terms : optional
        What the subject says the sum of the line by: of discounted gains (grades, Convention or the name of a preset).
        Each printed term is held to its own; zeros may be left out, all of them.
    slip : str, optional
        The code of the cause, where the result is known to be a slip.
    term_slips : mapping, optional
        The declared causes of wrong terms, by their number in the line, from 1.
    operands : collection of Verdict, or mapping, optional
        Earlier verdicts: a number of the line with the same text is theirs. A mapping from a number of the line to
        the verdict of what belongs there says it where the texts differ.
    alternatives : mapping, optional
        Other values, as for `judge`; with `terms` those of `alternatives_for` are added.
    as_exact : bool, optional
        Whether the line means its result as the value itself, as in "exactly 1".

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
    >>> from ndcg_ref.conventions.convention import ORIGINAL
    >>> verdict = check_equation(r"DCG = 2 + \frac{3}{\log_2 2} = 5.0", "DCG", terms=([2, 3], ORIGINAL))
    ✓ agrees: DCG: stated 5.0, computed 5.0000
    """
    __tracebackhide__ = True
    value = None if exact is None else as_computed(exact, None, name)
    others = as_alternatives(alternatives, name)
    log_base, added = None, None
    if terms is not None:
        quantity, example = as_sum(terms, f"{shortened(_name(name))}: terms")
        log_base, added = quantity.subject.log_base(example), quantity.terms(example)
        known = quantity.alternatives(example)
        others = {kind: {**known.get(kind, {}), **others.get(kind, {})} for kind in {**known, **others}}
    earlier = _earlier(operands, name)
    line = read_line(text, _name(name), log_base)
    printed = {number.text for side in line.worked for number in side.operands}
    for number, each in earlier:
        if number not in printed:
            raise StatedError(f"{shortened(name)}: expected {number}, {each.name}, in the line, got {quoted(text)}")
    claim, wrong = claims_of(line, value, added, earlier, others)
    idle = set(term_slips or ()) - {i for i, _ in wrong}
    said = f"{shortened(name)}: term_slips names the terms {list(idle)}, which are right or not there" if idle else ""
    declared = [slip, *((term_slips or {}).get(i) for i, _ in wrong)]
    result = verdict_on(replace(claim, number=claim.number.exactly()) if as_exact else claim)
    verdicts = [result, *(verdict_on(term) for _, term in wrong)]
    return _shown(verdicts, declared, {"printed": text}, said)[0]


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
    __tracebackhide__ = True
    where = shortened(_name(sentence))
    if label is not None and not (isinstance(label, str) and LABEL.fullmatch(label)):
        raise ValueError(
            f"{where}: label: expected lower case, digits and hyphens, such as 'at-most-1', got {quoted(label)}"
        )
    if not isinstance(truth, bool) and getattr(getattr(truth, "dtype", None), "kind", "") != "b":
        raise TypeError(f"{where}: expected True or False as computed, got {quoted(truth)}")
    statement = Statement(
        sentence=sentence,
        truth=bool(truth),
        counterexample=counterexample,
        declared=slip,
        correct=correct,
        label=label,
        displayed=True,
    )
    declared = slip or counterexample or correct
    wanted = {
        ", and the chapter does not declare it (add slip=, correct= and a counterexample)": slip,
        "; expected a counterexample that a reader can redo, got none": counterexample,
        "; expected what to say instead, got nothing (add correct=)": correct,
    }
    problems = [f"{where}: does not hold{said}" for said, given in wanted.items() if not truth and not given][:1]
    problems += [f"{where}: holds, but the chapter declares it a slip: {declared}"] if truth and declared else []
    _show_or_refuse([statement.record()], None, problems)
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
    __tracebackhide__ = True
    shown = Verdicts(
        replace(verdict, declared=slip, displayed=True) for verdict, slip in zip(verdicts, declared, strict=True)
    )
    _show_or_refuse([verdict.record() for verdict in shown], layout, [problem, *map(problem_of, shown)])
    return shown


def _show_or_refuse(records: Sequence[Record], layout: Mapping[str, Any] | None, problems: Sequence[str]) -> None:
    """Show records; then refuse what is wrong with them, or keep it in the output, for a build that lists all."""
    __tracebackhide__ = True
    found = list(filter(None, problems))
    listed = bool(found) and os.environ.get(LISTING) == "1"
    evidence = bool(found) and records[0]["kind"] != "sentence"  # which has its own in its line
    show(records, {**(layout or {}), "problems": found} if listed else layout, evidence)
    if found and not listed:
        raise StatedError("\n".join(found))


def declaring(verdict: Verdict, slip: str | None) -> Verdict:
    """The verdict with the cause that its author declares; or a refusal of one that is none.

    >>> declaring(judge("8.32", 8.32553, "DCG"), "truncated").declared
    'truncated'
    """
    if slip is not None and slip not in codes():
        raise UnknownCauseError(f"{shortened(verdict.name)}: slip", slip)
    return replace(verdict, declared=slip)


def problem_of(verdict: Verdict, where: str = "chapter", form: str = 'slip="{}"') -> str:
    """Why a verdict is not the one that its author declares at that place, in that form; empty where it is.

    >>> problem_of(judge("8.32", 8.32553, "DCG"), "page", ":slip: {}").partition(" (")[0]
    'DCG: stated 8.32, computed 8.32553: a slip that the page does not declare'
    """
    said = f"{shortened(verdict.name)}: stated {verdict.stated}, computed {verdict.computed_text}"
    slip = verdict.declared
    declared, option = form.format(slip), form.partition("{")[0].rstrip(' "')
    if slip is not None and slip not in codes():
        return str(UnknownCauseError(f"{shortened(verdict.name)}: slip", slip))
    if verdict.outcome is Outcome.SLIP and slip is None:
        causes = " or ".join(map(form.format, verdict.causes))
        return (
            f"{said}: a slip that the {where} does not declare "
            f"(a typing error here? if the note prints this, add {causes})"
        )
    if verdict.outcome is not Outcome.SLIP and slip is not None:
        return (
            f'{said}: the {where} declares {declared}, but the verdict is "{verdict.outcome}" '
            f"(mended in the note? take {option} away)"
        )
    if slip is not None and slip not in verdict.causes:
        return f"{said}: the {where} declares {declared}, but the printed value is {verdict.explanation}"
    return ""


def _earlier(operands: Any, name: str) -> list[tuple[str, Operand]]:
    """The numbers of a line that earlier verdicts know; or a refusal."""
    unnamed = ((getattr(each, "stated", ""), each) for each in operands)
    given = list(operands.items() if isinstance(operands, Mapping) else unnamed)
    if not all(isinstance(each, Verdict) for _, each in given):
        raise TypeError(f"{shortened(name)}: operands: expected earlier verdicts, got {quoted(operands)}")
    return [(printed, as_operand(each)) for printed, each in given]
