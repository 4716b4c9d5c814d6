"""The same judgments and the same run, from files and objects of many kinds, give the same counts and values."""

import bz2
import csv
import gzip
import io
import json
import lzma
import math
import random
import re
import sys
from importlib.util import find_spec
from typing import NamedTuple

import numpy
import pandas
import polars
import pyarrow
import pytest
from rows import every_row

from ndcg_ref import evaluate
from ndcg_ref.runs import batches, inputs, sources, tabular
from ndcg_ref.runs.inputs import COLUMNS
from ndcg_ref.runs.sources import TrecError
from ndcg_ref.runs.tabular import format_of
from ndcg_ref.runs.trec import read_run

zstd = __import__("compression.zstd" if find_spec("compression") else "backports.zstd", fromlist=["compress"])

MEASURES = ["nDCG@10", "AP", "P@5", "R@100", "nDCG"]
DRAWN = random.Random(14)
QRELS = {f"q{q}": {f"d{d}": DRAWN.randrange(4) for d in DRAWN.sample(range(60), 12)} for q in range(30)}
RUN = {
    f"q{q}": {f"d{d}": round(DRAWN.uniform(-3, 3), 1) for d in DRAWN.sample(range(60), 40)}
    for q in [*range(3, 30), 31, 32]
}
EXPECTED = evaluate(QRELS, RUN, MEASURES)


def rows_of(side):
    """Query, document and value of each row."""
    return [(query, document, value) for query, values in side.items() for document, value in values.items()]


def trec(side):
    """TREC's lines."""
    line = "{} 0 {} {}\n" if side is QRELS else "{} Q0 {} 1 {} tag\n"
    return "".join(line.format(*row) for row in rows_of(side)).encode()


def table(separator, *names):
    """A writer of tables with a header row."""

    def written(side):
        text = io.StringIO()
        writer = csv.writer(text, delimiter=separator, lineterminator="\n")
        writer.writerow([*names, *(["score"] if len(names) == 2 else [])])
        writer.writerows([*row, *[0] * (len(names) - 3)] for row in rows_of(side))
        return text.getvalue().encode()

    return written


def json_lines(side):
    """An object for each row."""
    return "".join(
        json.dumps({"query-id": query, "corpus-id": document, "score": value}) + "\n"
        for query, document, value in rows_of(side)
    ).encode()


FILES = {
    # what: bytes of a side
    "TREC": trec,
    "TREC, gzip": lambda side: gzip.compress(trec(side)),
    "TREC, bzip2": lambda side: bz2.compress(trec(side)),
    "TREC, xz": lambda side: lzma.compress(trec(side)),
    "TREC, zstd": lambda side: zstd.compress(trec(side)),
    "TSV": table("\t", "query-id", "corpus-id"),
    "CSV": table(",", "query-id", "corpus-id"),
    "TSV, gzip": lambda side: gzip.compress(table("\t", "query-id", "corpus-id")(side)),
    "JSON": lambda side: json.dumps(side).encode(),
    "JSON, indented": lambda side: b"\xef\xbb\xbf" + json.dumps(side, indent=2).encode(),
    "JSON lines": json_lines,
    "JSON lines, zstd": lambda side: zstd.compress(json_lines(side)),
}


def same(found):
    """Whether a result has the counts and the values that are expected."""
    assert found.counts == EXPECTED.counts
    for measure in MEASURES:
        assert found.per_query[measure] == pytest.approx(EXPECTED.per_query[measure], abs=1e-12, nan_ok=True)
        assert found.mean[measure] == pytest.approx(EXPECTED.mean[measure], abs=1e-12)
    return True


def test_there_is_something_to_compare():
    assert EXPECTED.counts["evaluated"] == 27
    assert EXPECTED.counts["missing"] == 3
    assert EXPECTED.counts["extra"] == 2
    assert EXPECTED.counts["tied"] > 0
    assert len(set(EXPECTED.per_query["nDCG@10"].values())) > 20


class Qrel(NamedTuple):
    """A judgment of ir_measures and ir_datasets."""

    query_id: str
    doc_id: str
    relevance: int
    iteration: str = "0"


