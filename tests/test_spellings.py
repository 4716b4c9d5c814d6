"""A spelling names one measure, and a library where it belongs to one; a contradiction is refused.

The spellings are those that trec_eval, pytrec_eval, ir_measures, ranx, XGBoost, LightGBM and CatBoost print or take.
"""

import re
from dataclasses import replace

import pytest

from ndcg_ref import STANDARD, Convention
from ndcg_ref.presets import PRESETS
from ndcg_ref.spellings import DEFAULT, MEASURES, SPELLINGS, convention_of, neutral, parse

READ = [
    # spelling, measure, cutoff, smallest relevant grade, preset
    ("nDCG@10", "nDCG", 10, 1, None),
    ("ndcg@10", "nDCG", 10, 1, None),  # ranx, XGBoost and LightGBM
    ("NDCG@1", "nDCG", 1, 1, None),
    ("nDCG", "nDCG", None, 1, None),
    (" nDCG@010 ", "nDCG", 10, 1, None),
    ("DCG@5", "DCG", 5, 1, None),
    ("DCG@123456789012345678", "DCG", 123456789012345678, 1, None),
    ("CG", "CG", None, 1, None),
    ("AP", "AP", None, 1, None),
    ("AP(rel=2)@100", "AP", 100, 2, None),
    ("map", "AP", None, 1, None),
    ("MAP@10", "AP", 10, 1, None),
    ("P@5", "P", 5, 1, None),
    ("P( rel=0.5 )@5", "P", 5, 0.5, None),
    ("precision@3", "P", 3, 1, None),
    ("RR", "RR", None, 1, None),
    ("RR(rel=3)@10", "RR", 10, 3, None),
    ("mrr@10", "RR", 10, 1, None),
    ("ndcg_cut_10", "nDCG", 10, 1, "trec_eval"),  # as trec_eval prints it
    ("ndcg_cut.10", "nDCG", 10, 1, "trec_eval"),  # and as it takes it
    ("map_cut_1000", "AP", 1000, 1, "trec_eval"),
    ("P_10", "P", 10, 1, "trec_eval"),
    ("P.10", "P", 10, 1, "trec_eval"),
    ("recip_rank", "RR", None, 1, "trec_eval"),
    ("nDCG(dcg='log2')@10", "nDCG", 10, 1, "ir_measures"),
    ("nDCG(dcg='exp-log2')@10", "nDCG", 10, 1, "ir_measures-exp-log2"),
    ('nDCG(dcg="exp-log2")', "nDCG", None, 1, "ir_measures-exp-log2"),
    ("ndcg_burges@10", "nDCG", 10, 1, "ranx-ndcg_burges"),
    ("ndcg_burges", "nDCG", None, 1, "ranx-ndcg_burges"),
    ("ndcg@10-", "nDCG", 10, 1, "xgboost-minus"),
    ("ndcg-", "nDCG", None, 1, "xgboost-minus"),
    ("NDCG:top=10", "nDCG", 10, 1, "catboost"),
    ("NDCG:top=-1", "nDCG", None, 1, "catboost"),
    ("NDCG:type=Base;top=3", "nDCG", 3, 1, "catboost"),
    ("NDCG:top=10;type=Exp", "nDCG", 10, 1, "catboost-exp"),
    ("DCG:type=Exp", "DCG", None, 1, "catboost-exp"),
    ("NDCG:denominator=Position", "nDCG", None, 1, "catboost-position"),
]


@pytest.mark.parametrize(("text", "name", "k", "rel", "preset"), READ)
def test_a_spelling_is_read(text, name, k, rel, preset):
    assert parse(text) == (name, k, rel, preset, text)


def test_every_measure_is_read():
    assert {name for _, name, *_ in READ} == set(MEASURES)


@pytest.mark.parametrize("preset", sorted({preset for *_, preset in READ if preset}))
def test_a_library_that_is_named_is_a_preset(preset):
    assert preset in PRESETS


@pytest.mark.parametrize("text", [text for text, *_ in READ])
def test_the_neutral_spelling_says_the_same_and_leaves_the_library_open(text):
    measure = parse(text)
    again = parse(neutral(measure))
    assert (again[:3], again.preset) == (measure[:3], None)


