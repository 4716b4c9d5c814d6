"""The Sphinx extension `ndcg_ref.sphinx_ext`: verdicts and drawings on the pages of any book.

Its modules are loaded by `setup`, so that `ndcg_ref.sphinx_ext.drawing` draws in a notebook where Sphinx is not
installed.
"""

from typing import Any


def setup(app: Any) -> dict[str, Any]:
    """Set the extension up in a Sphinx application."""
    from ndcg_ref.sphinx_ext.extension import set_up

    return set_up(app)
