"""The quiz: printed lines that hold or go wrong, and questions about what a value means, as data that is judged here.

Each line of `book/_data/quiz.jsonl` is a JSON object. One with a `line` is a printed sum or quotient of a ranking: it
holds, or one of its steps goes wrong first, in one of the ways of its `mistakes`. One with a `question` has choices,
each with claims, such as "NDCG(A) > NDCG(B)"; the right choice is the one whose claims are true. Claims under
`states` are what the text of the question says, and are true as well.
"""

import json
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import permutations
from operator import truediv
from pathlib import Path
from typing import Any

from ndcg_ref.conventions.convention import EXPONENTIAL, ORIGINAL, STANDARD, Convention, as_convention
from ndcg_ref.formulas import plain
from ndcg_ref.formulas.measured_ranking import Ranking
from ndcg_ref.stated.claim import Term as Addend
from ndcg_ref.stated.display import Outcome
from ndcg_ref.stated.lines import claims_of, read_line
from ndcg_ref.stated.number import read_number
from ndcg_ref.stated.subject import codes
from ndcg_ref.stated.verdict import Verdict, judge, verdict_on
from ndcg_ref.subjects.ranking import RANKING, terms_of

LINES = Path(__file__).resolve().parents[2] / "book" / "_data" / "quiz.jsonl"
FORMULAS = {
    ORIGINAL: "linear gain; rank 1 counts in full, and from rank 2 on a gain is divided by log2(rank)",
    STANDARD: "linear gain, divided by log2(rank + 1)",
    EXPONENTIAL: "gain 2^grade − 1, divided by log2(rank + 1)",
}

DISCOUNT, CUTOFF, SUM = "concepts/discount#the-formula", "concepts/ndcg#the-formula", "concepts/ideal#the-formula"
BASE, SHAPE, START = (
    f"concepts/conventions#{each}"
    for each in ("the-base-of-the-logarithm", "the-shape-of-the-gain", "the-original-discount")
)
POOL, DROPPED = "concepts/ideal#which-documents-belong-in-it", "concepts/ideal#which-documents-does-a-cutoff-drop"
AGREES, HOW = "verdicts#when-does-a-printed-number-agree", "verdicts#how-a-slip-may-have-come-about"

CUT, CARRIED = "cut, or rounded wrongly", "rounded before adding"
TERM, FORMULA, NUMBER, DIGIT = "wrong term", "another formula", "another number taken", "digit mistyped"


@dataclass(frozen=True)
class Mistake:
    """What may have happened, in the words of a student; the cause that it counts under; where to read again.

    It fits a slip where a recomputation that gives the printed number has this pattern, written as `code: label`.
    """

    says: str
    cause: str
    section: str
    pattern: str

    def __post_init__(self) -> None:
        unknown = {*re.findall(r"(?:^|\|)([a-z-]+): ", self.pattern)} - {*codes()}
        if unknown:
            raise ValueError(f"{self.says!r}: expected codes of registered causes, got {', '.join(sorted(unknown))}")

    def fits(self, slip: Verdict) -> bool:
        """Whether the printed number may have come about in this way."""
        return any(re.fullmatch(self.pattern, f"{each.cause}: {each.label}") for each in slip.evidence)


