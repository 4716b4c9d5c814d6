"""`ndcg-ref eval` prints what trec_eval prints, and a broken file gives one line with its place, and nothing else."""

import gzip
import json
import math
import os
import re
import subprocess
import sys
from dataclasses import replace

import pytest
from commands import code_of
from rows import every_row

from ndcg_ref.commands import eval_command
from ndcg_ref.commands.cli import main
from ndcg_ref.conventions.presets import PRESETS
from ndcg_ref.runs.evaluation import evaluate

L3 = math.log2(3)
QRELS = "q1 0 d1 2\nq1 0 d2 1\nq2 0 d1 1\nq3 0 d1 0\n"
RUN = "q1 Q0 d2 1 9.5 a\nq1 Q0 d1 2 8 a\nq3 Q0 d1 1 1 a\nq4 Q0 d1 1 1 a\n"
OTHER = "q1 Q0 d1 1 2 b\nq1 Q0 d2 2 1 b\nq2 Q0 d1 1 1 b\nq3 Q0 d1 1 1 b\n"
Q1 = (1 + 2 / L3) / (2 + 1 / L3)  # of RUN: the document of grade 1 stands above that of grade 2
COUNTED = "3 judged, 2 evaluated, 1 missing, 1 extra, 1 without ideal, 0 tied, 0 unjudged, 0 truncated"
SIGNATURE = replace(PRESETS["trec_eval"], fractional="error").signature()
MISSING = "not covered by trec_eval-10.0: a judged query that the run lacks (1 query)"


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    """Judgments and runs, in the folder that the command works in."""
    monkeypatch.chdir(tmp_path)
    for name, text in (("qrels", QRELS), ("a.run", RUN), ("b.run", OTHER)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "tags.run").write_text(RUN.replace(" a\n", " a run\n", 3), encoding="utf-8")
    (tmp_path / "exponents").write_text(QRELS.replace("d1 2", "d1 2e3"), encoding="utf-8")
    (tmp_path / "a.run.gz").write_bytes(gzip.compress(RUN.encode()))
    return tmp_path


FORMS = ["text", "json", "csv"]


def run(*words):
    return code_of("eval", *words)


def row(measure, query, value):
    """A line of trec_eval: three columns, separated by tabs."""
    return f"{measure:<22}\t{query}\t{value:.4f}"


NDCG = Q1 / 2  # of the queries that are judged and retrieved
EXPONENTIAL = (1 + 3 / L3) / (3 + 1 / L3)  # of q1, under the exponential gain
ERR = (1 / 16 + 15 / 16 * 3 / 16 / 2 + 0) / 2
PRINTED = [
    # words, measure and value of each line, why
    (
        "qrels a.run -m recall.1,5 Success@1 -m Rprec Judged@1",
        [("recall_1", 1 / 4), ("recall_5", 1 / 2), ("Success@1", 1 / 2), ("Rprec", 1 / 2), ("Judged@1", 1)],
        "a line for each cutoff, as trec_eval prints it",
    ),
    (
        "qrels a.run -m ERR@20 RBP(p=0.5)@1 -m nDCG(gains={1:2})@1",
        [("ERR@20", ERR), ("RBP(p=0.5)@1", (1 / 2 + 0) / 2), ("nDCG(gains={1:2})@1", (2 / 2 + 0 + 0) / 3)],
        "measures with a parameter; ir_measures counts a missing query as 0",
    ),
    ("qrels a.run.gz", [("nDCG@10", NDCG)], "gzip"),
    ("qrels a.run -c", [("nDCG@10", Q1 / 3)], "as trec_eval spells it: q2 counts 0"),
    ("qrels a.run -c -m nDCG@10 ndcg@10-", [("nDCG@10", Q1 / 3), ("ndcg@10-", EXPONENTIAL / 3)], "by convention"),
    ("qrels a.run --as catboost", [("nDCG@10", (Q1 + 1) / 2)], "no ideal gain is worth 1"),
    ("exponents tags.run", [("nDCG@10", NDCG)], "what only trec_eval reads"),
]


