"""Score the check of notes against known answers, and store the counts that the book shows: `make score CORPUS=FOLDER`.

The folder holds notes and, beside each, a key: NNN.json, which lists the numbers that the note states, with their
places, their right values, and what each is. The notes are the work of others and stay out of this repository, so that
only counts are stored. Slips are also planted: each right number is changed in several ways, one at a time, and the
check has to report that number.
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import patch

from ndcg_ref import STANDARD, Convention
from ndcg_ref.notes import Finding, certainty, check_note
from ndcg_ref.notes.documents import format_of
from ndcg_ref.stated.number import read_number
from ndcg_ref.subjects.ranking import alternatives_for

SCORES = Path(__file__).resolve().parents[2] / "book" / "_data" / "note-scores.json"

# What a key calls the form of a claim, and the class that is counted; the key tells plain text from LaTeX
CLASSES = {
    "IS": "sum",
    "S": "sum",
    "IR": "ratio",
    "R": "ratio",
    "I": "formula",
    "F": "formula",
    "L": "logarithm",
    "M": "mean",
    "T": "table cell",
    "P": "sentence",
    "O": "program output",
    "B": "number alone",
}
GAINS = {"linear": "linear", "exp2": "exponential", "binary": "binary"}
MEASURE = re.compile("(I?DCG|NDCG)@([0-9]+)", re.IGNORECASE)
COUNTED = ("claims", "judged", "slips", "found", "false_alarms")
MARGINS = (-8, -4, 0, 1, 2, 4, 6, 8, 12, 16, 24, 32)  # that of the check is 1
ScoreRow = dict[str, Any]


@dataclass(frozen=True)
class KeyedClaim:
    """A number that a note states, as its key has it.

    Parameters
    ----------
    start, end : int
        Where the words begin and end that hold the number, in characters.
    stated : str
        The number.
    right : float
        The right value.
    kind : str
        Its class, one of the values of `CLASSES`.
    computes : str
        What it states, such as "DCG@5".
    inputs : tuple
        The grades that it is computed from, where the key has them.
    cause : str
        What is wrong with it; empty if it is right.
    """

    start: int
    end: int
    stated: str
    right: float
    kind: str
    computes: str
    inputs: tuple[Any, ...]
    cause: str


@dataclass(frozen=True)
class KeyedNote:
    """A note with its key: its number, the name of its file, its text, its convention and its claims."""

    number: str
    file: str
    text: str
    convention: Convention
    claims: tuple[KeyedClaim, ...]


def notes_of(folder: Path) -> list[KeyedNote]:
    """The notes of a folder, in the order of their numbers."""
    keys = sorted(folder.glob("*.json"))
    if not keys:
        raise ValueError(f"{folder}: expected notes with their keys, such as 001.md with 001.json, found no key")
    return [_note(path) for path in keys]


def _note(path: Path) -> KeyedNote:
    try:
        key = json.loads(path.read_text(encoding="utf-8"))
        text = (path.parent / key["file"]).read_bytes().decode("utf-8")
        claims = tuple(_claim(each) for each in key["claims"] if each["offset"] is not None and each["quote"])
        return KeyedNote(key["id"], key["file"], text, _convention(key["convention"]), claims)
    except (KeyError, TypeError) as error:
        raise ValueError(f"{path}: expected a key with {error}, found none (is this the key of a note?)") from None
    except (OSError, ValueError) as error:
        raise ValueError(f"{path}: expected the key of a note beside it, found: {error}") from None


def _claim(given: ScoreRow) -> KeyedClaim:
    is_slip, inherited = given["verdict"] == "slip", given["inherited_from"] is not None
    return KeyedClaim(
        given["offset"],
        given["offset"] + len(given["quote"]),
        given["stated"].strip(),
        given["true"],
        CLASSES[given["form"]],
        given["computes"],
        tuple(given["inputs"] or ()),
        ("inherited" if inherited else given["slip_class"]) if is_slip else "",
    )


def _convention(given: ScoreRow) -> Convention:
    discount = "log(rank)" if given["discount"].startswith("log2(i)") else "log(rank+1)"
    return replace(STANDARD, gain=GAINS[given["gain"]], discount=discount)  # type: ignore[arg-type]


def is_judged(found: Finding | None) -> bool:
    """Whether a number was found, and judged."""
    return found is not None and found.verdict.outcome in ("agrees", "slip")


def finding_of(claim: KeyedClaim, found: Iterable[Finding]) -> Finding | None:
    """What was found of a claim: the last finding with its text at its place, a judged one before all others."""
    here = [each for each in found if claim.start <= each.offset < claim.end and each.stated.strip() == claim.stated]
    return sorted(here, key=is_judged)[-1] if here else None


def counts_of(note: KeyedNote) -> tuple[list[ScoreRow], list[ScoreRow], int]:
    """The counts of each class of claims, the slips, and how many slips are reported where the key has no number."""
    found = check_note(note.text, format_of(note.file))
    counts: dict[str, Counter[str]] = {}
    slips, known = [], set()
    for claim in note.claims:
        hit = finding_of(claim, found)
        known |= {hit.offset} if hit is not None else set()
        called_slip = hit is not None and hit.verdict.outcome == "slip"
        counted = counts.setdefault(claim.kind, Counter())
        counted += Counter({"claims": 1, "judged": is_judged(hit)})
        if claim.cause:
            counted += Counter({"slips": 1, "found": called_slip})
            slips.append(_slip(note, claim, called_slip))
        else:
            counted["false_alarms"] += called_slip
    outside = sum(each.verdict.outcome == "slip" and each.offset not in known for each in found)
    rows = [{"note": note.number, "class": kind, **{each: n[each] for each in COUNTED}} for kind, n in counts.items()]
    return rows, slips, outside


def _slip(note: KeyedNote, claim: KeyedClaim, found: bool) -> ScoreRow:
    return {
        "note": note.number,
        "class": claim.kind,
        "states": claim.computes,
        "cause": claim.cause,
        "found": found,
    }


def changes(claim: KeyedClaim, convention: Convention) -> Iterator[tuple[str, str]]:
    """The right number of a claim, changed in each way that its class allows: what was done, and the new text."""
    number = read_number(claim.stated)
    ways: dict[str, Iterable[str]] = {
        "unit": () if number.exact else (number.at(number.units + step) for step in (1, 2)),
        "digit": _with_another_digit(claim.stated),
        "swap": _with_two_exchanged(claim.stated),
    }
    measure = MEASURE.fullmatch(claim.computes)
    if measure and claim.inputs and not number.exact:
        others = alternatives_for(measure[1].lower(), claim.inputs, convention, int(measure[2]))
        for way in ("term", "convention"):
            ways[way] = [number.at(number.rounded(value)) for value in others[way].values()]
    for way, texts in ways.items():
        wrong = (text for text in texts if not _leads_with_zero(text) and not read_number(text).covers(claim.right))
        yield from ((way, text) for text in [*wrong][:1])


def _with_another_digit(text: str) -> Iterator[str]:
    """The digit in the middle, half a turn on."""
    places = [place for place, sign in enumerate(text) if sign.isdigit()]
    place = places[len(places) // 2]
    yield f"{text[:place]}{(int(text[place]) + 5) % 10}{text[place + 1 :]}"


def _with_two_exchanged(text: str) -> Iterator[str]:
    """Two different digits that follow each other, the last ones first."""
    places = [place for place, sign in enumerate(text) if sign.isdigit()]
    for first, second in reversed([*pairwise(places)]):
        if text[first] != text[second]:
            yield text[:first] + text[second] + text[first + 1 : second] + text[first] + text[second + 1 :]


def _leads_with_zero(text: str) -> bool:
    return re.match("0[0-9]", text) is not None


def planted_in(note: KeyedNote) -> list[ScoreRow]:
    """For each class of claims and each way of changing them: how many slips were planted, and how many reported."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    done = set()
    for claim in note.claims:
        start = _place(note.text, claim)
        if claim.cause or start is None or start in done:
            continue
        done.add(start)
        for way, text in changes(claim, note.convention):
            altered = note.text[:start] + text + note.text[start + len(claim.stated) :]
            found = check_note(altered, format_of(note.file))
            reported = any(each.offset == start and each.verdict.outcome == "slip" for each in found)
            counts.setdefault((claim.kind, way), Counter()).update(planted=1, reported=int(reported))
    return [
        {"note": note.number, "class": kind, "change": way, "planted": n["planted"], "reported": n["reported"]}
        for (kind, way), n in counts.items()
    ]


