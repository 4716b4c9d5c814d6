"""What a hint says of each kind of mistake: where to look, and never the right value."""

from __future__ import annotations

from ndcg_ref.stated.causes import UNEXPLAINED

# The label says which choice, term or quantity it is; a kind without one needs none
HINTS = {
    # code: what is said of the cell
    "carried": "it follows from your {label}; start there",
    "carried-rounding": "it follows from the rounded {label}; keep more digits on the way",
    "truncated": "the digits look cut off; look at the digit behind the last one, and round",
    "rounded-up": "the digits look raised; look at the digit behind the last one, and round",
    "rounded-twice": "it looks rounded twice; round once, from all digits",
    "inherited": "it comes from cells that are wrong",
    "quantity": "it fits {label}",
    "convention": "one choice looks different: it fits {label}",
    "term": "it fits {label}",
    "minus-one": "the −1 of the exponential gain looks forgotten",
    "unsorted-ideal": "the ideal looks unsorted; the largest gains come first",
    "exchanged": "it fits {label}; look at which number divides which",
    "first-rank-dropped": "it looks as if rank 1 was dropped, and the others divided by the logarithm of the rank",
    "rounded-early": "the terms look rounded before they were added; keep more digits on the way",
    "digit": "a digit looks wrong, two look swapped, or the point has moved; compare it with your calculation",
    UNEXPLAINED: "no single mistake that was tried gives it; work it out again",
}


def hint_of(code: str, cell: str, label: str = "") -> str:
    """The hint for a cell, of a cause or of a pair of causes.

    >>> hint_of("convention+truncated", "DCG", "log base e").partition(";")[0]
    'DCG: one choice looks different: it fits log base e'
    """
    first, *others = code.split("+")
    said = HINTS[first].format(label=label) if label else _without_label(first)
    return "; and then ".join([f"{cell}: {said}", *(HINTS[other] for other in others)])


def _without_label(code: str) -> str:
    """The hint of a kind whose evidence has no label."""
    return {
        "carried": "it was worked out from rounded numbers; keep more digits on the way",
        "carried-rounding": "it was worked out from rounded numbers; keep more digits on the way",
        "quantity": "another quantity of the example was taken",
    }.get(code, HINTS[code])
