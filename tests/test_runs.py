"""A run's values are those of the plain rules, whatever the convention, and those that other projects print.

`ndcg_ref.formulas.plain` is the specification; the rows that name a source hold both to something else.
"""

import json
import math
import os
import random
import re
import subprocess
import sys
import tracemalloc
from dataclasses import replace
from decimal import Decimal
from itertools import permutations

import numpy as np
import pandas
import pyarrow
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from rows import every_row

from ndcg_ref import Convention, assert_no_drop, compare_runs, explain
from ndcg_ref.compare.gating import compare_with_baseline
from ndcg_ref.conventions.convention import WORDS
from ndcg_ref.conventions.presets import PRESETS
from ndcg_ref.conventions.spellings import MEASURES
from ndcg_ref.formulas import plain
from ndcg_ref.runs import batches, blocks
from ndcg_ref.runs.evaluation import evaluate
from ndcg_ref.runs.result import COUNTS
from ndcg_ref.runs.sources import TrecError

L3 = math.log2(3)
BY_ID = Convention(ties="id-descending", zero_ideal=0)
BY_DEFAULT = replace(PRESETS["trec_eval"], fractional="error")  # of a spelling that leaves the library open
AVERAGED = Convention(zero_ideal=0)

TABLES = [{-2: -1, -1: 0, 0: 0, 0.5: 3, 1: 1, 1.5: 2, 2: 4, 3: 4}, {0: 0, 1: 1, 2: 5}, math.exp2]
CONVENTIONS = st.builds(
    Convention,
    gain=st.sampled_from(["linear", "exponential", "binary", *TABLES]),
    discount=st.sampled_from(["log(rank+1)", "log(rank)", "rank", "none", math.sqrt]),
    base=st.sampled_from([2, 10]),
    zero_ideal=st.sampled_from(["nan", 0, 1, "error"]),
    **{name: st.sampled_from(words) for name, words in WORDS.items()},
)
IDS = st.sampled_from(["1", "10", "9", "a", "b", "é", "z", "😀"])
GRADES = st.sampled_from([0, 1, 2, 3, 1, 2, 0.5, 1.5, -1, -2])
SCORES = st.sampled_from([0.0, 1.0, -1.0, 1.00000001, 1.00000002, 3.5, 2, -0.0, 1e39, 2e39, 5e-324])
QUERIES = st.sampled_from(["q1", "q2", "q3", "q10"])
QRELS = st.dictionaries(QUERIES, st.dictionaries(IDS, GRADES), min_size=1)
RUNS = st.dictionaries(QUERIES, st.dictionaries(IDS, SCORES), min_size=1)
CUTOFFS = st.none() | st.integers(1, 9)


def close(value):
    return pytest.approx(value, rel=1e-12, abs=1e-12, nan_ok=True)


def told(function):
    """What a function gives, or that it refuses."""
    try:
        return function()
    except ValueError:
        return "refused"


def at(name, k):
    return name if k is None else f"{name}@{k}"


def values(qrels, run, measure, convention=None):
    return evaluate(qrels, run, measure, convention, check_swap=False).per_query[measure]


def by_id(grades, scores, unjudged):
    """The documents of a query, highest score first, ties by id descending; the unjudged may be dropped."""
    ranking = sorted(scores, key=lambda name: (scores[name], name), reverse=True)
    return [name for name in ranking if unjudged != "drop" or grades.get(name, -1) >= 0]


def plain_values(grades, ranking, k, rel):
    """The measures of `of_found` for the documents of a ranking, by the plain formulas."""
    read = [max(grades.get(name, 0), 0) for name in ranking]
    relevant = [int(grade >= rel) for grade in read]
    total = sum(grade >= rel for grade in grades.values())
    return [
        plain.average_precision(relevant[:k], relevant=total),
        1 / (relevant.index(1) + 1) if 1 in relevant[:k] else 0,
        sum(relevant[: k or 3]) / (k or 3),
        plain.recall(relevant, k, relevant=total),
        plain.success(relevant, k),
        plain.r_precision(relevant, relevant=total),
        plain.judgment_rate([grades.get(name) for name in ranking], k),
        plain.rank_biased_precision(relevant, 0.8, k=k),
        plain.expected_reciprocal_rank(read, 3, k) if any(grade >= 1 for grade in grades.values()) else math.nan,
    ]


def of_found(k, rel):
    """The spellings of the measures of `plain_values`, whose order it shares."""
    ranked, found = (f"AP(rel={rel})", f"RR(rel={rel})"), (f"Recall(rel={rel})", f"Success(rel={rel})")
    others = [at(name, k) for name in ("Judged", f"RBP(p=0.8,rel={rel})", "ERR(max_rel=3)")]
    return [
        *(at(name, k) for name in ranked),
        f"P(rel={rel})@{k or 3}",
        *(at(name, k) for name in found),
        f"Rprec(rel={rel})",
        *others,
    ]


