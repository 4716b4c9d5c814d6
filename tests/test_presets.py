"""A preset computes what its library does: every recorded value that it claims, and what the library's tests expect.

The values are in `book/_data/interop.json`, which `make interop` writes: those of nDCG under `libraries`, those of
other measures under `measures`. None is a query that the library leaves out, text is a number as it was printed, and an
error has to be an error here.
"""

import json
import math
import operator
import re
import sys
import warnings
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from rows import every_row
from weighted import weighted_mean

from interop import cases
from interop.libraries import version_of_trec_eval
from ndcg_ref import dcg_score, evaluate, ndcg_score
from ndcg_ref.conventions.convention import as_float32
from ndcg_ref.conventions.presets import ABOUT, CALLED, KINDS, PRESETS
from ndcg_ref.conventions.spellings import OF_RELEVANT, parse
from ndcg_ref.formulas import plain
from ndcg_ref.stated.number import read_number

ROOT = Path(__file__).resolve().parent.parent
DATA = json.loads((ROOT / "book" / "_data" / "interop.json").read_text("utf-8"))
COLUMNS = {(name, "nDCG"): column for name, column in DATA["libraries"].items()}
COLUMNS |= {(name, measure): column for name, others in DATA["measures"].items() for measure, column in others.items()}
RUN = [name for name, preset in ABOUT.items() if preset.evidence == "run"]
READ = [name for name, preset in ABOUT.items() if preset.evidence == "read"]
assert RUN
assert READ
# What is excluded although no input of that kind tells: of grades -2, -1 in this order CatBoost 1.2.10 gives 1
NOT_AMONG_THE_INPUTS = [("catboost-1.2.10-exp-position", "negative ideal")]
# BEIR and MTEB need a cutoff, and inputs of these kinds have none; what pytrec_eval does of them, they do
AS_PYTREC_EVAL = [(name, kind) for name in ("beir-2.2.0", "mteb-2.26.24") for kind in ("empty", "all negative")]
SHOWN_ELSEWHERE = NOT_AMONG_THE_INPUTS + AS_PYTREC_EVAL
EXCLUDED = [(name, kind) for name in RUN for kind in ABOUT[name].excluded if (name, kind) not in SHOWN_ELSEWHERE]
assert EXCLUDED
WITHOUT_LEVELS = ("beir", "mteb", "trectools")  # a document with grade 1 is always relevant there


def inputs():
    """Each case as several queries with a cutoff and weights, a single query as one of them."""
    alone = [(one["name"], one["k"], {"q1": one}, [1]) for one in DATA["queries"]]
    several = [(one["name"], one["k"], one["queries"], one["weights"]) for one in DATA["means"]]
    return [(name, k, queries, weights or [1] * len(queries)) for name, k, queries, weights in alone + several]


INPUTS = inputs()


def qrels_and_run(queries, preset):
    """As dicts; a library of lists gets a grade of 0 for an unjudged document, and none that was not retrieved."""
    qrels, run = {}, {}
    for name, one in queries.items():
        grades = dict(zip(one["ids"], one["grades"], strict=True))
        if preset.convention.ideal == "ranked":
            grades = {document: grade or 0 for document, grade in grades.items()}
        else:
            grades |= {f"u{i}": grade for i, grade in enumerate(one["unretrieved"])}
        grades = {document: grade for document, grade in grades.items() if grade is not None}
        if grades or len(queries) == 1 or preset.convention.ideal == "ranked":
            qrels[name] = grades
        if one["ids"] or len(queries) == 1:
            run[name] = dict(zip(one["ids"], one["scores"], strict=True))
    return qrels, run


def by_plain(preset, measure, k, queries, weights):
    if measure != "nDCG":  # the loops have no other measure of a run
        return by_evaluate(preset, measure, k, queries, weights)
    convention = preset.convention
    qrels, run = qrels_and_run(queries, preset)
    values = plain.ndcg_of_run(qrels, run, k, convention)
    with_ideal = plain.ndcg_of_run(qrels, run, k, replace(convention, zero_ideal="nan"))
    return weighted_mean(
        values.values(),
        [weights[list(queries).index(query)] for query in values],
        [not math.isnan(with_ideal[query]) for query in values],
        convention,
    )


