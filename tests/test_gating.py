"""A gate lets a run pass only if its mean over all judged queries drops by no more than is allowed.

Of each query one document is relevant, and its reciprocal rank is the value, so that every mean is a fraction.
"""

import re
from xml.etree import ElementTree

import pytest
from commands import code_of
from rows import every_row

from ndcg_ref import STANDARD, assert_no_drop, evaluate
from ndcg_ref.commands.cli import main
from ndcg_ref.compare.gating import compare_with_baseline
from ndcg_ref.conventions.convention import Convention

IGNORED = Convention(missing="skip", ties="id-descending", zero_ideal=0)


def judged(queries):
    return {query: {"d": 1} for query in queries}


def ranked(**ranks):
    """A run that has the relevant document of each query at a rank; None for a query without it."""
    return {
        query: {**{f"o{i}": 100.0 - i for i in range(1, rank or 3)}, **({"d": 100.0 - rank} if rank else {})}
        for query, rank in ranks.items()
    }


FOUR = judged(["q1", "q2", "q3", "q4"])
TEN = judged(f"q{n}" for n in range(10))
BASELINE = ranked(q1=1, q2=1, q3=2, q4=2)  # 3/4


def gate_of(new, *, qrels=FOUR, baseline=BASELINE, measure="RR", max_drop=0.005, **options):
    return compare_with_baseline(qrels, baseline, new, measure, max_drop=max_drop, **options)


A_SIXTEENTH = "RR drops by 0.062500, from 0.750000 to 0.687500; up to 0.0625 is allowed"
PASSED = [
    # new run, allowed drop, headline
    (ranked(q1=1, q2=1, q3=1, q4=2), 0, "RR rises by 0.125000, from 0.750000 to 0.875000"),
    (ranked(q1=1, q2=1, q3=2, q4=4), 0.0625, A_SIXTEENTH),  # exactly what is allowed
    (ranked(q1=2, q2=1, q3=1, q4=2), 0, "RR stays at 0.750000"),  # a query lost what another gained
]


@every_row(("new", "allowed", "headline"), PASSED)
def test_a_run_that_drops_no_more_than_is_allowed_passes(new, allowed, headline):
    assert_no_drop(FOUR, BASELINE, new, "RR", max_drop=allowed)
    assert gate_of(new, max_drop=allowed).headline == headline


RR = (
    "RR: ties by document id descending, no relevant document counts 0, negative grades count 0, "
    "fractional grades refused, missing queries count 0"
)
A_LITTLE = f"""\
RR drops by 0.062500, from 0.750000 to 0.687500; at most 0.06 is allowed
mean over 4 queries
{RR}

queries that lost most
query  baseline       new      moves
q4     0.500000  0.250000  −0.250000"""
MISSING = f"""\
RR drops by 0.375000, from 0.750000 to 0.375000; at most 0.005 is allowed
mean over 4 queries; missing and counted as 0: 0 in the baseline, 2 in the new run
{RR}

queries that lost most
query  baseline       new      moves
q2     1.000000  0.500000  −0.500000
q3     0.500000   missing  −0.500000
q4     0.500000   missing  −0.500000"""
DROPPED = [
    # new run, allowed drop, message
    (ranked(q1=1, q2=1, q3=2, q4=4), 0.06, A_LITTLE),
    (ranked(q1=1, q2=2), 0.005, MISSING),  # those of equal loss are in the order of their ids
]


@every_row(("new", "allowed", "message"), DROPPED)
def test_a_run_that_drops_by_more_fails_with_the_queries_that_lost(new, allowed, message):
    with pytest.raises(AssertionError) as failed:
        assert_no_drop(FOUR, BASELINE, new, "RR", max_drop=allowed)
    assert str(failed.value) == message