class TestTheValuesAreThoseOfThePlainRules:
    @given(QRELS, RUNS, CUTOFFS, CONVENTIONS)
    def test_ndcg_is_that_of_the_plain_rules_under_every_convention(self, qrels, run, k, convention):
        assume(qrels.keys() & run.keys())
        expected = told(lambda: plain.ndcg_of_run(qrels, run, k, convention))
        if expected != "refused":
            expected = {query: close(value) for query, value in expected.items()}
        assert told(lambda: values(qrels, run, at("nDCG", k), convention)) == expected

    @given(QRELS, RUNS, CUTOFFS, st.sampled_from(WORDS["ties"]), st.sampled_from([1, 2]))
    def test_measures_without_an_ideal_are_those_of_the_plain_rules(self, qrels, run, k, ties, rel):
        assume(qrels.keys() & run.keys())
        convention = Convention(ties=ties, negative="keep", gain="exponential")
        flat = Convention(ties=ties, negative="keep", discount="none")
        measures = ["DCG", at("CG", k), f"P(rel={rel})@{k or 3}"]
        found = evaluate(qrels, run, measures, convention, check_swap=False).per_query
        for query in qrels.keys() & run.keys():
            names, scores = list(run[query]), list(run[query].values())
            grades = [qrels[query].get(name, 0) for name in names]
            relevant = [int(grade >= rel) for grade in grades]
            # the tied stand in the order of their grades also where it is asked whether they are relevant
            ordered = [name for _, name in sorted(zip(grades, names, strict=True), reverse=ties == "best")]
            by_grade = flat if ties not in ("best", "worst") else Convention(ties="input", discount="none")
            places = list(range(len(names))) if by_grade is flat else [names.index(name) for name in ordered]
            precision = plain.dcg_of_scores(
                [relevant[i] for i in places], [scores[i] for i in places], k or 3, by_grade, [names[i] for i in places]
            ) / (k or 3)
            assert [of[query] for of in found.values()] == [
                close(plain.dcg_of_scores(grades, scores, None, convention, names)),
                close(plain.dcg_of_scores(grades, scores, k, flat, names)),
                close(precision),
            ]

    @given(QRELS, RUNS, CUTOFFS, st.sampled_from([1, 2]), st.sampled_from(["zero", "drop"]))
    def test_measures_of_what_was_found_are_those_of_the_plain_formulas(self, qrels, run, k, rel, unjudged):
        assume(qrels.keys() & run.keys())
        convention = Convention(ties="id-descending", negative="clamp", unjudged=unjudged)
        measures = of_found(k, rel)
        found = evaluate(qrels, run, measures, convention, check_swap=False).per_query
        for query in qrels.keys() & run.keys():
            expected = plain_values(qrels[query], by_id(qrels[query], run[query], unjudged), k, rel)
            assert [found[measure][query] for measure in measures] == [close(value) for value in expected]

    @given(st.dictionaries(IDS, GRADES, max_size=4), st.lists(IDS, max_size=5, unique=True), CUTOFFS, st.data())
    def test_averaged_ties_give_the_mean_over_all_orders_of_the_tied(self, grades, names, k, data):
        """Of the measures that are sums over documents."""
        scores = {name: data.draw(st.sampled_from([1.0, 2.0])) for name in names}
        measures = [name for name in of_found(k, 1) if not name.startswith(("AP", "RR", "Success", "ERR"))]
        qrels = {"q": grades or {"none": 0}}
        averaged = evaluate(qrels, {"q": scores}, measures, Convention(negative="clamp"), check_swap=False).per_query
        in_order = Convention(negative="clamp", ties="input")
        every = [
            evaluate(qrels, {"q": {name: scores[name] for name in order}}, measures, in_order, check_swap=False)
            for order in permutations(names)
        ]
        for measure in measures:
            mean = math.fsum(one.per_query[measure]["q"] for one in every) / len(every)
            assert averaged[measure]["q"] == close(mean)

    @given(QRELS, RUNS, CUTOFFS, st.randoms(use_true_random=False))
    def test_values_from_files_do_not_depend_on_the_order_of_the_lines(self, tmp_path_factory, qrels, run, k, shuffled):
        """In blocks that are small, and with queries that do not stand together."""
        qrels = {query: grades for query, grades in qrels.items() if grades}
        run = {query: scores for query, scores in run.items() if scores}
        assume(qrels.keys() & run.keys())
        lines = [f"{query} Q0 {name} 0 {score!r} x\n" for query in run for name, score in run[query].items()]
        shuffled.shuffle(lines)
        folder = tmp_path_factory.mktemp("files")
        judged = [f"{query} 0 {name} {grade}\n" for query in qrels for name, grade in qrels[query].items()]
        for name, text in (("a.qrels", judged), ("a.run", lines)):
            (folder / name).write_text("".join(text), encoding="utf-8")
        convention = Convention(ties="id-descending", negative="keep", extra="zero")
        measures = [at("nDCG", k), "AP"]
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(blocks, "BLOCK", 64)
            found = evaluate(folder / "a.qrels", folder / "a.run", measures, convention)
        expected = evaluate(qrels, run, measures, convention, check_swap=False)
        assert found.as_json() == expected.as_json()

    @given(QRELS, RUNS, CONVENTIONS, st.randoms(use_true_random=False))
    def test_values_do_not_depend_on_the_order_of_queries_and_documents(self, qrels, run, convention, shuffled):
        """To the last bit, unless the convention ranks ties as they are given."""
        assume(qrels.keys() & run.keys() and convention.ties != "input")

        def reordered(given):
            outer = [(query, shuffled.sample(list(of.items()), len(of))) for query, of in given.items()]
            return {query: dict(of) for query, of in shuffled.sample(outer, len(outer))}

        measures = ["nDCG", "nDCG@2", "P@2"]
        first = told(lambda: evaluate(qrels, run, measures, convention, check_swap=False))
        again = told(lambda: evaluate(reordered(qrels), reordered(run), measures, convention, check_swap=False))
        if first == "refused":
            assert again == "refused"
        else:
            stored = [json.dumps(each.as_json(), sort_keys=True) for each in (first, again)]
            assert stored[0] == stored[1]


