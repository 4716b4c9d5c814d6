"""What the comments of a note bind, whatever the rest of it says.

``grades=3,2,3,0,1; gain=exponential; k=5`` is of all numbers below it up to the next heading, ``ap(1,0,1; R=4)`` of the
number before it, and ``0.567 = ap(1,0,1; R=4)`` of the last such number above it in its section.
`ndcg_ref.stated.grammar` has the grammar.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from ndcg_ref.conventions.convention import EXPONENTIAL, ORIGINAL, STANDARD
from ndcg_ref.conventions.validation import quoted, shortened
from ndcg_ref.formulas.measured_ranking import QUANTITIES, Ranking
from ndcg_ref.notes.claims import NoteClaim, is_result, is_supposed, name_of
from ndcg_ref.notes.comments import Comment
from ndcg_ref.notes.documents import Region
from ndcg_ref.notes.hypotheses import Told
from ndcg_ref.notes.judging import Judged
from ndcg_ref.notes.words import says
from ndcg_ref.stated.checks import problem_of
from ndcg_ref.stated.display import Outcome
from ndcg_ref.stated.grammar import Meant, meant_in, merged, settings_in, statement_in
from ndcg_ref.stated.number import Number, read_number
from ndcg_ref.stated.subject import Settings
from ndcg_ref.stated.verdict import Verdict
from ndcg_ref.subjects.ranking import CHOICES, RANKING

NEAR, MOST_COMMENTS = 5_000, 5_000  # characters above a comment in which its number is, and comments of a region
_NUMBER = re.compile(
    r"(?<![\w.,@^/])(?:(?<![\w)\]}])[-−])?"
    r"(?:[0-9]+/[0-9]+|(?:[0-9]+(?:(?:[.,]|\{,\})[0-9]+)*|\.[0-9]+)(?:\s?\\?%)?)(?![\w/])"
)
# What may be between a number and the comment behind it: signs that close, and markup
_CLOSING = re.compile(r"(?:[\s*_`$)\]}|.,;:!?&]|\\\W|\\end\{\w+\*?\}|</\w+\s*>)*")
_ROUGHLY = ("≈", "~", r"\approx", r"\simeq")
_LINE = re.compile(r"\S(?:.*\S)?|\A\s*\Z")
_SETTINGS = re.compile(r"[A-Za-z]\w*\s*=")
_REFUSALS = (ValueError, TypeError, OverflowError)
_MEASURES = {**{measure: measure for measure in QUANTITIES}, "R": "recall"}
Scope = tuple[range, Settings]  # the part of a region that settings bind


class Bound(NamedTuple):
    """A number or a malformed comment: where it is, the verdict, and the outcome."""

    start: int
    end: int
    verdict: Verdict
    outcome: str


class BoundPart(NamedTuple):
    """A part of a region that is read by itself: its text, what is told of it, and where it counts."""

    region: Region
    told: Told
    settings: Settings
    within: Sequence[range]


def said_in(region: Region) -> tuple[list[Bound], list[Scope]]:
    """The numbers that comments are of, with what is malformed; and the settings of the region."""
    if len(region.comments) > MOST_COMMENTS:
        raise ValueError(f"expected a note of at most {MOST_COMMENTS} comments of ndcg, found more (is this data?)")
    bound: list[Bound] = []
    scopes: list[Scope] = []
    calls: list[tuple[Comment, str, Settings]] = []
    for comment, line in [(each, line) for each in region.comments for line in _LINE.findall(each.said)]:
        last, around = scopes[-1] if scopes and comment.start in scopes[-1][0] else (range(0), {})
        if comment.is_role or not _SETTINGS.match(line):
            calls.append((comment, line, {} if comment.is_role else around))
            continue
        try:
            settings = merged(around, settings_in(line))
        except _REFUSALS as error:
            bound.append(_malformed(comment, error))
            continue
        if last:
            scopes[-1] = range(last.start, comment.start), around
        scopes.append((range(comment.start, comment.section.stop), settings))
    taken: set[int] = set()
    for comment, line, around in reversed(calls):  # the last comment on a text is of its last place
        try:
            bound.append(_bound(region.text, comment, line, around, taken))
        except _REFUSALS as error:
            bound.append(_malformed(comment, error))
    return bound, scopes


def bound_parts(region: Region, told: Told, scopes: Sequence[Scope]) -> Iterator[BoundPart]:
    """The region, of which all counts that no settings bind, and each part that some bind.

    Settings without a ranking are read with the section above them, which may have it.
    """
    edges = [0, *(edge for binds, _ in scopes for edge in (binds.start, binds.stop)), len(region.text) + 1]
    yield BoundPart(region, told, {}, [range(*edge) for edge in zip(edges[::2], edges[1::2], strict=True)])
    sections = {each.start: each.section.start for each in region.comments}
    for binds, settings in scopes:
        ranking = RANKING.example({"grades": "0", **settings})
        grades = tuple(map(float, ranking.grades)) if "grades" in settings else told.grades
        is_open = {"as", *CHOICES}.isdisjoint(settings)
        about = Told(grades, told.convention if is_open else ranking.rule())
        first = binds.start if "grades" in settings else sections[binds.start]
        within = [range(binds.start - first, binds.stop - first)]
        yield BoundPart(region.part(first, binds.stop), about, settings, within)


def held(part: BoundPart, judged: Sequence[Judged]) -> list[Judged]:
    """The numbers of a part that count, results being held to the ranking that settings say.

    Where these leave the convention open, it is that of the three named ones under which most results come out.
    """
    kept = [each for each in judged if any(each.claim.start in span for span in part.within)]
    if "grades" not in part.settings:
        return kept
    ranking = RANKING.example(part.settings)
    rules = [part.told.convention] if part.told.convention else [STANDARD, EXPONENTIAL, ORIGINAL]
    tried = (_results([each.claim for each in kept], replace(ranking, convention=rule)) for rule in rules)
    best = max(tried, key=lambda each: sum(verdict.outcome is Outcome.AGREES for verdict in each.values()))
    return [
        each._replace(verdict=own, outcome=str(own.outcome)) if (own := best.get(each.claim.start)) else each
        for each in kept
    ]


def _results(claims: Sequence[NoteClaim], ranking: Ranking) -> dict[int, Verdict]:
    """The verdicts on results of a ranking, no means nor what would come out otherwise; a cutoff of their own leads."""
    found = {}
    for claim in claims:
        is_other = is_supposed(claim) or says("mean", claim.label)
        if claim.quantity in _MEASURES and is_result(claim) and not is_other:
            of = replace(ranking, k=claim.k if claim.k and claim.sure else ranking.k)
            with suppress(*_REFUSALS):  # ERR without a scale, say
                measure = _MEASURES[claim.quantity]
                about = Meant(of.value(measure), name_of(replace(claim, k=of.k, sure=True)), None, RANKING[measure], of)
                found[claim.start] = about.verdict(claim.number)
    return found


def _bound(text: str, comment: Comment, line: str, around: Settings, taken: set[int]) -> Bound:
    """The number that a comment or a role is of, with its verdict."""
    printed, is_rough, said = statement_in(line)
    found = meant_in(said, around)
    start = comment.end - len(comment.said.lstrip()) - 1
    start, end = (start, start + len(printed)) if comment.is_role else _place(printed, text, comment, taken)
    taken.add(start)
    number = _read(printed or text[start:end], found.value)
    is_rough = is_rough or text[:start].rstrip(" $").endswith(_ROUGHLY)
    verdict = found.verdict(number if is_rough else number.of(found.name))
    if verdict.declared and (problem := problem_of(verdict, "note", "slip={}")):
        raise ValueError(problem)
    return Bound(start, end, verdict, str(verdict.outcome))


def _place(printed: str, text: str, comment: Comment, taken: set[int]) -> tuple[int, int]:
    """Where a number was last printed above a comment that no other one is of; without a number, that right before."""
    form = re.escape(printed).replace("%", r"\s?\\?%")
    numbers = re.compile(rf"(?<![\w.,]){form}(?!\w|[.,][0-9])") if printed else _NUMBER
    first = max(comment.section.start, comment.start - NEAR)
    found = [each.span() for each in numbers.finditer(text, first, comment.start) if each.start() not in taken]
    if not found or not (printed or _CLOSING.fullmatch(text, found[-1][1], comment.start)):
        what = f"{quoted(printed)} above the comment in its section" if printed else "a number right before the comment"
        raise ValueError(f"expected {what}, found none (0.94 = ndcg(…) is of the last 0.94 above it)")
    return found[-1]


def _read(text: str, near: float) -> Number:
    """A printed number, a comma being the decimal sign where the number is then nearer to its value."""
    plain, found = re.sub(r"\s|\\(?=%)|[{}]", "", text), []
    for decimal in ",.":
        with suppress(ValueError):
            found.append(read_number(plain, decimal))
    return min(found or [read_number(plain)], key=lambda each: abs(each.nearest_float - near))


def _malformed(comment: Comment, error: Exception) -> Bound:
    verdict = Verdict(number=Number(shortened(comment.said.strip()), 0, Fraction(1)), computed=None, reason=str(error))
    return Bound(comment.start, comment.end, verdict, "malformed")
