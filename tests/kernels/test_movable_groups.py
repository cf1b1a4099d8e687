"""Groups between which records move: the error by definition after every move, and back again."""

import numpy as np
import pytest

from sdckit.kernels.movable_groups import (
    cost_of_joining,
    error,
    gain_of_leaving,
    movable_groups,
    move,
    take_back,
)
from sdckit.kernels.partitions import within_group_sum_of_squares

GROUP_SIZE = 3


def started(records: int = 14):
    points = np.random.default_rng(records).normal(size=(records, 2))
    labels = np.minimum(np.arange(records) // GROUP_SIZE, records // GROUP_SIZE - 1)
    return points, movable_groups(points, labels, GROUP_SIZE)


@pytest.mark.slow
def test_a_move_changes_the_error_by_what_it_says_and_can_be_undone():
    points, groups = started()
    rng = np.random.default_rng(1)
    before = groups.labels.copy()
    for _ in range(60):
        record, target = rng.integers(len(points)), rng.integers(len(groups.size))
        if target == groups.labels[record] or groups.size[target] == 2 * GROUP_SIZE:
            continue
        left = error(groups)
        expected = cost_of_joining(groups, record, target) - gain_of_leaving(groups, record)
        change = move(groups, record, target)
        assert change == pytest.approx(expected)
        assert error(groups) == pytest.approx(left + change)
        assert error(groups) == pytest.approx(within_group_sum_of_squares(points, groups.labels))
        for group in range(len(groups.size)):
            members = groups.members[group, : groups.size[group]]
            assert sorted(members.tolist()) == np.flatnonzero(groups.labels == group).tolist()
    assert groups.moves[0] > 30
    take_back(groups, 0)
    assert groups.labels.tolist() == before.tolist()
    assert error(groups) == pytest.approx(within_group_sum_of_squares(points, before))


def test_a_group_that_all_have_left_is_free_to_join():
    _, groups = started()
    for record in range(GROUP_SIZE):
        move(groups, record, 1)
    assert groups.size[0] == 0 and np.isfinite(groups.centroid).all()
    assert cost_of_joining(groups, 5, 0) == 0
    leaving = gain_of_leaving(groups, 5)
    assert leaving > 0 and move(groups, 5, 0) == -leaving
    assert gain_of_leaving(groups, 5) == 0
    take_back(groups, 1)
    assert groups.labels[:3].tolist() == [1, 0, 0]


def test_fewer_groups_than_there_is_room_for_leave_one_free():
    groups = movable_groups(np.arange(4.0)[:, None], np.zeros(4, dtype=np.int64), 2)
    assert groups.size.tolist() == [4, 0]
    assert groups.centroid.tolist() == [[1.5], [0.0]]