def by_arrays(preset, measure, k, queries, weights):
    """As a user of the library would call: lists of grades and scores, or a run against judgments."""
    grades = [[grade or 0 for grade in one["grades"]] for one in queries.values()]
    scores = [one["scores"] for one in queries.values()]
    if measure == "DCG" and preset.library == "scikit-learn":
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # of ties
            return dcg_score(grades, scores, k=k, sample_weight=weights, ignore_ties=preset.variant == "ignore_ties")
    if measure == "nDCG" and preset.convention.ideal == "ranked":
        listed = [[value for row in each for value in row] for each in (grades, scores)]
        sizes = [len(row) for row in grades]
        return ndcg_score(*listed, k=k, sample_weight=weights, convention=preset.convention, group=sizes)
    return by_evaluate(preset, measure, k, queries, weights)


def by_evaluate(preset, measure, k, queries, weights):
    spelled = measure if k is None else f"{measure}@{k}"
    result = evaluate(*qrels_and_run(queries, preset), [spelled], preset.name)
    if set(weights) == {1}:
        return result.mean[spelled]
    values = [result.per_query[spelled][query] for query in queries]
    return math.fsum(map(operator.mul, values, weights)) / math.fsum(weights)


def computed(name, measure, i, by=by_plain):
    """The mean of an input by the preset's convention, None where every query is left out, or the refusal."""
    return computed_once(name, measure, i, by if measure in ("nDCG", "DCG") else by_evaluate)


@cache
def computed_once(name, measure, i, by):
    try:
        mean = by(ABOUT[name], measure, *INPUTS[i][1:])
    except ValueError as refusal:
        return {"error": str(refusal)}
    return None if math.isnan(mean) else mean


@cache
def recorded(name, measure):
    """What the library gave, by the number of the input; without what it has no way to take."""
    values = COLUMNS[name, measure]["values"] + COLUMNS[name, measure]["means"]
    assert len(values) == len(INPUTS)
    return {i: value for i, value in enumerate(values) if not (isinstance(value, dict) and "not taken" in value)}


def agree(value, ours, tolerance):
    if isinstance(value, dict) or isinstance(ours, dict):
        return isinstance(value, dict) and isinstance(ours, dict)
    if value is None or ours is None:
        return value is ours
    if isinstance(value, str):
        return read_number(value).covers(ours)
    return abs(value - ours) <= max(tolerance * max(1, abs(ours)), 1e-9)  # ten digits are kept


def float32_or_not(scores, convention):
    return [as_float32(score) if convention.scores == "float32" else score for score in scores]


def has_ties(one, convention):
    """Whether documents of one score, as the convention compares scores, have different grades."""
    scores = float32_or_not(one["scores"], convention)
    grades = [grade or 0 for grade in one["grades"]]
    return len(set(zip(scores, grades, strict=True))) > len(set(scores))


def graded(one, convention):
    """The grades that the library sees."""
    unseen = [] if convention.ideal == "ranked" else one["unretrieved"]
    return [grade or 0 for grade in one["grades"]] + unseen


def ideal_below_0(one, convention, k):
    return plain.idcg(graded(one, convention), k, convention) < 0


def is_judged(one):
    return bool({*one["grades"], *one["unretrieved"]} - {None})


def measures_of(name):
    return [measure for library, measure in COLUMNS if library == name]


def without(preset, measure, i):
    """What an input gives by the convention of nDCG."""
    _, k, queries, _ = INPUTS[i]
    spelled = measure if k is None else f"{measure}@{k}"
    try:
        return evaluate(*qrels_and_run(queries, preset), [spelled], preset.convention).mean[spelled]
    except ValueError as refusal:
        return {"error": str(refusal)}