REFUSED = [
    # spelling, what the message says
    (
        "nDGC@10",
        "expected a measure such as nDCG@10, got 'nDGC@10' (did you mean nDCG? nDCG, DCG, CG, AP, P and RR are known)",
    ),
    ("ndcg_cut_5,10", "got 'ndcg_cut_5,10' (one measure at a time, as in nDCG@5 nDCG@10?)"),
    ("nDCG@10,P@5", "one measure at a time"),
    ("success@10", "got 'success@10' (nDCG, DCG, CG, AP, P and RR are known)"),
    ("R@100", "got 'R@100' (nDCG, DCG, CG, AP, P and RR are known)"),  # recall, and no slip for RR
    ("ERR@10", "got 'ERR@10' (nDCG, DCG, CG, AP, P and RR are known)"),  # a measure of its own
    ("recall@100", "got 'recall@100' (nDCG, DCG, CG, AP, P and RR are known)"),
    ("gm_map", "got 'gm_map' (nDCG, DCG, CG, AP, P and RR are known)"),  # the geometric mean of AP
    ("bpref", "got 'bpref' (nDCG, DCG, CG, AP, P and RR are known)"),
    ("CDG@5", "got 'CDG@5' (did you mean DCG? nDCG, DCG,"),
    ("precison@5", "got 'precison@5' (did you mean P? "),
    ("ndcg_cut", "got 'ndcg_cut' (did you mean ndcg_cut_10? "),
    ("", "got ''"),
    ("nDCG@0", "got 'nDCG@0' (a cutoff is a whole number of at least 1, as in nDCG@10)"),
    ("nDCG@", "a cutoff is a whole number"),
    ("nDCG@-5", "a cutoff is a whole number"),
    ("nDCG@1.5", "a cutoff is a whole number"),
    ("nDCG@٣", "a cutoff is a whole number"),
    ("nDCG@1234567890123456789", "a cutoff is a whole number"),  # no C long holds such
    ("nDCG@" + "9" * 5000, "a cutoff is a whole number"),
    ("ndcg_cut_0", "expected a measure"),
    ("map@10-", "expected a measure"),
    ("P", "expected a cutoff for precision, such as P@10, got 'P'"),
    ("AP(rel=0)", "expected the smallest relevant grade, above 0, behind rel=, got 'AP(rel=0)'"),
    ("AP(rel=-1)", "expected the smallest relevant grade"),
    ("AP(rel=nan)", "expected the smallest relevant grade"),
    ("AP(rel=1e9)", "expected the smallest relevant grade"),
    ("AP(rel=1.2.3)", "expected the smallest relevant grade"),
    ("AP(rel=1,rel=2)", "expected each option once, as key=value, got 'rel=2' in 'AP(rel=1,rel=2)'"),
    ("AP(2)", "expected each option once, as key=value, got '2' in 'AP(2)'"),
    ("nDCG(rel=2)", "expected rel=2 for AP, P and RR, or dcg='exp-log2' for nDCG, got rel=2 in 'nDCG(rel=2)'"),
    ("nDCG(dcg='ln')", "got dcg=ln in \"nDCG(dcg='ln')\" (a gain of your own goes into a Convention)"),
    ("nDCG(dcg='log2)", "expected each option once"),
    ("NDCG:top=0", "expected a cutoff of at least 1 behind top=, got 'NDCG:top=0'"),
    ("NDCG:top=ten", "expected a cutoff of at least 1 behind top="),
    ("NDCG:sigma=2", "expected top, type or denominator, as CatBoost has them, got 'sigma' in 'NDCG:sigma=2'"),
    ("NDCG:type=exp", "expected type Base or Exp with denominator LogPosition, or Base with Position"),
    ("NDCG:type=Exp;denominator=Position", "for others give a Convention, and spell the measure nDCG@10"),
]


@pytest.mark.parametrize(("text", "message"), REFUSED, ids=[text[:40] for text, _ in REFUSED])
def test_an_unknown_spelling_is_refused(text, message):
    with pytest.raises(ValueError, match="^measures: .*" + re.escape(message)):
        parse(text)


