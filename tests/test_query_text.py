"""A query gives what `evaluate` gives, under any convention: DuckDB and SQLite run it, grammars of others read it."""

import math
import random
import sqlite3
from contextlib import suppress
from dataclasses import replace
from typing import Any

import drawn_runs
import duckdb
import pytest
import sqlglot
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rows import every_row
from sqlglot.dialects.dialect import Dialect

from ndcg_ref import Convention, evaluate
from ndcg_ref.conventions.spellings import convention_of, parse
from ndcg_ref.formulas import plain
from ndcg_ref.runs.result import COUNTS
from ndcg_ref.sql.query_checks import offenders_text
from ndcg_ref.sql.query_means import mean_text
from ndcg_ref.sql.query_text import OF_GAINS, Table, sql_text

RANDOM = random.Random(15)
LOG3 = math.log2(3)
TABLES = {"qrels": Table("qrels", "relevance"), "run": Table("run", "score", order="place")}
CREATE = (
    "create table qrels (query_id varchar, doc_id varchar, relevance double precision, place integer)",
    "create table run (query_id varchar, doc_id varchar, score double precision, place integer)",
)


FUNCTIONS = {"ln": math.log, "exp": math.exp, "floor": lambda x: x // 1, "ceil": lambda x: -(-x // 1), "power": pow}


@pytest.fixture(scope="module", params=["duckdb", "portable"])
def engine(request):
    """A connection to DuckDB or SQLite, and the dialect that it takes."""
    if request.param == "duckdb":
        connection: Any = duckdb.connect(config={"threads": 1})
    else:
        connection = sqlite3.connect(":memory:")
        for name, function in FUNCTIONS.items():
            connection.create_function(name, -1, function)  # which not every build of SQLite has
    for statement in CREATE:
        connection.execute(statement)
    yield connection, request.param
    connection.close()


def fill(connection, qrels, run):
    for name, side in (("qrels", qrels), ("run", run)):
        connection.execute(f"delete from {name}")
        connection.executemany(f"insert into {name} values (?, ?, ?, ?)", drawn_runs.rows(side))


def answer(connection, text):
    """The rows of a query, by the id of the query that each is about."""
    found = connection.execute(text).fetchall()
    return {row[0]: tuple(math.nan if value is None else value for value in row[1:]) for row in found}


def as_evaluated(result, measure, qrels, run):
    """The same rows, of what `evaluate` gives."""
    of_both = {query: value for query, value in result.per_query[measure].items() if query in qrels and query in run}
    if parse(measure).name not in OF_GAINS:
        read = math.trunc if result.conventions[measure].fractional == "truncate" else float
        relevant = {
            query: sum(read(grade) >= parse(measure).rel for grade in qrels[query].values()) for query in of_both
        }
        return {query: (relevant.get(query, math.nan), value) for query, value in result.per_query[measure].items()}
    dcg, idcg = result.dcg.get(measure, of_both), result.idcg.get(measure, {})
    return {
        query: (dcg.get(query, math.nan), idcg.get(query, math.nan), value)
        for query, value in result.per_query[measure].items()
    }


def close(found, expected):
    return found == {query: pytest.approx(row, rel=1e-12, abs=1e-12, nan_ok=True) for query, row in expected.items()}


MEASURES = ["nDCG", "DCG", "nDCG@1", "nDCG@2", "nDCG@3", "nDCG@5", "DCG@3", "CG@2"]
OTHERS = ["AP", "AP@3", "RR", "RR(rel=2)@3", "P@3", "P(rel=2)@20", "Recall", "R@3", "Success@2", "Rprec"]
OTHERS += ["Rprec(rel=2)", "Judged", "Judged@3", "ERR(max_rel=40)", "ERR(max_rel=60)@3", "RBP", "RBP(p=0.5)@2"]
DRAWN = [
    (
        drawn_runs.sides(RANDOM),
        [(RANDOM.choice(names), drawn_runs.convention(RANDOM)) for names in (MEASURES, OTHERS) for _ in range(6)],
    )
    for _ in range(10)
]


def answerable():
    """Judgments, a run, and each measure and convention with its result, unless a grade is refused."""
    for (qrels, run), asked in DRAWN:
        answered = []
        for measure, convention in asked:
            with suppress(ValueError):  # a negative grade, or a grade without a gain
                answered.append((measure, convention, evaluate(qrels, run, measure, convention, check_swap=False)))
        yield qrels, run, answered


CASES = list(answerable())
SAID = [(measure, convention) for _, _, answered in CASES for measure, convention, _ in answered]
assert {measure for measure, _ in SAID} == {*MEASURES, *OTHERS}


@pytest.mark.long
def test_an_engine_gives_what_evaluate_gives(engine):
    connection, dialect = engine
    for qrels, run, answered in CASES:
        fill(connection, qrels, run)
        for measure, convention, result in answered:
            if dialect == "duckdb" or convention.scores == "float64":
                about = f"{measure} under {convention!r} of {qrels} and {run}"
                found = answer(connection, sql_text(measure, convention, **TABLES, dialect=dialect))
                assert close(found, as_evaluated(result, measure, qrels, run)), about
                found = answer(connection, mean_text(measure, convention, **TABLES, dialect=dialect))
                assert close(found, {measure: (result[measure], *result.counts.values())}), about


PLAIN = {
    # measure: its value for grades by rank, None for an unjudged one, the number of relevant documents, and the cutoff
    "P": lambda grades, relevant, k: len(plain.precision_at_relevant(grades[:k])) / k,
    "Recall": lambda grades, relevant, k: plain.recall(grades, k, relevant=relevant),
    "Success": lambda grades, relevant, k: plain.success(grades, k),
    "AP": lambda grades, relevant, k: plain.average_precision(grades[:k], relevant=relevant),
    "RR": lambda grades, relevant, k: next(iter(plain.precision_at_relevant(grades[:k])), 0),
    "ERR": lambda grades, relevant, k: plain.expected_reciprocal_rank(grades, 4, k) if relevant else math.nan,
    "RBP": lambda grades, relevant, k: plain.rank_biased_precision([min(each, 1) for each in grades], 0.8, 1, k),
}


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    ranked=st.lists(st.none() | st.integers(0, 4), min_size=1, max_size=8),
    lost=st.lists(st.integers(0, 4), min_size=1, max_size=3),
    k=st.integers(1, 9),
)
def test_a_query_gives_what_the_plain_formulas_give(ranked, lost, k, engine):
    connection, dialect = engine
    judged = {f"d{rank}": grade for rank, grade in enumerate(ranked) if grade is not None}
    qrels = {"q": judged | {f"lost{number}": grade for number, grade in enumerate(lost)}}
    fill(connection, qrels, {"q": {f"d{rank}": -rank for rank in range(len(ranked))}})
    grades, relevant = [grade or 0 for grade in ranked], sum(grade > 0 for grade in qrels["q"].values())
    wanted = {f"{name}@{k}": formula(grades, relevant, k) for name, formula in PLAIN.items()}
    wanted |= {"Rprec": plain.r_precision(grades, relevant=relevant), "Judged": plain.judgment_rate(ranked)}
    wanted |= {f"Judged@{k}": plain.judgment_rate(ranked, k), f"CG@{k}": plain.cg(grades, k)}
    convention = Convention(ties="id-descending")
    found = {measure: answer(connection, sql_text(measure, convention, dialect=dialect))["q"][-1] for measure in wanted}
    assert found == pytest.approx(wanted, rel=1e-12, nan_ok=True)


