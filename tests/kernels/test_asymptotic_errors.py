"""Moments of columns that do not vary, and the probability of a smaller difference by hand."""

import numpy as np
import pytest

from sdckit.kernels.asymptotic_errors import ROUNDING, Moments, probability_of_less, quantiles


@pytest.mark.parametrize("holes", [(), (0,), (3, 7)])
def test_a_constant_column_beside_holes_has_central_moments_of_exactly_zero(holes):
    values = np.column_stack([np.full(11, 0.1), np.arange(11) / 3])
    values[list(holes), 0] = np.nan
    moments = Moments(values)
    (_, of_mean), (variance, of_variance), (correlation, _) = moments.mean(), moments.variance(), moments.correlation()
    assert (moments.means[0], of_mean[0], variance[0], of_variance[0], correlation[0, 1]) == (0.1, 0, 0, 0, 0)


def test_a_column_without_values_has_no_moments_and_disturbs_no_other():
    values = np.column_stack([np.full(5, np.nan), np.arange(5.0)])
    mean, variance = Moments(values).mean()
    assert (mean[1], variance[1]) == (2.0, 2.0 / 5) and mean[0] == variance[0] == 0


def less(variance, gap, scale=1.0, before=0.0):
    given = (np.array([before]), np.array([variance]))
    return probability_of_less(given, np.array([before + gap]), np.array([scale]))[0]


@pytest.mark.parametrize("size", [1e-9, 1e-4, 1.0, 1e6])
def test_a_difference_of_one_standard_deviation_is_above_68_percent_of_differences(size):
    """However small the deviation is, as long as it is above what rounding leaves."""
    assert less(size**2, size) == pytest.approx(0.6827, abs=5e-5)
    assert less(size**2, -2 * size) == pytest.approx(0.9545, abs=5e-5)


@pytest.mark.parametrize("scale", [1.0, 1e5])
def test_what_is_rounding_is_neither_a_difference_nor_a_variance(scale):
    rounding = ROUNDING * scale
    assert less(1.0, rounding / 2, scale) == less(0.0, rounding / 2, scale) == 0
    assert less((rounding / 2) ** 2, 2 * rounding, scale) == less(0.0, 2 * rounding, scale) == 1
    assert less((2 * rounding) ** 2, 2 * rounding, scale) == pytest.approx(0.6827, abs=5e-5)


def test_a_statistic_that_is_missing_differs_from_one_that_is_not():
    assert less(1.0, np.nan) == 1
    assert np.isnan(less(1.0, 0.0, before=np.nan))


def random_values(seed):
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 4, (int(rng.integers(1, 9)), 3)).astype(float) + rng.integers(-2, 3, 3)
    values[rng.random(values.shape) < 0.2] = np.nan
    values[0, np.isnan(values).all(axis=0)] = 1.0
    return values


def moment(one, other, powers, means):
    """The mean of a product of powers of deviations, over the records that have both values."""
    terms = [
        (x - means[0]) ** powers[0] * (y - means[1]) ** powers[1]
        for x, y in zip(one, other, strict=True)
        if x == x and y == y
    ]
    return sum(terms) / max(len(terms), 1), max(len(terms), 1)


@pytest.mark.parametrize("seed", range(30))
def test_statistics_and_their_variances_are_those_of_the_definition(seed):
    """A deviation is from the mean of all values of its column, a moment over the records of the pair."""
    values = random_values(seed)
    moments = Moments(values)
    columns, means = values.T, [np.nanmean(column) for column in values.T]
    covariance, correlation = moments.covariance(), moments.correlation()
    assert moments.mean()[0] == pytest.approx(means)
    for i, one in enumerate(columns):
        second, n = moment(one, one, (1, 1), (means[i], means[i]))
        fourth, _ = moment(one, one, (2, 2), (means[i], means[i]))
        assert moments.mean()[1][i] == pytest.approx(second / n)
        assert [each[i] for each in moments.variance()] == pytest.approx(
            [second, max(fourth - second**2, 0) / n], abs=1e-12
        )
        for j, other in enumerate(columns):

            def of(p, q, one=one, other=other, i=i, j=j):
                return moment(one, other, (p, q), (means[i], means[j]))[0]

            n = moment(one, other, (0, 0), (0, 0))[1]
            assert covariance[0][i, j] == pytest.approx(of(1, 1), abs=1e-12)
            assert covariance[1][i, j] == pytest.approx(max(of(2, 2) - of(1, 1) ** 2, 0) / n, abs=1e-12)
            if of(2, 0) < 1e-12 or of(0, 2) < 1e-12:
                assert (correlation[0][i, j], correlation[1][i, j]) == (0, 0)
                continue
            r = of(1, 1) / np.sqrt(of(2, 0) * of(0, 2))
            variance = of(2, 2) / (of(2, 0) * of(0, 2))
            variance *= 1 + r**2 / 2
            variance += r**2 / 4 * (of(4, 0) / of(2, 0) ** 2 + of(0, 4) / of(0, 2) ** 2)
            deviations = np.sqrt(of(2, 0) * of(0, 2))
            variance -= r * (of(3, 1) / of(2, 0) + of(1, 3) / of(0, 2)) / deviations
            assert correlation[0][i, j] == pytest.approx(r)
            assert correlation[1][i, j] == pytest.approx(max(variance, 0) / n, abs=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_quantiles_are_values_and_their_variances_follow_from_how_many_are_near(seed):
    rng = np.random.default_rng(seed)
    values = rng.choice([0.0, 0.5, 0.999, 1.0, 1.001, 2.0, 1000.0], (int(rng.integers(1, 12)), 2))
    values[rng.random(values.shape) < 0.2] = np.nan
    percentages = np.array([0, 5, 37, 50, 95, 100])
    found, variance = quantiles(values, percentages)
    for j, column in enumerate(values.T):
        ordered = sorted(value for value in column if value == value)
        if not ordered:
            assert np.isnan(found[:, j]).all() and not variance[:, j].any()
            continue
        reach = (ordered[-1] - ordered[0]) / 1000
        for index, percent in enumerate(percentages):
            value = ordered[(len(ordered) - 1) * percent // 100]
            assert found[index, j] == value
            near = max(sum(value - reach < each < value + reach for each in ordered), 1)
            q, n = percent / 100, len(ordered)
            density = near / n / (2 * reach) if reach else np.inf
            assert variance[index, j] == pytest.approx(q * (1 - q) / (n * density**2), rel=1e-9)
