"""`ndcg-ref compare`: compare run files over the same queries."""

import json
from typing import TYPE_CHECKING, Any

from ndcg_ref.commands.shared import (
    add_measures,
    measures_of,
    refuse_repeated,
    report_excluded,
    report_lines_only_trec_eval_reads,
)
from ndcg_ref.conventions.validation import quoted

if TYPE_CHECKING:
    import argparse

    from ndcg_ref.compare.comparing import Comparison


def add_to(commands: Any) -> None:
    """Add the command."""
    compare = commands.add_parser(
        "compare",
        help="compare run files over the same queries",
        description="Compare run files over the queries that count in all of them: means, and for each two runs the "
        "difference, its 95% interval, effect size and p value, and the queries that gained and lost most.",
    )
    compare.add_argument("qrels", metavar="QRELS", help="the judgments, a file as for the command eval; - is stdin")
    compare.add_argument("runs", metavar="RUN", nargs="+", help="a run file, two at least; - is stdin")
    add_measures(compare, "count a query that a run lacks as 0 (default: left out for all)")
    compare.add_argument(
        "--test",
        choices=("randomisation", "t", "bootstrap"),
        default="randomisation",
        help="the paired test of the p values, to be chosen before you look (default: randomisation)",
    )
    compare.add_argument("--seed", default="0", metavar="N", help="the seed of what a test draws (default: 0)")
    compare.add_argument(
        "--format",
        choices=("text", "json", "latex", "markdown", "html"),
        default="text",
        help="how to print it (default: text)",
    )
    compare.set_defaults(run=_compare)


def _compare(given: "argparse.Namespace") -> int:
    from ndcg_ref.compare.comparing import compare_requested

    refuse_repeated(given.qrels, given.runs)
    if not (given.seed.isascii() and given.seed.isdigit()):
        raise ValueError(f"--seed: expected a whole number such as 7, got {quoted(given.seed)}")
    runs = {run: run for run in given.runs}
    comparison = compare_requested(given.qrels, runs, measures_of(given), test=given.test, seed=int(given.seed))
    report_lines_only_trec_eval_reads(given.qrels, comparison.only_trec_eval)
    if given.format == "json":  # the other forms have it
        for run, excluded in comparison.excluded.items():
            report_excluded(excluded, run)
    _print(comparison, given.format)
    return 0


def _print(comparison: "Comparison", form: str) -> None:
    match form:
        case "json":
            print(json.dumps(comparison.as_json(), allow_nan=False, indent=1))
        case "latex":
            print(comparison.to_latex())
        case "markdown":
            print(comparison.to_markdown())
        case "html":
            print(comparison.to_html())
        case _:
            print(comparison.to_text())
