"""The shape of a chapter: what it teaches, questions with answers, exercises with stars and solutions, its terms.

A Sphinx extension for every builder. On a page answers and solutions are folded; in print all is open. The cells that
check the text of solutions are one fold at the end of the chapter. The first link
of a page to a term of the glossary says what it means, and later ones are plain text. On a page the definition is the
title of the link, and a card that a script shows instead (`data-definition`, see
ndcg_ref/sphinx_ext/static/ndcg-ref.js).
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.parsers.rst import directives
from docutils.parsers.rst.states import Inliner
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective
from sphinx.writers.html5 import HTML5Translator
from sphinx.writers.latex import LaTeXTranslator

from ndcg_ref.sphinx_ext.folds import (
    OF_SOLUTIONS,
    PROMPT,
    Fold,
    all_agree,
    folded,
    is_introduction,
    put_at_end,
    records_of,
    section_of,
)
from ndcg_ref.sphinx_ext.ticks import is_output
from ndcg_ref.stated.display import MARKS, Outcome, Record
from tools.book.contents import chapters, minutes

LOGGER = logging.getLogger(__name__)
MOST_STARS = 3
COUNTED = ("no star", "one star", "two stars", "three stars")
EXERCISE = re.compile(r"(\d+)\.")
SENTENCE = re.compile(r".+?[.?!](?=\s|$)", re.DOTALL)
LEGEND = "A number with a dotted line was recomputed when this page was built, and shows its exact value."
STARS = re.compile(rf" (★{{1,{MOST_STARS}}}) ")


class Choice(nodes.paragraph):  # type: ignore[misc]
    """A choice that a question offers: a button on a page, a line of a list on paper."""


class Stars(nodes.inline):  # type: ignore[misc]
    """How hard an exercise is."""


def titled(title: str) -> nodes.paragraph:
    """The first line of a box."""
    return nodes.paragraph("", "", nodes.strong(text=title), classes=["ndcg-box-title"])


class Outcomes(SphinxDirective):
    """What a reader can do after the chapter: a sentence of summary, and a list."""

    has_content = True
    option_spec = {"needs": directives.unchanged_required}  # noqa: RUF012

    def run(self) -> list[nodes.Node]:
        """Read the box."""
        content = nodes.container()
        self.state.nested_parse(self.content, self.content_offset, content)
        match content.children:
            case [nodes.paragraph() as summary, nodes.bullet_list() as goals]:
                pass
            case _:
                raise self.error("outcomes: expected one sentence of summary, and below it a list with a dash each")
        summary["classes"].append("ndcg-summary")
        side = nodes.container("", *(nodes.paragraph(text=each) for each in times(self.page)), classes=["ndcg-side"])
        if "needs" in self.options:
            links, messages = self.state.inline_text(self.options["needs"], self.lineno)
            side += nodes.paragraph("", "needs: ", *links, *messages)
        able = nodes.container("", titled("After this chapter you can"), goals)
        box = nodes.container("", summary, able, side, classes=["ndcg-outcomes"])
        self.set_source_info(box)
        legend = nodes.container("", nodes.paragraph(text=LEGEND), classes=["ndcg-legend"])
        return [box, addnodes.only("", legend, expr="html")]

    @property
    def page(self) -> Path:
        """The file of the page."""
        return Path(self.env.doc2path(self.env.docname))


def times(page: Path) -> list[str]:
    """How long a chapter takes to read, and its exercises to do, in words."""
    reading, exercises = minutes(page)
    said = [f"{reading} minutes" if reading > 1 else "1 minute"]
    return [*said, f"exercises: {exercises} minutes"] if exercises else said


def reading_time(
    name: str, text: str, content: str, line: int, inliner: Inliner, *more: Any
) -> tuple[list[nodes.Node], list[nodes.Node]]:
    """How many minutes the chapters of a folder take to read, and their exercises to do: the role `minutes`."""
    env = inliner.document.settings.env
    found = [chapter for chapter in chapters(Path(env.srcdir)) if chapter.parent.name == content]
    if not found:
        return [], [inliner.reporter.error(f"minutes: expected a folder with chapters, got {content!r}", line=line)]
    for chapter in found:
        env.note_dependency(str(chapter))
    reading, exercises = (sum(each) for each in zip(*map(minutes, found), strict=True))
    hours = round((reading + exercises) / 60)
    return [nodes.Text(f"{reading} minutes of reading, {hours} hours with exercises")], []


class Question(SphinxDirective):
    """A question to answer before reading on, with its answer."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Read the question, and the answer within it."""
        content = nodes.container()
        self.state.nested_parse(self.content, self.content_offset, content)
        *asked, answer = content.children or [None]
        if not asked or not is_a("ndcg-answer", answer) or any(is_a("ndcg-answer", each) for each in asked):
            raise self.error("question: expected some text, and after it one answer")
        for choices in asked:
            if isinstance(choices, nodes.bullet_list):
                offer(choices, f"choice-{self.env.new_serialno('choice')}")
        question = nodes.container("", titled("Before you read on"), *asked)
        box = nodes.container("", question, answer, classes=["ndcg-question"])
        self.set_source_info(box)
        return [box]


