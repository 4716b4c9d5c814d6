"""What a hint says of each kind of mistake: where to look, and never the right value."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from ndcg_ref.stated.causes import UNEXPLAINED, Evidence

OWN = ", in your own cells"  # behind the label of what was made from the reader's cells

# The label says which choice, term or quantity it is; a kind without one needs none
HINTS = {
    # code: what is said of the cell
    "carried": "it follows from your {label}; start there",
    "carried-rounding": "it follows from the rounded {label}; keep more digits on the way",
    "truncated": "the digits look cut off; look at the digit behind the last one, and round",
    "rounded-up": "the digits look raised; look at the digit behind the last one, and round",
    "rounded-twice": "it looks rounded twice; round once, from all digits",
    "inherited": "it comes from cells that are wrong",
    "quantity": "you may have taken {label}",
    "convention": "a different choice was made: this is what you get with {label}",
    "term": "this is what you get with {label}",
    "minus-one": "the −1 of the exponential gain looks forgotten",
    "unsorted-ideal": "the ideal looks unsorted; the largest gains come first",
    "exchanged": "this is {label}; look at which number divides which",
    "first-rank-dropped": "it looks as if rank 1 was dropped, and the others divided by the logarithm of the rank",
    "rounded-early": "the terms look rounded before they were added; keep more digits on the way",
    "digit": "a digit looks wrong, two look swapped, or the point has moved; compare it with your calculation",
    UNEXPLAINED: "no single mistake that was tried gives it; work it out again",
}

# Labels of choices that a reader would not know by their names in `Convention`
IN_WORDS = {
    "gain linear": "the grade itself as the gain",
    "gain exponential": "the exponential gain 2^grade − 1",
    "discount log(rank+1)": "the discount log(rank + 1)",
    "discount log(rank)": "the discount log(rank)",
    "discount none": "no discount",
    "log base 2": "the logarithm of base 2",
    "log base e": "the logarithm of base e",
    "log base 10": "the logarithm of base 10",
    "ideal not cut": "the ideal of all ranks, also of those below the cutoff",
    "ideal of the ranking alone": "the ideal of the retrieved documents alone",
}


def kinds_of(cell: str, evidence: Iterable[Evidence], value: float, *, whole: bool, weak: bool) -> list[dict[str, Any]]:
    """The kinds of mistake that give what is in a cell, each with its code, label and hint.

    Parameters
    ----------
    cell : str
        The cell, or the step, in words.
    evidence : iterable of Evidence
        What gives the number.
    value : float
        The number. What gives it exactly comes first.
    whole : bool
        Whether it is a whole number: a wrong rounding is then the last thing to think of.
    weak : bool
        Whether chance would explain as much.

    Returns
    -------
    list of dict
        At least one: that nothing explains it.

    Examples
    --------
    >>> kinds_of("DCG", [], 1.5, whole=False, weak=False)[0]["code"]
    'unexplained'
    """
    evidence = sorted(evidence, key=lambda each: each.value is None or not math.isclose(each.value, value))
    found = list(dict.fromkeys((each.cause, each.label) for each in evidence))
    given = {each for each in found if not each[1].endswith(OWN)}
    kept = [(code, label) for code, label in found if (code, label.removesuffix(OWN)) not in given - {(code, label)}]
    if whole:
        kept.sort(key=lambda each: each[0] in ("truncated", "rounded-up", "rounded-twice"))
    kinds = [kind_of(code, cell, label, weak) for code, label in kept] or [kind_of(UNEXPLAINED, cell)]
    return list({kind["hint"]: kind for kind in kinds}.values())


def kind_of(code: str, cell: str, label: str = "", weak: bool = False) -> dict[str, Any]:
    """A kind of mistake as JSON has it."""
    return {"code": code, "label": label, "hint": hint_of(code, cell, label), "weak": weak}


def put_common_first(steps: Sequence[dict[str, Any]]) -> None:
    """Sort the kinds of several mistakes: those that fit most come first, and others go where these fit several."""
    count = Counter((kind["code"], kind["label"]) for step in steps for kind in step["kinds"])
    for step in steps:
        step["kinds"].sort(key=lambda kind: -count[kind["code"], kind["label"]])
        most = count[step["kinds"][0]["code"], step["kinds"][0]["label"]]
        if most > 1:
            step["kinds"] = [kind for kind in step["kinds"] if count[kind["code"], kind["label"]] == most]
        step["kind"] = step["kinds"][0]


def hint_of(code: str, cell: str, label: str = "") -> str:
    """The hint for a cell, of a cause or of a pair of causes.

    >>> hint_of("convention+truncated", "DCG", "log base e").partition(";")[0]
    'DCG: a different choice was made: this is what you get with the logarithm of base e'
    """
    first, *others = code.split("+")
    words = IN_WORDS.get(label, f"the {label}" if label.startswith("ideal ") else label)
    said = HINTS[first].format(label=words) if label else _without_label(first)
    return "; and then ".join([f"{cell}: {said}", *(HINTS[other] for other in others)])


def _without_label(code: str) -> str:
    """The hint of a kind whose evidence has no label."""
    return {
        "carried": "it was worked out from rounded numbers; keep more digits on the way",
        "carried-rounding": "it was worked out from rounded numbers; keep more digits on the way",
        "quantity": "another quantity of the example was taken",
    }.get(code, HINTS[code])
