"""Read the fields of many lines at once, as arrays: where they end, the numbers in them, and the documents looked up.

What these functions do not understand, they leave to `ndcg_ref.runs.trec`: they return None.

A block of lines is an array of bytes, between two margins. No line becomes a Python object: a field is where it starts
and where it ends.

**Where fields end.** `field_ends` finds the bytes up to the space, which are spaces, tabs and line feeds in a file with
the usual layout. They are as many in each line as it has fields, and every last one is a line feed: then they are the
ends, a row for each line. `squeezed` gives a block with other blanks this layout.

**Eight bytes are a number.** `words_of` is a view of the block with a word of 64 bits for each byte: that byte and the
seven after it, the first one lowest. So whatever is computed for a word is computed for eight characters of a field,
and for all lines in one operation of numpy. `_pieces` cuts fields of any length into such words: to shift a word up by
the bytes that are not of the field makes these 0. Two fields are the same if their lengths and all their pieces are.

**Numbers.** Of eight characters, `_last_eight` makes digits of 0 to 9, as "0" is 0x30 and "9" is 0x39, by an exclusive
or with ZEROS. To add UP_FROM_TEN then sets the highest bit of each byte that is no digit, and of no other one. There is
at most one such byte if the number with these bits loses its only one when 1 is subtracted, and it is the point if its
byte is what exclusive or made of ".". The product with BEHIND brings the number of bytes behind it to the top byte.
`_eight_digits` adds neighbours: eight digits become four numbers of two digits, two of four, and one of eight, in three
multiplications. 15 digits and the power of ten are exact as floats, so that `_decimals` gives their quotient rounded
once, as `float` does. Every other field, such as one with an exponent, is read by `float` itself.

**Documents.** `look_up` finds the judged documents among the retrieved ones by a hash of query and document: each piece
is multiplied by a power of an odd number, and the products are added. The low bits of a hash are replaced by the row,
so that one sort of plain numbers orders rows by hash, and a binary search finds the row of a judged document. Two
documents may have the same hash: so what is found is compared with what was sought, piece by piece, and if two hashes
of the block are the same, the block is left to the other reader, which tells whether it is a document twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ndcg_ref.formulas.batch import Bools, Floats, Ints
from ndcg_ref.runs.sources import LONGEST_FIELD

if TYPE_CHECKING:
    from numpy.typing import NDArray

Bytes: TypeAlias = "NDArray[np.uint8]"
Words: TypeAlias = "NDArray[np.uint64]"
LINE_FEED = ord("\n")
MARGIN = 32  # bytes around a block, so that a word read at its edge stays inside the array
OF_QUERY, OF_PIECE = 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93  # odd, and without a pattern in their bits
ZEROS = np.uint64(0x3030303030303030)  # the characters of eight digits 0
UP_FROM_TEN = np.uint64(0x7676767676767676)  # raises 10 and more to at least 128
HIGH_BITS = np.uint64(0x8080808080808080)
POINT = np.uint64(ord(".") ^ ord("0"))
BEHIND = np.uint64(0x0706050403020100)  # multiplied by 1 in a byte: in the last byte, how many bytes follow that byte
TEN_TO = np.array([10**n for n in range(17)], dtype=np.uint64)
U1, U7, U32, U56, U255 = map(np.uint64, (1, 7, 32, 56, 255))


def squeezed(text: Bytes, end: int) -> tuple[Bytes, int, int]:
    """The lines with one line feed at the end and single spaces; where they end, and where the rest ends.

    A last, unfinished line is left as it is, so that its length can still be checked.
    """
    data = text[MARGIN:end].tobytes()
    whole = data.rfind(b"\n") + 1
    data, rest = data[:whole], data[whole:]
    data = data.replace(b"\r\n", b"\n").replace(b"\t", b" ")
    while b"  " in data:
        data = data.replace(b"  ", b" ")
    data = data.replace(b" \n", b"\n")
    squeezed = np.frombuffer(b"".join([b"0" * MARGIN, data, rest, bytes(MARGIN)]), dtype=np.uint8)
    return squeezed, MARGIN + len(data), MARGIN + len(data) + len(rest)


def field_ends(text: Bytes, end: int, width: int) -> Ints | None:
    """Where the fields of whole lines end, if all is ASCII, none is too long, and one blank parts them; else None."""
    data = text[:end].view(np.int8)  # bytes beyond ASCII are negative
    if end == MARGIN or data[MARGIN] <= ord(" "):
        return None
    found = np.flatnonzero(data <= ord(" "))
    behind = np.flatnonzero(data[found[: -2 * width : -1]] == LINE_FEED)[:1]  # backwards, past the start of a line
    if not behind.size:
        return None
    found = found[: found.size - behind[0]]
    if found.size % width:
        return None
    ends, signs, lengths = found.reshape(-1, width), data[found], np.diff(found) - 1
    if (data[ends[:, -1]] != LINE_FEED).any() or not lengths.min():
        return None
    if max(int(found[0]) - MARGIN, int(lengths.max())) > LONGEST_FIELD:
        return None
    others = np.count_nonzero(signs < ord(" ")) - len(ends)  # the number of tabs, if a line feed ends each line
    return None if others and others != np.count_nonzero(signs == ord("\t")) else ends


def words_of(text: Bytes) -> Words:
    """The eight bytes from each byte on, as one little-endian number."""
    return np.ndarray(shape=(text.size - 7,), dtype="<u8", buffer=text, strides=(1,))


def _pieces(words: Words, starts: Ints, length: Ints) -> Iterator[Words]:
    """The first eight bytes of every field, then the next eight, … to the end of the longest, padded with 0."""
    longest = int(length.max(initial=0))
    bits = 8 * length
    for done in range(0, longest, 8):
        shift = 8 * (done + 8) - bits
        if longest > 8:
            np.maximum(shift, 0, out=shift)
        at = np.minimum(starts + done, words.size - 1) if done else starts
        piece = words[at]
        piece <<= shift.view(np.uint64)  # shifting by 64 or more leaves 0
        yield piece


def line_starts(words: Words, ends: Ints) -> tuple[Ints, Ints]:
    """Where the lines begin, and the first line of each query; the last entry of both is where the rest begins."""
    begins = np.empty(len(ends) + 1, dtype=np.int64)
    begins[0] = MARGIN
    np.add(ends[:, -1], 1, out=begins[1:])
    changes = np.zeros(len(ends) - 1, dtype=np.bool_)
    for piece in _pieces(words, begins[:-1], ends[:, 0] - begins[:-1]):
        changes |= piece[1:] != piece[:-1]
    return begins, np.concatenate(([0], np.flatnonzero(changes) + 1, [len(ends)]))


def _hashes(words: Words, starts: Ints, length: Ints, sizes: Ints) -> Words:
    """A hash of each document of each query."""
    total = np.repeat(np.arange(sizes.size, dtype=np.uint64) * np.uint64(OF_QUERY), sizes)
    for number, piece in enumerate(_pieces(words, starts, length), start=1):
        piece ^= piece >> U32  # else a difference in the last bytes would reach only the first bits
        piece *= np.uint64(pow(OF_PIECE, number, 2**64))
        total += piece
    return total


def look_up(
    words: Words, id_starts: Ints, id_ends: Ints, starts: Ints, judged: list[Mapping[str, Any]]
) -> tuple[Ints, Ints, Bools] | None:
    """The rows of judged documents, their queries, and which are found; None if a query may have a document twice."""
    rows = id_starts.size
    length = id_ends - id_starts
    place = np.uint64(2 ** rows.bit_length() - 1)  # the low bits, which store the row
    known = _hashes(words, id_starts, length, np.diff(starts))
    known &= ~place
    known |= np.arange(rows, dtype=np.uint64)
    known.sort()
    if rows > 1 and (known[1:] ^ known[:-1]).min() <= place:
        return None
    sizes = np.array([len(documents) for documents in judged], dtype=np.int64)
    names = list(map(str.encode, chain.from_iterable(judged)))
    name_length = np.fromiter(map(len, names), np.int64, len(names))
    name_starts = np.cumsum(name_length) - name_length
    name_words = words_of(np.frombuffer(b"".join([*names, bytes(8)]), dtype=np.uint8))
    sought = _hashes(name_words, name_starts, name_length, sizes) & ~place
    near = known[np.minimum(np.searchsorted(known, sought), rows - 1)]
    row = (near & place).view(np.int64)
    owner = np.repeat(np.arange(sizes.size), sizes)
    same = (starts[owner] <= row) & (row < starts[owner + 1]) & (length[row] == name_length)
    own_pieces = _pieces(words, id_starts[row], np.where(same, length[row], 0))
    for own, piece in zip(own_pieces, _pieces(name_words, name_starts, np.where(same, name_length, 0)), strict=True):
        same &= own == piece
    return row[same], owner[same], same


def read_numbers(text: Bytes, words: Words, starts: Ints, ends: Ints, exponents: bool = True) -> Floats | None:
    """The numbers in some fields; None if one has no number, or an exponent where none is allowed."""
    numbers, sure = _decimals(words, ends, ends - starts)
    if not sure.all():
        negative = text[starts] == ord("-")
        if negative.any():
            numbers, sure = _decimals(words, ends, ends - starts - negative)
            np.negative(numbers, out=numbers, where=negative)
        rest = np.flatnonzero(~sure)
        data = text.tobytes() if rest.size else b""
        places = zip(starts[rest].tolist(), ends[rest].tolist(), strict=True)
        fields = [data[start:end] for start, end in places]
        try:
            numbers[rest] = list(map(float, fields))
        except ValueError:
            return None
        others = b"".join(fields).lower()
        if b"_" in others or (b"e" in others and not exponents) or not np.isfinite(numbers).all():
            return None
    return numbers


def _decimals(words: Words, ends: Ints, length: Ints) -> tuple[Floats, Bools]:
    """The numbers of fields with at most 15 digits and a point, or 16 digits, and which fields these are.

    15 digits and the power of ten are exact as floats, so that their quotient is rounded once, as by `float`.
    """
    number, places, points, sure = _last_eight(words, ends, length)
    if length.max() > 8:
        high, high_places, high_points, high_sure = _last_eight(words, ends - 8, length - 8)
        number += high * TEN_TO[8]
        places = np.where(high_points != 0, high_places + np.uint64(8), places)
        points = points + high_points
        sure = sure & high_sure & (points <= U1) & (length <= 16)
    power = TEN_TO[np.minimum(places, np.uint64(16)).view(np.int64)]  # any number, in a field that is not sure
    number -= number // (power * TEN_TO[1]) * (power * np.uint64(9) * points)  # the point was read as a 0
    return number.astype(np.float64) / power.astype(np.float64), sure & (length > points.view(np.int64))


def _last_eight(words: Words, ends: Ints, length: Ints) -> tuple[Words, Words, Words, Bools]:
    """The number in the last eight characters of each field, with a point read as a 0.

    Then how many digits follow the point, and whether there is one, as a single value if all fields are alike. Last,
    which fields have nothing but digits and at most one point.
    """
    blank = 8 * (8 - length)
    if length.max() > 8:
        np.maximum(blank, 0, out=blank)
    digits = words[ends - 8]
    digits ^= ZEROS
    digits >>= blank.view(np.uint64)  # shifting by 64 or more leaves 0
    digits <<= blank.view(np.uint64)
    point = digits + UP_FROM_TEN
    point &= HIGH_BITS
    point >>= U7  # 1 in the byte of each character that is no digit
    if (point == point[0]).all():
        point = point[:1]
    sure = (point & (point - U1) == 0) & (digits & (point * U255) == point * POINT)
    digits ^= point * POINT
    return _eight_digits(digits), point * BEHIND >> U56, (point != 0).astype(np.uint64), sure


def _eight_digits(digits: Words) -> Words:
    """The number that eight bytes with digits represent, the first digit in the lowest byte."""
    digits *= np.uint64(10 * 2**8 + 1)
    digits >>= np.uint64(8)
    digits &= np.uint64(0x00FF00FF00FF00FF)
    digits *= np.uint64(100 * 2**16 + 1)
    digits >>= np.uint64(16)
    digits &= np.uint64(0x0000FFFF0000FFFF)
    digits *= np.uint64(10_000 * 2**32 + 1)
    digits >>= np.uint64(32)
    return digits
