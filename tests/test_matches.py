"""Which convention prints a number: worked by hand, and the laws that hold for any ranking."""

import json
import math
import random
import re
import time
from dataclasses import replace

import pytest
from commands import on_a_terminal
from hypothesis import example, given
from hypothesis import strategies as st

from ndcg_ref import EXPONENTIAL, STANDARD, cli
from ndcg_ref.cli import main
from ndcg_ref.convention import GAINS
from ndcg_ref.matches import TRIED, which
from ndcg_ref.plain import ndcg, ndcg_of_scores

LOG3, LOG5, LOG6 = math.log2(3), math.log2(5), math.log2(6)
GRADES = [3, 2, 3, 0, 1]
LINEAR = (3 + 2 / LOG3 + 3 / 2 + 1 / LOG6) / (3 + 3 / LOG3 + 2 / 2 + 1 / LOG5)
EXPONENTIALLY = (7 + 3 / LOG3 + 7 / 2 + 1 / LOG6) / (7 + 7 / LOG3 + 3 / 2 + 1 / LOG5)


def found(stated, *arguments, **options):
    """The names that print a number."""
    return {row.convention for row in which(stated, *arguments, **options).rows}


class TestWhichConventionPrintsThis:
    def test_the_exponential_gain(self):
        names = found("0.957", GRADES)
        assert {"EXPONENTIAL", "lightgbm-4.7.0", "xgboost-3.2.0", "ranx-0.3.21-ndcg_burges"} <= names
        assert not {name for name in names if TRIED[name].gain != "exponential"}

    def test_the_linear_gain(self):
        names = found(f"{LINEAR:.6f}", GRADES)
        assert {"STANDARD", "trec_eval-9.0.8", "scikit-learn-1.9.1"} <= names
        assert not names & {"EXPONENTIAL", "ORIGINAL", "lightgbm-4.7.0"}

    def test_the_values_are_those_of_the_formula(self):
        for row in which("0.957", GRADES).rows:
            assert row.computed == pytest.approx(EXPONENTIALLY, abs=1e-12)

    def test_none(self):
        nothing = which("0.4605", GRADES)
        assert nothing.rows == ()
        assert str(nothing).startswith(
            f"0.4605: none of {nothing.tried} pairs of a convention and a cutoff prints this; nearest"
        )

    @pytest.mark.parametrize("name", TRIED)
    @pytest.mark.parametrize("k", [1, 3, None])
    def test_every_name_finds_its_own_print(self, name, k):
        value = ndcg(GRADES, k, TRIED[name], [*GRADES, 2, 3])
        rows = which(f"{value:.9f}", GRADES, [*GRADES, 2, 3]).rows
        assert (name, k) in {(row.convention, row.k) for row in rows}

    def test_judged_documents_that_were_not_retrieved(self):
        stated = f"{1 / (3 + 1 / LOG3):.4f}"
        names = found(stated, [1], [1, 3])
        assert {"STANDARD", "trec_eval-10.0"} <= names
        assert not {name for name in names if TRIED[name].ideal == "ranked"}

    def test_scores_that_tie(self):
        """Two documents share ranks 1 and 2 on average; worst case the 0 comes first."""
        assert "scikit-learn-1.9.1" in found(f"{(1 + 1 / LOG3) / 2:.6f}", [1, 0], scores=[5, 5])
        assert "catboost-1.2.10" in found(f"{1 / LOG3:.6f}", [1, 0], scores=[5, 5])

    def test_ties_by_document_id_are_not_tried(self):
        result = which("1.0", [1, 0], scores=[5, 5])
        reasons = dict(result.untried)
        assert reasons["trec_eval-10.0"] == "it ranks equal scores by document id, and the documents have none here"
        assert "not tried: " in str(result)

    def test_but_where_the_tie_does_not_matter(self):
        """The first document is certain; the other two share ranks 2 and 3."""
        result = which("1.000000", [2, 1, 0], scores=[9, 5, 5])
        assert ("trec_eval-10.0", 1) in {(row.convention, row.k) for row in result.rows}
        at = "at k = 2, no cutoff (or k from 3 on): it ranks equal scores by document id, and"
        assert dict(result.untried)["trec_eval-10.0"].startswith(at)

    def test_without_ideal_gain_no_order_matters(self):
        assert which("0", [0, 0], scores=[5, 5]).untried == ()

    def test_equal_scores_of_equal_grades_do_not_matter(self):
        assert "trec_eval-10.0" in found("1.0", [1, 1, 0], scores=[5, 5, 1])

    def test_how_many_decimals_would_tell_them_apart(self):
        both = which("0.97", GRADES)
        values = {round(row.computed, 12) for row in both.rows}
        assert len(values) > 1
        assert len({f"{value:.{both.decimals}f}" for value in values}) == len(values)
        assert len({f"{value:.{both.decimals - 1}f}" for value in values}) < len(values)
        assert f"{both.decimals} decimals would tell them apart" in str(both)

    def test_the_table_has_every_name(self):
        result = which("0.957", GRADES)
        assert all(re.search(rf"\b{re.escape(row.convention)}\b", str(result)) for row in result.rows)

    def test_json(self):
        made = json.loads(json.dumps(which("0.957", GRADES).as_json()))
        assert (made["stated"], made["nearest"]) == ("0.957", None)
        assert {"convention": "EXPONENTIAL", "k": None, "computed": pytest.approx(EXPONENTIALLY)} in made["rows"]

    def test_json_of_none(self):
        made = json.loads(json.dumps(which("0.5", [1]).as_json()))
        assert (made["rows"], made["nearest"]) == ([], {"convention": "ORIGINAL", "k": None, "computed": 1.0})

    @pytest.mark.parametrize(
        ("call", "exception", "message"),
        [
            (lambda: which(0.957, GRADES), TypeError, "expected"),
            (lambda: which("about 1", GRADES), ValueError, "about 1"),
            (lambda: which("0.5", "321"), TypeError, "grades: expected a sequence of numbers in rank order, got '321'"),
            (lambda: which("0.5", [math.nan]), ValueError, "grades[0]: expected a finite number, got nan"),
            (lambda: which("0.5", [2], [1]), ValueError, "judged: expected every grade of the ranking among them"),
            (
                lambda: which("0.5", [2, 1], scores=[1]),
                ValueError,
                "scores: expected one for each of 2 documents, got 1",
            ),
        ],
    )
    def test_refusals(self, call, exception, message):
        with pytest.raises(exception, match=re.escape(message)):
            call()


