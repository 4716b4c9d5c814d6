"""The choices that a bare "NDCG@10" leaves open, as one frozen value, and the three named conventions.

Throughout the package, ranks count from 1, and a ranking is the list of its grades, best rank first.
A discount is a divisor: the gain at rank r is divided by d(r). The ideal has the largest gain first; only a convention
with ``ideal_order="grade"`` sorts it by grade. A query without ideal gain has no NDCG; `Convention.zero_ideal` is
the value that it counts as.
"""

import math
import struct
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, fields
from types import ModuleType
from typing import Any, Literal, TypeAlias, get_args, get_origin

from ndcg_ref.conventions.validation import as_grade, quoted, refusal

Gain: TypeAlias = (
    Literal["linear", "exponential", "binary"] | Sequence[float] | Mapping[float, float] | Callable[[float], float]
)
Discount: TypeAlias = Literal["log(rank+1)", "log(rank)", "rank", "none"] | Callable[[int], float]
Ties: TypeAlias = Literal["average", "id-descending", "id-ascending", "input", "best", "worst"]

GAINS = ("linear", "exponential", "binary")
DISCOUNTS = ("log(rank+1)", "log(rank)", "rank", "none")
ZERO_IDEALS = ("nan", 0, 1, "error")
IN_WORDS: dict[str, dict[Any, str]] = {
    # choice: the text of each value but the default, in the order in which `str` has them
    "discount": {
        "log(rank+1)": "{log}(rank + 1)",
        "log(rank)": "max(1, {log}(rank))",
        "rank": "discount rank",
        "none": "no discount",
    },
    "ideal": {"ranked": "ideal of the ranking"},
    "ideal_order": {"grade": "ideal sorted by grade"},
    "ideal_cut": {"hits": "ideal no longer than the ranking", "none": "ideal not cut"},
    "ties": {
        "id-descending": "ties by document id descending",
        "id-ascending": "ties by document id ascending",
        "input": "ties in input order",
        "best": "ties best first",
        "worst": "ties worst first",
    },
    "zero_ideal": {
        0: "no relevant document counts 0",
        1: "no relevant document counts 1",
        "error": "no relevant document refused",
    },
    "negative": {"clamp": "negative grades count 0", "keep": "negative grades kept"},
    "fractional": {"truncate": "fractional grades truncated", "error": "fractional grades refused"},
    "unjudged": {"drop": "unjudged documents dropped"},
    "scores": {"float32": "float32 scores"},
    "missing": {"zero": "missing queries count 0", "error": "missing queries refused"},
    "extra": {"zero": "unjudged queries count 0", "error": "unjudged queries refused"},
    "query_weights": {"with-ideal": "queries without ideal gain unweighted"},
}