def many():
    """More queries than are looked at together, of unequal length, with ties and gaps."""
    draw = random.Random(4)
    names = [f"d{i}" for i in range(60)]
    run = {f"q{i}": {d: draw.randrange(40) / 4 for d in draw.sample(names, draw.randrange(61))} for i in range(1300)}
    qrels = {f"q{i}": {name: draw.randrange(4) for name in draw.sample(names, 12)} for i in range(50, 1350)}
    return qrels, run


@pytest.mark.parametrize("convention", [BY_ID, AVERAGED, PRESETS["catboost"], PRESETS["trec_eval"]], ids=str)
@pytest.mark.parametrize("k", [None, 5])
def test_many_queries_have_the_values_of_the_plain_rules(convention, k):
    qrels, run = many()
    expected = plain.ndcg_of_run(qrels, run, k, convention)
    assert values(qrels, run, at("nDCG", k), convention) == {query: close(value) for query, value in expected.items()}


def drop(**choices):
    """A convention under which a document that is judged below 0 is dropped, as by trec_eval -J."""
    return Convention(negative="clamp", unjudged="drop", ties="id-descending", **choices)


EDGES = [
    # grades, scores, convention, NDCG: the order of the input does not matter where two share a score
    *(
        ({"a": 0}, dict.fromkeys(names, 1.0), Convention(gain={0: gain}, ties=ties), ndcg)  # x gains nothing
        for names in ("ax", "xa")
        for gain, ties, ndcg in ((1, "best", 1), (1, "worst", 1 / L3), (-1, "best", 1), (-1, "worst", L3))
    ),
    ({"a": 2, "b": -1, "c": 1}, {"b": 3.0, "a": 2.0, "c": 1.0}, drop(), 1),
    ({"a": 1, "b": -0.5}, {"b": 2.0, "a": 1.0}, drop(fractional="truncate"), 1 / L3),  # cut to 0, which is not below it
    # With a gain of 1 for grade 0 the ideal is 3 and 1, though the document judged -1 is not ranked
    ({"a": 1, "b": -1}, {"b": 2.0, "a": 1.0, "x": 0.5}, drop(gain=[1, 3]), 3 / (3 + 1 / L3)),
    # A judged 0 gains 1, and an unjudged document, which counts as grade 0 as well, gains nothing: it comes behind
    ({"a": 0}, {"x": 2.5, "a": 1.5}, Convention(gain=[1], ideal_order="grade"), 1 / L3),
    # The tied are ordered by grade, also where the table does not rise
    ({"a": 1, "b": 2}, {"a": 1, "b": 1}, Convention(gain={1: 5, 2: 3}, ties="best"), (3 + 5 / L3) / (5 + 3 / L3)),
]


@every_row(("grades", "scores", "convention", "ndcg"), EDGES)
def test_an_edge_has_the_value_worked_by_hand_in_both_witnesses(grades, scores, convention, ndcg):
    qrels, run = {"q": grades}, {"q": scores}
    assert values(qrels, run, "nDCG", convention) == {"q": close(ndcg)}
    assert plain.ndcg_of_run(qrels, run, None, convention) == {"q": close(ndcg)}


DROPPED = [
    # convention, P@1, RR and AP of documents with the grades -1, 2, 1
    (drop(), 1, 1, 1),
    (replace(drop(), negative="keep"), 0, 1 / 2, 7 / 12),
]


@every_row(("convention", "p", "rr", "ap"), DROPPED)
def test_a_document_judged_below_0_is_dropped_where_it_is_clamped(convention, p, rr, ap):
    qrels, run = {"q": {"d1": 2, "d2": -1, "d3": 1}}, {"q": {"d2": 3.0, "d1": 2.0, "d3": 1.0}}
    assert list(evaluate(qrels, run, ["P@1", "RR", "AP"], convention).mean.values()) == [close(p), close(rr), close(ap)]


@pytest.mark.parametrize("compute", [lambda *given: values(*given[:2], "nDCG", given[3]), plain.ndcg_of_run])
def test_a_document_judged_below_0_is_refused_under_error_where_others_are_dropped(compute):
    with pytest.raises(ValueError, match=re.escape("qrels['q']['b']: expected a grade of 0 or more, got -1")):
        compute({"q": {"a": 1, "b": -1}}, {"q": {"a": 1, "b": 2}}, None, Convention(unjudged="drop"))


REFUSED_GRADES = [
    # choice, grade, message
    ("negative", -1, "expected a grade of 0 or more, got -1"),
    ("fractional", 0.5, "expected a whole grade, got 0.5"),
]


@every_row("measure", [name if name != "P" else "P@5" for name in MEASURES])
@every_row(("choice", "grade", "message"), REFUSED_GRADES)
def test_every_measure_refuses_the_grades_that_its_convention_refuses(measure, choice, grade, message):
    convention = Convention(ties="id-descending", **{choice: "error"})
    with pytest.raises(ValueError, match=re.escape(f"qrels['q']['b']: {message}")):
        evaluate({"q": {"a": 1, "b": grade}}, {"q": {"a": 2.0, "b": 1.0}}, measure, convention)


# The gains of ESCI for an exact match, a substitute and a complement, ranked in the opposite order
ESCI = {"q1": {"exact": 1, "substitute": 0.1, "complement": 0.01}, "q2": {"exact": 1}}
BACKWARDS = {"q1": {"complement": 3.5, "substitute": 2.5, "exact": 1.5}, "q2": {"exact": 1.5}}
KEPT = (0.01 + 0.1 / L3 + 1 / 2) / (1 + 0.1 / L3 + 0.01 / 2)