MISTAKES = {
    "cut off": Mistake("The last digit was cut off instead of rounded", CUT, AGREES, "truncated: .*"),
    "raised": Mistake("The last digit was raised instead of rounded", CUT, AGREES, "rounded-up: .*"),
    "rounded first": Mistake("The terms were rounded before they were added", CARRIED, HOW, "carried: .*"),
    "rank before": Mistake(
        "The gain was divided by the discount of the rank before it",
        TERM,
        DISCOUNT,
        "term: rank (2 discounted as rank 1|3 discounted as rank 2|4 discounted as rank 3)",
    ),
    "next rank": Mistake(
        "The gain was divided by the discount of the next rank",
        TERM,
        DISCOUNT,
        "term: rank (1 discounted as rank 2|2 discounted as rank 3|3 discounted as rank 4|4 discounted as rank 5)",
    ),
    "not divided": Mistake("The gain was not divided by its discount", TERM, DISCOUNT, "term: rank . not discounted"),
    "multiplied": Mistake(
        "The gain was multiplied by its discount", TERM, DISCOUNT, "term: rank . multiplied by its discount"
    ),
    "minus one": Mistake(
        "The −1 of the gain 2^grade − 1 was forgotten", TERM, SHAPE, "term: the −1 forgotten at rank .|minus-one: .*"
    ),
    "left out": Mistake("A relevant result was left out", TERM, DISCOUNT, "term: rank . dropped"),
    "natural logarithm": Mistake(
        "The natural logarithm was used instead of log2", FORMULA, BASE, "convention: log base e"
    ),
    "plain gain": Mistake("The grade itself was taken as the gain", FORMULA, SHAPE, "convention: gain linear"),
    "power gain": Mistake("2^grade − 1 was taken as the gain", FORMULA, SHAPE, "convention: gain exponential"),
    "other discount": Mistake(
        "The discount was log2(rank), so that ranks 1 and 2 both count in full",
        FORMULA,
        START,
        r"convention: discount log\(rank\)",
    ),
    "unsorted": Mistake("The ideal has the order of the ranking", FORMULA, SUM, "unsorted-ideal: .*"),
    "returned only": Mistake(
        "The ideal has the returned results alone", FORMULA, POOL, "convention: ideal of the ranking alone"
    ),
    "not cut": Mistake("The ideal goes on below the cutoff", FORMULA, DROPPED, "convention: ideal not cut"),
    "first only": Mistake(
        "The ideal has only the results above the cutoff", FORMULA, DROPPED, "convention: ideal of the first ."
    ),
    "gains only": Mistake(
        "The sum of the gains was taken, with nothing discounted",
        NUMBER,
        DISCOUNT,
        "quantity: the cumulated gain|convention: discount none",
    ),
    "another cutoff": Mistake("The value of another cutoff was taken", NUMBER, CUTOFF, "convention: cutoff ."),
    "exchanged": Mistake("DCG and ideal DCG changed places", NUMBER, CUTOFF, "exchanged: .*"),
    "mistyped": Mistake("Two digits were swapped, or one was mistyped", DIGIT, HOW, "digit: .*"),
}


@dataclass(frozen=True)
class Ask:
    """A question with its choices, and the place of the right one; the score counts each kind of question."""

    kind: str
    question: str
    choices: tuple[str, ...]
    right: int


@dataclass(frozen=True)
class JudgedStep:
    """A step of a printed line, such as the term of rank 2, and the verdict on it; a right term has none."""

    name: str
    stated: str
    verdict: Verdict | None

    @property
    def slip(self) -> Verdict | None:
        """The verdict if the step is a slip; None if it is right."""
        return self.verdict if self.verdict is not None and self.verdict.outcome is Outcome.SLIP else None


@dataclass(frozen=True)
class QuizLine:
    """A printed line of a ranking in LaTeX, its terms or operands and its result, and the mistakes to choose from."""

    ranking: Ranking
    line: str
    steps: tuple[JudgedStep, ...]
    mistakes: tuple[Mistake, ...] = ()

    @property
    def wrong(self) -> int | None:
        """The place of the first wrong step; None if there is none."""
        return next((place for place, step in enumerate(self.steps) if step.slip), None)

    @property
    def slip(self) -> Verdict | None:
        """The first slip."""
        return None if self.wrong is None else self.steps[self.wrong].slip

    @property
    def mistake(self) -> int | None:
        """The place of the mistake that fits the first slip; None for a line that holds."""
        return None if self.slip is None else [each.fits(self.slip) for each in self.mistakes].index(True)

    @property
    def asks(self) -> tuple[Ask, ...]:
        """Whether it is right; if not, which step goes wrong first, and what may have happened."""
        first = Ask("right or wrong", "Is the line right?", ("Right", "Wrong"), int(self.wrong is not None))
        if self.wrong is None or self.mistake is None:
            return (first,)
        steps = tuple(each.name if "\\" in each.stated else f"{each.name}, {each.stated}" for each in self.steps)
        says = tuple(each.says for each in self.mistakes)
        return (
            first,
            Ask("the first wrong step", "Which step goes wrong first?", steps, self.wrong),
            Ask("what happened", "What may have happened there?", says, self.mistake),
        )