GRADED = st.sampled_from([0, 1, 2, 3, 1.5, -1])
DOCUMENTS = st.lists(st.tuples(GRADED, st.sampled_from([1.0, 1.00000001, 2.0])), max_size=6)


def by_the_formula(grades, scores, k, convention, judged):
    """The NDCG of one convention at one cutoff, or None where it refuses or has none."""
    try:
        if scores is None:
            return ndcg(grades, k, convention, judged)
        if not convention.ties.startswith("id-"):
            return ndcg_of_scores(grades, scores, k, convention, judged=judged)
        ends = [replace(convention, ties=end) for end in ("best", "worst")]
        best, worst = (ndcg_of_scores(grades, scores, k, end, judged=judged) for end in ends)
    except ValueError:
        return None
    return best if best == worst or math.isnan(best) else None


class TestEveryCutoffAtOnce:
    """What is computed once for several conventions and cutoffs is what the formula gives for each."""

    @given(DOCUMENTS, st.lists(GRADED, max_size=3), st.booleans(), st.booleans())
    @example([(1e300, 1.0), (1e-300, 1.0), (1.0, 1.0)], [], False, True)
    def test_each_value_is_that_of_the_formula(self, documents, others, with_judged, with_scores):
        grades = [grade for grade, _ in documents]
        scores = [score for _, score in documents] if with_scores else None
        judged = [*grades, *others] if with_judged else None
        cutoffs = [*range(1, max(len(grades), len(judged or []))), None]
        pairs = [(name, k) for name in TRIED for k in cutoffs]
        expected = {(name, k): by_the_formula(grades, scores, k, TRIED[name], judged) for name, k in pairs}
        expected = {pair: value for pair, value in expected.items() if value is not None}
        found = which("0e2", grades, judged, scores)  # what every value up to 50 rounds to
        assert found.tried == len(expected)
        values = {pair: value for pair, value in expected.items() if not math.isnan(value)}
        assert {(row.convention, row.k): row.computed for row in found.rows} == values

    def test_every_gain_with_a_name_rises_with_the_grade(self):
        """Documents are sorted by what they gain, which for these is the order by grade."""
        assert {convention.gain for convention in TRIED.values()} <= set(GAINS)

    @pytest.mark.parametrize(
        ("documents", "different", "seconds"),
        [(3001, None, 5), (800, 50, 2), (800, 1, 2)],
        ids=["without scores", "with ties", "all tied"],
    )
    def test_a_long_ranking_is_tried_in_a_few_seconds(self, documents, different, seconds):
        drawn = random.Random(7)
        grades = [drawn.randint(0, 3) for _ in range(documents)]
        scores = None if different is None else [drawn.randrange(different) for _ in range(documents)]
        started = time.process_time()
        which("0.7312", grades, scores=scores)
        assert time.process_time() - started < seconds

    def test_progress_counts_the_conventions(self):
        calls = []
        which("0.5", [1, 2], progress=lambda *counts: calls.append(counts))
        assert calls == [(done, len(TRIED)) for done in range(len(TRIED))]


