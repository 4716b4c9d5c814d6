r"""What an author says that a number is: one small grammar for the role, the directive and the comments of notes.

::

    statement  number (= | ≈) quantity
    quantity   sum [; slip=cause]
    sum        what `ndcg_ref.stated.equation` reads, where a number may also be a call
    call       measure [@k] [( [grade, grade, …] [; name=value]* )], or mean(sum, sum, …)
    settings   name=value [; name=value]*

A call without grades is of the settings around it. Text is never evaluated as code.
"""

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from ndcg_ref.conventions.lookup import as_convention
from ndcg_ref.conventions.validation import as_highest_grade, as_persistence, quoted
from ndcg_ref.formulas.measured_ranking import MEASURES, QUANTITIES, Ranking
from ndcg_ref.stated.checks import declaring
from ndcg_ref.stated.claim import as_number
from ndcg_ref.stated.equation import DEEPEST, read_equation
from ndcg_ref.stated.number import Number, as_value, as_values
from ndcg_ref.stated.verdict import Verdict, judge
from ndcg_ref.subjects.ranking import judge_measure

Settings = Mapping[str, str]

MOST_GRADES = 1_000
_CALL = re.compile(r"(?<![\w.\\])(?P<name>[A-Za-z]\w*)(?:@(?P<k>\w*))?(?P<open>\s*\()?")
_OF_EQUATION = re.compile(r"log[0-9_]*|ln|sqrt")


def _grades(text: str, name: str) -> list[float]:
    count = len(re.findall(r"[^\s,]+", text))
    if count > MOST_GRADES:  # before they are read
        raise ValueError(f"{name}: expected at most {MOST_GRADES:,} numbers, got {count:,}")
    return as_values(text, name)


def _whole(text: str, name: str) -> int:
    if not re.fullmatch(r"0*[1-9][0-9]{0,17}", text):
        raise ValueError(f"{name}: expected a {name.replace('k', 'cutoff')} of at least 1, got {quoted(text)}")
    return int(text)


# The settings: how each is read, and what `Ranking` or `Convention` call it
_READ: dict[str, tuple[str, Callable[[str, str], Any]]] = {
    "grades": ("grades", _grades),
    "judged": ("judged", _grades),
    "k": ("k", _whole),
    "as": ("convention", lambda text, _: text),
    "gain": ("gain", lambda text, name: _grades(text, name) if text[:1].isdecimal() else text),
    "discount": ("discount", lambda text, _: text),
    "base": ("base", lambda text, name: math.e if text == "e" else as_value(text, name)),
    "rel": ("threshold", as_value),
    "relevant": ("relevant", _whole),
    "max_rel": ("highest_grade", lambda text, name: as_highest_grade(as_value(text, name))),
    "p": ("persistence", lambda text, name: as_persistence(as_value(text, name))),
}
NAMES = tuple(_READ)
CHOICES = ("gain", "discount", "base")
_TAKES = {
    **dict.fromkeys(("AP", "recall"), ("k", "judged", "rel", "relevant")),
    **dict.fromkeys(("P", "RR", "success"), ("k", "rel")),
    **dict.fromkeys((*MEASURES, "ICG"), ("k", "judged", "as", *CHOICES)),
    **{"R-precision": ("judged", "rel", "relevant"), "ERR": ("k", "max_rel"), "RBP": ("k", "p", "max_rel")},
}
_MEASURES = {measure.lower().replace("-", "_"): measure for measure in QUANTITIES}
CALLED = tuple(sorted((*_MEASURES, "mean")))


@dataclass(frozen=True)
class Quantity:
    """What a number is said to be: its value, its name, and the cause of a slip; of one measure also its ranking."""

    value: float
    name: str
    slip: str | None = None
    measure: str = ""
    ranking: Ranking | None = None

    def verdict(self, number: Number) -> Verdict:
        """The verdict on a number that is said to be this."""
        if self.ranking is not None and self.measure in MEASURES:
            return declaring(judge_measure(number, self.measure, self.ranking, self.name), self.slip)
        return declaring(judge(number, self.value, self.name), self.slip)


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
    quantity = quantity_in(said)
    number = as_number(stated, quantity.name)
    return quantity.verdict(number if is_rough else number.of(quantity.name))


def statement_in(text: str) -> tuple[str, bool, str]:
    """The number of a statement, whether it is said to be rough, and what it is; without a number it is empty.

    >>> statement_in("1 ≈ ndcg(3, 0; k=2)"), statement_in("ndcg(3, 0; k=2)")
    (('1', True, 'ndcg(3, 0; k=2)'), ('', False, 'ndcg(3, 0; k=2)'))
    """
    found = re.fullmatch(r"([^=≈();@]+)([=≈])(.*)", text.strip(), re.DOTALL)
    return (found[1].strip(), found[2] == "≈", found[3].strip()) if found else ("", False, text.strip())


