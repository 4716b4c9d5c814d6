"""Find the conventions that print a number as the mean of a run."""

import math
from dataclasses import dataclass
from typing import Any

from ndcg_ref.conventions.convention import Convention
from ndcg_ref.conventions.presets import Excluded, marked, preset_of
from ndcg_ref.conventions.spellings import UNBOUNDED, Measure, RequestedMeasure, neutral, parse
from ndcg_ref.conventions.validation import counted, quoted
from ndcg_ref.explaining.matches import TRIED, Match, by_value, in_json, in_text, matching
from ndcg_ref.runs.evaluation import evaluate, reads_as_trec_eval
from ndcg_ref.runs.inputs import Given, as_mappings, rereadable
from ndcg_ref.runs.result import Result
from ndcg_ref.stated import read_number

LENIENT = Convention(negative="keep", ties="id-descending")  # refuses nothing but what every convention refuses


@dataclass(frozen=True)
class WhichMean:
    """The named conventions under which the mean of a run prints as a number.

    Parameters
    ----------
    stated : str
        The number as printed.
    measure : str
        The measure.
    rows : tuple of Match
        Every convention whose mean may have been printed so, sorted by value and name.
    means : tuple of Match
        The mean under every convention that has one, sorted in the same way.
    queries : dict of str to int
        The number of queries in the mean of each convention.
    reading : str
        How the number was read, as of `ndcg_ref.explaining.matches.Which`.
    chance : float or None
        As of `ndcg_ref.explaining.matches.Which`.
    nearest : Match or None
        The closest mean, if none prints the number.
    untried : tuple of (str, str)
        The conventions that refuse the data or the measure, and why.
    excluded : dict of str to Excluded
        For each preset in `rows`, what it does not cover in these data.

    Examples
    --------
    Under trec_eval's convention the mean leaves out the query that the run lacks:

    >>> qrels = {"q1": {"d1": 1}, "q2": {"d1": 1}}
    >>> found = which_mean("1.0", qrels, {"q1": {"d1": 0.5}})
    >>> "trec_eval-10.0" in {row.convention for row in found.rows}
    True
    >>> sorted({round(row.computed, 3) for row in found.means})
    [0.5, 1.0]
    """

    stated: str
    measure: str
    rows: tuple[Match, ...]
    means: tuple[Match, ...]
    queries: dict[str, int]
    reading: str
    chance: float | None
    nearest: Match | None
    untried: tuple[tuple[str, str], ...]
    excluded: dict[str, Excluded]

    @property
    def values(self) -> list[float]:
        """The different means of all conventions, ascending."""
        return [value for value, _ in by_value(self.means)]

    def __str__(self) -> str:
        low, high = self.means[0].computed, self.means[-1].computed
        tried = (
            f"{counted(len(self.means), 'named convention')} tried on {self.measure}: "
            f"{counted(len(self.values), 'value')}, {low:.6f} to {high:.6f}"
        )
        return in_text(self, self._headline(), [tried], self._by_queries)

    def _by_queries(self, rows: list[Match]) -> dict[str, list[str]]:
        names_of: dict[str, list[str]] = {}
        for row in rows:
            queries = f"mean of {counted(self.queries[row.convention], 'query')}"
            names_of.setdefault(queries, []).append(marked(row.convention, self.excluded))
        return names_of

    def _headline(self) -> str:
        asked = self.stated if self.reading == "rounded" else f"{self.stated}, {self.reading}"
        if self.nearest is not None:
            near = f"nearest is {self.nearest.computed:.6f}, of {self.nearest.convention}"
            return f"{self.stated}: none of {counted(len(self.means), 'named convention')} prints this mean; {near}"
        line = f"{asked}: printed by {counted(len(self.rows), 'named convention')}"
        values = len(by_value(self.rows))
        if len(self.rows) == 1:
            return line
        return f"{line}, {'all of one value' if values == 1 else f'in {values} values'}"

    def as_json(self) -> dict[str, Any]:
        """The result as a JSON object."""
        first = ("stated", "measure", "reading", "chance", "rows", "means")
        return in_json(self, *first, "queries", "values", "nearest", "untried", "excluded")


