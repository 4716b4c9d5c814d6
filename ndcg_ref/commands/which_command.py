"""`ndcg-ref which` and `ndcg-ref explain`: which conventions print a number, and what makes two of them differ."""

import argparse
from typing import Any

from ndcg_ref.commands import shared
from ndcg_ref.conventions.validation import quoted, shortened
from ndcg_ref.stated.number import as_printed_number, as_values


def add_to(commands: Any) -> None:
    """Add the commands."""
    which = commands.add_parser(
        "which",
        help="name the conventions that print a number",
        description="Name every library's convention that prints a number as the NDCG of a ranking, at every cutoff, "
        "or as the mean of a run: rounded, else cut off, else an NDCG above 1 as a percentage. "
        "Exit code 0: some do; 1: none does; 2: the input is bad.",
    )
    which.add_argument("stated", help="the number as printed, such as 0.957")
    which.add_argument(
        "files", metavar="QRELS RUN", nargs="*", help="the files whose mean the number is, as for the command eval"
    )
    which.add_argument(
        "-m", dest="spelled", metavar="MEASURE", help="what the number is the mean of (default: nDCG@10)"
    )
    which.add_argument("--grades", metavar="G,G,…", help="the grades of a ranking, best rank first, such as 3,2,3,0,1")
    which.add_argument("--judged", metavar="G,G,…", help="all judged grades of the query (default: those of --grades)")
    which.add_argument("--scores", metavar="S,S,…", help="the documents' scores; --grades are then in the same order")
    which.add_argument("--measure", choices=("ndcg", "dcg"), help="what the number is of a ranking (default: ndcg)")
    shared.add_format(which)
    which.set_defaults(run=_which)

    explain = commands.add_parser(
        "explain",
        help="say what makes two conventions differ on a run",
        description="Go from one convention to another, one choice at a time, and say how far each moves the mean.",
    )
    shared.add_qrels(explain)
    explain.add_argument("file", metavar="RUN", help="a run file; - is stdin")
    explain.add_argument("a", metavar="A", help="a library's convention, such as trec_eval or scikit-learn-1.9.1")
    explain.add_argument("b", metavar="B", help="another one")
    explain.add_argument("-m", dest="measure", metavar="MEASURE", default="nDCG@10", help="(default: nDCG@10)")
    shared.add_format(explain)
    explain.set_defaults(run=_explain)


def _which(options: argparse.Namespace) -> int:
    as_printed_number(options.stated)  # refused before all else
    if options.files:
        return _which_mean(options)
    if options.grades is None:
        raise ValueError("expected --grades of a ranking, or the files QRELS and RUN, got neither")
    if options.spelled is not None:
        raise ValueError(
            f"expected -m with the files QRELS and RUN alone, got {quoted(options.spelled)} beside --grades"
        )
    from ndcg_ref.explaining.matches import which

    grades = as_values(options.grades, "grades")
    judged = None if options.judged is None else as_values(options.judged, "judged")
    scores = None if options.scores is None else as_values(options.scores, "scores")
    matches = which(options.stated, grades, judged, scores, measure=options.measure or "ndcg")
    shared.print_in_format(matches, options.format, "the ranking")
    return 0 if matches.rows else 1


def _which_mean(options: argparse.Namespace) -> int:
    from ndcg_ref.explaining.mean_matches import which_mean

    if len(options.files) != 2:
        hint = f" ({shared.EXPANDED})" if len(options.files) > 2 else ""
        raise ValueError(f"expected two files, QRELS and RUN, got {shortened(', '.join(options.files))}{hint}")
    of_a_ranking = [name for name in ("grades", "judged", "scores", "measure") if getattr(options, name) is not None]
    if of_a_ranking:
        raise ValueError(f"expected files or a ranking, got files and --{of_a_ranking[0]} (-m names a mean's measure)")
    qrels, run = options.files
    shared.refuse_repeated(qrels, [run])
    matches = which_mean(options.stated, qrels, run, options.spelled or "nDCG@10")
    shared.print_in_format(matches, options.format, run)
    return 0 if matches.rows else 1


def _explain(options: argparse.Namespace) -> int:
    from ndcg_ref.explaining.run_differences import explain

    explanation = explain(options.qrels, options.file, options.a, options.b, options.measure)
    shared.report_only_trec_eval(options.qrels, {options.file: explanation})
    shared.print_in_format(explanation, options.format, options.file)
    return 0
