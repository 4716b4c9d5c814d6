"""The lines of the quiz, written into its page: five of them as exercises for every reader, and all for the script.

A Sphinx extension with the directive `quiz`, which stands in the place of something live. Each line for the script is a
`template`, which a browser does not show: the question, the explanation, and the right answers as data.
"""

import json
import re
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.writers.html5 import HTML5Translator

from ndcg_ref.sphinx_ext.folds import folded
from ndcg_ref.stated.display import mark
from ndcg_ref.stated.verdict import Verdict
from ndcg_ref.subjects.exercises import FORMULAS
from tools.book.ledger_ext import linked
from tools.book.quiz_lines import QuizLine, quiz_lines

EXERCISES = ("sum: truncated", "quotient that holds", "the DCG: quantity", "term: term", "sum that holds")
DISCOUNT, GAIN, NDCG, VERDICTS = (
    f"/book/{page}" for page in ("concepts/discount", "concepts/conventions", "concepts/ndcg", "verdicts")
)
READ_AGAIN = {"convention": DISCOUNT, "term": DISCOUNT, "quantity": NDCG}
ABOUT_GAIN = re.compile(r"gain |the −1 ")


class Template(nodes.General, nodes.Element):  # type: ignore[misc]
    """A line that only the script of the page shows."""


class Quiz(SphinxDirective):
    """All lines of the quiz."""

    def run(self) -> list[nodes.Node]:
        """Write five lines as exercises, and all as templates."""
        lines = quiz_lines()
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
    """A text whose formulas stand between dollars."""
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
