"""The words that notes use for quantities, for what a list or a column holds, and around numbers, in any language.

No word stands here that no keyed note needs. Some patterns of other modules have English words of their own.
"""

from __future__ import annotations

import re
from functools import cache

# By what they say; a star stands for any ending
WORDS = {
    "pool": "collection, pool, judged, judgments, judgements, unretrieved, never retrieved, not retrieved, "
    "not returned, missed, misses, missing",
    "average precision": "average precision, average_precision, averageprecision, ap",
    "precision": "precision, prec",
    "recall": "recall",
    "reciprocal rank": "reciprocal rank, reciprocal_rank, reciprocalrank, recip_rank, rr",
    "expected reciprocal rank": "expected reciprocal rank, err",
    "rank-biased precision": "rank-biased precision, rank biased precision, rbp",
    "persistence": "p, persistence*, persistence parameter, θ",
    "mean average precision": "mean average precision, mean_average_precision, map",
    "mean reciprocal rank": "mean reciprocal rank, mean_reciprocal_rank, mrr",
    "at": "at",
    "cut": "cutoff*, cut-off*, depth, top, first, at rank, at position, after rank, to rank, up to rank",
    "and": "and, und, et, y, e",
    "ideal": "ideal*, perfect*, optimal*, best possible, best order, maxim*, sorted, descending, idéal*",
    "relevant": "relevant, ground truth, ground-truth, ground_truth, gold*, correct, actual, truth, positive*",
    "retrieved": "retriev*, ranked, ranking, predict*, result*, recommend*, returned, system, top",
    "count": "one, two, three, four, five, six, seven, eight, nine, ten",
    "yes": "yes, relevant, true, sí",
    "no": "no, not, not relevant, irrelevant, non-relevant, false",
    "supposed": "would be, would have, would give, would get, would write, would yield, would come, would then, "
    "should be, should have, could have, instead of, rather than, wrong*, incorrect*, mistake*, forgot*, forget*, "
    "hypothetical*",
    "what if": "what if, suppose, was wäre, et si, y si, e se",
    "link": "would, be, so, thus, hence, therefore, then, is, was, are, there, again, only, just, equal*, of, about, "
    "approximately, value, give*, score, the, a",
    "rank": "rank*, pos, position*, cutoff*, cut-off, i, k, @k, r, n, p, no, 排名, posición, posição",
    "id": "doc*, id, item*, result*, title*, query*, url*",
    "computed": "log*, discount*, cumul*, contrib*, weight*, term*, sum*, total*, prec*",
    "total": "sum, total, totals",
    "grade": "rel*, grade*, rating*, rated, score*, judg*, label*, gain*",
    "other": "p, r, f1, f-score, auc, hit rate, accuracy",
    "mean": "mean, average, averages, averaged, avg, mittel*, moyenne*, promedio*",
}
SIGNS = {  # besides words
    "yes": r"✓|✔️?|✅|☑️?|●|•|\\bullet",
    "no": r"✗|✘|❌|✖️?|×|[-–—]",
    "rank": r"#",
    "total": r"\\?(?:sum|Sigma)|[Σ∑]|n?i?dcg(?:@[0-9]+)?",
    "computed": r".*dcg|cg|.*/\s*(?:log|[0-9]|disc).*",
}
CLAUSE = re.compile(r"[;.!?]\s|\n\s*\n")  # between clauses
ENDS = r"(?![\w%]|[.,][0-9])"  # behind a number of which all digits were read, and which is no percentage


def words_for(kind: str, edge: str = r"(?<![^\W_])") -> str:
    """The words of one kind, in any language, as a pattern that begins with an edge.

    >>> re.findall(words_for("persistence"), "a persistence of 0.8 and p = 0.9")
    ['persistence', 'p']
    """
    found = [re.escape(word).replace(r"\*", r"\w*").replace(r"\ ", r"\s+") for word in WORDS[kind].split(", ")]
    longest = sorted(found, key=len, reverse=True)
    # A word of letters ends where letters end; Chinese has no blanks between words
    whole = [word if word.endswith("*") or not word[-1].isascii() else rf"{word}(?![^\W_])" for word in longest]
    return edge + f"(?:{'|'.join(whole)})"


@cache
def _pattern_for(kind: str) -> re.Pattern[str]:
    return re.compile(words_for(kind), re.IGNORECASE)


def says(kind: str, text: str) -> bool:
    """Whether a text has a word of one kind.

    >>> says("ideal", "the best order is"), says("ideal", "a ranking")
    (True, False)
    """
    return _pattern_for(kind).search(text) is not None


def is_word(kind: str, text: str) -> bool:
    """Whether a text is a word of one kind, and nothing else.

    >>> is_word("at", "at"), is_word("at", "at a")
    (True, False)
    """
    return _pattern_for(kind).fullmatch(text) is not None


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


