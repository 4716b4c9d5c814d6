"""`ndcg-ref gate`: fail where a new run is worse than a baseline, for the checks of a repository."""

import re
from typing import TYPE_CHECKING, Any, NamedTuple
from xml.etree import ElementTree

from ndcg_ref.commands.shared import refuse_repeated_stdin, report_lines_only_trec_eval_reads
from ndcg_ref.commands.workflows import workflow_command
from ndcg_ref.conventions.validation import quoted

if TYPE_CHECKING:
    import argparse

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
    gate.add_argument("qrels", metavar="QRELS", help="the judgments, a file as for the command eval; - is stdin")
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
    gate.add_argument(
        "--format",
        choices=tuple(FORMATS),
        default="text",
        help="how to print it: as text, as a message of GitHub's workflows, or as JUnit's XML (default: text)",
    )
    gate.set_defaults(run=_gate)


def _gate(given: "argparse.Namespace") -> int:
    from ndcg_ref.compare.gating import compare_with_baseline

    name, print_as = f"{given.measure} of {given.new} against {given.baseline}", FORMATS[given.format]
    try:
        refuse_repeated_stdin(given.qrels, given.baseline, given.new)
        max_drop = _as_drop(given.max_drop)
        gate = compare_with_baseline(
            given.qrels, given.baseline, given.new, given.measure, max_drop=max_drop, convention=given.preset
        )
    except (TypeError, ValueError) as error:
        if given.format != "text":  # which `main` prints to stderr
            print(print_as(GateReport("error", name, str(error), str(error))))
        raise
    runs = {"baseline": given.baseline, "new": given.new}
    only_trec_eval = gate.comparison.only_trec_eval
    report_lines_only_trec_eval_reads(given.qrels, {runs[side]: lines for side, lines in only_trec_eval.items()})
    kind = "passed" if gate.passed else "failure"
    print(print_as(GateReport(kind, name, gate.headline, str(gate))))
    return 0 if gate.passed else 1


def _as_drop(text: str) -> float:
    try:
        drop = float(text)
    except ValueError:
        drop = None
    if drop is None or not text.isascii() or "_" in text:
        raise ValueError(f"--max-drop: expected an absolute value such as 0.005, got {quoted(text)}")
    return drop


def _as_text(outcome: GateReport) -> str:
    return outcome.text


def _as_github(outcome: GateReport) -> str:
    """A message on the page of the workflow."""
    kind = "notice" if outcome.kind == "passed" else "error"
    return workflow_command(kind, outcome.text, {"title": outcome.name})


def _as_junit(outcome: GateReport) -> str:
    """A report with one test case, in the form that servers for continuous integration read.

    Some readers show a test without a time as a gap. It is always 0, so that the same runs give the same report.
    """
    number = {"tests": "1", "failures": "0", "errors": "0", "skipped": "0"}
    time = {"time": "0"}
    if outcome.kind != "passed":
        number[f"{outcome.kind}s"] = "1"
    suites = ElementTree.Element("testsuites")
    suite = ElementTree.SubElement(suites, "testsuite", {"name": "ndcg-ref gate", **number, **time})
    named = {"classname": "ndcg-ref.gate", "name": _in_xml(outcome.name)}
    case = ElementTree.SubElement(suite, "testcase", {**named, **time})
    if outcome.kind == "passed":
        ElementTree.SubElement(case, "system-out").text = _in_xml(outcome.text)
    else:
        found = ElementTree.SubElement(case, outcome.kind, {"message": _in_xml(outcome.headline)})
        found.text = _in_xml(outcome.text)
    ElementTree.indent(suites)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(suites, encoding="unicode")}'


def _in_xml(text: str) -> str:
    """The text without the signs that XML has no way to write."""
    return NOT_IN_XML.sub("\N{REPLACEMENT CHARACTER}", text)


FORMATS = {"text": _as_text, "github": _as_github, "junit": _as_junit}