class ScoredDoc(NamedTuple):
    """A retrieved document of ir_measures and ir_datasets."""

    query_id: str
    doc_id: str
    score: float


NAMES = ["query-id", "corpus-id", "score"]
FRAMES = {
    # what: rows in columns of these names
    "pandas": lambda rows, names=NAMES: pandas.DataFrame(rows, columns=names),
    "polars": lambda rows, names=NAMES: polars.DataFrame(rows, schema=names, orient="row"),
    "polars, lazy": lambda rows, names=NAMES: polars.LazyFrame(rows, schema=names, orient="row"),
    "pyarrow": lambda rows, names=NAMES: pyarrow.table(pandas.DataFrame(rows, columns=names)),
}


def columns(side, names=NAMES):
    """The rows of a side as columns; "extra" is one that nobody needs."""
    return {**dict(zip(names, map(list, zip(*rows_of(side), strict=True)), strict=True)), "extra": None}


def in_arrow(side):
    """A table of pyarrow without the extra column, which pyarrow cannot make of None."""
    return pyarrow.table({name: values for name, values in columns(side).items() if values})


def categories(side):
    """A table of pyarrow whose ids are numbers of a dictionary, and its scores decimal."""
    table = in_arrow(side)
    scores = table["score"].cast(pyarrow.decimal128(24, 1))
    ids = [table[name].dictionary_encode() for name in ("query-id", "corpus-id")]
    return pyarrow.table([*ids, scores], names=["qid", "docno", "label" if side is QRELS else "score"])


OBJECTS = {
    # what: an object made of a side
    "pandas": lambda side: pandas.DataFrame(columns(side)),
    "pandas, objects": lambda side: pandas.DataFrame(columns(side), dtype=object),
    "pandas, categories": lambda side: pandas.DataFrame(columns(side)).astype({"query-id": "category"}),
    "pandas, another index": lambda side: pandas.DataFrame(columns(side), index=[7] * len(rows_of(side))),
    "polars": lambda side: polars.DataFrame(columns(side)),
    "polars, lazy": lambda side: polars.LazyFrame(columns(side)),
    "pyarrow": in_arrow,
    "pyarrow, one batch": lambda side: in_arrow(side).to_batches()[0],
    "pyarrow, dictionaries": categories,
    "triples": rows_of,
    "lists": lambda side: list(map(list, rows_of(side))),
    "a generator": lambda side: iter(rows_of(side)),
    "ir_measures": lambda side: [(Qrel if side is QRELS else ScoredDoc)(*row) for row in rows_of(side)],
}


@pytest.mark.parametrize("size", [7, 2**14])
@pytest.mark.parametrize("kind", OBJECTS)
def test_rows_give_what_the_dictionaries_give(kind, size, monkeypatch):
    monkeypatch.setattr(inputs, "AT_ONCE", size)
    monkeypatch.setattr(batches, "MOST_ROWS", 5 * size)
    assert same(evaluate(OBJECTS[kind](QRELS), OBJECTS[kind](RUN), MEASURES))


@pytest.mark.parametrize("kind", FRAMES)
def test_a_run_in_a_frame_is_read_some_queries_at_a_time(kind, monkeypatch):
    monkeypatch.setattr(inputs.InputRows, "whole", None)
    monkeypatch.setattr(batches, "MOST_ROWS", 10)
    monkeypatch.setattr(batches, "batch_of", counted := Counted(batches.batch_of))
    assert same(evaluate(QRELS, OBJECTS[kind](RUN), MEASURES))
    assert counted.calls == len(RUN)


