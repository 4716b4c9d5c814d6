"""Judgments and a run give the same result from mappings, from Parquet files and from the tables of DuckDB."""

import math
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import drawn_runs
import duckdb
import pyarrow
import pytest
from drawn_runs import same
from rows import every_row

from ndcg_ref import STANDARD, Convention, evaluate
from ndcg_ref.commands.cli import main
from ndcg_ref.conventions.presets import ABOUT, Preset
from ndcg_ref.conventions.spellings import RequestedMeasure, parse
from ndcg_ref.formulas.kinds import IS_OF
from ndcg_ref.runs.engines import embedded
from ndcg_ref.runs.values import OF_KIND

RANDOM = random.Random(4)
CREATE = (
    "create table qrels (query_id varchar, doc_id varchar, relevance double)",
    "create table run (qid varchar, docno varchar, score double)",
)
QRELS: dict[str, dict] = {"q1": {"d1": 2, "d2": 1}, "q2": {"d1": 1}, "q3": {"d1": 0}}
RUN: dict[str, dict] = {"q1": {"d2": 9.5, "d1": 8, "d3": 8}, "q3": {"d1": 1}, "q4": {"d1": 1}}


def connected(*statements):
    """A new connection that has run these."""
    made = duckdb.connect(config={"threads": 1})
    for statement in statements:
        made.execute(statement)
    return made


@pytest.fixture(scope="module")
def connection():
    return connected(*CREATE)


def fill(connection, qrels, run):
    """Put judgments and a run into the tables."""
    for name, side in (("qrels", qrels), ("run", run)):
        connection.execute(f"delete from {name}")
        if side:
            connection.executemany(f"insert into {name} values (?, ?, ?)", [row[:3] for row in drawn_runs.rows(side)])


def outcome(function, *arguments, **options):
    """The result, or the refusal."""
    try:
        return function(*arguments, **options)
    except (TypeError, ValueError) as error:
        return error


PRESET = Preset(library="any", version="1", convention=STANDARD, source="", excluded=tuple(IS_OF))  # with every kind
CONVENTIONS = [
    *dict.fromkeys(preset.convention for preset in ABOUT.values()),
    *(drawn_runs.convention(RANDOM) for _ in range(5)),
]
MEASURES = ["nDCG", "nDCG@1", "nDCG@2", "nDCG@5", "DCG", "DCG@1", "DCG@1000000"]


def test_the_kinds_of_a_query_are_those_of_arrays():
    assert set(IS_OF) == set(OF_KIND)


def test_tables_of_duckdb_give_the_result_of_mappings(connection):
    for convention in CONVENTIONS:
        if convention.ties == "input":  # which a table does not have
            convention = replace(convention, ties="average")
        qrels, run = drawn_runs.sides(RANDOM)
        fill(connection, qrels, run)
        wanted = [RequestedMeasure(parse(text), convention, PRESET) for text in RANDOM.sample(MEASURES, 2)]
        expected = outcome(evaluate, qrels, run, wanted, check_swap=False)
        found = outcome(evaluate, "qrels", "run", wanted, engine=connection)
        if isinstance(expected, Exception):
            assert type(found) is type(expected), f"{wanted} of {qrels} and {run}"
        else:
            assert same(found, expected), f"{wanted} of {qrels} and {run}"


def test_the_truncated_grades_are_counted_in_a_table_as_in_memory(connection):
    """Two grades of q1 are fractional; nobody evaluates the one of the query that the run lacks."""
    fill(connection, {"q1": {"a": 0.5, "b": 1.5, "c": 1}, "missing": {"a": 0.5}}, {"q1": {"a": 1.5}})
    for measures in ("nDCG", ["nDCG@1", "DCG"]):
        assert evaluate("qrels", "run", measures, "trec_eval", engine=connection).counts["truncated"] == 2
    with pytest.raises(ValueError, match=r"^qrels\['q1'\]\['a'\]: expected a whole grade, got 0\.5"):
        evaluate("qrels", "run", engine=connection)


