"""The words that notes use, by language and by what they say; a star stands for any ending.

A further language is one more row of `LANGUAGES`; it has no word that no keyed note needs. Some patterns of other
modules have English words of their own.
"""

from __future__ import annotations

LANGUAGES: dict[str, dict[str, str]] = {
    "English": {
        "linear gain": "linear*, raw gain*, raw grade*, plain grade*",
        "exponential gain": "exponential*",
        "plus": "plus",
        "minus": "minus, less",
        "times": "times, multiplied by",
        "over": "divided by, over",
        "makes": "that is, that makes, which is, which makes, makes, gives, equals, is, so, or, comes to, adds up to",
        "behind": "behind, worse than, below, trails, lower than, less than",
        "natural logarithm": "natural log*",
        "pool": "collection, pool, judged, judgments, judgements, unretrieved, never retrieved, not retrieved, "
        "not returned, missed, misses, missing",
        "average precision": "average precision, average_precision, averageprecision, ap",
        "precision": "precision, prec",
        "recall": "recall",
        "reciprocal rank": "reciprocal rank, reciprocal_rank, reciprocalrank, recip_rank, rr",
        "expected reciprocal rank": "expected reciprocal rank, err",
        "rank-biased precision": "rank-biased precision, rank biased precision, rbp",
        "persistence": "p, persistence*, persistence parameter, θ",
        "highest": "max*, highest, largest, top",
        "mean average precision": "mean average precision, mean_average_precision, map",
        "mean reciprocal rank": "mean reciprocal rank, mean_reciprocal_rank, mrr",
        "at": "at",
        "cut": "cutoff*, cut-off*, depth, top, first, at rank, at position, after rank, to rank, up to rank",
        "change": "grow*, increas*, decreas*, differ*, improve*, drop*, rise*, falls",
        "and": "and",
        "ideal": "ideal*, perfect*, optimal*, best possible, best order, maxim*, sorted, descending",
        "relevant": "relevant, ground truth, ground-truth, ground_truth, gold*, correct, actual, truth, positive*",
        "retrieved": "retriev*, ranked, ranking, predict*, result*, recommend*, returned, system, top",
        "variant": "newer, older, original, other, instead, plain, raw, linear, exponential, natural, classic*, "
        "alternativ*",
        "named": "query, system, run, ranking, user, model, ranker, engine, method, topic, list",
        "restates": "so, or, i.e., that is, thus, in percent, about, roughly, almost, nearly, approximately, an, a",
        "of": "of, out of",
        "both": "both",
        "count": "one, two, three, four, five, six, seven, eight, nine, ten",
        "yes": "yes, relevant, true",
        "no": "no, not, not relevant, irrelevant, non-relevant, false",
        "supposed": "would be, would have, would give, would get, would write, would yield, would come, would then, "
        "should be, should have, could have, instead of, rather than, wrong*, incorrect*, mistake*, forgot*, "
        "forget*, hypothetical*",
        "mistaken": "instead of, rather than, wrong*, incorrect*, mistake*, forgot*, forget*",
        "link": "would, be, so, thus, hence, therefore, then, is, was, are, there, again, only, just, equal*, of, "
        "about, approximately, value, give*, score, the, a",
        "rank": "rank*, pos, position*, cutoff*, cut-off, i, k, @k, r, n, p, no",
        "id": "doc*, id, item*, result*, title*, query*, url*",
        "computed": "log*, discount*, cumul*, contrib*, weight*, term*, sum*, total*, prec*",
        "total": "sum, total, totals",
        "grade": "rel*, grade*, rating*, rated, score*, judg*, label*, gain*",
        "other": "p, r, f1, f-score, auc, hit rate, accuracy",
        "mean": "mean, average, averages, averaged, avg",
    },
    "Chinese": {
        "rank": "排名",
    },
    "German": {
        "and": "und",
        "restates": "also, rund",
    },
    "French": {
        "and": "et",
        "ideal": "idéal*",
        "restates": "soit, c'est-à-dire, environ",
    },
    "Spanish": {
        "and": "y",
        "restates": "es decir, cerca del",
        "yes": "sí",
        "rank": "posición",
    },
    "Portuguese": {
        "and": "e",
        "rank": "posição",
    },
}
SIGNS = {  # besides words
    "yes": r"✓|✔️?|✅|☑️?|●|•|\\bullet",
    "no": r"✗|✘|❌|✖️?|×|[-–—]",
    "rank": r"#",
    "total": r"\\?(?:sum|Sigma)|[Σ∑]|n?i?dcg(?:@[0-9]+)?",
    "computed": r".*dcg|cg|.*/\s*(?:log|[0-9]|disc).*",
}
