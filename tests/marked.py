"""Notes in which it is marked what is found: behind a number stands what it is found to be, or what is right.

A plus is a number that agrees, a tilde one that is consistent, a question mark one that is not judged,
a minus one that states nothing.
"""

import re
from itertools import accumulate

from ndcg_ref.notes import check_note

SIGNS = {"agrees": "+", "consistent": "~", "unchecked": "?", "impossible": "!"}


def found_in(note, form):
    """What is found in a note, by where each number ends."""
    findings = check_note(note, form)
    found = {each.offset + each.length: each for each in findings}
    assert len(found) == len(findings)  # each once
    return found


def holds(note, form="text"):
    """Hold a note to its marks and no other slip, and to no slip at all once its slips are corrected."""
    pieces = re.split("«(.*?)»", note.replace(r"\u00ab", "«").replace(r"\u00bb", "»"))  # as a notebook is stored
    text, marks = "".join(pieces[::2]), dict(zip(accumulate(map(len, pieces[::2])), pieces[1::2], strict=False))
    found = found_in(text, form)
    slips = {end: each for end, each in found.items() if each.outcome == "slip"}
    said = {end: SIGNS.get(each.outcome, each.outcome) for end, each in found.items()}
    said |= {end: " ".join([each.verdict.correct, *each.verdict.causes]) for end, each in slips.items()}
    assert {end: said.get(end, "-")[: len(mark)] for end, mark in marks.items()} == marks
    assert {end for end, each in found.items() if each.is_wrong} <= marks.keys()
    if slips and all(text.count(each.stated) == 1 for each in slips.values()):
        for end, each in sorted(slips.items(), reverse=True):
            right = each.verdict.correct.replace(".", "," if "," in each.stated else ".")
            text = text[: each.offset] + right + text[end:]
        assert [each.stated for each in found_in(text, form).values() if each.is_wrong] == []
