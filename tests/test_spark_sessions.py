"""A session of Spark gets Spark's SQL, and gives the result of mappings; `make cluster` runs the real one.

The session here is a stand-in: it keeps each text, and answers it from DuckDB, in whose SQL sqlglot writes it.
"""

import sys
from random import Random
from types import ModuleType

import drawn_runs
import duckdb
import pytest
import sqlglot
from rows import every_row

from ndcg_ref import Convention, compare_runs, evaluate

CREATE = """
    create table qrels (query_id varchar, doc_id varchar, relevance double);
    create table run (query_id varchar, doc_id varchar, score double);
    create schema parquet;
"""
QRELS: dict[str, dict] = {"q1": {"d1": 2, "d2": 1}, "q2": {"d1": 1}, "q3": {"d1": 0}}
RUN: dict[str, dict] = {"q1": {"d2": 9.5, "d1": 8, "d3": 8}, "q3": {"d1": 1}, "q4": {"d1": 1}}


class SparkError(Exception):
    """Stands for pyspark.errors.PySparkException."""


class Frame:
    """A data frame of Spark, of which only the types of the columns and the rows are asked for."""

    def __init__(self, found, collected):
        self.dtypes = [(name, str(kind)) for name, kind, *_ in found.description]
        self._found, self._collected = found, collected

    def collect(self):
        rows = self._found.fetchall()
        self._collected.append(len(rows))
        return rows


class Sent:
    """A data frame that is made of rows, of which a view is made."""

    def __init__(self, database, rows, schema):
        self._database, self._rows, self._schema = database, rows, schema.replace("string", "varchar")

    def createOrReplaceTempView(self, name):
        self._database.execute(f"create or replace temp table {name} ({self._schema})")
        if self._rows:
            marks = ", ".join("?" * len(self._rows[0]))
            self._database.executemany(f"insert into {name} values ({marks})", self._rows)


class Session:
    """A session of Spark, as far as it is used."""

    def __init__(self):
        self.texts, self.collected = [], []
        self.catalog = self
        self.database = duckdb.connect(config={"threads": 1})
        self.database.execute(CREATE)

    def sql(self, text):
        self.texts.append(text)
        try:
            found = self.database.execute(sqlglot.transpile(text, read="spark", write="duckdb")[0])
            return Frame(found, self.collected)
        except duckdb.Error as error:
            raise SparkError(f"[TABLE_OR_VIEW_NOT_FOUND] {error}\n'Project [*]\n+- 'UnresolvedRelation") from None

    def createDataFrame(self, rows, schema, verifySchema):
        return Sent(self.database, rows, schema)

    def dropTempView(self, name):
        self.database.execute(f"drop table {name}")

    def fill(self, qrels, run):
        for name, side in (("qrels", qrels), ("run", run)):
            self.database.execute(f"delete from {name}")
            rows = [row[:3] for row in drawn_runs.rows(side)]
            self.database.executemany(f"insert into {name} values (?, ?, ?)", rows)
        return self


Session.__module__ = "pyspark.sql.session"


@pytest.fixture(scope="module")
def session():
    return Session()


@pytest.fixture(autouse=True)
def pyspark(monkeypatch):
    """The only thing that is imported of it."""
    errors = ModuleType("pyspark.errors")
    vars(errors)["PySparkException"] = SparkError
    monkeypatch.setitem(sys.modules, "pyspark", ModuleType("pyspark"))
    monkeypatch.setitem(sys.modules, "pyspark.errors", errors)


@pytest.mark.long
@every_row("seed", range(6))
def test_a_session_of_spark_gives_the_result_of_mappings(session, seed):
    random = Random(seed)
    convention = drawn_runs.convention(random)
    while convention.ties == "input":  # a table has no order
        convention = drawn_runs.convention(random)
    qrels, run = drawn_runs.sides(random)
    for measures in (["nDCG@2", "DCG@3"], ["nDCG", "P@2", "Judged"]):
        found = evaluate("qrels", "run", measures, convention, engine=session.fill(qrels, run), check_swap=False)
        assert drawn_runs.same(found, evaluate(qrels, run, measures, convention, check_swap=False))