@every_row(("words", "values", "why"), PRINTED)
def test_the_mean_of_each_measure_is_printed(words, values, why, capsys):
    lines = [row(measure, "all", value) for measure, value in values]
    assert (run(*words.split()), capsys.readouterr().out.splitlines()) == (0, lines)


OF_EACH_QUERY = """\
ndcg_cut_1            	q1	0.5000
P_1                   	q1	1.0000
ndcg_cut_1            	q3	0.0000
P_1                   	q3	0.0000
ndcg_cut_1            	all	0.2500
P_1                   	all	0.5000
"""
OF_TWO_RUNS = f"""\
run    query  nDCG@10  P@1     queries
a.run  all    {NDCG:.4f}   0.5000  2
b.run  all    0.6667   0.6667  3
"""
OF_OTHER_QUERIES = """\
run    query  P@1     nDCG(gains={1:1})@1  queries of P@1  queries of nDCG(gains={1:1})@1
a.run  all    0.5000  0.1667               2               3
b.run  all    0.6667  0.6667               3               3
"""
TABLES = [
    # words, what is printed
    ("qrels a.run -q -m ndcg_cut_1 -m P.1", OF_EACH_QUERY),
    ("qrels a.run b.run -m nDCG@10 -m P@1", OF_TWO_RUNS),
    ("qrels a.run b.run -m P@1 nDCG(gains={1:1})@1", OF_OTHER_QUERIES),  # a missing query counts as 0 in one of them
]


# By rank, q1 has the grade 1, an unjudged document, and of equal scores 0 before 2; q2 an unjudged document, and 1
MORE = "q1 0 d1 2\nq1 0 d2 1\nq1 0 d3 0\nq2 0 d1 1\nq2 0 d9 1\n"
DEEPER = "q1 Q0 d2 1 9 a\nq1 Q0 x 2 8 a\nq1 Q0 d1 3 7 a\nq1 Q0 d3 4 7 a\nq2 Q0 x 1 2 a\nq2 Q0 d1 2 1 a\n"
OPTIONS_OF_TREC_EVAL = [
    # words, measure and value of each line
    ("-l 2 -m P.4 map recip_rank", [("P(rel=2)@4", 1 / 4 / 2), ("AP(rel=2)", 1 / 4 / 2), ("RR(rel=2)", 1 / 4 / 2)]),
    ("-l1 -m P_3 ndcg_cut_1", [("P_3", (1 / 3 + 1 / 3) / 2), ("ndcg_cut_1", (1 / 2 + 0) / 2)]),
    ("-J -m map", [("map", (1 / 1 + 2 / 3) / 2 / 2 + 1 / 2 / 2)]),  # q1: 1, 0, 2
    ("-M 2 -m map P_5", [("map", (1 / 2 + 1 / 4) / 2), ("P_5", (1 / 5 + 1 / 5) / 2)]),  # P divides by its cutoff
    ("-M 1 -J -m map", [("map", (1 / 2 + 0) / 2)]),  # first it cuts, then it leaves out what is unjudged
    ("-N 500000 -M 9 -m map", [("map", (1 + 2 / 4) / 2 / 2 + 1 / 2 / 2 / 2)]),
]


@every_row(("words", "values"), OPTIONS_OF_TREC_EVAL)
def test_options_mean_what_they_mean_to_trec_eval(words, values, files, capsys):
    (files / "more").write_text(MORE, encoding="utf-8")
    (files / "deeper.run").write_text(DEEPER, encoding="utf-8")
    lines = [row(measure, "all", value) for measure, value in values]
    assert (run("more", "deeper.run", *words.split()), capsys.readouterr().out.splitlines()) == (0, lines)


def test_the_means_may_be_left_out(capsys):
    assert (run("qrels", "a.run", "-q", "-n", "-m", "P_1"), capsys.readouterr().out) == (
        0,
        "P_1                   \tq1\t1.0000\nP_1                   \tq3\t0.0000\n",
    )


