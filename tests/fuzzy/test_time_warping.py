"""Time warping: by comparing all alignments, by its limits, and with an objective that never rises."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdckit.fuzzy.c_means import c_means, draw_assignments
from sdckit.fuzzy.clusterings import Clustering
from sdckit.fuzzy.fuzzy_possibilistic_c_means import fuzzy_possibilistic_c_means
from sdckit.fuzzy.series import LevelsAndChanges, SeriesDistance, TimeWarping
from sdckit.fuzzy.time_warping import Warping
from sdckit.parameters import converted

WARPED = sorted(set(Clustering.variants()) - {"fuzzy-possibilistic-c-means"})


def least_cost(point, centre, window):
    """The least cost over all alignments, each tried: by recursion from the ends."""
    seen = [t for t in range(len(point)) if not np.isnan(point[t]).all()]

    def allowed(i, t):
        low = 0 if i == 0 else min(seen[i], seen[i - 1] + 1) - window
        high = len(point) if i == len(seen) - 1 else max(seen[i], seen[i + 1] - 1) + window
        return low <= t <= high

    def best(i, t):
        if i < 0 or t < 0 or not allowed(i, t):
            return np.inf
        gap = (point[seen[i]] - centre[t]) ** 2
        own = np.nansum(gap) * len(gap) / (~np.isnan(gap)).sum()
        if i == 0 and t == 0:
            return own
        return own + min(best(i - 1, t), best(i, t - 1), best(i - 1, t - 1))

    return best(len(seen) - 1, len(point) - 1)


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.integers(1, 5), st.integers(1, 2), st.integers(0, 5), st.booleans())
def test_it_is_the_least_cost_of_all_alignments(seed, times, attributes, window, holes):
    rng = np.random.default_rng(seed)
    points, centres = rng.standard_normal((4, times, attributes)), rng.standard_normal((3, times, attributes))
    if holes:
        points[rng.random(points.shape) < 0.3] = np.nan
        points[:, 0] = np.where(np.isnan(points[:, 0]), 0.5, points[:, 0])
    found = Warping(times, attributes, window).distances(points.reshape(4, -1), centres.reshape(3, -1))
    expected = [[least_cost(point, centre, window) for centre in centres] for point in points]
    assert found == pytest.approx(np.array(expected), rel=1e-10)


def test_a_series_without_any_value_has_no_distance():
    assert np.isnan(Warping(2, 1, 1).distances(np.full((1, 2), np.nan), np.zeros((1, 2)))).all()


def test_a_shifted_peak_is_near_and_without_a_window_it_is_far():
    early, late = np.array([[0.0, 5, 0, 0, 0]]), np.array([[0.0, 0, 5, 0, 0]])
    assert Warping(5, 1, 1).distances(early, late) == pytest.approx(0)
    assert Warping(5, 1, 0).distances(early, late) == pytest.approx(50)


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.sampled_from(WARPED), st.integers(0, 4), st.booleans())
def test_no_objective_ever_rises(seed, title, window, holes):
    rng = np.random.default_rng(seed)
    points, start = rng.standard_normal((30, 5)), rng.standard_normal((3, 5))
    if holes:
        points[rng.random(points.shape) < 0.2] = np.nan
    weights = rng.uniform(0, 2, 30)
    metric = Warping(5, 1, window)
    found = Clustering.from_arguments(title, []).fit(points, start, weights=weights, metric=metric, max_rounds=30)
    assert (np.diff(found.objective) <= 1e-9 * max(abs(found.objective[0]), 1.0)).all()
    assert np.isfinite(found.centres).all()


@pytest.mark.parametrize("title", WARPED)
def test_without_a_window_it_is_the_clustering_of_the_coordinates(title):
    rng = np.random.default_rng(1)
    points, start = rng.standard_normal((40, 4)), rng.standard_normal((3, 4))
    clustering = Clustering.from_arguments(title, [])
    plain, warped = clustering.fit(points, start), clustering.fit(points, start, metric=Warping(4, 1, 0))
    assert warped.centres == pytest.approx(plain.centres, abs=1e-6)
    assert warped.memberships(points) == pytest.approx(plain.memberships(points), abs=1e-6)


def test_warping_groups_series_of_the_same_shape_whose_peaks_are_shifted():
    """Ten units with one peak, ten with two, at random times: by alignment the two shapes are the clusters."""
    rng = np.random.default_rng(2)
    series = np.zeros((20, 12))
    for unit, row in enumerate(series):
        peaks = [rng.integers(1, 11)] if unit < 10 else rng.choice([[1, 5], [3, 9], [2, 8], [4, 10]])
        row[peaks] = 5.0
    shape = np.arange(20) < 10
    found = c_means(series, series[[0, 10]], 1.2, metric=Warping(12, 1, 12))
    nearest = found.memberships(series).argmax(axis=1) == 0
    assert (nearest == shape).all() or (nearest != shape).all()
    by_time = c_means(series, series[[0, 10]], 1.2).memberships(series).argmax(axis=1) == 0
    assert (by_time != shape).any() and (by_time == shape).any()


def test_centres_are_drawn_by_the_warped_memberships():
    points = np.array([[0.0, 5, 0, 0], [0.0, 0, 5, 0], [9.0, 9, 9, 9]])
    centres = np.array([[0.0, 5, 0, 0], [9.0, 9, 9, 9]])
    draws = np.array([0.3, 0.9, 0.5])
    assert draw_assignments(points, centres, 1.5, draws, Warping(4, 1, 2)).tolist() == [0, 0, 1]


def test_typicalities_over_all_records_have_no_warping():
    with pytest.raises(ValueError, match="use another clustering"):
        fuzzy_possibilistic_c_means(np.zeros((3, 2)), np.zeros((2, 2)), 2, metric=Warping(2, 1, 1))


@pytest.mark.parametrize("text", ["levels-and-changes(0.3)", "time-warping(2)", "time-warping(inf)"])
def test_a_distance_is_written_as_it_is_read(text):
    assert str(converted(text, SeriesDistance)) == text
    assert converted("0.3", SeriesDistance) == converted(0.3, SeriesDistance) == LevelsAndChanges(0.3)


@pytest.mark.parametrize("text", ["time-warping(-1)", "time-warping(1.5)", "levels-and-changes(1)", "euclid", "1+2"])
def test_a_distance_refuses_what_it_does_not_take(text):
    with pytest.raises(ValueError, match=r"distance between series|share|window|number"):
        converted(text, SeriesDistance)
    assert TimeWarping(np.inf).metric(4, 2) == Warping(4, 2, 4)