# Whether an input is of a kind: the words of KINDS, and when a query or all queries of the input are that
IS = {
    # kind: by queries, convention, cutoff
    "empty": lambda queries, c, k: (
        any(map(is_judged, queries)) and not any(one["ids"] for one in queries if is_judged(one))
    ),
    "one": lambda queries, c, k: any(len(one["ids"]) == 1 for one in queries),
    "unjudged": lambda queries, c, k: not any(map(is_judged, queries)),
    "missing": lambda queries, c, k: len(queries) > 1 and any(not one["ids"] for one in queries),
    "ties": lambda queries, c, k: any(has_ties(one, c) for one in queries),
    "long ties": lambda queries, c, k: any(len(one["ids"]) > 15 and has_ties(one, c) for one in queries),
    "all negative": lambda queries, c, k: any(
        max((grade for grade in one["grades"] + one["unretrieved"] if grade is not None), default=0) < 0
        for one in queries
    ),
    "negative ideal": lambda queries, c, k: any(ideal_below_0(one, c, k) for one in queries),
    "cancelling": lambda queries, c, k: any(not sum(graded(one, c)) and any(graded(one, c)) for one in queries),
    "below 1": lambda queries, c, k: any(0 < grade < 1 for one in queries for grade in graded(one, c)),
    "above 4": lambda queries, c, k: any(grade > 4 for one in queries for grade in graded(one, c)),
    "above 30": lambda queries, c, k: any(grade > 30 for one in queries for grade in graded(one, c)),
    "above 31": lambda queries, c, k: any(grade > 31 for one in queries for grade in graded(one, c)),
}


def is_of(kind, i, name):
    _, k, queries, _ = INPUTS[i]
    return IS[kind](list(queries.values()), ABOUT[name].convention, k)


def differing(name, measure, numbers, by):
    """The inputs of which library and preset disagree, in a form to read when a test fails."""
    found = recorded(name, measure)
    return [
        (measure, INPUTS[i][0], found[i], computed(name, measure, i, by))
        for i in numbers
        if not agree(found[i], computed(name, measure, i, by), ABOUT[name].tolerance)
    ]