WITHOUT_CONVENTION = {
    "evaluate": lambda: evaluate(ESCI, BACKWARDS, "nDCG"),
    "AP": lambda: evaluate(ESCI, BACKWARDS, "AP"),
    "compare_runs": lambda: compare_runs(ESCI, {"a": BACKWARDS, "b": BACKWARDS}, "nDCG"),
    "assert_no_drop": lambda: assert_no_drop(ESCI, BACKWARDS, BACKWARDS, "nDCG", max_drop=0.1),
}
WITH_CONVENTION = [
    # convention, the NDCG of q1, truncated grades
    ("STANDARD", KEPT, 0),
    ("scikit-learn", KEPT, 0),
    ("trectools", KEPT, 0),
    ("trec_eval", 1 / 2, 2),  # of the grades 0, 0, 1
    ("ranx", 1 / 2, 2),
]


@pytest.mark.parametrize("call", WITHOUT_CONVENTION.values(), ids=WITHOUT_CONVENTION)
def test_a_fractional_grade_is_refused_where_no_convention_is_named(call):
    message = (
        "qrels['q1']['substitute']: expected a whole grade, got 0.1 (fractional=\"keep\" uses it, as STANDARD, "
        'scikit-learn and trectools do; "truncate" cuts it, as trec_eval does)'
    )
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        call()


@pytest.mark.parametrize(("convention", "value", "truncated"), WITH_CONVENTION)
def test_a_convention_that_is_named_takes_a_fractional_grade(convention, value, truncated):
    found = evaluate(ESCI, BACKWARDS, "nDCG", convention)
    assert (found.per_query["nDCG"], found.counts["truncated"]) == ({"q1": close(value), "q2": 1}, truncated)


# The example of the front page of ir_measures, and what it prints for it
IR_QRELS = {"Q0": {"D0": 0, "D1": 1}, "Q1": {"D0": 0, "D3": 2}}
IR_RUN = {"Q0": {"D0": 1.2, "D1": 1.0}, "Q1": {"D0": 2.4, "D3": 3.6}}
IR_MEASURES = {"AP": 0.75, "nDCG": 0.8154648767857288, "RR": 0.75, "nDCG@10": 0.8154648767857288, "P(rel=2)@10": 0.05}


def test_the_example_of_ir_measures_comes_out_again():
    assert evaluate(IR_QRELS, IR_RUN, IR_MEASURES).mean == close(IR_MEASURES)


SMALL_QRELS = {"q1": {"a": 2, "b": 1, "c": 0}, "q2": {"a": 1}, "q3": {"a": 0}, "q4": {"z": 1}}
SMALL_RUN = {
    "q1": {"x": 9.0, "b": 5.0, "y": 5.0, "a": 1.0},
    "q3": {"a": 1.0, "b": 1.0},
    "q4": {"u": 2.0, "v": 2.0, "z": 1.0},
    "q9": {"a": 1.0, "b": 1.0},
    "q8": {},
}

COUNTED = [
    # measures, convention, judged, evaluated, missing, extra, without_ideal, tied, unjudged
    ("nDCG", BY_ID, 4, 3, 1, 2, 1, 2, 5),  # q1 and q3 have a judged document among the tied; q4's stand below them
    ("nDCG@1", BY_ID, 4, 3, 1, 2, 1, 0, 3),  # b of q3 stands above a, as its id does
    ("nDCG@1", Convention(ties="id-ascending"), 4, 2, 1, 2, 1, 1, 2),
    ("nDCG@2", BY_ID, 4, 3, 1, 2, 1, 1, 5),  # y stands above b in q1, x above it
    ("nDCG", Convention(missing="zero", zero_ideal=0), 4, 4, 1, 2, 1, 2, 5),
    ("nDCG", Convention(extra="zero", zero_ideal=0), 4, 5, 1, 2, 1, 2, 5),
    ("nDCG", Convention(unjudged="drop"), 4, 2, 1, 2, 1, 0, 0),
    ("AP(rel=2)", BY_ID, 4, 3, 1, 2, 2, 2, 5),  # q3 and q4 have no document of grade 2
    ("DCG", BY_ID, 4, 3, 1, 2, 0, 2, 5),
    (["nDCG@1", "nDCG@3", "DCG"], BY_ID, 4, 3, 1, 2, 1, 2, 5),  # the largest of each
]


@every_row("row", COUNTED)
def test_the_counts_are_as_counted_by_hand(row):
    measures, convention, *counts = row
    expected = dict(zip(COUNTS, [*counts, 0], strict=True))  # no grade is fractional
    assert evaluate(SMALL_QRELS, SMALL_RUN, measures, convention).counts == expected


