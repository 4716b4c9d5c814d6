r"""How sure a difference between two runs is: tests, intervals and an effect size for paired values.

The values are paired: :math:`d_q` is how far two runs differ on query :math:`q`, one difference for each query. Every
test is two-sided and asks how often a difference at least as far from zero would come about if the runs were equally
good. What is drawn at random is drawn from a seed, so that a second call gives the same number.
"""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from ndcg_ref.conventions.validation import as_grade, as_sequence, as_whole
from ndcg_ref.formulas.batch import Floats

MOST_EXACT = 19  # differences other than 0: all their 2^19 sign changes are tried, fewer than 2^20
RESAMPLES = 10_000
MOST_RESAMPLES = 10**8
AS_FAR = 1e-12  # sums that differ by less, for a total of 1, differ by rounding alone
AT_ONCE = 1 << 20  # values drawn at once
SIGNS = 1.0 - 2.0 * np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1)  # each byte as eight signs


def randomisation_test(differences: Any, *, resamples: int = RESAMPLES, seed: int = 0) -> float:
    r"""The p value of the paired randomisation test of the mean difference, two-sided.

    If the two runs were equally good, which of them has which value of a query would be chance, and so the sign of each
    difference. Of :math:`M` choices of signs, :math:`b` lead as far from zero as the signs that were found:

    .. math:: p = \frac{b}{M}, \quad b = \#\left\{s : \left|\sum_q s_q d_q\right| \ge \left|\sum_q d_q\right|\right\}

    All choices are tried if there are fewer than 2^20; a difference of 0 has no sign. Of more choices :math:`m` are
    drawn, and the p value is :math:`(b + 1) / (m + 1)`, which counts the signs that were found as one of them.

    Parameters
    ----------
    differences : array_like of float, shape (n,)
        The difference of each query.
    resamples : int, optional
        How many choices of signs are drawn, if not all are tried.
    seed : int, optional
        The seed of what is drawn.

    Returns
    -------
    float
        The p value; 1.0 if all differences are 0.

    Raises
    ------
    ValueError
        If there are no differences, or one is not finite.
    TypeError
        If they are no sequence of numbers.

    References
    ----------
    Fisher 1935, The Design of Experiments, section 21; Smucker, Allan and Carterette 2007, Proceedings of CIKM, pages
    623-632, for runs; Phipson and Smyth 2010, Statistical Applications in Genetics and Molecular Biology 9(1), for
    :math:`(b + 1) / (m + 1)`.

    Examples
    --------
    Of the eight choices of signs only two lead as far as 6, all plus and all minus:

    >>> randomisation_test([1, 2, 3])
    0.25
    """
    numbers, _ = _scaled(_as_floats(differences, "differences"))
    resamples, seed = _as_drawn(resamples, seed)
    signed = numbers[numbers != 0]
    far = abs(math.fsum(signed)) - AS_FAR * math.fsum(abs(signed))
    if signed.size <= MOST_EXACT:
        return float(np.mean(abs(_all_sums(signed)) >= far))
    as_far = np.count_nonzero(abs(_drawn_sums(signed, resamples, seed)) >= far)
    return (int(as_far) + 1) / (resamples + 1)


def is_exact(differences: Any) -> bool:
    """Whether the randomisation test tries every choice of signs, so that its p value needs no seed.

    >>> is_exact([1.0] * 19), is_exact([1.0] * 19 + [0.0]), is_exact([1.0] * 20)
    (True, True, False)
    """
    return int(np.count_nonzero(_as_floats(differences, "differences"))) <= MOST_EXACT


