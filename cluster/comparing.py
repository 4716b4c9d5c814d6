"""How far the results of two engines are apart, and what Spark's own measure says."""

import math
import warnings

from ndcg_ref.sql.query_text import Table, sql_text

WITHIN = 1e-12
RANKING = ["d1", "d3", "d2", "d4"]  # the first query of the chapter's example
GRADINGS = [{"d1": 1, "d2": 3, "d5": 2}, {"d1": 3, "d2": 1, "d5": 2}, {"d1": 1, "d2": 1, "d5": 1}]


def worst_difference(name, found, right):
    """The largest difference of any value; a difference of another kind stops the run."""
    for what in ("counts", "conventions"):
        if getattr(found, what) != getattr(right, what):
            raise SystemExit(f"{name}: {what}: expected {getattr(right, what)}, got {getattr(found, what)}")
    worst = 0.0
    for what in ("per_query", "dcg", "idcg"):
        for measure, values in getattr(right, what).items():
            worst = max(worst, worst_of(f"{name}: {what} of {measure}", getattr(found, what)[measure], values))
    worst = max(worst, worst_of(f"{name}: mean", found.mean, right.mean))
    if worst > WITHIN:
        raise SystemExit(f"{name}: expected values within {WITHIN} of those of the text, got {worst:.2g}")
    return worst


def hold_sums_of_spark(session, right, measures, convention):
    """Hold the values that Spark computes alone, by the text of the package, to those of the text files."""
    tables = [Table(name, value, "query", "document") for name, value in (("qrels", "grade"), ("run", "score"))]
    for measure in measures:
        rows = session.sql(sql_text(measure, convention, *tables, "spark")).collect()
        found = {row["query"]: math.nan if row["value"] is None else row["value"] for row in rows}
        name = f"Spark's own sums: {measure}"
        if (worst := worst_of(name, found, right.per_query[measure])) > WITHIN:
            raise SystemExit(f"{name}: expected values within {WITHIN} of those of the text, got {worst:.2g}")


def worst_of(name, found, right):
    """The largest difference of two mappings to numbers."""
    if set(found) != set(right):
        raise SystemExit(f"{name}: expected {len(right)} entries, got {len(found)}, or others")
    return max((difference(found[key], value) for key, value in right.items()), default=0.0)


def difference(found, right):
    """How far two values are apart: 0 where both are undefined, and infinity where one is."""
    if math.isnan(found) or math.isnan(right):
        return 0.0 if math.isnan(found) and math.isnan(right) else math.inf
    return abs(found - right)


def sparks_own(session):
    """What Spark's own nDCG says of one ranking under several gradings of the same documents."""
    from pyspark.mllib.evaluation import RankingMetrics

    warnings.simplefilter("ignore", FutureWarning)  # of the class itself, which calls what pyspark deprecates
    for graded in GRADINGS:
        row = (RANKING, list(graded), [float(grade) for grade in graded.values()])
        value = RankingMetrics(session.sparkContext.parallelize([row], 1)).ndcgAt(3)
        yield {"ranking": RANKING, "grades": graded, "k": 3, "value": value}
