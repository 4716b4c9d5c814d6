"""Tests and intervals of paired differences: enumerated in plain loops, held to scipy, and the laws they obey."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from rows import every_row
from scipy import stats

from ndcg_ref.statistics.significance import (
    bootstrap_test,
    effect_size,
    holm,
    is_exact,
    randomisation_test,
    t_interval,
    t_test,
)

FEW = [
    # differences: few enough to try everything
    ["1", "2", "3"],
    ["0.1", "0.2", "-0.3"],  # in floats 0.1 + 0.2 is not 0.3: all choices are as far as 0
    ["0.1", "0.2", "0.3", "-0.6", "0.6"],  # sums that are equal but for rounding
    ["0.5", "0", "0", "0.25", "-0.125"],
    ["0.2", "0.2", "0.2", "0.2"],
]
TESTS = (randomisation_test, t_test, bootstrap_test)


def drawn(n, shift=0.05):
    """As many differences as a run may have, with four decimals."""
    return np.random.default_rng(n).normal(shift, 0.3, n).round(4)


def share_as_far(differences):
    """The share of all choices of signs whose sum is as far from zero, in exact fractions."""
    exact = [Fraction(each) for each in differences]
    sums = [sum(s * d for s, d in zip(signs, exact, strict=True)) for signs in product((1, -1), repeat=len(exact))]
    return Fraction(sum(abs(each) >= abs(sum(exact)) for each in sums), len(sums))


@every_row("differences", FEW)
def test_few_differences_have_the_share_of_all_choices_of_signs(differences):
    assert randomisation_test(list(map(float, differences))) == share_as_far(differences)


@every_row("n", [7, 12, 13])
def test_few_differences_have_the_p_value_of_scipy(n):
    held = stats.permutation_test((drawn(n),), np.mean, permutation_type="samples", n_resamples=np.inf)
    assert randomisation_test(drawn(n)) == held.pvalue


def test_many_differences_have_a_p_value_near_that_of_all_choices():
    """Of 20 differences of 1, 15 of them positive, by the binomial distribution, within four standard errors."""
    exact = 2 * sum(math.comb(20, k) for k in range(6)) / 2**20
    found = randomisation_test([1] * 15 + [-1] * 5, resamples=100_000)
    assert found == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 100_000))


@every_row("n", [20, 21, 63, 64, 200])
def test_differences_far_from_zero_have_the_smallest_p_value_that_can_be_drawn(n):
    """At 20 differences 2 of 2^20 choices are as far: hardly ever drawn."""
    assert randomisation_test([1.0] * n, resamples=999) == 1 / 1000


@every_row("n", [20, 300])
def test_a_p_value_that_is_drawn_is_near_that_of_the_t_test(n):
    """Within four standard errors, as both are near the normal distribution here."""
    expected = t_test(drawn(n))
    error = math.sqrt(expected * (1 - expected) / 100_000)
    assert randomisation_test(drawn(n), resamples=100_000) == pytest.approx(expected, abs=4 * error + 0.01)


def test_all_choices_are_tried_below_2_to_the_20th():
    assert is_exact([*[1.0] * 19, *[0.0] * 9])
    assert not is_exact([1.0] * 20)
    assert randomisation_test([1.0] * 19) == 2 / 2**19


@every_row("n", [2, 3, 5, 23, 300, 6980])
def test_the_t_test_has_the_p_value_of_scipy(n):
    assert t_test(drawn(n)) == pytest.approx(stats.ttest_1samp(drawn(n), 0).pvalue, rel=1e-10)


EQUAL = [
    # difference, p value of the t-test, of the bootstrap
    (0.0, 1.0, 1.0),
    (0.1, 0.0, 1 / 1000),
    (-0.1, 0.0, 1 / 1000),
]


@every_row(("difference", "by_t", "drawn"), EQUAL)
def test_equal_differences_are_certain_unless_they_are_zero(difference, by_t, drawn):
    assert (t_test([difference] * 7), bootstrap_test([difference] * 7, resamples=999)) == (by_t, drawn)


SOME = [
    (0.1, 0.5, 0.2),
    (0.4, -0.1, 0.3, 0.25),
    (0.0, 0.0, 0.01),  # two of nine samples have the t of the differences but for rounding
    (-0.01, -0.01, 0.03, 0.07),  # and here three of 32
]


@every_row("differences", SOME)
def test_the_bootstrap_test_is_near_the_share_of_all_samples(differences):
    """Every sample that can be drawn, with its t by the formula; within four standard errors."""
    n, mean = len(differences), sum(differences) / len(differences)

    def t(sample):
        own = sum(sample) / n
        spread = math.sqrt(sum((each - own) ** 2 for each in sample) / (n - 1))
        return abs(own) / spread * math.sqrt(n) if spread > 1e-9 else math.inf

    far = t(differences)
    all_samples = list(product([each - mean for each in differences], repeat=n))
    exact = sum(t(sample) >= far - 1e-9 for sample in all_samples) / len(all_samples)
    error = math.sqrt(exact * (1 - exact) / 20_000)
    assert bootstrap_test(differences, resamples=20_000) == pytest.approx(exact, abs=4 * error)


def test_samples_that_are_drawn_in_parts_are_the_same(monkeypatch):
    whole = bootstrap_test(drawn(50), resamples=100)
    monkeypatch.setattr("ndcg_ref.statistics.significance.AT_ONCE", 170)  # three samples at once
    assert bootstrap_test(drawn(50), resamples=100) == whole


@every_row("level", [0.01, 0.5, 0.95, 0.999])
@every_row("n", [2, 3, 23, 6980])
def test_the_interval_by_t_is_that_of_scipy(n, level):
    values = drawn(n)
    held = stats.t.interval(level, n - 1, values.mean(), stats.sem(values))
    assert t_interval(values, level) == pytest.approx(held, rel=1e-10)


HOLM = [
    # p values, corrected: the smallest times their number, the next times one less, none below the one before
    ([0.01, 0.04, 0.03], [0.03, 0.06, 0.06]),
    ([0.5], [0.5]),
    ([0.6, 0.5], [1.0, 1.0]),
]


@every_row(("given", "corrected"), HOLM)
def test_holm_multiplies_each_p_value_by_the_number_of_those_not_yet_rejected(given, corrected):
    assert holm(given) == pytest.approx(corrected, abs=1e-15)


FAR = [
    # two differences a and b, whose t is (a + b) / |a - b|
    ([1e-200, 2e-200], 3),
    ([5e-324, 1e-323], 3),
    ([1e308, 1.5e308], 5),
    ([-1.5e308, 1.5e308], 0),
]


@every_row(("differences", "t"), FAR)
def test_two_differences_of_any_size_have_the_p_value_of_the_cauchy_distribution(differences, t):
    assert t_test(differences) == pytest.approx(1 - 2 / math.pi * math.atan(t), rel=1e-12)


EFFECTS = [
    # differences, mean by standard deviation
    ([1, 2, 3], 2.0),  # 2 / 1
    ([0, 2], 1 / math.sqrt(2)),
    ([-1, -3], -2 / math.sqrt(2)),
    ([0, 0], 0.0),
    ([-0.1] * 3, -math.inf),
]


@every_row(("differences", "effect"), EFFECTS)
def test_the_effect_size_is_the_mean_in_standard_deviations(differences, effect):
    assert effect_size(differences) == pytest.approx(effect, rel=1e-15)


@every_row("test", TESTS)
@every_row("n", [9, 23])
def test_neither_which_run_is_subtracted_nor_a_factor_matters_and_a_second_call_gives_the_same(test, n):
    assert test(drawn(n)) == test(-drawn(n)) == test(drawn(n))
    assert test(drawn(n)) == pytest.approx(test(4 * drawn(n)), rel=1e-12)


@every_row("test", [*TESTS, effect_size])
@every_row("exponent", [-1074, -700, 700, 1021])
def test_a_power_of_two_changes_nothing_however_small_or_large(test, exponent):
    """Squares of these are no floats, nor is the sum of the largest."""
    differences = np.array([1.0, 2.0, 4.0, 3.0])
    assert test(np.ldexp(differences, exponent)) == test(differences)


@every_row("exponent", [-600, 600, 1020])
def test_an_interval_is_scaled_with_its_values(exponent):
    ends = [math.ldexp(end, exponent) for end in t_interval([1.0, 2.0, 4.0, 3.0])]
    assert list(t_interval(np.ldexp([1.0, 2.0, 4.0, 3.0], exponent))) == ends


@every_row("test", [randomisation_test, bootstrap_test])
def test_another_seed_draws_others(test):
    assert len({test(drawn(40), seed=seed) for seed in range(5)}) > 1


MASKED = np.ma.array([0.1, 0.2, 0.3], mask=[False, True, False])
REFUSED = [
    # call, message
    (lambda: randomisation_test([]), r"differences: expected at least 1 number, got 0"),
    (lambda: t_test([0.5]), r"differences: expected at least 2 numbers, got 1"),
    (lambda: t_interval([0.5]), r"values: expected at least 2 numbers, got 1"),
    (lambda: t_test([0.5, math.nan]), r"differences\[1\]: expected a finite number, got nan \(a query without a value"),
    (lambda: t_test([[0.5], [0.5]]), r"differences\[0\]: expected a number, got \[0.5\] \(nested lists"),
    (lambda: t_test(["0.5", 1]), r"differences\[0\]: expected a number, got '0.5' \(text is not converted"),
    (lambda: t_interval([-1e308, 1e308]), r"values: an end of the interval is beyond the range of a float"),
    *(
        (lambda call=call: call(MASKED), r": expected a number at every rank, got masked ones")
        for call in (*TESTS, effect_size, t_interval, holm, is_exact)
    ),
    (lambda: t_interval([1, 2], 95), r"level: expected a number between 0 and 1, got 95 \(a percentage\?"),
    (lambda: bootstrap_test([1, 2], resamples=0), r"resamples: expected a whole number of at least 1, got 0"),
    (lambda: bootstrap_test([1, 2], resamples=10**9), r"resamples: expected a whole number of at most 100,000,000"),
    (lambda: randomisation_test([1], seed=-1), r"seed: expected a whole number of at least 0, got -1"),
    (lambda: holm([0.5, 1.5]), r"p_values\[1\]: expected a p value from 0 to 1, got 1.5"),
    (lambda: holm([]), r"p_values: expected at least 1 number, got 0"),
]


@pytest.mark.filterwarnings("error")
@every_row(("call", "message"), REFUSED)
def test_a_refusal_names_the_place_and_the_likely_slip(call, message):
    with pytest.raises((TypeError, ValueError), match=message):
        call()
