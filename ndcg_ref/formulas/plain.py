"""The reference module: each formula as it is printed, in plain Python loops.

Names and parameters are those of `ndcg_ref.formulas.arrays`, which documents the formula, the parameters, the refusals
and the source of each function. Neither module calls the other: they are two witnesses, which the tests compare. As in
`ndcg_ref.conventions.convention`, ranks count from 1, best first. Functions return lists where those of
`arrays` return arrays.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from ndcg_ref.conventions.convention import (
    STANDARD,
    Convention,
    as_convention,
    as_float32,
    ideal_cutoff,
    value_without_ideal,
)
from ndcg_ref.conventions.validation import (
    MOST_RANKS,
    as_cutoff,
    as_divisor,
    as_grade,
    as_highest_grade,
    as_numbers,
    as_persistence,
    as_sequence,
    as_whole,
    finite_sum,
    missing_gain,
    quoted,
    refusal,
)


def gains(grades: Iterable[Any], convention: Convention | str = STANDARD) -> list[float]:
    """The gain of each document of a ranking.

    The plain twin of `ndcg_ref.gains`.

    Examples
    --------
    >>> from ndcg_ref import EXPONENTIAL
    >>> gains([3, 0, 1], EXPONENTIAL)
    [7.0, 0.0, 1.0]
    """
    convention = as_convention(convention)
    return [_gain(grade, convention, where) for grade, where in _graded(grades, convention, "grades")]


def discounts(n: int, convention: Convention | str = STANDARD) -> list[float]:
    """What the gain at each of the first n ranks is divided by.

    The plain twin of `ndcg_ref.discounts`.

    Examples
    --------
    >>> discounts(3)
    [1.0, 1.584962500721156, 2.0]
    """
    convention = as_convention(convention)
    return [_discount(rank, convention) for rank in range(1, as_whole(n, "n", least=0, most=MOST_RANKS) + 1)]


def cg(grades: Iterable[Any], k: int | None = None) -> float:
    """Cumulated gain: the grades of the first k ranks, added up as they are.

    The plain twin of `ndcg_ref.cg`.

    Examples
    --------
    >>> cg([2, 3, 1], k=2)
    5.0
    """
    return finite_sum(as_numbers(grades, "grades")[: as_cutoff(k)])


def dcg(grades: Iterable[Any], k: int | None = None, convention: Convention | str = STANDARD) -> float:
    """Discounted cumulated gain of one ranking.

    The plain twin of `ndcg_ref.dcg`.

    Examples
    --------
    >>> dcg([2, 0, 1])
    2.5
    """
    convention = as_convention(convention, "DCG")
    return _discounted_sum(gains(grades, convention)[: as_cutoff(k)], convention)


def idcg(
    grades: Iterable[Any],
    k: int | None = None,
    convention: Convention | str = STANDARD,
    judged: Iterable[Any] | None = None,
) -> float:
    """DCG of the ideal ranking: the judged documents, the largest gain first.

    The plain twin of `ndcg_ref.idcg`.

    Examples
    --------
    >>> idcg([0, 1, 2])
    2.6309297535714578
    """
    convention, grades = as_convention(convention), list(as_sequence(grades, "grades"))
    ideal = ideal_gains(grades, convention, judged)
    return _discounted_sum(ideal[: ideal_cutoff(as_cutoff(k), len(grades), convention)], convention)


def ideal_gains(
    grades: Any, convention: Convention | str = STANDARD, judged: Any = None, where: str = "grades"
) -> list[float]:
    """The gains of the ideal ranking; an unjudged document of the ranking counts as one of grade 0.

    Examples
    --------
    >>> ideal_gains([0, 2], judged=[2, 3])
    [3.0, 2.0, 0.0]
    """
    convention = as_convention(convention)
    ranked = _graded(grades, convention, where)
    ideal = ranked if judged is None else _graded(judged, convention, "judged")
    missing = Counter(grade for grade, _ in ranked) - Counter(grade for grade, _ in ideal)
    for grade, count in missing.items():
        if grade != 0 or _gain(0.0, convention, "grades") != 0:
            raise refusal("missing judgment", "judged", grade=grade)
        ideal = ideal + [(0.0, "judged")] * count
    if convention.ideal == "ranked":
        ideal = ranked
    return _best_gains([(grade, _gain(grade, convention, place)) for grade, place in ideal], convention)


def ndcg(
    grades: Iterable[Any],
    k: int | None = None,
    convention: Convention | str = STANDARD,
    judged: Iterable[Any] | None = None,
) -> float:
    """Normalised discounted cumulated gain: the DCG as a share of the best possible one.

    The plain twin of `ndcg_ref.ndcg`.

    Examples
    --------
    >>> ndcg([2, 1, 0])
    1.0
    """
    convention, grades = as_convention(convention), list(as_sequence(grades, "grades"))
    return _ratio(dcg(grades, k, convention), idcg(grades, k, convention, judged), convention)


def cg_by_rank(grades: Iterable[Any]) -> list[float]:
    """Cumulated gain at every rank.

    The plain twin of `ndcg_ref.cg_by_rank`.

    Examples
    --------
    >>> cg_by_rank([2, 3, 1])
    [2.0, 5.0, 6.0]
    """
    values = as_numbers(grades, "grades")
    return [finite_sum(values[:rank]) for rank in range(1, len(values) + 1)]


def dcg_by_rank(grades: Iterable[Any], convention: Convention | str = STANDARD) -> list[float]:
    """Discounted cumulated gain at every rank.

    The plain twin of `ndcg_ref.dcg_by_rank`.

    Examples
    --------
    >>> dcg_by_rank([2, 0, 1])
    [2.0, 2.0, 2.5]
    """
    convention = as_convention(convention, "DCG")
    gained = gains(grades, convention)
    return [_discounted_sum(gained[:rank], convention) for rank in range(1, len(gained) + 1)]


def idcg_by_rank(
    grades: Iterable[Any], convention: Convention | str = STANDARD, judged: Iterable[Any] | None = None
) -> list[float]:
    """Ideal DCG at every rank of the ranking.

    The plain twin of `ndcg_ref.idcg_by_rank`.

    Examples
    --------
    >>> idcg_by_rank([0, 0, 2])
    [2.0, 2.0, 2.0]
    """
    convention, grades = as_convention(convention), list(as_sequence(grades, "grades"))
    ideal = ideal_gains(grades, convention, judged)
    cuts = [ideal_cutoff(rank, len(grades), convention) for rank in range(1, len(grades) + 1)]
    return [_discounted_sum(ideal[:cut], convention) for cut in cuts]


def ndcg_by_rank(
    grades: Iterable[Any], convention: Convention | str = STANDARD, judged: Iterable[Any] | None = None
) -> list[float]:
    """NDCG at every rank.

    The plain twin of `ndcg_ref.ndcg_by_rank`.

    Examples
    --------
    >>> ndcg_by_rank([0, 0, 2])
    [0.0, 0.0, 0.5]
    """
    convention, grades = as_convention(convention), list(as_sequence(grades, "grades"))
    pairs = zip(dcg_by_rank(grades, convention), idcg_by_rank(grades, convention, judged), strict=True)
    return [_ratio(gained, ideal, convention) for gained, ideal in pairs]


def mean_ndcg(
    rankings: Iterable[Iterable[Any]], k: int | None = None, convention: Convention | str = STANDARD
) -> float:
    """NDCG of a data set: the mean over its queries.

    The plain twin of `ndcg_ref.mean_ndcg`.

    Examples
    --------
    >>> mean_ndcg([[2, 1, 0], [0, 0, 1], [0, 0]])
    0.75
    """
    k, convention = as_cutoff(k), as_convention(convention)
    scores = []
    for i, ranking in enumerate(as_sequence(rankings, "rankings", "rankings")):
        where = f"rankings[{i}]: grades"
        scores.append(_ratio(*_sums(ranking, k, convention, where), convention, where))
    defined = [score for score in scores if not math.isnan(score)]
    if not defined:
        if convention.zero_ideal == "error":
            raise ValueError("rankings: expected at least one query with an NDCG, got none")
        return math.nan
    return finite_sum(defined) / len(defined)


def pooled_ndcg(
    rankings: Iterable[Iterable[Any]], k: int | None = None, convention: Convention | str = STANDARD
) -> float:
    """NDCG of a data set as one ratio: the DCG of all queries over their ideal DCG.

    The plain twin of `ndcg_ref.pooled_ndcg`.

    Examples
    --------
    >>> pooled_ndcg([[9, 0, 0], [0, 0, 1]])
    0.95
    """
    k, convention = as_cutoff(k), as_convention(convention)
    gained, ideal = [], []
    for i, ranking in enumerate(as_sequence(rankings, "rankings", "rankings")):
        of_ranking, best = _sums(ranking, k, convention, f"rankings[{i}]: grades")
        if best != 0:
            gained.append(of_ranking)
            ideal.append(best)
    return _ratio(finite_sum(gained), finite_sum(ideal), convention)


def precision_at_relevant(grades: Iterable[Any], threshold: float | None = None) -> list[float]:
    """Precision at the rank of each relevant document.

    The plain twin of `ndcg_ref.precision_at_relevant`.

    Examples
    --------
    >>> precision_at_relevant([1, 0, 2])
    [1.0, 0.6666666666666666]
    """
    found: list[float] = []
    for rank, is_relevant in enumerate(_are_relevant(grades, threshold), start=1):
        if is_relevant:
            found.append((len(found) + 1) / rank)
    return found


def average_precision(grades: Iterable[Any], threshold: float | None = None, relevant: int | None = None) -> float:
    """Mean of the precision at the rank of each relevant document.

    The plain twin of `ndcg_ref.average_precision`.

    Examples
    --------
    >>> average_precision([1, 0, 1, 0], relevant=4)
    0.41666666666666663
    """
    found = precision_at_relevant(grades, threshold)
    return _share(finite_sum(found), _wanted(relevant, len(found)))


def recall(
    grades: Iterable[Any], k: int | None = None, threshold: float | None = None, relevant: int | None = None
) -> float:
    """Share of the relevant documents that the first k ranks hold.

    The plain twin of `ndcg_ref.recall`.

    Examples
    --------
    >>> recall([1, 0, 2, 1], k=3, relevant=4)
    0.5
    """
    k, are_relevant = as_cutoff(k), _are_relevant(grades, threshold)
    return _share(sum(are_relevant[:k]), _wanted(relevant, sum(are_relevant)))


def success(grades: Iterable[Any], k: int | None = None, threshold: float | None = None) -> float:
    """Whether the first k ranks hold a relevant document: 1 if so, else 0.

    The plain twin of `ndcg_ref.success`.

    Examples
    --------
    >>> success([0, 0, 2], k=2)
    0.0
    """
    k = as_cutoff(k)
    return 1.0 if True in _are_relevant(grades, threshold)[:k] else 0.0


def r_precision(grades: Iterable[Any], threshold: float | None = None, relevant: int | None = None) -> float:
    """Precision at rank R, for a query with R relevant documents; recall at that rank is the same.

    The plain twin of `ndcg_ref.r_precision`.

    Examples
    --------
    >>> r_precision([1, 0, 1, 0, 0, 0, 0, 0, 1, 1])
    0.5
    """
    are_relevant = _are_relevant(grades, threshold)
    wanted = _wanted(relevant, sum(are_relevant))
    return _share(sum(are_relevant[:wanted]), wanted)


def judgment_rate(grades: Iterable[Any], k: int | None = None) -> float:
    """Share of the first k documents that were judged, whatever their grades.

    The plain twin of `ndcg_ref.judgment_rate`.

    Examples
    --------
    >>> judgment_rate([2, None, 0, None, 1], k=4)
    0.5
    """
    k, given = as_cutoff(k), list(as_sequence(grades, "grades"))
    as_numbers([0 if grade is None else grade for grade in given], "grades")
    counted = given[:k]
    return _share(sum(grade is not None for grade in counted), len(counted))


def expected_reciprocal_rank(grades: Iterable[Any], highest_grade: float, k: int | None = None) -> float:
    """Expected reciprocal of the rank at which a reader, going down the ranking, is satisfied and stops.

    The plain twin of `ndcg_ref.expected_reciprocal_rank`.

    Examples
    --------
    >>> expected_reciprocal_rank([1, 1], highest_grade=1)
    0.625
    """
    highest = as_highest_grade(highest_grade)
    if highest >= 1024:
        raise refusal("overflowing gain", "highest_grade", grade=highest)
    terms = []
    comes = 1.0  # the chance that the reader reaches this rank
    for rank, grade in enumerate(_on_scale(grades, highest)[: as_cutoff(k)], start=1):
        stops = (2.0**grade - 1) / 2.0**highest
        terms.append(comes * stops / rank)
        comes *= 1 - stops
    return finite_sum(terms)


def rank_biased_precision(
    grades: Iterable[Any], persistence: float, highest_grade: float = 1, k: int | None = None
) -> float:
    """Rank-biased precision: the gain per document seen of a reader who goes on to the next rank with a fixed chance.

    The plain twin of `ndcg_ref.rank_biased_precision`.

    Examples
    --------
    >>> rank_biased_precision([1, 0, 1], persistence=0.5)
    0.625
    """
    persistence, highest = as_persistence(persistence), as_highest_grade(highest_grade)
    terms = []
    for rank, grade in enumerate(_on_scale(grades, highest)[: as_cutoff(k)], start=1):
        terms.append(persistence ** (rank - 1) * grade / highest)
    return (1 - persistence) * finite_sum(terms)


def dcg_of_scores(
    grades: Iterable[Any],
    scores: Iterable[Any],
    k: int | None = None,
    convention: Convention | str = STANDARD,
    ids: Iterable[str] | None = None,
) -> float:
    """DCG of documents that come with scores: the highest score first, equal scores as the convention ranks them.

    Examples
    --------
    Under the default, the two documents of score 0.5 share the weights of ranks 1 and 2:

    >>> dcg_of_scores([3, 0, 1], [0.5, 0.5, 0.1], k=1)
    1.5
    >>> dcg_of_scores([3, 0, 1], [0.5, 0.5, 0.1], k=1, convention=Convention(ties="worst"))
    0.0
    """
    convention = as_convention(convention, "DCG")
    graded = _graded(grades, convention, "grades")
    documents = [(grade, _gain(grade, convention, where)) for grade, where in graded]
    return _dcg_of_scores(documents, _scores(scores, len(graded), convention), ids, as_cutoff(k), convention)


def ndcg_of_scores(
    grades: Iterable[Any],
    scores: Iterable[Any],
    k: int | None = None,
    convention: Convention | str = STANDARD,
    ids: Iterable[str] | None = None,
    judged: Iterable[Any] | None = None,
) -> float:
    """NDCG of documents that come with scores.

    The plain twin of `ndcg_ref.ndcg_score` for one query.

    Examples
    --------
    >>> ndcg_of_scores([3, 0, 1], [0.5, 0.5, 0.1], k=1)
    0.5
    """
    convention, grades = as_convention(convention), list(as_sequence(grades, "grades"))
    gained = dcg_of_scores(grades, scores, k, convention, ids)
    return _ratio(gained, idcg(grades, k, convention, judged), convention)


def ndcg_of_run(
    qrels: Mapping[str, Mapping[str, Any]],
    run: Mapping[str, Mapping[str, Any]],
    k: int | None = None,
    convention: Convention | str = STANDARD,
) -> dict[str, float]:
    """NDCG of each query of a run: query to document to score, against query to document to grade.

    The plain twin of `ndcg_ref.evaluate`. A retrieved document that nobody judged gains nothing.

    Examples
    --------
    >>> ndcg_of_run({"q1": {"d1": 1, "d2": 0}}, {"q1": {"d3": 2.5, "d1": 0.7}}, convention=Convention(gain="binary"))
    {'q1': 0.6309297535714575}
    """
    k, convention = as_cutoff(k), as_convention(convention)
    values = {}
    for query in [*qrels, *(query for query in run if query not in qrels)]:
        if query in qrels and query in run:
            values[query] = _ndcg_of_query(query, qrels[query], run[query], k, convention)
            continue
        choice = convention.missing if query in qrels else convention.extra
        if choice == "error":
            raise refusal("missing query" if query in qrels else "extra query", "run", query=quoted(query))
        if choice == "zero":
            values[query] = 0.0
    return values


def _ndcg_of_query(
    query: str, judged: Mapping[str, Any], scored: Mapping[str, Any], k: int | None, convention: Convention
) -> float:
    known, clamped = {}, set()  # the grade and the gain of every judged document; and those with a grade below 0
    for document, grade in judged.items():
        where = f"qrels[{quoted(query)}][{quoted(document)}]"
        whole = _whole(as_grade(grade, where), convention, where)
        read = _not_negative(whole, convention, where)
        known[document] = (read, _gain(read, convention, where))
        if whole < read:
            clamped.add(document)
    retrieved = list(scored)
    if convention.unjudged == "drop":  # a clamped grade does not count as a judgment here
        retrieved = [document for document in scored if document in known and document not in clamped]
    ranked = [known.get(document, (0.0, 0.0)) for document in retrieved]
    scores = _scores([scored[document] for document in retrieved], len(retrieved), convention)
    ideal = ranked + [known[each] for each in known if convention.ideal == "judged" and each not in retrieved]
    cut = ideal_cutoff(k, len(retrieved), convention)
    gained = _dcg_of_scores(ranked, scores, retrieved, k, convention)
    return _ratio(gained, _discounted_sum(_best_gains(ideal, convention)[:cut], convention), convention)


def _dcg_of_scores(
    documents: list[tuple[float, float]],
    scores: list[float],
    ids: Iterable[str] | None,
    k: int | None,
    convention: Convention,
) -> float:
    """DCG of documents with known grades, gains and scores."""
    order = _best_first(documents, scores, ids, convention)
    weights = [1 / _discount(rank, convention) for rank in range(1, len(order) + 1)]
    weights = [weight if k is None or rank <= k else 0.0 for rank, weight in enumerate(weights, start=1)]
    if convention.ties == "average":  # every document of a tied group is equally often at each of the group's ranks
        ranks_of: dict[float, list[int]] = {}
        for rank, i in enumerate(order):
            ranks_of.setdefault(scores[i], []).append(rank)
        shared = {score: finite_sum(weights[rank] for rank in ranks) / len(ranks) for score, ranks in ranks_of.items()}
        weights = [shared[scores[i]] for i in order]
    return finite_sum(documents[i][1] * weight for i, weight in zip(order, weights, strict=True))


def _best_first(
    documents: list[tuple[float, float]], scores: list[float], ids: Iterable[str] | None, convention: Convention
) -> list[int]:
    """Indexes of the documents, highest score first, equal scores in the order of the convention.

    Of two documents of grade 0, one may gain nothing because nobody judged it, and the other something by its grade.
    """
    order = list(range(len(documents)))
    match convention.ties:
        case "id-descending" | "id-ascending":
            if ids is None:
                raise refusal("missing ids", "ids", ties=convention.ties)
            names = list(ids)
            order.sort(key=lambda i: names[i], reverse=convention.ties == "id-descending")
        case "best":
            order.sort(key=lambda i: documents[i], reverse=True)
        case "worst":
            order.sort(key=lambda i: documents[i])
    return sorted(order, key=lambda i: scores[i], reverse=True)


def _scores(scores: Any, n: int, convention: Convention) -> list[float]:
    values = as_numbers(scores, "scores")
    if len(values) != n:
        raise ValueError(f"scores: expected one for each of {n} documents, got {len(values)}")
    return [as_float32(value) for value in values] if convention.scores == "float32" else values


def _are_relevant(grades: Any, threshold: float | None) -> list[bool]:
    values = as_numbers(grades, "grades")
    limit = None if threshold is None else as_grade(threshold, "threshold")
    return [(grade > 0) if limit is None else (grade >= limit) for grade in values]


def _wanted(relevant: int | None, retrieved: int) -> int:
    """The number of relevant documents of the query."""
    return retrieved if relevant is None else as_whole(relevant, "relevant", retrieved)


def _share(count: float, total: int) -> float:
    return count / total if total else math.nan


def _on_scale(grades: Any, highest: float) -> list[float]:
    values = as_numbers(grades, "grades")
    for i, grade in enumerate(values):
        if not 0 <= grade <= highest:
            raise refusal("grade off its scale", f"grades[{i}]", grade=grade, highest=highest)
    return values


def _graded(grades: Any, convention: Convention, where: str) -> list[tuple[float, str]]:
    """Each grade, after the convention has applied its rules for fractions and negative grades, with its place."""
    graded = []
    for i, grade in enumerate(as_numbers(grades, where)):
        place = f"{where}[{i}]"
        graded.append((_not_negative(_whole(grade, convention, place), convention, place), place))
    return graded


def _whole(grade: float, convention: Convention, where: str) -> float:
    if not grade.is_integer():
        if convention.fractional == "error":
            raise refusal("fractional grade", where, grade=grade)
        if convention.fractional == "truncate":
            return float(math.trunc(grade))
    return grade


def _not_negative(grade: float, convention: Convention, where: str) -> float:
    if grade < 0 and convention.negative == "error":
        raise refusal("negative grade", where, grade=grade)
    return max(grade, 0.0) if convention.negative == "clamp" else grade


def _gain(grade: float, convention: Convention, where: str) -> float:
    gain: Any = convention.gain
    if gain == "linear":
        return grade
    if gain == "binary":
        return 1.0 if grade > 0 else 0.0
    if gain == "exponential":
        if grade >= 1024:
            raise refusal("overflowing gain", where, grade=grade)
        return float(2.0**grade - 1)
    if callable(gain):
        return as_grade(gain(grade), f"gain of {where} = {grade:g}")
    table = gain if isinstance(gain[0], tuple) else list(enumerate(gain))
    for level, gained in table:
        if level == grade:
            return float(gained)
    raise missing_gain(where, grade, [level for level, _ in table])


def _discount(rank: int, convention: Convention) -> float:
    discount: Any = convention.discount
    if discount == "none":
        return 1.0
    if discount == "rank":
        return float(rank)
    if discount == "log(rank+1)":
        return math.log2(rank + 1) / math.log2(convention.base)
    if discount == "log(rank)":
        return max(1.0, math.log2(rank) / math.log2(convention.base))
    return as_divisor(discount(rank), rank)


def _discounted_sum(gained: list[float], convention: Convention, where: str = "grades") -> float:
    return finite_sum((gain / _discount(rank, convention) for rank, gain in enumerate(gained, start=1)), where)


def _sums(ranking: Any, k: int | None, convention: Convention, where: str) -> tuple[float, float]:
    """DCG and ideal DCG of one of several rankings."""
    grades = list(as_sequence(ranking, where))
    gained = [_gain(grade, convention, place) for grade, place in _graded(grades, convention, where)]
    ideal = ideal_gains(grades, convention, None, where)[: ideal_cutoff(k, len(grades), convention)]
    return _discounted_sum(gained[:k], convention, where), _discounted_sum(ideal, convention, where)


def _best_gains(documents: list[tuple[float, float]], convention: Convention) -> list[float]:
    """The gains of documents with known grades and gains, in the order of the ideal.

    In the order by grade, of two documents of grade 0, the one with the larger gain comes first.
    """
    if convention.ideal_order == "grade":
        return [gain for _, gain in sorted(documents, reverse=True)]
    return sorted((gain for _, gain in documents), reverse=True)


def _ratio(gained: float, ideal: float, convention: Convention, where: str = "grades") -> float:
    return gained / ideal if ideal != 0 else value_without_ideal(convention, where)
