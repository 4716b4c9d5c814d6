"""Rewrite the words of a command line so that `argparse` accepts them."""

import os
import re
from collections.abc import Sequence

LISTS = ("--grades", "--judged", "--scores")


def as_argparse_takes(words: Sequence[str]) -> list[str]:
    """The words, with several measures or numbers after one option, and negative numbers, rewritten; or a refusal.

    >>> as_argparse_takes(["judge", "-0.5", "--grades", "3", "2"])
    ['judge', ' -0.5', '--grades', '3 2']
    """
    command = words[0] if words else ""
    if command in ("judge", "which"):  # a negative number is no option, and after a blank it is not taken for one
        return _each_list_one_word([re.sub(r"^-(?=[0-9.])", " -", word) for word in words])
    return _each_measure_its_option(words) if command in ("eval", "compare") else list(words)


def _each_list_one_word(words: Sequence[str]) -> list[str]:
    """Join the numbers after an option, if the stated number comes first: `0.5 --grades 3 2` has two grades."""
    joined: list[str] = []
    first = words[1:2] and not words[1].startswith("-")
    for word in words:
        option, equals, numbers = joined[-1].partition("=") if joined else ("", "", "")
        if not equals:
            option, numbers = joined[-2] if len(joined) > 1 else "", option
        if first and option in LISTS and not word.startswith("-") and _goes_on(numbers):
            joined[-1] += f" {word}"
        else:
            joined.append(word)
    return joined


def _goes_on(numbers: str) -> bool:
    """Whether a list continues: it has an open bracket, ends in a comma, or has only blanks between numbers."""
    if numbers.startswith(("[", "(")):
        return not numbers.endswith(("]", ")"))
    return numbers.endswith(",") or "," not in numbers


def _each_measure_its_option(words: Sequence[str]) -> list[str]:
    """Let -m take several measures, up to an option or a file: `-m AP P@5 qrels run` becomes `-m AP -m P@5 …`."""
    rewritten: list[str] = []
    for word in words:
        if rewritten[-2:-1] == ["-m"] and not word.startswith("-") and not os.path.exists(word):
            from ndcg_ref.conventions.spellings import parse_all

            try:
                parse_all(word)
            except ValueError as error:
                raise ValueError(f"{error}; there is no file of that name either") from None
            rewritten.append("-m")
        rewritten.append(word)
    return rewritten
