"""Slips that are known: those of a baseline."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence

from ndcg_ref.commands.findings_formats import KEYS, FileFinding, key_of
from ndcg_ref.conventions.validation import shortened

Key = tuple[str, ...]


def read_baseline(name: str, lines: Iterable[str]) -> Counter[Key]:
    """The slips of a baseline; raises where a line is none."""
    known: Counter[Key] = Counter()
    for i, line in enumerate(lines, start=1):
        try:
            entry = json.loads(line)
            key = tuple(entry[each] for each in KEYS)
        except (ValueError, KeyError, TypeError, RecursionError):
            key = ()
        if not key or not all(isinstance(part, str) for part in key):
            raise ValueError(f"{shortened(name)}:{i}: expected an object with {', '.join(KEYS)}, got {shortened(line)}")
        known[key] += 1
    return known


def compared(found: Sequence[FileFinding], known: Counter[Key]) -> tuple[list[FileFinding], list[Key]]:
    """The findings without the slips that are known, and the known slips that are gone."""
    left, kept = known.copy(), []
    for each in found:
        if each.finding.is_wrong and left[key_of(each)] > 0:
            left[key_of(each)] -= 1
        else:
            kept.append(each)
    return kept, list(left.elements())