# How notes write each quantity: the longest first, as the name of one holds that of another
QUANTITY_FORMS = {
    "NDCG": r"n[-_]?i?dcg|normali[sz]ed\s+(?:discounted|dcg)[\w ]*|归一化\w*|정규화\w*",
    "IDCG": r"i[-_ ]?dcg|dcg\W{0,3}(?:ideal|perfect|best|max)\w*"
    r"|(?:ideal\w{0,2}|perfect|best|max\w*)\W{1,3}(?:possible\s+)?(?:dcg|discounted\s+cumulative\s+gain)",
    "ICG": r"i[-_ ]?cg|ideal\W{1,3}(?:cg|cumulat\w+\s+gain)",
    "DCG": r"dcg|discounted\s+cumulat\w+\s+gain",
    "CG": r"cg|cumulat\w+\s+gain",
    "ERR": words_for("expected reciprocal rank"),
    "RBP": words_for("rank-biased precision"),
    "MAP": words_for("mean average precision"),
    "MRR": words_for("mean reciprocal rank"),
    "AP": words_for("average precision"),
    "RR": words_for("reciprocal rank"),
    "P": rf"{words_for('precision')}|p(?=\s?@|_\{{?[0-9])",
    "R": rf"{words_for('recall')}|r(?=\s?@)",
}
_OTHER = words_for("other", edge=r"(?<!\w)")
_NAMED = _compiled(
    "|".join(f"(?P<{name}>(?<![A-Za-z])(?:{form}))" for name, form in QUANTITY_FORMS.items()) + f"|(?P<other>{_OTHER})"
)
_SUB = r"\W?(?:@?[0-9]+\W?|_\W?\w{1,8}\W?)?"
_RATIO = re.compile(rf"(?<![A-Za-z])DCG{_SUB}\s*(?:[/÷]|\}}\s*\{{)[\s{{\\]*I-?DCG{_SUB}[\s}}]*$", re.IGNORECASE)
_OF_EACH = re.compile(r"_\W?[quij]\b")  # of each query or user, over which a formula takes the mean
_CUTOFF = _compiled(  # right behind the name of a measure
    rf"[\s`*]*(?P<sign>@|_cut[_.]|_\s*\{{?@?|[₀-₉]|\[|\(\s*(?:k\s*=\s*)?|\s{words_for('at')}\s+)\s*(?P<k>[0-9₀-₉]{{0,4}})"
)
_CUTOFF_IN_WORDS = _compiled(
    rf"(?:{words_for('cut')}|(?<!\w)k\s*=)[\s-]*(?:(?:k\s*=|of|at|the)\s*)*"
    rf"(?P<k>[0-9]{{1,3}}(?![0-9.])|(?!one\b){words_for('count')})"
)
# Where a sentence begins, or an item of a list
_SENTENCE = re.compile(r"(?:[.!?:]|\n[ \t]*\n|\n[ \t]*(?:[-*#>]|[0-9]+[.)]))\s+")
_LOW = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_MARKS = {
    grade: _compiled(rf"(?:{SIGNS[kind]}|{words_for(kind)})(?:\s*\(?(?:{SIGNS[kind]}|{words_for(kind)})\)?)?")
    for kind, grade in (("yes", 1.0), ("no", 0.0))
}
_TOTAL = _compiled(rf"(?:{SIGNS['total']}|{words_for('total')})\W*")
_COLUMNS = {  # the first that fits
    "rank": _compiled(rf"(?:{SIGNS['rank']}|{words_for('rank')})\.?"),
    "id": _compiled(rf".*{words_for('id')}.*"),
    "computed": _compiled(rf"(?:{SIGNS['computed']}|.*{words_for('computed')}).*|.*(?<![A-Za-z])cg.*"),
    "grade": _compiled(rf".*{words_for('grade')}.*"),
}


def count_of(word: str) -> int | None:
    """The number that a word or digits say.

    >>> count_of("three"), count_of("4"), count_of("few")
    (3, 4, None)
    """
    if word.isdecimal():
        return int(word)
    counts = WORDS["count"].split(", ")
    return 2 if word.lower() == "both" else counts.index(word.lower()) + 1 if word.lower() in counts else None


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
        if ratio := _RATIO.search(part):
            return "other" if _OF_EACH.search(ratio[0]) else "NDCG", None, False
        if says("mean", part[: last.start()] + part[last.end() :]):
            return "other", None, False
        cutoff = _CUTOFF.match(part, last.end())
        k, sure = None, False
        if cutoff:
            sign = cutoff["sign"]
            digits = cutoff["k"] if sign not in "₀₁₂₃₄₅₆₇₈₉" else sign + cutoff["k"]
            k = int(digits.translate(_LOW)) if digits else None
            sure = k is not None and sign.strip()[-1:] in ("@", "[")
        return last.lastgroup or "other", k or None, sure
    return None


def cutoff_before(text: str) -> int | None:
    """The cutoff that the sentence at the end of a text tells.

    >>> cutoff_before("At k = 2 the best is 5. The first three have")
    3
    """
    sentence = text[max((found.end() for found in _SENTENCE.finditer(text)), default=0) :]
    found = [each["k"] for each in _CUTOFF_IN_WORDS.finditer(sentence)]
    return count_of(found[-1]) if found else None


def mark_of(text: str) -> float | None:
    """The grade that a check mark or a word stands for.

    >>> mark_of("✓ Yes"), mark_of("no"), mark_of("maybe")
    (1.0, 0.0, None)
    """
    return next((grade for grade, marks in _MARKS.items() if marks.fullmatch(text.strip())), None)


def is_total(text: str) -> bool:
    r"""Whether the cell of a table says that its row adds up those above, or is their mean.

    >>> is_total("Total:"), is_total(r"\sum"), is_total("sum of B")
    (True, True, False)
    """
    return _TOTAL.fullmatch(text) is not None or is_word("mean", text)


def column_of(head: str) -> str | None:
    """What a column holds, by its heading: ranks, ids, grades, or something that is computed.

    >>> column_of("Rank"), column_of("Relevance"), column_of("DCG"), column_of("rel(i)/log(i+1)")
    ('rank', 'grade', 'computed', 'computed')
    """
    plain = re.sub(r"[*$`\\]|\(\s*\)", "", head).strip()
    return next((kind for kind, heads in _COLUMNS.items() if heads.fullmatch(plain)), None)
