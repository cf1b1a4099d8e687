"""A shrinking set answers as a plain scan of its members would."""

import numpy as np
import pytest

from sdckit.kernels.near_neighbours import near_neighbours
from sdckit.kernels.shrinking_set import nearest, nearest_and_farthest, remove, shrinking_set, squared_distance


def scan(points, present, query):
    """The members by distance, ties to the lowest record; and the farthest."""
    distances = np.zeros(len(present))
    for column, here in zip(points[present].T, query, strict=True):
        distances = distances + (column - here) ** 2
    return present[np.argsort(distances, kind="stable")], present[np.argmax(distances)]


@pytest.mark.parametrize("dimensions", [1, 2, 3, 6])
@pytest.mark.parametrize("rounded", [False, True])
def test_answers_are_those_of_a_plain_scan_while_records_leave(dimensions, rounded):
    rng = np.random.default_rng(dimensions)
    points = rng.normal(size=(400, dimensions))
    points = points.round() if rounded else points
    present = np.arange(400)
    members = shrinking_set(points, present)
    for leaving in rng.permutation(400)[:390]:
        query = points[leaving]
        by_distance, farthest = scan(points, present, query)
        assert np.array_equal(nearest(members, query, 7), by_distance[:7])
        found, opposite = nearest_and_farthest(members, query, 3)
        assert np.array_equal(found, by_distance[:3])
        assert opposite == farthest
        remove(members, leaving)
        present = present[present != leaving]


def test_a_part_of_the_records_is_a_set_too():
    points = np.arange(10.0).reshape(-1, 1)
    members = shrinking_set(points, np.array([1, 4, 8]))
    assert nearest(members, np.array([5.0]), 2).tolist() == [4, 8]


def test_near_neighbours_of_a_small_file_are_the_nearest():
    points = np.random.default_rng(0).normal(size=(500, 4))
    distances = ((points[:, None] - points) ** 2).sum(axis=2)
    np.fill_diagonal(distances, np.inf)
    assert np.array_equal(near_neighbours(points, 6), np.argsort(distances, axis=1)[:, :6])


def test_in_a_large_file_most_near_neighbours_are_the_nearest():
    points = np.random.default_rng(0).normal(size=(6000, 2))
    found = near_neighbours(points, 5)
    some = np.arange(0, 6000, 60)
    distances = ((points[some, None] - points) ** 2).sum(axis=2)
    nearest_five = np.argsort(distances, axis=1)[:, 1:6]
    assert (
        np.mean([np.isin(found[record], five).mean() for record, five in zip(some, nearest_five, strict=True)]) > 0.95
    )


def test_records_without_enough_others_have_gaps():
    assert near_neighbours(np.array([[0.0], [1.0], [3.0]]), 4).tolist() == [
        [1, 2, -1, -1],
        [0, 2, -1, -1],
        [1, 0, -1, -1],
    ]


def test_a_squared_distance_by_hand():
    assert squared_distance(np.array([1.0, -2.0, 5.0]), np.array([3.0, 1.0, 5.0])) == 4 + 9