def test_a_negative_grade_that_the_gains_of_ir_measures_lack_gains_0(engine):
    """The grades -1, 0 and 1, in this order, gain 0, 1 and 4; clamped first, -1 would gain what 0 gains."""
    connection, dialect = engine
    convention = replace(convention_of(parse("nDCG(gains={0:1,1:4})")), scores="float64")
    fill(connection, {"q": {"a": -1, "b": 0, "c": 1}}, {"q": {"a": 3, "b": 2, "c": 1}})
    found = answer(connection, sql_text("nDCG@3", convention, dialect=dialect))
    assert found["q"][2] == pytest.approx((1 / LOG3 + 4 / 2) / (4 + 1 / LOG3), rel=1e-15)


TIED = (1 + 1 / LOG3) / 2
BEYOND = 2.0**128 - 2.0**103  # half a unit above the largest number in single precision, where rounding goes up
LARGE = [
    # score of the document that is not relevant, of the one that is, its discounted gain, why
    (BEYOND, 2.0**128 - 2.0**104, 1 / LOG3, "infinity goes before the largest number"),
    (BEYOND, 1e39, TIED, "both are infinite"),
    (math.nextafter(BEYOND, 0), 2.0**128 - 2.0**104, TIED, "both are the largest number"),
    (math.nextafter(-BEYOND, 0), -(2.0**128) + 2.0**104, TIED, "both are the lowest number"),
]