def test_parts_of_one_run_are_told_to_be_one(files, capsys):
    (files / "rest.run").write_text("q2 Q0 d1 1 1 a\n", encoding="utf-8")
    assert run("qrels", "a.run", "rest.run") == 0
    said = "no two of these runs answer the same query (parts of one run? put its pattern in quotes, as in 'run-*.par"
    assert said in capsys.readouterr().err


@every_row(("words", "rows"), [("qrels a.run", 1), ("qrels a.run b.run -m nDCG@10 P@1", 2), ("qrels a.run -q", 3)])
@every_row("form", ["markdown", "latex", "html"])
def test_a_table_for_a_paper_has_a_row_for_each_run_or_query(words, rows, form, capsys):
    begins = {"markdown": "| a.run | ", "latex": "    a.run & ", "html": '<tr><th scope="row">a.run</th>'}[form]
    assert run(*words.split(), "--format", form) == 0
    lines = capsys.readouterr().out.splitlines()
    assert sum(line.startswith((begins, begins.replace("a.run", "b.run"))) for line in lines) == rows
    assert any("nDCG@10" in line and "linear gain" in line for line in lines)


@every_row(("words", "printed"), TABLES)
def test_the_values_of_every_query_and_run_are_printed(words, printed, capsys):
    assert (run(*words.split()), capsys.readouterr().out) == (0, printed)


ON_STDERR = [
    # words, lines on stderr
    ("qrels a.run", [f"a.run: {COUNTED}", f"nDCG@10: {SIGNATURE}", f"a.run: {MISSING}"]),
    (
        "qrels a.run b.run -m P@1 ndcg@10- AP",
        [
            f"a.run: {COUNTED}",
            "b.run: 3 judged, 3 evaluated, 0 missing, 0 extra, 1 without ideal, 0 tied, 0 unjudged, 0 truncated",
            "P@1, AP: negative:clamp|zero_ideal:0|ties:id-descending|scores:float64|unjudged:zero|fractional:error"
            "|missing:skip|extra:skip|query_weights:all",
            f"ndcg@10-: {PRESETS['xgboost-minus'].signature()}",
            f"a.run: {MISSING}",
            "P@1, ndcg@10-, AP: means over different queries: 2 and 3 (-c counts a query that a run lacks as 0; "
            "`ndcg-ref compare` takes the queries of all runs)",
        ],
    ),
]


@every_row("form", ["text", "csv"])
@every_row(("words", "lines"), ON_STDERR)
def test_the_counts_and_the_convention_are_printed_to_stderr(words, lines, form, capsys):
    run(*words.split(), "--format", form)
    assert capsys.readouterr().err.splitlines() == lines


HINT = "-c counts a query that a run lacks as 0; `ndcg-ref compare` takes the queries of all runs"
OTHERS = [
    # words, measures and numbers of queries; of q1 to q4 a.run lacks q2, c.run lacks q4, and d.run has q1 alone
    *(
        (f"four a.run c.run d.run --format {form}", f"nDCG@10: means over different queries: 3 and 1 ({HINT})")
        for form in FORMS
    ),
    ("four a.run c.run", f"nDCG@10: means over different queries: 3 in each run ({HINT})"),
    (
        "qrels a.run b.run d.run -m P@1 nDCG(gains={1:1})@1 ndcg@1-",  # where one counts missing queries as 0
        f"P@1, ndcg@1-: means over different queries: 2, 3 and 1 ({HINT})",
    ),
    # The ideal of Ignite is of retrieved documents, and a query without a relevant one is left out
    ("two e.run f.run --as ignite", f"nDCG@10: means over different queries: 2 and 1 ({HINT.partition('; ')[2]})"),
    ("four a.run c.run d.run -c", ""),
]


