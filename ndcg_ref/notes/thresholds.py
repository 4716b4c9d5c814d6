"""The thresholds of the check of notes; a test in `tests/test_notes_thresholds.py` breaks when one of them moves.

Bits are those of printed digits, less those that chance would explain.
"""

BELIEVED = 9.0  # bits that a list or a column has to explain, and no better one
OUTWEIGHS = 13.0  # bits that have to come out of a list for each of its numbers that would be a slip
REORDERED = 6.5  # bits by which a result is that of another order of the same documents, and no slip
TELLING = 1.0  # bits by which a number without a name is consistent with a list
SPREAD = 8.0  # within which sums lie, as if all were as likely
MOSTLY = 0.6  # of the cells of a column, which have to come out
