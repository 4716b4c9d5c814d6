"""The page of presets has each of them, as the package has it."""

import re

import pytest
from test_sphinx_ext import made

from ndcg_ref import PRESETS
from ndcg_ref.conventions.presets import ABOUT

# The suffixes are named, as Sphinx adds those of one application to the default of the next
CONF = 'extensions = ["myst_parser", "tools.book.presets_ext"]\nproject = "x"\nsource_suffix = {".md": "markdown"}\n'


def page(folder, text, builder="text"):
    (folder / "source").mkdir()
    (folder / "source" / "index.md").write_text(f"# Title\n\n{text}\n", encoding="utf-8")
    return made(folder / "source", folder / "out", builder, CONF, f"index.{builder.replace('text', 'txt')}")


def test_every_preset_is_named(tmp_path):
    text, warnings = page(tmp_path, "```{presets} names\n```")
    assert text.split()[1:] == ["*****", *PRESETS]
    assert warnings == ""


def test_every_preset_is_described(tmp_path):
    text, warnings = page(tmp_path, "```{presets} descriptions\n```")
    assert {name for name, preset in ABOUT.items() if str(preset).split() != found(text, name)} == set()
    assert warnings == ""


def found(text, name):
    """The words of a paragraph that begins with a name."""
    paragraphs = re.split(r"\n\n(?=   \S)", text)
    return next(words for words in map(str.split, paragraphs) if words[0] == f"{name},")


@pytest.mark.parametrize("word", ["all", "Names"])
def test_an_unknown_list_is_a_warning_at_its_line(tmp_path, word):
    _, warnings = page(tmp_path, f"```{{presets}} {word}\n```")
    assert re.search(rf"index\.md:3: .*expected one of names, descriptions, got '{word}'", warnings)
