"""Fuzzy c-medoids: by comparing all records, limits, missing values, and an objective that never rises."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdckit.fuzzy.c_means import memberships
from sdckit.fuzzy.c_medoids import Medoids, c_medoids
from sdckit.fuzzy.clusterings import Clustering
from sdckit.fuzzy.mixed_points import MixedPoints


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.sampled_from([1.0, 1.3, 2.0, np.inf]))
def test_a_step_takes_the_record_with_the_least_sum_of_weighted_distances(seed, m):
    rng = np.random.default_rng(seed)
    points, weights = rng.standard_normal((25, 2)), rng.uniform(0.1, 3, 25)
    start = points[:3]
    found = c_medoids(points, start, m, weights=weights, max_rounds=1).centres
    influence = memberships(points, start, m) ** (m if np.isfinite(m) else 1) * weights[:, None]
    between = ((points[:, None] - points[None]) ** 2).sum(axis=2)
    cost = influence.T @ between
    for cluster, centre in enumerate(found):
        own = np.flatnonzero((points == centre).all(axis=1))[0]
        assert cost[cluster, own] == pytest.approx(cost[cluster].min(), rel=1e-9)


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.sampled_from(sorted(Clustering.variants())), st.booleans())
def test_no_objective_rises_and_every_centre_is_a_record(seed, title, categories):
    rng = np.random.default_rng(seed)
    points = rng.standard_normal((30, 2))
    if categories:
        points = MixedPoints.of(points, rng.integers(0, 3, (30, 2))).points
    medoids = Medoids(points)
    start = medoids.nearest(points[:4])
    found = Clustering.from_arguments(title, []).fit(points, start, adjust=medoids.nearest)
    assert (np.diff(found.objective) <= 1e-9 * max(abs(found.objective[0]), 1.0)).all()
    assert all((points == centre).all(axis=1).any() for centre in found.centres)


@settings(max_examples=30)
@given(st.integers(0, 10**6))
def test_with_missing_values_no_objective_rises_and_centres_are_complete_records(seed):
    rng = np.random.default_rng(seed)
    points = rng.standard_normal((40, 3))
    points[rng.random(points.shape) < 0.15] = np.nan
    found = c_medoids(points, points[~np.isnan(points).any(axis=1)][:3], 1.4)
    assert (np.diff(found.objective) <= 1e-9 * found.objective[0]).all()
    assert all((points == centre).all(axis=1).any() for centre in found.centres)


def test_where_every_record_has_a_missing_value_centres_are_filled():
    points = np.array([[1.0, np.nan], [1.2, np.nan], [np.nan, 3.0], [np.nan, 3.2]])
    found = c_medoids(points, np.array([[1.0, 0.0], [0.0, 3.0]]), 1)
    assert np.isfinite(found.centres).all()


def test_the_median_of_an_odd_number_and_a_constant_file():
    values = np.array([[1.0], [2.0], [4.0]])
    assert c_medoids(values, values[:1], 2).centres.ravel() == pytest.approx([2.0])
    assert c_medoids(np.ones((5, 2)), np.ones((2, 2)), 1.5).centres == pytest.approx(np.ones((2, 2)))