COMPLETE, LEFT_OUT = replace(BY_ID, missing="zero"), replace(BY_ID, zero_ideal="nan")
MEANS = [
    # measure, convention, mean over the queries of SMALL_RUN
    ("nDCG", Convention(ties="id-descending"), ((1 / 2 + 2 / math.log2(5)) / (2 + 1 / L3) + 1 / 2) / 2),
    ("nDCG", COMPLETE, ((1 / 2 + 2 / math.log2(5)) / (2 + 1 / L3) + 0 + 0 + 1 / 2) / 4),
    ("CG@3", BY_ID, (1 + 0 + 1) / 3),
    ("P@4", BY_ID, (2 / 4 + 0 + 1 / 4) / 3),
    ("AP@3", BY_ID, (1 / 3 / 2 + 0 + 1 / 3) / 3),
    ("RR", BY_ID, (1 / 3 + 0 + 1 / 3) / 3),
    ("RR(rel=2)", BY_ID, (1 / 4 + 0 + 0) / 3),
    # q1 retrieves x, y, b, a, of which b and a are judged 1 and 2; q3 b, a, judged 0; q4 v, u, z, z relevant at rank 3
    ("R@3", BY_ID, (1 / 2 + 0 + 1) / 3),
    ("R@3", LEFT_OUT, (1 / 2 + 1) / 2),  # q3 has no relevant document
    ("Success@3", BY_ID, (1 + 0 + 1) / 3),
    ("Rprec", BY_ID, (0 + 0 + 0) / 3),
    ("Rprec", replace(BY_ID, unjudged="drop"), (1 + 0 + 1) / 3),
    ("Judged@3", BY_ID, (1 / 3 + 1 / 2 + 1 / 3) / 3),  # q3 has two documents, b unjudged
    ("ERR", BY_ID, (1 / 16 / 3 + 15 / 16 * 3 / 16 / 4 + 0 + 1 / 16 / 3) / 3),
    ("ERR(max_rel=2)@3", BY_ID, (1 / 4 / 3 + 0 + 1 / 4 / 3) / 3),
    ("RBP(p=0.5)", BY_ID, (1 / 8 + 1 / 16 + 0 + 1 / 8) / 3),
]


@every_row(("measure", "convention", "expected"), MEANS)
def test_a_mean_is_as_worked_by_hand(measure, convention, expected):
    found = evaluate(SMALL_QRELS, SMALL_RUN, measure, convention)
    assert found.mean == {measure: pytest.approx(expected, abs=1e-15)}


@pytest.mark.parametrize("measure", ["AP", "R@3", "Rprec", "ERR"])
def test_a_query_without_a_relevant_document_is_refused_where_the_convention_says_so(measure):
    message = re.escape("qrels['q3']: grades: expected some ideal gain to divide by, got none")
    with pytest.raises(ValueError, match=message):
        evaluate(SMALL_QRELS, SMALL_RUN, measure, replace(BY_ID, zero_ideal="error"))


def test_the_judgment_rate_of_a_query_that_retrieved_nothing_is_nan():
    found = evaluate({"q": {"a": 1}, "r": {"a": 0}}, {"q": {}, "r": {"a": 1.0, "b": 0.5}}, "Judged@10", BY_ID)
    assert (str(found.per_query["Judged@10"]["q"]), found.mean["Judged@10"]) == ("nan", 1 / 2)


OFF_SCALE = [
    # measure, grade, convention, message
    ("ERR@20", 5, BY_ID, "from 0 to 4 for 'ERR@20', got 5 (is the scale longer? ERR(max_rel=5) goes up to 5)"),
    ("ERR", -1, replace(BY_ID, negative="keep"), "from 0 to 4 for 'ERR', got -1"),
]


@pytest.mark.parametrize(("measure", "grade", "convention", "message"), OFF_SCALE)
def test_a_grade_off_the_scale_of_err_is_refused(measure, grade, convention, message):
    with pytest.raises(ValueError, match=re.escape(f"qrels['q']['b']: expected a grade {message}")):
        evaluate({"q": {"a": 1, "b": grade}}, {"q": {"a": 2.0}}, measure, convention)


# The run and the judgments of test_nDCG in tests/test_pytrec_eval.py of ir_measures 0.4.3, and what it expects
NEGATIVE_QRELS = {"0": {"D0": 1, "D1": -1, "D2": 0, "D3": 2, "D4": 0}, "1": {"D0": 1, "D3": 2, "D4": -1, "D5": 0}}
NEGATIVE_RUN = {
    "0": {"D0": 0.8, "D2": 0.7, "D1": 0.3, "D3": 0.4, "D4": 0.1},
    "1": {"D1": 0.8, "D4": 0.7, "D3": 0.3, "D2": 0.4},
}
OF_IR_MEASURES = [
    ("nDCG", {"0": 0.76018, "1": 0.32739}),
    ("nDCG(gains={0:1,1:4})", {"0": 0.97177, "1": 0.14949}),  # a negative grade gains 0, not what grade 0 gains
]


@pytest.mark.parametrize(("measure", "values"), OF_IR_MEASURES)
def test_the_fixtures_of_ir_measures_come_out_again(measure, values):
    """The fifth decimal is cut off: 0.97177 is 6.01778 / 6.19254."""
    found = evaluate(NEGATIVE_QRELS, NEGATIVE_RUN, measure, "ir_measures")
    assert found.per_query[measure] == pytest.approx(values, abs=1e-5)


class TestEachMeasureHasItsConvention:
    MEASURES = ("nDCG@10", "NDCG:top=10;type=Exp", "ndcg@10-")

    def test_each_spelling_means_the_convention_of_its_library(self):
        expected = [BY_DEFAULT, PRESETS["catboost-exp"], PRESETS["xgboost-minus"]]
        found = evaluate(IR_QRELS, IR_RUN, self.MEASURES)
        assert found.conventions == dict(zip(self.MEASURES, expected, strict=True))
        assert evaluate(IR_QRELS, IR_RUN, ["nDCG", "P@5"]).convention == BY_DEFAULT
        with pytest.raises(ValueError, match=r"convention: the measures have 3 \(`conventions` has that of each\)"):
            found.convention  # noqa: B018 - the access is the test