MANY = [f"d{n}" for n in range(20)]
OF_EACH_KIND: dict[str, dict] = {
    # kind: grades of its documents
    "one": {"d1": 1},
    "ties": {"d1": 1, "d2": 0},
    "long ties": {document: len(document) for document in MANY},
    "all negative": {"d1": -1, "d2": -2},
    "cancelling": {"d1": -1, "d2": 1},
    "below 1": {"d1": 0.5, "d2": 0},
    "above 31": {"d1": 40, "d2": 5},
}


@every_row("text", ["nDCG", "nDCG@2", "DCG@1"])
def test_each_kind_is_counted_in_a_table_as_in_memory(connection, text):
    run = {query: dict.fromkeys(grades, 1) for query, grades in OF_EACH_KIND.items()}
    fill(connection, OF_EACH_KIND, run)
    wanted = [RequestedMeasure(parse(text), Convention(negative="keep"), PRESET)]
    expected = evaluate(OF_EACH_KIND, run, wanted, check_swap=False)
    assert same(evaluate("qrels", "run", wanted, engine=connection, check_swap=False), expected)
    assert set(expected.excluded[PRESET.name].kinds) == set(IS_OF)


@pytest.fixture
def files(tmp_path, monkeypatch, connection):
    """Judgments and a run as Parquet, the run also in two parts."""
    monkeypatch.chdir(tmp_path)
    fill(connection, QRELS, RUN)
    for name, text in (
        ("qrels.parquet", "select * from qrels"),
        ("run.parquet", "select * from run order by score desc, docno"),
        ("part-1.parquet", "select * from run where qid = 'q1'"),
        ("part-2.parquet", "select * from run where qid <> 'q1'"),
        ("run.without.ending", "select * from run"),
    ):
        connection.execute(f"copy ({text}) to '{name}' (format parquet)")
    lines = [f"{query} Q0 {document} 1 {score} t\n" for query, document, score, _ in drawn_runs.rows(RUN)]
    Path("run.txt").write_text("".join(sorted(lines)), "utf-8")
    Path("folder.parquet").mkdir()
    for name in ("part-1.parquet", "part-2.parquet"):
        Path("folder.parquet", name).write_bytes(Path(name).read_bytes())


RUNS = ["run.parquet", Path("run.parquet"), "part-*.parquet", "part-?.p*", "run.without.ending", "folder.parquet"]
WANTED = [
    # measures, convention
    ("nDCG@10", None),
    (["DCG", "nDCG@1"], "scikit-learn"),
    (["nDCG", "P@2"], None),  # what no query can say
    ("nDCG", Convention(gain=math.sqrt)),
    ("nDCG", "ranx"),  # ties in the order of the input
]


@every_row("run", [*RUNS, "run.txt", RUN])
@every_row(("measures", "convention"), WANTED)
def test_a_parquet_file_gives_the_result_of_mappings(files, run, measures, convention):
    assert same(evaluate("qrels.parquet", run, measures, convention), evaluate(QRELS, RUN, measures, convention))


ONE, ERROR = [("q", "a", 1)], Convention(zero_ideal="error")
BAD = [
    # message, then what is other than one document of grade 1 and score 1, with nDCG under no convention
    ("run: qid: expected text or a whole number, got None", {"run": [(None, "a", 1)], "measures": "nDCG@1"}),
    ("qrels: query_id: expected an id, got empty", {"qrels": [("", "a", 1)]}),
    (r"qrels\['q'\]\['a'\]: expected a number, got None", {"qrels": [("q", "a", None)]}),
    (r"qrels\['q'\]\['a'\]: expected a finite number, got inf", {"qrels": [("q", "a", math.inf)]}),
    ("run: expected each document once .* 'a' again in 'q'", {"run": ONE * 2, "measures": "nDCG@1"}),
    (r"\['a'\]: expected a whole grade, got 0.5", {"qrels": [("q", "a", 0.5)], "convention": "gdeval"}),
    ("judged query, got none of 'r'", {"qrels": [*ONE, ("r", "a", 1)], "convention": Convention(missing="error")}),
    (r"qrels\['q'\]: grades: expected some ideal", {"qrels": [("q", "a", 0)], "convention": ERROR}),
    ("run: expected at least one judged query, got none of 1 among 1", {"run": [("r", "a", 1)]}),
    ("the sum of the gains is", {"qrels": [("q", "a", 1.7e308), ("q", "b", 1.7e308)], "run": [*ONE, ("q", "b", 1)]}),
]