@every_row(("words", "line"), OTHERS)
def test_the_numbers_of_queries_are_printed_where_they_differ(words, line, files, capsys):
    for name, text in (
        ("four", QRELS + "q4 0 d1 1\n"),
        ("c.run", "q1 Q0 d1 1 2 c\nq2 Q0 d1 1 1 c\nq3 Q0 d1 1 1 c\n"),
        ("d.run", "q1 Q0 d1 1 2 c\n"),
        ("two", "q1 0 a 1\nq2 0 a 1\n"),
        ("e.run", "q1 Q0 a 1 2 e\nq2 Q0 a 1 2 e\n"),
        ("f.run", "q1 Q0 a 1 2 f\nq2 Q0 b 1 2 f\n"),
    ):
        (files / name).write_text(text, encoding="utf-8")
    assert run(*words.split()) == 0
    found = [each for each in capsys.readouterr().err.splitlines() if "different queries" in each]
    assert found == [*filter(None, [line])]


@every_row("form", FORMS)
def test_what_only_trec_eval_reads_is_counted_on_stderr(form, capsys):
    assert run("exponents", "a.run", "tags.run", "--format", form) == 0
    assert capsys.readouterr().err.splitlines()[:2] == [
        "exponents: 1 grade has an exponent, left out as trec_eval does: 1e3 is read as 1",
        "tags.run: 3 lines have a tag of several words, read as trec_eval does",
    ]


def test_json_of_one_run_is_an_object_with_every_digit(capsys):
    code = run("qrels", "a.run", "-m", "nDCG@10", "-m", "AP", "--format", "json")
    said = capsys.readouterr()
    stored = json.loads(json.dumps(evaluate("qrels", "a.run", ["nDCG@10", "AP"]).as_json()))
    assert (code, said.err, json.loads(said.out)) == (0, f"a.run: {MISSING}\n", stored)
    assert stored["excluded"]["trec_eval-10.0"] == {"kinds": {"missing": 1}, "not_looked_for": [], "measures": []}


def test_csv_is_a_table_with_every_digit_and_quotes_what_needs_it(files, capsys):
    (files / "b,b.run").write_text(OTHER, encoding="utf-8")
    run("qrels", "a.run", "b,b.run", "-q", "-m", "nDCG@10", "P@1", "--format", "csv")
    one, other = (evaluate("qrels", name) for name in ("a.run", "b,b.run"))
    exact = one.per_query["nDCG@10"]["q1"]
    assert capsys.readouterr().out.splitlines() == [
        "run,query,nDCG@10,P@1,queries of nDCG@10,queries of P@1",
        *(f"a.run,q1,{exact},1.0,,", "a.run,q3,0.0,0.0,,", f"a.run,all,{exact / 2},0.5,2,2"),
        *('"b,b.run",q1,1.0,1.0,,', '"b,b.run",q2,1.0,1.0,,', '"b,b.run",q3,0.0,0.0,,'),
        f'"b,b.run",all,{other["nDCG@10"]},{2 / 3},3,3',
    ]


@pytest.mark.parametrize("runs", [["::a.run"], ["::a.run", "b.run"]])
def test_ids_and_names_that_a_terminal_or_a_log_obeys_are_shown_escaped(runs, files, capsys):
    (files / "qrels").write_text("q##[\x1b[2J 0 d 1\n", encoding="utf-8")
    for name in runs:
        (files / name).write_text("q##[\x1b[2J Q0 d 1 1 t\n", encoding="utf-8")
    assert run("qrels", *runs, "-q") == 0
    said = capsys.readouterr()
    assert said.out.count("\\x23#[\\x1b[2J") == len(runs)
    assert not re.search("\x1b|##\\[|^::", said.out + said.err, re.MULTILINE)


BROKEN = [
    # qrels, run, the text of the file "broken", what is said; all that the reader refuses is in test_trec.py
    ("qrels", "broken", "q1 Q0 d1 1 3 t\nq1 Q0 d2 2 2\n", "broken:2: expected 6 fields, query Q0 document rank score"),
    ("broken", "a.run", "q1 0 d1\n", "broken:1: expected 4 fields, query iteration document grade, got 3"),
]


@every_row("form", ["text", "json"])
@every_row(("qrels", "run_file", "text", "message"), BROKEN)
def test_a_broken_file_is_named_with_its_line_and_nothing_else(files, qrels, run_file, text, message, form, capsys):
    """Also where a run before it is whole."""
    (files / "broken").write_text(text, encoding="utf-8")
    code = run(qrels, "b.run", run_file, "--format", form)
    printed = capsys.readouterr()
    assert (code, printed.out, printed.err.count("\n")) == (2, "", 1)
    assert printed.err.startswith(f"ndcg-ref eval: {message}")


