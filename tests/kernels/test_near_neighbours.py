"""Near neighbours: the nearest records while all leaves are tried, and which leaves are."""

import numpy as np
import pytest

from sdckit.kernels import near_neighbours as module
from sdckit.kernels.near_neighbours import _closest_leaves, near_neighbours

from .both_ways import both_ways

way = both_ways(module)


@pytest.mark.parametrize("records", [1, 2, 5, 12, 140])
@pytest.mark.parametrize("count", [1, 3, 20])
def test_the_neighbours_are_the_nearest_others(records, count):
    points = np.random.default_rng(records).normal(size=(records, 2))
    found = near_neighbours(points, count)
    assert found.shape == (records, count)
    distance = ((points[:, None] - points) ** 2).sum(axis=-1)
    np.fill_diagonal(distance, np.inf)
    nearest = np.argsort(distance, axis=1)[:, : min(count, records - 1)]
    assert found[:, : records - 1].tolist() == nearest.tolist()
    assert (found[:, records - 1 :] == -1).all()


def test_among_equal_records_each_has_others_at_distance_zero():
    points = np.repeat(np.arange(4.0), 3)[:, None]
    found = near_neighbours(points, 2)
    for record, others in enumerate(found):
        assert record not in others and len(set(others.tolist())) == 2
        assert (points[others] == points[record]).all()


@pytest.mark.parametrize("records", [1, 7, 300])
def test_ties_go_to_the_lowest_record(records):
    points = np.random.default_rng(records).integers(0, 3, (records, 3)).astype(np.float64)
    distance = ((points[:, None] - points) ** 2).sum(axis=-1)
    for record, others in enumerate(near_neighbours(points, 5)):
        nearest = np.lexsort((np.arange(records), distance[record]))[:6]
        expected = nearest[nearest != record][:5].tolist()
        assert others.tolist() == expected + [-1] * (5 - len(expected))


def test_the_own_leaf_is_first_and_then_the_closest_ones(monkeypatch):
    for seed in range(30):
        rng = np.random.default_rng(seed)
        leaves, tried = int(rng.integers(1, 9)), int(rng.integers(1, 6))
        monkeypatch.setattr(module, "LEAVES_TRIED", tried)
        centres = rng.permutation(20)[:leaves].reshape(1, -1) + rng.random((2, leaves))
        leaf = int(rng.integers(leaves))
        order = np.argsort(((centres - centres[:, [leaf]]) ** 2).sum(axis=0))
        closest = _closest_leaves(centres)[leaf]
        assert closest.tolist() == order[: tried + 1 if leaves > tried else None].tolist()


def test_of_leaves_at_one_distance_no_more_are_tried(monkeypatch):
    monkeypatch.setattr(module, "LEAVES_TRIED", 2)
    centres = np.array([[0.0, 1.0, -1.0, 1.0, -1.0, 0.0]])
    closest = _closest_leaves(centres)[5]
    assert closest[:2].tolist() == [5, 0] and len(closest) == 3


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
