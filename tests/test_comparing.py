"""Runs are compared over the same queries, and their differences have the tests, intervals and tables of this."""

import json
import math
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from rows import every_row
from scipy import stats

from ndcg_ref import Convention, compare_runs
from ndcg_ref.commands.cli import main
from ndcg_ref.conventions.presets import PRESETS
from ndcg_ref.statistics.significance import randomisation_test

ROOT = Path(__file__).resolve().parent.parent

# RR of four queries with one relevant document each, by its rank; None: the run lacks the query
RANKS = {
    # run: rank of the relevant document for q1, q2, q3, q4
    "first": (1, 2, 4, 1),
    "second": (2, 1, 1, 1),
    "lacking": (1, 2, None, None),  # without its two worst queries
}
QUERIES = ("q1", "q2", "q3", "q4")
QRELS = {query: {"d1": 1} for query in QUERIES}
BOTH = ("first", "second")


def ranked(rank):
    """A ranking whose relevant document stands at a rank."""
    return {"d1": 1.0, **{f"x{i}": 1.0 + i for i in range(1, rank)}}


def made(*names):
    return {name: {q: ranked(r) for q, r in zip(QUERIES, RANKS[name], strict=True) if r} for name in names}


def compared(*names, convention=None, **options):
    """RR under trec_eval's convention, or another one with an order of tied documents."""
    return compare_runs(QRELS, made(*names), "RR", convention, **options)


MEANS = [
    # runs, convention, means of RR over the same queries, queries that count
    (BOTH, None, [(1 + 1 / 2 + 1 / 4 + 1) / 4, (1 / 2 + 1 + 1 + 1) / 4], QUERIES),
    (("first", "lacking"), None, [(1 + 1 / 2) / 2, (1 + 1 / 2) / 2], QUERIES[:2]),
    (("first", "lacking"), "zero", [(1 + 1 / 2 + 1 / 4 + 1) / 4, (1 + 1 / 2 + 0 + 0) / 4], QUERIES),
]


@every_row(("names", "missing", "means", "queries"), MEANS)
def test_means_are_taken_over_the_same_queries(names, missing, means, queries):
    convention = missing and Convention(missing="zero", ties="id-descending")
    comparison = compared(*names, convention=convention)
    assert list(comparison.mean["RR"].values()) == pytest.approx(means, rel=1e-15)
    assert comparison.queries == {"RR": list(queries)}


def test_a_query_without_a_value_in_one_run_is_left_out_for_all():
    """Under an ideal of the ranking, a run that retrieves nothing relevant has none."""
    qrels = {"q1": {"d": 1}, "q2": {"d": 1}, "q3": {"d": 1}}
    runs = {"a": {q: {"d": 1} for q in qrels}, "b": {"q1": {"d": 2, "x": 1}, "q2": {"x": 1}, "q3": {"d": 1}}}
    comparison = compare_runs(qrels, runs, convention=Convention(ideal="ranked"))
    assert comparison.queries == {"nDCG@10": ["q1", "q3"]}
    assert comparison.left_out == {"nDCG@10": 1}


DIFFERENCES = [-1 / 2, 1 / 2, 3 / 4, 0]  # second minus first


