"""The sums of each query together with what a `Result` counts, as one query: `evaluate` runs it on an engine.

It has the steps of `ndcg_ref.sql.query_text`, and beside DCG and ideal DCG it gives, for each query that is judged and
retrieved, how many documents occur again, whether a judged document within the cutoff is tied, how many documents
within the cutoff nobody judged, and whether the query is of a kind that the preset does not cover.
"""

from __future__ import annotations

from dataclasses import replace

from ndcg_ref.conventions.excluded import ABOVE, LONG
from ndcg_ref.sql.query_text import SqlQuery

# The same kinds as `ndcg_ref.runs.values.OF_KIND`, over the columns of a query
IS_OF = {
    # kind: condition
    "one": "size = 1",
    "ties": "tied_grades = 1",
    "long ties": f"tied_grades = 1 and size > {LONG}",
    "all negative": "highest_judged < 0",
    "negative ideal": "lowest < 0 and idcg < 0",
    "cancelling": "lowest < 0 and total = 0",
    "below 1": "below_1 = 1",
    **{kind: f"highest > {most}" for kind, most in ABOVE.items()},
}
KEPT_FOR = {"one": 2, "long ties": LONG + 1}  # documents that show whether there are more than a few


def kinds_of(query: SqlQuery) -> list[str]:
    """The kinds that the preset of the measure does not cover, and that a query can have.

    >>> from ndcg_ref.sql.query_text import queries_of
    >>> [query] = queries_of("nDCG@10", "catboost", "qrels", "run", "spark")
    >>> kinds_of(query)
    ['negative ideal']
    """
    preset = query.requested.preset
    return [kind for kind in (preset.excluded if preset else ()) if kind in IS_OF]


def deepened(query: SqlQuery) -> SqlQuery:
    """The same with an ideal, and with as many documents of each ranking as the kinds of its preset need.

    >>> from ndcg_ref.sql.query_text import queries_of
    >>> [query] = queries_of("DCG@1", "torchmetrics", "qrels", "run", "duckdb")
    >>> deepened(query).requested.measure.name
    'nDCG'
    """
    requested = query.requested._replace(measure=query.requested.measure._replace(name="nDCG"))
    return replace(
        query, requested=requested, deepest=max(KEPT_FOR.get(kind, 1) for kind in ["", *kinds_of(query)]), counted=True
    )


def counted_text(query: SqlQuery) -> str:
    """The query for a deepened one; its columns are query, dcg, idcg, again, tied, unjudged, and each of `kinds_of`.

    >>> from ndcg_ref.sql.query_text import queries_of
    >>> [query] = queries_of("nDCG@10", "STANDARD", "qrels", "run", "duckdb")
    >>> "select query, dcg as dcg, idcg as idcg, coalesce(again, 0) as again" in counted_text(query)
    True
    """
    kinds = kinds_of(query)
    steps = query.steps() | {"found": _found(query)}
    joined = ["judgments", "levels"]
    if query.cuts:
        steps["repeated"] = _REPEATED
        joined.append("repeated")
    steps["judgments"] = "  select query, max(given) as highest_judged\n  from judged\n  group by query"
    steps["levels"] = _LEVELS.format("ranked\n  where unjudged = 0" if query.convention.ideal == "ranked" else "judged")
    dcg, idcg, source = query.both_sides()
    columns = [
        *("query", f"{dcg} as dcg", f"{idcg} as idcg"),
        "coalesce(again, 0) as again" if query.cuts else "0 as again",
        *("coalesce(tied, 0) as tied", "coalesce(unjudged, 0) as unjudged"),
        *(f"case when {IS_OF[kind]} then 1 else 0 end as kind_{i}" for i, kind in enumerate(kinds)),
    ]
    joins = "".join(f"\n  left join {step} using (query)" for step in joined)
    return f"{query.with_steps(steps)}select {', '.join(columns)}\nfrom {source}{joins}\norder by query"


def queries_text(query: SqlQuery, side: str) -> str:
    """The query for the ids of all queries of the judgments, "judged", or of the run, "everything"."""
    rows = query.everything() if side == "everything" else query.steps()["judged"]
    return f"select distinct query\nfrom (\n{rows}\n) as {side}\norder by query asc"


_REPEATED = """\
  select query, count(*) - count(distinct document) as again
  from best
  group by query"""
_LEVELS = """\
  select query, min(given) as lowest, max(given) as highest, sum(given) as total,
    max(case when given > 0 and given < 1 then 1 else 0 end) as below_1
  from {}
  group by query"""


def _found(query: SqlQuery) -> str:
    """DCG, the size and the ties of each ranking, and its unjudged documents within the cutoff.

    All of them are sums over the tied documents, so that an engine without stored steps ranks the run once. Where ties
    are averaged, the unjudged documents are counted in the order of their ids.
    """
    first = "first" if query.convention.ties == "average" else "first_judged"
    within = {
        name: "" if query.k is None else f" and {name} <= {query.k}" for name in ("rank", "first", "first_judged")
    }
    judged = "size > 1 and judged > 0"
    return f"""\
  select query, sum(gained) as dcg, sum(size) as size, sum(lacking) as unjudged,
    max(case when {judged}{within[first]} then 1 else 0 end) as tied,
    max(case when {judged} and least < most{within["first"]} then 1 else 0 end) as tied_grades
  from (
    select query, {query.gained()} as gained, count(*) as size, sum(1 - unjudged) as judged,
      sum(case when unjudged = 1{within["rank"]} then 1 else 0 end) as lacking, min(rank) as first,
      min(case when unjudged = 0 then rank end) as first_judged, min(given) as least, max(given) as most
    from ranked
    group by query, score
  ) as tied
  group by query"""