@pytest.mark.parametrize("engine", ["duckdb"], indirect=True)
@every_row(("other", "relevant", "gained", "why"), LARGE)
def test_large_scores_are_as_in_single_precision(other, relevant, gained, why, engine):
    qrels, run = {"q": {"d": 1}}, {"q": {"o": other, "d": relevant}}
    fill(engine[0], qrels, run)
    convention = Convention(scores="float32")
    assert evaluate(qrels, run, "nDCG", convention)["nDCG"] == pytest.approx(gained)
    assert answer(engine[0], sql_text("nDCG", convention))["q"][2] == pytest.approx(gained)


# An unjudged document, which gains 0, goes before another one in the ideal of all judged documents and those retrieved
RAISED = Convention(gain=((-1, 2), (0, 0), (1, 1)), ideal_order="grade", negative="keep")
BEFORE = [
    # convention, grades, ideal DCG
    (Convention(gain=[0, -1, 3]), {"a": 2, "b": 1}, 3 - 1 / 2),  # grade 1 gains -1
    (RAISED, {"a": 1, "b": -1}, 1 + 2 / 2),  # in the order of the grades it goes before grade -1, which gains 2
    (Convention(gain=[0, 1, 3]), {"a": 2, "b": 1}, 3 + 1 / LOG3),  # and nowhere else
]


@every_row(("convention", "grades", "ideal"), BEFORE)
def test_an_unjudged_document_is_where_its_gain_puts_it_in_the_ideal(convention, grades, ideal, engine):
    qrels, run = {"q": grades}, {"q": {"a": 3.0, "x": 2.0, "b": 1.0}}
    assert evaluate(qrels, run, "nDCG", convention, check_swap=False).idcg["nDCG"]["q"] == pytest.approx(ideal)
    fill(engine[0], qrels, run)
    found = answer(engine[0], sql_text("nDCG", convention, dialect=engine[1]))
    assert found["q"][1] == pytest.approx(ideal)


OF_FRACTIONS = [
    # convention, rows of the checks with a number above 0, NDCG of the grades 0.1 and 1, which the text has anyway
    (None, {"fractional grade": 1}, (0.1 + 1 / LOG3) / (1 + 0.1 / LOG3)),
    ("trec_eval", {"truncated grade": 1}, 1 / LOG3),
    ("STANDARD", {}, (0.1 + 1 / LOG3) / (1 + 0.1 / LOG3)),
]


@every_row(("convention", "checks", "value"), OF_FRACTIONS)
def test_the_checks_count_fractional_grades_that_are_refused_or_truncated(engine, convention, checks, value):
    connection, dialect = engine
    fill(connection, {"q": {"a": 0.1, "b": 1}, "missing": {"a": 0.1}}, {"q": {"a": 3, "b": 2}})
    rows = connection.execute(offenders_text("nDCG", convention, dialect=dialect)).fetchall()
    assert {problem: count for problem, count in rows if count} == checks
    assert answer(connection, sql_text("nDCG", convention, dialect=dialect))["q"][2] == pytest.approx(value)


