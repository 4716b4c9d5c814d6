"""Every public name says what it is, in the form of numpydoc, which the reference pages are made from."""

import inspect
import math
from importlib import import_module
from unittest.mock import call

import pytest
from numpydoc.docscrape import get_doc_object
from numpydoc.validate import validate
from rows import every_row

import ndcg_ref
from ndcg_ref import STANDARD, Convention, stated
from ndcg_ref.formulas import arrays, plain

MEASURES = [name for name in ndcg_ref.__all__ if inspect.isfunction(getattr(ndcg_ref, name))]
TWINS = [name for name in MEASURES if hasattr(arrays, name)]
assert TWINS

# What the public functions return, besides numbers and what is public itself
RETURNED = ["checks.Verdicts", "display.Outcome", "ledgers.Ledger", "number.Number"]
RETURNED += ["equation.Equation", "equation.Side"]

# What is not asked for: a longer summary, and other names to look at
OPTIONAL = {"ES01", "SA01"}
# A plain function leaves to its twin what that says of both: parameters and result
LEFT_TO_THE_TWIN = {"PR01", "RT01", "SA01"}

OF_DIFFERENCES = [*("bootstrap_test", "effect_size", "holm", "randomisation_test", "t_interval", "t_test")]

FULL = [
    *(f"ndcg_ref.{name}" for name in ["Convention", "Result", "conventions.presets.Preset", *MEASURES]),
    *(f"ndcg_ref.explaining.run_differences.{name}" for name in ["Change", "Explanation", "Moved"]),
    *(f"ndcg_ref.compare.comparing.{name}" for name in ["Comparison", "Pair"]),
    "ndcg_ref.explaining.mean_matches.WhichMean",
    "ndcg_ref.sphinx_ext.drawing.draw",
    "ndcg_ref.compare.gating.Gate",
    *(f"ndcg_ref.explaining.matches.{name}" for name in ["Match", "Which"]),
    *("ndcg_ref.sql.query_checks.offenders_text", "ndcg_ref.sql.query_means.mean_text"),
    *("ndcg_ref.sql.query_text.Table", "ndcg_ref.sql.query_text.sql_text"),
    *(f"ndcg_ref.statistics.significance.{name}" for name in OF_DIFFERENCES),
    *(f"ndcg_ref.stated.{name}" for name in [*stated.__all__, *RETURNED]),
]
MADE_OF_OTHERS = {"ndcg_ref.stated.checks.Verdicts", "ndcg_ref.stated.display.Outcome"}  # a tuple, an enumeration


def found(name):
    return {code for code, _ in validate(name)["errors"]}


class TestNumpydocFindsNothing:
    @every_row("name", FULL)
    def test_numpydoc_finds_nothing_in_a_public_name(self, name):
        assert found(name) - (OPTIONAL | ({"PR01"} if name in MADE_OF_OTHERS else set())) == set()

    @every_row("name", TWINS)
    def test_numpydoc_finds_nothing_in_a_plain_twin(self, name):
        assert found(f"ndcg_ref.formulas.plain.{name}") - LEFT_TO_THE_TWIN == set()

    def test_numpydoc_finds_what_a_docstring_lacks(self):
        """A function without a docstring of this form is found."""
        assert {"PR01", "RT01", "EX01"} <= found("ndcg_ref.stated.verdict.verdict_on")

    def test_every_class_that_is_returned_is_listed(self):
        """The classes that a public function or a documented class names as its result."""
        functions = [getattr(stated, name) for name in stated.__all__ if inspect.isfunction(getattr(stated, name))]
        results = {str(inspect.signature(function).return_annotation).strip("'") for function in functions}
        listed = {name.rpartition(".")[2] for name in RETURNED} | set(stated.__all__)
        assert {each for each in results if each[0].isupper()} <= listed


@every_row("name", TWINS)
def test_a_twin_has_the_same_first_line(name):
    docs = [inspect.getdoc(getattr(module, name)).splitlines()[0] for module in (plain, arrays)]
    assert docs[0] == docs[1]


FORMULAS = [name for name in MEASURES if name not in ("assert_no_drop", "explain", "which", "which_mean")]


@every_row("name", ["Convention", *FORMULAS])
def test_a_formula_has_its_source(name):
    sources = " ".join(get_doc_object(getattr(ndcg_ref, name))["References"])
    assert any(year in sources for year in ("2002", "2005", "2006", "2007", "2008", "2009"))