@dataclass(frozen=True, kw_only=True, repr=False)
class Convention:
    r"""All the choices that lead from graded documents to one NDCG.

    .. math:: \mathrm{DCG}_k = \sum_{r=1}^{\min(k, n)} \frac{g(\ell_r)}{d(r)}

    with the gain :math:`g` of the grade :math:`\ell_r` at rank :math:`r`, and the discount :math:`d`.

    Parameters
    ----------
    gain : {"linear", "exponential", "binary"}, sequence, mapping or callable
        The gain of a grade: the grade itself; 2 to the power of the grade, minus 1; or 1 for every grade above 0. A
        sequence has the gain of grade 0, 1, 2, … (stored as a tuple), a mapping goes from grade to gain (stored as a
        sorted tuple of pairs), and a callable takes one grade.
    discount : {"log(rank+1)", "log(rank)", "rank", "none"} or callable
        What the gain at a rank is divided by. "log(rank)" is the original discount, max(1, log of the rank), which does
        not discount the first ranks; "rank" divides by the rank itself, "none" by 1; a callable takes one rank.
    base : float
        Base of the logarithm, above 1.
    negative : {"error", "clamp", "keep"}
        How a grade below 0 is treated: refused, read as 0, or used as it is.
    zero_ideal : {"nan", 0, 1, "error"}
        The value of a ranking without ideal gain. "nan" means that it has no NDCG and is left out of a mean.
    ideal : {"judged", "ranked"}
        The documents that the ideal consists of: all that were judged for the query, or only those of the ranking.
    ideal_order : {"gain", "grade"}
        What the ideal is sorted by, best first. The two differ where a table or a callable gives a smaller gain to a
        better grade: the order by grade is then not the best one, and NDCG can be above 1.
    ideal_cut : {"k", "hits", "none"}
        Where the ideal is cut: at k like the ranking; at k or the number of documents in the ranking, whichever is
        smaller; or not at all.
    ties : {"average", "id-descending", "id-ascending", "input", "best", "worst"}
        How documents with equal scores are ranked: averaged over all their orders; by document id (compared as text,
        character by character); in the order of the input; or with the higher or the lower grades first.
    scores : {"float64", "float32"}
        Precision in which scores are compared; under "float32", scores that differ by less are tied.
    unjudged : {"zero", "drop"}
        How a retrieved document that nobody judged is treated: it gains nothing and keeps its rank; or it is removed
        before ranks are counted. Under ``negative="clamp"``, "drop" also removes a document judged below 0, as
        trec_eval does; the document stays in the ideal, with grade 0.
    fractional : {"keep", "truncate", "error"}
        How a grade that is not whole is treated: used as it is, truncated toward 0, or refused.
    missing : {"skip", "zero", "error"}
        How a judged query that the run lacks is treated: left out, counted as 0, or refused.
    extra : {"skip", "zero", "error"}
        How a query of the run that nobody judged is treated: left out, counted as 0, or refused.
    query_weights : {"all", "with-ideal"}
        Which values a mean multiplies by the weights of their queries: all, or only those of queries with ideal gain.
        The sum is divided by the sum of all weights in either case.

    Raises
    ------
    ValueError
        If a choice is unknown, a gain table is empty, or the base is not a finite number above 1.
    TypeError
        If a choice is of the wrong kind.

    References
    ----------
    Järvelin and Kekäläinen 2002, ACM Transactions on Information Systems 20(4), pages 422-446, for "log(rank)";
    Burges et al. 2005, Proceedings of ICML, pages 89-96, for "exponential".

    Examples
    --------
    A convention prints as its gain and its discount, and what else differs from the default:

    >>> print(Convention(gain="exponential"))
    exponential gain, log2(rank + 1)
    >>> print(Convention(discount="log(rank)", ties="id-descending", zero_ideal=0))
    linear gain, max(1, log2(rank)), ties by document id descending, no relevant document counts 0

    Its repr is the call that creates it, without the choices that have their default:

    >>> Convention(gain="exponential", zero_ideal=0)
    Convention(gain='exponential', zero_ideal=0)

    A table gives the gain of grade 0, 1, 2, …, here 0, 1 and 10:

    >>> Convention(gain=[0, 1, 10]).gain
    (0, 1, 10)
    """

    gain: Gain = "linear"
    discount: Discount = "log(rank+1)"
    base: float = 2
    negative: Literal["error", "clamp", "keep"] = "error"
    zero_ideal: Literal["nan", "error"] | float = "nan"
    ideal: Literal["judged", "ranked"] = "judged"
    ideal_order: Literal["gain", "grade"] = "gain"
    ideal_cut: Literal["k", "hits", "none"] = "k"
    ties: Ties = "average"
    scores: Literal["float64", "float32"] = "float64"
    unjudged: Literal["zero", "drop"] = "zero"
    fractional: Literal["keep", "truncate", "error"] = "keep"
    missing: Literal["skip", "zero", "error"] = "skip"
    extra: Literal["skip", "zero", "error"] = "skip"
    query_weights: Literal["all", "with-ideal"] = "all"

    def __post_init__(self) -> None:
        object.__setattr__(self, "gain", _gain(self.gain))
        _known("discount", self.discount, DISCOUNTS, "or a callable of one rank", callable(self.discount))
        object.__setattr__(self, "base", _base(self.base))
        for choice, words in WORDS.items():
            _known(choice, getattr(self, choice), words)
        _known("zero_ideal", self.zero_ideal, ZERO_IDEALS)
        if not isinstance(self.zero_ideal, str):
            object.__setattr__(self, "zero_ideal", int(self.zero_ideal))

    def signature(self, unused: Collection[str] = ()) -> str:
        r"""All choices on one line, for records; or all but those that a measure does not use.

        Notes
        -----
        Two conventions that are not equal differ in their signatures, and in their texts by ``str()``, with one
        exception. A function of your own is named by its module and its qualified name; a lambda, or a function defined
        within another, also by the line on which it begins. Two functions made by the same line of one module, such as
        lambdas in a loop, print alike: define each under a name of its own.

        Examples
        --------
        >>> print(*STANDARD.signature().split("|ties"), sep="\n|ties")
        gain:linear|discount:log(rank+1)|base:2|negative:error|zero_ideal:nan|ideal:judged|ideal_order:gain|ideal_cut:k
        |ties:average|scores:float64|unjudged:zero|fractional:keep|missing:skip|extra:skip|query_weights:all
        >>> Convention(gain=math.sqrt).signature().partition("|")[0]
        'gain:math.sqrt'
        """
        names = [field.name for field in fields(self) if field.name not in unused]
        return "|".join(f"{name}:{_shown(getattr(self, name))}" for name in names)

    def in_words(self) -> dict[str, str]:
        """Gain, discount and each choice that differs from the default, in words."""
        words = {"gain": _gain_in_words(self.gain)}
        if callable(self.discount):
            words["discount"] = f"discount {_name(self.discount)}"
        else:
            words["discount"] = IN_WORDS["discount"][self.discount].format(
                log="ln" if self.base == math.e else f"log{self.base!r}"
            )
        if self.base != STANDARD.base and self.discount not in ("log(rank+1)", "log(rank)"):
            words["base"] = f"log base {self.base!r}"  # unused, but it makes another convention
        for choice, said in IN_WORDS.items():
            value = getattr(self, choice)
            if choice not in words and value != getattr(STANDARD, choice):
                words[choice] = said[value]
        return words

    def __str__(self) -> str:
        return ", ".join(self.in_words().values())

    def __repr__(self) -> str:
        chosen = {field.name: getattr(self, field.name) for field in fields(self)}
        shown = (f"{name}={value!r}" for name, value in chosen.items() if value != getattr(type(self), name))
        return f"Convention({', '.join(shown)})"


