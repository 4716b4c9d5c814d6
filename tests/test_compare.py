"""Which convention prints a number, and what makes two numbers differ: worked by hand, and laws for any run."""

import json
import math
import re
from dataclasses import FrozenInstanceError, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ndcg_ref import EXPONENTIAL, STANDARD, Convention
from ndcg_ref.cli import main
from ndcg_ref.compare import TRIED, explain, which
from ndcg_ref.convention import WORDS
from ndcg_ref.plain import ndcg, ndcg_of_run

LOG3, LOG5, LOG6 = math.log2(3), math.log2(5), math.log2(6)
GRADES = [3, 2, 3, 0, 1]
LINEAR = (3 + 2 / LOG3 + 3 / 2 + 1 / LOG6) / (3 + 3 / LOG3 + 2 / 2 + 1 / LOG5)
EXPONENTIALLY = (7 + 3 / LOG3 + 7 / 2 + 1 / LOG6) / (7 + 7 / LOG3 + 3 / 2 + 1 / LOG5)

# One query: three documents judged, two of them retrieved, with the score of a third that nobody judged
QRELS = {"q1": {"a": 2, "b": 1, "c": 1}, "q2": {"a": 1}}
RUN = {"q1": {"x": 0.5, "a": 0.5, "b": 0.1}, "q2": {"a": 3.0}}
FIRST = Convention(ties="id-descending", zero_ideal=0)


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

    def test_frozen(self):
        with pytest.raises(FrozenInstanceError):
            which("0.957", GRADES).rows = ()

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


class TestWhatMakesTwoNumbersDiffer:
    def test_ties(self):
        """q1: x and a tie; by id x comes first, on average each does half of the time. q2 is 1 both ways."""
        ideal = 2 + 1 / LOG3 + 1 / 2
        by_id, shared = (2 / LOG3 + 1 / 2) / ideal, (2 * (1 + 1 / LOG3) / 2 + 1 / 2) / ideal
        made = explain(QRELS, RUN, replace(FIRST, ties="average"), FIRST, "nDCG")
        assert made.mean_a == pytest.approx((shared + 1) / 2)
        assert made.mean_b == pytest.approx((by_id + 1) / 2)
        (step,) = made.rows
        assert (step.choice, step.a, step.b, step.queries, step.groups) == ("ties", "average", "id-descending", 1, 1)
        assert step.moved == pytest.approx((by_id - shared) / 2)
        assert [(row.query, row.a, row.b) for row in made.queries] == [
            ("q1", pytest.approx(shared), pytest.approx(by_id))
        ]

    def test_the_first_line(self):
        line = str(explain(QRELS, RUN, replace(FIRST, ties="average"), FIRST, "nDCG")).splitlines()[0]
        assert re.fullmatch(r"0\.\d{4} -> 0\.\d{4}: ties −0\.\d{4} in 1 group; ideal 0; gain 0", line)

    def test_the_ideal_and_the_gain(self):
        other = replace(FIRST, gain="exponential", ideal="ranked")
        made = explain(QRELS, RUN, FIRST, other, "nDCG")
        assert [step.choice for step in made.rows] == ["gain", "ideal"]
        assert math.fsum(step.moved for step in made.rows) == pytest.approx(made.mean_b - made.mean_a)

    def test_one_and_the_same(self):
        made = explain(QRELS, RUN, FIRST, FIRST)
        assert made.rows == made.queries == ()
        assert str(made).splitlines()[0].endswith(": ties 0; ideal 0; gain 0")

    def test_by_name(self):
        made = explain(QRELS, RUN, "trec_eval-10.0", "scikit-learn-1.9.1")
        assert (made.a, made.b) == ("trec_eval-10.0", "scikit-learn-1.9.1")

    def test_queries_that_only_one_counts(self):
        made = explain({**QRELS, "q3": {"a": 1}}, RUN, FIRST, replace(FIRST, missing="zero"))
        assert made.evaluated == (2, 3)
        assert ("q3", None, 0.0) in [(row.query, row.a, row.b) for row in made.queries]
        assert "queries in the mean: 2 under a, 3 under b" in str(made)
        assert "left out" in str(made)

    def test_two_choices_that_only_go_together(self):
        """The table has no place for -1, which only "keep" leaves as it is."""
        qrels, run = {"q": {"a": -1, "b": 2}}, {"q": {"a": 2.0, "b": 1.0}}
        a = Convention(gain={0: 0, 2: 2}, negative="clamp")
        b = Convention(gain="linear", negative="keep")
        made = explain(qrels, run, a, b)
        assert {part for step in made.rows for part in step.choice.split("+")} == {"gain", "negative"}
        assert math.fsum(step.moved for step in made.rows) == pytest.approx(made.mean_b - made.mean_a)

    def test_groups_of_one_gain_or_beyond_the_cutoff_do_not_count(self):
        """a and b tie at rank 1; c and d at rank 3 have no gain; e and f stand at rank 5."""
        qrels = {"q": {"a": 2, "b": 1, "c": -1, "d": 0, "e": 2, "f": 0}}
        run = {"q": {"a": 3, "b": 3, "c": 2, "d": 2, "e": 1, "f": 1}}
        other = replace(FIRST, ties="input", negative="clamp")
        groups = [
            explain(qrels, run, replace(other, ties="id-descending"), other, measure).rows[0].groups
            for measure in ("nDCG@4", "nDCG@5", "CG@4", "P@4", "P(rel=2)@5")
        ]
        assert groups == [1, 2, 1, 0, 2]

    def test_a_document_that_is_dropped_is_in_no_group(self):
        """Of a and b, which are tied, b is judged below 0; with x and b dropped, nothing is tied."""
        qrels, run = {"q": {"a": 1, "b": -1}}, {"q": {"a": 1.0, "b": 1.0, "x": 1.0}}
        by_id = Convention(ties="id-descending", negative="clamp")
        for unjudged, groups in (("zero", 1), ("drop", 0)):
            other = replace(by_id, unjudged=unjudged)
            assert explain(qrels, run, other, replace(other, ties="best")).rows[0].groups == groups

    @pytest.mark.parametrize("turned", [False, True])
    def test_a_mean_of_no_query_on_the_way_is_avoided(self, turned):
        """The only query has no ideal gain among the ranked, and would be left out before the ideal has changed."""
        a, b = replace(FIRST, ideal="ranked", zero_ideal=0), replace(FIRST, zero_ideal="nan")
        made = explain({"q": {"d": 1}}, {"q": {"x": 1.0}}, *((b, a) if turned else (a, b)), "nDCG")
        assert [step.moved for step in made.rows] == [0, 0]

    def test_a_mean_of_no_query_is_named_for_what_it_is(self):
        a, b = replace(FIRST, gain="exponential", zero_ideal="nan"), replace(FIRST, zero_ideal=0)
        made = explain({"q": {"d": 0}}, {"q": {"d": 1.0}}, a, b, "nDCG")
        assert str(made).splitlines()[0] == "nan -> 0.0000: zero_ideal nan; ties 0; ideal 0; gain 0"
        assert [row["moved"] for row in made.as_json()["rows"]] == [0, None]

    def test_json(self):
        made = json.loads(json.dumps(explain(QRELS, RUN, FIRST, replace(FIRST, ties="average")).as_json()))
        assert made["rows"][0]["choice"] == "ties"
        assert made["rows"][0]["groups"] == 1
        assert made["evaluated"] == [2, 2]

    def test_a_name_that_is_unknown(self):
        with pytest.raises(ValueError, match="trec_evil"):
            explain(QRELS, RUN, "trec_evil", "scikit-learn")

    def test_a_frozen_result(self):
        with pytest.raises(FrozenInstanceError):
            explain(QRELS, RUN, FIRST, FIRST).rows = ()

    @given(
        st.dictionaries(
            st.sampled_from("pqr"),
            st.dictionaries(st.sampled_from("abcdef"), st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=1),
            min_size=1,
        ),
        st.builds(
            Convention,
            gain=st.sampled_from(["linear", "exponential", "binary"]),
            discount=st.sampled_from(["log(rank+1)", "log(rank)", "rank", "none"]),
            zero_ideal=st.sampled_from([0, 1]),
            **{choice: st.sampled_from(WORDS[choice]) for choice in ("ideal", "ideal_cut", "ties", "scores")},
        ),
    )
    def test_the_steps_add_up_to_the_difference(self, queries, other):
        qrels = {query: {d: grade for d, (grade, _) in documents.items()} for query, documents in queries.items()}
        run = {query: {d: score for d, (_, score) in documents.items()} for query, documents in queries.items()}
        made = explain(qrels, run, FIRST, other, "nDCG@2")
        assert math.fsum(step.moved for step in made.rows) == pytest.approx(made.mean_b - made.mean_a, abs=1e-12)
        plainly = [ndcg_of_run(qrels, run, 2, side) for side in (FIRST, other)]
        moved = {query for query in qrels if abs(plainly[0][query] - plainly[1][query]) > 1e-12}
        assert {row.query for row in made.queries} == moved


