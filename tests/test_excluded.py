"""Data that a preset excludes are named in the result, with the number of queries of each kind; no others are."""

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from rows import every_row

from ndcg_ref import Convention, compare_runs, evaluate, explain, which, which_mean
from ndcg_ref.commands.cli import main
from ndcg_ref.conventions.presets import ABOUT, KINDS, LONG, PRESETS, Excluded, in_lines, preset_of
from ndcg_ref.formulas.kinds import IS_OF, found_in
from ndcg_ref.formulas.measured_ranking import Ranking
from ndcg_ref.runs.values import OF_KIND

MANY = [f"d{i:02}" for i in range(LONG + 1)]
GOOD = {"q": {"a": 2, "b": 1, "c": 0}}
RUN = {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}

FOUND = [
    # preset, judgments, run, measure, kinds, why
    ("trec_eval", GOOD, RUN, "nDCG", {}, "nothing"),
    ("trec_eval", {**GOOD, "p": {"a": 1}, "r": {"a": 1}}, RUN, "nDCG", {"missing": 2}, "two that the run lacks"),
    ("trec_eval", GOOD, {**RUN, "p": {"a": 1}}, "nDCG", {}, "a query that nobody judged is not excluded"),
    ("trec_eval", {**GOOD, "p": {}}, {**RUN, "p": {"a": 1}}, "nDCG", {"unjudged": 1}, "a query without a judgment"),
    ("trec_eval", GOOD, {"q": {}}, "nDCG", {"empty": 1}, "no document"),
    ("trec_eval", {**GOOD, "p": {"a": 1}}, {**RUN, "p": {}}, "nDCG", {}, "no document in one of two queries"),
    ("trec_eval", {"q": {"a": -1, "z": -2}}, RUN, "nDCG", {"all negative": 1}, "grades below 0 alone"),
    ("ranx", {"q": {"a": 1}, "p": {"a": 1}}, RUN, "nDCG", {}, "ranx counts missing queries"),
    ("scikit-learn", {"q": {"a": 1}}, {"q": {"a": 1.0}}, "nDCG", {"one": 1}, "one document"),
    ("scikit-learn", {"q": {"a": 1, "z": 1}}, {"q": {"x": 1.0}}, "nDCG", {"one": 1}, "one that nobody judged"),
    ("scikit-learn-ignore_ties", GOOD, {"q": {"a": 1, "b": 1}}, "nDCG", {"ties": 1}, "tied documents"),
    ("scikit-learn-ignore_ties", GOOD, {"q": {"a": 1, "x": 1}}, "nDCG", {"ties": 1}, "one of them unjudged"),
    ("scikit-learn-ignore_ties", GOOD, {"q": {"a": 2, "b": 1, "c": 1}}, "nDCG@1", {}, "below the cutoff"),
    ("scikit-learn-ignore_ties", GOOD, {"q": {"a": 2, "b": 1, "c": 1}}, "nDCG@2", {"ties": 1}, "across the cutoff"),
    ("ranx", {"q": {"d00": 1}}, {"q": dict.fromkeys(MANY, 1.0)}, "nDCG", {"long ties": 1}, "among 16"),
    ("catboost", {"q": {"a": -3, "b": 1}}, RUN, "nDCG", {"negative ideal": 1}, "1 - 3 / log2(3)"),
    ("torchmetrics", {"q": {"a": -1, "b": 1}}, RUN, "nDCG", {"cancelling": 1}, "1 - 1"),
    ("torchmetrics", {"q": {"a": -1, "z": 1}}, RUN, "nDCG", {}, "1 was not retrieved, so it is not seen"),
    ("ignite", {"q": {"a": 0.5, "b": 1}}, RUN, "nDCG", {"below 1": 1}, "a half"),
    ("ignite", {"q": {"z": 0.5, "b": 1}}, RUN, "nDCG", {}, "that was not retrieved"),
    ("gdeval", {"q": {"a": 5, "b": 1}}, RUN, "nDCG", {"above 4": 1}, "5"),
    ("lightgbm", {"q": {"a": 31}, "p": {"a": 30}}, {**RUN, "p": {"a": 1}}, "nDCG", {"above 30": 1}, "31, and 30"),
    ("xgboost", {"q": {"a": 32}, "p": {"a": 31}}, {**RUN, "p": {"a": 1}}, "nDCG", {"above 31": 1}, "32, and 31"),
]


@every_row(("preset", "qrels", "run", "measure", "kinds", "why"), FOUND)
@every_row("by", ["name", "version", "convention"])
def test_the_result_names_the_kinds_that_its_preset_excludes(preset, qrels, run, measure, kinds, why, by):
    about = preset_of(preset)
    meant = {"name": preset, "version": about.name, "convention": PRESETS[preset]}[by]
    assert evaluate(qrels, run, measure, meant).excluded == {about.name: Excluded(kinds)}


