"""The numbers that sentences of a note state, without an equation, and what the words before them say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ndcg_ref.notes.mentions import Mention, Name, is_supposed, name_in
from ndcg_ref.notes.patterns import ENDS, PERCENT
from ndcg_ref.notes.words import NAMED, QUANTITY_FORMS, says, words_for
from ndcg_ref.stated.number import Number, read_number

_GAP = r"[\s*\"':\uff1a`$~≈|]++"  # blanks are never given back: tags leave hundreds of them
_BARE = re.compile(
    rf"(?P<label>(?<![^\W_])(?:{'|'.join(QUANTITY_FORMS.values())}|(?:ideal|perfect)(?:\s+(?:one|value|sum))?)"
    rf"(?:\s*@\s*[0-9]+|[}}\s]?_\{{?[0-9]+\}}?|\s{words_for('at')}\s+[0-9]+)?)"
    rf"{_GAP}(?:{words_for('link')}{_GAP}){{0,5}}(?:{words_for('link')})?"
    rf"(?:(?P<number>[0-9]{{1,3}}\.[0-9]{{1,17}}){ENDS}|{PERCENT})(?!\s?[/×*+])",
    re.IGNORECASE,
)
MEASURES = ("NDCG", "P", "R", "RR", "AP", "ERR", "RBP")  # which lie between 0 and 1
_SENTENCE_END = re.compile(r"[.!?]\s|\n\s*\n|;\s")
_GOAL = re.compile(
    r"(?<![^\W_])(?:targets?|goals?|thresholds?|service level|at least|at most|above|below|exceeds?|typical\w*|random|"
    r"baseline|last (?:quarter|year|month|week)|expected|median|confidence|±)(?![^\W_])",
    re.IGNORECASE,
)
NEAR = 20  # characters behind a number that say what it is of


def stated_in(plain: str, used: set[int]) -> Iterator[Mention]:
    """The numbers of sentences, but those at the places that are used."""
    for found in _BARE.finditer(plain):
        start, end, number = _stated(found)
        if start in used or "\n\n" in found[0]:
            continue
        line = plain[plain.rfind("\n", 0, found.start()) + 1 : found.end("label")]
        words = line if line[: -len(found["label"])].rstrip().endswith("/") else found["label"]
        before = plain[max(0, found.start() - 80) : found.end("label")]
        before = _SENTENCE_END.split(before)[-1]
        name = name_in(words, plain, start)
        if name.quantity is None and says("ideal", found["label"]):
            name = replace(name, quantity="IDCG", loose=True)
        if name.quantity is None or (found["percent"] and (name.quantity not in MEASURES or _compares(plain, end))):
            continue
        mean = name.mean or says("mean", before)
        loose = name.loose or says("variant", before) or _GOAL.search(before + plain[end : end + 30]) is not None
        name = replace(name, mean=mean, supposed=is_supposed(before), loose=loose, label=before)
        used.add(start)
        yield Mention(start, end, number.of(name.quantity or ""), name, "bare")
    for found in _ALONE.finditer(plain):
        start, end = found.span("number")
        if start in used:
            continue
        number = read_number(found["number"] + ("%" if found["sign"] else ""))
        yield Mention(
            start, end + (len(found["sign"]) if found["sign"] == "%" else 0), number, *_in_sentence(plain, start, end)
        )


_ALONE = re.compile(
    r"(?<![\w.,^_])(?P<number>[0-9]{1,3}\.[0-9]{1,17}|[0-9]{1,3}(?=\s?\\?%))(?P<sign>\s?\\?%)?(?![\w]|[.,][0-9]|\s*(?:±|[nµm]?s\b|\s?[/×*+^]))"
)


def _in_sentence(plain: str, start: int, end: int) -> tuple[Name, str]:
    """What the sentence before a number says that it is, and its role: "bare" where its name is near, else "alone"."""
    before = _SENTENCE_END.split(plain[max(0, start - 200) : start])[-1]
    named = list(NAMED.finditer(before))
    if not named or "=" in before[named[-1].end() :]:
        return Name(label=before), "alone"
    last = named[-1]
    between = before[last.end() :]
    name = name_in(before[last.start() : last.end() + 12], plain, start)
    if name.quantity is None or last.lastgroup == "other":
        return Name(label=before), "alone"
    if name.quantity == "DCG" and says("ideal", before[-80:]):
        name = replace(name, quantity="IDCG")
    loose = bool(_ALONE.search(between)) or len(between) > 40 or says("change", before) or says("variant", before)
    loose = loose or _GOAL.search(before + plain[end : end + 30]) is not None
    mean = name.mean or says("mean", before)
    return replace(name, mean=mean, supposed=is_supposed(before), loose=loose, label=before), "bare"


def _stated(found: re.Match[str]) -> tuple[int, int, Number]:
    """Where the decimal or the percentage of a match stands, and the number."""
    return _percentage(found) if found["percent"] else (*found.span("number"), read_number(found["number"]))


def _compares(text: str, end: int) -> bool:
    """Whether the words behind a number say that something changed by it."""
    follows = text[end : end + NEAR]
    return says("change", follows) or says("more", follows)


def _percentage(found: re.Match[str]) -> tuple[int, int, Number]:
    """Where a percentage stands, and the number; its sign belongs to it if it stands right behind."""
    end = found.end("sign") if found["sign"] == "%" else found.end("percent")
    return found.start("percent"), end, read_number(found["percent"].replace(",", ".") + "%")
