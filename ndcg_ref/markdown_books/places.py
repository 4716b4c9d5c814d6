"""Which file a tree was made from, and where its numbers are in the tree: the program that made it does not say.

Both are sought by letters and digits, which no markup changes.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import takewhile
from operator import itemgetter
from os import walk
from pathlib import Path
from typing import NamedTuple

from ndcg_ref.sphinx_ext.prose_numbers import GOES_ON, Stated, pattern_of
from ndcg_ref.stated.display import Outcome, Record

NEAR = 60  # letters and digits before a number that are compared
FEWEST = 4  # of them that have to be the same, where there are as many
SUFFIXES = (".md", ".ipynb")
ENOUGH = 0.6  # of the letters and digits of a page, which its file has


class Mark(NamedTuple):
    """A number in one of the texts of a tree, with its record."""

    start: int
    end: int
    record: Record


def marks_in(texts: Sequence[tuple[str, bool]], numbers: Iterable[tuple[Stated, Record]]) -> dict[int, list[Mark]]:
    """The marks of each text, in their order; of a text with True beside it, a formula, its first slip or last number.

    >>> from ndcg_ref.sphinx_ext.prose_numbers import stated_in
    >>> numbers = [(each, each.verdict.record()) for each in stated_in("$DCG = 3/1 = 3$, and *DCG* = 4/2 = 2.", ".md")]
    >>> found = marks_in([("DCG = 3/1 = 3", True), (", and ", False), ("DCG", False), (" = 4/2 = 2.", False)], numbers)
    >>> {at: [mark[:2] for mark in marks] for at, marks in found.items()}
    {0: [(12, 13)], 3: [(9, 10)]}
    """
    found: dict[int, list[Mark]] = defaultdict(list)
    befores = ["".join(text for text, _ in texts[max(0, at - NEAR) : at]) for at in range(len(texts))]
    used: set[tuple[int, int]] = set()
    for stated, record in numbers:
        said = letters(stated.text[: stated.finding.offset])[-NEAR:]
        alike = {
            (at, *place.span()): shared(said, letters(befores[at] + text[: place.start()])[-NEAR:])
            for at, (text, _) in enumerate(texts)
            for place in pattern_of(stated.finding.stated).finditer(text)
            if (at, place.start()) not in used
        }
        at, start, end = max(alike, key=alike.__getitem__, default=(0, 0, 0))  # the first one of the best
        if alike.get((at, start, end), -1) < min(FEWEST, len(said)):
            continue
        used.add((at, start))
        text, is_formula = texts[at]
        if is_formula or record["outcome"] == Outcome.SLIP or not text[end:].lstrip().startswith(GOES_ON):
            found[at].append(Mark(start, end, record))
    for at, marks in found.items():
        marks.sort(key=itemgetter(0, 1))
        if texts[at][1]:
            marks[:] = [*(mark for mark in marks if mark.record["outcome"] == Outcome.SLIP), marks[-1]][:1]
    return found


def source_of(texts: Sequence[str], folder: Path) -> Path | None:
    """The file below a folder that has most of some texts, or None where none has enough of them."""
    sought = list(filter(None, map(letters, texts)))
    whole = sum(map(len, sought))
    shares: dict[Path | None, float] = {None: ENOUGH}  # which a file has to exceed
    for where, below, names in walk(folder) if whole else ():
        # Without what is hidden, built or installed
        below[:] = sorted(name for name in below if not name.startswith((".", "_")) and name != "node_modules")
        for path in (Path(where, name) for name in sorted(names) if name.endswith(SUFFIXES)):
            has = letters(path.read_text(encoding="utf-8", errors="replace"))
            shares[path] = sum(len(each) for each in sought if each in has) / whole
    return max(shares, key=shares.__getitem__)


def letters(text: str) -> str:
    r"""The letters and digits of a text, or of a notebook's JSON, whose line ends are escaped.

    >>> letters('"a \\n", "**b** $\\\\frac{1}{2}$"'), letters(r"a **b** $\frac{1}{2}$")
    ('abfrac12', 'abfrac12')
    """
    return re.sub(r"[\W_]", "", re.sub(r'\\n(?=["\s])|\\u[0-9a-f]{4}', "", text))


def shared(one: str, other: str) -> int:
    """How many characters at the end of two texts are the same."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one[::-1], other[::-1], strict=False)))
