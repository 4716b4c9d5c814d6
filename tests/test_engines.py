"""Judgments and a run give the same result from mappings, from Parquet files and from the tables of DuckDB."""

import math
import random
from dataclasses import replace
from pathlib import Path

import drawn_runs
import duckdb
import pytest
from drawn_runs import same

from ndcg_ref import STANDARD, Convention, evaluate
from ndcg_ref.presets import ABOUT, Preset
from ndcg_ref.query_counts import IS_OF
from ndcg_ref.runs.evaluation import evaluate_asked
from ndcg_ref.runs.values import OF_KIND
from ndcg_ref.spellings import Asked, parse

RANDOM = random.Random(4)
CREATE = (
    "create table qrels (query_id varchar, doc_id varchar, relevance double)",
    "create table run (qid varchar, docno varchar, score double)",
)
QRELS: dict[str, dict] = {"q1": {"d1": 2, "d2": 1}, "q2": {"d1": 1}, "q3": {"d1": 0}}
RUN: dict[str, dict] = {"q1": {"d2": 9.5, "d1": 8, "d3": 8}, "q3": {"d1": 1}, "q4": {"d1": 1}}


@pytest.fixture(scope="module")
def connection():
    made = duckdb.connect(config={"threads": 1})
    for statement in CREATE:
        made.execute(statement)
    return made


def fill(connection, qrels, run):
    """Put judgments and a run into the tables."""
    for name, side in (("qrels", qrels), ("run", run)):
        connection.execute(f"delete from {name}")
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
    *(drawn_runs.convention(RANDOM) for _ in range(8)),
]
MEASURES = ["nDCG", "nDCG@1", "nDCG@2", "nDCG@5", "DCG", "DCG@1"]


def test_the_kinds_of_a_query_are_those_of_arrays():
    assert set(IS_OF) == set(OF_KIND)


def test_tables_of_duckdb_give_the_result_of_mappings(connection):
    kinds = set()
    for convention in CONVENTIONS:
        if convention.ties == "input":  # which a table does not have
            convention = replace(convention, ties="average")
        qrels, run = drawn_runs.sides(RANDOM)
        fill(connection, qrels, run)
        wanted = [Asked(parse(text), convention, PRESET) for text in RANDOM.sample(MEASURES, 2)]
        expected = outcome(evaluate_asked, qrels, run, wanted, check_swap=False)
        found = outcome(evaluate_asked, "qrels", "run", wanted, engine=connection)
        if isinstance(expected, Exception):
            assert type(found) is type(expected), f"{wanted} of {qrels} and {run}"
        else:
            assert same(found, expected), f"{wanted} of {qrels} and {run}"
            kinds.update(expected.excluded[PRESET.name].kinds)
    assert kinds == set(IS_OF)


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


RUNS = [
    "run.parquet",
    Path("run.parquet"),
    "part-*.parquet",
    "part-?.p*",
    "run.without.ending",
    "folder.parquet",
    "run.txt",
    RUN,
]
WANTED = [
    # measures, convention
    ("nDCG@10", None),
    (["DCG", "nDCG@1"], "scikit-learn"),
    (["nDCG", "P@2"], None),  # what no query can say
    ("nDCG", Convention(gain=math.sqrt)),
    ("nDCG", "ranx"),  # ties in the order of the input
]


@pytest.mark.parametrize("run", RUNS, ids=str)
@pytest.mark.parametrize(("measures", "convention"), WANTED, ids=str)
def test_a_parquet_file_gives_the_result_of_mappings(files, run, measures, convention):
    assert same(evaluate("qrels.parquet", run, measures, convention), evaluate(QRELS, RUN, measures, convention))