@dataclass(frozen=True)
class Question:
    """What a value means: rankings, a question, its choices with the one that is true, and why it is."""

    of: str
    rankings: dict[str, Ranking]
    ask: Ask
    claims: tuple[str, ...]  # of the right choice
    why: str
    section: str


def steps_of(line: str, ranking: Ranking) -> tuple[JudgedStep, ...]:
    r"""Judge every step of a printed line: a sum with a term for each rank, or an NDCG as a quotient.

    >>> line = r"\mathrm{NDCG}_4 = \frac{5.94}{6.39} = 0.930"
    >>> for step in steps_of(line, Ranking((4, 0, 3, 1))):
    ...     print(step.name, step.verdict)
    the DCG ✗ slip: stated 5.94, computed 5.93068, correct 5.93; consistent with rounded-up
    the ideal DCG ✓ agrees: stated 6.39, computed 6.39279
    the result ✗ slip: stated 0.930, computed 0.927713, correct 0.928; consistent with inherited
    """
    return _of_quotient(line, ranking) if "NDCG" in line else _of_sum(line, ranking)


def _of_sum(text: str, ranking: Ranking) -> tuple[JudgedStep, ...]:
    line = read_line(text, "line")
    added = RANKING["IDCG" if "IDCG" in text else "DCG"]
    claim, wrong = claims_of(line, None, added.terms(ranking), (), added.alternatives(ranking))
    slips = {place: verdict_on(each) for place, each in wrong}
    steps = [
        JudgedStep(f"the term of rank {rank}", side.text, slips.get(rank))
        for rank, side in enumerate(line.worked[-1].terms, start=1)
    ]
    return *steps, JudgedStep("the result", claim.number.text, verdict_on(claim))


def _of_quotient(text: str, ranking: Ranking) -> tuple[JudgedStep, ...]:
    line = read_line(text, "line")
    numerator, denominator = line.worked[-1].operands
    gained = math.fsum(plain.gains(ranking.grades, ranking.rule())[: ranking.k])
    dcg_else, idcg_else, ndcg_else = (RANKING[each].alternatives(ranking) for each in ("DCG", "IDCG", "NDCG"))
    dcg_else["quantity"] = {"the cumulated gain": gained}
    dcg = judge(numerator, ranking.value("DCG"), alternatives=dcg_else)
    idcg = judge(denominator, ranking.value("IDCG"), alternatives=idcg_else)
    ndcg = judge(line.number, ranking.value("NDCG"), operands=[dcg, idcg], working=truediv, alternatives=ndcg_else)
    named = {"the DCG": dcg, "the ideal DCG": idcg, "the result": ndcg}
    return tuple(JudgedStep(name, verdict.stated, verdict) for name, verdict in named.items())


MEASURES = ("DCG", "IDCG", "NDCG")
CLAIM = re.compile(r"(.+) ([<>=]) (.+)")
VALUE = re.compile(r"([A-Za-z][A-Za-z ]*?)(?:@(\d+))?\(([A-Z](?:, [A-Z])*)\)")


def _tied(ranking: Ranking) -> list[float]:
    """NDCG in each order that the scores allow."""
    scores = ranking.scores or ()
    orders = (order for order in permutations(zip(scores, ranking.grades, strict=True)))
    allowed = {order for order in orders if [each[0] for each in order] == sorted(scores, reverse=True)}
    return [replace(ranking, grades=[grade for _, grade in order]).value("NDCG") for order in allowed]


def _beaten(ranking: Ranking) -> float:
    """The share of the other orders of the same grades that have a lower NDCG."""
    others = {*permutations(ranking.grades)} - {tuple(ranking.grades)}
    own = ranking.value("NDCG")
    return sum(replace(ranking, grades=each).value("NDCG") < own for each in others) / len(others)


