"""The words that notes use, by what they say, in any language; a star stands for any ending.

No word stands here that no keyed note needs. Some patterns of other modules have English words of their own.
"""

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
    "restates": "so, or, i.e., that is, thus, in percent, about, roughly, almost, nearly, approximately, an, a, also, "
    "rund, soit, c'est-à-dire, environ, es decir, cerca del",
    "count": "one, two, three, four, five, six, seven, eight, nine, ten",
    "yes": "yes, relevant, true, sí",
    "no": "no, not, not relevant, irrelevant, non-relevant, false",
    "supposed": "would be, would have, would give, would get, would write, would yield, would come, would then, "
    "should be, should have, could have, instead of, rather than, wrong*, incorrect*, mistake*, forgot*, forget*, "
    "hypothetical*",
    "mistaken": "instead of, rather than, wrong*, incorrect*, mistake*, forgot*, forget*",
    "link": "would, be, so, thus, hence, therefore, then, is, was, are, there, again, only, just, equal*, of, about, "
    "approximately, value, give*, score, the, a",
    "rank": "rank*, pos, position*, cutoff*, cut-off, i, k, @k, r, n, p, no, 排名, posición, posição",
    "id": "doc*, id, item*, result*, title*, query*, url*",
    "computed": "log*, discount*, cumul*, contrib*, weight*, term*, sum*, total*, prec*",
    "total": "sum, total, totals",
    "grade": "rel*, grade*, rating*, rated, score*, judg*, label*, gain*",
    "other": "p, r, f1, f-score, auc, hit rate, accuracy",
    "mean": "mean, average, averages, averaged, avg",
}
SIGNS = {  # besides words
    "yes": r"✓|✔️?|✅|☑️?|●|•|\\bullet",
    "no": r"✗|✘|❌|✖️?|×|[-–—]",
    "rank": r"#",
    "total": r"\\?(?:sum|Sigma)|[Σ∑]|n?i?dcg(?:@[0-9]+)?",
    "computed": r".*dcg|cg|.*/\s*(?:log|[0-9]|disc).*",
}
