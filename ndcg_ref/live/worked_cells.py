"""A table of gain, discount and term, with DCG, ideal DCG and NDCG, filled in by a reader: each cell judged.

What a teacher would say of a wrong cell depends on the cells before it. A term that is a wrong gain, rightly divided,
is no second mistake: it is carried, and the hint names the cell that it comes from. The same holds for a cell that is
right for the rounded numbers printed before it: it is not the right rounding of the exact value, so it stays a slip,
but the hint says that more digits were needed on the way, and asks for nothing to be mended. Only what follows from no
earlier cell is a new mistake. Its hint names the kind of mistake, and never the right value, which has its own field.
Of several kinds that fit, the one that fits most cells of the column comes first.

How a cell may follow from earlier ones: an earlier cell that is right was used as printed, or with all its digits, as a
calculator keeps them. Of one that is wrong nobody knows the further digits, so that any value counts that rounds to
what is printed; a whole number is taken as it is. A cell that was left out stands for what the cells before it give, or
for what is right there.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from operator import truediv
from typing import Any

from ndcg_ref.conventions.convention import Convention
from ndcg_ref.conventions.validation import quoted
from ndcg_ref.formulas import plain
from ndcg_ref.formulas.measured_ranking import Ranking
from ndcg_ref.live.hints import OWN, kind_of, kinds_of, put_common_first
from ndcg_ref.live.requests import ranking_in, read_entry
from ndcg_ref.stated.causes import diagnose
from ndcg_ref.stated.claim import Alternatives, Claim, Operand, Term, total
from ndcg_ref.stated.number import Bounds, Number, Working, bounds_of, work
from ndcg_ref.stated.verdict import WEAK, Verdict
from ndcg_ref.subjects.ranking import MeasuredSum, alternatives_of, other_rules, term_variants

MOST_ROWS = 20
COLUMNS = ("gain", "discount", "term")
RESULTS = ("DCG", "IDCG", "NDCG")

CellPlace = tuple[str, int]  # a column and a rank, from 1; a result and 0


def on_working(question: Mapping[str, Any]) -> dict[str, Any]:
    """Judge a table that a reader filled in.

    The question has "grades", "judged", "k" and "convention" as for "number", with at most 20 ranks; "cells" is an
    object with the texts of the columns "gain", "discount" and "term", and those of "DCG", "IDCG" and "NDCG". An empty
    text, or one that is missing, was not filled in.

    The "cells" of the answer have the same shape. Of each cell "outcome" is agrees, slip, undefined or not read, the
    latter with its "reason". "correct" is the right rounding. For a slip "carried" says whether it follows from earlier
    cells, "from" which, and "kind" has a code and a hint; further kinds that fit are in "kinds". "but" is said of a
    cell that agrees and does not follow from the reader's own. "first" is the place of the first new mistake.

    A discount that is off by one rank, and a term that follows from it:

    >>> cells = {"discount": ["1", "1.58", "2.32"], "term": ["3", "0", "0.43"]}
    >>> made = on_working({"grades": [3, 0, 1], "cells": cells})
    >>> made["cells"]["discount"][2]["kind"]["hint"]
    'discount at rank 3: this is what you get with the discount of the rank after'
    >>> made["cells"]["term"][2]["from"]
    [{'column': 'discount', 'rank': 3}]
    """
    ranking = ranking_in(question)
    ranking = replace(ranking, convention=ranking.rule())
    terms = MeasuredSum("DCG", ranking).terms
    if len(terms) > MOST_ROWS:
        raise ValueError(f"grades: expected at most {MOST_ROWS} ranks in a table, got {len(terms)}")
    entries = _entries(question.get("cells"), len(terms))
    sheet = Sheet(ranking, terms, {cell: text for cell, text in entries.items() if text})
    judged = {cell: sheet.judged(cell) for cell in entries}
    for name in COLUMNS:
        put_common_first(
            [said for (column, _), said in judged.items() if column == name and said.get("carried") is False]
        )
    new = (cell for cell in _in_order(len(terms)) if judged[cell].get("carried") is False)
    first = next(new, None)
    return {
        "cells": {
            **{name: [judged[name, rank] for rank in range(1, len(terms) + 1)] for name in COLUMNS},
            **{name: judged[name, 0] for name in RESULTS},
        },
        "first": None if first is None else _as_json(first),
        "convention": str(ranking.rule()),
    }


@dataclass(frozen=True)
class FilledCell:
    """A cell that was filled in and can be read."""

    number: Number
    comma: bool


@dataclass(frozen=True)
class Sheet:
    """The table: what each cell should be, and what the reader's own cells give.

    Parameters
    ----------
    ranking : Ranking
        The ranking.
    terms : tuple of Term
        Gain, discount and discounted gain at each rank, as they should be.
    texts : dict
        The texts of the cells that are filled in, by place.
    """

    ranking: Ranking
    terms: tuple[Term, ...]
    texts: Mapping[CellPlace, str]

    @cached_property
    def results(self) -> dict[str, float]:
        """The exact values of the results."""
        return {measure: self.ranking.value(measure) for measure in RESULTS}

    @cached_property
    def read(self) -> dict[CellPlace, FilledCell | str]:
        """What was read in each cell, or why it was not."""
        found: dict[CellPlace, FilledCell | str] = {}
        for cell, text in self.texts.items():
            try:
                found[cell] = FilledCell(*read_entry(text, self.exact(cell), cell[0]))
            except (TypeError, ValueError) as error:
                found[cell] = str(error)
        return found

    def exact(self, cell: CellPlace) -> float:
        """What a cell should be."""
        column, rank = cell
        if rank == 0:
            return self.results[column]
        term = self.terms[rank - 1]
        return {"gain": term.gain, "discount": term.discount, "term": term.exact}[column]

    def number(self, cell: CellPlace) -> Number | None:
        """The number in a cell; None if there is none."""
        entry = self.read.get(cell)
        return entry.number if isinstance(entry, FilledCell) else None

    def judged(self, cell: CellPlace) -> dict[str, Any]:
        """What is said of a cell."""
        entry = self.read.get(cell, "empty")
        if isinstance(entry, str):
            return {"outcome": "not read", "reason": entry}
        verdict = Verdict(number=entry.number, computed=self.exact(cell), name=named(cell))
        said: dict[str, Any] = {
            "outcome": str(verdict.outcome),
            "stated": verdict.stated,
            "correct": verdict.correct,
            "computed_text": verdict.computed_text,
            "reason": verdict.why_not,
            "comma": entry.comma,
        }
        if verdict.outcome == "undefined":
            return said
        wrong = [each for each in self.parents(cell) if self.is_wrong(each)]
        came_from = self._came_from(cell, entry.number, wrong)
        if verdict.outcome == "agrees":
            but = {"but": f"it does not follow from your {listed(self._sources(wrong))}"}
            return {**said, **but} if wrong and came_from is None else said
        if came_from is not None:
            return {**said, "carried": True, **self._carried(cell, came_from)}
        return {**said, "carried": False, "from": [], **self._new(cell, entry.number)}

    def _came_from(self, cell: CellPlace, number: Number, wrong: Sequence[CellPlace]) -> list[CellPlace] | None:
        """The wrong cells from which a number follows, none for rightly rounded ones; None if it does not follow."""
        for derived in (True, False):
            operands, working = self.before(cell, derived)
            if working is not None and _follows(number, operands, working):
                return [each for each in wrong if derived or self.number(each) is not None]
        return None

    def parents(self, cell: CellPlace) -> list[CellPlace]:
        """The cells that a cell is made from."""
        column, rank = cell
        ranks = range(1, len(self.terms) + 1)
        match column:
            case "term":
                return [("gain", rank), ("discount", rank)]
            case "DCG":
                return [("term", each) for each in ranks]
            case "IDCG":
                own = [("gain", each) for each in ranks] if self.ranking.judged is None else []
                return own + [("discount", each) for each in ranks]
            case "NDCG":
                return [("DCG", 0), ("IDCG", 0)]
        return []

    def is_wrong(self, cell: CellPlace) -> bool:
        """Whether a cell is a slip; one that was left out, whether a cell that it is made from is."""
        number = self.number(cell)
        if number is None:
            return any(self.is_wrong(each) for each in self.parents(cell))
        return not number.covers(self.exact(cell))

    def before(self, cell: CellPlace, derived: bool = True) -> tuple[tuple[Operand, ...], Working | None]:
        """The reader's own cells that a cell is made from, and how; nothing for one that is made from none.

        A cell that was left out has the value that the cells before it give; or else, not `derived`, its exact value.
        """
        parents = self.parents(cell)
        workings: dict[str, Working] = {"term": truediv, "NDCG": truediv, "DCG": total, "IDCG": self._ideal}
        return tuple(self._operand(each, derived) for each in parents), workings.get(cell[0])

    def _operand(self, cell: CellPlace, derived: bool) -> Operand:
        number, exact = self.number(cell), self.exact(cell)
        if number is None:
            value = exact
            if derived and self.is_wrong(cell):
                operands, working = self.before(cell)
                values = [each.number.nearest_float for each in operands]
                value = exact if working is None else work(working, values) or exact
            numerator, denominator = value.as_integer_ratio() if math.isfinite(value) else (0, 1)
            number = Number(f"{value:.6g}", numerator, Fraction(1, denominator), exact=True)
        return Operand(number, exact if math.isfinite(exact) else None, named(cell))

    @cached_property
    def _ideal_terms(self) -> tuple[Term, ...]:
        """The terms of ideal DCG, as they should be."""
        return MeasuredSum("IDCG", self.ranking).terms

    @cached_property
    def _gains_below(self) -> list[float]:
        """The gains of the ranking below the cutoff, which the table does not show."""
        return [each.gain for each in MeasuredSum("DCG", replace(self.ranking, k=None)).terms[len(self.terms) :]]

    def _ideal(self, *own: float) -> float:
        """Ideal DCG of the reader's own gains, largest first, and discounts; what is not in the table is exact."""
        rows, ideal = len(self.terms), self._ideal_terms
        gains = [each.gain for each in ideal]
        if self.ranking.judged is None:
            gains = sorted([*own[:rows], *self._gains_below], reverse=True)[: len(ideal)]
        divisors = [*own[-rows:], *(each.discount for each in ideal[rows:])] if rows else []
        return math.fsum(gain / divisor for gain, divisor in zip(gains, divisors, strict=False))

    def _sources(self, places: Sequence[CellPlace]) -> list[CellPlace]:
        """The cells that are filled in and wrong, on the way to these."""
        found: list[CellPlace] = []
        for cell in places:
            own = self.number(cell) is not None
            wrong = [each for each in self.parents(cell) if self.is_wrong(each)]
            found += [cell] if own else self._sources(wrong)
        return list(dict.fromkeys(found))

    def _carried(self, cell: CellPlace, wrong: Sequence[CellPlace]) -> dict[str, Any]:
        """That a cell follows from earlier ones: wrong ones, or rightly rounded ones."""
        sources = self._sources(wrong)
        code = "carried-on" if sources else "carried-rounding"
        if not sources:
            sources = [each for each in self.parents(cell) if self._is_rounded(each)]
        kind = kind_of(code, named(cell), listed(sources) or "numbers")
        return {"from": [_as_json(each) for each in sources], "kind": kind, "kinds": [kind]}

    def _is_rounded(self, cell: CellPlace) -> bool:
        number = self.number(cell)
        return number is not None and number.nearest_float != self.exact(cell)

    def _new(self, cell: CellPlace, number: Number) -> dict[str, Any]:
        """The kinds of mistake that give what is in a cell."""
        operands, working = self.before(cell)
        claim = Claim(
            number=number,
            computed=self.exact(cell),
            name=named(cell),
            operands=operands,
            working=working,
            alternatives=self._alternatives(cell, [each.number.nearest_float for each in operands]),
        )
        found = diagnose(claim)
        weak = (found.chance or 0) > WEAK and bool(found.evidence) and number.unit < 1  # few whole numbers are near
        kinds = kinds_of(named(cell), found.evidence, number.nearest_float, whole=number.unit >= 1, weak=weak)
        return {"kind": kinds[0], "kinds": kinds}

    def _alternatives(self, cell: CellPlace, own: Sequence[float]) -> Alternatives:
        """What a cell would be with one thing wrong, by the code of the cause."""
        column, rank = cell
        rule = self.ranking.rule()
        match column:
            case "gain" | "discount":
                found = self._of_cell(column, rank, rule)
            case "term":
                found = self.of_term(rank, (own[0], own[1]))
            case _:
                found = alternatives_of(column, self.ranking)
                found["term"] = {**found["term"], **dict(self._of_sum(own))} if column == "DCG" else found["term"]
                if column == "NDCG" and own[0] != 0:
                    found["exchanged"] = {
                        **found["exchanged"],
                        "IDCG divided by DCG" + OWN: own[1] / own[0],
                    }
        return {code: _apart(values, self.exact(cell)) for code, values in found.items()}

    def _of_cell(self, column: str, rank: int, rule: Convention) -> dict[str, dict[str, float]]:
        """A gain or a discount with one thing wrong."""
        term, others = self.terms[rank - 1], {label: rows[rank - 1] for label, rows in self._other_terms.items()}
        if column == "gain":
            found = {label: gain for label, (gain, _) in others.items()}
            exponential = {"2^grade as the gain": term.gain + 1} if rule.gain == "exponential" else {}
            gains = {f"the gain of rank {each.rank}": each.gain for each in self.terms}
            return {"convention": found, "minus-one": exponential, "quantity": gains}
        near = {"the discount of the rank after": self._divisors[rank]}
        if rank > 1:
            near["the discount of the rank before"] = self._divisors[rank - 2]
        discounts = {label: discount for label, (_, discount) in others.items()} | {"the rank itself": float(rank)}
        return {"term": near, "convention": discounts, "exchanged": {"1 divided by the discount": 1 / term.discount}}

    def of_term(self, rank: int, own: tuple[float, float] | None = None) -> dict[str, dict[str, float]]:
        """A term with one thing wrong, made from the exact gain and discount, and from the reader's own."""
        term, rule = self.terms[rank - 1], self.ranking.rule()
        under = {label: rows[rank - 1] for label, rows in self._other_terms.items()}
        others = {label: gain / discount for label, (gain, discount) in under.items()}
        found = {f"the gain of rank {each.rank} at rank {rank}": each.gain / term.discount for each in self.terms}
        exchanged = {"the discount divided by the gain": term.discount / term.gain} if term.gain else {}
        for suffix, (gain, divisor) in {"": (term.gain, term.discount), **({} if own is None else {OWN: own})}.items():
            divisors = [*self._divisors[: rank - 1], divisor, *self._divisors[rank:]]
            if divisor:
                found |= {label + suffix: x for label, x in term_variants(gain, rank, divisors, rule)}
        made = {"term": found, "convention": others, "exchanged": exchanged}
        return {code: _apart(values, term.exact) for code, values in made.items()}

    def _of_sum(self, own: Sequence[float]) -> Iterator[tuple[str, float]]:
        """DCG of the reader's own terms with one of them dropped or doubled; or with two neighbours swapped."""
        for i, value in enumerate(own):
            others = [*own[:i], *own[i + 1 :]]
            yield f"rank {i + 1} dropped{OWN}", math.fsum(others)
            yield f"rank {i + 1} doubled{OWN}", math.fsum([*own, value])
        gains = [each.gain for each in self.terms]
        for i in range(len(gains) - 1):
            swapped = [*gains[:i], gains[i + 1], gains[i], *gains[i + 2 :]]
            pairs = zip(swapped, self._divisors, strict=False)
            yield f"ranks {i + 1} and {i + 2} swapped", math.fsum(gain / divisor for gain, divisor in pairs)

    @cached_property
    def _divisors(self) -> list[float]:
        """The discounts of the ranks of the table and of the one after it."""
        return plain.discounts(len(self.terms) + 1, self.ranking.rule())

    @cached_property
    def _other_terms(self) -> dict[str, list[tuple[float, float]]]:
        """Gain and discount at each rank under each convention that differs in one choice."""
        found = {}
        for label, other in other_rules(self.ranking.rule()):
            with suppress(ValueError):  # a gain that overflows
                terms = MeasuredSum("DCG", replace(self.ranking, convention=other)).terms
                found[label] = [(term.gain, term.discount) for term in terms]
        return found


