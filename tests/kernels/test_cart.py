"""Trees on binned predictors: the greedy tree by trying every split, leaves, and limits."""

import numpy as np
import pytest

from sdckit.kernels.cart import BINS, LEAF, _best_split, _error, grow, leaves, sorted_within_leaves


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


def gain_of(line, target, classes, last):
    """How much a split lowers the error; None where a side is empty."""
    left, right = target[line <= last], target[line > last]
    if not len(left) or not len(right):
        return None
    return error(target, classes) - error(left, classes) - error(right, classes)


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("classes", [0, 3])
@pytest.mark.parametrize("seed", range(25))
def test_the_error_and_the_best_split_of_some_records_are_those_of_the_definition(seed, classes):
    """Of equal gains the first bin is taken."""
    rng = np.random.default_rng(seed)
    line = rng.choice([0, 1, 2, BINS - 1], 9).astype(np.uint8)
    target, order = rng.integers(0, 3, 9).astype(float), rng.permutation(9)
    first, end = sorted(rng.choice(10, 2, replace=False).tolist())
    inside = order[first:end]
    whole = np.full(max(classes, 1), 7.0)
    found = _error(target, order, first, end, classes, whole)
    assert found == pytest.approx(error(target[inside], classes), abs=1e-12)
    expected = np.bincount(target[inside].astype(int), minlength=3) if classes else [target[inside].sum()]
    assert whole.tolist() == list(expected)
    for leaf_size in (1, 2, 3):
        number, sums, left = np.zeros(BINS, np.int64), np.zeros((BINS, len(whole))), np.empty(len(whole))
        gain, split = _best_split(line, target, order, first, end, classes, leaf_size, number, sums, left, whole)
        assert not number.any() and not sums.any()
        tried = {}
        for last in np.unique(line[inside])[:-1]:
            smaller = min((line[inside] <= last).sum(), (line[inside] > last).sum())
            if smaller >= leaf_size:
                tried[int(last)] = gain_of(line[inside], target[inside], classes, last)
        best = max(tried.values(), default=0.0)
        assert gain == pytest.approx(best, abs=1e-9)
        if best > 1e-9:
            assert split == next(last for last, value in tried.items() if value > best - 1e-9)
        elif not tried:
            assert split == -1


@pytest.mark.parametrize("classes", [0, 3])
@pytest.mark.parametrize("leaf_size", [1, 2, 3])
@pytest.mark.parametrize("seed", range(8))
def test_nodes_have_the_records_that_their_splits_send_there(seed, leaf_size, classes):
    rng = np.random.default_rng(seed)
    count = int(rng.integers(1, 15))
    bins, target = rng.integers(0, 4, (2, count)).astype(np.uint8), rng.integers(0, 3, count).astype(float)
    tree = grow(bins, target, classes, leaf_size)
    inside, waiting = {0: np.arange(count)}, 1
    for node in range(len(tree.feature)):
        records = inside[node]
        assert tree.order[tree.start[node] : tree.start[node] + tree.size[node]].tolist() == sorted(
            records.tolist(), key=tree.order.tolist().index
        )
        assert tree.size[node] == len(records)
        own = error(target[records], classes)
        gains = [
            value
            for line in bins
            for last in np.unique(line[records])[:-1]
            if min((line[records] <= last).sum(), (line[records] > last).sum()) >= leaf_size
            and (value := gain_of(line[records], target[records], classes, last)) is not None
        ]
        if tree.feature[node] == LEAF:
            assert max(gains, default=0.0) <= 1e-8 * max(error(target, classes), 1e-9) + 1e-9 or own <= 1e-9
            assert leaves(tree, bins)[records].tolist() == [node] * len(records)
            continue
        line, last = bins[tree.feature[node]], tree.threshold[node]
        assert gain_of(line[records], target[records], classes, last) == pytest.approx(max(gains))
        assert tree.child[node] == waiting
        inside[waiting], inside[waiting + 1] = records[line[records] <= last], records[line[records] > last]
        assert (tree.start[waiting], tree.start[waiting + 1]) == (
            tree.start[node],
            tree.start[node] + len(inside[waiting]),
        )
        waiting += 2
    assert waiting == len(tree.feature)
