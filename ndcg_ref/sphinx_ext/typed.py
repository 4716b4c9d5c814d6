"""What an author types on a page without code: equations or a table; judged.

They are what the directive `ndcg` takes. Its options are the settings of subjects, and `ndcg_ref.stated.grammar` reads
what the role `ndcg` takes.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ndcg_ref.conventions.validation import quoted, shortened
from ndcg_ref.notes.words import quantity_of
from ndcg_ref.stated.checks import declaring
from ndcg_ref.stated.equation import read_equation
from ndcg_ref.stated.grammar import Meant, meant_in, setting_names
from ndcg_ref.stated.lines import claims_of, read_line
from ndcg_ref.stated.printed_tables import Column, PrintedTable, as_columns, judged_cells, read_table
from ndcg_ref.stated.subject import Quantity, Settings, Subject, subjects
from ndcg_ref.stated.verdict import Verdict, verdict_on
from ndcg_ref.subjects.ranking import RANKING

OWN_OPTIONS = ("of", "slip")
_DECLARED = re.compile(r"\s*(?P<what>.+?)\s*:\s*(?P<code>\S+)\s*")


def option_names() -> tuple[str, ...]:
    """The options of the directive: the settings of all subjects that are registered, and its own."""
    return (*setting_names(), *OWN_OPTIONS)


# Verdicts in reading order, and their layout as `ndcg_ref.stated.display.bundle` takes it: a line or a table
Typed = tuple[Sequence[Verdict], Mapping[str, Any]]


def judged_lines(lines: Sequence[str], name: str, options: Settings) -> Typed:
    """The verdicts on the lines below a directive: a table, or else an equation; `name` is what stands behind it.

    >>> judged_lines(["1/2 = 0.5"], "half", {})[0][0].correct
    '0.5'
    """
    if not name:
        raise ValueError("expected a name behind the directive, such as 'DCG of the boots', got none")
    lines = [line for line in lines if line.strip()]
    if not lines:
        raise ValueError(f"{name}: expected an equation or a table below the directive, got none")
    judge = judged_table if all(line.lstrip().startswith("|") for line in lines) else judged_equation
    return judge("\n".join(lines), name, options)


def judged_equation(text: str, name: str, options: Settings) -> Typed:
    r"""The verdicts on equations that end in numbers, in LaTeX or plain: on each result, and behind it on wrong terms.

    The option "of" says what the result is, as the role does. Without it, settings such as "grades" say that each line
    is of the quantity with whose name it begins; else a line is held to its own working. Of several lines, "slip" names
    each that is one: ``P: truncated; R: term``.

    >>> print(judged_equation("DCG = 3/1 + 0/1.585 + 2/2 = 4.01", "DCG", {"grades": "3, 0, 2"})[0][0])
    ✗ slip: DCG: stated 4.01, computed 4.00000, correct 4.00; unexplained
    >>> print(judged_equation("(0.96 + 0.697)/2 = 0.83", "mean", {"of": "mean(0.960, 0.697)"})[0][0])
    ✓ agrees: mean: stated 0.83, computed 0.82850
    >>> verdicts, _ = judged_equation(r"P &= 9/12 = 0.75 \\ R &= 9/11 = 0.81", "filter", {"slip": "R: truncated"})
    >>> for verdict in verdicts:
    ...     print(verdict.name, verdict.outcome, verdict.declared)
    filter, P agrees None
    filter, R slip truncated
    """
    settings = {option: said for option, said in options.items() if option not in OWN_OPTIONS}
    if settings and settings.keys() <= RANKING.settings.keys() - {"grades"} and "of" not in options:
        raise ValueError(f"expected the option grades beside {next(iter(settings))}, got none")
    lines = _equations(text)
    names = (
        [name] if len(lines) == 1 else [f"{name}, {label_of(line) or f'line {i}'}" for i, line in enumerate(lines, 1)]
    )
    if len(set(names)) < len(names):
        raise ValueError(f"{shortened(name)}: expected lines that begin with different names, got {quoted(names)}")
    slips = [options.get("slip")]  # of a single line it is all of the text
    if len(lines) > 1:
        labels = [label_of(line) for line in lines]
        expected = f"a line and a cause, such as '{labels[0] or 'P'}: truncated'"
        slips = list(map(_declared(name, options.get("slip", ""), labels, expected).get, labels))
    verdicts: list[Verdict] = []
    for line, own_name, slip in zip(lines, names, slips, strict=True):
        verdicts += _of_line(line, own_name, settings, options.get("of"), slip)
    return verdicts, {"printed": text if len(lines) == 1 or r"\\" in text else r" \\ ".join(lines)}


def _of_line(line: str, name: str, settings: Settings, of: str | None, slip: str | None) -> list[Verdict]:
    """The verdicts on one equation."""
    said = meant_in(of, settings) if of else _named(line, name, settings) if settings else None
    if said is not None and said.quantity is not None:
        quantity, example = said.quantity, said.example
        read = read_line(line, name, quantity.subject.log_base(example))
        terms = quantity.terms(example) if read.worked else ()
        claim, wrong = claims_of(read, said.value, terms or None, (), quantity.alternatives(example))
    else:
        claim, wrong = claims_of(read_line(line, name), said.value if said else None, None, (), {})
    return [declaring(verdict_on(claim), slip), *(verdict_on(term) for _, term in wrong)]


def _equations(text: str) -> list[str]:
    """The equations of a display, each as it is printed; what cannot be read is left whole, for a refusal."""
    try:
        chains = read_equation(text, log_base=2).chains
    except (ValueError, TypeError):
        return [text]
    return [text[chain[0].start : chain[-1].end] for chain in chains] if len(chains) > 1 else [text]


def label_of(line: str) -> str:
    r"""The name that a line or a heading begins with, without what only sets it; empty if it is a number or a working.

    >>> label_of(r"\mathrm{F}_1 = 0.78"), label_of("1/2 = 0.5"), label_of("$P$")
    ('F1', '', 'P')
    """
    plainly = re.sub(r"\\[a-zA-Z]+|[\s${}_&\\*`]+", " ", re.split(r"[=≈]|\\approx", line, maxsplit=1)[0])
    label = re.sub(r" (?=[0-9]+\b)", "", " ".join(plainly.split()))
    return label if re.match(r"[^\W\d_]", label) and not re.search(r"[+*/·×]", label) else ""


def _quantity(subject: Subject, text: str) -> tuple[Any, Settings]:
    """The quantity of a subject that a line begins with, or that a heading is, or None; and a cutoff in its name."""
    if subject is RANKING:
        label = re.split(r"[=≈]|\\approx", text, maxsplit=1)[0].strip()
        name, k, surely = quantity_of(label) or ("", None, False)
        return RANKING.quantities.get("recall" if name == "R" else name), {"k": str(k)} if k and surely else {}
    label, known = label_of(text), subject.quantities.values()
    return next((each for each in known if re.fullmatch("|".join(each.symbols), label, re.IGNORECASE)), None), {}


def _declared(name: str, text: str, places: Iterable[str], expected: str) -> dict[str, str]:
    """The causes that are declared, each by its place."""
    found = {}
    for each in filter(str.strip, text.split(";")):
        said = _DECLARED.fullmatch(each)
        if said is None or said["what"] not in places:
            raise ValueError(f"{shortened(name)}: slip: expected {expected}, got {quoted(each.strip())}")
        found[said["what"]] = said["code"]
    return found


def _named(line: str, name: str, settings: Settings) -> Meant:
    """The quantity that a line begins with, of the example that settings say."""
    subject = next((each for each in subjects() if settings.keys() <= each.settings.keys()), RANKING)
    quantity, cutoff = _quantity(subject, line)
    if quantity is None:
        expected = ", ".join(subject.quantities)
        raise ValueError(f"{shortened(name)}: expected a line that begins with one of {expected}, got {quoted(line)}")
    return meant_in(quantity.call, {**cutoff, **settings})


def judged_table(text: str, name: str, options: Settings) -> Typed:
    """The verdicts on a table; each column is judged whose heading says what it is.

    Of a ranking, which the option "grades" says, it has a row for each rank. Else each row is an example: columns with
    the names of settings say it, such as "TP" and "FP". Cells are between pipes or tabs. The option "slip" has cells
    and causes: ``DCG 2: truncated; NDCG 3: inherited``.

    >>> table = "| rank | gain | DCG |" + chr(10) + "| 1 | 3 | 3.00 |" + chr(10) + "| 2 | 1 | 3.36 |"
    >>> [verdict.correct for verdict in judged_table(table, "T", {"grades": "3, 1"})[0]]
    ['3', '3.00', '1', '3.63']
    """
    table = read_table(text, name)
    settings = {option: said for option, said in options.items() if option not in OWN_OPTIONS}
    slip = options.get("slip", "")
    columns = _row_columns(table, settings, slip) or _sum_columns(table, settings, slip)
    verdicts, declared, layout = judged_cells(table, as_columns({**dict.fromkeys(table.headings), **columns}, table))
    return [declaring(*pair) for pair in zip(verdicts, declared, strict=True)], layout


def _row_columns(table: PrintedTable, settings: Settings, slip: str) -> dict[str, Column]:
    """The columns of quantities in a table whose rows are examples, of the first subject of which it is one."""
    for subject in subjects():
        given = {heading: heading.strip(" $*`").lower() for heading in table.headings}
        given = {heading: setting for heading, setting in given.items() if setting in subject.settings}
        known = {heading: found for heading in table.headings if (found := _quantity(subject, heading))[0]}
        if known and {*list(subject.settings)[:1]} <= {*given.values()}:
            slips = _declared_cells(table, slip, [*known])
            rows = [table.cells(row) for row in range(1, len(table.rows) + 1)]
            of = [{**settings, **{given[each]: row[each] for each in given if row[each].strip("–- ")}} for row in rows]
            return {each: _by_row(quantity, of, cutoff, slips[each]) for each, (quantity, cutoff) in known.items()}
    return {}


def _by_row(quantity: Quantity, examples: Sequence[Settings], cutoff: Settings, slips: Mapping[int, str]) -> Column:
    """A column of a quantity; a row without an example states none."""
    skip = [row for row, said in enumerate(examples, 1) if not {*quantity.needs} <= said.keys()]
    found = [
        None if row in skip else meant_in(quantity.call, {**cutoff, **said}) for row, said in enumerate(examples, 1)
    ]
    others = [quantity.alternatives(each.example) if each else {} for each in found]
    return Column([each.value if each else 0.0 for each in found], alternatives=others, slips=slips, skip=skip)


# What the cells below a heading are of the terms of a sum
_OF_TERM = {"gain": "numerator", "discount": "denominator"}
_OF_TERM |= dict.fromkeys(("term", "contribution", "discounted gain"), "exact")


def _sum_columns(table: PrintedTable, settings: Settings, slip: str) -> dict[str, Column]:
    """The columns of sums, of their terms and of their quotients, in a table with a row for each rank."""
    where, count = shortened(table.name), len(table.rows)
    subject = next(each for each in subjects() if each.rows)
    leading = next(iter(subject.settings))
    if leading not in settings:
        raise ValueError(f"{where}: expected the option {leading}, the ranking of the table, got none")
    examples = [subject.example({**settings, subject.rows: str(row)}) for row in range(1, count + 1)]
    sums = [each for each in subject.quantities.values() if each.terms(examples[-1])]
    main, terms = sums[0], sums[0].terms(examples[-1])
    for beside in settings:
        if beside == subject.rows or beside not in (leading, *main.takes):
            raise ValueError(f"{where}: expected no option {beside} for a table, which has a row for each rank")
    if len(terms) < count:
        raise ValueError(f"{where}: expected at most {len(terms)} rows, as many as {leading}, got {count}")
    of_terms = {each: kind for each in table.headings if (kind := _OF_TERM.get(each.strip(" $*`").lower()))}
    named = {each: _quantity(subject, each)[0] for each in table.headings if each not in of_terms}
    summed = {each: found for each, found in named.items() if found and (found in sums or found.of)}
    if not of_terms and not summed:
        expected = f"expected a column such as {', '.join(_OF_TERM)}, {main.name}"
        raise ValueError(f"{where}: {expected}, got {quoted(table.headings)}")
    slips = _declared_cells(table, slip, [each for each in table.headings if each in {**of_terms, **summed}])
    headings = {quantity.name: each for each, quantity in summed.items()}
    columns = {
        each: Column([getattr(term, kind) for term in terms], slips=slips[each]) for each, kind in of_terms.items()
    }
    for each, quantity in summed.items():
        values = [quantity.value(example) for example in examples]
        of = [headings[part] for part in quantity.of if {*quantity.of} <= headings.keys()]
        added = (quantity, examples[-1]) if quantity is main else None
        columns[each] = Column(values, of=of, terms=added, slips=slips[each])
    return columns


def _declared_cells(table: PrintedTable, text: str, known: Sequence[str]) -> dict[str, dict[int, str]]:
    """The causes that are declared, by heading and row."""
    rows = range(1, len(table.rows) + 1)
    cells = {f"{heading} {row}": (heading, row) for heading in known for row in rows}
    expected = f"a heading, a row and a cause, such as '{known[0]} {rows[-1]}: truncated'"
    found: dict[str, dict[int, str]] = {heading: {} for heading in known}
    for place, code in _declared(table.name, text, cells, expected).items():
        heading, row = cells[place]
        found[heading][row] = code
    return found
