"""Correct the digits of a note's slips, and give the change as a patch.

A slip is corrected where its working is right: the line before it, with its rounded numbers, can give the right value.
A wrong working is for the author to mend, and nothing on its line is changed.
"""

import os
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from ndcg_ref.notes import Finding
from ndcg_ref.notes.documents import Format, Region, region_of
from ndcg_ref.notes.islands import Part, chains_of, has_open_log
from ndcg_ref.notes.reading import BASES
from ndcg_ref.stated.equation import Side
from ndcg_ref.stated.number import bounds_of, read_number

_COMMA = re.compile(r"[0-9]+(?:\{,\}|,)[0-9]+%?")


class PrintedOperand(NamedTuple):
    """A number with decimals in a working: how it was read, and where it stands in the file."""

    text: str
    start: int
    end: int


class PrintedWorking(NamedTuple):
    """A side of an equation from which the number behind it follows."""

    side: Side
    operands: tuple[PrintedOperand, ...]

    def covers(self, value: float, text_of: Callable[[PrintedOperand], str]) -> bool:
        """Whether the working can give a value, each operand being rounded to what `text_of` has for it."""
        bounds = [read_number(text_of(each)).bounds for each in self.operands]
        low, high = bounds_of(self.side.with_operands, bounds)
        return low <= value <= high


def workings_of(text: str, form: Format = "text") -> dict[int, list[PrintedWorking]]:
    """The working before each number of a note that has one, by where that is; several where a log has no base.

    >>> [(place, each.operands) for place, [each] in workings_of("a = 7.42/2 = 3.71").items()]
    [(13, (PrintedOperand(text='7.42', start=4, end=8),))]
    """
    region, found = region_of(text, form), defaultdict(list)
    for base in BASES if has_open_log(region.plain) else BASES[:1]:
        for chain in chains_of(region.plain, base):
            before: PrintedWorking | None = None
            for part in chain.parts:
                if part.side.number is None:
                    before = _working(part, part.side, region, text)
                elif before is not None:
                    found[region.places[part.start]].append(before)
    return found


def _working(part: Part, side: Side, region: Region, text: str) -> PrintedWorking:
    operands = []
    for token, number in zip(side.decimals, side.operands, strict=True):
        start = region.places[part.start + token.start - side.start]
        printed = None if text.startswith(token.text, start) else _COMMA.match(text, start)
        operands.append(PrintedOperand(number.text, start, printed.end() if printed else start + len(token.text)))
    return PrintedWorking(side, tuple(operands))


DIGITS = frozenset({"truncated", "rounded-up", "rounded-twice", "carried", "digit"})
INHERITED = "inherited"
MOST_TIMES = 5
MOST_ROUNDS = 20  # a number can depend on one that depends on another, and so on


class _Edit(NamedTuple):
    start: int
    end: int
    text: str


def corrected(
    text: str,
    check: Callable[[str], list[Finding]],
    form: Format = "text",
    only: Collection[int] | None = None,
) -> tuple[str, tuple[Finding, ...]]:
    """Correct the digits of each slip whose working is right, and of what was computed from it.

    Parameters
    ----------
    text : str
        The note.
    check : callable
        Gives the findings of a text.
    form : {"text", "html", "notebook"}, optional
        Its format.
    only : collection of int, optional
        Where the slips stand that may be corrected: all of them by default.

    Returns
    -------
    str
        The note, which differs from the one that was read in the digits of numbers alone; correcting it once more
        changes nothing.
    tuple of Finding
        The slips that are left, where they stand in the note that was read.

    Examples
    --------
    >>> from ndcg_ref.notes import check_note
    >>> corrected("DCG = 3/log2(2) + 2/log2(3) = 4.27", check_note)[0]
    'DCG = 3/log2(2) + 2/log2(3) = 4.26'
    >>> note = "<!-- ndcg: grades=3,0,2 --> DCG = 3/log2(2) + 0/log2(3) + 2/log2(4) = 4.000"
    >>> note += ", IDCG = 3/log2(2) + 2/log2(3) = 4.263. NDCG = 4.000/4.263 = 0.938. P@2 = 0.5, CG = 5, CG@2 = 4."
    >>> text, left = corrected(note, check_note)
    >>> text[108:], [each.stated for each in left]
    ('4.262. NDCG = 4.000/4.262 = 0.939. P@2 = 0.5, CG = 5, CG@2 = 4.', ['4'])
    """
    findings = check(text)
    inherited = [each.offset for each in findings if _causes(each)[:1] == [INHERITED]]
    slips = [(each.offset, each) for each in findings if each.is_wrong and (only is None or each.offset in only)]
    kept = [each.offset for each in findings if each.is_wrong and not (only is None or each.offset in only)]
    lines = workings_of(text, form)
    kept += [each.start for place in kept for line in lines.get(place, []) for each in line.operands]
    for _ in range(MOST_ROUNDS):
        edits = _Pass(text, workings_of(text, form), inherited, kept).edits(findings)
        if not edits:
            break
        changed = {each.start for each in edits}
        slips = [(place + _shift(edits, place), each) for place, each in slips if place not in changed]
        inherited, kept = ([place + _shift(edits, place) for place in places] for places in (inherited, kept))
        for each in reversed(edits):
            text = text[: each.start] + each.text + text[each.end :]
        findings = check(text)
    return text, tuple(each for _, each in slips)


