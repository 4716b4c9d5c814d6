"""The names of several rankings in a note, such as query 2, q2 or system B, and which ranking each is."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ndcg_ref.notes.grades import HIGHEST, Listing
from ndcg_ref.notes.tables import NoteTable
from ndcg_ref.notes.words import column_of, mark_of, quantity_of, words_for

NEAR = 60  # characters between a name and the ranking that it is of
Grades = tuple[float, ...]
_NAMED = re.compile(rf"(?:(?i:{words_for('named')})[\s_~]*|(?<!\w)[qQ]_?\{{?)(?P<name>[A-Z]|[0-9]{{1,2}})(?![\w.]*\w)")
_LABEL = re.compile(r"(?<![\w.])(?P<name>[A-Z]|[0-9]{1,2})\W{0,3}(?:[:=|]|returns?|gives?)\s*[\[(<|$`]{0,2}\s*$")
_ASSIGNED = re.compile(r"(?<!\w)[A-Za-z]{1,12}_?(?P<name>[0-9]{1,2}|(?<=_)[A-Za-z])\s*=\s*\W{0,3}$")  # as run1 = [
_HEADING = re.compile(r"[^\W\d_]{3,20}")
_KEY = re.compile(r"[\"'](?P<word>\w{2,20})[\"']\s*:\s*\W{0,2}$")  # of a mapping
_INDEX = re.compile(
    r"[A-Za-z}]\s*(?:[_^]\s*\{?\s*(?P<letter>[A-Z])(?![A-Za-z0-9])|(?:\^\s*\{?\s*)?\(\s*(?P<name>[A-Z]|[0-9]{1,2})\s*\))"
)


@dataclass(frozen=True)
class Names:
    """Rankings by their names; empty where a note has fewer than two.

    Parameters
    ----------
    rankings : mapping of str to tuple of float
        The grades of each.
    mentions : tuple of (int, str)
        Where the text names one of them.
    """

    rankings: dict[str, Grades] = field(default_factory=dict)
    mentions: tuple[tuple[int, str], ...] = ()

    def of_label(self, label: str) -> Grades | None:
        """The ranking that the index of a measure names, as in NDCG_B or AP(2)."""
        name = index_of(label)
        return self.rankings.get(name) if name is not None else None

    def before(self, place: int, since: int) -> Grades | None:
        """The ranking that the text names last before a place."""
        i = bisect_left(self.mentions, (place, ""))
        return self.rankings[self.mentions[i - 1][1]] if i and self.mentions[i - 1][0] >= since else None

    def of_heading(self, text: str) -> Grades | None:
        """The ranking that a heading of a table names."""
        found = _NAMED.search(text)
        own = self.rankings.get(_bare(text))
        return self.rankings.get(found["name"]) if own is None and found else own


def index_of(label: str) -> str | None:
    """The name of a ranking that the last index of a label may be.

    >>> index_of("NDCG_B"), index_of("AP(2)"), index_of("DCG^A_3"), index_of("DCG_3")
    ('B', '2', 'A', None)
    """
    found = list(_INDEX.finditer(label))
    return found[-1]["letter"] or found[-1]["name"] if found else None


def names_in(text: str, lists: Sequence[Listing], tables: Sequence[NoteTable]) -> Names:
    """The rankings that a note names, in its tables or right before their grades.

    >>> from ndcg_ref.notes.grades import listings_of
    >>> text = "Query A has the grades [3, 0, 2], and query B [1, 2, 0]."
    >>> names_in(text, listings_of(text), []).rankings
    {'A': (3.0, 0.0, 2.0), 'B': (1.0, 2.0, 0.0)}
    """
    rankings = {name: each.grades for table in tables for name, each in named_columns(table)}
    mentions = [(found.start(), found["name"]) for found in _NAMED.finditer(text)]
    known = {name for _, name in mentions} | {each["letter"] or each["name"] for each in _INDEX.finditer(text)}
    headings = {_bare(head) for table in tables for head in (*table.header, *(row[0].text for row in table.rows))}
    words = [
        head for head in headings if _HEADING.fullmatch(head) and column_of(head) is None and not quantity_of(head)
    ]
    end = 0
    for each in lists:
        since, end = max(end, each.start - NEAR), max(end, each.end)
        key = _KEY.search(text, since, each.start)
        if key:
            rankings.setdefault(_bare(key["word"]), each.grades)
        if each.ideal:
            continue
        label = _LABEL.search(text, since, each.start) or _ASSIGNED.search(text, since, each.start)
        if label and label["name"].upper() in known:
            rankings.setdefault(label["name"].upper(), each.grades)
        before = text[since : each.start].lower()
        for word in words:
            if re.search(rf"(?<!\w){re.escape(word)}(?!\w)", before):
                rankings.setdefault(word, each.grades)
        i = bisect_left(mentions, (each.start, ""))
        if i and mentions[i - 1][0] >= since:
            rankings.setdefault(mentions[i - 1][1], each.grades)
    if len(set(rankings.values())) < 2:
        return Names()
    return Names(rankings, tuple(each for each in mentions if each[1] in rankings))


def _bare(heading: str) -> str:
    """A heading without its markup; as a word in small letters."""
    text = re.sub(r"\\[a-z]+\{|[{}*`$]", "", heading).strip()
    return text if len(text) < 3 else text.lower()


def named_columns(table: NoteTable) -> Iterator[tuple[str, Listing]]:
    """The columns of a table that are rankings with a name: grades or marks, two columns or more."""
    found = []
    for i, head in enumerate(table.header):
        name = _NAMED.search(head)
        grades = [_grade(text) for text in table.texts(i)]
        told = tuple(grade for grade in grades if grade is not None)
        if name and len(told) == len(grades) > 2 and max(told) > 0:
            found.append((name["name"], Listing(table.start, table.end, told, False)))
    ranked = any(column_of(head) == "rank" for head in table.header)
    yield from found if len(found) > 1 and ranked else []


def _grade(text: str) -> float | None:
    mark = mark_of(text)
    return float(text) if mark is None and text.isdecimal() and int(text) <= HIGHEST else mark
