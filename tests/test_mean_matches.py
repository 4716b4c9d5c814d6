"""Which convention prints a mean: the means of all named ones, each as `evaluate` has it, and those that agree."""

import json
import math

import pytest

from ndcg_ref import evaluate, which_mean
from ndcg_ref.commands.cli import main
from ndcg_ref.conventions.presets import ABOUT
from ndcg_ref.explaining.matches import TRIED

LOG3 = math.log2(3)
# q1: grades 0 and 2 at ranks 1 and 2; q2: a tie of the relevant document with another; q3: the run lacks it
QRELS = {"q1": {"a": 2, "b": 0}, "q2": {"a": 1}, "q3": {"a": 1}}
RUN = {"q1": {"b": 2.5, "a": 1.5}, "q2": {"a": 0.5, "b": 0.5}}
BY_ID = 1 / LOG3  # q1 and, under trec_eval's order of tied documents, q2
AVERAGED = (1 + 1 / LOG3) / 2  # q2, where ties are averaged


def named(found):
    return {row.convention for row in found.rows}


class TestEveryConvention:
    def test_every_mean_is_that_of_evaluate(self):
        found = which_mean("0.5", QRELS, RUN)
        for row in found.means:
            result = evaluate(QRELS, RUN, "nDCG@10", TRIED[row.convention])
            assert row.computed == result["nDCG@10"], row.convention
            assert found.queries[row.convention] == result.queries["nDCG@10"]
        assert {row.convention for row in found.means} | {name for name, _ in found.untried} == set(TRIED)

    def test_means_are_sorted_and_equal_ones_counted_once(self):
        """15 digits tell all values apart, and no two that differ by rounding alone."""
        found = which_mean("0.5", QRELS, RUN)
        means = [row.computed for row in found.means]
        assert means == sorted(means)
        assert len(found.values) == len({round(mean, 12) for mean in means}) > 3

    def test_a_preset_has_the_convention_of_the_measure(self):
        """scikit-learn's DCG keeps a grade below 0, which its NDCG refuses."""
        qrels = {"q1": {"a": -1, "b": 2}}
        found = which_mean("0.2619", qrels, {"q1": {"a": 2, "b": 1}}, "DCG")  # -1 + 2 / log2(3)
        assert "scikit-learn-1.9.1" in named(found)
        refused = dict(which_mean("0.5", qrels, {"q1": {"a": 2, "b": 1}}).untried)
        assert "expected a grade of 0 or more, got -1" in refused["scikit-learn-1.9.1"]

    def test_only_presets_that_cover_the_measure_are_tried(self):
        found = which_mean("0.5", QRELS, RUN, "RR")
        assert {row.convention for row in found.means} == {
            name for name in TRIED if name in ABOUT and "RR" in ABOUT[name].measures
        }


MATCHES = [
    # stated, a convention that prints it, one that does not
    ("0.6309", "trec_eval-10.0", "STANDARD"),  # q1 and q2 by id; q3 is left out
    (f"{(BY_ID + AVERAGED) / 2:.4f}", "STANDARD", "trec_eval-10.0"),
    (f"{BY_ID * 2 / 3:.4f}", "ir_measures-0.4.3", "trec_eval-10.0"),  # q3 counts as 0
    ("63.09", "trec_eval-10.0", "STANDARD"),
]


@pytest.mark.parametrize(("stated", "prints", "other"), MATCHES)
def test_a_convention_prints_its_mean_and_no_other(stated, prints, other):
    names = named(which_mean(stated, QRELS, RUN))
    assert (prints in names, other in names) == (True, False)


def test_a_bare_1_is_the_mean_itself():
    """q1 alone has the NDCG 1 / log2(3), which is not rounded to 1, and the ideal order has 1."""
    assert "STANDARD" not in named(which_mean("1", {"q1": {"a": 1}}, {"q1": {"b": 2, "a": 1}}))
    assert "STANDARD" in named(which_mean("1", {"q1": {"a": 1}}, {"q1": {"a": 2, "b": 1}}))


def test_an_iterator_is_read_once_even_if_some_conventions_refuse_the_data():
    """Those that refuse the grade below 0 are found by several evaluations."""
    qrels, run = {"q1": {"a": -1, "b": 2}}, {"q1": {"a": 2.5, "b": 1.5}}
    rows = ((query, document, score) for query, scores in run.items() for document, score in scores.items())
    assert which_mean("0.5", qrels, rows) == which_mean("0.5", qrels, run)


class TestWhatIsSaid:
    def test_each_value_stands_with_its_conventions_and_number_of_queries(self):
        lines = str(which_mean("0.6309", QRELS, RUN)).splitlines()
        assert lines[0].startswith("0.6309: printed by ")
        assert f"{BY_ID:.6f}" in lines
        assert any(line.startswith("  mean of 2 queries: ") and "trec_eval-10.0" in line for line in lines)

    def test_a_number_that_none_prints_has_the_nearest(self):
        found = which_mean("0.1", QRELS, RUN)
        assert found.rows == ()
        assert found.nearest == found.means[0]
        assert "prints this mean; nearest is " in str(found)

    def test_json_has_every_mean(self):
        stored = json.loads(json.dumps(which_mean("0.6309", QRELS, RUN).as_json(), allow_nan=False))
        assert {row["convention"]: row["computed"] for row in stored["means"]}["trec_eval-10.0"] == BY_ID
        assert stored["nearest"] is None


REFUSED = [
    # call, message
    (lambda: which_mean("x", QRELS, RUN), r"expected a printed number"),
    (lambda: which_mean("0.5", QRELS, RUN, "ndcg_cut_10"), r"leaves the library open, .* \(spell it nDCG@10\?\)"),
    (lambda: which_mean("0.5", QRELS, {"q1": {"a": math.nan}}), r"run\['q1'\]\['a'\]: expected a finite number"),
    (lambda: which_mean("0.5", {"q1": {"a": 0}}, {"q1": {}}, "Judged@5"), r"expected a query with a value of Judged@5"),
]


@pytest.mark.parametrize(("call", "message"), REFUSED, ids=[message for _, message in REFUSED])
def test_what_no_convention_accepts_is_refused_with_its_place(call, message):
    with pytest.raises(ValueError, match=message):
        call()


class TestTheCommand:
    @pytest.fixture(autouse=True)
    def files(self, trec_files):
        trec_files(QRELS, run=RUN)

    @pytest.mark.parametrize(("stated", "code"), [("0.6309", 0), ("0.1", 1)])
    def test_which_on_files_prints_what_the_function_gives(self, stated, code, capsys):
        assert main(["which", stated, "qrels", "run"]) == code
        assert capsys.readouterr().out == f"{which_mean(stated, QRELS, RUN)}\n"

    BAD = (
        # words, message
        (["0.5"], "expected --grades of a ranking, or the files QRELS and RUN, got neither"),
        (["0.5", "qrels"], "expected two files, QRELS and RUN, got qrels"),
        (["0.5", "qrels", "run", "run"], "got qrels, run, run (parts of one run? put its pattern in quotes, as in"),
        (["0.5", "qrels", "run", "--measure", "dcg"], "got files and --measure (-m names a mean's measure)"),
        (["0.5", "--grades", "1,0", "-m", "AP"], "expected -m with the files QRELS and RUN alone, got 'AP'"),
    )

    @pytest.mark.parametrize(("words", "message"), BAD)
    def test_a_bad_question_for_which_gives_one_line_and_exit_code_2(self, words, message, capsys):
        assert main(["which", *words]) == 2
        printed = capsys.readouterr()
        assert (printed.out, printed.err.count("\n")) == ("", 1)
        assert message in printed.err
