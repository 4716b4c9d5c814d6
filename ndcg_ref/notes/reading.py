"""One reading of a note, left to right: its lines of working, its tables, and its printed numbers with their names."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from ndcg_ref.notes.calls import CALL, CalledResult, called_in
from ndcg_ref.notes.forms import Decimal, Term, decimals_of, terms_of
from ndcg_ref.notes.hypotheses import BOUNDED
from ndcg_ref.notes.islands import Chain, Part, chains_of, plain_text, readable_text
from ndcg_ref.notes.mentions import Mention, Name, name_in
from ndcg_ref.notes.sentences import stated_in
from ndcg_ref.notes.tables import Cell, NoteTable, tables_of
from ndcg_ref.notes.trec import results_in
from ndcg_ref.notes.words import column_of, quantity_of, says
from ndcg_ref.stated.equation import Side, read_equation
from ndcg_ref.stated.number import Number, read_number

MOST_NUMBERS = 10_000
_FRACTION = re.compile(r"[0-9]{1,6}/0*[1-9][0-9]{0,5}")
_SENTENCE_END = re.compile(r"[.!?]\s|\n\s*\n|;\s")
_VARIABLE = re.compile(r"(?:^|[\s(])[a-oq-z]\s*$")  # as in DCG (b = 2)
_UNREAD = re.compile(r"[0-9)}]\s*[+/×·*]\s*[0-9a-z\\(]")  # a working that could not be read
_PERCENT = re.compile(r"[\s*}]{0,8}\\?%")
_BLANK = re.compile(r"\n[ \t>]*\n")
_HEADING = re.compile(
    r"^(?:#{1,6}\s|\\(?:sub)*section\*?\{|[ \t]*\*\*[^*\n]{3,80}\*\*:?[ \t]*$|-{3,}\s*$|={3,}\s*$)", re.MULTILINE
)
_CUTOFF_CELL = re.compile(r"\W*(?:@|k\s*=|top|first)?\s*-?([0-9]{1,4})\W*", re.IGNORECASE)
_RANK_CELL = re.compile(r"\D{0,3}([0-9]{1,4})(?![0-9.])")


@dataclass(frozen=True)
class WorkedSide:
    """A side of a line: what it says, its terms, and the rounded numbers that it works with."""

    part: Part
    side: Side
    terms: tuple[Term, ...]
    decimals: tuple[Decimal, ...]
    number: Number | None


@dataclass(frozen=True)
class Line:
    """A chain of equations with its name."""

    index: int
    name: Name
    sides: tuple[WorkedSide, ...]
    start: int
    end: int


@dataclass(frozen=True)
class Group:
    """Numbers that are printed rank by rank: a column, or a list.

    Parameters
    ----------
    mentions : tuple of Mention
        The numbers, each with its rank.
    columns : tuple of str
        What it may hold, as `Hypothesis.columns` has them.
    total : Mention or None
        The cell that adds up the others.
    """

    mentions: tuple[Mention, ...]
    columns: tuple[str, ...]
    total: Mention | None = None


@dataclass(frozen=True)
class Reading:
    """All that a region says."""

    text: str
    plain: str
    lines: tuple[Line, ...]
    tables: tuple[NoteTable, ...]
    groups: tuple[Group, ...]
    singles: tuple[Mention, ...]
    sections: tuple[int, ...] = ()

    blocks: tuple[int, ...] = ()

    def block(self, place: int) -> int:
        """The number of the paragraph, or of the row of a table, in which a place is."""
        return bisect_right(self.blocks, place)

    def row(self, place: int) -> tuple[int, int] | None:
        """Where the row of a table begins and ends in which a place is; None where it is in none."""
        for table in self.tables:
            if table.start <= place < table.end:
                return next(
                    ((row[0].start, row[-1].end) for row in table.rows if row and row[0].start <= place < row[-1].end),
                    None,
                )
        return None

    def section(self, place: int) -> int:
        """The number of the section in which a place is."""
        return bisect_right(self.sections, place)


def read(text: str, log_base: float, code: Sequence[range] = ()) -> Reading:
    """Read a region once."""
    text = readable_text(text)
    plain = plain_text(text)
    calls = [range(*call.span()) for call in CALL.finditer(plain)]
    called = [_call(each) for each in called_in(plain)]
    taken = sorted([*calls, *(range(each.start, each.end) for each in called)], key=lambda each: each.start)
    chains = [each for each in chains_of(plain, log_base) if not within(each.start, code)]
    tables = [each for each in tables_of(text) if not within(each.start, code)]
    lines = tuple(_lines([*chains, *_row_chains(tables, plain, log_base)], plain))
    groups: list[Group] = []
    crossed: list[Mention] = []
    for table in tables:
        own, cells = _of_table(table, plain)
        groups += own
        crossed += cells
    singles = [*called, *_trec(text), *crossed]
    used = {each.start for each in singles} | {each.start for group in groups for each in group.mentions}
    used |= {side.part.start for line in lines for side in line.sides if side.number is not None}
    used |= {each.start for line in lines for side in line.sides for each in side.terms}
    used |= {each.start for line in lines for side in line.sides for each in side.decimals}
    singles += [each for each in stated_in(plain, used) if not within(each.start, code)]
    lines = tuple(replace(_without(line, taken), index=i) for i, line in enumerate(lines))
    count = len(singles) + sum(len(line.sides) for line in lines)
    if count > MOST_NUMBERS:
        raise ValueError(f"expected a note of at most {MOST_NUMBERS} stated numbers, found more (is this data?)")
    numbers = [side.number for line in lines for side in line.sides if side.number is not None and line.name.quantity]
    numbers += [m.number for m in [*singles, *(m for group in groups for m in group.mentions)] if m.name.quantity]
    most = max((len(str(number.unit.denominator)) - 1 for number in numbers if not number.exact), default=0)
    if most > 1:
        lines = tuple(
            replace(line, sides=tuple(_perfect_side(line, side, most) for side in line.sides)) for line in lines
        )
        groups = [replace(g, mentions=tuple(_perfect(m, most) for m in g.mentions)) for g in groups]
        singles = [_perfect(m, most) for m in singles]
    sections = tuple(each.start() for each in _HEADING.finditer(text))
    rows = [row[0].start for table in tables for row in (*table.rows, table.totals) if row]
    blocks = tuple(sorted({*rows, *(each.end() for each in _BLANK.finditer(text)), *(table.end for table in tables)}))
    singles.sort(key=lambda mention: mention.start)
    return Reading(text, plain, lines, tuple(tables), tuple(groups), tuple(singles), sections, blocks)


def _perfect(mention: Mention, most: int) -> Mention:
    """A 1.0 or a 0.0 of a quantity between 0 and 1 is exact where the note prints more digits elsewhere."""
    number = mention.number
    coarse = number.value in (0, 1) and number.unit * 10**most > 1 and not number.exact
    if mention.name.quantity in BOUNDED and coarse and not number.text.endswith("%"):
        return replace(mention, number=number.exactly())
    return mention


def _perfect_side(line: Line, side: WorkedSide, most: int) -> WorkedSide:
    if side.number is None or side.number.unit >= 1:
        return side
    return replace(side, number=_perfect(Mention(0, 0, side.number, line.name), most).number)


def within(place: int, spans: Sequence[range]) -> bool:
    """Whether a place is in one of the spans, which are in order."""
    before = bisect_right(spans, place, key=lambda span: span.start)
    return before > 0 and place in spans[before - 1]


def _without(line: Line, taken: Sequence[range]) -> Line:
    return replace(line, sides=tuple(side for side in line.sides if not within(side.part.start, taken)))


def _lines(chains: Sequence[Chain], plain: str) -> Iterator[Line]:
    cutoff: tuple[int, int] | None = None
    last: Line | None = None
    for i, chain in enumerate(chains):
        name = Name(label=chain.label)
        if not _VARIABLE.search(chain.label) or chain.label.endswith("@k"):
            name = name_in(chain.label, plain, chain.start)
        cutoff = _cutoff_of_line(chain) or cutoff
        if cutoff and name.quantity and not name.sure and plain.find("\n", cutoff[0], chain.start) < 0:
            name = replace(name, k=cutoff[1], sure=True)
        sides = tuple(_sides(chain, plain, name))
        name = _of_sides(chain, plain, name, sides)
        begin = plain.rfind("\n", 0, chain.start) + 1
        goes_on = chain.parts[0].side is None and not plain[begin : chain.start].strip(" &>")
        if last and name.quantity is None and goes_on and plain.count("\n", last.end, chain.start) == 1:
            last = replace(last, sides=(*last.sides, *sides), end=chain.end)  # behind a comment, say
            continue
        if last:
            yield last
        last = Line(i, name, sides, chain.start, chain.end)
    if last:
        yield last


def _of_sides(chain: Chain, plain: str, name: Name, sides: Sequence[WorkedSide]) -> Name:
    """The name of a chain with what its sides say: a sum for the best order, or a working that was not read."""
    ideal = name.quantity is None and not name.mean and says("ideal", chain.label[-60:])
    if ideal and any(len(side.terms) > 2 for side in sides):
        name = replace(name, quantity="IDCG")
    unread = "".join(plain[part.start : part.end] for part in chain.parts[1:] if part.side is None)
    if all(side.number is not None for side in sides) and _UNREAD.search(chain.label[-80:] + unread):
        name = replace(name, loose=True)
    return name


def _sides(chain: Chain, plain: str, name: Name) -> Iterator[WorkedSide]:
    """The sides of a chain that have a value."""
    first = True
    for part in chain.parts:
        cut = re.match(r",[0-9]", plain[part.end : part.end + 2]) is not None  # a decimal comma, not read as one
        if part.side is None or _counts(chain, part) or (cut and part.side.number is not None):
            continue
        fraction = not first and _FRACTION.fullmatch(part.side.text)
        number = read_number(part.side.text) if fraction else part.side.number
        if number is not None and "%" not in number.text and _PERCENT.match(plain, part.end):
            number = read_number(f"{number.text}%")
        rounded = plain[max(0, part.start - 8) : part.start].rstrip().endswith("≈")
        if number is not None and not rounded:
            number = number.of(name.quantity or "")
        first = False
        yield WorkedSide(part, part.side, terms_of(part), decimals_of(part), number)


def _row_chains(tables: Sequence[NoteTable], plain: str, log_base: float) -> Iterator[Chain]:
    """The rows of tables in which a cell that works something out stands before its result."""
    for table in tables:
        for row in table.rows:
            for i, (cell, result) in enumerate(pairwise(row)):
                if (
                    result.number is None
                    or (cell.number is not None and "/" not in cell.text)
                    or not re.search(r"[0-9]\W*[/+×·*]|frac", cell.text)
                ):
                    continue
                found = chains_of(f"{plain[cell.start : cell.end]} = 0", log_base)
                sides = [part for chain in found[-1:] for part in chain.parts if part.side is not None]
                if len(sides) < 2 or sides[-2].side is None or sides[-2].end - sides[-2].start < 3:
                    continue
                work = replace(sides[-2], start=sides[-2].start + cell.start, end=sides[-2].end + cell.start)
                line = f"{result.number.text}"
                side = read_equation(line).sides[0]
                label = next((each.text for each in row[:i] if quantity_of(each.text)), "")
                head = table.header[i + 1] if len(table.header) > i + 1 else ""
                yield Chain(label or head, (work, Part(result.start, result.end, side)))


def _counts(chain: Chain, part: Part) -> bool:
    r"""Whether a number is where an index starts, as in ``\sum_{i=1}``."""
    at = chain.parts.index(part)
    return at > 1 and chain.parts[at - 1].side is None and part.side is not None and part.side.value in (0, 1, 2)


def _cutoff_of_line(chain: Chain) -> tuple[int, int] | None:
    value = chain.parts[-1].side.value if chain.parts[-1].side is not None else None
    if not re.search(r"(?<!\w)k$", chain.label) or len(chain.parts) != 2 or value is None:
        return None
    return (chain.end, int(value)) if value in range(1, 1001) else None


def _call(claim: CalledResult) -> Mention:
    sure = claim.quantity not in ("AP", "R", "ERR", "RBP") and not claim.option
    name = Name(claim.quantity, claim.k, claim.sure, loose=not sure, label=claim.label)
    return Mention(
        claim.start,
        claim.end,
        claim.number.of(claim.quantity or ""),
        name,
        "call",
        ranking=claim.ranking,
        judged=claim.judged,
    )


def _trec(text: str) -> list[Mention]:
    found = list(results_in(text))
    singles = []
    for each in found:
        same = tuple(
            other.start for other in found if other.ranking and (other.quantity, other.k) == (each.quantity, each.k)
        )
        name = Name(each.quantity, each.k, True, mean=each.ranking is None)
        number = read_number(text[each.start : each.end])
        of = same if each.ranking is None else ()
        singles.append(
            Mention(each.start, each.end, number, name, "call", ranking=each.ranking, judged=each.judged, of=of)
        )
    return singles


# Tables

_SEQUENCES = {
    "DCG": ("DCG", "term"),
    "IDCG": ("IDCG", "ideal term"),
    "NDCG": ("NDCG",),
    "CG": ("CG",),
    "ICG": ("ICG",),
    "P": ("P",),
    "R": ("R",),
}
ANY = (
    "term",
    "weight",
    "discount",
    "DCG",
    "ideal term",
    "IDCG",
    "NDCG",
    "gain",
    "P",
    "R",
    "CG",
    "ICG",
    "ideal gain",
    "1/rank",
)


def _of_table(table: NoteTable, plain: str) -> tuple[list[Group], list[Mention]]:
    """The columns of a table that has ranks; and the cells of one that has a quantity for each column."""
    width = max(map(len, table.rows))
    heads = table.header if len(table.header) >= width else (*table.header, *[""] * (width - len(table.header)))
    kinds = [column_of(head) for head in heads]
    ranks = ranks_of(table, kinds)
    groups: list[Group] = []
    cells: list[Mention] = []
    names = [name_in(head) for head in heads]
    systems = "rank" not in kinds and any(name.quantity for name in names) and not _cutoffs(table)
    if not any(name.quantity for name in names) and "rank" not in kinds:
        cells += _named_rows(table)
        if cells:
            return groups, cells
    for i, head in enumerate(heads):
        if _counts_up(table, i) and kinds[i] != "grade":
            continue
        if kinds[i] in ("rank", "id", "grade") and not _computed(table, i, kinds):
            continue
        column = [(cell, rank) for cell, rank in zip(table.column(i), ranks, strict=True) if cell is not None]
        if systems and names[i].quantity:
            percent = "%" in head
            own = [_cell(cell, names[i], 0, percent) for cell, _ in column if cell.number is not None]
            total = table.totals[i - len(heads)] if len(own) > 1 and len(heads) - i <= len(table.totals) else None
            cells += own
            if total is not None and total.number is not None:
                said = _cell(total, replace(names[i], mean=True), 0, percent)
                cells.append(replace(said, of=tuple(each.start for each in own)))
            continue
        mentions = [_cell(cell, names[i], rank) for cell, rank in column if cell.number is not None and rank]
        total = table.totals[i - len(heads)] if mentions and len(heads) - i <= len(table.totals) else None
        if mentions and (len(mentions) > 1 or names[i].quantity):
            columns = _SEQUENCES.get(names[i].quantity or "", ANY)
            added = _cell(total, names[i], 0) if total is not None and total.number is not None else None
            groups.append(Group(tuple(mentions), columns, added))
    return groups, cells


def _named_rows(table: NoteTable) -> list[Mention]:
    """The numbers of a table whose rows are named by their measures."""
    found = []
    for row in table.rows:
        words = [cell for cell in row if cell.number is None]
        name = name_in(" ".join(cell.text for cell in words[:2])) if words else Name()
        numbers = [cell for cell in row if cell.number is not None and "/" not in cell.text]
        if name.quantity and numbers:
            found.append(_cell(numbers[-1], name, 0))
    return found


def _computed(table: NoteTable, i: int, kinds: Sequence[str | None]) -> bool:
    """Whether a column that is headed as grades holds gains or decimals beside another one of grades."""
    return (
        kinds[i] == "grade"
        and (kinds.count("grade") > 1 or any(n is not None and 4 * n.value % 1 for n in table.numbers(i)))
        and kinds.index("grade") != i
    )


def _cutoffs(table: NoteTable) -> bool:
    texts = table.texts(0)
    return all(re.fullmatch(r"\W*(?:@|k\s*=|top|first)\s*-?([0-9]{1,4})\W*", each, re.IGNORECASE) for each in texts)


def _counts_up(table: NoteTable, i: int) -> bool:
    """Whether a column counts the ranks of its rows, some of which may be left out."""
    found = [_RANK_CELL.fullmatch(text.rstrip("º°.:) ")) for text in table.texts(i)]
    ranks = [int(each[1]) for each in found if each]
    return len(ranks) > 1 and ranks[0] <= 1 and ranks == sorted(set(ranks)) and 2 * len(ranks) > len(found)


def _cell(cell: Cell, name: Name, rank: int, percent: bool = False) -> Mention:
    assert cell.number is not None
    number = cell.number
    if percent and "%" not in number.text and name.quantity in BOUNDED:
        number = replace(number, unit=number.unit / 100)
    return Mention(cell.start, cell.end, number, name, "cell", rank=rank)


def ranks_of(table: NoteTable, kinds: Sequence[str | None]) -> list[int]:
    """The rank of each row: as its column of ranks says, or by counting; 0 for a row that has none."""
    counted = list(range(1, len(table.rows) + 1))
    told = next((i for i in range(len(table.rows[0])) if kinds[i : i + 1] != ["grade"] and _counts_up(table, i)), None)
    texts = table.texts(told if told is not None else kinds.index("rank") if "rank" in kinds else 0)
    cuts = [re.fullmatch(r"\W*(?:@|k\s*=|top|first)\s*-?([0-9]{1,4})\W*", text, re.IGNORECASE) for text in texts]
    if all(cuts):
        return [int(each[1]) for each in cuts if each]
    if "rank" in kinds or told is not None:
        found = [int(each[1]) if (each := _RANK_CELL.match(text)) else -1 for text in texts]
        first = [rank for rank in found if rank >= 0][:1]
        return [rank + 1 if first == [0] else max(rank, 0) for rank in found]
    cutoffs = [int(text) for text in texts] if all(text.isdecimal() for text in texts) else []
    return cutoffs if not table.header and cutoffs == sorted({*cutoffs}) != [] else counted