def which_mean(
    stated: str,
    qrels: Given,
    run: Given,
    measure: str = "nDCG@10",
    *,
    check_swap: bool = True,
    engine: Any = None,
) -> WhichMean:
    """Find every named convention under which the mean of a run may have been printed as a number.

    The names are those of `ndcg_ref.PRESETS` that cover the measure, and ORIGINAL, STANDARD and EXPONENTIAL. All are
    computed in one pass over the run. A convention also says which queries count, so that means of one run under two
    conventions may be over different queries.

    Parameters
    ----------
    stated : str
        The number as printed: "0.634" and "0.6340" are different statements.
    qrels, run : mapping, data frame, iterable of tuples, or path
        As for `evaluate`.
    measure : str, optional
        A measure in a spelling that belongs to no library.
    check_swap : bool, optional
        As for `evaluate`.
    engine : duckdb.DuckDBPyConnection or pyspark.sql.SparkSession, optional
        As for `evaluate`.

    Returns
    -------
    WhichMean
        Its `rows` are the conventions; empty if none prints the number. `means` has the mean under each.

    Raises
    ------
    ValueError
        If the number or the data are refused by every convention, or the spelling belongs to a library.
    TypeError
        As for `evaluate`, or if the number is no text.

    Examples
    --------
    The relevant document shares its score with another one. Averaged over both orders it has (1 + 1 / log2(3)) / 2:

    >>> found = which_mean("0.82", {"q1": {"d1": 1}}, {"q1": {"d1": 0.5, "d2": 0.5}})
    >>> sorted(row.convention for row in found.rows)[:2]
    ['EXPONENTIAL', 'STANDARD']
    """
    number = read_number(stated)
    parsed = parse(measure)
    if parsed.preset is not None:
        raise ValueError(
            f"measure: expected a spelling that leaves the library open, got {quoted(measure)} of {parsed.preset} "
            f"(spell it {neutral(parsed)}?)"
        )
    requested = _under_each_name(parsed)
    as_trec_eval = reads_as_trec_eval(requested)
    judgments = as_mappings(qrels, "qrels", "grade", as_trec_eval, engine)
    scored = rereadable(run, as_trec_eval, engine)

    results: list[Result] = []
    untried: list[tuple[str, str]] = []

    def evaluated(some: list[RequestedMeasure]) -> Result:
        return evaluate(judgments, scored, some, check_swap=check_swap, engine=engine)

    def add(some: list[RequestedMeasure]) -> None:
        """All at once; if one of them refuses the data, halves, down to those that do."""
        try:
            results.append(evaluated(some))
        except ValueError as error:
            if some in groups:
                evaluated([some[0]._replace(convention=LENIENT, preset=None)])  # raises what every convention refuses
            if len(some) == 1:
                untried.append((some[0].measure.text, str(error)))
                return
            add(some[: len(some) // 2])
            add(some[len(some) // 2 :])

    in_order = [each for each in requested if each.convention.ties == "input"]  # which every table refuses
    groups = [requested] if engine is None else [[each for each in requested if each not in in_order], in_order]
    for some in filter(None, groups):
        add(some)
    queries = {name: count for result in results for name, count in result.queries.items()}
    excluded = {name: of_preset for result in results for name, of_preset in result.excluded.items()}
    every = {name: mean for result in results for name, mean in result.mean.items()}
    named = [Match(name, parsed.k, mean) for name, mean in every.items() if not math.isnan(mean)]
    means = sorted(named, key=lambda row: (row.computed, row.convention))
    if not means:
        raise ValueError(f"run: expected a query with a value of {measure} under some convention, got none")
    found = matching(number, means, up_to_1=parsed.name not in UNBOUNDED)
    names = {row.convention for row in found["rows"]}
    return WhichMean(
        stated=number.text,
        measure=measure,
        **found,
        means=tuple(means),
        queries={row.convention: queries[row.convention] for row in means},
        untried=tuple(untried),
        excluded={name: of_preset for name, of_preset in excluded.items() if name in names},
    )


def _under_each_name(measure: Measure) -> list[RequestedMeasure]:
    """The measure under each named convention that covers it, spelled as the name."""
    requested = []
    for name, convention in TRIED.items():
        preset = preset_of(name)
        if preset is None:
            if measure.name in ("nDCG", "DCG"):  # of gain and discount, which the other measures do not have
                requested.append(RequestedMeasure(measure._replace(text=name), convention, None))
        elif measure.name in preset.measures:
            chosen = preset.convention_of(measure.name, measure.k)
            requested.append(RequestedMeasure(measure._replace(text=name), chosen, preset))
    return requested
