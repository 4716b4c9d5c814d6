"""The spellings of measures that people know: `nDCG@10`, `ndcg_cut_10`, `NDCG:top=10;type=Exp`, `ndcg@10-`.

A spelling names a measure and its cutoff. A spelling that only one library has also names the convention of that
library; the others leave it open. Case does not matter.
"""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol, TypeAlias, runtime_checkable

from ndcg_ref.conventions.convention import Convention, as_convention
from ndcg_ref.conventions.presets import ABOUT, Preset, preset_of
from ndcg_ref.conventions.validation import quoted, shortened

MEASURES = ("nDCG", "DCG", "CG", "AP", "P", "RR", "Recall", "Success", "Rprec", "Judged", "ERR", "RBP")
OF_RELEVANT = ("AP", "P", "RR", "Recall", "Success", "Rprec", "RBP")  # which take rel=
DEFAULT = "trec_eval"  # the library meant by a spelling that leaves it open
PERSISTENCE = 0.8  # of RBP, if the spelling has none, as in ir_measures
HIGHEST = 4.0  # grade of the scale of ERR, if the spelling has none, as in gdeval

# The spellings and their meanings, by library, as `ndcg-ref measures` prints them
SPELLINGS = """\
any library
  nDCG@10                       the sum of the discounted gains, over that of the ideal
  DCG@10                        the sum of the discounted gains
  CG@10                         the sum of the grades
  AP@10, map@10                 the precision at each relevant document added up, over the number of all relevant ones
  P@10, precision@10            the number of relevant documents, over the cutoff
  RR@10, mrr@10                 1 over the rank of the first relevant document, 0 without one
  R@10, Recall@10               the number of relevant documents, over that of all relevant ones
  Success@10, hit_rate@10       1 if there is a relevant document, else 0; also hit@10
  Rprec, r-precision            P at the rank that is the number of all relevant documents
  Judged@10                     the share of the documents that somebody judged
  ERR@20                        expected reciprocal rank, on a scale up to grade 4
  ERR(max_rel=3)@20             the same on a scale up to grade 3
  RBP(p=0.8)                    rank-biased precision with that persistence, 0.8 if none is given
  P(rel=2)@10                   P where grade 2 or more is relevant, not 1 or more; not for nDCG, DCG, CG, Judged \
and ERR
trec_eval
  ndcg_cut_10, ndcg_cut.10      nDCG@10
  ndcg_cut.1,3,5                nDCG@1, nDCG@3 and nDCG@5; also for those below
  map_cut_10                    AP@10
  P_10                          P@10
  recip_rank                    RR
  recall_10, recall.10          Recall@10
  set_recall                    Recall
  success_10                    Success@10
ir_measures
  nDCG(dcg='log2')@10           nDCG@10
  nDCG(dcg='exp-log2')@10       nDCG@10 with exponential gain
  nDCG(gains={0:0,1:1,2:5})@10  nDCG@10 with these gains, any other grade being its own
ranx
  ndcg_burges@10                nDCG@10 with exponential gain
  dcg_burges@10                 DCG@10 with exponential gain
mteb
  ndcg_at_10                    nDCG@10; also for map, recall, precision, mrr and hit_rate
xgboost
  ndcg@10-                      nDCG@10 where a query without ideal gain counts 0
catboost
  NDCG:top=10                   nDCG@10; also for DCG
  NDCG:top=10;type=Exp          nDCG@10 with exponential gain; also for DCG
  NDCG:denominator=Position     nDCG with the rank as discount; also for DCG, and with type=Exp

Capitals do not matter. Without a cutoff, as in nDCG, every rank counts; P needs one, Rprec takes none."""
DISCOUNTED = ("nDCG", "DCG")  # measures that are made of gains and discounts
OF_DCG = ("gain", "discount", "base", "ideal", "ideal_order", "ideal_cut")  # the choices that others do not use
UNBOUNDED = ("DCG", "CG")  # measures that may be above 1
BY_RANK = ("AP", "RR", "Success", "ERR")  # measures that need a rank for each document


