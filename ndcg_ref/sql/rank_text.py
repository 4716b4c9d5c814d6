"""The ranks of the judged documents by SQL: what `evaluate` asks an engine for, whatever the measure.

The value of every measure follows from the grades and ranks of the judged documents. So the engine ranks the run where
it is, and gives a row for each judged document, and for those that share its score. The judgments, which are few, are
sent to it as two tables. Where all measures have a cutoff, only the documents that may be within it are ranked.

There are two texts: the queries of a run, with their sizes and the lowest score that counts; and the ranks, for some of
these queries.
"""

import sys
from dataclasses import dataclass
from typing import Literal

from ndcg_ref.sql.query_text import MOST_LISTED, Dialect, Table, as_float

QUERIES, JUDGED = "ndcg_ref_queries", "ndcg_ref_judged"  # the tables that are sent
NO_JUDGMENT = -1  # the number of a judgment for a document without one
LARGEST = as_float(sys.float_info.max)
BROKEN = (
    "query is null or query = '' or document is null or document = '' or given is null "
    f"or not given between -{LARGEST} and {LARGEST}"
)


@dataclass(frozen=True, kw_only=True)
class RankedRun:
    """A run in a table, and the way to rank it.

    Parameters
    ----------
    run : Table
        The table.
    dialect : Dialect
        Whose SQL it is.
    scores : {"float64", "float32"}
        The precision in which scores are compared.
    k : int or None
        The cutoff below which no rank is needed; None if all are.
    in_order : bool
        Whether the place of each document in the order of the input is needed.

    Examples
    --------
    >>> from ndcg_ref.sql.query_text import DIALECTS
    >>> ranked = RankedRun(run=Table("run", "score"), dialect=DIALECTS["duckdb"], k=10)
    >>> print(ranked.queries_text().splitlines()[-2])
      list_min(max(score, 10)) as lowest
    """

    run: Table
    dialect: Dialect
    scores: Literal["float64", "float32"] = "float64"
    k: int | None = None
    in_order: bool = False

    @property
    def cuts(self) -> bool:
        """Whether documents that are surely beyond the cutoff are left out before the others are ranked."""
        return self.k is not None and self.k <= MOST_LISTED

    def queries_text(self) -> str:
        """The query for all queries of the run: *query*, *size*, *broken* rows, and the *lowest* score that counts."""
        lowest = self.dialect.lowest.format(self.k) if self.cuts else "0e0"
        return self._text(
            {},
            f"""\
select query, count(*) as size, count(case when {BROKEN} then 1 end) as broken,
  {lowest} as lowest
from everything group by query order by query""",
        )

    def broken_text(self) -> str:
        """The query for the first row without an id or a finite score."""
        return self._text(
            {}, f"select query, document, given from everything where {BROKEN} order by query, document limit 1"
        )

    def twice_text(self, surely: bool = False) -> str:
        """The query for the first document that a query has twice, of those that are ranked, if it has one `surely`.

        Else the query for the first query that may have one, which takes far less memory.
        """
        twice = "count(*) > 1" if surely else f"count(*) > {self.dialect.distinct.format('document')}"
        group = "query, document" if surely else "query"
        return self._text(
            self._best(), f"select {group} from best group by {group} having {twice} order by {group} limit 1"
        )

    def ranks_text(self) -> str:
        """The query for *number* of the query, *judgment*, *rank* and *document* of what has to be ranked.

        A judged document is known by its judgment, and has no text. The rank of documents of equal score is that of the
        first of them. If it is needed, there is also the *place*.
        """
        judged = f"  select number, {self.dialect.text.format('document')} as document, judgment\n  from {JUDGED}"
        by_score = "over (partition by number order by score desc"
        peers = f"{by_score} range between current row and current row)"
        ranked = f"""\
  select number, judgment, document{self._place}, rank() {by_score}) as rank, count(judgment) {peers} as judged_peers
  from best left join judged using (number, document)"""
        return self._text(
            self._best() | {"judged": judged, "ranked": ranked},
            f"""\
select number, coalesce(judgment, {NO_JUDGMENT}) as judgment, rank,
  case when judgment is null then document else '' end as document{self._place}
from ranked where judged_peers > 0""",
        )

    @property
    def _place(self) -> str:
        return ", place" if self.in_order else ""

    def _best(self) -> dict[str, str]:
        """The documents of the queries that were sent, from the lowest score that counts."""
        source = "everything join asked using (query)" + ("\n  where score >= lowest" if self.cuts else "")
        return {
            "asked": f"  select number, {self.dialect.text.format('query')} as query, lowest\n  from {QUERIES}",
            "best": f"  select number, query, document, score{self._place}\n  from {source}",
        }

    def _text(self, steps: dict[str, str], last: str) -> str:
        dialect, run = self.dialect, self.run
        columns = [
            *dialect.columns(run, "given"),
            f"{dialect.as_score(run.value, self.scores)} as score",
            *([f"{dialect.place} as place"] if self.in_order else []),
        ]
        everything = f"  select {', '.join(columns)}\n  from {dialect.rows(run)}"
        return dialect.with_steps({"everything": everything, **steps}) + last
