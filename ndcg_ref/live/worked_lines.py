"""Lines of a working as somebody wrote them: each side judged against the one before, the first wrong step marked."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import truediv
from typing import Any

from ndcg_ref.formulas.measured_ranking import Ranking
from ndcg_ref.live.hints import kind_of, kinds_of, put_common_first
from ndcg_ref.live.notation import plain_lines
from ndcg_ref.live.printed_numbers import causes_of
from ndcg_ref.live.requests import ranking_in, read_entry, text_in
from ndcg_ref.live.worked_cells import Sheet
from ndcg_ref.stated.causes import Evidence, stages
from ndcg_ref.stated.claim import Claim, Operand, Term
from ndcg_ref.stated.equation import Side, read_equation
from ndcg_ref.stated.lines import Line, claims_of, matched, read_line
from ndcg_ref.stated.number import read_number
from ndcg_ref.stated.tokens import Stop
from ndcg_ref.stated.verdict import Verdict, as_operand, judge, verdict_on
from ndcg_ref.subjects.ranking import MeasuredSum, alternatives_of

MOST_CHARACTERS, MOST_LINES, MOST_RANKED = 5_000, 20, 100

_NAMED = re.compile(r"(?P<measure>ndcg|idcg|idealdcg|dcg|cg)[^@]*(?:@(?P<k>[1-9][0-9]{0,3}))?")
_GOES_ON = re.compile(r"\s*&?\s*(?:[=≈+*×·⋅/÷−-]|\\(?:approx|simeq|cdot|times|div)(?![A-Za-z]))")
_DECIMAL_COMMA = re.compile(r"(?<![0-9.,])([0-9]+),([0-9]+)(?![.,]?[0-9])")
_GROUP = re.compile(r"[1-9][0-9]{0,2},[0-9]{3}")


def on_lines(question: Mapping[str, Any]) -> dict[str, Any]:
    """Judge lines of a working.

    The "text" has the lines, plain or LaTeX, at most 5,000 characters; "grades" is the ranking, or None to judge the
    sides against one another alone; "judged", "k" and "convention" are as for "number". A line is of DCG, IDCG, NDCG or
    CG if it begins with that name; ``DCG@3`` says its cutoff. A line that is a number alone is taken as the NDCG, DCG
    or IDCG that is nearest.

    The "lines" of the answer have each line as it was read, with "start" and "end" in the text that was read. "outcome"
    is that of its result: agrees, slip, undefined, or not read with its "reason" and, if known, the place "at" which
    reading stopped. "sides" are judged one after another: "ok" is false where the line departs, and "carried" true
    where it goes on from an earlier slip. "wrong" is the first wrong step of the line, with its place, its kind and the
    right value there. "first" is the first wrong step of all, with the number of its line.

    >>> made = on_lines({"grades": [3, 0, 1], "text": "DCG = 3/log2(2) + 1/log2(5) = 3.43"})
    >>> made["first"]["text"], made["first"]["kind"]["hint"]
    ('1/log2(5)', '1/log2(5): this is what you get with rank 3 discounted as rank 4')
    """
    text = text_in(question, "lines", MOST_CHARACTERS)
    ranking = None if question.get("grades") is None else ranking_in(question)
    if ranking is not None and max(len(ranking.grades), len(ranking.judged or [])) > MOST_RANKED:
        raise ValueError(f"grades: expected at most {MOST_RANKED} beside lines, got {len(ranking.grades)}")
    text = plain_lines(text)
    if ranking is not None:
        text = "\n".join(_with_name(line, ranking) for line in text.split("\n"))
    plain, comma = _with_points(text)
    blocks = list(_blocks(plain))
    if len(blocks) > MOST_LINES:
        raise ValueError(f"text: expected at most {MOST_LINES} lines, got {len(blocks)}")
    earlier: list[_Result] = []
    lines = []
    for start, block in blocks:
        made = _on_line(block, start, ranking, earlier)
        lines.append({"start": start, "end": start + len(block), "text": text[start : start + len(block)], **made})
    wrong = next((i for i, line in enumerate(lines) if line.get("wrong")), None)
    first = None if wrong is None else {"line": wrong + 1, **lines[wrong]["wrong"]}
    return {"lines": lines, "first": first, "comma": comma}


def _with_name(line: str, ranking: Ranking) -> str:
    """A line that is a number alone, behind the name of the measure whose value is nearest; any other line as it is."""
    if _GOES_ON.match(line):
        return line
    try:
        number = read_entry(line.strip().rstrip(".;,"))[0].nearest_float
    except ValueError:
        return line
    known = {measure: ranking.value(measure) for measure in ("NDCG", "DCG", "IDCG")}
    nearest = min((each for each in known if math.isfinite(known[each])), key=lambda each: abs(known[each] - number))
    return f"{nearest} = {line.strip()}"


def _with_points(text: str) -> tuple[str, bool]:
    """The text with points for decimal commas, of the same length; and whether there were any.

    A comma before three digits may group thousands, and is read so if no other comma is a decimal one.

    >>> _with_points("0,63 + 1,062 = 1,692"), _with_points("1,062 + 1 = 1,063")[1]
    (('0.63 + 1.062 = 1.692', True), False)
    """
    found = [each[0] for each in _DECIMAL_COMMA.finditer(text)]
    if all(_GROUP.fullmatch(each) for each in found):
        return text, False
    return _DECIMAL_COMMA.sub(r"\1.\2", text), True


def _blocks(text: str) -> Iterator[tuple[int, str]]:
    """Where each line starts, and the line; one that goes on with a sign belongs to the line before."""
    start = end = 0
    for line in text.splitlines(keepends=True):
        if not _GOES_ON.match(line):
            yield from _block(text, start, end)
            start = end
        end += len(line)
    yield from _block(text, start, end)


def _block(text: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    """A line without the blanks around it and the full stop behind it; nothing if it is empty."""
    line = text[start:end]
    kept = line.strip().rstrip(".;,").rstrip()
    if kept:
        yield start + line.index(kept), kept


@dataclass(frozen=True)
class _Known:
    """What a line is of, as far as it says: the measure, its ranking, exact value and terms."""

    measure: str | None
    ranking: Ranking | None
    exact: float | None
    terms: tuple[Term, ...]

    @cached_property
    def sheet(self) -> Sheet | None:
        """The terms of the sum as a table, for what each may be with one thing wrong; None for no sum."""
        if self.ranking is None or self.measure is None or not self.terms:
            return None
        return Sheet(self.ranking.summed(self.measure), self.terms, {})

    @cached_property
    def cutoffs(self) -> dict[str, float]:
        """The measure at every other cutoff: who begins with few terms may have stopped there."""
        if self.ranking is None or self.measure is None:
            return {}
        ranking, ranks = self.ranking, range(1, len(self.ranking.grades))
        return {f"cutoff {k}": replace(ranking, k=k).value(self.measure) for k in ranks if k != ranking.k}


_Result = tuple[_Known, Operand]  # of an earlier line


def _on_line(text: str, start: int, ranking: Ranking | None, earlier: list[_Result]) -> dict[str, Any]:
    """What is said of a line; its result is added to the earlier ones."""
    try:
        base = ranking.rule().base if ranking is not None else None
        first = read_equation(text, log_base=base).chains[0][0]
        name = " ".join(first.text.split()) if first.value is None else ""  # such as DCG@5
        known = _known(name, ranking)
        line = _line(text, name or "this line", base)
        if not line.worked and known.exact is None:
            raise ValueError(f"{line.name}: expected a measure of the grades, or a working such as 3/1.58 = 1.9")
        return _judged(line, known, start, earlier)
    except Stop as stop:
        return {"outcome": "not read", "reason": str(stop), "at": start + stop.offset}
    except ValueError as error:
        return {"outcome": "not read", "reason": str(error), "at": None}


def _line(text: str, name: str, base: float | None) -> Line:
    """A line; its result may be a fraction of whole numbers, which a reader of a working states exactly."""
    (*before, end), *others = read_equation(text, log_base=base).chains
    if others or end.number is not None or not re.fullmatch(r"[-−]?[0-9]+/[0-9]+", end.text):
        return read_line(text, name, base)
    worked = tuple(side for side in before if side.value is not None)
    return Line(name, worked, end, read_number(end.text))


def _known(name: str, ranking: Ranking | None) -> _Known:
    said = _NAMED.match(re.sub(r"\\(?:text|mathrm|mathit|mathbf|operatorname)|[{}\\\s]", "", name).lower())
    if said is None:
        return _Known(None, ranking, None, ())
    measure = said["measure"].upper().replace("IDEALDCG", "IDCG")
    if ranking is None:
        return _Known(measure, None, None, ())
    of_line = ranking if said["k"] is None else replace(ranking, k=int(said["k"]))
    return _Known(measure, of_line, of_line.value(measure), MeasuredSum(measure, of_line).terms)


def _judged(line: Line, known: _Known, start: int, earlier: list[_Result]) -> dict[str, Any]:
    complete = matched(line, known.terms) if known.terms else []
    others = {}
    if known.measure is not None and known.ranking is not None:
        others = alternatives_of(known.measure, known.ranking)
    results = [(operand.number.text, operand) for _, operand in earlier]
    claim, of_terms = claims_of(line, known.exact, known.terms if complete else None, results, others)
    if not claim.operands:
        claim = replace(claim, **_quotient(known, earlier))
    verdict = verdict_on(claim)
    if known.measure is not None:
        earlier.append((known, as_operand(verdict)))
    wrong_terms = [each for _, pairs in complete for each, term in pairs if not each.covers(term.exact)]
    of_side = dict(zip(((each.start, each.end) for each in wrong_terms), (of for _, of in of_terms), strict=True))
    sides, wrong = [], None
    for i, side in enumerate((*line.worked, line.end)):
        before = line.worked[i - 1] if i else None
        step = _step(side, before, claim, of_side, known, final=side is line.end)
        carried = step is None and before is None and _goes_on(side, claim)
        if step is not None and wrong is None:
            wrong = {**step, "start": step["start"] + start, "end": step["end"] + start}
            if "unsorted-ideal" in verdict.causes:  # which no term says by itself
                wrong["kind"] = kind_of("unsorted-ideal", step["text"])
                wrong["kinds"] = [wrong["kind"]]
        place = {"start": side.start + start, "end": side.end + start, "text": side.text}
        sides.append({**place, "ok": step is None, "carried": carried})
    return {
        "measure": known.measure,
        "outcome": str(verdict.outcome),
        "stated": verdict.stated,
        "correct": verdict.correct,
        "computed_text": verdict.computed_text,
        "line": str(verdict),
        "reason": verdict.why_not,
        "causes": causes_of(verdict),
        "weak": verdict.weak,
        "sides": sides,
        "wrong": wrong,
    }


def _quotient(known: _Known, earlier: Sequence[_Result]) -> dict[str, Any]:
    """What an NDCG without a working is worked out of: the IDCG and, where it was given, the DCG of earlier lines."""
    found = {each.measure: operand for each, operand in earlier if each.ranking == known.ranking}
    if known.measure != "NDCG" or known.ranking is None or "IDCG" not in found:
        return {}
    if "DCG" in found:
        return {"operands": (found["DCG"], found["IDCG"]), "working": truediv}
    above = replace(known.ranking, convention=known.ranking.rule()).value("DCG")
    return {"operands": (found["IDCG"],), "working": lambda below: above / below}


def _step(
    side: Side,
    before: Side | None,
    claim: Claim,
    of_side: Mapping[tuple[int, int], Claim],
    known: _Known,
    *,
    final: bool,
) -> dict[str, Any] | None:
    """The wrong step in a side; None if it follows from the side before, or states what it should."""
    wrong = []
    for i, term in enumerate(side.terms):
        of_term = of_side.get((term.start, term.end))
        was = before.terms[i] if before is not None and len(before.terms) == len(side.terms) else None
        if of_term is not None and not (was is not None and term.covers(was.value or 0.0)):
            wrong.append(
                _wrong_term(term, of_term, known, "" if was is None else f"it does not follow from {was.text}")
            )
    if wrong:
        put_common_first(wrong)
        return wrong[0]
    exact = claim.computed
    if before is None:
        right = exact is None or math.isnan(exact) or side.covers(exact) or bool(of_side) or _goes_on(side, claim)
        return None if right else _wrong_start(side, claim, known)
    value = before.value or 0.0
    if side.covers(value) or (final and exact is not None and side.covers(exact)):
        return None
    return _wrong_next(side, before, value)


def _goes_on(side: Side, claim: Claim) -> bool:
    """Whether a side works with a number that is a slip of an earlier line, or is the number that follows from it."""
    slips = [each for each in claim.operands if each.is_slip and each.name]
    follows = side.number is not None and claim.as_printed is not None and side.covers(claim.as_printed)
    return any(each.number.text in side.text for each in slips) or bool(slips and follows)


def _wrong_term(term: Side, claim: Claim, known: _Known, otherwise: str) -> dict[str, Any]:
    """A term that is not the one of its rank."""
    more = {} if known.sheet is None else known.sheet.of_term(claim.terms[0].rank)
    claim = replace(claim, alternatives={**claim.alternatives, **more})
    verdict = verdict_on(claim)
    evidence = verdict.evidence
    if claim.number.exact and not evidence:  # a working with rounded numbers, which claims no value exactly
        evidence = tuple(each for stage in stages(claim) for each in stage if term.covers(each.value or math.nan))
    correct = verdict.correct if claim.number.unit < 1 else f"{claim.exact:.6g}"
    return _wrong_side(term, verdict, evidence, claim.formula or correct, otherwise)


def _wrong_start(side: Side, claim: Claim, known: _Known) -> dict[str, Any]:
    """A first side that is not what the line is of."""
    value = side.value or 0.0
    number = claim.number if claim.number.covers(value) else read_number(f"{value:.4f}")
    others = {**claim.alternatives, "convention": {**claim.alternatives.get("convention", {}), **known.cutoffs}}
    verdict = verdict_on(Claim(number=number, computed=claim.computed, name=claim.name, alternatives=others))
    return _wrong_side(
        side, verdict, verdict.evidence, verdict.computed_text if side.number is None else verdict.correct
    )


def _wrong_next(side: Side, before: Side, value: float) -> dict[str, Any]:
    """A side that does not follow from the side before: the first term that departs, or the whole."""
    pairs = zip(before.terms, side.terms, strict=True) if len(before.terms) == len(side.terms) > 1 else ()
    for was, term in pairs:
        if not term.covers(was.value or 0.0):
            return _departs(term, was, was.value or 0.0)
    return _departs(side, before, value)


def _departs(side: Side, before: Side, value: float) -> dict[str, Any]:
    why = f"it does not follow from {before.text}"
    if side.number is None or not math.isfinite(value):
        return _wrong_step(side, [_step_kind(side, why)], f"{value:.6g}")
    verdict = judge(side.number, value)
    return _wrong_side(side, verdict, verdict.evidence, verdict.correct, why)


def _wrong_side(
    side: Side, verdict: Verdict, evidence: Sequence[Evidence], correct: str | None, otherwise: str = ""
) -> dict[str, Any]:
    """A wrong step with the kinds that give it; `otherwise` is said if none does."""
    if otherwise and not evidence:
        return _wrong_step(side, [_step_kind(side, otherwise)], correct)
    whole = verdict.number.unit >= 1
    value = verdict.number.nearest_float if side.value is None else side.value
    kinds = kinds_of(side.text, evidence, value, whole=whole, weak=verdict.weak and not whole)
    return _wrong_step(side, kinds, correct)


def _step_kind(side: Side, why: str) -> dict[str, Any]:
    return {"code": "step", "label": "", "hint": f"{side.text}: {why}", "weak": False}


def _wrong_step(side: Side, kinds: list[dict[str, Any]], correct: str | None) -> dict[str, Any]:
    place = {"start": side.start, "end": side.end, "text": side.text}
    return {**place, "kind": kinds[0], "kinds": kinds, "correct": correct}
