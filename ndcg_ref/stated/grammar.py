r"""What an author says that a number is: one small grammar for the role, the directive and the comments of notes.

::

    statement  number (= | ≈) quantity
    quantity   sum [; slip=cause]
    sum        what `ndcg_ref.stated.equation` reads, where a number may also be a call
    call       name [@k] [( [first setting] [; name=value]* )], or mean(sum, sum, …)
    settings   name=value [; name=value]*

A name is that of a registered quantity, ``ap(1, 0, 1; R=4)``. A call without an example of its own is of the settings
around it. Text is never evaluated as code.
"""

import math
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

from ndcg_ref.conventions.validation import quoted
from ndcg_ref.stated.checks import declaring
from ndcg_ref.stated.claim import as_number
from ndcg_ref.stated.equation import DEEPEST, read_equation
from ndcg_ref.stated.number import Number
from ndcg_ref.stated.subject import Quantity, Settings, Subject, subjects
from ndcg_ref.stated.verdict import Verdict, judge

_CALL = re.compile(r"(?<![\w.\\])(?P<name>[A-Za-z]\w*)(?:@(?P<k>\w*))?(?P<open>\s*\()?")
_OF_EQUATION = re.compile(r"log[0-9_]*|ln|sqrt")


@dataclass(frozen=True)
class Meant:
    """What a number is said to be: its value, its name, and the cause of a slip; of one quantity also its example."""

    value: float
    name: str
    slip: str | None = None
    quantity: Quantity | None = None
    example: Any = None

    def verdict(self, number: Number) -> Verdict:
        """The verdict on a number that is said to be this."""
        others = partial(self.quantity.alternatives, self.example) if self.quantity else None
        return declaring(judge(number, self.value, self.name, alternatives=others), self.slip)


def judged_number(text: str) -> Verdict:
    """The verdict on a number beside what it is; a ValueError says what is malformed.

    A bare 0 or 1 before ``=`` is exact if it is of a quantity between 0 and 1.

    >>> print(judged_number("0.939 = ndcg(3, 0, 2; k=3)"))
    ✓ agrees: NDCG@3 of 3, 0, 2: stated 0.939, computed 0.938557
    >>> print(judged_number("0.74 = 9/12"))
    ✗ slip: 9/12: stated 0.74, computed 0.75000, correct 0.75; unexplained
    >>> judged_number("0.939 = foo(3, 0, 2)")
    Traceback (most recent call last):
        ...
    ValueError: expected one of ap, cg, dcg, err, icg, idcg, mean, ndcg, p, r_precision, rbp, recall, rr, success \
in front of the bracket, got 'foo'
    """
    stated, is_rough, said = statement_in(text)
    if not stated or not said:
        raise ValueError(f"expected a number and what it is, such as '0.939 = ndcg(3, 0, 2; k=3)', got {quoted(text)}")
    found = meant_in(said)
    number = as_number(stated, found.name)
    return found.verdict(number if is_rough else number.of(found.name))


def statement_in(text: str) -> tuple[str, bool, str]:
    """The number of a statement, whether it is said to be rough, and what it is; without a number it is empty.

    >>> statement_in("1 ≈ ndcg(3, 0; k=2)"), statement_in("ndcg(3, 0; k=2)")
    (('1', True, 'ndcg(3, 0; k=2)'), ('', False, 'ndcg(3, 0; k=2)'))
    """
    found = re.fullmatch(r"([^=≈();@]+)([=≈])(.*)", text.strip(), re.DOTALL)
    return (found[1].strip(), found[2] == "≈", found[3].strip()) if found else ("", False, text.strip())


def meant_in(text: str, around: Settings | None = None) -> Meant:
    """What a text says that a number is.

    >>> meant_in("ndcg", {"grades": "3, 0, 2", "k": "1"}).name, meant_in("mean(ndcg(3, 2), 9/12)").value
    ('NDCG@1 of 3, 0, 2', 0.875)
    """
    said, *behind = map(str.strip, _split(text, ";"))
    if not said:
        raise ValueError("expected name=value, or what a number is, such as 'ndcg(3, 0, 2; k=3)', got nothing")
    slip = _options(behind, ("slip",)).get("slip")
    call = _CALL.match(said)
    if call and call["name"].lower() in calls() and _end_of(call, said) == len(said):
        found = _called(call, said, around or {}, ("slip",))
        return replace(found, slip=found.slip or slip)
    return Meant(_evaluated(said, around or {}), said, slip)


def load_subject(module: str, folder: Path) -> None:
    """Import a module that registers a subject, and may lie in a folder; or a refusal of what it cannot register."""
    sys.path.insert(0, str(folder))
    try:
        import_module(module)
    except (ImportError, ValueError) as error:
        raise ValueError(f"{module}: {error}") from None
    finally:
        sys.path.remove(str(folder))


def calls() -> dict[str, list[Quantity]]:
    """The registered quantities, by their names in calls; several subjects may have one of the same name."""
    found: dict[str, list[Quantity]] = {}
    for each in (quantity for subject in subjects() for quantity in subject.quantities.values()):
        found.setdefault(each.call, []).append(each)
    return found


def setting_names() -> list[str]:
    """The names of all settings, by subject."""
    return list(dict.fromkeys(name for subject in subjects() for name in subject.settings))