def test_runs_in_tables_of_spark_give_the_table_of_mappings(session):
    """With its tests, byte for byte."""
    other: dict[str, dict] = {"q1": {"d1": 2.5, "d2": 2, "x": 1}, "q2": {"x": 1.5, "d1": 1}, "q3": {"d1": 1}}
    session.fill(QRELS, other).database.execute("create or replace table other as select * from run")
    session.fill(QRELS, RUN)
    found = compare_runs("qrels", {"one": "run", "other": "other"}, ["DCG@3", "AP"], engine=session)
    expected = compare_runs(QRELS, {"one": RUN, "other": other}, ["DCG@3", "AP"])
    for form in (str, type(found).to_markdown, type(found).to_latex):
        assert form(found) == form(expected)
    assert found.pairs == expected.pairs


def test_every_text_names_its_tables_as_spark_does(session):
    session.texts.clear()
    evaluate("qrels", "run", "nDCG@2", engine=session.fill(QRELS, RUN))
    assert {name for text in session.texts for name in ("`qrels`", "`run`") if name in text} == {"`qrels`", "`run`"}
    assert not any('"' in text for text in session.texts)


@every_row("ties", ["average", "id-descending"])
def test_the_run_is_ranked_once(session, ties):
    """Spark stores no step: it ranks the run for each step that asks for its ranks."""
    session.texts.clear()
    evaluate("qrels", "run", "nDCG@2", Convention(ties=ties), engine=session.fill(QRELS, RUN))
    assert sum(text.count("from ranked") for text in session.texts) == 1


def test_a_parquet_file_is_read_by_spark_itself(session, tmp_path):
    session.fill(QRELS, RUN)
    for name in ("qrels", "run"):
        path = tmp_path / f"my {name}.parquet"
        session.database.execute(f"copy {name} to '{path}' (format parquet)")
        session.database.execute(f"""create view parquet."{path}" as select * from read_parquet('{path}')""")
    session.texts.clear()
    found = evaluate(tmp_path / "my qrels.parquet", tmp_path / "my run.parquet", "nDCG@2", engine=session)
    assert drawn_runs.same(found, evaluate(QRELS, RUN, "nDCG@2"))
    assert any(f"parquet.`{tmp_path}/my run.parquet`" in text for text in session.texts)


@every_row("measures", ["P@2", "nDCG@2", ["AP", "nDCG"]])
def test_no_row_of_the_run_reaches_the_driver_but_judged_ones_and_those_of_equal_score(session, measures):
    """Beside them, it gets the judgments, and a row for each query of the run."""
    qrels = {"q1": {"d0": 1, "d7": 2, "lost": 1}, "q2": {"d99": 1}}
    run = {query: {f"d{n}": float(n // 2) for n in range(100)} for query in ("q1", "q2", "q3")}
    session.fill(qrels, run).collected.clear()
    found = evaluate("qrels", "run", measures, engine=session)
    assert drawn_runs.same(found, evaluate(qrels, run, measures))
    ranked = {"P@2": 2, "nDCG@2": 2}.get(str(measures), 6)  # d98 and d99; also d0 and d1, d6 and d7
    assert sorted(session.collected) == sorted([4, 3, ranked, 0])


class Stopped:
    """The context of a session that was stopped."""

    @property
    def defaultParallelism(self):
        raise AttributeError("'NoneType' object has no attribute 'sc'")


def test_what_spark_cannot_answer_is_refused_in_one_line(session, monkeypatch):
    with pytest.raises(ValueError, match=r"^Spark: \[TABLE_OR_VIEW_NOT_FOUND\] .*qrel5.*$") as refused:
        evaluate("qrel5", "run", "nDCG@2", engine=session)
    assert "\n" not in str(refused.value)
    monkeypatch.setattr(session, "sparkContext", Stopped(), raising=False)
    with pytest.raises(ValueError, match=r"^engine: expected a session of Spark that is running, got one that was"):
        evaluate("qrels", "run", "nDCG@2", engine=session)


def test_a_file_whose_name_is_a_pattern_of_spark_is_escaped(session, tmp_path):
    session.texts.clear()
    (tmp_path / "run[1].parquet").touch()
    with pytest.raises(ValueError, match=r"^Spark: "):
        evaluate("qrels", tmp_path / "run[1].parquet", engine=session)
    assert r"run\[1\].parquet" in session.texts[-1]


@every_row("given", ["spark", Session, {"spark": 1}])
def test_what_is_no_engine_is_refused_with_what_to_install(given):
    with pytest.raises(TypeError, match=r"a session of Spark, got .*'ndcg-ref\[spark\]' brings one"):
        evaluate("qrels", "run", "nDCG@2", engine=given)
