"""`ndcg-ref gate`: fail where a new run is worse than a baseline, for the checks of a repository."""

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
    """Add the command."""
    gate = commands.add_parser(
        "gate",
        help="fail where a new run is worse than a baseline",
        description="Hold a new run against a baseline: the means over all judged queries, where a query that a run "
        "lacks counts as 0. Exit code 0: the mean drops by no more than is allowed; 1: it drops by more; 2: the means "
        "are not over the same queries, no run could fail, or the input is bad.",
    )
    shared.add_qrels(gate)
    gate.add_argument("baseline", metavar="BASELINE", help="the run file to compare with")
    gate.add_argument("new", metavar="NEW", help="the new run file")
    gate.add_argument("-m", dest="measure", metavar="MEASURE", default="nDCG@10", help="(default: nDCG@10)")
    gate.add_argument(
        "--max-drop",
        metavar="DROP",
        required=True,
        help="by how much the mean may drop, an absolute value such as 0.005",
    )
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


def _gate(options: argparse.Namespace) -> int:
    from ndcg_ref.compare.gating import compare_with_baseline

    runs = {"baseline": options.baseline, "new": options.new}
    name, print_as = f"{options.measure} of {options.new} against {options.baseline}", FORMATS[options.format]
    try:
        shared.refuse_repeated_stdin(options.qrels, *runs.values())
        max_drop = _as_drop(options.max_drop)
        gate = compare_with_baseline(
            options.qrels, **runs, measure=options.measure, max_drop=max_drop, convention=options.preset
        )
    except (TypeError, ValueError) as error:
        if options.format != "text":  # which `main` prints to stderr
            print(print_as(GateReport("error", name, str(error), str(error))))
        raise
    shared.report_only_trec_eval(
        options.qrels, {runs[side]: result for side, result in gate.comparison.results.items()}
    )
    print(print_as(GateReport("passed" if gate.passed else "failure", name, gate.headline, str(gate))))
    return 0 if gate.passed else 1


def _as_drop(text: str) -> float:
    try:
        if text.isascii() and "_" not in text:
            return float(text)
    except ValueError:
        pass
    raise ValueError(f"--max-drop: expected an absolute value such as 0.005, got {quoted(text)}")


def _as_junit(report: GateReport) -> str:
    """A report with one test case, in the form that servers for continuous integration read.

    Some readers show a test without a time as a gap. It is always 0, so that the same runs give the same report.
    """
    counts = {f"{kind}s": str(int(report.kind == kind)) for kind in ("failure", "error")}
    suites = ElementTree.Element("testsuites")
    suite = {"name": "ndcg-ref gate", "tests": "1", **counts, "skipped": "0", "time": "0"}
    case = {"classname": "ndcg-ref.gate", "name": _in_xml(report.name), "time": "0"}
    parent = ElementTree.SubElement(ElementTree.SubElement(suites, "testsuite", suite), "testcase", case)
    if report.kind == "passed":
        outcome = ElementTree.SubElement(parent, "system-out")
    else:
        outcome = ElementTree.SubElement(parent, report.kind, {"message": _in_xml(report.headline)})
    outcome.text = _in_xml(report.text)
    ElementTree.indent(suites)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(suites, encoding="unicode")}'


def _in_xml(text: str) -> str:
    """The text without the signs that XML has no way to write."""
    return NOT_IN_XML.sub("\N{REPLACEMENT CHARACTER}", text)


FORMATS = {
    "text": lambda report: report.text,
    "github": lambda report: shared.workflow_command(  # a message on the page of the workflow
        "notice" if report.kind == "passed" else "error", report.text, {"title": report.name}
    ),
    "junit": _as_junit,
}