class TestAPair:
    def test_differences_are_those_of_the_second_from_the_first(self):
        pair = compared(*BOTH).pairs[0]
        assert list(pair.by_query.values()) == DIFFERENCES
        assert (pair.a, pair.b, pair.name) == ("first", "second", "second − first")
        assert pair.difference == 3 / 4 / 4
        assert (list(pair.gained.items()), pair.lost) == ([("q3", 0.75), ("q2", 0.5)], {"q1": -0.5})

    def test_interval_and_effect_size_are_those_of_the_differences(self):
        pair = compared(*BOTH).pairs[0]
        spread = math.sqrt(sum((d - 3 / 16) ** 2 for d in DIFFERENCES) / 3)
        assert pair.interval == pytest.approx(stats.t.interval(0.95, 3, 3 / 16, spread / 2), rel=1e-10)
        assert pair.effect == pytest.approx(3 / 16 / spread, rel=1e-12)

    def test_the_p_value_is_that_of_the_test(self):
        """Of ±1/2 ±1/2 ±3/4 only 3/4 - 1 and its opposite lie closer to 0 than 3/4."""
        assert compared(*BOTH).pairs[0].p == 6 / 8
        expected = stats.ttest_1samp(DIFFERENCES, 0).pvalue
        assert compared(*BOTH, test="t").pairs[0].p == pytest.approx(expected, rel=1e-10)

    def test_differences_by_rounding_alone_are_none(self):
        """In floating point 0.1 + 0.2 is not 0.3."""
        runs = {"a": {"q1": {"d": 1}, "q2": {"e": 1}}, "b": {"q1": {"e": 1}, "q2": {"d": 1}}}
        grades = {"d": 0.1 + 0.2, "e": 0.3}
        pair = compare_runs({"q1": grades, "q2": grades}, runs, "DCG", Convention()).pairs[0]
        assert (pair.gained, pair.lost, pair.effect, pair.p) == ({}, {}, 0.0, 1.0)

    def test_another_run_changes_no_p_value_but_by_holm(self):
        queries = [f"q{i}" for i in range(30)]
        qrels = {q: {"d1": 1} for q in queries}
        runs = {
            name: {q: ranked(1 + (i * step) % 7) for i, q in enumerate(queries)}
            for name, step in zip("abc", (2, 3, 5), strict=True)
        }
        two = compare_runs(qrels, {name: runs[name] for name in "ab"}, "RR").pairs
        three = compare_runs(qrels, runs, "RR").pairs
        assert three[0].p == two[0].p == randomisation_test(list(two[0].by_query.values()))
        assert [pair.name for pair in three] == ["b − a", "c − a", "c − b"]
        assert two[0].corrected == two[0].p
        smallest = min(three, key=lambda pair: pair.p)
        assert smallest.corrected == min(1.0, 3 * smallest.p)


RANX = json.loads((ROOT / "book" / "_data" / "interop.json").read_text("utf-8"))["comparison"]


def test_means_and_p_values_are_those_of_ranx():
    """As `make interop` stored them; without equal scores, whose order it leaves open."""
    given = RANX["qrels"], RANX["runs"], "nDCG@5", "ranx"
    by_t, by_signs = (compare_runs(*given, test=test) for test in ("t", "randomisation"))
    assert by_t.mean["nDCG@5"] == pytest.approx(RANX["means"], rel=1e-9)
    assert {f"{pair.a} {pair.b}": pair.p for pair in by_t.pairs} == pytest.approx(RANX["student"], rel=1e-9)
    for pair in by_signs.pairs:  # ours tries all choices of signs, and ranx draws some: within four standard errors
        error = math.sqrt(pair.p * (1 - pair.p) / RANX["permutations"])
        assert RANX["fisher"][f"{pair.a} {pair.b}"] == pytest.approx(pair.p, abs=4 * error), pair.name


# RR of 12 queries: "half" loses 1/2 on six of them, and "bad" on all
TWELVE = {f"q{i}": ranked(1) for i in range(12)}
THREE = {
    "best": TWELVE,
    "half": {**TWELVE, **{f"q{i}": ranked(2) for i in range(6)}},
    "bad": {q: ranked(2) for q in TWELVE},
}
ALL, DRAWN = "all choices of signs", "50 choices of signs with seed 4"


def rows_of(comparison):
    """The cells of every line, with the minus signs that Python prints."""
    text = re.sub(r"−(?=\d)", "-", str(comparison))
    return [tuple(re.split(" {2,}", line)) for line in text.splitlines()]


