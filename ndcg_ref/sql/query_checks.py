"""What a query cannot refuse, counted by a query of its own: run it before the one of `ndcg_ref.sql.query_text`.

`counted_text` is what `evaluate` runs on an engine: beside DCG and ideal DCG it gives what a `Result` counts.

A query computes something whatever its tables hold. So each reason for which `evaluate` refuses judgments or a run has
a row here, with the number of rows or queries that it is about: ids and numbers that are missing, documents that occur
twice, and what the convention refuses. Where all counts are 0, the values are those of `evaluate`. The row "truncated
grade" alone is of no refusal: it counts the fractional grades that the convention truncates.

Of the documents that occur twice in a run, those are counted that may be within the cutoff. The others change no value,
and to look for them takes longer than the evaluation.
"""

import sys
from dataclasses import replace
from typing import Any

from ndcg_ref.conventions.convention import Convention
from ndcg_ref.conventions.presets import ABOVE, LONG
from ndcg_ref.conventions.spellings import Spellings
from ndcg_ref.sql.query_text import SqlQuery, Table, as_float, levels_of, queries_of

LARGEST = as_float(sys.float_info.max)
RETRIEVED_TWICE = "document retrieved twice"
TRUNCATED = "truncated grade"


def offenders_text(
    measures: Spellings,
    convention: Convention | str | None = None,
    qrels: str | Table = "qrels",
    run: str | Table = "run",
    dialect: str = "duckdb",
) -> str:
    """The query that counts what `evaluate` refuses.

    Parameters
    ----------
    measures : str, ir_measures.Measure, or iterable of these
        As for `ndcg_ref.sql.query_text.sql_text`, like all that follows.
    convention : Convention or str, optional
        A convention or the name of a preset.
    qrels : str or Table, optional
        The table of judgments.
    run : str or Table, optional
        The table of the run.
    dialect : {"duckdb", "spark", "portable"}, optional
        Whose SQL it is.

    Returns
    -------
    str
        The query; several measures give one statement each. Its columns are *problem* and *offenders*.

    Raises
    ------
    ValueError
        As for `ndcg_ref.sql.query_text.sql_text`.
    TypeError
        As for `ndcg_ref.sql.query_text.sql_text`.

    Notes
    -----
    The problems are: an id that is missing or empty, a number that is missing or not finite; a document that occurs
    twice in a query; and what the convention refuses, such as a negative grade. Of a run that is cut, only the
    documents that may be within the cutoff are looked through for repeated ones. A "truncated grade" is not refused.

    Examples
    --------
    >>> from ndcg_ref.conventions.convention import Convention
    >>> text = offenders_text("nDCG@10", Convention(extra="error"))
    >>> for line in text.splitlines()[-4:]:
    ...     print(line)
    select 'extra query' as problem, count(*) as offenders
    from (
      select distinct query from everything where query not in (select query from judged)
    ) as offending
    """
    queries = queries_of(measures, convention, qrels, run, dialect)
    return ";\n\n".join(query.notice() + counted(query) for query in queries)


def counted(query: SqlQuery, but: str = "") -> str:
    """The text for one measure, with all problems but one."""
    counts = (
        f"select '{problem}' as problem, count(*) as offenders\nfrom (\n  {rows}\n) as offending"
        for problem, rows in problems(query).items()
        if problem != but
    )
    return query.with_steps(_steps(query)) + "\nunion all\n".join(counts)


def first_text(query: SqlQuery, problem: str) -> str:
    """The query that finds the first offender: its columns are query, document and value, as far as it has them."""
    rows = problems(query)[problem]
    order = "query, document" if "document" in rows.partition(" from ")[0] else "query"
    return f"{query.with_steps(_steps(query))}select * from (\n  {rows}\n) as offending\norder by {order} limit 1"


def problems(query: SqlQuery) -> dict[str, str]:
    """The rows that are refused, by the reason, in the order in which `evaluate` looks for them."""
    return {**_broken(query), **_bad_grades(query), **_absent(query)}