def offer(choices: nodes.bullet_list, name: str) -> None:
    """Make buttons of the lines of a list; of those with one name a reader chooses one."""
    choices["classes"].append("ndcg-choices")
    for item in choices:
        item[:] = [Choice("", "", *item[0].children, name=name)]


class Answer(SphinxDirective):
    """The answer to a question."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Read the answer."""
        self.assert_has_content()
        answer = folded([], "Answer", "ndcg-answer")
        self.set_source_info(answer)
        self.state.nested_parse(self.content, self.content_offset, answer)
        return [answer]


class Solution(SphinxDirective):
    """The solution of an exercise; its text may be missing where a cell follows that says it."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Read the solution."""
        solution = folded([], "Solution", "ndcg-solution")
        self.set_source_info(solution)
        self.state.nested_parse(self.content, self.content_offset, solution)
        return [solution]


def is_a(kind: str, node: nodes.Node | None) -> bool:
    """Whether a node is of a class."""
    return isinstance(node, nodes.Element) and kind in node["classes"]


class Shape(SphinxTransform):
    """Give exercises their stars, and solutions their numbers and cells."""

    default_priority = 300  # before anything folds cells

    def apply(self, **kwargs: Any) -> None:
        """Change the exercises of a page."""
        for box in list(self.document.findall(Fold)):
            if is_a("ndcg-answer", box) and not is_a("ndcg-question", box.parent):
                LOGGER.error("answer: expected a question around it", location=box, type="chapter")
        for paragraph in list(self.document.findall(nodes.paragraph)):
            if number_of(paragraph):
                set_stars(paragraph)
        for box in list(self.document.findall(Fold)):
            if is_a("ndcg-solution", box):
                complete(box)
        for cell in self.document.findall(nodes.container):
            if is_a("tag_solution", cell) and not (is_a("ndcg-solution", cell.parent) or is_a(OF_SOLUTIONS, cell)):
                LOGGER.error("tag solution: expected a solution above the cell", location=cell, type="chapter")


def number_of(node: nodes.Node) -> str:
    """The number with which an exercise begins, else nothing."""
    said = [each for each in node.children if each.astext()] if isinstance(node, nodes.paragraph) else []
    found = EXERCISE.fullmatch(said[0].astext()) if said and isinstance(said[0], nodes.strong) else None
    return found.group(1) if found else ""


