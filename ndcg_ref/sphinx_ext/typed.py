"""What an author types on a page without code: a number with what it is, an equation, or a table; judged.

``0.939 = ndcg(3, 0, 2; k=3)`` is what the role `ndcg` takes. The directive takes an equation or a table, and its
options say what the role says within the brackets.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ndcg_ref.conventions.validation import quoted, shortened
from ndcg_ref.formulas import plain
from ndcg_ref.formulas.measured_ranking import MEASURES, Ranking
from ndcg_ref.live.requests import ranking_in
from ndcg_ref.notes.words import quantity_of
from ndcg_ref.stated.checks import declaring
from ndcg_ref.stated.claim import as_number
from ndcg_ref.stated.lines import claims_of, read_line
from ndcg_ref.stated.printed_tables import Column, as_columns, judged_cells, read_table
from ndcg_ref.stated.typed_numbers import as_values
from ndcg_ref.stated.verdict import Verdict, verdict_on
from ndcg_ref.subjects.ranking import MeasuredSum, alternatives_of, judge_measure

EXAMPLE = "0.939 = ndcg(3, 0, 2; k=3)"
OPTIONS = ("k", "judged", "as", "slip")
_CALL = re.compile(r"\s*(?P<measure>\w+)\s*\((?P<grades>[^;()]*)(?P<options>(?:;[^;()]*)*)\)\s*")
_CUTOFF = re.compile(r"0*[1-9][0-9]{0,17}")
_CELL = re.compile(r"\s*(?P<heading>.+?)\s+(?P<row>[0-9]{1,4})\s*:\s*(?P<code>\S+)\s*")

Options = Mapping[str, str]


@dataclass(frozen=True)
class Typed:
    """Verdicts in reading order, and their layout as `ndcg_ref.stated.display.bundle` takes it: a line or a table."""

    verdicts: Sequence[Verdict]
    layout: Mapping[str, Any] = field(default_factory=dict)


def judged_number(text: str) -> Verdict:
    """The verdict on a number beside the measure that it is a value of, with the cause that is declared.

    The text is the number as printed, ``=`` or ``≈``, and a measure (``cg``, ``dcg``, ``idcg``, ``ndcg``) of grades,
    best rank first. A bare 0 or 1 before ``=`` is exact if it is an NDCG. Behind a semicolon there may be ``k=``,
    ``judged=`` (all judged grades of the query), ``as=`` (a convention by its name) and ``slip=`` (the cause of a slip
    that the author knows of). A ValueError says what is malformed.

    >>> print(judged_number("0.939 = ndcg(3, 0, 2; k=3)"))
    ✓ agrees: NDCG@3 of 3, 0, 2: stated 0.939, computed 0.938557
    >>> judged_number("0.939 = ndgc(3, 0, 2)")
    Traceback (most recent call last):
        ...
    ValueError: expected one of cg, dcg, idcg, ndcg in front of the bracket, got 'ndgc'
    """
    stated, _, call = text.replace("≈", "=", 1).partition("=")
    found = _CALL.fullmatch(call)
    if found is None or not stated.strip():
        raise ValueError(f"expected a number and what it is, such as '{EXAMPLE}', got {quoted(text)}")
    measure = found["measure"].upper()
    if measure not in MEASURES:
        names = ", ".join(sorted(map(str.lower, MEASURES), key=lambda name: (len(name), name)))
        raise ValueError(f"expected one of {names} in front of the bracket, got {quoted(found['measure'])}")
    if "=" in found["grades"]:
        raise ValueError(f"expected a semicolon behind the grades, got {quoted(found['grades'].strip())}")
    options = _options(found["options"])
    ranking = _ranking({**options, "grades": found["grades"]})
    name = _name(measure, ranking, options)
    number = as_number(stated.strip(), name)
    number = number if text[len(stated) :].startswith("≈") else number.of(name)
    return declaring(judge_measure(number, measure, ranking, name), options.get("slip"))


def judged_equation(text: str, name: str, options: Options) -> Typed:
    """The verdicts on an equation that ends in a number, in LaTeX or plain: on its result, then on each wrong term.

    With the option "grades" (and "judged", "k", "as") it is one of CG, DCG, IDCG or NDCG, with whose name it begins;
    without, it is held to its own working.

    >>> print(judged_equation("DCG = 3/1 + 0/1.585 + 2/2 = 4.01", "DCG", {"grades": "3, 0, 2"}).verdicts[0])
    ✗ slip: DCG: stated 4.01, computed 4.00000, correct 4.00; unexplained
    """
    for beside in () if "grades" in options else ("judged", "k", "as"):
        if beside in options:
            raise ValueError(f"expected the option grades beside {beside}, got none")
    if "grades" in options:
        measure, ranking = _named_measure(text, name, options)
        line = read_line(text, name, ranking.rule().base)
        terms = MeasuredSum(measure, ranking).terms if measure != "NDCG" and line.worked else None
        claim, wrong = claims_of(line, ranking.value(measure), terms, (), alternatives_of(measure, ranking))
    else:
        claim, wrong = claims_of(read_line(text, name), None, None, (), {})
    result = declaring(verdict_on(claim), options.get("slip"))
    return Typed([result, *(verdict_on(term) for _, term in wrong)], {"printed": text})


def judged_table(text: str, name: str, options: Options) -> Typed:
    """The verdicts on a table, a row for each rank; each column is judged whose heading says what it is.

    Cells are between pipes or tabs. The option "slip" has cells and causes: ``DCG 2: truncated; NDCG 3: inherited``.

    >>> table = "| rank | gain | DCG |" + chr(10) + "| 1 | 3 | 3.00 |" + chr(10) + "| 2 | 1 | 3.36 |"
    >>> [verdict.correct for verdict in judged_table(table, "T", {"grades": "3, 1"}).verdicts]
    ['3', '3.00', '1', '3.63']
    """
    if "grades" not in options:
        raise ValueError(f"{shortened(name)}: expected the option grades, the ranking of the table, got none")
    if "k" in options:
        raise ValueError(f"{shortened(name)}: expected no option k for a table, which has a row for each rank")
    table = read_table(text, name)
    known = {heading: kind for heading in table.headings if (kind := _kind(heading)) is not None}
    if not known:
        raise ValueError(
            f"{shortened(name)}: expected a column such as {', '.join(_COLUMNS)}, got {quoted(table.headings)}"
        )
    slips = _declared_cells(name, options.get("slip", ""), known, len(table.rows))
    ranking = _ranking(options)
    columns = {
        heading: _column(known[heading], ranking, len(table.rows), slips[heading], known) if heading in known else None
        for heading in table.headings
    }
    verdicts, declared, layout = judged_cells(table, as_columns(columns, table))
    return Typed([declaring(*pair) for pair in zip(verdicts, declared, strict=True)], layout)


def _options(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for each in filter(str.strip, text.split(";")):
        key, equals, value = map(str.strip, each.partition("="))
        if not equals or key not in OPTIONS:
            known = ", ".join(f"{option}=" for option in OPTIONS)
            raise ValueError(f"expected one of {known} behind the semicolon, got {quoted(each.strip())}")
        if key in found:
            raise ValueError(f"expected {key}= once, got it twice")
        found[key] = value
    return found


def _ranking(options: Options) -> Ranking:
    k = options.get("k")
    if k is not None and not _CUTOFF.fullmatch(k.strip()):
        raise ValueError(f"k: expected a cutoff of at least 1, got {quoted(k)}")
    given = {each: as_values(options[each], each) for each in ("grades", "judged") if each in options}
    return ranking_in(
        {**given, "k": None if k is None else int(k), "convention": options.get("as", "STANDARD").strip()}
    )


def _name(measure: str, ranking: Ranking, options: Options) -> str:
    """What a number is, in words."""
    said = f"{ranking.called(measure)} of {_listed(ranking.grades)}"
    said += "" if ranking.judged is None else f", judged {_listed(ranking.judged)}"
    return said + (f", {options['as']}" if "as" in options else "")


def _listed(grades: Sequence[float]) -> str:
    return ", ".join(f"{grade:g}" for grade in grades)


def _named_measure(text: str, name: str, options: Options) -> tuple[str, Ranking]:
    """The measure that an equation begins with, and what it is of."""
    label = re.split(r"[=≈]|\\approx", text, maxsplit=1)[0].strip()
    measure, k, surely = quantity_of(label) or (None, None, False)
    if measure not in MEASURES:
        raise ValueError(
            f"{shortened(name)}: expected a line that begins with CG, DCG, IDCG or NDCG, as grades are given, "
            f"got {quoted(label)}"
        )
    cutoff = {"k": str(k)} if k and surely else {}
    return measure, _ranking({**cutoff, **options})


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