def test_the_named_ones_stand_beside_the_libraries():
    assert TRIED["STANDARD"] == STANDARD
    assert TRIED["EXPONENTIAL"] == EXPONENTIAL


class TestTheCommands:
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

    @pytest.fixture
    def files(self, tmp_path):
        """QRELS and RUN as files."""
        lines = {
            "qrels": [f"{q} 0 {d} {grade}" for q, grades in QRELS.items() for d, grade in grades.items()],
            "run": [f"{q} Q0 {d} 1 {score} r" for q, scores in RUN.items() for d, score in scores.items()],
        }
        for name, each in lines.items():
            (tmp_path / name).write_text("\n".join(each) + "\n", encoding="utf-8")
        return [str(tmp_path / name) for name in lines]

    def test_explain(self, files, capsys):
        assert main(["explain", *files, "trec_eval", "scikit-learn"]) == 0
        assert capsys.readouterr().out == f"{explain(QRELS, RUN, 'trec_eval', 'scikit-learn')}\n"

    def test_explain_as_json(self, files, capsys):
        assert main(["explain", *files, "STANDARD", "EXPONENTIAL", "-m", "nDCG", "--format", "json"]) == 0
        made = json.loads(capsys.readouterr().out)
        assert [row["choice"] for row in made["rows"]] == ["gain"]
        assert made["mean_b"] - made["mean_a"] == pytest.approx(made["rows"][0]["moved"])

    @pytest.mark.parametrize(
        ("a", "more", "message"),
        [
            ("trec_evil", [], "got 'trec_evil' (did you mean 'trec_eval'"),
            ("trec_eval", ["-m", "nDGC@10"], "nDGC@10"),
            ("trec_eval", ["-m", "ndcg@10-"], "is xgboost-minus's spelling"),
        ],
    )
    def test_explain_refuses(self, files, a, more, message, capsys):
        assert main(["explain", *files, a, "scikit-learn", *more]) == 2
        said = capsys.readouterr()
        assert said.out == ""
        assert message in said.err

    def test_explain_names_the_line_of_a_broken_file(self, files, capsys):
        with open(files[1], "a", encoding="utf-8") as run:
            run.write("q1 Q0 d\n")
        assert main(["explain", *files, "trec_eval", "scikit-learn"]) == 2
        assert f"{files[1]}:5: expected 6 fields" in capsys.readouterr().err