class TestAPresetComputesWhatItsLibraryDid:
    @every_row("by", [by_plain, by_arrays])
    @every_row(("name", "measure"), COLUMNS)
    def test_a_preset_computes_what_its_library_did_on_every_input_it_covers(self, name, measure, by):
        found = recorded(name, measure)
        claimed = [i for i in found if not any(is_of(kind, i, name) for kind in ABOUT[name].excluded)]
        assert len(claimed) > len(found) / 2
        assert differing(name, measure, claimed, by) == []

    @every_row(("name", "kind"), EXCLUDED)
    def test_a_preset_covers_every_kind_of_input_that_it_can(self, name, kind):
        """Without an exclusion it would claim something false: an input of that kind, and of no other excluded."""
        others = [other for other in ABOUT[name].excluded if other != kind]
        wrong = [
            row
            for measure in measures_of(name)
            for by in (by_plain, by_arrays)
            for row in differing(
                name,
                measure,
                [
                    i
                    for i in recorded(name, measure)
                    if is_of(kind, i, name) and not any(is_of(other, i, name) for other in others)
                ],
                by,
            )
        ]
        assert wrong != []

    @pytest.mark.parametrize(("name", "kind"), NOT_AMONG_THE_INPUTS)
    def test_a_kind_that_no_input_shows_is_not_covered_and_is_named(self, name, kind):
        """The gains -3/4 and -1/2 over the ranks, by the ideal: (-3/4 - 1/4) / (-1/2 - 3/8)."""
        found = evaluate({"q": {"a": -2, "b": -1}}, {"q": {"a": 2.0, "b": 1.0}}, "nDCG", name)
        assert (found.mean["nDCG"], found.excluded[name].kinds) == (pytest.approx(8 / 7), {kind: 1})

    @pytest.mark.parametrize(("name", "kind"), AS_PYTREC_EVAL)
    def test_a_benchmark_covers_no_kind_that_pytrec_eval_does_not(self, name, kind):
        assert kind in ABOUT[name].excluded
        assert ("pytrec_eval-terrier-0.5.11", kind) in EXCLUDED

    @every_row("name", RUN)
    def test_another_convention_does_not_compute_what_the_library_did(self, name):
        """The input tells the presets apart, but for those that are the same except for what is excluded."""
        found = recorded(name, "nDCG")
        unlike = [other for other in RUN if ABOUT[other].convention != ABOUT[name].convention]
        for other in unlike:
            assert any(not agree(found[i], computed(other, "nDCG", i), 1e-4) for i in found), other

    def test_every_library_that_was_run_has_a_preset(self):
        assert {name for name, _ in COLUMNS} == set(RUN)

    @every_row("name", RUN)
    def test_every_measure_that_a_preset_covers_was_run(self, name):
        """Those of relevant documents with another level of relevance as well."""
        asked = [parse(measure if measure[0] != "P" else f"{measure}@1") for measure in measures_of(name)]
        assert {measure.name for measure in asked} == set(ABOUT[name].measures)
        levels = [measure.name for measure in asked if measure.rel == 2]
        has_levels = ABOUT[name].library not in WITHOUT_LEVELS
        assert set(levels) == set(OF_RELEVANT) & set(ABOUT[name].measures if has_levels else ())

    def test_a_measure_has_another_convention_where_it_needs_one(self):
        """Of two documents with one score the first by id is relevant: a 1, b 0."""
        qrels, run = {"q": {"a": 1, "b": 0}}, {"q": {"a": 1.0, "b": 1.0}}
        found = evaluate(qrels, run, ["RR@10", "RR", "AP@10"], "ir_measures")
        assert found.mean == {"RR@10": 1.0, "RR": 0.5, "AP@10": 0.5}
        assert found.conventions["RR@10"] == ABOUT["ir_measures-0.4.3"].by_measure["RR@k"]
        (one,) = (i for i, each in enumerate(INPUTS) if each[0] == "a tie of two, the other way, cut at 10")
        assert [recorded("ir_measures-0.4.3", measure)[one] for measure in ("RR", "AP")] == [1.0, 0.5]

    @every_row("name", RUN)
    def test_no_measure_has_another_convention_without_need(self, name):
        for measure in ABOUT[name].by_measure:
            spelled = measure.removesuffix("@k")
            wrong = replace(ABOUT[name], by_measure={})
            columns = [column for column in measures_of(name) if column.partition("(")[0] == spelled]
            found = [(column, i, value) for column in columns for i, value in recorded(name, column).items()]
            cut = [one for one in found if not measure.endswith("@k") or INPUTS[one[1]][1] is not None]
            assert any(not agree(value, without(wrong, column, i), ABOUT[name].tolerance) for column, i, value in cut)

    def test_presets_have_the_versions_that_the_lock_pins(self):
        """Those of BEIR and MTEB are pinned without what they need, beside the lock."""
        lock = (ROOT / "requirements-interop.lock").read_text("utf-8")
        beside = (ROOT / "pyproject.toml").read_text("utf-8")
        for name in RUN:
            library, pinned = ABOUT[name].library, ABOUT[name].version
            if library in ("trec_eval", "gdeval"):
                continue
            distribution = "pytorch-ignite" if library == "ignite" else library.replace("_", "-")
            pin = f"{distribution}=={pinned}"
            assert re.search(rf"^{re.escape(pin)} ", lock, re.MULTILINE) or f'"{pin}",' in beside, name


@cache
def excluded(name, measure, i):
    """The kinds that a result names for an input, None where it is refused."""
    _, k, queries, _ = INPUTS[i]
    spelled = measure if k is None else f"{measure}@{k}"
    try:
        return evaluate(*qrels_and_run(queries, ABOUT[name]), [spelled], name).excluded[name].kinds
    except ValueError:
        return None


class TestAResultNamesWhatItsPresetExcludes:
    @every_row(("name", "measure"), COLUMNS)
    def test_excluded_kinds_are_named_where_the_library_gave_another_value(self, name, measure):
        found = recorded(name, measure)
        unlike = [i for i in found if not agree(found[i], computed(name, measure, i), ABOUT[name].tolerance)]
        assert [INPUTS[i][0] for i in unlike if excluded(name, measure, i) == {}] == []

    @every_row("name", RUN)
    def test_excluded_kinds_are_named_only_where_they_are_in_the_data(self, name):
        """What is named is in the data; what is in the data is named, but ties below the cutoff."""
        for i in range(len(INPUTS)):
            named = excluded(name, "nDCG", i)
            if named is not None:
                there = {kind for kind in ABOUT[name].excluded if is_of(kind, i, name)}
                assert set(named) <= there, INPUTS[i][0]
                assert there - set(named) <= {"ties", "long ties"}, INPUTS[i][0]


