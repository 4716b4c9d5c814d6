"""What an author types on a page without code: an equation or a table; judged.

They are what the directive `ndcg` takes. Its options are the settings of `ndcg_ref.subjects.measure_calls`, which also
reads what the role `ndcg` takes.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ndcg_ref.conventions.validation import quoted, shortened
from ndcg_ref.formulas import plain
from ndcg_ref.formulas.measured_ranking import MEASURES, QUANTITIES, Ranking
from ndcg_ref.notes.words import quantity_of
from ndcg_ref.stated.checks import declaring
from ndcg_ref.stated.lines import claims_of, read_line
from ndcg_ref.stated.printed_tables import Column, as_columns, judged_cells, read_table
from ndcg_ref.stated.verdict import Verdict, verdict_on
from ndcg_ref.subjects.measure_calls import NAMES, Settings, quantity_in, ranking_of
from ndcg_ref.subjects.ranking import MeasuredSum, alternatives_of

OPTIONS = (*NAMES, "slip")
_CELL = re.compile(r"\s*(?P<heading>.+?)\s+(?P<row>[0-9]{1,4})\s*:\s*(?P<code>\S+)\s*")


@dataclass(frozen=True)
class Typed:
    """Verdicts in reading order, and their layout as `ndcg_ref.stated.display.bundle` takes it: a line or a table."""

    verdicts: Sequence[Verdict]
    layout: Mapping[str, Any] = field(default_factory=dict)


def judged_equation(text: str, name: str, options: Settings) -> Typed:
    """The verdicts on an equation that ends in a number, in LaTeX or plain: on its result, then on each wrong term.

    With the option "grades", beside which there may be others, it is a measure, with whose name it begins; without, it
    is held to its own working.

    >>> print(judged_equation("DCG = 3/1 + 0/1.585 + 2/2 = 4.01", "DCG", {"grades": "3, 0, 2"}).verdicts[0])
    ✗ slip: DCG: stated 4.01, computed 4.00000, correct 4.00; unexplained
    """
    for beside in () if "grades" in options else NAMES:
        if beside in options:
            raise ValueError(f"expected the option grades beside {beside}, got none")
    if "grades" in options:
        measure, ranking = _named_measure(text, name, options)
        line = read_line(text, name, ranking.rule().base)
        is_sum = measure in MEASURES and measure != "NDCG" and line.worked
        terms = MeasuredSum(measure, ranking).terms if is_sum else None
        alternatives = alternatives_of(measure, ranking) if measure in MEASURES else {}
        claim, wrong = claims_of(line, ranking.value(measure), terms, (), alternatives)
    else:
        claim, wrong = claims_of(read_line(text, name), None, None, (), {})
    result = declaring(verdict_on(claim), options.get("slip"))
    return Typed([result, *(verdict_on(term) for _, term in wrong)], {"printed": text})


def judged_table(text: str, name: str, options: Settings) -> Typed:
    """The verdicts on a table, a row for each rank; each column is judged whose heading says what it is.

    Cells are between pipes or tabs. The option "slip" has cells and causes: ``DCG 2: truncated; NDCG 3: inherited``.

    >>> table = "| rank | gain | DCG |" + chr(10) + "| 1 | 3 | 3.00 |" + chr(10) + "| 2 | 1 | 3.36 |"
    >>> [verdict.correct for verdict in judged_table(table, "T", {"grades": "3, 1"}).verdicts]
    ['3', '3.00', '1', '3.63']
    """
    if "grades" not in options:
        raise ValueError(f"{shortened(name)}: expected the option grades, the ranking of the table, got none")
    for beside in ("k", "rel", "relevant", "max_rel", "p"):
        if beside in options:
            raise ValueError(
                f"{shortened(name)}: expected no option {beside} for a table, which has a row for each rank"
            )
    table = read_table(text, name)
    known = {heading: kind for heading in table.headings if (kind := _kind(heading)) is not None}
    if not known:
        raise ValueError(
            f"{shortened(name)}: expected a column such as {', '.join(_COLUMNS)}, got {quoted(table.headings)}"
        )
    slips = _declared_cells(name, options.get("slip", ""), known, len(table.rows))
    ranking = ranking_of(options)
    columns = {
        heading: _column(known[heading], ranking, len(table.rows), slips[heading], known) if heading in known else None
        for heading in table.headings
    }
    verdicts, declared, layout = judged_cells(table, as_columns(columns, table))
    return Typed([declaring(*pair) for pair in zip(verdicts, declared, strict=True)], layout)


def _named_measure(text: str, name: str, options: Settings) -> tuple[str, Ranking]:
    """The measure that an equation begins with, and what it is of."""
    label = re.split(r"[=≈]|\\approx", text, maxsplit=1)[0].strip()
    measure, k, surely = quantity_of(label) or ("", None, False)
    measure = "recall" if measure == "R" else measure
    if measure not in QUANTITIES:
        raise ValueError(
            f"{shortened(name)}: expected a line that begins with a measure such as CG, DCG, IDCG, NDCG or AP, "
            f"as grades are given, got {quoted(label)}"
        )
    found = quantity_in(measure, {**({"k": str(k)} if k and surely else {}), **options})
    return found.measure, found.ranking or Ranking(())


# The values of a column at the first n ranks, by what its heading says
_COLUMNS: dict[str, Callable[[Ranking, int], list[float]]] = {
    "gain": lambda ranking, n: plain.gains(ranking.grades, ranking.rule())[:n],
    "discount": lambda ranking, n: plain.discounts(n, ranking.rule()),
    "term": lambda ranking, n: [term.exact for term in MeasuredSum("DCG", ranking).terms][:n],
    "CG": lambda ranking, n: plain.cg_by_rank(ranking.grades)[:n],
    "DCG": lambda ranking, n: plain.dcg_by_rank(ranking.grades, ranking.rule("DCG"))[:n],
    "IDCG": lambda ranking, n: plain.idcg_by_rank(ranking.grades, ranking.rule(), ranking.judged)[:n],
    "NDCG": lambda ranking, n: plain.ndcg_by_rank(ranking.grades, ranking.rule(), ranking.judged)[:n],
}
_TERM = {"term", "contribution", "discounted gain"}


def _kind(heading: str) -> str | None:
    """What the cells below a heading are; None for what is shown and not judged."""
    plainly = heading.strip(" $*`").lower()
    if plainly in ("gain", "discount"):
        return plainly
    if plainly in _TERM:
        return "term"
    named = quantity_of(heading)
    return named[0] if named and named[0] in MEASURES else None


def _column(kind: str, ranking: Ranking, n: int, slips: Mapping[int, str], known: Mapping[str, str]) -> Column:
    values = _COLUMNS[kind](ranking, n)
    if kind == "DCG" and len(values) == n:
        return Column(values, terms=(ranking.grades[:n], ranking.rule("DCG")), slips=slips)
    headings = {of: heading for heading, of in known.items()}
    if kind == "NDCG" and {"DCG", "IDCG"} <= headings.keys():
        return Column(values, of=(headings["DCG"], headings["IDCG"]), slips=slips)
    return Column(values, slips=slips)


def _declared_cells(name: str, text: str, known: Mapping[str, str], rows: int) -> dict[str, dict[int, str]]:
    """The causes that are declared, by heading and row."""
    found: dict[str, dict[int, str]] = {heading: {} for heading in known}
    for each in filter(str.strip, text.split(";")):
        cell = _CELL.fullmatch(each)
        if cell is None or cell["heading"] not in known or not 1 <= int(cell["row"]) <= rows:
            raise ValueError(
                f"{shortened(name)}: slip: expected a heading, a row and a cause, such as "
                f"'{next(iter(known))} {rows}: truncated', got {quoted(each.strip())}"
            )
        found[cell["heading"]][int(cell["row"])] = cell["code"]
    return found