class _Pass:
    """One pass over the findings of a text, which says for each of them how to correct it."""

    def __init__(
        self, text: str, workings: dict[int, list[PrintedWorking]], inherited: Sequence[int], kept: Sequence[int]
    ) -> None:
        self.text, self.workings, self.inherited, self.kept = text, workings, inherited, kept
        self.right: dict[str, str] = {}  # what each number should be that was corrected so far
        self.by_offset: dict[int, _Edit] = {}

    def edits(self, findings: Sequence[Finding]) -> list[_Edit]:
        """The changes, in the order of the text."""
        judged = {each.offset for each in findings if each.verdict.computed is not None}
        for each in findings:
            number, computed, right = each.verdict.number, each.verdict.computed, each.verdict.correct
            claims_value = number.exact or number.as_exact
            if computed is None or right is None or claims_value or self._is_kept(each.offset):
                continue
            workings = self.workings.get(each.offset, [])
            led = next((one for one in workings if one.covers(computed, self._corrected)), None)
            for one in led.operands if led else ():
                if one.start not in judged and one.text in self.right and not self._is_kept(one.start):
                    self._add(one.start, one.end, one.text, self.right[one.text])
            if each.outcome != "slip":
                self.right.pop(each.verdict.stated, None)
            elif led is not None or (not workings and self._is_of_digits(each)):
                self.right[each.verdict.stated] = right
                self._add(each.offset, each.offset + each.length, each.verdict.stated, right)
        return sorted(self.by_offset.values())

    def _is_kept(self, offset: int) -> bool:
        """Whether a slip of the same line is kept: a baseline knows it by its whole line."""
        start, end = self.text.rfind("\n", 0, offset) + 1, self.text.find("\n", offset)
        return any(start <= kept and (kept < end or end < 0) for kept in self.kept)

    def _corrected(self, operand: PrintedOperand) -> str:
        """What an operand should be: as it stands, unless it repeats a number that was corrected before it."""
        edit = self.by_offset.get(operand.start)
        return edit.text if edit else self.right.get(operand.text, operand.text)

    def _add(self, start: int, end: int, stated: str, right: str) -> None:
        self.by_offset[start] = _Edit(start, end, _in_form_of(self.text[start:end], stated, right))

    def _is_of_digits(self, finding: Finding) -> bool:
        """Whether a slip without a working is one of its digits, repeats one that was corrected, or follows from it."""
        causes, verdict = _causes(finding), finding.verdict
        if self.right.get(verdict.stated) == verdict.correct:
            return True
        stated, right = abs(verdict.number.nearest_float), abs(verdict.computed or 0.0)
        if not right / MOST_TIMES < stated < right * MOST_TIMES:  # a factor too many, as in 0.912 x 10, is no digit
            return False
        return causes[0] in DIGITS or (finding.offset in self.inherited and INHERITED not in causes)


def _causes(finding: Finding) -> list[str]:
    """The causes of a slip, of a pair the first: what is inherited and then truncated is inherited."""
    return [each.partition("+")[0] for each in finding.verdict.causes]


def _in_form_of(printed: str, stated: str, right: str) -> str:
    """The right digits in the form that the note has for its numbers: a decimal comma, say."""
    if printed == stated:
        return right
    digits = re.sub(r"\D", "", right)
    if len(digits) == len(re.sub(r"\D", "", printed)):
        left = iter(digits)
        return re.sub(r"\d", lambda _: next(left), printed)
    mark = re.search(r"\{,\}|,", printed)
    return right.replace(".", mark[0]) if mark else right


def _shift(edits: Sequence[_Edit], offset: int) -> int:
    """By how much the text before a place grows."""
    return sum(len(each.text) - (each.end - each.start) for each in edits[: bisect_left(edits, (offset,))])


def patch(name: str, before: str, after: str) -> str:
    r"""The change of a file, as `patch -p1` and `git apply` take it.

    >>> print(patch("a.md", "DCG = 8.32\n", "DCG = 8.33\n"), end="")
    --- a/a.md
    +++ b/a.md
    @@ -1 +1 @@
    -DCG = 8.32
    +DCG = 8.33
    """
    from difflib import unified_diff

    lines = unified_diff(_lines(before), _lines(after), _quoted(f"a/{name}"), _quoted(f"b/{name}"))
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _quoted(name: str) -> str:
    r"""The name of a file as git writes it: one with a line break, say, would else be read as other lines of a patch.

    >>> print(_quoted("a/b.md"), _quoted("a/b\n.md"))
    a/b.md "a/b\012.md"
    """
    if not re.search(r'[\x00-\x1f\x7f"\\\ud800-\udfff]', name):
        return f"{name}\t" if re.search(r"\s", name) else name  # where a name with blanks ends
    plain = {byte: chr(byte) for byte in range(32, 127) if chr(byte) not in '"\\'}
    return '"' + "".join(plain.get(byte, f"\\{byte:03o}") for byte in os.fsencode(name)) + '"'


def _lines(text: str) -> list[str]:
    r"""The lines as patch has them: they end in \n, and other signs that break a line do not count."""
    return [line for line in re.split(r"(?<=\n)", text) if line]