def _place(text: str, claim: KeyedClaim) -> int | None:
    """Where the number of a claim stands: the last time that its words have it."""
    pattern = re.compile(rf"(?<![\d.]){re.escape(claim.stated)}(?!\d)")
    found = [each.start() for each in pattern.finditer(text, claim.start, claim.end)]
    return found[-1] if found else None


def at_margins(notes: list[KeyedNote]) -> list[ScoreRow]:
    """The counts of all claims and slips under each margin: the dial between coverage and false alarms."""
    rows = []
    for margin in MARGINS:
        with patch.object(certainty, "MARGIN", margin):
            counts: Counter[str] = Counter()
            for note in notes:
                counted, _, outside = counts_of(note)
                counts.update(outside=outside)
                for row in counted:
                    counts.update({name: row[name] for name in COUNTED})
        rows.append({"margin": margin, **{name: counts[name] for name in (*COUNTED, "outside")}})
    return rows


def scores_of(notes: list[KeyedNote]) -> dict[str, list[ScoreRow]]:
    """All that is stored, as tables of rows."""
    scores: dict[str, list[ScoreRow]] = {"claims": [], "outside": [], "planted": [], "slips": []}
    for note in notes:
        rows, slips, outside = counts_of(note)
        scores["claims"] += rows
        scores["slips"] += slips
        scores["outside"].append({"note": note.number, "slips": outside})
        scores["planted"] += planted_in(note)
    scores["margins"] = at_margins(notes)
    return scores


def as_text(scores: dict[str, list[ScoreRow]]) -> str:
    """The tables as JSON, a row on each line, in the order of the notes."""
    tables = []
    for name, rows in sorted(scores.items()):
        lines = sorted(json.dumps(row) for row in rows)
        tables.append(f'"{name}": [\n' + ",\n".join(lines) + "\n]")
    return "{\n" + ",\n".join(tables) + "\n}\n"


def main(arguments: list[str]) -> int:
    """Score the notes of the folder that the arguments name, and store the counts."""
    if not any(arguments):
        return _refused("expected a folder with notes and their keys, got none: make score CORPUS=FOLDER")
    folder = Path(arguments[0])
    if not folder.is_dir():
        return _refused(f"{folder}: expected a folder with notes and their keys, found none there")
    try:
        scores = scores_of(notes_of(folder))
    except ValueError as error:
        return _refused(str(error))
    SCORES.write_text(as_text(scores), encoding="utf-8")
    total: Counter[str] = Counter()
    for row in [*scores["claims"], *scores["planted"]]:
        total.update({name: count for name, count in row.items() if isinstance(count, int)})
    print(f"claims: {total['judged']} of {total['claims']} judged, {total['false_alarms']} false alarms")
    print(f"slips: {total['found']} of {total['slips']} found")
    print(f"planted slips: {total['reported']} of {total['planted']} reported")
    return 0


def _refused(why: str) -> int:
    print(f"score: {why}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
