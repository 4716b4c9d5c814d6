"""The lines of the quiz, written into its page: five of them as exercises for every reader, and all for the script.

A line is a printed sum or quotient of a ranking of four documents, one of them of grade 4. It holds, or one of its
steps goes wrong first. The lines are data, `book/_data/quiz.jsonl`; whether each step is right is computed here.

A Sphinx extension with the directive `quiz`, which takes the place of something live. Each line for the script is a
`template`, which a browser does not show: the question, the explanation, and the right answers as data.
"""

import json
import math
import re
from dataclasses import dataclass
from functools import cache
from operator import truediv
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.writers.html5 import HTML5Translator

from ndcg_ref.conventions.convention import Convention
from ndcg_ref.conventions.lookup import as_convention
from ndcg_ref.formulas import plain
from ndcg_ref.formulas.measured_ranking import Ranking
from ndcg_ref.sphinx_ext.folds import folded
from ndcg_ref.stated.causes import MEANINGS
from ndcg_ref.stated.display import Outcome, mark
from ndcg_ref.stated.lines import claims_of, read_line
from ndcg_ref.stated.verdict import Verdict, verdict_on
from ndcg_ref.subjects.exercises import FORMULAS
from ndcg_ref.subjects.ranking import MeasuredSum, judge_measure
from tools.book.ledger_ext import linked

LINES = Path(__file__).resolve().parents[2] / "book" / "_data" / "quiz.jsonl"
EXERCISES = ("sum: truncated", "quotient that holds", "the DCG: quantity", "term: term", "sum that holds")
DISCOUNT, GAIN, NDCG, VERDICTS = (
    f"/book/{page}" for page in ("concepts/discount", "concepts/conventions", "concepts/ndcg", "verdicts")
)
READ_AGAIN = {"convention": DISCOUNT, "term": DISCOUNT, "quantity": NDCG}
ABOUT_GAIN = re.compile(r"gain |the −1 ")


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
    """A printed line of a ranking in LaTeX, its terms or operands and its result, and the causes to choose from.

    Its kind is which step goes wrong first and how, or that it holds; then there are no causes.
    """

    kind: str
    grades: tuple[int, ...]
    convention: Convention
    line: str
    steps: tuple[JudgedStep, ...]
    causes: tuple[str, ...] = ()

    @property
    def wrong(self) -> int | None:
        """The place of the first wrong step; None if there is none."""
        return next((place for place, step in enumerate(self.steps) if step.slip), None)

    @property
    def cause(self) -> int | None:
        """The place of the cause that is found at the first wrong step; None for a line that holds."""
        slip = None if self.wrong is None else self.steps[self.wrong].slip
        if slip is None:
            return None
        fitting = {MEANINGS[code] for code in slip.causes} | {each.label for each in slip.evidence}
        return next(place for place, cause in enumerate(self.causes) if cause in fitting)


def steps_of(line: str, grades: tuple[int, ...], convention: Convention) -> tuple[JudgedStep, ...]:
    r"""Judge every step of a printed line: a DCG with a term for each rank, or an NDCG as a quotient.

    >>> from ndcg_ref.conventions.convention import STANDARD
    >>> line = r"\mathrm{NDCG}_4 = \frac{5.94}{6.39} = 0.930"
    >>> for step in steps_of(line, (4, 0, 3, 1), STANDARD):
    ...     print(step.name, step.verdict)
    the DCG ✗ slip: stated 5.94, computed 5.93068, correct 5.93; consistent with rounded-up
    the ideal DCG ✓ agrees: stated 6.39, computed 6.39279
    the result ✗ slip: stated 0.930, computed 0.927713, correct 0.928; consistent with inherited
    """
    return _of_quotient(line, grades, convention) if "NDCG" in line else _of_sum(line, grades, convention)


def _of_sum(text: str, grades: tuple[int, ...], convention: Convention) -> tuple[JudgedStep, ...]:
    line = read_line(text, "line")
    added = MeasuredSum("DCG", Ranking(grades, convention=convention))
    claim, wrong = claims_of(line, None, added.terms, (), added.alternatives)
    slips = {place: verdict_on(each) for place, each in wrong}
    steps = [
        JudgedStep(f"the term of rank {rank}", side.text, slips.get(rank))
        for rank, side in enumerate(line.worked[-1].terms, start=1)
    ]
    return *steps, JudgedStep("the result", claim.number.text, verdict_on(claim))


def _of_quotient(text: str, grades: tuple[int, ...], convention: Convention) -> tuple[JudgedStep, ...]:
    line = read_line(text, "line")
    numerator, denominator = line.worked[-1].operands
    quantity = {"quantity": {"the cumulated gain": math.fsum(plain.gains(grades, convention))}}
    ranking = Ranking(grades, convention=convention)
    dcg = judge_measure(numerator, "DCG", ranking, "", alternatives=quantity)
    idcg = judge_measure(denominator, "IDCG", ranking, "", alternatives=quantity)
    ndcg = judge_measure(line.number, "NDCG", ranking, "", operands=[dcg, idcg], working=truediv, alternatives=quantity)
    named = {"the DCG": dcg, "the ideal DCG": idcg, "the result": ndcg}
    return tuple(JudgedStep(name, verdict.stated, verdict) for name, verdict in named.items())