NAN, INF = math.nan, math.inf
ONE = {"q": {"d": 1}}
WRONG = [
    # qrels, run, exception, message, why
    (ONE, {"q": {"d": NAN}}, ValueError, "run['q']['d']: expected a finite number, got nan", "a score"),
    (ONE, {"q": {"e": 1.0, "f": -INF}}, ValueError, "run['q']['f']: expected a finite number, got -inf", "not judged"),
    (ONE, {"q": {"d": "1.5"}}, TypeError, "run['q']['d']: expected a number, got '1.5' (text is not", "text"),
    ({"q": {"d": "1"}}, ONE, TypeError, "qrels['q']['d']: expected a number, got '1' (text is not", "a grade"),
    ({"q": {"e": 1, "d": None}}, ONE, TypeError, "qrels['q']['d']: expected a number, got None", "none at all"),
    ({"q"}, ONE, TypeError, "qrels: row 0: expected (query, document, grade), got 'q'", "a set"),
    (ONE, 3, TypeError, "run: expected a dict of dicts, a data frame, rows of (query, document, score) or a path", "3"),
    (ONE, {"q": ["d"]}, TypeError, "run['q']: expected a dict of document to score, got a list", "a ranking"),
    ({}, ONE, ValueError, "qrels: expected at least one query, got none", "no judgments"),
    ({1: {"d": 1}}, ONE, TypeError, "qrels: expected text as the id of a query, got 1 (use str(...)", "a whole number"),
    (ONE, {"q": {1: 1}}, TypeError, "run['q']: expected text as the id of a document, got 1 (use str(...)", "document"),
    (ONE, {"1": {"d": 1}}, ValueError, "run: expected at least one judged query, got none of 1 among 1 (", "no query"),
]
STRICT = Convention(gain="exponential")


@every_row(("qrels", "run", "exception", "message", "why"), WRONG)
def test_what_is_wrong_is_refused_with_its_place(qrels, run, exception, message, why):
    with pytest.raises(exception, match=re.escape(message)):
        evaluate(qrels, run, convention=STRICT)


def test_an_id_that_is_no_text_is_refused_where_a_tie_needs_it():
    with pytest.raises(TypeError, match=re.escape("run['q']: expected text as the id of a document, got 7 (use str")):
        evaluate(ONE, {"q": {"d": 1, 7: 1}}, convention=BY_ID)


ASKED = [
    # measures, convention, exception, message, why
    ([], None, ValueError, "measures: expected at least one, such as 'nDCG@10', got none", "nothing"),
    ("nDGC", None, ValueError, "did you mean nDCG?", "a slip"),
    ("AP", Convention(), ValueError, "'AP' needs a rank for each document, which averaged ties do not give", "no rank"),
    ("ERR@5", "scikit-learn", ValueError, "'ERR@5' needs a rank for each document", "nor for a reader who stops"),
    ("ndcg_cut_10", "scikit-learn", ValueError, "trec_eval's spelling", "a contradiction"),
    ("nDCG", Convention(missing="error"), ValueError, "run: expected every judged query, got none of 'q2'", "missing"),
    ("nDCG", Convention(extra="error"), ValueError, "run: expected only judged queries, got 'q8'", "extra"),
    ("nDCG", Convention(zero_ideal="error"), ValueError, "qrels['q3']: grades: expected some ideal gain to", "no gain"),
]


@every_row(("measures", "convention", "exception", "message", "why"), ASKED)
def test_what_cannot_be_computed_is_refused(measures, convention, exception, message, why):
    with pytest.raises(exception, match=re.escape(message)):
        evaluate(SMALL_QRELS, SMALL_RUN, measures, convention)


def test_gains_without_a_sum_are_refused():
    with pytest.raises(ValueError, match="the sum of the gains is beyond the range of a float"):
        evaluate({"q": {"d": 1e308, "e": 1e308}}, {"q": {"d": 2, "e": 1}}, "CG", Convention())


def test_memory_goes_with_the_documents_and_not_with_the_different_grades():
    """As many grades as documents, in as many queries as are looked at together: 4 MB of numbers."""
    qrels = {f"q{q}": {f"d{d}": 1 + q / 7 + d / 11 for d in range(200)} for q in range(batches.AT_ONCE)}
    run = {query: {"d0": 1} for query in qrels}
    tracemalloc.start()
    result = evaluate(qrels, run, "nDCG@1", "trec_eval", check_swap=False)
    assert tracemalloc.get_traced_memory()[1] < 2**26
    tracemalloc.stop()
    assert result.per_query["nDCG@1"]["q7"] == math.trunc(2) / math.trunc(2 + 199 / 11)


def test_numbers_of_every_kind_are_read():
    qrels = {"q": {"a": True, "b": np.int64(2), "c": Decimal("0.5")}}
    run = {"q": {"a": np.float32(3), "b": Decimal(2), "c": 1}}
    assert evaluate(qrels, run, "CG", Convention()).mean == {"CG": 3.5}


