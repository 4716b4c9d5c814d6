"""Score the check of notes against known answers: `make score`, for other folders `make score FOLDERS="A B"`.

A folder holds notes and, beside each, a key with what every number of the note should be; `keyed_notes` has those of
this repository and says what a key is. Each folder is a set; that of the repository is two, *dev* and *test*, and
nothing of the test half is listed. Slips are also planted: right numbers are changed in five ways, one at a time, and
the check has to report the changed number. The numbers to change are a sample with a fixed seed.

With `--list` each alarm and each slip that was missed or called right is printed with its line, with `--ablation` the
score without each rule of the check, and with `--store` the counts are written to where the book reads them.
"""

import argparse
import hashlib
import importlib
import json
import math
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import patch

from ndcg_ref import EXPONENTIAL, ORIGINAL, STANDARD, Convention
from ndcg_ref.notes import Finding, check_note
from ndcg_ref.notes.documents import format_of
from ndcg_ref.stated.number import Number, read_number
from ndcg_ref.subjects.ranking import alternatives_for

OWN = Path(__file__).resolve().parent / "keyed_notes"
SCORES = Path(__file__).resolve().parents[2] / "book" / "_data" / "note-scores.json"

# The rules of the check by their places, and what stands for each where it is left out
NOTHING_FOUND: Any = ()
RULES: list[tuple[str, Any]] = [
    *((f"lists.{name}", NOTHING_FOUND) for name in ("_written", "_of_runs", "_of_rows", "_of_columns")),
    *((f"facts.{name}", NOTHING_FOUND) for name in ("_in_sums", "_in_terms", "called_in", "_columns", "workings_in")),
    *((f"facts.{name}", NOTHING_FOUND) for name in ("_headed",)),
    ("hypotheses.relevant_in", NOTHING_FOUND),
    ("claims._adds_decimals", False),
    ("claims._terms", NOTHING_FOUND),
    *((f"judging:Judging.{name}", False) for name in ("_rows", "_column", "_is_another")),
    *((f"judging:Judging.{name}", False) for name in ("_follows", "_by_value", "_is_said_otherwise")),
    *((f"judging:Judging.{name}", None) for name in ("_rename", "_sum", "_ideal_unsorted", "_mean", "_owner")),
    *((f"judging:Judging.{name}", True) for name in ("_works_with", "_is_believed")),
    ("judging._adds_up_to", True),
    ("judging._is_of_another_order", False),
    ("reading.has_open_log", False),
]

# What a key calls the form of a claim, and the class that is counted; some keys tell plain text from LaTeX
CLASSES = {
    "IS": "sum",
    "S": "sum",
    "IR": "ratio",
    "R": "ratio",
    "IF": "formula",
    "I": "formula",
    "F": "formula",
    "L": "logarithm",
    "M": "mean",
    "T": "table cell",
    "P": "sentence",
    "O": "program output",
    "B": "number alone",
}
CONVENTIONS = {"linear": STANDARD, "binary": STANDARD, "exp2": EXPONENTIAL, "original": ORIGINAL}
MEASURE = re.compile("(I?DCG|NDCG)(?:@([0-9]+))?")
JUDGED = ("agrees", "slip", "impossible", "undefined")
REPORTED = ("slip", "impossible")
SAMPLE, SEED = 150, 7  # right numbers of a set that are changed, and the seed that draws them
ScoreRow = dict[str, Any]
Check = Callable[[str, str], list[Finding]]


@dataclass(frozen=True)
class KeyedClaim:
    """A number that a note states, as its key has it.

    Parameters
    ----------
    start, end, place : int
        Where the words begin and end that hold the number, and where the number is, in characters.
    stated : str
        The number, without a percent sign.
    right : float
        The right value.
    kind : str
        Its class, one of the values of `CLASSES`.
    computes : str
        What it states, such as "DCG@5".
    inputs, judged : tuple
        The grades that it is computed from, and all judged grades, where the key has them.
    cause : str
        What is wrong with it; empty if it is right.
    repeated : bool
        Whether the note has printed it before.
    """

    start: int
    end: int
    place: int
    stated: str
    right: float
    kind: str
    computes: str
    inputs: tuple[Any, ...]
    judged: tuple[Any, ...]
    cause: str
    repeated: bool

    @property
    def is_far_off(self) -> bool:
        """Whether a slip is off by more than one and a half units of its last digit."""
        number = number_of(self.stated)
        return abs(self.right - float(number.value)) > 1.5 * float(number.unit)


@dataclass(frozen=True)
class KeyedNote:
    """A note with its key: its name, its file, its text, its conventions and its claims."""

    name: str
    file: str
    text: str
    conventions: tuple[Convention, ...]
    claims: tuple[KeyedClaim, ...]

    @property
    def half(self) -> str:
        """Its half of the collection, by a hash of its name."""
        return "test" if hashlib.sha256(self.name.encode()).digest()[0] % 2 else "dev"