@pytest.mark.parametrize("form", ["TSV, gzip", "JSON lines", "ranks"])
def test_a_run_in_a_file_with_lines_is_read_some_queries_at_a_time(form, file, monkeypatch):
    ranks = {query: {document: -place for place, document in enumerate(of, 1)} for query, of in RUN.items()}
    run = ranks if form == "ranks" else RUN
    text = "".join(f"{query} {document} {-score}\n" for query, document, score in rows_of(ranks))
    path = file(text if form == "ranks" else FILES[form](RUN))
    monkeypatch.setattr(tabular.OtherRun, "whole", None)
    monkeypatch.setattr(batches, "MOST_ROWS", 10)
    monkeypatch.setattr(batches, "batch_of", counted := Counted(batches.batch_of))
    assert evaluate(QRELS, path, MEASURES).per_query == evaluate(QRELS, run, MEASURES).per_query
    assert counted.calls == len(RUN)


class Counted:
    """A function whose calls are counted."""

    def __init__(self, function):
        self.function, self.calls = function, 0

    def __call__(self, *arguments):
        self.calls += 1
        return self.function(*arguments)


@every_row("make", [*FRAMES.values(), list])
def test_rows_of_a_query_may_be_apart(make):
    assert same(evaluate(QRELS, make(sorted(rows_of(RUN), key=lambda row: row[2])), MEASURES))


def test_the_documentation_names_all_columns():
    assert all(f"``{name}``" in evaluate.__doc__ for names in COLUMNS.values() for name in names)


NUMBERED = {"7": {"12": 1, "13": 0}, "8": {"12": 2}}
IN_NUMBERS = [(int(query), int(document), value + 2) for query, document, value in rows_of(NUMBERED)]
WITH_NUMBERS = [
    # rows of a run whose ids are whole numbers, in what
    IN_NUMBERS,
    [(numpy.int64(query), numpy.uint8(document), numpy.float32(value)) for query, document, value in IN_NUMBERS],
    *(make(IN_NUMBERS, ["qid", "docno", "score"]) for make in FRAMES.values()),
]


@pytest.mark.parametrize("run", WITH_NUMBERS, ids=lambda run: type(run).__name__)
def test_whole_numbers_are_ids_and_compared_as_text(run):
    expected = evaluate(NUMBERED, {q: {d: v + 2 for d, v in of.items()} for q, of in NUMBERED.items()}, MEASURES)
    judged = pandas.DataFrame(rows_of(NUMBERED), columns=["qid", "docno", "label"])
    for qrels in (NUMBERED, judged, judged.astype({"qid": int, "docno": int}), IN_NUMBERS):
        found = evaluate(qrels, run, MEASURES, check_swap=False)
        assert (found.counts, len(found.per_query["nDCG"])) == (expected.counts, 2)
        if qrels is not IN_NUMBERS:
            assert found.per_query == expected.per_query


WITHOUT_IDS = [
    # side, the place of the row that has an empty id in a mapping, in rows, the row
    ({"q": {"d": 2.5}, "": {"d": 1}}, "", "row 1: query", ("", "d", 1)),
    ({"q": {"d": 2.5, "": 1}}, "['q']", "row 1: document", ("q", "", 1)),
]


@pytest.mark.parametrize("side", ["qrels", "run"])
@pytest.mark.parametrize(("given", "place", "row_place", "row"), WITHOUT_IDS, ids=["a query", "a document"])
def test_empty_ids_are_refused_in_every_form(side, given, place, row_place, row):
    what = row_place.rpartition(" ")[2]
    names = {"query": "query-id", "document": "corpus-id"}
    rows = [("q", "d", 2.5), row]
    forms = {
        f"{side}{place}: expected the id of a {what}, got empty text (a missing value?)": [given],
        f"{side}: {row_place}: expected an id, got empty text (a missing value?)": [rows],
        f"{side}: row 1: {names[what]}: expected an id, got empty text (a missing value?)": [
            frame(dict(zip(("query-id", "corpus-id", "score"), zip(*rows, strict=True), strict=True)))
            for frame in (pandas.DataFrame, polars.DataFrame, pyarrow.table)
        ],
    }
    for message, alike in forms.items():
        for each in alike:
            sides = {"qrels": {"q": {"d": 1}}, "run": {"q": {"d": 1.5}}, side: each}
            with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
                evaluate(sides["qrels"], sides["run"], check_swap=False)


