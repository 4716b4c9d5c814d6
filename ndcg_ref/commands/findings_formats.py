"""The findings of `ndcg-ref check` as text, and in the formats that other programs read.

Each format is a function from findings to lines; it neither reads a file nor prints.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ndcg_ref.commands.workflows import workflow_command
from ndcg_ref.conventions.validation import visible

if TYPE_CHECKING:
    from ndcg_ref.notes import Finding

WIDEST = 100  # characters of a line that is shown with its finding
OUTCOMES = ("agrees", "consistent", "slip", "impossible", "undefined", "unchecked")
SARIF_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
STDIN = "-"
KEYS = ("file", "stated", "name", "text")  # of a line of a baseline


class FileFinding(NamedTuple):
    """A finding with the name and the text of its file."""

    file: str
    text: str
    finding: "Finding"

    @property
    def is_slip(self) -> bool:
        """Whether the number is wrong: a slip, or impossible."""
        return self.finding.is_wrong

    @property
    def line(self) -> str:
        """The line of the file in which the number stands."""
        start = self.text.rfind("\n", 0, self.finding.offset) + 1
        end = self.text.find("\n", self.finding.offset)
        return self.text[start : end if end >= 0 else len(self.text)].rstrip("\r")


def as_text(found: Sequence[FileFinding]) -> Iterator[str]:
    """Each slip as compilers print theirs, and at the end the counts."""
    for each in found:
        if each.is_slip:
            yield from with_caret(each)
    counts = counts_of(found)
    parts = [f"{counts[outcome]} {outcome}" for outcome in OUTCOMES if counts[outcome] or outcome == "slip"]
    yield f"{counts.total()} found: {', '.join(parts)}"
    reasons = Counter(each.finding.verdict.why_not for each in found if each.finding.outcome == "unchecked")
    for reason, count in reasons.most_common():
        yield visible(f"    {count} unchecked: {reason}")


def with_caret(each: FileFinding) -> Iterator[str]:
    """What a finding says, its line, and a caret below the number."""
    finding = each.finding
    yield visible(f"{each.file}:{finding.line}:{finding.column}: {finding.verdict}")
    line = finding.offset - finding.column + 1
    first = line + max(0, finding.column - 1 - WIDEST // 2)
    shown, *_ = re.split(r"[\r\n]", each.text[first : first + WIDEST], maxsplit=1)
    shown = shown.replace("\t", " ")
    yield visible(f"    {shown}")
    before = visible(f"    {shown[: finding.offset - first]}")
    yield f"{' ' * len(before)}{'^' * finding.length}"


def as_json(found: Sequence[FileFinding]) -> Iterator[str]:
    """All findings and their counts, in one line."""
    yield json.dumps({"findings": [_record(each) for each in found], "counts": dict(counts_of(found))})


def _record(each: FileFinding) -> dict[str, Any]:
    finding, verdict = each.finding, each.finding.verdict
    return {
        "file": each.file,
        "line": finding.line,
        "column": finding.column,
        "offset": finding.offset,
        "length": finding.length,
        "name": verdict.name,
        "stated": finding.stated,
        "computed": verdict.computed,
        "outcome": finding.outcome,
        "severity": finding.severity,
        "causes": list(verdict.causes),
        "explanation": str(verdict),
    }


def as_sarif(found: Sequence[FileFinding]) -> Iterator[str]:
    """The slips in SARIF 2.1.0, which the pages of GitHub and many editors show at their places."""
    from ndcg_ref import __version__

    rule = {
        "id": "slip",
        "shortDescription": {"text": "A stated number is no right rounding of what it should be"},
        "defaultConfiguration": {"level": "error"},
    }
    run = {
        "tool": {"driver": {"name": "ndcg-ref", "version": __version__, "rules": [rule]}},
        "columnKind": "unicodeCodePoints",
        "results": [_result(each) for each in found if each.is_slip],
    }
    yield json.dumps({"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1)


def _result(each: FileFinding) -> dict[str, Any]:
    finding = each.finding
    region = {
        "startLine": finding.line,
        "startColumn": finding.column,
        "endColumn": finding.column + finding.length,
        "charOffset": finding.offset,
        "charLength": finding.length,
        "snippet": {"text": finding.stated},
    }
    return {
        "ruleId": "slip",
        "ruleIndex": 0,
        "level": "error",
        "message": {"text": str(finding.verdict)},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": _uri(each.file)}, "region": region}}],
        "properties": {"causes": list(finding.verdict.causes)},
    }


def _uri(name: str) -> str:
    from urllib.parse import quote

    path = Path(name)
    if name == STDIN:
        return "stdin"
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())


def as_github(found: Sequence[FileFinding]) -> Iterator[str]:
    """A workflow command of GitHub for each slip, which shows it beside its line of a pull request."""
    for each in found:
        if each.is_slip:
            place = {
                "file": each.file,
                "line": each.finding.line,
                "col": each.finding.column,
                "endColumn": each.finding.column + each.finding.length,
            }
            yield workflow_command("error", str(each.finding.verdict), place)


def as_baseline(found: Sequence[FileFinding]) -> Iterator[str]:
    """The slips as a baseline has them, one in a line."""
    for each in found:
        if each.is_slip:
            yield json.dumps(dict(zip(KEYS, key_of(each), strict=True)), ensure_ascii=False)


def key_of(each: FileFinding) -> tuple[str, ...]:
    """What a slip is known by, wherever its line moves."""
    return each.file, each.finding.stated, each.finding.verdict.name, each.line.strip()


FORMATS: dict[str, Callable[[Sequence[FileFinding]], Iterator[str]]] = {
    "text": as_text,
    "json": as_json,
    "sarif": as_sarif,
    "github": as_github,
    "baseline": as_baseline,
}


def counts_of(found: Iterable[FileFinding]) -> Counter[str]:
    """How many findings have each outcome."""
    return Counter(each.finding.outcome for each in found)