def _steps(query: SqlQuery) -> dict[str, str]:
    steps = {"everything": query.everything(), **query.steps()}
    if not _needs_ideal(query):
        steps = {name: body for name, body in steps.items() if name not in ("ranked", "found", "ideal")}
    return steps


def _needs_ideal(query: SqlQuery) -> bool:
    return query.convention.zero_ideal == "error" and query.requested.measure.name == "nDCG"


def _broken(query: SqlQuery) -> dict[str, str]:
    """Rows that no convention accepts."""
    no_id = "select query, document from {}\n  where query is null or document is null or query = '' or document = ''"
    no_number = "select query, document, {0} from {1}\n  where {0} is null or not {0} between -{2} and {2}"
    twice = "select query, document from {} group by query, document having count(*) > 1"
    return {
        "judgment without an id": no_id.format("judged"),
        "retrieved document without an id": no_id.format("everything"),
        "grade that is no finite number": no_number.format("given", "judged", LARGEST),
        "score that is no finite number": no_number.format("score", "everything", LARGEST),
        "document judged twice": twice.format("judged"),
        RETRIEVED_TWICE: twice.format("best" if query.cuts else "retrieved"),
    }


def _bad_grades(query: SqlQuery) -> dict[str, str]:
    """Grades that the convention refuses, or truncates, of queries that the run has."""
    gain: Any = query.convention.gain
    fractional = {"error": "fractional grade", "truncate": TRUNCATED}.get(query.convention.fractional, "")
    conditions = {
        fractional: "given <> floor(given)" if fractional else "",
        "negative grade": "grade < 0" if query.convention.negative == "error" else "",
        "overflowing gain": "grade >= 1024" if gain == "exponential" else "",  # 2 to the power of it is beyond a float
        "missing gain": "",
    }
    if isinstance(gain, tuple):
        levels = ", ".join(as_float(level) for level, _ in levels_of(gain))
        conditions["missing gain"] = f"grade not in ({levels})"
    rows = "select query, document, given from grades\n  where query in (select query from retrieved) and {}"
    return {problem: rows.format(condition) for problem, condition in conditions.items() if condition}


def _absent(query: SqlQuery) -> dict[str, str]:
    """Queries whose lack of a judgment, of a ranking or of an ideal the convention refuses."""
    convention, lacking = query.convention, "select distinct query from {} where query not in (select query from {})"
    rows = {}
    if convention.missing == "error":
        rows["missing query"] = lacking.format("judged", "everything")
    if convention.extra == "error":
        rows["extra query"] = lacking.format("everything", "judged")
    if _needs_ideal(query):
        _, idcg, source = query.both_sides()
        rows["query without ideal gain"] = f"select query from {source} where {idcg} = 0"
    return rows


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
    steps = query.steps() | {"found": dcg_and_counts(query)}
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


def dcg_and_counts(query: SqlQuery) -> str:
    """DCG, the size and the ties of each ranking, and its unjudged documents within the cutoff.

    All of them are sums over the tied documents, so that an engine without stored steps ranks the run once. Where ties
    are averaged, the unjudged documents are counted in the order of their ids.
    """
    first = "first" if query.convention.ties == "average" else "first_judged"
    within = {key: "" if query.k is None else f" and {key} <= {query.k}" for key in ("rank", "first", "first_judged")}
    judged = "size > 1 and judged > 0"
    return f"""\
  select query, sum(gained) as dcg, sum(size) as size, sum(lacking) as unjudged,
    max(case when {judged}{within[first]} then 1 else 0 end) as tied,
    max(case when {judged} and least < most{within["first"]} then 1 else 0 end) as tied_grades
  from (
    select query, {query.gained()} as gained,
      count(*) as size, sum(1 - unjudged) as judged,
      sum(case when unjudged = 1{within["rank"]} then 1 else 0 end) as lacking, min(rank) as first,
      min(case when unjudged = 0 then rank end) as first_judged, min(given) as least, max(given) as most
    from ranked
    group by query, score
  ) as tied
  group by query"""