class TestTables:
    def test_the_text_says_all_that_a_reader_must_know(self):
        text = str(compared("first", "second", "lacking"))
        for line in (
            "RR over the same 2 queries; a letter: above that run, p < 0.05 by the paired randomisation test, "
            "all choices of signs, with Holm's correction for 3 tests of a measure",
            "a  first    *0.7500",
            "2 of 4 judged queries count; 2 without a value in some run are left out for all (lacking lacks 2)",
            "p: paired randomisation test, all choices of signs",
            "Holm: p corrected for 3 pairs",
        ):
            assert line in text.splitlines()
        assert re.search(r"^RR +second − first +0 ", text, re.MULTILINE)

    @every_row("names", [BOTH, tuple(RANKS)])
    def test_a_pair_has_a_row_and_the_p_value_of_holm_if_there_are_several(self, names):
        comparison = compared(*names, convention=Convention(missing="zero", ties="input"))
        for pair in comparison.pairs:
            low, high, difference = (f"{value:+.4f}" for value in (*pair.interval, pair.difference))
            effect, p_values = f"{pair.effect:+.2f}", (f"{pair.p:.4f}", f"{pair.corrected:.4f}")[: len(names) - 1]
            assert ("RR", pair.name, difference, f"{low} to {high}", effect, *p_values) in rows_of(comparison)

    def test_the_three_queries_that_moved_most_are_named(self):
        ranks = (1, 2, 4, 5, 10)
        late, first = {f"q{rank}": ranked(rank) for rank in ranks}, {f"q{rank}": ranked(1) for rank in ranks}
        comparison = compare_runs({query: {"d1": 1} for query in first}, {"a": late, "b": first}, "RR")
        assert ("RR", "b − a", "4", "0", "q10 +0.900, q5 +0.800, q4 +0.750", "none") in rows_of(comparison)

    def test_truncated_grades_are_counted_in_the_run_that_has_most(self):
        qrels = {"q1": {"d1": 1.5}, "q2": {"d1": 2.5}, "q3": {"d1": 1}}
        runs = {"whole": qrels, "lacking": {query: qrels[query] for query in ("q1", "q3")}}
        text = str(compare_runs(qrels, runs, "nDCG", Convention(fractional="truncate"), check_swap=False))
        assert "truncated grades: 2" in text.splitlines()

    LACKING = "all 4 judged queries count; one that a run lacks counts 0 for it (lacking lacks 2)"

    @every_row(
        ("names", "missing", "line"),
        [(BOTH, "skip", "all 4 judged queries count"), (("first", "lacking"), "zero", LACKING)],
    )
    def test_the_table_says_how_missing_queries_count(self, names, missing, line):
        assert line in compared(*names, convention=Convention(missing=missing, ties="input")).to_text().splitlines()

    DREW = (
        # test, differing queries of each pair, what it says
        ("t", [1], "paired t-test"),
        ("bootstrap", [1], "paired bootstrap test, 50 samples with seed 4"),
        ("randomisation", [19], "paired randomisation test, all choices of signs"),
        ("randomisation", [20], f"paired randomisation test, {DRAWN}"),
        ("randomisation", [19, 20], f"paired randomisation test, {DRAWN}, and {ALL} where at most 19 queries differ"),
    )

    @every_row(("test", "differing", "said"), DREW)
    def test_the_table_says_what_the_test_drew(self, test, differing, said):
        queries = [f"q{i}" for i in range(21)]
        runs = {"a": {q: ranked(1) for q in queries}}
        for n in differing:
            runs[f"differs on {n}"] = {q: ranked(2 if i < n else 1) for i, q in enumerate(queries)}
        qrels = {q: {"d1": 1} for q in queries}
        assert compare_runs(qrels, runs, "RR", test=test, resamples=50, seed=4).test == said

    def three(self, **options):
        return compare_runs({q: {"d1": 1} for q in TWELVE}, THREE, ["RR", "P@2"], **options)

    MARKED = (
        # baseline, marks behind the RR of each run
        (None, ["c", "", ""]),  # corrected 3 · 2/4096, then 2 · 2/64 = 0.0625 for both others
        ("best", ["", "†", "‡"]),  # corrected 1 · 2/64, and 2 · 2/4096
        ("half", ["", "", ""]),  # corrected 2 · 2/64 for both
        ("bad", ["‡", "†", ""]),
    )

    @every_row(("baseline", "marks"), MARKED)
    def test_the_table_marks_the_best_and_what_differs(self, baseline, marks):
        """Of 12 differences alike 2 of 4096 choices of signs lead as far, of six 2 of 64, which is 0.03125."""
        comparison = self.three(baseline=baseline)
        rows = [row[-2:] for row in comparison.table.rows]
        corrected = {(pair.a, pair.b): pair.corrected for pair in comparison.pairs}
        assert len(corrected) == (3 if baseline is None else 2)
        expected = ["1.0000", "0.7500", "0.5000"]
        assert [(rr.text, rr.is_best, p.text, p.is_best, p.marks) for rr, p in rows] == [
            (mean, mean == "1.0000", "0.5000", True, "") for mean in expected
        ]
        assert [rr.marks for rr, _ in rows] == marks

    def test_a_baseline_is_in_every_pair_and_in_the_caption(self):
        comparison = self.three(baseline="half")
        assert [pair.name for pair in comparison.pairs if pair.measure == "RR"] == ["best − half", "bad − half"]
        assert comparison.table.caption == (
            "RR, P@2 over the same 12 queries; against half: † p < 0.05, ‡ p < 0.01 by the paired randomisation test, "
            "all choices of signs, with Holm's correction for 2 tests of a measure"
        )
        assert comparison.as_json()["baseline"] == "half"

    def test_a_frame_has_a_row_for_each_run_and_columns_as_of_pyterrier(self):
        assert self.three().to_frame().to_dict() == {
            "RR": {"best": 1.0, "half": 0.75, "bad": 0.5},
            "P@2": dict.fromkeys(THREE, 0.5),
        }
        frame = self.three(baseline="best").to_frame()
        assert list(frame.columns)[:6] == ["RR", "P@2", "RR +", "RR -", "RR p-value", "RR p-value corrected"]
        assert frame.loc["bad"].to_list()[:6] == [0.5, 0.5, 0, 12, 2 / 4096, 2 * 2 / 4096]
        assert frame.loc["best"].isna().to_list() == [False, False, *[True] * 8]

    @every_row("form", ["markdown", "latex", "html"])
    def test_each_form_has_the_table_alone_with_the_best_in_bold(self, form):
        comparison = self.three(baseline="best")
        made = getattr(comparison, f"to_{form}")()
        best = {"markdown": "**1.0000**", "latex": r"\textbf{1.0000}", "html": "<strong>1.0000</strong>"}[form]
        worst = {"markdown": "0.5000<sup>‡</sup>", "latex": r"0.5000 & \textsuperscript{\ddag{}}"}
        assert best in made
        assert worst.get(form, "<td>0.5000<sup>‡</sup></td>") in made
        assert "interval" not in made

    def test_measures_over_different_queries_say_how_many(self):
        """A query without a relevant document has no nDCG here, and has a DCG of 0."""
        qrels = {**QRELS, "q5": {"d1": 0}}
        runs = {name: {**run, "q5": {"d1": 1}} for name, run in made(*BOTH).items()}
        comparison = compare_runs(qrels, runs, ["nDCG@5", "DCG@5"], Convention())
        table = comparison.table
        assert {measure: len(queries) for measure, queries in comparison.queries.items()} == {"nDCG@5": 4, "DCG@5": 5}
        assert table.caption.startswith("over the same queries: nDCG@5 4, DCG@5 5; ")
        assert table.notes[:2] == (
            "nDCG@5: 4 of 5 judged queries count; 1 without a value in some run are left out for all",
            "DCG@5: all 5 judged queries count",
        )

    def test_json_has_null_for_an_effect_size_that_is_not_finite(self):
        """On q2 and q3 every query gains the same."""
        qrels = {q: {"d1": 1} for q in ("q2", "q3")}
        runs = {"a": {q: ranked(2) for q in qrels}, "b": {q: ranked(1) for q in qrels}}
        comparison = compare_runs(qrels, runs, "RR")
        assert comparison.pairs[0].effect == math.inf
        stored = json.loads(json.dumps(comparison.as_json(), allow_nan=False))
        assert stored["pairs"][0]["effect"] is None
        assert stored["measures"]["RR"]["queries"] == ["q2", "q3"]