@runtime_checkable
class OfIrMeasures(Protocol):
    """A measure of ir_measures, such as ``ir_measures.nDCG @ 10``, which prints as its spelling."""

    @property
    def SUPPORTED_PARAMS(self) -> Any:
        """The parameters that it may have."""


Spelling: TypeAlias = str | OfIrMeasures
Spellings: TypeAlias = "Spelling | Iterable[Spelling | RequestedMeasure]"  # the latter for what was read before


class Measure(NamedTuple):
    """A measure, as read from its spelling.

    Parameters
    ----------
    name : str
        One of nDCG, DCG, CG, AP, P, RR, Recall, Success, Rprec, Judged, ERR and RBP.
    k : int or None
        The cutoff; None without one.
    rel : float
        The smallest grade that counts as relevant, for the measures that ask for relevant documents.
    preset : str or None
        The preset of the only library with this spelling; None if the spelling leaves the library open.
    text : str
        The spelling.
    parameter : float, OtherGains or None
        Of RBP the persistence, of ERR the highest grade of the scale, of nDCG the gains that are given; else None.

    Examples
    --------
    >>> parse("ndcg_cut_10").preset
    'trec_eval'
    """

    name: str
    k: int | None
    rel: float
    preset: str | None
    text: str
    parameter: Any = None


@dataclass(frozen=True)
class OtherGains:
    """The gain of each grade of a table; any other grade is its own gain, or 0 if it is negative, as in ir_measures.

    >>> gains = OtherGains(((1, 5),))
    >>> gains(1), gains(2), gains(-1), gains
    (5, 2, 0, gains={1:5})
    """

    table: tuple[tuple[int, int], ...]

    def __call__(self, grade: float) -> float:
        """The gain of a grade."""
        return dict(self.table).get(grade, max(grade, 0))  # type: ignore[call-overload, no-any-return]

    def __repr__(self) -> str:
        return f"gains={{{','.join(f'{grade}:{gain}' for grade, gain in self.table)}}}"


class RequestedMeasure(NamedTuple):
    """A measure, the convention to compute it with, and the preset of this convention, if one was named."""

    measure: Measure
    convention: Convention
    preset: Preset | None


_NAMES = {
    **{name.casefold(): name for name in MEASURES},
    **{"map": "AP", "precision": "P", "mrr": "RR", "recip_rank": "RR"},
    **{"r": "Recall", "set_recall": "Recall", "hit_rate": "Success", "hit": "Success", "r-precision": "Rprec"},
}
# Measures that others have, by their names in small letters without _ and -, and where they are
_ELSEWHERE = {
    **{"bpref": "as Bpref", "infap": "as infAP", "alphandcg": "as alpha_nDCG", "alphadcg": "as alpha_DCG"},
    **{"erria": "as ERR_IA", "nrbp": "as NRBP", "iprec": "as IPrec", "iprecatrecall": "as IPrec", "setf": "as SetF"},
    **{"sdcg": "as SDCG", "compat": "as Compat", "inst": "as INST", "bpm": "as BPM", "accuracy": "as Accuracy"},
    "infndcg": "the measure infAP beside it, and NIST's sample_eval.pl has this one",
    "rbo": "the measure Compat, which is made of it; RBO itself compares two rankings, without judgments",
}
_CUT = {"ndcg_cut": "nDCG", "map_cut": "AP", "p": "P", "recall": "Recall", "success": "Success"}  # name, cutoff
_K = r"0*(?P<k>[1-9][0-9]{0,17})"
_COMMON = re.compile(rf"(?P<name>[a-z_-]+)(?:\((?P<options>[^()]*)\))?(?:@{_K})?", re.IGNORECASE | re.ASCII)
_SEVERAL = re.compile(r"\s*(?P<name>[a-z_]+)[_.](?P<cutoffs>[0-9]+(?:,[0-9]+)+)\s*", re.IGNORECASE | re.ASCII)
_OF_ONE_PRESET = {
    "trec_eval": rf"(?P<name>ndcg_cut|map_cut|P|recall|success)[_.]{_K}",
    "mteb": rf"(?P<name>ndcg|map|recall|precision|mrr|hit_rate)_at_{_K}",
    "xgboost-minus": rf"(?P<name>ndcg)(?:@{_K})?-",
    "ranx-ndcg_burges": rf"(?P<name>n?dcg)_burges(?:@{_K})?",
}
_GAINS = re.compile(r"(?P<before>[^{}]*?),?\s*gains\s*=\s*\{(?P<table>[^{}]*)\}(?P<after>[^{}]*)", re.IGNORECASE)
_GAIN = re.compile(r"\s*([0-9]{1,9})\s*:\s*([0-9]{1,9})\s*", re.ASCII)
_PAIRS = re.compile(r"(?P<name>N?DCG):(?P<options>.+)", re.IGNORECASE | re.ASCII)
_OPTION = re.compile(r"""\s*(?P<key>[a-z_]+)\s*=\s*(?P<quote>['"]?)(?P<value>[\w.-]+)(?P=quote)\s*""", re.IGNORECASE)

