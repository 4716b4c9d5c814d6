"""Show verdicts and drawings on the pages of a book: the JSON that a chapter stores, for every builder.

Here is what `ndcg_ref.sphinx_ext` sets up, and a renderer for MyST-NB, found through the entry point group
``myst_nb.mime_renderers``. The other modules of this folder make the nodes of verdicts and drawings, the ticks in the
prose, and the folds.
"""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ConfigError
from sphinx.util import logging
from sphinx.writers.latex import LaTeXTranslator
from sphinx.writers.text import TextTranslator

from ndcg_ref import __version__
from ndcg_ref.sphinx_ext import drawing
from ndcg_ref.sphinx_ext.build_ledger import CollectEntries, write_ledger
from ndcg_ref.sphinx_ext.drawing_nodes import Drawing, drawing_nodes, visit_html, visit_latex
from ndcg_ref.sphinx_ext.folds import Fold, Folds, depart_fold, visit_fold, visit_fold_in_print, visit_fold_in_text
from ndcg_ref.sphinx_ext.marks import Marks, Prose
from ndcg_ref.sphinx_ext.prose_numbers import CELL
from ndcg_ref.sphinx_ext.roles import NumberRole, StatedDirective, refuse_unknown_causes
from ndcg_ref.sphinx_ext.ticks import Anchors, Ticks
from ndcg_ref.sphinx_ext.verdict_nodes import output_nodes
from ndcg_ref.stated.checks import LISTING
from ndcg_ref.stated.display import MIME
from ndcg_ref.stated.grammar import load_subject

LOGGER = logging.getLogger(__name__)
STATIC = Path(__file__).parent / "static"
STYLE, SCRIPT = "ndcg-ref.css", "ndcg-ref.js"
DRAWING_STYLE, DRAWING_PACKAGE = "ndcg-ref-drawing.css", "ndcg-ref-drawing.sty"


class VerdictRenderer:
    """Renders the verdicts and the drawings of an output."""

    mime_priority_overrides: ClassVar[Sequence[tuple[str, str, int | None]]] = [("*", MIME, 1), ("*", drawing.MIME, 1)]

    @staticmethod
    def handle_mime(renderer: Any, data: Any, inline: bool) -> list[nodes.Element] | None:
        """The nodes of one output, or None for an output of another type."""
        if data.mime_type not in READERS or inline:
            return None
        try:
            content = data.content if isinstance(data.content, Mapping) else json.loads(data.content)
            place = f":cell {data.line // CELL}" if data.line >= CELL else f":{data.line}"
            for problem in content.get("problems", ()):  # which a cell lists where `ndcg_list_slips` says so
                location = f"{renderer.renderer.document['source']}{place}"
                LOGGER.warning("%s", problem, type="ndcg", subtype="verdict", location=location)
            return READERS[data.mime_type](content)
        except (json.JSONDecodeError, KeyError, IndexError, TypeError, ValueError) as error:
            LOGGER.warning(
                "expected a stored verdict or drawing, found one that cannot be read (%r): run the chapter again",
                error,
                type="ndcg",
                subtype="verdict",
                location=(renderer.renderer.document["source"], data.line),
            )
            return [nodes.literal_block(text=str(data.content))]


READERS = {MIME: output_nodes, drawing.MIME: drawing_nodes}


def prepare(app: Sphinx, config: Config) -> None:
    """Have the style sheets, the script and the LaTeX package copied, and load the subjects that are configured.

    These may lie beside the configuration; a cause that none has is refused.
    """
    config.html_static_path = [*config.html_static_path, str(STATIC)]
    config.latex_additional_files = [*config.latex_additional_files, str(STATIC / DRAWING_PACKAGE)]
    for module in config.ndcg_subjects:
        try:
            load_subject(module, app.confdir)
        except ValueError as error:
            raise ConfigError(f"ndcg_subjects: {error}") from None
    StatedDirective.know_options()
    os.environ[LISTING] = str(int(config.ndcg_list_slips))  # for the kernels


def dress(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Add the style sheet and the script to each page that shows a verdict, and that of drawings where there is one."""
    shown = list(doctree.findall(nodes.Element)) if doctree is not None else []
    drawn = any(isinstance(node, Drawing) for node in shown)
    if drawn or any(name.startswith("ndcg-") for node in shown for name in node.get("classes", ())):
        app.add_css_file(STYLE)  # which has the colours of drawings, too
        app.add_js_file(SCRIPT)
    if drawn:
        app.add_css_file(DRAWING_STYLE)


def set_up(app: Sphinx) -> dict[str, Any]:
    """Add all but the renderer, which is found through its entry point."""
    # For other builders both are containers
    in_print = (visit_fold_in_print, LaTeXTranslator.depart_container)
    in_text = (visit_fold_in_text, TextTranslator.depart_container)
    app.add_node(Fold, html=(visit_fold, depart_fold), latex=in_print, text=in_text)
    app.add_node(Drawing, html=(visit_html, None), latex=(visit_latex, None))
    app.add_latex_package(DRAWING_PACKAGE.removesuffix(".sty"))
    app.add_role("ndcg", NumberRole())
    app.add_directive("ndcg", StatedDirective)
    app.add_config_value("ndcg_check_prose", False, "env", types=[bool])
    app.add_config_value("ndcg_list_slips", False, "env", types=[bool])
    app.add_config_value("ndcg_subjects", [], "env", types=[list, tuple])
    for transform in (Prose, Anchors, CollectEntries):
        app.add_transform(transform)
    for post_transform in (Ticks, Marks, Folds):
        app.add_post_transform(post_transform)
    app.connect("config-inited", prepare)
    app.connect("env-updated", refuse_unknown_causes)
    app.connect("html-page-context", dress)
    app.connect("build-finished", write_ledger)
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}