FAKE = """#!{python}
import sys

options, qrels, run = sys.argv[1:-2], *map(open, sys.argv[-2:])
near = "1.00000002" in run.read()
if not near and {refuses}:
    sys.exit("result qid 'q2' not found in qrels")
print(options[-1].replace(".", "_"), "all", "0.0000" if near and {single} else "1.0000")
"""
BUILDS = [
    # compares scores in single precision, refuses a run without a judged query, version
    (True, False, "9.0.7"),
    (False, False, "9.0.8"),
    (False, True, "10.0"),
]


class TestABuildOfTrecEval:
    @pytest.mark.parametrize(("single", "refuses", "version"), BUILDS)
    def test_the_version_of_a_build_is_told_by_what_it_does(self, tmp_path, single, refuses, version):
        program = tmp_path / "trec_eval"
        program.write_text(FAKE.format(python=sys.executable, single=single, refuses=refuses), "utf-8")
        program.chmod(0o755)
        assert version_of_trec_eval(str(program)) == version

    def test_builds_of_single_and_of_double_precision_differ_in_the_file(self):
        (one,) = (i for i, each in enumerate(INPUTS) if each[0] == "scores that float32 cannot tell apart")
        gave = {number: recorded(f"trec_eval-{number}", "nDCG")[one] for *_, number in BUILDS}
        assert gave == {"9.0.7": "0.6309", "9.0.8": "1.0000", "10.0": "1.0000"}


class TestTheInput:
    def test_the_input_is_what_the_code_makes(self):
        """Else the file is older than the cases: `make interop` writes it anew."""
        assert json.loads(json.dumps([cases.queries(), cases.means()])) == [DATA["queries"], DATA["means"]]

    def test_every_kind_of_input_has_a_rule_and_is_used(self):
        assert set(IS) == {kind for _, kind in EXCLUDED} == set(KINDS)


SPARK_FIRST = "1 6 2 7 8 3 9 10 4 5"
SPARK_SECOND = "4 1 5 6 2 7 3 8 9 10"
SPARK_QUERIES = {
    # query: ranking
    "q1": SPARK_FIRST,
    "q2": SPARK_SECOND,
    "q3": "1 2 3 4 5",
}
SPARK_LABELS = {"q1": {"1": 1, "2": 1, "3": 1, "4": 1, "5": 1}, "q2": {"1": 1, "2": 1, "3": 1}, "q3": {}}
SPARK_GRADES = {"q1": {"1": 3, "2": 2, "3": 1, "4": 1, "5": 1}, "q2": {"1": 2, "2": 0, "3": 0}, "q3": {}}
ELASTIC = "0 1 2 3 4 5"


def log2p1(rank):
    return math.log2(rank + 1)


TWO_QUERIES = {"0": {"0": 1, "1": 1}, "1": {"1": 1}}
IN_ORDER = {"0": "0 1 2", "1": "1 2 0"}
WITHOUT_OWN_ID = {"0": "1 2", "1": "2 0"}
FIVE_DIGITS = 5e-6
FEW = {query: SPARK_LABELS[query] for query in ("q1", "q2")}
SIX = {"q1": {"0": 3, "1": 2, "2": 3, "3": 0, "4": 1, "5": 2}}
RATED = {"q1": {"0": 3, "1": 2, "2": 3, "4": 1}}
PAPER = dict(zip("abcdefghij", [3, 2, 3, 0, 0, 1, 2, 2, 3, 0], strict=True))
JUDGED_BY_PAPER = {"q1": PAPER | dict.fromkeys("klm", 1)}
TEN, HUNDRED = {"q1": "a b c d e f g h i j"}, {"q1": " ".join(map(str, range(100)))}


def graded_letters(*grades):
    """The grades of one query by letters, in this order, and the ranking of the letters."""
    letters = "abcdef"[: len(grades)]
    return {"q1": dict(zip(letters, grades, strict=True))}, {"q1": " ".join(letters)}