# The presets that may be combined with a library's spelling, besides those of the library itself
_ALSO = {
    "trec_eval": ("pytrec_eval-terrier", "ir_measures"),
    "ir_measures-exp-log2": ("gdeval",),
    "xgboost-minus": ("xgboost-linear-minus",),
}


def parse(text: str) -> Measure:
    """Read the spelling of a measure.

    Parameters
    ----------
    text : str
        The spelling, such as ``nDCG@10``.

    Returns
    -------
    Measure
        The measure, its cutoff, and the preset of its library, if it belongs to one library.

    Raises
    ------
    ValueError
        If no measure has this spelling, or the measure needs a cutoff.
    TypeError
        If `text` is no text.

    Notes
    -----
    The spellings, by library::

        SPELLINGS

    A query without a relevant document has no AP, Recall, Rprec or ERR: the convention's ``zero_ideal`` is what it
    counts as, 0 for trec_eval. P, RR, Success and RBP are 0. Judged is nan for a query that retrieved nothing.

    ERR refuses a grade above the highest of its scale. Several cutoffs, as in ``ndcg_cut.1,3,5``, are one measure each:
    see `parse_all`.

    Examples
    --------
    >>> parse("nDCG@10")
    Measure(name='nDCG', k=10, rel=1.0, preset=None, text='nDCG@10', parameter=None)
    >>> parse("NDCG:top=5;type=Exp").preset
    'catboost-exp'
    """
    if not isinstance(text, str):
        raise TypeError(f"measures: expected the name of a measure as text, such as 'nDCG@10', got {quoted(text)}")
    spelled = text.strip()
    for preset, form in _OF_ONE_PRESET.items():
        if found := re.fullmatch(form, spelled, re.IGNORECASE | re.ASCII):
            return Measure((_NAMES | _CUT)[found["name"].casefold()], _cutoff(found), 1.0, preset, text)
    if found := _PAIRS.fullmatch(spelled):
        return _of_catboost(text, found)
    if found := _GAINS.fullmatch(spelled):
        return _with_gains(text, found)
    found = _COMMON.fullmatch(spelled)
    if found is None or found["name"].casefold() not in _NAMES:
        raise _unknown(text)
    return _of_any_library(text, found)


parse.__doc__ = (parse.__doc__ or "").replace("SPELLINGS", SPELLINGS.replace("\n", "\n        "))