def test_every_kind_is_found_in_a_row_and_looked_for_in_both_ways():
    """A kind that a preset excludes, and that nobody looks for, would have to be named in `not_looked_for`."""
    assert {kind for *_, kinds, _ in FOUND for kind in kinds} == set(KINDS)
    assert set(IS_OF) == set(OF_KIND) == set(KINDS) - {"empty", "unjudged", "missing"}  # counted in a whole run


GRADES = st.sampled_from([0, 0, 1, 2, -1, -2, 0.5, 1.5, 4, 5, 30, 31, 32])
QRELS = st.dictionaries(st.sampled_from("pqr"), st.dictionaries(st.sampled_from(MANY[:6]), GRADES), min_size=1)
RUNS = st.dictionaries(
    st.sampled_from("pqr"), st.dictionaries(st.sampled_from(MANY), st.sampled_from([1.0, 2.0, 1.00000001])), min_size=1
)


@given(QRELS, RUNS, st.none() | st.integers(1, 5), st.sampled_from([name for name in ABOUT if ABOUT[name].excluded]))
def test_arrays_find_what_is_found_query_by_query(qrels, run, k, name):
    assume(qrels.keys() & run.keys())
    measure = "nDCG" if k is None else f"nDCG@{k}"
    try:
        found = evaluate(qrels, run, measure, name).excluded[name]
    except ValueError:  # a grade that its library refuses too
        assume(False)
    both = [query for query in qrels if query in run]
    expected = {
        "empty": 0 if any(run[query] for query in both) else len(qrels),
        "unjudged": sum(not grades for grades in qrels.values()),
        "missing": len(qrels) - len(both),
    }
    for query in both:
        plainly = Ranking(
            [qrels[query].get(d) for d in run[query]], scores=[*run[query].values()], judged=[*qrels[query].values()]
        )
        for kind, count in found_in(plainly, ABOUT[name], [k]).kinds.items():
            if kind != "empty":
                expected[kind] = expected.get(kind, 0) + count
    assert found.kinds == {kind: n for kind, n in expected.items() if n and kind in ABOUT[name].excluded}
    assert found.not_looked_for == ()


class TestTheField:
    def test_the_field_is_empty_for_a_convention_that_is_no_library_s(self):
        assert evaluate(GOOD, {"q": {"a": 1}}, "nDCG", Convention(zero_ideal=0, ideal="ranked")).excluded == {}

    def test_the_field_has_every_preset_that_a_spelling_means(self):
        qrels = {"q": {"a": 32}, "p": {"a": 1}}
        found = evaluate(qrels, RUN, ["nDCG@10", "ndcg@10-"]).excluded
        assert {name: excluded.kinds for name, excluded in found.items()} == {
            "trec_eval-10.0": {"missing": 1},
            "xgboost-3.2.0-minus": {"above 31": 1},
        }

    def test_the_field_has_the_largest_number_of_all_measures(self):
        """Ties reach within the cutoff of one of them."""
        run = {"q": {"a": 2, "b": 1, "c": 1}}
        found = evaluate(GOOD, run, ["nDCG@1", "nDCG@2"], "scikit-learn-ignore_ties").excluded
        assert found["scikit-learn-1.9.1-ignore_ties"].kinds == {"ties": 1}

    def test_the_field_names_measures_that_the_library_does_not_have(self):
        found = evaluate(GOOD, RUN, ["nDCG", "CG@2"], "trec_eval").excluded
        assert found == {"trec_eval-10.0": Excluded({}, measures=("CG@2",))}

    def test_an_explanation_has_the_field_for_both_sides(self):
        made = explain({"q": {"a": 1}, "p": {"a": 1}}, {"q": {"a": 1}}, "trec_eval", "scikit-learn")
        assert [(name, excluded.kinds) for name, excluded in made.excluded.items()] == [
            ("trec_eval-10.0", {"missing": 1}),
            ("scikit-learn-1.9.1", {"one": 1}),
        ]
        assert made.as_json()["excluded"]["scikit-learn-1.9.1"]["kinds"] == {"one": 1}


class TestOfOneRanking:
    def test_only_presets_that_print_the_number_are_in_the_field(self):
        found = which("1.0", [1]).excluded
        assert found["scikit-learn-1.9.1"] == Excluded({"one": 1})
        assert found["xgboost-3.2.0"] == Excluded({})
        assert set(found) == {row.convention for row in which("1.0", [1]).rows} & set(ABOUT)

    def test_ties_are_not_looked_for_without_scores(self):
        grades = [1, *[0] * LONG]
        assert which("1.0", grades).excluded["ranx-0.3.21"] == Excluded({}, ("long ties",))
        assert which("1.0", [1, 0]).excluded["scikit-learn-1.9.1-ignore_ties"] == Excluded({}, ("ties",))

    def test_ties_are_looked_for_at_the_cutoffs_that_print_the_number(self):
        """The documents at ranks 2 and 3 are tied, and 1.000 is printed at k = 1, 2 and 3 or at k = 1 alone."""
        for grades, kinds in (([1, 1, 0], {"ties": 1}), ([3, 1, 2], {})):
            found = which("1.000", grades, scores=[2, 1, 1])
            ks = {row.k for row in found.rows if row.convention == "scikit-learn-1.9.1-ignore_ties"}
            assert (1 in ks, ks != {1}) == (True, bool(kinds))
            assert found.excluded["scikit-learn-1.9.1-ignore_ties"].kinds == kinds

    def test_an_empty_ranking_is_found(self):
        found = found_in(Ranking([], judged=[1.0]), ABOUT["trec_eval-10.0"], [None])
        assert found == Excluded({"empty": 1})