@cache
def quiz_lines() -> tuple[QuizLine, ...]:
    """The lines of the quiz, as `LINES` has them, judged.

    >>> line = quiz_lines()[0]
    >>> len(line.grades), max(line.grades)
    (4, 4)
    """
    made = []
    for text in LINES.read_text(encoding="utf-8").splitlines():
        stored = json.loads(text)
        grades, convention = tuple(stored["grades"]), as_convention(stored["convention"], "DCG")
        steps = steps_of(stored["line"], grades, convention)
        made.append(QuizLine(stored["kind"], grades, convention, stored["line"], steps, tuple(stored["causes"])))
    return tuple(made)


class Template(nodes.General, nodes.Element):  # type: ignore[misc]
    """A line that only the script of the page shows."""


class Quiz(SphinxDirective):
    """All lines of the quiz."""

    def run(self) -> list[nodes.Node]:
        """Write five lines as exercises, and all as templates."""
        lines = quiz_lines()
        self.env.note_dependency(str(LINES))
        shown: list[nodes.Node] = []
        for number, kind in enumerate(EXERCISES, start=1):
            line = next(each for each in lines if each.kind == kind)
            shown += [nodes.paragraph("", "", nodes.strong(text=f"Line {number}")), *question(line)]
            shown.append(folded(explanation(line), "Answer", "quiz-answer"))
        return [*shown, *(template(line) for line in lines)]


def template(line: QuizLine) -> Template:
    """A line for the script."""
    answers = {
        "steps": [f"{step.name}, {step.stated}" if "\\" not in step.stated else step.name for step in line.steps],
        "wrong": line.wrong,
        "causes": line.causes,
        "cause": line.cause,
    }
    asked = nodes.container("", *question(line), classes=["quiz-question"])
    explained = nodes.container("", *explanation(line), classes=["quiz-explanation"])
    return Template("", asked, explained, answers=json.dumps(answers, ensure_ascii=False))


def question(line: QuizLine) -> list[nodes.Node]:
    """The grades, the formula, the printed line, and its result in text, since a narrow screen cuts a long line."""
    grades = ", ".join(map(str, line.grades))
    given = f"Grades {grades}, best rank first; {FORMULAS[line.convention]}."
    printed = nodes.math_block(line.line, line.line, nowrap=False, number=None, label=None)
    result = nodes.paragraph(text=f"Printed result: {line.steps[-1].stated}.", classes=["quiz-result"])
    return [nodes.paragraph("", "", *with_formulas(given)), printed, result]


def explanation(line: QuizLine) -> list[nodes.Node]:
    """Whether the line holds; of one that does not, its first wrong step and the result, with their causes."""
    result = line.steps[-1]
    if line.wrong is None:
        assert result.verdict is not None
        said = f"{mark('agrees')}: every step holds. Computed {result.verdict.computed_text}, printed {result.stated}."
        return [nodes.paragraph(text=said), read_again([VERDICTS])]
    step = line.steps[line.wrong]
    assert step.slip is not None
    found = [wrong(step.name, step.slip)]
    if step is not result and result.slip is not None:
        found.append(wrong(result.name, result.slip))
    about_gain = any(each.gives and ABOUT_GAIN.match(each.label) for each in step.slip.evidence)
    chapter = GAIN if about_gain else READ_AGAIN.get(step.slip.causes[0], VERDICTS)
    return [*found, read_again([chapter])]


def wrong(name: str, slip: Verdict) -> nodes.paragraph:
    """A step that is wrong, what is right, and the causes."""
    said = nodes.paragraph(text=f"{mark('slip')}: {name} is ")
    said += [*printed(slip.stated), nodes.Text(", and should be "), *printed(slip.correct or "")]
    said += nodes.Text(f"; computed {slip.computed_text}. Consistent with ")
    for place, code in enumerate(slip.causes):
        text = next((each.text for each in slip.evidence if each.gives and each.cause == code), "")
        parts = [linked(f"cause-{each}", each) for each in code.split("+")]
        said += [nodes.Text("; "), parts[0]] if place else parts[0]
        for part in parts[1:]:
            said += [nodes.Text("+"), part]
        if text and "\\" not in text:
            said += nodes.Text(f": {text}")
    said += nodes.Text(".")
    return said


def read_again(pages: list[str]) -> nodes.paragraph:
    """Where to read again."""
    said = nodes.paragraph(text="Read again: ", classes=["quiz-read"])
    for page in pages:
        link = addnodes.pending_xref(refdomain="std", reftype="doc", reftarget=page, refexplicit=False, refwarn=True)
        link += nodes.inline(text=page)
        said += link
    return said


def printed(text: str) -> list[nodes.Node]:
    """A printed number, or a term in LaTeX."""
    return [nodes.math(text, text)] if re.search(r"[\\^]", text) else [nodes.Text(text)]


def with_formulas(text: str) -> list[nodes.Node]:
    """A text whose formulas are between dollars."""
    return [nodes.math(part, part) if place % 2 else nodes.Text(part) for place, part in enumerate(text.split("$"))]


def visit_template(self: HTML5Translator, node: Template) -> None:
    """Begin a template."""
    self.body.append(self.starttag({}, "template", CLASS="quiz-line", **{"data-answers": node["answers"]}))


def depart_template(self: HTML5Translator, node: Template) -> None:
    """End it."""
    self.body.append("</template>\n")


def skip(self: Any, node: Template) -> None:
    """Leave it out."""
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the directive."""
    app.add_node(Template, html=(visit_template, depart_template), latex=(skip, None), text=(skip, None))
    app.add_directive("quiz", Quiz)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
