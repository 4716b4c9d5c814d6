"""What a refusal shows of the input: as much as a reader takes in, however long the input is."""

from __future__ import annotations

MOST_SHOWN = 80  # characters of the input in a message


def shortened(text: str, most: int = MOST_SHOWN) -> str:
    """The text; of a long one the beginning and the length.

    >>> shortened("d" * 100, most=5)
    'ddddd… (100 characters)'
    """
    return text if len(text) <= most else f"{text[:most]}… ({len(text)} characters)"


def quoted(value: object, most: int = MOST_SHOWN) -> str:
    """The value as Python writes it; of a long one the beginning and the length.

    >>> quoted("nDCG@10")
    "'nDCG@10'"
    >>> quoted("d" * 100, most=5)
    "'ddddd'… (100 characters)"
    """
    if isinstance(value, str):
        return repr(value) if len(value) <= most else f"{value[:most]!r}… ({len(value)} characters)"
    try:
        return shortened(repr(value), most)
    except ValueError:  # Python writes no int of more than some thousand digits
        return f"a {type(value).__name__} of too many digits"
