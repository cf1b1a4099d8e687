"""Robust covariance: near the classical one without outliers, and unmoved by a third of outliers."""

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import chi2

from sdckit.kernels.robust_covariance import (
    RobustEstimate,
    _concentrated,
    _scales,
    _size,
    _starts,
    estimate_of_observed,
    robust_estimate,
)


def normal(records: int = 600) -> np.ndarray:
    rng = np.random.default_rng(5)
    return rng.multivariate_normal([1.0, -2.0, 3.0], [[4, 1, 0], [1, 2, 0.5], [0, 0.5, 1]], records)


def test_a_normal_sample_has_the_classical_estimate_nearly():
    found, values = robust_estimate(normal()), normal()
    assert found.centre == pytest.approx(values.mean(axis=0), abs=0.15)
    assert found.covariance == pytest.approx(np.cov(values.T), abs=0.6)


def test_a_third_of_outliers_has_no_influence():
    values = normal()
    spoiled = values.copy()
    spoiled[:200] += 1e4
    kept, found = robust_estimate(values[200:]), robust_estimate(spoiled)
    assert found.centre == pytest.approx(kept.centre, abs=0.3)
    assert np.linalg.norm(found.covariance) < 2 * np.linalg.norm(kept.covariance)
    assert found.squared_distances(spoiled)[:200].min() > found.squared_distances(spoiled)[200:].max()


def test_units_do_not_matter():
    values = normal(200)
    units = np.array([1.0, 1000.0, 0.01])
    distances = (robust_estimate(each).squared_distances(each) for each in (values, values * units))
    assert np.allclose(*distances)


@pytest.mark.parametrize("values", [np.ones((5, 2)), np.zeros((1, 3)), np.column_stack([np.arange(9.0)] * 2)])
def test_constant_few_and_collinear_records_have_finite_distances(values):
    assert np.isfinite(robust_estimate(values).squared_distances(values)).all()


def test_a_missing_value_adds_nothing_to_the_distance():
    values = normal(80)
    values[::3, 1] = np.nan
    values[::5, 2] = np.nan
    estimate = estimate_of_observed(values)
    found = estimate.squared_distances(estimate.completed(values))
    for row, distance in zip(values, found, strict=True):
        seen = ~np.isnan(row)
        gap = row[seen] - estimate.centre[seen]
        assert distance == pytest.approx(gap @ np.linalg.inv(estimate.covariance[np.ix_(seen, seen)]) @ gap)


def test_records_that_all_lack_a_value_still_have_an_estimate():
    values = normal(60)
    values[np.arange(60), np.arange(60) % 3] = np.nan
    estimate = estimate_of_observed(values)
    assert np.isfinite(estimate.covariance).all()
    assert np.isfinite(estimate.completed(values)).all()


def test_few_records_have_the_classical_estimate():
    values = normal(6)
    found = robust_estimate(values)
    assert found.centre == pytest.approx(values.mean(axis=0))
    assert found.covariance == pytest.approx(np.cov(values.T))


@pytest.mark.parametrize(
    ("records", "complete", "enough"), [(20, 7, True), (20, 6, False), (100, 21, True), (100, 20, False)]
)
def test_complete_records_decide_alone_from_a_fifth_and_twice_the_attributes_on(records, complete, enough):
    values = normal(records)
    values[complete:, 1] = np.nan
    alone = robust_estimate(values[:complete])
    filled = robust_estimate(np.where(np.isnan(values), np.nanmedian(values, axis=0), values))
    found = estimate_of_observed(values)
    assert found.centre.tolist() == (alone if enough else filled).centre.tolist()
    assert found.covariance.tolist() == (alone if enough else filled).covariance.tolist()


@pytest.mark.parametrize(
    "column",
    [[50, 15, 6, 17, 24, 48, 27], [51, 38, 30, 16, 18, 2, 4, 0], [32, 34, 49, 25, 46, 5, 31, 20, 0, 37]],
)
def test_the_half_of_the_smallest_variance_is_found_by_trying_all(column):
    """Of n numbers (n + 2) / 2 decide; those within the 97.5 % quantile about them give the estimate."""
    values = np.array(column, dtype=float)
    halves = [values[list(each)] for each in combinations(range(len(values)), (len(values) + 2) // 2)]
    half = min(halves, key=np.var)
    distances = (values - half.mean()) ** 2
    edge = chi2.ppf(0.975, 1)
    inner = values[distances <= edge * np.median(distances) / chi2.ppf(0.5, 1)]
    found = robust_estimate(values[:, None])
    assert found.centre == pytest.approx(inner.mean())
    assert found.covariance[0] == pytest.approx(inner.var(ddof=1) * 0.975 / chi2.cdf(edge, 3))


@pytest.mark.parametrize(("variances", "determinant"), [([4.0, 2.0], 8.0), ([4.0, 0.0], 16e-9), ([4.0, 4e-9], 16e-9)])
def test_the_size_is_the_determinant_with_a_floor_under_its_factors(variances, determinant):
    found = np.exp(_size(RobustEstimate(np.zeros(2), np.diag(variances))))
    assert found == pytest.approx(determinant)
    assert np.isfinite(_size(RobustEstimate(np.zeros(2), np.zeros((2, 2)))))


def test_scales_are_median_deviations_or_what_is_left_of_them():
    values = np.array([[0.0, 0.0, 5.0], [1.0, 0.0, 5.0], [3.0, 0.0, 5.0], [9.0, 4.0, 5.0]])
    assert _scales(values).tolist() == [1.5, pytest.approx(np.sqrt(3.0)), 1.0]


def test_starts_are_the_halves_nearest_to_the_medians():
    for seed in range(10):
        scaled = np.random.default_rng(seed).normal(size=(9, 3))
        gaps = np.abs(scaled - np.median(scaled, axis=0))
        by_sum, by_largest = _starts(scaled, 5)
        assert by_sum.tolist() == sorted(range(9), key=lambda row: sum(gaps[row] ** 2))[:5]
        assert by_largest.tolist() == sorted(range(9), key=lambda row: max(gaps[row]))[:5]


def test_a_concentrated_half_is_the_half_that_is_nearest_to_its_own_estimate():
    for seed in range(10):
        scaled = np.random.default_rng(seed).normal(size=(13, 2))
        start = np.random.default_rng(seed).permutation(13)[:8]
        found = _concentrated(scaled, start, 8)
        nearest = scaled[np.argsort(found.squared_distances(scaled))[:8]]
        assert found.centre == pytest.approx(nearest.mean(axis=0))
        assert found.covariance == pytest.approx(np.cov(nearest.T))
        assert np.linalg.det(found.covariance) <= np.linalg.det(np.cov(scaled[start].T)) + 1e-12


def test_distances_are_those_of_mahalanobis_and_whitened_records_have_the_identity():
    values = normal(50)
    estimate = RobustEstimate(values.mean(axis=0), np.cov(values.T))
    gaps = values - estimate.centre
    expected = np.einsum("ij,jk,ik->i", gaps, np.linalg.inv(estimate.covariance), gaps)
    assert estimate.squared_distances(values) == pytest.approx(expected)
    assert np.cov(estimate.whitened(values).T) == pytest.approx(np.eye(3), abs=1e-12)


@pytest.mark.parametrize(("records", "classical"), [(6, True), (7, False)])
def test_up_to_twice_as_many_records_as_attributes_have_the_classical_estimate(records, classical):
    values = normal(records)
    values[0] += 1e6
    assert (robust_estimate(values).covariance == pytest.approx(np.cov(values.T))) == classical
