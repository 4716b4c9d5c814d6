"""The example of the page that finds a library: what every preset gives on the query of the chapter on libraries.

A Sphinx extension with the directive `library-example`, whose values the package computes when the book is built.
"""

import json
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from ndcg_ref.conventions.presets import ABOUT
from ndcg_ref.formulas.plain import ndcg_of_run

DATA = Path(__file__).resolve().parents[2] / "book" / "_data" / "interop.json"
QUERY = "one query, every library"
FIRST = ("scikit-learn-1.9.1", "trec_eval-10.0")  # the pair of the chapter


def example() -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]], int]:
    """The judgments, the run and the cutoff of the query."""
    queries = json.loads(DATA.read_text(encoding="utf-8"))["queries"]
    query = next(each for each in queries if each["name"] == QUERY)
    judged = dict(zip(query["ids"], query["grades"], strict=True))
    judged |= {f"u{place}": grade for place, grade in enumerate(query["unretrieved"])}
    return {"q1": judged}, {"q1": dict(zip(query["ids"], query["scores"], strict=True))}, query["k"]


def values() -> dict[str, list[str]]:
    """The presets that print each value, with three decimals: those of the pair first, then by value."""
    qrels, run, k = example()
    given = {name: f"{ndcg_of_run(qrels, run, k, preset.convention)['q1']:.3f}" for name, preset in ABOUT.items()}
    pair = [given[name] for name in FIRST]
    order = [*pair, *sorted(set(given.values()) - {*pair}, reverse=True)]
    return {value: [name for name in given if given[name] == value] for value in order}


class LibraryExample(SphinxDirective):
    """A table of the values."""

    def run(self) -> list[nodes.Node]:
        """Write the table."""
        rows = [f"| {value} | {', '.join(names)} |" for value, names in values().items()]
        said = "The example: grades 2, 1, 0, 3 with scores 0.9, 0.6, 0.6, 0.6, one more document of grade 3; cutoff 3."
        lines = [said, "", "| value | printed by |", "| --- | --- |", *rows]
        self.env.note_dependency(str(DATA))
        made = nodes.container()
        self.state.nested_parse(StringList(lines, self.get_source_info()[0]), self.content_offset, made)
        return list(made.children)


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the directive."""
    app.add_directive("library-example", LibraryExample)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
