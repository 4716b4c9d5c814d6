"""What is stored of a verdict, as JSON holds it: what pages are made from, and what the ledger reads."""

from __future__ import annotations

from typing import TypedDict


class EvidenceRecord(TypedDict):
    """A recomputation that gives the printed number: the code of its cause, and how it does so."""

    cause: str
    text: str


class StepRecord(TypedDict):
    """A step of a derivation, as a line of Markdown, and whether the printed value departs there."""

    text: str
    departs: bool


class Record(TypedDict):
    """A verdict, or a statement in words.

    `name` is what was judged, and `label` what links to it; `kind` is "number", "term" or "sentence". `stated` is the
    text that the note prints, which claims to be the value itself where it is `as_exact`; `computed` the value, and
    `computed_text` how to show it. `causes`, `evidence`, `chance`, `weak`, `explanation`, `derivation` and `status`
    belong to a slip; `counterexample` to a false statement; `discrepancies` are the places where the printed working
    does not lead on. `declared` is the cause that the chapter states, `reason` why there is nothing to compare with,
    and `line` all of it in one line.
    """

    name: str
    label: str
    kind: str
    stated: str
    as_exact: bool
    computed: float | None
    computed_text: str | None
    correct: str | None
    outcome: str
    causes: list[str]
    declared: str | None
    evidence: list[EvidenceRecord]
    counterexample: str | None
    discrepancies: list[str]
    chance: float | None
    weak: bool
    explanation: str
    derivation: list[StepRecord]
    status: str
    reason: str
    line: str


class Entry(Record):
    """A record in a ledger: with its chapter, and with where it stands there.

    `chapter` is the path of the notebook, and `note` what that has below the folder that was read, without its
    suffix, or None in a lesson; `printed` is the line that was judged, if it is one; `title` and `section` are the
    headings that the verdict stands under.
    """

    chapter: str
    note: str | None
    printed: str | None
    title: str
    section: str


FIELDS = tuple(Record.__annotations__)