REFUSED = [
    # words, what is said, why
    ("qrels no.run", "no.run: expected a file, found none", "a missing file"),
    ("qrels a.run -n", "-n: expected -q beside it", "nothing would be printed"),
    ("qrels a.run -q -n --format json", "-n: expected -q beside it", "JSON has the means"),
    ("qrels a.run -l 0.5", "-l: expected a whole number of at least 1, got '0.5'", "a fraction"),
    ("qrels a.run -l 2 -m P(rel=3)@5", "expected 'P(rel=3)@5' without rel= beside the level 2", "two levels"),
    ("qrels a.run -l 2 -m P@5 P(rel=2)@5", "measures: expected each once, got P(rel=2)@5, P(rel=2)@5", "one twice"),
    ("qrels a.run -M 3 --as scikit-learn", "-M: expected one convention, with an order of tied documents", "averaged"),
    ("qrels a.run -m nDCG@10 AP bpref@100", "as Bpref); there is no file of that name either", "among others"),
    ("-m AP P@5 qrles a.run", "got 'qrles' (nDCG, DCG, CG", "a file that is not there, behind measures"),
    ("- -", "expected stdin, -, for one file at most", "stdin twice"),
    ("a.run qrels", "a.run:1: expected 4 fields", "the other way round"),
    ("other a.run", "run: expected at least one judged query, got none of 1 among 3 (judged is '7'", "other queries"),
]


@every_row(("words", "message", "why"), REFUSED)
def test_bad_input_is_refused(words, message, why, files, capsys):
    (files / "other").write_text("7 0 d1 1\n", encoding="utf-8")
    code = run(*words.split())
    printed = capsys.readouterr()
    assert (code, printed.out, message in printed.err.splitlines()[-1]) == (2, "", True)


def command(*words, **options):
    return subprocess.run(
        [sys.executable, "-m", "ndcg_ref", "eval", *words], capture_output=True, check=False, timeout=300, **options
    )


STDIN = [
    # words, what is on stdin
    ("qrels -", RUN.encode()),
    ("- a.run", QRELS.encode()),
]


@pytest.mark.long
@every_row(("words", "given"), STDIN)
def test_a_file_comes_from_stdin(words, given):
    done = command(*words.split(), "-m", "P@1", input=given)
    assert (done.returncode, done.stdout.decode()) == (0, row("P@1", "all", 1 / 2) + "\n")


CLOSED = [
    # what a shell closes, words, exit code, stdout, stderr
    ("<&-", "qrels -", 2, "", "ndcg-ref eval: <stdin>: expected a file that can be read, found it closed\n"),
    (">&-", "qrels a.run", 2, "", "ndcg-ref: the output cannot be written: it is closed\n"),
    ("2>&-", "qrels a.run", 0, row("nDCG@10", "all", NDCG) + "\n", ""),
]


@pytest.mark.long
@every_row(("redirection", "words", "code", "out", "err"), CLOSED)
def test_a_closed_stream_is_no_reason_for_a_traceback(redirection, words, code, out, err):
    script = f'exec "$@" {redirection}'
    given = ["sh", "-c", script, "sh", sys.executable, "-m", "ndcg_ref", "eval", *words.split()]
    done = subprocess.run(given, capture_output=True, check=False, timeout=300, encoding="utf-8")
    assert (done.returncode, done.stdout, done.stderr) == (code, out, err)


def test_an_evaluation_that_is_broken_off_says_nothing(monkeypatch, capsys):
    def broken_off(_):
        raise KeyboardInterrupt

    monkeypatch.setattr(eval_command, "_eval", broken_off)
    assert (run("qrels", "a.run"), capsys.readouterr().out) == (130, "")