@pytest.mark.parametrize("value", [True, numpy.True_])
def test_a_grade_that_is_true_is_1_in_every_form_that_has_such_values(value, file):
    rows = [("q", "d", value), ("q", "e", not value)]
    text = '{"query-id": "q", "corpus-id": "d", "score": true}\n{"query-id": "q", "corpus-id": "e", "score": false}\n'
    forms = [
        {"q": {"d": value, "e": not value}},
        rows,
        *(make(rows) for make in FRAMES.values()),
        file('{"q": {"d": true, "e": false}}', "nested.json"),
        file(text, "lines.jsonl"),
    ]
    for qrels in forms:
        assert evaluate(qrels, {"q": {"e": 2.5, "d": 1}}, "RR").mean == {"RR": 1 / 2}


NAN = math.nan
WRONG_ROWS = [
    # rows of a run, exception, message, why
    ([("q", "d")], TypeError, "run: row 0: expected (query, document, score), got ('q', 'd')", "a pair"),
    (
        [("q", "d", 1.5), ("q", "Q0", "e", 1.0)],
        TypeError,
        "run: row 1: expected (query, document, score), got ('q', 'Q0', 'e', 1.0) (its other fields need names)",
        "a fourth field",
    ),
    (b"q Q0 d 1 2.5 t", TypeError, "run: expected a dict of dicts, a data frame, rows of (query", "bytes"),
    ([ScoredDoc("q", "d", 1.5), ("q", "e", 1)], TypeError, "run: row 1: expected ScoredDoc, got ('q', 'e', 1)", "both"),
    (
        [Qrel("q", "d", 1)],
        ValueError,
        "run: row 0: expected a column score, got query_id, doc_id, relevance, iteration (are these qrels?)",
        "judgments",
    ),
    ([("q", "d", "2.5")], TypeError, "run: row 0: score: expected a number, got '2.5' (text is not", "text"),
    ([("q", "d", 1), (None, "e", 1)], TypeError, "run: row 1: query: expected text or a whole number, got None (a", ""),
    ((), ValueError, "run: expected at least one query, got none", "nothing"),
]
NO_ID = "expected text or a whole number, got"
WRONG_COLUMNS = [
    # what differs from two rows of a run, exception, message
    ({"qid": [1.0, NAN]}, TypeError, f"row 0: qid: {NO_ID} 1.0 (missing values turn whole numbers into these)"),
    ({"qid": ["q", None]}, TypeError, f"row 1: qid: {NO_ID} nan (a missing value?)"),
    ({"score": [1.5, None]}, ValueError, "row 1: score: expected a finite number, got nan (a missing value?)"),
    (
        *({"score": ["1.5", "1"]}, TypeError),
        "row 0: score: expected a number, got '1.5' (text is not converted; use float(...) first?)",
    ),
]


@every_row(("rows", "exception", "message", "why"), WRONG_ROWS)
def test_a_broken_row_is_refused_with_its_place(rows, exception, message, why):
    with pytest.raises(exception, match=f"^{re.escape(message)}"):
        evaluate({"q": {"d": 1}}, rows)


@pytest.mark.parametrize(("made", "exception", "message"), WRONG_COLUMNS)
def test_a_broken_row_of_a_frame_is_refused_with_its_column(made, exception, message):
    with pytest.raises(exception, match=f"^run: {re.escape(message)}$"):
        evaluate({"q": {"d": 1}}, pandas.DataFrame({"qid": ["q", "q"], "docno": ["d", "e"], "score": [1.5, 1], **made}))


@every_row("make", [FRAMES["pandas"], FRAMES["polars, lazy"], list])
def test_swapped_rows_are_refused(make):
    scores = [(f"q{query}", f"d{rank}", 1 / (rank + 1)) for query in range(3) for rank in range(9)]
    grades = [(query, document, rank % 3) for rank, (query, document, _) in enumerate(scores)]
    assert evaluate(make(grades), make(scores)).counts["evaluated"] == 3
    with pytest.raises(ValueError, match=r"^run: expected scores, .* \(qrels and run swapped\?"):
        evaluate(make(scores), make(grades))
    assert evaluate(make(scores), make(grades), "nDCG", "scikit-learn", check_swap=False).counts["evaluated"] == 3


