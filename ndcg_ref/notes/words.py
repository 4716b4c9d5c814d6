"""The words that notes use for quantities, for what a list or a column holds, and around numbers, in any language."""

from __future__ import annotations

import re

from ndcg_ref.notes.languages import LANGUAGES, SIGNS
from ndcg_ref.notes.patterns import lazy_pattern


def _words(kind: str, edge: str = r"(?<![^\W_])") -> str:
    """The words of one kind in all languages, as a pattern."""
    words = [word for table in LANGUAGES.values() for word in table.get(kind, "").split(", ") if word]
    found = [re.escape(word).replace(r"\*", r"\w*").replace(r"\ ", r"\s+") for word in words]
    longest = sorted(dict.fromkeys(found), key=len, reverse=True)
    # A word of letters ends where letters end; Chinese has no blanks between words
    whole = [word if word.endswith("*") or not word[-1].isascii() else rf"{word}(?![^\W_])" for word in longest]
    return edge + f"(?:{'|'.join(whole)})"


def _compiled(pattern: str) -> re.Pattern[str]:
    return lazy_pattern(pattern, re.IGNORECASE)


def says_and() -> str:
    """The words before the last item of a list, as a pattern.

    >>> re.sub(says_and(), "&", "3, 2 y 0")
    '3, 2 & 0'
    """
    return f"(?:{'|'.join(table['and'] for table in LANGUAGES.values())})"


def says(kind: str) -> str:
    """The words of one kind in all languages, as a pattern.

    >>> re.findall(says("persistence"), "a persistence of 0.8 and p = 0.9")
    ['persistence', 'p']
    """
    return _words(kind)


# Longest first, as the name of one holds that of another
QUANTITIES: dict[str, str] = {
    "NDCG": r"n[-_]?i?dcg|normali[sz]ed\s+(?:discounted|dcg)[\w ]*|归一化\w*|정규화\w*",
    "IDCG": r"i[-_ ]?dcg|dcg\W{0,3}(?:(?:of|for)\s+(?:the\s+|an\s+)?)?\(?_?\{?(?:ideal|perfect|best|max|opt)\w*"
    r"|(?:ideal|perfect|best|max\w*|optimal)\W{1,3}(?:possible\s+)?(?:dcg|discounted\s+cumulative\s+gain)"
    r"|dcg\s+(?:lý tưởng|idéale?|ideale)",
    "ICG": r"i[-_ ]?cg|ideal\W{1,3}(?:cg|cumulat\w+\s+gain)",
    "DCG": r"dcg|discounted\s+cumulat\w+\s+gain",
    "CG": r"cg|cumulat\w+\s+gain",
}
# Of relevant documents, whatever their grades, and of users who stop; the longest names first
SETS = {
    "ERR": _words("expected reciprocal rank"),
    "RBP": _words("rank-biased precision"),
    "MAP": _words("mean average precision"),
    "MRR": _words("mean reciprocal rank"),
    "AP": _words("average precision"),
    "RR": _words("reciprocal rank"),
    "P": rf"{_words('precision')}|p(?=\s?@|_\{{?[0-9])",
    "R": rf"{_words('recall')}|r(?=\s?@)",
}
_OTHERS = _words("other", edge=r"(?<!\w)")
_NAMED = _compiled(
    "|".join(f"(?P<{name}>(?<![A-Za-z])(?:{form}))" for name, form in (QUANTITIES | SETS).items())
    + f"|(?P<other>{_OTHERS})"
)
_RATIO = lazy_pattern(r"(?<![A-Za-z])DCG\W?(?:@?[0-9]+\W?)?\s*[/÷]\s*\\?I-?DCG\W?(?:@?[0-9]+\W?)?\s*$", re.IGNORECASE)
_NAMES = _compiled(_words("named"))
_AT = _compiled(_words("at"))
_ABOVE = r"(?:\^\s*(?:[A-Z]|[{(]{1,2}\s*\w{1,12}\s*[)}]{1,2})\s*)?"  # the name of a ranking, as in DCG^A_3
_CUTOFF = _compiled(
    rf"[\s`*]*{_ABOVE}(?P<sign>@|_\s*\{{?@?|[₀-₉]|\[|\(\s*(?:k\s*=\s*)?|\s{_words('at')}\s+)\s*(?P<k>[0-9₀-₉]{{0,4}})"
)
_CUT = _compiled(
    rf"(?:{_words('cut')}|(?<!\w)k\s*=)[\s-]*(?:(?:k\s*=|of|at|the)\s*)*(?P<k>[0-9]{{1,3}}(?![0-9.])|{_words('count')})"
)
# Where a sentence begins, or an item of a list
_SENTENCE = lazy_pattern(r"(?:[.!?:]|\n[ \t]*\n|\n[ \t]*(?:[-*#>]|[0-9]+[.)]))\s+")
_HEADING = lazy_pattern(r"(?:^|\n)(?:[ \t]*#+[^\n]*|[^\n]*:[ \t*]*)(?=\n)")
_LOW = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")

