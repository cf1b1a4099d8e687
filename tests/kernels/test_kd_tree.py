import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sdckit.kernels.kd_tree import LEAF, build_tree

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