def test_what_collects_but_is_no_lazy_frame_is_refused():
    class Cluster:
        columns = ("qid", "docno", "score")

        def collect(self):
            raise AssertionError

    with pytest.raises(TypeError, match=r"^run: expected a dict of dicts, a data frame, .* got a Cluster$"):
        evaluate({"q": {"d": 1}}, Cluster())


@every_row("kind", FILES)
def test_a_file_gives_what_the_dictionaries_give(kind, file):
    qrels, run = file(FILES[kind](QRELS), "qrels"), file(FILES[kind](RUN), "run")
    assert same(evaluate(qrels, run, MEASURES))
    assert same(evaluate(QRELS, run, MEASURES))
    assert same(evaluate(str(qrels), RUN, MEASURES))


COMPRESS = {"bzip2": bz2.compress, "xz": lzma.compress, "zstd": zstd.compress, "gzip": gzip.compress}


class TestCompression:
    LINES = trec(RUN)

    @pytest.mark.parametrize("kind", COMPRESS)
    def test_a_file_in_several_parts_is_read_to_its_end(self, kind, file):
        parts = self.LINES.splitlines(keepends=True)
        path = file(b"".join(COMPRESS[kind](b"".join(parts[i : i + 300])) for i in range(0, len(parts), 300)))
        assert read_run(path) == RUN

    @every_row("kind", COMPRESS)
    @every_row("left", [30, 0.5, -1])
    def test_a_file_cut_short_is_refused(self, kind, left, file):
        made = COMPRESS[kind](self.LINES)
        path = file(made[: int(left * len(made)) if left == 0.5 else left])
        with pytest.raises(TrecError, match=f"a.txt: expected a whole {kind} file, found it cut short"):
            read_run(path)

    @pytest.mark.parametrize("kind", COMPRESS)
    def test_a_second_part_that_is_damaged_is_refused(self, kind, file):
        """The readers of Python's bz2 and lzma end before such a part, in silence."""
        made = COMPRESS[kind](self.LINES)
        for rest in (b"no part at all", made[:20] + b"damaged" + made[27:]):
            with pytest.raises(TrecError, match=r"a.txt: expected a file that can be read, found it damaged: \w"):
                read_run(file(made + rest))

    def test_a_file_that_begins_like_bzip2_is_text(self, file):
        assert read_run(file("BZh9 Q0 d 1 2.5 t\n")) == {"BZh9": {"d": 2.5}}

    def test_zstd_without_a_package_is_refused(self, file, monkeypatch):
        monkeypatch.setattr(sources, "READS_ZSTD", ("no_such_package.zstd",))
        with pytest.raises(TrecError, match=r"a.txt: .*, found: zstd, .*\(pip install 'ndcg-ref\[zstd\]' for earlier"):
            read_run(file(zstd.compress(self.LINES)))


MARCO = "7\t\td1 1\n# a 10\n#comment\n\n8\td2\t1\n7\td2\t12\n"
BROKEN_RANKS = [
    # a line after a first one, the rest of the message
    ("8 d2 1.5", "2: expected a rank of at least 1, got '1.5' (a score?)"),
    ("8 d2", "2: expected 3 fields, query document rank, got 2"),
    ("7 d2 1", "2: expected each rank once in query '7', got 1 again"),
    ("7 d1 2", "2: expected a document once in query '7', got 'd1' again"),
]


class TestTheRunsOfMsMarco:
    def test_query_document_and_rank_are_a_run_whose_scores_fall_with_the_rank(self, file):
        qrels = {"7": {"d2": 1}, "8": {"d2": 1}}
        expected = evaluate(qrels, {"7": {"d1": -1.0, "d2": -12.0}, "8": {"d2": -1.0}}, ["RR", "nDCG@10"])
        found = evaluate(qrels, file(MARCO, "run.tsv"), ["RR", "nDCG@10"])
        assert found.per_query == expected.per_query
        assert found["RR"] == (1 / 2 + 1) / 2

    @every_row(("line", "message"), BROKEN_RANKS)
    def test_a_broken_line_is_refused_with_its_place(self, line, message, file):
        with pytest.raises(ValueError, match=re.escape(f"a.txt:{message}")):
            evaluate({"7": {"d1": 1}}, file(f"7 d1 1\n{line}\n"), "RR")