def parse_all(spelling: Spelling) -> list[Measure]:
    """Read a spelling that may have several cutoffs, or a measure of ir_measures.

    Parameters
    ----------
    spelling : str or ir_measures.Measure
        The spelling, or an object of ir_measures, such as ``ir_measures.nDCG @ 10``, which is read as it prints.

    Returns
    -------
    list of Measure
        The measure, or one for each cutoff, spelled as trec_eval prints it.

    Raises
    ------
    ValueError
        If no measure has this spelling, or it needs a cutoff.
    TypeError
        If it is neither text nor a measure of ir_measures.

    Examples
    --------
    >>> [measure.text for measure in parse_all("ndcg_cut.1,3")]
    ['ndcg_cut_1', 'ndcg_cut_3']
    """
    text = str(spelling) if isinstance(spelling, OfIrMeasures) else spelling
    found = _SEVERAL.fullmatch(text) if isinstance(text, str) else None
    if found is None or found["name"].casefold() not in _CUT:
        return [parse(text)]
    return [parse(f"{found['name']}_{cutoff}") for cutoff in found["cutoffs"].split(",")]


def convention_of(measure: Measure, convention: Convention | str | None = None) -> Convention:
    """The convention to compute a measure with.

    Parameters
    ----------
    measure : Measure
        As `parse` gives it.
    convention : Convention or str, optional
        A convention, or the name of a preset. Without it, a spelling that belongs to one library means its convention,
        and any other spelling trec_eval's, except that fractional grades are refused, as no one asked to truncate them.

    Returns
    -------
    Convention
        The convention; of a preset, the one that it has for the measure.

    Raises
    ------
    ValueError
        If the spelling belongs to another library, or there is no preset of the name.
    TypeError
        If `convention` is neither.

    Examples
    --------
    >>> convention_of(parse("ndcg@10-")).zero_ideal
    0
    >>> convention_of(parse("RR@10"), "ir_measures").ties
    'id-ascending'
    >>> [convention_of(parse(spelling)).fractional for spelling in ("ndcg_cut_10", "nDCG@10")]
    ['truncate', 'error']
    >>> convention_of(parse("NDCG:type=Exp"), "catboost")
    Traceback (most recent call last):
        ...
    ValueError: measures: 'NDCG:type=Exp' is catboost-exp's spelling, got the convention catboost (spell it nDCG?)
    """
    by_default = convention is None and measure.preset is None
    if convention is None:
        convention = measure.preset or DEFAULT
    chosen = as_convention(convention)
    if measure.preset is not None and not _goes_with(measure.preset, convention):
        given = f"the convention {convention}" if isinstance(convention, str) else "another convention"
        raise ValueError(
            f"measures: {quoted(measure.text)} is {measure.preset}'s spelling, got {given} "
            f"(spell it {neutral(measure)}?)"
        )
    preset = preset_of(convention)
    if preset is not None:
        chosen = preset.convention_of(measure.name, measure.k)
    if isinstance(measure.parameter, OtherGains):  # which takes a negative grade before anything clamps it
        return replace(chosen, gain=measure.parameter, negative="keep")
    return replace(chosen, fractional="error") if by_default else chosen


def read_measures(measures: Spellings, convention: Convention | str | None = None) -> list[RequestedMeasure]:
    """Read the spellings of several measures, with a convention for all of them if one is given.

    Without it, an object of ir_measures means the convention of ir_measures. The spellings, none of which may be
    repeated, are those of `parse_all`, and the convention is that of `convention_of`. What was read is taken as it is.

    >>> [each.preset.name for each in read_measures(["nDCG@10", "ndcg@10-"])]
    ['trec_eval-10.0', 'xgboost-3.2.0-minus']
    """
    if isinstance(measures, str) or not isinstance(measures, Iterable):
        measures = [measures]
    listed: list[Any] = list(measures)
    if listed and isinstance(listed[0], RequestedMeasure):
        return listed
    spelled = [(spelling, measure) for spelling in listed for measure in parse_all(spelling)]
    if not spelled:
        raise ValueError("measures: expected at least one, such as 'nDCG@10', got none")
    texts = [measure.text for _, measure in spelled]
    if len(set(texts)) < len(texts):
        raise ValueError(f"measures: expected each once, got {shortened(', '.join(texts))}")
    requested = []
    for spelling, measure in spelled:
        meant = convention
        if meant is None and measure.preset is None and isinstance(spelling, OfIrMeasures):
            meant = "ir_measures-exp-log2" if measure.name == "ERR" else "ir_measures"  # which has the measure
        preset = preset_of(meant or measure.preset or DEFAULT)
        requested.append(RequestedMeasure(measure, convention_of(measure, meant), preset))
    return requested


