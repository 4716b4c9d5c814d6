"""A spelling names one measure, and a library where it belongs to one; a contradiction is refused.

The spellings are those that trec_eval, pytrec_eval, ir_measures, ranx, XGBoost, LightGBM and CatBoost print or take.
"""

import os
import re
from dataclasses import replace
from typing import ClassVar

import mypy.api
import pytest
from rows import every_row

from ndcg_ref import STANDARD, compare_runs, evaluate
from ndcg_ref.conventions.presets import PRESETS
from ndcg_ref.conventions.spellings import (
    DEFAULT,
    MEASURES,
    SPELLINGS,
    OtherGains,
    Spellings,
    convention_of,
    neutral,
    parse,
    parse_all,
    read_measures,
)

READ = [
    # spelling, measure, cutoff, smallest relevant grade, preset; those in the list of spellings are read below
    ("nDCG@10", "nDCG", 10, 1, None),
    ("ndcg@10", "nDCG", 10, 1, None),  # ranx, XGBoost and LightGBM
    ("nDCG", "nDCG", None, 1, None),
    ("DCG@5", "DCG", 5, 1, None),
    ("CG", "CG", None, 1, None),
    ("AP", "AP", None, 1, None),
    ("AP(rel=2)@100", "AP", 100, 2, None),
    ("map", "AP", None, 1, None),
    ("P@5", "P", 5, 1, None),
    ("P( rel=0.5 )@5", "P", 5, 0.5, None),
    ("RR", "RR", None, 1, None),
    ("mrr@10", "RR", 10, 1, None),
    ("nDCG(dcg='exp-log2')@10", "nDCG", 10, 1, "ir_measures-exp-log2"),
    ("ndcg_burges@10", "nDCG", 10, 1, "ranx-ndcg_burges"),
    ("ndcg@10-", "nDCG", 10, 1, "xgboost-minus"),
    ("NDCG:top=-1", "nDCG", None, 1, "catboost"),
    ("NDCG:type=Base;top=3", "nDCG", 3, 1, "catboost"),
    ("NDCG:top=10;type=Exp", "nDCG", 10, 1, "catboost-exp"),
    ("NDCG:type=Exp;denominator=Position", "nDCG", None, 1, "catboost-exp-position"),
    ("mrr_at_10", "RR", 10, 1, "mteb"),
    ("hit_rate_at_1", "Success", 1, 1, "mteb"),
    ("R@10", "Recall", 10, 1, None),
    ("recall", "Recall", None, 1, None),  # ranx
    ("R(rel=2)@100", "Recall", 100, 2, None),
    ("Rprec", "Rprec", None, 1, None),
    ("r-precision", "Rprec", None, 1, None),
    ("Judged@10", "Judged", 10, 1, None),
    ("dcg_burges@10", "DCG", 10, 1, "ranx-ndcg_burges"),
]

WITH_PARAMETER = [
    # spelling, measure, cutoff, smallest relevant grade, preset, parameter
    ("ERR@20", "ERR", 20, 1, None, 4),
    ("ERR(max_rel=2)@20", "ERR", 20, 1, None, 2),
    ("RBP(p=0.8)", "RBP", None, 1, None, 0.8),
    ("RBP", "RBP", None, 1, None, 0.8),  # as ir_measures prints it, which leaves out what is its default
    ("RBP(p=0.95,rel=2)@10", "RBP", 10, 2, None, 0.95),
    ("nDCG(gains={0:0,1:1})@10", "nDCG", 10, 1, "ir_measures", OtherGains(((0, 0), (1, 1)))),
    ("nDCG(dcg='log2',gains={1:3})@5", "nDCG", 5, 1, "ir_measures", OtherGains(((1, 3),))),
]


@every_row(("text", "name", "k", "rel", "preset", "parameter"), [*((*row, None) for row in READ), *WITH_PARAMETER])
def test_a_spelling_is_read(text, name, k, rel, preset, parameter):
    assert parse(text) == (name, k, rel, preset, text, parameter)


SEVERAL = [
    # spelling, the measures it stands for
    ("ndcg_cut.1,3,5,10", ["ndcg_cut_1", "ndcg_cut_3", "ndcg_cut_5", "ndcg_cut_10"]),  # as pytrec_eval takes it
    ("P_5,10", ["P_5", "P_10"]),
    (" success.1,5 ", ["success_1", "success_5"]),
    ("nDCG@10", ["nDCG@10"]),
]


