"""Every public name says what it is, in the form of numpydoc, which the reference pages are made from."""

import inspect
import math
from importlib import import_module

import pytest
from numpydoc.docscrape import FunctionDoc, get_doc_object
from numpydoc.validate import validate
from rows import every_row

import ndcg_ref
from ndcg_ref import STANDARD, Convention, stated
from ndcg_ref.formulas import arrays, plain
from ndcg_ref.stated import StatedError
from ndcg_ref.stated.tokens import Stop

MEASURES = [name for name in ndcg_ref.__all__ if inspect.isfunction(getattr(ndcg_ref, name))]
TWINS = [name for name in MEASURES if hasattr(arrays, name)]
assert TWINS

# What the public functions return, besides numbers and what is public itself
RETURNED = [
    "checks.Verdicts",
    "equation.Equation",
    "equation.Side",
    "display.Outcome",
    "ledgers.Ledger",
    "number.Number",
]

# What is not asked for: a longer summary, and other names to look at
OPTIONAL = {"ES01", "SA01"}
# A plain function leaves to its twin what that says of both: parameters and result
LEFT_TO_THE_TWIN = {"PR01", "RT01", "SA01"}

OF_DIFFERENCES = [
    *("bootstrap_interval", "bootstrap_test", "effect_size", "holm", "randomisation_test", "t_interval", "t_test"),
]

