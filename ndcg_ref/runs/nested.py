"""Read JSON: one object of objects, query to document to grade or score, with each refusal at its line."""

import json
import math
import re
from collections.abc import Collection, Generator, Iterator
from typing import Any

from ndcg_ref.conventions.validation import EMPTY, quoted
from ndcg_ref.runs.sources import TrecError
from ndcg_ref.runs.trec import decoded

NUMBERS = frozenset([int, float, bool])  # as everywhere, true is 1
BLANKS = re.compile(r"[ \t\n\r]*")


class Pairs(list[tuple[str, Any]]):
    """The keys and values of an object, in which a key may be repeated."""


DECODER = json.JSONDecoder(object_pairs_hook=Pairs)


def read_nested(data: bytes, name: str, value: str) -> dict[str, dict[str, float]]:
    r"""Query to document to grade or score, from the bytes of a JSON file, in its order.

    >>> read_nested(b'{"q1": {"d1": 2}}', "a.json", "grade")
    {'q1': {'d1': 2.0}}
    >>> read_nested(b'{"q1": {"d1": 2,\n"d1": 1}}', "a.json", "grade")
    Traceback (most recent call last):
        ...
    ndcg_ref.runs.sources.TrecError: a.json:2: expected a document once in query 'q1', got 'd1' again
    """
    file = Text(data, name)
    read: dict[str, dict[str, float]] = {}
    for query, at, found, begin in file.outermost():
        if query in read:
            raise TrecError(
                f"{file.location(at)}: expected a query once, got {quoted(query)} again (two files in one?)"
            )
        if not query:
            raise TrecError(f"{file.location(at)}: expected the id of a query, got {EMPTY}")
        if not isinstance(found, Pairs):
            expected = f"an object of document to {value} for query {quoted(query)}"
            raise TrecError(f"{file.location(begin)}: expected {expected}, got {shown(found)}")
        numbers = dict(found)
        if len(numbers) < len(found) or "" in numbers or not _are_finite(numbers.values()):
            _refuse_one(file, begin, query, value)
        read[query] = dict(zip(numbers, map(float, numbers.values()), strict=True))
    return read


def read_object(line: str, where: str) -> dict[str, Any]:
    """The object that a line of JSON lines has."""
    try:
        found, end = DECODER.raw_decode(line)
    except (RecursionError, ValueError):
        found, end = None, 0
    if isinstance(found, Pairs) and len(row := dict(found)) == len(found) and not line[end:].strip():
        return row
    file = Text(line.encode(), where, of_one_line=True)
    row = {}
    for key, _, value, _ in file.outermost():
        if key in row:
            raise TrecError(f"{where}: expected a key once, got {quoted(key)} again")
        row[key] = value
    return row


def as_number(parsed: Any, value: str, where: str) -> float:
    """A grade or a score of a JSON text, as a finite float."""
    if type(parsed) not in NUMBERS:
        slips: dict[type, str] = {str: " (text? leave out its quotes)", Pairs: " (nested one level too deep?)"}
        slip = slips.get(type(parsed), "")
        raise TrecError(f"{where}: expected a {value}, got {shown(parsed)}{slip}")
    try:
        number = float(parsed)
    except OverflowError:
        raise TrecError(f"{where}: expected a {value} within the range of a float, got {quoted(parsed)}") from None
    if not math.isfinite(number):
        raise TrecError(f"{where}: expected a finite {value}, got {number} (did its computation fail?)")
    return number


def shown(parsed: Any) -> str:
    """A value of a JSON text, as a message shows it."""
    if isinstance(parsed, Pairs):
        return "an object"
    return quoted(parsed) if parsed is not None and not isinstance(parsed, bool) else json.dumps(parsed)


class Text:
    """A JSON text whose outermost object is read key by key, so that a refusal can name the line."""

    def __init__(self, data: bytes, name: str, of_one_line: bool = False) -> None:
        self._name, self._of_one_line = name, of_one_line
        try:
            self._text = data.decode()
        except UnicodeDecodeError as error:
            first = data.rfind(b"\n", 0, error.start) + 1
            decoded(data[first:], f"{name}:{data.count(bytes([10]), 0, first) + 1}")
        self._begin = int(self._text.startswith("\ufeff"))

    def location(self, at: int) -> str:
        """The file and the line of a character."""
        return self._name if self._of_one_line else f"{self._name}:{self._text.count(chr(10), 0, at) + 1}"

    def outermost(self) -> Iterator[tuple[str, int, Any, int]]:
        """Key, its place, value and its place, of the object that is the whole text."""
        end = yield from self.members(self._begin)
        rest = self._after_blanks(end)
        if rest < len(self._text):
            found = quoted(self._text[rest : rest + 20])
            raise TrecError(f"{self.location(rest)}: expected the end, got {found} (two files in one, or JSON lines?)")

    def members(self, at: int) -> Generator[tuple[str, int, Any, int], None, int]:
        """Key, its place, value and its place, of the object that begins here; returns where it ends."""
        at = self._after_blanks(self._expected("{", at) + 1)
        more = not self._text.startswith("}", at)
        while more:
            key_at = self._expected('"', at)
            key, at = self._value(key_at)
            begin = self._after_blanks(self._expected(":", at) + 1)
            value, at = self._value(begin)
            yield key, key_at, value, begin
            at = self._expected(",}", at)
            more = self._text[at] == ","
            at += more
        return at + 1

    def _after_blanks(self, at: int) -> int:
        found = BLANKS.match(self._text, at)
        return found.end() if found else at

    def _expected(self, characters: str, at: int) -> int:
        """Where the next character is; another one than these is refused."""
        at = self._after_blanks(at)
        if at == len(self._text):
            raise TrecError(
                f"{self.location(at)}: expected JSON with {' or '.join(characters)}, got its end (cut short?)"
            )
        if self._text[at] not in characters:
            found = quoted(self._text[at : at + 20])
            raise TrecError(f"{self.location(at)}: expected JSON with {' or '.join(characters)}, got {found}")
        return at

    def _value(self, at: int) -> tuple[Any, int]:
        """The value that begins here, and where it ends."""
        try:
            return DECODER.raw_decode(self._text, at)
        except json.JSONDecodeError as error:
            found = f"{error.msg} in column {error.colno}"
            raise TrecError(f"{self.location(error.pos)}: expected JSON, found: {found} (cut short?)") from None
        except (RecursionError, ValueError):  # too many brackets, or digits
            raise TrecError(f"{self.location(at)}: expected JSON, got a value that is too long or too deep") from None


def _are_finite(values: Collection[Any]) -> bool:
    try:
        return NUMBERS.issuperset(map(type, values)) and all(map(math.isfinite, values))
    except OverflowError:
        return False


def _refuse_one(file: Text, begin: int, query: str, value: str) -> None:
    """Refuse the first document of a query that is repeated, or has no id or no number."""
    seen = set()
    for document, at, found, _ in file.members(begin):
        where = file.location(at)
        if document in seen:
            raise TrecError(f"{where}: expected a document once in query {quoted(query)}, got {quoted(document)} again")
        seen.add(document)
        if not document:
            raise TrecError(f"{where}: expected the id of a document, got {EMPTY}")
        as_number(found, value, f"{where}: document {quoted(document)}")