APART = {"a": {"q1": {"d1": 1}}, "b": {"q2": {"d1": 1}}}
REFUSED = [
    # call, message
    (lambda: compare_runs(QRELS, [1, 2]), r"runs: expected a dict of name to run, got a list"),
    (lambda: compare_runs(QRELS, made("first")), r"runs: expected at least two to compare, got 1"),
    (lambda: compare_runs(QRELS, {1: {}, 2: {}}), r"runs: expected text as the name of a run, got 1"),
    (lambda: compared(*BOTH, test="wilcoxon"), r"test: expected one of 'randomisation', 't', 'bootstrap', got 'wilco"),
    (lambda: compared(*BOTH, baseline="third"), r"baseline: expected one of first, second, got 'third'"),
    (lambda: compare_runs(QRELS, APART, "RR"), r"runs: expected at least 2 queries with a value of RR in every run"),
    (lambda: compared("first", "lacking", convention=Convention(missing="error", ties="input")), r"q3"),
]


@every_row(("call", "message"), REFUSED)
def test_a_refused_comparison_says_what_was_expected(call, message):
    with pytest.raises((TypeError, ValueError), match=message):
        call()


def test_an_error_in_a_run_names_the_run():
    with pytest.raises(ValueError, match="finite") as raised:
        compare_runs(QRELS, {**made("first"), "broken": {"q1": {"d1": math.nan}}})
    assert raised.value.__notes__ == ["in the run 'broken'"]


