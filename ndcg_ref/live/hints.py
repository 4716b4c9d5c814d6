"""What a hint says of each kind of mistake: where to look, and never the right value."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from ndcg_ref.stated.causes import HINTS, UNEXPLAINED, Evidence
from ndcg_ref.subjects.ranking import label_in_words

OWN = ", in your own cells"  # behind the label of what was made from the reader's cells

CARRIED = {  # what follows from an earlier cell is no mistake of its own
    "carried-on": "it follows from your {label}; start there",
    "carried-rounding": "it follows from the rounded {label}; keep more digits on the way",
}


def kinds_of(cell: str, evidence: Iterable[Evidence], value: float, *, whole: bool, weak: bool) -> list[dict[str, Any]]:
    """The kinds of mistake that give what is in a cell, each with its code, label and hint; or that none does.

    What gives the value exactly comes first; of a whole number a wrong rounding is the last thing to think of. `weak`
    says that chance would explain as much.

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
    hints = [(HINTS | CARRIED)[each].format(label=label_in_words(label)) for each in code.split("+")]
    return f"{cell}: {'; and then '.join(hints)}"
