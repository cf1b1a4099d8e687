import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from tests.kernels.whole_leaves import halves

from sdckit.kernels.kd_tree import LEAF, build_tree
from sdckit.kernels.standardisation import mean_and_deviation

files = st.tuples(st.integers(0, 120), st.integers(1, 3)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.one_of(st.just(np.nan), st.integers(0, 5).map(float)))
)


@given(files)
def test_every_row_of_the_file_stands_in_its_place(values):
    tree = build_tree(values)
    assert np.array_equal(tree.rows[tree.position], values, equal_nan=True)
    assert np.array_equal(np.bincount(tree.position, minlength=len(tree.rows)), tree.multiplicity)
    assert all(np.flatnonzero(tree.position == distinct)[0] == first for distinct, first in enumerate(tree.first))


@given(files)
def test_every_node_bounds_the_rows_under_it(values):
    tree = build_tree(values)
    for node, (start, stop) in enumerate(zip(tree.start, tree.stop, strict=True)):
        under = tree.rows[start:stop]
        assert np.array_equal(under.min(axis=0), tree.lower[node], equal_nan=True)
        assert np.array_equal(under.max(axis=0), tree.upper[node], equal_nan=True)
        assert tree.total[node] == tree.multiplicity[start:stop].sum()
        assert tree.lowest[node] == tree.first[start:stop].min()


@given(files)
def test_children_share_the_rows_of_their_parent_and_leaves_are_small(values):
    tree = build_tree(values)
    for node, right in enumerate(tree.right):
        if right < 0:
            assert 0 < tree.stop[node] - tree.start[node] <= LEAF
        else:
            assert (tree.start[node], tree.stop[node + 1]) == (tree.start[node + 1], tree.start[right])
            assert tree.stop[right] == tree.stop[node]


@given(files)
def test_rows_with_different_attributes_missing_live_in_different_trees(values):
    tree = build_tree(values)
    patterns = [np.isnan(tree.rows[tree.start[root] : tree.stop[root]]) for root in tree.roots]
    assert all((pattern == pattern[0]).all() for pattern in patterns)
    assert len({tuple(pattern[0]) for pattern in patterns}) == len(patterns)


@pytest.mark.parametrize("sizes", [[], [1], [LEAF], [LEAF + 1], [5 * LEAF + 3, 2 * LEAF, 1], [3 * LEAF, 4 * LEAF + 1]])
def test_each_pattern_of_holes_is_a_tree_of_halves(sizes):
    """Patterns in the order in which they appear."""
    holes = np.array([[False, False], [True, False], [False, True]])
    parts = [
        np.where(holes[index], np.nan, np.column_stack([np.arange(size), np.arange(size) % 7 + size * np.arange(size)]))
        for index, size in enumerate(sizes)
    ]
    values = np.concatenate([np.empty((0, 2)), *parts])
    tree = build_tree(values)
    expected, roots, start = [], [], 0
    for size in sizes:
        roots.append(len(expected))
        expected += halves(start, start + size, LEAF)
        start += size
    assert list(zip(tree.start, tree.stop, strict=True)) == expected
    assert tree.roots.tolist() == roots
    mean, deviation = mean_and_deviation(values)
    assert (tree.mean == mean).all() and (tree.variance == deviation**2).all()