OF_REFUSALS = [
    # measure, convention, rows of the checks with a number above 0
    ("ERR(max_rel=2)@3", "trec_eval", {"grade off its scale": 1}),
    ("AP", Convention(ties="id-ascending", zero_ideal="error"), {"query without relevant document": 1}),
    ("RR", Convention(ties="id-ascending", zero_ideal="error"), {}),  # which is 0 then
]


@every_row(("measure", "convention", "checks"), OF_REFUSALS)
def test_the_checks_count_what_a_measure_without_gains_is_refused_for(engine, measure, convention, checks):
    connection, dialect = engine
    sides = {"q": {"a": 3}, "none": {"a": 0}}, {"q": {"a": 1.5}, "none": {"a": 0.5}}
    fill(connection, *sides)
    rows = connection.execute(offenders_text(measure, convention, dialect=dialect)).fetchall()
    assert {problem: count for problem, count in rows if count} == checks
    if checks:
        with pytest.raises(ValueError, match=r"^qrels\['(q'\]\['a|none)'\]: (expected a grade from 0 to |grades: exp)"):
            evaluate(*sides, measure, convention)


# Engines that are not run here: their grammar takes the query
PARSED = [
    # dialect, engine
    *(("portable", engine) for engine in ("bigquery", "snowflake", "postgres", "trino")),
    ("spark", "spark"),
]


@every_row(("dialect", "parser"), PARSED)
def test_other_engines_can_parse_the_query(dialect, parser):
    for measure, convention in dict(SAID).items():
        text = sql_text(measure, replace(convention, scores="float64"), **TABLES, dialect=dialect)
        mean = mean_text(measure, replace(convention, scores="float64"), **TABLES, dialect=dialect)
        sums = ["dcg", "idcg"] if parse(measure).name in OF_GAINS else ["relevant"]
        for made, columns in ((text, ["query", *sums, "value"]), (mean, ["measure", "mean", *COUNTS])):
            [parsed] = sqlglot.parse(made, read=parser, error_level=sqlglot.ErrorLevel.RAISE)
            assert [each.alias_or_name for each in parsed.selects] == columns


NAMES = [
    # name, how the portable text has it
    ("run", "run"),
    ("order", '"order"'),
    ("current_user", '"current_user"'),
    ("2026 run", '"2026 run"'),
]


@every_row("dialect", ["duckdb", "spark", "portable"])
@every_row("text", [sql_text, offenders_text, mean_text])
def test_a_template_stays_as_it_is_whatever_it_names(text, dialect):
    made = text("nDCG@1", qrels="{{ ref('a-b.parquet') }}", dialect=dialect)
    assert "  from {{ ref('a-b.parquet') }}\n" in made


@pytest.mark.parametrize("engine", ["duckdb"], indirect=True)
def test_a_quote_in_the_name_of_a_measure_ends_no_text(engine):
    fill(engine[0], {"q": {"d": 2}}, {"q": {"o": 2, "d": 1}})
    measure = "nDCG(dcg='exp-log2')@2"
    assert answer(engine[0], mean_text(measure))[measure][0] == pytest.approx(1 / LOG3)


@every_row(("name", "written"), NAMES)
def test_a_portable_name_has_quotes_only_where_it_needs_them(name, written):
    """BigQuery takes a name in these quotes for text, and Snowflake asks for its capitals."""
    assert f"  from {written}\n" in sql_text("nDCG@1", run=name, dialect="portable")
    quoted = '"."'.join(name.split("."))
    assert f'  from "{quoted}"\n' in sql_text("nDCG@1", run=name)


FILES = [
    # dialect, name of the judgments, comment on it
    ("duckdb", "x.csv", "-- x.csv: DuckDB reads a local file of this name if it has no such table\n"),
    ("duckdb", "x", ""),
    ("duckdb", "x.parquet", ""),  # which is meant
    ("duckdb", "{{ ref('x.y') }}", ""),  # which is none yet
    ("spark", "x.csv", ""),
    ("portable", "x.csv", ""),
]