TABLE = "n | CG\n1 | 2"
ONE = {"q": {"d": 1}}
# What makes each function raise all that it names under Raises, and nothing else
RAISING = {
    **dict.fromkeys(["gains", "dcg_by_rank"], (call([-1]), call(1))),
    "discounts": [call(-1), call("1")],
    **dict.fromkeys(["cg", "dcg", "success", "judgment_rate"], (call([1], k=0), call(1))),
    **dict.fromkeys(["idcg", "idcg_by_rank"], (call([2], judged=[1]), call(1))),
    **dict.fromkeys(["ndcg", "ndcg_by_rank"], (call([0], convention=Convention(zero_ideal="error")), call(1))),
    **dict.fromkeys(["cg_by_rank", "precision_at_relevant"], (call([[1]]), call(1))),
    **dict.fromkeys(["mean_ndcg", "pooled_ndcg"], (call([[-1]]), call([1]))),
    **dict.fromkeys(["average_precision", "recall", "r_precision"], (call([1, 1], relevant=1), call(1))),
    "expected_reciprocal_rank": [call([2], 1), call(2, 1)],
    "rank_biased_precision": [call([1], 1), call(1, 0.5)],
    "evaluate": [call({"q": {"d": 1}}, {"r": {"d": 1}}), call(7, {})],
    "compare_runs": [call({"q": {"d": 1}}, {}), call({"q": {"d": 1}}, [])],
    "explain": [call({"q": {"d": 1}}, {"r": {"d": 1}}, STANDARD, STANDARD), call(7, {}, STANDARD, STANDARD)],
    "assert_no_drop": [
        call(ONE, ONE, {"q": {"e": 1}}, "P@1", max_drop=0.1),
        call(ONE, ONE, ONE, max_drop=-1),
        call(ONE, ONE, ONE, max_drop="1"),
    ],
    "which": [call("x", [1]), call(1, [1])],
    "which_mean": [call("0.5", {"q": {"d": 1}}, {"r": {"d": 1}}), call("0.5", 7, {})],
    "ndcg_score": [call([1], [1, 2]), call(["1"], [1])],
    "dcg_score": [call([1, 0], [1, 2]), call(["1"], [1])],
    "Convention": [call(base=1), call(base="2")],
    "sphinx_ext.drawing.draw": [call({}), call([2, 3])],
    "stated.check": [call("1", 2, "x"), call("1", 1, ""), call(1, 1, "x")],
    "stated.check_table": [
        call(TABLE, {"n": None, "CG": [3]}, "T"),
        call(TABLE, {"CG": [2]}, "T"),
        call(TABLE, ["CG"], "T"),
    ],
    "stated.check_equation": [call("x = 1 + 1 = 3", "x"), call("x = 1 +", "x"), call(2, "x")],
    "stated.holds": [call("1 is 2", 1 == 2), call("", True), call("1 is 1", 1)],
    "stated.judge": [call("x", 1), call(1, 1)],
    "stated.ledger": [call("no/such/book")],
    "stated.read_equation": [call("1 +"), call(1)],
    "stated.read_number": [call("x"), call(1)],
    "subjects.ranking.alternatives_for": [call("map", [1]), call("dcg", ["1"])],
    **dict.fromkeys((f"statistics.significance.{name}" for name in OF_DIFFERENCES), (call([math.nan]), call(1))),
    **dict.fromkeys(
        ("sql.query_text.sql_text", "sql.query_checks.offenders_text", "sql.query_means.mean_text"),
        (call("P"), call(10)),
    ),
}
DOCUMENTED = (ValueError, TypeError, AssertionError)


def named_by(name):
    """A public name of the package, such as "stated.judge"."""
    home, _, own = f"ndcg_ref.{name}".rpartition(".")
    return getattr(import_module(home), own)


@every_row("name", [name.removeprefix("ndcg_ref.") for name in FULL])
def test_all_that_is_raised_is_named_under_raises_and_nothing_else(name):
    expected, raised = {each.type for each in get_doc_object(named_by(name))["Raises"]}, set()
    for each in RAISING.get(name, ()):
        with pytest.raises(DOCUMENTED) as error:
            named_by(name)(*each.args, **each.kwargs)
        raised.add(next(kind.__name__ for kind in type(error.value).__mro__ if kind.__name__ in expected))
    assert raised == expected
