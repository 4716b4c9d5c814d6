"""The mean of the queries' NDCG by their weights, in a plain loop: what `ndcg_score` is held to."""

import math


def weighted_mean(values, weights, with_ideal, convention):
    """A query without NDCG is left out with its weight; the weight of one without ideal gain may count below alone."""
    rows = [row for row in zip(values, weights, with_ideal, strict=True) if not math.isnan(row[0])]
    all_weighted = convention.query_weights == "all"
    gained = math.fsum(value * weight if has_ideal or all_weighted else value for value, weight, has_ideal in rows)
    divisor = math.fsum(weight for _, weight, _ in rows)
    return gained / divisor if divisor else math.nan