def test_a_spelling_that_is_no_text_is_refused():
    with pytest.raises(TypeError, match=r"measures: expected the name of a measure as text, such as 'nDCG@10', got 10"):
        parse(10)


LISTED = [
    # library, spelling, what it means
    (library, spelled, meaning)
    for library, spellings in SPELLINGS
    for several, meaning in spellings
    for spelled in several.split(", ")
]
assert LISTED


@pytest.mark.parametrize(("library", "spelled", "meaning"), LISTED)
def test_a_spelling_in_the_list_is_read_and_is_of_its_library(library, spelled, meaning):
    preset = parse(spelled).preset
    assert library == ("any library" if preset is None else preset.split("-")[0])
    assert f"``{spelled}``" in parse.__doc__
    if preset is not None:
        assert neutral(parse(spelled)) == meaning.split(" ")[0].rstrip(";")


def test_the_list_has_every_measure():
    assert {parse(spelled).name for _, spelled, _ in LISTED} == set(MEASURES)


MEANT = [
    # spelling, convention, the preset it means
    ("nDCG@10", None, DEFAULT),
    ("map", None, DEFAULT),
    ("ndcg_cut_10", None, "trec_eval"),
    ("NDCG:top=10;type=Exp", None, "catboost-exp"),
    ("ndcg@10-", None, "xgboost-minus"),
    ("nDCG@10", "catboost", "catboost"),
    ("nDCG@10", "trec_eval-9.0.7", "trec_eval-9.0.7"),
    ("ndcg_cut_10", "trec_eval-9.0.8", "trec_eval-9.0.8"),
    ("ndcg_cut_10", "pytrec_eval-terrier", "pytrec_eval-terrier"),  # it spells measures as trec_eval does
    ("NDCG:type=Exp", "catboost-exp", "catboost-exp"),
    ("ndcg_cut_10", PRESETS["trec_eval-9.0.7"], "trec_eval-9.0.7"),
    ("ndcg@10-", PRESETS["xgboost-minus"], "xgboost-minus"),
]


@pytest.mark.parametrize(("text", "convention", "preset"), MEANT)
def test_a_measure_is_meant_under_a_convention(text, convention, preset):
    assert convention_of(parse(text), convention) == PRESETS[preset]


def test_a_convention_of_your_own_goes_with_a_spelling_that_leaves_the_library_open():
    assert convention_of(parse("nDCG@10"), STANDARD) is STANDARD


def test_missing_queries_may_be_counted_otherwise_than_by_the_library():
    """As trec_eval does with -c."""
    complete = replace(PRESETS["trec_eval"], missing="zero")
    assert convention_of(parse("ndcg_cut_10"), complete) == complete


CONTRADICTIONS = [
    # spelling, convention, message
    ("NDCG:type=Exp", "catboost", "is catboost-exp's spelling, got the convention catboost (spell it nDCG?)"),
    ("ndcg_cut_10", "scikit-learn", "is trec_eval's spelling, got the convention scikit-learn (spell it nDCG@10?)"),
    ("ndcg@10-", "xgboost", "is xgboost-minus's spelling, got the convention xgboost"),
    ("nDCG(dcg='exp-log2')@10", "ir_measures", "is ir_measures-exp-log2's spelling"),
    ("P_10", STANDARD, "is trec_eval's spelling, got another convention (spell it P@10?)"),
    ("ndcg_cut_10", replace(PRESETS["trec_eval"], gain="exponential"), "got another convention"),
    ("nDCG@10", "xgbost", "got 'xgbost' (did you mean 'xgboost'"),
]


@pytest.mark.parametrize(("text", "convention", "message"), CONTRADICTIONS, ids=[row[0] for row in CONTRADICTIONS])
def test_a_contradiction_is_refused(text, convention, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        convention_of(parse(text), convention)


def test_a_convention_of_another_type_is_refused():
    with pytest.raises(TypeError, match="convention: expected a Convention or the name of a preset, got 3"):
        convention_of(parse("nDCG"), 3)


def test_a_convention_is_not_changed_by_a_spelling():
    assert convention_of(parse("AP@5"), Convention()) == STANDARD