@dataclass
class Score:
    """The counts of one set, by class and in all, and what a reader wants to see of them."""

    counts: Counter[str] = field(default_factory=Counter)
    classes: dict[str, Counter[str]] = field(default_factory=dict)
    planted: dict[str, Counter[str]] = field(default_factory=dict)
    listed: list[str] = field(default_factory=list)
    slips: list[ScoreRow] = field(default_factory=list)
    seconds: float = 0.0


def notes_of(folder: Path) -> list[KeyedNote]:
    """The notes of a folder, in the order of their names."""
    keys = sorted(folder.glob("*.json"))
    if not keys:
        raise ValueError(f"{folder}: expected notes with their keys, such as 001.md with 001.json, found no key")
    return [_note(path) for path in keys]


def _note(path: Path) -> KeyedNote:
    try:
        key = json.loads(path.read_text(encoding="utf-8"))
        text = (path.parent / key["file"]).read_bytes().decode("utf-8")
        given = (each for each in key["claims"] if each["offset"] is not None and each["quote"])
        claims = tuple(_claim(each, text) for each in given if each["detectable"] is not False)
        return KeyedNote(path.stem, key["file"], text, _conventions(key["convention"]), claims)
    except (KeyError, TypeError) as error:
        raise ValueError(f"{path}: expected a key with {error}, found none (is this the key of a note?)") from None
    except (OSError, ValueError) as error:
        raise ValueError(f"{path}: expected the key of a note beside it, found: {error}") from None


def _claim(given: ScoreRow, text: str) -> KeyedClaim:
    is_slip, inherited = given["verdict"] == "slip", given["inherited_from"] is not None
    start, end = given["offset"], given["offset"] + len(given["quote"])
    stated, scale = given["stated"].strip(), 1.0
    if "%" in stated:
        stated, scale = stated.replace("%", "").replace("\\", "").strip(), 100.0
    pattern = re.compile(rf"(?<![\d.,]){re.escape(stated)}(?!\d|[.,]\d)")
    places = [each.start() for each in pattern.finditer(text, start, end)]
    return KeyedClaim(
        start,
        end,
        given.get("number_offset") or (places[-1] if places else start),
        stated,
        given["true"] * scale,
        CLASSES[given["form"]],
        given["computes"].removesuffix(" repeated"),
        tuple(given["inputs"] or ()),
        tuple(given.get("judged") or ()),
        ("inherited" if inherited else given["slip_class"]) if is_slip else "",
        given["computes"].endswith(" repeated"),
    )


def _conventions(given: str | ScoreRow) -> tuple[Convention, ...]:
    if isinstance(given, str):
        return (CONVENTIONS[given],) if given in CONVENTIONS else tuple(CONVENTIONS.values())
    gain: Any = {"linear": "linear", "exp2": "exponential", "binary": "binary"}[given["gain"]]
    return (
        replace(
            STANDARD, gain=gain, discount="log(rank)" if given["discount"].startswith("log2(i),") else "log(rank+1)"
        ),
    )


def number_of(stated: str) -> Number:
    """A printed number, whose comma is a point if two digits do not suffice for a group of thousands."""
    plain = re.sub("[\u202f{}]", "", stated.replace("\u2212", "-")).lstrip("+")
    if re.fullmatch(r"-?\d{1,3}([.,])\d{3}(?!\1)[.,]\d+", plain):
        plain = plain.replace(plain[re.search("[.,]", plain).start()], "", 1)  # type: ignore[union-attr]
    return read_number(plain.replace(",", "."))


def finding_of(claim: KeyedClaim, found: Iterable[Finding]) -> Finding | None:
    """What was found of a claim: the last finding with its text at its place, a judged one before all others."""
    stated = _digits(claim.stated)
    here = [each for each in found if claim.start <= each.offset < claim.end and _digits(each.stated) == stated]
    return sorted(here, key=lambda each: outcome_of(each) in JUDGED)[-1] if here else None


def _digits(stated: str) -> str:
    return stated.replace("%", "").replace("\\", "").replace("{,}", ",").strip()


def outcome_of(found: Finding | None) -> str:
    """The outcome of a finding, "" if nothing was found."""
    return "" if found is None else found.outcome