@pytest.mark.parametrize(("text", "measures"), SEVERAL)
def test_a_spelling_with_several_cutoffs_is_a_measure_for_each(text, measures):
    assert parse_all(text) == [parse(measure) for measure in measures]
    assert [asked.measure.text for asked in read_measures([text])] == measures


def test_a_cutoff_that_is_given_twice_is_refused():
    with pytest.raises(ValueError, match="measures: expected each once, got ndcg_cut_5, ndcg_cut_5"):
        read_measures(["ndcg_cut.5", "ndcg_cut.5,5"][1:])


class Printed:
    """A measure as ir_measures has them: an object that prints as its spelling, such as RBP(p=0.8, rel=1)."""

    SUPPORTED_PARAMS: ClassVar = {}

    def __init__(self, text):
        self.text = text

    def __repr__(self):
        return self.text


# What the measures of ir_measures 0.4.3 print
OF_IR_MEASURES = ["nDCG@10", "P(rel=2)@5", "R@100", "Success@1", "Rprec", "Judged@10", "ERR@20", "RBP(rel=1)"]
OF_IR_MEASURES += ["nDCG(dcg='exp-log2')@10", "nDCG(gains={1:3})@10", "RBP(p=0.95,rel=2)", "AP", "RR@10"]


@every_row("text", OF_IR_MEASURES)
def test_a_measure_of_ir_measures_is_read_as_it_prints(text):
    assert [asked.measure for asked in read_measures(Printed(text))] == [parse(text)]


IMPLIED = [
    # what an object prints, the preset that it implies
    ("nDCG@10", "ir_measures"),
    ("nDCG(dcg='exp-log2')@10", "ir_measures-exp-log2"),
    ("ERR@20", "ir_measures-exp-log2"),  # which gdeval computes as well
]


@pytest.mark.parametrize(("text", "preset"), IMPLIED)
def test_a_measure_of_ir_measures_implies_its_convention(text, preset):
    (asked,) = read_measures([Printed(text)])
    assert (asked.preset.alias, asked.convention) == (preset, convention_of(parse(text), preset))


@pytest.mark.parametrize("measure", ["nDCG@10", "RR", "P@1"])
def test_a_query_that_the_run_lacks_counts_0_for_a_measure_of_ir_measures(measure):
    """As ir_measures.calc_aggregate counts it: (1 + 0) / 2; trec_eval leaves it out."""
    qrels, run = {"q1": {"d": 1}, "q2": {"d": 1}}, {"q1": {"d": 1.0}}
    assert evaluate(qrels, run, Printed(measure) if measure == "RR" else [Printed(measure)])[measure] == 1 / 2
    assert evaluate(qrels, run, measure)[measure] == 1


def test_a_convention_that_is_named_goes_before_that_of_an_object():
    (asked,) = read_measures(Printed("nDCG@10"), "scikit-learn")
    assert (asked.preset.library, asked.convention) == ("scikit-learn", PRESETS["scikit-learn"])


TYPED = """
from typing import Any, ClassVar
from ndcg_ref.conventions.spellings import Spellings

class Measure:
    SUPPORTED_PARAMS: ClassVar[dict[str, Any]] = {}

class Untyped:
    SUPPORTED_PARAMS = {"cutoff": 1}

def evaluate(measures: Spellings) -> None: ...

evaluate("nDCG@10")
evaluate(["nDCG@10", Measure()])
evaluate(Measure())
evaluate((Untyped(), Measure()))
evaluate(10)
"""


@pytest.mark.long
def test_a_type_checker_accepts_the_measures_of_ir_measures():
    out, _, code = mypy.api.run(["--config-file=", f"--cache-dir={os.devnull}", "--strict", "-c", TYPED])
    assert (code, re.findall(r'error: .* incompatible type "(\w+)"', out), out.count(": error: ")) == (1, ["int"], 1)
    asked = {function.__annotations__["measures"] for function in (evaluate, compare_runs)}
    assert asked <= {Spellings, "Spellings"}  # its name, where a module leaves its annotations as text