EVERY_FORM = """
import sys
from ndcg_ref.commands.cli import main
for form in ("text", "csv", "json"):
    main(["eval", *sys.argv[1:], "-q", "-m", "P@2", "--format", form])
    print("--")
main(["explain", *sys.argv[1:], "scikit-learn", "catboost"])
"""
LOCALES = [
    # what the environment says of the encoding
    {"LC_ALL": "C"},
    {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    {"PYTHONIOENCODING": "utf-16"},
]


@pytest.mark.long
@every_row("environment", LOCALES)
def test_every_id_is_printed_as_its_bytes_whatever_the_locale(files, environment):
    queries = [b"q\xc3\xa9", b"q\xc3\xa8", "文".encode(), "書".encode()]
    (files / "ids").write_bytes(b"".join(query + b" 0 d 1\n" for query in queries))
    name = b"r\xc3\xbcn \xff"  # the last byte is no UTF-8, as file names may have
    run = b"".join(query + b" Q0 d 1 1 t\n" + query + b" Q0 e 2 1 t\n" for query in queries)
    (files / os.fsdecode(name)).write_bytes(run)
    words = [sys.executable, "-c", EVERY_FORM, "ids", name]
    done = subprocess.run(words, capture_output=True, check=True, timeout=60, env={**os.environ, **environment})
    text, table, stored, explained = done.stdout.split(b"--\n")
    assert text.splitlines() == [b"P@2%s\t%s\t0.5000" % (b" " * 19, query) for query in [*queries, b"all"]]
    rows = [name + b",%s,0.5,%s" % each for each in [*((query, b"") for query in queries), (b"all", b"4")]]
    assert table.splitlines() == [b"run,query,P@2,queries of P@2", *rows]
    assert list(json.loads(stored)["per_query"]["P@2"]) == [query.decode() for query in queries]
    assert {line.split()[0] for line in explained.splitlines()[-4:]} == set(queries)
    assert done.stderr.startswith(name + b": 4 judged")


@pytest.mark.long
def test_a_reader_that_has_seen_enough_is_no_error(files):
    lines = [f"q{query} Q0 d1 1 1 t\n" for query in range(30_000)]
    (files / "long.run").write_text("".join(lines), encoding="utf-8")
    (files / "long").write_text("".join(f"q{query} 0 d1 1\n" for query in range(30_000)), encoding="utf-8")
    command = [sys.executable, "-m", "ndcg_ref", "eval", "long", "long.run", "-q"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as done:
        done.stdout.readline()
        done.stdout.close()
        assert "Traceback" not in done.stderr.read()
    assert done.returncode == 0


FRACTIONAL = [
    # words, where the number of truncated grades is said, and how
    (["eval", "esci", "one.run", "-m", "nDCG"], "err", ", 2 truncated\n"),
    (["compare", "esci", "one.run", "other.run", "-m", "nDCG"], "out", "\ntruncated grades: 2\n"),
    (["gate", "esci", "one.run", "other.run", "-m", "nDCG", "--max-drop", "0.1"], "out", "\ntruncated grades: 2\n"),
]


@pytest.mark.parametrize(("words", "stream", "said"), FRACTIONAL, ids=lambda each: each[0])
def test_a_fractional_grade_is_refused_unless_a_convention_is_named(files, capsys, words, stream, said):
    (files / "esci").write_text("q1 0 d1 1\nq1 0 d2 0.1\nq1 0 d3 0.01\nq2 0 d1 1\n", encoding="utf-8")
    for name in ("one.run", "other.run"):
        (files / name).write_text("q1 Q0 d2 1 9.5 t\nq1 Q0 d1 2 8 t\nq2 Q0 d1 1 1 t\n", encoding="utf-8")
    assert main(words) == 2
    refused = capsys.readouterr()
    assert (refused.out, refused.err.count("\n")) == ("", 1)
    assert "qrels['q1']['d2']: expected a whole grade, got 0.1 (fractional=" in refused.err
    assert main([*words, "--as", "trec_eval"]) == 0
    assert said in getattr(capsys.readouterr(), stream)
    assert main([*words, "--as", "scikit-learn"]) == 0
    assert "2 truncated" not in capsys.readouterr().err
