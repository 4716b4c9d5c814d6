"""`ndcg-ref which` and `ndcg-ref explain`: which conventions print a number, and what makes two of them differ."""

from typing import TYPE_CHECKING, Any

from ndcg_ref.commands.shared import (
    add_format,
    print_in_format,
    progress_on_terminal,
    refuse_repeated,
    report_excluded,
    report_lines_only_trec_eval_reads,
)
from ndcg_ref.conventions.validation import quoted, shortened
from ndcg_ref.stated.typed_numbers import as_printed_number, as_values

if TYPE_CHECKING:
    import argparse


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
    add_format(which)
    which.set_defaults(run=_which)

    explain = commands.add_parser(
        "explain",
        help="say what makes two conventions differ on a run",
        description="Go from one convention to another, one choice at a time, and say how far each moves the mean.",
    )
    explain.add_argument("qrels", metavar="QRELS", help="the judgments, a file as for the command eval; - is stdin")
    explain.add_argument("file", metavar="RUN", help="a run file; - is stdin")
    explain.add_argument("a", metavar="A", help="a library's convention, such as trec_eval or scikit-learn-1.9.1")
    explain.add_argument("b", metavar="B", help="another one")
    explain.add_argument("-m", dest="measure", metavar="MEASURE", default="nDCG@10", help="(default: nDCG@10)")
    add_format(explain)
    explain.set_defaults(run=_explain)


def _which(given: "argparse.Namespace") -> int:
    as_printed_number(given.stated)  # refused before all else
    if given.files:
        return _which_mean(given)
    if given.grades is None:
        raise ValueError("expected --grades of a ranking, or the files QRELS and RUN, got neither")
    if given.spelled is not None:
        raise ValueError(f"expected -m with the files QRELS and RUN alone, got {quoted(given.spelled)} beside --grades")
    from ndcg_ref.explaining.matches import which

    grades = as_values(given.grades, "grades")
    judged = None if given.judged is None else as_values(given.judged, "judged")
    scores = None if given.scores is None else as_values(given.scores, "scores")
    with progress_on_terminal("which", "conventions") as progress:
        found = which(given.stated, grades, judged, scores, measure=given.measure or "ndcg", progress=progress)
    if given.format == "json":  # the text has it
        report_excluded(found.excluded, "the ranking")
    print_in_format(found, given.format)
    return 0 if found.rows else 1


def _which_mean(given: "argparse.Namespace") -> int:
    from ndcg_ref.explaining.mean_matches import which_mean

    if len(given.files) != 2:
        raise ValueError(f"expected two files, QRELS and RUN, got {shortened(', '.join(given.files))}")
    of_a_ranking = [name for name in ("grades", "judged", "scores", "measure") if getattr(given, name) is not None]
    if of_a_ranking:
        raise ValueError(f"expected files or a ranking, got files and --{of_a_ranking[0]} (-m names a mean's measure)")
    qrels, run = given.files
    refuse_repeated(qrels, [run])
    with progress_on_terminal(run, "judged queries") as progress:
        found = which_mean(given.stated, qrels, run, given.spelled or "nDCG@10", progress=progress)
    if given.format == "json":
        report_excluded(found.excluded, run)
    print_in_format(found, given.format)
    return 0 if found.rows else 1


def _explain(given: "argparse.Namespace") -> int:
    from ndcg_ref.explaining.run_differences import explain

    explanation = explain(given.qrels, given.file, given.a, given.b, given.measure)
    report_lines_only_trec_eval_reads(given.qrels, {given.file: explanation.only_trec_eval})
    if given.format == "json":  # the text has it
        report_excluded(explanation.excluded, given.file)
    print_in_format(explanation, given.format)
    return 0
