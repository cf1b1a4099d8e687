"""The tree of boxes over numbers and categories: its boxes, distances by definition, and bounds that hold."""

import numpy as np
import pytest

from sdckit.kernels.mixed_tree import (
    ABSENT,
    LEAF,
    MIXED,
    MixedRecords,
    Trees,
    category_distance,
    category_distances,
    distance,
    distance_to_box,
    mixed_tree,
    observed,
)

# Two attributes: regions of three levels (root, 2 parts, 4 places), and three plain categories.
PATHS = [[], [0], [1], [0, 0], [0, 1], [1, 0], [1, 1]], [[], [0], [1], [2]]
TREES = Trees.of([(PATHS[0], 2), (PATHS[1], 1)])
NODES = range(7), range(7, 11)


def by_paths(attribute, one, other):
    """One minus the depth of the lowest common ancestor over the height; 0 for an ancestor or the node itself."""
    first, second = (PATHS[attribute][node - NODES[attribute].start] for node in (one, other))
    common = 0
    for a, b in zip(first, second, strict=False):
        if a != b:
            break
        common += 1
    return 0.0 if common in (len(first), len(second)) else 1 - common / (2, 1)[attribute]


def records(rng, count, holes=0.2):
    numbers = rng.integers(0, 4, (count, 2)) / 4
    numbers[rng.random(numbers.shape) < holes] = np.nan
    nodes = np.column_stack([rng.integers(each.start, each.stop, count) for each in NODES]).astype(np.int32)
    nodes[rng.random(nodes.shape) < holes] = -1
    return MixedRecords(numbers, nodes)


def test_trees_number_their_nodes_one_after_the_other():
    assert TREES.paths.tolist() == [([*path, -1, -1])[:2] for path in (*PATHS[0], *PATHS[1])]
    assert TREES.depths.tolist() == [0, 1, 1, 2, 2, 2, 2, 0, 1, 1, 1]
    assert TREES.heights.tolist() == [2, 1]
    assert Trees.of([]).paths.shape == (0, 0)


@pytest.mark.parametrize("attribute", [0, 1])
def test_categories_are_as_far_as_their_lowest_common_ancestor_is_high(attribute):
    nodes = np.array(NODES[attribute])
    for one in nodes:
        expected = [by_paths(attribute, one, other) for other in nodes]
        assert [category_distance(TREES, one, other, attribute) for other in nodes] == expected
        assert category_distances(TREES, one, nodes, attribute).tolist() == expected


def test_observed_attributes_are_counted_and_at_least_one():
    known = MixedRecords(
        np.array([[0.5, np.nan], [np.nan, np.nan], [1.0, 2.0]]), np.array([[3, -1], [-1, -1], [0, 7]], dtype=np.int32)
    )
    assert [observed.py_func(known, record) for record in range(3)] == [2, 1, 4]


