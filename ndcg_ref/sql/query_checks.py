"""What a query cannot refuse, counted by a query of its own: run it before the one of `ndcg_ref.sql.query_text`.

A query computes something whatever its tables hold. So each reason for which `evaluate` refuses judgments or a run has
a row here, with the number of rows or queries that it is about: ids and numbers that are missing, documents that occur
twice, and what the convention refuses. Where all counts are 0, the values are those of `evaluate`. The row "truncated
grade" alone is of no refusal: it counts the fractional grades that the convention truncates.

Of the documents that occur twice in a run, those are counted that may be within the cutoff. The others change no value,
and to look for them takes longer than the evaluation.
"""

import sys
from typing import Any

from ndcg_ref.conventions.convention import Convention
from ndcg_ref.conventions.spellings import Spellings
from ndcg_ref.sql.query_text import SqlQuery, Table, as_float, levels_of, queries_of

LARGEST = as_float(sys.float_info.max)
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
    return ";\n\n".join(query.notice() + _counted(query) for query in queries)


def _counted(query: SqlQuery) -> str:
    """The text for one measure."""
    counts = (
        f"select '{problem}' as problem, count(*) as offenders\nfrom (\n  {rows}\n) as offending"
        for problem, rows in problems(query).items()
    )
    return query.dialect.with_steps(_steps(query)) + "\nunion all\n".join(counts)


def problems(query: SqlQuery) -> dict[str, str]:
    """The rows that are refused, by the reason, in the order in which `evaluate` looks for them."""
    return {**_broken(query), **_bad_grades(query), **_absent(query)}


def _steps(query: SqlQuery) -> dict[str, str]:
    steps = {"everything": query.everything(), **query.steps()}
    if not _needs_ideal(query):
        steps = {name: body for name, body in steps.items() if name not in ("ranked", "found", query.sums[2])}
    return steps


def _needs_ideal(query: SqlQuery) -> bool:
    return query.convention.zero_ideal == "error" and query.divides


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
        "document retrieved twice": twice.format("best" if query.cuts else "retrieved"),
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
        "grade off its scale": "",
    }
    if query.requested.measure.name == "ERR":
        conditions["grade off its scale"] = f"not grade between 0 and {as_float(query.requested.measure.parameter)}"
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
        _, whole, source = query.both_sides()
        lacked = "ideal gain" if query.of_gains else "relevant document"
        rows[f"query without {lacked}"] = f"select query from {source} where {whole} = 0"
    return rows


def dcg_and_counts(query: SqlQuery) -> str:
    """The sum over the ranks, the ties of each ranking, and its unjudged documents within the cutoff.

    All of them are sums over the tied documents, so that an engine without stored steps ranks the run once. Where ties
    are averaged, the unjudged documents are counted in the order of their ids.
    """
    first = "first" if query.convention.ties == "average" else "first_judged"
    within = {key: "" if query.k is None else f" and {key} <= {query.k}" for key in ("rank", "first", "first_judged")}
    return f"""\
  select query, sum(gained) as {query.sums[0]}, sum(lacking) as unjudged,
    max(case when size > 1 and judged > 0{within[first]} then 1 else 0 end) as tied
  from (
    select query, {query.gained()} as gained,
      count(*) as size, sum(1 - unjudged) as judged,
      sum(case when unjudged = 1{within["rank"]} then 1 else 0 end) as lacking, min(rank) as first,
      min(case when unjudged = 0 then rank end) as first_judged
    from ranked
    group by query, score
  ) as tied
  group by query"""
