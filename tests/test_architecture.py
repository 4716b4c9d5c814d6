"""What docs/architecture.md points to is there, and every module of the package has its place in it."""

import ast
import re
from functools import reduce
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TEXT = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
PICTURE = re.search(r"```text\n(.*?)```", TEXT, re.DOTALL)[1]
MODULES = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "ndcg_ref").rglob("*.py"))
PATHS = sorted(set(re.findall(r"`([\w-]+/[\w./-]*)`", TEXT)))
NAMES = sorted(set(re.findall(r"`(ndcg_ref(?:\.\w+)+)`", TEXT)))
assert MODULES
assert PATHS
assert NAMES


@pytest.mark.parametrize("path", PATHS)
def test_a_path_leads_somewhere(path):
    assert (ROOT / path).exists()


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_that_of_something(name):
    parts = name.split(".")
    module = next(
        ".".join(parts[:end])
        for end in range(len(parts), 0, -1)
        if (ROOT / "/".join(parts[:end])).with_suffix(".py").exists() or (ROOT / "/".join(parts[:end])).is_dir()
    )
    assert reduce(getattr, parts[module.count(".") + 1 :], import_module(module)) is not None


def steps():
    """Each step of the two paths: its text, and the modules that it names."""
    paths = TEXT.partition("## The path of a printed number")[2].partition("## Where")[0]
    found = re.findall(r"^\d\. (.*?)(?=^\d\. |^$)", paths, re.MULTILINE | re.DOTALL)
    return [(text, re.findall(r"`(ndcg_ref/[\w/]+\.py)`", text)) for text in found]


@pytest.mark.parametrize(("text", "modules"), steps())
def test_a_step_of_a_path_names_what_its_modules_define(text, modules):
    named = set(re.findall(r"`(\w+)`", text))
    trees = [ast.parse((ROOT / module).read_text(encoding="utf-8")) for module in modules]
    defined = {node.name for tree in trees for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    assert modules
    assert named - defined == set()


@pytest.mark.parametrize("path", [path for path in MODULES if not Path(path).name.startswith("__")])
def test_every_module_has_a_place(path):
    """In the table of rooms, or within a folder that is there."""
    rooms = TEXT.partition("## The rooms")[2]
    placed = f"`{path}`" in rooms or f"`{Path(path).parent.as_posix()}/`" in rooms
    assert placed, f"expected a row for {path} among the rooms of docs/architecture.md, found none"


def test_the_modules_of_the_picture_exist():
    """They stand beside an arrow."""
    beside = re.findall(r"│ ([a-z_]+(?:, [a-z_]+)*)(?= {2}| ◄|$)", PICTURE, re.MULTILINE)
    named = {word for words in beside for word in words.split(", ")}
    assert {"number", "causes", "trec", "ties", "sphinx_ext"} <= named <= {Path(path).stem for path in MODULES}


def test_the_picture_fits_a_page():
    assert max(map(len, PICTURE.splitlines())) <= 110


ARROWS = re.findall(r"(\w+) ◄── (\w+)(?=,|  |\n)", PICTURE)
assert ARROWS


@pytest.mark.parametrize(("module", "imported"), ARROWS)
def test_a_module_imports_what_an_arrow_of_the_picture_brings_it(module, imported):
    text = "".join((ROOT / path).read_text(encoding="utf-8") for path in MODULES if Path(path).stem == module)
    assert re.search(rf"^from [\w.]+\.{imported} import ", text, re.MULTILINE)