def t_test(differences: Any) -> float:
    r"""The p value of the paired t-test, two-sided.

    .. math:: t = \frac{\bar d}{s / \sqrt n}, \qquad p = I_{\nu / (\nu + t^2)}\left(\frac{\nu}{2}, \frac12\right)

    with the mean :math:`\bar d` and the standard deviation :math:`s` of the n differences, :math:`\nu = n - 1` degrees
    of freedom, and the regularised incomplete beta function :math:`I`.

    Parameters
    ----------
    differences : array_like of float, shape (n,)
        The difference of each query, of two queries at least.

    Returns
    -------
    float
        The p value. If all differences are equal: 1.0 if they are 0, else 0.0.

    Raises
    ------
    ValueError
        If there are fewer than two differences, or one is not finite.
    TypeError
        If they are no sequence of numbers.

    References
    ----------
    Student 1908, Biometrika 6(1), pages 1-25; Abramowitz and Stegun 1964, Handbook of Mathematical Functions, 26.7.1.

    Examples
    --------
    With one degree of freedom t follows the Cauchy distribution, and half of it lies farther from 0 than 1:

    >>> round(t_test([0, 2]), 12)
    0.5
    """
    numbers = _as_floats(differences, "differences", least=2)
    return _beyond(_t(numbers), numbers.size - 1)


def bootstrap_test(differences: Any, *, resamples: int = RESAMPLES, seed: int = 0) -> float:
    r"""The p value of the paired bootstrap test of the mean difference, two-sided and studentised.

    The differences are shifted to mean zero, :math:`z_q = d_q - \bar d`, as if the runs were equally good. Of these,
    :math:`m` samples of n are drawn with replacement. Where :math:`b` of them have a :math:`t^*`, the t of the sample,
    as far from zero as the t of the differences,

    .. math:: p = \frac{\#\{|t^*| \ge |t|\} + 1}{m + 1}

    Parameters
    ----------
    differences : array_like of float, shape (n,)
        The difference of each query, of two queries at least.
    resamples : int, optional
        How many samples are drawn.
    seed : int, optional
        The seed of what is drawn.

    Returns
    -------
    float
        The p value. If all differences are equal: 1.0 if they are 0, else the smallest, 1 / (m + 1).

    Raises
    ------
    ValueError
        If there are fewer than two differences, or one is not finite.
    TypeError
        If they are no sequence of numbers.

    References
    ----------
    Efron and Tibshirani 1993, An Introduction to the Bootstrap, algorithm 16.2; Sakai 2006, Proceedings of SIGIR, pages
    525-532, for runs; Davison and Hinkley 1997, Bootstrap Methods and their Application, equation 4.11, for the 1 above
    and below.

    Examples
    --------
    >>> bootstrap_test([0.0, 0.0, 0.0])
    1.0
    """
    numbers, _ = _scaled(_as_floats(differences, "differences", least=2))
    resamples, seed = _as_drawn(resamples, seed)
    far, as_far = abs(_t(numbers)), 0
    if math.isinf(far):  # no sample of equal differences has a t at all
        return 1 / (resamples + 1)
    for sample in _samples(numbers - math.fsum(numbers) / numbers.size, resamples, seed):
        mean, spread = sample.mean(axis=1), sample.std(axis=1, ddof=1)
        as_far += int(np.count_nonzero(abs(mean) * math.sqrt(numbers.size) >= far * spread * (1 - AS_FAR)))
    return (as_far + 1) / (resamples + 1)


def effect_size(differences: Any) -> float:
    r"""The effect size of paired differences, Cohen's d: their mean in units of their standard deviation.

    .. math:: d_z = \frac{\bar d}{s}

    It says how large a difference is beside how much queries vary, and does not grow with their number.

    Parameters
    ----------
    differences : array_like of float, shape (n,)
        The difference of each query, of two queries at least.

    Returns
    -------
    float
        The effect size; 0.0 if all differences are 0, and infinite if they are equal otherwise.

    Raises
    ------
    ValueError
        If there are fewer than two differences, or one is not finite.
    TypeError
        If they are no sequence of numbers.

    References
    ----------
    Cohen 1988, Statistical Power Analysis for the Behavioral Sciences, equation 2.3.5; Sakai 2014, SIGIR Forum 48(1),
    pages 3-12, for runs.

    Examples
    --------
    The mean is 2 and the standard deviation 1:

    >>> effect_size([1, 2, 3])
    2.0
    """
    numbers = _as_floats(differences, "differences", least=2)
    return _t(numbers) / math.sqrt(numbers.size)