REQUIRED = [
    # new run, allowed drop, required mean, whether it passes, headline; the baseline has 0.75
    (BASELINE, None, 0.75 + 1e-15, True, "RR stays at 0.750000"),  # but for rounding
    (BASELINE, 0.1, 0.8, False, "RR stays at 0.750000; at least 0.8 is required"),
    (
        *(ranked(q1=1, q2=1), 0.1, 0.6, False),
        "RR drops by 0.250000, from 0.750000 to 0.500000; at most 0.1 is allowed; at least 0.6 is required",
    ),
    (*(ranked(q1=1, q2=1, q3=1), None, 0.8, False), "RR stays at 0.750000; at least 0.8 is required"),
]


@every_row(("new", "allowed", "required", "passes", "headline"), REQUIRED)
def test_a_mean_may_have_to_be_as_high_as_a_limit(new, allowed, required, passes, headline):
    gate = gate_of(new, max_drop=allowed, min_mean=required)
    assert (gate.passed, gate.headline) == (passes, headline)


def test_several_measures_have_the_same_limits_and_those_that_fail_are_named():
    """P@1 drops by 2/4, RR by 1/4 and Recall not at all."""
    baseline, new = ranked(q1=1, q2=1, q3=1, q4=1), ranked(q1=1, q2=1, q3=2, q4=2)
    measures = ["P@1", "RR", "Recall"]
    assert_no_drop(FOUR, baseline, new, measures, max_drop=0.5)
    with pytest.raises(AssertionError) as failed:
        assert_no_drop(FOUR, baseline, new, measures, max_drop=0.2)
    outcomes = [part.splitlines()[0] for part in str(failed.value).split("\n\n") if "drops by" in part]
    assert outcomes == [
        "P@1 drops by 0.500000, from 1.000000 to 0.500000; at most 0.2 is allowed",
        "RR drops by 0.250000, from 1.000000 to 0.750000; at most 0.2 is allowed",
    ]


def test_a_drop_of_what_is_allowed_passes_whatever_its_last_bits():
    """In floating point 0.4 - 0.3 is more than 0.1."""
    gate = gate_of(ranked(q0=1, q1=1, q2=1), qrels=TEN, baseline=ranked(q0=1, q1=1, q2=1, q3=1), max_drop=0.1)
    assert (gate.drop > 0.1, gate.passed) == (True, True)


def test_ten_queries_that_lost_are_listed_and_the_others_counted():
    names = [f"q{n:02}" for n in range(12)]
    one, two = (ranked(**dict.fromkeys(names, rank)) for rank in (1, 2))
    gate = gate_of(two, qrels=judged(names), baseline=one, max_drop=0)
    assert str(gate).splitlines()[-2:] == ["q09    1.000000  0.500000  −0.500000", "and 2 more queries"]


# Of 300 queries the relevant document of every fifth stands at rank 10, and of all others at rank 1 or 2
MANY = judged(f"q{n}" for n in range(300))
WHOLE = ranked(**{f"q{n}": 10 if n % 5 == 0 else 1 + n % 2 for n in range(300)})
PART = {name: scores for name, scores in WHOLE.items() if int(name[1:]) % 5}


def test_a_run_without_its_worst_queries_has_a_higher_mean_and_is_caught():
    means = [evaluate(MANY, run, "RR")["RR"] for run in (WHOLE, PART)]
    assert means == [pytest.approx((60 / 10 + 120 + 120 / 2) / 300), pytest.approx((120 + 120 / 2) / 240)]
    assert means[1] > means[0]
    with pytest.raises(AssertionError, match=r"RR drops by 0\.020000.*\n.* 60 in the new run"):
        assert_no_drop(MANY, WHOLE, PART, "RR", max_drop=0.005)
    message = "RR: expected means over the same queries, got 300 in the baseline and 240 in the new run; 'q0' counts "
    with pytest.raises(ValueError, match=re.escape(message)):
        assert_no_drop(MANY, WHOLE, PART, "RR", max_drop=0.005, convention="trec_eval")


