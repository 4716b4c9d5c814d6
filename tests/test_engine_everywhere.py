"""Text, frames, Parquet and DuckDB give one result, of every measure and in every function that takes an engine."""

import random
import tempfile
from pathlib import Path

import drawn_runs
import duckdb
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ndcg_ref import assert_no_drop, compare_runs, evaluate, explain, which_mean
from ndcg_ref.conventions.spellings import BY_RANK
from ndcg_ref.explaining.matches import TRIED
from ndcg_ref.sql.query_text import without_order

MEASURES = ["nDCG", "nDCG@2", "DCG@3", "CG@2", "AP", "AP@3", "RR@2", "P@2", "R@3", "Recall", "Success@2", "Rprec"]
MEASURES += ["Judged", "Judged@2", "ERR(max_rel=40)@3", "RBP", "P(rel=2)@3"]
# Of ids, none of which has a blank, as in TREC's format
ODD = st.text("aéZ😀#'\"%{}$\\0", min_size=1, max_size=3)
SCORES = st.sampled_from([0.0, -0.0, 1.0, 1 + 1e-9, 1e39, -3.5, 2.25])


def sides(grades):
    """Judgments and a run, with ties, unjudged documents, and queries that one side lacks."""
    queries, documents = ODD.map("q{}".format), ODD
    qrels = st.dictionaries(queries, st.dictionaries(documents, grades, min_size=1, max_size=6), min_size=1, max_size=4)
    shared = qrels.flatmap(lambda judged: st.tuples(st.just(judged), st.sampled_from(sorted(judged))))
    return shared.flatmap(
        lambda both: st.tuples(
            st.just(both[0]),
            st.dictionaries(
                queries | st.sampled_from(sorted(both[0])),
                st.dictionaries(documents | st.sampled_from(sorted(both[0][both[1]])), SCORES, min_size=1, max_size=8),
                min_size=1,
                max_size=4,
            ),
        )
    )


def frame(side, value):
    rows = [(query, document, float(number)) for query, values in side.items() for document, number in values.items()]
    return pd.DataFrame(rows, columns=["query_id", "doc_id", value])


def outcome(*arguments, **options):
    try:
        return evaluate(*arguments, **options, check_swap=False)
    except ValueError:
        return ValueError


@pytest.mark.long
@settings(max_examples=25, deadline=None)
@given(
    data=sides(st.sampled_from([0, 1, 2, 3])) | sides(st.sampled_from([-1, 0, 0.5, 2])),
    measures=st.lists(st.sampled_from(MEASURES), min_size=1, max_size=4, unique=True),
    random=st.randoms(use_true_random=False),
)
def test_every_form_gives_the_result_of_mappings(data, measures, random):
    qrels, run = data
    convention = drawn_runs.convention(random)
    if convention.ties == "average":
        measures = [each for each in measures if not each.startswith(BY_RANK)] or ["nDCG@1"]
    expected = outcome(qrels, run, measures, convention)
    frames = frame(qrels, "relevance"), frame(run, "score")
    connection = duckdb.connect(config={"threads": 1})
    with tempfile.TemporaryDirectory() as folder:
        paths = [f"{folder}/{name}.parquet" for name in ("qrels", "run")]
        for name, path, given_frame in zip(("qrels", "run"), paths, frames, strict=True):
            connection.register("given_frame", given_frame)
            connection.execute(f"create table {name} as select * from given_frame order by hash(doc_id)")
            connection.execute(f"copy given_frame to '{path}' (format parquet)")
        text = Path(folder, "qrels.txt"), Path(folder, "run.txt")
        text[0].write_text("".join(f"{q} 0 {d} {g!r}\n" for q, d, g in frames[0].itertuples(index=False)), "utf-8")
        text[1].write_text("".join(f"{q} Q0 {d} 1 {s!r} t\n" for q, d, s in frames[1].itertuples(index=False)), "utf-8")
        found = {
            "text": outcome(*text, measures, convention),
            "frames": outcome(*frames, measures, convention),
            "Parquet": outcome(*paths, measures, convention),
            "judgments in memory": outcome(qrels, paths[1], measures, convention),
        }
        if convention.ties != "input":  # which a table does not have
            found["DuckDB"] = outcome("qrels", "run", measures, convention, engine=connection)
    connection.close()
    for form, result in found.items():
        if isinstance(expected, type):
            assert result == expected, form
        else:
            assert drawn_runs.same(result, expected), form


QRELS: dict[str, dict] = {f"q{n}": {"d1": n % 3, "d2": 1, "d3": 0, "lost": 2} for n in range(6)}
ONE: dict[str, dict] = {f"q{n}": {f"d{m}": float((n * m) % 4) for m in range(1, 9)} for n in range(6)}
OTHER: dict[str, dict] = {f"q{n}": {f"d{m}": float((n + m) % 3) for m in range(1, 9)} for n in range(1, 7)}


@pytest.fixture(scope="module")
def engine():
    connection = duckdb.connect(config={"threads": 1})
    for name, side, value in (("qrels", QRELS, "relevance"), ("one", ONE, "score"), ("other", OTHER, "score")):
        connection.register("given", frame(side, value))
        connection.execute(f"create table {name} as select * from given")
    return connection


