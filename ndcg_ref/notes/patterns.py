"""Patterns that several modules of this folder use."""

import re

CLAUSE = re.compile(r"[;.!?]\s|\n\s*\n")  # between clauses
ENDS = r"(?![\w%]|[.,][0-9])"  # behind a number of which all digits were read, and which is no percentage
PERCENT = r"(?P<percent>[0-9]{1,3}(?:[.,][0-9]{1,4})?)(?P<sign>\s*\\?%)"
# No time, such as 0.12 seconds
DECIMAL = re.compile(r"(?<![\w.,])[0-9]{1,3}\.[0-9]{1,17}(?![\w]|[.,][0-9]|\s*(?:±|[nµm]?s\b))")
