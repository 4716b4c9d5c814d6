"""`ndcg-ref sql`: print a measure as an SQL query."""

import argparse
from typing import Any

from ndcg_ref.commands.shared import add_preset


def add_to(commands: Any) -> None:
    """Add the command."""
    query = commands.add_parser(
        "sql",
        help="print measures as SQL queries",
        description="Print the SQL that computes a measure for each query of a run, where judgments and run lie in "
        "tables: qrels with the columns query_id, doc_id and relevance, and run with query_id, doc_id and score. "
        "It refuses nothing: --checks prints the SQL that counts what eval would refuse or truncate.",
    )
    query.add_argument("measures", metavar="MEASURE", nargs="+", help="such as nDCG@10 or AP")
    add_preset(query)
    query.add_argument(
        "--dialect",
        choices=("duckdb", "spark", "portable"),
        default="portable",
        help="whose SQL; portable is what most databases share (default: %(default)s)",
    )
    query.add_argument(
        "--qrels",
        metavar="NAME",
        default="qrels",
        help="the table of judgments, a Parquet file, or a template such as \"{{ ref('qrels') }}\" (default: qrels)",
    )
    query.add_argument("--run", dest="table", metavar="NAME", default="run", help="that of the run (default: run)")
    query.add_argument(
        "--order",
        metavar="COLUMN",
        default="",
        help="the column of the run that orders equal scores, for presets that keep the order of the input",
    )
    others = query.add_mutually_exclusive_group()
    others.add_argument(
        "--mean", action="store_true", help="print the SQL for the mean and the counts that eval prints"
    )
    others.add_argument(
        "--checks", action="store_true", help="print the SQL that counts what eval would refuse or truncate"
    )
    query.set_defaults(run=_query)


def _query(options: argparse.Namespace) -> int:
    from ndcg_ref.sql.query_checks import offenders_text
    from ndcg_ref.sql.query_means import mean_text
    from ndcg_ref.sql.query_text import Table, sql_text

    text = offenders_text if options.checks else mean_text if options.mean else sql_text
    run = Table(options.table, "score", order=options.order)
    print(text(options.measures, options.preset, options.qrels, run, options.dialect))
    return 0
