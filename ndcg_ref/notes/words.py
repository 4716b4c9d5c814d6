"""The words that notes use for quantities, for what a list or a column holds, and around numbers, by language.

A further language is one more row of `LANGUAGES`; nothing else knows any words. A star stands for any ending.
"""

from __future__ import annotations

import re

from ndcg_ref.notes.patterns import lazy_pattern

LANGUAGES: dict[str, dict[str, str]] = {
    "English": {
        "pool": "collection, pool, unretrieved, never retrieved, not retrieved, not returned, missed, misses, missing",
        "average precision": "average precision, average_precision, averageprecision, ap",
        "precision": "precision, prec",
        "recall": "recall",
        "reciprocal rank": "reciprocal rank, reciprocal_rank, reciprocalrank, rr",
        "expected reciprocal rank": "expected reciprocal rank, err",
        "rank-biased precision": "rank-biased precision, rank biased precision, rbp",
        "persistence": "p, persistence*, persistence parameter, θ",
        "highest": "max*, highest, largest, top",
        "mean average precision": "mean average precision, mean_average_precision, map",
        "mean reciprocal rank": "mean reciprocal rank, mean_reciprocal_rank, mrr",
        "at": "at",
        "change": "grow*, increas*, decreas*, differ*, improve*, drop*, rise*, falls",
        "and": "and",
        "ideal": "ideal*, perfect*, optimal*, best possible, best order, maxim*, sorted, descending",
        "relevant": "relevant, ground truth, ground-truth, ground_truth, gold*, correct, actual, truth, positive*",
        "retrieved": "retriev*, ranked, ranking, predict*, result*, recommend*, returned, system, top",
        "named": "query, system, run, ranking, user, model",
        "restates": "so, or, i.e., that is, thus, in percent, about, roughly, almost, nearly, approximately, an, a",
        "of": "of, out of",
        "averaged": "quer*, system*, topic*, rankings",
        "both": "both",
        "count": "one, two, three, four, five, six, seven, eight, nine, ten",
        "yes": "yes, relevant, true",
        "no": "no, not, not relevant, irrelevant, non-relevant, false",
        "supposed": "would, should be, should have, could have, instead of, rather than, wrong*, incorrect*, mistake*, "
        "forgot*, forget*, hypothetical*",
        "link": "is, was, are, equal*, of, about, approximately, value, give*, score, the, a",
        "rank": "rank*, pos, position*, cutoff*, cut-off, i, k, @k, r, n, p, no",
        "id": "doc*, id, item*, result*, title*, query*, url*",
        "computed": "log*, discount*, cumul*, contrib*, weight*, term*, sum*, total*, prec*",
        "grade": "rel*, grade*, rating*, rated, score*, judg*, label*, gain*",
        "other": "p, r, f1, f-score, auc, hit rate, accuracy",
        "mean": "mean, average, avg",
    },
    "Chinese": {
        "pool": "未检索, 全部, 共有",
        "precision": "准确率, 精确率, 查准率",
        "recall": "召回率, 查全率",
        "average precision": "平均精度, 平均准确率, 平均精确率",
        "reciprocal rank": "倒数排名",
        "mean reciprocal rank": "平均倒数排名",
        "change": "差, 增加",
        "and": "和",
        "mean": "平均",
        "ideal": "理想, 最优, 最佳, 降序",
        "relevant": "相关",
        "retrieved": "检索, 推荐",
        "averaged": "查询, 系统",
        "named": "查询, 系统",
        "restates": "即, 约, 也就是",
        "count": "一个, 两个, 三个, 四个, 五个, 六个",
        "yes": "是, 相关",
        "no": "否, 不相关",
        "supposed": "如果, 错误, 误",
        "link": "为, 是",
        "rank": "排名, 位置",
        "id": "文档, 文檔",
        "computed": "折, 贡献",
        "grade": "相关, 相關, 关联",
    },
    "Vietnamese": {
        "pool": "tổng cộng có",
        "precision": "độ chính xác",
        "recall": "độ phủ, độ bao phủ",
        "and": "và",
        "mean": "trung bình",
        "ideal": "lý tưởng, tối ưu, giảm dần",
        "relevant": "liên quan",
        "retrieved": "kết quả",
        "yes": "có",
        "no": "không",
        "supposed": "sẽ, sai",
        "link": "là, bằng",
        "rank": "vị trí, hạng",
        "id": "tài liệu",
        "computed": "lũy, đóng góp",
        "grade": "điểm, liên quan",
    },
    "Russian": {
        "pool": "всего",
        "precision": "точность",
        "recall": "полнота",
        "average precision": "средняя точность",
        "reciprocal rank": "обратный ранг",
        "at": "на",
        "change": "разниц*, вырос*",
        "and": "и",
        "mean": "средн*",
        "ideal": "идеальн*, сортир*, убыв*",
        "relevant": "релевант*",
        "yes": "да",
        "no": "нет",
        "supposed": "неверн*, было бы",
        "link": "равен, равно",
        "rank": "ранг, позиция",
        "grade": "релевант*",
    },
    "German": {
        "pool": "insgesamt, nicht gefunden*",
        "precision": "präzision*, genauigkeit",
        "recall": "ausbeute, trefferquote",
        "average precision": "durchschnittliche präzision, mittlere präzision",
        "expected reciprocal rank": "erwarteter reziproker rang",
        "computed": "diskont*, abgezinst*, beitrag*, summe*",
        "persistence": "persistenz",
        "highest": "höchst*",
        "reciprocal rank": "reziproker rang, reziproke rang, kehrwert des rangs",
        "at": "bei, auf",
        "change": "wächst, steigt, sinkt, differenz*, unterschied*",
        "and": "und",
        "mean": "mittel*, durchschnitt*",
        "ideal": "ideal*, perfekt*, absteigend*, sortiert*",
        "named": "anfrage, system",
        "restates": "also, d. h., d.h., das sind, in prozent, rund, etwa, ca.",
        "of": "von",
        "averaged": "anfrage*, suchanfrage*, system*",
        "both": "beide, beiden",
        "count": "eine, zwei, drei, vier, fünf, sechs, sieben, acht",
        "yes": "ja",
        "no": "nein",
        "supposed": "wäre, würde, falsch*",
        "link": "ist, beträgt",
        "rank": "rang, platz",
        "id": "dokument*",
        "grade": "relevanz*",
    },
    "French": {
        "pool": "au total, collection, manque*, existent",
        "precision": "précision",
        "recall": "rappel",
        "average precision": "précision moyenne",
        "expected reciprocal rank": "rang réciproque attendu",
        "computed": "actualis*, escompt*, somme*, remise*",
        "persistence": "persistance",
        "highest": "maximal*",
        "reciprocal rank": "rang réciproque, rang inverse",
        "at": "à, au rang",
        "change": "augment*, diminu*, différence*, écart*",
        "and": "et",
        "mean": "moyenne",
        "ideal": "idéal*, décroissant*",
        "relevant": "pertinent*",
        "averaged": "requête*, système*",
        "named": "requête, système",
        "restates": "soit, donc, c'est-à-dire, environ, en pourcentage, presque",
        "of": "sur",
        "count": "un, deux, trois, quatre, cinq, six, sept, huit",
        "yes": "oui",
        "no": "non",
        "supposed": "serait, faux",
        "link": "est",
        "rank": "rang",
        "grade": "pertinen*",
    },
    "Spanish": {
        "pool": "en total, colección, no recuperad*",
        "precision": "precisión",
        "recall": "exhaustividad, cobertura",
        "average precision": "precisión media, precisión promedio",
        "expected reciprocal rank": "rango recíproco esperado",
        "computed": "descont*, descuent*, suma*, acumulad*",
        "persistence": "persistencia",
        "highest": "máxim*",
        "reciprocal rank": "rango recíproco",
        "at": "en",
        "change": "aument*, diferencia*",
        "and": "y",
        "mean": "media, promedio",
        "ideal": "ideal*, descendente, ordenad*, decrecient*",
        "relevant": "relevante*",
        "retrieved": "recuper*, devuelt*, orden",
        "named": "consulta, sistema",
        "restates": "es decir, o sea, un, casi, cerca del, en porcentaje, aproximadamente",
        "of": "de",
        "averaged": "consulta*, sistema*",
        "both": "ambas, ambos",
        "count": "un, dos, tres, cuatro, cinco, seis, siete, ocho",
        "yes": "sí",
        "supposed": "sería, errón*",
        "link": "es, vale",
        "rank": "posición",
        "grade": "relevancia",
    },
    "Portuguese, Italian, Korean": {
        "restates": "ou seja, cerca de, cioè, circa, quasi",
        "of": "su",
        "computed": "scont*, desconto*, soma*, somma*",
        "and": "e",
        "ideal": "decrescente, ordinat*, 이상적*, 정렬*",
        "supposed": "잘못",
        "link": "è",
        "rank": "posição, posizione, 순위",
        "grade": "관련*",
    },
}
SIGNS = {  # besides words
    "yes": r"✓|✔️?|✅|☑️?",
    "no": r"✗|✘|❌|✖️?|×|[-–—]",
    "rank": r"#",
    "computed": r".*dcg|cg|.*/\s*(?:log|[0-9]|disc).*",
}


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
_AT = _compiled(_words("at"))
_CUTOFF = _compiled(
    rf"[\s`*]*(?P<sign>@|_\s*\{{?@?|[₀-₉]|\[|\(\s*(?:k\s*=\s*)?|\s{_words('at')}\s+)\s*(?P<k>[0-9₀-₉]{{0,4}})"
)
_LOW = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")

