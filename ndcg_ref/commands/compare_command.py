"""`ndcg-ref compare`: compare run files over the same queries."""

import argparse
from typing import Any

from ndcg_ref.commands import shared
from ndcg_ref.conventions.validation import quoted


def add_to(commands: Any) -> None:
    """Add the command."""
    compare = commands.add_parser(
        "compare",
        help="compare run files over the same queries",
        description="Compare run files over the queries that count in all of them: a table of the means that marks the "
        "best ones and those that differ; as text also, for each two runs, the difference, its 95% interval, effect "
        "size and p value, and the queries that gained and lost most.",
    )
    shared.add_qrels(compare)
    compare.add_argument("runs", metavar="RUN", nargs="+", help="a run file, two at least; - is stdin")
    shared.add_measures(compare, "count a query that a run lacks as 0 (default: left out for all)")
    compare.add_argument("--baseline", metavar="RUN", help="compare the others with this run (default: every two)")
    compare.add_argument(
        "--test",
        choices=("randomisation", "t", "bootstrap"),
        default="randomisation",
        help="the paired test of the p values, to be chosen before you look (default: randomisation)",
    )
    compare.add_argument("--seed", default="0", metavar="N", help="the seed of what a test draws (default: 0)")
    compare.add_argument(
        "--plot", metavar="FILE", help="also draw the differences of each query, with matplotlib, as PDF, SVG or PNG"
    )
    shared.add_format(compare, "json", *shared.FOR_PAPERS, explained=shared.TABLE_EXPLAINED)
    compare.set_defaults(run=_compare)


def _compare(options: argparse.Namespace) -> int:
    from ndcg_ref.compare.comparing import compare_runs

    shared.refuse_repeated(options.qrels, options.runs)
    if not (options.seed.isascii() and options.seed.isdigit()):
        raise ValueError(f"--seed: expected a whole number such as 7, got {quoted(options.seed)}")
    runs, measures = {run: run for run in options.runs}, shared.measures_of(options)
    comparison = compare_runs(
        options.qrels, runs, measures, baseline=options.baseline, test=options.test, seed=int(options.seed)
    )
    if options.plot is not None:
        comparison.plot(options.plot)
    shared.report_only_trec_eval(options.qrels, comparison.results)
    if options.format == "json":
        shared.report_excluded(comparison.results)
        shared.print_json(comparison.as_json())
    elif options.format == "text":
        print(comparison)  # which has what is not covered
    else:
        shared.print_table(comparison.table, options.format)
    return 0