@every_row("convention", ["ranx", "ir_measures"])
def test_a_library_that_counts_missing_queries_as_0_is_no_exception(convention):
    new = ranked(q1=1, q2=1, q3=2)
    gate = gate_of(new, measure="P@1", max_drop=0, convention=convention)
    assert (gate.new, gate.missing, gate.passed) == (1 / 2, (0, 1), True)
    assert gate.new == evaluate(FOUR, new, "P@1", convention)["P@1"]


def test_queries_that_both_runs_lack_are_left_out_if_the_convention_says_so():
    both = ranked(q1=1, q2=2)
    assert str(gate_of(both, baseline=both, max_drop=0, convention=IGNORED)).splitlines()[:2] == [
        "RR stays at 0.750000",
        "mean over 2 queries; missing and left out: 2 in the baseline, 2 in the new run",
    ]


ONE_AND_TWO = ranked(q1=1, q2=1)
NOTHING = "baseline: expected a mean above 0, got 0 (no run could fail)"
FEWER = (
    "baseline: expected the queries of the new run, found none for 1 of them, such as 'q3'; the mean rises by these "
    "alone, and drops by 0.125000 on the others (a baseline for fewer queries?)"
)
OTHERS = (
    "RR: expected means over the same queries, got 2 in the baseline and 2 in the new run; 'q2' counts in the baseline "
    "alone (unless a convention is named, a query that a run lacks counts as 0)"
)
WITHOUT_IDEAL = {"qrels": {"q1": {"d": 0}}, "measure": "nDCG", "convention": STANDARD}
NOTHING_FOUND = {"baseline": ranked(q1=None), "measure": "nDCG", "convention": Convention(ideal="ranked")}
REFUSED = [
    # message, new run, what is other than a baseline of four queries, RR and 0.005
    ("baseline: expected at least one judged query, got none of 4", BASELINE, {"baseline": ranked(other=1)}),
    ("new: expected at least one judged query, got none of 4", ranked(other=1), {}),
    (FEWER, ranked(q1=1, q2=2, q3=1), {"baseline": ONE_AND_TWO}),
    (OTHERS, ranked(q1=1, q3=1), {"baseline": ONE_AND_TWO, "convention": IGNORED}),
    ("nDCG: expected a query with a value, got none among 1 judged ones", BASELINE, WITHOUT_IDEAL),
    ("got 0 in the baseline and 1 in the new run; 'q1' counts in the new run alone", ranked(q1=1), NOTHING_FOUND),
    ("expected every judged query", ranked(q1=1), {"convention": Convention(missing="error", ties="id-descending")}),
    ("max_drop: expected 0 or more, got -0.1", BASELINE, {"max_drop": -0.1}),
    ("max_drop: expected less than 1, got 1 (a percentage? 0.5 % is 0.005)", BASELINE, {"max_drop": 1}),
    ("max_drop: expected less than the mean of the baseline, 0.750000, got 0.75", BASELINE, {"max_drop": 0.75}),
    (
        "max_drop: expected less than the mean of the baseline, 0.300000, got 0.3",  # below the mean by rounding
        BASELINE,
        {"qrels": TEN, "baseline": ranked(q0=1, q1=2, q2=2, q3=2, q4=2), "max_drop": 0.3 - 1e-16},
    ),
    (NOTHING, ranked(q1=1), {"baseline": ranked(q1=None), "max_drop": 0.1}),
    ("max_drop: expected this, min_mean, or both, got neither (no run could fail)", BASELINE, {"max_drop": None}),
    ("min_mean: expected more than 0, got 0 (no run could fail)", BASELINE, {"min_mean": 0}),
    ("min_mean: expected at most 1, got 70 (a percentage? 70 % is 0.7)", BASELINE, {"min_mean": 70}),
    ("measure: expected one, got 2 in 'ndcg_cut.1,5'", BASELINE, {"measure": "ndcg_cut.1,5"}),
    ("qrels: expected at least one query, got none", BASELINE, {"qrels": {}}),
]


@every_row(("message", "new", "others"), REFUSED)
def test_what_cannot_be_compared_is_refused(message, new, others):
    with pytest.raises(TypeError if others.get("max_drop") == "0.1" else ValueError, match=re.escape(message)):
        gate_of(new, **others)


