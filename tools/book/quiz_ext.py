"""The quiz, written into its pages: some of its lines as exercises for every reader, and all for the script.

A Sphinx extension with the directive `quiz`, which takes the place of something live. Its argument says which lines of
`tools/book/quiz.py` it has: `line`, `meaning`, `misconception`, or several of them. Each line for the script is a
`template`, which a browser does not show: the question, the explanation, and the choices as data.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from docutils import nodes
from docutils.parsers.rst import directives
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.writers.html5 import HTML5Translator

from ndcg_ref.formulas.measured_ranking import Ranking
from ndcg_ref.sphinx_ext.folds import folded
from ndcg_ref.stated.display import mark
from tools.book.quiz import AGREES, FORMULAS, LINES, Question, QuizLine, quiz, worked

KINDS = ("line", "meaning", "misconception")
Item = QuizLine | Question


class Template(nodes.General, nodes.Element):  # type: ignore[misc]
    """A line that only the script of the page shows."""


def kinds(argument: str) -> list[str]:
    """The kinds of lines that an argument names."""
    return [directives.choice(each, KINDS) for each in argument.split()]


class Quiz(SphinxDirective):
    """The lines of some kinds; `shown` says how many of them every reader sees."""

    required_arguments = 1
    final_argument_whitespace = True
    option_spec = {"shown": directives.positive_int}  # noqa: RUF012

    def run(self) -> list[nodes.Node]:
        """Write some lines as exercises, and all as templates."""
        wanted = kinds(self.arguments[0])
        items = [each for each in quiz() if (each.of if isinstance(each, Question) else "line") in wanted]
        self.env.note_dependency(str(LINES))
        shown: list[nodes.Node] = []
        count = self.options.get("shown", len(items))
        for number, item in enumerate(items[:: len(items) // count][:count], start=1):
            choices = [nodes.list_item("", nodes.paragraph(text=choice)) for choice in choices_of(item)]
            shown += [nodes.paragraph("", "", nodes.strong(text=f"Line {number}")), *question(item)]
            shown += [nodes.bullet_list("", *choices)] if choices else []
            shown.append(folded(self.explanation(item), "Answer", "quiz-answer"))
        return [*shown, *map(self.template, items)]

    def template(self, item: Item) -> Template:
        """A line for the script."""
        asks = [asdict(ask) for ask in (item.asks if isinstance(item, QuizLine) else [item.ask])]
        asked = nodes.container("", *question(item), classes=["quiz-question"])
        explained = nodes.container("", *self.explanation(item), classes=["quiz-explanation"])
        return Template("", asked, explained, answers=json.dumps(asks, ensure_ascii=False))

    def explanation(self, item: Item) -> list[nodes.Node]:
        """What is right, the working, and where to read again."""
        said = verdict_on_line(item) if isinstance(item, QuizLine) else answer_to(item)
        working = nodes.line_block("", *(nodes.line("", each) for each in worked(item)), classes=["quiz-working"])
        return [*said, working, self.read_again(section_of(item))]

    def read_again(self, section: str) -> nodes.container:
        """A link to the section to read again."""
        page, _, heading = section.partition("#")
        source = self.env.doc2path(f"book/{page}", base=False)
        box = nodes.container(classes=["quiz-read"])
        self.state.nested_parse(StringList([f"Read again: [](/{source}#{heading})"]), self.content_offset, box)
        return box


def choices_of(item: Item) -> Sequence[str]:
    """The choices that a reader without scripts sees: those of a question."""
    return item.ask.choices if isinstance(item, Question) else ()


def section_of(item: Item) -> str:
    """The section to read again."""
    if isinstance(item, Question):
        return item.section
    return AGREES if item.mistake is None else item.mistakes[item.mistake].section


def question(item: Item) -> list[nodes.Node]:
    """What is asked.

    Of a line, its ranking, the line, and its result in text, since a narrow screen cuts a long line.
    """
    if isinstance(item, Question):
        several = len(item.rankings) > 1
        given = [f"{name}: {given_of(each)}" if several else given_of(each) for name, each in item.rankings.items()]
        rows = [nodes.line("", each) for each in given]
        return [nodes.paragraph(text=item.ask.question), nodes.line_block("", *rows)]
    given_line = nodes.paragraph(text=f"Grades {given_of(item.ranking)}; {FORMULAS[item.ranking.rule()]}.")
    printed = nodes.math_block(item.line, item.line, nowrap=False, number=None, label=None)
    result = nodes.paragraph(text=f"Printed result: {item.steps[-1].stated}.", classes=["quiz-result"])
    return [given_line, printed, result]


def given_of(ranking: Ranking) -> str:
    """The grades of a ranking, best rank first, those that were not returned, the scores and the cutoff.

    >>> given_of(Ranking([2, 1], judged=[2, 1, 3], k=1))
    '2, 1, best rank first; not returned: 3; cutoff 1'
    """
    said = f"{listed(ranking.grades)}, best rank first" if len(ranking.grades) > 1 else listed(ranking.grades)
    missing = ranking.pool[len(ranking.grades) :]
    said += f"; not returned: {listed(missing)}" if missing else ""
    said += f"; scores {listed(ranking.scores)}" if ranking.scores else ""
    return said + (f"; cutoff {ranking.k}" if ranking.k else "")


def listed(numbers: Sequence[float]) -> str:
    """Numbers with commas."""
    return ", ".join(map(str, numbers))


def answer_to(item: Question) -> list[nodes.Node]:
    """The right choice, and why it is right."""
    return [nodes.paragraph(text=f"{item.ask.choices[item.ask.right].rstrip('.')}. {item.why}")]


def verdict_on_line(item: QuizLine) -> list[nodes.Node]:
    """Whether the line holds; of one that does not, its first wrong step, what may have happened, and the result."""
    if item.wrong is None or item.slip is None or item.mistake is None:
        return [nodes.paragraph(text=f"{mark('agrees')}: every step holds.")]
    step, result = item.steps[item.wrong], item.steps[-1]
    said = nodes.paragraph(text=f"{mark('slip')}: {step.name} is ")
    said += [*printed(step.stated), nodes.Text(", and should be "), *printed(item.slip.correct or "")]
    said += nodes.Text(f". What fits: {lower(item.mistakes[item.mistake].says)}.")
    if step is not result and result.slip is not None:
        said += nodes.Text(f" The result follows from it; it is {result.stated}, and should be {result.slip.correct}.")
    return [said]


def lower(sentence: str) -> str:
    """A sentence that goes on after a colon; a name in capitals stays.

    >>> lower("The ideal was cut"), lower("DCG and ideal DCG changed places")
    ('the ideal was cut', 'DCG and ideal DCG changed places')
    """
    return sentence if sentence[1:2].isupper() else sentence[:1].lower() + sentence[1:]


def printed(text: str) -> list[nodes.Node]:
    """A printed number, or a term in LaTeX."""
    return [nodes.math(text, text)] if re.search(r"[\\^]", text) else [nodes.Text(text)]


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