def named(cell: CellPlace) -> str:
    """A cell in words.

    >>> named(("term", 2)), named(("DCG", 0))
    ('term at rank 2', 'DCG')
    """
    column, rank = cell
    return f"{column} at rank {rank}" if rank else column


def listed(places: Sequence[CellPlace]) -> str:
    """Several cells in words, by column.

    >>> listed([("term", 2), ("term", 5), ("gain", 1), ("DCG", 0)])
    'terms at ranks 2, 5, gain at rank 1, DCG'
    """
    by_column: dict[str, list[int]] = {}
    for column, rank in places:
        by_column.setdefault(column, []).append(rank)
    return ", ".join(
        f"{column}s at ranks {', '.join(map(str, ranks))}" if len(ranks) > 1 else named((column, ranks[0]))
        for column, ranks in by_column.items()
    )


def _as_json(cell: CellPlace) -> dict[str, Any]:
    return {"column": cell[0], "rank": cell[1] or None}


def _in_order(rows: int) -> list[CellPlace]:
    """The cells in the order of working: row by row, then the results."""
    return [*((name, rank) for rank in range(1, rows + 1) for name in COLUMNS), *((name, 0) for name in RESULTS)]


def _entries(cells: Any, rows: int) -> dict[CellPlace, str]:
    """The text of each cell, "" for one that was not filled in; or a refusal."""
    if not isinstance(cells, Mapping):
        raise TypeError(f"cells: expected an object of columns and results, got {quoted(cells)}")
    for name in cells:
        if name not in COLUMNS + RESULTS:
            raise ValueError(f"cells: expected {', '.join(COLUMNS + RESULTS)}, got {quoted(name)}")
    found: dict[CellPlace, str] = {}
    for name in COLUMNS:
        column = cells.get(name, [])
        if not isinstance(column, list | tuple) or len(column) > rows:
            got = f"{len(column)}" if isinstance(column, list | tuple) else quoted(column)
            raise ValueError(f"cells: {name}: expected a list of at most {rows} texts, one a rank, got {got}")
        for rank in range(1, rows + 1):
            found[name, rank] = _text(column[rank - 1] if rank <= len(column) else "", named((name, rank)))
    return found | {(name, 0): _text(cells.get(name, ""), name) for name in RESULTS}


def _text(text: Any, where: str) -> str:
    if not isinstance(text, str):
        raise TypeError(f"cells: {where}: expected a text, got {quoted(text)}")
    return text.strip()


def _follows(number: Number, operands: Sequence[Operand], working: Working) -> bool:
    """Whether a number follows from operands: the right ones as printed, or with all their digits."""
    low, high = number.bounds
    for printed in (True, False):
        least, greatest = bounds_of(working, [_span(each, printed) for each in operands])
        if math.isfinite(least) and math.isfinite(greatest) and least <= high and low <= greatest:
            return True
    return False


def _span(operand: Operand, printed: bool) -> Bounds:
    """The values that an operand may have been used with."""
    number = operand.number
    if operand.is_slip and number.unit < 1:
        return number.bounds
    value = number.nearest_float if printed or operand.is_slip or operand.exact is None else operand.exact
    return value, value


def _apart(values: Mapping[str, float], right: float) -> dict[str, float]:
    """The values that are numbers and differ from the right one."""
    finite = {label: value for label, value in values.items() if math.isfinite(value)}
    return {label: value for label, value in finite.items() if not math.isclose(value, right, rel_tol=1e-12)}