def quantity_in(text: str, around: Settings | None = None) -> Quantity:
    """What a text says that a number is.

    >>> quantity_in("ndcg", {"grades": "3, 0, 2", "k": "1"}).name, quantity_in("mean(ndcg(3, 2), 9/12)").value
    ('NDCG@1 of 3, 0, 2', 0.875)
    """
    said, *behind = map(str.strip, _split(text, ";"))
    if not said:
        raise ValueError("expected name=value, or what a number is, such as 'ndcg(3, 0, 2; k=3)', got nothing")
    slip = _options(behind, ("slip",)).get("slip")
    call = _CALL.match(said)
    if call and call["name"].lower() in _MEASURES and _end_of(call, said) == len(said):
        found = _called(call, said, around or {}, ("slip",))
        return replace(found, slip=found.slip or slip)
    return Quantity(_evaluated(said, around or {}), said, slip)


def settings_in(text: str) -> dict[str, str]:
    """The settings that a text says.

    >>> settings_in("grades=3,2,0; gain=exponential")
    {'grades': '3,2,0', 'gain': 'exponential'}
    """
    found = _options(_split(text, ";"), NAMES, "")
    ranking_of({"grades": "0", **found}).value("NDCG")  # which refuses what is no grade
    return found


def ranking_of(settings: Settings) -> Ranking:
    """The ranking of settings, which say at least its grades.

    >>> ranking_of({"grades": "3, 2", "gain": "exponential", "k": "1"}).value("DCG")
    7.0
    """
    read = {_READ[name][0]: _READ[name][1](text.strip(), name) for name, text in settings.items() if name in _READ}
    choices = {name: read.pop(name) for name in CHOICES if name in read}
    convention = as_convention(read.get("convention", "STANDARD"))  # refuses an unknown name
    if choices:
        read["convention"] = replace(convention, **choices)
    return Ranking(**read)


def merged(around: Settings, own: Settings) -> dict[str, str]:
    """Settings with others in their place; another ranking has judged documents of its own.

    >>> merged({"grades": "3, 2", "judged": "3, 3, 2", "k": "2"}, {"grades": "1, 0"})
    {'k': '2', 'grades': '1, 0'}
    """
    gone = {*own, *(("judged", "relevant") if "grades" in own else ()), *(CHOICES if "as" in own else ())}
    return {name: said for name, said in around.items() if name not in gone} | dict(own)


def _called(call: re.Match[str], text: str, around: Settings, more: Sequence[str] = ()) -> Quantity:
    """The measure that a call names, of its own ranking or that around it."""
    measure, end = _MEASURES[call["name"].lower()], _end_of(call, text)
    first, *others = _split(text[call.end() : end - 1], ";") if call["open"] else [""]
    if re.match(r"\s*\w+\s*=", first):
        first, others = "", [first, *others]
    if "=" in first:
        raise ValueError(f"expected a semicolon behind the grades, got {quoted(first.strip())}")
    others += [] if call["k"] is None else [f"k={call['k']}"]
    own = _options(others, (*_TAKES[measure], *more)) | ({"grades": first} if first.strip() else {})
    settings = merged({name: said for name, said in around.items() if name in ("grades", *_TAKES[measure])}, own)
    for needed in ("grades", *({"ERR": ["max_rel"], "RBP": ["p"]}.get(measure, []))):
        if needed not in settings:
            raise ValueError(f"expected {needed} for {call['name']}, as in rbp(1, 0; p=0.8), got none")
    ranking = ranking_of(settings)
    return Quantity(ranking.value(measure), _name(measure, ranking, settings), own.get("slip"), measure, ranking)


def _name(measure: str, ranking: Ranking, settings: Settings) -> str:
    """What a measure is called, in words."""
    grades, judged = (", ".join(f"{grade:g}" for grade in each) for each in (ranking.grades, ranking.judged or ()))
    said = [f"{ranking.called(measure)} of {grades}", f"judged {judged}" if judged else "", settings.get("as", "")]
    said += [f"{name}={settings[name]}" for name in NAMES[4:] if name in settings]
    return ", ".join(filter(None, said))


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
        elif name in _MEASURES:
            pieces.append(f"({_called(call, text, around).value!r})")
        else:
            where = " in front of the bracket" if call["open"] else ""
            raise ValueError(f"expected one of {', '.join(CALLED)}{where}, got {quoted(call['name'])}")
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


def _options(parts: Iterable[str], known: Sequence[str], where: str = " behind the semicolon") -> dict[str, str]:
    """The names and values of some parts."""
    found: dict[str, str] = {}
    for each in filter(str.strip, parts):
        key, equals, value = map(str.strip, each.partition("="))
        key = "relevant" if key == "R" else key
        if not equals or key not in known:
            expected = ", ".join(f"{name}=" for name in known)
            raise ValueError(f"expected one of {expected}{where}, got {quoted(each.strip())}")
        if key in found:
            raise ValueError(f"expected {key}= once, got it twice")
        found[key] = value
    return found
