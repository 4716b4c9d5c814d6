"""`ndcg-ref eval`: evaluate run files against a qrels file."""

import argparse
import csv
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from ndcg_ref.commands import shared
from ndcg_ref.conventions.spellings import RequestedMeasure, at_level
from ndcg_ref.conventions.validation import quoted, shortened, visible
from ndcg_ref.statistics.markup import TextTable, aligned

if TYPE_CHECKING:
    from ndcg_ref.runs.result import Result


class MeasureRow(NamedTuple):
    """The values of a query, one for each measure; those of all queries are means, with the number of queries."""

    run: str
    query: str
    values: list[float | None]  # None where a query has no value
    queries: list[int] | None


def add_to(commands: Any) -> None:
    """Add the command."""
    evaluation = commands.add_parser(
        "eval",
        help="evaluate run files against a qrels file",
        description="Evaluate run files against a qrels file: the mean over the queries that are judged and retrieved, "
        "in trec_eval's columns for one run, in a table with the numbers of queries for several. "
        "What was counted is printed to stderr.",
    )
    evaluation.add_argument(
        "qrels",
        metavar="QRELS",
        help="the judgments, a file in TREC's format, TSV, CSV or JSON, plain or compressed, or Parquet; - is stdin",
    )
    evaluation.add_argument(
        "runs",
        metavar="RUN",
        nargs="+",
        help="a run file in one of these formats; in Parquet also a pattern in quotes, for a run in several files; "
        "- is stdin",
    )
    shared.add_measures(evaluation, "count a judged query that a run lacks as 0")
    evaluation.add_argument("-q", dest="by_query", action="store_true", help="also print the value of each query")
    evaluation.add_argument("-n", dest="no_means", action="store_true", help="print no means; with -q, of trec_eval")
    evaluation.add_argument(
        "-l",
        dest="level",
        metavar="GRADE",
        help="the smallest relevant grade, rel= of each measure that has it (of trec_eval)",
    )
    evaluation.add_argument(
        "-J",
        dest="judged_only",
        action="store_true",
        help="leave unjudged documents out of each ranking (of trec_eval)",
    )
    evaluation.add_argument(
        "-M",
        dest="most",
        metavar="N",
        help="leave out what ranks below the first N documents of a query (of trec_eval)",
    )
    evaluation.add_argument(
        "-N",
        dest="collection",
        metavar="N",
        help="the size of the collection (of trec_eval); no measure here asks for it",
    )
    shared.add_format(evaluation, "json", "csv", *shared.FOR_PAPERS, explained=shared.TABLE_EXPLAINED)
    evaluation.set_defaults(run=_eval)


def _eval(options: argparse.Namespace) -> int:
    if options.no_means and (options.format == "json" or not options.by_query):
        raise ValueError("-n: expected -q beside it, and another format than json, which has the means")
    results = _evaluated(options)
    first, *others = results.values()
    measures = list(first)  # one for each cutoff of ndcg_cut.1,3,5
    shared.report_only_trec_eval(options.qrels, results)
    if options.format != "json":  # which has them
        _report_counts(results)
    shared.report_excluded(results)
    _report_other_queries(results, options.complete)
    rows = [row for row in _rows(results, options.by_query) if not (options.no_means and row.queries)]
    if options.format == "json":
        stored = [{"run": run, **result.as_json()} for run, result in results.items()]
        shared.print_json(stored if others else first.as_json())
    elif options.format == "csv":
        _print_csv(rows, measures)
    elif options.format in shared.FOR_PAPERS:
        shared.print_table(_table(rows, measures, first.in_words), options.format)
    elif others:
        table = _table(rows, measures)
        print("\n".join(aligned([table.header, *table.rows])))
    else:
        for row in rows:
            for measure, value in zip(measures, row.values, strict=True):
                print(f"{measure:<22}\t{visible(row.query)}\t{_in_digits(value)}")
    return 0


def _evaluated(options: argparse.Namespace) -> "dict[str, Result]":
    """The result of each run: all of them before anything is printed, so that a broken file gives no partial answer."""
    from ndcg_ref.runs.evaluation import evaluate, first_ranked, reads_as_trec_eval
    from ndcg_ref.runs.inputs import as_mappings

    shared.refuse_repeated(options.qrels, options.runs)
    wanted = _wanted(options)
    as_trec_eval = reads_as_trec_eval(wanted)
    qrels = as_mappings(options.qrels, "qrels", "grade", as_trec_eval)
    if options.most is None:
        return {run: evaluate(qrels, run, wanted) for run in options.runs}
    most = _whole("-M", options.most)
    return {
        run: evaluate(qrels, first_ranked(as_mappings(run, "run", "score", as_trec_eval), most, wanted), wanted)
        for run in options.runs
    }