FORMATS = [
    # beginning, format
    (b"", "trec"),
    (b"\xef\xbb\xbf# comment\n\nquery-id\tcorpus-id\tscore\nq1", "tsv"),
    (b"query\t0\tdocument\t1\n", "trec"),  # ids that are names, and a grade
    (b"query\tQ0\tdocument\t1\t2.5\ttag\n", "trec"),
    (b"\n {\n", "json"),
    (b"{}", "json"),
    (b"{\n{\n", "trec"),
    (b"\xff\xfe\t,", "trec"),
]


@every_row(("beginning", "form"), FORMATS)
def test_the_first_line_that_counts_shows_the_format(beginning, form):
    assert format_of(beginning) == form


READ = [
    # what, run file, run
    ("quotes", 'qid,docno,score\n"q,1","d ""2""",1e-1\n', {"q,1": {'d "2"': 0.1}}),
    ("queries apart", "qid,docno,score\nq,d,1\nr,d,2\n\nq,e,3\n", {"q": {"d": 1, "e": 3}, "r": {"d": 2}}),
    ("an id that begins with #", "# comment\nqid,docno,score\n#1,d,2\n", {"#1": {"d": 2}}),
]


@pytest.mark.parametrize(("text", "run"), [row[1:] for row in READ], ids=[row[0] for row in READ])
def test_a_file_is_read_by_the_names_of_its_columns(text, run, file):
    qrels = {query: dict.fromkeys([*scores, "other"], 1) for query, scores in run.items()}
    measures = ["nDCG", "P@5", "R@5"]
    assert evaluate(qrels, file(text), measures).per_query == evaluate(qrels, run, measures).per_query


TSV, CSV = "query-id\tcorpus-id\tscore\n", "qid,docno,score\n"
BROKEN = [
    # run file, place, message
    (TSV + "q\td\t1\nq\td\t2\n", ":3", "expected a document once in query 'q', got 'd' again (two runs in one file?)"),
    (TSV + "q\td\n", ":2", "expected 3 fields, query-id corpus-id score, got 2 (is the line cut short?)"),
    (CSV + "q,d,high\n", ":2: score", "expected a score, got 'high' (text in a column of numbers?)"),
    (CSV + "q,d,nan\n", ":2: score", "expected a finite score, got 'nan' (did its computation fail?)"),
    (CSV + 'q,d,"1,5"\n', ":2: score", "expected a score, got '1,5' (a decimal comma?)"),
    (CSV + "q,,1\n", ":2: docno", "expected an id, got an empty field (a missing value?)"),
    (CSV + "q ,d,1\n", ":2: qid", "expected an id without blanks around it, got 'q '"),
    (CSV + 'q,"d,1\nq,e,1\n', ":3", "expected a row of a table, got none: unexpected end of data"),
    ("qid,docno,rel\nq,d,1\n", ":1", "expected a column score, got qid, docno, rel (are these qrels?)"),
    ("qid,docno,score,score\nq,d,1,1\n", ":1", "expected one column score, got 2"),
    ("{}", "", "expected at least one query, found none"),
    ('{"q": {"d": 1,\n"d": 2}}', ":2", "expected a document once in query 'q', got 'd' again"),
    ('{"q": {"d": 1},\n\n"q": {"e": 2}}', ":3", "expected a query once, got 'q' again (two files in one?)"),
    ('{"q": {"d": 1' + "0" * 400 + "}}", ":1: document 'd'", "expected a score within the range of a float, got 10000"),
    ('{"q": ' + "[" * 100_000, ":1", "expected JSON, got a value that is too long or too deep"),
    ('{"q": {"d": "1"}}', ":1: document 'd'", "expected a score, got '1' (text? leave out its quotes)"),
    ('{"q": {"d": 1,\n"": 2}}', ":2", "expected the id of a document, got empty text (a missing value?)"),
    ('{"run": {"q":\n{"d": 1}}}', ":1: document 'q'", "expected a score, got an object (nested one level too deep?)"),
    ('{"q": {"d": 1},\n"r": ["d"]}', ":2", "expected an object of document to score for query 'r', got ['d']"),
    ('{"q": {"d": 1},\n', ":2", 'expected JSON with ", got its end (cut short?)'),
    ('{"q": {"d": 1', ":1", "expected JSON, found: Expecting ',' delimiter in column 14 (cut short?)"),
    ('{"q": {"d": 1}}\n{"r": {"d": 1}}', ":2", 'expected the end, got \'{"r": {"d": 1}}\' (two files in one, or JSON'),
    ('{"qid": "q", "docno": "d", "score": 1}\n{"qid": "q"}\n', ":2", "expected a key docno, got 'qid'"),
    ('{"qid": "q", "docno": "d", "rel": 1}\n', ":1", "expected a column score, got qid, docno, rel (are these qrels?)"),
    ('{"qid": "q", "docno": "d", "score": 1}\n' * 2, ":2", "expected a document once in query 'q', got 'd' again (two"),
    ('{"qid": "q", "qid": "r", "docno": "d", "score": 1}\n', ":1", "expected a key once, got 'qid' again"),
    ('{"qid": 1.0, "docno": "d", "score": 1}\n', ":1: qid", "expected text or a whole number, got 1.0 ("),
]


