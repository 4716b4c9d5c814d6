"""The findings of `ndcg-ref check` as text, and in the formats that other programs read.

Each format is a function from a report to lines; it neither reads a file nor prints.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from ndcg_ref import __version__
from ndcg_ref.commands.note_files import MARK, STDIN, Note, content_of, decoded
from ndcg_ref.commands.shared import workflow_command
from ndcg_ref.conventions.validation import shortened, visible
from ndcg_ref.notes import Finding
from ndcg_ref.notes.findings import OUTCOMES
from ndcg_ref.notes.understood import Understood, listed

WIDEST = 100  # characters of a line that is shown with its finding
SARIF_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
KEYS = ("file", "stated", "name", "text")  # of a line of a baseline


class FileFinding(NamedTuple):
    """A finding with the name and the text of its file."""

    file: str
    text: str
    finding: Finding


class Report(NamedTuple):
    """What is reported of some notes.

    Parameters
    ----------
    findings : sequence of FileFinding
        The numbers, without the wrong ones that are known already.
    notes : sequence of Note
        The files that they are from.
    unchecked : bool
        Whether the numbers that are not judged are listed, too.
    passes : str
        The severity of the slips that let a check pass; empty where none does.
    """

    findings: Sequence[FileFinding]
    notes: Sequence[Note] = ()
    unchecked: bool = False
    passes: str = ""

    def fails(self, located: FileFinding) -> bool:
        """Whether a number lets the check fail."""
        return located.finding.is_wrong and located.finding.severity != self.passes

    @property
    def listed(self) -> list[FileFinding]:
        """The numbers that are listed one by one: those that are wrong, and if asked for those that are not judged."""
        return [each for each in self.findings if each.finding.is_wrong or (self.unchecked and each.finding.reason)]

    @property
    def counts(self) -> Counter[str]:
        """How many numbers have each outcome, in the order of the outcomes."""
        return Counter(sorted((each.finding.outcome for each in self.findings), key=list(OUTCOMES).index))

    @property
    def in_words(self) -> str:
        """The counts in a line.

        >>> Report([]).in_words
        '0 found: 0 slip'
        """
        counts = self.counts
        small = sum(each.finding.severity == "last digit" for each in self.findings)
        said = {each: f"{counts[each]} {each}" for each in OUTCOMES if counts[each] or each == "slip"}
        said["slip"] += f" ({small} in the last digit)" if small else ""
        return f"{len(self.findings)} found: {', '.join(said.values())}"


def as_text(report: Report) -> Iterator[str]:
    """Each number that is listed as compilers print theirs, below how its example was read; at the end the counts."""
    examples = {note.name: note.understood for note in report.notes}
    before = None
    for each in report.listed:
        around = (one for one in examples.get(each.file, ()) if one.first <= each.finding.line <= one.last)
        example = next(around, None)
        if example is not None and (each.file, example) != before:
            yield visible(f"{each.file}:{example.first}: understood: {example}")
            before = each.file, example
        yield from with_caret(each)
    yield report.in_words
    unchecked = (each.finding.reason for each in report.findings if each.finding.outcome == "unchecked")
    for reason, count in Counter(unchecked).most_common():
        yield visible(f"    {count} unchecked: {reason}")


def with_caret(located: FileFinding) -> Iterator[str]:
    """What a finding says, its line, and a caret below the number."""
    finding = located.finding
    yield visible(f"{located.file}:{finding.line}:{finding.column}: {finding}")
    line = finding.offset - finding.column + 1
    first = line + max(0, finding.column - 1 - WIDEST // 2)
    shown, *_ = re.split(r"[\r\n]", located.text[first : first + WIDEST], maxsplit=1)
    shown = shown.replace("\t", " ")
    yield visible(f"    {shown}")
    before = visible(f"    {shown[: finding.offset - first]}")
    yield f"{' ' * len(before)}{'^' * finding.length}"


def as_json(report: Report) -> Iterator[str]:
    """All findings, how their examples were read, the counts and what was not read, in one line."""
    examples = [
        {"file": note.name, "first": each.first, "last": each.last, "understood": str(each)}
        for note in report.notes
        for each in note.understood
    ]
    unread = [{"file": note.name, "line": note.unread} for note in report.notes if note.unread]
    found = [_record(each) for each in report.findings]
    yield json.dumps({"findings": found, "counts": report.counts, "examples": examples, "unread": unread})


def _record(located: FileFinding) -> dict[str, Any]:
    finding, verdict = located.finding, located.finding.verdict
    return {
        "file": located.file,
        "line": finding.line,
        "column": finding.column,
        "offset": finding.offset,
        "length": finding.length,
        "name": verdict.name,
        "stated": finding.stated,
        "computed": verdict.computed if verdict.computed_text else None,  # JSON has no nan
        "correct": verdict.correct,
        "outcome": finding.outcome,
        "severity": finding.severity,
        "causes": list(verdict.causes),
        "reason": finding.reason,
        "explanation": str(finding),
    }


SARIF_RULES = {
    # id, which is an outcome: what it means, the level of its results
    "slip": ("A stated number is no right rounding of what it should be", "error"),
    "impossible": ("A stated number is wrong whatever the ranking is", "error"),
    "malformed": ("A comment says nothing that can be read", "error"),
    "consistent": ("A number is a value of the ranking, and the note does not say which", "note"),
    "undefined": ("A quantity has no value, as there is no ideal gain", "note"),
    "unchecked": ("A stated number is not judged", "note"),
}


def as_sarif(report: Report) -> Iterator[str]:
    """The numbers that are listed in SARIF 2.1.0, which the pages of GitHub and many editors show at their places."""
    rules = [
        {"id": name, "shortDescription": {"text": text}, "defaultConfiguration": {"level": level}}
        for name, (text, level) in SARIF_RULES.items()
    ]
    run = {
        "tool": {"driver": {"name": "ndcg-ref", "version": __version__, "rules": rules}},
        "columnKind": "unicodeCodePoints",
        "results": [_result(each, report) for each in report.listed],
    }
    yield json.dumps({"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1)


def _result(located: FileFinding, report: Report) -> dict[str, Any]:
    finding = located.finding
    region = {
        "startLine": finding.line,
        "startColumn": finding.column,
        "endColumn": finding.column + finding.length,
        "charOffset": finding.offset,
        "charLength": finding.length,
        "snippet": {"text": finding.stated},
    }
    return {
        "ruleId": finding.outcome,
        "ruleIndex": list(SARIF_RULES).index(finding.outcome),
        "level": "warning" if finding.is_wrong and not report.fails(located) else SARIF_RULES[finding.outcome][1],
        "message": {"text": str(finding)},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": _uri(located.file)}, "region": region}}],
        "properties": {"causes": list(finding.verdict.causes), "severity": finding.severity},
    }


def _uri(name: str) -> str:
    path = Path(name)
    if name == STDIN:
        return "stdin"
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())


def as_github(report: Report) -> Iterator[str]:
    """A workflow command of GitHub for each number that is listed, which shows it beside its line of a pull request."""
    for each in report.listed:
        place = {
            "file": each.file,
            "line": each.finding.line,
            "col": each.finding.column,
            "endColumn": each.finding.column + each.finding.length,
        }
        kind = "error" if report.fails(each) else "warning" if each.finding.is_wrong else "notice"
        yield workflow_command(kind, str(each.finding), place)


def as_baseline(report: Report) -> Iterator[str]:
    """The wrong numbers as a baseline has them, one in a line."""
    for each in report.findings:
        if each.finding.is_wrong:
            yield json.dumps(dict(zip(KEYS, key_of(each), strict=True)), ensure_ascii=False)


def key_of(located: FileFinding) -> tuple[str, ...]:
    """What a slip is known by, wherever its line moves."""
    text, finding = located.text, located.finding
    start, end = text.rfind("\n", 0, finding.offset) + 1, text.find("\n", finding.offset)
    return located.file, finding.stated, finding.verdict.name, text[start : end if end >= 0 else None].strip()


def as_html(report: Report) -> Iterator[str]:
    """A page that needs no network and no script."""
    from ndcg_ref.commands.html_report import as_page

    yield from as_page(report)


def explained(file: str, found: Sequence[Understood]) -> Iterator[str]:
    """The examples of a note, and the hypotheses between which the check decided."""
    for i, each in enumerate(found, start=1):
        lines = f"line {each.first}" if each.first == each.last else f"lines {each.first} to {each.last}"
        yield f"{file}:{each.first}: example {i} of {len(found)}, {lines}"
        yield from (f"    {name:12}{text}" for name, text in _parts(each))
        for n, reading in enumerate(each.readings, start=1):
            cost = f", less {reading.cost:.1f} for what it takes for granted" if reading.cost else ""
            told = f"{len(reading.support)} numbers come out, which tell {sum(reading.support.values()):.1f} bits"
            judged = sorted(reading.measured.judged, reverse=True)
            own = judged == sorted(reading.grades, reverse=True)
            beside = "" if own else f"; judged {listed(judged)}"
            yield f"    reading {n}   {told}{cost}"
            yield f"        grades {listed(reading.grades)}{beside}; {reading.convention}"


def _parts(each: Understood) -> Iterator[tuple[str, str]]:
    """What the example says, and what its best reading makes of it."""
    yield "grades", "; ".join(map(listed, each.rankings)) or "none found"
    yield (
        "convention",
        f"{' and '.join(map(str, each.conventions))}, {each.source}" if each.conventions else "not fixed",
    )
    yield "cutoffs", ", ".join(map(str, each.cutoffs)) or "none stated"
    yield "quantities", ", ".join(each.quantities) or "none named"


FORMATS: dict[str, Callable[[Report], Iterator[str]]] = {
    "text": as_text,
    "html": as_html,
    "json": as_json,
    "sarif": as_sarif,
    "github": as_github,
    "baseline": as_baseline,
}


Key = tuple[str, ...]


def read_baseline(name: str) -> Counter[Key]:
    """The slips of a baseline, a file; raises where a line is none."""
    try:
        lines = decoded(content_of(name)).removeprefix(MARK).split("\n")
    except OSError as error:
        raise ValueError(f"{shortened(name)}: {error.strerror}") from None
    known: Counter[Key] = Counter()
    for i, line in enumerate(filter(str.strip, lines), start=1):
        try:
            entry = json.loads(line)
            key = tuple(entry[each] for each in KEYS)
        except (ValueError, KeyError, TypeError, RecursionError):
            key = ()
        if not key or not all(isinstance(part, str) for part in key):
            raise ValueError(f"{shortened(name)}:{i}: expected an object with {', '.join(KEYS)}, got {shortened(line)}")
        known[key] += 1
    return known


def compared(findings: Sequence[FileFinding], known: Counter[Key]) -> tuple[list[FileFinding], list[Key]]:
    """The findings without the slips that are known, and the known slips that are gone."""
    left, kept = known.copy(), []
    for each in findings:
        if each.finding.is_wrong and left[key_of(each)] > 0:
            left[key_of(each)] -= 1
        else:
            kept.append(each)
    return kept, list(left.elements())
