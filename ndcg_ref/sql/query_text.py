"""The formulas as one SQL query, for judgments and runs that already lie in tables or Parquet files.

The query gives a row for each query of the run: DCG, ideal DCG and the value, as the convention defines them, or the
number of relevant documents and the value. It is made of the convention alone, so that it can be read, kept beside a
result, and run by any engine; nothing here runs it. Each step has a name: *judged*, *retrieved*, *best*, *ranked*,
*found*, *ideal* or *wanted*.

A sort is what costs time, so where the cutoff allows it the query first leaves out the documents that are beyond the
cutoff under every order of equal scores. Documents that share the score of the last one stay in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from textwrap import wrap
from typing import Any, NamedTuple

from ndcg_ref.conventions.convention import Convention
from ndcg_ref.conventions.spellings import (
    UNBOUNDED,
    OtherGains,
    RequestedMeasure,
    Spellings,
    read_measures,
    refuse_averaged,
    without_unused,
    words_for,
)
from ndcg_ref.conventions.validation import quoted

MOST_LISTED = 1000  # scores of a query that DuckDB keeps to find the lowest one that counts
LARGEST_FLOAT32 = 2**128 - 2**103  # from here on, rounding to single precision gives infinity
TEMPLATE = re.compile(r"\{\{[^{}]+\}\}")  # of dbt, say, which puts a name in its place
WIDTH = 110  # characters of a line
INFINITE = 1e308  # stands for infinity, which has no literal that all engines share
# Names that the portable text quotes: reserved in SQL, or in a database that it is meant for
RESERVED = """
all alter analyse analyze and any array as asc assert_rows_modified asymmetric at authorization between binary both by
case cast check collate collation column concurrently connect constraint contains create cross cube current
current_catalog current_date current_path current_role current_schema current_time current_timestamp current_user
deallocate default deferrable define delete desc describe distinct do drop else end enum escape except exclude execute
exists extract false fetch following for foreign freeze from full grant group grouping groups hash having if ignore
ilike in increment initially inner insert intersect interval into is isnull join lateral leading left like limit listagg
localtime localtimestamp lookup merge minus natural new no normalize not notnull null nulls of offset on only or order
outer over overlaps partition placing preceding prepare primary proto qualify range recursive references regexp respect
returning revoke right rlike rollup row rows sample select session_user set similar skip some start struct symmetric
system_user table tablesample then to trailing treat trigger trim true try_cast uescape unbounded union unique unnest
update user using values variadic verbose when whenever where window with within
"""
OF_GAINS = ("nDCG", *UNBOUNDED)  # measures whose sums have columns
# What a document adds to any other measure: its gain, at its rank
ADDED = {
    **dict.fromkeys(("P", "Recall", "Success", "Judged"), "{}"),
    "Rprec": "case when rank <= relevant then {} else 0 end",
    "AP": "{} * so_far / rank",
    "RR": "case when so_far = 1 then {} / rank else 0 end",
    "ERR": "{} * exp(so_far) / rank",
    "RBP": "{} * {left} * power({persistence}, rank - 1)",
}
# What `so_far` is: the relevant documents up to the rank, or the logarithm of the chance to go on from the higher ones
SO_FAR = {
    **dict.fromkeys(("AP", "RR"), "sum(gain) over (partition by query order by rank)"),
    "ERR": "coalesce(sum(case when gain < 1 then ln(1 - gain) else -999 end) over (\n"
    "      partition by query order by rank rows between unbounded preceding and 1 preceding), 0)",
}


class Table(NamedTuple):
    """A table, and the names of its columns.

    Parameters
    ----------
    name : str
        Its name, with dots after a schema or a catalog; a path that ends in ``.parquet``; or text in double braces,
        such as ``{{ ref('run') }}``, which stays as it is for a program that fills in templates.
    value : str
        The column of the grade or the score.
    query, document : str
        The columns of the ids, as text.
    order : str
        A column that has the rows of a query in the order of the input, for ``ties="input"``; empty without one.
    is_file : bool
        Whether the name is the path of a Parquet file, whatever its ending.

    Examples
    --------
    >>> Table("run", "score").document
    'doc_id'
    """

    name: str
    value: str
    query: str = "query_id"
    document: str = "doc_id"
    order: str = ""
    is_file: bool = False

    @property
    def reads_file(self) -> bool:
        """Whether the name is the path of a Parquet file, by its ending or since it is said to be one."""
        return self.is_file or self.name.endswith(".parquet")


@dataclass(frozen=True, kw_only=True)
class Dialect:
    """How an engine writes what SQL has no common word for."""

    name: str
    quote: str = '"'  # around an identifier
    text: str = "{}"  # an id as text, of a column
    number: str  # a number as a float, of a column
    log2: str = "log2({})"  # of a rank
    file: str = ""  # the rows of a Parquet file; empty if it reads none
    file_quote: str = "'"  # around its path
    single: str = ""  # a score in single precision; empty if it has none
    lowest: str = ""  # the lowest of the k highest scores of a group; empty if it has none
    distinct: str = "count(distinct {})"  # how many values a group has, or fewer
    place: str = ""  # the place of a row in the order of the input; empty if it has none
    step: str = "as"  # between the name of a step and its query: one that is read twice must not be stored in between
    quotes_all: bool = True  # names that need no quotes, too

    def rows(self, table: Table) -> str:
        """A table or a Parquet file as what comes after "from"."""
        if TEMPLATE.fullmatch(table.name):
            return table.name
        if not table.reads_file:
            return ".".join(self.identifier(part) for part in table.name.split("."))
        if not self.file:
            raise ValueError(
                f"expected the name of a table for the {self.name} dialect, got a file, {quoted(table.name)}"
            )
        mark = self.file_quote
        return self.file.format(f"{mark}{table.name.replace(mark, mark * 2)}{mark}")

    def columns(self, table: Table, value: str) -> list[str]:
        """Query, document and number of each row of a table; the number gets the name."""
        return [
            f"{self.as_text(table.query)} as query",
            f"{self.as_text(table.document)} as document",
            f"{self.as_number(table.value)} as {value}",
        ]

    def as_text(self, column: str) -> str:
        """An id as text."""
        return self.text.format(self.identifier(column))

    def as_number(self, column: str) -> str:
        """A grade or a score as a float."""
        return self.number.format(self.identifier(column))

    def as_score(self, column: str, precision: str) -> str:
        """A score in the precision in which a convention compares it."""
        score = self.as_number(column)
        if precision == "float64":
            return score
        single = self.number.format(self.single.format(self.identifier(column)))
        beyond, infinite = as_float(LARGEST_FLOAT32), as_float(INFINITE)
        return (
            f"case when {score} >= {beyond} then {infinite}\n    when {score} <= -{beyond} then -{infinite} "
            f"else {single} end"
        )

    def with_steps(self, steps: dict[str, str]) -> str:
        """Named steps, before the select that uses them."""
        has_a_row_for_each_document = ("everything", "retrieved")
        named = (
            f"{name} {self.step if name in has_a_row_for_each_document else 'as'} (\n{body}\n)"
            for name, body in steps.items()
        )
        return "with " + ",\n".join(named) + "\n"

    def identifier(self, name: str) -> str:
        """A name as an identifier, quoted wherever an engine could take it for anything else."""
        if not re.fullmatch(r"[\w$ -]+", name):
            raise ValueError(
                f"expected the name of a table or a column, of letters, digits, _, $, - and blanks, got {quoted(name)}"
            )
        bare = not self.quotes_all and re.fullmatch("[a-z_][a-z0-9_]*", name) and name not in RESERVED.split()
        return name if bare else f"{self.quote}{name}{self.quote}"


DIALECTS = {
    dialect.name: dialect
    for dialect in (
        Dialect(
            name="duckdb",
            text="cast({} as varchar) collate c",  # by character, whatever a column or a setting says
            number="cast({} as double)",
            file="read_parquet({})",
            single="cast({} as float)",
            lowest="list_min(max(score, {}))",
            distinct="list_unique(list(hash({})))",  # in a third of the memory
            place="row_number() over ()",
            step="as not materialized",
        ),
        Dialect(
            name="spark",
            quote="`",
            text="cast({} as string)",
            number="cast({} as double)",
            file="parquet.{}",
            file_quote="`",
            single="cast({} as float)",
            lowest="array_min(slice(sort_array(collect_list(score), false), 1, {}))",
            place="monotonically_increasing_id()",
        ),
        # No name of a type is known to all: a product with 1e0 is a float, in PostgreSQL a number that loses no digit.
        # BigQuery takes a name in quotes for text, and Snowflake would look for it in lower case
        Dialect(name="portable", number="{} * 1e0", log2="ln({}) / ln(2)", quotes_all=False),
    )
}


def sql_text(
    measures: Spellings,
    convention: Convention | str | None = None,
    qrels: str | Table = "qrels",
    run: str | Table = "run",
    dialect: str = "duckdb",
) -> str:
    r"""The query that computes a measure for each query of a run.

    Parameters
    ----------
    measures : str, ir_measures.Measure, or iterable of these
        The measures, spelled as for `evaluate`. Several give one statement each.
    convention : Convention or str, optional
        A convention or the name of a preset, as for `evaluate`.
    qrels : str or Table, optional
        The table of judgments; as text, one with the columns query_id, doc_id and relevance. A name that ends in
        ``.parquet`` is a file.
    run : str or Table, optional
        The table of the run; as text, one with the columns query_id, doc_id and score.
    dialect : {"duckdb", "spark", "portable"}, optional
        Whose SQL it is. "portable" has nothing that only some engines know.

    Returns
    -------
    str
        The query. Its columns are *query*, *dcg*, *idcg* and *value*, which is null where the convention leaves a
        query out of the mean; *idcg* is null for DCG and CG, and so are both sums of a query that only one side has.
        For a measure without gains they are *query*, *relevant*, the number of relevant documents, and *value*.

    Raises
    ------
    ValueError
        If a query cannot say a measure or a choice, or a name or a dialect is unknown.
    TypeError
        If something has the wrong type.

    Notes
    -----
    What a convention refuses, a query only counts: see `ndcg_ref.sql.query_checks.offenders_text`. DuckDB takes a name
    with dots, such as x.csv, for a local file where it has no such table; a comment of its text says so.

    The portable text converts no ids: those of both tables need one type. A name of lower-case letters, digits and _
    stands in it without quotes.

    Examples
    --------
    >>> print(sql_text("nDCG@10", "scikit-learn", dialect="portable"))
    -- nDCG@10: linear gain, log2(rank + 1), ideal of the ranking, no relevant document counts 0
    with judged as (
      select query_id as query, doc_id as document, relevance * 1e0 as given
      from qrels
    ),
    grades as (
      select query, document, given, given as grade
      from judged
    ),
    gains as (
      select query, document, given, grade, grade as gain
      from grades
    ),
    retrieved as (
      select query_id as query, doc_id as document, score * 1e0 as score
      from run
      where query_id in (select query from judged)
    ),
    ranked as (
      select query, document, score, coalesce(gain, 0) as gain,
        row_number() over (partition by query order by score desc, document desc) as rank
      from retrieved left join gains using (query, document)
    ),
    found as (
      select query, sum(gained) as dcg
      from (
        select query, sum(gain) * sum(case when rank <= 10 then 1e0 / (ln(rank + 1) / ln(2)) else 0 end)
          / count(*) as gained
        from ranked
        group by query, score
      ) as tied
      group by query
    ),
    ideal as (
      select query, sum(gain / (ln(rank + 1) / ln(2))) as idcg
      from (
        select query, gain, row_number() over (partition by query order by gain desc) as rank
        from ranked
      ) as best_first
      where rank <= 10
      group by query
    )
    select query, dcg, idcg, case when idcg = 0 then 0 else dcg / idcg end as value
    from found join ideal using (query)
    order by query
    """
    return ";\n\n".join(query.text() for query in queries_of(measures, convention, qrels, run, dialect))


def queries_of(
    measures: Any, convention: Convention | str | None, qrels: str | Table, run: str | Table, dialect: str
) -> list[SqlQuery]:
    """What there is to compute, one for each measure; a choice that no query can say is refused.

    >>> queries_of("nDCG@10", Convention(gain=abs), "qrels", "run", "duckdb")
    Traceback (most recent call last):
        ...
    ValueError: gain: expected one that a query can say, got a function (gain builtins.abs)
    """
    if dialect not in DIALECTS:
        raise ValueError(f"dialect: expected one of {', '.join(map(repr, DIALECTS))}, got {quoted(dialect)}")
    qrels = Table(qrels, "relevance") if isinstance(qrels, str) else qrels
    run = Table(run, "score") if isinstance(run, str) else run
    requested = read_measures(measures, convention)
    refuse_averaged(requested)
    queries = [SqlQuery(each, qrels, run, DIALECTS[dialect]) for each in requested]
    for query in queries:
        if reason := query.cannot_say():
            raise ValueError(reason)
    return queries


@dataclass(frozen=True)
class SqlQuery:
    """One measure of a run in a table."""

    requested: RequestedMeasure
    qrels: Table
    run: Table
    dialect: Dialect
    counted: bool = False  # whether the ranked documents have all that is counted of them

    @property
    def convention(self) -> Convention:
        """The convention of the measure, as far as it uses it."""
        used = without_unused(self.requested.measure, self.requested.convention)
        return replace(used, discount="none") if self.requested.measure.name == "CG" else used

    @property
    def k(self) -> int | None:
        """The cutoff."""
        return self.requested.measure.k

    def cannot_say(self) -> str:
        """Why no query can say it; empty if one can."""
        convention = self.convention
        for choice, value in (("gain", convention.gain), ("discount", convention.discount)):
            if callable(value) and not isinstance(value, OtherGains):
                return f"{choice}: expected one that a query can say, got a function ({convention.in_words()[choice]})"
        if convention.ties == "input" and not self.run.order:
            return without_order()
        if convention.scores == "float32" and not self.dialect.single:
            return "scores: expected \"float64\" for the portable dialect, got 'float32' (engines differ in its name)"
        return ""

    def text(self) -> str:
        """The query."""
        return f"{self.title()}{self.dialect.with_steps(self.steps())}{self.last()}\norder by query"

    def title(self) -> str:
        """The comments at the top: measure and convention, and what the database has to do."""
        text = self.requested.measure.text
        title = f"{text}: {words_for(text, self.convention)}"
        if self.dialect.name == "portable" and self.convention.ties in ("id-descending", "id-ascending"):
            title += " (the database has to compare text character by character, as the collation C does)"
        return f"{_comment(title)}{self.notice()}"

    def notice(self) -> str:
        """A comment on names that may be those of files: a text cannot ask DuckDB which tables it has."""
        names = [
            table.name
            for table in (self.qrels, self.run)
            if "." in table.name and not table.reads_file and not TEMPLATE.fullmatch(table.name)
        ]
        if self.dialect.name != "duckdb" or not names:
            return ""
        return _comment(f"{' and '.join(names)}: DuckDB reads a local file of this name if it has no such table")

    def steps(self) -> dict[str, str]:
        """The named steps, in order."""
        grades = _select(["query", "document", "given", f"{self._grade()} as grade"], "judged")
        gains = _select(["query", "document", "given", "grade", f"{self._gain()} as gain"], "grades")
        judged = _select(self.dialect.columns(self.qrels, "given"), self.dialect.rows(self.qrels))
        steps = {"judged": judged, "grades": grades, "gains": gains}
        if not self.of_gains:
            relevant = f"count(case when {self._is_relevant()} then 1 end) as relevant"
            steps["wanted"] = _select(["query", relevant], "gains\n  group by query")
        steps["retrieved"] = self._retrieved()
        if self.convention.unjudged == "drop":
            steps["kept"] = self._kept()
        elif self.cuts:
            steps |= self._best()
        steps["ranked"] = self._ranked(list(steps)[-1])
        steps["found"] = self._dcg()
        if self.requested.measure.name == "nDCG":
            steps["ideal"] = self._ideal()
        return steps

    @property
    def of_gains(self) -> bool:
        """Whether the measure is made of gains, whose sums have columns, and not of relevant documents."""
        return self.requested.measure.name in OF_GAINS

    @property
    def divides(self) -> bool:
        """Whether a query without an ideal gain, or without a relevant document, has no value."""
        return self.requested.measure.name in ("nDCG", "AP", "Recall", "Rprec", "ERR")

    @property
    def sums(self) -> tuple[str, str, str]:
        """The names of the sum over the ranks, of what it is divided by, and of the step that has this."""
        return ("dcg", "idcg", "ideal") if self.of_gains else ("total", "relevant", "wanted")

    @property
    def cuts(self) -> bool:
        """Whether documents beyond the cutoff can be left out before the others are ranked.

        Not where the ideal is made of all that were retrieved. Dropping leaves few documents anyway.
        """
        of_all = self.convention.ideal == "ranked" or self.convention.ideal_cut == "hits" or self.counts_unjudged
        return self.k is not None and not of_all and self.convention.unjudged != "drop"

    @property
    def counts_unjudged(self) -> bool:
        """Whether the ideal has to be told of the unjudged documents."""
        is_needed = self.requested.measure.name == "nDCG" and self.convention.ideal != "ranked"
        return is_needed and counts_unjudged(self.convention)

    def whole(self) -> str:
        """The given grade, truncated if the convention says so."""
        if self.convention.fractional == "truncate":
            return "case when given < 0 then ceil(given) else floor(given) end"
        return "given"

    def _grade(self) -> str:
        if self.convention.negative != "clamp":
            return self.whole()
        above = "floor(given)" if self.convention.fractional == "truncate" else "given"
        return f"case when given < 0 then 0 else {above} end"

    def _gain(self) -> str:
        gain: Any = self.convention.gain
        if self.requested.measure.name == "ERR":
            return f"(power(2, grade) - 1) / {as_float(2.0**self.requested.measure.parameter)}"
        if not self.of_gains:
            return f"case when {self._is_relevant()} then 1e0 else 0e0 end"
        if gain == "linear":
            return "grade"
        if gain == "exponential":
            return "power(2, grade) - 1"
        if gain == "binary":
            return "case when grade > 0 then 1e0 else 0e0 end"
        others = " when grade < 0 then 0e0 else grade" if callable(gain) else ""
        cases = "".join(f" when grade = {as_float(level)} then {as_float(gained)}" for level, gained in levels_of(gain))
        return f"case{cases}{others} end"

    def _is_relevant(self) -> str:
        return f"grade >= {as_float(self.requested.measure.rel)}"

    def everything(self) -> str:
        """All rows of the run."""
        return _select(self.dialect.columns(self.run, "score"), self.dialect.rows(self.run))

    def _retrieved(self) -> str:
        query, document, _ = self.dialect.columns(self.run, "score")
        columns = [query, document, f"{self.dialect.as_score(self.run.value, self.convention.scores)} as score"]
        if self.convention.ties == "input":
            columns.append(f"{self.dialect.identifier(self.run.order)} as place")
        source = self.dialect.rows(self.run)
        if not self._lists_scores:
            source += f"\n  where {self.dialect.as_text(self.run.query)} in (select query from judged)"
        return _select(columns, source)

    def columns(self) -> list[str]:
        """The columns of a retrieved document."""
        return ["query", "document", "score", *(["place"] if self.convention.ties == "input" else [])]

    def _kept(self) -> str:
        judgment = "retrieved join gains using (query, document)"
        if self.convention.negative == "clamp":  # a clamped grade does not count as a judgment here
            judgment += f"\n  where {self.whole()} >= 0"
        return _select(self.columns(), judgment)

    @property
    def _lists_scores(self) -> bool:
        """Whether the documents to keep are found by the lowest score of each query."""
        return self.cuts and self.dialect.name == "duckdb" and (self.k or 1) <= MOST_LISTED

    def _best(self) -> dict[str, str]:
        k, columns = self.k, self.columns()
        if self._lists_scores:
            # Looking up each query once is far cheaper than looking up the query of each document
            judged = "having query in (select query from judged)"
            lowest = _select(
                ["query", f"{self.dialect.lowest.format(k)} as lowest"], f"retrieved\n  group by query\n  {judged}"
            )
            best = _select(columns, "retrieved join lowest_scores using (query)\n  where score >= lowest")
            return {"lowest_scores": lowest, "best": best}
        higher = "rank() over (partition by query order by score desc) as higher"
        inner = indented(_select([*columns, higher], "retrieved"))
        return {"best": _select(columns, f"(\n{inner}\n  ) as by_score\n  where higher <= {k}")}

    def _ranked(self, source: str) -> str:
        order = {
            "average": "document desc",
            "id-descending": "document desc",
            "id-ascending": "document asc",
            "input": "place asc",
            "best": "coalesce(grade, 0) desc, coalesce(gain, 0) desc",
            "worst": "coalesce(grade, 0) asc, coalesce(gain, 0) asc",
        }[self.convention.ties]
        unjudged = "case when given is null then 1 else 0 end"
        name, gain, join = self.requested.measure.name, "coalesce(gain, 0)", ""
        if name == "Judged":  # the share of the documents of a query that each judged one is
            all_of_query = "count(*) over (partition by query)"
            most = f"case when {all_of_query} > {self.k} then {self.k} else {all_of_query} end"
            gain = f"case when given is null then 0e0 else 1e0 end\n      / {all_of_query if self.k is None else most}"
        if (self.counted or name == "Judged") and self.convention.ties in ("best", "worst"):
            order += f", {unjudged} asc"  # of those with one gain the judged ones first, so that the counts are settled
        columns = ["query", "document", "score", f"{gain} as gain"]
        if self.convention.ideal_order == "grade" or self.counts_unjudged:
            columns.append("coalesce(grade, 0) as grade")
        if self.counted or self.counts_unjudged:
            columns.append(f"{unjudged} as unjudged")
        if name == "Rprec":
            columns.append("relevant")
            join = " join wanted using (query)"
        rank = f"row_number() over (partition by query order by score desc, {order}) as rank"
        selected = ",\n    ".join([", ".join(columns[:4]), *columns[4:], rank])
        ranked = f"  select {selected}\n  from {source} left join gains using (query, document){join}"
        if name not in SO_FAR:
            return ranked
        return f"  select by_rank.*,\n    {SO_FAR[name]} as so_far\n  from (\n{indented(ranked)}\n  ) as by_rank"

    def _dcg(self) -> str:
        if self.convention.ties != "average":
            within = "" if self.k is None else f"\n  where rank <= {self.k}"
            return _select(
                ["query", f"sum({self._added('gain')}) as {self.sums[0]}"], f"ranked{within}\n  group by query"
            )
        inner = f"select query, {self.gained()} as gained\n    from ranked\n"
        tied = f"(\n    {inner}    group by query, score\n  ) as tied"
        return _select(["query", f"sum(gained) as {self.sums[0]}"], f"{tied}\n  group by query")

    def gained(self) -> str:
        """What the documents of one score add to the sum, as an aggregate of *ranked* by query and score."""
        within = "{}" if self.k is None else f"case when rank <= {self.k} then {{}} else 0 end"
        if self.convention.ties != "average":
            return f"sum({within.format(self._added('gain'))})"
        # Each of the tied documents is equally often at each of their ranks
        return f"sum(gain) * sum({within.format(self._added('1e0'))})\n      / count(*)"

    def _added(self, gain: str) -> str:
        """What a gain adds to the sum at its rank."""
        measure = self.requested.measure
        if self.of_gains:
            return f"{gain} / {self._discount()}"
        persistence = measure.parameter if measure.name == "RBP" else 0
        return ADDED[measure.name].format(gain, left=as_float(1 - persistence), persistence=as_float(persistence))

    def _discount(self) -> str:
        """What a gain is divided by, as a factor."""
        named = self.convention.discount
        if named in ("none", "rank"):
            return "1e0" if named == "none" else "(rank * 1e0)"  # two whole numbers would give a whole one
        inside = "rank + 1" if named == "log(rank+1)" else "rank"
        log = self.dialect.log2.format(inside)
        if self.convention.base != 2:
            log = f"ln({inside}) / ln({as_float(self.convention.base)})"
        if named == "log(rank+1)":
            return log if "/" not in log else f"({log})"
        return f"(case when {log} > 1 then {log} else 1 end)"

    def _ideal(self) -> str:
        source = "ranked" if self.convention.ideal == "ranked" else "gains"
        order = "grade desc, gain desc" if self.convention.ideal_order == "grade" else "gain desc"
        if self.counts_unjudged:
            unjudged = "select query, grade, gain from ranked where unjudged = 1"
            source = f"(\n      select query, grade, gain from gains union all {unjudged}\n    ) as documents"
        rank = f"row_number() over (partition by query order by {order}) as rank"
        inner = indented(_select(["query", "gain", rank], source))
        sums = f"(\n{inner}\n  ) as best_first"
        cut = self.convention.ideal_cut
        limits = [f"rank <= {self.k}"] if cut != "none" and self.k is not None else []
        if cut == "hits":
            sums += " join (select query, count(*) as hits from ranked group by query) as sizes using (query)"
            limits.append("rank <= hits")
        where = f"\n  where {' and '.join(limits)}" if limits else ""
        return _select(["query", f"sum(gain / {self._discount()}) as idcg"], f"{sums}{where}\n  group by query")

    def last(self) -> str:
        """The last step: a row for each query, also for those that only one side has if they count."""
        (total, whole, source), (_, divisor, _), (name, k, *_) = self.both_sides(), self.sums, self.requested.measure
        value = {"P": f"{total} / {k}", "Success": f"case when {total} > 0 then 1e0 else 0e0 end"}.get(name, total)
        if self.divides:
            zero = "null" if self.convention.zero_ideal in ("nan", "error") else repr(self.convention.zero_ideal)
            quotient = total if name == "ERR" else f"{total} / {whole}"
            value = f"case when {whole} = 0 then {zero} else {quotient} end"
        columns = [*([_named(total, "dcg")] if self.of_gains else []), _named(whole, divisor)]
        return "".join([f"select query, {', '.join(columns)}, {value} as value\nfrom {source}", *self._absent()])

    def both_sides(self) -> tuple[str, str, str]:
        """The two sums, and where to select them from, for the queries that are judged and retrieved."""
        (total, whole, step), name = self.sums, self.requested.measure.name
        none = self.dialect.number.format("null") if name in UNBOUNDED else ""
        if self.convention.unjudged != "drop":
            return total, none or whole, "found" if none else f"found join {step} using (query)"
        # Dropping may leave a query without a document: it is still evaluated, but has no share of judged ones
        source = "(select distinct query from retrieved) as queries left join found using (query)"
        total = total if name == "Judged" else f"coalesce({total}, 0)"
        if none:
            return total, none, source
        return total, f"coalesce({whole}, 0)", f"{source} left join {step} using (query)"

    def _absent(self) -> Iterable[str]:
        """The queries that only one side has and that count 0."""
        nulls = "null, null" if self.of_gains else "null"
        select = f"\nunion all\nselect distinct {{}}, {nulls}, 0 from {{}} where not exists "
        if self.convention.missing == "zero":
            yield select.format("query", "judged") + "(select 1 from retrieved where retrieved.query = judged.query)"
        if self.convention.extra == "zero":
            query = self.dialect.text.format(f"everything.{self.dialect.identifier(self.run.query)}")
            yield select.format(query, f"{self.dialect.rows(self.run)} as everything") + (
                f"(select 1 from judged where judged.query = {query})"
            )


def without_order() -> str:
    """The refusal of ties in the order of the input, of a table."""
    return 'ties: expected a column of the order for ties="input", got none (a table has no order of its own)'


def counts_unjudged(convention: Convention) -> bool:
    """Whether unjudged documents, which gain 0, may stand before another one in the ideal.

    >>> counts_unjudged(Convention()), counts_unjudged(Convention(negative="keep"))
    (False, True)
    """
    gain: Any = convention.gain
    if isinstance(gain, str):
        return gain != "binary" and convention.negative == "keep"
    if convention.ideal_order == "grade" or (callable(gain) and not isinstance(gain, OtherGains)):
        return True
    return any(gained < 0 for _, gained in levels_of(gain))


def levels_of(gain: Any) -> list[tuple[float, float]]:
    """Grade and gain of each entry of a table.

    >>> levels_of((0, 1, 10))
    [(0, 0), (1, 1), (2, 10)]
    """
    if isinstance(gain, OtherGains):
        return list(gain.table)
    return list(gain) if isinstance(gain[0], tuple) else list(enumerate(gain))


def as_float(value: float) -> str:
    """A number as a float in every dialect; without an exponent, some take it for a decimal.

    >>> as_float(0.5), as_float(1e308)
    ('0.5e0', '1e+308')
    """
    text = repr(float(value))
    return text if "e" in text else f"{text}e0"


def _comment(text: str) -> str:
    return "".join(f"-- {line}\n" for line in wrap(text, WIDTH, break_on_hyphens=False))


def _select(columns: Iterable[str], source: str) -> str:
    columns = list(columns)
    line = f"  select {', '.join(columns)}"
    if len(line) > WIDTH and "\n" not in line:
        line = "  select\n    " + ",\n    ".join(columns)
    return f"{line}\n  from {source}"


def indented(text: str) -> str:
    """The text, each line two characters further in."""
    return "\n".join(f"  {line}" for line in text.splitlines())


def _named(expression: str, name: str) -> str:
    return name if expression == name else f"{expression} as {name}"