@every_row(("content", "place", "message"), BROKEN)
def test_a_broken_file_is_refused_with_its_line(content, place, message, file):
    path = file(content)
    with pytest.raises((TypeError, ValueError), match=f"^{re.escape(f'{path}{place}: {message}')}"):
        evaluate({"q": {"d": 1}}, path)


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, lzma.compress, zstd.compress])
def test_json_that_unpacks_to_more_than_is_allowed_is_refused(pack, file, monkeypatch):
    monkeypatch.setattr(sources, "LARGEST_WHOLE", 2**20)
    with pytest.raises(TrecError, match=r"expected at most 1,048,576 bytes of JSON, got more \(JSON lines"):
        evaluate(file(pack(json.dumps(QRELS).encode().ljust(2**20 + 1))), RUN)
    assert same(evaluate(file(pack(json.dumps(QRELS).encode().ljust(2**20))), RUN, MEASURES))


def test_judgments_that_are_repeated_are_skipped_unless_they_contradict(file):
    judged = TSV + "q\td\t1\nq\te\t0\nq\td\t1.0\n"
    assert evaluate(file(judged), {"q": {"d": 1.5}}).counts["judged"] == 1
    path = file(judged + "q\te\t2\n")
    message = f"{path}:5: expected one grade of document 'e' for query 'q', got 2 after 0 (which is right?)"
    with pytest.raises(TrecError, match=f"^{re.escape(message)}$"):
        evaluate(path, {"q": {"d": 1.5}})


def test_a_run_for_judgments_says_which_it_is(file):
    path = file("qid,docno,score\nq,d,1.5\n")
    with pytest.raises(ValueError, match=r":1: expected a column relevance .* qid, docno, score \(is it a run\?\)$"):
        evaluate(path, {"q": {"d": 1.5}})


@pytest.mark.parametrize("size", [1, 10, 2**16])
def test_the_standard_input_is_read_from_its_beginning(size, monkeypatch):
    monkeypatch.setattr(sources, "LONGEST_BEGINNING", size)
    for kind in ("TREC", "TREC, gzip", "JSON", "CSV") if size > 40 else ("TREC", "TREC, xz"):
        stdin = io.TextIOWrapper(io.BufferedReader(io.BytesIO(FILES[kind](RUN))))
        monkeypatch.setattr(sys, "stdin", stdin)
        assert same(evaluate(QRELS, "-", MEASURES))
