"""Pages of a build with Sphinx, in pieces: what each shows, and what the build warned of at its line."""

import re

from sphinx.testing.util import SphinxTestApp

CONF = """
project = "x"
show_warning_types = True
nb_execution_mode = "off"
myst_enable_extensions = ["dollarmath", "amsmath"]
"""


def in_order(pieces, first):
    """A page with a heading before each piece, and the line on which each piece begins."""
    text, starts = first, []
    for i, piece in enumerate(pieces):
        text += f"Case {i}\n-------\n\n"
        starts.append(text.count("\n") + 1)
        text += f"{piece}\n\n"
    return text, starts


class Built:
    """Pages of one build: what stands under each heading, and the warnings by place."""

    def __init__(self, folder, pages, conf):
        source = folder / "source"
        source.mkdir()
        (source / "conf.py").write_text(f"{conf}\n{CONF}", encoding="utf-8")
        self.starts = {}
        for name, (text, starts) in pages.items():
            (source / name).write_text(text, encoding="utf-8")
            self.starts[name] = starts
        app = SphinxTestApp(srcdir=source, builddir=folder / "out", freshenv=True)
        try:
            app.build()
            self.outdir = app.outdir
            self.warnings = re.sub(r"\x1b\[[0-9;]*m", "", app.warning.getvalue()).splitlines()
            built = {name: (app.outdir / name).with_suffix(".html").read_text(encoding="utf-8") for name in pages}
        finally:
            app.cleanup()
        self.sections = {name: re.split(r"<h2>Case \d+.*?</h2>", text)[1:] for name, text in built.items()}

    def shows(self, name, i, shown, warning, line=0):
        """Hold a piece to the texts that its page has, and to the warning on one of its lines, or to none."""
        section = self.sections[name][i]
        assert [text for text in shown if text not in section] == []
        place = f"{name}:{self.starts[name][i] + line}: WARNING: "
        warned = "\n".join(each for each in self.warnings if place in each)
        assert bool(warned) == bool(warning), warned
        assert warning in warned