def t_interval(values: Any, level: float = 0.95) -> tuple[float, float]:
    r"""The confidence interval of a mean, by Student's t.

    .. math:: \bar x \pm t_{\nu} \frac{s}{\sqrt n}

    where :math:`t_\nu` is passed in either direction with the chance 1 - `level`, and :math:`\nu = n - 1`.

    Parameters
    ----------
    values : array_like of float, shape (n,)
        The value, or the difference, of each query, of two queries at least.
    level : float, optional
        The level of confidence, between 0 and 1.

    Returns
    -------
    tuple of float
        The ends of the interval.

    Raises
    ------
    ValueError
        If there are fewer than two values, one is not finite, the level is not between 0 and 1, or an end of the
        interval is beyond the range of a float.
    TypeError
        If something is no number.

    References
    ----------
    Student 1908, Biometrika 6(1), pages 1-25.

    Examples
    --------
    The mean is 1 and its standard error 1. A t of one degree of freedom stays within 1 half of the time:

    >>> low, high = t_interval([0, 2], level=0.5)
    >>> round(low, 12), round(high, 12)
    (0.0, 2.0)
    """
    numbers, exponent = _scaled(_as_floats(values, "values", least=2))
    within, mean = as_grade(level, "level", ""), math.fsum(numbers) / numbers.size
    if not 0 < within < 1:
        raise ValueError(f"level: expected a number between 0 and 1, got {within:g} (a percentage? 95 % is 0.95)")
    reach = _passed_with(1 - within, numbers.size - 1) * float(np.std(numbers, ddof=1)) / math.sqrt(numbers.size)
    try:
        return math.ldexp(mean - reach, exponent), math.ldexp(mean + reach, exponent)
    except OverflowError:
        raise ValueError("values: an end of the interval is beyond the range of a float") from None


def holm(p_values: Any) -> list[float]:
    r"""P values corrected for the number of tests, by Holm's method.

    With the m p values in ascending order, :math:`p_{(1)} \le \dots \le p_{(m)}`,

    .. math:: \tilde p_{(i)} = \max_{j \le i} \min\left(1, (m - j + 1)\, p_{(j)}\right)

    Parameters
    ----------
    p_values : array_like of float, shape (m,)
        The p value of each test.

    Returns
    -------
    list of float
        The corrected p value of each test, in the order given.

    Raises
    ------
    ValueError
        If there are none, or one is not between 0 and 1.
    TypeError
        If they are no sequence of numbers.

    References
    ----------
    Holm 1979, Scandinavian Journal of Statistics 6(2), pages 65-70.

    Examples
    --------
    The smallest is multiplied by 3, the next by 2; the last may not fall below it:

    >>> holm([0.01, 0.0625, 0.03125])
    [0.03, 0.0625, 0.0625]
    """
    numbers = _as_floats(p_values, "p_values").tolist()
    for i, p in enumerate(numbers):
        if not 0 <= p <= 1:
            raise ValueError(f"p_values[{i}]: expected a p value from 0 to 1, got {p:g}")
    corrected, largest = [0.0] * len(numbers), 0.0
    for before, i in enumerate(sorted(range(len(numbers)), key=numbers.__getitem__)):
        largest = max(largest, min(1.0, (len(numbers) - before) * numbers[i]))
        corrected[i] = largest
    return corrected


def _as_floats(values: Any, where: str, least: int = 1) -> Floats:
    """The values as an array; refused if there are too few, or one is no finite number."""
    known = type(values) is np.ndarray and values.dtype == np.float64 and values.ndim == 1  # so no masked array
    if not (known and np.isfinite(values).all()):
        hint = "a query without a value? leave it out"
        listed = enumerate(as_sequence(values, where, "numbers"))
        values = np.array([as_grade(value, f"{where}[{i}]", hint) for i, value in listed], dtype=np.float64)
    if len(values) < least:
        raise ValueError(f"{where}: expected at least {least} number{'s' if least > 1 else ''}, got {len(values)}")
    checked: Floats = values
    return checked