def check_box(tree, given, box):
    """The ends, categories and holes of a box, and its halves; returns the boxes below it, itself included."""
    rows = tree.order[tree.start[box] : tree.stop[box]]
    numbers, nodes = given.numbers[rows], given.nodes[rows]
    for j, column in enumerate(numbers.T):
        seen = column[~np.isnan(column)]
        assert tree.low[box, j] == min(seen, default=np.inf) and tree.high[box, j] == max(seen, default=-np.inf)
        assert tree.missing[box, j] == (len(seen) < len(column))
    for j, column in enumerate(nodes.T):
        seen = set(column[column >= 0].tolist())
        assert tree.shared_category[box, j] == (ABSENT if not seen else seen.pop() if len(seen) == 1 else MIXED)
        assert tree.missing[box, 2 + j] == (column < 0).any()
    ranges = [max(high - low, 0.0) for low, high in zip(tree.low[box], tree.high[box], strict=True)]
    ranges += [float(len(set(column[column >= 0].tolist())) > 1) for column in nodes.T]
    if tree.right[box] < 0:
        assert len(rows) <= LEAF or max(ranges) == 0
        return [box]
    assert len(rows) > LEAF and max(ranges) > 0
    left, right = box + 1, tree.right[box]
    assert tree.start[left] == tree.start[box] and tree.stop[right] == tree.stop[box]
    assert tree.stop[left] == tree.start[right] == tree.start[box] + len(rows) // 2
    widest = int(np.argmax(ranges))
    keys = numbers[:, widest] if widest < 2 else nodes[:, widest - 2]
    keys = np.where(np.isnan(keys), np.inf, keys)  # missing numbers come last
    assert keys[: len(rows) // 2].max() <= keys[len(rows) // 2 :].min()
    return [box, *check_box(tree, given, left), *check_box(tree, given, right)]


@pytest.mark.parametrize("count", [0, 1, LEAF, LEAF + 1, 2 * LEAF + 1, 50])
@pytest.mark.parametrize("holes", [0.0, 0.3, 1.0])
def test_boxes_are_halved_at_the_median_of_the_widest_attribute(count, holes):
    given = records(np.random.default_rng(count), count, holes)
    tree = mixed_tree(given)
    assert sorted(tree.order.tolist()) == list(range(count))
    assert np.array_equal(tree.numbers, given.numbers[tree.order], equal_nan=True)
    assert np.array_equal(tree.nodes, given.nodes[tree.order])
    assert (tree.start[0], tree.stop[0]) == (0, count)
    assert sorted(check_box(tree, given, 0)) == list(range(len(tree.start)))


def test_equal_records_are_one_leaf_however_many():
    tree = mixed_tree(MixedRecords(np.ones((3 * LEAF, 1)), np.full((3 * LEAF, 1), 8, dtype=np.int32)))
    assert tree.right.tolist() == [-1] and tree.shared_category.tolist() == [[8]]


def by_definition(known, record, costs, numbers, nodes):
    """The mean over the attributes known of the record; a hole of the row costs what is given."""
    terms = [
        costs[record, j] if np.isnan(theirs) else abs(mine - theirs)
        for j, (mine, theirs) in enumerate(zip(known.numbers[record], numbers, strict=True))
        if not np.isnan(mine)
    ]
    terms += [
        costs[record, 2 + j] if theirs < 0 else by_paths(j, mine, theirs)
        for j, (mine, theirs) in enumerate(zip(known.nodes[record], nodes, strict=True))
        if mine >= 0
    ]
    return sum(terms) / max(len(terms), 1)


def searched(seed):
    rng = np.random.default_rng(seed)
    known, released = records(rng, 6), records(rng, int(rng.integers(1, 30)))
    return known, released, mixed_tree(released), rng.integers(0, 4, (6, 4)) / 8


def test_distances_are_those_of_the_definition_up_to_a_limit():
    for seed in range(8):
        known, _, tree, costs = searched(seed)
        for record in range(6):
            attributes = observed.py_func(known, record)
            for row in range(len(tree.order)):
                expected = by_definition(known, record, costs, tree.numbers[row], tree.nodes[row])
                found = distance.py_func(known, record, attributes, costs, tree, row, TREES, np.inf)
                assert found == pytest.approx(expected, abs=1e-15)
                assert distance.py_func(known, record, attributes, costs, tree, row, TREES, expected) == found
                lower = distance.py_func(known, record, attributes, costs, tree, row, TREES, expected / 2)
                assert lower == found or lower == np.inf
                without_categories = found
                for j, mine in enumerate(known.nodes[record]):
                    if mine >= 0:
                        theirs = tree.nodes[row, j]
                        gap = costs[record, 2 + j] if theirs < 0 else by_paths(j, mine, theirs)
                        without_categories -= gap / attributes
                assert (lower == np.inf) == (without_categories > expected / 2 * (1 + 1e-9))


def test_a_box_is_no_farther_than_any_of_its_rows_and_as_near_as_its_ends_allow():
    for seed in range(8):
        known, _, tree, costs = searched(seed)
        for record in range(6):
            attributes = observed.py_func(known, record)
            for box in range(len(tree.start)):
                bound = distance_to_box.py_func(known, record, attributes, costs, tree, box, TREES)
                terms = []
                for j, mine in enumerate(known.numbers[record]):
                    low, high = tree.low[box, j], tree.high[box, j]
                    gap = 0.0 if np.isnan(mine) else max(low - mine, mine - high, 0.0)
                    terms.append(min(gap, costs[record, j]) if tree.missing[box, j] else gap)
                for j, mine in enumerate(known.nodes[record]):
                    shared = tree.shared_category[box, j]
                    if mine >= 0 and shared != MIXED:
                        gap = np.inf if shared == ABSENT else by_paths(j, mine, shared)
                        terms.append(min(gap, costs[record, 2 + j]) if tree.missing[box, 2 + j] else gap)
                assert bound == pytest.approx(sum(terms) / attributes, abs=1e-15)
                for row in range(tree.start[box], tree.stop[box]):
                    assert bound <= distance.py_func(known, record, attributes, costs, tree, row, TREES, np.inf) + 1e-15
