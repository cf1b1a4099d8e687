"""Trees on binned predictors: the greedy tree by trying every split, leaves, and limits."""

import numpy as np
import pytest

from sdckit.kernels.cart import LEAF, grow, leaves, sorted_within_leaves


def error(target: np.ndarray, classes: int) -> float:
    if classes:
        return len(target) - (np.bincount(target.astype(int)) ** 2).sum() / len(target)
    return ((target - target.mean()) ** 2).sum()


def by_trying(bins, target, classes, leaf_size, min_gain=1e-8):
    """The leaves of the greedy tree as sets of records."""
    needed = min_gain * error(target, classes)

    def parts(records):
        best, chosen = needed, None
        for line in bins:
            for last in np.unique(line[records])[:-1]:
                left, right = records[line[records] <= last], records[line[records] > last]
                if min(len(left), len(right)) < leaf_size:
                    continue
                gain = error(target[records], classes) - sum(error(target[each], classes) for each in (left, right))
                if gain > best + 1e-9:
                    best, chosen = gain, (left, right)
        return [frozenset(records.tolist())] if chosen is None else [*parts(chosen[0]), *parts(chosen[1])]

    return set(parts(np.arange(len(target))))


def members(tree):
    return {
        frozenset(tree.order[tree.start[node] : tree.start[node] + tree.size[node]].tolist())
        for node in np.flatnonzero(tree.feature == LEAF)
    }


@pytest.mark.parametrize("classes", [0, 3])
@pytest.mark.parametrize("leaf_size", [1, 4, 9])
@pytest.mark.parametrize("seed", [0, 1])
def test_the_tree_is_the_one_that_the_best_splits_give(seed, leaf_size, classes):
    rng = np.random.default_rng(seed)
    bins = rng.integers(0, 7, (3, 60)).astype(np.uint8)
    noise = rng.normal(size=60)
    target = (bins[0] + bins[1] > 6) * 3.0 + (bins[2] == 4) + noise
    if classes:
        target = np.digitize(target, [0.5, 3.0]).astype(float)
    tree = grow(bins, target, classes, leaf_size)
    assert members(tree) == by_trying(bins, target, classes, leaf_size)
    assert sorted(tree.order.tolist()) == list(range(60))
    found = leaves(tree, bins)
    assert (tree.feature[found] == LEAF).all()
    assert {frozenset(np.flatnonzero(found == node).tolist()) for node in np.unique(found)} == members(tree)
    assert tree.size[np.unique(found)].min() >= leaf_size


@pytest.mark.parametrize("classes", [0, 2])
def test_a_target_that_is_far_from_zero_is_split_as_well(classes):
    bins = np.array([[1] * 5 + [2] * 5], dtype=np.uint8)
    target = np.array([0.0] * 5 + [1.0] * 5)
    tree = grow(bins, target if classes else target + 1e9, classes, 2)
    assert members(tree) == {frozenset(range(5)), frozenset(range(5, 10))}
    assert (tree.feature[0], tree.threshold[0], tree.child[0]) == (0, 1, 1)


@pytest.mark.parametrize(("bins", "target"), [([[1, 1, 1, 1]], [1.0, 2.0, 3.0, 4.0]), ([[1, 2, 3, 4]], [5.0] * 4)])
def test_a_constant_predictor_or_target_is_not_split(bins, target):
    tree = grow(np.array(bins, dtype=np.uint8), np.array(target), 0, 1)
    assert tree.feature.tolist() == [LEAF] and tree.size.tolist() == [4]


def test_a_split_must_gain_its_share_of_the_error_of_the_root():
    """The split gains 1 of 5: two groups of 2 about their means, which are 1 apart, leave 4."""
    bins, target = np.array([[1, 1, 2, 2]], dtype=np.uint8), np.array([-1.5, 0.5, -0.5, 1.5])
    assert len(grow(bins, target, 0, 1, 0.19).feature) == 3
    assert len(grow(bins, target, 0, 1, 0.21).feature) == 1


def test_records_are_put_in_the_order_of_their_values_within_each_leaf():
    rng = np.random.default_rng(2)
    bins = rng.integers(0, 5, (2, 40)).astype(np.uint8)
    values = rng.normal(size=40)
    values[::7] = np.nan
    tree = grow(bins, np.nan_to_num(values) + bins[0], 0, 5)
    ordered = sorted_within_leaves(tree, values)
    assert members(ordered) == members(tree) and len(members(tree)) > 2
    for node in np.flatnonzero(tree.feature == LEAF):
        inside = values[ordered.order[tree.start[node] : tree.start[node] + tree.size[node]]]
        seen = inside[~np.isnan(inside)]
        assert (np.diff(seen) >= 0).all() and np.isnan(inside[len(seen) :]).all()
