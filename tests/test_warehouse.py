"""The models for dbt are what the command prints, and give what `evaluate` gives; `make interop` has dbt run them."""

import re
import shlex
from pathlib import Path

import duckdb
import pytest

from ndcg_ref import evaluate
from ndcg_ref.commands.cli import main
from ndcg_ref.runs.result import COUNTS
from ndcg_ref.sql.query_text import Table, sql_text

PROJECT = Path(__file__).resolve().parent.parent / "examples" / "warehouse"
WRITTEN = re.findall(r"^#   ndcg-ref (.+) > (\S+)$", (PROJECT / "dbt_project.yml").read_text("utf-8"), re.MULTILINE)
assert {name for _, name in WRITTEN} == {f"models/{path.name}" for path in (PROJECT / "models").iterdir()}


@pytest.fixture(scope="module")
def result():
    """What `evaluate` gives for the seeds, of which each side lacks a query."""
    sides = []
    for name in ("qrels", "run"):
        side = {}
        for line in (PROJECT / f"seeds/{name}.csv").read_text("utf-8").splitlines()[1:]:
            query, document, value = line.split(",")
            side.setdefault(query, {})[document] = float(value)
        sides.append(side)
    return evaluate(*sides, "nDCG@5", "trec_eval")


@pytest.fixture(scope="module")
def rows(result):
    """Runs a model on DuckDB, each template replaced by the name that it stands for."""
    with duckdb.connect() as connection:
        for name in ("qrels", "run"):
            connection.execute(f"create table {name} as from read_csv('{PROJECT}/seeds/{name}.csv')")
        yield lambda model: connection.execute(
            re.sub(r"\{\{ ref\('(\w+)'\) \}\}", r"\1", (PROJECT / f"models/{model}.sql").read_text("utf-8"))
        ).fetchall()


@pytest.mark.parametrize(("line", "model"), WRITTEN)
def test_a_model_is_what_the_command_prints(line, model, capsys):
    assert main(shlex.split(line)) == 0
    assert capsys.readouterr().out == (PROJECT / model).read_text("utf-8")


def test_a_model_has_the_value_of_each_query(rows, result):
    assert {query: value for query, _, _, value in rows("ndcg")} == pytest.approx(result.per_query["nDCG@5"], rel=1e-12)


def test_a_model_has_the_mean_and_the_counts(rows, result):
    [row] = rows("ndcg_mean")
    assert row == ("nDCG@5", pytest.approx(result["nDCG@5"], rel=1e-12), *(result.counts[name] for name in COUNTS))
    assert {name for name in COUNTS if not result.counts[name]} == {"without_ideal", "truncated"}


def test_the_command_takes_the_column_of_the_order(capsys):
    assert main(["sql", "nDCG@5", "--as", "ranx", "--order", "place"]) == 0
    run = Table("run", "score", order="place")
    assert capsys.readouterr().out == sql_text("nDCG@5", "ranx", run=run, dialect="portable") + "\n"
