"""The findings of `ndcg-ref check` as a page: what is wrong first, then each note with its numbers marked.

The page is one file, which opens without a network and runs no script.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files

from ndcg_ref.commands.findings_formats import FileFinding, Report
from ndcg_ref.commands.note_files import Note
from ndcg_ref.notes.documents import format_of, region_of
from ndcg_ref.notes.findings import OUTCOMES
from ndcg_ref.stated.subject import meaning_of

POLICY = "default-src 'none'; style-src 'unsafe-inline'"
MEANINGS = {
    "agrees": "the value, rightly rounded",
    "consistent": "a value of the ranking, and the note does not say which",
    "slip": "no right rounding of the value",
    "impossible": "wrong whatever the ranking is",
    "malformed": "a comment says nothing that can be read",
    "undefined": "without an ideal gain there is no value",
    "unchecked": "not judged",
}
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")
_BLANKS = re.compile(r"(?<=\S) {2,}(?=\S)|[ \t]+(?=\n)")
_BLANK_LINES = re.compile(r"\n{3,}")


def as_page(report: Report) -> Iterator[str]:
    """A page with the counts, the numbers that are listed, and the notes with their numbers marked."""
    names = [note.name for note in report.notes]
    title = f"Check of {names[0]}" if len(names) == 1 else f"Check of {len(names)} notes"
    style = files("ndcg_ref.commands").joinpath("html_report.css").read_text("utf-8")
    yield "<!doctype html>"
    yield '<html lang="en"><head><meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{_text(title)}</title><style>\n{style}</style></head><body><main>"
    yield f"<h1>{_text(title)}</h1>"
    yield from _counts(report)
    yield from _wrong(report)
    yield from _unjudged(report)
    for number, note in enumerate(report.notes):
        yield from _note(note, number, report)
    yield "</main></body></html>"


def _text(text: str) -> str:
    """A text for the page; signs that a browser would obey, or cannot show, are replaced."""
    return escape(_CONTROLS.sub("�", text))


def _mark(outcome: str) -> str:
    return f'<span class="outcome {outcome}">{OUTCOMES[outcome]} {outcome}</span>'


def _counts(report: Report) -> Iterator[str]:
    """How many numbers have each outcome, each with what it means."""
    count = len(report.findings)
    yield f"<p>{count} {'number was' if count == 1 else 'numbers were'} found:</p><ul class='counts'>"
    for outcome, number in report.counts.items():
        small = sum(
            each.finding.outcome == outcome and each.finding.severity == "last digit" for each in report.findings
        )
        beside = f", {small} of them in the last digit" if small else ""
        yield f"<li><b>{number}</b> {_mark(outcome)} <span>{MEANINGS[outcome]}{beside}</span></li>"
    yield "</ul>"


def _wrong(report: Report) -> Iterator[str]:
    """The numbers that are wrong, those whose value is wrong before those of the last digit."""
    wrong = [each for each in report.findings if each.finding.is_wrong]
    yield "<h2>What is wrong</h2>"
    if not wrong:
        yield "<p>Nothing that was judged is wrong.</p>"
        return
    yield "<ol class='findings'>"
    for each in sorted(wrong, key=lambda each: each.finding.severity == "last digit"):
        yield _item(each, report)
    yield "</ol>"


def _unjudged(report: Report) -> Iterator[str]:
    """The numbers that are not judged, folded unless they were asked for."""
    unjudged = [each for each in report.findings if each.finding.reason]
    if unjudged:
        yield f"<details{' open' if report.unchecked else ''}>"
        yield f"<summary><h2>What is not judged ({len(unjudged)})</h2></summary>"
        yield "<ol class='findings'>"
        yield from (_item(each, report) for each in unjudged)
        yield "</ol></details>"


def _item(located: FileFinding, report: Report) -> str:
    """A finding in a list: where it is, what is right or why it is not judged, and how it may have come about."""
    finding, verdict = located.finding, located.finding.verdict
    place = f"{located.file}, line {finding.line}" if len(report.notes) > 1 else f"line {finding.line}"
    named = f"{verdict.name} " if verdict.name else ""
    severity = {"last digit": "in the last digit", "value": "wrong value"}.get(finding.severity, "")
    severity = "" if finding.outcome == "malformed" else severity
    right = f"; right is <b>{_text(verdict.correct)}</b>" if finding.outcome == "slip" and verdict.correct else ""
    why = finding.reason or (verdict.why_not if finding.outcome in ("impossible", "malformed") else "")
    causes = [cause for cause in verdict.causes if cause != "unexplained"] if finding.is_wrong else []
    listed = "".join(f"<li><i>{_text(cause)}</i>: {_text(meaning_of(cause))}</li>" for cause in causes)
    return (
        f"<li class='{finding.outcome}'>{_mark(finding.outcome)}{f' <em>{severity}</em>' if severity else ''} "
        f"<a href='#{_label(located, report)}'><bdi>{_text(place)}</bdi></a>: "
        f"<bdi>{_text(named)}<b>{_text(finding.stated)}</b></bdi>{right}{f'; {_text(why)}' if why else ''}"
        f"{f'<ul>{listed}</ul>' if listed else ''}</li>"
    )


def _label(located: FileFinding, report: Report) -> str:
    number = next(i for i, note in enumerate(report.notes) if note.name == located.file)
    return f"n{number}-{located.finding.offset}"


def _note(note: Note, number: int, report: Report) -> Iterator[str]:
    """A note: how it was understood, and its text with each number marked."""
    yield f"<section><h2><bdi>{_text(note.name)}</bdi></h2>"
    if note.refusal or note.left:
        yield f"<p class='unread'>Not read: {_text(note.refusal or note.left)}.</p>"
    if note.understood:
        yield "<h3>What was understood</h3><ul class='understood'>"
        for each in note.understood:
            lines = f"Line {each.first}" if each.first == each.last else f"Lines {each.first} to {each.last}"
            yield f"<li>{lines}: {_text(str(each))}</li>"
        yield "</ul>"
    if note.text:
        own = [each for each in report.findings if each.file == note.name]
        yield "<h3>The note with its numbers marked</h3>"
        yield f"<pre tabindex='0'>{''.join(_pieces(note, number, own))}</pre>"
    yield "</section>"


def _pieces(note: Note, number: int, findings: Sequence[FileFinding]) -> Iterator[str]:
    """The text of a note in pieces; a number inside another one is not marked again."""
    form = format_of(note.name)
    text = note.text
    places: Sequence[int] = range(len(text) + 1)
    if form != "text":  # of a page or a notebook what is read of it
        region = region_of(text, form)
        text, places = region.text, region.places
    done = 0
    for each in findings:
        finding = each.finding
        start, end = (bisect_left(places, at) for at in (finding.offset, finding.offset + finding.length))
        if start < done:
            continue
        yield _plain(text[done:start], form)
        sign = OUTCOMES[finding.outcome]
        sign += f" {finding.outcome}" if finding.is_wrong else ""
        sign += f" → {finding.verdict.correct}" if finding.outcome == "slip" else ""
        yield (
            f"<mark class='{finding.outcome}' id='n{number}-{finding.offset}' title='{_text(str(finding))}'>"
            f"{_text(text[start:end])}<span class='sign'>{_text(sign)}</span></mark>"
        )
        done = end
    yield _plain(text[done:], form)


def _plain(text: str, form: str) -> str:
    """A text between numbers; of what is no plain text the blanks where markup was are closed up."""
    return _text(text if form == "text" else _BLANK_LINES.sub("\n\n", _BLANKS.sub(" ", text)))