class TestThePlot:
    def test_a_panel_has_a_bar_for_each_query_from_gain_to_loss_and_the_worst_by_name(self):
        figure = compared(*BOTH).plot()
        (panel,) = figure.axes
        assert [bar.get_height() for bar in panel.patches] == [3 / 4, 1 / 2, 0, -1 / 2]
        assert (panel.get_title("left"), panel.get_title("right")) == (
            "RR: second − first",
            "",
        )  # a long one fits alone
        assert panel.get_xlabel() == "2 queries gained, 1 lost; worst:\nq1"

    def test_names_are_no_formulas(self, tmp_path):
        """Matplotlib would read what is between two dollars as TeX, and fail on this."""
        runs = dict(zip(("$^$", "x$_$"), made(*BOTH).values(), strict=True))
        compare_runs(QRELS, runs, "RR").plot(tmp_path / "a.svg")

    def test_too_many_panels_are_refused(self):
        runs = {f"r{i}": made("first")["first"] for i in range(12)}
        with pytest.raises(ValueError, match=r"plot: expected at most 60 pairs of runs and measures, got 66"):
            compare_runs(QRELS, runs, "RR").plot()

    def test_without_matplotlib_it_says_what_to_install(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
        with pytest.raises(ValueError, match=r"expected matplotlib, .* \(pip install 'ndcg-ref\[plot\]'\)"):
            compared(*BOTH).plot()


class TestTheCommand:
    @pytest.fixture(autouse=True)
    def files(self, trec_files):
        trec_files(QRELS, **made(*RANKS), other={"q9": {"d1": 1}})

    def test_the_comparison_is_printed_as_text(self, capsys):
        assert main(["compare", "qrels", *BOTH, "-m", "RR", "nDCG@3"]) == 0
        assert capsys.readouterr().out == f"{compare_runs(QRELS, made(*BOTH), ['RR', 'nDCG@3'])}\n"

    @every_row("form", ["markdown", "latex", "html"])
    def test_the_table_is_printed_in_the_forms_of_papers(self, form, capsys):
        words = "compare qrels first second lacking -m RR P@1 -c --baseline first --format"
        assert main([*words.split(), form]) == 0
        runs = made("first", "second", "lacking")
        convention = replace(PRESETS["trec_eval"], missing="zero", fractional="error")
        comparison = compare_runs(QRELS, runs, ["RR", "P@1"], convention, baseline="first")
        assert capsys.readouterr().out == f"{getattr(comparison, f'to_{form}')()}\n"

    @every_row("ending", ["svg", "png", "pdf"])
    def test_a_plot_is_stored_beside_what_is_printed(self, ending, tmp_path, capsys):
        assert main(["compare", "qrels", *BOTH, "-m", "RR", "--plot", f"by-query.{ending}"]) == 0
        begins = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}
        assert (tmp_path / f"by-query.{ending}").read_bytes().startswith(begins[ending])
        assert capsys.readouterr().out.startswith("RR over the same 4 queries")

    def test_a_plot_of_another_ending_is_refused_on_one_line(self, capsys):
        assert main(["compare", "qrels", *BOTH, "--plot", "by-query.what"]) == 2
        assert capsys.readouterr().err.startswith("ndcg-ref compare: Format 'what' is not supported")

    BAD = (
        # words, message
        ("qrels first", "ndcg-ref compare: runs: expected at least two to compare, got 1"),
        ("qrels first first", "ndcg-ref compare: expected each run once, got first, first"),
        ("qrels first second --seed x", "ndcg-ref compare: --seed: expected a whole number such as 7, got 'x'"),
        ("qrels first other", "ndcg-ref compare: other: expected at least one judged query, got none of 4 among 1"),
    )

    @every_row(("words", "message"), BAD)
    def test_bad_input_to_compare_gives_one_line_and_exit_code_2(self, words, message, capsys):
        assert main(["compare", *words.split()]) == 2
        printed = capsys.readouterr()
        assert printed.out == ""
        assert message in printed.err
        assert printed.err.count("\n") == 1