def refuse_averaged(requested: list[RequestedMeasure]) -> None:
    """Refuse a measure that needs a rank for each document where the convention averages ties."""
    for measure, convention, _ in requested:
        if measure.name in BY_RANK and convention.ties == "average":
            raise ValueError(
                f"measures: {quoted(measure.text)} needs a rank for each document, which averaged ties do not give "
                '(choose an order, such as ties="id-descending")'
            )


def unused_by(measure: str) -> tuple[str, ...]:
    """The choices of a convention that a measure, as it is spelled, does not use.

    >>> unused_by("nDCG@10"), "gain" in unused_by("P@10")
    ((), True)
    """
    return () if parse(measure).name in DISCOUNTED else OF_DCG


def without_unused(measure: Measure, convention: Convention) -> Convention:
    """The convention with the defaults of the choices that a measure does not use.

    >>> without_unused(parse("P@10"), Convention(gain="exponential", zero_ideal=0))
    Convention(zero_ideal=0)
    """
    if measure.name in DISCOUNTED:
        return convention
    return replace(convention, **{choice: getattr(Convention, choice) for choice in OF_DCG})


def words_for(measure: str, convention: Convention) -> str:
    """The text of a convention without the choices that a measure does not use.

    >>> words_for("nDCG", Convention(zero_ideal=0)), words_for("P@10", Convention(zero_ideal=0))
    ('linear gain, log2(rank + 1), no relevant document counts 0', 'no relevant document counts 0')
    >>> words_for("P@10", Convention())
    'default choices'
    """
    words, unused = convention.in_words(), unused_by(measure)
    return ", ".join(words[choice] for choice in words if choice not in unused) or "default choices"


def neutral(measure: Measure) -> str:
    """The spelling that leaves the library open.

    >>> neutral(parse("map_cut_10"))
    'AP@10'
    >>> neutral(parse("P(rel=2)@5"))
    'P(rel=2)@5'
    >>> neutral(parse("RBP"))
    'RBP(p=0.8)'
    """
    options = []
    if measure.name == "RBP":
        options.append(f"p={measure.parameter:g}")
    if measure.name == "ERR" and measure.parameter != HIGHEST:
        options.append(f"max_rel={measure.parameter:g}")
    if measure.rel != 1:
        options.append(f"rel={measure.rel:g}")
    inside = f"({','.join(options)})" if options else ""
    return f"{measure.name}{inside}{'' if measure.k is None else f'@{measure.k}'}"


def at_level(requested: RequestedMeasure, rel: float) -> RequestedMeasure:
    """A measure where this grade or more is relevant, spelled with it; one that asks for no relevant document stays.

    >>> at_level(read_measures("P_10")[0], 2).measure.text, at_level(read_measures("nDCG@10")[0], 2).measure.text
    ('P(rel=2)@10', 'nDCG@10')
    """
    measure = requested.measure
    if measure.name not in OF_RELEVANT:
        return requested
    if measure.rel not in (1, rel):
        raise ValueError(f"measures: expected {quoted(measure.text)} without rel= beside the level {rel:g}")
    spelled = measure._replace(rel=rel)
    return requested._replace(measure=spelled._replace(text=neutral(spelled) if rel != 1 else measure.text))