def test_a_sum_may_drop_by_more_than_1():
    qrels, baseline, new = {"q": {"d": 5, "e": 3}}, {"q": {"d": 2.0}}, {"q": {"e": 2.0}}
    assert_no_drop(qrels, baseline, new, "DCG", max_drop=2)
    with pytest.raises(AssertionError, match=r"DCG drops by 5\.000000"):
        assert_no_drop(qrels, baseline, {"q": {"o": 1.0}}, "DCG", max_drop=4.9)


def test_a_baseline_with_mean_0_is_compared_where_a_mean_may_be_below_0():
    """CatBoost keeps negative gains: a document of grade -1 at rank 1 has the DCG -1."""
    qrels, baseline, new = {"q": {"d": -1, "e": 2}}, {"q": {"o": 1.0}}, {"q": {"d": 1.0}}
    options = {"measure": "DCG", "max_drop": 0.5, "convention": "catboost"}
    assert_no_drop(qrels, baseline, baseline, **options)
    with pytest.raises(AssertionError, match=r"DCG drops by 1\.000000, from 0\.000000 to -1\.000000"):
        assert_no_drop(qrels, baseline, new, **options)


def test_the_gate_says_which_grades_it_reads_as_only_trec_eval_does(trec_files, capsys):
    run = {"q1": {"d": 0.5}}
    trec_files({"q1": {"d": "1e3"}}, **{"one.run": run, "other.run": run})
    assert main(["gate", "qrels", "one.run", "other.run", "--max-drop", "0.1"]) == 0
    assert "qrels: 1 grade has an exponent, left out as trec_eval does" in capsys.readouterr().err


NAME = "RR of new.run against baseline.run"


# What may be in a report: the schema of Jenkins' xUnit plug-in, junit-10.xsd, as far as the gate needs it. Required are
# its attributes, and those without which a reader shows a gap: GitLab names a test by class and name, and the action
# test-reporter of GitHub shows a suite or a test without a time as NaN
RESULT = (set(), {"message", "type"}, set())
JUNIT = {
    # element: required attributes, others, children
    "testsuites": (set(), {"name", "time", "tests", "failures", "errors"}, {"testsuite"}),
    "testsuite": ({"name", "tests", "failures", "errors", "skipped", "time"}, {"timestamp", "hostname"}, {"testcase"}),
    "testcase": ({"classname", "name", "time"}, {"group"}, {"skipped", "error", "failure", "system-out", "system-err"}),
    **{"failure": RESULT, "error": RESULT, "system-out": (set(), set(), set())},
}
SECONDS = r"[0-9]{0,3}(\.[0-9]*)?"