FULL = [
    *(f"ndcg_ref.{name}" for name in ["Convention", "Result", "conventions.presets.Preset", *MEASURES]),
    *(f"ndcg_ref.explaining.run_differences.{name}" for name in ["Change", "Explanation", "Moved"]),
    *(f"ndcg_ref.compare.comparing.{name}" for name in ["Comparison", "Pair"]),
    "ndcg_ref.explaining.mean_matches.WhichMean",
    "ndcg_ref.sphinx_ext.drawing.draw",
    *(f"ndcg_ref.compare.gating.{name}" for name in ["Gate", "Lost"]),
    *(f"ndcg_ref.explaining.matches.{name}" for name in ["LargerJudged", "Match", "Which"]),
    *("ndcg_ref.sql.query_checks.offenders_text", "ndcg_ref.sql.query_text.Table", "ndcg_ref.sql.query_text.sql_text"),
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


class TestATwinSaysTheSame:
    @every_row("name", TWINS)
    def test_a_twin_has_the_same_first_line(self, name):
        docs = [inspect.getdoc(getattr(module, name)).splitlines()[0] for module in (plain, arrays)]
        assert docs[0] == docs[1]

    @every_row("name", TWINS)
    def test_a_plain_twin_names_the_other(self, name):
        assert FunctionDoc(getattr(plain, name))["Extended Summary"] == [f"The plain twin of `ndcg_ref.{name}`."]


FORMULAS = [name for name in MEASURES if name not in ("assert_no_drop", "explain", "which", "which_mean")]


@every_row("name", ["Convention", *FORMULAS])
def test_a_formula_has_its_source(name):
    sources = " ".join(get_doc_object(getattr(ndcg_ref, name))["References"])
    assert any(year in sources for year in ("2002", "2005", "2006", "2007", "2008", "2009"))


TABLE = "n | CG\n1 | 2"
ONE = {"q": {"d": 1}}
RAISED = [
    # function, arguments, options, exception
    ("gains", ([-1],), {}, ValueError),
    ("gains", ("1",), {}, TypeError),
    ("discounts", (-1,), {}, ValueError),
    ("discounts", ("1",), {}, TypeError),
    ("cg", ([1], 0), {}, ValueError),
    ("cg", (1,), {}, TypeError),
    ("dcg", ([1], 0), {}, ValueError),
    ("dcg", (1,), {}, TypeError),
    ("idcg", ([2], None, STANDARD, [1]), {}, ValueError),
    ("idcg", ([2], None, STANDARD, 1), {}, TypeError),
    ("ndcg", ([0], None, Convention(zero_ideal="error")), {}, ValueError),
    ("ndcg", (1,), {}, TypeError),
    ("cg_by_rank", ([[1]],), {}, ValueError),
    ("cg_by_rank", (1,), {}, TypeError),
    ("dcg_by_rank", ([-1],), {}, ValueError),
    ("dcg_by_rank", (1,), {}, TypeError),
    ("idcg_by_rank", ([2], STANDARD, [1]), {}, ValueError),
    ("idcg_by_rank", (1,), {}, TypeError),
    ("ndcg_by_rank", ([0], Convention(zero_ideal="error")), {}, ValueError),
    ("ndcg_by_rank", (1,), {}, TypeError),
    ("mean_ndcg", ([[-1]],), {}, ValueError),
    ("mean_ndcg", ([1],), {}, TypeError),
    ("pooled_ndcg", ([[-1]],), {}, ValueError),
    ("pooled_ndcg", ([1],), {}, TypeError),
    ("precision_at_relevant", ([[1]],), {}, ValueError),
    ("precision_at_relevant", (1,), {}, TypeError),
    ("average_precision", ([1, 1], None, 1), {}, ValueError),
    ("average_precision", (1,), {}, TypeError),
    ("recall", ([1, 1], None, None, 1), {}, ValueError),
    ("recall", (1,), {}, TypeError),
    ("success", ([1], 0), {}, ValueError),
    ("success", (1,), {}, TypeError),
    ("r_precision", ([1, 1], None, 1), {}, ValueError),
    ("r_precision", (1,), {}, TypeError),
    ("judgment_rate", ([1], 0), {}, ValueError),
    ("judgment_rate", (["1"],), {}, TypeError),
    ("expected_reciprocal_rank", ([2], 1), {}, ValueError),
    ("expected_reciprocal_rank", (2, 1), {}, TypeError),
    ("rank_biased_precision", ([1], 1), {}, ValueError),
    ("rank_biased_precision", (1, 0.5), {}, TypeError),
    ("evaluate", ({"q": {"d": 1}}, {"r": {"d": 1}}), {}, ValueError),
    ("evaluate", (7, {}), {}, TypeError),
    ("compare_runs", ({"q": {"d": 1}}, {}), {}, ValueError),
    ("compare_runs", ({"q": {"d": 1}}, []), {}, TypeError),
    ("explain", ({"q": {"d": 1}}, {"r": {"d": 1}}, STANDARD, STANDARD), {}, ValueError),
    ("explain", (7, {}, STANDARD, STANDARD), {}, TypeError),
    ("assert_no_drop", (ONE, ONE, {"q": {"e": 1}}, "P@1"), {"max_drop": 0.1}, AssertionError),
    ("assert_no_drop", (ONE, ONE, ONE), {"max_drop": -1}, ValueError),
    ("assert_no_drop", (ONE, ONE, ONE), {"max_drop": "1"}, TypeError),
    ("which", ("x", [1]), {}, ValueError),
    ("which", (1, [1]), {}, TypeError),
    ("which_mean", ("0.5", {"q": {"d": 1}}, {"r": {"d": 1}}), {}, ValueError),
    ("which_mean", ("0.5", 7, {}), {}, TypeError),
    ("ndcg_score", ([1], [1, 2]), {}, ValueError),
    ("ndcg_score", (["1"], [1]), {}, TypeError),
    ("dcg_score", ([1, 0], [1, 2]), {}, ValueError),
    ("dcg_score", (["1"], [1]), {}, TypeError),
    ("Convention", (), {"base": 1}, ValueError),
    ("Convention", (), {"base": "2"}, TypeError),
    *((f"statistics.significance.{name}", ([math.nan],), {}, ValueError) for name in OF_DIFFERENCES),
    *((f"statistics.significance.{name}", (1,), {}, TypeError) for name in OF_DIFFERENCES),
    ("sphinx_ext.drawing.draw", ({},), {}, ValueError),
    ("sphinx_ext.drawing.draw", ([2, 3],), {}, TypeError),
    ("stated.check", ("1", 2, "x"), {}, StatedError),
    ("stated.check", ("1", 1, ""), {}, ValueError),
    ("stated.check", (1, 1, "x"), {}, TypeError),
    ("stated.check_table", (TABLE, {"n": None, "CG": [3]}, "T"), {}, StatedError),
    ("stated.check_table", (TABLE, {"CG": [2]}, "T"), {}, ValueError),
    ("stated.check_table", (TABLE, ["CG"], "T"), {}, TypeError),
    ("stated.check_equation", ("x = 1 + 1 = 3", "x"), {}, StatedError),
    ("stated.check_equation", ("x = 1 +", "x"), {}, ValueError),
    ("stated.check_equation", (2, "x"), {}, TypeError),
    ("stated.holds", ("1 is 2", 1 == 2), {}, StatedError),
    ("stated.holds", ("", True), {}, ValueError),
    ("stated.holds", ("1 is 1", 1), {}, TypeError),
    ("stated.judge", ("x", 1), {}, ValueError),
    ("stated.judge", (1, 1), {}, TypeError),
    ("stated.ledger", ("no/such/book",), {}, ValueError),
    ("stated.read_equation", ("1 +",), {}, Stop),
    ("stated.read_equation", (1,), {}, TypeError),
    ("stated.read_number", ("x",), {}, ValueError),
    ("stated.read_number", (1,), {}, TypeError),
    ("subjects.ranking.alternatives_for", ("map", [1]), {}, ValueError),
    ("subjects.ranking.alternatives_for", ("dcg", ["1"]), {}, TypeError),
    *((name, ("P@10",), {}, ValueError) for name in ("sql.query_text.sql_text", "sql.query_checks.offenders_text")),
    *((name, (10,), {}, TypeError) for name in ("sql.query_text.sql_text", "sql.query_checks.offenders_text")),
]


def named_by(name):
    """A public name of the package, such as "stated.judge"."""
    home, _, own = f"ndcg_ref.{name}".rpartition(".")
    return getattr(import_module(home), own)


def raises(name):
    return {each.type for each in get_doc_object(named_by(name))["Raises"]}


class TestWhatIsRaisedIsNamed:
    @every_row(("name", "arguments", "options", "exception"), RAISED)
    def test_what_is_raised_is_named_under_raises(self, name, arguments, options, exception):
        with pytest.raises(exception) as raised:
            named_by(name)(*arguments, **options)
        assert {each.__name__ for each in type(raised.value).__mro__} & raises(name)

    @every_row("name", [name.removeprefix("ndcg_ref.") for name in FULL])
    def test_what_is_named_under_raises_is_raised(self, name):
        assert raises(name) == {exception.__name__ for row, _, _, exception in RAISED if row == name}