@every_row("text", [sql_text, offenders_text, mean_text])
@every_row(("dialect", "name", "comment"), FILES)
def test_a_name_that_duckdb_may_take_for_a_local_file_has_a_comment(text, dialect, name, comment):
    made = text("nDCG@1", qrels=name, dialect=dialect)
    assert "".join(line for line in made.splitlines(keepends=True) if "local file" in line) == comment


# Words that cannot be the name of a table without quotes, from the lists of the engines
RESERVED_IN = {
    # as sqlglot lists them
    "bigquery": " ".join(Dialect.get_or_raise("bigquery").generator_class.RESERVED_KEYWORDS),
    "trino": " ".join(Dialect.get_or_raise("trino").generator_class.RESERVED_KEYWORDS),
    # PostgreSQL 17, appendix C, "reserved" and "reserved (can be function or type)"
    "postgres": """
        all analyse analyze and any array as asc asymmetric authorization binary both case cast check collate
        collation column concurrently constraint create cross current_catalog current_date current_role current_schema
        current_time current_timestamp current_user default deferrable desc distinct do else end except false fetch
        for foreign freeze from full grant group having ilike in initially inner intersect into is isnull join lateral
        leading left like limit localtime localtimestamp natural not notnull null offset on only or order outer
        overlaps placing primary references returning right select session_user similar some symmetric system_user
        table tablesample then to trailing true union unique user using variadic verbose when where window with
        """,
    # Snowflake, "Reserved & limited keywords"
    "snowflake": """
        all alter and any as between by case cast check column connect constraint create cross current current_date
        current_time current_timestamp current_user delete distinct drop else exists false following for from full
        grant group having ilike in increment inner insert intersect into is join lateral left like localtime
        localtimestamp minus natural not null of on or order qualify regexp revoke right rlike row rows sample select
        set some start table tablesample then to trigger true try_cast union unique update using values when whenever
        where with
        """,
}


@every_row("words", [*RESERVED_IN.values()])
def test_a_portable_name_that_an_engine_reserves_has_quotes(words):
    names = words.lower().split()
    assert len(names) > 50
    assert [run for run in names if f'  from "{run}"\n' not in sql_text("nDCG@1", run=run, dialect="portable")] == []


@every_row(("ties", "direction"), [("best", "desc"), ("worst", "asc")])
def test_the_best_and_the_worst_order_of_a_tie_are_by_grade_and_gain_alone(ties, direction):
    text = sql_text("nDCG@10", Convention(ties=ties))
    assert f"by score desc, coalesce(grade, 0) {direction}, coalesce(gain, 0) {direction}) as rank" in text


@every_row(("dialect", "null"), [("spark", "cast(null as double)"), ("portable", "null * 1e0")])
def test_the_ideal_of_dcg_is_a_null_with_a_type(dialect, null):
    """A table can be made of it: most engines have no column of a null without a type."""
    assert f"{null} as idcg" in sql_text("DCG@10", dialect=dialect)


REFUSED = [
    # measure, convention, arguments, message
    ("AP", Convention(), {}, "measures: 'AP' needs a rank for each document, which averaged ties do not give"),
    ("nDCG", Convention(gain=math.sqrt), {}, "gain: expected one that a query can say, got a function .gain"),
    ("nDCG", Convention(ties="input"), {}, 'ties: expected a column of the order for ties="input", got none'),
    ("nDCG", "pytrec_eval-terrier", {"dialect": "portable"}, 'scores: expected "float64" for the portable dialect'),
    ("nDCG", None, {"dialect": "oracle"}, "dialect: expected one of 'duckdb', 'spark', 'portable', got 'oracle'"),
    ("nDCG", None, {"dialect": "portable", "run": "r.parquet"}, "expected the name of a table .* got a file"),
    ("nDCG", None, {"run": "{{ a }} join {{ b }}"}, "expected the name of a table or a column, of letters"),
    ("nDCG", None, {"run": 'run"; drop table x; --'}, "expected the name of a table or a column, of letters"),
]


@every_row(("measure", "convention", "arguments", "message"), REFUSED)
def test_what_a_query_cannot_say_is_refused(measure, convention, arguments, message):
    with pytest.raises(ValueError, match=message):
        sql_text(measure, convention, **arguments)