def _share(of: Sequence[bool]) -> float:
    return sum(of) / len(of)


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


ONE: dict[str, Callable[[Ranking], float]] = {
    **{name: lambda ranking, name=name: ranking.value(name) for name in MEASURES},  # type: ignore[misc]
    "precision": lambda ranking: _share([grade > 0 for grade in ranking.grades[: ranking.k]]),
    "recall": lambda ranking: plain.recall(ranking.grades, ranking.k, relevant=sum(each > 0 for each in ranking.pool)),
    "AP": lambda ranking: plain.average_precision(ranking.grades),
    "share in place": lambda ranking: _share(
        [one == other for one, other in zip(ranking.grades, sorted(ranking.pool, reverse=True), strict=False)]
    ),
    "share beaten": _beaten,
    "lowest NDCG": lambda ranking: min(_tied(ranking)),
    "highest NDCG": lambda ranking: max(_tied(ranking)),
    "worst NDCG": lambda ranking: replace(ranking, grades=sorted(ranking.grades)).value("NDCG"),
}
MANY: dict[str, Callable[[Sequence[Ranking]], float]] = {
    "mean": lambda rankings: _mean([each.value("NDCG") for each in rankings]),
    "ratio of sums": lambda rankings: (
        math.fsum(each.value("DCG") for each in rankings) / math.fsum(each.value("IDCG") for each in rankings)
    ),
}


def value_of(text: str, rankings: dict[str, Ranking]) -> float:
    """The value of a measure as a claim writes it.

    >>> value_of("NDCG@1(A)", {"A": Ranking([2, 3])})
    0.6666666666666666
    """
    found = VALUE.fullmatch(text)
    if not found or (found[1] not in ONE and found[1] not in MANY):
        raise ValueError(f"expected a measure of a ranking, such as NDCG@3(A), got {text!r}")
    named = [rankings[name] for name in found[3].split(", ")]
    cut = [replace(each, k=int(found[2])) if found[2] else each for each in named]
    if found[1] in MANY:
        return MANY[found[1]](cut)
    (ranking,) = cut
    return ONE[found[1]](ranking)


def is_true(claim: str, rankings: dict[str, Ranking]) -> bool:
    """Whether a claim about rankings is true; a number with decimals on its right is a printed one.

    >>> ranking = {"A": Ranking([2, 3, 0, 1, 2])}
    >>> is_true("NDCG(A) = 0.895", ranking), is_true("NDCG@2(A) < NDCG@3(A)", ranking)
    (True, False)
    """
    found = CLAIM.fullmatch(claim)
    if not found:
        raise ValueError(f"expected a claim such as NDCG(A) > NDCG(B), got {claim!r}")
    left, sign, right = value_of(found[1], rankings), found[2], found[3]
    if "." in right and "(" not in right and sign == "=":
        return read_number(right).covers(left)
    other = value_of(right, rankings) if "(" in right else float(right)
    same = math.isclose(left, other, rel_tol=1e-12)
    return same if sign == "=" else not same and (left > other) == (sign == ">")


def read_ranking(stored: dict[str, Any]) -> Ranking:
    """A ranking as the file has it; its convention is a name, or what differs from the standard one."""
    chosen = stored.get("convention", {})
    convention = as_convention(chosen) if isinstance(chosen, str) else Convention(**chosen)
    given = {name: stored[name] for name in ("judged", "scores", "k") if name in stored}
    return Ranking(stored["grades"], convention=convention, **given)


def read_question(stored: dict[str, Any]) -> Question:
    """A question as the file has it; or a refusal where not one choice alone is true, or the text says what is not."""
    rankings = {name: read_ranking(each) for name, each in stored["rankings"].items()}
    true = [all(is_true(claim, rankings) for claim in choice["holds"]) for choice in stored["choices"]]
    wrong = [claim for claim in stored.get("states", []) if not is_true(claim, rankings)]
    if sum(true) != 1 or wrong:
        raise ValueError(f"{stored['question']!r}: expected one true choice, got {sum(true)}; not true: {wrong}")
    right = true.index(True)
    choices = tuple(choice["says"] for choice in stored["choices"])
    claims = tuple(stored["choices"][right]["holds"])
    ask = Ask("what it means", stored["question"], choices, right)
    return Question(stored["of"], rankings, ask, claims, stored["why"], stored["section"])