def _scaled(values: Floats) -> tuple[Floats, int]:
    """The values over a power of two, so that the largest is near 1 and its square is a float; and the exponent."""
    _, exponent = math.frexp(abs(values).max())
    return np.ldexp(values, -exponent), exponent


def _as_drawn(resamples: Any, seed: Any) -> tuple[int, int]:
    return as_whole(resamples, "resamples", least=1, most=MOST_RESAMPLES), as_whole(seed, "seed", least=0)


def _all_sums(differences: Floats) -> Floats:
    """The sum for each choice of signs but that of the first, which turns every sum into its opposite."""
    sums = np.array([differences[0] if differences.size else 0.0])
    for difference in differences[1:]:
        sums = np.concatenate([sums + difference, sums - difference])
    return sums


def _drawn_sums(differences: Floats, count: int, seed: int) -> Floats:
    """The sum for each of so many choices of signs, drawn at random.

    Eight differences at a time have only 256 sums, which a random byte picks from: this takes a fraction of the time of
    a multiplication for each sign.
    """
    drawn, sums = np.random.default_rng(seed), np.zeros(count)
    for first in range(0, differences.size, 8):
        eight = differences[first : first + 8]
        sums += (SIGNS[:, : eight.size] @ eight)[np.frombuffer(drawn.bytes(count), dtype=np.uint8)]
    return sums


def _samples(values: Floats, count: int, seed: int) -> Iterator[Floats]:
    """So many samples, drawn with replacement, each a row; a number of rows at once."""
    drawn, rows = np.random.default_rng(seed), max(1, AT_ONCE // values.size)
    for first in range(0, count, rows):
        yield values[drawn.integers(0, values.size, (min(rows, count - first), values.size))]


def _t(differences: Floats) -> float:
    """Student's t of the mean: 0 if all differences are 0, infinite if they are equal otherwise."""
    scaled, _ = _scaled(differences)
    mean, spread = math.fsum(scaled) / scaled.size, float(np.std(scaled, ddof=1))
    if np.all(differences == differences[0]):  # whose computed spread may be above 0 by rounding
        return math.copysign(math.inf, mean) if mean else 0.0
    return mean / spread * math.sqrt(differences.size)


def _beyond(t: float, degrees: int) -> float:
    """The chance that Student's t lies farther from 0, in either direction."""
    if math.isinf(t):
        return 0.0
    within = t * t / (degrees + t * t)
    return _incomplete_beta(degrees / 2, 0.5, degrees / (degrees + t * t), within)


def _passed_with(chance: float, degrees: int) -> float:
    """The t that is passed with a chance, in either direction; found by halving, as the chance falls with t."""
    low, high = 0.0, 1.0
    while _beyond(high, degrees) > chance:
        low, high = high, 2 * high
    while low < (middle := (low + high) / 2) < high:
        if _beyond(middle, degrees) > chance:
            low = middle
        else:
            high = middle
    return high


def _incomplete_beta(a: float, b: float, x: float, y: float) -> float:
    """The regularised incomplete beta function at x, with y = 1 - x given as well, since 1 - x loses digits.

    The continued fraction of DLMF 8.17.22, which converges fast below its mean; above it, from the other end.
    """
    if x > (a + 1) / (a + b + 2):
        return 1 - _incomplete_beta(b, a, y, x)
    if x == 0:
        return 0.0
    log_x = math.log(x) if x < 0.5 else math.log1p(-y)
    log_y = math.log(y) if y < 0.5 else math.log1p(-x)
    before = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * log_x + b * log_y) / a
    return before / _fraction(a, b, x)


def _fraction(a: float, b: float, x: float) -> float:
    """1 + d1 / (1 + d2 / (1 + …)) by Lentz's method, with the coefficients of DLMF 8.17.23."""
    value = upper = 1.0
    lower = 0.0
    for step in range(1, 10_000):
        m = step // 2
        if step % 2:
            term = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            term = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        lower = 1 / (1 + term * lower)
        upper = 1 + term / upper
        value *= upper * lower
        if abs(upper * lower - 1) < 1e-16:
            break
    return value