# The values of each choice that is one of some words
WORDS = {each.name: get_args(each.type) for each in fields(Convention) if get_origin(each.type) is Literal}


def _known(choice: str, value: Any, known: tuple[Any, ...], other: str = "", admitted: bool = False) -> None:
    if admitted or (isinstance(value, str | int | float) and not isinstance(value, bool) and value in known):
        return
    names = ", ".join(repr(name) for name in known)
    problem = f"{choice}: expected one of {names}{f', {other}' if other else ''}, got {quoted(value)}"
    raise ValueError(problem) if isinstance(value, str | int | float) else TypeError(problem)


def _gain(gain: Any) -> Any:
    """The gain as it is stored: a known name, a tuple, or the callable that was given."""
    if isinstance(gain, str) or callable(gain):
        _known("gain", gain, GAINS, "a table or a callable of one grade", callable(gain))
        return gain
    if isinstance(gain, Mapping):
        gain = tuple(gain.items())
    elif isinstance(gain, Iterable) and not isinstance(gain, Set | bytes | bytearray):
        gain = tuple(gain)
    else:
        _known("gain", gain, GAINS, "a table or a callable of one grade")
    if not gain:
        raise ValueError("gain: expected the gain of at least one grade, got an empty table")
    if all(isinstance(item, tuple) and len(item) == 2 for item in gain):
        pairs = [
            (_plain_number(level, "gain, a grade"), _plain_number(gained, f"gain[{quoted(level)}]"))
            for level, gained in gain
        ]
        if len(dict(pairs)) < len(pairs):
            raise ValueError(f"gain: expected one gain for each grade, got {quoted(gain)}")
        return tuple(sorted(pairs))
    return tuple(_plain_number(gained, f"gain[{i}]") for i, gained in enumerate(gain))