# Scores that differ, and grades of few levels: what was retrieved and judged, or the other way round
SCORED = {f"q{i}": {f"d{j}": 10.5 - j + i / 7 for j in range(5)} for i in range(4)}
GRADED = {f"q{i}": {f"d{j}": j % 3 for j in range(5)} for i in range(4)}
NO_FRACTIONS = {query: {d: g + 0.5 for d, g in of.items()} for query, of in GRADED.items()}
RANKS = {query: {f"d{j}": 10 - j for j in range(10)} for query in GRADED}
MARCO = {f"q{q}": {"a": 0.5, "b": 0.25} for q in range(11)}
SWAPPED = [
    # judgments, run, why
    (SCORED, GRADED, "changed places"),
    (SCORED, {**GRADED, "q0": {"d0": 1}}, "three of four queries"),
    (MARCO, {query: {"a": 1} for query in [*MARCO][:10]}, "one judgment of each query, as in MS MARCO"),
]
HONEST = [
    # judgments, run, why
    (GRADED, SCORED, "as it should be"),
    (NO_FRACTIONS, SCORED, "fractional grades, real scores"),
    (NO_FRACTIONS, RANKS, "fractional grades, and scores that are ranks turned round"),
    ({q: {d: g / 2 for d, g in of.items()} for q, of in GRADED.items()}, GRADED, "few fractional grades, votes"),
    (SCORED, {q: {d: 11 * g for d, g in of.items()} for q, of in GRADED.items()}, "scores above 10"),
    (SCORED, {**GRADED, "q0": {"d0": 1.5}}, "one score with a fraction"),
    (SCORED, {**GRADED, "q0": {"d0": 1}, "q1": {"d0": 1}}, "two of four queries"),
    ({"q": {"a": 0.5, "b": 0.25}}, {"q": {"a": 1}}, "one document, whose score cannot repeat"),
    (MARCO, {f"q{q}": {"a": q} for q in range(11)}, "one document of many queries, whose scores differ"),
]


class TestSwappedArguments:
    @every_row(("qrels", "run", "why"), SWAPPED)
    def test_swapped_arguments_are_refused_and_taken_where_they_are_meant(self, qrels, run, why):
        message = r"^run: expected scores, .* with fractions \(qrels and run swapped\? check_swap=False accepts them\)$"
        with pytest.raises(ValueError, match=message):
            evaluate(qrels, run, "nDCG", Convention())
        with pytest.raises(ValueError, match=message):
            explain(qrels, run, Convention(), Convention(ties="best"))
        expected = plain.ndcg_of_run(qrels, run, None, AVERAGED)
        found = evaluate(qrels, run, "nDCG", AVERAGED, check_swap=False).per_query["nDCG"]
        assert found == {query: close(value) for query, value in expected.items()}
        mean = math.fsum(expected.values()) / len(expected)
        assert explain(qrels, run, AVERAGED, AVERAGED, "nDCG", check_swap=False).mean_a == close(mean)

    @every_row(("qrels", "run", "why"), HONEST)
    def test_arguments_in_order_are_taken(self, qrels, run, why):
        assert evaluate(qrels, run, "nDCG", AVERAGED).counts["evaluated"] >= 1

    @pytest.mark.parametrize("flag", ["no", 0, None])
    def test_what_is_neither_true_nor_false_is_refused(self, flag):
        message = re.escape(f"check_swap: expected True or False, got {flag!r}")
        with pytest.raises(TypeError, match=message):
            evaluate({"q": {"d": 1}}, {"q": {"d": 2.5}}, check_swap=flag)
        with pytest.raises(TypeError, match=message):
            explain({"q": {"d": 1}}, {"q": {"d": 2.5}}, "trec_eval", "scikit-learn", check_swap=flag)


class TestFilesAreReadAsTrecEvalReadsThem:
    """trec_eval 9.0.7 and 10.0 print 1.0000 for these files, and 0.6309 where the grade is written 1000."""

    @pytest.fixture
    def files(self, tmp_path):
        qrels, run = tmp_path / "qrels", tmp_path / "run"
        qrels.write_text("q1 0 d1 1\nq1 0 d2 1e3\n", encoding="utf-8")
        run.write_text("q1 Q0 d1 1 3 my run\nq1 Q0 d2 2 2 my run\nq1 Q0 d3 3 1 t\n", encoding="utf-8")
        return qrels, run

    OF_TREC_EVAL = (
        *(None, "trec_eval", "trec_eval-10.0", PRESETS["trec_eval"]),
        *(replace(PRESETS["trec_eval"], **option) for option in ({"missing": "zero"}, {"unjudged": "drop"})),  # -c, -J
    )

    @pytest.mark.parametrize("convention", OF_TREC_EVAL, ids=str)
    def test_presets_of_trec_eval_read_files_as_it_does(self, files, convention):
        found = evaluate(*files, "nDCG@10", convention)
        assert (found.mean, found.only_trec_eval) == ({"nDCG@10": 1}, {"qrels": 1, "run": 2})
        assert found.as_json()["only_trec_eval"] == {"qrels": 1, "run": 2}

    def test_one_measure_of_trec_eval_suffices(self, files):
        found = evaluate(*files, ["nDCG@10", "ndcg@10-"])
        assert found.only_trec_eval == {"qrels": 1, "run": 2}

    @pytest.mark.parametrize("convention", ["scikit-learn", "pytrec_eval-terrier", BY_ID], ids=str)
    def test_other_conventions_refuse_a_tag_of_several_words(self, files, convention):
        with pytest.raises(TrecError, match=r"run:1: expected 6 fields.* got 7"):
            evaluate(*files, "nDCG@10", convention)

    def test_lines_are_counted_once_where_queries_stand_apart(self, files, monkeypatch):
        """The lines that were counted before the file is read anew are not counted again."""
        monkeypatch.setattr(blocks, "BLOCK", 30)
        lines = "".join(f"q{i % 2} Q0 d{i} 1 {9 - i} my run\n" for i in range(9))
        files[1].write_text(lines, encoding="utf-8")
        found = evaluate({"q0": {"d0": 1}}, files[1])
        assert (found.mean, found.only_trec_eval["run"]) == ({"nDCG@10": 1}, 9)

    def test_an_explanation_reads_files_as_trec_eval(self, files):
        made = explain(*files, "trec_eval", "scikit-learn")
        assert (made.mean_a, made.only_trec_eval) == (1, {"qrels": 1, "run": 2})
        assert made.as_json()["only_trec_eval"] == {"qrels": 1, "run": 2}


