"""Keep a system from getting worse: a new run is held against a baseline, over the same queries.

A run without its worst queries has a higher mean over the queries that it has. So the mean is over all judged queries,
and a query that a run lacks counts as 0, unless another convention is named.
"""

from dataclasses import dataclass, replace
from typing import Any

from ndcg_ref.compare.comparing import Comparison, over_same_queries
from ndcg_ref.conventions.convention import Convention
from ndcg_ref.conventions.spellings import UNBOUNDED, Spelling, Spellings, read_measures, words_for
from ndcg_ref.conventions.validation import as_grade, counted, finite_sum, quoted
from ndcg_ref.runs.evaluation import reads_as_trec_eval
from ndcg_ref.runs.inputs import Given, as_mappings
from ndcg_ref.statistics.markup import SAME, TextTable, as_text, signed

MOST_QUERIES = 10


@dataclass(frozen=True, kw_only=True)
class Gate:
    """How the mean of a new run compares with that of a baseline, and whether that is allowed.

    Parameters
    ----------
    comparison : Comparison
        The runs "baseline" and "new", over the same queries.
    measure : str
        The measure.
    max_drop : float or None
        By how much the mean may drop; None if it may drop by anything.
    min_mean : float or None
        The lowest mean that the new run may have; None if it may have any.

    Examples
    --------
    >>> gate = compare_with_baseline({"q1": {"d1": 1}}, {"q1": {"d1": 1.0}}, {"q1": {"d2": 1.0}}, "P@1", max_drop=0.1)
    >>> gate.drop, gate.passed
    (1.0, False)
    """

    comparison: Comparison
    measure: str
    max_drop: float | None = None
    min_mean: float | None = None

    @property
    def convention(self) -> Convention:
        """Its convention."""
        return self.comparison.conventions[self.measure]

    @property
    def baseline(self) -> float:
        """The mean of the baseline."""
        return self.comparison.mean[self.measure]["baseline"]

    @property
    def new(self) -> float:
        """The mean of the new run."""
        return self.comparison.mean[self.measure]["new"]

    @property
    def queries(self) -> int:
        """The number of queries, the same in both means."""
        return len(self.comparison.queries[self.measure])

    @property
    def missing(self) -> tuple[int, int]:
        """How many judged queries the baseline and the new run lack."""
        return self.comparison.missing["baseline"], self.comparison.missing["new"]

    @property
    def drop(self) -> float:
        """By how much the mean drops; below 0 if it rises."""
        return self.baseline - self.new

    @property
    def passed(self) -> bool:
        """Whether the mean drops by no more than is allowed, and is as high as it has to be."""
        return not (self._drops_too_far or self._is_too_low)

    @property
    def _drops_too_far(self) -> bool:
        return self.max_drop is not None and self.drop > self.max_drop + SAME

    @property
    def _is_too_low(self) -> bool:
        return self.min_mean is not None and self.new < self.min_mean - SAME

    @property
    def headline(self) -> str:
        """The outcome on one line."""
        line = f"{self.measure} stays at {self.new:.6f}"
        if abs(self.drop) > SAME:
            moves = f"{'drops' if self.drop > 0 else 'rises'} by {abs(self.drop):.6f}"
            line = f"{self.measure} {moves}, from {self.baseline:.6f} to {self.new:.6f}"
            if self.drop > 0 and self.max_drop is not None:
                line += f"; {'at most' if self._drops_too_far else 'up to'} {self.max_drop:g} is allowed"
        return f"{line}; at least {self.min_mean:g} is required" if self._is_too_low else line

    def __str__(self) -> str:
        return "\n".join([self.headline, *self._details()])

    def _details(self) -> list[str]:
        """What the means are over, and if the gate did not pass the queries that lost most."""
        baseline, new = self.missing
        how = "counted as 0" if self.convention.missing == "zero" else "left out"
        missing = f"missing and {how}: {baseline} in the baseline, {new} in the new run" if baseline or new else ""
        convention = words_for(self.measure, self.convention)
        lines = [
            f"mean over {counted(self.queries, 'query')}" + (f"; {missing}" if missing else ""),
            f"{self.measure}: {convention}",
        ]
        if self.comparison.truncated:
            lines.append(f"truncated grades: {self.comparison.truncated}")
        lines += self.comparison.not_covered
        if self.passed:
            return lines
        before, after = self.comparison.per_query[self.measure].values()
        lacks = set(self.comparison.results["new"].missing)
        lost = sorted((after[query] - before[query], query) for query in before if before[query] - after[query] > SAME)
        rows = tuple(
            (query, f"{before[query]:.6f}", "missing" if query in lacks else f"{after[query]:.6f}", signed(moved, 6))
            for moved, query in lost[:MOST_QUERIES]
        )
        others = len(lost) - MOST_QUERIES
        more = (f"and {others} more {'query' if others == 1 else 'queries'}",) if others > 0 else ()
        table = TextTable("queries that lost most", ("query", "baseline", "new", "moves"), rows, more)
        return [*lines, "", as_text(table)]