@every_row(("message", "others"), BAD)
def test_what_is_refused_elsewhere_is_refused_in_a_table(connection, message, others):
    options = {"qrels": ONE, "run": ONE, "measures": "nDCG", **others}
    for name in ("qrels", "run"):
        connection.execute(f"delete from {name}")
        connection.executemany(f"insert into {name} values (?, ?, ?)", options.pop(name))
    with pytest.raises(TypeError if "None" in message else ValueError, match=message):
        evaluate("qrels", "run", **options, engine=connection, check_swap=False)


def test_a_document_that_occurs_again_below_the_cutoff_changes_no_value_and_is_not_refused(connection):
    fill(connection, {"q": {"a": 1}}, {"q": {"a": 3.5, "b": 2}})
    connection.execute("insert into run values ('q', 'b', 1)")
    assert evaluate("qrels", "run", ["nDCG@1", "P@1"], engine=connection).mean == {"nDCG@1": 1.0, "P@1": 1.0}
    for measures in ("nDCG@3", ["P@1", "AP"]):
        with pytest.raises(ValueError, match="run: expected each document once in a query, got 'b' again in 'q'"):
            evaluate("qrels", "run", measures, engine=connection)


def test_grades_of_queries_that_the_run_lacks_are_not_refused(connection):
    fill(connection, {"q1": {"d1": 1}, "q2": {"d1": -1}}, {"q1": {"d1": 1}})
    assert evaluate("qrels", "run", "nDCG", "STANDARD", engine=connection).mean == {"nDCG": 1.0}


@every_row("ties", ["best", "worst"])
@every_row("judged", ["d0", "d5", "d9"])
def test_a_judged_document_ranks_before_unjudged_ones_of_its_score_and_gain(connection, ties, judged):
    """Which of them is within the cutoff changes no value, but the number of unjudged documents."""
    qrels, run = {"q": {judged: 0, "c": 1}}, {"q": {**{f"d{n}": 0.5 for n in range(10)}, "c": 0.25}}
    fill(connection, qrels, run)
    convention = Convention(ties=ties)
    found = evaluate("qrels", "run", "nDCG@1", convention, engine=connection)
    assert found.counts["unjudged"] == 0
    assert same(found, evaluate(qrels, run, "nDCG@1", convention))


REFUSED = [
    # judgments, run, options, message
    ("none.parquet", "run.parquet", {}, r"none.parquet: expected a file, found none \(is the path right\?\)"),
    ("run.parquet", "qrels.parquet", {}, r"run.parquet: expected a column relevance .* got qid, docno, score"),
    ("qrels.parquet", "broken.parquet", {}, "DuckDB: Invalid Input Error: .*broken.parquet"),
    ("qrels.parquet", "broken.parquet", {"measures": "P@1"}, "DuckDB: Invalid Input Error: .*broken.parquet"),
    ("qrels.parquet", "run.parquet", {"engine": "duckdb"}, "engine: expected a connection to DuckDB or a session"),
]


