"""Imports go one way, and what has to run without numpy does.

import-linter holds the order of the rooms; its contracts are in pyproject.toml.
"""

import ast
import inspect
import subprocess
import sys
from pathlib import Path

import pytest
from rows import every_row

import ndcg_ref
from ndcg_ref import stated
from ndcg_ref.conventions import convention
from ndcg_ref.formulas import arrays, relevance

PACKAGE = Path(ndcg_ref.__file__).parent
FILES = {path.relative_to(PACKAGE).as_posix(): ast.parse(path.read_text("utf-8")) for path in PACKAGE.rglob("*.py")}
assert FILES

# What runs without numpy, and what it prints
WITHOUT_NUMPY = [
    # code, output
    ("from ndcg_ref import STANDARD; print(STANDARD.base)", "2"),
    ("import ndcg_ref; print('dcg' in dir(ndcg_ref))", "True"),
    ("from ndcg_ref.conventions.spellings import read_measures; print(read_measures(['nDCG@5'])[0].measure.k)", "5"),
    ("from ndcg_ref.formulas import plain; print(plain.ndcg([0, 0, 1], convention='trec_eval'))", "0.5"),
    ("from ndcg_ref.stated import judge; print(judge('0.6', 0.5).outcome)", "slip"),
    ("from ndcg_ref.sql.query_text import sql_text; print('sum(' in sql_text('nDCG@10'))", "True"),
    ("from ndcg_ref import which; print(len(which('0.8', [1, 0, 0], scores=[2, 2, 1]).rows))", "10"),
    ("from ndcg_ref.notes import check_note; print(len(check_note('DCG = 3/log2(2) = 3')))", "1"),
    ("from ndcg_ref.live import answer; print(len(answer('{}')) > 0)", "True"),
    ("from ndcg_ref.commands.cli import main; print(main(['judge', '0.5', '--grades', '0,0,1']))", "0"),
    ("from ndcg_ref.sphinx_ext.drawing import draw; draw({'A': [2, 0, 1]})", "DCG 2.500"),
]


def run(code):
    """What a fresh interpreter prints, or why it does not."""
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, cwd=PACKAGE.parent, capture_output=True, text=True, encoding="utf-8", check=False)
    return done.stdout.strip() + done.stderr.strip()


def test_a_room_imports_only_from_rooms_above_it():
    command = [Path(sys.executable).with_name("lint-imports"), "--no-cache"]
    done = subprocess.run(command, cwd=PACKAGE.parent, check=False)
    assert done.returncode == 0


@pytest.mark.long
@every_row(("code", "output"), WITHOUT_NUMPY)
def test_all_but_the_formulas_over_arrays_run_without_numpy(code, output):
    assert run(f"import sys; sys.modules['numpy'] = None; {code}").splitlines()[-1] == output


def test_the_formulas_over_arrays_do_not_run_without_numpy_which_is_loaded_with_the_first():
    """The block does block."""
    assert "import of numpy halted" in run("import sys; sys.modules['numpy'] = None; import ndcg_ref; ndcg_ref.dcg")
    code = "import sys, ndcg_ref; print('numpy' in sys.modules); ndcg_ref.dcg; print('numpy' in sys.modules)"
    assert run(code).split() == ["False", "True"]


def test_no_module_runs_text_as_code():
    """A text of others, such as a printed line or a notebook, is read and never executed."""
    names = {"exec", "eval", "compile", "__import__"}
    assert names & {node.id for node in ast.walk(ast.parse("eval('x')")) if isinstance(node, ast.Name)} == {"eval"}
    for name, tree in FILES.items():
        assert names & {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} == set(), name


@pytest.mark.parametrize("holder", [ndcg_ref, stated], ids=lambda module: module.__name__)
def test_no_module_bears_the_name_of_a_public_name(holder):
    """Else the function would turn into the module as soon as that is imported."""
    assert {Path(name).stem for name in FILES} & set(holder.__all__) == set()


class TestTheNamesOfThePackageAreComplete:
    def test_all_is_every_public_formula_and_named_convention(self):
        formulas = {
            name
            for name, value in inspect.getmembers(arrays, inspect.isfunction)
            if not name.startswith("_") and value.__module__ in (arrays.__name__, relevance.__name__)
        }
        named = {name for name, value in vars(convention).items() if isinstance(value, convention.Convention)}
        assert (formulas - {"gain_of"}) | named <= set(ndcg_ref.__all__)  # gain_of is for one grade of a run

    def test_type_checkers_see_the_same_names(self):
        block = next(node for node in FILES["__init__.py"].body if isinstance(node, ast.If))
        names = {alias.name for node in block.body if isinstance(node, ast.ImportFrom) for alias in node.names}
        assert names == set(ndcg_ref.__all__)

    def test_dir_and_a_star_give_all_names_before_they_are_loaded(self):
        code = "import ndcg_ref; print({'__version__', *ndcg_ref.__all__} - set(dir(ndcg_ref)))"
        assert run(code) == "set()"
        code = "from ndcg_ref import *; import ndcg_ref; print(set(ndcg_ref.__all__) - set(globals()))"
        assert run(code) == "set()"

    def test_an_unknown_name_is_refused(self):
        with pytest.raises(AttributeError, match="module 'ndcg_ref' has no attribute 'nDCG'"):
            ndcg_ref.nDCG  # noqa: B018 - the access is the test
        assert "ImportError: cannot import name 'nDCG' from 'ndcg_ref'" in run("from ndcg_ref import nDCG")
