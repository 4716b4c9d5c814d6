"""`ndcg-ref compare` and `ndcg-ref gate`: hold runs against each other, to read or to fail a workflow."""

import argparse
import re
from typing import Any, NamedTuple
from xml.etree import ElementTree

from ndcg_ref.commands import shared
from ndcg_ref.conventions.validation import quoted

NOT_IN_XML = re.compile("[^\\t\\n\\r\\x20-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")


class GateReport(NamedTuple):
    """What the gate found, or why it could not."""

    kind: str  # "passed", "failure" or "error", as JUnit has them
    name: str
    headline: str
    text: str


def add_to(commands: Any) -> None:
    """Add the commands."""
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

    gate = commands.add_parser(
        "gate",
        help="fail where a new run is worse than a baseline",
        description="Hold a new run against a baseline: the means over all judged queries, where a query that a run "
        "lacks counts as 0. Exit code 0: each mean drops by no more than is allowed, and is as high as required; 1: "
        "one drops by more, or is lower; 2: the means are not over the same queries, no run could fail, or the input "
        "is bad.",
    )
    shared.add_qrels(gate)
    gate.add_argument("baseline", metavar="BASELINE", help="the run file to compare with")
    gate.add_argument("new", metavar="NEW", help="the new run file")
    gate.add_argument(
        "-m", dest="measures", metavar="MEASURE", action="append", help="one or several (default: nDCG@10)"
    )
    gate.add_argument(
        "--max-drop", metavar="DROP", help="by how much each mean may drop, an absolute value such as 0.005"
    )
    gate.add_argument("--min", dest="min_mean", metavar="MEAN", help="the lowest mean that the new run may have")
    gate.add_argument(
        "--as",
        dest="preset",
        metavar="PRESET",
        help="compute as this library does, missing queries included; where it leaves them out, and the runs lack "
        "different ones, the exit code is 2",
    )
    explained = "how to print it: as text, as a message of GitHub's workflows, or as JUnit's XML (default: text)"
    shared.add_format(gate, "github", "junit", explained=explained)
    gate.set_defaults(run=_gate)


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


def _gate(options: argparse.Namespace) -> int:
    from ndcg_ref.compare.gating import gates_of

    measures, print_as = options.measures or ["nDCG@10"], FORMATS[options.format]
    runs = {"baseline": options.baseline, "new": options.new}
    against = f"of {options.new} against {options.baseline}"
    try:
        shared.refuse_repeated_stdin(options.qrels, *runs.values())
        if options.max_drop is None and options.min_mean is None:
            raise ValueError("expected --max-drop, --min, or both, got neither")
        gates = gates_of(
            options.qrels,
            **runs,
            measure=measures,
            max_drop=_as_limit("--max-drop", options.max_drop),
            min_mean=_as_limit("--min", options.min_mean),
            convention=options.preset,
        )
    except (TypeError, ValueError) as error:
        if options.format != "text":  # which `main` prints to stderr
            print(print_as([GateReport("error", f"{', '.join(measures)} {against}", str(error), str(error))]))
        raise
    results = {runs[side]: result for side, result in gates[0].comparison.results.items()}
    shared.report_only_trec_eval(options.qrels, results)
    kinds = {True: "passed", False: "failure"}
    reports = [GateReport(kinds[each.passed], f"{each.measure} {against}", each.headline, str(each)) for each in gates]
    print(print_as(reports))
    return 0 if all(gate.passed for gate in gates) else 1


def _as_limit(option: str, text: str | None) -> float | None:
    try:
        if text is None:
            return None
        if text.isascii() and "_" not in text:
            return float(text)
    except ValueError:
        pass
    raise ValueError(f"{option}: expected an absolute value such as 0.005, got {quoted(text)}")


def _as_junit(reports: list[GateReport]) -> str:
    """A report with a test case for each measure, in the form that servers for continuous integration read.

    Some readers show a test without a time as a gap. It is always 0, so that the same runs give the same report.
    """
    counts = {f"{kind}s": str(sum(each.kind == kind for each in reports)) for kind in ("failure", "error")}
    suites = ElementTree.Element("testsuites")
    totals = {"tests": str(len(reports)), **counts, "skipped": "0", "time": "0"}
    suite = ElementTree.SubElement(suites, "testsuite", {"name": "ndcg-ref gate", **totals})
    for report in reports:
        case = {"classname": "ndcg-ref.gate", "name": _in_xml(report.name), "time": "0"}
        parent = ElementTree.SubElement(suite, "testcase", case)
        if report.kind == "passed":
            outcome = ElementTree.SubElement(parent, "system-out")
        else:
            outcome = ElementTree.SubElement(parent, report.kind, {"message": _in_xml(report.headline)})
        outcome.text = _in_xml(report.text)
    ElementTree.indent(suites)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(suites, encoding="unicode")}'


def _as_workflow_commands(reports: list[GateReport]) -> str:
    """A message for each measure on the page of the workflow."""
    return "\n".join(
        shared.workflow_command("notice" if report.kind == "passed" else "error", report.text, {"title": report.name})
        for report in reports
    )


def _in_xml(text: str) -> str:
    """The text without the signs that XML has no way to write."""
    return NOT_IN_XML.sub("\N{REPLACEMENT CHARACTER}", text)


FORMATS = {
    "text": lambda reports: "\n\n".join(report.text for report in reports),
    "github": _as_workflow_commands,
    "junit": _as_junit,
}