def test_a_grade_that_is_not_in_the_table_of_gains_is_its_own_gain_and_equal_tables_are_equal():
    convention = convention_of(parse("nDCG(gains={1:3})"))
    assert [convention.gain(grade) for grade in (0, 1, 2, -1)] == [0, 3, 2, 0]
    assert replace(convention, gain="linear", negative="clamp") == PRESETS["ir_measures"]
    assert str(convention_of(parse("nDCG(gains={1:3,0:0})"))).startswith("gain gains={0:0,1:3}, log2(rank + 1)")
    first, second = (convention_of(parse(f"nDCG(gains={{{table}}})")) for table in ("1:3,2:5", "2:5,1:3"))
    assert (first, hash(first)) == (second, hash(second))


@every_row("text", [text for text, *_ in READ])
def test_the_neutral_spelling_says_the_same_and_leaves_the_library_open(text):
    measure = parse(text)
    again = parse(neutral(measure))
    assert (again[:3], again.preset) == (measure[:3], None)


KNOWN = "nDCG, DCG, CG, AP, P, RR, Recall, Success, Rprec, Judged, ERR and RBP are known"
REFUSED = [
    # spelling, what the message says
    ("nDGC@10", f"expected a measure such as nDCG@10, got 'nDGC@10' (did you mean nDCG? {KNOWN})"),
    ("nDCG@5,10", "got 'nDCG@5,10' (one measure at a time, as in nDCG@5 nDCG@10?)"),
    ("F@10", f"got 'F@10' ({KNOWN})"),
    ("bpref@100", "got 'bpref@100' (not offered here; ir_measures has it, as Bpref)"),
    ("infAP", "got 'infAP' (not offered here; ir_measures has it, as infAP)"),
    ("alpha-nDCG@10", "(not offered here; ir_measures has it, as alpha_nDCG)"),
    (
        "infNDCG",
        "(not offered here; ir_measures has the measure infAP beside it, and NIST's sample_eval.pl has this one)",
    ),
    (
        "RBO(p=0.9)",
        "(not offered here; ir_measures has the measure Compat, which is made of it; RBO itself compares two",
    ),
    ("hits@10", "(hit@10, whether there is a relevant document? the count of ranx is not offered here)"),
    ("precison@5", "got 'precison@5' (did you mean P or Rprec? "),  # which is also spelled r-precision
    ("ndcg_cut", "got 'ndcg_cut' (did you mean ndcg_cut_10? "),
    ("nDCG@0", "got 'nDCG@0' (a cutoff is a whole number of at least 1, as in nDCG@10)"),
    ("nDCG@1234567890123456789", "(a cutoff has at most 18 digits, as in nDCG@10)"),  # no C long holds such
    ("map@10-", "expected a measure"),
    ("P", "expected a cutoff for precision, such as P@10, got 'P'"),
    ("AP(rel=0)", "expected the smallest relevant grade, above 0, behind rel=, got 'AP(rel=0)'"),
    ("AP(rel=1,rel=2)", "expected each option once, as key=value, got 'rel=2' in 'AP(rel=1,rel=2)'"),
    ("AP(2)", "expected each option once, as key=value, got '2' in 'AP(2)'"),
    ("nDCG(rel=2)", "expected rel=2 for AP, P, RR, Recall, Success, Rprec and RBP, p=0.8 for RBP, max_rel=4 for ERR"),
    ("Judged(rel=2)@5", "got rel=2 in 'Judged(rel=2)@5'"),
    ("rbp.80", "expected a measure such as nDCG@10, got 'rbp.80'"),  # ranx, where each grade is its own gain
    ("RBP(p=1)", "expected a persistence between 0 and 1 behind p=, got 'RBP(p=1)'"),
    ("ERR(max_rel=0)", "the highest grade of the scale, above 0 and below 1024, behind max_rel=, got 'ERR(max_rel=0)'"),
    ("ERR(max_rel=1024)", "above 0 and below 1024, behind max_rel=, got"),
    ("Rprec@5", "whose rank is the number of relevant documents, got 'Rprec@5' (P@5?)"),
    ("AP(gains={1:3})", "got gains={…} in 'AP(gains={1:3})'"),
    ("nDCG(gains={1:3,1:4})", "expected each grade once with its gain, whole numbers of 0 or more, as in gains={0:0,"),
    ("nDCG(gains={-1:3})", "got '-1:3' in 'nDCG(gains={-1:3})'"),
    ("nDCG(gains={1})", "got '1' in"),
    ("nDCG(judged_only=True)@5", "got judged_only=True in"),
    ("nDCG(dcg='ln')", "got dcg=ln in \"nDCG(dcg='ln')\" (a gain of your own goes into a Convention)"),
    ("NDCG:top=0", "expected a cutoff of at least 1 behind top=, got 'NDCG:top=0'"),
    ("NDCG:sigma=2", "expected top, type or denominator, as CatBoost has them, got 'sigma' in 'NDCG:sigma=2'"),
    ("NDCG:type=exp", "expected type Base or Exp, and denominator LogPosition or Position, got 'NDCG:type=exp'"),
]