_IDEAL, _SUPPOSED, _MEAN, _CHANGE = (_compiled(_words(kind)) for kind in ("ideal", "supposed", "mean", "change"))
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
_COLUMNS = {  # the first that fits
    "rank": _compiled(rf"(?:{SIGNS['rank']}|{_words('rank')})\.?"),
    "id": _compiled(rf".*{_words('id')}.*"),
    "computed": _compiled(rf"(?:{SIGNS['computed']}|.*{_words('computed')}).*|.*(?<![A-Za-z])cg.*"),
    "grade": _compiled(rf".*{_words('grade')}.*"),
}

_POWER = lazy_pattern(r"2\s*(?:\^|\*\*|[ʳᵍ])|2<sup>")
CALL = _compiled(
    r"(?<![\w.])(?P<name>[\w.]{0,60}?(?:dcg|precision|recall|reciprocal_rank|(?<![A-Za-z])(?:ap|rr))(?![a-z])\w{0,40})"
    r"\s*\(\s*(?:\[(?P<grades>[^\[\]()]{3,400})\]|(?P<variable>[a-z_]\w{0,30}))\s*"
    r"(?:,\s*(?:(?P<option>[a-z_]{1,30})\s*=\s*)?(?P<k>[0-9]{1,4})\s*)?\)"
)
ASSIGNED = _compiled(r"(?<![\w.])(?P<name>[a-z_]\w{0,30})\s*=\s*\[(?P<grades>[0-9.,\s]{3,400})\]")
_CALLED = {
    "NDCG": "ndcg",
    "IDCG": "idcg|ideal_dcg",
    "DCG": "dcg",
    "AP": "average_precision|(?<![a-z])ap",
    "P": "precision",
    "R": "recall",
    "RR": "reciprocal_rank|(?<![a-z])rr",
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
    rf"(?P<words>{_words('mean')}[^.=()\[\]|]{{0,80}}?)[\s:=≈*`]*+(?P<number>[01]\.[0-9]{{2,6}})(?![\w%]|[.,][0-9]|\s*[+/*×±])"
)
BARE = _compiled(
    rf"(?P<label>(?<![^\W_])(?:{'|'.join((QUANTITIES | SETS).values())})"
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
    if lower.startswith("mean"):
        return None
    return next((quantity for quantity, form in _CALLED.items() if re.search(form, lower)), None)


def is_at(word: str) -> bool:
    """Whether a word leads from the name of a measure to its cutoff.

    >>> is_at("at"), is_at("of")
    (True, False)
    """
    return _AT.fullmatch(word) is not None


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
    named = quantity_of(_MEAN.sub(" ", words))
    return named[0] if named else "NDCG"


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


def column_of(head: str) -> str | None:
    """What a column holds, by its heading: ranks, ids, grades, or something that is computed.

    >>> column_of("Rank"), column_of("Relevance"), column_of("DCG"), column_of("rel(i)/log(i+1)")
    ('rank', 'grade', 'computed', 'computed')
    """
    plain = re.sub(r"[*$`\\]|\(\s*\)", "", head).strip()
    if _POWER.search(plain):
        return "computed"
    return next((kind for kind, heads in _COLUMNS.items() if heads.fullmatch(plain)), None)
