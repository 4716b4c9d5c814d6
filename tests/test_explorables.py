"""A small explorable has its data from the chapter, and its answer begins with one of its choices."""

import ast
import json
import re

import pytest

from tools.checks import prose

PLACE = re.compile(r"^(:+)\{live\} (explore-[a-z]+)\n(.*?)^\1$", re.MULTILINE | re.DOTALL)
FOUND = [
    (path, *found.group(2, 3))
    for path in prose.chapters()
    for cell in prose.cells(path)
    if cell.kind == "markdown"
    for found in PLACE.finditer(cell.source)
]
NAMES = ["explore-base", "explore-gain", "explore-judge", "explore-tie", "explore-weight"]


def test_each_explorable_stands_in_one_chapter():
    assert sorted(name for _, name, _ in FOUND) == NAMES


def literals(path):
    """What the code of a chapter writes down: numbers, lists of numbers, and so on."""
    found = []
    for cell in prose.cells(path):
        if cell.kind == "code" and not cell.source.startswith("%"):
            found += [
                read(node) for node in ast.walk(ast.parse(cell.source)) if isinstance(node, ast.List | ast.Constant)
            ]
    return found


def read(node):
    try:
        return ast.literal_eval(node)
    except ValueError:  # a list with a name in it
        return None


def data(name, options):
    """The grades and values of the example; a tie is what stands at its ranks."""
    options = {key: json.loads(value) for key, value in re.findall(r"^:([a-z]+): (.+)$", options, re.MULTILINE)}
    if name == "explore-tie":
        first, last = options["tied"]
        return [options["grades"], options["grades"][first - 1 : last]]
    return [value for key, value in options.items() if key not in ("start", "from", "to")]


@pytest.mark.parametrize(("path", "name", "content"), FOUND, ids=[name for _, name, _ in FOUND])
def test_the_data_of_an_explorable_are_those_of_its_chapter(path, name, content):
    asked = data(name, content)
    assert asked
    assert [each for each in asked if each not in literals(path)] == []


@pytest.mark.parametrize(("path", "name", "content"), FOUND, ids=[name for _, name, _ in FOUND])
def test_the_answer_begins_with_one_of_the_choices(path, name, content):
    choices = re.findall(r"^- (.+)$", content, re.MULTILINE)
    (answer,) = re.findall(r"\{answer\}\n\[?(.+)", content)
    assert len([choice for choice in choices if answer.startswith(choice)]) == 1