# What the tests of a library expect, or the paper prints
EXPECTED = [
    # preset, grades by query, ranking by query, cutoff, mean, half a unit or tolerance, where
    ("spark", SPARK_LABELS, SPARK_QUERIES, 3, 1 / 3, 1e-5, "RankingMetricsSuite, MAP, NDCG, Recall"),
    ("spark", SPARK_LABELS, SPARK_QUERIES, 5, 0.328788, 1e-5, "the same"),
    ("spark", FEW, {"q1": "1 6 2", "q2": ""}, 2, 0.30657, 1e-5, "the same, few predictions"),
    ("spark-graded", SPARK_GRADES, SPARK_QUERIES, 5, 0.487806, 1e-5, "the same"),
    # DiscountedCumulativeGainTests: testDCGAt, testDCGAtSixMissingRatings, testDCGAtFourMoreRatings
    ("elasticsearch", SIX, {"q1": ELASTIC}, 10, 13.84826362927298 / 14.595390756454922, 1e-5, "testDCGAt"),
    ("elasticsearch", RATED, {"q1": "0 1 2 3"}, 10, 12.392789260714371 / 13.347184833073591, 1e-5, "more than hits"),
    ("tf-ranking", *graded_letters(0, 3, 1, 0), None, (7 / log2p1(2) + 1 / 2) / (7 + 1 / log2p1(2)), 1e-6, "graded"),
    ("tf-ranking", *graded_letters(1, 0, 2), 2, 1 / (3 + 1 / log2p1(2)), 1e-6, "the same, topn"),
    ("allrank", *graded_letters(1, 0, 1), 2, 1 / (1 + 1 / math.log2(3)), 1e-6, "the same, multiple_ats"),
    # Järvelin and Kekäläinen print DCG 9.61 and ideal DCG 11.83, both cut, not rounded: their quotient is within 0.001
    ("paper", JUDGED_BY_PAPER, TEN, 10, 9.61 / 11.83, 0.001, "the paper of 2002"),
    ("mteb", TWO_QUERIES, IN_ORDER, 3, 1, FIVE_DIGITS, "test_RetrievalEvaluator, test_metrics_at_k"),
    ("mteb", TWO_QUERIES, WITHOUT_OWN_ID, 2, 0.30657, FIVE_DIGITS, "the same, with the documents that it removes"),
    ("beir", TWO_QUERIES, WITHOUT_OWN_ID, 2, (1 / (1 + 1 / log2p1(2)) + 0) / 2, 1e-12, "by hand"),
    ("paper-b10", {"q1": {"99": 1}}, HUNDRED, None, 1 / 2, 1e-12, "log10(100) is 2"),
]

AT_K = "test_RetrievalEvaluator, test_metrics_at_k"
OF_TWO = "by hand: 1 of 2, and 0 of 1, are found"
EXPECTED_OF_OTHER_MEASURES = [
    # preset, measure, grades by query, ranking by query, mean, tolerance, where
    ("elasticsearch", "DCG@10", SIX, {"q1": ELASTIC}, 13.84826362927298, 1e-9, "testDCGAt"),
    ("mteb", "AP@3", TWO_QUERIES, WITHOUT_OWN_ID, 0.25, FIVE_DIGITS, AT_K),
    ("mteb", "P@3", TWO_QUERIES, WITHOUT_OWN_ID, 0.16667, FIVE_DIGITS, AT_K),
    ("mteb", "RR@10", {"q1": {"d_a": 1}}, {"q1": "d_y d_x d_a"}, 1 / 3, 1e-12, "test_evaluation_metrics, its order"),
    ("mteb", "Success@2", TWO_QUERIES, WITHOUT_OWN_ID, 1 / 2, 1e-12, "by hand"),
    ("beir", "AP@3", TWO_QUERIES, WITHOUT_OWN_ID, (1 / 1 / 2 + 0) / 2, 1e-12, OF_TWO),
    ("beir", "Recall@3", TWO_QUERIES, WITHOUT_OWN_ID, (1 / 2 + 0) / 2, 1e-12, OF_TWO),
    ("beir", "Success@3", TWO_QUERIES, WITHOUT_OWN_ID, (1 + 0) / 2, 1e-12, OF_TWO),
    ("paper", "CG@10", {"q1": PAPER}, TEN, 16, 1e-12, "Järvelin and Kekäläinen 2002"),
    ("paper", "DCG@10", {"q1": PAPER}, TEN, 9.61, 0.01, "the same, which cuts digits off"),
    ("paper-b10", "CG", {"q1": {"99": 2}}, HUNDRED, 2, 1e-12, "one grade"),
    ("paper-b10", "DCG", {"q1": {"99": 2}}, HUNDRED, 1, 1e-12, "log10(100) is 2"),
]