def assert_no_drop(  # noqa: PLR0913 - what `evaluate` takes, and two limits
    qrels: Given,
    baseline: Given,
    new: Given,
    measure: Spellings = "nDCG@10",
    *,
    max_drop: float | None = None,
    min_mean: float | None = None,
    convention: Convention | str | None = None,
    check_swap: bool = True,
    engine: Any = None,
) -> None:
    """Fail if the mean of a new run is lower than that of a baseline by more than is allowed.

    Both means are over all judged queries, and a query that a run lacks counts as 0. A convention that leaves such
    queries out is refused where the runs lack different ones.

    Parameters
    ----------
    qrels, baseline, new : mapping, data frame, iterable of tuples, or path
        The judgments and two runs, as for `evaluate`.
    measure : str, ir_measures.Measure, or iterable of these, optional
        The measure, or several; the limits are those of each.
    max_drop : float, optional
        By how much the mean may drop: an absolute value, not a share of the mean. Give this, `min_mean`, or both.
    min_mean : float, optional
        The lowest mean that the new run may have, whatever the baseline has.
    convention : Convention or str, optional
        As for `evaluate`; it then decides how missing queries count as well.
    check_swap : bool, optional
        As for `evaluate`.
    engine : duckdb.DuckDBPyConnection or pyspark.sql.SparkSession, optional
        As for `evaluate`.

    Raises
    ------
    AssertionError
        If the mean drops by more than `max_drop`, or is below `min_mean`; its message has the queries that lost most.
    ValueError
        As for `evaluate`; if the means are not over the same queries; if the new run drops on the queries that the
        baseline has, and only others make up for it; if the mean of the baseline is 0; if there is no limit; or if
        `max_drop` is negative, or so large that nothing can fail, or `min_mean` so small or large.
    TypeError
        As for `evaluate`.

    Examples
    --------
    The new run lacks q2, which had the lower value. Over the queries that it has its mean is higher, but q2 counts:

    >>> qrels = {"q1": {"d1": 1}, "q2": {"d1": 1}}
    >>> baseline = {"q1": {"d1": 2.0, "d2": 1.0}, "q2": {"d2": 2.0, "d1": 1.0}}
    >>> assert_no_drop(qrels, baseline, {"q1": baseline["q1"]}, "RR", max_drop=0.005)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    AssertionError: RR drops by 0.250000, from 0.750000 to 0.500000; at most 0.005 is allowed
    mean over 2 queries; missing and counted as 0: 0 in the baseline, 1 in the new run
    ...
    """
    __tracebackhide__ = True  # pytest then shows the line of the test and the reason alone
    limits: dict[str, Any] = {"max_drop": max_drop, "min_mean": min_mean}
    options: dict[str, Any] = {"convention": convention, "check_swap": check_swap, "engine": engine}
    gates = gates_of(qrels, baseline, new, measure, **limits, **options)
    failed = [str(gate) for gate in gates if not gate.passed]
    if failed:
        raise AssertionError("\n\n".join(failed))


def compare_with_baseline(
    qrels: Given, baseline: Given, new: Given, measure: Spelling = "nDCG@10", **options: Any
) -> Gate:
    """As `assert_no_drop`, but return how the runs compare on one measure.

    >>> run = {"q1": {"d1": 1.0}}
    >>> print(compare_with_baseline({"q1": {"d1": 1}}, run, run, "P@1", max_drop=0).headline)
    P@1 stays at 1.000000
    """
    gate, *others = gates_of(qrels, baseline, new, measure, **options)
    if others:
        raise ValueError(f"measure: expected one, got {len(others) + 1} in {quoted(measure)}")
    return gate