def _goes_with(spelled: str, convention: Convention | str) -> bool:
    """Whether a convention is one of a library with this spelling, in any version; `missing` may differ."""
    names = (spelled, *_ALSO.get(spelled, ()))
    ours = [(name, preset) for name, preset in ABOUT.items() if preset.alias in names]
    if isinstance(convention, str):
        return convention in names or convention in [name for name, _ in ours]
    return any(replace(convention, missing=each.convention.missing) == each.convention for _, each in ours)


def _cutoff(matched: re.Match[str]) -> int | None:
    return int(matched["k"]) if matched["k"] else None


def _options(text: str, options: str | None, separator: str) -> list[tuple[str, str]]:
    """The pairs of key and value, none repeated."""
    pairs: list[tuple[str, str]] = []
    for option in (options or "").split(separator) if (options or "").strip() else []:
        found = _OPTION.fullmatch(option)
        if found is None or found["key"] in [key for key, _ in pairs]:
            raise ValueError(
                f"measures: expected each option once, as key=value, got {quoted(option)} in {quoted(text)}"
            )
        pairs.append((found["key"], found["value"]))
    return pairs


def _number(text: str, value: str, wanted: str, below: float = math.inf) -> float:
    """An option that is a number above 0, and below a limit, written without an exponent."""
    if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", value) or not 0 < float(value) < below:
        raise ValueError(f"measures: expected {wanted}, got {quoted(text)}")
    return float(value)


def _of_any_library(text: str, matched: re.Match[str]) -> Measure:
    """A spelling of many libraries, or ir_measures' with a gain: `nDCG@10`, `P(rel=2)@5`, `nDCG(dcg='exp-log2')`."""
    spelled = matched["name"].casefold()
    name, k, rel = _NAMES[spelled], _cutoff(matched), 1.0
    preset = "trec_eval" if spelled in ("recip_rank", "set_recall") else None
    parameter = {"RBP": PERSISTENCE, "ERR": HIGHEST}.get(name)
    for key, value in _options(text, matched["options"], ","):
        match key:
            case "rel" if name in OF_RELEVANT:
                rel = _number(text, value, "the smallest relevant grade, above 0, behind rel=")
            case "p" if name == "RBP":
                parameter = _number(text, value, "a persistence between 0 and 1 behind p=", below=1)
            case "max_rel" if name == "ERR":
                wanted = "the highest grade of the scale, above 0 and below 1024, behind max_rel="
                parameter = _number(text, value, wanted, below=1024)  # 2 to that power overflows
            case "dcg" if name == "nDCG" and value in ("log2", "exp-log2"):
                preset = "ir_measures" if value == "log2" else "ir_measures-exp-log2"
            case _:
                raise _unknown_option(text, f"{key}={value}")
    if name == "P" and k is None:
        raise ValueError(f"measures: expected a cutoff for precision, such as P@10, got {quoted(text)}")
    if name == "Rprec" and k is not None:
        raise ValueError(
            f"measures: expected no cutoff for R-precision, whose rank is the number of relevant documents, got "
            f"{quoted(text)} (P@{k}?)"
        )
    return Measure(name, k, rel, preset, text, parameter)


def _with_gains(text: str, matched: re.Match[str]) -> Measure:
    """Gains of ir_measures: `nDCG(gains={0:0,1:1})@10`."""
    measure = parse(f"{matched['before']}{matched['after']}".replace("(,", "(").replace("()", ""))
    if measure.name != "nDCG" or measure.preset not in (None, "ir_measures"):
        raise _unknown_option(text, "gains={…}")
    table: list[tuple[int, int]] = []
    for pair in matched["table"].split(",") if matched["table"].strip() else []:
        numbers = _GAIN.fullmatch(pair)
        if numbers is None or int(numbers[1]) in dict(table):
            raise ValueError(
                "measures: expected each grade once with its gain, whole numbers of 0 or more, as in gains={0:0,1:5}, "
                f"got {quoted(pair)} in {quoted(text)}"
            )
        table.append((int(numbers[1]), int(numbers[2])))
    return measure._replace(preset="ir_measures", text=text, parameter=OtherGains(tuple(sorted(table))))


