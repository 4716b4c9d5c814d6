"""Evaluate a run against judgments: the value of each query, and the mean.

Judgments map query to document to grade, and a run maps query to document to score. The highest score comes first; the
convention decides the order of equal scores, and the value of a query that only one side has, or that has no ideal
gain. The counts say how many such queries there are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from ndcg_ref.conventions.convention import Convention, as_float32
from ndcg_ref.conventions.presets import ABOUT
from ndcg_ref.conventions.spellings import RequestedMeasure, Spellings, read_measures, refuse_averaged
from ndcg_ref.conventions.validation import as_flag
from ndcg_ref.runs.inputs import Given, Judgments, as_mappings, batches_from, opened
from ndcg_ref.runs.result import Result
from ndcg_ref.runs.sources import QueriesApartError
from ndcg_ref.runs.tallies import Tallies
from ndcg_ref.runs.trec import Contents

if TYPE_CHECKING:
    from ndcg_ref.formulas.batch import Batch

Gathered = TypeVar("Gathered")

TREC_EVAL = [preset.convention for preset in ABOUT.values() if preset.library == "trec_eval"]


def evaluate(
    qrels: Given,
    run: Given,
    measures: Spellings = ("nDCG@10",),
    convention: Convention | str | None = None,
    *,
    check_swap: bool = True,
    engine: Any = None,
) -> Result:
    r"""Evaluate a run against judgments.

    Each measure is computed for each query, and its mean over the queries that have a value; for NDCG

    .. math:: \frac{1}{|Q|} \sum_{q \in Q} \mathrm{NDCG}_k(q)

    Parameters
    ----------
    qrels : mapping, data frame, iterable of tuples, or path
        Judgments: a mapping of query to document to grade; a data frame of pandas, polars or pyarrow; tuples of query,
        document and grade; the path of a file, plain or compressed (see Notes); or with an engine the name of a table.
    run : mapping, data frame, iterable of tuples, or path
        The run: the same, with a score in place of the grade. A frame whose rows are together by query, and a run file
        of TREC, are read some queries at a time.
    measures : str, ir_measures.Measure, or iterable of these, optional
        The measures, spelled as in ``nDCG@10``, ``ndcg_cut_10`` or ``P(rel=2)@5``, see `parse`; or objects of
        ir_measures.
    convention : Convention or str, optional
        A convention or the name of a preset, for all measures; a preset may have a different convention for one of
        them. Without it, a spelling that belongs to one library means its newest preset, an object of ir_measures
        that of ir_measures, and any other spelling trec_eval's, except that fractional grades are refused.
    check_swap : bool, optional
        Whether to refuse judgments and a run that look swapped: grades with fractions, and scores that are whole
        numbers from 0 to 10 and repeat within most queries, or are the only one of ten queries, although the grades do
        not. A TREC file shows by its fields which side it is.
    engine : duckdb.DuckDBPyConnection or pyspark.sql.SparkSession, optional
        Where the tables are. It ranks the run there, for every measure. Beside it a name is that of a table, unless it
        ends in ``.parquet``. A result that a connection still holds is lost: fetch it before.

    Returns
    -------
    Result
        Means, values by query, counts and conventions.

    Raises
    ------
    ValueError
        If the sides have no query in common, an id is empty, a grade or score is no finite number, a spelling is
        unknown or contradicts the convention, the convention refuses something, the sides look swapped, or a file is
        broken.
    TypeError
        If something has the wrong type, such as a number for judgments, or the id of a document that is a float.

    Notes
    -----
    A data frame has a row for each document of a query. The first column found of the following names is used: for the
    query ``query_id``, ``query-id``, ``qid``, ``q_id`` or ``query``; for the document ``doc_id``, ``corpus-id``,
    ``docno``, ``docid`` or ``document``; for the grade ``relevance``, ``rel``, ``label`` or ``grade``; for the score
    ``score``. Beside ``query-id`` and ``corpus-id``, a grade may be named ``score``, as in BEIR. Ids are text or whole
    numbers, which are compared as text. The fields of named tuples, such as those of ir_measures, have the same names;
    other tuples have query, document and value in this order. A refusal names the row, counted from 0, and the column.

    The content of a file shows its format. A file in TREC's format has lines of four or six fields; TSV and CSV have a
    header row, and JSON lines keys, with the names above; JSON is an object of objects, query to document to value; a
    run of MS MARCO has lines of query, document and rank, whose negative is the score. Any of them may be compressed by
    gzip, bzip2, xz or zstd; before Python 3.14, zstd needs ``pip install 'ndcg-ref[zstd]'``.

    A Parquet file has such columns as well. It is recognized by its ending ``.parquet`` or by its content, and a run
    may be in several: a pattern such as ``run-*.parquet``, or a folder with such files, divided by partitions
    or not. DuckDB ranks it where it is, and gives the ranks of the judged documents, of which every measure is computed
    as for text; it comes with ``pip install 'ndcg-ref[duckdb]'``. A document that the run has twice is refused if it
    may be within the cutoff of all measures; below it, it changes no value and is not looked for.

    If one of the measures is computed as by trec_eval, files are read as trec_eval reads them: the tag of a run may
    have several words, and the exponent of a grade is ignored. ``only_trec_eval`` of the result counts these lines.

    References
    ----------
    Manning, Raghavan and Schütze 2008, Introduction to Information Retrieval, section 8.4.

    Examples
    --------
    The only relevant document is at rank 2; its discount is log2(3):

    >>> qrels = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 1}}
    >>> run = {"q1": {"d2": 1.5, "d1": 0.5}}
    >>> result = evaluate(qrels, run)
    >>> result.per_query["nDCG@10"]
    {'q1': 0.6309297535714575}
    >>> result.counted
    '2 judged, 1 evaluated, 1 missing, 0 extra, 0 without ideal, 0 tied, 0 unjudged, 0 truncated'
    """
    requested = read_measures(measures, convention)
    refuse_averaged(requested)
    if engine is not None:
        from ndcg_ref.runs.engines import engine_of

        engine = engine_of(engine)
    from ndcg_ref.runs.values import parts_of

    judgments = as_mappings(qrels, "qrels", "grade", reads_as_trec_eval(requested), engine)

    def add(tallies: Tallies, batch: Batch) -> None:
        tallies.add(batch, parts_of(batch, requested) if batch.queries else [])

    options = {"as_trec_eval": reads_as_trec_eval(requested), "check_swap": check_swap, "engine": engine}
    return gathered(judgments, run, requested, lambda: Tallies(requested), add, **options).result(judgments)


def gathered(  # noqa: PLR0913 - what `evaluate` takes, and what gathers
    judgments: Judgments,
    run: Given,
    requested: list[RequestedMeasure],
    start: Callable[[], Gathered],
    add: Callable[[Gathered, Batch], None],
    *,
    as_trec_eval: bool,
    check_swap: bool,
    engine: Any,
) -> Gathered:
    """What is gathered from the batches of a run, which may have to be read again from the start.

    >>> qrels, run = {"q1": {"d1": 1}}, {"q1": {"d1": 0.5}}
    >>> def add(queries, batch):
    ...     queries.extend(batch.queries)
    >>> gathered(qrels, run, read_measures("nDCG"), list, add, as_trec_eval=True, check_swap=True, engine=None)
    ['q1']
    """
    # The lines of a TREC file show which side it is
    check_swap = as_flag(check_swap, "check_swap") and not hasattr(judgments, "only_trec_eval")
    options = {"as_trec_eval": as_trec_eval, "check_swap": check_swap}
    with opened(run, engine) as data:
        for together in (True, False):
            some = start()
            try:
                for batch in batches_from(data, judgments, requested, together=together, **options):
                    add(some, batch)
                break
            except QueriesApartError:  # which only those raise that are read together
                continue
    return some


def first_ranked(run: Judgments, most: int, requested: Iterable[RequestedMeasure]) -> Contents:
    """A run without the documents of each query that rank below the first `most`, as trec_eval cuts it by -M.

    Equal scores are ordered as the convention of all measures says; it has to order them.

    >>> first_ranked({"q1": {"d1": 1.0, "d2": 2.0, "d3": 1.0}}, 2, read_measures("nDCG"))
    {'q1': {'d2': 2.0, 'd3': 1.0}}
    """
    (ties, scores), *others = {(each.convention.ties, each.convention.scores) for each in requested}
    if others or ties not in ("id-descending", "id-ascending", "input"):
        raise ValueError("-M: expected one convention, with an order of tied documents (that of trec_eval has one)")
    cut = Contents()
    cut.only_trec_eval = getattr(run, "only_trec_eval", 0)
    for query, documents in run.items():
        ranked = [*documents] if ties == "input" else sorted(documents, reverse=ties == "id-descending")
        compared = {each: score if scores == "float64" else as_float32(score) for each, score in documents.items()}
        ranked.sort(key=compared.__getitem__, reverse=True)  # which keeps the order of equal scores
        kept = {*ranked[:most]}
        cut[query] = {document: score for document, score in documents.items() if document in kept}
    return cut


def reads_as_trec_eval(requested: Iterable[RequestedMeasure]) -> bool:
    """Whether files are read as trec_eval reads them: one of the measures is computed as by trec_eval.

    That is under one of its presets, or a copy with its options: ``missing="zero"`` is -c, ``unjudged="drop"`` is -J.

    >>> reads_as_trec_eval(read_measures("nDCG@10")), reads_as_trec_eval(read_measures("nDCG@10", "scikit-learn"))
    (True, False)
    """
    return any(
        replace(each.convention, missing="skip", unjudged="zero") in TREC_EVAL
        if each.preset is None
        else each.preset.library == "trec_eval"
        for each in requested
    )