def test_the_named_ones_stand_beside_the_libraries():
    assert TRIED["STANDARD"] == STANDARD
    assert TRIED["EXPONENTIAL"] == EXPONENTIAL


class TestTheCommand:
    """`ndcg-ref which` leaves with 0 where some convention prints the number, 1 where none does, 2 for bad input."""

    def test_which(self, capsys):
        assert main(["which", "0.957", "--grades", "3,2,3,0,1"]) == 0
        out = capsys.readouterr().out
        assert out.startswith("0.957: printed by ")
        assert "EXPONENTIAL" in out

    def test_which_finds_none(self, capsys):
        assert main(["which", "0.4605", "--grades=3,2,3,0,1"]) == 1
        assert capsys.readouterr().out.startswith("0.4605: none of ")

    def test_which_with_all_judged_and_scores(self, capsys):
        words = ["which", f"{LINEAR:.4f}", "--grades", "2,3,3,0,1", "--judged", "1,2,3,3,0", "--scores", "4,5,3,2,1"]
        assert main([*words, "--format", "json"]) == 0
        rows = json.loads(capsys.readouterr().out)["rows"]
        assert "STANDARD" in {row["convention"] for row in rows}

    def test_which_takes_grades_below_0(self, capsys):
        assert main(["which", "1.000", "--grades", "-1,-2"]) == 0
        assert "not tried: " in capsys.readouterr().out

    @pytest.mark.parametrize(
        ("words", "message"),
        [
            (["x", "--grades", "1"], "expected a printed number such as 0.63"),
            (["0.5", "--grades", "1,x"], "grade 2: expected a printed number"),
            (["0.5", "--grades", "2", "--judged", "1"], "judged: expected every grade of the ranking among them"),
            (["0.5", "--grades", "2,1", "--scores", "1"], "scores: expected one for each of 2 documents, got 1"),
        ],
    )
    def test_which_refuses(self, words, message, capsys):
        assert main(["which", *words]) == 2
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err.startswith("ndcg-ref which: ")
        assert message in said.err

    def test_progress_is_told_on_a_terminal_and_wiped_away(self):
        said = on_a_terminal(["which", "0.957", "--grades", "3,2,3,0,1"])
        assert said.startswith(f"\rwhich: 0 of {len(TRIED)} conventions")
        assert said.endswith("\r\033[K")

    def test_progress_is_not_told_elsewhere(self, monkeypatch, capsys):
        monkeypatch.setattr(cli, "PATIENCE", 0)
        main(["which", "0.957", "--grades", "3,2,3,0,1"])
        assert capsys.readouterr().err == ""