def _unknown_option(text: str, option: str) -> ValueError:
    return ValueError(
        f"measures: expected rel=2 for {', '.join(OF_RELEVANT[:-1])} and {OF_RELEVANT[-1]}, p=0.8 for RBP, max_rel=4 "
        f"for ERR, or dcg='exp-log2' or gains={{1:5}} for nDCG, got {shortened(option)} in {quoted(text)} "
        "(a gain of your own goes into a Convention)"
    )


def _of_catboost(text: str, matched: re.Match[str]) -> Measure:
    """CatBoost's spelling: `NDCG:top=10;type=Exp;denominator=Position`."""
    choices = {"top": "-1", "type": "Base", "denominator": "LogPosition"}
    for key, value in _options(text, matched["options"], ";"):
        if key not in choices:
            raise ValueError(
                "measures: expected top, type or denominator, as CatBoost has them, "
                f"got {quoted(key)} in {quoted(text)}"
            )
        choices[key] = value
    types, denominators = {"Base": "", "Exp": "-exp"}, {"LogPosition": "", "Position": "-position"}
    if choices["type"] not in types or choices["denominator"] not in denominators:
        raise ValueError(
            f"measures: expected type Base or Exp, and denominator LogPosition or Position, got {quoted(text)}"
        )
    preset = f"catboost{types[choices['type']]}{denominators[choices['denominator']]}"
    if not re.fullmatch("-1|0*[1-9][0-9]{0,17}", choices["top"]):
        raise ValueError(f"measures: expected a cutoff of at least 1 behind top=, got {quoted(text)}")
    k = None if choices["top"] == "-1" else int(choices["top"])
    return Measure({"ndcg": "nDCG", "dcg": "DCG"}[matched["name"].casefold()], k, 1.0, preset, text)


def _unknown(text: str) -> ValueError:
    name = re.split("[@:(]", text.strip())[0].casefold()
    known = f"{', '.join(MEASURES[:-1])} and {MEASURES[-1]} are known"
    near = _near(name)
    hint = f"did you mean {' or '.join(near)}? {known}" if near else known
    if elsewhere := _ELSEWHERE.get(re.sub("[_-]", "", name.replace("\N{GREEK SMALL LETTER ALPHA}", "alpha"))):
        found = "it" if elsewhere.startswith("as ") else ""
        hint = f"not offered here; ir_measures has {found}{', ' if found else ''}{elsewhere}"
    elif name == "hits":
        hint = "hit@10, whether there is a relevant document? the count of ranx is not offered here"
    elif "," in text:
        hint = "one measure at a time, as in nDCG@5 nDCG@10?"
    elif name in _NAMES:
        limit = "has at most 18 digits" if re.search("@[0-9]{19}", text) else "is a whole number of at least 1"
        hint = f"a cutoff {limit}, as in {_NAMES[name]}@10"
    return ValueError(f"measures: expected a measure such as nDCG@10, got {quoted(text)} ({hint})")


def _near(name: str) -> list[str]:
    """The known names of which a name may be a misspelling.

    ERR is a measure of its own, though it looks like RR: of names with up to three letters, only those with the same
    letters are suggested.
    """
    from difflib import get_close_matches  # takes longer to load than this module

    known = {**_NAMES, **{each: each for each in ("ndcg_cut_10", "map_cut_10", "P_10", "ndcg_burges")}}
    same_letters = [each for each in known if sorted(each) == sorted(name)]
    close = get_close_matches(name, known, 3, 0.75) if len(name) > 3 else []
    return list(dict.fromkeys(known[each] for each in [*same_letters, *close]))