RANDOM = random.Random(27)
NAMES = [f"q{n}" for n in RANDOM.sample(range(100), 40)]  # not in the order of their names, as a table has them
JUDGED: dict[str, dict] = {query: {f"d{m}": RANDOM.randrange(4) for m in range(8)} for query in NAMES}
BETTER: dict[str, float] = {"bm25": 0, "dense": 0.5, "fused": 1}  # run: what a grade adds to the score


def drawn_run(better):
    """A run with ties, unjudged documents, a query that nobody judged, and without two that are judged."""
    queries = [*RANDOM.sample(NAMES, 38), "extra"]
    graded = ({**dict.fromkeys(("x", "y"), 0), **JUDGED.get(query, {"d": 0})} for query in queries)
    return {
        query: {document: RANDOM.randrange(9) / 2 + grade * better + 0.25 for document, grade in of.items()}
        for query, of in zip(queries, graded, strict=True)
    }


RUNS: dict[str, dict] = {name: drawn_run(better) for name, better in BETTER.items()}


@pytest.fixture(scope="module")
def in_every_form(tmp_path_factory):
    """Judgments, runs and an engine, by the form in which the same data are given."""
    folder, connection = tmp_path_factory.mktemp("forms"), duckdb.connect(config={"threads": 1})
    sides = {"qrels": frame(JUDGED, "relevance"), **{name: frame(run, "score") for name, run in RUNS.items()}}
    for name, rows in sides.items():
        connection.register("given", rows)
        connection.execute(f"create table {name} as select * from given order by hash(doc_id)")
        connection.execute(f"copy given to '{folder}/{name}.parquet' (format parquet)")
        line = "{} 0 {} {:.0f}\n" if name == "qrels" else "{} Q0 {} 1 {} t\n"
        Path(folder, f"{name}.txt").write_text("".join(line.format(*row) for row in rows.itertuples(index=False)))
    return {
        "mappings": (JUDGED, RUNS, None),
        "text": (folder / "qrels.txt", {name: folder / f"{name}.txt" for name in RUNS}, None),
        "frames": (sides["qrels"], {name: sides[name] for name in RUNS}, None),
        "Parquet": (folder / "qrels.parquet", {name: folder / f"{name}.parquet" for name in RUNS}, None),
        "DuckDB": ("qrels", {name: name for name in RUNS}, connection),
    }


@pytest.mark.parametrize("options", [{"baseline": "bm25"}, {}, {"test": "bootstrap", "resamples": 1000}, {"test": "t"}])
def test_every_form_gives_one_table_with_its_tests_and_counts(in_every_form, options):
    """Byte for byte, for a paper too."""
    said = {}
    for form, (qrels, runs, engine) in in_every_form.items():
        found = compare_runs(qrels, runs, ["nDCG@3", "AP", "P@2", "Judged@5"], engine=engine, **options)
        written = found.to_text(), found.to_markdown(), found.to_latex(), found.to_html()
        said[form] = *written, found.pairs, found.left_out, [result.counts for result in found.results.values()]
    expected = said.pop("mappings")
    assert all(expected[-1][0][count] for count in ("missing", "extra", "tied", "unjudged"))
    assert any(mark in expected[0] for mark in "†‡ab")
    for form, found in said.items():
        assert found == expected, form


def test_a_gate_holds_runs_in_tables(engine):
    said = []
    for arguments, options in ((("qrels", "other", "one"), {"engine": engine}), ((QRELS, OTHER, ONE), {})):
        with pytest.raises(AssertionError, match=r"^nDCG@3 drops by") as failed:
            assert_no_drop(*arguments, "nDCG@3", max_drop=0.001, **options)
        said.append(str(failed.value))
    assert said[0] == said[1]


def test_the_mean_of_a_run_in_a_table_has_the_conventions_that_print_it(engine):
    """Those that rank ties in the order of the input cannot be tried: a table has none."""
    found = which_mean("0.25", "qrels", "one", "nDCG@3", engine=engine)
    expected = which_mean("0.25", QRELS, ONE, "nDCG@3")
    in_order = {name for name, reason in found.untried if reason == without_order()}
    assert in_order == {name for name, each in TRIED.items() if each.ties == "input"}
    assert [row for row in expected.means if row.convention not in in_order] == list(found.means)
    assert found.means


@pytest.mark.parametrize("measure", ["nDCG@3", "P@3"])
@pytest.mark.parametrize(("a", "b"), [("scikit-learn", "trec_eval"), ("trec_eval", "pytrec_eval"), ("gdeval", "ranx")])
def test_two_conventions_are_explained_on_a_run_in_a_table(engine, a, b, measure):
    try:
        expected = explain(QRELS, ONE, a, b, measure)
    except ValueError as error:
        with pytest.raises(ValueError, match=str(error)[:20]):
            explain("qrels", "one", a, b, measure, engine=engine)
    else:
        assert str(explain("qrels", "one", a, b, measure, engine=engine)) == str(expected)
