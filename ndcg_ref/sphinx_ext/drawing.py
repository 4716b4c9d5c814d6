"""Draw rankings: each result with its grade and what it adds to the sum, and the sums as lengths.

A drawing leaves a cell in three forms, like a verdict: as lines of text, as HTML for notebook viewers, and as JSON,
which `ndcg_ref.sphinx_ext.drawing_nodes` turns into the cards of a page. All numbers are those of
`ndcg_ref.formulas.plain`.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from ndcg_ref.conventions.convention import STANDARD, Convention, as_convention, value_without_ideal
from ndcg_ref.conventions.validation import as_cutoff, as_grade, as_sequence, finite_sum, quoted
from ndcg_ref.formulas import plain
from ndcg_ref.sphinx_ext import lengths as end_to_end
from ndcg_ref.stated.display import display

MIME = "application/vnd.ndcg-ref.drawing+json"

COLUMNS = ("gain", "discount", "term")
TOTALS = ("CG", "DCG", "IDCG", "NDCG")
BARS = ("gain", "term")  # the columns that can be drawn as bars
LENGTHS = ("each", "best", "share")
NOT_JUDGED = "?"
BELOW = "below the cutoff, not counted"
LEVELS = 4  # shades of the grades above 0, one for each grade where none is higher
WIDEST = 12  # characters of the longest bar in a text
DrawnResult = tuple[str | None, float | None]  # title and grade


@dataclass(frozen=True)
class _Row:
    rank: int
    title: str | None
    grade: float | None
    gain: float
    discount: float
    term: float
    first: float  # what the term would be at rank 1
    counted: bool

    def outline(self, column: str) -> float:
        """How far the outline of the bar goes."""
        return self.gain if column == "gain" else max(self.first, self.term)


def draw(
    rankings: Mapping[str, Any],
    convention: Convention | str | Mapping[str, Convention | str] = STANDARD,
    k: int | None = None,
    columns: Sequence[str] = ("term",),
    totals: Sequence[str] | None = None,
    lengths: str | None = None,
) -> None:
    """Display rankings as lists of results, with what each result adds to the sum.

    A notebook shows a table; a page of a book built with ``ndcg_ref.sphinx_ext`` shows a card for each ranking, two of
    them side by side. Elsewhere the table is printed.

    Parameters
    ----------
    rankings : mapping of str to a ranking
        The heading of each ranking, and the ranking, best rank first: a mapping from title to grade, or a sequence of
        grades. The grade None is that of a result without a judgment.
    convention : Convention, str, or mapping of str to either
        The convention or its name; or one for each heading.
    k : int, optional
        Results below this rank are shown pale and do not count.
    columns : sequence of {"gain", "discount", "term"}
        What to show of each result beside rank, grade and title, and nothing without columns. The last one is also
        drawn as a bar, so it is the gain or the term.
    totals : sequence of {"CG", "DCG", "IDCG", "NDCG"}, optional
        What to show below each ranking; by default DCG where the terms are shown, CG where the gains are, and nothing
        without columns. The ideal consists of the results of the ranking.
    lengths : {"each", "best", "share"}, optional
        The sums as lengths, the terms of a ranking end to end: those of each ranking, or of the only ranking and of
        its best order, or these two and NDCG, with the values of all orders of these results.

    Raises
    ------
    ValueError
        If there is no ranking or a ranking is empty, a heading has no convention, a column, a total or a sort of
        lengths is unknown or does not fit, or `ndcg_ref.dcg` would refuse the grades.
    TypeError
        If an argument is of the wrong kind.

    Examples
    --------
    The bar is the term, and its pale end what the discount takes from the gain:

    >>> boots = {"Choosing boots": 2, "Boots on test": 3, "Boot camp": 0}
    >>> draw({"Hiking boots": boots}, columns=["gain", "discount", "term"])
    Hiking boots
    rank  grade  result          gain  discount  term
       1      2  Choosing boots     2      1.00  2.00  ████████
       2      3  Boots on test      3      1.58  1.89  ████████░░░░
       3      0  Boot camp          0      2.00  0.00
    DCG 3.893

    Under two conventions, without titles, the second result below the cutoff:

    >>> conventions = {"linear": "STANDARD", "exponential": "EXPONENTIAL"}
    >>> draw(dict.fromkeys(conventions, [2, 3]), conventions, k=1, columns=["gain"])
    linear: linear gain, log2(rank + 1)
    rank  grade  gain
       1      2     2  ███
    below the cutoff, not counted
       2      3     3  █████
    CG@1 2
    <BLANKLINE>
    exponential: exponential gain, log2(rank + 1)
    rank  grade  gain
       1      2     3  █████
    below the cutoff, not counted
       2      3     7  ████████████
    CG@1 3

    The sum as a length, and that of the best order:

    >>> draw({"Hiking boots": boots}, lengths="share")
    Hiking boots
    rank  grade  result          term
       1      2  Choosing boots  2.00  ████████
       2      3  Boots on test   1.89  ████████░░░░
       3      0  Boot camp       0.00
    DCG 3.893
    <BLANKLINE>
    This order: 2.00 + 1.89 + 0.00 = 3.893
    Best order: 3.00 + 1.26 + 0.00 = 4.262
    NDCG 0.913
    All 6 orders of these grades: this one beats 3. Worst 0.648, mean 0.833.
    """
    display(bundle(drawing_of(rankings, convention, k, columns, totals, lengths)))


def drawing_of(
    rankings: Mapping[str, Any],
    convention: Convention | str | Mapping[str, Convention | str] = STANDARD,
    k: int | None = None,
    columns: Sequence[str] = ("term",),
    totals: Sequence[str] | None = None,
    lengths: str | None = None,
) -> dict[str, Any]:
    """What a drawing shows, as it is stored: every number as its text, every bar as a share of the longest one.

    >>> drawing_of({"A": [1, 0]})["rankings"][0]["totals"]
    [['DCG', '1.000']]
    """
    columns = _chosen(columns, "columns", COLUMNS)
    if columns and columns[-1] not in BARS:
        raise ValueError(f"columns: expected 'gain' or 'term' as the last, which is drawn, got {quoted(columns[-1])}")
    usual = ("DCG" if "term" in columns else "CG",) if columns else ()
    totals = _chosen(usual if totals is None else totals, "totals", TOTALS)
    if not isinstance(rankings, Mapping):
        raise TypeError(f"rankings: expected a mapping from heading to ranking, got {quoted(rankings)}")
    if not rankings:
        raise ValueError("rankings: expected at least one ranking, got none")
    for heading in rankings:
        if not isinstance(heading, str):
            raise TypeError(f"rankings: expected a text as each heading, got {quoted(heading)}")
    cutoff = as_cutoff(k)
    rules = {heading: _rule_of(convention, heading) for heading in rankings}
    rows = {heading: _rows(rankings[heading], rule, cutoff, _where(heading)) for heading, rule in rules.items()}
    said = any(rule != STANDARD for rule in rules.values())
    drawn_column = columns[-1] if columns else "gain"
    longest = max(row.outline(drawn_column) for ranking in rows.values() for row in ranking) or 1.0
    best = _highest(rows)
    drawn = [
        {
            "heading": heading,
            "convention": str(rule) if said else None,
            # What a script needs to compute it again; of a table or a function, nothing
            "rule": {
                "gain": rule.gain if isinstance(rule.gain, str) else None,
                "discount": rule.discount if isinstance(rule.discount, str) else None,
                "base": rule.base,
                "cutoff": cutoff,
            },
            "results": [_shown(row, columns, longest, best) for row in rows[heading]],
            "totals": _totals(rows[heading], rule, cutoff, totals, _where(heading)),
        }
        for heading, rule in rules.items()
    ]
    stored = {"columns": list(columns), "rankings": drawn}
    if lengths is not None:
        stored["lengths"] = _lengths(rows, rules, cutoff, columns, lengths)
    return stored


def _lengths(
    rows: Mapping[str, Sequence[_Row]],
    rules: Mapping[str, Convention],
    k: int | None,
    columns: Sequence[str],
    wanted: str,
) -> dict[str, Any]:
    """The sums as lengths."""
    if wanted not in LENGTHS:
        raise ValueError(f"lengths: expected one of {', '.join(map(repr, LENGTHS))}, got {quoted(wanted)}")
    column = columns[-1] if columns else None
    if column != "term" and (column is None or wanted != "each"):
        raise ValueError(f"lengths: expected the term as the last column, got {quoted(column)}")
    if wanted != "each" and len(rows) > 1:
        raise ValueError(f"lengths: expected one ranking, which has a best order, got {len(rows)}")
    best = {heading: _best(ranking) for heading, ranking in rows.items()}
    sums = {heading: (_sum(ranking, column), _sum(best[heading], column)) for heading, ranking in rows.items()}
    whole = max(ideal for _, ideal in sums.values())
    highest = _highest(rows)

    def ribbon(label: str, ranking: Sequence[_Row], total: float) -> dict[str, Any]:
        counted = [(row, getattr(row, column)) for row in ranking if row.counted]
        terms = [(row.title or "", _level(row.grade, highest), value, _value(value, column)) for row, value in counted]
        return end_to_end.ribbon(label, terms, _short(total) if column == "gain" else f"{total:.3f}", whole)

    labels = rows if len(rows) > 1 else [end_to_end.THIS]
    ribbons = [
        ribbon(label, ranking, sums[heading][0]) for label, (heading, ranking) in zip(labels, rows.items(), strict=True)
    ]
    if wanted == "each":
        return {"ribbons": ribbons, "share": None}
    ((heading, ranking),) = rows.items()
    (total, ideal), rule = sums[heading], rules[heading]
    if not math.isclose(ideal, plain.idcg([row.grade for row in ranking if row.grade is not None], k, rule)):
        raise ValueError(f"lengths: expected a convention whose ideal is the best order, cut at k, got {rule}")
    ribbons.append(ribbon(end_to_end.BEST, best[heading], ideal))
    return {"ribbons": ribbons, "share": _share(ranking, rule, k, total, ideal) if wanted == "share" else None}


def _best(ranking: Sequence[_Row]) -> list[_Row]:
    """The results in the order of their gains, best first."""
    order = sorted(ranking, key=lambda row: -row.gain)
    return [
        replace(row, title=result.title, grade=result.grade, gain=result.gain, term=result.gain / row.discount)
        for row, result in zip(ranking, order, strict=True)
    ]


def _share(ranking: Sequence[_Row], rule: Convention, k: int | None, total: float, ideal: float) -> dict[str, Any]:
    """NDCG, and where it is among those of all orders."""
    name = _named("NDCG", k)
    if not ideal:
        return {"name": name, "text": _ndcg(value_without_ideal(rule)), "at": 0.0, "among": None}
    weights = [row.counted / row.discount for row in ranking]
    among = end_to_end.among([row.gain for row in ranking], weights, ideal)
    return {"name": name, "text": _ndcg(total / ideal), "at": round(total / ideal, 4), "among": among}


def _ndcg(value: float) -> str:
    return "undefined" if math.isnan(value) else f"{value:.3f}"


def _named(name: str, k: int | None) -> str:
    return name if k is None else f"{name}@{k}"


def _sum(rows: Iterable[_Row], column: str) -> float:
    return finite_sum(getattr(row, column) for row in rows if row.counted)


def _highest(rows: Mapping[str, Sequence[_Row]]) -> float:
    return max(row.grade or 0 for ranking in rows.values() for row in ranking)


def _where(heading: str) -> str:
    return f"rankings[{quoted(heading)}]"


@contextmanager
def _placed(where: str) -> Iterator[None]:
    """Let a refusal name the ranking that it is about."""
    try:
        yield
    except (TypeError, ValueError) as error:
        raise (TypeError if isinstance(error, TypeError) else ValueError)(f"{where}: {error}") from None


def _chosen(names: Any, where: str, known: tuple[str, ...]) -> tuple[str, ...]:
    """Some of the known names, each once; or a refusal."""
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise TypeError(f"{where}: expected a sequence of names, got {quoted(names)}")
    chosen = tuple(names)
    if len(set(map(str, chosen))) < len(chosen) or not set(map(str, chosen)) <= set(known):
        raise ValueError(f"{where}: expected some of {', '.join(map(repr, known))}, each once, got {quoted(chosen)}")
    return chosen


def _rule_of(convention: Any, heading: str) -> Convention:
    if not isinstance(convention, Mapping):
        return as_convention(convention, "DCG")
    if heading not in convention:
        raise ValueError(f"convention: expected one for each heading, got none for {quoted(heading)}")
    return as_convention(convention[heading], "DCG")


def _results(ranking: Any, rule: Convention, where: str) -> list[DrawnResult]:
    """Title and grade of each result; a refusal names the place."""
    if isinstance(ranking, Mapping):
        pairs = [(str(title), f"{where}[{quoted(title)}]", grade) for title, grade in ranking.items()]
    else:
        graded = as_sequence(ranking, where, "grades in rank order")
        pairs = [("", f"{where}[{i}]", grade) for i, grade in enumerate(graded)]
    found: list[DrawnResult] = []
    for title, place, grade in pairs:
        if grade is not None:
            found.append((title or None, as_grade(grade, place)))
        elif rule.unjudged == "zero":
            found.append((title or None, None))
    if not found:
        raise ValueError(f"{where}: expected at least one result, got none")
    return found


def _rows(ranking: Any, rule: Convention, k: int | None, where: str) -> list[_Row]:
    """The results of a ranking with their numbers."""
    results = _results(ranking, rule, where)
    with _placed(where):
        gained = iter(plain.gains([grade for _, grade in results if grade is not None], rule))
        discounts = plain.discounts(len(results), rule)
    rows = []
    for rank, ((title, grade), discount) in enumerate(zip(results, discounts, strict=True), start=1):
        gain = 0.0 if grade is None else next(gained)
        if gain < 0:
            raise ValueError(f"{where}: expected gains of 0 or more, which have a bar, got {gain:g} at rank {rank}")
        first = gain / discounts[0]
        rows.append(_Row(rank, title, grade, gain, discount, gain / discount, first, k is None or rank <= k))
    return rows


def _totals(rows: Sequence[_Row], rule: Convention, k: int | None, names: Sequence[str], where: str) -> list[list[str]]:
    """The sums below a ranking: name and value."""
    with _placed(where):
        cg, dcg = (_sum(rows, column) for column in BARS)
        ideal = plain.idcg([row.grade for row in rows if row.grade is not None], k, rule)
        texts = {"CG": _short(cg), "DCG": f"{dcg:.3f}", "IDCG": f"{ideal:.3f}"}
        if "NDCG" in names:
            texts["NDCG"] = _ndcg(dcg / ideal if ideal else value_without_ideal(rule))
    return [[_named(name, k), texts[name]] for name in names]


def _shown(row: _Row, columns: Sequence[str], longest: float, best: float) -> dict[str, Any]:
    """A result as it is stored."""
    stored: dict[str, Any] = {
        "rank": row.rank,
        "title": row.title,
        "grade": NOT_JUDGED if row.grade is None else f"{row.grade:g}",
        "level": _level(row.grade, best),
        "counted": row.counted,
        "values": [_value(getattr(row, column), column) for column in columns],
    }
    if columns:
        stored["bar"] = round(getattr(row, columns[-1]) / longest, 4)
        stored["outline"] = round(row.outline(columns[-1]) / longest, 4)
    return stored


def _level(grade: float | None, best: float) -> int:
    """The shade of a grade: the grade itself, or its share of 4 where the best grade of the drawing is higher.

    >>> [_level(grade, 3) for grade in (0, 1, 2, 3)], [_level(grade, 8) for grade in (0, 1, 4, 8)]
    ([0, 1, 2, 3], [0, 1, 2, 4])
    """
    return 0 if not grade or grade < 0 else math.ceil(grade * LEVELS / max(best, LEVELS))


def _value(number: float, column: str) -> str:
    return _short(number) if column == "gain" else f"{number:.2f}"


def _short(number: float) -> str:
    """A gain: a whole one without decimals.

    >>> _short(7.0), _short(0.5)
    ('7', '0.50')
    """
    return f"{number:.0f}" if number.is_integer() else f"{number:.2f}"


def heading_of(ranking: Mapping[str, Any]) -> str:
    """The heading of a ranking, and its convention where the drawing names conventions.

    >>> heading_of({"heading": "As retrieved", "convention": "linear gain, discount rank"})
    'As retrieved: linear gain, discount rank'
    """
    said = ranking["convention"]
    return f"{ranking['heading']}: {said}" if said else str(ranking["heading"])


def has_titles(ranking: Mapping[str, Any]) -> bool:
    """Whether the results of a ranking have titles."""
    return any(result["title"] is not None for result in ranking["results"])


def text_of(drawing: Mapping[str, Any]) -> str:
    """A drawing as text: a table for each ranking, and a line for each length."""
    parts = ["\n".join(_lines(ranking, drawing["columns"])) for ranking in drawing["rankings"]]
    if lengths := drawing.get("lengths"):
        parts.append("\n".join(end_to_end.lines_of(lengths)))
    return "\n\n".join(parts)


def _lines(ranking: Mapping[str, Any], columns: Sequence[str]) -> list[str]:
    results, titled = ranking["results"], has_titles(ranking)
    rows = [["rank", "grade", *(["result"] if titled else []), *columns, ""]]
    for each in results:
        title = [each["title"] or ""] if titled else []
        rows.append([str(each["rank"]), each["grade"], *title, *each["values"], _bar(each)])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    texts = {2, len(rows[0]) - 1} if titled else {len(rows[0]) - 1}  # the columns that begin at the left
    lines = [
        "  ".join(
            cell.ljust(width) if place in texts else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    counted = 1 + sum(each["counted"] for each in results)
    pale = [BELOW, *lines[counted:]] if lines[counted:] else []
    totals = ", ".join(f"{name} {value}" for name, value in ranking["totals"])
    return [heading_of(ranking), *lines[:counted], *pale, *([totals] if totals else [])]


def _bar(result: Mapping[str, Any]) -> str:
    """A bar as text; its pale end is what the discount takes."""
    full, part = (round(WIDEST * float(result.get(key, 0))) for key in ("outline", "bar"))
    return "█" * part + "░" * (full - part)


def html_of(drawing: Mapping[str, Any]) -> str:
    """A drawing as HTML for notebook viewers, which know no style sheet: tables, with bars as text."""
    from html import escape  # its tables of entities take as long to load as this module

    def row(cells: Iterable[str], tag: str = "td") -> str:
        return "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in cells) + "</tr>"

    tables = []
    for ranking in drawing["rankings"]:
        head = row(["rank", "grade", "result", *drawing["columns"], ""], "th")
        body = [
            row([str(each["rank"]), each["grade"], each["title"] or "", *each["values"], _bar(each)])
            for each in ranking["results"]
        ]
        totals = ", ".join(f"{name} {value}" for name, value in ranking["totals"])
        tables.append(
            f"<table><caption>{escape(heading_of(ranking))}</caption><thead>{head}</thead>"
            f"<tbody>{''.join(body)}</tbody></table><p>{escape(totals)}</p>"
        )
    lines = end_to_end.lines_of(drawing["lengths"]) if "lengths" in drawing else ()
    return "\n".join([*tables, *(f"<p>{escape(line)}</p>" for line in lines)])


def bundle(drawing: Mapping[str, Any]) -> dict[str, Any]:
    """All three forms of a drawing, by MIME type."""
    return {"text/plain": text_of(drawing), "text/html": html_of(drawing), MIME: dict(drawing)}
