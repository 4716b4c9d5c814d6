"""The role and the directive `ndcg`, for pages without code: what is typed is judged, and shown as a cell shows it."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective, SphinxRole

from ndcg_ref.sphinx_ext.prose_numbers import line_of, page_location, said_of, unused
from ndcg_ref.sphinx_ext.typed import judged_lines, option_names
from ndcg_ref.sphinx_ext.verdict_nodes import output_nodes, right, struck, tick
from ndcg_ref.stated.checks import problem_of
from ndcg_ref.stated.display import Outcome, Record
from ndcg_ref.stated.grammar import judged_number
from ndcg_ref.stated.subject import UnknownCauseError
from ndcg_ref.stated.verdict import Verdict

LOGGER = logging.getLogger(__name__)
UNKNOWN = "ndcg_unknown_causes"  # in the metadata of a page


class NumberRole(SphinxRole):
    """A number that is judged where it is, in a sentence: ``0.939 = ndcg(3, 0, 2; k=3)``."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """The number and its tick; a slip is struck through, with what is right behind it."""
        source, line = self.get_source_info()
        if Path(source).is_file():  # and no docstring; it may be a later line of its paragraph
            line = line_of(self.text, Path(source).read_text(encoding="utf-8").splitlines(), line)
        place = page_location(line, Path(source).suffix)
        try:
            verdict = judged_number(self.text)
        except (ValueError, TypeError) as error:
            cannot_read(error, source + place, self.env)
            return [nodes.literal(text=self.text)], []
        warn_of(verdict, "slip={}", source + place)
        (record,) = labelled([verdict], self.inliner.document)
        slip = record["outcome"] == Outcome.SLIP
        text = [struck(record), nodes.Text(" "), right(record)] if slip else [nodes.Text(record["stated"])]
        sign = tick(record, said=said_of(record))
        kept = {"ids": [record["label"]], "verdict": record, "place": place}
        return [nodes.inline("", "", *text, sign, classes=["ndcg-ticked"], **kept)], []


class StatedDirective(SphinxDirective):
    """An equation or a table that is judged; its argument says what it is."""

    has_content = True
    optional_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar[dict[str, Callable[[str], Any]]] = {}  # by `know_options`

    @classmethod
    def know_options(cls) -> None:
        """Take the settings of all subjects that are registered by now."""
        cls.option_spec.update(dict.fromkeys(option_names(), directives.unchanged_required))

    def run(self) -> list[nodes.Node]:
        """What a cell shows that checks it."""
        source, line = self.get_source_info()
        place = page_location(line, Path(source).suffix)
        try:
            verdicts, layout = judged_lines(self.content, "".join(self.arguments), self.options)
        except (ValueError, TypeError) as error:
            cannot_read(error, source + place, self.env)
            text = "\n".join(self.content)
            return [nodes.literal_block(text, text, language="none")]
        for verdict in verdicts:
            warn_of(verdict, ":slip: {}", source + place)
        (shown,) = output_nodes({"verdicts": labelled(verdicts, self.state.document), **layout})
        shown["place"] = place
        return [shown]


def labelled(verdicts: Sequence[Verdict], document: nodes.document, kind: str = "verdict") -> list[Record]:
    """The records, each with a label that no other element of the page has."""
    records = [verdict.record() for verdict in verdicts]
    for record in records:
        record["label"] = unused(record["label"].replace("verdict", kind, 1), document.ids)
        document.ids[record["label"]] = None
    return records


def warn_of(verdict: Verdict, form: str, location: str) -> None:
    """Warn of a slip that is not declared, and of a declared one that is none, or has another cause."""
    if problem := problem_of(verdict, "page", form):
        LOGGER.warning("%s", problem, type="ndcg", subtype="verdict", location=location)


def warn_of_syntax(error: Exception | str, location: str) -> None:
    """Warn of what cannot be read."""
    LOGGER.warning("%s", error, type="ndcg", subtype="syntax", location=location)


def cannot_read(error: ValueError | TypeError, location: str, env: BuildEnvironment) -> None:
    """Warn of what cannot be read, and keep an unknown cause with the page, for `refuse_unknown_causes`."""
    if isinstance(error, UnknownCauseError):
        env.metadata[env.docname].setdefault(UNKNOWN, []).append((str(error), location))
    else:
        warn_of_syntax(error, location)


def refuse_unknown_causes(app: Sphinx, env: BuildEnvironment) -> None:
    """Let the build fail, with or without -W, where a page declares a cause that no subject has; all are listed."""
    for error, location in (each for page in env.metadata.values() for each in page.get(UNKNOWN, ())):
        LOGGER.error("%s", error, location=location)
        app.statuscode = 1
