"""The name of a test is a statement that can be read by itself, without the name of its class or of the test before."""

import ast
import re
from pathlib import Path

import pytest

FILES = sorted(Path(__file__).parent.rglob("test_*.py"))
# A name that begins so lacks its subject, or goes on with the sentence of another name
TAIL = re.compile(
    "(and|but|or|nor|so|yet|also|as|of|in|on|by|with|to|at|for|from|than|that|unless|not|it|they|its|their"
    "|is|are|was|were|be|has|have|had|does|do|can|may|must"
    "|gets|gives|goes|says|tells|keeps|takes|becomes|reads|writes|finds|refuses)_"
)
FEWEST_WORDS = 3  # a subject, a verb and what is said of it


def defined_in(text):
    """The names of the tests that a file defines."""
    defined = (node.name for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef))
    return [name for name in defined if name.startswith("test_")]


def is_a_statement(name):
    """Whether a name has enough words, and begins as a sentence does."""
    statement = name.removeprefix("test_")
    return not TAIL.match(statement) and len(statement.split("_")) >= FEWEST_WORDS


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_name_of_a_test_is_a_statement(path):
    assert [name for name in defined_in(path.read_text("utf-8")) if not is_a_statement(name)] == []


@pytest.mark.parametrize("name", ["test_and_these_do_not", "test_by_name", "test_is_frozen", "test_json", "test_a_run"])
def test_a_name_that_is_no_statement_would_be_found(name):
    assert not is_a_statement(name)
