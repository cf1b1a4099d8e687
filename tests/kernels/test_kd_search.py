"""A search in a kd-tree finds what a scan of all rows finds, in boxes as well."""

import numpy as np
import pytest

from sdckit.kernels.kd_search import ACROSS, INSIDE, OUTSIDE, Box, contains, least_distance, side, within
from sdckit.kernels.kd_tree import (
    DEPTH,
    NO_ROW,
    build_tree,
    missing_cost,
    squared_distance,
    squared_distance_to_node,
    true_rows,
)

pytestmark = [
    pytest.mark.usefixtures("interpreted"),
    pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning"),
]


def files(seed):
    """Rows on a small grid with holes, enough for several leaves, and records of which something is not known."""
    rng = np.random.default_rng(seed)
    columns = 1 + seed % 2
    rows = rng.integers(0, 9, (int(rng.integers(1, 70)), columns)).astype(float)
    if seed % 3 == 0:
        rows[rng.random(rows.shape) < 0.1] = np.nan
    known = rng.integers(-1, 10, (4, columns)).astype(float)
    known[rng.random(known.shape) < 0.15] = np.nan
    lower = known - rng.integers(0, 4, known.shape)
    box = Box(lower[0], lower[0] + rng.integers(0, 8, columns))
    return rows, known, box


def distance(row, record):
    """Over the attributes that both have."""
    return sum((a - b) ** 2 for a, b in zip(row, record, strict=True) if a == a and b == b)


def in_box(row, box):
    return box is None or all(not (v < a or v > b) for v, a, b in zip(row, box.lower, box.upper, strict=True))


def hole_cost(rows, missing, record):
    """A tenth of the expected squared difference for each attribute that a row misses and the record has."""
    total = 0.0
    for j, value in enumerate(record):
        if missing[j] and value == value:
            seen = rows[~np.isnan(rows[:, j]), j]
            mean, variance = (seen.mean(), seen.var(ddof=len(seen) > 1)) if len(seen) else (0.0, 0.0)
            total += 0.1 * ((value - mean) ** 2 + variance)
    return total


@pytest.mark.parametrize("boxed", [False, True])
@pytest.mark.parametrize("seed", range(24))
def test_the_nearest_rows_of_a_root_are_those_of_a_scan(seed, boxed):
    rows, known, box = files(seed)
    tree, chosen = build_tree(rows), box if boxed else None
    nodes, bounds = np.empty(DEPTH, np.int64), np.empty(DEPTH)
    for root in tree.roots:
        pattern = np.isnan(tree.rows[tree.start[root]])
        mine = [row for row in range(len(rows)) if (np.isnan(rows[row]) == pattern).all() and in_box(rows[row], chosen)]
        for record in range(len(known)):
            cost = missing_cost(tree, root, known, record)
            assert cost == pytest.approx(hole_cost(rows, pattern, known[record]))
            exact = {row: distance(rows[row], known[record]) + cost for row in mine}
            least = min(exact.values(), default=np.inf)
            for before in (np.inf, least, least / 2, least + 1):
                found = least_distance(tree, root, cost, chosen, known, record, before, nodes, bounds)
                assert found == min(before, least)
            for limit in (least, least + 2, least / 2 if least < np.inf else 3.0):
                near = [row for row in mine if exact[row] <= limit]
                found = within(tree, root, cost, chosen, known, record, limit, nodes)
                assert found == (len(near), min(near, default=NO_ROW))


@pytest.mark.parametrize("seed", range(12))
def test_nodes_are_outside_inside_or_across_a_box(seed):
    rows, _, box = files(seed)
    tree = build_tree(rows)
    for node in range(len(tree.start)):
        under = tree.rows[tree.start[node] : tree.stop[node]]
        outside = inside = False
        for j in range(rows.shape[1]):
            low, high = under[:, j].min(), under[:, j].max()
            outside |= bool(high < box.lower[j] or low > box.upper[j])
            inside |= bool(low < box.lower[j] or high > box.upper[j])
        assert side(box, tree, node) == (OUTSIDE if outside else ACROSS if inside else INSIDE)
        assert side(None, tree, node) == INSIDE
    for row in range(len(tree.rows)):
        assert contains(box, tree.rows[row]) == in_box(tree.rows[row], box)
        assert contains(None, tree.rows[row])


@pytest.mark.parametrize("seed", range(12))
def test_a_node_is_as_near_as_the_nearest_corner_of_its_rows(seed):
    rows, known, _ = files(seed)
    tree = build_tree(rows)
    for record in range(len(known)):
        for node in range(len(tree.start)):
            under = tree.rows[tree.start[node] : tree.stop[node]]
            nearest = np.clip(known[record], under.min(axis=0), under.max(axis=0))
            assert squared_distance_to_node(tree, node, known, record) == distance(nearest, known[record])
        for row in range(len(tree.rows)):
            assert squared_distance(tree.rows, row, known, record) == distance(tree.rows[row], known[record])


def test_the_true_row_is_that_of_the_file_and_none_where_it_is_unknown():
    rows = np.array([[2.0], [1.0], [2.0]])
    tree = build_tree(rows)
    found = true_rows(tree, np.array([0, -1, 1, 2]))
    assert tree.rows[found[[0, 2, 3]], 0].tolist() == [2.0, 1.0, 2.0]
    assert found[0] == found[3] and found[1] == -1
    assert true_rows(build_tree(np.empty((0, 1))), np.array([-1, -1])).tolist() == [-1, -1]
