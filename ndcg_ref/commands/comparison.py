"""`ndcg-ref which` and `ndcg-ref explain`: which conventions print a number, and what makes two of them differ."""

from typing import TYPE_CHECKING, Any

from ndcg_ref.commands.shared import (
    add_format,
    as_printed_number,
    as_values,
    print_in_format,
    progress_on_terminal,
    report_excluded,
    report_lines_only_trec_eval_reads,
)

if TYPE_CHECKING:
    import argparse


def add_to(commands: Any) -> None:
    """Add the commands."""
    which = commands.add_parser(
        "which",
        help="name the conventions that print a number",
        description="Name every library's convention, and every cutoff, that prints a number as the NDCG of a ranking: "
        "rounded, else cut off, else an NDCG above 1 as a percentage. "
        "Exit code 0: some do; 1: none does; 2: the input is bad.",
    )
    which.add_argument("stated", help="the number as printed, such as 0.957")
    which.add_argument(
        "--grades", metavar="G,G,…", required=True, help="the grades, best rank first, such as 3,2,3,0,1"
    )
    which.add_argument("--judged", metavar="G,G,…", help="all judged grades of the query (default: those of --grades)")
    which.add_argument("--scores", metavar="S,S,…", help="the documents' scores; --grades are then in the same order")
    which.add_argument("--measure", choices=("ndcg", "dcg"), default="ndcg", help="what the number is (default: ndcg)")
    add_format(which)
    which.set_defaults(run=_which)

    explain = commands.add_parser(
        "explain",
        help="say what makes two conventions differ on a run",
        description="Go from one convention to another, one choice at a time, and say how far each moves the mean.",
    )
    explain.add_argument("qrels", metavar="QRELS", help="the judgments, a file in TREC format")
    explain.add_argument("file", metavar="RUN", help="a run file")
    explain.add_argument("a", metavar="A", help="a library's convention, such as trec_eval or scikit-learn-1.9.1")
    explain.add_argument("b", metavar="B", help="another one")
    explain.add_argument("-m", dest="measure", metavar="MEASURE", default="nDCG@10", help="(default: nDCG@10)")
    add_format(explain)
    explain.set_defaults(run=_explain)


def _which(given: "argparse.Namespace") -> int:
    from ndcg_ref.matches import which

    as_printed_number(given.stated)  # refused before all else
    grades = as_values(given.grades, "grades")
    judged = None if given.judged is None else as_values(given.judged, "judged")
    scores = None if given.scores is None else as_values(given.scores, "scores")
    with progress_on_terminal("which", "conventions") as progress:
        found = which(given.stated, grades, judged, scores, measure=given.measure, progress=progress)
    report_excluded(found.excluded, "the ranking")
    print_in_format(found, given.format)
    return 0 if found.rows else 1


def _explain(given: "argparse.Namespace") -> int:
    from ndcg_ref.differences import explain

    explanation = explain(given.qrels, given.file, given.a, given.b, given.measure)
    report_lines_only_trec_eval_reads(given.qrels, {given.file: explanation.only_trec_eval})
    report_excluded(explanation.excluded, given.file)
    print_in_format(explanation, given.format)
    return 0
