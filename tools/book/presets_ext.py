"""Write the page of presets from the presets themselves.

A Sphinx extension for every builder.
"""

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from ndcg_ref import PRESETS
from ndcg_ref.conventions import presets
from ndcg_ref.conventions.presets import ABOUT

LISTS = {"names": "\n".join(PRESETS), "descriptions": "\n\n".join(map(str, ABOUT.values()))}


class Presets(SphinxDirective):
    """The names or the descriptions of all presets; the argument says which."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Write the list as a literal block."""
        name = self.arguments[0]
        if name not in LISTS:
            raise self.error(f"expected one of {', '.join(LISTS)}, got {name!r}")
        self.env.note_dependency(presets.__file__)
        return [nodes.literal_block(text=LISTS[name], language="text")]


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the directive."""
    app.add_directive("presets", Presets)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
