"""What Spark's own measure says."""

RANKING = ["d1", "d3", "d2", "d4"]
GRADINGS = [{"d1": 1, "d2": 3, "d5": 2}, {"d1": 3, "d2": 1, "d5": 2}, {"d1": 1, "d2": 1, "d5": 1}]


def sparks_own(session):
    """What Spark's own nDCG says of one ranking under several gradings of the same documents."""
    from pyspark.mllib.evaluation import RankingMetrics

    for graded in GRADINGS:
        row = (RANKING, list(graded), [float(grade) for grade in graded.values()])
        value = RankingMetrics(session.sparkContext.parallelize([row], 1)).ndcgAt(3)
        yield {"ranking": RANKING, "grades": graded, "k": 3, "value": value}
