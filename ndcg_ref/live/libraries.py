"""Named conventions on one ranking: which of them print a number, and what makes two of them differ."""

import math
from collections.abc import Mapping
from typing import Any

from ndcg_ref.conventions.convention import TOPICS, Convention, or_none
from ndcg_ref.conventions.lookup import as_convention
from ndcg_ref.conventions.presets import in_words
from ndcg_ref.conventions.validation import as_cutoff, quoted
from ndcg_ref.explaining.matches import TRIED, Match, Which, every_value
from ndcg_ref.formulas.choices import difference, signed
from ndcg_ref.live.requests import as_choices, as_grades, known_grades, read_entry
from ndcg_ref.stated.verdict import WEAK

MOST_TRIED = 200  # grades of a ranking for which every convention is tried at every cutoff
TRIED_MEASURES = ("NDCG", "DCG")


def on_which(question: Mapping[str, Any]) -> dict[str, Any]:
    """Answer which named conventions print a number.

    The "measure" is NDCG or DCG; "grades" the ranking, or with "scores" the documents in the order of the scores;
    "judged" all judged grades or None; "stated" the number as typed; "k" the only cutoff to try, or None for all. At
    most 200 grades. "ids" has the id of each document or None, for conventions that rank equal scores by id.

    The "rows" have one row for each convention that was tried: its name and choices in words; "cutoffs", at which its
    value can be printed as the number, None for no cutoff; "computed", its value at the first of these, and else at the
    last cutoff tried; what it does not cover. Those that print the number come first, and of these those that cover the
    ranking, then the others, the nearest first. "untried" has the conventions that refuse the ranking, with the reason.

    >>> made = on_which({"grades": [3, 2, 3, 0, 1], "stated": "0.957"})
    >>> made["rows"][0]["convention"], made["rows"][0]["matches"], made["rows"][-1]["matches"]
    ('EXPONENTIAL', True, False)
    """
    measure = question.get("measure", "NDCG")
    if measure not in TRIED_MEASURES:
        raise ValueError(f"measure: expected one of {', '.join(TRIED_MEASURES)}, got {quoted(measure)}")
    grades, judged, scores = _documents(question, MOST_TRIED)
    number, comma = read_entry(question.get("stated"), 1.0 if measure == "NDCG" else math.fsum(grades))
    text = number.text.replace(".", "").replace(",", ".") if comma else number.text
    found, values = every_value(
        text, grades, judged, scores, measure=measure.lower(), k=question.get("k"), ids=_ids(question, len(grades))
    )
    goal = number.nearest_float
    rows = [_row(name, found, [each for each in values if each.convention == name]) for name in TRIED]
    shown = sorted((row for row in rows if row is not None), key=lambda row: _rank(row, goal))
    return {
        "stated": number.text,
        "line": str(found).splitlines()[0],
        "reading": found.reading,
        "chance": found.chance,
        "weak": (found.chance or 0) > WEAK,
        "decimals": found.decimals,
        "rows": shown,
        "untried": [{"convention": name, "reason": reason} for name, reason in found.untried],
        "longest": found.longest,
        "comma": comma,
    }


def on_difference(question: Mapping[str, Any]) -> dict[str, Any]:
    """Answer what makes two conventions differ on one ranking, choice by choice.

    "grades", "scores", "ids", "judged" and "k" are as for "which"; "a" and "b" are names of conventions, or objects of
    choices.

    The "line" is as `ndcg_ref.explain` has it; "rows" are the choices in the order in which they were changed, with
    their values before and after and by how much NDCG moved, "shown" with its sign, and in words what the choice is
    about, "from" which value and "to" which; "unseen" are in words the choices in which the two differ as well, and
    which this ranking leaves open.

    >>> made = on_difference({"grades": [1, 3], "a": "STANDARD", "b": "EXPONENTIAL"})
    >>> made["line"], [row["shown"] for row in made["rows"]]
    ('0.7967 -> 0.7098: gain −0.0869; ties 0; ideal 0', ['−0.086898'])
    """
    grades, judged, scores = _documents(question)
    a, b = as_choices(question.get("a"), "a"), as_choices(question.get("b"), "b")
    made = difference(grades, a, b, scores, judged, question.get("k"), _ids(question, len(grades)))
    return {
        "line": str(made),
        "a": str(a),
        "b": str(b),
        "value_a": or_none(made.value_a),
        "value_b": or_none(made.value_b),
        "rows": [
            {**row.as_json(), "shown": signed(row.moved, 6), **_change_in_words(row.choice, a, b)} for row in made.rows
        ],
        "unseen": [TOPICS[choice][0] for choice in made.unseen],
    }


def _change_in_words(changed: str, a: Convention | str, b: Convention | str) -> dict[str, str]:
    """A change of one choice in words, or of several that are joined by "+"."""
    choices = changed.split("+")
    start, end = (", ".join(as_convention(side).words_of(choice) for choice in choices) for side in (a, b))
    return {"words": ", ".join(TOPICS[choice][0] for choice in choices), "from": start, "to": end}


def _documents(
    question: Mapping[str, Any], most: int | None = None
) -> tuple[list[float], list[float] | None, list[float] | None]:
    """The grades, the judged grades and the scores of a question."""
    grades = as_grades(question.get("grades"), "grades")
    judged, scores = known_grades(question, "judged"), known_grades(question, "scores")
    longest = max(len(grades), len(judged or []))
    if most is not None and longest > most:
        raise ValueError(f"grades: expected at most {most} for trying every convention, got {longest}")
    as_cutoff(question.get("k"))
    return grades, judged, scores


def _ids(question: Mapping[str, Any], count: int) -> list[str] | None:
    """The ids of a question: a different one for each document, beside its score."""
    ids = question.get("ids")
    if ids is None:
        return None
    if not isinstance(ids, list) or not all(isinstance(each, str) for each in ids):
        raise TypeError(f"ids: expected a list of texts, got {quoted(ids)}")
    if question.get("scores") is None:
        raise ValueError("ids: expected scores beside them, as ids order equal scores alone")
    if len(ids) != count or len(set(ids)) < count:
        raise ValueError(f"ids: expected {count} different ones, one for each grade, got {len(set(ids))}")
    return ids


def _row(name: str, which: Which, values: list[Match]) -> dict[str, Any] | None:
    """The row of a convention; None if it was tried at no cutoff."""
    if not values:
        return None
    matching = [each for each in which.rows if each.convention == name]
    shown = (matching or values[-1:])[0]
    excluded = {name: which.excluded[name]} if name in which.excluded else {}
    return {
        "convention": name,
        "words": str(TRIED[name]),
        "matches": bool(matching),
        "cutoffs": [each.k for each in matching],
        "k": shown.k,
        "computed": or_none(shown.computed),
        "not_covered": in_words(excluded),
    }


def _rank(row: Mapping[str, Any], goal: float) -> tuple[bool, bool, float]:
    """Where a row stands: those that match first, those without a value last, the others by how near they are.

    Of those that match, the ones that do not cover the ranking come last.
    """
    value = row["computed"]
    if row["matches"]:
        return False, bool(row["not_covered"]), 0.0
    return True, value is None, 0.0 if value is None else abs(value - goal)