def read_quiz_line(stored: dict[str, Any]) -> QuizLine:
    """A printed line as the file has it, judged."""
    ranking = read_ranking(stored)
    mistakes = tuple(MISTAKES[name] for name in stored["mistakes"])
    return QuizLine(ranking, stored["line"], steps_of(stored["line"], ranking), mistakes)


@cache
def quiz() -> tuple[QuizLine | Question, ...]:
    """All lines and questions, in the order of `LINES`."""
    stored = map(json.loads, LINES.read_text(encoding="utf-8").splitlines())
    return tuple(read_quiz_line(each) if "line" in each else read_question(each) for each in stored)


def worked(item: QuizLine | Question) -> list[str]:
    """The working that an answer shows, line by line, with four decimals on the way."""
    if isinstance(item, QuizLine):
        measures = MEASURES if "NDCG" in item.line else MEASURES[1:2] if "IDCG" in item.line else MEASURES[:1]
        return [in_words(measure, item.ranking, formulas=True) for measure in measures]
    several = len(item.rankings) > 1
    shown = []
    for measure, k, names in (found for claim in item.claims for found in VALUE.findall(claim)):
        for name in names.split(", ") if measure in ("NDCG", "DCG", *MANY) else ():
            ranking = replace(item.rankings[name], k=int(k)) if k else item.rankings[name]
            said = in_words(measure if measure == "DCG" else "NDCG", ranking)
            shown.append((name, f"{name}: {said}" if several else said))
        if measure not in ("NDCG", "DCG"):
            value = value_of(f"{measure}({names})", item.rankings)
            shown.append(("last", f"{measure} of {names} = {value:.3f}"))
    return [said for _, said in sorted(dict.fromkeys(shown), key=lambda each: each[0])]


def in_words(measure: str, ranking: Ranking, *, formulas: bool = False) -> str:
    """A sum, or a quotient of two sums, worked out.

    >>> in_words("NDCG", Ranking([1, 2]))
    'NDCG = (1 + 1.2619) / (2 + 0.6309) = 2.2619 / 2.6309 = 0.860'
    >>> in_words("DCG", Ranking([1, 2]), formulas=True)
    'DCG = 1 + 2/log2(3) = 1 + 1.2619 = 2.262'
    """
    sums = ["DCG", "IDCG"] if measure == "NDCG" else [measure]
    terms = [terms_of(each, ranking) for each in sums]
    sides = []
    if measure == "NDCG":
        bare = [" + ".join(map(_decimal, each)) for each in terms]
        sides += [] if formulas else [f"({bare[0]}) / ({bare[1]})"]
        sides.append(f"{ranking.value('DCG'):.4f} / {ranking.value('IDCG'):.4f}")
    else:
        sides += [" + ".join(map(_formula, terms[0]))] if formulas else []
        sides.append(" + ".join(map(_decimal, terms[0])))
    value = f"{ranking.value(measure):.3f}"
    return " = ".join(dict.fromkeys([ranking.called(measure), *sides, value]))


def _decimal(term: Addend) -> str:
    """The value of a term with four decimals, or as a whole number."""
    return f"{term.exact:.0f}" if term.exact.is_integer() else f"{term.exact:.4f}"


def _formula(term: Addend) -> str:
    """The formula of a term in text.

    >>> [_formula(each) for each in terms_of("DCG", Ranking([3, 1], convention=EXPONENTIAL))]
    ['(2^3 − 1)', '(2^1 − 1)/log2(3)']
    """
    found = re.fullmatch(r"\\frac\{(.+)\}\{\\log_2 (\d+)\}", term.formula)
    gain, divisor = (found[1], f"/log2({found[2]})") if found else (term.formula, "")
    return f"({gain.replace('-', ' − ')}){divisor}" if "-" in gain else f"{gain}{divisor}"