def gates_of(  # noqa: PLR0913 - what `assert_no_drop` takes
    qrels: Given,
    baseline: Given,
    new: Given,
    measure: Spellings,
    *,
    max_drop: float | None = None,
    min_mean: float | None = None,
    convention: Convention | str | None = None,
    check_swap: bool = True,
    engine: Any = None,
) -> list[Gate]:
    """As `assert_no_drop`, but return how the runs compare on each measure.

    >>> run = {"q1": {"d1": 1.0}}
    >>> [gate.headline for gate in gates_of({"q1": {"d1": 1}}, run, run, ["P@1", "RR"], min_mean=0.5)]
    ['P@1 stays at 1.000000', 'RR stays at 1.000000']
    """
    requested = read_measures(measure, convention)
    if convention is None:  # a missing query counts as 0
        requested = [each._replace(convention=replace(each.convention, missing="zero")) for each in requested]
    is_bounded = not any(each.measure.name in UNBOUNDED for each in requested)
    if max_drop is None and min_mean is None:
        raise ValueError("max_drop: expected this, min_mean, or both, got neither (no run could fail)")
    allowed = None if max_drop is None else _as_allowed(max_drop, is_bounded)
    required = None if min_mean is None else _as_required(min_mean, is_bounded)
    judgments = as_mappings(qrels, "qrels", "grade", reads_as_trec_eval(requested), engine)
    runs = {"baseline": baseline, "new": new}
    comparison = over_same_queries(judgments, runs, requested, check_swap=check_swap, engine=engine)
    gates = [
        Gate(comparison=comparison, measure=each.measure.text, max_drop=allowed, min_mean=required)
        for each in requested
    ]
    has_negative = any(grade < 0 for grades in judgments.values() for grade in grades.values())
    for gate in gates:
        _refuse_other_queries(gate)
        if allowed is not None:
            _refuse_no_drop(gate, allowed, gate.convention.negative == "keep" and has_negative)
            _refuse_other_baseline(gate, allowed)
    return gates


def _as_allowed(max_drop: Any, is_bounded: bool) -> float:
    """The allowed drop, which is large enough to be one and small enough that some drop is larger."""
    allowed = as_grade(max_drop, "max_drop", "")
    if allowed < 0:
        raise ValueError(f"max_drop: expected 0 or more, got {allowed:g}")
    if allowed >= 1 and is_bounded:
        raise ValueError(f"max_drop: expected less than 1, got {allowed:g} (a percentage? 0.5 % is 0.005)")
    return allowed


def _as_required(min_mean: Any, is_bounded: bool) -> float:
    """The required mean, which some run misses and some run can have."""
    required = as_grade(min_mean, "min_mean", "")
    if required <= 0:
        raise ValueError(f"min_mean: expected more than 0, got {required:g} (no run could fail)")
    if required > 1 and is_bounded:
        raise ValueError(f"min_mean: expected at most 1, got {required:g} (a percentage? 70 % is 0.7)")
    return required


def _refuse_no_drop(gate: Gate, allowed: float, may_be_negative: bool) -> None:
    """Refuse an allowed drop with which no run could fail."""
    if gate.baseline <= allowed + SAME and not may_be_negative:
        if gate.baseline <= SAME:
            raise ValueError(f"baseline: expected a mean above 0, got {gate.baseline:g} (no run could fail)")
        raise ValueError(
            f"max_drop: expected less than the mean of the baseline, {gate.baseline:.6f}, got {allowed:g} "
            "(no run could fail)"
        )


def _refuse_other_queries(gate: Gate) -> None:
    """Refuse means that are not over the same queries, or over none."""
    before, after = (result.in_mean(gate.measure).keys() for result in gate.comparison.results.values())
    if not before and not after:
        raise ValueError(
            f"{gate.measure}: expected a query with a value, got none among {gate.comparison.judged} judged ones"
        )
    if before == after:
        return
    alone = next(query for query in [*before, *after] if (query in before) != (query in after))
    side = "baseline" if alone in before else "new run"
    left_out = gate.convention.missing == "skip"
    hint = " (unless a convention is named, a query that a run lacks counts as 0)" if left_out else ""
    raise ValueError(
        f"{gate.measure}: expected means over the same queries, got {len(before)} in the baseline and "
        f"{len(after)} in the new run; {quoted(alone)} counts in the {side} alone{hint}"
    )


def _refuse_other_baseline(gate: Gate, allowed: float) -> None:
    """Refuse a baseline where only queries that it lacks make up for a drop on the others."""
    lacked, lacks = (set(result.missing) for result in gate.comparison.results.values())
    before, after = gate.comparison.per_query[gate.measure].values()
    others = finite_sum(before[query] - after[query] for query in before if query not in lacked - lacks) / gate.queries
    if gate.drop <= allowed + SAME and others > allowed + SAME:
        raise ValueError(
            f"baseline: expected the queries of the new run, found none for {len(lacked - lacks)} of them, such as "
            f"{quoted(min(lacked - lacks))}; the mean rises by these alone, and drops by {others:.6f} on the others "
            "(a baseline for fewer queries?)"
        )
