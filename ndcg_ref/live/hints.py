"""What a hint says of each kind of mistake: where to look, and never the right value."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from ndcg_ref.stated.causes import CAUSES, UNEXPLAINED, Evidence

OWN = ", in your own cells"  # behind the label of what was made from the reader's cells

HINTS = {each.code: each.hint for each in CAUSES} | {
    UNEXPLAINED: "no single mistake that was tried gives it; work it out again",
    "carried-on": "it follows from your {label}; start there",
    "carried-rounding": "it follows from the rounded {label}; keep more digits on the way",
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
    """Keep of the kinds of several mistakes those that fit most of them."""
    count = Counter((kind["code"], kind["label"]) for step in steps for kind in step["kinds"])
    for step in steps:
        most = max(count[kind["code"], kind["label"]] for kind in step["kinds"])
        step["kinds"] = [kind for kind in step["kinds"] if count[kind["code"], kind["label"]] == most]
        step["kind"] = step["kinds"][0]


def hint_of(code: str, cell: str, label: str = "") -> str:
    """The hint for a cell, of a cause or of a pair of causes.

    >>> hint_of("convention+truncated", "DCG", "log base e").partition(";")[0]
    'DCG: a different choice was made: this is what you get with the logarithm of base e'
    """
    words = IN_WORDS.get(label, f"the {label}" if label.startswith("ideal ") else label)
    return f"{cell}: " + "; and then ".join(HINTS[each].format(label=words) for each in code.split("+"))