def settings_in(text: str) -> dict[str, str]:
    """The settings that a text says, which are those of one subject.

    >>> settings_in("grades=3,2,0; gain=exponential")
    {'grades': '3,2,0', 'gain': 'exponential'}
    """
    parts = _split(text, ";")
    names = {each.partition("=")[0].strip() for each in parts if each.strip()}
    known = [each for each in subjects() if each.settings]
    own = next((each for each in known if names <= {*each.settings, *each.aliases}), known[0])
    found = _options(parts, list(own.settings), "", own)
    own.check(found)
    return found


def merged(around: Settings, own: Settings) -> dict[str, str]:
    """Settings with others in their place, and without what these replace.

    >>> merged({"grades": "3, 2", "judged": "3, 3, 2", "k": "2"}, {"grades": "1, 0"})
    {'k': '2', 'grades': '1, 0'}
    """
    gone = {*own, *(gone for each in subjects() for name in own for gone in each.replaces.get(name, ()))}
    return {name: said for name, said in around.items() if name not in gone} | dict(own)


def _called(call: re.Match[str], text: str, around: Settings, more: Sequence[str] = ()) -> Meant:
    """The quantity that a call names, of its own example or that around it."""
    end = _end_of(call, text)
    first, *others = _split(text[call.end() : end - 1], ";") if call["open"] else [""]
    if re.match(r"\s*\w+\s*=", first):
        first, others = "", [first, *others]
    others += [] if call["k"] is None else [f"k={call['k']}"]
    quantity = _fitting(calls()[call["name"].lower()], first.strip(), others, around)
    subject, leading = quantity.subject, next(iter(quantity.subject.settings))
    if "=" in first:
        raise ValueError(f"expected a semicolon behind the {leading}, got {quoted(first.strip())}")
    own = _options(others, (*quantity.takes, *more), of=subject) | ({leading: first} if first.strip() else {})
    slip = own.pop("slip", None)
    settings = merged({name: said for name, said in around.items() if name in {*quantity.needs, *quantity.takes}}, own)
    for needed in quantity.needs:
        if needed not in settings:
            raise ValueError(f"expected {needed} for {call['name']}, as in {subject.usage}, got none")
    example = subject.example(settings)
    name = subject.describe(quantity.name, example, settings)
    return Meant(quantity.value(example), name, slip, quantity, example)


def _fitting(named: Sequence[Quantity], first: str, others: Iterable[str], around: Settings) -> Quantity:
    """Of quantities of one name the first one that takes what a call says, and has all that it needs."""
    names = {each.partition("=")[0].strip() for each in others} - {"slip", ""}
    for each in named:
        given = names | around.keys() | ({*each.needs[:1]} if first else set())
        if names <= {*each.takes, *each.subject.aliases} and given >= {*each.needs}:
            return each
    return named[0]


def _evaluated(text: str, around: Settings, depth: int = 0) -> float:
    """The value of a sum: each call in it becomes a number, and `ndcg_ref.stated.equation` reads the rest."""
    if depth > DEEPEST:
        raise ValueError(f"expected at most {DEEPEST} levels of brackets, got more")
    pieces, at = [], 0
    while call := _CALL.search(text, at):
        pieces.append(text[at : call.start()])
        name, at = call["name"].lower(), _end_of(call, text)
        if _OF_EQUATION.fullmatch(name):
            at = call.end("name")
            pieces.append(call["name"])
        elif name == "mean" and call["open"]:
            values = [_evaluated(each, around, depth + 1) for each in _split(text[call.end() : at - 1], ",")]
            pieces.append(f"({math.fsum(values) / len(values)!r})")
        elif name in calls():
            pieces.append(f"({_called(call, text, around).value!r})")
        else:
            where = " in front of the bracket" if call["open"] else ""
            raise ValueError(
                f"expected one of {', '.join(sorted({*calls(), 'mean'}))}{where}, got {quoted(call['name'])}"
            )
    if "(nan)" in pieces:
        return math.nan
    sides = read_equation("".join((*pieces, text[at:]))).sides
    if len(sides) != 1 or sides[0].value is None:
        raise ValueError(f"expected one quantity, got {quoted(text)}")
    return sides[0].value


def _end_of(call: re.Match[str], text: str) -> int:
    """Where a call ends, behind the bracket that closes it."""
    depth, at = int(call["open"] is not None), call.end()
    while depth:
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        at += 1
    return at


def _split(text: str, sign: str) -> list[str]:
    """The parts of a text between signs outside all brackets."""
    depth, cuts = 0, [-1]
    for at, character in enumerate(text):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if depth < 0:
            break
        if character == sign and not depth:
            cuts.append(at)
    if depth:
        raise ValueError(f"expected a closing bracket for each opening one, got {quoted(text.strip())}")
    return [text[before + 1 : cut] for before, cut in pairwise([*cuts, len(text)])]


def _options(
    parts: Iterable[str], known: Sequence[str], where: str = " behind the semicolon", of: Subject | None = None
) -> dict[str, str]:
    """The names and values of some parts."""
    found: dict[str, str] = {}
    for each in filter(str.strip, parts):
        key, equals, value = map(str.strip, each.partition("="))
        key = of.aliases.get(key, key) if of else key
        if not equals or key not in known:
            expected = ", ".join(f"{name}=" for name in known)
            raise ValueError(f"expected one of {expected}{where}, got {quoted(each.strip())}")
        if key in found:
            raise ValueError(f"expected {key}= once, got it twice")
        found[key] = value
    return found