class TestTheCommand:
    @pytest.fixture(autouse=True)
    def files(self, trec_files):
        runs = {"baseline.run": BASELINE, "new.run": ranked(q1=1, q2=1, q3=2), "other.run": ranked(x=1)}
        trec_files(FOUR, **runs, **{"none.run": ranked(q1=None), "50%: a,b.run": ranked(q1=1)})

    def gate(self, capsys, *words, runs=("baseline.run", "new.run")):
        return code_of("gate", "qrels", *runs, *([] if "-m" in words else ["-m", "RR"]), *words), *capsys.readouterr()

    CODES = (
        # allowed drop, convention, exit code
        ("0.13", None, 0),
        ("0.125", None, 0),
        ("0.12", None, 1),
        ("0.12", "ranx", 1),
        ("0.13", "trec_eval", 2),
    )

    @every_row("form", ["text", "github", "junit"])
    @every_row(("allowed", "preset", "code"), CODES)
    def test_the_exit_code_is_the_outcome_in_every_format(self, allowed, preset, code, form, capsys):
        named = ["--as", preset] if preset else []
        found, out, err = self.gate(capsys, "--max-drop", allowed, *named, "--format", form)
        assert (found, bool(out), bool(err)) == (code, code != 2 or form != "text", code == 2)

    def test_the_text_is_that_of_the_function(self, capsys):
        found, out, _ = self.gate(capsys, "--max-drop", "0.12")
        gate = compare_with_baseline("qrels", "baseline.run", "new.run", "RR", max_drop=0.12)
        assert (found, out) == (1, f"{gate}\n")
        assert "q4     0.500000  missing  −0.500000" in out

    @every_row("form", ["text", "github", "junit"])
    def test_what_the_preset_does_not_cover_is_printed_for_each_run(self, form, trec_files, capsys):
        """scikit-learn refuses a single document; the baseline has one such query, and the new run two."""
        both = judged(["q1", "q2"])
        trec_files(both, **{"baseline.run": {"q1": {"d": 2, "o": 1}, "q2": {"d": 1}}, "new.run": both})
        words = "-m", "nDCG", "--max-drop", "0", "--as", "scikit-learn", "--format", form
        found, out, err = self.gate(capsys, *words)
        lines = [
            f"{side}: not covered by scikit-learn-1.9.1: a query with one retrieved document ({queries})"
            for side, queries in (("baseline", "1 query"), ("new", "2 queries"))
        ]
        assert (found, ("%0A" if form == "github" else "\n").join(lines) in out, err) == (0, True, "")

    def test_github_shows_one_line_whose_signs_are_escaped(self, capsys):
        runs = "baseline.run", "50%: a,b.run"
        found, out, _ = self.gate(capsys, "--max-drop", "0.12", "--format", "github", runs=runs)
        start = "::error title=RR of 50%25%3A a%2Cb.run against baseline.run::RR drops by 0.500000, from 0.750000 to "
        assert (found, out.count("\n"), out.startswith(start)) == (1, 1, True)
        assert "%0Aqueries that lost" in out

    OUTCOMES = (
        # options, numbers of failures and errors, element, beginning of its message
        (("--max-drop", "0.2"), "00", "system-out", None),
        (("--max-drop", "0.12"), "10", "failure", "RR drops by 0.125000, from 0.750000 to 0.625000; at most 0.12 is"),
        (("--max-drop", "0.2", "--as", "trec_eval"), "01", "error", "RR: expected means over the same queries, got 4"),
    )

    @every_row(("options", "numbers", "element", "message"), OUTCOMES)
    def test_junit_has_one_case_with_its_outcome_and_what_readers_ask(self, options, numbers, element, message, capsys):
        _, out, _ = self.gate(capsys, *options, "--format", "junit")
        elements = list(ElementTree.fromstring(out.encode("utf-8")).iter())
        assert [each.tag for each in elements] == ["testsuites", "testsuite", "testcase", element]
        _, suite, case, outcome = elements
        counts = {"tests": "1", "skipped": "0", "failures": numbers[0], "errors": numbers[1]}
        assert suite.attrib == {"name": "ndcg-ref gate", **counts, "time": "0"}
        assert case.attrib == {"classname": "ndcg-ref.gate", "name": NAME, "time": "0"}
        assert (outcome.get("message") or "")[: len(message or "")] == (message or "")
        assert outcome.text.startswith(message or "RR drops by 0.125000")
        for each in elements:
            required, others, children = JUNIT[each.tag]
            assert required <= each.attrib.keys() <= required | others
            assert {child.tag for child in each} <= children
            assert re.fullmatch(SECONDS, each.get("time", "0"))

    @every_row(("allowed", "code"), [("0.2", 1), ("0.3", 0)])
    def test_each_measure_has_an_outcome_of_its_own(self, allowed, code, capsys):
        """From the baseline to the new run P@1 stays at 2/4, and Recall drops by 1/4."""
        words = "-m", "P@1", "Recall", "--max-drop", allowed
        found, out, _ = self.gate(capsys, *words, "--format", "junit")
        suite = ElementTree.fromstring(out.encode("utf-8"))[0]
        assert (found, suite.get("tests"), suite.get("failures")) == (code, "2", str(code))
        names = ["P@1 of new.run against baseline.run", "Recall of new.run against baseline.run"]
        assert [case.get("name") for case in suite] == names
        found, out, _ = self.gate(capsys, *words, "--format", "github")
        assert (found, [line.split(" ")[0] for line in out.splitlines()]) == (
            *(code, ["::notice", "::error" if code else "::notice"]),
        )
        found, out, _ = self.gate(capsys, *words)
        assert (found, "P@1 stays at 0.500000\n" in out, "\n\nRecall drops by 0.250000" in out) == (code, True, True)

    def test_junit_is_valid_whatever_the_ids_and_the_names_of_files(self, tmp_path, capsys):
        (tmp_path / "qrels").write_text("<q>&]]>\x01\uffff 0 d 1\n", encoding="utf-8")
        for name, document in (("baseline.run", "d"), ("new\udcff.run", "o")):
            (tmp_path / name).write_text(f"<q>&]]>\x01\uffff Q0 {document} 1 1 t\n", encoding="utf-8")
        runs = "baseline.run", "new\udcff.run"
        found, out, err = self.gate(capsys, "--max-drop", "0.1", "--format", "junit", runs=runs)
        case = ElementTree.fromstring(out.encode("utf-8")).find(".//testcase")
        assert (found, err, case.get("name")) == (1, "", "RR of new\ufffd.run against baseline.run")
        assert "<q>&]]>\\x01\ufffd" in case.find("failure").text

    BAD = (
        # words, the end of what is said
        ("--max-drop 1%", "ndcg-ref gate: --max-drop: expected an absolute value such as 0.005, got '1%'"),
        ("--max-drop 0,005", "ndcg-ref gate: --max-drop: expected an absolute value such as 0.005, got '0,005'"),
        ("--max-drop 5", "ndcg-ref gate: max_drop: expected less than 1, got 5 (a percentage? 0.5 % is 0.005)"),
        ("", "ndcg-ref gate: expected --max-drop, --min, or both, got neither"),
        ("--min 70%", "ndcg-ref gate: --min: expected an absolute value such as 0.005, got '70%'"),
        ("--min 70", "ndcg-ref gate: min_mean: expected at most 1, got 70 (a percentage? 70 % is 0.7)"),
        ("-m RR bpref --min 0.7", "got 'bpref' (not offered here; ir_measures has it, as Bpref); there is no file of"),
    )

    @every_row(("words", "said"), BAD)
    def test_bad_words_are_refused_on_one_line(self, words, said, capsys):
        found, out, err = self.gate(capsys, *words.split())
        assert (found, out, said in err.splitlines()[-1]) == (2, "", True)

    def test_a_pattern_that_the_shell_expanded_is_named(self, capsys):
        code, out, err = self.gate(capsys, "--max-drop", "0", runs=("baseline.run", "new.run", "other.run", "none.run"))
        said = "unrecognized arguments: other.run none.run (parts of one run? put its pattern in quotes, as in 'run-*"
        assert (code, out, said in err) == (2, "", True)

    FILES = (
        # baseline and new run, the line of the refusal, or its beginning
        ("baseline.run other.run", "new: expected at least one judged query, got none of 4 among 1 (judged is"),
        ("none.run none.run", f"{NOTHING}\n"),
        ("- -", "expected stdin, -, for one file at most\n"),
        ("baseline.run broken.run", "broken.run:2: expected 6 fields"),
    )

    @every_row(("runs", "refusal"), FILES)
    def test_runs_that_cannot_be_compared_are_refused_on_one_line(self, runs, refusal, tmp_path, capsys):
        (tmp_path / "broken.run").write_text("q1 Q0 d 1 1 t\nq2 Q0 d\n", encoding="utf-8")
        found, out, err = self.gate(capsys, "--max-drop", "0", runs=runs.split())
        assert (found, out, err.count("\n")) == (2, "", 1)
        assert err.startswith(f"ndcg-ref gate: {refusal}")
