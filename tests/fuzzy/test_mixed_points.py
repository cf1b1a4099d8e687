"""Numbers and categories as points: distances, modes, and an objective that never rises."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdckit.fuzzy.c_means import c_means
from sdckit.fuzzy.clusterings import Clustering
from sdckit.fuzzy.mixed_points import MixedPoints


def test_two_different_categories_are_at_a_squared_distance_of_1_and_a_missing_one_is_halfway():
    mixed = MixedPoints.of(np.zeros((3, 1)), np.array([[0], [4], [-1]]))
    distance = ((mixed.points[:, None] - mixed.points[None]) ** 2).sum(axis=2)
    assert distance == pytest.approx(np.array([[0, 1, 0.5], [1, 0, 0.5], [0.5, 0.5, 0]]))


def test_a_centre_takes_the_category_with_the_greatest_weight():
    mixed = MixedPoints.of(np.array([[1.0], [2.0], [6.0]]), np.array([[7], [7], [9]]))
    centre = mixed.with_modes(mixed.points.mean(axis=0)[None])
    assert centre[0, 0] == pytest.approx(3)
    assert mixed.codes(centre).tolist() == [[7]]


def test_an_attribute_without_any_category_stays_missing():
    mixed = MixedPoints.of(np.zeros((2, 1)), np.full((2, 1), -1))
    assert mixed.codes(mixed.with_modes(mixed.points)).tolist() == [[-1], [-1]]


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.sampled_from(sorted(Clustering.variants())))
def test_no_objective_rises_and_every_centre_has_a_category(seed, title):
    rng = np.random.default_rng(seed)
    mixed = MixedPoints.of(rng.standard_normal((30, 2)), rng.integers(-1, 4, (30, 2)))
    start = mixed.with_modes(mixed.points[:4])
    found = Clustering.from_arguments(title, []).fit(mixed.points, start, adjust=mixed.with_modes)
    scale = max(abs(found.objective[0]), 1.0)
    assert (np.diff(found.objective) <= 1e-9 * scale).all()
    assert (mixed.codes(found.centres) >= 0).all()


def test_crisp_clusters_of_categories_alone_are_k_modes():
    codes = np.array([[0, 0], [0, 0], [0, 1], [1, 2], [1, 2], [2, 2]])
    mixed = MixedPoints.of(np.empty((6, 0)), codes)
    found = c_means(mixed.points, mixed.points[[0, 5]], 1, adjust=mixed.with_modes)
    assert mixed.codes(found.centres).tolist() == [[0, 0], [1, 2]]