_IDEAL, _SUPPOSED, _MEAN, _CHANGE, _VARIANT = (
    _compiled(_words(kind)) for kind in ("ideal", "supposed", "mean", "change", "variant")
)
_OF_RANKINGS = _compiled(rf"{_words('averaged')}|ndcg")
_MORE = lazy_pattern(
    r"\b(?:more|less|higher|lower|better|worse|points?|mehr|weniger|plus|moins|más|menos)\b", re.IGNORECASE
)
_GRADES, _POOL = (_compiled(_words(kind)) for kind in ("grade", "pool"))
_RELEVANCE = {"relevant": _compiled(_words("relevant")), "retrieved": _compiled(_words("retrieved"))}
_MARKS = {
    grade: _compiled(rf"(?:{SIGNS[kind]}|{_words(kind)})(?:\s*\(?(?:{SIGNS[kind]}|{_words(kind)})\)?)?")
    for kind, grade in (("yes", 1.0), ("no", 0.0))
}
_TOTAL = _compiled(rf"(?:{SIGNS['total']}|{_words('total')})\W*")
_COLUMNS = {  # the first that fits
    "rank": _compiled(rf"(?:{SIGNS['rank']}|{_words('rank')})\.?"),
    "id": _compiled(rf".*{_words('id')}.*"),
    "computed": _compiled(rf"(?:{SIGNS['computed']}|.*{_words('computed')}).*|.*(?<![A-Za-z])cg.*"),
    "grade": _compiled(rf".*{_words('grade')}.*"),
}

_POWER = lazy_pattern(r"2\s*(?:\^|\*\*|[ʳᵍ])|2<sup>")
CALL = _compiled(
    r"(?<![\w.])(?P<name>[\w.]{0,60}?(?:dcg|precision|recall|reciprocal_rank|rbp|err|(?<![A-Za-z])(?:ap|rr))(?![a-z])\w{0,40})"
    r"\s*\(\s*(?:\[(?P<nested>\[)?(?P<grades>[^\[\]()]{3,400})\](?(nested)\])|(?P<variable>[a-z_]\w{0,30}))\s*"
    r"(?:,(?P<options>(?:[^()\[\]\n]|\[{1,2}[^\[\]()]{3,400}\]{1,2}){1,120}))?\)"
)
ASSIGNED = _compiled(
    r"(?<![\w.])(?P<name>[a-z_]\w{0,30})\s*=\s*\[(?P<grades>[0-9.,\s]{3,400})\]"
    r"|(?<=\n)[ \t]*(?:for\s)?(?P<changed>[a-z_]\w{0,30})\s*(?:=(?!=)|in\s)"
)
_CALLED = {
    "NDCG": "ndcg",
    "IDCG": "idcg|ideal_dcg",
    "DCG": "dcg",
    "AP": "average_precision|(?<![a-z])ap",
    "P": "precision",
    "R": "recall",
    "RR": "reciprocal_rank|(?<![a-z])rr",
    "RBP": "rbp|rank_biased",
    "ERR": "(?<![a-z])err|expected_reciprocal",
}
_PERCENT = r"(?P<percent>[0-9]{1,3}(?:[.,][0-9]{1,4})?)(?P<sign>\s*\\?%)"
_BLANKS = r"[\s*_`]*+"
# The same number again as a percentage, right behind it, and a share of whole numbers
RESTATED = _compiled(
    rf"{_BLANKS}(?:[.,;:(]|{_words('restates')}){_BLANKS}(?:{_words('restates')}{_BLANKS}[:,]?{_BLANKS}){{0,3}}{_PERCENT}"
)
SHARE = _compiled(
    rf"(?<![\w.,])(?P<some>[0-9]{{1,4}})\s{_words('of')}\s(?P<all>[1-9][0-9]{{0,3}})\s*[,;(:]\s*"
    rf"(?:{_words('restates')}\s+){{0,2}}{_PERCENT}"
)
RESULT = _compiled(r"(?:expected|output|result|returns?|prints?|→|=>|->|⇒|>>>|=|:)\W*$")
MEAN_STATED = _compiled(
    rf"(?P<words>{_words('mean')}[^.\[\]|]{{0,120}}?)[\s:=≈*`$]*+"
    rf"(?:(?P<number>[01]\.[0-9]{{2,6}})(?![\w%]|[.,][0-9]|\s*[+/*×±\\%])|{_PERCENT})"
)
MEAN_PRINTED = lazy_pattern(  # by a line of code
    r"^(?P<words>[^\n#]{0,80}\bmean\b[^\n]{0,80})\n\s*(?P<number>[01]\.[0-9]{2,17})(?P<percent>(?!))?[ \t]*$",
    re.MULTILINE | re.IGNORECASE,
)
MEANS_PRINTED = lazy_pattern(  # the same of a data frame, a line for each column
    r"\bmean\([^\n]{0,80}\n\s*(?P<lines>(?:^\w{1,30}[ \t]+[01]\.[0-9]{2,17}[ \t]*\n){2,20})", re.MULTILINE
)
BARE = _compiled(
    rf"(?P<label>(?<![^\W_])(?:{'|'.join((QUANTITIES | SETS).values())}|(?:ideal|perfect)(?:\s+(?:one|value|sum))?)"
    rf"(?:\s*@\s*[0-9]+|_\{{?[0-9]+\}}?|\s{_words('at')}\s+[0-9]+)?)"
    # Blanks are never given back: tags leave hundreds of them
    rf"[\s*:\uff1a`$~≈|]++(?:{_words('link')}[\s*:\uff1a`$~≈|]++){{0,5}}(?:{_words('link')})?"
    r"(?P<number>[0-9]{1,3}\.[0-9]{1,17})(?![\w%]|[.,][0-9])"
)