def _wanted(options: argparse.Namespace) -> list[RequestedMeasure]:
    """The measures, with what -l and -J change in them."""
    wanted = shared.measures_of(options)
    if options.collection is not None:
        _whole("-N", options.collection)
    if options.judged_only:
        wanted = [one._replace(convention=replace(one.convention, unjudged="drop")) for one in wanted]
    if options.level is not None:
        wanted = [at_level(one, _whole("-l", options.level)) for one in wanted]
        texts = [one.measure.text for one in wanted]
        if len(set(texts)) < len(texts):
            raise ValueError(f"measures: expected each once, got {shortened(', '.join(texts))}")
    return wanted


def _whole(option: str, text: str) -> int:
    """The whole number of an option, of at least 1."""
    if not (text.isascii() and text.isdigit() and len(text) < 19 and int(text)):
        raise ValueError(f"{option}: expected a whole number of at least 1, got {quoted(text)}")
    return int(text)


def _report_counts(results: "dict[str, Result]") -> None:
    """Print what was counted, and the conventions, to stderr: what reads trec_eval's columns can read the rest."""
    for run, result in results.items():
        print(visible(f"{run}: {result.counted}"), file=sys.stderr)
    for signature in result.signatures:
        print(signature, file=sys.stderr)


def _report_other_queries(results: "dict[str, Result]", complete: bool) -> None:
    """Print to stderr where the means of a measure are over different queries, as such means do not compare."""
    seen = [{query for values in result.per_query.values() for query in values} for result in results.values()]
    answered = [queries.difference(result.missing) for queries, result in zip(seen, results.values(), strict=True)]
    if len(results) > 1 and sum(map(len, answered)) == len(set().union(*answered)):
        print(f"no two of these runs answer the same query ({shared.EXPANDED})", file=sys.stderr)
    measures_of_numbers: dict[str, list[str]] = {}
    for measure in next(iter(results.values())):
        queries = [result.in_mean(measure).keys() for result in results.values()]
        if any(other != queries[0] for other in queries):
            *numbers, last = dict.fromkeys(str(len(of_run)) for of_run in queries)
            listed = f"{', '.join(numbers)} and {last}" if numbers else f"{last} in each run"
            measures_of_numbers.setdefault(listed, []).append(measure)
    lacking = any(result.missing for result in results.values())
    count = "-c counts a query that a run lacks as 0; " if lacking and not complete else ""
    hint = f" ({count}`ndcg-ref compare` takes the queries of all runs)"
    for listed, measures in measures_of_numbers.items():
        print(f"{', '.join(measures)}: means over different queries: {listed}{hint}", file=sys.stderr)


def _rows(results: "dict[str, Result]", by_query: bool) -> Iterator[MeasureRow]:
    """The values of each run, query by query if that is asked for, and of all."""
    for run, result in results.items():
        if by_query:
            for query in dict.fromkeys(query for values in result.per_query.values() for query in values):
                yield MeasureRow(run, query, [values.get(query) for values in result.per_query.values()], None)
        yield MeasureRow(run, "all", list(result.mean.values()), list(result.queries.values()))


def _print_csv(rows: list[MeasureRow], measures: list[str]) -> None:
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(["run", "query", *measures, *_queries_of(measures)])
    for run, query, values, queries in rows:
        table.writerow([run, query, *values, *(queries or ("" for _ in measures))])


def _queries_of(measures: list[str]) -> list[str]:
    """The names of the columns for the number of queries in each mean."""
    return [f"queries of {measure}" for measure in measures]


def _table(rows: list[MeasureRow], measures: list[str], notes: tuple[str, ...] = ()) -> TextTable:
    """The values of each run, or query of a run, with the number of queries in each mean."""
    same = all(len(set(row.queries or ())) < 2 for row in rows)  # as long as every measure counts alike
    header = ("run", "query", *measures, *(["queries"] if same else _queries_of(measures)))
    numbers = len(header) - len(measures) - 2
    table = [
        (run, query, *map(_in_digits, values), *(list(map(str, queries or ())) + [""] * numbers)[:numbers])
        for run, query, values, queries in rows
    ]
    caption = "means over the queries that have a value" if notes else ""
    return TextTable(caption, header, tuple(table), notes, names=2)


def _in_digits(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"
