"""A preset's name works wherever a convention is expected, and an unknown one is refused there with the nearest."""

import inspect

import numpy as np
import pytest

import ndcg_ref
from ndcg_ref import EXPONENTIAL, PRESETS, stated
from ndcg_ref.conventions.convention import as_convention
from ndcg_ref.formulas import arrays, plain
from ndcg_ref.subjects import ranking

QRELS, RUN = {"q": {"a": 1, "b": -1, "c": 0}}, {"q": {"a": 0.5, "b": 0.5, "x": 0.1}}
GRADES, SCORES = [0, 3, 1], [0.5, 0.5, 0.1]
PAIR = QRELS | {"r": {"a": 1}}, {name: RUN | {"r": {"a": 0.5}} for name in ("one", "other")}


def what_a_drop_says(module, convention):
    with pytest.raises(AssertionError) as failed:
        module.assert_no_drop(QRELS, RUN, {"q": {"x": 0.5}}, "nDCG", max_drop=0.01, convention=convention)
    return str(failed.value)


def given_grades(name):
    """A call of a function of one ranking, with its scores where it takes them."""
    given = [GRADES, SCORES] if name.endswith("_of_scores") else [GRADES]
    return lambda module, convention: np.array(getattr(module, name)(*given, convention=convention)).tolist()


# Every public function with a convention, called with one; the preset gives another value than the default
CALLS = {
    # function: call
    **{name: given_grades(name) for name in ("dcg", "dcg_by_rank", "gains", "idcg", "idcg_by_rank", "ndcg")},
    **{name: given_grades(name) for name in ("ndcg_by_rank", "ideal_gains", "dcg_of_scores", "ndcg_of_scores")},
    "discounts": lambda module, convention: list(module.discounts(2, convention)),
    "gain_of": lambda module, convention: module.gain_of(GRADES[0], convention, "here"),
    "mean_ndcg": lambda module, convention: module.mean_ndcg([GRADES, [0]], convention=convention),
    "pooled_ndcg": lambda module, convention: module.pooled_ndcg([GRADES], convention=convention),
    "ndcg_of_run": lambda module, convention: module.ndcg_of_run(QRELS, RUN, convention=convention),
    "ndcg_score": lambda module, convention: module.ndcg_score([GRADES], [SCORES], convention=convention),
    "evaluate": lambda module, convention: module.evaluate(QRELS, RUN, "nDCG", convention).mean,
    "compare_runs": lambda module, convention: module.compare_runs(*PAIR, "nDCG", convention).mean,
    "assert_no_drop": lambda module, convention: what_a_drop_says(module, convention),
    "explain": lambda module, convention: module.explain(QRELS, RUN, convention, "ranx").mean_a,
    "alternatives_for": lambda module, convention: module.alternatives_for("dcg", GRADES, convention),
    "check_equation": lambda module, convention: (
        module.check_equation("0 + 4.42 + 0.5 = 4.92", "DCG", terms=(GRADES, convention)).computed
    ),
}
WITH = {  # the preset, where another one shows more
    "discounts": "paper-b10",
    "ndcg_of_run": "ranx-ndcg_burges",
    "evaluate": "ranx-ndcg_burges",
    "compare_runs": "ranx-ndcg_burges",
    "assert_no_drop": "ranx-ndcg_burges",
    "explain": "ranx-ndcg_burges",
}


def takes_a_convention(function):
    return "convention" in inspect.signature(function).parameters


def public(module):
    functions = inspect.getmembers(module, inspect.isfunction)
    return {name for name, each in functions if not name.startswith("_") and each.__module__ == module.__name__}


HOMES = [(module, name) for module in (arrays, plain) for name in sorted(public(module) & set(CALLS))]
HOMES += [(ndcg_ref, name) for name in ("ndcg_score", "evaluate", "explain", "compare_runs", "assert_no_drop")]
HOMES += [(ranking, "alternatives_for"), (stated, "check_equation")]


def test_every_function_with_a_convention_is_called():
    for module in (arrays, plain):
        assert {name for name in public(module) if takes_a_convention(getattr(module, name))} <= set(CALLS)
    others = [name for name in ndcg_ref.__all__ if inspect.isfunction(getattr(ndcg_ref, name))]
    assert {name for name in others if takes_a_convention(getattr(ndcg_ref, name))} <= set(CALLS)
    others = [name for name in stated.__all__ if inspect.isfunction(getattr(stated, name))]
    assert {name for name in others if takes_a_convention(getattr(stated, name))} <= set(CALLS)


@pytest.mark.parametrize(("module", "name"), HOMES, ids=lambda each: getattr(each, "__name__", each))
def test_a_name_gives_what_its_convention_gives_and_no_other_name_or_type_is_taken(module, name, capsys):
    preset = WITH.get(name, "tf-ranking")
    assert CALLS[name](module, preset) == CALLS[name](module, PRESETS[preset])
    with pytest.raises(ValueError, match=r"got 'sklearn' \(did you mean 'scikit-learn'\?\)"):
        CALLS[name](module, "sklearn")
    with pytest.raises(TypeError, match=r"expected (a Convention or the name of a preset|\(grades, Conv)"):
        CALLS[name](module, 10)


def test_the_formulas_can_be_named():
    assert as_convention("EXPONENTIAL") is EXPONENTIAL
    assert ndcg_ref.dcg([2], convention="EXPONENTIAL") == 3
    with pytest.raises(ValueError, match=r"did you mean 'STANDARD'\?"):
        as_convention("standard")


@pytest.mark.parametrize("module", [arrays, plain])
def test_a_name_means_the_convention_that_the_preset_has_for_the_measure(module):
    """dcg_score of scikit-learn takes a grade below 0, and its ndcg_score refuses it."""
    assert module.dcg([-1, 0, 2], convention="scikit-learn") == -1 + 2 / 2
    assert list(module.dcg_by_rank([-1, 0, 2], "scikit-learn")) == [-1, -1, 0]
    with pytest.raises(ValueError, match=r"grades\[0\]: expected a grade of 0 or more, got -1"):
        module.ndcg([-1, 0, 2], convention="scikit-learn")