def in_ranks(rankings):
    """A run of documents in the order of their names."""
    return {
        query: {document: -rank for rank, document in enumerate(ranking.split())} for query, ranking in rankings.items()
    }


class TestAPresetThatWasReadComputesWhatIsExpectedThere:
    @every_row(("preset", "qrels", "rankings", "k", "mean", "tolerance", "where"), EXPECTED)
    def test_a_preset_that_was_read_gives_the_mean_that_its_library_expects(
        self, preset, qrels, rankings, k, mean, tolerance, where
    ):
        values = plain.ndcg_of_run(qrels, in_ranks(rankings), k, PRESETS[preset]).values()
        assert sum(values) / len(values) == pytest.approx(mean, abs=tolerance), where

    @every_row(("preset", "measure", "qrels", "rankings", "mean", "tolerance", "where"), EXPECTED_OF_OTHER_MEASURES)
    def test_a_preset_that_was_read_computes_other_measures_as_expected_there(
        self, preset, measure, qrels, rankings, mean, tolerance, where
    ):
        found = evaluate(qrels, in_ranks(rankings), [measure], preset).mean[measure]
        assert found == pytest.approx(mean, abs=tolerance), where

    def test_benchmarks_rank_ties_and_count_missing_queries_each_in_its_way(self):
        """MTEB's own test expects 1/3 of tied documents; BEIR keeps their order, and counts the query q2 as 0."""
        qrels, run = {"q1": {"d_a": 1}, "q2": {"d_a": 1}}, {"q1": {"d_a": 0.5, "d_x": 0.5, "d_y": 0.5}}
        assert evaluate(qrels, run, "RR@10", "mteb").mean == {"RR@10": 1 / 3}
        assert evaluate(qrels, run, ["RR@10", "P@1"], "beir").mean == {"RR@10": 1 / 2, "P@1": 0}

    @pytest.mark.parametrize("name", ["beir", "mteb"])
    def test_benchmarks_end_at_a_query_that_nobody_judged(self, name):
        with pytest.raises(ValueError, match="run: expected only judged queries, got 'q2'"):
            evaluate({"q1": {"a": 1}}, {"q1": {"a": 1.0}, "q2": {"a": 1.0}}, "RR@10", name)

    def test_each_preset_that_was_read_has_a_row(self):
        rows = [(preset, "nDCG") for preset, *_ in EXPECTED]
        rows += [(preset, parse(measure).name) for preset, measure, *_ in EXPECTED_OF_OTHER_MEASURES]
        assert set(rows) >= {(ABOUT[name].alias, measure) for name in READ for measure in ABOUT[name].measures}


L3 = math.log2(3)
THREE_ONE = {  # the ranking 1, 2, with the gains 3 for grade 1 and 1 for grade 2
    # preset: NDCG, NDCG at 1
    "trec_eval": (1, 1),  # trec_eval 10.0 prints 1.0000 for -m ndcg.1=3,2=1
    "ir_measures": (1, 1),
    "lightgbm": ((3 + 1 / L3) / (1 + 3 / L3), 3),  # at 1 as recorded with label_gain=[0, 3, 1]
    "allrank": ((3 + 1 / L3) / (1 + 3 / L3), 3),  # metrics.py sorts y_true, and then applies gain_function
}


