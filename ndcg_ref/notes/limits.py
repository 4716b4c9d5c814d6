"""How much of a note is read: counted in steps, so that it is the same on every processor.

A step is about what it takes to hold one number against one reading of its example; `STEPS` of them take some twenty
seconds. What is read before is counted by its signs, and may take half of them.
"""

import re

STEPS = 1_000_000
CHARACTERS = 8  # in a step
OF_SIGN = 6  # steps for a number, a relation or the edge of a cell
OF_CLAIM = 10  # and for each number that an example states, besides one for each reading
MOST_NUMBERS, MOST_LISTS, MOST_CELLS = 600, 30, 300  # of a text, by which hypotheses and columns are compared
_PARAGRAPH = re.compile(r"\n[ \t\r]*\n\s*|\Z")
_SIGN = re.compile(r"[0-9][0-9.,]*|[=≈→:|&\t]")


def within(text: str, steps: int) -> tuple[int, int]:
    r"""Where the paragraph ends that is the last one to be read within half of the steps, and how many are left of all.

    >>> within("DCG = 3/1 = 3.00\n\nDCG = 4/1 = 4.00\n", 100)
    (18, 68)
    """
    end, least = 0, steps - steps // 2
    for found in _PARAGRAPH.finditer(text):
        needed = (found.end() - end) // CHARACTERS + OF_SIGN * len(_SIGN.findall(text, end, found.end()))
        if steps - needed < least:
            break
        end, steps = found.end(), steps - needed
    return end, steps