def named_rankings() -> str:
    """The words before the name of one of several rankings, as a pattern for either case."""
    return f"(?i:{_words('named')})"


def says_count() -> str:
    """The words for small numbers, as a pattern; in Chinese other words may stand right before them."""
    return _words("count", edge=r"(?<![A-Za-z])")


def count_of(word: str) -> int | None:
    """The number that a word or digits say.

    >>> count_of("three"), count_of("zwei"), count_of("4"), count_of("few")
    (3, 2, 4, None)
    """
    if word.isdecimal():
        return int(word)
    if any(word.lower() in table.get("both", "").split(", ") for table in LANGUAGES.values()):
        return 2
    rows = (table.get("count", "").split(", ") for table in LANGUAGES.values())
    return next((row.index(word.lower()) + 1 for row in rows if word.lower() in row), None)


def quantity_called(name: str) -> str | None:
    """The quantity that a function computes, by its name; None for a mean over several rankings.

    >>> quantity_called("ndcg_at_k"), quantity_called("average_precision"), quantity_called("mean_reciprocal_rank")
    ('NDCG', 'AP', None)
    """
    lower = name.lower()
    if lower.startswith(("mean", "error", "pooled")):
        return None
    return next((quantity for quantity, form in _CALLED.items() if re.search(form, lower)), None)


def is_at(word: str) -> bool:
    """Whether a word leads from the name of a measure to its cutoff.

    >>> is_at("at"), is_at("of")
    (True, False)
    """
    return _AT.fullmatch(word) is not None


def is_named(word: str) -> bool:
    """Whether a word stands before the name of one of several rankings.

    >>> is_named("query"), is_named("DCG")
    (True, False)
    """
    return _NAMES.fullmatch(word) is not None


def quantity_of(label: str) -> tuple[str, int | None, bool] | None:
    """The quantity that a label names, its cutoff, and whether that is written with @ or in words.

    A label may hold several; the one that is defined stands first before `=`, and last in its sentence.

    >>> quantity_of("so the DCG@3"), quantity_of("Ideal DCG:"), quantity_of("NDCG = DCG/IDCG")
    (('DCG', 3, True), ('IDCG', None, False), ('NDCG', None, False))
    >>> quantity_of("the year")
    """
    for part in re.split(r"[=≈]", label):
        found = list(_NAMED.finditer(part))
        if not found:
            continue
        last = found[-1]
        if _RATIO.search(part):
            return "NDCG", None, False
        if _MEAN.search(part[: last.start()] + part[last.end() :]) or _CHANGE.search(part):
            return "other", None, False
        cutoff = _CUTOFF.match(part, last.end())
        k, sure = None, False
        if cutoff:
            sign = cutoff["sign"]
            digits = cutoff["k"] if sign not in "₀₁₂₃₄₅₆₇₈₉" else sign + cutoff["k"]
            k = int(digits.translate(_LOW)) if digits else None
            sure = k is not None and (sign.strip()[-1:] in ("@", "[") or _AT.search(sign) is not None)
        return last.lastgroup or "other", k or None, sure
    return None


def cutoff_before(text: str) -> int | None:
    r"""The cutoff that the sentence at the end of a text tells, or else the heading above it.

    >>> cutoff_before("At k = 2 the best is 5. The first three have"), cutoff_before("## Top 5\n\nThe sum is")
    (3, 5)
    """
    sentence = text[max((found.end() for found in _SENTENCE.finditer(text)), default=0) :]
    headings = [found[0] for found in _HEADING.finditer(text)]
    for part in (sentence, *headings[-1:]):
        found = [each["k"] for each in _CUT.finditer(part)]
        if found:
            return count_of(found[-1])
    return None