def score(notes: Iterable[KeyedNote], check: Check, *, plant: bool = True) -> Score:
    """Check the notes of one set, and count."""
    began, result, right = time.perf_counter(), Score(), []
    for note in notes:
        found = _found(result, note, check)
        result.counts.update(notes=1, without_slip=not any(claim.cause for claim in note.claims))
        known = set()
        for claim in note.claims:
            hit = finding_of(claim, found)
            known |= {hit.offset} if hit is not None else set()
            _count(result, note, claim, outcome_of(hit))
            if not (claim.cause or claim.repeated):
                right.append((note, claim, outcome_of(hit)))
        for each in found:
            if outcome_of(each) in REPORTED and each.offset not in known:
                result.counts["outside"] += 1
                result.listed.append(f"outside: {note.file}:{each.line}: {each.stated}")
    if plant:
        drawn = random.Random(SEED).sample(right, min(SAMPLE, len(right)))
        for note, claim, outcome in sorted(drawn, key=lambda each: (each[0].name, each[1].place)):
            _plant(result, note, claim, outcome, check)
    result.seconds = time.perf_counter() - began
    return result


def _found(result: Score, note: KeyedNote, check: Check) -> list[Finding]:
    """The findings of a note; none of one that is refused, which is counted."""
    try:
        return check(note.text, format_of(note.file))
    except ValueError as error:
        result.counts["refused"] += 1
        result.listed.append(f"refused: {note.file}: {error}")
        return []


def _count(result: Score, note: KeyedNote, claim: KeyedClaim, outcome: str) -> None:
    """Count one claim; a repeated one only where it is called what it is not."""
    counted: Counter[str] = Counter()
    if not claim.repeated:
        counted.update(claims=1, judged=outcome in JUDGED, consistent=outcome == "consistent")
    if claim.cause:
        counted.update(wrong=1, agrees=outcome == "agrees")
        if not claim.repeated:
            counted.update(slips=1, found=outcome in REPORTED, far=claim.is_far_off)
            counted.update(far_found=claim.is_far_off and outcome in REPORTED)
            row = {"note": note.name, "class": claim.kind, "states": claim.computes, "cause": claim.cause}
            result.slips.append(row)
    else:
        counted.update(right=1, alarms=outcome in REPORTED)
    result.counts.update(counted)
    result.classes.setdefault(claim.kind, Counter()).update(counted)
    number = note.text.count("\n", 0, claim.place) + 1
    line = f"{note.file}:{number}: {claim.computes} {claim.stated}, {claim.right:.6g}"
    if claim.cause and outcome not in REPORTED:
        result.listed.append(f"{'called right' if outcome == 'agrees' else 'missed'}: {line} ({claim.cause})")
    if not claim.cause and outcome in REPORTED:
        result.listed.append(f"alarm: {line}")


def _plant(result: Score, note: KeyedNote, claim: KeyedClaim, before: str, check: Check) -> None:
    """Change one right number in each way, and count how many of the changed numbers are reported."""
    for way, text in changes(claim, note.conventions):
        altered = note.text[: claim.place] + text + note.text[claim.place + len(claim.stated) :]
        found = _found(result, replace(note, text=altered), check)
        outcomes = {outcome_of(each) for each in found if each.offset == claim.place}
        reported = bool(outcomes & {*REPORTED})
        agreed = before == "agrees"
        counted = Counter(planted=1, reported=reported, agrees="agrees" in outcomes)
        counted.update(of_agreeing=agreed, reported_of_agreeing=agreed and reported)
        result.planted.setdefault(way, Counter()).update(counted)
        result.counts.update({f"plants_{name}": count for name, count in counted.items()})


def changes(claim: KeyedClaim, conventions: Iterable[Convention]) -> Iterator[tuple[str, str]]:
    """The right number of a claim, changed in each way that it allows: what was done, and the new text."""
    number = number_of(claim.stated)
    if not re.fullmatch(r"[-+]?\d*[.,]?\d+", claim.stated) or not number.covers(claim.right):
        return  # with marks for thousands, or in another notation
    ways: dict[str, Iterable[str]] = {
        "unit": () if number.exact else (number.at(number.units + 2),),
        "digit": _with_another_digit(claim.stated),
        "swap": _with_two_exchanged(claim.stated),
    }
    measure = MEASURE.fullmatch(claim.computes)
    if measure and claim.inputs and not number.exact:
        k = int(measure[2]) if measure[2] else None
        for convention in conventions:
            # Of several conventions of a note the one that gives the number
            others = alternatives_for(measure[1].lower(), claim.inputs, convention, k, claim.judged or None)
            for way in ("term", "convention"):
                ways[way] = [number.at(number.rounded(value)) for value in others[way].values() if math.isfinite(value)]
            if len({*others["convention"].values()}) > 1:
                break
    for way, texts in ways.items():
        as_printed = (text.replace(".", ",") if "," in claim.stated else text for text in texts)
        wrong = (text for text in as_printed if not _leads_with_zero(text) and not number_of(text).covers(claim.right))
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


