"""The mean of a measure and the counts of a `Result` as a query, beside that of `ndcg_ref.sql.query_text` per query."""

from __future__ import annotations

from dataclasses import replace

from ndcg_ref.conventions.convention import Convention
from ndcg_ref.conventions.spellings import Spellings
from ndcg_ref.sql.query_checks import TRUNCATED, dcg_and_counts, problems
from ndcg_ref.sql.query_text import SqlQuery, Table, indented, queries_of


def mean_text(
    measures: Spellings,
    convention: Convention | str | None = None,
    qrels: str | Table = "qrels",
    run: str | Table = "run",
    dialect: str = "duckdb",
) -> str:
    """The query that computes the mean of a measure, and what a `Result` counts.

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
        The query; several measures give one statement each. Its one row has the columns *measure* and *mean*, and those
        of `Result.counts`: *judged*, *evaluated*, *missing*, *extra*, *without_ideal*, *tied*, *unjudged*, *truncated*.

    Raises
    ------
    ValueError
        As for `ndcg_ref.sql.query_text.sql_text`.
    TypeError
        As for `ndcg_ref.sql.query_text.sql_text`.

    Examples
    --------
    >>> for line in mean_text("nDCG@10", "trec_eval", run="{{ ref('run') }}").splitlines()[-10:]:
    ...     print(line)
    select 'nDCG@10' as measure, avg(value) as mean,
      (select count(distinct query) from judged) as judged,
      count(value) as evaluated,
      (select count(distinct query) from judged where query not in (select query from retrieved)) as missing,
      (select count(distinct query) from everything where query not in (select query from judged)) as extra,
      coalesce(sum(case when idcg = 0 then 1 else 0 end), 0) as without_ideal,
      (select coalesce(sum(tied), 0) from found) as tied,
      (select coalesce(sum(unjudged), 0) from found) as unjudged,
      (select count(*) from truncated_grades) as truncated
    from by_query
    """
    return ";\n\n".join(_mean_text(query) for query in queries_of(measures, convention, qrels, run, dialect))


def _mean_text(query: SqlQuery) -> str:
    query = replace(query, counted=True)
    steps = {"everything": query.everything(), **query.steps(), "found": dcg_and_counts(query)}
    steps["by_query"] = indented(query.last())
    truncated = "0"
    if rows := problems(query).get(TRUNCATED):
        steps["truncated_grades"], truncated = f"  {rows}", "(select count(*) from truncated_grades)"
    lacking = "(select count(distinct query) from {} where query not in (select query from {}))"
    columns = {
        "judged": "(select count(distinct query) from judged)",
        "evaluated": "count(value)",
        "missing": lacking.format("judged", "retrieved"),
        "extra": lacking.format("everything", "judged"),
        "without_ideal": f"coalesce(sum(case when {query.sums[1]} = 0 then 1 else 0 end), 0)",
        **{name: f"(select coalesce(sum({name}), 0) from found)" for name in ("tied", "unjudged")},
        "truncated": truncated,
    }
    counts = ",\n  ".join(f"{counted} as {name}" for name, counted in columns.items())
    named = query.requested.measure.text.replace("'", "''")
    selected = f"'{named}' as measure, avg(value) as mean,\n  {counts}"
    return f"{query.title()}{query.dialect.with_steps(steps)}select {selected}\nfrom by_query"
