"""Correct the digits of a note's slips, and give the change as a patch.

Only digits are corrected: a slip whose working is right, and what was computed from it. A wrong term or another
convention is for the author to mend.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ndcg_ref.notes import Finding

DIGITS = frozenset({"truncated", "rounded-up", "rounded-twice", "carried", "digit"})
INHERITED = "inherited"
MOST_TIMES = 5
MOST_ROUNDS = 20  # a number can depend on one that depends on another, and so on
_DIVIDED_BEFORE = re.compile(r"(?:[/÷]|\\[dt]?frac\s*\{|\}\s*\{)[\s$*`({]*$")
_DIVIDED_BEHIND = re.compile(r"^[\s$*`)}]*[/÷]")
_REACH = 20  # characters beside a number that can say that it is divided


class _Edit(NamedTuple):
    start: int
    end: int
    text: str


def corrected(text: str, check: "Callable[[str], list[Finding]]") -> str:
    """The text with the digits corrected of each slip whose working is right, and of what was computed from it.

    Parameters
    ----------
    text : str
        The note.
    check : callable
        Gives the findings of a text.

    Returns
    -------
    str
        The text, which differs from the note in digits alone. Correcting it once more changes nothing.

    Examples
    --------
    >>> from ndcg_ref.notes import check_note
    >>> corrected("DCG = 3/log2(2) + 2/log2(3) = 4.27", check_note)
    'DCG = 3/log2(2) + 2/log2(3) = 4.26'
    >>> corrected("DCG = 3/log2(2) + 2/log2(3) = 5.07", check_note)
    'DCG = 3/log2(2) + 2/log2(3) = 5.07'
    """
    findings = check(text)
    inherited = [each.offset for each in findings if _causes(each)[:1] == [INHERITED]]
    for _ in range(MOST_ROUNDS):
        right = [each for each in findings if _to_correct(each, inherited) and not _uses_wrong(text, each, findings)]
        edits = sorted({*map(_correction, right), *_operands(text, findings, right)})
        if not edits:
            break
        inherited = [place + _shift(edits, place) for place in inherited]
        text = _applied(text, edits)
        findings = check(text)
    return text


def _causes(finding: "Finding") -> list[str]:
    """The causes of a slip, of a pair the first: what is inherited and then truncated is inherited."""
    return [each.partition("+")[0] for each in finding.verdict.causes]


def _to_correct(finding: "Finding", inherited: Sequence[int]) -> bool:
    """Whether a number is a slip of its digits, or was computed from others that are right by now."""
    causes, number = _causes(finding), finding.verdict.number
    if not causes or number.exact or number.as_exact or _has_moved_point(finding):
        return False
    return causes[0] in DIGITS or (finding.offset in inherited and INHERITED not in causes)


def _has_moved_point(finding: "Finding") -> bool:
    """Whether a number is many times what it should be: a factor too many, as in 0.912 x 10, is no wrong digit."""
    stated, right = abs(finding.verdict.number.nearest_float), abs(finding.verdict.computed or 0.0)
    return not right / MOST_TIMES < stated < right * MOST_TIMES


def _uses_wrong(text: str, finding: "Finding", findings: "Sequence[Finding]") -> bool:
    """Whether a number on its line, and before it, is a slip that needs more than other digits."""
    start = text.rfind("\n", 0, finding.offset) + 1
    wrong = {each.stated for each in findings if each.offset < finding.offset and _is_wrong(each)}
    return any(_occurrences(text, stated, start, finding.offset) for stated in wrong)


def _is_wrong(finding: "Finding") -> bool:
    causes = _causes(finding)
    return bool(causes) and causes[0] not in DIGITS and causes[0] != INHERITED


def _occurrences(text: str, stated: str, start: int, end: int) -> list[re.Match[str]]:
    """Where a number stands, and not as a part of a longer one."""
    return list(re.compile(rf"(?<![\d.,]){re.escape(stated)}(?![\d%]|[.,]\d)").finditer(text, start, end))


def _correction(finding: "Finding") -> _Edit:
    return _Edit(finding.offset, finding.offset + finding.length, _right(finding))


def _right(finding: "Finding") -> str:
    """The right digits in the form that the note has for its numbers: a decimal comma, say."""
    stated, right = finding.stated, finding.verdict.correct or ""
    if stated == finding.verdict.stated:
        return right
    digits = re.sub(r"\D", "", right)
    if len(digits) == len(re.sub(r"\D", "", stated)):
        left = iter(digits)
        return re.sub(r"\d", lambda _: next(left), stated)
    mark = re.search(r"\{,\}|,", stated)
    return right.replace(".", mark[0]) if mark else right


def _operands(text: str, findings: "Sequence[Finding]", right: "Sequence[Finding]") -> Iterator[_Edit]:
    """Where a number that is corrected stands in a fraction further on, as in 8.32/8.44."""
    taken = {each.offset for each in findings}
    for each in right:
        end = each.offset + each.length
        again = (other.offset for other in findings if other.offset >= end and other.stated == each.stated)
        for found in _occurrences(text, each.stated, end, next(again, len(text))):
            result = next((other for other in findings if other.offset >= found.end()), None)
            blocked = result is not None and _uses_wrong(text, result, findings)
            if found.start() not in taken and _is_divided(text, *found.span()) and not blocked:
                yield _Edit(*found.span(), _right(each))


def _is_divided(text: str, start: int, end: int) -> bool:
    """Whether a number is the numerator or the denominator of a fraction."""
    before, behind = text[max(0, start - _REACH) : start], text[end : end + _REACH]
    return bool(_DIVIDED_BEFORE.search(before) or _DIVIDED_BEHIND.search(behind))


def _shift(edits: Sequence[_Edit], place: int) -> int:
    """By how much the text before a place grows."""
    return sum(len(each.text) - (each.end - each.start) for each in edits[: bisect_left(edits, (place,))])


def _applied(text: str, edits: Sequence[_Edit]) -> str:
    for each in reversed(edits):
        text = text[: each.start] + each.text + text[each.end :]
    return text


def patch(name: str, before: str, after: str) -> str:
    r"""The change of a file, as `patch -p0` and `git apply -p0` take it.

    >>> print(patch("a.md", "DCG = 8.32\n", "DCG = 8.33\n"), end="")
    --- a.md
    +++ a.md
    @@ -1 +1 @@
    -DCG = 8.32
    +DCG = 8.33
    """
    from difflib import unified_diff

    end = "\t" if re.search(r"\s", name) else ""  # where a name with blanks ends
    lines = unified_diff(_lines(before), _lines(after), name + end, name + end)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _lines(text: str) -> list[str]:
    r"""The lines as patch has them: they end in \n, and other signs that break a line do not count."""
    return [line for line in re.split(r"(?<=\n)", text) if line]