LINES = {
    # what is printed: the count, and of how many
    "judged": ("judged", "claims"),
    "judged or consistent": ("judged_or_consistent", "claims"),
    "slips found": ("found", "slips"),
    "slips found, beyond the last digit": ("far_found", "far"),
    "right numbers called slips": ("alarms", "right"),
    "wrong numbers called agrees": ("agrees", "wrong"),
    "planted slips reported": ("plants_reported", "plants_planted"),
    "planted slips reported, of numbers that agree unplanted": ("plants_reported_of_agreeing", "plants_of_agreeing"),
    "planted slips called agrees": ("plants_agrees", "plants_planted"),
}


def as_lines(name: str, result: Score) -> Iterator[str]:
    """The score of one set as text."""
    counts = result.counts + Counter(judged_or_consistent=result.counts["judged"] + result.counts["consistent"])
    yield f"{name}: {counts['claims']} claims, {result.seconds:.0f} seconds"
    for words, (count, of) in LINES.items():
        if counts[of]:
            yield f"  {words}: {counts[count]} of {counts[of]} ({counts[count] / counts[of]:.1%})"
    yield f"  slips reported where the key has no claim: {counts['outside']}"
    if counts["refused"]:
        yield f"  notes refused, planted ones with them: {counts['refused']}"


def in_one_line(name: str, result: Score) -> str:
    """The score of one set in one line, to compare rules."""
    n = result.counts
    return f"{name}: judged {n['judged']}, found {n['found']}, alarms {n['alarms']}, called right {n['agrees']}"


def sets_of(folders: Iterable[Path]) -> dict[str, list[KeyedNote]]:
    """The notes of each set; the repository's own collection has two, by the hash of the names."""
    sets: dict[str, list[KeyedNote]] = {}
    for folder in folders:
        for note in notes_of(folder):
            sets.setdefault(note.half if folder.resolve() == OWN else folder.name, []).append(note)
    return sets


def stored(scores: dict[str, Score], before: str) -> str:
    """The counts as JSON, a row on each line; those of sets that were not scored now are kept."""
    tables: dict[str, list[ScoreRow]] = json.loads(before)
    rows: dict[str, list[ScoreRow]] = {"sets": [], "classes": [], "planted": [], "slips": []}
    for name, result in scores.items():
        rows["sets"].append({"set": name, **dict(sorted(result.counts.items()))})
        rows["classes"] += [
            {"set": name, "class": kind, **dict(sorted(n.items()))} for kind, n in result.classes.items()
        ]
        rows["planted"] += [
            {"set": name, "change": way, **dict(sorted(n.items()))} for way, n in result.planted.items()
        ]
        rows["slips"] += [{"set": name, **row} for row in result.slips]
    parts = []
    for table, new in sorted(rows.items()):
        kept = [row for row in tables.get(table, []) if row["set"] not in scores]
        parts.append(f'"{table}": [\n' + ",\n".join(sorted(json.dumps(row) for row in [*kept, *new])) + "\n]")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def main(arguments: list[str]) -> int:
    """Score the check on the folders that the arguments name, or on the collection of this repository."""
    parser = argparse.ArgumentParser(prog="score", description="score the check of notes against keys")
    parser.add_argument("folders", nargs="*", type=Path, help="folders with notes and their keys")
    parser.add_argument("--list", action="store_true", help="list alarms and missed slips, but none of the test half")
    parser.add_argument("--no-plant", action="store_true", help="plant no slips")
    parser.add_argument("--ablation", action="store_true", help="the score without each rule, a line for each")
    parser.add_argument("--store", action="store_true", help="store the counts for the book")
    given = parser.parse_args(arguments)
    try:
        sets = sets_of(given.folders or [OWN])
        if given.ablation:
            return _ablation([note for notes in sets.values() for note in notes])
    except ValueError as error:
        print(f"score: {error}", file=sys.stderr)
        return 2
    scores = {}
    for name, notes in sets.items():
        scores[name] = score(notes, check_note, plant=not given.no_plant)  # type: ignore[arg-type]
        print("\n".join(as_lines(name, scores[name])), flush=True)
        if given.list and name != "test":
            print("\n".join(f"    {line}" for line in scores[name].listed))
    if given.store:
        SCORES.write_text(stored(scores, SCORES.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


def _ablation(notes: list[KeyedNote]) -> int:
    """Print the score with all rules, and without each."""
    print(in_one_line("all rules", score(notes, check_note, plant=False)))  # type: ignore[arg-type]
    for place, says in RULES:
        module, _, name = place.rpartition(".")
        owner, _, kind = module.partition(":")
        found: Any = importlib.import_module(f"ndcg_ref.notes.{owner}")
        with patch.object(getattr(found, kind) if kind else found, name, lambda *_, says=says: says):
            result = score(notes, check_note, plant=False)  # type: ignore[arg-type]
        print(in_one_line(f"without {place}", result), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