IN_WORDS = [
    # what is found, the line
    ({}, ""),
    ({"a": Excluded({"one": 1})}, "not covered by a: a query with one retrieved document (1 query)"),
    (
        {"a": Excluded({"one": 2, "above 4": 1}, ("ties",)), "b": Excluded({}), "c": Excluded({}, (), ("CG@2", "DCG"))},
        "not covered by a: a query with one retrieved document (2 queries), a grade above 4 (1 query) (not looked for: "
        "equal scores of documents with different grades); not covered by c: CG@2, DCG",
    ),
    (dict.fromkeys("ab", Excluded({"one": 1})), "not covered by a, b: a query with one retrieved document (1 query)"),
]


@pytest.mark.parametrize(("found", "line"), IN_WORDS)
def test_the_field_is_told_in_words(found, line):
    assert "; ".join(in_lines(found)) == line


TWO = {"q": {"a": 1}, "p": {"a": 1}}
ONE_OF_TWO = {"q": {"a": 1.0}}
PRINTED = [
    # what has the number, the line, why
    (evaluate(TWO, ONE_OF_TWO), "", "a run"),
    (explain(TWO, ONE_OF_TWO, "trec_eval", "STANDARD"), "", "two conventions"),
    (compare_runs(TWO, {"x": TWO, "y": TWO}, convention="scikit-learn", check_swap=False), "x: ", "two runs"),
    (which_mean("1.0", TWO, ONE_OF_TWO), "", "a mean"),
    (which("1.0", [1]), "", "a ranking"),
]


class TestWhereTheNumberIs:
    LINE = re.compile(r"not covered by (trec_eval-10\.0|scikit-learn-1\.9\.1)\b.*: ")

    @pytest.mark.parametrize(("made", "before", "why"), PRINTED)
    def test_what_a_preset_does_not_cover_is_printed(self, made, before, why):
        lines = [line.removeprefix(before) for line in str(made).splitlines() if line.startswith(before)]
        assert len([line for line in lines if self.LINE.match(line)]) > 0

    @pytest.mark.parametrize("made", [PRINTED[0][0], PRINTED[2][0]], ids=["a run", "two runs"])
    def test_a_table_has_it(self, made):
        assert re.search(r"not covered by (trec\\?_eval-10|scikit-learn-1)\.", made._repr_html_())

    def test_a_preset_that_does_not_cover_the_data_is_marked_among_those_that_print_the_number(self):
        for made in (which("1.0", [1]), which_mean("1.0", TWO, {**ONE_OF_TWO, "p": {"a": 1.0}})):
            assert "scikit-learn-1.9.1 (not covered)" in str(made)
            assert "STANDARD (not covered)" not in str(made)
            assert "xgboost-3.2.0 (not covered)" not in str(made)


class TestTheCommands:
    MISSING = f"not covered by trec_eval-10.0: {KINDS['missing']} (1 query)"

    @pytest.fixture(autouse=True)
    def files(self, trec_files):
        trec_files(TWO, run={"q": {"a": 1}}, other=TWO, same=TWO)

    COMMANDS = (
        # command, preset, what it does not cover
        (["explain", "qrels", "run", "trec_eval", "STANDARD"], "trec_eval-10.0", f"{KINDS['missing']} (1 query)"),
        (["compare", "qrels", "other", "same", "--as", "lightgbm", "-m", "P@1"], "lightgbm-4.7.0", "P@1"),
        (["which", "0.63", "--grades", "0,32", "--scores", "2,1"], "lightgbm-4.7.0", f"{KINDS['above 30']} (1 query)"),
        (["which", "1.0", "qrels", "run"], "scikit-learn-1.9.1", f"{KINDS['one']} (1 query)"),
    )

    @pytest.mark.parametrize(("words", "preset", "what"), COMMANDS)
    def test_a_text_has_the_line_and_beside_json_it_is_on_stderr(self, words, preset, what, capsys):
        line = re.compile(rf"\bnot covered by [^:]*\b{re.escape(preset)}\b[^:]*: [^\n]*{re.escape(what)}")
        assert main(words) == 0
        said = capsys.readouterr()
        assert (bool(line.search(said.out)), said.err) == (True, "")
        assert main([*words, "--format", "json"]) == 0
        said = capsys.readouterr()
        assert (bool(line.search(said.err)), "not covered by" in said.out) == (True, False)