IDS_OF_TWO = ["q1", "q2", "q1"], ["d1", "d1", "d2"]
NAMED = [
    # names of the columns for judgments and run, and whose they are
    ("query_id", "doc_id", "relevance", "score"),  # ir_measures
    ("qid", "docno", "label", "score"),  # PyTerrier
    ("query", "document", "grade", "score"),
]


@pytest.mark.parametrize("kind", [pandas.DataFrame, pyarrow.table])
@pytest.mark.parametrize(("query", "document", "grade", "score"), NAMED)
def test_a_data_frame_is_read_by_its_columns(kind, query, document, grade, score):
    qrels = kind({query: IDS_OF_TWO[0], document: IDS_OF_TWO[1], grade: [1, 2, 0], "iteration": [0, 0, 0]})
    run = kind({"rank": [1, 1, 2], query: IDS_OF_TWO[0], document: IDS_OF_TWO[1], score: [1.0, 2.0, 3.0]})
    assert values(qrels, run, "nDCG") == {"q1": 1 / L3, "q2": 1.0}


class TestTheResult:
    def test_the_repr_shows_means_counts_and_convention(self):
        assert repr(evaluate(IR_QRELS, IR_RUN, ["nDCG@10", "RR"], BY_ID)).splitlines() == [
            "nDCG@10  0.8155",
            "RR       0.7500",
            "2 judged, 2 evaluated, 0 missing, 0 extra, 0 without ideal, 0 tied, 0 unjudged, 0 truncated",
            f"nDCG@10: {BY_ID}",
            "RR: ties by document id descending, no relevant document counts 0",
        ]

    @pytest.mark.parametrize("measure", [each for each in MEASURES if each not in ("nDCG", "DCG")])
    def test_a_measure_without_gains_and_discounts_prints_none(self, measure):
        text = f"{measure}@5" if measure == "P" else measure
        convention = replace(BY_ID, gain="binary", discount="rank", base=10, ideal_cut="none")
        found = evaluate(IR_QRELS, IR_RUN, text, convention)
        said = [str(found).splitlines()[-1], *found.signatures]
        said += [str(compare_runs(IR_QRELS, {"a": IR_RUN, "b": IR_RUN}, text, convention)).splitlines()[6]]
        assert said[0] == f"{text}: ties by document id descending, no relevant document counts 0"
        assert said[1].startswith(f"{text}: negative:error|zero_ideal:0|ties:id-descending|scores:float64|")
        assert said[2] == said[0]
        gate = compare_with_baseline(IR_QRELS, IR_RUN, IR_RUN, text, max_drop=0.01, convention=convention)
        assert str(gate).splitlines()[-1] == said[0]

    def test_a_measure_without_gains_says_where_a_convention_leaves_it_nothing_to_choose(self):
        assert str(evaluate(IR_QRELS, IR_RUN, "P@5", Convention())).splitlines()[-1] == "P@5: default choices"

    def test_the_repr_shows_the_convention_of_each_measure_where_they_differ(self):
        lines = repr(evaluate(IR_QRELS, IR_RUN, ["nDCG@10", "ndcg@5-", "P@1"])).splitlines()
        assert lines[-3:] == [
            f"nDCG@10: {BY_DEFAULT}",
            f"ndcg@5-: {PRESETS['xgboost-minus']}",
            "P@1: ties by document id descending, no relevant document counts 0, negative grades count 0, "
            "fractional grades refused",
        ]

    def test_the_result_is_stored_as_json(self):
        qrels = {**IR_QRELS, "Q2": {"D0": 0}}
        run = {**IR_RUN, "Q2": {"D0": 1.0}}
        stored = evaluate(qrels, run, ["nDCG@10"], Convention()).as_json()
        assert json.loads(json.dumps(stored, allow_nan=False)) == {
            "measures": {"nDCG@10": (1 + 1 / L3) / 2},
            "queries": {"nDCG@10": 2},
            "per_query": {"nDCG@10": {"Q0": 1 / L3, "Q1": 1.0, "Q2": None}},
            "counts": dict(zip(COUNTS, [3, 2, 0, 0, 1, 0, 0, 0], strict=True)),
            "convention": Convention().signature(),
            "only_trec_eval": {"qrels": 0, "run": 0},
            "excluded": {},
        }


@pytest.mark.long
def test_the_hash_seed_does_not_matter():
    qrels, run = ({query: side[query] for query in list(side)[:99]} for side in many())
    code = f"import ndcg_ref; print(ndcg_ref.evaluate({qrels}, {run}, ['nDCG', 'nDCG@5', 'AP', 'P@3']).as_json())"
    environments = [{**os.environ, "PYTHONHASHSEED": seed} for seed in "12"]
    printed = [subprocess.check_output([sys.executable, "-c", code], env=each) for each in environments]
    assert printed[0] == printed[1] != b""