def set_stars(paragraph: nodes.paragraph) -> None:
    """Set the stars after the number of an exercise."""
    for place, text in enumerate(paragraph.children):
        found = STARS.match(str(text)) if isinstance(text, nodes.Text) else None
        if found:
            stars = Stars(text=found.group(1), classes=["ndcg-stars"])
            paragraph[place : place + 1] = [nodes.Text(" "), stars, nodes.Text(" " + str(text)[found.end() :])]
            return


def complete(solution: Fold) -> None:
    """Find the exercise above a solution, and move the cells below it: into the fold, or to the end of the chapter.

    They go into the fold if it has no text, or if one of their verdicts does not agree, which is then a part of it.
    """
    siblings = solution.parent.children
    place = siblings.index(solution)
    before = [number_of(each) or is_a("ndcg-solution", each) for each in siblings[:place]]
    number = next((each for each in reversed(before) if each), None)
    if not isinstance(number, str):
        LOGGER.error("solution: expected an exercise above it, such as **1.** ★", location=solution, type="chapter")
        return
    solution["exercise"] = number
    solution["summary"] = f"Solution {number}"
    cells = []
    for each in siblings[place + 1 :]:
        if not is_a("tag_solution", each):
            break
        cells.append(each)
    agree = all(record["outcome"] == Outcome.AGREES for cell in cells for record in records_of(cell))
    place = last_section(solution.document) if solution.children and agree else solution
    for cell in cells:
        cell.parent.remove(cell)
        cell.attributes.pop("hide_mode", None)  # there is no fold in a fold
        if place is not solution:
            cell["classes"].append(OF_SOLUTIONS)
            cell.attributes |= {"hide_mode": "all", "prompt_show": PROMPT}
        place += cell
    if not solution.children:
        LOGGER.error("solution: expected text, or a cell with the tag solution", location=solution, type="chapter")


def last_section(page: nodes.document) -> nodes.Element:
    """The last section below the title of a page, or the title's own if there is none."""
    whole = next(page.findall(nodes.section))
    return next((each for each in reversed(whole.children) if isinstance(each, nodes.section)), whole)


def visit_choice(self: HTML5Translator, node: Choice) -> None:
    """Begin a choice with its button."""
    self.body.append(f'<label><input type="radio" name="{node["name"]}">')


def depart_choice(self: HTML5Translator, node: Choice) -> None:
    """End it."""
    self.body.append("</label>\n")


def visit_stars(self: HTML5Translator, node: Stars) -> None:
    """Write stars that are also said in words."""
    count = len(node.astext())
    words = f"{COUNTED[count]} of {COUNTED[MOST_STARS].split()[0]}"
    stars = node.astext() + "☆" * (MOST_STARS - count)
    self.body.append(f"{self.starttag(node, 'span', '', role='img', **{'aria-label': words})}{stars}</span>")
    raise nodes.SkipNode


class OpenChecks(SphinxPostTransform):
    """Say how many numbers of a section agree where no fold says it, as all that was checked there is open."""

    default_priority = 155  # before the folds
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        """Add a line to the end of each such section."""
        hidden = {section_of(each) for each in self.document.findall(nodes.container) if each.get("hide_mode") == "all"}
        open_in: dict[nodes.Element, list[Record]] = {}
        for output in self.document.findall(is_output):
            open_in.setdefault(section_of(output), []).extend(output["payload"]["verdicts"])
        for section, records in open_in.items():
            agreeing = [record for record in records if record["outcome"] == Outcome.AGREES]
            if agreeing and section not in hidden and not is_introduction(section):
                line = f"{MARKS[Outcome.AGREES]} {all_agree(agreeing, len(agreeing) < len(records))}"
                put_at_end(section, nodes.paragraph(text=line, classes=["ndcg-checked", "d-print-none"]))


class TermLink(nodes.reference):  # type: ignore[misc]
    """A link to an entry of the glossary, with its definition."""


