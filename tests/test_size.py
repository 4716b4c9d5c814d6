"""No module of the package is too long to be read at one sitting; ruff holds how complex its functions are."""

import ast
from pathlib import Path

import pytest

import ndcg_ref

PACKAGE = Path(ndcg_ref.__file__).parent
FILES = {path.relative_to(PACKAGE).as_posix(): path for path in sorted(PACKAGE.rglob("*.py"))}
assert FILES

MOST_LINES = 400

LONGER = {
    # module: why
    "presets.py": "a table, one entry for each library and version",
}


def lines_of_code(text):
    """How many lines have code: neither blank, nor a comment, nor in a docstring."""
    lines = {number for number, line in enumerate(text.splitlines(), 1) if line.strip() and line.strip()[0] != "#"}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            lines -= set(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    return len(lines)


@pytest.mark.parametrize("name", sorted(FILES.keys() - LONGER))
def test_a_module_has_at_most_400_lines_of_code(name):
    assert lines_of_code(FILES[name].read_text("utf-8")) <= MOST_LINES


@pytest.mark.parametrize("name", LONGER)
def test_a_module_that_may_be_longer_is_longer(name):
    assert lines_of_code(FILES[name].read_text("utf-8")) > MOST_LINES


def test_blank_lines_comments_and_docstrings_are_not_counted():
    text = '"""A module.\n\nOf two lines.\n"""\n\n# A comment\ndef f():\n    """One."""\n    return 1  # twice\n'
    assert lines_of_code(text) == 2