class TestATableOfGainsThatDoesNotRise:
    @pytest.mark.parametrize(("preset", "expected"), THREE_ONE.items())
    def test_a_table_that_does_not_rise_is_sorted_as_the_library_sorts_it(self, preset, expected):
        convention = replace(PRESETS[preset], gain=[0, 3, 1])
        qrels, run = {"q": {"a": 1, "b": 2}}, {"q": {"a": 2.0, "b": 1.0}}
        for k, value in zip((None, 1), expected, strict=True):
            measure = "nDCG" if k is None else f"nDCG@{k}"
            assert plain.ndcg_of_run(qrels, run, k, convention) == {"q": pytest.approx(value)}
            assert evaluate(qrels, run, measure, convention).mean == {measure: pytest.approx(value)}
            if convention.ties == "input":
                assert ndcg_score([[1, 2]], [[2.0, 1.0]], k=k, convention=convention) == pytest.approx(value)

    def test_the_value_of_lightgbm_is_the_recorded_one(self):
        (one,) = (each for each in DATA["demonstrations"] if each["name"] == "above 1")
        assert (one["input"]["label_gain"], one["values"]) == ([0, 3, 1], {"ndcg@1": THREE_ONE["lightgbm"][1]})

    def test_only_lightgbm_and_allrank_sort_by_grade(self):
        by_grade = {preset.library for preset in ABOUT.values() if preset.convention.ideal_order == "grade"}
        assert by_grade == {"lightgbm", "allrank"}


NEWEST = [
    # name, full name
    ("trec_eval", "trec_eval-10.0"),
    ("scikit-learn", "scikit-learn-1.9.1"),
    ("scikit-learn-ignore_ties", "scikit-learn-1.9.1-ignore_ties"),
    ("xgboost-minus", "xgboost-3.2.0-minus"),
    ("catboost-exp", "catboost-1.2.10-exp"),
    ("paper-b10", "paper-2002-b10"),
]

UNKNOWN = [
    # name, message
    ("sklearn", r"preset: expected the name of a library, such as 'trec_eval', got 'sklearn' \(did you mean .*'scikit"),
    ("trec-eval", r"got 'trec-eval' \(did you mean 'trec_eval'"),
    ("light-gbm", r"did you mean 'lightgbm'"),
    ("SKLearn-1.9.1", r"\(did you mean 'scikit-learn-1\.9\.1'\?\)"),
    ("sklearn-ignore_ties", r"\(did you mean 'scikit-learn-ignore_ties'\?\)"),
    ("pytrec_eval", r"\(did you mean 'pytrec_eval-terrier'\?\)"),
    ("pytrec_eval-0.5", r"\(did you mean 'pytrec_eval-terrier-0\.5\.\d+' or"),
    ("lgbm", r"\(did you mean 'lightgbm'\?\)"),
    ("zzz", r"got 'zzz' \(see list\(ndcg_ref\.PRESETS\)\)"),
    (10, r"got 10 \(see list"),
]


class TestNames:
    @pytest.mark.parametrize(("name", "full"), NEWEST)
    def test_a_name_without_a_version_means_the_newest(self, name, full):
        assert PRESETS[name] is PRESETS[full] is ABOUT[full].convention

    def test_every_preset_has_a_name_with_and_without_its_version(self):
        assert set(PRESETS) == {name for preset in ABOUT.values() for name in (preset.name, preset.alias)}

    def test_a_printed_preset_breaks_its_lines_between_words_alone(self):
        shown = str(replace(ABOUT["ranx-0.3.21"], differences="well-known " * 20)).splitlines()
        assert " ".join(" ".join(shown).split()).count("well-known") == 20
        assert max(map(len, shown)) <= 62 + len("  ")

    @every_row(("name", "message"), UNKNOWN)
    def test_an_unknown_name_is_refused(self, name, message):
        with pytest.raises(KeyError, match=message):
            PRESETS[name]

    def test_another_name_of_a_library_leads_to_its_presets_and_is_not_among_them(self):
        assert {library for library in CALLED.values() if library not in PRESETS} == set()
        assert not CALLED.keys() & PRESETS.keys()
        assert PRESETS.get("sklearn") is None

    def test_a_preset_says_what_it_leaves_out(self):
        assert [name for name, preset in ABOUT.items() if preset.excluded and not preset.differences] == []
        assert [name for name, preset in ABOUT.items() if not preset.source] == []
