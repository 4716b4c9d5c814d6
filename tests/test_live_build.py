"""What goes into the archive of the package that the live pages load, and what is said where something is missing."""

import ast
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

import ndcg_ref
from tools.make import live_build

PACKAGE = Path(ndcg_ref.__file__).parent


def imported(tree):
    """Every module of the package that a file imports, in a function too, but not for type checkers alone."""
    if isinstance(tree, ast.If) and "TYPE_CHECKING" in ast.unparse(tree.test):
        return
    if isinstance(tree, ast.ImportFrom) and (tree.module or "").startswith("ndcg_ref"):
        whole = [f"{tree.module}.{name.name}" for name in tree.names]
        yield from [tree.module, *(name for name in whole if path_of(name).exists())]
    for child in ast.iter_child_nodes(tree):
        yield from imported(child)


def path_of(module):
    path = PACKAGE.parent.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    target = tmp_path_factory.mktemp("archive") / "ndcg_ref.zip"
    live_build.write_archive(target)
    with ZipFile(target) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def test_the_archive_has_the_package_as_it_is(archive):
    assert archive.keys() >= {
        *("ndcg_ref/__init__.py", "ndcg_ref/live/__init__.py", "ndcg_ref/formulas/plain.py"),
        "ndcg_ref/notes/findings.py",
    }
    assert {name: PACKAGE.parent.joinpath(name).read_text(encoding="utf-8") for name in archive} == archive


def test_whatever_the_archive_imports_is_in_it_or_in_the_standard_library(archive):
    trees = {name: ast.parse(text) for name, text in archive.items()}
    own = {
        path_of(module).relative_to(PACKAGE.parent).as_posix() for tree in trees.values() for module in imported(tree)
    }
    assert own
    assert own - archive.keys() == set()
    for name, tree in trees.items():
        outside = {each.names[0].name for each in ast.walk(tree) if isinstance(each, ast.Import)}
        outside = {module.partition(".")[0] for module in outside} - {"ndcg_ref"}
        assert outside <= sys.stdlib_module_names, name


def test_the_same_files_make_the_same_archive(tmp_path):
    for name in ("a.zip", "b.zip"):
        live_build.write_archive(tmp_path / name)
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()


def test_a_book_that_was_not_built_and_pyodide_that_was_not_installed_is_said(tmp_path, monkeypatch):
    with pytest.raises(SystemExit, match=r"expected the built book in .*, found none: run `make book` first"):
        live_build.build(tmp_path)
    monkeypatch.setattr(live_build, "PYODIDE", tmp_path / "pyodide")
    (tmp_path / "_static").mkdir()
    with pytest.raises(SystemExit, match=r"expected pyodide in .*, found none: run `npm ci --ignore-scripts` in live"):
        live_build.build(tmp_path)


def test_a_size_that_readers_are_told_wrongly_is_said():
    with pytest.raises(SystemExit, match=r"expected about 99 MB, got about \d+ MB"):
        live_build.check_words(99.2)