@every_row(("text", "message"), REFUSED)
def test_an_unknown_spelling_is_refused(text, message):
    with pytest.raises(ValueError, match="^measures: .*" + re.escape(message)):
        parse(text)


LISTED = [
    # library, spelling, what it means
    (library, spelled, meaning)
    for library, spellings in re.findall(r"(?m)^(\w.*)\n((?:  .*\n?)+)", SPELLINGS)
    for several, meaning in re.findall(r"  (\S.*?) {2,}(.+)", spellings)
    for spelled in several.split(", ")
]
assert LISTED


@every_row(("library", "spelled", "meaning"), LISTED)
def test_a_spelling_in_the_list_is_read_and_is_of_its_library(library, spelled, meaning):
    first = parse_all(spelled)[0]
    assert library == ("any library" if first.preset is None else first.preset.split("-")[0])
    if first.preset is not None:
        assert neutral(first) == meaning.split(" ")[0].rstrip(";,")


def test_the_list_has_every_measure():
    assert {parse_all(spelled)[0].name for _, spelled, _ in LISTED} == set(MEASURES)


COMPLETE = replace(PRESETS["trec_eval"], missing="zero")  # as trec_eval does with -c
MEANT = [
    # spelling, convention, the preset it means, or its convention
    ("nDCG@10", None, replace(PRESETS[DEFAULT], fractional="error")),  # where the library is left open
    ("map", None, replace(PRESETS[DEFAULT], fractional="error")),
    ("nDCG@10", STANDARD, STANDARD),
    ("ndcg_cut_10", COMPLETE, COMPLETE),
    ("ndcg_cut_10", None, "trec_eval"),
    ("NDCG:top=10;type=Exp", None, "catboost-exp"),
    ("ndcg_cut_10", "trec_eval-9.0.8", "trec_eval-9.0.8"),
    ("ndcg_cut_10", "pytrec_eval-terrier", "pytrec_eval-terrier"),  # it spells measures as trec_eval does
    ("ndcg_cut_10", PRESETS["trec_eval-9.0.7"], "trec_eval-9.0.7"),
]


@every_row(("text", "convention", "meant"), MEANT)
def test_a_measure_is_meant_under_a_convention(text, convention, meant):
    assert convention_of(parse(text), convention) == (PRESETS[meant] if isinstance(meant, str) else meant)


CONTRADICTIONS = [
    # spelling, convention, message
    ("NDCG:type=Exp", "catboost", "is catboost-exp's spelling, got the convention catboost (spell it nDCG?)"),
    ("ndcg_cut_10", "scikit-learn", "is trec_eval's spelling, got the convention scikit-learn (spell it nDCG@10?)"),
    ("P_10", STANDARD, "is trec_eval's spelling, got another convention (spell it P@10?)"),
    ("ndcg_cut_10", replace(PRESETS["trec_eval"], gain="exponential"), "got another convention"),
    ("nDCG@10", "xgbost", "got 'xgbost' (did you mean 'xgboost'"),
]


@pytest.mark.parametrize(("text", "convention", "message"), CONTRADICTIONS, ids=[row[0] for row in CONTRADICTIONS])
def test_a_contradiction_is_refused(text, convention, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        convention_of(parse(text), convention)


def test_a_convention_or_a_spelling_of_another_type_is_refused():
    with pytest.raises(TypeError, match="convention: expected a Convention or the name of a preset, got 3"):
        convention_of(parse("nDCG"), 3)
    with pytest.raises(TypeError, match=r"measures: expected the name of a measure as text, such as 'nDCG@10', got 10"):
        parse(10)
