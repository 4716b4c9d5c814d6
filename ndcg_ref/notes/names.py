"""The names of several rankings in a note, such as query 2, q2 or system B, and which ranking each is."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ndcg_ref.notes.grades import Grades
from ndcg_ref.notes.lists import Listing
from ndcg_ref.notes.words import words_for

NEAR = 60  # characters between a name and the ranking that it is of
Names = Mapping[str, Grades]
_NAMED = re.compile(rf"(?:(?i:{words_for('named')})[\s_~]*|(?<!\w)[qQ]_?\{{?)(?P<name>[A-Z]|[0-9]{{1,2}})(?![\w.]*\w)")


def names_in(text: str, lists: Sequence[Listing]) -> Names:
    """The rankings that a note names right before their grades; none where it has fewer than two.

    >>> from ndcg_ref.notes.lists import listings_of
    >>> text = "Query A has the grades [3, 0, 2], and query B [1, 2, 0]."
    >>> names_in(text, listings_of(text))
    {'A': (3.0, 0.0, 2.0), 'B': (1.0, 2.0, 0.0)}
    """
    found: dict[str, Grades] = {}
    end = 0
    for each in lists:
        since, end = max(end, each.start - NEAR), max(end, each.end)
        named = list(_NAMED.finditer(text, since, each.start))
        if named and not each.ideal:
            found.setdefault(named[-1]["name"], each.grades)
    return found if len(set(found.values())) > 1 else {}


def ranking_of_heading(text: str, names: Names) -> Grades | None:
    """The ranking that a heading of a table names."""
    found = _NAMED.search(text)
    return names.get(text.strip("*`$ "), names.get(found["name"]) if found else None)
