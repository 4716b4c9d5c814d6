"""Small books for the tests: notebooks of cells, and what Sphinx makes of them; equal books are built once."""

import json
import tempfile
from functools import cache
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from sphinx.testing.util import SphinxTestApp

from ndcg_ref.stated import checks
from ndcg_ref.stated.display import bundle


def conf(*extensions, **options):
    """The configuration of a book with these extensions."""
    options = {"extensions": list(extensions), "nb_execution_mode": "off", "project": "x", **options}
    return "".join(f"{name} = {value!r}\n" for name, value in options.items())


CONF = conf("myst_nb", "ndcg_ref.sphinx_ext")
PAGE = {"html": "index.html", "text": "index.txt", "latex": "*.tex", "man": "x.1"}
FOLDER = tempfile.TemporaryDirectory()  # removed when the tests end


def text(source):
    """A cell with Markdown."""
    return {"cell_type": "markdown", "metadata": {}, "source": source}


def cell(*outputs, code="1", printed="", **metadata):
    """A cell that has been run: its outputs, each by MIME type, and what it printed."""
    shown = [{"output_type": "display_data", "metadata": {}, "data": data} for data in outputs]
    stream = [{"output_type": "stream", "name": "stdout", "text": printed}] if printed else []
    ran = {"cell_type": "code", "metadata": metadata, "source": code, "execution_count": 1}
    return {**ran, "outputs": [*shown, *stream]}


def unrun(code):
    """A cell that has not been run."""
    return {"cell_type": "code", "metadata": {}, "source": code, "execution_count": None, "outputs": []}


def notebook(*cells, **own):
    """A notebook, with metadata of its own for this package."""
    metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    metadata |= {"ndcg_ref": own} if own else {}
    cells = [{"id": f"cell-{i:02}", **each} for i, each in enumerate(cells)]
    return json.dumps({"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5})


class Book(NamedTuple):
    """What a build has written, and what it warned of."""

    out: Path
    warnings: str

    def page(self, pattern="index.html"):
        return next(self.out.glob(pattern)).read_text(encoding="utf-8")


def book(files, conf=CONF, builder="html"):
    """The book of these files, by their names."""
    return _built(tuple(sorted(files.items())), conf, builder)


@cache
def _built(files, conf, builder):
    folder = Path(tempfile.mkdtemp(dir=FOLDER.name))
    for name, content in files:
        (folder / "source" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "source" / name).write_text(content, encoding="utf-8")
    return made(folder / "source", conf, builder)


def made(source, conf, builder="html"):
    """The book of a folder, built anew."""
    (source / "conf.py").write_text(conf, encoding="utf-8")
    app = SphinxTestApp(buildername=builder, srcdir=source, builddir=source.parent / "out", freshenv=True)
    try:
        app.build()
        return Book(app.outdir, app.warning.getvalue())
    finally:
        app.cleanup()


def chapter(*cells, conf=CONF, builder="html", others=(), **own):
    """The page of a notebook, and what the build warned of."""
    built = book({"index.ipynb": notebook(*cells, **own), **dict(others)}, conf, builder)
    return built.page(PAGE[builder]), built.warnings


def clean(*cells, **options):
    """The page of a notebook whose build warned of nothing."""
    page, warnings = chapter(*cells, **options)
    assert warnings == ""
    return page


def stored(call):
    """The output that a cell with this call would store."""
    outputs = []
    with patch.object(checks, "show", lambda records, layout=None, *_, **__: outputs.append(bundle(records, layout))):
        call()
    (output,) = outputs
    return output
