"""The thresholds of the check of notes. `tests/test_notes_thresholds.py` breaks where one of them moves."""

ENOUGH = 8.0  # bits of other numbers that confirm a hypothesis before it may call a number a slip
MARGIN = 4.0  # bits by which it has to beat a hypothesis that gives the number
NEAR = 1500  # characters within which a number counts in full
FAR = 0.3  # what a number further away counts
ALIKE = 0.25  # how far a number without a name may be from its working before it may be of something else
MOST = 0.5  # share of a list or column that has to come out
STATED = 6.0  # bits that a convention costs where the note shows another one
JUDGED = 2.0  # bits that an ideal of other documents costs
INFERRED = 3.0  # bits that a ranking costs which only printed terms show