@every_row(("qrels", "run", "options", "message"), REFUSED)
def test_a_broken_file_or_engine_is_refused_in_one_line(files, qrels, run, options, message):
    Path("broken.parquet").write_text("no Parquet", "utf-8")
    with pytest.raises(TypeError if options.get("engine") else ValueError, match=message) as refused:
        evaluate(qrels, run, **options)
    assert "\n" not in str(refused.value)


REFUSED_TABLES = [
    # judgments, convention, message
    ("none", None, r"^DuckDB: Catalog Error: Table with name none does not exist!$"),
    ('qrels"; drop table run; --', None, "expected the name of a table or a column"),
    ("qrels", "ranx", 'ties: expected a column of the order for ties="input"'),
]


@every_row(("qrels", "convention", "message"), REFUSED_TABLES)
def test_a_table_that_cannot_be_evaluated_is_refused_in_one_line(connection, qrels, convention, message):
    with pytest.raises(ValueError, match=message):
        evaluate(qrels, "run", "nDCG", convention, engine=connection)


@every_row("name", ["x.csv", "run.json", "a.b.tsv"])
def test_a_name_is_never_that_of_a_local_file(name, connection, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path(name).write_text("query_id,doc_id,score\nq1,d1,1\n", "utf-8")
    with pytest.raises(ValueError, match=rf"^run: expected a table, found none called '{name}' \(a file\? omit"):
        evaluate("qrels", name, engine=connection)


OF_A_SCHEMA = ["Main.of_a_schema", "memory.main.of_a_schema", "memory.of_a_schema"]


@every_row("name", [*OF_A_SCHEMA, "x.CSV", "other.t", "other.main.t"])
def test_a_name_with_dots_is_that_of_a_table(name, connection):
    fill(connection, QRELS, RUN)
    connection.execute("create or replace view of_a_schema as select * from run")
    connection.execute("create schema if not exists x; create or replace table x.csv as select * from run")
    connection.execute("attach if not exists ':memory:' as other; create or replace table other.t as select * from run")
    assert evaluate("qrels", name, engine=connection).mean == evaluate(QRELS, RUN).mean


def test_the_embedded_duckdb_prints_no_progress_amid_the_values():
    setting = "select current_setting('enable_progress_bar')"
    assert list(embedded("run.parquet").rows(setting)) == [(False,)]


def printed(capsys, *words):
    """What the command prints, and what to stderr."""
    assert main(words) == 0
    return capsys.readouterr()


@every_row("run", ["run.parquet", "part-*.parquet", "run.txt"])
def test_the_command_prints_of_parquet_what_it_prints_of_text(files, capsys, run):
    expected = evaluate(QRELS, RUN)
    found = printed(capsys, "eval", "qrels.parquet", run)
    assert found.out == f"nDCG@10               \tall\t{expected.mean['nDCG@10']:.4f}\n"
    assert found.err.startswith(f"{run}: {expected.counted}\n")


def test_a_process_of_its_own_prints_of_parquet_three_lines_besides_the_values(files):
    words = [sys.executable, "-m", "ndcg_ref", "eval", "qrels.parquet", "run.parquet"]
    found = subprocess.run(words, capture_output=True, text=True, check=True)
    assert [line.partition(":")[0] for line in found.stderr.splitlines()] == ["run.parquet", "nDCG@10", "run.parquet"]


def test_the_command_prints_the_query(connection, capsys):
    fill(connection, QRELS, RUN)
    connection.execute("create or replace view of_run as select qid as query_id, docno as doc_id, score from run")
    words = ["sql", "nDCG@10", "--as", "trec_eval", "--dialect", "duckdb", "--run", "of_run"]
    rows = connection.execute(printed(capsys, *words).out).fetchall()
    assert {query: value for query, _, _, value in rows} == pytest.approx(evaluate(QRELS, RUN).per_query["nDCG@10"])
    problems = connection.execute(printed(capsys, *words, "--checks").out).fetchall()
    assert {count for _, count in problems} == {0}
    assert len(problems) == 7


@every_row("literal", ["run[1].parquet", "r*n.parquet", "ru?.parquet"])
def test_a_file_whose_name_is_a_pattern_is_read_itself(files, connection, literal):
    """The run of another file, which the pattern matches, is not."""
    fill(connection, QRELS, RUN)
    connection.execute(f"copy run to '{literal}' (format parquet)")
    fill(connection, QRELS, {"q1": {"d3": 9.5}})
    for other in ("run1.parquet", "ran.parquet", "ru1.parquet"):
        connection.execute(f"copy run to '{other}' (format parquet)")
    assert same(evaluate("qrels.parquet", literal), evaluate(QRELS, RUN))


def test_swapped_tables_are_refused_as_swapped_mappings_are(connection):
    qrels = {f"q{i}": {"a": 0.5 + i, "b": 0.25, "c": 0.125} for i in range(3)}
    run = {f"q{i}": {"a": 1, "b": 1, "c": 0} for i in range(3)}
    fill(connection, qrels, run)
    for options in ({}, {"measures": "P@1"}):
        with pytest.raises(ValueError, match=r"^run: expected scores, got whole numbers that repeat"):
            evaluate("qrels", "run", engine=connection, **options)
    options = {"convention": "scikit-learn", "check_swap": False}
    assert same(evaluate("qrels", "run", engine=connection, **options), evaluate(qrels, run, **options))


@every_row(("side", "message"), [("qrels", "at least one grade"), ("run", "at least one score")])
@every_row("measure", ["nDCG@10", "P@1"])
def test_a_table_without_rows_is_refused(connection, side, message, measure):
    fill(connection, *({} if side == each else data for each, data in (("qrels", QRELS), ("run", RUN))))
    with pytest.raises(ValueError, match=rf"^{side}: expected {message}, got none$"):
        evaluate("qrels", "run", measure, engine=connection)


def test_the_name_of_a_table_is_no_file_beside_an_engine(files, connection):
    fill(connection, QRELS, {"q1": {"d3": 9.5}})
    connection.execute("copy run to 'shadow' (format parquet)")
    fill(connection, QRELS, RUN)
    connection.execute("create or replace view shadow as select * from run")
    assert same(evaluate("qrels", "shadow", engine=connection), evaluate(QRELS, RUN))
    connection.execute("drop view shadow")


TYPES = [
    # column, its type, error
    ("query_id", "double", r"got DOUBLE \(missing values turn whole numbers into these\)"),
    ("doc_id", "blob", r"got BLOB \(cast it to text first\?\)"),
    ("score", "varchar", r"got VARCHAR \(text is not converted; cast it to a number first\?\)"),
]


@every_row("measure", ["nDCG@10", "P@1"])
@every_row(("column", "kind", "message"), TYPES)
def test_a_column_of_another_type_is_refused(column, kind, message, measure):
    types = {"query_id": "varchar", "doc_id": "varchar", "score": "double", column: kind}
    run = f"create table run ({', '.join(map(' '.join, types.items()))})"
    made = connected(run, "create table qrels as select 'q' as query_id, 'd' as doc_id, 1.0 as relevance")
    expected = "a column of numbers" if column == "score" else "a column of text or whole numbers"
    with pytest.raises(TypeError, match=f"^run: {column}: expected {expected}, {message}"):
        evaluate("qrels", "run", measure, engine=made)


ALIKE = [
    # type and values of the documents in the judgments, and in the run
    ("hugeint", [7, 2**100], "varchar", ["'7'", f"'{2**100}'"]),
    ("uuid", [f"'{i:032x}'" for i in (7, 8)], "uuid", [f"'{i:032X}'" for i in (7, 8)]),
]


@every_row("measure", ["nDCG@1", "P@1"])
@every_row(("judged_as", "judged", "retrieved_as", "retrieved"), ALIKE)
def test_ids_of_any_type_are_compared_as_text(measure, judged_as, judged, retrieved_as, retrieved):
    made = connected()
    sides = ("qrels", "relevance", judged_as, judged), ("run", "score", retrieved_as, retrieved)
    for name, value, kind, ids in sides:
        made.execute(f"create table {name} (query_id integer, doc_id {kind}, {value} decimal(9, 1))")
        made.execute(f"insert into {name} values (1, {ids[0]}, 1.5), (1, {ids[1]}, 0.5)")
    result = evaluate("qrels", "run", measure, Convention(negative="keep"), engine=made)
    assert (result.mean, result.counts["unjudged"]) == ({measure: 1.0}, 0)


SETTINGS = ["default_order = 'desc'", "default_collation = 'nocase'", "default_null_order = 'nulls_first'"]


@every_row("ties", ["average", "id-descending", "id-ascending", "best", "worst"])
@every_row("setting", [*SETTINGS, "a column with a collation"])
def test_how_a_connection_sorts_and_compares_changes_nothing(setting, ties):
    collated = "collate nocase" if setting not in SETTINGS else ""
    made = connected(*(statement.replace("varchar", f"varchar {collated}") for statement in CREATE))
    qrels, run = {"q": {"a": 1, "B": 0, "b": 2}, "Q": {"c": 1}}, {"q": dict.fromkeys("AaBbc", 0.5), "Q": {"c": 0.5}}
    fill(made, qrels, run)
    if setting in SETTINGS:
        made.execute(f"set {setting}")
    convention = Convention(ties=ties)
    found = evaluate("qrels", "run", "nDCG@2", convention, engine=made)
    expected = evaluate(qrels, run, "nDCG@2", convention)
    assert same(found, expected)
    assert list(found.per_query["nDCG@2"]) == sorted(expected.per_query["nDCG@2"])


@pytest.mark.parametrize("broken", ["closed", "in a failed transaction"])
def test_a_connection_that_runs_nothing_is_refused_in_one_line(broken):
    made = connected(*CREATE)
    if broken == "closed":
        made.close()
    else:
        made.execute("begin")
        with pytest.raises(duckdb.ConversionException):
            made.execute("select cast('x' as integer)").fetchall()
    with pytest.raises(ValueError, match=r"^DuckDB: (Connection Error|TransactionContext Error): .*$"):
        evaluate("qrels", "run", engine=made)


def test_a_relation_or_a_reader_is_refused_with_what_makes_rows_of_it(connection):
    fill(connection, QRELS, RUN)
    with pytest.raises(TypeError, match=r"run: .* got a DuckDBPyRelation \(its create_view\(name\) makes a table for"):
        evaluate("qrels", connection.table("run"), engine=connection)
    with pytest.raises(TypeError, match=r"run: .* got a RecordBatchReader \(its read_all\(\) is a data frame\)$"):
        evaluate(QRELS, pyarrow.table({"qid": ["q1"], "docno": ["d1"], "score": [0.5]}).to_reader())


def test_a_folder_of_partitions_is_read_whole(files, connection):
    connection.execute("copy run to 'parts.parquet' (format parquet, partition_by (qid))")
    for run in ("parts.parquet", "parts.parquet/**/*.parquet", "part?.parquet/*/*"):
        assert same(evaluate("qrels.parquet", run), evaluate(QRELS, RUN))
    Path("parts.parquet").rename("spark-wrote-this")
    Path("folder.parquet").rename("another")
    for run in ("spark-wrote-this", "spark-wrote-this/", "another"):  # known by what they contain
        assert same(evaluate("qrels.parquet", run), evaluate(QRELS, RUN))
    Path("empty").mkdir()
    with pytest.raises(ValueError, match=r"^empty: expected a file, found a folder"):
        evaluate("qrels.parquet", "empty")
    Path("spark-wrote-this").rename("parts.parquet")
    with pytest.raises(ValueError, match=r"^parts.parquet: expected a column relevance"):
        evaluate("parts.parquet", "run.parquet")