def says_ideal(text: str) -> bool:
    """Whether words say that the order is the best one.

    >>> says_ideal("the ideal ranking is"), says_ideal("a ranking")
    (True, False)
    """
    return _IDEAL.search(text) is not None


def says_grades(text: str) -> bool:
    """Whether words announce grades or a ranking.

    >>> says_grades("with the labels"), says_grades("pages")
    (True, False)
    """
    return any(words.search(text) for words in (_GRADES, _IDEAL, _RELEVANCE["retrieved"]))


def measures_named(text: str) -> tuple[str, ...]:
    """Those of ERR and RBP that a text names.

    >>> measures_named("the expected reciprocal rank"), measures_named("DCG")
    (('ERR',), ())
    """
    return tuple(name for name in ("ERR", "RBP") if re.search(rf"(?:{SETS[name]})(?![A-Za-z])", text, re.IGNORECASE))


def says_pool(text: str) -> bool:
    """Whether words tell of judged documents that the ranking does not hold.

    >>> says_pool("4 relevant documents in the collection"), says_pool("a ranking")
    (True, False)
    """
    return _POOL.search(text) is not None


def says_of_rankings(words: str) -> bool:
    """Whether words tell of queries or systems, or name NDCG.

    >>> says_of_rankings("over the two queries"), says_of_rankings("of both assessors")
    (True, False)
    """
    return _OF_RANKINGS.search(words) is not None


def quantity_averaged(words: str) -> str | None:
    """The quantity of which words tell the mean; NDCG where they name none.

    >>> [quantity_averaged(words) for words in ("the mean of both", "mean RR", "average precision")]
    ['NDCG', 'RR', None]
    """
    if _NAMED.search(words) and quantity_of(words) not in (None, ("other", None, False)):
        return None  # a name such as average precision, of one query
    named = quantity_of(without_mean(words))
    return named[0] if named else "NDCG"


def without_mean(words: str) -> str:
    """Words without those for a mean.

    >>> without_mean("the average NDCG@3")
    'the   NDCG@3'
    """
    return _MEAN.sub(" ", words)


def says_change(text: str) -> bool:
    """Whether words tell by how much something changes.

    >>> says_change("more than before"), says_change("of the ideal")
    (True, False)
    """
    return _CHANGE.search(text) is not None or _MORE.search(text) is not None


def says_supposed(text: str) -> bool:
    """Whether words say that a number is not the note's own: what would be, or what somebody got wrong.

    >>> says_supposed("if it were sorted, the NDCG would be"), says_supposed("so NDCG")
    (True, False)
    """
    return _SUPPOSED.search(text) is not None


def says_variant(text: str) -> bool:
    """Whether words go over to another convention.

    >>> says_variant("With the newer discount, DCG"), says_variant("The DCG")
    (True, False)
    """
    return _VARIANT.search(text) is not None


def says_relevance(words: str) -> str | None:
    """Whether words announce the relevant documents, or the retrieved ones: the last of them counts.

    >>> says_relevance("retrieved = "), says_relevance("the relevant ones are")
    ('retrieved', 'relevant')
    """
    ends = {kind: [found.end() for found in own.finditer(words)] for kind, own in _RELEVANCE.items()}
    return max((kind for kind in ends if ends[kind]), key=lambda kind: ends[kind][-1], default=None)


def mark_of(text: str) -> float | None:
    """The grade that a check mark or a word stands for.

    >>> mark_of("✓ Yes"), mark_of("no"), mark_of("maybe")
    (1.0, 0.0, None)
    """
    return next((grade for grade, marks in _MARKS.items() if marks.fullmatch(text.strip())), None)


def says_total(text: str) -> bool:
    r"""Whether the cell of a table says that its row adds up those above, or is their mean.

    >>> says_total("Total:"), says_total(r"\sum"), says_total("sum of B")
    (True, True, False)
    """
    return _TOTAL.fullmatch(text) is not None or _MEAN.fullmatch(text) is not None


def says_mean(text: str) -> bool:
    """Whether words tell of a mean.

    >>> says_mean("average"), says_mean("sum")
    (True, False)
    """
    return _MEAN.search(text) is not None


def column_of(head: str) -> str | None:
    """What a column holds, by its heading: ranks, ids, grades, or something that is computed.

    >>> column_of("Rank"), column_of("Relevance"), column_of("DCG"), column_of("rel(i)/log(i+1)")
    ('rank', 'grade', 'computed', 'computed')
    """
    plain = re.sub(r"[*$`\\]|\(\s*\)", "", head).strip()
    if _POWER.search(plain):
        return "computed"
    return next((kind for kind, heads in _COLUMNS.items() if heads.fullmatch(plain)), None)