def _base(base: Any) -> float:
    number = _plain_number(base, "base")
    if number <= 1:
        raise ValueError(
            f"base: expected a number above 1, got {quoted(base)} (a logarithm to this base does not discount)"
        )
    return number


def _plain_number(value: Any, where: str) -> float:
    """An int if the value is whole, else a float, so that equal conventions print alike."""
    number = as_grade(value, where)
    return int(number) if number.is_integer() else number


def _shown(choice: Any) -> str:
    if isinstance(choice, tuple):
        return ",".join("=".join(map(repr, item)) if isinstance(item, tuple) else repr(item) for item in choice)
    return _name(choice) if callable(choice) else str(choice)


def _name(function: Callable[..., Any]) -> str:
    """Module and name of a callable, and the line on which it begins if several may share the name."""
    name, owner = getattr(function, "__qualname__", None), getattr(function, "__self__", None)
    if name is None or not isinstance(owner, ModuleType | None):  # an object or a method of one: its repr
        return repr(function)
    code = getattr(function, "__code__", None)
    line = f" (line {code.co_firstlineno})" if code is not None and "<" in name else ""
    return f"{getattr(function, '__module__', None)}.{name}{line}"


def _gain_in_words(gain: Any) -> str:
    if isinstance(gain, str):
        return f"{gain} gain"
    if not isinstance(gain, tuple):
        return f"gain {_name(gain)}"
    if isinstance(gain[0], tuple):
        return f"gain {', '.join(f'{gained!r} of grade {level!r}' for level, gained in gain)}"
    return f"gain {', '.join(map(repr, gain))} of grade 0 and up"


def as_float32(value: float) -> float:
    """The nearest float of single precision; infinite beyond its range.

    >>> as_float32(1.00000001)
    1.0
    """
    try:
        return float(struct.unpack("f", struct.pack("f", value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)


def or_none(value: float) -> float | None:
    """A value as JSON has it: None instead of nan.

    >>> or_none(0.5), or_none(math.nan)
    (0.5, None)
    """
    return None if math.isnan(value) else value


def ideal_cutoff(k: int | None, n: int, convention: Convention) -> int | None:
    """The cutoff of the ideal, for a ranking of n documents cut at k; None for none.

    >>> ideal_cutoff(10, 4, Convention(ideal_cut="hits"))
    4
    """
    match convention.ideal_cut:
        case "k":
            return k
        case "hits":
            return n if k is None else min(k, n)
        case _:
            return None


def value_without_ideal(convention: Convention, where: str = "grades") -> float:
    """The value of a ranking without ideal gain: nan, 0 or 1, as `zero_ideal` says, or a refusal that names the place.

    >>> value_without_ideal(Convention(zero_ideal=1))
    1.0
    """
    if convention.zero_ideal == "error":
        raise refusal("query without ideal gain", where)
    return float(convention.zero_ideal)


ORIGINAL = Convention(gain="linear", discount="log(rank)")
STANDARD = Convention(gain="linear", discount="log(rank+1)")
EXPONENTIAL = Convention(gain="exponential", discount="log(rank+1)")


def as_convention(convention: Any, measure: str = "nDCG") -> Convention:
    """The convention itself, or the one with the given name: a preset, or ORIGINAL, STANDARD or EXPONENTIAL.

    A preset may have another convention for one measure. A name that nothing has raises UnknownPresetError, which is a
    KeyError and a ValueError.

    >>> as_convention("scikit-learn").negative, as_convention("scikit-learn", "DCG").negative
    ('error', 'keep')
    >>> as_convention(10)
    Traceback (most recent call last):
        ...
    TypeError: convention: expected a Convention or the name of a preset, got 10
    """
    if isinstance(convention, Convention):
        return convention
    if not isinstance(convention, str):
        raise TypeError(f"convention: expected a Convention or the name of a preset, got {quoted(convention)}")
    from ndcg_ref.conventions.presets import NAMED, preset_of  # takes longer to load than the plain formulas

    chosen, preset = NAMED[convention], preset_of(convention)
    return chosen if preset is None else preset.convention_of(measure)
