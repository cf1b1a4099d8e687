"""A shrinking set answers as a plain scan of its members would."""

import numpy as np
import pytest

from sdckit.kernels import shrinking_set as module
from sdckit.kernels.shrinking_set import (
    LEAF,
    nearest,
    nearest_and_farthest,
    nearest_in_leaves,
    remove,
    shrinking_set,
    squared_distance,
    tighten,
)


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
        if leaving % 5 == 0:
            tighten(members)


def test_a_part_of_the_records_is_a_set_too():
    points = np.arange(10.0).reshape(-1, 1)
    members = shrinking_set(points, np.array([1, 4, 8]))
    assert nearest(members, np.array([5.0]), 2).tolist() == [4, 8]


def test_a_squared_distance_by_hand():
    assert squared_distance(np.array([1.0, -2.0, 5.0]), np.array([3.0, 1.0, 5.0])) == 4 + 9


def leaves_of(members):
    """The records of each leaf."""
    return [leaf[:filled].tolist() for leaf, filled in zip(members.members, members.filled, strict=True)]


@pytest.mark.parametrize("records", [1, 2, LEAF - 1, LEAF, LEAF + 1, 2 * LEAF, 2 * LEAF + 5])
def test_every_record_is_in_one_leaf_inside_its_box_and_found_by_its_slot(records):
    points = np.random.default_rng(records).integers(0, 9, (records + 3, 2)).astype(float)
    chosen = np.delete(np.arange(records + 3), [0, records // 2, records + 2])
    members = shrinking_set(points, chosen)
    listed = leaves_of(members)
    assert sorted(record for leaf in listed for record in leaf) == chosen.tolist()
    assert len(listed) == -(-records // LEAF)
    for leaf, inside in enumerate(listed):
        scaled = (points[inside] * members.scale).astype(np.float32)
        assert members.low[:, leaf].tolist() == scaled.min(axis=0).tolist()
        assert members.high[:, leaf].tolist() == scaled.max(axis=0).tolist()
        assert np.array_equal(members.rounded[leaf, :, : len(inside)].T, scaled)
        assert members.slot[inside].tolist() == [leaf * LEAF + position for position in range(len(inside))]
    assert (members.slot[[0, records // 2, records + 2]] == -1).all()


def test_who_leaves_is_replaced_by_the_last_of_the_leaf():
    points = np.random.default_rng(5).normal(size=(2 * LEAF, 3))
    members = shrinking_set(points, np.arange(2 * LEAF))
    expected = leaves_of(members)
    for leaf, position in ((1, 3), (1, LEAF - 2), (0, 0), (1, 0)):
        gone = expected[leaf][position]
        remove(members, gone)
        last = expected[leaf].pop()
        if position < len(expected[leaf]):
            expected[leaf][position] = last
        assert leaves_of(members) == expected
        assert members.slot[gone] == -1
        for number, inside in enumerate(expected):
            assert members.slot[inside].tolist() == [number * LEAF + at for at in range(len(inside))]
            scaled = (points[inside] * members.scale).astype(np.float32)
            assert np.array_equal(members.rounded[number, :, : len(inside)].T, scaled)


def test_a_tightened_set_is_enclosed_as_a_new_one_and_an_empty_leaf_keeps_its_box():
    points = np.random.default_rng(6).normal(size=(3 * LEAF, 2))
    members = shrinking_set(points, np.arange(len(points)))
    emptied, thinned, whole = leaves_of(members)
    box = members.low[:, 0].copy()
    for record in (*emptied, *thinned[::2]):
        remove(members, record)
    tighten(members)
    for leaf, inside in ((1, thinned[1::2]), (2, whole)):
        scaled = (points[inside] * members.scale).astype(np.float32)
        assert members.low[:, leaf].tolist() == scaled.min(axis=0).tolist()
        assert members.high[:, leaf].tolist() == scaled.max(axis=0).tolist()
        assert members.centre[:, leaf] == pytest.approx(scaled.mean(axis=0), rel=1e-5)
        assert members.radius[leaf] == pytest.approx(
            np.linalg.norm(scaled - scaled.mean(axis=0), axis=1).max(), rel=1e-5
        )
    assert members.low[:, 0].tolist() == box.tolist()
    found, farthest = nearest_and_farthest(members, points[emptied[0]], 5)
    by_distance, expected = scan(points, np.sort([*thinned[1::2], *whole]), points[emptied[0]])
    assert found.tolist() == by_distance[:5].tolist() and farthest == expected


def test_fewer_members_than_asked_are_padded_and_none_are_asked():
    members = shrinking_set(np.array([[0.0], [4.0], [1.0]]), np.arange(3))
    assert nearest(members, np.array([0.4]), 5).tolist() == [0, 2, 1, -1, -1]
    found, farthest = nearest_and_farthest(members, np.array([3.0]), 0)
    assert len(found) == 0 and farthest == 0
    for record in range(3):
        remove(members, record)
    found, farthest = nearest_and_farthest(members, np.array([3.0]), 1)
    assert found.tolist() == [-1] and farthest == -1


@pytest.mark.parametrize("dimensions", [1, 2, 3])
def test_bounds_are_the_nearest_point_of_each_box_and_the_far_side_of_each_ball_or_less(dimensions):
    rng = np.random.default_rng(dimensions)
    points = rng.integers(0, 9, (3 * LEAF, dimensions)).astype(float)
    members = shrinking_set(points, np.arange(len(points)))
    for query in rng.integers(-2, 12, (20, dimensions)) * members.scale:
        query = query.astype(np.float32)
        least, greatest = module._bounds.py_func(members, query, True)
        for leaf in range(3):
            inside = members.rounded[leaf, :, : members.filled[leaf]]
            nearest_point = np.clip(query, inside.min(axis=1), inside.max(axis=1))
            assert least[leaf] == pytest.approx(((query - nearest_point) ** 2).sum(), rel=1e-5)
            centre = inside.mean(axis=1)
            radius = np.sqrt(((inside.T - centre) ** 2).sum(axis=1).max())
            from_centre, from_middle = np.linalg.norm(query - centre), np.linalg.norm(query - members.middle)
            farthest = (np.linalg.norm(inside.T - members.middle, axis=1) ** 2).max()
            excess = farthest - np.linalg.norm(centre - members.middle) ** 2
            by_middle = from_centre**2 + excess + 2 * radius * from_middle
            assert greatest[leaf] == pytest.approx(min((from_centre + radius) ** 2, by_middle), rel=1e-4)
            distances = ((inside.T - query) ** 2).sum(axis=1)
            assert least[leaf] <= distances.min() * (1 + 1e-6) and greatest[leaf] >= distances.max() * (1 - 1e-6)
        again, none = module._bounds.py_func(members, query, False)
        assert again.tolist() == least.tolist() and len(none) == 0


@pytest.mark.parametrize(
    ("offset", "width"),
    [(0, 1), (1e6, 1e-6), (-1e9, 1e-3), (0, 1e-200), (0, 1e-320), (3e5, 1e120)],
    ids=str,
)
@pytest.mark.parametrize("outside", [0, 1e-9, 1e3, 1e30])
def test_what_single_precision_cannot_tell_apart_is_told_apart(offset, width, outside):
    rng = np.random.default_rng(7)
    points = offset + width * rng.uniform(-0.1, 0.1, (300, 4))
    points[100:120] = points[:20]
    points[200:] = offset + width * (0.05 + 1e-9 * rng.normal(size=(100, 4)))
    members = shrinking_set(points, np.arange(300))
    for record in range(0, 300, 7):
        query = points[record] + outside * width * rng.normal(size=4)
        by_distance, farthest = scan(points, np.arange(300), query)
        found, opposite = nearest_and_farthest(members, query, 9)
        assert found.tolist() == by_distance[:9].tolist()
        assert opposite == farthest
        assert nearest(members, query, 9).tolist() == by_distance[:9].tolist()


@pytest.mark.parametrize("dimensions", [1, 2, 3, 4])
def test_in_some_leaves_the_nearest_of_their_members_are_found(dimensions):
    rng = np.random.default_rng(dimensions)
    points = rng.integers(0, 4, (4 * LEAF - 7, dimensions)).astype(float)
    members = shrinking_set(points, np.arange(len(points)))
    for _ in range(8):
        leaves = rng.permutation(4)[: rng.integers(1, 5)]
        count = int(rng.integers(1, 2 * LEAF))
        inside = np.sort(np.concatenate([leaves_of(members)[leaf] for leaf in leaves]))
        query = rng.integers(0, 4, dimensions).astype(float)
        expected = scan(points, inside, query)[0][:count].tolist()
        found = nearest_in_leaves(members, query, count, leaves)
        assert found.tolist() == expected + [-1] * (count - len(expected))
