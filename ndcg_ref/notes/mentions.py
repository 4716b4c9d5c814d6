"""A printed number with what the note calls it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ndcg_ref.notes.words import cutoff_before, quantity_of, says
from ndcg_ref.stated.number import Number

BEFORE = 160  # characters before a number that may tell its cutoff
_CLAUSE = re.compile(r"(?<=[\w)`*$])[.;!?]\s+(?=\S)|\|")
_SIGNS = " \t:;,./#*|~–—-→><"


@dataclass(frozen=True)
class Name:
    """What a note calls a number: quantity, cutoff, if that is surely one, whether it is a mean, and if it is supposed.

    `loose` says that only words around it tell, so that it is never called a slip.
    """

    quantity: str | None = None
    k: int | None = None
    sure: bool = False
    mean: bool = False
    supposed: bool = False
    loose: bool = False
    label: str = ""

    @property
    def may_be_slip(self) -> bool:
        """Whether a number of this name is claimed to be right."""
        return not (self.supposed or self.loose)

    @property
    def text(self) -> str:
        """The name in a verdict."""
        cutoff = f"@{self.k}" if self.k and self.sure else ""
        mean = "mean " if self.mean else ""
        return f"{mean}{self.quantity}{cutoff}" if self.quantity else _last_words(self.label)


@dataclass(frozen=True)
class Mention:
    """A printed number with all that its place says of it.

    Parameters
    ----------
    start, end : int
        Where it stands in the region.
    number : Number
        The number.
    name : Name
        What it is called.
    role : str
        "result" of a line, "term" of a sum, "operand", "cell" of a column, "bare" in a sentence, "call", or "alone".
    line : int
        The line of working in which it stands, as `Reading.lines` counts them; -1 for none.
    rank : int
        For a term its place in its sum, and for a cell its rank, from 1; 0 for none.
    ranking : tuple of float or None
        The ranking that it is said to be about.
    judged : tuple of float or None
        The judged grades that a call gives it.
    of : tuple of int
        For a mean or a sum where the numbers stand that it is of.
    """

    start: int
    end: int
    number: Number
    name: Name = Name()
    role: str = "result"
    line: int = -1
    rank: int = 0
    ranking: tuple[float, ...] | None = None
    judged: tuple[float, ...] | None = None
    of: tuple[int, ...] = ()


def name_in(label: str, text: str = "", place: int = 0) -> Name:
    """What a label says that a number is."""
    label = _CLAUSE.split(label)[-1] if _CLAUSE.split(label)[-1].strip() else label
    found = quantity_of(label)
    supposed = is_supposed(label)
    mean = says("mean", label) or re.search(r"(?<![A-Za-z])M(?:AP|RR)(?![a-z])", label) is not None
    if found is None:
        return Name(None, None, False, mean, supposed, label=label)
    quantity, k, sure = found
    if quantity in ("MAP", "MRR"):
        return Name({"MAP": "AP", "MRR": "RR"}[quantity], k, sure, True, supposed, label=label)
    if quantity == "other":
        return Name(None, k, sure, True, supposed, label=label)
    if quantity == "DCG" and says("ideal", re.split(r"[.;:]\s", label)[-1][-60:]):
        quantity = "IDCG"
    if k is None and text and quantity:
        k = cutoff_before(text[max(0, place - BEFORE) : place])
        sure = False
    return Name(quantity, k, sure, False, supposed, label=label)


def is_supposed(label: str) -> bool:
    """Whether a label says what would come out otherwise; what the best order would give is no such."""
    if not says("ideal", label) or says("mistaken", label):
        return says("supposed", label)
    return says("supposed", re.split(r"[,;:]|[.!?]\s", label)[-1])


def _last_words(label: str) -> str:
    """The end of a label as a name: whole words, without the signs around them; nothing where it has no words."""
    label = " ".join(label.split())
    words = label[-30:] if len(label) <= 30 else label[-30:].partition(" ")[2]
    name = words.strip(_SIGNS).removesuffix("(").rstrip()
    return name if any(character.isalpha() for character in name) else ""