class Terms(SphinxPostTransform):
    """Keep the first link of a page to each entry of the glossary."""

    default_priority = 20  # after references are resolved

    def run(self, **kwargs: Any) -> None:
        """Change every page, or every part of the one that is a whole book."""
        glossary = {label: page for page, label in self.env.get_domain("std").objects.values()}  # type: ignore[attr-defined]
        entries: dict[str, tuple[str, str]] = {}
        seen: set[tuple[str, str]] = set()
        for link in list(links(self.document)):
            label = (link.get("refid") or link["refuri"]).rpartition("#")[2]
            page, where = docname_of(link, self.env.docname), glossary.get(label, "")
            if where in ("", page):
                continue
            if label not in entries:
                entries |= definitions(self.env.get_doctree(where))
            entry, definition = entries[label]
            if (page, entry) in seen:
                link.replace_self(nodes.Text(link.astext()))
            else:
                seen.add((page, entry))
                own = {**link.attributes, "classes": ["ndcg-defined"], "definition": definition}
                link.replace_self(TermLink("", "", *link.children, **own))


def links(document: nodes.document) -> Iterator[nodes.reference]:
    """The links to terms, in order."""
    for link in document.findall(nodes.reference):
        if any("std-term" in inner["classes"] for inner in link.findall(nodes.inline)):
            yield link


def docname_of(node: nodes.Node, default: str) -> str:
    """The name of the page that a node comes from, which in a whole book is at a section above it."""
    while node is not None:
        if isinstance(node, nodes.Element) and "docname" in node:
            return str(node["docname"])
        node = node.parent
    return default


def definitions(glossary: nodes.document) -> dict[str, tuple[str, str]]:
    """For the label of each term its entry, by the label of its first term, and the first sentence of that."""
    found = {}
    for item in glossary.findall(nodes.definition_list_item):
        labels = [label for term in item.findall(nodes.term) for label in term["ids"]]
        said = next(item.findall(nodes.paragraph))
        definition = plain(said)
        found.update(dict.fromkeys(labels, (labels[0], definition)))
    return found


def plain(paragraph: nodes.paragraph) -> str:
    """The first sentence of a paragraph, as plain text."""
    pieces = [tex_as_text(each.astext()) if isinstance(each, nodes.math) else each.astext() for each in paragraph]
    sentence = SENTENCE.match(" ".join("".join(pieces).split()))
    if sentence is None or "\\" in sentence.group():
        LOGGER.warning("expected a first sentence that can stand alone", location=paragraph, type="terms")
    return sentence.group() if sentence else ""


def tex_as_text(tex: str) -> str:
    r"""A short formula as text.

    >>> tex_as_text("2^{r} + 1")
    '2^r + 1'
    """
    return tex.translate({ord("{"): "", ord("}"): "", ord("-"): "−"}).replace(r"\ell", "\N{SCRIPT SMALL L}")


def visit_term(self: HTML5Translator, node: TermLink) -> None:
    """Begin a link with its definition."""
    target = {"href": node.get("refuri") or f"#{node['refid']}", "title": node["definition"], "data-definition": ""}
    self.body.append(self.starttag(node, "a", "", CLASS="reference internal", **target))


def depart_term(self: HTML5Translator, node: TermLink) -> None:
    """End it."""
    self.body.append("</a>")


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the directives, their nodes and the transforms."""
    app.setup_extension("ndcg_ref.sphinx_ext")  # which has the folds
    for name, directive in {"outcomes": Outcomes, "question": Question, "answer": Answer, "solution": Solution}.items():
        app.add_directive(name, directive)
    app.add_role("minutes", reading_time)
    paragraph = (LaTeXTranslator.visit_paragraph, LaTeXTranslator.depart_paragraph)
    app.add_node(Choice, html=(visit_choice, depart_choice), latex=paragraph)
    app.add_node(Stars, html=(visit_stars, None))
    app.add_transform(Shape)
    app.add_node(TermLink, html=(visit_term, depart_term))
    app.add_post_transform(Terms)
    app.add_post_transform(OpenChecks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
