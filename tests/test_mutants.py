"""What the mutants change, and the tests that are to notice it, exist; the draw finds places in every room."""

import ast
from pathlib import Path

import pytest

from tools.experiments.mutants import EACH, NEAREST, mutants_of, nearest

ROOT = Path(__file__).resolve().parent.parent


def test_sixty_are_drawn():
    assert EACH * len(NEAREST) == 60


@pytest.mark.parametrize("name", NEAREST)
def test_the_files_of_a_room_and_its_tests_exist(name):
    files, tests = nearest(name)
    assert files
    assert [path for path in [*files, *tests] if not (ROOT / path).is_file()] == []


@pytest.mark.long
@pytest.mark.parametrize("name", NEAREST)
def test_every_mutant_is_python_that_differs_from_its_file(name):
    made = [mutant for file in nearest(name)[0] for mutant in mutants_of(file)]
    assert len(made) > EACH
    for path, text, change in made[:: len(made) // EACH]:
        assert ast.dump(ast.parse(text)) != ast.dump(ast.parse((ROOT / path).read_bytes())), change
